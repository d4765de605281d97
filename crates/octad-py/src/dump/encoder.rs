//! `Encoder`: the writing calls with options read once.

use pyo3::PyTraverseError;
use pyo3::gc::PyVisit;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyDict, PyString};

use super::call;
use super::rules::Chosen;
use crate::cpython::{Behind, DirectMethod, Obj, put_before_method};

/// Writes JSON (RFC 8259) with options that are read once.
///
/// Parameters:
///     indent: None for one line, a number of spaces, or the blanks themselves, such as "\t".
///     newline: the line break used with `indent`: "\n", "\r\n" or "\r".
///     final_newline: a line break after the value.
///     sort_keys: keys by code point.
///     escape: "minimal"; "ascii" for all from U+007F on; "html" for `<`, `>`, `&`, `'`,
///         U+2028 and U+2029. Raw fragments are left as they are.
///     nan: floats and Decimals that are not finite: "error", "null", "literal" or "string".
///     canonical: RFC 8785, the same bytes for the same value; raw fragments are rewritten.
///     default: called with a value of unknown type; what it returns is written instead.
///     bytes: byte strings: None (an error), "base64", "base64url", "hex" or "array".
///     keys: keys that are not str: "text" (their JSON text), "error", or "pairs": their text, and
///         dicts with a key that has none are arrays of [key, value].
///     surrogates: lone surrogates in a str: "error", "replace" or "keep" (as an escape).
///     limits, settings: `octad.Limits` (`depth` and `output` bound writing), `octad.Settings`.
///     options: those of `octad.Settings` that are about writing, as for `dumps`.
///
/// Raises `TypeError` and `ValueError` for an option. The calls raise `octad.EncodeError` with code
/// and path where a value cannot be written. `dumps` lists the types there are.
///
/// >>> import octad
/// >>> octad.json.Encoder(sort_keys=True).dumps({"b": 1, "a": [True]})
/// b'{"a":[true],"b":1}'
#[pyclass(name = "Encoder", module = "octad.json", frozen)]
pub struct JsonEncoder {
    rules: Chosen,
}

/// Adds the class to the module.
///
/// # Errors
/// No memory.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<JsonEncoder>()?;
    put_before_method::<Dumps>(module.py())?;
    put_before_method::<DumpsStr>(module.py())
}

/// `Encoder.dumps` of one argument.
struct Dumps;

impl DirectMethod for Dumps {
    type Owner = JsonEncoder;
    const NAME: &'static str = "dumps";

    fn behind() -> &'static Behind {
        static BEHIND: Behind = Behind::new();
        &BEHIND
    }

    fn call(encoder: &JsonEncoder, value: &Bound<'_, PyAny>) -> PyResult<Obj> {
        Ok(Obj::take(encoder.dumps(value)?.into_any()))
    }
}

/// `Encoder.dumps_str` of one argument.
struct DumpsStr;

impl DirectMethod for DumpsStr {
    type Owner = JsonEncoder;
    const NAME: &'static str = "dumps_str";

    fn behind() -> &'static Behind {
        static BEHIND: Behind = Behind::new();
        &BEHIND
    }

    fn call(encoder: &JsonEncoder, value: &Bound<'_, PyAny>) -> PyResult<Obj> {
        Ok(Obj::take(encoder.dumps_str(value)?.into_any()))
    }
}

#[pymethods]
impl JsonEncoder {
    #[new]
    #[pyo3(
        signature = (**options),
        text_signature = "(*, indent=None, newline='\\n', final_newline=False, sort_keys=False, escape='minimal', nan='error', canonical=False, default=None, bytes=None, keys='text', surrogates='error', limits=None, settings=None, **options)"
    )]
    fn new(options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        Ok(Self {
            rules: Chosen::from_keywords(options)?,
        })
    }

    /// Write `value` as JSON; returns bytes.
    fn dumps<'py>(&self, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        Ok(call::to_bytes(value, self.rules.get())?.into_bound(value.py()))
    }

    /// Write `value` as JSON; returns a str.
    fn dumps_str<'py>(&self, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyString>> {
        call::to_text(value, self.rules.get())
    }

    /// Write `value` into a bytearray from `offset` on; returns the end.
    #[pyo3(signature = (value, buffer, offset=None), text_signature = "($self, value, buffer, offset=0)")]
    fn dump_into(
        &self,
        value: &Bound<'_, PyAny>,
        buffer: &Bound<'_, PyByteArray>,
        offset: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<usize> {
        call::to_buffer(value, buffer, offset, self.rules.get())
    }

    /// Write `value` to a path (replaced in one step) or an open file.
    fn dump(
        slf: &Bound<'_, Self>,
        value: &Bound<'_, PyAny>,
        file: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let py = slf.py();
        let data = slf.get().dumps(value)?;
        py.import("octad._files")?
            .call_method1("write", (data, file))?;
        Ok(())
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.rules.visit(&visit)
    }
}

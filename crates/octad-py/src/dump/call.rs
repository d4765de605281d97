//! `dumps`, `dumps_str`, `dump_into`: the calls, without and with options.

use core::ffi::CStr;

use octad_core::formats::json::JsonSink;
use octad_core::sink::OutBuf;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyString};

use super::rules::{Chosen, JsonRules, NAMES};
use super::scratch;
use super::walk::Walk;
use crate::cpython::{Obj, OneValue, add_function};

/// Adds the calls to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add_function::<Dumps>(module)?;
    add_function::<DumpsStr>(module)?;
    module.add_function(wrap_pyfunction!(dump_into, module)?)?;
    Ok(())
}

/// Writes `value` to the thread's buffer and hands that to `take`.
#[inline]
pub fn with_output<T>(
    value: &Bound<'_, PyAny>,
    rules: &JsonRules,
    take: impl FnOnce(&[u8]) -> PyResult<T>,
) -> PyResult<T> {
    let mut kept = scratch::take();
    let mut out = OutBuf::new(core::mem::take(&mut kept.out), rules.json.output);
    let root = Obj::from_bound(value);
    let py = value.py();
    let stack = &mut kept.stack;
    let written = if rules.json.layout.is_some() {
        let sink = JsonSink::<true>::new(&mut out, &rules.json);
        Walk::new(py, sink, stack, &rules.rules).write(root)
    } else {
        let sink = JsonSink::<false>::new(&mut out, &rules.json);
        Walk::new(py, sink, stack, &rules.rules).write(root)
    };
    let result = written.and_then(|()| take(out.as_slice()));
    kept.out = out.into_vec();
    scratch::keep(kept);
    result
}

/// The text as bytes.
#[inline]
pub fn to_bytes<'py>(
    value: &Bound<'py, PyAny>,
    rules: &JsonRules,
) -> PyResult<Bound<'py, PyBytes>> {
    let py = value.py();
    with_output(value, rules, |out| Ok(PyBytes::new(py, out)))
}

/// The text as str.
pub fn to_text<'py>(
    value: &Bound<'py, PyAny>,
    rules: &JsonRules,
) -> PyResult<Bound<'py, PyString>> {
    let py = value.py();
    with_output(value, rules, |out| PyString::from_bytes(py, out))
}

/// Puts the text into a bytearray; gives the end.
pub fn to_buffer(
    value: &Bound<'_, PyAny>,
    buffer: &Bound<'_, PyByteArray>,
    offset: usize,
    rules: &JsonRules,
) -> PyResult<usize> {
    with_output(value, rules, |out| {
        let length = buffer.len();
        if offset > length {
            return Err(PyValueError::new_err(format!(
                "expected an offset within the {length} bytes of the buffer, found {offset}"
            )));
        }
        let end = offset
            .checked_add(out.len())
            .ok_or_else(|| PyValueError::new_err("the buffer would be too large"))?;
        if end > length {
            buffer.resize(end)?;
        }
        crate::cpython::fill_bytearray(buffer, offset, out);
        Ok(end)
    })
}

/// The signature and text of a call's documentation, as the interpreter takes them apart.
macro_rules! documented {
    ($name:literal, $text:literal) => {
        match core::ffi::CStr::from_bytes_with_nul(
            concat!(
                $name,
                "(value, *, indent=None, newline='\\n', final_newline=False, sort_keys=False, ",
                "escape='minimal', nan='error', canonical=False, default=None, bytes=None, ",
                "keys='text', surrogates='error', limits=None, settings=None)\n--\n\n",
                $text,
                "\0"
            )
            .as_bytes(),
        ) {
            Ok(text) => text,
            Err(_) => panic!("a documentation holds no NUL"),
        }
    };
}

fn chosen(options: &[Option<Bound<'_, PyAny>>]) -> PyResult<Chosen> {
    Chosen::read(core::array::from_fn(|slot| options.get(slot)?.as_ref()))
}

/// `dumps`
struct Dumps;

impl OneValue for Dumps {
    const NAME: &'static CStr = c"dumps";
    const DOC: &'static CStr = documented!(
        "dumps",
        "Write a Python object as JSON.\n\nReturns bytes. Raises `octad.EncodeError` with a path \
         where a value cannot be written."
    );
    const KEYWORDS: &'static [&'static str] = &NAMES;

    fn plain(value: &Bound<'_, PyAny>) -> PyResult<Obj> {
        Ok(Obj::take(to_bytes(value, Chosen::Plain.get())?.into_any()))
    }

    fn with(value: &Bound<'_, PyAny>, options: &[Option<Bound<'_, PyAny>>]) -> PyResult<Obj> {
        Ok(Obj::take(
            to_bytes(value, chosen(options)?.get())?.into_any(),
        ))
    }
}

/// `dumps_str`
struct DumpsStr;

impl OneValue for DumpsStr {
    const NAME: &'static CStr = c"dumps_str";
    const DOC: &'static CStr = documented!(
        "dumps_str",
        "Write a Python object as JSON text.\n\nAs `dumps`, but returns a str."
    );
    const KEYWORDS: &'static [&'static str] = &NAMES;

    fn plain(value: &Bound<'_, PyAny>) -> PyResult<Obj> {
        Ok(Obj::take(to_text(value, Chosen::Plain.get())?.into_any()))
    }

    fn with(value: &Bound<'_, PyAny>, options: &[Option<Bound<'_, PyAny>>]) -> PyResult<Obj> {
        Ok(Obj::take(
            to_text(value, chosen(options)?.get())?.into_any(),
        ))
    }
}

/// Write a Python object as JSON into a bytearray, from `offset` on.
///
/// The buffer grows where needed and is never cut; returns the position after the last byte
/// written. After an error the buffer is as it was.
#[pyfunction]
#[pyo3(
    signature = (value, buffer, offset=0, *, settings=None, indent=None, newline=None, final_newline=None, sort_keys=None, escape=None, nan=None, canonical=None, default=None, bytes=None, keys=None, surrogates=None, limits=None),
    text_signature = "(value, buffer, offset=0, *, indent=None, newline='\\n', final_newline=False, sort_keys=False, escape='minimal', nan='error', canonical=False, default=None, bytes=None, keys='text', surrogates='error', limits=None, settings=None)"
)]
#[expect(
    clippy::too_many_arguments,
    reason = "one for each keyword, so that none costs a dict"
)]
fn dump_into<'py>(
    value: &Bound<'py, PyAny>,
    buffer: &Bound<'py, PyByteArray>,
    offset: usize,
    settings: Option<&Bound<'py, PyAny>>,
    indent: Option<&Bound<'py, PyAny>>,
    newline: Option<&Bound<'py, PyAny>>,
    final_newline: Option<&Bound<'py, PyAny>>,
    sort_keys: Option<&Bound<'py, PyAny>>,
    escape: Option<&Bound<'py, PyAny>>,
    nan: Option<&Bound<'py, PyAny>>,
    canonical: Option<&Bound<'py, PyAny>>,
    default: Option<&Bound<'py, PyAny>>,
    bytes: Option<&Bound<'py, PyAny>>,
    keys: Option<&Bound<'py, PyAny>>,
    surrogates: Option<&Bound<'py, PyAny>>,
    limits: Option<&Bound<'py, PyAny>>,
) -> PyResult<usize> {
    let rules = Chosen::read([
        settings,
        indent,
        newline,
        final_newline,
        sort_keys,
        escape,
        nan,
        canonical,
        default,
        bytes,
        keys,
        surrogates,
        limits,
    ])?;
    to_buffer(value, buffer, offset, rules.get())
}

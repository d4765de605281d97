//! `dumps`, `dumps_str`, `dump_into`: the calls, without and with options.

use core::ffi::CStr;

use super::fault::Fault;
use octad_core::error::{Error, Path};
use octad_core::formats::json::{Json, JsonSink, Pieces, PiecesSink};
use octad_core::formats::{Format, SinkJob};
use octad_core::sink::{OutBuf, Sink};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyDict, PyString};

use super::rules::{Chosen, JsonRules, NAMES};
use super::scratch::{self, Scratch, Stack};
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
    let written = write(value, rules, &mut kept.stack, &mut out);
    let result = written.and_then(|()| take(out.as_slice()));
    kept.out = out.into_vec();
    scratch::keep(kept);
    result
}

#[inline]
fn write(
    value: &Bound<'_, PyAny>,
    rules: &JsonRules,
    stack: &mut Stack,
    out: &mut OutBuf,
) -> PyResult<()> {
    let py = value.py();
    let root = Obj::from_bound(value);
    if rules.rules.sharing.references {
        let mut pieces = Pieces::default();
        let sink = PiecesSink::new(&mut pieces, &rules.json);
        Walk::new(py, sink, stack, &rules.rules).write(root)?;
        return send(py, pieces, rules, out);
    }
    if rules.json.layout.is_some() {
        let sink = JsonSink::<true>::new(out, &rules.json);
        Walk::new(py, sink, stack, &rules.rules).write(root)
    } else {
        let sink = JsonSink::<false>::new(out, &rules.json);
        Walk::new(py, sink, stack, &rules.rules).write(root)
    }
}

/// Writes a text that was kept in pieces.
#[cold]
fn send(py: Python<'_>, pieces: Pieces, rules: &JsonRules, out: &mut OutBuf) -> PyResult<()> {
    let failure = Json::write(&rules.json, out, Send(pieces));
    match failure {
        None => Ok(()),
        Some(error) => {
            Err(Box::<Fault>::from(error).into_py(py, Path::root(), rules.rules.show_input))
        }
    }
}

struct Send(Pieces);

impl SinkJob for Send {
    type Output = Option<Error>;

    fn run<S: Sink>(self, sink: &mut S) -> Option<Error> {
        self.0.send(sink);
        sink.finish();
        sink.take_error()
    }
}

/// The text as a bytes object.
#[inline]
pub fn to_bytes(value: &Bound<'_, PyAny>, rules: &JsonRules) -> PyResult<Obj> {
    let py = value.py();
    let mut kept = scratch::take();
    let Scratch { short, stack, .. } = &mut *kept;
    let made = short.bytes(py, rules.json.output, |out| write(value, rules, stack, out));
    scratch::keep(kept);
    Obj::or_raised(py, made?)
}

/// The text as str.
pub fn to_text<'py>(
    value: &Bound<'py, PyAny>,
    rules: &JsonRules,
) -> PyResult<Bound<'py, PyString>> {
    let py = value.py();
    with_output(value, rules, |out| PyString::from_bytes(py, out))
}

/// A position in a buffer; `None` for an int that is none.
fn position(offset: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    match offset.extract() {
        Ok(offset) => Ok(Some(offset)),
        Err(failure) if failure.is_instance_of::<PyOverflowError>(offset.py()) => Ok(None),
        Err(_) => Err(PyTypeError::new_err(format!(
            "option `offset`: expected an int, found {}",
            offset.repr()?.to_string_lossy()
        ))),
    }
}

/// Puts the text into a bytearray; gives the end.
pub fn to_buffer(
    value: &Bound<'_, PyAny>,
    buffer: &Bound<'_, PyByteArray>,
    offset: Option<&Bound<'_, PyAny>>,
    rules: &JsonRules,
) -> PyResult<usize> {
    let offset = offset.map_or(Ok(Some(0)), position)?;
    with_output(value, rules, |out| {
        let length = buffer.len();
        let Some(offset) = offset.filter(|offset| *offset <= length) else {
            return Err(PyValueError::new_err(format!(
                "option `offset`: expected a position within the {length} bytes of the buffer"
            )));
        };
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
    ($name:literal, [$($head:literal,)*], [$($tail:literal,)*]) => {
        match core::ffi::CStr::from_bytes_with_nul(
            concat!(
                $name,
                "(value, *, indent=None, newline='\\n', final_newline=False, sort_keys=False, ",
                "escape='minimal', nan='error', canonical=False, default=None, bytes=None, ",
                "keys='text', surrogates='error', limits=None, settings=None, **options)\n--\n\n",
                $($head,)*
                "    indent: None for one line, a number of spaces, or the blanks themselves, such as \"\\t\".\n",
                "    newline: the line break used with `indent`: \"\\n\", \"\\r\\n\" or \"\\r\".\n",
                "    final_newline: a line break after the value.\n",
                "    sort_keys: keys by code point.\n",
                "    escape: \"minimal\"; \"ascii\" for all from U+007F on; \"html\" for `<`, `>`, `&`, `'`,\n",
                "        U+2028 and U+2029. Raw fragments are left as they are.\n",
                "    nan: floats and Decimals that are not finite: \"error\", \"null\", \"literal\" or \"string\".\n",
                "    canonical: RFC 8785, the same bytes for the same value; raw fragments are rewritten.\n",
                "    default: called with a value of unknown type; what it returns is written instead.\n",
                "    bytes: byte strings: None (an error), \"base64\", \"base64url\", \"hex\" or \"array\".\n",
                "    keys: keys that are not str: \"text\" (their JSON text), \"error\", or \"pairs\": their text,\n",
                "        and dicts with a key that has none are arrays of [key, value].\n",
                "    surrogates: lone surrogates in a str: \"error\", \"replace\" or \"keep\" (as an escape).\n",
                "    limits, settings: `octad.Limits` (`depth` and `output` bound writing), `octad.Settings`.\n",
                "    options: those of `octad.Settings` that are about writing: rename, rename_keys, omit_none,\n",
                "        omit_defaults, omit_empty, unknown, numbers_as_text, dates, zones, references, cycles,\n",
                "        converters.\n",
                $($tail,)*
                "\0"
            )
            .as_bytes(),
        ) {
            Ok(text) => text,
            Err(_) => panic!("a documentation holds no NUL"),
        }
    };
}

fn chosen(
    options: &[Option<Bound<'_, PyAny>>],
    others: Option<&Bound<'_, PyDict>>,
) -> PyResult<Chosen> {
    Chosen::read(
        core::array::from_fn(|slot| options.get(slot)?.as_ref()),
        others,
    )
}

/// `dumps`
struct Dumps;

impl OneValue for Dumps {
    const NAME: &'static CStr = c"dumps";
    const DOC: &'static CStr = documented!(
        "dumps",
        [
            "Write a Python object as JSON (RFC 8259), in UTF-8.\n",
            "\n",
            "Parameters:\n",
            "    value: what to write. None, bool, int of any size, float, str, list, tuple, dict and their\n",
            "        subclasses; Decimal, dates and times, Enum, UUID, paths; dataclasses and attrs classes;\n",
            "        sets, other sequences and mappings, NumPy arrays; documents and their views; `octad.Raw`.\n",
        ],
        [
            "\n",
            "An option that is None is not given.\n",
            "\n",
            "Returns bytes.\n",
            "\n",
            "Raises `octad.EncodeError` with code and path where a value cannot be written; `TypeError` and\n",
            "`ValueError` for an option. Exceptions of the caller's own code get a note with the path.\n",
            "\n",
            ">>> import octad\n",
            ">>> octad.json.dumps({\"name\": \"octad\", \"sizes\": [1, 2.5]}, sort_keys=True)\n",
            "b'{\"name\":\"octad\",\"sizes\":[1,2.5]}'\n",
        ]
    );
    const KEYWORDS: &'static [&'static str] = &NAMES;

    fn plain(value: &Bound<'_, PyAny>) -> PyResult<Obj> {
        to_bytes(value, Chosen::Plain.get())
    }

    fn with<'py>(
        value: &Bound<'py, PyAny>,
        options: &[Option<Bound<'py, PyAny>>],
        others: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Obj> {
        to_bytes(value, chosen(options, others)?.get())
    }
}

/// `dumps_str`
struct DumpsStr;

impl OneValue for DumpsStr {
    const NAME: &'static CStr = c"dumps_str";
    const DOC: &'static CStr = documented!(
        "dumps_str",
        [
            "Write a Python object as JSON (RFC 8259), as a str.\n",
            "\n",
            "Parameters:\n",
            "    value: what to write, as for `dumps`.\n",
        ],
        [
            "\n",
            "Returns a str. Raises what `dumps` raises.\n",
            "\n",
            ">>> import octad\n",
            ">>> octad.json.dumps_str({\"café\": None}, escape=\"ascii\")\n",
            "'{\"caf\\\\u00e9\":null}'\n",
        ]
    );
    const KEYWORDS: &'static [&'static str] = &NAMES;

    fn plain(value: &Bound<'_, PyAny>) -> PyResult<Obj> {
        Ok(Obj::take(to_text(value, Chosen::Plain.get())?.into_any()))
    }

    fn with<'py>(
        value: &Bound<'py, PyAny>,
        options: &[Option<Bound<'py, PyAny>>],
        others: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Obj> {
        let rules = chosen(options, others)?;
        Ok(Obj::take(to_text(value, rules.get())?.into_any()))
    }
}

/// Write a Python object as JSON (RFC 8259) into a bytearray.
///
/// Parameters:
///     value: what to write, as for `dumps`.
///     buffer: grows where needed and is never cut.
///     offset: where in the buffer the text begins.
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
/// Returns the position after the last byte written. Raises what `dumps` raises, and `ValueError`
/// for an offset outside of the buffer; after an error the buffer is as it was.
///
/// >>> import octad
/// >>> buffer = bytearray(b"data: ")
/// >>> octad.json.dump_into([1, 2], buffer, 6), buffer
/// (11, bytearray(b'data: [1,2]'))
#[pyfunction]
#[pyo3(
    signature = (value, buffer, offset=None, *, settings=None, indent=None, newline=None, final_newline=None, sort_keys=None, escape=None, nan=None, canonical=None, default=None, bytes=None, keys=None, surrogates=None, limits=None, **others),
    text_signature = "(value, buffer, offset=0, *, indent=None, newline='\\n', final_newline=False, sort_keys=False, escape='minimal', nan='error', canonical=False, default=None, bytes=None, keys='text', surrogates='error', limits=None, settings=None, **options)"
)]
#[expect(
    clippy::too_many_arguments,
    reason = "one for each keyword, so that none costs a dict"
)]
fn dump_into<'py>(
    value: &Bound<'py, PyAny>,
    buffer: &Bound<'py, PyByteArray>,
    offset: Option<&Bound<'py, PyAny>>,
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
    others: Option<&Bound<'py, PyDict>>,
) -> PyResult<usize> {
    let rules = Chosen::read(
        [
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
        ],
        others,
    )?;
    to_buffer(value, buffer, offset, rules.get())
}

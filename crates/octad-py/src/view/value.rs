//! One value of a document as a Python object, or as text.

use octad_core::convert::{Conversion, Order, convert};
use octad_core::doc::Document as Core;
use octad_core::formats::FormatId;
use octad_core::formats::json::{JsonSink, NanPolicy, SurrogatePolicy, WriteOptions};
use octad_core::sink::{OutBuf, Sink};
use octad_core::source::{Source, Text};
use octad_core::token::{Kind, Token, TokenId, variant};
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::{Document, element};
use crate::cpython::{Obj, number, str};
use crate::load::{self, Trouble};

/// What indexing gives: a plain value, or a view of a container.
///
/// # Errors
/// As [`plain`].
#[inline]
pub fn item<'py>(
    document: &Bound<'py, Document>,
    core: &Core,
    id: TokenId,
) -> PyResult<Bound<'py, PyAny>> {
    let token = core.tape().get(id);
    if token.is_container() {
        return element::view(document, core, id);
    }
    scalar(document.py(), document.get(), core, id, token)
}

/// A scalar.
///
/// # Errors
/// As [`plain`].
#[inline]
pub fn scalar<'py>(
    py: Python<'py>,
    document: &Document,
    core: &Core,
    id: TokenId,
    token: Token,
) -> PyResult<Bound<'py, PyAny>> {
    let object = match token.kind() {
        Kind::Text => return text_of(py, document, core, id, token),
        Kind::Int if token.is_owned() && !document.reading().limits_short_digits() => {
            Obj::or_raised(py, number::int(py, token.int_value()))?
        }
        Kind::Simple => match token.variant() {
            variant::TRUE => number::bool(py, true),
            variant::FALSE => number::bool(py, false),
            _ => number::none(py),
        },
        _ => return plain(py, document, core, id),
    };
    Ok(object.into_bound(py))
}

#[inline]
fn text_of<'py>(
    py: Python<'py>,
    document: &Document,
    core: &Core,
    id: TokenId,
    token: Token,
) -> PyResult<Bound<'py, PyAny>> {
    let mut scratch = Vec::new();
    let source = core.source();
    let made: Obj = match source.text(token, &mut scratch) {
        Ok(Text::Ascii(bytes)) => Obj::or_raised(py, str::ascii(py, bytes))?,
        Ok(Text::Valid(text)) => Obj::or_raised(py, str::text(py, text))?,
        Ok(Text::Utf8(bytes)) => Obj::or_raised(py, str::utf8(py, bytes))?,
        Err(error) => return Err(document.raise(py, core, &core.locate_error(error, id))),
    };
    Ok(made.into_bound(py))
}

/// The str of a key.
///
/// # Errors
/// No memory.
#[inline]
pub fn key<'py>(py: Python<'py>, core: &Core, id: TokenId) -> PyResult<Bound<'py, PyAny>> {
    let mut scratch = Vec::new();
    let text = core.value(id).key_bytes(&mut scratch);
    if core.tape().get(id).is_plain_ascii() {
        return Ok(Obj::or_raised(py, str::ascii(py, &text))?.into_bound(py));
    }
    match Obj::or_raised(py, str::utf8(py, &text)) {
        Ok(made) => Ok(made.into_bound(py)),
        // A key that was not checked when it was read, and is not UTF-8.
        Err(_) => Ok(PyString::new(py, &String::from_utf8_lossy(&text)).into_any()),
    }
}

/// A value with all that is in it as plain Python objects.
///
/// # Errors
/// `DecodeError` for a number that has no Python form or a value that was not checked yet.
pub fn plain<'py>(
    py: Python<'py>,
    document: &Document,
    core: &Core,
    id: TokenId,
) -> PyResult<Bound<'py, PyAny>> {
    let rules = document.reading().rules();
    match load::build(py, core.tape().tokens(), id, &core.source(), &rules) {
        Ok(made) => Ok(made.into_bound(py)),
        Err(Trouble::Python(error)) => Err(error),
        Err(Trouble::Value(error, id)) => {
            Err(document.raise(py, core, &core.locate_error(error, id)))
        }
    }
}

/// Whether Python calls a value true.
///
/// # Errors
/// As [`plain`].
pub fn truth(py: Python<'_>, document: &Document, core: &Core, id: TokenId) -> PyResult<bool> {
    let token = core.tape().get(id);
    if token.is_container() {
        return Ok(!core.value(id).is_empty());
    }
    scalar(py, document, core, id, token)?.is_truthy()
}

/// A value as compact JSON text, with the spellings of the source.
///
/// # Errors
/// `DecodeError` for a value that was not checked yet.
pub fn text<'py>(
    py: Python<'py>,
    document: &Document,
    core: &Core,
    id: TokenId,
) -> PyResult<Bound<'py, PyString>> {
    // A reading that accepts NaN and lone surrogates shows them too.
    let options = WriteOptions {
        nan: NanPolicy::Literal,
        surrogates: SurrogatePolicy::Keep,
        ..WriteOptions::default()
    };
    let rules = Conversion {
        target: FormatId::Json,
        keep_texts: true,
        keep_numbers: true,
        order: Order::Kept,
        depth: usize::MAX,
    };
    let mut out = OutBuf::new(Vec::new(), None);
    let mut sink = JsonSink::<false>::new(&mut out, &options);
    convert(core.value(id), &mut sink, &rules).map_err(|error| document.raise(py, core, &error))?;
    sink.finish();
    PyString::from_bytes(py, out.as_slice())
}

//! Equality of values with Python objects, documents and views, by value.
//!
//! An explicit stack: nesting costs memory, not recursion. No lock is held, and what a comparison
//! in user code does to the lists and dicts under comparison is harmless: items are held one by one.

use octad_core::doc::{self, Document as Core, ValueKind, ValueRef};
use octad_core::source::Source;
use octad_core::token::{Kind, TokenId};
use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyList, PyNotImplemented, PyString};

use super::{Document, element, tape_of, value};

/// `==` and `!=` of a value with anything.
///
/// # Errors
/// `ClosedError`, `DecodeError` for a value that was not checked yet, or what user code raised.
pub fn rich<'py>(
    document: &Bound<'py, Document>,
    core: &Core,
    id: TokenId,
    other: &Bound<'py, PyAny>,
    op: CompareOp,
) -> PyResult<Bound<'py, PyAny>> {
    let py = document.py();
    let wanted = match op {
        CompareOp::Eq => true,
        CompareOp::Ne => false,
        _ => return Ok(PyNotImplemented::get(py).to_owned().into_any()),
    };
    Ok(match top(document, core, id, other)? {
        Some(equal) => PyBool::new(py, equal == wanted).to_owned().into_any(),
        None => PyNotImplemented::get(py).to_owned().into_any(),
    })
}

/// Whether a value equals an object; `None` where the object should be asked.
fn top<'py>(
    document: &Bound<'py, Document>,
    core: &Core,
    id: TokenId,
    other: &Bound<'py, PyAny>,
) -> PyResult<Option<bool>> {
    let mut open = Vec::new();
    let value = core.value(id);
    if let Some(equal) = shallow(document, core, value, other, &mut open)? {
        return Ok(Some(equal));
    }
    if open.is_empty() {
        return Ok(None);
    }
    drain(document, core, open).map(Some)
}

/// Whether a value equals an object, which is asked where it is of a type unknown here.
///
/// # Errors
/// As [`rich`].
pub fn equals<'py>(
    document: &Bound<'py, Document>,
    core: &Core,
    value: ValueRef<'_>,
    other: &Bound<'py, PyAny>,
) -> PyResult<bool> {
    let mut open = Vec::new();
    if !matches(document, core, value, other, &mut open)? {
        return Ok(false);
    }
    drain(document, core, open)
}

/// Containers of one kind that are still to be compared.
type Open<'py> = Vec<(TokenId, Bound<'py, PyAny>)>;

fn drain<'py>(document: &Bound<'py, Document>, core: &Core, mut open: Open<'py>) -> PyResult<bool> {
    while let Some((id, other)) = open.pop() {
        let value = core.value(id);
        let same = match other.cast::<PyList>() {
            Ok(list) => elements(document, core, value, list, &mut open)?,
            Err(_) => members(document, core, value, other.cast()?, &mut open)?,
        };
        if !same {
            return Ok(false);
        }
    }
    Ok(true)
}

fn elements<'py>(
    document: &Bound<'py, Document>,
    core: &Core,
    value: ValueRef<'_>,
    list: &Bound<'py, PyList>,
    open: &mut Open<'py>,
) -> PyResult<bool> {
    if value.len() != list.len() {
        return Ok(false);
    }
    for (place, element) in value.elements().enumerate() {
        // A list that got shorter meanwhile is another list.
        let Ok(other) = list.get_item(place) else {
            return Ok(false);
        };
        if !matches(document, core, element, &other, open)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn members<'py>(
    document: &Bound<'py, Document>,
    core: &Core,
    value: ValueRef<'_>,
    dict: &Bound<'py, PyDict>,
    open: &mut Open<'py>,
) -> PyResult<bool> {
    let members = value.members();
    if members.count_all() != dict.len() {
        return Ok(false);
    }
    for (key, member) in members {
        let name = value::key(document.py(), core, key)?;
        let Some(other) = dict.get_item(name)? else {
            return Ok(false);
        };
        if !matches(document, core, core.value(member), &other, open)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Compares a scalar, notes a container, and asks the object where its type is unknown.
fn matches<'py>(
    document: &Bound<'py, Document>,
    core: &Core,
    value: ValueRef<'_>,
    other: &Bound<'py, PyAny>,
    open: &mut Open<'py>,
) -> PyResult<bool> {
    let noted = open.len();
    match shallow(document, core, value, other, open)? {
        Some(equal) => Ok(equal),
        None if open.len() > noted => Ok(true),
        None => element::view(document, core, value.id())?.eq(other),
    }
}

/// The answer where it is known at once; else a pair of containers is noted, or the object is of a
/// type that is unknown here.
fn shallow<'py>(
    document: &Bound<'py, Document>,
    core: &Core,
    value: ValueRef<'_>,
    other: &Bound<'py, PyAny>,
    open: &mut Open<'py>,
) -> PyResult<Option<bool>> {
    let py = document.py();
    if let Some(equal) = exact(value, other)? {
        return Ok(Some(equal));
    }
    if let Some(theirs) = tape_of(other)? {
        return doc::equal(value, theirs.core.value(theirs.id))
            .map(Some)
            .map_err(|error| document.get().raise(py, core, &error));
    }
    let kind = value.kind();
    if matches!(kind, ValueKind::Array | ValueKind::Object) {
        let alike = match kind {
            ValueKind::Array => other.is_instance_of::<PyList>(),
            _ => other.is_instance_of::<PyDict>(),
        };
        if alike {
            open.push((value.id(), other.clone()));
        }
        return Ok(None);
    }
    let unreadable = doc::unreadable(value).map_err(|error| document.get().raise(py, core, &error));
    if unreadable? {
        return Ok(Some(false)); // what has no Python value equals none
    }
    let mine = value::scalar(py, document.get(), core, value.id(), value.token())?;
    let answer = mine.rich_compare(other, CompareOp::Eq)?;
    answer.is_truthy().map(Some)
}

/// The commonest scalars against the exact types, without making an object.
#[inline]
fn exact(value: ValueRef<'_>, other: &Bound<'_, PyAny>) -> PyResult<Option<bool>> {
    let token = value.token();
    if token.kind() == Kind::Text
        && !token.location().escaped
        && let Ok(text) = other.cast_exact::<PyString>()
    {
        let (Ok(text), source) = (text.to_str(), value.document().source()) else {
            return Ok(None);
        };
        let mut scratch = Vec::new();
        return Ok(match source.text(token, &mut scratch) {
            Ok(known) => Some(known.bytes() == text.as_bytes()),
            Err(_) => None,
        });
    }
    if token.kind() == Kind::Int
        && token.is_owned()
        && let Ok(number) = other.cast_exact::<PyInt>()
    {
        return Ok(Some(
            number
                .extract::<i64>()
                .is_ok_and(|number| number == token.int_value()),
        ));
    }
    Ok(None)
}

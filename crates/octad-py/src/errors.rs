//! Core errors as Python exceptions: the class by category, the place as fields.
//!
//! Cold by nature: lines, columns and excerpts are only made here.

use octad_core::doc::{Position, position_in};
use octad_core::error::{Category, EXCERPT, Error, TABLE, push_visible};
use octad_core::formats::json;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList};

/// The exception for an error. `input`: the text or bytes it is about, where there is one;
/// `binary`: offsets only, no lines. `show_input`: excerpts of the input may be shown.
#[cold]
pub fn to_py(
    py: Python<'_>,
    error: &Error,
    input: Option<&[u8]>,
    binary: bool,
    show_input: bool,
) -> PyErr {
    match exception(py, error, input.filter(|_| !binary), show_input) {
        Ok(made) => PyErr::from_value(made),
        Err(failure) => failure,
    }
}

/// The exception as an object, for `check` as well as for raising.
///
/// # Errors
/// What the making of it raised.
pub fn exception<'py>(
    py: Python<'py>,
    error: &Error,
    input: Option<&[u8]>,
    show_input: bool,
) -> PyResult<Bound<'py, PyAny>> {
    make(py)?.call((), Some(&fields(py, error, input, show_input)?))
}

fn make(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    static MAKE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    MAKE.import(py, "octad._errors", "make")
}

fn fields<'py>(
    py: Python<'py>,
    error: &Error,
    input: Option<&[u8]>,
    show_input: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let place = input.zip(error.offset());
    let place = place.map(|(input, offset)| (input, position_in(input, offset)));
    fields_at(py, error, place, show_input)
}

/// The fields of an error, as keyword arguments; `place`: the text it is about and where.
///
/// # Errors
/// No memory.
pub fn fields_at<'py>(
    py: Python<'py>,
    error: &Error,
    place: Option<(&[u8], Position)>,
    show_input: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let fields = PyDict::new(py);
    fields.set_item("code", error.code().name())?;
    fields.set_item("message", error.message(show_input))?;
    fields.set_item("offset", error.offset())?;
    // An error while writing is one, and there is no text to find its place in.
    let path = match place {
        Some(_) => &error.path().bounded(),
        None => error.path(),
    };
    fields.set_item("path", path.to_string())?;
    fields.set_item("pointer", path.pointer())?;
    if error.code().category() == Category::Data {
        let shown = |name: &str| error.detail(name).filter(|_| show_input);
        fields.set_item("expected", error.detail("expected").unwrap_or_default())?;
        fields.set_item("found", error.detail("actual").unwrap_or("nothing"))?;
        fields.set_item("value", shown("value"))?;
    }
    if let Some((input, position)) = place {
        fields.set_item("line", position.line)?;
        fields.set_item("column", position.column)?;
        if show_input {
            let (excerpt, caret) = excerpt(input, position);
            fields.set_item("source_line", excerpt)?;
            fields.set_item("caret", caret)?;
        }
    }
    Ok(fields)
}

/// The part of the line around `offset` that is shown, and the place of the caret in it, both in
/// characters.
fn excerpt(input: &[u8], position: Position) -> (String, usize) {
    // No more is looked at than could be shown, whatever the length of the line.
    let offset = position.offset.min(input.len());
    let near = offset.saturating_sub(4 * EXCERPT);
    let far = (offset + 4 * EXCERPT).min(input.len());
    let newline = |byte: &u8| *byte == b'\n';
    let mut from = match input[near..offset].iter().rposition(newline) {
        Some(at) => near + at + 1,
        None => near,
    };
    if from == 0 && input.starts_with(json::BOM) {
        from = json::BOM.len().min(offset);
    }
    let found = input[offset..far].iter().position(newline);
    let mut until = found.map_or(far, |at| offset + at);
    let goes_on = found.is_none() && far < input.len();
    if !goes_on && input[from..until].ends_with(b"\r") {
        until -= 1;
    }
    let at = offset.min(until);
    let column = position.column - 1;
    let before: Vec<char> = String::from_utf8_lossy(&input[from..at]).chars().collect();
    let after: Vec<char> = String::from_utf8_lossy(&input[at..until]).chars().collect();
    let keep_after = after.len().min(EXCERPT / 2);
    let keep_before = before.len().min(EXCERPT - keep_after);
    let keep_after = after.len().min(EXCERPT - keep_before);
    let mut text = String::new();
    let cut_before = column > keep_before;
    if cut_before {
        text.push('…');
    }
    let shown = before[before.len() - keep_before..]
        .iter()
        .chain(&after[..keep_after]);
    text.extend(shown.map(|ch| visible(*ch)));
    if keep_after < after.len() || goes_on {
        text.push('…');
    }
    (text, keep_before + usize::from(cut_before))
}

/// A character of the excerpt, one wide so that the caret stays in its place: a tab is a blank,
/// what cannot be seen is U+FFFD.
fn visible(ch: char) -> char {
    let mut shown = String::new();
    push_visible(&mut shown, ch);
    match ch {
        '\t' => ' ',
        _ if shown.chars().count() > 1 => '\u{fffd}',
        _ => ch,
    }
}

/// The table of codes: (name, category, template).
#[pyfunction]
pub fn error_table(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    PyList::new(
        py,
        TABLE
            .iter()
            .map(|row| (row.name, row.category.name(), row.template)),
    )
}

//! `check`: every problem of a text as a list, positions found in one pass.

use octad_core::doc::Lines;
use octad_core::formats::json;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList};

use crate::errors;
use crate::input::Input;
use crate::options::{Call, Reading};

/// How many problems are listed when nothing is said.
const MOST: usize = 100;

/// Find every problem of a JSON text.
///
/// Parameters:
///     data: the text, as for `loads`.
///     max_problems: the list ends after so many.
///     The reading options of `loads`.
///
/// Returns a list of `octad.Problem`, in text order; empty where `loads` accepts the text. Raises
/// `TypeError` for data that holds no bytes and for unknown options, nothing for bad text.
///
/// >>> import octad
/// >>> [str(problem.code) for problem in octad.json.check('[01, "\\q", nul]')]
/// ['leading-zero', 'invalid-escape', 'invalid-literal']
#[pyfunction]
#[pyo3(signature = (data, /, *, max_problems=MOST, **options), text_signature = "(data, /, *, max_problems=100, duplicates='last', surrogates='error', nan='error', comments=False, trailing_commas=False, floats='float', overflow='error', limits=None, settings=None)")]
pub fn check<'py>(
    data: &Bound<'py, PyAny>,
    max_problems: usize,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyList>> {
    check_with(
        data,
        max_problems,
        &Reading::from_keywords(options, Call::Load)?,
    )
}

/// `check` with options that have been read already.
pub fn check_with<'py>(
    data: &Bound<'py, PyAny>,
    max_problems: usize,
    reading: &Reading,
) -> PyResult<Bound<'py, PyList>> {
    static MAKE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = data.py();
    let input = Input::new(data)?;
    let bytes = input.bytes();
    let faults = py.detach(|| json::check(bytes, &reading.check_options(), max_problems));
    let make = MAKE.import(py, "octad._problems", "make")?;
    let mut lines = Lines::new(bytes);
    let problems = PyList::empty(py);
    for fault in &faults {
        let position = lines.position(fault.offset().unwrap_or(0));
        let fields = errors::fields_at(py, fault, Some((bytes, position)), reading.show_input)?;
        problems.append(make.call((), Some(&fields))?)?;
    }
    Ok(problems)
}

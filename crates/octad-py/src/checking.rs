//! `check`: every problem of a text as a list, positions found in one pass.

use octad_core::doc::Lines;
use octad_core::formats::json;
use pyo3::Borrowed;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyInt, PyList};

use crate::cpython::{Behind, DirectFunction, Obj, put_before_function};
use crate::errors;
use crate::input::Input;
use crate::options::{Call, Reading};

/// How many problems are listed at most.
pub struct Most(pub usize);

impl Default for Most {
    fn default() -> Self {
        Self(100)
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Most {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(most) = object.extract::<usize>() {
            return Ok(Self(most));
        }
        if !object.is_instance_of::<PyInt>() {
            let found = object.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "max_problems: expected an int, found {found}"
            )));
        }
        if object.lt(0)? {
            return Err(PyValueError::new_err(format!(
                "max_problems: expected 0 or more, found {}",
                object.str()?
            )));
        }
        Ok(Self(usize::MAX))
    }
}

/// Find every problem of a JSON text.
///
/// Parameters:
///     data: the text, as for `loads`.
///     max_problems: the list ends after so many, 0 or more.
///     The reading options of `loads`.
///
/// Returns a list of `octad.Problem`, in text order; empty where `loads` accepts the text. Raises
/// `TypeError` for data that holds no bytes and for unknown options, `ValueError` for a negative
/// `max_problems`, nothing for bad text. Where the path of a problem is longer than about 1,000
/// characters or 200 steps, its `path` and `pointer` have `…` for the steps in the middle and for what follows the
/// first 200 characters of a key.
///
/// >>> import octad
/// >>> [str(problem.code) for problem in octad.json.check('[01, "\\q", nul]')]
/// ['leading-zero', 'invalid-escape', 'invalid-literal']
#[pyfunction]
#[pyo3(signature = (data, /, *, max_problems=Most::default(), **options), text_signature = "(data, /, *, max_problems=100, duplicates='last', surrogates='error', nan='error', comments=False, trailing_commas=False, floats='float', overflow='error', limits=None, settings=None)")]
pub fn check<'py>(
    data: &Bound<'py, PyAny>,
    max_problems: Most,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyList>> {
    check_with(
        data,
        max_problems.0,
        &Reading::from_keywords(options, Call::Load)?,
    )
}

/// Adds the function to the module.
///
/// # Errors
/// No memory.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(check, module)?)?;
    put_before_function::<Check>(module)
}

/// `check` of one argument.
struct Check;

impl DirectFunction for Check {
    const NAME: &'static str = "check";

    fn behind() -> &'static Behind {
        static BEHIND: Behind = Behind::new();
        &BEHIND
    }

    fn call(data: &Bound<'_, PyAny>) -> PyResult<Obj> {
        let problems = check_with(data, Most::default().0, &Reading::default())?;
        Ok(Obj::take(problems.into_any()))
    }
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
    let faults = py.detach(|| json::check(bytes, &reading.options, max_problems));
    let make = MAKE.import(py, "octad._problems", "make")?;
    let mut lines = Lines::new(bytes);
    let problems = PyList::empty(py);
    for fault in faults {
        let fault = input.explain(fault);
        let position = lines.position(fault.offset().unwrap_or(0));
        let fields = errors::fields_at(py, &fault, Some((bytes, position)), reading.show_input)?;
        problems.append(make.call((), Some(&fields))?)?;
    }
    Ok(problems)
}

//! `check`: every problem of a text as a list, positions found in one pass.

use std::sync::Arc;

use octad_core::doc::{Bytes, Document, Lines};
use octad_core::formats::{AnyOptions, json};
use pyo3::Borrowed;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyInt, PyList};

use crate::cpython::{Behind, DirectFunction, Obj, put_before_function};
use crate::errors;
use crate::input::Input;
use crate::load::typed;
use crate::options::{Call, Reading, contract_settings};
use crate::plan::{self, Plan};
use crate::view;

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
///     type: what `loads` would make of it. The values of a text that is well formed are then held
///         against the type; each problem tells what was expected, what was found, and the value.
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
/// >>> [problem.message for problem in octad.json.check('[1, "2"]', list[int])]
/// ['expected an integer, found text `"2"`']
#[pyfunction]
#[pyo3(signature = (data, r#type=None, /, *, max_problems=Most::default(), **options), text_signature = "(data, type=None, /, *, max_problems=100, duplicates='last', surrogates='error', nan='error', comments=False, trailing_commas=False, floats='float', overflow='error', limits=None, settings=None, **options)")]
pub fn check<'py>(
    data: &Bound<'py, PyAny>,
    r#type: Option<&Bound<'py, PyAny>>,
    max_problems: Most,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyList>> {
    if let Some(class) = r#type {
        let reading = Reading::from_keywords(options, Call::Type)?;
        let settings = contract_settings(options)?;
        let plan = plan::for_type(class, settings.as_ref())?;
        return check_with(data, Some(plan.get()), max_problems.0, &reading);
    }
    check_with(
        data,
        None,
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
        let problems = check_with(data, None, Most::default().0, &Reading::default())?;
        Ok(Obj::take(problems.into_any()))
    }
}

/// `check` with options that have been read already.
pub fn check_with<'py>(
    data: &Bound<'py, PyAny>,
    plan: Option<&Plan>,
    max_problems: usize,
    reading: &Reading,
) -> PyResult<Bound<'py, PyList>> {
    static MAKE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = data.py();
    let input = Input::new(data)?;
    let bytes = input.bytes();
    let options = match plan {
        // Whether a number is too large depends on what is made of it: the values are asked later.
        Some(_) => &json::ReadOptions {
            overflow_is_infinite: true,
            ..reading.typed_options()
        },
        None => &reading.options,
    };
    let faults = py.detach(|| json::check(bytes, options, max_problems));
    if let Some(plan) = plan
        && faults.is_empty()
    {
        return check_values(py, &input, plan, max_problems, reading);
    }
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

/// The values of a well-formed text that do not fit a type.
fn check_values<'py>(
    py: Python<'py>,
    input: &Input<'_>,
    plan: &Plan,
    max_problems: usize,
    reading: &Reading,
) -> PyResult<Bound<'py, PyList>> {
    static MAKE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let owned: Bytes = Arc::new(input.bytes().to_vec());
    let options = AnyOptions::Json(reading.typed_options());
    let core = Document::parse(owned, input.is_checked(), options)
        .map_err(|error| errors::to_py(py, &error, Some(input.bytes()), false, true))?;
    let (faults, explainer) = view::faults(py, &core, plan, reading, max_problems);
    let mut found = Vec::with_capacity(faults.len());
    for fault in faults {
        let fields = typed::fields(py, &explainer, fault)?;
        let offset = fields.get_item("offset")?;
        let offset = offset.map_or(Ok(0), |offset| offset.extract::<usize>())?;
        found.push((offset, fields));
    }
    found.sort_by_key(|(offset, _)| *offset);
    let make = MAKE.import(py, "octad._problems", "make")?;
    let problems = PyList::empty(py);
    for (_, fields) in found {
        problems.append(make.call((), Some(&fields))?)?;
    }
    Ok(problems)
}

//! Decimals from their text, exactly, whatever the thread's decimal context says.

use octad_core::text::decimal;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};

struct Maker {
    class: Py<PyType>,
    /// Neither its traps nor its flags are those of the user.
    context: Py<PyAny>,
    invalid: Py<PyType>,
}

/// The `decimal.Decimal` of a number's text; None where none can hold it.
///
/// # Errors
/// No memory.
pub fn decimal<'py>(py: Python<'py>, text: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
    if !decimal::in_range(text) {
        return Ok(None);
    }
    static MAKER: PyOnceLock<Maker> = PyOnceLock::new();
    let maker = MAKER.get_or_try_init(py, || {
        let module = py.import("decimal")?;
        let invalid = module.getattr("InvalidOperation")?;
        let options = PyDict::new(py);
        options.set_item("traps", (&invalid,).into_pyobject(py)?.to_list())?;
        let context = module.getattr("Context")?.call((), Some(&options))?;
        PyResult::Ok(Maker {
            class: module.getattr("Decimal")?.cast_into::<PyType>()?.unbind(),
            context: context.unbind(),
            invalid: invalid.cast_into::<PyType>()?.unbind(),
        })
    })?;
    match maker.class.bind(py).call1((text, &maker.context)) {
        Ok(made) => Ok(Some(made)),
        // A build of Python whose decimals have a narrower range.
        Err(error) if error.is_instance(py, maker.invalid.bind(py)) => Ok(None),
        Err(error) => Err(error),
    }
}

//! `OpenContainer`: what `list()` and `map()` of any writer return, the end of a `with` block.
//!
//! Knows no writer: whoever opened the container says how it is closed.

use pyo3::PyTraverseError;
use pyo3::gc::PyVisit;
use pyo3::prelude::*;

/// Closes one container of a writer.
pub trait Close: Send + Sync {
    /// Closes the container, which is to be the innermost one.
    ///
    /// # Errors
    /// `EncodeError`.
    fn close(&self, py: Python<'_>) -> PyResult<()>;

    /// Shows the collector what it holds.
    ///
    /// # Errors
    /// The collector's own.
    fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError>;
}

/// A list or map that is open: closed at the end of a `with` block.
#[pyclass(module = "octad", frozen)]
pub struct OpenContainer(Box<dyn Close>);

impl OpenContainer {
    /// What closes it.
    pub fn new(close: impl Close + 'static) -> Self {
        Self(Box::new(close))
    }
}

#[pymethods]
impl OpenContainer {
    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (kind, _error, _trace))]
    fn __exit__(
        &self,
        py: Python<'_>,
        kind: &Bound<'_, PyAny>,
        _error: &Bound<'_, PyAny>,
        _trace: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        if !kind.is_none() {
            // The exception says more than the missing end.
            return Ok(());
        }
        self.0.close(py)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.0.traverse(&visit)
    }
}

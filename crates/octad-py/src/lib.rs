//! The Python face of octad: registration only. The classes and functions live in the modules.

use pyo3::prelude::*;

mod cpython;

/// `octad._core`: the compiled half of the package `octad`.
#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    Ok(())
}

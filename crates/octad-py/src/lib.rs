//! The Python face of octad: registration only. The classes and functions live in the modules.

use pyo3::prelude::*;

mod checking;
mod converter;
mod cpython;
mod decoder;
mod dump;
mod errors;
mod input;
mod load;
mod options;
mod plan;
mod reading;
mod registry;
mod view;

/// `octad._core`: the compiled half of the package `octad`.
#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    cpython::claim_interpreter(module.py())?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    checking::register(module)?;
    converter::register(module)?;
    module.add_function(wrap_pyfunction!(errors::error_table, module)?)?;
    plan::register(module)?;
    reading::register(module)?;
    module.add_function(wrap_pyfunction!(registry::build_info, module)?)?;
    module.add_function(wrap_pyfunction!(registry::format_rows, module)?)?;
    decoder::register(module)?;
    module.add_function(wrap_pyfunction!(registry::shape_counts, module)?)?;
    dump::register(module)?;
    view::register(module)?;
    Ok(())
}

//! What a user's `Converter` sees: `Writer` while a value is written, `Reader` while one is read.
//!
//! Knows neither the walk that writes nor the runner that reads: they stand behind traits, and are
//! lent to the Python objects of this folder for the time of one call.

mod open;
mod reader;
mod writer;

use pyo3::prelude::*;

pub use open::{Close, OpenContainer};
pub use reader::{Input, Parts, read_with_converter};
pub use writer::{Output, write_with_converter};

/// Adds the classes to the module.
///
/// # Errors
/// No memory.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<reader::Reader>()?;
    // `octad._core.Writer` is the push writer of `octad.json`.
    module.add(
        "ConverterWriter",
        module.py().get_type::<writer::ConverterWriter>(),
    )?;
    Ok(())
}

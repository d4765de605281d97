//! Writing Python objects: a walk over any object graph, into any sink of the core.
//!
//! Formats are the core's; this folder decides what a Python object *is* (`classify`), steps
//! through containers without recursion (`walk`, `frames`), reads options (`rules`) and offers the
//! calls. No Python code runs while an object is borrowed without a reference.

mod asked;
mod bigint;
mod blobs;
mod call;
mod classify;
mod containers;
mod context;
mod contract;
mod converted;
mod dates;
mod encoder;
mod fault;
mod forms;
mod frames;
mod gathered;

mod keys;
mod known;
mod level;
mod loops;
mod noted;
mod plans;
mod raw;
mod records;
mod rules;
mod scratch;
mod settings;
mod shaped;
mod sharing;
mod tape;
mod walk;
mod writer;

use pyo3::prelude::*;

/// Adds the calls and classes of this folder to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    crate::cpython::check_int_layout(module.py())?;
    crate::cpython::learn_dict_layout(module.py())?;
    call::register(module)?;
    encoder::register(module)?;
    module.add_function(wrap_pyfunction!(records::direct_fields, module)?)?;
    module.add_function(wrap_pyfunction!(known::forget_classes, module)?)?;
    module.add_class::<writer::JsonWriter>()?;
    module.add_class::<raw::Raw>()?;
    Ok(())
}

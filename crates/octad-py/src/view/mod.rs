//! Documents as Python sees them: `Document` and its handles `Object`, `Array` and `Element`.
//!
//! A handle is a document and a token id; everything it says is read from the tape when asked. The
//! lock of a document is only held to take or drop its core, never while Python code can run.

mod array;
mod compare;
mod document;
mod element;
mod getters;
mod iter;
mod members;
mod object;
mod position;
mod rebuild;
mod repr;
mod typed;
mod value;

use std::sync::Arc;

use octad_core::doc::Document as Core;
use octad_core::error::Error;
use octad_core::token::TokenId;
use pyo3::prelude::*;

pub use document::Document;
pub use typed::{faults, run_plan};

use crate::errors;

use array::Array;
use element::Element;
use object::Object;

/// Adds the classes to the module.
///
/// # Errors
/// No memory.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Document>()?;
    module.add_class::<Element>()?;
    module.add_class::<Object>()?;
    module.add_class::<Array>()?;
    module.add_class::<position::Position>()?;
    module.add_class::<iter::ViewIterator>()?;
    module.add_class::<members::Keys>()?;
    module.add_class::<members::Values>()?;
    module.add_class::<members::Items>()?;
    Ok(())
}

/// A value of a document, for those who write its tape without making objects of it.
pub struct Tape {
    /// The document.
    pub core: Arc<Core>,
    /// The token of the value.
    pub id: TokenId,
    /// Excerpts of the source may stand in errors.
    show_input: bool,
}

impl Tape {
    /// The exception for a value of the source that was not checked and is ill-formed.
    #[must_use]
    pub fn raise(&self, py: Python<'_>, error: &Error) -> PyErr {
        errors::to_py(py, error, Some(self.core.input()), false, self.show_input)
    }
}

/// Whether an object is a document or a view of one.
#[must_use]
pub fn is_tape(object: &Bound<'_, PyAny>) -> bool {
    object.is_instance_of::<Element>() || object.is_instance_of::<Document>()
}

/// The value of a document or of a view of one; `None` for other objects.
///
/// # Errors
/// `ClosedError`.
pub fn tape_of(object: &Bound<'_, PyAny>) -> PyResult<Option<Tape>> {
    let py = object.py();
    let (document, id) = if let Ok(view) = object.cast::<Element>() {
        let view = view.get();
        (view.document.get(), Some(view.id))
    } else if let Ok(document) = object.cast::<Document>() {
        (document.get(), None)
    } else {
        return Ok(None);
    };
    let core = document.core(py)?;
    let id = id.unwrap_or_else(|| core.tape().root());
    let show_input = document.reading().show_input;
    Ok(Some(Tape {
        core,
        id,
        show_input,
    }))
}

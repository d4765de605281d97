//! One interpreter of a process may use the module.
//!
//! Types and caches of the module belong to the interpreter that loaded it first. Since 3.12 CPython
//! itself refuses others; before, only this does.

use core::sync::atomic::{AtomicI64, Ordering};

use pyo3::exceptions::PyImportError;
use pyo3::ffi;
use pyo3::prelude::*;

/// The interpreter that loaded the module first; none has a negative number.
static OWNER: AtomicI64 = AtomicI64::new(-1);

/// Refuses to be loaded by a second interpreter.
///
/// # Errors
/// `ImportError`.
pub fn claim_interpreter(_py: Python<'_>) -> PyResult<()> {
    // SAFETY: attached (`_py`), so there is a current interpreter.
    let id = unsafe { ffi::PyInterpreterState_GetID(ffi::PyInterpreterState_Get()) };
    match OWNER.compare_exchange(-1, id, Ordering::Relaxed, Ordering::Relaxed) {
        Err(owner) if owner != id => Err(PyImportError::new_err(
            "octad can be used in one interpreter of a process, and another one has loaded it",
        )),
        _ => Ok(()),
    }
}

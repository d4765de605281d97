//! Making instances of classes without their `__init__`, and storing attributes in them as
//! `object.__setattr__` would.

use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};

use super::Obj;

/// A new instance of a class without attributes: what `object.__new__(class)` gives.
///
/// # Errors
/// `TypeError` for classes whose instances are not made this way, or that are abstract.
pub fn new_instance(class: &Bound<'_, PyType>) -> PyResult<Obj> {
    let kind = class.as_type_ptr();
    // SAFETY: a live class, and the one that all others derive from.
    let plain = unsafe {
        let made_by_object = match ((*kind).tp_new, ffi::PyBaseObject_Type.tp_new) {
            (Some(own), Some(first)) => core::ptr::fn_addr_eq(own, first),
            _ => false,
        };
        (*kind).tp_flags & ffi::Py_TPFLAGS_IS_ABSTRACT == 0
            && (*kind).tp_flags & ffi::Py_TPFLAGS_HEAPTYPE != 0
            && made_by_object
    };
    if !plain {
        let base = class.py().get_type::<PyAny>();
        return base.call_method1("__new__", (class,)).map(Obj::take);
    }
    // SAFETY: attached (`class`). A class made by a class statement whose instances `object` makes:
    // they are allocated, cleared, by its own allocator.
    let made = unsafe {
        let allocate = (*kind).tp_alloc.unwrap_or(ffi::PyType_GenericAlloc);
        Obj::from_new(allocate(kind, 0))
    };
    Obj::or_raised(class.py(), made)
}

/// Sets an attribute as `object.__setattr__` does: no code of the class runs unless it has a
/// descriptor of that name.
///
/// # Errors
/// `AttributeError`; what a descriptor raises; no memory.
pub fn store(
    py: Python<'_>,
    object: &Obj,
    name: &Bound<'_, PyString>,
    value: &Obj,
) -> PyResult<()> {
    // SAFETY: attached (`py`); three live objects.
    let done =
        unsafe { ffi::PyObject_GenericSetAttr(object.as_ptr(), name.as_ptr(), value.as_ptr()) };
    if done == 0 {
        return Ok(());
    }
    Err(PyErr::take(py).unwrap_or_else(|| PyTypeError::new_err("an attribute that cannot be set")))
}

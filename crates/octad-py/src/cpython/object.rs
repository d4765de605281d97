//! `Obj`: one owned reference to a Python object, as thin as a pointer.
//!
//! It knows nothing of types; the files beside it make and read the kinds of objects.
//! `!Send` and `!Sync`, so it stays on the thread that is attached to the interpreter.

use core::mem::ManuallyDrop;
use core::ptr::NonNull;

use pyo3::ffi;
use pyo3::prelude::*;

/// An owned reference to a Python object. Dropping it gives the reference back. Functions on hot
/// paths return `Option<Obj>`, one register, where None means that an exception is set.
#[repr(transparent)]
pub struct Obj(NonNull<ffi::PyObject>);

impl Obj {
    /// Takes over a new reference; `None` when the C API returned NULL (an exception is set then).
    ///
    /// # Safety
    /// `ptr` is NULL or a new reference which the caller gives up; the thread is attached.
    #[inline]
    pub(super) unsafe fn from_new(ptr: *mut ffi::PyObject) -> Option<Self> {
        NonNull::new(ptr).map(Self)
    }

    /// Adds a reference to a borrowed object.
    ///
    /// # Safety
    /// `ptr` points to a live object; the thread is attached.
    #[inline]
    pub(super) unsafe fn from_borrowed(ptr: *mut ffi::PyObject) -> Self {
        // SAFETY: the caller guarantees a live object and an attached thread.
        unsafe { ffi::Py_INCREF(ptr) };
        // SAFETY: a live object has a non-null address.
        Self(unsafe { NonNull::new_unchecked(ptr) })
    }

    /// What a function that sets an exception returned, as PyO3 has it.
    ///
    /// # Errors
    /// The exception that is set.
    #[inline]
    pub fn or_raised(py: Python<'_>, made: Option<Self>) -> PyResult<Self> {
        made.ok_or_else(|| PyErr::fetch(py))
    }

    /// The address, still owned by `self`.
    #[inline]
    pub(super) fn as_ptr(&self) -> *mut ffi::PyObject {
        self.0.as_ptr()
    }

    /// Gives the reference up to the caller.
    #[inline]
    pub(super) fn into_ptr(self) -> *mut ffi::PyObject {
        ManuallyDrop::new(self).0.as_ptr()
    }

    /// Hands the reference to PyO3.
    #[inline]
    pub fn into_bound(self, py: Python<'_>) -> Bound<'_, PyAny> {
        // SAFETY: `into_ptr` gives up the one reference that `self` owned.
        unsafe { Bound::from_owned_ptr(py, self.into_ptr()) }
    }

    /// Another reference to the object behind a PyO3 handle.
    #[inline]
    pub fn from_bound(object: &Bound<'_, PyAny>) -> Self {
        // SAFETY: a `Bound` is a live object on an attached thread.
        unsafe { Self::from_borrowed(object.as_ptr()) }
    }
}

impl Clone for Obj {
    #[inline]
    fn clone(&self) -> Self {
        // SAFETY: `self` is a live object, and an `Obj` exists only on an attached thread.
        unsafe { Self::from_borrowed(self.as_ptr()) }
    }
}

impl Drop for Obj {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: `self` owns one reference, and an `Obj` exists only on an attached thread.
        unsafe { ffi::Py_DECREF(self.as_ptr()) };
    }
}

//! Making lists and dicts of a known size, item by item.
//!
//! The one place where each kind of container is made, so that a faster way (shared key tables)
//! has one place to go. While these exist no user code runs and collection is held off (`gc.rs`),
//! so nobody sees them half filled; dropped half filled they free what they hold.

use core::ptr;

use pyo3::ffi;
use pyo3::prelude::*;

use super::Obj;

/// A list being filled.
pub struct NewList {
    list: Obj,
    next: *mut *mut ffi::PyObject,
    left: usize,
}

impl NewList {
    /// A list of exactly `length` items.
    ///
    /// # Errors
    /// No memory.
    #[inline]
    pub fn new(py: Python<'_>, length: usize) -> PyResult<Self> {
        // SAFETY: attached (`py`); a new reference or NULL.
        let list = unsafe { Obj::from_new(ffi::PyList_New(length as ffi::Py_ssize_t)) }
            .ok_or_else(|| PyErr::fetch(py))?;
        // SAFETY: an exact list; `ob_item` points to `length` slots (NULL when there are none, and
        // then `left` is 0 and it is never used).
        let next = unsafe { (*list.as_ptr().cast::<ffi::PyListObject>()).ob_item };
        Ok(Self {
            list,
            next,
            left: length,
        })
    }

    /// Items still to come.
    #[inline]
    #[must_use]
    pub fn left(&self) -> usize {
        self.left
    }

    /// Fills the next slot. An item too many is dropped.
    #[inline]
    pub fn push(&mut self, item: Obj) {
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        // SAFETY: `left` counted this slot; it holds NULL and takes over the reference.
        unsafe {
            ptr::write(self.next, item.into_ptr());
            self.next = self.next.add(1);
        }
    }

    /// The list. Slots that were not filled (a tape with a wrong count) are cut off.
    #[inline]
    #[must_use]
    pub fn finish(self) -> Obj {
        if self.left > 0 {
            // SAFETY: an exact list that nobody else has seen; the slots cut off hold NULL.
            unsafe {
                let object = self.list.as_ptr().cast::<ffi::PyVarObject>();
                (*object).ob_size -= self.left as ffi::Py_ssize_t;
            }
        }
        self.list
    }
}

/// A dict being filled.
pub struct NewDict {
    dict: Obj,
    left: usize,
}

impl NewDict {
    /// A dict that will get `length` pairs. It grows as CPython grows it: a dict made with room
    /// ahead gets the wider table for any kind of key, which is larger and slower to fill (twitter:
    /// 17 % more instructions for a whole `loads`).
    ///
    /// # Errors
    /// No memory.
    #[inline]
    pub fn new(py: Python<'_>, length: usize) -> PyResult<Self> {
        // SAFETY: attached (`py`); a new reference or NULL.
        let dict = unsafe { Obj::from_new(ffi::PyDict_New()) }.ok_or_else(|| PyErr::fetch(py))?;
        Ok(Self { dict, left: length })
    }

    /// Pairs still to come.
    #[inline]
    #[must_use]
    pub fn left(&self) -> usize {
        self.left
    }

    /// Adds a pair; a later pair with the same key replaces the value.
    ///
    /// # Errors
    /// No memory.
    #[inline]
    pub fn insert(&mut self, py: Python<'_>, key: &Obj, value: Obj) -> PyResult<()> {
        self.left = self.left.saturating_sub(1);
        // SAFETY: attached (`py`); an exact dict, two live objects. The key is an exact str, so no
        // user code runs.
        let status =
            unsafe { ffi::PyDict_SetItem(self.dict.as_ptr(), key.as_ptr(), value.as_ptr()) };
        if status < 0 {
            Err(PyErr::fetch(py))
        } else {
            Ok(())
        }
    }

    /// Adds a pair unless its key is there.
    ///
    /// # Errors
    /// No memory.
    pub fn insert_first(&mut self, py: Python<'_>, key: &Obj, value: Obj) -> PyResult<()> {
        self.left = self.left.saturating_sub(1);
        // SAFETY: as in `insert`; the result is borrowed.
        let found =
            unsafe { ffi::PyDict_SetDefault(self.dict.as_ptr(), key.as_ptr(), value.as_ptr()) };
        if found.is_null() {
            Err(PyErr::fetch(py))
        } else {
            Ok(())
        }
    }

    /// The dict.
    #[inline]
    #[must_use]
    pub fn finish(self) -> Obj {
        self.dict
    }
}

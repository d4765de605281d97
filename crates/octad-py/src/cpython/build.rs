//! Making lists and dicts of a known size, item by item.
//!
//! The one place where each kind of container is made, so that a faster way (shared key tables)
//! has one place to go. While these exist no user code runs and collection is held off (`gc.rs`,
//! unless a setting lets it run: the collector copes with empty slots); dropped half filled they free
//! what they hold.

use core::ptr;

use pyo3::ffi;
use pyo3::prelude::*;

use super::Obj;

/// A list being filled.
pub struct NewList {
    list: Obj,
    next: *mut *mut ffi::PyObject,
    left: usize,
    hidden: bool,
}

impl NewList {
    /// A list of exactly `length` items. None: no memory, an exception is set.
    #[inline]
    pub fn new(_py: Python<'_>, length: usize) -> Option<Self> {
        // SAFETY: attached (`_py`); a new reference or NULL.
        let list = unsafe { Obj::from_new(ffi::PyList_New(length as ffi::Py_ssize_t)) }?;
        // SAFETY: an exact list; `ob_item` points to `length` slots (NULL when there are none, and
        // then `left` is 0 and it is never used).
        let next = unsafe { (*list.as_ptr().cast::<ffi::PyListObject>()).ob_item };
        Some(Self {
            list,
            next,
            left: length,
            hidden: false,
        })
    }

    /// Keeps it from the collector, and from everybody who asks that for objects, until it is
    /// filled.
    #[inline]
    pub fn hide(&mut self) {
        // SAFETY: a live list.
        unsafe { ffi::PyObject_GC_UnTrack(self.list.as_ptr().cast()) };
        self.hidden = true;
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
        if self.hidden {
            // SAFETY: a live list that is not tracked.
            unsafe { ffi::PyObject_GC_Track(self.list.as_ptr().cast()) };
        }
        self.list
    }
}

/// From more pairs than this on a dict is made with room ahead.
const NARROW: usize = 8;
/// More keys than this are not names of fields but data.
const NAMES: usize = 64;
/// No more than this is reserved ahead: equal keys may leave it unused.
const LARGEST_TABLE: usize = 1 << 16;

#[cfg(not(Py_3_14))]
unsafe extern "C" {
    fn _PyDict_NewPresized(used: ffi::Py_ssize_t) -> *mut ffi::PyObject;
}

/// A new dict for `length` pairs.
///
/// # Safety
/// The thread is attached.
#[inline]
unsafe fn new_dict(length: usize) -> *mut ffi::PyObject {
    #[cfg(not(Py_3_14))]
    if length > NARROW {
        let room = length.min(LARGEST_TABLE) as ffi::Py_ssize_t;
        // SAFETY: the caller is attached; exported by CPython up to 3.13, with this signature.
        return unsafe { _PyDict_NewPresized(room) };
    }
    // SAFETY: the caller is attached.
    unsafe { ffi::PyDict_New() }
}

/// A dict being filled.
pub struct NewDict {
    dict: Obj,
    left: usize,
    wide: bool,
}

impl NewDict {
    /// A dict that will get `length` pairs. None: no memory, an exception is set.
    ///
    /// A wide one is made with room for all of them. CPython then takes its table for any kind of
    /// key, which is larger by half than the one for str keys, but growing through three tables
    /// costs more: twitter loads in 13.1 million instructions without and 12.2 with.
    #[inline]
    pub fn new(_py: Python<'_>, length: usize) -> Option<Self> {
        // SAFETY: attached (`_py`); a new reference or NULL.
        let dict = unsafe { Obj::from_new(new_dict(length)) }?;
        Some(Self {
            dict,
            left: length,
            wide: length > NAMES,
        })
    }

    /// Pairs still to come.
    #[inline]
    #[must_use]
    pub fn left(&self) -> usize {
        self.left
    }

    /// It was made for so many pairs that its keys are no names of fields.
    #[inline]
    #[must_use]
    pub fn is_wide(&self) -> bool {
        self.wide
    }

    /// Adds a pair; a later pair with the same key replaces the value. None: no memory, an exception
    /// is set.
    #[inline]
    pub fn insert(&mut self, _py: Python<'_>, key: &Obj, value: Obj) -> Option<()> {
        self.left = self.left.saturating_sub(1);
        // SAFETY: attached (`_py`); an exact dict, two live objects. The key is an exact str, so no
        // user code runs.
        let status =
            unsafe { ffi::PyDict_SetItem(self.dict.as_ptr(), key.as_ptr(), value.as_ptr()) };
        (status >= 0).then_some(())
    }

    /// Adds a pair unless its key is there. None: no memory, an exception is set.
    pub fn insert_first(&mut self, _py: Python<'_>, key: &Obj, value: Obj) -> Option<()> {
        self.left = self.left.saturating_sub(1);
        // SAFETY: as in `insert`; the result is borrowed.
        let found =
            unsafe { ffi::PyDict_SetDefault(self.dict.as_ptr(), key.as_ptr(), value.as_ptr()) };
        (!found.is_null()).then_some(())
    }

    /// Pairs that it has.
    #[inline]
    #[must_use]
    pub fn len(&self, _py: Python<'_>) -> usize {
        // SAFETY: attached (`_py`); an exact dict.
        unsafe { ffi::PyDict_Size(self.dict.as_ptr()) as usize }
    }

    /// The dict.
    #[inline]
    #[must_use]
    pub fn finish(self) -> Obj {
        self.dict
    }
}

//! A text that grows inside the bytes object which becomes the result.
//!
//! A short text is written to memory that its thread keeps, and copied once. One that outgrows it
//! moves to a bytes object that nobody has seen yet, grows there, and is cut to its length at the
//! end. All by public calls; only the place of the characters is taken from the object's struct.
//! A document is written with the interpreter released: who needs its memory attaches for that.

use core::cell::Cell;
use core::ffi::c_int;
use core::mem::offset_of;
use core::ptr::{self, NonNull};
use std::alloc::{Layout, handle_alloc_error};

use octad_core::sink::{Home, OutBuf, Place};
use pyo3::ffi;
use pyo3::prelude::*;

use super::Obj;

unsafe extern "C" {
    /// Cuts or widens a bytes object that has one reference; leaves NULL and an exception where
    /// there is no memory.
    fn _PyBytes_Resize(object: *mut *mut ffi::PyObject, size: ffi::Py_ssize_t) -> c_int;
}

/// From the address of a bytes object to its characters.
const HEAD: usize = offset_of!(ffi::PyBytesObject, ob_sval);

/// Texts up to this length are copied; the memory for them is kept by the thread.
const SHORT: usize = 4 << 10;

/// A larger expectation is not kept from one text to the next.
const LARGEST_EXPECTED: usize = 64 << 20;

thread_local! {
    /// The length of the last text that was not short: the next one is often like it.
    static EXPECTED: Cell<usize> = const { Cell::new(0) };
}

/// The memory for short texts.
#[derive(Default)]
pub struct Short(Vec<u8>);

static KEPT: Home = Home {
    grow: leave_kept,
    free: free_kept,
};

static BYTES: Home = Home {
    grow: grow_bytes,
    free: free_bytes,
};

impl Short {
    /// Runs `write` on an empty output that may grow by `limit` bytes; what it wrote is the result.
    /// None, where memory is short: an exception is set.
    ///
    /// # Errors
    /// What `write` fails with.
    #[inline]
    pub fn bytes<E>(
        &mut self,
        py: Python<'_>,
        limit: Option<u64>,
        write: impl FnOnce(&mut OutBuf) -> Result<(), E>,
    ) -> Result<Option<Obj>, E> {
        if self.0.capacity() == 0 {
            self.0.reserve_exact(SHORT);
        }
        let capacity = self.0.capacity();
        // SAFETY: the pointer of a vector is never null; nobody else touches its capacity while
        // `self` is borrowed, and `KEPT` does not free it. The output stays on this thread, and is
        // dropped while it is attached.
        let mut out = unsafe {
            let place = NonNull::new_unchecked(self.0.as_mut_ptr());
            OutBuf::from_raw(&KEPT, place, 0, capacity, limit)
        };
        write(&mut out)?;
        if !ptr::eq(out.home(), &BYTES) {
            return Ok(copied(py, out.as_slice()));
        }
        EXPECTED.set(out.len().min(LARGEST_EXPECTED));
        let (_, place, length, _) = out.into_raw();
        // SAFETY: attached (`py`); a bytes object that only this function knows. On failure
        // `_PyBytes_Resize` frees it and leaves NULL.
        Ok(unsafe {
            let mut object = object_of(place);
            _PyBytes_Resize(&raw mut object, length as ffi::Py_ssize_t);
            Obj::from_new(object)
        })
    }
}

#[inline]
fn copied(_py: Python<'_>, text: &[u8]) -> Option<Obj> {
    // SAFETY: attached (`_py`); pointer and length of one slice; a new reference or NULL.
    unsafe {
        Obj::from_new(ffi::PyBytes_FromStringAndSize(
            text.as_ptr().cast(),
            text.len() as ffi::Py_ssize_t,
        ))
    }
}

/// # Safety
/// `place` is where the characters of a bytes object stand.
unsafe fn object_of(place: NonNull<u8>) -> *mut ffi::PyObject {
    // SAFETY: the head of the object stands before them.
    unsafe { place.as_ptr().sub(HEAD).cast() }
}

/// # Safety
/// As [`Home::grow`] says.
unsafe fn leave_kept(place: NonNull<u8>, length: usize, _capacity: usize, wanted: usize) -> Place {
    let expected = EXPECTED.get();
    let wanted = wanted.max(expected + expected / 16 + 64);
    let Ok(size) = ffi::Py_ssize_t::try_from(wanted) else {
        out_of_memory(wanted);
    };
    // SAFETY: within a call, so there is an interpreter to attach to, which may be shutting down; a
    // new object with room for `wanted` characters, more than `length`, in memory of its own.
    unsafe {
        let object =
            Python::attach_unchecked(|_| ffi::PyBytes_FromStringAndSize(ptr::null(), size));
        let Some(object) = NonNull::new(object) else {
            out_of_memory(wanted);
        };
        let into = object.cast::<u8>().add(HEAD);
        ptr::copy_nonoverlapping(place.as_ptr(), into.as_ptr(), length);
        (&BYTES, into, wanted)
    }
}

/// # Safety
/// As [`Home::grow`] says.
unsafe fn grow_bytes(place: NonNull<u8>, _length: usize, _capacity: usize, wanted: usize) -> Place {
    let Ok(size) = ffi::Py_ssize_t::try_from(wanted) else {
        out_of_memory(wanted);
    };
    // SAFETY: attached as in `leave_kept`; an object with one reference that nobody else knows.
    unsafe {
        let mut object = object_of(place);
        Python::attach_unchecked(|_| _PyBytes_Resize(&raw mut object, size));
        let Some(object) = NonNull::new(object) else {
            out_of_memory(wanted);
        };
        (&BYTES, object.cast::<u8>().add(HEAD), wanted)
    }
}

/// As a vector does where there is no memory.
#[cold]
fn out_of_memory(size: usize) -> ! {
    let layout = Layout::array::<u8>(size.min(isize::MAX as usize));
    handle_alloc_error(layout.unwrap_or(Layout::new::<u8>()))
}

/// # Safety
/// The place belongs to a [`Short`].
unsafe fn free_kept(_place: NonNull<u8>, _capacity: usize) {}

/// # Safety
/// As [`Home::free`] says, on a thread that is attached.
unsafe fn free_bytes(place: NonNull<u8>, _capacity: usize) {
    // SAFETY: the one reference to an object whose characters nobody reads any more.
    drop(unsafe { Obj::from_new(object_of(place)) });
}

//! Bytes of Python objects: borrowed where they cannot change, copied where they can.

use core::ptr;
use core::slice;
use std::sync::Arc;

use octad_core::doc::Bytes;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// The bytes of an immutable Python object, kept alive by it.
struct Kept {
    _object: Py<PyAny>,
    data: *const u8,
    length: usize,
}

// SAFETY: the bytes are those of an immutable object (or a map that the user vouches for), which
// lives as long as `_object`; reading them needs no interpreter. Dropping `Py` is safe on any thread.
unsafe impl Send for Kept {}
// SAFETY: as above; only shared reading is offered.
unsafe impl Sync for Kept {}

impl AsRef<[u8]> for Kept {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        // SAFETY: see the type: `data` and `length` are of `_object`, alive and unchanging.
        unsafe { slice::from_raw_parts(self.data, self.length) }
    }
}

/// The bytes of a `bytes` object, shared without a copy.
#[must_use]
pub fn share_bytes(bytes: &Bound<'_, PyBytes>) -> Bytes {
    let data = bytes.as_bytes();
    Arc::new(Kept {
        data: data.as_ptr(),
        length: data.len(),
        _object: bytes.clone().into_any().unbind(),
    })
}

/// The text of an ASCII `str`, shared without a copy; `None` for any other.
#[must_use]
pub fn share_ascii(text: &Bound<'_, PyString>) -> Option<Bytes> {
    let data = ascii_of(text)?;
    Some(Arc::new(Kept {
        data: data.as_ptr(),
        length: data.len(),
        _object: text.clone().into_any().unbind(),
    }))
}

/// The characters of an ASCII `str`; `None` for any other.
#[inline]
#[must_use]
pub fn ascii_of<'a>(text: &'a Bound<'_, PyString>) -> Option<&'a [u8]> {
    let object = text.as_ptr();
    // SAFETY: a str object; a compact ASCII one has `length` bytes behind its header, and it cannot
    // change or die while `text` is borrowed.
    unsafe {
        if ffi::PyUnicode_IS_COMPACT_ASCII(object) == 0 {
            return None;
        }
        let data = object.cast::<u8>().add(size_of::<ffi::PyASCIIObject>());
        Some(slice::from_raw_parts(
            data,
            ffi::PyUnicode_GET_LENGTH(object) as usize,
        ))
    }
}

/// A copy of what any object with the buffer protocol holds, in C order.
///
/// # Errors
/// `TypeError` or `BufferError` of the object.
pub fn copy_buffer(object: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    let view = View::new(object, ffi::PyBUF_FULL_RO)?;
    let mut copy = vec![0; view.0.len as usize];
    // SAFETY: attached; `copy` has the length that the view says it has.
    let status = unsafe {
        ffi::PyBuffer_ToContiguous(
            copy.as_mut_ptr().cast(),
            ptr::from_ref(&*view.0).cast_mut(),
            view.0.len,
            b'C' as core::ffi::c_char,
        )
    };
    if status < 0 {
        Err(PyErr::fetch(object.py()))
    } else {
        Ok(copy)
    }
}

/// A buffer asked for, given back when dropped.
struct View(Box<ffi::Py_buffer>);

impl View {
    fn new(object: &Bound<'_, PyAny>, flags: core::ffi::c_int) -> PyResult<Self> {
        let mut view = Box::new(ffi::Py_buffer::new());
        // SAFETY: attached; `view` is writable and is filled or left empty.
        let status = unsafe { ffi::PyObject_GetBuffer(object.as_ptr(), &raw mut *view, flags) };
        if status < 0 {
            Err(PyErr::fetch(object.py()))
        } else {
            Ok(Self(view))
        }
    }
}

impl Drop for View {
    fn drop(&mut self) {
        // SAFETY: filled by PyObject_GetBuffer; views are made and dropped while attached.
        unsafe { ffi::PyBuffer_Release(&raw mut *self.0) };
    }
}

/// The exported buffer of a memory map, given back when the last document is gone.
struct Mapped(Option<View>);

// SAFETY: the buffer is read only, and its release (see `drop`) attaches to the interpreter first.
unsafe impl Send for Mapped {}
// SAFETY: as above; only shared reading is offered.
unsafe impl Sync for Mapped {}

impl AsRef<[u8]> for Mapped {
    fn as_ref(&self) -> &[u8] {
        match &self.0 {
            // SAFETY: a contiguous buffer (asked for as such) of `len` bytes, exported as long as
            // the view lives, so the map cannot be closed underneath.
            Some(view) => unsafe {
                slice::from_raw_parts(view.0.buf.cast::<u8>(), view.0.len as usize)
            },
            None => &[],
        }
    }
}

impl Drop for Mapped {
    fn drop(&mut self) {
        let view = self.0.take();
        Python::attach(|_py| drop(view));
    }
}

/// The bytes of a read-only memory map, shared without a copy. That nobody changes or truncates the
/// file is the user's promise.
///
/// # Errors
/// `TypeError` or `BufferError` of the object.
pub fn share_map(map: &Bound<'_, PyAny>) -> PyResult<Bytes> {
    Ok(Arc::new(Mapped(Some(View::new(map, ffi::PyBUF_SIMPLE)?))))
}

//! Reading a str in the form CPython keeps it in: ASCII, Latin-1, UCS-2 or UCS-4, never a copy.
//!
//! The cached UTF-8 is used where somebody has filled it, and never filled here.

use core::slice;

use octad_core::sink::Chars;
use pyo3::ffi;

use super::borrow::Item;

impl<'q> Item<'q> {
    /// The characters, if the object is a str (or of a subclass).
    #[inline]
    pub fn chars(self) -> Option<Chars<'q>> {
        // SAFETY: an `Item` is a live object on an attached thread.
        if unsafe { ffi::PyUnicode_Check(self.as_ptr()) } == 0 {
            return None;
        }
        // SAFETY: just checked.
        Some(unsafe { self.chars_unchecked() })
    }

    /// The characters, if all are ASCII and stand right behind the head.
    ///
    /// # Safety
    /// The object is a str or of a subclass.
    #[inline(always)]
    pub(super) unsafe fn ascii_unchecked(self) -> Option<&'q [u8]> {
        let text = self.as_ptr();
        // SAFETY: a str begins with this head; in the compact form of ASCII (which is always
        // ready) `length` bytes stand behind it, immutable and alive as long as the object.
        unsafe {
            if ffi::PyUnicode_IS_COMPACT_ASCII(text) == 0 {
                return None;
            }
            let head = text.cast::<ffi::PyASCIIObject>();
            let data = head.add(1).cast::<u8>();
            Some(slice::from_raw_parts(data, (*head).length as usize))
        }
    }

    /// The characters of an object that [`Item::exact`] called a str.
    ///
    /// # Safety
    /// The object is a str or of a subclass.
    #[inline]
    pub(super) unsafe fn chars_unchecked(self) -> Chars<'q> {
        let text = self.as_ptr();
        // SAFETY: a str begins with this header; kind and length describe the data behind it, which
        // lives and stays as it is as long as the object, since a str is immutable.
        unsafe {
            #[cfg(not(Py_3_12))]
            if ffi::PyUnicode_IS_READY(text) == 0 && ffi::PyUnicode_READY(text) != 0 {
                // Out of memory for a str made by an API that 3.12 removed: nothing to read.
                ffi::PyErr_Clear();
                return Chars::Ascii(&[]);
            }
            if let Some(bytes) = self.ascii_unchecked() {
                return Chars::Ascii(bytes);
            }
            wide(text, (*text.cast::<ffi::PyASCIIObject>()).length as usize)
        }
    }
}

/// # Safety
/// `text` is a ready str of `length` characters that lives for `'q`.
#[inline]
unsafe fn wide<'q>(text: *mut ffi::PyObject, length: usize) -> Chars<'q> {
    // SAFETY: as for the caller; a cached UTF-8 text is as immutable as the str it belongs to.
    unsafe {
        let data = ffi::PyUnicode_DATA(text);
        if ffi::PyUnicode_IS_ASCII(text) != 0 {
            return Chars::Ascii(slice::from_raw_parts(data.cast(), length));
        }
        let compact = &*text.cast::<ffi::PyCompactUnicodeObject>();
        if !compact.utf8.is_null() {
            let bytes = slice::from_raw_parts(compact.utf8.cast(), compact.utf8_length as usize);
            return Chars::Utf8(core::str::from_utf8_unchecked(bytes));
        }
        match ffi::PyUnicode_KIND(text) {
            ffi::PyUnicode_1BYTE_KIND => Chars::Latin1(slice::from_raw_parts(data.cast(), length)),
            ffi::PyUnicode_2BYTE_KIND => Chars::Ucs2(slice::from_raw_parts(data.cast(), length)),
            _ => Chars::Ucs4(slice::from_raw_parts(data.cast(), length)),
        }
    }
}

//! Making Python strings from bytes: one place, by the three ways there are.
//!
//! The caller's promise "this is ASCII" only chooses the first way to try: bytes are checked while
//! they are copied, so a wrong promise costs time and never a broken string.

use core::mem::MaybeUninit;
use core::ptr;

use octad_core::scan::{self, MaxChar};
use pyo3::ffi;
use pyo3::prelude::*;

use super::Obj;

/// A string of bytes that should be ASCII; others are read as UTF-8.
/// None: no memory, an exception is set.
#[inline]
pub fn ascii(py: Python<'_>, bytes: &[u8]) -> Option<Obj> {
    if bytes.len() < 2 {
        return tiny(py, bytes);
    }
    // SAFETY: attached (`py`); a compact ASCII string of `len` has room for `len` bytes behind its
    // header, and nobody else has seen it yet.
    unsafe {
        let object = ffi::PyUnicode_New(bytes.len() as ffi::Py_ssize_t, 0x7f);
        let made = Obj::from_new(object)?;
        let data = object.cast::<u8>().add(ASCII_HEADER);
        if copy_ascii(bytes, data) {
            return Some(made);
        }
        // Not ASCII after all: the half-made string dies unseen.
        ptr::write_bytes(data, b'?', bytes.len());
    }
    utf8(py, bytes)
}

/// The bytes before the characters of a compact ASCII string.
const ASCII_HEADER: usize = size_of::<ffi::PyASCIIObject>();

/// Copies and answers whether all bytes were ASCII.
///
/// # Safety
/// There are at least two bytes, and `to` has room for them.
#[inline]
unsafe fn copy_ascii(bytes: &[u8], to: *mut u8) -> bool {
    // Short strings are the rule: words, the last one overlapping, are quicker than a call of
    // memcpy, and tell on the way whether a byte is above 0x7F.
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let length = bytes.len();
    if length < 8 {
        // SAFETY: two overlapping halves of `length` bytes on both sides, at least two in all.
        return unsafe {
            if length >= 4 {
                let (first, last) = (bytes.as_ptr(), bytes.as_ptr().add(length - 4));
                let (low, high) = (
                    first.cast::<u32>().read_unaligned(),
                    last.cast::<u32>().read_unaligned(),
                );
                to.cast::<u32>().write_unaligned(low);
                to.add(length - 4).cast::<u32>().write_unaligned(high);
                (low | high) & HIGH as u32 == 0
            } else {
                let (first, last) = (bytes.as_ptr(), bytes.as_ptr().add(length - 2));
                let (low, high) = (
                    first.cast::<u16>().read_unaligned(),
                    last.cast::<u16>().read_unaligned(),
                );
                to.cast::<u16>().write_unaligned(low);
                to.add(length - 2).cast::<u16>().write_unaligned(high);
                (low | high) & HIGH as u16 == 0
            }
        };
    }
    if length > 64 {
        // SAFETY: the caller has room for `length` bytes; the two cannot overlap.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), to, length) };
        return bytes.is_ascii();
    }
    let mut all = 0;
    let mut place = 0;
    while place + 8 <= length {
        // SAFETY: `place + 8` <= `length` on both sides.
        unsafe {
            let word = bytes.as_ptr().add(place).cast::<u64>().read_unaligned();
            all |= word;
            to.add(place).cast::<u64>().write_unaligned(word);
        }
        place += 8;
    }
    // SAFETY: `length` >= 8, so the last eight bytes exist on both sides.
    unsafe {
        let word = bytes
            .as_ptr()
            .add(length - 8)
            .cast::<u64>()
            .read_unaligned();
        all |= word;
        to.add(length - 8).cast::<u64>().write_unaligned(word);
    }
    all & HIGH == 0
}

/// The empty string and single characters, which CPython shares.
#[cold]
fn tiny(_py: Python<'_>, bytes: &[u8]) -> Option<Obj> {
    // SAFETY: attached (`py`); pointer and length are of one slice.
    let object = unsafe {
        ffi::PyUnicode_DecodeUTF8(
            bytes.as_ptr().cast(),
            bytes.len() as ffi::Py_ssize_t,
            c"surrogatepass".as_ptr(),
        )
    };
    // SAFETY: a new reference or NULL.
    unsafe { Obj::from_new(object) }
}

/// A string of UTF-8, or of WTF-8 where lone surrogates are kept.
/// None: an exception is set, `UnicodeDecodeError` for any other bytes or no memory.
pub fn utf8(py: Python<'_>, bytes: &[u8]) -> Option<Obj> {
    match scan::ValidText::check(bytes) {
        Ok(valid) => text(py, valid.as_str()),
        Err(_) => tiny(py, bytes),
    }
}

/// A string of a text. None: no memory, an exception is set.
pub fn text(py: Python<'_>, text: &str) -> Option<Obj> {
    let width = scan::measure(text);
    if width.chars < 2 {
        return tiny(py, text.as_bytes());
    }
    let limit = match width.max {
        MaxChar::Ascii => return ascii(py, text.as_bytes()),
        MaxChar::Latin1 => 0xff,
        MaxChar::Ucs2 => 0xffff,
        MaxChar::Ucs4 => 0x10_ffff,
    };
    // SAFETY: attached (`py`); the string is new and unseen, has `chars` units of the width that
    // `limit` asks for right behind its header.
    unsafe {
        let object = ffi::PyUnicode_New(width.chars as ffi::Py_ssize_t, limit);
        let made = Obj::from_new(object)?;
        let data = object
            .cast::<u8>()
            .add(size_of::<ffi::PyCompactUnicodeObject>());
        match width.max {
            MaxChar::Latin1 | MaxChar::Ascii => fill(text, data, width.chars),
            MaxChar::Ucs2 => fill(text, data.cast::<u16>(), width.chars),
            MaxChar::Ucs4 => fill(text, data.cast::<u32>(), width.chars),
        }
        Some(made)
    }
}

/// Writes the characters of a text, `count` of them, into fresh memory.
///
/// # Safety
/// `data` has room for `count` units, aligned, seen by nobody else.
#[inline(always)]
unsafe fn fill<U: scan::Unit>(text: &str, data: *mut U, count: usize) {
    // SAFETY: room for `count` units by the caller; any bytes are a fresh unit, and zeros a written
    // one (an integer), which they become where a text were shorter than it was measured.
    unsafe {
        let units = core::slice::from_raw_parts_mut(data.cast::<MaybeUninit<U>>(), count);
        if !scan::fill(text, units) {
            ptr::write_bytes(data, 0, count);
        }
    }
}

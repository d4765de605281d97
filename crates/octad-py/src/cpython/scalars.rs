//! Reading int, float and bytes objects in place.
//!
//! An int is a sign and digits of 30 bits, least significant first. Since 3.12 sign and count share
//! one word; both layouts are spelled out here and checked against the interpreter when the module
//! is loaded.

use core::slice;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;

use super::borrow::Item;

/// The bits of one digit.
const SHIFT: u32 = 30;

#[repr(C)]
struct LongObject {
    #[cfg(not(Py_3_12))]
    head: ffi::PyVarObject,
    #[cfg(Py_3_12)]
    head: ffi::PyObject,
    #[cfg(Py_3_12)]
    tag: usize,
    digits: [u32; 1],
}

/// An int that does not fit 64 bits.
#[derive(Clone, Copy, Debug)]
pub struct BigInt<'q> {
    /// Below zero.
    pub negative: bool,
    /// Digits of 30 bits, least significant first.
    pub digits: &'q [u32],
}

/// An int.
#[derive(Clone, Copy, Debug)]
pub enum Int<'q> {
    /// In the signed range.
    I64(i64),
    /// Above it.
    U64(u64),
    /// Beyond both.
    Big(BigInt<'q>),
}

impl<'q> Item<'q> {
    /// The number, if the object is an int (or of a subclass, so bool too).
    #[inline]
    pub fn int(self) -> Option<Int<'q>> {
        // SAFETY: an `Item` is a live object on an attached thread.
        if unsafe { ffi::PyLong_Check(self.as_ptr()) } == 0 {
            return None;
        }
        // SAFETY: just checked.
        Some(unsafe { self.int_unchecked() })
    }

    /// # Safety
    /// The object is an int or of a subclass.
    pub(super) unsafe fn int_unchecked(self) -> Int<'q> {
        let object = self.as_ptr().cast::<LongObject>();
        // SAFETY: the layout is that of the interpreter this is compiled for, and `count` digits
        // stand behind the head for as long as the immutable object lives.
        let (negative, digits) = unsafe {
            #[cfg(not(Py_3_12))]
            let (negative, count) = {
                let size = (*object).head.ob_size;
                (size < 0, size.unsigned_abs())
            };
            #[cfg(Py_3_12)]
            let (negative, count) = {
                let tag = (*object).tag;
                (tag & 3 == 2, tag >> 3)
            };
            let data = (&raw const (*object).digits).cast::<u32>();
            (negative, slice::from_raw_parts(data, count))
        };
        let magnitude = match *digits {
            [] => 0,
            [low] => u64::from(low),
            [low, high] => u64::from(low) | u64::from(high) << SHIFT,
            [low, high, top] if top < 16 => {
                u64::from(low) | u64::from(high) << SHIFT | u64::from(top) << (2 * SHIFT)
            }
            _ => return Int::Big(BigInt { negative, digits }),
        };
        match (negative, i64::try_from(magnitude)) {
            (false, Ok(value)) => Int::I64(value),
            (true, Ok(value)) => Int::I64(-value),
            (false, Err(_)) => Int::U64(magnitude),
            (true, Err(_)) if magnitude == 1 << 63 => Int::I64(i64::MIN),
            (true, Err(_)) => Int::Big(BigInt { negative, digits }),
        }
    }

    /// The number, if it has at most two digits.
    ///
    /// # Safety
    /// The object is an int or of a subclass.
    #[inline(always)]
    pub(super) unsafe fn small_int_unchecked(self) -> Option<i64> {
        let object = self.as_ptr().cast::<LongObject>();
        // SAFETY: the layout is that of the interpreter this is compiled for. An int has room for
        // one digit at least, and for the second where its count says so.
        unsafe {
            #[cfg(not(Py_3_12))]
            let (sign, count) = {
                let size = (*object).head.ob_size as i64;
                (size.signum(), size.unsigned_abs() as usize)
            };
            #[cfg(Py_3_12)]
            let (sign, count) = {
                let tag = (*object).tag;
                (1 - (tag & 3) as i64, tag >> 3)
            };
            let digits = (&raw const (*object).digits).cast::<u32>();
            let low = i64::from(*digits);
            match count {
                // The digit of zero is zero.
                0 | 1 => Some(sign * low),
                2 => Some(sign * (low | i64::from(*digits.add(1)) << SHIFT)),
                _ => None,
            }
        }
    }

    /// The number, if the object is a float (or of a subclass).
    #[inline]
    pub fn float(self) -> Option<f64> {
        // SAFETY: an `Item` is a live object on an attached thread.
        if unsafe { ffi::PyFloat_Check(self.as_ptr()) } == 0 {
            return None;
        }
        // SAFETY: just checked.
        Some(unsafe { self.float_unchecked() })
    }

    /// # Safety
    /// The object is a float or of a subclass.
    #[inline(always)]
    pub(super) unsafe fn float_unchecked(self) -> f64 {
        // SAFETY: the caller vouches for the type.
        unsafe { ffi::PyFloat_AS_DOUBLE(self.as_ptr()) }
    }

    /// The bytes, if the object is a bytes object (or of a subclass).
    pub fn bytes(self) -> Option<&'q [u8]> {
        let object = self.as_ptr();
        // SAFETY: an `Item` is a live object on an attached thread; the data of a bytes object is
        // immutable and lives as long as the object.
        unsafe {
            if ffi::PyBytes_Check(object) == 0 {
                return None;
            }
            let length = ffi::Py_SIZE(object) as usize;
            Some(slice::from_raw_parts(
                ffi::PyBytes_AsString(object).cast(),
                length,
            ))
        }
    }
}

/// Overwrites part of a bytearray.
pub fn fill_bytearray(buffer: &Bound<'_, PyByteArray>, offset: usize, data: &[u8]) {
    // SAFETY: no Python code runs while the slice is held, so nothing resizes the buffer.
    let bytes = unsafe { buffer.as_bytes_mut() };
    if let Some(part) = bytes
        .get_mut(offset..)
        .and_then(|rest| rest.get_mut(..data.len()))
    {
        part.copy_from_slice(data);
    }
}

/// Compares the layout of ints with what the public API says; an interpreter that differs is
/// refused when the module is loaded.
pub fn check_int_layout(py: Python<'_>) -> PyResult<()> {
    let samples: [i64; 9] = [
        0,
        1,
        -1,
        7,
        (1 << 30) - 1,
        1 << 30,
        -(1 << 45),
        1 << 60,
        i64::MIN,
    ];
    for value in samples {
        let object = value.into_pyobject(py)?.into_any();
        let object = super::Obj::take(object);
        // SAFETY: made from an integer two lines above.
        let small = unsafe { object.item().small_int_unchecked() };
        match object.item().int() {
            Some(Int::I64(seen)) if seen == value && small.is_none_or(|small| small == value) => {}
            _ => {
                return Err(pyo3::exceptions::PyImportError::new_err(
                    "octad was built for another layout of integers than this Python has",
                ));
            }
        }
    }
    Ok(())
}

//! The shortest decimal digits of a double, appended to a vector.
//!
//! Knows zmij and the end of a vector. The digits are made where they are to stand: a buffer on the
//! stack and a copy of it would wait for the stores of its pieces.

use core::mem::{align_of, size_of};

use super::Output;

/// A buffer of zmij, which is bytes.
const SIZE: usize = size_of::<zmij::Buffer>();
const _: () = assert!(align_of::<zmij::Buffer>() == 1);

/// Appends a finite double in zmij's spelling: positional from 1e-5 to below 1e16 (`1.0`,
/// `0.00001`), else with an exponent (`1e+16`, `1.5e-7`).
#[inline]
pub fn append_shortest(value: f64, out: &mut impl Output) {
    let written = place(value, out);
    // SAFETY: as many bytes as were written there.
    unsafe { out.advance(written) };
}

/// Appends a finite double as [`append_shortest`] does, without the `.0` of a whole number.
#[inline]
pub fn append_integral(value: f64, out: &mut impl Output) {
    let into = out.room(ROOM);
    let written = place(value, out);
    // SAFETY: the room above is still there, and a number has at least three bytes (`0.0`).
    unsafe {
        let whole = into.add(written - 2).cast::<[u8; 2]>().read() == *b".0";
        out.advance(written - 2 * usize::from(whole));
    }
}

/// Appends a finite double as [`append_shortest`] does, and one byte behind it.
#[inline]
pub fn append_with(value: f64, behind: u8, out: &mut impl Output) {
    let into = out.room(ROOM);
    let written = place(value, out);
    // SAFETY: the room above is still there, with one byte more than a number takes.
    unsafe {
        into.add(written).write(behind);
        out.advance(written + 1);
    }
}

/// Room for a number and a byte behind it.
const ROOM: usize = SIZE + 1;

/// Writes a finite double behind the end, without counting it; returns how many bytes it takes.
#[inline(always)]
fn place(value: f64, out: &mut impl Output) -> usize {
    let into = out.room(ROOM);
    // SAFETY: `ROOM` bytes are writable, fit for a buffer, which may lie at any address. Nothing
    // else refers to them while `buffer` lives.
    let buffer = unsafe {
        let place = into.cast::<zmij::Buffer>();
        place.write(zmij::Buffer::new());
        &mut *place
    };
    let home: *const u8 = (&raw const *buffer).cast();
    let text = buffer.format_finite(value);
    if !core::ptr::eq(text.as_ptr(), home) {
        return copied(value, into);
    }
    text.len()
}

/// For a buffer that does not begin with its text.
#[cold]
fn copied(value: f64, into: *mut u8) -> usize {
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format_finite(value).as_bytes();
    // SAFETY: `place` asked for room for a whole buffer, which the text is a part of.
    unsafe { core::ptr::copy_nonoverlapping(text.as_ptr(), into, text.len()) };
    text.len()
}

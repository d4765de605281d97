//! The shortest decimal digits of a double, appended to a vector.
//!
//! Knows zmij and the end of a vector. The digits are made where they are to stand: a buffer on the
//! stack and a copy of it would wait for the stores of its pieces.

use core::mem::{align_of, size_of};

/// A buffer of zmij, which is bytes.
const SIZE: usize = size_of::<zmij::Buffer>();
const _: () = assert!(align_of::<zmij::Buffer>() == 1);

/// Appends a finite double in zmij's spelling: positional from 1e-5 to below 1e16 (`1.0`,
/// `0.00001`), else with an exponent (`1e+16`, `1.5e-7`). Returns how many bytes.
#[inline]
pub fn append_shortest(value: f64, out: &mut Vec<u8>) -> usize {
    let written = append_with(value, 0, out);
    // The byte behind the text is given back.
    out.truncate(out.len() - 1);
    written
}

/// Appends a finite double as [`append_shortest`] does, and one byte behind it. Returns how many
/// bytes the double took.
#[inline]
pub fn append_with(value: f64, behind: u8, out: &mut Vec<u8>) -> usize {
    out.reserve(SIZE + 1);
    let len = out.len();
    // SAFETY: `SIZE` bytes of spare capacity were reserved, fit for a buffer, which may lie at any
    // address; nothing else refers to them while `buffer` lives.
    let buffer = unsafe {
        let place = out.as_mut_ptr().add(len).cast::<zmij::Buffer>();
        place.write(zmij::Buffer::new());
        &mut *place
    };
    let home: *const u8 = (&raw const *buffer).cast();
    let text = buffer.format_finite(value);
    let (start, written) = (text.as_ptr(), text.len());
    if !core::ptr::eq(start, home) {
        return append_copy(value, behind, out);
    }
    // SAFETY: the text lies at the start of the buffer, that is at the old end of the vector, and
    // its bytes are written; one more was reserved.
    unsafe {
        out.as_mut_ptr().add(len + written).write(behind);
        out.set_len(len + written + 1);
    }
    written
}

/// For a buffer that does not begin with its text.
#[cold]
fn append_copy(value: f64, behind: u8, out: &mut Vec<u8>) -> usize {
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format_finite(value);
    out.extend_from_slice(text.as_bytes());
    out.push(behind);
    text.len()
}

//! The shortest decimal digits of a double, appended to a vector.
//!
//! Knows zmij and the end of a vector. A copy of just the text would branch on its length; the
//! whole buffer is moved into spare capacity instead, and the length is set to that of the text.

use core::mem::{align_of, size_of};

/// A buffer of zmij, which is bytes.
const SIZE: usize = size_of::<zmij::Buffer>();
const _: () = assert!(align_of::<zmij::Buffer>() == 1);

/// Appends a finite double in zmij's spelling: positional from 1e-5 to below 1e16 (`1.0`,
/// `0.00001`), else with an exponent (`1e+16`, `1.5e-7`). Returns how many bytes.
#[inline]
pub fn append_shortest(value: f64, out: &mut Vec<u8>) -> usize {
    out.reserve(SIZE);
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format_finite(value);
    let (start, written) = (text.as_ptr(), text.len());
    if !core::ptr::eq(start, (&raw const buffer).cast()) {
        return append_copy(&mut buffer, value, out);
    }
    let len = out.len();
    // SAFETY: `SIZE` bytes of spare capacity were reserved, fit for a buffer, which may lie at any
    // address.
    unsafe {
        out.as_mut_ptr()
            .add(len)
            .cast::<zmij::Buffer>()
            .write(buffer)
    };
    // SAFETY: the text lies at the start of the buffer and its bytes are written, so they are now
    // at the old end of the vector.
    unsafe { out.set_len(len + written) };
    written
}

/// For a buffer that does not begin with its text.
#[cold]
fn append_copy(buffer: &mut zmij::Buffer, value: f64, out: &mut Vec<u8>) -> usize {
    let text = buffer.format_finite(value);
    out.extend_from_slice(text.as_bytes());
    text.len()
}

//! A quoted text in one piece: quote, text and what follows under one reservation.
//!
//! A writer of JSON spends its time on many short texts, where three capacity checks cost more than
//! the copy. Escapes are the caller's, as with `copy_until_escape`.

use super::{EscapeSet, copy_until_escape};
#[cfg(target_arch = "x86_64")]
use super::{for_set, sse2};

/// Appends a quote, bytes of UTF-8 up to the first that needs an escape and, where none does, the
/// tail. Returns how many of the bytes were consumed.
#[inline(always)]
pub fn push_quoted(bytes: &[u8], tail: [u8; 2], out: &mut Vec<u8>, set: EscapeSet) -> usize {
    #[cfg(target_arch = "x86_64")]
    if bytes.len() <= 64 {
        return for_set!(set, quoted(bytes, tail, out));
    }
    push_long(bytes, tail, out, set)
}

#[inline(never)]
fn push_long(bytes: &[u8], tail: [u8; 2], out: &mut Vec<u8>, set: EscapeSet) -> usize {
    out.reserve(bytes.len() + 32);
    out.push(b'"');
    let copied = copy_until_escape(bytes, out, set);
    if copied == bytes.len() {
        out.extend_from_slice(&tail);
    }
    copied
}

#[cfg(target_arch = "x86_64")]
#[inline]
fn quoted<const CLASS: u8>(bytes: &[u8], tail: [u8; 2], out: &mut Vec<u8>) -> usize {
    out.reserve(bytes.len() + 20);
    let start = out.len();
    // SAFETY: a vector's length never exceeds its capacity, so this points into or just behind it.
    let into = unsafe { out.as_mut_ptr().add(start) };
    // SAFETY: the first of the bytes reserved.
    unsafe { into.write(b'"') };
    // SAFETY: behind the quote `bytes.len() + 19` bytes are reserved, sixteen more than the text.
    let copied = unsafe { sse2::copy_blocks::<CLASS>(bytes, into.add(1)) };
    let mut len = start + 1 + copied;
    if copied == bytes.len() {
        // SAFETY: one quote, the text and two bytes are within the reservation.
        unsafe { into.add(1 + copied).cast::<[u8; 2]>().write(tail) };
        len += 2;
    }
    // SAFETY: everything up to `len` was written, and it lies within the reservation.
    unsafe { out.set_len(len) };
    copied
}

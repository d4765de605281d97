//! Short pieces of output in one go: a quoted text or a whole number, and what follows it.
//!
//! A writer of JSON spends its time on many short texts and numbers, where three capacity checks
//! cost more than the copy. Escapes are the caller's, as with `copy_until_escape`.

use super::{EscapeSet, Output, copy_until_escape, for_set, swar};
#[cfg(target_arch = "x86_64")]
use super::{lanes::Lanes, sse2};

/// Up to this length a text is not worth the call into the widest loop of the processor.
#[cfg(target_arch = "x86_64")]
const INLINE: usize = 160;

/// Appends a quote, bytes of UTF-8 up to the first that needs an escape and, where none does, the
/// tail. Returns how many of the bytes were consumed.
#[inline(always)]
pub fn push_quoted(bytes: &[u8], tail: [u8; 2], out: &mut impl Output, set: EscapeSet) -> usize {
    #[cfg(target_arch = "x86_64")]
    if bytes.len() <= INLINE {
        return for_set!(set, quoted(bytes, tail, out));
    }
    push_long(bytes, tail, out, set)
}

#[inline(never)]
fn push_long(bytes: &[u8], tail: [u8; 2], out: &mut impl Output, set: EscapeSet) -> usize {
    out.push(b'"');
    let copied = copy_until_escape(bytes, out, set);
    if copied == bytes.len() {
        out.extend_from_slice(&tail);
    }
    copied
}

/// Lengths of at least sixteen go in whole blocks, the last of which ends with the text and may
/// overlap the one before; shorter ones in two words that overlap. So nothing is read outside of
/// the text, and there is no loop over single bytes.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn quoted<const CLASS: u8>(bytes: &[u8], tail: [u8; 2], out: &mut impl Output) -> usize {
    let quote = out.room(bytes.len() + 20);
    // SAFETY: of the room, this is the first byte, and those of the text come behind it.
    let into = unsafe {
        quote.write(b'"');
        quote.add(1)
    };
    let len = bytes.len();
    // SAFETY: `len + 19` bytes are writable from `into` on, and every store ends within `len`.
    let copied = unsafe {
        if len >= 16 {
            blocks::<CLASS>(bytes, into)
        } else if let (Some(first), Some(last)) =
            (bytes.first_chunk::<8>(), bytes.last_chunk::<8>())
        {
            into.cast::<[u8; 8]>().write(*first);
            into.add(len - 8).cast::<[u8; 8]>().write(*last);
            in_words::<8>(hits::<CLASS>(first, last), len)
        } else if let (Some(first), Some(last)) =
            (bytes.first_chunk::<4>(), bytes.last_chunk::<4>())
        {
            into.cast::<[u8; 4]>().write(*first);
            into.add(len - 4).cast::<[u8; 4]>().write(*last);
            let word = join(*first, *last);
            in_words::<4>(hits::<CLASS>(&word, &word) & 0xff, len)
        } else {
            sse2::copy_blocks::<CLASS>(bytes, into)
        }
    };
    let mut written = 1 + copied;
    if copied == len {
        // SAFETY: there is room for one quote, the text and two bytes.
        unsafe { into.add(len).cast::<[u8; 2]>().write(tail) };
        written += 2;
    }
    // SAFETY: everything that is counted was written, within the room.
    unsafe { out.advance(written) };
    copied
}

/// Copies sixteen bytes or more up to the first of the class; returns how many.
///
/// # Safety
/// `into` is valid for writes of `bytes.len()` bytes, which are sixteen at least.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn blocks<const CLASS: u8>(bytes: &[u8], into: *mut u8) -> usize {
    let len = bytes.len();
    let from = bytes.as_ptr();
    let mut at = 0;
    // SAFETY: each block lies within the text, and its copy within what may be written; a block is
    // sixteen bytes without alignment.
    unsafe {
        while at + 32 <= len {
            let first = Lanes::load(&*from.add(at).cast::<[u8; 16]>());
            let second = Lanes::load(&*from.add(at + 16).cast::<[u8; 16]>());
            first.store(into.add(at));
            second.store(into.add(at + 16));
            let hits = sse2::hits::<CLASS>(first) | sse2::hits::<CLASS>(second) << 16;
            if hits != 0 {
                return at + hits.trailing_zeros() as usize;
            }
            at += 32;
        }
        if at + 16 > len {
            if at >= len {
                return len;
            }
            at = len - 16;
        }
        loop {
            let block = Lanes::load(&*from.add(at).cast::<[u8; 16]>());
            block.store(into.add(at));
            let hits = sse2::hits::<CLASS>(block);
            if hits != 0 {
                return at + hits.trailing_zeros() as usize;
            }
            at += 16;
            if at + 16 > len {
                if at >= len {
                    return len;
                }
                // Once more, with the block that ends where the text does.
                at = len - 16;
            }
        }
    }
}

/// One bit for each byte of the class, the first word's in the lower eight.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn hits<const CLASS: u8>(first: &[u8; 8], last: &[u8; 8]) -> u32 {
    sse2::hits::<CLASS>(Lanes::pair(
        u64::from_le_bytes(*first),
        u64::from_le_bytes(*last),
    ))
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn join(first: [u8; 4], last: [u8; 4]) -> [u8; 8] {
    let word = u64::from(u32::from_le_bytes(first)) | u64::from(u32::from_le_bytes(last)) << 32;
    word.to_le_bytes()
}

/// Where the first hit is in a text of `len` bytes seen as its first and its last `WORD` bytes.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn in_words<const WORD: usize>(hits: u32, len: usize) -> usize {
    if hits == 0 {
        return len;
    }
    let at = hits.trailing_zeros() as usize;
    if at < WORD { at } else { len + at - 2 * WORD }
}

/// The escape of each ASCII character that may need one, and its length in the last byte.
static ESCAPES: [[u8; 8]; 128] = {
    const DIGITS: [u8; 16] = *b"0123456789abcdef";
    let mut table = [[0; 8]; 128];
    let mut code = 0;
    while code < 128 {
        let letter = match code as u8 {
            b'"' => b'"',
            b'\\' => b'\\',
            0x08 => b'b',
            0x0c => b'f',
            b'\n' => b'n',
            b'\r' => b'r',
            b'\t' => b't',
            _ => 0,
        };
        table[code] = if letter == 0 {
            let (high, low) = (DIGITS[code >> 4], DIGITS[code & 15]);
            [b'\\', b'u', b'0', b'0', high, low, 0, 6]
        } else {
            [b'\\', letter, 0, 0, 0, 0, 0, 2]
        };
        code += 1;
    }
    table
};

/// Appends the escape of a character below 0x80 (of the lower seven bits of others).
#[inline(always)]
pub fn push_escape(code: u8, out: &mut impl Output) {
    let escape = &ESCAPES[usize::from(code & 0x7f)];
    push_block(escape, usize::from(escape[7]), out);
}

/// Appends bytes of UTF-8, the first of which needs an escape, with escapes for those of the set, up
/// to the first byte beyond ASCII at which the set stops; returns how many were consumed.
#[inline(never)]
pub fn push_escaped(bytes: &[u8], out: &mut impl Output, set: EscapeSet) -> usize {
    for_set!(set, escaped(bytes, out))
}

fn escaped<const CLASS: u8>(bytes: &[u8], out: &mut impl Output) -> usize {
    let mut rest = bytes;
    while let Some((&first, behind)) = rest.split_first() {
        if first >= 0x80 {
            break;
        }
        push_escape(first, out);
        rest = behind;
        // Escapes often come in a row.
        if rest
            .first()
            .is_some_and(|&next| !swar::is_hit::<CLASS>(next))
        {
            #[cfg(target_arch = "x86_64")]
            let plain = sse2::copy::<CLASS>(rest, out);
            #[cfg(not(target_arch = "x86_64"))]
            let plain = super::copy::copy_plain::<CLASS>(rest, out);
            rest = &rest[plain..];
        }
    }
    bytes.len() - rest.len()
}

/// Appends the first `len` bytes of a block, which is stored whole.
#[inline(always)]
pub fn push_block<const N: usize>(block: &[u8; N], len: usize, out: &mut impl Output) {
    // SAFETY: there is room for the block, which is written before a part of it is counted.
    unsafe {
        out.room(N).cast::<[u8; N]>().write(*block);
        out.advance(len.min(N));
    }
}

/// The two digits of every number below a hundred.
pub static PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[b'0'; 2]; 100];
    let mut number = 0;
    while number < 100 {
        pairs[number] = [b'0' + (number / 10) as u8, b'0' + (number % 10) as u8];
        number += 1;
    }
    pairs
};

/// Appends a whole number and one byte behind it. Branches by the number of digits: what stands
/// beside each other in data mostly has the same, and short numbers cost least.
#[inline(always)]
pub fn push_i64(value: i64, tail: u8, out: &mut impl Output) {
    let first = out.room(22);
    // SAFETY: a sign, twenty digits and the tail are 22 bytes at most.
    unsafe {
        let mut into = first;
        if value < 0 {
            into.write(b'-');
            into = into.add(1);
        }
        into = digits(value.unsigned_abs(), into);
        into.write(tail);
        out.advance(into.offset_from_unsigned(first) + 1);
    }
}

/// Writes the digits; returns where they end.
///
/// # Safety
/// `into` is valid for writes of twenty bytes.
#[inline(always)]
unsafe fn digits(value: u64, into: *mut u8) -> *mut u8 {
    // SAFETY: as for this function; the parts have as many digits as the value.
    unsafe {
        if value < 10_000 {
            return upto_four(value as u32, into);
        }
        if value < 100_000_000 {
            let value = value as u32;
            let into = upto_four(value / 10_000, into);
            return four(value % 10_000, into);
        }
        many(value, into)
    }
}

/// # Safety
/// `into` is valid for writes of twenty bytes.
#[inline(never)]
unsafe fn many(value: u64, into: *mut u8) -> *mut u8 {
    const WORD: u64 = 100_000_000;
    // SAFETY: as for this function; the parts have as many digits as the value.
    unsafe {
        let (upper, lower) = (value / WORD, (value % WORD) as u32);
        let into = digits(upper, into);
        let into = four(lower / 10_000, into);
        four(lower % 10_000, into)
    }
}

/// # Safety
/// `into` is valid for writes of four bytes; the value is below 10,000.
#[inline(always)]
unsafe fn upto_four(value: u32, into: *mut u8) -> *mut u8 {
    // SAFETY: as for this function.
    unsafe {
        if value < 10 {
            into.write(b'0' + value as u8);
            return into.add(1);
        }
        if value < 100 {
            into.cast::<[u8; 2]>().write(PAIRS[value as usize]);
            return into.add(2);
        }
        if value < 1000 {
            into.write(b'0' + (value / 100) as u8);
            into.add(1)
                .cast::<[u8; 2]>()
                .write(PAIRS[(value % 100) as usize]);
            return into.add(3);
        }
        four(value, into)
    }
}

/// # Safety
/// `into` is valid for writes of four bytes; the value is below 10,000.
#[inline(always)]
unsafe fn four(value: u32, into: *mut u8) -> *mut u8 {
    // SAFETY: as for this function.
    unsafe {
        into.cast::<[u8; 2]>()
            .write(PAIRS[(value / 100 % 100) as usize]);
        into.add(2)
            .cast::<[u8; 2]>()
            .write(PAIRS[(value % 100) as usize]);
        into.add(4)
    }
}

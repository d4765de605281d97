//! Copies into the output of a JSON writer: text goes over in blocks and is checked on the way.
//!
//! Each function appends what needs no escape and returns how many units it consumed; at less than
//! the whole, the caller looks at the unit where it stopped (`text::escape` writes it) and goes on.
//! One reservation covers the whole input, so the stores need no further check.

use super::transcode::Unit;
use super::{EscapeSet, Output, class, for_set, swar};
#[cfg(target_arch = "x86_64")]
use super::{at, lanes::Lanes, level, sse2};

/// Appends bytes of UTF-8 up to the first that [`super::escape_end`] would stop at; returns how
/// many.
#[inline]
pub fn copy_until_escape(bytes: &[u8], out: &mut impl Output, set: EscapeSet) -> usize {
    #[cfg(target_arch = "x86_64")]
    {
        if bytes.len() <= 64 {
            for_set!(set, sse2::copy(bytes, out))
        } else {
            at::copy_until_escape(level(), bytes, out, set)
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        for_set!(set, copy_plain(bytes, out))
    }
}

/// Appends Latin-1 characters as UTF-8 up to the first that needs an escape; returns how many.
pub fn copy_until_escape_latin1(units: &[u8], out: &mut impl Output, set: EscapeSet) -> usize {
    for_set!(set, encode_latin1(units, out))
}

/// Appends UCS-2 characters as UTF-8 up to the first surrogate or the first that needs an escape;
/// returns how many.
pub fn copy_until_escape_ucs2(units: &[u16], out: &mut impl Output, set: EscapeSet) -> usize {
    for_set!(set, encode_ucs2(units, out))
}

/// Appends UCS-4 characters as UTF-8 up to the first surrogate or the first that needs an escape;
/// returns how many.
pub fn copy_until_escape_ucs4(units: &[u32], out: &mut impl Output, set: EscapeSet) -> usize {
    for_set!(set, encode_ucs4(units, out))
}

fn encode_latin1<const CLASS: u8>(units: &[u8], out: &mut impl Output) -> usize {
    encode::<u8, CLASS, _>(units, out)
}

fn encode_ucs2<const CLASS: u8>(units: &[u16], out: &mut impl Output) -> usize {
    encode::<u16, CLASS, _>(units, out)
}

fn encode_ucs4<const CLASS: u8>(units: &[u32], out: &mut impl Output) -> usize {
    encode::<u32, CLASS, _>(units, out)
}

pub(super) fn copy_plain<const CLASS: u8>(bytes: &[u8], out: &mut impl Output) -> usize {
    let end = swar::find::<CLASS>(bytes, 0);
    out.extend_from_slice(&bytes[..end]);
    end
}

/// Whether a writer must stop at the character: it is of the class, or no character.
#[inline(always)]
fn stops<const CLASS: u8>(code: u32) -> bool {
    if code < 0x80 {
        return swar::is_hit::<CLASS>(code as u8);
    }
    match CLASS {
        class::ASCII => true,
        class::HTML if matches!(code, 0x2028 | 0x2029) => true,
        _ => matches!(code, 0xd800..=0xdfff) || code > 0x10_ffff,
    }
}

/// Appends characters as UTF-8 up to the first that stops; returns how many.
#[inline]
pub(super) fn encode<U: Unit, const CLASS: u8, O: Output>(units: &[U], out: &mut O) -> usize {
    let into = out.room(units.len() * U::LONGEST + 16);
    let mut written = 0;
    let mut rest = units;
    'all: while let Some((first, behind)) = rest.split_first() {
        if let Some(block) = rest.first_chunk::<16>() {
            if let Some(bytes) = narrow(block) {
                let plain = prefix::<CLASS>(&bytes);
                // SAFETY: every unit consumed so far took at most `LONGEST` bytes, so sixteen
                // bytes behind `written` are within the reservation.
                unsafe { into.add(written).cast::<[u8; 16]>().write(bytes) };
                written += plain;
                rest = &rest[plain..];
                if plain < 16 {
                    break;
                }
                continue;
            }
        } else if stops::<CLASS>(first.code()) {
            break;
        } else {
            // SAFETY: as above: at most `LONGEST` bytes for each unit, and this is one of them.
            written += unsafe { put(into.add(written), first.code()) };
            rest = behind;
            continue;
        }
        // A block with characters beyond ASCII: one by one, then look at the next block.
        for _ in 0..16 {
            let Some((unit, behind)) = rest.split_first() else {
                break;
            };
            if stops::<CLASS>(unit.code()) {
                break 'all;
            }
            // SAFETY: as above.
            written += unsafe { put(into.add(written), unit.code()) };
            rest = behind;
        }
    }
    // SAFETY: `written` bytes of the room were written.
    unsafe { out.advance(written) };
    units.len() - rest.len()
}

/// The block as bytes, if all of it is ASCII.
#[inline(always)]
fn narrow<U: Unit>(block: &[U; 16]) -> Option<[u8; 16]> {
    let bits = block.iter().fold(0, |bits, unit| bits | unit.code());
    if bits < 0x80 {
        Some(block.map(|unit| unit.code() as u8))
    } else {
        None
    }
}

/// The number of leading bytes of a block that are not of the class.
#[inline(always)]
fn prefix<const CLASS: u8>(block: &[u8; 16]) -> usize {
    #[cfg(target_arch = "x86_64")]
    {
        (sse2::hits::<CLASS>(Lanes::load(block)) | 1 << 16).trailing_zeros() as usize
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        swar::find::<CLASS>(block, 0)
    }
}

/// Writes one character as UTF-8 and returns its length.
///
/// # Safety
/// `into` must be valid for writes of as many bytes as the character takes (at most four).
#[inline(always)]
unsafe fn put(into: *mut u8, code: u32) -> usize {
    let tail = |shift: u32| 0x80 | (code >> shift & 0x3f) as u8;
    // SAFETY: each arm writes the length of the character, which the caller made writable.
    unsafe {
        if code < 0x80 {
            into.write(code as u8);
            1
        } else if code < 0x800 {
            into.cast::<[u8; 2]>()
                .write([0xc0 | (code >> 6) as u8, tail(0)]);
            2
        } else if code < 0x1_0000 {
            into.cast::<[u8; 3]>()
                .write([0xe0 | (code >> 12) as u8, tail(6), tail(0)]);
            3
        } else {
            into.cast::<[u8; 4]>()
                .write([0xf0 | (code >> 18) as u8, tail(12), tail(6), tail(0)]);
            4
        }
    }
}

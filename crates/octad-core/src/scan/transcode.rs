//! Between UTF-8 and the three widths in which Python keeps its strings.
//!
//! [`measure`] tells how many characters a text has and how wide the widest is; the `to_` functions
//! then fill a buffer of exactly that many units. Lengths are checked, never trusted: what does not
//! fit is left out, and a character wider than the unit is cut. The way back stops at surrogates.

use core::mem::MaybeUninit;

use super::copy::encode;
use super::{Output, at, class, level};

/// The widest character of a text, in the classes that Python stores apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MaxChar {
    /// All below U+0080.
    Ascii,
    /// All below U+0100.
    Latin1,
    /// All below U+10000.
    Ucs2,
    /// At least one from U+10000 on.
    Ucs4,
}

/// The size of a text in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Width {
    /// The number of characters.
    pub chars: usize,
    /// The class of the widest one.
    pub max: MaxChar,
}

/// From the number of characters and the highest byte.
#[inline]
pub(super) fn width(chars: usize, highest: u8) -> Width {
    let max = match highest {
        0..=0x7f => MaxChar::Ascii,
        0x80..=0xc3 => MaxChar::Latin1,
        0xc4..=0xef => MaxChar::Ucs2,
        0xf0..=0xff => MaxChar::Ucs4,
    };
    Width { chars, max }
}

/// Counts the characters of a text and finds the class of the widest.
#[inline]
pub fn measure(text: &str) -> Width {
    #[cfg(target_arch = "x86_64")]
    {
        if text.len() < 64 {
            return at::measure(super::Level::Sse2, text);
        }
    }
    at::measure(level(), text)
}

/// Writes the characters of a text below U+0100 into `into`, one each.
pub fn to_latin1(text: &str, into: &mut [u8]) {
    at::to_latin1(level(), text, into);
}

/// Writes the characters of a text below U+10000 into `into`, one each.
pub fn to_ucs2(text: &str, into: &mut [u16]) {
    at::to_ucs2(level(), text, into);
}

/// Writes the characters of a text into `into`, one each.
pub fn to_ucs4(text: &str, into: &mut [u32]) {
    at::to_ucs4(level(), text, into);
}

/// Writes the characters of a text into fresh memory, one each, each cut to the width of the unit.
/// True: all units have been written.
#[inline]
pub fn fill<U: Unit>(text: &str, into: &mut [MaybeUninit<U>]) -> bool {
    at::fill(level(), text, into)
}

/// Memory that has been written is fresh memory, as long as nobody takes it back.
pub(super) fn fresh<U: Unit>(units: &mut [U]) -> &mut [MaybeUninit<U>] {
    // SAFETY: the same length and layout; whoever gets it here ([`decode`]) writes whole units or
    // nothing, so all of it stays initialised.
    unsafe { core::slice::from_raw_parts_mut(units.as_mut_ptr().cast(), units.len()) }
}

/// Appends Latin-1 characters as UTF-8.
pub fn latin1_to_utf8(units: &[u8], out: &mut impl Output) {
    encode::<u8, { class::NOTHING }, _>(units, out);
}

/// Appends UCS-2 characters as UTF-8; the error is the index of a surrogate, up to which the
/// characters were appended.
pub fn ucs2_to_utf8(units: &[u16], out: &mut impl Output) -> Result<(), usize> {
    whole(
        encode::<u16, { class::NOTHING }, _>(units, out),
        units.len(),
    )
}

/// Appends UCS-4 characters as UTF-8; the error is the index of a surrogate (or of a number that
/// is no character), up to which the characters were appended.
pub fn ucs4_to_utf8(units: &[u32], out: &mut impl Output) -> Result<(), usize> {
    whole(
        encode::<u32, { class::NOTHING }, _>(units, out),
        units.len(),
    )
}

fn whole(done: usize, len: usize) -> Result<(), usize> {
    if done == len { Ok(()) } else { Err(done) }
}

/// One of the three widths of a Python string.
pub trait Unit: Copy {
    /// How many bytes of UTF-8 a character of this width can take.
    const LONGEST: usize;
    /// The lowest bits of a character's number.
    fn cut(code: u32) -> Self;
    /// The number.
    fn code(self) -> u32;
}

impl Unit for u8 {
    const LONGEST: usize = 2;
    #[inline(always)]
    fn cut(code: u32) -> Self {
        code as u8
    }
    #[inline(always)]
    fn code(self) -> u32 {
        self.into()
    }
}

impl Unit for u16 {
    const LONGEST: usize = 3;
    #[inline(always)]
    fn cut(code: u32) -> Self {
        code as u16
    }
    #[inline(always)]
    fn code(self) -> u32 {
        self.into()
    }
}

impl Unit for u32 {
    const LONGEST: usize = 4;
    #[inline(always)]
    fn cut(code: u32) -> Self {
        code
    }
    #[inline(always)]
    fn code(self) -> u32 {
        self
    }
}

/// For levels without byte shuffles: no run of three-byte characters is ever seen.
#[inline(always)]
pub(super) fn no_triples(_: &[u8; 16]) -> (usize, [u16; 8]) {
    (0, [0; 8])
}

/// Writes the characters of `text` into `into`; true where that filled it. Whole blocks are written
/// while there is room, then what was too much is overwritten by the characters that follow.
#[inline(always)]
pub(super) fn decode<U: Unit>(
    text: &str,
    into: &mut [MaybeUninit<U>],
    ascii_prefix: impl Fn(&[u8; 16]) -> usize,
    triples: impl Fn(&[u8; 16]) -> (usize, [u16; 8]),
) -> bool {
    let mut bytes = text.as_bytes();
    let mut units = into;
    while let Some(block) = bytes.first_chunk::<16>() {
        // Full counts have their own branch: a guessed step need not wait for the count.
        let ascii = ascii_prefix(block);
        if ascii != 0 {
            widen(block, ascii, units);
            let step = if ascii == 16 { 16 } else { ascii };
            bytes = &bytes[step..];
            units = units.get_mut(step..).unwrap_or_default();
            continue;
        }
        let (count, wide) = triples(block);
        if count == 5 {
            widen(&wide, 5, units);
            bytes = &bytes[15..];
            units = units.get_mut(5..).unwrap_or_default();
            continue;
        }
        if count != 0 {
            widen(&wide, count, units);
            bytes = &bytes[3 * count..];
            units = units.get_mut(count..).unwrap_or_default();
            continue;
        }
        // Stay with characters beyond ASCII as long as they come: they seldom come alone.
        loop {
            let (code, len) = first_char(bytes);
            let Some((unit, behind)) = units.split_first_mut() else {
                return true;
            };
            unit.write(U::cut(code));
            units = behind;
            bytes = &bytes[len..];
            if bytes.first().is_none_or(|&byte| byte < 0x80) {
                break;
            }
        }
    }
    for unit in units {
        if bytes.is_empty() {
            return false;
        }
        let (code, len) = first_char(bytes);
        unit.write(U::cut(code));
        bytes = &bytes[len..];
    }
    true
}

/// Writes `count` codes of a block, and the rest of it where there is room.
#[inline(always)]
fn widen<U: Unit, C: Copy + Into<u32>, const N: usize>(
    codes: &[C; N],
    count: usize,
    units: &mut [MaybeUninit<U>],
) {
    if let Some(room) = units.first_chunk_mut::<N>() {
        for (unit, &code) in room.iter_mut().zip(codes) {
            unit.write(U::cut(code.into()));
        }
    } else {
        for (unit, &code) in units.iter_mut().zip(codes).take(count) {
            unit.write(U::cut(code.into()));
        }
    }
}

/// The first character of well-formed UTF-8 and its length, which never exceeds the slice.
#[inline(always)]
fn first_char(bytes: &[u8]) -> (u32, usize) {
    match *bytes {
        [lead, ..] if lead < 0x80 => (lead.into(), 1),
        [lead, b, c, ..] if (0xe0..0xf0).contains(&lead) => {
            ((u32::from(lead) & 0x0f) << 12 | six(b) << 6 | six(c), 3)
        }
        [lead, b, ..] if lead < 0xe0 => ((u32::from(lead) & 0x1f) << 6 | six(b), 2),
        [lead, b, c, d, ..] => (
            (u32::from(lead) & 0x07) << 18 | six(b) << 12 | six(c) << 6 | six(d),
            4,
        ),
        _ => (0xfffd, bytes.len()),
    }
}

#[inline(always)]
fn six(byte: u8) -> u32 {
    u32::from(byte) & 0x3f
}

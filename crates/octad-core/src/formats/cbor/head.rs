//! The heads of CBOR items: major type, additional information and argument (RFC 8949 section 3).
//!
//! Everything that reads CBOR goes through [`head`], everything that writes it through
//! [`put_head`]. A head never says how much memory to take: whoever reads on checks each length
//! against the bytes that are there.

use core::ops::Range;

use crate::scan::Output;

/// Major types.
pub const UNSIGNED: u8 = 0;
/// -1 minus the argument.
pub const NEGATIVE: u8 = 1;
/// Bytes.
pub const BYTES: u8 = 2;
/// Text.
pub const TEXT: u8 = 3;
/// An array.
pub const ARRAY: u8 = 4;
/// A map.
pub const MAP: u8 = 5;
/// A tag on the next item.
pub const TAG: u8 = 6;
/// Simple values, floats and the break code.
pub const OTHER: u8 = 7;

/// The additional information of indefinite lengths and of the break code.
pub const OPEN: u8 = 31;

/// The byte that ends what has an indefinite length.
pub const BREAK: u8 = 0xFF;

/// The head of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// The major type.
    pub major: u8,
    /// The additional information.
    pub info: u8,
    /// The argument; 0 where there is none.
    pub value: u64,
    /// Bytes of the head.
    pub size: u8,
}

impl Head {
    /// Written in as few bytes as its argument needs. Means nothing for floats.
    #[inline]
    pub fn is_preferred(self) -> bool {
        self.info < 24 || self.size == head_size(self.value) || self.info == OPEN
    }

    /// Of an indefinite length, or the break code.
    #[inline]
    pub fn is_open(self) -> bool {
        self.info == OPEN
    }

    /// The argument as a length or count within memory.
    #[inline]
    pub fn length(self) -> usize {
        usize::try_from(self.value).unwrap_or(usize::MAX)
    }
}

/// Why there is no head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoHead {
    /// The input ends before or within it.
    End,
    /// The first byte has no meaning, or a meaning that it must not have there.
    Reserved,
}

/// Reads the head at `pos`. Reserved: the forms that RFC 8949 does not give a meaning, indefinite
/// integers and tags, and simple values below 32 in two bytes.
#[inline]
pub fn head(input: &[u8], pos: usize) -> Result<Head, NoHead> {
    let Some(&first) = input.get(pos) else {
        return Err(NoHead::End);
    };
    let (major, info) = (first >> 5, first & 31);
    if info < 24 {
        return Ok(Head {
            major,
            info,
            value: u64::from(info),
            size: 1,
        });
    }
    long_head(input, pos, major, info)
}

fn long_head(input: &[u8], pos: usize, major: u8, info: u8) -> Result<Head, NoHead> {
    let rest = &input[pos + 1..];
    let (value, size) = match info {
        24 => (rest.first().map(|byte| u64::from(*byte)), 2),
        25 => (
            rest.first_chunk()
                .map(|two| u16::from_be_bytes(*two).into()),
            3,
        ),
        26 => (
            rest.first_chunk()
                .map(|four| u32::from_be_bytes(*four).into()),
            5,
        ),
        27 => (
            rest.first_chunk().map(|eight| u64::from_be_bytes(*eight)),
            9,
        ),
        OPEN if !matches!(major, UNSIGNED | NEGATIVE | TAG) => (Some(0), 1),
        _ => return Err(NoHead::Reserved),
    };
    let value = value.ok_or(NoHead::End)?;
    if major == OTHER && info == 24 && value < 32 {
        return Err(NoHead::Reserved);
    }
    Ok(Head {
        major,
        info,
        value,
        size,
    })
}

/// Bytes of the shortest head with this argument.
#[inline]
pub fn head_size(value: u64) -> u8 {
    match value {
        0..=23 => 1,
        24..=0xFF => 2,
        0x100..=0xFFFF => 3,
        0x1_0000..=0xFFFF_FFFF => 5,
        _ => 9,
    }
}

/// Appends the shortest head with this argument.
#[inline]
pub fn put_head(major: u8, value: u64, out: &mut impl Output) {
    let first = major << 5;
    match value {
        0..=23 => out.push(first | value as u8),
        24..=0xFF => out.extend_from_slice(&[first | 24, value as u8]),
        0x100..=0xFFFF => {
            let [a, b] = (value as u16).to_be_bytes();
            out.extend_from_slice(&[first | 25, a, b]);
        }
        0x1_0000..=0xFFFF_FFFF => {
            let [a, b, c, d] = (value as u32).to_be_bytes();
            out.extend_from_slice(&[first | 26, a, b, c, d]);
        }
        _ => {
            let [a, b, c, d, e, f, g, h] = value.to_be_bytes();
            out.extend_from_slice(&[first | 27, a, b, c, d, e, f, g, h]);
        }
    }
}

/// The content of a text or byte string: see [`content`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// The bytes; those of the chunks with their heads, where it is in chunks.
    pub range: Range<usize>,
    /// Whether it is in chunks.
    pub chunked: bool,
    /// The offset after the item.
    pub end: usize,
}

impl Content {
    /// The bytes in one piece, made in `scratch` where they are in chunks.
    pub fn bytes<'a>(&self, input: &'a [u8], scratch: &'a mut Vec<u8>) -> &'a [u8] {
        let bytes = input.get(self.range.clone()).unwrap_or_default();
        if !self.chunked {
            return bytes;
        }
        scratch.clear();
        chunks(bytes).for_each(|chunk| scratch.extend_from_slice(chunk));
        scratch
    }
}

/// The content of the text or byte string at `pos`. None where that is no well-formed item of this
/// major type; whether it is UTF-8 is not looked at.
pub fn content(input: &[u8], pos: usize, major: u8) -> Option<Content> {
    let first = head(input, pos).ok().filter(|head| head.major == major)?;
    let from = pos + usize::from(first.size);
    if !first.is_open() {
        let end = from.checked_add(first.length())?;
        input.get(from..end)?;
        return Some(Content {
            range: from..end,
            chunked: false,
            end,
        });
    }
    let mut at = from;
    while *input.get(at)? != BREAK {
        let chunk = head(input, at).ok().filter(|head| head.major == major)?;
        if chunk.is_open() {
            return None;
        }
        at = (at + usize::from(chunk.size)).checked_add(chunk.length())?;
    }
    Some(Content {
        range: from..at,
        chunked: true,
        end: at + 1,
    })
}

/// The bytes of each chunk of what stands between the first byte and the break code of a text or
/// byte string. Where that is not well-formed, they end early.
pub fn chunks(body: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = body;
    core::iter::from_fn(move || {
        let head = head(rest, 0).ok()?;
        let from = usize::from(head.size);
        let end = from.checked_add(head.length())?;
        let chunk = rest.get(from..end)?;
        rest = &rest[end..];
        Some(chunk)
    })
}

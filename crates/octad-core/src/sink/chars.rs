//! `Chars`: a text in whichever form its owner keeps it, lent to a sink without being copied.
//!
//! The wide forms are the ones CPython stores. They may hold lone surrogates, which no UTF-8 text
//! has; each sink has a policy for them.

use core::cmp::Ordering;

/// A borrowed text.
#[derive(Clone, Copy, Debug)]
pub enum Chars<'a> {
    /// Bytes below 0x80 only.
    Ascii(&'a [u8]),
    /// UTF-8 with at least one byte of 0x80 or above.
    Utf8(&'a str),
    /// One byte for each character, up to U+00FF.
    Latin1(&'a [u8]),
    /// One unit for each character, up to U+FFFF; surrogates stand for themselves.
    Ucs2(&'a [u16]),
    /// One unit for each character.
    Ucs4(&'a [u32]),
}

impl<'a> From<&'a str> for Chars<'a> {
    #[inline]
    fn from(text: &'a str) -> Self {
        if text.is_ascii() {
            Self::Ascii(text.as_bytes())
        } else {
            Self::Utf8(text)
        }
    }
}

impl<'a> Chars<'a> {
    /// The code points, lone surrogates among them.
    pub fn code_points(self) -> CodePoints<'a> {
        match self {
            Self::Ascii(bytes) | Self::Latin1(bytes) => CodePoints::Bytes(bytes.iter()),
            Self::Utf8(text) => CodePoints::Utf8(text.chars()),
            Self::Ucs2(units) => CodePoints::Ucs2(units.iter()),
            Self::Ucs4(units) => CodePoints::Ucs4(units.iter()),
        }
    }

    /// The text as a Rust string, with U+FFFD where a surrogate stands alone.
    #[must_use]
    pub fn to_text(self) -> String {
        self.code_points()
            .map(|point| char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect()
    }

    /// Compares by code points: the order of the UTF-8 bytes.
    #[must_use]
    pub fn compare(self, other: Chars<'_>) -> Ordering {
        match (self, other) {
            (Self::Ascii(a), Chars::Ascii(b)) => a.cmp(b),
            (Self::Ucs2(a), Chars::Ucs2(b)) => a.cmp(b),
            _ => self.code_points().cmp(other.code_points()),
        }
    }

    /// Compares by UTF-16 code units, the order RFC 8785 asks for.
    #[must_use]
    pub fn compare_utf16(self, other: Chars<'_>) -> Ordering {
        match (self, other) {
            (Self::Ascii(a), Chars::Ascii(b)) => a.cmp(b),
            (Self::Ucs2(a), Chars::Ucs2(b)) => a.cmp(b),
            _ => self
                .code_points()
                .map(utf16_rank)
                .cmp(other.code_points().map(utf16_rank)),
        }
    }
}

/// Where a character stands among others when texts are compared unit by unit in UTF-16: those
/// above U+FFFF begin with a surrogate, so they come before U+E000 to U+FFFF.
fn utf16_rank(point: u32) -> u32 {
    match point {
        0xE000..=0xFFFF => point + 0x11_0000,
        _ => point,
    }
}

/// The iterator of [`Chars::code_points`].
pub enum CodePoints<'a> {
    /// From ASCII or Latin-1.
    Bytes(core::slice::Iter<'a, u8>),
    /// From UTF-8.
    Utf8(core::str::Chars<'a>),
    /// From 16-bit units.
    Ucs2(core::slice::Iter<'a, u16>),
    /// From 32-bit units.
    Ucs4(core::slice::Iter<'a, u32>),
}

impl Iterator for CodePoints<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        match self {
            Self::Bytes(units) => units.next().map(|unit| u32::from(*unit)),
            Self::Utf8(chars) => chars.next().map(u32::from),
            Self::Ucs2(units) => units.next().map(|unit| u32::from(*unit)),
            Self::Ucs4(units) => units.next().copied(),
        }
    }
}

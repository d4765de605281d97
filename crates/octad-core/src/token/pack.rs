//! Values small enough to live in the token: integers, most doubles, up to seven bytes of text.
//!
//! Only what can be read back exactly is packed; the caller falls back to a located value.

use super::{Kind, PAYLOAD, Token, X, variant};

/// The exponents (biased) of doubles that REAL59 holds: magnitudes 2^-31 … 2^33.
const LOWEST: u64 = 1023 - 31;
const WINDOW: u64 = 63;

impl Token {
    /// The largest integer that fits into a token.
    pub const MAX_INT: i64 = (1 << 55) - 1;
    /// The smallest integer that fits into a token.
    pub const MIN_INT: i64 = -(1 << 55);

    /// A whole number in the token itself, if it fits 56 signed bits.
    #[inline]
    #[must_use]
    pub const fn int(value: i64) -> Option<Self> {
        if value >= Self::MIN_INT && value <= Self::MAX_INT {
            Some(Self::int_unchecked(value))
        } else {
            None
        }
    }

    /// A whole number known to fit, for readers that have counted the digits.
    #[inline]
    #[must_use]
    pub const fn int_unchecked(value: i64) -> Self {
        debug_assert!(value >= Self::MIN_INT && value <= Self::MAX_INT);
        Self(Self::head(X, Kind::Int, variant::PLAIN) | (value as u64 & PAYLOAD))
    }

    /// Whether the token is an INT that holds its number.
    #[inline(always)]
    #[must_use]
    pub const fn is_short_int(self) -> bool {
        self.tag() == Self::int_unchecked(0).tag()
    }

    /// The whole number of an inline INT token.
    #[inline]
    #[must_use]
    pub const fn int_value(self) -> i64 {
        ((self.0 << 8) as i64) >> 8
    }

    /// A float of 16 bits, by its bits.
    #[inline]
    #[must_use]
    pub const fn f16(bits: u16) -> Self {
        Self(Self::head(X, Kind::Real, variant::REAL_F16) | bits as u64)
    }

    /// A float of 32 bits, by its bits.
    #[inline]
    #[must_use]
    pub const fn f32(bits: u32) -> Self {
        Self(Self::head(X, Kind::Real, variant::REAL_F32) | bits as u64)
    }

    /// A simple value by its number.
    #[inline]
    #[must_use]
    pub const fn simple_number(number: u8) -> Self {
        Self(Self::simple(variant::SIMPLE).0 | number as u64)
    }

    /// A double in 59 bits, if its exponent is in the window or it is a zero.
    #[inline]
    #[must_use]
    pub const fn real59(value: f64) -> Option<Self> {
        // The layout is the double's own with the exponent squeezed from 11 bits to 6: window 0 is
        // kept for zero, so that 2^-31 itself (window 0, mantissa 0) is the excluded lower end.
        let bits = value.to_bits();
        let sign = bits >> 63;
        let exponent = (bits >> 52) & 0x7ff;
        let mantissa = bits & ((1 << 52) - 1);
        let head = X | ((Kind::Real59 as u64) << 59);
        if bits << 1 == 0 {
            return Some(Self(head | (sign << 58)));
        }
        let window = exponent.wrapping_sub(LOWEST);
        if window > WINDOW || (window == 0 && mantissa == 0) {
            return None;
        }
        Some(Self(head | (sign << 58) | (window << 52) | mantissa))
    }

    /// The double of a REAL59 token.
    #[inline]
    #[must_use]
    pub const fn real59_value(self) -> f64 {
        let sign = (self.0 >> 58) & 1;
        let rest = self.0 & ((1 << 58) - 1);
        let bits = if rest == 0 { 0 } else { rest + (LOWEST << 52) };
        f64::from_bits((sign << 63) | bits)
    }

    /// Up to seven bytes of ASCII text in the token itself.
    #[must_use]
    pub const fn short(text: &[u8]) -> Option<Self> {
        if text.len() > 7 || !text.is_ascii() {
            return None;
        }
        let mut payload = 0;
        let mut place = 0;
        while place < text.len() {
            payload |= (text[place] as u64) << (8 * place);
            place += 1;
        }
        Some(Self(Self::head(X, Kind::Short, text.len() as u8) | payload))
    }

    /// The bytes of a SHORT token and how many of them count.
    #[must_use]
    pub const fn short_value(self) -> ([u8; 8], usize) {
        (self.payload().to_le_bytes(), self.variant() as usize)
    }
}

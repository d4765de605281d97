//! Whole numbers of any size between CBOR's bytes and decimal digits, and decimal fractions.
//!
//! A big number is its bytes, most significant first; a negative one is -1 minus them. Digits are
//! made only when somebody asks, and never more than a limit allows: the cost grows faster than the
//! number.

use crate::scan::Output;
use crate::text::big;

use super::head::{self, BYTES, NEGATIVE, TAG, UNSIGNED, content, head, put_head};

/// The tag of a whole number from zero on.
pub const TAG_POSITIVE: u64 = 2;
/// The tag of a whole number below zero.
pub const TAG_NEGATIVE: u64 = 3;

/// A whole number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whole {
    /// One that fits.
    Small(i128),
    /// Its bytes, without zeros in front; `negative`: -1 minus them.
    Big {
        /// Below zero.
        negative: bool,
        /// Most significant first.
        bytes: Vec<u8>,
    },
}

/// The whole number at `pos`, an integer or a big number, and the offset after it. None where there
/// is something else.
pub fn whole(input: &[u8], pos: usize) -> Option<(Whole, usize)> {
    let first = head(input, pos).ok()?;
    let after = pos + usize::from(first.size);
    let negative = match (first.major, first.value) {
        (UNSIGNED, value) => return Some((Whole::Small(value.into()), after)),
        (NEGATIVE, value) => return Some((Whole::Small(-1 - i128::from(value)), after)),
        (TAG, TAG_POSITIVE) => false,
        (TAG, TAG_NEGATIVE) => true,
        _ => return None,
    };
    let content = content(input, after, BYTES)?;
    let mut scratch = Vec::new();
    let bytes = content.bytes(input, &mut scratch);
    Some((Whole::from_bytes(negative, bytes), content.end))
}

impl Whole {
    /// From bytes, most significant first; `negative`: -1 minus them.
    pub fn from_bytes(negative: bool, bytes: &[u8]) -> Self {
        let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
        let bytes = &bytes[zeros..];
        if bytes.len() > 15 {
            let bytes = bytes.to_vec();
            return Self::Big { negative, bytes };
        }
        let value = bytes
            .iter()
            .fold(0_i128, |value, byte| value << 8 | i128::from(*byte));
        Self::Small(if negative { -1 - value } else { value })
    }

    /// From decimal digits with an optional minus. None where there are others, or none.
    pub fn from_digits(text: &str) -> Option<Self> {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text),
        };
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        if digits.len() <= 38 {
            let value: i128 = digits.parse().ok()?;
            return Some(Self::Small(if negative { -value } else { value }));
        }
        // Digits of 32 bits, least significant first, eighteen decimal ones at a time.
        let mut words: Vec<u32> = Vec::with_capacity(digits.len() / 9 + 1);
        let first = digits.len() % 18;
        let pieces = digits.as_bytes()[first..].chunks(18);
        for piece in core::iter::once(&digits.as_bytes()[..first]).chain(pieces) {
            let (mut carry, mut scale) = (0_u128, 1_u128);
            for digit in piece {
                carry = carry * 10 + u128::from(digit - b'0');
                scale *= 10;
            }
            for word in &mut words {
                carry += u128::from(*word) * scale;
                *word = carry as u32;
                carry >>= 32;
            }
            while carry > 0 {
                words.push(carry as u32);
                carry >>= 32;
            }
        }
        if negative && words.iter().any(|word| *word != 0) {
            decrement(&mut words);
        } else if negative {
            return Some(Self::Small(0));
        }
        let bytes: Vec<u8> = words
            .iter()
            .rev()
            .flat_map(|word| word.to_be_bytes())
            .collect();
        Some(Self::from_bytes(negative, &bytes))
    }

    /// As many decimal digits as it has, or one more.
    pub fn digit_count(&self) -> usize {
        match self {
            Self::Small(value) => value
                .unsigned_abs()
                .checked_ilog10()
                .map_or(1, |n| n as usize + 1),
            Self::Big { bytes, .. } => {
                bytes.len().saturating_mul(8).saturating_mul(30_103) / 100_000 + 1
            }
        }
    }

    /// The decimal digits, with a minus where negative.
    pub fn digits(&self) -> String {
        match self {
            Self::Small(value) => value.to_string(),
            Self::Big { negative, bytes } => {
                let mut words = words_of(bytes);
                if *negative {
                    increment(&mut words);
                }
                let digits = big::decimal(&words);
                if *negative {
                    format!("-{digits}")
                } else {
                    digits
                }
            }
        }
    }

    /// Times two to the power of `exponent`, as digits and a power of ten; None where that would
    /// have more than about `most` digits.
    fn times_power_of_two(&self, exponent: i64, most: usize) -> Option<(String, i64)> {
        // Below zero, a power of two is one of five over one of ten.
        let (bits, steps) = (exponent.unsigned_abs(), exponent.min(0).unsigned_abs());
        if self.digit_count() as u64 > most as u64 || bits / 4 > most as u64 {
            return None;
        }
        let (negative, mut words) = match self {
            Self::Small(value) => (*value < 0, words_of(&value.unsigned_abs().to_be_bytes())),
            Self::Big { negative, bytes } => {
                let mut words = words_of(bytes);
                if *negative {
                    increment(&mut words);
                }
                (*negative, words)
            }
        };
        if exponent < 0 {
            // 5^11 is the largest power of five below 2^30.
            for _ in 0..steps / 11 {
                multiply(&mut words, 48_828_125);
            }
            multiply(&mut words, 5_u32.pow((steps % 11) as u32));
        } else {
            let mut shifted = vec![0; (bits / 30) as usize];
            multiply(&mut words, 1 << (bits % 30));
            shifted.append(&mut words);
            words = shifted;
        }
        let digits = big::decimal(&words);
        let sign = if negative { "-" } else { "" };
        Some((format!("{sign}{digits}"), -(steps as i64)))
    }
}

/// Digits of 30 bits, least significant first, of bytes, most significant first.
fn words_of(bytes: &[u8]) -> Vec<u32> {
    let mut words = Vec::with_capacity(bytes.len() * 8 / 30 + 2);
    let (mut rest, mut bits) = (0_u64, 0);
    for byte in bytes.iter().rev() {
        rest |= u64::from(*byte) << bits;
        bits += 8;
        if bits >= 30 {
            words.push((rest & 0x3FFF_FFFF) as u32);
            rest >>= 30;
            bits -= 30;
        }
    }
    words.push(rest as u32);
    while words.len() > 1 && words.last() == Some(&0) {
        words.pop();
    }
    words
}

/// Adds one to digits of 30 bits.
fn increment(words: &mut Vec<u32>) {
    for word in words.iter_mut() {
        *word = (*word + 1) & 0x3FFF_FFFF;
        if *word != 0 {
            return;
        }
    }
    words.push(1);
}

/// Takes one from digits of 32 bits that are not all zero.
fn decrement(words: &mut [u32]) {
    for word in words {
        let (less, borrow) = word.overflowing_sub(1);
        *word = less;
        if !borrow {
            return;
        }
    }
}

/// Multiplies digits of 30 bits by a factor of at most 30 bits.
fn multiply(words: &mut Vec<u32>, factor: u32) {
    let mut carry = 0_u64;
    for word in words.iter_mut() {
        carry += u64::from(*word) * u64::from(factor);
        *word = (carry & 0x3FFF_FFFF) as u32;
        carry >>= 30;
    }
    if carry > 0 {
        words.push(carry as u32);
    }
}

/// Appends a whole number in its preferred form.
pub fn put_whole(value: &Whole, out: &mut impl Output) {
    let (negative, bytes) = match value {
        Whole::Small(value) => {
            let negative = *value < 0;
            let count = (if negative { -1 - *value } else { *value }) as u128;
            if let Ok(count) = u64::try_from(count) {
                put_head(if negative { NEGATIVE } else { UNSIGNED }, count, out);
                return;
            }
            let zeros = count.leading_zeros() as usize / 8;
            (negative, count.to_be_bytes()[zeros..].to_vec())
        }
        Whole::Big { negative, bytes } => (*negative, bytes.clone()),
    };
    put_head(TAG, if negative { TAG_NEGATIVE } else { TAG_POSITIVE }, out);
    put_head(BYTES, bytes.len() as u64, out);
    out.extend_from_slice(&bytes);
}

/// A decimal fraction (tag 4) or a binary one (tag 5): a whole number times a power of its base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fraction {
    /// The number.
    pub mantissa: Whole,
    /// The power of ten, or of two.
    pub exponent: i64,
    /// The base is two.
    pub binary: bool,
}

impl Fraction {
    /// The literal of exactly this number, as Python's decimals spell theirs. None where it would
    /// have more than about `most` digits.
    pub fn literal(&self, most: usize) -> Option<String> {
        let (digits, exponent) = if self.binary {
            self.mantissa.times_power_of_two(self.exponent, most)?
        } else if self.mantissa.digit_count() <= most.max(40) {
            (self.mantissa.digits(), self.exponent)
        } else {
            return None;
        };
        let (sign, digits) = match digits.strip_prefix('-') {
            Some(rest) => ("-", rest),
            None => ("", digits.as_str()),
        };
        // How many digits stand before the point.
        let before = i128::from(exponent) + digits.len() as i128;
        if exponent <= 0 && before > -6 {
            let text = if exponent == 0 {
                format!("{sign}{digits}")
            } else if before > 0 {
                let (whole, part) = digits.split_at(before as usize);
                format!("{sign}{whole}.{part}")
            } else {
                let zeros = -before as usize;
                format!("{sign}0.{:0<zeros$}{digits}", "")
            };
            return Some(text);
        }
        let (first, rest) = digits.split_at(1);
        let point = if rest.is_empty() { "" } else { "." };
        Some(format!("{sign}{first}{point}{rest}E{:+}", before - 1))
    }

    /// From a literal such as `-1.50E+3`. None where it is no number, or its exponent does not fit.
    pub fn from_literal(literal: &str) -> Option<Self> {
        let (number, exponent) = match literal.split_once(['e', 'E']) {
            Some((number, exponent)) => (number, exponent.parse::<i64>().ok()?),
            None => (literal, 0),
        };
        let (whole, part) = number.split_once('.').unwrap_or((number, ""));
        let mantissa = Whole::from_digits(&format!("{whole}{part}"))?;
        let exponent = exponent.checked_sub(i64::try_from(part.len()).ok()?)?;
        Some(Self {
            mantissa,
            exponent,
            binary: false,
        })
    }

    /// Appends the two numbers in a list, under the tag.
    pub fn put(&self, out: &mut impl Output) {
        put_head(TAG, if self.binary { 5 } else { 4 }, out);
        put_head(head::ARRAY, 2, out);
        put_whole(&Whole::Small(self.exponent.into()), out);
        put_whole(&self.mantissa, out);
    }
}

//! Doubles as text: the shortest digits that read back, in the spellings of Python and ECMAScript.
//!
//! Knows how zmij spells them (positional from 1e-5 to below 1e16) and where the two others part
//! from it; most doubles are appended as they come. Not for infinities and NaN.

use super::int::write_u64;
use crate::scan::{Output, append_fixed, append_integral, append_shortest, append_with};

/// Appends a finite double as Python's `repr` spells it.
#[inline]
pub fn write_repr(value: f64, out: &mut impl Output) {
    // The two spellings differ below this only: the exponent of Python begins one power earlier
    // and has at least two digits.
    if value.abs() < 1e-4 && value != 0.0 {
        write_small_repr(value, out);
    } else {
        append_shortest(value, out);
    }
}

/// Appends a finite double as [`write_repr`] does, and one byte behind it.
#[inline(always)]
pub fn write_repr_with(value: f64, behind: u8, out: &mut impl Output) {
    // What is written in full is well above the border of the exponents.
    if !append_fixed(value, behind, out) {
        write_other_repr(value, behind, out);
    }
}

#[inline(never)]
fn write_other_repr(value: f64, behind: u8, out: &mut impl Output) {
    if value.abs() < 1e-4 && value != 0.0 {
        write_small_repr(value, out);
        out.push(behind);
    } else {
        append_with(value, behind, out);
    }
}

#[cold]
fn write_small_repr(value: f64, out: &mut impl Output) {
    let Shortest {
        negative,
        digits,
        exponent,
    } = Shortest::of(zmij::Buffer::new().format_finite(value).as_bytes());
    if negative {
        out.push(b'-');
    }
    let (first, others) = digits.as_slice().split_at(1);
    out.extend_from_slice(first);
    if !others.is_empty() {
        out.push(b'.');
        out.extend_from_slice(others);
    }
    out.extend_from_slice(if exponent > -10 { b"e-0" } else { b"e-" });
    write_u64(exponent.unsigned_abs().into(), out);
}

/// Appends a finite double as ECMAScript's `Number::toString` does, which RFC 8785 demands.
#[inline]
pub fn write_ecmascript(value: f64, out: &mut impl Output) {
    let size = value.abs();
    if (1e-5..1e16).contains(&size) {
        append_integral(value, out);
    } else if size == 0.0 {
        out.push(b'0'); // minus zero too
    } else {
        write_far_ecmascript(value, out);
    }
}

#[cold]
fn write_far_ecmascript(value: f64, out: &mut impl Output) {
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format_finite(value).as_bytes();
    let Shortest {
        negative,
        digits,
        exponent,
    } = Shortest::of(text);
    let digits = digits.as_slice();
    let places = usize::try_from(exponent).unwrap_or(0);
    if exponent == -6 {
        out.extend_from_slice(if negative { b"-0.00000" } else { b"0.00000" });
        out.extend_from_slice(digits);
    } else if (0..=20).contains(&exponent) && digits.len() <= places + 1 {
        if negative {
            out.push(b'-');
        }
        out.extend_from_slice(digits);
        for _ in digits.len()..=places {
            out.push(b'0');
        }
    } else {
        out.extend_from_slice(text);
    }
}

/// Shortest digits taken out of their spelling: the first stands before the point.
struct Shortest {
    negative: bool,
    digits: Digits,
    exponent: i32,
}

/// At most seventeen digits.
struct Digits {
    bytes: [u8; 17],
    len: usize,
}

impl Digits {
    fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

impl Shortest {
    /// From `-1.25e-7` or `0.0000125`.
    fn of(text: &[u8]) -> Self {
        let (negative, text) = match text.strip_prefix(b"-") {
            Some(text) => (true, text),
            None => (false, text),
        };
        let split = text.iter().position(|&byte| byte == b'e');
        let (spelled, power) = text.split_at(split.unwrap_or(text.len()));
        let power = match power {
            [b'e', b'-', power @ ..] => -small(power),
            [b'e', b'+', power @ ..] | [b'e', power @ ..] => small(power),
            _ => 0,
        };
        let zeros = spelled
            .iter()
            .filter(|&&byte| byte != b'.')
            .take_while(|&&byte| byte == b'0');
        let zeros = zeros.count();
        let mut digits = Digits {
            bytes: [0; 17],
            len: 0,
        };
        let kept = spelled.iter().filter(|&&byte| byte != b'.').skip(zeros);
        for (place, &digit) in digits.bytes.iter_mut().zip(kept) {
            *place = digit;
            digits.len += 1;
        }
        Self {
            negative,
            digits,
            exponent: power - zeros as i32,
        }
    }
}

fn small(digits: &[u8]) -> i32 {
    digits
        .iter()
        .fold(0, |power, digit| power * 10 + i32::from(digit - b'0'))
}

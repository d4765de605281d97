//! Numbers of the JSON reader: whole numbers of up to 16 digits go into the token, the rest is
//! located, or read at once where the reader is eager.

use crate::error::{Error, ErrorCode, Result};
use crate::text::digits::whole_number;
use crate::text::float;
use crate::token::{Kind, Token, variant};

use super::options::{A_DOUBLE, overflow};
use super::parse::Reader;

/// Digits that fit a token without a range check.
const INLINE_DIGITS: usize = 16;

impl<const EAGER: bool, const RELAXED: bool> Reader<'_, '_, '_, EAGER, RELAXED> {
    /// Reads the number at `start`; returns the offset after it.
    #[inline(always)]
    pub(super) fn number(&mut self, start: usize) -> Result<usize> {
        let negative = self.input[start] == b'-';
        let first = start + usize::from(negative);
        if let Some((value, digits)) = whole_number(self.input, first) {
            let value = value as i64;
            if value > 0 || !negative {
                let value = if negative { -value } else { value };
                self.push(Token::int_unchecked(value), start)?;
                return Ok(first + digits);
            }
        }
        if EAGER && !(RELAXED && self.options.lazy_values) {
            return self.number_eager(start, first);
        }
        self.number_longer(start, first)
    }

    /// A number that stays where it is, unless it is whole and fits a token.
    #[inline(never)]
    fn number_longer(&mut self, start: usize, first: usize) -> Result<usize> {
        let input = self.input;
        let negative = first > start;
        let mut pos = first;
        let mut value: i64 = 0;
        // A number of up to 16 digits cannot overflow; longer ones leave by the slow way below.
        while let Some(digit) = input.get(pos).map(|byte| byte.wrapping_sub(b'0')) {
            if digit > 9 || pos - first > INLINE_DIGITS {
                break;
            }
            value = value.wrapping_mul(10).wrapping_add(i64::from(digit));
            pos += 1;
        }
        let digits = pos - first;
        let plain = digits > 0
            && digits <= INLINE_DIGITS
            && !matches!(input.get(pos), Some(b'.' | b'e' | b'E'))
            && (input[first] != b'0' || (digits == 1 && !negative));
        if plain {
            let value = if negative { -value } else { value };
            self.push(Token::int_unchecked(value), start)?;
            return Ok(pos);
        }
        self.number_located(start, first)
    }

    /// The general case: the grammar is checked, the number stays where it is.
    fn number_located(&mut self, start: usize, first: usize) -> Result<usize> {
        let input = self.input;
        let digit = input.get(first).is_some_and(u8::is_ascii_digit);
        if RELAXED && self.options.lazy_values && (digit || input.get(first) != Some(&b'I')) {
            return self.number_unchecked(start);
        }
        if !digit {
            return self.not_finite(start, first);
        }
        let (end, real) =
            grammar(input, first).map_err(|(code, at)| self.expected(code, at, "a digit"))?;
        self.located(start, end, real)?;
        Ok(end)
    }

    /// A number whose value is wanted at once: grammar and value in one pass.
    #[inline(never)]
    fn number_eager(&mut self, start: usize, first: usize) -> Result<usize> {
        let input = self.input;
        if let Some((value, end)) = float::usual(input, start)
            && let Some(token) = Token::real59(value)
        {
            self.push(token, start)?;
            return Ok(end);
        }
        self.number_scanned(start, first)
    }

    /// The same for numbers of any kind.
    #[inline(never)]
    fn number_scanned(&mut self, start: usize, first: usize) -> Result<usize> {
        let input = self.input;
        if !input.get(first).is_some_and(u8::is_ascii_digit) {
            return self.not_finite(start, first);
        }
        let scan = float::scan(input, start).map_err(|error| self.fault(error))?;
        let real = scan.kind == float::NumberKind::Real;
        if !real && scan.digits as usize <= INLINE_DIGITS && (scan.mantissa != 0 || first == start)
        {
            let value = scan.mantissa as i64;
            let value = if first > start { -value } else { value };
            self.push(Token::int_unchecked(value), start)?;
            return Ok(scan.end);
        }
        if real {
            let value = float::value(&scan, input);
            if let Some(token) = Token::real59(value) {
                self.push(token, start)?;
                return Ok(scan.end);
            }
            if value.is_infinite() && !self.options.overflow_is_infinite {
                return Err(self.overflow(start, scan.end));
            }
        }
        self.located(start, scan.end, real)?;
        Ok(scan.end)
    }

    #[cold]
    fn fault(&self, error: float::NumberError) -> Error {
        let code = match error.fault {
            float::NumberFault::LeadingZero => ErrorCode::LeadingZero,
            float::NumberFault::MissingDigits => ErrorCode::MissingDigits,
        };
        self.expected(code, error.at, "a digit")
    }

    #[cold]
    fn overflow(&self, start: usize, end: usize) -> Error {
        let text = core::str::from_utf8(&self.input[start..end]).unwrap_or_default();
        overflow(text, A_DOUBLE).or_offset(Some(start))
    }

    /// Without the grammar: all bytes that may stand in a number. Reading it checks it.
    fn number_unchecked(&mut self, start: usize) -> Result<usize> {
        let rest = &self.input[start..];
        let in_number = |byte: &u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
        let length = rest.iter().take_while(|byte| in_number(byte)).count();
        let real = rest[..length]
            .iter()
            .any(|byte| matches!(byte, b'.' | b'e' | b'E'));
        self.located(start, start + length, real)?;
        Ok(start + length)
    }

    fn located(&mut self, start: usize, end: usize, real: bool) -> Result<()> {
        let (kind, variant) = if real {
            (Kind::Real, variant::REAL_TEXT)
        } else {
            (Kind::Int, variant::PLAIN)
        };
        let at = self.builder.tape().locate(start, end - start, false, false);
        self.push(Token::located(kind, variant, at), start)
    }
}

/// The number whose first digit is due at `first`: the offset after it, and whether it has a
/// fraction or exponent; else what is wrong, and where.
pub(super) fn grammar(
    input: &[u8],
    first: usize,
) -> core::result::Result<(usize, bool), (ErrorCode, usize)> {
    let mut pos = digits(input, first)?;
    if input[first] == b'0' && pos - first > 1 {
        return Err((ErrorCode::LeadingZero, first + 1));
    }
    let mut real = false;
    if input.get(pos) == Some(&b'.') {
        real = true;
        pos = digits(input, pos + 1)?;
    }
    if matches!(input.get(pos), Some(b'e' | b'E')) {
        real = true;
        let sign = matches!(input.get(pos + 1), Some(b'+' | b'-'));
        pos = digits(input, pos + 1 + usize::from(sign))?;
    }
    Ok((pos, real))
}

/// At least one digit from `pos` on; the offset after the last.
#[inline]
fn digits(input: &[u8], pos: usize) -> core::result::Result<usize, (ErrorCode, usize)> {
    let rest = input.get(pos..).unwrap_or_default();
    match rest.iter().take_while(|byte| byte.is_ascii_digit()).count() {
        0 => Err((ErrorCode::MissingDigits, pos)),
        count => Ok(pos + count),
    }
}

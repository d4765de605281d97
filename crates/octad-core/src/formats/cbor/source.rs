//! Decoding what the CBOR reader located: chunks joined, numbers and dates read from their bytes.
//!
//! Everything was checked when the tape was filled; a token that says something else about its bytes
//! comes from elsewhere and gives an error.

use std::borrow::Cow;

use crate::error::{Error, ErrorCode, Result};
use crate::source::{Int, Source, Text};
use crate::tape::{self, Long, Tape};
use crate::text::float;
use crate::text::instant::Instant;
use crate::text::time::Time;
use crate::token::{Kind, Token, variant};

use super::ReadOptions;
use super::half::{half_to_double, single_to_double};
use super::head::{BREAK, BYTES, TEXT, chunks, head};
use super::places::is_chunked;
use super::tagged::{decimal_of, float, instant_of, time_of, whole_of};
use super::whole::Whole;

/// CBOR with what is needed to read its located values.
#[derive(Clone, Copy, Debug)]
pub struct CborSource<'a> {
    long: &'a [Long],
    input: &'a [u8],
    /// The most digits of a number that is read.
    digits: Option<u32>,
}

impl<'a> CborSource<'a> {
    /// The source of a tape that was read from `input` with `options`.
    #[must_use]
    pub fn new(tape: &'a Tape, input: &'a [u8], options: &ReadOptions) -> Self {
        Self {
            long: tape.long(),
            input,
            digits: options.limits.digits,
        }
    }

    #[inline]
    fn located(&self, token: Token) -> Result<&'a [u8]> {
        tape::range(token, self.long)
            .and_then(|range| self.input.get(range))
            .ok_or_else(outside)
    }

    fn whole(&self, token: Token) -> Result<Whole> {
        let value = whole_of(self.located(token)?).ok_or_else(outside)?;
        if let Some(limit) = self.digits
            && value.digit_count() > limit as usize + 1
        {
            return Err(Error::new(ErrorCode::DigitsLimit)
                .with("limit", limit)
                .with("size", value.digit_count()));
        }
        Ok(value)
    }
}

impl Source for CborSource<'_> {
    #[inline(always)]
    fn text<'a>(&'a self, token: Token, scratch: &'a mut Vec<u8>) -> Result<Text<'a>> {
        let bytes = self.located(token)?;
        if token.is_plain_ascii() {
            return Ok(Text::Ascii(bytes));
        }
        if !token.location().escaped {
            return Ok(Text::Utf8(bytes));
        }
        scratch.clear();
        chunks(bytes).for_each(|chunk| scratch.extend_from_slice(chunk));
        Ok(if token.location().non_ascii {
            Text::Utf8(scratch)
        } else {
            Text::Ascii(scratch)
        })
    }

    #[inline(always)]
    fn plain_text(&self, token: Token) -> Option<(&[u8], usize)> {
        let (start, length) = token.plain_text()?;
        let rest = self.input.get(start..)?;
        (length <= rest.len()).then_some((rest, length))
    }

    fn int(&self, token: Token) -> Result<Int<'_>> {
        if token.is_owned() {
            return Ok(Int::I64(token.int_value()));
        }
        let value = self.whole(token)?;
        if let Whole::Small(value) = value {
            if let Ok(value) = i64::try_from(value) {
                return Ok(Int::I64(value));
            }
            if let Ok(value) = u64::try_from(value) {
                return Ok(Int::U64(value));
            }
        }
        Ok(Int::Big(Cow::Owned(value.digits())))
    }

    #[inline]
    fn real(&self, token: Token) -> Result<f64> {
        if token.kind() == Kind::Real59 {
            return Ok(token.real59_value());
        }
        match token.variant() {
            variant::REAL_F16 => Ok(f64::from_bits(half_to_double(token.payload() as u16))),
            variant::REAL_F32 => Ok(f64::from_bits(single_to_double(token.payload() as u32))),
            variant::REAL_F64 => float(self.located(token)?, 0).ok_or_else(outside),
            variant::REAL_DECIMAL => Ok(float::parse(&self.decimal(token)?)),
            _ => Err(outside()),
        }
    }

    fn decimal(&self, token: Token) -> Result<Cow<'_, str>> {
        match token.kind() {
            Kind::Int if token.is_owned() => Ok(token.int_value().to_string().into()),
            Kind::Int => Ok(self.whole(token)?.digits().into()),
            Kind::Real if token.variant() == variant::REAL_DECIMAL => {
                let literal = decimal_of(self.located(token)?, self.digits);
                literal.map(Cow::Owned).ok_or_else(outside)
            }
            _ => {
                let mut text = Vec::new();
                float::write_repr(self.real(token)?, &mut text);
                Ok(String::from_utf8_lossy(&text).into_owned().into())
            }
        }
    }

    fn bytes<'a>(&'a self, token: Token, scratch: &'a mut Vec<u8>) -> Result<&'a [u8]> {
        let bytes = self.located(token)?;
        if token.variant() != variant::BYTES_CHUNKED {
            return Ok(bytes);
        }
        scratch.clear();
        chunks(bytes).for_each(|chunk| scratch.extend_from_slice(chunk));
        Ok(scratch)
    }

    fn instant(&self, token: Token) -> Result<Instant> {
        instant_of(self.located(token)?).ok_or_else(outside)
    }

    fn time(&self, token: Token) -> Result<Time> {
        time_of(self.located(token)?).ok_or_else(outside)
    }

    fn tag(&self, token: Token) -> Result<u64> {
        if token.variant() != variant::TAG_LOCATED {
            return Ok(token.payload());
        }
        let bytes = self.located(token)?;
        if bytes.len() > 8 {
            return Err(outside());
        }
        Ok(bytes
            .iter()
            .fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    #[inline]
    fn slice(&self, token: Token) -> Option<&[u8]> {
        if token.is_owned() {
            return None;
        }
        self.located(token).ok()
    }

    #[inline]
    fn offset(&self, token: Token) -> Option<usize> {
        if token.is_owned() {
            return None;
        }
        tape::range(token, self.long).map(|range| range.start)
    }

    fn spelling(&self, token: Token) -> Option<&[u8]> {
        if token.is_owned() {
            return None;
        }
        let range = tape::range(token, self.long)?;
        let major = match token.kind() {
            Kind::Text => TEXT,
            Kind::Bytes if token.variant() != variant::UUID => BYTES,
            Kind::Int | Kind::Real | Kind::Time => return self.input.get(range),
            _ => return None,
        };
        if is_chunked(token) {
            let end = range.end + 1;
            let item = self.input.get(range.start.checked_sub(1)?..end)?;
            return item.ends_with(&[BREAK]).then_some(item);
        }
        // The head stands before the content. Of the sizes that it may have only one gives this
        // length: what would make it wider by coincidence makes it longer than the content too.
        [1, 2, 3, 5, 9].into_iter().find_map(|size| {
            let start = range.start.checked_sub(size)?;
            let head = head(self.input, start).ok()?;
            let same = head.major == major
                && usize::from(head.size) == size
                && !head.is_open()
                && head.length() == range.len();
            same.then(|| self.input.get(start..range.end)).flatten()
        })
    }
}

#[cold]
fn outside() -> Error {
    Error::new(ErrorCode::InvalidTape)
        .with("problem", "a value outside its source")
        .with("place", "")
}

//! Strings of the JSON reader: found by a byte kernel, escapes checked and left in place.

use crate::error::{Error, ErrorCode, Result};
use crate::scan;
use crate::text::escape::Surrogates;
use crate::token::{Kind, Located, Token, variant};

use super::options::SURROGATE_ADVICE;
use super::parse::Reader;

impl<const EAGER: bool, const RELAXED: bool> Reader<'_, '_, '_, EAGER, RELAXED> {
    /// Reads the string whose quote is at `quote`; returns the offset after its end.
    #[inline(always)]
    pub(super) fn string(&mut self, quote: usize) -> Result<usize> {
        if let Some(window) = window(self.input, quote)
            && let Some((length, non_ascii)) = short(window)
        {
            self.short_text(quote + 1, length, non_ascii)?;
            return Ok(quote + length + 2);
        }
        self.long_string(quote)
    }

    /// Reads a key of up to 15 bytes and the colon right behind it, the common case; returns the
    /// offset of the value, which is one blank away at most. None: nothing was read.
    #[inline(always)]
    pub(super) fn short_key(&mut self, quote: usize) -> Result<Option<usize>> {
        let Some(window) = window(self.input, quote) else {
            return Ok(None);
        };
        let Some((length, non_ascii)) = short(window) else {
            return Ok(None);
        };
        let [colon, first, second] = [window[length + 2], window[length + 3], window[length + 4]];
        if colon != b':' {
            return Ok(None);
        }
        let value = if first > b' ' {
            length + 3
        } else if first == b' ' && second > b' ' {
            length + 4
        } else {
            return Ok(None);
        };
        self.short_text(quote + 1, length, non_ascii)?;
        Ok(Some(quote + value))
    }

    #[inline(always)]
    fn short_text(&mut self, start: usize, length: usize, non_ascii: bool) -> Result<()> {
        self.non_ascii |= non_ascii;
        let at = Located {
            offset: start as u32,
            length: length as u32,
            escaped: false,
            non_ascii,
        };
        self.push(
            Token::located(Kind::Text, variant::TEXT_DOUBLE, at),
            start - 1,
        )
    }

    /// The rest of [`Self::string`]; does the same for any string.
    #[inline(never)]
    pub(super) fn long_string(&mut self, quote: usize) -> Result<usize> {
        let start = quote + 1;
        let (end, non_ascii) = scan::long_string_end(self.input, start);
        if self.input.get(end) == Some(&b'"') {
            return self.text(start, end, false, non_ascii);
        }
        self.string_with_escapes(start, end, non_ascii)
    }

    #[inline(always)]
    fn text(&mut self, start: usize, end: usize, escaped: bool, non_ascii: bool) -> Result<usize> {
        self.non_ascii |= non_ascii;
        let at = self
            .builder
            .tape()
            .locate(start, end - start, escaped, non_ascii);
        self.push(
            Token::located(Kind::Text, variant::TEXT_DOUBLE, at),
            start - 1,
        )?;
        Ok(end + 1)
    }

    #[inline(never)]
    fn string_with_escapes(
        &mut self,
        start: usize,
        mut pos: usize,
        mut non_ascii: bool,
    ) -> Result<usize> {
        let mut escaped = false;
        loop {
            match self.input.get(pos) {
                Some(b'"') => return self.text(start, pos, escaped, non_ascii),
                Some(b'\\') => {
                    escaped = true;
                    pos = if RELAXED && self.options.lazy_values {
                        (pos + 2).min(self.input.len())
                    } else {
                        self.escape(pos)?
                    };
                }
                Some(_) if RELAXED && self.options.lazy_values => {
                    // Marked as if it had an escape, so that reading it looks closer.
                    escaped = true;
                    pos += 1;
                }
                Some(_) => return Err(Error::at(ErrorCode::ControlCharacter, pos)),
                None => return Err(self.expected(ErrorCode::UnexpectedEnd, pos, "`\"`")),
            }
            let (end, more) = scan::string_end(self.input, pos);
            pos = end;
            non_ascii |= more;
        }
    }

    /// Checks the escape whose backslash is at `pos`; returns the offset after it.
    #[inline]
    fn escape(&self, pos: usize) -> Result<usize> {
        match self.input.get(pos + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(pos + 2),
            Some(b'u') => self.unicode_escape(pos),
            Some(_) => Err(Error::at(ErrorCode::InvalidEscape, pos)),
            None => Err(self.expected(ErrorCode::UnexpectedEnd, self.input.len(), "an escape")),
        }
    }

    fn unicode_escape(&self, pos: usize) -> Result<usize> {
        let unit = self.unit(pos)?;
        if !(0xd800..0xe000).contains(&unit) || self.options.surrogates != Surrogates::Error {
            return Ok(pos + 6);
        }
        let low = (unit < 0xdc00 && self.input[pos + 6..].starts_with(b"\\u"))
            .then(|| self.unit(pos + 6))
            .transpose()?;
        if low.is_some_and(|unit| (0xdc00..0xe000).contains(&unit)) {
            return Ok(pos + 12);
        }
        if unit < 0xdc00 && (self.input.len() == pos + 6 || self.input.ends_with(b"\\")) {
            let rest = &self.input[pos + 6..];
            if rest.is_empty() || rest == b"\\" {
                return Err(self.expected(ErrorCode::UnexpectedEnd, self.input.len(), "`\"`"));
            }
        }
        Err(Error::at(ErrorCode::LoneSurrogate, pos).with("advice", SURROGATE_ADVICE))
    }

    /// The 16-bit unit of the `\u` escape at `pos`.
    fn unit(&self, pos: usize) -> Result<u32> {
        let mut unit = 0;
        for place in pos + 2..pos + 6 {
            let digit = match self.input.get(place) {
                Some(byte) => (*byte as char).to_digit(16),
                None => {
                    let expected = "a hexadecimal digit";
                    return Err(self.expected(ErrorCode::UnexpectedEnd, place, expected));
                }
            };
            match digit {
                Some(digit) => unit = unit << 4 | digit,
                None => return Err(Error::at(ErrorCode::InvalidUnicodeEscape, pos)),
            }
        }
        Ok(unit)
    }
}

/// What the quick ways see of the input: a quote, a block, and what may stand behind it.
const WINDOW: usize = 24;

#[inline(always)]
fn window(input: &[u8], quote: usize) -> Option<&[u8; WINDOW]> {
    input.get(quote..)?.first_chunk()
}

/// A string of up to 15 bytes without escapes: its length, and whether it is beyond ASCII.
#[inline(always)]
fn short(window: &[u8; WINDOW]) -> Option<(usize, bool)> {
    let block = window[1..].first_chunk()?;
    let (length, non_ascii) = scan::short_string_end(block)?;
    (window[length + 1] == b'"').then_some((length, non_ascii))
}

//! Decoding what the JSON reader located: text by unescaping, numbers by reading their digits.

use std::borrow::Cow;

use crate::error::{Error, ErrorCode, Path, Result, Segment};
use crate::scan::{self, ValidText};
use crate::source::{Int, Source, Text};
use crate::tape::{self, Long, Tape};
use crate::text::escape::{self, EscapeFault, Surrogates};
use crate::text::float;
use crate::token::{Kind, Token, TokenId, variant};

use super::ReadOptions;
use super::number::grammar;
use super::options::SURROGATE_ADVICE;

/// A JSON text with what is needed to read its located values.
#[derive(Clone, Copy, Debug)]
pub struct JsonSource<'a> {
    tokens: &'a [Token],
    long: &'a [Long],
    input: &'a [u8],
    /// The input, where it is known to be UTF-8.
    text: Option<ValidText<'a>>,
    surrogates: Surrogates,
    /// Values were not checked when the tape was filled, so reading them does it.
    unchecked: bool,
}

impl<'a> JsonSource<'a> {
    /// The source of a tape that was read from `input` with `options`.
    #[must_use]
    pub fn new(tape: &'a Tape, input: &'a [u8], options: &ReadOptions) -> Self {
        Self {
            tokens: tape.tokens(),
            long: tape.long(),
            input,
            text: None,
            surrogates: options.surrogates,
            unchecked: options.lazy_values,
        }
    }

    /// The same, with the input as the text that it was found to be: the result of reading it.
    #[must_use]
    pub fn with_text(self, text: Option<ValidText<'a>>) -> Self {
        // Of another input nothing is known.
        let same = |text: &ValidText<'_>| core::ptr::eq(text.as_bytes(), self.input);
        Self {
            text: text.filter(same),
            ..self
        }
    }

    /// The source while its tape is still being filled: reads keys for paths.
    pub(super) fn partial(input: &'a [u8], long: &'a [Long]) -> Self {
        Self {
            tokens: &[],
            long,
            input,
            text: None,
            surrogates: Surrogates::Replace,
            unchecked: true,
        }
    }

    #[inline]
    fn range(&self, token: Token) -> Option<core::ops::Range<usize>> {
        tape::range(token, self.long)
    }

    #[inline]
    fn bytes(&self, token: Token) -> Result<&'a [u8]> {
        self.range(token)
            .and_then(|range| self.input.get(range))
            .ok_or_else(outside)
    }

    fn str(&self, token: Token) -> Result<&'a str> {
        core::str::from_utf8(self.bytes(token)?).map_err(|_| outside())
    }

    /// The text of a number, checked against the grammar where the reader has not done so.
    fn number(&self, token: Token) -> Result<&'a str> {
        let text = self.str(token)?;
        if self.unchecked && token.variant() != variant::REAL_SPECIAL {
            let start = self.range(token).map_or(0, |range| range.start);
            let first = usize::from(text.starts_with('-'));
            let problem = match grammar(text.as_bytes(), first) {
                Ok((end, _)) if end == text.len() => None,
                Ok((end, _)) => Some((ErrorCode::ExpectedComma, end)),
                Err(problem) => Some(problem),
            };
            if let Some((code, at)) = problem {
                let error = Error::at(code, start + at).with("expected", "the end of the number");
                return Err(error.with_found(self.input));
            }
        }
        Ok(text)
    }

    /// Refuses control characters and ill-formed UTF-8 where the reader has not done so.
    fn check_text(&self, token: Token, bytes: &[u8]) -> Result<()> {
        if self.unchecked
            && let Some(at) = bytes.iter().position(|byte| *byte < 0x20)
        {
            let start = self.range(token).map_or(0, |range| range.start);
            let error = Error::at(ErrorCode::ControlCharacter, start + at);
            return Err(error.with_found(self.input));
        }
        if self.unchecked
            && let Some(at) = scan::utf8_error(bytes)
        {
            let start = self.range(token).map_or(0, |range| range.start);
            let found = format!("the byte 0x{:02x}", bytes[at]);
            return Err(Error::at(ErrorCode::InvalidUtf8, start + at).with("found", found));
        }
        Ok(())
    }

    /// Text that is long, has escapes or is not ASCII.
    #[inline(never)]
    fn decode<'b>(&'b self, token: Token, scratch: &'b mut Vec<u8>) -> Result<Text<'b>> {
        let bytes = self.bytes(token)?;
        if token.is_plain_ascii() {
            return Ok(Text::Ascii(bytes));
        }
        if !token.location().escaped
            && let Some(whole) = self.text
            && let Some(range) = self.range(token)
            && let Some(text) = whole.slice(range.start, range.end)
        {
            return Ok(Text::Valid(text));
        }
        self.check_text(token, bytes)?;
        if !token.location().escaped {
            return Ok(Text::Utf8(bytes));
        }
        scratch.clear();
        escape::unescape_json(bytes, scratch, self.surrogates).map_err(|problem| {
            let code = match problem.kind {
                EscapeFault::BadEscape => ErrorCode::InvalidEscape,
                EscapeFault::BadUnicode => ErrorCode::InvalidUnicodeEscape,
                EscapeFault::LoneSurrogate => ErrorCode::LoneSurrogate,
            };
            let start = self.offset(token).unwrap_or(0);
            Error::at(code, start + problem.at)
                .with("advice", SURROGATE_ADVICE)
                .with_found(self.input)
        })?;
        if scratch.is_ascii() {
            Ok(Text::Ascii(scratch))
        } else {
            Ok(Text::Utf8(scratch))
        }
    }

    /// A key for a path: escapes decoded, what cannot be decoded replaced.
    #[must_use]
    pub fn key_lossy(&self, token: Token) -> String {
        let mut scratch = Vec::new();
        let lenient = Self {
            surrogates: Surrogates::Replace,
            ..*self
        };
        match lenient.text(token, &mut scratch) {
            Ok(text) => String::from_utf8_lossy(text.bytes()).into_owned(),
            Err(_) => String::from_utf8_lossy(self.bytes(token).unwrap_or(b"?")).into_owned(),
        }
    }

    /// The first text longer than `limit` bytes.
    pub(super) fn check_text_limit(&self, limit: u64) -> Result<()> {
        for (id, &token) in self.tokens.iter().enumerate() {
            if token.kind() == Kind::Text && !token.is_owned() {
                let size = self.range(token).map_or(0, |range| range.len() as u64);
                if size > limit {
                    let at = self.range(token).map_or(0, |range| range.start - 1);
                    return Err(Error::at(ErrorCode::TextLimit, at)
                        .with("limit", limit)
                        .with("size", size)
                        .with_path(self.path_to(id as TokenId)));
                }
            }
        }
        Ok(())
    }

    /// Refuses an object with two equal keys: the second one nearest to the start is reported.
    pub(super) fn check_duplicates(&self) -> Result<()> {
        let mut scratch = Vec::new();
        let repeat = tape::repeated_key(self.tokens, |key| {
            let token = self.tokens[key as usize];
            let text = self.text(token, &mut scratch);
            let text = text.map_err(|error| error.with_path(self.path_to(key)))?;
            let at = self.offset(token).unwrap_or(1) - 1;
            Ok((text.bytes().to_vec(), at))
        })?;
        let Some(repeat) = repeat else {
            return Ok(());
        };
        let name = self.key_lossy(self.tokens[repeat.key as usize]);
        Err(repeat.error(name, self.steps_to(repeat.head)))
    }

    #[cold]
    fn path_to(&self, target: TokenId) -> Path {
        Path::from_outer(self.steps_to(target))
    }

    /// The way to a token; for a key, that to its object.
    fn steps_to(&self, target: TokenId) -> Vec<Segment> {
        tape::steps_to(self.tokens, target, |key| {
            self.key_lossy(self.tokens[key as usize])
        })
    }
}

impl Source for JsonSource<'_> {
    #[inline(always)]
    fn text<'a>(&'a self, token: Token, scratch: &'a mut Vec<u8>) -> Result<Text<'a>> {
        // Nine texts of ten are short and plain: one slice, no call.
        let at = token.location();
        if token.is_plain_ascii() && at.length != Token::LONG {
            let start = at.offset as usize;
            if let Some(bytes) = self.input.get(start..start + at.length as usize) {
                return Ok(Text::Ascii(bytes));
            }
        }
        self.decode(token, scratch)
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
        let text = self.number(token)?;
        if let Ok(value) = text.parse::<i64>() {
            return Ok(Int::I64(value));
        }
        if let Ok(value) = text.parse::<u64>() {
            return Ok(Int::U64(value));
        }
        Ok(Int::Big(Cow::Borrowed(text)))
    }

    #[inline]
    fn real(&self, token: Token) -> Result<f64> {
        if token.kind() == Kind::Real59 {
            return Ok(token.real59_value());
        }
        let text = self.number(token)?;
        if token.kind() == Kind::Real && token.variant() == variant::REAL_SPECIAL {
            return Ok(match text {
                "Infinity" => f64::INFINITY,
                "-Infinity" => f64::NEG_INFINITY,
                _ => f64::NAN,
            });
        }
        Ok(float::parse(text))
    }

    fn decimal(&self, token: Token) -> Result<Cow<'_, str>> {
        self.number(token).map(Cow::Borrowed)
    }

    #[inline]
    fn slice(&self, token: Token) -> Option<&[u8]> {
        if token.is_owned() {
            return None;
        }
        self.bytes(token).ok()
    }

    fn offset(&self, token: Token) -> Option<usize> {
        if token.is_owned() {
            return None;
        }
        self.range(token).map(|range| range.start)
    }

    #[inline(always)]
    fn spelling(&self, token: Token) -> Option<&[u8]> {
        let quote = usize::from(token.kind() == Kind::Text);
        let range = self.range(token)?;
        self.input
            .get(range.start.checked_sub(quote)?..range.end + quote)
    }
}

#[cold]
fn outside() -> Error {
    Error::new(ErrorCode::InvalidTape)
        .with("problem", "a value outside its source")
        .with("place", "")
}

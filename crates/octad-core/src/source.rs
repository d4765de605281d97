//! `Source`: how the values that a tape only locates are decoded, one implementation a format.
//!
//! Readers of documents are generic over it. Implementations never trust a token further than the
//! bytes it points into: a bad one gives an error, not a panic.

use std::borrow::Cow;

use crate::error::{Error, ErrorCode, Result};
use crate::text::instant::Instant;
use crate::text::time::Time;
use crate::token::Token;

/// Text, decoded as far as needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text<'a> {
    /// Bytes that were promised to be ASCII by the reader. Whoever relies on it for more than
    /// speed checks again while copying.
    Ascii(&'a [u8]),
    /// UTF-8 that has been checked.
    Valid(&'a str),
    /// UTF-8, or WTF-8 where lone surrogates are kept.
    Utf8(&'a [u8]),
}

impl<'a> Text<'a> {
    /// The bytes.
    #[inline]
    #[must_use]
    pub fn bytes(self) -> &'a [u8] {
        match self {
            Self::Ascii(bytes) | Self::Utf8(bytes) => bytes,
            Self::Valid(text) => text.as_bytes(),
        }
    }
}

/// A whole number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Int<'a> {
    /// Fits 64 signed bits.
    I64(i64),
    /// Fits 64 unsigned bits.
    U64(u64),
    /// Larger: decimal digits, with a minus where negative.
    Big(Cow<'a, str>),
}

/// Decodes located values.
pub trait Source {
    /// The text of a TEXT or NAME token; `scratch` holds it where it has to be decoded.
    ///
    /// # Errors
    /// A value that is not what its token says (unchecked values, foreign tapes).
    fn text<'a>(&'a self, token: Token, scratch: &'a mut Vec<u8>) -> Result<Text<'a>>;

    /// A plain text (no escapes, promised to be ASCII): all of the source from its first byte on,
    /// and its length, so that readers can look at whole blocks. None where only `text` will do.
    #[inline]
    fn plain_text(&self, token: Token) -> Option<(&[u8], usize)> {
        let _ = token;
        None
    }

    /// The whole number of an INT token.
    ///
    /// # Errors
    /// As for `text`.
    fn int(&self, token: Token) -> Result<Int<'_>>;

    /// The double nearest to a REAL token; infinite where it is too large.
    ///
    /// # Errors
    /// As for `text`.
    fn real(&self, token: Token) -> Result<f64>;

    /// The exact text of a number, where numbers are text.
    ///
    /// # Errors
    /// As for `text`.
    fn decimal(&self, token: Token) -> Result<Cow<'_, str>>;

    /// The bytes of a BYTES token; `scratch` holds them where they do not stand in one piece.
    ///
    /// # Errors
    /// As for `text`.
    fn bytes<'a>(&'a self, token: Token, scratch: &'a mut Vec<u8>) -> Result<&'a [u8]> {
        let _ = scratch;
        self.slice(token).ok_or_else(|| {
            Error::new(ErrorCode::InvalidTape)
                .with("problem", "a value outside its source")
                .with("place", "")
        })
    }

    /// The point in time of a TIME token that counts from the epoch.
    ///
    /// # Errors
    /// As for `text`.
    fn instant(&self, token: Token) -> Result<Instant> {
        Err(Error::new(ErrorCode::InvalidTape)
            .with("problem", "a value that its format does not have")
            .with("place", format_args!(": {}", token.kind().name())))
    }

    /// The date, time of day or both of a TIME token.
    ///
    /// # Errors
    /// As for `text`.
    fn time(&self, token: Token) -> Result<Time> {
        self.instant(token)?.to_utc().ok_or_else(|| {
            Error::new(ErrorCode::InvalidTape)
                .with("problem", "a value that its format does not have")
                .with("place", format_args!(": {}", token.kind().name()))
        })
    }

    /// The number of a TAG token that has one.
    ///
    /// # Errors
    /// As for `text`.
    fn tag(&self, token: Token) -> Result<u64> {
        Ok(token.payload())
    }

    /// The bytes of a located value as they stand in the source, without quotes.
    fn slice(&self, token: Token) -> Option<&[u8]>;

    /// The byte offset of a located value, without its quote.
    fn offset(&self, token: Token) -> Option<usize>;

    /// All of a located text or number as its format spells it, with quotes or head: what may be
    /// written to the same format as it is. None for what has no spelling of its own.
    fn spelling(&self, token: Token) -> Option<&[u8]>;
}

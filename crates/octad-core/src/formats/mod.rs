//! The formats and their registry: one folder and one line each.
//!
//! A format fills a tape (`parse`), decodes what the tape only located (`source`) and writes
//! (`write`). It never knows another format, nor documents. What all of them share is asked through
//! [`AnySource`], matched once a document.

pub mod json;

use crate::error::Result;
use crate::source::{Int, Source, Text};
use crate::tape::Tape;
use crate::text::escape::Surrogates;
use crate::token::Token;

/// A format's row in the registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormatInfo {
    /// The format.
    pub id: FormatId,
    /// Its name, which is also its module in Python.
    pub name: &'static str,
    /// File extensions, the usual one first, without the dot.
    pub extensions: &'static [&'static str],
    /// Media types, the registered one first.
    pub media_types: &'static [&'static str],
    /// Bytes rather than text.
    pub binary: bool,
    /// Comments can be kept.
    pub comments: bool,
    /// The standard it follows.
    pub standard: &'static str,
}

/// The formats that octad reads and writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FormatId {
    /// JSON, RFC 8259.
    Json,
}

/// Every format, a row each.
pub static FORMATS: &[FormatInfo] = &[FormatInfo {
    id: FormatId::Json,
    name: "json",
    extensions: &["json"],
    media_types: &["application/json", "text/json"],
    binary: false,
    comments: false,
    standard: "RFC 8259",
}];

impl FormatId {
    /// The row of this format.
    #[must_use]
    pub fn info(self) -> &'static FormatInfo {
        match self {
            Self::Json => &FORMATS[0],
        }
    }

    /// The format of a name, such as `json`.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        FORMATS
            .iter()
            .find(|row| row.name == name)
            .map(|row| row.id)
    }
}

/// What a document was read with: the format and its options.
#[derive(Clone, Copy, Debug)]
pub enum AnyOptions {
    /// JSON.
    Json(json::ReadOptions),
}

impl AnyOptions {
    /// The format.
    #[must_use]
    pub fn format(&self) -> FormatId {
        match self {
            Self::Json(_) => FormatId::Json,
        }
    }

    /// Fills `tape` with the values of a document, their spellings kept. `checked`: the input is
    /// known to be UTF-8.
    ///
    /// # Errors
    /// A syntax or limit error, with offset and path.
    pub fn parse(&self, input: &[u8], checked: bool, tape: &mut Tape) -> Result<()> {
        match self {
            Self::Json(options) => {
                json::parse(input, checked, json::Numbers::Located, options, tape).map(drop)
            }
        }
    }

    /// The source of a tape that was read from `input` with these options.
    #[must_use]
    pub fn source<'a>(&self, tape: &'a Tape, input: &'a [u8]) -> AnySource<'a> {
        match self {
            Self::Json(options) => AnySource::Json(json::JsonSource::new(tape, input, options)),
        }
    }

    /// Start and end offsets of every token in `input`, by token id.
    #[must_use]
    pub fn places(&self, tape: &Tape, input: &[u8]) -> Vec<Place> {
        match self {
            Self::Json(_) => json::places(tape, input),
        }
    }

    /// True when values were not checked as they were read, so that reading one may fail.
    #[must_use]
    pub fn is_unchecked(&self) -> bool {
        match self {
            Self::Json(options) => options.lazy_values,
        }
    }

    /// True when a text means what its spelling says: nothing is replaced in reading it.
    #[must_use]
    pub fn spelling_holds(&self) -> bool {
        match self {
            Self::Json(options) => options.surrogates != Surrogates::Replace,
        }
    }

    /// Whether a number with a fraction or exponent, spelled so, has a value under these options.
    #[must_use]
    pub fn reads_real(&self, text: &str) -> bool {
        match self {
            Self::Json(options) => options.out_of_range(text).is_none(),
        }
    }

    /// True when a number beyond a double is read as an infinity.
    #[must_use]
    pub fn overflow_is_infinite(&self) -> bool {
        match self {
            Self::Json(options) => options.overflow_is_infinite,
        }
    }

    /// True when numbers with a fraction or exponent are read as decimals.
    #[must_use]
    pub fn decimals(&self) -> bool {
        match self {
            Self::Json(options) => options.decimals,
        }
    }

    /// The most digits of an integer that is read.
    #[must_use]
    pub fn digits(&self) -> Option<u32> {
        match self {
            Self::Json(options) => options.limits.digits,
        }
    }

    /// True when the last of several equal keys counts, false when the first does.
    #[must_use]
    pub fn last_key_wins(&self) -> bool {
        match self {
            Self::Json(options) => options.duplicates != json::Duplicates::First,
        }
    }
}

/// Where a token stands in its source: quotes and brackets included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

/// The source of any format.
#[derive(Clone, Copy, Debug)]
pub enum AnySource<'s> {
    /// JSON.
    Json(json::JsonSource<'s>),
}

impl Source for AnySource<'_> {
    #[inline]
    fn text<'a>(&'a self, token: Token, scratch: &'a mut Vec<u8>) -> Result<Text<'a>> {
        match self {
            Self::Json(source) => source.text(token, scratch),
        }
    }

    #[inline]
    fn plain_text(&self, token: Token) -> Option<(&[u8], usize)> {
        match self {
            Self::Json(source) => source.plain_text(token),
        }
    }

    #[inline]
    fn int(&self, token: Token) -> Result<Int<'_>> {
        match self {
            Self::Json(source) => source.int(token),
        }
    }

    #[inline]
    fn real(&self, token: Token) -> Result<f64> {
        match self {
            Self::Json(source) => source.real(token),
        }
    }

    fn decimal(&self, token: Token) -> Result<&str> {
        match self {
            Self::Json(source) => source.decimal(token),
        }
    }

    #[inline]
    fn slice(&self, token: Token) -> Option<&[u8]> {
        match self {
            Self::Json(source) => source.slice(token),
        }
    }

    #[inline]
    fn offset(&self, token: Token) -> Option<usize> {
        match self {
            Self::Json(source) => source.offset(token),
        }
    }
}

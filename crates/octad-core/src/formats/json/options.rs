//! What may be asked of the JSON reader. Defaults are strict; each field is one Python keyword.

use crate::error::{Error, ErrorCode, quote};
use crate::formats::{Duplicates, ReadPolicy};
use crate::limits::Limits;
use crate::text::escape::Surrogates;
use crate::text::{decimal, float};

/// A range, as messages name it.
pub const A_DOUBLE: &str = "a double";
/// A range, as messages name it.
pub const A_DECIMAL: &str = "a decimal";

/// What a message about a lone surrogate ends with.
pub(super) const SURROGATE_ADVICE: &str = " (`surrogates=` has other policies)";

/// The error for a number out of a range.
#[cold]
#[must_use]
pub fn overflow(text: &str, range: &'static str) -> Error {
    let advice = if range == A_DOUBLE {
        " (`overflow=\"inf\"` or `floats=\"decimal\"` accept it)"
    } else {
        ""
    };
    Error::new(ErrorCode::NumberOverflow)
        .with("range", range)
        .with("found", quote(text.as_bytes()))
        .with("advice", advice)
}

/// What `NaN`, `Infinity` and `-Infinity` mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum NanRead {
    /// An error, as RFC 8259 has it.
    #[default]
    Error,
    /// The floats of those names.
    Literal,
    /// null.
    Null,
}

/// Options of the JSON reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ReadOptions {
    /// Policy for equal keys in one object.
    pub duplicates: Duplicates,
    /// Policy for escapes of lone surrogates.
    pub surrogates: Surrogates,
    /// Policy for the words that are no JSON numbers.
    pub nan: NanRead,
    /// `//` and `/* */` comments are allowed, and kept on the tape of a document.
    pub comments: bool,
    /// A comma may stand before a closing bracket.
    pub trailing_commas: bool,
    /// A number too large for a double is an infinity instead of an error.
    pub overflow_is_infinite: bool,
    /// Numbers with a fraction or exponent are read as decimals, whose range is wider than that of
    /// doubles.
    pub decimals: bool,
    /// Number grammar, escapes and UTF-8 of values are checked when they are read, not before.
    pub lazy_values: bool,
    /// The limits.
    pub limits: Limits,
}

impl ReadOptions {
    /// Whether a number with a fraction or exponent can be read: the range it is out of, if not.
    #[must_use]
    pub fn out_of_range(&self, text: &str) -> Option<&'static str> {
        if self.decimals {
            (!decimal::in_range(text)).then_some(A_DECIMAL)
        } else {
            (!self.overflow_is_infinite && float::parse(text).is_infinite()).then_some(A_DOUBLE)
        }
    }

    /// True when the strict inner loop is enough.
    #[must_use]
    pub fn is_strict(&self) -> bool {
        !self.comments && !self.trailing_commas && !self.lazy_values && self.nan == NanRead::Error
    }
}

impl ReadPolicy for ReadOptions {
    fn limits(&self) -> &Limits {
        &self.limits
    }

    #[inline]
    fn duplicates(&self) -> Duplicates {
        self.duplicates
    }

    #[inline]
    fn is_unchecked(&self) -> bool {
        self.lazy_values
    }

    fn spelling_holds(&self) -> bool {
        self.surrogates != Surrogates::Replace
    }

    fn reads_real(&self, text: &str) -> bool {
        self.out_of_range(text).is_none()
    }

    fn overflow_is_infinite(&self) -> bool {
        self.overflow_is_infinite
    }

    fn decimals(&self) -> bool {
        self.decimals
    }
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            duplicates: Duplicates::Last,
            surrogates: Surrogates::Error,
            nan: NanRead::Error,
            comments: false,
            trailing_commas: false,
            overflow_is_infinite: false,
            decimals: false,
            lazy_values: false,
            limits: Limits::default(),
        }
    }
}

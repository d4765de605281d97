//! `ValueRef`: one value of a document, read when asked.
//!
//! Borrowed and two words wide. Here are kinds and scalars; `members` searches containers, `place`
//! tells where a value stands. What a value is called in Python is the binding's business.

use std::borrow::Cow;

use crate::error::Result;
use crate::source::{Int, Source};
use crate::token::{Kind, Token, TokenId, variant};

use super::Document;

/// What kinds of values users tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueKind {
    /// null
    Null,
    /// undefined, which is not null
    Undefined,
    /// true or false
    Bool,
    /// a whole number
    Int,
    /// a number with a fraction or exponent
    Float,
    /// text
    Text,
    /// an identifier or other symbol
    Name,
    /// bytes
    Bytes,
    /// a date, a time, or both
    Time,
    /// a sequence of values
    Array,
    /// a sequence of pairs
    Object,
}

impl ValueKind {
    /// All kinds, in the order of the variants.
    pub const ALL: [Self; 11] = [
        Self::Null,
        Self::Undefined,
        Self::Bool,
        Self::Int,
        Self::Float,
        Self::Text,
        Self::Name,
        Self::Bytes,
        Self::Time,
        Self::Array,
        Self::Object,
    ];

    /// The name in lower case.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Undefined => "undefined",
            Self::Bool => "bool",
            Self::Int => "int",
            Self::Float => "float",
            Self::Text => "text",
            Self::Name => "name",
            Self::Bytes => "bytes",
            Self::Time => "time",
            Self::Array => "array",
            Self::Object => "object",
        }
    }

    /// The kind with its article, for messages.
    #[must_use]
    pub fn described(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Undefined => "undefined",
            Self::Bool => "a bool",
            Self::Int => "an integer",
            Self::Float => "a float",
            Self::Text => "text",
            Self::Name => "a name",
            Self::Bytes => "bytes",
            Self::Time => "a time",
            Self::Array => "an array",
            Self::Object => "an object",
        }
    }
}

/// A number of either kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Number<'a> {
    /// A whole number.
    Int(Int<'a>),
    /// A double.
    Float(f64),
}

/// One value of a document.
#[derive(Clone, Copy)]
pub struct ValueRef<'d> {
    document: &'d Document,
    id: TokenId,
}

impl<'d> ValueRef<'d> {
    #[inline]
    pub(super) fn new(document: &'d Document, id: TokenId) -> Self {
        Self { document, id }
    }

    /// The document.
    #[must_use]
    pub fn document(self) -> &'d Document {
        self.document
    }

    /// The value's token id: its identity within the document.
    #[inline]
    #[must_use]
    pub fn id(self) -> TokenId {
        self.id
    }

    /// The value's token.
    #[inline]
    #[must_use]
    pub fn token(self) -> Token {
        self.document.tape.get(self.id)
    }

    /// The kind that users see.
    #[must_use]
    pub fn kind(self) -> ValueKind {
        let token = self.token();
        match token.kind() {
            Kind::Simple => match token.variant() {
                variant::TRUE | variant::FALSE => ValueKind::Bool,
                variant::UNDEFINED => ValueKind::Undefined,
                _ => ValueKind::Null,
            },
            Kind::Int => ValueKind::Int,
            Kind::Real | Kind::Real59 => ValueKind::Float,
            Kind::Text | Kind::Short => ValueKind::Text,
            Kind::Name => ValueKind::Name,
            Kind::Bytes => ValueKind::Bytes,
            Kind::Time => ValueKind::Time,
            Kind::List => ValueKind::Array,
            Kind::Map | Kind::Record => ValueKind::Object,
            Kind::Void | Kind::Trivia | Kind::Tag | Kind::Reserved => ValueKind::Undefined,
        }
    }

    /// How the value was written: the name of its variant.
    #[must_use]
    pub fn style(self) -> &'static str {
        let token = self.token();
        match token.kind() {
            Kind::Real59 => "f64",
            Kind::Short => "double",
            kind => kind
                .variants()
                .get(token.variant() as usize)
                .copied()
                .unwrap_or("plain"),
        }
    }

    /// The truth of a BOOL.
    #[must_use]
    pub fn bool(self) -> Option<bool> {
        match self.token() {
            Token::TRUE => Some(true),
            Token::FALSE => Some(false),
            _ => None,
        }
    }

    /// The text, decoded into `scratch` where needed.
    ///
    /// # Errors
    /// `wrong-kind`; a syntax error where values were not checked.
    pub fn text<'a>(self, scratch: &'a mut Vec<u8>) -> Result<Cow<'a, [u8]>>
    where
        'd: 'a,
    {
        let token = self.token();
        match token.kind() {
            Kind::Text | Kind::Name => {
                let source = self.document.source();
                if token.location().escaped {
                    source
                        .text(token, scratch)
                        .map_err(|error| self.placed(error))?;
                    return Ok(Cow::Borrowed(scratch));
                }
                source
                    .text(token, scratch)
                    .map_err(|error| self.placed(error))?;
                let range = self.document.tape.range(token).unwrap_or(0..0);
                Ok(Cow::Borrowed(
                    self.document.input().get(range).unwrap_or_default(),
                ))
            }
            Kind::Short => {
                let (bytes, length) = token.short_value();
                Ok(Cow::Owned(bytes[..length.min(7)].to_vec()))
            }
            _ => Err(self.wrong_kind("text")),
        }
    }

    /// The number, whole or not.
    ///
    /// # Errors
    /// `wrong-kind`; a syntax error where values were not checked.
    pub fn number(self) -> Result<Number<'d>> {
        let token = self.token();
        let document = self.document;
        match token.kind() {
            Kind::Int if token.is_owned() => Ok(Number::Int(Int::I64(token.int_value()))),
            Kind::Int => match document
                .source()
                .int(token)
                .map_err(|error| self.placed(error))?
            {
                Int::I64(value) => Ok(Number::Int(Int::I64(value))),
                Int::U64(value) => Ok(Number::Int(Int::U64(value))),
                Int::Big(Cow::Owned(digits)) => Ok(Number::Int(Int::Big(Cow::Owned(digits)))),
                Int::Big(Cow::Borrowed(_)) => Ok(Number::Int(Int::Big(self.number_text()?))),
            },
            Kind::Real | Kind::Real59 => document
                .source()
                .real(token)
                .map(Number::Float)
                .map_err(|error| self.placed(error)),
            _ => Err(self.wrong_kind("a number")),
        }
    }

    /// The exact text of a located number: its spelling, or made of its bytes.
    ///
    /// # Errors
    /// `wrong-kind` for what is no located number; `digits-limit` where making it would cost too
    /// much.
    pub fn number_text(self) -> Result<Cow<'d, str>> {
        let token = self.token();
        let input = self.document.input();
        if !matches!(token.kind(), Kind::Int | Kind::Real) || token.is_owned() {
            return Err(self.wrong_kind("a number"));
        }
        let source = self.document.source();
        let text = source.decimal(token).map_err(|error| self.placed(error))?;
        if let Cow::Owned(text) = text {
            return Ok(Cow::Owned(text));
        }
        let range = self.document.tape.range(token).unwrap_or(0..0);
        input
            .get(range)
            .and_then(|bytes| core::str::from_utf8(bytes).ok())
            .map(Cow::Borrowed)
            .ok_or_else(|| self.wrong_kind("a number"))
    }
}

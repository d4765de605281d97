//! The table of error codes: name, category, template. The documentation, the Python enum and a
//! test that wants every code shown are all made from it.
//!
//! To add a code: a variant, a row at the same place, a test that raises it. Templates say what was
//! expected, what was found; `{holes}` are filled by `Error::with`.

use core::fmt;

/// What an error is about, and so which Python exception it becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Category {
    /// The text or bytes break the rules of their format.
    Syntax,
    /// A limit was reached.
    Limit,
    /// A value cannot be written.
    Encode,
    /// A value was asked for that is not there, or not of that kind.
    Access,
    /// A well-formed value does not fit the type that was asked for.
    Data,
}

impl Category {
    /// The name shown in listings.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Syntax => "syntax",
            Self::Limit => "limit",
            Self::Encode => "encode",
            Self::Access => "access",
            Self::Data => "data",
        }
    }
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct CodeInfo {
    /// The code of this row.
    pub code: ErrorCode,
    /// Its public name, in kebab case.
    pub name: &'static str,
    /// What it is about.
    pub category: Category,
    /// The message, with `{holes}`.
    pub template: &'static str,
}

/// Every kind of failure of the core. The public name is in [`TABLE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[allow(missing_docs)] // the table below says what each one means
pub enum ErrorCode {
    EmptyInput,
    UnexpectedEnd,
    ExpectedValue,
    ExpectedKey,
    ExpectedColon,
    ExpectedComma,
    TrailingComma,
    TrailingData,
    InvalidLiteral,
    LeadingZero,
    MissingDigits,
    InvalidEscape,
    InvalidUnicodeEscape,
    LoneSurrogate,
    ControlCharacter,
    InvalidUtf8,
    CommentNotAllowed,
    UnterminatedComment,
    NanNotAllowed,
    MismatchedBracket,
    DuplicateKey,
    NumberOverflow,
    InvalidChunk,
    InvalidTag,
    DepthLimit,
    SizeLimit,
    TokenLimit,
    TextLimit,
    DigitsLimit,
    ExpansionLimit,
    OutputLimit,
    UnsupportedType,
    Cycle,
    NotFinite,
    KeyType,
    KeyClash,
    BytesNotAllowed,
    InvalidRaw,
    SizeChanged,
    Unrepresentable,
    InvalidDatetime,
    WriterState,
    WrongKind,
    OutOfRange,
    NotFound,
    InvalidPointer,
    Closed,
    InvalidTape,
    WrongType,
    MissingField,
    UnknownField,
    RepeatedField,
    OutOfBounds,
    WrongLength,
    NoMatch,
    InvalidValue,
    MissingTag,
    UnknownTag,
    NoUnionMember,
    UnresolvedReference,
    Rejected,
    InvalidContract,
}

const fn row(
    code: ErrorCode,
    name: &'static str,
    category: Category,
    template: &'static str,
) -> CodeInfo {
    CodeInfo {
        code,
        name,
        category,
        template,
    }
}

use Category::{Access, Data, Encode, Limit, Syntax};
use ErrorCode as C;

/// All codes, in the order of [`ErrorCode`].
#[rustfmt::skip]
pub static TABLE: [CodeInfo; 62] = [
    row(C::EmptyInput, "empty-input", Syntax, "expected a value, found an empty text"),
    row(C::UnexpectedEnd, "unexpected-end", Syntax, "expected {expected}, found the end of the text"),
    row(C::ExpectedValue, "expected-value", Syntax, "expected a value, found {found}"),
    row(C::ExpectedKey, "expected-key", Syntax, "expected a key in double quotes, found {found}"),
    row(C::ExpectedColon, "expected-colon", Syntax, "expected `:` after the key, found {found}"),
    row(C::ExpectedComma, "expected-comma", Syntax, "expected {expected}, found {found}"),
    row(C::TrailingComma, "trailing-comma", Syntax, "expected no comma before `{bracket}`, found one (`trailing_commas=True` allows it)"),
    row(C::TrailingData, "trailing-data", Syntax, "expected the end of the text after the value, found {found}"),
    row(C::InvalidLiteral, "invalid-literal", Syntax, "expected `true`, `false` or `null`, found {found}"),
    row(C::LeadingZero, "leading-zero", Syntax, "expected a number without leading zeros, found {found} after the zero"),
    row(C::MissingDigits, "missing-digits", Syntax, "expected a digit, found {found}"),
    row(C::InvalidEscape, "invalid-escape", Syntax, "expected one of the escapes \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u, found {found}"),
    row(C::InvalidUnicodeEscape, "invalid-unicode-escape", Syntax, "expected four hexadecimal digits after `\\u`, found {found}"),
    row(C::LoneSurrogate, "lone-surrogate", Syntax, "expected a pair of surrogates, found {found} alone{advice}"),
    row(C::ControlCharacter, "control-character", Syntax, "expected control characters in text to be escaped, found {found}"),
    row(C::InvalidUtf8, "invalid-utf8", Syntax, "expected UTF-8, found {found}"),
    row(C::CommentNotAllowed, "comment-not-allowed", Syntax, "expected no comment, found one (`comments=True` allows them)"),
    row(C::UnterminatedComment, "unterminated-comment", Syntax, "expected `*/` to end the comment, found the end of the text"),
    row(C::NanNotAllowed, "nan-not-allowed", Syntax, "expected a finite number, found {found} (`nan=\"literal\"` allows it)"),
    row(C::MismatchedBracket, "mismatched-bracket", Syntax, "expected {expected}, found {found}"),
    row(C::DuplicateKey, "duplicate-key", Syntax, "expected each key once, found {key} again (first at offset {first})"),
    row(C::NumberOverflow, "number-overflow", Syntax, "expected a number within the range of {range}, found {found}{advice}"),
    row(C::InvalidChunk, "invalid-chunk", Syntax, "expected {expected}, found {found}"),
    row(C::InvalidTag, "invalid-tag", Syntax, "expected {expected} under the tag {tag}, found {found}"),
    row(C::DepthLimit, "depth-limit", Limit, "expected at most {limit} levels of nesting, found one more ({remedy})"),
    row(C::SizeLimit, "size-limit", Limit, "expected an input of at most {limit} bytes, found {size} (for larger data use streaming)"),
    row(C::TokenLimit, "token-limit", Limit, "expected at most {limit} values in one document, found more (for larger data use streaming)"),
    row(C::TextLimit, "text-limit", Limit, "expected a text of at most {limit} bytes, found {size}"),
    row(C::DigitsLimit, "digits-limit", Limit, "expected an integer of at most {limit} digits, found {size} (`Limits(digits=)` raises this)"),
    row(C::ExpansionLimit, "expansion-limit", Limit, "expected at most {limit} times the size of the input, found more"),
    row(C::OutputLimit, "output-limit", Limit, "expected at most {limit} bytes of output, found more"),
    row(C::UnsupportedType, "unsupported-type", Encode, "expected a value that can be written, found {type}{hint}"),
    row(C::Cycle, "cycle", Encode, "expected a tree of values, found {type} inside itself"),
    row(C::NotFinite, "not-finite", Encode, "expected a finite number, found {value} (`nan=` has other policies)"),
    row(C::KeyType, "key-type", Encode, "expected {expected}, found {type}"),
    row(C::KeyClash, "key-clash", Encode, "expected keys of different texts, found {key} twice"),
    row(C::BytesNotAllowed, "bytes-not-allowed", Encode, "expected text, found {type} (choose a form with `bytes=\"base64\"`, `\"base64url\"`, `\"hex\"` or `\"array\"`)"),
    row(C::InvalidRaw, "invalid-raw", Encode, "expected one complete value in the raw fragment, found an error in it: {reason}"),
    row(C::SizeChanged, "size-changed", Encode, "expected {type} to keep its size while it is written, found it changed"),
    row(C::Unrepresentable, "unrepresentable", Encode, "expected a value that {target} can carry, found {value}"),
    row(C::InvalidDatetime, "invalid-datetime", Encode, "expected a date and time with an RFC 3339 form, found {value}"),
    row(C::WriterState, "writer-state", Encode, "expected {expected}, found {call}"),
    row(C::WrongKind, "wrong-kind", Access, "expected {expected}, found {actual}"),
    row(C::OutOfRange, "out-of-range", Access, "expected a number within the range of {expected}, found {value}"),
    row(C::NotFound, "not-found", Access, "expected a value at {pointer}, found none"),
    row(C::InvalidPointer, "invalid-pointer", Access, "expected a JSON Pointer (RFC 6901), found {pointer}"),
    row(C::Closed, "closed", Access, "expected an open document, found a closed one"),
    row(C::InvalidTape, "invalid-tape", Access, "expected a well-formed tape, found {problem}{place}"),
    row(C::WrongType, "wrong-type", Data, "expected {expected}, found {actual}{excerpt}"),
    row(C::MissingField, "missing-field", Data, "expected {expected}, found none"),
    row(C::UnknownField, "unknown-field", Data, "expected {expected}, found {key}"),
    row(C::RepeatedField, "repeated-field", Data, "expected {expected} once, found it again"),
    row(C::OutOfBounds, "out-of-bounds", Data, "expected {expected}, found {actual}{excerpt}"),
    row(C::WrongLength, "wrong-length", Data, "expected {expected}, found {actual}"),
    row(C::NoMatch, "no-match", Data, "expected {expected}, found {actual}{excerpt}"),
    row(C::InvalidValue, "invalid-value", Data, "expected {expected}, found {actual}{excerpt}"),
    row(C::MissingTag, "missing-tag", Data, "expected {expected}, found none"),
    row(C::UnknownTag, "unknown-tag", Data, "expected {expected}, found {actual}{excerpt}"),
    row(C::NoUnionMember, "no-union-member", Data, "expected {expected}, found {actual}{excerpt}{branches}"),
    row(C::UnresolvedReference, "unresolved-reference", Data, "expected an object of the id that is referred to, found none{excerpt}"),
    row(C::Rejected, "rejected", Data, "expected {expected}, found {actual} that it rejects{excerpt}"),
    row(C::InvalidContract, "invalid-contract", Access, "expected a type that can be read and written, found {type}: {reason}"),
];

impl ErrorCode {
    /// The row of this code.
    #[must_use]
    pub fn info(self) -> &'static CodeInfo {
        &TABLE[self as usize]
    }

    /// The public name, such as `unexpected-end`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// What this code is about.
    #[must_use]
    pub fn category(self) -> Category {
        self.info().category
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

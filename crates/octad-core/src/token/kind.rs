//! The names of kinds and variants, and the questions asked about them.
//!
//! The numbers are part of `docs/tape.md`; bit positions are in `mod.rs` beside this file.

/// What a token is. The order is part of the format: containers are the largest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    /// The guard at 0, and free cells.
    Void = 0,
    /// A comment or another piece between values.
    Trivia = 1,
    /// null, false, true and their like.
    Simple = 2,
    /// A whole number.
    Int = 3,
    /// A number with a fraction or exponent.
    Real = 4,
    /// A double held in the token itself.
    Real59 = 5,
    /// Up to seven bytes of text held in the token itself.
    Short = 6,
    /// Text.
    Text = 7,
    /// A symbol: identifier, type name, attribute.
    Name = 8,
    /// A byte string.
    Bytes = 9,
    /// A date, a time, or both.
    Time = 10,
    /// A tag on the value that follows.
    Tag = 11,
    /// A map whose keys are in the shape table.
    Record = 12,
    /// Not used; refused by the verifier.
    Reserved = 13,
    /// A sequence of values.
    List = 14,
    /// A sequence of pairs.
    Map = 15,
}

impl Kind {
    /// The kind of a 4-bit number.
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u8) -> Self {
        // No table: the compiler sees that number and kind are the same.
        match bits & 15 {
            0 => Self::Void,
            1 => Self::Trivia,
            2 => Self::Simple,
            3 => Self::Int,
            4 => Self::Real,
            5 => Self::Real59,
            6 => Self::Short,
            7 => Self::Text,
            8 => Self::Name,
            9 => Self::Bytes,
            10 => Self::Time,
            11 => Self::Tag,
            12 => Self::Record,
            13 => Self::Reserved,
            14 => Self::List,
            _ => Self::Map,
        }
    }

    /// LIST, MAP or RECORD.
    #[inline]
    #[must_use]
    pub const fn is_container(self) -> bool {
        self as u8 >= Self::Record as u8
    }

    /// The upper-case name used in dumps.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Void => "VOID",
            Self::Trivia => "TRIVIA",
            Self::Simple => "SIMPLE",
            Self::Int => "INT",
            Self::Real => "REAL",
            Self::Real59 => "REAL59",
            Self::Short => "SHORT",
            Self::Text => "TEXT",
            Self::Name => "NAME",
            Self::Bytes => "BYTES",
            Self::Time => "TIME",
            Self::Tag => "TAG",
            Self::Record => "RECORD",
            Self::Reserved => "RESERVED",
            Self::List => "LIST",
            Self::Map => "MAP",
        }
    }

    /// The names of this kind's variants, by number. Empty where the variant bits mean something
    /// else.
    #[must_use]
    pub const fn variants(self) -> &'static [&'static str] {
        match self {
            Self::Void | Self::Real59 | Self::Short | Self::Reserved => &[],
            Self::Trivia => &["blank", "line", "block", "separator", "directive", "style"],
            Self::Simple => &["null", "undefined", "false", "true", "missing", "simple"],
            Self::Int => &[
                "plain", "unsigned", "hex", "octal", "binary", "grouped", "big",
            ],
            Self::Real => &["text", "f64", "f32", "f16", "special", "hex", "decimal"],
            Self::Text => &[
                "double",
                "single",
                "multi-double",
                "multi-single",
                "bare",
                "raw",
                "chunked",
            ],
            Self::Name => &["identifier", "reference", "type", "attribute", "metadata"],
            Self::Bytes => &["raw", "base64", "base64url", "base16", "uuid", "chunked"],
            Self::Time => &[
                "offset-date-time",
                "local-date-time",
                "date",
                "time",
                "duration",
                "epoch",
            ],
            Self::Tag => &["cbor", "ext", "type", "element", "located"],
            Self::Record => &["plain", "streamed"],
            Self::List => &["plain", "streamed", "tabular", "inline", "node", "sequence"],
            Self::Map => &[
                "plain",
                "streamed",
                "any-key",
                "inline",
                "implicit",
                "attributes",
                "element",
                "streamed-any-key",
            ],
        }
    }
}

/// Variant numbers, by kind.
pub mod variant {
    #![allow(missing_docs)] // the table in docs/tape.md explains each
    pub const PLAIN: u8 = 0;

    pub const LINE_COMMENT: u8 = 1;
    pub const BLOCK_COMMENT: u8 = 2;

    pub const NULL: u8 = 0;
    pub const UNDEFINED: u8 = 1;
    pub const FALSE: u8 = 2;
    pub const TRUE: u8 = 3;
    pub const MISSING: u8 = 4;
    pub const SIMPLE: u8 = 5;

    pub const INT_UNSIGNED: u8 = 1;
    pub const INT_BIG: u8 = 6;

    pub const REAL_TEXT: u8 = 0;
    pub const REAL_F64: u8 = 1;
    pub const REAL_F32: u8 = 2;
    pub const REAL_F16: u8 = 3;
    pub const REAL_SPECIAL: u8 = 4;
    pub const REAL_DECIMAL: u8 = 6;

    pub const TEXT_DOUBLE: u8 = 0;
    pub const TEXT_CHUNKED: u8 = 6;

    pub const UUID: u8 = 4;
    pub const BYTES_CHUNKED: u8 = 5;

    pub const OFFSET_DATE_TIME: u8 = 0;
    pub const DATE: u8 = 2;
    pub const EPOCH: u8 = 5;

    pub const TAG_CBOR: u8 = 0;
    pub const TAG_EXT: u8 = 1;
    pub const TAG_LOCATED: u8 = 4;

    pub const STREAMED: u8 = 1;
    pub const ANY_KEY: u8 = 2;
    pub const SEQUENCE: u8 = 5;
    pub const STREAMED_ANY_KEY: u8 = 7;
}

/// Where a comment stands relative to its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Placement {
    /// Above the value, or before it on its line.
    Leading = 0,
    /// After the value, on its line.
    EndOfLine = 1,
    /// In a container, after its last value.
    Dangling = 2,
}

impl Placement {
    /// The name used in dumps.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Leading => "leading",
            Self::EndOfLine => "end-of-line",
            Self::Dangling => "dangling",
        }
    }
}

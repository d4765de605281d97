//! What may be asked of the reader and the writer of CBOR.
//!
//! Reading is strict by default and keeps everything; writing takes the preferred forms.

use crate::formats::{Duplicates, ReadPolicy, WritePolicy};
use crate::limits::Limits;

/// What may follow the first item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Trailing {
    /// Nothing.
    #[default]
    Error,
    /// Anything: reading ends behind the first item.
    Stop,
    /// More items (RFC 8742): the document is the list of all of them.
    Sequence,
}

/// What becomes of tags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tags {
    /// Big numbers, decimals, dates and UUIDs are read as what they are, and what stands under
    /// their tags is checked. All other tags stay tags.
    #[default]
    Values,
    /// Every tag stays a tag, whatever stands under it.
    Kept,
}

/// Options of the CBOR reader.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ReadOptions {
    /// Policy for equal keys in one map.
    pub duplicates: Duplicates,
    /// What may follow the first item.
    pub trailing: Trailing,
    /// What becomes of tags.
    pub tags: Tags,
    /// The limits. That on texts holds for byte strings too.
    pub limits: Limits,
}

impl ReadPolicy for ReadOptions {
    fn limits(&self) -> &Limits {
        &self.limits
    }

    fn duplicates(&self) -> Duplicates {
        self.duplicates
    }

    fn may_trail(&self) -> bool {
        self.trailing == Trailing::Stop
    }
}

/// How wide floats are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Floats {
    /// As narrow as holds the number exactly, half precision included.
    #[default]
    Shortest,
    /// Always 64 bits.
    Double,
}

/// The order in which the entries of a map are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum KeyOrder {
    /// As they come.
    #[default]
    Kept,
    /// By the bytes of the written keys (RFC 8949 section 4.2.1).
    Bytewise,
    /// By the length of the written keys, then by their bytes (RFC 7049 section 3.9).
    LengthFirst,
}

/// How dates are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dates {
    /// As RFC 3339 text: tags 0 and 1004.
    #[default]
    Text,
    /// As seconds or days from 1970: tags 1 and 100.
    Epoch,
}

/// What becomes of a lone surrogate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Surrogates {
    /// It is refused: no UTF-8 text has it.
    #[default]
    Error,
    /// U+FFFD.
    Replace,
}

/// The choices of one writer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WriteOptions {
    /// How wide floats are written.
    pub floats: Floats,
    /// The order of entries.
    pub order: KeyOrder,
    /// Lists, maps and texts of a length that was not known are written with their length.
    pub definite: bool,
    /// Items that are CBOR already keep their forms. Otherwise they are written as any other value.
    pub keep_forms: bool,
    /// How dates are written.
    pub dates: Dates,
    /// Lone surrogates.
    pub surrogates: Surrogates,
    /// A list at the top is written as a sequence of its items (RFC 8742).
    pub sequence: bool,
    /// Begin with the tag 55799, which tells that CBOR follows.
    pub self_described: bool,
    /// The most digits of an integer beyond 64 bits, as text: to read them costs their square.
    pub digits: Option<u32>,
    /// The most bytes to write; the buffer holds the bound, this is for the message.
    pub output: Option<u64>,
}

impl WriteOptions {
    /// The core deterministic encoding of RFC 8949 section 4.2.1.
    #[must_use]
    pub fn deterministic() -> Self {
        Self {
            order: KeyOrder::Bytewise,
            definite: true,
            keep_forms: false,
            ..Self::default()
        }
    }

    /// True when an item that is CBOR already can be copied as it is.
    #[must_use]
    pub fn copies(&self) -> bool {
        self.keep_forms
            && !self.definite
            && self.order == KeyOrder::Kept
            && self.floats == Floats::Shortest
    }
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self {
            floats: Floats::Shortest,
            order: KeyOrder::Kept,
            definite: false,
            keep_forms: true,
            dates: Dates::Text,
            surrogates: Surrogates::Error,
            sequence: false,
            self_described: false,
            digits: Limits::default().digits,
            output: None,
        }
    }
}

/// The sink brings what is CBOR already into the forms of its options by itself.
impl WritePolicy for WriteOptions {
    fn keeps_texts(&self) -> bool {
        true
    }

    fn keeps_numbers(&self) -> bool {
        true
    }

    fn output(&self) -> Option<u64> {
        self.output
    }
}

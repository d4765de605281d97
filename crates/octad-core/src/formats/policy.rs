//! What readers of documents and writers of tapes ask about the options of any format.
//!
//! Each format answers for its own options. The answers given here are those of a format in which
//! the question never arises: so a new format says only what is different about it.

use crate::limits::Limits;

/// Which of several equal keys counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Duplicates {
    /// The last one, as most readers have it.
    #[default]
    Last,
    /// The first one.
    First,
    /// None: two equal keys are an error.
    Error,
}

/// The options that a document was read with, as its readers ask about them.
pub trait ReadPolicy {
    /// The limits.
    fn limits(&self) -> &Limits;

    /// The policy for equal keys.
    fn duplicates(&self) -> Duplicates;

    /// True when values were not checked as they were read, so that reading one may fail.
    fn is_unchecked(&self) -> bool {
        false
    }

    /// True when bytes behind the value are left alone, so that a document may end before its source.
    fn may_trail(&self) -> bool {
        false
    }

    /// True when a text means what its spelling says: nothing is replaced in reading it.
    fn spelling_holds(&self) -> bool {
        true
    }

    /// Whether a number with a fraction or exponent, spelled so, has a value.
    fn reads_real(&self, _text: &str) -> bool {
        true
    }

    /// True when a number beyond a double is read as an infinity. Where numbers are not text there
    /// is none beyond a double, and an infinity is itself.
    fn overflow_is_infinite(&self) -> bool {
        true
    }

    /// True when numbers with a fraction or exponent are read as decimals.
    fn decimals(&self) -> bool {
        false
    }
}

/// The options of a writer, as conversion asks about them.
pub trait WritePolicy {
    /// A text of the writer's own format is taken as it is spelled.
    fn keeps_texts(&self) -> bool;

    /// A number of the writer's own format is taken as it is spelled.
    fn keeps_numbers(&self) -> bool;

    /// The most bytes to write.
    fn output(&self) -> Option<u64>;
}

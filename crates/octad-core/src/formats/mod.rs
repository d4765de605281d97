//! The formats and their registry: one folder and one line each.
//!
//! A format fills a tape (`parse`), decodes what the tape only located (`source`) and writes
//! (`write`). It never knows another format, nor documents. From its line in [`formats!`] come its
//! row, its options among all options and its source among all sources, which are matched once a
//! document.

pub mod cbor;
pub mod json;
mod policy;

pub use policy::{Duplicates, ReadPolicy, WritePolicy};

use std::borrow::Cow;

use crate::error::Result;
use crate::sink::{OutBuf, Sink};
use crate::source::{Int, Source, Text};
use crate::tape::Tape;
use crate::text::instant::Instant;
use crate::text::time::Time;
use crate::token::Token;

/// What a format is made of.
pub trait Format {
    /// Its row in the registry.
    const INFO: FormatInfo;
    /// What its reader may be asked for.
    type ReadOptions: ReadPolicy + Copy + core::fmt::Debug + Default;
    /// What its writer may be asked for.
    type WriteOptions: WritePolicy + Clone + core::fmt::Debug + Default;
    /// Decodes the values that its reader located.
    type Source<'s>: Source + Copy + core::fmt::Debug;

    /// Fills `tape` with the values of a document, their spellings kept. `checked`: the input is
    /// known to be UTF-8.
    ///
    /// # Errors
    /// A syntax or limit error, with offset and path.
    fn parse(
        input: &[u8],
        checked: bool,
        options: &Self::ReadOptions,
        tape: &mut Tape,
    ) -> Result<()>;

    /// The source of a tape that was read from `input` with these options.
    fn source<'s>(tape: &'s Tape, input: &'s [u8], options: &Self::ReadOptions)
    -> Self::Source<'s>;

    /// Start and end offsets of every token in `input`, by token id.
    fn places(tape: &Tape, input: &[u8]) -> Vec<Place>;

    /// What people are shown of a value that is no text, where the format has a notation for that.
    fn shown(_item: &[u8]) -> Option<String> {
        None
    }

    /// Lets a job write into a sink of this format.
    fn write<J: SinkJob>(options: &Self::WriteOptions, out: &mut OutBuf, job: J) -> J::Output;
}

/// Something to be done with a sink, whichever it is: a closure that is generic.
pub trait SinkJob {
    /// What comes of it.
    type Output;
    /// Does it. Ending the output is a part of the job.
    fn run<S: Sink>(self, sink: &mut S) -> Self::Output;
}

/// Something to be done with a source, whichever it is.
pub trait SourceJob {
    /// What comes of it.
    type Output;
    /// Does it.
    fn run<S: Source>(self, source: S) -> Self::Output;
}

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

/// Where a token stands in its source: quotes, brackets or heads included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

macro_rules! formats {
    ($($(#[$doc:meta])* $name:ident => $format:ty,)+) => {
        /// The formats that octad reads and writes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum FormatId {
            $($(#[$doc])* $name,)+
        }

        /// Every format, a row each, in the order of [`FormatId`].
        pub static FORMATS: &[FormatInfo] = &[$(<$format as Format>::INFO),+];

        /// What a document was read with: the format and its options.
        #[derive(Clone, Copy, Debug)]
        pub enum AnyOptions {
            $($(#[$doc])* $name(<$format as Format>::ReadOptions),)+
        }

        impl AnyOptions {
            /// The format.
            #[must_use]
            pub fn format(&self) -> FormatId {
                match self {
                    $(Self::$name(_) => FormatId::$name,)+
                }
            }

            /// The same format's options as they are when nothing is asked for.
            #[must_use]
            pub fn of(format: FormatId) -> Self {
                match format {
                    $(FormatId::$name => Self::$name(Default::default()),)+
                }
            }

            /// Fills `tape` with the values of a document, their spellings kept. `checked`: the
            /// input is known to be UTF-8.
            ///
            /// # Errors
            /// A syntax or limit error, with offset and path.
            pub fn parse(&self, input: &[u8], checked: bool, tape: &mut Tape) -> Result<()> {
                match self {
                    $(Self::$name(options) => {
                        <$format as Format>::parse(input, checked, options, tape)
                    })+
                }
            }

            /// The source of a tape that was read from `input` with these options.
            #[must_use]
            pub fn source<'a>(&self, tape: &'a Tape, input: &'a [u8]) -> AnySource<'a> {
                match self {
                    $(Self::$name(options) => {
                        AnySource::$name(<$format as Format>::source(tape, input, options))
                    })+
                }
            }

            /// Start and end offsets of every token in `input`, by token id.
            #[must_use]
            pub fn places(&self, tape: &Tape, input: &[u8]) -> Vec<Place> {
                match self {
                    $(Self::$name(_) => <$format as Format>::places(tape, input),)+
                }
            }

            /// What people are shown of a value that is no text, where the format has a notation.
            #[must_use]
            pub fn shown(&self, item: &[u8]) -> Option<String> {
                match self {
                    $(Self::$name(_) => <$format as Format>::shown(item),)+
                }
            }

            /// The options as every format answers about them.
            #[must_use]
            pub fn policy(&self) -> &dyn ReadPolicy {
                match self {
                    $(Self::$name(options) => options,)+
                }
            }

            /// True when values were not checked as they were read, so that reading one may fail.
            #[inline]
            #[must_use]
            pub fn is_unchecked(&self) -> bool {
                match self {
                    $(Self::$name(options) => options.is_unchecked(),)+
                }
            }

            /// True when the last of several equal keys counts, false when the first does.
            #[inline]
            #[must_use]
            pub fn last_key_wins(&self) -> bool {
                match self {
                    $(Self::$name(options) => options.duplicates() != Duplicates::First,)+
                }
            }
        }

        /// What is written, and how: the format and its options.
        #[derive(Clone, Debug)]
        pub enum AnyWriteOptions {
            $($(#[$doc])* $name(<$format as Format>::WriteOptions),)+
        }

        impl AnyWriteOptions {
            /// The format.
            #[must_use]
            pub fn format(&self) -> FormatId {
                match self {
                    $(Self::$name(_) => FormatId::$name,)+
                }
            }

            /// The same format's options as they are when nothing is asked for.
            #[must_use]
            pub fn of(format: FormatId) -> Self {
                match format {
                    $(FormatId::$name => Self::$name(Default::default()),)+
                }
            }

            /// The options as every format answers about them.
            #[must_use]
            pub fn policy(&self) -> &dyn WritePolicy {
                match self {
                    $(Self::$name(options) => options,)+
                }
            }

            /// Lets a job write into a sink of the format.
            pub fn write<J: SinkJob>(&self, out: &mut OutBuf, job: J) -> J::Output {
                match self {
                    $(Self::$name(options) => <$format as Format>::write(options, out, job),)+
                }
            }
        }

        /// The source of any format.
        #[derive(Clone, Copy, Debug)]
        pub enum AnySource<'s> {
            $($(#[$doc])* $name(<$format as Format>::Source<'s>),)+
        }

        impl AnySource<'_> {
            /// Does something with the source as the one it is, so that nothing is matched again.
            #[inline]
            pub fn visit<J: SourceJob>(self, job: J) -> J::Output {
                match self {
                    $(Self::$name(source) => job.run(source),)+
                }
            }
        }

        impl Source for AnySource<'_> {
            #[inline]
            fn text<'a>(&'a self, token: Token, scratch: &'a mut Vec<u8>) -> Result<Text<'a>> {
                match self {
                    $(Self::$name(source) => source.text(token, scratch),)+
                }
            }

            #[inline]
            fn plain_text(&self, token: Token) -> Option<(&[u8], usize)> {
                match self {
                    $(Self::$name(source) => source.plain_text(token),)+
                }
            }

            #[inline]
            fn int(&self, token: Token) -> Result<Int<'_>> {
                match self {
                    $(Self::$name(source) => source.int(token),)+
                }
            }

            #[inline]
            fn real(&self, token: Token) -> Result<f64> {
                match self {
                    $(Self::$name(source) => source.real(token),)+
                }
            }

            fn decimal(&self, token: Token) -> Result<Cow<'_, str>> {
                match self {
                    $(Self::$name(source) => source.decimal(token),)+
                }
            }

            fn bytes<'a>(&'a self, token: Token, scratch: &'a mut Vec<u8>) -> Result<&'a [u8]> {
                match self {
                    $(Self::$name(source) => source.bytes(token, scratch),)+
                }
            }

            fn instant(&self, token: Token) -> Result<Instant> {
                match self {
                    $(Self::$name(source) => source.instant(token),)+
                }
            }

            fn time(&self, token: Token) -> Result<Time> {
                match self {
                    $(Self::$name(source) => source.time(token),)+
                }
            }

            fn tag(&self, token: Token) -> Result<u64> {
                match self {
                    $(Self::$name(source) => source.tag(token),)+
                }
            }

            #[inline]
            fn slice(&self, token: Token) -> Option<&[u8]> {
                match self {
                    $(Self::$name(source) => source.slice(token),)+
                }
            }

            #[inline]
            fn offset(&self, token: Token) -> Option<usize> {
                match self {
                    $(Self::$name(source) => source.offset(token),)+
                }
            }

            fn spelling(&self, token: Token) -> Option<&[u8]> {
                match self {
                    $(Self::$name(source) => source.spelling(token),)+
                }
            }
        }
    };
}

// One line each; the order is that of the numbers of `FormatId`.
formats! {
    /// JSON, RFC 8259.
    Json => json::Json,
    /// CBOR, RFC 8949.
    Cbor => cbor::Cbor,
}

impl FormatId {
    /// The row of this format.
    #[must_use]
    pub fn info(self) -> &'static FormatInfo {
        &FORMATS[self as usize]
    }

    /// The format of a name, such as `json`.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        let row = FORMATS.iter().find(|row| row.name == name)?;
        Some(row.id)
    }

    /// The format of a file extension, without the dot and in any case.
    #[must_use]
    pub fn by_extension(extension: &str) -> Option<Self> {
        let known = |row: &&FormatInfo| {
            let mut all = row.extensions.iter();
            all.any(|known| known.eq_ignore_ascii_case(extension))
        };
        Some(FORMATS.iter().find(known)?.id)
    }
}

impl AnyOptions {
    /// True when a text means what its spelling says: nothing is replaced in reading it.
    #[must_use]
    pub fn spelling_holds(&self) -> bool {
        self.policy().spelling_holds()
    }

    /// Whether a number with a fraction or exponent, spelled so, has a value under these options.
    #[must_use]
    pub fn reads_real(&self, text: &str) -> bool {
        self.policy().reads_real(text)
    }

    /// True when a number beyond a double is read as an infinity.
    #[must_use]
    pub fn overflow_is_infinite(&self) -> bool {
        self.policy().overflow_is_infinite()
    }

    /// True when numbers with a fraction or exponent are read as decimals.
    #[must_use]
    pub fn decimals(&self) -> bool {
        self.policy().decimals()
    }

    /// The most digits of an integer that is read.
    #[must_use]
    pub fn digits(&self) -> Option<u32> {
        self.policy().limits().digits
    }
}

//! JSON, RFC 8259.
//!
//! - Strict by default; every leniency is an option of [`ReadOptions`].
//! - Mapping: object → MAP, array → LIST, string → TEXT double, number without fraction and
//!   exponent → INT (inline up to 56 bits, else located), other numbers → REAL (located, or REAL59
//!   when read eagerly), literals → SIMPLE, comments → TRIVIA.
//! - Deviations: a byte order mark is skipped (section 8.1 allows it). Numbers are exact integers of
//!   any size; a literal beyond a double's range is an error when it becomes one.
//! - Limits: all of [`crate::limits::Limits`].

use super::{Format, FormatId, FormatInfo, Place, SinkJob};
use crate::error::Result;
use crate::sink::OutBuf;
use crate::tape::Tape;

mod canonical;
mod check;
mod number;
mod options;
mod parse;
mod pieces;
mod places;
mod source;
mod string;
#[cfg(test)]
mod tests;
mod write;
mod write_options;
#[cfg(test)]
mod write_tests;

pub use super::Duplicates;
pub use check::check;
pub use options::{A_DECIMAL, A_DOUBLE, NanRead, ReadOptions, overflow};
pub use parse::{Numbers, parse};
pub use pieces::{Pieces, PiecesSink};
pub use places::places;
pub use source::JsonSource;
pub use write::JsonSink;
pub use write_options::{BytesPolicy, NanPolicy, SurrogatePolicy, WriteOptions};

/// JSON among the formats.
pub struct Json;

impl Format for Json {
    const INFO: FormatInfo = FormatInfo {
        id: FormatId::Json,
        name: "json",
        extensions: &["json"],
        media_types: &["application/json", "text/json"],
        binary: false,
        comments: false,
        standard: "RFC 8259",
    };

    type ReadOptions = ReadOptions;
    type WriteOptions = WriteOptions;
    type Source<'s> = JsonSource<'s>;

    fn parse(input: &[u8], checked: bool, options: &ReadOptions, tape: &mut Tape) -> Result<()> {
        parse(input, checked, Numbers::Located, options, tape).map(drop)
    }

    fn source<'s>(tape: &'s Tape, input: &'s [u8], options: &ReadOptions) -> JsonSource<'s> {
        JsonSource::new(tape, input, options)
    }

    fn places(tape: &Tape, input: &[u8]) -> Vec<Place> {
        places(tape, input)
    }

    fn write<J: SinkJob>(options: &WriteOptions, out: &mut OutBuf, job: J) -> J::Output {
        if options.layout.is_some() {
            job.run(&mut JsonSink::<true>::new(out, options))
        } else {
            job.run(&mut JsonSink::<false>::new(out, options))
        }
    }
}

/// What may be put behind a text that is read strictly, so that the reader finds whole blocks up to
/// its end: as many blanks as it looks ahead.
pub const PADDING: &[u8; 64] = &[b' '; 64];

/// What a byte order mark looks like in UTF-8.
pub const BOM: &[u8] = b"\xef\xbb\xbf";

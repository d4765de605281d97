//! CBOR, RFC 8949.
//!
//! - Mapping: unsigned and negative integers → INT (inline up to 56 bits and in the shortest form,
//!   else located); big numbers (tags 2, 3) → INT big; bytes → BYTES; text → TEXT; arrays → LIST;
//!   maps → MAP (any-key where some key is no plain text); false, true, null, undefined and other
//!   simple values → SIMPLE; floats → REAL f16 and f32 (inline), f64 (located); decimals and
//!   bigfloats (tags 4, 5) → REAL decimal; dates (tags 0, 1, 100, 1004) → TIME; UUIDs (tag 37) →
//!   BYTES uuid; every other tag → TAG. Indefinite lengths → the variants streamed and chunked.
//! - A located number or date is the whole item, its head and tag included; a located text or byte
//!   string is its content, in chunks with the heads of the chunks.
//! - What is under a tag that octad knows is checked (RFC 8949 section 5.3.2); a date beyond the
//!   years 0 to 9999, a number of too many digits and a chunked UUID stay values under their tags.
//! - Deviations: none from the encoding. Equal keys are accepted unless asked not to be.
//! - Limits: all of [`crate::limits::Limits`]; tags count as levels of nesting.

mod diag;
mod frames;
mod half;
mod head;
mod options;
mod parse;
mod places;
mod recode;
mod source;
mod tagged;
#[cfg(test)]
mod tests;
mod unique;
mod whole;
mod write;

pub use diag::{DiagOptions, diag, key_text};
pub use frames::State;
pub use options::{Dates, Floats, KeyOrder, ReadOptions, Surrogates, Tags, Trailing, WriteOptions};
pub use parse::parse;
pub use places::places;
pub use source::CborSource;
pub use write::CborSink;

use super::{Format, FormatId, FormatInfo, Place, SinkJob};
use crate::error::Result;
use crate::sink::OutBuf;
use crate::tape::Tape;

/// CBOR among the formats.
pub struct Cbor;

impl Format for Cbor {
    const INFO: FormatInfo = FormatInfo {
        id: FormatId::Cbor,
        name: "cbor",
        extensions: &["cbor"],
        media_types: &["application/cbor"],
        binary: true,
        comments: false,
        standard: "RFC 8949",
    };

    type ReadOptions = ReadOptions;
    type WriteOptions = WriteOptions;
    type Source<'s> = CborSource<'s>;

    fn parse(input: &[u8], _checked: bool, options: &ReadOptions, tape: &mut Tape) -> Result<()> {
        parse(input, options, tape).map(drop)
    }

    fn source<'s>(tape: &'s Tape, input: &'s [u8], options: &ReadOptions) -> CborSource<'s> {
        CborSource::new(tape, input, options)
    }

    fn places(tape: &Tape, input: &[u8]) -> Vec<Place> {
        places(tape, input)
    }

    fn shown(item: &[u8]) -> Option<String> {
        Some(key_text(item, 0))
    }

    fn write<J: SinkJob>(options: &WriteOptions, out: &mut OutBuf, job: J) -> J::Output {
        job.run(&mut CborSink::new(out, options))
    }
}

/// The bytes of an item in other forms: those that the options ask for.
///
/// # Errors
/// A syntax error where it is no CBOR; what the options refuse.
pub fn reencode(item: &[u8], options: &WriteOptions) -> Result<Vec<u8>> {
    let mut out = OutBuf::new(Vec::with_capacity(item.len()), options.output);
    let mut sink = CborSink::new(&mut out, options);
    recode::recode(item, &mut sink)?;
    match crate::sink::Sink::take_error(&mut sink) {
        Some(error) => Err(error),
        None => Ok(out.into_vec()),
    }
}

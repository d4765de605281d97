//! JSON, RFC 8259.
//!
//! - Strict by default; every leniency is an option of [`ReadOptions`].
//! - Mapping: object → MAP, array → LIST, string → TEXT double, number without fraction and
//!   exponent → INT (inline up to 56 bits, else located), other numbers → REAL (located, or REAL59
//!   when read eagerly), literals → SIMPLE, comments → TRIVIA.
//! - Deviations: a byte order mark is skipped (section 8.1 allows it). Numbers are exact integers of
//!   any size; a literal beyond a double's range is an error when it becomes one.
//! - Limits: all of [`crate::limits::Limits`].

mod canonical;
mod check;
mod number;
mod options;
mod parse;
mod places;
mod source;
mod string;
#[cfg(test)]
mod tests;
mod write;
mod write_options;
#[cfg(test)]
mod write_tests;

pub use check::check;
pub use options::{A_DECIMAL, A_DOUBLE, Duplicates, NanRead, ReadOptions, overflow};
pub use parse::{Numbers, parse};
pub use places::places;
pub use source::JsonSource;
pub use write::JsonSink;
pub use write_options::{BytesPolicy, NanPolicy, SurrogatePolicy, WriteOptions};

/// What may be put behind a text that is read strictly, so that the reader finds whole blocks up to
/// its end: as many blanks as it looks ahead.
pub const PADDING: &[u8; 64] = &[b' '; 64];

/// What a byte order mark looks like in UTF-8.
pub const BOM: &[u8] = b"\xef\xbb\xbf";

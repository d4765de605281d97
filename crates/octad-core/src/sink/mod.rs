//! `Sink`: one pass of events in, the bytes of a format out.
//!
//! Whoever walks a value (Python objects, a tape, a push writer) calls these methods in order and
//! knows no grammar. Errors are sticky: a sink notes the first one and goes on as if nothing had
//! happened; the walker asks [`Sink::failed`] where a value can go wrong and at the ends of
//! containers, and adds the path.

mod chars;
mod note;
mod pretty;
#[cfg(test)]
mod tests;

pub use crate::scan::{Home, OutBuf, Output, Place};
pub use chars::{Chars, CodePoints};
pub use note::KeyNote;
pub use pretty::Layout;

use core::ops::Range;

use crate::error::{Error, ErrorCode};
use crate::text::instant::Instant;
use crate::text::time::{Span, Time};

/// How far a sink's output has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Bytes written.
    pub length: usize,
    /// Open containers.
    pub depth: usize,
    /// Items in the innermost one, where the sink counts them.
    pub items: u64,
}

/// One-pass output.
pub trait Sink {
    /// Opens a list; `len` where it is known.
    fn begin_list(&mut self, len: Option<usize>);
    /// Closes the innermost list.
    fn end_list(&mut self);
    /// Opens a map; `len` where it is known.
    fn begin_map(&mut self, len: Option<usize>);
    /// Closes the innermost map.
    fn end_map(&mut self);
    /// Closes the innermost list, which has an element.
    #[inline(always)]
    fn end_filled_list(&mut self) {
        self.end_list();
    }
    /// Closes the innermost map, which has an entry.
    #[inline(always)]
    fn end_filled_map(&mut self) {
        self.end_map();
    }
    /// A list without elements.
    #[inline(always)]
    fn empty_list(&mut self) {
        self.begin_list(Some(0));
        self.end_list();
    }
    /// A map without entries.
    #[inline(always)]
    fn empty_map(&mut self) {
        self.begin_map(Some(0));
        self.end_map();
    }
    /// The key of the next value. Whether it occurred before is the caller's concern.
    fn key(&mut self, key: Chars<'_>);

    /// How keys are written, as a number from 1 to 7: two sinks of the same number write any key
    /// alike. 0 for a sink whose keys are not noted.
    fn key_manner(&self) -> u8 {
        0
    }
    /// As [`Sink::key`], and notes how the key was written, for [`Sink::noted_key`] of any sink of
    /// the same manner. The note is left empty where that may differ, or does not fit.
    fn note_key(&mut self, key: Chars<'_>, note: &mut KeyNote) {
        note.set(&[]);
        self.key(key);
    }
    /// A key as it was noted; the note is not empty.
    fn noted_key(&mut self, _note: &KeyNote) {}

    /// Nothing.
    fn null(&mut self);
    /// True or false.
    fn bool(&mut self, value: bool);
    /// An integer.
    fn i64(&mut self, value: i64);
    /// An integer above the signed range.
    fn u64(&mut self, value: u64);
    /// An integer of any size, as decimal digits with an optional minus.
    fn big(&mut self, digits: &str);
    /// A double; what is not finite goes by the sink's policy.
    fn f64(&mut self, value: f64);
    /// A double that was a single one where it came from.
    fn f32(&mut self, value: f32) {
        self.f64(f64::from(value));
    }
    /// A decimal number by its literal (`1.10`, `1E+5`, `-0`), or `NaN`, `Infinity`, `-Infinity`.
    fn decimal(&mut self, literal: &str);
    /// A text.
    fn text(&mut self, value: Chars<'_>);
    /// A run of bytes; a text format goes by its policy.
    fn bytes(&mut self, value: &[u8]);
    /// A date, a time of day or both. Text formats take the RFC 3339 form.
    fn time(&mut self, value: &Time) {
        let mut text = Vec::new();
        value.write(&mut text);
        self.text(Chars::Ascii(&text));
    }
    /// A length of time. Text formats take the ISO 8601 form.
    fn span(&mut self, value: &Span) {
        let mut text = Vec::new();
        value.write(&mut text);
        self.text(Chars::Ascii(&text));
    }
    /// A point in time. Text formats take the RFC 3339 form in UTC.
    fn instant(&mut self, value: Instant) {
        match value.to_utc() {
            Some(time) => self.time(&time),
            None => {
                let value = format!("a point in time {} seconds from 1970", value.seconds);
                self.refuse(Error::new(ErrorCode::InvalidDatetime).with("value", value));
                self.null();
            }
        }
    }
    /// Data of an application's own type, which few formats have.
    fn ext(&mut self, code: i8, _data: &[u8]) {
        let error = Error::new(ErrorCode::Unrepresentable)
            .with("target", "the target format")
            .with("value", format_args!("an extension of type {code}"));
        self.refuse(error);
        self.null();
    }
    /// A tag (RFC 8949 section 3.4) on the value that comes next. Formats without tags leave it out.
    fn tag(&mut self, _number: u64) {}
    /// Nothing, told apart from null where the format can.
    fn undefined(&mut self) {
        self.null();
    }

    /// A simple value by its number (RFC 8949 section 3.3), which other formats leave out as null.
    fn simple(&mut self, _number: u8) {
        self.null();
    }
    /// An identifier of 16 bytes (RFC 9562). Text formats take the form with hyphens.
    fn uuid(&mut self, value: &[u8; 16]) {
        self.text(Chars::Ascii(&crate::text::uuid::write(value)));
    }

    /// Whether a key may be any value. Where not, the walker has a text for it.
    fn any_keys(&self) -> bool {
        false
    }
    /// The next value is a key; for sinks of any keys.
    fn begin_key(&mut self) {}

    /// A key in the sink's own spelling, quotes included, taken as it is.
    fn raw_key(&mut self, key: &[u8]);
    /// A complete value in the sink's own format, taken as it is.
    fn raw(&mut self, value: &[u8]);

    /// A list of integers.
    fn i64s(&mut self, values: &[i64]) {
        self.begin_list(Some(values.len()));
        for value in values {
            self.i64(*value);
        }
        self.end_list();
    }
    /// A list of doubles.
    fn f64s(&mut self, values: &[f64]) {
        self.begin_list(Some(values.len()));
        for value in values {
            self.f64(*value);
        }
        self.end_list();
    }

    /// The container that is begun next has this number, by which it may be met again.
    fn share(&mut self, _number: usize) {}
    /// A container that was begun before is met again, and called so. False for a sink that cannot
    /// say so, or that does not have the container: then nothing was written.
    fn again(&mut self, _number: usize, _id: Option<&str>) -> bool {
        false
    }

    /// Notes an error, if it is the first.
    fn refuse(&mut self, error: Error);
    /// True after the first error.
    fn failed(&self) -> bool;
    /// Takes the first error.
    fn take_error(&mut self) -> Option<Error>;
    /// Where the output stands, in front of a value or key.
    fn mark(&self) -> Mark;
    /// Takes back what was written since a mark of this sink, and its errors.
    fn rewind(&mut self, mark: Mark);
    /// Puts the entries of the innermost map in another order. `pieces`: from mark to mark, each of
    /// them once, and the last one ends where the output does.
    fn arrange(&mut self, pieces: &[Range<usize>]);
    /// Ends the output: what follows the last value is written, the output limit checked.
    fn finish(&mut self);
}

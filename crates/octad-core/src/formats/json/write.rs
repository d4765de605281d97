//! The JSON sink: RFC 8259 text, compact or indented.
//!
//! Knows the grammar of output and its policies; sorting keys and refusing double ones is the
//! caller's. Each value is followed by a comma, which the end of the container takes back: so a
//! value needs no look at what came before it, and the buffer's last byte is all the state there is.

use core::ops::Range;

use super::canonical;
use super::options::SURROGATE_ADVICE;
use super::write_options::{BytesPolicy, NanPolicy, SurrogatePolicy, WriteOptions};
use crate::error::{Error, ErrorCode};
use crate::scan::{
    EscapeSet, copy_until_escape, copy_until_escape_latin1, copy_until_escape_ucs2,
    copy_until_escape_ucs4, push_block, push_escape, push_escaped, push_i64, push_quoted,
};
use crate::sink::{Chars, KeyNote, Mark, OutBuf, Output, Sink};
use crate::text::base64::{self, Alphabet};
use crate::text::time::Time;
use crate::text::{escape, float, int};

/// A longer text is not copied before the bound of the output has been looked at.
const LONG: usize = 128;

/// Writes JSON to a buffer. `PRETTY` puts each element on its own line.
pub struct JsonSink<'o, const PRETTY: bool> {
    out: &'o mut OutBuf,
    options: &'o WriteOptions,
    depth: usize,
    error: Option<Error>,
}

impl<'o, const PRETTY: bool> JsonSink<'o, PRETTY> {
    /// A sink at the start of a value.
    #[must_use]
    pub fn new(out: &'o mut OutBuf, options: &'o WriteOptions) -> Self {
        Self::resume(out, options, 0)
    }

    /// A sink inside `depth` open containers of a text begun earlier.
    #[must_use]
    pub fn resume(out: &'o mut OutBuf, options: &'o WriteOptions, depth: usize) -> Self {
        Self {
            out,
            options,
            depth,
            error: None,
        }
    }

    #[cold]
    fn fail(&mut self, error: Error) {
        self.error.get_or_insert(error);
        self.out.fail();
    }

    /// Puts an element of a list on its line; the value of a key stays behind it.
    #[inline(always)]
    fn place(&mut self) {
        if PRETTY {
            self.place_line();
        }
    }

    #[inline]
    fn place_line(&mut self) {
        if self.depth > 0 && matches!(self.out.last(), Some(b'[' | b',')) {
            self.begin_line();
        }
    }

    #[inline]
    fn begin_line(&mut self) {
        if let Some(layout) = &self.options.layout {
            layout.begin_line(self.depth, self.out);
        }
    }

    #[inline(always)]
    fn open(&mut self, bracket: u8) {
        self.place();
        self.out.push(bracket);
        self.depth += 1;
    }

    #[inline(always)]
    fn close(&mut self, bracket: u8, filled: bool) {
        self.depth = self.depth.saturating_sub(1);
        if !filled {
            self.out.extend_from_slice(&[bracket, b',']);
        } else if PRETTY {
            self.out.restore(self.out.len() - 1);
            self.begin_line();
            self.out.extend_from_slice(&[bracket, b',']);
        } else {
            // Over the comma behind the last element.
            self.out.write_over(bracket, b',');
        }
        // The comma behind the outermost value is no part of the text: `finish` looks there.
        if !self.out.has_room(0) && self.depth > 0 {
            self.over();
        }
    }

    #[cold]
    fn over(&mut self) {
        let error = self.limit_error();
        self.fail(error);
    }

    #[cold]
    fn limit_error(&self) -> Error {
        let limit = self.options.output.unwrap_or(u64::MAX);
        Error::new(ErrorCode::OutputLimit).with("limit", limit)
    }

    /// A short text that needs no escape, in quotes or bare.
    fn literal(&mut self, text: &str) {
        self.place();
        self.out.extend_from_slice(text.as_bytes());
        self.out.push(b',');
    }

    /// Text in quotes and what follows it.
    #[inline(always)]
    fn quoted(&mut self, value: Chars<'_>, tail: [u8; 2]) {
        let set = self.options.escape;
        let bytes = match value {
            Chars::Ascii(bytes) => Some(bytes),
            // The smallest set has no bytes beyond ASCII.
            Chars::Utf8(text) if set == EscapeSet::Minimal => Some(text.as_bytes()),
            _ => None,
        };
        if let Some(bytes) = bytes {
            if bytes.len() > LONG && !self.out.has_room(bytes.len()) {
                self.over();
                return;
            }
            let done = push_quoted(bytes, tail, self.out, set);
            if done < bytes.len() {
                escape_rest(&bytes[done..], tail, self.out, set);
            }
        } else {
            self.wide(value, tail);
        }
    }

    #[inline(never)]
    fn wide(&mut self, value: Chars<'_>, tail: [u8; 2]) {
        let length = match value {
            Chars::Ascii(bytes) | Chars::Latin1(bytes) => bytes.len(),
            Chars::Utf8(text) => text.len(),
            Chars::Ucs2(units) => units.len(),
            Chars::Ucs4(units) => units.len(),
        };
        if !self.out.has_room(length) {
            self.over();
            return;
        }
        let set = self.options.escape;
        let rules = (set, self.options.surrogates);
        let out = &mut *self.out;
        out.push(b'"');
        let lone = match value {
            // Written by `quoted`.
            Chars::Ascii(_) => false,
            Chars::Utf8(text) => {
                escape_utf8(text, out, set);
                false
            }
            Chars::Latin1(units) => runs(units, out, rules, |rest, out| {
                copy_until_escape_latin1(rest, out, set)
            }),
            Chars::Ucs2(units) => runs(units, out, rules, |rest, out| {
                copy_until_escape_ucs2(rest, out, set)
            }),
            Chars::Ucs4(units) => runs(units, out, rules, |rest, out| {
                copy_until_escape_ucs4(rest, out, set)
            }),
        };
        out.extend_from_slice(&tail);
        if lone {
            self.lone_surrogate(value);
        }
    }

    #[cold]
    fn lone_surrogate(&mut self, value: Chars<'_>) {
        let lone = value.code_points().find(|point| is_surrogate(*point));
        let found = format!("`\\u{:04x}`", lone.unwrap_or(0xD800));
        self.fail(
            Error::new(ErrorCode::LoneSurrogate)
                .with("found", found)
                .with("advice", SURROGATE_ADVICE),
        );
    }

    #[cold]
    fn not_finite(&mut self, name: &str) {
        match self.options.nan {
            NanPolicy::Error => {
                self.fail(Error::new(ErrorCode::NotFinite).with("value", name));
                self.literal("null");
            }
            NanPolicy::Null => self.literal("null"),
            NanPolicy::Literal => self.literal(name),
            NanPolicy::String => self.literal(&format!("\"{name}\"")),
        }
    }

    #[cold]
    fn unrepresentable(&mut self, value: &str) {
        self.fail(
            Error::new(ErrorCode::Unrepresentable)
                .with("target", "canonical JSON (numbers are doubles, RFC 8785)")
                .with("value", crate::error::quote(value.as_bytes())),
        );
    }

    /// An integer beyond those that are all doubles, in canonical form.
    #[cold]
    fn canonical_whole(&mut self, digits: &str) {
        match canonical::whole_double(digits) {
            Some(value) => self.f64(value),
            None => self.unrepresentable(digits),
        }
    }

    fn quoted_bytes(&mut self, encode: impl FnOnce(&mut OutBuf)) {
        self.place();
        self.out.push(b'"');
        encode(self.out);
        self.out.extend_from_slice(b"\",");
    }
}

/// Writes the rest of a text without stops beyond ASCII, whose first byte needs an escape.
#[inline(never)]
fn escape_rest(rest: &[u8], tail: [u8; 2], out: &mut OutBuf, set: EscapeSet) {
    push_escaped(rest, out, set);
    out.extend_from_slice(&tail);
}

fn escape_utf8(text: &str, out: &mut OutBuf, set: EscapeSet) {
    let mut rest = text;
    loop {
        let done = copy_until_escape(rest.as_bytes(), out, set);
        // The kernel stops in front of a character only.
        let Some(behind) = rest.get(done..) else {
            return;
        };
        let mut chars = behind.chars();
        match chars.next() {
            None => return,
            Some(ch) => escape::write_escape(u32::from(ch), out, set),
        }
        rest = chars.as_str();
    }
}

fn is_surrogate(point: u32) -> bool {
    (0xD800..=0xDFFF).contains(&point)
}

/// Copies runs and escapes what stands between them. True when a lone surrogate is refused.
#[inline]
fn runs<U: Copy + Into<u32>>(
    units: &[U],
    out: &mut OutBuf,
    (set, policy): (EscapeSet, SurrogatePolicy),
    mut copy: impl FnMut(&[U], &mut OutBuf) -> usize,
) -> bool {
    let mut rest = units;
    loop {
        let done = copy(rest, out);
        let Some((first, behind)) = rest.get(done..).and_then(<[U]>::split_first) else {
            return false;
        };
        let point: u32 = (*first).into();
        if point < 0x80 {
            push_escape(point as u8, out);
        } else if is_surrogate(point) {
            match policy {
                SurrogatePolicy::Error => return true,
                SurrogatePolicy::Replace if set == EscapeSet::Ascii => {
                    escape::write_escape(0xFFFD, out, set);
                }
                SurrogatePolicy::Replace => out.extend_from_slice("\u{FFFD}".as_bytes()),
                SurrogatePolicy::Keep => escape::write_escape(point, out, set),
            }
        } else {
            escape::write_escape(point, out, set);
        }
        rest = behind;
    }
}

impl<const PRETTY: bool> Sink for JsonSink<'_, PRETTY> {
    #[inline(always)]
    fn begin_list(&mut self, _len: Option<usize>) {
        self.open(b'[');
    }

    #[inline(always)]
    fn end_list(&mut self) {
        let filled = self.out.last() == Some(b',');
        self.close(b']', filled);
    }

    #[inline(always)]
    fn end_filled_list(&mut self) {
        self.close(b']', true);
    }

    #[inline(always)]
    fn begin_map(&mut self, _len: Option<usize>) {
        self.open(b'{');
    }

    #[inline(always)]
    fn end_map(&mut self) {
        let filled = self.out.last() == Some(b',');
        self.close(b'}', filled);
    }

    #[inline(always)]
    fn end_filled_map(&mut self) {
        self.close(b'}', true);
    }

    #[inline(always)]
    fn empty_list(&mut self) {
        self.place();
        self.out.extend_from_slice(b"[],");
    }

    #[inline(always)]
    fn empty_map(&mut self) {
        self.place();
        self.out.extend_from_slice(b"{},");
    }

    #[inline(always)]
    fn key(&mut self, key: Chars<'_>) {
        if PRETTY {
            self.begin_line();
            self.quoted(key, *b"\":");
            self.out.push(b' ');
        } else {
            self.quoted(key, *b"\":");
        }
    }

    #[inline]
    fn key_manner(&self) -> u8 {
        1 + self.options.escape as u8 * 2 + u8::from(PRETTY)
    }

    #[inline(never)]
    fn note_key(&mut self, key: Chars<'_>, note: &mut KeyNote) {
        if PRETTY {
            self.begin_line();
        }
        let before = self.out.len();
        self.quoted(key, *b"\":");
        if PRETTY {
            self.out.push(b' ');
        }
        let written = self.out.as_slice().get(before..).unwrap_or_default();
        // What becomes of a lone surrogate is no matter of manner.
        let lone =
            matches!(key, Chars::Ucs2(_) | Chars::Ucs4(_)) && key.code_points().any(is_surrogate);
        note.set(if self.out.failed() || lone {
            &[]
        } else {
            written
        });
    }

    #[inline(always)]
    fn noted_key(&mut self, note: &KeyNote) {
        if PRETTY {
            self.begin_line();
        }
        push_block(note.block(), note.len(), self.out);
    }

    #[inline(always)]
    fn null(&mut self) {
        self.place();
        self.out.extend_from_slice(b"null,");
    }

    #[inline(always)]
    fn bool(&mut self, value: bool) {
        self.place();
        if value {
            self.out.extend_from_slice(b"true,");
        } else {
            self.out.extend_from_slice(b"false,");
        }
    }

    #[inline(always)]
    fn i64(&mut self, value: i64) {
        if self.options.canonical && !canonical::is_exact(value.unsigned_abs()) {
            self.canonical_whole(&value.to_string());
            return;
        }
        self.place();
        push_i64(value, b',', self.out);
    }

    fn u64(&mut self, value: u64) {
        if self.options.canonical && !canonical::is_exact(value) {
            self.canonical_whole(&value.to_string());
            return;
        }
        self.place();
        int::write_u64(value, self.out);
        self.out.push(b',');
    }

    fn big(&mut self, digits: &str) {
        if self.options.canonical {
            self.canonical_whole(digits);
        } else if self.out.has_room(digits.len()) {
            self.literal(digits);
        } else {
            self.over();
        }
    }

    #[inline(always)]
    fn f64(&mut self, value: f64) {
        if !value.is_finite() {
            self.not_finite(if value.is_nan() {
                "NaN"
            } else if value > 0.0 {
                "Infinity"
            } else {
                "-Infinity"
            });
            return;
        }
        self.place();
        if self.options.canonical {
            float::write_ecmascript(value, self.out);
            self.out.push(b',');
        } else {
            float::write_repr_with(value, b',', self.out);
        }
    }

    fn decimal(&mut self, literal: &str) {
        let digits = literal.trim_start_matches('-');
        if !digits.starts_with(|first: char| first.is_ascii_digit()) {
            self.not_finite(match digits {
                "Infinity" if literal.starts_with('-') => "-Infinity",
                "Infinity" => "Infinity",
                _ => "NaN",
            });
        } else if self.options.canonical {
            match canonical::exact_double(literal) {
                Some(value) => self.f64(value),
                None => self.unrepresentable(literal),
            }
        } else if self.out.has_room(literal.len()) {
            self.literal(literal);
        } else {
            self.over();
        }
    }

    #[inline(always)]
    fn text(&mut self, value: Chars<'_>) {
        self.place();
        self.quoted(value, *b"\",");
    }

    fn bytes(&mut self, value: &[u8]) {
        if !self.out.has_room(value.len()) {
            self.over();
            return;
        }
        match self.options.bytes {
            BytesPolicy::Error => {
                self.fail(Error::new(ErrorCode::BytesNotAllowed).with("type", "bytes"));
            }
            BytesPolicy::Base64 => {
                self.quoted_bytes(|out| base64::encode(value, Alphabet::Standard, true, out))
            }
            BytesPolicy::Base64Url => {
                self.quoted_bytes(|out| base64::encode(value, Alphabet::Url, false, out))
            }
            BytesPolicy::Hex => self.quoted_bytes(|out| base64::encode_hex(value, out)),
            BytesPolicy::Array => {
                self.begin_list(Some(value.len()));
                for byte in value {
                    self.i64(i64::from(*byte));
                }
                self.end_list();
            }
        }
    }

    #[inline]
    fn time(&mut self, value: &Time) {
        self.place();
        let (bytes, length) = value.spell().quoted();
        push_block(&bytes, length, self.out);
    }

    #[inline]
    fn raw_key(&mut self, key: &[u8]) {
        if !self.out.has_room(key.len()) {
            self.over();
            return;
        }
        if PRETTY {
            self.begin_line();
        }
        self.out.extend_from_slice(key);
        self.out
            .extend_from_slice(if PRETTY { b": " } else { b":" });
    }

    #[inline]
    fn raw(&mut self, value: &[u8]) {
        self.place();
        if !self.out.has_room(value.len()) {
            self.over();
            return;
        }
        self.out.extend_from_slice(value);
        self.out.push(b',');
    }

    fn refuse(&mut self, error: Error) {
        self.fail(error);
    }

    #[inline(always)]
    fn failed(&self) -> bool {
        self.out.failed()
    }

    fn take_error(&mut self) -> Option<Error> {
        // Without an error of its own the buffer has passed its bound.
        let failed = self.out.failed().then(|| self.limit_error());
        self.out.forgive();
        self.error.take().or(failed)
    }

    fn mark(&self) -> Mark {
        Mark {
            length: self.out.len(),
            depth: self.depth,
            items: 0,
        }
    }

    fn rewind(&mut self, mark: Mark) {
        self.out.restore(mark.length);
        self.out.forgive();
        self.depth = mark.depth;
        self.error = None;
    }

    fn arrange(&mut self, pieces: &[Range<usize>]) {
        self.out.arrange(pieces);
    }

    fn finish(&mut self) {
        if self.out.last() == Some(b',') {
            self.out.restore(self.out.len() - 1);
        }
        if self.options.final_newline {
            self.out.extend_from_slice(self.options.newline.as_bytes());
        }
        if !self.out.has_room(0) {
            self.over();
        }
    }
}

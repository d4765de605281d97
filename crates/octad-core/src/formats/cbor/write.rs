//! The CBOR sink: preferred serialization, deterministic encoding, or forms kept.
//!
//! Scalars, and what becomes of raw items; containers are in `frames`. Nothing is buffered: the
//! output is all there is, and what has to move moves there.

use core::ops::Range;

use super::frames::State;
use super::half::{Float, shortest};
use super::head::{BYTES, NEGATIVE, OTHER, TAG, TEXT, UNSIGNED, put_head};
use super::options::{Dates, Floats, Surrogates, WriteOptions};
use super::recode::recode;
use super::tagged::{DATE, DATE_TIME, DAYS, EPOCH, SELF_DESCRIBED, UUID};
use super::whole::{Fraction, Whole, put_whole};
use crate::error::{Error, ErrorCode, quote};
use crate::scan::{latin1_to_utf8, push_block, ucs2_to_utf8, ucs4_to_utf8};
use crate::sink::{Chars, KeyNote, Mark, OutBuf, Output, Sink};
use crate::text::instant::Instant;
use crate::text::time::Time;

/// A longer run of bytes is not copied before the bound of the output has been looked at.
const LONG: usize = 128;

/// The way in which keys are noted: as UTF-8 behind the shortest head.
const KEY_MANNER: u8 = 7;

/// The bits of the NaN that has no payload.
const PLAIN_NAN: u64 = 0x7FF8 << 48;

/// Writes CBOR to a buffer.
pub struct CborSink<'o> {
    pub(super) out: &'o mut OutBuf,
    pub(super) options: &'o WriteOptions,
    pub(super) state: State,
    error: Option<Error>,
}

impl<'o> CborSink<'o> {
    /// A sink at the start of a value.
    #[must_use]
    pub fn new(out: &'o mut OutBuf, options: &'o WriteOptions) -> Self {
        if options.self_described {
            put_head(TAG, SELF_DESCRIBED, out);
        }
        Self::resume(out, options, State::default())
    }

    /// A sink that goes on where another one was suspended.
    #[must_use]
    pub fn resume(out: &'o mut OutBuf, options: &'o WriteOptions, state: State) -> Self {
        Self {
            out,
            options,
            state,
            error: None,
        }
    }

    /// Ends the life of a sink that writes on later.
    #[must_use]
    pub fn suspend(self) -> State {
        self.state
    }

    #[cold]
    pub(super) fn fail(&mut self, error: Error) {
        self.error.get_or_insert(error);
        self.out.fail();
    }

    #[cold]
    pub(super) fn over(&mut self) {
        let error = self.limit_error();
        self.fail(error);
    }

    #[cold]
    fn limit_error(&self) -> Error {
        let limit = self.options.output.unwrap_or(u64::MAX);
        Error::new(ErrorCode::OutputLimit).with("limit", limit)
    }

    /// Counts an item that is written next.
    #[inline(always)]
    pub(super) fn item(&mut self) {
        self.state.item();
    }

    /// Where the options ask for it, notes that a key comes.
    #[inline]
    pub(super) fn entry(&mut self) {
        if self.sorts() {
            self.state.entry(self.out.len());
        }
    }

    /// Appends bytes of a whole item, or of a head, that is CBOR already.
    pub(super) fn copy(&mut self, bytes: &[u8]) {
        if bytes.len() > LONG && !self.out.has_room(bytes.len()) {
            self.over();
            return;
        }
        self.out.extend_from_slice(bytes);
    }

    /// The output, for what writes itself.
    pub(super) fn output(&mut self) -> &mut OutBuf {
        self.out
    }

    /// The options.
    pub(super) fn options(&self) -> &'o WriteOptions {
        self.options
    }

    /// A byte or text string with its head.
    #[inline]
    fn string(&mut self, major: u8, bytes: &[u8]) {
        put_head(major, bytes.len() as u64, self.out);
        self.copy(bytes);
    }

    #[inline]
    fn chars(&mut self, value: Chars<'_>) {
        match value {
            Chars::Ascii(bytes) => self.string(TEXT, bytes),
            Chars::Utf8(text) => self.string(TEXT, text.as_bytes()),
            _ => self.wide(value),
        }
    }

    #[inline(never)]
    fn wide(&mut self, value: Chars<'_>) {
        let start = self.out.len();
        // Each character above 0x7F takes at least one byte more than an ASCII one.
        let size: u64 = match value {
            Chars::Ascii(units) | Chars::Latin1(units) => {
                units.iter().map(|unit| 1 + u64::from(unit >> 7)).sum()
            }
            Chars::Utf8(text) => text.len() as u64,
            Chars::Ucs2(units) => units.iter().map(|unit| utf8_size(u32::from(*unit))).sum(),
            Chars::Ucs4(units) => units.iter().map(|unit| utf8_size(*unit)).sum(),
        };
        if !self
            .out
            .has_room(usize::try_from(size).unwrap_or(usize::MAX))
        {
            self.over();
            return;
        }
        put_head(TEXT, size, self.out);
        let lone = match value {
            Chars::Latin1(units) => {
                latin1_to_utf8(units, self.out);
                false
            }
            Chars::Ucs2(units) => ucs2_to_utf8(units, self.out).is_err(),
            Chars::Ucs4(units) => ucs4_to_utf8(units, self.out).is_err(),
            Chars::Ascii(_) | Chars::Utf8(_) => false,
        };
        if lone {
            self.out.restore(start);
            self.lone_surrogate(value);
        }
    }

    #[cold]
    fn lone_surrogate(&mut self, value: Chars<'_>) {
        if self.options.surrogates == Surrogates::Replace {
            self.string(TEXT, value.to_text().as_bytes());
            return;
        }
        let lone = value
            .code_points()
            .find(|point| (0xD800..=0xDFFF).contains(point))
            .unwrap_or(0xD800);
        self.fail(
            Error::new(ErrorCode::LoneSurrogate)
                .with("found", format!("`\\u{lone:04x}`"))
                .with("advice", " (`surrogates=` has other policies)"),
        );
    }

    /// A float of these bits, in the width that the options ask for.
    pub(super) fn float(&mut self, bits: u64) {
        match self.options.floats {
            Floats::Shortest => put_float(shortest(bits), self.out),
            Floats::Double => put_float(Float::Double(bits), self.out),
        }
    }

    /// Seconds from 1970 under their tag: whole ones, or a float.
    fn seconds(&mut self, point: Instant) {
        self.item();
        put_head(TAG, EPOCH, self.out);
        if point.nano == 0 {
            self.integer(point.seconds);
        } else {
            let value = point.seconds as f64 + f64::from(point.nano) / 1e9;
            self.float(value.to_bits());
        }
    }

    #[inline(always)]
    fn integer(&mut self, value: i64) {
        if value >= 0 {
            put_head(UNSIGNED, value as u64, self.out);
        } else {
            put_head(NEGATIVE, !value as u64, self.out);
        }
    }

    #[cold]
    fn unrepresentable(&mut self, value: &str) {
        self.fail(
            Error::new(ErrorCode::Unrepresentable)
                .with("target", "CBOR")
                .with("value", quote(value.as_bytes())),
        );
    }
}

/// Bytes of a code point in UTF-8; of a surrogate, half of those of a pair, if it has both.
#[inline(always)]
fn utf8_size(point: u32) -> u64 {
    match point {
        0..=0x7F => 1,
        0x80..=0x7FF => 2,
        0x1_0000.. => 4,
        _ => 3,
    }
}

/// Appends a float.
pub(super) fn put_float(value: Float, out: &mut impl Output) {
    match value {
        Float::Half(bits) => {
            let [a, b] = bits.to_be_bytes();
            out.extend_from_slice(&[OTHER << 5 | 25, a, b]);
        }
        Float::Single(bits) => {
            let [a, b, c, d] = bits.to_be_bytes();
            out.extend_from_slice(&[OTHER << 5 | 26, a, b, c, d]);
        }
        Float::Double(bits) => {
            let [a, b, c, d, e, f, g, h] = bits.to_be_bytes();
            out.extend_from_slice(&[OTHER << 5 | 27, a, b, c, d, e, f, g, h]);
        }
    }
}

impl Sink for CborSink<'_> {
    #[inline]
    fn begin_list(&mut self, len: Option<usize>) {
        self.open(false, len.map(|len| len as u64), None);
    }

    #[inline]
    fn end_list(&mut self) {
        self.close();
    }

    #[inline]
    fn begin_map(&mut self, len: Option<usize>) {
        self.open(true, len.map(|len| (len as u64).saturating_mul(2)), None);
    }

    #[inline]
    fn end_map(&mut self) {
        self.close();
    }

    #[inline]
    fn key(&mut self, key: Chars<'_>) {
        self.entry();
        self.item();
        self.chars(key);
    }

    fn key_manner(&self) -> u8 {
        KEY_MANNER
    }

    #[inline(never)]
    fn note_key(&mut self, key: Chars<'_>, note: &mut KeyNote) {
        let before = self.out.len();
        self.key(key);
        let written = self.out.as_slice().get(before..).unwrap_or_default();
        // What becomes of a lone surrogate is no matter of manner.
        let plain = matches!(key, Chars::Ascii(_) | Chars::Utf8(_) | Chars::Latin1(_));
        note.set(if plain && !self.out.failed() {
            written
        } else {
            &[]
        });
    }

    #[inline(always)]
    fn noted_key(&mut self, note: &KeyNote) {
        self.entry();
        self.item();
        push_block(note.block(), note.len(), self.out);
    }

    #[inline]
    fn null(&mut self) {
        self.simple(22);
    }

    #[inline]
    fn undefined(&mut self) {
        self.simple(23);
    }

    #[inline]
    fn bool(&mut self, value: bool) {
        self.simple(20 + u8::from(value));
    }

    #[inline]
    fn simple(&mut self, number: u8) {
        self.item();
        match number {
            0..24 => self.out.push(OTHER << 5 | number),
            24..32 => self.unrepresentable(&format!("simple({number})")),
            _ => self.out.extend_from_slice(&[OTHER << 5 | 24, number]),
        }
    }

    #[inline]
    fn i64(&mut self, value: i64) {
        self.item();
        self.integer(value);
    }

    #[inline]
    fn u64(&mut self, value: u64) {
        self.item();
        put_head(UNSIGNED, value, self.out);
    }

    fn big(&mut self, digits: &str) {
        self.item();
        let size = digits.trim_start_matches('-').len();
        if let Some(limit) = self.options.digits
            && size > limit as usize
        {
            let error = Error::new(ErrorCode::DigitsLimit);
            self.fail(error.with("limit", limit).with("size", size));
            return;
        }
        match Whole::from_digits(digits) {
            Some(value) => put_whole(&value, self.out),
            None => self.unrepresentable(digits),
        }
    }

    #[inline]
    fn f64(&mut self, value: f64) {
        self.item();
        let bits = value.to_bits();
        // The sign of a NaN is what the processor made of it.
        let plain = bits & !(1 << 63) == PLAIN_NAN;
        self.float(if plain { PLAIN_NAN } else { bits });
    }

    fn decimal(&mut self, literal: &str) {
        match literal.trim_start_matches(['-', '+']) {
            "Infinity" if literal.starts_with('-') => return self.f64(f64::NEG_INFINITY),
            "Infinity" => return self.f64(f64::INFINITY),
            "NaN" => return self.f64(f64::NAN),
            _ => {}
        }
        self.item();
        let size = literal.bytes().filter(u8::is_ascii_digit).count();
        if let Some(limit) = self.options.digits
            && size > limit as usize
        {
            let error = Error::new(ErrorCode::DigitsLimit);
            self.fail(error.with("limit", limit).with("size", size));
            return;
        }
        match Fraction::from_literal(literal) {
            Some(value) => value.put(self.out),
            None => self.unrepresentable(literal),
        }
    }

    #[inline]
    fn text(&mut self, value: Chars<'_>) {
        self.item();
        self.chars(value);
    }

    fn bytes(&mut self, value: &[u8]) {
        self.item();
        self.string(BYTES, value);
    }

    fn uuid(&mut self, value: &[u8; 16]) {
        self.item();
        put_head(TAG, UUID, self.out);
        self.string(BYTES, value);
    }

    /// With an offset a date and time has a tag; without one it is plain text, since RFC 3339 and
    /// the tag demand it. So is a time of day.
    fn time(&mut self, value: &Time) {
        let epoch = self.options.dates == Dates::Epoch;
        if epoch && let Some(point) = Instant::from_time(value) {
            return self.seconds(point);
        }
        self.item();
        match (value.date, value.clock, value.offset) {
            (Some(date), None, _) if epoch => {
                put_head(TAG, DAYS, self.out);
                self.integer(date.days());
                return;
            }
            (Some(_), None, _) => put_head(TAG, DATE, self.out),
            (Some(_), Some(_), Some(_)) => put_head(TAG, DATE_TIME, self.out),
            _ => {}
        }
        let mut text = Vec::new();
        value.write(&mut text);
        if value.offset == Some(0) && value.clock.is_some() && text.ends_with(b"+00:00") {
            text.truncate(text.len() - 6);
            text.push(b'Z');
        }
        self.string(TEXT, &text);
    }

    fn instant(&mut self, value: Instant) {
        match value.to_utc() {
            Some(time) if self.options.dates == Dates::Text => self.time(&time),
            _ => self.seconds(value),
        }
    }

    fn tag(&mut self, number: u64) {
        put_head(TAG, number, self.out);
    }

    fn any_keys(&self) -> bool {
        true
    }

    #[inline]
    fn begin_key(&mut self) {
        self.entry();
    }

    fn raw_key(&mut self, key: &[u8]) {
        self.entry();
        self.raw(key);
    }

    fn raw(&mut self, value: &[u8]) {
        if self.options.copies() {
            self.item();
            self.copy(value);
        } else if let Err(error) = recode(value, self) {
            self.fail(error);
        }
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
        self.state.mark(self.out.len())
    }

    fn rewind(&mut self, mark: Mark) {
        self.out.restore(mark.length);
        self.out.forgive();
        self.state.rewind(mark);
        self.error = None;
    }

    fn arrange(&mut self, pieces: &[Range<usize>]) {
        self.out.arrange(pieces);
        if self.sorts() {
            self.state.arrange(pieces);
        }
    }

    fn finish(&mut self) {
        if !self.out.has_room(0) {
            self.over();
        }
    }
}

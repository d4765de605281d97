//! Strings, numbers and literals of `check`: all faults in them, then the end of them.
//!
//! A string goes on after a fault; a number or literal is given up with its word.

use crate::error::{Error, ErrorCode, quote};
use crate::text::escape::Surrogates;

use super::super::NanRead;
use super::super::options::{A_DOUBLE, SURROGATE_ADVICE, overflow};
use super::{Checker, Due};

/// What reading a string found out.
pub(super) struct Text {
    /// The opening quote.
    pub(super) start: usize,
    /// The closing quote, or where it was missed.
    pub(super) end: usize,
    /// It has faults other than ill-formed UTF-8.
    pub(super) faulty: bool,
    /// It has ill-formed UTF-8.
    pub(super) ill_formed: bool,
    /// The closing quote is missing, and was so at the end of a line.
    pub(super) cut: bool,
    /// What was cut off took the separator with it.
    pub(super) comma: bool,
}

impl Checker<'_, '_> {
    pub(super) fn string_value(&mut self) -> Due {
        let text = self.string();
        if !self.token(text.start, text.faulty) {
            return Due::End;
        }
        if !text.faulty {
            self.text_limit(&text);
        }
        self.text_finished(&text)
    }

    /// The value is complete, and the comma after it read if a missing quote let it into the text.
    pub(super) fn text_finished(&mut self, text: &Text) -> Due {
        match self.finished() {
            Due::Next if text.comma => self.member(None),
            due => due,
        }
    }

    /// Reads the string at the current quote, and goes behind it.
    pub(super) fn string(&mut self) -> Text {
        let mut text = Text {
            start: self.pos,
            end: 0,
            faulty: false,
            ill_formed: false,
            cut: false,
            comma: false,
        };
        self.pos += 1;
        loop {
            let at = self.pos;
            let Some(byte) = self.peek() else {
                self.fault(ErrorCode::UnexpectedEnd, at, "`\"`");
                text.faulty = true;
                text.end = at;
                return text;
            };
            match byte {
                b'"' => {
                    text.end = at;
                    self.pos += 1;
                    return text;
                }
                b'\\' => text.faulty |= !self.escape(),
                0..0x20 => {
                    text.faulty = true;
                    self.report(at, |_| Error::at(ErrorCode::ControlCharacter, at));
                    self.pos += if self.input[at..].starts_with(b"\r\n") {
                        2
                    } else {
                        1
                    };
                    if matches!(byte, b'\n' | b'\r') && self.string_ended_with_line() {
                        text.cut = true;
                        text.end = at;
                        text.comma = self.input[text.start..at].trim_ascii_end().ends_with(b",");
                        return text;
                    }
                }
                0x20..0x80 => self.pos += 1,
                0x80.. => text.ill_formed |= !self.character_or_report(),
            }
        }
    }

    /// Reads the escape at the current backslash; false if it is none.
    fn escape(&mut self) -> bool {
        let at = self.pos;
        match self.input.get(at + 1) {
            None => {
                self.pos = self.input.len();
                self.fault(ErrorCode::UnexpectedEnd, self.pos, "an escape");
                false
            }
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                self.pos += 2;
                true
            }
            Some(b'u') => self.unicode_escape(),
            Some(&byte) => {
                self.report(at, |_| Error::at(ErrorCode::InvalidEscape, at));
                self.pos += if byte < 0x80 { 2 } else { 1 };
                false
            }
        }
    }

    fn unicode_escape(&mut self) -> bool {
        let at = self.pos;
        let Some(unit) = self.unit() else {
            return false;
        };
        if !(0xd800..0xe000).contains(&unit) || self.options.surrogates != Surrogates::Error {
            return true;
        }
        if unit < 0xdc00 {
            let rest = &self.input[self.pos..];
            if rest.starts_with(b"\\u") {
                let low = self.pos;
                match self.unit() {
                    Some(0xdc00..0xe000) => return true,
                    Some(_) => self.pos = low,
                    None => return false,
                }
            } else if rest.is_empty() || rest == b"\\" {
                self.pos = self.input.len();
                self.fault(ErrorCode::UnexpectedEnd, self.pos, "`\"`");
                return false;
            }
        }
        self.report(at, |_| {
            Error::at(ErrorCode::LoneSurrogate, at).with("advice", SURROGATE_ADVICE)
        });
        false
    }

    /// The four digits of the `\u` at the current backslash; a fault if they are not there.
    fn unit(&mut self) -> Option<u32> {
        let at = self.pos;
        self.pos += 2;
        let mut unit = 0;
        for _ in 0..4 {
            let Some(byte) = self.peek() else {
                self.fault(ErrorCode::UnexpectedEnd, self.pos, "a hexadecimal digit");
                return None;
            };
            let Some(digit) = char::from(byte).to_digit(16) else {
                self.report(at, |_| Error::at(ErrorCode::InvalidUnicodeEscape, at));
                return None;
            };
            unit = unit * 16 + digit;
            self.pos += 1;
        }
        Some(unit)
    }

    /// The length of the character at `at`; `None` if it is ill-formed.
    pub(super) fn character(&self, at: usize) -> Option<usize> {
        let first = *self.input.get(at)?;
        let length = match first {
            0..0x80 => 1,
            0x80..0xe0 => 2,
            0xe0..0xf0 => 3,
            0xf0.. => 4,
        };
        let bytes = self.input.get(at..at + length)?;
        core::str::from_utf8(bytes).ok().map(|_| length)
    }

    /// Goes behind the character here; reports a run of ill-formed ones once, and returns false.
    pub(super) fn character_or_report(&mut self) -> bool {
        if let Some(length) = self.character(self.pos) {
            self.pos += length;
            return true;
        }
        let at = self.pos;
        self.report(at, |checker| checker.ill_formed(at));
        while self.peek().is_some_and(|byte| byte >= 0x80) && self.character(self.pos).is_none() {
            self.pos += 1;
        }
        false
    }

    pub(super) fn ill_formed(&self, at: usize) -> Error {
        let byte = self.input.get(at).copied().unwrap_or_default();
        Error::at(ErrorCode::InvalidUtf8, at).with("found", format_args!("the byte 0x{byte:02x}"))
    }

    pub(super) fn text_limit(&mut self, text: &Text) {
        let size = (text.end - text.start - 1) as u64;
        if let Some(limit) = self.options.limits.text.filter(|limit| size > *limit) {
            self.report(text.start, |_| {
                Error::at(ErrorCode::TextLimit, text.start)
                    .with("limit", limit)
                    .with("size", size)
            });
        }
    }

    pub(super) fn number(&mut self) -> Due {
        let start = self.pos;
        if self.peek() == Some(b'-') {
            self.pos += 1;
        }
        let first = self.pos;
        let Some(digits) = self.digits() else {
            return self.not_finite(start);
        };
        if digits > 1 && self.input[first] == b'0' {
            self.pos = first + 1;
            self.fault(ErrorCode::LeadingZero, self.pos, "a digit");
            return self.wrong_word(start);
        }
        let mut real = false;
        if self.peek() == Some(b'.') {
            real = true;
            self.pos += 1;
            if self.digits().is_none() {
                return self.missing_digits(start);
            }
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            real = true;
            self.pos += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.pos += 1;
            }
            if self.digits().is_none() {
                return self.missing_digits(start);
            }
        }
        let spelled = &self.input[start..self.pos];
        if real {
            self.overflow(start, spelled);
        } else if let Some(limit) = self.options.limits.digits
            && digits as u64 > u64::from(limit)
        {
            self.report(start, |_| {
                Error::at(ErrorCode::DigitsLimit, start)
                    .with("limit", limit)
                    .with("size", digits)
            });
        }
        self.scalar(start)
    }

    fn overflow(&mut self, start: usize, spelled: &[u8]) {
        let text = core::str::from_utf8(spelled).unwrap_or_default();
        // The standard library reads a double here, the fast reader another way.
        let finite = text.parse().is_ok_and(f64::is_finite);
        let range = if self.options.decimals {
            self.options.out_of_range(text)
        } else {
            (!finite && !self.options.overflow_is_infinite).then_some(A_DOUBLE)
        };
        if let Some(range) = range {
            self.report(start, |_| overflow(text, range).or_offset(Some(start)));
        }
    }

    /// Goes behind the digits here; how many there are, `None` if there is none.
    fn digits(&mut self) -> Option<usize> {
        let start = self.pos;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.pos += 1;
        }
        Some(self.pos - start).filter(|count| *count > 0)
    }

    fn missing_digits(&mut self, start: usize) -> Due {
        self.fault(ErrorCode::MissingDigits, self.pos, "a digit");
        self.wrong_word(start)
    }

    pub(super) fn literal(&mut self) -> Due {
        let start = self.pos;
        for word in [b"true".as_slice(), b"false", b"null"] {
            if self.input[start..].starts_with(word) {
                self.pos += word.len();
                return self.scalar(start);
            }
        }
        self.not_finite(start)
    }

    /// `NaN` and `Infinity`, or nothing: the current offset is behind the minus, if there is one.
    fn not_finite(&mut self, start: usize) -> Due {
        let negative = self.pos > start;
        let rest = &self.input[self.pos..];
        let words: &[&[u8]] = if negative {
            &[b"Infinity"]
        } else {
            &[b"Infinity", b"NaN"]
        };
        let allowed = self.options.nan != NanRead::Error;
        let Some(word) = words.iter().find(|word| rest.starts_with(word)) else {
            if allowed && !rest.is_empty() && words.iter().any(|word| word.starts_with(rest)) {
                self.pos = self.input.len();
                self.fault(ErrorCode::UnexpectedEnd, self.pos, "`NaN` or `Infinity`");
                return self.wrong_word(start);
            }
            if negative {
                return self.missing_digits(start);
            }
            return self.no_literal(start);
        };
        self.pos += word.len();
        if !allowed {
            let found = quote(&self.input[start..self.pos]);
            self.report(start, |_| {
                Error::at(ErrorCode::NanNotAllowed, start).with("found", found)
            });
        }
        self.scalar(start)
    }

    fn no_literal(&mut self, start: usize) -> Due {
        let rest = &self.input[start..];
        let mut words = [b"true".as_slice(), b"false", b"null"].into_iter();
        if words.any(|word| word.starts_with(rest)) {
            self.pos = self.input.len();
            self.fault(
                ErrorCode::UnexpectedEnd,
                self.pos,
                "`true`, `false` or `null`",
            );
        } else {
            self.fault(ErrorCode::InvalidLiteral, start, "a value");
            if self.frames.is_empty() {
                self.muted = true;
                self.skip_garbage();
                return Due::Root;
            }
        }
        self.wrong_word(start)
    }

    /// A number or literal without faults.
    fn scalar(&mut self, start: usize) -> Due {
        if self.token(start, false) {
            self.finished()
        } else {
            Due::End
        }
    }

    /// A number or literal that is given up: the rest of the word belongs to it.
    fn wrong_word(&mut self, start: usize) -> Due {
        self.skip_word();
        self.token(start, true);
        self.finished()
    }
}

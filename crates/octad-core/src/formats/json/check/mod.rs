//! `check`: every problem of a JSON text, found in one pass that never stops at the first.
//!
//! A second reader, written apart from the fast one: byte by byte, a state and a stack, no tape. It
//! accepts exactly what loading accepts, and its first problem is the fast reader's error, so each
//! is the other's test. Knows no tokens and no documents; what it does after a fault is a guess
//! (see `recovery`) that may cost a second report but never time or memory.

mod recovery;
mod scalar;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::ops::Range;

use crate::error::{Error, ErrorCode, KEY, Path, Segment, quote};
use crate::limits::Limits;
use crate::text::escape::{Surrogates, unescape_json};

use super::{BOM, Duplicates, ReadOptions};

/// The problems of a JSON text, sorted by offset, at most `max_problems`. Empty if, and only if,
/// loading the text succeeds; `lazy_values` is not heeded, since loading reads all values.
///
/// Time and memory are linear in the input and the number of problems: the path of a problem is
/// bounded (see `Path::bounded`).
#[must_use]
pub fn check(input: &[u8], options: &ReadOptions, max_problems: usize) -> Vec<Error> {
    if max_problems == 0 {
        return Vec::new();
    }
    let limit = options.limits.max_size();
    if input.len() as u64 > limit {
        let error = Error::at(ErrorCode::SizeLimit, 0)
            .with("limit", limit)
            .with("size", input.len());
        return vec![error];
    }
    let mut checker = Checker {
        input,
        options,
        cap: max_problems,
        pos: if input.starts_with(BOM) { BOM.len() } else { 0 },
        frames: Vec::new(),
        problems: Vec::new(),
        tokens: 0,
        stopped: false,
        muted: false,
        last_fault: None,
        value_end: usize::MAX,
    };
    checker.run();
    checker.problems
}

/// What may come next.
#[derive(Clone, Copy, Debug)]
enum Due {
    /// The value that the text consists of.
    Root,
    /// An element, or the end of the array; after a comma at this offset.
    Item(Option<usize>),
    /// A key, or the end of the object; after a comma at this offset.
    Entry(Option<usize>),
    /// The colon after a key.
    Colon,
    /// The value after a colon.
    Value,
    /// A comma, or the end of the container.
    Next,
    /// The end of the text.
    End,
}

/// An open container.
struct Frame<'i> {
    map: bool,
    /// Values of an array so far.
    count: usize,
    /// The key whose value is being read.
    key: Option<Range<usize>>,
    /// What is being read stands where a key was due, so a colon may follow it.
    keyless: bool,
    /// The nearest container around this one that is of the other kind.
    other: Option<usize>,
    /// Where each key stood first, for the policy that refuses equal keys.
    seen: hashbrown::HashMap<Cow<'i, [u8]>, usize>,
}

struct Checker<'i, 'o> {
    input: &'i [u8],
    options: &'o ReadOptions,
    cap: usize,
    pos: usize,
    frames: Vec<Frame<'i>>,
    /// Sorted by offset; equal offsets in the order they were found.
    problems: Vec<Error>,
    tokens: u64,
    /// Nothing more can be said about the text.
    stopped: bool,
    /// The root was no value: until one comes, that has been said.
    muted: bool,
    /// Where the last fault of the grammar was: one fault is reported once.
    last_fault: Option<usize>,
    /// Where the last value or key ended.
    value_end: usize,
}

impl<'i> Checker<'i, '_> {
    fn run(&mut self) {
        let mut due = Due::Root;
        loop {
            // With a comma pending, a fault that stands before those found may still be seen.
            let pending = matches!(due, Due::Item(Some(_)) | Due::Entry(Some(_)));
            if self.problems.len() >= self.cap && !pending {
                return;
            }
            self.blanks();
            if self.stopped {
                return;
            }
            let Some(byte) = self.peek() else {
                return self.end(due);
            };
            due = match due {
                Due::Root | Due::Value => self.value(byte),
                Due::Item(comma) => self.item(byte, comma),
                Due::Entry(comma) => self.entry(byte, comma),
                Due::Colon => self.colon(byte),
                Due::Next => self.next(byte),
                Due::End => {
                    self.fault(
                        ErrorCode::TrailingData,
                        self.pos,
                        "the end of the text after the value",
                    );
                    return;
                }
            };
            if self.stopped {
                return;
            }
        }
    }

    /// The text is over while something is due.
    fn end(&mut self, due: Due) {
        let expected = match due {
            Due::End => return,
            Due::Root if self.muted => return,
            Due::Root => {
                let end = self.pos;
                self.report(end, |_| Error::at(ErrorCode::EmptyInput, end));
                return;
            }
            Due::Item(_) | Due::Value => "a value",
            Due::Entry(_) => "a key in double quotes",
            Due::Colon => "`:`",
            Due::Next => self.separators(),
        };
        self.fault(ErrorCode::UnexpectedEnd, self.input.len(), expected);
    }

    fn peek(&self) -> Option<u8> {
        self.input.get(self.pos).copied()
    }

    fn in_map(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.map)
    }

    fn separators(&self) -> &'static str {
        if self.in_map() {
            "`,` or `}`"
        } else {
            "`,` or `]`"
        }
    }

    /// The state in which the innermost container takes its next member.
    fn member(&self, comma: Option<usize>) -> Due {
        match self.frames.last() {
            Some(frame) if frame.map => Due::Entry(comma),
            Some(_) => Due::Item(comma),
            None => Due::Root,
        }
    }

    /// A value is complete, well-formed or not.
    fn finished(&mut self) -> Due {
        self.value_end = self.pos;
        match self.frames.last_mut() {
            Some(frame) => {
                frame.count += 1;
                frame.key = None;
                Due::Next
            }
            None => Due::End,
        }
    }

    fn item(&mut self, byte: u8, comma: Option<usize>) -> Due {
        if byte == b']' {
            self.trailing_comma(comma, ']');
            return self.close();
        }
        self.value(byte)
    }

    fn value(&mut self, byte: u8) -> Due {
        match byte {
            b'"' => self.string_value(),
            b'-' | b'0'..=b'9' => self.number(),
            b'{' | b'[' => self.open(byte == b'{'),
            b'a'..=b'z' | b'A'..=b'Z' => self.literal(),
            _ => self.no_value(byte),
        }
    }

    fn no_value(&mut self, byte: u8) -> Due {
        self.fault(ErrorCode::ExpectedValue, self.pos, "a value");
        if self.frames.is_empty() {
            self.muted = true;
            self.skip_garbage();
            return Due::Root;
        }
        match byte {
            b',' if self.in_map() => self.finished(),
            b',' => {
                self.skip_run(b',');
                Due::Item(None)
            }
            b':' => {
                self.skip_run(b':');
                if self.in_map() {
                    Due::Value
                } else {
                    Due::Item(None)
                }
            }
            b'}' if self.in_map() => self.finished(),
            b'}' | b']' => self.bracket(),
            _ => {
                self.skip_garbage();
                self.finished()
            }
        }
    }

    fn entry(&mut self, byte: u8, comma: Option<usize>) -> Due {
        match byte {
            b'"' => return self.key(),
            b'}' => {
                self.trailing_comma(comma, '}');
                return self.close();
            }
            _ => self.fault(ErrorCode::ExpectedKey, self.pos, "a key in double quotes"),
        }
        match byte {
            b']' => self.bracket(),
            b',' => {
                self.skip_run(b',');
                Due::Entry(None)
            }
            b':' => {
                self.pos += 1;
                Due::Value
            }
            b'{' | b'[' => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.keyless = true;
                }
                self.open(byte == b'{')
            }
            _ => self.bad_key(),
        }
    }

    /// Words where a key was due: taken as the key, whatever follows.
    fn bad_key(&mut self) -> Due {
        let start = self.pos;
        self.skip_garbage();
        let key = start..self.pos;
        if let Some(frame) = self.frames.last_mut() {
            frame.key = Some(key);
        }
        loop {
            self.blanks();
            match self.peek() {
                Some(b':') => {
                    self.pos += 1;
                    return Due::Value;
                }
                None | Some(b',' | b'}' | b']') => return self.finished(),
                Some(b'"' | b'{' | b'[' | b'-' | b'0'..=b'9') => return Due::Value,
                Some(_) if self.stopped => return Due::End,
                Some(_) => self.skip_garbage(),
            }
        }
    }

    fn key(&mut self) -> Due {
        let text = self.string();
        let range = text.start + 1..text.end;
        if text.cut {
            // The line ended inside the key, and with it the pair.
            return self.text_finished(&text);
        }
        if !self.token(text.start, text.faulty) {
            return Due::End;
        }
        if !text.faulty {
            self.text_limit(&text);
        }
        self.value_end = self.pos;
        if let Some(frame) = self.frames.last_mut() {
            frame.key = Some(range.clone());
        }
        if self.options.duplicates == Duplicates::Error && !text.faulty && !text.ill_formed {
            self.seen(text.start, range);
        }
        Due::Colon
    }

    /// Refuses a key that the object has already.
    fn seen(&mut self, start: usize, range: Range<usize>) {
        let spelled = &self.input[range];
        let mut name = Cow::Borrowed(spelled);
        if spelled.contains(&b'\\') {
            let mut text = Vec::new();
            if unescape_json(spelled, &mut text, self.options.surrogates).is_ok() {
                name = Cow::Owned(text);
            }
        }
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        if let Some(&first) = frame.seen.get(&name) {
            self.report(start, |checker| {
                let range = checker.frames.last().and_then(|frame| frame.key.clone());
                let key = range.map_or(String::new(), |range| checker.key_text(range));
                Error::at(ErrorCode::DuplicateKey, start)
                    .with("key", quote(key.as_bytes()))
                    .with("first", first)
            });
        } else {
            frame.seen.insert(name, start);
        }
    }

    fn colon(&mut self, byte: u8) -> Due {
        if byte == b':' {
            self.pos += 1;
            return Due::Value;
        }
        self.fault(ErrorCode::ExpectedColon, self.pos, "`:`");
        if self.quotes_inside_key() {
            return Due::Colon;
        }
        match byte {
            b',' | b'}' | b']' => self.finished(),
            _ if starts_value(byte) => Due::Value,
            _ => {
                self.skip_signs();
                Due::Value
            }
        }
    }

    fn next(&mut self, byte: u8) -> Due {
        let map = self.in_map();
        match byte {
            b',' => {
                let comma = self.pos;
                self.pos += 1;
                self.take_keyless();
                self.member(Some(comma))
            }
            b'}' if map => self.close(),
            b']' if !map => self.close(),
            b'}' | b']' => {
                self.fault(ErrorCode::MismatchedBracket, self.pos, self.separators());
                self.bracket()
            }
            b':' if map && self.take_keyless() => {
                self.pos += 1;
                Due::Value
            }
            _ => {
                self.fault(ErrorCode::ExpectedComma, self.pos, self.separators());
                self.no_comma(byte, map)
            }
        }
    }

    fn take_keyless(&mut self) -> bool {
        self.frames
            .last_mut()
            .is_some_and(|frame| core::mem::take(&mut frame.keyless))
    }

    fn no_comma(&mut self, byte: u8, map: bool) -> Due {
        match byte {
            b':' => {
                self.skip_run(b':');
                if map { Due::Value } else { Due::Item(None) }
            }
            _ if self.pos == self.value_end && in_word(byte) => {
                // The rest of a misspelled value, or of a text with quotes in it.
                self.skip_rest();
                self.value_end = self.pos;
                Due::Next
            }
            _ if starts_value(byte) => self.member(None),
            _ => {
                self.skip_signs();
                self.member(None)
            }
        }
    }

    fn open(&mut self, map: bool) -> Due {
        let start = self.pos;
        let max_depth = self.options.limits.depth.min(Limits::MAX_DEPTH) as usize;
        if self.frames.len() >= max_depth {
            self.report(start, |_| {
                Error::at(ErrorCode::DepthLimit, start).with("limit", max_depth)
            });
            self.skip_container();
            return self.finished();
        }
        if !self.token(start, false) {
            return Due::End;
        }
        let around = self.frames.len().checked_sub(1);
        let other = around.and_then(|place| {
            let frame = &self.frames[place];
            if frame.map == map {
                frame.other
            } else {
                Some(place)
            }
        });
        self.frames.push(Frame {
            map,
            count: 0,
            key: None,
            keyless: false,
            other,
            seen: hashbrown::HashMap::new(),
        });
        self.pos += 1;
        self.member(None)
    }

    fn close(&mut self) -> Due {
        self.pos += 1;
        self.frames.pop();
        self.finished()
    }

    fn trailing_comma(&mut self, comma: Option<usize>, bracket: char) {
        if let Some(comma) = comma
            && !self.options.trailing_commas
        {
            self.report(comma, |_| {
                Error::at(ErrorCode::TrailingComma, comma).with("bracket", bracket)
            });
        }
    }

    /// Counts a value or key; false when there is one too many, which ends the reading.
    fn token(&mut self, start: usize, faulty: bool) -> bool {
        self.tokens += 1;
        let limit = self.options.limits.max_tokens();
        if self.tokens <= limit || faulty {
            return true;
        }
        self.report(start, |_| {
            Error::at(ErrorCode::TokenLimit, start).with("limit", limit)
        });
        self.stopped = true;
        false
    }

    /// A fault of the grammar at `pos`, where `expected` was due.
    fn fault(&mut self, code: ErrorCode, pos: usize, expected: &str) {
        if (self.muted && self.frames.is_empty()) || self.last_fault == Some(pos) {
            return;
        }
        self.last_fault = Some(pos);
        let code = if pos >= self.input.len() {
            ErrorCode::UnexpectedEnd
        } else if self.character(pos).is_none() {
            return self.report(pos, |checker| checker.ill_formed(pos));
        } else {
            code
        };
        self.report(pos, |_| Error::at(code, pos).with("expected", expected));
    }

    /// Keeps a problem, made only if it is among the first ones by offset.
    fn report(&mut self, offset: usize, make: impl FnOnce(&Self) -> Error) {
        let offset = offset.min(self.input.len());
        let place = self
            .problems
            .partition_point(|known| known.offset() <= Some(offset));
        if place >= self.cap {
            return;
        }
        let error = make(self).with_path(self.path()).with_found(self.input);
        self.problems.insert(place, error);
        self.problems.truncate(self.cap);
    }

    /// The keys and indexes of the open containers.
    fn path(&self) -> Path {
        Path::from_ends(&self.frames, |frame| {
            if frame.map {
                let key = frame.key.clone()?;
                Some(Segment::Key(self.key_text(key)))
            } else {
                Some(Segment::Index(frame.count))
            }
        })
    }

    /// A key as paths show it: decoded, or as it is spelled where that fails. Of a long one no more
    /// is read than a path shows.
    fn key_text(&self, range: Range<usize>) -> String {
        let spelled = beginning(self.input.get(range).unwrap_or_default());
        let mut text = Vec::new();
        let decoded = core::str::from_utf8(spelled).is_ok()
            && unescape_json(spelled, &mut text, Surrogates::Replace).is_ok();
        let text = if decoded { &text } else { spelled };
        String::from_utf8_lossy(text).into_owned()
    }
}

/// As much of a key as is sure to have more characters than a path shows, whole escapes and
/// characters only.
fn beginning(key: &[u8]) -> &[u8] {
    // A character is spelled with twelve bytes at most: two escapes.
    const ENOUGH: usize = 12 * (KEY + 2);
    let mut end = 0;
    while end < key.len().min(ENOUGH) {
        end += match key[end..] {
            [b'\\', b'u', ..] => 6,
            [b'\\', ..] => 2,
            [0xc0..0xe0, ..] => 2,
            [0xe0..0xf0, ..] => 3,
            [0xf0..=0xff, ..] => 4,
            _ => 1,
        };
    }
    &key[..end.min(key.len())]
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// May begin a value, or was meant to.
fn starts_value(byte: u8) -> bool {
    matches!(byte, b'"' | b'{' | b'[' | b'-' | b'\'') || byte.is_ascii_alphanumeric()
}

/// Belongs to the word or number that it is glued to.
fn in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'+' | b'-' | b'_' | 0x80..)
}

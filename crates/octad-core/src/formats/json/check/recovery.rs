//! Guesses of `check` about what was meant, so that one fault gives one report.
//!
//! Every guess looks ahead by a bounded number of bytes or consumes what it looks at, so reading
//! stays linear whatever the input.

use crate::error::{Error, ErrorCode};

use super::{Checker, Due, in_word, is_blank};

/// How far a guess looks ahead.
const NEAR: usize = 256;

impl Checker<'_, '_> {
    /// Skips blanks and comments; comments that are not allowed are reported.
    pub(super) fn blanks(&mut self) {
        loop {
            while self.peek().is_some_and(is_blank) {
                self.pos += 1;
            }
            let start = self.pos;
            if !self.at_comment() {
                return;
            }
            let allowed = self.options.comments;
            let muted = self.muted && self.frames.is_empty();
            if !allowed && !muted {
                self.report(start, |_| Error::at(ErrorCode::CommentNotAllowed, start));
            }
            if !self.skip_comment(allowed) {
                let end = self.input.len();
                self.report(end, |_| Error::at(ErrorCode::UnterminatedComment, end));
                self.stopped = true;
                return;
            }
        }
    }

    fn at_comment(&self) -> bool {
        let rest = self.input.get(self.pos..).unwrap_or_default();
        rest.starts_with(b"//") || rest.starts_with(b"/*")
    }

    /// Goes behind the comment here; false if it does not end. Its text is checked if it counts.
    fn skip_comment(&mut self, counts: bool) -> bool {
        let block = self.input.get(self.pos + 1) == Some(&b'*');
        self.pos += 2;
        while let Some(byte) = self.peek() {
            if block && self.input[self.pos..].starts_with(b"*/") {
                self.pos += 2;
                return true;
            }
            if !block && matches!(byte, b'\n' | b'\r') {
                return true;
            }
            if byte >= 0x80 && counts {
                self.character_or_report();
            } else {
                self.pos += 1;
            }
        }
        !block
    }

    /// Goes behind the run of one separator.
    pub(super) fn skip_run(&mut self, separator: u8) {
        while self.peek() == Some(separator) {
            self.pos += 1;
        }
    }

    /// Goes to the end of a word: to what separates values, or to a comment.
    pub(super) fn skip_word(&mut self) {
        while let Some(byte) = self.peek() {
            let ends = is_blank(byte)
                || matches!(byte, b',' | b':' | b'[' | b']' | b'{' | b'}' | b'"')
                || self.at_comment();
            if ends {
                break;
            }
            self.pos += 1;
        }
        // The quote at the end of a text that has none at its start.
        if self.peek() == Some(b'"') && self.closes(self.pos) {
            self.pos += 1;
        }
    }

    /// Goes behind what is no value and no key: a text in single quotes, a word, a byte.
    pub(super) fn skip_garbage(&mut self) {
        let start = self.pos;
        if self.peek() == Some(b'\'') {
            let line = &self.input[start + 1..];
            let mut escaped = false;
            for (place, &byte) in line.iter().enumerate() {
                match byte {
                    b'\n' | b'\r' => break,
                    b'\'' if !escaped => {
                        self.pos = start + place + 2;
                        return;
                    }
                    _ => escaped = byte == b'\\' && !escaped,
                }
            }
        }
        self.skip_word();
        if self.pos == start {
            self.pos += 1;
        }
    }

    /// Goes behind signs that separate nothing in JSON, such as `;` or `=>`.
    pub(super) fn skip_signs(&mut self) {
        let start = self.pos;
        while let Some(byte) = self.peek() {
            let sign = byte.is_ascii_punctuation() || byte < 0x20;
            let known = matches!(
                byte,
                b',' | b':' | b'[' | b']' | b'{' | b'}' | b'"' | b'-' | b'\''
            );
            if !sign || known || is_blank(byte) || self.at_comment() {
                break;
            }
            self.pos += 1;
        }
        if self.pos == start {
            self.skip_garbage();
        }
    }

    /// Goes behind what is glued to a value. After a text with unescaped quotes in it, that is
    /// all up to its real end.
    pub(super) fn skip_rest(&mut self) {
        if self.pos > 0 && self.input[self.pos - 1] == b'"' {
            let near = self.pos..self.input.len().min(self.pos + NEAR);
            for at in near {
                match self.input[at] {
                    b',' | b':' | b'[' | b']' | b'{' | b'}' | b'\n' | b'\r' => break,
                    b'"' if self.closes(at) => {
                        self.pos = at + 1;
                        return;
                    }
                    _ => {}
                }
            }
        }
        self.skip_word();
    }

    /// A key with unescaped quotes in it: goes behind the rest of it, if a colon follows there.
    pub(super) fn quotes_inside_key(&mut self) -> bool {
        let start = self.pos;
        if start == self.value_end && self.peek().is_some_and(in_word) {
            self.skip_rest();
            if self.near(self.pos).is_some_and(|(byte, _)| byte == b':') {
                return true;
            }
            self.pos = start;
        }
        false
    }

    /// The next byte from `at` on that is not blank, with its offset, if it is near.
    fn near(&self, at: usize) -> Option<(u8, usize)> {
        let rest = self.input.get(at..)?;
        let place = rest.iter().take(NEAR).position(|byte| !is_blank(*byte))?;
        Some((rest[place], at + place))
    }

    /// Only blanks come from `at` on, as far as one looks.
    fn nothing_follows(&self, at: usize) -> bool {
        self.near(at).is_none() && self.input.len() <= at + NEAR
    }

    /// The quote at `at` looks like the end of a text.
    fn closes(&self, at: usize) -> bool {
        match self.near(at + 1) {
            Some((byte, _)) => matches!(byte, b',' | b':' | b']' | b'}'),
            None => true,
        }
    }

    /// Behind a line break in a string: does what follows look like the next member, so that only
    /// the closing quote is missing?
    pub(super) fn string_ended_with_line(&self) -> bool {
        if self.problems.len() >= self.cap {
            return false; // whatever comes is not reported
        }
        match self.near(self.pos) {
            Some((b'"', at)) => !self.closes(at),
            Some((bracket @ (b'}' | b']'), at)) => {
                let fits = self
                    .frames
                    .last()
                    .is_some_and(|f| f.map == (bracket == b'}'));
                let ends = match self.near(at + 1) {
                    Some((byte, _)) => matches!(byte, b',' | b']' | b'}'),
                    None => true,
                };
                fits && ends
            }
            _ => false,
        }
    }

    /// Goes behind the container here by counting brackets: it is too deep to be read.
    pub(super) fn skip_container(&mut self) {
        let mut depth = 0usize;
        while let Some(byte) = self.peek() {
            match byte {
                b'"' => {
                    self.pos += 1;
                    while let Some(byte) = self.peek().filter(|byte| *byte != b'"') {
                        self.pos += if byte == b'\\' { 2 } else { 1 };
                    }
                }
                b'/' if self.at_comment() => {
                    self.skip_comment(false);
                    continue;
                }
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth -= 1,
                _ => {}
            }
            self.pos += 1;
            if depth == 0 {
                return;
            }
        }
        self.pos = self.input.len();
    }

    /// A bracket that does not close the innermost container: it stands for the right one, or that
    /// one is missing, or it is one too many. Taken is the first of these that fits what follows.
    pub(super) fn bracket(&mut self) -> Due {
        let Some(frame) = self.frames.last() else {
            self.pos += 1;
            return Due::Root;
        };
        let innermost = self.frames.len() - 1;
        let other = frame.other;
        let keep = if self.follows(innermost) {
            innermost
        } else if let Some(other) = other.filter(|other| self.follows(*other)) {
            other
        } else if self.follows(innermost + 1) {
            self.pos += 1;
            self.frames[innermost].key = None;
            return Due::Next;
        } else {
            innermost
        };
        self.frames.truncate(keep + 1);
        self.close()
    }

    /// Whether what comes behind the bracket here fits when `open` containers are open.
    fn follows(&self, open: usize) -> bool {
        let after = self.near(self.pos + 1);
        let Some(around) = open.checked_sub(1) else {
            return after.is_none() && self.nothing_follows(self.pos + 1);
        };
        let map = self.frames[around].map;
        match after {
            Some((b'}', _)) => map,
            Some((b']', _)) => !map,
            Some((b',', at)) => match self.near(at + 1) {
                Some((b'"', _)) => true,
                Some((byte, _)) => !map && !matches!(byte, b',' | b':' | b'}' | b']'),
                None => false,
            },
            _ => false,
        }
    }
}

//! The JSON reader: one pass over the bytes, an explicit stack, values located and not decoded.
//!
//! Two facts matter. The loop is compiled four times, for strict or relaxed grammar and for numbers
//! located (documents) or read at once (loads). UTF-8 is checked once, at the end, and only if some
//! text had a byte above 0x7F; an error that stands before the ill-formed bytes wins.

use crate::error::{Error, ErrorCode, Path, Result};
use crate::scan::{self, ValidText};
use crate::tape::{Builder, Tape};
use crate::token::{Kind, Placement, Token, TokenId, variant};

use super::places::comment_end;
use super::{BOM, JsonSource, NanRead, PADDING, ReadOptions};

/// What becomes of numbers with a fraction or exponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// They stay located, with their spelling: for documents.
    Located,
    /// They are read now, while their bytes are at hand, and kept in the token: for loads.
    Eager,
}

/// Fills `tape` from a JSON text. `checked`: the input is known to be UTF-8. Returns the input as
/// text where it had to be found out that it is.
///
/// # Errors
/// A syntax or limit error with its offset, found text and path.
pub fn parse<'i>(
    input: &'i [u8],
    checked: bool,
    numbers: Numbers,
    options: &ReadOptions,
    tape: &mut Tape,
) -> Result<Option<ValidText<'i>>> {
    if input.len() as u64 > options.limits.max_size() {
        return Err(too_large(input.len(), options));
    }
    let outcome = match (options.is_strict(), numbers) {
        (true, Numbers::Located) => run::<false, false>(input, options, tape),
        (true, Numbers::Eager) => run::<true, false>(input, options, tape),
        (false, Numbers::Located) => run::<false, true>(input, options, tape),
        (false, Numbers::Eager) => run::<true, true>(input, options, tape),
    };
    let (mut first, non_ascii) = match outcome {
        Ok(non_ascii) => (None, non_ascii && !options.lazy_values),
        Err(error) => (Some(error), true),
    };
    // Of all faults the one that stands first in the text is reported, whenever it is found.
    let offset = |error: &Error| error.offset().unwrap_or(input.len());
    let mut text = None;
    if non_ascii && !checked {
        match ValidText::check(input) {
            Ok(valid) => text = Some(valid),
            Err(at) if first.as_ref().is_none_or(|error| at <= offset(error)) => {
                first = Some(invalid_utf8(input, at, options));
            }
            Err(_) => {}
        }
    }
    if let Err(error) = after(input, options, tape)
        && first
            .as_ref()
            .is_none_or(|known| offset(&error) < offset(known))
    {
        first = Some(error);
    }
    first.map_or(Ok(text), |error| Err(error.with_found(input)))
}

fn run<const EAGER: bool, const RELAXED: bool>(
    input: &[u8],
    options: &ReadOptions,
    tape: &mut Tape,
) -> Result<bool> {
    let mut reader = Reader::<EAGER, RELAXED> {
        input,
        options,
        builder: Builder::new(tape, &options.limits),
        non_ascii: false,
        value_end: 0,
        line_ended: false,
        last_value: None,
        notes: Vec::new(),
    };
    match reader.document() {
        Ok(()) => {
            let Reader {
                builder,
                non_ascii,
                notes,
                ..
            } = reader;
            builder.finish();
            if RELAXED {
                tape.place_comments(&notes);
            }
            Ok(non_ascii)
        }
        Err(error) => {
            let path = reader.path();
            // The tape so far becomes whole, for what is checked after reading.
            while reader.builder.close(0).is_some() {}
            Err(error.with_path(path))
        }
    }
}

/// Checks that need the whole tape and are asked for by options only: the first fault of them.
fn after(input: &[u8], options: &ReadOptions, tape: &Tape) -> Result<()> {
    let source = JsonSource::new(tape, input, options);
    let long = match options.limits.text {
        Some(limit) => source.check_text_limit(limit),
        None => Ok(()),
    };
    let equal = match options.duplicates {
        super::Duplicates::Error => source.check_duplicates(),
        _ => Ok(()),
    };
    match (long, equal) {
        (Err(long), Err(equal)) if equal.offset() < long.offset() => Err(equal),
        (Ok(()), equal) => equal,
        (long, _) => long,
    }
}

#[cold]
fn too_large(size: usize, options: &ReadOptions) -> Error {
    Error::at(ErrorCode::SizeLimit, 0)
        .with("limit", options.limits.max_size())
        .with("size", size)
}

/// The error for ill-formed UTF-8 at `at`: the text before it is read again for the path.
#[cold]
fn invalid_utf8(input: &[u8], at: usize, options: &ReadOptions) -> Error {
    let mut tape = Tape::default();
    let mut lenient = *options;
    lenient.duplicates = super::Duplicates::Last;
    lenient.limits.text = None;
    let path = match parse(&input[..at], true, Numbers::Located, &lenient, &mut tape) {
        Err(error) => error.path().clone(),
        Ok(_) => Path::root(),
    };
    let found = input
        .get(at)
        .map_or(String::new(), |byte| format!("the byte 0x{byte:02x}"));
    Error::at(ErrorCode::InvalidUtf8, at)
        .with("found", found)
        .with_path(path)
}

pub(super) struct Reader<'i, 'o, 't, const EAGER: bool, const RELAXED: bool> {
    pub(super) input: &'i [u8],
    pub(super) options: &'o ReadOptions,
    pub(super) builder: Builder<'t>,
    /// Some text has a byte above 0x7F.
    pub(super) non_ascii: bool,
    /// Where the last value, key or comment ended; kept in relaxed mode, for comments.
    value_end: usize,
    /// A line ended between the last value and the comments after it.
    line_ended: bool,
    /// The first token of the last complete value in the innermost container; relaxed mode.
    last_value: Option<TokenId>,
    /// End-of-line comments: (comment, first token of its value).
    notes: Vec<(TokenId, TokenId)>,
}

impl<const EAGER: bool, const RELAXED: bool> Reader<'_, '_, '_, EAGER, RELAXED> {
    fn document(&mut self) -> Result<()> {
        let input = self.input;
        let mut pos = if input.starts_with(BOM) { BOM.len() } else { 0 };
        pos = self.blank(pos)?;
        if pos >= input.len() {
            return Err(Error::at(ErrorCode::EmptyInput, pos));
        }
        pos = self.value_tree(pos)?;
        if input.get(pos..).is_some_and(|rest| rest == PADDING) {
            return Ok(());
        }
        pos = self.blank(pos)?;
        if pos < input.len() {
            let expected = "the end of the text after the value";
            return Err(self.expected(ErrorCode::TrailingData, pos, expected));
        }
        Ok(())
    }

    /// Reads the value at `pos` with all that is in it; returns the offset after it.
    fn value_tree(&mut self, mut pos: usize) -> Result<usize> {
        let input = self.input;
        let mut count: u32 = 0;
        let mut in_map = false;
        let mut open = false;
        loop {
            if in_map {
                pos = self.key(pos)?;
            }
            // At a value.
            let mut start = if RELAXED {
                self.builder.tokens().len() as TokenId
            } else {
                0
            };
            match input.get(pos).copied() {
                Some(b'"') => pos = self.string(pos)?,
                Some(b'-' | b'0'..=b'9') => pos = self.number(pos)?,
                Some(b'{') if !RELAXED && input.get(pos + 1) == Some(&b'}') => {
                    pos = self.empty(Kind::Map, pos)?;
                }
                Some(b'[') if !RELAXED && input.get(pos + 1) == Some(&b']') => {
                    pos = self.empty(Kind::List, pos)?;
                }
                Some(b'{') => {
                    self.open(Kind::Map, count, pos)?;
                    (open, in_map, count) = (true, true, 0);
                    pos = self.blank(pos + 1)?;
                    if input.get(pos) != Some(&b'}') {
                        if input.get(pos) != Some(&b'"') {
                            return Err(self.no_key(pos));
                        }
                        continue;
                    }
                    pos += 1;
                    (open, in_map, count) = self.close(count);
                }
                Some(b'[') => {
                    self.open(Kind::List, count, pos)?;
                    (open, in_map, count) = (true, false, 0);
                    pos = self.blank(pos + 1)?;
                    if input.get(pos) != Some(&b']') {
                        continue;
                    }
                    pos += 1;
                    (open, in_map, count) = self.close(count);
                }
                Some(b't' | b'f' | b'n' | b'N' | b'I') => pos = self.literal(pos)?,
                _ => return Err(self.no_value(pos)),
            }
            // After a value.
            loop {
                if RELAXED {
                    (self.value_end, self.line_ended) = (pos, false);
                    self.last_value = Some(self.value_start(start, in_map));
                }
                if !open {
                    return Ok(pos);
                }
                count = count.saturating_add(1);
                if input.get(pos) != Some(&b',') {
                    pos = self.blank(pos)?;
                }
                match input.get(pos).copied() {
                    Some(b',') => {
                        let comma = pos;
                        pos = self.blank(pos + 1)?;
                        let next = input.get(pos).copied();
                        if in_map {
                            if next == Some(b'"') {
                                break;
                            }
                            if next != Some(b'}') {
                                return Err(self.no_key(pos));
                            }
                        } else if next != Some(b']') {
                            break;
                        }
                        if !RELAXED || !self.options.trailing_commas {
                            return Err(trailing_comma(comma, input[pos]));
                        }
                    }
                    Some(b'}') if in_map => {}
                    Some(b']') if !in_map => {}
                    _ => return Err(self.no_comma(pos, in_map)),
                }
                pos += 1;
                if RELAXED {
                    start = self.builder.frames().last().map_or(0, |frame| frame.head);
                }
                (open, in_map, count) = self.close(count);
            }
        }
    }

    #[inline]
    fn open(&mut self, kind: Kind, count: u32, pos: usize) -> Result<()> {
        if RELAXED {
            (self.value_end, self.line_ended) = (pos + 1, false);
            self.last_value = None;
        }
        self.builder
            .open(kind, variant::PLAIN, count)
            .map_err(|error| error.or_offset(Some(pos)))
    }

    /// The container without content at `pos`, two brackets; returns the offset after it.
    #[inline]
    fn empty(&mut self, kind: Kind, pos: usize) -> Result<usize> {
        self.builder
            .empty(kind, variant::PLAIN)
            .map_err(|error| error.or_offset(Some(pos)))?;
        Ok(pos + 2)
    }

    /// Closes the innermost container; returns what surrounds it: (open, is a map, its count).
    #[inline]
    fn close(&mut self, count: u32) -> (bool, bool, u32) {
        if RELAXED {
            self.builder.dangle();
        }
        match self.builder.close(count) {
            Some(frame) => (
                true,
                self.builder.innermost() == Some(Kind::Map),
                frame.count,
            ),
            None => (false, false, 0),
        }
    }

    #[inline]
    pub(super) fn push(&mut self, token: Token, pos: usize) -> Result<()> {
        self.builder
            .push(token)
            .map_err(|error| error.or_offset(Some(pos)))
    }

    /// The key whose quote is at `pos`, and its colon; returns the offset of the value.
    #[inline(always)]
    fn key(&mut self, pos: usize) -> Result<usize> {
        if !RELAXED && let Some(value) = self.short_key(pos)? {
            return Ok(value);
        }
        self.longer_key(pos)
    }

    #[inline(never)]
    fn longer_key(&mut self, pos: usize) -> Result<usize> {
        let mut pos = self.long_string(pos)?;
        if self.input.get(pos) != Some(&b':') {
            pos = self.blank(pos)?;
            if self.input.get(pos) != Some(&b':') {
                return Err(self.expected(ErrorCode::ExpectedColon, pos, "`:`"));
            }
        }
        if RELAXED {
            // A comment behind the colon belongs to the value that comes, not to the pair before.
            (self.value_end, self.line_ended) = (pos + 1, false);
            self.last_value = None;
        }
        self.blank(pos + 1)
    }

    /// Skips blanks, and comments where they are allowed.
    #[inline(always)]
    fn blank(&mut self, pos: usize) -> Result<usize> {
        let pos = scan::skip_blank(self.input, pos);
        if RELAXED && self.input.get(pos) == Some(&b'/') {
            return self.comments(pos);
        }
        Ok(pos)
    }

    #[cold]
    fn comments(&mut self, mut pos: usize) -> Result<usize> {
        while self.options.comments && self.input.get(pos) == Some(&b'/') {
            let (end, kind) = match self.input.get(pos + 1) {
                Some(b'/') => {
                    let length = self.input[pos..]
                        .iter()
                        .position(|byte| matches!(byte, b'\n' | b'\r'))
                        .unwrap_or(self.input.len() - pos);
                    (pos + length, variant::LINE_COMMENT)
                }
                Some(b'*') => match memchr::memmem::find(&self.input[pos + 2..], b"*/") {
                    Some(length) => (pos + 2 + length + 2, variant::BLOCK_COMMENT),
                    None => {
                        return Err(Error::at(ErrorCode::UnterminatedComment, self.input.len()));
                    }
                },
                _ => break,
            };
            let text = &self.input[pos..end];
            self.non_ascii |= !text.is_ascii();
            // Values are checked when they are read, but nobody reads a comment.
            if self.options.lazy_values
                && let Some(at) = scan::utf8_error(text)
            {
                let found = format!("the byte 0x{:02x}", text[at]);
                return Err(Error::at(ErrorCode::InvalidUtf8, pos + at).with("found", found));
            }
            self.comment(pos, end, kind)?;
            pos = scan::skip_blank(self.input, end);
        }
        Ok(pos)
    }

    fn comment(&mut self, start: usize, end: usize, kind: u8) -> Result<()> {
        if EAGER {
            return Ok(()); // objects carry no comments
        }
        let root_done = self.builder.frames().is_empty() && self.last_value.is_some();
        self.line_ended |= self.input[self.value_end..start].contains(&b'\n');
        self.value_end = start; // the comment itself may end the line
        let same_line = !self.line_ended;
        let id = self.builder.tokens().len() as TokenId;
        let placement = match self.last_value {
            _ if root_done => Placement::Dangling,
            Some(value) if same_line => {
                self.notes.push((id, value));
                Placement::EndOfLine
            }
            _ => Placement::Leading,
        };
        let at = self.builder.tape().locate(start, end - start, false, false);
        self.push(Token::trivia(kind, placement, at.offset, at.length), start)
    }

    /// The first token of the value that started at `start`: its key, inside a map.
    fn value_start(&self, start: TokenId, in_map: bool) -> TokenId {
        if !in_map {
            return start;
        }
        let before = &self.builder.tokens()[..start as usize];
        before
            .iter()
            .rposition(|token| token.kind() == Kind::Text)
            .unwrap_or(0) as TokenId
    }

    #[inline]
    fn literal(&mut self, pos: usize) -> Result<usize> {
        let rest = &self.input[pos..];
        let (token, length) = if rest.starts_with(b"true") {
            (Token::TRUE, 4)
        } else if rest.starts_with(b"false") {
            (Token::FALSE, 5)
        } else if rest.starts_with(b"null") {
            (Token::NULL, 4)
        } else {
            return self.not_finite(pos, pos);
        };
        self.push(token, pos)?;
        Ok(pos + length)
    }

    /// `NaN`, `Infinity` at `word`, after a minus at `start` where the two differ.
    #[cold]
    pub(super) fn not_finite(&mut self, start: usize, word: usize) -> Result<usize> {
        let rest = &self.input[word..];
        let cut_off = |name: &[u8]| !rest.is_empty() && name.starts_with(rest);
        let length = if rest.starts_with(b"Infinity") {
            8
        } else if rest.starts_with(b"NaN") && start == word {
            3
        } else if self.options.nan != NanRead::Error
            && (cut_off(b"Infinity") || (start == word && cut_off(b"NaN")))
        {
            return Err(Error::at(ErrorCode::UnexpectedEnd, self.input.len())
                .with("expected", "`NaN` or `Infinity`"));
        } else if start == word {
            return Err(self.no_literal(start));
        } else {
            return Err(self.expected(ErrorCode::MissingDigits, word, "a digit"));
        };
        let end = word + length;
        match self.options.nan {
            NanRead::Error => {
                let found = crate::error::quote(&self.input[start..end]);
                return Err(Error::at(ErrorCode::NanNotAllowed, start).with("found", found));
            }
            NanRead::Null => self.push(Token::NULL, start)?,
            NanRead::Literal => {
                let at = self.builder.tape().locate(start, end - start, false, false);
                self.push(Token::located(Kind::Real, variant::REAL_SPECIAL, at), start)?;
            }
        }
        Ok(end)
    }

    #[cold]
    fn no_literal(&self, pos: usize) -> Error {
        // `nul` at the end of a truncated text is an early end, not another word.
        let rest = &self.input[pos..];
        let cut_off = [b"true".as_slice(), b"false", b"null"]
            .iter()
            .any(|w| w.starts_with(rest));
        if cut_off {
            let expected = "`true`, `false` or `null`";
            return Error::at(ErrorCode::UnexpectedEnd, self.input.len())
                .with("expected", expected);
        }
        Error::at(ErrorCode::InvalidLiteral, pos)
    }

    /// `code` at `pos`, or an unexpected end where the text is over.
    #[cold]
    pub(super) fn expected(&self, code: ErrorCode, pos: usize, expected: &str) -> Error {
        if pos >= self.input.len() {
            return Error::at(ErrorCode::UnexpectedEnd, self.input.len())
                .with("expected", expected);
        }
        let comment = matches!(self.input[pos..], [b'/', b'/' | b'*', ..]);
        if comment && code != ErrorCode::MissingDigits {
            return self.no_comment(pos);
        }
        Error::at(code, pos).with("expected", expected)
    }

    /// A comment at `pos`, or the comma before it, if that is one too many.
    #[cold]
    fn no_comment(&self, pos: usize) -> Error {
        let before = self.input[..pos].trim_ascii_end();
        if before.ends_with(b",") && !self.options.trailing_commas {
            let mut end = pos;
            while matches!(self.input[end..], [b'/', b'/' | b'*', ..]) {
                end = scan::skip_blank(self.input, comment_end(self.input, end));
            }
            let bracket = match self.builder.innermost() {
                Some(Kind::Map) => b'}',
                _ => b']',
            };
            if self.input.get(end) == Some(&bracket) {
                return trailing_comma(before.len() - 1, bracket);
            }
        }
        Error::at(ErrorCode::CommentNotAllowed, pos)
    }

    #[cold]
    fn no_value(&self, pos: usize) -> Error {
        if matches!(self.input.get(pos), Some(byte) if byte.is_ascii_alphabetic()) {
            return Error::at(ErrorCode::InvalidLiteral, pos);
        }
        self.expected(ErrorCode::ExpectedValue, pos, "a value")
    }

    #[cold]
    fn no_key(&self, pos: usize) -> Error {
        self.expected(ErrorCode::ExpectedKey, pos, "a key in double quotes")
    }

    #[cold]
    fn no_comma(&self, pos: usize, in_map: bool) -> Error {
        let expected = if in_map { "`,` or `}`" } else { "`,` or `]`" };
        let wrong = if in_map { b']' } else { b'}' };
        let code = if self.input.get(pos) == Some(&wrong) {
            ErrorCode::MismatchedBracket
        } else {
            ErrorCode::ExpectedComma
        };
        self.expected(code, pos, expected)
    }

    /// Where the reader stands: the keys and indexes of the open containers.
    #[cold]
    fn path(&self) -> Path {
        let source = JsonSource::partial(self.input, self.builder.long());
        let tokens = self.builder.tokens();
        self.builder
            .path(|key| source.key_lossy(tokens[key as usize]))
    }
}

#[cold]
fn trailing_comma(comma: usize, bracket: u8) -> Error {
    Error::at(ErrorCode::TrailingComma, comma).with("bracket", bracket as char)
}

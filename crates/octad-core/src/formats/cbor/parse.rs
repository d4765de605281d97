//! The CBOR reader: one pass over the heads, an explicit stack, values located and not decoded.
//!
//! Everything is checked here, tags and UTF-8 included, so that reading a value later cannot fail.
//! Lengths are compared with the bytes that are there and with nothing else; a container's count
//! only says how many items are due. Tags count as levels of nesting: Python's objects for them nest.

use crate::error::{Error, ErrorCode, Path, Result, Segment};
use crate::formats::Duplicates;
use crate::limits::Limits;
use crate::scan;
use crate::tape::{Builder, Tape};
use crate::token::{Kind, Token, variant};

use super::diag::key_text;
use super::head::{ARRAY, BYTES, Head, MAP, NEGATIVE, NoHead, TAG, TEXT, UNSIGNED, head};
use super::options::{ReadOptions, Tags, Trailing};
use super::tagged::{Typed, typed};
use super::unique;

/// Fills `tape` from CBOR. Returns how many bytes were read: all of them, unless
/// [`Trailing::Stop`] was asked for.
///
/// # Errors
/// A syntax or limit error with its offset and path.
pub fn parse(input: &[u8], options: &ReadOptions, tape: &mut Tape) -> Result<usize> {
    if input.len() as u64 > options.limits.max_size() {
        return Err(Error::at(ErrorCode::SizeLimit, 0)
            .with("limit", options.limits.max_size())
            .with("size", input.len()));
    }
    let mut reader = Reader {
        input,
        options,
        builder: Builder::new(tape, &options.limits),
        frame: Frame::ROOT,
        outer: Vec::new(),
        depth: 0,
        max_depth: options.limits.depth.min(Limits::MAX_DEPTH),
        read: None,
    };
    let outcome = match options.trailing {
        Trailing::Sequence => reader.sequence(),
        _ => reader.document(),
    };
    match outcome {
        Ok(end) => {
            reader.builder.finish();
            if options.duplicates == Duplicates::Error {
                unique::check(input, tape)?;
            }
            Ok(end)
        }
        Err(error) => Err(error.with_path(reader.path())),
    }
}

/// A container that is open.
#[derive(Clone, Copy)]
struct Frame {
    /// Items that are due, keys and values each; means nothing where the length is indefinite.
    left: u64,
    /// Elements, or pairs, that are complete.
    count: u32,
    map: bool,
    streamed: bool,
    /// Some key is not a text without tags.
    any_key: bool,
    /// A key comes next.
    at_key: bool,
    /// Levels that it takes: itself and its tags.
    levels: u32,
    /// Where the last key stands.
    key_at: usize,
}

impl Frame {
    /// What the value at the top stands in.
    const ROOT: Self = Self {
        left: 1,
        count: 0,
        map: false,
        streamed: false,
        any_key: false,
        at_key: false,
        levels: 0,
        key_at: 0,
    };
}

struct Reader<'i, 'o, 't> {
    input: &'i [u8],
    options: &'o ReadOptions,
    builder: Builder<'t>,
    /// The innermost container, and those around it.
    frame: Frame,
    outer: Vec<Frame>,
    depth: u32,
    max_depth: u32,
    /// Items of the sequence that are complete.
    read: Option<u32>,
}

impl Reader<'_, '_, '_> {
    fn document(&mut self) -> Result<usize> {
        if self.input.is_empty() {
            return Err(Error::at(ErrorCode::EmptyInput, 0));
        }
        let end = self.tree(0)?;
        match self.input.get(end) {
            Some(byte) if self.options.trailing == Trailing::Error => {
                Err(Error::at(ErrorCode::TrailingData, end)
                    .with("found", format_args!("the byte 0x{byte:02x}")))
            }
            _ => Ok(end),
        }
    }

    fn sequence(&mut self) -> Result<usize> {
        let (mut pos, mut count) = (0, 0_u32);
        self.read = Some(0);
        self.nest(0, 0)?;
        self.depth = 1;
        self.builder.open(Kind::List, variant::SEQUENCE, 0)?;
        while pos < self.input.len() {
            self.frame = Frame::ROOT;
            pos = self.tree(pos)?;
            count = count.saturating_add(1);
            self.read = Some(count);
        }
        self.builder.close(count);
        Ok(pos)
    }

    /// Reads the item at `pos` with all that is in it; returns the offset after it.
    fn tree(&mut self, mut pos: usize) -> Result<usize> {
        // Tags in front of the item.
        let mut tags = 0;
        loop {
            let head = match head(self.input, pos) {
                Ok(head) => head,
                Err(fault) => return Err(self.no_head(pos, fault)),
            };
            let after = pos + usize::from(head.size);
            if self.frame.at_key && tags == 0 {
                self.frame.key_at = pos;
            }
            let mut text_key = false;
            pos = match head.major {
                UNSIGNED | NEGATIVE => {
                    self.integer(head, pos)?;
                    after
                }
                TEXT if !head.is_open() => {
                    text_key = tags == 0;
                    self.text(head, pos)?
                }
                BYTES if !head.is_open() => self.bytes(head, pos)?,
                TEXT | BYTES => {
                    text_key = tags == 0 && head.major == TEXT;
                    self.chunked(head.major, pos)?
                }
                ARRAY | MAP => {
                    self.nest(tags, pos)?;
                    let kind = if head.major == MAP {
                        Kind::Map
                    } else {
                        Kind::List
                    };
                    if !head.is_open() && head.value == 0 {
                        self.builder
                            .empty(kind, variant::PLAIN)
                            .map_err(|error| error.or_offset(Some(pos)))?;
                        after
                    } else {
                        self.open(kind, head, tags + 1, pos)?;
                        (pos, tags) = (after, 0);
                        continue;
                    }
                }
                TAG => match self.tag(head, pos, tags)? {
                    Some(end) => end,
                    None => {
                        (pos, tags) = (after, tags + 1);
                        continue;
                    }
                },
                _ if head.is_open() => {
                    let frame = &self.frame;
                    if !frame.streamed || tags > 0 || (frame.map && !frame.at_key) {
                        return Err(
                            Error::at(ErrorCode::ExpectedValue, pos).with("found", "a break code")
                        );
                    }
                    self.close();
                    after
                }
                _ => {
                    self.other(head, pos)?;
                    after
                }
            };
            tags = 0;
            // After a value or key.
            loop {
                let frame = &mut self.frame;
                if !frame.map {
                    frame.count = frame.count.saturating_add(1);
                } else if frame.at_key {
                    frame.at_key = false;
                    frame.any_key |= !text_key;
                } else {
                    frame.at_key = true;
                    frame.count = frame.count.saturating_add(1);
                }
                if frame.streamed {
                    break;
                }
                frame.left -= 1;
                if frame.left > 0 {
                    break;
                }
                if self.outer.is_empty() {
                    return Ok(pos);
                }
                self.close();
                text_key = false;
            }
        }
    }

    #[inline]
    fn push(&mut self, token: Token, pos: usize) -> Result<()> {
        self.builder
            .push(token)
            .map_err(|error| error.or_offset(Some(pos)))
    }

    /// Appends a value that stays where it is, from `from` to `end`.
    #[inline]
    fn locate(&mut self, kind: Kind, variant: u8, from: usize, end: usize) -> Result<()> {
        let at = self.builder.tape().locate(from, end - from, false, false);
        self.push(Token::located(kind, variant, at), from)
    }

    /// Refuses one level more, below `tags`.
    #[inline]
    fn nest(&self, tags: u32, pos: usize) -> Result<()> {
        if self.depth + tags >= self.max_depth {
            return Err(Error::at(ErrorCode::DepthLimit, pos).with("limit", self.max_depth));
        }
        Ok(())
    }

    #[inline]
    fn open(&mut self, kind: Kind, head: Head, levels: u32, pos: usize) -> Result<()> {
        let map = kind == Kind::Map;
        let streamed = head.is_open();
        let variant = if streamed {
            variant::STREAMED
        } else {
            variant::PLAIN
        };
        self.builder
            .open(kind, variant, 0)
            .map_err(|error| error.or_offset(Some(pos)))?;
        self.outer.push(self.frame);
        self.depth += levels;
        self.frame = Frame {
            left: if map {
                head.value.saturating_mul(2)
            } else {
                head.value
            },
            count: 0,
            map,
            streamed,
            any_key: false,
            at_key: map,
            levels,
            key_at: 0,
        };
        Ok(())
    }

    /// Closes the innermost container.
    #[inline]
    fn close(&mut self) {
        let frame = self.frame;
        if frame.any_key {
            self.builder.revise(if frame.streamed {
                variant::STREAMED_ANY_KEY
            } else {
                variant::ANY_KEY
            });
        }
        self.builder.close(frame.count);
        self.depth -= frame.levels;
        self.frame = self.outer.pop().unwrap_or(Frame::ROOT);
    }

    #[inline]
    fn integer(&mut self, head: Head, pos: usize) -> Result<()> {
        if head.is_preferred() && head.value <= Token::MAX_INT as u64 {
            let value = head.value as i64;
            let value = if head.major == NEGATIVE {
                -1 - value
            } else {
                value
            };
            return self.push(Token::int_unchecked(value), pos);
        }
        let end = pos + usize::from(head.size);
        self.locate(Kind::Int, variant::PLAIN, pos, end)
    }

    /// Where the content of the string at `pos` ends.
    #[inline]
    fn content_end(&self, head: Head, pos: usize, what: &'static str) -> Result<usize> {
        let from = pos + usize::from(head.size);
        if head.length() > self.input.len() - from {
            return Err(self.cut_off(head.major, from, what));
        }
        Ok(from + head.length())
    }

    #[inline]
    fn check_size(&self, size: usize, pos: usize) -> Result<()> {
        match self.options.limits.text {
            Some(limit) if size as u64 > limit => Err(Error::at(ErrorCode::TextLimit, pos)
                .with("limit", limit)
                .with("size", size)),
            _ => Ok(()),
        }
    }

    /// A text of a definite length; returns the offset after it.
    #[inline]
    fn text(&mut self, head: Head, pos: usize) -> Result<usize> {
        let from = pos + usize::from(head.size);
        let end = self.content_end(head, pos, "the rest of the text")?;
        self.check_size(end - from, pos)?;
        let non_ascii = self.check_text(from, end)?;
        let tape = self.builder.tape();
        let at = tape.locate(from, end - from, false, non_ascii);
        self.push(Token::located(Kind::Text, variant::TEXT_DOUBLE, at), pos)?;
        Ok(end)
    }

    /// Whether the text has bytes above 0x7F; refuses what is not UTF-8.
    #[inline]
    fn check_text(&self, from: usize, end: usize) -> Result<bool> {
        let text = &self.input[from..end];
        if scan::is_ascii(text) {
            return Ok(false);
        }
        match scan::utf8_error(text) {
            None => Ok(true),
            Some(at) => Err(invalid_utf8(self.input, from + at)),
        }
    }

    /// Bytes of a definite length; returns the offset after them.
    #[inline]
    fn bytes(&mut self, head: Head, pos: usize) -> Result<usize> {
        let from = pos + usize::from(head.size);
        let end = self.content_end(head, pos, "the rest of the bytes")?;
        self.check_size(end - from, pos)?;
        self.locate(Kind::Bytes, variant::PLAIN, from, end)?;
        Ok(end)
    }

    /// A string in chunks; returns the offset after its break code.
    fn chunked(&mut self, major: u8, pos: usize) -> Result<usize> {
        let text = major == TEXT;
        let expected = if text {
            "a chunk of text or a break code"
        } else {
            "a chunk of bytes or a break code"
        };
        let (mut at, mut size, mut non_ascii) = (pos + 1, 0_usize, false);
        loop {
            let head = match head(self.input, at) {
                Ok(head) => head,
                Err(NoHead::End) => return Err(self.unexpected_end(expected)),
                Err(NoHead::Reserved) => {
                    return Err(self.invalid_chunk(at, expected, "a reserved byte"));
                }
            };
            if head.major == super::head::OTHER && head.is_open() {
                break;
            }
            if head.major != major || head.is_open() {
                let found = if head.major == major {
                    "one that is in chunks itself"
                } else {
                    super::tagged::describe(self.input, at)
                };
                return Err(self.invalid_chunk(at, expected, found));
            }
            let from = at + usize::from(head.size);
            let end = self.content_end(head, at, "the rest of the chunk")?;
            size += end - from;
            self.check_size(size, pos)?;
            if text {
                // No character stands in two chunks (RFC 8949 section 3.2.3).
                non_ascii |= self.check_text(from, end)?;
            }
            at = end;
        }
        let (kind, variant) = if text {
            (Kind::Text, variant::TEXT_CHUNKED)
        } else {
            (Kind::Bytes, variant::BYTES_CHUNKED)
        };
        let place = self
            .builder
            .tape()
            .locate(pos + 1, at - pos - 1, true, non_ascii);
        self.push(Token::located(kind, variant, place), pos)?;
        Ok(at + 1)
    }

    /// A tag; returns the offset after the value where the two make one.
    fn tag(&mut self, head: Head, pos: usize, tags: u32) -> Result<Option<usize>> {
        let after = pos + usize::from(head.size);
        if self.options.tags == Tags::Values {
            let made = typed(
                self.input,
                head.value,
                (pos, after),
                self.options.limits.digits,
            )?;
            if let Some(Typed {
                kind,
                variant,
                from,
                end,
            }) = made
            {
                self.check_size(end - from, pos)?;
                self.locate(kind, variant, from, end)?;
                return Ok(Some(end));
            }
        }
        self.nest(tags, pos)?;
        match Token::tag_number(variant::TAG_CBOR, head.value) {
            Some(token) if head.is_preferred() => self.push(token, pos)?,
            _ => self.locate(Kind::Tag, variant::TAG_LOCATED, pos + 1, after)?,
        }
        Ok(None)
    }

    /// A simple value or float.
    fn other(&mut self, head: Head, pos: usize) -> Result<()> {
        let token = match head.info {
            25 => Token::f16(head.value as u16),
            26 => Token::f32(head.value as u32),
            27 => return self.locate(Kind::Real, variant::REAL_F64, pos, pos + 9),
            _ => match head.value {
                20 => Token::FALSE,
                21 => Token::TRUE,
                22 => Token::NULL,
                23 => Token::simple(variant::UNDEFINED),
                number => Token::simple_number(number as u8),
            },
        };
        self.push(token, pos)
    }

    #[cold]
    fn no_head(&self, pos: usize, fault: NoHead) -> Error {
        if fault == NoHead::End {
            return self.unexpected_end(match (self.input.get(pos), self.frame.at_key) {
                (Some(_), _) => "the rest of a head",
                (None, true) if self.frame.streamed => "a key or a break code",
                (None, true) => "a key",
                (None, false) if self.frame.streamed && !self.frame.map => {
                    "a value or a break code"
                }
                (None, false) => "a value",
            });
        }
        let found = match self.input.get(pos..) {
            Some([0xF8, number, ..]) => format!("the simple value {number} in two bytes"),
            Some([byte, ..]) => format!("the reserved byte 0x{byte:02x}"),
            _ => String::new(),
        };
        Error::at(ErrorCode::ExpectedValue, pos).with("found", found)
    }

    #[cold]
    fn unexpected_end(&self, expected: &'static str) -> Error {
        Error::at(ErrorCode::UnexpectedEnd, self.input.len()).with("expected", expected)
    }

    #[cold]
    fn invalid_chunk(&self, pos: usize, expected: &'static str, found: &'static str) -> Error {
        Error::at(ErrorCode::InvalidChunk, pos)
            .with("expected", expected)
            .with("found", found)
    }

    /// The error for a string that ends too early: of what is there, a fault comes first.
    #[cold]
    fn cut_off(&self, major: u8, from: usize, what: &'static str) -> Error {
        let rest = &self.input[from..];
        if major == TEXT
            && let Err(fault) = core::str::from_utf8(rest)
            && fault.error_len().is_some()
        {
            return invalid_utf8(self.input, from + fault.valid_up_to());
        }
        self.unexpected_end(what)
    }

    /// Where the reader stands: the keys and indexes of the open containers.
    #[cold]
    fn path(&self) -> Path {
        let mut steps = Vec::new();
        if let Some(count) = self.read {
            steps.push(Segment::Index(count as usize));
        }
        let frames = self.outer.iter().chain([&self.frame]);
        for frame in frames.filter(|frame| frame.levels > 0) {
            if !frame.map {
                steps.push(Segment::Index(frame.count as usize));
            } else if frame.at_key {
                // Between pairs, or in a key: the fault is the map's own.
                break;
            } else {
                steps.push(Segment::Key(key_text(self.input, frame.key_at)));
            }
        }
        Path::from_outer(steps)
    }
}

#[cold]
fn invalid_utf8(input: &[u8], at: usize) -> Error {
    let found = input
        .get(at)
        .map_or(String::new(), |byte| format!("the byte 0x{byte:02x}"));
    Error::at(ErrorCode::InvalidUtf8, at).with("found", found)
}

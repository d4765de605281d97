//! Documents straight into a sink: conversion without making objects.
//!
//! Walks the tape in its own order with an explicit stack. Scalars go as they are spelled where the
//! target is the document's own format and the writer leaves spellings alone; a binary value that
//! nothing changes is one copy. Comments are dropped, equal keys stay as they are. Whether values
//! were checked when they were read is asked once: where they were not, every value is checked on
//! its way.

mod keys;
#[cfg(test)]
mod tests;

use crate::doc::ValueRef;
use crate::error::{Error, ErrorCode, Result};
use crate::formats::{AnyWriteOptions, FormatId, SinkJob, SourceJob};
use crate::sink::{Chars, OutBuf, Sink};
use crate::source::{Int, Source, Text};
use crate::tape;
use crate::token::{Kind, Token, TokenId, variant};

/// The order in which the keys of an object are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// As they stand.
    #[default]
    Kept,
    /// By code point.
    CodePoint,
    /// By UTF-16 code unit, and equal keys are refused (RFC 8785).
    Utf16,
}

/// What a conversion may choose.
#[derive(Clone, Copy, Debug)]
pub struct Conversion {
    /// The format of the sink.
    pub target: FormatId,
    /// Text of the sink's own format is taken as it is spelled.
    pub keep_texts: bool,
    /// Numbers of the sink's own format are taken as they are spelled.
    pub keep_numbers: bool,
    /// The order of keys.
    pub order: Order,
    /// Levels of containers that may be opened.
    pub depth: usize,
}

/// Writes a value as a text or bytes of its own.
///
/// # Errors
/// As [`convert`]; the output limit.
pub fn write(
    value: ValueRef<'_>,
    options: &AnyWriteOptions,
    order: Order,
    depth: usize,
    out: &mut OutBuf,
) -> Result<()> {
    struct Whole<'d>(ValueRef<'d>, Conversion);

    impl SinkJob for Whole<'_> {
        type Output = Result<()>;

        fn run<S: Sink>(self, sink: &mut S) -> Result<()> {
            convert(self.0, sink, &self.1)?;
            sink.finish();
            passed(sink)
        }
    }

    let policy = options.policy();
    let rules = Conversion {
        target: options.format(),
        keep_texts: policy.keeps_texts(),
        keep_numbers: policy.keeps_numbers(),
        order,
        depth,
    };
    options.write(out, Whole(value, rules))
}

/// Writes a value into a sink, which is left unfinished: more may follow.
///
/// # Errors
/// What the sink refuses, with the path below `value`; a depth limit; a value that was not checked
/// when it was read and is ill-formed.
pub fn convert<S: Sink>(value: ValueRef<'_>, sink: &mut S, rules: &Conversion) -> Result<()> {
    struct Job<'j, 'd, S>(ValueRef<'d>, &'j mut S, &'j Conversion);

    impl<S: Sink> SourceJob for Job<'_, '_, S> {
        type Output = Result<()>;

        fn run<R: Source>(self, source: R) -> Result<()> {
            through(self.0, &source, self.1, self.2)
        }
    }

    value.document().source().visit(Job(value, sink, rules))
}

fn through<R: Source, S: Sink>(
    value: ValueRef<'_>,
    source: &R,
    sink: &mut S,
    rules: &Conversion,
) -> Result<()> {
    let document = value.document();
    let own = document.format() == rules.target;
    let keep_texts = own && rules.keep_texts && document.options().spelling_holds();
    let keep_numbers = own && rules.keep_numbers;
    let unchanged = keep_texts && keep_numbers && rules.order == Order::Kept;
    if unchanged
        && document.format().info().binary
        && document.tape().depth() as usize <= rules.depth
    {
        // Between the values of a binary format stands nothing.
        if value.token().is_sequence() {
            sink.begin_list(Some(value.len()));
            value.elements().for_each(|item| sink.raw(item.encoded()));
            sink.end_list();
        } else {
            sink.raw(value.encoded());
        }
        return passed(sink);
    }
    let mut walk = Walk {
        tokens: document.tape().tokens(),
        root: value,
        source,
        check: document.options().is_unchecked(),
        keep_texts,
        keep_numbers,
        order: rules.order,
        depth: rules.depth,
        sink,
        scratch: Vec::new(),
        outer: Vec::new(),
    };
    match walk.run() {
        Ok(()) => Ok(()),
        Err((error, id)) => Err(if error.offset().is_some() {
            document.locate_error(error, id)
        } else {
            error.with_path(document.value(id).path_below(value))
        }),
    }
}

/// The sink's error, if there is one.
fn passed<S: Sink>(sink: &mut S) -> Result<()> {
    if !sink.failed() {
        return Ok(());
    }
    sink.take_error().map_or(Ok(()), Err)
}

/// An error and the token of the value it is about.
type Outcome<T = ()> = Result<T, (Error, TokenId)>;

/// What is left of an open container.
enum Rest {
    List {
        next: TokenId,
        end: TokenId,
    },
    Map {
        next: TokenId,
        end: TokenId,
    },
    /// Pairs in the order they are written in, last one first.
    Sorted(Vec<(TokenId, TokenId)>),
    /// The same, where keys may be any value; the value whose key was written last.
    Any(Vec<(TokenId, TokenId)>, Option<TokenId>),
}

struct Walk<'w, 'd, R, S> {
    tokens: &'d [Token],
    root: ValueRef<'d>,
    source: &'w R,
    check: bool,
    keep_texts: bool,
    keep_numbers: bool,
    order: Order,
    depth: usize,
    sink: &'w mut S,
    scratch: Vec<u8>,
    outer: Vec<(Rest, TokenId)>,
}

impl<'w, R: Source, S: Sink> Walk<'w, '_, R, S> {
    fn run(&mut self) -> Outcome {
        let root = self.root.id();
        let Some(root) = self.valued(root)? else {
            return Ok(());
        };
        let mut rest = self.open(self.token(root), root)?;
        let mut head = root;
        loop {
            match self.advance(&mut rest)? {
                Some(id) => {
                    let inner = self.open(self.token(id), id)?;
                    self.outer
                        .push((core::mem::replace(&mut rest, inner), head));
                    head = id;
                }
                None => {
                    match rest {
                        Rest::List { .. } => self.sink.end_list(),
                        Rest::Map { .. } | Rest::Sorted(_) | Rest::Any(..) => self.sink.end_map(),
                    }
                    self.passed(head)?;
                    match self.outer.pop() {
                        Some(outer) => (rest, head) = outer,
                        None => return Ok(()),
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn token(&self, id: TokenId) -> Token {
        self.tokens.get(id as usize).copied().unwrap_or(Token::VOID)
    }

    /// Passes on the sink's error.
    #[inline(always)]
    fn passed(&mut self, id: TokenId) -> Outcome {
        if self.sink.failed() {
            return self.refused(id);
        }
        Ok(())
    }

    #[cold]
    fn refused(&mut self, id: TokenId) -> Outcome {
        match self.sink.take_error() {
            Some(error) => Err((error, id)),
            None => Ok(()),
        }
    }

    /// Opens the container at `id`.
    fn open(&mut self, token: Token, id: TokenId) -> Outcome<Rest> {
        let open = self.outer.len() + usize::from(id != self.root.id());
        if open >= self.depth {
            let error = Error::at_token(ErrorCode::DepthLimit, id).with("limit", self.depth);
            return Err((error, id));
        }
        let count = Some(tape::count(self.tokens, id));
        let (next, end) = (id + 1, id + token.span());
        if token.kind() == Kind::List {
            self.sink.begin_list(count);
            return Ok(Rest::List { next, end });
        }
        self.sink.begin_map(count);
        if token.has_any_keys() {
            let pairs = self.any_pairs(id)?;
            return Ok(Rest::Any(pairs, None));
        }
        if self.order == Order::Kept {
            return Ok(Rest::Map { next, end });
        }
        self.sorted(id).map(Rest::Sorted)
    }

    /// Writes scalars until a container comes, whose id is given, or the end.
    #[inline]
    fn advance(&mut self, rest: &mut Rest) -> Outcome<Option<TokenId>> {
        match rest {
            Rest::List { next, end } => {
                while *next < *end {
                    let id = *next;
                    let token = self.token(id);
                    *next = id + token.span().max(1);
                    if token.is_container() {
                        return Ok(Some(id));
                    }
                    if token.is_beside() {
                        self.beside(token);
                    } else {
                        self.scalar(token, id)?;
                    }
                }
            }
            Rest::Map { next, end } => {
                while *next < *end {
                    let key = *next;
                    let token = self.token(key);
                    *next = key + 1;
                    if token.is_beside() {
                        continue;
                    }
                    self.key(token, key)?;
                    let mut id = *next;
                    let mut token = self.token(id);
                    while token.is_beside() && id < *end {
                        self.beside(token);
                        id += 1;
                        token = self.token(id);
                    }
                    *next = id + token.span().max(1);
                    if token.is_container() {
                        return Ok(Some(id));
                    }
                    self.scalar(token, id)?;
                }
            }
            Rest::Sorted(pairs) => {
                while let Some((key, id)) = pairs.pop() {
                    self.key(self.token(key), key)?;
                    if let Some(id) = self.valued(id)? {
                        return Ok(Some(id));
                    }
                }
            }
            Rest::Any(pairs, value) => loop {
                if let Some(id) = value.take()
                    && let Some(id) = self.valued(id)?
                {
                    return Ok(Some(id));
                }
                let Some((key, id)) = pairs.pop() else {
                    break;
                };
                *value = Some(id);
                if let Some(key) = self.any_key(key)? {
                    return Ok(Some(key));
                }
            },
        }
        Ok(None)
    }

    /// The value at `id` with its tags: written, or given back where it is a container.
    fn valued(&mut self, id: TokenId) -> Outcome<Option<TokenId>> {
        let mut first = id;
        while first > 0 && self.token(first - 1).kind() == Kind::Tag {
            first -= 1;
        }
        for tag in first..id {
            self.beside(self.token(tag));
        }
        let token = self.token(id);
        if token.is_container() {
            return Ok(Some(id));
        }
        self.scalar(token, id)?;
        Ok(None)
    }

    /// What stands before a value: a tag goes to the sink, but for that of an extension, which goes
    /// with its data.
    #[cold]
    fn beside(&mut self, token: Token) {
        if token.kind() == Kind::Tag
            && token.ext_code().is_none()
            && let Ok(number) = self.source.tag(token)
        {
            self.sink.tag(number);
        }
    }

    #[inline(always)]
    fn key(&mut self, token: Token, id: TokenId) -> Outcome {
        if token.kind() == Kind::Text
            && let Some(spelled) = self.spelled(token)
        {
            self.sink.raw_key(spelled);
            return Ok(());
        }
        self.decoded(token, id, true)
    }

    /// The text with its quotes as it stands in the source, where it may be written so.
    #[inline(always)]
    fn spelled(&self, token: Token) -> Option<&'w [u8]> {
        if !self.keep_texts || self.check {
            return None;
        }
        self.source.spelling(token)
    }

    /// A text that is read to be written, as a key or a value.
    #[inline(never)]
    fn decoded(&mut self, token: Token, id: TokenId, key: bool) -> Outcome {
        let spelled = match self.keep_texts {
            true => self.source.spelling(token),
            false => None,
        };
        let text = self
            .source
            .text(token, &mut self.scratch)
            .map_err(|error| (error, id))?;
        if let Some(spelled) = spelled {
            // Read only to be checked.
            if key {
                self.sink.raw_key(spelled);
            } else {
                self.sink.raw(spelled);
            }
            return self.passed(id);
        }
        let mut points = Vec::new();
        let chars = match text {
            Text::Ascii(bytes) => Chars::Ascii(bytes),
            Text::Valid(text) => Chars::Utf8(text),
            Text::Utf8(bytes) => match core::str::from_utf8(bytes) {
                Ok(text) => Chars::Utf8(text),
                Err(_) => {
                    points.extend(wtf8(bytes));
                    Chars::Ucs4(&points)
                }
            },
        };
        if key {
            self.sink.key(chars);
        } else {
            self.sink.text(chars);
        }
        self.passed(id)
    }

    #[inline(always)]
    fn scalar(&mut self, token: Token, id: TokenId) -> Outcome {
        match token.kind() {
            Kind::Text => match self.spelled(token) {
                Some(spelled) => self.sink.raw(spelled),
                None => return self.decoded(token, id, false),
            },
            Kind::Name => return self.decoded(token, id, false),
            Kind::Int if token.is_owned() => self.sink.i64(token.int_value()),
            Kind::Simple => match token.variant() {
                variant::TRUE => self.sink.bool(true),
                variant::FALSE => self.sink.bool(false),
                variant::UNDEFINED => self.sink.undefined(),
                variant::SIMPLE => self.sink.simple(token.payload() as u8),
                _ => self.sink.null(),
            },
            _ => return self.number(token, id),
        }
        self.passed(id)
    }

    #[inline(never)]
    fn number(&mut self, token: Token, id: TokenId) -> Outcome {
        let fail = |error| (error, id);
        let source = self.source;
        match token.kind() {
            Kind::Int | Kind::Real
                if self.keep_numbers
                    && !token.is_owned()
                    && token.variant() != variant::REAL_SPECIAL
                    && let Some(spelled) = source.spelling(token) =>
            {
                if self.check {
                    source.real(token).map_err(fail)?;
                }
                self.sink.raw(spelled);
            }
            Kind::Int => match source.int(token).map_err(fail)? {
                Int::I64(value) => self.sink.i64(value),
                Int::U64(value) => self.sink.u64(value),
                Int::Big(digits) => self.sink.big(&digits),
            },
            Kind::Real if token.variant() == variant::REAL_F32 => {
                let value = source.real(token).map_err(fail)?;
                self.sink.f32(value as f32);
            }
            Kind::Real if token.variant() == variant::REAL_DECIMAL => {
                let literal = source.decimal(token).map_err(fail)?;
                self.sink.decimal(&literal);
            }
            Kind::Real | Kind::Real59 => {
                let value = source.real(token).map_err(fail)?;
                self.sink.f64(value);
            }
            Kind::Short => {
                let (bytes, length) = token.short_value();
                self.sink.text(Chars::Ascii(&bytes[..length.min(7)]));
            }
            Kind::Bytes => {
                let ext = self.token(id.saturating_sub(1)).ext_code();
                let bytes = source.bytes(token, &mut self.scratch).map_err(fail)?;
                let uuid = token.variant() == variant::UUID;
                match (ext, <&[u8; 16]>::try_from(bytes)) {
                    (Some(code), _) => self.sink.ext(code, bytes),
                    (None, Ok(bytes)) if uuid => self.sink.uuid(bytes),
                    (None, _) => self.sink.bytes(bytes),
                }
            }
            Kind::Time if token.variant() == variant::EPOCH => {
                let instant = source.instant(token).map_err(fail)?;
                self.sink.instant(instant);
            }
            Kind::Time => {
                let time = source.time(token).map_err(fail)?;
                self.sink.time(&time);
            }
            _ => {
                let error = Error::new(ErrorCode::Unrepresentable)
                    .with("target", "the target format")
                    .with("value", token.kind().name().to_ascii_lowercase());
                return Err((error, id));
            }
        }
        self.passed(id)
    }
}

/// The code points of UTF-8 in which surrogates may stand.
fn wtf8(bytes: &[u8]) -> impl Iterator<Item = u32> {
    let mut rest = bytes;
    core::iter::from_fn(move || {
        let (&first, behind) = rest.split_first()?;
        let (length, bits) = match first {
            0xF0.. => (3, first & 0x07),
            0xE0.. => (2, first & 0x0F),
            0xC0.. => (1, first & 0x1F),
            _ => (0, first),
        };
        let tail = &behind[..behind.len().min(length)];
        rest = &behind[tail.len()..];
        Some(tail.iter().fold(u32::from(bits), |point, byte| {
            point << 6 | u32::from(byte & 0x3F)
        }))
    })
}

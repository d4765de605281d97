//! Documents straight into a sink: conversion without making objects.
//!
//! Walks the tape in its own order with an explicit stack. Scalars go as they are spelled where the
//! target is the document's own format and the writer leaves spellings alone; comments and tags are
//! dropped, equal keys stay as they are. Whether values were checked when they were read is asked
//! once: where they were not, every value is checked on its way.

#[cfg(test)]
mod tests;

use crate::doc::ValueRef;
use crate::error::{Error, ErrorCode, Result};
use crate::formats::{AnySource, FormatId};
use crate::sink::{Chars, Sink};
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

/// Writes a value into a sink, which is left unfinished: more may follow.
///
/// # Errors
/// What the sink refuses, with the path below `value`; a depth limit; a value that was not checked
/// when it was read and is ill-formed.
pub fn convert<S: Sink>(value: ValueRef<'_>, sink: &mut S, rules: &Conversion) -> Result<()> {
    let document = value.document();
    let own = document.format() == rules.target;
    let mut walk = Walk {
        tokens: document.tape().tokens(),
        input: document.input(),
        root: value,
        source: document.source(),
        check: document.options().is_unchecked(),
        keep_texts: own && rules.keep_texts && document.options().spelling_holds(),
        keep_numbers: own && rules.keep_numbers,
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
}

struct Walk<'w, 'd, S> {
    tokens: &'d [Token],
    input: &'d [u8],
    root: ValueRef<'d>,
    source: AnySource<'d>,
    check: bool,
    keep_texts: bool,
    keep_numbers: bool,
    order: Order,
    depth: usize,
    sink: &'w mut S,
    scratch: Vec<u8>,
    outer: Vec<(Rest, TokenId)>,
}

impl<'d, S: Sink> Walk<'_, 'd, S> {
    fn run(&mut self) -> Outcome {
        let root = self.root.id();
        let token = self.token(root);
        if !token.is_container() {
            return self.scalar(token, root);
        }
        let mut rest = self.open(token, root)?;
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
                        Rest::Map { .. } | Rest::Sorted(_) => self.sink.end_map(),
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
                    if !token.is_beside() {
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
                    let id = tape::skip_beside(self.tokens, *next);
                    let token = self.token(id);
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
                    let token = self.token(id);
                    if token.is_container() {
                        return Ok(Some(id));
                    }
                    self.scalar(token, id)?;
                }
            }
        }
        Ok(None)
    }

    /// The pairs of the map at `head`, in reverse order of their keys.
    fn sorted(&mut self, head: TokenId) -> Outcome<Vec<(TokenId, TokenId)>> {
        let mut keyed = Vec::new();
        for (key, value) in tape::entries(self.tokens, head) {
            let token = self.token(key);
            let text = self
                .source
                .text(token, &mut self.scratch)
                .map_err(|error| (error, key))?;
            keyed.push((text.bytes().to_vec(), key, value));
        }
        if self.order == Order::Utf16 {
            keyed.sort_by(|a, b| utf16(&a.0).cmp(utf16(&b.0)));
            let twice = keyed.windows(2).find(|pair| pair[0].0 == pair[1].0);
            if let Some([_, (name, key, _)]) = twice {
                let error = Error::new(ErrorCode::KeyClash).with("key", crate::error::quote(name));
                return Err((error, *key));
            }
        } else {
            keyed.sort_by(|a, b| a.0.cmp(&b.0));
        }
        Ok(keyed.into_iter().rev().map(|(_, k, v)| (k, v)).collect())
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
    fn spelled(&self, token: Token) -> Option<&'d [u8]> {
        if !self.keep_texts || self.check {
            return None;
        }
        self.quoted(token)
    }

    #[inline(always)]
    fn quoted(&self, token: Token) -> Option<&'d [u8]> {
        let range = self.root.document().tape().range(token)?;
        self.input.get(range.start.checked_sub(1)?..range.end + 1)
    }

    /// A text that is read to be written, as a key or a value.
    #[inline(never)]
    fn decoded(&mut self, token: Token, id: TokenId, key: bool) -> Outcome {
        let spelled = self.quoted(token).filter(|_| self.keep_texts);
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
                _ => self.sink.null(),
            },
            _ => return self.number(token, id),
        }
        self.passed(id)
    }

    #[inline(never)]
    fn number(&mut self, token: Token, id: TokenId) -> Outcome {
        let fail = |error| (error, id);
        match token.kind() {
            Kind::Int | Kind::Real
                if self.keep_numbers
                    && !token.is_owned()
                    && token.variant() != variant::REAL_SPECIAL =>
            {
                let text = self.source.decimal(token).map_err(fail)?;
                self.sink.raw(text.as_bytes());
            }
            Kind::Int => match self.source.int(token).map_err(fail)? {
                Int::I64(value) => self.sink.i64(value),
                Int::U64(value) => self.sink.u64(value),
                Int::Big(digits) => self.sink.big(digits),
            },
            Kind::Real | Kind::Real59 => {
                let value = self.source.real(token).map_err(fail)?;
                self.sink.f64(value);
            }
            Kind::Short => {
                let (bytes, length) = token.short_value();
                self.sink.text(Chars::Ascii(&bytes[..length.min(7)]));
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

/// The UTF-16 units of a text, for RFC 8785's order.
fn utf16(bytes: &[u8]) -> impl Iterator<Item = u32> {
    wtf8(bytes).flat_map(|point| {
        let beyond = point.wrapping_sub(0x1_0000);
        if point < 0x1_0000 {
            [Some(point), None]
        } else {
            [Some(0xD800 | beyond >> 10), Some(0xDC00 | (beyond & 0x3FF))]
        }
        .into_iter()
        .flatten()
    })
}

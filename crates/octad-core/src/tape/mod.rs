//! `Tape`: the vector of tokens and the exact places of long values.
//!
//! Knows tokens and limits; no format, no source. `Builder` (beside) is how formats fill it,
//! `walk` how everything reads it, `verify` how a tape from outside earns trust.

mod builder;
mod dump;
mod repeats;
#[cfg(test)]
mod tests;
mod verify;
mod walk;
mod way;

use core::ops::Range;

use crate::error::{Error, ErrorCode, Result};
use crate::token::{Located, Token, TokenId};

pub use builder::{Builder, Frame};
pub use dump::{dump, dump_token};
pub use repeats::{Repeat, repeated_key};
pub use verify::verify;
pub use walk::{
    Children, Entries, children, count, entries, first_tag, leading_trivia, next, skip_beside,
};
pub use way::steps_to;

/// The exact place of a value too long for a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Long {
    /// Byte offset in the source or arena.
    pub offset: u64,
    /// Length in bytes.
    pub length: u64,
}

/// The byte range of a located value, by the long table of its tape; `None` when that has no such
/// entry.
#[inline]
#[must_use]
pub fn range(token: Token, long: &[Long]) -> Option<Range<usize>> {
    let at = token.location();
    if at.length == Token::LONG {
        let long = long.get(at.offset as usize)?;
        let start = usize::try_from(long.offset).ok()?;
        return Some(start..start.checked_add(usize::try_from(long.length).ok()?)?);
    }
    Some(at.offset as usize..at.offset as usize + at.length as usize)
}

/// The tokens of one document, in document order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tape {
    tokens: Vec<Token>,
    long: Vec<Long>,
    depth: u32,
    room: usize,
    limit: u64,
    /// Memory for the builder's stack; empty unless one is at work.
    frames: Vec<Frame>,
}

/// The first token that is not the guard.
pub const FIRST: TokenId = 1;

impl Tape {
    /// An empty tape (the guard only) that holds at most `limit` tokens.
    #[must_use]
    pub fn new(limit: u64) -> Self {
        let mut tape = Self::default();
        tape.reset(limit);
        tape
    }

    /// A tape that owns no memory and has not even its guard: [`Tape::reset`] comes first.
    #[must_use]
    pub const fn unused() -> Self {
        Self {
            tokens: Vec::new(),
            long: Vec::new(),
            depth: 0,
            room: 0,
            limit: 0,
            frames: Vec::new(),
        }
    }

    /// A tape of tokens from outside. Nothing is checked: see [`verify`].
    #[must_use]
    pub fn from_parts(tokens: Vec<Token>, long: Vec<Long>, depth: u32) -> Self {
        Self {
            tokens,
            long,
            depth,
            room: 0,
            limit: 0,
            frames: Vec::new(),
        }
    }

    /// Empties the tape for another document, keeping its memory.
    pub fn reset(&mut self, limit: u64) {
        self.tokens.clear();
        self.tokens.push(Token::VOID);
        self.long.clear();
        self.depth = 0;
        self.limit = limit;
        self.set_room();
    }

    /// Makes room for about `tokens` more, in one allocation.
    pub fn reserve(&mut self, tokens: usize) {
        self.tokens.reserve(tokens);
        self.set_room();
    }

    /// Gives back memory that no token uses.
    pub fn shrink(&mut self) {
        self.tokens.shrink_to_fit();
        self.long.shrink_to_fit();
        self.frames = Vec::new();
        self.set_room();
    }

    fn set_room(&mut self) {
        let limit = usize::try_from(self.limit)
            .unwrap_or(usize::MAX)
            .saturating_add(1);
        self.room = self.tokens.capacity().min(limit);
    }

    /// Appends a token. The limit is looked at only when the memory runs out, so it costs nothing.
    ///
    /// # Errors
    /// `token-limit`.
    #[inline]
    pub fn push(&mut self, token: Token) -> Result<()> {
        if self.tokens.len() >= self.room {
            self.grow()?;
        }
        self.tokens.push(token);
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) -> Result<()> {
        if self.tokens.len() as u64 > self.limit {
            return Err(Error::new(ErrorCode::TokenLimit).with("limit", self.limit));
        }
        self.tokens.reserve(self.tokens.len().max(64));
        self.set_room();
        Ok(())
    }

    /// The located payload of a value, through the long table where it does not fit.
    #[inline]
    pub fn locate(
        &mut self,
        offset: usize,
        length: usize,
        escaped: bool,
        non_ascii: bool,
    ) -> Located {
        if length >= Token::LONG as usize {
            return self.locate_long(offset, length, escaped, non_ascii);
        }
        Located {
            offset: offset as u32,
            length: length as u32,
            escaped,
            non_ascii,
        }
    }

    #[cold]
    #[inline(never)]
    fn locate_long(
        &mut self,
        offset: usize,
        length: usize,
        escaped: bool,
        non_ascii: bool,
    ) -> Located {
        let index = self.long.len() as u32;
        self.long.push(Long {
            offset: offset as u64,
            length: length as u64,
        });
        Located {
            offset: index,
            length: Token::LONG,
            escaped,
            non_ascii,
        }
    }

    /// The byte range of a located value in its source or arena; `None` when the long table has
    /// no such entry, which only a tape from outside can bring about.
    #[inline]
    #[must_use]
    pub fn range(&self, token: Token) -> Option<Range<usize>> {
        range(token, &self.long)
    }

    /// Overwrites the token at `id`, for the builder.
    #[inline]
    fn set(&mut self, id: TokenId, token: Token) {
        self.tokens[id as usize] = token;
    }

    /// All tokens, the guard included.
    #[inline]
    #[must_use]
    pub fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    /// The long table.
    #[must_use]
    pub fn long(&self) -> &[Long] {
        &self.long
    }

    /// The token at `id`; VOID past the end, so that a walker over a foreign tape stops.
    #[inline]
    #[must_use]
    pub fn get(&self, id: TokenId) -> Token {
        self.tokens.get(id as usize).copied().unwrap_or(Token::VOID)
    }

    /// The number of tokens, the guard included: also the id of the next one.
    #[inline]
    #[must_use]
    pub fn end(&self) -> TokenId {
        self.tokens.len() as TokenId
    }

    /// The deepest nesting in this document; 0 for a scalar.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// The root value: the first token that is neither trivia nor a tag.
    #[must_use]
    pub fn root(&self) -> TokenId {
        skip_beside(self.tokens(), FIRST)
    }

    /// Bytes of memory this tape holds.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.tokens.capacity() * size_of::<Token>()
            + self.long.capacity() * size_of::<Long>()
            + self.frames.capacity() * size_of::<Frame>()
    }

    /// Moves end-of-line comments, noted as (comment's token, value's token) while reading, before
    /// their values, and corrects the spans above. One pass, only when there are such comments.
    pub(crate) fn place_comments(&mut self, notes: &[(TokenId, TokenId)]) {
        builder::place_comments(&mut self.tokens, notes);
        self.set_room();
    }
}

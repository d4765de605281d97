//! `Builder`: what a format's reader holds while it fills a tape.
//!
//! An explicit stack of open containers, so no reader recurses; the depth limit lives here. Spans
//! and counts are filled in when a container closes.

use crate::error::{Error, ErrorCode, Result};
use crate::limits::Limits;
use crate::token::{Kind, Placement, Token, TokenId};

use super::Tape;

/// An open container: its head's place and what it holds so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The token of the container.
    pub head: TokenId,
    /// Children of a list, pairs of a map.
    pub count: u32,
}

/// Fills one tape.
#[derive(Debug)]
pub struct Builder<'t> {
    tape: &'t mut Tape,
    frames: Vec<Frame>,
    max_depth: usize,
    deepest: usize,
    /// Trivia before this token are placed for good: they belong to a container that is closed.
    placed: TokenId,
}

impl<'t> Builder<'t> {
    /// Starts on an emptied tape.
    #[must_use]
    pub fn new(tape: &'t mut Tape, limits: &Limits) -> Self {
        tape.reset(limits.max_tokens());
        let max_depth = limits.depth.min(Limits::MAX_DEPTH) as usize;
        let frames = core::mem::take(&mut tape.frames);
        Self {
            tape,
            frames,
            max_depth,
            deepest: 0,
            placed: 0,
        }
    }

    /// The tape being filled.
    #[inline]
    #[must_use]
    pub fn tape(&mut self) -> &mut Tape {
        self.tape
    }

    /// The open containers, outermost first. The innermost's count is the caller's to add.
    #[must_use]
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// The tokens so far.
    #[must_use]
    pub fn tokens(&self) -> &[Token] {
        self.tape.tokens()
    }

    /// The long table so far.
    #[must_use]
    pub fn long(&self) -> &[super::Long] {
        self.tape.long()
    }

    /// Appends a token.
    ///
    /// # Errors
    /// `token-limit`.
    #[inline]
    pub fn push(&mut self, token: Token) -> Result<()> {
        self.tape.push(token)
    }

    /// Opens a container inside the one whose count so far is `count`.
    ///
    /// # Errors
    /// `depth-limit` (the caller knows where), `token-limit`.
    #[inline]
    pub fn open(&mut self, kind: Kind, variant: u8, count: u32) -> Result<()> {
        if let Some(frame) = self.frames.last_mut() {
            frame.count = count;
        }
        if self.frames.len() >= self.max_depth {
            return Err(self.too_deep());
        }
        let head = self.tape.end();
        self.tape.push(Token::container(kind, variant, 1, 0))?;
        self.frames.push(Frame { head, count: 0 });
        Ok(())
    }

    /// Appends a container without content: [`Builder::open`] and [`Builder::close`] in one.
    ///
    /// # Errors
    /// As `open`.
    #[inline]
    pub fn empty(&mut self, kind: Kind, variant: u8) -> Result<()> {
        let depth = self.frames.len() + 1;
        if depth > self.max_depth {
            return Err(self.too_deep());
        }
        self.deepest = self.deepest.max(depth);
        self.tape.push(Token::container(kind, variant, 1, 0))
    }

    #[cold]
    fn too_deep(&self) -> Error {
        Error::new(ErrorCode::DepthLimit).with("limit", self.max_depth)
    }

    /// Closes the innermost container, which holds `count` children or pairs. Returns the frame of
    /// the one around it, if there is one.
    #[inline]
    pub fn close(&mut self, count: u32) -> Option<Frame> {
        self.deepest = self.deepest.max(self.frames.len());
        let frame = self.frames.pop()?;
        let head = self.tape.tokens()[frame.head as usize];
        let span = self.tape.end() - frame.head;
        let count = count.min(Token::SATURATED);
        self.tape.set(
            frame.head,
            Token::container(head.kind(), head.variant(), span, count),
        );
        self.frames.last().copied()
    }

    /// Makes the innermost container one of another variant.
    pub fn revise(&mut self, variant: u8) {
        if let Some(frame) = self.frames.last() {
            let head = self.tape.tokens()[frame.head as usize];
            let revised = Token::container(head.kind(), variant, head.span(), head.count());
            self.tape.set(frame.head, revised);
        }
    }

    /// Comments at the end of the innermost container have no value to stand before.
    #[cold]
    pub fn dangle(&mut self) {
        let end = self.tape.end();
        for id in (self.placed..end).rev() {
            let token = self.tape.get(id);
            match token.placement() {
                Some(Placement::Leading) if token.kind() == Kind::Trivia => {
                    self.tape.set(id, token.placed(Placement::Dangling));
                }
                _ if token.kind() == Kind::Trivia => {}
                _ => break,
            }
        }
        self.placed = end;
    }

    /// The kind of the innermost open container.
    #[inline]
    #[must_use]
    pub fn innermost(&self) -> Option<Kind> {
        self.frames
            .last()
            .map(|frame| self.tape.tokens()[frame.head as usize].kind())
    }

    /// Ends the document.
    pub fn finish(mut self) {
        self.tape.depth = self.deepest as u32;
        self.frames.clear();
        self.tape.frames = self.frames;
    }
}

/// See [`Tape::place_comments`].
pub(super) fn place_comments(tokens: &mut Vec<Token>, notes: &[(TokenId, TokenId)]) {
    if notes.is_empty() {
        return;
    }
    // For each token, the place it moves to: comments go right before the trivia-free start of
    // their value (its leading trivia stay in front of them). Everything keeps its container, since
    // a comment never leaves the span it was met in: a value and the comment behind it are siblings.
    let mut order: Vec<TokenId> = Vec::with_capacity(tokens.len());
    let mut before: Vec<(TokenId, TokenId)> = notes
        .iter()
        .map(|&(comment, value)| (value, comment))
        .collect();
    before.sort_unstable();
    let mut moved = vec![false; tokens.len()];
    for &(comment, _) in notes {
        moved[comment as usize] = true;
    }
    let mut next = 0;
    for id in 0..tokens.len() as TokenId {
        while before.get(next).is_some_and(|&(value, _)| value == id) {
            order.push(before[next].1);
            next += 1;
        }
        if !moved[id as usize] {
            order.push(id);
        }
    }
    // A comment may have been met after its value's container closed (`[1] // note`): then it was a
    // sibling of the container and stays one, so no span changes. Only order does.
    let old = core::mem::take(tokens);
    tokens.extend(order.into_iter().map(|id| old[id as usize]));
}

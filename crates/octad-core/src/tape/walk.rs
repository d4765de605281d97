//! Reading a tape in order: siblings, children, pairs, comments.
//!
//! Works on any tape, verified or not: ids past the end read as VOID, and every step moves forward,
//! so a walk ends.

use crate::token::{Kind, Token, TokenId};

/// The first token from `id` on that is a value: skips TRIVIA and TAG.
#[inline]
#[must_use]
pub fn skip_beside(tokens: &[Token], mut id: TokenId) -> TokenId {
    while let Some(token) = tokens.get(id as usize) {
        if !matches!(token.kind(), Kind::Trivia | Kind::Tag) {
            break;
        }
        id += 1;
    }
    id
}

/// The first of the tags that stand directly before the value at `id`; the value where it has none.
#[must_use]
pub fn first_tag(tokens: &[Token], mut id: TokenId) -> TokenId {
    while id > 1
        && tokens
            .get(id as usize - 1)
            .is_some_and(|token| token.kind() == Kind::Tag)
    {
        id -= 1;
    }
    id
}

/// The id after the value at `id`, whose tags (if any) start there.
#[inline]
#[must_use]
pub fn next(tokens: &[Token], id: TokenId) -> TokenId {
    let id = skip_beside(tokens, id);
    let span = tokens
        .get(id as usize)
        .map_or(1, |token| token.span().max(1));
    id.saturating_add(span)
}

/// The ids of the values in the container at `head`, keys and values alternating for a MAP.
#[derive(Clone, Debug)]
pub struct Children<'t> {
    tokens: &'t [Token],
    id: TokenId,
    end: TokenId,
}

/// Walks the values of the container at `head`. Nothing for a scalar.
#[inline]
#[must_use]
pub fn children(tokens: &[Token], head: TokenId) -> Children<'_> {
    let span = tokens.get(head as usize).map_or(1, |token| token.span());
    let end = head.saturating_add(span).min(tokens.len() as TokenId);
    Children {
        tokens,
        id: head.saturating_add(1),
        end,
    }
}

impl Iterator for Children<'_> {
    type Item = TokenId;

    #[inline]
    fn next(&mut self) -> Option<TokenId> {
        let id = skip_beside(self.tokens, self.id);
        if id >= self.end {
            return None;
        }
        self.id = next(self.tokens, id);
        Some(id)
    }
}

/// The pairs (key id, value id) of a MAP.
#[derive(Clone, Debug)]
pub struct Entries<'t>(Children<'t>);

/// Walks the pairs of the MAP at `head`.
#[inline]
#[must_use]
pub fn entries(tokens: &[Token], head: TokenId) -> Entries<'_> {
    Entries(children(tokens, head))
}

impl Iterator for Entries<'_> {
    type Item = (TokenId, TokenId);

    #[inline]
    fn next(&mut self) -> Option<(TokenId, TokenId)> {
        let key = self.0.next()?;
        Some((key, self.0.next()?))
    }
}

/// Children of a LIST or pairs of a MAP: the count in the token, or a walk where it is saturated.
#[must_use]
pub fn count(tokens: &[Token], head: TokenId) -> usize {
    let Some(token) = tokens
        .get(head as usize)
        .filter(|token| token.is_container())
    else {
        return 0;
    };
    if token.count() < Token::SATURATED {
        return token.count() as usize;
    }
    let values = children(tokens, head).count();
    if token.kind() == Kind::Map {
        values / 2
    } else {
        values
    }
}

/// The ids of the TRIVIA tokens that stand before the value at `id` (before its tags too).
pub fn leading_trivia(tokens: &[Token], id: TokenId) -> core::ops::Range<TokenId> {
    let mut start = id;
    while start > 0 {
        match tokens.get(start as usize - 1).map(|token| token.kind()) {
            Some(Kind::Trivia | Kind::Tag) => start -= 1,
            _ => break,
        }
    }
    let mut end = start;
    while end < id
        && tokens
            .get(end as usize)
            .is_some_and(|token| token.kind() == Kind::Trivia)
    {
        end += 1;
    }
    start..end
}

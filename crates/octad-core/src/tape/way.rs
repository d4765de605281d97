//! The way to a token: the keys and indexes from the root, on a whole tape or one still being filled.
//!
//! Cold: for errors. Knows no source, so whoever asks has a name for each key.

use crate::error::{Path, Segment};
use crate::token::{Kind, Token, TokenId};

use super::{Builder, FIRST, children, next, skip_beside};

/// The steps to `target`; for a key, those to its map. `name` spells the key at a token.
#[cold]
#[must_use]
pub fn steps_to(
    tokens: &[Token],
    target: TokenId,
    name: impl Fn(TokenId) -> String,
) -> Vec<Segment> {
    let mut steps = Vec::new();
    let mut at = skip_beside(tokens, FIRST);
    while at < target && (at as usize) < tokens.len() {
        let map = tokens[at as usize].kind() == Kind::Map;
        let mut key = None;
        let mut inner = None;
        for (place, id) in children(tokens, at).enumerate() {
            let within = target < next(tokens, id);
            if map && place % 2 == 0 {
                if within {
                    break;
                }
                key = Some(id);
            } else if within {
                inner = Some(id);
                steps.push(match key {
                    Some(key) => Segment::Key(name(key)),
                    None => Segment::Index(place),
                });
                break;
            }
        }
        match inner {
            Some(id) => at = id,
            None => break,
        }
    }
    steps
}

impl Builder<'_> {
    /// Where the reader stands: the keys and indexes of the open containers. `name` spells the key
    /// at a token.
    #[cold]
    pub fn path(&self, name: impl Fn(TokenId) -> String) -> Path {
        let tokens = self.tokens();
        let frames = self.frames();
        let mut steps = Vec::with_capacity(frames.len());
        for (place, frame) in frames.iter().enumerate() {
            // Up to where this container is known: the next open one's head, or the tape's end.
            let end = frames
                .get(place + 1)
                .map_or(tokens.len(), |inner| inner.head as usize);
            let mut id = frame.head as usize + 1;
            let mut values = 0;
            let mut key = None;
            let map = tokens[frame.head as usize].kind() == Kind::Map;
            while id < end {
                let token = tokens[id];
                if !token.is_beside() {
                    if map && values % 2 == 0 {
                        key = Some(id as TokenId);
                    }
                    values += 1;
                }
                id += token.span().max(1) as usize;
            }
            if !map {
                steps.push(Segment::Index(values));
            } else if values % 2 == 1 {
                steps.extend(key.map(|id| Segment::Key(name(id))));
            } else {
                // After a complete pair the fault is the object's own, also where it is in a key.
                break;
            }
        }
        Path::from_outer(steps)
    }
}

//! Equal keys in one map: the first one that repeats another.
//!
//! Knows no source: whoever asks spells each key, so that equal spellings mean equal keys.

use hashbrown::HashMap;

use crate::error::{Error, ErrorCode, Path, Result, Segment, quote};
use crate::token::{Kind, Token, TokenId};

use super::children;

/// A key that stands in its map for the second time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// The map.
    pub head: TokenId,
    /// The key.
    pub key: TokenId,
    /// Its place in the source.
    pub at: usize,
    /// The place of the key that it repeats.
    pub first: usize,
}

impl Repeat {
    /// The error for it: with the key in words, and the way to its map.
    #[must_use]
    pub fn error(&self, name: String, to_map: Vec<Segment>) -> Error {
        let quoted = quote(name.as_bytes());
        let key = core::iter::once(Segment::Key(name));
        Error::at(ErrorCode::DuplicateKey, self.at)
            .with("key", quoted)
            .with("first", self.first)
            .with_path(Path::from_outer(to_map.into_iter().chain(key)))
    }
}

/// The repeated key nearest to the start of the source. `spell` gives what a key is compared by and
/// its place in the source.
///
/// # Errors
/// What `spell` finds.
pub fn repeated_key(
    tokens: &[Token],
    mut spell: impl FnMut(TokenId) -> Result<(Vec<u8>, usize)>,
) -> Result<Option<Repeat>> {
    let mut worst: Option<Repeat> = None;
    let mut seen = HashMap::new();
    for head in 0..tokens.len() as TokenId {
        if tokens[head as usize].kind() != Kind::Map {
            continue;
        }
        // Emptying a large table costs as much for each small object that follows.
        if seen.capacity() > 1024 {
            seen = HashMap::new();
        }
        seen.clear();
        for key in children(tokens, head).step_by(2) {
            let (text, at) = spell(key)?;
            if worst.is_some_and(|known| at >= known.at) {
                break;
            }
            if let Some(first) = seen.insert(text, at) {
                worst = Some(Repeat {
                    head,
                    key,
                    at,
                    first,
                });
                break;
            }
        }
    }
    Ok(worst)
}

//! The keys of a record on the tape: walked to compare them with a shape before any value is made.
//!
//! Values are stepped over by their spans. A record with something between its keys and values (a
//! comment) is no candidate: every function here then says so, and the slow path takes it.

use octad_core::source::Source;
use octad_core::token::{Kind, Token, TokenId};

use crate::cpython::{KeysHash, Shape};

/// The pairs of a record, from the key at `id` on.
pub struct Members<'a, S> {
    tokens: &'a [Token],
    source: &'a S,
    scratch: &'a mut Vec<u8>,
    /// The key that comes next.
    pub id: TokenId,
}

impl<'a, S: Source> Members<'a, S> {
    #[inline(always)]
    pub fn new(tokens: &'a [Token], source: &'a S, scratch: &'a mut Vec<u8>, id: TokenId) -> Self {
        Self {
            tokens,
            source,
            scratch,
            id,
        }
    }

    /// Whether these are the keys of a shape, which has as many.
    #[inline(always)]
    pub fn have(&mut self, shape: &Shape) -> bool {
        shape.all(|key| {
            let Some((name, value)) = self.pair() else {
                return false;
            };
            self.id += 1 + value.span();
            match self.source.plain_text(name) {
                Some((bytes, length)) => key.is(bytes, length),
                None => self.decoded(name, |text| key.is(text, text.len())) == Some(true),
            }
        })
    }

    /// A hash over the next `count` keys.
    pub fn hash(&mut self, count: usize) -> Option<KeysHash> {
        let mut hash = KeysHash::default();
        for _ in 0..count {
            let (name, value) = self.pair()?;
            self.id += 1 + value.span();
            match self.source.plain_text(name) {
                Some((bytes, length)) => hash.add(bytes, length),
                None => self.decoded(name, |text| hash.add(text, text.len()))?,
            }
        }
        Some(hash)
    }

    /// The bytes of the next key.
    pub fn text(&mut self) -> Option<Vec<u8>> {
        let (name, value) = self.pair()?;
        self.id += 1 + value.span();
        self.decoded(name, <[u8]>::to_vec)
    }

    #[inline(always)]
    fn pair(&self) -> Option<(Token, Token)> {
        let [name, value] = *self.tokens.get(self.id as usize..)?.first_chunk()?;
        (!value.is_beside()).then_some((name, value))
    }

    /// Does something with a key that is not plain, or that need not be taken quickly.
    #[inline(never)]
    fn decoded<R>(&mut self, name: Token, work: impl FnOnce(&[u8]) -> R) -> Option<R> {
        if name.kind() != Kind::Text {
            return None;
        }
        let text = self.source.text(name, self.scratch).ok()?;
        Some(work(text.bytes()))
    }
}

//! Keys out of their order and keys that are no text, on their way into a sink.
//!
//! Maps of any keys are rare in most documents, so their pairs are gathered first. A sink that takes
//! texts only gets the text that such a key has when Python objects are written, and two keys of one
//! text are refused.

use hashbrown::HashMap;

use super::{Order, Outcome, Walk, wtf8};
use crate::error::{Error, ErrorCode, quote};
use crate::sink::{Chars, Sink};
use crate::source::Source;
use crate::tape;
use crate::token::{Kind, TokenId};

/// Pairs of a map, last one first.
type Pairs = Vec<(TokenId, TokenId)>;

impl<R: Source, S: Sink> Walk<'_, '_, R, S> {
    /// The pairs of the map at `head`, in reverse order of their keys.
    pub(super) fn sorted(&mut self, head: TokenId) -> Outcome<Pairs> {
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
                let error = Error::new(ErrorCode::KeyClash).with("key", quote(name));
                return Err((error, *key));
            }
        } else {
            keyed.sort_by(|a, b| a.0.cmp(&b.0));
        }
        Ok(keyed.into_iter().rev().map(|(_, k, v)| (k, v)).collect())
    }

    /// The pairs of a map of any keys. In an order of texts, keys without one come last.
    pub(super) fn any_pairs(&mut self, head: TokenId) -> Outcome<Pairs> {
        let document = self.root.document();
        let entries = tape::entries(self.tokens, head);
        if self.sink.any_keys() && self.order == Order::Kept {
            let mut pairs: Pairs = entries.collect();
            pairs.reverse();
            return Ok(pairs);
        }
        let mut known: HashMap<String, Vec<u8>> = HashMap::new();
        let mut keyed = Vec::new();
        for (key, value) in entries {
            let text = match self.sink.any_keys() {
                true if !document.value(key).is_text() => None,
                _ => Some(self.key_text(key)?),
            };
            if let Some(text) = text.as_ref().filter(|_| !self.sink.any_keys()) {
                let identity = document.value(key).key_identity();
                let clash = match known.insert(text.clone(), identity.clone()) {
                    Some(other) => other != identity || self.order == Order::Utf16,
                    None => false,
                };
                if clash {
                    let error = Error::new(ErrorCode::KeyClash).with("key", quote(text.as_bytes()));
                    return Err((error, key));
                }
            }
            keyed.push((text, key, value));
        }
        // Texts before the others, and equal ones as they stand.
        match self.order {
            Order::Kept => {}
            Order::CodePoint => {
                keyed.sort_by(|a, b| (a.0.is_none(), &a.0).cmp(&(b.0.is_none(), &b.0)))
            }
            Order::Utf16 => keyed.sort_by(|a, b| {
                let (one, other) = (a.0.as_deref(), b.0.as_deref());
                let (one, other) = (one.unwrap_or_default(), other.unwrap_or_default());
                a.0.is_none()
                    .cmp(&b.0.is_none())
                    .then_with(|| utf16(one.as_bytes()).cmp(utf16(other.as_bytes())))
            }),
        }
        Ok(keyed.into_iter().rev().map(|(_, k, v)| (k, v)).collect())
    }

    /// Writes a key of a map of any keys; one that is a container is given back, to be walked.
    pub(super) fn any_key(&mut self, id: TokenId) -> Outcome<Option<TokenId>> {
        let token = self.token(id);
        let tagged = self.token(id.saturating_sub(1)).kind() == Kind::Tag;
        if matches!(token.kind(), Kind::Text | Kind::Name) && !tagged {
            self.key(token, id)?;
            return Ok(None);
        }
        if self.sink.any_keys() {
            self.sink.begin_key();
            return self.valued(id);
        }
        let text = self.key_text(id)?;
        self.sink.key(Chars::from(text.as_str()));
        self.passed(id)?;
        Ok(None)
    }

    /// The text of a key.
    fn key_text(&self, id: TokenId) -> Outcome<String> {
        self.root
            .document()
            .value(id)
            .key_text()
            .map_err(|error| (error, id))
    }
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

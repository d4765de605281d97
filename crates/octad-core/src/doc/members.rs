//! What stands in a container: elements by index, pairs by key, with equal keys merged or not.
//!
//! Narrow containers are searched as they stand, wide ones through an index that the first look
//! builds. Both ways give the same answers; the tests hold them against each other.

use std::borrow::Cow;
use std::sync::Arc;

use crate::source::Source;
use crate::tape;
use crate::token::{Kind, Token, TokenId};

use super::index::{ListIndex, MapIndex};
use super::{Document, ValueRef};

/// A list is searched through an index from this many children on, if they differ in size.
pub(super) const LONG_LIST: usize = 64;
/// A map is searched through an index from this many pairs on.
pub(super) const WIDE_MAP: usize = 41;

/// The pairs of an object with unique keys, in order: see [`ValueRef::members`].
pub enum Members<'d> {
    /// The keys are unique as they stand; so many.
    Plain(tape::Entries<'d>, usize),
    /// Through the index, from a place on.
    Indexed(Arc<MapIndex>, usize),
}

impl Members<'_> {
    /// How many there are altogether.
    #[must_use]
    pub fn count_all(&self) -> usize {
        match self {
            Self::Plain(_, count) => *count,
            Self::Indexed(index, _) => index.pairs().len(),
        }
    }
}

impl Iterator for Members<'_> {
    type Item = (TokenId, TokenId);

    #[inline]
    fn next(&mut self) -> Option<(TokenId, TokenId)> {
        match self {
            Self::Plain(entries, _) => entries.next(),
            Self::Indexed(index, place) => {
                let pair = index.pairs().get(*place).copied();
                *place += 1;
                pair
            }
        }
    }
}

impl<'d> ValueRef<'d> {
    /// Children of an array, or unique keys of an object.
    #[must_use]
    pub fn len(self) -> usize {
        match self.token().kind() {
            Kind::List => tape::count(self.document().tape.tokens(), self.id()),
            Kind::Map => match self.unique() {
                Some(index) => index.pairs().len(),
                None => tape::count(self.document().tape.tokens(), self.id()),
            },
            _ => 0,
        }
    }

    /// No children.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.token().span() <= 1 || self.len() == 0
    }

    /// The values of an array, in order.
    pub fn elements(self) -> impl Iterator<Item = ValueRef<'d>> {
        let list = self.token().kind() == Kind::List;
        let document = self.document();
        let children = list.then(|| tape::children(document.tape.tokens(), self.id()));
        children
            .into_iter()
            .flatten()
            .map(move |id| document.value(id))
    }

    /// The value at `index` of an array.
    #[inline]
    #[must_use]
    pub fn element(self, index: usize) -> Option<ValueRef<'d>> {
        let token = self.token();
        if token.kind() != Kind::List {
            return None;
        }
        let document = self.document();
        let tokens = document.tape.tokens();
        let count = tape::count(tokens, self.id());
        if index >= count {
            return None;
        }
        let id = if token.span() as usize == count + 1 {
            // Every child is one token and there is nothing beside them.
            self.id() + 1 + index as TokenId
        } else if count >= LONG_LIST {
            *self.list_index().0.get(index)?
        } else {
            tape::children(tokens, self.id()).nth(index)?
        };
        Some(document.value(id))
    }

    /// The place of the child `id` among the children of an array.
    #[must_use]
    pub(super) fn index_of(self, id: TokenId) -> usize {
        let tokens = self.document().tape.tokens();
        let count = tape::count(tokens, self.id());
        if self.token().span() as usize == count + 1 {
            (id - self.id() - 1) as usize
        } else if count >= LONG_LIST {
            let index = self.list_index();
            index.0.partition_point(|child| *child < id)
        } else {
            tape::children(tokens, self.id())
                .take_while(|child| *child < id)
                .count()
        }
    }

    fn list_index(self) -> Arc<ListIndex> {
        self.document().indexes.list(self.id(), || {
            ListIndex(tape::children(self.document().tape.tokens(), self.id()).collect())
        })
    }

    /// All pairs of an object, equal keys included.
    pub fn pairs(self) -> impl Iterator<Item = (ValueRef<'d>, ValueRef<'d>)> {
        let map = self.token().kind() == Kind::Map;
        let document = self.document();
        let pairs = map.then(|| tape::entries(document.tape.tokens(), self.id()));
        pairs
            .into_iter()
            .flatten()
            .map(move |(key, value)| (document.value(key), document.value(value)))
    }

    /// The pairs of an object with unique keys, in order: each at the place of its first key, with
    /// the value that the policy of the document chooses. Nothing for what is no object.
    #[must_use]
    pub fn members(self) -> Members<'d> {
        match self.unique() {
            Some(index) => Members::Indexed(index, 0),
            None if self.token().kind() == Kind::Map => {
                let tokens = self.document().tape.tokens();
                let count = tape::count(tokens, self.id());
                Members::Plain(tape::entries(tokens, self.id()), count)
            }
            None => Members::Plain(tape::entries(&[], 0), 0),
        }
    }

    /// The pairs of an object with unique keys, in order; `None` when [`Self::pairs`] are unique
    /// already, or this is no object.
    #[must_use]
    pub fn unique(self) -> Option<Arc<MapIndex>> {
        let count = self.token().count() as usize;
        if self.token().kind() != Kind::Map || count < 2 {
            return None;
        }
        if count < WIDE_MAP && !self.may_have_equal_keys() {
            return None;
        }
        Some(self.map_index())
    }

    /// False when the keys of a narrow map are certainly different: no two have one fingerprint.
    fn may_have_equal_keys(self) -> bool {
        // A hash table of places, more than twice as large as the widest narrow map.
        const SLOTS: usize = 128;
        let mut slots = [0_u8; SLOTS];
        let mut seen = [0_u64; WIDE_MAP];
        let document = self.document();
        let (tokens, input) = (document.tape.tokens(), document.input());
        for (place, (key, _)) in tape::entries(tokens, self.id()).enumerate() {
            let token = document.tape.get(key);
            if place + 1 >= WIDE_MAP || token.needs_decoding() {
                return true;
            }
            let at = token.location();
            let print = fingerprint(input, at.offset as usize, at.length as usize);
            seen[place + 1] = print;
            let mut slot = (print >> 57) as usize;
            while slots[slot] != 0 {
                if seen[slots[slot] as usize] == print {
                    return true;
                }
                slot = (slot + 1) % SLOTS;
            }
            slots[slot] = (place + 1) as u8;
        }
        false
    }

    fn map_index(self) -> Arc<MapIndex> {
        let document = self.document();
        document.indexes.map(self.id(), || {
            let mut index = MapIndex::default();
            let last_wins = document.options.last_key_wins();
            let mut scratch = Vec::new();
            for (key, value) in self.pairs() {
                let text = key.key_compared(&mut scratch);
                index.insert(&text, (key.id(), value.id()), last_wins, |id| {
                    document.key_of(id)
                });
            }
            index
        })
    }

    /// The text where it is spelled as it is meant and was checked.
    #[inline]
    pub(super) fn spelled_text(self) -> Option<&'d [u8]> {
        let token = self.token();
        if token.needs_decoding() || self.document().options.is_unchecked() {
            return None;
        }
        Some(self.document().source_slice(token))
    }

    /// The bytes of a key, decoded; undecodable ones as they stand.
    #[must_use]
    pub fn key_bytes<'a>(self, scratch: &'a mut Vec<u8>) -> Cow<'a, [u8]>
    where
        'd: 'a,
    {
        let token = self.token();
        // Never by way of `text`: its error would be placed, which asks for the path, and so for
        // this key again.
        let decoded = match token.kind() {
            Kind::Short => {
                let (bytes, length) = token.short_value();
                return Cow::Owned(bytes[..length.min(7)].to_vec());
            }
            Kind::Text if token.location().escaped => {
                self.document().source().text(token, scratch).is_ok()
            }
            _ => false,
        };
        if decoded {
            Cow::Borrowed(scratch)
        } else {
            Cow::Borrowed(self.document().source_slice(token))
        }
    }

    /// The pair of the key `name` in an object: a text, or what another key is compared by.
    #[must_use]
    pub fn entry(self, name: &[u8]) -> Option<(ValueRef<'d>, ValueRef<'d>)> {
        let token = self.token();
        if token.kind() != Kind::Map {
            return None;
        }
        let document = self.document();
        if token.count() as usize >= WIDE_MAP {
            let found = self.map_index().find(name, |id| document.key_of(id))?;
            return Some((document.value(found.0), document.value(found.1)));
        }
        let last_wins = document.options.last_key_wins();
        let tokens = document.tape.tokens();
        let input = document.input();
        let length = u32::try_from(name.len()).unwrap_or(Token::LONG);
        let end = self.id() + token.span();
        let any = token.has_any_keys();
        let mut found = None;
        let mut id = tape::skip_beside(tokens, self.id() + 1);
        while id < end {
            let key = document.tape.get(id);
            let same = if length < Token::LONG && key.is_spelled(length) {
                let at = key.location().offset as usize;
                input.get(at..at + name.len()) == Some(name)
            } else {
                // The usual keys have another length, and neither escapes nor an odd kind.
                key.needs_decoding() && document.key_equals(id, name)
            };
            let behind = if any { tape::next(tokens, id) } else { id + 1 };
            let value = tape::skip_beside(tokens, behind);
            if same {
                found = Some((document.value(id), document.value(value)));
                if !last_wins {
                    break;
                }
            }
            id = tape::skip_beside(tokens, tape::next(tokens, value));
        }
        found
    }

    /// The value of the key `name` in an object.
    #[inline]
    #[must_use]
    pub fn get(self, name: &[u8]) -> Option<ValueRef<'d>> {
        self.entry(name).map(|(_, value)| value)
    }
}

/// Length and up to sixteen bytes of the key at `at`, mixed. Equal keys have equal prints.
#[inline]
fn fingerprint(input: &[u8], at: usize, length: usize) -> u64 {
    // Eight bytes at a time, whatever stands behind a short key: it is masked away.
    let word = |at: usize| match input.get(at..at + 8).map(<[u8; 8]>::try_from) {
        Some(Ok(bytes)) => u64::from_le_bytes(bytes),
        _ => {
            let mut bytes = [0; 8];
            let rest = input.get(at..).unwrap_or_default();
            bytes[..rest.len()].copy_from_slice(rest);
            u64::from_le_bytes(bytes)
        }
    };
    let mixed = if length >= 8 {
        word(at) ^ word(at + length - 8).rotate_left(29)
    } else {
        word(at) & ((1 << (8 * length)) - 1)
    };
    (mixed ^ ((length as u64) << 3)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

impl Document {
    pub(super) fn source_slice(&self, token: Token) -> &[u8] {
        let range = self.tape.range(token).unwrap_or(0..0);
        self.input().get(range).unwrap_or_default()
    }

    fn key_of(&self, id: TokenId) -> Cow<'_, [u8]> {
        let mut scratch = Vec::new();
        let token = self.tape.get(id);
        if token.kind() == Kind::Text && !token.location().escaped {
            return Cow::Borrowed(self.source_slice(token));
        }
        Cow::Owned(self.value(id).key_compared(&mut scratch).into_owned())
    }

    /// Compares a key without decoding it where its spelling is the text.
    #[inline]
    fn key_equals(&self, id: TokenId, name: &[u8]) -> bool {
        let token = self.tape.get(id);
        let at = token.location();
        if token.kind() == Kind::Text && !at.escaped {
            if at.length != Token::LONG && at.length as usize != name.len() {
                return false;
            }
            return self.source_slice(token) == name;
        }
        self.key_of(id).as_ref() == name
    }
}

//! Indexes of wide containers: built by the first look at one, kept, shared by threads.
//!
//! A narrow container is searched directly, which is faster than any index.

use std::sync::{Arc, RwLock};

use hashbrown::{DefaultHashBuilder, HashMap, HashTable};

use core::hash::BuildHasher;

use crate::token::TokenId;

/// The children of a list whose elements are not one token each.
#[derive(Debug)]
pub struct ListIndex(pub(super) Box<[TokenId]>);

/// The pairs of a map by key, equal keys merged: at the place of the first, with the value that the
/// document's policy chooses.
#[derive(Debug, Default)]
pub struct MapIndex {
    pairs: Vec<(TokenId, TokenId)>,
    table: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl MapIndex {
    /// Adds a pair; `key_of` gives the text of a key's token.
    pub(super) fn insert<K: AsRef<[u8]>>(
        &mut self,
        text: &[u8],
        pair: (TokenId, TokenId),
        last_wins: bool,
        key_of: impl Fn(TokenId) -> K,
    ) {
        let hash = self.hasher.hash_one(text);
        let pairs = &mut self.pairs;
        let same = |place: &u32| key_of(pairs[*place as usize].0).as_ref() == text;
        if let Some(&place) = self.table.find(hash, same) {
            if last_wins {
                pairs[place as usize] = pair;
            }
            return;
        }
        let place = pairs.len() as u32;
        pairs.push(pair);
        let hasher = &self.hasher;
        self.table.insert_unique(hash, place, |place| {
            hasher.hash_one(key_of(pairs[*place as usize].0).as_ref())
        });
    }

    /// The pair of a key.
    pub(super) fn find<K: AsRef<[u8]>>(
        &self,
        text: &[u8],
        key_of: impl Fn(TokenId) -> K,
    ) -> Option<(TokenId, TokenId)> {
        let hash = self.hasher.hash_one(text);
        self.table
            .find(hash, |place| {
                key_of(self.pairs[*place as usize].0).as_ref() == text
            })
            .map(|place| self.pairs[*place as usize])
    }

    /// The pairs with unique keys, in order.
    #[must_use]
    pub fn pairs(&self) -> &[(TokenId, TokenId)] {
        &self.pairs
    }
}

#[derive(Debug)]
enum Index {
    List(Arc<ListIndex>),
    Map(Arc<MapIndex>),
}

/// The indexes of one document, by container.
#[derive(Debug, Default)]
pub(super) struct Indexes(RwLock<HashMap<TokenId, Index>>);

impl Indexes {
    pub(super) fn list(&self, head: TokenId, build: impl FnOnce() -> ListIndex) -> Arc<ListIndex> {
        if let Some(Index::List(index)) = self.read().get(&head) {
            return Arc::clone(index);
        }
        let index = Arc::new(build());
        self.write().insert(head, Index::List(Arc::clone(&index)));
        index
    }

    pub(super) fn map(&self, head: TokenId, build: impl FnOnce() -> MapIndex) -> Arc<MapIndex> {
        if let Some(Index::Map(index)) = self.read().get(&head) {
            return Arc::clone(index);
        }
        let index = Arc::new(build());
        self.write().insert(head, Index::Map(Arc::clone(&index)));
        index
    }

    pub(super) fn memory(&self) -> usize {
        let known = self.read();
        known
            .values()
            .map(|index| match index {
                Index::List(list) => size_of_val(&*list.0),
                Index::Map(map) => map.pairs.capacity() * 8 + map.table.capacity() * 5,
            })
            .sum::<usize>()
            + known.capacity() * 32
    }

    // A panic while the lock is held leaves the table whole: it is only ever inserted into.
    fn read(&self) -> std::sync::RwLockReadGuard<'_, HashMap<TokenId, Index>> {
        self.0
            .read()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn write(&self) -> std::sync::RwLockWriteGuard<'_, HashMap<TokenId, Index>> {
        self.0
            .write()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

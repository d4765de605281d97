//! Arrays and objects of equal values, and arrays of fixed places.

use octad_core::error::ErrorCode;
use octad_core::formats::json::Duplicates;
use octad_core::source::Source;
use octad_core::token::{Kind, Token, TokenId};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyFrozenSet, PySet, PyTuple};

use super::Runner;
use super::fault::{Flaw, Words};
use super::repeats::{Members, Repeats};
use crate::cpython::{NewDict, NewList, Obj, Trail};
use crate::plan::{Leaf, Node, NodeId, Row, Sequence};

impl<'a, S: Source> Runner<'a, '_, S> {
    /// How many parts a container has, no more than the tape has room for.
    #[inline(always)]
    pub(super) fn count(&self, token: Token) -> usize {
        (token.count() as usize).min(self.base.tokens.len())
    }

    #[inline(never)]
    pub(super) fn list(
        &mut self,
        item: NodeId,
        token: Token,
        id: TokenId,
        place: u16,
    ) -> Option<Obj> {
        if token.kind() != Kind::List {
            return self.wrong("an array", id);
        }
        if !self.direct {
            // Nobody may come upon a list with empty places.
            let items = self.items(item, token, id, place)?;
            return self.new_list(items);
        }
        self.enter(id)?;
        let made = NewList::new(self.base.py, self.count(token));
        let Some(mut list) = made else {
            return self.made(None);
        };
        let first = id + 1;
        match self.plan.leaf(item) {
            Leaf::Text => self.usual_items(&mut list, item, Leaf::Text, first, place)?,
            leaf => {
                // What items hold may have something to say when it goes.
                list.hide();
                self.usual_items(&mut list, item, leaf, first, place)?;
            }
        }
        self.depth -= 1;
        Some(list.finish())
    }

    pub(super) fn new_list(&mut self, items: Vec<Obj>) -> Option<Obj> {
        let Some(mut list) = NewList::new(self.base.py, items.len()) else {
            return self.made(None);
        };
        items.into_iter().for_each(|item| list.push(item));
        Some(list.finish())
    }

    /// Does something with each item of an array: with its number, token and the place of that.
    #[inline(always)]
    pub(super) fn each_item(
        &mut self,
        token: Token,
        id: TokenId,
        mut with: impl FnMut(&mut Self, usize, Token, TokenId) -> Option<()>,
    ) -> Option<()> {
        self.enter(id)?;
        let mut failed = false;
        let mut id = id + 1;
        for number in 0..self.count(token) {
            let token = self.token(&mut id)?;
            if with(self, number, token, id).is_none() {
                self.goes_on()?;
                failed = true;
            }
            id += token.span();
        }
        self.depth -= 1;
        if failed {
            return self.noted();
        }
        Some(())
    }

    /// Looks at each member of an object, until something fails: with the token of its key, and the
    /// places of key and value.
    #[inline(always)]
    pub(super) fn each_member(
        &mut self,
        token: Token,
        id: TokenId,
        mut with: impl FnMut(&mut Self, Token, TokenId, TokenId) -> Option<()>,
    ) -> Option<()> {
        let mut id = id + 1;
        for _ in 0..self.count(token) {
            let key = self.token(&mut id)?;
            let key_id = id;
            id += 1;
            let value = self.token(&mut id)?;
            with(self, key, key_id, id)?;
            id += value.span();
        }
        Some(())
    }

    /// The items of an array.
    fn items(&mut self, item: NodeId, token: Token, id: TokenId, place: u16) -> Option<Vec<Obj>> {
        let mut items = Vec::with_capacity(self.count(token));
        self.each_item(token, id, |runner, _, _, id| {
            items.push(runner.value(item, id, place)?);
            Some(())
        })?;
        Some(items)
    }

    pub(super) fn sequence(
        &mut self,
        kind: Sequence,
        item: NodeId,
        token: Token,
        id: TokenId,
        place: u16,
    ) -> Option<Obj> {
        if token.kind() != Kind::List {
            return self.wrong("an array", id);
        }
        let py = self.base.py;
        let items = self.items(item, token, id, place)?;
        let items = items.into_iter().map(|item| item.into_bound(py));
        let made = match kind {
            Sequence::List => return self.new_list(items.map(Obj::take).collect()),
            Sequence::Tuple => {
                let items: Vec<_> = items.collect();
                PyTuple::new(py, items).map(Bound::into_any)
            }
            Sequence::Set => PySet::empty(py).and_then(|set| {
                for item in items {
                    set.add(item)?;
                }
                Ok(set.into_any())
            }),
            Sequence::FrozenSet => {
                let items: Vec<_> = items.collect();
                PyFrozenSet::new(py, items).map(Bound::into_any)
            }
        };
        self.by_user(made, Words::Are("items that can be in a set"), id)
            .map(Obj::take)
    }

    pub(super) fn row(
        &mut self,
        row: &'a Row,
        token: Token,
        id: TokenId,
        place: u16,
    ) -> Option<Obj> {
        if token.kind() != Kind::List {
            return self.wrong("an array", id);
        }
        let count = self.count(token);
        let fixed = row.prefix.len() + row.suffix.len();
        if count < fixed || row.rest.is_none() && count > fixed {
            let values = if fixed == 1 { "value" } else { "values" };
            let least = if row.rest.is_some() { "at least " } else { "" };
            let expected = format!("an array of {least}{fixed} {values}");
            return self.length(&expected, count, id);
        }
        let mut items = Vec::with_capacity(count);
        self.each_item(token, id, |runner, number, _, id| {
            let from_end = count - number;
            let node = match row.prefix.get(number) {
                Some(node) => *node,
                None if from_end <= row.suffix.len() => row.suffix[row.suffix.len() - from_end],
                None => row.rest.unwrap_or(0),
            };
            let made = runner.value(node, id, place.wrapping_add(number as u16))?;
            items.push(made.into_bound(runner.base.py));
            Some(())
        })?;
        let made = PyTuple::new(self.base.py, items).map(Bound::into_any);
        self.python(made).map(Obj::take)
    }

    /// An array of a length that is not meant.
    #[cold]
    pub(super) fn length<T>(&mut self, expected: &str, count: usize, id: TokenId) -> Option<T> {
        let flaw = Flaw {
            actual: Some(count.to_string()),
            ..Flaw::new(ErrorCode::WrongLength, Words::Own(expected.into()))
        };
        self.flaw(flaw, id)
    }

    #[inline(never)]
    pub(super) fn dict(
        &mut self,
        key: NodeId,
        value: NodeId,
        token: Token,
        id: TokenId,
        place: u16,
    ) -> Option<Obj> {
        if token.kind() != Kind::Map {
            return self.wrong("an object", id);
        }
        if !matches!(self.plan.node(key), Node::Str | Node::Any) {
            return self.dict_of_any_key(key, value, token, id, place);
        }
        self.enter(id)?;
        let count = self.count(token);
        let Some(mut dict) = NewDict::new(self.base.py, count) else {
            return self.made(None);
        };
        let mut trail = self.base.keys.start();
        let leaf = self.plan.leaf(value);
        let before = self.before();
        let mut repeats = Repeats::default();
        // Pairs that are in the dict.
        let mut put = 0;
        let mut at = id + 1;
        for _ in 0..count {
            let made = self.base.key(&mut at, &mut trail);
            let name = self.untyped(made)?;
            let key_id = at;
            at += 1;
            let (made, span) = self.usual_or(leaf, value, &mut at, place);
            match made {
                Some(made) => put += self.insert(&mut dict, &name, made, put, key_id)?,
                None => {
                    let members = Members::Of(token, id);
                    if self.is_passed_over(&mut repeats, None, members, key_id, &before)? {
                        put += 1;
                    } else {
                        self.goes_on()?;
                    }
                }
            }
            at += span;
        }
        self.depth -= 1;
        if put != count {
            return self.noted();
        }
        Some(dict.finish())
    }

    /// Adds a pair to a dict that should have `number` pairs; a repeated key is dealt with as the
    /// rules say. How many pairs of the text that is, if the key is no fault.
    #[inline]
    fn insert(
        &mut self,
        dict: &mut NewDict,
        key: &Obj,
        value: Obj,
        number: usize,
        id: TokenId,
    ) -> Option<usize> {
        let py = self.base.py;
        let done = match self.base.rules.duplicates {
            Duplicates::First => dict.insert_first(py, key, value),
            _ => dict.insert(py, key, value),
        };
        if done.is_none() {
            self.made(None)?;
        }
        if self.base.rules.duplicates == Duplicates::Error && dict.len(py) == number {
            self.repeated_key(id)?;
            return Some(0);
        }
        Some(1)
    }

    #[cold]
    fn repeated_key(&mut self, id: TokenId) -> Option<()> {
        let flaw = Flaw::new(ErrorCode::RepeatedField, Words::Are("each key"));
        self.flaw::<()>(flaw, id);
        self.goes_on()
    }

    fn dict_of_any_key(
        &mut self,
        key: NodeId,
        value: NodeId,
        token: Token,
        id: TokenId,
        place: u16,
    ) -> Option<Obj> {
        self.enter(id)?;
        let dict = PyDict::new(self.base.py);
        let mut failed = false;
        let members = Members::Of(token, id);
        let before = self.before();
        let mut repeats = Repeats::default();
        let mut id = id + 1;
        for _ in 0..self.count(token) {
            self.token(&mut id)?;
            let key_id = id;
            let name = self.key_value(key, key_id);
            if name.is_none() {
                self.goes_on()?;
                failed = true;
            }
            id += 1;
            let token = self.token(&mut id)?;
            match (name, self.value(value, id, place)) {
                (Some(name), Some(made)) => {
                    if self.set_item(&dict, name, made, key_id).is_none() {
                        self.goes_on()?;
                        failed = true;
                    }
                }
                (_, Some(_)) => {}
                (_, None) => {
                    if !self.is_passed_over(&mut repeats, None, members, key_id, &before)? {
                        self.goes_on()?;
                        failed = true;
                    }
                }
            }
            id += token.span();
        }
        self.depth -= 1;
        if failed {
            return self.noted();
        }
        Some(Obj::take(dict.into_any()))
    }

    /// Adds a pair whose key may run code of the user's when it is hashed.
    pub(super) fn set_item(
        &mut self,
        dict: &Bound<'_, PyDict>,
        key: Obj,
        value: Obj,
        id: TokenId,
    ) -> Option<()> {
        let py = self.base.py;
        let (key, value) = (key.into_bound(py), value.into_bound(py));
        let known = dict.len();
        let done = match self.base.rules.duplicates {
            Duplicates::First => dict.contains(&key).and_then(|there| {
                if there {
                    return Ok(());
                }
                dict.set_item(&key, &value)
            }),
            _ => dict.set_item(&key, &value),
        };
        self.by_user(done, Words::Are("a key that can be in a dict"), id)?;
        if self.base.rules.duplicates == Duplicates::Error && dict.len() == known {
            let flaw = Flaw::new(ErrorCode::RepeatedField, Words::Are("each key"));
            return self.flaw(flaw, id);
        }
        Some(())
    }

    /// An array of pairs as a dict.
    pub(super) fn pairs(
        &mut self,
        key: NodeId,
        value: NodeId,
        token: Token,
        id: TokenId,
        place: u16,
    ) -> Option<Obj> {
        if token.kind() != Kind::List {
            return self.wrong("an array of pairs", id);
        }
        let dict = PyDict::new(self.base.py);
        self.each_item(token, id, |runner, _, token, id| {
            runner.pair(&dict, key, value, token, id, place)
        })?;
        Some(Obj::take(dict.into_any()))
    }

    fn pair(
        &mut self,
        dict: &Bound<'_, PyDict>,
        key: NodeId,
        value: NodeId,
        token: Token,
        id: TokenId,
        place: u16,
    ) -> Option<()> {
        if token.kind() != Kind::List {
            return self.wrong("a pair as an array of 2 values", id);
        }
        if self.count(token) != 2 {
            return self.length("an array of 2 values", self.count(token), id);
        }
        self.enter(id)?;
        let mut at = id + 1;
        let first = self.token(&mut at)?;
        let name = self.value(key, at, place)?;
        let key_id = at;
        at += first.span();
        self.token(&mut at)?;
        let made = self.value(value, at, place)?;
        self.depth -= 1;
        self.set_item(dict, name, made, key_id)
    }

    /// A dict of members that no field takes.
    pub(super) fn dict_of(&mut self, members: &[(TokenId, TokenId)], value: NodeId) -> Option<Obj> {
        let Some(mut dict) = NewDict::new(self.base.py, members.len()) else {
            return self.made(None);
        };
        let mut trail = Trail::default();
        let before = self.before();
        let mut repeats = Repeats::default();
        let mut put = 0;
        for (key_id, value_id) in members {
            let made = self.base.key(&mut { *key_id }, &mut trail);
            let name = self.untyped(made)?;
            let made = match self.run.references {
                Some(_) => self.part(value, *value_id, 0),
                None => self.value(value, *value_id, 0),
            };
            match made {
                Some(made) => put += self.insert(&mut dict, &name, made, put, *key_id)?,
                None => {
                    let members = Members::These(members);
                    if self.is_passed_over(&mut repeats, None, members, *key_id, &before)? {
                        put += 1;
                    } else {
                        self.goes_on()?;
                    }
                }
            }
        }
        if put != members.len() {
            return self.noted();
        }
        Some(dict.finish())
    }

    /// The bytes of an array of numbers.
    pub(super) fn numbers(&mut self, token: Token, id: TokenId) -> Option<Vec<u8>> {
        let mut bytes = Vec::with_capacity(self.count(token));
        let mut id = id + 1;
        for _ in 0..self.count(token) {
            let token = self.token(&mut id)?;
            let value = match token.kind() {
                Kind::Int if token.is_owned() => u8::try_from(token.int_value()).ok(),
                _ => None,
            };
            match value {
                Some(value) => bytes.push(value),
                None => return self.invalid(Words::Are("a number from 0 to 255"), id),
            }
            id += token.span();
        }
        Some(bytes)
    }

    /// A bytes object.
    pub(super) fn new_bytes(&self, bytes: &[u8]) -> Obj {
        Obj::take(PyBytes::new(self.base.py, bytes).into_any())
    }
}

//! Objects (or arrays) of known keys.
//!
//! The fields of a record wait in `slots` until all are there, unless they can be put into the new
//! instance at once (`filled.rs`). The key that follows in the record's own order is compared first;
//! only another one is looked for. A record without extras touches none of what `rest.rs` does for
//! the others.

use octad_core::error::ErrorCode;
use octad_core::formats::json::Duplicates;
use octad_core::source::Source;
use octad_core::token::{Kind, Token, TokenId};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySet, PyString};

use super::Runner;
use super::fault::{Flaw, Words};
use super::repeats::{Members, Repeats};
use super::rest::{ANYTHING, Member};
use crate::cpython::{NewDict, NewList, Obj};
use crate::plan::{Default, Field, Make, NodeId, Record, Shape};

impl<'a, S: Source> Runner<'a, '_, S> {
    #[inline]
    pub(super) fn record(
        &mut self,
        node: NodeId,
        record: &'a Record,
        token: Token,
        id: TokenId,
    ) -> Option<Obj> {
        if record.simple
            && self.direct
            && token.kind() == Kind::Map
            && let Make::Direct(maker) = &record.make
            && let Some(new) = maker.open(self.base.py)
        {
            return self.filled(node, record, new, token, id);
        }
        self.gathered(node, record, token, id)
    }

    /// A record whose fields wait until all are there.
    #[inline(never)]
    fn gathered(
        &mut self,
        node: NodeId,
        record: &'a Record,
        token: Token,
        id: TokenId,
    ) -> Option<Obj> {
        if !record.simple {
            return self.any_record(node, record, token, id, false);
        }
        if token.kind() != Kind::Map {
            return self.no_record(node, id);
        }
        self.enter(id)?;
        let start = self.slots.len();
        self.slots.resize_with(start + record.fields.len(), || None);
        let mut rest = Vec::new();
        let made = match self.members(node, record, token, id, start, &mut rest, false) {
            Some(()) => self.finish(node, record, start, id, Vec::new()),
            None => None,
        };
        self.slots.truncate(start);
        self.depth -= 1;
        made
    }

    #[cold]
    fn no_record(&mut self, node: NodeId, id: TokenId) -> Option<Obj> {
        self.flaw(Flaw::new(ErrorCode::WrongType, Words::Node(node)), id)
    }

    /// A record with extras. `hooked`: its class has seen the object.
    #[inline(never)]
    pub(super) fn any_record(
        &mut self,
        node: NodeId,
        record: &'a Record,
        token: Token,
        id: TokenId,
        hooked: bool,
    ) -> Option<Obj> {
        if let Some(hook) = &record.before
            && token.kind() == Kind::Map
            && !hooked
        {
            return self.hooked(node, record, hook, id);
        }
        let tag_is_known = self.tagged.take() == Some(id);
        let is_array = match (token.kind(), record.shape) {
            (Kind::Map, Shape::Object | Shape::Either) => false,
            (Kind::List, Shape::Array | Shape::Either) => true,
            (_, Shape::Array) => return self.wrong("an array of the fields", id),
            _ => return self.no_record(node, id),
        };
        if let Make::Validator(maker) = &record.make {
            let raw = match self.run.references {
                // What makes the instance knows nothing of names.
                Some(_) => self.plain(ANYTHING, token, id, 0)?,
                None => self.any(id)?,
            };
            let py = self.base.py;
            let made = maker.bind(py).call1((raw.into_bound(py),));
            let made = self.by_user(made, Words::Accepted(node), id)?;
            return self.with_hooks(node, record, Obj::take(made), id);
        }
        self.enter(id)?;
        let start = self.slots.len();
        self.slots.resize_with(start + record.fields.len(), || None);
        let made = self.with_rest(node, record, token, id, start, tag_is_known, is_array);
        self.slots.truncate(start);
        self.depth -= 1;
        made
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "the parts of one record, apart for its slots"
    )]
    fn with_rest(
        &mut self,
        node: NodeId,
        record: &'a Record,
        token: Token,
        id: TokenId,
        start: usize,
        tag_is_known: bool,
        is_array: bool,
    ) -> Option<Obj> {
        let early = match self.pending {
            Some(_) => self.early_record(record, id)?,
            None => None,
        };
        if is_array {
            self.array(node, record, token, id, start, tag_is_known)?;
            return match early {
                Some(made) => self.finish_early(node, record, made, start, id, Vec::new()),
                None => self.finish(node, record, start, id, Vec::new()),
            };
        }
        let mut rest = Vec::new();
        let read = self.members(node, record, token, id, start, &mut rest, tag_is_known);
        if read.is_none() && !self.is_collecting() {
            return None;
        }
        let others = self.rest(node, record, &mut rest, id)?;
        if read.is_none() {
            return self.noted();
        }
        match early {
            Some(made) => self.finish_early(node, record, made, start, id, others),
            None => self.finish(node, record, start, id, others),
        }
    }

    /// Reads the members of an object into the slots from `start` on. Those that are no fields go to
    /// `rest`.
    #[expect(
        clippy::too_many_arguments,
        reason = "the parts of one record, apart for its slots"
    )]
    fn members(
        &mut self,
        node: NodeId,
        record: &'a Record,
        token: Token,
        id: TokenId,
        start: usize,
        rest: &mut Vec<Member>,
        tag_is_known: bool,
    ) -> Option<()> {
        let mut failed = false;
        let mut tag_seen = false;
        let mut guess = 0;
        let before = self.before();
        let mut repeats = Repeats::default();
        let mut at = id + 1;
        for _ in 0..self.count(token) {
            let key = self.token(&mut at)?;
            let key_id = at;
            let found = match self.base.source.plain_text(key) {
                Some((bytes, length)) => match record.names.is(guess, bytes, length) {
                    Some(field) => Some((guess, field)),
                    None => record.names.find(bytes, length),
                },
                None => self.rare_name(record, key, key_id)?,
            };
            at += 1;
            let value = self.token(&mut at)?;
            match found {
                Some((name, field)) if field < Record::KNOWN => {
                    guess = name + 1;
                    if record.beside {
                        self.owner = Some((token, id));
                    }
                    if self.field(node, record, field, start, key_id, at).is_none() {
                        let members = Members::Of(token, id);
                        if !self.is_passed_over(
                            &mut repeats,
                            Some(record),
                            members,
                            key_id,
                            &before,
                        )? {
                            self.goes_on()?;
                            self.stand_in(start, field);
                            failed = true;
                        }
                    }
                }
                Some((_, Record::KNOWN)) => {}
                Some(_) => {
                    let again = core::mem::replace(&mut tag_seen, true);
                    if again && self.base.rules.duplicates == Duplicates::Error {
                        self.repeated_tag(record, key_id);
                        self.goes_on()?;
                        failed = true;
                    }
                    if !tag_is_known && self.check_tag(record, at).is_none() {
                        let members = Members::Of(token, id);
                        if !self.is_passed_over(
                            &mut repeats,
                            Some(record),
                            members,
                            key_id,
                            &before,
                        )? {
                            self.goes_on()?;
                            failed = true;
                        }
                    }
                }
                None => rest.push((key_id, at)),
            }
            at += value.span();
        }
        if failed {
            self.missing(node, record, start, id)?;
            return self.noted();
        }
        Some(())
    }

    /// Something in the slot of a field that was there and did not fit: it is not missing.
    #[cold]
    fn stand_in(&mut self, start: usize, field: u32) {
        let none = self.base.py.None().into_bound(self.base.py);
        if let Some(slot) = self.slots.get_mut(start + field as usize) {
            *slot = Some(Obj::from_bound(&none));
        }
    }

    /// Notes the required fields that are absent, of a record that cannot be made any more.
    #[cold]
    fn missing(
        &mut self,
        node: NodeId,
        record: &'a Record,
        start: usize,
        id: TokenId,
    ) -> Option<()> {
        for (number, field) in record.fields.iter().enumerate() {
            let is_there = self.slots.get(start + number).is_none_or(Option::is_some);
            if !is_there && matches!(field.default, Default::Required) {
                let words = Words::Field(node, number);
                self.flaw::<()>(Flaw::new(ErrorCode::MissingField, words), id);
                self.goes_on()?;
            }
        }
        Some(())
    }

    /// Reads a value into the slot of its field.
    #[inline(always)]
    pub(super) fn field(
        &mut self,
        node: NodeId,
        record: &'a Record,
        field: u32,
        start: usize,
        key_id: TokenId,
        id: TokenId,
    ) -> Option<()> {
        let place = start + field as usize;
        if self.slots.get(place).is_none_or(Option::is_some) {
            match self.base.rules.duplicates {
                Duplicates::First => return Some(()),
                Duplicates::Last => {}
                Duplicates::Error => return self.repeated(node, field, key_id),
            }
        }
        let spec = record.fields.get(field as usize)?;
        let kind = (node as u16).wrapping_mul(61).wrapping_add(field as u16);
        let value = self.value(spec.node, id, kind)?;
        if let Some(slot) = self.slots.get_mut(place) {
            *slot = Some(value);
        }
        Some(())
    }

    #[cold]
    pub(super) fn repeated(&mut self, node: NodeId, field: u32, id: TokenId) -> Option<()> {
        let words = Words::Field(node, field as usize);
        self.flaw(Flaw::new(ErrorCode::RepeatedField, words), id)
    }

    #[cold]
    pub(super) fn repeated_tag(&mut self, record: &Record, id: TokenId) -> Option<()> {
        let name = record.tag.as_ref().map_or("", |(name, _)| name);
        let words = format!("the tag `{name}`");
        let flaw = Flaw::new(ErrorCode::RepeatedField, Words::Own(words.into()));
        self.flaw(flaw, id)
    }

    #[inline(never)]
    pub(super) fn rare_name(
        &mut self,
        record: &Record,
        key: Token,
        id: TokenId,
    ) -> Option<Option<(usize, u32)>> {
        self.with_text(key, id, |text| record.names.find(text, text.len()))
    }

    /// A member that tells the type must tell this one.
    pub(super) fn check_tag(&mut self, record: &Record, id: TokenId) -> Option<()> {
        let Some((_, value)) = &record.tag else {
            return Some(());
        };
        let given = self.any(id)?;
        let py = self.base.py;
        let (given, value) = (given.into_bound(py), value.bind(py));
        let same = given.get_type().is(value.get_type()) && self.python(given.eq(value))?;
        if same {
            return Some(());
        }
        let words = format!("the tag `{value}`");
        let flaw = Flaw::new(ErrorCode::UnknownTag, Words::Own(words.into()));
        self.flaw(flaw, id)
    }

    /// An array of the fields in their order, behind the tag where there is one.
    fn array(
        &mut self,
        node: NodeId,
        record: &'a Record,
        token: Token,
        id: TokenId,
        start: usize,
        tag_is_known: bool,
    ) -> Option<()> {
        let tags = usize::from(record.tag.is_some());
        let count = self.count(token);
        let most = record.named + tags;
        let is_bounded =
            record.unknown == crate::plan::Unknown::Forbid || matches!(record.make, Make::Tuple);
        if count > most && is_bounded {
            let expected = format!("an array of at most {most} values");
            return self.length(&expected, count, id);
        }
        let mut failed = false;
        let mut at = id + 1;
        for number in 0..count.min(most) {
            let value = self.token(&mut at)?;
            let done = if number < tags {
                if tag_is_known {
                    Some(())
                } else {
                    self.check_tag(record, at)
                }
            } else {
                self.field(node, record, (number - tags) as u32, start, at, at)
            };
            if done.is_none() {
                self.goes_on()?;
                if number >= tags {
                    self.stand_in(start, (number - tags) as u32);
                }
                failed = true;
            }
            at += value.span();
        }
        if failed {
            self.missing(node, record, start, id)?;
            return self.noted();
        }
        Some(())
    }

    /// Fills in what is absent; fails where something required is.
    pub(super) fn defaults(
        &mut self,
        node: NodeId,
        record: &'a Record,
        start: usize,
        id: TokenId,
    ) -> Option<()> {
        let mut failed = false;
        for (number, field) in record.fields.iter().enumerate() {
            if self.slots.get(start + number).is_none_or(Option::is_some) {
                continue;
            }
            let made = match self.default(node, number, field, id) {
                Some(Some(made)) => made,
                Some(None) => continue,
                None => {
                    self.goes_on()?;
                    failed = true;
                    continue;
                }
            };
            if let Some(slot) = self.slots.get_mut(start + number) {
                *slot = Some(made);
            }
        }
        if failed {
            return self.noted();
        }
        Some(())
    }

    /// What an absent field gets; Some(None) where that is nothing.
    pub(super) fn default(
        &mut self,
        node: NodeId,
        number: usize,
        field: &Field,
        id: TokenId,
    ) -> Option<Option<Obj>> {
        let py = self.base.py;
        let made = match &field.default {
            Default::Required => {
                let words = Words::Field(node, number);
                return self.flaw(Flaw::new(ErrorCode::MissingField, words), id);
            }
            Default::Absent => return Some(None),
            Default::Value(value) => Some(Obj::from_bound(value.bind(py))),
            Default::NewList => NewList::new(py, 0).map(NewList::finish),
            Default::NewDict => NewDict::new(py, 0).map(NewDict::finish),
            Default::NewSet => {
                let made = PySet::empty(py).map(|made| Obj::take(made.into_any()));
                Some(self.python(made)?)
            }
            Default::Factory(factory) => {
                let made = factory.bind(py).call0();
                Some(Obj::take(self.by_user(made, Words::Accepted(node), id)?))
            }
        };
        self.made(made).map(Some)
    }

    /// The dict of what `others` and the fields have, for records that are plain dicts.
    pub(super) fn plain_dict(
        &mut self,
        record: &'a Record,
        start: usize,
        others: Vec<(&'a Py<PyString>, Obj)>,
    ) -> Option<Obj> {
        let py = self.base.py;
        let dict = PyDict::new(py);
        for (number, field) in record.fields.iter().enumerate() {
            if let Some(value) = self.slots.get_mut(start + number).and_then(Option::take) {
                let done = dict.set_item(&field.attribute, value.into_bound(py));
                self.python(done)?;
            }
        }
        for (attribute, value) in others {
            let done = dict.set_item(attribute, value.into_bound(py));
            self.python(done)?;
        }
        Some(Obj::take(dict.into_any()))
    }
}

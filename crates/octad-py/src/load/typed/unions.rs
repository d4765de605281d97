//! One of several types: told by the kind of value, by a tag, by keys, or by trying.

use octad_core::error::ErrorCode;
use octad_core::formats::json::Duplicates;
use octad_core::source::Source;
use octad_core::token::{Kind, Token, TokenId};

use super::Runner;
use super::fault::{Fault, Flaw, Words};
use super::scalars::truth;
use crate::cpython::Obj;
use crate::plan::{NodeId, Shaped, TagPlace, Tagged, Union};

/// The place of a value among the kinds of unions.
#[inline]
fn kind_of(token: Token) -> usize {
    match token.kind() {
        Kind::Simple if truth(token).is_some() => 1,
        Kind::Int => 2,
        Kind::Real | Kind::Real59 => 3,
        Kind::Text | Kind::Name | Kind::Short | Kind::Time => 4,
        Kind::Bytes => 5,
        Kind::List => 6,
        Kind::Map | Kind::Record => 7,
        _ => 0,
    }
}

impl<'a, S: Source> Runner<'a, '_, S> {
    #[inline]
    pub(super) fn union(
        &mut self,
        node: NodeId,
        union: &'a Union,
        token: Token,
        id: TokenId,
        place: u16,
    ) -> Option<Obj> {
        let kind = kind_of(token);
        match &*union.candidates[kind] {
            [one] if kind != 2 => self.value(*one, id, place),
            [one] if union.candidates[3].is_empty() || *union.candidates[3] == [*one] => {
                self.value(*one, id, place)
            }
            // A whole number may be meant as one with a fraction.
            [] if kind == 2 => match &*union.candidates[3] {
                [] => self.no_member(node, id),
                [one] => self.value(*one, id, place),
                several => self.first_that_fits(node, &[several], id, place),
            },
            [] => self.no_member(node, id),
            several if kind == 2 => {
                let floats = &*union.candidates[3];
                self.first_that_fits(node, &[several, floats], id, place)
            }
            several => self.first_that_fits(node, &[several], id, place),
        }
    }

    #[cold]
    fn no_member(&mut self, node: NodeId, id: TokenId) -> Option<Obj> {
        self.flaw(Flaw::new(ErrorCode::WrongType, Words::Node(node)), id)
    }

    #[inline(never)]
    fn first_that_fits(
        &mut self,
        node: NodeId,
        branches: &[&[NodeId]],
        id: TokenId,
        place: u16,
    ) -> Option<Obj> {
        let mut failed: Vec<(NodeId, Fault)> = Vec::new();
        for branch in branches.iter().copied().flatten() {
            if failed.iter().any(|(known, _)| known == branch) {
                continue;
            }
            match self.attempt(|runner| runner.value(*branch, id, place))? {
                Ok(made) => return Some(made),
                Err(fault) => failed.push((*branch, fault)),
            }
        }
        let mut flaw = Flaw::new(ErrorCode::NoUnionMember, Words::Node(node));
        flaw.branches = failed;
        self.flaw(flaw, id)
    }

    /// Tries to read a value; Some(Err) where it does not fit, None where nothing else is to be
    /// tried.
    pub(super) fn attempt(
        &mut self,
        read: impl FnOnce(&mut Self) -> Option<Obj>,
    ) -> Option<Result<Obj, Fault>> {
        let (depth, slots) = (self.depth, self.slots.len());
        // The first fault of a branch is enough to rule it out.
        let found = self.found.take();
        let made = read(self);
        self.found = found;
        if let Some(made) = made {
            return Some(Ok(made));
        }
        let fault = self.fault();
        self.depth = depth;
        self.slots.truncate(slots);
        match fault {
            Fault::Flaw(..) => Some(Err(fault)),
            // Digits or depth beyond a limit stay so, whatever the type.
            Fault::Raised(error, id) if super::fault::is_validation(self.base.py, &error) => {
                Some(Err(Fault::Raised(error, id)))
            }
            Fault::Told(error, id) if super::fault::is_validation(self.base.py, &error) => {
                Some(Err(Fault::Told(error, id)))
            }
            fault => {
                self.fault = Some(fault);
                None
            }
        }
    }

    pub(super) fn tagged(
        &mut self,
        node: NodeId,
        tagged: &'a Tagged,
        token: Token,
        id: TokenId,
        place: u16,
    ) -> Option<Obj> {
        let owner = self.owner.take();
        if token.kind() != Kind::Map {
            return match tagged.default {
                Some(default) => self.value(default, id, place),
                None => self.wrong("an object", id),
            };
        }
        if tagged.place == TagPlace::Around {
            return self.tag_around(node, tagged, token, id, place);
        }
        let (around, around_id) = match (tagged.place, owner) {
            (TagPlace::Beside, Some(owner)) => owner,
            _ => (token, id),
        };
        let Some(tag_id) = self.member(around, around_id, tagged.field.as_bytes())? else {
            return match tagged.default {
                Some(default) => self.value(default, id, place),
                None => {
                    let words = format!("the tag `{}`", tagged.field);
                    let flaw = Flaw::new(ErrorCode::MissingTag, Words::Own(words.into()));
                    self.flaw(flaw, id)
                }
            };
        };
        let tag = self.base.token(tag_id);
        match self.find(&tagged.tags, tag, tag_id)? {
            Some(branch) => {
                self.tagged = Some(id);
                let node = tagged.branches.get(branch as usize).copied()?;
                self.value(node, id, place)
            }
            None => self.unknown_tag(tagged, tag_id),
        }
    }

    #[cold]
    fn unknown_tag(&mut self, tagged: &Tagged, id: TokenId) -> Option<Obj> {
        let words = format!("one of the tags {}", tagged.tags.expected);
        self.flaw(
            Flaw::new(ErrorCode::UnknownTag, Words::Own(words.into())),
            id,
        )
    }

    fn tag_around(
        &mut self,
        _node: NodeId,
        tagged: &'a Tagged,
        token: Token,
        id: TokenId,
        place: u16,
    ) -> Option<Obj> {
        if self.count(token) != 1 {
            return match tagged.default {
                Some(default) => self.value(default, id, place),
                None => self.length("an object of 1 member, its tag", self.count(token), id),
            };
        }
        let mut at = id + 1;
        let key = self.token(&mut at)?;
        let key_id = at;
        let Some(branch) = self.find(&tagged.tags, key, key_id)? else {
            return match tagged.default {
                Some(default) => self.value(default, id, place),
                None => self.unknown_tag(tagged, key_id),
            };
        };
        at += 1;
        self.token(&mut at)?;
        let node = tagged.branches.get(branch as usize).copied()?;
        self.enter(id)?;
        self.tagged = Some(at);
        let made = self.value(node, at, place)?;
        self.depth -= 1;
        Some(made)
    }

    /// The token of the value of a key: the one that counts, where there are several.
    fn member(&mut self, token: Token, id: TokenId, name: &[u8]) -> Option<Option<TokenId>> {
        let mut found = None;
        let mut at = id + 1;
        for _ in 0..self.count(token) {
            let key = self.token(&mut at)?;
            let same = self.with_text(key, at, |text| text == name)?;
            at += 1;
            let value = self.token(&mut at)?;
            if same {
                found = Some(at);
                if self.base.rules.duplicates == Duplicates::First {
                    break;
                }
            }
            at += value.span();
        }
        Some(found)
    }

    pub(super) fn shaped(
        &mut self,
        node: NodeId,
        shaped: &'a Shaped,
        token: Token,
        id: TokenId,
        place: u16,
    ) -> Option<Obj> {
        if token.kind() != Kind::Map {
            return self.wrong("an object", id);
        }
        let mut seen = vec![false; shaped.keys.len()];
        let mut there = vec![0_usize; shaped.branches.len()];
        self.each_member(token, id, |runner, key, key_id, _| {
            let known = runner.with_text(key, key_id, |text| shaped.keys.find(text, text.len()))?;
            if let Some((_, number)) = known
                && !core::mem::replace(&mut seen[number as usize], true)
            {
                for branch in &shaped.wanted_by[number as usize] {
                    there[*branch as usize] += 1;
                }
            }
            Some(())
        })?;
        let mut branches = shaped.branches.iter().zip(there);
        match branches.find(|((_, wanted), there)| wanted == there) {
            Some(((branch, _), _)) => self.value(*branch, id, place),
            None => self.flaw(Flaw::new(ErrorCode::NoUnionMember, Words::Node(node)), id),
        }
    }
}

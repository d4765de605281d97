//! Members that stand several times in an object, where one of them counts: the values of the others
//! need not fit.
//!
//! Nothing is looked for until a value does not fit.

use std::collections::HashMap;

use octad_core::formats::json::Duplicates;
use octad_core::source::Source;
use octad_core::token::{Token, TokenId};

use super::Runner;
use super::fault::{Fault, is_validation};
use crate::plan::Record;

/// What tells members apart.
#[derive(PartialEq, Eq, Hash)]
enum Name {
    Text(Box<[u8]>),
    /// One that a record knows, perhaps by several names.
    Known(u32),
}

/// How a run stands in front of any value of a container.
pub(super) struct Before {
    depth: u32,
    slots: usize,
}

/// The keys of the first and of the last member of each name; made when one is asked for.
#[derive(Default)]
pub(super) struct Repeats(Option<HashMap<Name, (TokenId, TokenId)>>);

impl<S: Source> Runner<'_, '_, S> {
    /// How the run stands.
    #[inline]
    pub(super) fn before(&self) -> Before {
        Before {
            depth: self.depth,
            slots: self.slots.len(),
        }
    }

    /// After a value of an object at `id` did not fit: whether another member of its name counts in
    /// its place, and the fault is none.
    #[cold]
    #[inline(never)]
    pub(super) fn is_passed_over(
        &mut self,
        repeats: &mut Repeats,
        record: Option<&Record>,
        members: Members<'_>,
        key_id: TokenId,
        before: &Before,
    ) -> Option<bool> {
        let duplicates = self.base.rules.duplicates;
        if duplicates == Duplicates::Error || !self.is_misfit() {
            return Some(false);
        }
        let fault = self.fault.take();
        if repeats.0.is_none() {
            repeats.0 = Some(self.repeats(record, members)?);
        }
        let name = self.name_of(record, key_id)?;
        let places = repeats.0.as_ref().and_then(|known| known.get(&name));
        let counts = places.is_none_or(|(first, last)| match duplicates {
            Duplicates::First => *first == key_id,
            _ => *last == key_id,
        });
        if counts {
            self.fault = fault;
            return Some(false);
        }
        let mut at = key_id + 1;
        let value = self.token(&mut at)?;
        let place = at..at + value.span();
        self.depth = before.depth;
        self.slots.truncate(before.slots);
        self.kept = None;
        if let Some(found) = &mut self.found {
            // The last ones are those of the value, if it has any.
            while found.faults.last().is_some_and(|last| last.is_in(&place)) {
                found.faults.pop();
            }
        }
        Some(true)
    }

    /// Whether what failed is the value, and not the reading of it.
    fn is_misfit(&self) -> bool {
        match &self.fault {
            Some(Fault::Flaw(..) | Fault::Noted) => true,
            Some(Fault::Raised(error, _) | Fault::Told(error, _)) => {
                is_validation(self.base.py, error)
            }
            _ => false,
        }
    }

    fn repeats(
        &mut self,
        record: Option<&Record>,
        members: Members<'_>,
    ) -> Option<HashMap<Name, (TokenId, TokenId)>> {
        let mut known = HashMap::new();
        match members {
            Members::Of(token, id) => {
                let mut at = id + 1;
                for _ in 0..self.count(token) {
                    self.token(&mut at)?;
                    note(&mut known, self.name_of(record, at)?, at);
                    at += 1;
                    at += self.token(&mut at)?.span();
                }
            }
            Members::These(members) => {
                for (key_id, _) in members {
                    note(&mut known, self.name_of(record, *key_id)?, *key_id);
                }
            }
        }
        Some(known)
    }

    fn name_of(&mut self, record: Option<&Record>, key_id: TokenId) -> Option<Name> {
        let key = self.base.token(key_id);
        self.with_text(key, key_id, |text| {
            let known = record.and_then(|record| record.names.find(text, text.len()));
            match known {
                Some((_, number)) => Name::Known(number),
                None => Name::Text(text.into()),
            }
        })
    }
}

/// The members of an object.
#[derive(Clone, Copy)]
pub(super) enum Members<'m> {
    /// All of them.
    Of(Token, TokenId),
    /// These: the tokens of their keys and values.
    These(&'m [(TokenId, TokenId)]),
}

fn note(known: &mut HashMap<Name, (TokenId, TokenId)>, name: Name, id: TokenId) {
    known
        .entry(name)
        .and_modify(|(_, last)| *last = id)
        .or_insert((id, id));
}

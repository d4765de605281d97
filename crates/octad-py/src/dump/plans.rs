//! How the records of a class are written: where their fields are, and the keys as a text has them.
//!
//! A plan is made once for a class and shared by all walks of a thread. It holds as long as the
//! class stays as it is, which `classify` and the fields themselves look after.

use std::cell::OnceCell;

use octad_core::sink::{KeyNote, Sink};
use octad_core::text::time::Time;
use pyo3::prelude::*;

use super::context::Context;
use super::contract::Contract;
use super::keys;
use super::known::{Quick, generation, quick};
use crate::cpython::{Fields, Item, Obj, TypeStamp};

/// How many manners of writing keys there are, and one for those that are not noted.
const MANNERS: usize = 8;

/// The plan for one class.
pub struct Plan {
    /// The fields, in order, and the key of each.
    pub fields: Fields,
    /// What the contract of the class says beyond names.
    pub contract: Option<Box<Contract>>,
    /// Fields whose type says bytes, once somebody asked.
    pub says_bytes: OnceCell<Box<[bool]>>,
    /// The keys as they are written, by manner.
    notes: [OnceCell<Box<[KeyNote]>>; MANNERS],
}

impl Plan {
    /// The plan for a class of these fields.
    pub fn new(fields: Fields) -> Self {
        Self::with_contract(fields, None)
    }

    /// The plan for a class with a contract.
    pub fn with_contract(fields: Fields, contract: Option<Box<Contract>>) -> Self {
        Self {
            fields,
            contract,
            says_bytes: OnceCell::new(),
            notes: Default::default(),
        }
    }

    /// Whether a field has this key, by what tells keys apart.
    pub fn has_key(&self, py: Python<'_>, name: &[u8]) -> bool {
        self.fields.keys().iter().any(|key| {
            let key = Obj::from_bound(key.bind(py).as_any());
            key.item()
                .chars()
                .is_some_and(|key| *keys::identity(key) == *name)
        })
    }

    /// Whether an instance may be written in the hot loops.
    #[inline]
    pub fn is_quick(&self) -> bool {
        self.contract.is_none() && self.fields.are_direct()
    }

    /// The keys as the sink writes them; an empty note for one that is to be written anew.
    #[inline(always)]
    pub fn notes<S: Sink>(&self, sink: &mut S) -> &[KeyNote] {
        let manner = usize::from(sink.key_manner()) % MANNERS;
        match self.notes[manner].get() {
            Some(notes) => notes,
            None => self.learn(sink, manner),
        }
    }

    /// Writes all keys and takes them back.
    #[cold]
    #[inline(never)]
    fn learn<S: Sink>(&self, sink: &mut S, manner: usize) -> &[KeyNote] {
        self.notes[manner].get_or_init(|| {
            let mut notes = vec![KeyNote::default(); self.fields.len()];
            if manner != 0 {
                let mark = sink.mark();
                for (key, note) in self.fields.exact_keys().zip(&mut notes) {
                    sink.note_key(key.chars(), note);
                }
                sink.rewind(mark);
            }
            notes.into()
        })
    }
}

/// How many pairs of classes are at hand, at most.
const PAIRS: usize = 16;

/// The classes that were written last.
#[derive(Default)]
pub struct Plans {
    /// In each pair the one met last comes first.
    pairs: [[Option<(TypeStamp, Quick)>; 2]; PAIRS],
    generation: u32,
    scope: u32,
    /// Dates are written in the form that the sink has for them.
    dates: bool,
}

impl Plans {
    /// For a text in this scope: plans of another one, or that are stale, are dropped.
    #[inline]
    pub fn begin(&mut self, scope: u32, context: Option<&Context>) {
        self.dates = context.is_none_or(Context::leaves_dates);
        if self.scope != scope || self.generation != generation() {
            self.drop_all(scope);
        }
    }

    #[cold]
    fn drop_all(&mut self, scope: u32) {
        self.pairs = Default::default();
        self.generation = generation();
        self.scope = scope;
    }

    /// How an object of a class that is at hand is written.
    #[inline(always)]
    pub fn of(&self, item: Item<'_>) -> Option<Quick> {
        let stamp = item.type_stamp()?;
        let pair = &self.pairs[stamp.slot(PAIRS)];
        let mut found = pair.iter().flatten();
        found.find_map(|(kept, way)| (*kept == stamp).then(|| way.clone()))
    }

    /// The date or date and time that the object is, if it is written as it is.
    #[inline]
    pub fn time(&self, way: &Quick, item: Item<'_>) -> Option<Time> {
        match way {
            Quick::Moment if self.dates => item.moment(),
            Quick::Day if self.dates => item.day(),
            _ => None,
        }
    }

    /// What is remembered of an object's class, which is put at hand.
    #[inline(never)]
    pub fn quick(&mut self, item: Item<'_>) -> Option<Quick> {
        let way = quick(item, self.scope)?;
        let stamp = item.type_stamp()?;
        let pair = &mut self.pairs[stamp.slot(PAIRS)];
        pair.swap(0, 1);
        pair[0] = Some((stamp, way.clone()));
        Some(way)
    }
}

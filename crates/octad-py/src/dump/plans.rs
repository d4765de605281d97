//! How the records of a class are written: where their fields are, and the keys as a text has them.
//!
//! A plan is made once for a class and shared by all walks of a thread. It holds as long as the
//! class stays as it is, which `classify` and the fields themselves look after.

use std::cell::OnceCell;
use std::rc::Rc;

use octad_core::sink::{KeyNote, Sink};

use super::classify::{Quick, quick};
use crate::cpython::{Fields, Item, TypeStamp};

/// How many manners of writing keys there are, and one for those that are not noted.
const MANNERS: usize = 8;

/// The plan for one class.
pub struct Plan {
    /// The fields, in order, and the key of each.
    pub fields: Fields,
    /// The keys as they are written, by manner.
    notes: [OnceCell<Box<[KeyNote]>>; MANNERS],
}

impl Plan {
    /// The plan for a class of these fields.
    pub fn new(fields: Fields) -> Self {
        Self {
            fields,
            notes: Default::default(),
        }
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

/// How many classes are at hand.
const SLOTS: usize = 8;

/// The classes of records that were written last.
#[derive(Default)]
pub struct Plans([Option<(TypeStamp, Rc<Plan>)>; SLOTS]);

impl Plans {
    /// The plan for an object of a class that is at hand.
    #[inline(always)]
    pub fn of(&self, item: Item<'_>) -> Option<Rc<Plan>> {
        let stamp = item.type_stamp()?;
        match &self.0[stamp.slot(SLOTS)] {
            Some((kept, plan)) if *kept == stamp => Some(plan.clone()),
            _ => None,
        }
    }

    /// What is remembered of an object's class; that of a record is put at hand.
    #[inline(never)]
    pub fn quick(&mut self, item: Item<'_>) -> Option<Quick> {
        let way = quick(item)?;
        if let Quick::Record(plan) = &way
            && let Some(stamp) = item.type_stamp()
        {
            self.0[stamp.slot(SLOTS)] = Some((stamp, plan.clone()));
        }
        Some(way)
    }
}

//! Keys as they were written, by the object: records repeat their keys, and so do calls. A key that
//! was written before is one copy of a fixed size instead of a search for escapes.
//!
//! A note holds its key, so the address stands for it. A key is noted the second time it is seen in
//! a row at its place, so that keys which come once cost no note and are not held.

use core::sync::atomic::{AtomicBool, Ordering};

use octad_core::sink::{KeyNote, Sink};
use pyo3::prelude::*;

use crate::cpython::{Obj, Rest, Str};

/// How many keys are held at most.
const SLOTS: usize = 1024;

/// A tag is an address and, in its lowest byte, the manner of writing, or that with this: the key
/// was seen, and there is no note.
const SEEN: u64 = 8;

/// One line of the processor's cache.
#[derive(Default)]
#[repr(align(64))]
struct Slot {
    tag: u64,
    /// The key of the note.
    key: Option<Obj>,
    note: KeyNote,
}

type Slots = [Slot; SLOTS];

/// Where the notes rest between calls.
static REST: Rest<Slots> = Rest::new();
/// They were made: a call that finds none goes without.
static MADE: AtomicBool = AtomicBool::new(false);

/// The notes as one text uses them, asked for when its first key comes.
#[derive(Default)]
pub struct Notes {
    slots: Option<Box<Slots>>,
    /// That of the text's sink; 0 where there are no notes.
    manner: u64,
}

impl Notes {
    /// For a text in this manner of writing, which is below 8.
    #[inline]
    pub fn begin(&mut self, manner: u8) {
        self.manner = u64::from(manner) % SEEN;
    }

    /// Puts the notes back.
    #[inline]
    pub fn end(&mut self, py: Python<'_>) {
        if let Some(slots) = self.slots.take() {
            REST.put(slots, py);
        }
    }

    /// Writes a key.
    #[inline(always)]
    pub fn put<S: Sink>(&mut self, sink: &mut S, key: Str<'_>) {
        let Some(slots) = &mut self.slots else {
            return self.put_first(sink, key);
        };
        let address = key.address();
        let slot = &mut slots[place_of(address)];
        // Addresses do not use the highest byte, or do not tell objects apart by it.
        let tag = (address as u64) << 8 | self.manner;
        if slot.tag == tag {
            sink.noted_key(&slot.note);
        } else {
            slot.put_new(sink, key, tag);
        }
    }

    /// Without notes: asks for them once.
    #[inline(never)]
    fn put_first<S: Sink>(&mut self, sink: &mut S, key: Str<'_>) {
        sink.key(key.chars());
        if self.manner != 0 {
            self.slots = REST.take(key.py()).or_else(make);
            if self.slots.is_none() {
                self.manner = 0;
            }
        }
    }
}

impl Slot {
    #[inline(never)]
    fn put_new<S: Sink>(&mut self, sink: &mut S, key: Str<'_>, tag: u64) {
        if self.tag != tag | SEEN {
            self.tag = tag | SEEN;
            sink.key(key.chars());
            return;
        }
        sink.note_key(key.chars(), &mut self.note);
        if !self.note.is_empty() {
            self.key = Some(key.own());
            self.tag = tag;
        }
    }
}

#[cold]
#[inline(never)]
fn make() -> Option<Box<Slots>> {
    if MADE.swap(true, Ordering::Relaxed) {
        return None;
    }
    let slots: Vec<Slot> = (0..SLOTS).map(|_| Slot::default()).collect();
    slots.into_boxed_slice().try_into().ok()
}

/// Keys of one text often lie at regular distances, which a product spreads.
#[inline(always)]
fn place_of(address: usize) -> usize {
    const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
    const _: () = assert!(SLOTS == 1 << 10);
    ((address as u64).wrapping_mul(MULTIPLIER) >> 54) as usize % SLOTS
}

//! Keys as they were written, by the object: records repeat their keys, and a key that was seen is
//! one copy of a fixed size instead of a search for escapes.
//!
//! A note holds no reference to its key. It counts only within the quiet stretch in which it was
//! made, where no object dies, so an address names one key.

use octad_core::sink::{Chars, KeyNote, Sink};

use crate::cpython::{Quiet, Str};

/// How many keys are noted at a time.
const SLOTS: usize = 1024;

/// So many keys are written before the first is noted: small texts seldom repeat theirs.
const UNNOTED: u32 = 24;

/// One cache line.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct Slot {
    address: usize,
    stretch: u64,
    note: KeyNote,
}

/// The notes of a thread.
pub struct Notes {
    slots: Option<Box<[Slot; SLOTS]>>,
    stretch: u64,
    unnoted: u32,
}

impl Default for Notes {
    fn default() -> Self {
        Self {
            slots: None,
            stretch: 0,
            unnoted: UNNOTED,
        }
    }
}

impl Notes {
    /// For a text in another manner of writing: no note counts.
    #[inline]
    pub fn begin(&mut self) {
        self.unnoted = UNNOTED;
    }

    /// Goes on in the present stretch.
    #[inline(always)]
    pub fn resume(&mut self, quiet: &Quiet<'_>) {
        self.stretch = quiet.stretch();
    }

    /// Writes a key.
    #[inline(always)]
    pub fn put<S: Sink>(&mut self, sink: &mut S, key: Str<'_>) {
        if let Some(slots) = &self.slots {
            let address = key.address();
            let slot = &slots[place_of(address)];
            if slot.address == address && slot.stretch == self.stretch {
                sink.noted_key(&slot.note);
                return;
            }
        }
        self.put_new(sink, key);
    }

    #[inline(never)]
    fn put_new<S: Sink>(&mut self, sink: &mut S, key: Str<'_>) {
        let chars: Chars<'_> = key.chars();
        if self.unnoted > 0 {
            self.unnoted -= 1;
            sink.key(chars);
            return;
        }
        let slots = self
            .slots
            .get_or_insert_with(|| Box::new([Slot::default(); SLOTS]));
        let address = key.address();
        let slot = &mut slots[place_of(address)];
        sink.note_key(chars, &mut slot.note);
        // An empty note is no key's: stretches begin with one.
        slot.stretch = if slot.note.is_empty() {
            0
        } else {
            self.stretch
        };
        slot.address = address;
    }
}

/// Keys of one text often lie at regular distances, which a product spreads.
#[inline(always)]
fn place_of(address: usize) -> usize {
    const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
    ((address as u64).wrapping_mul(MULTIPLIER) >> 54) as usize % SLOTS
}

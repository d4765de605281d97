//! Short values that come again: one `str` for equal ones within a call.
//!
//! In records two short values of three have come before. Direct-mapped and bounded; a place whose
//! values do not repeat (identifiers, names) rests most of the time, so they cost a count each. It
//! keeps strings for the time of one call only: nothing of a document stays behind, and nothing is
//! interned.

use pyo3::prelude::*;

use super::{Obj, Rest};

const SLOTS: usize = 512;
/// Places share a score where they fall together.
const PLACES: usize = 512;

/// Longer strings are not looked for.
pub const LONGEST: usize = 32;

/// Scores from here on are those of places at rest; each value counts them up, until they wrap.
const REST: u8 = 16;
/// What a score wraps to: so many misses send a place to rest again.
const TRIAL: u8 = REST - 4;
/// Below one hit for so many misses a place goes to rest.
const WORTH: u8 = 1;

struct Slot {
    tag: u64,
    text: Option<Obj>,
}

/// The strings of one call.
pub struct Repeats {
    slots: [Slot; SLOTS],
    scores: [u8; PLACES],
    /// One bit for each slot that holds a string.
    used: [u64; SLOTS / 64],
}

/// Where the empty table rests between calls; as for `Keys`, a second taker makes its own.
static RESTING: Rest<Repeats> = Rest::new();

/// What a string is looked for by.
#[derive(Clone, Copy)]
pub struct Wanted {
    tag: u64,
    place: usize,
    /// Its bytes, zeros behind them.
    pub words: [u64; 4],
}

impl Wanted {
    /// The string of the first `length` bytes, at most [`LONGEST`]. Those behind do not count.
    #[inline(always)]
    pub fn new(bytes: &[u8; LONGEST], length: usize, place: u16) -> Self {
        let (spelled, _) = bytes.as_chunks::<8>();
        let word = |at: usize| u64::from_le_bytes(spelled[at]) & first_bytes(at, length);
        let mut words = [word(0), word(1), 0, 0];
        let mix = |first: u64, second: u64| {
            first.wrapping_mul(MULTIPLIERS[0]) ^ second.rotate_left(32).wrapping_mul(MULTIPLIERS[1])
        };
        let mut tag = mix(words[0], words[1]);
        if length > 16 {
            words[2] = word(2);
            words[3] = word(3);
            tag = mix(tag.rotate_left(23).wrapping_add(words[2]), words[3]);
        }
        Self {
            tag,
            place: usize::from(place) % PLACES,
            words,
        }
    }
}

impl Repeats {
    /// Takes the table, or makes one.
    pub fn take(py: Python<'_>) -> Box<Self> {
        RESTING.take(py).unwrap_or_else(Self::fresh)
    }

    /// Apart, because arrays of this size on the stack cost every call of the functions around it.
    #[cold]
    #[inline(never)]
    fn fresh() -> Box<Self> {
        Box::new(Self {
            slots: [const { Slot { tag: 0, text: None } }; SLOTS],
            scores: [0; PLACES],
            used: [0; SLOTS / 64],
        })
    }

    /// Lets go of the strings and puts the table back.
    pub fn give_back(mut self: Box<Self>, py: Python<'_>) {
        for (word, used) in self.used.iter_mut().enumerate() {
            let mut bits = core::mem::take(used);
            while bits != 0 {
                self.slots[word * 64 + bits.trailing_zeros() as usize].text = None;
                bits &= bits - 1;
            }
        }
        RESTING.put(self, py);
    }

    /// Whether values at this place are to be looked for: not while it rests.
    #[inline(always)]
    pub fn is_worth_it(&mut self, place: u16) -> bool {
        let score = &mut self.scores[usize::from(place) % PLACES];
        if *score >= REST {
            *score = score.checked_add(1).unwrap_or(TRIAL);
            return false;
        }
        true
    }

    /// The string that may be the wanted one: its hash is.
    #[inline(always)]
    pub fn find(&self, wanted: &Wanted) -> Option<&Obj> {
        let slot = &self.slots[slot_of(wanted.tag)];
        if slot.tag != wanted.tag {
            return None;
        }
        slot.text.as_ref()
    }

    /// The string that was found is the wanted one.
    #[inline(always)]
    pub fn hit(&mut self, wanted: &Wanted) {
        let score = &mut self.scores[wanted.place];
        *score = score.saturating_sub(WORTH);
    }

    /// Keeps a string that was not found.
    #[inline(always)]
    pub fn keep(&mut self, wanted: &Wanted, text: Obj) {
        self.scores[wanted.place] += 1;
        let place = slot_of(wanted.tag);
        self.used[place / 64] |= 1 << (place % 64);
        let slot = &mut self.slots[place];
        slot.tag = wanted.tag;
        slot.text = Some(text);
    }
}

const MULTIPLIERS: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xc2b2_ae3d_27d4_eb4f];

/// By the upper bits, on which all bytes have an influence.
#[inline(always)]
fn slot_of(tag: u64) -> usize {
    (tag >> (64 - SLOTS.trailing_zeros())) as usize
}

/// All bits of those bytes of the word `at` that are among the first `length` of all.
#[inline(always)]
pub fn first_bytes(at: usize, length: usize) -> u64 {
    static MASKS: [u64; 9] = [
        0,
        0xff,
        0xffff,
        0xff_ffff,
        0xffff_ffff,
        0xff_ffff_ffff,
        0xffff_ffff_ffff,
        0xff_ffff_ffff_ffff,
        u64::MAX,
    ];
    MASKS[length.saturating_sub(8 * at).min(8)]
}

//! The cache of key strings: one `str` object for all equal keys, across documents.
//!
//! Direct-mapped, bounded, and it learns which key followed which in which kind of object: in record
//! data the next key is nearly always the one that followed last time, so one comparison finds it
//! without a hash.

use core::ptr;

use super::borrow::prefetch;

use pyo3::prelude::*;

use super::{Obj, Place, Rest, Shapes, str};

const SLOTS: usize = 1024;
const HINTS: usize = 2048;
/// Longer keys are made anew each time.
const LONGEST: usize = 48;

/// One line of the processor's cache.
#[repr(align(64))]
struct Slot {
    key: Option<Obj>,
    length: u8,
    bytes: [u8; LONGEST],
}

/// Where a reader is in one object: under which key the object stands, its last key, and the slot
/// that is expected to hold the next one. Context and last key tell which comes next: `created_at`
/// is followed by one key in a user and by another in a message.
#[derive(Clone, Copy, Debug, Default)]
pub struct Trail {
    context: u16,
    last: u16,
    guess: u16,
}

impl Trail {
    /// A number for the last key.
    #[inline]
    #[must_use]
    pub fn last(self) -> u16 {
        self.last
    }

    #[inline]
    fn hint(self) -> usize {
        (self.context.wrapping_mul(5) ^ self.last) as usize % HINTS
    }
}

/// The cache, taken out of its place for the time of one call.
pub struct Keys {
    slots: Box<[Slot; SLOTS]>,
    /// For each trail, the slot of the key that came next the last time.
    hints: Box<[u16; HINTS]>,
    /// The shapes of records rest with the keys: one exchange takes both.
    pub shapes: Shapes,
}

/// Where the cache rests between calls. Whoever takes it owns it; a second taker makes its own.
static REST: Rest<Keys> = Rest::new();

impl Keys {
    /// Takes the cache, or makes a new one.
    #[must_use]
    pub fn take(py: Python<'_>) -> Box<Self> {
        REST.take(py).unwrap_or_else(Self::fresh)
    }

    /// Apart, because an array of this size on the stack costs every call of the function around it.
    #[cold]
    #[inline(never)]
    fn fresh() -> Box<Self> {
        let slots: Vec<Slot> = (0..SLOTS).map(|_| Slot::empty()).collect();
        let Ok(slots) = slots.into_boxed_slice().try_into() else {
            unreachable!("as many slots as were made")
        };
        Box::new(Self {
            slots,
            hints: Box::new([0; HINTS]),
            shapes: Shapes::fresh(),
        })
    }

    /// Puts the cache back; where another one rests already, that one is freed.
    pub fn give_back(self: Box<Self>, py: Python<'_>) {
        REST.put(self, py);
    }

    /// The trail of an outermost object.
    #[must_use]
    pub fn start(&self) -> Trail {
        let mut trail = Trail::default();
        self.look_ahead(&mut trail);
        trail
    }

    /// The trail of an object that stands under the last key of this one.
    #[inline]
    #[must_use]
    pub fn inner(&self, outer: Trail) -> Trail {
        self.within(outer.last.wrapping_mul(31).wrapping_add(7))
    }

    /// The trail of an object that stands at a place in a record.
    #[inline]
    #[must_use]
    pub fn at(&self, place: Place) -> Trail {
        self.within(place.number())
    }

    #[inline]
    fn within(&self, context: u16) -> Trail {
        let mut trail = Trail {
            context,
            last: context,
            guess: 0,
        };
        self.look_ahead(&mut trail);
        trail
    }

    /// Notes which slot should hold the next key. It is fetched while the value is being made:
    /// waiting for it was a third of the time for a key.
    #[inline]
    fn look_ahead(&self, trail: &mut Trail) {
        trail.guess = self.hints[trail.hint()];
        let slot = &self.slots[trail.guess as usize % SLOTS];
        prefetch(ptr::from_ref(slot));
    }

    /// The string of a key in UTF-8 (WTF-8 where lone surrogates are kept): the first `length`
    /// bytes, which may be all of them. None: an exception is set, as [`str::utf8`] sets it.
    #[inline(always)]
    pub fn get(
        &mut self,
        py: Python<'_>,
        bytes: &[u8],
        length: usize,
        trail: &mut Trail,
    ) -> Option<Obj> {
        let slot = &self.slots[trail.guess as usize % SLOTS];
        if slot.holds(bytes, length)
            && let Some(key) = &slot.key
        {
            let key = key.clone();
            trail.last = trail.guess;
            self.look_ahead(trail);
            return Some(key);
        }
        self.find(py, bytes.get(..length).unwrap_or(bytes), trail)
    }

    #[inline(never)]
    fn find(&mut self, py: Python<'_>, bytes: &[u8], trail: &mut Trail) -> Option<Obj> {
        if bytes.len() > LONGEST {
            return str::ascii(py, bytes);
        }
        let place = place_of(bytes);
        self.hints[trail.hint()] = place;
        trail.last = place;
        self.look_ahead(trail);
        let slot = &mut self.slots[place as usize % SLOTS];
        if slot.holds(bytes, bytes.len())
            && let Some(key) = &slot.key
        {
            return Some(key.clone());
        }
        let key = str::ascii(py, bytes)?;
        slot.length = bytes.len() as u8;
        slot.bytes[..bytes.len()].copy_from_slice(bytes);
        slot.key = Some(key.clone());
        Some(key)
    }
}

impl Slot {
    const fn empty() -> Self {
        Self {
            key: None,
            length: 0,
            bytes: [0; LONGEST],
        }
    }

    /// Whether the slot's key is the first `length` of the bytes. The bytes behind them serve to
    /// compare a whole block, whatever the length.
    #[inline(always)]
    fn holds(&self, bytes: &[u8], length: usize) -> bool {
        if usize::from(self.length) != length {
            return false;
        }
        let (Some(own), Some(block)) = (self.bytes.first_chunk::<16>(), bytes.first_chunk::<16>())
        else {
            return self.bytes.get(..length) == bytes.get(..length);
        };
        let differences = u128::from_le_bytes(*own) ^ u128::from_le_bytes(*block);
        if length <= 16 {
            // Bytes behind the key are shifted out; an empty key leaves none to look at.
            return length == 0 || differences << (8 * (16 - length)) == 0;
        }
        differences == 0 && self.bytes.get(16..length) == bytes.get(16..length)
    }
}

/// The slot of a key: a multiplicative hash over its words. Collisions only cost a new string.
fn place_of(bytes: &[u8]) -> u16 {
    const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut hash = bytes.len() as u64;
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        hash = (hash.rotate_left(5) ^ u64::from_le_bytes(word)).wrapping_mul(MULTIPLIER);
    }
    ((hash >> 48) as usize % SLOTS) as u16
}

//! The cache of key strings: one `str` object for all equal keys, across documents.
//!
//! Direct-mapped, bounded, and it learns which key followed which in which kind of object: in record
//! data the next key is nearly always the one that followed last time, so one comparison finds it
//! without a hash.

use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};

use pyo3::prelude::*;

use super::{Obj, str};

const SLOTS: usize = 1024;
const HINTS: usize = 2048;
/// Longer keys are made anew each time.
const LONGEST: usize = 44;

struct Slot {
    key: Option<Obj>,
    length: u8,
    bytes: [u8; LONGEST],
}

/// Where a reader is in one object: under which key the object stands, and its last key. Both tell
/// which key comes next: `created_at` is followed by one key in a user and by another in a message.
#[derive(Clone, Copy, Debug, Default)]
pub struct Trail {
    context: u16,
    last: u16,
}

impl Trail {
    /// The trail of an object that stands under the last key of this one.
    #[inline]
    #[must_use]
    pub fn inner(self) -> Self {
        let context = self.last.wrapping_mul(31).wrapping_add(7);
        Self {
            context,
            last: context,
        }
    }

    #[inline]
    fn hint(self) -> usize {
        (self.context.wrapping_mul(5) ^ self.last) as usize % HINTS
    }
}

/// The cache, taken out of its place for the time of one call.
pub struct Keys {
    slots: Box<[Slot]>,
    /// For each trail, the slot of the key that came next the last time.
    hints: Box<[u16]>,
}

/// Where the cache rests between calls. Whoever takes it owns it; a second taker makes its own.
static REST: AtomicPtr<Keys> = AtomicPtr::new(ptr::null_mut());

impl Keys {
    /// Takes the cache, or makes a new one.
    #[must_use]
    pub fn take(_py: Python<'_>) -> Box<Self> {
        let resting = REST.swap(ptr::null_mut(), Ordering::Acquire);
        if resting.is_null() {
            return Box::new(Self {
                slots: (0..SLOTS).map(|_| Slot::empty()).collect(),
                hints: vec![0; HINTS].into_boxed_slice(),
            });
        }
        // SAFETY: only `give_back` stores a pointer there, made by `Box::into_raw`, and the swap
        // hands it to one taker alone.
        unsafe { Box::from_raw(resting) }
    }

    /// Puts the cache back; where another one rests already, that one is freed.
    pub fn give_back(self: Box<Self>, _py: Python<'_>) {
        let other = REST.swap(Box::into_raw(self), Ordering::AcqRel);
        if !other.is_null() {
            // SAFETY: as in `take`; attached (`_py`), so its objects may be freed.
            drop(unsafe { Box::from_raw(other) });
        }
    }

    /// The string of a key in UTF-8 (WTF-8 where lone surrogates are kept).
    ///
    /// # Errors
    /// As [`str::utf8`].
    #[inline]
    pub fn get(&mut self, py: Python<'_>, bytes: &[u8], trail: &mut Trail) -> PyResult<Obj> {
        if bytes.len() > LONGEST {
            return str::ascii(py, bytes);
        }
        let guess = self.hints[trail.hint()];
        let slot = &self.slots[guess as usize % SLOTS];
        if slot.holds(bytes)
            && let Some(key) = &slot.key
        {
            trail.last = guess;
            return Ok(key.clone());
        }
        self.find(py, bytes, trail)
    }

    #[inline(never)]
    fn find(&mut self, py: Python<'_>, bytes: &[u8], trail: &mut Trail) -> PyResult<Obj> {
        let place = place_of(bytes);
        self.hints[trail.hint()] = place;
        trail.last = place;
        let slot = &mut self.slots[place as usize % SLOTS];
        if slot.holds(bytes)
            && let Some(key) = &slot.key
        {
            return Ok(key.clone());
        }
        let key = str::ascii(py, bytes)?;
        slot.length = bytes.len() as u8;
        slot.bytes[..bytes.len()].copy_from_slice(bytes);
        slot.key = Some(key.clone());
        Ok(key)
    }
}

impl Slot {
    fn empty() -> Self {
        Self {
            key: None,
            length: 0,
            bytes: [0; LONGEST],
        }
    }

    #[inline]
    fn holds(&self, bytes: &[u8]) -> bool {
        self.length as usize == bytes.len() && self.bytes[..bytes.len().min(LONGEST)] == *bytes
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

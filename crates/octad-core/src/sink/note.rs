//! `KeyNote`: a key as an output has it, kept to be written again by one copy of a fixed size.
//!
//! Knows its length only. What it holds, and for how long that is right, is the business of the
//! sink that fills it and of the walk that keeps it.

/// The size of a note, its length included.
const SIZE: usize = 48;

/// A short key, quotes and colon included, or nothing.
#[derive(Clone, Copy, Debug)]
pub struct KeyNote([u8; SIZE]);

impl Default for KeyNote {
    fn default() -> Self {
        Self([0; SIZE])
    }
}

impl KeyNote {
    /// Notes a key as it was written. One that is too long leaves the note empty.
    #[inline]
    pub fn set(&mut self, written: &[u8]) {
        let fits = written.len() < SIZE;
        self.0[SIZE - 1] = if fits { written.len() as u8 } else { 0 };
        if fits {
            self.0[..written.len()].copy_from_slice(written);
        }
    }

    /// How many bytes the key has; none where there is nothing.
    #[inline(always)]
    #[must_use]
    pub fn len(&self) -> usize {
        self.0[SIZE - 1].into()
    }

    /// Whether nothing is noted.
    #[inline(always)]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The key, and bytes without a meaning behind it.
    #[inline(always)]
    #[must_use]
    pub fn block(&self) -> &[u8; SIZE] {
        &self.0
    }
}

//! `OutBuf`: the growing output of every writer, with an optional upper bound.
//!
//! Knows bytes only. The bound is looked at where a value may be long and at the ends of
//! containers, not for each byte: an output can pass it by one small value before it is noticed.

/// Bytes being written.
#[derive(Debug, Default)]
pub struct OutBuf {
    bytes: Vec<u8>,
    /// The length that must not be passed, counted from the start of the vector.
    bound: Option<usize>,
}

impl OutBuf {
    /// Continues in `bytes`, whose capacity is reused; at most `limit` bytes may be added.
    #[must_use]
    pub fn new(bytes: Vec<u8>, limit: Option<u64>) -> Self {
        let bound = limit
            .map(|limit| usize::try_from(limit).unwrap_or(usize::MAX))
            .map(|limit| bytes.len().saturating_add(limit));
        Self { bytes, bound }
    }

    /// The vector, to be appended to.
    #[inline]
    pub fn vec(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    /// What has been written.
    #[inline]
    #[must_use]
    pub fn as_slice(&self) -> &[u8] {
        &self.bytes
    }

    /// False when `more` bytes would pass the bound.
    #[inline]
    #[must_use]
    pub fn has_room(&self, more: usize) -> bool {
        match self.bound {
            None => true,
            Some(bound) => self.bytes.len().saturating_add(more) <= bound,
        }
    }

    /// Gives the vector back.
    #[must_use]
    pub fn into_vec(self) -> Vec<u8> {
        self.bytes
    }
}

//! A place where one value with Python objects in it rests between calls.
//!
//! Not thread-local: what a thread leaves behind at its end is dropped without the interpreter, and
//! objects must not be.

use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};

use pyo3::prelude::*;

/// Holds one value, or none while somebody has taken it.
pub struct Rest<T>(AtomicPtr<T>);

impl<T> Rest<T> {
    /// An empty place.
    #[must_use]
    pub const fn new() -> Self {
        Self(AtomicPtr::new(ptr::null_mut()))
    }

    /// Takes the value. Whoever takes it owns it; a second taker gets none.
    #[inline]
    pub fn take(&self, _py: Python<'_>) -> Option<Box<T>> {
        let resting = self.0.swap(ptr::null_mut(), Ordering::Acquire);
        if resting.is_null() {
            return None;
        }
        // SAFETY: only `put` stores a pointer here, made by `Box::into_raw`, and the swap hands it
        // to one taker alone.
        Some(unsafe { Box::from_raw(resting) })
    }

    /// Puts a value back; where another one rests already, that one is freed.
    #[inline]
    pub fn put(&self, value: Box<T>, _py: Python<'_>) {
        let other = self.0.swap(Box::into_raw(value), Ordering::AcqRel);
        if !other.is_null() {
            // SAFETY: as in `take`; attached (`_py`), so its objects may be freed.
            drop(unsafe { Box::from_raw(other) });
        }
    }
}

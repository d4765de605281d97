//! A value that belongs to the interpreter's lock: read and changed only while attached.

use core::cell::UnsafeCell;

use pyo3::prelude::*;

/// Holds a value for whoever is attached to the interpreter.
pub(super) struct Attached<T>(UnsafeCell<T>);

// SAFETY: the value is reached through `with` alone, which takes proof that the thread is attached.
// One thread is at a time: the module asks for the lock of the interpreter (`gil_used`), and what
// runs inside `with` neither runs Python code nor detaches, so it ends before another begins.
unsafe impl<T: Send> Sync for Attached<T> {}

impl<T> Attached<T> {
    /// Holds a value.
    pub(super) const fn new(value: T) -> Self {
        Self(UnsafeCell::new(value))
    }

    /// Looks at the value and may change it.
    ///
    /// # Safety
    /// `work` runs no Python code, does not detach, and does not call this again.
    #[inline(always)]
    pub(super) unsafe fn with<R>(&self, _py: Python<'_>, work: impl FnOnce(&mut T) -> R) -> R {
        // SAFETY: attached, and nobody else is inside (see above).
        work(unsafe { &mut *self.0.get() })
    }
}

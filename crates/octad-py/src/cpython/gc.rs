//! Holding the cyclic collector off while objects are made.
//!
//! What is being made cannot be garbage yet, but every few hundred containers would start a
//! collection that looks at all of it: a third of the time on 3.11. Held only while no user code
//! can run; the setting of the moment comes back on every way out, a panic included. The next
//! container that is made afterwards starts one pass over all that is new
//! (`Settings(hold_collector=False)` has the many small ones instead).

use pyo3::ffi;
use pyo3::prelude::*;

/// While this lives, no collection starts.
pub struct Held<'py> {
    _py: Python<'py>,
    was_on: bool,
}

impl<'py> Held<'py> {
    /// Switches collection off.
    #[must_use]
    pub fn new(py: Python<'py>) -> Self {
        // SAFETY: attached (`py`); only a flag of this interpreter is changed.
        let was_on = unsafe { ffi::PyGC_Disable() } == 1;
        Self { _py: py, was_on }
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        if self.was_on {
            // SAFETY: attached, since `_py` lives as long as `self`.
            unsafe { ffi::PyGC_Enable() };
        }
    }
}

//! Line breaks and indentation, shared by the text writers.
//!
//! Knows how deep a line stands, nothing of the grammar around it.

use crate::scan::Output;

/// How the lines of a pretty-printed text begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    newline: usize,
    unit: Box<[u8]>,
    /// Line break and a run of units, so that the usual depths are one copy.
    ready: Box<[u8]>,
}

/// Levels of indentation that are kept ready.
const READY: usize = 16;

impl Layout {
    /// Lines that end in `newline` and are indented by `unit` for each level.
    #[must_use]
    pub fn new(newline: &str, unit: &str) -> Self {
        let ready = [newline, unit.repeat(READY).as_str()].concat();
        Self {
            newline: newline.len(),
            unit: unit.as_bytes().into(),
            ready: ready.into_bytes().into(),
        }
    }

    /// Begins a new line at `depth` levels.
    #[inline]
    pub fn begin_line(&self, depth: usize, out: &mut impl Output) {
        let ready = self.newline + self.unit.len() * depth.min(READY);
        out.extend_from_slice(&self.ready[..ready]);
        for _ in READY..depth {
            out.extend_from_slice(&self.unit);
        }
    }
}

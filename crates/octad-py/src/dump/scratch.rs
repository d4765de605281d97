//! Memory kept between calls on the same thread: the output and the stack of frames.
//!
//! Taken out while in use, so a call inside a call (from `default=`) simply starts with none.

use std::cell::Cell;

use super::frames::Frame;

/// A larger output is given back to the system after the call.
const KEEP: usize = 8 << 20;

/// What is kept; both are empty between calls.
#[derive(Default)]
pub struct Scratch {
    /// The output.
    pub out: Vec<u8>,
    /// The open containers.
    pub frames: Vec<Frame>,
}

thread_local! {
    static KEPT: Cell<Option<Box<Scratch>>> = const { Cell::new(None) };
}

/// Takes the thread's memory, or makes some.
#[inline]
pub fn take() -> Box<Scratch> {
    KEPT.take().unwrap_or_default()
}

/// Leaves memory for the next call.
#[inline]
pub fn keep(mut scratch: Box<Scratch>) {
    if scratch.out.capacity() > KEEP {
        scratch.out = Vec::new();
    }
    scratch.out.clear();
    scratch.frames.clear();
    KEPT.set(Some(scratch));
}

//! Memory kept between calls on the same thread: the output and the stack of frames.
//!
//! Taken out while in use, so a call inside a call (from `default=`) simply starts with none.

use std::cell::Cell;

use super::frames::Frame;
use super::noted::Notes;
use super::plans::Plans;
use crate::cpython::Short;

/// A larger output is given back to the system after the call.
const KEEP: usize = 8 << 20;

/// The open containers of a walk.
#[derive(Default)]
pub struct Stack {
    /// Outermost first.
    pub frames: Vec<Frame>,
    /// On their way there, innermost first.
    pub left: Vec<Frame>,
    /// Keys as this text has them.
    pub notes: Notes,
    /// How the records written last are read.
    pub plans: Plans,
}

/// What is kept; all of it is empty between calls.
#[derive(Default)]
pub struct Scratch {
    /// The output, where it does not become a bytes object.
    pub out: Vec<u8>,
    /// The beginning of one that does.
    pub short: Short,
    /// The open containers.
    pub stack: Stack,
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
    scratch.stack.frames.clear();
    scratch.stack.left.clear();
    KEPT.set(Some(scratch));
}

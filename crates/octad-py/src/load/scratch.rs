//! What `loads` fills and empties: one a thread, kept between calls within bounds.

use core::cell::Cell;

use octad_core::formats::json::PADDING;
use octad_core::tape::Tape;

/// A larger tape is given back instead of kept: 8 MiB of tokens.
const KEPT: usize = 8 << 20;
/// Longer texts are read where they stand: their ends are a small part of them.
pub const PADDED: usize = 2 << 10;

/// The memory of one thread.
#[derive(Default)]
pub struct Scratch {
    /// The tokens.
    pub tape: Tape,
    text: Vec<u8>,
}

impl Scratch {
    /// A short text with blanks behind it, which change nothing: a text that is accepted with them
    /// is accepted without. So whole blocks can be read up to its end, where the reader has slow
    /// ways else. With it, the tape.
    #[inline]
    pub fn padded(&mut self, text: &[u8]) -> (&[u8], &mut Tape) {
        self.text.clear();
        self.text.reserve(text.len() + PADDING.len());
        self.text.extend_from_slice(text);
        self.text.extend_from_slice(PADDING);
        (&self.text, &mut self.tape)
    }
}

thread_local! {
    static REST: Cell<Option<Box<Scratch>>> = const { Cell::new(None) };
}

/// Runs `work` with this thread's memory. A nested call gets memory of its own.
#[inline]
pub fn with_scratch<R>(work: impl FnOnce(&mut Scratch) -> R) -> R {
    REST.with(|rest| {
        let mut scratch = rest.take().unwrap_or_default();
        let result = work(&mut scratch);
        if scratch.tape.memory() > KEPT {
            scratch.tape = Tape::unused();
        }
        rest.set(Some(scratch));
        result
    })
}

//! The tape that `loads` fills and empties: one a thread, kept between calls within bounds.

use core::cell::Cell;

use octad_core::tape::Tape;

/// A larger tape is given back instead of kept: 8 MiB of tokens.
const KEPT: usize = 8 << 20;

thread_local! {
    static TAPE: Cell<Tape> = const { Cell::new(Tape::unused()) };
}

/// Runs `work` with this thread's tape. A nested call gets a tape of its own.
pub fn with_tape<R>(work: impl FnOnce(&mut Tape) -> R) -> R {
    let mut tape = TAPE.take();
    let result = work(&mut tape);
    if tape.memory() <= KEPT {
        TAPE.set(tape);
    }
    result
}

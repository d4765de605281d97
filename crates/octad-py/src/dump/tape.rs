//! Documents and their views among the values to be written: their tape goes into the sink.

use octad_core::convert::{Conversion, convert};
use octad_core::sink::Sink;

use super::fault::{Fault, Outcome};
use super::walk::Walk;
use crate::cpython::Obj;
use crate::view;

/// Sources from this size on are written with the interpreter's lock released.
const DETACH: usize = 64 << 10;

impl<S: Sink + Send> Walk<'_, '_, S> {
    /// Writes a document, or the value of a view.
    #[cold]
    pub(super) fn write_tape(&mut self, object: &Obj) -> Outcome {
        let py = self.quiet.noisy();
        let Some(tape) = view::tape_of(object.bind(py))? else {
            return Ok(());
        };
        let rules = Conversion {
            depth: self.depth.saturating_sub(self.frames.len()),
            ..self.rules.conversion
        };
        let value = tape.core.value(tape.id);
        let sink = &mut self.sink;
        let written = if value.document().input().len() >= DETACH {
            py.detach(|| convert(value, sink, &rules))
        } else {
            convert(value, sink, &rules)
        };
        written.map_err(|error| match error.offset() {
            Some(_) => Box::new(Fault::Python(tape.raise(py, &error))),
            None => Box::new(Fault::Core(error)),
        })
    }
}

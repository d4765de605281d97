//! The engine of octad: bytes and tokens, nothing of Python, no I/O, no threads of its own.
//!
//! Every value of a document is one 64-bit [`token::Token`] on a flat tape (see `docs/tape.md`).
//! Formats fill the tape; walkers, sinks and the bindings read it. Who may use whom is drawn in
//! `ARCHITECTURE.md` and held by a test.

pub mod convert;
pub mod doc;
pub mod error;
pub mod formats;
pub mod limits;
pub mod pointer;
pub mod scan;
pub mod sink;
pub mod source;
pub mod tape;
pub mod text;
pub mod token;

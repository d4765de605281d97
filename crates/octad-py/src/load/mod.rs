//! From tape to Python objects.

mod digits;
pub mod exact;
mod rare;
mod records;
mod repeated;
mod scratch;
pub mod typed;
mod untyped;

pub use scratch::{PADDED, Scratch, with_scratch};
pub use untyped::{Trouble, build};

//! From tape to Python objects.

mod digits;
pub mod exact;
mod records;
mod scratch;
mod untyped;

pub use scratch::with_tape;
pub use untyped::{Trouble, build};

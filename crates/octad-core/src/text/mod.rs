//! Value codecs shared by text formats: numbers, escapes, base64, lines.
//!
//! Knows bytes and values; never a token, a document or a format's grammar.

pub mod base64;
pub mod big;
pub mod decimal;
pub mod digits;
pub mod escape;
pub mod float;
pub mod instant;
pub mod int;
mod powers;
mod spelling;
pub mod time;
pub mod uuid;

#[cfg(test)]
mod escape_tests;
#[cfg(test)]
mod float_tests;
#[cfg(test)]
mod spelling_tests;

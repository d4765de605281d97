//! The limit on digits, where it is so low that numbers inside their token reach it.
//!
//! The limit guards against the quadratic cost of long numbers, so the loop that makes objects asks
//! for it only where a number is long. One below 17 digits is looked for here, ahead of the loop.

use octad_core::error::{Error, ErrorCode};
use octad_core::token::{Kind, Token, TokenId};

use super::untyped::Trouble;

/// The most digits of a number that is held in its token.
pub const INLINE: u32 = 17;

/// Refuses an inline integer of more than `limit` digits in the subtree at `root`.
///
/// # Errors
/// `digits-limit` at its token.
pub fn check(tokens: &[Token], root: TokenId, limit: u32) -> Result<(), Trouble> {
    let span = tokens.get(root as usize).map_or(0, |token| token.span());
    for id in root..root.saturating_add(span).min(tokens.len() as TokenId) {
        let token = tokens[id as usize];
        if token.kind() == Kind::Int && token.is_owned() {
            let value = token.int_value().unsigned_abs();
            let size = value.checked_ilog10().unwrap_or(0) as usize + 1;
            if size > limit as usize {
                return Err(Trouble::Value(too_many(size, limit), id));
            }
        }
    }
    Ok(())
}

/// The error for an integer of `size` digits.
#[cold]
pub fn too_many(size: usize, limit: u32) -> Error {
    Error::new(ErrorCode::DigitsLimit)
        .with("limit", limit)
        .with("size", size)
}

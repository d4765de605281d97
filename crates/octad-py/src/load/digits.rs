//! The limit on digits, where it is so low that numbers inside their token reach it.
//!
//! The limit guards against the quadratic cost of long numbers, so the loop that makes objects asks
//! for it only where a number is long. A limit below 20 digits is looked at here, ahead of the loop.

use octad_core::error::{Error, ErrorCode};
use octad_core::source::Source;
use octad_core::token::{Kind, Token, TokenId};

use super::untyped::Trouble;

/// Below this many digits a number may be held in its token, or fit a machine word.
pub const SHORT: u32 = 20;

/// Refuses the first integer of more than `limit` digits in the subtree at `root`.
///
/// # Errors
/// `digits-limit` at its token.
pub fn check<S: Source>(
    tokens: &[Token],
    root: TokenId,
    source: &S,
    limit: u32,
) -> Result<(), Trouble> {
    let span = tokens.get(root as usize).map_or(0, |token| token.span());
    for id in root..root.saturating_add(span).min(tokens.len() as TokenId) {
        let token = tokens[id as usize];
        if token.kind() != Kind::Int {
            continue;
        }
        let size = if token.is_owned() {
            token
                .int_value()
                .unsigned_abs()
                .checked_ilog10()
                .unwrap_or(0) as usize
                + 1
        } else {
            let text = source.slice(token).unwrap_or_default();
            text.len() - usize::from(text.starts_with(b"-"))
        };
        if size > limit as usize {
            return Err(Trouble::Value(too_many(size, limit), id));
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

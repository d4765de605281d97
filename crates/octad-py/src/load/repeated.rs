//! Where a key comes twice: looked for once objects have shown that one does.

use std::collections::HashSet;

use octad_core::source::Source;
use octad_core::tape;
use octad_core::token::{Kind, Token, TokenId};

/// The first key in the value at `root` that its object has already.
#[cold]
pub fn first_repeated<S: Source>(tokens: &[Token], root: TokenId, source: &S) -> Option<TokenId> {
    let mut scratch = Vec::new();
    let span = tokens.get(root as usize)?.span();
    let mut found: Option<TokenId> = None;
    for head in root..root.saturating_add(span).min(tokens.len() as TokenId) {
        if tokens[head as usize].kind() != Kind::Map || found.is_some_and(|found| found < head) {
            continue;
        }
        let mut seen = HashSet::new();
        for key in tape::children(tokens, head).step_by(2) {
            let text = source.text(tokens[key as usize], &mut scratch).ok()?;
            if !seen.insert(text.bytes().to_vec()) {
                found = Some(found.map_or(key, |found| found.min(key)));
                break;
            }
        }
    }
    found
}

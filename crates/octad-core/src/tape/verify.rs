//! A tape from outside earns trust here: one linear pass over everything `docs/tape.md` promises.
//!
//! Never recurses, reserves nothing on the word of a token, and answers with the first broken promise.

use crate::error::{Error, ErrorCode, Result};
use crate::limits::Limits;
use crate::token::{Kind, Token, TokenId, variant};

use super::{FIRST, Tape};

struct Open {
    end: TokenId,
    kind: Kind,
    any_key: bool,
    expected: u32,
    seen: u64,
}

/// Checks a tape against its source and arena.
///
/// # Errors
/// `invalid-tape` with the token and the promise it breaks; `depth-limit`, `token-limit`;
/// `expansion-limit` where tokens share so much text that reading them would multiply the input.
pub fn verify(tape: &Tape, source: &[u8], arena: &[u8], limits: &Limits) -> Result<()> {
    let tokens = tape.tokens();
    if tokens.len() as u64 > limits.max_tokens() + 1 {
        return Err(Error::new(ErrorCode::TokenLimit).with("limit", limits.max_tokens()));
    }
    if tokens.first() != Some(&Token::VOID) {
        return Err(broken(0, "no guard"));
    }
    let end = tokens.len() as TokenId;
    let mut open: Vec<Open> = Vec::new();
    let mut roots = 0u64;
    let mut id = FIRST;
    // What stands before a value and so must be followed by one: a tag, or trivia not dangling.
    let mut owed: Option<TokenId> = None;
    let mut dangling = false;
    let mut located = 0u64;
    let size = (source.len() + arena.len()) as u64;
    let most = limits
        .expansion
        .map_or(u64::MAX, |times| size.saturating_mul(u64::from(times)));
    loop {
        while open.last().is_some_and(|frame| frame.end == id) {
            if let Some(at) = owed {
                return Err(broken(at, "a tag or comment without its value"));
            }
            dangling = false;
            let frame = open.pop().expect("just seen");
            close(&frame, id)?;
        }
        if id >= end {
            break;
        }
        let token = tokens[id as usize];
        let limit = open.last().map_or(end, |frame| frame.end);
        located += check_token(tape, token, id, source, arena)? as u64;
        if located > most {
            let limit = limits.expansion.unwrap_or_default();
            return Err(Error::at_token(ErrorCode::ExpansionLimit, id).with("limit", limit));
        }
        match token.kind() {
            Kind::Trivia => {
                match token.placement() {
                    None => return Err(broken(id, "an unknown placement")),
                    Some(crate::token::Placement::Dangling) => {
                        if owed.is_some() {
                            return Err(broken(id, "a dangling comment before a value"));
                        }
                        dangling = true;
                    }
                    Some(_) => {
                        if dangling {
                            return Err(broken(id, "a value's comment after a dangling one"));
                        }
                        owed = Some(id);
                    }
                }
                id += 1;
                continue;
            }
            Kind::Tag => {
                owed = Some(id);
                id += 1;
                continue;
            }
            _ => {}
        }
        owed = None;
        if dangling {
            return Err(broken(id, "a value after a dangling comment"));
        }
        match open.last_mut() {
            Some(frame) => {
                if frame.kind == Kind::Map && frame.seen.is_multiple_of(2) && !frame.any_key {
                    let key = matches!(token.kind(), Kind::Text | Kind::Name | Kind::Short);
                    if !key {
                        return Err(broken(id, "a key that is no text"));
                    }
                }
                frame.seen += 1;
            }
            None => {
                roots += 1;
                if roots > 1 {
                    return Err(broken(id, "a second root"));
                }
            }
        }
        if token.is_container() {
            let span = token.span();
            if span == 0 || span > limit - id {
                return Err(broken(id, "a span that leaves its container"));
            }
            if open.len() as u64 >= u64::from(limits.depth.min(Limits::MAX_DEPTH)) {
                return Err(Error::at_token(ErrorCode::DepthLimit, id).with("limit", limits.depth));
            }
            open.push(Open {
                end: id + span,
                kind: token.kind(),
                any_key: token.has_any_keys(),
                expected: token.count(),
                seen: 0,
            });
        }
        id += 1;
    }
    if let Some(at) = owed {
        return Err(broken(at, "a tag or comment without its value"));
    }
    if roots == 0 {
        return Err(broken(0, "no root"));
    }
    Ok(())
}

fn close(frame: &Open, id: TokenId) -> Result<()> {
    let counted = match frame.kind {
        Kind::Map => {
            if !frame.seen.is_multiple_of(2) {
                return Err(broken(id - 1, "a key without a value"));
            }
            frame.seen / 2
        }
        Kind::Record => return Ok(()),
        _ => frame.seen,
    };
    let saturated = u64::from(Token::SATURATED);
    if u64::from(frame.expected) != counted.min(saturated) {
        return Err(broken(id - 1, "a count that does not match"));
    }
    Ok(())
}

/// Checks one token; the bytes that it locates.
fn check_token(
    tape: &Tape,
    token: Token,
    id: TokenId,
    source: &[u8],
    arena: &[u8],
) -> Result<usize> {
    let kind = token.kind();
    let known = match kind {
        Kind::Void | Kind::Reserved => return Err(broken(id, "a kind that is no value")),
        Kind::Real59 => true,
        Kind::Short => true,
        _ => (token.variant() as usize) < kind.variants().len(),
    };
    if !known {
        return Err(broken(id, "an unknown variant"));
    }
    match kind {
        Kind::Simple => {
            if !token.is_owned() {
                return Err(broken(id, "a literal that is not inline"));
            }
            let numbered = token.variant() == variant::SIMPLE;
            if token.payload() > if numbered { 255 } else { 0 } {
                return Err(broken(id, "reserved bits that are set"));
            }
        }
        Kind::Real59 | Kind::Short => {
            if !token.is_owned() {
                return Err(broken(id, "an inline value without its mark"));
            }
            if kind == Kind::Short {
                let (bytes, length) = token.short_value();
                if !bytes.is_ascii() || bytes[length.min(8)..].iter().any(|byte| *byte != 0) {
                    return Err(broken(id, "a short text that is not ASCII"));
                }
            }
        }
        Kind::List | Kind::Map | Kind::Record => {
            if token.is_owned() {
                return Err(broken(id, "a view that is not there"));
            }
            if kind == Kind::Record {
                return Err(broken(id, "a shape that is not there"));
            }
        }
        Kind::Tag if token.variant() != variant::TAG_LOCATED => {}
        Kind::Int if token.is_owned() && token.variant() == 0 => {}
        Kind::Real if token.is_owned() && matches!(token.variant(), 2 | 3) => {}
        Kind::Time if token.is_owned() && token.variant() == 5 => {}
        _ => {
            let bytes = if token.is_owned() { arena } else { source };
            return check_range(tape, token, id, bytes);
        }
    }
    Ok(0)
}

fn check_range(tape: &Tape, token: Token, id: TokenId, bytes: &[u8]) -> Result<usize> {
    let slice = tape
        .range(token)
        .and_then(|range| bytes.get(range))
        .ok_or_else(|| broken(id, "a value outside its source"))?;
    // Numbers, and what stands in chunks, are for their source to make sense of.
    let text = matches!(token.kind(), Kind::Text | Kind::Name);
    let chunked = token.kind() == Kind::Text && token.variant() == variant::TEXT_CHUNKED;
    if (text || token.kind() == Kind::Trivia) && !chunked {
        if core::str::from_utf8(slice).is_err() {
            return Err(broken(id, "text that is not UTF-8"));
        }
        if text && !token.location().non_ascii && !slice.is_ascii() {
            return Err(broken(id, "text that is not the ASCII it is marked as"));
        }
    }
    Ok(slice.len())
}

#[cold]
fn broken(id: TokenId, problem: &'static str) -> Error {
    Error::at_token(ErrorCode::InvalidTape, id)
        .with("problem", problem)
        .with("place", format_args!(" at token {id}"))
}

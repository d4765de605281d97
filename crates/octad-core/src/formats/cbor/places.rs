//! Where every token stands in CBOR: one walk over tape and bytes together.
//!
//! Only for bytes that have been read already, so nothing can fail. A tag's place reaches to the end
//! of what it stands before; a value's place begins behind its tags.

use crate::formats::Place;
use crate::tape::Tape;
use crate::token::{Kind, Token, TokenId, variant};

use super::head::head;

/// A container that is open: its token and the token after its last.
struct Open {
    head: TokenId,
    end: TokenId,
    streamed: bool,
}

/// Start and end of every token, by id; the guard has an empty place.
#[must_use]
pub fn places(tape: &Tape, input: &[u8]) -> Vec<Place> {
    let tokens = tape.tokens();
    let mut places = vec![Place::default(); tokens.len()];
    let mut open: Vec<Open> = Vec::new();
    let mut pos = 0;
    for id in 1..tokens.len() as TokenId {
        while let Some(last) = open.pop_if(|last| last.end <= id) {
            pos += usize::from(last.streamed);
            end_at(&mut places, tokens, last.head, pos);
        }
        let token = tokens[id as usize];
        places[id as usize].start = pos as u32;
        let size = match head(input, pos) {
            Ok(head) => usize::from(head.size),
            Err(_) => 0,
        };
        match token.kind() {
            Kind::Tag => pos += size,
            Kind::List | Kind::Map => {
                if !token.is_sequence() {
                    pos += size;
                }
                open.push(Open {
                    head: id,
                    end: id + token.span().max(1),
                    streamed: is_streamed(token),
                });
            }
            _ => {
                pos = match tape.range(token) {
                    Some(range) if !token.is_owned() => range.end + usize::from(is_chunked(token)),
                    _ => pos + size,
                };
                end_at(&mut places, tokens, id, pos);
            }
        }
    }
    while let Some(last) = open.pop() {
        pos += usize::from(last.streamed);
        end_at(&mut places, tokens, last.head, pos);
    }
    places
}

/// Ends the value at `id`, and the tags before it.
fn end_at(places: &mut [Place], tokens: &[Token], id: TokenId, pos: usize) {
    let mut at = id as usize;
    places[at].end = pos as u32;
    while at > 1 && tokens[at - 1].kind() == Kind::Tag {
        at -= 1;
        places[at].end = pos as u32;
    }
}

/// A string in chunks: its place has a byte before and one behind what its token locates.
pub(super) fn is_chunked(token: Token) -> bool {
    match token.kind() {
        Kind::Text => token.variant() == variant::TEXT_CHUNKED,
        Kind::Bytes => token.variant() == variant::BYTES_CHUNKED,
        _ => false,
    }
}

/// A container that a break code ends.
pub(super) fn is_streamed(token: Token) -> bool {
    match token.kind() {
        Kind::List => token.variant() == variant::STREAMED,
        Kind::Map => matches!(
            token.variant(),
            variant::STREAMED | variant::STREAMED_ANY_KEY
        ),
        _ => false,
    }
}

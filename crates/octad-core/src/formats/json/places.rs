//! Where every token stands in a JSON text: one walk over tape and text together.
//!
//! Only for a text that has been read already, so nothing can fail; made on the first `.position`
//! or `.raw` of a document and kept.

use crate::formats::Place;
use crate::scan;
use crate::tape::Tape;
use crate::token::{Kind, Token, TokenId, variant};

use super::BOM;

/// Start and end of every token, by id; the guard has an empty place.
#[must_use]
pub fn places(tape: &Tape, input: &[u8]) -> Vec<Place> {
    let tokens = tape.tokens();
    let mut places = vec![Place::default(); tokens.len()];
    let mut open: Vec<(TokenId, TokenId)> = Vec::new();
    let mut pos = if input.starts_with(BOM) { BOM.len() } else { 0 };
    for id in 1..tokens.len() as TokenId {
        while open.last().is_some_and(|&(_, end)| end == id) {
            pos = close(&mut open, &mut places, input, pos);
        }
        let token = tokens[id as usize];
        if token.kind() == Kind::Trivia {
            // Comments may stand before their value on the tape but behind it in the text.
            places[id as usize] = located(tape, token, 0);
            continue;
        }
        pos = between(input, pos);
        let place = &mut places[id as usize];
        if token.is_container() {
            place.start = pos as u32;
            pos += 1;
            open.push((id, id + token.span()));
            continue;
        }
        *place = match token.kind() {
            Kind::Simple | Kind::Int | Kind::Real | Kind::Real59 if token.is_owned() => Place {
                start: pos as u32,
                end: word_end(input, pos, token) as u32,
            },
            Kind::Text => located(tape, token, 1),
            _ => located(tape, token, 0),
        };
        pos = place.end as usize;
    }
    while !open.is_empty() {
        pos = close(&mut open, &mut places, input, pos);
    }
    places
}

fn close(
    open: &mut Vec<(TokenId, TokenId)>,
    places: &mut [Place],
    input: &[u8],
    pos: usize,
) -> usize {
    let pos = between(input, pos);
    if let Some((head, _)) = open.pop() {
        places[head as usize].end = (pos + 1) as u32;
    }
    pos + 1
}

fn located(tape: &Tape, token: Token, quotes: usize) -> Place {
    let range = tape.range(token).unwrap_or(0..0);
    Place {
        start: range.start.saturating_sub(quotes) as u32,
        end: (range.end + quotes) as u32,
    }
}

/// The next byte that is neither blank, separator nor comment.
fn between(input: &[u8], mut pos: usize) -> usize {
    loop {
        pos = scan::skip_blank(input, pos);
        match input.get(pos) {
            Some(b',' | b':') => pos += 1,
            Some(b'/') => pos = comment_end(input, pos),
            _ => return pos,
        }
    }
}

/// The end of the comment at `pos`, or of the text.
pub(super) fn comment_end(input: &[u8], pos: usize) -> usize {
    let rest = &input[pos..];
    let length = if let Some(inner) = rest.strip_prefix(b"/*") {
        memchr::memmem::find(inner, b"*/").map(|at| at + 4)
    } else {
        rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'))
    };
    pos + length.unwrap_or(rest.len()).max(1)
}

fn word_end(input: &[u8], pos: usize, token: Token) -> usize {
    let rest = &input[pos.min(input.len())..];
    if token.kind() == Kind::Simple && token.variant() != variant::NULL {
        return pos + if rest.starts_with(b"false") { 5 } else { 4 };
    }
    // Digits of an inline number; null, or a word that the `nan` option reads as null.
    let in_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.');
    pos + rest.iter().take_while(|byte| in_word(byte)).count()
}

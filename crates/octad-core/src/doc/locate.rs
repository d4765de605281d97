//! From a token or an offset to where people look: line, column, path. All of it is cold.

use crate::scan;
use crate::tape::Tape;
use crate::token::TokenId;

/// A place in a text, as editors count it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Byte offset.
    pub offset: usize,
    /// Line, from 1. Lines end with `\n`, `\r\n` or `\r`... as `\n` alone ends them here, a `\r`
    /// before it belongs to the line.
    pub line: usize,
    /// Column, from 1, in characters; a byte order mark does not count.
    pub column: usize,
}

/// Line and column of a byte offset. Ill-formed UTF-8 counts a byte that starts no character as none.
#[must_use]
pub fn position_in(input: &[u8], offset: usize) -> Position {
    let offset = offset.min(input.len());
    let before = &input[..offset];
    let line_start = scan::last_newline(before).map_or(0, |at| at + 1);
    let mut text = &before[line_start..];
    if line_start == 0 {
        text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    }
    let column = text.iter().filter(|byte| (**byte as i8) >= -64).count() + 1;
    Position {
        offset,
        line: scan::count_newlines(before) + 1,
        column,
    }
}

/// The line that an offset stands in, without its end, and the offset at which it starts.
#[must_use]
pub fn line_of(input: &[u8], offset: usize) -> (&[u8], usize) {
    let offset = offset.min(input.len());
    let start = scan::last_newline(&input[..offset]).map_or(0, |at| at + 1);
    let end = memchr::memchr(b'\n', &input[offset..]).map_or(input.len(), |at| offset + at);
    let line = &input[start..end];
    (line.strip_suffix(b"\r").unwrap_or(line), start)
}

/// The container of each token; 0 for what stands at the top.
pub(super) fn parents(tape: &Tape) -> Box<[TokenId]> {
    let tokens = tape.tokens();
    let mut parents = vec![0; tokens.len()].into_boxed_slice();
    let mut open: Vec<(TokenId, TokenId)> = Vec::new();
    for id in 1..tokens.len() as TokenId {
        while open.last().is_some_and(|&(_, end)| end <= id) {
            open.pop();
        }
        parents[id as usize] = open.last().map_or(0, |&(head, _)| head);
        let token = tokens[id as usize];
        if token.is_container() {
            open.push((id, id + token.span()));
        }
    }
    parents
}

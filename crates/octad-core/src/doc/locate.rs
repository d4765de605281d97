//! From a token or an offset to where people look: line, column, path. All of it is cold.

use crate::scan;
use crate::tape::Tape;
use crate::token::{Kind, TokenId};

/// A place in a text, as editors count it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Byte offset.
    pub offset: usize,
    /// Line, from 1. Only `\n` ends a line; a `\r` before it is the line's last character.
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
    let column = characters(text) + 1;
    Position {
        offset,
        line: scan::count_newlines(before) + 1,
        column,
    }
}

/// The characters of a text: bytes that start one.
pub(super) fn characters(text: &[u8]) -> usize {
    text.iter().filter(|byte| (**byte as i8) >= -64).count()
}

/// The container of each token, and the key of each value of a map: 4 bytes a token.
#[derive(Debug)]
pub(super) struct Parents(Box<[TokenId]>);

/// Marks an entry that holds the key of its token instead of the container. Ids have 30 bits.
const OF_KEY: TokenId = 1 << 31;

impl Parents {
    pub(super) fn new(tape: &Tape) -> Self {
        struct Open {
            head: TokenId,
            end: TokenId,
            map: bool,
            /// The key whose value comes next; 0 where a key does.
            key: TokenId,
        }
        let tokens = tape.tokens();
        let mut table = vec![0; tokens.len()].into_boxed_slice();
        let mut stack: Vec<Open> = Vec::new();
        for id in 1..tokens.len() as TokenId {
            while stack.last().is_some_and(|open| open.end <= id) {
                stack.pop();
            }
            let token = tokens[id as usize];
            if let Some(open) = stack.last_mut() {
                table[id as usize] = open.head;
                if open.map && !token.is_beside() {
                    if open.key == 0 {
                        open.key = id;
                    } else {
                        table[id as usize] = open.key | OF_KEY;
                        open.key = 0;
                    }
                }
            }
            if token.is_container() {
                stack.push(Open {
                    head: id,
                    end: id + token.span(),
                    map: token.kind() == Kind::Map,
                    key: 0,
                });
            }
        }
        Self(table)
    }

    /// The container of a token (0 for what stands at the top) and its key: itself where it has
    /// none.
    pub(super) fn of(&self, id: TokenId) -> (TokenId, TokenId) {
        match self.0.get(id as usize).copied().unwrap_or(0) {
            entry if entry & OF_KEY != 0 => {
                let key = entry & !OF_KEY;
                (self.0.get(key as usize).copied().unwrap_or(0), key)
            }
            head => (head, id),
        }
    }

    pub(super) fn memory(&self) -> usize {
        size_of_val(&*self.0)
    }
}

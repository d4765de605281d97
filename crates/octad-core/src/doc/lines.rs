//! `Lines`: the positions of many offsets in one pass over the text.

use crate::scan;

use super::{Position, locate::characters, position_in};

/// Finds positions of offsets that come in rising order, each from where the last one was.
#[derive(Clone, Debug)]
pub struct Lines<'i> {
    input: &'i [u8],
    last: Position,
}

impl<'i> Lines<'i> {
    /// Starts at the beginning of a text.
    #[must_use]
    pub fn new(input: &'i [u8]) -> Self {
        Self {
            input,
            last: Position {
                offset: 0,
                line: 1,
                column: 1,
            },
        }
    }

    /// The position of `offset`. One before the last asked for is found from the start.
    pub fn position(&mut self, offset: usize) -> Position {
        let offset = offset.min(self.input.len());
        if offset < self.last.offset || self.last.offset < 3 {
            // Within a byte order mark nothing is counted yet.
            self.last = position_in(self.input, offset);
            return self.last;
        }
        let between = &self.input[self.last.offset..offset];
        let (line, from, column) = match scan::last_newline(between) {
            Some(at) => (self.last.line + scan::count_newlines(between), at + 1, 1),
            None => (self.last.line, 0, self.last.column),
        };
        let column = column + characters(&between[from..]);
        self.last = Position {
            offset,
            line,
            column,
        };
        self.last
    }
}

#[cfg(test)]
mod tests {
    use super::{Lines, position_in};

    #[test]
    fn many_positions_are_those_found_one_by_one() {
        let text = "\u{feff}ab\r\n\u{feff}é日\n\n𝄞x\n";
        for step in 1..5 {
            let mut lines = Lines::new(text.as_bytes());
            for offset in (0..=text.len() + 1).step_by(step) {
                let expected = position_in(text.as_bytes(), offset);
                assert_eq!(lines.position(offset), expected, "offset {offset}");
            }
            assert_eq!(lines.position(2), position_in(text.as_bytes(), 2));
        }
    }
}

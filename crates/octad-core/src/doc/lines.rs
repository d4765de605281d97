//! The positions of many offsets: `Lines` for rising ones in one pass, `Marks` for any.

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

/// From one mark to the next, in bytes.
const STRIDE: usize = 4096;

/// Positions of every 4096th byte, so that any other is counted from near by: a text on one line
/// would otherwise be counted from its start each time.
#[derive(Debug)]
pub(super) struct Marks(Box<[Position]>);

impl Marks {
    pub(super) fn new(input: &[u8]) -> Self {
        let mut lines = Lines::new(input);
        Self(
            (0..=input.len() / STRIDE)
                .map(|mark| lines.position(mark * STRIDE))
                .collect(),
        )
    }

    pub(super) fn position(&self, input: &[u8], offset: usize) -> Position {
        match self.0.get(offset / STRIDE) {
            // The first mark is before a byte order mark, which counts as no column.
            Some(&last) if last.offset > 0 => Lines { input, last }.position(offset),
            _ => position_in(input, offset),
        }
    }

    pub(super) fn memory(&self) -> usize {
        size_of_val(&*self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::{Lines, Marks, STRIDE, position_in};

    #[test]
    fn marks_give_what_counting_from_the_start_gives() {
        let line = "é日,".repeat(STRIDE) + "\n" + &"x𝄞".repeat(STRIDE);
        for text in [
            line.clone(),
            format!("\u{feff}{line}"),
            String::new(),
            "a\n".repeat(STRIDE),
        ] {
            let marks = Marks::new(text.as_bytes());
            for offset in (0..text.len() + 2)
                .step_by(97)
                .chain([STRIDE - 1, STRIDE, STRIDE + 1])
            {
                let expected = position_in(text.as_bytes(), offset);
                assert_eq!(
                    marks.position(text.as_bytes(), offset),
                    expected,
                    "{offset}"
                );
            }
        }
    }

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

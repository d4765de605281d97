//! The one error type of the core: a code from the table, a place, a path.
//!
//! Knows neither formats nor Python. An error is one pointer wide, since every reader returns it on
//! its hot path; texts, lines and columns are made only when somebody shows it.

mod path;
mod table;
#[cfg(test)]
mod tests;

use core::fmt;

pub use path::{KEY, Path, Segment};
pub use table::{Category, CodeInfo, ErrorCode, TABLE};

/// What a reader, writer or walker returns.
pub type Result<T, E = Error> = core::result::Result<T, E>;

/// The longest excerpt of the input that a message shows, in characters.
pub const EXCERPT: usize = 40;

/// A failure: what was expected, what was found, where.
#[derive(Clone, PartialEq, Eq)]
pub struct Error(Box<Inner>);

#[derive(Clone, PartialEq, Eq)]
struct Inner {
    code: ErrorCode,
    offset: Option<u64>,
    token: Option<u32>,
    path: Path,
    details: Vec<(&'static str, String)>,
}

impl Error {
    /// An error without a place yet.
    #[cold]
    #[must_use]
    pub fn new(code: ErrorCode) -> Self {
        Self(Box::new(Inner {
            code,
            offset: None,
            token: None,
            path: Path::default(),
            details: Vec::new(),
        }))
    }

    /// An error at a byte offset of the input.
    #[cold]
    #[must_use]
    pub fn at(code: ErrorCode, offset: usize) -> Self {
        let mut error = Self::new(code);
        error.0.offset = Some(offset as u64);
        error
    }

    /// An error at a value of a document, located later by its token.
    #[cold]
    #[must_use]
    pub fn at_token(code: ErrorCode, token: u32) -> Self {
        let mut error = Self::new(code);
        error.0.token = Some(token);
        error
    }

    /// Fills the hole `name` of the code's template.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl fmt::Display) -> Self {
        self.0.details.retain(|(known, _)| *known != name);
        self.0.details.push((name, value.to_string()));
        self
    }

    /// Fills the hole `found` from the input at the error's offset, where it is still open.
    #[must_use]
    pub fn with_found(self, input: &[u8]) -> Self {
        if self.detail("found").is_some() {
            return self;
        }
        match self.0.offset {
            Some(offset) => {
                let found = excerpt_at(input, usize::try_from(offset).unwrap_or(usize::MAX));
                self.with("found", found)
            }
            None => self,
        }
    }

    /// Sets the byte offset, where none is known yet.
    #[must_use]
    pub fn or_offset(mut self, offset: Option<usize>) -> Self {
        if self.0.offset.is_none() {
            self.0.offset = offset.map(|offset| offset as u64);
        }
        self
    }

    /// Replaces the byte offset.
    #[must_use]
    pub fn moved_to(mut self, offset: usize) -> Self {
        self.0.offset = Some(offset as u64);
        self
    }

    /// Replaces the path.
    #[must_use]
    pub fn with_path(mut self, path: Path) -> Self {
        self.0.path = path;
        self
    }

    /// Adds the object key that the failing value stands under, while the error travels outwards.
    #[must_use]
    pub fn in_key(mut self, key: &str) -> Self {
        self.0.path.push_outer(Segment::Key(key.to_owned()));
        self
    }

    /// Adds the array index that the failing value stands at, while the error travels outwards.
    #[must_use]
    pub fn in_index(mut self, index: usize) -> Self {
        self.0.path.push_outer(Segment::Index(index));
        self
    }

    /// The code.
    #[must_use]
    pub fn code(&self) -> ErrorCode {
        self.0.code
    }

    /// The byte offset in the input, where known.
    #[must_use]
    pub fn offset(&self) -> Option<usize> {
        self.0
            .offset
            .and_then(|offset| usize::try_from(offset).ok())
    }

    /// The token of the value at fault, where the error came from reading a document.
    #[must_use]
    pub fn token(&self) -> Option<u32> {
        self.0.token
    }

    /// The path of the value at fault.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// The text filled into a hole of the template.
    #[must_use]
    pub fn detail(&self, name: &str) -> Option<&str> {
        self.0
            .details
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value.as_str())
    }

    /// The message: the template of the code with its holes filled. `show_input` = false keeps
    /// every excerpt of the input out of it.
    #[must_use]
    pub fn message(&self, show_input: bool) -> String {
        let template = self.0.code.info().template;
        let mut text = String::with_capacity(template.len() + 32);
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            text.push_str(before);
            let Some((hole, after)) = after.split_once('}') else {
                break;
            };
            let from_input = matches!(hole, "found" | "key");
            match self.detail(hole) {
                // What may be left out without a word: the sentence says enough without it.
                detail if matches!(hole, "excerpt" | "branches") => {
                    text.push_str(detail.filter(|_| show_input).unwrap_or_default());
                }
                Some(_) if from_input && !show_input => text.push_str("input that is not shown"),
                Some(value) => text.push_str(value),
                // Of a limit that the caller has set.
                None if hole == "remedy" => text.push_str("`Limits(depth=)` raises this"),
                None => text.push_str("something else"),
            }
            rest = after;
        }
        text.push_str(rest);
        text
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0.code, self.message(true))?;
        if let Some(offset) = self.0.offset {
            write!(f, " (offset {offset}")?;
            if !self.0.path.is_empty() {
                write!(f, ", at {}", self.0.path)?;
            }
            write!(f, ")")?;
        } else if !self.0.path.is_empty() {
            write!(f, " (at {})", self.0.path)?;
        }
        Ok(())
    }
}

impl core::error::Error for Error {}

/// What stands in `input` at `offset`, quoted for a message: one word or one character.
#[cold]
#[must_use]
pub fn excerpt_at(input: &[u8], offset: usize) -> String {
    let Some(rest) = input.get(offset..).filter(|rest| !rest.is_empty()) else {
        return "the end of the text".to_owned();
    };
    if rest[0] == b'\\' && rest.len() > 1 && (rest[1] == b'u' || rest[1].is_ascii_graphic()) {
        let end = if rest[1] == b'u' {
            rest.len().min(6)
        } else {
            2
        };
        return quote(&rest[..end]);
    }
    let word = rest
        .iter()
        .take(EXCERPT)
        .take_while(|b| b.is_ascii_alphanumeric() || **b == b'_')
        .count();
    if word > 0 {
        return quote(&rest[..word]);
    }
    if rest[0] < 0x20 || rest[0] == 0x7f {
        return format!("the control character U+{:04X}", rest[0]);
    }
    for length in 1..=rest.len().min(4) {
        if core::str::from_utf8(&rest[..length]).is_ok() {
            return quote(&rest[..length]);
        }
    }
    format!("the byte 0x{:02x}", rest[0])
}

/// Appends a character as people can see it: control characters, and those that change the direction
/// of text or show nothing, as JSON escapes.
pub fn push_visible(text: &mut String, ch: char) {
    let unseen = matches!(ch,
        '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    if ch.is_control() || unseen {
        // Writing into a String cannot fail.
        let _ = fmt::Write::write_fmt(text, format_args!("\\u{:04x}", ch as u32));
    } else {
        text.push(ch);
    }
}

/// Quotes at most [`EXCERPT`] characters of `text` in backticks, control characters escaped.
#[cold]
#[must_use]
pub fn quote(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let mut quoted = String::from("`");
    for (count, ch) in text.chars().enumerate() {
        if count == EXCERPT {
            quoted.push('…');
            break;
        }
        push_visible(&mut quoted, ch);
    }
    quoted.push('`');
    quoted
}

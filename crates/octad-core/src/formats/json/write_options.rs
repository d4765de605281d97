//! What a writer of JSON may choose. The defaults are the strict and compact ones.

use crate::formats::WritePolicy;
use crate::scan::EscapeSet;
use crate::sink::Layout;

/// What stands for NaN and the infinities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NanPolicy {
    /// They are refused.
    Error,
    /// `null`.
    Null,
    /// `NaN`, `Infinity`, `-Infinity`, as JavaScript spells them; the text is no longer JSON.
    Literal,
    /// The same words in quotes.
    String,
}

/// What becomes of a lone surrogate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SurrogatePolicy {
    /// It is refused: no UTF-8 text has it.
    Error,
    /// U+FFFD.
    Replace,
    /// A `\u` escape, which the same policy reads back.
    Keep,
}

/// What becomes of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BytesPolicy {
    /// They are refused.
    Error,
    /// Base64 with padding (RFC 4648 section 4).
    Base64,
    /// The URL-safe alphabet, without padding (RFC 4648 section 5).
    Base64Url,
    /// Two lower-case digits for each byte.
    Hex,
    /// An array of integers.
    Array,
}

/// The choices of one writer.
#[derive(Clone, Debug)]
pub struct WriteOptions {
    /// Line breaks and indentation; `None` for one line.
    pub layout: Option<Layout>,
    /// The line break, for the end of the text.
    pub newline: Box<str>,
    /// End the text with a line break.
    pub final_newline: bool,
    /// Which characters are escaped.
    pub escape: EscapeSet,
    /// Numbers that are not finite.
    pub nan: NanPolicy,
    /// Lone surrogates.
    pub surrogates: SurrogatePolicy,
    /// Bytes.
    pub bytes: BytesPolicy,
    /// Numbers as RFC 8785 wants them. The caller sorts keys by UTF-16 and sets nothing else.
    pub canonical: bool,
    /// The most bytes to write; the buffer holds the bound, this is for the message.
    pub output: Option<u64>,
}

impl WritePolicy for WriteOptions {
    fn keeps_texts(&self) -> bool {
        !self.canonical
            && self.escape == EscapeSet::Minimal
            && self.surrogates != SurrogatePolicy::Replace
    }

    fn keeps_numbers(&self) -> bool {
        !self.canonical
    }

    fn output(&self) -> Option<u64> {
        self.output
    }
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self {
            layout: None,
            newline: "\n".into(),
            final_newline: false,
            escape: EscapeSet::Minimal,
            nan: NanPolicy::Error,
            surrogates: SurrogatePolicy::Error,
            bytes: BytesPolicy::Error,
            canonical: false,
            output: None,
        }
    }
}

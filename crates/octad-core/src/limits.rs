//! The limits that hold for every format, for reading and writing alike.
//!
//! All on by default; nothing is ever reserved on the word of a length field beyond what the input
//! itself could hold.

/// How much a document may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    /// Levels of nested containers.
    pub depth: u32,
    /// Bytes of input.
    pub size: Option<u64>,
    /// Values and keys in one document.
    pub tokens: Option<u64>,
    /// Bytes of one text, as it stands in the input.
    pub text: Option<u64>,
    /// Digits of one integer, when it becomes a number: the cost of that is quadratic.
    pub digits: Option<u32>,
    /// How many times the input anything that multiplies may grow to.
    pub expansion: Option<u32>,
    /// Bytes of output.
    pub output: Option<u64>,
}

impl Limits {
    /// The deepest nesting that may be asked for. Nothing in octad recurses over a document, so
    /// this only bounds the memory for open containers and keeps Python's own recursion (freeing,
    /// comparing, printing nested objects) within what it can bear.
    pub const MAX_DEPTH: u32 = 100_000;
    /// The most tokens one tape can number: spans have 30 bits.
    pub const MAX_TOKENS: u64 = (1 << 30) - 1;
    /// The largest source: offsets have 32 bits, the last value of which is kept free.
    pub const MAX_SOURCE: u64 = u32::MAX as u64 - 1;

    /// The limit on tokens, with the tape's own bound applied.
    #[must_use]
    pub fn max_tokens(&self) -> u64 {
        self.tokens
            .unwrap_or(Self::MAX_TOKENS)
            .min(Self::MAX_TOKENS)
    }

    /// The limit on the input's size, with the bound of located values applied.
    #[must_use]
    pub fn max_size(&self) -> u64 {
        self.size.unwrap_or(Self::MAX_SOURCE).min(Self::MAX_SOURCE)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            depth: 1024,
            size: None,
            tokens: None,
            text: None,
            digits: Some(4300),
            expansion: Some(100),
            output: None,
        }
    }
}

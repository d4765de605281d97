//! UTF-8: the check of whole inputs, and the sealed type for bytes that passed it.
//!
//! A [`ValidText`] is made by a check or from a `str` and by nothing else, so holding one is proof;
//! every later cut of it needs only a look at two character boundaries.

/// Whether every byte is below 0x80.
#[inline]
pub fn is_ascii(bytes: &[u8]) -> bool {
    bytes.is_ascii()
}

/// None for well-formed UTF-8, else the offset of the first byte of the first ill-formed sequence.
#[inline]
pub fn utf8_error(bytes: &[u8]) -> Option<usize> {
    match simdutf8::basic::from_utf8(bytes) {
        Ok(_) => None,
        Err(_) => Some(locate(bytes)),
    }
}

#[cold]
fn locate(bytes: &[u8]) -> usize {
    match core::str::from_utf8(bytes) {
        Ok(_) => bytes.len(),
        Err(error) => error.valid_up_to(),
    }
}

/// Bytes known to be UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValidText<'a>(&'a [u8]);

impl<'a> ValidText<'a> {
    /// Checks the bytes; the error is the offset of the first ill-formed sequence.
    #[inline]
    pub fn check(bytes: &'a [u8]) -> Result<Self, usize> {
        match utf8_error(bytes) {
            None => Ok(Self(bytes)),
            Some(at) => Err(at),
        }
    }

    /// The bytes.
    #[inline]
    pub fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// The text.
    #[inline]
    pub fn as_str(self) -> &'a str {
        // SAFETY: a value of this type is only made from bytes that are well-formed UTF-8.
        unsafe { core::str::from_utf8_unchecked(self.0) }
    }

    /// The text from `start` to `end`; None where these are out of range, out of order or inside
    /// a character.
    #[inline]
    pub fn slice(self, start: usize, end: usize) -> Option<&'a str> {
        self.as_str().get(start..end)
    }
}

impl<'a> From<&'a str> for ValidText<'a> {
    #[inline]
    fn from(text: &'a str) -> Self {
        Self(text.as_bytes())
    }
}

//! `Token`: one 64-bit word. The only file that knows bit positions; `docs/tape.md` is its text.
//!
//! ```text
//!  63   62..59   58..56   55 ................................ 0
//! | X | kind 4 | var  3 | payload 56                           |
//!  located:    55 E · 54 N · 53..32 length · 31..0 offset
//!  container:  55..26 span · 25..0 count (RECORD: shape; X = 1: view)
//! ```

mod kind;
mod pack;
#[cfg(test)]
mod tests;

pub use kind::{Kind, Placement, variant};

/// One value, or the head of a container, on the tape.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Token(u64);

/// The place of a token on its tape.
pub type TokenId = u32;

/// What the located payload says: two flags, a length, an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Located {
    /// Byte offset in the source or arena; an index into the long table when `length` is
    /// [`Token::LONG`].
    pub offset: u32,
    /// Length in bytes, or [`Token::LONG`].
    pub length: u32,
    /// E: the text has escapes.
    pub escaped: bool,
    /// N: the text has bytes above 0x7F.
    pub non_ascii: bool,
}

const X: u64 = 1 << 63;
const KIND_SHIFT: u32 = 59;
const VARIANT_SHIFT: u32 = 56;
const PAYLOAD: u64 = (1 << 56) - 1;
const ESCAPED: u64 = 1 << 55;
const NON_ASCII: u64 = 1 << 54;
const LENGTH_SHIFT: u32 = 32;
const LENGTH: u64 = (1 << 22) - 1;
const SPAN_SHIFT: u32 = 26;
const SPAN: u64 = (1 << 30) - 1;
const COUNT: u64 = (1 << 26) - 1;

impl Token {
    /// The guard at the start of a tape.
    pub const VOID: Self = Self(0);
    /// The length that means "look into the long table".
    pub const LONG: u32 = LENGTH as u32;
    /// The largest span.
    pub const MAX_SPAN: u32 = SPAN as u32;
    /// The count at which readers count by walking.
    pub const SATURATED: u32 = COUNT as u32;
    /// null
    pub const NULL: Self = Self::simple(variant::NULL);
    /// false
    pub const FALSE: Self = Self::simple(variant::FALSE);
    /// true
    pub const TRUE: Self = Self::simple(variant::TRUE);

    #[inline]
    const fn head(x: u64, kind: Kind, variant: u8) -> u64 {
        x | ((kind as u64) << KIND_SHIFT) | (((variant & 7) as u64) << VARIANT_SHIFT)
    }

    /// A token from its bits, which may be anything: `tape::verify` decides what they are worth.
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// The word itself.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// null, false, true and their like.
    #[inline]
    #[must_use]
    pub const fn simple(variant: u8) -> Self {
        Self(Self::head(X, Kind::Simple, variant))
    }

    /// A value located in the source. `length` is below [`Token::LONG`], or it is that and
    /// `offset` an index into the long table.
    #[inline]
    #[must_use]
    pub const fn located(kind: Kind, variant: u8, at: Located) -> Self {
        debug_assert!(at.length <= Self::LONG);
        Self(
            Self::head(0, kind, variant)
                | ((at.escaped as u64) << 55)
                | ((at.non_ascii as u64) << 54)
                | ((at.length as u64) << LENGTH_SHIFT)
                | at.offset as u64,
        )
    }

    /// A comment located in the source, with its placement.
    #[inline]
    #[must_use]
    pub const fn trivia(variant: u8, placement: Placement, offset: u32, length: u32) -> Self {
        let token = Self::located(
            Kind::Trivia,
            variant,
            Located {
                offset,
                length,
                escaped: false,
                non_ascii: false,
            },
        );
        Self(token.0 | ((placement as u64) << 54))
    }

    /// A tag with a number; `None` for one that does not fit.
    #[inline]
    #[must_use]
    pub const fn tag_number(variant: u8, number: u64) -> Option<Self> {
        if number > PAYLOAD {
            return None;
        }
        Some(Self(Self::head(0, Kind::Tag, variant) | number))
    }

    /// The type of a MessagePack extension, where this is the tag of one.
    #[inline]
    #[must_use]
    pub const fn ext_code(self) -> Option<i8> {
        if self.tag() == Self::ext(0).tag() {
            return Some(self.0 as u8 as i8);
        }
        None
    }

    /// The tag of a MessagePack extension.
    #[inline]
    #[must_use]
    pub const fn ext(code: i8) -> Self {
        Self(Self::head(0, Kind::Tag, variant::TAG_EXT) | code as u8 as u64)
    }

    /// The head of a container.
    #[inline]
    #[must_use]
    pub const fn container(kind: Kind, variant: u8, span: u32, count: u32) -> Self {
        debug_assert!(span <= Self::MAX_SPAN && count <= Self::SATURATED);
        Self(Self::head(0, kind, variant) | ((span as u64) << SPAN_SHIFT) | count as u64)
    }

    /// The top byte: X, kind and variant in one number, for tables and jumps.
    #[inline]
    #[must_use]
    pub const fn tag(self) -> u8 {
        (self.0 >> VARIANT_SHIFT) as u8
    }

    /// The kind.
    #[inline]
    #[must_use]
    pub const fn kind(self) -> Kind {
        Kind::from_bits((self.0 >> KIND_SHIFT) as u8)
    }

    /// The variant number. Meaningless for REAL59.
    #[inline]
    #[must_use]
    pub const fn variant(self) -> u8 {
        (self.0 >> VARIANT_SHIFT) as u8 & 7
    }

    /// X: the core reads the payload, not the source.
    #[inline]
    #[must_use]
    pub const fn is_owned(self) -> bool {
        self.0 & X != 0
    }

    /// LIST, MAP or RECORD.
    #[inline]
    #[must_use]
    pub const fn is_container(self) -> bool {
        (self.0 & !X) >= ((Kind::Record as u64) << KIND_SHIFT)
    }

    /// TRIVIA or TAG or VOID: a token that is no value of its own.
    #[inline]
    #[must_use]
    pub const fn is_beside(self) -> bool {
        const BESIDE: u64 = 1 << Kind::Void as u8 | 1 << Kind::Trivia as u8 | 1 << Kind::Tag as u8;
        BESIDE >> ((self.0 >> KIND_SHIFT) & 15) & 1 != 0
    }

    /// The list of all the items of a source that holds several: it has no spelling of its own.
    #[inline]
    #[must_use]
    pub const fn is_sequence(self) -> bool {
        matches!(self.kind(), Kind::List) && self.variant() == variant::SEQUENCE
    }

    /// A map in which some key is no plain text.
    #[inline]
    #[must_use]
    pub const fn has_any_keys(self) -> bool {
        matches!(self.kind(), Kind::Map)
            && matches!(self.variant(), variant::ANY_KEY | variant::STREAMED_ANY_KEY)
    }

    /// Tokens of the subtree, itself included: 1 for everything but containers.
    #[inline]
    #[must_use]
    pub const fn span(self) -> u32 {
        if self.is_container() {
            ((self.0 >> SPAN_SHIFT) & SPAN) as u32
        } else {
            1
        }
    }

    /// Children of a LIST, pairs of a MAP; [`Token::SATURATED`] means "at least so many".
    #[inline]
    #[must_use]
    pub const fn count(self) -> u32 {
        (self.0 & COUNT) as u32
    }

    /// The payload as a located value.
    #[inline]
    #[must_use]
    pub const fn location(self) -> Located {
        Located {
            offset: self.0 as u32,
            length: ((self.0 >> LENGTH_SHIFT) & LENGTH) as u32,
            escaped: self.0 & ESCAPED != 0,
            non_ascii: self.0 & NON_ASCII != 0,
        }
    }

    /// TEXT or NAME whose bytes can be copied as they are: no escapes, all ASCII.
    #[inline]
    #[must_use]
    pub const fn is_plain_ascii(self) -> bool {
        self.0 & (ESCAPED | NON_ASCII) == 0
    }

    /// A TEXT located in the source that has no escapes and is `length` bytes long, where that is
    /// below [`Token::LONG`].
    #[inline]
    #[must_use]
    pub const fn is_spelled(self, length: u32) -> bool {
        const KEPT: u64 = X | (15 << KIND_SHIFT) | ESCAPED | (LENGTH << LENGTH_SHIFT);
        let wanted = ((Kind::Text as u64) << KIND_SHIFT) | ((length as u64) << LENGTH_SHIFT);
        self.0 & KEPT == wanted
    }

    /// Anything but a TEXT located in the source that means what it spells and is not long: a key
    /// that cannot be compared or hashed as it stands.
    #[inline]
    #[must_use]
    pub const fn needs_decoding(self) -> bool {
        const KEPT: u64 = X | (15 << KIND_SHIFT) | ESCAPED;
        self.0 & KEPT != (Kind::Text as u64) << KIND_SHIFT
            || (self.0 >> LENGTH_SHIFT) & LENGTH == LENGTH
    }

    /// Where a TEXT in double quotes starts and its length, if it can be copied as it is and is not
    /// in the long table: the common case, told by one comparison.
    #[inline(always)]
    #[must_use]
    pub const fn plain_text(self) -> Option<(usize, usize)> {
        const HEAD: u64 = Token::head(0, Kind::Text, variant::TEXT_DOUBLE);
        // With the right head only length and offset remain; a wrong bit above makes it large.
        let place = self.0 ^ HEAD;
        if place < LENGTH << LENGTH_SHIFT {
            return Some((place as u32 as usize, (place >> LENGTH_SHIFT) as usize));
        }
        None
    }

    /// The placement of a TRIVIA token; `None` for the one bit pattern that means nothing.
    #[must_use]
    pub const fn placement(self) -> Option<Placement> {
        match (self.0 >> 54) & 3 {
            0 => Some(Placement::Leading),
            1 => Some(Placement::EndOfLine),
            2 => Some(Placement::Dangling),
            _ => None,
        }
    }

    /// A TRIVIA token with another placement.
    #[must_use]
    pub const fn placed(self, placement: Placement) -> Self {
        Self(self.0 & !(ESCAPED | NON_ASCII) | ((placement as u64) << 54))
    }

    /// The low 56 bits.
    #[inline]
    #[must_use]
    pub const fn payload(self) -> u64 {
        self.0 & PAYLOAD
    }
}

impl core::fmt::Debug for Token {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(
            f,
            "{}:{}:{:#x}",
            self.kind().name(),
            self.variant(),
            self.payload()
        )
    }
}

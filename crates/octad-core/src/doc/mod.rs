//! `Document`: a source, its tape, and what is found out about them on demand.
//!
//! Reading never changes what a document means; the caches are filled once and are shared by
//! threads. Nothing here knows Python, and nothing holds a lock while it calls out.

mod equal;
mod index;
mod keys;
mod lines;
mod locate;
mod members;
mod place;
#[cfg(test)]
pub(crate) mod tests;
mod value;

use std::sync::{Arc, OnceLock};

use crate::error::{Error, Result};
use crate::formats::{AnyOptions, AnySource, FormatId, Place};
use crate::tape::Tape;
use crate::token::TokenId;

pub use equal::{equal, unreadable};
pub use index::{ListIndex, MapIndex};
pub use lines::Lines;
use lines::Marks;
pub use locate::{Position, position_in};
pub use members::Members;
pub use value::{Number, ValueKind, ValueRef};

use index::Indexes;
use locate::Parents;

/// Shared immutable bytes that a document was read from. `as_ref` gives the same bytes each time.
pub type Bytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// A parsed document.
pub struct Document {
    source: Bytes,
    tape: Tape,
    options: AnyOptions,
    parents: OnceLock<Parents>,
    places: OnceLock<Box<[Place]>>,
    marks: OnceLock<Marks>,
    indexes: Indexes,
}

impl Document {
    /// Reads a document in the format of the options. `checked`: it is known to be UTF-8.
    ///
    /// # Errors
    /// A syntax or limit error, with offset and path.
    pub fn parse(source: Bytes, checked: bool, options: AnyOptions) -> Result<Self> {
        let mut tape = Tape::default();
        let input = (*source).as_ref();
        // About one token for twelve bytes; a denser text grows the tape, which is trimmed below.
        tape.reserve(input.len() / 12 + 8);
        options.parse(input, checked, &mut tape)?;
        tape.shrink();
        Ok(Self::from_parts(source, tape, options))
    }

    /// A document of a tape and the source it was read from.
    #[must_use]
    pub fn from_parts(source: Bytes, tape: Tape, options: AnyOptions) -> Self {
        Self {
            source,
            tape,
            options,
            parents: OnceLock::new(),
            places: OnceLock::new(),
            marks: OnceLock::new(),
            indexes: Indexes::default(),
        }
    }

    /// The bytes it was read from.
    #[must_use]
    pub fn input(&self) -> &[u8] {
        (*self.source).as_ref()
    }

    /// The bytes it was read from, shared.
    #[must_use]
    pub fn bytes(&self) -> &Bytes {
        &self.source
    }

    /// The tape.
    #[must_use]
    pub fn tape(&self) -> &Tape {
        &self.tape
    }

    /// The format.
    #[must_use]
    pub fn format(&self) -> FormatId {
        self.options.format()
    }

    /// The options it was read with.
    #[must_use]
    pub fn options(&self) -> &AnyOptions {
        &self.options
    }

    /// Decodes located values.
    #[must_use]
    pub fn source(&self) -> AnySource<'_> {
        self.options.source(&self.tape, self.input())
    }

    /// The root value.
    #[must_use]
    pub fn root(&self) -> ValueRef<'_> {
        self.value(self.tape.root())
    }

    /// The value at a token.
    #[inline]
    #[must_use]
    pub fn value(&self, id: TokenId) -> ValueRef<'_> {
        ValueRef::new(self, id)
    }

    /// The container of each token. Built on first use.
    fn parents(&self) -> &Parents {
        self.parents.get_or_init(|| Parents::new(&self.tape))
    }

    /// Start and end of each token in the source, by id. Built on first use.
    #[must_use]
    pub fn places(&self) -> &[Place] {
        self.places.get_or_init(|| {
            self.options
                .places(&self.tape, self.input())
                .into_boxed_slice()
        })
    }

    /// Line and column of a byte offset. The first call looks at the whole text, later ones near by.
    #[must_use]
    pub fn position_of(&self, offset: usize) -> Position {
        let input = self.input();
        self.marks
            .get_or_init(|| Marks::new(input))
            .position(input, offset)
    }

    /// Bytes of memory over the source: tape and what has been built on demand.
    #[must_use]
    pub fn memory(&self) -> usize {
        size_of::<Self>()
            + self.tape.memory()
            + self.parents.get().map_or(0, Parents::memory)
            + self.places.get().map_or(0, |table| size_of_val(&**table))
            + self.marks.get().map_or(0, Marks::memory)
            + self.indexes.memory()
    }

    /// Completes an error from reading a value: where it stands and under which path.
    #[must_use]
    pub fn locate_error(&self, error: Error, id: TokenId) -> Error {
        let place = self.places().get(id as usize).copied().unwrap_or_default();
        let error = error
            .or_offset(Some(place.start as usize))
            .with_found(self.input());
        if error.path().is_empty() {
            error.with_path(self.value(id).path())
        } else {
            error
        }
    }
}

impl core::fmt::Debug for Document {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Document")
            .field("format", &self.format().info().name)
            .field("bytes", &self.input().len())
            .field("tokens", &self.tape.end())
            .finish()
    }
}

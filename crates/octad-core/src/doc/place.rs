//! Where a value stands: in its container, on its path, in the source.
//!
//! All of it is asked for rarely; the tables it reads are built by the first question.

use crate::error::{Error, ErrorCode, Path, Segment};
use crate::formats::Place;
use crate::token::{Kind, Token};

use super::{Position, ValueRef};

impl<'d> ValueRef<'d> {
    /// The container that this value stands in.
    #[must_use]
    pub fn parent(self) -> Option<ValueRef<'d>> {
        let (parent, _) = self.document().parents().of(self.id());
        (parent != 0).then(|| self.document().value(parent))
    }

    /// The steps from the root.
    #[must_use]
    pub fn path(self) -> Path {
        self.path_below(self.document().root())
    }

    /// The steps from `start`, a container around this value; from the root where it is none.
    #[must_use]
    pub fn path_below(self, start: ValueRef<'d>) -> Path {
        let mut path = Path::root();
        let mut at = self;
        while at.id() != start.id() {
            let (parent, key) = self.document().parents().of(at.id());
            if parent == 0 {
                break;
            }
            let parent = self.document().value(parent);
            if parent.token().kind() == Kind::Map {
                path.push_outer(Segment::Key(self.document().value(key).key_name()));
            } else {
                path.push_outer(Segment::Index(parent.index_of(at.id())));
            }
            at = parent;
        }
        path
    }

    /// Start and end in the source.
    #[must_use]
    pub fn place(self) -> Place {
        self.document()
            .places()
            .get(self.id() as usize)
            .copied()
            .unwrap_or_default()
    }

    /// Offset, line and column of the first byte.
    #[must_use]
    pub fn position(self) -> Position {
        self.document().position_of(self.place().start as usize)
    }

    /// The value as it stands in the source, quotes and brackets included.
    #[must_use]
    pub fn raw(self) -> &'d [u8] {
        let place = self.place();
        self.document()
            .input()
            .get(place.start as usize..place.end as usize)
            .unwrap_or_default()
    }

    /// The value with its tags as it stands in the source of a binary format.
    #[must_use]
    pub fn encoded(self) -> &'d [u8] {
        let document = self.document();
        if self.id() == document.tape().root() && !document.options().policy().may_trail() {
            return document.input();
        }
        let first = self.id() - self.tags().len() as u32;
        let start = document.value(first).place().start;
        let range = start as usize..self.place().end as usize;
        document.input().get(range).unwrap_or_default()
    }

    /// The tags of this value, outermost first.
    #[must_use]
    pub fn tags(self) -> &'d [Token] {
        let before = self
            .document()
            .tape()
            .tokens()
            .get(..self.id() as usize)
            .unwrap_or_default();
        let others = before
            .iter()
            .rposition(|token| token.kind() != Kind::Tag)
            .map_or(0, |at| at + 1);
        &before[others..]
    }

    /// A `wrong-kind` error at this value.
    #[cold]
    #[must_use]
    pub fn wrong_kind(self, expected: &str) -> Error {
        self.placed(
            Error::at_token(ErrorCode::WrongKind, self.id())
                .with("expected", expected)
                .with("actual", self.kind().described()),
        )
    }

    /// Completes an error that happened at this value.
    #[cold]
    #[must_use]
    pub fn placed(self, error: Error) -> Error {
        self.document().locate_error(error, self.id())
    }
}

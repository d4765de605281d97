//! `ValueRef`: one value of a document, read when asked.
//!
//! Borrowed and two words wide. Knows how to search containers; what a value is called in Python
//! is the binding's business.

use std::borrow::Cow;
use std::sync::Arc;

use crate::error::{Error, ErrorCode, Path, Result, Segment};
use crate::formats::Place;
use crate::source::{Int, Source};
use crate::tape;
use crate::token::{Kind, Token, TokenId, variant};

use super::index::{ListIndex, MapIndex};
use super::{Document, Position, position_in};

/// A list is searched through an index from this many children on, if they differ in size.
const LONG_LIST: usize = 64;
/// A map is searched through an index from this many pairs on.
const WIDE_MAP: usize = 41;
/// Up to this many pairs, equal keys are looked for pair by pair.
const NARROW_MAP: usize = 12;

/// What kinds of values users tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueKind {
    /// null
    Null,
    /// undefined, which is not null
    Undefined,
    /// true or false
    Bool,
    /// a whole number
    Int,
    /// a number with a fraction or exponent
    Float,
    /// text
    Text,
    /// an identifier or other symbol
    Name,
    /// bytes
    Bytes,
    /// a date, a time, or both
    Time,
    /// a sequence of values
    Array,
    /// a sequence of pairs
    Object,
}

impl ValueKind {
    /// The name in lower case.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Undefined => "undefined",
            Self::Bool => "bool",
            Self::Int => "int",
            Self::Float => "float",
            Self::Text => "text",
            Self::Name => "name",
            Self::Bytes => "bytes",
            Self::Time => "time",
            Self::Array => "array",
            Self::Object => "object",
        }
    }

    /// The kind with its article, for messages.
    #[must_use]
    pub fn described(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Undefined => "undefined",
            Self::Bool => "a bool",
            Self::Int => "an integer",
            Self::Float => "a float",
            Self::Text => "text",
            Self::Name => "a name",
            Self::Bytes => "bytes",
            Self::Time => "a time",
            Self::Array => "an array",
            Self::Object => "an object",
        }
    }
}

/// A number of either kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number<'a> {
    /// A whole number.
    Int(Int<'a>),
    /// A double.
    Float(f64),
}

/// One value of a document.
#[derive(Clone, Copy)]
pub struct ValueRef<'d> {
    document: &'d Document,
    id: TokenId,
}

impl<'d> ValueRef<'d> {
    #[inline]
    pub(super) fn new(document: &'d Document, id: TokenId) -> Self {
        Self { document, id }
    }

    /// The document.
    #[must_use]
    pub fn document(self) -> &'d Document {
        self.document
    }

    /// The value's token id: its identity within the document.
    #[inline]
    #[must_use]
    pub fn id(self) -> TokenId {
        self.id
    }

    /// The value's token.
    #[inline]
    #[must_use]
    pub fn token(self) -> Token {
        self.document.tape.get(self.id)
    }

    /// The kind that users see.
    #[must_use]
    pub fn kind(self) -> ValueKind {
        let token = self.token();
        match token.kind() {
            Kind::Simple => match token.variant() {
                variant::TRUE | variant::FALSE => ValueKind::Bool,
                variant::UNDEFINED => ValueKind::Undefined,
                _ => ValueKind::Null,
            },
            Kind::Int => ValueKind::Int,
            Kind::Real | Kind::Real59 => ValueKind::Float,
            Kind::Text | Kind::Short => ValueKind::Text,
            Kind::Name => ValueKind::Name,
            Kind::Bytes => ValueKind::Bytes,
            Kind::Time => ValueKind::Time,
            Kind::List => ValueKind::Array,
            Kind::Map | Kind::Record => ValueKind::Object,
            Kind::Void | Kind::Trivia | Kind::Tag | Kind::Reserved => ValueKind::Undefined,
        }
    }

    /// How the value was written: the name of its variant.
    #[must_use]
    pub fn style(self) -> &'static str {
        let token = self.token();
        match token.kind() {
            Kind::Real59 => "f64",
            Kind::Short => "double",
            kind => kind
                .variants()
                .get(token.variant() as usize)
                .copied()
                .unwrap_or("plain"),
        }
    }

    /// The truth of a BOOL.
    #[must_use]
    pub fn bool(self) -> Option<bool> {
        match self.token() {
            Token::TRUE => Some(true),
            Token::FALSE => Some(false),
            _ => None,
        }
    }

    /// The text, decoded into `scratch` where needed.
    ///
    /// # Errors
    /// `wrong-kind`; a syntax error where values were not checked.
    pub fn text<'a>(self, scratch: &'a mut Vec<u8>) -> Result<Cow<'a, [u8]>>
    where
        'd: 'a,
    {
        let token = self.token();
        match token.kind() {
            Kind::Text | Kind::Name => {
                let source = self.document.source();
                if token.location().escaped {
                    source
                        .text(token, scratch)
                        .map_err(|error| self.placed(error))?;
                    return Ok(Cow::Borrowed(scratch));
                }
                source
                    .text(token, scratch)
                    .map_err(|error| self.placed(error))?;
                let range = self.document.tape.range(token).unwrap_or(0..0);
                Ok(Cow::Borrowed(
                    self.document.input().get(range).unwrap_or_default(),
                ))
            }
            Kind::Short => {
                let (bytes, length) = token.short_value();
                Ok(Cow::Owned(bytes[..length.min(7)].to_vec()))
            }
            _ => Err(self.wrong_kind("text")),
        }
    }

    /// The number, whole or not.
    ///
    /// # Errors
    /// `wrong-kind`; a syntax error where values were not checked.
    pub fn number(self) -> Result<Number<'d>> {
        let token = self.token();
        let document = self.document;
        match token.kind() {
            Kind::Int if token.is_owned() => Ok(Number::Int(Int::I64(token.int_value()))),
            Kind::Int => match document
                .source()
                .int(token)
                .map_err(|error| self.placed(error))?
            {
                Int::I64(value) => Ok(Number::Int(Int::I64(value))),
                Int::U64(value) => Ok(Number::Int(Int::U64(value))),
                Int::Big(_) => Ok(Number::Int(Int::Big(self.number_text()?))),
            },
            Kind::Real | Kind::Real59 => document
                .source()
                .real(token)
                .map(Number::Float)
                .map_err(|error| self.placed(error)),
            _ => Err(self.wrong_kind("a number")),
        }
    }

    /// The exact text of a located number.
    ///
    /// # Errors
    /// `wrong-kind` for what is no located number.
    pub fn number_text(self) -> Result<&'d str> {
        let token = self.token();
        let input = self.document.input();
        if !matches!(token.kind(), Kind::Int | Kind::Real) || token.is_owned() {
            return Err(self.wrong_kind("a number"));
        }
        self.document
            .source()
            .decimal(token)
            .map_err(|error| self.placed(error))?;
        let range = self.document.tape.range(token).unwrap_or(0..0);
        input
            .get(range)
            .and_then(|bytes| core::str::from_utf8(bytes).ok())
            .ok_or_else(|| self.wrong_kind("a number"))
    }

    /// Children of an array, or unique keys of an object.
    #[must_use]
    pub fn len(self) -> usize {
        match self.token().kind() {
            Kind::List => tape::count(self.document.tape.tokens(), self.id),
            Kind::Map => match self.unique() {
                Some(index) => index.pairs().len(),
                None => self.token().count() as usize,
            },
            _ => 0,
        }
    }

    /// No children.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.token().span() <= 1 || self.len() == 0
    }

    /// The values of an array, in order.
    pub fn elements(self) -> impl Iterator<Item = ValueRef<'d>> {
        let list = self.token().kind() == Kind::List;
        let document = self.document;
        let children = list.then(|| tape::children(document.tape.tokens(), self.id));
        children
            .into_iter()
            .flatten()
            .map(move |id| document.value(id))
    }

    /// The value at `index` of an array.
    #[must_use]
    pub fn element(self, index: usize) -> Option<ValueRef<'d>> {
        let token = self.token();
        if token.kind() != Kind::List {
            return None;
        }
        let tokens = self.document.tape.tokens();
        let count = tape::count(tokens, self.id);
        if index >= count {
            return None;
        }
        let id = if token.span() as usize == count + 1 {
            // Every child is one token and there is nothing beside them.
            self.id + 1 + index as TokenId
        } else if count >= LONG_LIST {
            *self.list_index().0.get(index)?
        } else {
            tape::children(tokens, self.id).nth(index)?
        };
        Some(self.document.value(id))
    }

    fn list_index(self) -> Arc<ListIndex> {
        self.document.indexes.list(self.id, || {
            ListIndex(tape::children(self.document.tape.tokens(), self.id).collect())
        })
    }

    /// All pairs of an object, equal keys included.
    pub fn pairs(self) -> impl Iterator<Item = (ValueRef<'d>, ValueRef<'d>)> {
        let map = self.token().kind() == Kind::Map;
        let document = self.document;
        let pairs = map.then(|| tape::entries(document.tape.tokens(), self.id));
        pairs
            .into_iter()
            .flatten()
            .map(move |(key, value)| (document.value(key), document.value(value)))
    }

    /// The pairs of an object with unique keys, in order; `None` when [`Self::pairs`] are unique
    /// already.
    #[must_use]
    pub fn unique(self) -> Option<Arc<MapIndex>> {
        let count = self.token().count() as usize;
        if self.token().kind() != Kind::Map || count < 2 {
            return None;
        }
        if count <= NARROW_MAP && !self.has_equal_keys() {
            return None;
        }
        let index = self.map_index();
        (index.pairs().len() != count || count > NARROW_MAP).then_some(index)
    }

    /// Compares the keys of a narrow map pair by pair.
    fn has_equal_keys(self) -> bool {
        let mut seen = [Token::VOID; NARROW_MAP];
        let mut escaped = false;
        let input = self.document.input();
        let slice = |token: Token| self.document.tape.range(token).and_then(|at| input.get(at));
        for (place, (key, _)) in self.pairs().enumerate() {
            let token = key.token();
            escaped |= token.location().escaped || token.kind() != Kind::Text;
            let length = token.location().length;
            let equal = seen[..place.min(NARROW_MAP)]
                .iter()
                .any(|known| known.location().length == length && slice(*known) == slice(token));
            if equal || place >= NARROW_MAP {
                return true;
            }
            seen[place] = token;
        }
        escaped // decided by the index, which decodes
    }

    fn map_index(self) -> Arc<MapIndex> {
        let document = self.document;
        document.indexes.map(self.id, || {
            let mut index = MapIndex::default();
            let last_wins = document.options.last_key_wins();
            for (key, value) in self.pairs() {
                let mut scratch = Vec::new();
                let text = key.key_bytes(&mut scratch).into_owned();
                index.insert(&text, (key.id, value.id), last_wins, |id| {
                    document.key_of(id)
                });
            }
            index
        })
    }

    /// The bytes of a key, decoded; undecodable ones as they stand.
    #[must_use]
    pub fn key_bytes<'a>(self, scratch: &'a mut Vec<u8>) -> Cow<'a, [u8]>
    where
        'd: 'a,
    {
        let token = self.token();
        if token.kind() == Kind::Text && !token.location().escaped {
            let range = self.document.tape.range(token).unwrap_or(0..0);
            return Cow::Borrowed(self.document.input().get(range).unwrap_or_default());
        }
        match self.text(scratch) {
            Ok(text) => text,
            Err(_) => Cow::Borrowed(self.document.source_slice(token)),
        }
    }

    /// The pair of the key `name` in an object.
    #[must_use]
    pub fn entry(self, name: &[u8]) -> Option<(ValueRef<'d>, ValueRef<'d>)> {
        let token = self.token();
        if token.kind() != Kind::Map {
            return None;
        }
        let document = self.document;
        if token.count() as usize >= WIDE_MAP {
            let found = self.map_index().find(name, |id| document.key_of(id))?;
            return Some((document.value(found.0), document.value(found.1)));
        }
        let last_wins = document.options.last_key_wins();
        let mut found = None;
        for (key, value) in tape::entries(document.tape.tokens(), self.id) {
            if document.key_equals(key, name) {
                found = Some((document.value(key), document.value(value)));
                if !last_wins {
                    break;
                }
            }
        }
        found
    }

    /// The value of the key `name` in an object.
    #[must_use]
    pub fn get(self, name: &[u8]) -> Option<ValueRef<'d>> {
        self.entry(name).map(|(_, value)| value)
    }

    /// The container that this value stands in.
    #[must_use]
    pub fn parent(self) -> Option<ValueRef<'d>> {
        match self.document.parents().get(self.id as usize) {
            Some(&parent) if parent != 0 => Some(self.document.value(parent)),
            _ => None,
        }
    }

    /// The steps from the root.
    #[must_use]
    pub fn path(self) -> Path {
        let mut path = Path::root();
        let mut at = self;
        while let Some(parent) = at.parent() {
            if parent.token().kind() == Kind::Map {
                let pair = parent
                    .pairs()
                    .find(|(key, value)| value.id == at.id || key.id == at.id);
                if let Some((key, _)) = pair {
                    let mut scratch = Vec::new();
                    let text = key.key_bytes(&mut scratch);
                    path.push_outer(Segment::Key(String::from_utf8_lossy(&text).into_owned()));
                }
            } else {
                let tokens = self.document.tape.tokens();
                let flat = parent.token().span() as usize == parent.len() + 1;
                let index = if flat {
                    (at.id - parent.id - 1) as usize
                } else {
                    tape::children(tokens, parent.id)
                        .take_while(|id| *id < at.id)
                        .count()
                };
                path.push_outer(Segment::Index(index));
            }
            at = parent;
        }
        path
    }

    /// Start and end in the source.
    #[must_use]
    pub fn place(self) -> Place {
        self.document
            .places()
            .get(self.id as usize)
            .copied()
            .unwrap_or_default()
    }

    /// Offset, line and column of the first byte.
    #[must_use]
    pub fn position(self) -> Position {
        position_in(self.document.input(), self.place().start as usize)
    }

    /// The value as it stands in the source, quotes and brackets included.
    #[must_use]
    pub fn raw(self) -> &'d [u8] {
        let place = self.place();
        self.document
            .input()
            .get(place.start as usize..place.end as usize)
            .unwrap_or_default()
    }

    /// A `wrong-kind` error at this value.
    #[cold]
    #[must_use]
    pub fn wrong_kind(self, expected: &str) -> Error {
        self.placed(
            Error::at_token(ErrorCode::WrongKind, self.id)
                .with("expected", expected)
                .with("actual", self.kind().described()),
        )
    }

    /// Completes an error that happened at this value.
    #[cold]
    #[must_use]
    pub fn placed(self, error: Error) -> Error {
        self.document.locate_error(error, self.id)
    }
}

impl Document {
    fn source_slice(&self, token: Token) -> &[u8] {
        let range = self.tape.range(token).unwrap_or(0..0);
        self.input().get(range).unwrap_or_default()
    }

    fn key_of(&self, id: TokenId) -> Cow<'_, [u8]> {
        let mut scratch = Vec::new();
        let token = self.tape.get(id);
        if token.kind() == Kind::Text && !token.location().escaped {
            return Cow::Borrowed(self.source_slice(token));
        }
        Cow::Owned(self.value(id).key_bytes(&mut scratch).into_owned())
    }

    /// Compares a key without decoding it where its spelling is the text.
    #[inline]
    fn key_equals(&self, id: TokenId, name: &[u8]) -> bool {
        let token = self.tape.get(id);
        let at = token.location();
        if token.kind() == Kind::Text && !at.escaped {
            if at.length != Token::LONG && at.length as usize != name.len() {
                return false;
            }
            return self.source_slice(token) == name;
        }
        self.key_of(id).as_ref() == name
    }
}

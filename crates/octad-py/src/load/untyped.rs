//! Any subtree of a tape as plain Python objects: dict, list, str, int, float, bool, None.
//!
//! Two loops and an explicit stack: one fills a list, one fills a dict, a nested container changes
//! from one to the other. Containers have their final size from the counts on the tape.

use core::cell::Cell;

use octad_core::error::{Error, ErrorCode};
use octad_core::formats::json::Duplicates;
use octad_core::source::Source;
use octad_core::token::{Kind, Token, TokenId, variant};
use pyo3::prelude::*;

use super::digits;
use super::records::Members;
use super::repeated::first_repeated;
use crate::cpython::{
    self, Held, Keys, NewDict, NewList, NewRecord, Obj, Place, ShapeId, Sighting, Strings, Trail,
    number,
};
use crate::options::{Floats, Rules};

/// Why objects could not be made.
pub enum Trouble {
    /// The value at this token is at fault.
    Value(Error, TokenId),
    /// An exception of the interpreter: no memory, or what `Decimal` raised.
    Python(PyErr),
}

impl From<PyErr> for Trouble {
    fn from(error: PyErr) -> Self {
        Self::Python(error)
    }
}

enum Open {
    List(NewList),
    /// With the key that waits for its value while an inner container is filled.
    Dict(NewDict, Option<Obj>),
    /// A dict whose keys are those of a known shape.
    Record(NewRecord, ShapeId),
}

/// A container that waits for an inner one.
struct Frame {
    open: Open,
    trail: Trail,
    place: Place,
}

/// A deeper stack is given back after the call.
const DEEPEST: usize = 256;

thread_local! {
    /// The memory of the stack, which is empty between calls.
    static STACK: Cell<Vec<Frame>> = const { Cell::new(Vec::new()) };
}

/// The objects of the value at `root`. The tape is well formed: it came from a reader or has been
/// verified; a wrong count makes a shorter container, nothing worse.
///
/// # Errors
/// See [`Trouble`].
pub fn build<S: Source>(
    py: Python<'_>,
    tokens: &[Token],
    root: TokenId,
    source: &S,
    rules: &Rules,
) -> Result<Obj, Trouble> {
    if let Some(limit) = rules.digits.filter(|limit| *limit < digits::SHORT) {
        digits::check(tokens, root, source, limit)?;
    }
    // A Decimal is made by code that may run anything.
    let hold = rules.hold_collector && rules.floats == Floats::Float;
    let held = hold.then(|| Held::new(py));
    let mut keys = Keys::take(py);
    let mut builder = Builder::new(py, tokens, source, rules, &mut keys);
    let outcome = builder.tree(root).ok_or_else(|| builder.trouble());
    keys.give_back(py);
    drop(held);
    outcome
}

/// Its methods return None on failure; what failed is in `trouble`, or else set as the
/// interpreter's exception. So the results of the hot paths fit a register.
pub(super) struct Builder<'a, 'py, S> {
    pub(super) py: Python<'py>,
    pub(super) tokens: &'a [Token],
    pub(super) source: &'a S,
    pub(super) rules: &'a Rules,
    pub(super) keys: &'a mut Keys,
    pub(super) strings: Strings<'py>,
    /// Records of one shape share a table of keys.
    shared: bool,
    pub(super) scratch: Vec<u8>,
    pub(super) trouble: Option<Trouble>,
    /// A key came twice.
    repeated: bool,
}

impl<'a, 'py, S: Source> Builder<'a, 'py, S> {
    /// A builder over a tape.
    #[inline]
    pub(super) fn new(
        py: Python<'py>,
        tokens: &'a [Token],
        source: &'a S,
        rules: &'a Rules,
        keys: &'a mut Keys,
    ) -> Self {
        Self {
            py,
            tokens,
            source,
            rules,
            keys,
            strings: Strings::new(py, tokens.len()),
            shared: cpython::shared_keys(py),
            scratch: Vec::new(),
            trouble: None,
            repeated: false,
        }
    }

    /// The objects of the value at `root`.
    #[inline]
    pub(super) fn tree(&mut self, root: TokenId) -> Option<Obj> {
        let mut stack = STACK.take();
        let outcome = self.value(root, &mut stack);
        stack.clear();
        if stack.capacity() <= DEEPEST {
            STACK.set(stack);
        }
        if self.repeated {
            self.find_repeated(root);
        }
        outcome
    }

    #[cold]
    fn find_repeated(&mut self, root: TokenId) {
        self.repeated = false;
        let key = first_repeated(self.tokens, root, self.source).unwrap_or(root);
        let error = Error::new(ErrorCode::RepeatedField).with("expected", "each key");
        self.trouble = Some(Trouble::Value(error, key));
    }

    /// What failed, after a method has returned None.
    #[cold]
    pub(super) fn trouble(&mut self) -> Trouble {
        let trouble = self.trouble.take();
        trouble.unwrap_or_else(|| PyErr::fetch(self.py).into())
    }

    fn value(&mut self, root: TokenId, stack: &mut Vec<Frame>) -> Option<Obj> {
        let token = self.token(root);
        if !token.is_container() {
            return self.scalar(token, root);
        }
        let mut trail = self.keys.start();
        let mut place = Place::default();
        let mut current = self.open(token, root, place, trail)?;
        let mut id = root + 1;
        'container: loop {
            match &mut current {
                Open::List(list) => {
                    while list.left() > 0 {
                        let token = self.token(id);
                        let value = match self.plain(token, place.number()) {
                            Some(made) => made?,
                            None => {
                                let token = self.value_token(&mut id)?;
                                if !token.is_container() || Self::is_empty(token) {
                                    self.scalar(token, id)?
                                } else if Self::is_leaf(token) {
                                    let made = self.leaf(token, id, place, trail)?;
                                    id += token.span() - 1;
                                    made
                                } else {
                                    let inner = self.open(token, id, place, trail)?;
                                    let open = core::mem::replace(&mut current, inner);
                                    stack.push(Frame { open, trail, place });
                                    id += 1;
                                    continue 'container;
                                }
                            }
                        };
                        id += 1;
                        list.push(value);
                    }
                }
                Open::Record(record, shape) => {
                    while record.left() > 0 {
                        // The key was compared when the record was opened.
                        id += 1;
                        let token = self.token(id);
                        match self.plain(token, shape.inner(record.left()).number()) {
                            Some(made) => record.push_text(made?),
                            None => {
                                let token = self.value_token(&mut id)?;
                                if !token.is_container() || Self::is_empty(token) {
                                    record.push(self.scalar(token, id)?);
                                } else {
                                    let inner_place = shape.inner(record.left());
                                    let inner_trail = self.keys.at(inner_place);
                                    if Self::is_leaf(token) {
                                        record.push(self.leaf(
                                            token,
                                            id,
                                            inner_place,
                                            inner_trail,
                                        )?);
                                        id += token.span() - 1;
                                    } else {
                                        let inner =
                                            self.open(token, id, inner_place, inner_trail)?;
                                        let open = core::mem::replace(&mut current, inner);
                                        stack.push(Frame { open, trail, place });
                                        (trail, place) = (inner_trail, inner_place);
                                        id += 1;
                                        continue 'container;
                                    }
                                }
                            }
                        }
                        id += 1;
                    }
                }
                Open::Dict(dict, pending) => {
                    while let Some((token, key)) = self.pairs(dict, &mut id, &mut trail)? {
                        let inner_place = Self::inner_place(dict, place, trail);
                        let inner_trail = self.keys.inner(trail);
                        if Self::is_leaf(token) {
                            let made = self.leaf(token, id, inner_place, inner_trail)?;
                            self.insert(dict, &key, made)?;
                            id += token.span();
                            continue;
                        }
                        *pending = Some(key);
                        let inner = self.open(token, id, inner_place, inner_trail)?;
                        let open = core::mem::replace(&mut current, inner);
                        stack.push(Frame { open, trail, place });
                        (trail, place) = (inner_trail, inner_place);
                        id += 1;
                        continue 'container;
                    }
                }
            }
            let done = match current {
                Open::List(list) => list.finish(),
                Open::Record(record, _) => record.finish(),
                Open::Dict(dict, _) => dict.finish(),
            };
            let Some(outer) = stack.pop() else {
                return Some(done);
            };
            Frame {
                open: current,
                trail,
                place,
            } = outer;
            match &mut current {
                Open::List(list) => list.push(done),
                Open::Record(record, _) => record.push(done),
                Open::Dict(dict, pending) => {
                    if let Some(key) = pending.take() {
                        self.insert(dict, &key, done)?;
                    }
                }
            }
        }
    }

    /// Fills a dict up to its end or to the first container that is not empty: that one's token, at
    /// `id`, and its key.
    ///
    /// A function of its own, so that its loop has the registers for itself.
    #[inline(never)]
    fn pairs(
        &mut self,
        dict: &mut NewDict,
        at: &mut TokenId,
        trail: &mut Trail,
    ) -> Option<Option<(Token, Obj)>> {
        let mut id = *at;
        while dict.left() > 0 {
            let key = self.key(&mut id, trail)?;
            id += 1;
            let token = self.token(id);
            let value = match self.plain(token, trail.last()) {
                Some(made) => made?,
                None => {
                    let token = self.value_token(&mut id)?;
                    if token.is_container() && !Self::is_empty(token) {
                        *at = id;
                        return Some(Some((token, key)));
                    }
                    self.scalar(token, id)?
                }
            };
            id += 1;
            self.insert(dict, &key, value)?;
        }
        *at = id;
        Some(None)
    }

    /// The place of what stands under the last key of a dict: one for all keys where there are so
    /// many that they are not names but data.
    #[inline]
    fn inner_place(dict: &NewDict, place: Place, trail: Trail) -> Place {
        place.under(if dict.is_wide() { 0 } else { trail.last() + 1 })
    }

    /// A container with nothing in it but scalars and empty containers: made without the stack.
    #[inline(never)]
    fn leaf(&mut self, token: Token, id: TokenId, place: Place, mut trail: Trail) -> Option<Obj> {
        let mut id = id + 1;
        match self.open(token, id - 1, place, trail)? {
            Open::List(mut list) => {
                while list.left() > 0 {
                    let token = self.token(id);
                    let value = match self.plain(token, place.number()) {
                        Some(made) => made?,
                        None => self.scalar(token, id)?,
                    };
                    list.push(value);
                    id += 1;
                }
                Some(list.finish())
            }
            Open::Record(mut record, shape) => {
                while record.left() > 0 {
                    let token = self.token(id + 1);
                    match self.plain(token, shape.inner(record.left()).number()) {
                        Some(made) => record.push_text(made?),
                        None => record.push(self.scalar(token, id + 1)?),
                    }
                    id += 2;
                }
                Some(record.finish())
            }
            Open::Dict(mut dict, _) => match self.pairs(&mut dict, &mut id, &mut trail)? {
                None => Some(dict.finish()),
                Some(_) => self.fail(short_tape(id), id),
            },
        }
    }

    #[inline(always)]
    fn insert(&mut self, dict: &mut NewDict, key: &Obj, value: Obj) -> Option<()> {
        if self.rules.duplicates != Duplicates::Last {
            return self.insert_once(dict, key, value);
        }
        dict.insert(self.py, key, value)
    }

    #[inline(never)]
    fn insert_once(&mut self, dict: &mut NewDict, key: &Obj, value: Obj) -> Option<()> {
        if self.rules.duplicates == Duplicates::First {
            return dict.insert_first(self.py, key, value);
        }
        let known = dict.len(self.py);
        dict.insert(self.py, key, value)?;
        if dict.len(self.py) == known {
            self.repeated = true;
            return None;
        }
        Some(())
    }

    #[inline(always)]
    pub(super) fn token(&self, id: TokenId) -> Token {
        self.tokens.get(id as usize).copied().unwrap_or(Token::VOID)
    }

    /// The token of the next value or key, at `id` or behind comments and tags.
    #[inline(always)]
    pub(super) fn value_token(&mut self, id: &mut TokenId) -> Option<Token> {
        let token = self.token(*id);
        if token.is_beside() {
            return self.skip(id);
        }
        Some(token)
    }

    /// A VOID means that the tape ended too early.
    #[cold]
    #[inline(never)]
    fn skip(&mut self, id: &mut TokenId) -> Option<Token> {
        loop {
            let token = self.token(*id);
            if token.kind() == Kind::Void {
                return self.fail(short_tape(*id), *id);
            }
            if !token.is_beside() {
                return Some(token);
            }
            *id += 1;
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn fail<T>(&mut self, error: Error, id: TokenId) -> Option<T> {
        self.trouble = Some(Trouble::Value(error, id));
        None
    }

    /// A container without content, which needs no place on the stack. (One with nothing but
    /// comments in it is not of this kind.)
    #[inline(always)]
    pub(super) fn is_empty(token: Token) -> bool {
        token.count() == 0 && token.span() == 1
    }

    /// A container of scalars and empty containers alone, by the length of its tape.
    #[inline(always)]
    fn is_leaf(token: Token) -> bool {
        let members = token.count() << u32::from(token.kind() != Kind::List);
        token.span() == members.saturating_add(1)
    }

    /// The container at `id`, whose records stand at `place`; `trail` is that of its keys.
    #[inline(always)]
    fn open(&mut self, token: Token, id: TokenId, place: Place, trail: Trail) -> Option<Open> {
        // Children or pairs; no more than the tape has room for.
        let count = (token.count() as usize).min(self.tokens.len());
        if token.kind() == Kind::List {
            return Some(Open::List(NewList::new(self.py, count)?));
        }
        if self.shared
            && (1..=cpython::MOST).contains(&count)
            && let Some(shape) = self.shape(count, id + 1, place, trail)
        {
            return Some(Open::Record(self.keys.shapes.open(self.py, shape)?, shape));
        }
        Some(Open::Dict(NewDict::new(self.py, count)?, None))
    }

    /// The shape of the record whose first key is at `id`, if it has one.
    #[inline(always)]
    fn shape(&mut self, count: usize, id: TokenId, place: Place, trail: Trail) -> Option<ShapeId> {
        let mut members = Members::new(self.tokens, self.source, &mut self.scratch, id);
        if let Some((shape, known)) = self.keys.shapes.expected(place)
            && known.count() == count
            && members.have(known)
        {
            return Some(shape);
        }
        self.other_shape(count, id, place, trail)
    }

    #[inline]
    fn members(&mut self, id: TokenId) -> Members<'_, S> {
        Members::new(self.tokens, self.source, &mut self.scratch, id)
    }

    /// The shape of a record that is not the one expected there.
    #[inline(never)]
    fn other_shape(
        &mut self,
        count: usize,
        id: TokenId,
        place: Place,
        mut trail: Trail,
    ) -> Option<ShapeId> {
        if !self.keys.shapes.is_curious() {
            return None;
        }
        let hash = self.members(id).hash(count)?;
        let shape = match self.keys.shapes.sight(hash) {
            Sighting::First => return None,
            Sighting::Known(shape) => {
                let mut members = Members::new(self.tokens, self.source, &mut self.scratch, id);
                let known = self.keys.shapes.get(shape)?;
                if known.count() != count || !members.have(known) {
                    return None;
                }
                shape
            }
            Sighting::Second => {
                let mut names = Vec::with_capacity(count);
                let mut id = id;
                for _ in 0..count {
                    let mut members = self.members(id);
                    let text = members.text()?;
                    id = members.id;
                    let Some(key) = self.keys.get(self.py, &text, text.len(), &mut trail) else {
                        // Whoever makes the dict without a shape will find the same.
                        drop(PyErr::take(self.py));
                        return None;
                    };
                    names.push((text, key));
                }
                self.keys.shapes.learn(self.py, hash, &names)?
            }
        };
        self.keys.shapes.found();
        self.keys.shapes.stands(place, shape);
        Some(shape)
    }

    #[inline(always)]
    pub(super) fn key(&mut self, id: &mut TokenId, trail: &mut Trail) -> Option<Obj> {
        let token = self.token(*id);
        if let Some((bytes, length)) = self.source.plain_text(token) {
            return self.keys.get(self.py, bytes, length, trail);
        }
        let token = self.value_token(id)?;
        self.rare_key(token, *id, trail)
    }

    /// The string of a plain text, at a place whose values are of one kind: the most frequent value,
    /// asked for before all others.
    #[inline(always)]
    pub(super) fn plain(&mut self, token: Token, place: u16) -> Option<Option<Obj>> {
        let (bytes, length) = self.source.plain_text(token)?;
        Some(self.strings.shared(bytes, length, place))
    }

    #[inline(never)]
    pub(super) fn rare_key(&mut self, token: Token, id: TokenId, trail: &mut Trail) -> Option<Obj> {
        match self.source.text(token, &mut self.scratch) {
            Ok(text) => {
                let bytes = text.bytes();
                self.keys.get(self.py, bytes, bytes.len(), trail)
            }
            Err(error) => self.fail(error, id),
        }
    }

    #[inline(always)]
    pub(super) fn scalar(&mut self, token: Token, id: TokenId) -> Option<Obj> {
        let py = self.py;
        match token.kind() {
            Kind::Text => self.rare_text(token, id),
            Kind::Int if token.is_owned() => number::int(py, token.int_value()),
            Kind::Real59 => number::float(py, token.real59_value()),
            Kind::List if Self::is_empty(token) => Some(NewList::new(py, 0)?.finish()),
            Kind::Map if Self::is_empty(token) => Some(NewDict::new(py, 0)?.finish()),
            Kind::Simple => Some(match token.variant() {
                variant::TRUE => number::bool(py, true),
                variant::FALSE => number::bool(py, false),
                _ => number::none(py),
            }),
            _ => self.rare(token, id),
        }
    }
}

#[cold]
pub(super) fn short_tape(id: TokenId) -> Error {
    Error::at_token(ErrorCode::InvalidTape, id)
        .with("problem", "no value")
        .with("place", format_args!(" at token {id}"))
}

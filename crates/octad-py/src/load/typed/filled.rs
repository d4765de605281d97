//! Records whose fields are put into the new instance as they come.
//!
//! For plans in which no Python code runs, and classes that store their fields where CPython keeps
//! them. The usual member is spelled plainly, comes in its turn, and is a value that can be made
//! without a look at its node; everything else goes the way of all records.

use octad_core::formats::json::Duplicates;
use octad_core::source::Source;
use octad_core::token::{Kind, Token, TokenId};

use super::Runner;
use super::scalars::{is_null, truth};
use crate::cpython::{NewInstance, NewList, Obj, number};
use crate::plan::{Leaf, Node, NodeId, Record};

impl<'a, S: Source> Runner<'a, '_, S> {
    #[inline(never)]
    pub(super) fn filled(
        &mut self,
        node: NodeId,
        record: &'a Record,
        mut new: NewInstance,
        token: Token,
        id: TokenId,
    ) -> Option<Obj> {
        self.enter(id)?;
        let source = self.base.source;
        let tokens = self.base.tokens;
        let mut guess = 0;
        let mut at = id + 1;
        for _ in 0..self.count(token) {
            // A pair as it usually is: two tokens, the key spelled plainly and in its turn.
            let (usual, token) = if let Some([key, value]) = pair_at(tokens, at)
                && let Some((bytes, length)) = source.plain_text(*key)
                && let Some(usual) = record.usual.get(guess)
                && usual.is_named(bytes, length)
            {
                at += 1;
                (usual, *value)
            } else {
                let key_id = self.key_at(&mut at)?;
                match self.other_name(record, key_id, guess)? {
                    Some(number) => guess = number,
                    None => {
                        let value = self.token(&mut at)?;
                        at += value.span();
                        continue;
                    }
                }
                (record.usual.get(guess)?, self.base.token(at))
            };
            let number = guess;
            guess += 1;
            let Some(place) = new.place(number) else {
                at = self.another(node, record, &mut new, number, at)?;
                continue;
            };
            let (made, span) = match self.usual(usual.leaf, token, at, usual.place) {
                Kept::One(made) => (made?, 1),
                Kept::Several(made) => (made?, token.span()),
                Kept::Other if usual.nullable && is_null(token) => (number::none(self.base.py), 1),
                Kept::Other => {
                    let token = self.token(&mut at)?;
                    (self.value(usual.node, at, usual.place)?, token.span())
                }
            };
            place.put(made);
            at += span;
        }
        if new.filled() != record.fields.len() {
            self.fill_up(node, record, &mut new, id)?;
        }
        self.depth -= 1;
        Some(new.finish())
    }

    /// The key at `at` or behind comments; `at` is behind it then.
    #[inline(never)]
    fn key_at(&mut self, at: &mut TokenId) -> Option<TokenId> {
        self.token(at)?;
        *at += 1;
        Some(*at - 1)
    }

    /// The field of a key that does not come in its turn, or is not told quickly; None where it is
    /// none.
    #[inline(never)]
    fn other_name(
        &mut self,
        record: &'a Record,
        key_id: TokenId,
        guess: usize,
    ) -> Option<Option<usize>> {
        let key = self.base.token(key_id);
        let found = match self.base.source.plain_text(key) {
            Some((bytes, length)) => match record.names.is(guess, bytes, length) {
                Some(field) => Some((guess, field)),
                None => record.names.find(bytes, length),
            },
            None => self.rare_name(record, key, key_id)?,
        };
        // A member may be known though it is no field.
        let field = found.map(|(_, field)| field as usize);
        Some(field.filter(|field| *field < record.usual.len()))
    }

    /// Deals with the value at `at` of a field that has one already; returns what stands behind.
    #[cold]
    fn another(
        &mut self,
        node: NodeId,
        record: &'a Record,
        new: &mut NewInstance,
        number: usize,
        at: TokenId,
    ) -> Option<TokenId> {
        let mut at = at;
        let key_id = at - 1;
        let token = self.token(&mut at)?;
        match self.base.rules.duplicates {
            Duplicates::Error => self.repeated(node, number as u32, key_id)?,
            Duplicates::First => {}
            Duplicates::Last => {
                let usual = record.usual.get(number)?;
                let made = self.value(usual.node, at, usual.place)?;
                new.clear(number);
                if let Some(place) = new.place(number) {
                    place.put(made);
                }
            }
        }
        Some(at + token.span())
    }

    /// Puts in what is absent.
    #[inline(never)]
    fn fill_up(
        &mut self,
        node: NodeId,
        record: &'a Record,
        new: &mut NewInstance,
        id: TokenId,
    ) -> Option<()> {
        for (number, field) in record.fields.iter().enumerate() {
            if let Some(place) = new.place(number)
                && let Some(made) = self.default(node, number, field, id)?
            {
                place.put(made);
            }
        }
        Some(())
    }

    /// A value of a usual kind.
    #[inline(always)]
    fn usual(&mut self, leaf: Leaf, token: Token, id: TokenId, place: u16) -> Kept {
        let py = self.base.py;
        let made = match leaf {
            Leaf::Text => match self.base.source.plain_text(token) {
                Some((bytes, length)) => self.base.strings.shared(bytes, length, place),
                None => return Kept::Other,
            },
            Leaf::Int if token.is_short_int() => number::int(py, token.int_value()),
            Leaf::Float if token.kind() == Kind::Real59 => number::float(py, token.real59_value()),
            Leaf::Bool => match truth(token) {
                Some(truth) => Some(number::bool(py, truth)),
                None => return Kept::Other,
            },
            Leaf::Moment => match self.base.source.plain_text(token) {
                Some((bytes, length)) => match self.usual_moment(bytes, length) {
                    Some(made) => Some(made),
                    None => return Kept::Other,
                },
                None => return Kept::Other,
            },
            Leaf::List(item) if token.kind() == Kind::List => {
                return Kept::Several(self.list(item, token, id, place));
            }
            Leaf::Record(node) if token.kind() == Kind::Map => {
                let Node::Record(record) = self.plan.node(node) else {
                    return Kept::Other;
                };
                return Kept::Several(self.record(node, record, token, id));
            }
            _ => return Kept::Other,
        };
        Kept::One(self.made(made))
    }

    /// The items of a list of usual values, up to its end.
    #[inline(always)]
    pub(super) fn usual_items(
        &mut self,
        list: &mut NewList,
        item: NodeId,
        leaf: Leaf,
        at: TokenId,
        place: u16,
    ) -> Option<()> {
        let mut at = at;
        while list.left() > 0 {
            let (made, span) = self.usual_or(leaf, item, &mut at, place);
            list.push(made?);
            at += span;
        }
        Some(())
    }

    /// The value at `at` or behind comments, which may be a usual one; and how many tokens it takes.
    #[inline(always)]
    pub(super) fn usual_or(
        &mut self,
        leaf: Leaf,
        node: NodeId,
        at: &mut TokenId,
        place: u16,
    ) -> (Option<Obj>, u32) {
        let token = self.base.token(*at);
        match self.usual(leaf, token, *at, place) {
            Kept::One(made) => (made, 1),
            Kept::Several(made) => (made, token.span()),
            Kept::Other => match self.token(at) {
                Some(token) => (self.value(node, *at, place), token.span()),
                None => (None, 1),
            },
        }
    }
}

/// Two tokens in a row.
#[inline(always)]
fn pair_at(tokens: &[Token], at: TokenId) -> Option<&[Token; 2]> {
    tokens.get(at as usize..)?.first_chunk()
}

/// What became of a value that may be a usual one.
enum Kept {
    /// It is, and takes one token: the value, or a failure.
    One(Option<Obj>),
    /// It is, and takes as many tokens as it spans.
    Several(Option<Obj>),
    /// It is not.
    Other,
}

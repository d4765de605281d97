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
        let mut guess = 0;
        let mut at = id + 1;
        for _ in 0..self.count(token) {
            let key = self.base.token(at);
            let mut key_id = at;
            let found = match source.plain_text(key) {
                Some((bytes, length)) => match record.names.is(guess, bytes, length) {
                    Some(field) => Some((guess, field)),
                    None => record.names.find(bytes, length),
                },
                None => {
                    let key = self.token(&mut at)?;
                    key_id = at;
                    self.rare_name(record, key, key_id)?
                }
            };
            at += 1;
            let Some((name, field)) = found else {
                let value = self.token(&mut at)?;
                at += value.span();
                continue;
            };
            guess = name + 1;
            let number = field as usize;
            let Some(spec) = record.fields.get(number) else {
                // A member that is known though it is no field.
                let value = self.token(&mut at)?;
                at += value.span();
                continue;
            };
            let again = !new.lacks(number);
            if again && self.base.rules.duplicates != Duplicates::Last {
                if self.base.rules.duplicates == Duplicates::Error {
                    self.repeated(node, field, key_id)?;
                }
                let value = self.token(&mut at)?;
                at += value.span();
                continue;
            }
            let place = (node as u16).wrapping_mul(61).wrapping_add(field as u16);
            let token = self.base.token(at);
            let made = match self.usual(spec.leaf, token, at, place) {
                Usual::Made(made) => made?,
                Usual::Other if spec.nullable && is_null(token) => number::none(self.base.py),
                Usual::Other => {
                    self.token(&mut at)?;
                    self.value(spec.node, at, place)?
                }
            };
            if again {
                new.clear(number);
            }
            new.put(number, made);
            at += self.base.token(at).span();
        }
        if new.filled() != record.fields.len() {
            self.fill_up(node, record, &mut new, id)?;
        }
        self.depth -= 1;
        Some(new.finish())
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
            if new.lacks(number)
                && let Some(made) = self.default(node, number, field, id)?
            {
                new.put(number, made);
            }
        }
        Some(())
    }

    /// A value of a usual kind.
    #[inline(always)]
    fn usual(&mut self, leaf: Leaf, token: Token, id: TokenId, place: u16) -> Usual {
        let py = self.base.py;
        let made = match leaf {
            Leaf::Text => match self.base.source.plain_text(token) {
                Some((bytes, length)) => self.base.strings.shared(bytes, length, place),
                None => return Usual::Other,
            },
            Leaf::Int if token.is_short_int() => number::int(py, token.int_value()),
            Leaf::Float if token.kind() == Kind::Real59 => number::float(py, token.real59_value()),
            Leaf::Bool => match truth(token) {
                Some(truth) => return Usual::Made(Some(number::bool(py, truth))),
                None => return Usual::Other,
            },
            Leaf::Moment => match self.base.source.plain_text(token) {
                Some((bytes, length)) => match self.usual_moment(bytes, length) {
                    Some(made) => return Usual::Made(Some(made)),
                    None => return Usual::Other,
                },
                None => return Usual::Other,
            },
            Leaf::List(item) if token.kind() == Kind::List => {
                return Usual::Made(self.list(item, token, id, place));
            }
            Leaf::Record(node) if token.kind() == Kind::Map => {
                let Node::Record(record) = self.plan.node(node) else {
                    return Usual::Other;
                };
                return Usual::Made(self.record(node, record, token, id));
            }
            _ => return Usual::Other,
        };
        Usual::Made(self.made(made))
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
            let token = self.base.token(at);
            let made = match self.usual(leaf, token, at, place) {
                Usual::Made(made) => made?,
                Usual::Other => {
                    self.token(&mut at)?;
                    self.value(item, at, place)?
                }
            };
            list.push(made);
            at += self.base.token(at).span();
        }
        Some(())
    }
}

/// What became of a value that may be a usual one.
enum Usual {
    /// It is: the value, or a failure.
    Made(Option<Obj>),
    /// It is not.
    Other,
}

//! Keys of dicts that are more than text: a node is run on the text of the key.

use octad_core::error::ErrorCode;
use octad_core::source::Source;
use octad_core::token::TokenId;
use pyo3::prelude::*;

use super::Runner;
use super::fault::{Flaw, Words};
use super::scalars::uuid_value;
use crate::cpython::{Obj, Trail, number};
use crate::plan::{Node, NodeId, Wire};

impl<'a, S: Source> Runner<'a, '_, S> {
    /// The key at a token.
    pub(super) fn key_value(&mut self, node: NodeId, id: TokenId) -> Option<Obj> {
        let plan = self.plan;
        let token = self.base.token(id);
        match plan.node(node) {
            Node::Str | Node::Any => {
                let made = self.base.key(&mut { id }, &mut Trail::default());
                self.untyped(made)
            }
            Node::Int(_) => self.int_from_text(token, id),
            Node::Float(_) => self.float_from_text(token, id),
            Node::Bool => {
                let found = self.with_text(token, id, |text| match text {
                    b"true" => Some(true),
                    b"false" => Some(false),
                    _ => None,
                })?;
                match found {
                    Some(truth) => Some(number::bool(self.base.py, truth)),
                    None => self.invalid(Words::Are("`true` or `false`"), id),
                }
            }
            Node::None => {
                if self.with_text(token, id, |text| text == b"null")? {
                    return Some(number::none(self.base.py));
                }
                self.invalid(Words::Are("`null`"), id)
            }
            Node::Decimal => self.decimal(token, id),
            Node::Bytes(kind, form) => self.bytes(*kind, *form, token, id),
            Node::Uuid => {
                let found = self.with_text(token, id, uuid_value)?;
                self.uuid_of(found, id)
            }
            Node::Time(time) => {
                let text = self.decoded(token, id)?;
                self.time_of_key(node, time, &text, id)
            }
            Node::Table(table) => {
                let text = self.decoded(token, id)?;
                let found = table
                    .find(Wire::Text(&text))
                    .or_else(|| written(&text).and_then(|wire| table.find(wire)));
                if let Some(result) = found.and_then(|found| table.result(found)) {
                    return Some(Obj::from_bound(result.bind(self.base.py)));
                }
                let Some(fallback) = &table.fallback else {
                    return self.invalid(Words::Node(node), id);
                };
                let raw = self.fallback_key(&text, id)?;
                let py = self.base.py;
                let made = fallback.bind(py).call1((raw.into_bound(py),));
                self.called(made, Words::Node(node), id)
            }
            Node::Call(call) => {
                let py = self.base.py;
                let value = self.key_value(call.child, id)?.into_bound(py);
                let made = call.callable.bind(py).call1((value,));
                self.called(made, Words::Node(node), id)
            }
            Node::Convert(convert) => self.convert_key(convert, id),
            Node::Shared(inner) => self.key_value(*inner, id),
            Node::Checked(checked) => {
                let value = self.key_value(checked.child, id)?;
                self.check(&checked.checks, value, id)
            }
            Node::Union(union) => {
                let mut tried = Vec::new();
                // A key is text, whatever it stands for.
                let order = [4, 2, 3, 1, 0, 5];
                let nodes = order.iter().flat_map(|kind| &union.candidates[*kind]);
                let mut branches = Vec::new();
                for branch in nodes {
                    if tried.contains(branch) {
                        continue;
                    }
                    tried.push(*branch);
                    match self.attempt(|runner| runner.key_value(*branch, id))? {
                        Ok(made) => return Some(made),
                        Err(fault) => branches.push((*branch, fault)),
                    }
                }
                let mut flaw = Flaw::new(ErrorCode::NoUnionMember, Words::Node(node));
                flaw.branches = branches;
                self.flaw(flaw, id)
            }
            _ => self.flaw(Flaw::new(ErrorCode::WrongType, Words::Node(node)), id),
        }
    }

    /// What a table's fallback gets of a key: a number where the text is one.
    fn fallback_key(&mut self, text: &[u8], id: TokenId) -> Option<Obj> {
        match super::scalars::whole_number(text) {
            Some(_) => self.int_from_text(self.base.token(id), id),
            None => self.str_of(text),
        }
    }
}

/// The value that a key's text stands for, if it is no text.
fn written(text: &[u8]) -> Option<Wire<'_>> {
    match text {
        b"null" => return Some(Wire::Null),
        b"true" => return Some(Wire::Bool(true)),
        b"false" => return Some(Wire::Bool(false)),
        _ => {}
    }
    if let Some(number) = super::scalars::whole_number(text) {
        return Some(number.parse().map_or(Wire::Big(number), Wire::Int));
    }
    let number = super::scalars::any_number(text)?;
    number.parse().ok().map(Wire::Float)
}

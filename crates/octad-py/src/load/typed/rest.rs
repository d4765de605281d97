//! The members of an object that no field takes: for flattened fields, for the field of all that is
//! left, kept as attributes, or refused.

use octad_core::error::ErrorCode;
use octad_core::formats::json::Duplicates;
use octad_core::source::Source;
use octad_core::token::TokenId;
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::Runner;
use super::fault::{Flaw, Words};
use super::repeats::{Members, Repeats};
use crate::cpython::{NewDict, Obj};
use crate::plan::{Node, NodeId, Record, Unknown};

/// The tokens of a member's key and value.
pub(super) type Member = (TokenId, TokenId);

/// Attributes that are no fields of their own, and their values.
pub(super) type Others<'a> = Vec<(&'a Py<PyString>, Obj)>;

/// A node that takes anything; no plan has so many nodes.
pub(super) const ANYTHING: NodeId = NodeId::MAX;

impl<'a, S: Source> Runner<'a, '_, S> {
    /// What flattened fields and the field of all that is left make of the rest; what nobody takes
    /// stays in it, to become attributes.
    pub(super) fn rest(
        &mut self,
        node: NodeId,
        record: &'a Record,
        rest: &mut Vec<Member>,
        id: TokenId,
    ) -> Option<Others<'a>> {
        if self.run.references.is_some() {
            self.drop_id(rest)?;
        }
        let (mut others, mut failed) = self.all_flattened(record, rest, id)?;
        if let Some(extra) = &record.extra {
            let taken = core::mem::take(rest);
            match self.dict_of(&taken, ANYTHING) {
                Some(made) => others.push((extra, made)),
                None => {
                    self.goes_on()?;
                    failed = true;
                }
            }
        } else if record.unknown == Unknown::Forbid {
            for (key_id, _) in core::mem::take(rest) {
                let flaw = Flaw::new(ErrorCode::UnknownField, Words::Fields(node));
                self.flaw::<()>(flaw, key_id);
                self.goes_on()?;
                failed = true;
            }
        } else if record.unknown == Unknown::Keep {
            self.keep(rest)?;
        }
        if failed {
            return self.noted();
        }
        Some(others)
    }

    /// Puts what is to be kept where [`Runner::kept`] takes it from.
    fn keep(&mut self, rest: &mut Vec<Member>) -> Option<()> {
        let py = self.base.py;
        let taken = core::mem::take(rest);
        if taken.is_empty() {
            return Some(());
        }
        let dict = self.dict_of(&taken, ANYTHING)?;
        self.kept = Some(dict.into_bound(py).unbind());
        Some(())
    }

    /// What stands flattened in the object of a record, and whether something of it failed.
    fn all_flattened(
        &mut self,
        record: &'a Record,
        rest: &mut Vec<Member>,
        id: TokenId,
    ) -> Option<(Others<'a>, bool)> {
        let mut others = Vec::new();
        let mut failed = false;
        // Records first, since dicts take everything.
        for takes_all in [false, true] {
            for (attribute, inner) in &record.flatten {
                let made = match self.plan.node(*inner) {
                    Node::Record(flat) if !takes_all => self.flattened(*inner, flat, rest, id),
                    Node::Dict(_, value) if takes_all => {
                        let taken = core::mem::take(rest);
                        self.dict_of(&taken, *value)
                    }
                    _ => continue,
                };
                match made {
                    Some(made) => others.push((attribute, made)),
                    None => {
                        self.goes_on()?;
                        failed = true;
                    }
                }
            }
        }
        Some((others, failed))
    }

    /// A record inside the object of another one: it takes the members that it knows.
    fn flattened(
        &mut self,
        node: NodeId,
        record: &'a Record,
        rest: &mut Vec<Member>,
        id: TokenId,
    ) -> Option<Obj> {
        self.enter(id)?;
        let start = self.slots.len();
        self.slots.resize_with(start + record.fields.len(), || None);
        let made = self.taken(node, record, rest, id, start);
        self.slots.truncate(start);
        self.depth -= 1;
        made
    }

    fn taken(
        &mut self,
        node: NodeId,
        record: &'a Record,
        rest: &mut Vec<Member>,
        id: TokenId,
        start: usize,
    ) -> Option<Obj> {
        let mut left = Vec::new();
        let mut failed = false;
        let mut repeats = Repeats::default();
        let mut tag_seen = false;
        let given = core::mem::take(rest);
        let before = self.before();
        for (key_id, value_id) in given.iter().copied() {
            let key = self.base.token(key_id);
            let done = match self.rare_name(record, key, key_id)? {
                Some((_, field)) if field < Record::KNOWN => {
                    self.field(node, record, field, start, key_id, value_id)
                }
                Some((_, Record::KNOWN)) => Some(()),
                Some(_) => {
                    let again = core::mem::replace(&mut tag_seen, true);
                    match self.base.rules.duplicates {
                        Duplicates::Error if again => {
                            self.repeated_tag(record, key_id);
                            None
                        }
                        _ => self.check_tag(record, value_id),
                    }
                }
                None => {
                    left.push((key_id, value_id));
                    Some(())
                }
            };
            if done.is_none()
                && !self.is_passed_over(
                    &mut repeats,
                    Some(record),
                    Members::These(&given),
                    key_id,
                    &before,
                )?
            {
                self.goes_on()?;
                failed = true;
            }
        }
        *rest = left;
        // What it does not know may belong to another one, so it cannot refuse or keep it.
        let (mut others, some_failed) = self.all_flattened(record, rest, id)?;
        failed |= some_failed;
        if let Some(extra) = &record.extra {
            let Some(empty) = NewDict::new(self.base.py, 0) else {
                return self.made(None);
            };
            others.push((extra, empty.finish()));
        }
        if failed {
            return self.noted();
        }
        self.finish(node, record, start, id, others)
    }
}

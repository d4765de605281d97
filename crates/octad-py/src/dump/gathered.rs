//! Entries of a record that are gathered before the first is written: where they are to be sorted,
//! or come from other records and mappings.

use std::rc::Rc;

use octad_core::error::ErrorCode;
use octad_core::sink::Sink;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::classify::{Class, classify};
use super::containers::no_memory;
use super::fault::{Fault, Outcome, error, type_name};
use super::keys::{self, KeyText};
use super::plans::Plan;
use super::walk::Walk;
use crate::cpython::{Content, Obj};

/// How many records may be flattened into each other.
const MOST_FLATTENED: usize = 64;

/// A record, its plan, and the number of a field.
pub type Origin = (Obj, Rc<Plan>, usize);

/// An entry of a record.
pub struct Entry {
    pub key: KeyText,
    pub value: Obj,
    /// Whose field it is, and which.
    pub of: Option<Origin>,
    /// It is a tag, which no context touches.
    pub tag: bool,
}

impl<S: Sink + Send> Walk<'_, '_, S> {
    /// All entries of a record, in its order.
    pub(super) fn gather(
        &mut self,
        object: &Obj,
        plan: &Rc<Plan>,
        into: &mut Vec<Entry>,
        depth: usize,
    ) -> Outcome {
        if let Some((field, value)) = self.inner_tag(plan) {
            into.push(Entry::tag(field, value));
        }
        for at in 0..plan.fields.len() {
            let Some(value) = self.field_of(object, plan, at)? else {
                continue;
            };
            if self.is_left_out(plan, at, &value)? {
                continue;
            }
            let rule = plan
                .contract
                .as_deref()
                .and_then(|contract| contract.rules.get(at));
            if let Some(rule) = rule.filter(|rule| rule.flatten) {
                let value = self.by_declared_type(rule, value)?;
                self.flatten(value, into, depth + 1)?;
                continue;
            }
            let beside = self.tag_beside(&value)?;
            let py = self.quiet.noisy();
            if let Some((field, tag)) = beside
                && let Some(name) = field.item().chars().map(keys::identity)
                && !plan.has_key(py, &name)
            {
                into.push(Entry::tag(field, tag));
            }
            let py = self.quiet.noisy();
            if let Some(key) = plan.fields.keys().get(at) {
                let key = Obj::from_bound(key.bind(py).as_any());
                into.push(Entry {
                    key: keys::text_of(py, key, self.rules)?,
                    value,
                    of: Some((object.clone(), plan.clone(), at)),
                    tag: false,
                });
            }
        }
        let extra = plan
            .contract
            .as_deref()
            .and_then(|contract| contract.extra.as_ref());
        if let Some(extra) = extra {
            let py = self.quiet.noisy();
            let kept = match object.bind(py).getattr_opt(extra.bind(py))? {
                Some(kept) if !kept.is_none() => kept,
                _ => return Ok(()),
            };
            let is_mapping = kept.is_instance_of::<PyDict>()
                || kept.getattr_opt(pyo3::intern!(py, "items"))?.is_some();
            if !is_mapping {
                return Err(no_members(&kept));
            }
            let kept = Obj::take(kept);
            self.gather_dict(&kept, into)?;
        }
        Ok(())
    }

    /// The entries of a record or mapping that is a field, as entries of the record it is in.
    fn flatten(&mut self, value: Obj, into: &mut Vec<Entry>, depth: usize) -> Outcome {
        let py = self.quiet.noisy();
        match value.item().content() {
            Content::None => return Ok(()),
            Content::Dict => return self.gather_dict(&value, into),
            _ => {}
        }
        match classify(py, &value, &self.rules.scope)? {
            Class::Record(plan) => {
                if depth > MOST_FLATTENED {
                    return Err(error(ErrorCode::Cycle)
                        .with("type", type_name(value.bind(py)))
                        .into());
                }
                self.gather(&value, &plan, into, depth)
            }
            Class::Dict | Class::Mapping => self.gather_dict(&value, into),
            _ => Err(not_flat(value.bind(py))),
        }
    }

    /// The entries of a mapping.
    fn gather_dict(&mut self, mapping: &Obj, into: &mut Vec<Entry>) -> Outcome {
        let py = self.quiet.noisy();
        let pairs: Vec<(Obj, Obj)> = match mapping.bind(py).cast::<PyDict>() {
            Ok(dict) => dict
                .iter()
                .map(|(key, value)| (Obj::take(key), Obj::take(value)))
                .collect(),
            Err(_) => self.pairs_of(mapping)?,
        };
        let room = into.try_reserve(pairs.len());
        room.map_err(|_| no_memory())?;
        let py = self.quiet.noisy();
        for (key, value) in pairs {
            into.push(Entry {
                key: keys::text_of(py, key, self.rules)?,
                value,
                of: None,
                tag: false,
            });
        }
        Ok(())
    }
}

impl Entry {
    fn tag(field: Obj, value: Obj) -> Self {
        Self {
            key: KeyText::Held(field),
            value,
            of: None,
            tag: true,
        }
    }
}

#[cold]
fn no_members(value: &Bound<'_, PyAny>) -> Box<Fault> {
    error(ErrorCode::UnsupportedType)
        .with("type", type_name(value))
        .with(
            "hint",
            " (a field with `extra=True` holds a mapping of further members)",
        )
        .into()
}

#[cold]
fn not_flat(value: &Bound<'_, PyAny>) -> Box<Fault> {
    error(ErrorCode::UnsupportedType)
        .with("type", type_name(value))
        .with(
            "hint",
            " (a field that is flattened holds a record or a mapping)",
        )
        .into()
}

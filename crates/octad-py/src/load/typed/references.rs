//! Values that are shared within a text: `$id` names one, `$ref` stands for it again, `$values` has
//! the items of a list that is named.
//!
//! Dicts, lists and records without code of their own are there before their parts, so cycles close.
//! What a reference leads to is `referred.rs`.
//! Nodes that may be shared are wrapped by the plan (`Node::Shared`), and only where the settings ask
//! for references: other plans know nothing of this.

use core::cell::RefCell;
use std::collections::HashMap;

use octad_core::source::Source;
use octad_core::token::{Kind, Token, TokenId};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyList, PyString};

use super::Runner;
use super::fault::Words;
use super::repeats::{Members, Repeats};
use super::rest::{Member, Others};
use crate::cpython::{self, Obj};
use crate::plan::{Make, Node, NodeId, Record, Sequence};

/// The named values of one text.
#[derive(Default)]
pub struct References(RefCell<HashMap<Box<str>, Named>>);

/// A plan and one of its nodes.
pub(super) type By = (usize, NodeId);

struct Named {
    /// None until it is there.
    object: Option<Obj>,
    /// The object that has the name.
    at: TokenId,
    /// The plan and the node that read it: the innermost one.
    read_by: By,
    /// Those around that node, which take its value as it is or with conditions.
    around: Vec<By>,
    /// All its parts are there, and the conditions on it are met.
    done: bool,
    /// It could not be read.
    failed: bool,
}

/// What is known of a value that something refers to.
pub(super) struct Known {
    pub(super) object: Option<Obj>,
    /// None for an object that is not from the text.
    pub(super) read_by: Option<By>,
    pub(super) around: Vec<By>,
    pub(super) done: bool,
    pub(super) failed: bool,
}

/// A named value that is about to be read.
pub(super) struct Pending {
    at: TokenId,
    name: Box<str>,
    /// It may be shown before its parts are there.
    early: bool,
}

/// The members of an object that are no data.
#[derive(Default)]
struct Marks {
    id: Option<TokenId>,
    reference: Option<TokenId>,
    values: Option<TokenId>,
}

impl<'a, S: Source> Runner<'a, '_, S> {
    /// A value that may have a name, or stand for another one.
    pub(super) fn shared(
        &mut self,
        inner: NodeId,
        token: Token,
        id: TokenId,
        place: u16,
    ) -> Option<Obj> {
        let closed = match self.plan.node(inner) {
            Node::Call(_) | Node::Convert(_) => true,
            Node::Record(record) => matches!(record.make, Make::Validator(_)),
            _ => false,
        };
        if let Some(pending) = self.pending.as_mut().filter(|pending| pending.at == id) {
            // A node within another one, for the same value.
            // What is called makes the value of what stands within it.
            let early = pending.early;
            pending.early = early && !closed;
            if early {
                let name = pending.name.clone();
                self.named(&name, |named, plan| {
                    named.around.push(named.read_by);
                    named.read_by = (plan, inner);
                });
            }
            return self.plain(inner, token, id, place);
        }
        if token.kind() != Kind::Map {
            return self.plain(inner, token, id, place);
        }
        let marks = self.marks(token, id)?;
        if let Some(at) = marks.reference {
            return self.referred(inner, token, id, at);
        }
        let Some(name_at) = marks.id else {
            return self.plain(inner, token, id, place);
        };
        let (name, _) = self.name(name_at)?;
        let at = match marks.values {
            Some(at) if self.count(token) == 2 => at,
            _ => id,
        };
        if self.begin(&name, inner, id) {
            let words = format!("an id that no other value has, unlike {}", &name[1..]);
            return self.invalid(Words::Own(words.into()), name_at);
        }
        let outer = self.pending.replace(Pending {
            at,
            name: name.clone(),
            early: !closed,
        });
        let token = self.base.token(at);
        let made = self.plain(inner, token, at, place);
        self.pending = outer;
        self.named(&name, |named, _| match &made {
            Some(made) => {
                named.object = Some(made.clone());
                named.done = true;
            }
            None => named.failed = true,
        });
        made
    }

    /// A value that has no name, or whose name is noted.
    pub(super) fn plain(
        &mut self,
        inner: NodeId,
        token: Token,
        id: TokenId,
        place: u16,
    ) -> Option<Obj> {
        match (self.plan.node(inner), token.kind()) {
            (Node::Sequence(Sequence::List, item), Kind::List) => {
                self.early_list(*item, token, id, place)
            }
            (Node::Any, Kind::List) => self.early_list(inner, token, id, place),
            (Node::Dict(key, value), Kind::Map) => {
                self.early_dict(Some(*key), *value, token, id, place)
            }
            (Node::Any, Kind::Map) => self.early_dict(None, inner, token, id, place),
            _ => self.value(inner, id, place),
        }
    }

    /// The value of a part: anything within anything may be shared too.
    pub(super) fn part(&mut self, node: NodeId, id: TokenId, place: u16) -> Option<Obj> {
        match self.plan.node(node) {
            Node::Any => self.shared(node, self.base.token(id), id, place),
            _ => self.value(node, id, place),
        }
    }

    fn early_list(&mut self, item: NodeId, token: Token, id: TokenId, place: u16) -> Option<Obj> {
        let list = PyList::empty(self.base.py);
        self.show(id, list.as_any());
        self.each_item(token, id, |runner, _, _, at| {
            let made = runner.part(item, at, place)?;
            let done = list.append(made.into_bound(runner.base.py));
            runner.python(done)
        })?;
        Some(Obj::take(list.into_any()))
    }

    fn early_dict(
        &mut self,
        key: Option<NodeId>,
        value: NodeId,
        token: Token,
        id: TokenId,
        place: u16,
    ) -> Option<Obj> {
        self.enter(id)?;
        let dict = PyDict::new(self.base.py);
        self.show(id, dict.as_any());
        let members = Members::Of(token, id);
        let before = self.before();
        let mut repeats = Repeats::default();
        let mut failed = false;
        let mut at = id + 1;
        for _ in 0..self.count(token) {
            let key_token = self.token(&mut at)?;
            let key_id = at;
            at += 1;
            let token = self.token(&mut at)?;
            if !self.is_id(key_token, key_id)? {
                let name = match key {
                    Some(key) => self.key_value(key, key_id),
                    None => {
                        let made = self
                            .base
                            .key(&mut { key_id }, &mut cpython::Trail::default());
                        self.untyped(made)
                    }
                };
                let made = match name {
                    Some(name) => self.part(value, at, place).map(|made| (name, made)),
                    None => None,
                };
                let done = match made {
                    Some((name, made)) => self.set_item(&dict, name, made, key_id),
                    None => None,
                };
                if done.is_none()
                    && !self.is_passed_over(&mut repeats, None, members, key_id, &before)?
                {
                    self.goes_on()?;
                    failed = true;
                }
            }
            at += token.span();
        }
        self.depth -= 1;
        if failed {
            return self.noted();
        }
        Some(Obj::take(dict.into_any()))
    }

    /// The instance of a named record, if it can be there before its fields.
    pub(super) fn early_record(&mut self, record: &'a Record, id: TokenId) -> Option<Option<Obj>> {
        let waits = |pending: &Pending| pending.at == id && pending.early;
        if !self.pending.as_ref().is_some_and(waits) {
            return Some(None);
        }
        let py = self.base.py;
        let made = match (&record.make, &record.class) {
            (Make::Dict, _) => PyDict::new(py).into_any(),
            (Make::Call(_) | Make::Tuple | Make::Validator(_), _) | (_, None) => {
                return Some(None);
            }
            (_, Some(class)) => {
                // No code of the class runs: it has no `__new__` of its own.
                let class = class.bind(py);
                let made = class.call_method1("__new__", (class,));
                self.python(made)?
            }
        };
        self.show(id, &made);
        Some(Some(Obj::take(made)))
    }

    /// Gives an instance that is there already its fields.
    pub(super) fn finish_early(
        &mut self,
        node: NodeId,
        record: &'a Record,
        made: Obj,
        start: usize,
        id: TokenId,
        others: Others<'a>,
    ) -> Option<Obj> {
        let py = self.base.py;
        let kept = self.kept.take();
        self.defaults(node, record, start, id)?;
        let mut parts = Vec::with_capacity(record.fields.len());
        for (number, field) in record.fields.iter().enumerate() {
            if let Some(value) = self.slots.get_mut(start + number).and_then(Option::take) {
                parts.push((&field.attribute, value));
            }
        }
        parts.extend(others);
        let dict = match &record.make {
            Make::Dict => Some(made.bind(py).cast::<PyDict>().cloned()),
            _ => None,
        };
        let dict = match dict {
            Some(dict) => Some(self.python(dict.map_err(PyErr::from))?),
            None => None,
        };
        for (attribute, value) in parts {
            let done = match &dict {
                Some(dict) => dict.set_item(attribute, value.into_bound(py)),
                None => cpython::store(py, &made, attribute.bind(py), &value),
            };
            self.python(done)?;
        }
        if let Some(kept) = kept {
            let done = super::make::keep(py, &made, kept);
            self.python(done)?;
        }
        self.with_hooks(node, record, made, id)
    }

    /// Takes the name of an object from its members.
    pub(super) fn drop_id(&mut self, rest: &mut Vec<Member>) -> Option<()> {
        let mut left = Vec::with_capacity(rest.len());
        for (key_id, value_id) in core::mem::take(rest) {
            if !self.is_id(self.base.token(key_id), key_id)? {
                left.push((key_id, value_id));
            }
        }
        *rest = left;
        Some(())
    }

    fn is_id(&mut self, key: Token, id: TokenId) -> Option<bool> {
        self.with_text(key, id, |text| text == b"$id")
    }

    fn marks(&mut self, token: Token, id: TokenId) -> Option<Marks> {
        let mut marks = Marks::default();
        self.each_member(token, id, |runner, key, key_id, at| {
            runner.with_text(key, key_id, |text| match text {
                b"$id" => marks.id = Some(at),
                b"$ref" => marks.reference = Some(at),
                b"$values" => marks.values = Some(at),
                _ => {}
            })
        })?;
        Some(marks)
    }

    /// A name, with the kind of its value in front, and that value.
    pub(super) fn name(&mut self, id: TokenId) -> Option<(Box<str>, Obj)> {
        let given = self.any(id)?;
        let value = given.bind(self.base.py);
        let kind = if value.is_exact_instance_of::<PyString>() {
            't'
        } else if value.is_exact_instance_of::<PyInt>() {
            'i'
        } else {
            return self.wrong("an id as text or as an integer", id);
        };
        let text = value.str().map(|text| text.to_string_lossy().into_owned());
        let text = self.python(text)?;
        Some((format!("{kind}{text}").into(), given))
    }

    /// Notes that a value of a name begins; true if another one has that name.
    fn begin(&mut self, name: &str, inner: NodeId, at: TokenId) -> bool {
        let read_by = self.by(inner);
        let Some(references) = self.run.references else {
            return false;
        };
        let mut known = references.0.borrow_mut();
        if known.get(name).is_some_and(|named| named.at != at) {
            return true;
        }
        let named = Named {
            object: None,
            at,
            read_by,
            around: Vec::new(),
            done: false,
            failed: false,
        };
        // What was there was read from the same value: for a branch of a union, for example.
        let old = known.insert(name.into(), named);
        drop(known);
        drop(old);
        false
    }

    /// A node of this plan among those of all plans.
    pub(super) fn by(&self, node: NodeId) -> By {
        (core::ptr::from_ref(self.plan).addr(), node)
    }

    /// What a name stands for, as far as that is known.
    pub(super) fn known(&self, name: &str) -> Option<Known> {
        let known = self.run.references?.0.borrow();
        let named = known.get(name)?;
        Some(Known {
            object: named.object.clone(),
            read_by: Some(named.read_by),
            around: named.around.clone(),
            done: named.done,
            failed: named.failed,
        })
    }

    fn named(&self, name: &str, change: impl FnOnce(&mut Named, usize)) {
        let plan = core::ptr::from_ref(self.plan).addr();
        if let Some(references) = self.run.references {
            let old = {
                let mut known = references.0.borrow_mut();
                let Some(named) = known.get_mut(name) else {
                    return;
                };
                let old = named.object.clone();
                change(named, plan);
                old
            };
            // Freed, perhaps, when nothing is borrowed.
            drop(old);
        }
    }

    /// Shows a value before its parts are there, if it is the one that waits for that.
    fn show(&mut self, id: TokenId, object: &Bound<'_, PyAny>) {
        let waits = |pending: &Pending| pending.at == id && pending.early;
        if !self.pending.as_ref().is_some_and(waits) {
            return;
        }
        if let Some(pending) = self.pending.take() {
            let object = Obj::from_bound(object);
            self.named(&pending.name, |named, _| named.object = Some(object));
        }
    }
}

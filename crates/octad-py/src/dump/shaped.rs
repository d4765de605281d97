//! Records with a contract that says more than names, step by step.
//!
//! Every step may run Python code (a property, a hook, a condition), so a frame holds all it needs.
//! Values that a context touches are opened as slow frames here too; the hot loops see neither.

use std::rc::Rc;
use std::sync::Arc;
use std::vec;

use octad_core::error::{ErrorCode, Segment};
use octad_core::sink::{Chars, Sink};
use pyo3::exceptions::{PyAttributeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyFloat;

use super::classify::{Class, classify};
use super::context::Context;
use super::contract::{Contract, Default, FieldRule, TagPlace, omit, unset};
use super::fault::{Outcome, error, type_name};
use super::frames::Frame;
use super::gathered::{Entry, Origin};
use super::keys::{self, KeyText};
use super::plans::Plan;
use super::rules::Order;
use super::walk::{Next, Walk};
use crate::cpython::{Content, Obj};

/// A record that is written step by step.
pub struct ShapedFrame {
    pub owner: Obj,
    pub plan: Rc<Plan>,
    /// The next field, or how many entries have been begun.
    next: usize,
    /// Entries that were gathered before.
    entries: Option<vec::IntoIter<Entry>>,
    /// The key of the entry being written.
    key: Option<KeyText>,
    /// Where the entry being written comes from.
    from: Option<Origin>,
    /// There is an object around it, whose only key is the tag.
    around: bool,
    /// What holds for values outside.
    outside: Option<Arc<Context>>,
    /// The tags that were written beside values.
    pub tags: Vec<Box<[u8]>>,
}

impl ShapedFrame {
    /// The step to the value being written.
    pub fn segment(&self, py: Python<'_>) -> Option<Segment> {
        if let Some(key) = &self.key {
            return Some(Segment::Key(key.chars().to_text()));
        }
        let at = self.next.checked_sub(1)?;
        if self.is_array() {
            return Some(Segment::Index(at + usize::from(self.begins_with_tag())));
        }
        let key = self.plan.fields.keys().get(at)?;
        Some(Segment::Key(key.bind(py).to_string_lossy().into_owned()))
    }

    fn contract(&self) -> Option<&Contract> {
        self.plan.contract.as_deref()
    }

    /// Whether it is written as an array.
    pub fn is_array(&self) -> bool {
        self.contract().is_some_and(|contract| contract.array)
    }

    fn begins_with_tag(&self) -> bool {
        let tag = self.contract().and_then(|contract| contract.tag.as_ref());
        tag.is_some_and(|tag| tag.place == TagPlace::Inside)
    }

    /// The attribute of the field being written, where it is one of this record's own.
    pub fn field(&self) -> Option<Origin> {
        if self.entries.is_some() {
            return self.from.clone();
        }
        let at = self.next.checked_sub(1)?;
        Some((self.owner.clone(), self.plan.clone(), at))
    }
}

impl FieldRule {
    /// Whether a value is left out.
    fn leaves_out(&self, value: &Bound<'_, PyAny>, unset: &[Py<PyAny>]) -> PyResult<bool> {
        if self.omit & omit::NONE != 0 && value.is_none()
            || self.omit & omit::UNSET != 0 && unset.iter().any(|one| value.is(one))
            || self.omit & omit::EMPTY != 0 && is_empty(value)?
            || self.omit & omit::DEFAULT != 0 && self.is_default(value)?
        {
            return Ok(true);
        }
        match &self.omit_if {
            Some(condition) => condition.bind(value.py()).call1((value,))?.is_truthy(),
            None => Ok(false),
        }
    }

    fn is_default(&self, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        let py = value.py();
        let made;
        let default = match &self.default {
            Default::None | Default::Absent => return Ok(false),
            Default::Value(default) => default.bind(py),
            Default::Factory(factory) => {
                made = factory.bind(py).call0()?;
                &made
            }
        };
        if value.is(default) {
            return Ok(true);
        }
        // Only a value of the same type is read again as the default.
        if !value.get_type().is(default.get_type()) {
            return Ok(false);
        }
        if let (Ok(one), Ok(other)) = (
            value.cast_exact::<PyFloat>(),
            default.cast_exact::<PyFloat>(),
        ) {
            return Ok(one.value().to_bits() == other.value().to_bits());
        }
        // What cannot be compared as a whole (an array) is written.
        match value.eq(default) {
            Err(error) if error.is_instance_of::<PyValueError>(py) => Ok(false),
            equal => equal,
        }
    }
}

/// Whether a value is a text or container without anything in it.
fn is_empty(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = value.py();
    let kind = value.get_type();
    if kind.getattr_opt(pyo3::intern!(py, "__len__"))?.is_none()
        || kind
            .getattr_opt(pyo3::intern!(py, "__dataclass_fields__"))?
            .is_some()
        || kind
            .getattr_opt(pyo3::intern!(py, "__attrs_attrs__"))?
            .is_some()
    {
        return Ok(false);
    }
    Ok(value.len()? == 0)
}

impl<'py, S: Sink + Send> Walk<'_, 'py, S> {
    /// What holds for values from here on.
    pub(super) fn set_context(&mut self, context: Option<Arc<Context>>) {
        self.slow = self.rules.sharing.is_on() || context.as_deref().is_some_and(Context::is_slow);
        self.context = context;
    }

    /// Opens a record that has a contract, or stands where a context is no call's own.
    pub(super) fn open_shaped(&mut self, object: Obj, plan: Rc<Plan>) -> Outcome<Next> {
        let py = self.quiet.noisy();
        let contract = plan.contract.as_deref();
        let before = contract.and_then(|contract| contract.before.as_ref());
        // What a hook gave is not shown to it again.
        let answer = self.answer.take();
        let is_answer = |before: &Py<PyAny>| {
            answer.as_ref().is_some_and(|(given, by)| {
                by.is(before) && given.item().address() == object.item().address()
            })
        };
        if let Some(before) = before
            && !is_answer(before)
        {
            let other = before.bind(py).call1((object.bind(py),))?;
            if !other.is_none() && !other.is(object.bind(py)) {
                self.stand_in();
                let other = Obj::take(other);
                self.answer = Some((other.clone(), before.clone_ref(py)));
                return Ok(Next::Instead(other));
            }
        }
        if let Some(tag) = contract.and_then(|contract| contract.tag.as_ref())
            && tag.place == TagPlace::Beside
            && !self.beside
        {
            let expected = format!(
                " (its tag stands beside it: expected a record around it, with the tag {} of its own)",
                octad_core::error::quote(tag.field.bind(py).to_string_lossy().as_bytes())
            );
            return Err(error(ErrorCode::UnsupportedType)
                .with("type", type_name(object.bind(py)))
                .with("hint", expected)
                .into());
        }
        let array = contract.is_some_and(|contract| contract.array);
        let gathered = contract.is_some_and(|contract| contract.gathered);
        let outside = self.context.clone();
        let mut entries = None;
        if !array && (gathered || self.rules.order != Order::Kept || self.rules.replaced) {
            let mut found = Vec::new();
            self.gather(&object, &plan, &mut found, 0)?;
            match self.rules.order {
                Order::Kept => keys::check_distinct(found.iter().map(|entry| &entry.key))?,
                order => keys::sort(&mut found, order, |entry| &entry.key)?,
            }
            entries = Some(found.into_iter());
        }
        let around = contract
            .and_then(|contract| contract.tag.as_ref())
            .filter(|tag| tag.place == TagPlace::Around);
        let around_key = match around {
            Some(tag) => Some(keys::text_of(
                self.quiet.noisy(),
                Obj::from_bound(tag.value.bind(self.quiet.noisy())),
                self.rules,
            )?),
            None => None,
        };
        let count = entries.as_ref().map(ExactSizeIterator::len);
        let tag = self.inner_tag(&plan).filter(|_| entries.is_none());
        self.push(Frame::Shaped(Box::new(ShapedFrame {
            owner: object,
            plan,
            next: 0,
            entries,
            key: None,
            from: None,
            around: around_key.is_some(),
            outside,
            tags: Vec::new(),
        })))?;
        if let Some(key) = around_key {
            self.sink.begin_map(Some(1));
            self.sink.key(key.chars());
        }
        self.announce();
        if array {
            self.sink.begin_list(None);
        } else {
            self.sink.begin_map(count);
        }
        if let Some((field, value)) = tag {
            self.put_tag((!array).then_some(&field), value)?;
        }
        Ok(Next::Done)
    }

    /// The tag that stands inside, first of all.
    pub(super) fn inner_tag(&mut self, plan: &Plan) -> Option<(Obj, Obj)> {
        let py = self.quiet.noisy();
        let tag = plan.contract.as_deref()?.tag.as_ref()?;
        (tag.place == TagPlace::Inside).then(|| {
            (
                Obj::from_bound(tag.field.bind(py).as_any()),
                Obj::from_bound(tag.value.bind(py)),
            )
        })
    }

    /// Writes a tag, which no context touches.
    fn put_tag(&mut self, field: Option<&Obj>, value: Obj) -> Outcome {
        if let Some(chars) = field.and_then(|field| field.item().chars()) {
            self.sink.key(chars);
        }
        let context = self.context.clone();
        self.set_context(None);
        let written = self.value(value);
        self.set_context(context);
        written
    }

    /// The tag that stands beside a value, in the record that the value is in.
    pub(super) fn tag_beside(&mut self, value: &Obj) -> Outcome<Option<(Obj, Obj)>> {
        if !matches!(value.item().content(), Content::Other) {
            return Ok(None);
        }
        let py = self.quiet.noisy();
        let class = classify(py, value, &self.rules.scope)?;
        let Class::Record(plan) = &class else {
            return Ok(None);
        };
        let tag = plan
            .contract
            .as_deref()
            .and_then(|contract| contract.tag.as_ref());
        Ok(tag.filter(|tag| tag.place == TagPlace::Beside).map(|tag| {
            (
                Obj::from_bound(tag.field.bind(py).as_any()),
                Obj::from_bound(tag.value.bind(py)),
            )
        }))
    }

    /// Writes the tag that stands beside a value, if the value has one and the record, which is the
    /// innermost frame, has no field for it.
    pub(super) fn put_tag_beside(&mut self, value: &Obj) -> Outcome<bool> {
        let Some((field, tag)) = self.tag_beside(value)? else {
            return Ok(false);
        };
        let Some(name) = field.item().chars().map(keys::identity) else {
            return Ok(false);
        };
        let py = self.quiet.noisy();
        let (plan, tags) = match self.frames.last_mut() {
            Some(Frame::Record(frame)) => (&frame.plan, &mut frame.tags),
            Some(Frame::Shaped(frame)) => (&frame.plan, &mut frame.tags),
            _ => return Ok(false),
        };
        if plan.has_key(py, &name) {
            return Ok(true);
        }
        if tags.contains(&name) {
            return Err(keys::clash(
                field.item().chars().unwrap_or(Chars::Ascii(&[])),
            ));
        }
        tags.push(name);
        self.put_tag(Some(&field), tag)?;
        Ok(true)
    }

    /// The value of a field; `None` behind the last one, and for an attribute that may be missing, and is.
    pub(super) fn field_of(
        &mut self,
        object: &Obj,
        plan: &Plan,
        at: usize,
    ) -> Outcome<Option<Obj>> {
        if let Some(record) = plan.fields.view(object, &self.quiet)
            && let Some((_, value)) = record.get(at)
        {
            return Ok(Some(value.own()));
        }
        let py = self.quiet.noisy();
        let Some(name) = plan.fields.names().get(at) else {
            return Ok(None);
        };
        match object.bind(py).getattr(name.bind(py)) {
            Ok(value) => Ok(Some(Obj::take(value))),
            Err(failure) => {
                let contract = plan.contract.as_deref();
                let rule = contract.and_then(|contract| contract.rules.get(at));
                let may_be_missing = rule.is_some_and(|rule| {
                    matches!(rule.default, Default::Absent) || rule.omit & omit::UNSET != 0
                });
                if may_be_missing && failure.is_instance_of::<PyAttributeError>(py) {
                    return Ok(None);
                }
                Err(failure.into())
            }
        }
    }

    /// Whether a field is left out.
    pub(super) fn is_left_out(&mut self, plan: &Plan, at: usize, value: &Obj) -> Outcome<bool> {
        let py = self.quiet.noisy();
        let Some(rule) = plan
            .contract
            .as_deref()
            .and_then(|contract| contract.rules.get(at))
        else {
            return Ok(false);
        };
        if rule.omit == 0 && rule.omit_if.is_none() {
            return Ok(false);
        }
        if rule.omit & omit::UNSET != 0 && self.unset.is_none() {
            self.unset = Some(unset(py)?);
        }
        let unset = self.unset.as_deref().unwrap_or_default();
        Ok(rule.leaves_out(value.bind(py), unset)?)
    }

    /// The next entry of the innermost record, or its end.
    pub(super) fn shaped_step(&mut self) -> Outcome {
        let call = self.rules.context.clone();
        self.set_context(call);
        loop {
            let Some(Frame::Shaped(frame)) = self.frames.last_mut() else {
                return Ok(());
            };
            if let Some(entries) = &mut frame.entries {
                let Some(entry) = entries.next() else {
                    return self.end_shaped();
                };
                self.sink.key(entry.key.chars());
                frame.key = Some(entry.key);
                frame.from = None;
                if entry.tag {
                    return self.put_tag(None, entry.value);
                }
                frame.from.clone_from(&entry.of);
                let beside = std::mem::replace(&mut self.beside, true);
                let written = match entry.of {
                    Some((_, plan, at)) => self.field_value(&plan, at, entry.value),
                    None => self.value(entry.value),
                };
                self.beside = beside;
                return written;
            }
            let at = frame.next;
            if at == frame.plan.fields.len() {
                return self.end_shaped();
            }
            frame.next += 1;
            let array = frame.is_array();
            let (plan, owner) = (frame.plan.clone(), frame.owner.clone());
            let Some(value) = self.field_of(&owner, &plan, at)? else {
                if array {
                    self.sink.null();
                    return self.check();
                }
                continue;
            };
            let mut tagged = false;
            if !array {
                if self.is_left_out(&plan, at, &value)? {
                    continue;
                }
                tagged = self.put_tag_beside(&value)?;
                self.put_field_key(&plan, at);
            }
            let beside = std::mem::replace(&mut self.beside, tagged);
            let written = self.field_value(&plan, at, value);
            self.beside = beside;
            return written;
        }
    }

    /// Writes the value of a field, or opens its frame.
    fn field_value(&mut self, plan: &Rc<Plan>, at: usize, value: Obj) -> Outcome {
        let Some(rule) = plan
            .contract
            .as_deref()
            .and_then(|contract| contract.rules.get(at))
        else {
            return self.value(value);
        };
        if rule.own.is_some() {
            let context = self.context_of(plan, at);
            self.set_context(Some(context));
        }
        if let Some(converter) = &rule.converter {
            return self.convert_for_field(converter, value);
        }
        let value = self.by_declared_type(rule, value)?;
        match &rule.item_converter {
            Some(converter) => self.open_items(value, converter.clone()),
            None => self.value(value),
        }
    }

    /// What is written of a field's value by the declared type of the field.
    pub(super) fn by_declared_type(&mut self, rule: &FieldRule, value: Obj) -> Outcome<Obj> {
        let Some(shape) = &rule.shape else {
            return Ok(value);
        };
        let py = self.quiet.noisy();
        Ok(Obj::take(shape.bind(py).call1((value.bind(py),))?))
    }

    /// The context of a field, made once for a walk.
    fn context_of(&mut self, plan: &Rc<Plan>, at: usize) -> Arc<Context> {
        let made = self.contexts.iter();
        let known = made
            .filter(|(of, number, _)| Rc::ptr_eq(of, plan) && *number == at)
            .map(|(_, _, context)| context.clone());
        if let Some(context) = { known }.next() {
            return context;
        }
        let rule = plan
            .contract
            .as_deref()
            .and_then(|contract| contract.rules.get(at));
        let call = self.rules.context.as_deref().cloned().unwrap_or_default();
        let context = Arc::new(match rule.and_then(|rule| rule.own.as_ref()) {
            Some(own) => call.with(own),
            None => call,
        });
        self.contexts.push((plan.clone(), at, context.clone()));
        context
    }

    /// Closes the innermost record.
    fn end_shaped(&mut self) -> Outcome {
        let Some(Frame::Shaped(frame)) = self.frames.last() else {
            return Ok(());
        };
        if frame.is_array() {
            self.sink.end_list();
        } else {
            self.sink.end_map();
        }
        if frame.around {
            self.sink.end_map();
        }
        self.check()?;
        let Some(Frame::Shaped(frame)) = self.frames.pop() else {
            return Ok(());
        };
        self.set_context(frame.outside.clone());
        if let Some(after) = frame
            .contract()
            .and_then(|contract| contract.after.as_ref())
        {
            let py = self.quiet.noisy();
            after.bind(py).call1((frame.owner.bind(py),))?;
        }
        Ok(())
    }
}

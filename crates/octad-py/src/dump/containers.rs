//! Containers off the hot path: sorted dicts, mappings, records, whatever is iterated, arrays.
//!
//! Each of them may run Python code at every step, so all they hold are references of their own.

use std::rc::Rc;

use octad_core::convert::{Conversion, convert};
use octad_core::error::ErrorCode;
use octad_core::sink::Sink;
use pyo3::exceptions::{PyMemoryError, PyRuntimeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};

use super::context::Pairs;
use super::contract::FieldConverter;
use super::fault::{Fault, Outcome, error, type_name};
use super::frames::{EntriesFrame, Frame, IterFrame, RecordFrame};
use super::keys::{self, KeyText};
use super::plans::Plan;
use super::raw;
use super::rules::Order;
use super::walk::{Next, Walk};
use crate::cpython::{Content, DictPlace, DictRef, Obj};

impl<S: Sink + Send> Walk<'_, '_, S> {
    /// One entry of the innermost container, which is one of those of this file.
    pub(super) fn slow_step(&mut self) -> Outcome {
        let (value, converter) = match self.frames.last_mut() {
            Some(Frame::Shaped(_)) => return self.shaped_step(),
            Some(Frame::Record(_)) => return self.field_step(),
            Some(Frame::Entries(frame)) => {
                let entry = frame.entries.next().map(|(key, value)| {
                    self.sink.key(key.chars());
                    frame.key = Some(key);
                    value
                });
                (entry, frame.converter.clone())
            }
            Some(Frame::Iter(frame)) => {
                let (iterator, converter) = (frame.iterator.clone(), frame.converter.clone());
                frame.next += 1;
                (self.next_of(&iterator)?, converter)
            }
            _ => (None, None),
        };
        match (value, converter) {
            (Some(value), None) => self.value(value),
            (Some(value), Some(converter)) => self.convert_for_field(&converter, value),
            (None, _) => {
                match self.frames.last() {
                    Some(Frame::Iter(_)) => self.sink.end_list(),
                    _ => self.sink.end_map(),
                }
                self.check()?;
                self.frames.pop();
                Ok(())
            }
        }
    }

    /// A field that the loops have left to Python's means.
    fn field_step(&mut self) -> Outcome {
        let Some(Frame::Record(frame)) = self.frames.last_mut() else {
            return Ok(());
        };
        let at = frame.next;
        let (plan, owner) = (frame.plan.clone(), frame.owner.clone());
        frame.next += 1;
        let Some(value) = self.field_of(&owner, &plan, at)? else {
            self.sink.end_map();
            self.check()?;
            self.frames.pop();
            return Ok(());
        };
        let tagged = self.put_tag_beside(&value)?;
        self.put_field_key(&plan, at);
        let beside = std::mem::replace(&mut self.beside, tagged);
        let written = self.value(value);
        self.beside = beside;
        written
    }

    /// The key of a field of a record.
    pub(super) fn put_field_key(&mut self, plan: &Plan, at: usize) {
        let py = self.quiet.noisy();
        if let Some(key) = plan.fields.keys().get(at) {
            let key = Obj::from_bound(key.bind(py).as_any());
            if let Some(chars) = key.item().chars() {
                self.sink.key(chars);
            }
        }
    }

    /// The next object of an iterator.
    fn next_of(&mut self, iterator: &Obj) -> Outcome<Option<Obj>> {
        let py = self.quiet.noisy();
        let Ok(mut iterator) = iterator
            .bind(py)
            .clone()
            .cast_into::<pyo3::types::PyIterator>()
        else {
            return Ok(None);
        };
        match iterator.next() {
            None => Ok(None),
            Some(Ok(object)) => Ok(Some(Obj::take(object))),
            // Sets and deques say this when they changed under the iterator.
            Some(Err(failure))
                if failure.is_instance_of::<PyRuntimeError>(py)
                    && failure.to_string().contains("during iteration") =>
            {
                Err(self.changed())
            }
            Some(Err(failure)) => Err(failure.into()),
        }
    }

    /// A dict whose keys are to be sorted, or compared as they will be written.
    pub(super) fn open_listed(&mut self, object: Obj) -> Outcome {
        let dict = match DictRef::new(object) {
            Ok(dict) => dict,
            Err(object) => return self.open_mapping(object),
        };
        let view = dict.view(&self.quiet);
        let mut pairs = Vec::with_capacity(view.len());
        for (key, value) in view.entries(DictPlace::default()) {
            pairs.push((key.own(), value.own()));
        }
        let owner = dict.object().clone();
        self.open_entries(owner, pairs, None)
    }

    /// A mapping that is no plain dict: by its own `items()`.
    pub(super) fn open_mapping(&mut self, object: Obj) -> Outcome {
        let pairs = self.pairs_of(&object)?;
        self.open_entries(object, pairs, None)
    }

    /// What the `items()` of a mapping gives.
    pub(super) fn pairs_of(&mut self, object: &Obj) -> Outcome<Vec<(Obj, Obj)>> {
        let py = self.quiet.noisy();
        let items = object.bind(py).call_method0(intern!(py, "items"))?;
        let room = self.rules.output.map(|limit| {
            let written = self.sink.mark().length as u64;
            (limit, limit.saturating_sub(written))
        });
        let mut pairs = Vec::new();
        // What is no iterable is named; an exception of its `__iter__` goes on as it is.
        if items.getattr_opt(intern!(py, "__iter__"))?.is_none() {
            return Err(no_pairs(object.bind(py), &items));
        }
        for item in items.try_iter()? {
            let item = item?;
            // It may go on for ever, and nothing is written before all is there. No entry takes less
            // than a byte.
            if let Some((limit, left)) = room
                && pairs.len() as u64 >= left
            {
                return Err(error(ErrorCode::OutputLimit).with("limit", limit).into());
            }
            pairs.try_reserve(1).map_err(|_| no_memory())?;
            match item.cast::<PyTuple>() {
                Ok(pair) if pair.len() == 2 => {
                    let (key, value) = (pair.get_item(0)?, pair.get_item(1)?);
                    pairs.push((Obj::take(key), Obj::take(value)));
                }
                _ => return Err(no_pairs(object.bind(py), &item)),
            }
        }
        Ok(pairs)
    }

    fn open_entries(
        &mut self,
        owner: Obj,
        pairs: Vec<(Obj, Obj)>,
        converter: Option<Rc<FieldConverter>>,
    ) -> Outcome {
        if converter.is_none() && self.are_pairs(&pairs)? {
            return self.open_pairs(owner, pairs);
        }
        let mut entries = Vec::new();
        let room = entries.try_reserve_exact(pairs.len());
        room.map_err(|_| no_memory())?;
        for (key, value) in pairs {
            entries.push((self.key_text(key)?, value));
        }
        match self.rules.order {
            Order::Kept => keys::check_distinct(entries.iter().map(|(key, _)| key))?,
            order => keys::sort(&mut entries, order, |(key, _)| key)?,
        }
        let len = entries.len();
        self.push(Frame::Entries(Box::new(EntriesFrame {
            owner,
            entries: entries.into_iter(),
            key: None,
            converter,
        })))?;
        self.announce();
        self.sink.begin_map(Some(len));
        Ok(())
    }

    /// Whether a dict or mapping is written as an array of pairs.
    fn are_pairs(&mut self, pairs: &[(Obj, Obj)]) -> Outcome<bool> {
        let context = self.context.as_deref();
        match context.map_or(Pairs::Never, |context| context.pairs) {
            Pairs::Never => Ok(false),
            Pairs::Always => Ok(true),
            Pairs::Textless => {
                let py = self.quiet.noisy();
                for (key, _) in pairs {
                    if !keys::has_text(py, key, self.rules)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    /// A dict or mapping as an array of `[key, value]`, in its order.
    fn open_pairs(&mut self, owner: Obj, pairs: Vec<(Obj, Obj)>) -> Outcome {
        let py = self.quiet.noisy();
        let list = PyList::empty(py);
        for (key, value) in &pairs {
            list.append((key.bind(py), value.bind(py)))?;
        }
        let iterator = Obj::take(list.try_iter()?.into_any());
        self.open_by(owner, iterator, None)
    }

    /// The text of a key of a dict, as the policy for keys has it.
    pub(super) fn key_text(&mut self, key: Obj) -> Outcome<KeyText> {
        let py = self.quiet.noisy();
        let text = keys::text_of(py, key, self.rules)?;
        let policy = self
            .context
            .as_deref()
            .and_then(|context| context.keys.as_ref());
        if let Some(policy) = policy
            && let KeyText::Held(key) = &text
            && let Ok(key) = key.bind(py).cast::<PyString>()
        {
            let renamed = policy.rename(key)?;
            return keys::text_of(py, Obj::take(renamed.into_any()), self.rules);
        }
        Ok(text)
    }

    /// A set, deque, range, array, view: anything that is walked by its iterator.
    pub(super) fn open_iterable(&mut self, object: Obj) -> Outcome {
        self.open_iterated(object, None)
    }

    /// A list or mapping whose items or values are written by a converter.
    pub(super) fn open_items(&mut self, object: Obj, converter: Rc<FieldConverter>) -> Outcome {
        let py = self.quiet.noisy();
        if matches!(object.item().content(), Content::None) {
            self.sink.null();
            return self.check();
        }
        let is_mapping = object.item().dict().is_some()
            || object
                .bind(py)
                .hasattr(intern!(py, "keys"))
                .map_err(Box::<Fault>::from)?;
        if is_mapping {
            let pairs = self.pairs_of(&object)?;
            return self.open_entries(object, pairs, Some(converter));
        }
        self.open_iterated(object, Some(converter))
    }

    fn open_iterated(&mut self, object: Obj, converter: Option<Rc<FieldConverter>>) -> Outcome {
        let py = self.quiet.noisy();
        let iterator = Obj::take(object.bind(py).try_iter()?.into_any());
        self.open_by(object, iterator, converter)
    }

    /// What an iterator gives, as an array.
    fn open_by(
        &mut self,
        owner: Obj,
        iterator: Obj,
        converter: Option<Rc<FieldConverter>>,
    ) -> Outcome {
        self.push(Frame::Iter(Box::new(IterFrame {
            owner,
            iterator,
            next: 0,
            converter,
        })))?;
        self.announce();
        self.sink.begin_list(None);
        Ok(())
    }

    /// An instance of a dataclass or attrs class: its declared fields, read as attributes.
    pub(super) fn open_record(&mut self, object: Obj, plan: Rc<Plan>) -> Outcome<Next> {
        if plan.contract.is_some() || self.slow || self.rules.order != Order::Kept {
            return self.open_shaped(object, plan);
        }
        let len = plan.fields.len();
        self.push(Frame::Record(Box::new(RecordFrame {
            owner: object,
            plan,
            next: 0,
            tags: Vec::new(),
        })))?;
        self.sink.begin_map(Some(len));
        Ok(Next::Done)
    }

    /// An array of numpy: lists of Python numbers, or row by row where its scalars need a form.
    pub(super) fn open_array(&mut self, object: Obj) -> Outcome<Next> {
        let py = self.quiet.noisy();
        let array = object.bind(py);
        let dimensions: usize = array.getattr(intern!(py, "ndim"))?.extract()?;
        if dimensions == 0 {
            let scalar = array.get_item(PyTuple::empty(py))?;
            return Ok(Next::Instead(Obj::take(scalar)));
        }
        let kind = array
            .getattr(intern!(py, "dtype"))?
            .getattr(intern!(py, "kind"))?;
        let kind: String = kind.extract()?;
        if matches!(kind.as_str(), "b" | "i" | "u" | "f" | "U" | "S" | "O") {
            let list = array.call_method0(intern!(py, "tolist"))?;
            return Ok(Next::Instead(Obj::take(list)));
        }
        self.open_iterable(object)?;
        Ok(Next::Done)
    }

    /// A ready fragment.
    pub(super) fn write_raw(&mut self, object: &Obj) -> Outcome {
        let py = self.quiet.noisy();
        let fragment = object.bind(py).cast::<raw::Raw>().map_err(PyErr::from)?;
        let fragment = fragment.get();
        if self.rules.order != Order::Utf16 {
            self.sink.raw(fragment.checked()?);
            return self.check();
        }
        // Canonical text leaves no spelling to a fragment, trusted or not.
        let document = fragment.document()?;
        let rules = Conversion {
            depth: self.depth.saturating_sub(self.frames.len()),
            ..self.rules.conversion
        };
        let written = convert(document.root(), &mut self.sink, &rules);
        Ok(written.map_err(|error| match error.offset() {
            Some(_) => raw::invalid(&error),
            None => error,
        })?)
    }
}

/// The error for entries that there is no room for.
#[cold]
pub(super) fn no_memory() -> PyErr {
    PyMemoryError::new_err(())
}

/// The error for a mapping whose `items()` does not give pairs.
#[cold]
fn no_pairs(mapping: &Bound<'_, PyAny>, found: &Bound<'_, PyAny>) -> Box<Fault> {
    let hint = format!(
        " (its `items()` gave {} where pairs of key and value are due)",
        type_name(found)
    );
    error(ErrorCode::UnsupportedType)
        .with("type", type_name(mapping))
        .with("hint", hint)
        .into()
}

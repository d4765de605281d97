//! Containers off the hot path: sorted dicts, mappings, records, whatever is iterated, arrays.
//!
//! Each of them may run Python code at every step, so all they hold are references of their own.

use std::rc::Rc;

use octad_core::convert::{Conversion, convert};
use octad_core::error::ErrorCode;
use octad_core::sink::Sink;
use pyo3::exceptions::PyRuntimeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::fault::{Fault, Outcome, error, type_name};
use super::frames::{EntriesFrame, Frame, IterFrame, RecordFrame};
use super::keys;
use super::plans::Plan;
use super::raw;
use super::rules::Order;
use super::walk::{Next, Walk};
use crate::cpython::{DictPlace, DictRef, Obj};

impl<S: Sink + Send> Walk<'_, '_, S> {
    /// One entry of the innermost container, which is one of those of this file.
    pub(super) fn slow_step(&mut self) -> Outcome {
        let py = self.quiet.noisy();
        let value = match self.frames.last_mut() {
            Some(Frame::Entries(frame)) => frame.entries.next().map(|(key, value)| {
                self.sink.key(key.chars());
                frame.key = Some(key);
                value
            }),
            Some(Frame::Record(frame)) => {
                let frame: &mut RecordFrame = frame;
                let fields = &frame.plan.fields;
                match (
                    fields.names().get(frame.next),
                    fields.keys().get(frame.next),
                ) {
                    (Some(name), Some(key)) => {
                        frame.next += 1;
                        let value = frame.owner.bind(py).getattr(name.bind(py))?;
                        let key = Obj::from_bound(key.bind(py).as_any());
                        if let Some(chars) = key.item().chars() {
                            self.sink.key(chars);
                        }
                        Some(Obj::take(value))
                    }
                    _ => None,
                }
            }
            Some(Frame::Iter(frame)) => {
                let iterator = frame.iterator.clone();
                frame.next += 1;
                self.next_of(&iterator)?
            }
            _ => None,
        };
        match value {
            Some(value) => self.value(value),
            None => {
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
        self.open_entries(owner, pairs)
    }

    /// A mapping that is no plain dict: by its own `items()`.
    pub(super) fn open_mapping(&mut self, object: Obj) -> Outcome {
        let py = self.quiet.noisy();
        let items = object.bind(py).call_method0(intern!(py, "items"))?;
        let mut pairs = Vec::new();
        // What is no iterable is named; an exception of its `__iter__` goes on as it is.
        if items.getattr_opt(intern!(py, "__iter__"))?.is_none() {
            return Err(no_pairs(object.bind(py), &items));
        }
        for item in items.try_iter()? {
            let item = item?;
            match item.cast::<PyTuple>() {
                Ok(pair) if pair.len() == 2 => {
                    let (key, value) = (pair.get_item(0)?, pair.get_item(1)?);
                    pairs.push((Obj::take(key), Obj::take(value)));
                }
                _ => return Err(no_pairs(object.bind(py), &item)),
            }
        }
        self.open_entries(object, pairs)
    }

    fn open_entries(&mut self, owner: Obj, pairs: Vec<(Obj, Obj)>) -> Outcome {
        let py = self.quiet.noisy();
        let mut entries = Vec::with_capacity(pairs.len());
        for (key, value) in pairs {
            entries.push((keys::text_of(py, key, self.rules)?, value));
        }
        match self.rules.order {
            Order::Kept => keys::check_distinct(&entries)?,
            order => keys::sort(&mut entries, order)?,
        }
        let len = entries.len();
        self.push(Frame::Entries(Box::new(EntriesFrame {
            owner,
            entries: entries.into_iter(),
            key: None,
        })))?;
        self.sink.begin_map(Some(len));
        Ok(())
    }

    /// A set, deque, range, array, view: anything that is walked by its iterator.
    pub(super) fn open_iterable(&mut self, object: Obj) -> Outcome {
        let py = self.quiet.noisy();
        let iterator = Obj::take(object.bind(py).try_iter()?.into_any());
        self.push(Frame::Iter(Box::new(IterFrame {
            owner: object,
            iterator,
            next: 0,
        })))?;
        self.sink.begin_list(None);
        Ok(())
    }

    /// An instance of a dataclass or attrs class: its declared fields, read as attributes.
    pub(super) fn open_record(&mut self, object: Obj, plan: Rc<Plan>) -> Outcome {
        let py = self.quiet.noisy();
        let fields = &plan.fields;
        if self.rules.order != Order::Kept {
            let mut pairs = Vec::with_capacity(fields.len());
            for (name, key) in fields.names().iter().zip(fields.keys()) {
                let value = object.bind(py).getattr(name.bind(py))?;
                pairs.push((Obj::from_bound(key.bind(py).as_any()), Obj::take(value)));
            }
            return self.open_entries(object, pairs);
        }
        let len = fields.len();
        self.push(Frame::Record(Box::new(RecordFrame {
            owner: object,
            plan,
            next: 0,
        })))?;
        self.sink.begin_map(Some(len));
        Ok(())
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

    /// Bytes of any kind, by the sink's policy.
    pub(super) fn write_bytes(&mut self, object: &Obj) -> Outcome {
        let py = self.quiet.noisy();
        if let Some(bytes) = object.item().bytes() {
            self.sink.bytes(bytes);
        } else {
            // A copy: the buffer of another kind may change or move under us.
            let copy = py
                .get_type::<pyo3::types::PyBytes>()
                .call1((object.bind(py),))?;
            if let Some(bytes) = Obj::take(copy).item().bytes() {
                self.sink.bytes(bytes);
            }
        }
        match self.sink.take_error() {
            Some(failure) if failure.code() == ErrorCode::BytesNotAllowed => {
                let name = type_name(object.bind(py));
                Err(error(ErrorCode::BytesNotAllowed).with("type", name).into())
            }
            Some(failure) => Err(failure.into()),
            None => Ok(()),
        }
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

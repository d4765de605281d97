//! Instances of records from their fields, once all of these are there.

use octad_core::source::Source;
use octad_core::token::TokenId;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString, PyTuple, PyType};

use super::Runner;
use super::fault::Words;
use super::rest::Others;
use crate::cpython::{self, Obj};
use crate::plan::{KEPT, Make, NodeId, Record};

impl<'a, S: Source> Runner<'a, '_, S> {
    /// The record whose fields wait in the slots from `start` on; `others` are attributes besides.
    #[inline]
    pub(super) fn finish(
        &mut self,
        node: NodeId,
        record: &'a Record,
        start: usize,
        id: TokenId,
        others: Others<'a>,
    ) -> Option<Obj> {
        let kept = self.kept.take();
        if self.slots[start..].iter().any(Option::is_none) {
            self.defaults(node, record, start, id)?;
        }
        let made = match &record.make {
            Make::Direct(maker) => {
                let made = maker.make(self.base.py, &mut self.slots[start..]);
                let made = self.python(made)?;
                self.store(&made, others)?;
                made
            }
            Make::Call(maker) => self.by_call(node, record, maker, start, id, others)?,
            Make::Tuple => self.named_tuple(record, start)?,
            Make::Dict | Make::Validator(_) => self.plain_dict(record, start, others)?,
        };
        if let Some(kept) = kept {
            let done = keep(self.base.py, &made, kept);
            self.python(done)?;
        }
        self.with_hooks(node, record, made, id)
    }

    /// The record, after the functions that want to see it.
    #[inline]
    pub(super) fn with_hooks(
        &mut self,
        node: NodeId,
        record: &'a Record,
        made: Obj,
        id: TokenId,
    ) -> Option<Obj> {
        for hook in &record.after {
            let py = self.base.py;
            let called = hook.bind(py).call1((made.bind(py),));
            self.by_user(called, Words::Accepted(node), id)?;
        }
        Some(made)
    }

    /// Stores attributes besides the fields.
    #[inline]
    fn store(&mut self, made: &Obj, others: Others<'a>) -> Option<()> {
        for (attribute, value) in others {
            let py = self.base.py;
            let done = cpython::store(py, made, attribute.bind(py), &value);
            self.python(done)?;
        }
        Some(())
    }

    fn by_call(
        &mut self,
        node: NodeId,
        record: &'a Record,
        maker: &Py<PyAny>,
        start: usize,
        id: TokenId,
        others: Others<'a>,
    ) -> Option<Obj> {
        let py = self.base.py;
        let mut positional = Vec::new();
        let mut later = Vec::new();
        let mut named: Option<Bound<'_, PyDict>> = None;
        let mut gap = false;
        for (number, field) in record.fields.iter().enumerate() {
            let Some(value) = self.slots.get_mut(start + number).and_then(Option::take) else {
                gap |= field.positional;
                continue;
            };
            let value = value.into_bound(py);
            if field.set_after {
                later.push((&field.attribute, value));
            } else if field.positional && !gap {
                positional.push(value);
            } else {
                let named = named.get_or_insert_with(|| PyDict::new(py));
                let done = named.set_item(&field.attribute, value);
                self.python(done)?;
            }
        }
        for (attribute, value) in others {
            let named = named.get_or_insert_with(|| PyDict::new(py));
            let done = named.set_item(attribute, value.into_bound(py));
            self.python(done)?;
        }
        let arguments = PyTuple::new(py, positional);
        let arguments = self.python(arguments)?;
        let made = maker.bind(py).call(arguments, named.as_ref());
        let made = self.by_user(made, Words::Accepted(node), id)?;
        for (attribute, value) in later {
            let done = made.setattr(attribute, value);
            self.by_user(done, Words::Accepted(node), id)?;
        }
        Some(Obj::take(made))
    }

    fn named_tuple(&mut self, record: &'a Record, start: usize) -> Option<Obj> {
        static NEW: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let py = self.base.py;
        let mut values = Vec::with_capacity(record.fields.len());
        for number in 0..record.fields.len() {
            let value = self.slots.get_mut(start + number).and_then(Option::take);
            values.extend(value.map(|value| value.into_bound(py)));
        }
        let made = NEW
            .get_or_try_init(py, || {
                let new = py.get_type::<PyTuple>().getattr("__new__")?;
                PyResult::Ok(new.unbind())
            })
            .and_then(|new| {
                let values = PyTuple::new(py, values)?;
                new.bind(py).call1((&record.class, values))
            });
        self.python(made).map(Obj::take)
    }
}

/// Puts members that are no fields into the instance: a plain dict has them among its own, any other
/// in a dict of their own.
pub(super) fn keep(py: Python<'_>, made: &Obj, kept: Py<PyAny>) -> PyResult<()> {
    if let Ok(dict) = made.bind(py).cast_exact::<PyDict>() {
        return dict.update(kept.bind(py).cast::<PyDict>()?.as_mapping());
    }
    let name = PyString::intern(py, KEPT);
    cpython::store(py, made, &name, &Obj::take(kept.into_bound(py)))
}

/// The UUID of a number.
pub(super) fn uuid(py: Python<'_>, value: u128) -> PyResult<Obj> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = CLASS.import(py, "uuid", "UUID")?;
    let named = PyDict::new(py);
    named.set_item("int", value)?;
    class.call((), Some(&named)).map(Obj::take)
}

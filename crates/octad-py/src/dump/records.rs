//! Records, tuples and objects of subclasses of containers in the hot loops.
//!
//! Beside `loops.rs`, which knows lists and dicts, and under the same rule: no Python code runs
//! here. A field whose value only `getattr` knows leaves a frame, and so does an object of a class
//! that has not been looked at yet.

use std::rc::Rc;

use octad_core::sink::{Chars, Sink};
use pyo3::prelude::*;

use super::classify::{Class, Quick, classify, quick};
use super::frames::{Frame, RecordFrame, TupleFrame};
use super::loops::{Inner, Seen, Step, scalar, wide_text};
use crate::cpython::{Content, Fields, Item, Obj, Quiet, Str, TypeStamp};

/// How many classes are at hand.
const SLOTS: usize = 8;

/// The classes of records that were written last.
#[derive(Default)]
pub struct Plans([Option<(TypeStamp, Rc<Fields>)>; SLOTS]);

impl Plans {
    #[inline(always)]
    fn of(&self, item: Item<'_>) -> Option<Rc<Fields>> {
        let stamp = item.type_stamp()?;
        match &self.0[stamp.slot(SLOTS)] {
            Some((kept, fields)) if *kept == stamp => Some(fields.clone()),
            _ => None,
        }
    }

    #[inline(never)]
    fn quick(&mut self, item: Item<'_>) -> Option<Quick> {
        let way = quick(item)?;
        if let Quick::Record(fields) = &way
            && let Some(stamp) = item.type_stamp()
        {
            self.0[stamp.slot(SLOTS)] = Some((stamp, fields.clone()));
        }
        Some(way)
    }
}

impl<S: Sink> Inner<'_, S> {
    /// Writes a tuple or an object of no exact built-in type, if it is a container that can be
    /// written here. `None`: it is for the walk. `Some(false)`: frames are left.
    #[inline(never)]
    pub(super) fn odd(&mut self, seen: Seen, item: Item<'_>, levels: usize) -> Option<bool> {
        let way = self.way(seen == Seen::Tuple, item, levels)?;
        Some(self.go(way, item, levels - 1))
    }

    /// The same for an entry of a dict or record, with its key.
    #[inline(never)]
    pub(super) fn odd_entry(
        &mut self,
        key: Str<'_>,
        value: Item<'_>,
        levels: usize,
    ) -> Option<bool> {
        let way = self.way(matches!(value.content(), Content::Tuple), value, levels)?;
        self.notes.put(self.sink, key);
        Some(self.go(way, value, levels - 1))
    }

    #[inline]
    fn way(&mut self, is_tuple: bool, item: Item<'_>, levels: usize) -> Option<Quick> {
        if levels == 0 {
            return None;
        }
        if is_tuple {
            return Some(Quick::Tuple);
        }
        if self.kept
            && let Some(fields) = self.plans.of(item)
        {
            return Some(Quick::Record(fields));
        }
        let way = self.plans.quick(item)?;
        let ordered = matches!(way, Quick::Dict | Quick::Record(_));
        (self.kept || !ordered).then_some(way)
    }

    #[inline]
    fn go(&mut self, way: Quick, item: Item<'_>, levels: usize) -> bool {
        match way {
            Quick::Record(fields) => self.record(item, fields, levels),
            Quick::Tuple => self.tuple(item, levels),
            Quick::List => self.list(item, levels),
            Quick::Dict => self.dict(item, levels),
        }
    }

    /// Writes a tuple; false where it leaves frames.
    fn tuple(&mut self, item: Item<'_>, levels: usize) -> bool {
        let Some(tuple) = item.tuple() else {
            return true;
        };
        self.sink.begin_list(Some(tuple.len()));
        let mut next = 0;
        // True: the item was begun, and what is left stands behind it.
        let behind = loop {
            let Some(item) = tuple.get(next) else {
                if next == 0 {
                    self.sink.end_list();
                } else {
                    self.sink.end_filled_list();
                }
                return true;
            };
            match scalar(self.sink, item.content()) {
                Seen::Written => {}
                Seen::Failed => break true,
                Seen::List if levels > 0 => {
                    if !self.list(item, levels - 1) {
                        break true;
                    }
                }
                Seen::Dict if levels > 0 && self.kept => {
                    if !self.dict(item, levels - 1) {
                        break true;
                    }
                }
                seen @ (Seen::Tuple | Seen::Other) => match self.odd(seen, item, levels) {
                    Some(true) => {}
                    Some(false) => break true,
                    None => break false,
                },
                Seen::List | Seen::Dict => break false,
            }
            next += 1;
        };
        next += usize::from(behind);
        let tuple = tuple.hold();
        self.left.push(Frame::Tuple(TupleFrame { tuple, next }));
        false
    }

    /// Writes a record; false where it leaves frames.
    fn record(&mut self, item: Item<'_>, fields: Rc<Fields>, levels: usize) -> bool {
        let len = fields.len();
        self.sink.begin_map(Some(len));
        let mut next = 0;
        if let Some(record) = fields.of(item) {
            // A key is written only if its value will be written or begun here. True: the field
            // was begun, and what is left stands behind it.
            let behind = loop {
                if next == len {
                    if len == 0 {
                        self.sink.end_map();
                    } else {
                        self.sink.end_filled_map();
                    }
                    return true;
                }
                let Some((key, value)) = record.get(next) else {
                    break false;
                };
                match value.content() {
                    Content::Str(text) => {
                        self.notes.put(self.sink, key);
                        match text.ascii() {
                            Some(bytes) => self.sink.text(Chars::Ascii(bytes)),
                            None => wide_text(self.sink, text),
                        }
                    }
                    Content::Int(number) => {
                        let Some(number) = number.small() else {
                            break false;
                        };
                        self.notes.put(self.sink, key);
                        self.sink.i64(number);
                    }
                    Content::Float(number) => {
                        self.notes.put(self.sink, key);
                        self.sink.f64(number.get());
                    }
                    Content::None => {
                        self.notes.put(self.sink, key);
                        self.sink.null();
                    }
                    Content::Bool(value) => {
                        self.notes.put(self.sink, key);
                        self.sink.bool(value);
                    }
                    Content::Dict if levels > 0 => {
                        self.notes.put(self.sink, key);
                        if !self.dict(value, levels - 1) {
                            break true;
                        }
                    }
                    Content::List if levels > 0 => {
                        self.notes.put(self.sink, key);
                        if !self.list(value, levels - 1) {
                            break true;
                        }
                    }
                    Content::Tuple | Content::Other => match self.odd_entry(key, value, levels) {
                        Some(true) => {}
                        Some(false) => break true,
                        None => break false,
                    },
                    Content::Dict | Content::List => break false,
                }
                if self.sink.failed() {
                    break true;
                }
                next += 1;
            };
            next += usize::from(behind);
        }
        self.left.push(Frame::Record(Box::new(RecordFrame {
            owner: item.own(),
            fields,
            next,
        })));
        false
    }
}

/// Writes a record from where it stands.
#[inline(never)]
pub fn record_step<S: Sink>(
    frame: &mut RecordFrame,
    quiet: &Quiet<'_>,
    mut inner: Inner<'_, S>,
) -> Step {
    let len = frame.fields.len();
    if frame.next == len {
        return Step::End;
    }
    let Some(record) = frame.fields.view(&frame.owner, quiet) else {
        return Step::Field;
    };
    while frame.next < len {
        let Some((key, value)) = record.get(frame.next) else {
            return Step::Field;
        };
        frame.next += 1;
        inner.notes.put(inner.sink, key);
        let seen = scalar(inner.sink, value.content());
        if seen != Seen::Written
            && let Some(step) = inner.step_at(seen, value)
        {
            return step;
        }
    }
    Step::End
}

/// How many fields of a record are read without `getattr`; zero for any other object.
#[pyfunction]
pub fn direct_fields(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    let object = Obj::from_bound(value);
    let Class::Record(fields) = classify(value.py(), &object)? else {
        return Ok(0);
    };
    let quiet = Quiet::new(value.py());
    let Some(record) = fields.view(&object, &quiet) else {
        return Ok(0);
    };
    Ok((0..fields.len())
        .filter(|at| record.get(*at).is_some())
        .count())
}

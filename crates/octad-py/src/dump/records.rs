//! Records, tuples and objects of subclasses of containers in the hot loops.
//!
//! Beside `loops.rs`, which knows lists and dicts, and under the same rule: no Python code runs
//! here. A field whose value only `getattr` knows leaves a frame, and so does an object of a class
//! that has not been looked at yet.

use std::rc::Rc;

use octad_core::sink::{Chars, KeyNote, Sink};
use pyo3::prelude::*;

use super::classify::{Class, classify};
use super::frames::{Frame, RecordFrame, TupleFrame};
use super::known::{Quick, Scope};
use super::loops::{Inner, LEVELS, Seen, Step, scalar, wide_text};
use super::plans::Plan;
use crate::cpython::{Content, Item, Obj, Quiet, Str};

/// What is due in front of a value, once it is known that it will be written here.
#[derive(Clone, Copy)]
pub(super) enum Due<'k> {
    Nothing,
    /// The key in a dict.
    Key(Str<'k>),
    /// The key in a record.
    Noted(&'k KeyNote, Str<'k>),
}

impl<S: Sink> Inner<'_, S> {
    /// Writes a tuple or an object of no exact built-in type, if it is a container that can be
    /// written here. `None`: it is for the walk. `Some(false)`: frames are left. `hand` is where the
    /// plan of the last record is kept by the caller.
    #[inline(always)]
    pub(super) fn odd(
        &mut self,
        due: Due<'_>,
        hand: &mut Option<Rc<Plan>>,
        seen: Seen,
        item: Item<'_>,
        levels: usize,
    ) -> Option<bool> {
        if seen == Seen::Other
            && levels > 0
            && let Some(plan) = &*hand
            && plan.fields.may_be_of(item)
            && let Some(written) = self.record(due, item, plan, levels - 1)
        {
            return Some(written);
        }
        self.odder(due, hand, seen, item, levels)
    }

    /// The same for an object of another class than the last one.
    #[inline(never)]
    fn odder(
        &mut self,
        due: Due<'_>,
        hand: &mut Option<Rc<Plan>>,
        seen: Seen,
        item: Item<'_>,
        levels: usize,
    ) -> Option<bool> {
        if levels == 0 {
            return None;
        }
        let way = if seen == Seen::Tuple {
            Quick::Tuple
        } else {
            match self.plans.of(item) {
                Some(way) => way,
                None => self.plans.quick(item)?,
            }
        };
        let levels = levels - 1;
        match way {
            Quick::Dict | Quick::Record(_) if !self.kept => None,
            Quick::Record(plan) => {
                let written = self.record(due, item, &plan, levels);
                *hand = Some(plan);
                written
            }
            Quick::Moment | Quick::Day => {
                let time = self.plans.time(&way, item)?;
                self.put(due);
                self.sink.time(&time);
                Some(!self.sink.failed())
            }
            Quick::Tuple => {
                self.put(due);
                Some(self.tuple(item, levels))
            }
            Quick::List => {
                self.put(due);
                Some(self.list(item, levels))
            }
            Quick::Dict => {
                self.put(due);
                Some(self.dict(item, levels))
            }
        }
    }

    /// Writes what is due.
    #[inline(always)]
    fn put(&mut self, due: Due<'_>) {
        match due {
            Due::Nothing => {}
            Due::Key(key) => self.notes.put(self.sink, key),
            Due::Noted(note, key) => put_noted(self.sink, note, key),
        }
    }

    #[inline(never)]
    fn leave(&mut self, item: Item<'_>, plan: &Rc<Plan>, next: usize) {
        self.left.push(Frame::Record(Box::new(RecordFrame {
            owner: item.own(),
            plan: plan.clone(),
            next,
            tags: Vec::new(),
        })));
    }

    /// Writes a tuple; false where it leaves frames.
    fn tuple(&mut self, item: Item<'_>, levels: usize) -> bool {
        let Some(tuple) = item.tuple() else {
            return true;
        };
        self.sink.begin_list(Some(tuple.len()));
        let mut next = 0;
        let mut hand = None;
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
                seen @ (Seen::Tuple | Seen::Other) => {
                    match self.odd(Due::Nothing, &mut hand, seen, item, levels) {
                        Some(true) => {}
                        Some(false) => break true,
                        None => break false,
                    }
                }
                Seen::List | Seen::Dict => break false,
            }
            next += 1;
        };
        next += usize::from(behind);
        let tuple = tuple.hold();
        self.left.push(Frame::Tuple(TupleFrame { tuple, next }));
        false
    }

    /// Writes a record; false where it leaves frames. `None`: it is not one of the plan.
    #[inline(never)]
    fn record(
        &mut self,
        due: Due<'_>,
        item: Item<'_>,
        plan: &Rc<Plan>,
        levels: usize,
    ) -> Option<bool> {
        let record = plan.fields.of(item)?;
        record.expect();
        self.put(due);
        let notes = plan.notes(self.sink);
        let len = notes.len();
        self.sink.begin_map(Some(len));
        let mut next = 0;
        let mut hand = None;
        // A key is written only if its value will be written or begun here. True: the field was
        // begun, and what is left stands behind it.
        let behind = loop {
            let Some(note) = notes.get(next) else {
                if len == 0 {
                    self.sink.end_map();
                } else {
                    self.sink.end_filled_map();
                }
                return Some(true);
            };
            let Some((key, value)) = record.get(next) else {
                break false;
            };
            match value.content() {
                Content::Str(text) => {
                    put_noted(self.sink, note, key);
                    match text.ascii() {
                        Some(bytes) => self.sink.text(Chars::Ascii(bytes)),
                        None => wide_text(self.sink, text),
                    }
                    if self.sink.failed() {
                        break true;
                    }
                }
                Content::Int(number) => {
                    let Some(number) = number.small() else {
                        break false;
                    };
                    put_noted(self.sink, note, key);
                    self.sink.i64(number);
                    if self.sink.failed() {
                        break true;
                    }
                }
                Content::Float(number) => {
                    put_noted(self.sink, note, key);
                    self.sink.f64(number.get());
                    if self.sink.failed() {
                        break true;
                    }
                }
                Content::None => {
                    put_noted(self.sink, note, key);
                    self.sink.null();
                }
                Content::Bool(value) => {
                    put_noted(self.sink, note, key);
                    self.sink.bool(value);
                }
                Content::Dict if levels > 0 => {
                    put_noted(self.sink, note, key);
                    if !self.dict(value, levels - 1) {
                        break true;
                    }
                }
                Content::List if levels > 0 => {
                    put_noted(self.sink, note, key);
                    if !self.list(value, levels - 1) {
                        break true;
                    }
                }
                content @ (Content::Tuple | Content::Other) => {
                    let seen = if matches!(content, Content::Tuple) {
                        Seen::Tuple
                    } else {
                        Seen::Other
                    };
                    match self.odd(Due::Noted(note, key), &mut hand, seen, value, levels) {
                        Some(true) => {}
                        Some(false) => break true,
                        None => break false,
                    }
                }
                Content::Dict | Content::List => break false,
            }
            next += 1;
        };
        self.leave(item, plan, next + usize::from(behind));
        Some(false)
    }
}

/// Writes the key of a field.
#[inline(always)]
fn put_noted<S: Sink>(sink: &mut S, note: &KeyNote, key: Str<'_>) {
    if note.is_empty() {
        sink.key(key.chars());
    } else {
        sink.noted_key(note);
    }
}

/// Writes a record from where it stands.
#[inline(never)]
pub fn record_step<S: Sink>(
    frame: &mut RecordFrame,
    quiet: &Quiet<'_>,
    mut inner: Inner<'_, S>,
) -> Step {
    let len = frame.plan.fields.len();
    if frame.next == len {
        return Step::End;
    }
    let Some(record) = frame.plan.fields.view(&frame.owner, quiet) else {
        return Step::Field;
    };
    while frame.next < len {
        let Some((key, value)) = record.get(frame.next) else {
            return Step::Field;
        };
        if let Content::Other = value.content() {
            // What is not written here may have a tag that stands in front of the key.
            let levels = inner.room.min(LEVELS);
            match inner.odd(Due::Key(key), &mut None, Seen::Other, value, levels) {
                None => return Step::Field,
                Some(done) => {
                    frame.next += 1;
                    if !done {
                        return Step::Entered;
                    }
                    continue;
                }
            }
        }
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
    let Class::Record(plan) = classify(value.py(), &object, &Scope::default())? else {
        return Ok(0);
    };
    let fields = &plan.fields;
    let quiet = Quiet::new(value.py());
    let Some(record) = fields.view(&object, &quiet) else {
        return Ok(0);
    };
    Ok((0..fields.len())
        .filter(|at| record.get(*at).is_some())
        .count())
}

//! The hot loops: list, dict and tuple, item by item, without Python code in between.
//!
//! Exact built-in scalars go to the sink from a borrowed look at the object. Containers in them are
//! written by plain calls, a few levels deep, without references and frames: nothing can change
//! them meanwhile. Where such a call meets something else (or the end of its levels), what is left
//! of each level becomes a frame, and the walk goes on with those.

use octad_core::sink::{Chars, Sink};

use super::frames::{DictFrame, Frame, ListFrame, TupleFrame};
use super::noted::Notes;
use super::plans::{Plan, Plans};
use super::records::Due;
use crate::cpython::{Content, DictPlace, DictView, Item, ListView, Obj, Quiet, Str};
use std::rc::Rc;

/// How many levels of containers are written by calls within each other. A constant, so the machine
/// stack is never at the mercy of the data.
pub(super) const LEVELS: usize = 8;

/// Why a loop over a container stopped.
pub enum Step {
    /// At its end.
    End,
    /// At a container in it that has been begun and left frames.
    Entered,
    /// At a list in it.
    List(Obj),
    /// At a dict in it.
    Dict(Obj),
    /// At a tuple in it.
    Tuple(Obj),
    /// At a field that is read by Python's means.
    Field,
    /// At an object that needs a closer look.
    Other(Obj),
    /// At an entry whose key is not an exact str.
    OddKey(Obj, Obj),
    /// The container is not as long as it was.
    Changed,
    /// The sink has an error.
    Failed,
}

/// What became of an object that a loop looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    Written,
    Failed,
    List,
    Dict,
    Tuple,
    Other,
}

/// What the loops share with the walk.
pub struct Inner<'w, S> {
    pub sink: &'w mut S,
    /// The frames that calls leave behind, innermost first.
    pub left: &'w mut Vec<Frame>,
    /// How many more containers may be open.
    pub room: usize,
    /// Dicts keep their order.
    pub kept: bool,
    pub notes: &'w mut Notes,
    pub plans: &'w mut Plans,
}

/// Writes a scalar of an exact built-in type; for anything else says what it is.
#[inline(always)]
pub fn scalar<S: Sink>(sink: &mut S, content: Content<'_>) -> Seen {
    match content {
        Content::Str(text) => match text.ascii() {
            Some(bytes) => sink.text(Chars::Ascii(bytes)),
            None => wide_text(sink, text),
        },
        Content::Int(number) => match number.small() {
            Some(value) => sink.i64(value),
            None => return Seen::Other,
        },
        Content::Float(number) => sink.f64(number.get()),
        Content::Dict => return Seen::Dict,
        Content::List => return Seen::List,
        Content::None => sink.null(),
        Content::Bool(value) => sink.bool(value),
        Content::Tuple => return Seen::Tuple,
        Content::Other => return Seen::Other,
    }
    if sink.failed() {
        Seen::Failed
    } else {
        Seen::Written
    }
}

#[inline(never)]
pub(super) fn wide_text<S: Sink>(sink: &mut S, text: Str<'_>) {
    sink.text(text.chars());
}

impl<S: Sink> Inner<'_, S> {
    /// Writes a list or dict by calls, if that is what was seen and there is room. `None`: it is
    /// for the walk to open. `Some(false)`: frames are left.
    #[inline(always)]
    pub fn enter(&mut self, seen: Seen, item: Item<'_>) -> Option<bool> {
        let levels = self.room.min(LEVELS);
        self.call(seen, item, levels)
    }

    #[inline(always)]
    fn call(&mut self, seen: Seen, item: Item<'_>, levels: usize) -> Option<bool> {
        match seen {
            Seen::List if levels > 0 => Some(self.list(item, levels - 1)),
            Seen::Dict if levels > 0 && self.kept => Some(self.dict(item, levels - 1)),
            Seen::Tuple | Seen::Other => self.odd(Due::Nothing, &mut None, seen, item, levels),
            _ => None,
        }
    }

    /// Writes a list; false where it leaves frames.
    #[inline(always)]
    pub(super) fn list(&mut self, item: Item<'_>, levels: usize) -> bool {
        match item.list() {
            Some(list) if list.len() > 0 => self.filled_list(list, levels),
            _ => {
                self.sink.empty_list();
                true
            }
        }
    }

    #[inline(never)]
    fn filled_list(&mut self, list: ListView<'_>, levels: usize) -> bool {
        let len = list.len();
        self.sink.begin_list(Some(len));
        let mut next = 0;
        let mut hand: Option<Rc<Plan>> = None;
        // True: the item was begun, and what is left stands behind it.
        let behind = loop {
            let Some(item) = list.get(next) else {
                self.sink.end_filled_list();
                return true;
            };
            match item.content() {
                Content::Float(number) => {
                    self.sink.f64(number.get());
                    if self.sink.failed() {
                        break true;
                    }
                }
                Content::List if levels > 0 => {
                    if !self.list(item, levels - 1) {
                        break true;
                    }
                }
                Content::Dict if levels > 0 && self.kept => {
                    if !self.dict(item, levels - 1) {
                        break true;
                    }
                }
                content => match scalar(self.sink, content) {
                    Seen::Written => {}
                    Seen::Failed => break true,
                    seen @ (Seen::Tuple | Seen::Other) => {
                        if let Some(plan) = &hand {
                            foresee(list, next, plan);
                        }
                        match self.odd(Due::Nothing, &mut hand, seen, item, levels) {
                            Some(true) => {}
                            Some(false) => break true,
                            None => break false,
                        }
                    }
                    Seen::List | Seen::Dict => break false,
                },
            }
            next += 1;
        };
        next += usize::from(behind);
        let list = list.hold();
        self.left.push(Frame::List(ListFrame { list, next, len }));
        false
    }

    /// Writes a dict; false where it leaves frames.
    #[inline(always)]
    pub(super) fn dict(&mut self, item: Item<'_>, levels: usize) -> bool {
        match item.dict() {
            Some(dict) if dict.len() > 0 => self.filled_dict(dict, levels),
            _ => {
                self.sink.empty_map();
                true
            }
        }
    }

    #[inline(never)]
    fn filled_dict(&mut self, dict: DictView<'_>, levels: usize) -> bool {
        let len = dict.len();
        let mut hand: Option<Rc<Plan>> = None;
        self.sink.begin_map(Some(len));
        let mut left = len;
        let mut entries = dict.entries(DictPlace::default());
        // An entry's key is written only if its value will be written or begun here. True: the
        // entry was begun, and what is left stands behind it.
        let behind = loop {
            let Some((key, value)) = entries.next() else {
                self.sink.end_filled_map();
                return true;
            };
            let Some(key) = key.as_str() else {
                break false;
            };
            match value.content() {
                Content::Str(text) => {
                    self.notes.put(self.sink, key);
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
                    self.notes.put(self.sink, key);
                    self.sink.i64(number);
                    if self.sink.failed() {
                        break true;
                    }
                }
                Content::Dict if levels > 0 && self.kept => {
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
                Content::Float(number) => {
                    self.notes.put(self.sink, key);
                    self.sink.f64(number.get());
                    if self.sink.failed() {
                        break true;
                    }
                }
                Content::None => {
                    self.notes.put(self.sink, key);
                    self.sink.null();
                }
                Content::Bool(value) => {
                    self.notes.put(self.sink, key);
                    self.sink.bool(value);
                }
                content @ (Content::Tuple | Content::Other) => {
                    let seen = if matches!(content, Content::Tuple) {
                        Seen::Tuple
                    } else {
                        Seen::Other
                    };
                    match self.odd(Due::Key(key), &mut hand, seen, value, levels) {
                        Some(true) => {}
                        Some(false) => break true,
                        None => break false,
                    }
                }
                Content::Dict | Content::List => break false,
            }
            left -= 1;
        };
        let (place, before) = (entries.place(), entries.before());
        self.left.push(Frame::Dict(DictFrame {
            dict: dict.hold(),
            place: if behind { place } else { before },
            before,
            len,
            left: left - usize::from(behind),
            texts: None,
        }));
        false
    }

    /// What the walk does with an object that is no scalar; `None` if it is written.
    #[inline(always)]
    pub(super) fn step_at(&mut self, seen: Seen, item: Item<'_>) -> Option<Step> {
        match self.enter(seen, item) {
            Some(true) => return None,
            Some(false) => return Some(Step::Entered),
            None => {}
        }
        match seen {
            Seen::List => Some(Step::List(item.own())),
            Seen::Dict => Some(Step::Dict(item.own())),
            Seen::Tuple => Some(Step::Tuple(item.own())),
            Seen::Other => Some(Step::Other(item.own())),
            Seen::Failed => Some(Step::Failed),
            Seen::Written => None,
        }
    }
}

/// Asks for the memory of the records that are next.
#[inline(always)]
fn foresee(list: ListView<'_>, next: usize, plan: &Plan) {
    if plan.fields.are_wide() {
        list.expect(next + 2);
        if let Some(item) = list.get(next + 1) {
            plan.fields.expect(item);
        }
    }
}

/// Writes a list from where it stands.
#[inline(always)]
pub fn list_step<S: Sink>(
    frame: &mut ListFrame,
    quiet: &Quiet<'_>,
    mut inner: Inner<'_, S>,
) -> Step {
    let list = frame.list.view(quiet);
    if list.len() != frame.len {
        return Step::Changed;
    }
    while let Some(item) = list.get(frame.next) {
        frame.next += 1;
        let seen = scalar(inner.sink, item.content());
        if seen != Seen::Written
            && let Some(step) = inner.step_at(seen, item)
        {
            return step;
        }
    }
    Step::End
}

/// Writes a tuple from where it stands.
#[inline(always)]
pub fn tuple_step<S: Sink>(frame: &mut TupleFrame, mut inner: Inner<'_, S>) -> Step {
    while let Some(item) = frame.tuple.get(frame.next) {
        frame.next += 1;
        let seen = scalar(inner.sink, item.content());
        if seen != Seen::Written
            && let Some(step) = inner.step_at(seen, item)
        {
            return step;
        }
    }
    Step::End
}

/// Writes a dict from where it stands.
#[inline(always)]
pub fn dict_step<S: Sink>(
    frame: &mut DictFrame,
    quiet: &Quiet<'_>,
    mut inner: Inner<'_, S>,
) -> Step {
    let dict = frame.dict.view(quiet);
    if dict.len() != frame.len {
        return Step::Changed;
    }
    let mut entries = dict.entries(frame.place);
    while let Some((key, value)) = entries.next() {
        if frame.left == 0 {
            return Step::Changed;
        }
        frame.left -= 1;
        let Some(text) = key.as_str() else {
            (frame.place, frame.before) = (entries.place(), entries.before());
            return Step::OddKey(key.own(), value.own());
        };
        inner.notes.put(inner.sink, text);
        let seen = scalar(inner.sink, value.content());
        if seen != Seen::Written
            && let Some(step) = inner.step_at(seen, value)
        {
            (frame.place, frame.before) = (entries.place(), entries.before());
            return step;
        }
    }
    frame.place = entries.place();
    if frame.left == 0 {
        Step::End
    } else {
        Step::Changed
    }
}

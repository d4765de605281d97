//! The walk: from one Python object to the events of a sink, without recursion.
//!
//! The loops over list and dict are the hot path: exact built-in scalars go to the sink from a
//! borrowed look at the object. Whatever else turns up is taken by reference first and handled in
//! `special`, where Python code may run.

use octad_core::error::{Error, ErrorCode, Path, Segment};
use octad_core::sink::{Chars, Sink};
use pyo3::prelude::*;

use super::bigint;
use super::classify::{Class, classify};
use super::fault::{Fault, Outcome, error, type_name};
use super::forms::{self, Form};
use super::frames::{self, DictFrame, Frame, ListFrame, TupleFrame};
use super::keys;
use super::rules::{Order, Rules};
use crate::cpython::{Content, DictPlace, DictRef, Int, Item, ListRef, Obj, Quiet, TupleRef};

/// How often one object may be replaced by another (`default=`, an enum's value) before that is
/// taken for an endless chain.
pub const CHAIN: usize = 255;

/// Why a loop over a container stopped.
enum Step {
    /// At its end.
    End,
    /// At a container in it that has been begun.
    Enter(Frame),
    /// At a list in it.
    List(Obj),
    /// At a dict in it.
    Dict(Obj),
    /// At a tuple in it.
    Tuple(Obj),
    /// At an object that needs a closer look.
    Other(Obj),
    /// At an entry whose key is not an exact str.
    OddKey(Obj, Obj),
    /// The container is not as long as it was.
    Changed,
    /// The sink has an error.
    Failed,
}

/// What follows the closer look at an object.
pub(super) enum Next {
    /// It is written, or its frame is open.
    Done,
    /// This object stands for it.
    Instead(Obj),
}

/// One walk over an object graph.
pub struct Walk<'r, 'py, S> {
    pub(super) sink: S,
    pub(super) quiet: Quiet<'py>,
    pub(super) frames: &'r mut Vec<Frame>,
    pub(super) rules: &'r Rules,
    /// How many frames may be open.
    pub(super) depth: usize,
    /// How many frames may be open before the stack is searched for a cycle.
    search_at: usize,
    /// Where the value stands in a text begun by others; `None` for a text of its own.
    outer: Option<Vec<Segment>>,
}

impl<'r, 'py, S: Sink + Send> Walk<'r, 'py, S> {
    /// A walk with an empty stack.
    pub fn new(py: Python<'py>, sink: S, frames: &'r mut Vec<Frame>, rules: &'r Rules) -> Self {
        Self {
            sink,
            quiet: Quiet::new(py),
            frames,
            rules,
            depth: rules.depth,
            search_at: rules.depth.min(1024),
            outer: None,
        }
    }

    /// The value is one within a text that others have begun and will end.
    pub fn inside(mut self, outer: Vec<Segment>) -> Self {
        self.depth = self.rules.depth.saturating_sub(outer.len());
        self.search_at = self.search_at.min(self.depth);
        self.outer = Some(outer);
        self
    }

    /// Writes one object; an error carries its path.
    pub fn write(mut self, root: Obj) -> PyResult<()> {
        match self.run(root) {
            Ok(()) => Ok(()),
            Err(fault) => Err(self.explain(*fault)),
        }
    }

    #[cold]
    fn explain(&mut self, fault: Fault) -> PyErr {
        let mut fault = fault;
        if let Fault::Core(error) = &fault
            && matches!(error.code(), ErrorCode::DepthLimit | ErrorCode::Cycle)
            && error.token().is_none()
            && let Some(inner) = self.frames.pop()
        {
            // The innermost frame is the container that may not be opened.
            let found = frames::repeated(self.frames, inner.owner());
            if let Some(outside) = found {
                let name = type_name(inner.owner().bind(self.quiet.noisy()));
                fault = Fault::Core(Error::new(ErrorCode::Cycle).with("type", name));
                self.frames.truncate(outside);
            }
        }
        let inner = frames::segments(self.frames, &mut self.quiet);
        let below = match &fault {
            Fault::Core(error) => error.path().segments().cloned().collect(),
            Fault::Python(_) => Vec::new(),
        };
        let outer = self.outer.take().into_iter().flatten();
        let path = Path::from_outer(outer.chain(inner).chain(below));
        let py = self.quiet.noisy();
        fault.into_py(py, path, self.rules.show_input)
    }

    fn run(&mut self, root: Obj) -> Outcome {
        self.value(root)?;
        let kept = self.rules.order == Order::Kept;
        loop {
            let inner = Inner {
                room: self.frames.len() < self.search_at,
                kept,
            };
            let Some(frame) = self.frames.last_mut() else {
                break;
            };
            let step = match frame {
                Frame::List(frame) => list_step(frame, &mut self.sink, &self.quiet, inner),
                Frame::Dict(frame) => dict_step(frame, &mut self.sink, &self.quiet, inner),
                Frame::Tuple(frame) => tuple_step(frame, &mut self.sink, inner),
                Frame::Entries(_) | Frame::Record(_) | Frame::Iter(_) => {
                    self.slow_step()?;
                    continue;
                }
            };
            match step {
                Step::Enter(frame) => {
                    self.frames.push(frame);
                    self.check()?;
                }
                Step::List(list) => self.open_list(list)?,
                Step::Dict(dict) => self.open_dict(dict)?,
                Step::End => self.close()?,
                Step::Tuple(tuple) => self.open_tuple(tuple)?,
                Step::Other(object) => self.other(object)?,
                Step::OddKey(key, value) => self.odd_key(key, value)?,
                Step::Changed => return Err(self.changed()),
                Step::Failed => self.check()?,
            }
        }
        if self.outer.is_none() {
            self.sink.finish();
        }
        self.check()
    }

    /// Passes on the sink's error.
    #[inline]
    pub(super) fn check(&mut self) -> Outcome {
        if self.sink.failed()
            && let Some(error) = self.sink.take_error()
        {
            return Err(error.into());
        }
        Ok(())
    }

    #[cold]
    pub(super) fn changed(&mut self) -> Box<Fault> {
        let failure = error(ErrorCode::SizeChanged);
        let Some(frame) = self.frames.pop() else {
            return failure.into();
        };
        failure
            .with("type", type_name(frame.owner().bind(self.quiet.noisy())))
            .into()
    }

    /// Closes the innermost container.
    #[inline]
    fn close(&mut self) -> Outcome {
        match self.frames.last() {
            Some(Frame::List(_) | Frame::Tuple(_) | Frame::Iter(_)) => self.sink.end_list(),
            Some(Frame::Dict(_) | Frame::Entries(_) | Frame::Record(_)) => self.sink.end_map(),
            None => {}
        }
        self.check()?;
        self.frames.truncate(self.frames.len() - 1);
        Ok(())
    }

    /// Makes room for a container; the frame on the stack tells a failure where it is.
    #[inline]
    pub(super) fn push(&mut self, frame: Frame) -> Outcome {
        self.frames.push(frame);
        if self.frames.len() > self.search_at {
            return self.too_deep();
        }
        Ok(())
    }

    #[cold]
    fn too_deep(&mut self) -> Outcome {
        let depth = self.depth;
        let open = self.frames.len();
        let cyclic = self
            .frames
            .last()
            .is_some_and(|last| frames::repeated(&self.frames[..open - 1], last.owner()).is_some());
        if cyclic {
            return Err(error(ErrorCode::Cycle).into());
        }
        if open > depth {
            return Err(error(ErrorCode::DepthLimit)
                .with("limit", self.rules.depth)
                .into());
        }
        self.search_at = depth.min(open * 2);
        Ok(())
    }

    #[inline]
    pub(super) fn open_list(&mut self, object: Obj) -> Outcome {
        match ListRef::new(object) {
            Ok(list) => {
                let len = list.view(&self.quiet).len();
                self.push(Frame::List(ListFrame { list, next: 0, len }))?;
                self.sink.begin_list(Some(len));
                Ok(())
            }
            Err(object) => self.other(object),
        }
    }

    #[inline]
    pub(super) fn open_tuple(&mut self, object: Obj) -> Outcome {
        match TupleRef::new(object) {
            Ok(tuple) => {
                let len = tuple.len();
                self.push(Frame::Tuple(TupleFrame { tuple, next: 0 }))?;
                self.sink.begin_list(Some(len));
                Ok(())
            }
            Err(object) => self.other(object),
        }
    }

    #[inline]
    pub(super) fn open_dict(&mut self, object: Obj) -> Outcome {
        if self.rules.order != Order::Kept {
            return self.open_sorted(object);
        }
        match DictRef::new(object) {
            Ok(dict) => {
                let len = dict.view(&self.quiet).len();
                self.push(Frame::Dict(DictFrame {
                    dict,
                    place: DictPlace::default(),
                    before: DictPlace::default(),
                    len,
                    left: len,
                    texts: None,
                }))?;
                self.sink.begin_map(Some(len));
                Ok(())
            }
            Err(object) => self.other(object),
        }
    }

    /// Writes any object, or opens its frame.
    #[inline]
    pub(super) fn value(&mut self, object: Obj) -> Outcome {
        let seen = scalar(&mut self.sink, object.item().content());
        match seen {
            Seen::Written | Seen::Failed => self.check(),
            Seen::List => self.open_list(object),
            Seen::Dict => self.open_dict(object),
            Seen::Tuple => self.open_tuple(object),
            Seen::Other => self.other(object),
        }
    }

    /// An object that the hot loop only named.
    #[cold]
    #[inline(never)]
    fn other(&mut self, object: Obj) -> Outcome {
        let mut object = object;
        for _ in 0..CHAIN {
            match object.item().content() {
                Content::Int(Int::U64(value)) => self.sink.u64(value),
                Content::Int(Int::Big(big)) => self.sink.big(&bigint::decimal(big)),
                Content::Float(value) => self.sink.f64(value),
                Content::Other => match self.special(object)? {
                    Next::Done => return Ok(()),
                    Next::Instead(other) => {
                        object = other;
                        continue;
                    }
                },
                _ => return self.value(object),
            }
            return self.check();
        }
        let name = type_name(object.bind(self.quiet.noisy()));
        let hint = format!(" at the end of {CHAIN} replacements, each by another object");
        Err(error(ErrorCode::UnsupportedType)
            .with("type", name)
            .with("hint", hint)
            .into())
    }

    /// An object that is not of an exact built-in type.
    fn special(&mut self, object: Obj) -> Outcome<Next> {
        let py = self.quiet.noisy();
        let class = classify(py, &object)?;
        match class {
            Class::List => self.open_list(object)?,
            Class::Tuple => self.open_tuple(object)?,
            Class::Dict => self.open_dict(object)?,
            Class::Mapping => self.open_mapping(object)?,
            Class::Iterable => self.open_iterable(object)?,
            Class::Record(fields) => self.open_record(object, fields)?,
            Class::NumpyArray => return self.open_array(object),
            Class::Bytes | Class::Buffer => self.write_bytes(&object)?,
            Class::Raw => self.write_raw(&object)?,
            Class::Tape => self.write_tape(&object)?,
            Class::Unsupported(hint) => {
                let Some(default) = &self.rules.default else {
                    return Err(error(ErrorCode::UnsupportedType)
                        .with("type", type_name(object.bind(py)))
                        .with("hint", hint)
                        .into());
                };
                let other = default.bind(py).call1((object.bind(py),))?;
                return Ok(Next::Instead(Obj::take(other)));
            }
            scalar => match forms::form_of(py, &object, &scalar)? {
                Some(Form::Instead(other)) => return Ok(Next::Instead(other)),
                Some(form) => self.write_form(&object, form)?,
                None => {}
            },
        }
        Ok(Next::Done)
    }

    fn write_form(&mut self, object: &Obj, form: Form) -> Outcome {
        match form {
            Form::Str => {
                if let Some(chars) = object.item().chars() {
                    self.sink.text(chars);
                }
            }
            Form::Int => match object.item().int() {
                Some(Int::I64(value)) => self.sink.i64(value),
                Some(Int::U64(value)) => self.sink.u64(value),
                Some(Int::Big(big)) => self.sink.big(&bigint::decimal(big)),
                None => {}
            },
            Form::Float(value) => self.sink.f64(value),
            Form::Number(literal) => self.sink.decimal(&literal),
            Form::Missing(_) => self.sink.f64(f64::NAN),
            Form::Text(text) => self.sink.text(Chars::from(text.as_str())),
            Form::Time(time) => self.sink.time(&time),
            Form::Span(span) => self.sink.span(&span),
            Form::Instead(_) => {}
        }
        self.check()
    }

    /// An entry of a dict whose key is not an exact str.
    #[cold]
    #[inline(never)]
    fn odd_key(&mut self, key: Obj, value: Obj) -> Outcome {
        let py = self.quiet.noisy();
        let text = keys::text_of(py, key, self.rules)?;
        if let Some(Frame::Dict(frame)) = self.frames.last_mut() {
            if frame.texts.is_none() && !keys::all_distinct(frame.dict.view(&self.quiet)) {
                frame.texts = Some(Box::new(keys::exact_texts(frame.dict.view(&self.quiet))));
            }
            if let Some(texts) = &mut frame.texts
                && !texts.insert(text.chars().to_text().into())
            {
                return Err(keys::clash(text.chars()));
            }
        }
        self.sink.key(text.chars());
        self.value(value)
    }
}

/// What became of an object that the hot loop looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    Written,
    Failed,
    List,
    Dict,
    Tuple,
    Other,
}

/// Writes a scalar of an exact built-in type; for anything else says what it is.
#[inline(always)]
fn scalar<S: Sink>(sink: &mut S, content: Content<'_>) -> Seen {
    match content {
        Content::Str(chars) => sink.text(chars),
        Content::Int(Int::I64(value)) => sink.i64(value),
        Content::Float(value) => sink.f64(value),
        Content::Dict => return Seen::Dict,
        Content::List => return Seen::List,
        Content::None => sink.null(),
        Content::Bool(value) => sink.bool(value),
        Content::Tuple => return Seen::Tuple,
        Content::Int(_) | Content::Other => return Seen::Other,
    }
    if sink.failed() {
        Seen::Failed
    } else {
        Seen::Written
    }
}

/// What the loops need to know of the walk.
#[derive(Clone, Copy)]
struct Inner {
    /// One more container may be open.
    room: bool,
    /// Dicts keep their order.
    kept: bool,
}

/// Why a loop stops at an object that is no scalar; containers of scalars are written here, without
/// a frame or a reference.
#[inline(always)]
fn step_at<S: Sink>(seen: Seen, item: Item<'_>, sink: &mut S, inner: Inner) -> Option<Step> {
    match seen {
        Seen::List if inner.room => leaf_list(item, sink).map(Step::Enter),
        Seen::Dict if inner.room && inner.kept => leaf_dict(item, sink).map(Step::Enter),
        Seen::List => Some(Step::List(item.own())),
        Seen::Dict => Some(Step::Dict(item.own())),
        Seen::Tuple => Some(Step::Tuple(item.own())),
        Seen::Other => Some(Step::Other(item.own())),
        Seen::Failed => Some(Step::Failed),
        Seen::Written => None,
    }
}

/// Writes a list as far as its items are scalars; a frame for the rest, if there is one.
#[inline(never)]
fn leaf_list<S: Sink>(item: Item<'_>, sink: &mut S) -> Option<Frame> {
    let list = item.list()?;
    let len = list.len();
    sink.begin_list(Some(len));
    let mut next = 0;
    while let Some(item) = list.get(next) {
        match scalar(sink, item.content()) {
            Seen::Written => next += 1,
            seen => {
                next += usize::from(seen == Seen::Failed);
                let list = list.hold();
                return Some(Frame::List(ListFrame { list, next, len }));
            }
        }
    }
    sink.end_list();
    None
}

/// Writes a dict as far as its keys are strs and its values scalars; a frame for the rest, if there
/// is one.
#[inline(never)]
fn leaf_dict<S: Sink>(item: Item<'_>, sink: &mut S) -> Option<Frame> {
    let dict = item.dict()?;
    let len = dict.len();
    sink.begin_map(Some(len));
    let mut left = len;
    let mut place = DictPlace::default();
    loop {
        let before = place;
        let Some((key, value)) = dict.next(&mut place) else {
            break;
        };
        let seen = match (key.content(), value.content()) {
            (
                _,
                Content::Dict
                | Content::List
                | Content::Tuple
                | Content::Other
                | Content::Int(Int::U64(_) | Int::Big(_)),
            ) => Seen::Other,
            (Content::Str(chars), content) => {
                sink.key(chars);
                scalar(sink, content)
            }
            _ => Seen::Other,
        };
        if seen == Seen::Written {
            left -= 1;
            continue;
        }
        let failed = seen == Seen::Failed;
        return Some(Frame::Dict(DictFrame {
            dict: dict.hold(),
            place: if failed { place } else { before },
            before,
            len,
            left: left - usize::from(failed),
            texts: None,
        }));
    }
    sink.end_map();
    None
}

#[inline(always)]
fn list_step<S: Sink>(
    frame: &mut ListFrame,
    sink: &mut S,
    quiet: &Quiet<'_>,
    inner: Inner,
) -> Step {
    let list = frame.list.view(quiet);
    if list.len() != frame.len {
        return Step::Changed;
    }
    while let Some(item) = list.get(frame.next) {
        frame.next += 1;
        let seen = scalar(sink, item.content());
        if seen != Seen::Written
            && let Some(step) = step_at(seen, item, sink, inner)
        {
            return step;
        }
    }
    Step::End
}

#[inline(always)]
fn tuple_step<S: Sink>(frame: &mut TupleFrame, sink: &mut S, inner: Inner) -> Step {
    while let Some(item) = frame.tuple.get(frame.next) {
        frame.next += 1;
        let seen = scalar(sink, item.content());
        if seen != Seen::Written
            && let Some(step) = step_at(seen, item, sink, inner)
        {
            return step;
        }
    }
    Step::End
}

#[inline(always)]
fn dict_step<S: Sink>(
    frame: &mut DictFrame,
    sink: &mut S,
    quiet: &Quiet<'_>,
    inner: Inner,
) -> Step {
    let dict = frame.dict.view(quiet);
    if dict.len() != frame.len {
        return Step::Changed;
    }
    loop {
        frame.before = frame.place;
        let Some((key, value)) = dict.next(&mut frame.place) else {
            break;
        };
        if frame.left == 0 {
            return Step::Changed;
        }
        frame.left -= 1;
        match key.content() {
            Content::Str(chars) => sink.key(chars),
            _ => return Step::OddKey(key.own(), value.own()),
        }
        let seen = scalar(sink, value.content());
        if seen != Seen::Written
            && let Some(step) = step_at(seen, value, sink, inner)
        {
            return step;
        }
    }
    if frame.left == 0 {
        Step::End
    } else {
        Step::Changed
    }
}

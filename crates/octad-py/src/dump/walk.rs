//! The walk: from one Python object to the events of a sink, without recursion.
//!
//! The loops over list and dict (`loops`) are the hot path. Whatever they do not know is taken by
//! reference first and handled in `special`, where Python code may run.

use std::rc::Rc;
use std::sync::Arc;

use octad_core::error::{Error, ErrorCode, Path, Segment};
use octad_core::sink::{Chars, Sink};
use pyo3::prelude::*;

use super::asked;
use super::bigint;
use super::classify::{Class, Unknown, classify};
use super::context::Context;
use super::converted::Writing;
use super::fault::{Fault, Outcome, error, type_name};
use super::forms::{self, Form};
use super::frames::{self, DictFrame, Frame, ListFrame, TupleFrame};
use super::keys;
use super::loops::{Inner, Seen, Step, dict_step, list_step, scalar, tuple_step};
use super::noted::Notes;
use super::plans::{Plan, Plans};
use super::records::record_step;
use super::rules::Rules;
use super::scratch::Stack;
use super::sharing::Met;
use crate::cpython::{Content, DictPlace, DictRef, Int, ListRef, Obj, Quiet, TupleRef};

/// How often one object may be replaced by another (`default=`, an enum's value) before that is
/// taken for an endless chain.
pub const CHAIN: usize = 255;

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
    left: &'r mut Vec<Frame>,
    notes: &'r mut Notes,
    plans: &'r mut Plans,
    pub(super) rules: &'r Rules,
    /// How many frames may be open.
    pub(super) depth: usize,
    /// How many frames may be open before the stack is searched for a cycle.
    search_at: usize,
    /// Where the value stands in a text begun by others; `None` for a text of its own.
    pub(super) outer: Option<Vec<Segment>>,
    /// The converters that are writing, outermost first.
    pub(super) turns: Vec<Writing>,
    /// What holds for values here; `None` where that is nothing in particular.
    pub(super) context: Option<Arc<Context>>,
    /// Containers are not for the hot loops here.
    pub(super) slow: bool,
    /// The contexts that fields have made.
    pub(super) contexts: Vec<(Rc<Plan>, usize, Arc<Context>)>,
    /// The tag of the value that is written has been written beside it.
    pub(super) beside: bool,
    /// The containers that may be met again.
    pub(super) met: Met,
    /// What stands for fields that are not set, once that was looked up.
    pub(super) unset: Option<Vec<Py<PyAny>>>,
    /// What a hook has given in place of an object, and the hook.
    pub(super) answer: Option<(Obj, Py<PyAny>)>,
    /// The last exception that a converter was given and that knows its place.
    pub(super) told: Option<Py<PyAny>>,
}

impl<'r, 'py, S: Sink + Send> Walk<'r, 'py, S> {
    /// A walk with an empty stack.
    pub fn new(py: Python<'py>, sink: S, stack: &'r mut Stack, rules: &'r Rules) -> Self {
        stack.notes.begin(sink.key_manner());
        stack.plans.begin(rules.scope.id, rules.context.as_deref());
        Self {
            sink,
            quiet: Quiet::new(py),
            frames: &mut stack.frames,
            left: &mut stack.left,
            notes: &mut stack.notes,
            plans: &mut stack.plans,
            rules,
            depth: rules.depth,
            search_at: rules.depth.min(1024),
            outer: None,
            turns: Vec::new(),
            context: rules.context.clone(),
            slow: rules.slow,
            contexts: Vec::new(),
            beside: false,
            met: Met::default(),
            unset: None,
            answer: None,
            told: None,
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
        let outcome = self.run(root).and_then(|()| self.finish());
        self.notes.end(self.quiet.noisy());
        match outcome {
            Ok(()) => Ok(()),
            Err(fault) => Err(self.explain(*fault)),
        }
    }

    /// The exception for a fault; the frames show where it happened.
    #[cold]
    pub(super) fn explain(&mut self, fault: Fault) -> PyErr {
        let mut fault = fault;
        let mut shown = self.frames.len();
        if let Fault::Core(error) = &fault
            && matches!(error.code(), ErrorCode::DepthLimit | ErrorCode::Cycle)
            && error.token().is_none()
            && let Some(inner) = self.frames.last()
        {
            // The innermost frame is the container that may not be opened.
            shown -= 1;
            if let Some(inner) = inner.owner().cloned()
                && let Some(outside) = frames::repeated(self.frames)
            {
                let name = type_name(inner.bind(self.quiet.noisy()));
                fault = Fault::Core(Error::new(ErrorCode::Cycle).with("type", name));
                shown = outside;
            }
        }
        let mut path = self.path_to(shown);
        if let Fault::Core(error) = &fault {
            let below = error.path().segments();
            path = Path::from_outer(path.segments().chain(below).cloned());
        }
        let py = self.quiet.noisy();
        fault.into_py(py, path, self.rules.show_input)
    }

    /// Writes a value in front of which the text stands.
    pub(super) fn run(&mut self, root: Obj) -> Outcome {
        let floor = self.frames.len();
        self.value(root)?;
        let kept = self.rules.plain_dicts();
        loop {
            let open = self.frames.len();
            if open <= floor {
                return Ok(());
            }
            let room = self.search_at.saturating_sub(open);
            let Some(frame) = self.frames.last_mut() else {
                return Ok(());
            };
            let inner = Inner {
                sink: &mut self.sink,
                left: self.left,
                room,
                kept,
                notes: self.notes,
                plans: self.plans,
            };
            let step = match frame {
                Frame::List(frame) => list_step(frame, &self.quiet, inner),
                Frame::Dict(frame) => dict_step(frame, &self.quiet, inner),
                Frame::Tuple(frame) => tuple_step(frame, inner),
                Frame::Record(frame) => record_step(frame, &self.quiet, inner),
                Frame::Entries(_) | Frame::Iter(_) | Frame::Pushed(_) | Frame::Shaped(_) => {
                    self.slow_step()?;
                    continue;
                }
            };
            match step {
                Step::Entered => self.entered()?,
                Step::List(list) => self.open_list(list)?,
                Step::Dict(dict) => self.open_dict(dict)?,
                Step::End => self.close()?,
                Step::Tuple(tuple) => self.open_tuple(tuple)?,
                Step::Field => self.slow_step()?,
                Step::Other(object) => self.other(object)?,
                Step::OddKey(key, value) => self.odd_key(key, value)?,
                Step::Changed => return Err(self.changed()),
                Step::Failed => self.check()?,
            }
        }
    }

    /// Ends a text of one's own.
    fn finish(&mut self) -> Outcome {
        if self.outer.is_none() {
            self.sink.finish();
        }
        self.check()
    }

    /// Takes over the frames that the loops left, and an error if that was the reason.
    fn entered(&mut self) -> Outcome {
        self.frames.extend(self.left.drain(..).rev());
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
        let frame = self.frames.pop();
        let Some(owner) = frame.as_ref().and_then(Frame::owner) else {
            return failure.into();
        };
        failure
            .with("type", type_name(owner.bind(self.quiet.noisy())))
            .into()
    }

    /// Closes the innermost container.
    #[inline]
    fn close(&mut self) -> Outcome {
        match self.frames.last() {
            Some(Frame::List(_) | Frame::Tuple(_) | Frame::Iter(_)) => self.sink.end_list(),
            Some(Frame::Dict(_) | Frame::Entries(_) | Frame::Record(_)) => self.sink.end_map(),
            // A converter closes its own.
            Some(Frame::Pushed(_) | Frame::Shaped(_)) | None => {}
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
        if frames::repeated(self.frames).is_some() {
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
        if !self.rules.plain_dicts() || self.slow {
            return self.open_listed(object);
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
        if self.slow {
            return self.value_slowly(object);
        }
        let seen = scalar(&mut self.sink, object.item().content());
        let mut inner = Inner {
            sink: &mut self.sink,
            left: self.left,
            room: self.search_at.saturating_sub(self.frames.len()),
            kept: self.rules.plain_dicts(),
            notes: self.notes,
            plans: self.plans,
        };
        match inner.enter(seen, object.item()) {
            Some(true) => return self.check(),
            Some(false) => return self.entered(),
            None => {}
        }
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
                Content::Int(number) => write_int(&mut self.sink, number.get()),
                Content::Float(number) => self.sink.f64(number.get()),
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
        let mut class = classify(py, &object, &self.rules.scope)?;
        if let Class::Converted(own) = &class
            && self.is_own(&object)
        {
            class = own.class.clone();
        }
        self.of_class(class, object)
    }

    fn of_class(&mut self, class: Class, object: Obj) -> Outcome<Next> {
        let py = self.quiet.noisy();
        if self.slow {
            match class {
                Class::List | Class::Dict | Class::Mapping | Class::Record(_) => {
                    if self.is_met(&object)? {
                        return Ok(Next::Done);
                    }
                }
                _ => self.unannounced(),
            }
        }
        match class {
            Class::List | Class::Tuple if self.slow => self.open_iterable(object)?,
            Class::List => self.open_list(object)?,
            Class::Tuple => self.open_tuple(object)?,
            Class::Dict => self.open_dict(object)?,
            Class::Mapping => self.open_mapping(object)?,
            Class::Iterable => self.open_iterable(object)?,
            Class::Record(plan) => return self.open_record(object, plan),
            Class::NumpyArray => return self.open_array(object),
            Class::Bytes | Class::Buffer => self.write_bytes(&object)?,
            Class::Raw => self.write_raw(&object)?,
            Class::Tape => self.write_tape(&object)?,
            Class::Converted(own) => match &own.converter {
                Some(converter) => self.convert(converter.bind(py), object)?,
                None => return self.of_class(own.class.clone(), object),
            },
            Class::Unsupported(unknown) => return self.unknown(object, &unknown),
            scalar => match forms::form_of(py, &object, &scalar, self.context.as_deref())? {
                Some(Form::Instead(other)) => return Ok(Next::Instead(other)),
                Some(form) => self.write_form(&object, form)?,
                None => {}
            },
        }
        Ok(Next::Done)
    }

    /// An object that octad has no way for: by the caller's `default`, or by its annotations.
    #[cold]
    fn unknown(&mut self, object: Obj, unknown: &Unknown) -> Outcome<Next> {
        let py = self.quiet.noisy();
        if let Some(default) = &self.rules.default {
            let other = default.bind(py).call1((object.bind(py),))?;
            return Ok(Next::Instead(Obj::take(other)));
        }
        let class = object.bind(py).get_type();
        if let Some(plan) = asked::unknown(&class, unknown, &self.rules.scope)? {
            return self.open_record(object, plan);
        }
        Err(error(ErrorCode::UnsupportedType)
            .with("type", type_name(object.bind(py)))
            .with("hint", unknown.hint)
            .into())
    }

    /// Writes any object where a context has a say in it.
    #[cold]
    #[inline(never)]
    fn value_slowly(&mut self, object: Obj) -> Outcome {
        let context = self.context.clone();
        let overrides = context
            .as_deref()
            .and_then(|context| context.overrides.as_deref());
        if let Some(converter) = overrides.and_then(|all| all.of(object.item().content()))
            && !self.is_own(&object)
        {
            let converter = converter.bind(self.quiet.noisy()).clone();
            return self.convert(&converter, object);
        }
        let as_text = context.as_deref().is_some_and(|context| context.as_text);
        match object.item().content() {
            Content::Int(_) | Content::Float(_) if as_text => {
                let form = match object.item().content() {
                    Content::Float(number) => Form::Float(number.get()),
                    _ => Form::Int,
                };
                self.write_form(&object, form)
            }
            Content::Int(number) => {
                write_int(&mut self.sink, number.get());
                self.check()
            }
            Content::List | Content::Dict if self.is_met(&object)? => Ok(()),
            Content::Dict => self.open_listed(object),
            Content::List => self.open_iterable(object),
            Content::Tuple => {
                self.unannounced();
                self.open_iterable(object)
            }
            Content::Other => self.other(object),
            content => {
                scalar(&mut self.sink, content);
                self.check()
            }
        }
    }

    fn write_form(&mut self, object: &Obj, form: Form) -> Outcome {
        let context = self.context.as_deref();
        if context.is_some_and(|context| context.as_text)
            && let Some(digits) = digits(object, &form)
        {
            self.sink.text(Chars::Ascii(digits.as_bytes()));
            return self.check();
        }
        match form {
            Form::Str => {
                if let Some(chars) = object.item().chars() {
                    self.sink.text(chars);
                }
            }
            Form::Int => {
                if let Some(number) = object.item().int() {
                    write_int(&mut self.sink, number);
                }
            }
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
                && !texts.insert(keys::identity(text.chars()))
            {
                return Err(keys::clash(text.chars()));
            }
        }
        self.sink.key(text.chars());
        self.value(value)
    }
}

/// The text of a finite number.
fn digits(object: &Obj, form: &Form) -> Option<String> {
    match form {
        Form::Int => object.item().int().map(keys::int_text),
        Form::Float(value) if value.is_finite() => Some(keys::finite_text(*value)),
        Form::Number(literal) if forms::is_finite_literal(literal) => Some(literal.clone()),
        _ => None,
    }
}

fn write_int<S: Sink>(sink: &mut S, number: Int<'_>) {
    match number {
        Int::I64(value) => sink.i64(value),
        Int::U64(value) => sink.u64(value),
        Int::Big(big) => sink.big(&bigint::decimal(big)),
    }
}

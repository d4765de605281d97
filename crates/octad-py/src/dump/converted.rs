//! Values that a user's converter writes: a walk within the walk, driven by Python code.
//!
//! The converter's containers are frames like any other, so depth, cycles and paths are those of
//! the whole text. A call of the converter's that fails leaves text and frames as they were before.

use octad_core::error::{ErrorCode, Path};
use octad_core::sink::Sink;
use pyo3::prelude::*;

use super::contract::FieldConverter;
use super::fault::{Fault, Outcome, error, type_name};
use super::frames::{self, Frame};
use super::keys::{self, KeyText};
use super::level::{Level, misuse};
use super::rules::Order;
use super::walk::Walk;
use crate::converter::{Output, write_with_converter};
use crate::cpython::{Content, Obj, StackEnd};

/// How many converters may write within each other: each takes some of the machine's stack, about
/// 3 KiB, and a thread may have no more than a MiB of that.
const MOST_TURNS: usize = 100;
/// From this depth on values are compared, in search of one that contains itself.
const SUSPICIOUS: usize = 16;

/// A converter that is writing.
pub struct Writing {
    /// The value that it was given.
    value: Obj,
    /// The frames outside of it.
    floor: usize,
}

/// A container that a converter has opened.
pub struct PushedFrame {
    level: Level,
    /// How many items or entries it will have, where that was said.
    declared: Option<usize>,
    /// The keys and where their entries begin, where entries are to be put in order.
    entries: Vec<(KeyText, usize)>,
}

impl PushedFrame {
    /// The step to the value that is due.
    pub fn segment(&self) -> Option<octad_core::error::Segment> {
        self.level.segment()
    }
}

impl<'py, S: Sink + Send> Walk<'_, 'py, S> {
    /// Whether the object is the one that a converter was given and now writes as its whole value:
    /// that is done in octad's own way, without the converter.
    pub(super) fn is_own(&self, object: &Obj) -> bool {
        self.turns.last().is_some_and(|turn| {
            turn.floor == self.frames.len()
                && turn.value.item().address() == object.item().address()
        })
    }

    /// Writes a field, or an item of one, by the converter that the field names.
    pub(super) fn convert_for_field(&mut self, named: &FieldConverter, value: Obj) -> Outcome {
        if !named.takes_none && matches!(value.item().content(), Content::None) {
            return self.value(value);
        }
        let converter = named.converter.bind(self.quiet.noisy()).clone();
        self.convert(&converter, value)
    }

    /// Writes a value by a converter. After an error the frames show where it happened.
    pub(super) fn convert(&mut self, converter: &Bound<'py, PyAny>, value: Obj) -> Outcome {
        let py = self.quiet.noisy();
        let floor = self.frames.len();
        self.expect_turn(&value)?;
        let object = value.bind(py).clone();
        self.turns.push(Writing { value, floor });
        let mut turn = Turn {
            walk: self,
            floor,
            written: false,
        };
        let (context, beside) = (turn.walk.context.clone(), turn.walk.beside);
        turn.walk.beside = false;
        let called = write_with_converter(converter, &object, &mut turn);
        let written = turn.written;
        self.turns.pop();
        self.beside = beside;
        self.set_context(context);
        let returned = called.map_err(|raised| self.retold(raised))?;
        if written && self.frames.len() == floor {
            return Ok(());
        }
        let found = if self.frames.len() > floor {
            "an open list or map at its end".to_owned()
        } else if returned.is_none() {
            "none".to_owned()
        } else {
            format!(
                "none (it returned {}: `w.value()` takes that)",
                type_name(&returned)
            )
        };
        let name = type_name(converter);
        let expected = format!("one value from the converter {name}");
        Err(error(ErrorCode::WriterState)
            .with("expected", expected)
            .with("call", found)
            .into())
    }

    /// An exception that a converter let through: told already, or its own.
    fn retold(&mut self, raised: PyErr) -> Box<Fault> {
        let py = self.quiet.noisy();
        match &self.told {
            Some(told) if raised.value(py).is(told) => Box::new(Fault::Told(raised)),
            _ => raised.into(),
        }
    }

    /// Refuses converters that are too many levels deep, most often since a value contains itself.
    fn expect_turn(&mut self, value: &Obj) -> Outcome {
        let open = self.turns.len();
        if open >= SUSPICIOUS && open.is_power_of_two() || open >= MOST_TURNS {
            let same = |turn: &Writing| turn.value.item().address() == value.item().address();
            if let Some(outer) = self.turns.iter().find(|turn| same(turn)) {
                let floor = outer.floor;
                let py = self.quiet.noisy();
                let cycle = error(ErrorCode::Cycle).with("type", type_name(value.bind(py)));
                return Err(self.told_at(Fault::Core(cycle), floor));
            }
        }
        if open >= MOST_TURNS {
            let expected = format!("at most {MOST_TURNS} converters within each other");
            let deep = error(ErrorCode::WriterState)
                .with("expected", expected)
                .with("call", "one more");
            let shown = self.frames.len();
            return Err(self.told_at(Fault::Core(deep), shown));
        }
        if StackEnd::of_thread().is_reached() {
            let shown = self.frames.len();
            let deep = error(ErrorCode::DepthLimit)
                .with("limit", shown.max(open))
                .with("remedy", "the stack of this thread has no room for more");
            return Err(self.told_at(Fault::Core(deep), shown));
        }
        Ok(())
    }

    /// The fault as an exception, at the value that the first frames lead to.
    #[cold]
    fn told_at(&mut self, fault: Fault, shown: usize) -> Box<Fault> {
        let path = self.path_to(shown);
        let raised = fault.into_py(self.quiet.noisy(), path, self.rules.show_input);
        Box::new(Fault::Told(raised))
    }

    /// The way to the value that the first frames lead to.
    #[cold]
    pub(super) fn path_to(&mut self, shown: usize) -> Path {
        let inner = frames::segments(&self.frames[..shown], &mut self.quiet);
        Path::from_outer(self.outer.iter().flatten().cloned().chain(inner))
    }
}

/// One call of a converter's `write`.
struct Turn<'t, 'r, 'py, S> {
    walk: &'t mut Walk<'r, 'py, S>,
    /// The frames outside of the converter's value.
    floor: usize,
    /// The one value is complete.
    written: bool,
}

impl<S: Sink + Send> Turn<'_, '_, '_, S> {
    /// The converter's innermost container: there are no other frames on top while it runs.
    fn pushed(&mut self) -> Option<&mut PushedFrame> {
        if self.walk.frames.len() <= self.floor {
            return None;
        }
        match self.walk.frames.last_mut() {
            Some(Frame::Pushed(frame)) => Some(frame),
            _ => None,
        }
    }

    fn level(&mut self) -> Option<&mut Level> {
        self.pushed().map(|frame| &mut frame.level)
    }

    /// The exception for a fault, which later gets no second note of its place.
    fn fail(&mut self, fault: Fault) -> PyErr {
        let raised = self.walk.explain(fault);
        let py = self.walk.quiet.noisy();
        self.walk.told = Some(raised.value(py).clone().into_any().unbind());
        raised
    }

    fn expect_value(&mut self, call: &str) -> Outcome {
        let written = self.written;
        match self.level() {
            Some(level) => level.expect_value(call),
            None if written => {
                let expected = "one value from a converter (a list or map holds several)";
                Err(misuse(expected, call).into())
            }
            None => Ok(()),
        }
    }

    fn after_value(&mut self) {
        match self.level() {
            Some(level) => level.after_value(),
            None => self.written = true,
        }
    }

    fn put_value(&mut self, value: &Bound<'_, PyAny>, call: &str) -> PyResult<()> {
        self.expect_value(call).map_err(|fault| self.fail(*fault))?;
        let mark = self.walk.sink.mark();
        let open = self.walk.frames.len();
        let context = self.walk.context.clone();
        match self.walk.run(Obj::from_bound(value)) {
            Ok(()) => {
                self.after_value();
                Ok(())
            }
            Err(fault) => {
                let raised = self.fail(*fault);
                self.walk.frames.truncate(open);
                self.walk.sink.rewind(mark);
                self.walk.set_context(context);
                Err(raised)
            }
        }
    }

    fn put_key(&mut self, key: &Bound<'_, PyAny>, call: &str) -> Outcome {
        let py = key.py();
        Level::expect_key(self.level().map(|level| &*level), call)?;
        let text = keys::text_of(py, Obj::from_bound(key), self.walk.rules)?;
        if let Some(level) = self.level() {
            level.expect_new(&text)?;
        }
        let mark = self.walk.sink.mark();
        self.walk.sink.key(text.chars());
        if let Err(fault) = self.walk.check() {
            self.walk.sink.rewind(mark);
            return Err(fault);
        }
        let kept = self.walk.rules.order == Order::Kept;
        if let Some(frame) = self.pushed() {
            frame.level.after_key(&text);
            if !kept {
                frame.entries.push((text, mark.length));
            }
        }
        Ok(())
    }

    fn begin(&mut self, map: bool, declared: Option<usize>) -> Outcome {
        self.expect_value(if map { "map()" } else { "list()" })?;
        let mark = self.walk.sink.mark();
        let frame = PushedFrame {
            level: Level::new(map),
            declared,
            entries: Vec::new(),
        };
        self.walk.push(Frame::Pushed(Box::new(frame)))?;
        if map {
            self.walk.sink.begin_map(declared);
        } else {
            self.walk.sink.begin_list(declared);
        }
        self.walk.check().inspect_err(|_| {
            self.walk.sink.rewind(mark);
        })
    }

    fn end(&mut self, opened: Option<usize>) -> Outcome {
        if opened.is_some_and(|opened| opened != self.walk.frames.len()) {
            let expected = "the container of the `with` block to be innermost at its end";
            return Err(misuse(expected, "end()").into());
        }
        Level::expect_end(self.level().map(|level| &*level))?;
        let order = self.walk.rules.order;
        let end = self.walk.sink.mark().length;
        let Some(frame) = self.pushed() else {
            return Ok(());
        };
        let (map, count) = (frame.level.is_map(), frame.level.len());
        if let Some(declared) = frame.declared.filter(|declared| *declared != count) {
            let (call, parts) = if map {
                ("map", "entries")
            } else {
                ("list", "items")
            };
            let expected = format!("{declared} {parts}, as `{call}({declared})` said");
            let found = format!("{count} at its `end()`");
            return Err(error(ErrorCode::WriterState)
                .with("expected", expected)
                .with("call", found)
                .into());
        }
        if frame.entries.len() > 1 {
            let pieces = keys::arranged(&frame.entries, order, end);
            self.walk.sink.arrange(&pieces);
        }
        if map {
            self.walk.sink.end_map();
        } else {
            self.walk.sink.end_list();
        }
        self.walk.check()?;
        self.walk.frames.pop();
        self.after_value();
        Ok(())
    }
}

impl<S: Sink + Send> Output for Turn<'_, '_, '_, S> {
    fn value(&mut self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.put_value(value, "value()")
    }

    fn open(&mut self, _py: Python<'_>, map: bool, len: Option<usize>) -> PyResult<usize> {
        let open = self.walk.frames.len();
        match self.begin(map, len) {
            Ok(()) => Ok(self.walk.frames.len()),
            Err(fault) => {
                let raised = self.fail(*fault);
                self.walk.frames.truncate(open);
                Err(raised)
            }
        }
    }

    fn key(&mut self, key: &Bound<'_, PyAny>) -> PyResult<()> {
        self.put_key(key, "key()")
            .map_err(|fault| self.fail(*fault))
    }

    fn entry(&mut self, key: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let mark = self.walk.sink.mark();
        self.put_key(key, "entry()")
            .map_err(|fault| self.fail(*fault))?;
        self.put_value(value, "entry()").inspect_err(|_| {
            self.walk.sink.rewind(mark);
            if let Some(frame) = self.pushed() {
                frame.level.drop_key();
                frame.entries.retain(|(_, start)| *start != mark.length);
            }
        })
    }

    fn close(&mut self, _py: Python<'_>, opened: Option<usize>) -> PyResult<()> {
        self.end(opened).map_err(|fault| self.fail(*fault))
    }

    fn place(&mut self) -> (String, String) {
        let shown = self.walk.frames.len();
        let path = self.walk.path_to(shown);
        (path.to_string(), path.pointer())
    }
}

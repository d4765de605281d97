//! `Writer`: JSON pushed piece by piece by Python code.
//!
//! Every call checks that it fits where the text stands; a call that fails leaves the text as it
//! was, so the caller may go on.

use octad_core::error::{Error, ErrorCode, Path, Segment};
use octad_core::formats::json::JsonSink;
use octad_core::sink::{OutBuf, Sink};
use pyo3::PyTraverseError;
use pyo3::exceptions::PyValueError;
use pyo3::gc::PyVisit;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use super::fault::{Fault, Outcome};
use super::keys;
use super::level::{Level, misuse};
use super::raw::Raw;
use super::rules::{Chosen, Order};
use super::scratch;
use super::walk::Walk;
use crate::converter::{Close, OpenContainer};
use crate::cpython::Obj;

/// Writes JSON (RFC 8259) piece by piece: open containers, give keys and values, finish.
///
/// Parameters:
///     indent: None for one line, a number of spaces, or the blanks themselves, such as "\t".
///     newline: the line break used with `indent`: "\n", "\r\n" or "\r".
///     final_newline: a line break after the value.
///     sort_keys: keys by code point, in the dicts that are given as values.
///     escape: "minimal"; "ascii" for all from U+007F on; "html" for `<`, `>`, `&`, `'`,
///         U+2028 and U+2029. Raw fragments are left as they are.
///     nan: floats and Decimals that are not finite: "error", "null", "literal" or "string".
///     canonical: refused here, since it needs the whole value.
///     default: called with a value of unknown type; what it returns is written instead.
///     bytes: byte strings: None (an error), "base64", "base64url", "hex" or "array".
///     keys: keys that are not str: "text" (their JSON text), "error", or "pairs": their text, and
///         dicts with a key that has none are arrays of [key, value].
///     surrogates: lone surrogates in a str: "error", "replace" or "keep" (as an escape).
///     limits, settings: `octad.Limits` (`depth` and `output` bound writing), `octad.Settings`.
///     options: those of `octad.Settings` that are about writing, as for `dumps`.
///
/// Raises `octad.EncodeError` where a value cannot be written or a call does not fit (code
/// "writer-state"); the text stays as it was before that call. One call at a time: not from its own
/// `default`, nor from two threads at once.
///
/// >>> import octad
/// >>> writer = octad.json.Writer()
/// >>> with writer.map():
/// ...     writer.entry("n", 1)
/// >>> writer.finish()
/// b'{"n":1}'
#[pyclass(name = "Writer", module = "octad.json")]
pub struct JsonWriter {
    rules: Chosen,
    out: OutBuf,
    levels: Vec<Level>,
    /// The one value of the text has begun.
    begun: bool,
    finished: bool,
}

/// A container that is open in a writer.
struct Opened {
    writer: Py<JsonWriter>,
    depth: usize,
}

/// The writer for one call. It is taken while `default=` or other code of the user's runs within a
/// call, and while another thread is in one.
fn enter<'py>(slf: &Bound<'py, JsonWriter>, call: &str) -> PyResult<PyRefMut<'py, JsonWriter>> {
    slf.try_borrow_mut().map_err(|_| {
        let error = misuse(
            "one call of a writer at a time (its last one has not returned)",
            call,
        );
        Box::<Fault>::from(error).into_py(slf.py(), Path::root(), true)
    })
}

impl JsonWriter {
    fn segments(&self) -> Vec<Segment> {
        self.levels.iter().filter_map(Level::segment).collect()
    }

    fn fail(&self, py: Python<'_>, fault: impl Into<Box<Fault>>) -> PyErr {
        let fault: Box<Fault> = fault.into();
        let path = Path::from_outer(self.segments());
        fault.into_py(py, path, self.rules.get().rules.show_input)
    }

    /// Checks that a value may stand here.
    fn expect_value(&self, call: &str) -> Outcome {
        if self.finished {
            return Err(misuse("no call after `finish()`", call).into());
        }
        match self.levels.last() {
            None if self.begun => {
                Err(misuse("`finish()` after the one value of the text", call).into())
            }
            None => Ok(()),
            Some(level) => level.expect_value(call),
        }
    }

    /// Notes that a value has been written.
    fn after_value(&mut self) {
        self.begun = true;
        if let Some(level) = self.levels.last_mut() {
            level.after_value();
        }
    }

    /// Sends events to a sink at the present place; undoes them if it refuses one.
    fn send(&mut self, events: impl FnOnce(&mut dyn Sink)) -> Result<(), Error> {
        let before = self.out.as_slice().len();
        let options = &self.rules.get().json;
        let depth = self.levels.len();
        let failure = if options.layout.is_some() {
            let mut sink = JsonSink::<true>::resume(&mut self.out, options, depth);
            events(&mut sink);
            sink.take_error()
        } else {
            let mut sink = JsonSink::<false>::resume(&mut self.out, options, depth);
            events(&mut sink);
            sink.take_error()
        };
        match failure {
            None => Ok(()),
            Some(error) => {
                self.out.restore(before);
                Err(error)
            }
        }
    }

    fn open(&mut self, py: Python<'_>, map: bool, call: &str) -> PyResult<usize> {
        self.expect_value(call)
            .map_err(|fault| self.fail(py, fault))?;
        let limit = self.rules.get().rules.depth;
        if self.levels.len() >= limit {
            let error = Error::new(ErrorCode::DepthLimit).with("limit", limit);
            return Err(self.fail(py, error));
        }
        let sent = self.send(|sink| {
            if map {
                sink.begin_map(None);
            } else {
                sink.begin_list(None);
            }
        });
        sent.map_err(|error| self.fail(py, error))?;
        self.begun = true;
        self.levels.push(Level::new(map));
        Ok(self.levels.len())
    }

    fn put_key(&mut self, py: Python<'_>, key: &Bound<'_, PyAny>, call: &str) -> PyResult<()> {
        let last = self.levels.last().filter(|_| !self.finished);
        Level::expect_key(last, call).map_err(|fault| self.fail(py, fault))?;
        let text = keys::text_of(py, Obj::from_bound(key), &self.rules.get().rules)
            .map_err(|fault| self.fail(py, fault))?;
        let known = self.levels.last().map(|level| level.expect_new(&text));
        known.transpose().map_err(|fault| self.fail(py, fault))?;
        self.send(|sink| sink.key(text.chars()))
            .map_err(|error| self.fail(py, error))?;
        if let Some(level) = self.levels.last_mut() {
            level.after_key(&text);
        }
        Ok(())
    }

    fn put_value(&mut self, value: &Bound<'_, PyAny>, call: &str) -> PyResult<()> {
        let py = value.py();
        self.expect_value(call)
            .map_err(|fault| self.fail(py, fault))?;
        let before = self.out.as_slice().len();
        let outer = self.segments();
        let depth = self.levels.len();
        let chosen = self.rules.get();
        let options = &chosen.json;
        let mut kept = scratch::take();
        let root = Obj::from_bound(value);
        let written: PyResult<()> = if options.layout.is_some() {
            let sink = JsonSink::<true>::resume(&mut self.out, options, depth);
            Walk::new(py, sink, &mut kept.stack, &chosen.rules)
                .inside(outer)
                .write(root)
        } else {
            let sink = JsonSink::<false>::resume(&mut self.out, options, depth);
            Walk::new(py, sink, &mut kept.stack, &chosen.rules)
                .inside(outer)
                .write(root)
        };
        scratch::keep(kept);
        if written.is_err() {
            self.out.restore(before);
            self.out.forgive();
        } else {
            self.after_value();
        }
        written
    }

    fn put_end(&mut self, py: Python<'_>) -> PyResult<()> {
        Level::expect_end(self.levels.last()).map_err(|fault| self.fail(py, fault))?;
        let map = self.levels.last().is_some_and(Level::is_map);
        let sent = self.send(|sink| {
            if map {
                sink.end_map();
            } else {
                sink.end_list();
            }
        });
        sent.map_err(|error| self.fail(py, error))?;
        self.levels.pop();
        self.after_value();
        Ok(())
    }
}

#[pymethods]
impl JsonWriter {
    #[new]
    #[pyo3(
        signature = (**options),
        text_signature = "(*, indent=None, newline='\\n', final_newline=False, sort_keys=False, escape='minimal', nan='error', canonical=False, default=None, bytes=None, keys='text', surrogates='error', limits=None, settings=None, **options)"
    )]
    fn new(options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let rules = Chosen::from_keywords(options)?;
        if rules.get().rules.order == Order::Utf16 {
            return Err(PyValueError::new_err(
                "canonical=True needs the whole value: a Writer gets keys in the caller's order",
            ));
        }
        if rules.get().rules.sharing.references {
            return Err(PyValueError::new_err(
                "references need the whole value: a Writer gets it piece by piece",
            ));
        }
        let out = OutBuf::new(Vec::new(), rules.get().json.output);
        Ok(Self {
            rules,
            out,
            levels: Vec::new(),
            begun: false,
            finished: false,
        })
    }

    /// Open an array; close it by `end()` or as a `with` block.
    fn list(slf: &Bound<'_, Self>) -> PyResult<OpenContainer> {
        let depth = enter(slf, "list()")?.open(slf.py(), false, "list()")?;
        Ok(OpenContainer::new(Opened {
            writer: slf.clone().unbind(),
            depth,
        }))
    }

    /// Open an object; close it by `end()` or as a `with` block.
    fn map(slf: &Bound<'_, Self>) -> PyResult<OpenContainer> {
        let depth = enter(slf, "map()")?.open(slf.py(), true, "map()")?;
        Ok(OpenContainer::new(Opened {
            writer: slf.clone().unbind(),
            depth,
        }))
    }

    /// Write the key of the next value.
    fn key(slf: &Bound<'_, Self>, key: &Bound<'_, PyAny>) -> PyResult<()> {
        enter(slf, "key()")?.put_key(key.py(), key, "key()")
    }

    /// Write a key and its value.
    fn entry(
        slf: &Bound<'_, Self>,
        key: &Bound<'_, PyAny>,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let this = &mut *enter(slf, "entry()")?;
        let before = this.out.as_slice().len();
        this.put_key(key.py(), key, "entry()")?;
        let written = this.put_value(value, "entry()");
        if written.is_err() {
            this.out.restore(before);
            if let Some(level) = this.levels.last_mut() {
                level.drop_key();
            }
        }
        written
    }

    /// Write any value `dumps` takes.
    fn value(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        enter(slf, "value()")?.put_value(value, "value()")
    }

    /// Write a ready JSON fragment (bytes or str), which is checked first.
    fn raw(slf: &Bound<'_, Self>, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let fragment = Bound::new(data.py(), Raw::read(data, false)?)?;
        enter(slf, "raw()")?.put_value(fragment.as_any(), "raw()")
    }

    /// Close the innermost container.
    fn end(slf: &Bound<'_, Self>) -> PyResult<()> {
        enter(slf, "end()")?.put_end(slf.py())
    }

    /// End the text and return it as bytes.
    fn finish<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyBytes>> {
        let py = slf.py();
        let this = &mut *enter(slf, "finish()")?;
        if this.finished {
            return Err(this.fail(py, misuse("one call of `finish()`", "finish()")));
        }
        if !this.begun || !this.levels.is_empty() {
            let expected = if this.begun {
                "`end()` for each open container"
            } else {
                "a value"
            };
            return Err(this.fail(py, misuse(expected, "finish()")));
        }
        this.send(|sink| sink.finish())
            .map_err(|error| this.fail(py, error))?;
        this.finished = true;
        let bytes = PyBytes::new(py, this.out.as_slice());
        this.out = OutBuf::default();
        Ok(bytes)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.rules.visit(&visit)
    }
}

impl Close for Opened {
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let mut writer = enter(self.writer.bind(py), "end()")?;
        if writer.levels.len() != self.depth {
            let found = misuse(
                "the container of the `with` block to be innermost at its end",
                "end()",
            );
            return Err(writer.fail(py, found));
        }
        writer.put_end(py)
    }

    fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.writer)
    }
}

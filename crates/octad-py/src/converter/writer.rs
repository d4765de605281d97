//! `Writer`: what `Converter.write` puts its value into, the same for every format.
//!
//! It writes into the text of the running call, through whatever stands behind [`Output`]. After
//! `write` has returned it refuses every call, and so it does on other threads.

use std::sync::Arc;

use octad_core::error::{Error, ErrorCode};
use pyo3::PyTraverseError;
use pyo3::gc::PyVisit;
use pyo3::intern;
use pyo3::prelude::*;

use super::open::{Close, OpenContainer};
use crate::cpython::{Lendable, Loan, Refusal, lend};
use crate::errors;

/// Where a converter's value goes. A call that fails leaves the text as it was before.
pub trait Output {
    /// Writes any value.
    ///
    /// # Errors
    /// `EncodeError`, or what the value's own code raised.
    fn value(&mut self, value: &Bound<'_, PyAny>) -> PyResult<()>;

    /// Opens a list or map that will have `len` items or entries, if that is said; gives what
    /// tells this container from others.
    ///
    /// # Errors
    /// `EncodeError`.
    fn open(&mut self, py: Python<'_>, map: bool, len: Option<usize>) -> PyResult<usize>;

    /// Writes the key of the next value.
    ///
    /// # Errors
    /// `EncodeError`, or what the key's own code raised.
    fn key(&mut self, key: &Bound<'_, PyAny>) -> PyResult<()>;

    /// Writes a key and its value, or neither.
    ///
    /// # Errors
    /// As `key` and `value`.
    fn entry(&mut self, key: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()>;

    /// Closes the innermost container; `opened`: which one that is to be.
    ///
    /// # Errors
    /// `EncodeError`.
    fn close(&mut self, py: Python<'_>, opened: Option<usize>) -> PyResult<()>;

    /// Where the next value will stand: readable, and as a JSON Pointer.
    fn place(&mut self) -> (String, String);
}

/// `dyn Output` for a loan.
struct Lent;

impl Lendable for Lent {
    type As<'a> = dyn Output + 'a;
}

/// Calls `converter.write` for a value; gives what it returned. Whether it wrote a value is for
/// the caller to see.
///
/// # Errors
/// What the converter raised.
pub fn write_with_converter<'py>(
    converter: &Bound<'py, PyAny>,
    value: &Bound<'py, PyAny>,
    output: &mut dyn Output,
) -> PyResult<Bound<'py, PyAny>> {
    let py = converter.py();
    lend::<Lent, _>(output, |loan| {
        let writer = Bound::new(py, ConverterWriter { loan })?;
        converter.call_method1(intern!(py, "write"), (writer, value))
    })
}

/// What a converter writes its value with, whatever the format.
///
/// It is given to `Converter.write`, which writes exactly one value: by `value()`, or by a list or
/// map that it opens and fills. It is of no use after that.
///
/// A call that fails leaves the text as it was before, so a converter may catch the exception and
/// write something else.
///
/// >>> import octad
/// >>> class Celsius(float): ...
/// >>> class CelsiusConverter(octad.Converter[Celsius]):
/// ...     def write(self, w, value):
/// ...         with w.map():
/// ...             w.entry("unit", "C")
/// ...             w.entry("degrees", float(value))
/// >>> settings = octad.Settings(converters=[CelsiusConverter()])
/// >>> octad.json.dumps([Celsius(20.5)], settings=settings)
/// b'[{"unit":"C","degrees":20.5}]'
#[pyclass(name = "Writer", module = "octad", frozen)]
pub struct ConverterWriter {
    loan: Arc<Loan<Lent>>,
}

/// A container that a converter has opened.
struct Opened {
    loan: Arc<Loan<Lent>>,
    opened: usize,
}

fn reach<R>(
    py: Python<'_>,
    loan: &Loan<Lent>,
    call: &str,
    work: impl for<'a> FnOnce(&mut (dyn Output + 'a)) -> PyResult<R>,
) -> PyResult<R> {
    let refusal = match loan.with(work) {
        Ok(done) => return done,
        Err(refusal) => refusal,
    };
    let expected = match refusal {
        Refusal::Ended => "no use of a Writer after its converter has returned",
        Refusal::InUse => "one call of a Writer at a time (its last one has not returned)",
        Refusal::OtherThread => "a Writer to be used by the thread that it writes for",
    };
    let error = Error::new(ErrorCode::WriterState)
        .with("expected", expected)
        .with("call", format_args!("`{call}`"));
    Err(errors::to_py(py, &error, None, false, true))
}

impl ConverterWriter {
    fn open(&self, py: Python<'_>, map: bool, n: Option<usize>) -> PyResult<OpenContainer> {
        let call = if map { "map()" } else { "list()" };
        let opened = reach(py, &self.loan, call, |output| output.open(py, map, n))?;
        Ok(OpenContainer::new(Opened {
            loan: self.loan.clone(),
            opened,
        }))
    }
}

#[pymethods]
impl ConverterWriter {
    /// Write any value that `dumps` takes, with the settings of the call.
    ///
    /// The very value that is being converted is written in octad's own way, as if this converter
    /// were not there.
    #[pyo3(signature = (value, /))]
    fn value(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        reach(value.py(), &self.loan, "value()", |output| {
            output.value(value)
        })
    }

    /// Open a list: a `with` block closes it, or `end()`. `n`: how many items it will have.
    #[pyo3(signature = (n=None, /))]
    fn list(&self, py: Python<'_>, n: Option<usize>) -> PyResult<OpenContainer> {
        self.open(py, false, n)
    }

    /// Open a map: a `with` block closes it, or `end()`. `n`: how many entries it will have.
    #[pyo3(signature = (n=None, /))]
    fn map(&self, py: Python<'_>, n: Option<usize>) -> PyResult<OpenContainer> {
        self.open(py, true, n)
    }

    /// Write the key of the next value.
    #[pyo3(signature = (key, /))]
    fn key(&self, key: &Bound<'_, PyAny>) -> PyResult<()> {
        reach(key.py(), &self.loan, "key()", |output| output.key(key))
    }

    /// Write a key and its value.
    #[pyo3(signature = (key, value, /))]
    fn entry(&self, key: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        reach(key.py(), &self.loan, "entry()", |output| {
            output.entry(key, value)
        })
    }

    /// Close the innermost list or map.
    fn end(&self, py: Python<'_>) -> PyResult<()> {
        reach(py, &self.loan, "end()", |output| output.close(py, None))
    }

    /// Where the next value will stand, such as `$.items[2]`.
    #[getter]
    fn path(&self, py: Python<'_>) -> PyResult<String> {
        reach(py, &self.loan, "path", |output| Ok(output.place().0))
    }

    /// An `octad.EncodeError` to be raised, which knows its place.
    #[pyo3(signature = (message, /))]
    fn error<'py>(&self, py: Python<'py>, message: &str) -> PyResult<Bound<'py, PyAny>> {
        let (path, pointer) = reach(py, &self.loan, "error()", |output| Ok(output.place()))?;
        py.import("octad._converters")?
            .call_method1("refusal", (message, path, pointer))
    }
}

impl Close for Opened {
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        reach(py, &self.loan, "end()", |output| {
            output.close(py, Some(self.opened))
        })
    }

    fn traverse(&self, _visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        Ok(())
    }
}

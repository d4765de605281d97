//! `Reader`: what `Converter.read` makes its value of, the same for every format.
//!
//! It stands at one value of the text that is being read; whoever reads is behind [`Input`]. After
//! `read` has returned it refuses every use, and so it does on other threads.

use std::collections::HashSet;
use std::sync::Arc;

use octad_core::token::TokenId;
use pyo3::PyTraverseError;
use pyo3::gc::PyVisit;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};

use crate::cpython::{Lendable, Loan, Refusal, lend};

/// The values of a text, by their tokens. Errors are the exceptions that a converter gets.
pub trait Input {
    /// The kind of a value, by its name.
    fn kind(&self, at: TokenId) -> &'static str;

    /// A value as a type has it, or as untyped reading does.
    ///
    /// # Errors
    /// `ValidationError`, and what the compiler or code of the type raises.
    fn read<'py>(
        &mut self,
        py: Python<'py>,
        at: TokenId,
        class: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>>;

    /// The way to the parts of a list, or to the keys and values of a map.
    ///
    /// # Errors
    /// `ValidationError` where there is no such container.
    fn parts(&mut self, py: Python<'_>, at: TokenId, map: bool) -> PyResult<Parts>;

    /// The next item, or the next entry with its key.
    ///
    /// # Errors
    /// `ValidationError` for a key that came before.
    fn next<'py>(
        &mut self,
        py: Python<'py>,
        parts: &mut Parts,
    ) -> PyResult<Option<(Option<Bound<'py, PyString>>, TokenId)>>;

    /// The value of a key in a map.
    ///
    /// # Errors
    /// `ValidationError` where there is no map, or the key is there twice.
    fn member(&mut self, py: Python<'_>, at: TokenId, name: &str) -> PyResult<Option<TokenId>>;

    /// The error for a key that is not there.
    fn missing(&mut self, py: Python<'_>, at: TokenId, name: &str) -> PyErr;

    /// A value as it stands in the text.
    ///
    /// # Errors
    /// No memory.
    fn raw<'py>(&self, py: Python<'py>, at: TokenId) -> PyResult<Bound<'py, PyBytes>>;

    /// Where a value is: readable, and as a JSON Pointer.
    fn path(&self, at: TokenId) -> (String, String);

    /// Where a value begins and ends, and the line and column of that.
    fn position(&self, at: TokenId) -> (usize, usize, usize, usize);

    /// The exception for a value that the converter refuses.
    fn refusal(&mut self, py: Python<'_>, at: TokenId, message: &str) -> PyErr;
}

/// How far the parts of a container have been looked at.
pub struct Parts {
    /// The next token.
    pub next: TokenId,
    /// How many parts are left.
    pub left: usize,
    /// The keys so far, of a map.
    pub seen: Option<HashSet<Box<[u8]>>>,
}

/// `dyn Input` for a loan.
struct Lent;

impl Lendable for Lent {
    type As<'a> = dyn Input + 'a;
}

/// Calls `converter.read` for the value at a token.
///
/// # Errors
/// What the converter raised.
pub fn read_with_converter<'py>(
    converter: &Bound<'py, PyAny>,
    class: Option<&Bound<'py, PyAny>>,
    at: TokenId,
    input: &mut dyn Input,
) -> PyResult<Bound<'py, PyAny>> {
    let py = converter.py();
    lend::<Lent, _>(input, |loan| {
        let class = class.map(|class| class.clone().unbind());
        let reader = Bound::new(py, Reader { loan, at, class })?;
        converter.call_method1(intern!(py, "read"), (reader,))
    })
}

/// What a converter makes its value of, whatever the format: one value of the text.
///
/// It is given to `Converter.read`, which may read the value as often as it likes, in one type
/// or another, in parts, or not at all. It is of no use after that.
///
/// >>> import octad
/// >>> class Span:
/// ...     def __init__(self, low, high):
/// ...         self.low, self.high = low, high
/// >>> class SpanConverter(octad.Converter[Span]):
/// ...     def read(self, r):
/// ...         if r.kind == "object":
/// ...             return Span(r.get("from", int, 0), r.get("to", int))
/// ...         low, high = r.read(tuple[int, int])
/// ...         if high < low:
/// ...             raise r.error("expected the smaller bound first")
/// ...         return Span(low, high)
/// >>> settings = octad.Settings(converters=[SpanConverter()])
/// >>> spans = octad.json.loads('[[1, 4], {"to": 3}]', list[Span], settings=settings)
/// >>> [(span.low, span.high) for span in spans]
/// [(1, 4), (0, 3)]
#[pyclass(name = "Reader", module = "octad", frozen)]
pub struct Reader {
    loan: Arc<Loan<Lent>>,
    at: TokenId,
    /// What is to be read.
    class: Option<Py<PyAny>>,
}

/// The items of a list or the entries of a map, read one by one.
#[pyclass(module = "octad")]
pub struct ReaderParts {
    loan: Arc<Loan<Lent>>,
    parts: Parts,
    class: Option<Py<PyAny>>,
}

/// An argument that may be None.
enum Given<'py> {
    No,
    Yes(Bound<'py, PyAny>),
}

impl<'py> FromPyObject<'_, 'py> for Given<'py> {
    type Error = PyErr;

    fn extract(object: pyo3::Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Ok(Self::Yes(object.to_owned()))
    }
}

fn reach<R>(
    py: Python<'_>,
    loan: &Loan<Lent>,
    work: impl for<'a> FnOnce(&mut (dyn Input + 'a)) -> PyResult<R>,
) -> PyResult<R> {
    let refusal = match loan.with(work) {
        Ok(done) => return done,
        Err(refusal) => refusal,
    };
    let message = match refusal {
        Refusal::Ended => "expected a Reader in use, found one whose converter has returned",
        Refusal::InUse => {
            "expected one call of a Reader at a time, found another before its last one returned"
        }
        Refusal::OtherThread => "expected a Reader to be used by the thread that it reads for",
    };
    let error = py
        .import("octad._converters")?
        .call_method1("misuse", (message,))?;
    Err(PyErr::from_value(error))
}

/// A value in a type; for `Reader` itself a reader at the value.
fn read<'py>(
    loan: &Arc<Loan<Lent>>,
    at: TokenId,
    class: Option<&Bound<'py, PyAny>>,
    py: Python<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    if let Some(class) = class
        && class.is(py.get_type::<Reader>())
    {
        // Shows at once that the loan has ended.
        reach(py, loan, |_| Ok(()))?;
        let inner = Reader {
            loan: loan.clone(),
            at,
            class: None,
        };
        return Ok(Bound::new(py, inner)?.into_any());
    }
    reach(py, loan, |input| input.read(py, at, class))
}

impl Reader {
    fn parts<'py>(
        &self,
        kind: Option<&Bound<'py, PyAny>>,
        map: bool,
        py: Python<'py>,
    ) -> PyResult<ReaderParts> {
        let parts = reach(py, &self.loan, |input| input.parts(py, self.at, map))?;
        Ok(ReaderParts {
            loan: self.loan.clone(),
            parts,
            class: kind.map(|kind| kind.clone().unbind()),
        })
    }
}

#[pymethods]
impl Reader {
    /// The kind of the value, a member of `octad.Kind`.
    #[getter]
    fn kind<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let name = reach(py, &self.loan, |input| Ok(input.kind(self.at)))?;
        py.import("octad._document")?
            .getattr("Kind")?
            .call1((name,))
    }

    /// The type that is to be read, as the annotation has it; None for a reader of a part.
    #[getter(r#type)]
    fn asked<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        self.class.as_ref().map(|class| class.bind(py).clone())
    }

    /// Read the value in a type, or as plain Python objects.
    ///
    /// The very type that the converter is for is read in octad's own way, as if this converter were
    /// not there.
    #[pyo3(signature = (kind=None, /))]
    fn read<'py>(
        &self,
        py: Python<'py>,
        kind: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        read(&self.loan, self.at, kind, py)
    }

    /// Iterate over the items of a list, each read in a type (or as plain objects).
    ///
    /// `octad.Reader` for a type gives a reader at each item.
    #[pyo3(signature = (kind=None, /))]
    fn items<'py>(
        &self,
        py: Python<'py>,
        kind: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<ReaderParts> {
        self.parts(kind, false, py)
    }

    /// Iterate over the entries of a map: pairs of key and value, which is read in a type.
    #[pyo3(signature = (kind=None, /))]
    fn entries<'py>(
        &self,
        py: Python<'py>,
        kind: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<ReaderParts> {
        self.parts(kind, true, py)
    }

    /// Read the value of a key in a map, in a type; where it is absent, the default, or an error
    /// where none is given.
    #[pyo3(signature = (name, kind=None, default=Given::No, /), text_signature = "($self, name, kind=None, default=..., /)")]
    fn get<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        kind: Option<&Bound<'py, PyAny>>,
        default: Given<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let found = reach(py, &self.loan, |input| input.member(py, self.at, name))?;
        match (found, default) {
            (Some(at), _) => read(&self.loan, at, kind, py),
            (None, Given::Yes(default)) => Ok(default),
            (None, Given::No) => {
                reach(
                    py,
                    &self.loan,
                    |input| Err(input.missing(py, self.at, name)),
                )
            }
        }
    }

    /// The value as it stands in the text.
    #[getter]
    fn raw<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        reach(py, &self.loan, |input| input.raw(py, self.at))
    }

    /// Where the value is, such as `$.items[2]`.
    #[getter]
    fn path(&self, py: Python<'_>) -> PyResult<String> {
        reach(py, &self.loan, |input| Ok(input.path(self.at).0))
    }

    /// The same as a JSON Pointer, such as `/items/2`.
    #[getter]
    fn pointer(&self, py: Python<'_>) -> PyResult<String> {
        reach(py, &self.loan, |input| Ok(input.path(self.at).1))
    }

    /// Where the value begins and ends, an `octad.Position`.
    #[getter]
    fn position<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let place = reach(py, &self.loan, |input| Ok(input.position(self.at)))?;
        py.import("octad._core")?.getattr("Position")?.call1(place)
    }

    /// An `octad.ValidationError` to be raised, which knows its place.
    #[pyo3(signature = (message, /))]
    fn error<'py>(&self, py: Python<'py>, message: &str) -> PyResult<Bound<'py, PyAny>> {
        let refusal = reach(py, &self.loan, |input| {
            Ok(input.refusal(py, self.at, message))
        })?;
        Ok(refusal.into_value(py).into_bound(py).into_any())
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.class)
    }
}

#[pymethods]
impl ReaderParts {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__<'py>(
        slf: &Bound<'py, Self>,
        py: Python<'py>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (loan, class, next) = {
            let this = &mut *slf.try_borrow_mut()?;
            let next = reach(py, &this.loan, |input| input.next(py, &mut this.parts))?;
            let class = this.class.as_ref().map(|class| class.bind(py).clone());
            (this.loan.clone(), class, next)
        };
        let Some((key, at)) = next else {
            return Ok(None);
        };
        let value = read(&loan, at, class.as_ref(), py)?;
        match key {
            None => Ok(Some(value)),
            Some(key) => Ok(Some(PyTuple::new(py, [key.into_any(), value])?.into_any())),
        }
    }

    fn __length_hint__(&self) -> usize {
        self.parts.left
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.class)
    }
}

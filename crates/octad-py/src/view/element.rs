//! `Element`: a handle on any value, and the base of `Object` and `Array`: what all values can say.

use std::sync::Arc;

use octad_core::doc::{Document as Core, ValueKind};
use octad_core::pointer;
use octad_core::token::{Kind, TokenId};
use pyo3::basic::CompareOp;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyString, PyTuple};
use pyo3::{PyTraverseError, PyVisit};

use super::array::Array;
use super::getters::{self, Default, Wanted};
use super::object::Object;
use super::position::Position;
use super::{Document, compare, rebuild, repr, typed, value};

/// A value of a document, with its place and spelling.
///
/// `doc.at(pointer)` gives one for a scalar; `Object` and `Array` are elements too. Elements
/// compare by value with plain values and other elements, and so are unhashable; `identity` and
/// `is_same` tell values apart that are equal. An element is true where its value is.
///
/// >>> import octad
/// >>> element = octad.json.parse(b'{"price": 2.50}').at("/price")
/// >>> element.value, element.raw, element.path
/// (2.5, b'2.50', '$.price')
#[pyclass(frozen, subclass, module = "octad")]
pub struct Element {
    pub(super) document: Py<Document>,
    pub(super) id: TokenId,
}

impl Element {
    /// The core document.
    ///
    /// # Errors
    /// `ClosedError`.
    #[inline]
    pub(super) fn core(&self, py: Python<'_>) -> PyResult<Arc<Core>> {
        self.document.get().core(py)
    }
}

/// The view of a value: an `Object`, an `Array`, or an `Element` for a scalar.
///
/// # Errors
/// No memory.
#[inline]
pub fn view<'py>(
    document: &Bound<'py, Document>,
    core: &Core,
    id: TokenId,
) -> PyResult<Bound<'py, PyAny>> {
    let py = document.py();
    let handle = Element {
        document: document.clone().unbind(),
        id,
    };
    Ok(match core.tape().get(id).kind() {
        Kind::Map | Kind::Record => {
            let made = PyClassInitializer::from(handle).add_subclass(Object {});
            Bound::new(py, made)?.into_any()
        }
        Kind::List => {
            let made = PyClassInitializer::from(handle).add_subclass(Array {});
            Bound::new(py, made)?.into_any()
        }
        _ => Bound::new(py, handle)?.into_any(),
    })
}

/// The view of what a pointer names, from the value at `start` on.
///
/// # Errors
/// `PointerError`.
pub fn at<'py>(
    document: &Bound<'py, Document>,
    core: &Core,
    start: TokenId,
    pointer: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let pointer = pointer.cast::<PyString>().map_err(|_| {
        let found = pointer.get_type().name();
        let found = found.map_or_else(|_| "?".into(), |name| name.to_string());
        PyTypeError::new_err(format!(
            "expected a JSON Pointer as a str, such as \"/a/0\", found {found}"
        ))
    })?;
    let text = pointer.to_string_lossy();
    match pointer::resolve(core.value(start), &text) {
        Ok(found) => view(document, core, found.id()),
        Err(error) => Err(document.get().raise(document.py(), core, &error)),
    }
}

/// The members of `octad.Kind`, in the order of the core's kinds.
fn kind_member<'py>(py: Python<'py>, kind: ValueKind) -> PyResult<Bound<'py, PyAny>> {
    static KINDS: PyOnceLock<Vec<Py<PyAny>>> = PyOnceLock::new();
    let kinds = KINDS.get_or_try_init(py, || {
        let class = py.import("octad._document")?.getattr("Kind")?;
        let member = |kind: &ValueKind| Ok(class.call1((kind.name(),))?.unbind());
        ValueKind::ALL.iter().map(member).collect::<PyResult<_>>()
    })?;
    Ok(kinds[kind as usize].bind(py).clone())
}

#[pymethods]
impl Element {
    /// The kind of the value, a member of `octad.Kind`.
    ///
    /// >>> import octad
    /// >>> octad.json.parse(b"[1, null]").at("/1").kind
    /// <Kind.NULL: 'null'>
    #[getter]
    fn kind<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        kind_member(py, self.core(py)?.value(self.id).kind())
    }

    /// How the value is written, as a word: "plain", "hex", "double", ... (docs/tape.md has all).
    ///
    /// >>> import octad
    /// >>> octad.json.parse(b'"text"').root.style
    /// 'double'
    #[getter]
    fn style(&self, py: Python<'_>) -> PyResult<&'static str> {
        Ok(self.core(py)?.value(self.id).style())
    }

    /// The value as a plain Python object; dicts and lists for containers.
    ///
    /// Raises `octad.DecodeError` as `to_python` does.
    ///
    /// >>> import octad
    /// >>> octad.json.parse(b'{"a": [1]}').at("/a").value
    /// [1]
    #[getter]
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.to_python(py)
    }

    /// The value as it stands in the source, quotes and brackets included.
    ///
    /// >>> import octad
    /// >>> octad.json.parse(b'{"a": [ 1.0e5 ]}').at("/a/0").raw
    /// b'1.0e5'
    #[getter]
    fn raw<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let core = self.core(py)?;
        Ok(PyBytes::new(py, core.value(self.id).raw()))
    }

    /// The steps from the root, for people: `$.items[2].price`.
    ///
    /// >>> import octad
    /// >>> octad.json.parse(b'{"a": [1]}').at("/a/0").path
    /// '$.a[0]'
    #[getter]
    fn path(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.core(py)?.value(self.id).path().to_string())
    }

    /// The steps from the root as a JSON Pointer: what `Document.at` takes.
    ///
    /// >>> import octad
    /// >>> octad.json.parse(b'{"a": [1]}')["a"].pointer
    /// '/a'
    #[getter]
    fn pointer(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.core(py)?.value(self.id).path().pointer())
    }

    /// Where the value stands in the source, an `octad.Position`.
    ///
    /// The first position that is asked for locates all values of the document, in one pass.
    ///
    /// >>> import octad
    /// >>> octad.json.parse(b'{"a":\n 7}').at("/a").position
    /// Position(offset=7, end=8, line=2, column=2)
    #[getter]
    fn position(&self, py: Python<'_>) -> PyResult<Position> {
        let core = self.core(py)?;
        let value = core.value(self.id);
        let (start, end) = (value.position(), value.place().end);
        Ok(Position::new(
            start.offset,
            end as usize,
            start.line,
            start.column,
        ))
    }

    /// The view of the container that the value stands in; None for the root.
    ///
    /// >>> import octad
    /// >>> octad.json.parse(b'{"a": [1]}').at("/a/0").parent
    /// Array([1])
    #[getter]
    fn parent<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let core = self.core(py)?;
        match core.value(self.id).parent() {
            Some(parent) => view(self.document.bind(py), &core, parent.id()).map(Some),
            None => Ok(None),
        }
    }

    /// The `Document` that the value belongs to.
    ///
    /// >>> import octad
    /// >>> octad.json.parse(b"[1]").root.document
    /// Document(json, [1])
    #[getter]
    fn document<'py>(&self, py: Python<'py>) -> Bound<'py, Document> {
        self.document.bind(py).clone()
    }

    /// A number that only this value has: equal for two views of one value, and hashable, to be
    /// kept in sets and dicts.
    ///
    /// >>> import octad
    /// >>> doc = octad.json.parse(b"[[1], [1]]")
    /// >>> doc[0] == doc[1], doc[0].identity == doc[1].identity
    /// (True, False)
    #[getter]
    fn identity(&self) -> u64 {
        self.document.get().identity_of(self.id)
    }

    /// Whether `other` is a view of this very value.
    ///
    /// >>> import octad
    /// >>> doc = octad.json.parse(b"[[1], [1]]")
    /// >>> doc[0].is_same(doc.at("/0")), doc[0].is_same(doc[1])
    /// (True, False)
    fn is_same(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Element>().is_ok_and(|other| {
            let other = other.get();
            other.document.is(&self.document) && other.id == self.id
        })
    }

    /// The view of what a JSON Pointer names, counted from this value.
    ///
    /// Raises `octad.PointerError` where it leads nowhere or is no pointer.
    ///
    /// >>> import octad
    /// >>> octad.json.parse(b'{"a": [1, 2]}')["a"].at("/1").value
    /// 2
    fn at<'py>(&self, py: Python<'py>, pointer: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        at(self.document.bind(py), &*self.core(py)?, self.id, pointer)
    }

    /// The value with all that is in it as plain Python objects, as `loads` gives them.
    ///
    /// Raises `octad.DecodeError` for a number that does not fit (see `overflow`), or for a value
    /// that was not checked yet (`lazy_values=True`).
    ///
    /// >>> import octad
    /// >>> octad.json.parse(b'{"a": [1, 2]}')["a"].to_python()
    /// [1, 2]
    fn to_python<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        value::plain(py, self.document.get(), &*self.core(py)?, self.id)
    }

    /// The value with all that is in it as an object of a type, as `loads(data, type)` makes it.
    ///
    /// Raises `octad.ValidationError` where a value does not fit, `octad.ContractError` for a type
    /// that does not describe data.
    ///
    /// >>> import octad
    /// >>> octad.json.parse(b'{"a": [1, 2]}')["a"].to(tuple[int, int])
    /// (1, 2)
    #[pyo3(signature = (r#type, /))]
    fn to<'py>(&self, r#type: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let core = self.core(r#type.py())?;
        typed::to(self.document.get(), &core, self.id, r#type)
    }

    /// A document of its own with this value as its root; the source is copied for it. A copy or a
    /// pickle of a view is the root of such a document.
    ///
    /// >>> import octad
    /// >>> octad.json.parse(b'{"a": [1, 2]}')["a"].clone()
    /// Document(json, [1, 2])
    fn clone(&self, py: Python<'_>) -> PyResult<Document> {
        let core = self.core(py)?;
        let document = self.document.get();
        let source = Arc::new(core.value(self.id).raw().to_vec());
        let checked = !core.options().is_unchecked();
        let part = Core::parse(source, checked, *core.options())
            .map_err(|error| document.raise(py, &core, &error))?;
        Ok(document.sibling(py, part))
    }

    fn __copy__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let part = Bound::new(py, self.clone(py)?)?;
        let core = part.get().core(py)?;
        view(&part, &core, core.tape().root())
    }

    fn __deepcopy__<'py>(
        &self,
        py: Python<'py>,
        _memo: &Bound<'_, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.__copy__(py)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let core = self.core(py)?;
        let source = PyBytes::new(py, core.value(self.id).raw());
        let format = core.format().info().name;
        rebuild::reduce(
            py,
            "_rebuild_view",
            format,
            &source,
            self.document.get().reading(),
        )
    }

    /// The whole number, exact. With `default`, that is returned for another kind of value.
    ///
    /// Raises `octad.KindError` for what is no integer; 1.0 is none.
    ///
    /// >>> import octad
    /// >>> doc = octad.json.parse(b'{"port": 8080, "host": "h"}')
    /// >>> doc.at("/port").as_int(), doc.at("/host").as_int(0)
    /// (8080, 0)
    #[pyo3(signature = (default=Default::None), text_signature = "($self, default=...)")]
    fn as_int<'py>(&self, py: Python<'py>, default: Default<'py>) -> PyResult<Bound<'py, PyAny>> {
        getters::get(py, self, Wanted::Int, default)
    }

    /// The number as a float; integers are converted. With `default`, that is returned for another
    /// kind of value, or an integer beyond the range of floats.
    ///
    /// Raises `octad.KindError` for what is no number, `octad.RangeError` for one too large.
    ///
    /// >>> import octad
    /// >>> octad.json.parse(b"[1, 2.5]").at("/0").as_float()
    /// 1.0
    #[pyo3(signature = (default=Default::None), text_signature = "($self, default=...)")]
    fn as_float<'py>(&self, py: Python<'py>, default: Default<'py>) -> PyResult<Bound<'py, PyAny>> {
        getters::get(py, self, Wanted::Float, default)
    }

    /// The text. With `default`, that is returned for another kind of value.
    ///
    /// Raises `octad.KindError` for what is no text.
    ///
    /// >>> import octad
    /// >>> octad.json.parse(b'["a\\u00e9"]').at("/0").as_str()
    /// 'aé'
    #[pyo3(signature = (default=Default::None), text_signature = "($self, default=...)")]
    fn as_str<'py>(&self, py: Python<'py>, default: Default<'py>) -> PyResult<Bound<'py, PyAny>> {
        getters::get(py, self, Wanted::Str, default)
    }

    /// True or False. With `default`, that is returned for another kind of value.
    ///
    /// Raises `octad.KindError` for what is neither.
    ///
    /// >>> import octad
    /// >>> octad.json.parse(b"[true, 1]").at("/1").as_bool(False)
    /// False
    #[pyo3(signature = (default=Default::None), text_signature = "($self, default=...)")]
    fn as_bool<'py>(&self, py: Python<'py>, default: Default<'py>) -> PyResult<Bound<'py, PyAny>> {
        getters::get(py, self, Wanted::Bool, default)
    }

    /// The bytes that a text holds as base64: the usual alphabet with padding, or the URL-safe one
    /// (RFC 4648). With `default`, that is returned for another kind of value, or other text.
    ///
    /// Raises `octad.KindError` for what is no such text.
    ///
    /// >>> import octad
    /// >>> octad.json.parse(b'"b2N0YWQ="').root.as_bytes()
    /// b'octad'
    #[pyo3(signature = (default=Default::None), text_signature = "($self, default=...)")]
    fn as_bytes<'py>(&self, py: Python<'py>, default: Default<'py>) -> PyResult<Bound<'py, PyAny>> {
        getters::get(py, self, Wanted::Bytes, default)
    }

    /// The number as a `decimal.Decimal`, exactly as it is spelled. With `default`, that is
    /// returned for another kind of value.
    ///
    /// Raises `octad.KindError` for what is no number.
    ///
    /// >>> import octad
    /// >>> octad.json.parse(b"[0.10]").at("/0").as_decimal()
    /// Decimal('0.10')
    #[pyo3(signature = (default=Default::None), text_signature = "($self, default=...)")]
    fn as_decimal<'py>(
        &self,
        py: Python<'py>,
        default: Default<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        getters::get(py, self, Wanted::Decimal, default)
    }

    // The settings of the document may hold a callable that reaches this view again.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.document)
    }

    fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
        value::truth(py, self.document.get(), &*self.core(py)?, self.id)
    }

    fn __richcmp__<'py>(
        &self,
        other: &Bound<'py, PyAny>,
        op: CompareOp,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = other.py();
        compare::rich(self.document.bind(py), &*self.core(py)?, self.id, other, op)
    }

    fn __str__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        value::text(py, self.document.get(), &*self.core(py)?, self.id)
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let this = slf.get();
        let name = slf.get_type().name()?;
        if this.document.get().is_closed() {
            return Ok(format!("{name}(closed)"));
        }
        let core = this.core(slf.py())?;
        let show_input = this.document.get().reading().show_input;
        Ok(format!(
            "{name}({})",
            repr::shortened(core.value(this.id), show_input)
        ))
    }
}

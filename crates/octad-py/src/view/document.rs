//! `Document`: a parsed text, opened and closed, copied, pickled; it passes reading on to its root.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use octad_core::doc::{Document as Core, ValueKind};
use octad_core::error::{Error, ErrorCode};
use octad_core::token::TokenId;
use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple};
use pyo3::{PyTraverseError, PyVisit};

use super::object::Object;
use super::{array, compare, element, iter, members, object, rebuild, repr, typed, value};
use crate::errors;
use crate::options::Reading;

/// A parsed text: values are read from it when they are asked for.
///
/// Made by `parse` and `open` of a format's module. `doc["a"]["b"]`, `doc.at("/a/b")`, `in`, `len`
/// and iteration work on the root value. Plain Python values come out, and views (`Object`,
/// `Array`) of what contains others. Many threads may read one document. A document compares by
/// value with documents, views and plain values, and so is unhashable.
///
/// >>> import octad
/// >>> doc = octad.json.parse(b'{"server": {"port": 8080}}')
/// >>> doc["server"]["port"]
/// 8080
/// >>> doc == {"server": {"port": 8080}}
/// True
#[pyclass(frozen, module = "octad", weakref)]
pub struct Document {
    state: RwLock<Option<State>>,
    reading: Reading,
    settings: Option<Py<PyAny>>,
    serial: u64,
}

/// What a closed document has no more.
#[derive(Clone)]
struct State {
    core: Arc<Core>,
    /// The object that holds the source, where that is a bytes object.
    origin: Option<Arc<Py<PyBytes>>>,
}

static SERIAL: AtomicU64 = AtomicU64::new(1);

impl Document {
    /// A document of what has been parsed. `settings`: the object that was given, if one was;
    /// `data`: what was parsed.
    #[must_use]
    pub fn new(
        core: Core,
        reading: Reading,
        settings: Option<Py<PyAny>>,
        data: Option<&Bound<'_, PyAny>>,
    ) -> Self {
        let origin = data
            .and_then(|data| data.cast_exact::<PyBytes>().ok())
            .map(|bytes| Arc::new(bytes.clone().unbind()));
        let core = Arc::new(core);
        Self::of(State { core, origin }, reading, settings)
    }

    fn of(state: State, reading: Reading, settings: Option<Py<PyAny>>) -> Self {
        Self {
            state: RwLock::new(Some(state)),
            reading,
            settings,
            serial: SERIAL.fetch_add(1, Ordering::Relaxed),
        }
    }

    /// A document of the same options.
    pub(super) fn sibling(&self, py: Python<'_>, core: Core) -> Self {
        let state = State {
            core: Arc::new(core),
            origin: None,
        };
        let settings = self.settings.as_ref().map(|object| object.clone_ref(py));
        Self::of(state, self.reading.clone(), settings)
    }

    /// The core document.
    ///
    /// # Errors
    /// `ClosedError`.
    #[inline]
    pub fn core(&self, py: Python<'_>) -> PyResult<Arc<Core>> {
        // A panic leaves the state whole: it is only ever replaced.
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        match &*state {
            Some(state) => Ok(Arc::clone(&state.core)),
            None => {
                drop(state);
                Err(closed(py))
            }
        }
    }

    fn state(&self, py: Python<'_>) -> PyResult<State> {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        state.clone().ok_or_else(|| closed(py))
    }

    /// How it was read.
    pub(super) fn reading(&self) -> &Reading {
        &self.reading
    }

    /// The settings that were given, if some were.
    pub(super) fn given_settings<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        self.settings.as_ref().map(|given| given.bind(py).clone())
    }

    pub(super) fn is_closed(&self) -> bool {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        state.is_none()
    }

    /// A number for a value that no other value in this process has.
    pub(super) fn identity_of(&self, id: TokenId) -> u64 {
        self.serial << 30 | u64::from(id)
    }

    /// The Python exception for an error about this document.
    #[cold]
    pub(super) fn raise(&self, py: Python<'_>, core: &Core, error: &Error) -> PyErr {
        errors::to_py(
            py,
            error,
            Some(core.input()),
            false,
            self.reading.show_input,
        )
    }

    fn bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let state = self.state(py)?;
        Ok(match state.origin {
            Some(bytes) => bytes.bind(py).clone(),
            None => PyBytes::new(py, state.core.input()),
        })
    }

    /// The root as an object.
    ///
    /// # Errors
    /// `KindError`.
    fn root_object<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, Object>> {
        let py = slf.py();
        let core = slf.get().core(py)?;
        if core.root().kind() == ValueKind::Object {
            let root = element::view(slf, &core, core.tape().root())?;
            return Ok(root.cast_into::<Object>()?);
        }
        let error = core.root().wrong_kind("an object");
        Err(slf.get().raise(py, &core, &error))
    }

    /// The root's error for an operation that its kind does not have.
    #[cold]
    fn wrong_kind(&self, py: Python<'_>, core: &Core) -> PyErr {
        let error = core.root().wrong_kind("an object or an array");
        self.raise(py, core, &error)
    }
}

#[cold]
fn closed(py: Python<'_>) -> PyErr {
    errors::to_py(py, &Error::new(ErrorCode::Closed), None, false, true)
}

#[pymethods]
impl Document {
    /// The root value: an `Object`, an `Array`, or an `Element` for a scalar.
    ///
    /// >>> import octad
    /// >>> octad.json.parse(b"[1, 2]").root
    /// Array([1, 2])
    #[getter]
    fn root<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let core = slf.get().core(slf.py())?;
        element::view(slf, &core, core.tape().root())
    }

    /// The text that was parsed, in UTF-8: the bytes object itself where it was given as one.
    ///
    /// >>> import octad
    /// >>> octad.json.parse("[1, 2]").source
    /// b'[1, 2]'
    #[getter]
    fn source<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.bytes(py)
    }

    /// The name of the format, such as "json".
    ///
    /// >>> import octad
    /// >>> octad.json.parse(b"1").format
    /// 'json'
    #[getter]
    fn format(&self, py: Python<'_>) -> PyResult<&'static str> {
        Ok(self.core(py)?.format().info().name)
    }

    /// The `octad.Settings` that this document was read with.
    ///
    /// >>> import octad
    /// >>> octad.json.parse(b"1").settings.limits.depth
    /// 1024
    #[getter]
    fn settings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        rebuild::settings(py, self.settings.as_ref(), &self.reading)
    }

    /// True after `close()`.
    ///
    /// >>> import octad
    /// >>> octad.json.parse(b"1").closed
    /// False
    #[getter]
    fn closed(&self) -> bool {
        self.is_closed()
    }

    /// Bytes of memory that the document holds over its source: the tape, and what has been
    /// built on demand to find values (positions, parents, keys of wide objects).
    ///
    /// >>> import octad
    /// >>> octad.json.parse(b"[1, 2, 3]").nbytes < 1000
    /// True
    #[getter]
    fn nbytes(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.core(py)?.memory())
    }

    /// The view of the value that a JSON Pointer (RFC 6901) names.
    ///
    /// Scalars come as an `Element`, which knows its place and spelling. Raises
    /// `octad.PointerError` where the pointer leads nowhere or is none.
    ///
    /// >>> import octad
    /// >>> octad.json.parse(b'{"a": [1, 2.50]}').at("/a/1").raw
    /// b'2.50'
    fn at<'py>(slf: &Bound<'py, Self>, pointer: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let core = slf.get().core(slf.py())?;
        element::at(slf, &core, core.tape().root(), pointer)
    }

    /// The text exactly as it was parsed.
    ///
    /// `octad.json.dumps(doc)` writes it compactly instead.
    ///
    /// >>> import octad
    /// >>> octad.json.parse(b"[ 1.0 ]").dumps()
    /// b'[ 1.0 ]'
    fn dumps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.bytes(py)
    }

    /// The whole document as plain Python objects, as `loads` gives them.
    ///
    /// Raises `octad.DecodeError` for a number that does not fit (see `overflow`), or for a value
    /// that was not checked yet (`lazy_values=True`).
    ///
    /// >>> import octad
    /// >>> octad.json.parse(b'{"a": [1, 2]}').to_python()
    /// {'a': [1, 2]}
    fn to_python<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let core = self.core(py)?;
        value::plain(py, self, &core, core.tape().root())
    }

    /// The whole document as an object of a type, as `loads(data, type)` makes it.
    ///
    /// Raises `octad.ValidationError` where a value does not fit, `octad.ContractError` for a type
    /// that does not describe data.
    ///
    /// >>> import octad
    /// >>> octad.json.parse(b'{"a": [1, 2]}').to(dict[str, tuple[int, int]])
    /// {'a': (1, 2)}
    #[pyo3(signature = (r#type, /))]
    fn to<'py>(&self, r#type: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let core = self.core(r#type.py())?;
        typed::to(self, &core, core.tape().root(), r#type)
    }

    /// Another document of the same text: nothing is copied, closing one leaves the other open.
    ///
    /// >>> import octad
    /// >>> doc = octad.json.parse(b"[1]")
    /// >>> doc.copy() == doc
    /// True
    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        let settings = self.settings.as_ref().map(|object| object.clone_ref(py));
        Ok(Self::of(self.state(py)?, self.reading.clone(), settings))
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        self.copy(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.copy(py)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        rebuild::reduce(
            py,
            "_rebuild",
            self.format(py)?,
            &self.bytes(py)?,
            &self.reading,
        )
    }

    /// Lets go of text and tape. Later use of the document or of its views raises
    /// `octad.ClosedError`; closing twice does nothing.
    ///
    /// >>> import octad
    /// >>> doc = octad.json.parse(b"[1]")
    /// >>> doc.close()
    /// >>> doc.closed
    /// True
    fn close(&self) {
        let state = {
            let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
            state.take()
        };
        // Dropped here, after the lock: what is freed may be large.
        drop(state);
    }

    fn __enter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, Self>> {
        slf.get().core(slf.py())?;
        Ok(slf.clone())
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, PyTuple>) {
        self.close();
    }

    /// The tape as text, a line for each token: kind, style, place. For debugging and learning;
    /// `docs/tape.md` explains it.
    ///
    /// >>> import octad
    /// >>> octad.json.parse(b"[1]").tape()[1]
    /// '1 LIST plain span=2 count=1'
    fn tape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let core = self.core(py)?;
        PyList::new(
            py,
            octad_core::tape::dump(core.tape(), core.input()).lines(),
        )
    }

    /// The value of a key of the root object, or `default`.
    ///
    /// Raises `octad.KindError` where the root is no object, as do `keys`, `values` and `items`.
    ///
    /// >>> import octad
    /// >>> octad.json.parse(b'{"a": 1}').get("b", 0)
    /// 0
    #[pyo3(signature = (key, default=None, /))]
    fn get<'py>(
        slf: &Bound<'py, Self>,
        key: &Bound<'py, PyAny>,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        Object::get(&Self::root_object(slf)?, key, default)
    }

    /// The keys of the root object, as a set-like view.
    ///
    /// >>> import octad
    /// >>> list(octad.json.parse(b'{"a": 1, "b": 2}').keys())
    /// ['a', 'b']
    fn keys(slf: &Bound<'_, Self>) -> PyResult<members::Keys> {
        Self::root_object(slf).map(|root| members::Keys::new(&root))
    }

    /// The values of the root object, in the order of the keys.
    ///
    /// >>> import octad
    /// >>> list(octad.json.parse(b'{"a": 1, "b": [2]}').values())
    /// [1, Array([2])]
    fn values(slf: &Bound<'_, Self>) -> PyResult<members::Values> {
        Self::root_object(slf).map(|root| members::Values::new(&root))
    }

    /// The pairs of key and value of the root object, one for each key.
    ///
    /// >>> import octad
    /// >>> dict(octad.json.parse(b'{"a": 1, "b": 2}').items())
    /// {'a': 1, 'b': 2}
    fn items(slf: &Bound<'_, Self>) -> PyResult<members::Items> {
        Self::root_object(slf).map(|root| members::Items::new(&root))
    }

    fn __getitem__<'py>(
        slf: &Bound<'py, Self>,
        key: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let core = slf.get().core(slf.py())?;
        let root = core.root();
        match root.kind() {
            ValueKind::Object => object::item(slf, &core, root, key),
            ValueKind::Array => array::item(slf, &core, root, key),
            _ => Err(slf.get().wrong_kind(slf.py(), &core)),
        }
    }

    fn __contains__(slf: &Bound<'_, Self>, wanted: &Bound<'_, PyAny>) -> PyResult<bool> {
        let core = slf.get().core(slf.py())?;
        let root = core.root();
        match root.kind() {
            ValueKind::Object => object::contains(root, wanted),
            ValueKind::Array => array::contains(slf, &core, root, wanted),
            _ => Err(slf.get().wrong_kind(slf.py(), &core)),
        }
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        let core = self.core(py)?;
        match core.root().kind() {
            ValueKind::Object | ValueKind::Array => Ok(core.root().len()),
            _ => Err(self.wrong_kind(py, &core)),
        }
    }

    fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
        let core = self.core(py)?;
        value::truth(py, self, &core, core.tape().root())
    }

    fn __iter__(slf: &Bound<'_, Self>) -> PyResult<iter::ViewIterator> {
        let core = slf.get().core(slf.py())?;
        let what = match core.root().kind() {
            ValueKind::Object => iter::What::Keys,
            ValueKind::Array => iter::What::Elements,
            _ => return Err(slf.get().wrong_kind(slf.py(), &core)),
        };
        Ok(iter::ViewIterator::new(
            slf,
            &core,
            core.tape().root(),
            what,
        ))
    }

    fn __richcmp__<'py>(
        slf: &Bound<'py, Self>,
        other: &Bound<'py, PyAny>,
        op: CompareOp,
    ) -> PyResult<Bound<'py, PyAny>> {
        let core = slf.get().core(slf.py())?;
        compare::rich(slf, &core, core.tape().root(), other, op)
    }

    fn __str__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        let core = self.core(py)?;
        value::text(py, self, &core, core.tape().root())
    }

    fn __repr__(&self) -> String {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        match &*state {
            Some(state) => {
                let root = repr::shortened(state.core.root(), self.reading.show_input);
                format!("Document({}, {root})", state.core.format().info().name)
            }
            None => "Document(closed)".to_owned(),
        }
    }

    // Settings may hold a callable that reaches this document again.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        if let Some(settings) = &self.settings {
            visit.call(settings)?;
        }
        Ok(())
    }
}

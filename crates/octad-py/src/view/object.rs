//! `Object`: a mapping whose pairs are read from the tape when asked.

use std::borrow::Cow;

use octad_core::doc::{Document as Core, ValueRef};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use super::element::Element;
use super::iter::{ViewIterator, What};
use super::members::{Items, Keys, Values};
use super::{Document, value};

/// An object of a document: a mapping from str to plain values and views.
///
/// Reads like a dict (`[]`, `get`, `in`, `len`, iteration, `keys`, `values`, `items`, `==`,
/// `match`) and is a `collections.abc.Mapping`. Of equal keys the last one counts, unless the
/// document was read with `duplicates="first"`; `pairs()` has all. All of `Element` is there too.
///
/// >>> import octad
/// >>> user = octad.json.parse(b'{"name": "Ada", "tags": ["x"]}').root
/// >>> user["name"], user["tags"], len(user)
/// ('Ada', Array(["x"]), 2)
#[pyclass(frozen, extends = Element, mapping, module = "octad")]
pub struct Object {}

/// The bytes of a key as the tape has them; `None` for what is no str.
#[inline]
fn key_bytes<'a>(key: &'a Bound<'_, PyAny>) -> PyResult<Option<Cow<'a, [u8]>>> {
    let Ok(text) = key.cast::<PyString>() else {
        return Ok(None);
    };
    if let Ok(text) = text.to_str() {
        return Ok(Some(Cow::Borrowed(text.as_bytes())));
    }
    // A lone surrogate: in the tape's spelling, which a document may keep.
    let encoded = text.call_method1("encode", ("utf-8", "surrogatepass"))?;
    let bytes = encoded.cast::<PyBytes>()?.as_bytes().to_vec();
    Ok(Some(Cow::Owned(bytes)))
}

/// The value of a key of the object, if there is one.
///
/// # Errors
/// No memory.
#[inline]
pub fn find<'d>(object: ValueRef<'d>, key: &Bound<'_, PyAny>) -> PyResult<Option<ValueRef<'d>>> {
    Ok(match key_bytes(key)? {
        Some(name) => object.get(&name),
        None => None,
    })
}

/// The value of a key of the object.
///
/// # Errors
/// `KeyError`.
#[inline]
pub fn item<'py>(
    document: &Bound<'py, Document>,
    core: &Core,
    object: ValueRef<'_>,
    key: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    if let Some(found) = find(object, key)? {
        return value::item(document, core, found.id());
    }
    Err(PyKeyError::new_err(key.clone().unbind()))
}

/// Whether the object has a key.
///
/// # Errors
/// No memory.
pub fn contains(object: ValueRef<'_>, key: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(find(object, key)?.is_some())
}

#[pymethods]
impl Object {
    fn __getitem__<'py>(
        slf: &Bound<'py, Self>,
        key: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let view = slf.as_super().get();
        let core = view.core(py)?;
        item(view.document.bind(py), &core, core.value(view.id), key)
    }

    /// The value of a key, or `default`.
    ///
    /// >>> import octad
    /// >>> octad.json.parse(b'{"a": 1}').root.get("b", 0)
    /// 0
    #[pyo3(signature = (key, default=None, /))]
    pub(super) fn get<'py>(
        slf: &Bound<'py, Self>,
        key: &Bound<'py, PyAny>,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let py = slf.py();
        let view = slf.as_super().get();
        let core = view.core(py)?;
        if let Some(found) = find(core.value(view.id), key)? {
            return value::item(view.document.bind(py), &core, found.id()).map(Some);
        }
        Ok(default)
    }

    fn __contains__(slf: &Bound<'_, Self>, key: &Bound<'_, PyAny>) -> PyResult<bool> {
        let view = slf.as_super().get();
        let core = view.core(slf.py())?;
        contains(core.value(view.id), key)
    }

    fn __len__(slf: &Bound<'_, Self>) -> PyResult<usize> {
        let view = slf.as_super().get();
        Ok(view.core(slf.py())?.value(view.id).len())
    }

    fn __iter__(slf: &Bound<'_, Self>) -> PyResult<ViewIterator> {
        ViewIterator::of(slf.as_super(), What::Keys)
    }

    fn __reversed__(slf: &Bound<'_, Self>) -> PyResult<ViewIterator> {
        ViewIterator::of(slf.as_super(), What::KeysReversed)
    }

    /// The keys, as a set-like view.
    ///
    /// >>> import octad
    /// >>> keys = octad.json.parse(b'{"a": 1, "b": 2}').root.keys()
    /// >>> list(keys), "a" in keys, sorted(keys - {"a"})
    /// (['a', 'b'], True, ['b'])
    fn keys(slf: &Bound<'_, Self>) -> Keys {
        Keys::new(slf)
    }

    /// The values, in the order of the keys.
    ///
    /// >>> import octad
    /// >>> list(octad.json.parse(b'{"a": 1, "b": [2]}').root.values())
    /// [1, Array([2])]
    fn values(slf: &Bound<'_, Self>) -> Values {
        Values::new(slf)
    }

    /// The pairs of key and value, one for each key.
    ///
    /// >>> import octad
    /// >>> dict(octad.json.parse(b'{"a": 1, "b": 2}').root.items())
    /// {'a': 1, 'b': 2}
    fn items(slf: &Bound<'_, Self>) -> Items {
        Items::new(slf)
    }

    /// All pairs as they stand in the text, those with equal keys included.
    ///
    /// >>> import octad
    /// >>> list(octad.json.parse(b'{"a": 1, "a": 2}').root.pairs())
    /// [('a', 1), ('a', 2)]
    fn pairs(slf: &Bound<'_, Self>) -> PyResult<ViewIterator> {
        ViewIterator::of(slf.as_super(), What::Pairs)
    }
}

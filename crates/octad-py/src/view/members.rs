//! `Object.keys()`, `.values()`, `.items()`: views of an object's unique pairs.

use octad_core::doc::ValueKind;
use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::types::{PyNotImplemented, PySet, PyString, PyTuple};
use pyo3::{PyTraverseError, PyVisit};

use super::element::Element;
use super::iter::{ViewIterator, What};
use super::object::Object;
use super::{compare, object};

/// The plain set of a view's members, for the operations of sets.
fn as_set<'py>(py: Python<'py>, members: ViewIterator) -> PyResult<Bound<'py, PySet>> {
    let set = PySet::empty(py)?;
    for member in Bound::new(py, members)?.try_iter()? {
        set.add(member?)?;
    }
    Ok(set)
}

/// A set operation with any iterable.
fn combine<'py>(
    set: Bound<'py, PySet>,
    operation: &str,
    other: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    set.call_method1(operation, (other,))
}

/// A comparison with another set or set-like view.
fn compared<'py>(
    set: impl FnOnce() -> PyResult<Bound<'py, PySet>>,
    other: &Bound<'py, PyAny>,
    op: CompareOp,
) -> PyResult<Bound<'py, PyAny>> {
    let py = other.py();
    let class = py.import("collections.abc")?.getattr("Set")?;
    if !other.is_instance(&class)? {
        return Ok(PyNotImplemented::get(py).to_owned().into_any());
    }
    let theirs = PySet::empty(py)?;
    for member in other.try_iter()? {
        theirs.add(member?)?;
    }
    set()?.rich_compare(theirs, op)
}

fn described(py: Python<'_>, view: &Py<Object>, name: &str) -> PyResult<String> {
    Ok(format!("{name}({})", view.bind(py).repr()?))
}

/// The keys of an `Object`: set-like, in the order of the text.
#[pyclass(frozen, name = "ObjectKeys", module = "octad")]
pub struct Keys(Py<Object>);

impl Keys {
    pub fn new(view: &Bound<'_, Object>) -> Self {
        Self(view.clone().unbind())
    }

    fn iterator(&self, py: Python<'_>, what: What) -> PyResult<ViewIterator> {
        ViewIterator::of(self.0.bind(py).as_super(), what)
    }
}

#[pymethods]
impl Keys {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.0)
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.0.bind(py).len()
    }

    fn __iter__(&self, py: Python<'_>) -> PyResult<ViewIterator> {
        self.iterator(py, What::Keys)
    }

    fn __reversed__(&self, py: Python<'_>) -> PyResult<ViewIterator> {
        self.iterator(py, What::KeysReversed)
    }

    fn __contains__(&self, key: &Bound<'_, PyAny>) -> PyResult<bool> {
        let view = self.0.bind(key.py()).as_super().get();
        let core = view.core(key.py())?;
        object::contains(core.value(view.id), key)
    }

    fn __and__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let set = as_set(other.py(), self.iterator(other.py(), What::Keys)?)?;
        combine(set, "intersection", other)
    }

    fn __or__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let set = as_set(other.py(), self.iterator(other.py(), What::Keys)?)?;
        combine(set, "union", other)
    }

    fn __sub__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let set = as_set(other.py(), self.iterator(other.py(), What::Keys)?)?;
        combine(set, "difference", other)
    }

    fn __xor__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let set = as_set(other.py(), self.iterator(other.py(), What::Keys)?)?;
        combine(set, "symmetric_difference", other)
    }

    /// True where no key is in `other`.
    fn isdisjoint<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let set = as_set(other.py(), self.iterator(other.py(), What::Keys)?)?;
        combine(set, "isdisjoint", other)
    }

    fn __richcmp__<'py>(
        &self,
        other: &Bound<'py, PyAny>,
        op: CompareOp,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = other.py();
        compared(|| as_set(py, self.iterator(py, What::Keys)?), other, op)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        described(py, &self.0, "ObjectKeys")
    }
}

/// The values of an `Object`, in the order of its keys.
#[pyclass(frozen, name = "ObjectValues", module = "octad")]
pub struct Values(Py<Object>);

impl Values {
    pub fn new(view: &Bound<'_, Object>) -> Self {
        Self(view.clone().unbind())
    }
}

#[pymethods]
impl Values {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.0)
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.0.bind(py).len()
    }

    fn __iter__(&self, py: Python<'_>) -> PyResult<ViewIterator> {
        ViewIterator::of(self.0.bind(py).as_super(), What::Values)
    }

    fn __contains__(&self, wanted: &Bound<'_, PyAny>) -> PyResult<bool> {
        let py = wanted.py();
        let view: &Element = self.0.bind(py).as_super().get();
        let core = view.core(py)?;
        for (_, value) in core.value(view.id).members() {
            if compare::equals(view.document.bind(py), &core, core.value(value), wanted)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        described(py, &self.0, "ObjectValues")
    }
}

/// The pairs of an `Object`, one for each key; set-like where the values are hashable.
#[pyclass(frozen, name = "ObjectItems", module = "octad")]
pub struct Items(Py<Object>);

impl Items {
    pub fn new(view: &Bound<'_, Object>) -> Self {
        Self(view.clone().unbind())
    }

    fn iterator(&self, py: Python<'_>) -> PyResult<ViewIterator> {
        ViewIterator::of(self.0.bind(py).as_super(), What::Items)
    }

    fn has_containers(&self, py: Python<'_>) -> PyResult<bool> {
        let view = self.0.bind(py).as_super().get();
        let core = view.core(py)?;
        let mut values = core
            .value(view.id)
            .members()
            .map(|(_, value)| core.value(value).kind());
        Ok(values.any(|kind| matches!(kind, ValueKind::Array | ValueKind::Object)))
    }
}

#[pymethods]
impl Items {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.0)
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.0.bind(py).len()
    }

    fn __iter__(&self, py: Python<'_>) -> PyResult<ViewIterator> {
        self.iterator(py)
    }

    fn __contains__(&self, pair: &Bound<'_, PyAny>) -> PyResult<bool> {
        let py = pair.py();
        let Ok(pair) = pair.cast::<PyTuple>() else {
            return Ok(false);
        };
        let Ok((key, wanted)) = pair.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>() else {
            return Ok(false);
        };
        let view = self.0.bind(py).as_super().get();
        let core = view.core(py)?;
        let Ok(key) = key.cast::<PyString>() else {
            return Ok(false);
        };
        match object::find(core.value(view.id), key.as_any())? {
            Some(found) => compare::equals(view.document.bind(py), &core, found, &wanted),
            None => Ok(false),
        }
    }

    fn __and__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        combine(
            as_set(other.py(), self.iterator(other.py())?)?,
            "intersection",
            other,
        )
    }

    fn __or__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        combine(
            as_set(other.py(), self.iterator(other.py())?)?,
            "union",
            other,
        )
    }

    fn __sub__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        combine(
            as_set(other.py(), self.iterator(other.py())?)?,
            "difference",
            other,
        )
    }

    fn __xor__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let set = as_set(other.py(), self.iterator(other.py())?)?;
        combine(set, "symmetric_difference", other)
    }

    /// True where no pair is in `other`.
    fn isdisjoint(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        for pair in other.try_iter()? {
            if self.__contains__(&pair?)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn __richcmp__<'py>(
        &self,
        other: &Bound<'py, PyAny>,
        op: CompareOp,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = other.py();
        if matches!(op, CompareOp::Eq | CompareOp::Ne) && self.has_containers(py)? {
            // Views are unhashable, so the pairs are compared one by one.
            let wanted = matches!(op, CompareOp::Eq);
            let class = py.import("collections.abc")?.getattr("Set")?;
            if !other.is_instance(&class)? {
                return Ok(PyNotImplemented::get(py).to_owned().into_any());
            }
            let mut equal = other.len()? == self.__len__(py)?;
            if equal {
                for pair in other.try_iter()? {
                    equal = equal && self.__contains__(&pair?)?;
                }
            }
            return Ok((equal == wanted).into_pyobject(py)?.to_owned().into_any());
        }
        compared(|| as_set(py, self.iterator(py)?), other, op)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        described(py, &self.0, "ObjectItems")
    }
}

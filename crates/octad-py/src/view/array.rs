//! `Array`: a sequence whose elements are read from the tape when asked.

use octad_core::doc::{Document as Core, ValueRef};
use pyo3::exceptions::{PyIndexError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PySlice};

use super::element::Element;
use super::iter::{ViewIterator, What};
use super::{Document, compare, value};

/// An array of a document: a sequence of plain values and views.
///
/// Reads like a list (`[]` with negative indexes and slices, `len`, `in`, iteration, `index`,
/// `count`, `reversed`, `==`, `match`) and is a `collections.abc.Sequence`. A slice is a plain list.
/// All of `Element` is there too.
///
/// >>> import octad
/// >>> array = octad.json.parse(b'[1, "two", [3]]').root
/// >>> array[0], array[-1], array[:2]
/// (1, Array([3]), [1, 'two'])
#[pyclass(frozen, extends = Element, module = "octad")]
pub struct Array {}

/// The element at an index, or the elements of a slice.
///
/// # Errors
/// `IndexError`; `TypeError` for what is no index.
#[inline]
pub fn item<'py>(
    document: &Bound<'py, Document>,
    core: &Core,
    array: ValueRef<'_>,
    index: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = document.py();
    let place = match index.extract::<isize>() {
        Ok(place) => place,
        Err(error) => {
            if let Ok(range) = index.cast::<PySlice>() {
                return slice(document, core, array, range);
            }
            return Err(if error.is_instance_of::<PyOverflowError>(py) {
                out_of_range()
            } else if index.hasattr("__index__")? {
                error
            } else {
                let found = index.get_type().name()?;
                PyTypeError::new_err(format!("expected an index or a slice, found {found}"))
            });
        }
    };
    let place = if place < 0 {
        array.len().checked_add_signed(place)
    } else {
        usize::try_from(place).ok()
    };
    match place.and_then(|place| array.element(place)) {
        Some(found) => value::item(document, core, found.id()),
        None => Err(out_of_range()),
    }
}

#[cold]
fn out_of_range() -> PyErr {
    PyIndexError::new_err("array index out of range")
}

fn slice<'py>(
    document: &Bound<'py, Document>,
    core: &Core,
    array: ValueRef<'_>,
    range: &Bound<'py, PySlice>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = document.py();
    let length = array.len();
    let bounds = range.indices(isize::try_from(length).unwrap_or(isize::MAX))?;
    let mut made = Vec::with_capacity(bounds.slicelength);
    let mut place = bounds.start;
    for _ in 0..bounds.slicelength {
        let found = usize::try_from(place)
            .ok()
            .and_then(|place| array.element(place));
        let found = found.ok_or_else(out_of_range)?;
        made.push(value::item(document, core, found.id())?);
        place = place.wrapping_add(bounds.step);
    }
    Ok(PyList::new(py, made)?.into_any())
}

/// Whether some element equals an object.
///
/// # Errors
/// As [`compare::equals`].
pub fn contains(
    document: &Bound<'_, Document>,
    core: &Core,
    array: ValueRef<'_>,
    wanted: &Bound<'_, PyAny>,
) -> PyResult<bool> {
    for element in array.elements() {
        if compare::equals(document, core, element, wanted)? {
            return Ok(true);
        }
    }
    Ok(false)
}

#[pymethods]
impl Array {
    fn __getitem__<'py>(
        slf: &Bound<'py, Self>,
        index: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let view = slf.as_super().get();
        let core = view.core(py)?;
        item(view.document.bind(py), &core, core.value(view.id), index)
    }

    fn __len__(slf: &Bound<'_, Self>) -> PyResult<usize> {
        let view = slf.as_super().get();
        Ok(view.core(slf.py())?.value(view.id).len())
    }

    fn __contains__(slf: &Bound<'_, Self>, wanted: &Bound<'_, PyAny>) -> PyResult<bool> {
        let py = slf.py();
        let view = slf.as_super().get();
        let core = view.core(py)?;
        contains(view.document.bind(py), &core, core.value(view.id), wanted)
    }

    fn __iter__(slf: &Bound<'_, Self>) -> PyResult<ViewIterator> {
        ViewIterator::of(slf.as_super(), What::Elements)
    }

    fn __reversed__(slf: &Bound<'_, Self>) -> PyResult<ViewIterator> {
        ViewIterator::of(slf.as_super(), What::ElementsReversed)
    }

    /// The index of the first element that equals `value`, at or after `start` and before `stop`.
    ///
    /// Raises `ValueError` where there is none.
    ///
    /// >>> import octad
    /// >>> octad.json.parse(b'["a", "b"]').root.index("b")
    /// 1
    #[pyo3(signature = (value, start=0, stop=isize::MAX, /), text_signature = "($self, value, start=0, stop=sys.maxsize, /)")]
    fn index(
        slf: &Bound<'_, Self>,
        value: &Bound<'_, PyAny>,
        start: isize,
        stop: isize,
    ) -> PyResult<usize> {
        let py = slf.py();
        let view = slf.as_super().get();
        let core = view.core(py)?;
        let array = core.value(view.id);
        let length = array.len();
        let place = |bound: isize| {
            if bound < 0 {
                length.saturating_add_signed(bound)
            } else {
                bound.unsigned_abs().min(length)
            }
        };
        let (start, stop) = (place(start), place(stop));
        let within = array.elements().enumerate().take(stop).skip(start);
        for (place, element) in within {
            if compare::equals(view.document.bind(py), &core, element, value)? {
                return Ok(place);
            }
        }
        Err(PyValueError::new_err("the value is not in the array"))
    }

    /// How many elements equal `value`.
    ///
    /// >>> import octad
    /// >>> octad.json.parse(b"[1, 2, 1.0]").root.count(1)
    /// 2
    #[pyo3(signature = (value, /))]
    fn count(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>) -> PyResult<usize> {
        let py = slf.py();
        let view = slf.as_super().get();
        let core = view.core(py)?;
        let mut count = 0;
        for element in core.value(view.id).elements() {
            count += usize::from(compare::equals(
                view.document.bind(py),
                &core,
                element,
                value,
            )?);
        }
        Ok(count)
    }
}

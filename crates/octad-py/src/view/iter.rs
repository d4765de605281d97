//! The one iterator of views: elements, keys, values, items, pairs, forwards or backwards.
//!
//! It keeps a token id and no borrow, so it may outlive everything but its document, and two
//! iterators never disturb each other. Each step asks the document, so a closed one is noticed.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use octad_core::doc::{Document as Core, MapIndex};
use octad_core::tape;
use octad_core::token::TokenId;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use pyo3::{PyTraverseError, PyVisit};

use super::element::Element;
use super::{Document, value};

/// What an iterator gives.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// The elements of an array.
    Elements,
    /// The same from the end.
    ElementsReversed,
    /// The unique keys of an object.
    Keys,
    /// The same from the end.
    KeysReversed,
    /// The values of the unique keys.
    Values,
    /// Pairs with unique keys.
    Items,
    /// All pairs.
    Pairs,
}

/// Where an iterator stands.
enum Place {
    /// At a token, before another.
    Walk(AtomicU32, TokenId),
    /// At a place in the pairs of an index.
    Index(Arc<MapIndex>, AtomicU32),
    /// So many elements are left, of the array at a token.
    Back(AtomicU32, TokenId),
    /// So many keys are left; all of them, in order.
    BackKeys(AtomicU32, Box<[TokenId]>),
}

/// An iterator over a view.
#[pyclass(frozen, module = "octad")]
pub struct ViewIterator {
    document: Py<Document>,
    what: What,
    place: Place,
    left: AtomicU32,
}

impl ViewIterator {
    /// Over the value at `id`.
    pub fn new(document: &Bound<'_, Document>, core: &Core, id: TokenId, what: What) -> Self {
        let value = core.value(id);
        let walk = || Place::Walk(AtomicU32::new(id + 1), id + value.token().span());
        let narrow = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        let count = || narrow(tape::count(core.tape().tokens(), id));
        let (place, length) = match what {
            What::Elements | What::Pairs => (walk(), count()),
            What::ElementsReversed => (Place::Back(AtomicU32::new(count()), id), count()),
            What::KeysReversed => {
                let keys: Box<[TokenId]> = value.members().map(|(key, _)| key).collect();
                let length = narrow(keys.len());
                (Place::BackKeys(AtomicU32::new(length), keys), length)
            }
            What::Keys | What::Values | What::Items => match value.unique() {
                Some(index) => {
                    let length = narrow(index.pairs().len());
                    (Place::Index(index, AtomicU32::new(0)), length)
                }
                None => (walk(), count()),
            },
        };
        Self {
            document: document.clone().unbind(),
            what,
            place,
            left: AtomicU32::new(length),
        }
    }

    /// Over a view.
    ///
    /// # Errors
    /// `ClosedError`.
    pub fn of(view: &Bound<'_, Element>, what: What) -> PyResult<Self> {
        let py = view.py();
        let view = view.get();
        let core = view.core(py)?;
        Ok(Self::new(view.document.bind(py), &core, view.id, what))
    }

    /// The next value, with its key where it has one; 0 for none.
    #[inline]
    fn step(&self, core: &Core) -> Option<(TokenId, TokenId)> {
        match &self.place {
            Place::Walk(next, end) => {
                let tokens = core.tape().tokens();
                let first = tape::skip_beside(tokens, next.load(Ordering::Relaxed));
                if first >= *end {
                    return None;
                }
                let after = tape::next(tokens, first);
                if self.what == What::Elements {
                    next.store(after, Ordering::Relaxed);
                    return Some((0, first));
                }
                let second = tape::skip_beside(tokens, after);
                next.store(tape::next(tokens, second), Ordering::Relaxed);
                Some((first, second))
            }
            Place::Index(index, next) => {
                let place = next.load(Ordering::Relaxed);
                let pair = index.pairs().get(place as usize).copied()?;
                next.store(place + 1, Ordering::Relaxed);
                Some(pair)
            }
            Place::Back(left, array) => {
                let place = left.load(Ordering::Relaxed).checked_sub(1)?;
                let element = core.value(*array).element(place as usize)?;
                left.store(place, Ordering::Relaxed);
                Some((0, element.id()))
            }
            Place::BackKeys(left, keys) => {
                let place = left.load(Ordering::Relaxed).checked_sub(1)?;
                left.store(place, Ordering::Relaxed);
                keys.get(place as usize).map(|key| (*key, 0))
            }
        }
    }
}

#[pymethods]
impl ViewIterator {
    fn __iter__<'py>(slf: &Bound<'py, Self>) -> Bound<'py, Self> {
        slf.clone()
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let document = self.document.bind(py);
        let core = document.get().core(py)?;
        let Some((key, id)) = self.step(&core) else {
            return Ok(None);
        };
        let left = self.left.load(Ordering::Relaxed);
        self.left.store(left.saturating_sub(1), Ordering::Relaxed);
        Ok(Some(match self.what {
            What::Keys | What::KeysReversed => value::key(py, &core, key)?,
            What::Elements | What::ElementsReversed | What::Values => {
                value::item(document, &core, id)?
            }
            What::Items | What::Pairs => {
                let pair = [
                    value::key(py, &core, key)?,
                    value::item(document, &core, id)?,
                ];
                PyTuple::new(py, pair)?.into_any()
            }
        }))
    }

    fn __length_hint__(&self) -> u32 {
        self.left.load(Ordering::Relaxed)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.document)
    }
}

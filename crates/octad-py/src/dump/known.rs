//! What is remembered of classes: kept by the class's address and version, so that a class that
//! changes or disappears is looked at anew.
//!
//! Settings that have a say in classes (names, what is left out, converters) have a memory of their
//! own. What changes without changing a class (`octad.contract_for`, the import of `octad._contract`)
//! calls [`forget_classes`].

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;

use super::classify::Class;
use super::plans::Plan;
use crate::cpython::{Item, TypeStamp};

/// Sets of a memory, a power of two, and how many classes one set remembers.
const SETS: usize = 32;
const WAYS: usize = 4;
/// How many memories a thread has.
const SCOPES: usize = 8;
/// How many settings have a number.
const NUMBERED: usize = 256;

/// Classes of one set, the last one first.
type Set = [Option<(TypeStamp, Class)>; WAYS];

/// The memory of one scope.
#[derive(Default)]
struct Memory {
    scope: u32,
    sets: Vec<Set>,
}

/// The memories of a thread, the one used last in front.
#[derive(Default)]
struct Known {
    generation: u32,
    memories: Vec<Memory>,
}

thread_local! {
    static KNOWN: RefCell<Known> = const {
        RefCell::new(Known { generation: 0, memories: Vec::new() })
    };
}

/// Counts what makes all memories stale.
static GENERATION: AtomicU32 = AtomicU32::new(0);

/// Drops what is remembered of classes: what octad knows of them has changed.
#[pyfunction]
pub fn forget_classes() {
    GENERATION.fetch_add(1, Ordering::Relaxed);
}

/// A number that changes when all that is remembered becomes stale.
#[inline(always)]
pub fn generation() -> u32 {
    GENERATION.load(Ordering::Relaxed)
}

/// Which settings have a say in classes.
#[derive(Default)]
pub struct Scope {
    /// The same for equal settings; 0 for those that have no say.
    pub id: u32,
    /// Those settings.
    pub settings: Option<Py<PyAny>>,
    /// Whether they have converters.
    pub converts: bool,
}

impl Scope {
    /// The scope of settings that have a say.
    pub fn of(settings: &Bound<'_, PyAny>, converts: bool) -> PyResult<Self> {
        static NUMBERS: PyOnceLock<Py<PyDict>> = PyOnceLock::new();
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let py = settings.py();
        let numbers = NUMBERS
            .get_or_init(py, || PyDict::new(py).unbind())
            .bind(py);
        let id = match numbers.get_item(settings)? {
            Some(id) => id.extract()?,
            None => {
                if numbers.len() >= NUMBERED {
                    numbers.clear();
                }
                // Numbers are not used twice; after four billion settings memories would be mixed.
                let id = NEXT.fetch_add(1, Ordering::Relaxed);
                numbers.set_item(settings, id)?;
                id
            }
        };
        Ok(Self {
            id,
            settings: Some(settings.clone().unbind()),
            converts,
        })
    }
}

impl Known {
    /// Puts the memory of a scope in front of the others. What is dropped is returned: dropping may
    /// run Python code, so it goes when nothing is borrowed any more.
    #[inline]
    fn turn_to(&mut self, scope: u32) -> Vec<Memory> {
        let first = self.memories.first();
        if self.generation == generation() && first.is_some_and(|memory| memory.scope == scope) {
            return Vec::new();
        }
        self.turn(scope)
    }

    #[cold]
    #[inline(never)]
    fn turn(&mut self, scope: u32) -> Vec<Memory> {
        let mut dropped = Vec::new();
        let generation = generation();
        if self.generation != generation {
            self.generation = generation;
            dropped = std::mem::take(&mut self.memories);
        }
        let mut memories = self.memories.iter();
        let at = memories
            .position(|memory| memory.scope == scope)
            .unwrap_or_else(|| {
                dropped.extend(self.memories.drain(self.memories.len().min(SCOPES - 1)..));
                self.memories.push(Memory {
                    scope,
                    sets: (0..SETS).map(|_| Set::default()).collect(),
                });
                self.memories.len() - 1
            });
        self.memories[..=at].rotate_right(1);
        dropped
    }
}

/// Does something with the memory of a scope.
#[inline]
fn with<T>(scope: u32, act: impl FnOnce(&mut Memory) -> T) -> T {
    let (done, _dropped) = KNOWN.with_borrow_mut(|known| {
        let dropped = known.turn_to(scope);
        (act(&mut known.memories[0]), dropped)
    });
    done
}

impl Memory {
    #[inline]
    fn find(&self, stamp: TypeStamp) -> Option<&Class> {
        let set = &self.sets[stamp.slot(SETS)];
        set.iter()
            .flatten()
            .find(|(kept, _)| *kept == stamp)
            .map(|(_, class)| class)
    }
}

/// What is remembered of a class.
#[inline]
pub fn remembered(stamp: TypeStamp, scope: u32) -> Option<Class> {
    with(scope, |memory| memory.find(stamp).cloned())
}

/// Remembers a class, as it was found when [`generation`] was this number.
pub fn remember(stamp: TypeStamp, scope: u32, at: u32, class: &Class) {
    if at != generation() {
        return;
    }
    let _dropped = with(scope, |memory| {
        let set = &mut memory.sets[stamp.slot(SETS)];
        set.rotate_right(1);
        set[0].replace((stamp, class.clone()))
    });
}

/// Drops all answers "unsupported".
pub fn forget_unsupported() {
    let _dropped: Vec<_> = KNOWN.with_borrow_mut(|known| {
        let memories = known.memories.iter_mut();
        memories
            .flat_map(|memory| memory.sets.iter_mut().flatten())
            .filter(|slot| matches!(slot, Some((_, Class::Unsupported(_)))))
            .map(Option::take)
            .collect()
    });
}

/// What can be written without Python code, by what is remembered of its class.
#[derive(Clone)]
pub enum Quick {
    List,
    Dict,
    Tuple,
    Record(Rc<Plan>),
    Moment,
    Day,
}

/// What is remembered of an object that is not of an exact built-in type; `None` if it is to be
/// looked at, or is nothing of this kind. Runs no Python code.
#[inline]
pub fn quick(item: Item<'_>, scope: u32) -> Option<Quick> {
    let stamp = item.type_stamp()?;
    with(scope, |memory| match memory.find(stamp)? {
        Class::Record(plan) if plan.is_quick() => Some(Quick::Record(plan.clone())),
        Class::Tuple => Some(Quick::Tuple),
        Class::List => Some(Quick::List),
        Class::Dict => Some(Quick::Dict),
        Class::DateTime => Some(Quick::Moment),
        Class::Date => Some(Quick::Day),
        _ => None,
    })
}

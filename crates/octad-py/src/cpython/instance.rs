//! Making instances of classes without their `__init__`, their fields stored where CPython keeps
//! them.
//!
//! A [`Maker`] knows for its class where that is: in slots, in the array of values that all
//! instances of a class have, or in a dict. It finds out from an instance that was made by the public
//! calls, and holds it true as long as the class has not changed (its version). Where the layout is
//! not known (`stored.rs`), and with `OCTAD_PUBLIC_API=1`, each instance is made by the public calls.

use core::ptr;
use std::rc::Rc;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString, PyTuple, PyType};
use pyo3::{PyTraverseError, PyVisit};

use super::Obj;
use super::attached::Attached;
use super::fields::{Found, is_data, look_up};
use super::new_instance::{NewInstance, Places};
use super::shared_keys::shared_keys;
use super::split_table::{NewRecord, Table};
use super::stored::{MANAGED, Stored, stored_fields};
use super::types::TypeStamp;

/// Makes instances of one class with the same attributes each time.
pub struct Maker {
    class: Py<PyType>,
    names: Box<[Py<PyString>]>,
    /// Instances are allocated here, without asking the class.
    allocated: bool,
    /// They have no dict.
    slots_only: bool,
    /// What `object` makes them from.
    nothing: Py<PyTuple>,
    ways: Attached<Ways>,
}

/// What has been found out about a class.
#[derive(Default)]
struct Ways {
    stamp: TypeStamp,
    fit: Fit,
    /// Objects that stand in the class under the name of an attribute, and whose own class may
    /// become one of descriptors at any time. The class owns them as long as the stamp is true.
    watched: Box<[Watched]>,
}

struct Watched(*mut ffi::PyObject);

// SAFETY: looked at only while attached.
unsafe impl Send for Watched {}
// SAFETY: tables and places are used and dropped only while attached; a plan belongs to the
// interpreter.
unsafe impl Send for Fit {}

/// Where the attributes of an instance are.
#[derive(Default)]
enum Fit {
    /// Not known: the public calls see to it.
    #[default]
    Unknown,
    /// At places that all instances have.
    Places(Rc<Places>),
    /// In a dict of its own.
    Dict(Rc<Table>),
    /// Nowhere that is known.
    Elsewhere,
}

impl core::fmt::Debug for Maker {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Maker({} attributes)", self.names.len())
    }
}

impl Maker {
    /// A maker of instances of a class with attributes of these names, which are interned.
    pub fn new(class: &Bound<'_, PyType>, names: Vec<Py<PyString>>) -> Self {
        let once = |(at, name): (usize, &Py<PyString>)| !names[..at].iter().any(|it| it.is(name));
        Self {
            // Equal names are for the public calls, which replace the first value by the second.
            allocated: names.iter().enumerate().all(once) && is_made_by_object(class),
            slots_only: has_slots_only(class),
            nothing: PyTuple::empty(class.py()).unbind(),
            class: class.clone().unbind(),
            names: names.into(),
            ways: Attached::new(Ways::default()),
        }
    }

    /// Shows the collector what it holds.
    pub fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.class)
    }

    /// How instances get their attributes, in a word.
    pub fn way(&self, py: Python<'_>) -> &'static str {
        // SAFETY: looking runs no Python code.
        unsafe {
            self.ways.with(py, |ways| match &ways.fit {
                Fit::Unknown => "unknown",
                Fit::Places(places) => places.home(),
                Fit::Dict(_) => "dict",
                Fit::Elsewhere => "calls",
            })
        }
    }

    /// An instance that waits for its attributes. None: they are stored in another way, or a
    /// finalizer might see what is not whole.
    #[inline(always)]
    pub fn open(&self, py: Python<'_>) -> Option<NewInstance> {
        let places = self.places(py)?;
        if places.finalized {
            return None;
        }
        match NewInstance::new(py, &self.class, places) {
            Some(made) => Some(made),
            None => {
                // Whoever makes it by the public calls will find the same.
                drop(PyErr::take(py));
                None
            }
        }
    }

    /// Where all instances have their attributes, if that is still known.
    #[inline(always)]
    fn places(&self, py: Python<'_>) -> Option<Rc<Places>> {
        let class = self.class.as_ptr().cast();
        // SAFETY: looking runs no Python code; a live class.
        unsafe {
            self.ways.with(py, |ways| match &ways.fit {
                Fit::Places(places) if ways.hold(class) => Some(Rc::clone(places)),
                _ => None,
            })
        }
    }

    /// An instance with these attributes; one that is None is not set.
    ///
    /// # Errors
    /// `TypeError` for a class whose instances are not made by `object`; no memory; what a descriptor
    /// raises.
    #[inline]
    pub fn make(&self, py: Python<'_>, values: &mut [Option<Obj>]) -> PyResult<Obj> {
        if let Some(places) = self.places(py) {
            let Some(mut made) = NewInstance::new(py, &self.class, places) else {
                return Err(PyErr::fetch(py));
            };
            for (number, value) in values.iter_mut().enumerate() {
                if let Some(value) = value.take()
                    && let Some(place) = made.place(number)
                {
                    place.put(value);
                }
            }
            return Ok(made.finish());
        }
        self.slowly(py, values)
    }

    #[inline(never)]
    fn slowly(&self, py: Python<'_>, values: &mut [Option<Obj>]) -> PyResult<Obj> {
        if !self.allocated {
            let made = new_instance(self.class.bind(py))?;
            return self.by_name(py, made, values);
        }
        let kind = self.class.as_ptr().cast::<ffi::PyTypeObject>();
        // SAFETY: attached (`py`). A class made by a class statement whose instances `object` makes;
        // it allocates and clears them this way, and gives them the values that the class has.
        let made = unsafe {
            Obj::from_new(match ffi::PyBaseObject_Type.tp_new {
                Some(new) if !self.slots_only => new(kind, self.nothing.as_ptr(), ptr::null_mut()),
                _ => ffi::PyType_GenericAlloc(kind, 0),
            })
        };
        let Some(made) = made else {
            return Err(PyErr::fetch(py));
        };
        if let Some(done) = self.with_dict(py, &made, values) {
            return done.map(|()| made);
        }
        // SAFETY: looking runs no Python code; a live class.
        let known = unsafe { self.ways.with(py, |ways| ways.hold(kind)) };
        let made = self.by_name(py, made, values)?;
        if !known && stored_fields(py) && writes_well(py) {
            self.learn(py);
        }
        Ok(made)
    }

    /// Stores the attributes by the public calls.
    fn by_name(&self, py: Python<'_>, made: Obj, values: &mut [Option<Obj>]) -> PyResult<Obj> {
        for (name, value) in self.names.iter().zip(values) {
            if let Some(value) = value.take() {
                store(py, &made, name.bind(py), &value)?;
            }
        }
        Ok(made)
    }

    /// Puts a dict of the attributes into an instance. None: they are not in one, or some are absent.
    fn with_dict(
        &self,
        py: Python<'_>,
        made: &Obj,
        values: &mut [Option<Obj>],
    ) -> Option<PyResult<()>> {
        // SAFETY: making a dict may start a collection and so run anything, which may come here
        // again; so it is made before anything is looked at, of a table that is held alive.
        let table = unsafe {
            self.ways.with(py, |ways| {
                let Fit::Dict(table) = &ways.fit else {
                    return None;
                };
                ways.hold(ffi::Py_TYPE(made.as_ptr()))
                    .then(|| Rc::clone(table))
            })
        }?;
        if values.iter().any(Option::is_none) {
            return None;
        }
        let Some(mut record) = NewRecord::new(py, &table) else {
            return Some(Err(PyErr::fetch(py)));
        };
        for value in values {
            if let Some(value) = value.take() {
                record.push(value);
            }
        }
        let dict = record.finish();
        // SAFETY: attached (`py`); a live instance whose class gives it a dict, and an exact dict.
        let done =
            unsafe { ffi::PyObject_GenericSetDict(made.as_ptr(), dict.as_ptr(), ptr::null_mut()) };
        Some(if done == 0 {
            Ok(())
        } else {
            Err(PyErr::fetch(py))
        })
    }

    /// Finds out where the attributes of instances are, one of which has been made.
    #[cold]
    fn learn(&self, py: Python<'_>) {
        let class = self.class.bind(py);
        let found = Ways::of(class, &self.names);
        // SAFETY: replacing runs no Python code.
        let old = unsafe { self.ways.with(py, |ways| core::mem::replace(ways, found)) };
        // Dropped here: a table lets go of objects.
        drop(old);
    }
}

impl Ways {
    fn of(class: &Bound<'_, PyType>, names: &[Py<PyString>]) -> Self {
        let py = class.py();
        let kind = class.as_type_ptr();
        let Some(stamp) = TypeStamp::of(class) else {
            return Self::default();
        };
        let (mut slots, mut watched) = (Vec::new(), Vec::new());
        for name in names {
            // SAFETY: a live class and a live exact str: names are interned.
            match unsafe { look_up(kind, name.as_ptr()) } {
                Found::Slot(offset) => slots.push(offset),
                Found::Plain(object) => watched.push(Watched(object)),
                Found::Nothing => {}
                Found::Other => {
                    return Self {
                        stamp,
                        fit: Fit::Elsewhere,
                        watched: Box::default(),
                    };
                }
            }
        }
        let places = if slots.len() == names.len() {
            Places::in_slots(class, &slots)
        } else if slots.is_empty() {
            Places::in_values(class, names)
        } else {
            None
        };
        let fit = match places {
            Some(places) => Fit::Places(Rc::new(places)),
            None if slots.is_empty() => in_dict(py, kind, names).unwrap_or(Fit::Elsewhere),
            None => Fit::Elsewhere,
        };
        Self {
            stamp,
            fit,
            watched: watched.into(),
        }
    }

    /// Whether what is known is still true of the class.
    ///
    /// # Safety
    /// A live class.
    #[inline(always)]
    unsafe fn hold(&self, class: *mut ffi::PyTypeObject) -> bool {
        // SAFETY: a live class; if the stamp is true, it still owns these objects.
        unsafe {
            TypeStamp::of_live(class) == Some(self.stamp)
                && (self.watched.is_empty() || !self.watched.iter().any(|it| is_data(it.0)))
        }
    }
}

/// A table of names for dicts of their own: more names than instances of a class share.
fn in_dict(py: Python<'_>, kind: *mut ffi::PyTypeObject, names: &[Py<PyString>]) -> Option<Fit> {
    // SAFETY: a live class.
    let fits = unsafe { Stored::fits(kind) };
    if !fits || !shared_keys(py) {
        return None;
    }
    let names: Vec<Obj> = names
        .iter()
        .map(|name| Obj::from_bound(name.bind(py)))
        .collect();
    Table::with_own_keys(py, &names).map(|table| Fit::Dict(Rc::new(table)))
}

/// Whether instances of a class are what `object.__new__` allocates, and nothing else has a say.
fn is_made_by_object(class: &Bound<'_, PyType>) -> bool {
    let kind = class.as_type_ptr();
    // SAFETY: a live class, and the one that all others derive from.
    unsafe {
        let by_object = match ((*kind).tp_new, ffi::PyBaseObject_Type.tp_new) {
            (Some(own), Some(first)) => ptr::fn_addr_eq(own, first),
            _ => false,
        };
        let plain = match (*kind).tp_alloc {
            Some(own) => ptr::fn_addr_eq(own, ffi::PyType_GenericAlloc as ffi::allocfunc),
            None => false,
        };
        (*kind).tp_flags & ffi::Py_TPFLAGS_IS_ABSTRACT == 0
            && (*kind).tp_flags & ffi::Py_TPFLAGS_HEAPTYPE != 0
            && (*kind).tp_itemsize == 0
            && by_object
            && plain
    }
}

/// Whether instances of a class have no dict of any kind.
fn has_slots_only(class: &Bound<'_, PyType>) -> bool {
    let kind = class.as_type_ptr();
    // SAFETY: a live class.
    unsafe { (*kind).tp_dictoffset == 0 && (*kind).tp_flags & MANAGED == 0 }
}

/// A new instance of a class without attributes: what `object.__new__(class)` gives.
///
/// # Errors
/// `TypeError` for classes whose instances are not made this way, or that are abstract.
fn new_instance(class: &Bound<'_, PyType>) -> PyResult<Obj> {
    let base = class.py().get_type::<PyAny>();
    base.call_method1("__new__", (class,)).map(Obj::take)
}

/// Sets an attribute as `object.__setattr__` does: no code of the class runs unless it has a
/// descriptor of that name.
///
/// # Errors
/// `AttributeError`; what a descriptor raises; no memory.
pub fn store(
    py: Python<'_>,
    object: &Obj,
    name: &Bound<'_, PyString>,
    value: &Obj,
) -> PyResult<()> {
    // SAFETY: attached (`py`); three live objects.
    let done =
        unsafe { ffi::PyObject_GenericSetAttr(object.as_ptr(), name.as_ptr(), value.as_ptr()) };
    if done == 0 {
        return Ok(());
    }
    Err(PyErr::fetch(py))
}

/// Whether instances made here are to CPython what they should be.
fn writes_well(py: Python<'_>) -> bool {
    static ANSWER: PyOnceLock<bool> = PyOnceLock::new();
    static ASKING: Attached<bool> = Attached::new(false);
    // From 3.12 on instances are laid out otherwise: fields are stored by the public API there.
    if py.version_info() >= (3, 12) {
        return false;
    }
    if let Some(answer) = ANSWER.get(py) {
        return *answer;
    }
    // SAFETY: a flag is read and set. The question is put by makers of its own, which come here.
    let asking = unsafe { ASKING.with(py, |asking| core::mem::replace(asking, true)) };
    if asking {
        return true;
    }
    let answer = matches!(agrees(py), Ok(true));
    // SAFETY: as above.
    unsafe { ASKING.with(py, |asking| *asking = false) };
    *ANSWER.get_or_init(py, || answer)
}

fn agrees(py: Python<'_>) -> PyResult<bool> {
    let many: Vec<String> = (0..40).map(|number| format!("name{number}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    for (names, slots) in [
        (["b", "a", "c"].as_slice(), true),
        (["b", "a", "c"].as_slice(), false),
        (many.as_slice(), true),
        (many.as_slice(), false),
    ] {
        if !behaves(py, names, slots)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether the instances of a probe have the attributes that they were made with, in their order,
/// and take others.
fn behaves(py: Python<'_>, names: &[&str], slots: bool) -> PyResult<bool> {
    let space = PyDict::new(py);
    if slots {
        space.set_item("__slots__", names.to_vec())?;
    }
    let class = py.get_type::<PyType>().call1(("Probe", (), space))?;
    let class = class.cast_into::<PyType>()?;
    let names: Vec<_> = names
        .iter()
        .map(|name| PyString::intern(py, name).unbind())
        .collect();
    let maker = Maker::new(&class, names);
    let gc = py.import("gc")?;
    for round in 0..4 {
        let numbers = 0..maker.names.len();
        let values: Vec<_> = numbers
            .map(|number| Ok((round * 1000 + number).into_pyobject(py)?.into_any()))
            .collect::<PyResult<_>>()?;
        let mut given: Vec<_> = values
            .iter()
            .map(|value| Some(Obj::from_bound(value)))
            .collect();
        let made = maker.make(py, &mut given)?.into_bound(py);
        for (name, value) in maker.names.iter().zip(&values) {
            if !made.getattr(name)?.is(value) {
                return Ok(false);
            }
        }
        if !gc.call_method1("is_tracked", (&made,))?.is_truthy()? {
            return Ok(false);
        }
        if slots {
            continue;
        }
        if round == 1 {
            made.delattr(&maker.names[0])?;
            made.setattr("more", 1)?;
            made.setattr(&maker.names[0], 2)?;
        }
        let told = made.getattr("__dict__")?.cast_into::<PyDict>()?;
        let mut wanted: Vec<String> = maker.names.iter().map(|name| name.to_string()).collect();
        if round == 1 {
            let first = wanted.remove(0);
            wanted.extend(["more".to_owned(), first]);
        }
        if told.keys().extract::<Vec<String>>()? != wanted {
            return Ok(false);
        }
    }
    Ok(true)
}

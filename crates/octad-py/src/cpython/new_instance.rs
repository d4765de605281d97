//! Instances being filled: attributes go straight to their places.
//!
//! Such an instance is not known to the collector before it is whole, so nobody comes upon it. It
//! rests on the layout that `stored.rs` and `split_table.rs` describe; `instance.rs` decides whether
//! this file is used at all.

use core::ptr;
use std::rc::Rc;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};

use super::Obj;
use super::split_table::Head;
#[cfg(not(Py_3_13))]
use super::split_table::Values;
#[cfg(Py_3_13)]
use super::stored::INLINE;
use super::stored::{Home, Stored};

/// Where the instances of a class have certain attributes.
pub struct Places {
    /// From where attributes are counted, in bytes: the start of the instance, or its first value.
    offsets: Box<[u32]>,
    /// Bytes of an instance behind its head.
    rest: usize,
    /// The table of keys of the class, where attributes are values.
    keys: Option<*mut Head>,
    /// The numbers of the attributes in their order, as the block of values tells it.
    order: Box<[u8]>,
    /// The class wants to see instances before they go.
    pub finalized: bool,
}

impl Places {
    /// In slots, so many bytes from the start of an instance.
    pub fn in_slots(class: &Bound<'_, PyType>, slots: &[ffi::Py_ssize_t]) -> Option<Self> {
        // SAFETY: a live class.
        if unsafe { Stored::fits(class.as_type_ptr()) } {
            // An instance has a dict besides.
            return None;
        }
        let rest = rest_of(class)?;
        let offsets = slots.iter().map(|offset| u32::try_from(*offset).ok());
        Some(Self {
            offsets: offsets.collect::<Option<_>>()?,
            rest,
            keys: None,
            order: Box::default(),
            finalized: is_finalized(class),
        })
    }

    /// Among the values that all instances of a class have.
    pub fn in_values(class: &Bound<'_, PyType>, names: &[Py<PyString>]) -> Option<Self> {
        let kind = class.as_type_ptr();
        // SAFETY: a live class; if it fits, it has a table of keys, as long as it lives.
        let (keys, stored) = unsafe {
            if !Stored::fits(kind) {
                return None;
            }
            let keys = Home::table_of(kind);
            (keys, Stored::names_of(keys))
        };
        #[cfg(Py_3_13)]
        // SAFETY: a live class.
        if unsafe { (*kind).tp_flags } & INLINE == 0 {
            return None;
        }
        let mut numbers = Vec::with_capacity(names.len());
        for name in names {
            let number = core::cell::Cell::new(numbers.len());
            // SAFETY: nothing changes the table meanwhile.
            if !unsafe { stored.is_named(name.as_ptr(), &number) } {
                return None;
            }
            numbers.push(u8::try_from(number.get()).ok()?);
        }
        let word = size_of::<usize>() as u32;
        let offsets = numbers.iter().map(|number| u32::from(*number) * word);
        let mut order = numbers.clone();
        if cfg!(not(Py_3_13)) {
            order.reverse();
        }
        Some(Self {
            offsets: offsets.collect(),
            rest: rest_of(class)?,
            keys: Some(keys),
            order: order.into(),
            finalized: is_finalized(class),
        })
    }

    /// What the places are, in a word.
    pub fn home(&self) -> &'static str {
        match self.keys {
            None => "slots",
            Some(_) => "values",
        }
    }
}

/// Bytes of an instance behind its head. None: the collector does not know the class.
fn rest_of(class: &Bound<'_, PyType>) -> Option<usize> {
    let kind = class.as_type_ptr();
    // SAFETY: a live class.
    let (flags, size) = unsafe { ((*kind).tp_flags, (*kind).tp_basicsize) };
    if flags & ffi::Py_TPFLAGS_HAVE_GC == 0 {
        return None;
    }
    usize::try_from(size)
        .ok()?
        .checked_sub(size_of::<ffi::PyObject>())
}

/// Whether code of the class runs when an instance goes.
fn is_finalized(class: &Bound<'_, PyType>) -> bool {
    let kind = class.as_type_ptr();
    // SAFETY: a live class.
    unsafe { (*kind).tp_finalize.is_some() || (*kind).tp_del.is_some() }
}

unsafe extern "C" {
    fn _PyObject_GC_New(class: *mut ffi::PyTypeObject) -> *mut ffi::PyObject;
}

/// An instance that waits for its attributes. Dropped half filled it frees what it holds.
pub struct NewInstance {
    object: Obj,
    base: *mut u8,
    places: Rc<Places>,
    filled: usize,
}

impl NewInstance {
    /// A new instance of a class that has these places. None: no memory, an exception is set.
    #[inline(always)]
    pub(super) fn new(_py: Python<'_>, class: &Py<PyType>, places: Rc<Places>) -> Option<Self> {
        let kind = class.as_ptr().cast::<ffi::PyTypeObject>();
        // SAFETY: attached (`_py`). A class made by a class statement, whose instances `object`
        // makes and the collector knows: memory for one, with its head written.
        let object = unsafe { Obj::from_new(_PyObject_GC_New(kind)) }?;
        // SAFETY: nobody else knows the object; `rest` bytes follow its head (and the values behind
        // them, where they stand there, were written with the head).
        unsafe {
            let start = object.as_ptr().cast::<u8>();
            let behind = start.add(size_of::<ffi::PyObject>()).cast::<usize>();
            for word in 0..places.rest / size_of::<usize>() {
                behind.add(word).write(0);
            }
            let base = match places.keys {
                None => start,
                Some(keys) => values(&object, keys)?,
            };
            Some(Self {
                object,
                base,
                places,
                filled: 0,
            })
        }
    }

    /// How many attributes it has.
    #[inline(always)]
    pub fn filled(&self) -> usize {
        self.filled
    }

    /// Whether an attribute is still missing; one that it does not know is not.
    #[inline(always)]
    fn lacks(&self, number: usize) -> bool {
        match self.places.offsets.get(number) {
            // SAFETY: a place within the instance, or within its values; NULL or an object.
            Some(offset) => unsafe {
                (*self.base.add(*offset as usize).cast::<*mut ffi::PyObject>()).is_null()
            },
            None => false,
        }
    }

    /// The place of an attribute that it does not have yet.
    #[inline(always)]
    pub fn place(&mut self, number: usize) -> Option<Place<'_>> {
        let offset = self.places.offsets.get(number)?;
        // SAFETY: as in `lacks`.
        unsafe {
            let place = self.base.add(*offset as usize).cast::<*mut ffi::PyObject>();
            (*place).is_null().then_some(Place {
                place,
                filled: &mut self.filled,
            })
        }
    }

    /// Takes an attribute away again.
    #[cold]
    pub fn clear(&mut self, number: usize) {
        if self.lacks(number) {
            return;
        }
        let Some(offset) = self.places.offsets.get(number) else {
            return;
        };
        // SAFETY: as in `lacks`; the place holds an object, whose reference is taken over.
        let old = unsafe {
            let place = self.base.add(*offset as usize).cast::<*mut ffi::PyObject>();
            Obj::from_new(ptr::replace(place, ptr::null_mut()))
        };
        self.filled -= 1;
        drop(old);
    }

    /// The instance.
    #[inline(always)]
    pub fn finish(self) -> Obj {
        if self.places.keys.is_some() {
            self.tell_order();
        }
        // SAFETY: a live object of a class that the collector knows, not tracked yet.
        unsafe { ffi::PyObject_GC_Track(self.object.as_ptr().cast()) };
        self.object
    }

    /// Writes down the order of the values, which is that of the attributes.
    #[inline(always)]
    fn tell_order(&self) {
        let order = &self.places.order;
        // SAFETY: the first value of a block with room for all names of the class, none of which
        // has a place in its order yet; see `split_table::Values` for the layout.
        unsafe {
            let first = self.base;
            let (used, room) = if cfg!(Py_3_13) {
                (
                    first.sub(7),
                    first.add(usize::from(*first.sub(8)) * size_of::<usize>()),
                )
            } else {
                (first.sub(2), first.sub(2))
            };
            if self.filled == order.len() {
                let to = if cfg!(Py_3_13) {
                    room
                } else {
                    room.sub(order.len())
                };
                ptr::copy_nonoverlapping(order.as_ptr(), to, order.len());
                *used = order.len() as u8;
                return;
            }
            let mut count = 0;
            for (number, offset) in self.places.offsets.iter().enumerate() {
                if self.lacks(number) {
                    continue;
                }
                let value = (*offset as usize / size_of::<usize>()) as u8;
                if cfg!(Py_3_13) {
                    *room.add(count) = value;
                } else {
                    *room.sub(1 + count) = value;
                }
                count += 1;
            }
            *used = count as u8;
        }
    }
}

/// The empty place of an attribute in an instance, which nothing else can be done with meanwhile.
pub struct Place<'n> {
    place: *mut *mut ffi::PyObject,
    filled: &'n mut usize,
}

impl Place<'_> {
    /// Puts the attribute there.
    #[inline(always)]
    pub fn put(self, value: Obj) {
        // SAFETY: the instance is borrowed, so it lives and the place still holds NULL, which takes
        // over the reference.
        unsafe { ptr::write(self.place, value.into_ptr()) };
        *self.filled += 1;
    }
}

/// The first value of a new instance. None: no memory, an exception is set.
///
/// # Safety
/// An instance that nobody else knows, of a class with this table of keys; the thread is attached.
#[cfg(not(Py_3_13))]
#[inline(always)]
unsafe fn values(object: &Obj, keys: *mut Head) -> Option<*mut u8> {
    // SAFETY: the table lives as long as the class. Each instance has room for all names that the
    // table has or will have; as in CPython, each new instance takes one from those to come.
    unsafe {
        if (*keys).usable > 1 {
            (*keys).usable -= 1;
        }
        let capacity = ((*keys).usable + (*keys).entries) as usize;
        let parts = Values::of(capacity);
        // CPython frees the values of an instance by `PyMem_Free`.
        let block = ffi::PyMem_Malloc(parts.size).cast::<u8>();
        if block.is_null() {
            ffi::PyErr_NoMemory();
            return None;
        }
        let first = block.add(parts.first);
        *first.sub(1) = parts.origin as u8;
        *first.sub(2) = 0;
        for number in 0..capacity {
            first.cast::<usize>().add(number).write(0);
        }
        let words = object.as_ptr().cast::<*mut u8>();
        if cfg!(Py_3_12) {
            // The lowest bit tells values from a dict.
            words.sub(3).write(first.add(1).with_addr(first.addr() | 1));
        } else {
            words.sub(4).write(first);
        }
        Some(first)
    }
}

/// The same where values stand behind the head, written with it.
///
/// # Safety
/// As above.
#[cfg(Py_3_13)]
#[inline(always)]
unsafe fn values(object: &Obj, _keys: *mut Head) -> Option<*mut u8> {
    // SAFETY: as for this function.
    match unsafe { Home::of(object.as_ptr()) } {
        Home::Apart(_, first) => Some(first.cast_mut().cast()),
        _ => None,
    }
}

//! The fields of a record (an instance of a dataclass or attrs class), read without Python code.
//!
//! `getattr` finds a field in a slot or in the instance's dict, unless the class has a say in it: by
//! its own `__getattribute__` or `__getattr__`, a property, a descriptor. A [`Fields`] knows for
//! each field where `getattr` would look first; a field that is not found there is for `getattr`
//! itself, whatever it then says. `stored.rs` knows where an instance has its dict.

use core::cell::Cell;
use core::ffi::c_int;
use core::mem::ManuallyDrop;
use core::ptr;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};

use super::borrow::{Item, Quiet, prefetch};
use super::entries::Str;
use super::split_table::Head;
use super::stored::{Home, Stored, stored_fields};
use super::types::TypeStamp;

/// From so many fields on, memory is asked for ahead of its use. Below, the processor does that.
const WIDE: usize = 4;

/// The declared fields of a class, in order.
pub struct Fields {
    names: Box<[Py<PyString>]>,
    /// What each is called in a text: exact strs.
    keys: Box<[Py<PyString>]>,
    /// None: each is for `getattr`.
    reader: Option<Reader>,
}

/// Where the fields of one class are, as long as the class does not change.
struct Reader {
    stamp: TypeStamp,
    ways: Box<[Way]>,
    fit: Fit,
    /// The distances of `ways` hold for instances whose values are for this table of keys.
    table: Cell<*const Head>,
    /// How many keys it had when not all fields were found in it.
    short: Cell<usize>,
    /// Objects that stand in the class under the name of such a field, and whose own class may
    /// become one of descriptors at any time. The class owns them as long as the stamp is true.
    watched: Box<[*mut ffi::PyObject]>,
}

/// The way to one field.
struct Way {
    /// Name and key, owned by [`Fields`].
    name: *mut ffi::PyObject,
    key: *mut ffi::PyObject,
    /// From where all fields are counted, in bytes: the start of the instance, or its first value.
    distance: Cell<isize>,
    place: Place,
}

/// What the fields of a class have in common.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fit {
    /// All are slots.
    Slots,
    /// All are in the instance's dict.
    Stored,
    /// Some in its dict and some elsewhere.
    Mixed,
    /// None in its dict, and some for `getattr`.
    Loose,
}

enum Place {
    /// So many bytes from the start of the instance.
    Slot(ffi::Py_ssize_t),
    /// In its dict; with the number of the entry where the name was last seen.
    Stored(Cell<usize>),
    /// Only `getattr` knows.
    Asked,
}

/// Where the instances of a class have what its dict says about one name.
pub(super) enum Found {
    /// A slot, so many bytes from their start.
    Slot(ffi::Py_ssize_t),
    /// Nothing: it says nothing.
    Nothing,
    /// An object that is no descriptor that goes before the instance's dict.
    Plain(*mut ffi::PyObject),
    /// Something that has a say in it.
    Other,
}

impl Fields {
    /// The fields of a class by these names, which are the keys too.
    pub fn new(class: &Bound<'_, PyType>, names: Vec<Py<PyString>>) -> Self {
        let keys = names.iter().map(|name| name.clone_ref(class.py()));
        let keys = keys.collect();
        Self::renamed(class, names, keys)
    }

    /// The fields of a class by these names, and the key of each.
    pub fn renamed(
        class: &Bound<'_, PyType>,
        names: Vec<Py<PyString>>,
        keys: Vec<Py<PyString>>,
    ) -> Self {
        let py = class.py();
        let all = |names: Vec<Py<PyString>>| -> Box<[Py<PyString>]> {
            names.into_iter().map(|name| interned(py, name)).collect()
        };
        let (names, keys) = (all(names), all(keys));
        let reader = Reader::new(class, &names, &keys);
        Self {
            names,
            keys,
            reader,
        }
    }

    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// The names of the attributes.
    pub fn names(&self) -> &[Py<PyString>] {
        &self.names
    }

    /// The keys, one for each name.
    pub fn keys(&self) -> &[Py<PyString>] {
        &self.keys
    }

    /// The keys of fields that may be read without `getattr`; else none.
    pub fn exact_keys(&self) -> impl Iterator<Item = Str<'_>> {
        self.reader
            .iter()
            .flat_map(|reader| reader.ways.iter().map(Way::key))
    }

    /// Whether there is a way around `getattr`.
    #[inline]
    pub fn are_direct(&self) -> bool {
        self.reader.is_some()
    }

    /// Whether the object may be an instance of this class.
    #[inline(always)]
    pub fn may_be_of(&self, item: Item<'_>) -> bool {
        let reader = self.reader.as_ref();
        reader.is_some_and(|reader| item.is_of(reader.stamp.address()))
    }

    /// Whether it pays to ask for the memory of an instance ahead of its use.
    #[inline(always)]
    pub fn are_wide(&self) -> bool {
        self.names.len() >= WIDE
    }

    /// Asks for the place of the fields of an instance ahead of its use.
    #[inline(always)]
    pub fn expect(&self, item: Item<'_>) {
        let Some(reader) = &self.reader else {
            return;
        };
        if item.type_stamp() != Some(reader.stamp) {
            return;
        }
        let first: *const u8 = match reader.fit {
            Fit::Slots => item.as_ptr().cast_const().cast(),
            // SAFETY: as in `of`.
            Fit::Stored => match unsafe { Home::of(item.as_ptr()) } {
                Home::Apart(_, first) => first.cast(),
                _ => return,
            },
            _ => return,
        };
        prefetch(first);
        prefetch(first.wrapping_add(64));
    }

    /// A look at the fields of an instance, if it is one of this class and the class is as it was.
    #[inline(always)]
    pub fn of<'q>(&'q self, item: Item<'q>) -> Option<Record<'q>> {
        let reader = self.reader.as_ref()?;
        if item.type_stamp() != Some(reader.stamp) {
            return None;
        }
        // SAFETY: the stamp is true, so the class still owns these objects.
        if !reader.watched.is_empty() && reader.watched.iter().any(|it| unsafe { is_data(*it) }) {
            return None;
        }
        let base: *const u8 = match reader.fit {
            Fit::Slots => item.as_ptr().cast_const().cast(),
            Fit::Stored => {
                // SAFETY: a live instance of a class that keeps the dicts of its instances where
                // `stored.rs` looks for them: asked when the reader was made, and the stamp is true.
                match unsafe { Home::of(item.as_ptr()) } {
                    Home::Apart(keys, first) if ptr::eq(keys, reader.table.get()) => first.cast(),
                    _ => ptr::null(),
                }
            }
            Fit::Mixed | Fit::Loose => ptr::null(),
        };
        let stored = if base.is_null() {
            // SAFETY: as above.
            unsafe { reader.by_name(item.as_ptr()) }
        } else {
            Stored::none()
        };
        Some(Record {
            object: item,
            ways: &reader.ways,
            base,
            stored,
        })
    }

    /// The same for an instance that somebody holds.
    #[inline(always)]
    pub fn view<'q>(&'q self, object: &'q super::Obj, _quiet: &'q Quiet<'_>) -> Option<Record<'q>> {
        self.of(object.item())
    }
}

/// A record within a quiet stretch.
pub struct Record<'q> {
    object: Item<'q>,
    ways: &'q [Way],
    /// From where the fields have their distance, if they have.
    base: *const u8,
    stored: Stored,
}

impl<'q> Record<'q> {
    /// Asks for the values ahead of their use.
    #[inline(always)]
    pub fn expect(&self) {
        if self.base.is_null() || self.ways.len() < WIDE {
            return;
        }
        for way in self.ways {
            // SAFETY: as in `get`.
            prefetch(unsafe { *self.base.offset(way.distance.get()).cast::<*mut u8>() });
        }
    }

    /// Key and value of a field; None where only `getattr` knows.
    #[inline(always)]
    pub fn get(&self, at: usize) -> Option<(Str<'q>, Item<'q>)> {
        let way = self.ways.get(at)?;
        // A slot lies within the instance, and an array of values has room for all keys of its table.
        // SAFETY: either holds NULL or an object, which stays there until Python code runs; that
        // ends `'q`.
        unsafe {
            let value = if self.base.is_null() {
                self.by_name(way)
            } else {
                *self.base.offset(way.distance.get()).cast()
            };
            if value.is_null() {
                return None;
            }
            Some((way.key(), Item::from_ptr(value)))
        }
    }

    #[inline(never)]
    fn by_name(&self, way: &Way) -> *mut ffi::PyObject {
        match &way.place {
            // SAFETY: a slot of a class of this instance lies within it.
            Place::Slot(offset) => unsafe { *self.object.as_ptr().byte_offset(*offset).cast() },
            // SAFETY: nothing has changed the instance since `self` was made.
            Place::Stored(number) => unsafe { self.stored.get(way.name, number) },
            Place::Asked => ptr::null_mut(),
        }
    }
}

impl Reader {
    /// None: the class reads its attributes in a way of its own, or this interpreter is not known.
    fn new(
        class: &Bound<'_, PyType>,
        names: &[Py<PyString>],
        keys: &[Py<PyString>],
    ) -> Option<Self> {
        let py = class.py();
        if !stored_fields(py) {
            return None;
        }
        let kind = class.as_type_ptr();
        // Taken first: a class that changes meanwhile never has this stamp again.
        let stamp = TypeStamp::of(class)?;
        // SAFETY: a live class.
        let plain = unsafe {
            (*kind)
                .tp_getattro
                .is_some_and(|get| ptr::fn_addr_eq(get, ffi::PyObject_GenericGetAttr as Get))
        };
        if !plain {
            return None;
        }
        // SAFETY: a live class.
        let has_dict = unsafe { Stored::fits(kind) };
        let (mut slots, mut stored) = (0, 0);
        let mut watched = Vec::new();
        let mut ways = Vec::with_capacity(names.len());
        for (number, (name, key)) in names.iter().zip(keys).enumerate() {
            let name = name.as_ptr();
            key.bind(py).cast_exact::<PyString>().ok()?;
            // SAFETY: live objects, attached (`py`).
            let exact = unsafe { ffi::PyUnicode_CheckExact(name) } != 0;
            let found = if exact {
                // SAFETY: a live class and a live str.
                unsafe { look_up(kind, name) }
            } else {
                Found::Other
            };
            let mut distance = 0;
            let place = match found {
                Found::Slot(offset) => {
                    slots += 1;
                    distance = offset;
                    Place::Slot(offset)
                }
                Found::Nothing | Found::Plain(_) if has_dict => {
                    if let Found::Plain(object) = found {
                        watched.push(object);
                    }
                    stored += 1;
                    Place::Stored(Cell::new(number))
                }
                _ => Place::Asked,
            };
            ways.push(Way {
                name,
                key: key.as_ptr(),
                distance: Cell::new(distance),
                place,
            });
        }
        let fit = match (slots, stored) {
            (all, 0) if all == names.len() => Fit::Slots,
            (0, all) if all == names.len() => Fit::Stored,
            (_, 0) => Fit::Loose,
            _ => Fit::Mixed,
        };
        Some(Self {
            stamp,
            ways: ways.into(),
            fit,
            table: Cell::new(ptr::null()),
            short: Cell::new(usize::MAX),
            watched: watched.into(),
        })
    }

    /// The attributes of an instance by name; learns their distances for the next one.
    ///
    /// # Safety
    /// A live instance of the class, whose stamp is true.
    #[inline(never)]
    unsafe fn by_name(&self, object: *mut ffi::PyObject) -> Stored {
        if matches!(self.fit, Fit::Slots | Fit::Loose) {
            return Stored::none();
        }
        // SAFETY: some field is stored, so the class fits; its instance is alive.
        unsafe {
            let stored = Stored::of(object);
            if self.fit == Fit::Stored
                && let Home::Apart(keys, _) = Home::of(object)
                && ptr::eq(keys, Home::table_of(ffi::Py_TYPE(object)))
                && stored.len() != self.short.get()
            {
                self.table.set(ptr::null());
                if self.ways.iter().all(|way| way.learn(&stored)) {
                    self.table.set(keys);
                } else {
                    self.short.set(stored.len());
                }
            }
            stored
        }
    }
}

impl Way {
    /// The key, as long as its `Fields` live.
    #[inline(always)]
    fn key(&self) -> Str<'_> {
        // SAFETY: an exact str, looked at when the way was made, and owned by the `Fields` of it.
        unsafe { Str::of_exact(Item::from_ptr(self.key)) }
    }

    /// Whether the name is among these attributes of an instance, whose values stand apart.
    ///
    /// # Safety
    /// As for [`Stored::get`].
    unsafe fn learn(&self, stored: &Stored) -> bool {
        let Place::Stored(number) = &self.place else {
            return false;
        };
        // SAFETY: as for this function.
        let known = unsafe { stored.knows(self.name, number) };
        let word = size_of::<*mut ffi::PyObject>();
        self.distance.set((number.get() * word) as isize);
        known
    }
}

/// The one str that names the attribute in instances: they are found by its address.
fn interned(_py: Python<'_>, name: Py<PyString>) -> Py<PyString> {
    let mut name = ManuallyDrop::new(name.into_any()).as_ptr();
    // SAFETY: attached (`_py`). The reference is given up to the call, which leaves one to a str
    // of the same text in its place; it takes exact strs only.
    unsafe {
        if ffi::PyUnicode_CheckExact(name) != 0 {
            ffi::PyUnicode_InternInPlace(&raw mut name);
        }
        Bound::from_owned_ptr(_py, name)
            .cast_into_unchecked()
            .unbind()
    }
}

type Get = unsafe extern "C" fn(*mut ffi::PyObject, *mut ffi::PyObject) -> *mut ffi::PyObject;

/// Whether `getattr` asks the object before it looks into an instance's dict.
///
/// # Safety
/// A live object, found in a class.
#[inline]
pub(super) unsafe fn is_data(object: *mut ffi::PyObject) -> bool {
    // SAFETY: a live object has a type.
    unsafe { (*ffi::Py_TYPE(object)).tp_descr_set.is_some() }
}

/// What the first class in the order of resolution that knows the name has under it.
///
/// # Safety
/// A live class and a live exact str, on an attached thread.
pub(super) unsafe fn look_up(class: *mut ffi::PyTypeObject, name: *mut ffi::PyObject) -> Found {
    // SAFETY: the order of resolution of a class is a tuple of classes (or NULL on its way to its
    // end), each with a dict. A lookup in it may set an exception, which is dropped; the object
    // found is owned by the class, and `name` is not used after it could have gone.
    unsafe {
        let order = (*class).tp_mro;
        if order.is_null() || ffi::PyTuple_CheckExact(order) == 0 {
            return Found::Other;
        }
        for at in 0..ffi::PyTuple_GET_SIZE(order) {
            let base = ffi::PyTuple_GET_ITEM(order, at);
            if ffi::PyType_Check(base) == 0 {
                return Found::Other;
            }
            let Some(dict) = dict_of(base.cast()) else {
                return Found::Other;
            };
            let object = ffi::PyDict_GetItemWithError(dict.as_ptr(), name);
            if object.is_null() {
                if !ffi::PyErr_Occurred().is_null() {
                    ffi::PyErr_Clear();
                    return Found::Other;
                }
                continue;
            }
            if let Some(offset) = slot(class, object) {
                return Found::Slot(offset);
            }
            if is_data(object) {
                return Found::Other;
            }
            return Found::Plain(object);
        }
        Found::Nothing
    }
}

/// # Safety
/// A live class.
#[cfg(Py_3_12)]
unsafe fn dict_of(class: *mut ffi::PyTypeObject) -> Option<super::Obj> {
    // SAFETY: a new reference or NULL.
    unsafe { super::Obj::from_new(ffi::PyType_GetDict(class)) }
}

/// # Safety
/// A live class.
#[cfg(not(Py_3_12))]
unsafe fn dict_of(class: *mut ffi::PyTypeObject) -> Option<super::Obj> {
    // SAFETY: NULL or the dict of a live class.
    unsafe {
        let dict = (*class).tp_dict;
        (!dict.is_null()).then(|| super::Obj::from_borrowed(dict))
    }
}

/// Where instances of the class have the slot, if the object describes one that holds an object.
///
/// # Safety
/// A live class and an object that it or a base of it has in its dict.
unsafe fn slot(
    class: *mut ffi::PyTypeObject,
    object: *mut ffi::PyObject,
) -> Option<ffi::Py_ssize_t> {
    // SAFETY: an object whose type is exactly that of member descriptors is laid out as one, and
    // describes a place within the instances of its own class.
    unsafe {
        if ffi::Py_TYPE(object) != &raw mut ffi::PyMemberDescr_Type {
            return None;
        }
        let descriptor = object.cast::<ffi::PyMemberDescrObject>();
        let member = &*(*descriptor).d_member;
        let plain = member.type_code == ffi::Py_T_OBJECT_EX as c_int
            && member.flags & !ffi::Py_READONLY == 0
            && member.offset > 0
            && ffi::PyType_IsSubtype(class, (*descriptor).d_common.d_type) != 0;
        plain.then_some(member.offset)
    }
}

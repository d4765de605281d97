//! Where an instance has the attributes that its class has no slots for.
//!
//! CPython keeps them in an array of values beside or within the instance, whose names stand in a
//! table of keys of the class; once somebody asks for `__dict__`, or the table is full, in a dict.
//! Both rest on the layout of exact versions, so [`stored_fields`] compares what is read here with
//! what `getattr` says before it is used; elsewhere, and with `OCTAD_PUBLIC_API=1`, it never is.

use core::cell::Cell;
use core::ptr;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};

use super::shared_keys::stranger;
use super::split_table::{Entry, Head, SPLIT, entry};

/// The kind of a table of str keys with their values.
const UNICODE: u8 = 1;
/// A flag of classes: a word in front of each instance leads to its attributes.
pub(super) const MANAGED: core::ffi::c_ulong = 1 << 4;
/// A flag of classes from 3.13 on: the values stand behind the head of the instance.
#[cfg(Py_3_13)]
pub(super) const INLINE: core::ffi::c_ulong = 1 << 2;
/// A name is not looked for behind so many others.
const FAR: usize = 64;

/// The attributes of an instance by name, for as long as nothing changes them.
pub(super) struct Stored {
    /// Names, and values unless those stand apart.
    entries: *const Entry,
    count: usize,
    /// The first value, and how many words it is to the next.
    values: *const *mut ffi::PyObject,
    step: usize,
}

impl Stored {
    /// No attributes.
    #[inline(always)]
    pub(super) const fn none() -> Self {
        Self {
            entries: ptr::null(),
            count: 0,
            values: ptr::null(),
            step: 0,
        }
    }

    /// Whether instances of the class have their attributes where they are looked for here.
    ///
    /// # Safety
    /// A live class.
    pub(super) unsafe fn fits(class: *mut ffi::PyTypeObject) -> bool {
        // SAFETY: a class made by a class statement is as long as this head.
        unsafe {
            let flags = (*class).tp_flags;
            flags & MANAGED != 0
                && flags & ffi::Py_TPFLAGS_HEAPTYPE != 0
                && !(*class.cast::<ffi::PyHeapTypeObject>())
                    .ht_cached_keys
                    .is_null()
        }
    }

    /// The attributes of an instance. Those that are not where they usually are do not show.
    ///
    /// # Safety
    /// A live instance of a class that [`fits`](Self::fits).
    pub(super) unsafe fn of(object: *mut ffi::PyObject) -> Self {
        // SAFETY: as for this function; what is found is read as what it is.
        unsafe {
            match Home::of(object) {
                Home::Apart(keys, values) => Self::apart(keys, values),
                Home::Dict(dict) => Self::of_dict(dict),
                Home::Nowhere => Self::none(),
            }
        }
    }

    /// # Safety
    /// `keys` is NULL or a shared table, and `values` the first of an array of values for its keys.
    unsafe fn apart(keys: *mut Head, values: *const *mut ffi::PyObject) -> Self {
        // SAFETY: an array has room for all keys that its table has or will have.
        unsafe {
            if keys.is_null() || (*keys).kind != SPLIT {
                return Self::none();
            }
            Self {
                entries: entry(keys, 0),
                count: (*keys).entries as usize,
                values,
                step: 1,
            }
        }
    }

    /// # Safety
    /// A live dict (or of a subclass) that has its values in its table.
    unsafe fn of_dict(dict: *mut ffi::PyDictObject) -> Self {
        // SAFETY: as for this function.
        unsafe {
            let keys = (*dict).ma_keys.cast::<Head>();
            if (*keys).kind != UNICODE {
                return Self::none();
            }
            let entries = entry(keys, 0);
            Self {
                entries,
                count: (*keys).entries as usize,
                values: (&raw const (*entries).value).cast(),
                step: 2,
            }
        }
    }

    /// The value of a name; NULL where it is not found. `number` is where it is expected, and is
    /// corrected.
    ///
    /// # Safety
    /// Nothing has changed the attributes since `self` was made.
    #[inline(always)]
    pub(super) unsafe fn get(
        &self,
        name: *mut ffi::PyObject,
        number: &Cell<usize>,
    ) -> *mut ffi::PyObject {
        let at = number.get();
        // SAFETY: within the entries, and so within the values.
        unsafe {
            if at < self.count && (*self.entries.add(at)).key == name {
                return *self.values.add(at * self.step);
            }
            self.search(name, number)
        }
    }

    /// Whether a name is there, with a value or without; `number` as for [`get`](Self::get).
    ///
    /// # Safety
    /// As for [`get`](Self::get).
    pub(super) unsafe fn knows(&self, name: *mut ffi::PyObject, number: &Cell<usize>) -> bool {
        // SAFETY: as for this function.
        unsafe { self.get(name, number) };
        let at = number.get();
        // SAFETY: within the entries.
        at < self.count && unsafe { (*self.entries.add(at)).key == name }
    }

    /// The names in a table of keys, for [`is_named`](Self::is_named) alone.
    ///
    /// # Safety
    /// NULL or a live table of keys.
    pub(super) unsafe fn names_of(keys: *mut Head) -> Self {
        // SAFETY: no value is looked at.
        unsafe { Self::apart(keys, ptr::null()) }
    }

    /// Whether a name is there; `number` as for [`get`](Self::get).
    ///
    /// # Safety
    /// Nothing has changed the names since `self` was made.
    pub(super) unsafe fn is_named(&self, name: *mut ffi::PyObject, number: &Cell<usize>) -> bool {
        let is = |at: usize| {
            // SAFETY: within the entries.
            at < self.count && unsafe { (*self.entries.add(at)).key == name }
        };
        if is(number.get()) {
            return true;
        }
        match (0..self.count.min(FAR)).find(|at| is(*at)) {
            Some(at) => {
                number.set(at);
                true
            }
            None => false,
        }
    }

    /// How many names there are.
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// # Safety
    /// As for [`get`](Self::get).
    #[inline(never)]
    unsafe fn search(&self, name: *mut ffi::PyObject, number: &Cell<usize>) -> *mut ffi::PyObject {
        for at in 0..self.count.min(FAR) {
            // SAFETY: within the entries, and so within the values.
            unsafe {
                if (*self.entries.add(at)).key == name {
                    number.set(at);
                    return *self.values.add(at * self.step);
                }
            }
        }
        ptr::null_mut()
    }
}

/// What an instance has its attributes in.
pub(super) enum Home {
    /// An array, by its first value, beside the instance or the instance's dict. The names stand in
    /// a table, mostly that of the class, which may be NULL. A name once in such a table keeps its
    /// place there.
    Apart(*mut Head, *const *mut ffi::PyObject),
    Dict(*mut ffi::PyDictObject),
    Nowhere,
}

impl Home {
    /// The table that a class keeps for the attributes of its instances, if it has one; it keeps it
    /// as long as it lives.
    ///
    /// # Safety
    /// A live class that [`fits`](Stored::fits).
    pub(super) unsafe fn table_of(class: *mut ffi::PyTypeObject) -> *mut Head {
        // SAFETY: a class made by a class statement is as long as this head.
        unsafe {
            (*class.cast::<ffi::PyHeapTypeObject>())
                .ht_cached_keys
                .cast()
        }
    }

    /// # Safety
    /// A live instance of a class that [`fits`](Stored::fits).
    #[inline(always)]
    pub(super) unsafe fn of(object: *mut ffi::PyObject) -> Self {
        // SAFETY: the class has the flag, so there are words in front of the instance (and values
        // behind its head, where the class has that flag, too); compared with what `getattr` says
        // before this is called.
        unsafe {
            let words = object.cast::<*mut u8>();
            #[cfg(not(Py_3_12))]
            let (values, dict) = (*words.sub(4), *words.sub(3));
            #[cfg(all(Py_3_12, not(Py_3_13)))]
            let (values, dict) = {
                // The lowest bit tells values from a dict.
                let word = *words.sub(3);
                if word.addr() & 1 == 1 {
                    (word.add(1), ptr::null_mut())
                } else {
                    (ptr::null_mut(), word)
                }
            };
            #[cfg(Py_3_13)]
            let (values, dict) = {
                let inline = words.add(2).cast::<u8>();
                let has = (*ffi::Py_TYPE(object)).tp_flags & INLINE != 0;
                // The fourth byte tells whether the values are still the instance's.
                if has && *inline.add(3) == 1 {
                    (inline, ptr::null_mut())
                } else {
                    (ptr::null_mut(), *words.sub(3))
                }
            };
            if !values.is_null() {
                let class = ffi::Py_TYPE(object).cast::<ffi::PyHeapTypeObject>();
                Self::Apart((*class).ht_cached_keys.cast(), first_of(values))
            } else if dict.is_null() {
                Self::Nowhere
            } else {
                let dict = dict.cast::<ffi::PyDictObject>();
                let values = (*dict).ma_values;
                if values.is_null() {
                    Self::Dict(dict)
                } else {
                    Self::Apart((*dict).ma_keys.cast(), first_of(values.cast()))
                }
            }
        }
    }
}

/// # Safety
/// An array of values.
#[inline(always)]
unsafe fn first_of(values: *mut u8) -> *const *mut ffi::PyObject {
    // SAFETY: from 3.13 on a word stands before the values.
    unsafe { if cfg!(Py_3_13) { values.add(8) } else { values } }.cast()
}

/// Whether attributes may be read here, on this interpreter and in this process.
pub fn stored_fields(py: Python<'_>) -> bool {
    static ANSWER: PyOnceLock<bool> = PyOnceLock::new();
    *ANSWER.get_or_init(py, || {
        stranger(py).is_none() && matches!(agrees(py), Ok(true))
    })
}

/// Whether instances have their attributes where they are looked for here: as they are made, after
/// one has gone and come back, with a dict, with a dict that somebody else made, with too many.
fn agrees(py: Python<'_>) -> PyResult<bool> {
    let class = py
        .get_type::<PyType>()
        .call1(("Probe", (), PyDict::new(py)))?;
    let kind = class.as_ptr().cast::<ffi::PyTypeObject>();
    // SAFETY: a live class, made like one by a class statement.
    if !unsafe { Stored::fits(kind) } {
        return Ok(false);
    }
    // SAFETY: a table of keys is as long as this head, whatever the fields mean.
    let plausible = unsafe {
        let head = &*(*kind.cast::<ffi::PyHeapTypeObject>())
            .ht_cached_keys
            .cast::<Head>();
        head.kind == SPLIT
            && head.entries == 0
            && (1..=30).contains(&head.usable)
            && head.log2_size < 8
            && head.log2_index_bytes == head.log2_size
    };
    if !plausible {
        return Ok(false);
    }
    let names = ["name", "an identifier", "x"];
    let names = names.map(|name| pyo3::types::PyString::intern(py, name));
    let fresh = || -> PyResult<_> {
        let object = class.call0()?;
        for (number, name) in names.iter().enumerate() {
            object.setattr(name, number)?;
        }
        Ok(object)
    };
    let reads_well = |object: &Bound<'_, PyAny>| -> PyResult<bool> {
        // SAFETY: a live instance of a class that fits; nothing runs on it meanwhile.
        let stored = unsafe { Stored::of(object.as_ptr()) };
        for name in &names {
            let told = object.getattr_opt(name)?;
            // SAFETY: as above; `getattr` runs no code on an object of such a class.
            let read = unsafe { stored.get(name.as_ptr(), &Cell::new(1)) };
            if read != told.map_or(ptr::null_mut(), |told| told.as_ptr()) {
                return Ok(false);
            }
        }
        Ok(true)
    };
    let plain = fresh()?;
    let changed = fresh()?;
    changed.delattr(&names[0])?;
    let gone = reads_well(&changed)?;
    changed.setattr(&names[0], "again")?;
    let asked = fresh()?;
    let its = asked.getattr("__dict__")?;
    let split = reads_well(&asked)?;
    its.set_item(&names[1], "by the dict")?;
    let given = class.call0()?;
    given.setattr("__dict__", its.call_method0("copy")?)?;
    let own = PyDict::new(py);
    own.set_item(&names[2], "alone")?;
    let replaced = fresh()?;
    replaced.setattr("__dict__", own)?;
    let full = fresh()?;
    for number in 0..40 {
        full.setattr(format!("more{number}"), number)?;
    }
    let mut all = gone && split;
    for object in [&plain, &changed, &asked, &given, &replaced, &full] {
        all = all && reads_well(object)?;
    }
    Ok(all)
}

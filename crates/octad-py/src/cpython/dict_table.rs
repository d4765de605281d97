//! Stepping through a dict's table of entries directly.
//!
//! `PyDict_Next` answers the same question at five times the cost. Two layouts are read here: the
//! table with hashes and the one for str keys; a dict that shares its keys goes to `PyDict_Next`,
//! and so does every dict on a Python whose tables were not found to look like this when the module
//! was loaded, or whose layout is not known (free-threaded builds, 3.14 and later).

use core::ptr;
use core::sync::atomic::{AtomicBool, Ordering};

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};

/// The head of a table of keys, CPython 3.11 to 3.13 with the interpreter lock.
#[repr(C)]
struct Keys {
    refcnt: ffi::Py_ssize_t,
    log2_size: u8,
    log2_index_bytes: u8,
    kind: u8,
    version: u32,
    usable: ffi::Py_ssize_t,
    entries: ffi::Py_ssize_t,
}

const _: () = assert!(size_of::<Keys>() == 32 || size_of::<usize>() != 8);

/// The kind of a table whose entries hold their hashes.
const GENERAL: u8 = 0;
/// The kind of a table of str keys.
const UNICODE: u8 = 1;

/// The kind of a table that dicts share, each with its values apart.
const SHARED: u8 = 2;

/// Set once the layout has been compared with what `PyDict_Next` says.
static KNOWN: AtomicBool = AtomicBool::new(false);
/// The same for dicts on shared tables.
static SHARED_KNOWN: AtomicBool = AtomicBool::new(false);

/// The way through a dict's entries, as long as no other code runs on its table.
pub(super) struct Table {
    /// The key and the value of the next entry.
    key: *const *mut ffi::PyObject,
    value: *const *mut ffi::PyObject,
    /// From one key to the next and from one value to the next, in words.
    key_step: usize,
    value_step: usize,
    /// How many entries there are, and how many of them are still to come; none where the public
    /// API is asked.
    entries: usize,
    left: usize,
    /// The dict for which the public API is asked, else null.
    dict: *mut ffi::PyObject,
    /// Where the public API is, and where it was before the last entry.
    place: usize,
    before: usize,
}

impl Table {
    /// The entries from a place on, which was got from the same dict.
    ///
    /// # Safety
    /// `dict` is a live dict (or of a subclass).
    #[inline(always)]
    pub(super) unsafe fn of(dict: *mut ffi::PyObject, place: usize) -> Self {
        if KNOWN.load(Ordering::Relaxed) {
            // SAFETY: the head of a live dict; if its values are in its table, that is laid out as
            // `Keys` says, because it was found to be so.
            unsafe {
                let head = &*dict.cast::<ffi::PyDictObject>();
                if head.ma_values.is_null() {
                    return Self::direct(head.ma_keys.cast(), place);
                }
                if SHARED_KNOWN.load(Ordering::Relaxed)
                    && let Some(table) = Self::shared(head, place)
                {
                    return table;
                }
            }
        }
        Self {
            key: ptr::null(),
            value: ptr::null(),
            key_step: 0,
            value_step: 0,
            entries: 0,
            left: 0,
            dict,
            place,
            before: place,
        }
    }

    /// # Safety
    /// `keys` is the table of a live dict, which has its values in it, laid out as [`Keys`] says.
    #[inline(always)]
    unsafe fn direct(keys: *const Keys, place: usize) -> Self {
        // SAFETY: behind the head stand the indices, `1 << log2_index_bytes` bytes of them, and
        // then the entries, which begin with a hash unless all keys are strs. A place beyond the
        // entries is their end.
        unsafe {
            let head = &*keys;
            let (words, skip) = if head.kind == UNICODE { (2, 0) } else { (3, 1) };
            let behind = size_of::<Keys>() + (1 << head.log2_index_bytes);
            let table = keys.cast::<u8>().add(behind).cast::<*mut ffi::PyObject>();
            let entries = head.entries as usize;
            let place = place.min(entries);
            let key = table.add(place * words + skip);
            Self {
                key,
                value: key.add(1),
                key_step: words,
                value_step: words,
                entries,
                left: entries - place,
                dict: ptr::null_mut(),
                place: 0,
                before: 0,
            }
        }
    }

    /// A dict with its values apart; None where they did not come in the order of the keys.
    ///
    /// # Safety
    /// `dict` is the head of a live dict on a table that others share, laid out as [`Keys`] says,
    /// whose values are laid out as [`Values`] says.
    #[inline(always)]
    unsafe fn shared(dict: &ffi::PyDictObject, place: usize) -> Option<Self> {
        // SAFETY: the number of values and their order stand where `Values` has them; so many
        // values are there, and as many keys in the table.
        unsafe {
            let keys = dict.ma_keys.cast::<Keys>();
            let values = Values::of(dict.ma_values.cast());
            let used = values.used();
            if (*keys).kind != SHARED
                || used != dict.ma_used as usize
                || !(0..used).all(|nth| values.order(nth) == nth)
            {
                return None;
            }
            let behind = size_of::<Keys>() + (1 << (*keys).log2_index_bytes);
            let key = keys.cast::<u8>().add(behind).cast::<*mut ffi::PyObject>();
            let place = place.min(used);
            Some(Self {
                key: key.add(2 * place),
                value: values.first().add(place),
                key_step: 2,
                value_step: 1,
                entries: used,
                left: used - place,
                dict: ptr::null_mut(),
                place: 0,
                before: 0,
            })
        }
    }

    /// The next entry.
    ///
    /// # Safety
    /// The dict is alive, and nothing ran on its table since `self` was made.
    #[inline(always)]
    pub(super) unsafe fn next(&mut self) -> Option<(*mut ffi::PyObject, *mut ffi::PyObject)> {
        while self.left > 0 {
            // SAFETY: within the entries of the table; a deleted one has no value.
            unsafe {
                let (key, value) = (*self.key, *self.value);
                self.left -= 1;
                self.key = self.key.add(self.key_step);
                self.value = self.value.add(self.value_step);
                if !value.is_null() {
                    return Some((key, value));
                }
            }
        }
        if self.dict.is_null() {
            return None;
        }
        self.before = self.place;
        // SAFETY: a live dict.
        unsafe { public(self.dict, &mut self.place) }
    }

    /// The place behind the last entry that was given.
    #[inline]
    pub(super) fn place(&self) -> usize {
        if self.dict.is_null() {
            self.entries - self.left
        } else {
            self.place
        }
    }

    /// The place of the last entry that was given.
    #[inline]
    pub(super) fn before(&self) -> usize {
        if self.dict.is_null() {
            (self.entries - self.left).saturating_sub(1)
        } else {
            self.before
        }
    }
}

/// The values of a dict on a shared table.
#[derive(Clone, Copy)]
struct Values(*const u8);

impl Values {
    /// # Safety
    /// What a dict calls its values, for as long as nothing changes it.
    #[inline(always)]
    unsafe fn of(values: *const u8) -> Self {
        Self(values)
    }

    /// How many there are.
    #[inline(always)]
    unsafe fn used(self) -> usize {
        // SAFETY: up to 3.12 two bytes in front of the values, from 3.13 on the second byte.
        usize::from(unsafe {
            if cfg!(Py_3_13) {
                *self.0.add(1)
            } else {
                *self.0.sub(2)
            }
        })
    }

    /// The number of the value that came as the `nth`.
    ///
    /// # Safety
    /// There are so many values.
    #[inline(always)]
    unsafe fn order(self, nth: usize) -> usize {
        // SAFETY: up to 3.12 the order goes down from the number of the values, from 3.13 on it
        // stands behind the room for values, which is told by the first byte.
        usize::from(unsafe {
            if cfg!(Py_3_13) {
                let room = usize::from(*self.0);
                *self
                    .first()
                    .cast::<u8>()
                    .add(room * size_of::<usize>() + nth)
            } else {
                *self.0.sub(3 + nth)
            }
        })
    }

    /// The first value.
    #[inline(always)]
    unsafe fn first(self) -> *const *mut ffi::PyObject {
        // SAFETY: from 3.13 on a word stands before them.
        unsafe {
            if cfg!(Py_3_13) {
                self.0.add(size_of::<usize>()).cast()
            } else {
                self.0.cast()
            }
        }
    }
}

/// # Safety
/// `dict` is a live dict.
#[inline(never)]
unsafe fn public(
    dict: *mut ffi::PyObject,
    place: &mut usize,
) -> Option<(*mut ffi::PyObject, *mut ffi::PyObject)> {
    let (mut key, mut value) = (ptr::null_mut(), ptr::null_mut());
    let mut at = *place as ffi::Py_ssize_t;
    // SAFETY: `PyDict_Next` bears any place.
    let found = unsafe { ffi::PyDict_Next(dict, &raw mut at, &raw mut key, &raw mut value) };
    *place = at as usize;
    (found != 0).then_some((key, value))
}

/// Compares the layout with the public API on dicts of every kind and size of index, and uses it
/// from then on if they agree.
pub fn learn_dict_layout(py: Python<'_>) -> PyResult<()> {
    if !super::shared_keys::IS_KIND_KNOWN {
        return Ok(());
    }
    // Small enough for every import; the width of the index is a field that is read, not guessed.
    for count in [0_usize, 1, 5, 6, 300] {
        let texts = PyDict::new(py);
        let mixed = PyDict::new(py);
        for number in 0..count {
            texts.set_item(number.to_string(), number)?;
            mixed.set_item(number, number)?;
        }
        if count > 4 {
            texts.del_item("3")?;
            mixed.del_item(2)?;
        }
        if !agrees(&texts) || !agrees(&mixed) {
            return Ok(());
        }
    }
    KNOWN.store(true, Ordering::Relaxed);
    if let Ok(true) = shared_agrees(py) {
        SHARED_KNOWN.store(true, Ordering::Relaxed);
    }
    Ok(())
}

/// Whether dicts on shared tables look as they are read here: those of instances, as they are made
/// and after keys have gone and come back.
fn shared_agrees(py: Python<'_>) -> PyResult<bool> {
    let class = py
        .get_type::<PyType>()
        .call1(("Probe", (), PyDict::new(py)))?;
    for count in [1_usize, 7] {
        let instance = class.call0()?;
        for number in 0..count {
            instance.setattr(format!("name{number}"), number)?;
        }
        let own = instance.getattr("__dict__")?.cast_into::<PyDict>()?;
        let copy = own.copy()?;
        for dict in [&own, &copy] {
            if !shared_reads_well(dict) {
                return Ok(false);
            }
            dict.del_item("name0")?;
            dict.set_item("name0", py.None())?;
            if !shared_reads_well(dict) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Whether a dict, if its values stand apart in their order, is read as `PyDict_Next` reads it.
fn shared_reads_well(dict: &Bound<'_, PyDict>) -> bool {
    let object = dict.as_ptr();
    // SAFETY: a live dict; its head is public.
    let head = unsafe { &*object.cast::<ffi::PyDictObject>() };
    if head.ma_values.is_null() {
        return true;
    }
    // SAFETY: the table of a dict with its values apart begins with this head, whatever the fields
    // mean; the number of values is at most what the table has room for.
    let plausible = unsafe {
        let keys = &*head.ma_keys.cast::<Keys>();
        keys.kind == SHARED
            && keys.log2_size < 8
            && keys.log2_index_bytes == keys.log2_size
            && keys.entries + keys.usable <= 1 << keys.log2_size
            && Values::of(head.ma_values.cast()).used() == head.ma_used as usize
            && head.ma_used <= keys.entries
    };
    if !plausible {
        return false;
    }
    // SAFETY: a live dict on a shared table, whose fields are plausible.
    match unsafe { Table::shared(head, 0) } {
        None => true,
        // SAFETY: nothing runs on the table meanwhile.
        Some(table) => unsafe { reads_as_public(table, object) },
    }
}

/// # Safety
/// The table is that of the live dict, and nothing runs on it meanwhile.
unsafe fn reads_as_public(mut table: Table, dict: *mut ffi::PyObject) -> bool {
    let entries = table.entries;
    let mut there = 0;
    loop {
        // SAFETY: as for this function.
        let (seen, told) = unsafe { (table.next(), public(dict, &mut there)) };
        if seen != told || table.place() != there.min(entries) {
            return false;
        }
        if told.is_none() {
            return true;
        }
    }
}

fn agrees(dict: &Bound<'_, PyDict>) -> bool {
    let object = dict.as_ptr();
    // SAFETY: `dict` is a live dict that nobody else knows; the head is public.
    let keys: *const Keys = unsafe {
        let head = &*object.cast::<ffi::PyDictObject>();
        if !head.ma_values.is_null() {
            return false;
        }
        head.ma_keys.cast()
    };
    // SAFETY: a table is at least as long as this head, whatever the fields mean.
    let head = unsafe { &*keys };
    // Every field is plausible before any entry is read by it.
    let slots = 1_u64.checked_shl(head.log2_size.into()).unwrap_or(0);
    let width = 1_u64.checked_shl(head.log2_index_bytes.into()).unwrap_or(0) / slots.max(1);
    let plausible = (head.kind == GENERAL || head.kind == UNICODE)
        && matches!(width, 1 | 2 | 4 | 8)
        && head.entries >= dict.len() as ffi::Py_ssize_t
        && head.entries + head.usable <= slots as ffi::Py_ssize_t;
    if !plausible {
        return false;
    }
    // SAFETY: a live dict, and a table whose head is plausible.
    unsafe { reads_as_public(Table::direct(keys, 0), object) }
}

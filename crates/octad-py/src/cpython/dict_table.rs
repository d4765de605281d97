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
use pyo3::types::PyDict;

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

/// Set once the layout has been compared with what `PyDict_Next` says.
static KNOWN: AtomicBool = AtomicBool::new(false);

/// The way through a dict's entries, as long as no other code runs on its table.
pub(super) struct Table {
    /// The key and the value of the next entry.
    key: *const *mut ffi::PyObject,
    value: *const *mut ffi::PyObject,
    /// From one entry to the next, in words.
    words: usize,
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
            }
        }
        Self {
            key: ptr::null(),
            value: ptr::null(),
            words: 0,
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
                words,
                entries,
                left: entries - place,
                dict: ptr::null_mut(),
                place: 0,
                before: 0,
            }
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
                self.key = self.key.add(self.words);
                self.value = self.value.add(self.words);
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
    let fits = cfg!(all(
        Py_3_11,
        not(Py_3_14),
        not(Py_GIL_DISABLED),
        target_pointer_width = "64"
    ));
    if !fits {
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
    Ok(())
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
    let mut table = unsafe { Table::direct(keys, 0) };
    let entries = table.entries;
    let mut there = 0;
    loop {
        // SAFETY: nothing runs on the table meanwhile.
        let (seen, told) = unsafe { (table.next(), public(object, &mut there)) };
        if seen != told || table.place() != there.min(entries) {
            return false;
        }
        if told.is_none() {
            return true;
        }
    }
}

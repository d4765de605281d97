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

/// The entry at or behind `place`, which moves behind it.
///
/// # Safety
/// `dict` is a live dict (or of a subclass), and no other code runs on its table meanwhile.
#[inline(always)]
pub(super) unsafe fn next(
    dict: *mut ffi::PyObject,
    place: &mut ffi::Py_ssize_t,
) -> Option<(*mut ffi::PyObject, *mut ffi::PyObject)> {
    // SAFETY: as for this function.
    unsafe {
        if KNOWN.load(Ordering::Relaxed) {
            let head = &*dict.cast::<ffi::PyDictObject>();
            if head.ma_values.is_null() {
                return direct(head.ma_keys.cast(), place);
            }
        }
        public(dict, place)
    }
}

/// # Safety
/// `keys` is the table of a live dict that has its values in it, laid out as [`Keys`] says.
#[inline(always)]
unsafe fn direct(
    keys: *const Keys,
    place: &mut ffi::Py_ssize_t,
) -> Option<(*mut ffi::PyObject, *mut ffi::PyObject)> {
    // SAFETY: behind the head stand the indices, `1 << log2_index_bytes` bytes of them, and then
    // `entries` entries; `place` is never below zero.
    unsafe {
        let head = &*keys;
        let (words, skip) = if head.kind == UNICODE { (2, 0) } else { (3, 1) };
        let table = keys
            .cast::<u8>()
            .add(size_of::<Keys>() + (1 << head.log2_index_bytes))
            .cast::<*mut ffi::PyObject>();
        while *place < head.entries {
            let entry = table.add(*place as usize * words + skip);
            *place += 1;
            let value = *entry.add(1);
            if !value.is_null() {
                return Some((*entry, value));
            }
        }
        None
    }
}

/// # Safety
/// `dict` is a live dict.
unsafe fn public(
    dict: *mut ffi::PyObject,
    place: &mut ffi::Py_ssize_t,
) -> Option<(*mut ffi::PyObject, *mut ffi::PyObject)> {
    let (mut key, mut value) = (ptr::null_mut(), ptr::null_mut());
    // SAFETY: `PyDict_Next` bears any place.
    let found = unsafe { ffi::PyDict_Next(dict, place, &raw mut key, &raw mut value) };
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
    let (mut here, mut there) = (0, 0);
    loop {
        // SAFETY: a live dict, and a table whose head is plausible.
        let (seen, told) = unsafe { (direct(keys, &mut here), public(object, &mut there)) };
        if seen != told || here.min(head.entries) != there.min(head.entries) {
            return false;
        }
        if told.is_none() {
            return true;
        }
    }
}

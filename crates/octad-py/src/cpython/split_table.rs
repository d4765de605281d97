//! Dicts on a shared table of keys: the layout that CPython gives the `__dict__`s of a class.
//!
//! All dicts of one table have the same keys; each owns an array of values and nothing else. CPython
//! knows what to do with such a dict in every operation, since it makes them itself. It rests on the
//! layout of exact versions, so `shared_keys.rs` decides whether this file is used at all.
//!
//! Wider records get a copy of one table each, keys and all, as `dict.copy` would: no search, no
//! growing.
//!
//! A table is never laid out here: CPython makes it, as that of a plain dict with all keys in it,
//! and it is turned into a shared one. So its size and its allocator are CPython's.

use core::mem::{offset_of, size_of};
use core::ptr;

use pyo3::ffi;
use pyo3::prelude::*;

use super::{Obj, str};

/// The head of a table of keys.
#[repr(C)]
pub(super) struct Head {
    pub(super) refcnt: ffi::Py_ssize_t,
    pub(super) log2_size: u8,
    pub(super) log2_index_bytes: u8,
    pub(super) kind: u8,
    pub(super) version: u32,
    pub(super) usable: ffi::Py_ssize_t,
    pub(super) entries: ffi::Py_ssize_t,
}

/// A key and, unless the table is shared, its value.
#[repr(C)]
pub(super) struct Entry {
    pub(super) key: *mut ffi::PyObject,
    pub(super) value: *mut ffi::PyObject,
}

/// The kind of a table of str keys with their values.
const UNICODE: u8 = 1;
/// The kind of a shared table.
pub(super) const SPLIT: u8 = 2;
/// No dict of CPython has a shared table with more keys.
const LIMIT: usize = 30;
/// Keys that a user may add before a dict gets a table of its own. Without them the first new key
/// would cost as much as making the dict again.
const SPARE: usize = 2;
/// The most keys of a record that gets a shared table.
const SHARED: usize = LIMIT - SPARE;
/// The most keys of a record that gets a copy of a table.
pub const MOST: usize = 64;

/// Where the parts of a block of values stand, for room for `capacity` values.
pub(super) struct Values {
    /// From the start of the block to the place that the dict points to.
    pub(super) origin: usize,
    /// From the start of the block to the first value.
    pub(super) first: usize,
    /// From the start of the block to its number of values.
    pub(super) used: usize,
    pub(super) size: usize,
    capacity: usize,
}

impl Values {
    #[cfg(not(Py_3_13))]
    pub(super) const fn of(capacity: usize) -> Self {
        // In front of the values: their order from the last to the first, their number, the length
        // of this prefix.
        let prefix = (capacity + 2).next_multiple_of(size_of::<usize>());
        Self {
            origin: prefix,
            first: prefix,
            used: prefix - 2,
            size: prefix + capacity * size_of::<usize>(),
            capacity,
        }
    }

    #[cfg(Py_3_13)]
    pub(super) const fn of(capacity: usize) -> Self {
        // Four bytes in a word: room, number, within an object, valid; the values; their order.
        let first = size_of::<usize>();
        let order = capacity.next_multiple_of(size_of::<usize>());
        Self {
            origin: 0,
            first,
            used: 1,
            size: first + capacity * size_of::<usize>() + order,
            capacity,
        }
    }

    /// Where the number of the value that came as the `nth` stands.
    pub(super) const fn order(&self, nth: usize) -> usize {
        if cfg!(Py_3_13) {
            self.first + self.capacity * size_of::<usize>() + nth
        } else {
            self.used - 1 - nth
        }
    }

    /// A block whose first `used` values are taken in their order, all of them still NULL.
    fn image(&self, used: usize) -> Box<[u8]> {
        let mut image = vec![0; self.size].into_boxed_slice();
        for nth in 0..used {
            image[self.order(nth)] = nth as u8;
        }
        image[self.used] = used as u8;
        if cfg!(Py_3_13) {
            image[0] = self.capacity as u8;
        } else {
            image[self.origin - 1] = self.origin as u8;
        }
        image
    }
}

/// The table of keys of one shape.
pub struct Table {
    /// A dict on the table, which owns a reference to it. Nobody else knows this dict.
    _owner: Obj,
    keys: *mut Head,
    count: usize,
    /// What a new dict starts with: its block of values, or else its own table.
    image: Box<[u8]>,
    /// From the start of such a block to the place that the dict points to.
    origin: usize,
    /// From the start of such a block to the first value.
    first: usize,
    /// The dicts share the table.
    shared: bool,
}

impl Table {
    /// A table of these keys, which are exact `str`s. None: equal keys, too many, no memory, or a
    /// table that does not look as it should; no exception is set.
    #[must_use]
    pub fn new(py: Python<'_>, keys: &[Obj]) -> Option<Self> {
        if keys.is_empty() || keys.len() > MOST {
            return None;
        }
        if keys.len() > SHARED {
            let made = Self::with_copies(py, keys);
            if made.is_none() {
                // SAFETY: attached (`py`).
                unsafe { ffi::PyErr_Clear() };
            }
            return made;
        }
        let mut spare = SPARE;
        // Blocks come in steps of 16 bytes: one more may be free of charge.
        let size = |spare| Values::of(keys.len() + spare).size.next_multiple_of(16);
        if keys.len() + SPARE < LIMIT && size(SPARE) == size(SPARE + 1) {
            spare += 1;
        }
        let made = Self::with_spare(py, keys, spare);
        if made.is_none() {
            // SAFETY: attached (`py`).
            unsafe { ffi::PyErr_Clear() };
        }
        made
    }

    /// A table whose dicts get a copy of it each, however few the keys are. None: as for
    /// [`new`](Self::new).
    #[must_use]
    pub fn with_own_keys(py: Python<'_>, keys: &[Obj]) -> Option<Self> {
        if keys.is_empty() || keys.len() > MOST {
            return None;
        }
        let made = Self::with_copies(py, keys);
        if made.is_none() {
            // SAFETY: attached (`py`).
            unsafe { ffi::PyErr_Clear() };
        }
        made
    }

    fn with_spare(py: Python<'_>, keys: &[Obj], spare: usize) -> Option<Self> {
        // SAFETY: attached (`py`); a new reference or NULL.
        let dict = unsafe { Obj::from_new(ffi::PyDict_New()) }?;
        for key in keys {
            set_none(py, &dict, key)?;
        }
        // Keys that no document has, so that CPython takes a table with room for the spare ones.
        for number in 0..spare {
            let name = [b"\x01spare key ".as_slice(), &[b'0' + number as u8]].concat();
            set_none(py, &dict, &str::ascii(py, &name)?)?;
        }
        // SAFETY: an exact dict that nobody else knows, with keys of type str alone.
        unsafe { Self::share(dict, keys.len(), spare) }
    }

    fn with_copies(py: Python<'_>, keys: &[Obj]) -> Option<Self> {
        // SAFETY: attached (`py`); a new reference or NULL.
        let dict = unsafe { Obj::from_new(ffi::PyDict_New()) }?;
        for key in keys {
            set_none(py, &dict, key)?;
        }
        let object = dict.as_ptr().cast::<ffi::PyDictObject>();
        // SAFETY: an exact dict that nobody else knows, with keys of type str alone; every field is
        // looked at before the entries are.
        unsafe {
            let table = (*object).ma_keys.cast::<Head>();
            let head = &*table;
            if !is_plain(&*object, keys.len()) {
                return None;
            }
            // The whole of its size class, with room for as many entries as CPython allows.
            let indices = 1 << head.log2_index_bytes;
            let entries = (2 << head.log2_size) / 3;
            let size = size_of::<Head>() + indices + entries * size_of::<Entry>();
            let mut image = vec![0_u8; size].into_boxed_slice();
            ptr::copy_nonoverlapping(table.cast::<u8>(), image.as_mut_ptr(), size);
            let first = size_of::<Head>() + indices + offset_of!(Entry, value);
            for at in 0..keys.len() {
                image[first + at * size_of::<Entry>()..][..size_of::<usize>()].fill(0);
            }
            let version = offset_of!(Head, version);
            image[version..version + size_of::<u32>()].fill(0);
            Some(Self {
                _owner: dict,
                keys: table,
                count: keys.len(),
                image,
                origin: 0,
                first,
                shared: false,
            })
        }
    }

    /// Turns the table of a dict with `count` keys and `spare` placeholders into a shared one.
    ///
    /// # Safety
    /// The dict is exact and nobody else knows it; the thread is attached; the layout is known.
    unsafe fn share(dict: Obj, count: usize, spare: usize) -> Option<Self> {
        let object = dict.as_ptr().cast::<ffi::PyDictObject>();
        // SAFETY: a live dict; every field is looked at before the entries are.
        unsafe {
            let keys = (*object).ma_keys.cast::<Head>();
            let head = &mut *keys;
            let all = count + spare;
            if !is_plain(&*object, all) {
                return None;
            }
            let values = Values::of(all);
            let owned = ffi::PyMem_Malloc(values.size).cast::<u8>();
            if owned.is_null() {
                return None;
            }
            let image = values.image(0);
            ptr::copy_nonoverlapping(image.as_ptr(), owned, image.len());
            // The placeholders came last, so no other key's search passes over them.
            let indices = keys.add(1).cast::<u8>();
            for at in 0..1 << head.log2_size {
                let index = indices.add(at).cast::<i8>();
                if *index >= count as i8 {
                    *index = -1;
                }
            }
            for at in 0..all {
                let entry = entry(keys, at);
                ffi::Py_DECREF(ptr::replace(&raw mut (*entry).value, ptr::null_mut()));
                if at >= count {
                    ffi::Py_DECREF(ptr::replace(&raw mut (*entry).key, ptr::null_mut()));
                }
            }
            head.kind = SPLIT;
            head.version = 0;
            head.entries = count as ffi::Py_ssize_t;
            head.usable = spare as ffi::Py_ssize_t;
            (*object).ma_used = 0;
            (*object).ma_values = owned.add(values.origin).cast();
            Some(Self {
                _owner: dict,
                keys,
                count,
                image: values.image(count),
                origin: values.origin,
                first: values.first,
                shared: true,
            })
        }
    }

    /// Users have added so many keys to dicts on this table that the next one finds no room.
    #[inline]
    #[must_use]
    pub fn is_spent(&self) -> bool {
        // SAFETY: `_owner` keeps the table alive.
        self.shared && unsafe { (*self.keys).usable == 0 }
    }

    /// Another table of the same keys.
    #[must_use]
    pub fn renewed(&self, py: Python<'_>) -> Option<Self> {
        let mut keys = Vec::with_capacity(self.count);
        for at in 0..self.count {
            // SAFETY: the first `count` entries of a shared table keep their keys as long as it
            // lives, which `_owner` sees to; attached (`py`).
            keys.push(unsafe { Obj::from_borrowed((*entry(self.keys, at)).key) });
        }
        Self::new(py, &keys)
    }

    /// Bytes that it holds, about.
    #[must_use]
    pub fn memory(&self) -> usize {
        size_of::<Self>() + 2 * self.image.len() + self.count * 3 * size_of::<Entry>() + 160
    }
}

/// Whether a dict has a table of its own, of `count` str keys, none of them deleted.
///
/// # Safety
/// The dict is alive, and the layout of heads is known.
unsafe fn is_plain(dict: &ffi::PyDictObject, count: usize) -> bool {
    // SAFETY: the table of a live dict.
    let head = unsafe { &*dict.ma_keys.cast::<Head>() };
    dict.ma_values.is_null()
        && dict.ma_used == count as ffi::Py_ssize_t
        && head.kind == UNICODE
        && head.refcnt == 1
        && head.entries == count as ffi::Py_ssize_t
        && head.log2_size < 8
        && head.log2_index_bytes == head.log2_size
}

/// # Safety
/// `keys` is a table without hashes, with more than `at` entries.
pub(super) unsafe fn entry(keys: *mut Head, at: usize) -> *mut Entry {
    // SAFETY: the entries stand behind the head and `1 << log2_index_bytes` bytes of indices.
    unsafe {
        let indices = 1 << (*keys).log2_index_bytes;
        keys.add(1)
            .cast::<u8>()
            .add(indices)
            .cast::<Entry>()
            .add(at)
    }
}

fn set_none(_py: Python<'_>, dict: &Obj, key: &Obj) -> Option<()> {
    // SAFETY: attached (`_py`); a live dict and a live key, a str, so no user code runs.
    let status = unsafe { ffi::PyDict_SetItem(dict.as_ptr(), key.as_ptr(), ffi::Py_None()) };
    (status >= 0).then_some(())
}

/// A dict of a known shape being filled, value by value in the order of the keys. Dropped half filled
/// it frees what it holds.
pub struct NewRecord {
    dict: Obj,
    next: *mut *mut ffi::PyObject,
    /// From one value to the next, in words.
    step: u8,
    /// Some value takes part in cyclic collection, so the dict does.
    tracked: bool,
    left: u16,
    count: u16,
}

impl NewRecord {
    /// A dict that waits for a value for each key of the table. None: no memory, an exception is
    /// set.
    #[inline(always)]
    pub fn new(py: Python<'_>, table: &Table) -> Option<Self> {
        if !table.shared {
            return Self::with_copy(py, table);
        }
        // SAFETY: attached (`py`); a new reference or NULL.
        let dict = unsafe { Obj::from_new(ffi::PyDict_New()) }?;
        // SAFETY: attached (`py`). CPython frees the values of a dict by `PyMem_Free`.
        let block = unsafe { ffi::PyMem_Malloc(table.image.len()) }.cast::<u8>();
        if block.is_null() {
            // SAFETY: attached (`py`).
            unsafe { ffi::PyErr_NoMemory() };
            return None;
        }
        let object = dict.as_ptr().cast::<ffi::PyDictObject>();
        // SAFETY: the block is as long as the image and nobody else's. The dict is new and nobody
        // else's; it gets a reference to the shared table. A dict of no items whose values are all
        // NULL is well formed.
        unsafe {
            ptr::copy_nonoverlapping(table.image.as_ptr(), block, table.image.len());
            leave_empty_table(object);
            (*table.keys).refcnt += 1;
            (*object).ma_keys = table.keys.cast();
            (*object).ma_values = block.add(table.origin).cast();
            Some(Self {
                dict,
                next: block.add(table.first).cast(),
                step: 1,
                tracked: false,
                left: table.count as u16,
                count: table.count as u16,
            })
        }
    }

    #[inline(never)]
    fn with_copy(_py: Python<'_>, table: &Table) -> Option<Self> {
        // SAFETY: attached (`_py`); a new reference or NULL.
        let dict = unsafe { Obj::from_new(ffi::PyDict_New()) }?;
        // SAFETY: attached (`_py`). The allocator that CPython of this version frees tables by.
        let block = unsafe {
            if cfg!(Py_3_13) {
                ffi::PyMem_Malloc(table.image.len())
            } else {
                ffi::PyObject_Malloc(table.image.len())
            }
        }
        .cast::<u8>();
        if block.is_null() {
            // SAFETY: attached (`_py`).
            unsafe { ffi::PyErr_NoMemory() };
            return None;
        }
        let object = dict.as_ptr().cast::<ffi::PyDictObject>();
        // SAFETY: the block is as long as the image, of a table's size class, and nobody else's. It
        // is a table with one reference; its keys are alive and get one more. While values are
        // missing nobody looks into it, and whoever frees it expects that some are NULL.
        unsafe {
            ptr::copy_nonoverlapping(table.image.as_ptr(), block, table.image.len());
            let keys = block.cast::<Head>();
            for at in 0..table.count {
                ffi::Py_INCREF((*entry(keys, at)).key);
            }
            leave_empty_table(object);
            (*object).ma_keys = keys.cast();
            Some(Self {
                dict,
                next: block.add(table.first).cast(),
                step: 2,
                tracked: false,
                left: table.count as u16,
                count: table.count as u16,
            })
        }
    }

    /// Values still to come.
    #[inline]
    #[must_use]
    pub fn left(&self) -> usize {
        self.left as usize
    }

    /// Gives the next key its value, a `str` or another object that no cycle can pass through.
    #[inline(always)]
    pub fn push_text(&mut self, value: Obj) {
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        // SAFETY: `left` counted this slot; it holds NULL and takes over the reference.
        unsafe {
            ptr::write(self.next, value.into_ptr());
            self.next = self.next.add(self.step.into());
        }
    }

    /// Gives the next key its value.
    #[inline(always)]
    pub fn push(&mut self, value: Obj) {
        // SAFETY: a live object has a type.
        let flags = unsafe { (*ffi::Py_TYPE(value.as_ptr())).tp_flags };
        self.tracked |= flags & ffi::Py_TPFLAGS_HAVE_GC != 0;
        self.push_text(value);
    }

    /// The dict. Keys whose value did not come have None.
    #[inline]
    #[must_use]
    pub fn finish(self) -> Obj {
        let object = self.dict.as_ptr().cast::<ffi::PyDictObject>();
        if self.left > 0 {
            return self.cut();
        }
        // SAFETY: a dict that nobody else has seen, untracked until here, as `PyDict_New` made it
        // (from 3.14 on it is tracked from the start, and this file is not used). All its values
        // came.
        unsafe {
            (*object).ma_used = self.count as ffi::Py_ssize_t;
            if self.tracked {
                ffi::PyObject_GC_Track(self.dict.as_ptr().cast());
            }
        }
        self.dict
    }

    /// The dict of a record whose values ended too early; no tape that was checked has one.
    #[cold]
    fn cut(mut self) -> Obj {
        while self.left > 0 {
            // SAFETY: None is alive.
            self.push_text(unsafe { Obj::from_borrowed(ffi::Py_None()) });
        }
        self.finish()
    }
}

/// Gives back a new dict's reference to the table of empty dicts, where those are counted.
///
/// # Safety
/// The dict is alive, new and empty, and gets another table.
#[inline(always)]
unsafe fn leave_empty_table(dict: *mut ffi::PyDictObject) {
    if cfg!(not(Py_3_12)) {
        // SAFETY: the table of a live dict.
        unsafe { (*(*dict).ma_keys.cast::<Head>()).refcnt -= 1 };
    }
}

const _: () = assert!(size_of::<Head>() == 32 || size_of::<usize>() != 8);
const _: () = assert!(offset_of!(Entry, value) == size_of::<usize>());

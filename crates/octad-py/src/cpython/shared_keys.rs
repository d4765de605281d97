//! Whether dicts may stand on shared tables of keys, on this interpreter and in this process.
//!
//! Only on exact versions that the tests have run on, only where a dict that CPython itself put on a
//! shared table looks as `split_table.rs` has it, and not where `OCTAD_SHARED_KEYS=0` or
//! `OCTAD_PUBLIC_API=1` says no. Everywhere else dicts are made by the public calls of `build.rs`.

use core::ptr;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyDictMethods, PyType};

use super::split_table::{Head, NewRecord, SPLIT, Table, Values, entry};
use super::{Obj, str};

/// Versions on which the whole suite has run with shared tables in use.
const KNOWN: [(u8, u8, u8); 3] = [(3, 11, 7), (3, 12, 1), (3, 13, 0)];

/// Why they may not; None where they may.
static REFUSAL: PyOnceLock<Option<&'static str>> = PyOnceLock::new();

/// Whether dicts may be put on shared tables.
#[inline]
pub fn shared_keys(py: Python<'_>) -> bool {
    REFUSAL.get_or_init(py, || refusal(py)).is_none()
}

/// The same with the reason, for people.
pub fn shared_keys_mode(py: Python<'_>) -> &'static str {
    let refusal = REFUSAL.get_or_init(py, || refusal(py));
    refusal.unwrap_or("in use")
}

#[cold]
fn refusal(py: Python<'_>) -> Option<&'static str> {
    if set_to("OCTAD_SHARED_KEYS", "0") {
        return Some("switched off by OCTAD_SHARED_KEYS");
    }
    if let Some(reason) = stranger(py) {
        return Some(reason);
    }
    if !matches!(agrees(py), Ok(true)) {
        return Some("refuted by the dicts that this Python makes");
    }
    None
}

fn set_to(name: &str, text: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| value == text)
}

/// Whether this kind of Python is one whose objects' layout is known at all.
pub(super) const IS_KIND_KNOWN: bool = cfg!(all(
    Py_3_11,
    not(Py_3_14),
    not(Py_GIL_DISABLED),
    target_pointer_width = "64"
));

/// Why the inner layout of this interpreter's objects may not be relied on; None where it may.
#[cold]
pub(super) fn stranger(py: Python<'_>) -> Option<&'static str> {
    if set_to("OCTAD_PUBLIC_API", "1") {
        return Some("switched off by OCTAD_PUBLIC_API");
    }
    if !IS_KIND_KNOWN {
        return Some("not known for this kind of Python");
    }
    if cfg!(octad_layout_refuted) {
        return Some("refuted by the headers of the Python it was built for");
    }
    let version = py.version_info();
    if !KNOWN.contains(&(version.major, version.minor, version.patch))
        || version
            .suffix
            .is_some_and(|suffix| suffix != "+" && !suffix.is_empty())
    {
        return Some("not tried on this version of Python");
    }
    // A debug build counts all references, which only its own calls do.
    let counted = py
        .import("sys")
        .and_then(|sys| sys.hasattr("gettotalrefcount"));
    if !matches!(counted, Ok(false)) {
        return Some("not known for debug builds");
    }
    None
}

/// Whether dicts that CPython put on a shared table look as they are made here, and dicts made here
/// are to CPython what they should be.
fn agrees(py: Python<'_>) -> PyResult<bool> {
    // The instances of a class share their keys; a copy of such a dict is a dict on its own.
    let class = py
        .get_type::<PyType>()
        .call1(("Probe", (), PyDict::new(py)))?;
    let instance = class.call0()?;
    let names = ["name", "an identifier", "x"];
    for (number, name) in names.into_iter().enumerate() {
        instance.setattr(name, number)?;
    }
    let own = instance.getattr("__dict__")?;
    let theirs = own.call_method0("copy")?.cast_into::<PyDict>()?;
    if !looks_shared(&theirs, &names) || !counts_tables(&theirs)? {
        return Ok(false);
    }
    // One record on a shared table, one with a copy of a table.
    let wide: Vec<String> = (0..40).map(|number| format!("name {number}")).collect();
    let wide: Vec<&str> = wide.iter().map(String::as_str).collect();
    Ok(behaves(py, &names, true)? && behaves(py, &wide, false)?)
}

/// Whether a dict made here is to CPython what it should be.
fn behaves(py: Python<'_>, names: &[&str], shared: bool) -> PyResult<bool> {
    let mut keys = Vec::new();
    for name in names {
        keys.push(Obj::or_raised(py, str::ascii(py, name.as_bytes()))?);
    }
    let Some(table) = Table::new(py, &keys) else {
        return Ok(false);
    };
    let Some(mut made) = NewRecord::new(py, &table) else {
        return Err(PyErr::fetch(py));
    };
    for (number, _) in names.iter().enumerate() {
        made.push(Obj::take(number.into_pyobject(py)?.into_any()));
    }
    let ours = made.finish().into_bound(py).cast_into::<PyDict>()?;
    let plain = PyDict::new(py);
    for (number, name) in names.iter().enumerate() {
        plain.set_item(name, number)?;
    }
    let same = |ours: &Bound<'_, PyDict>| -> PyResult<bool> {
        Ok(ours.eq(&plain)? && ours.items().eq(plain.items())?)
    };
    if shared && (!looks_shared(&ours, names) || !counts_tables(&ours)?) || !same(&ours)? {
        return Ok(false);
    }
    // A key that the table has not seen, and one that goes.
    for dict in [&ours, &plain] {
        dict.set_item("more", 4)?;
        dict.del_item(names[0])?;
        dict.set_item(names[0], 5)?;
    }
    Ok(same(&ours)? && same(&ours.copy()?)? && looks_shared_still(&ours) == shared)
}

/// Whether all of a shared dict, its table and its values, is where it is looked for here.
fn looks_shared(dict: &Bound<'_, PyDict>, names: &[&str]) -> bool {
    let object = dict.as_ptr().cast::<ffi::PyDictObject>();
    let count = names.len() as ffi::Py_ssize_t;
    // SAFETY: a live dict; the head of its table is read only if it has its values apart, and what
    // stands behind only if every field of the head is plausible.
    unsafe {
        if (*object).ma_values.is_null() || (*object).ma_used != count {
            return false;
        }
        let keys = (*object).ma_keys.cast::<Head>();
        let head = &*keys;
        let plausible = head.kind == SPLIT
            && head.refcnt >= 2
            && head.entries >= count
            && head.usable >= 0
            && head.log2_size < 8
            && head.log2_index_bytes == head.log2_size
            && head.entries + head.usable <= (2 << head.log2_size) / 3;
        if !plausible {
            return false;
        }
        let values = Values::of((head.entries + head.usable) as usize);
        let block = (*object).ma_values.cast::<u8>().sub(values.origin);
        let told = if cfg!(Py_3_13) {
            *block == (head.entries + head.usable) as u8 && *block.add(2) == 0
        } else {
            *block.add(values.origin - 1) == values.origin as u8
        };
        if !told || *block.add(values.used) != count as u8 {
            return false;
        }
        let mut found = names.iter().enumerate();
        found.all(|(at, name)| {
            let entry = &*entry(keys, at);
            let value = *block.add(values.first).cast::<*mut ffi::PyObject>().add(at);
            let there = dict.get_item(name);
            *block.add(values.order(at)) == at as u8
                && entry.value.is_null()
                && matches!(there, Ok(Some(there)) if ptr::eq(there.as_ptr(), value))
        })
    }
}

/// Whether a dict still has its values apart.
fn looks_shared_still(dict: &Bound<'_, PyDict>) -> bool {
    let object = dict.as_ptr().cast::<ffi::PyDictObject>();
    // SAFETY: a live dict.
    unsafe { !(*object).ma_values.is_null() }
}

/// Whether the references to tables are counted as they are here: a copy counts once, and a new
/// dict counts for the table of empty dicts up to 3.11.
fn counts_tables(dict: &Bound<'_, PyDict>) -> PyResult<bool> {
    let table = |dict: &Bound<'_, PyDict>| -> *const Head {
        // SAFETY: a live dict.
        unsafe { (*dict.as_ptr().cast::<ffi::PyDictObject>()).ma_keys.cast() }
    };
    // SAFETY: the table of a live dict.
    let count = |dict: &Bound<'_, PyDict>| unsafe { (*table(dict)).refcnt };
    let before = count(dict);
    let copy = dict.copy()?;
    let shared = ptr::eq(table(dict), table(&copy)) && count(dict) == before + 1;
    drop(copy);
    let empty = PyDict::new(dict.py());
    let one = count(&empty);
    let other = PyDict::new(dict.py());
    let counted = count(&other) - one;
    Ok(shared && count(dict) == before && counted == if cfg!(Py_3_12) { 0 } else { 1 })
}

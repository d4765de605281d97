//! Dates with times, made in place.
//!
//! The call of `datetime.h` checks what has been checked here. The layout is that of the same header;
//! it is compared with what the call makes when first used. Where the two differ, and with
//! `OCTAD_PUBLIC_API=1`, the call is used.

use core::ptr::addr_of_mut;

use octad_core::text::time::{Clock, Date, days_in};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDateTime, PyTzInfo};

use super::Obj;

static KNOWN: PyOnceLock<bool> = PyOnceLock::new();

/// A datetime. None: Python has no such year, second or fraction.
///
/// # Errors
/// No memory.
#[inline]
pub fn new_moment(
    py: Python<'_>,
    date: Date,
    clock: Clock,
    zone: Option<&Bound<'_, PyTzInfo>>,
) -> Option<PyResult<Obj>> {
    let within = (1..=9999).contains(&date.year)
        && (1..=12).contains(&date.month)
        && date.day >= 1
        && (date.day <= 28 || date.day <= days_in(date.year, date.month))
        && clock.hour < 24
        && clock.minute < 60
        && clock.second < 60
        && clock.nano < 1_000_000_000
        && clock.nano.is_multiple_of(1000);
    if !within {
        return None;
    }
    if !*KNOWN.get_or_init(py, || is_known(py)) {
        return Some(by_call(py, date, clock, zone));
    }
    Some(in_place(py, date, clock, zone).ok_or_else(|| PyErr::fetch(py)))
}

fn by_call(
    py: Python<'_>,
    date: Date,
    clock: Clock,
    zone: Option<&Bound<'_, PyTzInfo>>,
) -> PyResult<Obj> {
    let (year, micros) = (date.year.into(), clock.nano / 1000);
    let (hour, minute, second) = (clock.hour, clock.minute, clock.second);
    let made = PyDateTime::new(
        py, year, date.month, date.day, hour, minute, second, micros, zone,
    )?;
    Ok(Obj::take(made.into_any()))
}

/// The same without the call. What it is given is within what the type holds. None: no memory, an
/// exception is set; or the type is not there.
#[inline]
fn in_place(
    _py: Python<'_>,
    date: Date,
    clock: Clock,
    zone: Option<&Bound<'_, PyTzInfo>>,
) -> Option<Obj> {
    let (year, micros) = (date.year.to_be_bytes(), (clock.nano / 1000).to_be_bytes());
    // SAFETY: attached (`_py`). The table of functions is NULL or lives for ever, and so do its
    // types. `tp_alloc` of this type gives a new object with room for a zone if its second argument
    // says so; all that the header lists is written before anyone sees it, the zone only then.
    unsafe {
        let class = ffi::PyDateTimeAPI().as_ref()?.DateTimeType;
        let made = (*class).tp_alloc?(class, ffi::Py_ssize_t::from(zone.is_some()));
        if made.is_null() {
            return None;
        }
        let moment = made.cast::<ffi::PyDateTime_DateTime>();
        addr_of_mut!((*moment).hashcode).write(-1);
        addr_of_mut!((*moment).hastzinfo).write(zone.is_some().into());
        addr_of_mut!((*moment).data).write([
            year[0],
            year[1],
            date.month,
            date.day,
            clock.hour,
            clock.minute,
            clock.second,
            micros[1],
            micros[2],
            micros[3],
        ]);
        addr_of_mut!((*moment).fold).write(0);
        if let Some(zone) = zone {
            addr_of_mut!((*moment).tzinfo).write(zone.clone().into_ptr());
        }
        Obj::from_new(made)
    }
}

/// Whether what is made here is byte for byte what the call makes.
#[cold]
fn is_known(py: Python<'_>) -> bool {
    let public = std::env::var_os("OCTAD_PUBLIC_API").is_some_and(|value| value == "1");
    let version = py.version_info();
    let series = version.major == 3 && (11..=13).contains(&version.minor);
    if public || !series || cfg!(Py_GIL_DISABLED) {
        return false;
    }
    let date = Date {
        year: 0x1234,
        month: 11,
        day: 23,
    };
    let clock = Clock {
        hour: 17,
        minute: 48,
        second: 59,
        nano: 0x0a_0b_0c * 1000,
    };
    let Ok(utc) = PyTzInfo::utc(py) else {
        return false;
    };
    [None, Some(&*utc)].into_iter().all(|zone| {
        // The call comes first: it sees to it that the table of functions is there.
        let Ok(called) = by_call(py, date, clock, zone) else {
            return false;
        };
        let Some(made) = in_place(py, date, clock, zone) else {
            drop(PyErr::take(py));
            return false;
        };
        // SAFETY: two live objects of the type, of which one without a zone ends before it.
        unsafe { parts(&called, zone.is_some()) == parts(&made, zone.is_some()) }
    })
}

/// All that tells a datetime from others.
type Parts = (
    usize,
    *mut ffi::PyTypeObject,
    ffi::Py_hash_t,
    i64,
    [u8; 10],
    u8,
    usize,
);

/// # Safety
/// A live datetime, with a zone if it is said so.
unsafe fn parts(moment: &Obj, with_zone: bool) -> Parts {
    // SAFETY: laid out as the public header says; the zone is there where it is read.
    unsafe {
        let object = moment.as_ptr();
        let fields = object.cast::<ffi::PyDateTime_DateTime>();
        let zone = if with_zone {
            (*fields).tzinfo as usize
        } else {
            0
        };
        (
            ffi::Py_REFCNT(object) as usize,
            ffi::Py_TYPE(object),
            (*fields).hashcode,
            (*fields).hastzinfo.into(),
            (*fields).data,
            (*fields).fold,
            zone,
        )
    }
}

//! Dates, and dates with times, read in place: objects of exactly these types, which nobody has a
//! say in.
//!
//! Their fields are open to all by macros of the C API. Where a zone of a fixed offset keeps it is
//! nobody's business, so [`look_at_zones`] compares what is found there with what `utcoffset` gives
//! before it is used; elsewhere, and with `OCTAD_PUBLIC_API=1`, `utcoffset` is called.

use core::ptr::addr_of;
use core::sync::atomic::{AtomicBool, Ordering};

use octad_core::text::time::{Clock, Date, Time};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDelta;

use super::borrow::Item;
use super::object::Obj;
use super::shared_keys::stranger;

/// Whether zones have been looked at.
static LOOKED_AT: PyOnceLock<()> = PyOnceLock::new();
/// Whether a zone of a fixed offset keeps it where it is looked for here.
static KEPT: AtomicBool = AtomicBool::new(false);

/// Such a zone: a length of time, and a name that may be missing.
#[repr(C)]
struct Fixed {
    head: ffi::PyObject,
    offset: *mut ffi::PyObject,
    name: *mut ffi::PyObject,
}

/// Finds out where zones keep their offsets. Until this was called they are asked for them.
pub fn look_at_zones(py: Python<'_>) {
    LOOKED_AT.get_or_init(py, || {
        let kept = stranger(py).is_none() && matches!(agree(py), Ok(true));
        KEPT.store(kept, Ordering::Relaxed);
    });
}

/// Whether some zones keep what they say.
fn agree(py: Python<'_>) -> PyResult<bool> {
    let class = py.import("datetime")?.getattr("timezone")?;
    let zones = [
        class.getattr("utc")?,
        class.call1((PyDelta::new(py, 0, 19_800, 0, true)?,))?,
        class.call1((PyDelta::new(py, 0, -11_220, 0, true)?, "a name"))?,
    ];
    for zone in zones {
        let said = zone.call_method1("utcoffset", (py.None(),))?;
        // SAFETY: a live object. What is read as an address lies within it, since its type says how
        // long it is, and is only compared.
        let kept = unsafe {
            let object = zone.as_ptr();
            is_fixed(object)
                && (*ffi::Py_TYPE(object)).tp_basicsize == size_of::<Fixed>() as ffi::Py_ssize_t
                && (*object.cast::<Fixed>()).offset == said.as_ptr()
        };
        if !kept {
            return Ok(false);
        }
    }
    Ok(true)
}

/// # Safety
/// A live object on an attached thread.
#[inline(always)]
unsafe fn is_fixed(zone: *mut ffi::PyObject) -> bool {
    // SAFETY: as for this function; the table of functions is NULL or lives for ever.
    unsafe {
        let api = ffi::PyDateTimeAPI();
        !api.is_null() && ffi::Py_TYPE(zone) == ffi::Py_TYPE((*api).TimeZone_UTC)
    }
}

impl Item<'_> {
    /// The date and time, if the object is exactly a datetime, without a zone or in one of a fixed
    /// offset of whole minutes.
    #[inline]
    pub fn moment(self) -> Option<Time> {
        let object = self.as_ptr();
        // SAFETY: an `Item` is a live object on an attached thread; the table of functions is NULL
        // or lives for ever. An object of exactly this type is laid out as one, and has a live zone
        // if it says so.
        unsafe {
            let api = ffi::PyDateTimeAPI();
            if api.is_null() || ffi::Py_TYPE(object) != (*api).DateTimeType {
                return None;
            }
            // One without a zone ends in front of that field, so no reference is made to the whole.
            let moment = object.cast::<ffi::PyDateTime_DateTime>();
            let offset = if addr_of!((*moment).hastzinfo).read() == 0 {
                None
            } else {
                Some(offset_of(addr_of!((*moment).tzinfo).read())?)
            };
            Some(Time {
                date: Some(date_of(object)),
                clock: Some(Clock {
                    hour: ffi::PyDateTime_DATE_GET_HOUR(object) as u8,
                    minute: ffi::PyDateTime_DATE_GET_MINUTE(object) as u8,
                    second: ffi::PyDateTime_DATE_GET_SECOND(object) as u8,
                    nano: ffi::PyDateTime_DATE_GET_MICROSECOND(object) as u32 * 1000,
                }),
                offset,
            })
        }
    }

    /// The date, if the object is exactly one.
    #[inline]
    pub fn day(self) -> Option<Time> {
        let object = self.as_ptr();
        // SAFETY: as for `moment`.
        unsafe {
            let api = ffi::PyDateTimeAPI();
            if api.is_null() || ffi::Py_TYPE(object) != (*api).DateType {
                return None;
            }
            Some(Time {
                date: Some(date_of(object)),
                ..Time::default()
            })
        }
    }
}

/// # Safety
/// A live object of exactly type date or datetime.
#[inline]
unsafe fn date_of(object: *mut ffi::PyObject) -> Date {
    // SAFETY: both begin with the fields of a date.
    unsafe {
        Date {
            year: ffi::PyDateTime_GET_YEAR(object) as u16,
            month: ffi::PyDateTime_GET_MONTH(object) as u8,
            day: ffi::PyDateTime_GET_DAY(object) as u8,
        }
    }
}

/// The offset of a zone in minutes, if it is of a fixed one.
///
/// # Safety
/// A live object on an attached thread.
#[inline]
unsafe fn offset_of(zone: *mut ffi::PyObject) -> Option<i16> {
    // SAFETY: as for this function. A zone of exactly this type keeps a length of time where those
    // that were looked at do; the type is static, so all are alike.
    unsafe {
        if !is_fixed(zone) {
            None
        } else if KEPT.load(Ordering::Relaxed) {
            minutes_of((*zone.cast::<Fixed>()).offset)
        } else {
            asked(zone)
        }
    }
}

/// What a zone says of its offset.
///
/// # Safety
/// A live object of exactly type timezone on an attached thread.
#[inline(never)]
unsafe fn asked(zone: *mut ffi::PyObject) -> Option<i16> {
    // SAFETY: as for this function. The method of exactly this type runs no Python code. It gives
    // an object, or NULL and an exception, which is dropped.
    unsafe {
        let offset =
            ffi::PyObject_CallMethod(zone, c"utcoffset".as_ptr(), c"O".as_ptr(), ffi::Py_None());
        let Some(offset) = Obj::from_new(offset) else {
            ffi::PyErr_Clear();
            return None;
        };
        minutes_of(offset.as_ptr())
    }
}

/// A length of time in minutes, if it is one without a rest and less than a day.
///
/// # Safety
/// A live object, with the table of functions at hand.
#[inline(always)]
unsafe fn minutes_of(length: *mut ffi::PyObject) -> Option<i16> {
    // SAFETY: as for this function; an object of exactly this type is laid out as one.
    unsafe {
        if ffi::Py_TYPE(length) != (*ffi::PyDateTimeAPI()).DeltaType
            || ffi::PyDateTime_DELTA_GET_MICROSECONDS(length) != 0
        {
            return None;
        }
        let days = ffi::PyDateTime_DELTA_GET_DAYS(length);
        let seconds = ffi::PyDateTime_DELTA_GET_SECONDS(length);
        if !matches!(days, -1..=0) || seconds % 60 != 0 {
            return None;
        }
        i16::try_from(days * 1440 + seconds / 60).ok()
    }
}

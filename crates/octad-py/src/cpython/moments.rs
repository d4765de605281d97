//! Dates, and dates with times, read in place: objects of exactly these types, which nobody has a
//! say in.
//!
//! The layout is that of CPython's public header `datetime.h`. A zone that is exactly a
//! `datetime.timezone` has one offset, which is asked for once; any other zone is for Python's means.

use core::ptr::addr_of;

use octad_core::text::time::{Clock, Date, Time};
use pyo3::ffi;

use super::borrow::Item;
use super::object::Obj;

/// The zone of a fixed offset that was asked last, and its minutes east of UTC.
#[derive(Default)]
pub struct FixedZone(Option<(Obj, i16)>);

impl Item<'_> {
    /// The date and time, if the object is exactly a datetime, without a zone or in one of a fixed
    /// offset of whole minutes. Runs no Python code.
    #[inline]
    pub fn moment(self, zone: &mut FixedZone) -> Option<Time> {
        let object = self.as_ptr();
        // SAFETY: an `Item` is a live object on an attached thread. The table of functions is NULL
        // or lives for ever.
        let api = unsafe { ffi::PyDateTimeAPI().as_ref() }?;
        // SAFETY: a live object of exactly this type is laid out as `PyDateTime_DateTime`, whose
        // last field, the zone, is there if the flag in front of it says so.
        unsafe {
            if ffi::Py_TYPE(object) != api.DateTimeType {
                return None;
            }
            let moment = object.cast::<ffi::PyDateTime_DateTime>();
            let offset = if addr_of!((*moment).hastzinfo).read() == 0 {
                None
            } else {
                let asked = Item::from_ptr(addr_of!((*moment).tzinfo).read());
                Some(zone.offset(asked, api)?)
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

    /// The date, if the object is exactly one. Runs no Python code.
    #[inline]
    pub fn day(self) -> Option<Time> {
        let object = self.as_ptr();
        // SAFETY: as for `moment`.
        let api = unsafe { ffi::PyDateTimeAPI().as_ref() }?;
        // SAFETY: a live object of exactly this type is laid out as `PyDateTime_Date`.
        let date = unsafe {
            if ffi::Py_TYPE(object) != api.DateType {
                return None;
            }
            date_of(object)
        };
        Some(Time {
            date: Some(date),
            ..Time::default()
        })
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

impl FixedZone {
    #[inline]
    fn offset(&mut self, zone: Item<'_>, api: &ffi::PyDateTime_CAPI) -> Option<i16> {
        if zone.as_ptr() == api.TimeZone_UTC {
            return Some(0);
        }
        match &self.0 {
            Some((known, minutes)) if known.item().address() == zone.address() => Some(*minutes),
            _ => self.ask(zone, api),
        }
    }

    #[inline(never)]
    fn ask(&mut self, zone: Item<'_>, api: &ffi::PyDateTime_CAPI) -> Option<i16> {
        // SAFETY: an attached thread and live objects. UTC is exactly a `timezone`, a type without
        // subclasses, whose method runs no Python code. It returns a length of time, or NULL for
        // want of memory: that exception is dropped, for the caller has another way.
        let minutes = unsafe {
            if ffi::Py_TYPE(zone.as_ptr()) != ffi::Py_TYPE(api.TimeZone_UTC) {
                return None;
            }
            let Some(offset) = Obj::from_new(ffi::PyObject_CallMethod(
                zone.as_ptr(),
                c"utcoffset".as_ptr(),
                c"O".as_ptr(),
                ffi::Py_None(),
            )) else {
                ffi::PyErr_Clear();
                return None;
            };
            let length = offset.as_ptr();
            if ffi::Py_TYPE(length) != api.DeltaType
                || ffi::PyDateTime_DELTA_GET_MICROSECONDS(length) != 0
            {
                return None;
            }
            let seconds = ffi::PyDateTime_DELTA_GET_DAYS(length) * 86_400
                + ffi::PyDateTime_DELTA_GET_SECONDS(length);
            if seconds % 60 != 0 {
                return None;
            }
            // Python keeps offsets within a day, so the minutes fit.
            (seconds / 60) as i16
        };
        self.0 = Some((zone.own(), minutes));
        Some(minutes)
    }
}

//! Dates and times: RFC 3339, or the form that a call or field asks for.

use octad_core::error::{ErrorCode, quote};
use octad_core::text::time::{Clock, Date, Time};
use pyo3::exceptions::PyOverflowError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{
    PyDate, PyDateAccess, PyDateTime, PyDelta, PyDeltaAccess, PyString, PyTime, PyTimeAccess,
    PyTzInfo,
};

use super::context::{Context, Dates, Zones};
use super::fault::{Outcome, error};
use super::forms::Form;

/// A date and time. `own`: its class has its own way to spell it.
pub fn moment(value: &Bound<'_, PyAny>, own: bool, context: Option<&Context>) -> Outcome<Form> {
    let Some(context) = context else {
        let time = date_time(value)?;
        return if own {
            own_text(value)
        } else {
            Ok(Form::Time(time))
        };
    };
    let in_utc;
    let mut value = value;
    if context.zones != Zones::Keep {
        let naive = is_naive(value)?;
        if context.zones == Zones::Utc {
            in_utc = match to_utc(value, naive) {
                Ok(moment) => moment,
                Err(failure) => return Err(beyond(value, failure)?),
            };
            value = &in_utc;
        } else if naive {
            return Err(naive_refused(value, "zones=\"naive-error\"")?.into());
        }
    }
    match &context.dates {
        Dates::Rfc3339 => {
            let time = date_time(value)?;
            if own {
                own_text(value)
            } else {
                Ok(Form::Time(time))
            }
        }
        Dates::Format(format) => formatted(value, format),
        form => {
            if is_naive(value)? {
                return Err(naive_refused(
                    value,
                    "a count from 1970; zones=\"utc\" takes it as UTC",
                )?
                .into());
            }
            let moment = value.cast::<PyDateTime>().map_err(PyErr::from)?;
            let clock = clock(moment);
            let of_day = i64::from(clock.hour) * 3600
                + i64::from(clock.minute) * 60
                + i64::from(clock.second);
            let local =
                (days(&date(moment)) * 86_400 + of_day) * 1_000_000 + i64::from(clock.nano / 1000);
            let offset = utc_offset(value)?;
            counted(local - offset, offset, form)
        }
    }
}

/// A date.
pub fn day(value: &Bound<'_, PyAny>, context: Option<&Context>) -> Outcome<Form> {
    let day = date(value.cast::<PyDate>().map_err(PyErr::from)?);
    match context.map_or(&Dates::Rfc3339, |context| &context.dates) {
        Dates::Rfc3339 => Ok(Form::Time(Time {
            date: Some(day),
            ..Time::default()
        })),
        Dates::Format(format) => formatted(value, format),
        form => counted(days(&day) * 86_400 * 1_000_000, 0, form),
    }
}

/// A time of day. It is no date: only a field's own format is for it.
pub fn time_of_day(value: &Bound<'_, PyAny>, context: Option<&Context>) -> Outcome<Form> {
    if let Some(context) = context
        && context.own_dates
        && let Dates::Format(format) = &context.dates
    {
        return formatted(value, format);
    }
    Ok(Form::Time(Time {
        date: None,
        clock: Some(clock(value.cast::<PyTime>().map_err(PyErr::from)?)),
        offset: offset(value)?,
    }))
}

fn own_text(value: &Bound<'_, PyAny>) -> Outcome<Form> {
    let text = value.call_method0(intern!(value.py(), "isoformat"))?;
    Ok(Form::Text(text.extract()?))
}

/// Microseconds since 1970, and where they were counted from, east of UTC.
fn counted(micros: i64, offset: i64, form: &Dates) -> Outcome<Form> {
    match form {
        Dates::EpochMillis => Ok(Form::Number(decimal(micros, 1_000))),
        Dates::Microsoft => {
            if micros % 1_000 != 0 {
                return Err(error(ErrorCode::Unrepresentable)
                    .with("target", "a count of milliseconds (`/Date(...)/`)")
                    .with("value", format!("`{}` microseconds", micros))
                    .into());
            }
            let millis = micros / 1_000;
            let minutes = offset / 60_000_000;
            if minutes == 0 {
                return Ok(Form::Text(format!("/Date({millis})/")));
            }
            let sign = if minutes < 0 { '-' } else { '+' };
            let (hours, minutes) = (minutes.abs() / 60, minutes.abs() % 60);
            Ok(Form::Text(format!(
                "/Date({millis}{sign}{hours:02}{minutes:02})/"
            )))
        }
        _ => Ok(Form::Number(decimal(micros, 1_000_000))),
    }
}

/// A quotient by a power of ten, with the digits that it has.
fn decimal(value: i64, divisor: u64) -> String {
    let sign = if value < 0 { "-" } else { "" };
    let value = value.unsigned_abs();
    let (whole, rest) = (value / divisor, value % divisor);
    if rest == 0 {
        return format!("{sign}{whole}");
    }
    let width = divisor.ilog10() as usize;
    let text = format!("{sign}{whole}.{rest:0width$}");
    text.trim_end_matches('0').to_owned()
}

/// Days since 1970 in the calendar that Python has.
fn days(date: &Date) -> i64 {
    // Years begin in March, so that the leap day is the last of them.
    let month = i64::from(date.month);
    let year = i64::from(date.year) - i64::from(month <= 2);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + i64::from(date.day) - 1;
    year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + day_of_year
        - 719_468
}

/// By `strftime`, with years of four digits on every platform.
fn formatted(value: &Bound<'_, PyAny>, format: &str) -> Outcome<Form> {
    let py = value.py();
    let mut format = format.to_owned();
    if let Some(year) = value.getattr_opt(intern!(py, "year"))?
        && let Ok(year @ ..=999) = year.extract::<u16>()
    {
        let year = format!("{year:04}");
        format = format
            .split("%%")
            .map(|part| part.replace("%Y", &year))
            .collect::<Vec<_>>()
            .join("%%");
    }
    let text = value.call_method1(intern!(py, "strftime"), (format,))?;
    Ok(Form::Text(
        text.cast::<PyString>()
            .map_err(PyErr::from)?
            .to_str()?
            .to_owned(),
    ))
}

fn is_naive(value: &Bound<'_, PyAny>) -> Outcome<bool> {
    let py = value.py();
    Ok(value.getattr(intern!(py, "tzinfo"))?.is_none()
        || value.call_method0(intern!(py, "utcoffset"))?.is_none())
}

fn to_utc<'py>(value: &Bound<'py, PyAny>, naive: bool) -> PyResult<Bound<'py, PyAny>> {
    let py = value.py();
    let utc = PyTzInfo::utc(py)?;
    if naive {
        let zone = pyo3::types::PyDict::new(py);
        zone.set_item(intern!(py, "tzinfo"), utc)?;
        return value.call_method(intern!(py, "replace"), (), Some(&zone));
    }
    value.call_method1(intern!(py, "astimezone"), (utc,))
}

/// A date and time that the calendar of Python does not have in UTC.
#[cold]
fn beyond(value: &Bound<'_, PyAny>, failure: PyErr) -> Outcome<Box<super::fault::Fault>> {
    if !failure.is_instance_of::<PyOverflowError>(value.py()) {
        return Err(failure.into());
    }
    let text = value.str()?;
    let found = quote(text.to_string_lossy().as_bytes());
    Ok(error(ErrorCode::InvalidDatetime)
        .with(
            "value",
            format!("{found}, which has no year from 1 to 9999 in UTC"),
        )
        .into())
}

#[cold]
fn naive_refused(value: &Bound<'_, PyAny>, reason: &str) -> Outcome<octad_core::error::Error> {
    let text = value.str()?;
    let found = quote(text.to_string_lossy().as_bytes());
    Ok(error(ErrorCode::InvalidDatetime)
        .with("value", format!("{found} without a zone ({reason})")))
}

/// Microseconds east of UTC.
fn utc_offset(value: &Bound<'_, PyAny>) -> Outcome<i64> {
    let offset = value.call_method0(intern!(value.py(), "utcoffset"))?;
    let offset = offset.cast::<PyDelta>().map_err(PyErr::from)?;
    let seconds = i64::from(offset.get_days()) * 86_400 + i64::from(offset.get_seconds());
    Ok(seconds * 1_000_000 + i64::from(offset.get_microseconds()))
}

fn date(value: &impl PyDateAccess) -> Date {
    Date {
        year: value.get_year() as u16,
        month: value.get_month(),
        day: value.get_day(),
    }
}

fn clock(value: &impl PyTimeAccess) -> Clock {
    Clock {
        hour: value.get_hour(),
        minute: value.get_minute(),
        second: value.get_second(),
        nano: value.get_microsecond() * 1000,
    }
}

fn date_time(value: &Bound<'_, PyAny>) -> Outcome<Time> {
    let moment = value.cast::<PyDateTime>().map_err(PyErr::from)?;
    Ok(Time {
        date: Some(date(moment)),
        clock: Some(clock(moment)),
        offset: offset(value)?,
    })
}

/// Minutes east of UTC. RFC 3339 has no seconds there.
fn offset(value: &Bound<'_, PyAny>) -> Outcome<Option<i16>> {
    let py = value.py();
    let zone = value.getattr(intern!(py, "tzinfo"))?;
    if zone.is_none() {
        return Ok(None);
    }
    if zone.is(&*pyo3::types::PyTzInfo::utc(py)?) {
        return Ok(Some(0));
    }
    let offset = value.call_method0(intern!(py, "utcoffset"))?;
    if offset.is_none() {
        return Ok(None);
    }
    let offset = offset.cast::<PyDelta>().map_err(PyErr::from)?;
    let seconds = offset.get_days() * 86_400 + offset.get_seconds();
    if seconds % 60 != 0 || offset.get_microseconds() != 0 {
        let found = format!("an offset of {seconds} seconds from UTC");
        return Err(error(ErrorCode::InvalidDatetime)
            .with("value", found)
            .into());
    }
    // Python keeps offsets within a day, so the minutes fit.
    Ok(Some((seconds / 60) as i16))
}

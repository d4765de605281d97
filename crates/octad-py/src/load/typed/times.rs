//! Dates, times of day and lengths of time, in the forms that a field may ask for.

use octad_core::error::ErrorCode;
use octad_core::source::Source;
use octad_core::text::time::{Clock, Date, Span, Time as Moment};
use octad_core::token::{Kind, Token, TokenId};
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDate, PyDelta, PyString, PyTime, PyTzInfo};

use super::Runner;
use super::fault::{Flaw, Words};
use super::scalars::is_text;
use crate::cpython::{Obj, new_moment};
use crate::plan::{NodeId, Time, TimeForm, TimeKind, Zones};

/// Time zones that are remembered at most.
const ZONES: usize = 16;

/// Microseconds of a second.
const MICROS: i128 = 1_000_000;

impl<'a, S: Source> Runner<'a, '_, S> {
    #[inline(never)]
    pub(super) fn time(
        &mut self,
        node: NodeId,
        time: &'a Time,
        token: Token,
        id: TokenId,
    ) -> Option<Obj> {
        let wants_text = match time.form {
            TimeForm::Text | TimeForm::Microsoft | TimeForm::Pattern(_) => true,
            TimeForm::Seconds | TimeForm::Milliseconds => false,
        };
        if wants_text {
            if !is_text(token) {
                return self.flaw(Flaw::new(ErrorCode::WrongType, Words::Node(node)), id);
            }
            if let TimeForm::Pattern(pattern) = &time.form {
                return self.by_pattern(node, time, pattern, token, id);
            }
            let py = self.base.py;
            let made = self.with_text(token, id, |text| from_text(py, time, text))?;
            return self.moment(made, node, id);
        }
        let Some(micros) = self.micros(&time.form, token, id)? else {
            return self.flaw(Flaw::new(ErrorCode::WrongType, Words::Node(node)), id);
        };
        let made = from_number(self.base.py, time, micros);
        self.moment(made, node, id)
    }

    /// A date or time of a key's text.
    pub(super) fn time_of_key(
        &mut self,
        node: NodeId,
        time: &'a Time,
        text: &[u8],
        id: TokenId,
    ) -> Option<Obj> {
        let py = self.base.py;
        let made = match &time.form {
            TimeForm::Text | TimeForm::Microsoft => from_text(py, time, text),
            TimeForm::Pattern(pattern) => {
                let text = String::from_utf8_lossy(text);
                let made = by_pattern(py, time.kind, pattern, &text);
                let made = self.called(made, Words::Node(node), id)?;
                return self.zoned(node, time, made, id);
            }
            form => match super::scalars::any_number(text).and_then(|text| scaled(text, form)) {
                Some(micros) => from_number(py, time, micros),
                None => Ok(None),
            },
        };
        self.moment(made, node, id)
    }

    /// A date and time as RFC 3339 writes it, its offset kept: the first `length` of the bytes. None:
    /// it is not usual, or none.
    #[inline(never)]
    pub(super) fn usual_moment(&mut self, bytes: &[u8], length: usize) -> Option<Obj> {
        let moment = Moment::read(bytes.get(..length)?)?;
        let py = self.base.py;
        let zone = match moment.offset {
            None => None,
            Some(offset) => Some(
                match self.zones.iter().position(|(known, _)| *known == offset) {
                    Some(at) => &self.zones[at].1,
                    None => {
                        let zone = zone_of(py, offset).ok()?;
                        if self.zones.len() == ZONES {
                            self.zones.clear();
                        }
                        self.zones.push((offset, zone));
                        &self.zones.last()?.1
                    }
                },
            ),
        };
        new_moment(py, moment.date?, moment.clock?, zone)?.ok()
    }

    /// Some(None): not such a value.
    fn moment(
        &mut self,
        made: PyResult<Option<Bound<'_, PyAny>>>,
        node: NodeId,
        id: TokenId,
    ) -> Option<Obj> {
        match made {
            Ok(Some(made)) => Some(Obj::take(made)),
            Ok(None) => self.invalid(Words::Node(node), id),
            Err(error) => {
                let py = self.base.py;
                // A date beyond the years that Python has.
                if error.is_instance_of::<PyValueError>(py)
                    || error.is_instance_of::<PyOverflowError>(py)
                {
                    return self.invalid(Words::Node(node), id);
                }
                self.python(Err(error))
            }
        }
    }

    /// Microseconds of a number; Some(None) where the value is none.
    fn micros(&mut self, form: &TimeForm, token: Token, id: TokenId) -> Option<Option<i128>> {
        let text = match token.kind() {
            Kind::Int if token.is_owned() => token.int_value().to_string(),
            Kind::Real59 => format!("{:.6}", token.real59_value()),
            Kind::Int | Kind::Real => match self.base.source.decimal(token) {
                Ok(text) => text.into_owned(),
                Err(error) => return self.error(error, id),
            },
            _ => return Some(None),
        };
        Some(Some(scaled(&text, form).unwrap_or(i128::MAX)))
    }

    fn by_pattern(
        &mut self,
        node: NodeId,
        time: &'a Time,
        pattern: &Py<PyString>,
        token: Token,
        id: TokenId,
    ) -> Option<Obj> {
        let text = self.decoded(token, id)?;
        let text = String::from_utf8_lossy(&text);
        let made = by_pattern(self.base.py, time.kind, pattern, &text);
        let made = self.called(made, Words::Node(node), id)?;
        self.zoned(node, time, made, id)
    }

    /// A date and time that Python read, with its offset as it should be.
    fn zoned(&mut self, node: NodeId, time: &Time, made: Obj, id: TokenId) -> Option<Obj> {
        if time.kind != TimeKind::DateTime || time.zones == Zones::Keep {
            return Some(made);
        }
        let py = self.base.py;
        let made = made.into_bound(py);
        let outcome = (|| -> PyResult<Option<Bound<'_, PyAny>>> {
            let utc = PyTzInfo::utc(py)?;
            if made.call_method0("utcoffset")?.is_none() {
                if time.zones == Zones::Required {
                    return Ok(None);
                }
                let zone = pyo3::types::PyDict::new(py);
                zone.set_item("tzinfo", utc)?;
                return made.call_method("replace", (), Some(&zone)).map(Some);
            }
            if time.zones == Zones::Required {
                return Ok(Some(made));
            }
            made.call_method1("astimezone", (utc,)).map(Some)
        })();
        self.moment(outcome, node, id)
    }
}

/// The value that Python's `strptime` reads.
fn by_pattern<'py>(
    py: Python<'py>,
    kind: TimeKind,
    pattern: &Py<PyString>,
    text: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let class = py.import("datetime")?.getattr("datetime")?;
    let read = class.call_method1("strptime", (text, pattern))?;
    match kind {
        TimeKind::Date => read.call_method0("date"),
        TimeKind::Time => read.call_method0("timetz"),
        TimeKind::DateTime | TimeKind::TimeDelta => Ok(read),
    }
}

/// A number as microseconds, rounded towards zero.
fn scaled(text: &str, form: &TimeForm) -> Option<i128> {
    let places = match form {
        TimeForm::Milliseconds => 3,
        _ => 6,
    };
    let (text, exponent) = match text.split_once(['e', 'E']) {
        Some((text, exponent)) => (text, exponent.parse::<i64>().ok()?),
        None => (text, 0),
    };
    let (negative, text) = match text.strip_prefix('-') {
        Some(text) => (true, text),
        None => (false, text),
    };
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let point = (whole.len() as i64)
        .checked_add(exponent)?
        .checked_add(places)?;
    let mut value = 0_i128;
    let mut digits = whole.bytes().chain(fraction.bytes());
    for _ in 0..point.clamp(0, 60) {
        let digit = digits.next().unwrap_or(b'0');
        value = value
            .checked_mul(10)?
            .checked_add(i128::from(digit - b'0'))?;
    }
    if point > 60 && value != 0 {
        return None;
    }
    Some(if negative { -value } else { value })
}

/// None: no such value.
fn from_number<'py>(
    py: Python<'py>,
    time: &Time,
    micros: i128,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let (days, rest) = (
        micros.div_euclid(86_400 * MICROS),
        micros.rem_euclid(86_400 * MICROS),
    );
    let Ok(days) = i32::try_from(days) else {
        return Ok(None);
    };
    if time.kind == TimeKind::TimeDelta {
        let (seconds, micros) = ((rest / MICROS) as i32, (rest % MICROS) as i32);
        return Ok(Some(
            PyDelta::new(py, days, seconds, micros, false)?.into_any(),
        ));
    }
    let Some(date) = Date::from_days(i64::from(days)) else {
        return Ok(None);
    };
    let seconds = (rest / MICROS) as u32;
    let moment = Moment {
        date: Some(date),
        clock: Some(Clock {
            hour: (seconds / 3600) as u8,
            minute: (seconds / 60 % 60) as u8,
            second: (seconds % 60) as u8,
            nano: (rest % MICROS) as u32 * 1000,
        }),
        offset: Some(0),
    };
    match time.kind {
        TimeKind::Date => Ok(Some(date_of(py, date)?)),
        _ => date_time(py, moment, Zones::Keep),
    }
}

/// None: no such value.
fn from_text<'py>(
    py: Python<'py>,
    time: &Time,
    text: &[u8],
) -> PyResult<Option<Bound<'py, PyAny>>> {
    if matches!(time.form, TimeForm::Microsoft) {
        return match microsoft(text) {
            Some((micros, offset)) => {
                let made = from_number(py, time, micros)?;
                match (made, offset) {
                    (Some(made), Some(offset)) if time.zones != Zones::Utc => {
                        let zone = zone_of(py, offset)?;
                        made.call_method1("astimezone", (zone,)).map(Some)
                    }
                    (made, _) => Ok(made),
                }
            }
            None => Ok(None),
        };
    }
    match time.kind {
        TimeKind::DateTime => match Moment::read(text) {
            Some(moment) => date_time(py, moment, time.zones),
            None => Ok(None),
        },
        TimeKind::Date => match Date::read(text) {
            Some(date) => Ok(Some(date_of(py, date)?)),
            None => Ok(None),
        },
        TimeKind::Time => match Moment::read_clock(text) {
            Some((clock, offset)) => time_of_day(py, clock, offset, time.zones),
            None => Ok(None),
        },
        TimeKind::TimeDelta => match Span::read(text) {
            Some(span) => length(py, span),
            None => Ok(None),
        },
    }
}

fn date_of(py: Python<'_>, date: Date) -> PyResult<Bound<'_, PyAny>> {
    Ok(PyDate::new(py, date.year.into(), date.month, date.day)?.into_any())
}

/// What Python cannot hold is None: a second 60, billionths, the year 0.
fn date_time(py: Python<'_>, moment: Moment, zones: Zones) -> PyResult<Option<Bound<'_, PyAny>>> {
    let mut moment = moment;
    match (zones, moment.offset) {
        (Zones::Required, None) => return Ok(None),
        (Zones::Utc, offset) => match moment.earlier(offset.unwrap_or(0)) {
            Some(turned) => {
                moment = Moment {
                    offset: Some(0),
                    ..turned
                }
            }
            None => return Ok(None),
        },
        _ => {}
    }
    let (Some(date), Some(clock)) = (moment.date, moment.clock) else {
        return Ok(None);
    };
    let zone = moment
        .offset
        .map(|offset| zone_of(py, offset))
        .transpose()?;
    let made = new_moment(py, date, clock, zone.as_ref()).transpose()?;
    Ok(made.map(|made| made.into_bound(py)))
}

fn time_of_day(
    py: Python<'_>,
    clock: Clock,
    offset: Option<i16>,
    zones: Zones,
) -> PyResult<Option<Bound<'_, PyAny>>> {
    // A time of day has no day to be turned to UTC with.
    if zones == Zones::Required && offset.is_none() {
        return Ok(None);
    }
    let Some(micros) = micros_of(clock) else {
        return Ok(None);
    };
    let zone = offset.map(|offset| zone_of(py, offset)).transpose()?;
    let made = PyTime::new(
        py,
        clock.hour,
        clock.minute,
        clock.second,
        micros,
        zone.as_ref(),
    )?;
    Ok(Some(made.into_any()))
}

fn length(py: Python<'_>, span: Span) -> PyResult<Option<Bound<'_, PyAny>>> {
    let Ok(days) = i32::try_from(span.days) else {
        return Ok(None);
    };
    if !span.nano.is_multiple_of(1000) {
        return Ok(None);
    }
    let (seconds, micros) = (span.seconds as i32, (span.nano / 1000) as i32);
    let sign = if span.negative { -1 } else { 1 };
    let made = PyDelta::new(py, sign * days, sign * seconds, sign * micros, true)?;
    Ok(Some(made.into_any()))
}

/// None: a second 60, or billionths, which Python does not have.
fn micros_of(clock: Clock) -> Option<u32> {
    (clock.second < 60 && clock.nano.is_multiple_of(1000)).then_some(clock.nano / 1000)
}

fn zone_of(py: Python<'_>, offset: i16) -> PyResult<Bound<'_, PyTzInfo>> {
    if offset == 0 {
        return Ok(PyTzInfo::utc(py)?.to_owned());
    }
    let offset = PyDelta::new(py, 0, i32::from(offset) * 60, 0, true)?;
    PyTzInfo::fixed_offset(py, offset)
}

/// Microseconds since 1970 and the offset in minutes of `/Date(1700000000000+0100)/`.
fn microsoft(text: &[u8]) -> Option<(i128, Option<i16>)> {
    let text = core::str::from_utf8(text).ok()?;
    let inner = text.strip_prefix("/Date(")?.strip_suffix(")/")?;
    let sign = inner
        .char_indices()
        .skip(1)
        .find(|(_, ch)| matches!(ch, '+' | '-'));
    let (millis, offset) = match sign {
        None => (inner, None),
        Some((at, sign)) => {
            let digits = &inner[at + 1..];
            if digits.len() != 4 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            let (hours, minutes) = digits.split_at(2);
            let (hours, minutes) = (hours.parse::<i16>().ok()?, minutes.parse::<i16>().ok()?);
            if hours > 23 || minutes > 59 {
                return None;
            }
            let offset = hours * 60 + minutes;
            (
                &inner[..at],
                Some(if sign == '-' { -offset } else { offset }),
            )
        }
    };
    let millis = super::scalars::whole_number(millis.as_bytes())?
        .parse::<i64>()
        .ok()?;
    Some((i128::from(millis) * 1000, offset))
}

#[cfg(test)]
mod tests {
    use super::{microsoft, scaled};
    use crate::plan::TimeForm;

    #[test]
    fn numbers_become_microseconds() {
        for (text, micros) in [
            ("0", 0),
            ("-1", -1_000_000),
            ("1.5", 1_500_000),
            ("1.0000019", 1_000_001),
            ("15e-1", 1_500_000),
            ("1e3", 1_000_000_000),
            ("0.5e1", 5_000_000),
        ] {
            assert_eq!(scaled(text, &TimeForm::Seconds), Some(micros), "{text}");
        }
        assert_eq!(scaled("1.5", &TimeForm::Milliseconds), Some(1_500));
        assert_eq!(scaled("1e300", &TimeForm::Seconds), None);
        assert_eq!(scaled("1e-300", &TimeForm::Seconds), Some(0));
    }

    #[test]
    fn the_dates_of_microsoft_have_an_offset_or_none() {
        assert_eq!(microsoft(b"/Date(1000)/"), Some((1_000_000, None)));
        assert_eq!(
            microsoft(b"/Date(-1000-0130)/"),
            Some((-1_000_000, Some(-90)))
        );
        for text in [
            "/Date()/",
            "/Date(1)",
            "/Date(1+1)/",
            "/Date(1.5)/",
            "/Date(1+9900)/",
        ] {
            assert_eq!(microsoft(text.as_bytes()), None, "{text}");
        }
    }
}

//! Dates, times of day and lengths of time as the text formats write them.
//!
//! What is written has been checked by whoever made it; what is read is checked here, by the
//! calendar. Dates and times take the RFC 3339 form (`2024-02-29T08:30:00.250000+01:00`; without an
//! offset where none is known), lengths of time the ISO 8601 form (`-P1DT2H3M4.5S`).

use crate::scan::PAIRS;

/// A day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Date {
    /// From 0 to 9999.
    pub year: u16,
    /// From 1.
    pub month: u8,
    /// From 1.
    pub day: u8,
}

/// A time of day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// From 0 to 23.
    pub hour: u8,
    /// From 0 to 59.
    pub minute: u8,
    /// From 0 to 60.
    pub second: u8,
    /// The fraction of the second.
    pub nano: u32,
}

/// A date, a time of day, or both, with an offset from UTC where one is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Time {
    /// The day.
    pub date: Option<Date>,
    /// The time of day.
    pub clock: Option<Clock>,
    /// Minutes east of UTC.
    pub offset: Option<i16>,
}

/// A length of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// True for a length below zero.
    pub negative: bool,
    /// Whole days of 86,400 seconds.
    pub days: u64,
    /// Seconds beyond the days.
    pub seconds: u32,
    /// The fraction of the second.
    pub nano: u32,
}

#[inline(always)]
fn two(value: u32) -> [u8; 2] {
    PAIRS[value as usize % 100]
}

/// The form of a [`Time`], with room for what a format puts in front of it and behind it.
#[derive(Clone, Copy)]
pub struct Spelled {
    bytes: [u8; Self::ROOM],
    /// Behind the last character; the first one stands at 1.
    end: usize,
}

impl Spelled {
    /// The 35 characters of the longest form, a byte in front and two behind, in whole blocks of
    /// sixteen.
    pub const ROOM: usize = 48;

    /// Puts bytes at the end; they fit, as the longest form does.
    #[inline(always)]
    fn put<const N: usize>(&mut self, bytes: [u8; N]) {
        if let Some(to) = self.bytes.get_mut(self.end..)
            && let Some(to) = to.first_chunk_mut()
        {
            *to = bytes;
            self.end += N;
        }
    }

    /// Six digits where they suffice, else nine: no digit is cut, and microseconds look as
    /// everywhere.
    fn fraction(&mut self, nano: u32) {
        let micro = nano / 1000;
        self.put([b'.']);
        self.put(two(micro / 10_000));
        self.put(two(micro / 100));
        self.put(two(micro));
        let rest = nano % 1000;
        if rest != 0 {
            self.put([b'0' + (rest / 100) as u8]);
            self.put(two(rest));
        }
    }

    /// The characters.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        self.bytes.get(1..self.end).unwrap_or_default()
    }

    /// The characters in quotes with a comma behind them, and how many these are; the bytes behind
    /// do not count.
    #[inline(always)]
    #[must_use]
    pub fn quoted(mut self) -> ([u8; Self::ROOM], usize) {
        self.bytes[0] = b'"';
        self.put(*b"\",");
        (self.bytes, self.end)
    }
}

impl Time {
    /// The RFC 3339 form, or the part of it that is there.
    #[inline]
    #[must_use]
    pub fn spell(&self) -> Spelled {
        let mut out = Spelled {
            bytes: [0; Spelled::ROOM],
            end: 1,
        };
        if let Some(date) = self.date {
            let year = u32::from(date.year);
            let ([a, b], [c, d]) = (two(year / 100), two(year));
            let ([e, f], [g, h]) = (two(date.month.into()), two(date.day.into()));
            out.put([a, b, c, d, b'-', e, f, b'-', g, h, b'T']);
            out.end -= usize::from(self.clock.is_none());
        }
        if let Some(clock) = self.clock {
            let ([a, b], [c, d]) = (two(clock.hour.into()), two(clock.minute.into()));
            let [e, f] = two(clock.second.into());
            out.put([a, b, b':', c, d, b':', e, f]);
            if clock.nano != 0 {
                out.fraction(clock.nano);
            }
        }
        if let Some(offset) = self.offset {
            let minutes = u32::from(offset.unsigned_abs());
            let ([a, b], [c, d]) = (two(minutes / 60), two(minutes % 60));
            out.put([if offset < 0 { b'-' } else { b'+' }, a, b, b':', c, d]);
        }
        out
    }

    /// Appends the RFC 3339 form, or the part of it that is there.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.spell().text());
    }
}

impl Span {
    /// Appends the ISO 8601 form: days, hours, minutes and seconds, those that are zero left out.
    /// The fraction has no trailing zeros; no time at all is `PT0S`.
    pub fn write(&self, out: &mut Vec<u8>) {
        let (hours, minutes, seconds) = (
            self.seconds / 3600,
            self.seconds / 60 % 60,
            self.seconds % 60,
        );
        let mut text = String::from(if self.negative { "-P" } else { "P" });
        let mut part = |value: u64, letter: char| {
            if value != 0 {
                text.push_str(&value.to_string());
                text.push(letter);
            }
        };
        part(self.days, 'D');
        if self.seconds != 0 || self.nano != 0 {
            text.push('T');
            let mut part = |value: u32, letter: char| {
                if value != 0 {
                    text.push_str(&value.to_string());
                    text.push(letter);
                }
            };
            part(hours, 'H');
            part(minutes, 'M');
            if seconds != 0 || self.nano != 0 {
                text.push_str(&seconds.to_string());
                if self.nano != 0 {
                    text.push('.');
                    text.push_str(format!("{:09}", self.nano).trim_end_matches('0'));
                }
                text.push('S');
            }
        } else if self.days == 0 {
            text.push_str("T0S");
        }
        out.extend_from_slice(text.as_bytes());
    }
}

/// The days of a month of the Gregorian calendar.
#[must_use]
pub fn days_in(year: u16, month: u8) -> u8 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 => 28 + u8::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

impl Time {
    /// The date and time of a whole text in the RFC 3339 form; the letter between them may be a
    /// blank, and the offset may be left out. A second 60 is accepted.
    #[inline]
    #[must_use]
    pub fn read(text: &[u8]) -> Option<Self> {
        let (head, tail) = text.split_first_chunk::<19>()?;
        let (date, clock) = read_usual(head).or_else(|| read_any(head))?;
        let (nano, rest) = match tail {
            [b'.', digits @ ..] => read_fraction(digits)?,
            _ => (0, tail),
        };
        Some(Self {
            date: Some(date),
            clock: Some(Clock { nano, ..clock }),
            offset: read_offset(rest)?,
        })
    }

    /// The time of day of a whole text, with its offset in minutes where it has one.
    #[inline]
    #[must_use]
    pub fn read_clock(text: &[u8]) -> Option<(Clock, Option<i16>)> {
        let (clock, mut rest) = text.split_first_chunk::<8>()?;
        let &[h1, h2, b':', m1, m2, b':', s1, s2] = clock else {
            return None;
        };
        let (hour, minute, second) = (pair(h1, h2)?, pair(m1, m2)?, pair(s1, s2)?);
        if hour > 23 || minute > 59 || second > 60 {
            return None;
        }
        let mut nano = 0;
        if let [b'.', digits @ ..] = rest {
            (nano, rest) = read_fraction(digits)?;
        }
        let clock = Clock {
            hour,
            minute,
            second,
            nano,
        };
        Some((clock, read_offset(rest)?))
    }
}

impl Time {
    /// So many minutes earlier: the same moment elsewhere. None: beyond the years 0 to 9999.
    #[must_use]
    pub fn earlier(self, minutes: i16) -> Option<Self> {
        let (date, clock) = (self.date?, self.clock?);
        let of_day = i64::from(clock.hour) * 60 + i64::from(clock.minute) - i64::from(minutes);
        let day = date.days() + of_day.div_euclid(24 * 60);
        let of_day = of_day.rem_euclid(24 * 60);
        Some(Self {
            date: Some(Date::from_days(day)?),
            clock: Some(Clock {
                hour: (of_day / 60) as u8,
                minute: (of_day % 60) as u8,
                ..clock
            }),
            ..self
        })
    }
}

/// Days from the first of March of the year 0 to the first of January 1970.
const EPOCH: i64 = 719_468;
/// Days of 400 years, after which the calendar repeats.
const ERA: i64 = 146_097;

impl Date {
    /// Days since the first of January 1970.
    #[must_use]
    pub fn days(self) -> i64 {
        // Years that begin in March have the day that is not always there at their end.
        let month = (i64::from(self.month) + 9) % 12;
        let year = i64::from(self.year) - i64::from(month >= 10);
        let of_year = (153 * month + 2) / 5 + i64::from(self.day) - 1;
        year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + of_year
            - EPOCH
    }

    /// The day so many days after the first of January 1970. None: beyond the years 0 to 9999.
    #[must_use]
    pub fn from_days(days: i64) -> Option<Self> {
        let days = days.checked_add(EPOCH)?;
        let (era, of_era) = (days.div_euclid(ERA), days.rem_euclid(ERA));
        let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year + year / 4 - year / 100);
        let month = (5 * of_year + 2) / 153;
        let day = of_year - (153 * month + 2) / 5 + 1;
        let year = era.checked_mul(400)? + year + i64::from(month >= 10);
        Some(Self {
            year: u16::try_from(year).ok().filter(|year| *year <= 9999)?,
            month: ((month + 2) % 12 + 1) as u8,
            day: day as u8,
        })
    }
}

impl Date {
    /// The day of a whole text: `2024-02-29`.
    #[inline]
    #[must_use]
    pub fn read(text: &[u8]) -> Option<Self> {
        let &[c1, c2, y1, y2, b'-', m1, m2, b'-', d1, d2] = text else {
            return None;
        };
        let date = Self {
            year: u16::from(pair(c1, c2)?) * 100 + u16::from(pair(y1, y2)?),
            month: pair(m1, m2)?,
            day: pair(d1, d2)?,
        };
        date.is_in_calendar().then_some(date)
    }

    #[inline(always)]
    fn is_in_calendar(self) -> bool {
        (1..=12).contains(&self.month)
            && self.day >= 1
            && (self.day <= 28 || self.day <= days_in(self.year, self.month))
    }
}

impl Span {
    /// The length of time of a whole text in the ISO 8601 form: weeks, days, hours, minutes and
    /// seconds, each at most once and in this order. Years and months have no fixed length and are
    /// not accepted; seconds may have a fraction.
    #[must_use]
    pub fn read(text: &[u8]) -> Option<Self> {
        let (negative, rest) = match text {
            [b'-', rest @ ..] => (true, rest),
            [b'+', rest @ ..] => (false, rest),
            _ => (false, text),
        };
        let [b'P', rest @ ..] = rest else {
            return None;
        };
        let mut rest = rest;
        let (mut nano, mut seconds, mut days) = (0, 0_u64, 0_u64);
        let (mut in_clock, mut place, mut any) = (false, 0, false);
        while !rest.is_empty() {
            if let [b'T', clock @ ..] = rest {
                if in_clock || clock.is_empty() {
                    return None;
                }
                (in_clock, place, rest) = (true, 2, clock);
                continue;
            }
            let (count, after) = read_count(rest)?;
            let mut after = after;
            let mut fraction = None;
            if let [b'.' | b',', digits @ ..] = after {
                let (found, behind) = read_fraction(digits)?;
                (fraction, after) = (Some(found), behind);
            }
            let (&letter, behind) = after.split_first()?;
            let (order, unit) = match (letter, in_clock) {
                (b'W', false) => (1, 7),
                (b'D', false) => (2, 1),
                (b'H', true) => (3, 3600),
                (b'M', true) => (4, 60),
                (b'S', true) => (5, 1),
                _ => return None,
            };
            if order <= place || fraction.is_some() && letter != b'S' {
                return None;
            }
            place = order;
            let total = if in_clock { &mut seconds } else { &mut days };
            *total = total.checked_add(count.checked_mul(unit)?)?;
            nano = fraction.unwrap_or(0);
            (rest, any) = (behind, true);
        }
        any.then_some(())?;
        Some(Self {
            negative,
            days: days.checked_add(seconds / 86_400)?,
            seconds: (seconds % 86_400) as u32,
            nano,
        })
    }
}

/// A date and time up to its seconds, with a `T` in between, eight bytes at a time. None: it is
/// spelled otherwise, or no calendar has it.
#[inline(always)]
fn read_usual(text: &[u8; 19]) -> Option<(Date, Clock)> {
    // Where digits are, and what else there is.
    const ZEROS: u64 = u64::from_le_bytes(*b"0000-00-");
    const MORE_ZEROS: u64 = u64::from_le_bytes(*b"00T00:00");
    const DATE: u64 = u64::from_le_bytes([15, 15, 15, 15, 0, 15, 15, 0]);
    const REST: u64 = u64::from_le_bytes([15, 15, 0, 15, 15, 0, 15, 15]);
    const SIXES: u64 = 0x0606_0606_0606_0606;
    let [first @ .., _, _, _, _, _, _, _, _, _, _, _] = *text;
    let [_, _, _, _, _, _, _, _, second @ .., _, _, _] = *text;
    let [.., colon, s1, s2] = *text;
    let first = u64::from_le_bytes(first) ^ ZEROS;
    let second = u64::from_le_bytes(second) ^ MORE_ZEROS;
    let last = u64::from(s1 ^ b'0') | u64::from(s2 ^ b'0') << 8;
    // Now each byte should be a digit's value, or zero where something else stands: at most 9 and
    // at most 0, and so still no more than 15 and 0 with 6 added to the digits.
    let strange = (first | first.wrapping_add(SIXES & DATE)) & !DATE
        | (second | second.wrapping_add(SIXES & REST)) & !REST
        | (last | last.wrapping_add(0x0606)) & !0x0f0f;
    if strange != 0 || colon != b':' {
        return None;
    }
    let byte = |word: u64, at: u32| (word >> (8 * at)) as u8;
    let pair = |word: u64, at: u32| byte(word, at) * 10 + byte(word, at + 1);
    let date = Date {
        year: u16::from(pair(first, 0)) * 100 + u16::from(pair(first, 2)),
        month: pair(first, 5),
        day: pair(second, 0),
    };
    let clock = Clock {
        hour: pair(second, 3),
        minute: pair(second, 6),
        second: pair(last, 0),
        nano: 0,
    };
    (date.is_in_calendar() && clock.hour <= 23 && clock.minute <= 59 && clock.second <= 60)
        .then_some((date, clock))
}

/// The same with any letter that may stand between date and time.
#[cold]
fn read_any(text: &[u8; 19]) -> Option<(Date, Clock)> {
    let (date, rest) = text.split_first_chunk::<10>()?;
    let [b'T' | b't' | b' ', clock @ ..] = rest else {
        return None;
    };
    let (clock, None) = Time::read_clock(clock)? else {
        return None;
    };
    Some((Date::read(date)?, clock))
}

/// An offset from UTC in minutes, which may be left out.
#[inline(always)]
fn read_offset(text: &[u8]) -> Option<Option<i16>> {
    match *text {
        [] => Some(None),
        [b'Z' | b'z'] => Some(Some(0)),
        [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] => {
            let (hours, minutes) = (pair(h1, h2)?, pair(m1, m2)?);
            if hours > 23 || minutes > 59 {
                return None;
            }
            let offset = i16::from(hours) * 60 + i16::from(minutes);
            Some(Some(if sign == b'-' { -offset } else { offset }))
        }
        _ => None,
    }
}

/// The number of two digits.
#[inline(always)]
fn pair(high: u8, low: u8) -> Option<u8> {
    let (high, low) = (high.wrapping_sub(b'0'), low.wrapping_sub(b'0'));
    (high < 10 && low < 10).then(|| high * 10 + low)
}

/// The digits behind a point as billionths, and what follows them. Digits beyond the ninth must be
/// zeros.
fn read_fraction(text: &[u8]) -> Option<(u32, &[u8])> {
    let length = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, rest) = text.split_at(length);
    if digits.is_empty() {
        return None;
    }
    let mut nano = 0;
    for place in 0..9 {
        nano = nano * 10 + u32::from(digits.get(place).map_or(0, |digit| digit - b'0'));
    }
    let beyond = digits.get(9..).unwrap_or_default();
    beyond
        .iter()
        .all(|digit| *digit == b'0')
        .then_some((nano, rest))
}

/// A whole number and what follows it.
fn read_count(text: &[u8]) -> Option<(u64, &[u8])> {
    let length = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, rest) = text.split_at(length);
    let count = core::str::from_utf8(digits).ok()?.parse().ok()?;
    Some((count, rest))
}

#[cfg(test)]
#[path = "time_tests.rs"]
mod tests;

//! Dates, times of day and lengths of time as the text formats write them.
//!
//! Holds fields, knows no calendar: whoever makes a value has checked it. Dates and times take the
//! RFC 3339 form (`2024-02-29T08:30:00.250000+01:00`; without an offset where none is known),
//! lengths of time the ISO 8601 form (`-P1DT2H3M4.5S`).

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

fn two(value: u8, out: &mut Vec<u8>) {
    out.extend_from_slice(&[b'0' + value / 10 % 10, b'0' + value % 10]);
}

/// Six digits where they suffice, else nine: no digit is cut, and microseconds look as everywhere.
fn fraction(nano: u32, out: &mut Vec<u8>) {
    if nano == 0 {
        return;
    }
    let (mut rest, width) = if nano.is_multiple_of(1000) {
        (nano / 1000, 6)
    } else {
        (nano, 9)
    };
    let mut digits = [b'0'; 9];
    for digit in digits[..width].iter_mut().rev() {
        *digit = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    out.push(b'.');
    out.extend_from_slice(&digits[..width]);
}

impl Time {
    /// Appends the RFC 3339 form, or the part of it that is there.
    pub fn write(&self, out: &mut Vec<u8>) {
        if let Some(date) = self.date {
            two((date.year / 100) as u8, out);
            two((date.year % 100) as u8, out);
            out.push(b'-');
            two(date.month, out);
            out.push(b'-');
            two(date.day, out);
            if self.clock.is_some() {
                out.push(b'T');
            }
        }
        if let Some(clock) = self.clock {
            two(clock.hour, out);
            out.push(b':');
            two(clock.minute, out);
            out.push(b':');
            two(clock.second, out);
            fraction(clock.nano, out);
        }
        if let Some(offset) = self.offset {
            out.push(if offset < 0 { b'-' } else { b'+' });
            let minutes = offset.unsigned_abs();
            two((minutes / 60) as u8, out);
            out.push(b':');
            two((minutes % 60) as u8, out);
        }
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

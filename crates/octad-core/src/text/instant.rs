//! Points in time as binary formats count them: seconds from 1970-01-01T00:00:00Z, and nanoseconds.
//!
//! The calendar is the proleptic Gregorian one, without leap seconds. Years beyond 0 to 9999 have a
//! count but no RFC 3339 form.

use super::time::{Clock, Date, Time};

/// A point in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant {
    /// Whole seconds from the epoch, rounded down.
    pub seconds: i64,
    /// Nanoseconds beyond them, below 1,000,000,000.
    pub nano: u32,
}

const DAY: i64 = 86_400;
/// Days of 400 years, after which the calendar repeats.
const CYCLE: i64 = 146_097;
/// Days from 0000-03-01, which starts a cycle behind its leap day, to the epoch.
const SHIFT: i64 = 719_468;

impl Instant {
    /// The date and time in UTC; `None` outside of the years 0 to 9999.
    #[must_use]
    pub fn to_utc(self) -> Option<Time> {
        let (days, second) = (self.seconds.div_euclid(DAY), self.seconds.rem_euclid(DAY));
        let days = days.checked_add(SHIFT)?;
        let (cycle, day) = (days.div_euclid(CYCLE), days.rem_euclid(CYCLE));
        // Years are counted from March, so that a leap day is the last one of its year.
        let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let month = (5 * day + 2) / 153;
        let date = (153 * month + 2) / 5;
        let (month, later) = if month < 10 {
            (month + 3, 0)
        } else {
            (month - 9, 1)
        };
        let year = year + cycle.checked_mul(400)? + later;
        if !(0..=9999).contains(&year) {
            return None;
        }
        let second = second as u32;
        Some(Time {
            date: Some(Date {
                year: year as u16,
                month: month as u8,
                day: (day - date + 1) as u8,
            }),
            clock: Some(Clock {
                hour: (second / 3600) as u8,
                minute: (second / 60 % 60) as u8,
                second: (second % 60) as u8,
                nano: self.nano,
            }),
            offset: Some(0),
        })
    }

    /// The point in time of a date and a time of day with an offset from UTC; `None` where one of
    /// the three is missing. A leap second is the first one of the next minute.
    #[must_use]
    pub fn from_time(time: &Time) -> Option<Self> {
        let (date, clock, offset) = (time.date?, time.clock?, time.offset?);
        let early = date.month <= 2;
        let year = i64::from(date.year) - i64::from(early);
        let month = i64::from(date.month) + if early { 9 } else { -3 };
        let cycle = year.div_euclid(400);
        let in_cycle = year.rem_euclid(400);
        let day = (153 * month + 2) / 5 + i64::from(date.day) - 1;
        let days = cycle * CYCLE + in_cycle * 365 + in_cycle / 4 - in_cycle / 100 + day - SHIFT;
        let minutes = i64::from(clock.hour) * 60 + i64::from(clock.minute) - i64::from(offset);
        Some(Self {
            seconds: days * DAY + minutes * 60 + i64::from(clock.second),
            nano: clock.nano,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{DAY, Instant};

    fn text(seconds: i64, nano: u32) -> String {
        let mut out = Vec::new();
        match (Instant { seconds, nano }).to_utc() {
            Some(time) => time.write(&mut out),
            None => out.extend_from_slice(b"no date"),
        }
        String::from_utf8(out).expect("dates are ASCII")
    }

    #[test]
    fn known_points_have_their_dates() {
        assert_eq!(text(0, 0), "1970-01-01T00:00:00+00:00");
        assert_eq!(text(-1, 999_999_999), "1969-12-31T23:59:59.999999999+00:00");
        assert_eq!(text(951_782_400, 0), "2000-02-29T00:00:00+00:00");
        assert_eq!(text(4_102_444_799, 0), "2099-12-31T23:59:59+00:00");
        assert_eq!(text(-62_135_596_800, 0), "0001-01-01T00:00:00+00:00");
        assert_eq!(text(-62_167_219_200, 0), "0000-01-01T00:00:00+00:00");
        assert_eq!(text(-62_167_219_201, 0), "no date");
        assert_eq!(text(253_402_300_799, 0), "9999-12-31T23:59:59+00:00");
        assert_eq!(text(253_402_300_800, 0), "no date");
        assert_eq!(text(i64::MAX, 0), "no date");
        assert_eq!(text(i64::MIN, 0), "no date");
    }

    #[test]
    fn dates_and_points_agree_on_every_day() {
        let (first, last) = (-62_167_219_200 / DAY, 253_402_300_799 / DAY);
        let mut before = None;
        for day in first..=last {
            let point = Instant {
                seconds: day * DAY + 45_296,
                nano: 7,
            };
            let time = point.to_utc().expect("within the years of four digits");
            assert_eq!(Instant::from_time(&time), Some(point));
            let date = time.date.expect("a date");
            let order = (date.year, date.month, date.day);
            assert!(before < Some(order));
            before = Some(order);
        }
    }

    #[test]
    fn an_offset_is_taken_off_and_a_part_is_no_point() {
        let mut time = Instant {
            seconds: 0,
            nano: 0,
        }
        .to_utc()
        .expect("the epoch");
        time.offset = Some(90);
        let point = Instant::from_time(&time).expect("a whole time");
        assert_eq!(point.seconds, -5400);
        time.offset = None;
        assert_eq!(Instant::from_time(&time), None);
    }
}

//! Dates, times and lengths of time are read as they are written, and nothing else is.

use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

use super::{Clock, Date, Span, Time, days_in};

fn written(time: &Time) -> String {
    let mut out = Vec::new();
    time.write(&mut out);
    String::from_utf8(out).expect("ascii")
}

fn time(text: &str) -> Option<Time> {
    Time::read(text.as_bytes())
}

#[test]
fn the_forms_of_rfc_3339_are_read() {
    let read = time("2024-02-29T23:59:59.25+01:30").expect("well formed");
    let date = Date {
        year: 2024,
        month: 2,
        day: 29,
    };
    let clock = Clock {
        hour: 23,
        minute: 59,
        second: 59,
        nano: 250_000_000,
    };
    assert_eq!(read.date, Some(date));
    assert_eq!(read.clock, Some(clock));
    assert_eq!(read.offset, Some(90));
    for (text, offset) in [
        ("0001-01-01T00:00:00Z", Some(0)),
        ("9999-12-31 23:59:60z", Some(0)),
        ("2000-02-29t00:00:00-00:00", Some(0)),
        ("2000-02-29T00:00:00-23:59", Some(-1439)),
        ("2000-02-29T00:00:00.123456789000", None),
    ] {
        assert_eq!(time(text).map(|time| time.offset), Some(offset), "{text}");
    }
}

#[test]
fn what_no_calendar_has_is_refused() {
    for text in [
        "",
        "2024-02-29",
        "2023-02-29T00:00:00Z",
        "1900-02-29T00:00:00Z",
        "2024-13-01T00:00:00Z",
        "2024-00-01T00:00:00Z",
        "2024-04-31T00:00:00Z",
        "2024-01-00T00:00:00Z",
        "2024-01-01T24:00:00Z",
        "2024-01-01T00:60:00Z",
        "2024-01-01T00:00:61Z",
        "2024-01-01T00:00Z",
        "2024-01-01T00:00:00+24:00",
        "2024-01-01T00:00:00+00:60",
        "2024-01-01T00:00:00+0100",
        "2024-01-01T00:00:00+01",
        "2024-01-01T00:00:00.Z",
        "2024-01-01T00:00:00.1234567891Z",
        "2024-01-01T00:00:00ZZ",
        "2024-01-01_00:00:00Z",
        "24-01-01T00:00:00Z",
        "2024-1-1T0:0:0Z",
        "+024-01-01T00:00:00Z",
        "2024-01-01T00:00:00 Z",
        " 2024-01-01T00:00:00Z",
        "２024-01-01T00:00:00Z",
    ] {
        assert_eq!(time(text), None, "{text}");
    }
}

/// The same as `Time::read`, a part at a time and one byte after the other.
fn read_slowly(text: &[u8]) -> Option<Time> {
    let mut rest = text.iter().copied().peekable();
    let number = |rest: &mut dyn Iterator<Item = u8>, digits: usize| {
        let mut value = 0;
        for _ in 0..digits {
            value = value * 10 + rest.next().and_then(|byte| char::from(byte).to_digit(10))?;
        }
        Some(value)
    };
    let year = number(&mut rest, 4)?;
    rest.next_if_eq(&b'-')?;
    let month = number(&mut rest, 2)?;
    rest.next_if_eq(&b'-')?;
    let day = number(&mut rest, 2)?;
    rest.next_if(|byte| b"Tt ".contains(byte))?;
    let hour = number(&mut rest, 2)?;
    rest.next_if_eq(&b':')?;
    let minute = number(&mut rest, 2)?;
    rest.next_if_eq(&b':')?;
    let second = number(&mut rest, 2)?;
    let mut digits = String::new();
    if rest.next_if_eq(&b'.').is_some() {
        while let Some(digit) = rest.next_if(u8::is_ascii_digit) {
            digits.push(digit.into());
        }
        if digits.is_empty() || digits.bytes().skip(9).any(|digit| digit != b'0') {
            return None;
        }
    }
    let offset = match rest.next() {
        None => None,
        Some(b'Z' | b'z') => Some(0),
        Some(sign @ (b'+' | b'-')) => {
            let hours = number(&mut rest, 2)?;
            rest.next_if_eq(&b':')?;
            let minutes = number(&mut rest, 2)?;
            let offset = (hours * 60 + minutes) as i16;
            let within = hours < 24 && minutes < 60;
            within.then_some(Some(if sign == b'-' { -offset } else { offset }))?
        }
        Some(_) => return None,
    };
    let days = match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        _ => 0,
    };
    let within = (1..=days).contains(&day) && hour < 24 && minute < 60 && second < 61;
    let time = Time {
        date: Some(Date {
            year: year as u16,
            month: month as u8,
            day: day as u8,
        }),
        clock: Some(Clock {
            hour: hour as u8,
            minute: minute as u8,
            second: second as u8,
            nano: format!("{digits:0<9}")[..9].parse().expect("digits"),
        }),
        offset,
    };
    (rest.next().is_none() && within).then_some(time)
}

#[test]
fn any_byte_at_any_place_is_read_as_one_after_the_other_is() {
    for text in [
        "2024-02-29T23:59:59",
        "1999-12-31T08:05:60Z",
        "2024-10-09T20:30:40.123456789-09:45",
        "0000-01-01t00:00:00.5z",
        "2000-02-29 19:08:07+23:59",
    ] {
        assert!(read_slowly(text.as_bytes()).is_some(), "{text}");
        for length in 0..=text.len() {
            let bytes = &text.as_bytes()[..length];
            assert_eq!(
                Time::read(bytes),
                read_slowly(bytes),
                "{text} up to {length}"
            );
        }
        for place in 0..=text.len() {
            for byte in 0..=u8::MAX {
                let mut bytes = text.as_bytes().to_vec();
                bytes.insert(place, byte);
                assert_eq!(Time::read(&bytes), read_slowly(&bytes), "{bytes:?}");
                bytes.remove((place + 1) % bytes.len());
                assert_eq!(Time::read(&bytes), read_slowly(&bytes), "{bytes:?}");
                bytes.remove(place % bytes.len());
                assert_eq!(Time::read(&bytes), read_slowly(&bytes), "{bytes:?}");
            }
        }
    }
}

#[test]
fn every_day_and_second_is_read_as_it_is_one_digit_after_the_other() {
    for month in 0..=19 {
        for day in 0..=39 {
            for year in [0, 1900, 1999, 2000, 2023, 2024, 9999] {
                let text = format!("{year:04}-{month:02}-{day:02}T12:00:00Z");
                assert_eq!(time(&text), read_slowly(text.as_bytes()), "{text}");
            }
        }
    }
    for part in 0..=99 {
        for text in [
            format!("2024-02-03T{part:02}:00:00Z"),
            format!("2024-02-03T00:{part:02}:00Z"),
            format!("2024-02-03T00:00:{part:02}Z"),
            format!("2024-02-03T00:00:00-{part:02}:30"),
            format!("2024-02-03T00:00:00+01:{part:02}"),
        ] {
            assert_eq!(time(&text), read_slowly(text.as_bytes()), "{text}");
        }
    }
}

#[test]
fn lengths_of_time_are_read() {
    let span = |text: &str| Span::read(text.as_bytes());
    let made = |negative, days, seconds, nano| {
        Some(Span {
            negative,
            days,
            seconds,
            nano,
        })
    };
    assert_eq!(span("-P1DT2H3M4.5S"), made(true, 1, 7384, 500_000_000));
    assert_eq!(span("PT36H"), made(false, 1, 43_200, 0));
    assert_eq!(span("+P2W1D"), made(false, 15, 0, 0));
    assert_eq!(span("PT0S"), made(false, 0, 0, 0));
    assert_eq!(span("PT0,000000001S"), made(false, 0, 0, 1));
    for text in [
        "",
        "P",
        "PT",
        "P1DT",
        "1D",
        "P1Y",
        "P1M",
        "PT1D",
        "P1H",
        "PT1S1M",
        "P1D1D",
        "PT1.5M",
        "P-1D",
        "--P1D",
        "PT1",
        "P1DT1HT1M",
        "PT99999999999999999999S",
        "PT1S ",
        "p1d",
        "PT.5S",
        "P18446744073709551615W",
    ] {
        assert_eq!(span(text), None, "{text}");
    }
}

#[test]
fn days_are_counted_from_1970() {
    let day = |year, month, day| Date { year, month, day };
    for (date, days) in [
        (day(1970, 1, 1), 0),
        (day(1969, 12, 31), -1),
        (day(2000, 2, 29), 11_016),
        (day(2024, 12, 31), 20_088),
        (day(1, 1, 1), -719_162),
        (day(9999, 12, 31), 2_932_896),
    ] {
        assert_eq!(date.days(), days, "{date:?}");
    }
    let mut last = None;
    for days in -719_528..2_932_897 {
        let date = Date::from_days(days).expect("within");
        assert_eq!(date.days(), days);
        assert!(date.day >= 1 && date.day <= days_in(date.year, date.month));
        assert!(last < Some((date.year, date.month, date.day)));
        last = Some((date.year, date.month, date.day));
    }
    for days in [-719_529, 2_932_897, i64::MIN, i64::MAX] {
        assert_eq!(Date::from_days(days), None);
    }
    let late = time("2023-12-31T23:30:00-01:00").expect("well formed");
    let utc = late.earlier(-60).expect("within");
    assert_eq!(
        written(&Time {
            offset: None,
            ..utc
        }),
        "2024-01-01T00:30:00"
    );
    assert_eq!(
        time("0000-01-01T00:00:00+00:01")
            .expect("well formed")
            .earlier(1),
        None
    );
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes: Vec<u8>) {
        let _ = (Time::read(&bytes), Time::read_clock(&bytes), Date::read(&bytes));
        let _ = Span::read(&bytes);
    }

    #[test]
    fn nearly_right_bytes_are_read_as_one_after_the_other_is(
        text in "[0-9:]{4}[-.][01][0-9:][-/][0-3][0-9]([Tt ]|.)[0-2][0-9]:[0-6][0-9/]:[0-6][0-9](\\.[0-9]{0,12})?([Zz]|[+-][0-2][0-9]:[0-6][0-9])?",
    ) {
        prop_assert_eq!(time(&text), read_slowly(text.as_bytes()));
    }

    #[test]
    fn what_is_read_is_written_the_same(
        text in "[0-2]0[0-9]{2}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9](\\.[0-9]{6})?([+-][0-2][0-9]:[0-5][0-9])?",
    ) {
        if let Some(read) = time(&text) {
            let bare = text.replace(".000000", "").replace("-00:00", "+00:00");
            prop_assert_eq!(written(&read), bare);
            let day = read.date.expect("read");
            prop_assert!(day.day <= days_in(day.year, day.month));
        }
    }

    #[test]
    fn every_length_of_time_comes_back(
        negative: bool, days in 0_u64..1 << 40, seconds in 0_u32..86_400, nano in 0_u32..1_000_000_000,
    ) {
        let span = Span { negative, days, seconds, nano };
        let mut out = Vec::new();
        span.write(&mut out);
        prop_assert_eq!(Span::read(&out), Some(span));
    }
}

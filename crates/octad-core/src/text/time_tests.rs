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

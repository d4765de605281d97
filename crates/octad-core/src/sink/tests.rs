//! Tests of the pieces that all sinks share.

use core::cmp::Ordering;

use super::{Chars, Layout, OutBuf};
use crate::text::time::{Clock, Date, Span, Time};

#[test]
fn orders_texts_by_code_point_and_by_utf16_unit() {
    let far = [0x1_0000_u32];
    let near = [0xE000_u16];
    let (far, near) = (Chars::Ucs4(&far), Chars::Ucs2(&near));
    assert_eq!(far.compare(near), Ordering::Greater);
    assert_eq!(far.compare_utf16(near), Ordering::Less);
    assert_eq!(near.compare_utf16(far), Ordering::Greater);
    for (a, b) in [("", "a"), ("a", "b"), ("a", "aa"), ("z", "é"), ("é", "漢")] {
        assert_eq!(Chars::from(a).compare(Chars::from(b)), Ordering::Less);
        assert_eq!(Chars::from(a).compare_utf16(Chars::from(b)), Ordering::Less);
        assert_eq!(Chars::from(b).compare(Chars::from(b)), Ordering::Equal);
    }
    assert_eq!(
        Chars::Latin1(b"\xe9").compare(Chars::from("é")),
        Ordering::Equal
    );
}

#[test]
fn shows_lone_surrogates_as_the_replacement_character() {
    assert_eq!(Chars::Ucs2(&[0x61, 0xD800]).to_text(), "a\u{FFFD}");
}

#[test]
fn keeps_the_bound_of_an_output_relative_to_its_start() {
    let out = OutBuf::new(b"before".to_vec(), Some(3));
    assert!(out.has_room(3));
    assert!(!out.has_room(4));
    assert!(OutBuf::new(Vec::new(), None).has_room(usize::MAX));
}

#[test]
fn indents_beyond_the_prepared_levels() {
    let layout = Layout::new("\r\n", "\t");
    for depth in [0, 1, 16, 17, 40] {
        let mut out = Vec::new();
        layout.begin_line(depth, &mut out);
        assert_eq!(out, ["\r\n", &"\t".repeat(depth)].concat().as_bytes());
    }
}

fn written(write: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut out = Vec::new();
    write(&mut out);
    String::from_utf8(out).expect("dates are ASCII")
}

#[test]
fn writes_dates_with_four_digits_and_offsets_with_a_colon() {
    let date = Date {
        year: 999,
        month: 1,
        day: 2,
    };
    let clock = Clock {
        hour: 3,
        minute: 4,
        second: 5,
        nano: 6_000,
    };
    let both = Time {
        date: Some(date),
        clock: Some(clock),
        offset: Some(-210),
    };
    assert_eq!(
        written(|out| both.write(out)),
        "0999-01-02T03:04:05.000006-03:30"
    );
    let fine = Time {
        date: None,
        clock: Some(Clock { nano: 1, ..clock }),
        offset: Some(0),
    };
    assert_eq!(written(|out| fine.write(out)), "03:04:05.000000001+00:00");
    let day = Time {
        date: Some(date),
        ..Time::default()
    };
    assert_eq!(written(|out| day.write(out)), "0999-01-02");
}

#[test]
fn writes_lengths_of_time_without_their_zero_parts() {
    let span = |negative, days, seconds, nano| {
        written(|out| {
            Span {
                negative,
                days,
                seconds,
                nano,
            }
            .write(out);
        })
    };
    assert_eq!(span(false, 0, 0, 0), "PT0S");
    assert_eq!(span(false, 2, 0, 0), "P2D");
    assert_eq!(span(true, 0, 3_600, 0), "-PT1H");
    assert_eq!(span(false, 1, 86_399, 500_000_000), "P1DT23H59M59.5S");
    assert_eq!(span(false, 0, 0, 1), "PT0.000000001S");
}

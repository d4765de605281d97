//! The writer of CBOR: preferred and deterministic forms, forms kept, forms changed; the notation.

use super::{hex, to_hex};
use crate::error::{Error, ErrorCode};
use crate::formats::cbor::*;
use crate::limits::Limits;
use crate::sink::{Chars, KeyNote, Sink};
use crate::text::instant::Instant;
use crate::text::time::{Clock, Date, Time};

fn written_with(
    options: &WriteOptions,
    write: impl FnOnce(&mut CborSink<'_>),
) -> Result<String, Error> {
    let mut out = OutBuf::new(Vec::new(), options.output);
    let mut sink = CborSink::new(&mut out, options);
    write(&mut sink);
    sink.finish();
    match sink.take_error() {
        Some(error) => Err(error),
        None => Ok(to_hex(out.as_slice())),
    }
}

#[track_caller]
fn written(write: impl FnOnce(&mut CborSink<'_>)) -> String {
    written_with(&WriteOptions::default(), write).expect("can be written")
}

#[track_caller]
fn refused(write: impl FnOnce(&mut CborSink<'_>)) -> ErrorCode {
    let error = written_with(&WriteOptions::default(), write).expect_err("is refused");
    assert!(
        !error.message(true).contains("something else"),
        "{}",
        error.message(true)
    );
    error.code()
}

#[test]
fn whole_numbers_take_the_shortest_form() {
    for (value, digits) in [
        (0, "00"),
        (23, "17"),
        (24, "1818"),
        (255, "18ff"),
        (256, "190100"),
        (65535, "19ffff"),
        (65536, "1a00010000"),
        (4_294_967_295, "1affffffff"),
        (4_294_967_296, "1b0000000100000000"),
        (i64::MAX, "1b7fffffffffffffff"),
        (-1, "20"),
        (-24, "37"),
        (-25, "3818"),
        (-256, "38ff"),
        (-257, "390100"),
        (i64::MIN, "3b7fffffffffffffff"),
    ] {
        assert_eq!(written(|sink| sink.i64(value)), digits, "{value}");
        assert_eq!(
            written(|sink| sink.big(&value.to_string())),
            digits,
            "{value}"
        );
    }
    assert_eq!(written(|sink| sink.u64(u64::MAX)), "1bffffffffffffffff");
    for (value, digits) in [
        ("18446744073709551615", "1bffffffffffffffff"),
        ("-18446744073709551616", "3bffffffffffffffff"),
        ("18446744073709551616", "c249010000000000000000"),
        ("-18446744073709551617", "c349010000000000000000"),
        (
            "868688530684217568819881093136",
            "c24d0af6e24f990db06e7dd5a6a810",
        ),
        (
            "-5444517870735015415413993718908291383296",
            "c3510fffffffffffffffffffffffffffffffff",
        ),
        ("000000000000000000000000000000000000000000007", "07"),
        ("-00000000000000000000000000000000000000000000", "00"),
    ] {
        assert_eq!(written(|sink| sink.big(value)), digits, "{value}");
    }
    assert_eq!(
        refused(|sink| sink.big(&"9".repeat(4301))),
        ErrorCode::DigitsLimit
    );
    assert_eq!(refused(|sink| sink.big("1x")), ErrorCode::Unrepresentable);
}

#[test]
fn floats_take_the_shortest_form() {
    for (value, digits) in [
        (0.0, "f90000"),
        (-0.0, "f98000"),
        (1.0, "f93c00"),
        (1.1, "fb3ff199999999999a"),
        (1.5, "f93e00"),
        (65504.0, "f97bff"),
        (100_000.0, "fa47c35000"),
        (3.402_823_466_385_288_6e38, "fa7f7fffff"),
        (1e300, "fb7e37e43c8800759c"),
        (5.960_464_477_539_063e-8, "f90001"),
        (f64::INFINITY, "f97c00"),
        (f64::NEG_INFINITY, "f9fc00"),
        (f64::NAN, "f97e00"),
        (-f64::NAN, "f97e00"),
    ] {
        assert_eq!(written(|sink| sink.f64(value)), digits, "{value}");
    }
    let wide = WriteOptions {
        floats: Floats::Double,
        ..WriteOptions::default()
    };
    let all = written_with(&wide, |sink| {
        sink.begin_list(Some(2));
        sink.f64(1.5);
        sink.raw(&hex("f93c00"));
        sink.end_list();
    });
    assert_eq!(
        all.expect("floats"),
        "82fb3ff8000000000000fb3ff0000000000000"
    );
}

#[test]
fn texts_of_any_width_are_utf8() {
    let emoji = [0x61, 0xE9, 0x20AC, 0x1F600];
    assert_eq!(written(|sink| sink.text(Chars::Ascii(b"abc"))), "63616263");
    assert_eq!(written(|sink| sink.text(Chars::Utf8("ü"))), "62c3bc");
    assert_eq!(
        written(|sink| sink.text(Chars::Latin1(b"a\xe9"))),
        "6361c3a9"
    );
    assert_eq!(
        written(|sink| sink.text(Chars::Ucs2(&[0x61, 0xE9, 0x20AC]))),
        "6661c3a9e282ac"
    );
    assert_eq!(
        written(|sink| sink.text(Chars::Ucs4(&emoji))),
        "6a61c3a9e282acf09f9880"
    );
    let long = "é".repeat(40_000);
    let latin1 = vec![0xE9; 40_000];
    let expected = format!("7a00013880{}", "c3a9".repeat(40_000));
    assert_eq!(written(|sink| sink.text(Chars::Utf8(&long))), expected);
    assert_eq!(written(|sink| sink.text(Chars::Latin1(&latin1))), expected);
    assert_eq!(
        refused(|sink| sink.text(Chars::Ucs2(&[0x61, 0xDE0E]))),
        ErrorCode::LoneSurrogate
    );
    assert_eq!(
        refused(|sink| sink.key(Chars::Ucs4(&[0xD800]))),
        ErrorCode::LoneSurrogate
    );
    let lenient = WriteOptions {
        surrogates: Surrogates::Replace,
        ..WriteOptions::default()
    };
    let text = written_with(&lenient, |sink| sink.text(Chars::Ucs2(&[0x61, 0xDE0E])));
    assert_eq!(text.expect("replaced"), "6461efbfbd");
}

#[test]
fn other_scalars_have_their_forms() {
    let all = written(|sink| {
        sink.begin_list(Some(10));
        sink.null();
        sink.undefined();
        sink.bool(false);
        sink.bool(true);
        sink.simple(16);
        sink.simple(255);
        sink.bytes(b"\x01\x02");
        sink.tag(24);
        sink.bytes(b"");
        sink.uuid(&[7; 16]);
        sink.decimal("273.15");
        sink.end_list();
    });
    let uuid = "07".repeat(16);
    assert_eq!(
        all,
        format!("8af6f7f4f5f0f8ff420102d81840d82550{uuid}c48221196ab3")
    );
    assert_eq!(refused(|sink| sink.simple(24)), ErrorCode::Unrepresentable);
    for (literal, digits) in [
        ("0", "c4820000"),
        ("1E+5", "c4820501"),
        ("-1.50e3", "c482013895"),
        ("NaN", "f97e00"),
        ("-Infinity", "f9fc00"),
        ("Infinity", "f97c00"),
        ("18446744073709551616", "c48200c249010000000000000000"),
    ] {
        assert_eq!(written(|sink| sink.decimal(literal)), digits, "{literal}");
    }
    for literal in ["1e99999999999999999999", "x", "", "1.2.3", "--1"] {
        assert_eq!(
            refused(|sink| sink.decimal(literal)),
            ErrorCode::Unrepresentable,
            "{literal}"
        );
    }
    assert_eq!(
        refused(|sink| sink.decimal(&"7".repeat(4301))),
        ErrorCode::DigitsLimit
    );
    assert_eq!(refused(|sink| sink.ext(5, b"")), ErrorCode::Unrepresentable);
}

fn moment(offset: Option<i16>, nano: u32) -> Time {
    Time {
        date: Some(Date {
            year: 2013,
            month: 3,
            day: 21,
        }),
        clock: Some(Clock {
            hour: 20,
            minute: 4,
            second: 0,
            nano,
        }),
        offset,
    }
}

#[test]
fn dates_have_text_or_numbers() {
    let text = |time: Time| written(|sink| sink.time(&time));
    assert_eq!(
        text(moment(Some(0), 0)),
        "c074323031332d30332d32315432303a30343a30305a"
    );
    assert_eq!(
        text(moment(Some(60), 0)),
        "c07819323031332d30332d32315432303a30343a30302b30313a3030"
    );
    // Without an offset there is no tag for it.
    assert_eq!(
        text(moment(None, 0)),
        "73323031332d30332d32315432303a30343a3030"
    );
    let date = Time {
        clock: None,
        ..moment(None, 0)
    };
    assert_eq!(text(date), "d903ec6a323031332d30332d3231");
    let clock = Time {
        date: None,
        ..moment(None, 0)
    };
    assert_eq!(text(clock), "6832303a30343a3030");
    let epoch = WriteOptions {
        dates: Dates::Epoch,
        ..WriteOptions::default()
    };
    let number = |time: Time| written_with(&epoch, |sink| sink.time(&time)).expect("a date");
    assert_eq!(number(moment(Some(0), 0)), "c11a514b67b0");
    assert_eq!(number(moment(Some(60), 0)), "c11a514b59a0");
    assert_eq!(number(moment(Some(0), 500_000_000)), "c1fb41d452d9ec200000");
    assert_eq!(number(date), "d864193da9");
    let point = |seconds, nano| Instant { seconds, nano };
    assert_eq!(
        written(|sink| sink.instant(point(1_363_896_240, 1))),
        "c0781e323031332d30332d32315432303a30343a30302e3030303030303030315a"
    );
    assert_eq!(
        written(|sink| sink.instant(point(1 << 50, 0))),
        "c11b0004000000000000"
    );
    let exact = written_with(&epoch, |sink| sink.instant(point(-1, 0)));
    assert_eq!(exact.expect("a number"), "c120");
}

#[test]
fn containers_have_their_length_or_a_break_code() {
    let list = |len: Option<usize>, items: usize, options: &WriteOptions| {
        written_with(options, |sink| {
            sink.begin_list(len);
            for _ in 0..items {
                sink.begin_map(len.map(|_| 1));
                sink.key(Chars::Ascii(b"a"));
                sink.null();
                sink.end_map();
            }
            sink.end_list();
        })
        .expect("a list")
    };
    let kept = WriteOptions::default();
    let definite = WriteOptions {
        definite: true,
        ..kept
    };
    let (item, open) = ("a16161f6", "bf6161f6ff");
    assert_eq!(list(Some(2), 2, &kept), format!("82{item}{item}"));
    assert_eq!(list(None, 2, &kept), format!("9f{open}{open}ff"));
    assert_eq!(list(None, 2, &definite), format!("82{item}{item}"));
    assert_eq!(list(None, 0, &definite), "80");
    let many = format!("98c8{}", item.repeat(200));
    assert_eq!(list(None, 200, &definite), many);
    // What was announced wrongly is put right.
    assert_eq!(list(Some(3), 200, &kept), many);
    assert_eq!(list(Some(70_000), 2, &kept), format!("82{item}{item}"));
}

#[test]
fn a_writer_may_pause_and_go_back() {
    let options = WriteOptions {
        definite: true,
        ..WriteOptions::default()
    };
    let mut out = OutBuf::default();
    let mut sink = CborSink::new(&mut out, &options);
    sink.begin_list(None);
    sink.i64(1);
    let state = sink.suspend();
    let mut sink = CborSink::resume(&mut out, &options, state);
    let mark = sink.mark();
    sink.begin_map(None);
    sink.key(Chars::Ascii(b"x"));
    sink.simple(24);
    assert!(sink.failed());
    sink.rewind(mark);
    assert!(!sink.failed());
    sink.begin_map(None);
    sink.end_map();
    sink.end_list();
    assert!(sink.take_error().is_none());
    assert_eq!(to_hex(out.as_slice()), "8201a0");
}

#[test]
fn noted_keys_are_written_as_they_were() {
    let all = written(|sink| {
        let mut note = KeyNote::default();
        sink.begin_map(Some(2));
        sink.note_key(Chars::Latin1(b"\xe9"), &mut note);
        sink.null();
        sink.noted_key(&note);
        sink.null();
        sink.end_map();
        assert!(sink.key_manner() > 0);
    });
    assert_eq!(all, "a262c3a9f662c3a9f6");
    written(|sink| {
        let mut note = KeyNote::default();
        sink.begin_map(Some(1));
        sink.note_key(Chars::Ucs4(&[0x1F600]), &mut note);
        assert!(note.is_empty());
        sink.null();
        sink.end_map();
    });
}

fn keys(options: &WriteOptions) -> Result<String, Error> {
    written_with(options, |sink| {
        sink.begin_map(Some(8));
        let entry = |sink: &mut CborSink<'_>, write: &dyn Fn(&mut CborSink<'_>)| {
            sink.begin_key();
            write(sink);
            sink.begin_list(Some(0));
            sink.end_list();
        };
        entry(sink, &|sink| sink.bool(false));
        entry(sink, &|sink| sink.text(Chars::Ascii(b"aa")));
        entry(sink, &|sink| sink.text(Chars::Ascii(b"z")));
        entry(sink, &|sink| {
            sink.begin_list(Some(1));
            sink.i64(-1);
            sink.end_list();
        });
        entry(sink, &|sink| sink.i64(-1));
        entry(sink, &|sink| sink.i64(100));
        entry(sink, &|sink| sink.i64(10));
        sink.key(Chars::Ascii(b"b"));
        sink.null();
        sink.end_map();
    })
}

#[test]
fn entries_are_sorted_on_request() {
    // The example of RFC 8949 section 4.2.1, and of RFC 7049 section 3.9.
    let bytewise = WriteOptions::deterministic();
    assert_eq!(
        keys(&bytewise).expect("a map"),
        "a80a80186480 2080 6162f6 617a80 62616180 812080 f480".replace(' ', "")
    );
    let length_first = WriteOptions {
        order: KeyOrder::LengthFirst,
        ..bytewise
    };
    assert_eq!(
        keys(&length_first).expect("a map"),
        "a80a80 2080 f480 186480 6162f6 617a80 812080 62616180".replace(' ', "")
    );
    let twice = written_with(&bytewise, |sink| {
        sink.begin_map(Some(2));
        for key in [Chars::Ascii(b"a"), Chars::Latin1(b"a")] {
            sink.key(key);
            sink.null();
        }
        sink.end_map();
    });
    assert_eq!(twice.expect_err("one key").code(), ErrorCode::KeyClash);
    // Taken back, moved: the places of keys follow.
    let all = written_with(&bytewise, |sink| {
        sink.begin_map(None);
        sink.key(Chars::Ascii(b"c"));
        sink.i64(1);
        let mark = sink.mark();
        sink.key(Chars::Ascii(b"a"));
        sink.i64(2);
        sink.rewind(mark);
        let first = sink.mark().length;
        sink.key(Chars::Ascii(b"b"));
        sink.i64(3);
        let second = sink.mark().length;
        sink.key(Chars::Ascii(b"aaa"));
        sink.i64(4);
        let end = sink.mark().length;
        sink.arrange(&[second..end, first..second]);
        sink.end_map();
    });
    assert_eq!(
        all.expect("a map"),
        "a3616203616301636161 6104".replace(' ', "")
    );
}

#[test]
fn sequences_and_self_description() {
    let sequence = WriteOptions {
        sequence: true,
        self_described: true,
        ..WriteOptions::default()
    };
    let all = written_with(&sequence, |sink| {
        sink.begin_list(Some(2));
        sink.i64(1);
        sink.begin_list(Some(1));
        sink.i64(2);
        sink.end_list();
        sink.end_list();
    });
    assert_eq!(all.expect("two items"), "d9d9f7018102");
}

#[test]
fn the_bound_of_the_output_holds() {
    let small = WriteOptions {
        output: Some(100),
        ..WriteOptions::default()
    };
    let long = vec![b'x'; 200];
    let code = |write: &dyn Fn(&mut CborSink<'_>)| {
        written_with(&small, write).expect_err("too long").code()
    };
    assert_eq!(
        code(&|sink| sink.text(Chars::Ascii(&long))),
        ErrorCode::OutputLimit
    );
    assert_eq!(
        code(&|sink| sink.text(Chars::Latin1(&long))),
        ErrorCode::OutputLimit
    );
    assert_eq!(code(&|sink| sink.bytes(&long)), ErrorCode::OutputLimit);
    assert_eq!(
        code(&|sink| sink.raw(&[&[0x58, 200], &long[..]].concat())),
        ErrorCode::OutputLimit
    );
    assert_eq!(
        code(&|sink| {
            sink.begin_list(Some(200));
            (0..200).for_each(|_| sink.null());
            sink.end_list();
        }),
        ErrorCode::OutputLimit
    );
}

fn again(digits: &str, options: &WriteOptions) -> String {
    to_hex(&reencode(&hex(digits), options).unwrap_or_else(|error| panic!("{digits}: {error}")))
}

#[test]
fn items_are_brought_into_other_forms() {
    let kept = WriteOptions::default();
    let preferred = WriteOptions {
        keep_forms: false,
        ..kept
    };
    let definite = WriteOptions {
        definite: true,
        ..kept
    };
    let deterministic = WriteOptions::deterministic();
    for (item, in_preferred, in_definite, in_deterministic) in [
        ("1800", "00", "1800", "00"),
        ("3b0000000000000000", "20", "3b0000000000000000", "20"),
        (
            "fb3ff0000000000000",
            "f93c00",
            "fb3ff0000000000000",
            "f93c00",
        ),
        ("fa7fc00000", "f97e00", "fa7fc00000", "f97e00"),
        (
            "fb7ff0000000000001",
            "fb7ff0000000000001",
            "fb7ff0000000000001",
            "fb7ff0000000000001",
        ),
        ("780161", "6161", "780161", "6161"),
        ("7f7801616162ff", "7f61616162ff", "626162", "626162"),
        ("5f41014102ff", "5f41014102ff", "420102", "420102"),
        ("7fff", "7fff", "60", "60"),
        ("9800", "80", "9800", "80"),
        ("9f1801ff", "9f01ff", "811801", "8101"),
        ("9900029fffbfff", "829fffbfff", "99000280a0", "8280a0"),
        (
            "a2616201616102",
            "a2616201616102",
            "a2616201616102",
            "a2616102616201",
        ),
        (
            "bf616201616102ff",
            "bf616201616102ff",
            "a2616201616102",
            "a2616102616201",
        ),
        (
            "a29f01ff00810000",
            "a29f01ff00810000",
            "a281010081000 0",
            "a281000081010 0",
        ),
        ("c2420001", "01", "c2420001", "01"),
        ("c25f4101420000ff", "1a00010000", "c243010000", "1a00010000"),
        (
            "c34a00010000000000000000",
            "c349010000000000000000",
            "c34a00010000000000000000",
            "c349010000000000000000",
        ),
        ("d80001", "c001", "d80001", "c001"),
        ("d90020780161", "d8206161", "d90020780161", "d8206161"),
        ("d9002000", "d82000", "d9002000", "d82000"),
        ("c4822119006a", "c48221186a", "c4822119006a", "c48221186a"),
        ("f8ff", "f8ff", "f8ff", "f8ff"),
    ] {
        assert_eq!(
            again(item, &preferred),
            in_preferred.replace(' ', ""),
            "{item}"
        );
        assert_eq!(
            again(item, &definite),
            in_definite.replace(' ', ""),
            "{item}"
        );
        assert_eq!(
            again(item, &deterministic),
            in_deterministic.replace(' ', ""),
            "{item}"
        );
        assert_eq!(again(item, &kept), item);
    }
    let length_first = WriteOptions {
        order: KeyOrder::LengthFirst,
        ..kept
    };
    assert_eq!(
        again(
            "a32000f4001a00000000 00".replace(' ', "").as_str(),
            &length_first
        ),
        "a32000f4001a0000000000"
    );
    assert_eq!(again("a21903e800f400", &length_first), "a2f4001903e800");
    assert_eq!(again("a2f4001903e800", &deterministic), "a21903e800f400");
    // Tags and keys that are maps keep together with what belongs to them.
    assert_eq!(
        again(
            "a2d82061620 1d82061610 2".replace(' ', "").as_str(),
            &deterministic
        ),
        "a2d820616102d820616201"
    );
    assert_eq!(
        again(
            "a2a2616201616102 00a0f5".replace(' ', "").as_str(),
            &deterministic
        ),
        "a2a0f5a261610261620100"
    );
    let error = reencode(
        &hex("a261610061610 1".replace(' ', "").as_str()),
        &deterministic,
    );
    assert_eq!(error.expect_err("one key").code(), ErrorCode::KeyClash);
    let error = reencode(&hex("82"), &deterministic).expect_err("no item");
    assert_eq!(error.code(), ErrorCode::UnexpectedEnd);
    let deep = [vec![0xA1; 50_000], vec![0x80], vec![0; 50_000]].concat();
    assert_eq!(reencode(&deep, &deterministic).expect("deep keys"), deep);
    let deep = [vec![0x9F; 50_000], vec![0xFF; 50_000]].concat();
    let flat = [vec![0x81; 49_999], vec![0x80]].concat();
    assert_eq!(reencode(&deep, &deterministic).expect("deep lists"), flat);
}

#[track_caller]
fn shown(digits: &str) -> String {
    diag(&hex(digits), &DiagOptions::default()).expect("CBOR")
}

#[test]
fn items_are_shown_in_diagnostic_notation() {
    for (digits, text) in [
        ("00", "0"),
        ("3903e7", "-1000"),
        ("3bffffffffffffffff", "-18446744073709551616"),
        ("c249010000000000000000", "18446744073709551616"),
        ("c349010000000000000000", "-18446744073709551617"),
        ("f93c00", "1.0"),
        ("fb7e37e43c8800759c", "1e+300"),
        ("f97c00", "Infinity"),
        ("f9fc00", "-Infinity"),
        ("fb7ff8000000000000", "NaN"),
        ("fa7fc00001", "float'7fc00001'"),
        ("f9fe00", "float'fe00'"),
        ("f4", "false"),
        ("f5", "true"),
        ("f6", "null"),
        ("f7", "undefined"),
        ("f0", "simple(16)"),
        ("f8ff", "simple(255)"),
        (
            "c074323031332d30332d32315432303a30343a30305a",
            "0(\"2013-03-21T20:04:00Z\")",
        ),
        ("c11a514b67b0", "1(1363896240)"),
        ("d74401020304", "23(h'01020304')"),
        ("c482210a", "4([-2, 10])"),
        ("c26161", "2(\"a\")"),
        ("40", "h''"),
        ("62225c", "\"\\\"\\\\\""),
        ("62c3bc", "\"ü\""),
        ("640a0d0900", "\"\\n\\r\\t\\u0000\""),
        ("83010203", "[1, 2, 3]"),
        ("8301820203820405", "[1, [2, 3], [4, 5]]"),
        ("80", "[]"),
        ("a0", "{}"),
        ("a201020304", "{1: 2, 3: 4}"),
        ("a1a1010203", "{{1: 2}: 3}"),
        ("5f42010243030405ff", "(_ h'0102', h'030405')"),
        ("7f657374726561646d696e67ff", "(_ \"strea\", \"ming\")"),
        ("7fff", "\"\"_"),
        ("5fff", "''_"),
        ("9fff", "[_ ]"),
        ("bfff", "{_ }"),
        ("9f018202039f0405ffff", "[_ 1, [2, 3], [_ 4, 5]]"),
        ("bf6346756ef563416d7421ff", "{_ \"Fun\": true, \"Amt\": -2}"),
        ("c19fc000ff", "1([_ 0(0)])"),
        ("8201c5c6f6", "[1, 5(6(null))]"),
        ("0102a0", "1, 2, {}"),
    ] {
        assert_eq!(shown(digits), text, "{digits}");
    }
    assert_eq!(
        diag(b"", &DiagOptions::default())
            .expect_err("nothing")
            .code(),
        ErrorCode::EmptyInput
    );
    assert_eq!(
        diag(&hex("81"), &DiagOptions::default())
            .expect_err("cut off")
            .code(),
        ErrorCode::UnexpectedEnd
    );
    let deep = [vec![0x81; 50_000], vec![0]].concat();
    let text = diag(&deep, &DiagOptions::default()).expect("deep lists");
    assert_eq!(text.len(), 100_001);
}

#[test]
fn widths_are_shown_on_request() {
    let widths = DiagOptions { widths: true };
    for (digits, text) in [
        ("00", "0"),
        ("1800", "0_0"),
        ("190001", "1_1"),
        ("3a00000000", "-1_2"),
        ("1b0000000000000000", "0_3"),
        ("780161", "\"a\"_0"),
        ("590000", "h''_1"),
        ("980100", "[_0 0]"),
        ("b90000", "{_1 }"),
        ("fb3ff0000000000000", "1.0_3"),
        ("fa3f800000", "1.0_2"),
        ("d90020f6", "32_1(null)"),
        ("c2420001", "2(h'0001')"),
        ("c249010000000000000000", "18446744073709551616"),
        ("7f780161ff", "(_ \"a\"_0)"),
    ] {
        assert_eq!(diag(&hex(digits), &widths).expect("CBOR"), text, "{digits}");
    }
}

#[test]
fn keys_in_paths_are_cut() {
    let key = [vec![0x5A, 0, 0x10, 0, 0], vec![0xAB; 1 << 20]].concat();
    let text = key_text(&key, 0);
    assert!(text.len() < 4096, "{} bytes", text.len());
    let list = [vec![0x9A, 0, 0x10, 0, 0], vec![0; 1 << 20]].concat();
    assert!(key_text(&list, 0).len() < 4096);
    assert_eq!(key_text(&hex("7f61616162ff"), 0), "ab");
    assert_eq!(key_text(&hex("d8206161"), 0), "32(\"a\")");
    let limits = Limits::default();
    assert!(limits.text.is_none());
}

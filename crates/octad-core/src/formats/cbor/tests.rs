//! The reader of CBOR: tapes, places, values, and every refusal with its code, offset and path.

mod write;

use super::*;
use crate::error::{Error, ErrorCode};
use crate::formats::Duplicates;
use crate::limits::Limits;
use crate::source::{Int, Source, Text};
use crate::tape::{dump, verify};
use crate::token::{Kind, Token};

/// Bytes from hexadecimal digits; blanks do not count.
pub(super) fn hex(digits: &str) -> Vec<u8> {
    let digits: Vec<u8> = digits.bytes().filter(|byte| *byte != b' ').collect();
    digits
        .chunks(2)
        .map(|pair| {
            let text = core::str::from_utf8(pair).expect("digits");
            u8::from_str_radix(text, 16).expect("two digits")
        })
        .collect()
}

pub(super) fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn read_with(input: &[u8], options: &ReadOptions) -> Result<Tape, Error> {
    let mut tape = Tape::default();
    parse(input, options, &mut tape)?;
    verify(&tape, input, b"", &options.limits).expect("a well-formed tape");
    let places = places(&tape, input);
    assert_eq!(places[tape.root() as usize].end as usize, input.len());
    Ok(tape)
}

fn read(digits: &str) -> (Vec<u8>, Tape) {
    let input = hex(digits);
    let tape = read_with(&input, &ReadOptions::default())
        .unwrap_or_else(|error| panic!("{digits}: {error}"));
    (input, tape)
}

/// The tape without its guard, a line each.
fn lines(digits: &str) -> String {
    let (input, tape) = read(digits);
    let text = dump(&tape, &input);
    text.split_once('\n').expect("the guard").1.to_owned()
}

#[track_caller]
fn refused(digits: &str, code: ErrorCode, offset: usize, path: &str) -> Error {
    refused_with(digits, &ReadOptions::default(), code, offset, path)
}

#[track_caller]
fn refused_with(
    digits: &str,
    options: &ReadOptions,
    code: ErrorCode,
    offset: usize,
    path: &str,
) -> Error {
    let error = read_with(&hex(digits), options).expect_err(digits);
    assert_eq!(error.code(), code, "{digits}: {error}");
    assert_eq!(error.offset(), Some(offset), "{digits}: {error}");
    assert_eq!(error.path().to_string(), path, "{digits}: {error}");
    let message = error.message(true);
    assert!(!message.contains("something else"), "{digits}: {message}");
    error
}

#[test]
fn each_major_type_has_its_token() {
    assert_eq!(lines("00"), "1 INT plain inline 0\n");
    assert_eq!(lines("3863"), "1 INT plain inline -100\n");
    assert_eq!(
        lines("1b007fffffffffffff"),
        "1 INT plain inline 36028797018963967\n"
    );
    assert_eq!(
        lines("3b007fffffffffffff"),
        "1 INT plain inline -36028797018963968\n"
    );
    assert!(lines("1b0080000000000000").starts_with("1 INT plain 0+9 "));
    assert_eq!(
        lines("43010203"),
        "1 BYTES raw 1+3 \"\\u{1}\\u{2}\\u{3}\"\n"
    );
    assert_eq!(lines("6161"), "1 TEXT double 1+1 \"a\"\n");
    assert_eq!(lines("62c3bc"), "1 TEXT double 1+2 N \"ü\"\n");
    assert_eq!(lines("80"), "1 LIST plain span=1 count=0\n");
    assert_eq!(lines("a0"), "1 MAP plain span=1 count=0\n");
    assert_eq!(lines("f4"), "1 SIMPLE false\n");
    assert_eq!(lines("f5"), "1 SIMPLE true\n");
    assert_eq!(lines("f6"), "1 SIMPLE null\n");
    assert_eq!(lines("f7"), "1 SIMPLE undefined\n");
    assert_eq!(lines("e0"), "1 SIMPLE simple\n");
    assert_eq!(lines("f0"), "1 SIMPLE simple 16\n");
    assert_eq!(lines("f8ff"), "1 SIMPLE simple 255\n");
    assert_eq!(
        lines("a26161016162820203"),
        "1 MAP plain span=7 count=2\n2 TEXT double 2+1 \"a\"\n3 INT plain inline 1\n\
         4 TEXT double 5+1 \"b\"\n5 LIST plain span=3 count=2\n6 INT plain inline 2\n\
         7 INT plain inline 3\n"
    );
}

#[test]
fn wider_forms_stay_located() {
    for digits in [
        "1800",
        "190000",
        "1a00000000",
        "1b0000000000000000",
        "3800",
        "3900ff",
    ] {
        let size = digits.len() / 2;
        assert!(
            lines(digits).starts_with(&format!("1 INT plain 0+{size} ")),
            "{digits}"
        );
    }
    // A text with a wider head is located as any other; its spelling has the head.
    let (input, tape) = read("7a00000001 61".replace(' ', "").as_str());
    let source = CborSource::new(&tape, &input, &ReadOptions::default());
    assert_eq!(source.spelling(tape.get(1)), Some(&input[..]));
}

#[test]
fn indefinite_lengths_are_variants() {
    assert_eq!(
        lines("9f01ff"),
        "1 LIST streamed span=2 count=1\n2 INT plain inline 1\n"
    );
    assert_eq!(lines("9fff"), "1 LIST streamed span=1 count=0\n");
    assert_eq!(
        lines("bf616101ff"),
        "1 MAP streamed span=3 count=1\n2 TEXT double 2+1 \"a\"\n3 INT plain inline 1\n"
    );
    assert_eq!(
        lines("bf0001ff"),
        "1 MAP streamed-any-key span=3 count=1\n2 INT plain inline 0\n3 INT plain inline 1\n"
    );
    assert_eq!(
        lines("7f616161626163ff"),
        "1 TEXT chunked 1+6 E \"aaabac\"\n"
    );
    assert_eq!(lines("7fff"), "1 TEXT chunked 1+0 E \"\"\n");
    assert!(lines("5f41014102ff").starts_with("1 BYTES chunked 1+4 E "));
}

#[test]
fn keys_of_any_kind_are_kept() {
    assert!(lines("a100f5").starts_with("1 MAP any-key span=3 count=1\n"));
    assert!(lines("a1 c5 820000 00").contains("1 MAP any-key"));
    // A text under a tag is no plain text.
    assert!(lines("a1d820616100").starts_with("1 MAP any-key span=4 count=1\n2 TAG cbor 32\n"));
    assert!(lines("a2616100620000f6").starts_with("1 MAP plain"));
    assert!(lines("a1a1616101f6").starts_with("1 MAP any-key span=5 count=1\n2 MAP plain"));
}

#[test]
fn floats_keep_their_width() {
    for (digits, variant, value) in [
        ("f93c00", "f16", 1.0),
        ("fa3f800000", "f32", 1.0),
        ("fb3ff0000000000000", "f64", 1.0),
        ("f90001", "f16", 5.960_464_477_539_063e-8),
        ("fa7f7fffff", "f32", 3.402_823_466_385_288_6e38),
        ("fb3ff199999999999a", "f64", 1.1),
        ("f97c00", "f16", f64::INFINITY),
    ] {
        let (input, tape) = read(digits);
        assert!(
            dump(&tape, &input).contains(&format!("1 REAL {variant}")),
            "{digits}"
        );
        let source = CborSource::new(&tape, &input, &ReadOptions::default());
        assert_eq!(
            source.real(tape.get(1)).expect("a float"),
            value,
            "{digits}"
        );
    }
}

/// The whole number of an item as its digits.
fn digits_of(digits: &str) -> String {
    let (input, tape) = read(digits);
    assert_eq!(tape.get(1).kind(), Kind::Int, "{digits}");
    let source = CborSource::new(&tape, &input, &ReadOptions::default());
    let text = source.decimal(tape.get(1)).expect("digits").into_owned();
    let value = match source.int(tape.get(1)).expect("a whole number") {
        Int::I64(value) => value.to_string(),
        Int::U64(value) => {
            assert!(value > i64::MAX as u64);
            value.to_string()
        }
        Int::Big(digits) => digits.into_owned(),
    };
    assert_eq!(value, text);
    value
}

#[test]
fn whole_numbers_of_any_size_are_read() {
    for (digits, value) in [
        ("00", "0"),
        ("1b0000000000000017", "23"),
        ("1b7fffffffffffffff", "9223372036854775807"),
        ("1bffffffffffffffff", "18446744073709551615"),
        ("3b7fffffffffffffff", "-9223372036854775808"),
        ("3b8000000000000000", "-9223372036854775809"),
        ("3bffffffffffffffff", "-18446744073709551616"),
        ("c249010000000000000000", "18446744073709551616"),
        ("c349010000000000000000", "-18446744073709551617"),
        ("c240", "0"),
        ("c340", "-1"),
        ("c2420001", "1"),
        ("c25f41014100ff", "256"),
        (
            "c24d0af6e24f990db06e7dd5a6a810",
            "868688530684217568819881093136",
        ),
        (
            "c3510fffffffffffffffffffffffffffffffff",
            "-5444517870735015415413993718908291383296",
        ),
    ] {
        assert_eq!(digits_of(digits), value, "{digits}");
    }
    assert!(lines("c249010000000000000000").starts_with("1 INT big 0+11 "));
}

#[test]
fn decimals_are_exact() {
    for (digits, literal) in [
        ("c48221196ab3", "273.15"),
        ("c4820000", "0"),
        ("c4822000", "0.0"),
        ("c4820501", "1E+5"),
        ("c4822601", "1E-7"),
        ("c4822501", "0.000001"),
        ("c482201864", "10.0"),
        ("c4821903e83903e7", "-1.000E+1003"),
        ("c49f2103ff", "0.03"),
        ("c48221c249010000000000000000", "184467440737095516.16"),
        ("c5822003", "1.5"),
        ("c5822103", "0.75"),
        ("c5820a03", "3072"),
        ("c5822020", "-0.5"),
        (
            "c5823863 01",
            "7.888609052210118054117285652827862296732064351090230047702789306640625E-31",
        ),
    ] {
        let (input, tape) = read(digits);
        assert!(dump(&tape, &input).contains("1 REAL decimal"), "{digits}");
        let source = CborSource::new(&tape, &input, &ReadOptions::default());
        let text = source.decimal(tape.get(1)).expect("a literal");
        assert_eq!(text, literal, "{digits}");
        let double: f64 = literal.parse().expect("a number");
        assert_eq!(source.real(tape.get(1)).expect("a double"), double);
    }
    // Out of any range: a list under its tag.
    for digits in [
        "c4821b7fffffffffffffff01",
        "c4821bffffffffffffffff01",
        "c5821a0010000001",
    ] {
        assert!(lines(digits).starts_with("1 TAG cbor "), "{digits}");
    }
}

#[test]
fn dates_are_times() {
    for (digits, text) in [
        (
            "c074323031332d30332d32315432303a30343a30305a",
            "2013-03-21T20:04:00+00:00",
        ),
        (
            "c07818323031372d30372d32325430303a32343a30372e3233365a",
            "2017-07-22T00:24:07.236000+00:00",
        ),
        ("c11a514b67b0", "2013-03-21T20:04:00+00:00"),
        ("c1fb41d452d9ec200000", "2013-03-21T20:04:00.500000+00:00"),
        ("c120", "1969-12-31T23:59:59+00:00"),
        ("c1fbbff8000000000000", "1969-12-31T23:59:58.500000+00:00"),
        ("d8641945b1", "2018-11-06"),
        ("d86420", "1969-12-31"),
        ("d903ec6a323031332d30332d3231", "2013-03-21"),
    ] {
        let (input, tape) = read(digits);
        assert_eq!(tape.get(1).kind(), Kind::Time, "{digits}");
        let source = CborSource::new(&tape, &input, &ReadOptions::default());
        let mut out = Vec::new();
        source.time(tape.get(1)).expect("a time").write(&mut out);
        assert_eq!(String::from_utf8_lossy(&out), text, "{digits}");
    }
    assert!(lines("c11a514b67b0").starts_with("1 TIME epoch 0+6 "));
    assert!(lines("d86420").starts_with("1 TIME date 0+3 "));
    // A time of year 10000, and days beyond it: numbers under their tags.
    assert!(
        lines("c11b0000003afff44180")
            .starts_with("1 TAG cbor 1\n2 INT plain inline 253402300800\n")
    );
    assert!(lines("c1fb7e37e43c8800759c").starts_with("1 TAG cbor 1\n"));
    assert!(lines("c11bffffffffffffffff").starts_with("1 TAG cbor 1\n"));
    assert!(lines("d8641a002cc0a4").starts_with("1 TAG cbor 100\n"));
}

#[test]
fn tags_stand_before_their_values() {
    assert_eq!(
        lines("d9d9f7d818 41 00".replace(' ', "").as_str()),
        "1 TAG cbor 55799\n2 TAG cbor 24\n3 BYTES raw 6+1 \"\\0\"\n"
    );
    assert!(lines("d8255000000000000000000000000000000000").starts_with("1 BYTES uuid 3+16 "));
    // A number beyond 56 bits, and one written wider than needed.
    let (input, tape) = read("dbffffffffffffffff d900 20 00".replace(' ', "").as_str());
    let source = CborSource::new(&tape, &input, &ReadOptions::default());
    assert_eq!(source.tag(tape.get(1)).expect("a number"), u64::MAX);
    assert_eq!(source.tag(tape.get(2)).expect("a number"), 32);
    assert_eq!(tape.root(), 3);
    let (_, tape) = read("dbfeffffffffffff0100");
    assert_eq!(tape.get(1).kind(), Kind::Tag);
    // Every tag stays a tag where that is asked for, whatever stands under it.
    let kept = ReadOptions {
        tags: Tags::Kept,
        ..ReadOptions::default()
    };
    for digits in [
        "c0a1616100",
        "c1f6",
        "c2 60",
        "c40c",
        "d82500",
        "c24100",
        "c11a514b67b0",
    ] {
        let input = hex(digits);
        let tape = read_with(&input, &kept).expect(digits);
        assert_eq!(tape.get(1).kind(), Kind::Tag, "{digits}");
    }
}

#[test]
fn texts_come_in_one_piece() {
    let (input, tape) = read("837f657374726561646d696e67ff7f62c3bc6161ff60");
    let source = CborSource::new(&tape, &input, &ReadOptions::default());
    let mut scratch = Vec::new();
    let text = source.text(tape.get(2), &mut scratch).expect("a text");
    assert_eq!(text, Text::Ascii(b"streaming"));
    let text = source.text(tape.get(3), &mut scratch).expect("a text");
    assert_eq!(text, Text::Utf8("üa".as_bytes()));
    let text = source.text(tape.get(4), &mut scratch).expect("a text");
    assert_eq!(text, Text::Ascii(b""));
    let (input, tape) = read("5f42010243030405ff");
    let source = CborSource::new(&tape, &input, &ReadOptions::default());
    let bytes = source.bytes(tape.get(1), &mut scratch).expect("bytes");
    assert_eq!(bytes, [1, 2, 3, 4, 5]);
}

#[test]
fn places_cover_heads_tags_and_break_codes() {
    let (input, tape) = read("bf6161d81881c1009f7f6162fffff6ff");
    let found: Vec<(usize, usize)> = places(&tape, &input)
        .iter()
        .map(|place| (place.start as usize, place.end as usize))
        .collect();
    assert_eq!(
        dump(&tape, &input),
        "0 VOID\n1 MAP streamed-any-key span=8 count=2\n2 TEXT double 2+1 \"a\"\n3 TAG cbor 24\n\
         4 LIST plain span=2 count=1\n5 TIME epoch 6+2 \"�\\0\"\n6 LIST streamed span=2 count=1\n\
         7 TEXT chunked 10+2 E \"ab\"\n8 SIMPLE null\n"
    );
    assert_eq!(
        found,
        [
            (0, 0),
            (0, 16),
            (1, 3),
            (3, 8),
            (5, 8),
            (6, 8),
            (8, 14),
            (9, 13),
            (14, 15)
        ]
    );
}

#[test]
fn spellings_hold_head_and_content() {
    let items = [
        "00",
        "1bffffffffffffffff",
        "60",
        "6161",
        "780161",
        "79000161",
        "7a0000000161",
        "7b000000000000000161",
        "40",
        "4100",
        "5b000000000000000100",
        "7f6161ff",
        "5f4100ff",
        "5fff",
        "fb3ff199999999999a",
        "c249010000000000000000",
        "c11a514b67b0",
        "c48221196ab3",
    ];
    let all: Vec<u8> = items.iter().flat_map(|item| hex(item)).collect();
    let input = [vec![0x80 + items.len() as u8], all].concat();
    let tape = read_with(&input, &ReadOptions::default()).expect("a list");
    let source = CborSource::new(&tape, &input, &ReadOptions::default());
    for (place, item) in items.iter().enumerate() {
        let token = tape.get(place as u32 + 2);
        match source.spelling(token) {
            Some(spelling) => assert_eq!(to_hex(spelling), *item),
            None => assert!(token.is_owned(), "{item}"),
        }
    }
}

#[test]
fn what_follows_is_refused_left_or_read() {
    refused("0001", ErrorCode::TrailingData, 1, "$");
    let options = |trailing| ReadOptions {
        trailing,
        ..ReadOptions::default()
    };
    let mut tape = Tape::default();
    let input = hex("8101ff");
    assert_eq!(
        parse(&input, &options(Trailing::Stop), &mut tape).expect("an item"),
        2
    );
    let input = hex("01 6161 80".replace(' ', "").as_str());
    let tape = read_with(&input, &options(Trailing::Sequence)).expect("three items");
    assert_eq!(
        dump(&tape, &input),
        "0 VOID\n1 LIST sequence span=4 count=3\n2 INT plain inline 1\n3 TEXT double 2+1 \"a\"\n\
         4 LIST plain span=1 count=0\n"
    );
    let tape = read_with(b"", &options(Trailing::Sequence)).expect("no items");
    assert_eq!(dump(&tape, b""), "0 VOID\n1 LIST sequence span=1 count=0\n");
    let sequence = options(Trailing::Sequence);
    refused_with("0081", &sequence, ErrorCode::UnexpectedEnd, 2, "$[1][0]");
    refused_with("00a161ff00", &sequence, ErrorCode::InvalidUtf8, 3, "$[1]");
}

#[test]
fn ill_formed_items_are_refused_where_they_begin_to_be() {
    refused("", ErrorCode::EmptyInput, 0, "$");
    for (digits, path) in [
        ("18", "$"),
        ("19", "$"),
        ("1900", "$"),
        ("1a000000", "$"),
        ("1b00000000000000", "$"),
        ("61", "$"),
        ("41", "$"),
        ("7a0000", "$"),
        ("5f", "$"),
        ("7f6161", "$"),
        ("5f42", "$"),
        ("81", "$[0]"),
        ("8201", "$[1]"),
        ("9f", "$[0]"),
        ("9f00", "$[1]"),
        ("a1", "$"),
        ("a161", "$"),
        ("a16161", "$.a"),
        ("a1616181", "$.a[0]"),
        ("bf", "$"),
        ("bf6161", "$.a"),
        ("bf616100", "$"),
        ("a100", "$['0']"),
        ("a1820102", "$['[1, 2]']"),
        ("c1", "$"),
        ("d8", "$"),
        ("c0", "$"),
        ("c074323031", "$"),
        ("c2", "$"),
        ("c242", "$"),
        ("c25f", "$"),
        ("c4", "$"),
        ("c482", "$[0]"),
        ("c48201", "$[1]"),
        ("c49f0101", "$[2]"),
        ("f8", "$"),
        ("f9", "$"),
        ("f900", "$"),
        ("fa000000", "$"),
        ("fb", "$"),
        ("9affffffff", "$[0]"),
        ("bbffffffffffffffff", "$"),
        ("5bffffffffffffffff00", "$"),
        ("7bffffffffffffffff61", "$"),
        ("c48201c2", "$[1]"),
        ("d82550", "$"),
    ] {
        refused(digits, ErrorCode::UnexpectedEnd, digits.len() / 2, path);
    }
    for (digits, offset, path) in [
        ("1c", 0, "$"),
        ("1d", 0, "$"),
        ("1e", 0, "$"),
        ("1f", 0, "$"),
        ("3c", 0, "$"),
        ("3f", 0, "$"),
        ("5c", 0, "$"),
        ("7e", 0, "$"),
        ("9d", 0, "$"),
        ("bc", 0, "$"),
        ("dc", 0, "$"),
        ("df00", 0, "$"),
        ("fc", 0, "$"),
        ("fd", 0, "$"),
        ("fe", 0, "$"),
        ("f800", 0, "$"),
        ("f81f", 0, "$"),
        ("81fe", 1, "$[0]"),
        ("a16161fe", 3, "$.a"),
        ("ff", 0, "$"),
        ("81ff", 1, "$[0]"),
        ("a1ff", 1, "$"),
        ("a100ff", 2, "$['0']"),
        ("bf000103ff", 4, "$['3']"),
        ("c0ff", 1, "$"),
        ("9fc0ff", 2, "$[0]"),
        ("8201ff", 2, "$[1]"),
        ("9f00fd", 2, "$[1]"),
        ("c2ff", 1, "$"),
    ] {
        refused(digits, ErrorCode::ExpectedValue, offset, path);
    }
    let error = refused("f818", ErrorCode::ExpectedValue, 0, "$");
    assert_eq!(
        error.message(true),
        "expected a value, found the simple value 24 in two bytes"
    );
    let error = refused("81ff", ErrorCode::ExpectedValue, 1, "$[0]");
    assert_eq!(error.message(true), "expected a value, found a break code");
}

#[test]
fn chunks_are_of_one_kind_and_have_lengths() {
    for (digits, offset, path) in [
        ("5f6161ff", 1, "$"),
        ("7f4161ff", 1, "$"),
        ("7f00ff", 1, "$"),
        ("5f5f4100ffff", 1, "$"),
        ("7f7f6161ffff", 1, "$"),
        ("7f40ff", 1, "$"),
        ("7f01ff", 1, "$"),
        ("5f4100f6ff", 3, "$"),
        ("5f1cff", 1, "$"),
        ("a161617fc0ff", 4, "$.a"),
        ("5f80ff", 1, "$"),
    ] {
        refused(digits, ErrorCode::InvalidChunk, offset, path);
    }
    let error = refused("5f6161ff", ErrorCode::InvalidChunk, 1, "$");
    assert_eq!(
        error.message(true),
        "expected a chunk of bytes or a break code, found text"
    );
    let deep = vec![0x7F; 200_000];
    let error = read_with(&deep, &ReadOptions::default()).expect_err("chunks in chunks");
    assert_eq!(
        (error.code(), error.offset()),
        (ErrorCode::InvalidChunk, Some(1))
    );
}

#[test]
fn text_is_utf8() {
    for (digits, offset, path) in [
        ("62c0ae", 1, "$"),
        ("63edb88e", 1, "$"),
        ("61ff", 1, "$"),
        ("6261ff", 2, "$"),
        ("8162c328", 2, "$[0]"),
        ("a161ff00", 2, "$"),
        ("61c3", 1, "$"),
        ("64f4908080", 1, "$"),
        // The two bytes of one character in two chunks.
        ("7f61c361bcff", 2, "$"),
        ("65ff", 1, "$"),
        ("a1616162ff", 4, "$.a"),
    ] {
        refused(digits, ErrorCode::InvalidUtf8, offset, path);
    }
    // A character that is only cut off is no fault of its own.
    refused("64f49080", ErrorCode::InvalidUtf8, 1, "$");
    refused("64f09f98", ErrorCode::UnexpectedEnd, 4, "$");
}

#[test]
fn tags_have_their_kinds_of_values() {
    for (digits, offset) in [
        ("c0a1616100", 1),
        ("c000", 1),
        ("c06161", 1),
        ("c04161", 1),
        ("c1a1616100", 1),
        ("c16130", 1),
        ("c1f97e00", 1),
        ("c1f97c00", 1),
        ("c1f6", 1),
        ("c200", 1),
        ("c26100", 1),
        ("c281", 1),
        ("c400", 1),
        ("c48101", 1),
        ("c4830102", 1),
        ("c482f90000 00", 1),
        ("c4826101", 1),
        ("c48201f6", 1),
        ("c49f0102 03ff", 1),
        ("c49f01ff", 1),
        ("c48201c26161", 1),
        ("d82500", 2),
        ("d82541 00", 2),
        ("d8646130", 2),
        ("d864f93c00", 2),
        ("d903ec00", 3),
        ("d903ec6130", 3),
        ("c0c000", 1),
        ("c26130", 1),
        // No such day; no offset.
        ("c074323031332d30322d33305432303a30343a30305a", 1),
        ("c073323031332d30332d32315432303a30343a3030", 1),
        ("d903ec6a323031332d31332d3231", 3),
    ] {
        refused(digits, ErrorCode::InvalidTag, offset, "$");
    }
    let error = refused("82c24100c06161", ErrorCode::InvalidTag, 5, "$[1]");
    assert_eq!(
        error.message(true),
        "expected an RFC 3339 date and time with an offset under the tag 0, found `a`"
    );
    let error = refused("c1f6", ErrorCode::InvalidTag, 1, "$");
    assert_eq!(
        error.message(true),
        "expected a finite number of seconds under the tag 1, found a simple value"
    );
}

#[test]
fn equal_keys_go_by_the_policy() {
    let unique = ReadOptions {
        duplicates: Duplicates::Error,
        ..ReadOptions::default()
    };
    for (digits, offset, path) in [
        ("a2616100616101", 4, "$.a"),
        ("a26161006161f6", 4, "$.a"),
        // One key, spelled in two ways.
        ("a20000180001", 3, "$['0']"),
        ("a261610078016101", 4, "$.a"),
        ("a26161007f6161ff01", 4, "$.a"),
        ("a2f93c0000fa3f80000001", 5, "$['1.0']"),
        ("a28101009f01ff01", 4, "$['[_ 1]']"),
        ("a2c24101000101", 5, "$['1']"),
        ("a2d8206161 00d820616101", 6, "$['32(\\\"a\\\")']"),
        ("81a1 00a2616200616201", 7, "$[0]['0'].b"),
        // The keys of two maps that are keys have another order.
        (
            "a2a26161006162010 0a2616201616100 00",
            9,
            "$['{\"b\": 1, \"a\": 0}']",
        ),
    ] {
        let path = path.replace("\\\"", "\"");
        refused_with(digits, &unique, ErrorCode::DuplicateKey, offset, &path);
        read_with(&hex(digits), &ReadOptions::default()).expect("allowed otherwise");
    }
    for digits in [
        "a2000020f6",
        "a200f6f90000f6",
        "a2616100416101",
        "a2f90000 00f9800000",
        "a2f600f700",
    ] {
        read_with(&hex(digits), &unique).expect(digits);
    }
}

#[test]
fn limits_hold() {
    let limited = |limits| ReadOptions {
        limits,
        ..ReadOptions::default()
    };
    let deep = limited(Limits {
        depth: 2,
        ..Limits::default()
    });
    read_with(&hex("818100"), &deep).expect("two levels");
    refused_with("81818100", &deep, ErrorCode::DepthLimit, 2, "$[0][0]");
    refused_with("818180", &deep, ErrorCode::DepthLimit, 2, "$[0][0]");
    refused_with("81bf818000ff", &deep, ErrorCode::DepthLimit, 2, "$[0]");
    // Tags nest as well.
    read_with(&hex("c681c600"), &deep).expect_err("three levels");
    refused_with("81c6c600", &deep, ErrorCode::DepthLimit, 2, "$[0]");
    read_with(&hex("82c600c600"), &deep).expect("two levels twice");
    read_with(&hex("c68100"), &deep).expect("two levels");
    refused_with("c68180", &deep, ErrorCode::DepthLimit, 2, "$[0]");
    let endless = vec![0xC6; 100_000];
    let error = read_with(&endless, &ReadOptions::default()).expect_err("tags without end");
    assert_eq!(
        (error.code(), error.offset()),
        (ErrorCode::DepthLimit, Some(1024))
    );

    let short = limited(Limits {
        text: Some(2),
        ..Limits::default()
    });
    read_with(&hex("8262616142 0000"), &short).expect("two bytes");
    refused_with("8163616161", &short, ErrorCode::TextLimit, 1, "$[0]");
    refused_with("43000000", &short, ErrorCode::TextLimit, 0, "$");
    refused_with("7f6161616161 61ff", &short, ErrorCode::TextLimit, 0, "$");
    let few = limited(Limits {
        tokens: Some(2),
        ..Limits::default()
    });
    refused_with("820000", &few, ErrorCode::TokenLimit, 2, "$[1]");
    let small = limited(Limits {
        size: Some(2),
        ..Limits::default()
    });
    refused_with("820000", &small, ErrorCode::SizeLimit, 0, "$");

    // A number of too many digits is kept, and refused when it is to be read.
    let narrow = limited(Limits {
        digits: Some(30),
        ..Limits::default()
    });
    let input = hex("c25820ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff");
    let tape = read_with(&input, &narrow).expect("a big number");
    let source = CborSource::new(&tape, &input, &narrow);
    let error = source.int(tape.get(1)).expect_err("78 digits");
    assert_eq!(error.code(), ErrorCode::DigitsLimit);
    let source = CborSource::new(&tape, &input, &ReadOptions::default());
    assert!(source.int(tape.get(1)).is_ok());
}

#[test]
fn nothing_is_reserved_on_the_word_of_a_length() {
    for digits in [
        "9affffffff",
        "9bffffffffffffffff",
        "ba7fffffff",
        "5b7fffffffffffffff",
        "7affffffff",
    ] {
        let mut tape = Tape::default();
        let input = hex(digits);
        parse(&input, &ReadOptions::default(), &mut tape).expect_err(digits);
        assert!(tape.memory() < 1 << 12, "{digits}: {} bytes", tape.memory());
    }
}

#[test]
fn tokens_from_elsewhere_give_errors() {
    let tape = Tape::default();
    let source = CborSource::new(&tape, b"", &ReadOptions::default());
    let mut scratch = Vec::new();
    for bits in [
        0,
        3 << 59,
        4 << 59 | 1 << 56,
        7 << 59 | 5,
        9 << 59,
        10 << 59 | 7,
        11 << 59 | 4 << 56 | 9 << 32,
    ] {
        let token = Token::from_bits(bits);
        assert!(source.int(token).is_err());
        assert!(source.time(token).is_err());
        assert!(source.instant(token).is_err());
        assert!(source.text(token, &mut scratch).is_err() || token.location().offset == 0);
        let _ = (
            source.real(token).is_ok(),
            source.decimal(token).is_ok(),
            source.tag(token).is_ok(),
        );
        let _ = (
            source.spelling(token),
            source.slice(token),
            source.offset(token),
        );
    }
}

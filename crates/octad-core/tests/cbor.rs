//! CBOR beside the public vectors, damaged in every way, deep, and on its way to JSON and back.
//!
//! The vectors are read in place: see `conformance.rs`. Differences that are meant stand in lists
//! with their reasons, and a test fails when one of them is no difference any more.

#[allow(dead_code)] // the texts between comments are for the reader of JSON
mod model;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use model::{Style, documents, same};
use octad_core::convert::{Order, write};
use octad_core::doc::{Document, equal};
use octad_core::error::{Error, ErrorCode};
use octad_core::formats::cbor::{
    DiagOptions, Floats, KeyOrder, ReadOptions, Tags, Trailing, WriteOptions, diag, reencode,
};
use octad_core::formats::{AnyOptions, AnyWriteOptions, Duplicates, cbor, json};
use octad_core::limits::Limits;
use octad_core::sink::OutBuf;
use octad_core::tape::verify;
use octad_core::token::Kind;
use proptest::prelude::*;

/// The lines of a file of the suites.
#[allow(clippy::print_stderr)] // a test says why it shows nothing
fn lines(name: &str) -> Option<Vec<Document>> {
    let root = std::env::var_os("OCTAD_TEST_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let path = root.join("conformance").join(name);
    let Ok(text) = std::fs::read(&path) else {
        let message = format!("no test data at {}: set OCTAD_TEST_DATA", path.display());
        assert!(std::env::var("CI").as_deref() != Ok("true"), "{message}");
        eprintln!("skipped: {message}");
        return None;
    };
    let lines = text
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty());
    let options = AnyOptions::Json(json::ReadOptions::default());
    Some(
        lines
            .map(|line| {
                Document::parse(Arc::new(line.to_vec()), false, options).expect("a line of JSON")
            })
            .collect(),
    )
}

fn field(case: &Document, name: &str) -> Option<String> {
    let value = case.root().get(name.as_bytes())?;
    let text = value.text(&mut Vec::new()).ok()?.into_owned();
    Some(String::from_utf8(text).expect("UTF-8"))
}

fn flag(case: &Document, name: &str) -> bool {
    case.root()
        .get(name.as_bytes())
        .and_then(|value| value.bool())
        == Some(true)
}

fn hex(digits: &str) -> Vec<u8> {
    let pair = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).expect("two digits");
    (0..digits.len()).step_by(2).map(pair).collect()
}

fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn read_with(input: &[u8], options: ReadOptions) -> Result<Document, Error> {
    let document = Document::parse(Arc::new(input.to_vec()), false, AnyOptions::Cbor(options))?;
    verify(document.tape(), input, b"", &options.limits).expect("a well-formed tape");
    Ok(document)
}

fn read(input: &[u8]) -> Result<Document, Error> {
    read_with(input, ReadOptions::default())
}

/// A document as CBOR or JSON.
fn written(document: &Document, options: &AnyWriteOptions) -> Result<Vec<u8>, Error> {
    let mut out = OutBuf::default();
    write(document.root(), options, Order::Kept, 100_000, &mut out)?;
    Ok(out.into_vec())
}

fn preferred() -> WriteOptions {
    WriteOptions {
        keep_forms: false,
        ..WriteOptions::default()
    }
}

/// What the reader of these vectors does that octad does not.
const OTHERS: &[(&str, &str)] = &[];

#[test]
fn vectors_of_rfc8949_are_read_and_written() {
    let Some(cases) = lines("cbor-rfc8949/vectors.jsonl") else {
        return;
    };
    let mut differing = Vec::new();
    for case in &cases {
        let id = field(case, "id").expect("an id");
        let input = hex(&field(case, "encoded").expect("bytes"));
        let outcome = read(&input);
        if flag(case, "fail") {
            if outcome.is_ok() {
                differing.push(id);
            }
            continue;
        }
        let document = outcome.unwrap_or_else(|error| panic!("{id}: {error}"));
        // As it is, byte for byte.
        let kept = AnyWriteOptions::Cbor(WriteOptions::default());
        let again = written(&document, &kept).expect("can be written");
        assert_eq!(to_hex(&again), to_hex(&input), "{id}");
        // In the preferred form: that of the vector, or the one it is said to have.
        let plain = field(case, "decoded_cbor").expect("the value");
        let again = reencode(&input, &preferred()).expect("can be written");
        if to_hex(&again) != plain {
            differing.push(id.clone());
        } else if flag(case, "roundtrip") {
            assert_eq!(to_hex(&again), to_hex(&input), "{id}");
        }
        // Once more, nothing changes; and all forms have one notation.
        let settled = reencode(&again, &preferred()).expect("can be written");
        assert_eq!(settled, again, "{id}");
        let deterministic = WriteOptions::deterministic();
        let sorted = reencode(&input, &deterministic).expect("can be written");
        assert_eq!(
            reencode(&sorted, &deterministic).expect("again"),
            sorted,
            "{id}"
        );
        let show = |item: &[u8]| diag(item, &DiagOptions::default()).expect("CBOR");
        assert_eq!(show(&settled), show(&again), "{id}");
    }
    let known: Vec<&str> = OTHERS.iter().map(|(id, _)| *id).collect();
    assert_eq!(differing, known, "differences and reasons");
    assert!(cases.len() > 1000);
}

/// Vectors whose notation octad spells in another way, apart from the spelling of numbers, bytes and
/// characters.
fn notation(text: &str) -> Option<String> {
    // Hexadecimal integers, decimals of other digits and escapes are spellings of one value.
    let plain = !text.contains("0x") && !text.contains("\\u") && !text.contains('\n');
    plain.then(|| text.to_owned())
}

#[test]
fn vectors_have_their_notation() {
    let Some(cases) = lines("cbor-rfc8949/vectors.jsonl") else {
        return;
    };
    let (mut same, mut other) = (0, Vec::new());
    for case in &cases {
        let Some(text) = field(case, "decoded_edn").and_then(|text| notation(&text)) else {
            continue;
        };
        let shown = diag(
            &hex(&field(case, "encoded").expect("bytes")),
            &DiagOptions::default(),
        );
        let shown = shown.expect("CBOR");
        if shown == text || shown.to_uppercase() == text.to_uppercase() {
            same += 1;
        } else {
            other.push(format!(
                "{}: {shown} for {text}",
                field(case, "id").expect("an id")
            ));
        }
    }
    // What is left are floats: digits of another exponent form, and NaNs with payloads.
    assert!(same > 900, "{same} are the same");
    for line in &other {
        let float = line.contains("e-")
            || line.contains("e+")
            || line.contains("NaN")
            || line.contains("0.0000");
        assert!(float, "{line}");
    }
}

/// How DAG-CBOR writes: RFC 7049 canonical, with all floats of 64 bits.
fn dag() -> WriteOptions {
    WriteOptions {
        order: KeyOrder::LengthFirst,
        floats: Floats::Double,
        ..WriteOptions::deterministic()
    }
}

#[test]
fn dag_cbor_comes_back_byte_for_byte() {
    let Some(cases) = lines("dag-cbor/fixtures.jsonl") else {
        return;
    };
    for case in &cases {
        let name = field(case, "name").expect("a name");
        let input = hex(&field(case, "dag_cbor").expect("bytes"));
        let document = read(&input).unwrap_or_else(|error| panic!("{name}: {error}"));
        for options in [WriteOptions::default(), dag()] {
            let again = written(&document, &AnyWriteOptions::Cbor(options));
            assert_eq!(
                to_hex(&again.expect("can be written")),
                to_hex(&input),
                "{name}"
            );
        }
        // The JSON form of what JSON has too is written to the same bytes.
        let text = field(case, "dag_json").expect("JSON");
        let links = text.contains("\"/\":");
        let options = AnyOptions::Json(json::ReadOptions::default());
        let source: Vec<u8> = text.into_bytes();
        let value = Document::parse(Arc::new(source), false, options).expect("JSON");
        let big = matches!(value.root().token().kind(), Kind::Int | Kind::Real);
        if !links && !big {
            let again = written(&value, &AnyWriteOptions::Cbor(dag())).expect("can be written");
            assert!(
                equal(read(&again).expect("CBOR").root(), document.root()).expect("values"),
                "{name}"
            );
        }
    }
    let Some(cases) = lines("dag-cbor/negative-decode.jsonl") else {
        return;
    };
    for case in &cases {
        let strict = ReadOptions {
            duplicates: Duplicates::Error,
            ..ReadOptions::default()
        };
        let input = hex(&field(case, "hex").expect("bytes"));
        let error = read_with(&input, strict).expect_err("strict reading");
        assert_eq!(error.code(), ErrorCode::DuplicateKey);
    }
}

/// An item with every construct once.
fn everything() -> Vec<u8> {
    let parts = [
        "00",
        "17",
        "1818",
        "190100",
        "1a00010000",
        "1b0000000100000000",
        "20",
        "3903e7",
        "1bffffffffffffffff",
        "3bffffffffffffffff",
        "1800",
        "40",
        "43010203",
        "5f42010243030405ff",
        "60",
        "6161",
        "62c3bc",
        "64f0908591",
        "7f657374726561646d696e67ff",
        "7801 61",
        "80",
        "820102",
        "9f018202039f0405ffff",
        "a0",
        "a26161016162820203",
        "bf6346756ef563416d7421ff",
        "a301020304810506",
        "bf01f5ff",
        "f4",
        "f5",
        "f6",
        "f7",
        "f0",
        "f8ff",
        "f90000",
        "f97e00",
        "fa47c35000",
        "fb3ff199999999999a",
        "c074323031332d30332d32315432303a30343a30305a",
        "c11a514b67b0",
        "c1fb41d452d9ec200000",
        "c249010000000000000000",
        "c349010000000000000000",
        "c25f41014102ff",
        "c48221196ab3",
        "c5822003",
        "d818456449455446",
        "d8255000112233445566778899aabbccddeeff",
        "d8641945b1",
        "d903ec6a323031332d30332d3231",
        "d9d9f7a0",
        "dbffffffffffffffff00",
        "d9002000",
        "d901028301 0203",
        "d845440100ffff",
    ];
    let items: Vec<u8> = parts
        .iter()
        .flat_map(|part| hex(&part.replace(' ', "")))
        .collect();
    [vec![0x98, parts.len() as u8], items].concat()
}

/// Everything a document can be asked for; nothing of it may panic.
fn whole(input: &[u8], options: ReadOptions) -> Result<(), Error> {
    let document = read_with(input, options).inspect_err(|error| {
        let offset = error
            .offset()
            .expect("an error of the reader has its place");
        assert!(offset <= input.len(), "{error:?}");
        assert!(!error.message(true).contains("something else"), "{error:?}");
    })?;
    let mut scratch = Vec::new();
    let mut pending = vec![document.root()];
    let mut seen = 0;
    while let Some(value) = pending.pop() {
        seen += 1;
        let raw = value.encoded();
        assert!(!raw.is_empty() || value.token().is_sequence());
        if seen < 64 && !value.token().is_sequence() {
            let alone = ReadOptions {
                trailing: Trailing::Error,
                ..options
            };
            let part = read_with(raw, alone).expect("a value is an item");
            assert_eq!(part.root().token().kind(), value.token().kind());
            assert_eq!(part.root().tags().len(), value.tags().len());
            assert!(!value.path().pointer().is_empty() || value.parent().is_none());
        }
        match value.token().kind() {
            Kind::Text => drop(value.text(&mut scratch).expect("text")),
            Kind::Int | Kind::Real => drop(value.number().expect("a number")),
            Kind::List => pending.extend(value.elements()),
            Kind::Map => {
                for (key, member) in value.pairs() {
                    assert!(value.entry(&key.key_identity()).is_some());
                    assert!(key.key_name().len() <= raw.len() * 8 + 32);
                    pending.push(key);
                    pending.push(member);
                }
                assert!(value.members().count() <= value.pairs().count());
            }
            _ => {}
        }
    }
    let kept = written(&document, &AnyWriteOptions::Cbor(WriteOptions::default()));
    if options.trailing == Trailing::Error {
        assert_eq!(to_hex(&kept.expect("can be written")), to_hex(input));
    }
    let _ = written(
        &document,
        &AnyWriteOptions::Cbor(WriteOptions::deterministic()),
    )
    .is_ok();
    let text = AnyWriteOptions::Json(json::WriteOptions {
        nan: json::NanPolicy::Null,
        bytes: json::BytesPolicy::Base64Url,
        ..json::WriteOptions::default()
    });
    if let Ok(text) = written(&document, &text) {
        let strict = AnyOptions::Json(json::ReadOptions {
            overflow_is_infinite: true,
            ..json::ReadOptions::default()
        });
        let text = String::from_utf8(text).expect("UTF-8");
        Document::parse(Arc::new(text.clone().into_bytes()), false, strict)
            .unwrap_or_else(|error| panic!("{error} in {text}"));
    }
    Ok(())
}

fn option_sets() -> [ReadOptions; 3] {
    let plain = ReadOptions::default();
    [
        plain,
        ReadOptions {
            tags: Tags::Kept,
            duplicates: Duplicates::Error,
            ..plain
        },
        ReadOptions {
            trailing: Trailing::Sequence,
            duplicates: Duplicates::First,
            ..plain
        },
    ]
}

#[test]
fn what_has_everything_is_read_and_written() {
    let input = everything();
    for options in option_sets() {
        whole(&input, options).expect("well-formed");
    }
}

#[test]
fn each_truncation_is_an_early_end() {
    let input = everything();
    for end in 0..input.len() {
        let error = read(&input[..end]).expect_err("cut off");
        let code = if end == 0 {
            ErrorCode::EmptyInput
        } else {
            ErrorCode::UnexpectedEnd
        };
        assert_eq!(
            (error.code(), error.offset()),
            (code, Some(end)),
            "{end}: {error}"
        );
    }
}

#[test]
fn each_flipped_bit_and_byte_is_judged() {
    let input = everything();
    for at in 0..input.len() {
        let mut damaged = input.clone();
        for byte in (0..=255_u8)
            .step_by(17)
            .chain((0..8).map(|bit| input[at] ^ 1 << bit))
        {
            damaged[at] = byte;
            let _ = whole(&damaged, option_sets()[usize::from(byte) % 3]).is_ok();
        }
    }
}

#[test]
fn deep_nesting_costs_no_stack() {
    const DEEP: usize = 100_000;
    let deep = ReadOptions {
        limits: Limits {
            depth: Limits::MAX_DEPTH,
            ..Limits::default()
        },
        duplicates: Duplicates::Error,
        ..ReadOptions::default()
    };
    let start = Instant::now();
    for (open, close) in [
        ("81", ""),
        ("9f", "ff"),
        ("a100", ""),
        ("bf00", "ff"),
        ("c6", ""),
        ("d9d9f7", ""),
    ] {
        let (open, close) = (hex(open), hex(close));
        let times = DEEP - usize::from(open[0] == 0xC6 || open[0] == 0xD9);
        let input = [open.repeat(times), vec![0], close.repeat(times)].concat();
        let document = read_with(&input, deep).expect("within the limit");
        for options in [
            WriteOptions::default(),
            preferred(),
            WriteOptions::deterministic(),
        ] {
            written(&document, &AnyWriteOptions::Cbor(options)).expect("can be written");
        }
        let error = read(&input).expect_err("beyond the usual limit");
        assert_eq!(error.code(), ErrorCode::DepthLimit);
    }
    // Keys in keys: maps, and maps of two.
    let keys = [vec![0xA1; DEEP - 1], vec![0x80], vec![0; DEEP - 1]].concat();
    read_with(&keys, deep).expect("deep keys");
    let keys = [vec![0xA2; 20_000], vec![0x80], [0, 1, 0].repeat(20_000)].concat();
    read_with(&keys, deep).expect("deep keys beside others");
    reencode(&keys, &WriteOptions::deterministic()).expect("can be written");
    assert!(
        start.elapsed() < Duration::from_secs(120),
        "took {:?}",
        start.elapsed()
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn json_goes_to_cbor_and_back(model in documents(), style in any::<u64>()) {
        let text = Style::strict(style).render(&model).into_bytes();
        let options = AnyOptions::Json(json::ReadOptions::default());
        let first = Document::parse(Arc::new(text), false, options).expect("JSON");
        let bytes = written(&first, &AnyWriteOptions::Cbor(WriteOptions::default())).expect("CBOR");
        let middle = read(&bytes).expect("CBOR");
        same(middle.root(), &model);
        prop_assert!(equal(first.root(), middle.root()).expect("values"));
        let text = AnyWriteOptions::Json(json::WriteOptions::default());
        let back = written(&middle, &text).expect("JSON");
        let back = Document::parse(Arc::new(back), false, options).expect("JSON");
        same(back.root(), &model);
        // What octad writes is in the preferred form already.
        prop_assert_eq!(reencode(&bytes, &preferred()).expect("CBOR"), bytes);
    }

    #[test]
    fn any_bytes_are_judged(input in prop::collection::vec(any::<u8>(), 0..64), set in 0..3_usize) {
        let _ = whole(&input, option_sets()[set]).is_ok();
    }

    #[test]
    fn items_at_random_are_judged(parts in prop::collection::vec((0..55_usize, any::<u8>()), 0..12), set in 0..3_usize) {
        let all = everything();
        let mut input = Vec::new();
        for (part, byte) in parts {
            let at = 2 + part * 7 % (all.len() - 8);
            input.extend_from_slice(&all[at..at + 6]);
            input.push(byte);
        }
        let _ = whole(&input, option_sets()[set]).is_ok();
    }
}

#[test]
fn conversions_carry_what_both_sides_have() {
    let json = |digits: &str| {
        let document = read(&hex(digits)).expect("CBOR");
        let options = AnyWriteOptions::Json(json::WriteOptions {
            bytes: json::BytesPolicy::Base64,
            ..json::WriteOptions::default()
        });
        written(&document, &options).map(|text| String::from_utf8(text).expect("UTF-8"))
    };
    for (digits, text) in [
        ("f7", "null"),
        ("f0", "null"),
        ("c249010000000000000000", "18446744073709551616"),
        ("3bffffffffffffffff", "-18446744073709551616"),
        ("c48221196ab3", "273.15"),
        (
            "c074323031332d30332d32315432303a30343a30305a",
            "\"2013-03-21T20:04:00+00:00\"",
        ),
        ("c11a514b67b0", "\"2013-03-21T20:04:00+00:00\""),
        ("d8641945b1", "\"2018-11-06\""),
        (
            "d8255000112233445566778899aabbccddeeff",
            "\"00112233-4455-6677-8899-aabbccddeeff\"",
        ),
        ("d818420102", "\"AQI=\""),
        ("5f41014102ff", "\"AQI=\""),
        ("7f61616162ff", "\"ab\""),
        ("a201020304", "{\"1\":2,\"3\":4}"),
        ("bf01f5ff", "{\"1\":true}"),
        ("a1f6f7", "{\"null\":null}"),
        ("d9010283010203", "[1,2,3]"),
    ] {
        assert_eq!(json(digits).expect(digits), text, "{digits}");
    }
    assert_eq!(
        json("a2010061 3101".replace(' ', "").as_str())
            .expect_err("one text")
            .code(),
        ErrorCode::KeyClash
    );
    assert_eq!(
        json("a18000").expect_err("no text").code(),
        ErrorCode::KeyType
    );
    // A sequence is a list elsewhere, and a sequence again where that is asked for.
    let items = ReadOptions {
        trailing: Trailing::Sequence,
        ..ReadOptions::default()
    };
    let document = read_with(&hex("0118029f03ff"), items).expect("three items");
    let as_list = written(&document, &AnyWriteOptions::Cbor(WriteOptions::default()));
    assert_eq!(to_hex(&as_list.expect("a list")), "830118029f03ff");
    let sequence = WriteOptions {
        sequence: true,
        ..WriteOptions::default()
    };
    let again = written(&document, &AnyWriteOptions::Cbor(sequence));
    assert_eq!(to_hex(&again.expect("items")), "0118029f03ff");
    let text = written(
        &document,
        &AnyWriteOptions::Json(json::WriteOptions::default()),
    );
    assert_eq!(text.expect("JSON"), b"[1,2,[3]]");
    // A part of a document goes with its tags.
    let document = read(&hex("82c6d8206161a1d820616100")).expect("CBOR");
    let part = document.root().element(0).expect("a text");
    assert_eq!(to_hex(part.encoded()), "c6d8206161");
    let stop = ReadOptions {
        trailing: Trailing::Stop,
        ..ReadOptions::default()
    };
    let document = read_with(&hex("8101ffff"), stop).expect("an item");
    assert_eq!(document.root().place().end, 2);
    assert_eq!(cbor::key_text(&hex("8101"), 0), "[1]");
}

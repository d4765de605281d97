//! The target `cbor`: the reader, the notation and the writer of CBOR against each other.
//!
//! What is accepted must verify, be readable to the last value, come back byte for byte, and settle
//! after one step into preferred and into deterministic forms. What is accepted with meaning given
//! to tags must be accepted without; every beginning of an item must be an early end.

use std::sync::Arc;

use octad_core::convert::{Order, write};
use octad_core::doc::{Document, equal};
use octad_core::error::{Category, ErrorCode};
use octad_core::formats::cbor::{
    DiagOptions, Floats, KeyOrder, ReadOptions, Tags, Trailing, WriteOptions, diag, parse, reencode,
};
use octad_core::formats::{AnyOptions, AnyWriteOptions, Duplicates, json};
use octad_core::limits::Limits;
use octad_core::sink::OutBuf;
use octad_core::tape::{Tape, verify};
use octad_core::token::Kind;

/// Values of a document whose bytes are read once more alone.
const REREAD: usize = 64;

/// Reads one input in every way.
pub fn run(data: &[u8]) {
    let options = chosen(data);
    let mut tape = Tape::default();
    let read = match parse(data, &options, &mut tape) {
        Ok(read) => read,
        Err(error) => {
            let offset = error
                .offset()
                .expect("an error of the reader has its place");
            assert!(offset <= data.len(), "{error:?}");
            assert!(!error.message(true).contains("something else"), "{error:?}");
            let pointer = error.path().pointer();
            assert!(pointer.is_empty() || pointer.starts_with('/'));
            return;
        }
    };
    assert!(read <= data.len());
    verify(&tape, data, b"", &options.limits).unwrap_or_else(|error| panic!("{error:?}"));
    let any = AnyOptions::Cbor(options);
    let document = Document::from_parts(Arc::new(data.to_vec()), tape, any);
    whole(&document, &options);
    written(&document);
    if options.trailing != Trailing::Sequence {
        let item = &data[..read];
        beginnings(item, &options);
        forms(item);
    }
}

/// Options made of the sum of the bytes: the same for the same input.
fn chosen(data: &[u8]) -> ReadOptions {
    let sum = data.iter().fold(data.len(), |sum, &byte| {
        sum.wrapping_mul(31).wrapping_add(usize::from(byte))
    });
    let limited = sum / 36 % 8 == 0;
    ReadOptions {
        duplicates: [Duplicates::Last, Duplicates::First, Duplicates::Error][sum % 3],
        trailing: [Trailing::Error, Trailing::Stop, Trailing::Sequence][sum / 3 % 3],
        tags: [Tags::Values, Tags::Values, Tags::Values, Tags::Kept][sum / 9 % 4],
        limits: Limits {
            depth: if limited { 4 } else { 1024 },
            text: limited.then_some(64),
            digits: limited.then_some(20),
            ..Limits::default()
        },
    }
}

/// Reads everything that an accepted document can be asked for.
fn whole(document: &Document, options: &ReadOptions) {
    let mut scratch = Vec::new();
    let mut pending = vec![document.root()];
    let mut seen = 0;
    let alone = ReadOptions {
        trailing: Trailing::Error,
        ..*options
    };
    while let Some(value) = pending.pop() {
        seen += 1;
        let item = value.encoded();
        let sequence = value.token().is_sequence();
        if seen <= REREAD && !sequence {
            let mut tape = Tape::default();
            let read = parse(item, &alone, &mut tape);
            assert_eq!(read.ok(), Some(item.len()), "a value that is no item");
            assert_eq!(tape.get(tape.root()).kind(), value.token().kind());
            let pointer = value.path().pointer();
            assert!(pointer.is_empty() || pointer.starts_with('/'));
            let _ = octad_core::pointer::at(document, &pointer);
        }
        let problem = match value.token().kind() {
            Kind::Text => value.text(&mut scratch).err(),
            Kind::Int | Kind::Real => value.number().err(),
            Kind::List => {
                pending.extend(value.elements());
                None
            }
            Kind::Map => {
                for (key, member) in value.pairs() {
                    assert!(value.entry(&key.key_identity()).is_some());
                    let _ = key.key_name();
                    pending.extend([key, member]);
                }
                None
            }
            _ => None,
        };
        if let Some(error) = problem {
            assert_eq!(error.code(), ErrorCode::DigitsLimit, "{error:?}");
        }
    }
    let _ = equal(document.root(), document.root()).expect("values that can be compared");
}

/// Kept byte for byte, sorted, and as JSON.
fn written(document: &Document) {
    let bytes = |options: &AnyWriteOptions| {
        let mut out = OutBuf::default();
        write(document.root(), options, Order::Kept, 100_000, &mut out).map(|()| out.into_vec())
    };
    let sequence = WriteOptions {
        sequence: true,
        ..WriteOptions::default()
    };
    let kept = bytes(&AnyWriteOptions::Cbor(sequence)).expect("what was read can be written");
    let read = document.root().place().end as usize;
    assert_eq!(kept, document.input()[..read]);
    let text = AnyWriteOptions::Json(json::WriteOptions {
        nan: json::NanPolicy::Null,
        bytes: json::BytesPolicy::Base64Url,
        ..json::WriteOptions::default()
    });
    match bytes(&text) {
        Ok(text) => {
            let options = AnyOptions::Json(json::ReadOptions {
                overflow_is_infinite: true,
                ..json::ReadOptions::default()
            });
            Document::parse(Arc::new(text), false, options).expect("a text of JSON");
        }
        Err(error) => assert!(
            matches!(error.code().category(), Category::Encode | Category::Limit),
            "{error:?}"
        ),
    }
}

/// A beginning of an item is an early end, and its meaning is no matter to its form.
fn beginnings(item: &[u8], options: &ReadOptions) {
    let kept = ReadOptions {
        tags: Tags::Kept,
        trailing: Trailing::Error,
        ..*options
    };
    let mut tape = Tape::default();
    match parse(item, &kept, &mut tape) {
        Ok(read) => assert_eq!(read, item.len()),
        // A tag that is a level of its own, where it was a part of a number.
        Err(error) => assert!(
            matches!(error.code(), ErrorCode::DepthLimit | ErrorCode::TextLimit),
            "{error:?}"
        ),
    }
    let sum: usize = item.iter().map(|byte| usize::from(*byte)).sum();
    let part = &item[..sum % item.len()];
    let error = parse(part, &kept, &mut tape).expect_err("a beginning");
    let early = matches!(
        error.code(),
        ErrorCode::UnexpectedEnd | ErrorCode::EmptyInput
    );
    let limit = error.code().category() == Category::Limit;
    assert!(
        early && error.offset() == Some(part.len()) || limit,
        "{error:?}"
    );
}

/// Other forms are the same item, and settle at once.
fn forms(item: &[u8]) {
    let show = |item: &[u8]| diag(item, &DiagOptions::default()).expect("an item");
    let preferred = WriteOptions {
        keep_forms: false,
        ..WriteOptions::default()
    };
    let once = reencode(item, &preferred).expect("an item");
    assert_eq!(reencode(&once, &preferred).expect("an item"), once);
    assert_eq!(show(&once), show(item));
    let definite = WriteOptions {
        definite: true,
        ..WriteOptions::default()
    };
    let flat = reencode(item, &definite).expect("an item");
    assert_eq!(reencode(&flat, &definite).expect("an item"), flat);
    let wide = WriteOptions {
        floats: Floats::Double,
        order: KeyOrder::LengthFirst,
        ..WriteOptions::deterministic()
    };
    for options in [WriteOptions::deterministic(), wide] {
        match reencode(item, &options) {
            Ok(sorted) => {
                assert_eq!(reencode(&sorted, &options).expect("an item"), sorted);
                assert_eq!(reencode(&once, &options).expect("an item"), sorted);
            }
            Err(error) => assert_eq!(error.code(), ErrorCode::KeyClash, "{error:?}"),
        }
    }
}

/// Items that have every construct, one by one and all in a list.
pub fn seeds() -> Vec<Vec<u8>> {
    let items: &[&[u8]] = &[
        b"\x00",
        b"\x18\x00",
        b"\x1b\xff\xff\xff\xff\xff\xff\xff\xff",
        b"\x3b\xff\xff\xff\xff\xff\xff\xff\xff",
        b"\x43\x01\x02\x03",
        b"\x5f\x41\x01\x41\x02\xff",
        b"\x62\xc3\xbc",
        b"\x7f\x65strea\x64ming\xff",
        b"\x78\x01a",
        b"\x83\x01\x82\x02\x03\x9f\x04\x05\xff",
        b"\xa2\x61a\x01\x61b\x82\x02\x03",
        b"\xbf\x63Fun\xf5\x63Amt\x21\xff",
        b"\xa3\x01\x02\x20\x03\x81\x04\xa1\x05\x06",
        b"\xf7",
        b"\xf8\xff",
        b"\xf9\x3c\x00",
        b"\xfa\x47\xc3\x50\x00",
        b"\xfb\x3f\xf1\x99\x99\x99\x99\x99\x9a",
        b"\xc0\x742013-03-21T20:04:00Z",
        b"\xc1\x1a\x51\x4b\x67\xb0",
        b"\xc1\xfb\x41\xd4\x52\xd9\xec\x20\x00\x00",
        b"\xc2\x49\x01\x00\x00\x00\x00\x00\x00\x00\x00",
        b"\xc3\x5f\x41\x01\x41\x02\xff",
        b"\xc4\x82\x21\x19\x6a\xb3",
        b"\xc5\x82\x20\x03",
        b"\xd8\x18\x41\x00",
        b"\xd8\x25\x50\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
        b"\xd8\x64\x19\x45\xb1",
        b"\xd9\x03\xec\x6a2013-03-21",
        b"\xdb\xff\xff\xff\xff\xff\xff\xff\xff\x00",
        b"\xd9\xd9\xf7\xa0",
    ];
    let mut all: Vec<Vec<u8>> = items.iter().map(|item| item.to_vec()).collect();
    let list = [&[0x98, items.len() as u8][..], &items.concat()].concat();
    let map = [
        &[0xB8, (items.len() / 2) as u8][..],
        &items[..items.len() / 2 * 2].concat(),
    ]
    .concat();
    all.extend([list, map, items.concat()]);
    all.push([vec![0x81; 300], vec![0xA0]].concat());
    all.push([vec![0xA1; 40], vec![0x80], vec![0; 40]].concat());
    all
}

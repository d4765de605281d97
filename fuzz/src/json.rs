//! The target `json`: the reader against its own promises and against serde_json.
//!
//! Every input is read strictly, with numbers located and read at once, and once more with options
//! that the input's own bytes choose. What one reading accepts the wider one must accept, what is
//! accepted must verify and be readable to the last value, and the strict reading must accept
//! exactly what serde_json accepts and see the same values in it.

use octad_core::doc::{Document, Number, ValueKind, ValueRef};
use octad_core::error::{Category, Error, ErrorCode};
use octad_core::formats::AnyOptions;
use octad_core::formats::json::{self, BOM, Duplicates, NanRead, Numbers, ReadOptions};
use octad_core::source::Int;
use octad_core::tape::{Tape, verify};
use octad_core::text::escape::Surrogates;
use std::sync::Arc;

/// Values of a document whose spelling is read once more as a text of its own.
const REREAD: usize = 64;

/// Reads one input in every way.
pub fn run(data: &[u8]) {
    let strict = ReadOptions::default();
    let accepted = read(data, Numbers::Located, &strict);
    both_number_policies_agree(data, &accepted);
    compare_with_oracle(data, &accepted);
    if let Ok(tape) = &accepted {
        whole(data, tape, strict);
    }
    let options = chosen(data);
    let relaxed = read(data, Numbers::Located, &options);
    if accepted.is_ok() && options.duplicates != Duplicates::Error {
        let error = relaxed.as_ref().err();
        assert!(error.is_none(), "refused by wider options: {error:?}");
    }
    if let Ok(tape) = &relaxed {
        whole(data, tape, options);
    }
}

fn read(data: &[u8], numbers: Numbers, options: &ReadOptions) -> Result<Tape, Error> {
    let mut tape = Tape::default();
    match json::parse(data, false, numbers, options, &mut tape) {
        Ok(_) => {
            // With lazy values, texts are checked when read: the verifier may find them ill-formed.
            let verified = verify(&tape, data, &[], &options.limits);
            assert!(verified.is_ok() || options.lazy_values, "{verified:?}");
            Ok(tape)
        }
        Err(error) => {
            let offset = error
                .offset()
                .expect("an error of the reader has its place");
            assert!(offset <= data.len(), "{error:?}");
            assert!(!error.message(true).is_empty());
            let pointer = error.path().pointer();
            assert!(pointer.is_empty() || pointer.starts_with('/'));
            Err(error)
        }
    }
}

/// Options made of the sum of the bytes: the same for the same input.
fn chosen(data: &[u8]) -> ReadOptions {
    let sum = data.iter().fold(data.len(), |sum, &byte| {
        sum.wrapping_mul(31).wrapping_add(usize::from(byte))
    });
    let bit = |place: usize| sum >> place & 1 == 1;
    ReadOptions {
        duplicates: [Duplicates::Last, Duplicates::First, Duplicates::Error][sum % 3],
        surrogates: [Surrogates::Error, Surrogates::Replace, Surrogates::Keep][sum / 3 % 3],
        nan: [NanRead::Error, NanRead::Literal, NanRead::Null][sum / 9 % 3],
        comments: bit(5),
        trailing_commas: bit(6),
        overflow_is_infinite: bit(7),
        lazy_values: bit(8),
        ..ReadOptions::default()
    }
}

fn both_number_policies_agree(data: &[u8], located: &Result<Tape, Error>) {
    match (located, read(data, Numbers::Eager, &ReadOptions::default())) {
        (Ok(_), Ok(_)) => {}
        (_, Err(error)) if error.code() == ErrorCode::NumberOverflow => {}
        (Err(one), Err(other)) => {
            assert_eq!((one.code(), one.offset()), (other.code(), other.offset()));
        }
        (one, other) => panic!("located: {one:?}, read at once: {other:?}"),
    }
}

fn compare_with_oracle(data: &[u8], accepted: &Result<Tape, Error>) {
    let text = data.strip_prefix(BOM).unwrap_or(data);
    let oracle: Result<serde_json::Value, _> = serde_json::from_slice(text);
    match (accepted, oracle) {
        (Ok(tape), Ok(value)) => {
            let options = AnyOptions::Json(ReadOptions::default());
            let document = Document::from_parts(Arc::new(data.to_vec()), tape.clone(), options);
            same(document.root(), &value);
        }
        (Err(_), Err(_)) => {}
        (Err(error), Ok(_)) if error.code().category() == Category::Limit => {}
        (Ok(_), Err(error)) if error.to_string().contains("recursion limit") => {}
        (ours, theirs) => panic!("octad: {ours:?}, serde_json: {theirs:?}"),
    }
}

fn same(ours: ValueRef<'_>, theirs: &serde_json::Value) {
    use serde_json::Value;
    match theirs {
        Value::Null => assert_eq!(ours.kind(), ValueKind::Null),
        Value::Bool(value) => assert_eq!(ours.bool(), Some(*value)),
        Value::String(value) => {
            assert_eq!(ours.text(&mut Vec::new()).expect("text"), value.as_bytes());
        }
        Value::Number(value) => {
            let text = value.to_string();
            match ours.number().expect("a number") {
                Number::Int(Int::I64(value)) => assert_eq!(text.parse(), Ok(value)),
                Number::Int(Int::U64(value)) => assert_eq!(text.parse(), Ok(value)),
                Number::Int(Int::Big(digits)) => assert_eq!(text, digits),
                Number::Float(float) => {
                    let exact: f64 = text.parse().expect("the oracle's number");
                    assert_eq!(float.to_bits(), exact.to_bits(), "{text}");
                }
            }
        }
        Value::Array(values) => {
            assert_eq!(ours.kind(), ValueKind::Array);
            assert_eq!(ours.len(), values.len());
            for (index, (one, other)) in ours.elements().zip(values).enumerate() {
                assert_eq!(ours.element(index).map(|value| value.id()), Some(one.id()));
                same(one, other);
            }
        }
        Value::Object(values) => {
            assert_eq!(ours.kind(), ValueKind::Object);
            assert_eq!(ours.len(), values.len());
            for (key, value) in values {
                same(ours.get(key.as_bytes()).expect("the key"), value);
            }
        }
    }
}

/// Reads everything that an accepted document can be asked for.
fn whole(data: &[u8], tape: &Tape, options: ReadOptions) {
    let any = AnyOptions::Json(options);
    let document = Document::from_parts(Arc::new(data.to_vec()), tape.clone(), any);
    let mut scratch = Vec::new();
    let mut pending = vec![document.root()];
    let mut seen = 0;
    while let Some(value) = pending.pop() {
        seen += 1;
        let raw = value.raw();
        assert!(!raw.is_empty(), "a value without a place");
        assert!(value.position().offset < data.len());
        if seen <= REREAD {
            let again = read(raw, Numbers::Located, &options);
            assert!(
                again.is_ok(),
                "{again:?} in {}",
                String::from_utf8_lossy(raw)
            );
            assert_eq!(value.path().is_empty(), value.parent().is_none());
            let pointer = value.path().pointer();
            // Where keys are equal, or hold what no text can, another value or none has that name.
            if let Ok(named) = octad_core::pointer::at(&document, &pointer) {
                assert_eq!(named.path().pointer(), pointer);
            }
        }
        let problem = match value.kind() {
            ValueKind::Text => value.text(&mut scratch).err(),
            ValueKind::Int | ValueKind::Float => value.number().err(),
            ValueKind::Array => {
                pending.extend(value.elements());
                None
            }
            ValueKind::Object => {
                for (key, member) in value.pairs() {
                    pending.push(member);
                    let name = key.key_bytes(&mut scratch);
                    assert!(value.get(&name).is_some());
                }
                None
            }
            _ => None,
        };
        if let Some(error) = problem {
            assert!(options.lazy_values, "{error:?}");
            assert!(error.offset().is_some_and(|offset| offset <= data.len()));
        }
    }
}

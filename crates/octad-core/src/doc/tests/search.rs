//! Searching, indexes, places and equality of random documents, each against a plain look through.

use std::sync::Arc;

use proptest::prelude::*;

use super::random;
use crate::doc::{Document, ValueKind, ValueRef, equal};
use crate::formats::{AnyOptions, json};
use crate::limits::Limits;
use crate::pointer;
use crate::token::Kind;

fn document(text: String) -> Document {
    let options = AnyOptions::Json(json::ReadOptions::default());
    Document::parse(Arc::new(text), true, options).expect("a valid text")
}

/// Kinds, spans and counts of a subtree: what two readings of one text have in common.
fn shape(value: ValueRef<'_>) -> Vec<(Kind, u32, Option<u32>)> {
    let tokens = value.document().tape().tokens();
    let start = value.id() as usize;
    tokens[start..start + value.token().span() as usize]
        .iter()
        .map(|token| {
            let count = token.is_container().then(|| token.count());
            (token.kind(), token.span(), count)
        })
        .collect()
}

/// Every value that a pointer can name, the containers before what is in them.
fn reachable(root: ValueRef<'_>) -> Vec<ValueRef<'_>> {
    let mut found = vec![root];
    let mut next = 0;
    while let Some(value) = found.get(next).copied() {
        let members = value.members().map(|(_, id)| root.document().value(id));
        found.extend(value.elements().chain(members));
        next += 1;
    }
    found
}

/// Members, length and lookups of an object against one look through its pairs.
fn agrees(object: ValueRef<'_>) {
    let last_wins = object.document().options().last_key_wins();
    let mut expected: Vec<(Vec<u8>, u32)> = Vec::new();
    for (key, value) in object.pairs() {
        let name = key.text(&mut Vec::new()).expect("checked").into_owned();
        match expected.iter_mut().find(|(known, _)| *known == name) {
            Some(known) if last_wins => known.1 = value.id(),
            Some(_) => {}
            None => expected.push((name, value.id())),
        }
    }
    if object.kind() == ValueKind::Object {
        assert_eq!(object.len(), expected.len());
    }
    let members: Vec<_> = object.members().map(|(_, value)| value).collect();
    let values: Vec<_> = expected.iter().map(|(_, value)| *value).collect();
    assert_eq!(members, values);
    for (name, value) in &expected {
        assert_eq!(object.get(name).map(|found| found.id()), Some(*value));
        let other = [name.as_slice(), b"\x00"].concat();
        assert!(object.get(&other).is_none());
    }
}

proptest! {
    #[test]
    fn every_value_knows_its_place_and_path(sample in random::sample(), seed: u64) {
        let doc = document(sample.laid_out(seed));
        for value in reachable(doc.root()) {
            let again = pointer::at(&doc, &value.path().pointer()).expect("leads back");
            prop_assert_eq!(again.id(), value.id());
            let place = value.place();
            match value.parent().map(|parent| parent.place()) {
                Some(outer) => prop_assert!(outer.start < place.start && place.end < outer.end),
                None => prop_assert_eq!(value.id(), doc.root().id()),
            }
            let raw = core::str::from_utf8(value.raw()).expect("whole characters").to_owned();
            prop_assert_eq!(raw.trim(), &raw);
            let part = document(raw);
            prop_assert_eq!(shape(part.root()), shape(value));
            prop_assert!(equal(part.root(), value).expect("checked"));
            let before = &doc.input()[..place.start as usize];
            let lines = before.split(|byte| *byte == b'\n').count();
            prop_assert_eq!(value.position().line, lines);
        }
    }

    #[test]
    fn searching_agrees_with_looking_through(sample in random::sample(), seed: u64) {
        let doc = document(sample.laid_out(seed));
        for value in reachable(doc.root()) {
            for (place, element) in value.elements().enumerate() {
                prop_assert_eq!(value.element(place).map(|found| found.id()), Some(element.id()));
            }
            if value.kind() == ValueKind::Array {
                prop_assert_eq!(value.elements().count(), value.len());
                prop_assert!(value.element(value.len()).is_none());
            }
            agrees(value);
        }
    }

    #[test]
    fn wide_objects_agree_too(
        keys in proptest::collection::vec(random::text(), 35..90),
        again in proptest::collection::vec((0_usize..35, 0_usize..90), 0..3),
    ) {
        let mut pairs: Vec<String> = keys
            .iter()
            .enumerate()
            .map(|(place, key)| format!("{key}: [{place}]"))
            .collect();
        for (from, to) in again {
            let pair = format!("{}: {from}", keys[from]);
            pairs.insert(to.min(pairs.len()), pair);
        }
        let text = format!("{{{}}}", pairs.join(", "));
        agrees(document(text.clone()).root());
        let first = AnyOptions::Json(json::ReadOptions {
            duplicates: json::Duplicates::First,
            ..json::ReadOptions::default()
        });
        agrees(Document::parse(Arc::new(text), true, first).expect("valid").root());
    }

    #[test]
    fn a_document_equals_its_other_spellings(sample in random::sample(), seed: u64) {
        let (one, two) = (document(sample.laid_out(seed)), document(sample.compact()));
        prop_assert!(equal(one.root(), two.root()).expect("checked"));
        prop_assert!(equal(two.root(), one.root()).expect("checked"));
        let more = document(format!("[{}, 0]", sample.compact()));
        prop_assert!(!equal(one.root(), more.root()).expect("checked"));
    }
}

#[test]
fn objects_of_every_width_agree() {
    for width in 0..130 {
        let names: Vec<String> = (0..width).map(|place| format!("\"key {place}\"")).collect();
        let pairs: Vec<String> = names.iter().map(|name| format!("{name}: {{}}")).collect();
        agrees(document(format!("{{{}}}", pairs.join(","))).root());
        if width > 0 {
            let twice = format!("{{{}, {}: 1}}", pairs.join(","), names[width / 2]);
            agrees(document(twice).root());
        }
    }
}

#[test]
fn long_lists_are_found_by_index() {
    for length in [63, 64, 65, 500] {
        let element = |place: usize| match place % 3 {
            0 => format!("[{place}]"),
            _ => place.to_string(),
        };
        let parts: Vec<String> = (0..length).map(element).collect();
        let doc = document(format!("[{}]", parts.join(",")));
        for (place, part) in parts.iter().enumerate() {
            let found = doc.root().element(place).expect("in range");
            assert_eq!(found.raw(), part.as_bytes());
            assert_eq!(found.path().pointer(), format!("/{place}"));
        }
        assert!(doc.root().element(length).is_none());
    }
}

#[test]
fn numbers_equal_by_value_and_exactly() {
    let equals = |one: &str, two: &str| {
        let (one, two) = (document(one.to_owned()), document(two.to_owned()));
        equal(one.root(), two.root()).expect("checked")
    };
    for (one, two) in [
        ("1", "1.0"),
        ("1", "true"),
        ("0", "-0"),
        ("0.0", "false"),
        ("9007199254740992", "9007199254740992.0"),
        ("18446744073709551615", "18446744073709551615"),
        ("100000000000000000000", "1e20"),
        ("-100000000000000000000", "-1e20"),
        ("9223372036854775808", "9223372036854775808.0"),
        (
            r#"{"a": [1], "b": 2}"#,
            r#"{"b": 2.0, "a": 0, "\u0061": [1e0]}"#,
        ),
    ] {
        assert!(equals(one, two) && equals(two, one), "{one} {two}");
    }
    for (one, two) in [
        ("9007199254740993", "9007199254740992.0"),
        ("9223372036854775807", "9223372036854775808.0"),
        ("18446744073709551615", "18446744073709551616.0"),
        ("100000000000000000001", "1e20"),
        ("1", "1.5"),
        ("1", "\"1\""),
        ("0", "null"),
        ("[]", "{}"),
        ("[1]", "[1, 1]"),
        (r#"{"a": 1}"#, r#"{"b": 1}"#),
    ] {
        assert!(!equals(one, two) && !equals(two, one), "{one} {two}");
    }
}

#[test]
fn deep_documents_are_walked_without_recursion() {
    let options = AnyOptions::Json(json::ReadOptions {
        limits: Limits {
            depth: Limits::MAX_DEPTH,
            ..Limits::default()
        },
        ..json::ReadOptions::default()
    });
    let depth = Limits::MAX_DEPTH as usize;
    let text = "[".repeat(depth) + &"]".repeat(depth);
    let read = || Document::parse(Arc::new(text.clone()), true, options).expect("deep");
    let (one, two) = (read(), read());
    assert!(equal(one.root(), two.root()).expect("checked"));
    let inner = one.value(one.tape().end() - 1);
    assert_eq!(inner.path().segments().count(), depth - 1);
    assert_eq!(inner.raw(), b"[]");
}

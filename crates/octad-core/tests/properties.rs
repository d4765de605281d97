//! Random documents and random damage: reader, checker, verifier, places and values agree.
//!
//! The texts are rendered here, with spellings and spacing that octad's writer never makes.

mod agreement;
mod model;

use agreement::{agree, option_sets};
use model::{Model, Style, documents, same};
use octad_core::doc::Document;
use octad_core::formats::AnyOptions;
use octad_core::formats::json::{Numbers, ReadOptions, check, parse};
use octad_core::tape::{Tape, verify};
use proptest::prelude::*;
use std::sync::Arc;

fn read(text: &[u8], options: &ReadOptions) -> Document {
    Document::parse(Arc::new(text.to_vec()), false, AnyOptions::Json(*options))
        .expect("a well-formed text")
}

/// Reads `text` and compares every value with the model.
fn reads_as(text: &str, model: &Model, options: &ReadOptions) {
    for numbers in [Numbers::Located, Numbers::Eager] {
        let mut tape = Tape::default();
        parse(text.as_bytes(), false, numbers, options, &mut tape).expect("a well-formed text");
        verify(&tape, text.as_bytes(), b"", &options.limits).expect("a well-formed tape");
    }
    assert_eq!(check(text.as_bytes(), options, 10), []);
    let document = read(text.as_bytes(), options);
    same(document.root(), model);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn values_come_back(model in documents(), style in any::<u64>()) {
        let text = Style::strict(style).render(&model);
        reads_as(&text, &model, &ReadOptions::default());
    }

    #[test]
    fn values_come_back_between_comments(model in documents(), style in any::<u64>()) {
        let text = Style::relaxed(style).render(&model);
        let options = ReadOptions { comments: true, trailing_commas: true, ..ReadOptions::default() };
        reads_as(&text, &model, &options);
    }

    /// The text at a value's place is that value: it reads to the same part of the tape.
    #[test]
    fn places_hold_their_values(model in documents(), style in any::<u64>()) {
        let text = Style::relaxed(style).render(&model);
        let options = ReadOptions { comments: true, trailing_commas: true, ..ReadOptions::default() };
        let document = read(text.as_bytes(), &options);
        let mut id = document.tape().root();
        while id < document.tape().end() {
            let value = document.value(id);
            if !value.token().is_beside() {
                let part = read(value.raw(), &options);
                let span = value.token().span();
                prop_assert_eq!(part.root().token().span(), span);
                for step in 0..span {
                    let whole = document.value(id + step);
                    let alone = part.value(part.tape().root() + step);
                    prop_assert_eq!(whole.kind(), alone.kind());
                    prop_assert_eq!(whole.style(), alone.style());
                    if !whole.token().is_beside() {
                        prop_assert_eq!(whole.raw(), alone.raw());
                    }
                }
                let found = octad_core::pointer::at(&document, &value.path().pointer());
                if value.parent().is_none_or(|parent| parent.pairs().all(|(key, _)| key.id() != id))
                    && model.keys_differ()
                {
                    prop_assert_eq!(found.map(|found| found.id()).ok(), Some(id));
                }
            }
            id += 1;
        }
    }

    #[test]
    fn every_truncation_is_refused_alike(model in documents(), style in any::<u64>()) {
        let text = Style::relaxed(style).render(&model);
        for options in option_sets() {
            for end in 0..text.len() {
                agree(&text.as_bytes()[..end], &options);
            }
        }
    }

    #[test]
    fn damage_is_reported_alike(
        model in documents(),
        style in any::<u64>(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), 0..4u8, any::<u8>(), 0..model::PIECES.len()), 1..4),
    ) {
        let mut text = Style::relaxed(style).render(&model).into_bytes();
        for (place, kind, byte, piece) in damage {
            let at = place.index(text.len() + 1);
            match kind {
                0 if at < text.len() => text[at] = byte,
                1 if at < text.len() => drop(text.remove(at)),
                2 => text.insert(at, byte),
                _ => drop(text.splice(at..at, model::PIECES[piece].iter().copied())),
            }
        }
        for options in option_sets() {
            agree(&text, &options);
        }
    }

    #[test]
    fn any_pieces_are_judged_alike(pieces in prop::collection::vec(0..model::PIECES.len(), 0..24)) {
        let text: Vec<u8> = pieces.iter().flat_map(|piece| model::PIECES[*piece]).copied().collect();
        for options in option_sets() {
            agree(&text, &options);
        }
    }
}

/// Telling bytes put into, and bytes taken out of, every place of a text with all constructs.
#[test]
fn each_byte_anywhere_is_judged_alike() {
    let text =
        "{\"a\\n\":[1,-2.5e+3,\"x\u{e9}\\ud83d\\ude00\",true],\"b\":{\"c\":0,\"a\":{}}} // z";
    let bytes = b"\0\n\r \"'*+,-./019:;AENI\\[]aefnrtu{}\x7f\x80\xa9\xc3\xe2\xed\xf0\xff";
    for options in option_sets() {
        for at in 0..=text.len() {
            let (before, after) = text.as_bytes().split_at(at);
            for &byte in bytes {
                agree(&[before, &[byte], after].concat(), &options);
                if !after.is_empty() {
                    agree(&[before, &[byte], &after[1..]].concat(), &options);
                }
            }
        }
    }
}

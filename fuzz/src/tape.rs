//! The target `tape`: tapes from outside.
//!
//! An input is a number of edits, the edits (ten bytes each: place, and bits) and a JSON text. The
//! text's tape gets the edits; where there is no text the bytes themselves become tokens. Walkers
//! must bear any such tape, and what the verifier lets through must be readable.

use std::sync::Arc;

use octad_core::doc::{Document, ValueRef};
use octad_core::formats::AnyOptions;
use octad_core::formats::json::{self, Numbers, ReadOptions};
use octad_core::limits::Limits;
use octad_core::source::Source;
use octad_core::tape::{self, Long, Tape};
use octad_core::token::{Kind, Token, TokenId};

const EDIT: usize = 10;
/// Containers that are walked to their end; more would only be slow.
const WALKED: usize = 200;

/// Edits a tape, walks it, verifies it, and reads it when it passes.
pub fn run(data: &[u8]) {
    let [edits, rest @ ..] = data else { return };
    let (edits, text) = rest.split_at((usize::from(*edits % 8) * EDIT).min(rest.len()));
    let options = ReadOptions {
        comments: true,
        ..ReadOptions::default()
    };
    let mut tape = Tape::default();
    let read = json::parse(text, false, Numbers::Located, &options, &mut tape);
    let mut tokens = match read {
        Ok(_) => tape.tokens().to_vec(),
        Err(_) => raw_tokens(text),
    };
    for edit in edits.chunks_exact(EDIT) {
        apply(&mut tokens, edit);
    }
    let long = vec![
        Long {
            offset: 1,
            length: 2,
        },
        Long {
            offset: u64::MAX,
            length: 9,
        },
    ];
    let edited = Tape::from_parts(tokens, long, 0);
    walk(&edited, text);
    if tape::verify(&edited, text, &[], &Limits::default()).is_ok() {
        read_all(&edited, text, options);
    }
}

/// Tokens of any bits, after a guard.
fn raw_tokens(text: &[u8]) -> Vec<Token> {
    let words = text.chunks_exact(8).map(|word| {
        let word = word.try_into().expect("eight bytes");
        Token::from_bits(u64::from_le_bytes(word))
    });
    core::iter::once(Token::VOID).chain(words).collect()
}

fn apply(tokens: &mut Vec<Token>, edit: &[u8]) {
    let place = usize::from(u16::from_le_bytes([edit[0], edit[1]]));
    let bits = u64::from_le_bytes(edit[2..].try_into().expect("eight bytes"));
    let Some(id) = place.checked_rem(tokens.len()) else {
        return;
    };
    let old = tokens[id].bits();
    match place % 6 {
        0 => tokens[id] = Token::from_bits(bits),
        1 => tokens[id] = Token::from_bits(old ^ 1 << (bits % 64)),
        2 => tokens[id] = Token::from_bits(old.wrapping_add(bits % 16)),
        3 => tokens.insert(id, Token::from_bits(bits)),
        4 => tokens.insert(id, tokens[bits as usize % tokens.len()]),
        _ => {
            tokens.remove(id);
        }
    }
}

/// Nothing here may panic or fail to end, whatever the tokens are.
fn walk(edited: &Tape, text: &[u8]) {
    let tokens = edited.tokens();
    assert!(!tape::dump(edited, text).is_empty() || tokens.len() <= 1);
    for id in 0..(tokens.len() + 2).min(WALKED) as TokenId {
        assert!(tape::next(tokens, id) > id);
        assert!(tape::children(tokens, id).count() <= tokens.len());
        assert!(tape::entries(tokens, id).count() <= tokens.len());
        assert!(tape::count(tokens, id) <= tokens.len().max(Token::SATURATED as usize));
        let before = tape::leading_trivia(tokens, id);
        assert!(before.start <= before.end);
        let _ = edited.range(edited.get(id));
    }
}

/// A verified tape has the shape it claims, and its values can be asked for, whatever they say.
fn read_all(edited: &Tape, text: &[u8], options: ReadOptions) {
    for lazy_values in [false, true] {
        let any = AnyOptions::Json(ReadOptions {
            lazy_values,
            ..options
        });
        let document = Document::from_parts(Arc::new(text.to_vec()), edited.clone(), any);
        let source = any.source(edited, text);
        let mut scratch = Vec::new();
        let mut pending = vec![document.root()];
        let mut seen = 0;
        while let Some(value) = pending.pop() {
            seen += 1;
            assert!(seen <= edited.tokens().len(), "a walk that does not end");
            let token = value.token();
            if seen <= WALKED {
                ask(value, &mut scratch);
            }
            match token.kind() {
                Kind::List => {
                    assert_eq!(value.elements().count(), token.count() as usize);
                    pending.extend(value.elements());
                }
                Kind::Map => {
                    assert_eq!(value.pairs().count(), token.count() as usize);
                    pending.extend(value.pairs().map(|(_, member)| member));
                }
                _ if token.is_owned() => {}
                Kind::Text | Kind::Name => drop(source.text(token, &mut scratch)),
                Kind::Int => drop(source.int(token)),
                Kind::Real => {
                    drop(source.real(token));
                    drop(source.decimal(token));
                }
                _ => drop(source.slice(token)),
            }
        }
    }
}

/// Every question a value can be asked; an answer or an error, no panic.
fn ask(value: ValueRef<'_>, scratch: &mut Vec<u8>) {
    let _ = (value.bool(), value.style(), value.len(), value.is_empty());
    let _ = (value.text(scratch).is_ok(), value.number().is_ok());
    let _ = (value.number_text().is_ok(), value.raw(), value.position());
    let _ = octad_core::doc::equal(value, value);
    assert!(value.element(value.len()).is_none());
    for index in 0..value.len().min(3) {
        let _ = value.element(index);
    }
    for (key, _) in value.pairs().take(3) {
        let name = key.key_bytes(scratch).into_owned();
        assert!(value.get(&name).is_some());
    }
    let error = value.wrong_kind("what it is not");
    assert!(!error.message(true).is_empty() && error.offset().is_some());
    let _ = octad_core::pointer::at(value.document(), &value.path().pointer());
}

/// The texts of the other targets, without edits and with some.
pub fn seeds() -> Vec<Vec<u8>> {
    let texts = crate::seeds::texts();
    let plain = texts.iter().map(|text| [&[0], &text[..]].concat());
    let edited = texts.iter().enumerate().map(|(index, text)| {
        let place = index as u8;
        let edits = [
            2,
            place,
            0,
            9,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            place / 2,
            0,
            1,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
        ];
        [&edits, &text[..]].concat()
    });
    plain.chain(edited).collect()
}

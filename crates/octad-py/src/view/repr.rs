//! The shortened text of a value, for `repr`: one line, some sixty characters, no recursion.

use octad_core::doc::{Number, ValueKind, ValueRef};
use octad_core::source::Int;

/// Characters of a shortened container.
const ROOM: usize = 52;
/// Characters of a shortened text or number in it.
const SCALAR: usize = 20;

/// The value in JSON's spelling, cut where it gets long. Without `show_input`, only its size.
pub fn shortened(value: ValueRef<'_>, show_input: bool) -> String {
    if !show_input {
        return match value.kind() {
            ValueKind::Array => format!("array of {}", value.len()),
            ValueKind::Object => format!("object of {}", value.len()),
            kind => kind.name().to_owned(),
        };
    }
    match value.kind() {
        ValueKind::Array => {
            let parts = value.elements().map(|element| scalar(element, SCALAR));
            enclosed('[', parts, ']')
        }
        ValueKind::Object => {
            let document = value.document();
            let parts = value.pairs().map(|(key, value)| {
                let mut scratch = Vec::new();
                let key = quoted(&key.key_bytes(&mut scratch), SCALAR);
                format!("{key}: {}", scalar(document.value(value.id()), SCALAR))
            });
            enclosed('{', parts, '}')
        }
        _ => scalar(value, ROOM),
    }
}

fn enclosed(open: char, parts: impl Iterator<Item = String>, close: char) -> String {
    let mut text = String::from(open);
    let mut chars = 1;
    for (place, part) in parts.enumerate() {
        let length = part.chars().count();
        if place > 0 {
            text.push_str(", ");
            chars += 2;
        }
        if chars + length > ROOM && place > 0 {
            text.push('…');
            break;
        }
        text.push_str(&part);
        chars += length;
    }
    text.push(close);
    text
}

fn scalar(value: ValueRef<'_>, room: usize) -> String {
    let mut scratch = Vec::new();
    match value.kind() {
        ValueKind::Array if value.is_empty() => "[]".to_owned(),
        ValueKind::Array => "[…]".to_owned(),
        ValueKind::Object if value.is_empty() => "{}".to_owned(),
        ValueKind::Object => "{…}".to_owned(),
        ValueKind::Bool if value.bool() == Some(true) => "true".to_owned(),
        ValueKind::Bool => "false".to_owned(),
        ValueKind::Null | ValueKind::Undefined => "null".to_owned(),
        ValueKind::Int | ValueKind::Float => match (value.number_text(), value.number()) {
            (Ok(text), _) => cut(text.chars(), room),
            (Err(_), Ok(Number::Int(Int::I64(whole)))) => whole.to_string(),
            (Err(_), Ok(Number::Float(real))) => real.to_string(),
            _ => "…".to_owned(),
        },
        _ => match value.text(&mut scratch) {
            Ok(text) => quoted(&text, room),
            Err(_) => "…".to_owned(),
        },
    }
}

fn quoted(text: &[u8], room: usize) -> String {
    // No more is looked at than could be shown.
    let head = &text[..text.len().min(4 * room + 4)];
    let shown = String::from_utf8_lossy(head);
    let escaped = shown.chars().flat_map(|ch| match ch {
        '"' | '\\' => vec!['\\', ch],
        '\n' => vec!['\\', 'n'],
        ch if ch.is_control() => vec!['\u{fffd}'],
        ch => vec![ch],
    });
    format!("\"{}\"", cut(escaped, room))
}

fn cut(chars: impl Iterator<Item = char>, room: usize) -> String {
    let mut text: Vec<char> = chars.take(room + 1).collect();
    if text.len() > room {
        text.truncate(room - 1);
        text.push('…');
    }
    text.into_iter().collect()
}

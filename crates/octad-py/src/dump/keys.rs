//! The text of a mapping's key.
//!
//! A str stands for itself, everything else that has a text form for what it would be as a value:
//! `true`, `null`, `1.5`, `2024-02-29`. Two keys of one mapping with the same text are refused.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::ops::Range;

use octad_core::error::{ErrorCode, quote};
use octad_core::sink::Chars;
use octad_core::text::{float, int};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::bigint;
use super::fault::{Outcome, error, type_name};
use super::forms::{self, Form};
use super::rules::{Order, Rules};
use crate::cpython::{Content, DictPlace, DictView, Int, Obj};

/// A key as it is written.
pub enum KeyText {
    /// A Python str (or of a subclass).
    Held(Obj),
    /// A text made from another object.
    Made(String),
}

impl KeyText {
    /// The characters.
    pub fn chars(&self) -> Chars<'_> {
        match self {
            // Only strs are held; for anything else the empty text would show.
            Self::Held(object) => object.item().chars().unwrap_or(Chars::Ascii(&[])),
            Self::Made(text) => Chars::from(text.as_str()),
        }
    }
}

/// The text of a key; may run Python code.
pub fn text_of(py: Python<'_>, key: Obj, rules: &Rules) -> Outcome<KeyText> {
    if !rules.text_keys && key.item().chars().is_none() {
        return Err(wrong_type_for(py, &key, "a str key (`keys=\"error\"`)"));
    }
    let held = |key: Obj| match key.item().chars() {
        Some(chars) if rules.replaced && has_surrogates(chars) => KeyText::Made(chars.to_text()),
        _ => KeyText::Held(key),
    };
    let mut key = key;
    if let Some(context) = rules.context.as_deref()
        && let Some(converter) = context.key_converter(key.item().content())
    {
        let text = converter
            .bind(py)
            .call_method1(intern!(py, "write_key"), (key.bind(py),))?;
        let text = text.cast_into::<PyString>().map_err(PyErr::from)?;
        return Ok(held(Obj::take(text.into_any())));
    }
    for _ in 0..super::walk::CHAIN {
        let text = match key.item().content() {
            Content::Str(_) => return Ok(held(key)),
            Content::None => "null".to_owned(),
            Content::Bool(true) => "true".to_owned(),
            Content::Bool(false) => "false".to_owned(),
            Content::Int(number) => int_text(number.get()),
            Content::Float(number) => float_text(number.get(), rules)?,
            Content::List | Content::Dict | Content::Tuple => return Err(wrong_type(py, &key)),
            Content::Other => match forms::form(py, &key, rules)? {
                Some(Form::Instead(object)) => {
                    key = object;
                    continue;
                }
                Some(Form::Str) => return Ok(held(key)),
                Some(Form::Int) => match key.item().int() {
                    Some(number) => int_text(number),
                    None => return Err(wrong_type(py, &key)),
                },
                Some(Form::Float(number)) => float_text(number, rules)?,
                Some(Form::Missing(name)) => not_finite(name, rules)?.to_owned(),
                Some(Form::Number(literal)) if forms::is_finite_literal(&literal) => literal,
                Some(Form::Number(literal)) => not_finite(&literal, rules)?.to_owned(),
                Some(Form::Text(text)) => text,
                Some(Form::Time(time)) => written(|out| time.write(out)),
                Some(Form::Span(span)) => written(|out| span.write(out)),
                None => return Err(wrong_type(py, &key)),
            },
        };
        return Ok(KeyText::Made(text));
    }
    Err(wrong_type(py, &key))
}

/// Whether a key has a text.
pub fn has_text(py: Python<'_>, key: &Obj, rules: &Rules) -> Outcome<bool> {
    let mut key = key.clone();
    for _ in 0..super::walk::CHAIN {
        if let Some(context) = rules.context.as_deref()
            && context.key_converter(key.item().content()).is_some()
        {
            return Ok(true);
        }
        match key.item().content() {
            Content::List | Content::Dict | Content::Tuple => return Ok(false),
            Content::Other => match forms::form(py, &key, rules)? {
                Some(Form::Instead(object)) => key = object,
                found => return Ok(found.is_some()),
            },
            _ => return Ok(true),
        }
    }
    Ok(false)
}

fn written(write: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut out = Vec::new();
    write(&mut out);
    String::from_utf8_lossy(&out).into_owned()
}

pub fn int_text(number: Int<'_>) -> String {
    match number {
        Int::I64(value) => written(|out| int::write_i64(value, out)),
        Int::U64(value) => written(|out| int::write_u64(value, out)),
        Int::Big(big) => bigint::decimal(big),
    }
}

/// The text of a finite double.
pub fn finite_text(value: f64) -> String {
    written(|out| float::write_repr(value, out))
}

fn float_text(value: f64, rules: &Rules) -> Outcome<String> {
    if value.is_finite() {
        return Ok(finite_text(value));
    }
    let name = match value {
        _ if value.is_nan() => "NaN",
        _ if value > 0.0 => "Infinity",
        _ => "-Infinity",
    };
    Ok(not_finite(name, rules)?.to_owned())
}

fn not_finite<'n>(name: &'n str, rules: &Rules) -> Outcome<&'n str> {
    if rules.finite_keys {
        return Err(error(ErrorCode::NotFinite).with("value", name).into());
    }
    Ok(if rules.null_keys { "null" } else { name })
}

#[cold]
fn wrong_type(py: Python<'_>, key: &Obj) -> Box<super::fault::Fault> {
    wrong_type_for(
        py,
        key,
        "a key that has a text form (`keys=\"pairs\"` writes dicts of other keys as pairs)",
    )
}

#[cold]
fn wrong_type_for(py: Python<'_>, key: &Obj, expected: &str) -> Box<super::fault::Fault> {
    error(ErrorCode::KeyType)
        .with("expected", expected)
        .with("type", type_name(key.bind(py)))
        .into()
}

fn has_surrogates(chars: Chars<'_>) -> bool {
    chars
        .code_points()
        .any(|point| char::from_u32(point).is_none())
}

/// What tells keys apart: their text as UTF-8, in which surrogates may stand for themselves.
pub fn identity(chars: Chars<'_>) -> Box<[u8]> {
    let mut bytes = Vec::new();
    for point in chars.code_points() {
        match char::from_u32(point) {
            Some(ch) => bytes.extend_from_slice(ch.encode_utf8(&mut [0; 4]).as_bytes()),
            None => bytes.extend_from_slice(&[
                0xED,
                0x80 | (point >> 6 & 0x3F) as u8,
                0x80 | (point & 0x3F) as u8,
            ]),
        }
    }
    bytes.into()
}

/// The error for two keys of the same text.
#[cold]
pub fn clash(key: Chars<'_>) -> Box<super::fault::Fault> {
    error(ErrorCode::KeyClash)
        .with("key", quote(key.to_text().as_bytes()))
        .into()
}

/// A key as a path shows it; never fails.
#[cold]
pub fn shown(py: Python<'_>, key: &Obj) -> String {
    match key.item().content() {
        Content::Str(text) => text.chars().to_text(),
        Content::None => "null".to_owned(),
        Content::Bool(value) => value.to_string(),
        Content::Int(number) => int_text(number.get()),
        _ => match key.item().chars() {
            Some(chars) => chars.to_text(),
            None => key.bind(py).str().map_or_else(
                |_| "?".to_owned(),
                |text| text.to_string_lossy().into_owned(),
            ),
        },
    }
}

/// True when no two keys of the dict can have the same text: all are exact strs, or all exact ints.
pub fn all_distinct(dict: DictView<'_>) -> bool {
    let (mut strs, mut ints) = (false, false);
    for (key, _) in dict.entries(DictPlace::default()) {
        match key.content() {
            Content::Str(_) => strs = true,
            Content::Int(_) => ints = true,
            _ => return false,
        }
    }
    !(strs && ints)
}

/// The texts of all exact str keys of a dict.
pub fn exact_texts(dict: DictView<'_>) -> HashSet<Box<[u8]>> {
    let mut texts = HashSet::new();
    for (key, _) in dict.entries(DictPlace::default()) {
        if let Content::Str(text) = key.content() {
            texts.insert(identity(text.chars()));
        }
    }
    texts
}

fn compare(a: &KeyText, b: &KeyText, order: Order) -> Ordering {
    match order {
        Order::Utf16 => a.chars().compare_utf16(b.chars()),
        _ => a.chars().compare(b.chars()),
    }
}

/// The places of written entries, in the order of their keys. Each entry begins where it says, and
/// ends where the next one begins, the last one at `end`.
pub fn arranged(entries: &[(KeyText, usize)], order: Order, end: usize) -> Vec<Range<usize>> {
    let ends = entries.iter().skip(1).map(|(_, start)| *start).chain([end]);
    let mut pieces: Vec<_> = entries
        .iter()
        .zip(ends)
        .map(|((key, start), end)| (key, *start..end))
        .collect();
    pieces.sort_by(|a, b| compare(a.0, b.0, order));
    pieces.into_iter().map(|(_, piece)| piece).collect()
}

/// Sorts entries by the text of their keys, and refuses two of the same text.
pub fn sort<T>(entries: &mut [T], order: Order, key: impl Fn(&T) -> &KeyText) -> Outcome {
    entries.sort_by(|a, b| compare(key(a), key(b), order));
    for pair in entries.windows(2) {
        if compare(key(&pair[0]), key(&pair[1]), order) == Ordering::Equal {
            return Err(clash(key(&pair[1]).chars()));
        }
    }
    Ok(())
}

/// Refuses two keys of the same text among entries that keep their order.
pub fn check_distinct<'k>(keys: impl ExactSizeIterator<Item = &'k KeyText>) -> Outcome {
    let mut texts = HashSet::new();
    let room = texts.try_reserve(keys.len());
    room.map_err(|_| super::containers::no_memory())?;
    for key in keys {
        if !texts.insert(identity(key.chars())) {
            return Err(clash(key.chars()));
        }
    }
    Ok(())
}

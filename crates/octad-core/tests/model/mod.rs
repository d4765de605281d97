//! A model of documents, a renderer with a style of its own, and the comparison of what was read.

use octad_core::doc::{Number, ValueKind, ValueRef};
use octad_core::source::Int;
use proptest::prelude::*;

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub enum Model {
    Null,
    Bool(bool),
    /// A whole number of any size, spelled as it must be.
    Int(String),
    Float(f64),
    Text(String),
    Array(Vec<Model>),
    Object(Vec<(String, Model)>),
}

impl Model {
    /// No object has the same key twice.
    pub fn keys_differ(&self) -> bool {
        match self {
            Self::Array(values) => values.iter().all(Self::keys_differ),
            Self::Object(pairs) => {
                let keys: std::collections::HashSet<_> = pairs.iter().map(|(key, _)| key).collect();
                keys.len() == pairs.len() && pairs.iter().all(|(_, value)| value.keys_differ())
            }
            _ => true,
        }
    }
}

fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-c]{0,3}",
        "\\PC{0,12}",
        prop::collection::vec(any::<char>(), 0..8).prop_map(|chars| chars.into_iter().collect()),
    ]
}

fn scalars() -> impl Strategy<Value = Model> {
    prop_oneof![
        Just(Model::Null),
        any::<bool>().prop_map(Model::Bool),
        any::<i64>().prop_map(|value| Model::Int(value.to_string())),
        (-20i64..20).prop_map(|value| Model::Int(value.to_string())),
        "-?[1-9][0-9]{15,40}".prop_map(Model::Int),
        any::<f64>()
            .prop_filter("finite", |value| value.is_finite())
            .prop_map(Model::Float),
        texts().prop_map(Model::Text),
    ]
}

/// Documents of some size and depth, with equal keys now and then.
pub fn documents() -> impl Strategy<Value = Model> {
    scalars().prop_recursive(6, 48, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Model::Array),
            prop::collection::vec((texts(), inner), 0..6).prop_map(Model::Object),
        ]
    })
}

/// Renders models with spellings and spacing drawn from a seed.
pub struct Style {
    seed: u64,
    relaxed: bool,
}

impl Style {
    pub fn strict(seed: u64) -> Self {
        Self {
            seed,
            relaxed: false,
        }
    }

    /// With comments and trailing commas.
    pub fn relaxed(seed: u64) -> Self {
        Self {
            seed,
            relaxed: true,
        }
    }

    pub fn render(mut self, model: &Model) -> String {
        let mut out = String::new();
        if self.pick(8) == 0 {
            out.push('\u{feff}');
        }
        self.gap(&mut out);
        self.value(model, &mut out);
        self.gap(&mut out);
        out
    }

    fn pick(&mut self, end: u64) -> u64 {
        self.seed = self
            .seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.seed >> 33) % end
    }

    fn gap(&mut self, out: &mut String) {
        for _ in 0..self.pick(6).saturating_sub(3) {
            match self.pick(if self.relaxed { 8 } else { 4 }) {
                0 => out.push('\n'),
                1 => out.push_str("\r\n\t"),
                2 | 3 => out.push(' '),
                4 => out.push_str("// \u{e9} ,]}\n"),
                5 => out.push_str("/**/"),
                6 => out.push_str("/*/ [\"\n*/"),
                _ => out.push_str("//\r"),
            }
        }
    }

    fn value(&mut self, model: &Model, out: &mut String) {
        match model {
            Model::Null => out.push_str("null"),
            Model::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Model::Int(digits) => out.push_str(digits),
            Model::Float(value) => self.float(*value, out),
            Model::Text(text) => self.text(text, out),
            Model::Array(values) => {
                out.push('[');
                for (place, value) in values.iter().enumerate() {
                    self.between(place, out);
                    self.value(value, out);
                }
                self.last(values.len(), out);
                out.push(']');
            }
            Model::Object(pairs) => {
                out.push('{');
                for (place, (key, value)) in pairs.iter().enumerate() {
                    self.between(place, out);
                    self.text(key, out);
                    self.gap(out);
                    out.push(':');
                    self.gap(out);
                    self.value(value, out);
                }
                self.last(pairs.len(), out);
                out.push('}');
            }
        }
    }

    fn between(&mut self, place: usize, out: &mut String) {
        self.gap(out);
        if place > 0 {
            out.push(',');
            self.gap(out);
        }
    }

    fn last(&mut self, length: usize, out: &mut String) {
        self.gap(out);
        if self.relaxed && length > 0 && self.pick(3) == 0 {
            out.push(',');
            self.gap(out);
        }
    }

    fn float(&mut self, value: f64, out: &mut String) {
        let text = match self.pick(4) {
            0 => format!("{value:e}"),
            1 => format!("{value:E}").replace('E', "E+").replace("+-", "-"),
            2 if value.abs() < 1e30 => format!("{value}"),
            _ => format!("{value:?}"),
        };
        out.push_str(&text);
        if !text.contains(['.', 'e', 'E']) {
            out.push_str(if self.pick(2) == 0 { ".0" } else { "e0" });
        }
    }

    fn text(&mut self, text: &str, out: &mut String) {
        out.push('"');
        for ch in text.chars() {
            let short = match ch {
                '"' => Some('"'),
                '\\' => Some('\\'),
                '/' => Some('/'),
                '\u{8}' => Some('b'),
                '\u{c}' => Some('f'),
                '\n' => Some('n'),
                '\r' => Some('r'),
                '\t' => Some('t'),
                _ => None,
            };
            let must = ch < ' ' || matches!(ch, '"' | '\\');
            match (self.pick(5), short) {
                (0, _) => self.units(ch, out),
                (1, Some(letter)) => out.extend(['\\', letter]),
                (_, Some(letter)) if must => out.extend(['\\', letter]),
                (_, None) if must => self.units(ch, out),
                _ => out.push(ch),
            }
        }
        out.push('"');
    }

    fn units(&mut self, ch: char, out: &mut String) {
        for unit in ch.encode_utf16(&mut [0; 2]) {
            if self.pick(2) == 0 {
                out.push_str(&format!("\\u{unit:04x}"));
            } else {
                out.push_str(&format!("\\u{unit:04X}"));
            }
        }
    }
}

/// Compares a value with its model, in every way of reading it.
#[track_caller]
pub fn same(value: ValueRef<'_>, model: &Model) {
    let mut scratch = Vec::new();
    match model {
        Model::Null => assert_eq!(value.kind(), ValueKind::Null),
        Model::Bool(truth) => assert_eq!(value.bool(), Some(*truth)),
        Model::Int(digits) => {
            assert_eq!(value.kind(), ValueKind::Int);
            let read = match value.number().expect("a number") {
                Number::Int(Int::I64(number)) => number.to_string(),
                Number::Int(Int::U64(number)) => number.to_string(),
                Number::Int(Int::Big(text)) => text.into_owned(),
                Number::Float(number) => panic!("{digits} became {number}"),
            };
            assert_eq!(&read, digits);
        }
        Model::Float(number) => match value.number().expect("a number") {
            Number::Float(read) => assert_eq!(read.to_bits(), number.to_bits(), "{number:?}"),
            Number::Int(int) => panic!("{number} became {int:?}"),
        },
        Model::Text(text) => {
            let read = value.text(&mut scratch).expect("text");
            assert_eq!(&*read, text.as_bytes());
        }
        Model::Array(values) => {
            assert_eq!(
                (value.kind(), value.len()),
                (ValueKind::Array, values.len())
            );
            assert_eq!(value.elements().count(), values.len());
            for (place, (read, model)) in value.elements().zip(values).enumerate() {
                assert_eq!(value.element(place).map(ValueRef::id), Some(read.id()));
                same(read, model);
            }
            assert!(value.element(values.len()).is_none());
        }
        Model::Object(pairs) => {
            assert_eq!(value.kind(), ValueKind::Object);
            assert_eq!(value.pairs().count(), pairs.len());
            for ((key, read), (name, model)) in value.pairs().zip(pairs) {
                assert_eq!(&*key.key_bytes(&mut scratch), name.as_bytes());
                same(read, model);
                let last = pairs.iter().rposition(|(known, _)| known == name);
                let last = value.pairs().nth(last.expect("it is there"));
                let found = value.entry(name.as_bytes());
                assert_eq!(
                    found.map(|(_, value)| value.id()),
                    last.map(|(_, value)| value.id())
                );
            }
            let names: std::collections::HashSet<_> = pairs.iter().map(|(name, _)| name).collect();
            assert_eq!(value.len(), names.len());
        }
    }
}

/// Pieces of JSON, and of what is nearly JSON.
pub const PIECES: &[&[u8]] = &[
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"\"",
    b"\\",
    b" ",
    b"\n",
    b"/",
    b"//",
    b"/*",
    b"*/",
    b"0",
    b"1",
    b"-",
    b".",
    b"e",
    b"+",
    b"1e999",
    b"123456",
    b"true",
    b"nul",
    b"null",
    b"NaN",
    b"-Infinity",
    b"Infi",
    b"a",
    b"'",
    b"\"a\"",
    b"\"a\":",
    b"\"\\u0061\":",
    b"\"long text\"",
    b"\"\\ud800",
    b"\\udc00",
    b"\\u12",
    b"\\q",
    b"\x00",
    b"\x1f",
    b"\xff",
    b"\xc3",
    b"\xc3\xa9",
    b"\xe2\x82",
    b"\xed\xa0\x80",
    b"\xf0\x9f\x98\x80",
    b"\xef\xbb\xbf",
    b"[1,",
    b"{\"a\":1,",
];

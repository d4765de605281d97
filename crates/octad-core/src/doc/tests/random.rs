//! Random JSON for tests: a value together with how it is spelled, compactly and with blanks.

use proptest::prelude::*;

/// A value by its spelling.
#[derive(Clone, Debug)]
pub(crate) enum Sample {
    /// A literal, a number or a text with its quotes.
    Scalar(String),
    /// Elements.
    Array(Vec<Sample>),
    /// Pairs; keys are spelled with their quotes, and may be equal.
    Object(Vec<(String, Sample)>),
}

impl Sample {
    /// The compact text.
    pub(crate) fn compact(&self) -> String {
        let mut text = String::new();
        self.spell(&mut text, &mut || "");
        text
    }

    /// The text with blanks chosen by `seed`.
    pub(crate) fn laid_out(&self, seed: u64) -> String {
        let mut text = String::new();
        let mut state = seed | 1;
        self.spell(&mut text, &mut || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            ["", "", " ", "\n", "\r\n\t", "   "][(state % 6) as usize]
        });
        text
    }

    fn spell(&self, text: &mut String, blank: &mut impl FnMut() -> &'static str) {
        text.push_str(blank());
        match self {
            Self::Scalar(spelled) => text.push_str(spelled),
            Self::Array(elements) => {
                text.push('[');
                for (place, element) in elements.iter().enumerate() {
                    if place > 0 {
                        text.push(',');
                    }
                    element.spell(text, blank);
                }
                text.push_str(blank());
                text.push(']');
            }
            Self::Object(pairs) => {
                text.push('{');
                for (place, (key, value)) in pairs.iter().enumerate() {
                    if place > 0 {
                        text.push(',');
                    }
                    text.push_str(blank());
                    text.push_str(key);
                    text.push_str(blank());
                    text.push(':');
                    value.spell(text, blank);
                }
                text.push_str(blank());
                text.push('}');
            }
        }
        text.push_str(blank());
    }
}

/// A text with its quotes, some characters escaped in one of the ways there are.
pub(crate) fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[ -!#-\\[\\]-~]{1,3}".prop_map(|run| run),
        1 => Just("\\u0061".to_owned()),
        1 => Just("\\n".to_owned()),
        1 => Just("\\/".to_owned()),
        1 => Just("\\ud83d\\ude00".to_owned()),
        1 => Just("é".to_owned()),
        1 => Just("日本".to_owned()),
        1 => Just("😀".to_owned()),
        1 => Just("~/".to_owned()),
    ];
    proptest::collection::vec(piece, 0..4).prop_map(|pieces| format!("\"{}\"", pieces.concat()))
}

fn scalar() -> impl Strategy<Value = Sample> {
    let number = prop_oneof![
        any::<i64>().prop_map(|whole| whole.to_string()),
        any::<u64>().prop_map(|whole| whole.to_string()),
        "-?[1-9][0-9]{17,40}".prop_map(|digits| digits),
        "-?(0|[1-9][0-9]{0,4})\\.[0-9]{1,4}([eE][+-]?[0-9]{1,2})?".prop_map(|real| real),
        Just("-0".to_owned()),
        Just("1E+2".to_owned()),
    ];
    prop_oneof![
        1 => Just("null".to_owned()),
        1 => Just("true".to_owned()),
        1 => Just("false".to_owned()),
        4 => number,
        4 => text(),
    ]
    .prop_map(Sample::Scalar)
}

/// Any value, a few levels deep.
pub(crate) fn sample() -> impl Strategy<Value = Sample> {
    scalar().prop_recursive(5, 60, 8, |inner| {
        let key = prop_oneof![
            text(),
            Just("\"a\"".to_owned()),
            Just("\"\\u0061\"".to_owned())
        ];
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..8).prop_map(Sample::Array),
            proptest::collection::vec((key, inner), 0..8).prop_map(Sample::Object),
        ]
    })
}

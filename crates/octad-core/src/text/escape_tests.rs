//! Every escape in both directions, every fault at its offset.

use proptest::prelude::{prop_assert_eq, proptest};

use super::escape::{
    EscapeError, EscapeFault, Surrogates, check_json, unescape_json, write_escape,
};
use crate::scan::EscapeSet;

const MODES: [Surrogates; 3] = [Surrogates::Error, Surrogates::Replace, Surrogates::Keep];

fn read(raw: &[u8], surrogates: Surrogates) -> Result<Vec<u8>, EscapeError> {
    let mut out = b"<".to_vec();
    let read = unescape_json(raw, &mut out, surrogates);
    assert_eq!(check_json(raw, surrogates), read);
    assert_eq!(out[0], b'<');
    read.map(|()| out.split_off(1))
}

fn written(code: u32, set: EscapeSet) -> Vec<u8> {
    let mut out = Vec::new();
    write_escape(code, &mut out, set);
    out
}

fn wtf8(unit: u32) -> [u8; 3] {
    [
        0xed,
        0x80 | (unit >> 6 & 0x3f) as u8,
        0x80 | (unit & 0x3f) as u8,
    ]
}

#[test]
fn text_without_escapes_is_copied() {
    for text in [
        "",
        "a",
        "日本語 and a long line of plain text without any escape at all",
    ] {
        assert_eq!(read(text.as_bytes(), Surrogates::Error), Ok(text.into()));
    }
}

#[test]
fn quotes_and_control_characters_are_left_as_they_are() {
    let raw = b"\"a\x00\n\\n\"";
    assert_eq!(read(raw, Surrogates::Error), Ok(b"\"a\x00\n\n\"".to_vec()));
}

#[test]
fn each_letter_after_a_backslash_is_an_escape_or_a_fault() {
    for letter in 0..=255_u8 {
        let raw = [b'a', b'\\', letter, b'b'];
        let expected = match letter {
            b'"' | b'\\' | b'/' => Ok(letter),
            b'b' => Ok(8),
            b'f' => Ok(12),
            b'n' => Ok(10),
            b'r' => Ok(13),
            b't' => Ok(9),
            b'u' => Err(EscapeFault::BadUnicode),
            _ => Err(EscapeFault::BadEscape),
        };
        let expected = expected
            .map(|byte| vec![b'a', byte, b'b'])
            .map_err(|kind| EscapeError { at: 1, kind });
        assert_eq!(read(&raw, Surrogates::Error), expected, "{letter:#x}");
    }
    let lone = EscapeError {
        at: 2,
        kind: EscapeFault::BadEscape,
    };
    assert_eq!(read(b"ab\\", Surrogates::Error), Err(lone));
}

#[test]
fn each_unit_is_read_in_both_cases_of_its_digits() {
    for unit in 0..=0xffff_u32 {
        for spelled in [format!("\\u{unit:04x}"), format!("x\\u{unit:04X}\\n")] {
            let (before, after) = if spelled.len() == 6 {
                ("", "")
            } else {
                ("x", "\n")
            };
            for mode in MODES {
                let middle = match (char::from_u32(unit), mode) {
                    (Some(letter), _) => letter.to_string().into_bytes(),
                    (None, Surrogates::Keep) => wtf8(unit).to_vec(),
                    (None, Surrogates::Replace) => "\u{fffd}".into(),
                    (None, Surrogates::Error) => {
                        let at = before.len();
                        let error = EscapeError {
                            at,
                            kind: EscapeFault::LoneSurrogate,
                        };
                        assert_eq!(read(spelled.as_bytes(), mode), Err(error));
                        continue;
                    }
                };
                let expected = [before.as_bytes(), &middle, after.as_bytes()].concat();
                assert_eq!(read(spelled.as_bytes(), mode), Ok(expected), "{spelled}");
            }
        }
    }
}

#[test]
fn wrong_digits_are_faults_of_their_backslash() {
    for raw in [
        "xy\\u",
        "xy\\u1",
        "xy\\u123",
        "xy\\u12g4",
        "xy\\u 123",
        "xy\\u+123",
        "xy\\uD83é",
    ] {
        let error = EscapeError {
            at: 2,
            kind: EscapeFault::BadUnicode,
        };
        for mode in MODES {
            assert_eq!(read(raw.as_bytes(), mode), Err(error), "{raw}");
        }
    }
    let error = EscapeError {
        at: 7,
        kind: EscapeFault::BadUnicode,
    };
    assert_eq!(read(b"x\\ud83d\\uzzzz", Surrogates::Keep), Err(error));
}

#[test]
fn pairs_make_one_character_and_halves_stay_apart() {
    assert_eq!(read(b"\\ud83d\\ude00", Surrogates::Error), Ok("😀".into()));
    assert_eq!(
        read(b"\\uD800\\uDC00", Surrogates::Error),
        Ok("\u{10000}".into())
    );
    assert_eq!(
        read(b"\\udbff\\udfff", Surrogates::Error),
        Ok("\u{10ffff}".into())
    );
    for (raw, at, replaced) in [
        ("a\\ud83d", 1, "a\u{fffd}"),
        ("\\ude00\\ud83d", 0, "\u{fffd}\u{fffd}"),
        ("\\ud83d\\ud83d\\ude00", 0, "\u{fffd}😀"),
        ("\\ud83dx\\ude00", 0, "\u{fffd}x\u{fffd}"),
        ("\\ud83d\\u0041", 0, "\u{fffd}A"),
        ("\\ud83d\\n", 0, "\u{fffd}\n"),
    ] {
        let error = EscapeError {
            at,
            kind: EscapeFault::LoneSurrogate,
        };
        assert_eq!(read(raw.as_bytes(), Surrogates::Error), Err(error), "{raw}");
        assert_eq!(
            read(raw.as_bytes(), Surrogates::Replace),
            Ok(replaced.into()),
            "{raw}"
        );
    }
    let kept = [wtf8(0xde00), wtf8(0xd83d)].concat();
    assert_eq!(read(b"\\ude00\\ud83d", Surrogates::Keep), Ok(kept));
}

#[test]
fn each_character_is_written_as_its_set_demands() {
    for code in (0..0x3000)
        .chain(0xd7f0..0xe010)
        .chain(0xffe0..0x1_0020)
        .chain(0x10_fff0..0x11_0000)
    {
        for set in [EscapeSet::Minimal, EscapeSet::Ascii, EscapeSet::Html] {
            let short = match code {
                0x22 => Some("\\\""),
                0x5c => Some("\\\\"),
                8 => Some("\\b"),
                12 => Some("\\f"),
                10 => Some("\\n"),
                13 => Some("\\r"),
                9 => Some("\\t"),
                _ => None,
            };
            let long = code < 0x20
                || (0xd800..0xe000).contains(&code)
                || match set {
                    EscapeSet::Minimal => false,
                    EscapeSet::Ascii => code >= 0x7f,
                    EscapeSet::Html => [0x3c, 0x3e, 0x26, 0x27, 0x2028, 0x2029].contains(&code),
                };
            let expected = match (short, char::from_u32(code)) {
                (Some(short), _) => short.into(),
                (None, Some(letter)) if !long => letter.to_string(),
                (None, Some(letter)) => {
                    let mut units = [0; 2];
                    let units = letter.encode_utf16(&mut units);
                    units.iter().map(|unit| format!("\\u{unit:04x}")).collect()
                }
                (None, None) => format!("\\u{code:04x}"),
            };
            assert_eq!(written(code, set), expected.as_bytes(), "{code:#x} {set:?}");
        }
    }
}

proptest! {
    #[test]
    fn what_was_escaped_is_read_back(text: String, mode in 0..3_usize) {
        for set in [EscapeSet::Minimal, EscapeSet::Ascii, EscapeSet::Html] {
            let mut raw = Vec::new();
            for letter in text.chars() {
                write_escape(letter.into(), &mut raw, set);
            }
            prop_assert_eq!(read(&raw, MODES[mode]), Ok(text.clone().into_bytes()));
        }
    }

    #[test]
    fn any_mixture_ends_without_a_panic(raw in "[a\\\\nud8ce0é]{0,40}") {
        for mode in MODES {
            let _ = read(raw.as_bytes(), mode);
        }
    }
}

//! The public conformance suites, read in place: the folder that `OCTAD_TEST_DATA` names, else
//! `shared` beside the repository. Without it a message is printed; under `CI=true` that is a failure.

mod agreement;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use agreement::{agree, option_sets};
use octad_core::doc::{Document, Number};
use octad_core::formats::AnyOptions;
use octad_core::formats::json::{Numbers, ReadOptions, check, parse};
use octad_core::tape::{Tape, verify};

/// A folder or file of the suites.
#[allow(clippy::print_stderr)] // a test says why it shows nothing
fn suite(name: &str) -> Option<PathBuf> {
    let root = std::env::var_os("OCTAD_TEST_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let path = root.join("conformance").join(name);
    if path.exists() {
        return Some(path);
    }
    let message = format!("no test data at {}: set OCTAD_TEST_DATA", path.display());
    assert!(std::env::var("CI").as_deref() != Ok("true"), "{message}");
    eprintln!("skipped: {message}");
    None
}

/// The JSON files of a folder, by name.
fn texts(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> = fs::read_dir(folder)
        .expect("a folder of the suite")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|kind| kind == "json"))
        .map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy();
            (name.into_owned(), fs::read(&path).expect("a file"))
        })
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no files in {}", folder.display());
    files
}

/// Whether the reader takes a text; the tape is verified, and the checker asked too.
fn accepts(text: &[u8]) -> bool {
    let options = ReadOptions::default();
    let mut tape = Tape::default();
    let outcome = parse(text, false, Numbers::Located, &options, &mut tape);
    if outcome.is_ok() {
        verify(&tape, text, b"", &options.limits).expect("a well-formed tape");
    }
    for options in option_sets() {
        agree(text, &options);
    }
    outcome.is_ok()
}

fn read(text: &[u8]) -> Document {
    let options = AnyOptions::Json(ReadOptions::default());
    Document::parse(Arc::new(text.to_vec()), false, options).expect("a well-formed text")
}

#[test]
fn jsontestsuite_is_judged_right() {
    let Some(folder) = suite("jsontestsuite") else {
        return;
    };
    for (name, text) in texts(&folder.join("test_parsing")) {
        let accepted = accepts(&text);
        match name.as_bytes()[0] {
            b'y' => assert!(accepted, "{name} must be accepted"),
            b'n' => assert!(!accepted, "{name} must be refused"),
            b'i' => {}
            _ => panic!("{name}: no expectation"),
        }
    }
    for (_, text) in texts(&folder.join("test_transform")) {
        accepts(&text);
    }
}

#[test]
fn json_checker_is_judged_right() {
    let Some(folder) = suite("json-checker") else {
        return;
    };
    for (name, text) in texts(&folder) {
        // A text at the top, and twenty levels, are no faults in RFC 8259.
        let expected = name.starts_with("pass") || name.contains("EXCLUDE");
        assert_eq!(accepts(&text), expected, "{name}");
    }
}

#[test]
fn roundtrip_values_are_read_to_the_bit() {
    let Some(folder) = suite("nativejson-roundtrip") else {
        return;
    };
    for (name, text) in texts(&folder.join("roundtrip")) {
        assert!(accepts(&text), "{name}");
    }
    let lines = fs::read(folder.join("values.jsonl")).expect("the values");
    for line in lines
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
    {
        let case = read(line);
        let field = |name: &str| {
            let value = case.root().get(name.as_bytes())?;
            let text = value.text(&mut Vec::new()).expect("text").into_owned();
            Some(String::from_utf8(text).expect("UTF-8"))
        };
        let document = read(field("json").expect("a text").as_bytes());
        let value = document.root().element(0).expect("an element");
        match field("expected_double_hex") {
            Some(hex) => {
                let double = match value.number().expect("a number") {
                    Number::Float(double) => double,
                    Number::Int(_) => String::from_utf8_lossy(value.raw())
                        .parse()
                        .expect("digits"),
                };
                assert_eq!(double.to_bits(), from_hex(&hex).to_bits(), "{hex}");
            }
            None => {
                let text = value.text(&mut Vec::new()).expect("text").into_owned();
                assert_eq!(field("expected_string").expect("a string").as_bytes(), text);
            }
        }
    }
}

/// A double from the spelling of Python's `float.hex`.
fn from_hex(text: &str) -> f64 {
    let (negative, text) = match text.strip_prefix('-') {
        Some(text) => (true, text),
        None => (false, text),
    };
    let text = text.strip_prefix("0x").expect("a prefix");
    let (digits, power) = text.split_once('p').expect("an exponent");
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let mantissa = u64::from_str_radix(&format!("{whole}{part}"), 16).expect("digits");
    let power: i32 = power.parse().expect("a power");
    // At most 53 bits, and a power whose halves are doubles: nothing is rounded.
    let shift = power - 4 * part.len() as i32;
    let value = mantissa as f64 * 2f64.powi(shift / 2) * 2f64.powi(shift - shift / 2);
    if negative { -value } else { value }
}

#[test]
fn numbers_are_read_to_the_nearest_double() {
    let Some(folder) = suite("parse-number-fxx") else {
        return;
    };
    let lines = fs::read_to_string(folder.join("sample.txt")).expect("the sample");
    let options = ReadOptions {
        overflow_is_infinite: true,
        ..ReadOptions::default()
    };
    let mut count = 0;
    for line in lines.lines() {
        let (bits, text) = (&line[14..30], &line[31..]);
        if !check(text.as_bytes(), &options, 1).is_empty() {
            continue; // no JSON number
        }
        count += 1;
        let bits = u64::from_str_radix(bits, 16).expect("bits");
        for numbers in [Numbers::Located, Numbers::Eager] {
            let mut tape = Tape::default();
            parse(text.as_bytes(), true, numbers, &options, &mut tape).expect("a number");
            let any = AnyOptions::Json(options);
            let document = Document::from_parts(Arc::new(text.as_bytes().to_vec()), tape, any);
            let double = match document.root().number().expect("a number") {
                Number::Float(double) => double,
                // Whole numbers stay exact, and minus zero one of them.
                Number::Int(_) => text.parse().expect("digits"),
            };
            assert_eq!(double.to_bits(), bits, "{text}");
        }
    }
    assert!(count > 1000, "only {count} numbers");
}

#[test]
fn naughty_strings_are_read() {
    let Some(folder) = suite("naughty-strings") else {
        return;
    };
    let text = fs::read(folder.join("blns.json")).expect("the strings");
    assert!(accepts(&text));
    let document = read(&text);
    for value in document.root().elements() {
        let text = value.text(&mut Vec::new()).expect("text").into_owned();
        assert!(core::str::from_utf8(&text).is_ok());
        assert!(accepts(value.raw()));
    }
}

/// The level is chosen once in a process: each lower one gets a process of its own.
#[test]
fn each_instruction_set_judges_alike() {
    let binary = std::env::current_exe().expect("this test");
    for level in ["plain", "sse2"] {
        let mut command = Command::new(&binary);
        command.env("OCTAD_SIMD", level).arg("right");
        let output = command.output().expect("a run");
        assert!(
            output.status.success(),
            "{level}: {}",
            String::from_utf8_lossy(&output.stdout)
        );
    }
}

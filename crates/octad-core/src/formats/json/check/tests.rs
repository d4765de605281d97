//! Which problems are found in a text, and that none of them is an echo of another.

use super::check;
use crate::error::Error;
use crate::formats::json::{Duplicates, NanRead, ReadOptions};
use crate::limits::Limits;
use std::time::{Duration, Instant};

fn rows(problems: &[Error]) -> Vec<(&'static str, usize, String)> {
    problems
        .iter()
        .map(|error| {
            let offset = error.offset().expect("every problem has a place");
            (error.code().name(), offset, error.path().to_string())
        })
        .collect()
}

#[track_caller]
fn finds_with(input: impl AsRef<[u8]>, options: &ReadOptions, expected: &[(&str, usize, &str)]) {
    let input = input.as_ref();
    let problems = check(input, options, 100);
    let found = rows(&problems);
    let found: Vec<(&str, usize, &str)> = found
        .iter()
        .map(|(code, offset, path)| (*code, *offset, path.as_str()))
        .collect();
    assert_eq!(found, expected, "{}", String::from_utf8_lossy(input));
    for cap in 0..expected.len() {
        let some = check(input, options, cap);
        assert_eq!(some, problems[..cap], "the first {cap}");
    }
}

#[track_caller]
fn finds(input: impl AsRef<[u8]>, expected: &[(&str, usize, &str)]) {
    finds_with(input, &ReadOptions::default(), expected);
}

#[test]
fn eight_faults_are_eight_problems() {
    let text = concat!(
        "{\n",
        "  \"name\": \"tab\there\",\n",
        "  \"path\": \"C:\\qux\",\n",
        "  \"size\" 10,\n",
        "  \"list\": [1, 02, 3,],\n",
        "  \"ratio\": 1.,\n",
        "  \"flag\": True\n",
        "  \"last\": [null}\n",
        "} x\n",
    );
    finds(
        text,
        &[
            ("control-character", 16, "$.name"),
            ("invalid-escape", 37, "$.path"),
            ("expected-colon", 53, "$.size"),
            ("leading-zero", 72, "$.list[1]"),
            ("trailing-comma", 76, "$.list[3]"),
            ("missing-digits", 93, "$.ratio"),
            ("invalid-literal", 105, "$.flag"),
            ("expected-comma", 112, "$"),
            ("mismatched-bracket", 125, "$.last[1]"),
            ("trailing-data", 129, "$"),
        ],
    );
}

#[test]
fn well_formed_texts_have_no_problems() {
    for text in [
        "0",
        "[]",
        "{}",
        " [1, {\"a\": \"\\ud83d\\ude00é\"}, -0.5e-3]\n",
        "\u{feff}null",
    ] {
        finds(text, &[]);
    }
}

#[test]
fn commas_too_few_and_too_many() {
    finds(
        "[1 2 3]",
        &[("expected-comma", 3, "$[1]"), ("expected-comma", 5, "$[2]")],
    );
    finds(
        "[1,,2,nul]",
        &[
            ("expected-value", 3, "$[1]"),
            ("invalid-literal", 6, "$[2]"),
        ],
    );
    finds("[,]", &[("expected-value", 1, "$[0]")]);
    finds("[1,,]", &[("expected-value", 3, "$[1]")]);
    finds("{\"a\":1,,\"b\":2}", &[("expected-key", 7, "$")]);
    finds(
        "{\"a\":1 \"b\":x}",
        &[("expected-comma", 7, "$"), ("invalid-literal", 11, "$.b")],
    );
    finds(
        "[1; 2; 3]",
        &[("expected-comma", 2, "$[1]"), ("expected-comma", 5, "$[2]")],
    );
    finds("[1:2]", &[("expected-comma", 2, "$[1]")]);
    finds(
        "[1, /* x */ ]",
        &[
            ("trailing-comma", 2, "$[1]"),
            ("comment-not-allowed", 4, "$[1]"),
        ],
    );
}

#[test]
fn keys_that_are_no_texts() {
    finds(
        "{a: 1, 'b': 2, 3: nul}",
        &[
            ("expected-key", 1, "$"),
            ("expected-key", 7, "$"),
            ("expected-key", 15, "$"),
            ("invalid-literal", 18, "$['3']"),
        ],
    );
    finds("{[1]: 2, \"b\": 3}", &[("expected-key", 1, "$")]);
    finds("{a}", &[("expected-key", 1, "$")]);
    finds("{: 1}", &[("expected-key", 1, "$")]);
    finds(
        "{\"a\" = 1, \"b\", \"c\"}",
        &[
            ("expected-colon", 5, "$.a"),
            ("expected-colon", 13, "$.b"),
            ("expected-colon", 18, "$.c"),
        ],
    );
    finds("{\"a\":}", &[("expected-value", 5, "$.a")]);
    finds("{\"a\":,\"b\":1}", &[("expected-value", 5, "$.a")]);
    finds(
        "{\"say \"hi\" there\": 1}",
        &[("expected-colon", 7, "$['say ']")],
    );
}

#[test]
fn words_are_given_up_as_a_whole() {
    finds(
        "[1.5.5, +1, .5, 0x1F, 'it', undefined, 1e, --1]",
        &[
            ("expected-comma", 4, "$[1]"),
            ("expected-value", 8, "$[1]"),
            ("expected-value", 12, "$[2]"),
            ("expected-comma", 17, "$[4]"),
            ("expected-value", 22, "$[4]"),
            ("invalid-literal", 28, "$[5]"),
            ("missing-digits", 41, "$[6]"),
            ("missing-digits", 44, "$[7]"),
        ],
    );
    finds(
        "[NaN, -Infinity, nan]",
        &[
            ("nan-not-allowed", 1, "$[0]"),
            ("nan-not-allowed", 6, "$[1]"),
            ("invalid-literal", 17, "$[2]"),
        ],
    );
    finds("[abc\", 1]", &[("invalid-literal", 1, "$[0]")]);
    finds(
        "callback({\"a\": nul})",
        &[("invalid-literal", 0, "$"), ("invalid-literal", 15, "$.a")],
    );
}

#[test]
fn brackets_are_closed_as_what_follows_suggests() {
    // Mistyped, missing, one too many.
    finds(
        "{\"a\": [1}, \"b\": 2}",
        &[("mismatched-bracket", 8, "$.a[1]")],
    );
    finds("{\"a\": [1}", &[("mismatched-bracket", 8, "$.a[1]")]);
    finds(
        "[{\"a\": [1}, {\"a\": 2}]",
        &[("mismatched-bracket", 9, "$[0].a[1]")],
    );
    finds("{\"a\": [1]], \"b\": 2}", &[("mismatched-bracket", 9, "$")]);
    finds("{\"a\": [[1}", &[("mismatched-bracket", 9, "$.a[0][1]")]);
    finds("[1}", &[("mismatched-bracket", 2, "$[1]")]);
    finds("[}", &[("expected-value", 1, "$[0]")]);
    finds("{]", &[("expected-key", 1, "$")]);
    finds("[[1, {\"a\":", &[("unexpected-end", 10, "$[0][1].a")]);
    finds("[1]]", &[("trailing-data", 3, "$")]);
    finds("]", &[("expected-value", 0, "$")]);
}

#[test]
fn strings_go_on_after_a_fault() {
    finds(
        b"[\"\\q\\u12g4\x01\xff\xfe\\ud800\\\xc3\xa9\", nul]",
        &[
            ("invalid-escape", 2, "$[0]"),
            ("invalid-unicode-escape", 4, "$[0]"),
            ("control-character", 10, "$[0]"),
            ("invalid-utf8", 11, "$[0]"),
            ("lone-surrogate", 13, "$[0]"),
            ("invalid-escape", 19, "$[0]"),
            ("invalid-literal", 25, "$[1]"),
        ],
    );
    finds(
        "[\"say \"hi\" there\", 1]",
        &[("expected-comma", 7, "$[1]")],
    );
    finds("[\"abc", &[("unexpected-end", 5, "$[0]")]);
    finds("[\"one\r\ntwo\"]", &[("control-character", 5, "$[0]")]);
}

#[test]
fn a_missing_quote_ends_with_its_line() {
    finds(
        "{\n\"a\": \"x,\n\"b\": \"y\n}",
        &[
            ("control-character", 10, "$.a"),
            ("control-character", 18, "$.b"),
        ],
    );
    finds("[\"a\n\", \"b\"]", &[("control-character", 3, "$[0]")]);
    finds("[\"a,\n]", &[("control-character", 4, "$[0]")]);
    finds(
        "\"a,\n\"b\": 1",
        &[("control-character", 3, "$"), ("trailing-data", 4, "$")],
    );
    finds(
        "[\"f() {\n}\n\"]",
        &[
            ("control-character", 7, "$[0]"),
            ("control-character", 9, "$[0]"),
        ],
    );
}

#[test]
fn options_decide_what_is_a_problem() {
    let lenient = ReadOptions {
        comments: true,
        trailing_commas: true,
        nan: NanRead::Literal,
        overflow_is_infinite: true,
        ..ReadOptions::default()
    };
    finds_with("[NaN, 1e999, /* c */ {\"a\": 1,},] // d", &lenient, &[]);
    finds_with(
        "[1, // \u{e9}\n 2 /* x",
        &lenient,
        &[("unterminated-comment", 17, "$[2]")],
    );
    finds_with(b"[1 // \xff\n]", &lenient, &[("invalid-utf8", 6, "$[1]")]);
    finds(
        "[1 /* x",
        &[
            ("comment-not-allowed", 3, "$[1]"),
            ("unterminated-comment", 7, "$[1]"),
        ],
    );
    finds("1 // c", &[("comment-not-allowed", 2, "$")]);
    let unique = ReadOptions {
        duplicates: Duplicates::Error,
        ..ReadOptions::default()
    };
    finds_with(
        "{\"a\":1,\"b\":{\"a\":1},\"\\u0061\":2,\"a\":3}",
        &unique,
        &[("duplicate-key", 19, "$.a"), ("duplicate-key", 30, "$.a")],
    );
    finds("[1e999]", &[("number-overflow", 1, "$[0]")]);
}

#[test]
fn limits_are_problems_too() {
    let with = |limits| ReadOptions {
        limits,
        ..ReadOptions::default()
    };
    let defaults = Limits::default();
    let few = with(Limits {
        depth: 2,
        text: Some(3),
        digits: Some(5),
        ..defaults
    });
    finds_with(
        "[[[1, \"]\"], {}], \"long\", 123456, {\"keys\": 1}]",
        &few,
        &[
            ("depth-limit", 2, "$[0][0]"),
            ("depth-limit", 12, "$[0][1]"),
            ("text-limit", 17, "$[1]"),
            ("digits-limit", 25, "$[2]"),
            ("text-limit", 34, "$[3]"),
        ],
    );
    let tokens = with(Limits {
        tokens: Some(3),
        ..defaults
    });
    finds_with(
        "[1,2,nul,4,5]",
        &tokens,
        &[("invalid-literal", 5, "$[2]"), ("token-limit", 9, "$[3]")],
    );
    let size = with(Limits {
        size: Some(3),
        ..defaults
    });
    finds_with("[12]", &size, &[("size-limit", 0, "$")]);
    finds("", &[("empty-input", 0, "$")]);
}

#[test]
fn hostile_texts_take_linear_time() {
    let mega = 1 << 18;
    let nested = format!("{}{}", "{\"a\":[".repeat(500), "]".repeat(mega));
    let texts = [
        b",".repeat(mega),
        b"[,".repeat(mega / 2),
        b"[".repeat(mega),
        b"{".repeat(mega),
        b"{\"\":".repeat(mega / 4),
        b"]".repeat(mega),
        b":".repeat(mega),
        [b"[".as_slice(), &b", ".repeat(mega / 2)].concat(),
        [b"[\"".as_slice(), &b"\\q".repeat(mega / 2)].concat(),
        [b"[\"".as_slice(), &b"\n".repeat(mega)].concat(),
        [b"[\"".as_slice(), &b"\xff".repeat(mega)].concat(),
        [b"[\"".as_slice(), &b"\xffa".repeat(mega / 2)].concat(),
        b"'\\".repeat(mega / 2),
        b"/**/".repeat(mega / 4),
        b"[1 ".repeat(mega / 3),
        b"\"a\"b".repeat(mega / 4),
        [b"[1,".as_slice(), &b"/**/".repeat(mega / 4), b"]"].concat(),
        nested.into_bytes(),
        [b"[".as_slice(), &b"9".repeat(mega), b"]"].concat(),
        [b"[1e".as_slice(), &b"9".repeat(mega), b"]"].concat(),
        b"a".repeat(mega),
    ];
    for text in &texts {
        let start = Instant::now();
        let problems = check(text, &ReadOptions::default(), 100);
        let took = start.elapsed();
        assert!((1..=100).contains(&problems.len()));
        let shown = String::from_utf8_lossy(&text[..20]);
        assert!(took < Duration::from_secs(30), "{took:?} for {shown}");
    }
}

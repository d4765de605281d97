//! The reader: tape dumps of small texts, codes and offsets of malformed ones.

use super::{Duplicates, NanRead, Numbers, ReadOptions, parse, places};
use crate::error::Error;
use crate::formats::Place;
use crate::limits::Limits;
use crate::tape::{self, Tape};
use crate::text::escape::Surrogates;

fn read(input: &[u8], numbers: Numbers, options: &ReadOptions) -> Result<Tape, Error> {
    let mut tape = Tape::default();
    parse(input, false, numbers, options, &mut tape)?;
    Ok(tape)
}

/// Reads leniently and compares the dump without its guard; the tape must pass the verifier.
#[track_caller]
fn check_with(input: &str, options: &ReadOptions, expected: &[&str]) {
    let tape = read(input.as_bytes(), Numbers::Located, options).expect("reads");
    let dump = tape::dump(&tape, input.as_bytes());
    let lines: Vec<&str> = dump.lines().skip(1).collect();
    assert_eq!(lines, expected, "{input}");
    tape::verify(&tape, input.as_bytes(), b"", &options.limits).expect("verifies");
}

#[track_caller]
fn check(input: &str, expected: &[&str]) {
    check_with(input, &ReadOptions::default(), expected);
}

#[track_caller]
fn fails_with(input: &[u8], options: &ReadOptions, code: &str, offset: usize, path: &str) {
    for numbers in [Numbers::Located, Numbers::Eager] {
        let error = read(input, numbers, options).expect_err(&String::from_utf8_lossy(input));
        let found = (
            error.code().name(),
            error.offset(),
            error.path().to_string(),
        );
        assert_eq!(
            found,
            (code, Some(offset), path.to_owned()),
            "{:?} {error}",
            String::from_utf8_lossy(input)
        );
    }
}

#[track_caller]
fn fails(input: &str, code: &str, offset: usize, path: &str) {
    fails_with(
        input.as_bytes(),
        &ReadOptions::default(),
        code,
        offset,
        path,
    );
}

#[test]
fn the_example_of_the_specification() {
    check(
        r#"{"a":[1,-2.5,"x\n"]}"#,
        &[
            "1 MAP plain span=6 count=1",
            "2 TEXT double 2+1 \"a\"",
            "3 LIST plain span=4 count=3",
            "4 INT plain inline 1",
            "5 REAL text 8+4 \"-2.5\"",
            "6 TEXT double 14+3 E \"x\\\\n\"",
        ],
    );
}

#[test]
fn scalars_stand_alone() {
    check("null", &["1 SIMPLE null"]);
    check(" true\n", &["1 SIMPLE true"]);
    check("false", &["1 SIMPLE false"]);
    check("\"é\"", &["1 TEXT double 1+2 N \"é\""]);
    check("\u{feff}0", &["1 INT plain inline 0"]);
    check("[]", &["1 LIST plain span=1 count=0"]);
    check("{ }", &["1 MAP plain span=1 count=0"]);
}

#[test]
fn only_preferred_integers_are_inline() {
    check("-1", &["1 INT plain inline -1"]);
    check("9999999999999999", &["1 INT plain inline 9999999999999999"]);
    check(
        "-9999999999999999",
        &["1 INT plain inline -9999999999999999"],
    );
    check(
        "10000000000000000",
        &["1 INT plain 0+17 \"10000000000000000\""],
    );
    check("-0", &["1 INT plain 0+2 \"-0\""]);
    check("1e0", &["1 REAL text 0+3 \"1e0\""]);
    check("0.0", &["1 REAL text 0+3 \"0.0\""]);
}

#[test]
fn containers_nest_and_count() {
    check(
        r#"[[],[1,[2]],{"a":{},"b":0}]"#,
        &[
            "1 LIST plain span=11 count=3",
            "2 LIST plain span=1 count=0",
            "3 LIST plain span=4 count=2",
            "4 INT plain inline 1",
            "5 LIST plain span=2 count=1",
            "6 INT plain inline 2",
            "7 MAP plain span=5 count=2",
            "8 TEXT double 14+1 \"a\"",
            "9 MAP plain span=1 count=0",
            "10 TEXT double 21+1 \"b\"",
            "11 INT plain inline 0",
        ],
    );
}

#[test]
fn eager_numbers_are_in_the_token_when_they_fit() {
    let text = b"[1.5,1e300,-0.0,123456789012345678901]";
    let tape = read(text, Numbers::Eager, &ReadOptions::default()).unwrap();
    let dump = tape::dump(&tape, text);
    let lines: Vec<&str> = dump.lines().skip(2).collect();
    assert_eq!(
        lines,
        [
            "2 REAL59 1.5",
            "3 REAL text 5+5 \"1e300\"",
            "4 REAL59 -0.0",
            "5 INT plain 16+21 \"123456789012345678901\"",
        ]
    );
}

#[test]
fn faults_have_their_code_offset_and_path() {
    fails("", "empty-input", 0, "$");
    fails(" \n", "empty-input", 2, "$");
    fails("[", "unexpected-end", 1, "$[0]");
    fails("[1", "unexpected-end", 2, "$[1]");
    fails("[1,", "unexpected-end", 3, "$[1]");
    fails("{", "unexpected-end", 1, "$");
    fails("{\"a\"", "unexpected-end", 4, "$.a");
    fails("{\"a\":", "unexpected-end", 5, "$.a");
    fails("{\"a\":1", "unexpected-end", 6, "$");
    fails("{\"a\":[1,{\"b\":x}]}", "invalid-literal", 13, "$.a[1].b");
    fails("[1 2]", "expected-comma", 3, "$[1]");
    fails("[1}", "mismatched-bracket", 2, "$[1]");
    fails("{\"a\":1]", "mismatched-bracket", 6, "$");
    fails("]", "expected-value", 0, "$");
    fails("[,1]", "expected-value", 1, "$[0]");
    fails("[1,]", "trailing-comma", 2, "$[1]");
    fails("{\"a\":1, }", "trailing-comma", 6, "$");
    fails("{a:1}", "expected-key", 1, "$");
    fails("{1:1}", "expected-key", 1, "$");
    fails("{\"a\" 1}", "expected-colon", 5, "$.a");
    fails("1 2", "trailing-data", 2, "$");
    fails("1 // 2", "comment-not-allowed", 2, "$");
    fails("[1, /* */ ]", "trailing-comma", 2, "$[1]");
    fails("[1./* */]", "missing-digits", 3, "$[0]");
    fails("nul", "unexpected-end", 3, "$");
    fails("nulx", "invalid-literal", 0, "$");
    fails("True", "invalid-literal", 0, "$");
    fails("[tru]", "invalid-literal", 1, "$[0]");
    fails("01", "leading-zero", 1, "$");
    fails("-012", "leading-zero", 2, "$");
    fails("-", "unexpected-end", 1, "$");
    fails("[-]", "missing-digits", 2, "$[0]");
    fails("1.", "unexpected-end", 2, "$");
    fails("[1.]", "missing-digits", 3, "$[0]");
    fails("[1e+]", "missing-digits", 4, "$[0]");
    fails("[.5]", "expected-value", 1, "$[0]");
    fails("[+1]", "expected-value", 1, "$[0]");
    fails("NaN", "nan-not-allowed", 0, "$");
    fails("[-Infinity]", "nan-not-allowed", 1, "$[0]");
    fails("-Inf", "missing-digits", 1, "$");
    fails("// x", "comment-not-allowed", 0, "$");
    fails("[1, /* */ 2]", "comment-not-allowed", 4, "$[1]");
    fails("\"a\nb\"", "control-character", 2, "$");
    fails("\"\u{8}\"", "control-character", 1, "$");
    fails("\"abc", "unexpected-end", 4, "$");
    fails(r#""\q""#, "invalid-escape", 1, "$");
    fails(r#""ab\"#, "unexpected-end", 4, "$");
    fails(r#"["\u12g4"]"#, "invalid-unicode-escape", 2, "$[0]");
    fails(r#""\u12"#, "unexpected-end", 5, "$");
    fails(r#""\ud800x""#, "lone-surrogate", 1, "$");
    fails(r#""\udc00""#, "lone-surrogate", 1, "$");
    fails(r#""\ud800\u0041""#, "lone-surrogate", 1, "$");
}

#[test]
fn a_number_beyond_a_double_is_refused_when_it_is_read() {
    assert!(read(b"1e400", Numbers::Located, &ReadOptions::default()).is_ok());
    let error = read(b"[-1e400]", Numbers::Eager, &ReadOptions::default()).unwrap_err();
    assert_eq!(
        (error.code().name(), error.offset()),
        ("number-overflow", Some(1))
    );
    let options = ReadOptions {
        overflow_is_infinite: true,
        ..ReadOptions::default()
    };
    assert!(read(b"1e400", Numbers::Eager, &options).is_ok());
}

#[test]
fn ill_formed_utf8_is_found_unless_something_stands_before_it() {
    let options = ReadOptions::default();
    fails_with(b"\"a\xff\"", &options, "invalid-utf8", 2, "$");
    fails_with(
        b"{\"a\":[\"\xed\xa0\x80\"]}",
        &options,
        "invalid-utf8",
        7,
        "$.a[0]",
    );
    fails_with(b"[\"\xc3\"]", &options, "invalid-utf8", 2, "$[0]");
    fails_with(b"[1 \"\xff\"]", &options, "expected-comma", 3, "$[1]");
    fails_with(b"[\"\xff\" 1]", &options, "invalid-utf8", 2, "$[0]");
    fails_with(b"[\xff]", &options, "invalid-utf8", 1, "$[0]");
    fails_with(b"\"\xe2\x82", &options, "invalid-utf8", 1, "$");
}

#[test]
fn deep_nesting_ends_in_an_error() {
    let deep = "[".repeat(100_000);
    let path = "[0]".repeat(1024);
    fails(&deep, "depth-limit", 1024, &format!("${path}"));
    let limits = Limits {
        depth: 3,
        ..Limits::default()
    };
    let options = ReadOptions {
        limits,
        ..ReadOptions::default()
    };
    assert!(read(b"[[[1]]]", Numbers::Located, &options).is_ok());
    fails_with(b"[[[[1]]]]", &options, "depth-limit", 3, "$[0][0][0]");
}

#[test]
fn limits_hold_at_their_edge() {
    let with = |limits| ReadOptions {
        limits,
        ..ReadOptions::default()
    };
    let tokens = with(Limits {
        tokens: Some(4),
        ..Limits::default()
    });
    assert!(read(b"[1,2,3]", Numbers::Located, &tokens).is_ok());
    let error = read(b"[1,2,3,4]", Numbers::Located, &tokens).unwrap_err();
    assert_eq!(
        (error.code().name(), error.offset()),
        ("token-limit", Some(7))
    );
    let size = with(Limits {
        size: Some(4),
        ..Limits::default()
    });
    assert!(read(b"[12]", Numbers::Located, &size).is_ok());
    fails_with(b"[123]", &size, "size-limit", 0, "$");
    let text = with(Limits {
        text: Some(3),
        ..Limits::default()
    });
    assert!(read(b"[\"abc\"]", Numbers::Located, &text).is_ok());
    fails_with(b"[\"abcd\"]", &text, "text-limit", 1, "$[0]");
    fails_with(b"[{\"abcd\":1}]", &text, "text-limit", 2, "$[0]");
}

#[test]
fn equal_keys_can_be_refused() {
    let options = ReadOptions {
        duplicates: Duplicates::Error,
        ..ReadOptions::default()
    };
    assert!(read(br#"{"a":1,"b":{"a":1}}"#, Numbers::Located, &options).is_ok());
    fails_with(
        br#"[{"a":1,"\u0061":2}]"#,
        &options,
        "duplicate-key",
        8,
        "$[0].a",
    );
}

#[test]
fn words_for_what_is_no_number_follow_the_policy() {
    let literal = ReadOptions {
        nan: NanRead::Literal,
        ..ReadOptions::default()
    };
    check_with(
        "[NaN,-Infinity]",
        &literal,
        &[
            "1 LIST plain span=3 count=2",
            "2 REAL special 1+3 \"NaN\"",
            "3 REAL special 5+9 \"-Infinity\"",
        ],
    );
    fails_with(b"[-Infi", &literal, "unexpected-end", 6, "$[0]");
    fails_with(b"[Na]", &literal, "invalid-literal", 1, "$[0]");
    let null = ReadOptions {
        nan: NanRead::Null,
        ..ReadOptions::default()
    };
    check_with("Infinity", &null, &["1 SIMPLE null"]);
}

#[test]
fn comments_stand_before_their_values() {
    let options = ReadOptions {
        comments: true,
        trailing_commas: true,
        ..ReadOptions::default()
    };
    check_with(
        "// top\n[1, // one\n/* two */ 2, [3] // three\n,] // end\n",
        &options,
        &[
            "1 TRIVIA line 0+6 leading \"// top\"",
            "2 LIST plain span=8 count=3",
            "3 TRIVIA line 11+6 end-of-line \"// one\"",
            "4 INT plain inline 1",
            "5 TRIVIA block 18+9 leading \"/* two */\"",
            "6 INT plain inline 2",
            "7 TRIVIA line 35+8 end-of-line \"// three\"",
            "8 LIST plain span=2 count=1",
            "9 INT plain inline 3",
            "10 TRIVIA line 47+6 dangling \"// end\"",
        ],
    );
    check_with(
        "{\"a\": 1 /* of a */, \"b\": // of b\n 2\n// last\n}",
        &options,
        &[
            "1 MAP plain span=8 count=2",
            "2 TRIVIA block 8+10 end-of-line \"/* of a */\"",
            "3 TEXT double 2+1 \"a\"",
            "4 INT plain inline 1",
            "5 TEXT double 21+1 \"b\"",
            "6 TRIVIA line 25+7 leading \"// of b\"",
            "7 INT plain inline 2",
            "8 TRIVIA line 36+7 dangling \"// last\"",
        ],
    );
    check_with(
        "[/* none */]",
        &options,
        &[
            "1 LIST plain span=2 count=0",
            "2 TRIVIA block 1+10 dangling \"/* none */\"",
        ],
    );
    fails_with(b"[1 /* x", &options, "unterminated-comment", 7, "$[1]");
    fails_with(b"[1./* */]", &options, "missing-digits", 3, "$[0]");
}

#[test]
fn many_comments_take_linear_time() {
    let options = ReadOptions {
        comments: true,
        ..ReadOptions::default()
    };
    let comments = "/**/".repeat(200_000);
    let texts = [
        format!("1{comments}"),
        format!("{}1{comments}{}", "[".repeat(1000), "]".repeat(1000)),
        format!("{}{comments}{}", "[".repeat(1000), "]".repeat(1000)),
    ];
    for text in &texts {
        let start = std::time::Instant::now();
        read(text.as_bytes(), Numbers::Located, &options).expect("reads");
        let took = start.elapsed();
        assert!(took.as_secs() < 30, "{took:?} for {}", &text[..20]);
    }
}

#[test]
fn the_first_fault_is_reported_whenever_it_is_found() {
    let options = ReadOptions {
        duplicates: Duplicates::Error,
        limits: Limits {
            text: Some(3),
            ..Limits::default()
        },
        ..ReadOptions::default()
    };
    fails_with(b"{\"a\":1,\"a\":nul}", &options, "duplicate-key", 7, "$.a");
    fails_with(b"{\"a\":1,\"a\"", &options, "duplicate-key", 7, "$.a");
    fails_with(
        b"[{\"a\":[\"long\",\"\xff\"",
        &options,
        "text-limit",
        7,
        "$[0].a[0]",
    );
    fails_with(b"[\"\xff\",\"long\"]", &options, "invalid-utf8", 2, "$[0]");
}

#[test]
fn the_token_limit_holds_for_containers() {
    let options = ReadOptions {
        limits: Limits {
            tokens: Some(1),
            ..Limits::default()
        },
        ..ReadOptions::default()
    };
    fails_with(b"[[", &options, "token-limit", 1, "$[0]");
}

#[test]
fn unchecked_values_are_located_as_they_are() {
    let options = ReadOptions {
        lazy_values: true,
        ..ReadOptions::default()
    };
    check_with(
        r#"["\q",1.2.3]"#,
        &options,
        &[
            "1 LIST plain span=3 count=2",
            "2 TEXT double 2+2 E \"\\\\q\"",
            "3 REAL text 6+5 \"1.2.3\"",
        ],
    );
}

#[test]
fn surrogates_may_be_let_through() {
    for surrogates in [Surrogates::Replace, Surrogates::Keep] {
        let options = ReadOptions {
            surrogates,
            ..ReadOptions::default()
        };
        assert!(read(br#""\ud800""#, Numbers::Located, &options).is_ok());
    }
}

#[test]
fn places_cover_quotes_and_brackets() {
    let text = r#" { "a" : [ 1 , -2.5e1, "x" ] , "b" : null , "c":{ } } "#;
    let tape = read(text.as_bytes(), Numbers::Located, &ReadOptions::default()).unwrap();
    let slices: Vec<&str> = places(&tape, text.as_bytes())
        .iter()
        .skip(1)
        .map(|Place { start, end }| &text[*start as usize..*end as usize])
        .collect();
    assert_eq!(
        slices,
        [
            text.trim(),
            "\"a\"",
            "[ 1 , -2.5e1, \"x\" ]",
            "1",
            "-2.5e1",
            "\"x\"",
            "\"b\"",
            "null",
            "\"c\"",
            "{ }",
        ]
    );
}

#[test]
fn places_see_where_comments_end() {
    let options = ReadOptions {
        comments: true,
        ..ReadOptions::default()
    };
    let text = b"[/*/ 7 */1]";
    let tape = read(text, Numbers::Located, &options).unwrap();
    let last = places(&tape, text).pop().unwrap();
    assert_eq!((last.start, last.end), (9, 10));
}

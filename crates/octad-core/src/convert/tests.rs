//! Documents into a JSON sink: spellings kept or made anew, order, limits.

use std::sync::Arc;

use proptest::prelude::*;

use super::{Conversion, Order, convert};
use crate::doc::tests::random;
use crate::doc::{Document, equal};
use crate::error::Error;
use crate::formats::json::{JsonSink, ReadOptions, WriteOptions};
use crate::formats::{AnyOptions, FormatId};
use crate::scan::EscapeSet;
use crate::sink::{Layout, OutBuf, Sink};
use crate::text::escape::Surrogates;

fn read(text: &str, options: ReadOptions) -> Document {
    let text: String = text.to_owned();
    Document::parse(Arc::new(text), false, AnyOptions::Json(options)).expect("a valid text")
}

fn rules() -> Conversion {
    Conversion {
        target: FormatId::Json,
        keep_texts: true,
        keep_numbers: true,
        order: Order::Kept,
        depth: 1024,
    }
}

fn write(document: &Document, options: &WriteOptions, rules: Conversion) -> Result<String, Error> {
    let mut out = OutBuf::new(Vec::new(), options.output);
    let done = if options.layout.is_some() {
        let mut sink = JsonSink::<true>::new(&mut out, options);
        convert(document.root(), &mut sink, &rules).map(|()| sink.finish())
    } else {
        let mut sink = JsonSink::<false>::new(&mut out, options);
        convert(document.root(), &mut sink, &rules).map(|()| sink.finish())
    };
    done.map(|()| String::from_utf8(out.into_vec()).expect("UTF-8"))
}

#[track_caller]
fn check(input: &str, options: &WriteOptions, rules: Conversion, expected: &str) {
    let document = read(input, ReadOptions::default());
    assert_eq!(write(&document, options, rules).as_deref(), Ok(expected));
}

fn spelled_anew() -> Conversion {
    Conversion {
        keep_texts: false,
        ..rules()
    }
}

fn in_order(order: Order) -> Conversion {
    Conversion { order, ..rules() }
}

#[test]
fn spellings_stay() {
    let options = WriteOptions::default();
    check(
        "{ \"\\u0061\" : [ 1.0e5 , -0 , 12345678901234567890123 , \"\\/\" , \"é\" , null ] }",
        &options,
        rules(),
        "{\"\\u0061\":[1.0e5,-0,12345678901234567890123,\"\\/\",\"é\",null]}",
    );
    check("[ [ ], { } ]", &options, rules(), "[[],{}]");
    check(" 1e400 ", &options, rules(), "1e400");
    check("{\"a\":1, \"a\":2}", &options, rules(), "{\"a\":1,\"a\":2}");
}

#[test]
fn texts_are_spelled_anew_where_asked() {
    let mut options = WriteOptions {
        escape: EscapeSet::Ascii,
        ..WriteOptions::default()
    };
    let input = "{\"\\u0061é\": [\"\\/<\", \"😀\", 1.50]}";
    let ascii = "{\"a\\u00e9\":[\"/<\",\"\\ud83d\\ude00\",1.50]}";
    check(input, &options, spelled_anew(), ascii);
    options.escape = EscapeSet::Html;
    let html = "{\"aé\":[\"/\\u003c\",\"😀\",1.50]}";
    check(input, &options, spelled_anew(), html);
}

#[test]
fn lines_and_indentation() {
    let options = WriteOptions {
        layout: Some(Layout::new("\n", "  ")),
        ..WriteOptions::default()
    };
    let expected = "{\n  \"\\u0061\": [\n    1.0,\n    {}\n  ],\n  \"b\": []\n}";
    check(
        "{\"\\u0061\":[1.0,{}],\"b\":[]}",
        &options,
        rules(),
        expected,
    );
}

#[test]
fn keys_are_sorted_by_what_they_mean() {
    let options = WriteOptions::default();
    let input = "{\"\u{ff01}\": 1, \"😀\": {\"b\": 2, \"\\u0061\": 3}, \"a\": 4, \"\\u0061\": 5}";
    check(
        input,
        &options,
        in_order(Order::CodePoint),
        "{\"a\":4,\"\\u0061\":5,\"\u{ff01}\":1,\"😀\":{\"\\u0061\":3,\"b\":2}}",
    );
    let document = read(input, ReadOptions::default());
    let error = write(&document, &options, in_order(Order::Utf16)).unwrap_err();
    assert_eq!(
        (error.code().name(), error.path().pointer().as_str()),
        ("key-clash", "/a")
    );
    // Surrogates come before U+FF01.
    check(
        "{\"\u{ff01}\": 1, \"😀\": 2}",
        &options,
        in_order(Order::Utf16),
        "{\"😀\":2,\"\u{ff01}\":1}",
    );
}

#[test]
fn canonical_numbers_are_doubles() {
    let options = WriteOptions {
        canonical: true,
        ..WriteOptions::default()
    };
    let canonical = Conversion {
        keep_texts: false,
        keep_numbers: false,
        ..in_order(Order::Utf16)
    };
    check(
        "[1.0, 1E+2, -0.0, 7, 0.10]",
        &options,
        canonical,
        "[1,100,0,7,0.1]",
    );
    let document = read("{\"a\": [9007199254740993]}", ReadOptions::default());
    let error = write(&document, &options, canonical).unwrap_err();
    assert_eq!(
        (error.code().name(), error.path().pointer().as_str()),
        ("unrepresentable", "/a/0")
    );
}

#[test]
fn what_reading_replaced_is_not_written_back() {
    let options = WriteOptions::default();
    let lenient = ReadOptions {
        surrogates: Surrogates::Replace,
        ..ReadOptions::default()
    };
    let document = read("[\"\\ud800\", \"\\u0061\"]", lenient);
    assert_eq!(
        write(&document, &options, rules()).as_deref(),
        Ok("[\"\u{fffd}\",\"a\"]")
    );
}

#[test]
fn values_that_were_not_checked_are_checked_on_their_way() {
    let options = WriteOptions::default();
    let lazy = ReadOptions {
        lazy_values: true,
        ..ReadOptions::default()
    };
    for (input, code, offset, pointer) in [
        ("{\"a\": [1, \"\\q\"]}", "invalid-escape", 11, "/a/1"),
        ("{\"\\q\": 1}", "invalid-escape", 2, "/\\q"),
        ("[1, 01]", "leading-zero", 5, "/1"),
    ] {
        let error = write(&read(input, lazy), &options, rules()).unwrap_err();
        assert_eq!(
            (
                error.code().name(),
                error.offset(),
                error.path().pointer().as_str()
            ),
            (code, Some(offset), pointer)
        );
    }
    let good = "[1.0,\"\\u0061\"]";
    assert_eq!(
        write(&read(good, lazy), &options, rules()).as_deref(),
        Ok(good)
    );
}

#[test]
fn limits_hold() {
    let mut options = WriteOptions::default();
    let document = read("{\"a\": [[1]]}", ReadOptions::default());
    let shallow = Conversion {
        depth: 2,
        ..rules()
    };
    let error = write(&document, &options, shallow).unwrap_err();
    assert_eq!(
        (error.code().name(), error.path().pointer().as_str()),
        ("depth-limit", "/a/0")
    );
    options.output = Some(4);
    let error = write(&document, &options, rules()).unwrap_err();
    assert_eq!(error.code().name(), "output-limit");
}

#[test]
fn comments_are_dropped() {
    let commented = ReadOptions {
        comments: true,
        trailing_commas: true,
        ..ReadOptions::default()
    };
    let text = "// a\n{ /* b */ \"k\" /* c */ : /* d */ [ 1, // e\n 2, /* f */ ], // g\n } // h";
    let document = read(text, commented);
    let options = WriteOptions::default();
    for order in [Order::Kept, Order::CodePoint] {
        let written = write(&document, &options, in_order(order));
        assert_eq!(written.as_deref(), Ok("{\"k\":[1,2]}"));
    }
}

proptest! {
    #[test]
    fn compact_output_is_the_text_without_its_blanks(sample in random::sample(), seed: u64) {
        let document = read(&sample.laid_out(seed), ReadOptions::default());
        let written = write(&document, &WriteOptions::default(), rules());
        prop_assert_eq!(written, Ok(sample.compact()));
    }

    #[test]
    fn every_way_of_writing_reads_back_as_the_same(sample in random::sample(), pretty: bool) {
        let document = read(&sample.compact(), ReadOptions::default());
        let ascii = WriteOptions {
            escape: EscapeSet::Ascii,
            layout: pretty.then(|| Layout::new("\n", "\t")),
            ..WriteOptions::default()
        };
        for order in [Order::Kept, Order::CodePoint] {
            for keep_numbers in [false, true] {
                let rules = Conversion { keep_texts: false, keep_numbers, ..in_order(order) };
                let written = write(&document, &ascii, rules).expect("writes");
                prop_assert!(written.is_ascii());
                let again = read(&written, ReadOptions::default());
                prop_assert!(equal(document.root(), again.root()).expect("checked"));
                prop_assert_eq!(document.tape().end(), again.tape().end());
            }
        }
    }
}

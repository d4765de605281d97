//! Tests of the JSON sink: layout, policies, sticky errors, canonical numbers.

use super::{BytesPolicy, JsonSink, NanPolicy, SurrogatePolicy, WriteOptions};
use crate::error::ErrorCode;
use crate::scan::EscapeSet;
use crate::sink::{Chars, Layout, OutBuf, Sink};

fn write(options: &WriteOptions, events: impl FnOnce(&mut dyn Sink)) -> Result<String, ErrorCode> {
    let mut out = OutBuf::new(Vec::new(), options.output);
    let failure = if options.layout.is_some() {
        let mut sink = JsonSink::<true>::new(&mut out, options);
        events(&mut sink);
        sink.finish();
        sink.take_error()
    } else {
        let mut sink = JsonSink::<false>::new(&mut out, options);
        events(&mut sink);
        sink.finish();
        sink.take_error()
    };
    match failure {
        None => Ok(String::from_utf8(out.into_vec()).expect("the sink writes UTF-8")),
        Some(error) => Err(error.code()),
    }
}

fn sample(sink: &mut dyn Sink) {
    sink.begin_map(None);
    sink.key(Chars::from("a"));
    sink.begin_list(None);
    sink.i64(1);
    sink.bool(true);
    sink.null();
    sink.begin_list(Some(0));
    sink.end_list();
    sink.end_list();
    sink.key(Chars::from("ä"));
    sink.begin_map(Some(0));
    sink.end_map();
    sink.end_map();
}

#[test]
fn writes_compact_and_indented() {
    let mut options = WriteOptions::default();
    assert_eq!(
        write(&options, sample).as_deref(),
        Ok(r#"{"a":[1,true,null,[]],"ä":{}}"#)
    );
    options.layout = Some(Layout::new("\n", "  "));
    options.final_newline = true;
    assert_eq!(
        write(&options, sample).as_deref(),
        Ok("{\n  \"a\": [\n    1,\n    true,\n    null,\n    []\n  ],\n  \"ä\": {}\n}\n")
    );
}

#[test]
fn goes_by_the_policy_for_numbers_that_are_not_finite() {
    let all = |sink: &mut dyn Sink| {
        sink.begin_list(None);
        sink.f64s(&[f64::NAN, f64::NEG_INFINITY]);
        sink.decimal("Infinity");
        sink.end_list();
    };
    let with = |nan| WriteOptions {
        nan,
        ..WriteOptions::default()
    };
    assert_eq!(
        write(&with(NanPolicy::Error), all),
        Err(ErrorCode::NotFinite)
    );
    assert_eq!(
        write(&with(NanPolicy::Null), all).as_deref(),
        Ok("[[null,null],null]")
    );
    assert_eq!(
        write(&with(NanPolicy::Literal), all).as_deref(),
        Ok("[[NaN,-Infinity],Infinity]")
    );
    assert_eq!(
        write(&with(NanPolicy::String), all).as_deref(),
        Ok(r#"[["NaN","-Infinity"],"Infinity"]"#)
    );
}

#[test]
fn goes_by_the_policy_for_lone_surrogates() {
    let text = |sink: &mut dyn Sink| sink.text(Chars::Ucs2(&[0x61, 0xD800, 0x6F22]));
    let with = |surrogates| WriteOptions {
        surrogates,
        ..WriteOptions::default()
    };
    assert_eq!(
        write(&with(SurrogatePolicy::Error), text),
        Err(ErrorCode::LoneSurrogate)
    );
    assert_eq!(
        write(&with(SurrogatePolicy::Replace), text).as_deref(),
        Ok("\"a\u{FFFD}漢\"")
    );
    assert_eq!(
        write(&with(SurrogatePolicy::Keep), text).as_deref(),
        Ok("\"a\\ud800漢\"")
    );
    let ascii = WriteOptions {
        escape: EscapeSet::Ascii,
        ..with(SurrogatePolicy::Replace)
    };
    assert_eq!(write(&ascii, text).as_deref(), Ok("\"a\\ufffd\\u6f22\""));
}

#[test]
fn goes_by_the_policy_for_bytes() {
    let bytes = |sink: &mut dyn Sink| sink.bytes(b"\xfb\xff\x00");
    for (policy, text) in [
        (BytesPolicy::Base64, r#""+/8A""#),
        (BytesPolicy::Base64Url, r#""-_8A""#),
        (BytesPolicy::Hex, r#""fbff00""#),
        (BytesPolicy::Array, "[251,255,0]"),
    ] {
        let options = WriteOptions {
            bytes: policy,
            ..WriteOptions::default()
        };
        assert_eq!(write(&options, bytes).as_deref(), Ok(text));
    }
    assert_eq!(
        write(&WriteOptions::default(), bytes),
        Err(ErrorCode::BytesNotAllowed)
    );
}

#[test]
fn escapes_the_same_in_every_form_of_a_text() {
    // Each length puts the character to be escaped at another place in a block.
    for escape in [EscapeSet::Minimal, EscapeSet::Ascii, EscapeSet::Html] {
        let options = WriteOptions {
            escape,
            ..WriteOptions::default()
        };
        for odd in [
            '"', '\\', '\n', '\0', '<', '\'', '\u{7f}', '\u{e9}', '\u{2028}', '漢', '𝄞',
        ] {
            for length in 0..70 {
                for at in 0..=length {
                    let mut text = "x".repeat(length);
                    text.insert(at, odd);
                    let narrow: Option<Vec<u8>> =
                        text.chars().map(|ch| u8::try_from(ch).ok()).collect();
                    let wide: Option<Vec<u16>> = text
                        .chars()
                        .map(|ch| u16::try_from(u32::from(ch)).ok())
                        .collect();
                    let widest: Vec<u32> = text.chars().map(u32::from).collect();
                    let from = |chars| write(&options, |sink: &mut dyn Sink| sink.text(chars));
                    let expected = from(Chars::Ucs4(&widest));
                    assert_eq!(from(Chars::from(text.as_str())), expected);
                    if let Some(narrow) = &narrow {
                        assert_eq!(from(Chars::Latin1(narrow)), expected);
                    }
                    if let Some(wide) = &wide {
                        assert_eq!(from(Chars::Ucs2(wide)), expected);
                    }
                }
            }
        }
    }
}

#[test]
fn writes_integers_of_every_length() {
    let mut values = vec![0, i64::MAX, i64::MIN, i64::MIN + 1];
    let mut power = 1_i64;
    for _ in 0..19 {
        values.extend([power - 1, power, power + 1, -power, 9 * (power / 10) + 7]);
        power = power.saturating_mul(10);
    }
    for value in values {
        assert_eq!(
            write(&WriteOptions::default(), |sink: &mut dyn Sink| sink
                .i64(value)),
            Ok(value.to_string())
        );
    }
}

#[test]
fn refuses_what_canonical_numbers_cannot_be() {
    let options = WriteOptions {
        canonical: true,
        ..WriteOptions::default()
    };
    let number = |literal: &str| write(&options, |sink: &mut dyn Sink| sink.decimal(literal));
    assert_eq!(number("0.10").as_deref(), Ok("0.1"));
    assert_eq!(number("1E+2").as_deref(), Ok("100"));
    assert_eq!(number("-0").as_deref(), Ok("0"));
    assert_eq!(
        number("0.1000000000000000055"),
        Err(ErrorCode::Unrepresentable)
    );
    let whole = |value| write(&options, |sink: &mut dyn Sink| sink.i64(value));
    assert_eq!(whole(1 << 53), Ok((1_i64 << 53).to_string()));
    assert_eq!(whole((1 << 53) + 1), Err(ErrorCode::Unrepresentable));
    assert_eq!(whole(i64::MIN).as_deref(), Ok("-9223372036854776000"));
    let big = |digits: &str| write(&options, |sink: &mut dyn Sink| sink.big(digits));
    assert_eq!(big("1000000000000000000000").as_deref(), Ok("1e+21"));
    assert_eq!(
        big("1000000000000000000001"),
        Err(ErrorCode::Unrepresentable)
    );
}

#[test]
fn notices_the_output_limit() {
    let options = WriteOptions {
        output: Some(10),
        ..WriteOptions::default()
    };
    let text = |length| {
        write(&options, |sink: &mut dyn Sink| {
            sink.text(Chars::Ascii(&b"0123456789"[..length]));
        })
    };
    assert_eq!(text(8).as_deref(), Ok("\"01234567\""));
    assert_eq!(text(9), Err(ErrorCode::OutputLimit));
    let list = write(&options, |sink: &mut dyn Sink| {
        sink.i64s(&[1000, 1000, 1000])
    });
    assert_eq!(list, Err(ErrorCode::OutputLimit));
    let list = write(&options, |sink: &mut dyn Sink| sink.i64s(&[1000, 999]));
    assert_eq!(list.as_deref(), Ok("[1000,999]"));
}

#[test]
fn resumes_inside_containers() {
    let options = WriteOptions {
        layout: Some(Layout::new("\n", " ")),
        ..WriteOptions::default()
    };
    let mut out = OutBuf::new(Vec::new(), None);
    JsonSink::<true>::new(&mut out, &options).begin_list(None);
    JsonSink::<true>::resume(&mut out, &options, 1).i64(1);
    JsonSink::<true>::resume(&mut out, &options, 1).i64(2);
    JsonSink::<true>::resume(&mut out, &options, 1).end_list();
    JsonSink::<true>::resume(&mut out, &options, 0).finish();
    assert_eq!(out.as_slice(), b"[\n 1,\n 2\n]");
}

#[test]
fn takes_back_what_was_begun() {
    let options = WriteOptions::default();
    let mut out = OutBuf::new(Vec::new(), None);
    let mut sink = JsonSink::<false>::new(&mut out, &options);
    sink.begin_list(None);
    sink.i64(1);
    let mark = sink.mark();
    sink.begin_map(None);
    sink.key(Chars::Ascii(b"k"));
    sink.begin_list(None);
    sink.f64(f64::NAN);
    assert!(sink.failed());
    sink.rewind(mark);
    assert!(!sink.failed());
    assert_eq!(sink.take_error().map(|error| error.code()), None);
    assert_eq!(sink.mark(), mark);
    sink.bool(true);
    sink.end_list();
    sink.finish();
    assert_eq!(out.as_slice(), b"[1,true]");
}

#[test]
fn puts_entries_in_order() {
    let options = WriteOptions {
        layout: Some(Layout::new("\n", " ")),
        ..WriteOptions::default()
    };
    let mut out = OutBuf::new(Vec::new(), None);
    let mut sink = JsonSink::<true>::new(&mut out, &options);
    sink.begin_map(None);
    let start = sink.mark().length;
    sink.key(Chars::Ascii(b"b"));
    sink.i64s(&[1, 2]);
    let middle = sink.mark().length;
    sink.key(Chars::Ascii(b"a"));
    sink.null();
    let end = sink.mark().length;
    sink.arrange(&[middle..end, start..middle]);
    sink.end_map();
    sink.finish();
    assert_eq!(
        String::from_utf8_lossy(out.as_slice()),
        "{\n \"a\": null,\n \"b\": [\n  1,\n  2\n ]\n}"
    );
}

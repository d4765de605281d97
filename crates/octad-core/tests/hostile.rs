//! Inputs made to be slow or large: time stays linear, nothing panics, limits are errors.
//!
//! The bound is generous, for busy machines; what it tells apart is linear and quadratic.

use std::sync::Arc;
use std::time::{Duration, Instant};

use octad_core::doc::{Document, equal};
use octad_core::error::{Error, ErrorCode};
use octad_core::formats::AnyOptions;
use octad_core::formats::json::{Duplicates, Numbers, ReadOptions, check, parse};
use octad_core::limits::Limits;
use octad_core::pointer;
use octad_core::tape::{Tape, dump, verify};
use octad_core::token::{Kind, Located, Token, variant};

const DEEP: usize = 100_000;

#[track_caller]
fn quickly<T>(what: &str, act: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = act();
    let took = start.elapsed();
    assert!(took < Duration::from_secs(60), "{what} took {took:?}");
    result
}

fn deep() -> ReadOptions {
    ReadOptions {
        limits: Limits {
            depth: Limits::MAX_DEPTH,
            ..Limits::default()
        },
        ..ReadOptions::default()
    }
}

fn unique() -> ReadOptions {
    ReadOptions {
        duplicates: Duplicates::Error,
        ..deep()
    }
}

fn read(text: &str, options: ReadOptions) -> Result<Document, Error> {
    Document::parse(
        Arc::new(text.to_owned().into_bytes()),
        false,
        AnyOptions::Json(options),
    )
}

/// The reader's error, which is the checker's first problem too.
#[track_caller]
fn fault(text: &[u8], options: &ReadOptions) -> Error {
    let mut tape = Tape::default();
    let error = quickly("reading", || {
        parse(text, false, Numbers::Located, options, &mut tape).expect_err("a fault")
    });
    let problems = quickly("checking", || check(text, options, 10));
    let bounded = error.path().bounded();
    assert_eq!(problems[0], error.clone().with_path(bounded));
    error
}

#[test]
fn the_deepest_documents_are_read() {
    let lists = format!("{}7{}", "[".repeat(DEEP), "]".repeat(DEEP));
    let maps = format!("{}7{}", "{\"a\":".repeat(DEEP), "}".repeat(DEEP));
    for text in [lists, maps] {
        quickly("all of it", || {
            let document = read(&text, deep()).expect("a well-formed text");
            assert_eq!(check(text.as_bytes(), &deep(), 10), []);
            verify(document.tape(), text.as_bytes(), b"", &deep().limits).expect("verifies");
            let last = document.value(document.tape().end() - 1);
            assert_eq!(last.raw(), b"7");
            let path = last.path();
            assert_eq!(path.segments().count(), DEEP);
            let found = pointer::at(&document, &path.pointer()).expect("it is there");
            assert_eq!(found.id(), last.id());
            let other = read(&text, deep()).expect("a well-formed text");
            assert!(equal(document.root(), other.root()).expect("all values can be read"));
        });
        let cut = &text.as_bytes()[..text.len() / 2];
        assert_eq!(fault(cut, &deep()).code(), ErrorCode::UnexpectedEnd);
        let more = format!("[{text}]");
        assert_eq!(
            fault(more.as_bytes(), &deep()).code(),
            ErrorCode::DepthLimit
        );
    }
}

#[test]
fn wide_objects_are_searched_through_an_index() {
    let members: Vec<String> = (0..100_000).map(|n| format!("\"k{n}\":{n}")).collect();
    let text = format!("{{{}}}", members.join(","));
    let document = quickly("reading", || read(&text, unique()).expect("reads"));
    quickly("looking up", || {
        for n in (0..100_000).step_by(7) {
            let name = format!("k{n}");
            let found = document.root().get(name.as_bytes()).expect("the key");
            assert_eq!(found.raw(), n.to_string().as_bytes());
        }
        assert_eq!(document.root().len(), 100_000);
    });
    assert_eq!(
        quickly("checking", || check(text.as_bytes(), &unique(), 10)),
        []
    );
}

#[test]
fn equal_keys_are_found_in_linear_time() {
    // One large object before many small ones.
    let members: Vec<String> = (0..50_000).map(|n| format!("\"{n}\":0")).collect();
    let text = format!(
        "[{{{}}}{},{{\"a\":1,\"a\":2}}]",
        members.join(","),
        ",{\"a\":0}".repeat(50_000)
    );
    let error = fault(text.as_bytes(), &unique());
    assert_eq!(error.path().to_string(), "$[50001].a");
    // One in each of many nested objects, the innermost standing first.
    let text = format!(
        "{}0{}",
        "{\"a\":".repeat(20_000),
        ",\"a\":0}".repeat(20_000)
    );
    let error = fault(text.as_bytes(), &unique());
    assert_eq!(error.offset(), Some(5 * 20_000 + 2));
    // The same key again and again.
    let text = format!("{{{}\"b\":0}}", "\"a\":0,".repeat(200_000));
    assert_eq!(fault(text.as_bytes(), &unique()).offset(), Some(7));
    let document = quickly("reading", || read(&text, deep()).expect("reads"));
    assert_eq!(quickly("merging", || document.root().len()), 2);
}

#[test]
fn long_scalars_stand_in_the_long_table() {
    const LONG: usize = 5 << 20;
    let (name, plain) = ("k".repeat(LONG), "x".repeat(LONG));
    let text = format!(
        "{{\"{name}\":\"{plain}\\n\",\"digits\":{0},\"part\":0.{0},\"power\":1e{0}}}",
        "9".repeat(LONG / 16)
    );
    quickly("all of it", || {
        let document = read(&text, deep()).expect("reads");
        let root = document.root();
        let value = root.get(name.as_bytes()).expect("the long key");
        let decoded = value.text(&mut Vec::new()).expect("text").len();
        assert_eq!((decoded, value.raw().len()), (LONG + 1, LONG + 4));
        assert_eq!(value.path().to_string().len(), LONG + 2);
        assert_eq!(root.get(b"digits").expect("it").raw().len(), LONG / 16);
        assert!(root.get(b"part").expect("it").number().is_ok());
        assert!(root.get(b"power").expect("it").number().is_ok());
        verify(document.tape(), text.as_bytes(), b"", &Limits::default()).expect("verifies");
    });
    let codes: Vec<_> = quickly("checking", || check(text.as_bytes(), &deep(), 10))
        .iter()
        .map(Error::code)
        .collect();
    assert_eq!(codes, [ErrorCode::DigitsLimit, ErrorCode::NumberOverflow]);
}

/// Memory that is never touched stands for a source that is too large.
#[test]
#[cfg(target_pointer_width = "64")]
fn a_source_beyond_the_offsets_is_refused() {
    let text = vec![0; Limits::MAX_SOURCE as usize + 1];
    let error = fault(&text, &ReadOptions::default());
    assert_eq!(
        (error.code(), error.offset()),
        (ErrorCode::SizeLimit, Some(0))
    );
    assert!(error.message(true).contains("streaming"));
}

/// Tokens that share one long text cost their length each: as much as `expansion` allows.
#[test]
fn a_tape_cannot_multiply_its_source() {
    let source = "x".repeat(100_000);
    let at = Located {
        offset: 0,
        length: 100_000,
        escaped: false,
        non_ascii: false,
    };
    let text = Token::located(Kind::Text, variant::TEXT_DOUBLE, at);
    for (count, fits) in [(100, true), (101, false), (50_000, false)] {
        let list = Token::container(Kind::List, variant::PLAIN, count + 1, count);
        let mut tokens = vec![Token::VOID, list];
        tokens.resize(count as usize + 2, text);
        let tape = Tape::from_parts(tokens, Vec::new(), 1);
        let outcome = quickly("verifying", || {
            verify(&tape, source.as_bytes(), b"", &Limits::default())
        });
        let expected = (!fits).then_some(ErrorCode::ExpansionLimit);
        assert_eq!(outcome.err().map(|error| error.code()), expected, "{count}");
        quickly("dumping", || dump(&tape, source.as_bytes()));
    }
}

//! The rule by which the fast reader, in both modes, and the checker are compared.

use octad_core::error::{Error, ErrorCode};
use octad_core::formats::json::{Duplicates, NanRead, Numbers, ReadOptions, check, parse};
use octad_core::limits::Limits;
use octad_core::tape::{Tape, verify};
use octad_core::text::escape::Surrogates;

/// Combinations of options under which texts are compared.
pub fn option_sets() -> Vec<ReadOptions> {
    let strict = ReadOptions::default();
    vec![
        strict,
        ReadOptions {
            duplicates: Duplicates::Error,
            comments: true,
            trailing_commas: true,
            nan: NanRead::Literal,
            surrogates: Surrogates::Replace,
            overflow_is_infinite: true,
            ..strict
        },
        ReadOptions {
            duplicates: Duplicates::Error,
            limits: Limits {
                depth: 3,
                text: Some(6),
                digits: Some(4),
                ..Limits::default()
            },
            ..strict
        },
        ReadOptions {
            comments: true,
            nan: NanRead::Null,
            surrogates: Surrogates::Keep,
            duplicates: Duplicates::Error,
            limits: Limits {
                text: Some(4),
                ..Limits::default()
            },
            ..strict
        },
        ReadOptions {
            trailing_commas: true,
            limits: Limits {
                tokens: Some(9),
                text: Some(6),
                ..Limits::default()
            },
            ..strict
        },
    ]
}

fn row(error: &Error) -> (&'static str, Option<usize>, String, String) {
    (
        error.code().name(),
        error.offset(),
        // The checker gives bounded paths.
        error.path().bounded().to_string(),
        error.message(true),
    )
}

/// The fast reader, in both modes, and the checker say the same of a text: whether it is
/// well-formed, and if not, which fault comes first, where, and on which path.
#[track_caller]
pub fn agree(text: &[u8], options: &ReadOptions) {
    let problems = check(text, options, 1000);
    let offsets: Vec<_> = problems.iter().map(Error::offset).collect();
    assert!(offsets.is_sorted(), "{problems:?}");
    assert_eq!(check(text, options, 1), problems[..problems.len().min(1)]);
    for numbers in [Numbers::Located, Numbers::Eager] {
        let mut tape = Tape::default();
        let outcome = parse(text, false, numbers, options, &mut tape);
        // What only becomes a fault when a number is made of its digits.
        let later = |code| match numbers {
            Numbers::Located => matches!(code, ErrorCode::NumberOverflow | ErrorCode::DigitsLimit),
            Numbers::Eager => code == ErrorCode::DigitsLimit,
        };
        let expected = problems.iter().find(|problem| !later(problem.code()));
        let shown = String::from_utf8_lossy(text);
        assert_eq!(
            outcome.as_ref().err().map(row),
            expected.map(row),
            "{shown:?} {text:?} {numbers:?} {options:?} {problems:?}"
        );
        if outcome.is_ok() {
            verify(&tape, text, b"", &options.limits).expect("a well-formed tape");
        }
    }
}

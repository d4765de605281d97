//! The verifier: accepts what readers build, refuses each broken promise of `docs/tape.md`.

use super::{Long, Tape, verify};
use crate::error::ErrorCode;
use crate::limits::Limits;
use crate::token::{Kind, Located, Placement, Token, variant};

const SOURCE: &[u8] = br#"{"a":[1,2.5],"b":"x"}"#;

fn text(offset: u32, length: u32) -> Token {
    let at = Located {
        offset,
        length,
        escaped: false,
        non_ascii: false,
    };
    Token::located(Kind::Text, variant::TEXT_DOUBLE, at)
}

fn good() -> Vec<Token> {
    vec![
        Token::VOID,
        Token::container(Kind::Map, 0, 7, 2),
        text(2, 1),
        Token::container(Kind::List, 0, 3, 2),
        Token::int(1).unwrap(),
        Token::real59(2.5).unwrap(),
        text(14, 1),
        text(18, 1),
    ]
}

#[track_caller]
fn check(tokens: Vec<Token>, problem: Option<&str>) {
    let tape = Tape::from_parts(tokens, Vec::new(), 0);
    let outcome = verify(&tape, SOURCE, b"", &Limits::default());
    match (outcome, problem) {
        (Ok(()), None) => {}
        (Err(error), Some(problem)) => {
            assert_eq!(error.code(), ErrorCode::InvalidTape);
            assert_eq!(error.detail("problem"), Some(problem), "{error}");
        }
        (outcome, problem) => panic!("{outcome:?} instead of {problem:?}"),
    }
}

#[test]
fn accepts_a_good_tape() {
    check(good(), None);
    check(vec![Token::VOID, Token::NULL], None);
    check(
        vec![Token::VOID, Token::container(Kind::List, 0, 1, 0)],
        None,
    );
}

#[test]
fn refuses_each_broken_promise() {
    let with = |id: usize, token: Token| {
        let mut tokens = good();
        tokens[id] = token;
        tokens
    };
    check(vec![], Some("no guard"));
    check(vec![Token::NULL], Some("no guard"));
    check(vec![Token::VOID], Some("no root"));
    check(
        vec![Token::VOID, Token::NULL, Token::NULL],
        Some("a second root"),
    );
    check(with(4, Token::VOID), Some("a kind that is no value"));
    check(
        with(4, Token::from_bits(13 << 59)),
        Some("a kind that is no value"),
    );
    check(
        with(4, Token::from_bits(7 << 56 | 3 << 59)),
        Some("an unknown variant"),
    );
    check(
        with(1, Token::container(Kind::Map, 0, 8, 2)),
        Some("a span that leaves its container"),
    );
    check(
        with(3, Token::container(Kind::List, 0, 6, 2)),
        Some("a span that leaves its container"),
    );
    check(
        with(3, Token::container(Kind::List, 0, 0, 2)),
        Some("a span that leaves its container"),
    );
    check(
        with(3, Token::container(Kind::List, 0, 3, 3)),
        Some("a count that does not match"),
    );
    check(
        with(1, Token::container(Kind::Map, 0, 7, 3)),
        Some("a count that does not match"),
    );
    check(with(2, Token::NULL), Some("a key that is no text"));
    check(with(7, text(18, 90)), Some("a value outside its source"));
    check(
        with(5, Token::from_bits(5 << 59)),
        Some("an inline value without its mark"),
    );
    check(
        with(4, Token::from_bits(2 << 59)),
        Some("a literal that is not inline"),
    );
    check(
        with(4, Token::from_bits(Token::NULL.bits() | 1)),
        Some("reserved bits that are set"),
    );
    let long = Located {
        offset: 0,
        length: Token::LONG,
        escaped: false,
        non_ascii: false,
    };
    check(
        with(7, Token::located(Kind::Text, 0, long)),
        Some("a value outside its source"),
    );
    check(
        with(
            3,
            Token::from_bits(Token::container(Kind::List, 0, 3, 2).bits() | 1 << 63),
        ),
        Some("a view that is not there"),
    );
    check(
        with(3, Token::container(Kind::Record, 0, 3, 2)),
        Some("a shape that is not there"),
    );
    let mut odd = good();
    odd.pop();
    odd[1] = Token::container(Kind::Map, 0, 6, 2);
    check(odd, Some("a key without a value"));
}

#[test]
fn comments_and_tags_need_their_value() {
    let comment = |placement| Token::trivia(variant::LINE_COMMENT, placement, 0, 1);
    let tag = Token::from_bits(11 << 59 | 7);
    let list = Token::container(Kind::List, 0, 3, 1);
    check(
        vec![Token::VOID, list, comment(Placement::Leading), Token::NULL],
        None,
    );
    check(vec![Token::VOID, list, tag, Token::NULL], None);
    check(
        vec![Token::VOID, list, Token::NULL, comment(Placement::Dangling)],
        None,
    );
    check(
        vec![Token::VOID, comment(Placement::Leading), Token::NULL],
        None,
    );
    let owed = Some("a tag or comment without its value");
    check(
        vec![
            Token::VOID,
            list,
            Token::NULL,
            comment(Placement::EndOfLine),
        ],
        owed,
    );
    check(vec![Token::VOID, list, Token::NULL, tag], owed);
    check(
        vec![Token::VOID, list, comment(Placement::Dangling), Token::NULL],
        Some("a value after a dangling comment"),
    );
}

#[test]
fn depth_and_token_limits_hold() {
    let nested: Vec<Token> = core::iter::once(Token::VOID)
        .chain((1..=5u32).map(|id| Token::container(Kind::List, 0, 6 - id, u32::from(id < 5))))
        .collect();
    let tape = Tape::from_parts(nested, Vec::new(), 0);
    let with = |depth, tokens| Limits {
        depth,
        tokens: Some(tokens),
        ..Limits::default()
    };
    assert!(verify(&tape, b"", b"", &with(5, 5)).is_ok());
    let deep = verify(&tape, b"", b"", &with(4, 5)).unwrap_err();
    assert_eq!(deep.code(), ErrorCode::DepthLimit);
    let many = verify(&tape, b"", b"", &with(5, 4)).unwrap_err();
    assert_eq!(many.code(), ErrorCode::TokenLimit);
}

#[test]
fn texts_must_be_what_their_flags_say() {
    let source = "é\u{fffd}".as_bytes();
    let at = |offset, length, non_ascii| {
        let at = Located {
            offset,
            length,
            escaped: false,
            non_ascii,
        };
        Tape::from_parts(
            vec![Token::VOID, Token::located(Kind::Text, 0, at)],
            vec![],
            0,
        )
    };
    let limits = Limits::default();
    assert!(verify(&at(0, 2, true), source, b"", &limits).is_ok());
    assert!(verify(&at(0, 2, false), source, b"", &limits).is_err());
    assert!(verify(&at(1, 1, true), source, b"", &limits).is_err());
    let long = Tape::from_parts(
        vec![
            Token::VOID,
            Token::located(
                Kind::Text,
                0,
                Located {
                    offset: 0,
                    length: Token::LONG,
                    escaped: false,
                    non_ascii: true,
                },
            ),
        ],
        vec![Long {
            offset: 2,
            length: 3,
        }],
        0,
    );
    assert!(verify(&long, source, b"", &limits).is_ok());
}

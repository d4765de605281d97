//! Bit packing: every kind and variant, the limits and one past them.

use super::{Kind, Located, Placement, Token, variant};
use proptest::prelude::*;

#[test]
fn every_kind_and_variant_comes_back() {
    for bits in 0..16u8 {
        let kind = Kind::from_bits(bits);
        assert_eq!(kind as u8, bits);
        for variant in 0..8u8 {
            let at = Located {
                offset: 7,
                length: 9,
                escaped: true,
                non_ascii: false,
            };
            if !kind.is_container() {
                let token = Token::located(kind, variant, at);
                assert_eq!((token.kind(), token.variant()), (kind, variant));
                assert_eq!(token.location(), at);
                assert!(!token.is_owned());
                assert_eq!(token.span(), 1);
            }
            let token = Token::container(kind, variant, 5, 2);
            assert_eq!((token.kind(), token.variant()), (kind, variant));
            assert_eq!(token.tag(), bits << 3 | variant);
            assert_eq!(token.is_container(), kind.is_container());
            if kind.is_container() {
                assert_eq!((token.span(), token.count()), (5, 2));
            }
        }
    }
}

#[test]
fn located_fields_do_not_touch_each_other() {
    for offset in [0, 1, u32::MAX] {
        for length in [0, 1, Token::LONG - 1, Token::LONG] {
            for flags in 0..4 {
                let at = Located {
                    offset,
                    length,
                    escaped: flags & 1 != 0,
                    non_ascii: flags & 2 != 0,
                };
                let token = Token::located(Kind::Text, 6, at);
                assert_eq!(token.location(), at);
                assert_eq!(token.is_plain_ascii(), flags == 0);
                assert_eq!((token.kind(), token.variant()), (Kind::Text, 6));
            }
        }
    }
}

#[test]
fn containers_hold_the_largest_span_and_count() {
    let token = Token::container(Kind::Map, 2, Token::MAX_SPAN, Token::SATURATED);
    assert_eq!(
        (token.span(), token.count()),
        (Token::MAX_SPAN, Token::SATURATED)
    );
    assert_eq!((token.kind(), token.variant()), (Kind::Map, 2));
}

#[test]
fn integers_fit_up_to_56_bits() {
    for value in [
        0,
        1,
        -1,
        127,
        -128,
        Token::MAX_INT,
        Token::MIN_INT,
        9_999_999_999_999_999,
    ] {
        let token = Token::int(value).expect("fits");
        assert_eq!(token.int_value(), value);
        assert_eq!((token.kind(), token.variant()), (Kind::Int, 0));
        assert!(token.is_owned());
    }
    for value in [Token::MAX_INT + 1, Token::MIN_INT - 1, i64::MAX, i64::MIN] {
        assert_eq!(Token::int(value), None);
    }
}

#[test]
fn doubles_fit_in_their_window_only() {
    let low = 2f64.powi(-31);
    let high = 2f64.powi(33);
    let fits = [
        0.0,
        -0.0,
        1.0,
        -1.5,
        low.next_up(),
        high.next_down(),
        -65.613_616_999_999_98,
        0.1,
    ];
    for value in fits {
        let token = Token::real59(value).unwrap_or_else(|| panic!("{value} should fit"));
        assert_eq!(token.real59_value().to_bits(), value.to_bits());
        assert_eq!(token.kind(), Kind::Real59);
        assert!(token.is_owned() && !token.is_container());
    }
    for value in [
        low,
        -low,
        high,
        1e300,
        1e-300,
        f64::NAN,
        f64::INFINITY,
        f64::MIN_POSITIVE,
    ] {
        assert_eq!(Token::real59(value), None, "{value}");
    }
}

#[test]
fn short_text_is_ascii_of_at_most_seven_bytes() {
    for text in ["", "a", "abcdefg"] {
        let (bytes, length) = Token::short(text.as_bytes()).expect("fits").short_value();
        assert_eq!(&bytes[..length], text.as_bytes());
    }
    assert_eq!(Token::short(b"abcdefgh"), None);
    assert_eq!(Token::short("é".as_bytes()), None);
}

#[test]
fn trivia_carries_its_placement() {
    for placement in [
        Placement::Leading,
        Placement::EndOfLine,
        Placement::Dangling,
    ] {
        let token = Token::trivia(2, placement, 11, 5);
        assert_eq!(token.placement(), Some(placement));
        assert_eq!((token.location().offset, token.location().length), (11, 5));
    }
}

proptest! {
    #[test]
    fn packed_doubles_come_back_bit_for_bit(bits: u64) {
        let value = f64::from_bits(bits);
        if let Some(token) = Token::real59(value) {
            prop_assert_eq!(token.real59_value().to_bits(), bits);
        }
    }

    #[test]
    fn packed_integers_come_back(value: i64) {
        match Token::int(value) {
            Some(token) => prop_assert_eq!(token.int_value(), value),
            None => prop_assert!(!(Token::MIN_INT..=Token::MAX_INT).contains(&value)),
        }
    }
}

#[test]
fn plain_texts_are_told_from_everything_else() {
    let at = |offset, length, escaped, non_ascii| Located {
        offset,
        length,
        escaped,
        non_ascii,
    };
    for (offset, length) in [(0, 0), (7, 3), (u32::MAX - 1, Token::LONG - 1)] {
        let text = Token::located(
            Kind::Text,
            variant::TEXT_DOUBLE,
            at(offset, length, false, false),
        );
        assert_eq!(text.plain_text(), Some((offset as usize, length as usize)));
    }
    let others = [
        Token::located(
            Kind::Text,
            variant::TEXT_DOUBLE,
            at(1, Token::LONG, false, false),
        ),
        Token::located(Kind::Text, variant::TEXT_DOUBLE, at(1, 2, true, false)),
        Token::located(Kind::Text, variant::TEXT_DOUBLE, at(1, 2, false, true)),
        Token::located(Kind::Text, 1, at(1, 2, false, false)),
        Token::located(Kind::Name, 0, at(1, 2, false, false)),
        Token::located(Kind::Int, 0, at(1, 2, false, false)),
        Token::container(Kind::Map, 0, 1, 0),
        Token::container(Kind::List, 0, 1, 0),
        Token::int_unchecked(0),
        Token::int_unchecked(-1),
        Token::real59(1.0).unwrap_or(Token::VOID),
        Token::VOID,
        Token::NULL,
    ];
    for token in others {
        assert_eq!(token.plain_text(), None, "{token:?}");
    }
}

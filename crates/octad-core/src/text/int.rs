//! Whole numbers of 64 bits, to and from decimal text.
//!
//! Knows nothing of a grammar: whether leading zeros or a minus before zero are allowed is decided
//! by the caller. Numbers beyond 64 bits stay text in the core.

use super::digits::{ASCII_ZEROS, TENS, last_word, leading_digits, value_of, word_at};
use crate::scan::{Output, eight_digits};

/// Appends a signed number.
#[inline]
pub fn write_i64(value: i64, out: &mut impl Output) {
    if value < 0 {
        out.push(b'-');
    }
    write_u64(value.unsigned_abs(), out);
}

/// Appends an unsigned number. Up to sixteen digits are made eight at a time and stored as words,
/// whatever their number, so that it need not be guessed.
#[inline]
pub fn write_u64(value: u64, out: &mut impl Output) {
    const WORD: u64 = 100_000_000;
    if value < WORD {
        append_first(value, out);
    } else if value < WORD * WORD {
        append_first(value / WORD, out);
        out.extend_from_slice(&eight_digits(value % WORD).to_le_bytes());
    } else {
        out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
    }
}

/// Appends a number of one to eight digits.
#[inline(always)]
fn append_first(value: u64, out: &mut impl Output) {
    let digits = eight_digits(value);
    let zeros = ((digits ^ ASCII_ZEROS) | 1 << 56).trailing_zeros() / 8;
    out.extend_from_slice(&digits.to_le_bytes()[zeros as usize..]);
}

/// Reads digits and nothing else; None where there are others, none, or the number is too large.
#[inline]
pub fn parse_u64(bytes: &[u8]) -> Option<u64> {
    let mut value = 0_u64;
    let mut at = 0;
    loop {
        let word = word_at(bytes, at).unwrap_or_else(|| last_word(&bytes[at..]));
        let count = leading_digits(word);
        if count == 0 {
            break;
        }
        let more = value_of(word, count);
        // Sixteen digits fit whatever they are.
        value = if at < 16 {
            value * TENS[count] + more
        } else {
            value.checked_mul(TENS[count])?.checked_add(more)?
        };
        at += count;
        if count < 8 {
            break;
        }
    }
    if at == bytes.len() && at != 0 {
        Some(value)
    } else {
        None
    }
}

/// Reads digits after an optional minus; None where there are others, none, or the number does not
/// fit.
#[inline]
pub fn parse_i64(bytes: &[u8]) -> Option<i64> {
    match bytes.split_first() {
        Some((b'-', digits)) => 0_i64.checked_sub_unsigned(parse_u64(digits)?),
        _ => i64::try_from(parse_u64(bytes)?).ok(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, prop_assert_eq, proptest};

    use super::{parse_i64, parse_u64, write_i64, write_u64};

    fn written(write: impl Fn(&mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        write(&mut out);
        String::from_utf8(out).expect("digits")
    }

    #[test]
    fn borders_go_there_and_back() {
        for value in [0, 1, -1, 9, 10, i64::MAX, i64::MIN, i64::MIN + 1] {
            let text = written(|out| write_i64(value, out));
            assert_eq!(text, value.to_string());
            assert_eq!(parse_i64(text.as_bytes()), Some(value));
        }
        assert_eq!(
            written(|out| write_u64(u64::MAX, out)),
            "18446744073709551615"
        );
        assert_eq!(parse_u64(b"18446744073709551615"), Some(u64::MAX));
    }

    #[test]
    fn what_is_not_a_number_of_64_bits_is_none() {
        for text in [
            "",
            "-",
            "--1",
            "+1",
            " 1",
            "1 ",
            "1.0",
            "12345678x",
            "1234567890123456x",
        ] {
            assert_eq!(parse_i64(text.as_bytes()), None, "{text}");
        }
        for text in [
            "9223372036854775808",
            "-9223372036854775809",
            "100000000000000000000000",
        ] {
            assert_eq!(parse_i64(text.as_bytes()), None, "{text}");
        }
        assert_eq!(parse_u64(b"18446744073709551616"), None);
        assert_eq!(parse_u64(b"-1"), None);
        assert_eq!(parse_u64(b"0000000000000000000000000000007"), Some(7));
    }

    proptest! {
        #[test]
        fn random_numbers_go_there_and_back(value: i64, other: u64) {
            let text = written(|out| write_i64(value, out));
            prop_assert_eq!(&text, &value.to_string());
            prop_assert_eq!(parse_i64(text.as_bytes()), Some(value));
            let other = other >> (value & 63);
            let text = written(|out| write_u64(other, out));
            prop_assert_eq!(&text, &other.to_string());
            prop_assert_eq!(parse_u64(text.as_bytes()), Some(other));
        }

        #[test]
        fn random_text_is_read_as_the_standard_library_does(text in "-?[0-9]{0,22}[0-9./:]?") {
            prop_assert_eq!(parse_i64(text.as_bytes()), text.parse().ok());
        }

        #[test]
        fn any_bytes_are_taken(bytes in any::<Vec<u8>>()) {
            parse_i64(&bytes);
        }
    }
}

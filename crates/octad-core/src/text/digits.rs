//! Decimal digits, eight at a time in a word.
//!
//! Knows bytes only. A word is read little-endian, so the first digit is its lowest byte; beyond
//! the end of the input it is filled with zero bytes, which are no digits.

const ONES: u64 = 0x0101_0101_0101_0101;

/// Eight times the digit 0.
pub(super) const ASCII_ZEROS: u64 = ONES * 0x30;

/// Ten to the power of the index.
pub(super) static TENS: [u64; 9] = [
    1,
    10,
    100,
    1_000,
    10_000,
    100_000,
    1_000_000,
    10_000_000,
    100_000_000,
];

/// Eight bytes from `at` on, if there are as many.
#[inline(always)]
pub(super) fn word_at(bytes: &[u8], at: usize) -> Option<u64> {
    let block = bytes.get(at..at.wrapping_add(8))?;
    block.first_chunk().map(|block| u64::from_le_bytes(*block))
}

/// Fewer than eight bytes, filled up with zeros.
#[inline]
pub(super) fn last_word(rest: &[u8]) -> u64 {
    rest.iter()
        .rev()
        .fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// How many digits the word begins with, 0 to 8.
#[inline(always)]
pub(super) fn leading_digits(word: u64) -> usize {
    let values = word ^ ASCII_ZEROS;
    // A value above 9 gets its top bit; a carry out of it disturbs only what lies behind.
    let others = (values.wrapping_add(ONES * 0x76) | values) & (ONES * 0x80);
    others.trailing_zeros() as usize / 8
}

/// The number that the first `count` digits of the word make; `count` is 1 to 8.
#[inline(always)]
pub(super) fn value_of(word: u64, count: usize) -> u64 {
    // What lies behind the digits is shifted out, and leading zeros come in.
    let values = (word ^ ASCII_ZEROS) << ((8 - count) * 8 % 64);
    let pairs = values.wrapping_mul(10 << 8 | 1) >> 8 & 0x00ff_00ff_00ff_00ff;
    let fours = pairs.wrapping_mul(100 << 16 | 1) >> 16 & 0x0000_ffff_0000_ffff;
    fours.wrapping_mul(10_000 << 32 | 1) >> 32
}

/// A JSON number of up to fifteen digits, all of it: its value and length. None for a longer one,
/// one with a fraction or exponent and one with a leading zero. Nothing in it branches on the number
/// of digits, which no processor can guess, but for one question: fewer than eight?
#[inline(always)]
pub fn whole_number(bytes: &[u8], at: usize) -> Option<(u64, usize)> {
    let Some(word) = word_at(bytes, at) else {
        return last_number(bytes, at);
    };
    let count = leading_digits(word);
    if count == 8 {
        return longer_number(bytes, at, word);
    }
    ended_number(word, count)
}

/// The number that the word begins with, of fewer than eight digits.
#[inline(always)]
fn ended_number(word: u64, count: usize) -> Option<(u64, usize)> {
    let next = (word >> (8 * count)) as u8;
    let faulty = count == 0 || (word as u8 == b'0' && count > 1);
    if faulty || goes_on(next) {
        return None;
    }
    Some((value_of(word, count), count))
}

/// Whether a fraction or exponent follows.
#[inline(always)]
fn goes_on(next: u8) -> bool {
    next == b'.' || next | 0x20 == b'e'
}

#[inline(never)]
fn longer_number(bytes: &[u8], at: usize, first: u64) -> Option<(u64, usize)> {
    let word = word_at(bytes, at + 8)?;
    let count = leading_digits(word);
    if count == 8 || first as u8 == b'0' || goes_on((word >> (8 * count)) as u8) {
        return None;
    }
    // Of no digits the value is whatever lies there, times the scale of zero digits: left out.
    let more = if count == 0 { 0 } else { value_of(word, count) };
    Some((value_of(first, 8) * TENS[count] + more, 8 + count))
}

/// The last number of an input, or no number.
#[cold]
#[inline(never)]
fn last_number(bytes: &[u8], at: usize) -> Option<(u64, usize)> {
    let word = last_word(bytes.get(at..)?);
    ended_number(word, leading_digits(word))
}

#[cfg(test)]
mod tests {
    use super::whole_number;
    use crate::scan::eight_digits;

    #[test]
    fn whole_numbers_are_whole_short_and_followed_by_something() {
        let cases = [
            ("0,      ", Some((0, 1))),
            ("7]      ", Some((7, 1))),
            ("1234567}", Some((1_234_567, 7))),
            ("9999999 ", Some((9_999_999, 7))),
            ("12\n45678", Some((12, 2))),
            ("12345678", None),
            ("12345678,       ", Some((12_345_678, 8))),
            ("123456789,      ", Some((123_456_789, 9))),
            ("123456789012345]", Some((123_456_789_012_345, 15))),
            ("1234567890123456", None),
            ("012345678,      ", None),
            ("12345678.5      ", None),
            ("123456789e5     ", None),
            ("12,", Some((12, 2))),
            ("12", Some((12, 2))),
            ("", None),
            ("01,     ", None),
            ("00      ", None),
            ("1.5     ", None),
            ("1e5     ", None),
            ("1E5     ", None),
            ("-1      ", None),
            (",       ", None),
        ];
        for (text, expected) in cases {
            assert_eq!(whole_number(text.as_bytes(), 0), expected, "{text}");
            let behind = format!("xyz{text}");
            assert_eq!(whole_number(behind.as_bytes(), 3), expected, "{text}");
        }
    }

    #[test]
    fn each_half_of_eight_digits_is_spelled_right() {
        for half in 0..10_000 {
            for value in [half, half * 10_000, half * 10_000 + 9999 - half] {
                let digits = eight_digits(value).to_le_bytes();
                assert_eq!(digits, *format!("{value:08}").as_bytes());
            }
        }
    }
}

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

/// The eight digits of a number below a hundred million, leading zeros included.
#[inline(always)]
pub(super) fn eight_digits(value: u64) -> u64 {
    // Halves, then quarters, then digits move apart; the first digit ends in the lowest byte. The
    // factors are 1/100 and 1/10, close enough for four and two digits.
    let halves = (value / 10_000) | ((value % 10_000) << 32);
    let hundreds = ((halves * 10_486) >> 20) & 0x0000_007f_0000_007f;
    let pairs = hundreds | ((halves - hundreds * 100) << 16);
    let tens = ((pairs * 103) >> 10) & 0x000f_000f_000f_000f;
    (tens | ((pairs - tens * 10) << 8)) + ASCII_ZEROS
}

#[cfg(test)]
mod tests {
    use super::eight_digits;

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

//! The shortest decimal digits of the doubles that data mostly holds, by one exact multiplication.
//!
//! These are the doubles from 2^-12 to below 2^52 that are no power of two: `c * 2^-t` with 53 bits
//! in `c` and `t` from 1 to 64. Let `10^s` be the largest power of ten below `2^t`, and a unit
//! `10^-s`. The step from the double to the next is less than a unit and at least a tenth of one.
//! So at most one whole number of units is nearer to the double than half a step (or as near, if
//! `c` is even): if there is one, it is the shortest decimal that reads back. Else that is a whole
//! number of tenths, the nearest one. In units the double is `c * 10^s / 2^t`, where `10^s / 2^t`
//! times 2^64 is a whole number of 64 bits: nothing is rounded on the way.
//!
//! That units are asked for first, and tenths only then, is Xiang JunBo's idea (xjb), which zmij
//! has too; the exact range is what is added here.

use super::Output;

/// The smallest exponent of two in the sense above, as the double's own field has it.
const FIRST: u64 = 1075 - 64;

/// For `t` from 64 down to 1: `10^s` times `2^(64 - t)`.
static UNITS: [u64; 64] = scales().0;
/// And `s` itself.
static PLACES: [u8; 64] = scales().1;

const fn scales() -> ([u64; 64], [u8; 64]) {
    let (mut units, mut places) = ([0; 64], [0; 64]);
    let mut index = 0;
    while index < 64 {
        let t = 64 - index;
        let (mut power, mut s) = (1_u128, 0);
        while power * 10 < 1 << t {
            power *= 10;
            s += 1;
        }
        units[index] = (power << (64 - t)) as u64;
        places[index] = s;
        index += 1;
    }
    (units, places)
}

/// Sixteen digits or seventeen, zeros at the end included.
struct Digits {
    /// Eight and eight digits, the first in the lowest byte.
    words: [u64; 2],
    /// The seventeenth.
    last: u8,
    /// How many are left without the zeros at the end.
    used: usize,
    /// How many stand before the point; if negative, how many zeros stand behind it.
    point: isize,
}

/// Appends a double of this kind in full, without an exponent, and one byte behind it. False for
/// any other double, and nothing is appended.
#[inline(always)]
pub fn append_fixed(value: f64, behind: u8, out: &mut impl Output) -> bool {
    let bits = value.to_bits();
    let index = (bits >> 52 & 0x7ff).wrapping_sub(FIRST);
    let fraction = bits & ((1 << 52) - 1);
    if index >= 64 || fraction == 0 {
        return false;
    }
    let digits = digits(fraction | 1 << 52, index as usize);
    let into = out.room(ROOM);
    let sign = (bits >> 63) as usize;
    // SAFETY: a sign, then the digits, then one byte; `ROOM` is what they take at most.
    unsafe {
        into.write(b'-');
        let end = sign + place(&digits, into.add(sign));
        into.add(end).write(behind);
        out.advance(end + 1);
    }
    true
}

/// A sign, what `place` needs, and one byte more.
const ROOM: usize = 1 + PLACED + 1;

/// Sixteen digits that start behind sixteen and a point.
const PLACED: usize = 33;

#[inline(always)]
fn digits(c: u64, index: usize) -> Digits {
    let step = UNITS[index];
    let product = u128::from(c) * u128::from(step);
    let (units, rest) = ((product >> 64) as u64, product as u64);
    // Half a step is a whole number: ten divides the power, or it stands shifted. Where a number is
    // exactly as near, evenness decides.
    let reach = (step >> 1) + (1 - (c & 1));
    let down = rest < reach;
    let up = u64::MAX - rest < reach.wrapping_sub(1);
    let whole = down | up;
    let units = units + u64::from(up);
    // The nearest tenth, of two the even one: only 2.5 would be rounded to an odd digit.
    let tenths = (u128::from(rest) * 10 + (1 << 63)) >> 64;
    let tenths = if rest == 1 << 62 { 2 } else { tenths as u64 };
    let tenths = if whole { 0 } else { tenths };
    // Fifteen digits take the next one in.
    let short = units < 1_000_000_000_000_000;
    let sixteen = if short { units * 10 + tenths } else { units };
    let (words, used) = sixteen_digits(sixteen);
    Digits {
        words,
        last: b'0' + tenths as u8,
        used: if whole | short { used } else { 17 },
        point: 16 - isize::from(short) - isize::from(PLACES[index].cast_signed()),
    }
}

/// Writes digits and point; returns how many bytes they are.
///
/// # Safety
/// `into` is valid for writes of `PLACED` bytes.
#[inline(always)]
unsafe fn place(digits: &Digits, into: *mut u8) -> usize {
    let [first, second] = digits.words;
    // SAFETY: the point stands at most 16 bytes from the start, and 16 bytes are written behind it;
    // before other digits there are at most five bytes, `0.` and three zeros.
    unsafe {
        let point = digits.point;
        if (1..8).contains(&point) {
            let point = point as usize;
            // Everything one place further, then the first eight bytes with the point among them.
            into.add(1).cast::<u64>().write_unaligned(first.to_le());
            into.add(9).cast::<u64>().write_unaligned(second.to_le());
            into.add(17).write(digits.last);
            let before = (1 << (8 * point)) - 1;
            let start = (first & before) | u64::from(b'.') << (8 * point) | (first & !before) << 8;
            into.cast::<u64>().write_unaligned(start.to_le());
            // At least one digit stands behind the point.
            digits.used.max(point + 1) + 1
        } else if point <= 0 {
            let before = 2 + point.unsigned_abs();
            into.cast::<[u8; 8]>().write(*b"0.000000");
            let into = into.add(before);
            into.cast::<u64>().write_unaligned(first.to_le());
            into.add(8).cast::<u64>().write_unaligned(second.to_le());
            into.add(16).write(digits.last);
            before + digits.used
        } else {
            place_large(digits, into)
        }
    }
}

/// As `place`, for eight digits or more before the point.
///
/// # Safety
/// As for `place`.
#[inline(never)]
unsafe fn place_large(digits: &Digits, into: *mut u8) -> usize {
    let [first, second] = digits.words;
    let point = digits.point as usize;
    let all = u128::from(first) | u128::from(second) << 64;
    // Up to sixteen digits are taken off, which is one step more than a shift may have.
    let behind = (all >> (8 * (point - 1))) >> 8;
    // SAFETY: as for `place`.
    unsafe {
        into.cast::<u128>().write_unaligned(all.to_le());
        into.add(point).write(b'.');
        into.add(point + 1)
            .cast::<u128>()
            .write_unaligned(behind.to_le());
        into.add(17).write(digits.last);
        if digits.used <= point {
            into.add(point + 1).write(b'0');
        }
    }
    digits.used.max(point + 1) + 1
}

/// Sixteen digits of a number that has as many, and how many are left without zeros at the end.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn sixteen_digits(value: u64) -> ([u64; 2], usize) {
    use core::arch::x86_64::{
        _mm_cmpeq_epi8, _mm_cvtsi128_si64, _mm_movemask_epi8, _mm_mul_epu32, _mm_mulhi_epu16,
        _mm_mullo_epi16, _mm_or_si128, _mm_set_epi64x, _mm_set1_epi8, _mm_set1_epi16,
        _mm_set1_epi32, _mm_set1_epi64x, _mm_setzero_si128, _mm_slli_epi16, _mm_slli_epi32,
        _mm_slli_epi64, _mm_srli_epi16, _mm_srli_epi64, _mm_sub_epi16, _mm_sub_epi64,
        _mm_unpackhi_epi64,
    };
    const HALF: u64 = 100_000_000;
    let (first, second) = (value / HALF, value % HALF);
    // SAFETY: SSE2 is part of x86_64.
    unsafe {
        // Eight digits in each word, then four, two and one in parts of half the size: a quotient
        // below and its remainder above. The factors are reciprocals close enough for the size.
        let eights = _mm_set_epi64x(second.cast_signed(), first.cast_signed());
        let quotients = _mm_mul_epu32(eights, _mm_set1_epi64x(109_951_163));
        let quotients = _mm_srli_epi64::<40>(quotients);
        let products = _mm_mul_epu32(quotients, _mm_set1_epi64x(10_000));
        let remainders = _mm_sub_epi64(eights, products);
        let fours = _mm_or_si128(quotients, _mm_slli_epi64::<32>(remainders));
        let quotients = _mm_srli_epi16::<3>(_mm_mulhi_epu16(fours, _mm_set1_epi32(5243)));
        let remainders = _mm_sub_epi16(fours, _mm_mullo_epi16(quotients, _mm_set1_epi32(100)));
        let twos = _mm_or_si128(quotients, _mm_slli_epi32::<16>(remainders));
        let quotients = _mm_mulhi_epu16(twos, _mm_set1_epi16(6554));
        let remainders = _mm_sub_epi16(twos, _mm_mullo_epi16(quotients, _mm_set1_epi16(10)));
        let ones = _mm_or_si128(quotients, _mm_slli_epi16::<8>(remainders));
        let zeros = _mm_movemask_epi8(_mm_cmpeq_epi8(ones, _mm_setzero_si128()));
        let text = _mm_or_si128(ones, _mm_set1_epi8(b'0'.cast_signed()));
        let words = [
            _mm_cvtsi128_si64(text).cast_unsigned(),
            _mm_cvtsi128_si64(_mm_unpackhi_epi64(text, text)).cast_unsigned(),
        ];
        // The first digit is none.
        let others = (zeros.cast_unsigned() ^ 0xffff) | 1;
        (words, 32 - others.leading_zeros() as usize)
    }
}

/// Sixteen digits of a number that has as many, and how many are left without zeros at the end.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn sixteen_digits(value: u64) -> ([u64; 2], usize) {
    const HALF: u64 = 100_000_000;
    const ASCII_ZEROS: u64 = 0x3030_3030_3030_3030;
    let words = [eight_digits(value / HALF), eight_digits(value % HALF)];
    let [first, second] = words.map(|word| 8 - (word ^ ASCII_ZEROS).leading_zeros() as usize / 8);
    (words, if second == 0 { first } else { 8 + second })
}

/// The eight digits of a number below a hundred million, leading zeros included, the first in the
/// lowest byte.
#[inline(always)]
pub fn eight_digits(value: u64) -> u64 {
    const ASCII_ZEROS: u64 = 0x3030_3030_3030_3030;
    // Halves, then quarters, then digits move apart; the first digit ends in the lowest byte. The
    // factors are 1/100 and 1/10, close enough for four and two digits.
    let halves = (value / 10_000) | ((value % 10_000) << 32);
    let hundreds = ((halves * 10_486) >> 20) & 0x0000_007f_0000_007f;
    let pairs = hundreds | ((halves - hundreds * 100) << 16);
    let tens = ((pairs * 103) >> 10) & 0x000f_000f_000f_000f;
    (tens | ((pairs - tens * 10) << 8)) + ASCII_ZEROS
}

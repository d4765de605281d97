//! JSON numbers and doubles: one pass over the text, exact rounding.
//!
//! Knows the number grammar of RFC 8259, which other formats call where it fits; nothing of
//! documents. Writing is `spelling.rs`, whose two functions are found here too.
//! Reading is the exact product of two doubles where both are exact, else the algorithm of Eisel
//! and Lemire (128 bits of a power of ten), else the standard library: None stands between these.

use super::digits::{TENS, leading_digits, value_of, word_at};
use super::powers::{FIRST, LAST, POWERS};
pub use super::spelling::{write_ecmascript, write_repr, write_repr_with};

/// Whether a number has a fraction or an exponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberKind {
    /// Digits only, after an optional minus.
    Int,
    /// With a fraction, an exponent or both.
    Real,
}

/// A number as read from its text: `mantissa * 10^exponent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberScan {
    /// Where the number starts.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// The first nineteen significant digits, fewer if there are fewer.
    pub mantissa: u64,
    /// The power of ten that the mantissa is multiplied by.
    pub exponent: i32,
    /// The digits as written, without those of the exponent.
    pub digits: u32,
    /// Whether it is whole by its spelling.
    pub kind: NumberKind,
    /// Whether it starts with a minus.
    pub negative: bool,
    /// Whether a digit other than zero did not find room in the mantissa.
    pub truncated: bool,
}

/// Why a text is no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberFault {
    /// A digit after a leading zero.
    LeadingZero,
    /// No digit where one is due.
    MissingDigits,
}

/// A fault and the byte it is about: the digit after the zero, the byte that should be a digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberError {
    /// The byte offset.
    pub at: usize,
    /// The fault.
    pub fault: NumberFault,
}

/// The digits that a mantissa of 64 bits always has room for.
const ROOM: usize = 19;

/// An exponent that no double comes near.
const FAR: i64 = 1 << 30;

/// What the quick way sees of a text: more than nineteen digits, a point and an exponent.
const WINDOW: usize = 64;

/// Reads the JSON number that starts at `from`; what follows it is not looked at.
#[inline(always)]
pub fn scan(bytes: &[u8], from: usize) -> Result<NumberScan, NumberError> {
    match bytes
        .get(from..from.wrapping_add(WINDOW))
        .and_then(<[u8]>::first_chunk)
    {
        Some(window) => Quick {
            window,
            bytes,
            from,
        }
        .number(),
        None => scan_last(bytes, from),
    }
}

/// A number as most with a fraction are: up to four digits before the point, up to fifteen behind
/// it, no exponent, and a few bytes after it. Its value and its end; None for any other, also for one
/// that is faulty.
#[inline(always)]
pub fn usual(bytes: &[u8], from: usize) -> Option<(f64, usize)> {
    const SEEN: usize = 24;
    let window: &[u8; SEEN] = bytes.get(from..from.wrapping_add(SEEN))?.first_chunk()?;
    let negative = window[0] == b'-';
    let first = usize::from(negative);
    let word = word_at(window, first)?;
    let count = leading_digits(word);
    let point = (word >> (8 * count % 64)) as u8;
    let leading_zero = word as u8 == b'0' && count > 1;
    if point != b'.' || !(1..=4).contains(&count) || leading_zero {
        return None;
    }
    let whole = value_of(word, count);
    let start = first + count + 1;
    let word = word_at(window, start)?;
    let places = leading_digits(word);
    let (mantissa, places, next) = if places < 8 {
        if places == 0 {
            return None;
        }
        let mantissa = whole * TENS[places] + value_of(word, places);
        (mantissa, places, word >> (8 * places))
    } else {
        let mantissa = whole * TENS[8] + value_of(word, 8);
        let word = word_at(window, start + 8)?;
        match leading_digits(word) {
            0 => (mantissa, 8, word),
            8 => return None,
            more => {
                let mantissa = mantissa * TENS[more] + value_of(word, more);
                (mantissa, 8 + more, word >> (8 * more))
            }
        }
    };
    if next as u8 | 0x20 == b'e' {
        return None;
    }
    let value = from_parts(mantissa, -(places as i32), negative, false)?;
    Some((value, from + start + places))
}

/// The quick way where less than a window remains: zeros are no part of a number.
#[cold]
#[inline(never)]
fn scan_last(bytes: &[u8], from: usize) -> Result<NumberScan, NumberError> {
    let rest = bytes.get(from..).unwrap_or_default();
    let mut window = [0; WINDOW];
    for (place, &byte) in window.iter_mut().zip(rest) {
        *place = byte;
    }
    Quick {
        window: &window,
        bytes,
        from,
    }
    .number()
}

/// Reads digits by words of eight. Where the number is faulty or longer than nineteen digits, the
/// plain way tells. Results are built in one place each and never copied.
#[derive(Clone, Copy)]
struct Quick<'a> {
    window: &'a [u8; WINDOW],
    bytes: &'a [u8],
    from: usize,
}

/// The part of a number before its point.
struct Whole {
    mantissa: u64,
    first: usize,
    end: usize,
    negative: bool,
}

impl Quick<'_> {
    #[inline(always)]
    fn number(self) -> Result<NumberScan, NumberError> {
        let negative = self.window[0] == b'-';
        let first = usize::from(negative);
        let Some(word) = word_at(self.window, first) else {
            return self.plainly();
        };
        let count = leading_digits(word);
        if count == 0 || (count > 1 && word as u8 == b'0') {
            return self.plainly();
        }
        let mut mantissa = value_of(word, count);
        let mut end = first + count;
        let mut next = (word >> (8 * (count % 8))) as u8;
        if count == 8 {
            let Some(more) = more_digits(self.window, first + 8, mantissa) else {
                return self.plainly();
            };
            (mantissa, end) = more;
            next = self.window[end % WINDOW];
        }
        let whole = Whole {
            mantissa,
            first,
            end,
            negative,
        };
        match next {
            // Where the fraction starts is known from a guessed branch, not from counted digits:
            // so its loads need not wait for those of the whole part.
            b'.' => match end {
                1 => self.fraction(Whole { end: 1, ..whole }),
                2 => self.fraction(Whole { end: 2, ..whole }),
                3 => self.fraction(Whole { end: 3, ..whole }),
                4 => self.fraction(Whole { end: 4, ..whole }),
                _ => self.fraction(whole),
            },
            b'e' | b'E' => self.exponent(whole, end, 0),
            _ => self.found(whole, end, end - first, 0, NumberKind::Int),
        }
    }

    /// The rest of a number from its point on.
    #[inline(always)]
    fn fraction(self, mut whole: Whole) -> Result<NumberScan, NumberError> {
        let point = whole.end + 1;
        let Some(word) = word_at(self.window, point) else {
            return self.plainly();
        };
        let count = leading_digits(word);
        if count == 0 {
            return self.plainly();
        }
        whole.mantissa = whole
            .mantissa
            .wrapping_mul(TENS[count])
            .wrapping_add(value_of(word, count));
        let mut end = point + count;
        if count == 8 {
            let Some(more) = more_digits(self.window, point + 8, whole.mantissa) else {
                return self.plainly();
            };
            (whole.mantissa, end) = more;
        }
        let places = end - point;
        if self.window[end % WINDOW] | 0x20 == b'e' {
            return self.exponent(whole, end, places);
        }
        let digits = whole.end - whole.first + places;
        self.found(whole, end, digits, -(places as i32), NumberKind::Real)
    }

    /// The rest of a number from its `e` on.
    #[inline(never)]
    fn exponent(self, whole: Whole, at: usize, places: usize) -> Result<NumberScan, NumberError> {
        let sign = self.window[(at + 1) % WINDOW];
        let start = at + 1 + usize::from(matches!(sign, b'+' | b'-'));
        let Some(word) = word_at(self.window, start) else {
            return self.plainly();
        };
        let count = leading_digits(word);
        if count == 0 || count == 8 {
            return self.plainly();
        }
        let power = value_of(word, count) as i32;
        let exponent = if sign == b'-' { -power } else { power } - places as i32;
        let digits = whole.end - whole.first + places;
        self.found(whole, start + count, digits, exponent, NumberKind::Real)
    }

    #[inline(always)]
    fn found(
        self,
        whole: Whole,
        end: usize,
        digits: usize,
        exponent: i32,
        kind: NumberKind,
    ) -> Result<NumberScan, NumberError> {
        if digits > ROOM {
            return self.plainly();
        }
        Ok(NumberScan {
            start: self.from,
            end: self.from + end,
            mantissa: whole.mantissa,
            exponent,
            digits: digits as u32,
            kind,
            negative: whole.negative,
            truncated: false,
        })
    }

    #[inline(always)]
    fn plainly(self) -> Result<NumberScan, NumberError> {
        scan_plainly(self.bytes, self.from)
    }
}

/// Goes on over up to fifteen digits from `at` on.
#[inline(always)]
fn more_digits(window: &[u8; WINDOW], at: usize, mantissa: u64) -> Option<(u64, usize)> {
    let word = word_at(window, at)?;
    let count = leading_digits(word);
    if count == 0 {
        return Some((mantissa, at));
    }
    let mantissa = mantissa
        .wrapping_mul(TENS[count])
        .wrapping_add(value_of(word, count));
    if count < 8 {
        Some((mantissa, at + count))
    } else {
        last_digits(window, at + 8, mantissa)
    }
}

#[inline(never)]
fn last_digits(window: &[u8; WINDOW], at: usize, mantissa: u64) -> Option<(u64, usize)> {
    let word = word_at(window, at)?;
    match leading_digits(word) {
        0 => Some((mantissa, at)),
        8 => None,
        count => {
            let mantissa = mantissa
                .wrapping_mul(TENS[count])
                .wrapping_add(value_of(word, count));
            Some((mantissa, at + count))
        }
    }
}

/// Reads a number byte by byte, whatever its length; finds the fault where it is none.
#[cold]
#[inline(never)]
pub(super) fn scan_plainly(bytes: &[u8], from: usize) -> Result<NumberScan, NumberError> {
    let negative = bytes.get(from) == Some(&b'-');
    let first = from + usize::from(negative);
    let mut end = digits_end(bytes, first)?;
    if end > first + 1 && bytes[first] == b'0' {
        return Err(NumberError {
            at: first + 1,
            fault: NumberFault::LeadingZero,
        });
    }
    let mut kind = NumberKind::Int;
    let mut places = 0;
    if bytes.get(end) == Some(&b'.') {
        let point = end + 1;
        end = digits_end(bytes, point)?;
        places = end - point;
        kind = NumberKind::Real;
    }
    let (mantissa, dropped, truncated) = leading_nineteen(&bytes[first..end]);
    let digits = end - first - usize::from(kind == NumberKind::Real);
    let mut exponent = dropped as i64 - places as i64;
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = bytes.get(end + 1);
        let start = end + 1 + usize::from(matches!(sign, Some(b'+' | b'-')));
        end = digits_end(bytes, start)?;
        let power = bytes[start..end].iter().fold(0, |power: i64, digit| {
            (power * 10 + i64::from(digit - b'0')).min(FAR * 2)
        });
        exponent += if sign == Some(&b'-') { -power } else { power };
        kind = NumberKind::Real;
    }
    Ok(NumberScan {
        start: from,
        end,
        mantissa,
        exponent: exponent.clamp(-FAR, FAR) as i32,
        digits: u32::try_from(digits).unwrap_or(u32::MAX),
        kind,
        negative,
        truncated,
    })
}

/// The end of the digits from `start` on, of which there must be one.
fn digits_end(bytes: &[u8], start: usize) -> Result<usize, NumberError> {
    let rest = bytes.get(start..).unwrap_or_default();
    match rest.iter().take_while(|byte| byte.is_ascii_digit()).count() {
        0 => Err(NumberError {
            at: start.min(bytes.len()),
            fault: NumberFault::MissingDigits,
        }),
        count => Ok(start + count),
    }
}

/// The first nineteen significant digits of a text of digits and a point, how many digits were
/// left out, and whether one of these is not zero.
fn leading_nineteen(text: &[u8]) -> (u64, usize, bool) {
    let mut mantissa = 0_u64;
    let mut taken = 0;
    let mut dropped = 0;
    let mut truncated = false;
    for &byte in text.iter().filter(|byte| byte.is_ascii_digit()) {
        if taken < ROOM {
            mantissa = mantissa * 10 + u64::from(byte - b'0');
            taken += usize::from(mantissa != 0);
        } else {
            dropped += 1;
            truncated |= byte != b'0';
        }
    }
    (mantissa, dropped, truncated)
}

/// The value of a number that was read from `bytes`; infinite where it is beyond all doubles.
#[inline]
pub fn value(scan: &NumberScan, bytes: &[u8]) -> f64 {
    match from_parts(scan.mantissa, scan.exponent, scan.negative, scan.truncated) {
        Some(value) => value,
        None => by_standard_library(bytes.get(scan.start..scan.end).unwrap_or_default()),
    }
}

/// The value of a JSON number; infinite where it is beyond all doubles, NaN if it is no number.
pub fn parse(text: &str) -> f64 {
    match scan(text.as_bytes(), 0) {
        Ok(scan) if scan.end == text.len() => value(&scan, text.as_bytes()),
        _ => by_standard_library(text.as_bytes()),
    }
}

#[cold]
fn by_standard_library(text: &[u8]) -> f64 {
    core::str::from_utf8(text)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(f64::NAN)
}

/// The powers of ten that are exact as doubles.
static EXACT: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// The double nearest to `mantissa * 10^exponent`, ties to even; None where that is undecided.
/// `truncated` says that the true mantissa lies between this and the next.
#[inline]
pub fn from_parts(mantissa: u64, exponent: i32, negative: bool, truncated: bool) -> Option<f64> {
    // A product or quotient of two exact doubles is rounded once, hence correctly.
    let magnitude = if mantissa < 1 << 53 && exponent.unsigned_abs() <= 22 && !truncated {
        let ten = EXACT[exponent.unsigned_abs() as usize];
        if exponent < 0 {
            mantissa as f64 / ten
        } else {
            mantissa as f64 * ten
        }
    } else {
        let nearest = nearest(mantissa, exponent)?;
        if truncated && nearest != self::nearest(mantissa + 1, exponent)? {
            return None;
        }
        f64::from_bits(nearest)
    };
    Some(if negative { -magnitude } else { magnitude })
}

const FRACTION_BITS: u32 = 52;
const INFINITE: i32 = 0x7ff;

/// The bits of the double nearest to `mantissa * 10^exponent`.
fn nearest(mantissa: u64, exponent: i32) -> Option<u64> {
    if mantissa == 0 || exponent < FIRST {
        return Some(0);
    }
    if exponent > LAST {
        return Some(f64::INFINITY.to_bits());
    }
    let shift = mantissa.leading_zeros();
    let normal = mantissa << shift;
    let (upper, lower) = product(normal, exponent)?;
    // The leading one of the product is its first or second bit. One bit more than the fraction
    // and its hidden one is kept to round by.
    let top = (upper >> 63) as u32;
    let cut = top + 64 - FRACTION_BITS - 3;
    let mut fraction = upper >> cut;
    // 217706 / 2^16 is log2(10), close enough for all exponents of the table.
    let mut power = ((exponent * 217_706) >> 16) + 63 + top as i32 - shift as i32 + 1023;
    if power <= 0 {
        // Below the normal doubles the fraction loses bits instead of the exponent going on.
        let lost = (1 - power) as u32;
        if lost >= 64 {
            return Some(0);
        }
        fraction >>= lost;
        fraction += fraction & 1;
        // If rounding made it normal again, its hidden bit is just the first exponent.
        return Some(fraction >> 1);
    }
    // Exactly between two doubles: only where the power of five fits into the product.
    if lower <= 1 && (-4..=23).contains(&exponent) && fraction & 3 == 1 && fraction << cut == upper
    {
        fraction &= !1;
    }
    fraction += fraction & 1;
    fraction >>= 1;
    if fraction == 2 << FRACTION_BITS {
        fraction >>= 1;
        power += 1;
    }
    if power >= INFINITE {
        return Some(f64::INFINITY.to_bits());
    }
    Some((fraction & !(1 << FRACTION_BITS)) | (power as u64) << FRACTION_BITS)
}

/// The upper 128 bits of a mantissa with its top bit set times the power of ten; None if these do
/// not tell on which side of a border the true product lies.
#[inline]
fn product(normal: u64, exponent: i32) -> Option<(u64, u64)> {
    let entry = 2 * (exponent - FIRST) as usize;
    let long = u128::from(normal) * u128::from(POWERS[entry]);
    let (mut upper, mut lower) = ((long >> 64) as u64, long as u64);
    let unused = u64::MAX >> (FRACTION_BITS + 3);
    if upper & unused == unused {
        let more = u128::from(normal) * u128::from(POWERS[entry + 1]);
        let (sum, carry) = lower.overflowing_add((more >> 64) as u64);
        lower = sum;
        upper += u64::from(carry);
        if lower == u64::MAX && !(-27..=55).contains(&exponent) {
            return None;
        }
    }
    Some((upper, lower))
}

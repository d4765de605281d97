//! Decimal numbers by their spelling: which ones a decimal type can hold, and which are equal.
//!
//! No number is computed: digits and exponents are compared. Takes the grammar of JSON numbers.

/// The largest exponent of a decimal's first digit, as `decimal.MAX_EMAX` has it on 64 bits.
const MAX: i128 = 999_999_999_999_999_999;
/// The smallest exponent of a decimal's last digit: `decimal.MIN_ETINY`.
const TINY: i128 = -1_999_999_999_999_999_997;

/// A number as significant digits and the exponent of the last one.
struct Parts {
    negative: bool,
    /// Without zeros in front; empty for zero.
    digits: Vec<u8>,
    exponent: i128,
}

impl Parts {
    fn new(text: &str) -> Self {
        let (negative, text) = match text.strip_prefix('-') {
            Some(text) => (true, text),
            None => (false, text),
        };
        let (number, exponent) = match text.split_once(['e', 'E']) {
            Some((number, exponent)) => (number, whole(exponent)),
            None => (text, 0),
        };
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let digits = whole.bytes().chain(fraction.bytes());
        Self {
            negative,
            digits: digits.skip_while(|digit| *digit == b'0').collect(),
            exponent: exponent.saturating_sub(fraction.len() as i128),
        }
    }

    /// Without zeros at the end, and zero with one form.
    fn normal(mut self) -> Self {
        while self.digits.last() == Some(&b'0') {
            self.digits.pop();
            self.exponent = self.exponent.saturating_add(1);
        }
        if self.digits.is_empty() {
            self.negative = false;
            self.exponent = 0;
        }
        self
    }
}

/// An exponent; one beyond all bounds is far beyond those of any decimal.
fn whole(text: &str) -> i128 {
    const FAR: i128 = 1 << 100;
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let value = digits.bytes().fold(0_i128, |value, digit| {
        (value * 10 + i128::from(digit.wrapping_sub(b'0'))).min(FAR)
    });
    if negative { -value } else { value }
}

/// Whether Python's `decimal.Decimal` can hold the number exactly.
#[must_use]
pub fn in_range(text: &str) -> bool {
    // Short exponents, which nearly all are, are within any bounds.
    let exponent = text.bytes().rev().take_while(u8::is_ascii_digit).count();
    if exponent < 16 && text.len() < 1 << 32 {
        return true;
    }
    let parts = Parts::new(text);
    let first = parts.exponent + (parts.digits.len().max(1) as i128 - 1);
    first <= MAX && parts.exponent >= TINY
}

/// Whether two numbers are equal, whatever their spelling.
#[must_use]
pub fn equal(one: &str, two: &str) -> bool {
    if one == two {
        return true;
    }
    let (one, two) = (Parts::new(one).normal(), Parts::new(two).normal());
    one.negative == two.negative && one.exponent == two.exponent && one.digits == two.digits
}

/// Whether a number is exactly that of a double.
#[must_use]
pub fn equals_float(text: &str, float: f64) -> bool {
    // The nearest double decides almost always; only then the digits are written out.
    super::float::parse(text) == float
        && float.is_finite()
        && equal(text, &format!("{float:.1074}"))
}

#[cfg(test)]
mod tests {
    use super::{equal, equals_float, in_range};

    #[test]
    fn bounds_are_those_of_python() {
        for text in [
            "0",
            "1e999999999999999999",
            "9.99e999999999999999999",
            "0e999999999999999999",
            "1e-1999999999999999997",
            "0.1e-1999999999999999996",
            "0e-1999999999999999997",
            "12345678901234567890",
            "0.12345678901234567890",
        ] {
            assert!(in_range(text), "{text}");
        }
        for text in [
            "1e1000000000000000000",
            "10e999999999999999999",
            "0e1000000000000000000",
            "1e-1999999999999999998",
            "0.1e-1999999999999999997",
            "1.0e-1999999999999999997",
            "0e-1999999999999999998",
            "-1e99999999999999999999999999999999999999999999999999999",
        ] {
            assert!(!in_range(text), "{text}");
        }
    }

    #[test]
    fn equality_is_exact() {
        assert!(equal("1.50", "15e-1") && equal("-0", "0.00e7") && equal("100", "1e2"));
        assert!(!equal("0.1", "0.1000000000000000055") && !equal("1", "-1"));
        assert!(!equal("1e99999999999999999999", "2e99999999999999999999"));
        assert!(equals_float("0.5", 0.5) && equals_float("-0.0", 0.0) && equals_float("5e-1", 0.5));
        assert!(!equals_float("0.1", 0.1) && !equals_float("1e400", f64::INFINITY));
        let exact = "0.1000000000000000055511151231257827021181583404541015625";
        assert!(equals_float(exact, 0.1) && equals_float("1e22", 1e22));
    }
}

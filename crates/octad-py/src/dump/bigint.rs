//! Decimal digits of an int of any size, from its digits of 30 bits.
//!
//! Own arithmetic, so that `sys.set_int_max_str_digits` (which guards `str(int)`) is no obstacle:
//! writing needs exact digits, and the int is already there. Quadratic, as CPython's is.

use crate::cpython::BigInt;

/// The largest power of ten in one digit of the result.
const CHUNK: u64 = 1_000_000_000_000_000_000;
/// Its number of zeros.
const WIDTH: usize = 18;

/// The digits, with a minus where it is below zero.
pub fn decimal(value: BigInt<'_>) -> String {
    let mut chunks: Vec<u64> = Vec::with_capacity(value.digits.len() / 2 + 2);
    for digit in value.digits.iter().rev() {
        let mut carry = u128::from(*digit);
        for chunk in &mut chunks {
            let sum = (u128::from(*chunk) << 30) + carry;
            *chunk = (sum % u128::from(CHUNK)) as u64;
            carry = sum / u128::from(CHUNK);
        }
        if carry > 0 {
            chunks.push(carry as u64);
        }
    }
    let mut text = String::with_capacity(chunks.len() * WIDTH + 1);
    if value.negative {
        text.push('-');
    }
    let mut chunks = chunks.iter().rev();
    text.push_str(&chunks.next().map_or_else(|| "0".to_owned(), u64::to_string));
    for chunk in chunks {
        text.push_str(&format!("{chunk:0WIDTH$}"));
    }
    text
}

//! Decimal digits of a Python int of any size.
//!
//! Own arithmetic (the core's), so that `sys.set_int_max_str_digits` (which guards `str(int)`) is no
//! obstacle: writing needs exact digits, and the int is already there.

use octad_core::text::big;

use crate::cpython::BigInt;

/// The digits, with a minus where it is below zero.
pub fn decimal(value: BigInt<'_>) -> String {
    let mut text = big::decimal(value.digits);
    if value.negative {
        text.insert(0, '-');
    }
    text
}

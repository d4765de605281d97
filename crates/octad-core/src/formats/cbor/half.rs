//! Floats of 16, 32 and 64 bits: which of them hold a number exactly, and the number in each.
//!
//! Works on bits throughout, so that the payload and the sign of a NaN come through unchanged: the
//! processor's own conversions may quieten it.

/// A float in as many bits as it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Float {
    /// 16 bits.
    Half(u16),
    /// 32 bits.
    Single(u32),
    /// 64 bits.
    Double(u64),
}

/// Mantissa bits of doubles beyond those of singles, and of halves.
const BEYOND_SINGLE: u32 = 52 - 23;
const BEYOND_HALF: u32 = 52 - 10;

/// The narrowest form that holds the double of these bits, payloads of NaNs included.
#[inline]
#[must_use]
pub fn shortest(bits: u64) -> Float {
    let Some(single) = to_single(bits) else {
        return Float::Double(bits);
    };
    match to_half(bits) {
        Some(half) => Float::Half(half),
        None => Float::Single(single),
    }
}

#[inline]
fn to_single(bits: u64) -> Option<u32> {
    narrow(bits, BEYOND_SINGLE, 127).map(|bits| bits as u32)
}

#[inline]
fn to_half(bits: u64) -> Option<u16> {
    narrow(bits, BEYOND_HALF, 15).map(|bits| bits as u16)
}

/// The float with `beyond` fewer bits of mantissa and an exponent of this bias, if it is the same
/// number.
#[inline]
fn narrow(bits: u64, beyond: u32, bias: i64) -> Option<u64> {
    let mantissa = bits & ((1 << 52) - 1);
    let exponent = (bits >> 52 & 0x7FF) as i64;
    let width = 52 - beyond;
    // Where the sign stands: above the mantissa and the bits of the exponent.
    let sign = bits >> 63 << (width + (2 * bias + 1).count_ones());
    if exponent == 0x7FF {
        let same = mantissa.trailing_zeros() >= beyond;
        let top = (2 * bias + 1) as u64;
        return same.then_some(sign | top << width | mantissa >> beyond);
    }
    if exponent == 0 {
        // Doubles below the normal ones are too small for anything narrower.
        return (mantissa == 0).then_some(sign);
    }
    let exponent = exponent - 1023 + bias;
    if exponent > 2 * bias {
        return None;
    }
    if exponent >= 1 {
        let same = mantissa.trailing_zeros() >= beyond;
        return same.then_some(sign | (exponent as u64) << width | mantissa >> beyond);
    }
    // Below the normal numbers of the narrow form: the leading one becomes a bit of the mantissa.
    let lost = i64::from(beyond) + 1 - exponent;
    let whole = mantissa | 1 << 52;
    let same = lost <= 52 && i64::from(whole.trailing_zeros()) >= lost;
    same.then(|| sign | whole >> lost)
}

/// The bits of the double that is the half of these bits.
#[inline]
#[must_use]
pub fn half_to_double(bits: u16) -> u64 {
    widen(u64::from(bits), BEYOND_HALF, 15)
}

/// The bits of the double that is the single of these bits.
#[inline]
#[must_use]
pub fn single_to_double(bits: u32) -> u64 {
    widen(u64::from(bits), BEYOND_SINGLE, 127)
}

#[inline]
fn widen(bits: u64, beyond: u32, bias: u64) -> u64 {
    let width = 52 - beyond;
    let top = 2 * bias + 1;
    let mantissa = bits & ((1 << width) - 1);
    let exponent = bits >> width & top;
    let sign = bits >> (width + top.count_ones()) << 63;
    if exponent == top {
        return sign | 0x7FF << 52 | mantissa << beyond;
    }
    if exponent != 0 {
        return sign | (exponent + 1023 - bias) << 52 | mantissa << beyond;
    }
    if mantissa == 0 {
        return sign;
    }
    // Below the normal numbers: the highest bit of the mantissa becomes the leading one.
    let shift = width + 1 - (64 - mantissa.leading_zeros());
    let mantissa = mantissa << shift & ((1 << width) - 1);
    sign | (1024 - bias - u64::from(shift)) << 52 | mantissa << beyond
}

#[cfg(test)]
mod tests {
    use super::{Float, half_to_double, shortest, single_to_double};

    #[test]
    fn each_half_goes_to_a_double_and_back() {
        for bits in 0..=u16::MAX {
            let double = half_to_double(bits);
            assert_eq!(shortest(double), Float::Half(bits), "{bits:04x}");
            let value = f64::from_bits(double);
            let (exponent, mantissa) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
            let size = match exponent {
                0 => mantissa * 2_f64.powi(-24),
                31 if mantissa == 0.0 => f64::INFINITY,
                31 => {
                    assert!(value.is_nan());
                    continue;
                }
                _ => (1024.0 + mantissa) * 2_f64.powi(exponent - 25),
            };
            assert_eq!(value.abs(), size, "{bits:04x}");
            assert_eq!(value.is_sign_negative(), bits >> 15 == 1, "{bits:04x}");
        }
    }

    #[test]
    fn singles_go_to_doubles_as_the_processor_has_it() {
        let mut state = 1_u32;
        for step in 0..200_000_u32 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // All exponents, with mantissas full, sparse and empty.
            let bits = state & [u32::MAX, 0xFF80_0000, 0xFFC0_0001, 0x807F_FFFF][step as usize % 4];
            let single = f32::from_bits(bits);
            let double = single_to_double(bits);
            if !single.is_nan() {
                assert_eq!(double, f64::from(single).to_bits(), "{bits:08x}");
            }
            match shortest(double) {
                Float::Single(back) => assert_eq!(back, bits),
                Float::Half(back) => assert_eq!(half_to_double(back), double),
                Float::Double(_) => panic!("{bits:08x} is a single"),
            }
        }
    }

    #[test]
    fn doubles_are_narrowed_only_where_that_is_exact() {
        let mut state = 1_u64;
        for step in 0..200_000_u64 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let mask = [u64::MAX, !0 << 29, !0 << 42, !0 << 20][step as usize % 4];
            // Exponents about the borders of the narrower forms.
            let exponent =
                [1023 - 150, 1023 - 26, 1023 - 16, 1023 + 14, 1023 + 126, 0][step as usize / 4 % 6];
            let bits = (state & mask & !(0x7FF << 52)) | (exponent + (state >> 60)) << 52;
            let value = f64::from_bits(bits);
            let exact = f64::from(value as f32).to_bits() == bits;
            match shortest(bits) {
                Float::Double(back) => assert!(back == bits && !exact, "{value:e}"),
                Float::Single(back) => assert_eq!(single_to_double(back), bits),
                Float::Half(back) => assert_eq!(half_to_double(back), bits),
            }
        }
        assert_eq!(shortest(65504_f64.to_bits()), Float::Half(0x7BFF));
        assert_eq!(shortest(65536_f64.to_bits()), Float::Single(0x4780_0000));
        assert_eq!(
            shortest(0.1_f64.to_bits()),
            Float::Double(0.1_f64.to_bits())
        );
    }
}

//! Decimal digits of an integer of any size, from its digits of 30 bits.
//!
//! Knows nothing of who holds the integer. Up to a block the digits are made one by one; blocks are
//! joined in pairs, `high * 2^k + low` in decimal, with products by a number-theoretic transform,
//! so a million digits cost a fraction of a second and not its square.

/// The largest power of ten whose zeros come in threes, in one chunk of a block.
const CHUNK: u64 = 1_000_000_000_000_000_000;
/// Its number of zeros.
const WIDTH: usize = 18;
/// Digits of 30 bits that are converted one by one.
const BLOCK: usize = 128;
/// Up to so many digits of 30 bits, sums of products of limbs of six decimal digits stay below the
/// prime; beyond, limbs have three.
const WIDE_LIMBS: usize = 8 << 20;

/// The decimal digits of the number with these digits of 30 bits, least significant first.
#[must_use]
pub fn decimal(digits: &[u32]) -> String {
    if digits.len() <= BLOCK {
        return text(&chunks(digits), WIDTH);
    }
    let width = if digits.len() <= WIDE_LIMBS { 6 } else { 3 };
    joined(digits, width)
}

/// As [`decimal`], for more than one block, with limbs of `width` decimal digits.
fn joined(digits: &[u32], width: usize) -> String {
    let base = 10_u64.pow(width as u32);
    let mut blocks: Vec<Vec<u64>> = digits
        .chunks(BLOCK)
        .map(|block| limbs(&chunks(block), width))
        .collect();
    // Two to the number of bits in a block.
    let mut power = {
        let mut unit = vec![0; BLOCK + 1];
        unit[BLOCK] = 1;
        limbs(&chunks(&unit), width)
    };
    while blocks.len() > 1 {
        let widest = blocks.iter().map(Vec::len).max().unwrap_or(0);
        let roots = Roots::new((power.len() + widest.max(power.len())).next_power_of_two());
        let factor = roots.transformed(&power);
        blocks = blocks
            .chunks(2)
            .map(|pair| match pair {
                [low, high] => roots.product(&factor, high, low, base),
                _ => pair[0].clone(),
            })
            .collect();
        if blocks.len() > 1 {
            power = roots.product(&factor, &power, &[], base);
        }
    }
    text(&blocks[0], width)
}

/// Chunks of 18 decimal digits, least significant first.
fn chunks(digits: &[u32]) -> Vec<u64> {
    let mut chunks: Vec<u64> = Vec::with_capacity(digits.len() / 2 + 2);
    for digit in digits.iter().rev() {
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
    chunks
}

/// Chunks as limbs of `width` decimal digits, without zeros at the top.
fn limbs(chunks: &[u64], width: usize) -> Vec<u64> {
    let base = 10_u64.pow(width as u32);
    let mut limbs = Vec::with_capacity(chunks.len() * WIDTH / width);
    for chunk in chunks {
        let mut rest = *chunk;
        for _ in 0..WIDTH / width {
            limbs.push(rest % base);
            rest /= base;
        }
    }
    trim(&mut limbs);
    limbs
}

fn trim(limbs: &mut Vec<u64>) {
    while limbs.last() == Some(&0) {
        limbs.pop();
    }
}

/// The text of limbs of `width` decimal digits.
fn text(limbs: &[u64], width: usize) -> String {
    let mut limbs = limbs.iter().rev();
    let mut text = limbs.next().map_or_else(|| "0".to_owned(), u64::to_string);
    text.reserve(limbs.len() * width);
    for limb in limbs {
        // Writing into a String cannot fail.
        let _ = core::fmt::Write::write_fmt(&mut text, format_args!("{limb:0width$}"));
    }
    text
}

/// 2^64 - 2^32 + 1: products are reduced by shifts, and there are roots of unity of every order
/// that is a power of two up to 2^32.
const PRIME: u64 = 0xFFFF_FFFF_0000_0001;
/// 2^64 modulo the prime.
const WRAP: u64 = 0xFFFF_FFFF;

fn add(a: u64, b: u64) -> u64 {
    let (sum, carry) = a.overflowing_add(b);
    if carry || sum >= PRIME {
        sum.wrapping_sub(PRIME)
    } else {
        sum
    }
}

fn sub(a: u64, b: u64) -> u64 {
    let (rest, borrow) = a.overflowing_sub(b);
    if borrow {
        rest.wrapping_add(PRIME)
    } else {
        rest
    }
}

fn mul(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    let (low, high) = (product as u64, (product >> 64) as u64);
    // 2^64 is 2^32 - 1 here, and 2^96 is -1.
    let (mut rest, borrow) = low.overflowing_sub(high >> 32);
    if borrow {
        rest = rest.wrapping_sub(WRAP);
    }
    let (mut sum, carry) = rest.overflowing_add((high & WRAP) * WRAP);
    if carry {
        sum = sum.wrapping_add(WRAP);
    }
    if sum >= PRIME { sum - PRIME } else { sum }
}

fn pow(base: u64, mut exponent: u64) -> u64 {
    let (mut base, mut result) = (base, 1);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = mul(result, base);
        }
        base = mul(base, base);
        exponent >>= 1;
    }
    result
}

/// The powers of a root of unity, for transforms of one size.
struct Roots {
    size: usize,
    powers: Vec<u64>,
}

impl Roots {
    fn new(size: usize) -> Self {
        // 7 generates the whole group.
        let root = pow(7, (PRIME - 1) / size as u64);
        let mut powers = Vec::with_capacity(size / 2);
        let mut power = 1;
        for _ in 0..size / 2 {
            powers.push(power);
            power = mul(power, root);
        }
        Self { size, powers }
    }

    /// The transform of limbs, in bit-reversed order.
    fn transformed(&self, limbs: &[u64]) -> Vec<u64> {
        let mut values = limbs.to_vec();
        values.resize(self.size, 0);
        let mut half = self.size / 2;
        while half > 0 {
            let stride = self.size / 2 / half;
            for pair in values.chunks_exact_mut(half * 2) {
                let (low, high) = pair.split_at_mut(half);
                let roots = self.powers.iter().step_by(stride);
                for ((a, b), root) in low.iter_mut().zip(high).zip(roots) {
                    (*a, *b) = (add(*a, *b), mul(sub(*a, *b), *root));
                }
            }
            half /= 2;
        }
        values
    }

    /// `factor * limbs + rest`, where `factor` is transformed.
    fn product(&self, factor: &[u64], limbs: &[u64], rest: &[u64], base: u64) -> Vec<u64> {
        let mut values = self.transformed(limbs);
        for (value, factor) in values.iter_mut().zip(factor) {
            *value = mul(*value, *factor);
        }
        let mut half = 1;
        while half < self.size {
            let stride = self.size / 2 / half;
            for pair in values.chunks_exact_mut(half * 2) {
                let (low, high) = pair.split_at_mut(half);
                let roots = self.powers.iter().step_by(stride);
                for ((a, b), root) in low.iter_mut().zip(high).zip(roots) {
                    let turned = mul(*b, *root);
                    (*a, *b) = (add(*a, turned), sub(*a, turned));
                }
            }
            half *= 2;
        }
        // The same roots twice: all but the first value stand in reverse order.
        values[1..].reverse();
        let scale = pow(self.size as u64, PRIME - 2);
        let mut carry = 0;
        for (place, value) in values.iter_mut().enumerate() {
            let sum = mul(*value, scale) + carry + rest.get(place).copied().unwrap_or(0);
            *value = sum % base;
            carry = sum / base;
        }
        trim(&mut values);
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Digits of 30 bits from decimal digits, the slow way.
    fn digits_of(text: &str) -> Vec<u32> {
        let mut digits: Vec<u32> = Vec::new();
        for byte in text.bytes() {
            let mut carry = u64::from(byte - b'0');
            for digit in &mut digits {
                carry += u64::from(*digit) * 10;
                *digit = (carry & 0x3FFF_FFFF) as u32;
                carry >>= 30;
            }
            if carry > 0 {
                digits.push(carry as u32);
            }
        }
        digits
    }

    #[test]
    fn small_ones() {
        for text in [
            "0",
            "1",
            "999999999999999999",
            "1000000000000000000",
            "18446744073709551616",
        ] {
            assert_eq!(decimal(&digits_of(text)), text);
        }
    }

    #[test]
    fn joins_blocks_exactly() {
        let mut state = 1_u64;
        for length in [1150, 1160, 1200, 2310, 2320, 4700, 9999] {
            let random: String = (0..length)
                .map(|_| {
                    state = state
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1);
                    char::from(b'1' + (state >> 60) as u8 % 9)
                })
                .collect();
            for text in [
                random,
                "9".repeat(length),
                format!("1{}", "0".repeat(length)),
            ] {
                let digits = digits_of(&text);
                assert_eq!(decimal(&digits), text);
                if digits.len() > BLOCK {
                    assert_eq!(joined(&digits, 3), text);
                }
            }
        }
    }

    #[test]
    fn powers_of_two_with_empty_low_blocks() {
        let mut digits = vec![0; 5 * BLOCK];
        digits.push(1);
        let slow = text(&chunks(&digits), WIDTH);
        assert_eq!(decimal(&digits), slow);
    }
}

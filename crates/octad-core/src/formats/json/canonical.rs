//! RFC 8785: which numbers canonical JSON can carry.
//!
//! The number form is `text::float::write_ecmascript`, the key order `Chars::compare_utf16`. Here is
//! the rest of the rule: every number is a double, so an integer or decimal that would be changed is
//! refused: one that is neither a double's value nor what the canonical form of a double says.

/// The largest integer up to which every integer is a double.
const EXACT: u64 = 1 << 53;

/// True when all integers up to this one are doubles.
#[inline]
#[must_use]
pub fn is_exact(magnitude: u64) -> bool {
    magnitude <= EXACT
}

/// The double that equals the integer, or whose canonical form does; `None` when there is none.
#[must_use]
pub fn whole_double(digits: &str) -> Option<f64> {
    // The largest double has 309 digits.
    if digits.len() > 310 {
        return None;
    }
    let value: f64 = digits
        .parse()
        .ok()
        .filter(|value: &f64| value.is_finite())?;
    if format!("{value:.0}") == digits {
        return Some(value);
    }
    exact_double(digits)
}

/// The double whose shortest form has the same value as the literal; `None` when there is none.
#[must_use]
pub fn exact_double(literal: &str) -> Option<f64> {
    let value: f64 = literal
        .parse()
        .ok()
        .filter(|value: &f64| value.is_finite())?;
    (digits(literal)? == digits(&format!("{value:e}"))?).then_some(value)
}

/// Significant digits without zeros at either end, and the power of ten of the last one.
fn digits(literal: &str) -> Option<(String, i64)> {
    let literal = literal.trim_start_matches('-');
    let (mantissa, exponent) = literal.split_once(['e', 'E']).unwrap_or((literal, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = [whole, fraction].concat();
    let kept = all.trim_end_matches('0');
    let significant = kept.trim_start_matches('0');
    if significant.is_empty() {
        return Some((String::new(), 0));
    }
    let power: i64 = exponent.parse().ok()?;
    let cut = i64::try_from(all.len() - kept.len()).ok()?;
    let behind = i64::try_from(fraction.len()).ok()?;
    Some((
        significant.to_owned(),
        power.checked_sub(behind)?.checked_add(cut)?,
    ))
}

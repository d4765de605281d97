//! Equality of two values by what they mean: numbers by value, objects without regard to order.
//!
//! The rules are Python's: 1 equals 1.0 and true, NaN equals nothing. An explicit stack, so nesting
//! costs memory and no recursion.

use std::borrow::Cow;

use crate::error::{ErrorCode, Result};
use crate::source::{Int, Source};
use crate::text::decimal;
use crate::text::instant::Instant;
use crate::text::time::Time;
use crate::token::{Kind, variant};

use super::{Number, ValueKind, ValueRef};

/// Whether two values, of one document or two, are equal.
///
/// # Errors
/// A syntax error where values were not checked when they were read.
pub fn equal(left: ValueRef<'_>, right: ValueRef<'_>) -> Result<bool> {
    let mut open = Vec::new();
    if !shallow(left, right, &mut open)? {
        return Ok(false);
    }
    while let Some((left, right)) = open.pop() {
        let same = if left.kind() == ValueKind::Array {
            elements(left, right, &mut open)?
        } else {
            members(left, right, &mut open)?
        };
        if !same {
            return Ok(false);
        }
    }
    Ok(true)
}

type Open<'l, 'r> = Vec<(ValueRef<'l>, ValueRef<'r>)>;

fn elements<'l, 'r>(l: ValueRef<'l>, r: ValueRef<'r>, open: &mut Open<'l, 'r>) -> Result<bool> {
    if l.len() != r.len() {
        return Ok(false);
    }
    for (left, right) in l.elements().zip(r.elements()) {
        if !shallow(left, right, open)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn members<'l, 'r>(l: ValueRef<'l>, r: ValueRef<'r>, open: &mut Open<'l, 'r>) -> Result<bool> {
    let (mine, mut theirs) = (l.members(), r.members());
    if mine.count_all() != theirs.count_all() {
        return Ok(false);
    }
    let (mut one, mut two) = (Vec::new(), Vec::new());
    for (key, value) in mine {
        let name = l.document().value(key).key_compared(&mut one);
        // Most objects that are equal have their keys in one order too.
        let beside = theirs.next().filter(|(key, _)| {
            let other = r.document().value(*key).key_compared(&mut two);
            other == name
        });
        let other = match beside {
            Some((_, value)) => Some(r.document().value(value)),
            None => r.get(&name),
        };
        let Some(other) = other else {
            return Ok(false);
        };
        if !shallow(l.document().value(value), other, open)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Compares scalars; notes containers for later.
fn shallow<'l, 'r>(l: ValueRef<'l>, r: ValueRef<'r>, open: &mut Open<'l, 'r>) -> Result<bool> {
    use ValueKind as K;
    let (one, two) = (l.token(), r.token());
    if one.is_owned() && two.is_owned() && one.kind() == Kind::Int && two.kind() == Kind::Int {
        return Ok(one == two);
    }
    if let (Some(one), Some(two)) = (l.spelled_text(), r.spelled_text()) {
        return Ok(one == two);
    }
    match (l.kind(), r.kind()) {
        (K::Array, K::Array) | (K::Object, K::Object) => {
            if !(core::ptr::eq(l.document(), r.document()) && l.id() == r.id()) {
                open.push((l, r));
            }
            Ok(true)
        }
        (K::Bool | K::Int | K::Float, K::Bool | K::Int | K::Float) => {
            Ok(same_number(number(l)?, number(r)?))
        }
        (K::Text, K::Text) | (K::Name, K::Name) => {
            let (mut one, mut two) = (Vec::new(), Vec::new());
            Ok(l.text(&mut one)? == r.text(&mut two)?)
        }
        (K::Bytes, K::Bytes) => {
            let (one, two) = (l.document().source(), r.document().source());
            let (mut left, mut right) = (Vec::new(), Vec::new());
            let same = one.bytes(l.token(), &mut left)? == two.bytes(r.token(), &mut right)?;
            Ok(same && l.tags() == r.tags())
        }
        (K::Time, K::Time) => {
            let (one, two) = (moment(l)?, moment(r)?);
            Ok(one == two)
        }
        (one, two) => Ok(one == two),
    }
}

/// A point in time, or the date or time of day that is none.
fn moment(value: ValueRef<'_>) -> Result<(Option<Instant>, Option<Time>)> {
    let source = value.document().source();
    if value.token().variant() == variant::EPOCH {
        return Ok((Some(source.instant(value.token())?), None));
    }
    let time = source.time(value.token())?;
    match Instant::from_time(&time) {
        Some(point) => Ok((Some(point), None)),
        None => Ok((None, Some(time))),
    }
}

/// A number as its document reads it.
enum Read<'a> {
    Int(Int<'a>),
    Float(f64),
    /// By its spelling.
    Decimal(Cow<'a, str>),
    /// Out of the range of what it would be read as: equal to its own spelling only.
    Unread(Cow<'a, str>),
}

fn number(value: ValueRef<'_>) -> Result<Read<'_>> {
    if let Some(truth) = value.bool() {
        return Ok(Read::Int(Int::I64(i64::from(truth))));
    }
    let token = value.token();
    let options = value.document().options();
    let decimal = token.variant() == variant::REAL_DECIMAL;
    if token.kind() == Kind::Real && (decimal || token.variant() == variant::REAL_TEXT) {
        let text = value.number_text()?;
        if !options.reads_real(&text) {
            return Ok(Read::Unread(text));
        }
        if decimal || options.decimals() {
            return Ok(Read::Decimal(text));
        }
    }
    match value.number() {
        Ok(Number::Int(int)) => Ok(Read::Int(int)),
        Ok(Number::Float(float)) => Ok(Read::Float(float)),
        // Its digits are not made, but its bytes say which number it is.
        Err(error) if error.code() == ErrorCode::DigitsLimit => {
            Ok(Read::Unread(format!("{:02x?}", value.raw()).into()))
        }
        Err(error) => Err(error),
    }
}

/// Whether a value is a number that its document cannot read, for its range or its digits.
///
/// # Errors
/// A syntax error where values were not checked when they were read.
pub fn unreadable(value: ValueRef<'_>) -> Result<bool> {
    if !matches!(value.token().kind(), Kind::Int | Kind::Real) || value.token().is_owned() {
        return Ok(false);
    }
    Ok(match number(value)? {
        Read::Unread(_) => true,
        Read::Int(Int::Big(digits)) => {
            let most = value.document().options().digits();
            most.is_some_and(|most| digits.trim_start_matches('-').len() > most as usize)
        }
        _ => false,
    })
}

/// Equality of numbers of any kind, exact: none is rounded to be compared.
fn same_number(left: Read<'_>, right: Read<'_>) -> bool {
    use Read as R;
    match (left, right) {
        (R::Unread(one), R::Unread(two) | R::Decimal(two)) | (R::Decimal(one), R::Unread(two)) => {
            one == two
        }
        (R::Unread(_), _) | (_, R::Unread(_)) => false,
        (R::Float(left), R::Float(right)) => left == right,
        (R::Int(left), R::Int(right)) => left == right,
        (R::Decimal(left), R::Decimal(right)) => decimal::equal(&left, &right),
        (R::Decimal(text), R::Float(float)) | (R::Float(float), R::Decimal(text)) => {
            decimal::equals_float(&text, float)
        }
        (R::Decimal(text), R::Int(int)) | (R::Int(int), R::Decimal(text)) => match int {
            Int::I64(value) => decimal::equal(&text, &value.to_string()),
            Int::U64(value) => decimal::equal(&text, &value.to_string()),
            Int::Big(digits) => decimal::equal(&text, &digits),
        },
        (R::Int(int), R::Float(float)) | (R::Float(float), R::Int(int)) => {
            if float.fract() != 0.0 || !float.is_finite() {
                return false;
            }
            match int {
                // Within these bounds the cast is exact: the float is whole.
                Int::I64(value) => {
                    (-(2_f64.powi(63))..2_f64.powi(63)).contains(&float) && float as i64 == value
                }
                Int::U64(value) => (0.0..2_f64.powi(64)).contains(&float) && float as u64 == value,
                Int::Big(digits) => {
                    float.abs() >= 2_f64.powi(63) && format!("{float:.0}") == digits
                }
            }
        }
    }
}

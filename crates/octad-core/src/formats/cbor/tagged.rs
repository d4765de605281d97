//! Tags that make another value of what stands under them: big numbers, decimals, dates, UUIDs.
//!
//! Such a value is one token, located with its tag. It is checked when it is read, so decoding it
//! later cannot fail; a date beyond the years 0 to 9999, or a number of too many digits, stays what
//! it is under its tag.

use crate::error::{Error, ErrorCode, Result, quote};
use crate::text::instant::Instant;
use crate::text::time::{Date, Time};
use crate::token::{Kind, variant};

use super::half::{half_to_double, single_to_double};
use super::head::{ARRAY, BREAK, BYTES, MAP, NEGATIVE, OTHER, TAG, TEXT, UNSIGNED, content, head};
use super::whole::{Fraction, TAG_NEGATIVE, TAG_POSITIVE, Whole, whole};

/// Date and time as RFC 3339 text.
pub const DATE_TIME: u64 = 0;
/// Seconds from 1970.
pub const EPOCH: u64 = 1;
/// A whole number times a power of ten.
pub const DECIMAL: u64 = 4;
/// A whole number times a power of two.
pub const BIGFLOAT: u64 = 5;
/// Sixteen bytes.
pub const UUID: u64 = 37;
/// Days from 1970 (RFC 8943).
pub const DAYS: u64 = 100;
/// A date as RFC 3339 text (RFC 8943).
pub const DATE: u64 = 1004;
/// Tells that CBOR follows.
pub const SELF_DESCRIBED: u64 = 55_799;

/// A value that a tag makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Typed {
    /// The kind of its token.
    pub kind: Kind,
    /// And the variant.
    pub variant: u8,
    /// What its token locates.
    pub from: usize,
    /// The offset after that, and after the item.
    pub end: usize,
}

/// The value that the tag at `start` makes of the item at `at`. None where it makes none, or where
/// the item is not well-formed, which whoever reads on will notice.
///
/// # Errors
/// `invalid-tag`: the item is none that may stand under this tag.
pub fn typed(
    input: &[u8],
    number: u64,
    (start, at): (usize, usize),
    digits: Option<u32>,
) -> Result<Option<Typed>> {
    let Ok(first) = head(input, at) else {
        return Ok(None);
    };
    if first.major == OTHER && first.is_open() {
        return Ok(None); // a break code
    }
    let wrong = |expected: &'static str| {
        Err(Error::at(ErrorCode::InvalidTag, at)
            .with("tag", number)
            .with("expected", expected)
            .with("found", describe(input, at)))
    };
    let one = |kind, variant, end| {
        Ok(Some(Typed {
            kind,
            variant,
            from: start,
            end,
        }))
    };
    let mut scratch = Vec::new();
    match number {
        DATE_TIME | DATE => {
            let expected = if number == DATE {
                "an RFC 3339 date"
            } else {
                "an RFC 3339 date and time with an offset"
            };
            if first.major != TEXT {
                return wrong(expected);
            }
            let Some(content) = content(input, at, TEXT) else {
                return Ok(None);
            };
            let text = content.bytes(input, &mut scratch);
            let kind = if number == DATE {
                Date::read(text).map(|_| variant::DATE)
            } else {
                let time = Time::read(text).filter(|time| time.offset.is_some());
                time.map(|_| variant::OFFSET_DATE_TIME)
            };
            match kind {
                Some(variant) => one(Kind::Time, variant, content.end),
                None => Err(Error::at(ErrorCode::InvalidTag, at)
                    .with("tag", number)
                    .with("expected", expected)
                    .with("found", quote(text))),
            }
        }
        EPOCH => {
            let end = at + usize::from(first.size);
            match epoch(input, at) {
                Epoch::Point(point) if point.to_utc().is_some() => {
                    one(Kind::Time, variant::EPOCH, end)
                }
                Epoch::Point(_) | Epoch::Far => Ok(None),
                Epoch::None => wrong("a finite number of seconds"),
            }
        }
        DAYS => match (first.major, days(input, at)) {
            (UNSIGNED | NEGATIVE, Some(_)) => {
                one(Kind::Time, variant::DATE, at + usize::from(first.size))
            }
            (UNSIGNED | NEGATIVE, None) => Ok(None),
            _ => wrong("a whole number of days"),
        },
        TAG_POSITIVE | TAG_NEGATIVE => match content(input, at, BYTES) {
            Some(content) => one(Kind::Int, variant::INT_BIG, content.end),
            None if first.major == BYTES => Ok(None),
            None => wrong("bytes"),
        },
        DECIMAL | BIGFLOAT => {
            const EXPECTED: &str = "a list of two whole numbers";
            match fraction(input, number, at) {
                Parts::Two(fraction, end) if literal(&fraction, digits).is_some() => {
                    one(Kind::Real, variant::REAL_DECIMAL, end)
                }
                Parts::Two(..) | Parts::Far | Parts::Broken => Ok(None),
                Parts::Other => wrong(EXPECTED),
            }
        }
        UUID => match content(input, at, BYTES) {
            Some(content) if content.chunked => Ok(None),
            Some(content) if content.range.len() == 16 => Ok(Some(Typed {
                kind: Kind::Bytes,
                variant: variant::UUID,
                from: content.range.start,
                end: content.end,
            })),
            None if first.major == BYTES => Ok(None),
            _ => wrong("sixteen bytes"),
        },
        _ => Ok(None),
    }
}

/// What the item at `at` is, for messages.
#[cold]
pub fn describe(input: &[u8], at: usize) -> &'static str {
    match head(input, at) {
        Ok(head) => match head.major {
            UNSIGNED | NEGATIVE => "an integer",
            BYTES => "bytes",
            TEXT => "text",
            ARRAY => "an array",
            MAP => "a map",
            TAG => "a tag",
            _ if head.is_open() => "a break code",
            _ if head.info >= 25 => "a float",
            _ => "a simple value",
        },
        Err(_) => "nothing that is CBOR",
    }
}

enum Epoch {
    Point(Instant),
    /// A number beyond the range of points in time.
    Far,
    None,
}

/// The point in time of the number at `at`. Floats are taken to the microsecond, which is as far as
/// those of our days reach.
fn epoch(input: &[u8], at: usize) -> Epoch {
    let Ok(head) = head(input, at) else {
        return Epoch::None;
    };
    let seconds = match head.major {
        UNSIGNED => i64::try_from(head.value).ok(),
        NEGATIVE => i64::try_from(head.value).ok().map(|value| -1 - value),
        _ => {
            let Some(value) = float(input, at).filter(|value| value.is_finite()) else {
                return Epoch::None;
            };
            let whole = value.floor();
            // So far away there is no fraction left, nor a date.
            if whole.abs() > 1e15 {
                return Epoch::Far;
            }
            let micros = ((value - whole) * 1e6).round_ties_even() as u32;
            return Epoch::Point(Instant {
                seconds: whole as i64 + i64::from(micros / 1_000_000),
                nano: micros % 1_000_000 * 1000,
            });
        }
    };
    match seconds {
        Some(seconds) => Epoch::Point(Instant { seconds, nano: 0 }),
        None => Epoch::Far,
    }
}

/// The float at `at`.
pub fn float(input: &[u8], at: usize) -> Option<f64> {
    let head = head(input, at).ok().filter(|head| head.major == OTHER)?;
    let bits = match head.info {
        25 => half_to_double(head.value as u16),
        26 => single_to_double(head.value as u32),
        27 => head.value,
        _ => return None,
    };
    Some(f64::from_bits(bits))
}

fn days(input: &[u8], at: usize) -> Option<Date> {
    let head = head(input, at).ok()?;
    let days = i64::try_from(head.value).ok()?;
    Date::from_days(if head.major == NEGATIVE {
        -1 - days
    } else {
        days
    })
}

enum Parts {
    Two(Fraction, usize),
    /// An exponent beyond any use.
    Far,
    /// Not well-formed.
    Broken,
    /// Something else.
    Other,
}

/// The two numbers in the list at `at`.
fn fraction(input: &[u8], number: u64, at: usize) -> Parts {
    let Ok(list) = head(input, at) else {
        return Parts::Broken;
    };
    if list.major != ARRAY || !(list.is_open() || list.value == 2) {
        return Parts::Other;
    }
    let from = at + usize::from(list.size);
    let exponent = match head(input, from) {
        Ok(head) if matches!(head.major, UNSIGNED | NEGATIVE) => head,
        Ok(_) => return Parts::Other,
        Err(_) => return Parts::Broken,
    };
    let second = from + usize::from(exponent.size);
    let Some((mantissa, mut end)) = whole(input, second) else {
        // What ends too early is no other value, but none.
        let starts = match head(input, second) {
            Ok(head) if head.major == TAG && matches!(head.value, TAG_POSITIVE | TAG_NEGATIVE) => {
                let under = self::head(input, second + usize::from(head.size));
                under.is_ok_and(|head| head.major != BYTES)
            }
            Ok(_) => true,
            Err(_) => false,
        };
        return if starts { Parts::Other } else { Parts::Broken };
    };
    if list.is_open() {
        match input.get(end) {
            Some(&BREAK) => end += 1,
            Some(_) => return Parts::Other,
            None => return Parts::Broken,
        }
    }
    let Ok(size) = i64::try_from(exponent.value) else {
        return Parts::Far;
    };
    let fraction = Fraction {
        mantissa,
        exponent: if exponent.major == NEGATIVE {
            -1 - size
        } else {
            size
        },
        binary: number == BIGFLOAT,
    };
    Parts::Two(fraction, end)
}

/// The exact literal of a fraction, where it has not too many digits and a decimal can hold it.
fn literal(fraction: &Fraction, digits: Option<u32>) -> Option<String> {
    /// Where nobody limits the digits, powers of two still have an end.
    const MOST: usize = 1 << 16;
    let most = digits.map_or(usize::MAX, |most| most as usize);
    let most = if fraction.binary {
        most.min(MOST)
    } else {
        most
    };
    let text = fraction.literal(most)?;
    crate::text::decimal::in_range(&text).then_some(text)
}

/// The literal of a decimal that was read: the item with its tag.
pub fn decimal_of(item: &[u8], digits: Option<u32>) -> Option<String> {
    let tag = head(item, 0).ok()?;
    match fraction(item, tag.value, usize::from(tag.size)) {
        Parts::Two(fraction, _) => literal(&fraction, digits),
        _ => None,
    }
}

/// The point in time of a count of seconds that was read: the item with its tag.
pub fn instant_of(item: &[u8]) -> Option<Instant> {
    let tag = head(item, 0).ok()?;
    match epoch(item, usize::from(tag.size)) {
        Epoch::Point(point) if tag.value == EPOCH => Some(point),
        _ => None,
    }
}

/// The date, or date and time, that was read: the item with its tag.
pub fn time_of(item: &[u8]) -> Option<Time> {
    let tag = head(item, 0).ok()?;
    let at = usize::from(tag.size);
    let mut scratch = Vec::new();
    let text = || content(item, at, TEXT);
    match tag.value {
        DAYS => days(item, at).map(date_alone),
        DATE => Date::read(text()?.bytes(item, &mut scratch)).map(date_alone),
        DATE_TIME => Time::read(text()?.bytes(item, &mut scratch)),
        _ => instant_of(item)?.to_utc(),
    }
}

fn date_alone(date: Date) -> Time {
    Time {
        date: Some(date),
        ..Time::default()
    }
}

/// The whole number that was read: the item, with its tag where it has one.
pub fn whole_of(item: &[u8]) -> Option<Whole> {
    whole(item, 0).map(|(value, _)| value)
}

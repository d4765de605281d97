//! Single values: text, numbers, truth, bytes, identifiers, tables of values.

use octad_core::error::{Error, ErrorCode};
use octad_core::formats::json::{A_DECIMAL, A_DOUBLE, overflow};
use octad_core::source::{Int, Source, Text};
use octad_core::text::base64::{self, Alphabet};
use octad_core::text::float;
use octad_core::token::{Kind, Token, TokenId, variant};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyMemoryView};

use super::Runner;
use super::fault::{Flaw, Words};
use crate::cpython::{Obj, number, str};
use crate::load::{digits, exact};
use crate::plan::{BytesForm, BytesKind, NodeId, Table, Wire};

impl<'a, S: Source> Runner<'a, '_, S> {
    #[inline(always)]
    pub(super) fn text(&mut self, token: Token, id: TokenId, place: u16) -> Option<Obj> {
        if let Some(made) = self.base.plain(token, place) {
            return self.made(made);
        }
        self.rare_text(token, id)
    }

    #[inline(never)]
    fn rare_text(&mut self, token: Token, id: TokenId) -> Option<Obj> {
        if matches!(token.kind(), Kind::Text | Kind::Name) {
            let made = self.base.rare_text(token, id);
            return self.untyped(made);
        }
        self.wrong("text", id)
    }

    pub(super) fn none(&mut self, token: Token, id: TokenId) -> Option<Obj> {
        if is_null(token) {
            return Some(number::none(self.base.py));
        }
        self.wrong("null", id)
    }

    #[inline]
    pub(super) fn bool(&mut self, token: Token, id: TokenId) -> Option<Obj> {
        match truth(token) {
            Some(truth) => Some(number::bool(self.base.py, truth)),
            None => self.wrong("a boolean", id),
        }
    }

    #[inline]
    pub(super) fn int(&mut self, from_text: bool, token: Token, id: TokenId) -> Option<Obj> {
        if token.kind() == Kind::Int {
            let made = if token.is_owned() {
                number::int(self.base.py, token.int_value())
            } else {
                return self.big_int(token, id);
            };
            return self.made(made);
        }
        if from_text && is_text(token) {
            return self.int_from_text(token, id);
        }
        self.wrong("an integer", id)
    }

    #[inline(never)]
    fn big_int(&mut self, token: Token, id: TokenId) -> Option<Obj> {
        let made = self.base.scalar(token, id);
        self.untyped(made)
    }

    #[inline]
    pub(super) fn float(&mut self, from_text: bool, token: Token, id: TokenId) -> Option<Obj> {
        let value = match token.kind() {
            Kind::Real59 => token.real59_value(),
            Kind::Int if token.is_owned() => token.int_value() as f64,
            Kind::Int | Kind::Real => self.located_float(token, id)?,
            _ if from_text && is_text(token) => return self.float_from_text(token, id),
            _ => return self.wrong("a number", id),
        };
        let made = number::float(self.base.py, value);
        self.made(made)
    }

    fn located_float(&mut self, token: Token, id: TokenId) -> Option<f64> {
        let source = self.base.source;
        let value = if token.kind() == Kind::Real {
            source.real(token)
        } else {
            source.decimal(token).map(|text| float::parse(&text))
        };
        let special = token.kind() == Kind::Real && token.variant() == variant::REAL_SPECIAL;
        match value {
            Ok(value) if value.is_finite() || special => Some(value),
            Ok(value) if self.base.rules.overflow_is_infinite => Some(value),
            Ok(_) => {
                let error = source.decimal(token).map(|text| overflow(&text, A_DOUBLE));
                self.error(error.unwrap_or_else(|error| error), id)
            }
            Err(error) => self.error(error, id),
        }
    }

    /// The text of a token, decoded.
    pub(super) fn decoded(&mut self, token: Token, id: TokenId) -> Option<Vec<u8>> {
        match self.base.source.text(token, &mut self.base.scratch) {
            Ok(text) => Some(text.bytes().to_vec()),
            Err(error) => self.error(error, id),
        }
    }

    /// Runs something on the text of a token.
    pub(super) fn with_text<R>(
        &mut self,
        token: Token,
        id: TokenId,
        work: impl FnOnce(&[u8]) -> R,
    ) -> Option<R> {
        if let Some((bytes, length)) = self.base.source.plain_text(token) {
            return Some(work(bytes.get(..length).unwrap_or(bytes)));
        }
        match self.base.source.text(token, &mut self.base.scratch) {
            Ok(text) => Some(work(text.bytes())),
            Err(error) => self.error(error, id),
        }
    }

    pub(super) fn int_from_text(&mut self, token: Token, id: TokenId) -> Option<Obj> {
        let text = self.decoded(token, id)?;
        let Some(text) = whole_number(&text) else {
            return self.invalid(Words::Are("an integer"), id);
        };
        let size = text.trim_start_matches('-').len();
        if let Some(limit) = self
            .base
            .rules
            .digits
            .filter(|limit| size > *limit as usize)
        {
            return self.error(digits::too_many(size, limit), id);
        }
        let value = match (text.parse::<i64>(), text.parse::<u64>()) {
            (Ok(value), _) => Int::I64(value),
            (_, Ok(value)) => Int::U64(value),
            _ => Int::Big(text.into()),
        };
        let made = number::any_int(self.base.py, value);
        self.python(made)
    }

    pub(super) fn float_from_text(&mut self, token: Token, id: TokenId) -> Option<Obj> {
        let text = self.decoded(token, id)?;
        let Some(text) = any_number(&text) else {
            return self.invalid(Words::Are("a number"), id);
        };
        let value = float::parse(text);
        if value.is_infinite() && !self.base.rules.overflow_is_infinite {
            return self.error(overflow(text, A_DOUBLE), id);
        }
        let made = number::float(self.base.py, value);
        self.made(made)
    }

    pub(super) fn decimal(&mut self, token: Token, id: TokenId) -> Option<Obj> {
        let text = match token.kind() {
            Kind::Int if token.is_owned() => token.int_value().to_string(),
            Kind::Real59 => token.real59_value().to_string(),
            Kind::Int | Kind::Real => match self.base.source.decimal(token) {
                Ok(text) => text.into_owned(),
                Err(error) => return self.error(error, id),
            },
            _ if is_text(token) => {
                let text = self.decoded(token, id)?;
                let named = self.base.rules.named_decimals;
                match decimal_text(&text) {
                    Some(text) if named || is_finite(text) => text.to_owned(),
                    _ => return self.invalid(Words::Are("a number"), id),
                }
            }
            _ => return self.wrong("a number", id),
        };
        let made = exact::decimal(self.base.py, &text);
        match self.python(made)? {
            Some(made) => Some(Obj::take(made)),
            None => self.error(overflow(&text, A_DECIMAL), id),
        }
    }

    pub(super) fn bytes(
        &mut self,
        kind: BytesKind,
        form: BytesForm,
        token: Token,
        id: TokenId,
    ) -> Option<Obj> {
        let bytes = match token.kind() {
            Kind::Bytes => match self.base.source.slice(token) {
                Some(bytes) => bytes.to_vec(),
                None => return self.wrong("bytes", id),
            },
            Kind::List if matches!(form, BytesForm::Array | BytesForm::Any) => {
                self.numbers(token, id)?
            }
            _ if is_text(token) && form != BytesForm::Array => {
                let decoded = self.with_text(token, id, |text| from_text(text, form))?;
                match decoded {
                    Some(bytes) => bytes,
                    None => return self.invalid(Words::Are(form_in_words(form)), id),
                }
            }
            _ => return self.wrong(form_in_words(form), id),
        };
        let py = self.base.py;
        let made = match kind {
            BytesKind::Bytes => return Some(self.new_bytes(&bytes)),
            BytesKind::ByteArray => Ok(PyByteArray::new(py, &bytes).into_any()),
            BytesKind::MemoryView => {
                let bytes = self.new_bytes(&bytes).into_bound(py);
                PyMemoryView::from(&bytes).map(Bound::into_any)
            }
        };
        self.python(made).map(Obj::take)
    }

    /// The number of a value's result in a table; Some(None) where it has none.
    pub(super) fn find(&mut self, table: &Table, token: Token, id: TokenId) -> Option<Option<u32>> {
        if let Some((bytes, length)) = self.base.source.plain_text(token) {
            return Some(table.find_text(bytes, length));
        }
        let found = wire(self.base.source, &mut self.base.scratch, token);
        match found.map(|wire| wire.and_then(|wire| table.find(wire))) {
            Ok(found) => Some(found),
            Err(error) => self.error(error, id),
        }
    }

    pub(super) fn table(
        &mut self,
        node: NodeId,
        table: &'a Table,
        token: Token,
        id: TokenId,
    ) -> Option<Obj> {
        if let Some(found) = self.find(table, token, id)?
            && let Some(result) = table.result(found)
        {
            return Some(Obj::from_bound(result.bind(self.base.py)));
        }
        if let Some(fallback) = &table.fallback {
            let raw = self.any(id)?;
            let py = self.base.py;
            let made = fallback.bind(py).call1((raw.into_bound(py),));
            return self.called(made, Words::Node(node), id);
        }
        if token.is_container() {
            let flaw = Flaw::new(ErrorCode::WrongType, Words::Node(node));
            return self.flaw(flaw, id);
        }
        self.invalid(Words::Node(node), id)
    }

    pub(super) fn any(&mut self, id: TokenId) -> Option<Obj> {
        let made = self.base.tree(id);
        self.untyped(made)
    }

    pub(super) fn uuid(&mut self, token: Token, id: TokenId) -> Option<Obj> {
        if !is_text(token) {
            return self.wrong("a UUID", id);
        }
        let found = self.with_text(token, id, uuid_value)?;
        self.uuid_of(found, id)
    }

    /// The UUID of a number.
    pub(super) fn uuid_of(&mut self, value: Option<u128>, id: TokenId) -> Option<Obj> {
        let Some(value) = value else {
            return self.invalid(Words::Are("a UUID"), id);
        };
        let made = super::make::uuid(self.base.py, value);
        self.python(made)
    }

    /// A str of bytes that have been read as text.
    pub(super) fn str_of(&mut self, bytes: &[u8]) -> Option<Obj> {
        let made = str::utf8(self.base.py, bytes);
        self.made(made)
    }
}

/// A value as tables have it; None for containers.
fn wire<'t, S: Source>(
    source: &'t S,
    scratch: &'t mut Vec<u8>,
    token: Token,
) -> Result<Option<Wire<'t>>, Error> {
    Ok(Some(match token.kind() {
        Kind::Simple => match truth(token) {
            Some(truth) => Wire::Bool(truth),
            None if is_null(token) => Wire::Null,
            None => return Ok(None),
        },
        Kind::Int if token.is_owned() => Wire::Int(token.int_value()),
        Kind::Int => match source.int(token)? {
            Int::I64(value) => Wire::Int(value),
            _ => {
                scratch.clear();
                scratch.extend_from_slice(source.decimal(token)?.as_bytes());
                Wire::Big(core::str::from_utf8(scratch).unwrap_or_default())
            }
        },
        Kind::Real59 => Wire::Float(token.real59_value()),
        Kind::Real => Wire::Float(source.real(token)?),
        Kind::Text | Kind::Name => match source.text(token, scratch)? {
            Text::Ascii(bytes) | Text::Utf8(bytes) => Wire::Text(bytes),
            Text::Valid(text) => Wire::Text(text.as_bytes()),
        },
        _ => return Ok(None),
    }))
}

/// Text of any sort.
#[inline]
pub(super) fn is_text(token: Token) -> bool {
    matches!(token.kind(), Kind::Text | Kind::Name)
}

pub(super) fn is_null(token: Token) -> bool {
    token.kind() == Kind::Simple && token.variant() == variant::NULL
}

#[inline]
pub(super) fn truth(token: Token) -> Option<bool> {
    if token.kind() != Kind::Simple {
        return None;
    }
    match token.variant() {
        variant::TRUE => Some(true),
        variant::FALSE => Some(false),
        _ => None,
    }
}

fn form_in_words(form: BytesForm) -> &'static str {
    match form {
        BytesForm::Base64 => "text in base64",
        BytesForm::Base64Url => "text in base64url",
        BytesForm::Hex => "text in hexadecimal digits",
        BytesForm::Array => "an array of numbers from 0 to 255",
        BytesForm::Any => "text in base64, or an array of numbers from 0 to 255",
    }
}

fn from_text(text: &[u8], form: BytesForm) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    match form {
        BytesForm::Base64 => base64::decode(text, Alphabet::Standard, &mut out).ok()?,
        BytesForm::Base64Url => base64::decode(text, Alphabet::Url, &mut out).ok()?,
        BytesForm::Hex => {
            let (pairs, []) = text.as_chunks::<2>() else {
                return None;
            };
            for pair in pairs {
                let digit = |byte: u8| (byte as char).to_digit(16);
                out.push((digit(pair[0])? << 4 | digit(pair[1])?) as u8);
            }
        }
        BytesForm::Array => return None,
        BytesForm::Any => {
            if base64::decode(text, Alphabet::Standard, &mut out).is_err() {
                out.clear();
                base64::decode(text, Alphabet::Url, &mut out).ok()?;
            }
        }
    }
    Some(out)
}

/// A whole number as JSON writes it.
pub(super) fn whole_number(text: &[u8]) -> Option<&str> {
    let text = core::str::from_utf8(text).ok()?;
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && (digits.len() == 1 || !digits.starts_with('0'));
    plain.then_some(text)
}

/// A number as JSON writes it.
pub(super) fn any_number(text: &[u8]) -> Option<&str> {
    let text = core::str::from_utf8(text).ok()?;
    let rest = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (rest, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let exponent = exponent.map(|text| text.strip_prefix(['+', '-']).unwrap_or(text));
    let fits = whole_number(whole.as_bytes()).is_some_and(|text| !text.starts_with('-'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(digits);
    fits.then_some(text)
}

/// Whether the text of a decimal is that of a finite one.
fn is_finite(text: &str) -> bool {
    !text.ends_with(['N', 'y'])
}

/// A number as `decimal.Decimal` writes it.
fn decimal_text(text: &[u8]) -> Option<&str> {
    let text = core::str::from_utf8(text).ok()?;
    let number = text.strip_prefix(['+', '-']).unwrap_or(text);
    if matches!(number, "NaN" | "Infinity") {
        return Some(text);
    }
    let (mantissa, exponent) = match number.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent),
        None => (number, "0"),
    };
    let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let fits = digits(whole)
        && digits(fraction)
        && digits(exponent)
        && !exponent.is_empty()
        && whole.len() + fraction.len() > 0;
    fits.then_some(text)
}

/// The number of a UUID with hyphens or without.
pub(super) fn uuid_value(text: &[u8]) -> Option<u128> {
    let mut value = 0_u128;
    let mut digits = 0;
    let hyphens = text.len() == 36;
    if !hyphens && text.len() != 32 {
        return None;
    }
    for (at, byte) in text.iter().enumerate() {
        if hyphens && matches!(at, 8 | 13 | 18 | 23) {
            if *byte != b'-' {
                return None;
            }
            continue;
        }
        let digit = (*byte as char).to_digit(16)?;
        value = value << 4 | u128::from(digit);
        digits += 1;
    }
    (digits == 32).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::{any_number, decimal_text, uuid_value, whole_number};

    #[test]
    fn numbers_in_text_have_the_grammar_of_json() {
        for text in ["0", "-0", "12", "-12"] {
            assert_eq!(whole_number(text.as_bytes()), Some(text));
        }
        for text in ["", "-", "01", "+1", "1.0", " 1", "1_0", "١"] {
            assert_eq!(whole_number(text.as_bytes()), None, "{text}");
        }
        for text in ["0", "-0.0", "1e5", "1.5E-7", "12.50"] {
            assert_eq!(any_number(text.as_bytes()), Some(text));
        }
        for text in ["", ".5", "1.", "1e", "--1", "1e+-1", "NaN", "0x1", "1e5.0"] {
            assert_eq!(any_number(text.as_bytes()), None, "{text}");
        }
        for text in [".5", "5.", "+1", "NaN", "-Infinity", "007", "1E+3"] {
            assert_eq!(decimal_text(text.as_bytes()), Some(text));
        }
        for text in ["", ".", "1e", " 1", "1_0", "nan", "e5"] {
            assert_eq!(decimal_text(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn a_uuid_has_hyphens_at_their_places_or_none() {
        let value = 0x1234_5678_1234_5678_1234_5678_1234_5678;
        for text in [
            "12345678-1234-5678-1234-567812345678",
            "12345678123456781234567812345678",
        ] {
            assert_eq!(uuid_value(text.as_bytes()), Some(value));
        }
        for text in [
            "",
            "{12345678-1234-5678-1234-567812345678}",
            "1234567-81234-5678-1234-567812345678",
            "1234567812345678123456781234567g",
            "12345678-1234-5678-1234-56781234567",
        ] {
            assert_eq!(uuid_value(text.as_bytes()), None, "{text}");
        }
    }
}

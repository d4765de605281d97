//! What a key is: the text it has or would have, and what it is compared by.
//!
//! Most maps have texts for keys; in a binary format a key may be any value. Numbers and truths are
//! one key where Python takes them for one: `1`, `1.0` and `true`.

use std::borrow::Cow;

use super::{Number, ValueKind, ValueRef};
use crate::error::{Error, ErrorCode, Result};
use crate::source::{Int, Source};
use crate::text::float;
use crate::token::Kind;

impl<'d> ValueRef<'d> {
    /// TEXT, NAME or SHORT.
    #[must_use]
    pub fn is_text(self) -> bool {
        matches!(self.token().kind(), Kind::Text | Kind::Name | Kind::Short)
    }

    /// The text of this value as a key: itself, or as it would be written as a value of JSON.
    ///
    /// # Errors
    /// `key-type` for what has no such text, `not-finite` for a float that is no number.
    pub fn key_text(self) -> Result<String> {
        if self.is_text() {
            let mut scratch = Vec::new();
            let text = self.key_bytes(&mut scratch);
            return Ok(String::from_utf8_lossy(&text).into_owned());
        }
        Ok(match self.kind() {
            ValueKind::Null => "null".to_owned(),
            ValueKind::Bool => self.bool().unwrap_or_default().to_string(),
            ValueKind::Int | ValueKind::Float => match self.number()? {
                Number::Int(Int::I64(value)) => value.to_string(),
                Number::Int(Int::U64(value)) => value.to_string(),
                Number::Int(Int::Big(digits)) => digits.into_owned(),
                Number::Float(value) if value.is_finite() => {
                    let mut out = Vec::new();
                    float::write_repr(value, &mut out);
                    String::from_utf8_lossy(&out).into_owned()
                }
                Number::Float(value) => {
                    return Err(Error::new(ErrorCode::NotFinite).with("value", value));
                }
            },
            ValueKind::Time => {
                let time = self.document().source().time(self.token())?;
                let mut out = Vec::new();
                time.write(&mut out);
                String::from_utf8_lossy(&out).into_owned()
            }
            _ => return Err(self.no_key()),
        })
    }

    #[cold]
    fn no_key(self) -> Error {
        Error::new(ErrorCode::KeyType)
            .with("expected", "a key that has a text")
            .with("type", self.kind().described())
    }

    /// The name of this key in a path: its text, or the bytes of it in hexadecimal digits.
    #[must_use]
    pub fn key_name(self) -> String {
        self.key_text().unwrap_or_else(|_| {
            let bytes = self.encoded();
            if let Some(shown) = self.document().options().shown(bytes) {
                return shown;
            }
            let shown = &bytes[..bytes.len().min(crate::error::EXCERPT / 2)];
            shown.iter().map(|byte| format!("{byte:02x}")).collect()
        })
    }

    /// What this key is compared by: equal keys of one map have equal bytes. That of a text is the
    /// text; those of others begin with a byte that no text has.
    #[must_use]
    pub fn key_identity(self) -> Vec<u8> {
        let mut scratch = Vec::new();
        self.key_compared(&mut scratch).into_owned()
    }

    pub(super) fn key_compared<'a>(self, scratch: &'a mut Vec<u8>) -> Cow<'a, [u8]>
    where
        'd: 'a,
    {
        if self.is_text() {
            return self.key_bytes(scratch);
        }
        let number = |value: f64| match value.fract() == 0.0 && value.is_finite() {
            true => format!("{value:.0}"),
            false => value.to_string(),
        };
        let (sort, body) = match self.kind() {
            ValueKind::Null => (b'0', Vec::new()),
            ValueKind::Undefined => (b'u', Vec::new()),
            ValueKind::Bool => {
                let digit = u8::from(self.bool().unwrap_or_default()) + b'0';
                (b'n', vec![digit])
            }
            ValueKind::Int | ValueKind::Float => {
                let text = match self.number() {
                    Ok(Number::Int(Int::I64(value))) => value.to_string(),
                    Ok(Number::Int(Int::U64(value))) => value.to_string(),
                    Ok(Number::Int(Int::Big(digits))) => digits.into_owned(),
                    // Both zeros are one number.
                    Ok(Number::Float(value)) => number(value + 0.0),
                    Err(_) => String::new(),
                };
                (b'n', text.into_bytes())
            }
            ValueKind::Bytes => {
                let mut held = Vec::new();
                let source = self.document().source();
                let bytes = source.bytes(self.token(), &mut held).unwrap_or_default();
                (b'b', bytes.to_vec())
            }
            _ => (b'v', self.encoded().to_vec()),
        };
        let mut identity = vec![0xFF, sort];
        // Tags make another key of the same value.
        for tag in self.tags() {
            identity.extend_from_slice(&tag.bits().to_le_bytes());
        }
        identity.extend_from_slice(&body);
        Cow::Owned(identity)
    }
}

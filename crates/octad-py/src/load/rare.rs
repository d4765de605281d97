//! The values that documents seldom have: text that is not plain, numbers that fit no token.
//!
//! Apart from the loops of `untyped.rs`, which shall have the registers for themselves.

use octad_core::error::Error;
use octad_core::formats::json::{A_DECIMAL, A_DOUBLE, overflow};
use octad_core::source::{Int, Source, Text};
use octad_core::token::{Kind, Token, TokenId, variant};
use pyo3::prelude::*;

use super::untyped::{Builder, short_tape};
use super::{digits, exact};
use crate::cpython::{Obj, number, str};
use crate::options::Floats;

impl<S: Source> Builder<'_, '_, S> {
    /// Text with escapes or beyond ASCII.
    #[inline(never)]
    pub(super) fn rare_text(&mut self, token: Token, id: TokenId) -> Option<Obj> {
        match self.source.text(token, &mut self.scratch) {
            Ok(Text::Ascii(bytes)) => self.strings.ascii(bytes, bytes.len()),
            Ok(Text::Valid(text)) => str::text(self.py, text),
            Ok(Text::Utf8(bytes)) => str::utf8(self.py, bytes),
            Err(error) => self.fail(error, id),
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn rare(&mut self, token: Token, id: TokenId) -> Option<Obj> {
        match self.rare_value(token, id) {
            Ok(made) => made,
            Err(error) => self.fail(error, id),
        }
    }

    fn rare_value(&mut self, token: Token, id: TokenId) -> Result<Option<Obj>, Error> {
        let py = self.py;
        match token.kind() {
            Kind::Int => {
                let whole = self.source.int(token)?;
                if let (Int::Big(digits), Some(limit)) = (&whole, self.rules.digits) {
                    let size = digits.trim_start_matches('-').len();
                    if size > limit as usize {
                        return Err(digits::too_many(size, limit));
                    }
                }
                Ok(self.raised(number::any_int(py, whole)))
            }
            Kind::Real if token.variant() != variant::REAL_SPECIAL => {
                if self.rules.floats == Floats::Decimal {
                    let text = self.source.decimal(token)?;
                    return match exact::decimal(py, &text) {
                        Ok(Some(made)) => Ok(Some(Obj::from_bound(&made))),
                        Ok(None) => Err(overflow(&text, A_DECIMAL)),
                        Err(error) => Ok(self.raised(Err(error))),
                    };
                }
                let real = self.source.real(token)?;
                if real.is_infinite() && !self.rules.overflow_is_infinite {
                    return Err(overflow(&self.source.decimal(token)?, A_DOUBLE));
                }
                Ok(number::float(py, real))
            }
            Kind::Real => Ok(number::float(py, self.source.real(token)?)),
            Kind::Short => {
                let (bytes, length) = token.short_value();
                Ok(str::ascii(py, &bytes[..length.min(7)]))
            }
            _ => Err(short_tape(id)),
        }
    }

    /// Keeps an exception for the caller.
    fn raised(&mut self, made: PyResult<Obj>) -> Option<Obj> {
        made.map_err(|error| self.trouble = Some(error.into())).ok()
    }
}

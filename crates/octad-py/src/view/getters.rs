//! `as_int`, `as_float` and so on: a value of the type that was asked for, or an error that says
//! what was found instead.

use octad_core::doc::{Number, ValueKind, ValueRef};
use octad_core::error::{Error, ErrorCode};
use octad_core::formats::json::{A_DECIMAL, overflow};
use octad_core::source::Int;
use octad_core::text::base64::{self, Alphabet};
use octad_core::token::{Kind, variant};
use pyo3::Borrowed;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyFloat, PyType};

use super::element::Element;
use super::value;
use crate::load::exact;

/// An argument that may be left out, where None is an argument too.
pub enum Default<'py> {
    /// Left out.
    None,
    /// Given.
    Given(Bound<'py, PyAny>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Default<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        Ok(Self::Given(object.to_owned()))
    }
}

/// What a getter is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// A whole number.
    Int,
    /// A number, as a float.
    Float,
    /// Text.
    Str,
    /// A bool.
    Bool,
    /// Base64 text.
    Bytes,
    /// A number, as a Decimal.
    Decimal,
}

impl Wanted {
    fn described(self) -> &'static str {
        match self {
            Self::Int => "an integer",
            Self::Float | Self::Decimal => "a number",
            Self::Str => "text",
            Self::Bool => "a bool",
            Self::Bytes => "base64 text",
        }
    }

    fn fits(self, kind: ValueKind) -> bool {
        use ValueKind as K;
        match self {
            Self::Int => kind == K::Int,
            Self::Float | Self::Decimal => matches!(kind, K::Int | K::Float),
            Self::Str | Self::Bytes => kind == K::Text,
            Self::Bool => kind == K::Bool,
        }
    }
}

/// Why there is no value to give.
enum Missing {
    /// The default stands in, or this error is raised.
    Misfit(Error),
    /// Raised in any case.
    Failure(PyErr),
}

impl From<PyErr> for Missing {
    fn from(error: PyErr) -> Self {
        Self::Failure(error)
    }
}

/// The value, the default, or an error.
///
/// # Errors
/// `KindError`, `RangeError`; `DecodeError` for a value that was not checked yet.
pub fn get<'py>(
    py: Python<'py>,
    element: &Element,
    wanted: Wanted,
    default: Default<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let core = element.core(py)?;
    let document = element.document.get();
    let id = element.id;
    let value = core.value(id);
    let read = || -> Result<Bound<'py, PyAny>, Missing> {
        if !wanted.fits(value.kind()) {
            return Err(Missing::Misfit(Error::new(ErrorCode::WrongKind)));
        }
        let fail = |error: Error| Missing::Failure(document.raise(py, &core, &error));
        match wanted {
            Wanted::Int | Wanted::Str | Wanted::Bool => {
                let token = core.tape().get(id);
                Ok(value::scalar(py, document, &core, id, token)?)
            }
            Wanted::Float => {
                let number = value.number().map_err(fail)?;
                let infinite = core.options().overflow_is_infinite();
                float(py, value, number, infinite)
            }
            Wanted::Decimal => Ok(decimal(py, value).map_err(|error| match error {
                Ok(error) => error,
                Err(error) => document.raise(py, &core, &value.placed(error)),
            })?),
            Wanted::Bytes => {
                let mut scratch = Vec::new();
                let text = value.text(&mut scratch).map_err(fail)?;
                bytes(py, &text)
            }
        }
    };
    match (read(), default) {
        (Ok(found), _) => Ok(found),
        (Err(Missing::Failure(error)), _) => Err(error),
        (Err(Missing::Misfit(_)), Default::Given(default)) => Ok(default),
        (Err(Missing::Misfit(error)), Default::None) => {
            let error = match error.code() {
                ErrorCode::WrongKind if error.detail("actual").is_none() => {
                    value.wrong_kind(wanted.described())
                }
                _ => value.placed(error),
            };
            Err(document.raise(py, &core, &error))
        }
    }
}

/// `infinite`: a number with a fraction or exponent may be an infinity.
fn float<'py>(
    py: Python<'py>,
    element: ValueRef<'_>,
    number: Number<'_>,
    infinite: bool,
) -> Result<Bound<'py, PyAny>, Missing> {
    let (value, text) = match number {
        Number::Float(value) if value.is_infinite() && !infinite && !is_word(element) => {
            (value, element.number_text().ok())
        }
        Number::Float(value) => (value, None),
        Number::Int(Int::I64(value)) => (value as f64, None),
        Number::Int(Int::U64(value)) => (value as f64, None),
        Number::Int(Int::Big(digits)) => (digits.parse().unwrap_or(f64::INFINITY), Some(digits)),
    };
    match text {
        Some(digits) if value.is_infinite() => {
            let error = Error::new(ErrorCode::OutOfRange)
                .with("expected", "a float")
                .with("value", octad_core::error::quote(digits.as_bytes()));
            Err(Missing::Misfit(error))
        }
        _ => Ok(PyFloat::new(py, value).into_any()),
    }
}

/// One of the words `NaN` and `Infinity`.
fn is_word(value: ValueRef<'_>) -> bool {
    value.token().kind() == Kind::Real && value.token().variant() == variant::REAL_SPECIAL
}

fn decimal<'py>(
    py: Python<'py>,
    value: ValueRef<'_>,
) -> Result<Bound<'py, PyAny>, Result<PyErr, Error>> {
    static DECIMAL: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = DECIMAL.import(py, "decimal", "Decimal").map_err(Ok)?;
    let token = value.token();
    if token.is_owned() {
        return match value.number().map_err(Err)? {
            Number::Int(Int::I64(whole)) => class.call1((whole,)),
            Number::Float(real) => class.call1((real,)),
            Number::Int(_) => class.call1((0,)),
        }
        .map_err(Ok);
    }
    let text = value.number_text().map_err(Err)?;
    if is_word(value) {
        return class.call1((text,)).map_err(Ok);
    }
    let made = exact::decimal(py, &text).map_err(Ok)?;
    made.ok_or_else(|| Err(overflow(&text, A_DECIMAL)))
}

fn bytes<'py>(py: Python<'py>, text: &[u8]) -> Result<Bound<'py, PyAny>, Missing> {
    let mut out = Vec::new();
    let decoded = base64::decode(text, Alphabet::Standard, &mut out)
        .or_else(|_| base64::decode(text, Alphabet::Url, &mut out));
    match decoded {
        Ok(()) => Ok(PyBytes::new(py, &out).into_any()),
        Err(_) => Err(Missing::Misfit(
            Error::new(ErrorCode::WrongKind)
                .with("expected", "base64 text")
                .with("actual", "other text"),
        )),
    }
}

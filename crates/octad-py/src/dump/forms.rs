//! Objects that are one value: how a date, a UUID, a path or a decimal is written.
//!
//! Used for values and for keys alike. Containers have no form here.

use octad_core::error::{ErrorCode, quote};
use octad_core::text::time::{Span, Time};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDelta, PyDeltaAccess, PyString};

use super::classify::{Class, classify};
use super::context::Context;
use super::dates;
use super::fault::{Fault, Outcome, error};
use super::rules::Rules;
use crate::cpython::{Int, Obj};

/// A value that is no container.
pub enum Form {
    /// The object is a str; its characters are the value.
    Str,
    /// The object is an int.
    Int,
    /// A float.
    Float(f64),
    /// A number by its literal, which may say that it is none.
    Number(String),
    /// A missing value, by its name.
    Missing(&'static str),
    /// A text.
    Text(String),
    /// A date or time.
    Time(Time),
    /// A length of time.
    Span(Span),
    /// Another object stands for this one.
    Instead(Obj),
}

/// The form of a key that is not of an exact built-in type; `None` for containers, bytes and what
/// cannot be written.
pub fn form(py: Python<'_>, object: &Obj, rules: &Rules) -> Outcome<Option<Form>> {
    let class = classify(py, object, &rules.scope)?;
    let context = rules.context.as_deref();
    let Class::Converted(own) = &class else {
        return form_of(py, object, &class, context);
    };
    let Some(converter) = &own.key_converter else {
        return form_of(py, object, &own.class, context);
    };
    let text = converter
        .bind(py)
        .call_method1(intern!(py, "write_key"), (object.bind(py),))?;
    let text = text.cast_into::<PyString>().map_err(PyErr::from)?;
    Ok(Some(Form::Instead(Obj::take(text.into_any()))))
}

/// The form of a value of a class; `None` for containers, bytes and what cannot be written.
pub fn form_of(
    py: Python<'_>,
    object: &Obj,
    class: &Class,
    context: Option<&Context>,
) -> Outcome<Option<Form>> {
    let value = object.bind(py);
    let text =
        |value: &Bound<'_, PyAny>| -> Outcome<String> { Ok(value.str()?.to_str()?.to_owned()) };
    let form = match class {
        Class::Str => Form::Str,
        Class::Int => Form::Int,
        Class::Float => match object.item().float() {
            Some(number) => Form::Float(number),
            None => return Ok(None),
        },
        Class::Enum(by_name) => Form::Instead(Obj::take(enumerated(value, *by_name)?)),
        Class::Model => Form::Instead(Obj::take(model(value)?)),
        Class::DateTime => dates::moment(value, false, context)?,
        Class::OwnDateTime => dates::moment(value, true, context)?,
        Class::Date => dates::day(value, context)?,
        Class::Clock => dates::time_of_day(value, context)?,
        Class::Delta => Form::Span(span(value.cast::<PyDelta>().map_err(PyErr::from)?)),
        Class::Uuid => Form::Text(uuid(value)?),
        Class::Decimal => Form::Number(literal(value)?),
        Class::Path => Form::Instead(Obj::take(path(value)?)),
        Class::Text => Form::Text(text(value)?),
        Class::Told(told) => {
            let form = told.bind(py).call1((value,))?;
            if form.is_none() {
                let found = quote(value.repr()?.to_string_lossy().as_bytes());
                return Err(error(ErrorCode::Unrepresentable)
                    .with("target", "a text")
                    .with("value", found)
                    .into());
            }
            Form::Instead(Obj::take(form))
        }
        Class::NumpyScalar => Form::Instead(Obj::take(numpy_scalar(value)?)),
        Class::NumpyTime => match text(value)? {
            name if name == "NaT" => Form::Missing("NaT"),
            name => Form::Text(name),
        },
        Class::NumpyDelta => numpy_delta(value)?,
        Class::Missing => Form::Missing("a missing value"),
        Class::List
        | Class::Tuple
        | Class::Dict
        | Class::Mapping
        | Class::Iterable
        | Class::Bytes
        | Class::Buffer
        | Class::Record(_)
        | Class::NumpyArray
        | Class::Raw
        | Class::Tape
        | Class::Converted(_)
        | Class::Unsupported(_) => return Ok(None),
    };
    Ok(Some(form))
}

/// True for a literal that is a number, false for `NaN` and `Infinity`.
pub fn is_finite_literal(literal: &str) -> bool {
    literal
        .trim_start_matches('-')
        .starts_with(|first: char| first.is_ascii_digit())
}

fn span(value: &Bound<'_, PyDelta>) -> Span {
    let seconds = i64::from(value.get_days()) * 86_400 + i64::from(value.get_seconds());
    // Python keeps days signed and the rest not; at most 10^9 days fit easily.
    let micros = i128::from(seconds) * 1_000_000 + i128::from(value.get_microseconds());
    span_of_nanos(micros * 1000)
}

fn span_of_nanos(nanos: i128) -> Span {
    const SECOND: u128 = 1_000_000_000;
    let length = nanos.unsigned_abs();
    let seconds = length / SECOND;
    Span {
        negative: nanos < 0,
        days: u64::try_from(seconds / 86_400).unwrap_or(u64::MAX),
        seconds: (seconds % 86_400) as u32,
        nano: (length % SECOND) as u32,
    }
}

fn uuid(value: &Bound<'_, PyAny>) -> Outcome<String> {
    let number = value.getattr(intern!(value.py(), "int"))?;
    let number: u128 = match Obj::from_bound(&number).item().int() {
        Some(Int::I64(number)) => u128::try_from(number).unwrap_or(0),
        Some(Int::U64(number)) => u128::from(number),
        Some(Int::Big(big)) if !big.negative && big.digits.len() <= 5 => big
            .digits
            .iter()
            .rev()
            .fold(0, |number, digit| number << 30 | u128::from(*digit)),
        _ => return Ok(value.str()?.to_str()?.to_owned()),
    };
    let hex = format!("{number:032x}");
    Ok([
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..],
    ]
    .join("-"))
}

/// The digits of a decimal, whatever a subclass says its `str` is.
fn literal(value: &Bound<'_, PyAny>) -> Outcome<String> {
    let py = value.py();
    let class = py
        .import(intern!(py, "decimal"))?
        .getattr(intern!(py, "Decimal"))?;
    let text = class.call_method1(intern!(py, "__str__"), (value,))?;
    let text: String = text.extract()?;
    Ok(if is_finite_literal(&text) || text.ends_with("Infinity") {
        text
    } else {
        "NaN".to_owned()
    })
}

fn flag(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    py.import(intern!(py, "enum"))?.getattr(intern!(py, "Flag"))
}

/// The value of a member, or its name where it has one (a combination of flags may have none).
fn enumerated<'py>(value: &Bound<'py, PyAny>, by_name: bool) -> PyResult<Bound<'py, PyAny>> {
    let py = value.py();
    if by_name {
        let name = value.getattr(intern!(py, "name"))?;
        if !name.is_none() {
            return Ok(name);
        }
        // No flag of all.
        if value.is_instance(&flag(py)?)? && !value.is_truthy()? {
            return Ok(intern!(py, "").clone().into_any());
        }
    }
    value.getattr(intern!(py, "value"))
}

/// What the model's own serializer makes of it for JSON.
fn model<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = value.py();
    let options = pyo3::types::PyDict::new(py);
    options.set_item(intern!(py, "mode"), intern!(py, "json"))?;
    value.call_method(intern!(py, "model_dump"), (), Some(&options))
}

fn path<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = value.py();
    py.import(intern!(py, "os"))?
        .call_method1(intern!(py, "fsdecode"), (value,))
}

fn numpy_scalar<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = value.py();
    let item = value.call_method0(intern!(py, "item"))?;
    if item.get_type().is(value.get_type()) {
        // A wider float than a double has no Python value of its own.
        let float = py.get_type::<pyo3::types::PyFloat>();
        return float.call1((value,));
    }
    Ok(item)
}

fn numpy_delta(value: &Bound<'_, PyAny>) -> Outcome<Form> {
    let py = value.py();
    let text = value.str()?.to_str()?.to_owned();
    if text == "NaT" {
        return Ok(Form::Missing("NaT"));
    }
    let nanos = value.call_method1(intern!(py, "astype"), ("timedelta64[ns]",));
    let back = nanos.and_then(|nanos| {
        let same = nanos.eq(value)?;
        let number: i64 = nanos
            .call_method1(intern!(py, "astype"), ("int64",))?
            .call_method0(intern!(py, "item"))?
            .extract()?;
        Ok((same, number))
    });
    match back {
        Ok((true, nanos)) => Ok(Form::Span(span_of_nanos(i128::from(nanos)))),
        Ok((false, _)) | Err(_) => {
            let found = quote(text.as_bytes());
            let failure = error(ErrorCode::Unrepresentable)
                .with("target", "an ISO 8601 duration in nanoseconds")
                .with("value", found);
            Err(Box::new(Fault::Core(failure)))
        }
    }
}

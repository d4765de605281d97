//! How values look that have no one form: dates, times, bytes, numbers, the keys of dicts.
//!
//! One context holds for a call, by its options and settings; a field may have one of its own, which
//! holds for all that is in the field up to the next record.

use std::sync::Arc;

use octad_core::formats::json::BytesPolicy;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use super::contract::Own;
use crate::cpython::Content;

/// What holds for values.
#[derive(Clone, Default)]
pub struct Context {
    pub dates: Dates,
    /// The form of dates is a field's own: it is for times of day too.
    pub own_dates: bool,
    pub zones: Zones,
    /// The form of bytes, over that of the sink.
    pub bytes: Option<BytesPolicy>,
    /// Numbers are texts.
    pub as_text: bool,
    pub keys: Option<Keys>,
    /// Which dicts are arrays of pairs.
    pub pairs: Pairs,
    /// Converters for exact built-in types.
    pub overrides: Option<Arc<Overrides>>,
    /// It is a field's own.
    pub own: bool,
}

/// The form of dates.
#[derive(Clone, Default)]
pub enum Dates {
    #[default]
    Rfc3339,
    /// Seconds since 1970.
    Epoch,
    /// Milliseconds since 1970.
    EpochMillis,
    /// `/Date(1700000000000+0100)/`
    Microsoft,
    /// A format of `strftime`.
    Format(Arc<str>),
}

/// Which dicts and mappings are written as arrays of `[key, value]`.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum Pairs {
    #[default]
    Never,
    /// Those with a key that has no text.
    Textless,
    /// All.
    Always,
}

/// What becomes of zones.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum Zones {
    #[default]
    Keep,
    /// Everything in UTC; a time without a zone is taken as UTC.
    Utc,
    /// A time without a zone is refused.
    NaiveError,
}

/// A policy for the keys of dicts, and what it has said.
#[derive(Clone)]
pub struct Keys {
    pub policy: Arc<Py<PyAny>>,
    pub said: Arc<Py<PyDict>>,
}

/// Converters for values of exact built-in types.
#[derive(Default)]
pub struct Overrides {
    pub str: Option<Py<PyAny>>,
    pub int: Option<Py<PyAny>>,
    pub float: Option<Py<PyAny>>,
    pub bool: Option<Py<PyAny>>,
    pub none: Option<Py<PyAny>>,
    pub list: Option<Py<PyAny>>,
    pub dict: Option<Py<PyAny>>,
    pub tuple: Option<Py<PyAny>>,
    /// For keys.
    pub str_key: Option<Py<PyAny>>,
    pub int_key: Option<Py<PyAny>>,
}

impl Context {
    /// Whether containers may not be written in the hot loops: each value or key needs a look.
    pub fn is_slow(&self) -> bool {
        self.own
            || self.as_text
            || self.keys.is_some()
            || self.pairs != Pairs::Never
            || self.overrides.is_some()
    }

    /// Whether dates are written as they are.
    pub fn leaves_dates(&self) -> bool {
        matches!((&self.dates, self.zones), (Dates::Rfc3339, Zones::Keep))
    }

    /// The converter for a key of an exact built-in type.
    pub fn key_converter(&self, key: Content<'_>) -> Option<&Py<PyAny>> {
        let overrides = self.overrides.as_deref()?;
        match key {
            Content::Str(_) => overrides.str_key.as_ref(),
            Content::Int(_) => overrides.int_key.as_ref(),
            _ => None,
        }
    }

    /// Whether it says nothing.
    pub fn is_plain(&self) -> bool {
        !self.is_slow()
            && matches!(self.dates, Dates::Rfc3339)
            && self.zones == Zones::Keep
            && self.bytes.is_none()
    }

    /// This context with what a field says over it.
    pub fn with(&self, own: &Own) -> Self {
        let mut made = self.clone();
        made.own = true;
        if let Some(dates) = &own.dates {
            made.dates = dates.clone();
            made.own_dates = true;
        }
        made.zones = own.zones.unwrap_or(made.zones);
        made.bytes = own.bytes.or(made.bytes);
        made.as_text = own.as_text.unwrap_or(made.as_text);
        made.pairs = own.pairs.unwrap_or(made.pairs);
        if own.keys.is_some() {
            made.keys.clone_from(&own.keys);
        }
        made
    }
}

impl Overrides {
    /// The converter for an object of an exact built-in type.
    pub fn of(&self, content: Content<'_>) -> Option<&Py<PyAny>> {
        match content {
            Content::Str(_) => self.str.as_ref(),
            Content::Int(_) => self.int.as_ref(),
            Content::Float(_) => self.float.as_ref(),
            Content::Bool(_) => self.bool.as_ref(),
            Content::None => self.none.as_ref(),
            Content::List => self.list.as_ref(),
            Content::Dict => self.dict.as_ref(),
            Content::Tuple => self.tuple.as_ref(),
            Content::Other => None,
        }
    }
}

impl Dates {
    /// One of the names, or a format.
    pub fn read(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        let text = value.cast::<PyString>()?.to_str()?;
        Ok(match text {
            "rfc3339" => Self::Rfc3339,
            "epoch" => Self::Epoch,
            "epoch_ms" => Self::EpochMillis,
            "microsoft" => Self::Microsoft,
            format => Self::Format(format.into()),
        })
    }
}

impl Zones {
    /// One of the names.
    pub fn read(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        let text = value.cast::<PyString>()?.to_str()?;
        Ok(match text {
            "utc" => Self::Utc,
            "naive-error" => Self::NaiveError,
            _ => Self::Keep,
        })
    }
}

impl Keys {
    /// A policy, which is a callable from str to str.
    pub fn read(policy: &Bound<'_, PyAny>) -> Option<Self> {
        (!policy.is_none()).then(|| Self {
            policy: Arc::new(policy.clone().unbind()),
            said: Arc::new(PyDict::new(policy.py()).unbind()),
        })
    }

    /// What becomes of a key. Policies are functions of the key alone, so an answer is kept.
    pub fn rename<'py>(&self, key: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyString>> {
        const MOST: usize = 4096;
        let py = key.py();
        let said = self.said.bind(py);
        if let Some(known) = said.get_item(key)? {
            return Ok(known.cast_into::<PyString>()?);
        }
        let answer = self.policy.bind(py).call1((key,))?;
        let answer = answer.cast_into::<PyString>()?;
        if said.len() < MOST {
            said.set_item(key, &answer)?;
        }
        Ok(answer)
    }
}

/// The form of bytes by its name.
pub fn bytes_policy(value: &Bound<'_, PyAny>) -> PyResult<Option<BytesPolicy>> {
    Ok(match value.cast::<PyString>()?.to_str()? {
        "base64" | "any" => Some(BytesPolicy::Base64),
        "base64url" => Some(BytesPolicy::Base64Url),
        "hex" => Some(BytesPolicy::Hex),
        "array" => Some(BytesPolicy::Array),
        _ => None,
    })
}

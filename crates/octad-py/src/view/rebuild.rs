//! What a document was read with, as Python objects: for `Document.settings` and for pickling.

use octad_core::formats::json::{Duplicates, NanRead, ReadOptions};
use octad_core::text::escape::Surrogates;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};

use crate::options::Floats;
use crate::options::Reading;

/// The keyword arguments that ask for this reading again.
fn keywords<'py>(py: Python<'py>, reading: &Reading) -> PyResult<Bound<'py, PyDict>> {
    let options = &reading.options;
    let words = PyDict::new(py);
    words.set_item(
        "duplicates",
        match options.duplicates {
            Duplicates::Last => "last",
            Duplicates::First => "first",
            Duplicates::Error => "error",
        },
    )?;
    words.set_item(
        "surrogates",
        match options.surrogates {
            Surrogates::Error => "error",
            Surrogates::Replace => "replace",
            Surrogates::Keep => "keep",
        },
    )?;
    words.set_item("nan", nan(options.nan))?;
    words.set_item("comments", options.comments)?;
    words.set_item("trailing_commas", options.trailing_commas)?;
    words.set_item(
        "overflow",
        if options.overflow_is_infinite {
            "inf"
        } else {
            "error"
        },
    )?;
    words.set_item("lazy_values", options.lazy_values)?;
    words.set_item(
        "floats",
        match reading.floats {
            Floats::Float => "float",
            Floats::Decimal => "decimal",
        },
    )?;
    words.set_item("limits", limits(py, options)?)?;
    Ok(words)
}

fn nan(policy: NanRead) -> &'static str {
    match policy {
        NanRead::Error => "error",
        NanRead::Literal => "literal",
        NanRead::Null => "null",
    }
}

/// The `octad.Limits` of the options.
fn limits<'py>(py: Python<'py>, options: &ReadOptions) -> PyResult<Bound<'py, PyAny>> {
    let limits = &options.limits;
    let fields = PyDict::new(py);
    fields.set_item("depth", limits.depth)?;
    fields.set_item("size", limits.size)?;
    fields.set_item("tokens", limits.tokens)?;
    fields.set_item("text", limits.text)?;
    fields.set_item("digits", limits.digits)?;
    fields.set_item("expansion", limits.expansion)?;
    fields.set_item("output", limits.output)?;
    py.import("octad._settings")?
        .getattr("Limits")?
        .call((), Some(&fields))
}

/// The settings that were given, with what keywords changed.
///
/// # Errors
/// No memory.
pub fn settings<'py>(
    py: Python<'py>,
    given: Option<&Py<PyAny>>,
    reading: &Reading,
) -> PyResult<Bound<'py, PyAny>> {
    let fields = PyDict::new(py);
    fields.set_item("limits", limits(py, &reading.options)?)?;
    fields.set_item("show_input", reading.show_input)?;
    // "string" is a policy of writing that reading has no word for.
    let keeps = match given {
        Some(given) => given.bind(py).getattr("nan")?.eq("string")?,
        None => false,
    };
    if !keeps || reading.options.nan != NanRead::Error {
        fields.set_item("nan", nan(reading.options.nan))?;
    }
    match given {
        Some(given) => py
            .import("dataclasses")?
            .getattr("replace")?
            .call((given,), Some(&fields)),
        None => py
            .import("octad._settings")?
            .getattr("Settings")?
            .call((), Some(&fields)),
    }
}

/// What pickling stores: the function that makes the object again, the format, the source and how
/// to read it.
///
/// # Errors
/// No memory.
pub fn reduce<'py>(
    py: Python<'py>,
    by: &str,
    format: &str,
    source: &Bound<'py, PyBytes>,
    reading: &Reading,
) -> PyResult<Bound<'py, PyTuple>> {
    let rebuild = py.import("octad._document")?.getattr(by)?;
    let state = (format, source, keywords(py, reading)?, reading.show_input);
    (rebuild, state).into_pyobject(py)
}

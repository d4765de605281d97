//! `Encoder`: the writing calls with options read once.

use pyo3::PyTraverseError;
use pyo3::gc::PyVisit;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyString};

use super::call;
use super::rules::Chosen;

/// Writes JSON with options that are read once.
#[pyclass(name = "Encoder", module = "octad.json", frozen)]
pub struct JsonEncoder {
    rules: Chosen,
}

#[pymethods]
impl JsonEncoder {
    #[new]
    #[pyo3(
        signature = (*, settings=None, indent=None, newline=None, final_newline=None, sort_keys=None, escape=None, nan=None, canonical=None, default=None, bytes=None, keys=None, surrogates=None, limits=None),
        text_signature = "(*, indent=None, newline='\\n', final_newline=False, sort_keys=False, escape='minimal', nan='error', canonical=False, default=None, bytes=None, keys='text', surrogates='error', limits=None, settings=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "one for each keyword")]
    fn new(
        settings: Option<&Bound<'_, PyAny>>,
        indent: Option<&Bound<'_, PyAny>>,
        newline: Option<&Bound<'_, PyAny>>,
        final_newline: Option<&Bound<'_, PyAny>>,
        sort_keys: Option<&Bound<'_, PyAny>>,
        escape: Option<&Bound<'_, PyAny>>,
        nan: Option<&Bound<'_, PyAny>>,
        canonical: Option<&Bound<'_, PyAny>>,
        default: Option<&Bound<'_, PyAny>>,
        bytes: Option<&Bound<'_, PyAny>>,
        keys: Option<&Bound<'_, PyAny>>,
        surrogates: Option<&Bound<'_, PyAny>>,
        limits: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        Ok(Self {
            rules: Chosen::read([
                settings,
                indent,
                newline,
                final_newline,
                sort_keys,
                escape,
                nan,
                canonical,
                default,
                bytes,
                keys,
                surrogates,
                limits,
            ])?,
        })
    }

    /// Write `value` as JSON; returns bytes.
    fn dumps<'py>(&self, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        call::to_bytes(value, self.rules.get())
    }

    /// Write `value` as JSON; returns a str.
    fn dumps_str<'py>(&self, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyString>> {
        call::to_text(value, self.rules.get())
    }

    /// Write `value` into a bytearray from `offset` on; returns the end.
    #[pyo3(signature = (value, buffer, offset=0))]
    fn dump_into(
        &self,
        value: &Bound<'_, PyAny>,
        buffer: &Bound<'_, PyByteArray>,
        offset: usize,
    ) -> PyResult<usize> {
        call::to_buffer(value, buffer, offset, self.rules.get())
    }

    /// Write `value` to a path (replaced in one step) or an open file.
    fn dump(
        slf: &Bound<'_, Self>,
        value: &Bound<'_, PyAny>,
        file: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let py = slf.py();
        let data = slf.get().dumps(value)?;
        py.import("octad._files")?
            .call_method1("write", (data, file))?;
        Ok(())
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        if let Chosen::Made(rules) = &self.rules
            && let Some(default) = &rules.rules.default
        {
            visit.call(default)?;
        }
        Ok(())
    }
}

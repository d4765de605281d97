//! `Raw`: a ready JSON fragment, put into the output as it is.
//!
//! Checked when it is written, and only once, unless the caller vouches for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use octad_core::doc::{Bytes, Document};
use octad_core::error::{Error, ErrorCode};
use octad_core::formats::AnyOptions;
use octad_core::formats::json::{self, Numbers, ReadOptions, parse};
use octad_core::tape::Tape;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use super::fault::Outcome;

/// A ready JSON fragment (RFC 8259), written as it is wherever a value may stand.
///
/// Parameters:
///     data: one complete value, as bytes, str, bytearray or memoryview.
///     trusted: it is not checked; what is wrong in it is wrong in the output.
///
/// Options of writing do not touch it: `escape="html"`, `escape="ascii"`, `sort_keys`, `indent` and
/// `nan` leave it as it is. `canonical=True` alone reads it and writes it anew.
///
/// A fragment that is no JSON, or begins with a byte order mark, is an `octad.EncodeError` with the
/// code "invalid-raw" when it is written. `TypeError` for other data.
///
/// >>> import octad
/// >>> octad.json.dumps({"cached": octad.Raw(b'{"n": 1.0}')})
/// b'{"cached":{"n": 1.0}}'
#[pyclass(name = "Raw", module = "octad", frozen)]
pub struct Raw {
    data: Box<[u8]>,
    checked: AtomicBool,
}

impl Raw {
    /// From bytes, str or a buffer.
    pub fn read(data: &Bound<'_, PyAny>, trusted: bool) -> PyResult<Self> {
        let data: Box<[u8]> = if let Ok(text) = data.cast::<PyString>() {
            text.to_str()?.as_bytes().into()
        } else if let Ok(bytes) = data.cast::<PyBytes>() {
            bytes.as_bytes().into()
        } else if data.is_instance_of::<pyo3::types::PyByteArray>()
            || data.is_instance_of::<pyo3::types::PyMemoryView>()
        {
            let copy = data.py().get_type::<PyBytes>().call1((data,))?;
            copy.cast::<PyBytes>()?.as_bytes().into()
        } else {
            let name = data.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "expected bytes or str for a raw fragment, found {}",
                name.to_string_lossy()
            )));
        };
        Ok(Self {
            data,
            checked: AtomicBool::new(trusted),
        })
    }

    /// The fragment, once it is known to be one complete value.
    pub fn checked(&self) -> Outcome<&[u8]> {
        if !self.checked.load(Ordering::Relaxed) {
            // A reader skips the mark at the start of a text; here it would stand within one.
            if self.data.starts_with(json::BOM) {
                return Err(Error::new(ErrorCode::InvalidRaw)
                    .with("reason", "expected no byte order mark")
                    .into());
            }
            let options = ReadOptions::default();
            let mut tape = Tape::new(options.limits.max_tokens());
            parse(&self.data, false, Numbers::Located, &options, &mut tape)
                .map_err(|error| invalid(&error))?;
            self.checked.store(true, Ordering::Relaxed);
        }
        Ok(&self.data)
    }

    /// The fragment as a document, to be written in another form.
    pub fn document(&self) -> Outcome<Document> {
        let bytes: Bytes = Arc::new(self.checked()?.to_vec());
        let document = Document::parse(bytes, false, AnyOptions::Json(ReadOptions::default()));
        document.map_err(|error| invalid(&error).into())
    }
}

/// The error for a fragment that is no JSON.
pub fn invalid(error: &Error) -> Error {
    Error::new(ErrorCode::InvalidRaw).with("reason", error.message(true))
}

#[pymethods]
impl Raw {
    #[new]
    #[pyo3(signature = (data, trusted=false))]
    fn new(data: &Bound<'_, PyAny>, trusted: bool) -> PyResult<Self> {
        Self::read(data, trusted)
    }

    /// The fragment.
    #[getter]
    fn data<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.data)
    }

    fn __repr__(&self) -> String {
        format!("Raw({} bytes)", self.data.len())
    }
}

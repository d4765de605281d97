//! What may be read: bytes, str, and anything with the buffer protocol.
//!
//! Immutable objects are borrowed, everything else is copied: after the call nobody can change what
//! a document reads from.

use std::sync::Arc;

use octad_core::doc::Bytes;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::cpython;

/// An input for the time of one call.
pub enum Input<'a> {
    /// Borrowed from an immutable object. True: known to be UTF-8.
    Borrowed(&'a [u8], bool),
    /// Copied. True: known to be UTF-8.
    Copied(Vec<u8>, bool),
}

impl<'a> Input<'a> {
    /// Looks at an object.
    ///
    /// # Errors
    /// `TypeError` for what holds no bytes.
    #[inline]
    pub fn new(object: &'a Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Self::Borrowed(bytes.as_bytes(), false));
        }
        if let Ok(text) = object.cast::<PyString>() {
            if let Some(ascii) = cpython::ascii_of(text) {
                return Ok(Self::Borrowed(ascii, true));
            }
            return encode(text);
        }
        Ok(Self::Copied(copy(object)?, false))
    }

    /// The bytes.
    #[inline]
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Borrowed(bytes, _) => bytes,
            Self::Copied(bytes, _) => bytes,
        }
    }

    /// Known to be UTF-8.
    #[inline]
    #[must_use]
    pub fn is_checked(&self) -> bool {
        match self {
            Self::Borrowed(_, checked) | Self::Copied(_, checked) => *checked,
        }
    }
}

/// An input that a document keeps; with it, whether it is known to be UTF-8.
///
/// # Errors
/// `TypeError` for what holds no bytes.
pub fn share(object: &Bound<'_, PyAny>) -> PyResult<(Bytes, bool)> {
    if let Ok(bytes) = object.cast::<PyBytes>() {
        return Ok((cpython::share_bytes(bytes), false));
    }
    if let Ok(text) = object.cast::<PyString>() {
        if let Some(shared) = cpython::share_ascii(text) {
            return Ok((shared, true));
        }
        if let Input::Copied(bytes, checked) = encode(text)? {
            return Ok((Arc::new(bytes), checked));
        }
    }
    Ok((Arc::new(copy(object)?), false))
}

/// A str as UTF-8, without leaving a copy inside the str. Lone surrogates are written as they are,
/// and the reader refuses them at their place.
fn encode<'a>(text: &Bound<'_, PyString>) -> PyResult<Input<'a>> {
    match text.encode_utf8() {
        Ok(bytes) => Ok(Input::Copied(bytes.as_bytes().to_vec(), true)),
        Err(_) => {
            let bytes = text.call_method1("encode", ("utf-8", "surrogatepass"))?;
            Ok(Input::Copied(
                bytes.cast::<PyBytes>()?.as_bytes().to_vec(),
                false,
            ))
        }
    }
}

fn copy(object: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    cpython::copy_buffer(object).map_err(|error| {
        if error.is_instance_of::<PyTypeError>(object.py()) {
            let found = object
                .get_type()
                .name()
                .map_or_else(|_| "?".into(), |n| n.to_string());
            return PyTypeError::new_err(format!(
                "expected bytes, str or a buffer, found {found} (files and paths: `load`, `open`)"
            ));
        }
        error
    })
}

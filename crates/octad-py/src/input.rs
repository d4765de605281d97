//! What may be read: bytes, str, and anything with the buffer protocol.
//!
//! Immutable objects are borrowed, everything else is copied: after the call nobody can change what
//! a document reads from.

use std::sync::Arc;

use octad_core::doc::Bytes;
use octad_core::error::{Error, ErrorCode};
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
    /// A str with lone surrogates, each in three bytes as if it were a character.
    Halved(Vec<u8>),
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
            Self::Copied(bytes, _) | Self::Halved(bytes) => bytes,
        }
    }

    /// Known to be UTF-8.
    #[inline]
    #[must_use]
    pub fn is_checked(&self) -> bool {
        match self {
            Self::Borrowed(_, checked) | Self::Copied(_, checked) => *checked,
            Self::Halved(_) => false,
        }
    }

    /// An error in this input, in the terms of what was given.
    #[cold]
    #[must_use]
    pub fn explain(&self, error: Error) -> Error {
        match self {
            Self::Halved(bytes) => lone_surrogate(error, bytes),
            _ => error,
        }
    }
}

/// Whether an input is UTF-8.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Utf8 {
    /// It is.
    Known,
    /// That is to be found out.
    Unknown,
    /// It is not: a str with lone surrogates.
    Halved,
}

/// An input that a document keeps; with it, whether it is known to be UTF-8.
///
/// # Errors
/// `TypeError` for what holds no bytes.
pub fn share(object: &Bound<'_, PyAny>) -> PyResult<(Bytes, Utf8)> {
    if let Ok(bytes) = object.cast::<PyBytes>() {
        return Ok((cpython::share_bytes(bytes), Utf8::Unknown));
    }
    if let Ok(text) = object.cast::<PyString>() {
        if let Some(shared) = cpython::share_ascii(text) {
            return Ok((shared, Utf8::Known));
        }
        return Ok(match encode(text)? {
            Input::Halved(bytes) => (Arc::new(bytes), Utf8::Halved),
            other => (Arc::new(other.bytes().to_vec()), Utf8::Known),
        });
    }
    Ok((Arc::new(copy(object)?), Utf8::Unknown))
}

/// Names a lone surrogate of a str, which the reader met as ill-formed bytes.
#[cold]
#[must_use]
pub fn lone_surrogate(error: Error, bytes: &[u8]) -> Error {
    let Some(offset) = error.offset() else {
        return error;
    };
    match bytes.get(offset..).unwrap_or_default() {
        [0xed, high @ 0xa0..=0xbf, low, ..] if error.code() == ErrorCode::InvalidUtf8 => {
            let unit = 0xd000 | u32::from(high & 0x3f) << 6 | u32::from(low & 0x3f);
            Error::at(ErrorCode::LoneSurrogate, offset)
                .with("found", format_args!("`\\u{unit:04x}`"))
                .with("advice", " (a str with half of a character is no text)")
                .with_path(error.path().clone())
        }
        _ => error,
    }
}

/// A str as UTF-8, without leaving a copy inside the str. Lone surrogates are written as they are,
/// and the reader refuses them at their place.
fn encode<'a>(text: &Bound<'_, PyString>) -> PyResult<Input<'a>> {
    match text.encode_utf8() {
        Ok(bytes) => Ok(Input::Copied(bytes.as_bytes().to_vec(), true)),
        Err(_) => {
            let bytes = text.call_method1("encode", ("utf-8", "surrogatepass"))?;
            Ok(Input::Halved(bytes.cast::<PyBytes>()?.as_bytes().to_vec()))
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

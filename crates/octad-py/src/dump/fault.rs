//! What stops a walk: an error of the core, or an exception of the user's own code.
//!
//! The first becomes an `EncodeError` with the path; the second goes on as it is, with a note that
//! says where it happened.

use octad_core::error::{Error, ErrorCode, Path};
use pyo3::prelude::*;

use crate::errors;

/// The reason why a value could not be written. Boxed: it travels through the hot loop.
pub enum Fault {
    /// A rule of octad or of the format.
    Core(Error),
    /// An exception raised by code that the walk called.
    Python(PyErr),
    /// An exception that knows its place.
    Told(PyErr),
}

/// What every step of a walk returns.
pub type Outcome<T = ()> = Result<T, Box<Fault>>;

impl From<Error> for Box<Fault> {
    #[cold]
    fn from(error: Error) -> Self {
        Box::new(Fault::Core(error))
    }
}

impl From<PyErr> for Box<Fault> {
    #[cold]
    fn from(error: PyErr) -> Self {
        Box::new(Fault::Python(error))
    }
}

/// An error of the core, to be completed by `with`.
#[cold]
pub fn error(code: ErrorCode) -> Error {
    Error::new(code)
}

/// The type of an object as messages show it.
#[cold]
pub fn type_name(object: &Bound<'_, PyAny>) -> String {
    let name = object
        .get_type()
        .fully_qualified_name()
        .and_then(|name| name.extract::<String>())
        .unwrap_or_else(|_| "object".to_owned());
    octad_core::error::quote(name.as_bytes())
}

impl Fault {
    /// The exception for a fault at `path`.
    #[cold]
    pub fn into_py(self, py: Python<'_>, path: Path, show_input: bool) -> PyErr {
        match self {
            Self::Core(error) => raise(py, &error.with_path(path), show_input),
            Self::Python(error) => {
                if !path.is_empty() {
                    let note = format!("while octad wrote the value at {path}");
                    // A note is a courtesy; an exception that takes none is raised all the same.
                    let _ = error.value(py).call_method1("add_note", (note,));
                }
                error
            }
            Self::Told(error) => error,
        }
    }
}

/// The Python exception for an error of writing.
#[cold]
fn raise(py: Python<'_>, error: &Error, show_input: bool) -> PyErr {
    let make = || -> PyResult<PyErr> {
        let fields = errors::fields_at(py, error, None, show_input)?;
        fields.set_item("writing", true)?;
        let make = py.import("octad._errors")?.getattr("make")?;
        Ok(PyErr::from_value(make.call((), Some(&fields))?))
    };
    make().unwrap_or_else(|failure| failure)
}

//! `Position`: where a value stands in its source, as editors count it.

use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};

/// Where a value stands in its source.
///
/// `offset` and `end` are bytes in the source (`source[offset:end]` is the value), `line` and
/// `column` count from 1, columns in characters.
///
/// >>> import octad
/// >>> position = octad.json.parse(b'["a", "b"]').at("/1").position
/// >>> position.offset, position.line, position.column
/// (6, 1, 7)
#[pyclass(frozen, eq, hash, get_all, skip_from_py_object, module = "octad")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Position {
    /// Byte offset of the first byte.
    offset: usize,
    /// Byte offset after the last byte.
    end: usize,
    /// Line, from 1.
    line: usize,
    /// Column, from 1, in characters.
    column: usize,
}

#[pymethods]
impl Position {
    /// A position of its four numbers.
    #[new]
    pub fn new(offset: usize, end: usize, line: usize, column: usize) -> Self {
        Self {
            offset,
            end,
            line,
            column,
        }
    }

    #[classattr]
    fn __match_args__() -> (&'static str, &'static str, &'static str, &'static str) {
        ("offset", "end", "line", "column")
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let this = slf.get();
        let class: Bound<'py, PyType> = slf.get_type();
        let numbers = (this.offset, this.end, this.line, this.column);
        (class, numbers).into_pyobject(slf.py())
    }

    fn __repr__(&self) -> String {
        format!(
            "Position(offset={}, end={}, line={}, column={})",
            self.offset, self.end, self.line, self.column
        )
    }
}

//! Certain values and what each stands for: enums, literals and tags.
//!
//! Matched by kind and value, so that 1 is neither true nor "1". Numbers of any size: one beyond 64
//! bits is kept by its digits.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyString};
use pyo3::{PyTraverseError, PyVisit};

use super::names::Names;

/// A value as it is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wire<'a> {
    /// null
    Null,
    /// true or false
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// One that does not fit, by its digits.
    Big(&'a str),
    /// A number with a fraction or exponent.
    Float(f64),
    /// Text.
    Text(&'a [u8]),
}

/// Values and what they stand for.
#[derive(Debug, Default)]
pub struct Table {
    /// What the values must be, in words.
    pub expected: Box<str>,
    texts: Names,
    ints: Box<[(i64, u32)]>,
    bigs: Box<[(Box<str>, u32)]>,
    floats: Box<[(f64, u32)]>,
    bools: [Option<u32>; 2],
    null: Option<u32>,
    results: Box<[Py<PyAny>]>,
    /// Called with a value that is not in the table.
    pub fallback: Option<Py<PyAny>>,
}

impl Table {
    /// A table of pairs of value and result.
    ///
    /// # Errors
    /// `TypeError` for a value of another type.
    pub fn new<'py>(
        expected: &str,
        pairs: impl IntoIterator<Item = (Bound<'py, PyAny>, Bound<'py, PyAny>)>,
        fallback: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let mut made = Self {
            expected: expected.into(),
            fallback,
            ..Self::default()
        };
        let (mut texts, mut results) = (Vec::new(), Vec::new());
        let (mut ints, mut bigs, mut floats) = (Vec::new(), Vec::new(), Vec::new());
        for (wire, result) in pairs {
            let number = u32::try_from(results.len())
                .map_err(|_| PyTypeError::new_err("expected a table of fewer values"))?;
            if wire.is_none() {
                made.null.get_or_insert(number);
            } else if let Ok(truth) = wire.cast::<PyBool>() {
                made.bools[usize::from(truth.is_true())].get_or_insert(number);
            } else if wire.is_instance_of::<PyInt>() {
                match wire.extract::<i64>() {
                    Ok(value) => ints.push((value, number)),
                    Err(_) => bigs.push((wire.str()?.to_string().into(), number)),
                }
            } else if let Ok(float) = wire.cast::<PyFloat>() {
                floats.push((float.value(), number));
            } else if let Ok(text) = wire.cast::<PyString>() {
                texts.push((text.to_str()?.to_owned(), number));
            } else {
                return Err(PyTypeError::new_err(format!(
                    "expected None, bool, int, float or str in a table, found {}",
                    wire.get_type().name()?
                )));
            }
            results.push(result.unbind());
        }
        // Sorted by value, the first of equal ones first.
        ints.sort();
        made.texts = Names::new(texts, false)
            .ok_or_else(|| PyTypeError::new_err("expected a table of fewer values"))?;
        made.ints = ints.into();
        made.bigs = bigs.into();
        made.floats = floats.into();
        made.results = results.into();
        Ok(made)
    }

    /// The number of a value's result.
    pub fn find(&self, wire: Wire<'_>) -> Option<u32> {
        match wire {
            Wire::Null => self.null,
            Wire::Bool(truth) => self.bools[usize::from(truth)],
            Wire::Text(text) => self.texts.find(text, text.len()).map(|(_, value)| value),
            Wire::Int(value) => {
                let at = self.ints.partition_point(|(known, _)| *known < value);
                match self.ints.get(at) {
                    Some((known, number)) if *known == value => Some(*number),
                    _ if value.unsigned_abs() <= 1 << 53 => self.float(value as f64),
                    _ => None,
                }
            }
            Wire::Big(digits) => {
                let found = self.bigs.iter().find(|(known, _)| **known == *digits);
                found.map(|(_, number)| *number)
            }
            Wire::Float(value) => self.float(value),
        }
    }

    /// The text of the first `length` bytes.
    #[inline]
    pub fn find_text(&self, bytes: &[u8], length: usize) -> Option<u32> {
        self.texts.find(bytes, length).map(|(_, value)| value)
    }

    fn float(&self, value: f64) -> Option<u32> {
        let found = self.floats.iter().find(|(known, _)| *known == value);
        found.map(|(_, number)| *number)
    }

    /// A result by its number.
    pub fn result(&self, number: u32) -> Option<&Py<PyAny>> {
        self.results.get(number as usize)
    }

    /// Whether any text stands for something.
    pub fn has_texts(&self) -> bool {
        self.texts.len() > 0
    }

    /// Shows the collector what it holds.
    pub fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        for result in &self.results {
            visit.call(result)?;
        }
        visit.call(&self.fallback)
    }
}

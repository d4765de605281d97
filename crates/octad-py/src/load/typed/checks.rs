//! Conditions on values that have been made.

use octad_core::error::ErrorCode;
use octad_core::source::Source;
use octad_core::token::TokenId;
use pyo3::exceptions::PyArithmeticError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyFloat, PyInt, PyString};

use super::Runner;
use super::fault::{Flaw, Words};
use crate::cpython::Obj;
use crate::plan::{Checked, Checks};

/// The four bounds in words, in the order of [`Checks::bounds`].
const BOUNDS: [&str; 4] = ["at least", "more than", "at most", "less than"];

impl<'a, S: Source> Runner<'a, '_, S> {
    pub(super) fn checked(&mut self, checked: &'a Checked, id: TokenId, place: u16) -> Option<Obj> {
        let value = self.value(checked.child, id, place)?;
        self.check(&checked.checks, value, id)
    }

    /// The value, if it meets the conditions.
    pub(super) fn check(&mut self, checks: &'a Checks, value: Obj, id: TokenId) -> Option<Obj> {
        let py = self.base.py;
        let value = value.into_bound(py);
        for (number, bound) in checks.bounds.iter().enumerate() {
            let Some(bound) = bound else {
                continue;
            };
            let met = match number {
                0 => value.ge(bound),
                1 => value.gt(bound),
                2 => value.le(bound),
                _ => value.lt(bound),
            };
            if !self.by_user(
                comparison(met, py),
                Words::Are("a value that can be compared"),
                id,
            )? {
                let bound = bound.bind(py).str();
                let bound = self.python(bound)?;
                let words = format!("a value of {} {bound}", BOUNDS[number]);
                return self.unmet(ErrorCode::OutOfBounds, words, id);
            }
        }
        if let Some(unit) = &checks.multiple_of {
            let met = comparison(is_multiple(&value, unit.bind(py)), py);
            if !self.by_user(met, Words::Are("a value that can be divided"), id)? {
                let unit = unit.bind(py).str();
                let words = format!("a multiple of {}", self.python(unit)?);
                return self.unmet(ErrorCode::OutOfBounds, words, id);
            }
        }
        if checks.min_length.is_some() || checks.max_length.is_some() {
            let length = value.len();
            let length = self.by_user(length, Words::Are("a value that has a length"), id)?;
            let low = checks.min_length.filter(|least| length < *least);
            let high = checks.max_length.filter(|most| length > *most);
            if let Some((bound, limit)) = low
                .map(|least| ("at least", least))
                .or(high.map(|most| ("at most", most)))
            {
                let unit = match (self.kind(id), limit) {
                    ("text", 1) => "character",
                    ("text", _) => "characters",
                    ("an object", 1) => "member",
                    ("an object", _) => "members",
                    (_, 1) => "item",
                    _ => "items",
                };
                return self.length(&format!("{bound} {limit} {unit}"), length, id);
            }
        }
        if let Some((pattern, spelled)) = &checks.pattern {
            let Ok(text) = value.cast::<PyString>() else {
                return self.wrong("text", id);
            };
            let text = text.to_string_lossy();
            if !pattern.is_match(&text) {
                let words = format!("text that matches `{spelled}`");
                return self.unmet(ErrorCode::NoMatch, words, id);
            }
        }
        for predicate in &checks.predicates {
            let met = predicate
                .bind(py)
                .call1((&value,))
                .and_then(|met| met.is_truthy());
            let words = || {
                let name = predicate.bind(py).getattr("__qualname__");
                let name = name.and_then(|name| name.extract::<String>());
                let name = name.unwrap_or_else(|_| "its condition".to_owned());
                format!("a value that `{name}` accepts")
            };
            if !self.by_user(met, Words::Own(words().into()), id)? {
                return self.unmet(ErrorCode::InvalidValue, words(), id);
            }
        }
        self.check_zone(checks, &value, id)?;
        Some(Obj::take(value))
    }

    fn check_zone(&mut self, checks: &Checks, value: &Bound<'_, PyAny>, id: TokenId) -> Option<()> {
        if checks.zone.is_none() && checks.zone_name.is_none() {
            return Some(());
        }
        let zone = value.getattr("tzinfo");
        let zone = self.python(zone)?;
        if let Some(wanted) = checks.zone
            && zone.is_none() == wanted
        {
            let words = if wanted {
                "a time with an offset from UTC"
            } else {
                "a time without an offset from UTC"
            };
            return self.unmet(ErrorCode::InvalidValue, words.to_owned(), id);
        }
        if let Some(wanted) = &checks.zone_name {
            let name = value.call_method0("tzname").and_then(|name| name.str());
            let name = self.by_user(name, Words::Are("a time with a zone"), id)?;
            if name.to_string_lossy() != **wanted {
                let words = format!("a time in the zone {wanted}");
                return self.unmet(ErrorCode::InvalidValue, words, id);
            }
        }
        Some(())
    }

    #[cold]
    fn unmet<T>(&mut self, code: ErrorCode, words: String, id: TokenId) -> Option<T> {
        self.flaw(Flaw::new(code, Words::Own(words.into())), id)
    }
}

/// The outcome of a comparison: what has no place among numbers (a `NaN` of decimals, say) meets no
/// condition.
fn comparison(met: PyResult<bool>, py: Python<'_>) -> PyResult<bool> {
    match met {
        Err(error) if error.is_instance_of::<PyArithmeticError>(py) => Ok(false),
        met => met,
    }
}

/// Whether a number is a multiple of another: exactly, and up to the rounding of doubles where the
/// number is one.
fn is_multiple(value: &Bound<'_, PyAny>, unit: &Bound<'_, PyAny>) -> PyResult<bool> {
    static EXACTLY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = value.py();
    if value.is_instance_of::<PyFloat>() {
        let (value, unit) = (value.extract::<f64>()?, unit.extract::<f64>()?);
        let times = value / unit;
        return Ok(
            times.is_finite() && (times - times.round()).abs() <= 1e-9 * times.abs().max(1.0)
        );
    }
    if value.is_exact_instance_of::<PyInt>() && unit.is_exact_instance_of::<PyInt>() {
        return value.rem(unit)?.eq(0);
    }
    let exactly = EXACTLY.import(py, "octad._contract.constraints", "is_multiple")?;
    exactly.call1((value, unit))?.is_truthy()
}

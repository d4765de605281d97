//! What user code said: its results, its refusals, its exceptions.

use octad_core::error::ErrorCode;
use octad_core::source::Source;
use octad_core::token::TokenId;
use pyo3::exceptions::{PyArithmeticError, PyLookupError, PyTypeError, PyValueError};
use pyo3::prelude::*;

use super::Runner;
use super::fault::{Fault, Flaw, Words, is_contract, is_validation};
use crate::cpython::Obj;
use crate::plan::{Call, NodeId};

impl<'a, S: Source> Runner<'a, '_, S> {
    pub(super) fn call(
        &mut self,
        node: NodeId,
        call: &'a Call,
        id: TokenId,
        place: u16,
    ) -> Option<Obj> {
        let py = self.base.py;
        let value = self.value(call.child, id, place)?.into_bound(py);
        let made = call.callable.bind(py).call1((value,));
        self.called(made, Words::Node(node), id)
    }

    /// What a function that turns values into others said: a refusal means that the value is none
    /// of those that are expected.
    pub(super) fn called(
        &mut self,
        made: PyResult<Bound<'_, PyAny>>,
        expected: Words,
        id: TokenId,
    ) -> Option<Obj> {
        match made {
            Ok(made) => Some(Obj::take(made)),
            Err(error) => self.refused(error, ErrorCode::InvalidValue, expected, id),
        }
    }

    /// What code of the user's own said about a value, such as a constructor: a refusal is shown
    /// with its message.
    pub(super) fn by_user<T>(
        &mut self,
        made: PyResult<T>,
        expected: Words,
        id: TokenId,
    ) -> Option<T> {
        match made {
            Ok(made) => Some(made),
            Err(error) => self.refused(error, ErrorCode::Rejected, expected, id),
        }
    }

    #[cold]
    fn refused<T>(
        &mut self,
        error: PyErr,
        code: ErrorCode,
        expected: Words,
        id: TokenId,
    ) -> Option<T> {
        let py = self.base.py;
        let is_refusal = if code == ErrorCode::Rejected {
            error.is_instance_of::<PyValueError>(py) || error.is_instance_of::<PyTypeError>(py)
        } else {
            error.is_instance_of::<PyValueError>(py)
                || error.is_instance_of::<PyTypeError>(py)
                || error.is_instance_of::<PyLookupError>(py)
                || error.is_instance_of::<PyArithmeticError>(py)
        };
        if !is_refusal || is_validation(py, &error) || is_contract(py, &error) {
            self.fault = Some(Fault::Raised(error, id));
            return None;
        }
        let mut flaw = Flaw::new(code, expected);
        if code == ErrorCode::Rejected {
            let text = error.value(py).str().map(|text| text.to_string());
            flaw.reason = Some(text.unwrap_or_else(|_| "no message".to_owned()));
        }
        flaw.cause = Some(error);
        self.flaw(flaw, id)
    }
}

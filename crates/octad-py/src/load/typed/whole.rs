//! Values that are handed on as they stand in the text: as a fragment, as a view.

use octad_core::error::{Error, ErrorCode};
use octad_core::source::Source;
use octad_core::token::TokenId;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyType};

use super::Runner;
use crate::cpython::Obj;

impl<S: Source> Runner<'_, '_, S> {
    /// The text of a value as an `octad.Raw`.
    pub(super) fn raw(&mut self, id: TokenId) -> Option<Obj> {
        static RAW: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        let py = self.base.py;
        let Some(core) = self.run.core else {
            return self.no_document(id);
        };
        let bytes = PyBytes::new(py, core.value(id).raw());
        let made = RAW
            .import(py, "octad._core", "Raw")
            .and_then(|class| class.call1((bytes, true)));
        self.python(made).map(Obj::take)
    }

    /// A view of a value.
    pub(super) fn view(&mut self, id: TokenId) -> Option<Obj> {
        let Some(view) = self.run.view else {
            return self.no_document(id);
        };
        let Some(core) = self.run.core else {
            return self.no_document(id);
        };
        let made = view(self.base.py, core, id);
        self.python(made)
    }

    #[cold]
    pub(super) fn no_document<T>(&mut self, id: TokenId) -> Option<T> {
        let error = Error::new(ErrorCode::InvalidTape).with("problem", "no document");
        self.error(error, id)
    }
}

//! Values that an `octad.Converter` reads.

use octad_core::error::{Error, ErrorCode};
use octad_core::source::Source;
use octad_core::token::TokenId;
use pyo3::prelude::*;

use super::Runner;
use crate::cpython::Obj;
use crate::plan::Convert;

impl<S: Source> Runner<'_, '_, S> {
    pub(super) fn convert(&mut self, convert: &Convert, id: TokenId) -> Option<Obj> {
        let name = convert.converter.bind(self.base.py).get_type().name();
        let name = name.map_or_else(|_| "?".to_owned(), |name| name.to_string());
        let error = Error::new(ErrorCode::InvalidContract)
            .with("type", name)
            .with("reason", "converters are not called while reading");
        self.error(error, id)
    }
}

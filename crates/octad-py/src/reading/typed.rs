//! `loads` into a type: text to tape, tape through a plan.

use std::sync::Arc;

use octad_core::doc::{Bytes, Document as Core};
use octad_core::formats::AnyOptions;
use octad_core::formats::json::Numbers;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::{How, raise, with_tape};
use crate::cpython::Obj;
use crate::input::Input;
use crate::load::typed::{self, Explainer, Fault, Run};
use crate::load::{self, Scratch};
use crate::options::{Call, Reading, contract_settings};
use crate::plan::{self, Plan};
use crate::view;

/// `loads` into a type that has not been compiled yet, perhaps.
///
/// # Errors
/// As `loads`.
#[inline]
pub fn load_into_type<'py>(
    data: &Bound<'py, PyAny>,
    class: &Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Obj> {
    if options.is_none() {
        let plan = plan::for_type(class, None)?;
        return load_typed(data, plan.get(), &Reading::default());
    }
    let reading = Reading::from_keywords(options, Call::Type)?;
    let settings = contract_settings(options)?;
    let plan = plan::for_type(class, settings.as_ref())?;
    load_typed(data, plan.get(), &reading)
}

/// `loads` into a type, with options that have been read already. The caller holds the plan.
///
/// # Errors
/// As `loads`.
pub fn load_typed(data: &Bound<'_, PyAny>, plan: &Plan, reading: &Reading) -> PyResult<Obj> {
    let py = data.py();
    let input = Input::new(data)?;
    if plan.documented {
        return load_document(py, &input, plan, reading);
    }
    load::with_scratch(|scratch| load_bytes(py, &input, plan, reading, scratch))
}

fn load_bytes(
    py: Python<'_>,
    input: &Input<'_>,
    plan: &Plan,
    reading: &Reading,
    scratch: &mut Scratch,
) -> PyResult<Obj> {
    let options = &reading.typed_options();
    // Comments are passed over where numbers are read at once, and errors are found by their tokens.
    let numbers = if plan.spelled || options.comments || options.decimals {
        Numbers::Located
    } else {
        Numbers::Eager
    };
    let rules = &reading.typed_rules();
    let run = Run::new(plan, rules, reading.show_input);
    let how = How {
        numbers,
        options,
        reading,
    };
    with_tape(py, input, how, scratch, |tape, source| {
        typed::run(py, tape.tokens(), tape.root(), source, run)
            .map_err(|fault| explain(py, fault, input.bytes(), plan, reading))
    })
}

/// A text whose document lasts as long as the run, for plans that want more than its values.
fn load_document(
    py: Python<'_>,
    input: &Input<'_>,
    plan: &Plan,
    reading: &Reading,
) -> PyResult<Obj> {
    let core = document(input.bytes(), input.is_checked(), reading)
        .map_err(|error| raise(py, &input.explain(error), input.bytes(), reading))?;
    view::run_plan(py, &core, core.tape().root(), plan, reading)
}

/// The document of a text.
fn document(bytes: &[u8], checked: bool, reading: &Reading) -> octad_core::error::Result<Core> {
    let owned: Bytes = Arc::new(bytes.to_vec());
    Core::parse(owned, checked, AnyOptions::Json(reading.typed_options()))
}

/// A fault's place and path come from a document, read once more.
#[cold]
fn explain(py: Python<'_>, fault: Fault, bytes: &[u8], plan: &Plan, reading: &Reading) -> PyErr {
    match document(bytes, true, reading) {
        Ok(core) => {
            let explainer = Explainer {
                plan,
                core: &core,
                show_input: reading.show_input,
                outer: None,
            };
            explainer.raise(py, fault)
        }
        Err(error) => raise(py, &error, bytes, reading),
    }
}

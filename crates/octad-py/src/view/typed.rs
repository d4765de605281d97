//! Values of a document as objects of a type.

use octad_core::doc::Document as Core;
use octad_core::token::TokenId;
use pyo3::prelude::*;

use super::{Document, element};
use crate::cpython::Obj;
use crate::load::typed::{self, Explainer, Fault, Run};
use crate::options::Reading;
use crate::plan::{self, Plan};

/// The object of a value, by a plan.
///
/// # Errors
/// As `loads`.
pub fn run_plan(
    py: Python<'_>,
    core: &Core,
    id: TokenId,
    plan: &Plan,
    reading: &Reading,
) -> PyResult<Obj> {
    with_run(core, plan, reading, |run| {
        typed::run(py, core.tape().tokens(), id, &core.source(), run)
    })
    .map_err(|fault| explainer(core, plan, reading).raise(py, fault))
}

/// All faults of a value, at most so many, with who can put them into words.
pub fn faults<'a>(
    py: Python<'_>,
    core: &'a Core,
    plan: &'a Plan,
    reading: &Reading,
    most: usize,
) -> (Vec<Fault>, Explainer<'a>) {
    let root = core.tape().root();
    let found = with_run(core, plan, reading, |run| {
        typed::faults(py, core.tape().tokens(), root, &core.source(), run, most)
    });
    (found, explainer(core, plan, reading))
}

/// Does something with a run of a plan over a document.
fn with_run<R>(core: &Core, plan: &Plan, reading: &Reading, work: impl FnOnce(Run<'_>) -> R) -> R {
    let rules = &reading.typed_rules();
    let view = |py: Python<'_>, core: &Core, id| part(py, core, id, reading);
    work(Run {
        core: Some(core),
        view: Some(&view),
        ..Run::new(plan, rules, reading.show_input)
    })
}

fn explainer<'a>(core: &'a Core, plan: &'a Plan, reading: &Reading) -> Explainer<'a> {
    Explainer {
        plan,
        core,
        show_input: reading.show_input,
        outer: None,
    }
}

/// The view of a value in a document of its own.
fn part(py: Python<'_>, core: &Core, id: TokenId, reading: &Reading) -> PyResult<Obj> {
    let source = std::sync::Arc::new(core.value(id).raw().to_vec());
    let part = Core::parse(source, !core.options().is_unchecked(), *core.options())
        .map_err(|error| crate::errors::to_py(py, &error, None, false, reading.show_input))?;
    let document = Bound::new(py, Document::new(part, reading.clone(), None, None))?;
    let core = document.get().core(py)?;
    element::view(&document, &core, core.tape().root()).map(Obj::take)
}

/// A value of a document as an object of a type.
///
/// # Errors
/// As `loads`.
pub(super) fn to<'py>(
    document: &Document,
    core: &Core,
    id: TokenId,
    class: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = class.py();
    let settings = document.given_settings(py);
    let plan = plan::for_type(class, settings.as_ref())?;
    run_plan(py, core, id, plan.get(), document.reading()).map(|made| made.into_bound(py))
}

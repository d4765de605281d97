//! The plan of a type: compiled by `octad._contract`, and remembered here by the identity of the type.
//!
//! A repeated call then costs a comparison of two addresses. Type and settings are held as long as
//! they are remembered, so an address always means what it meant. Equal types that are other
//! objects (`list[int]` made anew) are found by the cache of the compiler.

use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use super::Plan;

/// Types that are remembered at most; a power of two.
const SLOTS: usize = 128;

struct Entry {
    class: Py<PyAny>,
    settings: Option<Py<PyAny>>,
    plan: Py<Plan>,
}

static PLANS: Mutex<[Option<Entry>; SLOTS]> = Mutex::new([const { None }; SLOTS]);

/// Adds the function to the module.
pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(forget_plans, module)?)
}

/// Forgets the plans of all types: what types say has changed without a change of the types.
#[pyfunction]
fn forget_plans() {
    for slot in 0..SLOTS {
        // What is let go of may run code that asks for plans.
        let entry = lock()[slot].take();
        drop(entry);
    }
}

fn lock() -> std::sync::MutexGuard<'static, [Option<Entry>; SLOTS]> {
    // A panic leaves the table whole: entries are only ever replaced.
    PLANS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The plan of a type, with the settings that were given.
///
/// # Errors
/// `ContractError`, and what the compiler raises.
#[inline]
pub fn for_type<'py>(
    class: &Bound<'py, PyAny>,
    settings: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, Plan>> {
    let slot = slot_of(class.as_ptr() as usize);
    if let Some(entry) = &lock()[slot]
        && entry.class.is(class)
        && entry.settings.as_ref().map(Py::as_ptr) == settings.map(Bound::as_ptr)
    {
        return Ok(entry.plan.bind(class.py()).clone());
    }
    compile(class, settings, slot)
}

/// The plan of a type that is read without the converter which is for it.
///
/// # Errors
/// As `for_type`.
pub fn without_converter<'py>(
    class: &Bound<'py, PyAny>,
    settings: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, Plan>> {
    let compile = class.py().import("octad._contract")?;
    let made = compile.call_method1("plan", (class, settings, true))?;
    Ok(made.cast_into::<Plan>()?)
}

#[cold]
fn compile<'py>(
    class: &Bound<'py, PyAny>,
    settings: Option<&Bound<'py, PyAny>>,
    slot: usize,
) -> PyResult<Bound<'py, Plan>> {
    static COMPILE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = class.py();
    if let Ok(plan) = class.cast::<Plan>() {
        return Ok(plan.clone());
    }
    let compile = COMPILE.import(py, "octad._contract", "plan")?;
    let made = compile.call1((class, settings))?;
    let plan = made.cast_into::<Plan>().map_err(|error| {
        let found = error.into_inner().get_type().name();
        let found = found.map_or_else(|_| "?".to_owned(), |name| name.to_string());
        PyTypeError::new_err(format!("expected a plan, found {found}"))
    })?;
    let entry = Entry {
        class: class.clone().unbind(),
        settings: settings.map(|settings| settings.clone().unbind()),
        plan: plan.clone().unbind(),
    };
    // Dropped after the lock: what is let go of may run code.
    let old = lock()[slot].replace(entry);
    drop(old);
    Ok(plan)
}

/// The place of a type: objects lie at regular distances, which a product spreads.
#[inline]
fn slot_of(address: usize) -> usize {
    const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
    ((address as u64 >> 4).wrapping_mul(MULTIPLIER) >> 40) as usize % SLOTS
}

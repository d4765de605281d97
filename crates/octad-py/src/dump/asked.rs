//! What `octad._contract` and `octad._converters` say about a class, asked once for each.
//!
//! Neither is imported for a class that cannot have anything to do with them: one that says nothing
//! of octad, in a call whose settings have no say, before anybody has imported them.

use std::rc::Rc;

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};

use super::classify::{Class, Unknown, derives, interned, loaded};
use super::contract::Contract;
use super::known::Scope;
use super::plans::Plan;
use crate::cpython::Fields;

const CONTRACTS: &str = "octad._contract";

/// What a class is by its contract; `None` if octad's own way is right.
pub fn contracted(class: &Bound<'_, PyType>, scope: &Scope) -> PyResult<Option<Class>> {
    let py = class.py();
    let is_record = is_record(class)?;
    let due = derives(class, "msgspec", "Struct")?
        || has_options(class)?
        || is_record
            && (scope.id != 0
                || has_hooks(class)?
                || is_loaded(py)?
                || declares_other_keys(class)?);
    if !due {
        return Ok(None);
    }
    let Some(said) = writing(class, scope)? else {
        return Ok(None);
    };
    if let Some(word) = said.get_item(intern!(py, "enum"))? {
        return Ok(Some(Class::Enum(word.eq("name")?)));
    }
    Ok(Some(Class::Record(plan(class, &said)?)))
}

/// The plan for a class that octad has no way for, by its annotations; asked once.
pub fn unknown(
    class: &Bound<'_, PyType>,
    unknown: &Unknown,
    scope: &Scope,
) -> PyResult<Option<Rc<Plan>>> {
    if let Some(plan) = unknown.plan.get() {
        return Ok(plan.clone());
    }
    let said = writing(class, scope)?;
    let plan = said.map(|said| plan(class, &said)).transpose()?;
    Ok(unknown.plan.get_or_init(|| plan).clone())
}

/// The converter for a class, if there is one that goes this way.
pub fn converter(
    class: &Bound<'_, PyType>,
    scope: &Scope,
    way: &str,
) -> PyResult<Option<Py<PyAny>>> {
    let py = class.py();
    if !scope.converts
        && class
            .getattr_opt(intern!(py, "__octad_contract__"))?
            .is_none()
        && !has_options(class)?
    {
        return Ok(None);
    }
    let find = py
        .import(intern!(py, "octad._converters"))?
        .getattr(intern!(py, "converter_for"))?;
    let found = find.call1((class, &scope.settings, way))?;
    Ok((!found.is_none()).then(|| found.unbind()))
}

/// The form that the type of a field gives to bytes in it, where no option says one.
pub fn bytes_form(class: &Bound<'_, PyType>, attribute: &str) -> PyResult<bool> {
    let py = class.py();
    let says = py
        .import(intern!(py, "octad._contract"))?
        .getattr(intern!(py, "says_bytes"))?;
    says.call1((class, attribute))?.extract()
}

fn is_loaded(py: Python<'_>) -> PyResult<bool> {
    Ok(loaded(py, CONTRACTS, "writing")?.is_some())
}

/// Whether the class declares fields.
fn is_record(class: &Bound<'_, PyType>) -> PyResult<bool> {
    let py = class.py();
    for name in [
        intern!(py, "__dataclass_fields__"),
        intern!(py, "__attrs_attrs__"),
    ] {
        if class.getattr_opt(name)?.is_some() {
            return Ok(true);
        }
    }
    Ok(class.is_subclass_of::<PyTuple>()? && class.getattr_opt(intern!(py, "_fields"))?.is_some())
}

/// Whether fields are declared to have dicts whose keys have no text.
fn declares_other_keys(class: &Bound<'_, PyType>) -> PyResult<bool> {
    let py = class.py();
    let declares = py
        .import(intern!(py, "octad._texts"))?
        .getattr(intern!(py, "declares_other_keys"))?;
    declares.call1((class,))?.extract()
}

fn has_hooks(class: &Bound<'_, PyType>) -> PyResult<bool> {
    let py = class.py();
    let before = class.getattr_opt(intern!(py, "__octad_before_dump__"))?;
    Ok(before.is_some()
        || class
            .getattr_opt(intern!(py, "__octad_after_dump__"))?
            .is_some())
}

/// Whether somebody has given the class a contract: it or an ancestor.
fn has_options(class: &Bound<'_, PyType>) -> PyResult<bool> {
    let py = class.py();
    match loaded(py, CONTRACTS, "has_contract")? {
        Some(has) => has.call1((class,))?.extract(),
        None => Ok(false),
    }
}

fn writing<'py>(class: &Bound<'py, PyType>, scope: &Scope) -> PyResult<Option<Bound<'py, PyDict>>> {
    let py = class.py();
    let writing = py
        .import(intern!(py, "octad._contract"))?
        .getattr(intern!(py, "writing"))?;
    let said = writing.call1((class, &scope.settings))?;
    if said.is_none() {
        return Ok(None);
    }
    Ok(Some(said.cast_into::<PyDict>()?))
}

/// The plan for what `writing` said.
fn plan(class: &Bound<'_, PyType>, said: &Bound<'_, PyDict>) -> PyResult<Rc<Plan>> {
    let (names, keys, contract) = Contract::read(said)?;
    let names = names.iter().map(interned).collect::<PyResult<Vec<_>>>()?;
    let keys = keys.iter().map(interned).collect::<PyResult<Vec<_>>>()?;
    let fields = Fields::renamed(class, names, keys);
    Ok(Rc::new(Plan::with_contract(fields, contract)))
}

//! What `octad.Settings` say about writing beyond the format's own options.

use std::sync::Arc;

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple, PyType};

use super::context::{Context, Dates, Keys, Overrides, Zones};
use super::known::Scope;
use super::rules::Rules;

/// What becomes of a container inside itself, and of one that is met twice.
#[derive(Default)]
pub struct Sharing {
    /// `null` in place of a container inside itself.
    pub null_cycles: bool,
    /// Containers met twice have an id.
    pub references: bool,
    /// Gives the ids.
    pub resolver: Option<Py<PyAny>>,
}

impl Sharing {
    /// Whether each container needs a look.
    pub fn is_on(&self) -> bool {
        self.null_cycles || self.references
    }
}

/// Reads settings into the rules of a call.
pub fn apply(settings: &Bound<'_, PyAny>, rules: &mut Rules) -> PyResult<()> {
    let py = settings.py();
    let get = |name: &str| settings.getattr(name);
    let is = |name: &str| get(name)?.is_truthy();
    let converters = get("converters")?;
    let converts = converters.is_truthy()?;
    let has_say = converts
        || !get("rename")?.is_none()
        || is("omit_none")?
        || is("omit_defaults")?
        || is("omit_empty")?
        || get("unknown")?.eq("keep")?;
    if has_say {
        rules.scope = Scope::of(settings, converts)?;
    }
    let keys = match get("rename_keys")? {
        named if named.is_none() => None,
        _ => {
            let policy = py
                .import(intern!(py, "octad._contract"))?
                .getattr(intern!(py, "key_policy"))?;
            Keys::read(&policy.call1((settings,))?)
        }
    };
    let context = Context {
        dates: Dates::read(&get("dates")?)?,
        zones: Zones::read(&get("zones")?)?,
        as_text: is("numbers_as_text")?,
        keys,
        overrides: if converts {
            overrides(settings)?.map(Arc::new)
        } else {
            None
        },
        ..Context::default()
    };
    if !context.is_plain() {
        rules.slow = context.is_slow();
        rules.context = Some(Arc::new(context));
    }
    let references = get("references")?;
    rules.sharing = Sharing {
        null_cycles: get("cycles")?.eq("null")?,
        references: references.is_truthy()? || !references.is_instance_of::<PyBool>(),
        resolver: (!references.is_instance_of::<PyBool>()).then(|| references.unbind()),
    };
    rules.slow |= rules.sharing.is_on();
    Ok(())
}

/// The converters for exact built-in types, if there is one.
fn overrides(settings: &Bound<'_, PyAny>) -> PyResult<Option<Overrides>> {
    let py = settings.py();
    let find = py
        .import(intern!(py, "octad._converters"))?
        .getattr(intern!(py, "converter_for"))?;
    let mut any = false;
    let mut of = |kind: Bound<'_, PyType>, way: &str| -> PyResult<Option<Py<PyAny>>> {
        let found = find.call1((kind, settings, way))?;
        any |= !found.is_none();
        Ok((!found.is_none()).then(|| found.unbind()))
    };
    let found = Overrides {
        str: of(py.get_type::<PyString>(), "write")?,
        int: of(py.get_type::<PyInt>(), "write")?,
        float: of(py.get_type::<PyFloat>(), "write")?,
        bool: of(py.get_type::<PyBool>(), "write")?,
        none: of(py.None().bind(py).get_type(), "write")?,
        list: of(py.get_type::<PyList>(), "write")?,
        dict: of(py.get_type::<PyDict>(), "write")?,
        tuple: of(py.get_type::<PyTuple>(), "write")?,
        str_key: of(py.get_type::<PyString>(), "write_key")?,
        int_key: of(py.get_type::<PyInt>(), "write_key")?,
    };
    Ok(any.then_some(found))
}

//! What a Python object is to a writer, decided by its class and remembered.
//!
//! Nothing is imported to find out: a class from a module that is not in `sys.modules` has no
//! instances. Answers are kept (`known`); "unsupported" is kept until something registers with an
//! abstract base class, which does not change the class.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyString, PyTuple, PyType};

use super::asked;
use super::known::{self, Scope};
use super::plans::Plan;
use crate::cpython::{Base, Fields, Obj, look_at_zones};
use crate::view;

/// The kinds of objects beyond exact built-in types.
#[derive(Clone)]
pub enum Class {
    /// A subclass of str.
    Str,
    /// A subclass of int.
    Int,
    /// A subclass of float.
    Float,
    /// A subclass of list that iterates as list does.
    List,
    /// A subclass of tuple that iterates as tuple does.
    Tuple,
    /// A subclass of dict that iterates as dict does.
    Dict,
    /// Any other mapping: by its `items()`.
    Mapping,
    /// Walked by its iterator.
    Iterable,
    /// bytes or a subclass.
    Bytes,
    /// bytearray or memoryview.
    Buffer,
    /// A dataclass or attrs class.
    Record(Rc<Plan>),
    /// A member of an enumeration; true: by its name.
    Enum(bool),
    /// A date and time.
    DateTime,
    /// A date and time of a subclass with its own `isoformat`.
    OwnDateTime,
    /// A date.
    Date,
    /// A time of day.
    Clock,
    /// A length of time.
    Delta,
    /// A UUID.
    Uuid,
    /// A decimal number.
    Decimal,
    /// A path of the file system.
    Path,
    /// What is written as its `str()`.
    Text,
    /// What a function of `octad._texts` makes of it is written.
    Told(Rc<Py<PyAny>>),
    /// A scalar of numpy.
    NumpyScalar,
    /// A date or time of numpy.
    NumpyTime,
    /// A length of time of numpy.
    NumpyDelta,
    /// An array of numpy.
    NumpyArray,
    /// The missing value of pandas.
    Missing,
    /// A ready fragment.
    Raw,
    /// A document or a view of one.
    Tape,
    /// Written by a converter of its own.
    Converted(Rc<Converted>),
    /// A model of pydantic.
    Model,
    /// None of these.
    Unsupported(Rc<Unknown>),
}

/// A class that octad has no way for by itself.
pub struct Unknown {
    /// What a user can do about it.
    pub hint: &'static str,
    /// The contract that its annotations amount to, once somebody asked.
    pub plan: OnceCell<Option<Rc<Plan>>>,
}

fn unsupported(hint: &'static str) -> Class {
    Class::Unsupported(Rc::new(Unknown {
        hint,
        plan: OnceCell::new(),
    }))
}

/// A class with converters of its own.
pub struct Converted {
    /// The one for values.
    pub converter: Option<Py<PyAny>>,
    /// The one for keys.
    pub key_converter: Option<Py<PyAny>>,
    /// What the class is without them.
    pub class: Class,
}

thread_local! {
    /// The token of the abstract base classes under which "unsupported" was found.
    static TOKEN: Cell<Option<u64>> = const { Cell::new(None) };
}

/// The class of an object that is not of an exact built-in type.
pub fn classify(py: Python<'_>, object: &Obj, scope: &Scope) -> PyResult<Class> {
    if let Some(stamp) = object.item().type_stamp()
        && let Some(class) = known::remembered(stamp, scope.id)
        && (!matches!(class, Class::Unsupported(_)) || is_still_unsupported(object.bind(py))?)
    {
        return Ok(class);
    }
    let generation = known::generation();
    let class = examine(object.bind(py), object.item().base(), scope)?;
    if (!matches!(class, Class::Unsupported(_)) || is_still_unsupported(object.bind(py))?)
        && let Some(stamp) = object.item().type_stamp()
    {
        known::remember(stamp, scope.id, generation, &class);
    }
    Ok(class)
}

/// Whether what was found out about unsupported classes holds: nothing has been registered with an
/// abstract base class since, and the object does not say that it is of another class.
#[cold]
fn is_still_unsupported(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    static TOKEN_OF: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = object.py();
    let token = TOKEN_OF.import(py, "abc", "get_cache_token")?.call0()?;
    let token: Option<u64> = token.extract().ok();
    if TOKEN.replace(token) != token {
        // Answers from before the registration are dropped.
        known::forget_unsupported();
        return Ok(false);
    }
    Ok(object
        .getattr(intern!(py, "__class__"))?
        .is(object.get_type()))
}

/// A class of a module, if the module has been imported.
pub(super) fn loaded<'py>(
    py: Python<'py>,
    module: &str,
    name: &str,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let modules = py
        .import(intern!(py, "sys"))?
        .getattr(intern!(py, "modules"))?;
    let Ok(modules) = modules.cast_into::<PyDict>() else {
        return Ok(None);
    };
    match modules.get_item(module)? {
        Some(module) => module.getattr_opt(name),
        None => Ok(None),
    }
}

/// Whether `class` derives from a class of a module.
pub(super) fn derives(class: &Bound<'_, PyType>, module: &str, name: &str) -> PyResult<bool> {
    match loaded(class.py(), module, name)? {
        Some(base) => match base.cast::<PyType>() {
            Ok(base) => class.is_subclass(base),
            Err(_) => Ok(false),
        },
        None => Ok(false),
    }
}

/// Whether `class` inherits the attribute from `base` unchanged.
fn inherits(class: &Bound<'_, PyType>, base: &Bound<'_, PyType>, name: &str) -> PyResult<bool> {
    Ok(class.getattr(name)?.is(&base.getattr(name)?))
}

fn examine(object: &Bound<'_, PyAny>, base: Base, scope: &Scope) -> PyResult<Class> {
    let class = object.get_type();
    if base == Base::Type {
        return Ok(unsupported(" (a class is not a value)"));
    }
    if object.is_instance_of::<super::raw::Raw>() {
        return Ok(Class::Raw);
    }
    if view::is_tape(object) {
        return Ok(Class::Tape);
    }
    let converter = asked::converter(&class, scope, "write")?;
    let key_converter = asked::converter(&class, scope, "write_key")?;
    let found = unconverted(object, base, scope)?;
    if converter.is_none() && key_converter.is_none() {
        return Ok(found);
    }
    Ok(Class::Converted(Rc::new(Converted {
        converter,
        key_converter,
        class: found,
    })))
}

/// What a class is that has no converter.
fn unconverted(object: &Bound<'_, PyAny>, base: Base, scope: &Scope) -> PyResult<Class> {
    let py = object.py();
    let class = object.get_type();
    if let Some(found) = asked::contracted(&class, scope)? {
        return Ok(found);
    }
    if derives(&class, "octad._contract.fields", "UnsetType")? {
        return Ok(unsupported(
            " (a value that is not set: it is left out only of a field whose type says so)",
        ));
    }
    if derives(&class, "enum", "Enum")? {
        return Ok(Class::Enum(false));
    }
    if derives(&class, "pydantic.main", "BaseModel")? {
        return Ok(Class::Model);
    }
    match base {
        Base::Str => return Ok(Class::Str),
        Base::Int => return Ok(Class::Int),
        Base::Float => return Ok(Class::Float),
        Base::List | Base::Tuple | Base::Dict => return container(&class, base),
        Base::Bytes => return Ok(Class::Bytes),
        Base::ByteArray => return Ok(Class::Buffer),
        Base::Object | Base::Type => {}
    }
    if let Some(fields) = record(&class)? {
        return Ok(Class::Record(Rc::new(Plan::new(fields))));
    }
    if let Some(found) = dates(&class)? {
        return Ok(found);
    }
    if let Some(found) = told(&class)? {
        return Ok(found);
    }
    if let Some(found) = numpy(&class)? {
        return Ok(found);
    }
    if derives(&class, "uuid", "UUID")? {
        return Ok(Class::Uuid);
    }
    if derives(&class, "decimal", "Decimal")? {
        return Ok(Class::Decimal);
    }
    if class.getattr_opt(intern!(py, "__fspath__"))?.is_some() {
        return Ok(Class::Path);
    }
    for name in [
        "IPv4Address",
        "IPv6Address",
        "IPv4Network",
        "IPv6Network",
        "IPv4Interface",
        "IPv6Interface",
    ] {
        if derives(&class, "ipaddress", name)? {
            return Ok(Class::Text);
        }
    }
    if derives(&class, "collections", "UserString")? || derives(&class, "fractions", "Fraction")? {
        return Ok(Class::Text);
    }
    if object.is_instance_of::<pyo3::types::PyMemoryView>() {
        return Ok(Class::Buffer);
    }
    abstract_kind(object)
}

/// A subclass of list, tuple or dict: its declared fields, or what it iterates over, or what it
/// stores where it leaves iterating to its base.
fn container(class: &Bound<'_, PyType>, base: Base) -> PyResult<Class> {
    let py = class.py();
    if let Some(fields) = record(class)? {
        return Ok(Class::Record(Rc::new(Plan::new(fields))));
    }
    Ok(match base {
        Base::Dict => {
            let dict = py.get_type::<PyDict>();
            if inherits(class, &dict, "items")? && inherits(class, &dict, "__iter__")? {
                Class::Dict
            } else {
                Class::Mapping
            }
        }
        Base::List if inherits(class, &py.get_type::<PyList>(), "__iter__")? => Class::List,
        Base::Tuple if inherits(class, &py.get_type::<PyTuple>(), "__iter__")? => Class::Tuple,
        _ => Class::Iterable,
    })
}

/// By the abstract base classes, which a class may also be registered with.
fn abstract_kind(object: &Bound<'_, PyAny>) -> PyResult<Class> {
    let py = object.py();
    let is = |name: &str| -> PyResult<bool> {
        match loaded(py, "collections.abc", name)? {
            Some(base) => object.is_instance(&base),
            None => Ok(false),
        }
    };
    if is("Mapping")? {
        return Ok(Class::Mapping);
    }
    if is("Set")? || is("Sequence")? || is("ValuesView")? {
        return Ok(Class::Iterable);
    }
    let array = loaded(py, "array", "array")?;
    if let Some(array) = array
        && object.is_instance(&array)?
    {
        return Ok(Class::Iterable);
    }
    if is("Iterator")? {
        return Ok(unsupported(
            " (an iterator can be read only once: make it a list, or pass `default=list`)",
        ));
    }
    Ok(unsupported(
        " (pass `default=`, a function that turns it into a value that can)",
    ))
}

/// The fields of a dataclass or attrs class.
fn record(class: &Bound<'_, PyType>) -> PyResult<Option<Fields>> {
    let py = class.py();
    if let Some(fields) = class.getattr_opt(intern!(py, "__dataclass_fields__"))?
        && let Ok(fields) = fields.cast::<PyDict>()
    {
        let mut names = Vec::with_capacity(fields.len());
        for (name, field) in fields.iter() {
            // `ClassVar` and `InitVar` are listed too, as fields of another kind.
            let kind = field.getattr(intern!(py, "_field_type"))?;
            if kind.getattr(intern!(py, "name"))?.eq("_FIELD")? {
                names.push(interned(&name)?);
            }
        }
        return Ok(Some(Fields::new(class, names)));
    }
    if let Some(fields) = class.getattr_opt(intern!(py, "__attrs_attrs__"))?
        && let Ok(fields) = fields.cast::<PyTuple>()
    {
        let mut names = Vec::with_capacity(fields.len());
        for field in fields.iter() {
            names.push(interned(&field.getattr(intern!(py, "name"))?)?);
        }
        return Ok(Some(Fields::new(class, names)));
    }
    Ok(None)
}

pub(super) fn interned(name: &Bound<'_, PyAny>) -> PyResult<Py<PyString>> {
    Ok(name.cast::<PyString>()?.clone().unbind())
}

fn dates(class: &Bound<'_, PyType>) -> PyResult<Option<Class>> {
    let py = class.py();
    if derives(class, "datetime", "datetime")? {
        if class.name()?.to_string_lossy() == "NaTType" {
            return Ok(Some(Class::Missing));
        }
        look_at_zones(py);
        let base = py.get_type::<pyo3::types::PyDateTime>();
        return Ok(Some(if inherits(class, &base, "isoformat")? {
            Class::DateTime
        } else {
            Class::OwnDateTime
        }));
    }
    for (name, found) in [
        ("date", Class::Date),
        ("time", Class::Clock),
        ("timedelta", Class::Delta),
    ] {
        if derives(class, "datetime", name)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// What has a text, or members, that is not its `str()`.
fn told(class: &Bound<'_, PyType>) -> PyResult<Option<Class>> {
    let py = class.py();
    for (module, name, function) in [
        ("builtins", "complex", "of_complex"),
        ("numpy", "complexfloating", "of_complex"),
        ("datetime", "timezone", "of_timezone"),
        ("zoneinfo", "ZoneInfo", "of_zone"),
        ("re", "Pattern", "of_pattern"),
        ("types", "SimpleNamespace", "of_namespace"),
    ] {
        if derives(class, module, name)? {
            let told = py.import(intern!(py, "octad._texts"))?.getattr(function)?;
            return Ok(Some(Class::Told(Rc::new(told.unbind()))));
        }
    }
    Ok(None)
}

fn numpy(class: &Bound<'_, PyType>) -> PyResult<Option<Class>> {
    for (module, name, found) in [
        ("numpy", "ndarray", Class::NumpyArray),
        ("numpy", "datetime64", Class::NumpyTime),
        ("numpy", "timedelta64", Class::NumpyDelta),
        ("numpy", "generic", Class::NumpyScalar),
        ("pandas._libs.missing", "NAType", Class::Missing),
    ] {
        if derives(class, module, name)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

//! The spec dict of a record as a [`Record`].

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple, PyType};

use super::build::{
    Arguments, callable, class, pair_of, pairs, text, too_many, truth, tuple, unknown, wrong,
};
use super::names::Names;
use super::record::{Default, Field, KEPT, Make, Record, Shape, Unknown};
use crate::cpython::Maker;

/// What a spec may say.
const KNOWN: [&str; 18] = [
    "cls", "name", "make", "maker", "shape", "fields", "flatten", "extra", "unknown", "case",
    "tag", "before", "after", "frozen", "describe", "doc", "known", "beside",
];

const POSITIONAL: u32 = 1;
const SET_AFTER: u32 = 2;

/// The record of a node's first argument.
///
/// # Errors
/// `TypeError`, `ValueError`.
pub(super) fn record(arguments: &Arguments<'_, '_>) -> PyResult<Record> {
    let spec = arguments.get(1)?;
    let spec = spec.cast::<PyDict>().map_err(|_| wrong("a dict", &spec))?;
    for name in spec.keys() {
        let name = text(&name)?;
        if !KNOWN.contains(&name.as_str()) {
            return Err(unknown("part of a record", &name));
        }
    }
    let get =
        |name: &str| -> PyResult<_> { Ok(spec.get_item(name)?.filter(|given| !given.is_none())) };
    let class = get("cls")?.map(|given| class(&given)).transpose()?;
    let name = match (get("name")?, &class) {
        (Some(given), _) => text(&given)?,
        (None, Some(class)) => class.bind(spec.py()).name()?.to_string(),
        (None, None) => "object".to_owned(),
    };
    let before = get("before")?.map(|hook| callable(&hook)).transpose()?;
    let shape = match get("shape")?
        .map(|given| text(&given))
        .transpose()?
        .as_deref()
    {
        None | Some("object") => Shape::Object,
        Some("array") => Shape::Array,
        Some("either") => Shape::Either,
        Some(other) => return Err(unknown("shape of records", other)),
    };
    let fields = match get("fields")? {
        Some(given) => tuple(&given)?
            .iter()
            .map(|given| field(arguments, &given))
            .collect::<PyResult<Vec<_>>>()?,
        None => Vec::new(),
    };
    let make = make(
        get("make")?,
        get("maker")?,
        class.as_ref(),
        &fields,
        spec.py(),
    )?;
    let flatten = match get("flatten")? {
        Some(given) => pairs(&given)?
            .iter()
            .map(|(attribute, node)| Ok((name_of(attribute)?, arguments.index(node)?)))
            .collect::<PyResult<Box<[_]>>>()?,
        None => Box::default(),
    };
    let extra = get("extra")?.map(|given| text(&given)).transpose()?;
    let unknown = match get("unknown")?
        .map(|given| text(&given))
        .transpose()?
        .as_deref()
    {
        None | Some("ignore") => Unknown::Ignore,
        Some("forbid") => Unknown::Forbid,
        Some("keep") => Unknown::Keep,
        Some(other) => return Err(self::unknown("policy for unknown keys", other)),
    };
    let (extra, unknown) = match extra {
        Some(name) if name == KEPT => (None, Unknown::Keep),
        Some(name) => (Some(PyString::intern(spec.py(), &name).unbind()), unknown),
        None => (None, unknown),
    };
    let folded = match get("case")? {
        Some(given) => !truth(&given)?,
        None => false,
    };
    let tag: Option<(Box<str>, Py<PyAny>)> = match get("tag")? {
        Some(given) => {
            let (field, value) = pair_of(&given)?;
            Some((text(&field)?.into(), value.unbind()))
        }
        None => None,
    };
    let after = match get("after")? {
        Some(given) => tuple(&given)?
            .iter()
            .map(|hook| callable(&hook))
            .collect::<PyResult<Box<[_]>>>()?,
        None => Box::default(),
    };
    let frozen = match get("frozen")? {
        Some(given) => truth(&given)?,
        None => false,
    };
    let known = match get("known")? {
        Some(given) => tuple(&given)?
            .iter()
            .map(|name| text(&name))
            .collect::<PyResult<Vec<_>>>()?,
        None => Vec::new(),
    };
    let beside = match get("beside")? {
        Some(given) => truth(&given)?,
        None => false,
    };
    let named = named(&fields)?;
    let tag_field = tag.as_ref().map(|(field, _)| &**field);
    let names = names(&fields[..named], tag_field, known, folded)?;
    let simple = flatten.is_empty()
        && extra.is_none()
        && unknown == Unknown::Ignore
        && tag.is_none()
        && !beside
        && shape == Shape::Object
        && before.is_none()
        && !matches!(make, Make::Validator(_));
    Ok(Record {
        class,
        name: name.into(),
        make,
        shape,
        fields: fields.into_iter().map(|(field, _)| field).collect(),
        usual: Box::default(),
        named,
        names,
        flatten,
        extra,
        unknown,
        tag,
        before,
        after,
        frozen,
        beside,
        simple,
    })
}

fn make(
    given: Option<Bound<'_, PyAny>>,
    maker: Option<Bound<'_, PyAny>>,
    class: Option<&Py<PyType>>,
    fields: &[(Field, Vec<String>)],
    py: Python<'_>,
) -> PyResult<Make> {
    let maker = || match &maker {
        Some(maker) => callable(maker),
        None => Err(PyTypeError::new_err("expected a maker, found none")),
    };
    let class = || match class {
        Some(class) => Ok(class.bind(py)),
        None => Err(PyTypeError::new_err("expected a class, found none")),
    };
    Ok(
        match given.map(|given| text(&given)).transpose()?.as_deref() {
            Some("direct") => {
                let names = fields.iter();
                let names = names.map(|(field, _)| field.attribute.clone_ref(py));
                Make::Direct(Maker::new(class()?, names.collect()))
            }
            Some("call") => Make::Call(maker()?),
            Some("tuple") if class()?.is_subclass_of::<PyTuple>()? => Make::Tuple,
            Some("tuple") => return Err(PyTypeError::new_err("expected a class of tuples")),
            None | Some("dict") => Make::Dict,
            Some("validator") => Make::Validator(maker()?),
            Some(other) => return Err(unknown("way to make a record", other)),
        },
    )
}

/// A field with its names.
fn field(
    arguments: &Arguments<'_, '_>,
    given: &Bound<'_, PyAny>,
) -> PyResult<(Field, Vec<String>)> {
    let given = tuple(given)?;
    if given.len() != 6 {
        return Err(PyTypeError::new_err("expected a field as a tuple of six"));
    }
    let names = tuple(&given.get_item(1)?)?
        .iter()
        .map(|name| text(&name))
        .collect::<PyResult<Vec<_>>>()?;
    let wire = names.first().map_or("", String::as_str);
    let default = given.get_item(4)?;
    let default = match given.get_item(3)?.extract::<u8>()? {
        0 => Default::Required,
        1 => Default::Value(default.unbind()),
        2 => factory(&default)?,
        3 => Default::Absent,
        other => return Err(unknown("kind of default", &other.to_string())),
    };
    let flags = given.get_item(5)?.extract::<u32>()?;
    let field = Field {
        attribute: name_of(&given.get_item(0)?)?,
        wire: wire.into(),
        node: arguments.index(&given.get_item(2)?)?,
        default,
        positional: flags & POSITIONAL != 0,
        set_after: flags & SET_AFTER != 0,
    };
    Ok((field, names))
}

fn factory(given: &Bound<'_, PyAny>) -> PyResult<Default> {
    let py = given.py();
    Ok(if given.is(py.get_type::<pyo3::types::PyList>()) {
        Default::NewList
    } else if given.is(py.get_type::<PyDict>()) {
        Default::NewDict
    } else if given.is(py.get_type::<pyo3::types::PySet>()) {
        Default::NewSet
    } else {
        Default::Factory(callable(given)?)
    })
}

/// How many fields have a name. Those without one only get their default, and stand last.
fn named(fields: &[(Field, Vec<String>)]) -> PyResult<usize> {
    let named = fields.iter().take_while(|(_, names)| !names.is_empty());
    let named = named.count();
    for (field, names) in &fields[named..] {
        if !names.is_empty() {
            return Err(PyValueError::new_err("expected a name of a field"));
        }
        if matches!(field.default, Default::Required) {
            return Err(PyValueError::new_err(
                "expected a default of a field without a name",
            ));
        }
    }
    Ok(named)
}

/// Field `n` is name `n`; aliases, the tag and what is only known come behind.
fn names(
    fields: &[(Field, Vec<String>)],
    tag: Option<&str>,
    known: Vec<String>,
    folded: bool,
) -> PyResult<Names> {
    let first = fields.iter().enumerate();
    let first = first.map(|(number, (_, names))| (names[0].clone(), number as u32));
    let aliases = fields.iter().enumerate().flat_map(|(number, (_, names))| {
        names[1..]
            .iter()
            .map(move |name| (name.clone(), number as u32))
    });
    let tag = tag.map(|field| (field.to_owned(), Record::TAG));
    let known = known.into_iter().map(|name| (name, Record::KNOWN));
    let all = first.chain(aliases).chain(tag).chain(known);
    Names::new(all, folded).ok_or_else(too_many)
}

/// The one str of a name: attributes are found by its address.
fn name_of(given: &Bound<'_, PyAny>) -> PyResult<Py<PyString>> {
    let name = given
        .cast::<PyString>()
        .map_err(|_| wrong("a str", given))?;
    Ok(PyString::intern(given.py(), name.to_str()?).unbind())
}

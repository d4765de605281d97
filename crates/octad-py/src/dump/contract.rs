//! What a contract says about writing a class: the answer of `octad._contract.writing`, taken apart.
//!
//! The names of fields stand in the plan; here is what goes beyond. A class whose contract only
//! renames, orders or leaves out fields for good has none of this and is written as any other.

use std::rc::Rc;

use octad_core::formats::json::BytesPolicy;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use super::classify::loaded;
use super::context::{self, Dates, Keys, Pairs, Zones};

/// Beyond names: how instances of a class are written.
pub struct Contract {
    /// One for each field.
    pub rules: Box<[FieldRule]>,
    /// An array of the values.
    pub array: bool,
    /// Which class it is.
    pub tag: Option<Tag>,
    /// The attribute whose entries follow the fields.
    pub extra: Option<Py<PyString>>,
    /// Called with the object before; what it returns may stand for the object.
    pub before: Option<Py<PyAny>>,
    /// Called with the object when it is written.
    pub after: Option<Py<PyAny>>,
    /// All entries are gathered before the first is written.
    pub gathered: bool,
}

/// What tells readers which class an object is.
pub struct Tag {
    pub field: Py<PyString>,
    /// A str or an int.
    pub value: Py<PyAny>,
    pub place: TagPlace,
}

/// Where the tag stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum TagPlace {
    /// The first entry of the object.
    Inside,
    /// An entry of the record that the object is in.
    Beside,
    /// The only key of an object around.
    Around,
}

/// When a field is left out.
pub mod omit {
    pub const NONE: u8 = 1;
    pub const DEFAULT: u8 = 2;
    pub const EMPTY: u8 = 4;
    pub const UNSET: u8 = 8;
}

/// The default of a field.
pub enum Default {
    None,
    Value(Py<PyAny>),
    Factory(Py<PyAny>),
    /// The attribute may be missing.
    Absent,
}

/// One field.
pub struct FieldRule {
    /// The bits of [`omit`].
    pub omit: u8,
    pub default: Default,
    /// Called with the value: true leaves the field out.
    pub omit_if: Option<Py<PyAny>>,
    pub converter: Option<Rc<FieldConverter>>,
    pub item_converter: Option<Rc<FieldConverter>>,
    pub flatten: bool,
    /// Called with the value: gives what is written by the declared type of the field.
    pub shape: Option<Py<PyAny>>,
    /// What holds for all that is in the field.
    pub own: Option<Own>,
}

/// A converter that a field names, for its value or for each item of it.
pub struct FieldConverter {
    pub converter: Py<PyAny>,
    /// It writes None, too; otherwise that is null without a question.
    pub takes_none: bool,
}

/// What a field says about the values in it, over what holds for the call.
#[derive(std::default::Default)]
pub struct Own {
    pub dates: Option<Dates>,
    pub zones: Option<Zones>,
    pub bytes: Option<BytesPolicy>,
    pub as_text: Option<bool>,
    pub keys: Option<Keys>,
    pub pairs: Option<Pairs>,
}

/// Names of attributes, keys, and what goes beyond; taken from an answer.
type Read<'py> = (
    Vec<Bound<'py, PyAny>>,
    Vec<Bound<'py, PyAny>>,
    Option<Box<Contract>>,
);

impl Contract {
    /// Takes an answer apart.
    pub fn read<'py>(said: &Bound<'py, PyDict>) -> PyResult<Read<'py>> {
        let get = |name: &str| -> PyResult<Option<Bound<'py, PyAny>>> {
            Ok(said.get_item(name)?.filter(|value| !value.is_none()))
        };
        let extra = match get("extra")? {
            Some(extra) => Some(extra.cast_into::<PyString>()?.unbind()),
            None => None,
        };
        let (mut names, mut keys, mut rules) = (Vec::new(), Vec::new(), Vec::new());
        let rows = get("fields")?;
        for row in rows
            .map(|rows| rows.cast_into::<PyTuple>())
            .transpose()?
            .iter()
            .flatten()
        {
            let row = row.cast_into::<PyTuple>()?;
            let name = row.get_item(0)?;
            if extra
                .as_ref()
                .is_some_and(|extra| name.eq(extra).unwrap_or(false))
            {
                continue;
            }
            names.push(name);
            keys.push(row.get_item(1)?);
            rules.push(FieldRule::read(&row)?);
        }
        let tag = match get("tag")? {
            Some(tag) => Some(Tag::read(&tag.cast_into::<PyTuple>()?)?),
            None => None,
        };
        let array = get("array")?.is_some_and(|array| array.is_truthy().unwrap_or(false));
        let own = Self {
            gathered: !array && (extra.is_some() || rules.iter().any(|rule| rule.flatten)),
            rules: rules.into(),
            array,
            tag,
            extra,
            before: get("before")?.map(Bound::unbind),
            after: get("after")?.map(Bound::unbind),
        };
        let plain = own.is_plain();
        Ok((names, keys, (!plain).then(|| Box::new(own))))
    }

    fn is_plain(&self) -> bool {
        !self.array
            && self.tag.is_none()
            && self.extra.is_none()
            && self.before.is_none()
            && self.after.is_none()
            && self.rules.iter().all(FieldRule::is_plain)
    }
}

impl Tag {
    fn read(said: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let place = said.get_item(2)?;
        Ok(Self {
            field: said.get_item(0)?.cast_into::<PyString>()?.unbind(),
            value: said.get_item(1)?.unbind(),
            place: match place.cast::<PyString>()?.to_str()? {
                "beside" => TagPlace::Beside,
                "around" => TagPlace::Around,
                _ => TagPlace::Inside,
            },
        })
    }
}

impl FieldRule {
    fn read(row: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let default = row.get_item(4)?;
        let own = row.get_item(6)?;
        let own = own.cast::<PyDict>().ok();
        let get = |name: &str| -> PyResult<Option<Py<PyAny>>> {
            let value = own.map(|own| own.get_item(name)).transpose()?.flatten();
            Ok(value.filter(|value| !value.is_none()).map(Bound::unbind))
        };
        let omit_if = row.get_item(5)?;
        Ok(Self {
            omit: row.get_item(2)?.extract()?,
            default: match row.get_item(3)?.extract()? {
                1 => Default::Value(default.unbind()),
                2 => Default::Factory(default.unbind()),
                3 => Default::Absent,
                _ => Default::None,
            },
            omit_if: (!omit_if.is_none()).then(|| omit_if.unbind()),
            converter: get("converter")?
                .map(|said| FieldConverter::read(said.bind(row.py())))
                .transpose()?,
            item_converter: get("item_converter")?
                .map(|said| FieldConverter::read(said.bind(row.py())))
                .transpose()?,
            flatten: get("flatten")?.is_some(),
            shape: get("shape")?,
            own: match own {
                Some(own) => Own::read(own)?,
                None => None,
            },
        })
    }

    fn is_plain(&self) -> bool {
        self.omit == 0
            && !matches!(self.default, Default::Absent)
            && self.omit_if.is_none()
            && self.converter.is_none()
            && self.item_converter.is_none()
            && !self.flatten
            && self.shape.is_none()
            && self.own.is_none()
    }
}

impl FieldConverter {
    fn read(said: &Bound<'_, PyAny>) -> PyResult<Rc<Self>> {
        let (converter, takes_none) = said.extract()?;
        Ok(Rc::new(Self {
            converter,
            takes_none,
        }))
    }
}

impl Own {
    /// `None` where the field says nothing of this.
    fn read(said: &Bound<'_, PyDict>) -> PyResult<Option<Self>> {
        let mut own = Self::default();
        let mut any = false;
        for (name, value) in said {
            let name = name.cast::<PyString>()?.to_str()?.to_owned();
            any |= match name.as_str() {
                "dates" => {
                    own.dates = Some(Dates::read(&value)?);
                    true
                }
                "zones" => {
                    own.zones = Some(Zones::read(&value)?);
                    true
                }
                "bytes" => {
                    own.bytes = context::bytes_policy(&value)?;
                    true
                }
                "as_text" => {
                    own.as_text = Some(value.is_truthy()?);
                    true
                }
                "keys" => {
                    own.keys = Keys::read(&value);
                    true
                }
                "pairs" => {
                    own.pairs = value.is_truthy()?.then_some(Pairs::Always);
                    true
                }
                _ => false,
            };
        }
        Ok(any.then_some(own))
    }
}

/// The objects that stand for a field which is not set.
pub fn unset(py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
    let mut found = Vec::new();
    for module in ["octad._contract.fields", "msgspec"] {
        if let Some(object) = loaded(py, module, "UNSET")? {
            found.push(object.unbind());
        }
    }
    Ok(found)
}

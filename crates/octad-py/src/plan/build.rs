//! Node tuples, as Python hands them over, as nodes. Whatever is wrong with them is a TypeError or
//! ValueError that names the node.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFrozenSet, PyInt, PyString, PyTuple, PyType};

use super::names::Names;
use super::node::{
    BytesForm, BytesKind, Call, Checked, Checks, Convert, Node, NodeId, Row, Sequence, Shaped,
    TagPlace, Tagged, Time, TimeForm, TimeKind, UNION_KINDS, Union, Zones,
};
use super::record_build::record;
use super::table::Table;

/// The arguments of one node tuple.
pub(super) struct Arguments<'a, 'py> {
    tuple: &'a Bound<'py, PyTuple>,
    /// How many nodes there are.
    nodes: usize,
}

/// The node of a tuple; `nodes` is how many there are.
///
/// # Errors
/// `TypeError`, `ValueError`.
pub fn node(tuple: &Bound<'_, PyAny>, nodes: usize) -> PyResult<Node> {
    let tuple = tuple
        .cast::<PyTuple>()
        .map_err(|_| wrong("a tuple", tuple))?;
    let arguments = Arguments { tuple, nodes };
    let op = arguments.text(0)?;
    arguments.node(&op)
}

impl<'py> Arguments<'_, 'py> {
    fn node(&self, op: &str) -> PyResult<Node> {
        Ok(match op {
            "any" => Node::Any,
            "none" => Node::None,
            "bool" => Node::Bool,
            "str" => Node::Str,
            "int" => Node::Int(self.truth(1)?),
            "float" => Node::Float(self.truth(1)?),
            "decimal" => Node::Decimal,
            "bytes" => Node::Bytes(BytesKind::Bytes, self.bytes_form()?),
            "bytearray" => Node::Bytes(BytesKind::ByteArray, self.bytes_form()?),
            "memoryview" => Node::Bytes(BytesKind::MemoryView, self.bytes_form()?),
            "datetime" => self.time(TimeKind::DateTime)?,
            "date" => self.time(TimeKind::Date)?,
            "time" => self.time(TimeKind::Time)?,
            "timedelta" => self.time(TimeKind::TimeDelta)?,
            "uuid" => Node::Uuid,
            "list" => Node::Sequence(Sequence::List, self.child(1)?),
            "set" => Node::Sequence(Sequence::Set, self.child(1)?),
            "frozenset" => Node::Sequence(Sequence::FrozenSet, self.child(1)?),
            "tuple" => Node::Sequence(Sequence::Tuple, self.child(1)?),
            "row" => Node::Row(Box::new(self.row()?)),
            "dict" => Node::Dict(self.child(1)?, self.child(2)?),
            "pairs" => Node::Pairs(self.child(1)?, self.child(2)?),
            "table" => Node::Table(Box::new(self.table()?)),
            "record" => Node::Record(Box::new(record(self)?)),
            "union" => Node::Union(Box::new(self.union()?)),
            "tagged" => Node::Tagged(Box::new(self.tagged()?)),
            "shaped" => Node::Shaped(Box::new(self.shaped()?)),
            "call" => Node::Call(Box::new(Call {
                child: self.child(1)?,
                callable: self.callable(2)?,
                expected: self.text(3)?.into(),
            })),
            "checked" => Node::Checked(Box::new(Checked {
                child: self.child(1)?,
                checks: self.checks()?,
            })),
            "convert" => Node::Convert(Box::new(Convert {
                converter: self.get(1)?.unbind(),
                class: self.optional(2)?.map(Bound::unbind),
            })),
            "raw" => Node::Raw,
            "view" => Node::View,
            _ => return Err(PyValueError::new_err(format!("unknown op {op:?}"))),
        })
    }

    pub(super) fn py(&self) -> Python<'py> {
        self.tuple.py()
    }

    pub(super) fn get(&self, at: usize) -> PyResult<Bound<'py, PyAny>> {
        self.tuple
            .get_item(at)
            .map_err(|_| PyTypeError::new_err(format!("expected an argument {at}, found none")))
    }

    fn optional(&self, at: usize) -> PyResult<Option<Bound<'py, PyAny>>> {
        if at >= self.tuple.len() {
            return Ok(None);
        }
        Ok(Some(self.get(at)?).filter(|given| !given.is_none()))
    }

    fn truth(&self, at: usize) -> PyResult<bool> {
        match self.optional(at)? {
            Some(given) => truth(&given),
            None => Ok(false),
        }
    }

    fn text(&self, at: usize) -> PyResult<String> {
        text(&self.get(at)?)
    }

    fn callable(&self, at: usize) -> PyResult<Py<PyAny>> {
        callable(&self.get(at)?)
    }

    fn child(&self, at: usize) -> PyResult<NodeId> {
        self.index(&self.get(at)?)
    }

    /// The number of another node.
    pub(super) fn index(&self, given: &Bound<'py, PyAny>) -> PyResult<NodeId> {
        if !given.is_exact_instance_of::<PyInt>() {
            return Err(wrong("the number of a node", given));
        }
        match given.extract::<NodeId>() {
            Ok(id) if (id as usize) < self.nodes => Ok(id),
            _ => Err(PyValueError::new_err(format!(
                "expected the number of one of {} nodes, found {}",
                self.nodes,
                given.str()?
            ))),
        }
    }

    fn indexes(&self, given: &Bound<'py, PyAny>) -> PyResult<Box<[NodeId]>> {
        let found = tuple(given)?;
        found.iter().map(|item| self.index(&item)).collect()
    }

    fn bytes_form(&self) -> PyResult<BytesForm> {
        let Some(given) = self.optional(1)? else {
            return Ok(BytesForm::Any);
        };
        Ok(match text(&given)?.as_str() {
            "base64" => BytesForm::Base64,
            "base64url" => BytesForm::Base64Url,
            "hex" => BytesForm::Hex,
            "array" => BytesForm::Array,
            "any" => BytesForm::Any,
            other => return Err(unknown("form of bytes", other)),
        })
    }

    fn time(&self, kind: TimeKind) -> PyResult<Node> {
        let form = match self.optional(1)? {
            None => TimeForm::Text,
            Some(given) => match text(&given)?.as_str() {
                "rfc3339" | "iso" => TimeForm::Text,
                "epoch" | "seconds" => TimeForm::Seconds,
                "epoch_ms" => TimeForm::Milliseconds,
                "microsoft" => TimeForm::Microsoft,
                form if form.contains('%') => {
                    TimeForm::Pattern(given.cast_into::<PyString>()?.unbind())
                }
                other => return Err(unknown("form of dates", other)),
            },
        };
        let fits = match form {
            TimeForm::Text => true,
            TimeForm::Seconds => kind != TimeKind::Time,
            TimeForm::Milliseconds | TimeForm::Microsoft => {
                matches!(kind, TimeKind::DateTime | TimeKind::Date)
            }
            TimeForm::Pattern(_) => kind != TimeKind::TimeDelta,
        };
        if !fits {
            return Err(PyValueError::new_err("a form of dates that does not fit"));
        }
        let zones = match self.optional(2)? {
            None => Zones::Keep,
            Some(given) => match text(&given)?.as_str() {
                "keep" => Zones::Keep,
                "utc" => Zones::Utc,
                "naive-error" => Zones::Required,
                other => return Err(unknown("policy for zones", other)),
            },
        };
        Ok(Node::Time(Box::new(Time { kind, form, zones })))
    }

    fn row(&self) -> PyResult<Row> {
        Ok(Row {
            prefix: self.indexes(&self.get(1)?)?,
            rest: match self.optional(2)? {
                Some(given) => Some(self.index(&given)?),
                None => None,
            },
            suffix: match self.optional(3)? {
                Some(given) => self.indexes(&given)?,
                None => Box::default(),
            },
        })
    }

    fn table(&self) -> PyResult<Table> {
        let fallback = match self.optional(3)? {
            Some(given) => Some(callable(&given)?),
            None => None,
        };
        let pairs = pairs(&self.get(2)?)?;
        Table::new(&self.text(1)?, pairs, fallback)
    }

    fn union(&self) -> PyResult<Union> {
        let given = self.get(1)?;
        let given = given
            .cast::<PyDict>()
            .map_err(|_| wrong("a dict", &given))?;
        let mut candidates: [Box<[NodeId]>; 8] = Default::default();
        for (kind, nodes) in given.iter() {
            let kind = text(&kind)?;
            let place = UNION_KINDS.iter().position(|known| *known == kind);
            let place = place.ok_or_else(|| unknown("kind of values", &kind))?;
            candidates[place] = self.indexes(&nodes)?;
        }
        Ok(Union { candidates })
    }

    fn tagged(&self) -> PyResult<Tagged> {
        let field = self.text(1)?;
        let given = self.get(2)?;
        let given = given
            .cast::<PyDict>()
            .map_err(|_| wrong("a dict", &given))?;
        let mut branches = Vec::new();
        let mut tags = Vec::new();
        let mut shown = Vec::new();
        for (tag, node) in given.iter() {
            branches.push(self.index(&node)?);
            shown.push(format!("`{}`", tag.str()?));
            tags.push((tag, self.py().None().into_bound(self.py())));
        }
        let place = match self.text(3)?.as_str() {
            "inside" => TagPlace::Inside,
            "around" => TagPlace::Around,
            "beside" => TagPlace::Beside,
            other => return Err(unknown("place of a tag", other)),
        };
        let default = match self.optional(4)? {
            Some(given) => Some(self.index(&given)?),
            None => None,
        };
        Ok(Tagged {
            field: field.into(),
            tags: Table::new(&shown.join(", "), tags, None)?,
            branches: branches.into(),
            place,
            default,
        })
    }

    fn shaped(&self) -> PyResult<Shaped> {
        let mut all: Vec<String> = Vec::new();
        let mut wanted_by: Vec<Vec<u32>> = Vec::new();
        let mut branches = Vec::new();
        for (number, pair) in tuple(&self.get(1)?)?.iter().enumerate() {
            let (names, node) = pair_of(&pair)?;
            let names = names
                .cast_into::<PyFrozenSet>()
                .map_err(|error| wrong("a frozenset", &error.into_inner()))?;
            branches.push((self.index(&node)?, names.len()));
            for name in names.iter() {
                let name = text(&name)?;
                let at = all.iter().position(|known| *known == name);
                let at = at.unwrap_or_else(|| {
                    all.push(name);
                    wanted_by.push(Vec::new());
                    all.len() - 1
                });
                wanted_by[at].push(number as u32);
            }
        }
        let keys = all.into_iter().zip(0..);
        Ok(Shaped {
            keys: Names::new(keys, false).ok_or_else(too_many)?,
            wanted_by: wanted_by.into_iter().map(Into::into).collect(),
            branches: branches.into(),
        })
    }

    fn checks(&self) -> PyResult<Checks> {
        let given = self.get(2)?;
        let given = given
            .cast::<PyDict>()
            .map_err(|_| wrong("a dict", &given))?;
        let mut checks = Checks::default();
        for (name, value) in given.iter() {
            if value.is_none() {
                continue;
            }
            match text(&name)?.as_str() {
                "ge" => checks.bounds[0] = Some(value.unbind()),
                "gt" => checks.bounds[1] = Some(value.unbind()),
                "le" => checks.bounds[2] = Some(value.unbind()),
                "lt" => checks.bounds[3] = Some(value.unbind()),
                "multiple_of" => checks.multiple_of = Some(value.unbind()),
                "min_length" => checks.min_length = Some(value.extract()?),
                "max_length" => checks.max_length = Some(value.extract()?),
                "pattern" => {
                    let spelled = text(&value)?;
                    // Linear in the length of the text, whatever the pattern.
                    let compiled = regex::Regex::new(&spelled)
                        .map_err(|error| PyValueError::new_err(format!("pattern: {error}")))?;
                    checks.pattern = Some((compiled, spelled.into()));
                }
                "predicates" => {
                    let found = tuple(&value)?;
                    checks.predicates = found
                        .iter()
                        .map(|one| callable(&one))
                        .collect::<PyResult<_>>()?;
                }
                "tz" => match value.cast::<PyBool>() {
                    Ok(zone) => checks.zone = Some(zone.is_true()),
                    Err(_) => checks.zone_name = Some(text(&value)?.into()),
                },
                other => return Err(unknown("condition", other)),
            }
        }
        Ok(checks)
    }
}

/// True or False.
pub(super) fn truth(given: &Bound<'_, PyAny>) -> PyResult<bool> {
    let truth = given.cast::<PyBool>().map_err(|_| wrong("a bool", given))?;
    Ok(truth.is_true())
}

/// A text.
pub(super) fn text(given: &Bound<'_, PyAny>) -> PyResult<String> {
    let text = given
        .cast::<PyString>()
        .map_err(|_| wrong("a str", given))?;
    Ok(text.to_str()?.to_owned())
}

/// A callable object.
pub(super) fn callable(given: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    if given.is_callable() {
        return Ok(given.clone().unbind());
    }
    Err(wrong("a callable", given))
}

/// A class.
pub(super) fn class(given: &Bound<'_, PyAny>) -> PyResult<Py<PyType>> {
    let class = given
        .cast::<PyType>()
        .map_err(|_| wrong("a class", given))?;
    Ok(class.clone().unbind())
}

/// A tuple.
pub(super) fn tuple<'py>(given: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyTuple>> {
    let tuple = given
        .cast::<PyTuple>()
        .map_err(|_| wrong("a tuple", given))?;
    Ok(tuple.clone())
}

type Pair<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>);

/// A tuple of two.
pub(super) fn pair_of<'py>(given: &Bound<'py, PyAny>) -> PyResult<Pair<'py>> {
    let found = tuple(given)?;
    if found.len() != 2 {
        return Err(wrong("a tuple of two", given));
    }
    Ok((found.get_item(0)?, found.get_item(1)?))
}

/// A tuple of tuples of two.
pub(super) fn pairs<'py>(given: &Bound<'py, PyAny>) -> PyResult<Vec<Pair<'py>>> {
    tuple(given)?.iter().map(|pair| pair_of(&pair)).collect()
}

pub(super) fn wrong(expected: &str, found: &Bound<'_, PyAny>) -> PyErr {
    let name = found.get_type().name();
    let name = name.map_or_else(|_| "?".into(), |name| name.to_string());
    PyTypeError::new_err(format!("expected {expected}, found {name}"))
}

pub(super) fn unknown(what: &str, found: &str) -> PyErr {
    PyValueError::new_err(format!("unknown {what} {found:?}"))
}

pub(super) fn too_many() -> PyErr {
    PyValueError::new_err("expected fewer names in one node")
}

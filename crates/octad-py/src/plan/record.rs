//! The spec of a record: its fields with their names, how it is made, what becomes of the rest.

use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};
use pyo3::{PyTraverseError, PyVisit};

use super::names::Names;
use super::node::NodeId;
use crate::cpython::Maker;

/// How an instance comes to be.
#[derive(Debug)]
pub enum Make {
    /// Allocated, its fields stored; no code of the class runs.
    Direct(Maker),
    /// By calling a function with its fields.
    Call(Py<PyAny>),
    /// A named tuple.
    Tuple,
    /// A plain dict of its fields.
    Dict,
    /// By calling a function with the plain dict of the whole object.
    Validator(Py<PyAny>),
}

/// What an absent field gets.
#[derive(Debug)]
pub enum Default {
    /// Nothing: it must be there.
    Required,
    /// This value.
    Value(Py<PyAny>),
    /// An empty list.
    NewList,
    /// An empty dict.
    NewDict,
    /// An empty set.
    NewSet,
    /// What this function gives.
    Factory(Py<PyAny>),
    /// Nothing: it is not set.
    Absent,
}

/// Which values a record may be read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// An object.
    Object,
    /// An array of the fields in their order.
    Array,
    /// Either.
    Either,
}

/// What becomes of keys that are no fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// They are passed over.
    Ignore,
    /// They are an error.
    Forbid,
    /// They become attributes, or go to the field for what is left.
    Keep,
}

/// The attribute that keeps members which are no fields, where no field is meant for them.
pub const KEPT: &str = "__octad_extra__";

/// The usual values of fields, which can be made without a look at their node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// Text.
    Text,
    /// A whole number.
    Int,
    /// A number.
    Float,
    /// true or false
    Bool,
    /// A date and time as RFC 3339 writes it, its offset kept.
    Moment,
    /// An array of equal items.
    List(NodeId),
    /// A record without extras.
    Record(NodeId),
    /// Something else.
    Other,
}

/// One field.
#[derive(Debug)]
pub struct Field {
    /// The attribute, which is also the name of the argument.
    pub attribute: Py<PyString>,
    /// The name in the text, for messages; empty where it is never in the text.
    pub wire: Box<str>,
    /// What is read.
    pub node: NodeId,
    /// What it gets where it is absent.
    pub default: Default,
    /// An argument by its place.
    pub positional: bool,
    /// Not passed to the function, but set afterwards.
    pub set_after: bool,
}

/// What the reading of usual records wants to know of a field, in one line of the processor's cache.
#[derive(Debug)]
#[repr(align(64))]
pub struct Usual {
    /// The first bytes of its name.
    block: [u8; 16],
    /// The bytes of the block that count, as bits.
    bits: u128,
    /// The length of its name; none has this length where more than the block is to be compared.
    length: usize,
    /// What is read, as far as it is usual.
    pub leaf: Leaf,
    /// What is read.
    pub node: NodeId,
    /// A number for the values of this field.
    pub place: u16,
    /// null may stand there as well.
    pub nullable: bool,
}

impl Usual {
    /// Of a field of a record, which is this node.
    pub fn new(record: NodeId, number: usize, field: &Field, folded: bool) -> Self {
        let text = field.wire.as_bytes();
        let mut block = [0; 16];
        let first = text.len().min(16);
        block[..first].copy_from_slice(&text[..first]);
        Self {
            block,
            bits: u128::MAX.checked_shr(128 - 8 * first as u32).unwrap_or(0),
            length: if text.len() > 16 || folded || field.wire.is_empty() {
                usize::MAX
            } else {
                text.len()
            },
            leaf: Leaf::Other,
            node: field.node,
            place: (record as u16).wrapping_mul(61).wrapping_add(number as u16),
            nullable: false,
        }
    }

    /// Whether the first `length` of the bytes are its name, as far as that is told quickly; the
    /// bytes behind serve to compare a whole block.
    #[inline(always)]
    pub fn is_named(&self, bytes: &[u8], length: usize) -> bool {
        let Some(block) = bytes.first_chunk::<16>() else {
            return false;
        };
        let differences = u128::from_le_bytes(self.block) ^ u128::from_le_bytes(*block);
        self.length == length && differences & self.bits == 0
    }
}

/// A record.
#[derive(Debug)]
pub struct Record {
    /// The class; None for a record that is a plain dict.
    pub class: Option<Py<PyType>>,
    /// Its name, for messages.
    pub name: Box<str>,
    /// How an instance comes to be.
    pub make: Make,
    /// What it is read from.
    pub shape: Shape,
    /// The fields, in order.
    pub fields: Box<[Field]>,
    /// The same for usual records.
    pub usual: Box<[Usual]>,
    /// How many of the fields may be in the text: the first ones.
    pub named: usize,
    /// Names in the text, aliases too: each stands for a field. Field `n` is name `n`.
    pub names: Names,
    /// Fields whose records or dicts take members of this object.
    pub flatten: Box<[(Py<PyString>, NodeId)]>,
    /// The attribute for the dict of what is left.
    pub extra: Option<Py<PyString>>,
    /// What becomes of keys that are no fields.
    pub unknown: Unknown,
    /// A member that is known though it is no field, and its value.
    pub tag: Option<(Box<str>, Py<PyAny>)>,
    /// Called with the object as a dict before it is read; its result is read instead.
    pub before: Option<Py<PyAny>>,
    /// Called with the instance once it is made.
    pub after: Box<[Py<PyAny>]>,
    /// Instances refuse to be changed.
    pub frozen: bool,
    /// The tag of some field's value is a member of this object.
    pub beside: bool,
    /// Nothing but fields: no other member has a meaning.
    pub simple: bool,
}

impl Record {
    /// The name that stands for the tag among [`Record::names`].
    pub const TAG: u32 = u32::MAX;
    /// What stands for members that are known, but not read.
    pub const KNOWN: u32 = u32::MAX - 1;

    /// Shows the collector what it holds.
    pub fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.class)?;
        match &self.make {
            Make::Call(maker) | Make::Validator(maker) => visit.call(maker)?,
            Make::Direct(maker) => maker.traverse(visit)?,
            Make::Tuple | Make::Dict => {}
        }
        for field in &self.fields {
            visit.call(&field.attribute)?;
            match &field.default {
                Default::Value(object) | Default::Factory(object) => visit.call(object)?,
                _ => {}
            }
        }
        for (attribute, _) in &self.flatten {
            visit.call(attribute)?;
        }
        visit.call(&self.extra)?;
        if let Some((_, value)) = &self.tag {
            visit.call(value)?;
        }
        visit.call(&self.before)?;
        for hook in &self.after {
            visit.call(hook)?;
        }
        Ok(())
    }
}

//! The nodes of a plan: what is read at one place, and into what.
//!
//! Children are numbers of nodes, which `build.rs` has checked. Knows no tape and makes no objects;
//! the Python objects in it belong to the plan, which shows them to the collector.

use pyo3::prelude::*;
use pyo3::types::PyString;
use pyo3::{PyTraverseError, PyVisit};

use super::names::Names;
use super::record::Record;
use super::table::Table;

/// A node by its number. One that the plan has: that was checked.
pub type NodeId = u32;

/// The containers of one kind of item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sequence {
    /// list
    List,
    /// set
    Set,
    /// frozenset
    FrozenSet,
    /// tuple
    Tuple,
}

/// What a byte string becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BytesKind {
    /// bytes
    Bytes,
    /// bytearray
    ByteArray,
    /// memoryview
    MemoryView,
}

/// How a byte string is written in a format without them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BytesForm {
    /// Base64 in the standard alphabet.
    Base64,
    /// Base64 in the alphabet for addresses.
    Base64Url,
    /// Hexadecimal digits.
    Hex,
    /// An array of numbers.
    Array,
    /// Base64 in either alphabet, or an array.
    Any,
}

/// The kinds of dates and times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeKind {
    /// datetime
    DateTime,
    /// date
    Date,
    /// time
    Time,
    /// timedelta
    TimeDelta,
}

/// How a date or time is written.
#[derive(Debug)]
pub enum TimeForm {
    /// RFC 3339; ISO 8601 for a length of time.
    Text,
    /// Seconds, since 1970 for a moment.
    Seconds,
    /// Milliseconds since 1970.
    Milliseconds,
    /// `/Date(…)/`
    Microsoft,
    /// A format of `strptime`.
    Pattern(Py<PyString>),
}

/// What becomes of offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zones {
    /// They stay.
    Keep,
    /// Everything is turned to UTC.
    Utc,
    /// One must be there.
    Required,
}

/// A date or time.
#[derive(Debug)]
pub struct Time {
    /// What it becomes.
    pub kind: TimeKind,
    /// How it is written.
    pub form: TimeForm,
    /// What becomes of its offset.
    pub zones: Zones,
}

/// An array of fixed places, with any number of equal ones in the middle.
#[derive(Debug)]
pub struct Row {
    /// The first places.
    pub prefix: Box<[NodeId]>,
    /// Those in the middle.
    pub rest: Option<NodeId>,
    /// The last places.
    pub suffix: Box<[NodeId]>,
}

/// The kinds of values that unions are told by, as places in [`Union::candidates`].
pub const UNION_KINDS: [&str; 8] = [
    "null", "bool", "int", "float", "text", "bytes", "list", "map",
];

/// One of several types.
#[derive(Debug)]
pub struct Union {
    /// For each kind of value the nodes to be tried, in order.
    pub candidates: [Box<[NodeId]>; 8],
}

/// Where the tag of a union stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagPlace {
    /// A member of the object.
    Inside,
    /// The only key of an object around it.
    Around,
    /// A member of the object that the value is a member of.
    Beside,
}

/// A union told by a tag.
#[derive(Debug)]
pub struct Tagged {
    /// The member that holds the tag.
    pub field: Box<str>,
    /// Tags by their text, their numbers or their truth: each leads to one of `branches`.
    pub tags: Table,
    /// The nodes, in the order of the tags.
    pub branches: Box<[NodeId]>,
    /// Where the tag stands.
    pub place: TagPlace,
    /// The node where there is no tag.
    pub default: Option<NodeId>,
}

/// A union told by which keys are there.
#[derive(Debug)]
pub struct Shaped {
    /// All required keys of all branches, each with the branches that want it.
    pub keys: Names,
    /// For each key the branches that require it.
    pub wanted_by: Box<[Box<[u32]>]>,
    /// Each branch: its node and how many keys it requires.
    pub branches: Box<[(NodeId, usize)]>,
}

/// A value passed through a function.
#[derive(Debug)]
pub struct Call {
    /// What is read first.
    pub child: NodeId,
    /// The function.
    pub callable: Py<PyAny>,
    /// What it accepts, in words.
    pub expected: Box<str>,
}

/// Conditions on a value.
#[derive(Debug, Default)]
pub struct Checks {
    /// `>=`, `>`, `<=`, `<`, in this order.
    pub bounds: [Option<Py<PyAny>>; 4],
    /// The value is a multiple of this.
    pub multiple_of: Option<Py<PyAny>>,
    /// The least length.
    pub min_length: Option<usize>,
    /// The greatest length.
    pub max_length: Option<usize>,
    /// What a text must match, and how it was spelled.
    pub pattern: Option<(regex::Regex, Box<str>)>,
    /// Functions that must say yes.
    pub predicates: Box<[Py<PyAny>]>,
    /// True: an offset must be there; false: none.
    pub zone: Option<bool>,
    /// The name of a zone that must be the value's.
    pub zone_name: Option<Box<str>>,
}

/// A value and conditions on it.
#[derive(Debug)]
pub struct Checked {
    /// What is read first.
    pub child: NodeId,
    /// The conditions.
    pub checks: Checks,
}

/// A value that an `octad.Converter` reads.
#[derive(Debug)]
pub struct Convert {
    /// The converter.
    pub converter: Py<PyAny>,
    /// The type it is for, where it wants to know.
    pub class: Option<Py<PyAny>>,
}

/// What is read at one place.
#[derive(Debug)]
pub enum Node {
    /// Anything, as untyped reading has it.
    Any,
    /// null
    None,
    /// true or false
    Bool,
    /// Text.
    Str,
    /// A whole number; from text too where it is true.
    Int(bool),
    /// A number; from text too where it is true.
    Float(bool),
    /// A number, exactly.
    Decimal,
    /// A byte string.
    Bytes(BytesKind, BytesForm),
    /// A date or time.
    Time(Box<Time>),
    /// A UUID.
    Uuid,
    /// An array of equal items.
    Sequence(Sequence, NodeId),
    /// An array of fixed places.
    Row(Box<Row>),
    /// An object of equal values: keys, values.
    Dict(NodeId, NodeId),
    /// An array of pairs: keys, values.
    Pairs(NodeId, NodeId),
    /// One of certain values.
    Table(Box<Table>),
    /// An object of known keys.
    Record(Box<Record>),
    /// One of several types, told by the kind of value.
    Union(Box<Union>),
    /// One of several types, told by a tag.
    Tagged(Box<Tagged>),
    /// One of several types, told by keys.
    Shaped(Box<Shaped>),
    /// Passed through a function.
    Call(Box<Call>),
    /// With conditions.
    Checked(Box<Checked>),
    /// By a converter.
    Convert(Box<Convert>),
    /// What another node reads, which may have a name or be a reference.
    Shared(NodeId),
    /// The text of the value.
    Raw,
    /// A view of the value.
    View,
}

impl Node {
    /// The nodes that it leads to.
    pub fn children(&self, mut each: impl FnMut(NodeId)) {
        match self {
            Self::Sequence(_, item) => each(*item),
            Self::Dict(key, value) | Self::Pairs(key, value) => {
                each(*key);
                each(*value);
            }
            Self::Row(row) => {
                let nodes = row.prefix.iter().chain(&row.rest).chain(&row.suffix);
                nodes.for_each(|node| each(*node));
            }
            Self::Record(record) => {
                record.fields.iter().for_each(|field| each(field.node));
                record.flatten.iter().for_each(|(_, node)| each(*node));
            }
            Self::Union(union) => {
                let nodes = union.candidates.iter().flatten();
                nodes.for_each(|node| each(*node));
            }
            Self::Tagged(tagged) => {
                let nodes = tagged.branches.iter().chain(&tagged.default);
                nodes.for_each(|node| each(*node));
            }
            Self::Shaped(shaped) => shaped.branches.iter().for_each(|(node, _)| each(*node)),
            Self::Call(call) => each(call.child),
            Self::Checked(checked) => each(checked.child),
            Self::Shared(inner) => each(*inner),
            _ => {}
        }
    }

    /// Shows the collector what it holds.
    pub fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        match self {
            Self::Time(time) => match &time.form {
                TimeForm::Pattern(pattern) => visit.call(pattern),
                _ => Ok(()),
            },
            Self::Table(table) => table.traverse(visit),
            Self::Tagged(tagged) => tagged.tags.traverse(visit),
            Self::Record(record) => record.traverse(visit),
            Self::Call(call) => visit.call(&call.callable),
            Self::Checked(checked) => checked.checks.traverse(visit),
            Self::Convert(convert) => {
                visit.call(&convert.converter)?;
                visit.call(&convert.class)
            }
            _ => Ok(()),
        }
    }
}

impl Checks {
    fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        for bound in self.bounds.iter().chain([&self.multiple_of]) {
            visit.call(bound)?;
        }
        for predicate in &self.predicates {
            visit.call(predicate)?;
        }
        Ok(())
    }
}

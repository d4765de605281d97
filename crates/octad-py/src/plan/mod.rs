//! Plans: a type as a flat list of nodes, which Python makes of an annotation and Rust runs.
//!
//! `Plan(nodes)` checks what it is given once, so that whoever runs it need not. It knows neither
//! tapes nor how objects are made.

mod build;
mod cache;
mod names;
mod node;
mod record;
mod record_build;
mod table;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use pyo3::{PyTraverseError, PyVisit};

pub use cache::{for_type, without_converter};
pub use node::{
    BytesForm, BytesKind, Call, Checked, Checks, Convert, Node, NodeId, Row, Sequence, Shaped,
    TagPlace, Tagged, Time, TimeForm, TimeKind, Union, Zones,
};
pub use record::{Default, Field, KEPT, Leaf, Make, Record, Shape, Unknown, Usual};
pub use table::{Table, Wire};

/// A type, compiled: made by `octad._contract`, run by the reading calls.
#[pyclass(frozen, module = "octad._core")]
pub struct Plan {
    tuple: Py<PyTuple>,
    nodes: Box<[Node]>,
    /// What it was made with, for types that are read within it.
    settings: Option<Py<PyAny>>,
    /// What each node is, as far as it is usual.
    leaves: Box<[Leaf]>,
    /// No Python code can run while it is run.
    pub quiet: bool,
    /// It wants the texts of numbers, which a reader that is in haste does not keep.
    pub spelled: bool,
    /// Values may have names, and stand for each other.
    pub references: bool,
    /// It wants places in the text, or the document to last.
    pub documented: bool,
}

/// Adds the class to the module.
///
/// # Errors
/// No memory.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Plan>()?;
    cache::register(module)
}

impl Plan {
    /// A node. The first one is the root.
    #[inline(always)]
    pub fn node(&self, id: NodeId) -> &Node {
        self.nodes.get(id as usize).unwrap_or(&Node::Any)
    }

    /// What a node is, as far as it is usual.
    #[inline(always)]
    pub fn leaf(&self, id: NodeId) -> Leaf {
        self.leaves.get(id as usize).copied().unwrap_or(Leaf::Other)
    }

    /// The settings that it was made with.
    pub fn settings<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        self.settings
            .as_ref()
            .map(|settings| settings.bind(py).clone())
    }
}

#[pymethods]
impl Plan {
    #[new]
    #[pyo3(signature = (nodes, settings=None))]
    fn new(nodes: &Bound<'_, PyTuple>, settings: Option<Py<PyAny>>) -> PyResult<Self> {
        if nodes.is_empty() || nodes.len() >= 1 << 24 {
            return Err(PyValueError::new_err("expected a node at least"));
        }
        let mut made = Vec::with_capacity(nodes.len());
        for (number, tuple) in nodes.iter().enumerate() {
            let node = build::node(&tuple, nodes.len()).map_err(|error| {
                let text = format!("node {number}: {}", error.value(nodes.py()));
                if error.is_instance_of::<PyTypeError>(nodes.py()) {
                    PyTypeError::new_err(text)
                } else {
                    PyValueError::new_err(text)
                }
            })?;
            made.push(node);
        }
        check_ways(&made)?;
        let references = match &settings {
            Some(settings) => settings
                .getattr(nodes.py(), "references")?
                .is_truthy(nodes.py())?,
            None => false,
        };
        Ok(Self {
            quiet: !references && made.iter().all(|node| is_quiet(node, &made)),
            references,
            spelled: made.iter().any(|node| matches!(node, Node::Decimal)),
            documented: made.iter().any(|node| match node {
                Node::Raw | Node::View | Node::Convert(_) => true,
                Node::Record(record) => record.before.is_some(),
                _ => false,
            }),
            tuple: nodes.clone().unbind(),
            leaves: if references {
                // Each value may be one that is known already.
                Box::default()
            } else {
                find_leaves(&mut made)
            },
            nodes: if references { shared(made) } else { made }.into(),
            settings,
        })
    }

    /// What it was made of.
    #[getter]
    fn nodes<'py>(&self, py: Python<'py>) -> Bound<'py, PyTuple> {
        self.tuple.bind(py).clone()
    }

    /// How the instances of the records that it makes without a call get their fields, by the number
    /// of the node: in "slots", as "values", in a "dict" or by "calls"; "unknown" before the first.
    #[getter]
    fn ways(&self, py: Python<'_>) -> Vec<(usize, &'static str)> {
        let records = self.nodes.iter().enumerate();
        let ways = records.filter_map(|(number, node)| match node {
            Node::Record(record) => match &record.make {
                Make::Direct(maker) => Some((number, maker.way(py))),
                _ => None,
            },
            _ => None,
        });
        ways.collect()
    }

    // What it holds cannot be let go of while it is run; the other objects of a cycle can.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.tuple)?;
        visit.call(&self.settings)?;
        self.nodes.iter().try_for_each(|node| node.traverse(&visit))
    }
}

/// The nodes, with those wrapped whose values may be shared.
fn shared(nodes: Vec<Node>) -> Vec<Node> {
    let count = nodes.len();
    let mut made = nodes;
    // Where each node is itself.
    let mut place: Vec<NodeId> = (0..count as NodeId).collect();
    for number in 0..count {
        let is_scalar = matches!(
            made[number],
            Node::None
                | Node::Bool
                | Node::Str
                | Node::Int(_)
                | Node::Float(_)
                | Node::Decimal
                | Node::Bytes(..)
                | Node::Time(_)
                | Node::Uuid
                | Node::Table(_)
                | Node::Raw
                | Node::View
        );
        if !is_scalar {
            place[number] = made.len() as NodeId;
            let wrapped = Node::Shared(place[number]);
            let node = core::mem::replace(&mut made[number], wrapped);
            made.push(node);
        }
    }
    for node in &mut made {
        if let Node::Record(record) = node {
            record.simple = false;
            for (_, inner) in &mut record.flatten {
                *inner = place[*inner as usize];
            }
        }
    }
    made
}

/// Notes which fields are of a usual kind.
fn find_leaves(nodes: &mut [Node]) -> Box<[Leaf]> {
    let leaves: Vec<Leaf> = (0..)
        .zip(&*nodes)
        .map(|(id, node)| leaf(id, node))
        .collect();
    let nullable: Vec<Option<NodeId>> = nodes.iter().map(|node| beside_null(node, nodes)).collect();
    for (id, node) in (0..).zip(nodes) {
        let Node::Record(record) = node else {
            continue;
        };
        let folded = record.names.is_folded();
        let fields = record.fields.iter().enumerate();
        record.usual = fields
            .map(|(number, field)| {
                let inner = nullable[field.node as usize];
                let mut usual = Usual::new(id, number, field, folded);
                usual.nullable = inner.is_some();
                usual.leaf = leaves[inner.unwrap_or(field.node) as usize];
                usual
            })
            .collect();
    }
    leaves.into()
}

fn leaf(id: NodeId, node: &Node) -> Leaf {
    match node {
        Node::Str => Leaf::Text,
        Node::Int(_) => Leaf::Int,
        Node::Float(_) => Leaf::Float,
        Node::Bool => Leaf::Bool,
        Node::Sequence(Sequence::List, item) => Leaf::List(*item),
        Node::Record(record) if record.simple => Leaf::Record(id),
        Node::Time(time)
            if time.kind == TimeKind::DateTime
                && matches!(time.form, TimeForm::Text)
                && time.zones == Zones::Keep =>
        {
            Leaf::Moment
        }
        _ => Leaf::Other,
    }
}

/// The one node that a union has beside null, where all its other values are that node's.
fn beside_null(node: &Node, nodes: &[Node]) -> Option<NodeId> {
    let Node::Union(union) = node else {
        return None;
    };
    let [null] = *union.candidates[0] else {
        return None;
    };
    if !matches!(nodes[null as usize], Node::None) {
        return None;
    }
    let mut others = union.candidates[1..].iter().flatten();
    let first = *others.next()?;
    others.all(|other| *other == first).then_some(first)
}

/// Refuses nodes that lead back to themselves without a value in between, and what cannot be
/// flattened.
fn check_ways(nodes: &[Node]) -> PyResult<()> {
    for (number, node) in nodes.iter().enumerate() {
        if let Node::Record(record) = node {
            for (_, inner) in &record.flatten {
                if !matches!(nodes[*inner as usize], Node::Record(_) | Node::Dict(..)) {
                    return Err(PyTypeError::new_err(format!(
                        "node {number}: only records and dicts can be flattened"
                    )));
                }
                if let Node::Record(inner) = &nodes[*inner as usize]
                    && inner.before.is_some()
                {
                    return Err(PyTypeError::new_err(format!(
                        "node {number}: `{}` is flattened, so there is no object for its hook \
                         before reading",
                        inner.name
                    )));
                }
            }
        }
    }
    // 0: not seen, 1: on the way, 2: done.
    let mut state = vec![0_u8; nodes.len()];
    let mut stack: Vec<(usize, bool)> = (0..nodes.len()).map(|number| (number, false)).collect();
    while let Some((number, leaving)) = stack.pop() {
        if leaving {
            state[number] = 2;
            continue;
        }
        match state[number] {
            0 => {}
            1 => {
                return Err(PyValueError::new_err(format!(
                    "node {number} is read by itself"
                )));
            }
            _ => continue,
        }
        state[number] = 1;
        stack.push((number, true));
        each_at_the_same_place(&nodes[number], |child| {
            if state[child as usize] != 2 {
                stack.push((child as usize, false));
            }
        });
    }
    Ok(())
}

/// The children that read the same value as their parent.
fn each_at_the_same_place(node: &Node, mut each: impl FnMut(NodeId)) {
    match node {
        Node::Record(record) => record.flatten.iter().for_each(|(_, node)| each(*node)),
        Node::Union(_) | Node::Shaped(_) | Node::Call(_) | Node::Checked(_) => {
            node.children(each);
        }
        Node::Tagged(tagged) => {
            let inside = tagged.branches.iter();
            let inside = inside.filter(|_| tagged.place != TagPlace::Around);
            inside.chain(&tagged.default).for_each(|node| each(*node));
        }
        _ => {}
    }
}

/// Whether no Python code runs where the node alone is run.
fn is_quiet(node: &Node, nodes: &[Node]) -> bool {
    let hashes_quietly = |id: &NodeId| {
        let node = &nodes[*id as usize];
        matches!(
            node,
            Node::None | Node::Bool | Node::Str | Node::Int(_) | Node::Float(_)
        )
    };
    match node {
        Node::Any
        | Node::None
        | Node::Bool
        | Node::Str
        | Node::Int(_)
        | Node::Float(_)
        | Node::Bytes(..)
        | Node::Uuid
        | Node::Row(_)
        | Node::Union(_)
        | Node::Tagged(_)
        | Node::Shaped(_) => true,
        Node::Decimal
        | Node::Call(_)
        | Node::Convert(_)
        | Node::Shared(_)
        | Node::Raw
        | Node::View => false,
        Node::Time(time) => !matches!(time.form, TimeForm::Pattern(_)),
        Node::Sequence(Sequence::Set | Sequence::FrozenSet, item) => hashes_quietly(item),
        Node::Sequence(..) => true,
        Node::Dict(key, _) | Node::Pairs(key, _) => hashes_quietly(key),
        Node::Table(table) => table.fallback.is_none(),
        Node::Record(record) => {
            let quiet = matches!(record.make, Make::Direct(_) | Make::Dict | Make::Tuple);
            let factory = |field: &Field| matches!(field.default, Default::Factory(_));
            quiet
                && record.before.is_none()
                && record.after.is_empty()
                && !record.fields.iter().any(factory)
        }
        Node::Checked(checked) => {
            let plain = &nodes[checked.child as usize];
            checked.checks.predicates.is_empty()
                && checked.checks.zone_name.is_none()
                && matches!(plain, Node::Str | Node::Int(_) | Node::Float(_))
        }
    }
}

//! What a reference leads to, and whether that may stand where the reference does.
//!
//! An object is handed out as it is, so it must be what the place that refers would have made itself:
//! read by the same node, or an instance of its class whose type has no parameters; and the
//! conditions of the place are checked on it.

use octad_core::error::ErrorCode;
use octad_core::source::Source;
use octad_core::token::{Token, TokenId};
use pyo3::exceptions::PyLookupError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyType;

use super::Runner;
use super::fault::{Fault, Flaw, Words};
use super::references::Known;
use crate::cpython::Obj;
use crate::plan::{Make, Node, NodeId};

impl<'a, S: Source> Runner<'a, '_, S> {
    /// What a reference stands for.
    pub(super) fn referred(
        &mut self,
        inner: NodeId,
        token: Token,
        id: TokenId,
        name_at: TokenId,
    ) -> Option<Obj> {
        if self.count(token) != 1 {
            return self.invalid(Words::Are("`$ref` alone in its object"), id);
        }
        let (name, given) = self.name(name_at)?;
        let mut known = match self.known(&name) {
            Some(known) => known,
            None => Known {
                object: Some(self.resolved(inner, given, name_at)?),
                read_by: None,
                around: Vec::new(),
                done: true,
                failed: false,
            },
        };
        let Some(object) = known.object.take() else {
            if known.failed && self.found.is_some() {
                return self.noted();
            }
            let reason = "it is not there before its parts are, since it is made by a call";
            return self.unresolved(inner, reason, name_at);
        };
        let py = self.base.py;
        if self.fits(inner, object.bind(py), &known, id)? {
            return Some(object);
        }
        let name = object.bind(py).get_type().name();
        let name = name.map_or_else(|_| "?".to_owned(), |name| name.to_string());
        let flaw = Flaw {
            actual: Some(format!("a reference to `{name}`")),
            ..Flaw::new(ErrorCode::WrongType, Words::Node(inner))
        };
        self.flaw(flaw, id)
    }

    #[cold]
    fn unresolved<T>(&mut self, node: NodeId, reason: &str, id: TokenId) -> Option<T> {
        let mut flaw = Flaw::new(ErrorCode::UnresolvedReference, Words::Node(node));
        flaw.reason = Some(reason.to_owned());
        self.flaw(flaw, id)
    }

    /// What the resolver of the settings has for a name that is not in the text.
    fn resolved(&mut self, inner: NodeId, name: Obj, id: TokenId) -> Option<Obj> {
        let py = self.base.py;
        let unresolved = |cause| Flaw {
            cause,
            ..Flaw::new(ErrorCode::UnresolvedReference, Words::Node(inner))
        };
        let settings = self.plan.settings(py);
        let resolver = settings.map(|settings| settings.getattr("references"));
        let resolver = match resolver.transpose() {
            Ok(resolver) => resolver.and_then(|resolver| resolver.getattr("resolve").ok()),
            Err(error) => return self.python(Err(error)),
        };
        let Some(resolver) = resolver else {
            return self.flaw(unresolved(None), id);
        };
        match resolver.call1((name.into_bound(py),)) {
            Ok(found) if found.is_none() => self.flaw(unresolved(None), id),
            Ok(found) => Some(Obj::take(found)),
            Err(error) if error.is_instance_of::<PyLookupError>(py) => {
                self.flaw(unresolved(Some(error)), id)
            }
            Err(error) => self.by_user(
                Err(error),
                Words::Are("an id that the resolver accepts"),
                id,
            ),
        }
    }

    /// Whether an object that another node has read is one of this node's. A condition that it does
    /// not meet is a fault.
    fn fits(
        &mut self,
        node: NodeId,
        object: &Bound<'_, PyAny>,
        known: &Known,
        id: TokenId,
    ) -> Option<bool> {
        let by = self.by(node);
        if known.read_by == Some(by) || known.around.contains(&by) {
            return Some(true);
        }
        let plan = self.plan;
        match plan.node(node) {
            Node::Any => Some(true),
            Node::Shared(inner) => self.fits(*inner, object, known, id),
            Node::Checked(checked) => {
                if !self.fits(checked.child, object, known, id)? {
                    return Some(false);
                }
                if !known.done {
                    let reason = "its conditions cannot be checked before all its parts are there";
                    return self.unresolved(node, reason, id);
                }
                self.check(&checked.checks, Obj::from_bound(object), id)?;
                Some(true)
            }
            Node::Record(record) => match &record.class {
                Some(class) if !matches!(record.make, Make::Dict) => {
                    let is_one = is_one(object, class.bind(object.py()), known);
                    self.python(is_one)
                }
                _ => Some(false),
            },
            Node::Convert(convert) => match &convert.class {
                Some(class) => match class.bind(object.py()).cast::<PyType>() {
                    Ok(class) => {
                        let is_one = is_one(object, class, known);
                        self.python(is_one)
                    }
                    Err(_) => Some(false),
                },
                None => Some(false),
            },
            Node::Union(union) => {
                let mut nodes = union.candidates.iter().flatten();
                self.fits_one(&mut nodes, object, known, id)
            }
            Node::Tagged(tagged) => {
                let mut nodes = tagged.branches.iter().chain(&tagged.default);
                self.fits_one(&mut nodes, object, known, id)
            }
            Node::Shaped(shaped) => {
                let mut nodes = shaped.branches.iter().map(|(node, _)| node);
                self.fits_one(&mut nodes, object, known, id)
            }
            _ => Some(false),
        }
    }

    /// Whether it fits one of several nodes; if none, the condition that it did not meet.
    fn fits_one(
        &mut self,
        nodes: &mut dyn Iterator<Item = &'a NodeId>,
        object: &Bound<'_, PyAny>,
        known: &Known,
        id: TokenId,
    ) -> Option<bool> {
        let mut unmet = None;
        for node in nodes {
            match self.fits(*node, object, known, id) {
                Some(true) => return Some(true),
                Some(false) => {}
                None => match self.fault.take() {
                    Some(fault @ Fault::Flaw(..)) => unmet = unmet.or(Some(fault)),
                    other => {
                        self.fault = other;
                        return None;
                    }
                },
            }
        }
        if unmet.is_some() {
            self.fault = unmet;
            return None;
        }
        Some(false)
    }
}

/// Whether an object is an instance of a class, and its type's parameters are those that are meant:
/// of a class that has none, or by the word of a resolver.
fn is_one(object: &Bound<'_, PyAny>, class: &Bound<'_, PyType>, known: &Known) -> PyResult<bool> {
    if !object.is_instance(class)? {
        return Ok(false);
    }
    if known.read_by.is_none() {
        return Ok(true);
    }
    match class.getattr_opt(intern!(class.py(), "__parameters__"))? {
        Some(parameters) => Ok(!parameters.is_truthy()?),
        None => Ok(true),
    }
}

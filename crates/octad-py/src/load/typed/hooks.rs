//! Objects that a class wants to see, as plain dicts, before they become its instances.
//!
//! What its hook returns is a value of Python's. It is written as a text and read from there, by the
//! same plan: so it is checked as if it had stood in the place of the object. Errors in it have the
//! path that they would have there, and the place of the object.

use std::sync::Arc;

use octad_core::doc::{Bytes, Document as Core};
use octad_core::error::Path;
use octad_core::formats::AnyOptions;
use octad_core::formats::json::{NanRead, ReadOptions};
use octad_core::limits::Limits;
use octad_core::source::Source;
use octad_core::text::escape::Surrogates;
use octad_core::token::{Kind, TokenId};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use super::fault::{Explainer, Fault, Outer, Words};
use super::{Run, Runner};
use crate::cpython::{Obj, Trail};
use crate::plan::{NodeId, Record};

/// How deep what a hook returns may be: the plan's own depth is bounded anyway.
const DEEPEST: u32 = 100_000;

impl<'a, 'py, S: Source> Runner<'a, 'py, S> {
    /// A record whose class has a hook.
    #[cold]
    pub(super) fn hooked(
        &mut self,
        node: NodeId,
        record: &'a Record,
        hook: &'a Py<PyAny>,
        id: TokenId,
    ) -> Option<Obj> {
        let py = self.base.py;
        let Some(core) = self.run.core else {
            return self.no_document(id);
        };
        self.expect_turn(core, id)?;
        let data = self.any(id)?.into_bound(py);
        let spelled = self.spelled(id)?;
        let text = py
            .import("octad._hooks")
            .and_then(|module| module.call_method1("text_of", (hook.bind(py), data, spelled)));
        let text = self.by_user(text, Words::Accepted(node), id)?;
        let text = text.cast_into::<PyBytes>().map_err(PyErr::from);
        let text: Bytes = Arc::new(self.python(text)?.as_bytes().to_vec());
        let options = ReadOptions {
            nan: NanRead::Literal,
            surrogates: Surrogates::Keep,
            decimals: self.base.rules.floats == crate::options::Floats::Decimal,
            limits: Limits {
                depth: DEEPEST,
                digits: self.base.rules.digits,
                ..Limits::default()
            },
            ..ReadOptions::default()
        };
        let inner = match Core::parse(text, true, AnyOptions::Json(options)) {
            Ok(inner) => inner,
            Err(error) => return self.error(error, id),
        };
        let outer = match self.run.outer {
            Some(outer) => Outer {
                core: outer.core,
                path: joined(&outer.path, &core.value(id).path()),
                offset: outer.offset,
            },
            None => Outer {
                core,
                path: core.value(id).path(),
                offset: core.value(id).place().start as usize,
            },
        };
        let run = Run {
            core: Some(&inner),
            outer: Some(&outer),
            turns: self.run.turns + 1,
            depth: self.depth,
            ..self.run
        };
        self.again(node, record, run, &inner, id)
    }

    /// Reads what a hook returned.
    fn again(
        &mut self,
        node: NodeId,
        record: &Record,
        run: Run<'_>,
        inner: &Core,
        id: TokenId,
    ) -> Option<Obj> {
        let py = self.base.py;
        let explainer = Explainer {
            plan: run.plan,
            core: inner,
            show_input: run.show_input,
            outer: run.outer,
        };
        let source = inner.source();
        let root = inner.tape().root();
        let tokens = inner.tape().tokens();
        let found = self.found.as_ref().map(super::Collected::rest);
        let tag_is_known = self.tagged.take() == Some(id);
        let mut runner = Runner::new(py, tokens, &source, run, &mut *self.base.keys, found);
        runner.tagged = tag_is_known.then_some(root);
        let made = runner.any_record(node, record, tokens[root as usize], root, true);
        let last = made.is_none().then(|| runner.fault());
        let others = runner.found.take();
        drop(runner);
        for fault in others.into_iter().flat_map(|found| found.faults) {
            let told = Fault::Told(explainer.raise(py, fault), id);
            if let Some(found) = &mut self.found {
                found.faults.push(told);
            }
        }
        self.fault = match last {
            None => return made,
            Some(Fault::Python(error)) => Some(Fault::Python(error)),
            Some(Fault::Noted) => Some(Fault::Noted),
            Some(fault) => Some(Fault::Told(explainer.raise(py, fault), id)),
        };
        None
    }

    /// The spelling of the numbers with a fraction in an object, by their keys: a `Decimal` wants
    /// all of their digits. Only where the plan has any.
    fn spelled(&mut self, id: TokenId) -> Option<Bound<'py, PyDict>> {
        let py = self.base.py;
        let dict = PyDict::new(py);
        if !self.plan.spelled {
            return Some(dict);
        }
        let core = self.run.core?;
        let token = self.base.token(id);
        self.each_member(token, id, |runner, _, key_id, at| {
            if !matches!(runner.base.token(at).kind(), Kind::Real | Kind::Real59) {
                return Some(());
            }
            let key = runner.base.key(&mut { key_id }, &mut Trail::default());
            let key = runner.untyped(key)?.into_bound(py);
            let done = dict.set_item(key, PyBytes::new(py, core.value(at).raw()));
            runner.python(done)
        })?;
        Some(dict)
    }
}

fn joined(outer: &Path, inner: &Path) -> Path {
    Path::from_outer(outer.segments().chain(inner.segments()).cloned())
}

//! Values that an `octad.Converter` reads: the tape behind the `Reader` it is given.
//!
//! What a converter reads in it is a run of its own over the same tape, with the settings of the
//! outer one. Converters within each other take machine stack, so they are counted.

use std::collections::HashSet;

use octad_core::doc::Document as Core;
use octad_core::error::{Error, ErrorCode, quote};
use octad_core::formats::json::Duplicates;
use octad_core::source::Source;
use octad_core::token::{Kind, Token, TokenId};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use super::fault::{Explainer, Fault, Flaw, Words};
use super::{Run, Runner};
use crate::converter::{Input, Parts, read_with_converter};
use crate::cpython::{Keys, Obj, Trail};
use crate::plan::{self, Convert, Node};

/// How many converters and hooks may read within each other: each takes some 5 KiB of the machine's
/// stack, and a thread may have no more than a MiB of that.
const MOST_TURNS: u32 = 100;

/// One call of a converter's `read`.
struct Turn<'k, 'a, S> {
    keys: &'k mut Keys,
    tokens: &'a [Token],
    source: &'a S,
    core: &'a Core,
    run: Run<'a>,
    /// The converter, and the value that it reads.
    convert: &'a Convert,
    at: TokenId,
    /// The exceptions that it was given and that know their place.
    told: Vec<Py<PyAny>>,
}

impl<'a, S: Source> Runner<'a, '_, S> {
    pub(super) fn convert(&mut self, convert: &'a Convert, id: TokenId) -> Option<Obj> {
        let py = self.base.py;
        let Some(core) = self.run.core else {
            return self.no_document(id);
        };
        self.expect_turn(core, id)?;
        let mut turn = Turn {
            keys: &mut *self.base.keys,
            tokens: self.base.tokens,
            source: self.base.source,
            core,
            run: Run {
                turns: self.run.turns + 1,
                depth: self.depth,
                ..self.run
            },
            convert,
            at: id,
            told: Vec::new(),
        };
        let class = convert.class.as_ref().map(|class| class.bind(py));
        let made = read_with_converter(convert.converter.bind(py), class, id, &mut turn);
        match made {
            Ok(made) => Some(Obj::take(made)),
            Err(error) => {
                let told = turn.told.iter().any(|told| error.value(py).is(told));
                self.refused_by(convert, error, told, id)
            }
        }
    }

    /// A key that a converter reads.
    pub(super) fn convert_key(&mut self, convert: &'a Convert, id: TokenId) -> Option<Obj> {
        let py = self.base.py;
        let made = self.base.key(&mut { id }, &mut Trail::default());
        let text = self.untyped(made)?.into_bound(py);
        let read_key = pyo3::intern!(py, "read_key");
        match convert.converter.bind(py).call_method1(read_key, (text,)) {
            Ok(made) => Some(Obj::take(made)),
            Err(error) => self.refused_by(convert, error, false, id),
        }
    }

    #[cold]
    fn refused_by(
        &mut self,
        convert: &Convert,
        error: PyErr,
        told: bool,
        id: TokenId,
    ) -> Option<Obj> {
        if told {
            self.fault = Some(Fault::Told(error, id));
            return None;
        }
        self.by_user(Err(error), accepted(self.base.py, convert), id)
    }

    /// Refuses converters and hooks that are too many levels deep.
    pub(super) fn expect_turn(&mut self, core: &Core, id: TokenId) -> Option<()> {
        if self.run.turns >= MOST_TURNS {
            return self.too_many_turns(core, id);
        }
        if self.stack.is_reached() {
            return self.no_stack(id);
        }
        Some(())
    }

    #[cold]
    fn too_many_turns(&mut self, core: &Core, id: TokenId) -> Option<()> {
        let py = self.base.py;
        let fault = Fault::Value(Error::new(ErrorCode::DepthLimit), id);
        let message = format!(
            "expected at most {MOST_TURNS} converters or hooks within each other, found more"
        );
        let explainer = Explainer {
            plan: self.plan,
            core,
            show_input: self.run.show_input,
            outer: self.run.outer,
        };
        let made = explainer.with_message(py, fault, &message);
        self.fault = Some(Fault::Told(made, id));
        None
    }
}

/// What a converter reads, in words.
fn accepted(py: Python<'_>, convert: &Convert) -> Words {
    let name = convert.converter.bind(py).get_type().name();
    let name = name.map_or_else(|_| "?".to_owned(), |name| name.to_string());
    let words = format!("a value that {} accepts", quote(name.as_bytes()));
    Words::Own(words.into())
}

impl<S: Source> Turn<'_, '_, S> {
    /// An exception of the run, which from now on is known to know its place.
    fn tell(&mut self, py: Python<'_>, raised: PyErr) -> PyErr {
        self.told.push(raised.value(py).clone().into_any().unbind());
        raised
    }

    /// The exception for a value that is not what is asked for.
    fn flaw(&mut self, py: Python<'_>, flaw: Flaw, id: TokenId) -> PyErr {
        let explainer = self.explainer();
        let raised = explainer.raise(py, Fault::Flaw(Box::new(flaw), id));
        self.tell(py, raised)
    }

    fn explainer(&self) -> Explainer<'_> {
        Explainer {
            plan: self.run.plan,
            core: self.core,
            show_input: self.run.show_input,
            outer: self.run.outer,
        }
    }

    /// Does something that needs a runner of its own.
    fn with_runner<R>(
        &mut self,
        py: Python<'_>,
        work: impl FnOnce(&mut Runner<'_, '_, S>) -> Option<R>,
    ) -> PyResult<R> {
        let mut runner = Runner::new(py, self.tokens, self.source, self.run, self.keys, None);
        let done = work(&mut runner).ok_or_else(|| runner.fault());
        drop(runner);
        done.map_err(|fault| {
            let raised = self.explainer().raise(py, fault);
            self.tell(py, raised)
        })
    }

    /// The token of the next value or key, at `id` or behind comments.
    fn token(&self, id: &mut TokenId) -> Token {
        loop {
            match self.tokens.get(*id as usize) {
                Some(token) if token.is_beside() => *id += 1,
                Some(token) => return *token,
                None => return Token::VOID,
            }
        }
    }

    /// The plan of what the converter asks for.
    fn plan<'py>(
        &self,
        class: &Bound<'py, PyAny>,
        at: TokenId,
    ) -> PyResult<Bound<'py, plan::Plan>> {
        let py = class.py();
        let settings = self.run.plan.settings(py);
        let made = plan::for_type(class, settings.as_ref())?;
        let again = match made.get().node(0) {
            Node::Convert(same) => at == self.at && same.converter.is(&self.convert.converter),
            _ => false,
        };
        if again {
            return plan::without_converter(class, settings.as_ref());
        }
        Ok(made)
    }
}

impl<S: Source> Input for Turn<'_, '_, S> {
    fn kind(&self, at: TokenId) -> &'static str {
        self.core.value(at).kind().name()
    }

    fn read<'py>(
        &mut self,
        py: Python<'py>,
        at: TokenId,
        class: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Some(class) = class else {
            let made = self.with_runner(py, |runner| runner.any(at))?;
            return Ok(made.into_bound(py));
        };
        let plan = self.plan(class, at)?;
        let run = Run {
            plan: plan.get(),
            ..self.run
        };
        match super::run_with(py, self.tokens, at, self.source, run, self.keys) {
            Ok(made) => Ok(made.into_bound(py)),
            Err(fault) => {
                let explainer = Explainer {
                    plan: plan.get(),
                    ..self.explainer()
                };
                let raised = explainer.raise(py, fault);
                Err(self.tell(py, raised))
            }
        }
    }

    fn parts(&mut self, py: Python<'_>, at: TokenId, map: bool) -> PyResult<Parts> {
        let token = self.tokens.get(at as usize).copied();
        let token = token.unwrap_or(Token::VOID);
        let (kind, expected) = if map {
            (Kind::Map, "an object")
        } else {
            (Kind::List, "an array")
        };
        if token.kind() != kind {
            let flaw = Flaw::new(ErrorCode::WrongType, Words::Are(expected));
            return Err(self.flaw(py, flaw, at));
        }
        Ok(Parts {
            next: at + 1,
            left: (token.count() as usize).min(self.tokens.len()),
            seen: map.then(HashSet::new),
        })
    }

    fn next<'py>(
        &mut self,
        py: Python<'py>,
        parts: &mut Parts,
    ) -> PyResult<Option<(Option<Bound<'py, PyString>>, TokenId)>> {
        while parts.left > 0 {
            parts.left -= 1;
            let mut id = parts.next;
            let token = self.token(&mut id);
            let Some(seen) = &mut parts.seen else {
                parts.next = id + token.span().max(1);
                return Ok(Some((None, id)));
            };
            let (key_id, mut at) = (id, id + 1);
            let value = self.token(&mut at);
            parts.next = at + value.span().max(1);
            let (text, key) = self.with_runner(py, |runner| {
                let text = runner.with_text(token, key_id, |text| Box::<[u8]>::from(text))?;
                let made = runner.base.key(&mut { key_id }, &mut Trail::default());
                Some((text, runner.untyped(made)?))
            })?;
            if !seen.insert(text) {
                match self.run.rules.duplicates {
                    Duplicates::First => continue,
                    Duplicates::Last => {}
                    Duplicates::Error => return Err(self.repeated(py, key_id)),
                }
            }
            let key = key.into_bound(py).cast_into::<PyString>();
            return Ok(Some((Some(key.map_err(PyErr::from)?), at)));
        }
        Ok(None)
    }

    fn member(&mut self, py: Python<'_>, at: TokenId, name: &str) -> PyResult<Option<TokenId>> {
        let parts = self.parts(py, at, true)?;
        let mut found = None;
        let mut id = parts.next;
        for _ in 0..parts.left {
            let key = self.token(&mut id);
            let key_id = id;
            id += 1;
            let value = self.token(&mut id);
            let same = self.with_runner(py, |runner| {
                runner.with_text(key, key_id, |text| text == name.as_bytes())
            })?;
            if same {
                match self.run.rules.duplicates {
                    Duplicates::First => return Ok(Some(id)),
                    Duplicates::Error if found.is_some() => return Err(self.repeated(py, key_id)),
                    _ => found = Some(id),
                }
            }
            id += value.span().max(1);
        }
        Ok(found)
    }

    fn missing(&mut self, py: Python<'_>, at: TokenId, name: &str) -> PyErr {
        let words = format!("a member {}", quote(name.as_bytes()));
        let flaw = Flaw::new(ErrorCode::MissingField, Words::Own(words.into()));
        self.flaw(py, flaw, at)
    }

    fn raw<'py>(&self, py: Python<'py>, at: TokenId) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, self.core.value(at).raw()))
    }

    fn path(&self, at: TokenId) -> (String, String) {
        let path = self.explainer().path(at);
        (path.to_string(), path.pointer())
    }

    fn position(&self, at: TokenId) -> (usize, usize, usize, usize) {
        if let Some(outer) = self.run.outer {
            let position = outer.core.position_of(outer.offset);
            return (outer.offset, outer.offset, position.line, position.column);
        }
        let value = self.core.value(at);
        let (place, position) = (value.place(), value.position());
        let (start, end) = (place.start as usize, place.end as usize);
        (start, end, position.line, position.column)
    }

    fn refusal(&mut self, py: Python<'_>, at: TokenId, message: &str) -> PyErr {
        let flaw = Flaw::new(ErrorCode::Rejected, accepted(py, self.convert));
        let fault = Fault::Flaw(Box::new(flaw), at);
        let raised = self.explainer().with_message(py, fault, message);
        self.tell(py, raised)
    }
}

impl<S: Source> Turn<'_, '_, S> {
    #[cold]
    fn repeated(&mut self, py: Python<'_>, id: TokenId) -> PyErr {
        let flaw = Flaw::new(ErrorCode::RepeatedField, Words::Are("each key"));
        self.flaw(py, flaw, id)
    }
}

//! A tape run through a plan, straight into objects.
//!
//! It recurses along the plan, so nesting is bounded, and by what the thread has of a stack. Whatever runs Python code may run anything,
//! this module included: a run owns its state, and what it borrows (tokens, source, plan) is kept
//! alive and unchanged by whoever started it. Objects of the user are made once all their parts are
//! there, so nobody sees a half-filled one.

mod calls;
mod checks;
mod containers;
mod converted;
mod fault;
mod filled;
mod hooks;
mod keys;
mod make;
mod record;
mod references;
mod referred;
mod repeats;
mod rest;
mod scalars;
mod times;
mod unions;
mod whole;
mod words;

use octad_core::doc::Document as Core;
use octad_core::error::{Error, ErrorCode};
use octad_core::formats::json::Duplicates;
use octad_core::source::Source;
use octad_core::token::{Token, TokenId};
use pyo3::prelude::*;
use pyo3::types::PyTzInfo;

pub use fault::{Explainer, Fault, Outer, fields};

use self::fault::{Flaw, Words, kind_in_words};
use self::references::{Pending, References};
use super::untyped::{Builder, Trouble};
use crate::cpython::{Held, Keys, Obj, StackEnd};
use crate::options::Rules;
use crate::plan::{Node, NodeId, Plan, Sequence};

/// Containers may be nested so deep.
const DEEPEST: u32 = 2000;

/// Makes the view of a value of a document, for those who know views.
pub type MakeView<'a> = &'a dyn Fn(Python<'_>, &Core, TokenId) -> PyResult<Obj>;

/// What is run, and how.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// How untyped values become objects, and which of equal keys counts.
    pub rules: &'a Rules,
    /// The document of the tape, where it lasts; plans that are `documented` need one.
    pub core: Option<&'a Core>,
    /// Makes views of its values.
    pub view: Option<MakeView<'a>>,
    /// Excerpts of the input may stand in errors.
    pub show_input: bool,
    /// How many converters are reading, each within the one before.
    pub turns: u32,
    /// How many containers are open around the value.
    pub depth: u32,
    /// The value that the document was made of, where there is one.
    pub outer: Option<&'a Outer<'a>>,
    /// The values that have names, where the plan wants that.
    pub references: Option<&'a References>,
}

impl<'a> Run<'a> {
    /// A run of a plan over a text of its own.
    pub fn new(plan: &'a Plan, rules: &'a Rules, show_input: bool) -> Self {
        Self {
            plan,
            rules,
            core: None,
            view: None,
            show_input,
            turns: 0,
            depth: 0,
            outer: None,
            references: None,
        }
    }
}

/// The object of the value at `root`.
///
/// # Errors
/// The first fault.
pub fn run<S: Source>(
    py: Python<'_>,
    tokens: &[Token],
    root: TokenId,
    source: &S,
    run: Run<'_>,
) -> Result<Obj, Fault> {
    let references = run.plan.references.then(References::default);
    let run = Run {
        references: references.as_ref(),
        ..run
    };
    let hold = run.rules.hold_collector && run.plan.quiet;
    let held = hold.then(|| Held::new(py));
    let mut keys = Keys::take(py);
    let outcome = run_with(py, tokens, root, source, run, &mut keys);
    keys.give_back(py);
    drop(held);
    outcome
}

/// The same within another run, with its keys.
fn run_with<S: Source>(
    py: Python<'_>,
    tokens: &[Token],
    root: TokenId,
    source: &S,
    run: Run<'_>,
    keys: &mut Keys,
) -> Result<Obj, Fault> {
    let mut runner = Runner::new(py, tokens, source, run, keys, None);
    runner.start(root).ok_or_else(|| runner.fault())
}

/// All faults of the value at `root`, at most so many.
///
/// # Errors
/// An exception that no value is to blame for.
pub fn faults<S: Source>(
    py: Python<'_>,
    tokens: &[Token],
    root: TokenId,
    source: &S,
    run: Run<'_>,
    most: usize,
) -> Vec<Fault> {
    let mut keys = Keys::take(py);
    let found = Collected {
        faults: Vec::new(),
        most,
    };
    let references = run.plan.references.then(References::default);
    let run = Run {
        references: references.as_ref(),
        ..run
    };
    let mut runner = Runner::new(py, tokens, source, run, &mut keys, Some(found));
    let made = runner.start(root);
    let last = made.is_none().then(|| runner.fault());
    let mut faults = runner
        .found
        .take()
        .map_or_else(Vec::new, |found| found.faults);
    drop(runner);
    faults.extend(last.filter(|last| !matches!(last, Fault::Noted)));
    faults.truncate(most);
    keys.give_back(py);
    faults
}

/// Faults of a run that goes on.
struct Collected {
    faults: Vec<Fault>,
    most: usize,
}

impl Collected {
    /// Room for as many faults as may still be added.
    fn rest(&self) -> Self {
        Self {
            faults: Vec::new(),
            most: self.most.saturating_sub(self.faults.len()),
        }
    }
}

/// Its methods return None on failure; what failed is in `fault`.
struct Runner<'a, 'py, S> {
    /// Makes what has no type, and knows the tape.
    base: Builder<'a, 'py, S>,
    run: Run<'a>,
    plan: &'a Plan,
    fault: Option<Fault>,
    depth: u32,
    /// How far the machine's stack may be used.
    stack: StackEnd,
    /// No Python code runs, and the first fault ends the run.
    direct: bool,
    /// Time zones that have been met, by their offset in minutes.
    zones: Vec<(i16, Bound<'py, PyTzInfo>)>,
    /// The fields of the records that are being read, innermost last.
    slots: Vec<Option<Obj>>,
    /// Members of the record that is read which are kept though they are no fields.
    kept: Option<Py<PyAny>>,
    /// The token of an object whose tag has been looked at.
    tagged: Option<TokenId>,
    /// The object that the field being read is a member of, where the tag of its value may be.
    owner: Option<(Token, TokenId)>,
    /// The named value that is about to be read.
    pending: Option<Pending>,
    found: Option<Collected>,
}

impl<'a, 'py, S: Source> Runner<'a, 'py, S> {
    fn new(
        py: Python<'py>,
        tokens: &'a [Token],
        source: &'a S,
        run: Run<'a>,
        keys: &'a mut Keys,
        found: Option<Collected>,
    ) -> Self {
        Self {
            base: Builder::new(py, tokens, source, run.rules, keys),
            run,
            plan: run.plan,
            fault: None,
            depth: run.depth,
            stack: StackEnd::of_thread(),
            direct: run.plan.quiet && found.is_none(),
            zones: Vec::new(),
            slots: Vec::new(),
            kept: None,
            tagged: None,
            owner: None,
            pending: None,
            found,
        }
    }

    fn start(&mut self, root: TokenId) -> Option<Obj> {
        let mut id = root;
        self.token(&mut id)?;
        let made = self.value(0, id, 0);
        if made.is_none() && self.direct && self.base.rules.duplicates == Duplicates::Last {
            return self.start_again(id);
        }
        made
    }

    /// Reads again what did not fit, with an eye on values that do not count.
    #[cold]
    #[inline(never)]
    fn start_again(&mut self, id: TokenId) -> Option<Obj> {
        if matches!(self.fault, None | Some(Fault::Python(_))) {
            return None;
        }
        self.fault = None;
        self.direct = false;
        self.depth = self.run.depth;
        self.slots.clear();
        self.kept = None;
        self.value(0, id, 0)
    }

    /// What failed, after a method has returned None.
    #[cold]
    fn fault(&mut self) -> Fault {
        match self.fault.take() {
            Some(fault) => fault,
            None => Fault::Python(PyErr::fetch(self.base.py)),
        }
    }

    /// The value at a token, which is no comment. `place` tells values of one kind from others.
    #[inline]
    fn value(&mut self, node: NodeId, id: TokenId, place: u16) -> Option<Obj> {
        let token = self.base.token(id);
        match self.plan.node(node) {
            Node::Str => self.text(token, id, place),
            Node::Int(from_text) => self.int(*from_text, token, id),
            Node::Record(record) => self.record(node, record, token, id),
            Node::Sequence(Sequence::List, item) => self.list(*item, token, id, place),
            Node::Float(from_text) => self.float(*from_text, token, id),
            Node::Bool => self.bool(token, id),
            Node::Any => self.any(id),
            Node::Union(union) => self.union(node, union, token, id, place),
            Node::Time(time) => self.time(node, time, token, id),
            Node::Dict(key, value) => self.dict(*key, *value, token, id, place),
            other => self.rare(node, other, token, id, place),
        }
    }

    #[inline(never)]
    fn rare(
        &mut self,
        node: NodeId,
        of: &'a Node,
        token: Token,
        id: TokenId,
        place: u16,
    ) -> Option<Obj> {
        match of {
            Node::None => self.none(token, id),
            Node::Decimal => self.decimal(token, id),
            Node::Bytes(kind, form) => self.bytes(*kind, *form, token, id),
            Node::Uuid => self.uuid(token, id),
            Node::Sequence(kind, item) => self.sequence(*kind, *item, token, id, place),
            Node::Row(row) => self.row(row, token, id, place),
            Node::Pairs(key, value) => self.pairs(*key, *value, token, id, place),
            Node::Table(table) => self.table(node, table, token, id),
            Node::Tagged(tagged) => self.tagged(node, tagged, token, id, place),
            Node::Shaped(shaped) => self.shaped(node, shaped, token, id, place),
            Node::Call(call) => self.call(node, call, id, place),
            Node::Checked(checked) => self.checked(checked, id, place),
            Node::Convert(convert) => self.convert(convert, id),
            Node::Shared(inner) => self.shared(*inner, token, id, place),
            Node::Raw => self.raw(id),
            Node::View => self.view(id),
            _ => self.any(id),
        }
    }

    /// The token of the next value or key, at `id` or behind comments.
    #[inline(always)]
    fn token(&mut self, id: &mut TokenId) -> Option<Token> {
        let found = self.base.value_token(id);
        if found.is_none() {
            self.untyped::<()>(None);
        }
        found
    }

    /// What untyped reading made of a value.
    #[inline(always)]
    fn untyped<T>(&mut self, made: Option<T>) -> Option<T> {
        if made.is_none() {
            self.untyped_fault();
        }
        made
    }

    #[cold]
    fn untyped_fault(&mut self) {
        self.fault = Some(match self.base.trouble() {
            Trouble::Value(error, id) => Fault::Value(error, id),
            Trouble::Python(error) => Fault::Python(error),
        });
    }

    /// A result of the binding.
    fn python<T>(&mut self, made: PyResult<T>) -> Option<T> {
        made.map_err(|error| self.fault = Some(Fault::Python(error)))
            .ok()
    }

    /// An object of the interpreter's making; None has an exception set.
    #[inline(always)]
    fn made(&mut self, made: Option<Obj>) -> Option<Obj> {
        if made.is_none() {
            self.fault = Some(Fault::Python(PyErr::fetch(self.base.py)));
        }
        made
    }

    /// Notes what is wrong with a value.
    #[cold]
    #[inline(never)]
    fn flaw<T>(&mut self, flaw: Flaw, id: TokenId) -> Option<T> {
        self.fault = Some(Fault::Flaw(Box::new(flaw), id));
        None
    }

    /// A value of the wrong kind.
    #[cold]
    #[inline(never)]
    fn wrong<T>(&mut self, expected: &'static str, id: TokenId) -> Option<T> {
        self.flaw(Flaw::new(ErrorCode::WrongType, Words::Are(expected)), id)
    }

    /// A value of the right kind that is none of those that are meant.
    #[cold]
    #[inline(never)]
    fn invalid<T>(&mut self, expected: Words, id: TokenId) -> Option<T> {
        self.flaw(Flaw::new(ErrorCode::InvalidValue, expected), id)
    }

    /// An error of the core at a value.
    #[cold]
    #[inline(never)]
    fn error<T>(&mut self, error: Error, id: TokenId) -> Option<T> {
        self.fault = Some(Fault::Value(error, id));
        None
    }

    /// Goes one container deeper, unless that is too deep.
    #[inline(always)]
    fn enter(&mut self, id: TokenId) -> Option<()> {
        self.depth += 1;
        if self.depth > DEEPEST || self.stack.is_reached() {
            return self.too_deep(id);
        }
        Some(())
    }

    #[cold]
    #[inline(never)]
    fn too_deep(&mut self, id: TokenId) -> Option<()> {
        self.depth -= 1;
        if self.depth < DEEPEST {
            return self.no_stack(id);
        }
        let error = Error::new(ErrorCode::DepthLimit).with("limit", DEEPEST);
        self.error(error.with("remedy", "no type is read deeper"), id)
    }

    /// The machine's stack has come to its end before the limits.
    #[cold]
    fn no_stack(&mut self, id: TokenId) -> Option<()> {
        // Converters may stand within each other where no container does.
        let levels = self.depth.max(self.run.turns);
        let error = Error::new(ErrorCode::DepthLimit).with("limit", levels);
        let remedy = "the stack of this thread has no room for more";
        self.error(error.with("remedy", remedy), id)
    }

    /// After a part of a container failed: goes on where all faults are wanted.
    #[cold]
    #[inline(never)]
    fn goes_on(&mut self) -> Option<()> {
        let found = self.found.as_mut()?;
        match self.fault.take()? {
            Fault::Noted => {}
            fault @ Fault::Python(_) => {
                self.fault = Some(fault);
                return None;
            }
            fault => found.faults.push(fault),
        }
        if found.faults.len() >= found.most {
            self.fault = Some(Fault::Noted);
            return None;
        }
        Some(())
    }

    /// What went wrong has been noted, and more may be.
    #[cold]
    fn is_collecting(&self) -> bool {
        let found = self.found.as_ref();
        matches!(self.fault, Some(Fault::Noted))
            && found.is_some_and(|found| found.faults.len() < found.most)
    }

    /// Ends a container some part of which failed.
    #[cold]
    fn noted<T>(&mut self) -> Option<T> {
        self.fault = Some(Fault::Noted);
        None
    }

    /// The kind of a value in words.
    fn kind(&self, id: TokenId) -> &'static str {
        kind_in_words(self.base.token(id))
    }
}

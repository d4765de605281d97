//! What goes wrong while a plan is run: noted cheaply, put into words only when somebody asks.
//!
//! A branch of a union that does not fit is a fault too, and mostly nobody asks.

use core::ops::Range;

use octad_core::doc::Document as Core;
use octad_core::error::{Category, EXCERPT, Error, ErrorCode, Path, quote};
use octad_core::token::{Kind, Token, TokenId, variant};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};

use super::words;
use crate::cpython::StackEnd;
use crate::errors;
use crate::plan::{NodeId, Plan};

/// Why a value could not be made.
pub enum Fault {
    /// The value at this token does not fit.
    Flaw(Box<Flaw>, TokenId),
    /// The value at this token is at fault in itself.
    Value(Error, TokenId),
    /// An exception of the user's code, for the value at this token.
    Raised(PyErr, TokenId),
    /// The same, where the exception knows its place.
    Told(PyErr, TokenId),
    /// An exception of the interpreter, which no value is to blame for.
    Python(PyErr),
    /// Several, which have been noted already.
    Noted,
}

impl Fault {
    /// Whether it is of one of these tokens.
    pub fn is_in(&self, tokens: &Range<TokenId>) -> bool {
        match self {
            Self::Flaw(_, id) | Self::Value(_, id) | Self::Raised(_, id) | Self::Told(_, id) => {
                tokens.contains(id)
            }
            Self::Python(_) | Self::Noted => false,
        }
    }
}

/// Words that are made when they are needed.
#[derive(Clone, Debug)]
pub enum Words {
    /// These.
    Are(&'static str),
    /// These, made already.
    Own(Box<str>),
    /// What a node reads.
    Node(NodeId),
    /// The field of a record.
    Field(NodeId, usize),
    /// A value that a record accepts.
    Accepted(NodeId),
    /// One of the fields of a record.
    Fields(NodeId),
}

/// A value that does not fit.
pub struct Flaw {
    /// What kind of fault.
    pub code: ErrorCode,
    /// What is expected.
    pub expected: Words,
    /// What is there, where that is more than the kind of the value.
    pub actual: Option<String>,
    /// What user code said.
    pub reason: Option<String>,
    /// The exception behind it.
    pub cause: Option<PyErr>,
    /// The branches of a union that were tried, and what was wrong.
    pub branches: Vec<(NodeId, Fault)>,
}

impl Flaw {
    /// A flaw that needs no more words.
    pub fn new(code: ErrorCode, expected: Words) -> Self {
        Self {
            code,
            expected,
            actual: None,
            reason: None,
            cause: None,
            branches: Vec::new(),
        }
    }
}

/// The kind of a value in words.
pub fn kind_in_words(token: Token) -> &'static str {
    match token.kind() {
        Kind::Simple => match token.variant() {
            variant::TRUE | variant::FALSE => "a boolean",
            _ => "null",
        },
        Kind::Int => "an integer",
        Kind::Real | Kind::Real59 => "a number",
        Kind::Short | Kind::Text | Kind::Name => "text",
        Kind::Bytes => "bytes",
        Kind::Time => "a date or time",
        Kind::List => "an array",
        Kind::Map | Kind::Record => "an object",
        Kind::Void | Kind::Trivia | Kind::Tag | Kind::Reserved => "nothing",
    }
}

/// Where a text that was made of a value stands, for errors in it.
pub struct Outer<'a> {
    /// The document of the value.
    pub core: &'a Core,
    /// The way to the value.
    pub path: Path,
    /// Where it begins.
    pub offset: usize,
}

/// Puts faults of one run into words: with the document that they are in.
pub struct Explainer<'a> {
    /// The plan that was run.
    pub plan: &'a Plan,
    /// The document; its tokens stand where those of the run did.
    pub core: &'a Core,
    /// Excerpts of the input may be shown.
    pub show_input: bool,
    /// What the document is made of, if that is a value of another one.
    pub outer: Option<&'a Outer<'a>>,
}

impl Explainer<'_> {
    /// The text that places are told in.
    fn text(&self) -> &Core {
        self.outer.map_or(self.core, |outer| outer.core)
    }

    /// The way to a value.
    pub fn path(&self, id: TokenId) -> Path {
        self.beyond(&self.core.value(id).path())
    }

    fn beyond(&self, path: &Path) -> Path {
        let outer = self.outer.iter().flat_map(|outer| outer.path.segments());
        Path::from_outer(outer.chain(path.segments()).cloned())
    }

    /// An error at a value, with its place and path.
    fn locate(&self, error: Error, id: TokenId) -> Error {
        let Some(outer) = self.outer else {
            return self.core.locate_error(error, id);
        };
        let path = self.beyond(self.core.locate_error(error.clone(), id).path());
        error.moved_to(outer.offset).with_path(path)
    }

    /// The exception for a fault.
    pub fn raise(&self, py: Python<'_>, fault: Fault) -> PyErr {
        match fault {
            Fault::Python(error) | Fault::Told(error, _) => error,
            Fault::Raised(error, id) => self.with_note(py, error, id),
            Fault::Noted => PyErr::fetch(py),
            fault => {
                let (error, cause) = self.error(py, fault);
                let raised = errors::to_py(
                    py,
                    &error,
                    Some(self.text().input()),
                    false,
                    self.show_input,
                );
                if let Some(cause) = cause {
                    raised.set_cause(py, Some(cause));
                }
                raised
            }
        }
    }

    /// The core's error for a fault of the data, complete with its place, and what caused it.
    pub fn error(&self, py: Python<'_>, fault: Fault) -> (Error, Option<PyErr>) {
        match fault {
            Fault::Flaw(flaw, id) => {
                let Flaw { code, .. } = *flaw;
                let error = self.worded(py, Error::at_token(code, id), &flaw, id);
                (self.locate(error, id), flaw.cause)
            }
            Fault::Value(error, _) if error.code().category() == Category::Access => (error, None),
            Fault::Value(error, id) => (self.locate(error, id), None),
            Fault::Raised(error, id) | Fault::Told(error, id) => {
                // Only reached for a branch of a union, which shows its message.
                let flaw = Flaw {
                    reason: Some(said(py, &error)),
                    ..Flaw::new(ErrorCode::Rejected, Words::Are("a value"))
                };
                self.error(py, Fault::Flaw(Box::new(flaw), id))
            }
            Fault::Python(_) | Fault::Noted => (Error::new(ErrorCode::Rejected), None),
        }
    }

    /// The exception for a fault of the data, with a message of one's own.
    pub fn with_message(&self, py: Python<'_>, fault: Fault, message: &str) -> PyErr {
        let make = || -> PyResult<PyErr> {
            let fields = fields(py, self, fault)?;
            fields.set_item("message", message)?;
            let make = py.import("octad._errors")?.getattr("make")?;
            Ok(PyErr::from_value(make.call((), Some(&fields))?))
        };
        make().unwrap_or_else(|failure| failure)
    }

    fn worded(&self, py: Python<'_>, error: Error, flaw: &Flaw, id: TokenId) -> Error {
        let value = self.core.value(id);
        let token = self.core.tape().get(id);
        let actual = flaw.actual.clone();
        // A value may be the whole document; no more of it is looked at than is shown.
        let raw = value.raw();
        let shown = quote(raw.get(..8 * EXCERPT).unwrap_or(raw));
        let mut error = error
            .with("expected", words::said(self.plan, &flaw.expected))
            .with("value", shown.trim_matches('`'))
            .with("key", &shown)
            .with("actual", actual.as_deref().unwrap_or(kind_in_words(token)));
        if let Some(reason) = &flaw.reason {
            error = error.with("excerpt", format_args!(": {reason}"));
        } else if flaw.actual.is_none() && !token.is_container() && raw != b"null" {
            error = error.with("excerpt", format_args!(" {shown}"));
        }
        if !flaw.branches.is_empty() {
            error = error.with("branches", self.branches(py, flaw, id));
        }
        error
    }

    /// What was wrong with each branch of a union.
    fn branches(&self, py: Python<'_>, flaw: &Flaw, id: TokenId) -> String {
        let mut text = String::new();
        // Branches have branches, and words are made by calls within each other.
        if StackEnd::of_thread().is_reached() {
            return text;
        }
        let start = self.core.value(id);
        for (number, (node, fault)) in flaw.branches.iter().enumerate() {
            let name = words::name(self.plan, *node);
            let (message, at) = match fault {
                Fault::Flaw(flaw, id) => {
                    let error = Error::at_token(flaw.code, *id);
                    (
                        self.worded(py, error, flaw, *id).message(self.show_input),
                        *id,
                    )
                }
                Fault::Value(error, id) => (error.message(self.show_input), *id),
                Fault::Raised(error, id) | Fault::Told(error, id) => (said(py, error), *id),
                Fault::Python(_) | Fault::Noted => continue,
            };
            text.push_str(if number == 0 { " (as " } else { "; as " });
            text.push_str(&name);
            if at != id {
                let path = self.core.value(at).path_below(start).to_string();
                text.push_str(" at ");
                text.push_str(path.trim_start_matches('$').trim_start_matches('.'));
            }
            text.push_str(": ");
            text.push_str(&message);
        }
        if !text.is_empty() {
            text.push(')');
        }
        text
    }

    /// An exception of user code with the place noted on it. One of octad's own gets the path in
    /// front of its own.
    fn with_note(&self, py: Python<'_>, error: PyErr, id: TokenId) -> PyErr {
        let path = self.path(id);
        let value = error.value(py);
        let done = if is_validation(py, &error) {
            prefix(value, &path)
        } else {
            value
                .call_method1("add_note", (format!("at {}", path.bounded()),))
                .map(drop)
        };
        // What cannot be noted is raised all the same.
        drop(done);
        error
    }
}

/// What an exception about a value says of itself.
const TOLD: [&str; 6] = ["message", "path", "pointer", "expected", "found", "value"];

/// What an exception says, in one line where it is one of octad's own.
fn said(py: Python<'_>, error: &PyErr) -> String {
    let value = error.value(py);
    let message = value.getattr("message").and_then(|text| text.extract());
    message.unwrap_or_else(|_| error.to_string())
}

fn prefix(error: &Bound<'_, PyAny>, path: &Path) -> PyResult<()> {
    let own = error.getattr("path")?.extract::<String>()?;
    let pointer = error.getattr("pointer")?.extract::<String>()?;
    let path = path.bounded();
    error.setattr("path", format!("{path}{}", own.trim_start_matches('$')))?;
    error.setattr("pointer", format!("{}{pointer}", path.pointer()))
}

/// Whether an exception is one of octad's own about a value that does not fit.
pub fn is_validation(py: Python<'_>, error: &PyErr) -> bool {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = CLASS.import(py, "octad._errors", "ValidationError");
    class.is_ok_and(|class| error.is_instance(py, class))
}

/// Whether an exception is about a type that cannot be read, whatever the value.
pub fn is_contract(py: Python<'_>, error: &PyErr) -> bool {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = CLASS.import(py, "octad._errors", "ContractError");
    class.is_ok_and(|class| error.is_instance(py, class))
}

/// The fields of a problem, as keyword arguments, for faults of the data.
///
/// # Errors
/// The exception, where no value is to blame for it.
pub fn fields<'py>(
    py: Python<'py>,
    explainer: &Explainer<'_>,
    fault: Fault,
) -> PyResult<Bound<'py, PyDict>> {
    match fault {
        Fault::Python(error) => Err(error),
        Fault::Raised(error, id) if !is_validation(py, &error) => {
            Err(explainer.with_note(py, error, id))
        }
        Fault::Told(error, _) if !is_validation(py, &error) => Err(error),
        Fault::Told(error, _) => {
            let told = PyDict::new(py);
            let value = error.value(py);
            for name in TOLD
                .iter()
                .chain(&["offset", "line", "column", "source_line"])
            {
                told.set_item(name, value.getattr(*name)?)?;
            }
            told.set_item("code", value.getattr("code")?.str()?)?;
            Ok(told)
        }
        Fault::Raised(error, id) => {
            // A problem that user code found: told at its own path below this value.
            let error = explainer.with_note(py, error, id);
            let value = error.value(py);
            let place = match explainer.outer {
                Some(outer) => outer.offset,
                None => explainer.core.value(id).place().start as usize,
            };
            let position = explainer.text().position_of(place);
            let told = PyDict::new(py);
            for name in TOLD {
                told.set_item(name, value.getattr(name)?)?;
            }
            told.set_item("code", value.getattr("code")?.str()?)?;
            told.set_item("offset", place)?;
            told.set_item("line", position.line)?;
            told.set_item("column", position.column)?;
            Ok(told)
        }
        fault => {
            let (error, _) = explainer.error(py, fault);
            let position = explainer.text().position_of(error.offset().unwrap_or(0));
            let place = Some((explainer.text().input(), position));
            errors::fields_at(py, &error, place, explainer.show_input)
        }
    }
}

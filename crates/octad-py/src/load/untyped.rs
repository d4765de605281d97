//! Any subtree of a tape as plain Python objects: dict, list, str, int, float, bool, None.
//!
//! Two loops and an explicit stack: one fills a list, one fills a dict, a nested container changes
//! from one to the other. Containers have their final size from the counts on the tape.

use octad_core::error::{Error, ErrorCode};
use octad_core::formats::json::Duplicates;
use octad_core::source::{Int, Source, Text};
use octad_core::token::{Kind, Token, TokenId, variant};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

use super::digits;
use crate::cpython::{Held, Keys, NewDict, NewList, Obj, Trail, number, str};
use crate::options::{Floats, Rules};

/// Why objects could not be made.
pub enum Trouble {
    /// The value at this token is at fault.
    Value(Error, TokenId),
    /// An exception of the interpreter: no memory, or what `Decimal` raised.
    Python(PyErr),
}

impl From<PyErr> for Trouble {
    fn from(error: PyErr) -> Self {
        Self::Python(error)
    }
}

type Outcome<T> = Result<T, Trouble>;

enum Open {
    List(NewList),
    Dict(NewDict, Option<Obj>),
}

/// The objects of the value at `root`. The tape is well formed: it came from a reader or has been
/// verified; a wrong count makes a shorter container, nothing worse.
///
/// # Errors
/// See [`Trouble`].
pub fn build<S: Source>(
    py: Python<'_>,
    tokens: &[Token],
    root: TokenId,
    source: &S,
    rules: &Rules,
) -> Outcome<Obj> {
    if let Some(limit) = rules.digits.filter(|limit| *limit < digits::SHORT) {
        digits::check(tokens, root, source, limit)?;
    }
    let held = (rules.floats == Floats::Float).then(|| Held::new(py));
    let mut keys = Keys::take(py);
    let mut builder = Builder {
        py,
        tokens,
        source,
        rules,
        keys: &mut keys,
        scratch: Vec::new(),
    };
    let outcome = builder.value(root);
    keys.give_back(py);
    drop(held);
    outcome
}

struct Builder<'a, 'py, S> {
    py: Python<'py>,
    tokens: &'a [Token],
    source: &'a S,
    rules: &'a Rules,
    keys: &'a mut Keys,
    scratch: Vec<u8>,
}

impl<S: Source> Builder<'_, '_, S> {
    fn value(&mut self, root: TokenId) -> Outcome<Obj> {
        let token = self.token(root);
        if !token.is_container() {
            return self.scalar(token, root);
        }
        let mut stack: Vec<(Open, Trail)> = Vec::new();
        let mut trail = Trail::default();
        let mut current = self.open(token)?;
        let mut id = root + 1;
        'container: loop {
            match &mut current {
                Open::List(list) => {
                    while list.left() > 0 {
                        let token = self.token(id);
                        if token.is_container() {
                            let inner = self.open(token)?;
                            stack.push((core::mem::replace(&mut current, inner), trail));
                            id += 1;
                            continue 'container;
                        }
                        if token.is_beside() {
                            id = self.skip(token, id)?;
                            continue;
                        }
                        list.push(self.scalar(token, id)?);
                        id += 1;
                    }
                }
                Open::Dict(dict, pending) => {
                    while dict.left() > 0 {
                        let token = self.token(id);
                        if token.is_beside() {
                            id = self.skip(token, id)?;
                            continue;
                        }
                        let key = match pending.take() {
                            Some(key) => key,
                            None => {
                                let key = self.key(token, id, &mut trail)?;
                                id += 1;
                                let after = self.token(id);
                                if after.is_beside() {
                                    *pending = Some(key);
                                    continue;
                                }
                                key
                            }
                        };
                        let token = self.token(id);
                        if token.is_container() {
                            *pending = Some(key);
                            let inner = self.open(token)?;
                            stack.push((core::mem::replace(&mut current, inner), trail));
                            trail = trail.inner();
                            id += 1;
                            continue 'container;
                        }
                        let value = self.scalar(token, id)?;
                        id += 1;
                        if self.rules.duplicates == Duplicates::First {
                            dict.insert_first(self.py, &key, value)?;
                        } else {
                            dict.insert(self.py, &key, value)?;
                        }
                    }
                }
            }
            let done = match current {
                Open::List(list) => list.finish(),
                Open::Dict(dict, _) => dict.finish(),
            };
            let Some(outer) = stack.pop() else {
                return Ok(done);
            };
            (current, trail) = outer;
            match &mut current {
                Open::List(list) => list.push(done),
                Open::Dict(dict, pending) => {
                    if let Some(key) = pending.take() {
                        if self.rules.duplicates == Duplicates::First {
                            dict.insert_first(self.py, &key, done)?;
                        } else {
                            dict.insert(self.py, &key, done)?;
                        }
                    }
                }
            }
        }
    }

    #[inline]
    fn token(&self, id: TokenId) -> Token {
        self.tokens.get(id as usize).copied().unwrap_or(Token::VOID)
    }

    /// Past comments and tags; a VOID means that the tape ended too early.
    #[cold]
    fn skip(&self, token: Token, id: TokenId) -> Outcome<TokenId> {
        if token.kind() == Kind::Void {
            return Err(Trouble::Value(short_tape(id), id));
        }
        Ok(id + 1)
    }

    #[inline]
    fn open(&self, token: Token) -> Outcome<Open> {
        let count = self.count(token);
        Ok(match token.kind() {
            Kind::List => Open::List(NewList::new(self.py, count)?),
            _ => Open::Dict(NewDict::new(self.py, count)?, None),
        })
    }

    /// Children or pairs; no more than the span has room for.
    #[inline]
    fn count(&self, token: Token) -> usize {
        (token.count() as usize).min(self.tokens.len())
    }

    #[inline]
    fn key(&mut self, token: Token, id: TokenId, trail: &mut Trail) -> Outcome<Obj> {
        let text = self
            .source
            .text(token, &mut self.scratch)
            .map_err(|error| Trouble::Value(error, id))?;
        Ok(self.keys.get(self.py, text.bytes(), trail)?)
    }

    #[inline]
    fn scalar(&mut self, token: Token, id: TokenId) -> Outcome<Obj> {
        let py = self.py;
        match token.kind() {
            Kind::Text => {
                let text = self
                    .source
                    .text(token, &mut self.scratch)
                    .map_err(|error| Trouble::Value(error, id))?;
                Ok(match text {
                    Text::Ascii(bytes) => str::ascii(py, bytes)?,
                    Text::Utf8(bytes) => str::utf8(py, bytes)?,
                })
            }
            Kind::Int if token.is_owned() => Ok(number::int(py, token.int_value())?),
            Kind::Real59 => Ok(number::float(py, token.real59_value())?),
            Kind::Simple => Ok(match token.variant() {
                variant::TRUE => number::bool(py, true),
                variant::FALSE => number::bool(py, false),
                _ => number::none(py),
            }),
            _ => self.rare(token, id),
        }
    }

    #[inline(never)]
    fn rare(&mut self, token: Token, id: TokenId) -> Outcome<Obj> {
        let py = self.py;
        let value = |error| Trouble::Value(error, id);
        match token.kind() {
            Kind::Int => {
                let whole = self.source.int(token).map_err(value)?;
                if let (Int::Big(digits), Some(limit)) = (whole, self.rules.digits) {
                    let size = digits.trim_start_matches('-').len();
                    if size > limit as usize {
                        return Err(value(digits::too_many(size, limit)));
                    }
                }
                Ok(number::any_int(py, whole)?)
            }
            Kind::Real if token.variant() != variant::REAL_SPECIAL => {
                if self.rules.floats == Floats::Decimal {
                    let text = self.source.decimal(token).map_err(value)?;
                    return Ok(Obj::from_bound(&decimal_type(py)?.call1((text,))?));
                }
                let real = self.source.real(token).map_err(value)?;
                if real.is_infinite() && !self.rules.overflow_is_infinite {
                    let text = self.source.decimal(token).map_err(value)?;
                    return Err(value(overflow(text)));
                }
                Ok(number::float(py, real)?)
            }
            Kind::Real => Ok(number::float(py, self.source.real(token).map_err(value)?)?),
            Kind::Short => {
                let (bytes, length) = token.short_value();
                Ok(str::ascii(py, &bytes[..length.min(7)])?)
            }
            _ => Err(value(short_tape(id))),
        }
    }
}

fn decimal_type(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static DECIMAL: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    DECIMAL.import(py, "decimal", "Decimal")
}

#[cold]
fn short_tape(id: TokenId) -> Error {
    Error::at_token(ErrorCode::InvalidTape, id)
        .with("problem", "no value")
        .with("token", id)
}

#[cold]
fn overflow(text: &str) -> Error {
    Error::new(ErrorCode::NumberOverflow).with("found", octad_core::error::quote(text.as_bytes()))
}

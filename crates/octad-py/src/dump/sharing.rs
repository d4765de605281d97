//! Containers that are met again: by reference where the call says so, `null` inside themselves.

use std::collections::HashMap;

use octad_core::error::{ErrorCode, quote};
use octad_core::sink::Sink;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyString};

use super::fault::{Outcome, error, type_name};
use super::walk::Walk;
use crate::cpython::Obj;

/// The containers that were met.
#[derive(Default)]
pub struct Met {
    /// By address: the number, and the container itself, so that no other gets its address.
    known: HashMap<usize, (usize, Obj)>,
    /// The ids that a resolver gave, and to which container.
    ids: HashMap<String, usize>,
    /// The container that is about to be begun.
    next: Option<usize>,
    /// The next container stands for one that was met.
    stand_in: bool,
}

impl<S: Sink + Send> Walk<'_, '_, S> {
    /// Whether a container is done with: it was met before, and something stands for it.
    pub(super) fn is_met(&mut self, object: &Obj) -> Outcome<bool> {
        let sharing = &self.rules.sharing;
        if sharing.references {
            return self.met_again(object);
        }
        if sharing.null_cycles && self.is_open(object) {
            self.sink.null();
            self.check()?;
            return Ok(true);
        }
        Ok(false)
    }

    /// Whether the container is being written.
    fn is_open(&self, object: &Obj) -> bool {
        let address = object.item().address();
        let mut frames = self.frames.iter();
        frames.any(|frame| {
            frame
                .owner()
                .is_some_and(|owner| owner.item().address() == address)
        })
    }

    fn met_again(&mut self, object: &Obj) -> Outcome<bool> {
        if std::mem::take(&mut self.met.stand_in) {
            return Ok(false);
        }
        let address = object.item().address();
        let Some((number, _)) = self.met.known.get(&address) else {
            let number = self.met.known.len();
            self.met.known.insert(address, (number, object.clone()));
            self.met.next = Some(number);
            return Ok(false);
        };
        let number = *number;
        let id = match &self.rules.sharing.resolver {
            None => None,
            Some(resolver) => {
                let resolver = resolver.clone_ref(self.quiet.noisy());
                match self.id_by(&resolver, object, number)? {
                    // It is written again.
                    None => return Ok(false),
                    given => given,
                }
            }
        };
        if self.sink.again(number, id.as_deref()) {
            self.check()?;
            return Ok(true);
        }
        // What was written of it was taken back.
        self.met.next = Some(number);
        Ok(false)
    }

    /// The id that the resolver has for a container.
    fn id_by(
        &mut self,
        resolver: &Py<PyAny>,
        object: &Obj,
        number: usize,
    ) -> Outcome<Option<String>> {
        let py = self.quiet.noisy();
        let id = resolver
            .bind(py)
            .call_method1(intern!(py, "id_of"), (object.bind(py),))?;
        if id.is_none() {
            return Ok(None);
        }
        let id = match id.cast::<PyString>() {
            Ok(text) => text.to_str()?.to_owned(),
            Err(_) if id.is_instance_of::<PyInt>() && !id.is_instance_of::<PyBool>() => {
                id.str()?.to_str()?.to_owned()
            }
            Err(_) => {
                let hint = " from `id_of` (an id is a str or an int)";
                return Err(error(ErrorCode::UnsupportedType)
                    .with("type", type_name(&id))
                    .with("hint", hint)
                    .into());
            }
        };
        if *self.met.ids.entry(id.clone()).or_insert(number) != number {
            return Err(error(ErrorCode::KeyClash)
                .with("key", format!("the id {}", quote(id.as_bytes())))
                .into());
        }
        Ok(Some(id))
    }

    /// Another object is written in place of the container that was met last.
    pub(super) fn stand_in(&mut self) {
        self.met.stand_in = self.rules.sharing.references;
    }

    /// Tells the sink which container it begins.
    #[inline]
    pub(super) fn announce(&mut self) {
        if let Some(number) = self.met.next.take() {
            self.sink.share(number);
        }
    }

    /// What is begun next is no container that may be met again.
    #[inline]
    pub(super) fn unannounced(&mut self) {
        self.met.next = None;
        self.met.stand_in = false;
    }
}

//! `Level`: a container that is filled call by call, and whether a call fits there.
//!
//! For the push writer and for converters alike. It writes nothing: its owner does.

use octad_core::error::{Error, ErrorCode, Segment};

use super::fault::Outcome;
use super::frames::KeySet;
use super::keys::{self, KeyText};

/// An open container of the caller's.
pub enum Level {
    List {
        /// How many items have been begun.
        next: usize,
    },
    Map {
        keys: KeySet,
        /// The key whose value is due: as a path shows it, and what tells it from others.
        pending: Option<(String, Box<[u8]>)>,
    },
}

/// The error for a call that does not fit where the text stands.
#[cold]
pub fn misuse(expected: &str, call: &str) -> Error {
    Error::new(ErrorCode::WriterState)
        .with("expected", expected)
        .with("call", format!("`{call}`"))
}

impl Level {
    /// An empty list or map.
    pub fn new(map: bool) -> Self {
        if map {
            Self::Map {
                keys: KeySet::new(),
                pending: None,
            }
        } else {
            Self::List { next: 0 }
        }
    }

    /// Whether it is a map.
    pub fn is_map(&self) -> bool {
        matches!(self, Self::Map { .. })
    }

    /// How many items or entries it has.
    pub fn len(&self) -> usize {
        match self {
            Self::List { next } => *next,
            Self::Map { keys, .. } => keys.len(),
        }
    }

    /// The step to the value that is due.
    pub fn segment(&self) -> Option<Segment> {
        match self {
            Self::List { next } => Some(Segment::Index(*next)),
            Self::Map { pending, .. } => pending
                .as_ref()
                .map(|(shown, _)| Segment::Key(shown.clone())),
        }
    }

    /// Checks that a value may stand here.
    pub fn expect_value(&self, call: &str) -> Outcome {
        match self {
            Self::Map { pending: None, .. } => {
                Err(misuse("`key()`, `entry()` or `end()` in a map", call).into())
            }
            _ => Ok(()),
        }
    }

    /// Checks that a key may stand here.
    pub fn expect_key(level: Option<&Self>, call: &str) -> Outcome {
        match level {
            Some(Self::Map { pending: None, .. }) => Ok(()),
            _ => Err(misuse("a key only in a map, and after the last key's value", call).into()),
        }
    }

    /// Checks that the container may end here.
    pub fn expect_end(level: Option<&Self>) -> Outcome {
        match level {
            None => Err(misuse("`end()` inside a container", "end()").into()),
            Some(Self::Map {
                pending: Some(_), ..
            }) => Err(misuse("a value for the last key", "end()").into()),
            Some(_) => Ok(()),
        }
    }

    /// Refuses a key whose text stands in the map already.
    pub fn expect_new(&self, key: &KeyText) -> Outcome {
        match self {
            Self::Map { keys, .. } if keys.contains(&keys::identity(key.chars())) => {
                Err(keys::clash(key.chars()))
            }
            _ => Ok(()),
        }
    }

    /// Notes that a key has been written.
    pub fn after_key(&mut self, key: &KeyText) {
        if let Self::Map { keys, pending } = self {
            let identity = keys::identity(key.chars());
            *pending = Some((key.chars().to_text(), identity.clone()));
            keys.insert(identity);
        }
    }

    /// Notes that the last key has been taken back.
    pub fn drop_key(&mut self) {
        if let Self::Map { keys, pending } = self
            && let Some((_, identity)) = pending.take()
        {
            keys.remove(&identity);
        }
    }

    /// Notes that a value has been written.
    pub fn after_value(&mut self) {
        match self {
            Self::List { next } => *next += 1,
            Self::Map { pending, .. } => *pending = None,
        }
    }
}

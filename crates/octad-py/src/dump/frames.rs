//! The open containers of a walk. Each frame holds its container, knows how far it has come, and
//! can say which key or index it stands at.

use std::collections::HashSet;
use std::rc::Rc;
use std::vec;

use octad_core::error::Segment;
use pyo3::prelude::*;

use super::contract::FieldConverter;
use super::converted::PushedFrame;
use super::keys::{self, KeyText};
use super::plans::Plan;
use super::shaped::ShapedFrame;
use crate::cpython::{DictPlace, DictRef, ListRef, Obj, Quiet, TupleRef};

/// The texts of the keys of one mapping.
pub type KeySet = HashSet<Box<[u8]>>;

/// A list being written.
pub struct ListFrame {
    pub list: ListRef,
    pub next: usize,
    pub len: usize,
}

/// A tuple being written.
pub struct TupleFrame {
    pub tuple: TupleRef,
    pub next: usize,
}

/// A dict being written in its own order.
pub struct DictFrame {
    pub dict: DictRef,
    pub place: DictPlace,
    /// The place of the entry being written.
    pub before: DictPlace,
    pub len: usize,
    pub left: usize,
    /// The texts of the keys, once one that is not an exact str has come up.
    pub texts: Option<Box<KeySet>>,
}

/// Entries taken out of a mapping beforehand: sorted, or produced by its own `items()`.
pub struct EntriesFrame {
    pub owner: Obj,
    pub entries: vec::IntoIter<(KeyText, Obj)>,
    pub key: Option<KeyText>,
    /// Writes each value.
    pub converter: Option<Rc<FieldConverter>>,
}

/// A dataclass or attrs instance.
pub struct RecordFrame {
    pub owner: Obj,
    pub plan: Rc<Plan>,
    pub next: usize,
    /// The tags that were written beside values.
    pub tags: Vec<Box<[u8]>>,
}

/// Anything that is walked by its iterator.
pub struct IterFrame {
    pub owner: Obj,
    pub iterator: Obj,
    pub next: usize,
    /// Writes each item.
    pub converter: Option<Rc<FieldConverter>>,
}

/// An open container.
pub enum Frame {
    List(ListFrame),
    Dict(DictFrame),
    Tuple(TupleFrame),
    Entries(Box<EntriesFrame>),
    Record(Box<RecordFrame>),
    Iter(Box<IterFrame>),
    Pushed(Box<PushedFrame>),
    Shaped(Box<ShapedFrame>),
}

impl Frame {
    /// The container, if there is an object that is one.
    pub fn owner(&self) -> Option<&Obj> {
        Some(match self {
            Self::List(frame) => frame.list.object(),
            Self::Dict(frame) => frame.dict.object(),
            Self::Tuple(frame) => frame.tuple.object(),
            Self::Entries(frame) => &frame.owner,
            Self::Record(frame) => &frame.owner,
            Self::Iter(frame) => &frame.owner,
            Self::Shaped(frame) => &frame.owner,
            Self::Pushed(_) => return None,
        })
    }

    /// The step from the container to the value being written.
    fn segment(&self, quiet: &mut Quiet<'_>) -> Option<Segment> {
        let index = |next: usize| Some(Segment::Index(next.saturating_sub(1)));
        match self {
            Self::List(frame) => index(frame.next),
            Self::Tuple(frame) => index(frame.next),
            Self::Iter(frame) => index(frame.next),
            Self::Dict(frame) => {
                let mut entries = frame.dict.view(quiet).entries(frame.before);
                let key = entries.next().map(|(key, _)| key.own());
                let text = keys::shown(quiet.noisy(), &key?);
                Some(Segment::Key(text))
            }
            Self::Entries(frame) => {
                let key = frame.key.as_ref()?;
                Some(Segment::Key(key.chars().to_text()))
            }
            Self::Record(frame) => {
                let key = frame.plan.fields.keys().get(frame.next.saturating_sub(1))?;
                Some(Segment::Key(
                    key.bind(quiet.noisy()).to_string_lossy().into_owned(),
                ))
            }
            Self::Pushed(frame) => frame.segment(),
            Self::Shaped(frame) => frame.segment(quiet.noisy()),
        }
    }
}

/// The steps to the value that the innermost of `frames` stands at.
#[cold]
pub fn segments(frames: &[Frame], quiet: &mut Quiet<'_>) -> Vec<Segment> {
    frames
        .iter()
        .filter_map(|frame| frame.segment(quiet))
        .collect()
}

/// The first container that stands inside itself: how many frames lie outside of it.
#[cold]
pub fn repeated(frames: &[Frame]) -> Option<usize> {
    let mut seen = HashSet::new();
    frames.iter().position(|frame| {
        let owner = frame.owner();
        owner.is_some_and(|owner| !seen.insert(owner.item().address()))
    })
}

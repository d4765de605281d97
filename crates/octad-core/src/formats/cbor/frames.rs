//! The open containers of a sink: their heads, how many items they have, and their entries in order.
//!
//! A container is announced with a number of items, or with none. Where it has others in the end,
//! its head is put in front when it closes, so a length is right whatever the walker said. Entries
//! are sorted when their map closes, by the bytes of the keys as they were written.

use core::ops::Range;

use super::head::{ARRAY, BREAK, MAP, OPEN, put_head};
use super::options::KeyOrder;
use super::recode::item_end;
use super::write::CborSink;
use crate::error::{Error, ErrorCode, quote};
use crate::sink::{Mark, Output};

/// An open container.
#[derive(Clone, Debug)]
struct Frame {
    /// Where its head stands in the output, and what is in it.
    start: usize,
    body: usize,
    map: bool,
    /// Items as announced, keys and values each; none where that was not told.
    announced: Option<u64>,
    /// It is closed by a break code.
    streamed: bool,
    /// It has no head: the items of a sequence.
    bare: bool,
    /// Items of the container around it.
    outer: u64,
    /// Its first entry among those that are noted.
    entries: usize,
}

/// An entry of a map.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Where its key stands in the output.
    start: usize,
    /// Where a key that is a container ends; others tell that themselves.
    key_end: Option<usize>,
}

/// What a sink knows of the containers that are open, between two of its lives.
#[derive(Clone, Debug, Default)]
pub struct State {
    frames: Vec<Frame>,
    /// The entries of maps that will be sorted.
    entries: Vec<Entry>,
    /// Items of the innermost container.
    items: u64,
}

impl State {
    /// Counts an item that is written next.
    #[inline(always)]
    pub(super) fn item(&mut self) {
        self.items += 1;
    }

    /// Notes that the key of an entry comes, at this place in the output.
    pub(super) fn entry(&mut self, start: usize) {
        self.entries.push(Entry {
            start,
            key_end: None,
        });
    }

    /// Where it stands, at this length of the output.
    pub(super) fn mark(&self, length: usize) -> Mark {
        Mark {
            length,
            depth: self.frames.len(),
            items: self.items,
        }
    }

    /// Goes back to a mark.
    pub(super) fn rewind(&mut self, mark: Mark) {
        self.frames.truncate(mark.depth);
        self.items = mark.items;
        // A key that stands where the output ends now was taken back.
        let first = self.frames.last().map_or(0, |frame| frame.entries);
        let kept = self.entries.iter().skip(first);
        let kept = kept.take_while(|entry| entry.start < mark.length).count();
        self.entries.truncate(first + kept);
    }

    /// Follows the entries of the innermost map into the order of these pieces, one for each.
    pub(super) fn arrange(&mut self, pieces: &[Range<usize>]) {
        let first = self.frames.last().map_or(0, |frame| frame.entries);
        let Some(mut start) = pieces.iter().map(|piece| piece.start).min() else {
            return;
        };
        // Entries keep their keys, which move with them.
        let noted = self.entries.split_off(first.min(self.entries.len()));
        let (kept, moved): (Vec<Entry>, Vec<Entry>) =
            noted.into_iter().partition(|entry| entry.start < start);
        self.entries.extend(kept);
        for piece in pieces {
            let entry = moved
                .binary_search_by_key(&piece.start, |entry| entry.start)
                .map(|place| moved[place]);
            let size = entry.map_or(None, |entry| Some(entry.key_end? - entry.start));
            self.entries.push(Entry {
                start,
                key_end: size.map(|size| start + size),
            });
            start += piece.len();
        }
    }
}

impl CborSink<'_> {
    /// Whether entries are sorted.
    #[inline]
    pub(super) fn sorts(&self) -> bool {
        self.options.order != KeyOrder::Kept
    }

    /// Opens a container of so many items. `head`: as it was spelled elsewhere.
    pub(super) fn open(&mut self, map: bool, announced: Option<u64>, head: Option<&[u8]>) {
        let start = self.out.len();
        let major = if map { MAP } else { ARRAY };
        let bare = self.options.sequence && !map && self.state.frames.is_empty();
        let mut streamed = false;
        match (announced, head) {
            _ if bare => {}
            (Some(_), Some(head)) => self.out.extend_from_slice(head),
            (Some(items), None) => put_head(major, if map { items / 2 } else { items }, self.out),
            (None, _) if self.options.definite => {}
            (None, _) => {
                self.out.push(major << 5 | OPEN);
                streamed = true;
            }
        }
        self.state.frames.push(Frame {
            start,
            body: self.out.len(),
            map,
            announced,
            streamed,
            bare,
            outer: self.state.items + 1,
            entries: self.state.entries.len(),
        });
        self.state.items = 0;
    }

    /// Closes the innermost container.
    pub(super) fn close(&mut self) {
        let Some(frame) = self.state.frames.pop() else {
            return;
        };
        let items = core::mem::replace(&mut self.state.items, frame.outer);
        if frame.map && self.sorts() {
            let first = frame.entries.min(self.state.entries.len());
            let entries = self.state.entries.split_off(first);
            if entries.len() > 1 {
                self.sort(&entries);
            }
        }
        if frame.streamed {
            self.out.push(BREAK);
        } else if !frame.bare && frame.announced != Some(items) {
            self.put_in_front(&frame, items);
        }
        // In a map, after an odd number of items, this was a key.
        let key = self.state.items % 2 == 1 && self.sorts();
        if key && self.state.frames.last().is_some_and(|outer| outer.map) {
            let end = self.out.len();
            if let Some(entry) = self.state.entries.last_mut() {
                entry.key_end = Some(end);
            }
        }
        if !self.out.has_room(0) {
            self.over();
        }
    }

    /// Gives a container the head of so many items.
    #[cold]
    fn put_in_front(&mut self, frame: &Frame, items: u64) {
        let end = self.out.len();
        if frame.map {
            put_head(MAP, items / 2, self.out);
        } else {
            put_head(ARRAY, items, self.out);
        }
        let behind = self.out.len();
        let old = frame.start..frame.start;
        self.out.arrange(&[old, end..behind, frame.body..end]);
    }

    /// Puts the entries of the innermost map in order; the last one ends the output.
    fn sort(&mut self, entries: &[Entry]) {
        let out = self.out.as_slice();
        let end = out.len();
        let mut keyed: Vec<(&[u8], Range<usize>)> = Vec::with_capacity(entries.len());
        for (place, entry) in entries.iter().enumerate() {
            let start = entry.start;
            let until = entries.get(place + 1).map_or(end, |next| next.start);
            let key_end = entry.key_end.unwrap_or_else(|| item_end(out, start));
            let key = out.get(start..key_end.min(until)).unwrap_or_default();
            keyed.push((key, start..until));
        }
        let order = self.options.order;
        let compare = |one: &[u8], other: &[u8]| match order {
            KeyOrder::LengthFirst => (one.len(), one).cmp(&(other.len(), other)),
            _ => one.cmp(other),
        };
        let sorted = keyed.is_sorted_by(|one, other| compare(one.0, other.0).is_le());
        if !sorted {
            keyed.sort_by(|one, other| compare(one.0, other.0));
        }
        let twice = keyed.windows(2).find(|pair| pair[0].0 == pair[1].0);
        if let Some([(key, _), _]) = twice {
            let key = super::diag::key_text(key, 0);
            let error = Error::new(ErrorCode::KeyClash).with("key", quote(key.as_bytes()));
            self.fail(error);
        } else if !sorted {
            let pieces: Vec<Range<usize>> = keyed.into_iter().map(|(_, piece)| piece).collect();
            self.out.arrange(&pieces);
        }
    }
}

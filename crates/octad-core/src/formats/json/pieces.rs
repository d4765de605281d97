//! A JSON text in pieces, kept until it is known which containers are met twice.
//!
//! A container gets its `$id` when it is met again, long after it was written. So the text is kept
//! as scalars and keys in their final spelling and as brackets without one; `send` passes it on.

use core::ops::Range;

use super::write::JsonSink;
use super::write_options::WriteOptions;
use crate::error::{Error, ErrorCode};
use crate::sink::{Chars, Mark, OutBuf, Sink};
use crate::text::time::{Span, Time};

/// The names that tell containers apart, and lists by their values.
pub const ID: &str = "$id";
/// A container that was written elsewhere.
pub const REF: &str = "$ref";
/// The elements of a list that has an id.
pub const VALUES: &str = "$values";

#[derive(Clone, Debug)]
enum Piece {
    BeginList(Option<usize>),
    EndList,
    BeginMap(Option<usize>),
    EndMap,
    Key(Range<usize>),
    Value(Range<usize>),
    Again(usize),
}

/// What is known of a container that may be met again.
#[derive(Clone, Debug, Default)]
struct Known {
    begun: bool,
    again: bool,
    id: Option<String>,
}

/// A text in pieces.
#[derive(Default)]
pub struct Pieces {
    spelled: OutBuf,
    pieces: Vec<Piece>,
    depth: usize,
    known: Vec<Known>,
    /// The container that is begun next.
    next: Option<usize>,
    error: Option<Error>,
}

impl Pieces {
    /// Passes the text on. Ids that nobody has given are numbers, in the order of the text.
    pub fn send(mut self, sink: &mut impl Sink) {
        let mut given = 0;
        let mut id_of = |known: &mut Known| -> String {
            known
                .id
                .get_or_insert_with(|| {
                    given += 1;
                    given.to_string()
                })
                .clone()
        };
        let mut wrapped = Vec::new();
        let spelled = self.spelled.as_slice();
        for piece in &self.pieces {
            match piece {
                Piece::BeginList(number) | Piece::BeginMap(number) => {
                    let known = number.and_then(|number| self.known.get_mut(number));
                    let id = known.filter(|known| known.again).map(&mut id_of);
                    let list = matches!(piece, Piece::BeginList(_));
                    if !list || id.is_some() {
                        sink.begin_map(None);
                    }
                    if let Some(id) = &id {
                        sink.key(Chars::from(ID));
                        sink.text(Chars::from(id.as_str()));
                    }
                    if list {
                        if id.is_some() {
                            sink.key(Chars::from(VALUES));
                        }
                        sink.begin_list(None);
                        wrapped.push(id.is_some());
                    }
                }
                Piece::EndList => {
                    sink.end_list();
                    if wrapped.pop() == Some(true) {
                        sink.end_map();
                    }
                }
                Piece::EndMap => sink.end_map(),
                Piece::Key(place) => sink.raw_key(spelled.get(place.clone()).unwrap_or_default()),
                Piece::Value(place) => sink.raw(spelled.get(place.clone()).unwrap_or_default()),
                Piece::Again(number) => {
                    let id = self.known.get_mut(*number).map(&mut id_of);
                    sink.begin_map(Some(1));
                    sink.key(Chars::from(REF));
                    sink.text(Chars::from(id.as_deref().unwrap_or_default()));
                    sink.end_map();
                }
            }
        }
    }
}

/// Keeps a text in pieces.
pub struct PiecesSink<'o> {
    pieces: &'o mut Pieces,
    options: &'o WriteOptions,
}

impl<'o> PiecesSink<'o> {
    /// A sink at the start of a text.
    #[must_use]
    pub fn new(pieces: &'o mut Pieces, options: &'o WriteOptions) -> Self {
        Self { pieces, options }
    }

    /// Spells a key or value; what stands behind it is cut off.
    fn spell(&mut self, write: impl FnOnce(&mut JsonSink<'_, false>)) -> Range<usize> {
        let start = self.pieces.spelled.len();
        let mut sink = JsonSink::<false>::resume(&mut self.pieces.spelled, self.options, 0);
        write(&mut sink);
        let failure = sink.take_error();
        if let Some(failure) = failure {
            self.pieces.error.get_or_insert(failure);
        }
        let end = self.pieces.spelled.len().saturating_sub(1).max(start);
        self.pieces.spelled.restore(end);
        start..end
    }

    fn value(&mut self, write: impl FnOnce(&mut JsonSink<'_, false>)) {
        let place = self.spell(write);
        self.pieces.pieces.push(Piece::Value(place));
    }

    fn begin(&mut self, piece: impl FnOnce(Option<usize>) -> Piece) {
        let number = self.pieces.next.take();
        if let Some(known) = number.and_then(|number| self.pieces.known.get_mut(number)) {
            known.begun = true;
        }
        self.pieces.depth += 1;
        self.pieces.pieces.push(piece(number));
    }

    fn end(&mut self, piece: Piece) {
        self.pieces.depth = self.pieces.depth.saturating_sub(1);
        self.pieces.pieces.push(piece);
    }
}

impl Sink for PiecesSink<'_> {
    fn begin_list(&mut self, _len: Option<usize>) {
        self.begin(Piece::BeginList);
    }

    fn end_list(&mut self) {
        self.end(Piece::EndList);
    }

    fn begin_map(&mut self, _len: Option<usize>) {
        self.begin(Piece::BeginMap);
    }

    fn end_map(&mut self) {
        self.end(Piece::EndMap);
    }

    fn key(&mut self, key: Chars<'_>) {
        if let Chars::Ascii([b'$', ..]) = key {
            let name = key.to_text();
            if [ID, REF, VALUES].contains(&name.as_str()) {
                let name = format!("`{name}` (which `references` needs)");
                self.refuse(Error::new(ErrorCode::KeyClash).with("key", name));
            }
        }
        let place = self.spell(|sink| sink.key(key));
        self.pieces.pieces.push(Piece::Key(place));
    }

    fn null(&mut self) {
        self.value(|sink| sink.null());
    }

    fn bool(&mut self, value: bool) {
        self.value(|sink| sink.bool(value));
    }

    fn i64(&mut self, value: i64) {
        self.value(|sink| sink.i64(value));
    }

    fn u64(&mut self, value: u64) {
        self.value(|sink| sink.u64(value));
    }

    fn big(&mut self, digits: &str) {
        self.value(|sink| sink.big(digits));
    }

    fn f64(&mut self, value: f64) {
        self.value(|sink| sink.f64(value));
    }

    fn decimal(&mut self, literal: &str) {
        self.value(|sink| sink.decimal(literal));
    }

    fn text(&mut self, value: Chars<'_>) {
        self.value(|sink| sink.text(value));
    }

    fn bytes(&mut self, value: &[u8]) {
        self.value(|sink| sink.bytes(value));
    }

    fn time(&mut self, value: &Time) {
        self.value(|sink| sink.time(value));
    }

    fn span(&mut self, value: &Span) {
        self.value(|sink| sink.span(value));
    }

    fn raw_key(&mut self, key: &[u8]) {
        let place = self.spell(|sink| sink.raw_key(key));
        self.pieces.pieces.push(Piece::Key(place));
    }

    fn raw(&mut self, value: &[u8]) {
        self.value(|sink| sink.raw(value));
    }

    fn share(&mut self, number: usize) {
        let known = &mut self.pieces.known;
        if known.len() <= number {
            known.resize(number + 1, Known::default());
        }
        self.pieces.next = Some(number);
    }

    fn again(&mut self, number: usize, id: Option<&str>) -> bool {
        let Some(known) = self
            .pieces
            .known
            .get_mut(number)
            .filter(|known| known.begun)
        else {
            return false;
        };
        known.again = true;
        if known.id.is_none() {
            known.id = id.map(str::to_owned);
        }
        self.pieces.pieces.push(Piece::Again(number));
        true
    }

    fn refuse(&mut self, error: Error) {
        self.pieces.error.get_or_insert(error);
    }

    fn failed(&self) -> bool {
        self.pieces.error.is_some()
    }

    fn take_error(&mut self) -> Option<Error> {
        self.pieces.error.take()
    }

    fn mark(&self) -> Mark {
        Mark {
            length: self.pieces.pieces.len(),
            depth: self.pieces.depth,
            items: 0,
        }
    }

    fn rewind(&mut self, mark: Mark) {
        let Pieces { pieces, known, .. } = &mut *self.pieces;
        for piece in pieces.drain(mark.length.min(pieces.len())..) {
            if let Piece::BeginList(Some(number)) | Piece::BeginMap(Some(number)) = piece
                && let Some(known) = known.get_mut(number)
            {
                known.begun = false;
            }
        }
        self.pieces.depth = mark.depth;
        self.pieces.next = None;
        self.pieces.error = None;
    }

    fn arrange(&mut self, pieces: &[Range<usize>]) {
        let all = &mut self.pieces.pieces;
        let Some(start) = pieces.iter().map(|piece| piece.start).min() else {
            return;
        };
        let arranged: Vec<Piece> = pieces
            .iter()
            .flat_map(|piece| all.get(piece.clone()).unwrap_or_default())
            .cloned()
            .collect();
        all.truncate(start);
        all.extend(arranged);
    }

    fn finish(&mut self) {}
}

//! CBOR once more, in other forms: shortest heads and floats, definite lengths, keys in order.
//!
//! What is CBOR already goes from bytes to bytes: it is read with all its tags as they stand, then
//! written item by item into the sink, whose options say what becomes of the forms.

use crate::error::Result;
use crate::formats::Place;
use crate::limits::Limits;
use crate::sink::{OutBuf, Sink};
use crate::tape::{self, Tape};
use crate::token::{Kind, Token, TokenId};

use super::half::{half_to_double, single_to_double};
use super::head::{ARRAY, BREAK, BYTES, Head, MAP, TAG, TEXT, chunks, head, put_head};
use super::options::{Floats, KeyOrder, ReadOptions, Tags, WriteOptions};
use super::parse::parse;
use super::places::{is_chunked, is_streamed, places};
use super::whole::{TAG_NEGATIVE, TAG_POSITIVE, put_whole, whole};
use super::write::{CborSink, put_float};

/// Writes the item that `input` is into a sink, in the forms of the sink's options.
///
/// # Errors
/// A syntax error where it is no CBOR.
pub(super) fn recode(input: &[u8], sink: &mut CborSink<'_>) -> Result<()> {
    let options = ReadOptions {
        tags: Tags::Kept,
        limits: Limits {
            depth: Limits::MAX_DEPTH,
            ..Limits::default()
        },
        ..ReadOptions::default()
    };
    let mut tape = Tape::default();
    parse(input, &options, &mut tape)?;
    let places = places(&tape, input);
    Recoder {
        input,
        tokens: tape.tokens(),
        places: &places,
        options: sink.options(),
        sink,
    }
    .run();
    Ok(())
}

/// The bytes by which a key is told from others: its deterministic encoding.
pub(super) fn key_form(key: &[u8]) -> Vec<u8> {
    let options = WriteOptions::deterministic();
    let mut out = OutBuf::default();
    match head(key, 0) {
        // Nearly all keys are texts in one piece.
        Ok(first) if first.major == TEXT && !first.is_open() => {
            put_head(TEXT, first.value, &mut out);
            let text = key.get(usize::from(first.size)..).unwrap_or_default();
            crate::sink::Output::extend_from_slice(&mut out, text);
        }
        _ => {
            let mut sink = CborSink::new(&mut out, &options);
            if recode(key, &mut sink).is_err() || sink.take_error().is_some() {
                // A key with equal keys in a map of its own is only equal to one spelled alike.
                return key.to_vec();
            }
        }
    }
    out.into_vec()
}

/// The offset after the item at `pos`, which is well-formed: the end of the input where it is not.
pub(super) fn item_end(input: &[u8], mut pos: usize) -> usize {
    // Items that are due in each container; none where a break code ends it.
    let mut open: Vec<Option<u64>> = Vec::new();
    loop {
        if open.last() == Some(&None) && input.get(pos) == Some(&BREAK) {
            open.pop();
            pos += 1;
        } else {
            let Ok(head) = head(input, pos) else {
                return input.len();
            };
            let after = pos + usize::from(head.size);
            pos = match head.major {
                BYTES | TEXT => match super::head::content(input, pos, head.major) {
                    Some(content) => content.end,
                    None => return input.len(),
                },
                TAG => {
                    pos = after;
                    continue;
                }
                ARRAY | MAP if head.is_open() || head.value > 0 => {
                    open.push(due(head));
                    pos = after;
                    continue;
                }
                _ => after,
            };
        }
        loop {
            match open.last_mut() {
                None => return pos,
                Some(None) => break,
                Some(Some(1)) => {
                    open.pop();
                }
                Some(Some(left)) => {
                    *left -= 1;
                    break;
                }
            }
        }
    }
}

/// Items that the container of a head holds.
fn due(head: Head) -> Option<u64> {
    (!head.is_open()).then(|| match head.major {
        MAP => head.value.saturating_mul(2),
        _ => head.value,
    })
}

struct Recoder<'r, 's, 'o> {
    input: &'r [u8],
    tokens: &'r [Token],
    places: &'r [Place],
    options: &'o WriteOptions,
    sink: &'r mut CborSink<'s>,
}

/// What is left of an open container.
enum Rest {
    /// Tokens in their order, from one to another. In a map keys and values alternate: where
    /// `at_key`, a key comes next.
    Run {
        next: TokenId,
        end: TokenId,
        map: bool,
        at_key: bool,
    },
    /// Keys and values by turns, the first key last.
    Sorted(Vec<TokenId>),
}

impl<'r> Recoder<'r, '_, '_> {
    fn run(mut self) {
        let mut stack: Vec<(Rest, bool)> = Vec::new();
        let mut at = tape::FIRST;
        loop {
            // Write the value at `at`, then go on in what is open.
            if let Some(inner) = self.value(at) {
                let map = self.token(tape::skip_beside(self.tokens, at)).kind() == Kind::Map;
                stack.push((inner, map));
            }
            loop {
                let Some((rest, map)) = stack.last_mut() else {
                    return;
                };
                if let Some(next) = step(self.tokens, rest, self.sink) {
                    at = next;
                    break;
                }
                if *map {
                    self.sink.end_map();
                } else {
                    self.sink.end_list();
                }
                stack.pop();
                if self.sink.failed() {
                    return;
                }
            }
        }
    }

    fn token(&self, id: TokenId) -> Token {
        self.tokens.get(id as usize).copied().unwrap_or(Token::VOID)
    }

    /// The bytes of the value at `id`, without its tags; those of a tag, with what follows it.
    fn item(&self, id: TokenId) -> &'r [u8] {
        let place = self.places.get(id as usize).copied().unwrap_or_default();
        self.input
            .get(place.start as usize..place.end as usize)
            .unwrap_or_default()
    }

    /// Writes tags and a scalar, or the head of a container, of which is told what is left.
    fn value(&mut self, mut id: TokenId) -> Option<Rest> {
        let keep = self.options.keep_forms;
        while self.token(id).kind() == Kind::Tag {
            let item = self.item(id);
            let Ok(tag) = head(item, 0) else {
                return None;
            };
            let big = matches!(tag.value, TAG_POSITIVE | TAG_NEGATIVE)
                && self.token(id + 1).kind() == Kind::Bytes;
            if let Some((value, _)) = whole(item, 0).filter(|_| big && !keep) {
                self.sink.item();
                put_whole(&value, self.sink.output());
                return None;
            }
            if keep {
                self.sink.copy(&item[..usize::from(tag.size)]);
            } else {
                put_head(TAG, tag.value, self.sink.output());
            }
            id += 1;
        }
        let token = self.token(id);
        if token.is_container() {
            return Some(self.container(token, id));
        }
        self.sink.item();
        self.scalar(token, id);
        None
    }

    fn container(&mut self, token: Token, id: TokenId) -> Rest {
        let map = token.kind() == Kind::Map;
        let count = tape::count(self.tokens, id) as u64;
        let items = if map { count * 2 } else { count };
        let start = self.places[id as usize].start as usize;
        let spelled = head(self.input, start)
            .ok()
            .map(|head| start..start + usize::from(head.size));
        if is_streamed(token) {
            let known = self.options.definite.then_some(items);
            self.sink.open(map, known, None);
        } else {
            let spelled = spelled.filter(|_| self.options.keep_forms);
            let spelled = spelled.and_then(|range| self.input.get(range));
            self.sink.open(map, Some(items), spelled);
        }
        if map
            && self.options.order != KeyOrder::Kept
            && let Some(ids) = self.sorted(id)
        {
            return Rest::Sorted(ids);
        }
        Rest::Run {
            next: id + 1,
            end: id + token.span().max(1),
            map,
            at_key: map,
        }
    }

    /// The pairs of a map without containers among its keys, in reverse order: so its entries are
    /// written in their order, and need not be moved. Equal keys are left for the sink to find.
    fn sorted(&self, id: TokenId) -> Option<Vec<TokenId>> {
        let mut pairs = Vec::new();
        for (key, value) in tape::entries(self.tokens, id) {
            if self.token(key).is_container() {
                return None;
            }
            let (key, value) = (
                tape::first_tag(self.tokens, key),
                tape::first_tag(self.tokens, value),
            );
            pairs.push((key_form(self.item(key)), key, value));
        }
        let length_first = self.options.order == KeyOrder::LengthFirst;
        pairs.sort_by(|one, other| {
            let (a, b) = (&one.0, &other.0);
            if length_first {
                (b.len(), b).cmp(&(a.len(), a))
            } else {
                b.cmp(a)
            }
        });
        Some(
            pairs
                .into_iter()
                .flat_map(|(_, key, value)| [value, key])
                .collect(),
        )
    }

    fn scalar(&mut self, token: Token, id: TokenId) {
        let options = self.options;
        let item = self.item(id);
        let Ok(first) = head(item, 0) else {
            return;
        };
        match token.kind() {
            Kind::Real => {
                let bits = match first.info {
                    25 => half_to_double(first.value as u16),
                    26 => single_to_double(first.value as u32),
                    _ => first.value,
                };
                if options.floats == Floats::Double {
                    put_float(super::half::Float::Double(bits), self.sink.output());
                } else if options.keep_forms {
                    self.sink.copy(item);
                } else {
                    self.sink.float(bits);
                }
            }
            Kind::Text | Kind::Bytes if is_chunked(token) => {
                let body = &item[1..item.len() - 1];
                if options.definite {
                    let size = chunks(body).map(<[u8]>::len).sum::<usize>();
                    put_head(first.major, size as u64, self.sink.output());
                    chunks(body).for_each(|chunk| self.sink.copy(chunk));
                } else if options.keep_forms {
                    self.sink.copy(item);
                } else {
                    self.sink.copy(&item[..1]);
                    for chunk in chunks(body) {
                        put_head(first.major, chunk.len() as u64, self.sink.output());
                        self.sink.copy(chunk);
                    }
                    self.sink.copy(&[BREAK]);
                }
            }
            Kind::Simple => self.sink.copy(item),
            _ if options.keep_forms || first.is_preferred() => self.sink.copy(item),
            _ => {
                put_head(first.major, first.value, self.sink.output());
                self.sink.copy(&item[usize::from(first.size)..]);
            }
        }
    }
}

/// The next value of an open container, or the next key, which is announced; none at its end.
fn step(tokens: &[Token], rest: &mut Rest, sink: &mut CborSink<'_>) -> Option<TokenId> {
    let (id, key) = match rest {
        Rest::Run {
            next,
            end,
            map,
            at_key,
        } => {
            let id = *next;
            if id >= *end {
                return None;
            }
            *next = tape::next(tokens, id);
            *at_key = *map && !*at_key;
            (id, *map && !*at_key)
        }
        Rest::Sorted(ids) => {
            let key = ids.len().is_multiple_of(2);
            (ids.pop()?, key)
        }
    };
    if key {
        sink.begin_key();
    }
    Some(id)
}

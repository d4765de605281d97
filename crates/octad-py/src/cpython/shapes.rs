//! The shapes of records: which keys in which order, each with its shared table of keys.
//!
//! A shape is expected at a place (a key of another shape, say) because it stood there last; it is
//! checked by the bytes of its keys, so a wrong guess costs time and nothing else. Where the guess
//! fails the shape is looked for by a hash over all keys. Everything here is bounded.

use pyo3::prelude::*;

use super::Obj;
use super::split_table::{NewRecord, Table};

/// The most shapes that are kept.
const SHAPES: usize = 512;
/// The most memory that they may hold, about.
const MEMORY: usize = 1 << 20;
/// Keys longer than this are not worth sharing.
const LONGEST: usize = 64;
const PLACES: usize = 1 << 14;
/// Groups of hashes, the four latest in each.
const GROUPS: usize = 512;
/// Records of no known shape that are looked at in a row before only every 16th is.
const PATIENCE: i32 = 512;

/// Where a record stands, as far as that tells its shape: under which key of which shape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place(u16);

impl Place {
    /// Of the values under one key of the dicts at a place.
    #[inline]
    #[must_use]
    pub fn under(self, key: u16) -> Self {
        let mixed = self.0.wrapping_mul(0x9e35) ^ key.wrapping_mul(0x6a4d);
        Self(mixed.rotate_left(5) % PLACES as u16)
    }

    /// A number for it.
    #[must_use]
    pub fn number(self) -> u16 {
        self.0
    }
}

/// A shape that was found, until the next one is.
#[derive(Clone, Copy, Debug)]
pub struct ShapeId(u16);

impl ShapeId {
    /// The place of the values under the key with this number.
    #[inline]
    #[must_use]
    pub fn inner(self, key: usize) -> Place {
        Place(((self.0 as usize * 64 + key + 1) % PLACES) as u16)
    }
}

/// How often the shapes were of use.
#[derive(Clone, Copy, Debug, Default)]
pub struct ShapeCounts {
    /// Dicts on a shared table, since the module was loaded.
    pub hits: u64,
    /// Dicts that might have been and were not.
    pub misses: u64,
    /// Tables that are kept.
    pub tables: usize,
}

/// One key: its first bytes as a block to compare, the rest elsewhere.
struct Key {
    block: [u8; 16],
    length: u32,
    /// The bytes of the block that count, as bits.
    bits: u32,
    /// Where the bytes behind the block begin among the shape's.
    rest: u32,
}

/// A record's keys and their table.
pub struct Shape {
    keys: Box<[Key]>,
    rest: Box<[u8]>,
    hash: u64,
    memory: usize,
    table: Table,
}

impl Shape {
    fn new(py: Python<'_>, hash: KeysHash, keys: &[(Vec<u8>, Obj)]) -> Option<Self> {
        if keys.iter().any(|(text, _)| text.len() > LONGEST) {
            return None;
        }
        let strings: Vec<Obj> = keys.iter().map(|(_, string)| string.clone()).collect();
        let table = Table::new(py, &strings)?;
        let mut rest = Vec::new();
        let mut compared = Vec::with_capacity(keys.len());
        let mut memory = table.memory();
        for (text, _) in keys {
            let mut block = [0; 16];
            let first = text.len().min(16);
            block[..first].copy_from_slice(&text[..first]);
            compared.push(Key {
                block,
                length: text.len() as u32,
                bits: (1 << first) - 1,
                rest: rest.len() as u32,
            });
            rest.extend_from_slice(&text[first..]);
            memory += size_of::<Key>() + 4 * text.len() + 64;
        }
        Some(Self {
            keys: compared.into_boxed_slice(),
            rest: rest.into_boxed_slice(),
            hash: hash.0,
            memory,
            table,
        })
    }

    /// Keys that it has.
    #[inline]
    #[must_use]
    pub fn count(&self) -> usize {
        self.keys.len()
    }

    /// Whether `check` holds for a comparison with each key, in their order.
    #[inline(always)]
    pub fn all(&self, mut check: impl FnMut(KeyRef<'_>) -> bool) -> bool {
        self.keys.iter().all(|key| {
            check(KeyRef {
                key,
                rest: &self.rest,
            })
        })
    }
}

/// A key of a shape.
#[derive(Clone, Copy)]
pub struct KeyRef<'a> {
    key: &'a Key,
    rest: &'a [u8],
}

impl KeyRef<'_> {
    /// Whether the key is the first `length` of the bytes. The bytes behind them serve to compare a
    /// whole block, whatever the length.
    #[inline(always)]
    #[must_use]
    pub fn is(self, bytes: &[u8], length: usize) -> bool {
        let Self { key, rest } = self;
        if key.length as usize != length {
            return false;
        }
        let Some(block) = bytes.first_chunk::<16>() else {
            return Some(&key.block[..length.min(16)]) == bytes.get(..length);
        };
        if equal_bits(&key.block, block) & key.bits != key.bits {
            return false;
        }
        length <= 16
            || rest
                .get(key.rest as usize..)
                .and_then(|rest| rest.get(..length - 16))
                == bytes.get(16..length)
    }
}

/// A bit for each byte that is the same in both.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn equal_bits(one: &[u8; 16], other: &[u8; 16]) -> u32 {
    use core::arch::x86_64::{_mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8};
    // SAFETY: SSE2 is part of x86_64; both are 16 bytes long.
    unsafe {
        let one = _mm_loadu_si128(one.as_ptr().cast());
        let other = _mm_loadu_si128(other.as_ptr().cast());
        _mm_movemask_epi8(_mm_cmpeq_epi8(one, other)) as u32
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn equal_bits(one: &[u8; 16], other: &[u8; 16]) -> u32 {
    (0..16).fold(0, |bits, at| bits | u32::from(one[at] == other[at]) << at)
}

/// A hash over the keys of a record, one after the other.
#[derive(Clone, Copy, Debug, Default)]
pub struct KeysHash(u64);

impl KeysHash {
    const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

    /// Takes the next key: the first `length` of the bytes.
    #[inline(always)]
    pub fn add(&mut self, bytes: &[u8], length: usize) {
        let word = match bytes.first_chunk::<8>() {
            Some(first) if length >= 8 => {
                let last = bytes.get(length - 8..).and_then(<[u8]>::first_chunk);
                let last = u64::from_le_bytes(*last.unwrap_or(first));
                u64::from_le_bytes(*first) ^ last.rotate_left(29)
            }
            Some(first) => u64::from_le_bytes(*first) & ((1 << (8 * length)) - 1),
            None => {
                let mut word = [0; 8];
                word.iter_mut()
                    .zip(&bytes[..length.min(bytes.len())])
                    .for_each(|(to, from)| *to = *from);
                u64::from_le_bytes(word)
            }
        };
        self.0 =
            (self.0.rotate_left(7) ^ word ^ (length as u64) << 56).wrapping_mul(Self::MULTIPLIER);
        self.0 ^= self.0 >> 32;
    }
}

/// What is known of a hash.
pub enum Sighting {
    /// A shape that has it; its keys are still to be compared.
    Known(ShapeId),
    /// It was there once before, without a shape.
    Second,
    /// Never, as far as is remembered.
    First,
}

/// All shapes that are known.
pub struct Shapes {
    shapes: Vec<Option<Shape>>,
    /// For each place the number of the shape that was there last, plus one.
    places: Box<[u16; PLACES]>,
    /// Numbers of shapes by their hash: the upper bits of the hash, the number in the lowest.
    index: Box<[[u64; 4]; GROUPS]>,
    /// Hashes that were there once.
    seen: Box<[[u32; 4]; GROUPS]>,
    /// The shape that was replaced last; they are replaced in turn.
    hand: usize,
    memory: usize,
    /// Unexpected records that may still be looked at; dicts on shared tables earn more.
    credit: i32,
    /// The hits that have been counted in.
    rewarded: u64,
    counts: ShapeCounts,
}

impl Shapes {
    pub(super) fn fresh() -> Self {
        Self {
            shapes: Vec::new(),
            places: filled(0),
            index: filled([0; 4]),
            seen: filled([0; 4]),
            hand: 0,
            memory: 0,
            credit: PATIENCE,
            rewarded: 0,
            counts: ShapeCounts::default(),
        }
    }

    /// How often they were of use.
    #[must_use]
    pub fn counts(&self) -> ShapeCounts {
        ShapeCounts {
            tables: self.shapes.iter().flatten().count(),
            ..self.counts
        }
    }

    /// The shape that stood at a place last.
    #[inline(always)]
    #[must_use]
    pub fn expected(&self, place: Place) -> Option<(ShapeId, &Shape)> {
        let number = self.places[place.0 as usize % PLACES].checked_sub(1)?;
        let shape = self.shapes.get(number as usize)?.as_ref()?;
        Some((ShapeId(number), shape))
    }

    /// A shape by its number.
    #[inline]
    #[must_use]
    pub fn get(&self, id: ShapeId) -> Option<&Shape> {
        self.shapes.get(id.0 as usize)?.as_ref()
    }

    /// A new dict of a shape. None: no memory, an exception is set.
    #[inline(always)]
    pub fn open(&mut self, py: Python<'_>, id: ShapeId) -> Option<NewRecord> {
        self.counts.hits += 1;
        let Some(Some(shape)) = self.shapes.get_mut(id.0 as usize) else {
            unreachable!("an id is of a shape that was just found")
        };
        if shape.table.is_spent() {
            renew(py, shape);
        }
        NewRecord::new(py, &shape.table)
    }

    /// Notes which shape stands at a place.
    #[inline]
    pub fn stands(&mut self, place: Place, id: ShapeId) {
        self.places[place.0 as usize % PLACES] = id.0 + 1;
    }

    /// Whether a record of an unexpected shape is to be looked at. A stream of ever new shapes wears
    /// this out, so that it costs no more than dicts without shapes.
    #[inline]
    pub fn is_curious(&mut self) -> bool {
        self.counts.misses += 1;
        let earned = self.counts.hits - self.rewarded;
        self.rewarded = self.counts.hits;
        let earned = i32::try_from(2 * earned).unwrap_or(PATIENCE);
        self.credit = self.credit.saturating_add(earned).min(PATIENCE) - 1;
        self.credit > 0 || self.credit & 15 == 0
    }

    /// What is known of a record with these keys; the sighting is noted.
    pub fn sight(&mut self, hash: KeysHash) -> Sighting {
        let hash = hash.0;
        for entry in self.index[group_of(hash)] {
            if (entry ^ hash) & TAG == 0
                && let Some(Some(shape)) = self.shapes.get((entry & !TAG) as usize)
                && shape.hash == hash
            {
                return Sighting::Known(ShapeId((entry & !TAG) as u16));
            }
        }
        let group = &mut self.seen[group_of(hash)];
        let mark = (hash >> 32) as u32 | 1;
        if group.contains(&mark) {
            return Sighting::Second;
        }
        group.rotate_right(1);
        group[0] = mark;
        Sighting::First
    }

    /// A record of a known shape stood where another one was expected.
    pub fn found(&mut self) {
        self.counts.misses -= 1;
    }

    /// Makes a shape of keys, each with its bytes. None where they cannot share a table.
    #[cold]
    #[inline(never)]
    pub fn learn(
        &mut self,
        py: Python<'_>,
        hash: KeysHash,
        keys: &[(Vec<u8>, Obj)],
    ) -> Option<ShapeId> {
        self.credit -= 8;
        let shape = Shape::new(py, hash, keys)?;
        let at = if self.shapes.len() < SHAPES {
            self.shapes.push(None);
            self.shapes.len() - 1
        } else {
            self.oldest()
        };
        self.forget(at);
        while self.memory + shape.memory > MEMORY {
            let oldest = self.oldest();
            self.forget(oldest);
        }
        self.memory += shape.memory;
        let group = &mut self.index[group_of(hash.0)];
        // The oldest makes room.
        group.rotate_right(1);
        group[0] = hash.0 & TAG | at as u64;
        self.shapes[at] = Some(shape);
        Some(ShapeId(at as u16))
    }

    fn oldest(&mut self) -> usize {
        self.hand = (self.hand + 1) % self.shapes.len();
        self.hand
    }

    fn forget(&mut self, at: usize) {
        if let Some(old) = self.shapes[at].take() {
            self.memory -= old.memory;
        }
    }
}

/// What an entry of the index keeps of a hash.
const TAG: u64 = !0xffff;

/// The group of a hash, by bits that the entry does not keep.
fn group_of(hash: u64) -> usize {
    hash as usize % GROUPS
}

/// An array made on the heap: an array of this size on the stack costs every call around it.
fn filled<T: Clone, const N: usize>(with: T) -> Box<[T; N]> {
    let Ok(made) = vec![with; N].into_boxed_slice().try_into() else {
        unreachable!("as many as were made")
    };
    made
}

#[cold]
#[inline(never)]
fn renew(py: Python<'_>, shape: &mut Shape) {
    if let Some(table) = shape.table.renewed(py) {
        shape.table = table;
    }
}

//! The kernels with SSE2, sixteen bytes at a time; compiled on x86_64, where SSE2 is always there.
//!
//! A block is a `&[u8; 16]`, so a load cannot leave its slice. The last bytes of a slice are read
//! as one block that is filled up with zeros; their bits are cut off before use.

use super::lanes::Lanes;
use super::{Output, class};

/// One bit for each byte of the class.
#[inline(always)]
pub(super) fn hits<const CLASS: u8>(block: Lanes) -> u32 {
    let is = |byte| block.equal(Lanes::splat(byte));
    // With bit 1 turned over the quote (0x22) lies right above the control characters.
    let turned = block.xor(Lanes::splat(2));
    let minimal = turned.min(Lanes::splat(0x20)).equal(turned).or(is(b'\\'));
    match CLASS {
        class::MINIMAL => minimal.tops(),
        // As signed numbers the bytes beyond ASCII lie below the control characters.
        class::ASCII => Lanes::splat(0x20)
            .above(block)
            .or(minimal)
            .or(is(0x7f))
            .tops(),
        class::HTML => {
            let angles = block.or(Lanes::splat(2)).equal(Lanes::splat(b'>'));
            let marks = block.or(Lanes::splat(1)).equal(Lanes::splat(b'\''));
            minimal.or(is(0xe2)).or(angles.or(marks)).tops()
        }
        class::INKED => is(b' ').or(is(b'\t')).or(is(b'\n').or(is(b'\r'))).tops() ^ 0xffff,
        _ => 0,
    }
}

/// The bits of a padded block that stand for bytes of the slice.
#[inline(always)]
fn within(len: usize) -> u32 {
    (1 << len) - 1
}

/// Sixteen bytes from `at` on, if there are as many.
#[inline(always)]
fn block_at(bytes: &[u8], at: usize) -> Option<Lanes> {
    let block = bytes.get(at..at.wrapping_add(16))?;
    block.first_chunk().map(Lanes::load)
}

/// The index of the first byte of the class at or after `from`, or the length.
#[inline(always)]
pub(super) fn find<const CLASS: u8>(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(block) = block_at(bytes, at) {
        let hits = hits::<CLASS>(block);
        if hits != 0 {
            return at + hits.trailing_zeros() as usize;
        }
        at += 16;
    }
    let rest = bytes.get(at..).unwrap_or_default();
    let hits = hits::<CLASS>(Lanes::padded(rest)) & within(rest.len());
    if hits == 0 {
        bytes.len()
    } else {
        at + hits.trailing_zeros() as usize
    }
}

/// One block of a string: where in it the string ends, if it does, and which bytes up to there
/// are above 0x7f. None where there is no whole block.
#[inline(always)]
pub(super) fn string_block(bytes: &[u8], at: usize) -> Option<(Option<usize>, u32)> {
    let block = block_at(bytes, at)?;
    let hits = hits::<{ class::MINIMAL }>(block);
    let tops = block.tops();
    if hits == 0 {
        return Some((None, tops));
    }
    // Up to the lowest hit, which itself is ASCII.
    let before = hits ^ hits.wrapping_sub(1);
    Some((Some(hits.trailing_zeros() as usize), tops & before))
}

/// Where in a block a string ends, if it does, and whether a byte up to there is above 0x7f.
#[inline(always)]
pub(super) fn end_in_block(block: Lanes) -> Option<(usize, bool)> {
    let hits = hits::<{ class::MINIMAL }>(block);
    if hits == 0 {
        return None;
    }
    let before = hits ^ hits.wrapping_sub(1);
    Some((
        hits.trailing_zeros() as usize & 15,
        block.tops() & before != 0,
    ))
}

#[inline(always)]
pub(super) fn string_end(bytes: &[u8], from: usize) -> (usize, bool) {
    let mut at = from;
    let mut high = 0;
    while let Some((len, tops)) = string_block(bytes, at) {
        high |= tops;
        if let Some(len) = len {
            return (at + len, high != 0);
        }
        at += 16;
    }
    string_tail(bytes, at, high != 0)
}

/// The end of a string within the last bytes of the input, fewer than sixteen.
#[inline(never)]
pub(super) fn string_tail(bytes: &[u8], from: usize, high: bool) -> (usize, bool) {
    let rest = bytes.get(from..).unwrap_or_default();
    let block = Lanes::padded(rest);
    let hits = (hits::<{ class::MINIMAL }>(block) & within(rest.len())) | 1 << rest.len();
    let len = hits.trailing_zeros() as usize;
    (
        bytes.len() - rest.len() + len,
        high | (block.tops() & within(len) != 0),
    )
}

/// How many bytes continue a character, and the highest byte.
#[inline(always)]
pub(super) fn measure(bytes: &[u8]) -> (usize, u8) {
    let zero = Lanes::splat(0);
    let mut highest = zero;
    let mut tails = zero;
    let mut rest = bytes;
    while rest.len() >= 16 {
        // A counter of one byte holds 255 blocks.
        let mut counts = zero;
        for _ in 0..255 {
            let Some((block, after)) = rest.split_first_chunk::<16>() else {
                break;
            };
            let block = Lanes::load(block);
            highest = highest.max(block);
            counts = counts.minus(continues(block));
            rest = after;
        }
        tails = tails.plus_halves(counts.distances(zero));
    }
    if !rest.is_empty() {
        let block = Lanes::padded(rest);
        highest = highest.max(block);
        tails = tails.plus_halves(zero.minus(continues(block)).distances(zero));
    }
    let tails = tails.plus_halves(tails.uppers(tails));
    (tails.lower() as usize, highest_byte(highest))
}

/// All bits of each byte from 0x80 to 0xbf.
#[inline(always)]
fn continues(block: Lanes) -> Lanes {
    Lanes::splat(0xc0).above(block)
}

/// The highest byte, or 0 if all are ASCII: then it is of no interest.
#[inline(always)]
pub(super) fn highest_byte(block: Lanes) -> u8 {
    if block.tops() == 0 {
        return 0;
    }
    block
        .max(block.uppers(block))
        .lower()
        .to_le_bytes()
        .into_iter()
        .fold(0, u8::max)
}

/// The number of leading ASCII bytes of a block.
#[inline(always)]
pub(super) fn ascii_prefix(block: &[u8; 16]) -> usize {
    (Lanes::load(block).tops() | 1 << 16).trailing_zeros() as usize
}

/// Appends bytes up to the first of the class; returns how many.
#[inline(always)]
pub(super) fn copy<const CLASS: u8>(bytes: &[u8], out: &mut impl Output) -> usize {
    let into = out.room(bytes.len() + 16);
    // SAFETY: there is room for `bytes.len() + 16` bytes.
    let copied = unsafe { copy_blocks::<CLASS>(bytes, into) };
    // SAFETY: the first `copied <= bytes.len()` bytes of it were written.
    unsafe { out.advance(copied) };
    copied
}

/// # Safety
/// `into` must be valid for writes of `bytes.len() + 16` bytes.
#[inline(always)]
pub(super) unsafe fn copy_blocks<const CLASS: u8>(bytes: &[u8], into: *mut u8) -> usize {
    let mut rest = bytes;
    while let Some((block, after)) = rest.split_first_chunk::<16>() {
        let block = Lanes::load(block);
        let done = bytes.len() - rest.len();
        // SAFETY: `done + 16 <= bytes.len()`, which the caller made writable.
        unsafe { block.store(into.add(done)) };
        let hits = hits::<CLASS>(block);
        if hits != 0 {
            return done + hits.trailing_zeros() as usize;
        }
        rest = after;
    }
    let block = Lanes::padded(rest);
    let done = bytes.len() - rest.len();
    // SAFETY: `done <= bytes.len()`, so sixteen more bytes are within what the caller made writable.
    unsafe { block.store(into.add(done)) };
    let hits = (hits::<CLASS>(block) & within(rest.len())) | 1 << rest.len();
    done + hits.trailing_zeros() as usize
}

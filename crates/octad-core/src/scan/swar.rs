//! The kernels without vector instructions: eight bytes in a word, then one at a time.
//!
//! They are the whole implementation where there is no SSE2 and the yardstick for the others.
//! A word is read little-endian, so the lowest set bit of a hit mask is the first byte that hits;
//! masks may have false bits above a true one (a borrow runs upwards), never below it.

use super::class;

const ONES: u64 = 0x0101_0101_0101_0101;
const TOPS: u64 = 0x8080_8080_8080_8080;

/// Whether one byte belongs to the class: the definition that everything else must agree with.
#[inline]
pub(super) fn is_hit<const CLASS: u8>(byte: u8) -> bool {
    let minimal = byte < 0x20 || byte == b'"' || byte == b'\\';
    match CLASS {
        class::MINIMAL => minimal,
        class::ASCII => minimal || byte >= 0x7f,
        class::HTML => minimal || matches!(byte, b'<' | b'>' | b'&' | b'\'' | 0xe2),
        class::INKED => !matches!(byte, b' ' | b'\t' | b'\n' | b'\r'),
        _ => false,
    }
}

#[inline]
fn zero_bytes(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word & TOPS
}

/// As [`zero_bytes`] without false bits, for masks that are turned around.
#[inline]
fn zero_bytes_exactly(word: u64) -> u64 {
    !(((word & !TOPS) + !TOPS) | word) & TOPS
}

#[inline]
fn is_byte(word: u64, byte: u8) -> u64 {
    zero_bytes(word ^ (ONES * u64::from(byte)))
}

#[inline]
fn hits<const CLASS: u8>(word: u64) -> u64 {
    // With bit 1 turned over the quote (0x22) lies right above the control characters.
    let turned = word ^ (ONES * 2);
    let minimal = (turned.wrapping_sub(ONES * 0x21) & !turned & TOPS) | is_byte(word, b'\\');
    match CLASS {
        class::MINIMAL => minimal,
        class::ASCII => minimal | (word & TOPS) | is_byte(word, 0x7f),
        class::HTML => {
            minimal
                | is_byte(word | (ONES * 2), b'>')
                | is_byte(word | ONES, b'\'')
                | is_byte(word, 0xe2)
        }
        class::INKED => {
            let blank = zero_bytes_exactly(word ^ (ONES * u64::from(b' ')))
                | zero_bytes_exactly(word ^ (ONES * u64::from(b'\t')))
                | zero_bytes_exactly(word ^ (ONES * u64::from(b'\n')))
                | zero_bytes_exactly(word ^ (ONES * u64::from(b'\r')));
            !blank & TOPS
        }
        _ => 0,
    }
}

/// The index of the first byte of the class at or after `from`, or the length.
#[inline]
pub(super) fn find<const CLASS: u8>(bytes: &[u8], from: usize) -> usize {
    let mut rest = bytes.get(from..).unwrap_or_default();
    while let Some((block, after)) = rest.split_first_chunk::<8>() {
        let hits = hits::<CLASS>(u64::from_le_bytes(*block));
        if hits != 0 {
            return bytes.len() - rest.len() + hits.trailing_zeros() as usize / 8;
        }
        rest = after;
    }
    let start = bytes.len() - rest.len();
    start
        + rest
            .iter()
            .position(|&byte| is_hit::<CLASS>(byte))
            .unwrap_or(rest.len())
}

pub(super) fn string_end(bytes: &[u8], from: usize) -> (usize, bool) {
    let end = find::<{ class::MINIMAL }>(bytes, from);
    (end, !bytes.get(from..end).unwrap_or_default().is_ascii())
}

/// How many bytes continue a character, and the highest byte.
pub(super) fn measure(bytes: &[u8]) -> (usize, u8) {
    let mut tails = 0;
    let mut highest = 0;
    let mut rest = bytes;
    while let Some((block, after)) = rest.split_first_chunk::<8>() {
        let word = u64::from_le_bytes(*block);
        if word & TOPS != 0 {
            tails += ((word >> 7) & !(word >> 6) & ONES).count_ones() as usize;
            highest = block
                .iter()
                .fold(highest, |highest, &byte| byte.max(highest));
        }
        rest = after;
    }
    for &byte in rest {
        tails += usize::from(byte & 0xc0 == 0x80);
        highest = highest.max(byte);
    }
    (tails, highest)
}

/// The number of leading ASCII bytes of a block.
#[inline]
pub(super) fn ascii_prefix(block: &[u8; 16]) -> usize {
    let tops = u128::from_le_bytes(*block) & (u128::from(TOPS) << 64 | u128::from(TOPS));
    tops.trailing_zeros() as usize / 8
}

/// Up to fifteen bytes as two words, filled up with zeros; no load leaves the slice.
#[inline(always)]
pub(super) fn padded(bytes: &[u8]) -> (u64, u64) {
    let len = bytes.len().min(15);
    if let (Some(first), Some(last)) = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        // Two shifts, because a shift by all 64 bits is none.
        let last = (u64::from_le_bytes(*last) >> 8) >> (8 * (15 - len));
        (u64::from_le_bytes(*first), last)
    } else if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        let last = u64::from(u32::from_le_bytes(*last)) << (8 * (len - 4));
        (u64::from(u32::from_le_bytes(*first)) | last, 0)
    } else if let (Some(&first), Some(&last)) = (bytes.first(), bytes.last()) {
        let middle = u64::from(bytes[len / 2]) << (8 * (len / 2));
        (
            u64::from(first) | middle | u64::from(last) << (8 * (len - 1)),
            0,
        )
    } else {
        (0, 0)
    }
}

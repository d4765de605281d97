//! The kernels with AVX2, thirty-two bytes at a time; called only where the processor has it.
//!
//! What remains below thirty-two bytes goes to the SSE2 kernels. The shuffles that take runs of
//! three-byte characters apart (SSSE3, part of every AVX2 processor) live here too.

use core::arch::x86_64::{
    __m128i, __m256i, _mm_and_si128, _mm_cmpgt_epi8, _mm_loadu_si128, _mm_max_epu8,
    _mm_movemask_epi8, _mm_or_si128, _mm_set1_epi8, _mm_set1_epi16, _mm_setr_epi8,
    _mm_shuffle_epi8, _mm_slli_epi16, _mm_storeu_si128, _mm256_add_epi64, _mm256_castsi256_si128,
    _mm256_cmpeq_epi8, _mm256_cmpgt_epi8, _mm256_extract_epi64, _mm256_extracti128_si256,
    _mm256_loadu_si256, _mm256_max_epu8, _mm256_min_epu8, _mm256_movemask_epi8, _mm256_or_si256,
    _mm256_sad_epu8, _mm256_set1_epi8, _mm256_setzero_si256, _mm256_storeu_si256, _mm256_sub_epi8,
    _mm256_xor_si256,
};

use core::mem::MaybeUninit;

use super::lanes::Lanes;
use super::transcode::{Unit, decode as decode_with};
use super::{Output, class, sse2};

#[inline]
#[target_feature(enable = "avx2")]
fn load(block: &[u8; 32]) -> __m256i {
    // SAFETY: the reference guarantees thirty-two readable bytes; the load needs no alignment.
    unsafe { _mm256_loadu_si256(block.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn splat(byte: u8) -> __m256i {
    _mm256_set1_epi8(byte.cast_signed())
}

#[inline]
#[target_feature(enable = "avx2")]
fn tops(block: __m256i) -> u32 {
    _mm256_movemask_epi8(block).cast_unsigned()
}

/// One bit for each byte of the class.
#[inline]
#[target_feature(enable = "avx2")]
fn hits<const CLASS: u8>(block: __m256i) -> u32 {
    let turned = _mm256_xor_si256(block, splat(2));
    let low = _mm256_cmpeq_epi8(_mm256_min_epu8(turned, splat(0x20)), turned);
    let minimal = _mm256_or_si256(low, _mm256_cmpeq_epi8(block, splat(b'\\')));
    tops(match CLASS {
        class::MINIMAL => minimal,
        class::ASCII => {
            let outside = _mm256_cmpgt_epi8(splat(0x20), block);
            let marks = _mm256_or_si256(minimal, _mm256_cmpeq_epi8(block, splat(0x7f)));
            _mm256_or_si256(outside, marks)
        }
        class::HTML => {
            let angles = _mm256_cmpeq_epi8(_mm256_or_si256(block, splat(2)), splat(b'>'));
            let quotes = _mm256_cmpeq_epi8(_mm256_or_si256(block, splat(1)), splat(b'\''));
            let lines = _mm256_cmpeq_epi8(block, splat(0xe2));
            _mm256_or_si256(
                _mm256_or_si256(minimal, lines),
                _mm256_or_si256(angles, quotes),
            )
        }
        class::INKED => {
            let space = _mm256_cmpeq_epi8(block, splat(b' '));
            let tab = _mm256_cmpeq_epi8(block, splat(b'\t'));
            let feed = _mm256_cmpeq_epi8(block, splat(b'\n'));
            let carriage = _mm256_cmpeq_epi8(block, splat(b'\r'));
            let blank =
                _mm256_or_si256(_mm256_or_si256(space, tab), _mm256_or_si256(feed, carriage));
            return !tops(blank);
        }
        _ => return 0,
    })
}

/// The index of the first byte of the class at or after `from`, or the length.
#[target_feature(enable = "avx2")]
pub(super) fn find<const CLASS: u8>(bytes: &[u8], from: usize) -> usize {
    let mut rest = bytes.get(from..).unwrap_or_default();
    while let Some((block, after)) = rest.split_first_chunk::<32>() {
        let hits = hits::<CLASS>(load(block));
        if hits != 0 {
            return bytes.len() - rest.len() + hits.trailing_zeros() as usize;
        }
        rest = after;
    }
    sse2::find::<CLASS>(bytes, bytes.len() - rest.len())
}

#[target_feature(enable = "avx2")]
pub(super) fn string_end(bytes: &[u8], from: usize) -> (usize, bool) {
    let mut rest = bytes.get(from..).unwrap_or_default();
    let mut high = 0;
    while let Some((block, after)) = rest.split_first_chunk::<32>() {
        let block = load(block);
        let hits = hits::<{ class::MINIMAL }>(block);
        let tops = tops(block);
        if hits != 0 {
            let before = tops & (hits & hits.wrapping_neg()).wrapping_sub(1);
            let end = bytes.len() - rest.len() + hits.trailing_zeros() as usize;
            return (end, (high | before) != 0);
        }
        high |= tops;
        rest = after;
    }
    let (end, more) = sse2::string_end(bytes, bytes.len() - rest.len());
    (end, more | (high != 0))
}

/// How many bytes continue a character, and the highest byte.
#[target_feature(enable = "avx2")]
pub(super) fn measure(bytes: &[u8]) -> (usize, u8) {
    let zero = _mm256_setzero_si256();
    let mut highest = zero;
    let mut tails = zero;
    let mut rest = bytes;
    while rest.len() >= 32 {
        // A counter of one byte holds 255 blocks.
        let mut counts = zero;
        for _ in 0..255 {
            let Some((block, after)) = rest.split_first_chunk::<32>() else {
                break;
            };
            let block = load(block);
            highest = _mm256_max_epu8(highest, block);
            counts = _mm256_sub_epi8(counts, _mm256_cmpgt_epi8(splat(0xc0), block));
            rest = after;
        }
        tails = _mm256_add_epi64(tails, _mm256_sad_epu8(counts, zero));
    }
    let count = _mm256_extract_epi64::<0>(tails)
        + _mm256_extract_epi64::<1>(tails)
        + _mm256_extract_epi64::<2>(tails)
        + _mm256_extract_epi64::<3>(tails);
    let halves = _mm_max_epu8(
        _mm256_castsi256_si128(highest),
        _mm256_extracti128_si256::<1>(highest),
    );
    let (more, last) = sse2::measure(rest);
    (
        count.cast_unsigned() as usize + more,
        sse2::highest_byte(Lanes(halves)).max(last),
    )
}

/// Appends bytes up to the first of the class; returns how many.
#[target_feature(enable = "avx2")]
pub(super) fn copy<const CLASS: u8>(bytes: &[u8], out: &mut impl Output) -> usize {
    let into = out.room(bytes.len() + 16);
    let mut rest = bytes;
    let mut copied = None;
    while let Some((block, after)) = rest.split_first_chunk::<32>() {
        let block = load(block);
        let done = bytes.len() - rest.len();
        // SAFETY: `done + 32 <= bytes.len()`, and there is room for as much.
        unsafe { _mm256_storeu_si256(into.add(done).cast(), block) };
        let hits = hits::<CLASS>(block);
        if hits != 0 {
            copied = Some(done + hits.trailing_zeros() as usize);
            break;
        }
        rest = after;
    }
    let copied = copied.unwrap_or_else(|| {
        let done = bytes.len() - rest.len();
        // SAFETY: there is room for `bytes.len() + 16` bytes, so behind `done` there are
        // `rest.len() + 16` left.
        done + unsafe { sse2::copy_blocks::<CLASS>(rest, into.add(done)) }
    });
    // SAFETY: the first `copied <= bytes.len()` bytes of the room were written.
    unsafe { out.advance(copied) };
    copied
}

/// Writes the characters of `text` into `into`, by shuffles where three-byte characters stand in
/// a row.
#[target_feature(enable = "avx2")]
pub(super) fn decode<U: Unit>(text: &str, into: &mut [MaybeUninit<U>]) -> bool {
    decode_with(text, into, sse2::ascii_prefix, |block| triples(block))
}

/// How many characters of three bytes stand in a row at the start of a block, and the first five
/// of them.
#[inline]
#[target_feature(enable = "avx2")]
fn triples(block: &[u8; 16]) -> (usize, [u16; 8]) {
    // SAFETY: the reference guarantees sixteen readable bytes; the load needs no alignment.
    let block: __m128i = unsafe { _mm_loadu_si128(block.as_ptr().cast()) };
    let starts = _mm_movemask_epi8(_mm_cmpgt_epi8(block, _mm_set1_epi8(-65))).cast_unsigned();
    // Three-byte characters start at every third bit; a character counts when its follower's
    // start is in sight too, because only that shows its length.
    let count = ((starts ^ 0x9249 | 1 << 16)
        .trailing_zeros()
        .saturating_sub(1)
        / 3) as usize;
    let leads = _mm_shuffle_epi8(
        block,
        _mm_setr_epi8(-1, 0, -1, 3, -1, 6, -1, 9, -1, 12, -1, -1, -1, -1, -1, -1),
    );
    let middles = _mm_shuffle_epi8(
        block,
        _mm_setr_epi8(1, -1, 4, -1, 7, -1, 10, -1, 13, -1, -1, -1, -1, -1, -1, -1),
    );
    let lasts = _mm_shuffle_epi8(
        block,
        _mm_setr_epi8(2, -1, 5, -1, 8, -1, 11, -1, 14, -1, -1, -1, -1, -1, -1, -1),
    );
    let six = _mm_set1_epi16(0x3f);
    let units = _mm_or_si128(
        _mm_slli_epi16::<4>(leads),
        _mm_or_si128(
            _mm_slli_epi16::<6>(_mm_and_si128(middles, six)),
            _mm_and_si128(lasts, six),
        ),
    );
    let mut out = [0; 8];
    // SAFETY: the array has sixteen writable bytes; the store needs no alignment.
    unsafe { _mm_storeu_si128(out.as_mut_ptr().cast(), units) };
    (count, out)
}

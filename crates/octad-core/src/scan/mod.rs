//! Byte kernels: safe functions over slices, with the instruction set chosen at run time.
//!
//! One of the two homes of `unsafe` (the other is `octad-py/src/cpython/`). Nothing here knows a
//! format: the kernels find bytes, copy runs, check UTF-8 and change the width of characters.
//! SSE2 is part of every x86_64, so the first blocks of a search are inlined SSE2 and only long
//! runs pay a call into the loop that [`level`] chooses. [`at`] runs a kernel at a chosen level,
//! which is how tests hold all of them against the plain one.
#![allow(unsafe_code)] // vector loads, stores into spare capacity, calls into AVX2 functions

mod copy;
mod emit;
mod fixed;
mod output;
mod shortest;
mod transcode;
mod utf8;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod lanes;
#[cfg(target_arch = "x86_64")]
mod sse2;
mod swar;

#[cfg(test)]
mod tests;

use core::sync::atomic::{AtomicU8, Ordering};

pub use copy::{
    copy_until_escape, copy_until_escape_latin1, copy_until_escape_ucs2, copy_until_escape_ucs4,
};
pub use emit::{PAIRS, push_block, push_escape, push_escaped, push_i64, push_quoted};
pub use fixed::{append_fixed, eight_digits};
pub use output::{Home, OutBuf, Output, Place};
pub use shortest::{append_integral, append_shortest, append_with};
pub use transcode::{
    MaxChar, Unit, Width, fill, latin1_to_utf8, measure, to_latin1, to_ucs2, to_ucs4, ucs2_to_utf8,
    ucs4_to_utf8,
};
pub use utf8::{ValidText, is_ascii, utf8_error};

/// An instruction set that the kernels are written for, slowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Eight bytes at a time in a plain word; runs everywhere.
    Plain,
    /// Sixteen bytes at a time; part of every x86_64.
    Sse2,
    /// Thirty-two bytes at a time, where the processor has it.
    Avx2,
}

/// The characters that a JSON writer has to look at instead of copying.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EscapeSet {
    /// What RFC 8259 demands: the quote, the backslash and bytes below 0x20.
    Minimal,
    /// Those, 0x7f and everything beyond ASCII.
    Ascii,
    /// Those of `Minimal`, `<`, `>`, `&`, `'`, U+2028 and U+2029.
    Html,
}

/// Byte classes as constants, so that one loop is compiled once for each class.
mod class {
    pub(super) const MINIMAL: u8 = 0;
    pub(super) const ASCII: u8 = 1;
    pub(super) const HTML: u8 = 2;
    /// Everything that is not JSON white space.
    pub(super) const INKED: u8 = 3;
    /// No byte at all: a plain copy.
    pub(super) const NOTHING: u8 = 4;
}

/// Calls a function of one class parameter for the class that belongs to an escape set.
macro_rules! for_set {
    ($set:expr, $($function:ident)::+ ( $($argument:expr),* )) => {
        match $set {
            $crate::scan::EscapeSet::Minimal =>
                $($function)::+::<{ $crate::scan::class::MINIMAL }>($($argument),*),
            $crate::scan::EscapeSet::Ascii =>
                $($function)::+::<{ $crate::scan::class::ASCII }>($($argument),*),
            $crate::scan::EscapeSet::Html =>
                $($function)::+::<{ $crate::scan::class::HTML }>($($argument),*),
        }
    };
}
use for_set;

/// The best level of this processor, whatever the environment says.
fn hardware() -> Level {
    #[cfg(target_arch = "x86_64")]
    {
        if std::arch::is_x86_feature_detected!("avx2") {
            Level::Avx2
        } else {
            Level::Sse2
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        Level::Plain
    }
}

/// The level that long runs use: the best of the processor, lowered by `OCTAD_SIMD`
/// (`plain`, `sse2` or `avx2`). Read once. The inlined first blocks are SSE2 at every level.
#[inline]
pub fn level() -> Level {
    match LEVEL.load(Ordering::Relaxed) {
        1 => Level::Plain,
        2 => Level::Sse2,
        3 => Level::Avx2,
        _ => detect(),
    }
}

static LEVEL: AtomicU8 = AtomicU8::new(0);

#[cold]
fn detect() -> Level {
    let wanted = match std::env::var("OCTAD_SIMD").as_deref() {
        Ok("plain") => Level::Plain,
        Ok("sse2") => Level::Sse2,
        _ => Level::Avx2,
    };
    let level = wanted.min(hardware());
    LEVEL.store(level as u8 + 1, Ordering::Relaxed);
    level
}

/// Every level that this processor can run, slowest first.
pub fn available() -> &'static [Level] {
    const ALL: [Level; 3] = [Level::Plain, Level::Sse2, Level::Avx2];
    &ALL[..=hardware() as usize]
}

/// The end of a run of plain string bytes: the index of the first byte at or after `from` that is
/// a quote, a backslash or below 0x20 (or the length), and whether the run has a byte above 0x7f.
#[inline(always)]
pub fn string_end(bytes: &[u8], from: usize) -> (usize, bool) {
    #[cfg(target_arch = "x86_64")]
    {
        // Half of all strings, and nearly all keys, end in the first block.
        if let Some((Some(len), tops)) = sse2::string_block(bytes, from) {
            return (from + len, tops != 0);
        }
        long_string_end(bytes, from)
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        swar::string_end(bytes, from)
    }
}

/// As [`string_end`] within one block: the place of its end, below 16, if it is there, and whether
/// a byte before it is above 0x7f.
#[inline(always)]
pub fn short_string_end(block: &[u8; 16]) -> Option<(usize, bool)> {
    #[cfg(target_arch = "x86_64")]
    {
        sse2::end_in_block(lanes::Lanes::load(block))
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        let (end, high) = swar::string_end(block, 0);
        (end < 16).then_some((end, high))
    }
}

/// As [`string_end`], for what is expected to be longer than a block.
#[inline(never)]
pub fn long_string_end(bytes: &[u8], from: usize) -> (usize, bool) {
    #[cfg(target_arch = "x86_64")]
    {
        if level() == Level::Avx2 {
            // SAFETY: `level` is never above what `hardware` found in this processor.
            return unsafe { avx2::string_end(bytes, from) };
        }
    }
    at::string_end(level(), bytes, from)
}

/// The index of the first byte at or after `from` that is not a space, tab, line feed or
/// carriage return (or the length).
#[inline(always)]
pub fn skip_blank(bytes: &[u8], from: usize) -> usize {
    match bytes.get(from) {
        Some(&byte) if byte > b' ' => from,
        Some(_) => match bytes.get(from + 1) {
            Some(&byte) if byte > b' ' && bytes[from] == b' ' => from + 1,
            _ => skip_blank_run(bytes, from),
        },
        None => bytes.len(),
    }
}

/// The rest of [`skip_blank`]: out of line, to keep the common case small; runs are short (an
/// indent), so there is no call into a longer loop.
#[inline(never)]
fn skip_blank_run(bytes: &[u8], from: usize) -> usize {
    #[cfg(target_arch = "x86_64")]
    {
        sse2::find::<{ class::INKED }>(bytes, from)
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        swar::find::<{ class::INKED }>(bytes, from)
    }
}

/// The index of the first byte at or after `from` that a JSON writer with this set must look at
/// (or the length). `Html` stops at every 0xe2, the lead byte of U+2028 and U+2029.
#[inline]
pub fn escape_end(bytes: &[u8], from: usize, set: EscapeSet) -> usize {
    #[cfg(target_arch = "x86_64")]
    {
        if bytes.len().saturating_sub(from) <= 64 {
            return at::escape_end(Level::Sse2, bytes, from, set);
        }
    }
    at::escape_end(level(), bytes, from, set)
}

/// The number of line feeds.
pub fn count_newlines(bytes: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', bytes).count()
}

/// The index of the last line feed.
pub fn last_newline(bytes: &[u8]) -> Option<usize> {
    memchr::memrchr(b'\n', bytes)
}

/// The kernels at a level of the caller's choice (lowered to what the processor can run).
pub mod at {
    use core::mem::MaybeUninit;

    use super::{EscapeSet, Level, Output, Unit, Width, class, copy, hardware, swar, transcode};
    #[cfg(target_arch = "x86_64")]
    use super::{avx2, sse2};

    /// Runs the expression of the level that the processor can run.
    macro_rules! dispatch {
        ($level:expr, $plain:expr, $sse2:expr, $avx2:expr) => {{
            #[cfg(target_arch = "x86_64")]
            {
                match $level {
                    Level::Plain => $plain,
                    Level::Avx2 if hardware() == Level::Avx2 => {
                        // SAFETY: the processor has AVX2, asked in the guard of this arm.
                        unsafe { $avx2 }
                    }
                    _ => $sse2,
                }
            }
            #[cfg(not(target_arch = "x86_64"))]
            {
                let _ = ($level, hardware as fn() -> Level);
                $plain
            }
        }};
    }

    /// [`super::string_end`] at a level.
    #[inline]
    pub fn string_end(level: Level, bytes: &[u8], from: usize) -> (usize, bool) {
        dispatch!(
            level,
            swar::string_end(bytes, from),
            sse2::string_end(bytes, from),
            avx2::string_end(bytes, from)
        )
    }

    /// [`super::skip_blank`] at a level.
    #[inline]
    pub fn skip_blank(level: Level, bytes: &[u8], from: usize) -> usize {
        dispatch!(
            level,
            swar::find::<{ class::INKED }>(bytes, from),
            sse2::find::<{ class::INKED }>(bytes, from),
            avx2::find::<{ class::INKED }>(bytes, from)
        )
    }

    /// [`super::escape_end`] at a level.
    #[inline]
    pub fn escape_end(level: Level, bytes: &[u8], from: usize, set: EscapeSet) -> usize {
        dispatch!(
            level,
            for_set!(set, swar::find(bytes, from)),
            for_set!(set, sse2::find(bytes, from)),
            for_set!(set, avx2::find(bytes, from))
        )
    }

    /// [`super::measure`] at a level.
    #[inline]
    pub fn measure(level: Level, text: &str) -> Width {
        let bytes = text.as_bytes();
        let (tails, highest) = dispatch!(
            level,
            swar::measure(bytes),
            sse2::measure(bytes),
            avx2::measure(bytes)
        );
        transcode::width(bytes.len() - tails, highest)
    }

    /// [`super::to_latin1`] at a level.
    pub fn to_latin1(level: Level, text: &str, into: &mut [u8]) {
        fill(level, text, transcode::fresh(into));
    }

    /// [`super::to_ucs2`] at a level.
    pub fn to_ucs2(level: Level, text: &str, into: &mut [u16]) {
        fill(level, text, transcode::fresh(into));
    }

    /// [`super::to_ucs4`] at a level.
    pub fn to_ucs4(level: Level, text: &str, into: &mut [u32]) {
        fill(level, text, transcode::fresh(into));
    }

    /// [`super::fill`] at a level.
    pub fn fill<U: Unit>(level: Level, text: &str, into: &mut [MaybeUninit<U>]) -> bool {
        dispatch!(
            level,
            transcode::decode(text, into, swar::ascii_prefix, transcode::no_triples),
            transcode::decode(text, into, sse2::ascii_prefix, transcode::no_triples),
            avx2::decode(text, into)
        )
    }

    /// [`super::copy_until_escape`] at a level.
    #[inline]
    pub fn copy_until_escape(
        level: Level,
        bytes: &[u8],
        out: &mut impl Output,
        set: EscapeSet,
    ) -> usize {
        dispatch!(
            level,
            for_set!(set, copy::copy_plain(bytes, out)),
            for_set!(set, sse2::copy(bytes, out)),
            for_set!(set, avx2::copy(bytes, out))
        )
    }
}

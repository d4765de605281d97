//! Sixteen bytes in an SSE2 register under safe names.
//!
//! Every x86_64 processor has SSE2 (it is part of the architecture), yet the compiler calls its
//! instructions unsafe outside functions that name the feature, and such functions are not inlined
//! freely. So each instruction that the kernels need gets one small safe function here.

use core::arch::x86_64::{
    __m128i, _mm_add_epi64, _mm_cmpeq_epi8, _mm_cmpgt_epi8, _mm_cvtsi128_si64, _mm_loadu_si128,
    _mm_max_epu8, _mm_min_epu8, _mm_movemask_epi8, _mm_or_si128, _mm_sad_epu8, _mm_set_epi64x,
    _mm_set1_epi8, _mm_storeu_si128, _mm_sub_epi8, _mm_unpackhi_epi64, _mm_xor_si128,
};

use super::swar;

/// Sixteen bytes.
#[derive(Clone, Copy)]
pub(super) struct Lanes(pub(super) __m128i);

/// Methods of two registers that return one.
macro_rules! lanewise {
    ($($(#[$doc:meta])* $name:ident = $instruction:ident;)*) => {
        $($(#[$doc])*
        #[inline(always)]
        pub(super) fn $name(self, other: Self) -> Self {
            // SAFETY: SSE2 is part of x86_64, the only architecture this file is compiled for.
            Self(unsafe { $instruction(self.0, other.0) })
        })*
    };
}

impl Lanes {
    lanewise! {
        or = _mm_or_si128;
        xor = _mm_xor_si128;
        min = _mm_min_epu8;
        max = _mm_max_epu8;
        minus = _mm_sub_epi8;
        /// All bits of a byte where both are equal.
        equal = _mm_cmpeq_epi8;
        /// All bits of a byte where this one is the greater as a signed number.
        above = _mm_cmpgt_epi8;
        /// The sums of the distances within each half.
        distances = _mm_sad_epu8;
        /// The sums of the two halves as numbers.
        plus_halves = _mm_add_epi64;
        /// The upper halves of both.
        uppers = _mm_unpackhi_epi64;
    }

    #[inline(always)]
    pub(super) fn load(block: &[u8; 16]) -> Self {
        // SAFETY: the reference guarantees sixteen readable bytes; the load needs no alignment.
        Self(unsafe { _mm_loadu_si128(block.as_ptr().cast()) })
    }

    /// Two words, the lower one first.
    #[inline(always)]
    pub(super) fn pair(lower: u64, upper: u64) -> Self {
        // SAFETY: SSE2 is part of x86_64.
        Self(unsafe { _mm_set_epi64x(upper.cast_signed(), lower.cast_signed()) })
    }

    /// Fewer than sixteen bytes, filled up with zeros.
    #[inline(always)]
    pub(super) fn padded(bytes: &[u8]) -> Self {
        let (low, high) = swar::padded(bytes);
        // SAFETY: SSE2 is part of x86_64.
        Self(unsafe { _mm_set_epi64x(high.cast_signed(), low.cast_signed()) })
    }

    #[inline(always)]
    pub(super) fn splat(byte: u8) -> Self {
        // SAFETY: SSE2 is part of x86_64.
        Self(unsafe { _mm_set1_epi8(byte.cast_signed()) })
    }

    /// The top bit of each byte.
    #[inline(always)]
    pub(super) fn tops(self) -> u32 {
        // SAFETY: SSE2 is part of x86_64.
        unsafe { _mm_movemask_epi8(self.0) }.cast_unsigned()
    }

    /// The lower half as a number.
    #[inline(always)]
    pub(super) fn lower(self) -> u64 {
        // SAFETY: SSE2 is part of x86_64.
        unsafe { _mm_cvtsi128_si64(self.0) }.cast_unsigned()
    }

    /// # Safety
    /// `into` must be valid for writes of sixteen bytes.
    #[inline(always)]
    pub(super) unsafe fn store(self, into: *mut u8) {
        // SAFETY: the caller vouches for the sixteen bytes; the store needs no alignment.
        unsafe { _mm_storeu_si128(into.cast(), self.0) };
    }
}

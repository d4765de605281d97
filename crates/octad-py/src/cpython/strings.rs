//! Compact ASCII strings whose header is written here instead of by `PyUnicode_New`.
//!
//! It rests on the layout of some CPython series, so it is checked when first used: headers written
//! here must equal those of strings that CPython made. Where they do not, or for another series, a
//! debug build or `OCTAD_PUBLIC_API=1`, strings are made by the public calls of `str.rs`.

use core::mem::{offset_of, size_of};
use core::ptr;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use super::repeats::{self, Repeats, Wanted, first_bytes};
use super::{Obj, str};

/// The bytes before the characters.
const HEADER: usize = size_of::<ffi::PyASCIIObject>();

/// Longer ones are made by the public call, whose cost no longer counts.
const LONGEST: usize = 256;

/// Whether the layout is one that is known here (3.11 has a field more than its successors): blocks
/// behind the header keep within the room that a string of this length has anyway.
const KNOWN: bool = (HEADER == 40 || HEADER == 48)
    && offset_of!(ffi::PyASCIIObject, length) == 16
    && offset_of!(ffi::PyASCIIObject, state) == 32;

/// The header of a string: what all compact ASCII strings have in common, and the length.
#[derive(Clone, Copy)]
#[repr(C, align(8))]
struct Header([u8; HEADER]);

/// Makes strings for the time of one call.
pub struct Strings<'py> {
    py: Python<'py>,
    header: Option<&'static Header>,
    /// None where it is not worth it.
    repeats: Option<Box<Repeats>>,
}

static LEARNT: PyOnceLock<Option<Header>> = PyOnceLock::new();

/// With fewer values than this there is little memory to save, and looking costs more than it saves
/// (github, 752 strings of which 111 come again: 3 % of the time).
const FEW: usize = 3000;

impl<'py> Strings<'py> {
    /// The way that this interpreter allows, for a document of so many values.
    #[inline]
    #[must_use]
    pub fn new(py: Python<'py>, values: usize) -> Self {
        let header = LEARNT.get_or_init(py, || learn(py)).as_ref();
        Self {
            py,
            header,
            repeats: (header.is_some() && values >= FEW).then(|| Repeats::take(py)),
        }
    }

    /// A string of the first `length` bytes, which should be ASCII; others are read as UTF-8. What
    /// lies behind them serves to copy whole blocks. None: an exception is set.
    #[inline(always)]
    pub fn ascii(&self, bytes: &[u8], length: usize) -> Option<Obj> {
        let blocks = length.div_ceil(16);
        if let Some(header) = self.header
            && (2..=LONGEST).contains(&length)
            && let Some(padded) = bytes.get(..blocks * 16)
        {
            return match write(self.py, header, padded, length) {
                Written::Ascii(made) => Some(made),
                Written::Other => str::utf8(self.py, &padded[..length]),
                Written::Nothing => None,
            };
        }
        str::ascii(self.py, bytes.get(..length).unwrap_or(bytes))
    }

    /// As [`Self::ascii`], with one object for equal short strings. `place` tells values of one
    /// kind (those of one key) from others; any number will do.
    #[inline(always)]
    pub fn shared(&mut self, bytes: &[u8], length: usize, place: u16) -> Option<Obj> {
        if (2..=repeats::LONGEST).contains(&length)
            && let Some(repeats) = &mut self.repeats
            && let Some(block) = bytes.first_chunk::<{ repeats::LONGEST }>()
            && repeats.is_worth_it(place)
        {
            return self.known(block, length, place);
        }
        self.ascii(bytes, length)
    }

    /// A short string, the same object as the last equal one if that is still known.
    #[inline(never)]
    fn known(&mut self, block: &[u8; repeats::LONGEST], length: usize, place: u16) -> Option<Obj> {
        let (Some(header), Some(repeats)) = (self.header, &mut self.repeats) else {
            return self.ascii(block, length);
        };
        let wanted = Wanted::new(block, length, place);
        if let Some(known) = repeats.find(&wanted)
            && is_made_of(known, &wanted.words, length)
        {
            let known = known.clone();
            repeats.hit(&wanted);
            return Some(known);
        }
        let padded = if length <= 16 { &block[..16] } else { block };
        match write(self.py, header, padded, length) {
            Written::Ascii(made) => {
                repeats.keep(&wanted, made.clone());
                Some(made)
            }
            Written::Other => str::utf8(self.py, &block[..length]),
            Written::Nothing => None,
        }
    }
}

impl Drop for Strings<'_> {
    fn drop(&mut self) {
        if let Some(repeats) = self.repeats.take() {
            repeats.give_back(self.py);
        }
    }
}

/// Whether a string of up to 32 bytes that [`write`] made has these bytes, and so many.
#[inline(always)]
fn is_made_of(made: &Obj, words: &[u64; 4], length: usize) -> bool {
    let object = made.as_ptr().cast::<u8>();
    // SAFETY: a live compact ASCII string made by `write`: its length stands in its header, and
    // there is room for whole blocks of sixteen bytes behind it, all of them written.
    unsafe {
        let place = offset_of!(ffi::PyASCIIObject, length);
        if object.add(place).cast::<usize>().read() != length {
            return false;
        }
        let data = object.add(HEADER).cast::<u64>();
        let differs =
            |at: usize| (data.add(at).read_unaligned() ^ words[at]) & first_bytes(at, length);
        let first = differs(0) | differs(1);
        first == 0 && (length <= 16 || differs(2) | differs(3) == 0)
    }
}

/// What became of bytes that should be ASCII.
enum Written {
    Ascii(Obj),
    /// They are not.
    Other,
    /// No memory, an exception is set.
    Nothing,
}

/// Makes the string of the first `length` bytes of whole blocks; the last byte is in the last block.
#[inline]
fn write(_py: Python<'_>, header: &Header, padded: &[u8], length: usize) -> Written {
    let room = HEADER + padded.len().max(length + 1);
    // SAFETY: attached (`_py`).
    let object = unsafe { ffi::PyObject_Malloc(room) }.cast::<u8>();
    if object.is_null() {
        // SAFETY: attached (`_py`).
        unsafe { ffi::PyErr_NoMemory() };
        return Written::Nothing;
    }
    // SAFETY: `room` bytes, nobody else's, of which the header takes the first; `learn` found that
    // a string of this length begins with these bytes.
    let data = unsafe {
        object.cast::<Header>().write(*header);
        object
            .add(offset_of!(ffi::PyASCIIObject, length))
            .cast::<usize>()
            .write(length);
        object.add(HEADER)
    };
    // SAFETY: `padded` is whole blocks, with as much room from `data` on.
    let plain = unsafe { copy_blocks(padded, data, length) };
    // SAFETY: room for `length + 1` bytes from `data` on; a finished object with one reference.
    let made = unsafe {
        data.add(length).write(0);
        Obj::from_new(object.cast())
    };
    let Some(made) = made else {
        return Written::Nothing;
    };
    if plain {
        return Written::Ascii(made);
    }
    // SAFETY: as above. Not ASCII after all: the string dies unseen, and well formed.
    unsafe { ptr::write_bytes(data, b'?', length) };
    Written::Other
}

/// Copies whole blocks; answers whether the first `length` bytes are ASCII.
///
/// # Safety
/// `to` has room for all of `padded`, whose length is a multiple of 16; `length` ends in its last
/// block.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn copy_blocks(padded: &[u8], to: *mut u8, length: usize) -> bool {
    use core::arch::x86_64::{
        _mm_loadu_si128, _mm_movemask_epi8, _mm_or_si128, _mm_setzero_si128, _mm_storeu_si128,
    };
    // SAFETY: SSE2 is part of x86_64.
    let mut high = unsafe { _mm_setzero_si128() };
    let mut at = 0;
    // SAFETY: `at` is a multiple of 16 below `length`, so a block of `padded` starts there, with as
    // much room in `to`.
    unsafe {
        while at + 16 < length {
            let block = _mm_loadu_si128(padded.as_ptr().add(at).cast());
            _mm_storeu_si128(to.add(at).cast(), block);
            high = _mm_or_si128(high, block);
            at += 16;
        }
        let last = _mm_loadu_si128(padded.as_ptr().add(at).cast());
        _mm_storeu_si128(to.add(at).cast(), last);
        let within = (1 << (length - at)) - 1;
        _mm_movemask_epi8(high) | (_mm_movemask_epi8(last) & within) == 0
    }
}

/// # Safety
/// `to` has room for all of `padded`, which is `length` bytes long at least.
#[cfg(not(target_arch = "x86_64"))]
unsafe fn copy_blocks(padded: &[u8], to: *mut u8, length: usize) -> bool {
    // SAFETY: the caller has room.
    unsafe { ptr::copy_nonoverlapping(padded.as_ptr(), to, padded.len()) };
    padded[..length].is_ascii()
}

/// The header, if strings of several lengths agree in it with what would be written here.
#[cold]
fn learn(py: Python<'_>) -> Option<Header> {
    let public = std::env::var_os("OCTAD_PUBLIC_API").is_some_and(|value| value == "1");
    let version = py.version_info();
    let series = version.major == 3 && (11..=13).contains(&version.minor);
    // A debug build counts all references, which only its own calls do.
    let counted = py
        .import("sys")
        .and_then(|sys| sys.hasattr("gettotalrefcount"));
    if !KNOWN || public || !series || !matches!(counted, Ok(false)) {
        return None;
    }
    let mut known: Option<Header> = None;
    for length in [2, 3, 16, 100, LONGEST] {
        let text = [b'a'; LONGEST];
        let made = Obj::or_raised(py, str::ascii(py, &text[..length])).ok()?;
        // SAFETY: a live object; a compact ASCII string is that long at least.
        let mut header = unsafe { made.as_ptr().cast::<Header>().read_unaligned() };
        let place = offset_of!(ffi::PyASCIIObject, length);
        let field = header.0.get_mut(place..place + size_of::<usize>())?;
        if *field != length.to_ne_bytes() {
            return None;
        }
        field.fill(0);
        // Eight flags; the gap behind them holds nothing.
        let state = offset_of!(ffi::PyASCIIObject, state);
        header.0.get_mut(state + 1..state + 8)?.fill(0);
        if known.is_some_and(|known| known.0 != header.0) {
            return None;
        }
        known = Some(header);
    }
    // One reference, or the counter is not what it seems.
    known.filter(|header| header.0.first_chunk() == Some(&1_usize.to_ne_bytes()))
}

//! What the writing kernels append to: a vector, or an `OutBuf` over memory of somebody else's.
//!
//! A kernel asks for room once, stores through the pointer it gets, and says how much it used.
//! `OutBuf` is the output of every writer. It knows no allocator: a `Home` does, so that a text can
//! grow inside the very object that the caller gets (the bytes object of a Python call).

use core::mem::ManuallyDrop;
use core::ops::Range;
use core::ptr::{self, NonNull};

/// Bytes that grow at their end.
///
/// # Safety
/// [`Output::room`] returns a pointer to the end of what has been written, valid for writes of as
/// many bytes as were asked for until the next call of any method.
pub unsafe trait Output {
    /// Makes room for bytes behind the end and points to it.
    fn room(&mut self, bytes: usize) -> *mut u8;

    /// Counts bytes as written.
    ///
    /// # Safety
    /// Room for as many bytes was asked for since the last other call, and they were written.
    unsafe fn advance(&mut self, bytes: usize);

    /// Appends one byte.
    #[inline(always)]
    fn push(&mut self, byte: u8) {
        // SAFETY: one byte of room, written before it is counted.
        unsafe {
            self.room(1).write(byte);
            self.advance(1);
        }
    }

    /// Appends bytes.
    #[inline(always)]
    fn extend_from_slice(&mut self, bytes: &[u8]) {
        // SAFETY: as much room as the slice has, which cannot be a part of it.
        unsafe {
            let into = self.room(bytes.len());
            ptr::copy_nonoverlapping(bytes.as_ptr(), into, bytes.len());
            self.advance(bytes.len());
        }
    }
}

// SAFETY: the spare capacity of a vector, asked for beforehand.
unsafe impl Output for Vec<u8> {
    #[inline(always)]
    fn room(&mut self, bytes: usize) -> *mut u8 {
        self.reserve(bytes);
        self.spare_capacity_mut().as_mut_ptr().cast()
    }

    #[inline(always)]
    unsafe fn advance(&mut self, bytes: usize) {
        // SAFETY: the caller wrote as many bytes of the spare capacity.
        unsafe { self.set_len(self.len() + bytes) };
    }
}

/// Whose memory it is, where it is, and how many bytes.
pub type Place = (&'static Home, NonNull<u8>, usize);

/// Where the memory of an [`OutBuf`] comes from and goes to.
pub struct Home {
    /// Moves a text to a place with room for more.
    ///
    /// # Safety
    /// Called with the place, the length and the capacity of a text of this home and with a greater
    /// capacity; returns a place with a capacity that is no smaller, and whose home it is at. The
    /// old place is given up.
    pub grow: unsafe fn(NonNull<u8>, usize, usize, usize) -> Place,
    /// Gives the memory of a text back.
    ///
    /// # Safety
    /// Called once, with the place and the capacity of a text of this home.
    pub free: unsafe fn(NonNull<u8>, usize),
}

static VECTOR: Home = Home {
    grow: grow_vector,
    free: free_vector,
};

/// # Safety
/// Place, length and capacity are those of a vector whose owner gave it up.
unsafe fn grow_vector(place: NonNull<u8>, length: usize, capacity: usize, wanted: usize) -> Place {
    // SAFETY: as for this function.
    let mut bytes = unsafe { Vec::from_raw_parts(place.as_ptr(), length, capacity) };
    bytes.reserve_exact(wanted - length);
    let (place, _, capacity) = parts(bytes);
    (&VECTOR, place, capacity)
}

/// # Safety
/// Place and capacity are those of a vector whose owner gave it up.
unsafe fn free_vector(place: NonNull<u8>, capacity: usize) {
    // SAFETY: as for this function.
    drop(unsafe { Vec::from_raw_parts(place.as_ptr(), 0, capacity) });
}

fn parts(bytes: Vec<u8>) -> (NonNull<u8>, usize, usize) {
    let mut bytes = ManuallyDrop::new(bytes);
    // SAFETY: the pointer of a vector is never null.
    let place = unsafe { NonNull::new_unchecked(bytes.as_mut_ptr()) };
    (place, bytes.len(), bytes.capacity())
}

/// The growing output of every writer, with an optional upper bound.
///
/// The bound is looked at where a value may be long, where memory grows and at the ends of
/// containers, not for each byte: an output can pass it by a little before that is noticed.
pub struct OutBuf {
    start: NonNull<u8>,
    /// Behind the last byte written.
    end: *mut u8,
    /// Behind the last byte of the memory.
    limit: *mut u8,
    /// The length that must not be passed.
    bound: usize,
    home: &'static Home,
    failed: bool,
}

// SAFETY: an `OutBuf` owns its memory alone, and nothing of it is bound to a thread but what its
// home may demand, which is the promise of whoever calls `from_raw`.
unsafe impl Send for OutBuf {}
// SAFETY: shared access reads what was written and no more.
unsafe impl Sync for OutBuf {}

impl OutBuf {
    /// Continues in `bytes`, whose capacity is reused; at most `limit` bytes may be added.
    #[must_use]
    pub fn new(bytes: Vec<u8>, limit: Option<u64>) -> Self {
        let (place, length, capacity) = parts(bytes);
        // SAFETY: the memory of a vector that was given up, at home with its allocator.
        unsafe { Self::from_raw(&VECTOR, place, length, capacity, limit) }
    }

    /// Continues behind the `length` bytes at `place`; at most `limit` bytes may be added.
    ///
    /// # Safety
    /// `capacity` bytes at `place` are the caller's to give up, and `home` may grow and free them;
    /// the first `length` of them are written. If its functions may run on some threads only, the
    /// `OutBuf` stays there.
    #[must_use]
    pub unsafe fn from_raw(
        home: &'static Home,
        place: NonNull<u8>,
        length: usize,
        capacity: usize,
        limit: Option<u64>,
    ) -> Self {
        let bound = limit.map_or(usize::MAX, |limit| {
            length.saturating_add(usize::try_from(limit).unwrap_or(usize::MAX))
        });
        // SAFETY: `length <= capacity`, which both lie within one piece of memory.
        let (end, limit) = unsafe { (place.add(length), place.add(capacity)) };
        Self {
            start: place,
            end: end.as_ptr(),
            limit: limit.as_ptr(),
            bound,
            home,
            failed: false,
        }
    }

    /// Gives the memory up: its home, its place, the length of what was written and the capacity.
    #[must_use]
    pub fn into_raw(self) -> (&'static Home, NonNull<u8>, usize, usize) {
        let this = ManuallyDrop::new(self);
        (this.home, this.start, this.len(), this.capacity())
    }

    /// Whose memory it is.
    #[inline]
    #[must_use]
    pub fn home(&self) -> &'static Home {
        self.home
    }

    /// How much has been written.
    #[inline(always)]
    #[must_use]
    pub fn len(&self) -> usize {
        self.end as usize - self.start.as_ptr() as usize
    }

    /// Whether nothing has been written.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn capacity(&self) -> usize {
        self.limit as usize - self.start.as_ptr() as usize
    }

    /// What has been written.
    #[inline]
    #[must_use]
    pub fn as_slice(&self) -> &[u8] {
        // SAFETY: everything before `end` was written.
        unsafe { core::slice::from_raw_parts(self.start.as_ptr(), self.len()) }
    }

    /// The last byte written.
    #[inline(always)]
    #[must_use]
    pub fn last(&self) -> Option<u8> {
        if self.is_empty() {
            return None;
        }
        // SAFETY: there is one.
        Some(unsafe { *self.end.sub(1) })
    }

    /// Takes back what was written behind the first `length` bytes.
    #[inline(always)]
    pub fn restore(&mut self, length: usize) {
        if length < self.len() {
            // SAFETY: before the end of what was written.
            self.end = unsafe { self.start.add(length) }.as_ptr();
        }
    }

    /// Writes the last pieces of the text once more, in the order given. What lies behind the start
    /// of the first of them in the text, and in none of them, is gone.
    pub fn arrange(&mut self, pieces: &[Range<usize>]) {
        let Some(first) = pieces.iter().map(|piece| piece.start).min() else {
            return;
        };
        let mut moved = Vec::with_capacity(self.len().saturating_sub(first));
        for piece in pieces {
            let text = self.as_slice().get(piece.clone());
            moved.extend_from_slice(text.unwrap_or_default());
        }
        self.restore(first);
        self.extend_from_slice(&moved);
    }

    /// Writes one byte over the last one and another behind it; behind nothing, only that.
    #[inline(always)]
    pub fn write_over(&mut self, last: u8, behind: u8) {
        if !self.is_empty() {
            // SAFETY: at least one byte was written.
            unsafe { self.end.sub(1).write(last) };
        }
        self.push(behind);
    }

    /// False when `more` bytes would pass the bound.
    #[inline(always)]
    #[must_use]
    pub fn has_room(&self, more: usize) -> bool {
        self.len().saturating_add(more) <= self.bound
    }

    /// Notes that the output is of no use; what wrote it knows why.
    #[inline]
    pub fn fail(&mut self) {
        self.failed = true;
    }

    /// Takes the note back.
    pub fn forgive(&mut self) {
        self.failed = false;
    }

    /// Whether the output is of no use: an error was noted, or the bound was seen to be passed.
    #[inline(always)]
    #[must_use]
    pub fn failed(&self) -> bool {
        self.failed
    }

    /// The text as a vector.
    #[must_use]
    pub fn into_vec(self) -> Vec<u8> {
        if ptr::eq(self.home, &VECTOR) {
            let (_, place, length, capacity) = self.into_raw();
            // SAFETY: the memory of a vector, given up by `into_raw`.
            return unsafe { Vec::from_raw_parts(place.as_ptr(), length, capacity) };
        }
        self.as_slice().to_vec()
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, bytes: usize) -> *mut u8 {
        let (length, capacity) = (self.len(), self.capacity());
        self.failed |= length > self.bound;
        let Some(wanted) = length.checked_add(bytes) else {
            panic!("a text of more bytes than memory has");
        };
        let wanted = wanted.max(capacity * 2).max(64);
        // SAFETY: place, length and capacity are those of this text, which is at home there.
        let (home, place, capacity) =
            unsafe { (self.home.grow)(self.start, length, capacity, wanted) };
        self.home = home;
        self.start = place;
        // SAFETY: within the new memory.
        unsafe {
            self.end = place.add(length).as_ptr();
            self.limit = place.add(capacity).as_ptr();
        }
        self.end
    }
}

// SAFETY: the memory between `end` and `limit` is this buffer's alone.
unsafe impl Output for OutBuf {
    #[inline(always)]
    fn room(&mut self, bytes: usize) -> *mut u8 {
        if self.limit as usize - self.end as usize >= bytes {
            self.end
        } else {
            self.grow(bytes)
        }
    }

    #[inline(always)]
    unsafe fn advance(&mut self, bytes: usize) {
        // SAFETY: within the room that was asked for.
        self.end = unsafe { self.end.add(bytes) };
    }
}

impl Drop for OutBuf {
    fn drop(&mut self) {
        // SAFETY: the memory of this text, at home there, given back once.
        unsafe { (self.home.free)(self.start, self.capacity()) };
    }
}

impl Default for OutBuf {
    fn default() -> Self {
        Self::new(Vec::new(), None)
    }
}

impl core::fmt::Debug for OutBuf {
    fn fmt(&self, form: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        form.debug_struct("OutBuf")
            .field("len", &self.len())
            .field("failed", &self.failed)
            .finish_non_exhaustive()
    }
}

//! `StackEnd`: how far what recurses may use the machine's stack of the running thread.
//!
//! A thread may have 8 MiB or 64 KiB, and nothing but its own bounds tells. They are asked for once a
//! thread. Where they are not known, or the thread runs on another stack than its own, there is no
//! end, and the limits of depth are all there is.

use core::cell::Cell;
use core::ptr;

/// What is kept for all that does not ask: Python code, imports, errors. A quarter of a small stack.
const RESERVE: usize = 64 * 1024;

/// Where a thread's stack is.
#[derive(Clone, Copy, Default)]
struct Bounds {
    /// The lowest address that may be used.
    low: usize,
    /// The address above all of it.
    high: usize,
}

thread_local! {
    static BOUNDS: Cell<Option<Bounds>> = const { Cell::new(None) };
}

/// The address below which no call may begin another of its kind.
#[derive(Clone, Copy)]
pub struct StackEnd(usize);

impl StackEnd {
    /// That of the running thread.
    pub fn of_thread() -> Self {
        let bounds = BOUNDS.get().unwrap_or_else(|| {
            let bounds = bounds().unwrap_or_default();
            BOUNDS.set(Some(bounds));
            bounds
        });
        let Bounds { low, high } = bounds;
        if !(low..high).contains(&here()) {
            return Self(0);
        }
        Self(low + RESERVE.min((high - low) / 4))
    }

    /// Whether the stack has come to its end.
    #[inline(always)]
    pub fn is_reached(self) -> bool {
        here() < self.0
    }
}

/// An address in the frame of the caller.
#[inline(always)]
fn here() -> usize {
    let mark = 0_u8;
    ptr::from_ref(&mark).addr()
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn bounds() -> Option<Bounds> {
    use core::mem::MaybeUninit;

    let mut attributes = MaybeUninit::<libc::pthread_attr_t>::uninit();
    let (mut low, mut size, mut guard) = (ptr::null_mut(), 0, 0);
    // SAFETY: the attributes are read and destroyed only after they have been made, and all that is
    // written to is on this very stack.
    unsafe {
        if libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) != 0 {
            return None;
        }
        let known = libc::pthread_attr_getstack(attributes.as_ptr(), &raw mut low, &raw mut size)
            == 0
            && libc::pthread_attr_getguardsize(attributes.as_ptr(), &raw mut guard) == 0;
        libc::pthread_attr_destroy(attributes.as_mut_ptr());
        if !known {
            return None;
        }
    }
    Some(Bounds {
        // Some libraries count the guard as part of the stack.
        low: low.addr().saturating_add(guard),
        high: low.addr().saturating_add(size),
    })
}

#[cfg(target_vendor = "apple")]
fn bounds() -> Option<Bounds> {
    // SAFETY: both only read what the running thread, which exists, has noted of itself.
    let (high, size) = unsafe {
        let thread = libc::pthread_self();
        (
            libc::pthread_get_stackaddr_np(thread).addr(),
            libc::pthread_get_stacksize_np(thread),
        )
    };
    Some(Bounds {
        low: high.saturating_sub(size),
        high,
    })
}

#[cfg(windows)]
fn bounds() -> Option<Bounds> {
    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn GetCurrentThreadStackLimits(low: *mut usize, high: *mut usize);
    }

    /// The pages at the end that Windows keeps for its own handling of an overflow.
    const KEPT: usize = 16 * 1024;
    let mut bounds = Bounds::default();
    // SAFETY: writes two words, which are on this very stack.
    unsafe { GetCurrentThreadStackLimits(&raw mut bounds.low, &raw mut bounds.high) };
    bounds.low = bounds.low.saturating_add(KEPT);
    Some(bounds)
}

#[cfg(not(any(
    target_os = "linux",
    target_os = "android",
    target_vendor = "apple",
    windows
)))]
fn bounds() -> Option<Bounds> {
    None
}

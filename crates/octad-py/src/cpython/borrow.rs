//! `Item`: a borrowed look at an object inside a container, and `Quiet`, which bounds its life.
//!
//! Reading a list or dict without touching reference counts is sound only as long as no Python code
//! runs. `Quiet` stands for such a stretch: every `Item` borrows it, and whatever may run Python
//! code takes it mutably, so an `Item` cannot be used across such a call.

use core::marker::PhantomData;
use core::ptr::NonNull;

use pyo3::ffi;
use pyo3::prelude::*;

use super::object::Obj;

/// Proof that the thread is attached, and the lifetime of borrowed objects.
pub struct Quiet<'py>(Python<'py>);

impl<'py> Quiet<'py> {
    /// Starts a quiet stretch.
    #[inline]
    pub fn new(py: Python<'py>) -> Self {
        Self(py)
    }

    /// The interpreter, for calls that may run Python code: no [`Item`] survives this.
    #[inline]
    pub fn noisy(&mut self) -> Python<'py> {
        self.0
    }
}

/// A borrowed object, alive as long as the quiet stretch lasts.
#[derive(Clone, Copy)]
pub struct Item<'q>(NonNull<ffi::PyObject>, PhantomData<&'q ()>);

impl<'q> Item<'q> {
    /// # Safety
    /// `ptr` is a live object that stays alive until Python code runs; the thread is attached.
    #[inline(always)]
    pub(super) unsafe fn from_ptr(ptr: *mut ffi::PyObject) -> Self {
        // SAFETY: a live object has a non-null address.
        Self(unsafe { NonNull::new_unchecked(ptr) }, PhantomData)
    }

    /// Looks at an object somebody holds.
    #[inline(always)]
    pub fn of(object: &'q Obj) -> Self {
        // SAFETY: the object lives as long as the borrow of its owner.
        unsafe { Self::from_ptr(object.as_ptr()) }
    }

    #[inline(always)]
    pub(super) fn as_ptr(self) -> *mut ffi::PyObject {
        self.0.as_ptr()
    }

    /// Takes a reference, so that the object survives what comes.
    #[inline]
    pub fn own(self) -> Obj {
        // SAFETY: the object is alive within the quiet stretch.
        unsafe { Obj::from_borrowed(self.as_ptr()) }
    }

    /// The address, to compare objects for identity.
    #[inline]
    pub fn address(self) -> usize {
        self.as_ptr() as usize
    }
}

/// Asks for memory ahead of its use, whatever the address.
#[inline(always)]
pub(super) fn prefetch<T>(place: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: SSE is part of x86_64; a prefetch reads nothing, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(place.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        let _ = place;
    }
}

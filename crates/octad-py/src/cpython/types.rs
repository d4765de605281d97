//! Which built-in type an object has: exactly, or as a subclass.
//!
//! Exact types are told by the address of the type object, in the order of how often they occur in
//! data; bases by the flag bits that CPython keeps for its own types.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyType;

use super::borrow::Item;
use super::object::Obj;

/// An exact built-in type, as far as writers care.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exact {
    /// `str`
    Str,
    /// `int`
    Int,
    /// `float`
    Float,
    /// `dict`
    Dict,
    /// `list`
    List,
    /// `None`
    None,
    /// `True`
    True,
    /// `False`
    False,
    /// `tuple`
    Tuple,
    /// Anything else.
    Other,
}

/// The built-in type that a class derives from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Base {
    /// `str`
    Str,
    /// `int`, `bool` included
    Int,
    /// `float`
    Float,
    /// `dict`
    Dict,
    /// `list`
    List,
    /// `tuple`
    Tuple,
    /// `bytes`
    Bytes,
    /// `bytearray`
    ByteArray,
    /// A class.
    Type,
    /// None of them.
    Object,
}

/// What distinguishes a class from all that ever lived: its address and its version.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TypeStamp {
    address: usize,
    version: u32,
}

/// Where a class is, or was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClassAddress(usize);

impl TypeStamp {
    /// Where the class is, as long as the stamp is true.
    #[inline(always)]
    pub fn address(self) -> ClassAddress {
        ClassAddress(self.address)
    }

    /// A place in a table of `slots` (a power of two).
    pub fn slot(self, slots: usize) -> usize {
        // Classes often lie at regular distances, which a product spreads.
        const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
        ((self.address as u64).wrapping_mul(MULTIPLIER) >> 32) as usize & (slots - 1)
    }

    /// The stamp of a class.
    pub fn of(class: &Bound<'_, PyType>) -> Option<Self> {
        // SAFETY: a `Bound` is a live object.
        unsafe { Self::of_live(class.as_type_ptr()) }
    }

    /// # Safety
    /// A live class.
    #[inline(always)]
    pub(super) unsafe fn of_live(class: *mut ffi::PyTypeObject) -> Option<Self> {
        // SAFETY: a live class; only fields of its head are read.
        unsafe {
            // Up to 3.12 a flag says whether the number holds; 3.13 made zero the only mark.
            let valid = cfg!(Py_3_13) || (*class).tp_flags & ffi::Py_TPFLAGS_VALID_VERSION_TAG != 0;
            let version = (*class).tp_version_tag;
            (valid && version != 0).then_some(Self {
                address: class as usize,
                version,
            })
        }
    }
}

impl Item<'_> {
    /// Whether the object is a str and of no subclass.
    #[inline(always)]
    pub(super) fn is_exact_str(self) -> bool {
        // SAFETY: an `Item` is a live object; only the address of the static object is taken.
        unsafe { ffi::Py_TYPE(self.as_ptr()) == &raw mut ffi::PyUnicode_Type }
    }

    /// The exact built-in type.
    #[inline(always)]
    pub fn exact(self) -> Exact {
        let object = self.as_ptr();
        // SAFETY: an `Item` is a live object; only the addresses of the static objects are taken.
        unsafe {
            let kind = ffi::Py_TYPE(object);
            if kind == &raw mut ffi::PyUnicode_Type {
                Exact::Str
            } else if kind == &raw mut ffi::PyLong_Type {
                Exact::Int
            } else if kind == &raw mut ffi::PyFloat_Type {
                Exact::Float
            } else if kind == &raw mut ffi::PyDict_Type {
                Exact::Dict
            } else if kind == &raw mut ffi::PyList_Type {
                Exact::List
            } else if (*kind).tp_flags & ffi::Py_TPFLAGS_HEAPTYPE != 0 {
                // Records have classes made by a statement; the types looked for are none.
                Exact::Other
            } else if object == ffi::Py_None() {
                Exact::None
            } else if object == ffi::Py_True() {
                Exact::True
            } else if object == ffi::Py_False() {
                Exact::False
            } else if kind == &raw mut ffi::PyTuple_Type {
                Exact::Tuple
            } else {
                Exact::Other
            }
        }
    }

    /// The built-in base.
    pub fn base(self) -> Base {
        let object = self.as_ptr();
        // SAFETY: an `Item` is a live object on an attached thread.
        unsafe {
            if ffi::PyUnicode_Check(object) != 0 {
                Base::Str
            } else if ffi::PyLong_Check(object) != 0 {
                Base::Int
            } else if ffi::PyDict_Check(object) != 0 {
                Base::Dict
            } else if ffi::PyList_Check(object) != 0 {
                Base::List
            } else if ffi::PyTuple_Check(object) != 0 {
                Base::Tuple
            } else if ffi::PyBytes_Check(object) != 0 {
                Base::Bytes
            } else if ffi::PyFloat_Check(object) != 0 {
                Base::Float
            } else if ffi::PyByteArray_Check(object) != 0 {
                Base::ByteArray
            } else if ffi::PyType_Check(object) != 0 {
                Base::Type
            } else {
                Base::Object
            }
        }
    }

    /// Whether the object's class has this address.
    #[inline(always)]
    pub fn is_of(self, class: ClassAddress) -> bool {
        // SAFETY: an `Item` is a live object.
        unsafe { ffi::Py_TYPE(self.as_ptr()) as usize == class.0 }
    }

    /// The stamp of the object's class; `None` while CPython has given the class no version. Any
    /// change to the class, or its end, makes the stamp stale for ever.
    #[inline(always)]
    pub fn type_stamp(self) -> Option<TypeStamp> {
        // SAFETY: an `Item` is a live object, and so is its class.
        unsafe { TypeStamp::of_live(ffi::Py_TYPE(self.as_ptr())) }
    }
}

impl Obj {
    /// Looks at the object.
    #[inline(always)]
    pub fn item(&self) -> Item<'_> {
        Item::of(self)
    }

    /// The object as PyO3 sees it.
    #[inline]
    pub fn bind<'a, 'py>(&'a self, _py: Python<'py>) -> &'a Bound<'py, PyAny> {
        // SAFETY: `Obj` and `Bound` are both one non-null pointer that owns a reference; the borrow
        // keeps the owner in place, and `_py` shows that the thread is attached.
        unsafe { &*core::ptr::from_ref(self).cast::<Bound<'py, PyAny>>() }
    }

    /// Takes the reference over from PyO3.
    #[inline]
    pub fn take(object: Bound<'_, PyAny>) -> Self {
        // SAFETY: `into_ptr` gives up a live reference, on an attached thread.
        unsafe { Self::from_new(object.into_ptr()).unwrap_unchecked() }
    }
}

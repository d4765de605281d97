//! Iterating over list, tuple and dict without touching reference counts.
//!
//! Every step checks the container's present size, so a container that changed between two steps
//! ends the loop or is noticed by the caller; nothing is read outside of it.

use core::marker::PhantomData;

use pyo3::ffi;
use pyo3::prelude::*;

use super::borrow::{Item, Quiet, prefetch};
use super::dict_table::Table;
use super::object::Obj;
use super::scalars::Int;
use super::types::Exact;
use octad_core::sink::Chars;

/// An item by its exact type; nothing is read before it is asked for.
#[derive(Clone, Copy)]
pub enum Content<'q> {
    /// A str.
    Str(Str<'q>),
    /// An int.
    Int(Whole<'q>),
    /// A float.
    Float(Real<'q>),
    /// None.
    None,
    /// A bool.
    Bool(bool),
    /// A list.
    List,
    /// A dict.
    Dict,
    /// A tuple.
    Tuple,
    /// Something else.
    Other,
}

/// An object that is a str.
#[derive(Clone, Copy)]
pub struct Str<'q>(Item<'q>);

/// An object that is an int.
#[derive(Clone, Copy)]
pub struct Whole<'q>(Item<'q>);

/// An object that is a float.
#[derive(Clone, Copy)]
pub struct Real<'q>(Item<'q>);

impl<'q> Str<'q> {
    /// # Safety
    /// The item is an exact str.
    #[inline(always)]
    pub(super) const unsafe fn of_exact(item: Item<'q>) -> Self {
        Self(item)
    }

    /// The address, which names the object as long as somebody holds it.
    #[inline(always)]
    pub fn address(self) -> usize {
        self.0.address()
    }

    /// Takes a reference.
    #[inline]
    pub fn own(self) -> Obj {
        self.0.own()
    }

    /// The interpreter, to which the thread is attached.
    #[inline]
    pub fn py(self) -> Python<'q> {
        // SAFETY: an `Item` exists only while the thread is attached.
        unsafe { Python::assume_attached() }
    }

    /// The characters, if all are ASCII and stand where they usually do.
    #[inline(always)]
    pub fn ascii(self) -> Option<&'q [u8]> {
        // SAFETY: made of strs only.
        unsafe { self.0.ascii_unchecked() }
    }

    /// The characters.
    #[inline]
    pub fn chars(self) -> Chars<'q> {
        // SAFETY: made of strs only.
        unsafe { self.0.chars_unchecked() }
    }
}

impl<'q> Whole<'q> {
    /// The number.
    #[inline(always)]
    pub fn get(self) -> Int<'q> {
        // SAFETY: made of ints only.
        unsafe { self.0.int_unchecked() }
    }

    /// The number, if it is one of up to sixty bits, as nearly all are.
    #[inline(always)]
    pub fn small(self) -> Option<i64> {
        // SAFETY: made of ints only.
        unsafe { self.0.small_int_unchecked() }
    }
}

impl Real<'_> {
    /// The number.
    #[inline(always)]
    pub fn get(self) -> f64 {
        // SAFETY: made of floats only.
        unsafe { self.0.float_unchecked() }
    }
}

impl<'q> Item<'q> {
    /// The item as a str, if it is exactly one.
    #[inline(always)]
    pub fn as_str(self) -> Option<Str<'q>> {
        self.is_exact_str().then_some(Str(self))
    }

    /// What the item is, for objects of exact built-in types.
    #[inline(always)]
    pub fn content(self) -> Content<'q> {
        match self.exact() {
            Exact::Str => Content::Str(Str(self)),
            Exact::Int => Content::Int(Whole(self)),
            Exact::Float => Content::Float(Real(self)),
            Exact::Dict => Content::Dict,
            Exact::List => Content::List,
            Exact::None => Content::None,
            Exact::True => Content::Bool(true),
            Exact::False => Content::Bool(false),
            Exact::Tuple => Content::Tuple,
            Exact::Other => Content::Other,
        }
    }
}

/// A list within a quiet stretch.
#[derive(Clone, Copy)]
pub struct ListView<'q>(Item<'q>);

impl<'q> ListView<'q> {
    /// The present length.
    #[inline(always)]
    pub fn len(self) -> usize {
        // SAFETY: a `ListView` is made of lists only.
        unsafe { ffi::PyList_GET_SIZE(self.0.as_ptr()) as usize }
    }

    /// The item at `index`, if the list is that long.
    #[inline(always)]
    pub fn get(self, index: usize) -> Option<Item<'q>> {
        if index >= self.len() {
            return None;
        }
        // SAFETY: within the present length; the list keeps the item alive until Python code runs,
        // which ends `'q`.
        unsafe {
            Some(Item::from_ptr(ffi::PyList_GET_ITEM(
                self.0.as_ptr(),
                index as ffi::Py_ssize_t,
            )))
        }
    }

    /// Asks for the item at `index` ahead of its use, and what stands in front of it.
    #[inline(always)]
    pub fn expect(self, index: usize) {
        if let Some(item) = self.get(index) {
            prefetch(item.as_ptr().wrapping_byte_sub(32));
            prefetch(item.as_ptr());
        }
    }

    /// Takes a reference to the list.
    #[inline]
    pub fn hold(self) -> ListRef {
        ListRef(self.0.own())
    }
}

/// A list (or an object of a subclass), held.
pub struct ListRef(Obj);

impl ListRef {
    /// The object, if it is a list.
    #[inline(always)]
    pub fn new(object: Obj) -> Result<Self, Obj> {
        if object.item().list().is_some() {
            Ok(Self(object))
        } else {
            Err(object)
        }
    }

    /// A look at the list.
    #[inline(always)]
    pub fn view<'q>(&self, _quiet: &'q Quiet<'_>) -> ListView<'q> {
        // SAFETY: `self` holds the list, and frames do not give it up within a quiet stretch.
        ListView(unsafe { Item::from_ptr(self.0.as_ptr()) })
    }

    /// The list as an object.
    pub fn object(&self) -> &Obj {
        &self.0
    }
}

/// A tuple within a quiet stretch.
#[derive(Clone, Copy)]
pub struct TupleView<'q>(Item<'q>);

impl<'q> TupleView<'q> {
    /// The length.
    #[inline(always)]
    pub fn len(self) -> usize {
        // SAFETY: a `TupleView` is made of tuples only.
        unsafe { ffi::PyTuple_GET_SIZE(self.0.as_ptr()) as usize }
    }

    /// The item at `index`.
    #[inline(always)]
    pub fn get(self, index: usize) -> Option<Item<'q>> {
        if index >= self.len() {
            return None;
        }
        // SAFETY: within the length; a tuple never changes and lives as long as `'q`.
        unsafe {
            Some(Item::from_ptr(ffi::PyTuple_GET_ITEM(
                self.0.as_ptr(),
                index as ffi::Py_ssize_t,
            )))
        }
    }

    /// Takes a reference to the tuple.
    #[inline]
    pub fn hold(self) -> TupleRef {
        TupleRef(self.0.own())
    }
}

/// A tuple (or an object of a subclass), held.
pub struct TupleRef(Obj);

impl TupleRef {
    /// The object, if it is a tuple.
    #[inline(always)]
    pub fn new(object: Obj) -> Result<Self, Obj> {
        // SAFETY: an `Obj` is a live object on an attached thread.
        if unsafe { ffi::PyTuple_Check(object.as_ptr()) } != 0 {
            Ok(Self(object))
        } else {
            Err(object)
        }
    }

    /// The length.
    #[inline(always)]
    pub fn len(&self) -> usize {
        // SAFETY: a tuple, checked when `self` was made.
        unsafe { ffi::PyTuple_GET_SIZE(self.0.as_ptr()) as usize }
    }

    /// The item at `index`.
    #[inline(always)]
    pub fn get<'q>(&'q self, index: usize) -> Option<Item<'q>> {
        if index >= self.len() {
            return None;
        }
        // SAFETY: within the length; a tuple never changes and `self` holds it.
        unsafe {
            Some(Item::from_ptr(ffi::PyTuple_GET_ITEM(
                self.0.as_ptr(),
                index as ffi::Py_ssize_t,
            )))
        }
    }

    /// The tuple as an object.
    pub fn object(&self) -> &Obj {
        &self.0
    }
}

/// A place between two entries of a dict.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct DictPlace(usize);

/// A dict within a quiet stretch.
#[derive(Clone, Copy)]
pub struct DictView<'q>(Item<'q>);

impl<'q> DictView<'q> {
    /// The present number of entries.
    #[inline(always)]
    pub fn len(self) -> usize {
        // SAFETY: a `DictView` is made of dicts only.
        unsafe { (*self.0.as_ptr().cast::<ffi::PyDictObject>()).ma_used as usize }
    }

    /// The entries from a place of this dict on.
    #[inline(always)]
    pub fn entries(self, from: DictPlace) -> Entries<'q> {
        // SAFETY: a `DictView` is made of dicts only.
        let table = unsafe { Table::of(self.0.as_ptr(), from.0) };
        Entries {
            table,
            quiet: PhantomData,
        }
    }

    /// Takes a reference to the dict.
    #[inline]
    pub fn hold(self) -> DictRef {
        DictRef(self.0.own())
    }
}

/// The entries of a dict within a quiet stretch, in its order.
pub struct Entries<'q> {
    table: Table,
    quiet: PhantomData<&'q ()>,
}

impl Entries<'_> {
    /// The place behind the entry given last.
    #[inline]
    pub fn place(&self) -> DictPlace {
        DictPlace(self.table.place())
    }

    /// The place of the entry given last.
    #[inline]
    pub fn before(&self) -> DictPlace {
        DictPlace(self.table.before())
    }
}

impl<'q> Iterator for Entries<'q> {
    type Item = (Item<'q>, Item<'q>);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        // SAFETY: nothing changes the table and the dict keeps key and value alive until Python
        // code runs, which ends `'q`.
        unsafe {
            let (key, value) = self.table.next()?;
            Some((Item::from_ptr(key), Item::from_ptr(value)))
        }
    }
}

/// A dict (or an object of a subclass), held.
pub struct DictRef(Obj);

impl DictRef {
    /// The object, if it is a dict.
    #[inline(always)]
    pub fn new(object: Obj) -> Result<Self, Obj> {
        if object.item().dict().is_some() {
            Ok(Self(object))
        } else {
            Err(object)
        }
    }

    /// A look at the dict.
    #[inline(always)]
    pub fn view<'q>(&self, _quiet: &'q Quiet<'_>) -> DictView<'q> {
        // SAFETY: `self` holds the dict, and frames do not give it up within a quiet stretch.
        DictView(unsafe { Item::from_ptr(self.0.as_ptr()) })
    }

    /// The dict as an object.
    pub fn object(&self) -> &Obj {
        &self.0
    }
}

impl<'q> Item<'q> {
    /// The list, if it is one (or of a subclass).
    #[inline(always)]
    pub fn list(self) -> Option<ListView<'q>> {
        // SAFETY: an `Item` is a live object on an attached thread.
        (unsafe { ffi::PyList_Check(self.as_ptr()) } != 0).then_some(ListView(self))
    }

    /// The tuple, if it is one (or of a subclass).
    #[inline(always)]
    pub fn tuple(self) -> Option<TupleView<'q>> {
        // SAFETY: an `Item` is a live object on an attached thread.
        (unsafe { ffi::PyTuple_Check(self.as_ptr()) } != 0).then_some(TupleView(self))
    }

    /// The dict, if it is one (or of a subclass).
    #[inline(always)]
    pub fn dict(self) -> Option<DictView<'q>> {
        // SAFETY: an `Item` is a live object on an attached thread.
        (unsafe { ffi::PyDict_Check(self.as_ptr()) } != 0).then_some(DictView(self))
    }
}

//! Functions of one value and many keywords, called without anything in between.
//!
//! A call without keywords is what counts: it costs a check of two numbers here, where the binding's
//! own way fills one slot for each keyword first (half the time of writing a small object). A call
//! with keywords attaches anew, so that what it takes and drops is counted at once.

use core::ffi::CStr;
use core::ptr;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::panic::PanicException;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use super::object::Obj;

/// A function from one value and keywords to an object.
pub trait OneValue {
    /// Its name.
    const NAME: &'static CStr;
    /// Its signature for `inspect`, and its documentation.
    const DOC: &'static CStr;
    /// The keywords that have a slot.
    const KEYWORDS: &'static [&'static str];

    /// The call without keywords.
    ///
    /// # Errors
    /// The exception to raise.
    fn plain(value: &Bound<'_, PyAny>) -> PyResult<Obj>;

    /// The call with keywords: one slot for each of [`Self::KEYWORDS`], empty for None too, and the
    /// keywords that have none.
    ///
    /// # Errors
    /// The exception to raise.
    fn with<'py>(
        value: &Bound<'py, PyAny>,
        options: &[Option<Bound<'py, PyAny>>],
        others: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Obj>;
}

/// Adds a function to a module.
///
/// # Errors
/// No memory.
pub fn add_function<F: OneValue>(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let definition = ffi::PyMethodDef {
        ml_name: F::NAME.as_ptr(),
        ml_meth: ffi::PyMethodDefPointer {
            PyCFunctionFastWithKeywords: enter::<F>,
        },
        ml_flags: ffi::METH_FASTCALL | ffi::METH_KEYWORDS,
        ml_doc: F::DOC.as_ptr(),
    };
    // The function points to its definition for as long as it lives, and so does the module.
    let definition: *mut ffi::PyMethodDef = Box::leak(Box::new(definition));
    let name = module.name()?;
    // SAFETY: the definition lives for ever and says truly how `enter` is to be called.
    let function = unsafe {
        let function = ffi::PyCFunction_NewEx(definition, ptr::null_mut(), name.as_ptr());
        Bound::from_owned_ptr_or_err(module.py(), function)?
    };
    module.add(F::NAME.to_string_lossy().as_ref(), function)
}

/// # Safety
/// Called by the interpreter as METH_FASTCALL | METH_KEYWORDS says: `count` arguments, then one for
/// each name in `names`, which is NULL or a tuple of str.
unsafe extern "C" fn enter<F: OneValue>(
    _module: *mut ffi::PyObject,
    arguments: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    guarded(|| {
        if count == 1 && names.is_null() {
            // SAFETY: the interpreter calls with the thread attached, and the argument is alive
            // for the time of the call.
            let value = unsafe { argument(Python::assume_attached(), *arguments) };
            F::plain(&value)
        } else {
            let run = |py: Python<'_>| {
                // SAFETY: the interpreter lends `count` arguments and those of the names.
                let sorted = unsafe { sort_out::<F>(py, arguments, count, names)? };
                let (value, options, others) = sorted;
                F::with(&value, &options, others.as_ref())
            };
            // SAFETY: the interpreter calls with the thread attached, also while it shuts down,
            // when the checked way panics.
            unsafe { Python::attach_unchecked(run) }
        }
    })
}

/// What the interpreter gets from a call: a new reference, or NULL with the exception set. A panic
/// becomes an exception.
#[inline(always)]
pub(super) fn guarded(run: impl FnOnce() -> PyResult<Obj>) -> *mut ffi::PyObject {
    // Nothing that a panic could have left half done is looked at again.
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(Ok(object)) => object.into_ptr(),
        Ok(Err(failure)) => raise(failure),
        Err(panic) => {
            let text = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| panic.downcast_ref::<&str>().copied());
            raise(PanicException::new_err(
                text.unwrap_or("panic in octad").to_owned(),
            ))
        }
    }
}

/// Sets the exception. What was dropped on the way is counted now.
#[cold]
#[inline(never)]
fn raise(failure: PyErr) -> *mut ffi::PyObject {
    // SAFETY: only calls of the interpreter end here, and it calls with the thread attached, also
    // while it shuts down, when the checked way panics.
    unsafe { Python::attach_unchecked(|py| failure.restore(py)) };
    ptr::null_mut()
}

/// # Safety
/// `object` is alive for the time of the call.
#[inline(always)]
pub(super) unsafe fn argument<'py>(
    py: Python<'py>,
    object: *mut ffi::PyObject,
) -> Bound<'py, PyAny> {
    // SAFETY: the caller vouches for a live object.
    unsafe { Bound::from_borrowed_ptr(py, object) }
}

type Sorted<'py> = (
    Bound<'py, PyAny>,
    Vec<Option<Bound<'py, PyAny>>>,
    Option<Bound<'py, PyDict>>,
);

/// # Safety
/// As for [`enter`].
#[cold]
unsafe fn sort_out<'py, F: OneValue>(
    py: Python<'py>,
    arguments: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> PyResult<Sorted<'py>> {
    let function = F::NAME.to_string_lossy();
    let count = usize::try_from(count).unwrap_or(0);
    if count > 1 {
        return Err(PyTypeError::new_err(format!(
            "{function}() takes 1 positional argument but {count} were given"
        )));
    }
    let mut value = None;
    if count == 1 {
        // SAFETY: the first of the arguments.
        value = Some(unsafe { argument(py, *arguments) });
    }
    let mut options = vec![None; F::KEYWORDS.len()];
    let mut others = None;
    // SAFETY: NULL or a tuple of str, alive for the time of the call.
    let names = unsafe { Bound::from_borrowed_ptr_or_opt(py, names) };
    let names = names.map(|names| names.cast_into::<pyo3::types::PyTuple>());
    for (index, name) in names.transpose()?.into_iter().flatten().enumerate() {
        // SAFETY: behind the positional arguments stands one for each name.
        let given = unsafe { argument(py, *arguments.add(count + index)) };
        let key = name.cast_into::<PyString>()?;
        let name = key.to_str()?;
        if name == "value" {
            if value.replace(given).is_some() {
                return Err(PyTypeError::new_err(format!(
                    "{function}() got multiple values for argument 'value'"
                )));
            }
        } else if let Some(slot) = F::KEYWORDS.iter().position(|keyword| *keyword == name) {
            options[slot] = Some(given).filter(|given| !given.is_none());
        } else {
            let others = others.get_or_insert_with(|| PyDict::new(py));
            others.set_item(key, given)?;
        }
    }
    let missing = || {
        PyTypeError::new_err(format!(
            "{function}() missing 1 required positional argument: 'value'"
        ))
    };
    Ok((value.ok_or_else(missing)?, options, others))
}

//! The call with one argument and no keywords, taken before the binding's own way.
//!
//! A function or method that the binding made stays as it is and keeps every other form of call,
//! with its errors. In front of it stands one of the same name, signature and documentation, which
//! looks at two numbers: short texts spent a tenth of their time in between.

use core::ptr;

use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct::True;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyCFunction;
use pyo3::{PyClass, PyTypeInfo};

use super::fastcall::{argument, guarded};
use super::object::Obj;

/// Where the function of the binding is kept.
pub type Behind = PyOnceLock<Py<PyAny>>;

/// A function of one argument.
pub trait DirectFunction {
    /// Its name in the module.
    const NAME: &'static str;

    /// Where the function behind it is kept.
    fn behind() -> &'static Behind;

    /// The call without keywords.
    ///
    /// # Errors
    /// The exception to raise.
    fn call(argument: &Bound<'_, PyAny>) -> PyResult<Obj>;

    /// It takes a second argument too.
    const TWO: bool = false;

    /// The call of two arguments without keywords, where it takes them.
    ///
    /// # Errors
    /// The exception to raise.
    fn call_two(first: &Bound<'_, PyAny>, second: &Bound<'_, PyAny>) -> PyResult<Obj> {
        let _ = second;
        Self::call(first)
    }
}

/// A method of one argument.
pub trait DirectMethod {
    /// The class.
    type Owner: PyClass<Frozen = True> + Sync;
    /// Its name in the class.
    const NAME: &'static str;

    /// Where the method behind it is kept.
    fn behind() -> &'static Behind;

    /// The call without keywords.
    ///
    /// # Errors
    /// The exception to raise.
    fn call(owner: &Self::Owner, argument: &Bound<'_, PyAny>) -> PyResult<Obj>;
}

/// Puts a direct function before the one of this name that the module has.
///
/// # Errors
/// The module has none; no memory.
pub fn put_before_function<F: DirectFunction>(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let behind = module.getattr(F::NAME)?.cast_into::<PyCFunction>()?;
    let name = module.name()?;
    // SAFETY: a builtin function, whose definition lives as long as it does: it is kept for ever,
    // and so is the new definition. That says truly how `enter_function` is to be called.
    let function = unsafe {
        let definition = (*behind.as_ptr().cast::<ffi::PyCFunctionObject>()).m_ml;
        let definition = same_but(&*definition, enter_function::<F>);
        let made = ffi::PyCFunction_NewEx(definition, ptr::null_mut(), name.as_ptr());
        Bound::from_owned_ptr_or_err(py, made)?
    };
    F::behind().get_or_init(py, || behind.into_any().unbind());
    module.setattr(F::NAME, function)
}

/// Puts a direct method before the one of this name that the class has.
///
/// # Errors
/// The class has none; no memory.
pub fn put_before_method<M: DirectMethod>(py: Python<'_>) -> PyResult<()>
where
    M::Owner: PyTypeInfo,
{
    let class = py.get_type::<M::Owner>();
    let behind = class.getattr(M::NAME)?;
    // SAFETY: a pointer to a type of the interpreter, alive for ever.
    let is_method = unsafe { ffi::Py_TYPE(behind.as_ptr()) == &raw mut ffi::PyMethodDescr_Type };
    if !is_method {
        return Err(PyTypeError::new_err("expected a method of the binding"));
    }
    // SAFETY: a method descriptor, as was just seen; else as for a function.
    let method = unsafe {
        let definition = (*behind.as_ptr().cast::<ffi::PyMethodDescrObject>()).d_method;
        let definition = same_but(&*definition, enter_method::<M>);
        let made = ffi::PyDescr_NewMethod(class.as_type_ptr(), definition);
        Bound::from_owned_ptr_or_err(py, made)?
    };
    M::behind().get_or_init(py, || behind.unbind());
    class.setattr(M::NAME, method)
}

/// Runs what may drop references that are not bound. The binding counts such a drop at once only
/// while it knows that the thread is attached, which the doors of this file do not tell it: what is
/// dropped behind them would stay alive until somebody takes another way in.
pub fn attached<T>(py: Python<'_>, run: impl FnOnce() -> T) -> T {
    let _ = py;
    // SAFETY: `py` is the proof that the thread is attached.
    unsafe { Python::attach_unchecked(|_| run()) }
}

/// A definition that lives for ever, with the name and documentation of another.
fn same_but(
    definition: &ffi::PyMethodDef,
    enter: ffi::PyCFunctionFastWithKeywords,
) -> *mut ffi::PyMethodDef {
    Box::leak(Box::new(ffi::PyMethodDef {
        ml_name: definition.ml_name,
        ml_meth: ffi::PyMethodDefPointer {
            PyCFunctionFastWithKeywords: enter,
        },
        ml_flags: ffi::METH_FASTCALL | ffi::METH_KEYWORDS,
        ml_doc: definition.ml_doc,
    }))
}

/// # Safety
/// Called by the interpreter as METH_FASTCALL | METH_KEYWORDS says: `count` arguments, then one for
/// each name in `names`, which is NULL or a tuple of str.
unsafe extern "C" fn enter_function<F: DirectFunction>(
    _module: *mut ffi::PyObject,
    arguments: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    if count == 1 && names.is_null() {
        return guarded(|| {
            // SAFETY: the interpreter calls with the thread attached, and the argument is alive
            // for the time of the call.
            F::call(&unsafe { argument(Python::assume_attached(), *arguments) })
        });
    }
    if F::TWO && count == 2 && names.is_null() {
        return guarded(|| {
            // SAFETY: as above; both arguments are alive for the time of the call.
            let (first, second) = unsafe {
                let py = Python::assume_attached();
                (argument(py, *arguments), argument(py, *arguments.add(1)))
            };
            F::call_two(&first, &second)
        });
    }
    // SAFETY: attached, as above.
    let behind = F::behind().get(unsafe { Python::assume_attached() });
    let behind = behind.map_or(ptr::null_mut(), Py::as_ptr);
    // SAFETY: the arguments are passed on as they came, to a function that is kept for ever: it was
    // put behind this one before anybody could call this one.
    unsafe { ffi::PyObject_Vectorcall(behind, arguments, count as usize, names) }
}

/// # Safety
/// As for [`enter_function`]; `owner` is an instance of the class.
unsafe extern "C" fn enter_method<M: DirectMethod>(
    owner: *mut ffi::PyObject,
    arguments: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: the interpreter calls with the thread attached.
    let py = unsafe { Python::assume_attached() };
    if count == 1 && names.is_null() {
        return guarded(|| {
            // SAFETY: owner and argument are alive for the time of the call, and the descriptor
            // has seen to the class of the owner.
            let (owner, given) = unsafe { (argument(py, owner), argument(py, *arguments)) };
            // SAFETY: as above.
            M::call(unsafe { owner.cast_unchecked::<M::Owner>() }.get(), &given)
        });
    }
    let behind = M::behind().get(py).map_or(ptr::null_mut(), Py::as_ptr);
    // SAFETY: NULL or a tuple of as many names as there are arguments behind the first `count`.
    // The owner goes first, the others as they came, to a descriptor that is kept for ever.
    unsafe {
        let named = if names.is_null() {
            0
        } else {
            ffi::PyTuple_GET_SIZE(names)
        };
        let all = count.max(0) as usize + named.max(0) as usize;
        let mut passed = Vec::with_capacity(1 + all);
        passed.push(owner);
        passed.extend((0..all).map(|place| *arguments.add(place)));
        ffi::PyObject_Vectorcall(behind, passed.as_ptr(), 1 + count as usize, names)
    }
}

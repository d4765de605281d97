//! Making Python numbers and the constants.

use octad_core::source::Int;
use pyo3::ffi;
use pyo3::prelude::*;

use super::Obj;

/// An int. None: no memory, an exception is set.
#[inline]
pub fn int(_py: Python<'_>, value: i64) -> Option<Obj> {
    // SAFETY: attached (`_py`); a new reference or NULL.
    unsafe { Obj::from_new(ffi::PyLong_FromLongLong(value)) }
}

/// An int of any size. Digits are passed on as text: CPython converts them.
///
/// # Errors
/// No memory; `ValueError` beyond CPython's own limit on digits.
pub fn any_int(py: Python<'_>, value: Int<'_>) -> PyResult<Obj> {
    match value {
        Int::I64(value) => Obj::or_raised(py, int(py, value)),
        Int::U64(value) => {
            // SAFETY: attached (`py`); a new reference or NULL.
            unsafe { Obj::from_new(ffi::PyLong_FromUnsignedLongLong(value)) }
                .ok_or_else(|| PyErr::fetch(py))
        }
        Int::Big(digits) => big_int(py, &digits),
    }
}

/// An int of many digits. CPython's own reader refuses beyond a limit that is not ours, so the
/// digits become bytes here: 19 at a time into 64-bit limbs. Quadratic, hence `Limits.digits`.
fn big_int(py: Python<'_>, text: &str) -> PyResult<Obj> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let mut limbs: Vec<u64> = Vec::with_capacity(digits.len() / 19 + 1);
    let first = digits.len() % 19;
    let mut push = |chunk: &str| {
        let mut carry = chunk.parse::<u64>().unwrap_or(0) as u128;
        let scale = u128::from(10_u64.pow(chunk.len() as u32));
        for limb in &mut limbs {
            carry += u128::from(*limb) * scale;
            *limb = carry as u64;
            carry >>= 64;
        }
        if carry > 0 {
            limbs.push(carry as u64);
        }
    };
    if first > 0 {
        push(&digits[..first]);
    }
    for chunk in digits.as_bytes()[first..].chunks(19) {
        push(core::str::from_utf8(chunk).unwrap_or("0"));
    }
    let bytes: Vec<u8> = limbs.iter().flat_map(|limb| limb.to_le_bytes()).collect();
    let int = py.get_type::<pyo3::types::PyInt>();
    let value = int.call_method1(
        "from_bytes",
        (pyo3::types::PyBytes::new(py, &bytes), "little"),
    )?;
    let value = if text.starts_with('-') {
        value.neg()?
    } else {
        value
    };
    Ok(Obj::from_bound(&value))
}

/// A float. None: no memory, an exception is set.
#[inline]
pub fn float(_py: Python<'_>, value: f64) -> Option<Obj> {
    // SAFETY: attached (`_py`); a new reference or NULL.
    unsafe { Obj::from_new(ffi::PyFloat_FromDouble(value)) }
}

/// None.
#[inline]
#[must_use]
pub fn none(_py: Python<'_>) -> Obj {
    // SAFETY: attached (`_py`); None lives as long as the interpreter.
    unsafe { Obj::from_borrowed(ffi::Py_None()) }
}

/// True or False.
#[inline]
#[must_use]
pub fn bool(_py: Python<'_>, value: bool) -> Obj {
    // SAFETY: attached (`_py`); both live as long as the interpreter.
    unsafe {
        Obj::from_borrowed(if value {
            ffi::Py_True()
        } else {
            ffi::Py_False()
        })
    }
}

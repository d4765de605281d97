//! JSON Pointer (RFC 6901) over a document of any format.

use crate::doc::{Document, ValueKind, ValueRef};
use crate::error::{Error, ErrorCode, quote};

/// The value that `pointer` names, from `start` on.
///
/// # Errors
/// `invalid-pointer` for a pointer that breaks the grammar; `not-found` with the part that led
/// nowhere.
pub fn resolve<'d>(start: ValueRef<'d>, pointer: &str) -> Result<ValueRef<'d>, Error> {
    let mut value = start;
    if pointer.is_empty() {
        return Ok(value);
    }
    if !pointer.starts_with('/') {
        return Err(invalid(pointer));
    }
    let mut read = 0;
    for step in pointer[1..].split('/') {
        read += 1 + step.len();
        let name = unescape(step).ok_or_else(|| invalid(pointer))?;
        let found = match value.kind() {
            ValueKind::Object => value.get(name.as_bytes()),
            ValueKind::Array => index(&name).and_then(|index| value.element(index)),
            _ => None,
        };
        value = found.ok_or_else(|| {
            Error::new(ErrorCode::NotFound)
                .with("pointer", quote(&pointer.as_bytes()[..read]))
                .with_path(value.path())
        })?;
    }
    Ok(value)
}

/// The value that `pointer` names in a document.
///
/// # Errors
/// As [`resolve`].
pub fn at<'d>(document: &'d Document, pointer: &str) -> Result<ValueRef<'d>, Error> {
    resolve(document.root(), pointer)
}

#[cold]
fn invalid(pointer: &str) -> Error {
    Error::new(ErrorCode::InvalidPointer).with("pointer", quote(pointer.as_bytes()))
}

/// `~1` is a slash, `~0` a tilde; any other tilde is an error (section 3).
fn unescape(step: &str) -> Option<std::borrow::Cow<'_, str>> {
    if !step.contains('~') {
        return Some(step.into());
    }
    let mut name = String::with_capacity(step.len());
    let mut chars = step.chars();
    while let Some(ch) = chars.next() {
        name.push(match ch {
            '~' => match chars.next() {
                Some('0') => '~',
                Some('1') => '/',
                _ => return None,
            },
            ch => ch,
        });
    }
    Some(name.into())
}

/// An array index: digits without leading zeros (section 4).
fn index(step: &str) -> Option<usize> {
    let digits = step.bytes().all(|byte| byte.is_ascii_digit());
    if !digits || step.is_empty() || (step.len() > 1 && step.starts_with('0')) {
        return None;
    }
    step.parse().ok()
}

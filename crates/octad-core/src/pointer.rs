//! JSON Pointer (RFC 6901) over a document of any format.

use crate::doc::{Document, ValueKind, ValueRef};
use crate::error::{Error, ErrorCode, quote};

/// The value that `pointer` names, from `start` on.
///
/// # Errors
/// `invalid-pointer` for a pointer that breaks the grammar; `not-found` with the path of the
/// value at which it led no further.
pub fn resolve<'d>(start: ValueRef<'d>, pointer: &str) -> Result<ValueRef<'d>, Error> {
    let mut value = start;
    if pointer.is_empty() {
        return Ok(value);
    }
    if !pointer.starts_with('/') {
        return Err(invalid(pointer));
    }
    for step in pointer[1..].split('/') {
        let name = unescape(step).ok_or_else(|| invalid(pointer))?;
        let found = match value.kind() {
            ValueKind::Object => value.get(name.as_bytes()),
            ValueKind::Array => index(&name).and_then(|index| value.element(index)),
            _ => None,
        };
        value = found.ok_or_else(|| {
            Error::new(ErrorCode::NotFound)
                .with("pointer", quote(pointer.as_bytes()))
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::at;
    use crate::doc::Document;
    use crate::formats::{AnyOptions, json};

    fn document() -> Document {
        let text = r#"{"a": [10, {"b": null}], "": 1, "m~n": 2, "x/y": 3, "~1": 4, "7": {"0": 5}}"#;
        let options = AnyOptions::Json(json::ReadOptions::default());
        Document::parse(Arc::new(text), true, options).expect("a valid text")
    }

    #[test]
    fn steps_are_keys_and_indexes() {
        let doc = document();
        for (pointer, raw) in [
            ("/a", r#"[10, {"b": null}]"#),
            ("/a/0", "10"),
            ("/a/1/b", "null"),
            ("/", "1"),
            ("/m~0n", "2"),
            ("/x~1y", "3"),
            ("/~01", "4"),
            ("/7/0", "5"),
        ] {
            let value = at(&doc, pointer).expect(pointer);
            assert_eq!(value.raw(), raw.as_bytes(), "{pointer}");
            assert_eq!(value.path().pointer(), pointer);
        }
        assert_eq!(at(&doc, "").expect("the root").id(), doc.root().id());
    }

    #[test]
    fn what_leads_nowhere_is_told_from_what_is_no_pointer() {
        let doc = document();
        for pointer in [
            "/b",
            "/a/2",
            "/a/-",
            "/a/-1",
            "/a/01",
            "/a/+1",
            "/a/b",
            "/a/0/0",
            "//",
            "/a/",
            "/a/99999999999999999999999",
        ] {
            let error = at(&doc, pointer).map(|_| ()).unwrap_err();
            assert_eq!(error.code().name(), "not-found", "{pointer}");
            assert!(error.message(true).contains(pointer), "{pointer}");
        }
        for pointer in ["a", "#/a", "/~", "/a~", "/~2", "/m~n"] {
            let error = at(&doc, pointer).map(|_| ()).unwrap_err();
            assert_eq!(error.code().name(), "invalid-pointer", "{pointer}");
        }
        let error = at(&doc, "/a/1/c/d").map(|_| ()).unwrap_err();
        assert_eq!(error.path().pointer(), "/a/1");
    }
}

//! Byte strings, in the form that the field, the call or the type of the field gives them.

use octad_core::error::ErrorCode;
use octad_core::formats::json::BytesPolicy;
use octad_core::sink::{Chars, Sink};
use octad_core::text::base64::{self, Alphabet};
use pyo3::prelude::*;

use super::asked;
use super::fault::{Outcome, error, type_name};
use super::frames::Frame;
use super::walk::Walk;
use crate::cpython::Obj;

impl<S: Sink + Send> Walk<'_, '_, S> {
    /// Bytes of any kind.
    pub(super) fn write_bytes(&mut self, object: &Obj) -> Outcome {
        let py = self.quiet.noisy();
        let own = self.context.as_deref().and_then(|context| context.bytes);
        if let Some(bytes) = object.item().bytes() {
            self.put_bytes(bytes, own);
        } else {
            // A copy: the buffer of another kind may change or move under us.
            let copy = py
                .get_type::<pyo3::types::PyBytes>()
                .call1((object.bind(py),))?;
            if let Some(bytes) = Obj::take(copy).item().bytes() {
                self.put_bytes(bytes, own);
            }
        }
        match self.sink.take_error() {
            Some(failure) if failure.code() == ErrorCode::BytesNotAllowed => {
                if self.type_says_bytes()? {
                    return self.write_bytes_as(object, BytesPolicy::Base64);
                }
                let name = type_name(object.bind(self.quiet.noisy()));
                Err(error(ErrorCode::BytesNotAllowed).with("type", name).into())
            }
            Some(failure) => Err(failure.into()),
            None => Ok(()),
        }
    }

    fn write_bytes_as(&mut self, object: &Obj, policy: BytesPolicy) -> Outcome {
        let copy = object.bind(self.quiet.noisy()).extract::<Vec<u8>>()?;
        self.put_bytes(&copy, Some(policy));
        self.check()
    }

    fn put_bytes(&mut self, bytes: &[u8], policy: Option<BytesPolicy>) {
        let mut text = Vec::new();
        match policy {
            None | Some(BytesPolicy::Error) => return self.sink.bytes(bytes),
            Some(BytesPolicy::Base64) => base64::encode(bytes, Alphabet::Standard, true, &mut text),
            Some(BytesPolicy::Base64Url) => base64::encode(bytes, Alphabet::Url, false, &mut text),
            Some(BytesPolicy::Hex) => base64::encode_hex(bytes, &mut text),
            Some(BytesPolicy::Array) => {
                self.sink.begin_list(Some(bytes.len()));
                for byte in bytes {
                    self.sink.i64(i64::from(*byte));
                }
                return self.sink.end_list();
            }
        }
        self.sink.text(Chars::Ascii(&text));
    }

    /// Whether the field that is being written is declared to have bytes: a typed reader of the
    /// text will know what it is.
    fn type_says_bytes(&mut self) -> Outcome<bool> {
        let found = self.frames.iter().rev().find_map(|frame| match frame {
            Frame::Record(frame) => {
                let at = frame.next.checked_sub(1)?;
                Some((frame.owner.clone(), frame.plan.clone(), at))
            }
            Frame::Shaped(frame) => frame.field(),
            _ => None,
        });
        let Some((owner, plan, at)) = found else {
            return Ok(false);
        };
        if plan.says_bytes.get().is_none() {
            let py = self.quiet.noisy();
            let class = owner.bind(py).get_type();
            let mut says = Vec::with_capacity(plan.fields.len());
            for name in plan.fields.names() {
                says.push(asked::bytes_form(&class, &name.bind(py).to_string_lossy())?);
            }
            let _ = plan.says_bytes.set(says.into());
        }
        let says = plan.says_bytes.get().and_then(|says| says.get(at));
        Ok(says.copied().unwrap_or(false))
    }
}

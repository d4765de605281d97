//! Diagnostic notation (RFC 8949 section 8): CBOR as text that people read.
//!
//! Walks the bytes themselves, so it shows what is there: indefinite lengths, chunks, tags, and on
//! request how wide each head is. Big numbers are shown as numbers. Works with an explicit stack.

use crate::error::{Error, ErrorCode, KEY, Result, push_visible};
use crate::limits::Limits;
use crate::tape::Tape;
use crate::text::float::write_repr;

use super::half::{Float, half_to_double, shortest, single_to_double};
use super::head::{
    ARRAY, BREAK, BYTES, Head, MAP, NEGATIVE, TAG, TEXT, UNSIGNED, chunks, content, head,
};
use super::options::{ReadOptions, Tags, Trailing};
use super::parse::parse;
use super::whole::{TAG_NEGATIVE, TAG_POSITIVE, whole};

/// Choices of the notation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DiagOptions {
    /// Show how wide heads and floats are where they are wider than they need to be, as `1_1`.
    pub widths: bool,
}

/// The notation of one item, or of all items of a sequence.
///
/// # Errors
/// A syntax error where it is no CBOR.
pub fn diag(input: &[u8], options: &DiagOptions) -> Result<String> {
    let checked = ReadOptions {
        tags: Tags::Kept,
        trailing: Trailing::Sequence,
        limits: Limits {
            depth: Limits::MAX_DEPTH,
            ..Limits::default()
        },
        ..ReadOptions::default()
    };
    parse(input, &checked, &mut Tape::default())?;
    if input.is_empty() {
        return Err(Error::at(ErrorCode::EmptyInput, 0));
    }
    let mut text = String::with_capacity(input.len() * 2);
    let mut pos = 0;
    while pos < input.len() {
        if pos > 0 {
            text.push_str(", ");
        }
        pos = write(input, pos, options, usize::MAX, &mut text);
    }
    Ok(text)
}

/// A key for a path: a text as it is, anything else in diagnostic notation, cut where it is long.
#[must_use]
pub fn key_text(input: &[u8], at: usize) -> String {
    if let Some(content) = content(input, at, TEXT) {
        let mut scratch = Vec::new();
        return String::from_utf8_lossy(content.bytes(input, &mut scratch)).into_owned();
    }
    let mut text = String::new();
    // A step of a path is cut there, with a sign that there was more.
    write(input, at, &DiagOptions::default(), KEY * 4 + 1, &mut text);
    text
}

/// What is open around the next item.
struct Open {
    /// Items that are due.
    left: u64,
    streamed: bool,
    map: bool,
    /// Items that are written.
    done: u64,
    close: char,
}

/// Writes the item at `pos`, which is well-formed, until the text has `most` bytes; returns the
/// offset after it.
fn write(
    input: &[u8],
    mut pos: usize,
    options: &DiagOptions,
    most: usize,
    text: &mut String,
) -> usize {
    let mut open: Vec<Open> = Vec::new();
    loop {
        if let Some(last) = open.last() {
            if last.streamed && input.get(pos) == Some(&BREAK) {
                pos += 1;
                if last.done == 0 {
                    text.push(' ');
                }
                text.push(last.close);
                open.pop();
                finish(&mut open, text);
                if open.is_empty() {
                    return pos;
                }
                continue;
            }
            if last.done > 0 {
                text.push_str(if last.map && last.done % 2 == 1 {
                    ": "
                } else {
                    ", "
                });
            } else if last.streamed {
                text.push(' ');
            }
        }
        let Ok(head) = head(input, pos) else {
            return input.len();
        };
        if text.len() > most {
            return input.len();
        }
        let after = pos + usize::from(head.size);
        match head.major {
            UNSIGNED => {
                text.push_str(&head.value.to_string());
                width(head, options, text);
                pos = after;
            }
            NEGATIVE => {
                text.push_str(&(-1 - i128::from(head.value)).to_string());
                width(head, options, text);
                pos = after;
            }
            BYTES | TEXT => pos = string(input, pos, head, options, most, text),
            ARRAY | MAP => {
                let map = head.major == MAP;
                text.push(if map { '{' } else { '[' });
                let wide = text.len();
                if head.is_open() {
                    text.push('_');
                } else {
                    width(head, options, text);
                }
                if text.len() > wide && !head.is_open() {
                    text.push(' ');
                }
                pos = after;
                open.push(Open {
                    left: if map {
                        head.value.saturating_mul(2)
                    } else {
                        head.value
                    },
                    streamed: head.is_open(),
                    map,
                    done: 0,
                    close: if map { '}' } else { ']' },
                });
                if head.is_open() || head.value > 0 {
                    continue;
                }
                text.push(if map { '}' } else { ']' });
                open.pop();
            }
            TAG => match number(input, pos, head, options) {
                Some((digits, end)) => {
                    text.push_str(&digits);
                    pos = end;
                }
                None => {
                    text.push_str(&head.value.to_string());
                    width(head, options, text);
                    text.push('(');
                    pos = after;
                    open.push(Open {
                        left: 1,
                        streamed: false,
                        map: false,
                        done: 0,
                        close: ')',
                    });
                    continue;
                }
            },
            _ => {
                other(head, options, text);
                pos = after;
            }
        }
        finish(&mut open, text);
        if open.is_empty() {
            return pos;
        }
    }
}

/// Counts an item, and closes what is complete with it.
fn finish(open: &mut Vec<Open>, text: &mut String) {
    while let Some(last) = open.last_mut() {
        last.done += 1;
        if last.streamed || last.done < last.left {
            return;
        }
        text.push(last.close);
        open.pop();
    }
}

/// How wide a head is, where that is more than its argument needs.
fn width(head: Head, options: &DiagOptions, text: &mut String) {
    if options.widths && !head.is_preferred() {
        text.push('_');
        text.push(char::from(b'0' + (head.info - 24)));
    }
}

/// The digits of the big number whose tag is at `pos`, and the offset after it. None where the
/// notation of a number would hide how it is written.
fn number(input: &[u8], pos: usize, head: Head, options: &DiagOptions) -> Option<(String, usize)> {
    if !matches!(head.value, TAG_POSITIVE | TAG_NEGATIVE) {
        return None;
    }
    let content = content(input, pos + usize::from(head.size), BYTES)?;
    let plain = !content.chunked
        && content.range.len() > 8
        && input.get(content.range.start) != Some(&0)
        && head.is_preferred();
    if options.widths && !plain {
        return None;
    }
    let (value, end) = whole(input, pos)?;
    let most = Limits::default().digits? as usize;
    (value.digit_count() <= most).then(|| (value.digits(), end))
}

/// A text or byte string; returns the offset after it.
fn string(
    input: &[u8],
    pos: usize,
    head: Head,
    options: &DiagOptions,
    most: usize,
    text: &mut String,
) -> usize {
    let Some(content) = content(input, pos, head.major) else {
        return input.len();
    };
    let bytes = &input[content.range.clone()];
    let one = |bytes: &[u8], text: &mut String| {
        // Of one that will be cut anyway, not all is made.
        let shown = &bytes[..bytes.len().min(most)];
        if head.major == TEXT {
            quote(shown, text);
        } else {
            text.push_str("h'");
            for byte in shown {
                text.push_str(&format!("{byte:02x}"));
            }
            text.push('\'');
        }
    };
    if !content.chunked {
        one(bytes, text);
        width(head, options, text);
    } else if bytes.is_empty() {
        text.push_str(if head.major == TEXT { "\"\"_" } else { "''_" });
    } else {
        text.push_str("(_ ");
        let mut at = content.range.start;
        for (place, chunk) in chunks(bytes).enumerate() {
            if place > 0 {
                text.push_str(", ");
            }
            one(chunk, text);
            if let Ok(head) = self::head(input, at) {
                width(head, options, text);
                at += usize::from(head.size) + chunk.len();
            }
        }
        text.push(')');
    }
    content.end
}

fn quote(bytes: &[u8], text: &mut String) {
    text.push('"');
    for ch in String::from_utf8_lossy(bytes).chars() {
        match ch {
            '"' | '\\' => {
                text.push('\\');
                text.push(ch);
            }
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            _ => push_visible(text, ch),
        }
    }
    text.push('"');
}

/// A float or simple value.
fn other(head: Head, options: &DiagOptions, text: &mut String) {
    let bits = match head.info {
        25 => half_to_double(head.value as u16),
        26 => single_to_double(head.value as u32),
        27 => head.value,
        _ => {
            match head.value {
                20 => text.push_str("false"),
                21 => text.push_str("true"),
                22 => text.push_str("null"),
                23 => text.push_str("undefined"),
                number => text.push_str(&format!("simple({number})")),
            }
            return;
        }
    };
    let value = f64::from_bits(bits);
    let narrow = shortest(bits);
    if value.is_nan() {
        // Which of the many it is.
        match narrow {
            Float::Half(0x7E00) => text.push_str("NaN"),
            Float::Half(bits) => text.push_str(&format!("float'{bits:04x}'")),
            Float::Single(bits) => text.push_str(&format!("float'{bits:08x}'")),
            Float::Double(bits) => text.push_str(&format!("float'{bits:016x}'")),
        }
    } else if value.is_infinite() {
        text.push_str(if value > 0.0 { "Infinity" } else { "-Infinity" });
    } else {
        let mut digits = Vec::new();
        write_repr(value, &mut digits);
        text.push_str(&String::from_utf8_lossy(&digits));
    }
    let least = match narrow {
        Float::Half(_) => 25,
        Float::Single(_) => 26,
        Float::Double(_) => 27,
    };
    if options.widths && head.info > least {
        text.push('_');
        text.push(char::from(b'0' + (head.info - 24)));
    }
}

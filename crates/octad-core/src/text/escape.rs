//! The escapes inside JSON strings, read and written.
//!
//! Knows one string's inside, which the scanner has already found to be UTF-8 without control
//! characters. Lone surrogates have no UTF-8: where they are kept, they are written in three bytes
//! as if they had one (WTF-8), and only a caller that asked for it gets such bytes.

use crate::scan::{EscapeSet, Output, copy_until_escape};

/// What becomes of a `\u` escape for half of a surrogate pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Surrogates {
    /// An error.
    #[default]
    Error,
    /// U+FFFD stands in for it.
    Replace,
    /// Its three bytes of WTF-8.
    Keep,
}

/// What is wrong with an escape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EscapeFault {
    /// No such escape.
    BadEscape,
    /// `\u` without four hexadecimal digits.
    BadUnicode,
    /// Half of a surrogate pair.
    LoneSurrogate,
}

/// A fault and the offset of its backslash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EscapeError {
    /// The offset of the backslash.
    pub at: usize,
    /// What is wrong.
    pub kind: EscapeFault,
}

/// What stands for the byte after a backslash; 0 for no escape, `u` for the long ones.
static SHORT: [u8; 256] = {
    let mut table = [0; 256];
    table[b'"' as usize] = b'"';
    table[b'\\' as usize] = b'\\';
    table[b'/' as usize] = b'/';
    table[b'b' as usize] = 0x08;
    table[b'f' as usize] = 0x0c;
    table[b'n' as usize] = b'\n';
    table[b'r' as usize] = b'\r';
    table[b't' as usize] = b'\t';
    table[b'u' as usize] = b'u';
    table
};

/// The value of each hexadecimal digit; 0xff for other bytes.
static HEX: [u8; 256] = {
    let mut table = [0xff; 256];
    let mut value = 0;
    while value < 16 {
        table[b"0123456789abcdef"[value] as usize] = value as u8;
        table[b"0123456789ABCDEF"[value] as usize] = value as u8;
        value += 1;
    }
    table
};

/// Where unescaped text goes.
trait Receiver {
    /// Takes bytes, never beyond the next backslash; returns how many.
    fn run(&mut self, rest: &[u8]) -> usize;
    fn byte(&mut self, byte: u8);
    fn character(&mut self, code: u32);
}

impl Receiver for Vec<u8> {
    #[inline(always)]
    fn run(&mut self, rest: &[u8]) -> usize {
        copy_until_escape(rest, self, EscapeSet::Minimal)
    }

    #[inline(always)]
    fn byte(&mut self, byte: u8) {
        self.push(byte);
    }

    #[inline(always)]
    fn character(&mut self, code: u32) {
        push_wtf8(code, self);
    }
}

/// Receives nothing: the text is only checked.
struct Check;

impl Receiver for Check {
    #[inline(always)]
    fn run(&mut self, rest: &[u8]) -> usize {
        memchr::memchr(b'\\', rest).unwrap_or(rest.len())
    }

    #[inline(always)]
    fn byte(&mut self, _: u8) {}

    #[inline(always)]
    fn character(&mut self, _: u32) {}
}

/// Appends what the inside of a JSON string stands for. On an error the text before it is left.
pub fn unescape_json(
    raw: &[u8],
    out: &mut Vec<u8>,
    surrogates: Surrogates,
) -> Result<(), EscapeError> {
    // No escape stands for more bytes than it has; the rest is what a run may ask for at its end.
    out.reserve(raw.len() + 16);
    unescape(raw, out, surrogates)
}

/// Checks the escapes inside a JSON string.
pub fn check_json(raw: &[u8], surrogates: Surrogates) -> Result<(), EscapeError> {
    unescape(raw, &mut Check, surrogates)
}

#[inline(always)]
fn unescape(
    raw: &[u8],
    out: &mut impl Receiver,
    surrogates: Surrogates,
) -> Result<(), EscapeError> {
    let mut at = 0;
    loop {
        // Escapes often come in a row.
        if raw.get(at) != Some(&b'\\') {
            let rest = raw.get(at..).unwrap_or_default();
            at += out.run(rest);
            match raw.get(at) {
                None => return Ok(()),
                Some(b'\\') => {}
                Some(&byte) => {
                    // A JSON string has nothing else where a run stops; other formats may.
                    out.byte(byte);
                    at += 1;
                    continue;
                }
            }
        }
        let letter = raw.get(at + 1).copied().unwrap_or(0);
        match SHORT[usize::from(letter)] {
            0 => {
                return Err(EscapeError {
                    at,
                    kind: EscapeFault::BadEscape,
                });
            }
            b'u' => {
                let Some(unit) = unit_at(raw, at) else {
                    return Err(EscapeError {
                        at,
                        kind: EscapeFault::BadUnicode,
                    });
                };
                let (code, len) = match unit {
                    0xd800..=0xdfff => match (pair(raw, at, unit), surrogates) {
                        (Some(code), _) => (code, 12),
                        (None, Surrogates::Keep) => (unit, 6),
                        (None, Surrogates::Replace) => (0xfffd, 6),
                        (None, Surrogates::Error) => {
                            return Err(EscapeError {
                                at,
                                kind: EscapeFault::LoneSurrogate,
                            });
                        }
                    },
                    _ => (unit, 6),
                };
                out.character(code);
                at += len;
            }
            byte => {
                out.byte(byte);
                at += 2;
            }
        }
    }
}

/// The number in the `\u` escape at the offset of its backslash.
#[inline(always)]
fn unit_at(raw: &[u8], at: usize) -> Option<u32> {
    let [b'\\', b'u', a, b, c, d] = *raw.get(at..)?.first_chunk::<6>()? else {
        return None;
    };
    let [a, b, c, d] = [a, b, c, d].map(|digit| u32::from(HEX[usize::from(digit)]));
    if a | b | c | d > 0x0f {
        None
    } else {
        Some(a << 12 | b << 8 | c << 4 | d)
    }
}

/// The character of a surrogate pair whose first half was read at the offset.
fn pair(raw: &[u8], at: usize, high: u32) -> Option<u32> {
    let low = unit_at(raw, at + 6).filter(|low| (0xdc00..=0xdfff).contains(low))?;
    if high < 0xdc00 {
        Some(0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00))
    } else {
        None
    }
}

/// Appends a character as UTF-8, a surrogate as WTF-8.
#[inline(always)]
fn push_wtf8(code: u32, out: &mut impl Output) {
    let tail = |shift: u32| 0x80 | (code >> shift & 0x3f) as u8;
    match code {
        0..0x80 => out.push(code as u8),
        0x80..0x800 => out.extend_from_slice(&[0xc0 | (code >> 6) as u8, tail(0)]),
        0x800..0x1_0000 => {
            out.extend_from_slice(&[0xe0 | (code >> 12) as u8, tail(6), tail(0)]);
        }
        _ => out.extend_from_slice(&[0xf0 | (code >> 18) as u8, tail(12), tail(6), tail(0)]),
    }
}

/// Appends one character as a JSON string with this set holds it: escaped if the set demands it,
/// else as it is. Surrogates are always escaped.
pub fn write_escape(code: u32, out: &mut impl Output, set: EscapeSet) {
    let letter = match code {
        0x22 => b'"',
        0x5c => b'\\',
        0x08 => b'b',
        0x0c => b'f',
        0x0a => b'n',
        0x0d => b'r',
        0x09 => b't',
        _ => {
            let escaped = match code {
                0..0x20 | 0xd800..=0xdfff => true,
                _ => match set {
                    EscapeSet::Minimal => false,
                    EscapeSet::Ascii => code >= 0x7f,
                    EscapeSet::Html => {
                        matches!(code, 0x3c | 0x3e | 0x26 | 0x27 | 0x2028 | 0x2029)
                    }
                },
            };
            return match code {
                _ if !escaped => push_wtf8(code, out),
                0..0x1_0000 => write_unit(code, out),
                _ => {
                    let beyond = code - 0x1_0000;
                    write_unit(0xd800 | (beyond >> 10 & 0x3ff), out);
                    write_unit(0xdc00 | (beyond & 0x3ff), out);
                }
            };
        }
    };
    out.extend_from_slice(&[b'\\', letter]);
}

fn write_unit(unit: u32, out: &mut impl Output) {
    let digit = |shift: u32| b"0123456789abcdef"[(unit >> shift & 0x0f) as usize];
    out.extend_from_slice(&[b'\\', b'u', digit(12), digit(8), digit(4), digit(0)]);
}

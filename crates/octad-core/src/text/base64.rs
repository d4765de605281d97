//! Bytes as text: base64 in both alphabets of RFC 4648, and hexadecimal.
//!
//! Knows no format. Decoding is strict: no blanks, no stray characters, no bits left over, so that
//! each value has one spelling only.

use crate::scan::Output;

/// The two alphabets of RFC 4648.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alphabet {
    /// With `+` and `/` (section 4).
    Standard,
    /// With `-` and `_`, fit for addresses and file names (section 5).
    Url,
}

const STANDARD: [u8; 64] = *b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const URL: [u8; 64] = *b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const HEX: [u8; 16] = *b"0123456789abcdef";

/// Stands for a byte outside the alphabet.
const NONE: u8 = 0xff;

static STANDARD_VALUES: [u8; 256] = values(&STANDARD);
static URL_VALUES: [u8; 256] = values(&URL);

const fn values(letters: &[u8; 64]) -> [u8; 256] {
    let mut values = [NONE; 256];
    let mut at = 0;
    while at < 64 {
        values[letters[at] as usize] = at as u8;
        at += 1;
    }
    values
}

/// Appends bytes as base64, with or without `=` to fill up the last group.
pub fn encode(bytes: &[u8], alphabet: Alphabet, padding: bool, out: &mut impl Output) {
    let letters = match alphabet {
        Alphabet::Standard => &STANDARD,
        Alphabet::Url => &URL,
    };
    let letter = |bits: u32| letters[(bits & 0x3f) as usize];
    let (groups, rest) = bytes.as_chunks::<3>();
    for &[a, b, c] in groups {
        let bits = u32::from_be_bytes([0, a, b, c]);
        out.extend_from_slice(&[
            letter(bits >> 18),
            letter(bits >> 12),
            letter(bits >> 6),
            letter(bits),
        ]);
    }
    match *rest {
        [a] => {
            let bits = u32::from(a) << 4;
            out.extend_from_slice(&[letter(bits >> 6), letter(bits)]);
        }
        [a, b] => {
            let bits = u32::from(a) << 10 | u32::from(b) << 2;
            out.extend_from_slice(&[letter(bits >> 12), letter(bits >> 6), letter(bits)]);
        }
        _ => return,
    }
    if padding {
        out.extend_from_slice(&b"=="[rest.len() - 1..]);
    }
}

/// Appends the bytes that a base64 text stands for. The standard alphabet needs its `=`; in the
/// other they may be left out. The error is the offset of the first byte that does not fit.
pub fn decode(text: &[u8], alphabet: Alphabet, out: &mut Vec<u8>) -> Result<(), usize> {
    let values = match alphabet {
        Alphabet::Standard => &STANDARD_VALUES,
        Alphabet::Url => &URL_VALUES,
    };
    let value = |byte: u8| values[usize::from(byte)];
    let bare = match text {
        [bare @ .., b'=', b'='] if text.len().is_multiple_of(4) => bare,
        [bare @ .., b'='] if text.len().is_multiple_of(4) => bare,
        _ if alphabet == Alphabet::Standard && !text.len().is_multiple_of(4) => {
            let stray = text.iter().position(|&byte| value(byte) == NONE);
            return Err(stray.unwrap_or(text.len()));
        }
        _ => text,
    };
    let (groups, rest) = bare.as_chunks::<4>();
    let start = out.len();
    out.resize(start + 3 * groups.len(), 0);
    let (places, _) = out[start..].as_chunks_mut::<3>();
    let mut bad = 0;
    for (place, group) in places.iter_mut().zip(groups) {
        let [a, b, c, d] = group.map(value);
        bad |= a | b | c | d;
        let bits = u32::from(a) << 18 | u32::from(b) << 12 | u32::from(c) << 6 | u32::from(d);
        let [_, x, y, z] = bits.to_be_bytes();
        *place = [x, y, z];
    }
    let fits = bad < 0x40
        && match *rest {
            [] => true,
            [a, b] => {
                let (a, b) = (value(a), value(b));
                out.push(a << 2 | b >> 4);
                a | b < 0x40 && b & 0x0f == 0
            }
            [a, b, c] => {
                let (a, b, c) = (value(a), value(b), value(c));
                out.extend_from_slice(&[a << 2 | b >> 4, b << 4 | c >> 2]);
                a | b | c < 0x40 && c & 0x03 == 0
            }
            _ => false,
        };
    if fits {
        return Ok(());
    }
    out.truncate(start);
    let stray = bare.iter().position(|&byte| value(byte) == NONE);
    // Without a stray byte it is the last that has bits left over.
    Err(stray.unwrap_or(bare.len().saturating_sub(1)))
}

/// Appends bytes as hexadecimal digits in lower case.
pub fn encode_hex(bytes: &[u8], out: &mut impl Output) {
    for byte in bytes {
        out.extend_from_slice(&[HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 0x0f)]]);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert_eq, proptest};

    use super::{Alphabet, decode, encode, encode_hex};

    fn encoded(bytes: &[u8], alphabet: Alphabet, padding: bool) -> String {
        let mut out = Vec::new();
        encode(bytes, alphabet, padding, &mut out);
        String::from_utf8(out).expect("ascii")
    }

    fn decoded(text: &str, alphabet: Alphabet) -> Result<Vec<u8>, usize> {
        let mut out = Vec::new();
        decode(text.as_bytes(), alphabet, &mut out).map(|()| out)
    }

    #[test]
    fn each_length_of_the_last_group_is_filled_up() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(encoded(bytes.as_bytes(), Alphabet::Standard, true), text);
            let bare = text.trim_end_matches('=');
            assert_eq!(encoded(bytes.as_bytes(), Alphabet::Url, false), bare);
            assert_eq!(decoded(text, Alphabet::Standard), Ok(bytes.into()));
            assert_eq!(decoded(text, Alphabet::Url), Ok(bytes.into()));
            assert_eq!(decoded(bare, Alphabet::Url), Ok(bytes.into()));
        }
        assert_eq!(encoded(b"\xfb\xff\xfe", Alphabet::Standard, true), "+//+");
        assert_eq!(encoded(b"\xfb\xff\xfe", Alphabet::Url, true), "-__-");
    }

    #[test]
    fn what_has_another_spelling_is_refused() {
        for (text, at) in [
            ("Zg", 2),
            ("Zg=", 2),
            ("Zh==", 1),
            ("Zm9=", 2),
            ("Z", 1),
            ("Zm9v=", 4),
            ("Zm=v", 2),
            ("====", 0),
            ("Zm 9", 2),
            ("Zm-9", 2),
            ("Zg==Zg==", 2),
            ("Zm9vYg==\n", 6),
        ] {
            assert_eq!(decoded(text, Alphabet::Standard), Err(at), "{text}");
        }
        assert_eq!(decoded("Zm9vY", Alphabet::Url), Err(4));
        assert_eq!(decoded("Zm/v", Alphabet::Url), Err(2));
    }

    #[test]
    fn hex_has_two_digits_for_each_byte() {
        let mut out = b"x".to_vec();
        encode_hex(b"\x00\x9a\xff", &mut out);
        assert_eq!(out, b"x009aff");
    }

    proptest! {
        #[test]
        fn any_bytes_go_there_and_back(bytes: Vec<u8>, padding: bool) {
            let text = encoded(&bytes, Alphabet::Url, padding);
            prop_assert_eq!(decoded(&text, Alphabet::Url), Ok(bytes.clone()));
            let text = encoded(&bytes, Alphabet::Standard, true);
            prop_assert_eq!(decoded(&text, Alphabet::Standard), Ok(bytes));
        }

        #[test]
        fn what_is_accepted_is_written_the_same(text in "[A-Da-d0-9+/]{0,10}={0,2}") {
            if let Ok(bytes) = decoded(&text, Alphabet::Standard) {
                prop_assert_eq!(encoded(&bytes, Alphabet::Standard, true), text);
            }
        }
    }
}

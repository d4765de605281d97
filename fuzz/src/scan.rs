//! The target `scan`: every byte kernel, at every level of this processor, agrees with a plain loop.
//!
//! The first byte of an input chooses how far into a block the rest begins, the second where the
//! search starts, so that all alignments and tails are met.

use octad_core::scan::{self, EscapeSet, Level, MaxChar, Width, at};

const SETS: [EscapeSet; 3] = [EscapeSet::Minimal, EscapeSet::Ascii, EscapeSet::Html];

/// Compares all kernels on one input.
pub fn run(data: &[u8]) {
    let [shift, start, rest @ ..] = data else {
        return;
    };
    let bytes = &rest[usize::from(*shift % 65).min(rest.len())..];
    let from = usize::from(*start).min(bytes.len());
    searches(bytes, from);
    copies(bytes);
    let text = String::from_utf8_lossy(bytes);
    widths(&text);
    checks(bytes);
}

fn is_special(byte: u8) -> bool {
    matches!(byte, b'"' | b'\\' | ..0x20)
}

fn needs_escape(byte: u8, set: EscapeSet) -> bool {
    is_special(byte)
        || match set {
            EscapeSet::Minimal => false,
            EscapeSet::Ascii => byte >= 0x7f,
            EscapeSet::Html => matches!(byte, b'<' | b'>' | b'&' | b'\'' | 0xe2),
        }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

fn find(bytes: &[u8], from: usize, wanted: impl Fn(u8) -> bool) -> usize {
    let rest = &bytes[from..];
    from + rest
        .iter()
        .position(|&byte| wanted(byte))
        .unwrap_or(rest.len())
}

fn searches(bytes: &[u8], from: usize) {
    let end = find(bytes, from, is_special);
    let string = (end, !bytes[from..end].is_ascii());
    let inked = find(bytes, from, |byte| !is_blank(byte));
    assert_eq!(scan::string_end(bytes, from), string);
    assert_eq!(scan::skip_blank(bytes, from), inked);
    for &level in scan::available() {
        assert_eq!(at::string_end(level, bytes, from), string, "{level:?}");
        assert_eq!(at::skip_blank(level, bytes, from), inked, "{level:?}");
    }
    for set in SETS {
        let stop = find(bytes, from, |byte| needs_escape(byte, set));
        assert_eq!(scan::escape_end(bytes, from, set), stop, "{set:?}");
        for &level in scan::available() {
            let found = at::escape_end(level, bytes, from, set);
            assert_eq!(found, stop, "{level:?} {set:?}");
        }
    }
    let lines = bytes.iter().filter(|&&byte| byte == b'\n').count();
    assert_eq!(scan::count_newlines(bytes), lines);
    assert_eq!(
        scan::last_newline(bytes),
        bytes.iter().rposition(|&byte| byte == b'\n')
    );
}

fn copies(bytes: &[u8]) {
    for set in SETS {
        let stop = find(bytes, 0, |byte| needs_escape(byte, set));
        let expect = |done: usize, out: &[u8], level: Option<Level>| {
            assert_eq!(done, stop, "{level:?} {set:?}");
            assert_eq!(
                out,
                [b"before", &bytes[..stop]].concat(),
                "{level:?} {set:?}"
            );
        };
        let mut out = b"before".to_vec();
        let done = scan::copy_until_escape(bytes, &mut out, set);
        expect(done, &out, None);
        for &level in scan::available() {
            let mut out = b"before".to_vec();
            let done = at::copy_until_escape(level, bytes, &mut out, set);
            expect(done, &out, Some(level));
        }
    }
}

fn widths(text: &str) {
    let highest = text.chars().max().unwrap_or_default();
    let width = Width {
        chars: text.chars().count(),
        max: match u32::from(highest) {
            0..0x80 => MaxChar::Ascii,
            0x80..0x100 => MaxChar::Latin1,
            0x100..0x1_0000 => MaxChar::Ucs2,
            0x1_0000.. => MaxChar::Ucs4,
        },
    };
    assert_eq!(scan::measure(text), width);
    for &level in scan::available() {
        assert_eq!(at::measure(level, text), width, "{level:?}");
    }
    units(text, width, MaxChar::Latin1, at::to_latin1, |units, out| {
        scan::latin1_to_utf8(units, out);
        Ok(())
    });
    units(text, width, MaxChar::Ucs2, at::to_ucs2, scan::ucs2_to_utf8);
    units(text, width, MaxChar::Ucs4, at::to_ucs4, scan::ucs4_to_utf8);
}

/// Text that fits a width goes there and back, at every level.
fn units<U: Copy + Default + TryFrom<u32> + PartialEq + core::fmt::Debug>(
    text: &str,
    width: Width,
    widest: MaxChar,
    forth: fn(Level, &str, &mut [U]),
    back: fn(&[U], &mut Vec<u8>) -> Result<(), usize>,
) {
    if width.max > widest {
        return;
    }
    let expected: Vec<U> = text
        .chars()
        .map(|char| {
            U::try_from(u32::from(char))
                .ok()
                .expect("the width was measured")
        })
        .collect();
    for &level in scan::available() {
        let mut units = vec![U::default(); width.chars];
        forth(level, text, &mut units);
        assert_eq!(units, expected, "{level:?}");
    }
    let mut out = Vec::new();
    assert_eq!(back(&expected, &mut out), Ok(()));
    assert_eq!(out, text.as_bytes());
}

fn checks(bytes: &[u8]) {
    let expected = core::str::from_utf8(bytes)
        .err()
        .map(|error| error.valid_up_to());
    assert_eq!(scan::utf8_error(bytes), expected);
    assert_eq!(scan::is_ascii(bytes), bytes.iter().all(|&byte| byte < 0x80));
}

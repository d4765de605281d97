//! Every kernel at every level against an obvious version, at all alignments and short lengths.

use core::mem::MaybeUninit;

use proptest::prelude::{any, prop_assert_eq, proptest};

use super::{
    EscapeSet, Level, MaxChar, ValidText, Width, at, available, copy_until_escape,
    copy_until_escape_latin1, copy_until_escape_ucs2, copy_until_escape_ucs4, count_newlines,
    escape_end, is_ascii, last_newline, latin1_to_utf8, level, measure, skip_blank, string_end,
    to_latin1, to_ucs2, to_ucs4, ucs2_to_utf8, ucs4_to_utf8, utf8_error,
};

const SETS: [EscapeSet; 3] = [EscapeSet::Minimal, EscapeSet::Ascii, EscapeSet::Html];

fn stops(byte: u8, set: EscapeSet) -> bool {
    byte < 0x20
        || byte == b'"'
        || byte == b'\\'
        || match set {
            EscapeSet::Minimal => false,
            EscapeSet::Ascii => byte >= 0x7f,
            EscapeSet::Html => b"<>&'\xe2".contains(&byte),
        }
}

fn obvious_end(bytes: &[u8], from: usize, stop: impl Fn(u8) -> bool) -> usize {
    (from..bytes.len())
        .find(|&at| stop(bytes[at]))
        .unwrap_or(bytes.len())
}

fn check_search(bytes: &[u8], from: usize) {
    let end = obvious_end(bytes, from, |byte| stops(byte, EscapeSet::Minimal));
    let high = bytes[from.min(end)..end].iter().any(|&byte| byte >= 0x80);
    let inked = obvious_end(bytes, from, |byte| !b" \t\n\r".contains(&byte));
    assert_eq!(
        string_end(bytes, from),
        (end, high),
        "{bytes:?} from {from}"
    );
    assert_eq!(skip_blank(bytes, from), inked, "{bytes:?} from {from}");
    for &level in available() {
        assert_eq!(
            at::string_end(level, bytes, from),
            (end, high),
            "{level:?} {bytes:?} {from}"
        );
        assert_eq!(
            at::skip_blank(level, bytes, from),
            inked,
            "{level:?} {bytes:?} {from}"
        );
    }
    for set in SETS {
        let end = obvious_end(bytes, from, |byte| stops(byte, set));
        assert_eq!(
            escape_end(bytes, from, set),
            end,
            "{set:?} {bytes:?} from {from}"
        );
        let rest = bytes.get(from..).unwrap_or_default();
        check_copy(rest, end.saturating_sub(from), set, None);
        for &level in available() {
            let found = at::escape_end(level, bytes, from, set);
            assert_eq!(found, end, "{level:?} {set:?} {bytes:?} from {from}");
            check_copy(rest, end.saturating_sub(from), set, Some(level));
        }
    }
}

fn check_copy(bytes: &[u8], end: usize, set: EscapeSet, level: Option<Level>) {
    let mut out = b"before".to_vec();
    let copied = match level {
        None => copy_until_escape(bytes, &mut out, set),
        Some(level) => at::copy_until_escape(level, bytes, &mut out, set),
    };
    assert_eq!(copied, end, "{level:?} {set:?} {bytes:?}");
    assert_eq!(&out[..6], b"before");
    assert_eq!(&out[6..], &bytes[..end], "{level:?} {set:?}");
}

/// A small generator (splitmix64), so that failures repeat.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }
}

#[test]
fn levels_are_ordered_and_the_chosen_one_is_available() {
    assert!(available().contains(&level()));
    assert!(available().contains(&Level::Plain));
    assert!(available().is_sorted());
}

#[test]
fn finds_each_byte_value_at_each_position() {
    for filler in [b'a', b' ', 0xc3] {
        for len in 0..131 {
            let mut bytes = vec![filler; len];
            check_search(&bytes, 0);
            for at in 0..len {
                // All values at the seams of blocks, the telling ones elsewhere.
                let seam = len == 70 || (len == 35 && at % 16 > 12);
                let telling = b"\x00\x09\x0a\x0d\x1f !\"#&'(;<=>\\\x7f\x80\xe2\xff";
                if seam && filler == b'a' {
                    for value in 0..=255 {
                        bytes[at] = value;
                        check_search(&bytes, 0);
                    }
                } else {
                    bytes[at] = telling[(at * 7 + len) % telling.len()];
                    check_search(&bytes, 0);
                }
                bytes[at] = filler;
            }
        }
    }
}

#[test]
fn finds_from_every_start_at_every_alignment() {
    let mut dice = Dice(1);
    for round in 0..200 {
        let plain = round % 2 == 0;
        let bytes: Vec<u8> = (0..dice.below(131) + 8)
            .map(|_| match dice.below(if plain { 40 } else { 4 }) {
                0 => dice.next() as u8,
                1 => b" \t\n\r\"\\<'\xe2\x7f"[dice.below(10)],
                2 => b' ',
                _ => b"abcdefgh, "[dice.below(10)],
            })
            .collect();
        for alignment in 0..8 {
            for from in 0..(bytes.len() - alignment).min(34) + 1 {
                check_search(&bytes[alignment..], from);
            }
        }
    }
}

#[test]
fn a_start_beyond_the_end_finds_the_end() {
    for bytes in [&b""[..], b"abc"] {
        check_search(bytes, bytes.len());
        assert_eq!(string_end(bytes, 9), (bytes.len(), false));
        assert_eq!(skip_blank(bytes, 9), bytes.len());
        assert_eq!(escape_end(bytes, 9, EscapeSet::Html), bytes.len());
    }
}

#[test]
fn long_runs_of_every_kind_are_skipped() {
    for len in [255, 4096, 16 * 255 + 3, 32 * 255 * 2 + 17] {
        let mut bytes = vec![b' '; len];
        bytes.push(b'"');
        check_search(&bytes, 0);
        let text = "é".repeat(len);
        check_text(&text);
        check_text(&"a".repeat(len));
        check_text(&"日本".repeat(len));
    }
}

// ---- UTF-8 ------------------------------------------------------------------------------------

#[test]
fn utf8_error_is_the_start_of_the_first_ill_formed_sequence() {
    for (bytes, error) in [
        (&b"abc"[..], None),
        ("aé日😀".as_bytes(), None),
        (b"ab\xff", Some(2)),
        (b"ab\xe6\x97", Some(2)),
        (b"a\xed\xa0\x80", Some(1)),
        (b"a\xc0\x80", Some(1)),
        (b"\xf4\x90\x80\x80", Some(0)),
        (b"a\x80", Some(1)),
    ] {
        assert_eq!(utf8_error(bytes), error, "{bytes:?}");
        let long = [&[b'x'; 200][..], bytes].concat();
        assert_eq!(utf8_error(&long), error.map(|at| at + 200), "{bytes:?}");
        assert_eq!(ValidText::check(bytes).err(), error);
    }
}

#[test]
fn valid_text_is_cut_at_characters_only() {
    let text = ValidText::check("aé日".as_bytes()).expect("valid");
    assert_eq!(text, ValidText::from("aé日"));
    assert_eq!(text.as_str(), "aé日");
    assert_eq!(text.as_bytes(), "aé日".as_bytes());
    assert_eq!(text.slice(1, 3), Some("é"));
    for (start, end) in [(0, 2), (2, 3), (3, 9), (3, 1), (9, 9)] {
        assert_eq!(text.slice(start, end), None, "{start}..{end}");
    }
}

#[test]
fn ascii_and_lines() {
    assert!(is_ascii(b"abc\x7f"));
    assert!(!is_ascii("é".as_bytes()));
    assert_eq!(count_newlines(b"\na\nb"), 2);
    assert_eq!(last_newline(b"\na\nb"), Some(2));
    assert_eq!(last_newline(b"ab"), None);
}

// ---- widths -----------------------------------------------------------------------------------

fn obvious_width(text: &str) -> Width {
    let max = match text.chars().max().unwrap_or('\0') as u32 {
        0..=0x7f => MaxChar::Ascii,
        0x80..=0xff => MaxChar::Latin1,
        0x100..=0xffff => MaxChar::Ucs2,
        _ => MaxChar::Ucs4,
    };
    Width {
        chars: text.chars().count(),
        max,
    }
}

/// Measures the text, writes it in every width at every level and brings it back.
fn check_text(text: &str) {
    let width = obvious_width(text);
    assert_eq!(measure(text), width, "{text:?}");
    let codes: Vec<u32> = text.chars().map(u32::from).collect();
    let cut2: Vec<u16> = codes.iter().map(|&code| code as u16).collect();
    let cut1: Vec<u8> = codes.iter().map(|&code| code as u8).collect();
    for &level in available() {
        assert_eq!(at::measure(level, text), width, "{level:?} {text:?}");
        let mut four = vec![0; codes.len()];
        at::to_ucs4(level, text, &mut four);
        assert_eq!(four, codes, "{level:?} {text:?}");
        let mut two = vec![0; codes.len()];
        at::to_ucs2(level, text, &mut two);
        assert_eq!(two, cut2, "{level:?} {text:?}");
        let mut one = vec![0; codes.len()];
        at::to_latin1(level, text, &mut one);
        assert_eq!(one, cut1, "{level:?} {text:?}");
    }
    let mut out = b"x".to_vec();
    assert_eq!(ucs4_to_utf8(&codes, &mut out), Ok(()));
    assert_eq!(&out[1..], text.as_bytes());
    if width.max <= MaxChar::Ucs2 {
        out.truncate(1);
        assert_eq!(ucs2_to_utf8(&cut2, &mut out), Ok(()));
        assert_eq!(&out[1..], text.as_bytes());
    }
    if width.max <= MaxChar::Latin1 {
        out.truncate(1);
        latin1_to_utf8(&cut1, &mut out);
        assert_eq!(&out[1..], text.as_bytes());
    }
    for set in SETS {
        check_copies(&codes, &cut2, &cut1, width.max, set);
    }
}

fn char_stops(code: u32, set: EscapeSet) -> bool {
    match u8::try_from(code) {
        Ok(byte) if byte < 0x80 => stops(byte, set),
        _ => match set {
            EscapeSet::Minimal => false,
            EscapeSet::Ascii => true,
            EscapeSet::Html => matches!(code, 0x2028 | 0x2029),
        },
    }
}

fn check_copies(codes: &[u32], two: &[u16], one: &[u8], max: MaxChar, set: EscapeSet) {
    let end = codes
        .iter()
        .position(|&code| char_stops(code, set))
        .unwrap_or(codes.len());
    let expected: String = codes[..end]
        .iter()
        .filter_map(|&code| char::from_u32(code))
        .collect();
    let mut out = Vec::new();
    assert_eq!(
        copy_until_escape_ucs4(codes, &mut out, set),
        end,
        "{set:?} {codes:?}"
    );
    assert_eq!(out, expected.as_bytes());
    if max <= MaxChar::Ucs2 {
        out.clear();
        assert_eq!(
            copy_until_escape_ucs2(two, &mut out, set),
            end,
            "{set:?} {codes:?}"
        );
        assert_eq!(out, expected.as_bytes());
    }
    if max <= MaxChar::Latin1 {
        out.clear();
        assert_eq!(
            copy_until_escape_latin1(one, &mut out, set),
            end,
            "{set:?} {codes:?}"
        );
        assert_eq!(out, expected.as_bytes());
    }
}

#[test]
fn each_length_of_each_alphabet_goes_there_and_back() {
    let alphabets = [
        "abc",
        "aé",
        "éü",
        "日本語",
        "a日",
        "日é",
        "😀",
        "😀a日é",
        "a\"日\\\u{2028}",
    ];
    for alphabet in alphabets {
        let letters: Vec<char> = alphabet.chars().collect();
        for len in 0..131 {
            let text: String = (0..len).map(|at| letters[at % letters.len()]).collect();
            check_text(&text);
        }
    }
}

#[test]
fn texts_of_mixed_runs_go_there_and_back() {
    let mut dice = Dice(7);
    for _ in 0..3000 {
        let mut text = String::new();
        let wide = dice.below(5) + 1;
        for _ in 0..dice.below(12) {
            let (first, last) = [
                (' ', '~'),
                ('\u{80}', 'ÿ'),
                ('Ā', '߿'),
                ('ぁ', '鿿'),
                ('😀', '🙏'),
            ][dice.below(wide)];
            for _ in 0..dice.below(20) {
                let span = last as u32 - first as u32 + 1;
                text.extend(char::from_u32(first as u32 + dice.next() as u32 % span));
            }
        }
        check_text(&text);
    }
}

#[test]
fn borders_of_each_width_are_measured() {
    for (letter, max) in [
        ('\u{7f}', MaxChar::Ascii),
        ('\u{80}', MaxChar::Latin1),
        ('\u{ff}', MaxChar::Latin1),
        ('\u{100}', MaxChar::Ucs2),
        ('\u{7ff}', MaxChar::Ucs2),
        ('\u{800}', MaxChar::Ucs2),
        ('\u{ffff}', MaxChar::Ucs2),
        ('\u{10000}', MaxChar::Ucs4),
        ('\u{10ffff}', MaxChar::Ucs4),
    ] {
        for before in 0..70 {
            let text = "a".repeat(before) + &letter.to_string();
            assert_eq!(
                measure(&text),
                Width {
                    chars: before + 1,
                    max
                }
            );
            check_text(&text);
        }
    }
}

#[test]
fn a_buffer_of_the_wrong_length_is_filled_as_far_as_it_goes() {
    let text = "日本語 and some more text é";
    for len in 0..60 {
        let mut four = vec![0; len];
        to_ucs4(text, &mut four);
        let expected: Vec<u32> = text.chars().map(u32::from).take(len).collect();
        assert_eq!(four[..expected.len()], expected);
        let mut two = vec![0; len];
        to_ucs2(text, &mut two);
        let mut one = vec![0; len];
        to_latin1(text, &mut one);
        // Fresh memory is full where the text is at least as long.
        for &level in available() {
            let mut fresh = vec![MaybeUninit::<u16>::uninit(); len];
            let full = at::fill(level, text, &mut fresh);
            assert_eq!(full, len <= text.chars().count(), "{level:?} {len}");
        }
    }
}

#[test]
fn surrogates_stop_the_way_back() {
    for before in [0, 1, 5, 15, 16, 17, 40] {
        for filler in ['a', '日'] {
            for surrogate in [0xd800, 0xdbff, 0xdc00, 0xdfff] {
                let mut two = vec![filler as u16; before];
                two.extend([surrogate, 0x61, 0x62]);
                let mut out = Vec::new();
                assert_eq!(ucs2_to_utf8(&two, &mut out), Err(before));
                assert_eq!(out, filler.to_string().repeat(before).as_bytes());
                let four: Vec<u32> = two.iter().map(|&unit| unit.into()).collect();
                assert_eq!(ucs4_to_utf8(&four, &mut Vec::new()), Err(before));
                let set = EscapeSet::Minimal;
                assert_eq!(copy_until_escape_ucs2(&two, &mut Vec::new(), set), before);
                assert_eq!(copy_until_escape_ucs4(&four, &mut Vec::new(), set), before);
            }
        }
    }
    assert_eq!(ucs4_to_utf8(&[0x61, 0x11_0000], &mut Vec::new()), Err(1));
}

proptest! {
    #[test]
    fn random_bytes_are_searched_alike(bytes: Vec<u8>, from in 0..8_usize) {
        check_search(&bytes, from);
    }

    #[test]
    fn random_text_goes_there_and_back(text in any::<String>()) {
        check_text(&text);
    }

    #[test]
    fn random_bytes_are_checked_as_the_standard_library_does(bytes: Vec<u8>) {
        let expected = core::str::from_utf8(&bytes).err().map(|error| error.valid_up_to());
        prop_assert_eq!(utf8_error(&bytes), expected);
    }
}

/// What zmij makes of a double.
fn spelled(value: f64) -> String {
    zmij::Buffer::new().format_finite(value).to_owned()
}

fn check_shortest(value: f64) -> bool {
    let expected = format!("before{},", spelled(value));
    let mut out = b"before".to_vec();
    super::append_with(value, b',', &mut out);
    assert_eq!(String::from_utf8(out), Ok(expected.clone()), "{value:e}");
    let mut out = b"before".to_vec();
    let fixed = super::append_fixed(value, b',', &mut out);
    let expected = if fixed { expected } else { "before".to_owned() };
    assert_eq!(String::from_utf8(out), Ok(expected), "{value:e}");
    fixed
}

#[test]
fn doubles_have_their_shortest_digits() {
    let mut dice = Dice(7);
    let mut fixed = 0;
    // Every exponent, with fractions at the edges, even and odd, and by chance.
    for exponent in 0..0x7ff_u64 {
        for edge in [
            0,
            1,
            2,
            3,
            (1 << 52) - 1,
            (1 << 52) - 2,
            1 << 51,
            (1 << 51) + 1,
        ] {
            check_shortest(f64::from_bits(exponent << 52 | edge));
        }
        for _ in 0..if (1000..1080).contains(&exponent) {
            2_000
        } else {
            20
        } {
            let bits = exponent << 52 | dice.next() >> 12 | dice.next() << 63;
            fixed += usize::from(check_shortest(f64::from_bits(bits)));
        }
    }
    assert!(fixed > 100_000, "the quick way was hardly taken: {fixed}");
    // Few digits, as people write them, and their neighbours.
    for _ in 0..200_000 {
        let digits = dice.below(18) as u32;
        let whole = dice.next() % 10_u64.pow(digits.min(17) + 1);
        let value: f64 = format!("{whole}e-{}", dice.below(20))
            .parse()
            .expect("a number");
        check_shortest(value);
        check_shortest(-value.next_up());
        check_shortest(value.next_down());
    }
    // A tie between two tenths: the even one.
    for quarter in [0.25_f64, 0.75] {
        for power in 44..52 {
            check_shortest((1_u64 << power) as f64 + quarter);
            check_shortest((1_u64 << power) as f64 + 1.0 + quarter);
        }
    }
}

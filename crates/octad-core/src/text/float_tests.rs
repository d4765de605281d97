//! Reading numbers against the standard library, the table of powers against its definition.

use core::cmp::Ordering;

use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};

use super::float::{
    NumberError, NumberFault, NumberKind, NumberScan, from_parts, parse, scan, scan_plainly, usual,
    value,
};
use super::powers::{FIRST, LAST, POWERS};

/// The quickest way, where it answers at all, must agree with the scan. True if it answers.
fn check_usual(bytes: &[u8], from: usize) -> bool {
    let Some((found, end)) = usual(bytes, from) else {
        return false;
    };
    let scan = scan_plainly(bytes, from).expect("a number");
    assert_eq!(scan.kind, NumberKind::Real);
    assert_eq!(
        (scan.end, value(&scan, bytes).to_bits()),
        (end, found.to_bits())
    );
    true
}

#[test]
fn usual_numbers_are_read_by_the_quickest_way_and_others_not() {
    let behind = format!(",{:24}", "");
    for text in [
        "0.5",
        "-0.0",
        "1.25",
        "-65.613616999999977",
        "9999.123456789012345",
        "1.00000000",
    ] {
        assert!(
            check_usual(format!("{text}{behind}").as_bytes(), 0),
            "{text}"
        );
    }
    for text in [
        "1",
        "-1",
        "12345.5",
        "1.",
        ".5",
        "-.5",
        "01.5",
        "-01.5",
        "1.5e1",
        "1.5E1",
        "1.12345678e1",
        "1.123456789e1",
        "1.1234567890123456",
        "1.12345678901234567",
        "1,5",
        "--1.5",
        "+1.5",
        "",
        "NaN",
    ] {
        assert!(
            !check_usual(format!("{text}{behind}").as_bytes(), 0),
            "{text}"
        );
    }
    // Too near to the end for blocks.
    assert!(!check_usual(b"1.5", 0));
    assert!(!check_usual(b"1.5", 9));
}

/// Reads the text by itself and amid others; all ways must agree with the standard library.
fn check(text: &str) {
    let expected: f64 = text.parse().expect("a number");
    let bits = expected.to_bits();
    assert_eq!(parse(text).to_bits(), bits, "{text}");
    let amid = format!("[{text},12345678");
    let found = scan(amid.as_bytes(), 1).expect("a number");
    assert_eq!(found.end, text.len() + 1, "{text}");
    assert_eq!(value(&found, amid.as_bytes()).to_bits(), bits, "{text}");
    assert_eq!(scan_plainly(amid.as_bytes(), 1), Ok(found), "{text}");
    let roomy = format!("{text},{:90}", "");
    check_usual(roomy.as_bytes(), 0);
    check_usual(format!("[{roomy}").as_bytes(), 1);
    let roomy = scan(roomy.as_bytes(), 0).expect("a number");
    assert_eq!(
        roomy,
        NumberScan {
            start: 0,
            end: found.end - 1,
            ..found
        },
        "{text}"
    );
    let alone = scan(text.as_bytes(), 0).expect("a number");
    assert_eq!(
        alone,
        NumberScan {
            start: 0,
            end: found.end - 1,
            ..found
        },
        "{text}"
    );
    if let Some(quick) = from_parts(
        found.mantissa,
        found.exponent,
        found.negative,
        found.truncated,
    ) {
        assert_eq!(quick.to_bits(), bits, "{text}");
    }
}

// ---- the table --------------------------------------------------------------------------------

/// A whole number in words of 32 bits, lowest first, without zeros at the top.
fn times(words: &[u32], by: u128) -> Vec<u32> {
    let mut out = vec![0_u32; words.len() + 4];
    for (shift, factor) in (0..4).map(|at| (at, (by >> (32 * at)) as u32 as u64)) {
        let mut carry = 0_u64;
        for (at, place) in out.iter_mut().enumerate().skip(shift) {
            let word = words.get(at - shift).copied().unwrap_or(0);
            let sum = u64::from(word) * factor + u64::from(*place) + carry;
            *place = sum as u32;
            carry = sum >> 32;
        }
    }
    while out.last() == Some(&0) {
        out.pop();
    }
    out
}

fn bit_length(words: &[u32]) -> usize {
    words.len() * 32 - words.last().map_or(0, |word| word.leading_zeros() as usize)
}

fn compare(left: &[u32], right: &[u32]) -> Ordering {
    let ordered = left.iter().rev().cmp(right.iter().rev());
    left.len().cmp(&right.len()).then(ordered)
}

#[test]
fn each_power_is_what_its_definition_says() {
    let mut five = vec![1];
    for power in 0..=-FIRST {
        if power <= LAST {
            // The leading 128 bits of 5^power are those of the entry, whatever follows.
            let surplus = bit_length(&five) as i64 - 128;
            let bit =
                |at: i64| usize::try_from(at).is_ok_and(|at| five[at / 32] >> (at % 32) & 1 == 1);
            let expected = (0..128).fold(0, |bits, at| bits | u128::from(bit(at + surplus)) << at);
            assert_eq!(entry(power), expected, "10^{power}");
        }
        if power > 0 {
            // 2^shift / 5^power lies between the entry (or the one below) and the next.
            let below = entry(-power) - u128::from(power <= 27);
            let mut border = vec![0; (bit_length(&five) + 127) / 32];
            border.push(1 << ((bit_length(&five) + 127) % 32));
            assert_ne!(
                compare(&times(&five, below), &border),
                Ordering::Greater,
                "10^-{power}"
            );
            assert_eq!(
                compare(&times(&five, below + 1), &border),
                Ordering::Greater
            );
        }
        five = times(&five, 5);
    }
}

fn entry(power: i32) -> u128 {
    let at = 2 * (power - FIRST) as usize;
    u128::from(POWERS[at]) << 64 | u128::from(POWERS[at + 1])
}

// ---- reading ----------------------------------------------------------------------------------

#[test]
fn parts_of_a_number_are_told_apart() {
    let whole = |text: &str| scan(text.as_bytes(), 0).expect("a number");
    let zero = NumberScan {
        start: 0,
        end: 1,
        mantissa: 0,
        exponent: 0,
        digits: 1,
        kind: NumberKind::Int,
        negative: false,
        truncated: false,
    };
    let real = NumberScan {
        kind: NumberKind::Real,
        ..zero
    };
    assert_eq!(whole("0"), zero);
    assert_eq!(
        whole("-0"),
        NumberScan {
            end: 2,
            negative: true,
            ..zero
        }
    );
    assert_eq!(
        whole("-12.50e+3,"),
        NumberScan {
            end: 9,
            mantissa: 1250,
            exponent: 1,
            digits: 4,
            negative: true,
            ..real
        }
    );
    assert_eq!(
        whole("0.001"),
        NumberScan {
            end: 5,
            mantissa: 1,
            exponent: -3,
            digits: 4,
            ..real
        }
    );
    assert_eq!(
        whole("7E-0"),
        NumberScan {
            end: 4,
            mantissa: 7,
            ..real
        }
    );
    let long = NumberScan {
        end: 20,
        digits: 20,
        mantissa: 1_234_567_890_123_456_789,
        ..zero
    };
    assert_eq!(
        whole("12345678901234567890"),
        NumberScan {
            exponent: 1,
            truncated: false,
            ..long
        }
    );
    assert_eq!(
        whole("12345678901234567891"),
        NumberScan {
            exponent: 1,
            truncated: true,
            ..long
        }
    );
    assert_eq!(
        whole("9999999999999999999"),
        NumberScan {
            end: 19,
            digits: 19,
            mantissa: 9_999_999_999_999_999_999,
            ..zero
        }
    );
    let tiny = whole("0.00000000000000000000000012");
    assert_eq!(
        (tiny.mantissa, tiny.exponent, tiny.truncated),
        (12, -26, false)
    );
}

#[test]
fn faults_are_where_the_byte_is_that_does_not_fit() {
    for (text, at, fault) in [
        ("-", 1, NumberFault::MissingDigits),
        ("", 0, NumberFault::MissingDigits),
        ("-a", 1, NumberFault::MissingDigits),
        (".5", 0, NumberFault::MissingDigits),
        ("1.", 2, NumberFault::MissingDigits),
        ("1.e5", 2, NumberFault::MissingDigits),
        ("12345678.x", 9, NumberFault::MissingDigits),
        ("1e", 2, NumberFault::MissingDigits),
        ("1e+", 3, NumberFault::MissingDigits),
        ("1.5e-x", 5, NumberFault::MissingDigits),
        ("01", 1, NumberFault::LeadingZero),
        ("-00", 2, NumberFault::LeadingZero),
        ("-012345678901234567890", 2, NumberFault::LeadingZero),
    ] {
        assert_eq!(
            scan(text.as_bytes(), 0),
            Err(NumberError { at, fault }),
            "{text}"
        );
        assert_eq!(
            scan_plainly(text.as_bytes(), 0),
            Err(NumberError { at, fault }),
            "{text}"
        );
        let amid = format!("  {text} {:90}", "");
        assert_eq!(
            scan(amid.as_bytes(), 2),
            Err(NumberError { at: at + 2, fault }),
            "{text} amid others"
        );
    }
    assert!(scan(b"1", 5).is_err());
}

#[test]
fn what_follows_a_number_is_left_alone() {
    for follower in ["", " ", "]", "}", ",", ":", "/", "\0", "x", "-", "+", "é"] {
        for text in [
            "0",
            "1",
            "1234567",
            "12345678",
            "123456789",
            "1.5",
            "1.12345678",
            "1e5",
        ] {
            let amid = format!("{text}{follower}");
            assert_eq!(
                scan(amid.as_bytes(), 0).map(|found| found.end),
                Ok(text.len()),
                "{amid}"
            );
        }
    }
    assert_eq!(scan(b"1.2.3", 0).map(|found| found.end), Ok(3));
    assert_eq!(scan(b"0e1e1", 0).map(|found| found.end), Ok(3));
}

#[test]
fn hard_numbers_are_rounded_correctly() {
    for text in [
        "9007199254740993",
        "9007199254740992.5",
        "9007199254740993.00000000000000000000000000000000000000000000001",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.797693134862315807e308",
        "1.797693134862315808e308",
        "2.2250738585072011e-308",
        "2.2250738585072012e-308",
        "2.2250738585072014e-308",
        "4.9406564584124654e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "2.47032822920623272088e-324",
        "5e-324",
        "1e-400",
        "1e400",
        "-1e400",
        "1e-999999999999999999999",
        "1e999999999999999999999",
        "0e999999999999999999999",
        "-0.0",
        "-0e-5",
        "8.5e22",
        "1e23",
        "9.5e21",
        "123456789012345678901234567890",
        "0.1",
        "0.3",
        "0.000000000000000000000000000000000000000000000000000000000000000000000000000001e78",
        "6.631236846766476e-316",
        "3.237883913302901e-319",
        "1090544144181609348671888949248",
        "10000000000000000000000000000000000000000000e-43",
        "65.613616999999977",
        "-65.613616999999977",
        "43.420273000000009",
    ] {
        check(text);
    }
    let far = format!("0.{}1e400", "0".repeat(399));
    check(&far);
    check(&format!("1{}e-400", "0".repeat(400)));
}

#[test]
fn each_power_of_ten_is_read_correctly() {
    for power in -345..=310 {
        for digits in [
            "1",
            "9",
            "4.9",
            "9007199254740993",
            "18446744073709551615",
            "1.0000000001",
        ] {
            check(&format!("{digits}e{power}"));
        }
    }
}

#[test]
fn each_power_of_two_and_its_neighbours_are_read() {
    for power in 0..2047_u64 {
        for bits in [
            (power << 52).saturating_sub(1),
            power << 52,
            (power << 52) + 1,
        ] {
            let value = f64::from_bits(bits);
            check(&format!("{value:e}"));
            check(&format!("{value:.20e}"));
        }
    }
}

/// The text exactly between a double and the next, and texts a little beside it.
fn check_halfway(bits: u64) {
    let (low, high) = (f64::from_bits(bits), f64::from_bits(bits + 1));
    if !high.is_finite() || high > 1e15 {
        return;
    }
    // Both have an exact expansion of at most 1074 places; so has their mean, with one more.
    let places = 1080;
    let (low, high) = (format!("{low:.places$}"), format!("{high:.places$}"));
    let mut mean: Vec<u8> = Vec::new();
    let mut carry = 0;
    let width = high.len().max(low.len());
    for (a, b) in format!("{low:0>width$}")
        .bytes()
        .zip(format!("{high:0>width$}").bytes())
    {
        if a == b'.' {
            mean.push(b'.');
            continue;
        }
        let sum = carry * 10 + (a - b'0') + (b - b'0');
        mean.push(sum / 2);
        carry = sum % 2;
    }
    // A sum of two digits and a carry may exceed nine: pass it on to the left.
    for at in (0..mean.len()).rev() {
        if mean[at] != b'.' && mean[at] > 9 {
            mean[at] -= 10;
            let left = if mean[at - 1] == b'.' { at - 2 } else { at - 1 };
            mean[left] += 1;
        }
    }
    let text: String = mean
        .iter()
        .map(|&digit| {
            if digit == b'.' {
                '.'
            } else {
                (digit + b'0') as char
            }
        })
        .collect();
    let text = text.trim_start_matches('0').trim_end_matches('0');
    let text = if text.starts_with('.') {
        format!("0{text}")
    } else {
        text.to_owned()
    };
    check(&text);
    check(&format!("{text}1"));
    check(&format!(
        "-{text}0000000000000000000000000000000000000000001"
    ));
    let cut = &text[..text.len() - 1];
    if !cut.ends_with('.') {
        check(cut);
    }
}

#[test]
fn texts_halfway_between_two_doubles_go_to_the_even_one() {
    for bits in [0, 1, 2, 3, 0x000f_ffff_ffff_ffff, 0x0010_0000_0000_0000] {
        check_halfway(bits);
    }
    for value in [
        1.0_f64,
        1.5,
        0.1,
        1e-5,
        4_503_599_627_370_495.5,
        1e-300,
        123.456,
    ] {
        check_halfway(value.to_bits());
        check_halfway(value.to_bits() - 1);
    }
}

proptest! {
    #[test]
    fn doubles_of_random_bits_are_read(bits: u64) {
        let value = f64::from_bits(bits);
        if value.is_finite() {
            check(&format!("{value:e}"));
            check(&format!("{value}"));
            check(&format!("{value:.17e}"));
            check(&format!("{value:.25e}"));
        }
    }

    #[test]
    fn random_halfway_texts_are_rounded_correctly(bits in 0..0x4300_0000_0000_0000_u64) {
        check_halfway(bits);
    }

    #[test]
    fn random_subnormals_are_read(bits in 0..1_u64 << 53) {
        check(&format!("{:e}", f64::from_bits(bits)));
    }

    #[test]
    fn random_numbers_are_read_as_the_standard_library_does(
        text in "-?(0|[1-9][0-9]{0,25})(\\.[0-9]{1,30})?([eE][+-]?[0-9]{1,3})?",
    ) {
        check(&text);
    }

    #[test]
    fn random_parts_are_rounded_correctly_or_undecided(
        mantissa: u64, exponent in -360..330_i32, negative: bool,
    ) {
        let sign = if negative { "-" } else { "" };
        let expected: f64 = format!("{sign}{mantissa}e{exponent}").parse().expect("a number");
        if let Some(found) = from_parts(mantissa, exponent, negative, false) {
            prop_assert_eq!(found.to_bits(), expected.to_bits());
        }
    }

    #[test]
    fn quick_and_plain_ways_agree(
        text in "[-0-9]?[0-9]{0,25}[.eE+-]?[0-9]{0,25}[.eE+-]{0,2}[0-9]{0,9}[ ,x]?", after in 0..80_usize,
    ) {
        let text = format!("{text}{:after$}", "");
        prop_assert_eq!(scan(text.as_bytes(), 0), scan_plainly(text.as_bytes(), 0));
        check_usual(text.as_bytes(), 0);
    }

    #[test]
    fn any_bytes_are_taken(bytes in any::<Vec<u8>>(), from in 0..9_usize) {
        prop_assert_eq!(scan(&bytes, from), scan_plainly(&bytes, from));
        check_usual(&bytes, from);
        if let Ok(found) = scan(&bytes, from) {
            prop_assert!(found.end <= bytes.len() && found.end > from);
        }
    }
}

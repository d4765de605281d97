//! Writing doubles against fixed spellings, and by reading back.

use proptest::prelude::{prop_assert_eq, proptest};

use super::float::{parse, write_ecmascript, write_repr};

fn repr(value: f64) -> String {
    let mut out = Vec::new();
    write_repr(value, &mut out);
    String::from_utf8(out).expect("ascii")
}

fn ecmascript(value: f64) -> String {
    let mut out = Vec::new();
    write_ecmascript(value, &mut out);
    String::from_utf8(out).expect("ascii")
}

fn check_written(value: f64) {
    for text in [repr(value), ecmascript(value)] {
        assert_eq!(parse(&text), value, "{text}");
        assert_eq!(text.parse::<f64>(), Ok(value), "{text}");
    }
}

#[test]
fn each_power_of_two_and_its_neighbours_are_read_back() {
    for power in 0..2047_u64 {
        for bits in [
            (power << 52).saturating_sub(1),
            power << 52,
            (power << 52) + 1,
        ] {
            check_written(f64::from_bits(bits));
        }
    }
}

// ---- writing ----------------------------------------------------------------------------------

#[test]
fn python_spellings() {
    for (value, text) in [
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (1.0, "1.0"),
        (-1.5, "-1.5"),
        (100.0, "100.0"),
        (0.1, "0.1"),
        (0.001, "0.001"),
        (0.0001, "0.0001"),
        (0.00012345, "0.00012345"),
        (0.00001, "1e-05"),
        (-0.0000125, "-1.25e-05"),
        (0.000099999, "9.9999e-05"),
        (0.000001, "1e-06"),
        (1.25e-7, "1.25e-07"),
        (1e-9, "1e-09"),
        (1e-10, "1e-10"),
        (1.5e-100, "1.5e-100"),
        (5e-324, "5e-324"),
        (2.2250738585072014e-308, "2.2250738585072014e-308"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
        (123_456_789_012_345.0, "123456789012345.0"),
        (1e15, "1000000000000000.0"),
        (9_007_199_254_740_993.0, "9007199254740992.0"),
        (9_999_999_999_999_998.0, "9999999999999998.0"),
        (1e16, "1e+16"),
        (1.2345e16, "1.2345e+16"),
        (1e21, "1e+21"),
        (1e22, "1e+22"),
        (-1e100, "-1e+100"),
        (0.30000000000000004, "0.30000000000000004"),
        (65.613_616_999_999_98, "65.61361699999998"),
        (1.0 / 3.0, "0.3333333333333333"),
    ] {
        assert_eq!(repr(value), text);
    }
}

#[test]
fn ecmascript_spellings() {
    for (value, text) in [
        (0.0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (-1.5, "-1.5"),
        (100.0, "100"),
        (0.00001, "0.00001"),
        (0.000001, "0.000001"),
        (-0.00000125, "-0.00000125"),
        (1e-7, "1e-7"),
        (1.25e-7, "1.25e-7"),
        (-1e-10, "-1e-10"),
        (5e-324, "5e-324"),
        (1e15, "1000000000000000"),
        (1e16, "10000000000000000"),
        (-1.2345e16, "-12345000000000000"),
        (1.2345678901234567e16, "12345678901234568"),
        (1e20, "100000000000000000000"),
        (123_456_789_012_345_680_000.0, "123456789012345680000"),
        (999_999_999_999_999_900_000.0, "999999999999999900000"),
        (1e21, "1e+21"),
        (1.5e21, "1.5e+21"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
        (333_333_333.333_333_3, "333333333.3333333"),
        (9_007_199_254_740_992.0, "9007199254740992"),
    ] {
        assert_eq!(ecmascript(value), text);
    }
}

#[test]
fn writing_appends() {
    let mut out = b"[".to_vec();
    write_repr(1e-7, &mut out);
    out.push(b',');
    write_ecmascript(-1e17, &mut out);
    assert_eq!(out, b"[1e-07,-100000000000000000");
}

proptest! {
    #[test]
    fn doubles_of_random_bits_are_read_back(bits: u64, small in 0..1_u64 << 53) {
        check_written(f64::from_bits(small));
        if f64::from_bits(bits).is_finite() {
            check_written(f64::from_bits(bits));
        }
    }

    #[test]
    fn short_decimals_keep_their_spelling(whole in 0..100_000_i64, part in 1..1000_u32) {
        let text = format!("{whole}.{part:03}");
        let text = text.trim_end_matches('0');
        prop_assert_eq!(repr(parse(text)), text);
        prop_assert_eq!(ecmascript(parse(text)), text);
    }
}

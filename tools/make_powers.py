"""Write crates/octad-core/src/text/powers.rs: the powers of ten that reading a float multiplies by.

    python tools/make_powers.py          writes the file
    python tools/make_powers.py --check  fails if the file is not what would be written

Each entry is 10**q cut to its leading 128 bits (the factor 2**q changes only the exponent, so it
is 5**q that is computed). Where 5**-q still fits a word and a half, q from -27 to -1, the entry is
rounded up, so that its product with a whole number of 64 bits is never below the true one.
"""

import pathlib
import sys

FIRST, LAST = -342, 308
ROUNDED_UP_FROM = -27
TARGET = pathlib.Path(__file__).parent.parent / "crates/octad-core/src/text/powers.rs"

HEADER = f"""\
//! The leading 128 bits of the powers of ten, for reading floats.
//!
//! Owns one table and knows nothing else. Written by `tools/make_powers.py`, never by hand; a test
//! in `float_tests.rs` computes every entry again from its definition.

/// The exponent of the first entry; below it everything of 64 bits is zero.
pub(super) const FIRST: i32 = {FIRST};

/// The exponent of the last entry; above it everything but zero is infinite.
pub(super) const LAST: i32 = {LAST};

/// The entry of exponent `q` is at `2 * (q - FIRST)`: its upper word, then its lower.
#[rustfmt::skip]
pub(super) static POWERS: [u64; {2 * (LAST - FIRST + 1)}] = [
"""


def leading_bits(q: int) -> int:
    """10**q as a whole number of exactly 128 bits, its exponent dropped."""
    five: int = 5 ** abs(q)
    if q >= 0:
        surplus = five.bit_length() - 128
        return five >> surplus if surplus > 0 else five << -surplus
    return (1 << (five.bit_length() + 127)) // five + (q >= ROUNDED_UP_FROM)


def render() -> str:
    words = []
    for q in range(FIRST, LAST + 1):
        bits = leading_bits(q)
        assert bits.bit_length() == 128
        words += [bits >> 64, bits & (1 << 64) - 1]
    lines = [
        "    " + ", ".join(f"0x{word:016x}" for word in words[at : at + 4]) + ",\n"
        for at in range(0, len(words), 4)
    ]
    return HEADER + "".join(lines) + "];\n"


def main() -> None:
    text = render()
    if sys.argv[1:] == ["--check"]:
        if TARGET.read_text() != text:
            sys.exit(f"{TARGET.name} is not what {pathlib.Path(__file__).name} writes")
    else:
        TARGET.write_text(text)


if __name__ == "__main__":
    main()

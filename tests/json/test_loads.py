"""What loads gives: plain built-in values, exact numbers, every escape, every shape.

Owns accepted texts; refusals are in test_errors.py and options in test_options.py.
"""

from __future__ import annotations

import json as stdlib_json
import math
import random
from typing import Any

import octad
import pytest
from octad import json

from tests.support import assert_same, float_bits, read, strict_stdlib_loads
from tests.testdata import data_path

# Scalars


@pytest.mark.feature(11)
@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("null", None),
        ("true", True),
        ("false", False),
        ("0", 0),
        ("-0", 0),
        ("7", 7),
        ("-7", -7),
        ('""', ""),
        ('"a"', "a"),
        ("[]", []),
        ("{}", {}),
        ("1.0", 1.0),
        ("-0.0", -0.0),
        ("0e0", 0.0),
        ("1E5", 100000.0),
        ("1e+5", 100000.0),
        ("1e-5", 0.00001),
        (" \t\r\n1 \t\r\n", 1),
        ('[null,true,false,0,0.0,"",[],{}]', [None, True, False, 0, 0.0, "", [], {}]),
        ('{"":{"":[{"":""}]}}', {"": {"": [{"": ""}]}}),
    ],
)
def test_small_values(text: str, want: Any) -> None:
    assert_same(read(text), want)
    assert_same(read(text.encode()), want)


@pytest.mark.feature(82)
def test_white_space_wherever_it_may_stand() -> None:
    pieces = [
        "",
        "{",
        '"a"',
        ":",
        "[",
        "1",
        ",",
        '"x"',
        ",",
        "null",
        "]",
        ",",
        '"b"',
        ":",
        "{",
        "}",
        "}",
        "",
    ]
    for space in (
        " ",
        "\t",
        "\n",
        "\r",
        "\r\n",
        " " * 7,
        " " * 8,
        " " * 9,
        "\n" * 33,
        "\t \n" * 40,
    ):
        text = space.join(pieces)
        assert_same(read(text), {"a": [1, "x", None], "b": {}})
        assert json.parse(text).dumps() == text.encode()


# Integers


def border_integers() -> list[int]:
    """Integers beside every power of two and ten that a representation could end at."""
    borders = {0}
    for bits in (*range(1, 70), 127, 128, 256, 1023, 1024):
        borders |= {2**bits - 1, 2**bits, 2**bits + 1}
    for digits in range(1, 45):
        borders |= {10**digits - 1, 10**digits, 10**digits + 1}
    return sorted(borders | {-number for number in borders})


@pytest.mark.feature(8, 9, 10, 90)
def test_integers_are_exact_at_every_border() -> None:
    numbers = border_integers()
    for number in numbers:
        assert_same(json.loads(str(number)), number)
    text = "[" + ", ".join(map(str, numbers)) + "]"
    assert_same(read(text), numbers)
    document = json.parse(text)
    for index, number in enumerate(numbers):
        assert_same(document[index], number)
    assert json.dumps(numbers) == text.replace(" ", "").encode()


@pytest.mark.feature(90)
def test_integers_of_every_length() -> None:
    for digits in range(1, 400, 3):
        for first in "19":
            text = first + "".join(str((index * 7) % 10) for index in range(digits - 1))
            assert_same(json.loads(text), int(text))
            assert_same(json.loads("-" + text), -int(text))
    longest = "9" * 4300
    assert_same(read(longest), int(longest))
    assert_same(read("-" + longest), -int(longest))


def test_integers_are_never_floats_nor_bools() -> None:
    assert type(json.loads("1")) is int
    assert type(json.loads("1.0")) is float
    assert type(json.loads("1e0")) is float
    assert type(json.loads("true")) is bool


# Floats


@pytest.mark.feature(9)
@pytest.mark.parametrize(
    "text",
    [
        *("0.1", "0.2", "0.3", "1.1", "3.14159", "1e22", "1e23", "9007199254740993.0"),
        *("9007199254740992.5", "9007199254740993.00000000000000000000000000000001"),
        *("5e-324", "4.9e-324", "2.4703282292062327e-324", "2.4703282292062328e-324"),
        *("2.2250738585072014e-308", "2.2250738585072011e-308", "2.225073858507201e-308"),
        *("1.7976931348623157e308", "1.7976931348623158e308", "179769313486231570000e288"),
        *("123456789012345678901234567890.0", "0.000000000000000000000000000001"),
        *("6.62607015e-34", "1e-400", "-1e-400", "0e999999999", "-0e-5", "-0.0e1", "1e-323"),
        *("7.2057594037927933e16", "8.5e-45", "1.00000005960464477539062500000001"),
        *("0.500000000000000166533453693773481063544750213623046875", "358416272e-33"),
        *("1" + "0" * 308 + ".0", "0." + "0" * 400 + "1", "1" * 300 + "." + "1" * 300),
        *("17976931348623157" + "0" * 292 + ".0", "1" + "0" * 400 + "e-400", "4.35", "2.675"),
    ],
)
def test_floats_are_the_nearest_double(text: str) -> None:
    want = float(text)
    for got in (json.loads(text), json.parse(text).root.value, json.loads(f"[1, {text}]")[1]):
        assert_same(got, want)
    assert json.loads("-" + text.lstrip("-")) == -abs(want)


@pytest.mark.feature(9)
def test_random_doubles_survive_in_many_spellings() -> None:
    random_source = random.Random(7)
    wanted: list[float] = []
    spellings: list[str] = []
    while len(wanted) < 6000:
        bits = random_source.getrandbits(64)
        number = float_from_bits(bits)
        if not math.isfinite(number):
            continue
        for spelling in (repr(number), f"{number:.16e}", f"{number:.20E}", f"{number:.3e}"):
            wanted.append(float(spelling))
            spellings.append(spelling)
    wrong = [
        (spelling, got)
        for spelling, got, want in zip(
            spellings, json.loads("[" + ",".join(spellings) + "]"), wanted, strict=True
        )
        if float_bits(got) != float_bits(want)
    ]
    assert wrong == []


def float_from_bits(bits: int) -> float:
    import struct

    (number,) = struct.unpack(">d", bits.to_bytes(8, "big"))
    return float(number)


@pytest.mark.feature(9)
def test_doubles_halfway_between_neighbours() -> None:
    """Texts of many digits that lie on, just under and just over the middle of two doubles."""
    from fractions import Fraction

    random_source = random.Random(11)
    for _ in range(400):
        exponent = random_source.randrange(-60, 60)
        mantissa = random_source.getrandbits(52) | (1 << 52)
        middle = Fraction(2 * mantissa + 1) * Fraction(2) ** (exponent - 1)
        scale = 10**140
        whole, rest = divmod(middle.numerator * scale, middle.denominator)
        assert rest == 0
        for offset in (-1, 0, 1):
            digits = str(whole + offset).rjust(141, "0")
            text = digits[:-140] + "." + digits[-140:]
            got = json.loads(text)
            assert float_bits(got) == float_bits(float(text)), text


# Strings


@pytest.mark.feature(82)
def test_every_escape() -> None:
    assert json.loads(r'"\"\\\/\b\f\n\r\t"') == '"\\/\b\f\n\r\t'
    for code in range(0x10000):
        if 0xD800 <= code <= 0xDFFF:
            continue
        if code % 61 == 0 or code < 0x300:
            assert json.loads(f'"\\u{code:04x}"') == chr(code)
            assert json.loads(f'"a\\u{code:04X}b"') == f"a{chr(code)}b"


@pytest.mark.feature(82)
def test_escaped_pairs_of_surrogates() -> None:
    for code in [*range(0x10000, 0x110000, 997), 0x10000, 0x10FFFF, 0x1F600]:
        high, low = divmod(code - 0x10000, 0x400)
        text = f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04X}"
        assert json.loads(f'"{text}"') == chr(code)
        assert json.loads(f'["{text}{text}x"]') == [chr(code) * 2 + "x"]
    assert json.loads(r'{"\ud83d\ude00": 1}') == {"😀": 1}


@pytest.mark.feature(82)
def test_every_character_stands_for_itself() -> None:
    codes = [
        *range(0x20, 0x3000),
        *range(0x3000, 0xD800, 37),
        *range(0xE000, 0x110000, 41),
        0x10FFFF,
    ]
    for start in range(0, len(codes), 500):
        text = "".join(map(chr, codes[start : start + 500])).replace("\\", "").replace('"', "")
        assert read(f'"{text}"') == text
    for code in (0x7F, 0x80, 0x7FF, 0x800, 0xFFFD, 0xFFFE, 0xFFFF, 0xFEFF, 0x2028, 0x10000):
        assert json.loads(f'"{chr(code)}"') == chr(code)


def test_strings_of_every_length_and_alignment() -> None:
    """Around vector widths, with the odd character at the start, in the middle, at the end."""
    for size in [*range(140), 255, 256, 257, 1000, 4095, 4096, 4097]:
        for odd in ("", "é", "日", "😀", "\\n", "\\u00e9", '\\"'):
            want_odd = stdlib_json.loads(f'"{odd}"')
            for head in {0, size // 2, size}:
                body = "a" * head + odd + "b" * (size - head)
                want = "a" * head + want_odd + "b" * (size - head)
                got = json.loads(f'["{body}"]')
                assert got == [want]
                assert got[0].isascii() == want.isascii()


def test_strings_have_the_narrowest_storage() -> None:
    """A str read holds one, two or four bytes a character, as if Python had made it."""
    import sys

    for text in ("abc", "éé", "aé" * 50, "日本" * 30, "😀" * 9, "a" * 1000):
        got = json.loads(json.dumps(text))
        assert sys.getsizeof(got) == sys.getsizeof("".join(list(text)))
        assert hash(got) == hash(text)
        assert {got: 1}[text] == 1


# Containers


@pytest.mark.feature(1, 7, 20)
def test_containers_of_every_size() -> None:
    for size in [*range(70), 127, 128, 129, 1000, 5000]:
        array = list(range(size))
        table = {f"k{index}": index for index in range(size)}
        assert_same(read(json.dumps(array)), array)
        assert_same(read(json.dumps(table)), table)
        assert_same(read(json.dumps([table, array])), [table, array])


def test_keys_keep_their_order() -> None:
    keys = [f"{(index * 7919) % 10007}" for index in range(2000)]
    got = json.loads("{" + ",".join(f'"{key}":0' for key in keys) + "}")
    assert list(got) == keys


def test_records_that_change_shape() -> None:
    """Rows whose keys, order and types differ from the row before; keys share beginnings."""
    random_source = random.Random(3)
    names = [
        "id",
        "i",
        "identity",
        "x" * 7,
        "x" * 8,
        "x" * 9,
        "x" * 70,
        "é",
        "日本",
        "",
        "a\nb",
        "id ",
    ]
    rows = []
    for index in range(3000):
        chosen = random_source.sample(names, random_source.randrange(len(names) + 1))
        if index % 3:
            chosen = names[:5]
        rows.append(
            {name: random_source.choice([index, -0.5, "v", None, [], {}]) for name in chosen}
        )
    assert_same(read(stdlib_json.dumps(rows)), rows)
    assert_same(read(stdlib_json.dumps(rows, ensure_ascii=False)), rows)


def test_results_are_fresh_each_time() -> None:
    text = b'{"a": [1, {"b": 2}]}'
    first, second = json.loads(text), json.loads(text)
    first["a"][1]["b"] = 3
    first["a"].append(9)
    assert second == {"a": [1, {"b": 2}]}
    assert json.loads(text) == second


def test_results_are_ordinary_objects() -> None:
    """Dicts and lists that were read grow, shrink, sort, copy and collect as any other."""
    import copy
    import gc
    import pickle

    value = json.loads(b'[{"a": 1, "b": 2, "c": [3, 1, 2]}, {"a": 4, "b": 5, "c": []}]')
    assert gc.is_tracked(value)
    assert gc.is_tracked(value[0]["c"])
    for row in value:
        row["d"] = 1
        del row["a"]
        row["a"] = 2
        row["c"].extend([5, 4])
        row["c"].sort()
        assert list(row) == ["b", "c", "d", "a"]
    assert value[0]["c"] == [1, 2, 3, 4, 5]
    assert pickle.loads(pickle.dumps(value)) == copy.deepcopy(value) == value
    value.append(value)
    del value
    gc.collect()


# Large real files


@pytest.mark.feature(82)
@pytest.mark.parametrize(
    "name",
    [
        "canada.json",
        "citm_catalog.json",
        "github.json",
        "mesh.json",
        "twitter.json",
        "twitterescaped.json",
    ],
)
def test_real_files_equal_the_standard_library(name: str) -> None:
    data = data_path("datasets", name).read_bytes()
    want = strict_stdlib_loads(data)
    assert_same(json.loads(data), want)
    document = json.parse(data)
    assert_same(document.to_python(), want)
    assert document.dumps() == data
    assert json.check(data) == []
    assert_same(json.loads(json.dumps(document)), want)


@pytest.mark.parametrize("folder", ["json", "ndjson"])
def test_samples_equal_the_standard_library(folder: str) -> None:
    files = [path for path in sorted(data_path("samples", folder).rglob("*")) if path.is_file()]
    texts: list[bytes] = []
    for path in files:
        data = path.read_bytes()
        texts += data.splitlines() if folder == "ndjson" else [data]
    texts = [text for text in texts if text.strip()]
    assert texts
    for text in texts[:2000]:
        assert_same(read(text), strict_stdlib_loads(text))


# The verb itself


def test_arguments() -> None:
    for wrong in (None, 1, 1.5, [], {}, object(), ["[1]"]):
        with pytest.raises(TypeError):
            json.loads(wrong)
    with pytest.raises(TypeError):
        json.loads()
    with pytest.raises(TypeError):
        json.loads(b"1", no_such_option=True)
    with pytest.raises(TypeError):
        json.loads(b"1", lazy_values=True)


def test_decoder_is_loads_with_its_options_bound() -> None:
    decoder = json.Decoder(comments=True, floats="decimal")
    assert str(decoder.loads(b"[1.50 /* c */]")[0]) == "1.50"
    assert decoder.parse(b"[1, // c\n 2]")[1] == 2
    assert decoder.check(b"[1 /* c */]") == []
    assert decoder.check(b"[1,]")[0].code == "trailing-comma"
    for _ in range(50):
        assert decoder.loads(b"[1]") == [1]
    with pytest.raises(octad.DecodeError):
        decoder.loads(b"[1,]")
    assert decoder.loads(b"[2]") == [2]
    strict = json.Decoder()
    assert strict.check(b"[1 /* c */]")
    with pytest.raises(TypeError):
        json.Decoder(no_such_option=1)

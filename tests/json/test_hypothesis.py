"""Random values and random damage: octad against the standard library under octad's own policies.

Owns the strategies; the strict wrapper of the standard library is in tests/support.py.
"""

from __future__ import annotations

import json as stdlib_json
import random
from decimal import Decimal
from typing import Any

import octad
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from octad import json

from tests.support import assert_equal, assert_same, difference, error_of, read, strict_stdlib_loads

characters = st.characters(exclude_categories=("Cs",))
texts = st.text(characters, max_size=40) | st.text('ab\\"\n/\u00e9\u65e5\U0001f600', max_size=80)
integers = (
    st.integers()
    | st.integers(-(2**70), 2**70)
    | st.sampled_from(
        [0, 2**53, 2**55, -(2**55), 2**63 - 1, 2**63, -(2**63), 2**64 - 1, 2**64, 10**30]
    )
)
floats = st.floats(allow_nan=False, allow_infinity=False)
scalars = st.none() | st.booleans() | integers | floats | texts
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=8) | st.dictionaries(texts, inner, max_size=8),
    max_leaves=40,
)


@st.composite
def spelled(draw: st.DrawFn) -> bytes:
    """The text of a random value, in one of the standard library's spellings."""
    value = draw(values)
    return stdlib_json.dumps(
        value,
        ensure_ascii=draw(st.booleans()),
        indent=draw(st.sampled_from([None, 0, 1, 4, "\t"])),
        separators=draw(st.sampled_from([None, (",", ":"), (" ,\r\n", "\t: ")])),
        sort_keys=draw(st.booleans()),
    ).encode()


@pytest.mark.feature(82)
@settings(max_examples=200, deadline=None)
@given(spelled())
def test_reading_equals_the_standard_library(text: bytes) -> None:
    assert_same(read(text), stdlib_json.loads(text))
    assert json.parse(text).dumps() == text


@pytest.mark.feature(29)
@settings(max_examples=250, deadline=None)
@given(values)
def test_writing_equals_the_standard_library(value: Any) -> None:
    compact = stdlib_json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    assert json.dumps(value) == compact.encode()
    assert json.dumps_str(value) == compact
    pure = stdlib_json.dumps(value, separators=(",", ":"))
    assert json.dumps(value, escape="ascii") == pure.encode()


@pytest.mark.feature(89)
@settings(max_examples=120, deadline=None)
@given(spelled())
def test_round_trips(text: bytes) -> None:
    value = json.loads(text)
    document = json.parse(text)
    assert_same(json.loads(json.dumps(value)), value)
    assert_same(json.loads(json.dumps(document)), value)
    assert_same(json.loads(document.dumps()), value)
    assert_same(json.parse(json.dumps(document)).to_python(), value)
    assert document == json.parse(json.dumps(document))
    assert_same(document.copy().to_python(), value)
    # Written from the document, numbers keep their spelling; written twice, nothing changes.
    once = json.dumps(document)
    assert json.dumps(json.parse(once)) == once


@pytest.mark.feature(40)
@settings(max_examples=120, deadline=None)
@given(values)
def test_views_agree_with_plain_values(value: Any) -> None:
    document = json.parse(json.dumps(value))
    check_view(document.root, value)


def check_view(view: Any, value: Any) -> None:
    assert_equal(view, value)
    if isinstance(value, dict):
        assert len(view) == len(value)
        assert list(view) == list(value)
        for key, item in value.items():
            assert key in view
            check_child(view[key], item)
        assert [key for key, _ in view.pairs()] == list(value)
    elif isinstance(value, list):
        assert len(view) == len(value)
        for index, item in enumerate(value):
            check_child(view[index], item)
            check_child(view[index - len(value)], item)
        for child, item in zip(view, value, strict=True):
            check_child(child, item)
    else:
        assert_same(view.value, value)


def check_child(child: Any, value: Any) -> None:
    if isinstance(value, (dict, list)):
        check_view(child, value)
    else:
        assert_same(child, value)


# Damage

SEEDS = [
    b'{"a": [1, -2.5e+10, true, false, null], "b": {"c": "text \\u00e9 \\ud83d\\ude00 \\n"}}',
    '["日本語", "é", "😀", {"naïve": ""}]'.encode(),
    b"[0, -0, 0.0, -0.0, 1e5, 1E-5, 123456789012345678901234567890]",
    b'[[], {}, [[]], [{}], {"": {}}, "", " ", "\\\\", "\\""]',
    b'"' + b"x" * 70 + b'"',
    b"[" + b"1," * 40 + b"1]",
    b'{"k": 1, "k": 2, "l": NaN}',
]
seeds = st.sampled_from(SEEDS)
BYTES = (
    b'{}[]:,"\\ \t\r\n/*-+.eE0123456789truefalsn'
    b"\x00\x01\x1f\x7f\x80\xbf\xc2\xe2\xed\xf0\xf4\xffuUdDx"
)


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A valid text with up to four bytes or stretches changed, removed, repeated or put in."""
    data = bytearray(draw(seeds))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(data)))
        size = draw(st.integers(1, 4))
        piece = bytes(draw(st.lists(st.sampled_from(BYTES), min_size=1, max_size=size)))
        match draw(st.integers(0, 4)):
            case 0:
                data[at : at + 1] = piece[:1]
            case 1:
                del data[at : at + size]
            case 2:
                data[at:at] = piece
            case 3:
                data[at:at] = data[at : at + size]
            case _:
                del data[at:]
    return bytes(data)


def agree(data: bytes) -> None:
    """octad takes a text exactly where the strict standard library does, with the same value."""
    try:
        want = strict_stdlib_loads(data)
    except ValueError:
        error = error_of(json.loads, data)
        assert isinstance(error, octad.DecodeError)
        assert error.offset is not None
        assert 0 <= error.offset <= len(data)
        first, *_ = json.check(data)
        assert (first.code, first.offset) == (error.code, error.offset)
        document = json.try_parse(data)
        if document is not None:
            # A document may keep the text of a number that no double holds.
            assert error.code in ("number-overflow", "digits-limit")
        # Up to its offset the text can be completed; so nothing before it is at fault.
        str(error)
    else:
        got = json.loads(data)
        found = difference(got, want)
        assert found is None, found
        assert_same(json.parse(data).to_python(), want)
        assert json.check(data) == []


@pytest.mark.feature(82, 223, 224)
@settings(max_examples=400, deadline=None)
@given(damaged())
@example(b"-")
@example(b"[1e5\x00]")
@example(b'"\xed\xa0\x80"')
@example(b"\xef\xbb\xbf")
@example(b"[-0, -0.0, 0e1]")
def test_damaged_texts(data: bytes) -> None:
    agree(data)


def damage(source: random.Random) -> bytes:
    """The same kinds of damage, drawn a hundred times as fast."""
    data = bytearray(source.choice(SEEDS))
    for _ in range(source.randint(1, 4)):
        at = source.randint(0, len(data))
        piece = bytes(source.choices(BYTES, k=source.randint(1, 4)))
        match source.randrange(5):
            case 0:
                data[at : at + 1] = piece[:1]
            case 1:
                del data[at : at + len(piece)]
            case 2:
                data[at:at] = piece
            case 3:
                data[at:at] = data[at : at + len(piece)]
            case _:
                del data[at:]
    return bytes(data)


@pytest.mark.feature(223, 224)
@pytest.mark.parametrize("seed", range(4))
def test_many_damaged_texts(seed: int) -> None:
    source = random.Random(seed)
    for _ in range(5000):
        agree(damage(source))


@pytest.mark.feature(224)
@settings(max_examples=400, deadline=None)
@given(st.binary(max_size=60) | st.lists(st.sampled_from(BYTES), max_size=30).map(bytes))
def test_arbitrary_bytes(data: bytes) -> None:
    agree(data)


@pytest.mark.feature(224)
@settings(max_examples=200, deadline=None)
@given(damaged())
def test_lenient_reading_never_crashes_and_agrees_with_itself(data: bytes) -> None:
    options = {
        "nan": "literal",
        "surrogates": "keep",
        "comments": True,
        "trailing_commas": True,
        "overflow": "inf",
        "duplicates": "first",
    }
    problems = json.check(data, **options)
    if problems:
        error = error_of(json.loads, data, **options)
        assert (problems[0].code, problems[0].offset) == (error.code, error.offset)
    else:
        value = json.loads(data, **options)
        document = json.parse(data, **options)
        assert_same(document.to_python(), value)
        assert document.dumps() == data or data.startswith(b"\xef\xbb\xbf")


@pytest.mark.feature(81, 224)
@settings(max_examples=200, deadline=None)
@given(damaged())
def test_lazy_values_never_crash(data: bytes) -> None:
    """What lazy parsing lets through either reads as loads reads it or raises a DecodeError."""
    document = json.try_parse(data, lazy_values=True)
    if document is None:
        error_of(json.loads, data)
        return
    try:
        value = document.to_python()
    except octad.DecodeError:
        error_of(json.loads, data)
    else:
        assert_same(json.loads(data), value)
    assert "Document" in repr(document)
    assert len(document.tape()) >= 1
    walk(document.root)


def walk(view: Any) -> None:
    """Touch everything a view offers; only octad's own errors may come out."""
    for touch in (
        lambda: view.value,
        lambda: str(view),
        lambda: repr(view),
        lambda: view.raw,
        lambda: view.path,
        lambda: view.position,
    ):
        try:
            touch()
        except octad.Error:
            pass
    if isinstance(view, octad.Object):
        try:
            for _, child in view.pairs():
                if isinstance(child, (octad.Object, octad.Array)):
                    walk(child)
        except octad.Error:
            pass
    elif isinstance(view, octad.Array):
        for index in range(len(view)):
            try:
                child = view[index]
            except octad.Error:
                continue
            if isinstance(child, (octad.Object, octad.Array)):
                walk(child)


# Numbers

digits = st.text("0123456789", min_size=1, max_size=30)


@st.composite
def number_texts(draw: st.DrawFn) -> str:
    """Number-like texts, most of them valid."""
    text = draw(st.sampled_from(["", "-", "-", "", "+"])) + draw(digits)
    if draw(st.booleans()):
        text += "." + draw(digits | st.just(""))
    if draw(st.booleans()):
        text += draw(st.sampled_from(["e", "E", "e+", "e-", "E-"])) + draw(
            st.integers(0, 350).map(str) | st.just("")
        )
    return text


@pytest.mark.feature(9)
@settings(max_examples=250, deadline=None)
@given(st.lists(number_texts(), min_size=1, max_size=4))
def test_numbers(numbers: list[str]) -> None:
    agree("[{}]".format(", ".join(numbers)).encode())
    for number in numbers:
        agree(number.encode())
        agree(b'{"a":' + number.encode() + b"}")


@pytest.mark.feature(90)
@settings(max_examples=300, deadline=None)
@given(number_texts())
def test_decimals(text: str) -> None:
    try:
        strict_stdlib_loads(text.encode())
    except ValueError:
        return
    value = json.loads(text, floats="decimal")
    assert_same(value, int(text) if text.lstrip("-").isdigit() else Decimal(text))


@pytest.mark.feature(99)
@settings(max_examples=600, deadline=None)
@given(floats)
def test_floats_are_written_as_python_writes_them(number: float) -> None:
    assert json.dumps(number) == repr(number).encode()
    assert_same(json.loads(json.dumps([number])), [number])


# Strings


@pytest.mark.feature(94, 95)
@settings(max_examples=400, deadline=None)
@given(st.text(max_size=100), st.sampled_from(["minimal", "ascii", "html"]))
def test_strings_with_and_without_surrogates(text: str, escape: str) -> None:
    lone = any(0xD800 <= ord(letter) <= 0xDFFF for letter in text)
    if lone:
        assert error_of(json.dumps, text).code == "lone-surrogate"
        replaced = json.loads(json.dumps(text, surrogates="replace", escape=escape))
        assert replaced == "".join("\ufffd" if 0xD800 <= ord(c) <= 0xDFFF else c for c in text)
    else:
        assert json.loads(json.dumps(text, escape=escape)) == text
    kept = json.dumps(text, surrogates="keep", escape=escape)
    kept.decode()
    back = json.loads(kept, surrogates="keep")
    # Two escapes that stand side by side are one character (RFC 8259, section 7).
    assert back == text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")

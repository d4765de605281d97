"""parse-number-fxx: decimal texts read to the nearest double, by loads and by documents.

Owns the loop over the sample; texts outside of JSON's grammar must be refused, not skipped.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterator

import pytest
from octad import json

from tests.support import accepts, float_bits, refuse
from tests.testdata import data_path

SAMPLE = data_path("conformance", "parse-number-fxx", "sample.txt")
JSON_NUMBER = re.compile(rb"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


def lines() -> Iterator[tuple[bytes, float]]:
    """Each text of the sample with the double it must give."""
    for line in SAMPLE.read_bytes().splitlines():
        if line:
            (want,) = struct.unpack(">d", bytes.fromhex(line[14:30].decode()))
            yield line[31:], want


def finite() -> list[tuple[bytes, float]]:
    return [
        (text, want)
        for text, want in lines()
        if JSON_NUMBER.fullmatch(text) and not math.isinf(want)
    ]


def infinite() -> list[tuple[bytes, float]]:
    """Texts beyond the range of a double (whole numbers stay exact and never overflow)."""
    return [
        (text, want)
        for text, want in lines()
        if JSON_NUMBER.fullmatch(text) and math.isinf(want) and re.search(rb"[.eE]", text)
    ]


def is_whole(text: bytes) -> bool:
    return re.search(rb"[.eE]", text) is None


def check(text: bytes, got: object, want: float) -> str | None:
    """A complaint where a value read is not what the line asks for."""
    if is_whole(text):
        # A whole literal stays an exact int (so -0 is 0), and as a float it is the same double.
        ok = type(got) is int and got == int(text) and float(got) == want
    else:
        ok = type(got) is float and float_bits(got) == float_bits(want)
    return None if ok else f"{text[:60]!r}: {got!r} is not {want!r}"


def test_sample_is_all_there() -> None:
    texts = [text for text, _ in lines()]
    assert len(texts) == 4025
    assert sum(1 for text in texts if JSON_NUMBER.fullmatch(text)) == 4014
    assert len(finite()) > 3900
    assert len(infinite()) > 5


@pytest.mark.feature(9)
def test_loads_is_correctly_rounded() -> None:
    wrong = [c for text, want in finite() if (c := check(text, json.loads(text), want))]
    assert wrong == []


@pytest.mark.feature(9)
def test_inside_one_long_array() -> None:
    """The eager path of a long array, where neighbours are read one after the other."""
    cases = finite()
    values = json.loads(b"[" + b",".join(text for text, _ in cases) + b"]")
    assert len(values) == len(cases)
    assert [c for (t, w), got in zip(cases, values, strict=True) if (c := check(t, got, w))] == []


@pytest.mark.feature(4)
def test_documents_are_correctly_rounded() -> None:
    cases = finite()
    document = json.parse(b"[ " + b" , ".join(text for text, _ in cases) + b" ]")
    values = document.to_python()
    assert [c for (t, w), got in zip(cases, values, strict=True) if (c := check(t, got, w))] == []
    wrong = []
    for index, (text, want) in enumerate(cases):
        if complaint := check(text, document[index], want):
            wrong.append(complaint)
        if document.at(f"/{index}").raw != text:
            wrong.append(f"raw of {text[:60]!r}")
    assert wrong == []
    assert json.dumps(document) == b"[" + b",".join(text for text, _ in cases) + b"]"


@pytest.mark.feature(99)
def test_written_floats_read_back() -> None:
    wrong = []
    for text, want in finite():
        written = json.dumps(want)
        if written != repr(want).encode() or float_bits(json.loads(written)) != float_bits(want):
            wrong.append((text[:60], written))
    assert wrong == []


@pytest.mark.feature(98)
def test_overflow_is_an_error_by_default_and_infinite_on_demand() -> None:
    for text, want in infinite():
        error = refuse(text, late=True)
        assert (error.code, error.offset) == ("number-overflow", 0)
        assert json.loads(text, overflow="inf") == want
        document = json.parse(text, overflow="inf")
        assert document.to_python() == want
        assert document.dumps() == text


def test_other_spellings_are_refused() -> None:
    others = [text for text, _ in lines() if not JSON_NUMBER.fullmatch(text)]
    assert len(others) == 11
    assert [text for text in others if accepts(text)] == []

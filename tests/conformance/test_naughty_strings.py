"""The big list of naughty strings: each survives writing and reading, as value and as key.

Owns the loop over the list; the escapes themselves are tested with the writer.
"""

from __future__ import annotations

import json as stdlib_json

import pytest
from octad import json

from tests.support import assert_equal, assert_same, assert_unequal, read
from tests.testdata import data_path

DATA = data_path("conformance", "naughty-strings", "blns.json").read_bytes()
STRINGS: list[str] = stdlib_json.loads(DATA)


def test_list_is_read_as_it_stands() -> None:
    assert len(STRINGS) == 427
    assert_same(read(DATA), STRINGS)
    assert json.parse(DATA).dumps() == DATA


@pytest.mark.feature(95)
@pytest.mark.parametrize("escape", ["minimal", "ascii", "html"])
def test_each_string_survives(escape: str) -> None:
    wrong = []
    for text in STRINGS:
        written = json.dumps(text, escape=escape)
        kept = (
            json.loads(written) == text
            and stdlib_json.loads(written) == text
            and json.parse(written).to_python() == text
            and json.dumps_str(text, escape=escape).encode() == written
        )
        if not kept:
            wrong.append((text, written))
    assert wrong == []


@pytest.mark.feature(94)
def test_ascii_escape_leaves_only_ascii() -> None:
    assert all(json.dumps(text, escape="ascii").isascii() for text in STRINGS)
    assert json.dumps(STRINGS, escape="ascii").isascii()


@pytest.mark.feature(94)
def test_minimal_escape_is_the_standard_library_without_ascii() -> None:
    for text in STRINGS:
        assert json.dumps(text) == stdlib_json.dumps(text, ensure_ascii=False).encode()


def test_as_keys() -> None:
    value = {text: index for index, text in enumerate(STRINGS)}
    written = json.dumps(value)
    assert_same(read(written), value)
    document = json.parse(written)
    for text, index in value.items():
        assert text in document
        assert document[text] == index
        pointer = "/" + text.replace("~", "~0").replace("/", "~1")
        assert document.at(pointer).value == index
        assert document.at(pointer).pointer == pointer


def test_document_equality_with_each_string() -> None:
    document = json.parse(json.dumps(STRINGS, escape="ascii"))
    assert document.root == STRINGS
    for index, text in enumerate(STRINGS):
        element = document.at(f"/{index}")
        assert_equal(element, text)
        assert_unequal(element, text + "x")

"""JSONTestSuite against the reader: every y_ taken, every n_ refused, an answer to all others.

Owns the verdict on whole files; exact codes and columns are tested in tests/json/test_errors.py.
"""

from __future__ import annotations

from pathlib import Path

import octad
import pytest
from octad import json

from tests.support import assert_same, encoded_length, read, refuse, strict_stdlib_loads
from tests.testdata import data_path

PARSING = data_path("conformance", "jsontestsuite", "test_parsing")
TRANSFORM = data_path("conformance", "jsontestsuite", "test_transform")


def files(folder: Path, prefix: str = "") -> list[Path]:
    return sorted(folder.glob(f"{prefix}*.json"))


def by_name(path: Path) -> str:
    return path.stem


def test_suite_is_all_there() -> None:
    counts = {prefix: len(files(PARSING, prefix)) for prefix in ("y_", "n_", "i_")}
    assert counts["y_"] >= 60
    assert counts["n_"] >= 150
    assert counts["i_"] >= 25
    assert sum(counts.values()) + len(files(TRANSFORM)) == 272


@pytest.mark.feature(82)
@pytest.mark.parametrize("path", files(PARSING, "y_"), ids=by_name)
def test_accepts(path: Path) -> None:
    data = path.read_bytes()
    assert_same(read(data), strict_stdlib_loads(data))


@pytest.mark.feature(82)
@pytest.mark.feature(219)
@pytest.mark.feature(224)
@pytest.mark.parametrize("path", files(PARSING, "n_"), ids=by_name)
def test_refuses(path: Path) -> None:
    data = path.read_bytes()
    error = refuse(data)
    assert 0 <= error.offset <= encoded_length(data)
    assert error.line >= 1
    assert error.column >= 1
    assert isinstance(error, ValueError)
    assert isinstance(error, octad.Error)


@pytest.mark.feature(224)
@pytest.mark.parametrize("path", files(PARSING, "i_"), ids=by_name)
def test_answers_where_the_standard_leaves_room(path: Path) -> None:
    """All ways of reading give the same answer, and it is the strict one."""
    data = path.read_bytes()
    try:
        want = strict_stdlib_loads(data)
    except ValueError:
        refuse(data, late=True)
    else:
        assert_same(read(data), want)


@pytest.mark.parametrize("path", files(PARSING, "i_"), ids=by_name)
def test_every_leniency_survives_undefined_texts(path: Path) -> None:
    data = path.read_bytes()
    for surrogates in ("replace", "keep"):
        options = {"surrogates": surrogates, "overflow": "inf", "nan": "literal"}
        try:
            value = json.loads(data, **options)
        except octad.DecodeError:
            assert json.check(data, **options)
        else:
            assert_same(json.parse(data, **options).to_python(), value)


@pytest.mark.parametrize("path", files(TRANSFORM), ids=by_name)
def test_transforms_as_the_standard_library(path: Path) -> None:
    data = path.read_bytes()
    try:
        want = strict_stdlib_loads(data)
    except ValueError:
        refuse(data, late=True)
        return
    got = read(data)
    assert_same(got, want, ordered=False)
    assert_same(json.loads(json.dumps(got)), got)
    assert json.parse(data).dumps() == data

"""The json.org checker files: pass files are read, fail files are refused.

Owns nothing but the two lists; files marked EXCLUDE are valid under RFC 8259 and must be taken.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import assert_same, read, refuse, strict_stdlib_loads
from tests.testdata import data_path

FOLDER = data_path("conformance", "json-checker")
FAIL = sorted(path for path in FOLDER.glob("fail*.json") if "EXCLUDE" not in path.name)
PASS = sorted([*FOLDER.glob("pass*.json"), *FOLDER.glob("*EXCLUDE*.json")])


def test_suite_is_all_there() -> None:
    assert len(PASS) == 5
    assert len(FAIL) == 25


@pytest.mark.feature(82)
@pytest.mark.parametrize("path", PASS, ids=lambda path: path.stem)
def test_accepts(path: Path) -> None:
    data = path.read_bytes()
    assert_same(read(data), strict_stdlib_loads(data))


@pytest.mark.feature(82)
@pytest.mark.parametrize("path", FAIL, ids=lambda path: path.stem)
def test_refuses(path: Path) -> None:
    refuse(path.read_bytes())

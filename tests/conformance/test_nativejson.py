"""nativejson-benchmark: texts that a compact writer gives back byte for byte, exact values.

Owns the comparison with that suite; roundtrip27 spells an exponent without a plus sign, which a
document keeps, while a fresh write uses Python's spelling of the same double.
"""

from __future__ import annotations

import json as stdlib_json
from pathlib import Path

import pytest
from octad import json

from tests.support import assert_same, float_bits, read
from tests.testdata import data_path

FOLDER = data_path("conformance", "nativejson-roundtrip")
ROUNDTRIP = sorted((FOLDER / "roundtrip").glob("*.json"))
VALUES = [
    stdlib_json.loads(line)
    for line in (FOLDER / "values.jsonl").read_text("utf-8").splitlines()
    if line.strip()
]
RESPELLED = {"roundtrip27": b"[1.7976931348623157e+308]"}


def test_suite_is_all_there() -> None:
    assert len(ROUNDTRIP) == 19
    assert len(VALUES) == 64
    assert set(RESPELLED) <= {path.stem for path in ROUNDTRIP}


@pytest.mark.feature(29)
@pytest.mark.parametrize("path", ROUNDTRIP, ids=lambda path: path.stem)
def test_written_compactly_gives_the_same_bytes(path: Path) -> None:
    data = path.read_bytes()
    value = read(data)
    written = json.dumps(value)
    assert written == RESPELLED.get(path.stem, data.strip())
    assert_same(json.loads(written), value)


@pytest.mark.feature(89)
@pytest.mark.parametrize("path", ROUNDTRIP, ids=lambda path: path.stem)
def test_a_document_keeps_every_spelling(path: Path) -> None:
    data = path.read_bytes()
    document = json.parse(data)
    assert document.dumps() == data
    assert json.dumps(document) == data.strip()


@pytest.mark.feature(9)
@pytest.mark.parametrize("case", VALUES, ids=lambda case: case["json"][:40])
def test_values(case: dict[str, str]) -> None:
    data = case["json"].encode("utf-8", "surrogatepass")
    value = read(data)
    assert isinstance(value, list)
    assert len(value) == 1
    if case["kind"] == "double":
        want = float.fromhex(case["expected_double_hex"])
        assert float_bits(float(value[0])) == float_bits(want)
        if isinstance(value[0], float):
            assert_same(json.loads(json.dumps(value)), value)
    else:
        assert_same(value[0], case["expected_string"])

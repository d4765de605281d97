"""Typed values in files: read into types and written, by every verb that takes a path or a file."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import octad
import pytest
from octad import json

pytestmark = pytest.mark.feature(210)


@dataclass
class Item:
    name: str
    count: int = 1


@dataclass
class Order:
    number: int
    day: date
    items: list[Item] = field(default_factory=list)


ORDER = Order(7, date(2026, 5, 1), [Item("lamp", 2), Item("é")])
TEXT = '{"number":7,"day":"2026-05-01","items":[{"name":"lamp","count":2},{"name":"é","count":1}]}'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "order.json"
    found.write_bytes(TEXT.encode())
    return found


def test_a_path_of_every_kind_is_read_into_a_type(path: Path) -> None:
    for one in (path, str(path), bytes(path)):
        assert json.load(one, Order) == ORDER
        assert octad.load(one, Order) == ORDER
    assert octad.load(path, dict[str, Any])["number"] == 7
    other = path.rename(path.with_suffix(".txt"))
    assert octad.load(other, Order, format="json") == ORDER


def test_an_open_file_of_every_kind_is_read_into_a_type(path: Path) -> None:
    with path.open("rb") as binary:
        assert json.load(binary, Order) == ORDER
    with path.open("rb", buffering=0) as raw:
        assert octad.load(raw, Order) == ORDER
    with path.open(encoding="utf-8") as text:
        assert json.load(text, Order) == ORDER
    assert json.load(io.StringIO(TEXT), Order) == ORDER
    # From its position on.
    file = io.BytesIO(b"# one line\n" + TEXT.encode())
    file.readline()
    assert octad.load(file, Order, format="json") == ORDER


def test_a_mapped_file_is_read_into_a_type(path: Path) -> None:
    for mapped in (False, True):
        with json.open(path, mmap=mapped) as document:
            assert document.to(Order) == ORDER
            assert document.at("/items/0").to(Item) == Item("lamp", 2)
        with octad.open(path, mmap=mapped) as document:
            assert document.at("/items").to(list[Item])[1] == Item("é")


def test_options_hold_for_files(path: Path) -> None:
    path.write_bytes(b'{"NUMBER": "7", "DAY": 86400, "number": 8}')
    options: dict[str, Any] = {"rename": "upper", "numbers_from_text": True, "dates": "epoch"}
    read = json.load(path, Order, **options)
    assert read == Order(7, date(1970, 1, 2))
    assert octad.load(path, Order, settings=octad.Settings(**options)) == read
    api = octad.Codec(octad.Settings(**options))
    assert api.json.load(path, Order) == read
    with pytest.raises(octad.ValidationError):
        json.load(path, Order, unknown="forbid", **options)


def test_errors_name_the_file_and_the_place(path: Path) -> None:
    path.write_text('{"number": 7,\n "day": "2026-02-30"}')
    for load in (json.load, octad.load):
        with pytest.raises(octad.ValidationError) as caught:
            load(path, Order)
        error = caught.value
        assert error.filename == str(path)
        assert (error.line, error.column, error.path) == (2, 9, "$.day")
    with pytest.raises(FileNotFoundError):
        json.load(path.with_name("none.json"), Order)
    with pytest.raises(octad.LimitError) as limited:
        json.load(path, Order, limits=octad.Limits(size=5))
    assert limited.value.filename == str(path)


def test_typed_values_are_written_to_files_and_come_back(path: Path) -> None:
    encoder = json.Encoder(indent=1)
    decoder = json.Decoder(Order)
    for write in (
        lambda: json.dump(ORDER, path),
        lambda: octad.dump(ORDER, path),
        lambda: encoder.dump(ORDER, path),
        lambda: octad.Codec(octad.Settings()).json.dump(ORDER, path),
    ):
        path.write_bytes(b"old")
        write()
        assert json.load(path, Order) == ORDER
        assert decoder.loads(path.read_bytes()) == ORDER
        assert decoder.parse(path.read_bytes()).to(Order) == ORDER
    json.dump(ORDER, path)
    assert path.read_text(encoding="utf-8") == TEXT
    for file in (io.BytesIO(), io.StringIO()):
        encoder.dump(ORDER, file)
        file.seek(0)
        assert json.load(file, Order) == ORDER


def test_a_file_stays_as_it_was_where_a_value_cannot_be_written(path: Path) -> None:
    wrong: Any = Order(1, object(), [])  # type: ignore[arg-type]
    for write in (json.dump, octad.dump, json.Encoder().dump):
        with pytest.raises(octad.EncodeError) as caught:
            write(wrong, path)
        assert caught.value.path == "$.day"
        assert path.read_text(encoding="utf-8") == TEXT
        assert list(path.parent.iterdir()) == [path]


def test_an_existing_object_is_filled_from_a_file(path: Path) -> None:
    order = Order(1, date(2000, 1, 1), [Item("old")])
    octad.load_into(order, path.read_bytes())
    assert order == ORDER
    with json.open(path) as document:
        assert octad.load_into(Order(2, date(2000, 1, 1)), document) == ORDER

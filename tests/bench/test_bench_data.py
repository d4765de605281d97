"""The documents the benchmark generates: same bytes everywhere, stated sizes, every kind of field.

Needs neither octad nor a peer. The sha256 are pinned: a changed one makes old reports and kept
instruction counts incomparable, so it must be a decision and not an accident.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from bench import data, generated

SHA256 = {
    "catalogue": "fd94b8ada7bbd024feec9287021c4bf0317d7033849d8c0bd30dbc567175add9",
    "catalogue-decimal": "3100e7db3391b5c28691583246cdaea49bdbbfcc731024763fb87b8f73703eaa",
    "users-200": "a3c5023a0883924d6daea92ee34177ab1e79f2aa9bab6a175d3f1e1abc458627",
    "users-5000": "a8088cabe63a7168d4a5b08587c6720e6bdc55dfd245427ac07a908c8603dcac",
    "small-80": "22269e8b3cf0d335cc0a9e9fbbe13a5d1262d6e3bf34f8ea7d3c5c19f7eb0cc7",
    "small-1k": "0eaca56204b819dc65356e939c64ebf00f73307d485831c53eecddf81b3ffe86",
}
SIZES = {
    "catalogue": 468_000,
    "catalogue-decimal": 468_000,
    "users-200": 116_000,
    "users-5000": 2_900_000,
    "small-80": 80,
    "small-1k": 1_000,
}


@pytest.mark.parametrize("name", SHA256)
def test_generated_text_has_the_same_bytes_everywhere(name: str) -> None:
    assert data.load(name).sha256 == SHA256[name]


def test_generating_again_gives_the_same() -> None:
    assert generated.compact(generated.catalogue()) == data.load("catalogue").text
    assert generated.compact(generated.users(200)) == data.load("users-200").text


@pytest.mark.parametrize("name", SIZES)
def test_size_is_the_stated_one_within_two_percent(name: str) -> None:
    assert len(data.load(name).text) == pytest.approx(SIZES[name], rel=0.02)


def test_a_shorter_user_list_is_the_start_of_a_longer_one() -> None:
    assert generated.users(20) == generated.users(50)[:20]


def test_text_is_compact_and_reads_back_as_the_object() -> None:
    made = generated.catalogue()
    text = data.load("catalogue").text
    assert json.loads(text) == made
    assert json.dumps(made, ensure_ascii=False, separators=(",", ":")).encode() == text


def moments(value: Any) -> list[datetime]:
    found = []
    for item in value if isinstance(value, list) else value.values():
        if isinstance(item, dict | list):
            found += moments(item)
        elif isinstance(item, str) and item[:2] == "20" and "T" in item:
            found.append(datetime.fromisoformat(item))
    return found


def test_catalogue_has_every_kind_of_field() -> None:
    made = generated.catalogue()
    assert len(made) == 500
    assert all(type(one["supplier"]["address"]["city"]) is str for one in made)
    assert all(one["tags"] and all(type(tag) is str for tag in one["tags"]) for one in made)
    assert all(type(value) is str for one in made for value in one["attributes"].values())
    assert len({tuple(one["attributes"]) for one in made}) > 100
    assert {type(one["price"]["list"]) for one in made} == {float}
    assert {type(one["stock"]["quantity"]) for one in made} == {int}
    assert {one["active"] for one in made} == {True, False}
    for field in ("brand", "rating", "updated"):
        kinds = Counter(type(one[field]) for one in made)
        assert len(kinds) == 2
        assert kinds[type(None)] > 10
    assert len({moment.utcoffset() for moment in moments(made)}) > 3


def test_decimal_catalogue_differs_in_its_prices_only() -> None:
    floats, decimals = generated.catalogue(), generated.catalogue(decimal_prices=True)
    for one, other in zip(floats, decimals, strict=True):
        price, exact = one.pop("price"), other.pop("price")
        assert one == other
        assert type(exact["list"]) is Decimal
        assert exact["list"].as_tuple().exponent == -2
        assert float(exact["list"]) == price["list"]
        assert exact["discount"] is None or float(exact["discount"]) == price["discount"]


def test_decimal_text_keeps_both_places() -> None:
    text = data.load("catalogue-decimal").text
    read = json.loads(text, parse_float=Decimal)
    assert [one["price"] for one in read] == [
        one["price"] for one in generated.catalogue(decimal_prices=True)
    ]
    assert any(str(one["price"]["list"]).endswith("0") for one in read)


def test_users_have_text_beyond_ascii_and_latin1() -> None:
    made = generated.users(200)
    widest = Counter(max(one["name"]) > "\xff" for one in made)
    assert widest[True] > 20
    assert widest[False] > 20
    assert any(one["seen"] is None for one in made)
    assert any(one["balance"] < 0 for one in made)


def test_dice_keep_their_promises() -> None:
    dice = generated.Dice(3)
    assert {dice.between(2, 4) for _ in range(200)} == {2, 3, 4}
    picked = [dice.some_of("abcdef", 2, 4) for _ in range(100)]
    assert {len(one) for one in picked} == {2, 3, 4}
    assert all(one == sorted(set(one)) for one in picked)


def test_public_data_is_found_in_either_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "datasets").mkdir()
    (tmp_path / "datasets" / "github.json").write_bytes(b"[1]")
    (tmp_path / "mesh.json").write_bytes(b"[2]")
    monkeypatch.setenv("OCTAD_TEST_DATA", str(tmp_path))
    assert data.load("github").text == b"[1]"
    assert data.load("mesh").text == b"[2]"
    with pytest.raises(data.MissingDataError, match="OCTAD_TEST_DATA"):
        data.load("canada")
    with pytest.raises(ValueError, match="no data set is called `nosuch`"):
        data.load("nosuch")


def test_generated_documents_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = {name: data._GENERATED[name] for name in ("small-80", "users-200")}
    monkeypatch.setattr(data, "_GENERATED", small)
    paths = data.write_generated(tmp_path / "new")
    assert [path.name for path in paths] == ["small-80.json", "users-200.json"]
    assert hashlib.sha256(paths[1].read_bytes()).hexdigest() == SHA256["users-200"]

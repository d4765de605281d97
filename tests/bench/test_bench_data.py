"""The documents the benchmark generates: same bytes everywhere, stated sizes, every kind of field.

Needs neither octad nor a peer. The sha256 are pinned: a changed one makes old reports and kept
instruction counts incomparable, so it must be a decision and not an accident.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from bench import data, generated

SHA256 = {
    "catalogue": "b105fb6e45b912db805c6565f84e012d4db39ac10e43f3e21a33dcdf2751681b",
    "catalogue-decimal": "9a3c1940d60d6a11ba600b3fa735194f43ab9e67234b4ca6867fbecfc3d1c6a8",
    "users-200": "5774322a6aa31d0f9a0a79532890c53941cf50919648d761ec66f0bd1844ef31",
    "users-5000": "ca3f4cd4d1850c105e838c2a8a4a36b13e49452b75f807ff63732c425ad0fc38",
    "users-20000": "964a17c0465152bb6ab643a776eae938179c90995d5b7ad13c346f30d7598e51",
    "small-80": "22269e8b3cf0d335cc0a9e9fbbe13a5d1262d6e3bf34f8ea7d3c5c19f7eb0cc7",
    "small-1k": "0eaca56204b819dc65356e939c64ebf00f73307d485831c53eecddf81b3ffe86",
    "parts-200": "6a393910bcdfda5f02c71cb6473cc39c8e54914a41d217de7ccb3fe22f14d92c",
}
SIZES = {
    "catalogue": 474_000,
    "catalogue-decimal": 474_000,
    "users-200": 116_000,
    "users-5000": 2_900_000,
    "users-20000": 11_650_000,
    "small-80": 80,
    "small-1k": 1_000,
    "parts-200": 36_400,
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


@dataclass
class Makeup:
    """What a text consists of; a token is a value or a key."""

    tokens: int = 0
    dicts: int = 0
    shapes: Counter[tuple[str, ...]] = field(default_factory=Counter)
    short: Counter[str] = field(default_factory=Counter)

    @property
    def repeating(self) -> float:
        """The share of the string values of up to 32 bytes that stood in the text before."""
        return 1 - len(self.short) / self.short.total()


def makeup(value: Any) -> Makeup:
    found, left = Makeup(), [value]
    while left:
        item = left.pop()
        found.tokens += 1
        if isinstance(item, dict):
            found.tokens += len(item)
            found.dicts += 1
            found.shapes[tuple(item)] += 1
            left += item.values()
        elif isinstance(item, list):
            left += item
        elif isinstance(item, str) and len(item.encode()) <= 32:
            found.short[item] += 1
    return found


def test_makeup_counts_tokens_dicts_shapes_and_repeats() -> None:
    found = makeup([{"a": 1, "b": ["x", "x", "y" * 33]}, {"a": None, "b": {}}, "x", "z"])
    assert (found.tokens, found.dicts, len(found.shapes)) == (16, 3, 2)
    assert found.repeating == 0.5


# Tokens, bytes of text a token, dicts, shapes, share of short strings that repeat: what targets
# for speed and memory rest on. A token is 8 bytes, so 9.5 bytes of text a token are what keeps an
# unread document of records below 0.85 of its text.
@pytest.mark.parametrize(
    ("name", "tokens", "density", "dicts", "shapes", "repeating"),
    [
        ("catalogue", 40_017, 12.0, 3_500, 386, 0.63),
        ("users-200", 12_200, 9.5, 900, 4, 0.48),
        ("users-5000", 304_771, 9.5, 22_481, 4, 0.58),
        ("users-20000", 1_219_000, 9.5, 90_000, 4, 0.60),
    ],
)
def test_makeup_is_the_stated_one(
    name: str, tokens: int, density: float, dicts: int, shapes: int, repeating: float
) -> None:
    text = data.load(name).text
    found = makeup(json.loads(text))
    assert found.tokens == pytest.approx(tokens, rel=0.02)
    assert len(text) / found.tokens == pytest.approx(density, rel=0.025)
    assert found.dicts == pytest.approx(dicts, rel=0.02)
    assert len(found.shapes) == pytest.approx(shapes, rel=0.06)
    assert found.repeating == pytest.approx(repeating, abs=0.02)


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
    for name in ("brand", "rating", "updated"):
        kinds = Counter(type(one[name]) for one in made)
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

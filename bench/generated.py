"""The documents the benchmark makes itself: catalogue, user lists, small messages, a tree.

Knows nothing of files, libraries or timing. Every document follows from a fixed seed through
`random.Random.random` alone, the one method whose sequence Python promises to keep, so the text
has the same bytes on every Python version and platform (the tests pin their sha256).
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any, TypeVar

CATALOGUE_SEED = 20_260_307
USERS_SEED = 71_993
PRODUCTS = 500
PARTS = 200

_Item = TypeVar("_Item")

_NOUNS = (
    "lamp", "kettle", "chair", "drill", "tent", "backpack", "clock", "mirror", "shelf", "speaker",
    "keyboard", "bottle", "blanket", "ladder", "toaster", "helmet", "rug", "monitor", "jacket",
    "grinder",
)  # fmt: skip
_ADJECTIVES = (
    "folding", "quiet", "compact", "oak", "steel", "woven", "bright", "insulated", "wall-mounted",
    "portable", "matte", "heavy-duty", "adjustable", "recycled",
)  # fmt: skip
_CLAUSES = (
    "made to last for years of daily use",
    "comes with a spare set of screws",
    "fits into the smallest hall",
    "tested at minus twenty degrees",
    "sold without batteries",
    'the 24" model has a wider foot',
    "wipe clean with a damp cloth",
    "assembled in ten minutes\nwithout tools",
    "delivered in plain cardboard",
    "the finish may differ from the picture",
)
_BRANDS = ("Norrholm", "Veltan", "Aster & Pike", "Quillmark", "Ostrava Works", "Bluefin")
_TAGS = (
    "new", "sale", "outdoor", "kitchen", "office", "gift", "eco", "bestseller", "kids", "garden",
    "clearance", "limited",
)  # fmt: skip
_ATTRIBUTES = {
    "colour": ("black", "white", "forest green", "sand", "navy"),
    "material": ("oak", "steel", "cotton", "glass", "recycled plastic"),
    "finish": ("matte", "gloss", "brushed"),
    "energy": ("A", "B", "C", "not rated"),
    "origin": ("PT", "PL", "SE", "VN", "TR"),
    "care": ("hand wash", "dry clean only", "wipe"),
    "warranty": ("2 years", "5 years", "10 years"),
    "power": ("230 V", "12 V", "battery"),
    "shape": ("round", "square", "oval"),
    "pack": ("single", "pair", "set of 4"),
    "season": ("summer", "winter", "all year"),
}
_CITIES = (
    ("Porto", "PT"), ("Lund", "SE"), ("Gdynia", "PL"), ("Graz", "AT"), ("Leiden", "NL"),
    ("Aarhus", "DK"), ("Turku", "FI"), ("Bergen", "NO"),
)  # fmt: skip
_STREETS = ("Mill Lane", "Harbour Road", "Station Street", "Birch Avenue", "Old Market", "Quay")
_WAREHOUSES = ("north-1", "north-2", "south-1", "harbour")
_FIRST = (
    "Mara", "Jonas", "Zoë", "Søren", "Inês", "Tomasz", "Aiko", "Łucja", "Omar", "Björn", "Noor",
    "Pavel", "さくら", "Елена", "Hugo", "Ravi",
)  # fmt: skip
_LAST = (
    "Lind", "Okafor", "Müller", "Novák", "Silva", "Kowalska", "Haddad", "Berg", "田中", "Ivanova",
    "Costa", "Nguyen", "Moreau", "O'Shea",
)  # fmt: skip
_ROLES = ("reader", "writer", "editor", "owner", "billing", "auditor")
_CHANNELS = ("email", "phone", "post", "chat")


class Dice:
    """Draws from one `random.Random`, through `random()` only (see the module's header)."""

    def __init__(self, seed: int) -> None:
        self._next: Callable[[], float] = random.Random(seed).random

    def below(self, limit: int) -> int:
        return int(self._next() * limit)

    def between(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included."""
        return low + self.below(high - low + 1)

    def chance(self, share: float) -> bool:
        return self._next() < share

    def one_of(self, items: Sequence[_Item]) -> _Item:
        return items[self.below(len(items))]

    def some_of(self, items: Sequence[_Item], low: int, high: int) -> list[_Item]:
        """`low` to `high` different items in the order of `items`."""
        left = list(items)
        wanted = self.between(low, high)
        while len(left) > wanted:
            del left[self.below(len(left))]
        return left

    def moment(self) -> str:
        """A date-time with offset, as RFC 3339 writes it."""
        hours = self.one_of((-8, -5, 0, 1, 2, 9))
        start = datetime(2021, 1, 1, tzinfo=timezone(timedelta(hours=hours)))
        return (start + timedelta(seconds=self.below(150_000_000))).isoformat()

    def hex(self, digits: int) -> str:
        return "".join(self.one_of("0123456789abcdef") for _ in range(digits))


def _address(dice: Dice) -> dict[str, Any]:
    city, country = dice.one_of(_CITIES)
    return {
        "street": f"{dice.between(1, 180)} {dice.one_of(_STREETS)}",
        "city": city,
        "postcode": str(dice.between(10_000, 99_999)),
        "country": country,
    }


def _product(dice: Dice, number: int, price: Callable[[int], Any]) -> dict[str, Any]:
    noun = dice.one_of(_NOUNS)
    sku = f"{noun[:3].upper()}-{dice.hex(6)}"
    list_cents = dice.between(490, 89_990)
    sentences = dice.some_of(_CLAUSES, 6, 9)
    return {
        "id": 10_000 + number,
        "sku": sku,
        "name": f"{dice.one_of(_ADJECTIVES)} {noun}",
        "description": "; ".join(sentences) + ".",
        "brand": None if dice.chance(0.2) else dice.one_of(_BRANDS),
        "active": dice.chance(0.85),
        "price": {
            "list": price(list_cents),
            "net": price(list_cents * 100 // 123),
            "currency": dice.one_of(("EUR", "SEK", "GBP")),
            "discount": price(dice.between(5, 60)) if dice.chance(0.3) else None,
        },
        "dimensions": {
            "width": dice.between(50, 2_400) / 10,
            "height": dice.between(50, 2_400) / 10,
            "depth": dice.between(50, 2_400) / 10,
            "weight": dice.between(80, 40_000) / 1000,
        },
        "tags": dice.some_of(_TAGS, 1, 3),
        "images": [f"img/{sku.lower()}-{n}.jpg" for n in range(dice.between(1, 2))],
        "attributes": {
            key: dice.one_of(_ATTRIBUTES[key]) for key in dice.some_of(list(_ATTRIBUTES), 2, 6)
        },
        "stock": {
            "quantity": dice.below(2_000),
            "warehouse": dice.one_of(_WAREHOUSES),
            "restock": dice.moment() if dice.chance(0.4) else None,
        },
        "supplier": {
            "name": f"{dice.one_of(_BRANDS)} {dice.one_of(('Trading', 'Supply', 'GmbH'))}",
            "address": _address(dice),
        },
        "rating": dice.between(10, 50) / 10 if dice.chance(0.8) else None,
        "reviews": dice.below(900),
        "created": dice.moment(),
        "updated": dice.moment() if dice.chance(0.7) else None,
    }


def catalogue(*, decimal_prices: bool = False) -> list[dict[str, Any]]:
    """500 products; prices are floats, or `Decimal`s with two places."""
    price: Callable[[int], Any] = _decimal_price if decimal_prices else _float_price
    dice = Dice(CATALOGUE_SEED)
    return [_product(dice, number, price) for number in range(PRODUCTS)]


def _float_price(cents: int) -> float:
    return cents / 100


def _decimal_price(cents: int) -> Decimal:
    return Decimal(cents).scaleb(-2)


def _user(dice: Dice, number: int) -> dict[str, Any]:
    first, last = dice.one_of(_FIRST), dice.one_of(_LAST)
    handle = f"user{number}.{dice.hex(4)}"
    return {
        "id": number + 1,
        "key": "-".join(dice.hex(digits) for digits in (8, 4, 4, 4, 12)),
        "handle": handle,
        "name": f"{first} {last}",
        "email": f"{handle}@example.org",
        "active": dice.chance(0.7),
        "age": dice.between(18, 90) if dice.chance(0.9) else None,
        "balance": dice.between(-50_000, 900_000) / 100,
        "logins": dice.below(5_000),
        "about": f"Is mostly here for {dice.one_of(_TAGS)}: {dice.one_of(_CLAUSES)}.",
        "roles": dice.some_of(_ROLES, 1, 3),
        "joined": dice.moment(),
        "seen": dice.moment() if dice.chance(0.8) else None,
        "address": {
            **_address(dice),
            "geo": {
                "lat": dice.between(-9_000_000, 9_000_000) / 100_000,
                "lon": dice.between(-18_000_000, 18_000_000) / 100_000,
            },
        },
        "contacts": [
            {"channel": dice.one_of(_CHANNELS), "rank": rank, "verified": dice.chance(0.5)}
            for rank in range(dice.between(0, 3))
        ],
        "ratings": [dice.between(1, 5) for _ in range(dice.between(0, 3))],
    }


def users(count: int) -> list[dict[str, Any]]:
    """A list of users; a shorter list is the start of a longer one."""
    dice = Dice(USERS_SEED)
    return [_user(dice, number) for number in range(count)]


def small_80() -> dict[str, Any]:
    """A message of 80 bytes, as a queue or a web socket carries it."""
    return {
        "id": 482137,
        "event": "login",
        "user": "mara.lind",
        "ok": True,
        "ms": 12.5,
        "next": None,
    }


def small_1k() -> dict[str, Any]:
    """A message of 1,000 bytes, as a web hook carries it."""
    dice = Dice(1_000)
    message: dict[str, Any] = {
        "id": "evt_" + dice.hex(16),
        "type": "order.paid",
        "created": dice.moment(),
        "live": True,
        "attempt": 1,
        "previous": None,
        "customer": {"id": 90_417, "name": "Søren Lind", "address": _address(dice)},
        "lines": [
            {
                "sku": f"{noun[:3].upper()}-{dice.hex(6)}",
                "name": f"{dice.one_of(_ADJECTIVES)} {noun}",
                "quantity": dice.between(1, 4),
                "price": dice.between(490, 89_990) / 100,
                "gift": dice.chance(0.2),
            }
            for noun in _NOUNS[:6]
        ],
        "total": 1_284.35,
        "note": "",
    }
    room = 1_000 - len(compact(message))
    message["note"] = ("leave the parcel with the neighbours " * 9)[:room].replace("  ", " ")
    return message


def part(number: int = 0) -> dict[str, Any]:
    """A tree of 200 parts, an object for each of the 200 classes of `bench.typed`."""
    made = datetime(2024, 1, 1, tzinfo=UTC) + timedelta(minutes=number)
    children = (2 * number + 1, 2 * number + 2)
    return {
        "number": number,
        "name": f"part {number}",
        "price": number / 4 if number % 3 else None,
        "made": made.isoformat(),
        "tags": list(_TAGS[: number % 3]),
        "sizes": {"width": number, "height": 7},
        "state": ("new", "used", "gone")[number % 3],
        "place": [number / 2, 1.5],
        "left": part(children[0]) if children[0] < PARTS else None,
        "right": part(children[1]) if children[1] < PARTS else None,
    }


def compact(value: Any) -> bytes:
    """Compact UTF-8 JSON; a `Decimal` is written as the number it shows."""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    except TypeError:  # there is a Decimal in it
        return _text(value).encode()


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ",".join(f"{_text(key)}:{_text(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_text, value)) + "]"
    if isinstance(value, Decimal):
        return str(value)
    return json.dumps(value, ensure_ascii=False)

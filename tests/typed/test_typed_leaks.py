"""Typed reading and writing leave nothing behind: no blocks, no references, on no path."""

from __future__ import annotations

import datetime as dt
import enum
import gc
import sys
import tracemalloc
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Annotated, Any, Literal, NamedTuple, TypedDict

import attrs
import octad
import pytest
from octad import json

from tests.support import block_growth

pytestmark = pytest.mark.feature(223)


class Colour(enum.Enum):
    RED = "red"


class Pair(NamedTuple):
    a: int
    b: str = "b"


class Options(TypedDict, total=False):
    size: int


@dataclass
class Cat:
    kind: Literal["cat"]
    lives: int = 9


@dataclass
class Dog:
    kind: Literal["dog"]
    loud: bool = False


@attrs.define
class Attr:
    a: int
    b: list[int] = attrs.Factory(list)


class Plain:
    def __init__(self, a: int, b: Any = None) -> None:
        self.a, self.b = a, b


@dataclass(slots=True)
class Slots:
    n: int
    next: Slots | None = None


@dataclass
class Everything:
    name: str
    number: Annotated[int, octad.Field(ge=0, aliases=("nr",))]
    when: dt.datetime
    price: Decimal
    data: bytes
    colour: Colour
    pair: Pair
    options: Options
    pet: Cat | Dog
    attr: Attr
    plain: Plain
    slots: Slots
    counts: dict[int, float] = field(default_factory=dict)
    words: frozenset[str] = frozenset()
    big: int = 0
    rest: Annotated[dict[str, Any], octad.Field(extra=True)] = field(default_factory=dict)


TEXT = b"""{
  "name": "n\xc3\xa4me", "nr": 12345, "when": "2024-01-02T03:04:05+02:00", "price": 1.10,
  "data": "aGk=", "colour": "red", "pair": [1000, "x"], "options": {"size": 1000},
  "pet": {"lives": 3000, "kind": "cat"}, "attr": {"a": 1000, "b": [1000]},
  "plain": {"b": [1000], "a": 1}, "slots": {"n": 1, "next": {"n": 2}},
  "counts": {"1": 1.5, "2000": 2.5}, "words": ["a", "bb"], "big": 123456789012345678901234567890,
  "unknown": [1000, {"x": "y"}]
}"""


def growth(action: Callable[[], object]) -> int:
    """Blocks that repetitions leave behind, at best: bounded memories fill up at first."""
    return min(block_growth(action, rounds=300, warm=300) for _ in range(3))


def test_reading_leaves_nothing() -> None:
    decoder = json.Decoder(Everything)
    assert decoder.loads(TEXT).rest == {"unknown": [1000, {"x": "y"}]}
    assert growth(lambda: decoder.loads(TEXT)) < 20
    assert growth(lambda: json.loads(TEXT, list[Any] | Everything)) < 150
    assert growth(lambda: json.parse(TEXT).to(Everything)) < 20
    assert growth(lambda: json.check(TEXT, Everything)) < 20


# What is replaced, by what: each makes another fault.
FAULTS = [
    (b'"name": "n\xc3\xa4me", ', b""),
    (b'"nr": 12345', b'"nr": -5'),
    (b'"nr": 12345', b'"nr": "x"'),
    (b"2024-01-02T", b"2024-13-02T"),
    (b"1.10", b'"x"'),
    (b"aGk=", b"aGk"),
    (b'"red"', b'"blue"'),
    (b'[1000, "x"]', b'[1000, "x", 1]'),
    (b'"size": 1000', b'"size": null'),
    (b'"cat"', b'"cow"'),
    (b'"kind": "cat"', b'"x": 1'),
    (b'"attr": {"a": 1000, ', b'"attr": {'),
    (b'"a": 1}', b'"a": "1"}'),
    (b'{"n": 2}', b'{"n": "2"}'),
    (b'"2000": 2.5', b'"x": 2.5'),
    (b'"bb"', b"5"),
    (b"1234567890123", b"1.5e9"),
    (b'"y"}]\n}', b'"y"}]'),
]


@pytest.mark.parametrize(("old", "new"), FAULTS)
def test_errors_leave_nothing(old: bytes, new: bytes) -> None:
    assert TEXT.count(old) == 1
    text = TEXT.replace(old, new)
    decoder = json.Decoder(Everything)

    def fail() -> None:
        try:
            decoder.loads(text)
        except octad.DecodeError:
            return
        raise AssertionError("read")

    assert growth(fail) < 20
    assert growth(lambda: json.check(text, Everything)) < 20


def test_writing_leaves_nothing() -> None:
    value = json.loads(TEXT, Everything)
    settings = octad.Settings(rename="camel", omit_none=True)
    assert growth(lambda: json.dumps(value)) < 20
    assert growth(lambda: json.dumps(value, settings=settings)) < 20


class Rejecting:
    def __init__(self, a: int) -> None:
        if a == 1:
            raise ValueError("one")
        if a == 2:
            raise KeyError("two")
        self.a = a


@pytest.mark.parametrize("a", [1, 2, 3])
def test_exceptions_of_user_code_leave_nothing(a: int) -> None:
    text = json.dumps([{"a": 0}, {"a": 5000, "x": ["y"] * 10}, {"a": a}, {"a": "x"}])

    def fail() -> None:
        try:
            json.loads(text, list[Rejecting])
        except (octad.ValidationError, KeyError):
            return
        raise AssertionError("read")

    assert growth(fail) < 20


def references(*objects: Any) -> list[int]:
    gc.collect()
    return [sys.getrefcount(one) for one in objects]


def test_references_to_classes_defaults_and_members_are_given_back() -> None:
    default = object()

    class Counted:
        def __init__(self, a: int, b: Any = default) -> None:
            self.a, self.b = a, b

    text = json.dumps([{"a": n} for n in range(50)])
    decoder = json.Decoder(list[Counted])
    # A bounded number of types made anew is remembered.
    for _ in range(500):
        json.loads('["red"]', list[Colour])
    decoder.loads(text)
    before = references(Counted, default, Colour.RED, Colour, None)
    for _ in range(300):
        decoder.loads(text)
        json.loads('["red"]', list[Colour])
    after = references(Counted, default, Colour.RED, Colour, None)
    assert [two - one for one, two in zip(before, after, strict=True)] == pytest.approx(
        [0] * 5, abs=8
    )


def test_cycles_through_classes_and_plans_are_collected() -> None:
    def use() -> weakref.ref[Any]:
        @dataclass
        class Passing:
            a: int

        Passing.decoder = json.Decoder(Passing)  # type: ignore[attr-defined]
        Passing.decoder.loads('{"a": 1}')  # type: ignore[attr-defined]
        return weakref.ref(Passing)

    alive = use()
    # Plans of a bounded number of types are kept; then the oldest go.
    for n in range(1_100):
        json.loads("[]", list[Annotated[int, n]])
    gc.collect()
    assert alive() is None


def test_interrupted_objects_are_given_back_to_the_collector() -> None:
    """What was made before a fault goes with the error."""
    made: list[weakref.ref[Any]] = []

    @dataclass
    class Seen:
        a: int

        def __post_init__(self) -> None:
            made.append(weakref.ref(self))

    for _ in range(20):
        with pytest.raises(octad.ValidationError):
            json.loads('[{"a": 1}, {"a": 2}, {"a": "x"}]', list[Seen])
    gc.collect()
    assert len(made) == 40
    assert not any(one() for one in made)


def test_memory_outside_of_python_is_given_back() -> None:
    """Blocks of the interpreter are one thing; tracemalloc sees the others of its allocators."""
    text = json.dumps([{"n": n, "next": {"n": n}} for n in range(2_000)])
    run: Callable[[], Any] = lambda: json.loads(text, list[Slots])  # noqa: E731
    run()
    gc.collect()
    tracemalloc.start()
    try:
        for _ in range(3):
            run()
        gc.collect()
        first = tracemalloc.get_traced_memory()[0]
        for _ in range(10):
            run()
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] - first < 50_000
    finally:
        tracemalloc.stop()


def test_the_collector_works_as_before_after_an_error() -> None:
    assert gc.isenabled()
    for text in ('[{"n": 1}]', '[{"n": "x"}]', "[{"):
        try:
            json.loads(text, list[Slots])
        except octad.DecodeError:
            pass
        assert gc.isenabled()
    gc.disable()
    try:
        json.loads('[{"n": 1}]', list[Slots])
        assert not gc.isenabled()
    finally:
        gc.enable()

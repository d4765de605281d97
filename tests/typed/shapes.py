"""Every shape of annotation: one text that fits with its exact value, and texts that do not.

The table has all shapes that the comparison of libraries measured, and those that all of them
read. The order of a row: the type, the text, the value, then refused texts with code and path.
"""

from __future__ import annotations

import collections
import collections.abc as abc
import datetime as dt
import enum
import fractions
import ipaddress
import pathlib
import re
import types
import typing
import uuid
import zoneinfo
from dataclasses import KW_ONLY, InitVar, dataclass, field
from decimal import Decimal
from typing import Annotated, Any, Literal, NamedTuple, NewType, Optional, TypedDict, Union

import typing_extensions

T = typing.TypeVar("T")
B = typing.TypeVar("B", bound="Point")
K = typing.TypeVar("K", int, str)


@dataclass
class Point:
    x: int
    y: int = 0


@dataclass(slots=True)
class Slots:
    name: str
    points: list[Point] = field(default_factory=list)


@dataclass(frozen=True)
class Frozen:
    a: int


@dataclass(frozen=True, slots=True)
class FrozenSlots:
    a: int = 1


@dataclass(kw_only=True)
class KwOnly:
    b: str
    a: int = 3


@dataclass
class PartlyKwOnly:
    a: int
    _: KW_ONLY
    b: int = 2


@dataclass
class Child(Point):
    z: float = 0.5


@dataclass
class WithInitVar:
    a: int
    factor: InitVar[int]

    def __post_init__(self, factor: int) -> None:
        self.a *= factor


@dataclass
class PostInit:
    a: int
    double: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self.double = 2 * self.a


@dataclass
class WithClassVar:
    kind: typing.ClassVar[str] = "k"
    a: int = 1


@dataclass
class Tree:
    value: int
    left: Tree | None = None
    children: list[Tree] = field(default_factory=list)


@dataclass
class Box(typing.Generic[T]):
    item: T


@dataclass
class IntBox(Box[int]):
    more: list[int]


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Size(enum.IntEnum):
    SMALL = 1
    LARGE = 2


class Word(enum.StrEnum):
    YES = "yes"
    NO = "no"


class Right(enum.Flag):
    READ = 1
    WRITE = 2


class IntRight(enum.IntFlag):
    READ = 1
    WRITE = 2


class Mixed(enum.Enum):
    ONE = 1
    TEXT = "1"
    TRUE = True
    NOTHING = None
    HALF = 0.5


class Movie(TypedDict):
    title: str
    year: typing.NotRequired[int]


class Loose(TypedDict, total=False):
    a: typing.Required[int]
    b: str


class Locked(TypedDict):
    a: typing_extensions.ReadOnly[int]


class Pair(NamedTuple):
    a: int
    b: str = "b"


OldPair = collections.namedtuple("OldPair", ["a", "b"])


class Plain:
    """Nothing but an annotated `__init__`."""

    def __init__(self, a: int, b: str = "b", *, c: float = 1.0) -> None:
        self.a, self.b, self.c = a, b, c

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plain) and vars(self) == vars(other)


@dataclass
class Cat:
    kind: Literal["cat"]
    lives: int


@dataclass
class Dog:
    kind: Literal["dog"]
    loud: bool


UserId = NewType("UserId", int)
Alias = typing_extensions.TypeAliasType("Alias", "list[int]")
Json = typing_extensions.TypeAliasType(
    "Json", "dict[str, Json] | list[Json] | str | int | float | bool | None"
)
OldAlias: typing.TypeAlias = dict[str, Point]

UTC = dt.UTC
PLUS_TWO = dt.timezone(dt.timedelta(hours=2))
ID = "7b4e5c1e-8f3a-4d15-9d2a-4a1f0e2c3b5d"

Refused = tuple[str, str, str]


class Shape(NamedTuple):
    name: str
    of: Any
    text: str
    value: Any
    refused: tuple[Refused, ...] = ()


def wrong(*texts: str, code: str = "wrong-type", path: str = "$") -> tuple[Refused, ...]:
    return tuple((text, code, path) for text in texts)


SCALARS = [
    Shape("Any", Any, '{"a": [1, null]}', {"a": [1, None]}),
    Shape("object", object, "[1.5]", [1.5]),
    Shape("None", list[None], "[null]", [None], wrong("[0]", '[""]', "[false]", path="$[0]")),
    Shape("NoneType", types.NoneType, "null", None, wrong("0")),
    Shape("bool", bool, "true", True, wrong("1", '"true"', "null")),
    Shape("int", int, "-17", -17, wrong('"1"', "true", "1.5", "null", "[1]", "1.0", "1e2")),
    Shape("big int", int, "123456789012345678901234567890", 123456789012345678901234567890),
    Shape("float", float, "1.5", 1.5, wrong('"1.5"', "true", "null")),
    Shape("float of a whole number", float, "3", 3.0),
    Shape("minus zero", float, "-0.0", -0.0),
    Shape("str", str, '"äé😀"', "äé😀", wrong("1", "null", "true", '["a"]')),
    Shape("LiteralString", typing.LiteralString, '"a"', "a", wrong("1")),
    Shape("AnyStr", typing.AnyStr, '"a"', "a"),
    Shape("bytes", bytes, '"aGk="', b"hi", wrong("1", "null") + wrong('"a"', code="invalid-value")),
    Shape("bytearray", bytearray, '"aGk="', bytearray(b"hi")),
    Shape("memoryview", memoryview, '"aGk="', memoryview(b"hi")),
    Shape("Decimal digits", Decimal, "1.10", Decimal("1.10"), wrong("true", "null")),
    Shape("Decimal text", Decimal, '"1.10"', Decimal("1.10"), wrong('"x"', code="invalid-value")),
    Shape("Decimal exponent", Decimal, "1E+3", Decimal("1E+3")),
    Shape("Fraction", fractions.Fraction, '"1/3"', fractions.Fraction(1, 3)),
    Shape("complex", complex, '"1+2j"', 1 + 2j),
    Shape("UUID", uuid.UUID, f'"{ID}"', uuid.UUID(ID), wrong('"7b"', code="invalid-value")),
    Shape("UUID of hex digits", uuid.UUID, f'"{ID.replace("-", "")}"', uuid.UUID(ID)),
    Shape("Path", pathlib.Path, '"a/b"', pathlib.Path("a/b"), wrong("1")),
    Shape("PurePosixPath", pathlib.PurePosixPath, '"/a"', pathlib.PurePosixPath("/a")),
    Shape("IPv4Address", ipaddress.IPv4Address, '"10.0.0.1"', ipaddress.IPv4Address("10.0.0.1")),
    Shape("IPv6Address", ipaddress.IPv6Address, '"::1"', ipaddress.IPv6Address("::1")),
    Shape(
        "IPv4Network", ipaddress.IPv4Network, '"10.0.0.0/8"', ipaddress.IPv4Network("10.0.0.0/8")
    ),
    Shape("IPv6Interface", ipaddress.IPv6Interface, '"::1/64"', ipaddress.IPv6Interface("::1/64")),
    Shape("Pattern", re.Pattern, '"a+"', re.compile("a+")),
    Shape("Pattern[str]", re.Pattern[str], '"a+"', re.compile("a+")),
    Shape("timezone", dt.timezone, '"+02:00"', PLUS_TWO),
    Shape("ZoneInfo", zoneinfo.ZoneInfo, '"Europe/Lisbon"', zoneinfo.ZoneInfo("Europe/Lisbon")),
    Shape(
        "datetime",
        dt.datetime,
        '"2024-05-06T07:08:09.5+02:00"',
        dt.datetime(2024, 5, 6, 7, 8, 9, 500_000, PLUS_TWO),
        wrong("1", "null") + wrong('"2024-13-01T00:00:00Z"', '"soon"', code="invalid-value"),
    ),
    Shape(
        "datetime without a zone",
        dt.datetime,
        '"2024-05-06T07:08:09"',
        dt.datetime(2024, 5, 6, 7, 8, 9),
    ),
    Shape(
        "datetime in UTC",
        dt.datetime,
        '"2024-05-06T07:08:09Z"',
        dt.datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC),
    ),
    Shape(
        "date",
        dt.date,
        '"2024-02-29"',
        dt.date(2024, 2, 29),
        wrong('"2023-02-29"', code="invalid-value"),
    ),
    Shape(
        "time",
        dt.time,
        '"07:08:09.000001"',
        dt.time(7, 8, 9, 1),
        wrong('"25:00:00"', code="invalid-value"),
    ),
    Shape("time with a zone", dt.time, '"07:08:09+02:00"', dt.time(7, 8, 9, tzinfo=PLUS_TWO)),
    Shape(
        "timedelta",
        dt.timedelta,
        '"P1DT2H3.5S"',
        dt.timedelta(days=1, hours=2, seconds=3.5),
        wrong('"1d"', code="invalid-value"),
    ),
    Shape("timedelta before", dt.timedelta, '"-PT1M"', dt.timedelta(minutes=-1)),
]

CONTAINERS = [
    Shape("list", list, '[1, "a"]', [1, "a"], wrong("{}", '"a"')),
    Shape("list[int]", list[int], "[1, 2]", [1, 2], (("[1, true]", "wrong-type", "$[1]"),)),
    Shape("typing.List", typing.List[int], "[1]", [1]),  # noqa: UP006
    Shape("set", set[int], "[1, 2, 1]", {1, 2}, (('["1"]', "wrong-type", "$[0]"),)),
    Shape("frozenset", frozenset[str], '["a"]', frozenset("a")),
    Shape("tuple", tuple, "[1, 2]", (1, 2)),
    Shape("tuple[int, ...]", tuple[int, ...], "[1, 2, 3]", (1, 2, 3)),
    Shape("tuple[()]", tuple[()], "[]", (), wrong("[1]", code="wrong-length")),
    Shape(
        "tuple[int, str]",
        tuple[int, str],
        '[1, "a"]',
        (1, "a"),
        (*wrong('[1, "a", 2]', "[1]", code="wrong-length"), ('["1", "a"]', "wrong-type", "$[0]")),
    ),
    Shape(
        "tuple[int, *tuple[str, ...]]",
        tuple[int, *tuple[str, ...]],
        '[1, "a", "b"]',
        (1, "a", "b"),
        (("[]", "wrong-length", "$"), ('[1, "a", 2]', "wrong-type", "$[2]")),
    ),
    Shape(
        "tuple with a part in the middle",
        tuple[int, *tuple[str, ...], float],
        '[1, "a", 2]',
        (1, "a", 2.0),
        wrong("[1]", code="wrong-length"),
    ),
    Shape("deque", collections.deque[int], "[1, 2]", collections.deque([1, 2])),
    Shape("dict", dict, '{"a": 1}', {"a": 1}, wrong("[]")),
    Shape(
        "dict[str, int]",
        dict[str, int],
        '{"a": 1}',
        {"a": 1},
        (('{"a": "1"}', "wrong-type", "$.a"),),
    ),
    Shape(
        "dict[int, str]",
        dict[int, str],
        '{"1": "a", "-2": "b"}',
        {1: "a", -2: "b"},
        (('{"x": "a"}', "invalid-value", "$.x"),),
    ),
    Shape("dict[float, int]", dict[float, int], '{"1.5": 1}', {1.5: 1}),
    Shape("dict[bool, int]", dict[bool, int], '{"true": 1}', {True: 1}),
    Shape("dict[UUID, int]", dict[uuid.UUID, int], f'{{"{ID}": 1}}', {uuid.UUID(ID): 1}),
    Shape("dict[date, int]", dict[dt.date, int], '{"2024-01-02": 1}', {dt.date(2024, 1, 2): 1}),
    Shape("dict[Enum, int]", dict[Colour, int], '{"red": 1}', {Colour.RED: 1}),
    Shape("dict[Literal, int]", dict[Literal["a", "b"], int], '{"a": 1}', {"a": 1}),
    Shape(
        "dict[tuple, int]",
        dict[tuple[int, str], int],
        '[[[1, "a"], 5]]',
        {(1, "a"): 5},
    ),
    Shape(
        "defaultdict",
        collections.defaultdict[str, list[int]],
        '{"a": [1]}',
        collections.defaultdict(list, {"a": [1]}),
    ),
    Shape(
        "OrderedDict",
        collections.OrderedDict[str, int],
        '{"b": 1, "a": 2}',
        collections.OrderedDict(b=1, a=2),
    ),
    Shape("Counter", collections.Counter[str], '{"a": 2}', collections.Counter(a=2)),
    Shape(
        "ChainMap",
        collections.ChainMap[str, int],
        '{"a": 1, "b": 2}',
        collections.ChainMap({"a": 1, "b": 2}),
    ),
    Shape(
        "MappingProxyType",
        types.MappingProxyType[str, int],
        '{"a": 1}',
        types.MappingProxyType({"a": 1}),
    ),
    Shape("abc.Iterable", abc.Iterable[int], "[1]", [1]),
    Shape("abc.Collection", abc.Collection[int], "[1]", [1]),
    Shape("abc.Sequence", abc.Sequence[int], "[1]", [1]),
    Shape("abc.MutableSequence", abc.MutableSequence[int], "[1]", [1]),
    Shape("abc.Set", abc.Set[int], "[1]", {1}),
    Shape("abc.MutableSet", abc.MutableSet[int], "[1]", {1}),
    Shape("abc.Mapping", abc.Mapping[str, int], '{"a": 1}', {"a": 1}),
    Shape("abc.MutableMapping", abc.MutableMapping[str, int], '{"a": 1}', {"a": 1}),
    Shape("typing.Mapping", typing.Mapping[str, int], '{"a": 1}', {"a": 1}),
]

UNIONS = [
    Shape("Optional", Optional[int], "null", None, wrong('"a"')),  # noqa: UP045
    Shape("int | None", int | None, "5", 5, wrong('"5"')),
    Shape("int | str, text", int | str, '"a"', "a", wrong("true", "null")),
    Shape("int | str, number", Union[int, str], "1", 1),  # noqa: UP007
    Shape("int | float keeps whole numbers", int | float, "1", 1),
    Shape("int | float reads others", int | float, "1.0", 1.0),
    Shape("float | int keeps whole numbers", float | int, "1", 1),
    Shape("bool | int", bool | int, "true", True),
    Shape("date | str, a date", dt.date | str, '"2024-01-02"', dt.date(2024, 1, 2)),
    Shape("date | str, another text", dt.date | str, '"x"', "x"),
    Shape("dataclass or list, object", Point | list[int], '{"x": 1}', Point(1)),
    Shape("dataclass or list, array", Point | list[int], "[1]", [1]),
    Shape("Literal[str]", Literal["a", "b"], '"a"', "a", wrong('"c"', "1", code="invalid-value")),
    Shape("Literal[int]", Literal[1, 2], "1", 1, wrong("true", "1.0", '"1"', code="invalid-value")),
    Shape("Literal[bool]", Literal[True], "true", True, wrong("1", code="invalid-value")),
    Shape("Literal[None]", Literal[None], "null", None),
    Shape(
        "Literal[Enum member]",
        Literal[Colour.RED],
        '"red"',
        Colour.RED,
        wrong('"blue"', code="invalid-value"),
    ),
    Shape("Literal or None", Literal["a"] | None, "null", None),
    Shape(
        "two dataclasses by a Literal, first",
        Cat | Dog,
        '{"lives": 9, "kind": "cat"}',
        Cat("cat", 9),
    ),
    Shape(
        "two dataclasses by a Literal, second",
        Cat | Dog,
        '{"kind": "dog", "loud": true}',
        Dog("dog", True),
    ),
]

CLASSES = [
    Shape(
        "dataclass",
        Point,
        '{"y": 2, "x": 1}',
        Point(1, 2),
        (
            *wrong("[]", "null", '"a"'),
            ("{}", "missing-field", "$"),
            ('{"x": 1, "y": null}', "wrong-type", "$.y"),
        ),
    ),
    Shape("dataclass with a default", Point, '{"x": 1}', Point(1)),
    Shape("dataclass, unknown field", Point, '{"x": 1, "z": [{}]}', Point(1)),
    Shape("slots", Slots, '{"name": "n", "points": [{"x": 1}]}', Slots("n", [Point(1)])),
    Shape("frozen", Frozen, '{"a": 1}', Frozen(1)),
    Shape("frozen slots", FrozenSlots, "{}", FrozenSlots()),
    Shape("kw_only", KwOnly, '{"b": "x"}', KwOnly(b="x")),
    Shape("KW_ONLY", PartlyKwOnly, '{"b": 1, "a": 5}', PartlyKwOnly(5, b=1)),
    Shape("inheritance", Child, '{"z": 1, "x": 2}', Child(2, 0, 1.0)),
    Shape("ClassVar", WithClassVar, '{"a": 2, "kind": "x"}', WithClassVar(2)),
    Shape(
        "recursive class",
        Tree,
        '{"value": 1, "left": {"value": 2}, "children": [{"value": 3}]}',
        Tree(1, Tree(2), [Tree(3)]),
    ),
    Shape("generic", Box[int], '{"item": 1}', Box(1), (('{"item": "1"}', "wrong-type", "$.item"),)),
    Shape(
        "generic of a generic", Box[list[Box[str]]], '{"item": [{"item": "a"}]}', Box([Box("a")])
    ),
    Shape("generic base", IntBox, '{"item": 1, "more": [2]}', IntBox(1, [2])),
    Shape("unbound TypeVar", Box, '{"item": [1]}', Box([1])),
    Shape("bound TypeVar", list[B], '[{"x": 1}]', [Point(1)]),
    Shape("constrained TypeVar", list[K], '[1, "a"]', [1, "a"]),
    Shape("Enum", Colour, '"blue"', Colour.BLUE, wrong('"green"', "1", code="invalid-value")),
    Shape("IntEnum", Size, "2", Size.LARGE, wrong("3", '"2"', "true", code="invalid-value")),
    Shape("StrEnum", Word, '"yes"', Word.YES),
    Shape("Flag", Right, "3", Right.READ | Right.WRITE),
    Shape("IntFlag", IntRight, "1", IntRight.READ),
    Shape("Enum of kinds, int", Mixed, "1", Mixed.ONE),
    Shape("Enum of kinds, text", Mixed, '"1"', Mixed.TEXT),
    Shape("Enum of kinds, null", Mixed, "null", Mixed.NOTHING),
    Shape("Enum of kinds, float", Mixed, "0.5", Mixed.HALF),
    Shape(
        "TypedDict",
        Movie,
        '{"year": 1, "title": "t"}',
        {"title": "t", "year": 1},
        (('{"year": 1}', "missing-field", "$"),),
    ),
    Shape("TypedDict NotRequired", Movie, '{"title": "t"}', {"title": "t"}),
    Shape("TypedDict total=False", Loose, '{"a": 1}', {"a": 1}, (("{}", "missing-field", "$"),)),
    Shape("TypedDict ReadOnly", Locked, '{"a": 1}', {"a": 1}),
    Shape(
        "NamedTuple from an array",
        Pair,
        '[1, "x"]',
        Pair(1, "x"),
        (('["1"]', "wrong-type", "$[0]"),),
    ),
    Shape("NamedTuple with a default", Pair, "[1]", Pair(1)),
    Shape("NamedTuple from an object", Pair, '{"b": "x", "a": 1}', Pair(1, "x")),
    Shape("namedtuple", OldPair, "[1, null]", OldPair(1, None), wrong("[1]", code="missing-field")),
    Shape(
        "annotated __init__",
        Plain,
        '{"c": 2, "a": 1}',
        Plain(1, c=2.0),
        (('{"b": ""}', "missing-field", "$"),),
    ),
    Shape("NewType", UserId, "5", 5, wrong('"5"')),
    Shape("Annotated", Annotated[int, "anything"], "5", 5),
    Shape("Final", list[Annotated[int, None]], "[5]", [5]),
    Shape("TypeAliasType", Alias, "[1]", [1], (('["1"]', "wrong-type", "$[0]"),)),
    Shape("TypeAlias", OldAlias, '{"p": {"x": 1}}', {"p": Point(1)}),
    Shape(
        "recursive alias",
        Json,
        '{"a": [1, 1.5, {"b": null}, "t", true]}',
        {"a": [1, 1.5, {"b": None}, "t", True]},
    ),
]

SHAPES = [*SCALARS, *CONTAINERS, *UNIONS, *CLASSES]

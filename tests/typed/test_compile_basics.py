"""Annotations of values and containers: which nodes they become.

Snapshots of `octad.describe`; what the nodes read is shown where values are read.
"""

from __future__ import annotations

import collections
import collections.abc as abc
import datetime as dt
import decimal
import enum
import fractions
import ipaddress
import pathlib
import re
import typing
import uuid
import zoneinfo
from collections.abc import Callable
from typing import Annotated, Any, Final, Literal, NamedTuple, NewType, TypedDict

import octad
import pytest
from octad import describe

UserId = NewType("UserId", int)


class Colour(enum.Enum):
    RED = "red"
    BLUE = 2


class Perm(enum.IntFlag):
    READ = 1
    WRITE = 2


class Text(str):
    pass


class Ints(list[int]):
    pass


@pytest.mark.parametrize(
    ("hint", "text"),
    [
        (None, "null"),
        (bool, "bool"),
        (int, "int"),
        (float, "float"),
        (str, "str"),
        (object, "any"),
        (Any, "any"),
        (typing.LiteralString, "str"),
        (UserId, "int"),
        (Final[int], "int"),
        (bytes, "bytes as base64"),
        (bytearray, "bytearray as base64"),
        (memoryview, "memoryview as base64"),
        (decimal.Decimal, "decimal"),
        (dt.datetime, "datetime"),
        (dt.date, "date"),
        (dt.time, "time"),
        (dt.timedelta, "timedelta"),
        (uuid.UUID, "uuid"),
        (octad.Raw, "raw"),
        (octad.Document, "view"),
        (dt.timezone, "an offset such as `+02:00` from str"),
        (zoneinfo.ZoneInfo, "the name of a time zone from str"),
        (fractions.Fraction, "a fraction from int | decimal | str"),
        (pathlib.Path, "a path from str"),
        (pathlib.PurePosixPath, "a path from str"),
        (ipaddress.IPv4Address, "an IPv4 address from str"),
        (ipaddress.IPv6Network, "an IPv6 network from str"),
        (re.Pattern, "a regular expression from str"),
        (re.Pattern[bytes], "a regular expression from bytes as base64"),
        (complex, "a complex number from int | float | str | tuple[float, float]"),
        (Text, "a Text from str"),
        (Ints, "an Ints from list[int]"),
        (Colour, "one of ('red', 2)"),
        (Perm, "one of (1, 2, or what the class makes of another)"),
        (Literal["a", 1, True, None], "one of ('a', 1, True, None)"),
        (Literal[Colour.RED], "one of ('red')"),
    ],
)
@pytest.mark.feature(197, 251)
def test_one_value(hint: Any, text: str) -> None:
    assert describe(hint) == text


@pytest.mark.parametrize(
    ("hint", "text"),
    [
        (list, "list[any]"),
        (list[int], "list[int]"),
        (typing.List[int], "list[int]"),  # noqa: UP006
        (abc.Sequence[int], "list[int]"),
        (abc.MutableSequence[int], "list[int]"),
        (abc.Iterable[int], "list[int]"),
        (abc.Collection[int], "list[int]"),
        (set[int], "set[int]"),
        (abc.Set[int], "set[int]"),
        (abc.MutableSet[int], "set[int]"),
        (frozenset[int], "frozenset[int]"),
        (tuple, "tuple[any, ...]"),
        (tuple[int, ...], "tuple[int, ...]"),
        (tuple[()], "tuple[()]"),
        (tuple[int, str], "tuple[int, str]"),
        (tuple[int, *tuple[str, ...]], "tuple[int, *str]"),
        (tuple[int, *tuple[str, ...], bool], "tuple[int, *str, bool]"),
        (tuple[int, *tuple[str, bool]], "tuple[int, str, bool]"),
        (dict, "dict[str, any]"),
        (dict[str, int], "dict[str, int]"),
        (dict[int, int], "dict[int, int]"),
        (dict[uuid.UUID, int], "dict[uuid, int]"),
        (dict[dt.date, int], "dict[date, int]"),
        (dict[Colour, int], "dict[one of ('red', 2), int]"),
        (dict[int | str, int], "dict[int | str, int]"),
        (dict[tuple[int, int], int], "pairs[tuple[int, int], int]"),
        (abc.Mapping[str, int], "dict[str, int]"),
        (abc.MutableMapping[str, int], "dict[str, int]"),
        (collections.deque[int], "an array from list[int]"),
        (collections.OrderedDict[str, int], "an object from dict[str, int]"),
        (collections.defaultdict[str, list[int]], "an object from dict[str, list[int]]"),
        (collections.Counter[str], "an object of counts from dict[str, int]"),
        (collections.ChainMap[str, int], "an object from dict[str, int]"),
    ],
)
@pytest.mark.feature(195, 198)
def test_container(hint: Any, text: str) -> None:
    assert describe(hint) == text


@pytest.mark.parametrize(
    ("hint", "text"),
    [
        (int | None, "null | int"),
        (int | float, "int | float"),
        (int | str | list[int], "int | str | list[int]"),
        (dt.date | str, "date | str"),
        (str | dt.date, "date | str"),
        (dt.datetime | dt.date | uuid.UUID | str, "uuid | datetime | date | str"),
        (Literal["a"] | int, "int | one of ('a')"),
        (decimal.Decimal | str, "decimal | str"),
        (Literal["a"] | Literal["a", "b"], "one of ('a') | one of ('a', 'b')"),
        (int | Any, "any"),
        (
            ipaddress.IPv4Address | ipaddress.IPv6Address,
            "an IPv4 address from str | an IPv6 address from str",
        ),
        (tuple[int, int] | tuple[int, int, int], "tuple[int, int] | tuple[int, int, int]"),
    ],
)
@pytest.mark.feature(251)
def test_union_by_kind(hint: Any, text: str) -> None:
    assert describe(hint) == text


@pytest.mark.parametrize(
    ("hint", "reason"),
    [
        (list[int] | set[int], "list[int] and set[int], which both take an array"),
        (list[int] | list[str], "list[int] and list[str], which both take an array"),
        (bytes | str, "bytes and str, which both take a text"),
        (pathlib.Path | str, "Path and str, which both take a text"),
        (float | decimal.Decimal, "float and Decimal, which both take a number"),
        (dict[str, int] | dict[str, str], "which all take an object"),
        (Literal["red"] | Colour, "`red` and Colour, which both take `red`"),
        (Callable[[int], int], "found Callable"),
        (type[int], "found type[int]"),
    ],
)
def test_what_cannot_be_told_apart_is_refused(hint: Any, reason: str) -> None:
    with pytest.raises(octad.ContractError, match=re.escape(reason)) as caught:
        describe(hint)
    assert caught.value.code is octad.ErrorCode.INVALID_CONTRACT


class Point(NamedTuple):
    x: int
    y: int = 0


class Movie(TypedDict, total=False):
    name: typing.Required[str]
    year: int


@pytest.mark.feature(156, 251)
def test_named_tuple_and_typed_dict() -> None:
    assert describe(Point) == "Point: array or object, a tuple\n  x: int\n  y: int = 0"
    assert describe(Movie) == "Movie: object, a dict\n  name: str\n  year: int, optional"
    pair = collections.namedtuple("pair", "a b")
    assert describe(pair) == "pair: array or object, a tuple\n  a: any\n  b: any"


@pytest.mark.feature(251)
def test_constraints_are_kept_beside_the_value() -> None:
    level = Annotated[int, octad.Field(ge=1), octad.Field(le=9, ge=0)]
    assert describe(level) == "int(ge=1, le=9)"
    assert describe(Annotated[int | None, octad.Field(ge=1)]) == "null | int(ge=1)"
    assert describe(list[Annotated[str, octad.Field(pattern="a+")]]) == "list[str(pattern='a+')]"
    with pytest.raises(octad.ContractError, match="a type that `ge` means something for"):
        describe(Annotated[str, octad.Field(ge=1)])
    with pytest.raises(octad.ContractError, match="`name=` on a field of a class"):
        describe(list[Annotated[str, octad.Field(name="x")]])

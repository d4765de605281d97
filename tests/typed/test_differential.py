"""Against msgspec and pydantic: generated types, generated data, the same answer or a known reason.

Types are built from scalars, containers, unions, literals, enums and classes; data is made for the
type, then damaged. Where octad and a peer differ on purpose, `excused` says so; any other
difference is a failure.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import enum
import json as stdlib_json
import math
import typing
import uuid
from decimal import Decimal
from typing import Any, Literal

import octad
import pytest
import typing_extensions
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from octad import json

from tests.typed.formats import difference

pytestmark = [pytest.mark.feature(156), pytest.mark.feature(251)]

EFFORT = settings(
    max_examples=300,
    deadline=None,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
        HealthCheck.filter_too_much,
    ],
)


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


# A type, and data that fits it, as plain JSON values.
Made = tuple[Any, st.SearchStrategy[Any]]

_TEXT = st.text(st.characters(codec="utf-8"), max_size=8)
_INTEGERS = st.integers(-(2**63), 2**63 - 1)
_MOMENTS = st.datetimes(
    min_value=dt.datetime(1, 1, 2), max_value=dt.datetime(9999, 12, 30), timezones=st.just(dt.UTC)
)
SCALARS: list[Made] = [
    (int, _INTEGERS),
    (float, st.floats(allow_nan=False, allow_infinity=False)),
    (str, _TEXT),
    (bool, st.booleans()),
    (type(None), st.none()),
    (uuid.UUID, st.uuids().map(str)),
    (dt.datetime, _MOMENTS.map(dt.datetime.isoformat)),
    (dt.date, st.dates().map(dt.date.isoformat)),
    (Colour, st.sampled_from(["red", "blue"])),
    (Level, st.sampled_from([1, 2])),
    (Literal["a", "b"], st.sampled_from("ab")),
    (Literal[1, 2], st.sampled_from([1, 2])),
    (bytes, st.sampled_from(["", "aGk=", "AA=="])),
]
_NAMES = ("a", "b", "c", "other_name")


@st.composite
def classes(draw: Any, inner: st.SearchStrategy[Made]) -> Made:
    """A dataclass of up to four fields, some with defaults; slots or not."""
    needed = draw(st.lists(inner, max_size=3))
    optional = draw(st.lists(inner, max_size=2))
    made = [*needed, *optional][:4]
    required = len(needed)
    fields: list[Any] = []
    for at, (name, (hint, _)) in enumerate(zip(_NAMES, made, strict=False)):
        if at < required:
            fields.append((name, hint))
        else:
            fields.append(
                (name, hint | None if hint is not None else None, dataclasses.field(default=None))
            )
    cls = dataclasses.make_dataclass("Made", fields, slots=draw(st.booleans()))
    cls.__module__ = __name__
    data = st.fixed_dictionaries(
        {name: values for name, (_, values) in zip(_NAMES[:required], made, strict=False)},
        optional={
            name: values
            for name, (_, values) in zip(
                _NAMES[required : len(made)], made[required:], strict=False
            )
        },
    )
    return cls, data


@st.composite
def typed_dicts(draw: Any, inner: st.SearchStrategy[Made]) -> Made:
    made = draw(st.lists(inner, min_size=1, max_size=3))
    pairs = list(zip(_NAMES, made, strict=False))
    cls = typing_extensions.TypedDict("Dict", {name: hint for name, (hint, _) in pairs})  # type: ignore[operator]
    return cls, st.fixed_dictionaries({name: values for name, (_, values) in pairs})


def _containers(inner: st.SearchStrategy[Made]) -> st.SearchStrategy[Made]:
    return st.one_of(
        inner.map(lambda made: (list[made[0]], st.lists(made[1], max_size=4))),
        inner.map(lambda made: (tuple[made[0], ...], st.lists(made[1], max_size=3))),
        inner.map(lambda made: (dict[str, made[0]], st.dictionaries(_TEXT, made[1], max_size=3))),
        st.lists(inner, min_size=1, max_size=3).map(
            lambda made: (
                tuple[tuple(one[0] for one in made)],
                st.tuples(*[one[1] for one in made]).map(list),
            )
        ),
        inner.map(lambda made: (typing.Optional[made[0]], st.none() | made[1])),  # noqa: UP045
        classes(inner),
        typed_dicts(inner),
    )


TYPES: st.SearchStrategy[Made] = st.recursive(st.sampled_from(SCALARS), _containers, max_leaves=6)
_OTHERS = st.sampled_from(
    [None, True, 0, 1, -1, 1.5, 2**70, "", "x", "1", "red", "a", [], [1], {}, {"a": 1}]
)  # fmt: skip


@st.composite
def damaged(draw: Any, value: Any) -> Any:
    """The value with one place replaced, left out, or added."""
    places: list[tuple[Any, Any]] = [(None, None)]
    left = [value]
    while left:
        one = left.pop()
        keys: Any = (
            range(len(one)) if isinstance(one, list) else one if isinstance(one, dict) else ()
        )
        for key in keys:
            places.append((one, key))
            left.append(one[key])
    holder, key = draw(st.sampled_from(places))
    if holder is None:
        return draw(_OTHERS)
    match draw(st.sampled_from(["replace", "remove", "add"])):
        case "replace":
            holder[key] = draw(_OTHERS)
        case "remove":
            del holder[key]
        case _ if isinstance(holder, list):
            holder.append(draw(_OTHERS))
        case _:
            holder[draw(_TEXT)] = draw(_OTHERS)
    return value


@st.composite
def cases(draw: Any) -> tuple[Any, str]:
    hint, values = draw(TYPES)
    value = draw(values)
    if draw(st.booleans()):
        value = draw(damaged(stdlib_json.loads(stdlib_json.dumps(value))))
    return hint, stdlib_json.dumps(value, ensure_ascii=draw(st.booleans()))


def answer(read: Any, *refusals: type[Exception]) -> tuple[bool, Any]:
    try:
        return True, read()
    except refusals as error:
        return False, error


def _octad(hint: Any, text: str) -> tuple[bool, Any]:
    found = answer(lambda: json.loads(text, hint), octad.ValidationError, octad.ContractError)
    problems = json.check(text, hint) if not isinstance(found[1], octad.ContractError) else [1]
    assert found[0] == (problems == []), (found, problems)
    return found


def _numbers(value: Any) -> list[Any]:
    left, found = [value], []
    while left:
        one = left.pop()
        if isinstance(one, dict):
            left += one.values()
        elif isinstance(one, list):
            left += one
        else:
            found.append(one)
    return found


class TestMsgspec:
    """msgspec 0.23 is as strict; these are the differences."""

    def excused(self, text: str, ours: tuple[bool, Any], theirs: tuple[bool, Any]) -> bool:
        values = _numbers(stdlib_json.loads(text))
        # It reads `1.0` as an int, octad does not.
        if any(isinstance(one, float) and one.is_integer() for one in values) and not ours[0]:
            return True
        # It cannot tell all unions apart that octad can, and says so with a TypeError.
        return isinstance(theirs[1], TypeError) or isinstance(ours[1], octad.ContractError)

    @EFFORT
    @given(cases())
    def test_same_answer(self, case: tuple[Any, str]) -> None:
        import msgspec

        hint, text = case
        ours = _octad(hint, text)
        theirs = answer(
            lambda: msgspec.json.decode(text, type=hint), msgspec.ValidationError, TypeError
        )
        if ours[0] != theirs[0]:
            assert self.excused(text, ours, theirs), (ours, theirs)
        elif ours[0]:
            found = difference(ours[1], theirs[1], ordered=False)
            assert found is None, found

    @EFFORT
    @given(cases())
    def test_what_is_written_is_read_by_the_other(self, case: tuple[Any, str]) -> None:
        import msgspec

        hint, text = case
        fits, value = _octad(hint, text)
        if not fits:
            return
        written = json.dumps(value, bytes="base64")
        found = difference(json.loads(written, hint), value, ordered=False)
        assert found is None, found
        fits, theirs = answer(
            lambda: msgspec.json.decode(written, type=hint), msgspec.ValidationError, TypeError
        )
        if fits:
            found = difference(theirs, value, ordered=False)
            assert found is None, found
            again = json.loads(msgspec.json.encode(theirs), hint)
            assert difference(again, value, ordered=False) is None


class TestPydantic:
    """pydantic 2 in its strict mode; these are the differences."""

    def excused(self, text: str, ours: tuple[bool, Any]) -> bool:
        values = _numbers(stdlib_json.loads(text))
        if any(isinstance(one, float) and one.is_integer() for one in values):
            return True
        # It reads dates and moments in more forms, from numbers too.
        if any(isinstance(one, str) and one[:4].isdigit() for one in values):
            return True
        # It takes true for the member 1 of an enum or a Literal.
        if any(isinstance(one, bool) for one in values) and not ours[0]:
            return True
        return isinstance(ours[1], octad.ContractError) or any(
            isinstance(one, int) and abs(one) >= 2**63 for one in values
        )

    @EFFORT
    @given(cases())
    def test_same_answer(self, case: tuple[Any, str]) -> None:
        pydantic = pytest.importorskip("pydantic", reason="pydantic is not installed")
        hint, text = case
        if "bytes" in octad.describe(hint):
            return  # it reads them as UTF-8 unless every class says otherwise
        adapter = pydantic.TypeAdapter(hint)
        ours = _octad(hint, text)
        theirs = answer(lambda: adapter.validate_json(text, strict=True), pydantic.ValidationError)
        if ours[0] != theirs[0]:
            assert self.excused(text, ours), (ours, theirs)
        elif ours[0]:
            found = difference(ours[1], theirs[1], ordered=False)
            assert found is None, found


def test_the_damage_of_this_file_is_noticed() -> None:
    """Values that fit are all read; most damaged ones are refused."""
    read = []

    @settings(EFFORT, max_examples=200, database=None)
    @given(cases())
    def count(case: tuple[Any, str]) -> None:
        read.append(_octad(*case)[0])

    count()
    assert 0.2 < sum(read) / len(read) < 0.98
    assert math.isfinite(len(read))
    assert Decimal

"""Data that other readers let pass: each is refused by default, at the right place.

The first table is the one by which libraries were compared. Then what the text itself gets wrong,
which a typed reading has to notice as well as an untyped one, even in what it skips.
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections import Counter
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Annotated, Any, Literal, NamedTuple, TypedDict

import octad
import pytest
from octad import json

from tests.support import error_of
from tests.typed.formats import Format, assert_same, facts

pytestmark = [pytest.mark.feature(156), pytest.mark.feature(191)]


@dataclass
class Point:
    x: int
    y: int = 0


@dataclass(slots=True)
class Holder:
    items: list[Point] = field(default_factory=list)
    by_name: dict[str, int] = field(default_factory=dict)
    any: Any = None


class Pair(NamedTuple):
    a: int
    b: int


class Movie(TypedDict):
    title: str


COMPARED = [
    ("text for int", '{"x": "1"}', Point, "wrong-type", "$.x"),
    ("boolean for int", '{"x": true}', Point, "wrong-type", "$.x"),
    ("boolean for float", "[true]", list[float], "wrong-type", "$[0]"),
    ("int for bool", "[1]", list[bool], "wrong-type", "$[0]"),
    ("int for str", "[1]", list[str], "wrong-type", "$[0]"),
    ("fraction for int", '{"x": 1.5}', Point, "wrong-type", "$.x"),
    ("null for int", '{"x": null}', Point, "wrong-type", "$.x"),
    ("extra item of a tuple", "[1, 2, 3]", tuple[int, int], "wrong-length", "$"),
    ("missing item of a tuple", "[1]", tuple[int, int], "wrong-length", "$"),
    ("missing item of a named tuple", "[1]", Pair, "missing-field", "$"),
    ("extra item of a named tuple", "[1, 2, 3]", Pair, "wrong-length", "$"),
    ("missing field", "{}", Point, "missing-field", "$"),
    ("missing key", "{}", Movie, "missing-field", "$"),
    ("array for an object", "[1, 2]", Point, "wrong-type", "$"),
    ("object for an array", '{"0": 1}', list[int], "wrong-type", "$"),
    ("text for a list", '"ab"', list[str], "wrong-type", "$"),
    ("null for a list", "null", list[str], "wrong-type", "$"),
    ("number for a date", "20240101", dt.date, "wrong-type", "$"),
    ("day that is none", '"2024-02-30"', dt.date, "invalid-value", "$"),
    ("time zone too far", '"2024-02-01T00:00:00+99:00"', dt.datetime, "invalid-value", "$"),
    ("digits cut from a time", '"2024-02-01T00:00:00.1234567Z"', dt.datetime, "invalid-value", "$"),
    ("UUID in braces", f'"{{{uuid.UUID(int=1)}}}"', uuid.UUID, "invalid-value", "$"),
    ("base64 without padding", '"aGk"', bytes, "invalid-value", "$"),
    ("base64 with a blank", '"aG k="', bytes, "invalid-value", "$"),
    ("number too large for a float", "[1e999]", list[float], "number-overflow", "$[0]"),
    ("case of a Literal", '"A"', Literal["a"], "invalid-value", "$"),
    ("bound of an annotation", "-1", Annotated[int, octad.Field(gt=0)], "out-of-bounds", "$"),
    ("text for a count", '{"a": "1"}', Counter[str], "wrong-type", "$.a"),
    ("number as Decimal text", '"1,5"', Decimal, "invalid-value", "$"),
]


@pytest.mark.parametrize(
    ("text", "of", "code", "path"), [one[1:] for one in COMPARED], ids=[one[0] for one in COMPARED]
)
def test_what_others_let_pass_is_refused(
    text: str, of: Any, code: str, path: str, fmt: Format
) -> None:
    if code == "number-overflow":
        error: Any = error_of(json.loads, text, of)
        assert error_of(json.Decoder(of).loads, text).code == code
        assert error_of(json.parse(text).to, of).code in (code, "out-of-range")
    else:
        error = fmt.refuse(text, of)
    assert (error.code, error.path) == (code, path), str(error)


# What the text gets wrong. Typed reading says the same as reading without a type.
BROKEN = [
    '{"x": NaN}',
    '{"x": Infinity}',
    '{"x": -Infinity}',
    '{"x": 01}',
    '{"x": 1',
    '{"x": 1}}',
    '{"x": 1,}',
    '{"x" 1}',
    "{'x': 1}",
    '{"x": 1} // c',
    '{"x": +1}',
    '{"x": .5}',
    '{"x": 1.}',
    '{"x": 0x1}',
    '{"x": tru}',
    "",
    " ",
    '{"x": 1}\x00',
    '{"x": 1, "name": "\\ud800"}',
    '{"x": 1, "name": "\t"}',
    '{"x": 1, "skipped": [1, {"a": }]}',
    '{"x": 1, "skipped": "\\x"}',
]


@pytest.mark.parametrize("text", BROKEN)
def test_broken_texts_are_refused_as_without_a_type(text: str) -> None:
    untyped = error_of(json.loads, text)
    assert not isinstance(untyped, octad.ValidationError)
    for of in (Point, dict[str, int], Any, list[str]):
        typed = error_of(json.loads, text, of)
        assert facts(typed) == facts(untyped)
        assert type(typed) is type(untyped)


def test_bytes_that_are_no_text_are_refused_even_where_skipped() -> None:
    for data in (
        b'{"x": 1, "skip": "\xff"}',
        b'{"x": 1, "\xff": 1}',
        b'{"x": 1, "s": "\xed\xa0\x80"}',
    ):
        error = error_of(json.loads, data, Point)
        assert error.code == "invalid-utf8"
        assert facts(error) == facts(error_of(json.loads, data))


@pytest.mark.parametrize(
    ("text", "of", "place"),
    [
        ('{"x": 1, "x": 2}', Point, 9),
        ('{"a": 1, "a": 2}', dict[str, int], 9),
        ('{"title": "a", "title": "a"}', Movie, 15),
        ('{"by_name": {"k": 1, "k": 1}}', Holder, 21),
        ('{"items": [{"x": 1, "y": 2, "x": 3}]}', Holder, 28),
    ],
)  # fmt: skip
def test_repeated_keys_are_an_error_unless_asked_for(text: str, of: Any, place: int) -> None:
    error = error_of(json.loads, text, of)
    assert error.code in ("repeated-field", "duplicate-key")
    assert error.offset == place
    problems = json.check(text, of)
    assert [(one.code, one.offset) for one in problems] == [(error.code, place)]
    last = json.loads(text, of, duplicates="last")
    first = json.loads(text, of, duplicates="first")
    assert (first == last) == (of is Movie or (of is Holder and "by_name" in text))
    assert error_of(json.loads, text, of, duplicates="error").offset == place


def test_repeated_keys_of_untyped_parts_are_an_error_too() -> None:
    assert error_of(json.loads, '{"any": {"k": 1, "k": 2}}', Holder).code in (
        "repeated-field",
        "duplicate-key",
    )


def test_two_names_of_one_field_are_a_repetition() -> None:
    @dataclass
    class Aliased:
        a: Annotated[int, octad.Field(aliases=("b",))]

    assert_same(json.loads('{"b": 1}', Aliased), Aliased(1))
    assert error_of(json.loads, '{"a": 1, "b": 2}', Aliased).code == "repeated-field"


def test_keys_that_become_equal_are_a_repetition() -> None:
    for text, of in (
        ('{"1": 1, "1.0": 2}', dict[float, int]),
        ('{"2024-01-01T00:00:00Z": 1, "2024-01-01T01:00:00+01:00": 2}', dict[dt.datetime, int]),
    ):
        assert error_of(json.loads, text, of).code in ("repeated-field", "duplicate-key")


@pytest.mark.parametrize("key", ["01", "1.0", "+1", " 1", "1_0", "", "1e2", "٣"])
def test_keys_of_numbers_are_written_as_numbers_are(key: str, fmt: Format) -> None:
    error = fmt.refuse(f'{{"{key}": 1}}', dict[int, int])
    assert error.code == "invalid-value"


@pytest.mark.parametrize("levels", [900, 1_023])
def test_many_levels_are_read(levels: int) -> None:
    text = "[" * levels + "]" * levels
    value = json.loads(text, Any)
    for _ in range(levels - 1):
        (value,) = value
    assert value == []


@dataclass
class Deep:
    a: Deep | None = None
    b: list[Deep] = field(default_factory=list)


@pytest.mark.feature(86)
@pytest.mark.parametrize("levels", [10_000, 90_000])
def test_ten_thousand_levels_are_an_error_and_no_crash(levels: int) -> None:
    limits = octad.Limits(depth=100_000)
    objects = '{"a": ' * levels + "null" + "}" * levels
    arrays = '{"b": [' * (levels // 2) + "]}" * (levels // 2)
    for text in (objects, arrays):
        assert error_of(json.loads, text, Deep).code == "depth-limit"
        error = error_of(json.loads, text, Deep, limits=limits)
        assert isinstance(error, octad.LimitError)
        assert error.code == "depth-limit"
        assert error_of(json.parse(text, limits=limits).to, Deep).code == "depth-limit"
        problems = json.check(text, Deep, limits=limits)
        assert [one.code for one in problems] == ["depth-limit"]


def test_levels_of_classes_up_to_the_limit_are_read() -> None:
    levels = 900
    value = json.loads('{"a": ' * levels + "{}" + "}" * levels, Deep)
    for _ in range(levels):
        value = value.a
    assert value == Deep()


def test_skipped_parts_are_read_as_carefully_as_the_others() -> None:
    assert_same(json.loads('{"x": 1, "more": {"a": [1, "\\u00e9", 1e5]}}', Point), Point(1))
    assert error_of(json.loads, '{"x": 1, "more": [1e5,]}', Point).code == "trailing-comma"


def test_limits_hold_for_typed_reading() -> None:
    text = '{"items": [{"x": 1}, {"x": 2}]}'
    for limits, code in (
        (octad.Limits(depth=2), "depth-limit"),
        (octad.Limits(size=5), "size-limit"),
        (octad.Limits(tokens=3), "token-limit"),
    ):
        error = error_of(json.loads, text, Holder, limits=limits)
        assert error.code == code
        assert isinstance(error, octad.LimitError)
    many = "9" * 5_000
    assert error_of(json.loads, f'{{"x": {many}}}', Point).code == "digits-limit"
    assert error_of(json.loads, f'{{"{many}": 1}}', dict[int, int]).code in (
        "digits-limit",
        "invalid-value",
    )
    assert json.loads(f"[{many}]", list[int], limits=octad.Limits(digits=None)) == [10**5_000 - 1]


def test_policies_of_words_hold_for_typed_reading() -> None:
    assert json.loads("[NaN]", list[float], nan="literal")[0] != 0
    assert json.loads("[NaN]", list[float | None], nan="null") == [None]
    assert error_of(json.loads, "[NaN]", list[int], nan="literal").code == "wrong-type"
    assert error_of(json.loads, "[NaN]", list[float], nan="null").code == "wrong-type"
    assert json.loads("[1e999]", list[float], overflow="inf") == [float("inf")]
    assert json.loads("[1, // c\n]", list[int], comments=True, trailing_commas=True) == [1]
    assert json.loads('["\\ud800"]', list[str], surrogates="keep") == ["\ud800"]
    assert json.loads('["\\ud800"]', list[str], surrogates="replace") == ["\ufffd"]

"""Constraints: bounds, lengths, patterns, zones, predicates; octad's own and those of others."""

from __future__ import annotations

import collections
import datetime as dt
import time
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any

import octad
import pytest
from octad import Field

from tests.support import error_of
from tests.typed.formats import Format, assert_same

pytestmark = [pytest.mark.feature(251)]

Small = Annotated[int, Field(ge=-1, lt=10)]

# The type, texts that pass, texts that do not with the code.
TABLE: list[tuple[Any, list[str], list[str], str]] = [
    (Small, ["-1", "0", "9"], ["-2", "10", "99999999999999999999999"], "out-of-bounds"),
    (Annotated[int, Field(gt=2**64)], [str(2**64 + 1)], [str(2**64), "-1"], "out-of-bounds"),
    (
        Annotated[float, Field(gt=0, le=1)],
        ["1", "0.5", "5e-324"],
        ["0", "-0.0", "1.0000001"],
        "out-of-bounds",
    ),
    (Annotated[float, Field(ge=0)], ["0", "-0.0", "0.1"], ["-1e-9"], "out-of-bounds"),
    (
        Annotated[Decimal, Field(ge=Decimal("0.1"))],
        ["0.1", '"0.10"'],
        ["0.09", '"-1"'],
        "out-of-bounds",
    ),
    (Annotated[int, Field(multiple_of=5)], ["0", "-10", "15"], ["1", "-3"], "out-of-bounds"),
    (Annotated[float, Field(multiple_of=0.5)], ["1.5", "0", "-2"], ["0.3"], "out-of-bounds"),
    (
        Annotated[Decimal, Field(multiple_of=Decimal("0.01"))],
        ["1.10", "3"],
        ["1.001"],
        "out-of-bounds",
    ),
    (
        Annotated[dt.date, Field(ge=dt.date(2024, 1, 1))],
        ['"2024-01-01"'],
        ['"2023-12-31"'],
        "out-of-bounds",
    ),
    (
        Annotated[dt.timedelta, Field(lt=dt.timedelta(hours=1))],
        ['"PT59M"'],
        ['"PT1H"'],
        "out-of-bounds",
    ),
    (
        Annotated[str, Field(min_length=2, max_length=3)],
        ['"ab"', '"äöü"', '"😀😀"'],
        ['"a"', '"abcd"', '""'],
        "wrong-length",
    ),
    (Annotated[bytes, Field(max_length=2)], ['"aGk="'], ['"aGkh"'], "wrong-length"),
    (
        Annotated[list[int], Field(min_length=1, max_length=2)],
        ["[1]", "[1, 2]"],
        ["[]", "[1, 2, 3]"],
        "wrong-length",
    ),
    (Annotated[set[int], Field(min_length=2)], ["[1, 2]"], ["[1, 1]"], "wrong-length"),
    (Annotated[tuple[int, ...], Field(max_length=1)], ["[]"], ["[1, 2]"], "wrong-length"),
    (
        Annotated[dict[str, int], Field(max_length=1)],
        ["{}", '{"a": 1}'],
        ['{"a": 1, "b": 2}'],
        "wrong-length",
    ),
    (Annotated[str, Field(pattern="^[a-z]+$")], ['"abc"'], ['"aBc"', '""'], "no-match"),
    (Annotated[str, Field(pattern="b")], ['"abc"', '"b"'], ['"ac"'], "no-match"),
    (Annotated[str, Field(pattern=r"^\d{4}$")], ['"2024"'], ['"24"', '"20245"'], "no-match"),
    (Annotated[int, Field(ge=0)] | None, ["null", "1"], ["-1"], "out-of-bounds"),
    (list[Annotated[int, Field(ge=0)]], ["[]", "[1]"], ["[1, -1]"], "out-of-bounds"),
    (dict[Annotated[str, Field(min_length=2)], int], ['{"ab": 1}'], ['{"a": 1}'], "wrong-length"),
    (dict[Annotated[int, Field(ge=1)], int], ['{"1": 1}'], ['{"0": 1}'], "out-of-bounds"),
    (
        Annotated[Annotated[int, Field(ge=0)], Field(le=9)],
        ["0", "9"],
        ["-1", "10"],
        "out-of-bounds",
    ),
]


@pytest.mark.parametrize("row", TABLE, ids=[str(row[0])[:60] for row in TABLE])
def test_bounds_lengths_and_patterns(
    row: tuple[Any, list[str], list[str], str], fmt: Format
) -> None:
    of, passing, failing, code = row
    for text in passing:
        fmt.loads(text, of)
    for text in failing:
        error = fmt.refuse(text, of)
        assert error.code == code, (text, str(error))


def test_messages_name_the_bound_and_the_value(fmt: Format) -> None:
    error = fmt.refuse('{"a": 12}', dict[str, Small])
    assert error.path == "$.a"
    assert "10" in error.expected
    assert "`12`" in error.message
    error = fmt.refuse('"abcd"', Annotated[str, Field(max_length=3)])
    assert "3" in error.expected
    assert "4" in error.found


def test_nan_is_in_no_bounds() -> None:
    for field in (Field(ge=0), Field(le=0), Field(gt=0), Field(lt=0)):
        error = error_of(octad.json.loads, "NaN", Annotated[float, field], nan="literal")
        assert error.code == "out-of-bounds"


def test_fields_of_classes_are_checked_and_their_defaults_are_not(fmt: Format) -> None:
    @dataclass
    class Item:
        n: Annotated[int, Field(ge=1)] = 0
        name: Annotated[str, Field(max_length=3)] = "long enough"

    assert_same(fmt.loads("{}", Item), Item())
    assert fmt.refuse('{"n": 0}', Item).path == "$.n"


class AnnotatedTypes:
    """Classes that only look like those of the package `annotated_types`."""

    @staticmethod
    def made(name: str, **fields: Any) -> Any:
        cls = type(name, (), {"__module__": "annotated_types"})
        made = cls()
        for key, value in fields.items():
            setattr(made, key, value)
        return made


def is_even(number: int) -> bool:
    return number % 2 == 0


FOREIGN = [
    (Annotated[int, AnnotatedTypes.made("Gt", gt=0)], "1", "0", "out-of-bounds"),
    (Annotated[int, AnnotatedTypes.made("Le", le=5)], "5", "6", "out-of-bounds"),
    (Annotated[int, AnnotatedTypes.made("MultipleOf", multiple_of=3)], "6", "7", "out-of-bounds"),
    (Annotated[str, AnnotatedTypes.made("MinLen", min_length=2)], '"ab"', '"a"', "wrong-length"),
    (Annotated[str, AnnotatedTypes.made("MaxLen", max_length=2)], '"ab"', '"abc"', "wrong-length"),
    (Annotated[int, AnnotatedTypes.made("Predicate", func=is_even)], "2", "3", "rejected"),
    (
        Annotated[dt.datetime, AnnotatedTypes.made("Timezone", tz=...)],
        '"2024-01-01T00:00:00Z"',
        '"2024-01-01T00:00:00"',
        None,
    ),
    (
        Annotated[dt.datetime, AnnotatedTypes.made("Timezone", tz=None)],
        '"2024-01-01T00:00:00"',
        '"2024-01-01T00:00:00Z"',
        None,
    ),
]


@pytest.mark.parametrize("row", FOREIGN, ids=[str(one[0])[-60:] for one in FOREIGN])
def test_annotated_types_are_enforced(row: tuple[Any, str, str, str | None], fmt: Format) -> None:
    of, passing, failing, code = row
    fmt.loads(passing, of)
    error = fmt.refuse(failing, of)
    assert code is None or error.code in (code, "invalid-value")


def test_constraints_of_msgspec_are_enforced(fmt: Format) -> None:
    import msgspec

    of = Annotated[int, msgspec.Meta(ge=1, lt=5)]
    assert fmt.loads("4", of) == 4
    assert fmt.refuse("5", of).code == "out-of-bounds"
    assert fmt.refuse('"b"', Annotated[str, msgspec.Meta(pattern="^a")]).code == "no-match"
    assert fmt.refuse("[]", Annotated[list[int], msgspec.Meta(min_length=1)]).code == "wrong-length"


def test_real_annotated_types_are_enforced(fmt: Format) -> None:
    at = pytest.importorskip("annotated_types", reason="annotated-types is not installed")
    assert fmt.refuse("0", Annotated[int, at.Gt(0)]).code == "out-of-bounds"
    assert fmt.refuse("11", Annotated[int, at.Interval(ge=0, le=10)]).code == "out-of-bounds"
    assert fmt.refuse('"a"', Annotated[str, at.Len(2, 3)]).code == "wrong-length"


def test_unknown_metadata_is_skipped(fmt: Format) -> None:
    assert fmt.loads("5", Annotated[int, "text", object(), {"ge": 9}]) == 5


@pytest.mark.parametrize(
    "of",
    [
        Annotated[int, Field(min_length=1)],
        Annotated[str, Field(ge=1)],
        Annotated[list[int], Field(pattern="a")],
        Annotated[int, Field(pattern="a")],
        Annotated[bool, Field(multiple_of=2)],
    ],
)
def test_constraints_that_mean_nothing_are_refused_before_any_data(of: Any) -> None:
    with pytest.raises(octad.ContractError):
        octad.json.loads(b"", of)


@pytest.mark.parametrize("pattern", ["(", "[a", r"(a)\1", "(?=a)"])
def test_patterns_without_a_linear_engine_are_refused_before_any_data(pattern: str) -> None:
    with pytest.raises((octad.ContractError, ValueError)):
        octad.json.loads(b'"aa"', Annotated[str, Field(pattern=pattern)])


@pytest.mark.feature(223)
def test_hostile_text_cannot_make_a_pattern_slow() -> None:
    of = Annotated[str, Field(pattern="^(a+)+$")]
    text = '"' + "a" * 50_000 + '!"'
    start = time.process_time()
    assert error_of(octad.json.loads, text, of).code == "no-match"
    assert time.process_time() - start < 2.0


def test_many_items_are_counted_not_seen_twice(fmt: Format) -> None:
    of = Annotated[collections.deque[int], Field(max_length=3)]
    assert fmt.loads("[1, 2, 3]", of) == collections.deque([1, 2, 3])
    assert fmt.refuse("[1, 2, 3, 4]", of).code == "wrong-length"


def test_a_predicate_that_raises_passes_its_exception_on(fmt: Format) -> None:
    def angry(value: int) -> bool:
        raise ZeroDivisionError("no")

    of = list[Annotated[int, AnnotatedTypes.made("Predicate", func=angry)]]
    with pytest.raises((ZeroDivisionError, octad.ValidationError)) as caught:
        fmt.verbs.loads(fmt.data("[1]"), of)
    assert "no" in str(caught.value)


TENTH = Decimal("0.1")


@pytest.mark.parametrize(
    ("hint", "data", "met"),
    [
        (Annotated[Decimal, Field(multiple_of=TENTH)], "1e50", True),
        (Annotated[Decimal, Field(multiple_of=TENTH)], '"1e4000"', True),
        (Annotated[Decimal, Field(multiple_of=TENTH)], "-12.30", True),
        (Annotated[Decimal, Field(multiple_of=TENTH)], "0e-999999", True),
        (Annotated[Decimal, Field(multiple_of=TENTH)], "0.15", False),
        (Annotated[Decimal, Field(multiple_of=TENTH)], "1e-999999999", False),
        (Annotated[Decimal, Field(multiple_of=3)], "1e999999", False),
        (Annotated[Decimal, Field(multiple_of=3)], "3e999999", True),
        (Annotated[int, Field(multiple_of=0.1)], "1" + "0" * 400, True),
        (Annotated[int, Field(multiple_of=0.2)], "3", True),
        (Annotated[int, Field(multiple_of=7)], str(7**500), True),
        (Annotated[int, Field(multiple_of=7)], str(7**500 + 1), False),
    ],
)
def test_multiples_are_exact_whatever_their_size(hint: Any, data: str, met: bool) -> None:
    if met:
        octad.json.loads(data, hint)
        assert octad.json.check(data, hint) == []
    else:
        assert error_of(octad.json.loads, data, hint).code == "out-of-bounds"
        assert [one.code for one in octad.json.check(data, hint)] == ["out-of-bounds"]


@pytest.mark.parametrize("text", ['"NaN"', '"Infinity"', '"-Infinity"'])
def test_decimals_that_are_no_numbers_come_in_where_nan_does(text: str) -> None:
    assert error_of(octad.json.loads, text, Decimal).code == "invalid-value"
    for options in ({"nan": "literal"}, {"settings": octad.Settings(nan="string")}):
        read = octad.json.loads(text, Decimal, **options)
        assert str(read) == text.strip('"')
        bounded = Annotated[Decimal, Field(ge=0, le=10**9)]
        assert error_of(octad.json.loads, text, bounded, **options).code == "out-of-bounds"
        tenths = Annotated[Decimal, Field(multiple_of=TENTH)]
        error_of(octad.json.loads, text, tenths, **options)
        assert octad.json.check(text, tenths, **options)
    assert error_of(octad.json.loads, '"sNaN"', Decimal, nan="literal").code == "invalid-value"


@pytest.mark.parametrize(
    "hint",
    [
        Annotated[int, Field(multiple_of=0)],
        Annotated[float, Field(multiple_of=-1)],
        Annotated[float, Field(multiple_of=float("inf"))],
        Annotated[int, Field(ge="a")],
        Annotated[int, Field(ge=float("nan"))],
        Annotated[Decimal, Field(lt=Decimal("sNaN"))],
        Annotated[dt.datetime, Field(ge=dt.date(2026, 1, 1))],
        Annotated[dt.date, Field(ge=dt.datetime(2026, 1, 1))],
        Annotated[int, Field(ge=5, le=1)],
        Annotated[int, Field(gt=5, le=5)],
        Annotated[str, Field(min_length=5, max_length=1)],
    ],
)
def test_constraints_that_nothing_can_meet_are_refused_before_any_data(hint: Any) -> None:
    with pytest.raises(octad.ContractError):
        octad.json.loads("3", hint)


def test_a_refused_pattern_says_why() -> None:
    with pytest.raises(octad.ContractError, match="look-around"):
        octad.json.loads('"b"', Annotated[str, Field(pattern="(?=a)b")])

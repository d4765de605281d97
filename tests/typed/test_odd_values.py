"""Values at the edges of their types: read back as they were, or refused with a reason."""

from __future__ import annotations

import dataclasses
import datetime as dt
import enum
from collections import defaultdict
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal

import octad
import pytest
from octad import Settings, json

from tests.support import error_of


@pytest.mark.parametrize(
    ("data", "value"),
    [
        ("0.1", Fraction(1, 10)),
        ('"0.1"', Fraction(1, 10)),
        ("3", Fraction(3)),
        ("1e30", Fraction(10**30)),
        ('"-1/3"', Fraction(-1, 3)),
        ('"2.5e-3"', Fraction(1, 400)),
        ("12345678901234567890.12345", Fraction(Decimal("12345678901234567890.12345"))),
    ],
)
def test_fractions_are_exact(data: str, value: Fraction) -> None:
    assert json.loads(data, Fraction) == value


@pytest.mark.parametrize(
    "data",
    [
        '"1e1000000000"',
        '"1e-1000000000"',
        '"1E+99999999999999999999999"',
        '"1e1_000_000_000"',
        "1e1000000000",
        "1e-1000000000",
        '"' + "9" * 5000 + '/3"',
        '"1/0"',
        '"x"',
    ],
)
def test_a_fraction_of_too_many_digits_is_refused_at_once(data: str) -> None:
    # Unbounded, the first of them takes hours.
    with pytest.raises(octad.Error):
        json.loads(data, Fraction)


def test_a_bare_defaultdict_has_no_factory() -> None:
    read = json.loads('{"a": 1}', defaultdict)
    assert (read, read.default_factory) == ({"a": 1}, None)
    assert json.loads("{}", defaultdict[str, list[int]])["x"] == []
    assert json.loads("{}", defaultdict[str, Any]).default_factory is None


class Colour(enum.Enum):
    RED = "red"
    NONE = None


class Only(enum.Enum):
    NONE = None


def test_an_enum_with_null_beside_null_is_ambiguous() -> None:
    for hint in (Colour | None, Only | None):
        with pytest.raises(octad.ContractError, match="null"):
            json.loads("null", hint)
    assert json.loads('[null, "red"]', list[Colour]) == [Colour.NONE, Colour.RED]
    assert json.loads("null", Literal["a", None] | None) is None


@dataclass
class First:
    k: Literal["a"]


@dataclass
class Mixed:
    k: Literal["c", 1, True]


def test_one_and_true_do_not_tell_classes_apart() -> None:
    assert json.loads('{"k": true}', Mixed).k is True
    with pytest.raises(octad.ContractError):
        json.loads('{"k": true}', First | Mixed)


@octad.contract(enum="name")
class Rights(enum.Flag):
    READ = 1
    WRITE = 2


def test_flags_by_name_come_back_the_empty_one_too() -> None:
    for rights in (Rights(0), Rights.READ, Rights.READ | Rights.WRITE):
        assert json.loads(json.dumps(rights), Rights) == rights
    assert json.dumps(Rights(0)) == b'""'


@dataclass
class MayBeUnset:
    a: int | octad.UnsetType = octad.UNSET


@dataclass
class Misused:
    a: int = octad.UNSET  # type: ignore[assignment]


def test_unset_is_never_written() -> None:
    assert json.dumps(MayBeUnset()) == b"{}"
    for value, path in (
        ([octad.UNSET], "$[0]"),
        ({"a": octad.UNSET}, "$.a"),
        ([Misused()], "$[0].a"),
    ):
        error = error_of(json.dumps, value)
        assert (error.code, error.path) == ("unsupported-type", path)


@dataclass
class Clashing:
    a_b: int = 1
    aB: int = 2  # noqa: N815
    b: int = 3


def test_names_that_clash_are_written_no_more_than_read() -> None:
    for settings in (Settings(rename="camel"), Settings(rename={"a_b": "b"})):
        with pytest.raises(octad.ContractError):
            json.dumps(Clashing(), settings=settings)
        with pytest.raises(octad.ContractError):
            json.loads("{}", Clashing, settings=settings)


@pytest.mark.feature(192)
@pytest.mark.parametrize("form", ["epoch", "epoch_ms", "microsoft", "%d.%m.%Y"])
def test_dates_have_every_form_both_ways(form: str) -> None:
    settings = Settings(dates=form)
    days = [dt.date(2026, 1, 2), dt.date(1969, 12, 31), dt.date(1, 1, 1), dt.date(9999, 12, 31)]
    assert json.loads(json.dumps(days, settings=settings), list[dt.date], settings=settings) == days


def test_a_moment_that_utc_does_not_have_is_octads_error() -> None:
    far = dt.timezone(dt.timedelta(hours=14))
    error = error_of(json.dumps, [dt.datetime(1, 1, 1, tzinfo=far)], settings=Settings(zones="utc"))
    assert (error.code, error.path) == ("invalid-datetime", "$[0]")


def test_only_what_equals_the_default_is_left_out_as_one() -> None:
    @dataclass
    class Numbers:
        a: float = 0.0
        b: float = 1.5
        c: int = 0

    settings = Settings(omit_defaults=True)
    assert json.dumps(Numbers(), settings=settings) == b"{}"
    assert json.dumps(Numbers(a=-0.0), settings=settings) == b'{"a":-0.0}'
    assert json.dumps(Numbers(c=False), settings=settings) == b'{"c":false}'


def test_a_default_that_cannot_be_compared_is_written() -> None:
    class Row(list[int]):
        def __eq__(self, _other: object) -> bool:
            raise ValueError("not as a whole")

        __hash__ = None  # type: ignore[assignment]

    @dataclass
    class Holder:
        row: Row = dataclasses.field(default_factory=lambda: Row([1]))

    assert json.dumps(Holder(), settings=Settings(omit_defaults=True)) == b'{"row":[1]}'

"""Constraints and classes of other packages, recognised without importing them.

annotated-types and pydantic are tried where they are installed; stand-ins for the former show the
same where it is not.
"""

from __future__ import annotations

import datetime as dt
import importlib.util
import math
import subprocess
import sys
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Annotated, Any, Literal

import msgspec
import pytest
from octad import ContractError, describe
from octad._contract import compile_type


def stand_in() -> Any:
    """Classes as annotated-types has them, as far as they are read."""
    made: dict[str, Any] = {}
    base = type("BaseMetadata", (), {"__module__": "annotated_types"})

    def of(name: str, *attributes: str, bases: tuple[type, ...] = (base,), **more: Any) -> None:
        def init(self: Any, *given: Any, **named: Any) -> None:
            for attribute in attributes:
                setattr(self, attribute, named.get(attribute))
            for attribute, value in zip(attributes, given, strict=False):
                setattr(self, attribute, value)

        made[name] = type(name, bases, {"__init__": init, "__module__": "annotated_types", **more})

    for name, attribute in (("Gt", "gt"), ("Ge", "ge"), ("Lt", "lt"), ("Le", "le")):
        of(name, attribute)
    of("MultipleOf", "multiple_of")
    of("MinLen", "min_length")
    of("MaxLen", "max_length")
    of("Timezone", "tz")
    of("Predicate", "func")
    of("Unit", "unit")
    of("GroupedMetadata", bases=(object,))
    grouped = (made["GroupedMetadata"],)

    def interval(self: Any) -> Any:
        for name in ("Gt", "Ge", "Lt", "Le"):
            if getattr(self, name.lower()) is not None:
                yield made[name](getattr(self, name.lower()))

    def length(self: Any) -> Any:
        yield made["MinLen"](self.min_length)
        if self.max_length is not None:
            yield made["MaxLen"](self.max_length)

    of("Interval", "gt", "ge", "lt", "le", bases=grouped, __iter__=interval)
    of("Len", "min_length", "max_length", bases=grouped, __iter__=length)
    return SimpleNamespace(**made)


installed = importlib.util.find_spec("annotated_types") is not None


@pytest.fixture(
    params=[
        "stand-in",
        pytest.param(
            "installed",
            marks=pytest.mark.skipif(not installed, reason="annotated-types is not installed"),
        ),
    ]
)
def at(request: pytest.FixtureRequest) -> Any:
    return stand_in() if request.param == "stand-in" else pytest.importorskip("annotated_types")


@pytest.mark.feature(251)
def test_constraints_of_annotated_types(at: Any) -> None:
    rows = [
        (Annotated[int, at.Gt(0)], "int(gt=0)"),
        (Annotated[int, at.Ge(0), at.Ge(3), at.Lt(9)], "int(ge=3, lt=9)"),
        (Annotated[int, at.Interval(ge=1, lt=5)], "int(ge=1, lt=5)"),
        (Annotated[list[int], at.Len(1, 3)], "list[int](min_length=1, max_length=3)"),
        (Annotated[str, at.MinLen(2), at.MaxLen(4)], "str(min_length=2, max_length=4)"),
        (Annotated[float, at.MultipleOf(0.5)], "float(multiple_of=0.5)"),
        (Annotated[dt.datetime, at.Timezone(...)], "datetime(tz=True)"),
        (Annotated[dt.datetime, at.Timezone(None)], "datetime(tz=False)"),
        (Annotated[dt.datetime, at.Timezone(dt.UTC)], "datetime(in time zone UTC)"),
        (Annotated[str, at.Predicate(str.islower)], "str(str.islower)"),
        (Annotated[float, at.Predicate(math.isfinite)], "float(isfinite)"),
        (Annotated[float, at.Unit("m")], "float"),
        (Annotated[int | None, at.Ge(3)], "null | int(ge=3)"),
        (list[Annotated[int | str, at.Ge(3), at.MinLen(2)]], "list[int(ge=3) | str(min_length=2)]"),
        (Annotated[int, at.MultipleOf(2), at.MultipleOf(3)], "int(multiple_of=2)(multiple_of=3)"),
    ]
    for hint, text in rows:
        assert describe(hint) == text
    with pytest.raises(ContractError, match="`gt` means something for"):
        describe(Annotated[str | bool, at.Gt(0)])


def test_zone_is_checked_by_offset(at: Any) -> None:
    nodes = compile_type(Annotated[dt.datetime, at.Timezone("Europe/Lisbon")])
    (check,) = nodes[0][2]["predicates"]
    hour = dt.timedelta(hours=1)
    assert check(dt.datetime(2024, 7, 1, tzinfo=dt.timezone(hour)))
    assert not check(dt.datetime(2024, 1, 1, tzinfo=dt.timezone(hour)))
    assert check(dt.datetime(2024, 1, 1, tzinfo=dt.UTC))
    assert not check(dt.datetime(2024, 1, 1))


@pytest.mark.feature(251)
def test_constraints_of_msgspec() -> None:
    assert describe(Annotated[int, msgspec.Meta(ge=1, lt=9)]) == "int(ge=1, lt=9)"
    assert describe(Annotated[str, msgspec.Meta(pattern="a", title="x")]) == "str(pattern='a')"
    assert describe(Annotated[dt.datetime, msgspec.Meta(tz=True)]) == "datetime(tz=True)"
    assert describe(Annotated[int, "other", 3, int]) == "int"


class Inner(msgspec.Struct, array_like=True, frozen=True):
    a: int
    b: list[int] = []


def test_struct_that_is_an_array() -> None:
    assert describe(Inner).splitlines()[0] == "Inner: array, made by a call"


# --- pydantic -------------------------------------------------------------------------------------


@pytest.fixture
def pydantic() -> Any:
    return pytest.importorskip("pydantic", reason="pydantic is not installed")


@pytest.mark.feature(251)
def test_pydantic_models_are_made_by_their_validator(pydantic: Any) -> None:
    class Cat(pydantic.BaseModel):
        kind: Literal["cat"]
        lives: int = pydantic.Field(alias="n")

    class Dog(pydantic.BaseModel):
        kind: Literal["dog"]

    class Strict(pydantic.BaseModel, strict=True):
        when: dt.date

    class Root(pydantic.RootModel[list[int]]):
        pass

    @pydantic.dataclasses.dataclass
    class Data:
        a: int

    @dataclass
    class Mine:
        cat: Cat

    assert describe(Mine).splitlines()[1] == "  cat: Cat"
    assert describe(Cat | Dog).startswith("tagged inside by 'kind' ('cat': Cat, 'dog': Dog)")
    assert compile_type(Cat)[0][1]["maker"]({"kind": "cat", "n": 3}).lives == 3
    assert compile_type(Strict)[0][1]["maker"]({"when": "2024-01-02"}).when == dt.date(2024, 1, 2)
    assert compile_type(Data)[0][1]["maker"]({"a": 1}) == Data(1)
    assert compile_type(Root)[0][2]([1]).root == [1]
    with pytest.raises(ValueError, match=r"lives|n"):
        compile_type(Cat)[0][1]["maker"]({"kind": "cat"})


def test_constraints_of_pydantic(pydantic: Any) -> None:
    assert describe(Annotated[int, pydantic.Field(ge=1, le=3)]) == "int(ge=1, le=3)"
    assert describe(pydantic.PositiveInt) == "int(gt=0)"
    assert (
        describe(pydantic.constr(pattern="a+", max_length=3)) == "str(max_length=3, pattern='a+')"
    )
    with pytest.raises(ContractError, match="found strip_whitespace= of pydantic"):
        describe(pydantic.constr(strip_whitespace=True))


def test_no_package_is_imported() -> None:
    code = """
        import sys, octad, dataclasses
        from typing import Annotated, Optional
        @dataclasses.dataclass
        class A:
            a: Annotated[int, octad.Field(ge=1)]
            b: Optional["A"] = None
        octad.describe(A)
        heavy = {"msgspec", "attr", "attrs", "pydantic", "numpy", "annotated_types"}
        print(sorted(heavy & set(sys.modules)))
    """
    import textwrap

    command = [sys.executable, "-c", textwrap.dedent(code)]
    answer = subprocess.run(command, capture_output=True, text=True)
    assert answer.stdout == "[]\n", answer.stderr

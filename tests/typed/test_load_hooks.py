"""Hooks of a class around reading: before its fields are read, and once it is there."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any

import octad
import pytest
from octad import json

pytestmark = pytest.mark.feature(169)


def load(text: str, kind: Any, **options: Any) -> Any:
    """The value by every way of reading, which have to agree."""
    made = json.loads(text, kind, **options)
    assert json.loads(text.encode(), kind, **options) == made
    assert json.Decoder(kind, **options).loads(text) == made
    assert json.parse(text).to(kind) == made
    assert json.check(text, kind, **options) == []
    return made


@dataclass
class Old:
    """A class that reads what older versions wrote."""

    name: str
    price: Decimal = Decimal(0)
    parts: list[Old] = field(default_factory=list)
    when: datetime | None = None

    @classmethod
    def __octad_before_load__(cls, data: dict[str, Any]) -> dict[str, Any]:
        if "title" in data:
            data["name"] = data.pop("title")
        return data


def test_the_dict_that_the_hook_returns_is_read() -> None:
    text = '{"title": "a", "price": 1.10, "parts": [{"name": "b"}, {"title": "c"}]}'
    made = load(text, Old)
    assert made == Old("a", Decimal("1.10"), [Old("b"), Old("c")])
    assert str(made.price) == "1.10"
    assert load(f'{{"k": [{text}]}}', dict[str, list[Old]])["k"] == [made]


def test_a_hook_may_return_another_mapping_or_change_the_dict_and_return_none() -> None:
    @dataclass
    class Point:
        x: int
        y: int

        @classmethod
        def __octad_before_load__(cls, data: dict[str, Any]) -> Any:
            if "at" in data:
                return dict(zip("xy", data["at"], strict=True))
            data.setdefault("y", 0)
            return None

    assert load('[{"at": [1, 2]}, {"x": 3}]', list[Point]) == [Point(1, 2), Point(3, 0)]


def test_a_hook_may_add_values_of_any_type_that_is_written() -> None:
    @dataclass
    class Event:
        when: datetime
        data: bytes
        amount: Decimal
        inner: Old
        number: float
        text: str

        @classmethod
        def __octad_before_load__(cls, data: dict[str, Any]) -> Any:
            return {
                "when": datetime(2024, 2, 29),
                "data": b"\x00\xff",
                "amount": Decimal("1.50"),
                "inner": Old("x"),
                "number": float("inf"),
                **data,
            }

    made = load('{"text": "é\\u0000\\n"}', Event)
    assert made == Event(
        datetime(2024, 2, 29), b"\x00\xff", Decimal("1.50"), Old("x"), float("inf"), "é\x00\n"
    )


def refused(text: str, kind: Any) -> octad.ValidationError:
    """The error of reading, which `check` tells as well."""
    with pytest.raises(octad.ValidationError) as caught:
        json.loads(text, kind)
    error = caught.value
    problem = json.check(text, kind)[0]
    for name in ("code", "message", "path", "pointer", "offset", "line", "column"):
        assert getattr(problem, name) == getattr(error, name), name
    return error


def test_errors_have_the_path_in_the_result_and_the_place_of_the_object() -> None:
    text = '{"k": [1,\n  {"title": "a", "parts": [{"name": "b"}, {"title": 3}]}]}'
    error = refused(text, dict[str, list[int | Old]])
    assert (error.code, error.path) == ("wrong-type", "$.k[1].parts[1].name")
    assert error.pointer == "/k/1/parts/1/name"
    assert (error.line, error.column) == (2, 3)
    assert error.found == "an integer"
    assert error.source_line is not None
    assert '{"title": "a"' in error.source_line


def test_check_tells_all_problems_in_the_result() -> None:
    text = '[{"title": 1, "price": "x"}, {"parts": [{"title": 2}]}]'
    problems = json.check(text, list[Old])
    assert {(problem.path, problem.offset) for problem in problems} >= {
        ("$[0].name", 1),
        ("$[0].price", 1),
        ("$[1].parts[0].name", 29),
    }


def test_what_a_hook_raises_or_returns_in_error() -> None:
    @dataclass
    class Picky:
        n: int

        @classmethod
        def __octad_before_load__(cls, data: dict[str, Any]) -> Any:
            match data["n"]:
                case 1:
                    raise ValueError("not one")
                case 2:
                    raise KeyError("two")
                case 3:
                    return [data]
                case 4:
                    return {"n": object()}
                case 5:
                    raise octad.ValidationError("not five", path="$.n", pointer="/n")
            return data

    error = refused('[{"n": 0}, {"n": 1}]', list[Picky])
    assert (error.code, error.path) == ("rejected", "$[1]")
    assert "not one" in error.message
    with pytest.raises(KeyError) as caught:
        json.loads('[{"n": 2}]', list[Picky])
    assert caught.value.__notes__ == ["at $[0]"]
    error = refused('[{"n": 3}]', list[Picky])
    assert "expected a dict from `__octad_before_load__`, found list" in error.message
    assert error.path == "$[0]"
    error = refused('[{"n": 4}]', list[Picky])
    assert (error.code, error.path) == ("rejected", "$[0]")
    with pytest.raises(octad.ValidationError) as refusal:
        json.loads('[{"n": 5}]', list[Picky])
    assert (refusal.value.message, refusal.value.path) == ("not five", "$[0].n")


def test_the_hook_sees_only_objects() -> None:
    error = refused('[{"name": "a"}, [1]]', list[Old])
    assert (error.code, error.path) == ("wrong-type", "$[1]")
    assert "expected an object" in error.message


def test_a_hook_in_a_family_of_tagged_classes() -> None:
    @octad.contract(tag=True)
    @dataclass
    class Circle:
        radius: float

        @classmethod
        def __octad_before_load__(cls, data: dict[str, Any]) -> Any:
            return {"radius": data["diameter"] / 2}

    @octad.contract(tag=True)
    @dataclass
    class Square:
        side: float

    text = '[{"side": 2, "$type": "Square"}, {"diameter": 3, "$type": "Circle"}]'
    assert load(text, list[Circle | Square]) == [Square(2.0), Circle(1.5)]


def test_the_hook_after_reading_sees_the_instance() -> None:
    seen: list[Any] = []

    @dataclass
    class Order:
        total: int
        parts: list[int]

        def __octad_after_load__(self) -> None:
            seen.append(self)
            if self.total != sum(self.parts):
                raise ValueError("the sum is wrong")

    made = json.loads('{"total": 3, "parts": [1, 2]}', Order)
    assert seen == [made]
    error = refused('[{"total": 4, "parts": [1, 2]}]', list[Order])
    assert (error.code, error.path) == ("rejected", "$[0]")
    assert "the sum is wrong" in error.message


def test_a_hook_within_a_converter_and_the_other_way_round() -> None:
    class Wrapped:
        def __init__(self, value: Any, path: str) -> None:
            self.value, self.path = value, path

    class WrappedConverter(octad.Converter[Wrapped]):
        def read(self, r: octad.Reader) -> Wrapped:
            if r.kind == "int":
                raise r.error("no numbers")
            return Wrapped(r.read(list[Hooked]), r.path)

    @dataclass
    class Hooked:
        inner: Annotated[Wrapped | None, octad.Field(converter=WrappedConverter)] = None

        @classmethod
        def __octad_before_load__(cls, data: dict[str, Any]) -> Any:
            return {"inner": data["in"]} if "in" in data else {}

    made = json.loads('{"in": [{}, {"in": [{}]}]}', Hooked)
    assert made.inner.path == "$.inner"
    assert made.inner.value[1].inner.path == "$.inner[1].inner"
    assert made.inner.value[1].inner.value == [Hooked()]
    error = refused(' {"in": [{}, {"in": 7}]}', Hooked)
    assert (error.code, error.path, error.offset) == ("rejected", "$.inner[1].inner", 1)
    assert error.message == "no numbers"


def test_a_flattened_record_has_no_object_for_a_hook() -> None:
    @dataclass
    class Outer:
        inner: Annotated[Old, octad.Field(flatten=True)]

    with pytest.raises((octad.ContractError, TypeError), match="hook"):
        json.loads("{}", Outer)


def test_deep_results_and_limits() -> None:
    @dataclass
    class Deep:
        a: Deep | None = None

        @classmethod
        def __octad_before_load__(cls, data: dict[str, Any]) -> Any:
            return data

    text = '{"a":' * 40 + "null" + "}" * 40
    made = json.loads(text, Deep)
    for _ in range(40):
        made = made.a
    assert made is None
    with pytest.raises(octad.LimitError, match="converters or hooks within each other") as caught:
        json.loads('{"a":' * 500 + "null" + "}" * 500, Deep)
    assert caught.value.path == "$" + ".a" * 100

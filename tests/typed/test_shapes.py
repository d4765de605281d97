"""Every shape of annotation is read to the exact value, everywhere, or refused with its place."""

from __future__ import annotations

import collections
import collections.abc as abc
import datetime as dt
import sys
import types
import typing
from dataclasses import dataclass, make_dataclass
from decimal import Decimal
from typing import Any

import octad
import pytest

from tests.typed.formats import Format, assert_same, difference
from tests.typed.shapes import (
    PLUS_TWO,
    SHAPES,
    UTC,
    Box,
    Child,
    Point,
    PostInit,
    Shape,
    Slots,
    WithInitVar,
)

pytestmark = [pytest.mark.feature(156), pytest.mark.feature(251)]


@pytest.mark.feature(197, 198)
@pytest.mark.parametrize("shape", SHAPES, ids=lambda one: one.name)
def test_shape_is_read_to_the_exact_value(shape: Shape, fmt: Format) -> None:
    assert_same(fmt.loads(shape.text, shape.of), shape.value)


REFUSED = [(shape, *one) for shape in SHAPES for one in shape.refused]


@pytest.mark.parametrize(
    ("shape", "text", "code", "path"), REFUSED, ids=[f"{one[0].name}-{one[1]}" for one in REFUSED]
)
def test_what_does_not_fit_is_refused(
    shape: Shape, text: str, code: str, path: str, fmt: Format
) -> None:
    error = fmt.refuse(text, shape.of)
    assert (error.code, error.path) == (code, path), str(error)
    assert error.expected
    assert error.found


@pytest.mark.parametrize("shape", SHAPES, ids=lambda one: one.name)
def test_shape_stands_in_every_place(shape: Shape, fmt: Format) -> None:
    """In a list, as a value of a map, in a tuple, as a field, optional."""
    made = Box[shape.of] if shape.of is not None else Box[types.NoneType]
    text = f'{{"item": {shape.text}}}'
    assert_same(fmt.loads(text, made), Box(shape.value))
    of = shape.of
    assert_same(fmt.loads(f"[{shape.text}]", list[of]), [shape.value])
    assert_same(fmt.loads(f'{{"k": {shape.text}}}', dict[str, of]), {"k": shape.value})
    assert_same(fmt.loads(f"[1, {shape.text}]", tuple[int, of]), (1, shape.value))


# What is written is not what was read, each with the reason.
ONE_WAY = {
    "bytes": "in a value of no declared type bytes have no form until one is chosen",
    "bytearray": "as bytes",
    "memoryview": "as bytes",
    "dict[tuple, int]": "as a value of no declared type it is refused until `keys=` says how",
}


@pytest.mark.feature(157, 195)
@pytest.mark.parametrize("shape", SHAPES, ids=lambda one: one.name)
def test_shape_is_written_so_that_it_is_read_again(shape: Shape, fmt: Format) -> None:
    of = shape.of
    holder = make_dataclass("Holder", [("item", of), ("items", list[of]), ("named", dict[str, of])])
    # By the declared type of a field.
    value = holder(shape.value, [shape.value, shape.value], {"k": shape.value})
    assert_same(fmt.trip(value, holder), value)
    # By itself.
    if shape.name not in ONE_WAY:
        assert_same(fmt.trip(shape.value, of), shape.value)
        return
    assert fmt.is_json
    with pytest.raises(octad.EncodeError):
        fmt.verbs.dumps(shape.value)
    data = fmt.verbs.dumps(shape.value, bytes="base64", keys="pairs")
    assert_same(fmt.verbs.loads(data, of), shape.value)


REFUSED_TYPES = [
    ("Callable", abc.Callable[[int], str]),
    ("type[int]", type[int]),
    ("Protocol", typing.SupportsInt),
    ("AsyncIterator", abc.AsyncIterator[int]),
    ("coroutine", abc.Awaitable[int]),
    ("module", types.ModuleType),
    ("function", types.FunctionType),
    ("an instance", 17),
]


@pytest.mark.parametrize(
    "of", [one[1] for one in REFUSED_TYPES], ids=[one[0] for one in REFUSED_TYPES]
)
def test_types_that_hold_no_data_are_refused_at_first_use(of: Any, fmt: Format) -> None:
    with pytest.raises(octad.ContractError) as caught:
        fmt.verbs.loads(b"1", of)
    assert caught.value.code == "invalid-contract"
    assert isinstance(caught.value, TypeError)
    assert not isinstance(caught.value, octad.DecodeError)


def test_init_var_and_post_init_run_as_the_class_says(fmt: Format) -> None:
    assert fmt.loads('{"a": 2, "factor": 3}', WithInitVar).a == 6
    assert_same(fmt.loads('{"a": 2}', PostInit), PostInit(2))
    assert fmt.refuse('{"a": 2}', WithInitVar).code == "missing-field"


def test_containers_are_new_each_time(fmt: Format) -> None:
    one, two = fmt.loads('{"name": "a"}', Slots), fmt.loads('{"name": "a"}', Slots)
    assert one.points is not two.points
    one.points.append(Point(1))
    assert fmt.loads('{"name": "a"}', Slots).points == []


NEW_SYNTAX = """
type Numbers = list[int]
type Nested[T] = T | list[Nested[T]]

@dataclass
class Holder[T]:
    item: T

@dataclass
class Both[A, B](Holder[A]):
    other: B
"""


@pytest.mark.skipif(sys.version_info < (3, 12), reason="PEP 695 is syntax of Python 3.12")
def test_new_syntax_of_aliases_and_generics(fmt: Format) -> None:
    names: dict[str, Any] = {"dataclass": dataclass, "__name__": __name__}
    exec(NEW_SYNTAX, names)
    assert fmt.loads("[1]", names["Numbers"]) == [1]
    assert fmt.loads("[1, [2, [3]]]", names["Nested"][int]) == [1, [2, [3]]]
    assert fmt.refuse('[1, ["2"]]', names["Nested"][int]).code in ("wrong-type", "no-union-member")
    both = fmt.loads('{"item": 1, "other": "x"}', names["Both"][int, str])
    assert (both.item, both.other) == (1, "x")
    assert fmt.refuse('{"item": "1", "other": "x"}', names["Both"][int, str]).path == "$.item"


@pytest.mark.skipif(sys.version_info < (3, 13), reason="PEP 696 is syntax of Python 3.13")
def test_type_variables_with_defaults(fmt: Format) -> None:
    names: dict[str, Any] = {"dataclass": dataclass, "__name__": __name__}
    exec("@dataclass\nclass Holder[T = int]:\n    item: T\n", names)
    assert fmt.loads('{"item": 1}', names["Holder"]).item == 1
    assert fmt.refuse('{"item": "1"}', names["Holder"]).path == "$.item"
    assert fmt.loads('{"item": "1"}', names["Holder"][str]).item == "1"


def test_the_comparison_of_this_file_can_fail() -> None:
    for one, two in (
        (1, True), (1, 1.0), (0.0, -0.0), ([1], (1,)), ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        (Decimal("1.0"), Decimal("1.00")), (Point(1), Child(1)), (Point(1, 2), Point(1, 3)),
        ({1}, {True}), (collections.deque([1], 2), collections.deque([1])),
        (dt.datetime(2024, 1, 1, tzinfo=UTC), dt.datetime(2024, 1, 1, 2, tzinfo=PLUS_TWO)),
        (collections.defaultdict(list), collections.defaultdict(set)),
        (collections.ChainMap({"a": 1}, {}), collections.ChainMap({}, {"a": 1})),
    ):  # fmt: skip
        assert difference(one, two) is not None
        assert difference(two, two) is None

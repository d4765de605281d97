"""Types made at random, and classes that lie: a plan that is whole, or `ContractError`.

Nothing else: no crash, no other exception, no node that points outside.
"""

from __future__ import annotations

import collections
import collections.abc as abc
import dataclasses
import datetime as dt
import enum
import threading
import typing
import uuid
from dataclasses import dataclass, make_dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import octad
import pytest
from hypothesis import given
from hypothesis import strategies as st
from octad import ContractError, Field, Settings, describe
from octad._contract import compile_type
from octad._contract.layout import children


class Colour(enum.Enum):
    RED = "red"
    ONE = 1


class Point(NamedTuple):
    x: int
    y: int


@dataclass
class Tree:
    children: list[Tree]
    value: int | None = None


ATOMS = st.sampled_from(
    [
        None,
        bool,
        int,
        float,
        str,
        bytes,
        bytearray,
        Any,
        object,
        dt.datetime,
        dt.date,
        dt.time,
        dt.timedelta,
        uuid.UUID,
        Decimal,
        Fraction,
        Path,
        Colour,
        Point,
        Tree,
        Literal["a", 1],
        Literal[True, None],
        complex,
        list,
        dict,
        tuple,
        octad.Raw,
        octad.UnsetType,
        typing.Never,
        type[int],
    ]
)


def _union(parts: list[Any]) -> Any:
    return typing.Union[tuple(parts)]  # noqa: UP007


def _record(parts: list[Any]) -> Any:
    return make_dataclass("Made", [(f"f{at}", part) for at, part in enumerate(parts)])


def _compound(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    several = st.lists(inner, min_size=1, max_size=4)
    options = st.fixed_dictionaries(
        {},
        optional={
            "ge": st.integers(-3, 3),
            "min_length": st.integers(0, 3),
            "pattern": st.just("a"),
            "dates": st.sampled_from(["epoch", "%Y"]),
            "name": st.just("other"),
            "flatten": st.just(True),
            "extra": st.just(True),
        },
    )
    return st.one_of(
        st.builds(lambda one: list[one], inner),  # type: ignore[valid-type]
        st.builds(lambda one: set[one], inner),  # type: ignore[valid-type]
        st.builds(lambda one: abc.Sequence[one], inner),
        st.builds(lambda one: collections.deque[one], inner),  # type: ignore[valid-type]
        st.builds(lambda key, value: dict[key, value], inner, inner),  # type: ignore[valid-type]
        several.map(lambda parts: tuple[tuple(parts)]),  # type: ignore[misc]
        several.map(_union),
        several.map(_record),
        st.builds(lambda one, said: Annotated[one, Field(**said)], inner, options),
    )


TYPES = st.recursive(ATOMS, _compound, max_leaves=12)
SETTINGS = st.builds(
    Settings,
    rename=st.sampled_from([None, "camel", "upper"]),
    unknown=st.sampled_from(["ignore", "forbid", "keep"]),
    case_sensitive=st.booleans(),
    numbers_from_text=st.booleans(),
    dates=st.sampled_from(["rfc3339", "epoch", "microsoft", "%d.%m.%Y"]),
    bytes=st.sampled_from([None, "hex", "array"]),
    nan=st.sampled_from(["error", "null"]),
)


def whole(nodes: tuple[tuple[Any, ...], ...]) -> bool:
    """Whether all nodes can be reached from the first, and none points outside."""
    seen = {0}
    todo = [0]
    while todo:
        for child in children(nodes[todo.pop()]):
            assert 0 <= child < len(nodes)
            if child not in seen:
                seen.add(child)
                todo.append(child)
    return len(seen) == len(nodes)


@given(TYPES, SETTINGS)
def test_any_type_gives_a_whole_plan_or_is_refused(hint: Any, settings: Settings) -> None:
    try:
        nodes = compile_type(hint, settings)
    except ContractError as error:
        told = error
        nodes = ()
    if not nodes:
        assert told.code is octad.ErrorCode.INVALID_CONTRACT
        assert ": expected " in told.message
        return
    assert whole(nodes)
    assert describe(hint, settings)
    assert nodes == compile_type(hint, settings) or any(node[0] == "call" for node in nodes)


@given(st.lists(ATOMS, min_size=2, max_size=4), st.randoms())
def test_order_of_a_union_is_no_matter(parts: list[Any], random: Any) -> None:
    def outcome(members: list[Any]) -> Any:
        try:
            nodes = compile_type(_union(members))
        except ContractError:
            return "refused"
        if nodes[0][0] != "union":
            return nodes[0][0]
        return {kind: [nodes[index][0] for index in row] for kind, row in nodes[0][1].items()}

    mixed = list(parts)
    random.shuffle(mixed)
    assert outcome(parts) == outcome(mixed)


# --- Classes that lie -----------------------------------------------------------------------------


class RaisingMeta(type):
    def __getattr__(cls, name: str) -> Any:
        raise AttributeError(name)

    def __eq__(cls, other: object) -> bool:
        return cls is other

    def __hash__(cls) -> int:
        return 1


def test_annotations_that_raise_are_told() -> None:
    @dataclass
    class Divides:
        a: "1 / 0"  # type: ignore[valid-type]  # noqa: UP037

    @dataclass
    class NoType:
        a: "3"  # type: ignore[valid-type]  # noqa: UP037

    @dataclass
    class Text:
        a: list["'Nowhere'"]  # type: ignore[valid-type]  # noqa: F821, UP037

    for cls in (Divides, NoType, Text):
        with pytest.raises(ContractError):
            describe(cls)


def test_strange_classes() -> None:
    @dataclass
    class Meta(metaclass=RaisingMeta):
        a: int

    class WrongAnnotations:
        __annotations__ = 3  # type: ignore[assignment]

    class WrongFields:
        __dataclass_fields__ = {"a": 3}  # noqa: RUF012

    class WrongAttrs:
        __attrs_attrs__ = (1,)

    class WrongStruct:
        __struct_fields__ = 3
        __struct_config__ = 4

    class WrongTuple(tuple):  # type: ignore[type-arg]
        __slots__ = ()
        _fields = 3

    class NoModule:
        a: int

    NoModule.__module__ = None  # type: ignore[assignment]
    NoModule.__qualname__ = "<locals>.<locals>."

    assert describe(Meta).splitlines()[1] == "  a: int"
    assert describe(NoModule).splitlines()[1] == "  a: int"
    for cls in (WrongAnnotations, WrongFields, WrongAttrs, WrongStruct, WrongTuple):
        with pytest.raises(ContractError):
            describe(cls)


def test_what_is_no_type_is_refused() -> None:
    given: list[Any] = [3, "Player", b"int", [int], {"a": int}, (int, str), ..., print, octad]
    for hint in given:
        with pytest.raises(ContractError):
            describe(hint)


def test_pattern_that_is_none_is_refused() -> None:
    for pattern in ("(", "(?=a)"):
        with pytest.raises(ContractError, match="a pattern that needs no more time"):
            octad.json.loads('"a"', Annotated[str, Field(pattern=pattern)])


def test_many_threads_compile_one_type() -> None:
    cls = dataclasses.make_dataclass("Many", [(f"f{at}", list[Tree]) for at in range(50)])
    found: list[Any] = []

    def work() -> None:
        from octad._contract import plan_nodes

        found.append(plan_nodes(cls))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert all(nodes == found[0] for nodes in found)

"""Where annotations are looked up: text, forward references, local and nested classes, type
variables, classes and aliases that hold themselves.

Snapshots of `octad.describe`. The annotations of this module are text already; classes whose
annotations are not are made by `exec` where it matters.
"""

from __future__ import annotations

import dataclasses
import gc
import sys
import textwrap
import types
import typing
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ForwardRef, Generic, NamedTuple, Optional, TypedDict, TypeVar

import attrs
import octad
import pytest
import typing_extensions
from octad import ContractError, describe

T = TypeVar("T")
U = TypeVar("U")
Bound = TypeVar("Bound", bound="Leaf")
Either = TypeVar("Either", int, str)
Ts = typing.TypeVarTuple("Ts")
Defaulted = typing_extensions.TypeVar("Defaulted", default=int)

needs_312 = pytest.mark.skipif(
    sys.version_info < (3, 12), reason="`type X = ...` and `class C[T]` are syntax of 3.12"
)


@dataclass
class Leaf:
    size: int


@dataclass
class Tree:
    value: int
    children: list[Tree]
    by_name: dict[str, Tree | None]


@dataclass
class Outer:
    @dataclass
    class Inner:
        again: Inner | None  # noqa: F821
        other: Other | None  # noqa: F821

    @dataclass
    class Other:
        date: int

    inner: Inner
    date: int = 0


def module(source: str) -> types.SimpleNamespace:
    """The names of a module of that text."""
    made = types.ModuleType("made_for_test")
    # Annotations are resolved later, so the module stays while the test runs.
    sys.modules[made.__name__] = made
    exec(compile(textwrap.dedent(source), "made.py", "exec", dont_inherit=True), vars(made))
    return types.SimpleNamespace(**{k: v for k, v in vars(made).items() if k[:2] != "__"})


@pytest.fixture(autouse=True)
def _forget_module() -> Any:
    yield
    sys.modules.pop("made_for_test", None)


def fields(text: str, name: str) -> list[str]:
    """The lines of one class in a description."""
    block = next(part for part in text.split("\n\n") if part.startswith(f"{name}: "))
    return [line.strip() for line in block.splitlines()[1:]]


@pytest.mark.feature(251)
def test_class_that_holds_itself_is_one_record() -> None:
    assert fields(describe(Tree), "Tree") == [
        "value: int",
        "children: list[Tree]",
        "by_name: dict[str, null | Tree]",
    ]
    assert describe(Tree).count("Tree: ") == 1


@pytest.mark.feature(251)
def test_classes_in_a_class_are_found() -> None:
    text = describe(Outer)
    assert fields(text, "Outer") == ["inner: Outer.Inner", "date: int = 0"]
    assert fields(text, "Outer.Inner") == ["again: null | Outer.Inner", "other: null | Outer.Other"]


@pytest.mark.feature(251)
def test_local_classes_are_found_while_their_function_runs() -> None:
    @dataclass
    class A:
        b: B
        more: list[A]

    @dataclass
    class B:
        a: Optional[A]  # noqa: UP045

    text = describe(A)
    assert fields(text, "A") == ["b: B", "more: list[A]"]
    assert fields(text, "B") == ["a: null | A"]


def _returned() -> tuple[type, type]:
    @dataclass
    class A:
        b: B
        a: A | None

    @dataclass(slots=True)
    class B:
        x: int

    return A, B


@pytest.mark.feature(251)
def test_local_classes_are_found_after_their_function() -> None:
    first, second = _returned()
    assert fields(describe(first), "A") == ["b: B", "a: null | A"]
    del first, second
    gc.collect()


def test_two_local_classes_of_one_name_are_not_guessed() -> None:
    kept = [_returned(), _returned()]
    with pytest.raises(ContractError, match="found the name `B`, which means nothing"):
        describe(kept[0][0])


def test_name_that_means_nothing_is_told() -> None:
    @dataclass
    class A:
        b: Nowhere  # noqa: F821

    with pytest.raises(ContractError, match="A: expected a type, found the name `Nowhere`") as got:
        describe(A)
    assert got.value.code is octad.ErrorCode.INVALID_CONTRACT
    assert isinstance(got.value, TypeError)

    @dataclass
    class C:
        b: list[  # type: ignore[misc]
            "1 +"  # noqa: F722
        ]

    with pytest.raises(ContractError, match=r"found `1 \+`"):
        describe(C)


def test_failed_type_works_once_its_name_is_there() -> None:
    made = module(
        """
        from dataclasses import dataclass
        @dataclass
        class A:
            b: "B"
        """
    )
    with pytest.raises(ContractError):
        describe(made.A)
    exec("class B(str): ...", vars(sys.modules["made_for_test"]))
    assert fields(describe(made.A), "A") == ["b: a B from str"]


def test_text_in_types_is_looked_up_where_it_stands() -> None:
    one = module(
        """
        from dataclasses import dataclass
        class Thing(str): ...
        @dataclass
        class A:
            things: list["Thing"]
        """
    ).A
    other = types.ModuleType("made_other")
    sys.modules["made_other"] = other
    exec(
        "from dataclasses import dataclass\n"
        "class Thing(int): ...\n"
        "@dataclass\nclass B:\n    things: list['Thing']\n",
        vars(other),
    )

    @dataclass
    class Both:
        a: one  # type: ignore[valid-type]
        b: other.B  # type: ignore[name-defined]

    text = describe(Both)
    del sys.modules["made_other"]
    assert fields(text, "A") == ["things: list[a Thing from str]"]
    assert fields(text, "B") == ["things: list[a Thing from int]"]


def test_field_may_have_the_name_of_a_type() -> None:
    made = module(
        """
        from __future__ import annotations
        import datetime
        from datetime import date
        from dataclasses import dataclass
        @dataclass
        class A:
            date: date | None = None
            datetime: datetime.datetime | None = None
            int: int = 1
            list: list[str] = ()
        """
    )
    assert fields(describe(made.A), "A") == [
        "date: null | date = None",
        "datetime: null | datetime = None",
        "int: int = 1",
        "list: list[str] = ()",
    ]


def test_forward_references_of_every_kind() -> None:
    @dataclass
    class A:
        a: ForwardRef("Leaf")  # type: ignore[valid-type]
        b: typing.List["Leaf"]  # noqa: UP006, UP037
        c: Optional["Leaf"]  # noqa: UP037, UP045
        d: dict["str", "list['Leaf']"]  # noqa: UP037

    assert fields(describe(A), "A") == [
        "a: Leaf",
        "b: list[Leaf]",
        "c: null | Leaf",
        "d: dict[str, list[Leaf]]",
    ]


# --- Generics -------------------------------------------------------------------------------------


@dataclass
class Pair(Generic[T, U]):
    first: T
    second: list[U]
    swapped: Pair[U, T] | None = None


@dataclass
class Named(Pair[str, T]):
    extra: T | None = None


@dataclass
class Deep(Named[Leaf]):
    pass


@attrs.define
class AttrsBox(Generic[T]):
    item: T


class TupleBox(NamedTuple, Generic[T]):
    item: T


class DictBox(TypedDict, Generic[T]):
    item: T


class IntDict(DictBox[int]):
    more: str


class PlainBox(Generic[T]):
    def __init__(self, item: T, rest: list[T]) -> None:
        self.item, self.rest = item, rest


@dataclass
class Bounded(Generic[Bound]):
    item: Bound


@dataclass
class Row(Generic[T, typing.Unpack[Ts]]):  # noqa: UP044
    head: T
    cells: tuple[typing.Unpack[Ts]]  # noqa: UP044
    all: tuple[int, *Ts, str]


@dataclass
class WithDefault(Generic[Defaulted]):
    item: Defaulted


@pytest.mark.parametrize(
    ("hint", "name", "lines"),
    [
        (
            Pair[int, str],
            "Pair[int, str]",
            ["first: int", "second: list[str]", "swapped: null | Pair[str, int] = None"],
        ),
        (
            Pair[int, str],
            "Pair[str, int]",
            ["first: str", "second: list[int]", "swapped: null | Pair[int, str] = None"],
        ),
        (
            Named[int],
            "Named[int]",
            [
                "first: str",
                "second: list[int]",
                "swapped: null | Pair[int, str] = None",
                "extra: null | int = None",
            ],
        ),
        (
            Deep,
            "Deep",
            [
                "first: str",
                "second: list[Leaf]",
                "swapped: null | Pair[Leaf, str] = None",
                "extra: null | Leaf = None",
            ],
        ),
        (AttrsBox[int], "AttrsBox[int]", ["item: int"]),
        (TupleBox[int], "TupleBox[int]", ["item: int"]),
        (DictBox[int], "DictBox[int]", ["item: int"]),
        (IntDict, "IntDict", ["item: int", "more: str"]),
        (PlainBox[int], "PlainBox[int]", ["item: int", "rest: list[int]"]),
        (Bounded, "Bounded", ["item: Leaf"]),
        (
            Row[bool, int, str],
            "Row[bool, int, str]",
            ["head: bool", "cells: tuple[int, str]", "all: tuple[int, int, str, str]"],
        ),
        (Row[bool], "Row[bool]", ["head: bool", "cells: tuple[()]", "all: tuple[int, str]"]),
        (WithDefault, "WithDefault", ["item: int"]),
        (WithDefault[str], "WithDefault[str]", ["item: str"]),
    ],
)
@pytest.mark.feature(251)
def test_type_variables_are_bound(hint: Any, name: str, lines: list[str]) -> None:
    assert fields(describe(hint), name) == lines


def test_unbound_type_variable_is_what_it_allows() -> None:
    assert describe(list[T]) == "list[any]"
    assert describe(list[Either]) == "list[int | str]"
    assert describe(list[Defaulted]) == "list[int]"


def test_class_that_grows_for_ever_is_refused() -> None:
    @dataclass
    class Growing(Generic[T]):
        item: T
        more: Growing[list[T]] | None

    with pytest.raises(ContractError, match="expected a type that ends"):
        describe(Growing[int])


# --- Aliases --------------------------------------------------------------------------------------


Json = typing_extensions.TypeAliasType(
    "Json", "bool | int | float | str | list[Json] | dict[str, Json] | None"
)
Lists = typing_extensions.TypeAliasType("Lists", "list[Lists]")
Even = typing_extensions.TypeAliasType("Even", "tuple[int, Odd] | None")
Odd = typing_extensions.TypeAliasType("Odd", "tuple[str, Even] | None")
Loop = typing_extensions.TypeAliasType("Loop", "Pool")
Pool = typing_extensions.TypeAliasType("Pool", "Loop")
Self = typing_extensions.TypeAliasType("Self", "int | Self")
Nested = typing_extensions.TypeAliasType("Nested", "T | list[Nested[T]]", type_params=(T,))
Ever = typing_extensions.TypeAliasType("Ever", "list[Ever[list[T]]]", type_params=(T,))


@pytest.mark.feature(251)
def test_alias_that_holds_itself() -> None:
    text = describe(Json)
    assert text == "#0: null | bool | int | float | str | list[#0] | dict[str, #0]"
    assert describe(Lists) == "#0: list[#0]"
    assert describe(Even) == "#0: null | tuple[int, null | tuple[str, #0]]"
    assert describe(Nested[int]) == "#0: int | list[#0]"
    assert describe(dict[str, Json | None]).count("dict[str, #9]") == 2


@pytest.mark.parametrize("hint", [Loop, Self, list[Loop], Loop | None, Ever[int]])
def test_alias_that_is_only_itself_is_refused(hint: Any) -> None:
    with pytest.raises(ContractError, match=r"only itself|type that ends"):
        describe(hint)


@needs_312
@pytest.mark.feature(251)
def test_syntax_of_3_12() -> None:
    made = module(
        """
        from dataclasses import dataclass
        from typing import Annotated, TypedDict, NamedTuple
        import octad
        type Json = None | bool | int | float | str | list[Json] | dict[str, Json]
        type Level = Annotated[int, octad.Field(name="lvl", ge=1)]
        type Many[T] = list[T] | None
        @dataclass
        class Box[T]:
            item: T
            many: Many[T]
            level: Level = 1
            json: Json = None
        @dataclass
        class Sub[U](Box[list[U]]):
            u: U = None
        class D[T](TypedDict):
            item: T
        class N[T](NamedTuple):
            item: T
        class P[T: int]:
            def __init__(self, item: T, other: "T") -> None: ...
            def method[U](self, u: U) -> U: ...
        """
    )
    assert fields(describe(made.Box[int]), "Box[int]")[:3] == [
        "item: int",
        "many: null | list[int]",
        "lvl: int(ge=1) = 1, for level",
    ]
    assert fields(describe(made.Sub[str]), "Sub[str]")[0] == "item: list[str]"
    assert fields(describe(made.D[int]), "D[int]") == ["item: int"]
    assert fields(describe(made.N[int]), "N[int]") == ["item: int"]
    assert fields(describe(made.P), "P") == ["item: int", "other: int"]
    assert fields(describe(made.P[bool]), "P[bool]") == ["item: bool", "other: bool"]


# --- Size and depth -------------------------------------------------------------------------------


def chain(length: int) -> Any:
    """The first of many classes, each of which holds the next."""
    last: Any = int
    for number in range(length):
        last = dataclasses.make_dataclass(f"C{number}", [("next", last), ("more", list[last])])
    return last


@pytest.mark.feature(251)
def test_long_chain_of_classes_costs_no_depth() -> None:
    assert describe(chain(1500)).count("filled directly") == 1500


def test_deeply_nested_type_is_refused() -> None:
    deep: Any = int
    for _ in range(5000):
        deep = list[deep]
    with pytest.raises(ContractError, match="nested too deeply"):
        describe(deep)


def test_refused_targets() -> None:
    class Protocol(typing.Protocol):
        x: int

    class Empty:
        pass

    class NoTypes:
        def __init__(self, x) -> None:  # type: ignore[no-untyped-def]
            pass

    refused = [Protocol, Empty, NoTypes, type[int], Callable[[int], int], Callable, typing.Never]
    refused += [octad.UnsetType, types.ModuleType, typing.Generic, typing.Union, range, type]
    for hint in refused:
        with pytest.raises(ContractError):
            describe(hint)

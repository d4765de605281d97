"""Annotations as text, deferred, recursive, generic, local: each means what the author meant."""

from __future__ import annotations

import sys
import textwrap
import types
import typing
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

import octad
import pytest
import typing_extensions

from tests.typed.formats import Format, assert_same

pytestmark = [pytest.mark.feature(251)]

T = TypeVar("T")
U = TypeVar("U")


@dataclass
class Node:
    value: int
    next: Node | None = None
    others: list[Node] = field(default_factory=list)
    by_name: dict[str, Node] = field(default_factory=dict)


def test_a_class_that_holds_itself(fmt: Format) -> None:
    text = """{
        "value": 1, "next": {"value": 2},
        "others": [{"value": 3}], "by_name": {"x": {"value": 4}}
    }"""
    assert_same(fmt.loads(text, Node), Node(1, Node(2), [Node(3)], {"x": Node(4)}))
    assert fmt.refuse('{"value": 1, "next": {"value": "2"}}', Node).path == "$.next.value"


@dataclass
class Ping:
    pong: Pong | None = None


@dataclass
class Pong:
    ping: Ping | None = None


def test_classes_that_hold_each_other(fmt: Format) -> None:
    assert_same(fmt.loads('{"pong": {"ping": {"pong": null}}}', Ping), Ping(Pong(Ping())))


def test_local_classes_that_name_each_other(fmt: Format) -> None:
    @dataclass
    class Leaf:
        n: int

    @dataclass
    class Branch:
        leaves: list[Leaf]
        inner: Branch | None = None

    assert_same(fmt.loads('{"leaves": [{"n": 1}], "inner": {"leaves": []}}', Branch),
                Branch([Leaf(1)], Branch([])))  # fmt: skip


def test_nested_classes_are_found_in_the_class_body(fmt: Format) -> None:
    @dataclass
    class Outer:
        @dataclass
        class Inner:
            a: int

        one: Inner
        many: list[Outer.Inner] = field(default_factory=list)

    assert_same(
        fmt.loads('{"one": {"a": 1}, "many": [{"a": 2}]}', Outer),
        Outer(Outer.Inner(1), [Outer.Inner(2)]),
    )


def test_a_name_that_means_nothing_is_an_error_that_says_where(fmt: Format) -> None:
    @dataclass
    class Typo:
        a: Nothere  # noqa: F821

    with pytest.raises(octad.ContractError) as caught:
        fmt.verbs.loads(fmt.data('{"a": 1}'), Typo)
    assert "Nothere" in str(caught.value)
    assert "Typo" in str(caught.value)


def test_names_are_looked_up_at_first_use_and_not_before(fmt: Format) -> None:
    module = types.ModuleType("tests_typed_late")
    sys.modules[module.__name__] = module
    try:
        code = """
        from __future__ import annotations
        from dataclasses import dataclass
        @dataclass
        class Early:
            late: Late | None = None
        """
        exec(textwrap.dedent(code), module.__dict__)
        exec(
            "from dataclasses import dataclass\n@dataclass\nclass Late:\n    a: int\n",
            module.__dict__,
        )
        made = fmt.loads('{"late": {"a": 1}}', module.Early)
        assert made.late == module.Late(1)
    finally:
        del sys.modules[module.__name__]


def test_forward_references_in_containers(fmt: Format) -> None:
    @dataclass
    class Holder:
        nodes: typing.Optional["list[Node]"] = None  # noqa: UP037, UP045

    assert_same(fmt.loads('{"nodes": [{"value": 1}]}', Holder), Holder([Node(1)]))


@dataclass
class Base(Generic[T]):
    item: T
    items: list[T] = field(default_factory=list)


@dataclass
class Middle(Base[list[U]], Generic[U]):
    other: U | None = None


@dataclass
class Last(Middle[int]):
    end: str = ""


@dataclass
class Two(Generic[T, U]):
    first: T
    second: dict[str, U]
    both: Base[tuple[T, U]] | None = None


def test_type_variables_through_bases(fmt: Format) -> None:
    assert_same(fmt.loads('{"item": [1], "items": [[2]], "other": 3}', Last), Last([1], [[2]], 3))
    assert fmt.refuse('{"item": ["1"]}', Last).path == "$.item[0]"
    assert_same(fmt.loads('{"item": ["a"]}', Middle[str]), Middle(["a"]))
    assert fmt.refuse('{"item": [1]}', Middle[str]).path == "$.item[0]"


def test_several_type_variables(fmt: Format) -> None:
    of = Two[int, str]
    value = fmt.loads('{"first": 1, "second": {"k": "v"}, "both": {"item": [1, "x"]}}', of)
    assert_same(value, Two(1, {"k": "v"}, Base((1, "x"))))
    assert fmt.refuse('{"first": 1, "second": {"k": 1}}', of).path == "$.second.k"
    assert fmt.loads('{"first": "1", "second": {"k": 1}}', Two[str, int]).first == "1"


def test_a_generic_class_may_hold_itself(fmt: Format) -> None:
    @dataclass
    class Chain(Generic[T]):
        value: T
        rest: Chain[T] | None = None

    assert_same(fmt.loads('{"value": 1, "rest": {"value": 2}}', Chain[int]), Chain(1, Chain(2)))
    assert fmt.refuse('{"value": 1, "rest": {"value": "2"}}', Chain[int]).path == "$.rest.value"


def test_a_generic_that_grows_for_ever_is_refused(fmt: Format) -> None:
    @dataclass
    class Growing(Generic[T]):
        value: T
        rest: Growing[list[T]] | None = None

    with pytest.raises(octad.ContractError):
        fmt.verbs.loads(fmt.data('{"value": 1}'), Growing[int])


def test_generic_typed_dicts_and_named_tuples(fmt: Format) -> None:
    class Page(typing_extensions.TypedDict, Generic[T]):
        items: list[T]

    class Pair(typing.NamedTuple, Generic[T]):
        a: T
        b: T

    assert_same(fmt.loads('{"items": [1]}', Page[int]), {"items": [1]})
    assert fmt.refuse('{"items": ["1"]}', Page[int]).path == "$.items[0]"
    assert_same(fmt.loads("[1, 2]", Pair[int]), Pair(1, 2))
    assert fmt.refuse('[1, "2"]', Pair[int]).path == "$[1]"


def test_defaults_of_type_variables(fmt: Format) -> None:
    defaulted = typing_extensions.TypeVar("defaulted", default=int)

    class Holder(Generic[defaulted]):
        item: defaulted

        def __init__(self, item: defaulted) -> None:
            self.item = item

    Holder.__init__.__annotations__["item"] = defaulted
    assert fmt.verbs.loads(fmt.data('{"item": 1}'), Holder).item == 1
    with pytest.raises(octad.ValidationError):
        fmt.verbs.loads(fmt.data('{"item": "1"}'), Holder)
    assert fmt.verbs.loads(fmt.data('{"item": "1"}'), Holder[str]).item == "1"


def test_aliases_that_hold_themselves(fmt: Format) -> None:
    nested = typing_extensions.TypeAliasType("nested", "list[nested] | int")
    sys.modules[__name__].nested = nested
    try:
        assert fmt.loads("[1, [2, [[3]]]]", nested) == [1, [2, [[3]]]]
        assert fmt.refuse('[1, ["2"]]', nested).path == "$[1][0]"
    finally:
        del sys.modules[__name__].nested
    only = typing_extensions.TypeAliasType("only", "only")
    sys.modules[__name__].only = only
    try:
        with pytest.raises(octad.ContractError):
            fmt.verbs.loads(b"1", only)
    finally:
        del sys.modules[__name__].only


def test_a_class_with_unread_annotations_of_any_kind(fmt: Format) -> None:
    @dataclass
    class Half:
        a: int
        constant: typing.ClassVar[NoSuchName] = 5  # noqa: F821

    assert_same(fmt.loads('{"a": 1}', Half), Half(1))


def test_literals_and_finals_in_classes(fmt: Format) -> None:
    @dataclass
    class Fixed:
        kind: Literal["a"]
        size: typing.Final[int] = 3

    assert_same(fmt.loads('{"kind": "a", "size": 4}', Fixed), Fixed("a", 4))


def test_very_many_fields_and_classes(fmt: Format) -> None:
    import dataclasses

    fields = [(f"field_{n}", int, n) for n in range(1_000)]
    wide = dataclasses.make_dataclass("wide", fields)
    assert_same(fmt.loads('{"field_999": 1, "field_0": 5}', wide), wide(field_0=5, field_999=1))
    inner: Any = int
    for n in range(300):
        inner = dataclasses.make_dataclass(f"level_{n}", [("inner", inner)])
    value: Any = fmt.verbs.loads(fmt.data('{"inner": ' * 300 + "7" + "}" * 300), inner)
    for _ in range(300):
        value = value.inner
    assert value == 7


def test_plans_are_remembered_but_not_for_ever() -> None:
    import gc
    import weakref

    alive = []
    for n in range(1_500):
        cls = dataclass(type(f"Passing{n}", (), {"__annotations__": {"a": int}}))
        assert octad.json.loads('{"a": 1}', cls).a == 1
        alive.append(weakref.ref(cls))
    del cls
    gc.collect()
    assert sum(one() is not None for one in alive) <= 1_100


def test_unhashable_types_are_read_all_the_same(fmt: Format) -> None:
    of = typing.Annotated[int, ["unhashable"]]
    assert fmt.loads("5", of) == 5
    assert fmt.loads("[5]", list[of]) == [5]

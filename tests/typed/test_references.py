"""Reading values that are shared within a text: `$id`, `$ref`, `$values`, and cycles of them."""

from __future__ import annotations

import gc
import weakref
from collections import deque
from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple, TypedDict

import octad
import pytest
from octad import json

pytestmark = [pytest.mark.feature(181), pytest.mark.feature(183)]

SHARED = octad.Settings(references=True)


@dataclass
class Node:
    name: str
    next: Node | None = None
    all: list[Node] = field(default_factory=list)


@dataclass(slots=True, frozen=True)
class Frozen:
    name: str
    owner: Frozen | None = None


class Called:
    def __init__(self, name: str, next: Called | None = None) -> None:
        self.name, self.next = name, next


class Pair(NamedTuple):
    left: Any
    right: Any


class Tree(TypedDict, total=False):
    name: str
    up: Tree
    down: list[Tree]


def load(text: str, kind: Any, settings: octad.Settings = SHARED) -> Any:
    """The value; `check` has nothing to say about it."""
    assert json.check(text, kind, settings=settings) == []
    json.parse(text, settings=settings).to(kind)
    json.Decoder(kind, settings=settings).loads(text)
    return json.loads(text, kind, settings=settings)


def test_a_reference_is_the_same_object() -> None:
    text = '[{"$id": "1", "name": "a"}, {"name": "b", "next": {"$ref": "1"}}, {"$ref": "1"}]'
    made = load(text, list[Node])
    assert made[0] == Node("a")
    assert made[2] is made[0]
    assert made[1].next is made[0]


def test_the_name_may_stand_anywhere_and_be_a_number() -> None:
    text = '[{"name": "a", "$id": 1}, {"name": "b", "$id": "1"}, {"$ref": "1"}, {"$ref": 1}]'
    made = load(text, list[Node])
    assert [node.name for node in made] == ["a", "b", "b", "a"]
    assert made[3] is made[0]
    assert made[2] is made[1]


def test_cycles_of_records_close() -> None:
    text = '{"$id": "1", "name": "a", "next": {"$id": "2", "name": "b", "next": {"$ref": "1"}}}'
    made = load(text, Node)
    assert made.next.next is made
    made = load('{"$id": "x", "next": {"$ref": "x"}, "name": "a"}', Node)
    assert made.next is made
    text = '{"$id": "1", "name": "a", "owner": {"$ref": "1"}}'
    frozen = load(text, Frozen)
    assert frozen.owner is frozen
    assert frozen.name == "a"


def test_lists_have_their_items_in_values() -> None:
    text = """{"$id": "1", "name": "a", "all": {"$id": "2", "$values": [
        {"name": "b", "all": {"$ref": "2"}}, {"$ref": "1"}]}}"""
    made = load(text, Node)
    assert made.all[0].all is made.all
    assert made.all[1] is made
    made = load('{"$id": 1, "$values": [{"$id": 2, "$values": [{"$ref": 1}]}]}', list)
    assert made[0][0] is made


def test_untyped_values_and_dicts_close_too() -> None:
    text = '{"$id": "1", "self": {"$ref": "1"}, "list": {"$id": "2", "$values": [{"$ref": "2"}]}}'
    for kind in (Any, dict, dict[str, Any]):
        made = load(text, kind)
        assert list(made) == ["self", "list"]
        assert made["self"] is made
        assert made["list"][0] is made["list"]
    text = '{"a": {"$id": "1", "x": 1}, "b": {"$ref": "1"}}'
    made = load(text, dict[str, dict[str, int]])
    assert made == {"a": {"x": 1}, "b": {"x": 1}}
    assert made["a"] is made["b"]


def test_typed_dicts_close() -> None:
    text = '{"$id": 1, "name": "a", "down": [{"up": {"$ref": 1}}]}'
    made = load(text, Tree)
    assert made["down"][0]["up"] is made
    assert (list(made), made["name"]) == (["name", "down"], "a")


def test_sharing_without_a_cycle_works_for_every_kind() -> None:
    text = '[{"$id": 1, "name": "a"}, {"name": "b", "next": {"$ref": 1}}]'
    made = load(text, list[Called])
    assert made[1].next is made[0]
    text = '[{"$id": 1, "$values": [1, 2]}, {"$ref": 1}]'
    for kind in (tuple[int, ...], tuple[int, int], set[int], frozenset[int], deque[int], list[int]):
        made = load(text, list[kind])
        assert made[0] is made[1]
        assert list(made[0]) == [1, 2]
    made = load('[{"$id": 1, "left": 1, "right": {}}, {"$ref": 1}]', list[Pair])
    assert made[0] is made[1]


def test_a_class_that_is_called_cannot_close_a_cycle() -> None:
    text = '[{"$id": "1", "name": "a", "next": {"$ref": "1"}}]'
    with pytest.raises(octad.ValidationError) as caught:
        json.loads(text, list[Called], settings=SHARED)
    error = caught.value
    assert (error.code, error.pointer) == ("unresolved-reference", "/0/next/$ref")
    assert "made by a call" in error.message
    problems = json.check(text, list[Called], settings=SHARED)
    assert [problem.code for problem in problems] == ["unresolved-reference"]


BAD = [
    ('[{"$ref": "1"}, {"$id": "1", "name": "a"}]', "unresolved-reference", "/0/$ref"),
    ('[{"$ref": "no"}]', "unresolved-reference", "/0/$ref"),
    ('[{"$id": "1", "name": "a"}, {"$ref": 1}]', "unresolved-reference", "/1/$ref"),
    ('[{"$id": "1", "name": "a"}, {"$id": "1", "name": "b"}]', "invalid-value", "/1/$id"),
    ('[{"$id": "1", "name": "a"}, {"$ref": "1", "name": "b"}]', "invalid-value", "/1"),
    ('[{"$id": null, "name": "a"}]', "wrong-type", "/0/$id"),
    ('[{"$id": "1", "name": "a"}, {"$ref": 1.5}]', "wrong-type", "/1/$ref"),
    ('[{"$id": "1", "name": "a", "all": {"$ref": "1"}}]', "wrong-type", "/0/all"),
    ('[{"$id": "1", "name": 3}]', "wrong-type", "/0/name"),
    ('[{"name": "a", "all": {"$id": "1", "$values": [3]}}]', "wrong-type", "/0/all/$values/0"),
]


@pytest.mark.parametrize(("text", "code", "pointer"), BAD)
def test_what_is_wrong_with_a_reference(text: str, code: str, pointer: str) -> None:
    with pytest.raises(octad.ValidationError) as caught:
        json.loads(text, list[Node], settings=SHARED)
    assert (caught.value.code, caught.value.pointer) == (code, pointer)
    problem = json.check(text, list[Node], settings=SHARED)[0]
    assert (problem.code, problem.pointer) == (code, pointer)


def test_a_reference_keeps_to_the_type_that_is_asked_for() -> None:
    @dataclass
    class Other:
        name: str

    @dataclass
    class Holder:
        node: Node
        other: Other | None = None
        numbers: list[int] | None = None
        words: list[str] | None = None
        anything: Any = None

    text = '{"node": {"$id": 1, "name": "a"}, "anything": {"$ref": 1}}'
    made = load(text, Holder)
    assert made.anything is made.node
    text = '{"node": {"$id": 1, "name": "a"}, "other": {"$ref": 1}}'
    with pytest.raises(octad.ValidationError) as caught:
        json.loads(text, Holder, settings=SHARED)
    assert (caught.value.code, caught.value.path) == ("wrong-type", "$.other")
    assert caught.value.found == "a reference to `Node`"
    text = '{"node": {"name": "a"}, "numbers": {"$id": 1, "$values": [1]}, "words": {"$ref": 1}}'
    with pytest.raises(octad.ValidationError) as caught:
        json.loads(text, Holder, settings=SHARED)
    assert caught.value.path == "$.words"


def test_a_resolver_knows_what_is_not_in_the_text() -> None:
    class Resolver:
        def __init__(self) -> None:
            self.known: dict[Any, Any] = {"a": Node("a"), 7: Called("x")}

        def resolve(self, id: Any) -> Any:
            if id == "worse":
                raise ZeroDivisionError
            if id == "none":
                return None
            return self.known[id]

        def id_of(self, object: Any) -> Any:
            return None

    resolver = Resolver()
    settings = octad.Settings(references=resolver)
    text = '[{"$ref": "a"}, {"name": "b", "next": {"$ref": "a"}}]'
    made = json.loads(text, list[Node], settings=settings)
    assert made[0] is resolver.known["a"] is made[1].next
    for name in ('"b"', '"none"'):
        with pytest.raises(octad.ValidationError) as caught:
            json.loads(f'[{{"$ref": {name}}}]', list[Node], settings=settings)
        assert caught.value.code == "unresolved-reference"
    with pytest.raises(octad.ValidationError) as caught:
        json.loads('[{"$ref": 7}]', list[Node], settings=settings)
    assert caught.value.code == "wrong-type"
    with pytest.raises(ZeroDivisionError):
        json.loads('[{"$ref": "worse"}]', list[Node], settings=settings)


def test_unknown_members_tags_and_constraints_go_along() -> None:
    @octad.contract(tag=True, unknown="forbid")
    @dataclass
    class Circle:
        radius: Annotated[float, octad.Field(gt=0)]
        inner: Circle | Square | None = None

    @octad.contract(tag=True, unknown="forbid")
    @dataclass
    class Square:
        side: float

    Circle.__annotations__["inner"] = Circle | Square | None
    text = """[{"$id": "1", "$type": "Circle", "radius": 1, "inner": {"$ref": "1"}},
               {"$type": "Square", "$id": "2", "side": 2}, {"$ref": "2"}, {"$ref": "1"}]"""
    made = load(text, list[Circle | Square])
    assert made[0].inner is made[0]
    assert made[2] is made[1]
    assert made[3] is made[0]
    with pytest.raises(octad.ValidationError) as caught:
        json.loads('[{"$id": 1, "side": 2, "x": 1}]', list[Square], settings=SHARED)
    assert caught.value.code == "unknown-field"


def test_converters_and_hooks_share_the_names() -> None:
    class Wrapped:
        def __init__(self, inner: Any) -> None:
            self.inner = inner

    class WrappedConverter(octad.Converter[Wrapped]):
        def read(self, r: octad.Reader) -> Wrapped:
            r.read()
            return Wrapped(r.get("in", Node | None))

    @dataclass
    class Hooked:
        node: Node

        @classmethod
        def __octad_before_load__(cls, data: dict[str, Any]) -> dict[str, Any]:
            return {"node": data["n"]}

    settings = octad.Settings(references=True, converters=[WrappedConverter])
    text = """[{"$id": 1, "in": {"$id": 2, "name": "a"}}, {"$ref": 1}, {"in": {"$ref": 2}},
               {"in": null}]"""
    made = json.loads(text, list[Wrapped], settings=settings)
    assert made[1] is made[0]
    assert made[2].inner is made[0].inner
    text = '[{"n": {"$id": 1, "name": "a"}}, {"n": {"$ref": 1}}]'
    made = json.loads(text, list[Hooked], settings=SHARED)
    assert made[0].node is made[1].node


def test_without_the_setting_they_are_plain_members() -> None:
    text = '{"$id": "1", "a": {"$ref": "1"}}'
    assert json.loads(text, dict[str, Any]) == {"$id": "1", "a": {"$ref": "1"}}
    assert json.loads('{"$id": "1", "name": "a"}', Node) == Node("a")
    assert json.loads('{"$ref": "1", "name": "a"}', Node) == Node("a")
    assert json.loads('{"$id": "1", "name": "a"}', Node, references=True) == Node("a")


def test_a_deep_text_is_bounded_and_nothing_is_left_over() -> None:
    deep = '{"$id": 0, "next": ' * 3000
    with pytest.raises(octad.DecodeError):
        json.loads(deep + "null" + "}" * 3000, Any, settings=SHARED)
    text = '{"$id": "1", "name": "a", "next": {"name": "b", "next": {"$ref": "1"}}}'
    made = json.loads(text, Node, settings=SHARED)
    alive = weakref.ref(made)
    del made
    gc.collect()
    assert alive() is None
    for bad, _, _ in BAD:
        for _ in range(3):
            with pytest.raises(octad.ValidationError):
                json.loads(bad, list[Node], settings=SHARED)


def test_objects_of_the_same_name_in_branches_of_a_union() -> None:
    @dataclass
    class Low:
        a: Node
        b: int

    @dataclass
    class High:
        a: Node
        c: int

    text = '[{"a": {"$id": 1, "name": "x"}, "c": 1}, {"a": {"$ref": 1}, "b": 2}]'
    made = load(text, list[Low | High])
    assert made[0].a is made[1].a
    assert [type(one) for one in made] == [High, Low]

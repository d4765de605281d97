"""Reading values that are shared within a text: `$id`, `$ref`, `$values`, and cycles of them."""

from __future__ import annotations

import gc
import weakref
from collections import deque
from dataclasses import dataclass, field
from typing import Annotated, Any, Generic, NamedTuple, TypedDict, TypeVar

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


def test_members_that_no_field_has_are_shared_too() -> None:
    @dataclass
    class Open:
        name: str
        rest: Annotated[dict[str, Any], octad.Field(extra=True)] = field(default_factory=dict)

    @octad.contract(unknown="keep")
    @dataclass
    class Kept:
        name: str

    text = """[{"$id": "1", "name": "a", "self": {"$ref": "1"}, "in": [{"$id": "2", "x": [0]}]},
               {"name": "b", "other": {"$ref": "2"}, "deep": {"d": [{"$ref": "1"}]}}]"""
    one, two = load(text, list[Open])
    assert one.rest["self"] is one
    assert two.rest["deep"]["d"][0] is one
    assert two.rest["other"] is one.rest["in"][0]
    assert two.rest["other"] == {"x": [0]}
    one, two = load(text, list[Kept])
    assert one.__dict__["__octad_extra__"]["self"] is one
    assert two.__dict__["__octad_extra__"]["other"] == {"x": [0]}
    written = json.dumps_str([one, two], references=True)
    again = load(written, list[Kept])
    assert again[0].__dict__["__octad_extra__"]["self"] is again[0]
    assert again == [one, two]
    # Without the setting they are what they are in the text.
    plain = text.replace('"$id": "1", ', "")
    assert json.loads(plain, list[Open])[1].rest["other"] == {"$ref": "2"}
    with pytest.raises(octad.ValidationError) as caught:
        json.loads('{"name": "a", "more": [{"$ref": "9"}]}', Open, settings=SHARED)
    assert caught.value.code == "unresolved-reference"
    assert caught.value.path.startswith("$.more[0]")


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


T = TypeVar("T")


@dataclass
class Box(Generic[T]):
    v: T


@dataclass
class IntBox(Box[int]):
    w: int = 0


def refuse(text: str, kind: Any) -> octad.ValidationError:
    with pytest.raises(octad.ValidationError) as caught:
        json.loads(text, kind, settings=SHARED)
    found = [problem.code for problem in json.check(text, kind, settings=SHARED)]
    assert caught.value.code in found
    return caught.value


def test_a_reference_keeps_to_the_arguments_of_a_generic_class() -> None:
    @dataclass
    class Both:
        a: Box[int]
        b: Box[str] | None
        c: Box[int] | None = None

    text = '{"a": {"$id": "1", "v": 5}, "b": null, "c": {"$ref": "1"}}'
    made = load(text, Both)
    assert made.c is made.a
    error = refuse('{"a": {"$id": "1", "v": 5}, "b": {"$ref": "1"}}', Both)
    assert (error.code, error.path) == ("wrong-type", "$.b")

    @dataclass
    class Sub:
        a: IntBox
        b: Box[str]

    error = refuse('{"a": {"$id": "1", "v": 5}, "b": {"$ref": "1"}}', Sub)
    assert (error.code, error.path) == ("wrong-type", "$.b")


def test_an_instance_of_a_subclass_may_stand_for_its_base() -> None:
    @dataclass
    class Base:
        x: int = 0

    @dataclass
    class Derived(Base):
        y: int = 0

    @dataclass
    class Two:
        a: Derived
        b: Base

    made = load('{"a": {"$id": 1, "x": 1}, "b": {"$ref": 1}}', Two)
    assert made.b is made.a
    assert refuse('{"b": {"$id": 1, "x": 1}, "a": {"$ref": 1}}', Two).code == "wrong-type"


def test_the_conditions_of_the_place_that_refers_are_checked() -> None:
    three = Annotated[list[int], octad.Field(min_length=3)]

    @dataclass
    class Lists:
        a: list[int]
        b: three | None = None
        c: Annotated[list[int], octad.Field(max_length=2)] | None = None

    text = '{"a": {"$id": "1", "$values": [%s]}, "%s": {"$ref": "1"}}'
    error = refuse(text % ("5", "b"), Lists)
    assert (error.code, error.path) == ("wrong-length", "$.b")
    assert refuse(text % ("5, 6, 7", "c"), Lists).code == "wrong-length"
    made = load(text % ("5, 6, 7", "b"), Lists)
    assert made.b is made.a
    made = load(text % ("5", "c"), Lists)
    assert made.c is made.a


def test_conditions_on_what_is_still_being_read() -> None:
    @dataclass
    class Loop:
        items: Annotated[list[Any], octad.Field(min_length=1)]

    made = load('{"items": {"$id": 1, "$values": [{"$ref": 1}]}}', Loop)
    assert made.items[0] is made.items

    @dataclass
    class Inner:
        all: Annotated[list[Inner], octad.Field(max_length=1)] | None = None

    Inner.__annotations__["all"] = Annotated[list[Inner], octad.Field(max_length=1)] | None

    @dataclass
    class Outer:
        all: list[Inner]

    Outer.__annotations__["all"] = list[Inner]
    text = '{"all": {"$id": 1, "$values": [{"all": {"$ref": 1}}, {}]}}'
    assert refuse(text, Outer).code == "unresolved-reference"


def test_the_word_of_a_resolver_is_taken_but_conditions_are_checked() -> None:
    known = {"box": Box(1), "list": [1]}

    class Resolver:
        def resolve(self, name: Any) -> Any:
            return known.get(name)

        def id_of(self, found: Any) -> Any:
            return None

    settings = octad.Settings(references=Resolver())
    assert json.loads('[{"$ref": "box"}]', list[Box[str]], settings=settings)[0] is known["box"]
    two = Annotated[list[int], octad.Field(min_length=2)]
    with pytest.raises(octad.ValidationError):
        json.loads('[{"$ref": "list"}]', list[two], settings=settings)


def test_members_of_an_extra_field_are_resolved() -> None:
    @dataclass
    class Open:
        extra: Annotated[dict[str, Any], octad.Field(extra=True)] = field(default_factory=dict)

    made = load('{"$id": "1", "q": {"$ref": "1"}, "r": [{"$ref": "1"}]}', Open)
    assert made.extra["q"] is made
    assert made.extra["r"][0] is made
    kept = octad.Settings(references=True, unknown="keep")
    made = json.loads('{"$id": 1, "name": "a", "q": {"$ref": 1}}', Node, settings=kept)
    assert vars(made)["__octad_extra__"] == {"q": made}


def test_records_that_are_arrays_close_cycles() -> None:
    @octad.contract(array=True)
    @dataclass
    class Row:
        x: int = 0
        next: Row | None = None

    Row.__annotations__["next"] = Row | None
    row = Row(1)
    row.next = row
    text = json.dumps(row, settings=SHARED)
    made = load(text.decode(), Row)
    assert made.next is made
    assert made.x == 1


def test_an_id_is_a_text_or_a_number() -> None:
    class Resolver:
        def __init__(self, found: Any) -> None:
            self.found = found

        def resolve(self, name: Any) -> Any:
            return None

        def id_of(self, found: Any) -> Any:
            return self.found

    shared = [1]
    for good, text in (("x", b'"x"'), (7, b'"7"')):
        settings = octad.Settings(references=Resolver(good))
        found = json.dumps([shared, shared], settings=settings)
        assert found == b'[{"$id":%s,"$values":[1]},{"$ref":%s}]' % (text, text)
    for bad in (object(), 1.5, True, ("a",), b"x"):
        settings = octad.Settings(references=Resolver(bad))
        with pytest.raises(octad.EncodeError, match="an id is a str or an int") as caught:
            json.dumps([shared, shared], settings=settings)
        assert caught.value.path == "$[1]"


def test_models_of_pydantic_do_not_lose_references() -> None:
    pydantic = pytest.importorskip("pydantic", reason="models are pydantic's")

    class Model(pydantic.BaseModel):  # type: ignore[misc,name-defined]
        model_config = pydantic.ConfigDict(extra="forbid")
        n: Any = None
        v: int = 0

    class Inner(pydantic.BaseModel):  # type: ignore[misc,name-defined]
        v: int = 0

    class Holder(pydantic.BaseModel):  # type: ignore[misc,name-defined]
        a: Inner
        b: Inner
        c: list[Inner] = pydantic.Field(default_factory=list)

    error = refuse('{"$id": "1", "v": 5, "n": {"$ref": "1"}}', Model)
    assert error.code == "unresolved-reference"
    made = load('{"$id": "1", "v": 5, "n": {"$id": "2", "v": 6}}', Model)
    assert (made.v, made.n) == (5, {"v": 6})
    text = '{"a": {"$id": "1", "v": 7}, "b": {"$ref": "1"}, "c": [{"$ref": "1"}]}'
    made = load(text, Holder)
    assert (made.a.v, made.b.v, made.c[0].v) == (7, 7, 7)
    assert refuse('{"a": {}, "b": {"$ref": "9"}}', Holder).code == "unresolved-reference"
    made = load('[{"$id": 1, "v": 3}, {"$ref": 1}]', list[Inner])
    assert made[0] is made[1]
    # An object that was read before is handed out as it is.
    made = load('[{"$id": 1, "v": 3}, {"v": 4, "n": {"$ref": 1}}]', tuple[Inner, Model])
    assert made[1].n is made[0]

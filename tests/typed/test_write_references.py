"""Shared objects and cycles in what is written: `$id`, `$ref`, `$values`, or null."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any

import octad
import pytest
from hypothesis import given
from hypothesis import strategies as st
from octad import Field, Settings, json

SHARED = Settings(references=True)


@dataclass
class Node:
    name: str
    next: Any = None
    kids: list[Any] = field(default_factory=list)


def resolved(value: Any) -> Any:
    """Objects as they were, from the plain values of a text with references."""
    known: dict[str, Any] = {}
    later: list[tuple[Any, Any, str]] = []

    def made(part: Any, holder: Any, key: Any) -> Any:
        if isinstance(part, dict):
            if "$ref" in part:
                later.append((holder, key, part["$ref"]))
                return None
            identity = part.pop("$id", None)
            into: Any = [] if "$values" in part else {}
            if identity is not None:
                assert identity not in known
                known[identity] = into
            if isinstance(into, list):
                fill(into, part["$values"])
            else:
                for name, one in part.items():
                    into[name] = None
                    into[name] = made(one, into, name)
            return into
        if isinstance(part, list):
            return fill([], part)
        return part

    def fill(into: list[Any], parts: list[Any]) -> list[Any]:
        for at, one in enumerate(parts):
            into.append(None)
            into[at] = made(one, into, at)
        return into

    top: list[Any] = [None]
    top[0] = made(value, top, 0)
    for holder, key, identity in later:
        holder[key] = known[identity]
    return top[0]


@pytest.mark.feature(181)
def test_shared_objects_are_written_once() -> None:
    shared_list, shared_dict, shared = [1], {"a": 2}, Node("x")
    value = [shared_list, shared_list, shared_dict, {"d": shared_dict}, shared, (shared,), [1]]
    text = (
        b'[{"$id":"1","$values":[1]},{"$ref":"1"},{"$id":"2","a":2},{"d":{"$ref":"2"}},'
        b'{"$id":"3","name":"x","next":null,"kids":[]},[{"$ref":"3"}],[1]]'
    )
    assert json.dumps(value, settings=SHARED) == text
    assert json.Encoder(settings=SHARED).dumps(value) == text
    buffer = bytearray()
    json.dump_into(value, buffer, settings=SHARED)
    assert bytes(buffer) == text
    # Without the setting they are written each time they are met.
    assert json.dumps([shared_list, shared_list]) == b"[[1],[1]]"


@pytest.mark.feature(181)
def test_cycles() -> None:
    a, b = Node("a"), Node("b")
    a.next, b.next = b, a
    a.kids = [a, b]
    assert json.dumps(a, settings=SHARED) == (
        b'{"$id":"1","name":"a","next":{"$id":"2","name":"b","next":{"$ref":"1"},"kids":[]},'
        b'"kids":[{"$ref":"1"},{"$ref":"2"}]}'
    )
    loop: list[Any] = []
    loop.append(loop)
    assert json.dumps(loop, settings=SHARED) == b'{"$id":"1","$values":[{"$ref":"1"}]}'
    named: dict[str, Any] = {}
    named["self"] = named
    assert json.dumps(named, settings=SHARED) == b'{"$id":"1","self":{"$ref":"1"}}'


@pytest.mark.feature(181, 184)
def test_references_and_contracts() -> None:
    @octad.contract(tag=True, rename="camel", omit_none=True)
    @dataclass
    class Tagged:
        the_next: Any = None

    @octad.contract(array=True)
    @dataclass
    class Row:
        a: Any

    @octad.contract(tag="t", tag_place="around")
    @dataclass
    class Around:
        a: Any

    @dataclass
    class Open:
        a: int
        more: Annotated[dict[str, Any], Field(flatten=True)]

    one = Tagged()
    one.the_next = one
    assert json.dumps(one, settings=SHARED) == (
        b'{"$id":"1","$type":"Tagged","theNext":{"$ref":"1"}}'
    )
    row = Row(None)
    row.a = [row]
    assert json.dumps(row, settings=SHARED) == b'{"$id":"1","$values":[[{"$ref":"1"}]]}'
    around = Around(1)
    assert json.dumps([around, around], settings=SHARED) == (
        b'[{"t":{"$id":"1","a":1}},{"$ref":"1"}]'
    )
    flat = Open(1, {"x": [one]})
    assert json.dumps([flat, flat], settings=SHARED) == (
        b'[{"$id":"1","a":1,"x":[{"$id":"2","$type":"Tagged","theNext":{"$ref":"2"}}]},'
        b'{"$ref":"1"}]'
    )


@pytest.mark.feature(181, 169)
def test_what_a_hook_returns_stands_for_the_object() -> None:
    @dataclass
    class Hooked:
        a: Any

        def __octad_before_dump__(self) -> Any:
            return {"h": self.a}

    hooked = Hooked(1)
    hooked.a = [hooked]
    assert json.dumps([hooked, hooked], settings=SHARED) == (
        b'[{"$id":"1","h":[{"$ref":"1"}]},{"$ref":"1"}]'
    )

    @dataclass
    class Text:
        a: str

        def __octad_before_dump__(self) -> str:
            return self.a

    text = Text("x")
    assert json.dumps([text, text, [1]], settings=SHARED) == b'["x","x",[1]]'


@pytest.mark.feature(181)
@pytest.mark.parametrize("name", ["$id", "$ref", "$values"])
def test_names_that_references_need(name: str) -> None:
    with pytest.raises(octad.EncodeError, match="which `references` needs") as caught:
        json.dumps({"a": [{name: 1}]}, settings=SHARED)
    assert caught.value.code == "key-clash"
    assert json.dumps({name: 1}) == b'{"%s":1}' % name.encode()


@pytest.mark.feature(181)
def test_errors_and_options_are_those_of_any_text() -> None:
    with pytest.raises(octad.EncodeError) as caught:
        json.dumps({"a": [1.5, float("inf")]}, settings=SHARED)
    assert (caught.value.code, caught.value.path) == ("not-finite", "$.a[1]")
    with pytest.raises(octad.EncodeError) as caught:
        json.dumps(["x" * 100], settings=Settings(references=True, limits=octad.Limits(output=50)))
    assert caught.value.code == "output-limit"
    shared = {"é": [float("nan")]}
    assert json.dumps(
        [shared, shared], settings=SHARED, nan="null", escape="ascii", indent=1, sort_keys=True
    ) == (b'[\n {\n  "$id": "1",\n  "\\u00e9": [\n   null\n  ]\n },\n {\n  "$ref": "1"\n }\n]')
    for refused in (
        lambda: json.dumps([], settings=SHARED, canonical=True),
        lambda: json.Writer(settings=SHARED),
    ):
        with pytest.raises(ValueError, match="references"):
            refused()


class Resolver:
    """Gives records their names, and nothing else an id."""

    def __init__(self) -> None:
        self.asked: list[Any] = []

    def resolve(self, identity: str) -> Any:
        raise AssertionError("nothing is read")

    def id_of(self, value: Any) -> Any:
        self.asked.append(value)
        return getattr(value, "name", None)


@pytest.mark.feature(183)
def test_a_resolver_gives_the_ids() -> None:
    resolver = Resolver()
    settings = Settings(references=resolver)
    a, items = Node("a"), [1]
    a.next = a
    assert json.dumps([a, a, items, items, Node("b")], settings=settings) == (
        b'[{"$id":"a","name":"a","next":{"$ref":"a"},"kids":[]},{"$ref":"a"},[1],[1],'
        b'{"name":"b","next":null,"kids":[]}]'
    )
    assert all(one is a or one is items for one in resolver.asked), "only what is met again"

    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(octad.EncodeError) as caught:
        json.dumps(loop, settings=settings)
    assert caught.value.code == "cycle"


@pytest.mark.feature(183)
def test_resolvers_that_fail() -> None:
    class Raises(Resolver):
        def id_of(self, value: Any) -> Any:
            raise LookupError("no id")

    class Same(Resolver):
        def id_of(self, value: Any) -> Any:
            return 7

    one, two = [1], [2]
    with pytest.raises(LookupError) as caught:
        json.dumps([one, {"a": one}], settings=Settings(references=Raises()))
    assert "$[1].a" in caught.value.__notes__[0]
    assert json.dumps([one, one], settings=Settings(references=Same())) == (
        b'[{"$id":"7","$values":[1]},{"$ref":"7"}]'
    )
    with pytest.raises(octad.EncodeError, match="the id `7`") as clash:
        json.dumps([one, one, two, two], settings=Settings(references=Same()))
    assert clash.value.code == "key-clash"


@pytest.mark.feature(182)
def test_a_cycle_is_an_error_or_null() -> None:
    a = Node("a")
    a.next = {"back": [a]}
    with pytest.raises(octad.EncodeError) as caught:
        json.dumps([a])
    assert (caught.value.code, caught.value.path) == ("cycle", "$[0].next.back[0]")
    settings = Settings(cycles="null")
    assert json.dumps([a, a], settings=settings) == (
        b'[{"name":"a","next":{"back":[null]},"kids":[]},'
        b'{"name":"a","next":{"back":[null]},"kids":[]}]'
    )
    twice = [1]
    assert json.dumps([twice, twice], settings=settings) == b"[[1],[1]]"


_GRAPHS = st.lists(
    st.tuples(st.booleans(), st.lists(st.integers(0, 9), max_size=4)), min_size=1, max_size=8
)


@pytest.mark.feature(181)
@given(_GRAPHS, st.sampled_from([{}, {"indent": 1}]))
def test_any_graph_comes_back(shape: list[tuple[bool, list[int]]], options: dict[str, Any]) -> None:
    parts: list[Any] = [[] if is_list else {} for is_list, _ in shape]
    for part, (_, links) in zip(parts, shape, strict=True):
        for at, link in enumerate(links):
            target = parts[link] if link < len(parts) else link
            if isinstance(part, list):
                part.append(target)
            else:
                part[f"k{at}"] = target
    back = resolved(json.loads(json.dumps(parts[0], settings=SHARED, **options)))

    pairs = [(parts[0], back)]
    seen: dict[int, int] = {}
    while pairs:
        left, right = pairs.pop()
        assert type(left) is type(right)
        if isinstance(left, int):
            assert left == right
            continue
        if id(left) in seen:
            assert seen[id(left)] == id(right)
            continue
        seen[id(left)] = id(right)
        assert len(left) == len(right)
        pairs += zip(left, right, strict=True) if isinstance(left, list) else []
        if isinstance(left, dict):
            assert list(left) == list(right)
            pairs += zip(left.values(), right.values(), strict=True)
    assert len(set(seen.values())) == len(seen)

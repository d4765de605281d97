"""Shapes of records in what is written: tags, arrays, flattened and further fields."""

from __future__ import annotations

import typing
from dataclasses import dataclass, field
from typing import Annotated, Any

import msgspec
import octad
import pytest
from octad import Field, Settings, json

NOWHERE: Any = None


@pytest.mark.feature(184, 185)
def test_tags_inside() -> None:
    @octad.contract(tag=True)
    @dataclass
    class Circle:
        r: float

    @octad.contract(tag="sq", tag_field="kind")
    @dataclass(slots=True)
    class Square:
        side: float

    @octad.contract(tag=7, tag_field="t")
    @dataclass
    class Seven:
        a: int = 0

    assert json.dumps([Circle(1.0), Square(2.0), Seven()]) == (
        b'[{"$type":"Circle","r":1.0},{"kind":"sq","side":2.0},{"t":7,"a":0}]'
    )
    assert json.dumps(Square(2.0), sort_keys=True) == b'{"kind":"sq","side":2.0}'
    # A tag is no number of the data.
    assert json.dumps(Seven(), settings=Settings(numbers_as_text=True)) == b'{"t":7,"a":"0"}'


@pytest.mark.feature(184)
def test_tags_around_and_beside() -> None:
    @octad.contract(tag="circle", tag_place="around")
    @dataclass
    class Circle:
        r: float

    @octad.contract(tag=True, tag_field="kind", tag_place="beside")
    @dataclass
    class Square:
        side: float

    @dataclass
    class Drawing:
        name: str
        shape: Any

    assert json.dumps([Circle(1.0)]) == b'[{"circle":{"r":1.0}}]'
    assert json.dumps(Drawing("x", Circle(1.0))) == b'{"name":"x","shape":{"circle":{"r":1.0}}}'
    text = b'{"name":"x","kind":"Square","shape":{"side":1.0}}'
    assert json.dumps(Drawing("x", Square(1.0))) == text
    assert json.dumps([Drawing("x", Square(1.0))] * 2) == b"[" + text + b"," + text + b"]"
    assert json.loads(json.dumps(Drawing("x", Square(1.0)), indent=2)) == json.loads(text)

    octad.contract_for(Drawing, omit_none=True)
    assert json.dumps(Drawing("x", Square(1.0))) == text
    assert json.dumps(Drawing("x", Square(1.0)), sort_keys=True) == (
        b'{"kind":"Square","name":"x","shape":{"side":1.0}}'
    )
    for value, path in (([Square(1.0)], "$[0]"), (Drawing("x", [Square(1.0)]), "$.shape[0]")):
        with pytest.raises(octad.EncodeError, match="tag stands beside it") as caught:
            json.dumps(value)
        assert caught.value.path == path


@pytest.mark.feature(184)
def test_two_tags_beside_in_one_record_clash() -> None:
    @octad.contract(tag=True, tag_field="kind", tag_place="beside")
    @dataclass
    class Tagged:
        a: int

    @dataclass
    class Two:
        x: Tagged
        y: Tagged

    two = Two(Tagged(1), Tagged(2))
    for options in ({}, {"sort_keys": True}):
        with pytest.raises(octad.EncodeError) as caught:
            json.dumps(two, **options)
        assert caught.value.code == "key-clash"

    @dataclass
    class Declared:
        kind: str
        x: Tagged

    # The field is the tag.
    for options in ({}, {"sort_keys": True}):
        assert json.dumps(Declared("?", Tagged(1)), **options) == b'{"kind":"?","x":{"a":1}}'


@pytest.mark.feature(184)
def test_a_tag_and_a_field_of_one_name() -> None:
    @octad.contract(tag=True, tag_field="a")
    @dataclass
    class Clash:
        a: int

    for _ in range(2):
        with pytest.raises(octad.ContractError, match="both called 'a'"):
            json.dumps(Clash(1))

    @dataclass
    class Twice:
        a: Annotated[int, Field(name="b")]
        b: int

    with pytest.raises(octad.ContractError, match="both called 'b'"):
        json.dumps([Twice(1, 2)])


@pytest.mark.feature(184)
def test_the_nearest_ancestor_that_the_family_allows() -> None:
    @octad.contract(allow=lambda: (Dog, Cat), tag=True)
    @dataclass
    class Animal:
        name: str

    @dataclass
    class Dog(Animal):
        good: bool = True

    @dataclass
    class Cat(Animal):
        pass

    @dataclass
    class Puppy(Dog):
        age: int = 1

    @dataclass
    class Kitten(Cat):
        age: int = 1

    animals = [Dog("a"), Cat("b"), Puppy("c"), Kitten("d")]
    assert json.dumps(animals) == (
        b'[{"$type":"Dog","name":"a","good":true},{"$type":"Cat","name":"b"},'
        b'{"$type":"Dog","name":"c","good":true},{"$type":"Cat","name":"d"}]'
    )
    read = json.loads(json.dumps(animals), list[Animal])
    assert [type(one) for one in read] == [Dog, Cat, Dog, Cat]


@pytest.mark.feature(157)
def test_records_as_arrays() -> None:
    @octad.contract(array=True)
    @dataclass
    class Point:
        x: int
        y: int | None = None

    @octad.contract(array=True, tag=True)
    @dataclass
    class Tagged:
        x: Any

    class Pair(typing.NamedTuple):
        left: int
        right: int

    @octad.contract(array=False, rename="upper")
    class Named(typing.NamedTuple):
        left: int
        right: int

    values = [Point(1), Tagged([2]), Pair(3, 4), Named(5, 6)]
    assert json.dumps(values) == b'[[1,null],["Tagged",[2]],[3,4],{"LEFT":5,"RIGHT":6}]'
    assert json.dumps(Point(1), settings=Settings(omit_none=True)) == b"[1,null]"
    with pytest.raises(octad.EncodeError) as caught:
        json.dumps([Tagged([object()])])
    assert caught.value.path == "$[0][1][0]"


@pytest.mark.feature(175)
def test_flattened_fields() -> None:
    @dataclass
    class Place:
        street: str
        town: Annotated[str, Field(name="city")]

    @dataclass
    class Person:
        name: str
        home: Annotated[Place, Field(flatten=True)]
        more: Annotated[dict[str, Any], Field(flatten=True)] = field(default_factory=dict)
        last: int = 0

    person = Person("x", Place("s", "t"), {"k": [1], "l": {"m": 2}})
    text = b'{"name":"x","street":"s","city":"t","k":[1],"l":{"m":2},"last":0}'
    assert json.dumps(person) == text
    assert json.dumps([person, person]) == b"[" + text + b"," + text + b"]"
    assert json.dumps(Person("x", NOWHERE)) == b'{"name":"x","last":0}'
    assert json.loads(text, Person) == person

    with pytest.raises(octad.EncodeError) as caught:
        json.dumps([Person("x", NOWHERE, {"name": 1})])
    assert (caught.value.code, caught.value.path) == ("key-clash", "$[0]")
    with pytest.raises(octad.EncodeError, match="a field that is flattened") as caught:
        json.dumps(Person("x", 3))  # type: ignore[arg-type]
    with pytest.raises(octad.EncodeError) as caught:
        json.dumps(Person("x", NOWHERE, {"k": object()}))
    assert caught.value.path == "$.k"


@pytest.mark.feature(175)
def test_a_record_that_flattens_itself() -> None:
    @dataclass
    class Node:
        value: int
        next: Annotated[Any, Field(flatten=True)] = None

    node = Node(1)
    node.next = node
    with pytest.raises(octad.EncodeError) as caught:
        json.dumps(node)
    assert caught.value.code in ("cycle", "key-clash")


@pytest.mark.feature(175)
def test_further_fields_follow_the_declared_ones() -> None:
    @dataclass
    class Open:
        a: int
        rest: Annotated[dict[str, Any], Field(extra=True)] = field(default_factory=dict)
        b: int = 2

    value = Open(1, {"z": 1, "y": {"rest": None}})
    text = b'{"a":1,"b":2,"z":1,"y":{"rest":null}}'
    assert json.dumps(value) == text
    assert json.dumps(value, sort_keys=True) == b'{"a":1,"b":2,"y":{"rest":null},"z":1}'
    assert json.loads(text, Open) == value
    value.rest = None  # type: ignore[assignment]
    assert json.dumps(value) == b'{"a":1,"b":2}'
    value.rest = {"a": 1}
    with pytest.raises(octad.EncodeError) as caught:
        json.dumps(value)
    assert caught.value.code == "key-clash"


@pytest.mark.feature(173, 175)
def test_unknown_fields_come_back() -> None:
    @octad.contract(unknown="keep", rename="camel")
    @dataclass
    class Kept:
        user_id: int

    text = b'{"userId":1,"new_field":[1,{"a":null}],"user_id":"not the field"}'
    kept = json.loads(text, Kept)
    assert kept == Kept(1)
    assert json.dumps(kept) == text
    assert json.dumps(Kept(2)) == b'{"userId":2}'


@pytest.mark.feature(156, 157)
def test_structs_are_written_as_msgspec_writes_them() -> None:
    class Plain(msgspec.Struct):
        a: int
        b: str = "x"

    class Named(msgspec.Struct, rename="camel", tag=True, omit_defaults=True):
        user_id: int
        tags: list[str] = []
        made: dict[str, int] = msgspec.field(default_factory=dict)
        unset: int | msgspec.UnsetType = msgspec.UNSET

    class Array(msgspec.Struct, array_like=True, tag=5):
        a: int
        b: Any = None

    class Frozen(msgspec.Struct, frozen=True, tag_field="kind", tag="f"):
        a: int = msgspec.field(name="A")

    for value in (
        Plain(1),
        Named(1),
        Named(2, ["x"], {"k": 1}, 3),
        Array(1),
        Array(1, [Plain(2)]),
        Frozen(3),
        [Plain(1), Plain(2), Named(1), Array(1), Plain(3)],
    ):
        assert json.dumps(value) == msgspec.json.encode(value)
    assert json.dumps(Plain(1), settings=Settings(omit_defaults=True)) == b'{"a":1}'


@pytest.mark.feature(156)
def test_a_typed_dict_is_a_dict() -> None:
    class Movie(typing.TypedDict):
        title: str

    movie: Movie = {"title": "x"}
    assert json.dumps(movie, settings=Settings(rename="upper")) == b'{"title":"x"}'
    assert json.dumps(movie, settings=Settings(rename_keys="upper")) == b'{"TITLE":"x"}'


@pytest.mark.feature(179)
def test_a_value_is_written_by_what_it_is() -> None:
    @dataclass
    class Base:
        a: int

    @dataclass
    class Derived(Base):
        b: int = 2

    @dataclass
    class Holder:
        one: Base
        many: list[Base]

    assert json.dumps(Holder(Derived(1), [Base(2), Derived(3)])) == (
        b'{"one":{"a":1,"b":2},"many":[{"a":2},{"a":3,"b":2}]}'
    )


def test_pydantic_models_write_themselves() -> None:
    pydantic = pytest.importorskip("pydantic", reason="pydantic is not installed")

    class Model(pydantic.BaseModel):
        user_id: int
        when: Any = None

        @pydantic.field_serializer("when")
        def _when(self, value: Any) -> str:
            return f"<{value}>"

    model = Model(user_id=1, when=2)
    assert json.dumps([model, {"m": model}]) == (
        b'[{"user_id":1,"when":"<2>"},{"m":{"user_id":1,"when":"<2>"}}]'
    )

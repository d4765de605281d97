"""`load_into`: what the data has replaces what an object has; on an error all is as it was."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Annotated, Any

import octad
import pytest
from octad import json, load_into

pytestmark = [pytest.mark.feature(159), pytest.mark.feature(203)]


@dataclass
class Point:
    x: int
    y: int = 0


@dataclass(slots=True)
class Slotted:
    name: str
    at: Point


@dataclass(frozen=True)
class Frozen:
    a: int
    b: int = 0


@dataclass
class Everything:
    point: Point
    maybe: Point | None = None
    slotted: Slotted | None = None
    frozen: Frozen | None = None
    points: list[Point] = field(default_factory=list)
    named: dict[str, Point] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    anything: Any = None
    total: Annotated[int, octad.Field(name="sum", aliases=("all",))] = 0


def whole() -> Everything:
    return Everything(
        Point(1, 2),
        Point(3, 4),
        Slotted("s", Point(5, 6)),
        Frozen(7, 8),
        [Point(9)],
        {"a": Point(10, 11), "b": Point(12)},
        {"x": 1, "y": 2},
        {"k": 1, "l": 2},
        13,
    )


def test_the_object_itself_is_returned_and_keeps_what_the_data_has_not() -> None:
    point = Point(1, 2)
    assert load_into(point, b'{"x": 5}') is point
    assert point == Point(5, 2)
    assert load_into(point, "{}") == Point(5, 2)
    assert load_into(point, bytearray(b'{"y": 7, "x": 6}')) == Point(6, 7)


def test_objects_within_are_filled_and_stay_the_same() -> None:
    thing = whole()
    point, maybe, slotted = thing.point, thing.maybe, thing.slotted
    assert slotted is not None
    inner = slotted.at
    text = '{"point": {"y": 20}, "maybe": {"x": 30}, "slotted": {"at": {"x": 50}}}'
    load_into(thing, text)
    assert thing.point is point
    assert thing.maybe is maybe
    assert thing.slotted is slotted
    assert slotted.at is inner
    assert (point, maybe) == (Point(1, 20), Point(30, 4))
    assert slotted == Slotted("s", Point(50, 6))


def test_what_is_not_there_or_cannot_be_changed_is_made_anew() -> None:
    thing = Everything(Point(1))
    load_into(thing, '{"maybe": {"x": 1}, "frozen": {"a": 2}}')
    assert (thing.maybe, thing.frozen) == (Point(1), Frozen(2))
    old = thing.frozen
    load_into(thing, '{"frozen": {"a": 3, "b": 4}, "maybe": null}')
    assert (thing.maybe, thing.frozen, old) == (None, Frozen(3, 4), Frozen(2))
    with pytest.raises(octad.ValidationError) as caught:
        load_into(thing, '{"maybe": {"y": 1}}')
    assert (caught.value.code, caught.value.path) == ("missing-field", "$.maybe")


def test_lists_are_replaced_and_dicts_are_updated() -> None:
    thing = whole()
    named, a = thing.named, thing.named["a"]
    text = """{"points": [{"x": 1}, {"x": 2}], "counts": {"y": 3, "z": 4},
               "named": {"a": {"x": 100}, "c": {"x": 200}}}"""
    load_into(thing, text)
    assert thing.points == [Point(1), Point(2)]
    assert thing.counts == {"x": 1, "y": 3, "z": 4}
    assert thing.named is named
    assert named["a"] is a
    assert named == {"a": Point(100, 11), "b": Point(12), "c": Point(200)}
    assert thing.anything == {"k": 1, "l": 2}


def test_names_aliases_and_settings_are_those_of_reading() -> None:
    thing = whole()
    assert load_into(thing, '{"sum": 1}').total == 1
    assert load_into(thing, '{"all": 2}').total == 2
    assert load_into(thing, '{"total": 3}').total == 2
    with pytest.raises(octad.ValidationError) as caught:
        load_into(thing, '{"total": 3}', unknown="forbid")
    assert caught.value.code == "unknown-field"
    settings = octad.Settings(rename="upper", numbers_from_text=True)
    assert load_into(Point(1, 2), '{"X": "5"}', settings=settings) == Point(5, 2)
    assert load_into(Point(1, 2), '{"X": 5}', rename="upper") == Point(5, 2)


def test_a_document_or_a_part_of_one_is_data_too() -> None:
    document = json.parse('{"p": {"x": 8}}')
    assert load_into(Point(1, 2), document.at("/p")) == Point(8, 2)
    assert load_into({"a": 1}, document) == {"a": 1, "p": {"x": 8}}


def test_dicts_and_lists_themselves() -> None:
    target: dict[str, Any] = {"a": 1, "b": {"c": 2}}
    inner = target["b"]
    assert load_into(target, '{"b": {"d": 3}, "e": [1.5]}') is target
    assert target == {"a": 1, "b": {"c": 2, "d": 3}, "e": [1.5]}
    assert target["b"] is inner
    load_into(target, '{"b": 4}')
    assert target == {"a": 1, "b": 4, "e": [1.5]}
    assert inner == {"c": 2, "d": 3}
    items: list[Any] = [1, 2]
    assert load_into(items, '["x", null]') is items
    assert items == ["x", None]
    for existing, text in (({}, "[]"), ([], "{}"), ({}, "3")):
        with pytest.raises(octad.ValidationError) as caught:
            load_into(existing, text)
        assert caught.value.code == "wrong-type"


BAD = [
    '{"point": {"x": 1, "y": "no"}}',
    '{"sum": 5, "named": {"a": {"x": 100}, "b": {"x": []}}}',
    '{"slotted": {"name": "n", "at": {"x": null}}}',
    '{"counts": {"x": 100, "z": "no"}}',
    '{"points": [{"x": 1}, {}]}',
    '{"sum": 5',
    '{"sum": 5, "sum": 6}',
    "[]",
    "null",
]


@pytest.mark.parametrize("text", BAD)
def test_on_an_error_all_is_as_it_was(text: str) -> None:
    thing = whole()
    with pytest.raises(octad.DecodeError):
        load_into(thing, text)
    assert thing == whole()


def test_errors_have_the_path_in_the_data() -> None:
    with pytest.raises(octad.ValidationError) as caught:
        load_into(whole(), BAD[1])
    assert (caught.value.code, caught.value.path) == ("wrong-type", "$.named.b.x")
    assert caught.value.offset == BAD[1].index("[]")


def test_a_setter_that_refuses_puts_everything_back() -> None:
    class Careful:
        def __init__(self, a: int, b: int) -> None:
            self.a, self.b = a, b

        @property
        def b(self) -> int:
            return self._b

        @b.setter
        def b(self, value: int) -> None:
            if value < 0:
                raise RuntimeError("not below zero")
            self._b = value

    careful = Careful(1, 2)
    assert load_into(careful, '{"b": 3}').b == 3
    with pytest.raises(RuntimeError, match="not below zero"):
        load_into(careful, '{"a": 5, "b": -1}')
    assert (careful.a, careful.b) == (1, 3)


def test_the_hook_after_reading_runs_once_all_is_filled_and_may_refuse() -> None:
    seen: list[Any] = []

    @dataclass
    class Inner:
        n: int
        m: int = 0

        def __post_init__(self) -> None:
            seen.append("made")

        def __octad_after_load__(self) -> None:
            seen.append(("inner", self.n))

    @dataclass(slots=True)
    class Outer:
        inner: Inner
        limit: int

        def __octad_after_load__(self) -> None:
            seen.append(("outer", self.limit))
            self.limit += 1
            if self.inner.n > 10:
                raise ValueError("too many")

    outer = Outer(Inner(1), 5)
    inner = outer.inner
    seen.clear()
    load_into(outer, '{"limit": 6, "inner": {"n": 2}}')
    assert seen == [("inner", 2), ("outer", 6)]
    before = copy.deepcopy(outer)
    with pytest.raises(ValueError, match="too many"):
        load_into(outer, '{"limit": 9, "inner": {"n": 11, "m": 3}}')
    assert outer == before
    assert outer.inner is inner


def test_plain_classes() -> None:
    class Declared:
        host: str = "localhost"
        port: int = 80

    declared = load_into(Declared(), '{"port": 8080}')
    assert (declared.host, declared.port) == ("localhost", 8080)
    with pytest.raises(octad.ValidationError):
        load_into(declared, '{"port": "x"}')

    class Config:
        def __init__(self) -> None:
            self.host, self.port = "localhost", 80
            self._private = 1

    config = load_into(Config(), '{"port": 8080, "_private": 2, "other": 3}')
    assert vars(config) == {"host": "localhost", "port": 8080, "_private": 1}


def test_unknown_members_ride_along() -> None:
    thing = json.loads('{"x": 1, "a": 2, "b": 3}', Point, unknown="keep")
    load_into(thing, '{"y": 4, "b": 5, "c": 6}', unknown="keep")
    assert thing == Point(1, 4)
    assert vars(thing)["__octad_extra__"] == {"a": 2, "b": 5, "c": 6}


def test_tagged_families() -> None:
    @octad.contract(tag=True)
    @dataclass
    class Circle:
        radius: int
        name: str = ""

    @octad.contract(tag=True)
    @dataclass
    class Square:
        side: int

    @dataclass
    class Drawing:
        shape: Circle | Square

    Drawing.__annotations__["shape"] = Circle | Square
    drawing = Drawing(Circle(1, "c"))
    circle = drawing.shape
    load_into(drawing, '{"shape": {"$type": "Circle", "radius": 2}}')
    assert drawing.shape is circle
    assert circle == Circle(2, "c")
    load_into(drawing, '{"shape": {"$type": "Square", "side": 3}}')
    assert drawing.shape == Square(3)
    assert circle == Circle(2, "c")


def test_an_object_that_holds_itself() -> None:
    @dataclass
    class Node:
        name: str
        next: Node | None = None

    one = Node("a")
    one.next = Node("b", one)
    load_into(one, '{"next": {"name": "B", "next": {"name": "A"}}}')
    assert (one.name, one.next.name) == ("A", "B")
    assert one.next.next is one


def test_members_that_are_kept_or_collected() -> None:
    @dataclass
    class Open:
        a: int
        more: Annotated[dict[str, Any], octad.Field(extra=True)] = field(default_factory=dict)

    thing = Open(1, {"x": 1, "y": 2})
    load_into(thing, '{"y": 3, "z": 4, "a": 2}')
    assert thing == Open(2, {"x": 1, "y": 3, "z": 4})


@pytest.mark.parametrize("existing", [3, "text", None, (1,), Frozen(1), {1}], ids=repr)
def test_what_cannot_be_filled_is_refused(existing: Any) -> None:
    with pytest.raises(TypeError, match="expected"):
        load_into(existing, '{"a": 1}')


def test_attrs_classes_keep_their_converters_and_validators() -> None:
    import attrs

    @attrs.define
    class Part:
        _size: int = attrs.field(validator=attrs.validators.ge(0))
        label: str = attrs.field(default="", converter=str.upper)

    part = Part(1, "a")
    load_into(part, '{"label": "b"}')
    assert part == Part(1, "b")
    with pytest.raises(ValueError, match=">= 0"):
        load_into(part, '{"label": "c", "size": -1}')
    assert part == Part(1, "b")


def test_dicts_within_dicts_are_updated() -> None:
    @dataclass
    class Config:
        any: Any = None
        typed: dict[str, dict[str, int]] = field(default_factory=dict)

    config = Config({"a": {"b": {"c": 1}}, "l": [1]}, {"x": {"y": 1}})
    innermost = config.any["a"]["b"]
    load_into(config, '{"any": {"a": {"b": {"d": 2}}, "l": {"m": 1}}, "typed": {"x": {"z": 2}}}')
    assert config == Config({"a": {"b": {"c": 1, "d": 2}}, "l": {"m": 1}}, {"x": {"y": 1, "z": 2}})
    assert config.any["a"]["b"] is innermost
    load_into(config, '{"any": {"a": null}, "typed": {"n": {}}}')
    assert config == Config({"a": None, "l": {"m": 1}}, {"x": {"y": 1, "z": 2}, "n": {}})
    for value in ("5", '"text"', "null", "[1]", "1.5", "true"):
        config = Config({"a": 1})
        load_into(config, f'{{"any": {value}}}')
        assert config.any == octad.json.loads(value)
    with pytest.raises(octad.ValidationError) as caught:
        load_into(Config({}, {"x": {"y": 1}}), '{"typed": {"x": {"y": "no"}}}')
    assert caught.value.path == "$.typed.x.y"
    loop: dict[str, Any] = {"n": 1}
    loop["me"] = loop
    load_into(loop, '{"me": {"me": {"n": 2}}}')
    assert loop["n"] == 2
    assert loop["me"] is loop


def test_what_a_setter_or_hook_refuses_has_the_path() -> None:
    import attrs

    @attrs.define
    class Part:
        size: int = attrs.field(default=1, validator=attrs.validators.lt(10))

    @dataclass
    class Owner:
        part: Annotated[Part, octad.Field(name="the part")] = field(default_factory=Part)
        parts: dict[str, Part] = field(default_factory=dict)

        def __octad_after_load__(self) -> None:
            if "bad" in self.parts:
                raise TypeError("bad")
            if "worse" in self.parts:
                raise RuntimeError("worse")

    for text, path, pointer in (
        ('{"the part": {"size": 50}}', "$['the part'].size", "/the part/size"),
        ('{"parts": {"a": {"size": 50}}}', "$.parts.a.size", "/parts/a/size"),
        ('{"parts": {"bad": {}}}', "$", ""),
    ):
        owner = Owner(parts={"a": Part(2)})
        with pytest.raises(octad.ValidationError) as caught:
            load_into(owner, text)
        error = caught.value
        assert (error.code, error.path, error.pointer) == ("rejected", path, pointer)
        assert isinstance(error.__cause__, ValueError | TypeError)
        assert owner == Owner(parts={"a": Part(2)})
    with pytest.raises(RuntimeError) as raised:
        load_into(Owner(), '{"parts": {"worse": {}}}')
    assert raised.value.__notes__ == ["while octad read the value at $"]


def test_neither_init_nor_post_init_runs() -> None:
    @dataclass
    class Checked:
        a: int = 0

        def __post_init__(self) -> None:
            if self.a < 0:
                raise ValueError("below zero")

    assert load_into(Checked(1), '{"a": -5}').a == -5

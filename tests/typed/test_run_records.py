"""Records through hand-made plans: fields, defaults, ways to make an instance, the rest."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pytest
from octad import json

from tests.typed.plans import ANY, INT, STR, plan, read, record, refused


@dataclass
class Plain:
    name: str
    level: int = 1


@dataclass(slots=True)
class Slots:
    name: str
    level: int = 1


@dataclass(frozen=True)
class Frozen:
    name: str
    level: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class FrozenSlots:
    name: str
    level: int = 1


CLASSES = [Plain, Slots, Frozen, FrozenSlots]
FIELDS = (("name", 1), (("level", "lvl", "level"), 2, 1, 1))


@pytest.mark.feature(156)
@pytest.mark.parametrize("cls", CLASSES)
def test_instances_are_made(cls: Any) -> None:
    nodes = record(cls, *FIELDS), STR, INT
    assert read('{"name": "a", "lvl": 2}', *nodes) == cls(name="a", level=2)
    assert read('{"level": 2, "name": "a"}', *nodes) == cls(name="a", level=2)
    assert read('{"na\\u006de": "a", "other": [{}]}', *nodes) == cls(name="a", level=1)
    for text, code, path in [
        ('{"lvl": 2}', "missing-field", "$"),
        ('{"name": 1}', "wrong-type", "$.name"),
        ('{"name": "a", "lvl": 1, "level": 2}', "repeated-field", "$.level"),
        ("[]", "wrong-type", "$"),
        ("null", "wrong-type", "$"),
    ]:
        error = refused(text, *nodes)
        assert (error.code, error.path) == (code, path)
    assert refused("{}", *nodes).expected == "the field `name`"
    assert refused("3", *nodes).expected == f"an object (`{cls.__name__}`)"
    made = json.loads('{"name": "a"}', plan(*nodes))
    assert type(made) is cls
    if cls is Plain:
        assert list(vars(made).items()) == [("name", "a"), ("level", 1)]


def test_policies_for_repeated_fields() -> None:
    made = plan(record(Plain, *FIELDS), STR, INT)
    text = '{"name": "a", "name": "b"}'
    assert json.loads(text, made, duplicates="last").name == "b"
    assert json.loads(text, made, duplicates="first").name == "a"


def test_defaults() -> None:
    shared: list[int] = []
    calls: list[int] = []

    def fresh() -> list[int]:
        calls.append(1)
        return [7]

    cls = type("Many", (), {})
    nodes = (
        record(
            cls,
            ("a", 1, 1, shared),
            ("b", 1, 2, list),
            ("c", 1, 2, dict),
            ("d", 1, 2, set),
            ("e", 1, 2, fresh),
            ("f", 1, 3),
        ),
        ANY,
    )
    one, two = (json.loads("{}", plan(*nodes)) for _ in range(2))
    assert vars(one) == {"a": [], "b": [], "c": {}, "d": set(), "e": [7]}
    assert one.a is shared
    assert all(getattr(one, name) is not getattr(two, name) for name in "bcde")
    assert len(calls) == 2


def test_a_constructor_is_called_with_what_is_there() -> None:
    seen: list[Any] = []

    class Made:
        def __init__(self, *args: Any, **named: Any) -> None:
            seen.append((args, named))

    nodes = (
        record(
            Made,
            ("a", 1, 0, None, 1),
            ("b", 1, 3, None, 1),
            ("c", 1),
            ("d", 1, 3, None, 2),
            ("e", 1, 1, 5),
            make="call",
            maker=Made,
        ),
        INT,
    )
    made = json.loads('{"d": 4, "c": 3, "b": 2, "a": 1}', plan(*nodes))
    assert seen.pop() == ((1, 2), {"c": 3, "e": 5})
    assert made.d == 4
    json.loads('{"a": 1, "c": 3}', plan(*nodes))
    assert seen.pop() == ((1,), {"c": 3, "e": 5})


def test_a_constructor_that_refuses() -> None:
    class Positive:
        def __init__(self, value: int) -> None:
            if value == 0:
                raise RuntimeError("zero")
            if value < 0:
                raise ValueError("less than nothing")

    nodes = ("list", 1), record(Positive, ("value", 2), make="call", maker=Positive), INT
    json.loads('[{"value": 1}]', plan(*nodes))
    error = refused('[{"value": 1}, {"value": -1}]', *nodes)
    assert (error.code, error.path) == ("rejected", "$[1]")
    assert error.message == (
        "expected a value that `Positive` accepts, found an object that it rejects: "
        "less than nothing"
    )
    assert type(error.__cause__) is ValueError
    with pytest.raises(RuntimeError, match="zero") as caught:
        json.loads('[{"value": 0}]', plan(*nodes))
    assert caught.value.__notes__ == ["at $[0]"]


class Point(NamedTuple):
    x: int
    y: int = 0


def test_named_tuples_and_plain_dicts() -> None:
    nodes = record(Point, ("x", 1), ("y", 1, 1, 0), make="tuple"), INT
    made = read('{"x": 1}', *nodes)
    assert (type(made), made) == (Point, Point(1, 0))
    nodes = record(None, ("x", 1), ("y", 1, 3), make="dict", name="Movie"), INT
    assert read('{"x": 1, "z": 2}', *nodes) == {"x": 1}
    assert list(read('{"y": 2, "x": 1}', *nodes)) == ["x", "y"]


def test_a_validator_gets_the_whole_object() -> None:
    def validate(raw: Any) -> Any:
        if "bad" in raw:
            raise ValueError("bad indeed")
        return ("validated", raw)

    nodes = record(None, make="validator", maker=validate, name="Model"), INT
    assert read('{"a": [1]}', *nodes) == ("validated", {"a": [1]})
    assert refused('{"bad": 1}', *nodes).code == "rejected"
    assert refused("1", *nodes).code == "wrong-type"


@pytest.mark.feature(160)
def test_arrays_of_fields() -> None:
    nodes = record(Plain, *FIELDS, shape="array"), STR, INT
    assert read('["a", 2]', *nodes) == Plain("a", 2)
    assert read('["a"]', *nodes) == Plain("a")
    assert read('["a", 2, 3]', *nodes) == Plain("a", 2)
    assert refused("[]", *nodes).code == "missing-field"
    assert refused("{}", *nodes).expected == "an array of the fields"
    assert refused('["a", "b"]', *nodes).path == "$[1]"
    strict = record(Plain, *FIELDS, shape="array", unknown="forbid"), STR, INT
    assert refused('["a", 2, 3]', *strict).expected == "an array of at most 2 values"
    either = record(Plain, *FIELDS, shape="either"), STR, INT
    assert read('["a", 2]', *either) == read('{"name": "a", "lvl": 2}', *either)
    tagged = record(Plain, *FIELDS, shape="array", tag=("kind", "p")), STR, INT
    assert read('["p", "a", 2]', *tagged) == Plain("a", 2)
    assert refused('["q", "a", 2]', *tagged).code == "unknown-tag"


@pytest.mark.feature(170)
def test_unknown_members() -> None:
    text = '{"name": "a", "x": 1, "y": [2]}'
    forbid = record(Plain, *FIELDS, unknown="forbid"), STR, INT
    error = refused(text, *forbid)
    assert (error.code, error.path, error.column) == ("unknown-field", "$.x", 15)
    assert error.message == 'expected one of the fields of `Plain`, found `"x"`'
    assert [one.path for one in json.check(text, plan(*forbid))] == ["$.x", "$.y"]
    keep = record(Plain, *FIELDS, unknown="keep"), STR, INT
    made = json.loads(text, plan(*keep))
    assert (made, vars(made)["__octad_extra__"]) == (Plain("a"), {"x": 1, "y": [2]})
    assert "__octad_extra__" not in vars(json.loads('{"name": "a"}', plan(*keep)))
    told = record(Plain, *FIELDS, unknown="keep", extra="__octad_extra__"), STR, INT
    assert vars(json.loads(text, plan(*told))) == vars(made)
    extra = record(Plain, ("name", 1), extra="level"), STR
    assert read(text, *extra) == Plain("a", {"x": 1, "y": [2]})  # type: ignore[arg-type]
    assert read('{"name": "a"}', *extra) == Plain("a", {})  # type: ignore[arg-type]
    kept = record(None, ("name", 1), make="dict", unknown="keep"), STR
    assert read(text, *kept) == {"name": "a", "x": 1, "y": [2]}


@pytest.mark.feature(169)
def test_names_in_any_case() -> None:
    nodes = record(Plain, ("name", 1), (("level", "userLevel"), 2, 1, 1), case=False), STR, INT
    assert read('{"NAME": "a", "USERlevel": 3}', *nodes) == Plain("a", 3)
    assert refused('{"NAME": "a", "name": "b"}', *nodes).code == "repeated-field"


@dataclass
class Outer:
    id: int
    inner: Any
    rest: dict[str, Any] = field(default_factory=dict)


@pytest.mark.feature(177)
def test_flattened_fields() -> None:
    nodes = (
        record(Outer, ("id", 2), flatten=(("rest", 4), ("inner", 1))),
        record(Plain, ("name", 3), ("level", 2, 1, 1)),
        INT,
        STR,
        ("dict", 3, 5),
        ANY,
    )
    text = '{"level": 3, "id": 1, "x": true, "name": "a"}'
    assert read(text, *nodes) == Outer(1, Plain("a", 3), {"x": True})
    assert refused('{"id": 1}', *nodes).expected == "the field `name`"
    assert refused('{"id": 1, "name": 2}', *nodes).path == "$.name"
    ints = (*nodes[:5], INT)
    assert refused('{"id": 1, "name": "a", "x": true}', *ints).path == "$.x"
    strict = (record(Outer, ("id", 2), flatten=(("inner", 1),), unknown="forbid"), *nodes[1:])
    assert refused(text, *strict).path == "$.x"
    called = (
        record(Outer, ("id", 2), flatten=(("inner", 1),), make="call", maker=Outer),
        *nodes[1:],
    )
    assert read('{"name": "a", "id": 1}', *called) == Outer(1, Plain("a", 1))


def test_hooks_see_the_instance_and_may_refuse() -> None:
    seen: list[Any] = []

    def refuse(made: Any) -> None:
        if made.level > 9:
            raise ValueError("too high")

    nodes = record(Plain, *FIELDS, after=(seen.append, refuse)), STR, INT
    made = json.loads('{"name": "a"}', plan(*nodes))
    assert seen == [made]
    assert seen[0] is made
    error = refused('{"name": "a", "lvl": 10}', *nodes)
    assert (error.code, error.message.rpartition(": ")[2]) == ("rejected", "too high")


def test_check_reports_every_field() -> None:
    nodes = ("list", 1), record(Plain, ("name", 2), ("level", 3), unknown="forbid"), STR, INT
    text = '[{"name": 1, "x": 2}, {"name": "a", "level": 1}, {"level": null, "name": null}]'
    found = [(one.code, one.path) for one in json.check(text, plan(*nodes))]
    assert found == [
        ("missing-field", "$[0]"),
        ("wrong-type", "$[0].name"),
        ("unknown-field", "$[0].x"),
        ("wrong-type", "$[2].level"),
        ("wrong-type", "$[2].name"),
    ]
    missing = json.check("[{}]", plan(*nodes))
    assert [one.expected for one in missing] == ["the field `name`", "the field `level`"]


@pytest.mark.parametrize("count", [1, 30, 64, 200])
@pytest.mark.parametrize("slots", [False, True])
def test_many_fields_in_any_order(count: int, slots: bool) -> None:
    import dataclasses
    import random

    names = [f"field_{number}_{'x' * (number % 20)}" for number in range(count)]
    cls: Any = dataclasses.make_dataclass("Wide", names, slots=slots)
    nodes = record(cls, *((name, 1) for name in names)), INT
    order = list(range(count))
    shuffle = random.Random(count).shuffle
    made = plan(*nodes)
    for _ in range(5):
        text = "{" + ",".join(f'"{names[n]}": {n}' for n in order) + "}"
        assert json.loads(text, made) == cls(*range(count))
        shuffle(order)


def test_records_hold_records() -> None:
    @dataclass
    class Node:
        value: int
        next: Any = None

    nodes = (
        record(Node, ("value", 1), ("next", 2, 1, None)),
        INT,
        ("union", {"null": (3,), "map": (0,)}),
        ("none",),
    )
    text = '{"value": 1, "next": {"value": 2, "next": {"next": null, "value": 3}}}'
    assert read(text, *nodes) == Node(1, Node(2, Node(3)))
    deep = '{"value": 1, "next": ' * 900 + "null" + "}" * 900
    made = json.loads(deep, plan(*nodes))
    for _ in range(899):
        made = made.next
    assert made == Node(1)
    assert refused('{"value": 1, "next": {"value": "x"}}', *nodes).path == "$.next.value"

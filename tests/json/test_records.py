"""Fields of dataclasses and attrs classes read without `getattr`, and tuples of every class.

Owns that the text is what `getattr`, field by field, gives for every way in which a class or an
instance can hold its attributes; that the direct way is taken where it should be, on every known
Python; that what Python code has a say in is left to it. Runs itself again with the public API only
and under the allocator that checks every block.
"""

from __future__ import annotations

import dataclasses
import enum
import gc
import json as stdlib_json
import os
import random
import sys
import threading
import weakref
from collections import OrderedDict, defaultdict, namedtuple
from collections.abc import Callable
from dataclasses import KW_ONLY, InitVar, dataclass, field
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import attrs
import octad
import pytest
from octad import _core, json

from tests.support import block_growth, run_again

KNOWN = {(3, 11, 7), (3, 12, 1), (3, 13, 0)}
DIRECT = (
    sys.version_info[:3] in KNOWN
    and not hasattr(sys, "gettotalrefcount")
    and os.environ.get("OCTAD_PUBLIC_API") != "1"
)


def plain(value: Any) -> Any:
    """What JSON has of a value: records by `getattr`, field by field."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if dataclasses.is_dataclass(value):
        return {one.name: plain(getattr(value, one.name)) for one in dataclasses.fields(value)}
    if attrs.has(type(value)):
        return {one.name: plain(getattr(value, one.name)) for one in attrs.fields(type(value))}
    return value


def same(value: Any, direct: int | None = None) -> None:
    """Written as `getattr` has it, by a class that is new and by one that is known, at the top and
    inside, with and without options; and `direct` of its fields by the direct way."""
    want = stdlib_json.dumps(plain(value), separators=(",", ":"), ensure_ascii=False).encode()
    assert json.dumps(value) == want
    assert json.dumps([value, value]) == b"[%b,%b]" % (want, want)
    assert json.dumps({"k": value, "t": (value, 1)}) == b'{"k":%b,"t":[%b,1]}' % (want, want)
    indented = stdlib_json.dumps(plain([value]), indent=1, ensure_ascii=False)
    assert json.dumps_str([value], indent=1) == indented
    ordered = stdlib_json.dumps(
        plain([value]), separators=(",", ":"), sort_keys=True, ensure_ascii=False
    )
    assert json.dumps_str([value], sort_keys=True) == ordered
    if direct is not None:
        assert _core.direct_fields(value) == (direct if DIRECT else 0)


# --- Where fields are ---------------------------------------------------------------------------


@dataclass
class Plain:
    number: int
    text: str = "größe"
    items: list[Any] = field(default_factory=lambda: [1, {"a": None}, (True, 2.5)])


@dataclass(slots=True)
class Slotted:
    number: int
    text: str = 'a\n"b'
    inner: Any = None


@dataclass(slots=True, frozen=True, weakref_slot=True)
class Frozen:
    first: Any
    second: Any = 0.1


@dataclass
class Child(Plain):
    number: int = 3
    more: float = 1e300


@dataclass(slots=True)
class SlottedChild(Slotted):
    more: Any = False


@dataclass
class DictOverSlots(Slotted):
    """Its own fields in a dict, the inherited ones in slots."""

    loose: Any = 1


@dataclass
class Marked:
    _: KW_ONLY
    kept: int = 1
    shared: ClassVar[int] = 5
    given: InitVar[int] = 6
    hidden: int = field(default=7, repr=False, compare=False)

    def __post_init__(self, given: int) -> None:
        self.kept += given


def test_slots_and_dicts_are_read_directly() -> None:
    same(Plain(1), 3)
    same(Plain(2**70, "", []), 3)
    same(Slotted(1), 3)
    same(Slotted(-5, "日本", Slotted(6)), 3)
    same(Frozen([Plain(3)], {"k": Slotted(4)}), 2)
    same(Child(), 4)
    same(SlottedChild(9), 4)
    same(DictOverSlots(1, "x", [2], 3), 4)
    same(Marked(kept=2, given=3, hidden=4), 2)
    same(Marked(given=3), 2)


def test_no_fields() -> None:
    @dataclass
    class Empty:
        pass

    same(Empty(), 0)
    same([Empty(), Plain(1), Empty()])


@pytest.mark.parametrize("count", [1, 2, 29, 30, 31, 40, 100, 300])
@pytest.mark.parametrize("slots", [False, True])
def test_any_number_of_fields(count: int, slots: bool) -> None:
    names = [f"field_{number}" for number in range(count)]
    made: Any = dataclasses.make_dataclass(f"Wide{count}", names, slots=slots)
    same(made(*range(count)), count if slots or count <= 30 else None)
    same([made(*[text] * count) for text in ("a", "b\x00", "é")])


def test_names_that_are_not_interned_and_not_ascii() -> None:
    names = stdlib_json.loads('["caf\\u00e9", "日本", "long_name_number_one_of_two", "x"]')
    made: Any = dataclasses.make_dataclass("Names", names)
    same(made(1, 2, 3, 4), 4)
    same(made("a", None, [], {}), 4)


def test_attrs_classes() -> None:
    @attrs.define
    class Defined:
        number: int
        _private: Any = None
        made: Any = attrs.field(factory=list)

    @attrs.define(slots=False)
    class Loose:
        number: int
        other: Any = attrs.field(default=2)

    @attrs.frozen
    class Below(Defined):
        more: int = 4

    same(Defined(1, 2), 3)
    same(Loose(1, Defined(3)), 2)
    same(Below(1), 4)


def test_a_dataclass_on_another_base() -> None:
    @dataclass
    class Failure(Exception):
        code: int
        text: str

    @dataclass
    class Numbered(int):
        tag: str = "t"

    @dataclass
    class Listed(list[Any]):
        tag: str = "t"

    @dataclass
    class Keyed(dict[str, Any]):
        tag: str = "t"

    same(Failure(1, "no"))
    for value in (Listed("l"), Keyed("k")):
        assert json.dumps([value, value]) == b'[{"tag":"%c"},{"tag":"%c"}]' % (
            (value.tag.encode(),) * 2
        )
    assert json.dumps([Numbered(), Numbered()]) == b"[0,0]"


# --- What instances may look like ---------------------------------------------------------------


def test_attributes_that_came_in_another_order() -> None:
    values = []
    for number in range(20):
        value = Plain.__new__(Plain)
        order = ["items", "number", "text"]
        random.Random(number).shuffle(order)
        for name in order:
            setattr(value, name, number)
        values.append(value)
    same(values)
    for value in values:
        same(value, 3)


def test_names_that_come_late() -> None:
    """The class learns the names of its instances one by one, and in an order of their own."""
    made: Any = dataclasses.make_dataclass("Late", [(name, Any, name) for name in "abcdef"])
    values = []
    for names in ("", "f", "fb", "c", "dcba", "ea", "abcdef"):
        value = made.__new__(made)
        for number, name in enumerate(names):
            setattr(value, name, number)
        values.append(value)
        same(values)
        same(value, len(names))
        same(value.__dict__)
        same(values)
    for value in values:
        json.dumps(value)
        same(made(*values[:2], 1, 2, 3, 4), 6)


def test_further_attributes() -> None:
    for count in (1, 5, 27, 28, 60, 200):
        value = Plain(count)
        for number in range(count):
            setattr(value, f"more{number}", number)
        same(value, 3)
        same([Plain(1), value, Plain(2)])


def test_a_dict_that_was_asked_for() -> None:
    value = Plain(1)
    its = value.__dict__
    same(value, 3)
    its["number"] = "changed"
    same(value, 3)
    its["extra"] = 1
    same(value, 3)
    value.text = "by attribute"
    same(value, 3)
    for number in range(50):
        its[f"more{number}"] = number
    same(value, 3)
    its.clear()
    its.update(text="t", items=(), number=None)
    same(value, 3)


def test_a_dict_that_was_replaced() -> None:
    value = Plain(1)
    value.__dict__ = {"items": 1, "text": 2, "number": 3}
    same(value, 3)
    value.__dict__ = dict(Plain(7).__dict__)
    same(value, 3)
    value.__dict__ = Plain(8).__dict__
    same(value, 3)
    value.__dict__ = {1: 2, "items": 1, "text": 2, "number": 3}
    same(value)

    class Odd(dict[str, Any]):
        def __getitem__(self, key: str) -> Any:
            raise AssertionError(key)

    value.__dict__ = Odd(items=1, text=2, number=3)
    same(value, 3)
    # Equal to a name, and another object.
    value.__dict__ = {
        "".join(["num", "ber"]): 1,
        "".join(["te", "xt"]): 2,
        "".join(["it", "ems"]): 3,
    }
    same(value)
    value.__dict__ = stdlib_json.loads('{"number": 1, "text": 2, "items": 3}')
    same(value)


def test_a_dict_on_a_table_that_octad_made() -> None:
    text = '[{"number": 1, "text": "a", "items": []}, {"number": 2, "text": "b", "items": [1]}]'
    for one in json.loads(text) * 2:
        value = Plain(0)
        value.__dict__ = one
        same(value)
        value.number = 5
        same(value)


def test_attributes_that_went_and_came_back() -> None:
    for build in (Plain, Slotted):
        value: Any = build(1)
        del value.number
        value.number = 2
        same(value, 3)


def test_deleted_attributes_show_the_class() -> None:
    value = Plain(1)
    del value.text
    same(value, 2)
    assert json.dumps([value, value]).count('"text":"größe"'.encode()) == 2
    assert len(value.__dict__) == 2
    same(value, 2)


@pytest.mark.parametrize("build", [Plain, Slotted])
def test_a_missing_attribute_is_an_error_with_its_path(build: Callable[..., Any]) -> None:
    good, bad = build(1), build(2)
    json.dumps([good, good])
    del bad.number
    with pytest.raises(AttributeError) as caught:
        json.dumps({"a": [good, bad]})
    assert any("$.a[1]" in note for note in caught.value.__notes__)
    json.dumps([good])
    bad.number = 3
    same([good, bad])


def test_an_instance_that_changed_its_class() -> None:
    @dataclass
    class Other:
        text: Any
        number: Any = "of the class"

    value: Any = Plain(1)
    same(value)
    json.dumps([Other(1)])
    value.__class__ = Other
    same(value, 2)
    value.__class__ = Plain
    same(value, 3)


# --- Classes with a say -------------------------------------------------------------------------


def test_properties_and_descriptors_go_first() -> None:
    class Doubled:
        def __get__(self, instance: Any, owner: Any = None) -> Any:
            return 5 if instance is None else instance.__dict__["_hidden"] * 2

        def __set__(self, instance: Any, value: Any) -> None:
            instance.__dict__["_hidden"] = value

    @dataclass
    class Described:
        before: int
        hidden: int = Doubled()
        after: int = 9

    class Overridden(Plain):
        text = property(lambda self: f"property of {self.__dict__['number']}")

    same(Described(1, 4), 2)
    same(Described(1), 2)
    value = Overridden.__new__(Overridden)
    value.__dict__.update(number=4, text="not this", items=[])
    same(value, 2)
    same([value, Plain(1), value])


def test_descriptors_without_set_go_last() -> None:
    class Lazy:
        def __get__(self, instance: Any, owner: Any = None) -> Any:
            return 5 if instance is None else "asked"

    @dataclass
    class Described:
        number: int
        lazy: Any = Lazy()  # noqa: RUF009 - one for all is what a descriptor is

        @cached_property
        def unrelated(self) -> int:
            return 1

    value = Described(1)
    same(value, 2)
    assert value.unrelated == 1
    same(value, 2)
    del value.lazy
    same(value, 1)
    assert json.dumps([value]) == b'[{"number":1,"lazy":"asked"}]'


def test_an_object_in_the_class_becomes_a_descriptor() -> None:
    class Marker:
        pass

    class Strict:
        def __get__(self, instance: Any, owner: Any = None) -> Any:
            return "strict"

        def __set__(self, instance: Any, value: Any) -> None: ...

    @dataclass
    class Marked:
        one: Any = Marker()  # noqa: RUF009 - it is to stand in the class

    @dataclass
    class Reclassed:
        one: Any = Marker()  # noqa: RUF009 - it is to stand in the class

    first, second = Marked(1), Reclassed(2)
    same(first, 1)
    same(second, 1)
    Reclassed.one.__class__ = Strict
    same(second)
    assert json.dumps([second]) == b'[{"one":"strict"}]'
    same(first, 1)
    Marker.__get__ = Strict.__get__
    Marker.__set__ = Strict.__set__
    same(first)
    assert json.dumps([first]) == b'[{"one":"strict"}]'


@pytest.mark.parametrize("slots", [False, True])
def test_getattr_and_getattribute(slots: bool) -> None:
    @dataclass(slots=slots)
    class Missing:
        number: int

        def __getattr__(self, name: str) -> Any:
            return f"missing {name}"

    @dataclass(slots=slots)
    class Always:
        number: int

        def __getattribute__(self, name: str) -> Any:
            return f"always {name}"

    value = Missing(1)
    same(value, 0)
    del value.number
    same(value, 0)
    assert json.dumps([value]) == b'[{"number":"missing number"}]'
    assert json.dumps([Always(1), Always(1)]) == b'[{"number":"always number"}]'.replace(
        b"]", b',{"number":"always number"}]'
    )


@pytest.mark.parametrize("slots", [False, True])
def test_a_class_that_changes(slots: bool) -> None:
    @dataclass(slots=slots)
    class Changing:
        number: int
        other: int = 2

    class Below(Changing):
        pass

    values = [Changing(1), Below(3)]
    same(values)
    assert _core.direct_fields(values[1]) == (2 if DIRECT else 0)
    Changing.__getattr__ = lambda self, name: "asked"
    same(values)
    assert [_core.direct_fields(value) for value in values] == [0, 0]
    del Changing.__getattr__
    same(values)
    Below.other = property(lambda self: "below")
    same(values)
    assert json.dumps(values[1]) == b'{"number":3,"other":"below"}'
    del Below.other
    same(values)
    Changing.number = property(lambda self: "above")
    same(values)
    assert json.dumps(values) == json.dumps([{"number": "above", "other": 2}] * 2)


def test_a_class_changes_while_its_instances_are_written() -> None:
    @dataclass
    class Changing:
        first: Any
        second: Any
        third: int = 3

    def change(value: object) -> str:
        Changing.third = property(lambda self: "changed")
        return "done"

    values = [Changing(1, 2), Changing(object(), 2), Changing(4, 5)]
    json.dumps(values[0])
    written = stdlib_json.loads(json.dumps(values, default=change))
    assert [one["third"] for one in written] == [3, "changed", "changed"]
    assert written[1]["first"] == "done"


def test_an_instance_changes_while_it_is_written() -> None:
    def change(value: Any) -> str:
        target.second = "changed"
        target.__dict__["third"] = "changed"
        for number in range(40):
            setattr(target, f"more{number}", number)
        return "done"

    @dataclass
    class Victim:
        first: Any
        second: Any = 2
        third: Any = 3

    json.dumps(Victim(1))
    target = Victim(object())
    want = b'{"first":"done","second":"changed","third":"changed"}'
    assert json.dumps([target, 1], default=change) == b"[%b,1]" % want


# --- What fields may hold -----------------------------------------------------------------------


class Colour(enum.Enum):
    RED = "red"


class Text(str):
    pass


VALUES: list[Any] = [
    *(None, True, 0, -1, 2**60, 2**64, 2**200, 1.5, -0.0, "", "é", "😀", "\x1f", "a" * 300),
    *([], {}, (), [[]], {"a": {"b": []}}, (1, (2, (3,))), {1: 2}, {"x": (1,)}, Text("t"), {3}),
    *(Colour.RED, OrderedDict(a=1), defaultdict(int, b=2), Plain(1), Slotted(2), range(3)),
]


def expected(value: Any) -> Any:
    if isinstance(value, Colour):
        return value.value
    if isinstance(value, set | range):
        return list(value)
    if isinstance(value, dict):
        return {str(key): item for key, item in value.items()}
    return plain(value)


@pytest.mark.parametrize("build", [Slotted, Plain])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_every_kind_of_value_in_every_field(build: Callable[..., Any], place: int) -> None:
    names = [one.name for one in dataclasses.fields(build)]
    for value in VALUES:
        held: list[Any] = ["first", 2, None]
        held[place] = value
        record = build(*held)
        want = dict(zip(names, map(expected, held), strict=True))
        text = stdlib_json.dumps(want, separators=(",", ":"), ensure_ascii=False).encode()
        for _ in range(2):
            assert json.dumps(record) == text
            assert json.dumps([record, (record,)]) == b"[%b,[%b]]" % (text, text)


@pytest.mark.parametrize("depth", [1, 7, 8, 9, 10, 17, 40, 100])
def test_records_in_records(depth: int) -> None:
    plain_one: Any = Plain(0)
    slotted: Any = Slotted(0)
    pair: Any = (1,)
    for number in range(depth):
        plain_one = Plain(number, "x", [plain_one, number])
        slotted = Slotted(number, "x", slotted)
        pair = (pair, Frozen(number, (number,)))
    for value in (plain_one, slotted, pair):
        same(value)
    same([slotted, plain_one, pair])


def test_limits_of_depth_and_cycles() -> None:
    for build in (Plain, Slotted):
        value: Any = build(0)
        json.dumps(value)
        for _ in range(20):
            value = build(1, "x", value)
        limits = octad.Limits(depth=21)
        json.dumps(value, limits=octad.Limits(depth=24))
        with pytest.raises(octad.EncodeError) as caught:
            json.dumps([value], limits=limits)
        assert caught.value.code == "depth-limit"
        loop: Any = build(1)
        name = dataclasses.fields(build)[2].name
        setattr(loop, name, [loop])
        with pytest.raises(octad.EncodeError) as caught:
            json.dumps({"a": loop})
        assert caught.value.code == "cycle"
        assert caught.value.path == f"$.a.{name}[0]"
        setattr(loop, name, None)


@pytest.mark.parametrize("build", [Plain, Slotted])
def test_errors_name_the_field(build: Callable[..., Any]) -> None:
    name = dataclasses.fields(build)[2].name
    json.dumps(build(1))
    for bad, code in ((object(), "unsupported-type"), (float("nan"), "not-finite")):
        for value, path in (
            (build(bad), "$.number"),
            ([build(1), build(1, bad)], "$[1].text"),
            ({"k": (1, build(1, "x", [0, bad]))}, f"$.k[1].{name}[1]"),
            (build(1, "x", {"deep": build(1, "\ud800")}), f"$.{name}.deep.text"),
        ):
            with pytest.raises(octad.EncodeError) as caught:
                json.dumps(value)
            assert caught.value.path == path
            assert caught.value.code in (code, "lone-surrogate")


def test_default_is_called_within_records() -> None:
    seen: list[Any] = []

    class Unknown:
        pass

    def default(value: Any) -> Any:
        seen.append(value)
        return Slotted(len(seen))

    values = [Slotted(Unknown(), "x", Unknown()), Plain(Unknown())]
    json.dumps([Slotted(1), Plain(1)])
    written = stdlib_json.loads(json.dumps(values, default=default))
    assert written[0]["number"] == {"number": 1, "text": 'a\n"b', "inner": None}
    assert [written[0]["inner"]["number"], written[1]["number"]["number"]] == [2, 3]
    assert len(seen) == 3


@pytest.mark.parametrize("output", [5, 20, 40, 60])
def test_the_limit_of_the_output_ends_within_a_record(output: int) -> None:
    values = [Slotted(1, "abc", [1, 2]), Plain(5, "de")]
    json.dumps(values)
    with pytest.raises(octad.EncodeError) as caught:
        json.dumps(values, limits=octad.Limits(output=output))
    assert caught.value.code == "output-limit"


# --- Tuples -------------------------------------------------------------------------------------


class Point(NamedTuple):
    x: Any
    y: Any = 2.5


def test_named_tuples_are_arrays() -> None:
    other = namedtuple("other", "a b c")
    same([Point(1), Point("a", None), other([], {}, True)])
    same(Point(Point(Point(1)), {"a": Point([2])}))
    with pytest.raises(octad.EncodeError) as caught:
        json.dumps([Point(1), Point(1, (2, object()))])
    assert caught.value.path == "$[1][1][1]"


def test_subclasses_with_an_iterator_of_their_own() -> None:
    class Turned(tuple[Any, ...]):
        def __iter__(self) -> Any:
            return iter([len(self)])

    class TurnedList(list[Any]):
        def __iter__(self) -> Any:
            return iter(["own"])

    class Kept(list[Any]):
        pass

    value = [Turned((1, 2)), Kept([1]), TurnedList([3]), Kept()]
    for _ in range(2):
        assert json.dumps(value) == b'[[2],[1],["own"],[]]'
    Kept.__iter__ = TurnedList.__iter__
    assert json.dumps(value) == b'[[2],["own"],["own"],["own"]]'


def test_maps_below_tuples_and_subclasses_are_sorted() -> None:
    inner = {"b": 1, "a": 2}
    value = ({"z": Point(inner), "y": (inner,)}, defaultdict(int, inner), Frozen(inner, 1))
    for _ in range(2):
        assert json.dumps(value, sort_keys=True) == (
            b'[{"y":[{"a":2,"b":1}],"z":[{"a":2,"b":1},2.5]},{"a":2,"b":1},'
            b'{"first":{"a":2,"b":1},"second":1}]'
        )


# --- Memory, threads ----------------------------------------------------------------------------


def test_references_balance() -> None:
    marker: Any = ["held"]
    values = [Plain(marker), Slotted(marker, "x", marker), Point(marker), DictOverSlots(marker)]
    json.dumps(values)
    before = sys.getrefcount(marker), [sys.getrefcount(value) for value in values]
    for _ in range(50):
        json.dumps(values)
        with pytest.raises(octad.EncodeError):
            json.dumps([*values, Plain(object())])
    gc.collect()
    assert (sys.getrefcount(marker), [sys.getrefcount(value) for value in values]) == before


def test_classes_are_not_kept() -> None:
    kept = []
    for number in range(200):
        made: Any = dataclasses.make_dataclass(f"Made{number}", ["a", "b"], slots=number % 2 == 0)
        same(made(number, [number]), 2)
        kept.append(weakref.ref(made))
        del made
    gc.collect()
    assert not any(one() for one in kept)


def test_more_classes_than_are_remembered() -> None:
    values = [
        dataclasses.make_dataclass(f"Many{number}", ["a", f"b{number}"], slots=number % 3 == 0)(
            number, [number]
        )
        for number in range(700)
    ]
    same(values)
    same(values[::-1])


def test_nothing_is_left_behind() -> None:
    values = [Plain(1), Slotted(2), Frozen(3), Point(4), DictOverSlots(5)]

    def use() -> None:
        json.dumps(values)
        json.dumps([Plain(6, "y", [values])], indent=2)
        try:
            json.dumps([values, Slotted(1, "x", object())])
        except octad.EncodeError as error:
            str(error)

    # A leak grows each time; a cache that fills late grows once.
    assert min(block_growth(use, rounds=300, warm=50) for _ in range(3)) < 60


def test_threads() -> None:
    values = [Plain(1), Slotted(2, "x", Plain(3)), Point(4)] * 50
    want = json.dumps(values)
    wrong: list[bytes] = []

    def run() -> None:
        for _ in range(30):
            got = json.dumps(values)
            if got != want:
                wrong.append(got)

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_random_changes() -> None:
    choose = random.Random(11)
    names = ["number", "text", "items", "extra", "more"]
    for _ in range(60):
        value: Any = Plain(0)
        for step in range(30):
            name = choose.choice(names)
            match choose.randrange(7):
                case 0 | 1:
                    setattr(value, name, step)
                case 2:
                    if name in vars(value):
                        delattr(value, name)
                case 3:
                    vars(value)[name] = [step]
                case 4:
                    vars(value).pop(name, None)
                case 5:
                    value.__dict__ = dict(vars(value))
                case _:
                    setattr(value, f"more{choose.randrange(40)}", step)
            held = all(hasattr(value, one) for one in names[:3])
            if held:
                same(value)
            else:
                with pytest.raises(AttributeError):
                    json.dumps([value])


# --- Other ways ---------------------------------------------------------------------------------


@pytest.mark.skipif(
    "OCTAD_TEST_WAY" in os.environ,
    reason="run by this very test in another way: it would start itself again",
)
@pytest.mark.parametrize(
    "way", [{"OCTAD_PUBLIC_API": "1"}, {"PYTHONMALLOC": "debug"}], ids=["public", "debug-allocator"]
)
def test_the_same_holds_the_other_ways(way: dict[str, str]) -> None:
    run_again(__file__, way)

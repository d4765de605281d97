"""Hooks and converters of fields, and user code that raises, lies or changes what is written."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

import octad
import pytest
from octad import Field, Settings, json

from tests.support import block_growth


@pytest.mark.feature(169)
def test_hooks_before_and_after() -> None:
    calls: list[str] = []

    @dataclass
    class Hooked:
        a: int

        def __octad_before_dump__(self) -> None:
            calls.append(f"before {self.a}")
            self.a *= 10

        def __octad_after_dump__(self) -> None:
            calls.append(f"after {self.a}")

    assert json.dumps([Hooked(1), {"x": Hooked(2)}]) == b'[{"a":10},{"x":{"a":20}}]'
    assert calls == ["before 1", "after 10", "before 2", "after 20"]
    assert json.dumps(Hooked(1), sort_keys=True, indent=1) == b'{\n "a": 10\n}'


@pytest.mark.feature(169)
def test_what_a_hook_returns_is_written_instead() -> None:
    @dataclass
    class Other:
        b: Any

    @dataclass
    class Hooked:
        a: Any

        def __octad_before_dump__(self) -> Any:
            return self if self.a == "self" else self.a

    assert json.dumps([Hooked("self"), Hooked(None)]) == b'[{"a":"self"},{"a":null}]'
    values = [Hooked(1), Hooked([Hooked("x")]), Hooked(Other(Hooked(2))), Hooked({"k": 3})]
    assert json.dumps(values) == b'[1,["x"],{"b":2},{"k":3}]'


@pytest.mark.feature(169)
def test_hooks_of_classes_that_share_nothing_with_octad() -> None:
    """A hook counts although nobody has imported contracts: seen from a fresh interpreter."""
    import subprocess

    code = (
        "import sys, dataclasses\n"
        "from octad import json\n"
        "@dataclasses.dataclass\n"
        "class Plain:\n    a: int\n"
        "assert json.dumps(Plain(1)) == b'{\"a\":1}'\n"
        "assert 'octad._contract' not in sys.modules\n"
        "@dataclasses.dataclass\n"
        "class Hooked:\n    a: int\n    def __octad_before_dump__(self): return self.a\n"
        "assert json.dumps([Hooked(5), Plain(1)]) == b'[5,{\"a\":1}]'\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.feature(169)
def test_hooks_that_raise() -> None:
    @dataclass
    class Before:
        a: int

        def __octad_before_dump__(self) -> None:
            raise LookupError("before")

    @dataclass
    class After:
        a: Any

        def __octad_after_dump__(self) -> None:
            calls.append(self.a)
            if self.a == 1:
                raise LookupError("after")

    calls: list[Any] = []
    for value, path in (([0, Before(1)], "$[1]"), ({"k": After(1)}, "$.k")):
        with pytest.raises(LookupError) as caught:
            json.dumps(value)
        assert caught.value.__notes__ == [f"while octad wrote the value at {path}"]
    # What is not written to its end has no hook behind it.
    calls.clear()
    with pytest.raises(octad.EncodeError):
        json.dumps(After([After(2), object()]))
    assert calls == [2]


@pytest.mark.feature(169)
def test_a_changed_copy_is_written_without_asking_again() -> None:
    asked: list[str] = []

    @dataclass
    class User:
        name: str
        password: str = ""

        def __octad_before_dump__(self) -> Any:
            asked.append(self.password)
            return replace(self, password="***")

    @dataclass
    class Admin(User):
        level: int = 1

    @dataclass
    class Promoted:
        name: str

        def __octad_before_dump__(self) -> Any:
            return User(self.name, "new")

    ann = User("ann", "secret")
    shown = b'{"name":"ann","password":"***"}'
    assert json.dumps(ann) == shown
    assert json.dumps([ann, ann, User("ann", "***")]) == b"[" + b",".join([shown] * 3) + b"]"
    assert json.dumps({"a": Admin("ann", "x")}, sort_keys=True) == (
        b'{"a":{"level":1,"name":"ann","password":"***"}}'
    )
    assert asked == ["secret", "secret", "secret", "***", "x"]
    # Another class has a hook of its own.
    asked.clear()
    assert json.dumps(Promoted("ann")) == shown
    assert asked == ["new"]
    settings = octad.Settings(references=True)
    assert json.dumps([ann, ann], settings=settings) == (
        b'[{"$id":"1","name":"ann","password":"***"},{"$ref":"1"}]'
    )


@pytest.mark.feature(169)
def test_hooks_without_end() -> None:
    @dataclass
    class Endless:
        a: int

        def __octad_before_dump__(self) -> Any:
            return Other(self.a + 1)

    @dataclass
    class Other:
        a: int

        def __octad_before_dump__(self) -> Any:
            return Endless(self.a + 1)

    with pytest.raises(octad.EncodeError, match="at the end of 255 replacements"):
        json.dumps([Endless(0)])

    @dataclass
    class Deeper:
        a: int

        def __octad_before_dump__(self) -> Any:
            return [Deeper(self.a + 1)]

    with pytest.raises(octad.EncodeError) as caught:
        json.dumps(Deeper(0))
    assert caught.value.code == "depth-limit"


def test_changes_while_a_record_is_written() -> None:
    @dataclass
    class Changes:
        a: Any
        items: list[Any]
        b: Any = 1

        def __octad_before_dump__(self) -> None:
            self.items.append(len(self.items))

    changes = Changes(1, [])
    changes.items.append(changes.a)
    for _ in range(3):
        text = json.dumps(changes)
    assert json.loads(text) == {"a": 1, "items": [1, 1, 2, 3], "b": 1}

    class Deletes:
        def __init__(self, of: Any) -> None:
            self.of = of

        def __str__(self) -> str:
            raise AssertionError

    @dataclass
    class Target:
        a: Any
        b: int = 2

    target = Target(None)
    target.a = Deletes(target)

    def delete(value: Any) -> str:
        del value.of.b
        return "deleted"

    class Ending:
        def __getattr__(self, name: str) -> Any:
            raise AttributeError(name)

    # The class still has a default of that name.
    assert json.dumps(target, default=delete) == b'{"a":"deleted","b":2}'

    @dataclass
    class Bare:
        a: Any
        b: Any

    bare = Bare(None, 1)
    bare.a = Deletes(bare)
    with pytest.raises(AttributeError) as caught:
        json.dumps([bare], default=delete)
    assert "$[0].b" in caught.value.__notes__[0]


def test_a_class_that_changes_between_and_within_calls() -> None:
    @octad.contract(rename="upper")
    @dataclass
    class Shifting:
        a: Any
        b: int = 2

    assert json.dumps([Shifting(1), Shifting(3)]) == b'[{"A":1,"B":2},{"A":3,"B":2}]'

    class Turns:
        pass

    def turn(value: Turns) -> str:
        octad.contract_for(Shifting, rename="lower")
        return "turned"

    # A record that has been begun is ended as it was begun.
    text = json.dumps([Shifting(Turns()), 0], default=turn)
    assert text == b'[{"A":"turned","B":2},0]'
    assert json.dumps([Shifting(1)]) == b'[{"a":1,"b":2}]'


@pytest.mark.feature(168)
def test_conditions_that_raise_or_lie() -> None:
    class Odd:
        def __bool__(self) -> bool:
            raise LookupError("no truth")

    def raises(value: int) -> Any:
        if value == 1:
            raise LookupError("no condition")
        return Odd() if value == 2 else value == 3

    class NoEquals:
        def __eq__(self, other: object) -> bool:
            raise LookupError("no equality")

        __hash__ = None  # type: ignore[assignment]

    class NoLength(list):  # type: ignore[type-arg]
        def __len__(self) -> int:
            raise LookupError("no length")

    default = NoEquals()

    @octad.contract(omit_defaults=True, omit_empty=True)
    @dataclass
    class Held:
        a: Annotated[int, Field(omit_if=raises)] = 0
        b: Any = field(default_factory=lambda: default)
        c: Any = 1

    assert json.dumps(Held(3)) == b"{}"
    for value, message in (
        (Held(1), "no condition"),
        (Held(2), "no truth"),
        (Held(3, NoEquals()), "no equality"),
        (Held(3, default, NoLength()), "no length"),
    ):
        with pytest.raises(LookupError, match=message) as caught:
            json.dumps([value])
        assert caught.value.__notes__[0].startswith("while octad wrote the value at $[0]")


@pytest.mark.feature(186, 187)
def test_converters_of_fields_and_of_items() -> None:
    class Hex(octad.Converter[int]):
        def write(self, w: octad.Writer, value: int) -> None:
            w.value(f"{value:x}")

    class Pair(octad.Converter[int]):
        def write(self, w: octad.Writer, value: int) -> None:
            with w.map():
                w.entry("is", value)

    @dataclass
    class Holder:
        one: Annotated[int, Field(converter=Hex())]
        many: Annotated[list[int], Field(item_converter=Hex())]
        named: Annotated[dict[str, int], Field(item_converter=Pair())]
        plain: int = 255

    holder = Holder(255, [255, 16], {"a": 1, "b": 2})
    text = b'{"one":"ff","many":["ff","10"],"named":{"a":{"is":1},"b":{"is":2}},"plain":255}'
    assert json.dumps(holder) == text
    assert json.dumps([holder, 255]) == b"[" + text + b",255]"
    assert json.loads(json.dumps(holder, indent=1, sort_keys=True)) == json.loads(text)
    none: Any = None
    assert json.dumps(Holder(1, none, none)).count(b"null") == 2


@pytest.mark.feature(186)
def test_converters_of_settings_for_every_class() -> None:
    @dataclass
    class Point:
        x: Any

    class Ints(octad.Converter[int]):
        def write(self, w: octad.Writer, value: int) -> None:
            w.value(value if value > 9 else f"#{value}")

    class Lists(octad.Converter[list]):  # type: ignore[type-arg]
        def write(self, w: octad.Writer, value: list[Any]) -> None:
            with w.map():
                w.entry("n", len(value))
                w.entry("all", tuple(value))

    class Points(octad.Converter[Point]):
        def write(self, w: octad.Writer, value: Point) -> None:
            w.value(value.x)

    settings = Settings(converters=[Ints(), Points()])
    value = [1, {"a": 2}, (30,), Point(4), Point([5, True])]
    assert json.dumps(value, settings=settings) == b'["#1",{"a":"#2"},[30],"#4",["#5",true]]'
    assert json.dumps([[1]], settings=Settings(converters=[Lists()])) == (
        b'{"n":1,"all":[{"n":1,"all":[1]}]}'
    )
    assert json.dumps(value[:3]) == b'[1,{"a":2},[30]]'


@pytest.mark.feature(188)
def test_converters_of_keys() -> None:
    @dataclass(frozen=True)
    class Place:
        x: int
        y: int

    class Places(octad.Converter[Place]):
        def write_key(self, value: Place) -> str:
            return f"{value.x}:{value.y}"

    class Names(octad.Converter[str]):
        def write_key(self, value: str) -> str:
            return value.upper()

    class Wrong(octad.Converter[Place]):
        def write_key(self, value: Place) -> Any:
            return value.x

    with pytest.raises(octad.EncodeError):
        json.dumps({Place(1, 2): 1})
    settings = Settings(converters=[Places(), Names()])
    assert json.dumps({Place(1, 2): Place(3, 4), "a": "a"}, settings=settings) == (
        b'{"1:2":{"x":3,"y":4},"A":"a"}'
    )
    with pytest.raises(TypeError):
        json.dumps({Place(1, 2): 1}, settings=Settings(converters=[Wrong()]))


@pytest.mark.feature(186)
def test_a_field_s_converter_that_fails_leaves_nothing_behind() -> None:
    kept: list[octad.Writer] = []

    class Fails(octad.Converter[int]):
        def write(self, w: octad.Writer, value: int) -> None:
            kept.append(w)
            w.list()
            w.value({"x": 1})
            if value:
                raise LookupError("no")
            w.end()

    @dataclass
    class Holder:
        a: Annotated[int, Field(converter=Fails(), dates="epoch")]

    with pytest.raises(LookupError) as caught:
        json.dumps([Holder(0), Holder(1)])
    assert "$[1].a" in caught.value.__notes__[0]
    assert json.dumps(Holder(0)) == b'{"a":[{"x":1}]}'
    for writer in kept:
        with pytest.raises(octad.EncodeError) as closed:
            writer.value(1)
        assert closed.value.code == "writer-state"


@pytest.mark.feature(186)
def test_what_a_converter_catches_is_as_if_it_had_not_been() -> None:
    @dataclass
    class Inner:
        when: Annotated[Any, Field(numbers_as_text=True)]

    class Tries(octad.Converter[int]):
        def write(self, w: octad.Writer, value: int) -> None:
            with w.list():
                for one in (Inner([1, object()]), Inner(2), 3):
                    try:
                        w.value(one)
                    except octad.EncodeError:
                        w.value("bad")

    @dataclass
    class Holder:
        a: Annotated[int, Field(converter=Tries())]
        b: int = 4

    assert json.dumps([Holder(1), 5]) == b'[{"a":["bad",{"when":"2"},3],"b":4},5]'
    settings = Settings(references=True)
    assert json.dumps([Holder(1)], settings=settings) == b'[{"a":["bad",{"when":"2"},3],"b":4}]'


def test_attributes_that_are_not_there() -> None:
    @octad.contract(omit_none=True)
    @dataclass(slots=True)
    class Slots:
        a: int
        b: int

    half = Slots.__new__(Slots)
    half.a = 1
    with pytest.raises(AttributeError) as caught:
        json.dumps({"x": half})
    assert "$.x.b" in caught.value.__notes__[0]

    @octad.contract(properties=("wrong",))
    @dataclass
    class Raises:
        a: int

        @property
        def wrong(self) -> int:
            raise LookupError("wrong")

    with pytest.raises(LookupError) as looked:
        json.dumps([Raises(1)])
    assert "$[0].wrong" in looked.value.__notes__[0]


def test_mappings_that_lie_when_flattened() -> None:
    class Lies(Mapping[str, int]):
        def __getitem__(self, key: str) -> int:
            raise KeyError(key)

        def __iter__(self) -> Iterator[str]:
            return iter("ab")

        def __len__(self) -> int:
            return 7

        def items(self) -> Any:
            return [1, 2]

    @dataclass
    class Flat:
        more: Annotated[dict[str, int], Field(flatten=True)]

    lies: Any = Lies()
    with pytest.raises(octad.EncodeError, match="pairs of key and value"):
        json.dumps(Flat(lies))


def test_contracts_in_many_threads_at_once() -> None:
    @octad.contract(rename="camel", omit_none=True)
    @dataclass
    class Shared:
        user_id: int
        no_value: Any = None

    failures: list[str] = []
    start = threading.Barrier(4)

    def work(number: int) -> None:
        start.wait()
        for turn in range(300):
            settings = Settings(rename=("camel", "pascal", "kebab")[turn % 3])
            text = json.dumps([Shared(number), Shared(turn)], settings=settings)
            if text != b'[{"userId":%d},{"userId":%d}]' % (number, turn):
                failures.append(text.decode())
            if turn % 50 == 0:
                octad.contract_for(type("Other", (), {}), rename="camel")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_nothing_is_left_over() -> None:
    class Hex(octad.Converter[int]):
        def write(self, w: octad.Writer, value: int) -> None:
            if value < 0:
                raise LookupError
            w.value(f"{value:x}")

    @octad.contract(tag=True, omit_none=True)
    @dataclass
    class Held:
        a: Annotated[int, Field(converter=Hex())]
        b: Annotated[Any, Field(dates="epoch")] = None
        rest: Annotated[dict[str, Any], Field(extra=True)] = field(default_factory=dict)

        def __octad_after_dump__(self) -> None:
            return None

    shared: list[Any] = [1]
    value = [Held(1, {"k": [2.5]}, {"x": "y" * 20}), Held(2, [shared, shared])]
    settings = Settings(references=True, rename_keys="upper")

    def calls() -> None:
        json.dumps(value)
        json.dumps(value, settings=settings)
        for bad in (Held(-1), Held(1, object())):
            for chosen in (None, settings):
                with pytest.raises((LookupError, octad.EncodeError)):
                    json.dumps([value, bad], settings=chosen)

    calls()  # looks up names of annotations in running code
    before = sys.getrefcount(shared)
    calls()
    gc.collect()
    after = sys.getrefcount(shared)
    assert after == before
    # Free lists fill for some rounds, now fewer and now more; what leaks in each round never rests.
    assert any(block_growth(calls, rounds=500) <= 2 for _ in range(8))

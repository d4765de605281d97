"""How dumps walks: paths of errors, cycles, keys, and user code that changes what is written.

Owns what the walk must survive. What each type looks like is in `test_dumps.py`, the options are
in `test_writing.py`.
"""

from __future__ import annotations

import collections
import datetime as dt
import gc
import inspect
import json as stdlib
import pickle
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import Any, ClassVar

import octad
import pytest
from octad import json

DEEP = list(range(1, 24))


class Stranger:
    """A class that octad knows nothing of."""


class Key(str):
    """A str that hashes and compares like no other."""

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other


@dataclass
class Record:
    a: Any
    b: Any = None


def refused(code: str, call: Callable[[], object]) -> octad.EncodeError:
    with pytest.raises(octad.EncodeError) as caught:
        call()
    assert caught.value.code == code
    return caught.value


def wrapped(value: Any, levels: int, kinds: str) -> tuple[Any, str]:
    """`value` inside as many containers, and its path."""
    path = ""
    for level in range(levels):
        kind = kinds[level % len(kinds)]
        if kind == "l":
            value, path = [0, value, "behind"], "[1]" + path
        elif kind == "d":
            value, path = {"x": 0, "k": value, "y": 1.5}, ".k" + path
        elif kind == "t":
            value, path = (value, None), "[0]" + path
        elif kind == "r":
            value, path = Record(value), ".a" + path
        else:
            value, path = collections.deque([value]), "[0]" + path
    return value, "$" + path


@pytest.mark.parametrize("levels", DEEP)
@pytest.mark.parametrize("kinds", ["l", "d", "ld", "dl", "ldt", "dr", "lq", "tdrlq"])
def test_the_path_is_right_at_every_depth(levels: int, kinds: str) -> None:
    for value, code in [
        (Stranger(), "unsupported-type"),
        (float("nan"), "not-finite"),
        ("\ud800", "lone-surrogate"),
        (b"x", "bytes-not-allowed"),
        ({"in": {(): 1}}, "key-type"),
    ]:
        nested, path = wrapped(value, levels, kinds)
        error = refused(code, lambda nested=nested: json.dumps(nested))
        if code == "key-type":
            path += ".in['()']"
        assert error.path == path


@pytest.mark.parametrize("levels", DEEP)
@pytest.mark.parametrize("kinds", ["l", "d", "ld", "ldt", "tdrlq"])
def test_what_needs_a_closer_look_is_written_at_every_depth(levels: int, kinds: str) -> None:
    for value, plain in [
        (dt.date(2024, 2, 29), "2024-02-29"),
        (2**70, 2**70),
        (2**62, 2**62),
        (
            {
                1: 2,
                "a": [
                    3,
                    (
                        4,
                        {
                            5,
                        },
                    ),
                ],
            },
            {"1": 2, "a": [3, [4, [5]]]},
        ),
        (Record(Record(1)), {"a": {"a": 1, "b": None}, "b": None}),
    ]:
        nested, _ = wrapped(value, levels, kinds.replace("r", "d").replace("q", "t"))
        expected, _ = wrapped(plain, levels, kinds.replace("r", "d").replace("q", "t"))
        text = stdlib.dumps(expected, separators=(",", ":"))
        assert json.dumps_str(nested) == text
        assert stdlib.loads(json.dumps(nested, indent=1)) == stdlib.loads(text)
        assert stdlib.loads(json.dumps(nested, sort_keys=True)) == stdlib.loads(text)


def test_cycles_tell_where_they_close() -> None:
    table: dict[str, Any] = {}
    table["self"] = table
    assert refused("cycle", lambda: json.dumps(table)).path == "$.self"
    outer: list[Any] = [0, {"a": [1]}]
    outer[1]["a"].append(outer)
    assert refused("cycle", lambda: json.dumps({"x": outer})).path == "$.x[1].a[1]"
    record = Record(1)
    record.b = (record,)
    assert refused("cycle", lambda: json.dumps(record)).path == "$.b[0]"
    queue: collections.deque[Any] = collections.deque()
    queue.append(collections.UserDict(q=queue))
    assert refused("cycle", lambda: json.dumps(queue)).path == "$[0].q"
    limits = octad.Limits(depth=100_000)
    assert refused("cycle", lambda: json.dumps(table, limits=limits)).path == "$.self"
    assert refused("cycle", lambda: json.dumps(table, sort_keys=True)).path == "$.self"


def test_sharing_is_no_cycle() -> None:
    leaf: list[Any] = [Stranger(), {}]
    value = {"a": leaf, "b": [leaf, leaf, (leaf,)]}
    text = '{"a":[0,{}],"b":[[0,{}],[0,{}],[[0,{}]]]}'
    assert json.dumps_str(value, default=lambda _: 0) == text


def test_deep_values_within_the_limit_and_beyond() -> None:
    value: Any = "x"
    for _ in range(100_000):
        value = [value]
    error = refused("depth-limit", lambda: json.dumps(value))
    assert error.path.count("[0]") == 1024
    limits = octad.Limits(depth=100_000)
    assert json.dumps(value, limits=limits) == b"[" * 100_000 + b'"x"' + b"]" * 100_000
    endless = refused("depth-limit", lambda: json.dumps(Stranger(), default=lambda x: [x]))
    assert endless.path.startswith("$[0][0]")
    while value != "x":
        value = value[0]


def test_an_endless_chain_of_replacements_ends() -> None:
    calls = []

    def default(value: object) -> object:
        calls.append(value)
        return Stranger()

    error = refused("unsupported-type", lambda: json.dumps([Stranger()], default=default))
    assert error.path == "$[0]"
    assert len(calls) == 255


class TestKeys:
    def test_texts_of_keys(self) -> None:
        uuid = __import__("uuid").UUID(int=1)
        value = {
            True: 1,
            None: 2,
            7: 3,
            -(2**70): 4,
            1.5: 5,
            dt.date(2024, 2, 29): 6,
            uuid: 7,
            Decimal("1.10"): 8,
        }
        assert json.loads(json.dumps(value)) == {
            "true": 1,
            "null": 2,
            "7": 3,
            "-1180591620717411303424": 4,
            "1.5": 5,
            "2024-02-29": 6,
            str(uuid): 7,
            "1.10": 8,
        }
        assert json.dumps(value, sort_keys=True) == (
            b'{"-1180591620717411303424":4,"00000000-0000-0000-0000-000000000001":7,"1.10":8,'
            b'"1.5":5,"2024-02-29":6,"7":3,"null":2,"true":1}'
        )

    @pytest.mark.parametrize(
        "value",
        [
            {1: 0, "1": 0},
            {"1": 0, 1: 0},
            {"a": 0, Key("a"): 1},
            {Key("a"): 0, Key("a"): 1},
            {None: 0, "x": 1, "null": 2},
            {1.0: 0, "1.0": 1},
            {True: 0, "true": 1},
            collections.OrderedDict([(1, 0), ("1", 0)]),
            {dt.date(2024, 1, 1): 0, "2024-01-01": 1},
        ],
    )
    def test_two_keys_of_one_text_are_refused(self, value: Any) -> None:
        for options in ({}, {"sort_keys": True}, {"canonical": True}):
            refused("key-clash", lambda options=options: json.dumps(value, **options))

    def test_keys_that_look_alike_but_are_not(self) -> None:
        assert json.dumps({1: 0, "01": 1, 1.5: 2, Key("a"): 3}) == b'{"1":0,"01":1,"1.5":2,"a":3}'

    def test_keys_may_be_refused(self) -> None:
        assert json.dumps({"a": 1, Key("b"): 2}, keys="error") == b'{"a":1,"b":2}'
        for key in (1, None, 1.5, dt.date(2024, 1, 1)):
            refused("key-type", lambda key=key: json.dumps({key: 1}, keys="error"))

    @pytest.mark.parametrize("key", [(), b"x", frozenset(), Stranger(), len])
    def test_keys_without_a_text(self, key: Any) -> None:
        refused("key-type", lambda: json.dumps({key: 1}))
        refused("key-type", lambda: json.dumps({key: 1}, default=lambda _: "x"))

    def test_keys_that_are_not_finite(self) -> None:
        value = {float("inf"): 1}
        refused("not-finite", lambda: json.dumps(value))
        assert json.dumps(value, nan="literal") == b'{"Infinity":1}'
        assert json.dumps(value, nan="string") == b'{"Infinity":1}'
        assert json.dumps(value, nan="null") == b'{"null":1}'
        refused("not-finite", lambda: json.dumps({Decimal("NaN"): 1}))

    def test_sorting_is_by_the_text_as_written(self) -> None:
        texts = ["", "a", "aa", "b", "é", "ÿ", "漢", "\ue000", "\U00010000", "10", "9"]
        shuffled = texts[:]
        random.Random(1).shuffle(shuffled)
        value: dict[Any, int] = dict.fromkeys(shuffled, 0)
        assert list(json.loads(json.dumps(value, sort_keys=True))) == sorted(texts)
        units = sorted(texts, key=lambda text: text.encode("utf-16-be"))
        assert list(json.loads(json.dumps(value, canonical=True))) == units
        assert json.dumps({1: 2, "2": 3, None: 4}, sort_keys=True) == b'{"1":2,"2":3,"null":4}'


def applied(change: Callable[[Any], object], value: Any, _: object) -> object:
    """A `default=` that changes something else."""
    return change(value)


class TestUserCodeThatChangesThings:
    """Whatever a callback does, the answer is a text or an exception, never a crash."""

    def test_a_list_that_shrinks_or_grows(self) -> None:
        for change in (list.clear, list.pop, lambda value: value.append(1)):
            value = [1, Stranger(), 2, 3]
            call = partial(json.dumps, [value], default=partial(applied, change, value))
            error = refused("size-changed", call)
            assert error.path == "$[0]"

    def test_a_dict_that_changes_its_size(self) -> None:
        for change in (dict.clear, dict.popitem, lambda value: value.update(new=1)):
            value = {"a": 1, "b": Stranger(), "c": 2}
            refused(
                "size-changed",
                lambda value=value, change=change: json.dumps(
                    value, default=lambda _: change(value)
                ),
            )

    def test_a_dict_that_is_rebuilt_under_the_walk(self) -> None:
        def rebuild(_: object) -> None:
            old = list(value)
            value.clear()
            gc.collect()
            value.update({f"k{number}": Stranger() for number in range(len(old))})

        value: dict[str, Any] = {f"key{number}": Stranger() for number in range(50)}
        assert len(json.loads(json.dumps(value, default=rebuild))) == 50

    def test_an_object_that_loses_its_last_other_reference(self) -> None:
        def drop(_: object) -> int:
            outer.clear()
            gc.collect()
            return 1

        outer = [[Stranger(), "x" * 100, {"a": "y" * 100}]]
        with pytest.raises(octad.EncodeError):
            json.dumps(outer, default=drop)
        inner = {"deep": [[[Stranger(), ["z" * 50]]]]}
        clear = inner["deep"][0].clear
        refused("size-changed", lambda: json.dumps(inner, default=lambda _: clear()))

    def test_items_replaced_in_place(self) -> None:
        def replace(_: object) -> int:
            value[:] = [["new"] * 3 for _ in value]
            gc.collect()
            return 0

        value: list[Any] = [Stranger(), ["old"], ["old"]]
        new = '["new","new","new"]'
        assert json.dumps_str(value, default=replace) == f"[0,{new},{new}]"

    def test_sets_and_deques_that_change(self) -> None:
        for kind, change in ((set, "add"), (collections.deque, "append")):
            value = kind([Stranger(), Stranger()])
            refused(
                "size-changed",
                lambda value=value, change=change: json.dumps(
                    value, default=lambda _: getattr(value, change)(object())
                ),
            )

    def test_a_call_inside_a_call(self) -> None:
        def default(value: object) -> object:
            inner = json.dumps([1, {"inner": [Stranger()]}], default=lambda _: 2)
            return inner.decode()

        value = ["a" * 100, Stranger(), "b"]
        expected = ["a" * 100, '[1,{"inner":[2]}]', "b"]
        assert json.loads(json.dumps(value, default=default)) == expected

    def test_exceptions_pass_with_a_note(self) -> None:
        def default(_: object) -> object:
            raise ZeroDivisionError("mine")

        with pytest.raises(ZeroDivisionError, match="mine") as caught:
            json.dumps({"a": [Stranger()]}, default=default)
        assert caught.value.__notes__ == ["while octad wrote the value at $.a[0]"]

        class Broken(collections.abc.Mapping):  # type: ignore[type-arg]
            def __getitem__(self, key: object) -> object:
                raise KeyError(key)

            def __iter__(self) -> Iterator[str]:
                return iter(["a"])

            def __len__(self) -> int:
                return 1

        with pytest.raises(KeyError):
            json.dumps([Broken()])

    def test_a_mapping_whose_items_are_no_pairs(self) -> None:
        class Odd(dict[str, int]):
            def items(self) -> Any:
                return self.pairs

            pairs: ClassVar[Any] = [1]

        with pytest.raises(TypeError):
            json.dumps(Odd(a=1))
        Odd.pairs = [(1,)]
        with pytest.raises((TypeError, ValueError, IndexError)):
            json.dumps(Odd(a=1))

    def test_a_finalizer_that_writes(self) -> None:
        class Last:
            def __del__(self) -> None:
                json.dumps([{"x": [1, 2]}, "y" * 500])

        value: list[Any] = [Last(), "rest"]

        def default(_: object) -> str:
            value[0] = None
            return "gone"

        assert json.dumps(value, default=default) == b'["gone","rest"]'


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        (iter([1]), "list"),
        ((x for x in [1]), "list"),
        (object(), "default="),
        (int, "class"),
        (len, "default="),
    ],
)
def test_what_is_refused_says_what_helps(value: Any, hint: str) -> None:
    assert hint in refused("unsupported-type", lambda: json.dumps([value])).message


def test_references_are_given_back() -> None:
    leaf = ["x"]
    text = Key("k")
    moment = dt.datetime(2024, 1, 1, tzinfo=dt.UTC)
    record = Record(leaf)
    value = {"a": [leaf, (leaf, moment)], "r": record, text: {1: leaf}, "s": {3.5}}
    held = [leaf, text, moment, record, value, None]

    def use() -> None:
        for options in ({}, {"sort_keys": True}, {"indent": 2}, {"canonical": True}):
            json.dumps(value, **options)
        for bad in ([leaf, Stranger()], {"a": {"b": [record, float("nan")]}}, {text: {(): leaf}}):
            with pytest.raises(octad.EncodeError):
                json.dumps(bad)
        json.dumps([Stranger()], default=lambda _: leaf)

    for _ in range(3):
        use()
    gc.collect()
    before = [sys.getrefcount(each) for each in held]
    for _ in range(50):
        use()
    gc.collect()
    after = [sys.getrefcount(each) for each in held]
    assert all(abs(one - two) < 20 for one, two in zip(before, after, strict=True))


def test_dicts_of_every_table() -> None:
    class Plain:
        def __init__(self) -> None:
            self.a, self.b, self.c = 1, [2], "3"

    shared = Plain()
    assert json.dumps(shared.__dict__) == b'{"a":1,"b":[2],"c":"3"}'
    del shared.b
    assert json.dumps([shared.__dict__]) == b'[{"a":1,"c":"3"}]'
    rng = random.Random(5)
    for size in (1, 5, 6, 100, 300, 70_000):
        value: dict[Any, int] = {str(number): number for number in range(size)}
        for _ in range(size // 3):
            value.pop(rng.choice(list(value)) if size < 1000 else next(iter(value)))
        assert json.dumps_str(value) == stdlib.dumps(value, separators=(",", ":"))
        mixed: dict[Any, int] = {1: 0, **value} if "1" not in value else value
        assert json.dumps_str(mixed) == stdlib.dumps(mixed, separators=(",", ":"))


@pytest.mark.parametrize("call", [json.dumps, json.dumps_str])
def test_calls_are_checked_as_python_functions_are(call: Callable[..., Any]) -> None:
    assert call(value=[1]) == call([1]) == call([1], indent=None, settings=None)
    for arguments, options, words in [
        ((), {}, "missing 1 required positional argument"),
        ((1, 2), {}, "takes 1 positional argument but 2 were given"),
        ((1,), {"value": 1}, "multiple values"),
        ((1,), {"colour": 1}, "unknown option `colour`"),
    ]:
        with pytest.raises(TypeError, match=words):
            call(*arguments, **options)
    assert "canonical=False" in str(inspect.signature(call))
    assert pickle.loads(pickle.dumps(call)) is call

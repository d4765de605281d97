"""Plans that are no plans, user code that does anything, and nothing left behind."""

from __future__ import annotations

import gc
import sys
import threading
import weakref
from dataclasses import dataclass
from typing import Any

import octad
import pytest
from octad import json
from octad._core import Plan

from tests.support import block_growth
from tests.typed.plans import ANY, INT, STR, plan, record


@dataclass
class Point:
    x: int
    y: int = 0


@dataclass(slots=True)
class Slots:
    x: int
    y: int = 0


class Odd:
    """An object that no plan wants."""


PIECES: list[Any] = [
    None,
    True,
    1,
    -1,
    10**30,
    2.5,
    "x",
    "list",
    b"x",
    (),
    (1,),
    ((1, 2),),
    {},
    {"a": 1},
    [],
    frozenset("a"),
    int,
    Point,
    len,
    Odd(),
    "direct",
    "inside",
    ("int",),
    float("nan"),
    "\ud800",
]
OPS = [
    "any",
    "none",
    "bool",
    "int",
    "float",
    "str",
    "decimal",
    "bytes",
    "bytearray",
    "memoryview",
    "datetime",
    "date",
    "time",
    "timedelta",
    "uuid",
    "list",
    "set",
    "frozenset",
    "tuple",
    "row",
    "dict",
    "pairs",
    "table",
    "record",
    "union",
    "tagged",
    "shaped",
    "call",
    "checked",
    "convert",
    "raw",
    "view",
]
SPEC = [
    "cls",
    "name",
    "make",
    "maker",
    "shape",
    "fields",
    "flatten",
    "extra",
    "unknown",
    "case",
    "tag",
    "before",
    "after",
    "frozen",
]


def test_bad_nodes_are_refused_and_never_more() -> None:
    import random

    dice = random.Random(7)
    made = 0
    texts = ["null", "true", "1", "1.5", '"a"', "[1, [2]]", '{"a": 1, "x": {"a": []}}']
    for _ in range(6000):
        nodes: list[Any] = []
        for _ in range(dice.randrange(1, 4)):
            op = dice.choice(OPS)
            args = [dice.choice(PIECES) for _ in range(dice.randrange(5))]
            if op == "record":
                spec = {dice.choice(SPEC): dice.choice(PIECES) for _ in range(dice.randrange(4))}
                if dice.random() < 0.5:
                    spec["fields"] = (
                        (
                            dice.choice(["a", 1]),
                            dice.choice([("a",), (), ("x", "a")]),
                            dice.randrange(3),
                            dice.randrange(5),
                            dice.choice(PIECES),
                            dice.randrange(5),
                        ),
                    )
                args = [spec]
            elif dice.random() < 0.5:
                args = [dice.choice([0, 1, 2, {}, (1, 2), (0,), ()]) for _ in args]
            nodes.append((op, *args))
        try:
            built: Any = Plan(tuple(nodes))
        except (TypeError, ValueError, UnicodeError):
            continue
        made += 1
        for text in texts:
            try:
                json.loads(text, built)
            except (octad.Error, TypeError, ValueError, AttributeError):
                pass
            try:
                json.check(text, built)
            except (octad.Error, TypeError, ValueError, AttributeError):
                pass
    assert made > 100


@pytest.mark.parametrize(
    "nodes",
    [
        (),
        ((),),
        (1,),
        (("list", 5),),
        (("list", -1),),
        (("list", True),),
        (("list",),),
        (("what",),),
        (("union", {"x": ()}),),
        (("call", 0, len, "x"),),
        (("checked", 1, {}), ("checked", 0, {})),
        (("checked", 1, {"pattern": "("}), STR),
        (("record", {"cls": 3}),),
        (("record", {"make": "direct"}),),
        (("record", {"cls": Point, "make": "tuple"}),),
        (("record", {"wrong": 1}),),
        (("record", {"fields": (("a", (), 0, 0, None, 0),)}),),
        (("record", {"flatten": (("a", 1),)}), INT),
        (("table", "x", ((b"", 1),), None),),
        (("tagged", "t", {}, "elsewhere", None),),
        (("datetime", "epoch", "?"),),
        (("time", "epoch_ms"),),
    ],
)
def test_what_is_no_plan(nodes: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        Plan(nodes)


def test_a_plan_shows_what_it_was_made_of_and_is_collected() -> None:
    class Home:
        pass

    home = Home()
    nodes = (record(type("Made", (), {}), ("a", 1, 1, home)), ANY)
    made = Plan(nodes)
    assert made.nodes is nodes
    home.plan = made  # type: ignore[attr-defined]
    gone = weakref.ref(home)
    del home, made, nodes
    gc.collect()
    assert gone() is None


FAILING = [
    '{"x": 1, "y": "a"}',
    '{"x": 1, "x": 1}',
    '{"y": 1}',
    '{"x": [1, 2, {"a": 3}]}',
    '{"x": 1, "y": 100000000000000000000000}x',
    "[]",
]


@pytest.mark.parametrize("cls", [Point, Slots])
def test_failing_runs_leave_nothing_behind(cls: Any) -> None:
    made = plan(
        record(cls, ("x", 1), ("y", 2, 1, 0)),
        ("union", {"int": (2,), "list": (3,), "map": (4,)}),
        INT,
        ("list", 1),
        ("dict", 5, 3),
        STR,
    )
    rows = plan(("list", 1), *made.nodes[1:], made.nodes[0])
    mixed = plan(("list", 6), *made.nodes[1:], ("set", 5))

    def run() -> None:
        for text in FAILING:
            for each, whole in (
                (made, text),
                (rows, f"[1, {text}]"),
                (mixed, f'[["{"a" * 40}"], {text}]'),
            ):
                for call in (json.loads, json.check):
                    try:
                        call(whole, each)
                    except octad.Error:
                        pass
        json.loads('{"x": [1, 2], "y": 3}', made)

    gc.collect()
    assert block_growth(run) < 50
    before = sys.getrefcount(cls)
    for _ in range(50):
        run()
    gc.collect()
    assert sys.getrefcount(cls) - before < 5


def test_nobody_sees_a_half_filled_instance() -> None:
    seen: list[Any] = []
    looked_at: list[int] = []

    @dataclass
    class Watched:
        a: Any
        b: Any
        c: Any

        def __del__(self) -> None:
            seen.append(vars(self).copy())

    def look(value: Any) -> Any:
        for item in gc.get_objects():
            if type(item) is Watched and len(vars(item)) < 3:
                seen.append("half")
            if type(item) is list:
                looked_at.append(len(item[:3]))  # an empty place would end the process
        if value == 13:
            raise ValueError("no")
        return value

    made = plan(
        ("list", 1), record(Watched, ("a", 2), ("b", 2), ("c", 2)), ("call", 3, look, "x"), INT
    )
    json.loads('[{"a": 1, "b": 2, "c": 3}, {"a": 1, "b": 2, "c": 3}]', made)
    with pytest.raises(octad.ValidationError):
        json.loads('[{"a": 1, "b": 13, "c": 3}]', made)
    gc.collect()
    assert looked_at
    assert all(item == {"a": 1, "b": 2, "c": 3} for item in seen)


def test_user_code_may_read_again() -> None:
    made: Any = None

    def again(value: int) -> Any:
        if value == 0:
            return 0
        gc.collect()
        inner = json.loads(f'[{{"x": {value - 1}}}, {{"x": 0}}]', made)
        json.loads(b'{"a": [1, 2, 3, "some text"]}' * 1)
        return (value, inner[0].x)

    made = plan(("list", 1), record(Point, ("x", 2), ("y", 3, 1, 0)), ("call", 3, again, "x"), INT)
    made_again = json.loads('[{"x": 5}, {"y": 7, "x": 2}]', made)
    assert made_again[0].x == (5, (4, (3, (2, (1, 0)))))
    assert made_again[1] == Point((2, (1, 0)), 7)  # type: ignore[arg-type]


def test_user_code_may_end_the_type() -> None:
    cls: Any = dataclass(type("Gone", (), {"__annotations__": {"x": int}}))
    made = plan(
        ("list", 1),
        record(cls, ("x", 2)),
        ("call", 3, lambda value: (Plan((INT,)), value)[1], "x"),
        INT,
    )
    gone = weakref.ref(cls)
    del cls
    assert [one.x for one in json.loads('[{"x": 1}]', made)] == [1]
    del made
    octad._core.forget_plans()
    gc.collect()
    assert gone() is None


def test_many_threads_run_one_plan() -> None:
    made = plan(("list", 1), record(Slots, ("x", 2), ("y", 2, 1, 0)), INT)
    text = "[" + ",".join(f'{{"x": {n}, "y": {n}}}' for n in range(500)) + "]"
    want = [Slots(n, n) for n in range(500)]
    right: list[bool] = []

    def run() -> None:
        right.extend(json.loads(text, made) == want for _ in range(20))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert right == [True] * 80


def test_errors_can_be_pickled() -> None:
    import pickle

    with pytest.raises(octad.ValidationError) as caught:
        json.loads('{"x": "a"}', plan(record(Point, ("x", 1)), INT))
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)
    assert (again.expected, again.found, again.value) == ("an integer", "text", '"a"')


def test_codes_that_only_others_raise_have_their_class() -> None:
    from octad._errors import ContractError, make

    assert type(make(code="unresolved-reference", message="x")) is octad.ValidationError
    assert type(make(code="invalid-contract", message="x")) is ContractError
    assert issubclass(ContractError, TypeError)

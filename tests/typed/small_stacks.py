"""What `test_small_stacks.py` runs in a process of its own: deep things in small threads.

    python small_stacks.py NAME

Prints a line for each stack and depth: KiB, levels, and `done` or the class, code and message of
octad's error. What is nested deeper than the stack allows must end so: the process would, else.
"""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple

import octad
from octad import json
from octad._core import Plan

# The limits of texts are not what ends these.
LIMITS = octad.Limits(depth=100_000)


@dataclass
class Node:
    a: Node | None = None
    b: list[Node] = field(default_factory=list)
    c: dict[str, Node] = field(default_factory=dict)
    d: Node | int | None = None


class Row(NamedTuple):
    inner: Row | None


@dataclass
class Left:
    x: Left | Right | None
    z: int


@dataclass
class Right:
    x: Left | Right | None
    y: int


@dataclass
class Hooked:
    a: Hooked | None = None

    @classmethod
    def __octad_before_load__(cls, data: dict[str, Any]) -> dict[str, Any]:
        return data


class Box:
    def __init__(self, inner: Any) -> None:
        self.inner = inner


class BoxConverter(octad.Converter[Box]):
    def read(self, r: octad.Reader) -> Box:
        if r.kind == "array":
            return Box(next(iter(r.items(Box))))
        return Box(r.read())

    def write(self, w: octad.Writer, value: Box) -> None:
        with w.list(1):
            w.value(value.inner)


class BareConverter(octad.Converter[Box]):
    """Reads and writes no container of its own."""

    def read(self, r: octad.Reader) -> Box:
        return Box(r.read(Box | None))

    def write(self, w: octad.Writer, value: Box) -> None:
        w.value(value.inner)


@dataclass
class Held:
    box: Annotated[Box, octad.Field(converter=BoxConverter())]


SETTINGS = octad.Settings(converters=[BoxConverter()])
BARE = octad.Settings(converters=[BareConverter()])


# Lists of integers, or of such lists: at each level the one is tried before the other.
NEITHER = Plan((("union", {"list": (1, 2)}), ("list", 3), ("list", 0), ("int", False)))


def nested(before: str, middle: str, after: str, levels: int) -> str:
    return before * levels + middle + after * levels


def boxes(levels: int) -> Box:
    box: Any = 1
    for _ in range(levels):
        box = Box(box)
    return box  # type: ignore[no-any-return]


def nodes(levels: int) -> Node:
    node = Node()
    for _ in range(levels):
        node = Node(b=[node])
    return node


def loads(text: str, of: Any, **options: Any) -> Any:
    return json.loads(text, of, limits=LIMITS, **options)


def check(text: str, of: Any) -> None:
    for problem in json.check(text, of, limits=LIMITS):
        raise octad.LimitError(problem.message, code=problem.code)


def of_plan(op: str) -> Plan:
    """A container of itself."""
    return Plan(((op, 0),))


# What cases are given instead of the number of levels. It is made and freed where there is room:
# from 3.13 on Python frees what is nested by as many nested calls.
GIVEN: dict[str, Callable[[int], Any]] = {
    "written records": nodes,
    "written records, sorted": nodes,
    "written converters": boxes,
    "written converters that hold nothing": boxes,
    "written converters in records": lambda n: Held(boxes(n)),
}

CASES: dict[str, Callable[[Any], Any]] = {
    "records": lambda n: loads(nested('{"a":', "null", "}", n), Node),
    "records in lists": lambda n: loads(nested('{"b":[', "", "]}", n), Node),
    "records in dicts": lambda n: loads(nested('{"c":{"k":', "{}", "}}", n), Node),
    "records in unions": lambda n: loads(nested('{"d":', "1", "}", n), Node),
    "rows": lambda n: loads(nested("[", "null", "]", n), Row),
    "lists": lambda n: loads(nested("[", "", "]", n), of_plan("list")),
    "tuples": lambda n: loads(nested("[", "", "]", n), of_plan("tuple")),
    "unions": lambda n: loads(nested('{"y":1,"x":', "null", "}", n), Left | Right),
    "no member of unions": lambda n: loads(nested("[", "true", "]", n), NEITHER),
    "references": lambda n: loads(
        nested('{"b":[', "", "]}", n), Node, settings=octad.Settings(references=True)
    ),
    "hooks": lambda n: loads(nested('{"a":', "null", "}", n), Hooked),
    "checked": lambda n: check(nested('{"a":', "null", "}", n), Node),
    "documents": lambda n: json.parse(nested('{"a":', "null", "}", n), limits=LIMITS).to(Node),
    "converters": lambda n: loads(nested("[", "1", "]", n), Box, settings=SETTINGS),
    "converters that hold nothing": lambda n: loads("1", Box, settings=BARE),
    "converters in records": lambda n: loads(
        '{"box":' + nested("[", "1", "]", n) + "}", Held, settings=SETTINGS
    ),
    "written records": lambda value: json.dumps(value, limits=LIMITS),
    "written records, sorted": lambda value: json.dumps(value, limits=LIMITS, sort_keys=True),
    "written converters": lambda value: json.dumps(value, limits=LIMITS, settings=SETTINGS),
    "written converters that hold nothing": lambda value: json.dumps(
        value, limits=LIMITS, settings=BARE
    ),
    "written converters in records": lambda value: json.dumps(value, settings=SETTINGS),
}


# In KiB. Less than 64 is not enough for Python itself.
STACKS = (64, 96, 256, 512)
DEPTHS = (3, 40, 90, 300, 1_000, 1_990)


def outcome(name: str, size: int, levels: int) -> str:
    """What comes of a case in a thread with a stack of so many KiB."""
    told = ["nothing"]
    given = GIVEN.get(name, int)(levels)

    def work() -> None:
        try:
            CASES[name](given)
            told[0] = "done"
        except octad.Error as error:
            told[0] = f"{type(error).__name__} {error.code} {error.message}"

    threading.stack_size(size * 1024)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    return told[0]


if __name__ == "__main__":
    # What is made once is made before: how much that takes is not the matter here.
    with contextlib.suppress(octad.Error):
        CASES[sys.argv[1]](GIVEN.get(sys.argv[1], int)(1))
    for size in STACKS:
        for levels in DEPTHS:
            print(size, levels, outcome(sys.argv[1], size, levels), sep="\t")

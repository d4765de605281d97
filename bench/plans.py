"""What a measurement consists of: rows to time, in a plan for one operation on one data set.

Owns the shapes that `operations` and `typed` fill and `run` measures. Knows no library by name. A
row's call takes one argument: the same one every time, or a fresh one each (made outside the
sample) where the call changes it or may be done only once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from bench.data import Dataset
from bench.libraries import AbsentError, Library, open_library

Role = Literal["octad", "peer", "floor"]


@dataclass(frozen=True)
class Row:
    """One line of a table: what is called, on what, and how its result is checked.

    With `once` a sample is a single call, since a second one would find nothing to do.
    """

    label: str
    role: Role
    call: Callable[[Any], object]
    check: Callable[[], bool]
    argument: Any = None
    fresh: Callable[[], Any] | None = None
    once: bool = False


@dataclass
class Plan:
    """All rows of one operation on one data set; times are divided by `units`.

    `size` is the bytes read or written by a call, None where bytes per second say nothing.
    """

    operation: str
    dataset: Dataset
    rows: list[Row] = field(default_factory=list)
    absent: dict[str, str] = field(default_factory=dict)
    units: int = 1
    size: int | None = None


@dataclass(frozen=True)
class Operation:
    """A named operation; `fill` adds the rows of one library to a plan."""

    name: str
    title: str
    datasets: tuple[str, ...]
    fill: Callable[[Plan, Library], None]
    unit: str = "call"
    finish: Callable[[Plan], None] = lambda plan: None


def plan(operation: Operation, dataset: Dataset, libraries: Iterable[str]) -> Plan:
    """The rows of `operation` on `dataset` for the libraries that have it."""
    made = Plan(operation.name, dataset, size=len(dataset.text))
    for name in libraries:
        try:
            operation.fill(made, open_library(name))
        except AbsentError as error:
            made.absent[name] = str(error)
    operation.finish(made)
    return made


def role(library: Library) -> Role:
    """Whether its row is octad's or that of a peer."""
    return "peer" if library.peer else "octad"


def right() -> bool:
    """The check of a row whose result is not compared with anything."""
    return True

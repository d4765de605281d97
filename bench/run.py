"""The measurement: one cell (operation, data set) after another, each in a fresh process.

Owns the method; what is called comes from `operations`, what becomes of the times from `figures`.
Per round every row is sampled once, in shuffled order; a sample repeats the call for about 3 ms of
CPU time and includes freeing the results. The collector stays on, with the start-up heap frozen.
Nothing is timed before its result has been checked.
"""

from __future__ import annotations

import gc
import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import repeat
from typing import Any

from bench import data, figures, memory
from bench.operations import OPERATIONS
from bench.plans import Plan, Role, Row, plan

FEWEST_ROUNDS = 5
# Making fresh arguments may take this many times the sample itself; beyond it, fewer calls.
_FRESH_SHARE = 8


@dataclass(frozen=True)
class Effort:
    """How much to measure: at most `rounds` rounds and about `seconds` of them per cell."""

    rounds: int = 40
    seconds: float = 4.0
    sample_ms: float = 3.0


QUICK = Effort(rounds=5, seconds=0.5, sample_ms=0.5)


@dataclass
class RowResult:
    """The figures of one row; times in nanoseconds per unit. No figures where it failed."""

    label: str
    role: Role
    ok: bool
    problem: str | None = None
    median: float | None = None
    minimum: float | None = None
    calls: int | None = None
    against_best: figures.Quotient | None = None
    against_octad: figures.Quotient | None = None
    times: list[float] = field(default_factory=list)


@dataclass
class Cell:
    """One operation on one data set."""

    operation: str
    dataset: str
    unit: str
    size: int | None
    rounds: int
    best_peer: str | None
    rows: list[RowResult]
    absent: dict[str, str]


def clock() -> tuple[str, Callable[[], int]]:
    """The clock of the samples: CPU time of all threads, or wall time where that is too coarse."""
    steps = []
    for _ in range(3):
        before = now = time.process_time_ns()
        while now == before:
            now = time.process_time_ns()
        steps.append(now - before)
    if min(steps) > 50_000:
        return "wall time", time.perf_counter_ns
    return "CPU time of all threads", time.process_time_ns


def measure(made: Plan, effort: Effort) -> Cell:
    """Check every row, then time those that are right."""
    results = {row.label: _checked(row) for row in made.rows}
    rows = [row for row in made.rows if results[row.label].ok]
    _, now = clock()
    gc.collect()
    gc.freeze()
    try:
        times = _rounds(rows, effort, now, made.units, results)
    finally:
        gc.unfreeze()
    _fill(results, times)
    operation = OPERATIONS[made.operation]
    roles = {row.label: row.role for row in rows}
    return Cell(
        operation=made.operation,
        dataset=made.dataset.name,
        unit=operation.unit,
        size=made.size,
        rounds=min((len(column) for column in times.values()), default=0),
        best_peer=figures.fastest(times, [name for name in times if roles[name] == "peer"]),
        rows=list(results.values()),
        absent=made.absent,
    )


def _checked(row: Row) -> RowResult:
    try:
        problem = None if row.check() else "the result differs from the standard library's"
    except Exception as error:  # a library may fail in any way; the table says how
        problem = f"{type(error).__name__}: {str(error)[:120]}"
    return RowResult(row.label, row.role, ok=problem is None, problem=problem)


def _rounds(
    rows: Sequence[Row],
    effort: Effort,
    now: Callable[[], int],
    units: int,
    results: dict[str, RowResult],
) -> dict[str, list[float]]:
    target = int(effort.sample_ms * 1e6)
    for row in rows:
        results[row.label].calls = _calls(row, target, now)
    times: dict[str, list[float]] = {row.label: [] for row in rows}
    dice = random.Random(0)
    order = list(rows)
    end = time.monotonic() + effort.seconds
    for done in range(effort.rounds):
        if done >= min(FEWEST_ROUNDS, effort.rounds) and time.monotonic() > end:
            break
        dice.shuffle(order)
        for row in order:
            calls = results[row.label].calls or 1
            gc.collect()
            times[row.label].append(_sample(row, calls, now) / calls / units)
    return times


def _sample(row: Row, calls: int, now: Callable[[], int]) -> int:
    """The time of `calls` calls, at least 1 ns; results are freed inside, arguments outside."""
    call = row.call
    if row.fresh is not None:
        arguments = [row.fresh() for _ in range(calls)]
        start = now()
        for argument in arguments:
            call(argument)
        return max(1, now() - start)
    argument = row.argument
    start = now()
    for _ in repeat(None, calls):
        call(argument)
    return max(1, now() - start)


def _calls(row: Row, target: int, now: Callable[[], int]) -> int:
    """How many calls make a sample of about `target` ns."""
    if row.once:
        return 1
    calls = 1
    while True:
        begin = time.perf_counter_ns()
        took = _sample(row, calls, now)
        whole = time.perf_counter_ns() - begin
        if took * 2 >= target or whole >= target * _FRESH_SHARE:
            break
        calls *= 2
    wanted = round(target / (took / calls))
    if row.fresh is not None:
        wanted = min(wanted, round(target * _FRESH_SHARE / (whole / calls)))
    return max(1, wanted)


def _fill(results: dict[str, RowResult], times: dict[str, list[float]]) -> None:
    roles = {label: results[label].role for label in times}
    best = figures.fastest(times, [label for label in times if roles[label] == "peer"])
    own = next((label for label in times if roles[label] == "octad"), None)
    for label, column in times.items():
        row = results[label]
        row.times = [round(one, 1) for one in column]
        row.median = statistics.median(column)
        row.minimum = min(column)
        if best is not None:
            row.against_best = figures.quotient(column, times[best])
        if own is not None:
            row.against_octad = figures.quotient(column, times[own])


# --- cells in processes of their own ---


@dataclass(frozen=True)
class Task:
    """What one process measures."""

    operation: str
    dataset: str
    libraries: tuple[str, ...]
    effort: Effort
    again: str | None = None


def tasks(
    operations: Sequence[str],
    datasets: Sequence[str] | None,
    libraries: Sequence[str],
    effort: Effort,
    again: str | None = None,
) -> list[Task]:
    """Every (operation, data set) that there is, of those asked for."""
    wanted = []
    for name in operations:
        has = (memory.MEASURES.get(name) or OPERATIONS[name]).datasets
        wanted += [
            Task(name, dataset, tuple(libraries), effort, again)
            for dataset in has
            if datasets is None or dataset in datasets
        ]
    return wanted


def perform(task: Task) -> dict[str, Any]:
    """Measure one cell in this process; the result is ready for JSON."""
    try:
        dataset = data.load(task.dataset)
    except data.MissingDataError as error:
        return {"operation": task.operation, "dataset": task.dataset, "missing": str(error)}
    if task.operation in memory.MEASURES:
        return memory.MEASURES[task.operation].measure(dataset, task.libraries)
    made = plan(OPERATIONS[task.operation], dataset, task.libraries)
    made.rows += [
        replace(row, label=f"{row.label} (again)", role="floor")
        for row in made.rows
        if row.label == task.again
    ]
    return asdict(measure(made, task.effort))


def perform_apart(task: Task) -> dict[str, Any]:
    """Measure one cell in a fresh process."""
    done = subprocess.run(
        [sys.executable, "-m", "bench", "cell", json.dumps(asdict(task))],
        cwd=data.ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        return {
            "operation": task.operation,
            "dataset": task.dataset,
            "missing": f"the process ended with status {done.returncode}",
            "failed": True,
        }
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def task_from(text: str) -> Task:
    """The inverse of what `perform_apart` passes."""
    given = json.loads(text)
    return Task(
        given["operation"],
        given["dataset"],
        tuple(given["libraries"]),
        Effort(**given["effort"]),
        given["again"],
    )


def run(wanted: Sequence[Task]) -> Iterator[dict[str, Any]]:
    """The cells of `wanted` one after another, with a line of progress each on stderr."""
    for number, task in enumerate(wanted, 1):
        print(
            f"[{number}/{len(wanted)}] {task.operation} {task.dataset}",
            file=sys.stderr,
            flush=True,
        )
        yield perform_apart(task)


def mismatches(cells: Sequence[dict[str, Any]]) -> list[str]:
    """One line for every wrong result and every cell that could not be measured at all."""
    lines = []
    for cell in cells:
        where = f"{cell['operation']} {cell['dataset']}"
        if cell.get("failed"):
            lines.append(f"{where}: {cell['missing']}")
        lines += [
            f"{where}, {row['label']}: {row['problem']}"
            for row in cell.get("rows", ())
            if not row["ok"]
        ]
    return lines

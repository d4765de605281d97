"""The operations: for each, which data sets it runs on and what every library does in it.

Turns (operation, data set, libraries) into a `Plan`: rows to time, each with its own check against
the standard library, and the libraries that are absent with the reason. Times nothing itself. A
row's call takes one argument: the same one every time, or a fresh one each (made outside the
sample) where the call changes it or may be done only once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from bench.data import Dataset
from bench.equality import reads_back, same, standard_loads
from bench.generated import compact
from bench.libraries import AbsentError, Library, Reader, Writer, open_library
from bench.nested import THREE_FIELDS

Role = Literal["octad", "peer", "floor"]


@dataclass(frozen=True)
class Row:
    """One line of a table: what is called, on what, and how its result is checked."""

    label: str
    role: Role
    call: Callable[[Any], object]
    check: Callable[[], bool]
    argument: Any = None
    fresh: Callable[[], Any] | None = None


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


def _role(library: Library) -> Role:
    return "peer" if library.peer else "octad"


def _reader(library: Library, dataset: Dataset) -> Reader:
    return library.loads_decimal() if dataset.decimal else library.loads()


def _writer(library: Library, dataset: Dataset) -> Writer:
    return library.dumps_decimal() if dataset.decimal else library.dumps()


# --- reading and writing ---


def _loads(plan: Plan, library: Library) -> None:
    data = plan.dataset
    read = _reader(library, data)

    def check() -> bool:
        return same(read(data.text), standard_loads(data.text, decimal=data.decimal))

    plan.rows.append(Row(library.name, _role(library), read, check, argument=data.text))


def _loads_floor(plan: Plan) -> None:
    plan.rows.append(Row("bytes.decode", "floor", bytes.decode, _right, argument=plan.dataset.text))


def _right() -> bool:
    return True


def _write_row(library: Library, data: Dataset, value: Any, *, fresh: bool) -> Row:
    write = _writer(library, data)

    def check() -> bool:
        text = write(value)
        return type(text) is bytes and reads_back(text, value, decimal=data.decimal)

    def another() -> Any:
        return standard_loads(data.text, decimal=data.decimal)

    role = _role(library)
    if fresh:
        return Row(library.name, role, write, check, fresh=another)
    return Row(library.name, role, write, check, argument=value)


def _dumps(plan: Plan, library: Library) -> None:
    # One object for all rows, as a user who compares libraries has it. What a library leaves in
    # the strings of the object (cached UTF-8) helps the others too.
    if plan.rows:
        value = plan.rows[0].argument
    else:
        value = standard_loads(plan.dataset.text, decimal=plan.dataset.decimal)
    plan.rows.append(_write_row(library, plan.dataset, value, fresh=False))


def _written(plan: Plan) -> None:
    value = standard_loads(plan.dataset.text, decimal=plan.dataset.decimal)
    plan.size = len(compact(value))


def _dumps_fresh(plan: Plan, library: Library) -> None:
    data = plan.dataset
    value = standard_loads(data.text, decimal=data.decimal)
    plan.rows.append(_write_row(library, data, value, fresh=True))


def _dumps_own(plan: Plan, library: Library) -> None:
    value = _reader(library, plan.dataset)(plan.dataset.text)
    plan.rows.append(_write_row(library, plan.dataset, value, fresh=False))


# --- three nested fields ---


def _label(library: Library, note: str) -> str:
    return f"{library.name} ({note})" if note else library.name


def _lazy(plan: Plan, library: Library) -> None:
    data = plan.dataset
    read = THREE_FIELDS[data.name]
    expected = read(standard_loads(data.text, decimal=False))
    for note, call in library.open_and_read(data.name, read).items():

        def check(call: Reader = call) -> bool:
            return same(call(data.text), expected)

        label = _label(library, note)
        plan.rows.append(Row(label, _role(library), call, check, argument=data.text))


def _later_reads(plan: Plan, library: Library) -> None:
    if not library.is_lazy():
        raise AbsentError("keeps no open document")
    data = plan.dataset
    read = THREE_FIELDS[data.name]
    expected = read(standard_loads(data.text, decimal=False))
    for note, opener in library.lazy().items():
        doc = opener(data.text)

        def check(doc: Any = doc) -> bool:
            return same(read(doc), expected)

        plan.rows.append(Row(_label(library, note), _role(library), read, check, argument=doc))


def _later_reads_floor(plan: Plan) -> None:
    plan.units, plan.size = 3, None
    read = THREE_FIELDS[plan.dataset.name]
    value = standard_loads(plan.dataset.text, decimal=False)
    plan.rows.append(Row("plain dict", "floor", read, _right, argument=value))


# --- work on the dicts that loads gave ---

_ADDED = {"added key": None}


def _take(**fields: Any) -> Any:
    return fields


def _add(dicts: list[dict[str, Any]]) -> None:
    for one in dicts:
        one["added key"] = None


def _unpack(dicts: list[dict[str, Any]]) -> None:
    for one in dicts:
        _ = {**one}


def _dict_of(dicts: list[dict[str, Any]]) -> None:
    for one in dicts:
        dict(one)


def _copy(dicts: list[dict[str, Any]]) -> None:
    for one in dicts:
        one.copy()


def _call(dicts: list[dict[str, Any]]) -> None:
    for one in dicts:
        _take(**one)


def _merge(dicts: list[dict[str, Any]]) -> None:
    for one in dicts:
        _ = one | _ADDED


def _added(one: dict[str, Any]) -> dict[str, Any]:
    one["added key"] = None
    return one


# For each: the loop that is timed, and the same step with its result, for the check.
_DICT_WORK: Mapping[
    str, tuple[str, Callable[[list[dict[str, Any]]], None], Callable[[dict[str, Any]], Any]]
] = {
    "dict-add": ("`d[key] = value` with a new key", _add, _added),
    "dict-unpack": ("`{**d}`", _unpack, lambda one: {**one}),
    "dict-of": ("`dict(d)`", _dict_of, lambda one: dict(one)),
    "dict-copy": ("`d.copy()`", _copy, lambda one: one.copy()),
    "dict-call": ("`f(**d)`", _call, lambda one: _take(**one)),
    "dict-or": ("`d | other`", _merge, lambda one: one | _ADDED),
}
_MOST_DICTS = 5_000


def dicts_in(value: Any) -> list[dict[str, Any]]:
    """Every dict in `value`, outermost first, up to 5,000."""
    found: list[dict[str, Any]] = []
    left = [value]
    while left and len(found) < _MOST_DICTS:
        item = left.pop()
        if isinstance(item, dict):
            found.append(item)
            left.extend(item.values())
        elif isinstance(item, list):
            left.extend(reversed(item))
    return found


def _dict_work(plan: Plan, library: Library) -> None:
    data = plan.dataset
    read = _reader(library, data)
    _, loop, step = _DICT_WORK[plan.operation]

    def fresh() -> list[dict[str, Any]]:
        return dicts_in(read(data.text))

    def check() -> bool:
        expected = dicts_in(standard_loads(data.text, decimal=data.decimal))
        return same([step(one) for one in fresh()], [step(one) for one in expected])

    plan.rows.append(Row(library.name, _role(library), loop, check, fresh=fresh))


def _dict_units(plan: Plan) -> None:
    value = standard_loads(plan.dataset.text, decimal=plan.dataset.decimal)
    plan.units, plan.size = max(1, len(dicts_in(value))), None


_RECORDS = ("citm", "twitter", "github", "catalogue", "users-5000")
_BIG = (
    "canada", "citm", "twitter", "github", "mesh", "twitterescaped", "catalogue",
    "catalogue-decimal", "users-200", "users-5000", "users-20000",
)  # fmt: skip
_SMALL = ("small-80", "small-1k")

OPERATIONS: Mapping[str, Operation] = {
    operation.name: operation
    for operation in (
        Operation("loads", "bytes to Python objects", _BIG, _loads, finish=_loads_floor),
        Operation(
            "dumps", "the same object written again and again", _BIG, _dumps, finish=_written
        ),
        Operation(
            "dumps-fresh",
            "every object written once, fresh from json",
            _RECORDS,
            _dumps_fresh,
            finish=_written,
        ),
        Operation(
            "dumps-own",
            "what the library itself loaded, again and again",
            _RECORDS,
            _dumps_own,
            finish=_written,
        ),
        Operation("small-loads", "bytes to Python objects, small messages", _SMALL, _loads),
        Operation(
            "small-dumps",
            "the same small message written again and again",
            _SMALL,
            _dumps,
            finish=_written,
        ),
        Operation("lazy", "open and read three nested fields", tuple(THREE_FIELDS), _lazy),
        Operation(
            "reads",
            "a read of a nested field in an open document",
            tuple(THREE_FIELDS),
            _later_reads,
            unit="read",
            finish=_later_reads_floor,
        ),
        *(
            Operation(
                name,
                f"{title} on the dicts that loads made",
                ("github", "catalogue", "users-200"),
                _dict_work,
                unit="dict",
                finish=_dict_units,
            )
            for name, (title, _, _) in _DICT_WORK.items()
        ),
    )
}

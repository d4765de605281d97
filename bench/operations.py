"""The operations: for each, which data sets it runs on and what every library does in it.

Fills the plan of an operation with the rows of one library, each with its own check against the
standard library. Times nothing itself. Reading into classes and writing them stands in `typed`.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Mapping
from typing import Any

from bench import typed
from bench.data import Dataset
from bench.equality import reads_back, same, standard_loads
from bench.generated import compact
from bench.libraries import AbsentError, Library, Reader, Writer
from bench.nested import THREE_FIELDS
from bench.plans import Operation, Plan, Row, right, role
from bench.records import plain, records


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

    plan.rows.append(Row(library.name, role(library), read, check, argument=data.text))


def _loads_floor(plan: Plan) -> None:
    plan.rows.append(Row("bytes.decode", "floor", bytes.decode, right, argument=plan.dataset.text))


def _write_row(library: Library, data: Dataset, value: Any, *, fresh: bool) -> Row:
    write = _writer(library, data)

    def check() -> bool:
        text = write(value)
        return type(text) is bytes and reads_back(text, value, decimal=data.decimal)

    def another() -> Any:
        return standard_loads(data.text, decimal=data.decimal)

    own = role(library)
    if fresh:
        return Row(library.name, own, write, check, fresh=another)
    return Row(library.name, own, write, check, argument=value)


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


# --- records in place of dicts ---


def _dumps_records(plan: Plan, library: Library) -> None:
    data = plan.dataset
    value = standard_loads(data.text, decimal=data.decimal)
    made = records(value, plan.operation.removeprefix("dumps-"))
    write = _writer(library, data)
    if library.peer:
        try:
            write(made)
        except Exception as error:  # it says in its own way that it does not know the type
            raise AbsentError(f"cannot write them ({type(error).__name__})") from None

    def check() -> bool:
        return reads_back(write(made), plain(made), decimal=data.decimal)

    plan.rows.append(Row(library.name, role(library), write, check, argument=made))
    if not library.peer:

        def check_dicts() -> bool:
            return reads_back(write(value), value, decimal=data.decimal)

        label = f"{library.name} (dicts)"
        plan.rows.append(Row(label, "floor", write, check_dicts, argument=value))


def _records_written(plan: Plan) -> None:
    value = standard_loads(plan.dataset.text, decimal=plan.dataset.decimal)
    plan.size = len(compact(plain(records(value, plan.operation.removeprefix("dumps-")))))


# --- the collector ---


def _loads_collect(plan: Plan, library: Library) -> None:
    data = plan.dataset
    read = _reader(library, data)

    def call(text: bytes) -> Any:
        value = read(text)
        gc.collect(0)
        return value

    def check() -> bool:
        return same(call(data.text), standard_loads(data.text, decimal=data.decimal))

    plan.rows.append(Row(library.name, role(library), call, check, argument=data.text))


def _no_size(plan: Plan) -> None:
    plan.size = None


def _collect(plan: Plan, library: Library) -> None:
    data = plan.dataset
    read = _reader(library, data)

    def fresh() -> Any:
        return read(data.text)

    def call(held: Any) -> None:
        gc.collect(0)

    def check() -> bool:
        held = fresh()
        call(held)
        return same(held, standard_loads(data.text, decimal=data.decimal))

    plan.rows.append(Row(library.name, role(library), call, check, fresh=fresh, once=True))


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
        plan.rows.append(Row(label, role(library), call, check, argument=data.text))


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

        plan.rows.append(Row(_label(library, note), role(library), read, check, argument=doc))


def _later_reads_floor(plan: Plan) -> None:
    plan.units, plan.size = 3, None
    read = THREE_FIELDS[plan.dataset.name]
    value = standard_loads(plan.dataset.text, decimal=False)
    plan.rows.append(Row("plain dict", "floor", read, right, argument=value))


# --- work on the dicts that loads gave ---

_ADDED = {"added key": None}

# One dict, and its keys as a program has them: equal and interned, not the very same objects.
Case = tuple[dict[str, Any], tuple[str, ...]]


def _take(**fields: Any) -> Any:
    return fields


def _add(cases: list[Case]) -> None:
    for one, _ in cases:
        one["added key"] = None


def _set(cases: list[Case]) -> None:
    for one, keys in cases:
        one[keys[-1]] = None


def _pop(cases: list[Case]) -> None:
    for one, keys in cases:
        one.pop(keys[len(keys) // 2])


def _look_up(cases: list[Case]) -> None:
    for one, keys in cases:
        for key in keys:
            one[key]


def _iterate(cases: list[Case]) -> None:
    for one, _ in cases:
        for _key, _value in one.items():
            pass


def _unpack(cases: list[Case]) -> None:
    for one, _ in cases:
        _ = {**one}


def _dict_of(cases: list[Case]) -> None:
    for one, _ in cases:
        dict(one)


def _copy(cases: list[Case]) -> None:
    for one, _ in cases:
        one.copy()


def _call(cases: list[Case]) -> None:
    for one, _ in cases:
        _take(**one)


def _merge(cases: list[Case]) -> None:
    for one, _ in cases:
        _ = one | _ADDED


def _update(cases: list[Case]) -> None:
    for one, _ in cases:
        one.update(_ADDED)


def _left(loop: Callable[[list[Case]], None]) -> Callable[[Case], Any]:
    """What the dict is after the step of `loop`."""

    def step(case: Case) -> Any:
        loop([case])
        return case[0]

    return step


# For each: the loop that is timed, and the same step with its result, for the check.
_DICT_WORK: Mapping[str, tuple[str, Callable[[list[Case]], None], Callable[[Case], Any]]] = {
    "dict-add": ("`d[key] = value` with a new key", _add, _left(_add)),
    "dict-set": ("`d[key] = value` with the last key", _set, _left(_set)),
    "dict-pop": ("`d.pop(key)` of a key in the middle", _pop, _left(_pop)),
    "dict-get": ("`d[key]` for every key", _look_up, lambda case: [case[0][k] for k in case[1]]),
    "dict-iter": ("`for key, value in d.items()`", _iterate, lambda case: list(case[0].items())),
    "dict-unpack": ("`{**d}`", _unpack, lambda case: {**case[0]}),
    "dict-of": ("`dict(d)`", _dict_of, lambda case: dict(case[0])),
    "dict-copy": ("`d.copy()`", _copy, lambda case: case[0].copy()),
    "dict-call": ("`f(**d)`", _call, lambda case: _take(**case[0])),
    "dict-or": ("`d | other`", _merge, lambda case: case[0] | _ADDED),
    "dict-update": ("`d.update(other)`", _update, _left(_update)),
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


def _cases(value: Any) -> list[Case]:
    """The dicts in `value` that are not empty, with their keys; equal shapes share them."""
    shared: dict[tuple[str, ...], tuple[str, ...]] = {}
    found = []
    for one in dicts_in(value):
        if shape := tuple(one):
            keys = shared.setdefault(shape, tuple(sys.intern("".join(list(key))) for key in shape))
            found.append((one, keys))
    return found


def _dict_work(plan: Plan, library: Library) -> None:
    data = plan.dataset
    read = _reader(library, data)
    _, loop, step = _DICT_WORK[plan.operation]

    def fresh() -> list[Case]:
        return _cases(read(data.text))

    def check() -> bool:
        expected = _cases(standard_loads(data.text, decimal=data.decimal))
        return same([step(one) for one in fresh()], [step(one) for one in expected])

    plan.rows.append(Row(library.name, role(library), loop, check, fresh=fresh))


def _dict_units(plan: Plan) -> None:
    value = standard_loads(plan.dataset.text, decimal=plan.dataset.decimal)
    plan.units, plan.size = max(1, len(_cases(value))), None


_RECORDS = ("citm", "twitter", "github", "catalogue", "users-5000")
_BIG = (
    "canada", "citm", "twitter", "github", "mesh", "twitterescaped", "catalogue",
    "catalogue-decimal", "users-200", "users-5000", "users-20000",
)  # fmt: skip
_SMALL = ("small-80", "small-1k")
_TYPED = ("catalogue", "users-200", "users-5000")
_HELD = ("canada", "citm", "twitter", "catalogue", "users-5000")

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
        Operation(
            "dumps-dataclass",
            "the same dataclasses written again and again",
            _TYPED,
            _dumps_records,
            finish=_records_written,
        ),
        Operation(
            "dumps-slots",
            "the same dataclasses with slots written again and again",
            _TYPED,
            _dumps_records,
            finish=_records_written,
        ),
        Operation(
            "dumps-namedtuple",
            "the same named tuples written again and again",
            _TYPED,
            _dumps_records,
            finish=_records_written,
        ),
        Operation("small-loads", "bytes to Python objects, small messages", _SMALL, _loads),
        Operation(
            "small-dumps",
            "the same small message written again and again",
            _SMALL,
            _dumps,
            finish=_written,
        ),
        Operation(
            "small-dumps-fresh",
            "every small message written once, fresh from json",
            _SMALL,
            _dumps_fresh,
            finish=_written,
        ),
        Operation(
            "loads-collect",
            "bytes to Python objects, and the next pass over the youngest generation",
            _HELD,
            _loads_collect,
        ),
        Operation(
            "collect",
            "the next pass over the youngest generation, after a loads whose result is kept",
            _HELD,
            _collect,
            finish=_no_size,
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
        *typed.OPERATIONS,
    )
}

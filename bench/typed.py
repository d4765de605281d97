"""The operations on classes: a text into instances, instances into a text, a type into a plan.

Fills plans for `operations`, which has all others. The classes are those of `schemas`, made of the
same schema for every library. What is read is compared with instances made by hand, what is
written is read by the standard library and made into instances again.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

from bench import schemas
from bench.data import Dataset
from bench.equality import same, standard_loads
from bench.generated import PARTS
from bench.libraries import AbsentError, Library
from bench.plans import Operation, Plan, Row, role
from bench.schemas import Kind, Model

DATASETS = ("twitter", "citm", "catalogue", "users-200", "users-5000")
# The classes that only one library brings along.
STRUCT = "msgspec"


@functools.lru_cache(maxsize=1)
def _document(dataset: Dataset) -> Any:
    """One object for all rows, so that all instances hold the same strings."""
    return standard_loads(dataset.text, decimal=False)


@functools.lru_cache(maxsize=3)
def model(dataset: Dataset, kind: Kind) -> Model:
    """The classes for a data set."""
    return Model(schemas.infer(_document(dataset)), kind)


@functools.lru_cache(maxsize=2)
def _made(dataset: Dataset, kind: Kind) -> Any:
    return model(dataset, kind).make(_document(dataset))


def _kinds(operation: str, library: Library) -> list[tuple[str, Kind]]:
    """Labels of rows and the classes in them."""
    kind: Kind = "slots" if operation.endswith("slots") else "dataclass"
    rows: list[tuple[str, Kind]] = [(library.name, kind)]
    if library.name == STRUCT:
        rows.append((f"{library.name} (struct)", "struct"))
    return rows


def _loads(plan: Plan, library: Library) -> None:
    data = plan.dataset
    for label, kind in _kinds(plan.operation, library):
        made = model(data, kind)
        read = library.loads_into(made.document)

        def check(
            made: Model = made, read: Callable[[bytes], Any] = read, kind: Kind = kind
        ) -> bool:
            return same(made.plain(read(data.text)), made.plain(_made(data, kind)))

        own = role(library) if label == library.name else "floor"
        plan.rows.append(Row(label, own, read, check, argument=data.text))


def _dumps(plan: Plan, library: Library) -> None:
    data = plan.dataset
    write = library.dumps()
    for label, kind in _kinds(plan.operation, library):
        made, value = model(data, kind), _made(data, kind)
        if library.peer:
            try:
                write(value)
            except Exception as error:  # it says in its own way that it does not know the type
                raise AbsentError(f"cannot write them ({type(error).__name__})") from None

        def check(made: Model = made, value: Any = value) -> bool:
            text = write(value)
            again = made.make(standard_loads(text, decimal=False))
            return type(text) is bytes and same(made.plain(again), made.plain(value))

        own = role(library) if label == library.name else "floor"
        plan.rows.append(Row(label, own, write, check, argument=value))


def _written(plan: Plan) -> None:
    plan.size = None if not plan.rows else len(plan.rows[0].call(plan.rows[0].argument))


# --- plans ---


def _build(plan: Plan, library: Library) -> None:
    """From classes that nobody has seen to the first instance."""
    text = plan.dataset.text
    library.loads_into(int)  # says what is absent
    # The annotations of a fresh model are types in one row, text in the other.
    rows = {library.name: False, f"{library.name} (text)": True}
    for label, as_text in rows.items():
        lines = compile(
            schemas.parts_source(PARTS, as_text=as_text), "<parts>", "exec", dont_inherit=True
        )

        def call(module: ModuleType) -> Any:
            return library.loads_into(module.Part0)(text)

        def fresh(lines: Any = lines) -> ModuleType:
            return schemas.run(lines)

        def check(fresh: Callable[[], ModuleType] = fresh) -> bool:
            module = fresh()
            return same(_tree(call(module), module), _document(plan.dataset))

        own = role(library) if label == library.name else "floor"
        plan.rows.append(Row(label, own, call, check, fresh=fresh, once=True))
    plan.size = None


def _tree(part: Any, module: ModuleType) -> Any:
    """The fields of a tree of parts as JSON has them, after a look at the classes."""
    if part is None:
        return None
    if type(part) is not getattr(module, f"Part{part.number}") or type(part.place) is not tuple:
        return part
    children = {"left": _tree(part.left, module), "right": _tree(part.right, module)}
    fields = {**vars(part), "made": part.made.isoformat(), "place": list(part.place)}
    return fields | children


_TITLES: Mapping[Kind, str] = {
    "dataclass": "plain dataclasses",
    "slots": "dataclasses with slots",
}

OPERATIONS: tuple[Operation, ...] = (
    *(
        Operation(f"typed-loads-{kind}", f"bytes to instances of {title}", DATASETS, _loads)
        for kind, title in _TITLES.items()
    ),
    *(
        Operation(
            f"typed-dumps-{kind}",
            f"the same instances of {title} written again and again",
            DATASETS,
            _dumps,
            finish=_written,
        )
        for kind, title in _TITLES.items()
    ),
    Operation(
        "typed-plan",
        "200 classes never seen before: the plan of their type, and one text read with it",
        ("parts-200",),
        _build,
    ),
)

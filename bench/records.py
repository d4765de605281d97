"""Records in place of dicts: the same document as dataclasses or named tuples.

A dict becomes a record where its keys can be field names and the document has its shape at least
twenty times; the others stay dicts (a map of changing keys is no record). Knows nothing of
libraries or timing.
"""

from __future__ import annotations

import dataclasses
import keyword
from collections import Counter, namedtuple
from collections.abc import Callable, Mapping
from typing import Any

_OFTEN = 20

Shape = tuple[str, ...]
Make = Callable[[str, Shape], Callable[..., Any]]


def _dataclass(name: str, shape: Shape) -> Callable[..., Any]:
    return dataclasses.make_dataclass(name, shape)


def _slots(name: str, shape: Shape) -> Callable[..., Any]:
    return dataclasses.make_dataclass(name, shape, slots=True)


def _named_tuple(name: str, shape: Shape) -> Callable[..., Any]:
    return namedtuple(name, shape)


KINDS: Mapping[str, Make] = {
    "dataclass": _dataclass,
    "slots": _slots,
    "namedtuple": _named_tuple,
}


def _shapes(value: Any) -> list[Shape]:
    found: Counter[Shape] = Counter()
    left = [value]
    while left:
        item = left.pop()
        if isinstance(item, dict):
            found[tuple(item)] += 1
            left += item.values()
        elif isinstance(item, list):
            left += item
    return [shape for shape, times in found.items() if times >= _OFTEN and _are_names(shape)]


def _are_names(shape: Shape) -> bool:
    return bool(shape) and all(
        key.isidentifier() and not keyword.iskeyword(key) and not key.startswith("_")
        for key in shape
    )


def records(value: Any, kind: str) -> Any:
    """`value` with records of `kind` in place of the dicts that are records."""
    made = {
        shape: KINDS[kind](f"Record{number}", shape)
        for number, shape in enumerate(_shapes(value), 1)
    }

    def convert(item: Any) -> Any:
        if isinstance(item, list):
            return [convert(one) for one in item]
        if not isinstance(item, dict):
            return item
        record = made.get(tuple(item))
        if record is None:
            return {key: convert(one) for key, one in item.items()}
        return record(*[convert(one) for one in item.values()])

    return convert(value)


def plain(value: Any) -> Any:
    """What JSON makes of records: objects of dataclasses, arrays of named tuples."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if dataclasses.is_dataclass(value):
        return {one.name: plain(getattr(value, one.name)) for one in dataclasses.fields(value)}
    return value

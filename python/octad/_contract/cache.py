"""The cache of plans: bounded, by equality of type and settings.

A race costs time, not correctness: plans are made of immutable parts, and whichever is stored last
is as good as the other. Contracts that change empty it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

SIZE = 1024
_plans: dict[Hashable, Any] = {}
# Called when contracts change, by those who keep answers of their own.
watchers: list[Callable[[], None]] = []


def kept(key: Hashable, make: Callable[[], Any]) -> Any:
    """The value of a key, made where there is none. What is looked up least recently goes first."""
    found = _plans.get(key)
    if found is None:
        found = make()
        while len(_plans) >= SIZE:
            try:
                del _plans[next(iter(_plans))]
            except (KeyError, RuntimeError, StopIteration):
                break
        _plans[key] = found
    return found


def forget() -> None:
    """Empties the cache: a contract has changed."""
    _plans.clear()
    for watcher in watchers:
        watcher()

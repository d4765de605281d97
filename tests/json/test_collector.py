"""The cyclic collector while objects are made: held, let go again, or left alone.

Owns the collector's setting and state around a load; what is loaded is tested elsewhere.
"""

from __future__ import annotations

import gc
import sys
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import octad
import pytest
from octad import json

from tests.support import error_of

TEXT = b"[" + b",".join(b'{"a": [1, {"b": []}], "c": {"d": null}}' for _ in range(3000)) + b"]"
FREE = octad.Settings(hold_collector=False)
LOADS: list[Callable[..., Any]] = [
    json.loads,
    json.Decoder().loads,
    lambda text, **options: json.parse(text, **options).to_python(),
]


@pytest.fixture(autouse=True)
def _usual_collector() -> Iterator[None]:
    """The collector as a user has it, and empty generations."""
    assert gc.isenabled()
    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    gc.collect()
    yield
    gc.set_threshold(*before)
    gc.enable()


def passes(call: Callable[[], Any]) -> tuple[int, Any]:
    """How many collections start during a call, and its result."""
    started: list[int] = []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            started.append(info["generation"])

    gc.callbacks.append(note)
    try:
        result = call()
        count = len(started)
    finally:
        gc.callbacks.remove(note)
    return count, result


@pytest.mark.parametrize("loads", LOADS)
def test_no_collection_starts_while_it_is_held(loads: Callable[..., Any]) -> None:
    json.loads(TEXT), gc.collect()
    count, value = passes(lambda: loads(TEXT))
    # From 3.12 on the interpreter itself waits, and one pass may start when the call is over.
    assert count <= (sys.version_info >= (3, 12))
    assert len(value) == 3000


@pytest.mark.parametrize("loads", [json.loads, json.Decoder(settings=FREE).loads, LOADS[2]])
def test_a_setting_lets_collections_start(loads: Callable[..., Any]) -> None:
    options: dict[str, Any] = {} if "Decoder" in str(loads) else {"settings": FREE}
    count, value = passes(lambda: loads(TEXT, **options))
    if sys.version_info < (3, 12):
        assert count > 3
    assert value == json.loads(TEXT)


def test_the_pass_that_was_put_off_comes_with_the_next_containers() -> None:
    count, (value, _) = passes(lambda: (json.loads(TEXT), [[] for _ in range(50)]))
    assert count == 1
    assert len(value) == 3000


@pytest.mark.parametrize("settings", [None, FREE])
@pytest.mark.parametrize("on", [True, False])
def test_the_state_comes_back(settings: octad.Settings | None, on: bool) -> None:
    if not on:
        gc.disable()
    json.loads(TEXT, settings=settings)
    assert gc.isenabled() is on
    error_of(json.loads, TEXT[:-1], settings=settings)
    assert gc.isenabled() is on
    error_of(json.loads, b"[1e999]", settings=settings)
    error_of(json.Decoder(surrogates="error").loads, b'["\\ud800"]')
    assert gc.isenabled() is on


def test_code_that_runs_in_a_collection_may_load() -> None:
    """With the collector let go, a finaliser runs amid a load and loads itself."""
    seen: list[Any] = []

    class Cycle:
        def __init__(self) -> None:
            self.self = self

        def __del__(self) -> None:
            seen.append(json.loads(TEXT[:40] + b"]", settings=FREE))

    for _ in range(20):
        watch = weakref.ref(Cycle())
        value = json.loads(TEXT, settings=FREE)
        gc.collect()
        assert watch() is None
        assert value == json.loads(TEXT)
    assert seen == [[{"a": [1, {"b": []}], "c": {"d": None}}]] * 20


def test_the_setting_is_a_bool() -> None:
    assert octad.Settings().hold_collector is True
    with pytest.raises(TypeError, match="hold_collector: expected a bool"):
        octad.Settings(hold_collector=1)  # type: ignore[arg-type]

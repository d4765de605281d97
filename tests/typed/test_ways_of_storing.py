"""How instances get their fields: where CPython keeps them if that is known, else by calls."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from typing import Any

import pytest
from octad import _core, json

from tests.typed.plans import INT, plan, record

OFF = os.environ.get("OCTAD_PUBLIC_API") == "1"
DIRECT = sys.version_info[:3] == (3, 11, 7) and not hasattr(sys, "gettotalrefcount") and not OFF


def way(cls: Any, names: list[str], times: int = 3) -> str:
    """How the instances of a class are made in the end."""
    made = plan(record(cls, *((name, 1) for name in names)), INT)
    assert isinstance(made, _core.Plan)
    assert made.ways == [(0, "unknown")]
    text = "{" + ",".join(f'"{name}":{number}' for number, name in enumerate(names)) + "}"
    for _ in range(times):
        assert json.loads(text, made) == cls(*range(len(names)))
    ((node, found),) = made.ways
    assert node == 0
    return found


def made_class(names: list[str], **options: Any) -> Any:
    return dataclasses.make_dataclass("Made", names, **options)


FEW = ["b", "a", "c"]
MANY = [f"field{number}" for number in range(40)]


@pytest.mark.parametrize(
    ("names", "options", "expected"),
    [
        (FEW, {"slots": True}, "slots"),
        (MANY, {"slots": True}, "slots"),
        (FEW, {"slots": True, "frozen": True}, "slots"),
        (FEW, {}, "values"),
        (FEW, {"frozen": True}, "values"),
        (MANY, {}, "dict"),
    ],
)
def test_fields_go_straight_to_their_places(
    names: list[str], options: dict[str, Any], expected: str
) -> None:
    found = way(made_class(names, **options), names)
    if expected == "dict" and os.environ.get("OCTAD_SHARED_KEYS") == "0":
        expected = "calls"
    assert found == (expected if DIRECT else "unknown")


def test_a_class_with_a_say_is_asked() -> None:
    @dataclasses.dataclass
    class Told:
        a: int

        def __setattr__(self, name: str, value: object) -> None:
            object.__setattr__(self, name, value)

    @dataclasses.dataclass
    class Described:
        a: int

    value = json.loads('{"a":1}', Told)
    assert value == Told(1)
    Described.a = property(lambda self: 7, lambda self, value: None)  # type: ignore[assignment]
    made = plan(record(Described, ("a", 1)), INT)
    for _ in range(3):
        assert json.loads('{"a":1}', made).a == 7
    assert made.ways == [(0, "calls" if DIRECT else "unknown")]


def test_a_class_that_changes_is_learnt_again() -> None:
    cls = made_class(FEW)
    made = plan(record(cls, *((name, 1) for name in FEW)), INT)
    text = '{"a":1,"b":2,"c":3}'
    for change in (None, "b", None):
        if change:
            setattr(cls, change, property(lambda self: "own", lambda self, value: None))
        for _ in range(3):
            assert json.loads(text, made).b == ("own" if "b" in vars(cls) else 2)
    del cls.b
    for _ in range(3):
        assert json.loads(text, made).b == 2
    assert made.ways == [(0, "values" if DIRECT else "unknown")]


@pytest.mark.skipif(OFF, reason="is switched off already")
def test_all_of_it_can_be_switched_off() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__],
        env={**os.environ, "OCTAD_PUBLIC_API": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout

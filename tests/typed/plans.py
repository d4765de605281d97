"""Plans made by hand: the runner tested without the compiler that makes plans of types.

Owns how a test spells a plan and asks it; the questions stand in the `test_run_*` files.
"""

from __future__ import annotations

from typing import Any

import octad
import pytest
from octad import json
from octad._core import Plan

Node = tuple[Any, ...]


def plan(*nodes: Node) -> Any:
    """A plan of these nodes; the first is the root. (`Any`, so that it can stand for a type.)"""
    return Plan(nodes)


def read(data: Any, *nodes: Node, **options: Any) -> Any:
    """What a plan makes of a text, by every door: all of them must agree."""
    made = plan(*nodes)
    value = json.loads(data, made, **options)
    if not options:
        assert json.check(data, made) == []
        for other in (json.Decoder(made).loads(data), json.parse(data).to(made)):
            assert type(other) is type(value)
            assert (
                repr(other) == repr(value) or "object at" in repr(value) or "memory" in repr(value)
            )
    return value


def refused(data: Any, *nodes: Node, **options: Any) -> octad.ValidationError:
    """The error of a plan that does not fit; `check` and documents must find the same."""
    made = plan(*nodes)
    with pytest.raises(octad.ValidationError) as caught:
        json.loads(data, made, **options)
    found = caught.value
    problems = json.check(data, made, **options)
    assert problems
    same = [one for one in problems if (one.code, one.path) == (found.code, found.path)]
    assert same, problems
    assert same[0].message == found.message
    assert (same[0].line, same[0].column) == (found.line, found.column)
    assert (same[0].expected, same[0].found) == (found.expected, found.found)
    if not options:
        with pytest.raises(octad.ValidationError) as again:
            json.parse(data).to(made)
        other = again.value
        assert (other.code, other.path, other.message) == (found.code, found.path, found.message)
    return found


def record(cls: type | None, *fields: tuple[Any, ...], **spec: Any) -> Node:
    """A record node. A field is (name, node) or (name, node, default kind, default) and flags; the
    name may be (attribute, wire, alias, ...).
    """
    made = []
    for name, node, *rest in fields:
        attribute, *wires = (name, name) if isinstance(name, str) else name
        kind, default, flags = [*rest, None, None, None][:3]
        made.append((attribute, tuple(wires), node, kind or 0, default, flags or 0))
    whole: dict[str, Any] = {"cls": cls, "fields": tuple(made), **spec}
    whole.setdefault("make", "direct" if cls is not None else "dict")
    return ("record", whole)


INT, STR, FLOAT, BOOL, ANY, NONE = (
    ("int", False),
    ("str",),
    ("float", False),
    ("bool",),
    ("any",),
    ("none",),
)

"""Annotations that are evaluated when they are asked for (PEP 649, Python 3.14).

Where the interpreter has none, a stand-in takes the place of `annotationlib`: it gives what that
module gives for the same classes. So this shows what octad makes of it, not what Python does.
"""

from __future__ import annotations

import sys
import types
from dataclasses import dataclass, make_dataclass
from typing import Any, ForwardRef, NamedTuple

import octad
import pytest
from octad import json
from octad._contract import hints

pytestmark = pytest.mark.feature(251)


@dataclass
class Later:
    x: int


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> dict[Any, dict[str, Any]]:
    """The stand-in, and what it gives for an owner, by the owner."""
    given: dict[Any, dict[str, Any]] = {}
    module: Any = types.ModuleType("annotationlib")
    module.Format = types.SimpleNamespace(FORWARDREF="forward references")

    def get_annotations(owner: Any, *, format: Any) -> dict[str, Any]:
        assert format == "forward references"
        if owner in given:
            return given[owner]
        found: dict[str, Any] = vars(owner).get("__annotations__", {})
        return found

    module.get_annotations = get_annotations
    monkeypatch.setitem(sys.modules, "annotationlib", module)
    monkeypatch.setattr(hints, "_ARE_LAZY", True)
    return given


if sys.version_info >= (3, 14):
    Held = ForwardRef
else:

    class Held(ForwardRef, _root=True):
        """A forward reference with what those of Python 3.14 bring along."""

        __slots__ = ("__cell__", "__extra_names__")


def late(text: str, **held: Any) -> Any:
    reference = Held(text)
    reference.__extra_names__ = held.get("extra")
    reference.__cell__ = held.get("cell")
    return reference


def test_the_way_is_chosen_by_what_the_interpreter_has() -> None:
    assert hints._ARE_LAZY is (sys.version_info >= (3, 14))


def test_forward_references_are_looked_up_when_they_are_needed(
    library: dict[Any, dict[str, Any]],
) -> None:
    made: Any = make_dataclass("Made", [("one", Any), ("many", Any), ("maybe", Any)])
    made.__module__ = __name__
    library[made] = {
        "one": ForwardRef("Later"),
        "many": list[ForwardRef("Later")],  # type: ignore[misc]
        "maybe": ForwardRef("Later | None"),
    }
    text = b'{"one":{"x":1},"many":[{"x":2}],"maybe":null}'
    value = json.loads(text, made)
    assert (value.one, value.many, value.maybe) == (Later(1), [Later(2)], None)
    assert json.dumps(value) == text
    with pytest.raises(octad.ValidationError) as caught:
        json.loads('{"one": {"x": 1}, "many": [{"x": "2"}], "maybe": null}', made)
    assert caught.value.path == "$.many[0].x"


def test_a_name_for_type_checkers_only_is_told(library: dict[Any, dict[str, Any]]) -> None:
    made: Any = make_dataclass("Checked", [("a", Any), ("b", Any)])
    made.__module__ = __name__
    library[made] = {"a": int, "b": ForwardRef("OnlyForCheckers")}
    # As without it: what cannot be read is refused, what is there is written.
    with pytest.raises(octad.ContractError, match="`OnlyForCheckers`, which means nothing"):
        json.loads('{"a": 1, "b": 2}', made)
    assert json.dumps(made(1, 2)) == b'{"a":1,"b":2}'

    @dataclass
    class Text:
        a: int
        b: OnlyForCheckers  # type: ignore[name-defined]  # noqa: F821

    with pytest.raises(octad.ContractError, match="`OnlyForCheckers`, which means nothing"):
        json.loads('{"a": 1, "b": 2}', Text)
    assert json.dumps(Text(1, 2)) == b'{"a":1,"b":2}'


def test_what_a_reference_brings_along_counts(library: dict[Any, dict[str, Any]]) -> None:
    @dataclass
    class Local:
        y: int

    class Hidden(NamedTuple):
        z: int

    made: Any = make_dataclass("Brought", [("a", Any), ("b", Any), ("c", Any)])
    made.__module__ = __name__
    empty: Any = types.CellType()
    library[made] = {
        "a": late("Later | __name_1__", extra={"__name_1__": type(None)}),
        "b": late("list[Thing]", cell={"Thing": types.CellType(Local), "Empty": empty}),
        "c": late("list[Row]", extra={"Row": Hidden}),
    }
    value = json.loads('{"a": null, "b": [{"y": 1}], "c": [[2]]}', made)
    assert (value.a, value.b, value.c) == (None, [Local(1)], [Hidden(2)])


def test_constructors_and_plain_classes(library: dict[Any, dict[str, Any]]) -> None:
    class Plain:
        def __init__(self, a: Any, b: Any = None) -> None:
            self.a, self.b = a, b

    library[Plain.__init__] = {"a": ForwardRef("Later"), "b": ForwardRef("int | None")}
    value = json.loads('{"b": 3, "a": {"x": 1}}', Plain)
    assert (value.a, value.b) == (Later(1), 3)
    assert octad.describe(Plain)

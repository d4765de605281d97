"""`octad.describe`: a plan as text, for people and for tests.

Owns the words; knows every op of the plan. A record is a block of its own, named where it is used;
so is a node that holds itself.
"""

from __future__ import annotations

from typing import Any

from octad._contract.compile import compile_type
from octad._contract.layout import Node, holding_themselves
from octad._contract.members import (
    ABSENT,
    AFTERWARDS,
    FACTORY,
    POSITIONAL,
    VALUE,
)
from octad._settings import Settings


def describe(hint: Any, settings: Settings | None = None) -> str:
    """What octad makes of a type, as text: the forms it reads, field by field.

    >>> import octad
    >>> from dataclasses import dataclass
    >>> from typing import Annotated
    >>> @dataclass
    ... class Player:
    ...     name: str
    ...     level: Annotated[int, octad.Field(name="lvl", ge=1)] = 1
    >>> print(octad.describe(list[Player | None]))
    list[null | Player]
    <BLANKLINE>
    Player: object, filled directly
      name: str
      lvl: int(ge=1) = 1, for level

    Raises:
        ContractError: nothing can be read into the type, or it contradicts itself.
    """
    return _Text(compile_type(hint, settings)).whole()


class _Text:
    def __init__(self, nodes: tuple[Node, ...]) -> None:
        self.nodes = nodes
        self.names: dict[int, str] = {}
        taken: dict[str, int] = {}
        for index, node in enumerate(nodes):
            if node[0] == "record":
                name = node[1]["name"]
                taken[name] = taken.get(name, 0) + 1
                self.names[index] = name if taken[name] == 1 else f"{name}#{taken[name]}"
        for index in holding_themselves(nodes, self.names):
            self.names.setdefault(index, f"#{index}")

    def whole(self) -> str:
        blocks = [] if 0 in self.names else [self.text(0)]
        for index, name in self.names.items():
            node = self.nodes[index]
            if node[0] == "record":
                blocks.append(self.record(name, node[1]))
            else:
                blocks.append(f"{name}: {self.inner(node)}")
        return "\n\n".join(blocks)

    def text(self, index: int) -> str:
        return self.names.get(index) or self.inner(self.nodes[index])

    def several(self, indexes: Any) -> str:
        return ", ".join(self.text(index) for index in indexes)

    def inner(self, node: Node) -> str:
        op = node[0]
        if op == "none":
            return "null"
        if op in ("list", "set", "frozenset"):
            return f"{op}[{self.text(node[1])}]"
        if op == "tuple":
            return f"tuple[{self.text(node[1])}, ...]"
        if op == "row":
            parts = [self.text(index) for index in node[1]]
            if node[2] is not None:
                parts.append(f"*{self.text(node[2])}")
            parts.extend(self.text(index) for index in node[3])
            return f"tuple[{', '.join(parts) or '()'}]"
        if op in ("dict", "pairs"):
            return f"{op}[{self.text(node[1])}, {self.text(node[2])}]"
        if op == "table":
            rows = ", ".join(repr(wire) for wire, _ in node[2][:20])
            more = ", …" if len(node[2]) > 20 else ""
            rest = ", or what the class makes of another" if node[3] is not None else ""
            return f"one of ({rows}{more}{rest})"
        if op == "union":
            return self.union(node[1])
        if op == "tagged":
            _, field, table, place, default = node
            rows = ", ".join(f"{tag!r}: {self.text(index)}" for tag, index in table.items())
            rest = "" if default is None else f", else {self.text(default)}"
            return f"tagged {place} by {field!r} ({rows}{rest})"
        if op == "shaped":
            rows = ", ".join(
                f"with {' and '.join(sorted(names))}: {self.text(index)}"
                for names, index in node[1]
            )
            return f"by names ({rows})"
        if op == "call":
            return f"{node[3]} from {self.text(node[1])}"
        if op == "checked":
            return f"{self.text(node[1])}({_checks(node[2])})"
        if op == "convert":
            return f"{type(node[1]).__name__}()"
        if op in ("int", "float"):
            return f"{op} or its text" if node[1] else str(op)
        forms = [str(form) for form in node[1:] if form not in ("rfc3339", "keep", "iso")]
        return f"{op} as {', '.join(forms)}" if forms else str(op)

    def union(self, table: dict[str, tuple[int, ...]]) -> str:
        """Members once each, in the order in which they are tried."""
        seen = list(dict.fromkeys(index for row in table.values() for index in row))
        return " | ".join(self.text(index) for index in seen)

    def record(self, name: str, spec: dict[str, Any]) -> str:
        shapes = {"object": "object", "array": "array", "either": "array or object"}
        makes = {
            "direct": "filled directly",
            "call": "made by a call",
            "tuple": "a tuple",
            "dict": "a dict",
            "validator": "made by its own validator",
        }
        about = [shapes[spec["shape"]], makes[spec["make"]]]
        if spec.get("tag"):
            about.append(f"tagged {spec['tag'][1]!r} in {spec['tag'][0]}")
        if spec.get("unknown", "ignore") != "ignore":
            about.append(f"unknown members: {spec['unknown']}")
        if spec.get("case") is False:
            about.append("names in any case")
        if spec.get("before") or spec.get("after"):
            about.append("with hooks")
        lines = [f"{name}: {', '.join(about)}"]
        lines.extend(f"  {self.field(field)}" for field in spec["fields"])
        lines.extend(f"  {name}: left unread" for name in spec.get("known", ()))
        for attribute, index in spec.get("flatten", ()):
            lines.append(f"  (members of) {self.text(index)}, for {attribute}")
        if spec.get("extra"):
            lines.append(f"  (all others), for {spec['extra']}")
        return "\n".join(lines)

    def field(self, field: tuple[Any, ...]) -> str:
        attribute, wires, index, kind, default, flags = field
        if not wires:
            return f"(never) {attribute}{_default(kind, default)}"
        text = f"{' or '.join(wires)}: {self.text(index)}{_default(kind, default)}"
        notes = []
        if attribute != wires[0]:
            notes.append(f"for {attribute}")
        if flags & POSITIONAL:
            notes.append("by position")
        if flags & AFTERWARDS:
            notes.append("set afterwards")
        return ", ".join((text, *notes))


def _default(kind: int, default: Any) -> str:
    if kind == VALUE:
        return f" = {default!r}"
    if kind == FACTORY:
        return f" = {getattr(default, '__name__', repr(default))}()"
    return ", optional" if kind == ABSENT else ""


def _checks(checks: dict[str, Any]) -> str:
    parts: list[str] = []
    for key, value in checks.items():
        if key == "predicates":
            parts.extend(getattr(one, "__qualname__", repr(one)) for one in value)
        else:
            parts.append(f"{key}={value!r}")
    return ", ".join(parts)

"""The shape of nodes: where their children are, and how a plan is put in order.

The one place that knows which argument of which node is an index. To add an op with children: its
branch in `moved`.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import Any

Node = tuple[Any, ...]
Move = Callable[[int], int]

_ONE = frozenset({"list", "set", "frozenset", "tuple", "call", "checked"})


def moved(node: Node, move: Move) -> Node:
    """The node with every child's index replaced."""
    op = node[0]
    if op in _ONE:
        return (op, move(node[1]), *node[2:])
    if op in ("dict", "pairs"):
        return (op, move(node[1]), move(node[2]))
    if op == "row":
        _, prefix, rest, suffix = node
        return (
            op,
            tuple(map(move, prefix)),
            None if rest is None else move(rest),
            tuple(map(move, suffix)),
        )
    if op == "record":
        spec = dict(node[1])
        spec["fields"] = tuple(
            (name, wires, move(index), kind, default, flags)
            for name, wires, index, kind, default, flags in spec["fields"]
        )
        if spec.get("flatten"):
            spec["flatten"] = tuple((name, move(index)) for name, index in spec["flatten"])
        return (op, spec)
    if op == "union":
        return (op, {kind: tuple(map(move, rows)) for kind, rows in node[1].items()})
    if op == "tagged":
        _, field, table, place, default = node
        return (
            op,
            field,
            {tag: move(index) for tag, index in table.items()},
            place,
            None if default is None else move(default),
        )
    if op == "shaped":
        return (op, tuple((names, move(index)) for names, index in node[1]))
    return node


def children(node: Node) -> list[int]:
    """The indexes of the children of a node, in order."""
    found: list[int] = []

    def note(index: int) -> int:
        found.append(index)
        return index

    moved(node, note)
    return found


def holding_themselves(nodes: tuple[Node, ...], named: Container[int]) -> list[int]:
    """Nodes that are met again inside themselves without one that has a name between."""
    found: set[int] = set()
    done: set[int] = set()
    for start in range(len(nodes)):
        if start in done or start in named:
            continue
        path = [(start, children(nodes[start]))]
        inside = {start}
        while path:
            index, left = path[-1]
            if not left:
                path.pop()
                inside.discard(index)
                done.add(index)
                continue
            child = left.pop(0)
            if child in inside:
                found.add(child)
            elif child not in done and child not in named:
                path.append((child, children(nodes[child])))
                inside.add(child)
    return sorted(found)


def ordered(nodes: list[Any], root: int, same: dict[int, int]) -> tuple[Node, ...]:
    """The nodes that can be reached, the root first, each before what is first met in it."""
    places: dict[int, int] = {}
    rows: list[Node] = []

    def move(index: int) -> int:
        while index in same:
            index = same[index]
        place = places.get(index)
        if place is None:
            place = places[index] = len(places)
            rows.append(nodes[index])
        return place

    move(root)
    done = 0
    while done < len(rows):
        rows[done] = moved(rows[done], move)
        done += 1
    return tuple(rows)

"""Unions: how members are told apart, and the refusal of those that cannot be.

By the kind of the value; where several members share a kind: texts by how specific they are, arrays
by their length, objects by tag, by a `Literal` field, or by required names that only one member
has. The rest is ambiguous and refused with the reason. Runs when every member has its node.
"""

from __future__ import annotations

import typing
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from octad._contract import constraints, scalars
from octad._contract.fields import UnsetType
from octad._contract.hints import (
    NO_BINDINGS,
    UNIONS,
    Scope,
    bind,
    close,
    is_alias,
    is_variable,
    name_of,
    origin_of,
    package_of,
    parameters_of,
    resolve,
    scope_of_variable,
    spread,
    stand_in,
)
from octad._contract.layout import Node
from octad._contract.refusal import refuse
from octad._converters import converter_for, goes, kinds_of

if TYPE_CHECKING:
    from octad._contract.compile import Compiler
    from octad._contract.style import Env

KINDS = ("null", "bool", "int", "float", "text", "bytes", "list", "map")
_WORDS = {
    "null": "null",
    "bool": "a bool",
    "int": "a whole number",
    "float": "a number",
    "text": "a text",
    "bytes": "a byte string",
    "list": "an array",
    "map": "an object",
}
_WILD = frozenset({"any", "raw", "view"})
_PLAIN = frozenset({"none", "bool", "str", "int", "float", "any"})
# A type that merely takes numbers too gives way to int and float.
_GIVES_WAY = 110
Profile = dict[str, list[tuple[int, int]]]


# --- Members --------------------------------------------------------------------------------------


def flatten(
    compiler: Compiler,
    hint: Any,
    env: Env,
    members: list[tuple[Any, Env]],
    inside: tuple[Any, ...] = (),
) -> None:
    """Appends the members of a union, those of unions inside it too."""
    if not isinstance(hint, type):
        hint = resolve(hint, env.scope)
    if isinstance(hint, type) or hint is None:
        if not is_unset(hint) and all(hint is not member for member, _ in members):
            members.append((hint, env))
        return
    if is_variable(hint):
        if hint in env.bindings:
            flatten(
                compiler, env.bindings[hint], env._replace(bindings=NO_BINDINGS), members, inside
            )
            return
        scope = scope_of_variable(hint)
        if scope.module == "typing":
            scope = env.scope
        inner = env._replace(scope=scope, bindings=NO_BINDINGS)
        flatten(compiler, stand_in(hint), inner, members, inside)
        return
    origin = origin_of(hint)
    alias = hint if is_alias(hint) else origin
    if is_alias(alias):
        args = spread(typing.get_args(hint), env.scope, env.bindings) if origin else ()
        if (alias, args) in inside:
            refuse(f"{env.path}: expected a type, found {name_of(alias)}, which is only itself")
        value = alias.__value__
        scope = Scope(alias, None, getattr(alias, "__module__", None))
        inner = env._replace(scope=scope, bindings=bind(parameters_of(alias), args, str(alias)))
        if origin_of(resolve(value, scope)) in UNIONS:
            flatten(compiler, value, inner, members, (*inside, (alias, args)))
        else:
            members.append((hint, env))
        return
    if origin in UNIONS:
        for arg in typing.get_args(hint):
            flatten(compiler, arg, env, members, inside)
        return
    if hasattr(hint, "__supertype__"):
        scope = Scope(hint, None, getattr(hint, "__module__", None))
        flatten(compiler, hint.__supertype__, env._replace(scope=scope), members, inside)
        return
    if hint is typing.Never or hint is typing.NoReturn:
        return
    if (hint, env) not in members:
        members.append((hint, env))


def is_unset(hint: Any) -> bool:
    """The type of a sentinel that means absent: octad's, or msgspec's."""
    return hint is UnsetType or (
        isinstance(hint, type) and hint.__name__ == "UnsetType" and package_of(hint) == "msgspec"
    )


def through_alias(args: tuple[Any, ...]) -> bool:
    """Whether a member of a union is an alias, so that the union may hold itself."""
    return any(
        is_alias(arg) or is_alias(origin_of(arg)) or isinstance(arg, str | typing.ForwardRef)
        for arg in args
    )


def build(
    compiler: Compiler,
    members: list[tuple[Any, Env]],
    env: Env,
    checks: constraints.Checks | None = None,
) -> int:
    """The node of a union of members, each with the checks that mean something for it."""
    indexes: list[int] = []
    used: set[str] = set()
    for hint, inner in members:
        index = compiler.node(hint, inner)
        if checks:
            own = {key: value for key, value in checks.items() if _means(compiler, index, key)}
            used.update(own)
            if own:
                index = compiler.check(index, own, env)
        compiler.titles.setdefault(index, name_of(hint))
        if index not in indexes:
            indexes.append(index)
    if checks and set(checks) - used - {"also"}:
        lost = sorted(set(checks) - used - {"also"})[0]
        refuse(f"{env.path}: expected a type that `{lost}` means something for")
    if not indexes:
        refuse(f"{env.path}: expected a type that data can be read into, found none")
    if len(indexes) == 1:
        return indexes[0]
    place = compiler.put(None)
    path = env.path
    compiler.titles[place] = " | ".join(compiler.titles.get(index, "?") for index in indexes)

    def finish() -> None:
        compiler.nodes[place] = joined(compiler, indexes, path)

    compiler.last.append(finish)
    return place


# --- What a node takes ----------------------------------------------------------------------------


def op_of(compiler: Compiler, index: int) -> str:
    """The op of a node; also of a record that is not filled yet, and of a union not joined yet."""
    index = compiler.real(index)
    node = compiler.nodes[index]
    if node is None:
        return "record" if index in compiler.outlines else "union"
    return str(node[0])


_NUMERIC = frozenset({"int", "float", "decimal"})
_SIZED = frozenset(
    {
        "str",
        "bytes",
        "bytearray",
        "memoryview",
        "list",
        "set",
        "frozenset",
        "tuple",
        "row",
        "dict",
        "pairs",
    }
)
_TIMES = frozenset({"datetime", "date", "time", "timedelta"})
_OPEN = frozenset({"call", "convert", "any", "union"})
_TAKES: dict[str, frozenset[str]] = {
    **dict.fromkeys(constraints.BOUNDS, _NUMERIC | _TIMES | _OPEN),
    "multiple_of": _NUMERIC | _OPEN,
    **dict.fromkeys(constraints.LENGTHS, _SIZED | _OPEN),
    "pattern": frozenset({"str"}) | _OPEN,
    "tz": frozenset({"datetime", "time"}) | _OPEN,
}


def _checked_op(compiler: Compiler, index: int) -> str:
    """What is checked, whatever checks there are in between."""
    op = op_of(compiler, index)
    while op == "checked":
        index = compiler.nodes[compiler.real(index)][1]
        op = op_of(compiler, index)
    return op


def _means(compiler: Compiler, index: int, key: str) -> bool:
    op = _checked_op(compiler, index)
    takes = _TAKES.get(key)
    return takes is None or op in takes


def sensible(compiler: Compiler, child: int, checks: constraints.Checks, path: str) -> None:
    """Refuses a check that cannot mean anything for its node."""
    for key in checks:
        if not _means(compiler, child, key):
            found = compiler.titles.get(child) or op_of(compiler, child)
            refuse(f"{path}: expected a type that `{key}` means something for, found {found}")
    wrong = constraints.fault(checks, _checked_op(compiler, child))
    if wrong is not None:
        refuse(f"{path}: {wrong}")


def hashable(compiler: Compiler, index: int, path: str) -> None:
    """Refuses a key or an item of a set that has no hash."""
    index = compiler.real(index)
    node = compiler.nodes[index]
    op = node[0]
    if op in ("list", "set", "dict", "pairs", "bytearray", "view"):
        refuse(f"{path}: expected a type with a hash in a set or as a key, found a {op}")
    if op == "record":
        cls = node[1]["cls"]
        if cls.__hash__ is None or node[1]["make"] == "dict":
            refuse(
                f"{path}: expected a type with a hash in a set or as a key, found {name_of(cls)}"
            )
    if op in ("tuple", "checked"):
        hashable(compiler, node[1], path)
    if op == "row":
        for inner in (*node[1], *node[3], *([] if node[2] is None else [node[2]])):
            hashable(compiler, inner, path)


def _is_wild(node: Node) -> bool:
    """Whether a node takes every kind of value, as far as anybody knows."""
    return node[0] in _WILD or (node[0] == "convert" and not node[1].kinds)


def _every(index: int, rank: int) -> Profile:
    return {kind: [(rank, index)] for kind in KINDS}


def profile(compiler: Compiler, index: int, path: str) -> Profile:
    """The kinds that a node takes, each with how specific it is there."""
    index = compiler.real(index)
    node = compiler.nodes[index]
    if node is None:
        refuse(f"{path}: expected a type, found one that is only itself")
    op = node[0]
    rank = compiler.ranks.get(index, scalars.RANK_ANY)
    full = [(scalars.RANK_ANY, index)]
    if _is_wild(node):
        return _every(index, scalars.RANK_ANY)
    if op == "convert":
        return dict.fromkeys(kinds_of(node[1]), full)
    if op in _TIMES:
        if node[1] in ("epoch", "epoch_ms", "seconds"):
            return {"int": full, "float": full}
        return {"text": [(rank, index)]}
    if op == "table":
        return _of_table(node, index)
    if op in ("int", "float", "decimal"):
        kinds: Profile = {"float" if op == "decimal" else op: full}
        if op == "decimal" or node[1]:
            kinds["text"] = [(scalars.RANK_NUMBER, index)]
        return kinds
    if op in ("bytes", "bytearray", "memoryview"):
        where = "list" if node[1] == "array" else "text"
        return {"bytes": full, where: [(rank, index)]}
    if op in ("call", "checked"):
        return _of_child(compiler, node, index, rank, path)
    if op == "union":
        return {
            kind: [(_rank_in(compiler, one, kind, path), one) for one in rows]
            for kind, rows in node[1].items()
        }
    if op == "record":
        shape = node[1]["shape"]
        return {
            kind: full
            for kind, wanted in (("list", "array"), ("map", "object"))
            if shape in (wanted, "either")
        }
    simple = {
        "none": "null",
        "bool": "bool",
        "str": "text",
        "uuid": "text",
        "dict": "map",
        "tagged": "map",
        "shaped": "map",
    }
    return {simple.get(op, "list"): [(rank, index)]}


def _rank_in(compiler: Compiler, index: int, kind: str, path: str) -> int:
    found = profile(compiler, index, path).get(kind)
    return found[0][0] if found else scalars.RANK_ANY


def _of_table(node: Node, index: int) -> Profile:
    _, _, rows, fallback = node
    rank = scalars.RANK_TABLE
    if fallback is not None:
        rank = scalars.RANK_FALLBACK
    kinds: Profile = {}
    for wire, _ in rows:
        kinds[_kind_of(wire)] = [(rank, index)]
    return kinds or {"int": [(rank, index)]}


def _kind_of(wire: Any) -> str:
    if wire is None:
        return "null"
    return {bool: "bool", int: "int", float: "float"}.get(type(wire), "text")


def _of_child(compiler: Compiler, node: Node, index: int, rank: int, path: str) -> Profile:
    kinds: Profile = {}
    for kind, rows in profile(compiler, node[1], path).items():
        own = min((one for one, _ in rows), default=rank) if node[0] == "checked" else rank
        if node[0] == "call" and kind != "text":
            loose = rank in (scalars.RANK_FRACTION, scalars.RANK_COMPLEX)
            own = _GIVES_WAY if loose else scalars.RANK_ANY
            if rank == scalars.RANK_TABLE:
                own = scalars.RANK_TABLE
        kinds[kind] = [(own, index)]
    return kinds


# --- Joining --------------------------------------------------------------------------------------


def joined(compiler: Compiler, indexes: list[int], path: str) -> Node:
    """The node of a union.

    Raises:
        ContractError: two members cannot be told apart.
    """
    if compiler.same:
        indexes = list(dict.fromkeys(compiler.real(index) for index in indexes))
    wild = [index for index in indexes if _is_wild(compiler.nodes[index])]
    if wild:
        return _with_wild(compiler, indexes, wild, path)
    if len(indexes) == 2:
        optional = _optional(compiler, indexes, path)
        if optional is not None:
            return optional
    found: Profile = {}
    for index in indexes:
        for kind, rows in profile(compiler, index, path).items():
            found.setdefault(kind, []).extend(rows)
    table: dict[str, tuple[int, ...]] = {}
    for kind in KINDS:
        rows = found.get(kind, [])
        rows = list(dict.fromkeys(rows))
        if not rows:
            continue
        if kind == "map" and len(rows) > 1:
            from octad._contract import families

            table[kind] = (families.told_apart(compiler, [one for _, one in rows], path),)
            continue
        table[kind] = tuple(one for _, one in _in_order(compiler, kind, rows, path))
    if "int" in table and "float" in table:
        certain = any(rank >= scalars.CATCH_ALL for rank, _ in found["int"])
        if not certain:
            more = [one for one in table["float"] if one not in table["int"]]
            table["int"] = (*table["int"], *more)
    return ("union", table)


def _optional(compiler: Compiler, indexes: list[int], path: str) -> Node | None:
    """A union of null and one type, which nearly all unions are: nothing to tell apart."""
    for none, other in (indexes, indexes[::-1]):
        if compiler.nodes[none] == ("none",):
            kinds = profile(compiler, other, path)
            if "null" in kinds:
                return None
            table = {"null": (none,)}
            table.update((kind, (other,)) for kind in kinds)
            return ("union", table)
    return None


def _with_wild(compiler: Compiler, indexes: list[int], wild: list[int], path: str) -> Node:
    """A union with a member that takes everything."""
    one = wild[0]
    others = [index for index in indexes if index != one]
    ops = {compiler.nodes[index][0] for index in others}
    if compiler.nodes[one][0] == "any" and ops <= _PLAIN:
        node: Node = compiler.nodes[one]
        return node
    if ops == {"none"}:
        return ("union", {kind: (others[0] if kind == "null" else one,) for kind in KINDS})
    return _ambiguous(compiler, one, others[0], "every value", path)


def _in_order(
    compiler: Compiler, kind: str, rows: list[tuple[int, int]], path: str
) -> list[tuple[int, int]]:
    rows = sorted(rows, key=lambda row: row[0])
    if kind == "text" and any(rank >= scalars.CATCH_ALL for rank, _ in rows):
        # A number is read from a text only where no other member takes any text.
        rows = [row for row in rows if row[0] != scalars.RANK_NUMBER]
    if any(scalars.CATCH_ALL <= rank < _GIVES_WAY for rank, _ in rows):
        rows = [row for row in rows if row[0] < _GIVES_WAY]
    if kind == "list" and len(rows) > 1:
        _by_length(compiler, rows, path)
        return rows
    general = [one for rank, one in rows if rank >= scalars.CATCH_ALL]
    if len(general) > 1:
        _ambiguous(compiler, general[0], general[1], _WORDS[kind], path)
    _disjoint(compiler, [one for rank, one in rows], path)
    return rows


def _disjoint(compiler: Compiler, indexes: list[int], path: str) -> None:
    """Refuses tables that make different things of one value."""
    seen: dict[tuple[type, Any], tuple[int, Any]] = {}
    for index in indexes:
        node = compiler.nodes[index]
        if node[0] not in ("table", "none"):
            continue
        for wire, result in ((None, None),) if node[0] == "none" else node[2]:
            other, same = seen.setdefault((type(wire), wire), (index, result))
            if other != index and (type(same) is not type(result) or same != result):
                shown = "null" if wire is None else f"`{wire}`"
                _ambiguous(compiler, other, index, shown, path)


def _by_length(compiler: Compiler, rows: list[tuple[int, int]], path: str) -> None:
    """Refuses arrays whose lengths do not tell them apart."""
    spans: list[tuple[int, int, int]] = []
    for _, index in rows:
        node = compiler.nodes[index]
        if node[0] == "row" and node[2] is None:
            length = len(node[1]) + len(node[3])
            spans.append((length, length, index))
        elif node[0] == "record":
            fields = node[1]["fields"]
            least = sum(1 for field in fields if field[3] == 0)
            spans.append((least, len(fields), index))
        else:
            spans.append((0, 1 << 62, index))
    spans.sort()
    for (_, most, one), (least, _, other) in pairwise(spans):
        if least <= most:
            _ambiguous(compiler, one, other, "an array", path)


def _ambiguous(compiler: Compiler, one: int, other: int, what: str, path: str) -> typing.NoReturn:
    first, second = title(compiler, one), title(compiler, other)
    refuse(
        f"{path}: expected members that can be told apart, found {first} and {second}, "
        f"which both take {what}"
    )


def title(compiler: Compiler, index: int) -> str:
    """What a member is called in messages."""
    node = compiler.nodes[index]
    if node is not None and node[0] == "record":
        return str(node[1]["name"])
    if node is not None and node[0] == "table":
        return str(node[1])
    return compiler.titles.get(index) or (str(node[0]) if node is not None else "?")


# --- Keys -----------------------------------------------------------------------------------------

_TEXTUAL = frozenset(
    {"str", "int", "float", "bool", "decimal", "uuid", "datetime", "date", "time", "timedelta"}
)


def key(compiler: Compiler, hint: Any, env: Env) -> int | None:
    """The node that reads keys, or None where some key is no text."""
    members: list[tuple[Any, Env]] = []
    flatten(compiler, hint, env, members)
    rows: list[tuple[int, int]] = []
    # Keys are texts: moments in their text form, numbers from their text anyway.
    style = env.style
    dates = style.dates or compiler.settings.dates
    if "%" not in dates and dates != "microsoft":
        style = style._replace(dates="rfc3339")
    if (style.bytes or compiler.settings.bytes) == "array":
        style = style._replace(bytes="base64")
    for member, inner in members:
        target = close(member, inner.scope, inner.bindings)
        converter = converter_for(target, compiler.settings, way="read_key")
        if converter is not None:
            index = compiler.put(("convert", converter, target))
        else:
            index = compiler.node(member, inner._replace(style=style))
        found = _textual(compiler, index, env)
        if found is None:
            return None
        if found not in rows:
            rows.append(found)
    if len(rows) == 1:
        return rows[0][1]
    rows.sort()
    general = [one for rank, one in rows if rank >= scalars.CATCH_ALL]
    if len(general) > 1:
        _ambiguous(compiler, general[0], general[1], "any text as a key", env.path)
    return compiler.put(("union", {"text": tuple(one for _, one in rows)}))


_KEY_RANKS = {"bool": 48, "int": 49, "float": 50, "decimal": 50}


def _textual(compiler: Compiler, index: int, env: Env) -> tuple[int, int] | None:
    """A node for keys, with how specific it is; None where the node takes no texts."""
    node = compiler.nodes[compiler.real(index)]
    if node is None:
        return None
    op = node[0]
    rank = compiler.ranks.get(index, scalars.RANK_ANY)
    if op == "any":
        return scalars.RANK_ANY, compiler.node(str, env)
    if op == "none":
        row = compiler.put(("table", "null", (("null", None),), None))
        compiler.ranks[row] = scalars.RANK_TABLE
        return scalars.RANK_TABLE, row
    if op in _TEXTUAL:
        return _KEY_RANKS.get(op, rank), index
    if op == "table" or (op in ("bytes", "memoryview") and node[1] != "array"):
        return rank, index
    if op == "convert":
        return (rank, index) if goes(node[1], "read_key") else None
    if op in ("call", "checked"):
        child = compiler.nodes[compiler.real(node[1])]
        if op == "call" and child is None and _takes_text(compiler, node):
            made = compiler.put((op, compiler.node(str, env), *node[2:]))
            compiler.ranks[made] = rank
            return rank, made
        inner = _textual(compiler, node[1], env)
        if inner is None:
            return None
        if inner[1] == node[1]:
            return (rank if op == "call" else inner[0]), index
        made = compiler.put((op, inner[1], *node[2:]))
        return (rank if op == "call" else inner[0]), made
    return None


def _takes_text(compiler: Compiler, node: Node) -> bool:
    # A call whose child is a union not joined yet: fractions and complex numbers.
    return node[2] in (scalars.to_complex, scalars.to_fraction)

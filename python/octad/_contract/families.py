"""Classes that stand for each other: tags, allow-lists, and objects of several classes told apart.

Owns which tag a class has and which classes may stand for a base. A tag in the data never leads
outside the classes that the base allows; an instance of a subclass that is not allowed is written
as its nearest ancestor that is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from octad._contract import sources
from octad._contract.fields import contract_of, own_contract, tag_of
from octad._contract.hints import Scope, name_of, origin_of, resolve
from octad._contract.layout import Node, children
from octad._contract.refusal import refuse

if TYPE_CHECKING:
    from octad._contract.compile import Compiler
    from octad._contract.style import Env

TAG_FIELD = "$type"
Tag = tuple[str, Any, str]


def tag(cls: type, options: Mapping[str, Any]) -> Tag | None:
    """The tag of a class: its field, its value, its place. None where it has none."""
    value = None
    found = nearest_family(cls)
    if found is not None:
        value = next((one for one, member in found[1] if member is cls and one is not None), None)
    if value is None:
        value = tag_of(cls, dict(options))
    if value is None:
        return None
    place = options.get("tag_place", "inside")
    return options.get("tag_field", TAG_FIELD), as_key(value) if place == "around" else value, place


def as_key(value: Any) -> str:
    """A tag as the key of an object."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def allowed(base: type) -> list[tuple[Any, type]]:
    """The classes that may stand for a base, each with the tag that the base gives it, or None.

    Raises:
        ContractError: an entry is no subclass of the base.
    """
    own = own_contract(base)
    given = None if own is None else own.options.get("allow")
    if given is None:
        return []
    if callable(given) and not isinstance(given, type | Mapping):
        given = given()
    scope = Scope(base, base, base.__module__)
    rows: Iterable[tuple[Any, Any]]
    rows = given.items() if isinstance(given, Mapping) else ((None, one) for one in given)
    found: list[tuple[Any, type]] = []
    for value, one in rows:
        cls = resolve(one, scope)
        if not isinstance(cls, type) or not issubclass(cls, base):
            refuse(
                f"{name_of(base)}: expected subclasses of {name_of(base)} in `allow=`, "
                f"found {name_of(cls)}"
            )
        found.append((value, cls))
    return found


def nearest_family(cls: type) -> tuple[type, list[tuple[Any, type]]] | None:
    """The nearest ancestor that has an allow-list, with the list."""
    for base in cls.__mro__:
        own = own_contract(base)
        if own is not None and own.options.get("allow") is not None:
            return base, allowed(base)
    return None


def written_as(cls: type) -> type:
    """The class as which an instance is written: itself, or the nearest ancestor that its family
    allows."""
    found = nearest_family(cls)
    if found is None:
        return cls
    base, rows = found
    members = {member for _, member in rows} | {base}
    return next((one for one in cls.__mro__ if one in members), cls)


def family(
    compiler: Compiler, cls: type, closed: tuple[Any, ...], own: Mapping[str, Any], env: Env
) -> int:
    """A base with an allow-list: an object whose tag says which class it is."""
    key = (cls, closed)
    place = compiler.put(None)
    compiler.records[key] = place
    compiler.titles[place] = name_of(cls)
    field = own.get("tag_field", TAG_FIELD)
    where = own.get("tag_place", "inside")
    members: dict[type, None] = {}
    _gather(cls, members)
    table: dict[Any, int] = {}
    names: dict[Any, type] = {}
    default: int | None = None
    for member in members:
        found = tag(member, contract_of(member))
        if member is cls:
            if sources.is_abstract(cls):
                continue
            index = _itself(compiler, cls, closed, env)
            if found is None:
                default = index
                continue
        else:
            if found is None:
                refuse(f"{name_of(cls)}: expected a tag on {name_of(member)}, found none")
            if (found[0], found[2]) != (field, where):
                refuse(
                    f"{name_of(cls)}: expected one place for the tag, found {field!r} {where} and "
                    f"{found[0]!r} {found[2]} at {name_of(member)}"
                )
            index = compiler.record(member, (), env)
        _note(table, names, found[1], index, member, name_of(cls))
    compiler.nodes[place] = ("tagged", field, table, where, default)
    compiler.beside = compiler.beside or where == "beside"
    return place


def alone(compiler: Compiler, index: int) -> int:
    """The node of a class that is no member of a family: its tag may stand around it all the same,
    as it is written."""
    outline = compiler.outlines.get(index)
    if outline is None or outline.tag is None or outline.source.make == "dict":
        return index
    field, value, place = outline.tag
    if place == "beside":
        compiler.beside = True
    if place != "around":
        return index
    made = compiler.put(("tagged", field, {value: index}, place, None))
    compiler.titles[made] = outline.title
    compiler.around[index] = made
    compiler.inside[made] = index
    return made


def _gather(cls: type, members: dict[type, None]) -> None:
    """The base, what it allows, and what that allows."""
    if cls in members:
        return
    members[cls] = None
    for _, one in allowed(cls):
        _gather(one, members)


def _itself(compiler: Compiler, cls: type, closed: tuple[Any, ...], env: Env) -> int:
    """The record of the base itself, under a name of its own: the base means its family."""
    key = (cls, closed)
    family_place = compiler.records.pop(key)
    index = compiler.record(cls, closed, env)
    compiler.records[("itself", cls, closed)] = index
    compiler.records[key] = family_place
    return index


def _note(
    table: dict[Any, int], names: dict[Any, type], value: Any, index: int, cls: type, path: str
) -> None:
    if value in table:
        refuse(
            f"{path}: expected one class for each tag, found {name_of(names[value])} and "
            f"{name_of(cls)} both tagged {value!r}"
        )
    table[value] = index
    names[value] = cls


# --- Objects in unions ----------------------------------------------------------------------------


def told_apart(compiler: Compiler, indexes: list[int], path: str) -> int:
    """A node that reads objects of several classes.

    Raises:
        ContractError: nothing tells them apart; the reason is in the message.
    """
    from octad._contract.unions import title

    names = ", ".join(title(compiler, index) for index in indexes)
    for index in indexes:
        if compiler.nodes[index][0] not in ("record", "tagged"):
            refuse(
                f"{path}: expected members that can be told apart, found {names}, which all take "
                f"an object, and {title(compiler, index)} takes any"
            )
    for way in (_by_tag, _by_literal, _by_names):
        place = way(compiler, indexes, path)
        if place is not None:
            return place
    return refuse(
        f"{path}: expected members that can be told apart, found {names}, which all take an "
        f"object and have neither tags, nor a `Literal` field with different values, nor each a "
        f"required name of its own"
    )


def _by_tag(compiler: Compiler, indexes: list[int], path: str) -> int | None:
    tagged: list[tuple[str, str, dict[Any, int], int | None]] = []
    plain: list[int] = []
    for index in indexes:
        node = compiler.nodes[index]
        if node[0] == "tagged":
            tagged.append((node[1], node[3], node[2], node[4]))
            continue
        found = compiler.outlines[index].tag
        if found is None:
            plain.append(index)
        else:
            tagged.append((found[0], found[2], {found[1]: index}, None))
    if not tagged or len(plain) > 1:
        return None
    field, place = tagged[0][:2]
    if any(one[:2] != (field, place) for one in tagged):
        refuse(f"{path}: expected one place for the tags of a union, found different ones")
    table: dict[Any, int] = {}
    names: dict[Any, type] = {}
    defaults = [one[3] for one in tagged if one[3] is not None] + plain
    if len(defaults) > 1:
        return None
    for _, _, rows, _ in tagged:
        for value, index in rows.items():
            if table.get(value) != index:
                cls = compiler.outlines[index].cls
                _note(table, names, value, index, cls, path)
    if plain and field in compiler.outlines[plain[0]].known():
        return None
    compiler.beside = compiler.beside or place == "beside"
    return compiler.put(("tagged", field, table, place, defaults[0] if defaults else None))


def know_tags_beside(compiler: Compiler, root: int) -> None:
    """Tells the owners of values whose tags stand beside them that they know these members.

    Raises:
        ContractError: such a value that is no field, or whose tag is a field.
    """
    from octad._contract.unions import title

    for index in compiler.outlines:
        spec = compiler.nodes[index][1]
        tags: dict[str, None] = {}
        for field in spec["fields"]:
            for one in _tagged_beside(compiler, field[2]):
                tags[compiler.nodes[one][1]] = None
        names = {name for field in spec["fields"] for name in field[1]}
        # A class alone needs no tag to be told, but it is written.
        alone = {
            name
            for field in spec["fields"]
            for name in _alone_beside(compiler, field[2])
            if name not in names and name not in tags
        }
        if alone:
            spec["known"] = (*spec.get("known", ()), *sorted(alone))
        if tags:
            clash = next((name for name in tags if name in names), None)
            if clash is not None:
                refuse(
                    f"{spec['name']}: expected one meaning for each name, found a field and the "
                    f"tag of another both called {clash!r}"
                )
            spec["known"] = (*spec.get("known", ()), *tags)
            spec["beside"] = True
    for index in (root, *(child for node in compiler.nodes if node for child in _held(node))):
        for one in _tagged_beside(compiler, index):
            refuse(
                f"{title(compiler, one)}: expected a field of a class for a value with the tag "
                f"{compiler.nodes[one][1]!r} beside it, found it elsewhere"
            )


def _held(node: Node) -> list[int]:
    """The children of a node that holds values other than as fields."""
    return [] if node[0] in ("record", "union") else children(node)


def _choices(compiler: Compiler, index: int) -> list[int]:
    """The nodes of a field that may be null too, without what only chooses among them."""
    index = compiler.real(index)
    node = compiler.nodes[index]
    if node[0] != "union":
        return [index]
    inner = dict.fromkeys(one for row in node[1].values() for one in row)
    return [found for one in inner for found in _choices(compiler, one)]


def _tagged_beside(compiler: Compiler, index: int) -> list[int]:
    """The nodes whose tag stands beside the value."""
    nodes = compiler.nodes
    return [
        one
        for one in _choices(compiler, index)
        if nodes[one][0] == "tagged" and nodes[one][3] == "beside"
    ]


def _alone_beside(compiler: Compiler, index: int) -> list[str]:
    """The names of tags that are written beside a value of a class that stands for no other."""
    outlines = [compiler.outlines.get(one) for one in _choices(compiler, index)]
    tags = [outline.tag for outline in outlines if outline is not None and outline.tag is not None]
    return [tag[0] for tag in tags if tag[2] == "beside"]


def _by_literal(compiler: Compiler, indexes: list[int], path: str) -> int | None:
    """By a field that has other values in each class."""
    rows = [_tables(compiler, index) for index in indexes]
    if any(row is None for row in rows):
        return None
    first = rows[0] or {}
    for name in first:
        table: dict[Any, int] = {}
        for index, row in zip(indexes, rows, strict=True):
            values = (row or {}).get(name)
            if values is None or any(value in table for value in values):
                break
            if len(set(values)) < len(values):
                # `1` and `True` are one key of a table, and two values in the data.
                break
            table.update(dict.fromkeys(values, index))
        else:
            return compiler.put(("tagged", name, table, "inside", None))
    return None


def _tables(compiler: Compiler, index: int) -> dict[str, list[Any]] | None:
    """The fields of a record that have a few known values."""
    if compiler.nodes[index][0] != "record":
        return None
    made = compiler.outlines[index]
    found: dict[str, list[Any]] = {}
    if made.source.opaque:
        import typing

        for member in made.members:
            if origin_of(member.hint) is typing.Literal:
                found[member.wires()[0]] = list(typing.get_args(member.hint))
        return found
    for _, wires, child, *_ in compiler.nodes[index][1]["fields"]:
        node = compiler.nodes[compiler.real(child)]
        if wires and node is not None and node[0] == "table" and node[3] is None:
            found[wires[0]] = [wire for wire, _ in node[2]]
    return found


def _by_names(compiler: Compiler, indexes: list[int], path: str) -> int | None:
    """By required names that only one class has."""
    made = [compiler.outlines.get(index) for index in indexes]
    rows: list[tuple[frozenset[str], int]] = []
    for at, one in enumerate(made):
        if one is None or one.open or not one.case:
            return None
        others: set[str] = set()
        for other_at, other in enumerate(made):
            if other_at != at and other is not None:
                others |= other.known()
        own = one.required() - others
        if not own:
            return None
        rows.append((frozenset(own), indexes[at]))
    return compiler.put(("shaped", tuple(rows)))

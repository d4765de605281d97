"""JSON Schema 2020-12 of a type: `octad.schema(T)`, made from the nodes of its plan.

Owns the words of JSON Schema. A plan says what is read; what differs on writing (names, fields left
out, forms of numbers) is asked of `writing`. Classes and enums are definitions, everything else
stands where it is used, unless it holds itself. What a schema cannot say (predicates, converters,
time zones) is left open rather than guessed: a schema never refuses what octad reads.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

from octad._contract.compile import compile_type
from octad._contract.doc import class_text, field_texts
from octad._contract.hints import name_of
from octad._contract.layout import holding_themselves
from octad._contract.schema_values import KEYS, VALUES, bounds, enumeration, lengths, plain
from octad._contract.writing import writing
from octad._settings import Settings

Mode = Literal["validation", "serialization"]
Schema = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_ABSENT_IS_FINE = 3
_UNREAD = 4


def schema(
    of: Any,
    *,
    mode: Mode = "validation",
    ref_template: str = "#/$defs/{name}",
    settings: Settings | None = None,
) -> Schema:
    """The JSON Schema (2020-12) of a type.

    Args:
        of: the type.
        mode: "validation" for what is read into the type, "serialization" for what is written.
        ref_template: how a class is referred to; `{name}` is its name. The definitions stand under
            `$defs` in any case.
        settings: the `Settings` that reading and writing will have.

    Returns:
        The schema, as plain dicts and lists.

    Raises:
        octad.ContractError: no plan can be made of the type.
        ValueError: an argument has a value that it cannot have.

    >>> from dataclasses import dataclass
    >>> import octad
    >>> @dataclass
    ... class Point:
    ...     x: float
    ...     y: float = 0.0
    >>> found = octad.schema(Point)
    >>> found["title"], found["required"]
    ('Point', ['x'])
    >>> found["properties"]
    {'x': {'type': 'number'}, 'y': {'type': 'number', 'default': 0.0}}
    """
    if mode not in ("validation", "serialization"):
        raise ValueError(f"mode: expected `validation` or `serialization`, found `{mode}`")
    if "{name}" not in ref_template:
        raise ValueError("ref_template: expected a text with `{name}` in it")
    walk = _Walk(compile_type(of, settings), name_of(of), mode, ref_template, settings)
    return walk.whole()


class _Walk:
    """One schema in the making."""

    def __init__(
        self,
        nodes: tuple[Any, ...],
        title: str,
        mode: Mode,
        template: str,
        settings: Settings | None,
    ) -> None:
        self.nodes = nodes
        self.mode: Mode = mode
        self.template = template
        self.settings = settings
        self.as_text = mode == "serialization" and bool(getattr(settings, "numbers_as_text", False))
        self.names = _names(nodes, title)
        self.definitions: dict[str, Schema] = {}
        self.asked: set[int] = set()
        self.waiting: list[int] = []

    def whole(self) -> Schema:
        """The schema of the root, with the definitions it needs."""
        root = self._body(0) if 0 in self.names else self.of(0)
        while self.waiting:
            index = self.waiting.pop()
            name = self.names[index]
            self.definitions[name] = root if index == 0 else self._body(index)
        if 0 in self.asked:
            root = {"$ref": self.template.format(name=self.names[0])}
        found = {"$schema": DIALECT, **root}
        if self.definitions:
            found["$defs"] = {**found.get("$defs", {}), **dict(sorted(self.definitions.items()))}
        return found

    def of(self, index: int) -> Schema:
        """The schema of a node where it is used."""
        if index not in self.names:
            return self._body(index)
        if index not in self.asked:
            self.asked.add(index)
            self.waiting.append(index)
        return {"$ref": self.template.format(name=self.names[index])}

    def _body(self, index: int) -> Schema:
        op, *args = self.nodes[index]
        if op in VALUES:
            return VALUES[op](self.mode, self.as_text, *args)
        make: Callable[..., Schema] = getattr(self, f"_{op}")
        return make(*args)

    # --- containers ---

    def _list(self, item: int) -> Schema:
        return _array(self.of(item))

    _tuple = _list

    def _set(self, item: int) -> Schema:
        found = _array(self.of(item))
        # A repeated item is read, but never written.
        return found | {"uniqueItems": True} if self.mode == "serialization" else found

    _frozenset = _set

    def _row(self, prefix: Iterable[int], rest: int | None, suffix: Iterable[int]) -> Schema:
        first, last = [self.of(one) for one in prefix], [self.of(one) for one in suffix]
        found: Schema = {"type": "array"}
        if first:
            found["prefixItems"] = first
        if rest is None:
            return found | {"items": False, "minItems": len(first), "maxItems": len(first)}
        # No keyword counts from the end.
        behind = any_of([self.of(rest), *last])
        if behind:
            found["items"] = behind
        if first or last:
            found["minItems"] = len(first) + len(last)
        return found

    def _dict(self, key: int, value: int) -> Schema:
        found: Schema = {"type": "object"}
        names = self._key(key)
        if names:
            found["propertyNames"] = names
        inner = self.of(value)
        if inner:
            found["additionalProperties"] = inner
        return found

    def _pairs(self, key: int, value: int) -> Schema:
        pair = {"type": "array", "prefixItems": [self.of(key), self.of(value)], "items": False}
        return _array(pair | {"minItems": 2, "maxItems": 2})

    def _key(self, index: int) -> Schema:
        """What the names of a map are: always texts."""
        op, *args = self.nodes[index]
        if op in KEYS:
            return KEYS[op](*args)
        if op == "call":
            return self._key(args[0])
        if op == "checked":
            return {**self._key(args[0]), **lengths(args[1], "str")}
        if op == "union":
            inner = [self._key(one) for one in _members(args[0])]
            return any_of(inner) if all(inner) else {}
        return {}

    # --- scalars with more to them ---

    def _table(self, title: str, rows: Iterable[tuple[Any, Any]], fallback: Any) -> Schema:
        rows = tuple(rows)
        found = enumeration([wire for wire, _ in rows])
        member = rows[0][1] if rows else None
        if isinstance(member, enum.Enum) and title == type(member).__name__:
            # What `_missing_` takes, or several flags, no list can say.
            whole = {"type": "integer"} if isinstance(member, enum.Flag) else {}
            head = {"title": title, **class_text(type(member))}
            return {**head, **(found if fallback is None else whole)}
        return found

    def _call(self, child: int, made: Any, expected: str) -> Schema:
        found = self.of(child)
        form = _FORMS.get(getattr(made, "__name__", ""))
        return {**found, "format": form} if form and found.get("type") == "string" else found

    def _checked(self, child: int, checks: Mapping[str, Any]) -> Schema:
        inner = child
        while self.nodes[inner][0] in ("call", "checked"):
            inner = self.nodes[inner][1]
        op = self.nodes[inner][0]
        return {**self.of(child), **bounds(checks, op), **lengths(checks, op)}

    def _convert(self, *args: Any) -> Schema:
        return {}

    # --- unions ---

    def _union(self, kinds: Mapping[str, Iterable[int]]) -> Schema:
        return any_of([self.of(index) for index in _members(kinds)])

    def _shaped(self, rows: Iterable[tuple[Iterable[str], int]]) -> Schema:
        return any_of([self.of(index) for _, index in rows])

    def _tagged(
        self, field: str, table: Mapping[Any, int], place: str, default: int | None
    ) -> Schema:
        if place == "beside":
            return any_of([self.of(index) for index in dict.fromkeys(table.values())])
        branches: list[Schema] = []
        mapping: dict[str, str] = {}
        for tag, index in table.items():
            inner = self.of(index)
            if place == "around":
                branches.append(_member(str(tag), inner) | {"additionalProperties": False})
                continue
            # The class that is taken where there is no tag may do without it.
            free = index == default and self.mode == "validation"
            tagged = {"properties": {field: {"const": tag}}}
            branches.append(
                {**inner, **tagged} if free else {**inner, **tagged, "required": [field]}
            )
            if isinstance(tag, str) and "$ref" in inner:
                mapping[tag] = inner["$ref"]
        found: Schema = {"oneOf": branches}
        if mapping and len(mapping) == len(branches):
            found["discriminator"] = {"propertyName": field, "mapping": mapping}
        return found

    # --- records ---

    def _record(self, spec: Mapping[str, Any]) -> Schema:
        cls = spec["cls"]
        if spec["make"] == "validator":
            return self._foreign(cls)
        head: Schema = {"title": spec.get("name") or cls.__name__, **class_text(cls)}
        fields = self._fields(spec, cls)
        if self._as_array(spec, cls):
            return head | self._positional(fields)
        body = self._object(spec, fields, cls)
        if spec.get("shape") == "either" and self.mode == "validation":
            return head | {"anyOf": [self._positional(fields), body]}
        return head | body

    def _as_array(self, spec: Mapping[str, Any], cls: type) -> bool:
        if self.mode == "validation":
            return spec.get("shape") == "array"
        found = writing(cls, self.settings)
        return (
            spec.get("shape") in ("array", "either") if found is None else bool(found.get("array"))
        )

    def _foreign(self, cls: Any) -> Schema:
        """A class that validates itself describes itself, too."""
        make = getattr(cls, "model_json_schema", None)
        if make is None:
            return {"title": cls.__name__}
        found: Schema = make(
            mode=self.mode, ref_template=self.template.replace("{name}", "{model}")
        )
        self.definitions.update(found.pop("$defs", {}))
        return found

    def _fields(self, spec: Mapping[str, Any], cls: type) -> list[_Member]:
        """The members in the order in which they are read or written."""
        texts = field_texts(cls)
        read = {
            name: _Member(
                wires,
                None if flags & _UNREAD else index,
                kind,
                default,
                kind != 0,
                texts.get(name, {}),
            )
            for name, wires, index, kind, default, flags in spec["fields"]
            if wires
        }
        found = writing(cls, self.settings) if self.mode == "serialization" else None
        if found is None:
            if self.mode == "serialization":
                for one in read.values():
                    one.optional = one.kind == _ABSENT_IS_FINE
            return list(read.values())
        written = []
        for name, wire, omit, kind, default, omit_if, rule in found["fields"]:
            rule = rule or {}
            if rule.get("flatten"):
                continue
            known = read.get(name)
            index = known.index if known is not None and not rule.get("converter") else None
            optional = bool(omit) or omit_if is not None or kind == _ABSENT_IS_FINE
            text = bool(rule.get("as_text"))
            one = _Member((wire,), index, kind, default, optional, texts.get(name, {}), text)
            written.append(one)
        return written

    def _object(self, spec: Mapping[str, Any], fields: list[_Member], cls: type) -> Schema:
        """The keywords of an object."""
        properties: dict[str, Schema] = {}
        required: list[str] = []
        choices: list[Schema] = []
        for one in fields:
            inner = self._member(one)
            properties |= dict.fromkeys(one.wires, inner)
            if not one.optional and len(one.wires) == 1:
                required.append(one.wires[0])
            elif not one.optional:
                choices.append({"anyOf": [{"required": [wire]} for wire in one.wires]})
        tag = spec.get("tag")
        if tag and tag[0] not in properties:
            properties = {tag[0]: {"const": tag[1]}, **properties}
        found: Schema = {"type": "object", "properties": properties}
        if spec.get("unknown") == "forbid" and not spec.get("extra"):
            found["additionalProperties"] = False
        for _, index in spec.get("flatten") or ():
            self._flatten(index, found, required)
        if spec.get("case", True) or self.mode == "serialization":
            if required:
                found["required"] = required
            return found | {"allOf": choices} if choices else found
        found["patternProperties"] = {
            _any_case(name): inner for name, inner in found.pop("properties").items()
        }
        return found

    def _positional(self, fields: list[_Member]) -> Schema:
        """The keywords of an array that has a place for each field."""
        found: Schema = {"type": "array", "items": False}
        if fields:
            found["prefixItems"] = [self._member(one) for one in fields]
        # Only fields at the end can be left out.
        needed = [at for at, one in enumerate(fields, 1) if not one.optional]
        return found | {"minItems": needed[-1] if needed else 0, "maxItems": len(fields)}

    def _member(self, one: _Member) -> Schema:
        if one.index is None:
            return dict(one.text)
        before = self.as_text
        self.as_text = before or one.as_text
        try:
            inner = {**self.of(one.index), **one.text}
        finally:
            self.as_text = before
        shown, value = plain(one.kind, one.default, self.settings)
        return {**inner, "default": value} if shown else inner

    def _flatten(self, index: int, found: Schema, required: list[str]) -> None:
        """The members of a field stand among those of its owner."""
        op, *args = self.nodes[index]
        if op in ("call", "checked"):
            self._flatten(args[0], found, required)
        elif op == "dict":
            found["additionalProperties"] = self.of(args[1]) or True
        elif op == "record":
            inner = self._object(args[0], self._fields(args[0], args[0]["cls"]), args[0]["cls"])
            found["properties"] = {**inner.get("properties", {}), **found["properties"]}
            required += inner.get("required", ())
        else:
            # A union: which members there are depends on the data.
            found.pop("additionalProperties", None)


class _Member:
    """One member of an object."""

    def __init__(
        self,
        wires: tuple[str, ...],
        index: int | None,
        kind: int,
        default: Any,
        optional: bool,
        text: Mapping[str, Any],
        as_text: bool = False,
    ) -> None:
        self.wires = wires
        self.index = index
        self.kind = kind
        self.default = default
        self.optional = optional
        self.text = text
        self.as_text = as_text


# Formats of the standard by the name of the class that is called.
_FORMS = {"IPv4Address": "ipv4", "IPv6Address": "ipv6", "to_pattern": "regex"}


def _array(item: Schema) -> Schema:
    return {"type": "array", "items": item} if item else {"type": "array"}


def _member(name: str, inner: Schema) -> Schema:
    return {"type": "object", "properties": {name: inner}, "required": [name]}


def any_of(branches: Iterable[Schema]) -> Schema:
    """One of these; equal ones once, and nothing at all where one of them is open."""
    different: list[Schema] = []
    for one in branches:
        if one not in different:
            different.append(one)
    if {} in different:
        return {}
    return different[0] if len(different) == 1 else {"anyOf": different}


def _members(kinds: Mapping[str, Iterable[int]]) -> list[int]:
    """The members of a union, each once, null last as people write it."""
    found = dict.fromkeys(index for kind in kinds if kind != "null" for index in kinds[kind])
    return list(found | dict.fromkeys(kinds.get("null", ())))


def _any_case(name: str) -> str:
    letters = (
        f"[{one.lower()}{one.upper()}]" if one.lower() != one.upper() else re.escape(one)
        for one in name
    )
    return f"^{''.join(letters)}$"


def _names(nodes: tuple[Any, ...], title: str) -> dict[int, str]:
    """The nodes that are definitions, with their names: classes, enums, what holds itself."""
    wanted: dict[int, tuple[str, str]] = {}
    for index, (op, *args) in enumerate(nodes):
        if op == "record":
            cls, name = args[0]["cls"], args[0].get("name") or args[0]["cls"].__name__
            wanted[index] = (name, f"{cls.__module__}.{name}")
        elif op == "table" and args[1] and isinstance(args[1][0][1], enum.Enum):
            cls = type(args[1][0][1])
            if args[0] == cls.__name__:
                wanted[index] = (cls.__name__, f"{cls.__module__}.{cls.__qualname__}")
    for number, index in enumerate(holding_themselves(nodes, wanted), 1):
        name = title if index == 0 else f"Part{number}"
        wanted[index] = (name, name)
    short = [_clean(name) for name, _ in wanted.values()]
    found: dict[int, str] = {}
    for index, (name, full) in wanted.items():
        best = _clean(name) if short.count(_clean(name)) == 1 else _clean(full)
        taken = set(found.values())
        number, one = 1, best
        while one in taken:
            number += 1
            one = f"{best}_{number}"
        found[index] = one
    return found


def _clean(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.\-]+", "_", name).strip("_")

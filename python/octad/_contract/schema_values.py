"""The words of JSON Schema for single values: scalars, names of maps, constraints, defaults.

Knows nothing of nodes that have children; `schema` does the walk.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from octad._settings import Settings

Schema = dict[str, Any]

_INTEGER = r"^-?(0|[1-9][0-9]*)$"
_NUMBER = r"^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$"
_MICROSOFT = r"^/Date\(-?[0-9]+([+-][0-9]{4})?\)/$"


def _open(mode: str, as_text: bool, *args: Any) -> Schema:
    return {}


def _only(word: str) -> Callable[..., Schema]:
    return lambda mode, as_text, *args: {"type": word}


def _int(mode: str, as_text: bool, from_text: bool = False) -> Schema:
    return _number("integer", _INTEGER, mode, as_text, from_text)


def _float(mode: str, as_text: bool, from_text: bool = False) -> Schema:
    return _number("number", _NUMBER, mode, as_text, from_text)


def _number(word: str, pattern: str, mode: str, as_text: bool, from_text: bool) -> Schema:
    if mode == "serialization":
        return {"type": "string", "pattern": pattern} if as_text else {"type": word}
    # A pattern says nothing about numbers.
    return {"type": [word, "string"], "pattern": pattern} if from_text else {"type": word}


def _decimal(mode: str, as_text: bool) -> Schema:
    if mode == "serialization":
        return {"type": "string" if as_text else "number"}
    return {"type": ["number", "string"]}


def _bytes(mode: str, as_text: bool, form: str = "base64") -> Schema:
    numbers = {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 255}}
    if form == "array":
        return numbers
    text = {"type": "string", "contentEncoding": "base16" if form == "hex" else form}
    if form != "any":
        return text
    return {"anyOf": [{"type": "string"}, numbers]}


def _moment(word: str) -> Callable[..., Schema]:
    def make(mode: str, as_text: bool, form: str = "rfc3339", *zones: Any) -> Schema:
        if form in ("rfc3339", "iso"):
            return {"type": "string", "format": word}
        if form in ("epoch", "epoch_ms", "seconds"):
            return {"type": "number"}
        if form == "microsoft":
            return {"type": "string", "pattern": _MICROSOFT}
        return {"type": "string"}

    return make


def _uuid(mode: str, as_text: bool) -> Schema:
    return {"type": "string", "format": "uuid"}


# What stands for a node that has no children, by its op.
VALUES: Mapping[str, Callable[..., Schema]] = {
    "any": _open,
    "raw": _open,
    "view": _open,
    "none": _only("null"),
    "bool": _only("boolean"),
    "str": _only("string"),
    "int": _int,
    "float": _float,
    "decimal": _decimal,
    "bytes": _bytes,
    "bytearray": _bytes,
    "memoryview": _bytes,
    "datetime": _moment("date-time"),
    "date": _moment("date"),
    "time": _moment("time"),
    "timedelta": _moment("duration"),
    "uuid": _uuid,
}


def _key_moment(word: str) -> Callable[..., Schema]:
    def make(form: str = "rfc3339", *zones: Any) -> Schema:
        return {"format": word} if form in ("rfc3339", "iso") else {}

    return make


def _key_table(title: str, rows: Any, fallback: Any) -> Schema:
    if fallback is not None or not all(isinstance(wire, str) for wire, _ in rows):
        return {}
    return enumeration([wire for wire, _ in rows])


# What stands for a node in the names of a map: these are texts, whatever is made of them.
KEYS: Mapping[str, Callable[..., Schema]] = {
    "int": lambda *args: {"pattern": _INTEGER},
    "float": lambda *args: {"pattern": _NUMBER},
    "bool": lambda *args: {"enum": ["true", "false"]},
    "uuid": lambda *args: {"format": "uuid"},
    "datetime": _key_moment("date-time"),
    "date": _key_moment("date"),
    "time": _key_moment("time"),
    "table": _key_table,
}


def enumeration(values: Sequence[Any]) -> Schema:
    """One of these values."""
    if len(values) == 1:
        return {"const": values[0]}
    words = {bool: "boolean", int: "integer", float: "number", str: "string"}
    kinds = {type(value) for value in values}
    word = words.get(kinds.pop()) if len(kinds) == 1 else None
    return {"type": word, "enum": list(values)} if word else {"enum": list(values)}


_BOUNDS = {
    "ge": "minimum",
    "gt": "exclusiveMinimum",
    "le": "maximum",
    "lt": "exclusiveMaximum",
    "multiple_of": "multipleOf",
}


def bounds(checks: Mapping[str, Any], op: str) -> Schema:
    """Bounds of numbers; those of dates and durations have no words."""
    found: Schema = {}
    if op not in ("int", "float", "decimal", "any", "union"):
        return found
    for key, word in _BOUNDS.items():
        value = checks.get(key)
        if isinstance(value, Decimal):
            value = int(value) if value == value.to_integral_value() else float(value)
        if isinstance(value, int | float) and not isinstance(value, bool):
            found[word] = value
    return found


_CONTAINERS = ("list", "set", "frozenset", "tuple", "row", "pairs")


def lengths(checks: Mapping[str, Any], op: str) -> Schema:
    """Lengths and patterns. A length of bytes is none of their text."""
    if op == "str":
        nouns = ["Length"]
    elif op in _CONTAINERS:
        nouns = ["Items"]
    elif op in ("dict", "record"):
        nouns = ["Properties"]
    elif op in ("any", "union"):
        nouns = ["Length", "Items", "Properties"]
    else:
        nouns = []
    found: Schema = {}
    for noun in nouns:
        for key, word in (("min_length", "min"), ("max_length", "max")):
            if checks.get(key) is not None:
                found[word + noun] = checks[key]
    if checks.get("pattern") is not None and op in ("str", "any", "union"):
        found["pattern"] = checks["pattern"]
    return found


def plain(kind: int, default: Any, settings: Settings | None) -> tuple[bool, Any]:
    """Whether a default can be shown, and how JSON shows it."""
    from octad import json

    if kind == 2 and default in (list, dict, set, frozenset, tuple):
        default = default()
    elif kind != 1:
        return False, None
    try:
        return True, json.loads(json.dumps(default, settings=settings))
    except Exception:
        return False, None

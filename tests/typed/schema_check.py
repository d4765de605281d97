"""A small judge of JSON Schema 2020-12: the keywords that octad writes, and no others.

An unknown keyword is an error, so that a misspelt one cannot pass for a constraint.
"""

from __future__ import annotations

import re
from typing import Any

_SAID_ONLY = {
    "$schema", "$defs", "title", "description", "default", "examples", "format",
    "contentEncoding", "discriminator", "readOnly",
}  # fmt: skip
_TYPES: dict[str, Any] = {
    "null": lambda value: value is None,
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: _number(value) and value == int(value),
    "number": lambda value: _number(value),
    "string": lambda value: isinstance(value, str),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}


def accepts(schema: Any, value: Any, root: Any = None) -> bool:
    """Whether a schema accepts a plain value."""
    if isinstance(schema, bool):
        return schema
    root = schema if root is None else root
    unknown = set(schema) - _SAID_ONLY - set(_CHECKS) - {"$ref"}
    assert not unknown, f"unknown keywords {unknown}"
    if "$ref" in schema:
        place, name = schema["$ref"].rsplit("/", 1)
        assert place == "#/$defs", schema["$ref"]
        if not accepts(root["$defs"][name], value, root):
            return False
    return all(
        _CHECKS[word](argument, value, schema, root)
        for word, argument in schema.items()
        if word in _CHECKS
    )


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _equal(one: Any, two: Any) -> bool:
    """Equal as JSON: 1 is 1.0, but no true."""
    if isinstance(one, bool) or isinstance(two, bool):
        return one is two
    return bool(one == two)


def _items(argument: Any, value: Any, schema: Any, root: Any) -> bool:
    if not isinstance(value, list):
        return True
    return all(accepts(argument, one, root) for one in value[len(schema.get("prefixItems", ())) :])


def _additional(argument: Any, value: Any, schema: Any, root: Any) -> bool:
    if not isinstance(value, dict):
        return True
    known, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
    return all(
        accepts(argument, item, root)
        for key, item in value.items()
        if key not in known and not any(re.search(one, key) for one in patterns)
    )


def _types(argument: Any, value: Any, *_: Any) -> bool:
    words = [argument] if isinstance(argument, str) else argument
    return any(_TYPES[word](value) for word in words)


def _sized(kind: Any, compare: Any) -> Any:
    return lambda argument, value, *_: not isinstance(value, kind) or compare(len(value), argument)


def _bounded(compare: Any) -> Any:
    return lambda argument, value, *_: not _number(value) or compare(value, argument)


def _unique(argument: Any, value: Any, *_: Any) -> bool:
    if not isinstance(value, list) or not argument:
        return True
    return not any(_equal(one, two) for at, one in enumerate(value) for two in value[:at])


_CHECKS: dict[str, Any] = {
    "type": _types,
    "const": lambda argument, value, *_: _equal(argument, value),
    "enum": lambda argument, value, *_: any(_equal(one, value) for one in argument),
    "anyOf": lambda some, value, _, root: any(accepts(one, value, root) for one in some),
    "allOf": lambda some, value, _, root: all(accepts(one, value, root) for one in some),
    "oneOf": lambda some, value, _, root: sum(accepts(one, value, root) for one in some) == 1,
    "properties": lambda known, value, _, root: (
        not isinstance(value, dict)
        or all(accepts(known[key], item, root) for key, item in value.items() if key in known)
    ),
    "patternProperties": lambda known, value, _, root: (
        not isinstance(value, dict)
        or all(
            accepts(inner, item, root)
            for pattern, inner in known.items()
            for key, item in value.items()
            if re.search(pattern, key)
        )
    ),
    "additionalProperties": _additional,
    "propertyNames": lambda names, value, _, root: (
        not isinstance(value, dict) or all(accepts(names, key, root) for key in value)
    ),
    "required": lambda names, value, *_: (
        not isinstance(value, dict) or all(name in value for name in names)
    ),
    "prefixItems": lambda first, value, _, root: (
        not isinstance(value, list)
        or all(accepts(one, item, root) for one, item in zip(first, value, strict=False))
    ),
    "items": _items,
    "uniqueItems": _unique,
    "minItems": _sized(list, lambda size, limit: size >= limit),
    "maxItems": _sized(list, lambda size, limit: size <= limit),
    "minLength": _sized(str, lambda size, limit: size >= limit),
    "maxLength": _sized(str, lambda size, limit: size <= limit),
    "minProperties": _sized(dict, lambda size, limit: size >= limit),
    "maxProperties": _sized(dict, lambda size, limit: size <= limit),
    "minimum": _bounded(lambda value, limit: value >= limit),
    "exclusiveMinimum": _bounded(lambda value, limit: value > limit),
    "maximum": _bounded(lambda value, limit: value <= limit),
    "exclusiveMaximum": _bounded(lambda value, limit: value < limit),
    "multipleOf": _bounded(lambda value, step: value % step == 0),
    "pattern": lambda pattern, value, *_: (
        not isinstance(value, str) or re.search(pattern, value) is not None
    ),
}

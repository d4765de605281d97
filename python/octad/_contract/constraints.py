"""Constraints in `Annotated[...]`: octad's own, those of annotated-types, msgspec and pydantic.

Owns which objects are understood and what each asks for. Those of other packages are recognised by
the name of their module and by their attributes; nothing is imported. Metadata that nobody knows is
skipped; a known one never.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable
from typing import Any

from octad._contract.fields import Field, merged
from octad._contract.hints import package_of
from octad._contract.refusal import refuse

BOUNDS = ("ge", "gt", "le", "lt")
LENGTHS = ("min_length", "max_length")
KEYS = (*BOUNDS, "multiple_of", *LENGTHS, "pattern")

Checks = dict[str, Any]

_ANNOTATED_TYPES = {
    "Gt": "gt",
    "Ge": "ge",
    "Lt": "lt",
    "Le": "le",
    "MultipleOf": "multiple_of",
    "MinLen": "min_length",
    "MaxLen": "max_length",
}


def _named(item: Any, package: str) -> set[str]:
    """The names of the classes of an object that a package has."""
    return {one.__name__ for one in type(item).__mro__ if package_of(one) == package}


def gather(metadata: Iterable[Any]) -> tuple[Field | None, Checks]:
    """The field and the checks that a row of metadata asks for."""
    field: Field | None = None
    checks: Checks = {}
    for item in metadata:
        if isinstance(item, Field):
            field = merged(field, item)
            for key in KEYS:
                value = getattr(item, key)
                if value is not None:
                    add(checks, key, value)
        elif not isinstance(item, type):
            _foreign(item, checks)
    return field, checks


def _foreign(item: Any, checks: Checks) -> None:
    if _named(item, "pydantic"):
        _pydantic(item, checks)
        return
    names = _named(item, "annotated_types")
    if names:
        _annotated_types(item, names, checks)
        return
    if "Meta" in _named(item, "msgspec"):
        for key in KEYS:
            value = getattr(item, key, None)
            if value is not None:
                add(checks, key, value)
        zone = getattr(item, "tz", None)
        if zone is not None:
            add(checks, "tz", zone)


def _pydantic(item: Any, checks: Checks) -> None:
    """`pydantic.Field(ge=1)`, `StringConstraints`, and what they are made of."""
    for inner in getattr(item, "metadata", None) or ():
        _foreign(inner, checks)
    for change in ("strip_whitespace", "to_upper", "to_lower"):
        if getattr(item, change, None):
            refuse(f"expected constraints that only check, found {change}= of pydantic")
    for key in KEYS:
        value = getattr(item, key, None)
        if value is not None:
            add(checks, key, getattr(value, "pattern", value))


def _annotated_types(item: Any, names: set[str], checks: Checks) -> None:
    for name, key in _ANNOTATED_TYPES.items():
        if name in names:
            add(checks, key, getattr(item, key))
            return
    if "Timezone" in names:
        zone = item.tz
        if zone is ...:
            add(checks, "tz", True)
        elif zone is None:
            add(checks, "tz", False)
        else:
            add(checks, "predicates", (in_zone(zone),))
        return
    if "Predicate" in names:
        add(checks, "predicates", (item.func,))
        return
    if "GroupedMetadata" in names or hasattr(item, "__is_annotated_types_grouped_metadata__"):
        for inner in item:
            _foreign(inner, checks)


def in_zone(zone: Any) -> Callable[[Any], bool]:
    """A check that a time has the offset that a zone has at that time."""
    if not isinstance(zone, dt.tzinfo):
        from zoneinfo import ZoneInfo

        zone = ZoneInfo(str(zone))
    there: dt.tzinfo = zone

    def has_zone(value: Any) -> bool:
        if getattr(value, "tzinfo", None) is None:
            return False
        return bool(value.utcoffset() == value.astimezone(there).utcoffset())

    has_zone.__qualname__ = f"in time zone {zone}"
    return has_zone


def add(checks: Checks, key: str, value: Any) -> None:
    """Adds one check; where two bounds say the same, the tighter one holds."""
    if key == "predicates":
        checks["predicates"] = (*checks.get("predicates", ()), *value)
        return
    old = checks.get(key)
    if old is not None and key != "tz":
        if key in ("ge", "gt", "min_length"):
            value = max(old, value)
        elif key in ("le", "lt", "max_length"):
            value = min(old, value)
        elif old != value:
            # Both hold: the second as a check of its own.
            checks.setdefault("also", []).append({key: value})
            return
    checks[key] = value


def split(checks: Checks, keys: Iterable[str]) -> tuple[Checks, Checks]:
    """Those of the given keys, and the others."""
    wanted = set(keys)
    inside = {key: value for key, value in checks.items() if key in wanted}
    return inside, {key: value for key, value in checks.items() if key not in wanted}

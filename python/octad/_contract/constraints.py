"""Constraints in `Annotated[...]`: octad's own, those of annotated-types, msgspec and pydantic.

Owns which objects are understood and what each asks for. Those of other packages are recognised by
the name of their module and by their attributes; nothing is imported. Metadata that nobody knows is
skipped; a known one never.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Iterable
from numbers import Number
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


def is_multiple(value: Any, unit: Any) -> bool:
    """Whether a number is exactly a multiple of another, whatever their sizes.

    >>> is_multiple(10**50, 0.1), is_multiple(3, 0.2)
    (True, True)

    Raises:
        ValueError: one of them is not finite.
    """
    (number, power), (of, of_power) = _parts(value), _parts(unit)
    if number == 0:
        return True
    up = power - of_power
    if up >= 0:
        return number * pow(10, up, of) % of == 0
    # Nothing is a multiple of what has more digits.
    return abs(number).bit_length() + 3 * up > 0 and number % (of * 10**-up) == 0


def _parts(number: Any) -> tuple[int, int]:
    """A finite number as a whole number and a power of ten."""
    from decimal import Decimal

    if isinstance(number, int):
        return int(number), 0
    exact = number if isinstance(number, Decimal) else Decimal(repr(float(number)))
    sign, digits, power = exact.as_tuple()
    if not isinstance(power, int):
        raise ValueError("expected a finite number")
    whole = int("".join(map(str, digits)) or "0")
    return -whole if sign else whole, power


# What the bounds of a kind of node have to be, for bounds that can only be wrong otherwise.
_BOUND_OF: dict[str, tuple[tuple[type, ...], str]] = {
    "int": ((Number,), "a number"),
    "float": ((Number,), "a number"),
    "decimal": ((Number,), "a number"),
    "datetime": ((dt.datetime,), "a datetime"),
    "date": ((dt.date,), "a date"),
    "time": ((dt.time,), "a time"),
    "timedelta": ((dt.timedelta,), "a timedelta"),
    "str": ((str,), "a str"),
}


def fault(checks: Checks, op: str) -> str | None:
    """What is wrong with checks in themselves, or for values of a kind of node."""
    kinds, words = _BOUND_OF.get(op, ((object,), "a bound"))
    for key in BOUNDS:
        bound = checks.get(key)
        if bound is None:
            continue
        if not isinstance(bound, kinds) or (op == "date" and isinstance(bound, dt.datetime)):
            return f"expected {words} for `{key}`, found {bound!r}"
        if isinstance(bound, Number) and not _is_ordered(bound):
            return f"expected a number that is one for `{key}`, found {bound!r}"
    unit = checks.get("multiple_of")
    if unit is not None and not (isinstance(unit, Number) and _is_ordered(unit, 0)):
        return f"expected a number above zero for `multiple_of`, found {unit!r}"
    return _contradiction(checks)


def _is_ordered(number: Any, above: float = -math.inf) -> bool:
    """Whether a number is more than another, and no infinity where that has to be finite."""
    try:
        return bool(above <= number <= math.inf and (above != 0 or 0 < number < math.inf))
    except (TypeError, ArithmeticError):
        return False


def _contradiction(checks: Checks) -> str | None:
    """Two checks that no value can meet together."""
    pairs = [(low, high) for low in ("ge", "gt") for high in ("le", "lt")]
    for low, high in (*pairs, ("min_length", "max_length")):
        if low not in checks or high not in checks:
            continue
        try:
            touching = low == "gt" or high == "lt"
            empty = checks[low] > checks[high] or (touching and checks[low] == checks[high])
        except TypeError:
            continue
        if empty:
            return (
                f"expected checks that a value can meet, found "
                f"{low}={checks[low]!r} and {high}={checks[high]!r}"
            )
    return None


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

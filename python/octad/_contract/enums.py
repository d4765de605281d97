"""Enums and `Literal`: tables from what stands in the data to what comes out.

Owns the rows; a row matches by kind and value, so `1`, `1.0` and `True` are three rows. Knows
nothing of nodes but the table.
"""

from __future__ import annotations

import base64
import enum
import typing
from collections.abc import Callable, Iterable
from typing import Any

from octad._contract.fields import contract_of
from octad._contract.hints import name_of
from octad._contract.refusal import refuse

Row = tuple[Any, Any]
_SCALARS = (bool, int, float, str)


def plain_scalar(value: Any) -> tuple[bool, Any]:
    """Whether a value is one that a table matches, and that value as the built-in type."""
    if value is None or type(value) in _SCALARS:
        return True, value
    for base in _SCALARS:
        if isinstance(value, base):
            return True, _exact(base, value)
    return False, value


def _exact(base: type, value: Any) -> Any:
    if base is str:
        return str.__str__(value)
    if base is int:
        return int.__index__(value)
    return float.__float__(value)


def distinct(rows: Iterable[Row]) -> tuple[Row, ...]:
    """The rows without those that an earlier one hides."""
    seen: set[tuple[type, Any]] = set()
    found: list[Row] = []
    for wire, result in rows:
        key = (type(wire), wire)
        if key not in seen:
            seen.add(key)
            found.append((wire, result))
    return tuple(found)


def title_of(rows: tuple[Row, ...]) -> str:
    """A short list of what a table takes, for messages."""
    names = [_shown(wire) for wire, _ in rows[:8]]
    if len(rows) > 8:
        return f"one of {', '.join(names)}, …"
    if len(names) == 1:
        return names[0]
    return f"{', '.join(names[:-1])} or {names[-1]}" if names else "a value of an empty enum"


def _shown(wire: Any) -> str:
    if wire is None:
        return "null"
    if isinstance(wire, bool):
        return "`true`" if wire else "`false`"
    return f"`{wire}`"


def by_name(cls: type[enum.Enum]) -> bool:
    """Whether an enum is written by the names of its members."""
    return contract_of(cls).get("enum") == "name"


def enum_rows(cls: type[enum.Enum]) -> tuple[Row, ...] | None:
    """The rows of an enum, or None where its values are not plain."""
    members = cls.__members__
    if by_name(cls):
        return distinct((name, member) for name, member in members.items())
    rows: list[Row] = []
    for member in members.values():
        plain, value = plain_scalar(member.value)
        if not plain:
            return None
        rows.append((value, member))
    return distinct(rows)


def fallback_of(cls: type[enum.Enum]) -> Callable[[Any], Any] | None:
    """What is asked for a value that no row has: combinations of flags, `_missing_`."""
    if by_name(cls):
        return _combined(cls) if issubclass(cls, enum.Flag) else None
    if issubclass(cls, enum.Flag):
        return _flag(cls)
    missing = getattr(cls._missing_, "__func__", cls._missing_)
    if missing is not enum.Enum._missing_.__func__:  # type: ignore[attr-defined]
        return cls
    return None


def _flag(cls: type[enum.Flag]) -> Callable[[Any], Any]:
    def flags(value: Any) -> Any:
        if type(value) is not int:
            raise ValueError(f"expected flags as an int, found {value!r}")
        return cls(value)

    return flags


def _combined(cls: type[enum.Flag]) -> Callable[[Any], Any]:
    def flags(value: Any) -> Any:
        if not isinstance(value, str):
            raise ValueError(f"expected names of flags, found {value!r}")
        found = cls(0)
        if value not in ("", "0"):
            for name in value.split("|"):
                member = cls.__members__.get(name.strip())
                if member is None:
                    raise ValueError(f"expected names of flags, found `{name.strip()}`")
                found |= member
        return found

    return flags


def value_types(cls: type[enum.Enum]) -> tuple[type, ...]:
    """The types of the values of an enum whose values are not plain."""
    found: dict[type, None] = {}
    for member in cls.__members__.values():
        found[type(member.value)] = None
    return tuple(found)


def frozen(value: Any) -> Any:
    """Lists as tuples, all the way down: what values of enums are made of."""
    return tuple(frozen(item) for item in value) if isinstance(value, list) else value


def from_frozen(cls: type[enum.Enum]) -> Callable[[Any], Any]:
    """An enum whose values are tuples, from lists."""

    def member(value: Any) -> Any:
        return cls(frozen(value))

    return member


def literal_rows(hint: Any, bytes_form: str) -> tuple[Row, ...]:
    """The rows of `Literal[...]`.

    Raises:
        ContractError: a value that has no plain form.
    """
    rows: list[Row] = []
    for value in typing.get_args(hint):
        wire = value
        if isinstance(value, enum.Enum):
            wire = value.name if by_name(type(value)) else value.value
        elif isinstance(value, bytes):
            wire = bytes_text(value, bytes_form)
        plain, wire = plain_scalar(wire)
        if not plain:
            refuse(f"{name_of(hint)}: expected plain values, found {value!r}")
        rows.append((wire, value))
    return distinct(rows)


def bytes_text(value: bytes, form: str) -> str:
    """A byte string in the form that texts have."""
    if form == "hex":
        return value.hex()
    if form == "base64url":
        return base64.urlsafe_b64encode(value).decode()
    return base64.b64encode(value).decode()

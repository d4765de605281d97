"""Types of the standard library that are one value in the data, and how each is read.

Owns the small functions between a plain value and such a type, and how specific the text of each
is, for unions. Modules that the user has not imported are not imported here: no annotation can
name their classes.
"""

from __future__ import annotations

import re
import sys
import types
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from typing import Any

from octad._contract.hints import a, package_of

# How specific the text of a type is: a union tries the lowest first. From CATCH_ALL on a type
# takes any text; two such in one union cannot be told apart.
RANK_TABLE = 0
RANK_UUID = 10
RANK_DATETIME = 20
RANK_DATE = 21
RANK_TIME = 22
RANK_TIMEDELTA = 23
RANK_FORMAT = 25
RANK_ADDRESS = 30
RANK_NETWORK = 31
RANK_INTERFACE = 32
RANK_ZONE = 40
RANK_ZONE_NAME = 41
RANK_NUMBER = 50
RANK_FRACTION = 52
RANK_COMPLEX = 53
RANK_FALLBACK = 60
CATCH_ALL = 90
RANK_ANY = 100


class Called:
    """A type read by calling something with a plain value."""

    __slots__ = ("child", "expected", "maker", "rank")

    def __init__(self, child: Any, maker: Callable[[Any], Any], expected: str, rank: int) -> None:
        self.child = child
        self.maker = maker
        self.expected = expected
        self.rank = rank


_OFFSET = re.compile(r"(?:UTC)?(?:([+-])(\d{2}):?(\d{2})(?::?(\d{2})(?:\.(\d{6}))?)?)?|Z")


def to_timezone(text: str) -> timezone:
    """`UTC`, `Z`, `+02:00`, `UTC-05:30`.

    >>> to_timezone("+02:00")
    datetime.timezone(datetime.timedelta(seconds=7200))

    Raises:
        ValueError: the text is no offset.
    """
    match = _OFFSET.fullmatch(text)
    if match is None or not text:
        raise ValueError("expected an offset such as `+02:00`")
    sign, hours, minutes, seconds, micros = match.groups()
    if sign is None:
        return UTC
    if int(minutes) > 59 or int(seconds or 0) > 59:
        raise ValueError("expected an offset such as `+02:00`")
    delta = timedelta(
        hours=int(hours),
        minutes=int(minutes),
        seconds=int(seconds or 0),
        microseconds=int(micros or 0),
    )
    return timezone(delta if sign == "+" else -delta)


def to_tzinfo(text: str) -> tzinfo:
    """An offset, or the name of a zone."""
    try:
        return to_timezone(text)
    except ValueError:
        from zoneinfo import ZoneInfo

        return ZoneInfo(text)


def to_complex(value: Any) -> complex:
    """A complex number of a number, of `1+2j`, or of its two parts."""
    if isinstance(value, (list, tuple)):
        return complex(*value)
    return complex(value)


def to_pattern(text: Any) -> re.Pattern[Any]:
    """A compiled regular expression.

    Raises:
        ValueError: it is none.
    """
    try:
        return re.compile(text)
    except re.error as error:
        raise ValueError(f"expected a regular expression ({error})") from None
    except (RecursionError, OverflowError) as error:
        raise ValueError(f"expected a simpler regular expression ({error})") from None


def _class(module: str, name: str) -> Any:
    loaded = sys.modules.get(module)
    return getattr(loaded, name, None) if loaded is not None else None


def called(cls: type, args: tuple[Any, ...]) -> Called | None:
    """How a class of the standard library is read, where it is one that is called."""
    if cls is timezone:
        return Called(str, to_timezone, "an offset such as `+02:00`", RANK_ZONE)
    if cls is tzinfo:
        return Called(str, to_tzinfo, "an offset or the name of a time zone", RANK_ZONE_NAME)
    if cls is complex:
        child: Any = int | float | str | tuple[float, float]
        return Called(child, to_complex, "a complex number", RANK_COMPLEX)
    if cls is re.Pattern:
        child = args[0] if args and args[0] in (str, bytes) else str
        return Called(child, to_pattern, "a regular expression", RANK_ANY)
    module = package_of(cls)
    if module == "ipaddress":
        return _address(cls)
    if module == "fractions" and cls.__name__ == "Fraction":
        from decimal import Decimal

        return Called(int | Decimal | str, to_fraction, "a fraction", RANK_FRACTION)
    if module == "zoneinfo" and cls is _class("zoneinfo", "ZoneInfo"):
        return Called(str, cls, "the name of a time zone", RANK_ZONE_NAME)
    if module == "pathlib":
        return Called(str, cls, "a path", RANK_ANY)
    if module == "os" and cls.__name__ == "PathLike":
        from pathlib import Path

        return Called(str, Path, "a path", RANK_ANY)
    if cls is types.SimpleNamespace:
        return Called(dict[str, Any], _to_namespace, "an object", RANK_ANY)
    return None


# The digits of a fraction's numerator or denominator: as many as an int may have by default.
_FRACTION_DIGITS = 4300
_EXPONENT = re.compile(r"[eE][+-]?0*([\d_]+)")


def to_fraction(value: Any) -> Any:
    """An exact fraction of a number, of `1/3` or of `0.1`.

    >>> to_fraction("-1/3")
    Fraction(-1, 3)

    Raises:
        ValueError: it is none, or one of too many digits.
    """
    from decimal import Decimal
    from fractions import Fraction

    size = 0
    if isinstance(value, str):
        exponent = _EXPONENT.search(value)
        if exponent is not None:
            size = int(exponent[1]) if len(exponent[1]) < 9 else 10**9
        size += len(value)
    elif isinstance(value, Decimal):
        _, digits, power = value.as_tuple()
        size = len(digits) + abs(power) if isinstance(power, int) else 0
    if size > _FRACTION_DIGITS:
        raise ValueError(f"expected a fraction of at most {_FRACTION_DIGITS} digits")
    try:
        return Fraction(value)
    except (ZeroDivisionError, OverflowError):
        raise ValueError(f"expected a fraction, found `{value}`") from None


def _to_namespace(members: dict[str, Any]) -> types.SimpleNamespace:
    return types.SimpleNamespace(**members)


_ADDRESSES = {
    "IPv4Address": ("an IPv4 address", RANK_ADDRESS),
    "IPv6Address": ("an IPv6 address", RANK_ADDRESS),
    "IPv4Network": ("an IPv4 network", RANK_NETWORK),
    "IPv6Network": ("an IPv6 network", RANK_NETWORK),
    "IPv4Interface": ("an IPv4 interface", RANK_INTERFACE),
    "IPv6Interface": ("an IPv6 interface", RANK_INTERFACE),
}


def _address(cls: type) -> Called | None:
    known = _ADDRESSES.get(cls.__name__)
    return Called(str, cls, *known) if known else None


# Bases whose subclasses are made by a call with the plain value of the base.
_CALL_BASES = (str, bytes, bytearray, int, float, complex)


def subclass_of_plain(cls: type) -> Called | None:
    """A user's subclass of a built-in value, such as `class UserId(str)`."""
    for base in _CALL_BASES:
        if issubclass(cls, base):
            return Called(base, cls, a(cls.__name__), RANK_ANY)
    if issubclass(cls, datetime):
        make: Any = cls
        return Called(
            datetime,
            lambda value: make.combine(value.date(), value.timetz()),
            a(cls.__name__),
            RANK_DATETIME,
        )
    if issubclass(cls, date):
        make = cls
        return Called(
            date,
            lambda value: make(value.year, value.month, value.day),
            a(cls.__name__),
            RANK_DATE,
        )
    if issubclass(cls, timedelta):
        make = cls
        return Called(
            timedelta,
            lambda value: make(value.days, value.seconds, value.microseconds),
            a(cls.__name__),
            RANK_TIMEDELTA,
        )
    decimal = _class("decimal", "Decimal")
    if decimal is not None and issubclass(cls, decimal):
        return Called(decimal, cls, a(cls.__name__), RANK_NUMBER)
    uuid = _class("uuid", "UUID")
    if uuid is not None and issubclass(cls, uuid):
        make = cls
        return Called(uuid, lambda value: make(int=value.int), a(cls.__name__), RANK_UUID)
    return None

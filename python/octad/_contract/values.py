"""Values that the plan has an op of their own for, in the style of their field.

Owns which form a number, a byte string or a moment has at a place: what its field says, else the
settings.
"""

from __future__ import annotations

import collections.abc
import sys
import uuid
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from octad import _core
from octad._contract import scalars
from octad._contract.refusal import refuse
from octad._contract.style import Env
from octad._settings import check_dates

if TYPE_CHECKING:
    from octad._contract.compile import Compiler

Maker = Callable[["Compiler", Env], int]


def bytes_form(compiler: Compiler, env: Env) -> str:
    """The form of byte strings at a place."""
    return env.style.bytes or compiler.settings.bytes or "base64"


def _simple(*node: Any) -> Maker:
    return lambda compiler, env: compiler.store(node)


def _ranked(rank: int, *node: Any) -> Maker:
    def make(compiler: Compiler, env: Env) -> int:
        index = compiler.store(node)
        compiler.ranks[index] = rank
        return index

    return make


def _number(op: str) -> Maker:
    def make(compiler: Compiler, env: Env) -> int:
        own = env.style.numbers_from_text
        return compiler.store((op, compiler.settings.numbers_from_text if own is None else own))

    return make


def _bytes(op: str) -> Maker:
    def make(compiler: Compiler, env: Env) -> int:
        index = compiler.store((op, bytes_form(compiler, env)))
        compiler.ranks[index] = scalars.CATCH_ALL
        return index

    return make


def _moment(op: str, rank: int) -> Maker:
    """`datetime` or `date`, in their form."""

    def make(compiler: Compiler, env: Env) -> int:
        form = compiler.settings.dates if env.style.dates is None else _checked(env)
        return _timed(compiler, op, form, rank if "%" not in form else scalars.RANK_FORMAT, env)

    return make


def _checked(env: Env) -> str:
    """A field's form of dates, refused where there is no such form."""
    form = env.style.dates or ""
    if form in ("iso", "seconds"):
        return "rfc3339"
    try:
        check_dates(form)
    except ValueError as error:
        refuse(f"{env.path}: {error}")
    return form


def _clock(compiler: Compiler, env: Env) -> int:
    """`time`: RFC 3339, or the format of its own field."""
    form = env.style.dates or "rfc3339"
    return _timed(compiler, "time", form if "%" in form else "rfc3339", scalars.RANK_TIME, env)


def _span(compiler: Compiler, env: Env) -> int:
    """`timedelta`: ISO 8601, or seconds where its own field says so."""
    form = "seconds" if env.style.dates in ("epoch", "seconds") else "iso"
    return _timed(compiler, "timedelta", form, scalars.RANK_TIMEDELTA, env)


def _timed(compiler: Compiler, op: str, form: str, rank: int, env: Env) -> int:
    index = compiler.store((op, form, env.style.zones or compiler.settings.zones))
    compiler.ranks[index] = rank
    return index


VALUES: dict[Any, Maker] = {
    Any: _simple("any"),
    object: _simple("any"),
    bool: _simple("bool"),
    str: _simple("str"),
    int: _number("int"),
    float: _number("float"),
    Decimal: _ranked(scalars.RANK_NUMBER, "decimal"),
    bytes: _bytes("bytes"),
    bytearray: _bytes("bytearray"),
    memoryview: _bytes("memoryview"),
    datetime: _moment("datetime", scalars.RANK_DATETIME),
    date: _moment("date", scalars.RANK_DATE),
    time: _clock,
    timedelta: _span,
    uuid.UUID: _ranked(scalars.RANK_UUID, "uuid"),
    _core.Raw: _simple("raw"),
    _core.Document: _simple("view"),
    _core.Element: _simple("view"),
    _core.Object: _simple("view"),
    _core.Array: _simple("view"),
}
if sys.version_info >= (3, 12):
    VALUES[collections.abc.Buffer] = _bytes("bytes")
# Not by attribute: later Pythons warn of it.
if "ByteString" in vars(collections.abc):
    VALUES[vars(collections.abc)["ByteString"]] = _bytes("bytes")

"""numpy's arrays and scalars as targets: made of plain values by numpy itself.

Owns the checks that numpy leaves out: no text becomes a number, no number is cut. numpy is never
imported here; whoever names its types has imported it.
"""

from __future__ import annotations

import sys
import typing
from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from octad._contract import scalars
from octad._contract.hints import a, name_of, package_of, spread
from octad._contract.refusal import refuse

if TYPE_CHECKING:
    from octad._contract.compile import Compiler
    from octad._contract.style import Env

Builder = Callable[["Compiler", Any, tuple[Any, ...], "Env"], int]


def builder(cls: type) -> Builder | None:
    """What reads an array or scalar of numpy, or None where the class is neither."""
    numpy = sys.modules.get("numpy")
    if numpy is None or package_of(cls) != "numpy":
        return None
    if issubclass(cls, numpy.ndarray):
        return _array
    if issubclass(cls, numpy.generic):
        return _scalar
    return None


def _array(compiler: Compiler, cls: Any, args: tuple[Any, ...], env: Env) -> int:
    numpy: Any = sys.modules["numpy"]
    # `NDArray` may be an alias with a type variable.
    shape, scalar = _parts(numpy, spread(args, env.scope, env.bindings))
    dtype = None if scalar is None else numpy.dtype(scalar)
    nan = compiler.settings.nan == "null"

    def make(value: Any) -> Any:
        array = to_array(numpy, value, dtype, nan)
        if shape is not None and array.ndim != shape:
            raise ValueError(f"expected {shape} dimensions, found {array.ndim}")
        return array if cls is numpy.ndarray else array.view(cls)

    what = "an array" if dtype is None else f"an array of {dtype}"
    index = compiler.put(("call", compiler.node(list, env), make, what))
    compiler.ranks[index] = scalars.RANK_ANY
    return index


def _parts(numpy: Any, args: tuple[Any, ...]) -> tuple[int | None, Any]:
    """The number of dimensions and the scalar type of `ndarray[shape, dtype[scalar]]`."""
    dimensions: int | None = None
    if args:
        parts = typing.get_args(args[0])
        if parts and not (len(parts) == 2 and parts[1] is ...):
            dimensions = len(parts)
    scalar = None
    if len(args) > 1:
        inner = typing.get_args(args[1])
        candidate = inner[0] if inner else None
        if isinstance(candidate, type) and candidate not in _abstract(numpy):
            scalar = candidate
    return dimensions, scalar


def _abstract(numpy: Any) -> tuple[Any, ...]:
    return (
        numpy.generic,
        numpy.number,
        numpy.integer,
        numpy.signedinteger,
        numpy.unsignedinteger,
        numpy.inexact,
        numpy.floating,
        numpy.complexfloating,
    )


def to_array(numpy: Any, value: list[Any], dtype: Any, nan: bool) -> Any:
    """An array of nested lists.

    Raises:
        ValueError: lists of different lengths, or a value that the type cannot hold exactly.
    """
    if nan:
        value = _without_null(value)
    if dtype is None:
        array = numpy.array(value)
        if array.dtype == object:
            raise ValueError("expected numbers, bools or texts of one kind")
        if array.dtype.kind in "iufc":
            _without_bools(value)
        return array
    if dtype.kind in "Mm":
        return numpy.array(value, dtype=dtype)
    if dtype.kind == "c":
        value = _of_texts(value)
    found = numpy.array(value)
    if not found.size:
        return found.astype(dtype)
    if dtype.kind != "b" and found.dtype.kind in "iufc":
        _without_bools(value)
    if dtype.kind in "fc" and dtype.itemsize < found.dtype.itemsize:
        return _narrowed(numpy, found, dtype)
    if found.dtype.kind not in _FROM.get(dtype.kind, dtype.kind):
        if found.dtype == object and dtype.kind in "iu":
            return numpy.array(value, dtype=dtype)
        raise ValueError(f"expected values of {dtype}, found {found.dtype}")
    # Made of the values themselves: numpy refuses whole numbers that do not fit.
    return numpy.array(value, dtype=dtype)


_FROM = {"b": "b", "i": "iu", "u": "iu", "f": "fiu", "c": "cfiu", "U": "U", "S": "U", "O": "biufUO"}


def _without_bools(value: Any) -> None:
    """Refuses bools among numbers, which numpy takes for numbers.

    Raises:
        ValueError: there is one.
    """
    waiting = [value]
    while waiting:
        items = waiting.pop()
        for item in items:
            if isinstance(item, list):
                waiting.append(item)
            elif isinstance(item, bool):
                raise ValueError("expected numbers of one kind, found a bool among them")


def _narrowed(numpy: Any, found: Any, dtype: Any) -> Any:
    """An array in a narrower type, in which every finite number stays one.

    Raises:
        ValueError: a number is too large.
    """
    with numpy.errstate(over="ignore"):
        made = found.astype(dtype)
    lost = numpy.isfinite(found) & ~numpy.isfinite(made)
    if lost.any():
        place = tuple(int(at) for at in numpy.argwhere(lost)[0])
        shown = "".join(f"[{at}]" for at in place)
        raise ValueError(f"expected numbers that {dtype} can hold, found {found[place]} at {shown}")
    return made


def _of_texts(value: Any) -> Any:
    if isinstance(value, list):
        return [_of_texts(item) for item in value]
    return scalars.to_complex(value) if isinstance(value, str) else value


def _without_null(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_null(item) for item in value]
    return float("nan") if value is None else value


def _narrow(numpy: Any, cls: Any) -> Callable[[float], Any]:
    """What makes a scalar of a float, unless the float is too large for it."""

    def make(value: float) -> Any:
        with numpy.errstate(over="ignore"):
            made = cls(value)
        if numpy.isinf(made) and not numpy.isinf(value):
            raise ValueError(f"expected a number that {cls.__name__} can hold, found {value}")
        return made

    return make


def _scalar(compiler: Compiler, cls: Any, args: tuple[Any, ...], env: Env) -> int:
    numpy: Any = sys.modules["numpy"]
    for base, child in (
        (numpy.bool_, bool),
        # Before the integers, one of which it is.
        (numpy.timedelta64, int | timedelta),
        (numpy.integer, int),
        (numpy.floating, float),
        (numpy.complexfloating, complex),
        (numpy.str_, str),
        (numpy.bytes_, bytes),
        (numpy.datetime64, str),
    ):
        if issubclass(cls, base):
            if cls in _abstract(numpy):
                break
            make = _narrow(numpy, cls) if child is float else cls
            called = scalars.Called(child, make, a(cls.__name__), scalars.RANK_ANY)
            return compiler.call(called, env)
    return refuse(f"{env.path}: expected a type that data can be read into, found {name_of(cls)}")

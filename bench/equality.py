"""Whether two results are the same: values, types, order of keys, floats bit for bit.

Used before any timing, so that no cell compares a right answer with a wrong one. Knows nothing of
libraries. `==` would not do: it takes 1, 1.0 and True for equal, 0.0 for -0.0, and one dict for
another of a different order, one moment for the same moment in another zone.
"""

from __future__ import annotations

import json
import struct
from datetime import datetime
from decimal import Decimal
from typing import Any


def same(left: Any, right: Any) -> bool:
    """True if both are the same all the way down; a NaN is the same as a NaN of equal bits."""
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return len(left) == len(right) and all(
            same(key, other) and same(value, right[other])
            for (key, value), other in zip(left.items(), right, strict=True)
        )
    if isinstance(left, list | tuple):
        return len(left) == len(right) and all(
            same(one, other) for one, other in zip(left, right, strict=True)
        )
    if isinstance(left, float):
        return bool(struct.pack("<d", left) == struct.pack("<d", right))
    if isinstance(left, Decimal):
        return bool(left.as_tuple() == right.as_tuple())
    if isinstance(left, datetime):
        return left == right and left.utcoffset() == right.utcoffset()
    return bool(left == right)


def reads_back(text: bytes | str, value: Any, *, decimal: bool) -> bool:
    """True if the standard library reads `text` as the same as `value`."""
    return same(standard_loads(text, decimal=decimal), value)


def standard_loads(text: bytes | str, *, decimal: bool) -> Any:
    """The reference: the standard library's reading of `text`."""
    return json.loads(text, parse_float=Decimal) if decimal else json.loads(text)

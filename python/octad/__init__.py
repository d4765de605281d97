"""Read, change, convert and write structured data on one flat tape of 64-bit tokens."""

from octad import json
from octad._core import Array, Document, Element, Object, Position, __version__
from octad._document import Kind
from octad._errors import (
    ClosedError,
    DecodeError,
    EncodeError,
    Error,
    ErrorCode,
    KindError,
    LimitError,
    PointerError,
    RangeError,
)
from octad._settings import Limits, Settings

__all__ = [
    "Array",
    "ClosedError",
    "DecodeError",
    "Document",
    "Element",
    "EncodeError",
    "Error",
    "ErrorCode",
    "Kind",
    "KindError",
    "LimitError",
    "Limits",
    "Object",
    "PointerError",
    "Position",
    "RangeError",
    "Settings",
    "__version__",
    "json",
]

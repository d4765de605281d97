"""Read, change, convert and write structured data on one flat tape of 64-bit tokens.

Every format is a module with the same verbs: `octad.json.loads`, `dumps`, `parse`, `check` and so
on. The verbs here choose the module by a file's extension.
"""

from octad import json
from octad._api import convert, dump, load, open
from octad._core import (
    Array,
    Document,
    Element,
    Object,
    Position,
    Raw,
    __version__,
    build_info,
    error_codes,
)
from octad._document import Kind
from octad._errors import (
    ClosedError,
    DecodeError,
    EditError,
    EncodeError,
    Error,
    ErrorCode,
    KindError,
    LimitError,
    LossError,
    PointerError,
    RangeError,
    StaleElementError,
    ValidationError,
)
from octad._formats import Format, formats
from octad._problems import Problem
from octad._settings import Limits, Settings

__all__ = [
    "Array",
    "ClosedError",
    "DecodeError",
    "Document",
    "EditError",
    "Element",
    "EncodeError",
    "Error",
    "ErrorCode",
    "Format",
    "Kind",
    "KindError",
    "LimitError",
    "Limits",
    "LossError",
    "Object",
    "PointerError",
    "Position",
    "Problem",
    "RangeError",
    "Raw",
    "Settings",
    "StaleElementError",
    "ValidationError",
    "__version__",
    "build_info",
    "convert",
    "dump",
    "error_codes",
    "formats",
    "json",
    "load",
    "open",
]

"""Read, change, convert and write structured data on one flat tape of 64-bit tokens.

Every format is a module with the same verbs: `octad.json.loads`, `dumps`, `parse`, `check` and so
on. The verbs here choose the module by a file's extension.
"""

from __future__ import annotations

from octad import json
from octad._core import (
    Array,
    Document,
    Element,
    Object,
    Position,
    Raw,
    __version__,
    build_info,
)
from octad._document import Kind
from octad._errors import (
    ClosedError,
    ContractError,
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
    error_codes,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from octad._api import convert, dump, load, open
    from octad._codec import Codec
    from octad._contract.describe import describe
    from octad._contract.fields import (
        UNSET,
        Field,
        UnsetType,
        constructor,
        contract,
        contract_for,
    )
    from octad._contract.schema import schema
    from octad._converters import Converter, ConverterFactory, Reader, Writer
    from octad._filling import load_into
    from octad._formats import Format, formats
    from octad._problems import Problem
    from octad._settings import Limits, Settings

__all__ = [
    "UNSET",
    "Array",
    "ClosedError",
    "Codec",
    "ContractError",
    "Converter",
    "ConverterFactory",
    "DecodeError",
    "Document",
    "EditError",
    "Element",
    "EncodeError",
    "Error",
    "ErrorCode",
    "Field",
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
    "Reader",
    "Settings",
    "StaleElementError",
    "UnsetType",
    "ValidationError",
    "Writer",
    "__version__",
    "build_info",
    "constructor",
    "contract",
    "contract_for",
    "convert",
    "describe",
    "dump",
    "error_codes",
    "formats",
    "json",
    "load",
    "load_into",
    "open",
    "schema",
]

# What needs dataclasses or the registry is imported when it is first asked for: half of the time
# that `import octad` would take.
_LATER = {
    "Codec": "_codec",
    "Converter": "_converters",
    "ConverterFactory": "_converters",
    "Field": "_contract.fields",
    "Format": "_formats",
    "Limits": "_settings",
    "Problem": "_problems",
    "Reader": "_converters",
    "Settings": "_settings",
    "UNSET": "_contract.fields",
    "UnsetType": "_contract.fields",
    "Writer": "_converters",
    "constructor": "_contract.fields",
    "contract": "_contract.fields",
    "contract_for": "_contract.fields",
    "convert": "_api",
    "describe": "_contract.describe",
    "dump": "_api",
    "formats": "_formats",
    "load": "_api",
    "load_into": "_filling",
    "open": "_api",
    "schema": "_contract.schema",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'octad' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"octad.{_LATER[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})

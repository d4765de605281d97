"""The compiled half of octad, as type checkers see it."""

from typing import Any, Literal

from typing_extensions import Buffer

from octad._settings import Limits, Settings

__version__: str

def error_codes() -> list[tuple[str, str, str]]: ...
def loads(
    data: str | Buffer,
    /,
    *,
    duplicates: Literal["last", "first", "error"] = "last",
    surrogates: Literal["error", "replace", "keep"] = "error",
    nan: Literal["error", "literal", "null"] = "error",
    comments: bool = False,
    trailing_commas: bool = False,
    floats: Literal["float", "decimal"] = "float",
    overflow: Literal["error", "inf"] = "error",
    limits: Limits | None = None,
    settings: Settings | None = None,
) -> Any: ...

"""The compiled half of octad, as type checkers see it."""

from collections.abc import Callable
from typing import Any, Literal, Self

from typing_extensions import Buffer

from octad._settings import Limits, Settings

_bytes = bytes  # a keyword of the writing calls has the same name

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
def dumps(
    value: Any,
    *,
    indent: int | str | None = None,
    newline: Literal["\n", "\r\n", "\r"] = "\n",
    final_newline: bool = False,
    sort_keys: bool = False,
    escape: Literal["minimal", "ascii", "html"] = "minimal",
    nan: Literal["error", "null", "literal", "string"] = "error",
    canonical: bool = False,
    default: Callable[[Any], Any] | None = None,
    bytes: Literal["base64", "base64url", "hex", "array"] | None = None,
    keys: Literal["text", "error"] = "text",
    surrogates: Literal["error", "replace", "keep"] = "error",
    limits: Limits | None = None,
    settings: Settings | None = None,
) -> _bytes: ...
def dumps_str(
    value: Any,
    *,
    indent: int | str | None = None,
    newline: Literal["\n", "\r\n", "\r"] = "\n",
    final_newline: bool = False,
    sort_keys: bool = False,
    escape: Literal["minimal", "ascii", "html"] = "minimal",
    nan: Literal["error", "null", "literal", "string"] = "error",
    canonical: bool = False,
    default: Callable[[Any], Any] | None = None,
    bytes: Literal["base64", "base64url", "hex", "array"] | None = None,
    keys: Literal["text", "error"] = "text",
    surrogates: Literal["error", "replace", "keep"] = "error",
    limits: Limits | None = None,
    settings: Settings | None = None,
) -> str: ...
def dump_into(
    value: Any,
    buffer: bytearray,
    offset: int = 0,
    *,
    indent: int | str | None = None,
    newline: Literal["\n", "\r\n", "\r"] = "\n",
    final_newline: bool = False,
    sort_keys: bool = False,
    escape: Literal["minimal", "ascii", "html"] = "minimal",
    nan: Literal["error", "null", "literal", "string"] = "error",
    canonical: bool = False,
    default: Callable[[Any], Any] | None = None,
    bytes: Literal["base64", "base64url", "hex", "array"] | None = None,
    keys: Literal["text", "error"] = "text",
    surrogates: Literal["error", "replace", "keep"] = "error",
    limits: Limits | None = None,
    settings: Settings | None = None,
) -> int: ...

class Raw:
    def __new__(cls, data: str | Buffer, trusted: bool = False) -> Self: ...
    @property
    def data(self) -> _bytes: ...

class Encoder:
    def __new__(
        cls,
        *,
        indent: int | str | None = None,
        newline: Literal["\n", "\r\n", "\r"] = "\n",
        final_newline: bool = False,
        sort_keys: bool = False,
        escape: Literal["minimal", "ascii", "html"] = "minimal",
        nan: Literal["error", "null", "literal", "string"] = "error",
        canonical: bool = False,
        default: Callable[[Any], Any] | None = None,
        bytes: Literal["base64", "base64url", "hex", "array"] | None = None,
        keys: Literal["text", "error"] = "text",
        surrogates: Literal["error", "replace", "keep"] = "error",
        limits: Limits | None = None,
        settings: Settings | None = None,
    ) -> Self: ...
    def dumps(self, value: Any) -> _bytes: ...
    def dumps_str(self, value: Any) -> str: ...
    def dump_into(self, value: Any, buffer: bytearray, offset: int = 0) -> int: ...
    def dump(self, value: Any, file: Any) -> None: ...

class _OpenContainer:
    def __enter__(self) -> Self: ...
    def __exit__(self, kind: object, error: object, trace: object, /) -> None: ...

class Writer:
    def __new__(
        cls,
        *,
        indent: int | str | None = None,
        newline: Literal["\n", "\r\n", "\r"] = "\n",
        final_newline: bool = False,
        sort_keys: bool = False,
        escape: Literal["minimal", "ascii", "html"] = "minimal",
        nan: Literal["error", "null", "literal", "string"] = "error",
        canonical: bool = False,
        default: Callable[[Any], Any] | None = None,
        bytes: Literal["base64", "base64url", "hex", "array"] | None = None,
        keys: Literal["text", "error"] = "text",
        surrogates: Literal["error", "replace", "keep"] = "error",
        limits: Limits | None = None,
        settings: Settings | None = None,
    ) -> Self: ...
    def list(self) -> _OpenContainer: ...
    def map(self) -> _OpenContainer: ...
    def key(self, key: Any) -> None: ...
    def entry(self, key: Any, value: Any) -> None: ...
    def value(self, value: Any) -> None: ...
    def raw(self, data: str | Buffer) -> None: ...
    def end(self) -> None: ...
    def finish(self) -> _bytes: ...

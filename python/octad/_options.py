"""The keyword options of the verbs, as types: what a type checker accepts in a call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypedDict

from octad._settings import BytesPolicy, Limits, NanPolicy, Settings


class ReadOptions(TypedDict, total=False):
    """Options of `loads`, `load` and `check`."""

    duplicates: Literal["last", "first", "error"]
    surrogates: Literal["error", "replace", "keep"]
    nan: Literal["error", "literal", "null"]
    comments: bool
    trailing_commas: bool
    floats: Literal["float", "decimal"]
    overflow: Literal["error", "inf"]
    limits: Limits | None
    settings: Settings | None


class ParseOptions(ReadOptions, total=False):
    """Options of `parse`, `try_parse` and `open`."""

    lazy_values: bool


class TypedOptions(ReadOptions, total=False):
    """Options of `loads`, `load` and `check` into a type: those of reading, and the options of
    `Settings` that a type's contract is made with.
    """

    rename: Any
    rename_keys: Any
    unknown: Literal["ignore", "forbid", "keep"]
    case_sensitive: bool
    numbers_from_text: bool
    dates: str
    zones: Literal["keep", "utc", "naive-error"]
    references: Any
    converters: Any


class DecoderOptions(ParseOptions, TypedOptions, total=False):
    """Options of a `Decoder` of a type."""


class WriteOptions(TypedDict, total=False):
    """Options of `dumps` and its relatives."""

    indent: int | str | None
    newline: Literal["\n", "\r\n", "\r"]
    final_newline: bool
    sort_keys: bool
    escape: Literal["minimal", "ascii", "html"]
    nan: NanPolicy
    canonical: bool
    default: Callable[[Any], Any] | None
    bytes: BytesPolicy | None
    keys: Literal["text", "error"]
    surrogates: Literal["error", "replace", "keep"]
    limits: Limits | None
    settings: Settings | None

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

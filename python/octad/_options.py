"""The keyword options of the verbs, as types: what a type checker accepts in a call."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal, TypedDict

from octad._naming import Rename
from octad._settings import (
    BytesPolicy,
    CyclePolicy,
    Limits,
    NanPolicy,
    Settings,
    UnknownPolicy,
    ZonePolicy,
)


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

    rename: Rename
    rename_keys: Rename
    unknown: UnknownPolicy
    case_sensitive: bool
    numbers_from_text: bool
    dates: str
    zones: ZonePolicy
    references: Any
    converters: Iterable[Any]


class DecoderOptions(ParseOptions, TypedOptions, total=False):
    """Options of a `Decoder` of a type."""


class WriteContract(TypedDict, total=False):
    """The options of `Settings` that a writing call takes as well."""

    rename: Rename
    rename_keys: Rename
    omit_none: bool
    omit_defaults: bool
    omit_empty: bool
    unknown: UnknownPolicy
    numbers_as_text: bool
    dates: str
    zones: ZonePolicy
    references: Any
    cycles: CyclePolicy
    converters: Iterable[Any]


class WriteOptions(WriteContract, total=False):
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
    keys: Literal["text", "error", "pairs"]
    surrogates: Literal["error", "replace", "keep"]
    limits: Limits | None
    settings: Settings | None

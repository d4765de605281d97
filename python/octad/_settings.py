"""`Limits` and `Settings`: one frozen object each, built once, usable in every call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

NanPolicy = Literal["error", "null", "literal", "string"]
BytesPolicy = Literal["base64", "base64url", "hex", "array"]

_MAX_DEPTH = 100_000


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a document may ask for. `None` switches a limit off.

    Attributes:
        depth: levels of nested containers, 1 to 100,000, for reading and writing.
        size: bytes of input.
        tokens: values and keys in one document.
        text: bytes of one text, as it stands in the input.
        digits: digits of one integer, when it becomes an `int`.
        expansion: how many times the input anything that multiplies may grow to.
        output: bytes of output.

    >>> Limits(depth=64).depth
    64
    """

    depth: int = 1024
    size: int | None = None
    tokens: int | None = None
    text: int | None = None
    digits: int | None = 4300
    expansion: int | None = 100
    output: int | None = None

    def __post_init__(self) -> None:
        for name in ("depth", "size", "tokens", "text", "digits", "expansion", "output"):
            value = getattr(self, name)
            if value is None and name != "depth":
                continue
            if not isinstance(value, int) or isinstance(value, bool):
                raise TypeError(f"limit {name}: expected an int, found {type(value).__name__}")
            least = 1 if name == "depth" else 0
            if value < least:
                raise ValueError(f"limit {name}: expected {least} or more, found {value}")
        if self.depth > _MAX_DEPTH:
            raise ValueError(f"limit depth: expected at most {_MAX_DEPTH}, found {self.depth}")


@dataclass(frozen=True, slots=True)
class Settings:
    """What holds for all formats, in one object that every call takes as `settings=`.

    Keyword options of a call win over the settings.

    Attributes:
        nan: what NaN and the infinities become when written: "error", "null", "literal" or
            "string". Reading takes "literal" and "null" likewise and refuses the words otherwise.
        bytes: the form of byte strings in text formats: "base64", "base64url", "hex", "array";
            None makes them an error.
        default: called with a value of unknown type; its result is written instead.
        limits: the `Limits`.
        show_input: whether error messages may show excerpts of the input. Keys stay in `path` and
            `pointer` of an error, and so in its text: they name the value at fault.
        hold_collector: whether Python's cyclic collector waits while objects are made of a text.
            False spreads its work over the call, where a third of the time may go to it.

    >>> Settings(nan="null").nan
    'null'
    """

    nan: NanPolicy = "error"
    bytes: BytesPolicy | None = None
    default: Callable[[Any], Any] | None = None
    limits: Limits = field(default_factory=Limits)
    show_input: bool = True
    hold_collector: bool = True

    def __post_init__(self) -> None:
        if self.nan not in ("error", "null", "literal", "string"):
            raise ValueError(f"nan: expected a policy by name, found {self.nan!r}")
        if self.bytes not in (None, "base64", "base64url", "hex", "array"):
            raise ValueError(f"bytes: expected a form by name, found {self.bytes!r}")
        if self.default is not None and not callable(self.default):
            raise TypeError("default: expected a callable")
        if not isinstance(self.limits, Limits):
            raise TypeError(f"limits: expected Limits, found {type(self.limits).__name__}")
        for name in ("show_input", "hold_collector"):
            if not isinstance(getattr(self, name), bool):
                raise TypeError(f"{name}: expected a bool")


Limits.__module__ = Settings.__module__ = "octad"

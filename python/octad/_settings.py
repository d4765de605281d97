"""`Limits` and `Settings`: one frozen object each, built once, usable in every call."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from octad._naming import Rename, normal

NanPolicy = Literal["error", "null", "literal", "string"]
BytesPolicy = Literal["base64", "base64url", "hex", "array"]
UnknownPolicy = Literal["ignore", "forbid", "keep"]
ZonePolicy = Literal["keep", "utc", "naive-error"]
LossPolicy = Literal["error", "report", "allow"]
CyclePolicy = Literal["error", "null"]

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

    Keyword options of a call win over a field's own, those over its class's
    (`@octad.contract`), those over the settings.

    Attributes:
        nan: what NaN and the infinities become when written: "error", "null", "literal" or
            "string". Reading takes "literal" and "null" likewise and refuses the words otherwise.
        bytes: the form of byte strings in text formats: "base64", "base64url", "hex", "array".
            None: base64 where a type says bytes, an error where none does.
        default: called with a value of unknown type; its result is written instead.
        limits: the `Limits`.
        show_input: whether error messages may show excerpts of the input. Keys stay in `path` and
            `pointer` of an error, and so in its text: they name the value at fault.
        hold_collector: whether Python's cyclic collector waits while objects are made of a text.
            False spreads its work over the call, where a third of the time may go to it.
        rename: names of fields in the data: "camel", "pascal", "snake", "kebab", "upper_snake",
            "lower", "upper", "none", a mapping, or a callable from name to name (None from it
            keeps the name).
        rename_keys: the same for the keys of dictionaries when they are written.
        omit_none: leave fields out that are None.
        omit_defaults: leave fields out that have their default.
        omit_empty: leave fields out that are empty texts or containers.
        unknown: members of an object that its class does not have: "ignore", "forbid" them, or
            "keep" them with the instance and write them again.
        case_sensitive: whether names of fields match by case.
        numbers_from_text: whether numbers are read from texts too.
        numbers_as_text: whether numbers of records are written as texts.
        dates: the form of `datetime` and `date`: "rfc3339", "epoch", "epoch_ms", "microsoft", or
            a format of `strftime` with a `%` in it.
        zones: "keep" what stands there, turn aware times into "utc", or refuse times without a
            zone ("naive-error").
        references: whether `$id`, `$ref` and `$values` mean shared objects; True, or an object
            with the methods `resolve(id)` and `id_of(object)`.
        cycles: a container inside itself, when written: "error" or "null".
        parallel: "auto" leaves threads to octad, "off" keeps all work on the calling thread.
        converters: `octad.Converter` and `octad.ConverterFactory` objects, the first that fits
            wins.
        lossy: what a target format cannot carry: "error", "report" or "allow".

    >>> Settings(rename="camel", omit_none=True).rename
    'camel'

    Raises:
        ValueError: a word that an option does not have.
        TypeError: a value of another kind than the option's.
    """

    nan: NanPolicy = "error"
    bytes: BytesPolicy | None = None
    default: Callable[[Any], Any] | None = None
    limits: Limits = field(default_factory=Limits)
    show_input: bool = True
    hold_collector: bool = True
    rename: Rename = None
    rename_keys: Rename = None
    omit_none: bool = False
    omit_defaults: bool = False
    omit_empty: bool = False
    unknown: UnknownPolicy = "ignore"
    case_sensitive: bool = True
    numbers_from_text: bool = False
    numbers_as_text: bool = False
    dates: str = "rfc3339"
    zones: ZonePolicy = "keep"
    references: Any = False
    cycles: CyclePolicy = "error"
    parallel: Literal["auto", "off"] = "auto"
    converters: Iterable[Any] = ()
    lossy: LossPolicy = "error"
    _hash: int = field(init=False, repr=False, compare=False, default=0)

    def __post_init__(self) -> None:
        for name, words in _WORDS.items():
            value = getattr(self, name)
            if not isinstance(value, str) or value not in words:
                if name == "nan":
                    raise ValueError(f"nan: expected a policy by name, found {value!r}")
                known = ", ".join(words)
                raise ValueError(f"{name}: expected a word among {known}, found {value!r}")
        if self.bytes not in (None, "base64", "base64url", "hex", "array"):
            raise ValueError(f"bytes: expected a form by name, found {self.bytes!r}")
        if self.default is not None and not callable(self.default):
            raise TypeError("default: expected a callable")
        if not isinstance(self.limits, Limits):
            raise TypeError(f"limits: expected Limits, found {type(self.limits).__name__}")
        for name in _SWITCHES:
            if not isinstance(getattr(self, name), bool):
                raise TypeError(f"{name}: expected a bool")
        check_dates(self.dates)
        if not isinstance(self.references, bool):
            for method in ("resolve", "id_of"):
                if not callable(getattr(self.references, method, None)):
                    raise TypeError(
                        "references: expected a bool or an object with `resolve` and `id_of`"
                    )
        # A frozen object is filled from within.
        for name in ("rename", "rename_keys"):
            object.__setattr__(self, name, normal(getattr(self, name), name))
        converters: Any = self.converters
        if converters != ():
            from octad._converters import as_converters

            converters = as_converters(converters)
        object.__setattr__(self, "converters", converters)
        object.__setattr__(self, "_hash", hash(tuple(getattr(self, name) for name in _COMPARED)))

    def __hash__(self) -> int:
        return self._hash


def check_dates(form: object, option: str = "dates") -> None:
    """Refuses what is no form of dates.

    Raises:
        ValueError: neither one of the names nor a format with a `%`.
    """
    if not isinstance(form, str) or (form not in DATE_FORMS and "%" not in form):
        known = ", ".join(DATE_FORMS)
        raise ValueError(
            f"{option}: expected a form among {known}, or a format with `%`, found {form!r}"
        )


DATE_FORMS = ("rfc3339", "epoch", "epoch_ms", "microsoft")
ZONES = ("keep", "utc", "naive-error")
BYTES_FORMS = ("base64", "base64url", "hex", "array")
UNKNOWN = ("ignore", "forbid", "keep")
_WORDS: dict[str, tuple[str, ...]] = {
    "nan": ("error", "null", "literal", "string"),
    "unknown": UNKNOWN,
    "zones": ZONES,
    "cycles": ("error", "null"),
    "parallel": ("auto", "off"),
    "lossy": ("error", "report", "allow"),
}
_SWITCHES = (
    "show_input",
    "hold_collector",
    "omit_none",
    "omit_defaults",
    "omit_empty",
    "case_sensitive",
    "numbers_from_text",
    "numbers_as_text",
)
_COMPARED = tuple(one.name for one in fields(Settings) if one.compare)

Limits.__module__ = Settings.__module__ = "octad"

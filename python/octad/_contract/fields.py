"""What users say about fields and classes: `Field`, `contract`, `contract_for`, `constructor`.

Owns how it is stored and found again: on the class itself, or in a side table for classes one does
not own, nearest ancestor first. Knows nothing of plans; whoever changes a contract empties the
cache.
"""

from __future__ import annotations

import enum
import weakref
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, TypedDict, TypeVar, Unpack, overload

from octad._contract.cache import forget
from octad._contract.refusal import refuse
from octad._naming import Rename, normal
from octad._settings import BYTES_FORMS, UNKNOWN, ZONES

T = TypeVar("T")
F = TypeVar("F", bound="Callable[..., Any] | classmethod[Any, Any, Any] | staticmethod[Any, Any]")


class MissingType(enum.Enum):
    """The type of `MISSING`: no value was given."""

    MISSING = "MISSING"

    def __repr__(self) -> str:
        return "octad.MISSING"


class UnsetType(enum.Enum):
    """The type of `octad.UNSET`, for annotations: `int | octad.UnsetType`."""

    UNSET = "UNSET"

    def __repr__(self) -> str:
        return "octad.UNSET"

    def __bool__(self) -> Literal[False]:
        return False


MISSING = MissingType.MISSING
UNSET = UnsetType.UNSET
UnsetType.__module__ = "octad"

_CONSTRAINTS = ("ge", "gt", "le", "lt", "multiple_of", "min_length", "max_length", "pattern")
_OF_FIELDS = (
    "name",
    "aliases",
    "order",
    "ignore",
    "omit_if",
    "default",
    "default_factory",
    "flatten",
    "extra",
)
_NAMES = (
    *_OF_FIELDS,
    "converter",
    "item_converter",
    "dates",
    "zones",
    "bytes",
    "numbers_from_text",
    "numbers_as_text",
    *_CONSTRAINTS,
)
_BLANK: dict[str, Any] = dict.fromkeys(_NAMES)
_BLANK.update(
    aliases=(), ignore=False, default=MISSING, default_factory=MISSING, flatten=False, extra=False
)


class Field:
    """What holds for one field: in `Annotated[...]`, or as `metadata={"octad": Field(...)}`.

    Args:
        name: its name in the data.
        aliases: further names that are read.
        order: place in what is written; fields without one keep theirs, after those that have one.
        ignore: True leaves the field out both ways, "read" or "write" one way.
        omit_if: called with the value; where it says True the field is not written.
        converter: an `octad.Converter` for this field.
        item_converter: the same for each item of a list or each value of a dict.
        default: the value where the data has none.
        default_factory: called for the value where the data has none.
        dates: the form of dates and times: "rfc3339", "epoch", "epoch_ms", "microsoft", or a
            format with `%`.
        zones: "keep", "utc" or "naive-error".
        bytes: "base64", "base64url", "hex" or "array".
        numbers_from_text: whether numbers are read from texts too.
        numbers_as_text: whether numbers are written as texts.
        ge: the least value.
        gt: the value has to be more.
        le: the greatest value.
        lt: the value has to be less.
        multiple_of: the value is a multiple of this.
        min_length: the least length of a text or container.
        max_length: the greatest length.
        pattern: a regular expression that is found in the text.
        flatten: the members of this field stand among those of its owner.
        extra: the members that no field has are kept here.

    >>> from typing import Annotated
    >>> Level = Annotated[int, Field(name="lvl", ge=1)]
    >>> Field(name="lvl", ge=1)
    octad.Field(name='lvl', ge=1)

    Raises:
        TypeError: a value of a kind that the option does not take.
        ValueError: a value that the option does not take.
    """

    __slots__ = (*_NAMES, "_given")

    name: str | None
    aliases: tuple[str, ...]
    order: int | None
    ignore: bool | Literal["read", "write"]
    omit_if: Callable[[Any], bool] | None
    converter: Any
    item_converter: Any
    default: Any
    default_factory: Any
    dates: str | None
    zones: str | None
    bytes: str | None
    numbers_from_text: bool | None
    numbers_as_text: bool | None
    ge: Any
    gt: Any
    le: Any
    lt: Any
    multiple_of: Any
    min_length: int | None
    max_length: int | None
    pattern: str | None
    flatten: bool
    extra: bool

    def __init__(
        self,
        *,
        name: str | None = None,
        aliases: Iterable[str] = (),
        order: int | None = None,
        ignore: bool | Literal["read", "write"] = False,
        omit_if: Callable[[Any], bool] | None = None,
        converter: Any = None,
        item_converter: Any = None,
        default: Any = MISSING,
        default_factory: Any = MISSING,
        dates: str | None = None,
        zones: Literal["keep", "utc", "naive-error"] | None = None,
        bytes: Literal["base64", "base64url", "hex", "array"] | None = None,
        numbers_from_text: bool | None = None,
        numbers_as_text: bool | None = None,
        ge: Any = None,
        gt: Any = None,
        le: Any = None,
        lt: Any = None,
        multiple_of: Any = None,
        min_length: int | None = None,
        max_length: int | None = None,
        pattern: str | None = None,
        flatten: bool = False,
        extra: bool = False,
    ) -> None:
        given = locals()
        given = {key: given[key] for key in _NAMES if given[key] is not _BLANK[key]}
        if isinstance(aliases, str):
            raise TypeError("aliases: expected several names, found a str")
        if "aliases" in given:
            given["aliases"] = aliases = tuple(aliases)
        for text in (*aliases, *([] if name is None else [name])):
            if not isinstance(text, str):
                raise TypeError(f"name: expected a str, found {type(text).__name__}")
        if order is not None and (isinstance(order, bool) or not isinstance(order, int)):
            raise TypeError(f"order: expected an int, found {type(order).__name__}")
        if ignore not in (False, True, "read", "write"):
            raise ValueError(f'ignore: expected True, "read" or "write", found {ignore!r}')
        for option in ("omit_if", "default_factory"):
            if option in given and not callable(given[option]):
                raise TypeError(f"{option}: expected a callable")
        if "default" in given and "default_factory" in given:
            raise ValueError("default: expected one of default and default_factory, found both")
        for option in ("min_length", "max_length"):
            length = given.get(option, 0)
            if isinstance(length, bool) or not isinstance(length, int):
                raise TypeError(f"{option}: expected an int, found {type(length).__name__}")
            if length < 0:
                raise ValueError(f"{option}: expected 0 or more, found {length}")
        if pattern is not None and not isinstance(pattern, str):
            raise TypeError(f"pattern: expected a str, found {type(pattern).__name__}")
        if dates is not None and (not isinstance(dates, str) or not dates):
            raise TypeError("dates: expected a form by name")
        for option, words in (("zones", ZONES), ("bytes", BYTES_FORMS)):
            if option in given and given[option] not in words:
                known = ", ".join(words)
                raise ValueError(f"{option}: expected one of {known}, found {given[option]!r}")
        for option in ("flatten", "extra", "numbers_from_text", "numbers_as_text"):
            if option in given and not isinstance(given[option], bool):
                raise TypeError(f"{option}: expected a bool")
        for key in _NAMES:
            object.__setattr__(self, key, given.get(key, _BLANK[key]))
        object.__setattr__(self, "_given", given)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"octad.Field is frozen: cannot set {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"octad.Field is frozen: cannot delete {name!r}")

    def _key(self) -> frozenset[Any]:
        # 1, 1.0 and True are different defaults.
        return frozenset((name, type(value), value) for name, value in self._options().items())

    def _options(self) -> dict[str, Any]:
        options: dict[str, Any] = object.__getattribute__(self, "_given")
        return options

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Field):
            return NotImplemented
        if self is other:
            return True
        mine, its = self._options(), other._options()
        return mine.keys() == its.keys() and all(
            type(value) is type(its[name]) and bool(value == its[name])
            for name, value in mine.items()
        )

    def __hash__(self) -> int:
        try:
            return hash(self._key())
        except TypeError:
            return hash(tuple(sorted(self._options())))

    def __repr__(self) -> str:
        options = ", ".join(f"{name}={value!r}" for name, value in self._options().items())
        return f"octad.Field({options})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _field, (self._options(),)


Field.__module__ = "octad"


def _field(options: dict[str, Any]) -> Field:
    return Field(**options)


def merged(first: Field | None, second: Field | None) -> Field | None:
    """Both together; the second wins."""
    if first is None or second is None:
        return second or first
    options = {**first._options(), **second._options()}
    if "default" in second._options():
        options.pop("default_factory", None)
    elif "default_factory" in second._options():
        options.pop("default", None)
    return Field(**options)


def field_only(field: Field) -> list[str]:
    """The options that mean something on a field of a class only."""
    return [name for name in _OF_FIELDS if name in field._options()]


class Contract:
    """The options of one class as given; what was not given is not in `options`."""

    __slots__ = ("options",)

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = options

    @property
    def converter(self) -> Any:
        """The converter of the class, or None."""
        return self.options.get("converter")

    def __repr__(self) -> str:
        return f"<octad contract {self.options}>"


_PLACES = ("inside", "beside", "around")
# Contracts of classes that their users do not own.
_side: weakref.WeakKeyDictionary[type, Contract] = weakref.WeakKeyDictionary()


class ContractOptions(TypedDict, total=False):
    """What `contract` and `contract_for` take."""

    rename: Rename | MissingType
    rename_keys: Rename | MissingType
    omit_none: bool | MissingType
    omit_defaults: bool | MissingType
    omit_empty: bool | MissingType
    unknown: Literal["ignore", "forbid", "keep"] | MissingType
    case_sensitive: bool | MissingType
    tag: Any
    tag_field: str | MissingType
    tag_place: Literal["inside", "beside", "around"] | MissingType
    order: Iterable[str] | MissingType
    array: bool | MissingType
    properties: Iterable[str] | MissingType
    include: Iterable[str] | MissingType
    allow: Any
    converter: Any
    enum: Literal["value", "name"] | MissingType


def _checked(caller: str, given: Mapping[str, Any]) -> Contract:
    unknown = given.keys() - ContractOptions.__annotations__.keys()
    if unknown:
        raise TypeError(f"{caller}: there is no option {sorted(unknown)[0]!r}")
    options = {name: value for name, value in given.items() if value is not MISSING}
    for name in ("rename", "rename_keys"):
        if name in options:
            options[name] = normal(options[name], name)
    for name in ("omit_none", "omit_defaults", "omit_empty", "case_sensitive", "array"):
        if name in options and not isinstance(options[name], bool):
            raise TypeError(f"{name}: expected a bool")
    if options.get("unknown", "ignore") not in UNKNOWN:
        raise ValueError(
            f"unknown: expected one of {', '.join(UNKNOWN)}, found {options['unknown']!r}"
        )
    tag = options.get("tag")
    if tag is not None and not (isinstance(tag, (bool, str, int)) or callable(tag)):
        raise TypeError(f"tag: expected True, a str, an int or a callable, found {tag!r}")
    if not isinstance(options.get("tag_field", ""), str):
        raise TypeError("tag_field: expected a str")
    if options.get("tag_place", "inside") not in _PLACES:
        raise ValueError(
            f"tag_place: expected one of {', '.join(_PLACES)}, found {options['tag_place']!r}"
        )
    if options.get("enum", "value") not in ("value", "name"):
        raise ValueError(f'enum: expected "value" or "name", found {options["enum"]!r}')
    for name in ("order", "properties", "include"):
        if name in options:
            if isinstance(options[name], str):
                raise TypeError(f"{name}: expected several names, found a str")
            options[name] = tuple(options[name])
            if not all(isinstance(one, str) for one in options[name]):
                raise TypeError(f"{name}: expected names as str")
    if "allow" in options and not isinstance(options["allow"], Mapping):
        allow = options["allow"]
        options["allow"] = allow if callable(allow) else tuple(allow)
    return Contract(options)


@overload
def contract(cls: type[T], /) -> type[T]: ...


@overload
def contract(**options: Unpack[ContractOptions]) -> Callable[[type[T]], type[T]]: ...


def contract(cls: Any = None, /, **options: Unpack[ContractOptions]) -> Any:
    """Settings of one class, and of its subclasses where they do not say otherwise.

    Args:
        cls: the class, where the decorator is used without options.
        rename: names of the fields: a policy, a mapping or a callable, as in `octad.Settings`.
        rename_keys: the same for the keys of dictionaries in its fields.
        omit_none: leave fields out that are None.
        omit_defaults: leave fields out that have their default.
        omit_empty: leave fields out that are empty.
        unknown: "ignore", "forbid" or "keep" members that are no field.
        case_sensitive: whether names match by case.
        tag: a value that tells the class in the data: True is its name, or a str, an int, or a
            callable from the class's name to the tag.
        tag_field: the name of the member with the tag.
        tag_place: "inside" the object, "beside" it in its owner, or "around" it, as the only key
            of an object.
        order: names of fields that are written first, in this order.
        array: written and read as an array of its fields instead of an object.
        properties: names of properties that are written too, and read where they can be set.
        include: further attributes that are written and read, such as private ones.
        allow: the subclasses that may stand where this class is asked for, told apart by their
            tags: classes, names of classes, a mapping from tag to class, or a callable that gives
            one of these. Nothing else is ever made of a tag.
        converter: an `octad.Converter` for the class.
        enum: whether an enum is written by "value" or by "name".

    >>> import octad
    >>> from dataclasses import dataclass
    >>> @octad.contract(rename="camel", tag=True)
    ... @dataclass
    ... class Weapon:
    ...     max_damage: int

    Raises:
        TypeError: a value of a kind that the option does not take.
        ValueError: a word that the option does not have.
    """
    made = _checked("contract", options)

    def mark(target: type[T]) -> type[T]:
        if not isinstance(target, type):
            raise TypeError(f"contract: expected a class, found {type(target).__name__}")
        target.__octad_contract__ = made  # type: ignore[attr-defined]
        forget()
        return target

    return mark if cls is None else mark(cls)


def contract_for(cls: type, /, **options: Unpack[ContractOptions]) -> None:
    """`octad.contract` for a class one does not own: kept beside it, not on it.

    Takes the options of `octad.contract`; a second call replaces those of the first.

    >>> import octad
    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Theirs:
    ...     user_id: int
    >>> octad.contract_for(Theirs, rename="camel")

    Raises:
        TypeError: not a class, or an option that there is not.
    """
    if not isinstance(cls, type):
        raise TypeError(f"contract_for: expected a class, found {type(cls).__name__}")
    _side[cls] = _checked("contract_for", options)
    forget()


_OWN_ONLY = ("allow", "converter")


def own_contract(cls: type) -> Contract | None:
    """What was said about this very class."""
    found = _side.get(cls) if _side else None
    if found is None:
        found = cls.__dict__.get("__octad_contract__")
    return found if isinstance(found, Contract) else None


_NOTHING: dict[str, Any] = {}


def contract_of(cls: type) -> dict[str, Any]:
    """The options of a class: its own over those of its ancestors, the nearest first."""
    options: dict[str, Any] | None = None
    for base in cls.__mro__[::-1]:
        found = own_contract(base)
        if found is not None:
            if options is None:
                options = {}
            for name in _OWN_ONLY:
                options.pop(name, None)
            options.update(found.options)
    if options is None:
        return _NOTHING
    own = own_contract(cls)
    for name in _OWN_ONLY:
        if name in options and (own is None or name not in own.options):
            del options[name]
    return options


def tag_of(cls: type, options: dict[str, Any]) -> Any:
    """The tag of a class, or None."""
    tag = options.get("tag")
    if tag is None or tag is False:
        return None
    if tag is True:
        return cls.__name__
    if isinstance(tag, (str, int)):
        return tag
    tag = tag(cls.__name__)
    if isinstance(tag, enum.Enum):
        tag = tag.value
    if not isinstance(tag, (str, int)):
        refuse(f"{cls.__qualname__}: expected a tag as str, int or bool, found {tag!r}")
    return tag


# Whether a constructor was ever marked: without one no class is searched.
marks: list[bool] = []


def constructor(function: F) -> F:
    """Marks the constructor that makes instances from data: its parameters are bound by name.

    The mark goes on a classmethod, a staticmethod or on `__init__`.

    >>> import octad
    >>> class Point:
    ...     def __init__(self, pair):
    ...         self.x, self.y = pair
    ...     @octad.constructor
    ...     @classmethod
    ...     def from_parts(cls, x: int, y: int) -> "Point":
    ...         return cls((x, y))

    Raises:
        TypeError: neither a function nor a classmethod or staticmethod.
    """
    if not isinstance(function, (classmethod, staticmethod)) and not callable(function):
        raise TypeError(f"constructor: expected a function, found {type(function).__name__}")
    function.__octad_constructor__ = True  # type: ignore[union-attr]
    if not marks:
        marks.append(True)
    return function

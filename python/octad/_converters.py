"""`Converter` and `ConverterFactory`: a class's own way into any format and back.

Owns how a converter says what it is for, and which one is taken for a type: `converter_for` is the
one place that decides. What a converter reads from and writes to (`Reader`, `Writer`) is compiled.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from types import UnionType
from typing import (
    Any,
    ClassVar,
    ForwardRef,
    Generic,
    Literal,
    TypeVar,
    Union,
    get_args,
    get_origin,
)

from octad._core import ConverterWriter as Writer
from octad._core import Reader
from octad._errors import ClosedError, EncodeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from octad._settings import Settings

__all__ = [
    "Converter",
    "ConverterFactory",
    "Reader",
    "Way",
    "Writer",
    "as_converter",
    "as_converters",
    "converter_for",
    "goes",
    "kinds_of",
    "types_of",
]

T = TypeVar("T")

Way = Literal["read", "write", "read_key", "write_key"]


class Converter(Generic[T]):
    """How values of a type are read and written, whatever the format.

    Derive from `Converter[Vector]` and define `read`, `write` or both; octad keeps its own way for
    what is not defined. `read_key` and `write_key` are for keys of dictionaries. Then give an
    instance to `Settings(converters=[...])`, to a field as `octad.Field(converter=...)`, or to a
    class as `@octad.contract(converter=...)`. Built-in types may be overridden too.

    One instance serves all calls and threads: what belongs to one call is no matter for `self`.

    Attributes:
        types: the types it is for, where that is not just `T`.
        subclasses: whether it is for subclasses of these too.
        kinds: the kinds of values that it reads, by the names of `octad.Kind`; none: any. They
            tell it from the other members of a union.

    >>> import octad
    >>> class Vector:
    ...     def __init__(self, x, y):
    ...         self.x, self.y = x, y
    >>> class VectorConverter(octad.Converter[Vector]):
    ...     def read(self, r):
    ...         return Vector(*r.read(tuple[float, float]))
    ...     def write(self, w, value):
    ...         w.value((value.x, value.y))
    >>> settings = octad.Settings(converters=[VectorConverter()])
    >>> octad.json.dumps({"speed": Vector(3, 4)}, settings=settings)
    b'{"speed":[3,4]}'
    """

    types: ClassVar[tuple[Any, ...]] = ()
    subclasses: ClassVar[bool] = False
    kinds: ClassVar[tuple[str, ...]] = ()

    def read(self, r: Reader, /) -> T:
        """Make a value of what stands at the reader.

        Raise `r.error("…")`, or any `ValueError`, for what does not fit.
        """
        raise NotImplementedError(f"{type(self).__qualname__} does not read")

    def write(self, w: Writer, value: T, /) -> None:
        """Write `value`: exactly one value of the format, of any kind.

        Raise `w.error("…")` for what cannot be written.
        """
        raise NotImplementedError(f"{type(self).__qualname__} does not write")

    def read_key(self, text: str, /) -> T:
        """Make a value of a dictionary's key."""
        raise NotImplementedError(f"{type(self).__qualname__} does not read keys")

    def write_key(self, value: T, /) -> str:
        """The key of a dictionary that stands for `value`."""
        raise NotImplementedError(f"{type(self).__qualname__} does not write keys")


class ConverterFactory:
    """Makes converters for a family of types, such as all classes with a certain base.

    `make` is asked once for each type that comes up and that no converter before it in
    `Settings.converters` is for.

    >>> import octad
    >>> class Money(int): ...
    >>> class Euro(Money): ...
    >>> class MoneyConverter(octad.Converter[Money]):
    ...     def __init__(self, kind):
    ...         self.kind = kind
    ...     def write(self, w, value):
    ...         w.value(f"{self.kind.__name__} {int(value) / 100:.2f}")
    >>> class MoneyConverters(octad.ConverterFactory):
    ...     def make(self, kind):
    ...         if isinstance(kind, type) and issubclass(kind, Money):
    ...             return MoneyConverter(kind)
    >>> settings = octad.Settings(converters=[MoneyConverters()])
    >>> octad.json.dumps([Euro(1250)], settings=settings)
    b'["Euro 12.50"]'
    """

    def make(self, kind: Any, /) -> Converter[Any] | None:
        """The converter for a type, or None where the factory has none.

        `kind` is what the annotation says, `list[int]` for example; on writing it is the class of
        the value.
        """
        raise NotImplementedError(f"{type(self).__qualname__} makes no converters")


def converter_for(kind: Any, settings: Settings | None, way: Way = "read") -> Converter[Any] | None:
    """The converter for a type, if there is one that goes this way.

    The first of `settings.converters` that fits wins, then the one of the class's own contract.
    """
    converters: tuple[Any, ...] = getattr(settings, "converters", ())
    for known in converters:
        found = _fitting(known, kind, way)
        if found is not None:
            return found
    return _own(kind, way)


def as_converter(given: Any, kind: Any = None) -> Converter[Any]:
    """The converter that an option names: an instance, a class to be called, or a factory.

    Raises:
        TypeError: it is none of these, or the factory has none for `kind`.
    """
    if isinstance(given, type) and issubclass(given, (Converter, ConverterFactory)):
        given = given()
    if isinstance(given, Converter):
        return given
    if isinstance(given, ConverterFactory):
        made = _made(given, kind)
        if made is None:
            raise TypeError(f"{type(given).__qualname__} makes no converter for {kind!r}")
        return made
    raise TypeError(f"expected an octad.Converter or octad.ConverterFactory, found {given!r}")


def as_converters(given: Iterable[Any]) -> tuple[Converter[Any] | ConverterFactory, ...]:
    """What `Settings.converters` keeps.

    Raises:
        TypeError: something in it is neither, or does not say what it is for.
    """
    if isinstance(given, (str, bytes, Converter, ConverterFactory)):
        raise TypeError("converters: expected several of them, in a list")
    kept: list[Converter[Any] | ConverterFactory] = []
    for one in given:
        if isinstance(one, type) and issubclass(one, ConverterFactory):
            one = one()
        if not isinstance(one, ConverterFactory):
            one = as_converter(one)
            if not types_of(one):
                name = type(one).__qualname__
                raise TypeError(
                    f"{name} does not say what it is for: derive it from octad.Converter[...], "
                    "or set `types`"
                )
        kept.append(one)
    return tuple(kept)


def goes(converter: Converter[Any], way: Way) -> bool:
    """Whether a converter defines one of its four methods."""
    return getattr(type(converter), way) is not getattr(Converter, way)


def types_of(converter: Converter[Any]) -> tuple[Any, ...]:
    """The types a converter is for."""
    cls = type(converter)
    given = converter.types
    if not isinstance(given, (tuple, list, set, frozenset)):
        given = (given,)
    if not given:
        argument = _argument(cls)
        given = () if argument is None or isinstance(argument, TypeVar) else (argument,)
    found: list[Any] = []
    for one in given:
        if isinstance(one, (str, ForwardRef)):
            one = _resolved(one, cls)
        found.append(one)
        if get_origin(one) in (Union, UnionType):
            # Values are of its members; None keeps its own way.
            found += [member for member in get_args(one) if member is not type(None)]
        elif isinstance(one, type) and one.__name__ in ("Path", "PurePath"):
            # Of `pathlib`: `Path()` gives an object of another class.
            found += one.__subclasses__() if one.__module__.startswith("pathlib") else []
    return tuple(found)


_KINDS = {
    "null": "null",
    "bool": "bool",
    "int": "int",
    "float": "float",
    "text": "text",
    "bytes": "bytes",
    "array": "list",
    "object": "map",
}


def kinds_of(converter: Converter[Any]) -> list[str]:
    """The kinds of values a converter reads, as plans have them.

    Raises:
        TypeError: a name that is no kind.
    """
    given = converter.kinds
    names = [given] if isinstance(given, str) else list(given)
    for name in names:
        if name not in _KINDS:
            raise TypeError(
                f"{type(converter).__qualname__}.kinds: expected names among "
                f"{', '.join(_KINDS)}, found {name!r}"
            )
    return [_KINDS[name] for name in names]


def _fitting(
    known: Converter[Any] | ConverterFactory, kind: Any, way: Way
) -> Converter[Any] | None:
    if isinstance(known, ConverterFactory):
        made = _made(known, kind)
        return made if made is not None and goes(made, way) else None
    if not goes(known, way):
        return None
    for one in types_of(known):
        if one is kind or (not isinstance(kind, type) and one == kind):
            return known
        both = isinstance(kind, type) and isinstance(one, type)
        if both and known.subclasses and issubclass(kind, one):
            return known
    return None


def _made(factory: ConverterFactory, kind: Any) -> Converter[Any] | None:
    made = factory.make(kind)
    if made is None or isinstance(made, Converter):
        return made
    raise TypeError(
        f"{type(factory).__qualname__}.make: expected an octad.Converter or None, found {made!r}"
    )


def _own(kind: Any, way: Way) -> Converter[Any] | None:
    """The converter of a class's own contract. A subclass has a contract of its own."""
    # Without the module that keeps contracts no class has one.
    contracts = sys.modules.get("octad._contract.fields")
    cls = get_origin(kind) or kind
    if contracts is None or not isinstance(cls, type):
        return None
    given = getattr(contracts.own_contract(cls), "converter", None)
    if given is None:
        return None
    found = as_converter(given, kind)
    return found if goes(found, way) else None


def _argument(cls: type) -> Any:
    """`Vector` of a class that derives from `Converter[Vector]`, at any distance."""
    for base in getattr(cls, "__orig_bases__", ()):
        origin = get_origin(base)
        if not (isinstance(origin, type) and issubclass(origin, Converter)):
            continue
        if origin is Converter:
            return get_args(base)[0]
        inner = _argument(origin)
        if isinstance(inner, TypeVar):
            parameters: tuple[Any, ...] = getattr(origin, "__parameters__", ())
            return get_args(base)[parameters.index(inner)]
        own = getattr(inner, "__parameters__", ())
        if own:
            parameters = getattr(origin, "__parameters__", ())
            arguments = dict(zip(parameters, get_args(base), strict=True))
            return inner[tuple(arguments[parameter] for parameter in own)]
        return inner
    for base in cls.__bases__:
        if issubclass(base, Converter) and base is not Converter:
            return _argument(base)
    return None


def _resolved(name: str | ForwardRef, cls: type) -> Any:
    """The class behind a name, as the converter's module knows it."""
    text = name.__forward_arg__ if isinstance(name, ForwardRef) else name
    module = sys.modules.get(cls.__module__)
    try:
        return eval(text, dict(vars(module)) if module else {})
    except Exception as reason:
        raise TypeError(
            f"{cls.__qualname__} is for {text!r}, which is not known in {cls.__module__}"
        ) from reason


def misuse(message: str) -> ClosedError:
    """What a `Reader` raises that is used at the wrong time."""
    return ClosedError(message, code="closed")


def refusal(message: str, path: str, pointer: str) -> EncodeError:
    """What `Writer.error` returns."""
    return EncodeError(message, code="rejected", path=path, pointer=pointer)


Converter.__module__ = ConverterFactory.__module__ = "octad"

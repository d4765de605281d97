"""What the declared type of a field says about the values in it, where values do not say it.

Two things are not seen in a value: that its dicts are read from arrays of pairs, and that a dict is
a `TypedDict` with names, forms or members that are left out. The first is a rule for the field. For
the second a function puts objects in place of such dicts, which the writer writes by contract.
"""

from __future__ import annotations

import typing
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from octad._contract.containers import BASES, BUILDERS
from octad._contract.hints import UNIONS, close, is_alias, origin_of, scope_of_variable
from octad._contract.members import Member
from octad._contract.sources import is_typed_dict, source_of
from octad._errors import ContractError
from octad._settings import Settings

Shape = Callable[[Any], Any]
# The typed dicts that are being looked at: one may contain itself.
Seen = frozenset[Any]

# Keys that are texts or have one.
_TEXTS = frozenset[Any]({str, int, float, bool, type(None), Any, object})
_MEMBERS_KEPT = "__octad_extra__"


class Standing:
    """Stands for a dict that is a TypedDict while it is written; each has a subclass."""

    __octad_shown_as__: typing.ClassVar[Any] = None


def rules_of(member: Member, settings: Settings, seen: Seen) -> dict[str, Any]:
    """The rules that the type of a member amounts to."""
    hint = member.hint
    if type(hint) is type:
        return {}
    try:
        hint = close(hint, member.scope, member.bindings)
        found = set(_dicts(hint, set()))
        exact = found >= {True, False}
        shape = None
        if exact or None in found:
            shape = _Look(settings, seen, exact=exact).shape(hint, 0)
    except (ContractError, RecursionError):
        # Annotations that mean nothing keep nobody from writing the fields, and one that contains
        # itself by its name has no closed form.
        return {}
    rules: dict[str, Any] = {}
    if True in found and not exact:
        rules["pairs"] = True
    if shape is not None:
        rules["shape"] = shape
    return rules


def _container(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """The container that a type is, and its arguments; None for other types."""
    origin = origin_of(hint)
    known = origin in BUILDERS or (isinstance(origin, type) and issubclass(origin, BASES))
    return (origin, typing.get_args(hint)) if known else (None, ())


def _inside(hint: Any) -> tuple[Any, ...]:
    """The types that a type is only a cover for: members of a union, what is behind an alias."""
    origin = origin_of(hint)
    if origin in UNIONS:
        return typing.get_args(hint)
    if origin is typing.Annotated:
        return typing.get_args(hint)[:1]
    alias = origin if origin is not None and is_alias(origin) else hint
    if is_alias(alias):
        bindings = dict(zip(alias.__type_params__, typing.get_args(hint), strict=False))
        return (close(alias.__value__, scope_of_variable(alias), bindings),)
    return (hint.__supertype__,) if hasattr(hint, "__supertype__") else ()


_DEEP = 20


def _dicts(hint: Any, met: set[Any]) -> Iterator[bool | None]:
    """For each kind of dict in a type: whether its keys have no text; None for a `TypedDict`."""
    try:
        if hint in met:
            return
        met.add(hint)
    except TypeError:
        # Metadata may be anything; a type that contains itself is not within such.
        pass
    if is_typed_dict(origin_of(hint) or hint):
        yield None
        return
    origin, args = _container(hint)
    if origin is None:
        for inner in _inside(hint):
            yield from _dicts(inner, met)
        return
    if len(args) == 2 and isinstance(origin, type) and issubclass(origin, Mapping):
        yield _is_textless(args[0])
        args = args[1:]
    for arg in args:
        yield from _dicts(arg, met)


def _is_textless(key: Any) -> bool:
    if isinstance(key, type) and key in _TEXTS:
        return False
    from octad._contract.compile import compile_type

    pairs: Any = dict[key, Any]
    return bool(compile_type(pairs)[0][0] == "pairs")


# --- what stands in place of values ---------------------------------------------------------------


class _Look:
    """Looks for what is called with values of a type. `exact`: some dicts in it are pairs and some
    are not, so each one is told apart by its place."""

    def __init__(self, settings: Settings, seen: Seen, *, exact: bool) -> None:
        self.settings = settings
        self.seen = seen
        self.exact = exact

    def shape(self, hint: Any, depth: int, *, is_choice: bool = False) -> Shape | None:
        """What is called with a value, or None where it is written as it is."""
        if depth > _DEEP:
            return None
        if is_typed_dict(origin_of(hint) or hint):
            return _typed_dict(origin_of(hint) or hint, self.settings, self.seen)
        origin, args = _container(hint)
        if origin is None:
            inside = _inside(hint)
            several = is_choice or len([one for one in inside if one is not type(None)]) > 1
            inner = [self.shape(one, depth + 1, is_choice=several) for one in inside]
            shapes = [one for one in inner if one is not None]
            return _either(shapes) if shapes else None
        if issubclass(origin, Mapping):
            return self.mapping(args, depth, is_choice) if len(args) == 2 else None
        if origin is tuple and not (len(args) == 2 and args[1] is ...):
            parts = [self.shape(one, depth + 1) for one in args]
            return _of_parts(parts) if any(parts) else None
        items = self.shape(args[0], depth + 1) if args else None
        return None if items is None else _of_items(items)

    def mapping(self, args: tuple[Any, ...], depth: int, is_choice: bool) -> Shape | None:
        values = self.shape(args[1], depth + 1)
        if self.exact and _is_textless(args[0]):
            return _of_pairs(values, is_choice)
        return None if values is None else _of_values(values)


def _of_pairs(shape: Shape | None, is_choice: bool) -> Shape:
    def pairs(value: Any) -> Any:
        if not isinstance(value, Mapping):
            return value
        if is_choice and all(isinstance(key, str) for key in value):
            # It is the other one, whose keys are texts.
            return value
        return [(key, inner if shape is None else shape(inner)) for key, inner in value.items()]

    return pairs


def _of_values(shape: Shape) -> Shape:
    def values(value: Any) -> Any:
        if not isinstance(value, Mapping):
            return value
        return {key: shape(inner) for key, inner in value.items()}

    return values


def _of_items(shape: Shape) -> Shape:
    def items(value: Any) -> Any:
        return list(map(shape, value)) if isinstance(value, (list, tuple, deque)) else value

    return items


def _of_parts(shapes: list[Shape | None]) -> Shape:
    def parts(value: Any) -> Any:
        if not isinstance(value, tuple) or len(value) != len(shapes):
            return value
        pairs = zip(shapes, value, strict=True)
        return tuple(inner if shape is None else shape(inner) for shape, inner in pairs)

    return parts


def _either(shapes: list[Shape]) -> Shape:
    """The first that takes the value: each gives back what is not of its kind."""
    if len(shapes) == 1:
        return shapes[0]

    def either(value: Any) -> Any:
        for shape in shapes:
            made = shape(value)
            if made is not value:
                return made
        return value

    return either


def _standing_for(cls: Any) -> type[Standing]:
    """The class of the objects that stand for a typed dict; it lives as long as that."""
    known: type[Standing] | None = cls.__dict__.get("__octad_standing__")
    if known is None:
        known = type(cls.__name__, (Standing,), {"__octad_shown_as__": cls})
        cls.__octad_standing__ = known
    return known


def _typed_dict(cls: Any, settings: Settings, seen: Seen) -> Shape | None:
    from octad._contract.writing import writing

    if cls in seen or writing(cls, settings, seen | {cls}) is None:
        return None
    standing = _standing_for(cls)
    source = source_of(cls, {}, cls.__name__)
    assert source is not None
    names = {member.attribute for member in source.members}
    literals = [
        (member.attribute, typing.get_args(member.hint))
        for member in source.members
        if origin_of(member.hint) is typing.Literal
    ]
    required = cls.__required_keys__

    def shape(value: Any) -> Any:
        if not isinstance(value, dict) or not required <= value.keys():
            return value
        if any(name in value and value[name] not in words for name, words in literals):
            return value
        made = standing()
        members = made.__dict__
        rest: dict[Any, Any] = {}
        for key, inner in value.items():
            (members if key in names else rest)[key] = inner
        members[_MEMBERS_KEPT] = rest
        return made

    return shape

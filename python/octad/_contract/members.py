"""The members of a class: what one field is, before it becomes a node.

Owns the peeling of an annotation: qualifiers such as `Final` and `NotRequired`, and the metadata
that is for the field and not for its values.
"""

from __future__ import annotations

import typing
from collections.abc import Set
from types import GenericAlias
from typing import Any

from octad._contract import constraints
from octad._contract.fields import MISSING, UNSET, Field, merged
from octad._contract.hints import (
    NO_BINDINGS,
    UNIONS,
    Bindings,
    Scope,
    base_bindings,
    is_alias,
    origin_of,
    own_annotations,
    resolve,
)
from octad._contract.unions import is_unset

# Kinds of defaults, and flags, as the plan has them.
REQUIRED, VALUE, FACTORY, ABSENT = range(4)
POSITIONAL, AFTERWARDS = 1, 2

_NO_CHECKS: constraints.Checks = {}
_NO_QUALIFIERS: Set[str] = frozenset()
_QUALIFIERS = frozenset({"Final", "ReadOnly", "Required", "NotRequired", "ClassVar", "InitVar"})


class Member:
    """One member of a class."""

    __slots__ = (
        "aliases",
        "argument",
        "attribute",
        "bindings",
        "checks",
        "default",
        "field",
        "flags",
        "hint",
        "kind",
        "qualifiers",
        "readable",
        "scope",
        "unset",
        "wire",
        "writable",
    )

    def __init__(
        self,
        attribute: str,
        hint: Any,
        scope: Scope,
        bindings: Bindings = NO_BINDINGS,
        *,
        argument: str | None = None,
        field: Field | None = None,
        kind: int = REQUIRED,
        default: Any = None,
        flags: int = 0,
        readable: bool = True,
        writable: bool = True,
        wire: str | None = None,
        aliases: tuple[str, ...] = (),
    ) -> None:
        self.attribute = attribute
        self.argument = attribute if argument is None else argument
        self.kind = kind
        self.default = default
        self.flags = flags
        self.readable = readable
        self.writable = writable
        self.wire = wire
        self.aliases = aliases
        self.unset = False
        self.peel(hint, scope, bindings, field)

    def peel(self, hint: Any, scope: Scope, bindings: Bindings, outer: Field | None) -> None:
        """Takes apart what the annotation says."""
        self.field: Field | None = outer
        self.checks: constraints.Checks = _NO_CHECKS
        self.qualifiers: Set[str] = _NO_QUALIFIERS
        kind = type(hint)
        if kind is str:
            hint = scope.evaluate(hint)
            kind = type(hint)
        self.hint, self.scope, self.bindings = hint, scope, bindings
        if (kind is type or kind is GenericAlias) and outer is None:
            # Nearly all fields; the rest of this costs more than all before.
            return
        metadata: tuple[Any, ...] = ()
        qualifiers: set[str] = set()
        while kind is not type and kind is not GenericAlias:
            hint = resolve(hint, scope)
            origin = origin_of(hint)
            if origin is typing.Annotated:
                hint, *more = typing.get_args(hint)
                metadata = (*more, *metadata)
                continue
            if is_alias(hint):
                inner = Scope(hint, None, getattr(hint, "__module__", None))
                value = resolve(hint.__value__, inner)
                if origin_of(value) is not typing.Annotated:
                    break
                hint, scope, bindings = value, inner, NO_BINDINGS
                continue
            if type(hint).__name__ == "InitVar":
                qualifiers.add("InitVar")
                hint = hint.type
                continue
            form = origin if origin is not None else hint
            name = getattr(form, "_name", None)
            if name not in _QUALIFIERS:
                break
            qualifiers.add(name)
            args = typing.get_args(hint)
            if not args:
                hint = Any if self.kind != VALUE else type(self.default)
                break
            hint = args[0]
        self.hint, self.scope, self.bindings = hint, scope, bindings
        self.qualifiers = qualifiers
        if metadata or outer is not None:
            found, self.checks = constraints.gather(metadata)
            self.field = merged(found, outer)
            if outer is not None:
                _, more_checks = constraints.gather((outer,))
                for key, value in more_checks.items():
                    constraints.add(self.checks, key, value)
            self._defaults()
        if not isinstance(hint, type) and origin_of(hint) in UNIONS:
            self.unset = any(is_unset(arg) for arg in typing.get_args(hint))
            if self.unset and self.kind == REQUIRED:
                self.kind, self.default = VALUE, UNSET

    def _defaults(self) -> None:
        field = self.field
        if field is None:
            return
        if field.default is not MISSING:
            self.kind, self.default = VALUE, field.default
        elif field.default_factory is not MISSING:
            self.kind, self.default = FACTORY, field.default_factory
        if field.name is not None:
            self.wire = field.name
        if field.aliases:
            self.aliases = (*field.aliases, *self.aliases)
        if field.ignore:
            self.readable = self.readable and field.ignore == "write"
            self.writable = self.writable and field.ignore == "read"

    @property
    def known(self) -> bool:
        """Whether a member that is not read is known by name: it is written."""
        return not self.readable and self.writable

    def wires(self) -> tuple[str, ...]:
        """The names in the data, the main one first."""
        if not self.aliases:
            return (self.attribute if self.wire is None else self.wire,)
        main = self.wire if self.wire is not None else self.attribute
        return (main, *(name for name in dict.fromkeys(self.aliases) if name != main))


Hint = tuple[Any, Scope, Bindings]


def class_hints(cls: type, own: Bindings) -> dict[str, Hint]:
    """What a class and its ancestors annotate, each with where it was written."""
    generic = hasattr(cls, "__orig_bases__")
    bound = base_bindings(cls, own) if generic else None
    found: dict[str, Hint] = {}
    for base in cls.__mro__[::-1]:
        if base is object:
            continue
        annotations = own_annotations(base)
        if annotations:
            scope = Scope(base, base, base.__module__)
            bindings = own if bound is None else bound.get(base, NO_BINDINGS)
            for name, hint in annotations.items():
                found[name] = (hint, scope, bindings)
    return found

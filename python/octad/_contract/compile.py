"""The compiler: from an annotation to the flat tuple of nodes that the compiled half runs.

Owns the walk over types and the list of nodes. Records are queued, not entered, so a chain of
classes costs no depth; unions are joined last, when every member is known. What a class is made of
is `records`; how unions are told apart is `unions`. Nodes are tuples `(op, ...)` whose children are
indexes, and equal ones are stored once.
"""

from __future__ import annotations

import collections.abc
import enum
import types
import typing
from collections import deque
from collections.abc import Callable
from typing import Any

from octad._contract import (
    arrays,
    constraints,
    containers,
    enums,
    families,
    records,
    scalars,
    unions,
    values,
)
from octad._contract.fields import Field, contract_of, field_only
from octad._contract.hints import (
    NO_BINDINGS,
    UNIONS,
    Scope,
    bind,
    close,
    is_alias,
    is_variable,
    name_of,
    origin_of,
    parameters_of,
    resolve,
    scope_of_variable,
    spread,
    stand_in,
)
from octad._contract.layout import Node, ordered
from octad._contract.refusal import refuse
from octad._contract.style import PLAIN, Env, Style
from octad._converters import as_converter, converter_for, goes, kinds_of
from octad._settings import Settings

DEFAULTS = Settings()
_DEPTH = 60


class Compiler:
    """One compilation: nodes, what is known already, what is still to do."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.nodes: list[Any] = []
        # Exact classes in the plain style, by class; the quick way.
        self.known: dict[Any, int] = {}
        self.stored: dict[Node, int] = {}
        self.records: dict[Any, int] = {}
        self.outlines: dict[int, records.Outline] = {}
        self.aliases: dict[Any, int | None] = {}
        self.queue: deque[Callable[[], None]] = deque()
        self.last: list[Callable[[], None]] = []
        # Whether the tag of some value is a member of its owner.
        self.beside = False
        # The objects around records whose tag is the only key of one, by the record; and back.
        self.around: dict[int, int] = {}
        self.inside: dict[int, int] = {}
        # Where an alias that names itself really is.
        self.same: dict[int, int] = {}
        # How specific the text of a node is, and what a node is called.
        self.ranks: dict[int, int] = {}
        self.titles: dict[int, str] = {}
        # The type at the root, while it is kept from the converter that is for it.
        self.bare: Any = None

    # --- Running ---------------------------------------------------------------------------------

    def run(self, hint: Any, unconverted: bool = False) -> tuple[Node, ...]:
        """The nodes of a type; the first is its root, which may be kept from its converter."""
        title = "the type"
        try:
            title = name_of(hint)
            env = Env(Scope(None, None, None), NO_BINDINGS, PLAIN, title)
            root = self.unconverted(hint, env) if unconverted else self.node(hint, env)
            while self.queue:
                self.queue.popleft()()
            # Unions may be members of unions: the inner ones were noted first.
            for finish in self.last:
                finish()
            if self.beside:
                families.know_tags_beside(self, root)
        except RecursionError:
            refuse(f"{title}: expected a type, found one that is nested too deeply")
        return ordered(self.nodes, root, self.same)

    def store(self, node: Node) -> int:
        """The index of a node; an equal one is used again."""
        index = self.stored.get(node)
        if index is None:
            index = self.stored[node] = self.put(node)
        return index

    def put(self, node: Node | None) -> int:
        """Appends a node, or room for one."""
        self.nodes.append(node)
        return len(self.nodes) - 1

    # --- Any hint --------------------------------------------------------------------------------

    def node(self, hint: Any, env: Env) -> int:
        """The index of the node of a hint.

        Raises:
            ContractError: nothing can be read into it, or it contradicts itself.
        """
        if env.style is PLAIN:
            try:
                index = self.known.get(hint)
            except TypeError:
                index = None
            if index is not None:
                return index
        if isinstance(hint, str | typing.ForwardRef):
            found = resolve(hint, env.scope)
            if typing.get_origin(found) is not None and not env.bindings:
                # An alias of the old kind: it may name itself.
                where = (found, env.scope.module, env.scope.cls, env.style)
                return self.named(where, found, env, lambda: self.node(found, env))
            hint = found
        else:
            hint = resolve(hint, env.scope)
        if self.settings.converters and hint is not self.bare:
            index = self.converted(hint, env)
            if index is not None:
                return index
        if hint is None or hint is type(None):
            return self.store(("none",))
        if isinstance(hint, type) and not isinstance(hint, types.GenericAlias):
            index = self.of_class(hint, (), env)
            if env.style is PLAIN:
                self.known[hint] = index
            return index
        if hint is typing.AnyStr:
            return self.node(str, env)
        if is_variable(hint):
            return self.variable(hint, env)
        if is_alias(hint):
            return self.alias(hint, (), env)
        supertype = getattr(hint, "__supertype__", None)
        if supertype is not None:
            scope = Scope(hint, None, getattr(hint, "__module__", None))
            return self.node(supertype, env._replace(scope=scope))
        origin, args = origin_of(hint), typing.get_args(hint)
        if origin is None:
            return self.special(hint, env)
        if origin is tuple and not args and hint is not typing.Tuple:  # noqa: UP006
            return self.store(("row", (), None, ()))
        if origin is typing.Annotated:
            return self.annotated(args[0], args[1:], env)
        # Of classes only, an alias means the same everywhere.
        closed = env.style is PLAIN and all(isinstance(arg, type) for arg in args)
        if origin in UNIONS:
            index = self.plain_union(hint, env) if closed else self.union(hint, env)
            if closed:
                self.known[hint] = index
            return index
        if origin is typing.Literal:
            index = self.literal(hint, env)
            if env.style is PLAIN:
                self.known[hint] = index
            return index
        if is_alias(origin):
            return self.alias(origin, args, env)
        if isinstance(origin, type) and origin not in (type, collections.abc.Callable):
            index = self.of_class(origin, args, env)
            if closed:
                self.known[hint] = index
            return index
        return self.special(hint, env)

    def special(self, hint: Any, env: Env) -> int:
        """The forms of `typing` that are no classes."""
        origin, args = origin_of(hint), typing.get_args(hint)
        form = origin if origin is not None else hint
        name = getattr(form, "_name", None) or getattr(form, "__name__", None)
        if name in ("Final", "ReadOnly", "Required", "NotRequired", "ClassVar", "InitVar") and args:
            return self.node(args[0], env)
        if type(hint).__name__ == "InitVar":
            return self.node(hint.type, env)
        if name in ("LiteralString", "Text"):
            return self.node(str, env)
        if name == "Self" and env.scope.cls is not None:
            return self.node(env.scope.cls, env)
        if name in ("TypeGuard", "TypeIs"):
            return self.node(bool, env)
        return refuse(
            f"{env.path}: expected a type that data can be read into, found {name_of(hint)}"
        )

    def variable(self, hint: Any, env: Env) -> int:
        """A type variable: what it is bound to, or what stands for it."""
        if hint in env.bindings:
            bound = env.bindings[hint]
            return self.node(bound, env._replace(bindings=NO_BINDINGS))
        standing = stand_in(hint)
        scope = scope_of_variable(hint)
        if scope.module == "typing":
            scope = env.scope
        return self.node(standing, env._replace(scope=scope, bindings=NO_BINDINGS))

    def alias(self, hint: Any, args: tuple[Any, ...], env: Env) -> int:
        """`type X = ...`, which may name itself: room is made when it does."""
        closed = spread(args, env.scope, env.bindings)
        if _deep(closed):
            refuse(f"{env.path}: expected a type that ends, found {name_of(hint)} growing for ever")
        scope = Scope(hint, None, getattr(hint, "__module__", None))
        bindings = bind(parameters_of(hint), closed, name_of(hint))
        inner = Env(scope, bindings, env.style, name_of(hint))
        return self.named(
            (hint, closed, env.style), hint, env, lambda: self.node(hint.__value__, inner)
        )

    def named(self, key: Any, hint: Any, env: Env, make: Callable[[], int]) -> int:
        """The node of something that may hold itself: room is made when it does."""
        if key in self.aliases:
            index = self.aliases[key]
            if index is None:
                index = self.aliases[key] = self.put(None)
            return index
        self.aliases[key] = None
        index = make()
        room = self.aliases[key]
        if room == index:
            refuse(f"{env.path}: expected a type, found {name_of(hint)}, which is only itself")
        self.aliases[key] = index
        if room is not None:
            self.same[room] = index
        return index

    def real(self, index: int) -> int:
        """The index that a node is at; an alias that names itself has two."""
        while index in self.same:
            index = self.same[index]
        return index

    # --- Classes ---------------------------------------------------------------------------------

    def of_class(self, cls: type, args: tuple[Any, ...], env: Env) -> int:
        """A class, with its type arguments."""
        make = values.VALUES.get(cls)
        if make is not None:
            return make(self, env)
        build = containers.BUILDERS.get(cls)
        if build is not None:
            return build(self, cls, args, env)
        if issubclass(cls, enum.Enum):
            return self.enumeration(cls, env)
        called = scalars.called(cls, args)
        if called is not None:
            return self.call(called, env)
        build = arrays.builder(cls)
        if build is not None:
            return build(self, cls, args, env)
        return self.of_record(cls, args, env)

    def of_record(self, cls: type, args: tuple[Any, ...], env: Env) -> int:
        """A class with fields, or a subclass of a plain value or container."""
        closed = spread(args, env.scope, env.bindings)
        if _deep(closed):
            refuse(f"{env.path}: expected a type that ends, found {name_of(cls)} growing for ever")
        key = (cls, closed)
        index = self.records.get(key)
        if index is not None:
            return self.around.get(index, index)
        own = contract_of(cls)
        if own.get("converter") is not None and cls is not self.bare:
            converter = self.converter(own["converter"], cls, env)
            if goes(converter, "read"):
                return self.put(("convert", converter, cls))
        if own.get("allow") is not None:
            return families.family(self, cls, closed, own, env)
        return families.alone(self, self.record(cls, closed, env))

    def record(self, cls: type, closed: tuple[Any, ...], env: Env) -> int:
        """The record of a class itself, its family left aside."""
        key = (cls, closed)
        index = self.records.get(key)
        if index is not None:
            return index
        outline = records.outline(cls, closed, self.settings, env.path)
        if isinstance(outline, scalars.Called):
            child = outline.child
            if isinstance(child, tuple):
                child = close(child[0], child[1], child[2])
            return self.call(
                scalars.Called(child, outline.maker, outline.expected, outline.rank), env
            )
        index = self.put(None)
        self.records[key] = self.records.get(key, index)
        self.outlines[index] = outline
        self.titles[index] = outline.title
        place = index
        self.queue.append(lambda: records.fill(self, place, outline))
        return index

    def enumeration(self, cls: type[enum.Enum], env: Env) -> int:
        """An enum: a table of its values, or a call where they are not plain."""
        if unions.is_unset(cls):
            refuse(f"{env.path}: expected a type beside {cls.__name__}, found it alone")
        rows = enums.enum_rows(cls)
        if rows is not None:
            if not rows and not issubclass(cls, enum.Flag):
                refuse(f"{env.path}: expected members, found none in {name_of(cls)}")
            index = self.put(("table", cls.__name__, rows, enums.fallback_of(cls)))
            self.ranks[index] = scalars.RANK_TABLE
            return index
        kinds = enums.value_types(cls)
        expected = f"a value of {cls.__name__}"
        if kinds == (tuple,):
            called = scalars.Called(list, enums.from_frozen(cls), expected, scalars.RANK_TABLE)
            return self.call(called, env)
        child: Any = typing.Union[kinds]  # noqa: UP007
        return self.call(scalars.Called(child, cls, expected, scalars.RANK_TABLE), env)

    def literal(self, hint: Any, env: Env) -> int:
        """`Literal[...]`: a table."""
        rows = enums.literal_rows(hint, values.bytes_form(self, env))
        index = self.put(("table", enums.title_of(rows), rows, None))
        self.ranks[index] = scalars.RANK_TABLE
        return index

    def call(self, called: scalars.Called, env: Env) -> int:
        """A type read by calling something with a plain value."""
        child = self.node(called.child, env)
        index = self.put(("call", child, called.maker, called.expected))
        self.ranks[index] = called.rank
        return index

    # --- Unions, constraints, converters ----------------------------------------------------------

    def union(self, hint: Any, env: Env) -> int:
        """A union, its members flat."""
        if unions.through_alias(typing.get_args(hint)):
            closed = close(hint, env.scope, env.bindings)
            key = (closed, env.style)
            return self.named(key, hint, env, lambda: self.plain_union(hint, env))
        return self.plain_union(hint, env)

    def plain_union(self, hint: Any, env: Env) -> int:
        """The node of a union."""
        members: list[tuple[Any, Env]] = []
        unions.flatten(self, hint, env, members)
        return unions.build(self, members, env)

    def annotated(self, inner: Any, metadata: tuple[Any, ...], env: Env) -> int:
        """`Annotated[...]` where it is not a field."""
        field, checks = constraints.gather(metadata)
        if field is not None:
            misplaced = field_only(field)
            if misplaced:
                refuse(
                    f"{env.path}: expected `{misplaced[0]}=` on a field of a class, "
                    f"found it inside {name_of(inner)}"
                )
        return self.with_field(inner, field, checks, env)

    def with_field(
        self, hint: Any, field: Field | None, checks: constraints.Checks, env: Env
    ) -> int:
        """A hint with what a field says about its values."""
        if field is not None:
            if field.converter is not None:
                index = self.convert_unless_null(field.converter, hint, env)
                return self.check(index, checks, env) if checks else index
            style = self.style_of(field, env)
            if style is not env.style:
                env = env._replace(style=style)
            if field.item_converter is not None:
                env = self.with_items(hint, field.item_converter, env)
        if not checks:
            return self.node(hint, env)
        return self.checked(hint, checks, env)

    def with_items(self, hint: Any, converter: Any, env: Env) -> Env:
        """Where the items of a hint are read by a converter."""
        members: list[tuple[Any, Env]] = []
        unions.flatten(self, hint, env, members)
        if not any(containers.has_items(member) for member, _ in members):
            refuse(f"{env.path}: expected a container for `item_converter=`, found {name_of(hint)}")
        return env._replace(style=env.style._replace(item=converter))

    def style_of(self, field: Field, env: Env) -> Style:
        """The style inside a field."""
        style = env.style
        if field.dates is not None:
            style = style._replace(dates=field.dates)
        if field.zones is not None:
            style = style._replace(zones=field.zones)
        if field.bytes is not None:
            style = style._replace(bytes=field.bytes)
        if field.numbers_from_text is not None:
            style = style._replace(numbers_from_text=field.numbers_from_text)
        return env.style if style == env.style else style

    def checked(self, hint: Any, checks: constraints.Checks, env: Env) -> int:
        """A hint with checks: in a union, each goes to the members it can mean."""
        if isinstance(hint, type):
            return self.check(self.node(hint, env), checks, env)
        whole, each = constraints.split(checks, ("predicates",))
        members: list[tuple[Any, Env]] = []
        unions.flatten(self, hint, env, members)
        if len(members) == 1:
            return self.check(self.node(hint, env), checks, env)
        if not each:
            return self.check(self.node(hint, env), whole, env)
        index = unions.build(self, members, env, each)
        return self.check(index, whole, env) if whole else index

    def check(self, child: int, checks: constraints.Checks, env: Env) -> int:
        """A node with its checks, which have to mean something for it."""
        checks = dict(checks)
        also = checks.pop("also", ())
        index = self.put(("checked", child, checks))
        self.ranks[index] = self.ranks.get(child, scalars.RANK_ANY)
        self.titles[index] = self.titles.get(child, "")
        path = env.path
        self.last.append(lambda: unions.sensible(self, child, checks, path))
        for more in also:
            index = self.check(index, more, env)
        return index

    def converted(self, hint: Any, env: Env) -> int | None:
        """The converter that the settings or the class have for a type."""
        target = close(hint, env.scope, env.bindings)
        found = converter_for(target, self.settings, way="read")
        return None if found is None else self.put(("convert", found, target))

    def unconverted(self, hint: Any, env: Env) -> int:
        """A type in octad's own way; where it stands within itself, its converter is asked."""
        self.bare = hint = resolve(hint, env.scope)
        index = self.node(hint, env)
        self.bare = None
        if isinstance(hint, type):
            self.known.pop(hint, None)
        record = self.inside.get(index, index)
        for key, kept in list(self.records.items()):
            if kept == record:
                del self.records[key]
        return index

    def convert(self, given: Any, hint: Any, env: Env) -> int:
        """A converter that a field names."""
        target = close(hint, env.scope, env.bindings)
        converter = self.converter(given, target, env)
        if not goes(converter, "read"):
            # It only writes: octad's own way reads.
            return self.node(hint, env)
        return self.put(("convert", converter, target))

    def convert_unless_null(self, given: Any, hint: Any, env: Env) -> int:
        """A converter of a field or its items; null is None where that may be, not its matter."""
        members: list[tuple[Any, Env]] = []
        unions.flatten(self, hint, env, members)
        others = [close(one, at.scope, at.bindings) for one, at in members if not _is_none(one)]
        if not others or len(others) == len(members):
            return self.convert(given, hint, env)
        index = self.convert(given, typing.Union[tuple(others)], env)  # noqa: UP007
        if self.nodes[index] is None or self.nodes[index][0] != "convert":
            return self.node(hint, env)
        kinds = kinds_of(self.nodes[index][1])
        if "null" in kinds:
            return index
        table = dict.fromkeys(kinds or unions.KINDS, (index,))
        table["null"] = (self.store(("none",)),)
        return self.put(("union", table))

    def converter(self, given: Any, target: Any, env: Env) -> Any:
        """A converter that an option names, for a type."""
        try:
            return as_converter(given, target)
        except TypeError as error:
            refuse(f"{env.path}: {error}")

    def hashed(self, index: int, env: Env) -> None:
        """Refuses, at the end, what can be no key and no item of a set."""
        path = env.path
        self.last.append(lambda: unions.hashable(self, index, path))

    # --- Keys ------------------------------------------------------------------------------------

    def key(self, hint: Any, env: Env) -> int | None:
        """The node that reads the keys of an object, or None where keys are no texts."""
        return unions.key(self, hint, env)


def _is_none(hint: Any) -> bool:
    return hint is None or hint is type(None)


def _deep(args: tuple[Any, ...]) -> bool:
    """Whether type arguments are nested so deeply that they grow for ever."""
    level = 0
    row: list[Any] = list(args)
    while row:
        level += 1
        if level > _DEPTH:
            return True
        row = [inner for arg in row for inner in typing.get_args(arg)]
        if len(row) > 10_000:
            return True
    return False


def compile_type(
    hint: Any, settings: Settings | None = None, unconverted: bool = False
) -> tuple[Node, ...]:
    """The nodes of a type; `unconverted`: whatever converter is for it.

    >>> compile_type(list[int])
    (('list', 1), ('int', False))

    Raises:
        ContractError: nothing can be read into the type, or it contradicts itself.
    """
    return Compiler(settings or DEFAULTS).run(hint, unconverted)

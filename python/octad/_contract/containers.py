"""Containers: every collection type of the standard library and its abstract bases.

Owns which node reads a container and what it is turned into. A builder takes the compiler, the
class, its type arguments and where it stands, and gives the index of a node.
"""

from __future__ import annotations

import collections
import collections.abc as abc
import types
import typing
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from octad._contract.hints import name_of, origin_of, resolve, unpacked_of
from octad._contract.refusal import refuse
from octad._contract.scalars import RANK_ANY, Called

if TYPE_CHECKING:
    from octad._contract.compile import Compiler
    from octad._contract.style import Env

Builder = Callable[["Compiler", Any, tuple[Any, ...], "Env"], int]


def item(compiler: Compiler, hint: Any, env: Env) -> int:
    """The node of what a container holds."""
    converter = env.style.item
    if converter is None:
        return compiler.node(hint, env)
    inner = env._replace(style=env.style.without_item())
    return compiler.convert_unless_null(converter, hint, inner)


def _first(args: tuple[Any, ...], at: int = 0) -> Any:
    return args[at] if len(args) > at else Any


def sequence(op: str) -> Builder:
    """A container of items of one kind."""

    def build(compiler: Compiler, cls: type, args: tuple[Any, ...], env: Env) -> int:
        index = compiler.store((op, item(compiler, _first(args), env)))
        if op in ("set", "frozenset"):
            compiler.hashed(compiler.nodes[index][1], env)
        return index

    return build


def row(compiler: Compiler, cls: type, args: tuple[Any, ...], env: Env) -> int:
    """A tuple: of one kind, of fixed length, or with a part that repeats."""
    if not args:
        return compiler.store(("tuple", item(compiler, Any, env)))
    if len(args) == 2 and args[1] is ...:
        return compiler.store(("tuple", item(compiler, args[0], env)))
    prefix: list[int] = []
    suffix: list[int] = []
    rest: int | None = None
    for arg in _unpacked(compiler, args, env):
        if isinstance(arg, _Rest):
            if rest is not None:
                refuse(f"{env.path}: expected one part that repeats, found two in a tuple")
            rest = item(compiler, arg.hint, env)
        else:
            (prefix if rest is None else suffix).append(item(compiler, arg, env))
    return compiler.store(("row", tuple(prefix), rest, tuple(suffix)))


class _Rest:
    """The part of a tuple that repeats."""

    def __init__(self, hint: Any) -> None:
        self.hint = hint


def _unpacked(compiler: Compiler, args: tuple[Any, ...], env: Env) -> list[Any]:
    """The items of a tuple, with what stands behind stars in its place."""
    found: list[Any] = []
    for arg in args:
        arg = resolve(arg, env.scope)
        inner = unpacked_of(arg)
        if inner is None:
            found.append(arg)
            continue
        inner = resolve(inner, env.scope)
        bound = env.bindings.get(inner) if isinstance(inner, abc.Hashable) else None
        if isinstance(bound, tuple):
            found.extend(bound)
        elif type(inner).__name__ == "TypeVarTuple":
            found.append(_Rest(Any))
        elif origin_of(inner) is tuple:
            parts = typing.get_args(inner)
            if len(parts) == 2 and parts[1] is ...:
                found.append(_Rest(parts[0]))
            else:
                found.extend(_unpacked(compiler, parts, env))
        else:
            refuse(f"{env.path}: expected a tuple behind the star, found {name_of(inner)}")
    return found


def mapping(compiler: Compiler, cls: type, args: tuple[Any, ...], env: Env) -> int:
    """A dict: an object, or an array of pairs where its keys are no texts."""
    value = item(compiler, _first(args, 1), env)
    plain = env._replace(style=env.style.without_item())
    key = compiler.key(_first(args), plain)
    if key is not None:
        return compiler.store(("dict", key, value))
    index = compiler.store(("pairs", compiler.node(_first(args), plain), value))
    compiler.hashed(compiler.nodes[index][1], env)
    return index


def _made(inner: Builder, maker: Callable[[Any], Any], expected: str) -> Builder:
    """A container that is made of another one."""

    def build(compiler: Compiler, cls: type, args: tuple[Any, ...], env: Env) -> int:
        index = compiler.put(("call", inner(compiler, cls, args, env), maker, expected))
        compiler.ranks[index] = RANK_ANY
        return index

    return build


def _default_dict(compiler: Compiler, cls: type, args: tuple[Any, ...], env: Env) -> int:
    factory = origin_of(_first(args, 1)) or _first(args, 1)
    if factory in (abc.Sequence, abc.MutableSequence, abc.Iterable, abc.Collection):
        factory = list
    elif factory in (abc.Mapping, abc.MutableMapping):
        factory = dict
    elif factory in (abc.Set, abc.MutableSet):
        factory = set
    # `Any` is a class from Python 3.11 on, and makes nothing.
    default: Any = factory if isinstance(factory, type) and factory is not Any else None

    def make(value: Any) -> Any:
        return collections.defaultdict(default, value)

    return _made(mapping, make, "an object")(compiler, cls, args, env)


def _counter(compiler: Compiler, cls: type, args: tuple[Any, ...], env: Env) -> int:
    return _made(mapping, collections.Counter, "an object of counts")(
        compiler, cls, (_first(args), int), env
    )


def _items_view(compiler: Compiler, cls: type, args: tuple[Any, ...], env: Env) -> int:
    pair: Any = types.GenericAlias(tuple, (_first(args), _first(args, 1)))
    return _made(sequence("list"), lambda value: dict(value).items(), "an array of pairs")(
        compiler, cls, (pair,), env
    )


def _user_string(compiler: Compiler, cls: type, args: tuple[Any, ...], env: Env) -> int:
    return compiler.call(Called(str, collections.UserString, "a text", RANK_ANY), env)


_list = sequence("list")
BUILDERS: dict[Any, Builder] = {
    list: _list,
    abc.Sequence: _list,
    abc.MutableSequence: _list,
    abc.Collection: _list,
    abc.Iterable: _list,
    abc.Reversible: _list,
    abc.Container: _list,
    abc.Iterator: _made(_list, iter, "an array"),
    set: sequence("set"),
    abc.Set: sequence("set"),
    abc.MutableSet: sequence("set"),
    frozenset: sequence("frozenset"),
    tuple: row,
    dict: mapping,
    abc.Mapping: mapping,
    abc.MutableMapping: mapping,
    collections.deque: _made(_list, collections.deque, "an array"),
    collections.OrderedDict: _made(mapping, collections.OrderedDict, "an object"),
    collections.defaultdict: _default_dict,
    collections.Counter: _counter,
    collections.ChainMap: _made(mapping, collections.ChainMap, "an object"),
    collections.UserDict: _made(mapping, collections.UserDict, "an object"),
    collections.UserList: _made(_list, collections.UserList, "an array"),
    collections.UserString: _user_string,
    types.MappingProxyType: _made(mapping, types.MappingProxyType, "an object"),
    abc.KeysView: _made(_list, lambda value: dict.fromkeys(value).keys(), "an array"),
    abc.ValuesView: _made(_list, lambda value: dict(enumerate(value)).values(), "an array"),
    abc.ItemsView: _items_view,
}

# Bases of users' own containers, the special ones first.
BASES: tuple[Any, ...] = (
    collections.defaultdict,
    collections.OrderedDict,
    collections.Counter,
    dict,
    list,
    frozenset,
    set,
    tuple,
    collections.deque,
    collections.UserDict,
    collections.UserList,
    collections.UserString,
)


def base_of(cls: type) -> Any:
    """The built-in container that a user's class is a subclass of, or None."""
    return next((base for base in BASES if issubclass(cls, base)), None)


def make_of(cls: type, base: Any) -> Callable[[Any], Any]:
    """How a user's container is made of a plain one."""
    if base is collections.defaultdict:
        return lambda value: cls(None, value)
    return cls


def has_items(hint: Any) -> bool:
    """Whether a type is a container, so that `item_converter=` means something."""
    origin = origin_of(hint) or hint
    try:
        return origin in BUILDERS
    except TypeError:
        return False

"""Annotations: where their names are looked up, what stands for a type variable.

Owns the text of annotations, forward references, local classes, type parameters and the bases of
generic classes. Knows nothing of plans. A hint is *closed* when nothing in it depends on where it
was written: no text, no type variable.
"""

from __future__ import annotations

import builtins
import sys
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any, ForwardRef, TypeVar

from octad._contract.refusal import refuse

_BUILTINS = vars(builtins)
_TEXTS = (str, ForwardRef)
UNIONS = (typing.Union, types.UnionType)
# Aliases that are made by a call or a statement, some by typing_extensions.
_ALIAS_NAMES = ("TypeAliasType",)
_MISSING = object()


# `typing.get_origin` asks half a dozen questions first; these types answer at once.
_ORIGINS: dict[type, Callable[[Any], Any]] = {
    types.GenericAlias: lambda hint: hint.__origin__,
    types.UnionType: lambda hint: types.UnionType,
    type(typing.List[int]): lambda hint: hint.__origin__,  # noqa: UP006
    type(typing.Optional[int]): lambda hint: typing.Union,  # noqa: UP045
    type(typing.Literal[1]): lambda hint: typing.Literal,
    type(typing.Annotated[int, 1]): lambda hint: typing.Annotated,
    type: lambda hint: None,
}


def origin_of(hint: Any) -> Any:
    """`typing.get_origin`, quicker.

    >>> origin_of(list[int]), origin_of(int)
    (<class 'list'>, None)
    """
    quick = _ORIGINS.get(type(hint))
    return typing.get_origin(hint) if quick is None else quick(hint)


def a(name: str) -> str:
    """The name with its article: `a list`, `an int`."""
    return f"an {name}" if name[:1].lower() in "aeiou" else f"a {name}"


def package_of(owner: Any) -> str:
    """The package that a class or object says it is from; a class may say anything."""
    module = getattr(owner, "__module__", None)
    return module.partition(".")[0] if isinstance(module, str) else ""


def is_alias(hint: Any) -> bool:
    """`type X = ...`, also that of typing_extensions."""
    return type(hint).__name__ in _ALIAS_NAMES and hasattr(hint, "__value__")


def is_variable(hint: Any) -> bool:
    """A type variable of any kind, also those of typing_extensions."""
    return type(hint).__name__ in ("TypeVar", "ParamSpec", "TypeVarTuple")


def name_of(hint: Any) -> str:
    """How a type is called in messages."""
    if hint is None or hint is type(None):
        return "None"
    if isinstance(hint, type) and not isinstance(hint, types.GenericAlias):
        return hint.__qualname__.rpartition("<locals>.")[2]
    if isinstance(hint, str):
        return hint
    if isinstance(hint, ForwardRef):
        return hint.__forward_arg__
    origin, args = origin_of(hint), typing.get_args(hint)
    if origin in UNIONS:
        return " | ".join(name_of(arg) for arg in args)
    if origin is typing.Literal:
        return f"Literal[{', '.join(repr(arg) for arg in args)}]"
    if origin is typing.Annotated:
        return name_of(args[0])
    if isinstance(origin, type) and args:
        return f"{name_of(origin)}[{', '.join(name_of(arg) for arg in args)}]"
    if hint is ...:
        return "..."
    name = getattr(hint, "__name__", None)
    return name if isinstance(name, str) else repr(hint).replace("typing.", "")


class _Local(Mapping[str, Any]):
    """The names an annotation sees, as a mapping for `eval`."""

    def __init__(self, find: Callable[[str], Any]) -> None:
        self._find = find

    def __getitem__(self, name: str) -> Any:
        value = self._find(name)
        if value is _MISSING:
            raise KeyError(name)
        return value

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


NOTHING_HELD: Mapping[str, Any] = {}


class Scope:
    """Where an annotation was written: a class or function in its module."""

    __slots__ = ("_locals", "_plain", "cls", "module", "names", "owner")

    def __init__(self, owner: Any, cls: type | None, module: str | None) -> None:
        self.owner = owner
        self.cls = cls
        self.module = module
        loaded = sys.modules.get(module) if isinstance(module, str) else None
        self.names: dict[str, Any] = getattr(owner, "__globals__", None) or (
            vars(loaded) if loaded is not None else {}
        )
        self._locals: dict[str, Any] | None = None
        # Whether only the class itself and its module have a say in what a name means.
        self._plain = (
            cls is not None
            and "<locals>" not in cls.__qualname__
            and "__type_params__" not in cls.__dict__
            and owner is cls
        )

    def _enclosing(self) -> dict[str, Any]:
        """The names of the functions around a local class: of calls that are still running, and
        what its methods hold on to."""
        if self._locals is None:
            self._locals = {}
            owner = self.cls if self.cls is not None else self.owner
            qualname = getattr(owner, "__qualname__", "")
            if "<locals>" in qualname:
                self._locals.update(_closures(owner))
                self._locals.update(_frames(qualname, self.names))
        return self._locals

    def find(self, name: str) -> Any:
        """What a name means here, or `_MISSING`."""
        cls = self.cls
        if cls is not None:
            for parameter in getattr(cls, "__type_params__", ()):
                if parameter.__name__ == name:
                    return parameter
        for parameter in getattr(self.owner, "__type_params__", ()):
            if parameter.__name__ == name:
                return parameter
        if cls is not None:
            inner = cls.__dict__.get(name, _MISSING)
            if isinstance(inner, type) or is_alias(inner):
                return inner
        enclosing = self._enclosing()
        if name in enclosing:
            return enclosing[name]
        value = self.names.get(name, _MISSING)
        if value is not _MISSING:
            return value
        value = getattr(builtins, name, _MISSING)
        if value is not _MISSING:
            return value
        if cls is not None:
            if name == cls.__name__:
                return cls
            for look in (self._around, lambda one: _executed(cls, one)):
                value = look(name)
                if value is not _MISSING:
                    return value
            return _sibling(cls, name)
        return _MISSING

    def _around(self, name: str) -> Any:
        """A class in a class that this one is in."""
        cls = self.cls
        if cls is None:
            return _MISSING
        outer: Any = None
        found: Any = _MISSING
        names = {**self.names, **self._enclosing()}
        for part in cls.__qualname__.rpartition("<locals>.")[2].split(".")[:-1]:
            outer = names.get(part) if outer is None else vars(outer).get(part)
            if not isinstance(outer, type):
                break
            inner = outer.__dict__.get(name)
            if isinstance(inner, type):
                found = inner
        return found

    def evaluate(self, text: str, held: Mapping[str, Any] = NOTHING_HELD) -> Any:
        """The type that a text means here.

        Args:
            text: an expression.
            held: names that mean something in this text only.

        Raises:
            ContractError: a name in it means nothing here, or it is no expression.
        """
        if held:
            return self._evaluate(
                text, _Local(lambda name: held[name] if name in held else self.find(name))
            )
        if self._plain and text in self.names and text not in self.owner.__dict__:
            return self.names[text]
        if self._plain and text in _BUILTINS and text not in self.owner.__dict__:
            return _BUILTINS[text]
        if text.isidentifier():
            value = self.find(text)
            if value is not _MISSING:
                return value
            if text == "None":
                return None
        return self._evaluate(text, None)

    def _evaluate(self, text: str, names: _Local | None) -> Any:
        starred = text.lstrip().startswith("*")
        try:
            code = _code(f"({text},)" if starred else text.strip())
            if names is None and self._is_plain(code.co_names):
                value = eval(code, self.names)
            else:
                value = eval(code, self.names or {}, _Local(self.find) if names is None else names)
        except NameError as error:
            name = error.name or text
            refuse(
                f"{self.title()}: expected a type, found the name `{name}`, which means nothing "
                f"in {self.module or 'its module'}"
            )
        except Exception as error:
            refuse(f"{self.title()}: expected a type, found `{text}` ({error})")
        return value[0] if starred else value

    def _is_plain(self, used: tuple[str, ...]) -> bool:
        """Whether names mean here what they mean in the module."""
        if not self._plain:
            return False
        inside, names = self.owner.__dict__, self.names
        return all((name in names or name in _BUILTINS) and name not in inside for name in used)

    def title(self) -> str:
        """The class or function in messages."""
        return name_of(self.cls) if self.cls is not None else getattr(self.owner, "__name__", "?")


# Annotations of one model repeat: `list[str]`, `int | None`.
_codes: dict[str, types.CodeType] = {}


def _code(text: str) -> types.CodeType:
    found = _codes.get(text)
    if found is None:
        if len(_codes) >= 4096:
            _codes.clear()
        found = _codes[text] = compile(text, "<annotation>", "eval")
    return found


def _closures(owner: Any) -> dict[str, Any]:
    """Names that the methods of a class hold on to."""
    found: dict[str, Any] = {}
    candidates: list[Any] = list(vars(owner).values()) if isinstance(owner, type) else [owner]
    one: Any
    for one in candidates:
        function = getattr(one, "__func__", one)
        code, cells = getattr(function, "__code__", None), getattr(function, "__closure__", None)
        if code is not None and cells:
            for name, cell in zip(code.co_freevars, cells, strict=False):
                try:
                    found[name] = cell.cell_contents
                except ValueError:
                    continue
    found.pop("__class__", None)
    return found


def _frames(qualname: str, names: dict[str, Any]) -> dict[str, Any]:
    """The names of running calls of the functions around a qualified name, the inner ones last."""
    parts = qualname.split(".<locals>.")
    outer = [".<locals>.".join(parts[:end]) for end in range(1, len(parts))]
    found: dict[str, dict[str, Any]] = {}
    frame = sys._getframe(1)
    while frame is not None and len(found) < len(outer):
        code = frame.f_code
        if code.co_qualname in outer and frame.f_globals is names:
            found.setdefault(code.co_qualname, dict(frame.f_locals))
        frame = frame.f_back  # type: ignore[assignment]
    merged: dict[str, Any] = {}
    for name in outer:
        merged.update(found.get(name, {}))
    return merged


def _executed(cls: type, name: str) -> Any:
    """What a name means in running code that was executed under the name of another module."""
    outer = cls.__qualname__.partition(".")[0]
    frame: Any = sys._getframe(1)
    while frame is not None:
        names = frame.f_globals
        if name in names and names.get("__name__") == cls.__module__ and outer in names:
            found = names[outer]
            if found is cls or (isinstance(found, type) and outer != cls.__qualname__):
                return names[name]
        frame = frame.f_back
    return _MISSING


def _sibling(cls: type, name: str) -> Any:
    """The class of that name beside a local class, where there is exactly one alive."""
    prefix, dot, _ = cls.__qualname__.rpartition(".")
    if not dot or "<locals>" not in cls.__qualname__:
        return _MISSING
    wanted = f"{prefix}.{name}"
    found: set[type] = set()
    stack: list[type] = [object]
    seen: set[type] = set()
    one: type
    while stack:
        for one in type.__subclasses__(stack.pop()):
            if one in seen:
                continue
            seen.add(one)
            stack.append(one)
            if one.__qualname__ == wanted and one.__module__ == cls.__module__:
                found.add(one)
    # A class with slots is made twice by its decorator; the first one may still be alive.
    alive = [one for one in found if not _is_shadow(one, found)]
    return alive[0] if len(alive) == 1 else _MISSING


def _is_shadow(cls: type, others: set[type]) -> bool:
    """The draft of a class of which `dataclass(slots=True)` or attrs made the real one."""
    if len(others) == 1:
        return False
    fields = cls.__dict__.get("__dataclass_fields__")
    if fields is not None:
        return "__slots__" not in cls.__dict__ and any(
            one.__dict__.get("__dataclass_fields__") is fields for one in others if one is not cls
        )
    return "__attrs_attrs__" not in cls.__dict__ and any(
        "__attrs_attrs__" in one.__dict__ for one in others
    )


Bindings = Mapping[Any, Any]
NO_BINDINGS: Bindings = {}


# Whether annotations are evaluated when they are asked for (PEP 649).
_ARE_LAZY = "annotationlib" in sys.stdlib_module_names


def own_annotations(cls: type) -> dict[str, Any]:
    """What a class itself annotates, as written."""
    if _ARE_LAZY:
        return _lazy_annotations(cls)
    # Not those of its bases, and without the cost of a copy.
    found = cls.__dict__.get("__annotations__")  # noqa: RUF063
    return found if isinstance(found, dict) else {}


def function_annotations(function: Any) -> dict[str, Any]:
    """What a function annotates, as written."""
    if _ARE_LAZY:
        return _lazy_annotations(function)
    found = getattr(function, "__annotations__", None)
    return found if isinstance(found, dict) else {}


def _lazy_annotations(owner: Any) -> dict[str, Any]:
    """What is annotated, evaluated now. Names that mean nothing yet, such as those of imports for
    type checkers only, become forward references, which are looked up as texts are."""
    library = import_module("annotationlib")
    return dict(library.get_annotations(owner, format=library.Format.FORWARDREF))


def parameters_of(cls: Any) -> tuple[Any, ...]:
    """The type variables of a generic class or alias."""
    found = getattr(cls, "__parameters__", None)
    if found is None or not isinstance(found, tuple):
        found = getattr(cls, "__type_params__", ())
    return found if isinstance(found, tuple) else ()


def bind(parameters: tuple[Any, ...], args: tuple[Any, ...], title: str) -> dict[Any, Any]:
    """Type variables with their arguments; one of many takes what the others leave."""
    many = [at for at, one in enumerate(parameters) if type(one).__name__ == "TypeVarTuple"]
    if not many:
        if len(args) > len(parameters):
            refuse(f"{title}: expected {len(parameters)} type arguments, found {len(args)}")
        return dict(zip(parameters, args, strict=False))
    at = many[0]
    after = len(parameters) - at - 1
    if len(args) < at + after:
        refuse(f"{title}: expected {at + after} type arguments or more, found {len(args)}")
    bound: dict[Any, Any] = dict(zip(parameters[:at], args[:at], strict=True))
    bound[parameters[at]] = tuple(args[at : len(args) - after])
    bound.update(zip(parameters[at + 1 :], args[len(args) - after :], strict=True))
    return bound


def base_bindings(cls: type, own: Bindings) -> dict[type, Bindings]:
    """For each class of the hierarchy, what its type variables are bound to."""
    found: dict[type, Bindings] = {cls: own}
    stack = [cls]
    while stack:
        current = stack.pop()
        for base in _generic_bases(current):
            origin = origin_of(base)
            if not isinstance(origin, type) or origin is typing.Generic:
                continue
            if origin in found or origin.__name__ == "Protocol":
                continue
            scope = Scope(current, current, current.__module__)
            parameters = parameters_of(origin)
            args = spread(typing.get_args(base), scope, found[current]) if parameters else ()
            found[origin] = bind(parameters, args, name_of(origin))
            stack.append(origin)
        for plain in current.__bases__:
            if plain not in found and plain is not object:
                found[plain] = NO_BINDINGS
                stack.append(plain)
    return found


def _generic_bases(cls: type) -> tuple[Any, ...]:
    found = cls.__dict__.get("__orig_bases__", ())
    return found if isinstance(found, tuple) else ()


def stand_in(variable: Any) -> Any:
    """What an unbound type variable stands for: its default, its bound, its constraints, Any."""
    default = getattr(variable, "__default__", None)
    has_default = getattr(variable, "has_default", None)
    if default is not None and (has_default is None or has_default()):
        return default
    bound = getattr(variable, "__bound__", None)
    if bound is not None:
        return bound
    if variable is typing.AnyStr:
        return str
    constraints = getattr(variable, "__constraints__", ())
    if constraints:
        return typing.Union[tuple(constraints)]  # noqa: UP007
    return Any


def scope_of_variable(variable: Any) -> Scope:
    """Where the bound of a type variable was written."""
    return Scope(variable, None, getattr(variable, "__module__", None))


def resolve(hint: Any, scope: Scope) -> Any:
    """A hint that is no text and no forward reference."""
    if not isinstance(hint, _TEXTS):
        return hint
    for _ in range(100):
        if isinstance(hint, str):
            hint = scope.evaluate(hint)
        elif isinstance(hint, ForwardRef):
            module = getattr(hint, "__forward_module__", None)
            inner = scope
            if module is not None:
                name = module if isinstance(module, str) else module.__name__
                inner = Scope(scope.owner, scope.cls, name)
            hint = inner.evaluate(hint.__forward_arg__, _held(hint))
        else:
            return hint
    return refuse(f"{scope.title()}: expected a type, found a text that names itself")


def _held(reference: ForwardRef) -> Mapping[str, Any]:
    """What a forward reference brings along, where annotations are evaluated late: objects that its
    text only numbers, and the variables of functions around it."""
    found: dict[str, Any] = {}
    cells = getattr(reference, "__cell__", None)
    for name, cell in cells.items() if isinstance(cells, dict) else ():
        try:
            found[name] = cell.cell_contents
        except ValueError:
            continue
    found.update(getattr(reference, "__extra_names__", None) or {})
    return found or NOTHING_HELD


def close(hint: Any, scope: Scope, bindings: Bindings) -> Any:
    """The hint with no text and no type variable in it.

    Raises:
        ContractError: a name in it means nothing.
    """
    hint = resolve(hint, scope)
    if isinstance(hint, type) and not isinstance(hint, types.GenericAlias):
        return hint
    if isinstance(hint, TypeVar) or is_variable(hint):
        if hint in bindings:
            return bindings[hint]
        standing = stand_in(hint)
        if type(hint).__name__ == "TypeVarTuple" and standing is Any:
            return (Any,)
        return close(standing, scope_of_variable(hint), NO_BINDINGS)
    origin, args = origin_of(hint), typing.get_args(hint)
    if origin is None or not args or origin is typing.Literal:
        return hint
    if origin is typing.Annotated:
        inner = close(args[0], scope, bindings)
        return typing.Annotated[(inner, *args[1:])]
    new = spread(args, scope, bindings)
    if origin in UNIONS:
        return typing.Union[new]  # noqa: UP007
    if len(new) == len(args) and all(a is b for a, b in zip(new, args, strict=True)):
        return hint
    if isinstance(hint, types.GenericAlias):
        return types.GenericAlias(origin, new)
    if hasattr(hint, "copy_with"):
        return hint.copy_with(new)
    return origin[new]


def spread(args: tuple[Any, ...], scope: Scope, bindings: Bindings) -> tuple[Any, ...]:
    """Closed arguments; `*Ts` becomes what it is bound to."""
    new: list[Any] = []
    for arg in args:
        unpacked = unpacked_of(arg)
        if unpacked is not None and is_variable(unpacked):
            many = close(unpacked, scope, bindings)
            new.extend(many if isinstance(many, tuple) else [many])
        elif isinstance(arg, (list, tuple)) or arg is ...:
            new.append(arg)
        else:
            new.append(close(arg, scope, bindings))
    return tuple(new)


def unpacked_of(hint: Any) -> Any:
    """What stands behind a star in type arguments, or None."""
    if getattr(hint, "__unpacked__", False) is True:
        return origin_of(hint)[typing.get_args(hint)]
    if origin_of(hint) is typing.Unpack or (getattr(origin_of(hint), "_name", None) == "Unpack"):
        return typing.get_args(hint)[0]
    return None

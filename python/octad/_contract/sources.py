"""Where the members of a class come from: one function for each kind of class.

Owns dataclasses, attrs classes, named tuples, typed dicts, msgspec Structs, pydantic models, plain
classes and marked constructors; the packages are recognised by attributes and never imported. Says
whether instances may be filled without their `__init__`: only where that is exact.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from octad._contract.fields import Field, marks
from octad._contract.hints import (
    NO_BINDINGS,
    Bindings,
    Scope,
    base_bindings,
    function_annotations,
    name_of,
    origin_of,
)
from octad._contract.members import (
    ABSENT,
    AFTERWARDS,
    FACTORY,
    POSITIONAL,
    REQUIRED,
    VALUE,
    Hint,
    Member,
    class_hints,
)
from octad._contract.refusal import refuse
from octad._errors import ContractError


@dataclasses.dataclass(slots=True)
class Source:
    """The members of a class and how its instances are made."""

    members: list[Member]
    make: str
    maker: Any = None
    shape: str = "object"
    after: tuple[Callable[[Any], Any], ...] = ()
    frozen: bool = False
    unknown: str | None = None
    omit_defaults: bool = False
    tag: tuple[str, Any, str] | None = None
    # A pydantic model: its fields are for telling union members apart only.
    opaque: bool = False
    # Whether `dumps` knows the class without a contract.
    native: bool = True


def source_of(cls: type, own: Bindings, path: str, *, plain: bool = False) -> Source | None:
    """The members of a class, or None where it has none; of a plain class where that is asked.

    Raises:
        ContractError: a class that only looks like one of those that are known.
    """
    try:
        return plain_class(cls, own, path) if plain else _source_of(cls, own, path)
    except (AttributeError, TypeError, ValueError, KeyError) as error:
        if isinstance(error, ContractError):
            raise
        refuse(f"{path}: expected a class whose fields can be read, found one where {error}")


def _source_of(cls: type, own: Bindings, path: str) -> Source | None:
    marked = _marked(cls)
    if marked is not None:
        return _from_callable(cls, own, marked[0], marked[1], path)
    if hasattr(cls, "__pydantic_validator__") and hasattr(cls, "__pydantic_fields__"):
        return _pydantic(cls)
    if hasattr(cls, "__struct_fields__") and hasattr(cls, "__struct_config__"):
        return _struct(cls, own)
    if is_typed_dict(cls):
        return _typed_dict(cls, own)
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        return _named_tuple(cls, own)
    if "__attrs_attrs__" in vars(cls) or hasattr(cls, "__attrs_attrs__"):
        return _attrs(cls, own, path)
    if hasattr(cls, "__dataclass_fields__"):
        return _dataclass(cls, own, path)
    return None


# --- Constructors that users mark -----------------------------------------------------------------


def _marked(cls: type) -> tuple[Any, Any] | None:
    """The marked constructor: the callable, and the function with its parameters."""
    if not marks:
        return None
    for base in cls.__mro__:
        for name, value in vars(base).items():
            if getattr(value, "__octad_constructor__", False) is True:
                function = getattr(value, "__func__", value)
                if name == "__init__":
                    return cls, function
                return getattr(cls, name), function
            inner = getattr(value, "__func__", None)
            if getattr(inner, "__octad_constructor__", False) is True:
                return getattr(cls, name), inner
    return None


def _from_callable(
    cls: type, own: Bindings, maker: Any, function: Any, path: str, hints: Any = None
) -> Source:
    """Members from the parameters of a function, bound by name."""
    code = getattr(function, "__code__", None)
    if code is None:
        refuse(f"{path}: expected a Python function as constructor of {name_of(cls)}")
    annotations = function_annotations(function)
    bound = base_bindings(cls, own) if hasattr(cls, "__orig_bases__") else {cls: own}
    owner = next((base for base in cls.__mro__ if function in _functions(base)), cls)
    scope = Scope(function, owner, function.__module__)
    bindings = bound.get(owner, NO_BINDINGS)
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    # `self` or `cls`, unless the function is static.
    static = isinstance(vars(owner).get(function.__name__), staticmethod)
    first = 0 if static else 1
    defaults = dict(
        zip(
            names[code.co_argcount - len(function.__defaults__ or ()) : code.co_argcount],
            function.__defaults__ or (),
            strict=True,
        )
    )
    defaults.update(function.__kwdefaults__ or {})
    hints = hints or {}
    members: list[Member] = []
    for at, name in enumerate(names):
        if at < first:
            continue
        if name in annotations:
            hint, where, bindings_here = annotations[name], scope, bindings
        elif name in hints:
            hint, where, bindings_here = hints[name]
        elif name in defaults:
            hint, where, bindings_here = Any, scope, bindings
        else:
            refuse(f"{path}: expected a type for the parameter `{name}` of {name_of(cls)}")
        positional = at < code.co_posonlyargcount
        members.append(
            Member(
                name,
                hint,
                where,
                bindings_here,
                kind=(VALUE if positional else ABSENT) if name in defaults else REQUIRED,
                default=defaults[name] if positional and name in defaults else None,
                flags=POSITIONAL if positional else 0,
            )
        )
    return Source(members, "call", maker, native=False)


def _functions(cls: type) -> list[Any]:
    return [getattr(value, "__func__", value) for value in vars(cls).values()]


# --- Dataclasses ----------------------------------------------------------------------------------


def _generated(function: Any, name: str) -> bool:
    """Whether dataclasses made a method."""
    code = getattr(function, "__code__", None)
    return code is not None and code.co_qualname == f"__create_fn__.<locals>.{name}"


def _plain_making(cls: type) -> bool:
    """Whether `cls()` is nothing but a new object and `__init__`."""
    new: Any = cls.__new__
    return new is object.__new__ and type(cls).__call__ is type.__call__


def _no_descriptors(cls: type, names: list[str]) -> bool:
    """Whether storing a field runs no code of the class."""
    for name in names:
        for base in cls.__mro__:
            if name in base.__dict__:
                value = base.__dict__[name]
                kind = type(value)
                if hasattr(kind, "__set__") and kind.__name__ != "member_descriptor":
                    return False
                break
    return True


def _metadata_field(metadata: Any) -> Field | None:
    found = metadata.get("octad") if metadata else None
    return found if isinstance(found, Field) else None


def _dataclass(cls: type, own: Bindings, path: str) -> Source:
    hints = class_hints(cls, own)
    fields: list[Any] = []
    init_vars: list[Any] = []
    for one in cls.__dataclass_fields__.values():  # type: ignore[attr-defined]
        kind = one._field_type.name
        if kind == "_FIELD":
            fields.append(one)
        elif kind == "_FIELD_INITVAR":
            init_vars.append(one)
    init = cls.__init__  # type: ignore[misc]
    generated = _generated(init, "__init__")
    if not generated and init is not object.__init__:
        return _by_own_init(cls, own, path, hints, [one.name for one in fields])
    set_attribute: Any = cls.__setattr__
    frozen = bool(cls.__dataclass_params__.frozen)  # type: ignore[attr-defined]
    direct = (
        not init_vars
        and _plain_making(cls)
        and (set_attribute is object.__setattr__ or _generated(set_attribute, "__setattr__"))
        and _no_descriptors(cls, [one.name for one in fields])
    )
    members: list[Member] = []
    for one in (*fields, *init_vars):
        where = hints.get(one.name)
        hint, scope, bindings = where or (one.type, Scope(cls, cls, cls.__module__), own)
        kind, default = REQUIRED, None
        if one.default is not dataclasses.MISSING:
            kind, default = VALUE, one.default
        elif one.default_factory is not dataclasses.MISSING:
            kind, default = FACTORY, one.default_factory
        elif not one.init:
            kind = ABSENT
        is_init_var = one._field_type.name == "_FIELD_INITVAR"
        members.append(
            Member(
                one.name,
                hint,
                scope,
                bindings,
                field=_metadata_field(one.metadata),
                kind=kind,
                default=default,
                readable=one.init,
                writable=not is_init_var,
            )
        )
    post = getattr(cls, "__post_init__", None)
    if direct:
        return Source(members, "direct", after=(post,) if post is not None else (), frozen=frozen)
    _by_call(members)
    return Source(members, "call", cls, frozen=frozen)


def _by_call(members: list[Member]) -> None:
    """Leaves defaults to the constructor, those of a `Field` aside."""
    for member in members:
        said = member.field
        own = said is not None and (
            "default" in said._options() or "default_factory" in said._options()
        )
        if member.kind in (VALUE, FACTORY) and not own and not member.unset:
            member.kind = ABSENT


def _written_too(source: Source, names: list[str], hints: dict[str, Hint]) -> None:
    """Fields that the constructor does not take are written all the same."""
    known = {member.attribute for member in source.members}
    for member in source.members:
        member.writable = member.attribute in names
    for name in names:
        if name not in known and name in hints:
            hint, scope, bindings = hints[name]
            source.members.append(Member(name, hint, scope, bindings, kind=ABSENT, readable=False))


# --- Both -----------------------------------------------------------------------------------------


def _by_own_init(
    cls: type, own: Bindings, path: str, hints: dict[str, Hint], names: list[str]
) -> Source:
    """A class whose `__init__` is the user's: that makes it, its fields are written."""
    source = _from_callable(cls, own, cls, cls.__init__, path, hints)  # type: ignore[misc]
    _written_too(source, names, hints)
    source.native = True
    return source


# --- attrs ----------------------------------------------------------------------------------------


def _attrs(cls: type, own: Bindings, path: str) -> Source:
    hints = class_hints(cls, own)
    attributes = cls.__attrs_attrs__  # type: ignore[attr-defined]
    init = cls.__init__  # type: ignore[misc]
    code = getattr(init, "__code__", None)
    generated = code is not None and code.co_filename.startswith("<attrs generated")
    if not generated and init is not object.__init__:
        return _by_own_init(cls, own, path, hints, [one.name for one in attributes])
    set_attribute: Any = cls.__setattr__
    direct = (
        generated
        and _plain_making(cls)
        and not hasattr(cls, "__attrs_pre_init__")
        and not any(one.converter is not None or one.validator is not None for one in attributes)
        and code is not None
        and "_attrs_cached_hash" not in (*code.co_names, *code.co_consts, *code.co_varnames)
        and (
            set_attribute is object.__setattr__
            or getattr(set_attribute, "__module__", "").partition(".")[0] == "attr"
        )
        and _no_descriptors(cls, [one.name for one in attributes])
    )
    members = [_attribute(cls, own, one, hints, direct) for one in attributes]
    post = getattr(cls, "__attrs_post_init__", None)
    frozen = getattr(cls.__setattr__, "__name__", "") == "_frozen_setattrs"
    if direct and not any(member.kind == ABSENT and member.readable for member in members):
        return Source(members, "direct", after=(post,) if post is not None else (), frozen=frozen)
    _by_call(members)
    return Source(members, "call", cls, frozen=frozen)


def _attribute(cls: type, own: Bindings, one: Any, hints: dict[str, Hint], direct: bool) -> Member:
    """One attribute of an attrs class."""
    where: Hint = (
        one.type if one.type is not None else Any,
        Scope(cls, cls, cls.__module__),
        own,
    )
    hint, scope, bindings = hints.get(one.name, where)
    if one.converter is not None:
        hint, scope = _converter_input(one.converter, scope)
    kind, default = REQUIRED, None
    # attrs marks a missing default by a sentinel of its own.
    if type(one.default).__name__ == "Factory":
        kind, default = FACTORY, one.default.factory
        if one.default.takes_self:
            kind, default = ABSENT, None
    elif repr(one.default) != "NOTHING":
        kind, default = VALUE, one.default
    elif not one.init:
        kind = ABSENT
    argument = getattr(one, "alias", None) or one.name.lstrip("_")
    named = argument != one.name.lstrip("_")
    return Member(
        one.name,
        hint,
        scope,
        bindings,
        argument=None if direct else argument,
        field=_metadata_field(one.metadata),
        kind=kind,
        default=default,
        readable=one.init,
        wire=argument if named else None,
        aliases=(one.name,) if named else ((argument,) if argument != one.name else ()),
    )


def _converter_input(converter: Any, scope: Scope) -> tuple[Any, Scope]:
    """What a converter of attrs takes: the type of its first parameter, or anything."""
    function = getattr(converter, "converter", converter)
    if isinstance(function, type):
        return Any, scope
    annotations = function_annotations(function)
    code = getattr(function, "__code__", None)
    if code is not None and code.co_argcount:
        first = code.co_varnames[0]
        if first in annotations:
            module = getattr(function, "__module__", None)
            return annotations[first], Scope(function, None, module)
    # `attrs.converters.optional` and its kin carry annotations without parameters to match.
    values = [hint for name, hint in annotations.items() if name != "return"]
    if values:
        return values[0], scope
    return Any, scope


# --- Tuples, dicts --------------------------------------------------------------------------------


def _named_tuple(cls: type, own: Bindings) -> Source:
    hints = class_hints(cls, own)
    scope = Scope(cls, cls, cls.__module__)
    defaults: dict[str, Any] = getattr(cls, "_field_defaults", {})
    members: list[Member] = []
    for name in cls._fields:  # type: ignore[attr-defined]
        hint, where, bindings = hints.get(name, (Any, scope, own))
        members.append(
            Member(
                name,
                hint,
                where,
                bindings,
                kind=VALUE if name in defaults else REQUIRED,
                default=defaults.get(name),
            )
        )
    code = getattr(cls.__new__, "__code__", None)
    plain = code is not None and code.co_name == "<lambda>" and code.co_filename == "<string>"
    if plain and cls.__init__ is object.__init__:  # type: ignore[misc]
        return Source(members, "tuple", shape="either")
    _by_call(members)
    return Source(members, "call", cls, shape="either")


def is_typed_dict(cls: Any) -> bool:
    """A TypedDict, also that of typing_extensions."""
    return isinstance(cls, type) and issubclass(cls, dict) and hasattr(cls, "__required_keys__")


def _typed_dict(cls: type, own: Bindings) -> Source:
    members: dict[str, Member] = {}
    _typed_dict_members(cls, own, members)
    return Source(list(members.values()), "dict")


def _typed_dict_members(cls: Any, own: Bindings, members: dict[str, Member]) -> None:
    """Members of the bases first: a TypedDict forgets them in its hierarchy of classes."""
    inherited: dict[str, Member] = {}
    for base in cls.__dict__.get("__orig_bases__", ()):
        origin = origin_of(base) or base
        if is_typed_dict(origin):
            bound = base_bindings(cls, own).get(origin, NO_BINDINGS)
            _typed_dict_members(origin, bound, inherited)
    required: frozenset[str] = getattr(cls, "__required_keys__", frozenset())
    scope = Scope(cls, cls, cls.__module__)
    from octad._contract.hints import own_annotations

    for name, hint in own_annotations(cls).items():
        before = inherited.get(name)
        # A base in another module: its forward references carry that module.
        member = Member(name, hint, scope, own)
        if before is not None and before.bindings is not NO_BINDINGS:
            member = before
        needed = name in required
        if "Required" in member.qualifiers:
            needed = True
        elif "NotRequired" in member.qualifiers:
            needed = False
        if member.kind == REQUIRED and not needed:
            member.kind = ABSENT
        members[name] = member


# --- msgspec, pydantic ----------------------------------------------------------------------------


def _struct(cls: Any, own: Bindings) -> Source:
    hints = class_hints(cls, own)
    config = cls.__struct_config__
    names, encoded = cls.__struct_fields__, cls.__struct_encode_fields__
    defaults = cls.__struct_defaults__
    start = len(names) - len(defaults)
    scope = Scope(cls, cls, cls.__module__)
    members: list[Member] = []
    for at, (name, wire) in enumerate(zip(names, encoded, strict=True)):
        hint, where, bindings = hints.get(name, (Any, scope, own))
        default = defaults[at - start] if at >= start else None
        has = at >= start and type(default).__name__ != "NoDefaultType"
        members.append(
            Member(
                name,
                hint,
                where,
                bindings,
                wire=wire if wire != name else None,
                kind=ABSENT if has else REQUIRED,
                default=default if has else None,
            )
        )
    tag = None
    if config.tag is not None:
        tag = (config.tag_field, config.tag, "inside")
    return Source(
        members,
        "call",
        cls,
        shape="array" if config.array_like else "object",
        frozen=bool(config.frozen),
        unknown="forbid" if config.forbid_unknown_fields else None,
        omit_defaults=bool(config.omit_defaults),
        tag=tag,
    )


def is_root_model(cls: type) -> bool:
    """A pydantic model of one value, which need not be an object."""
    return getattr(cls, "__pydantic_root_model__", False) is True


def _pydantic(cls: Any) -> Source:
    """A pydantic model: its own validator does the work."""
    scope = Scope(cls, cls, cls.__module__)
    members: list[Member] = []
    for name, info in cls.__pydantic_fields__.items():
        alias = getattr(info, "validation_alias", None) or getattr(info, "alias", None)
        members.append(
            Member(
                name,
                info.annotation,
                scope,
                kind=REQUIRED if info.is_required() else ABSENT,
                wire=alias if isinstance(alias, str) else None,
            )
        )
    return Source(members, "validator", pydantic_maker(cls), opaque=True, native=False)


def pydantic_maker(cls: Any) -> Callable[[Any], Any]:
    """What makes a model of a plain value: pydantic's validator, in its JSON mode where the model
    is strict, since JSON has no dates to be strict about."""
    validator = cls.__pydantic_validator__
    config = getattr(cls, "model_config", None) or getattr(cls, "__pydantic_config__", None) or {}
    if not config.get("strict"):

        def validate(value: Any) -> Any:
            return validator.validate_python(value)

        return validate

    def validate_strictly(value: Any) -> Any:
        from octad import json

        return validator.validate_json(json.dumps(value))

    return validate_strictly


def hiding(maker: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The same, with the input left out of what pydantic says."""

    def validate(value: Any) -> Any:
        try:
            return maker(value)
        except ValueError as error:
            errors = getattr(error, "errors", None)
            if errors is None:
                raise
            found = errors(include_input=False, include_url=False, include_context=False)
        texts = (f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in found)
        # Outside of the handler: the exception of pydantic, which has the input, is not kept.
        raise ValueError("; ".join(texts))

    return validate


# --- Plain classes --------------------------------------------------------------------------------


def plain_class(cls: type, own: Bindings, path: str) -> Source:
    """A class without any of these: the parameters of its `__init__`, or what it annotates."""
    hints = class_hints(cls, own)
    init = cls.__init__  # type: ignore[misc]
    if init is not object.__init__:
        return _from_callable(cls, own, cls, init, path, hints)
    members: list[Member] = []
    for name, (hint, scope, bindings) in hints.items():
        has = hasattr(cls, name) and not _is_slot(cls, name)
        member = Member(name, hint, scope, bindings, kind=ABSENT if has else REQUIRED)
        if has:
            member.default = getattr(cls, name)
        if "ClassVar" not in member.qualifiers:
            members.append(member)
    set_attribute: Any = cls.__setattr__
    direct = (
        _plain_making(cls)
        and set_attribute is object.__setattr__
        and _no_descriptors(cls, [member.attribute for member in members])
    )
    if direct:
        return Source(members, "direct", native=False)
    for member in members:
        member.flags |= AFTERWARDS
    return Source(members, "call", cls, native=False)


def _is_slot(cls: type, name: str) -> bool:
    return type(getattr(cls, name)).__name__ == "member_descriptor"


def is_abstract(cls: type) -> bool:
    """Whether instances of the class itself cannot be made."""
    return bool(getattr(cls, "__abstractmethods__", None))


def is_protocol(cls: type) -> bool:
    """A class that only says what others have."""
    return bool(getattr(cls, "_is_protocol", False)) and any(
        base.__name__ == "Protocol" for base in cls.__bases__
    )

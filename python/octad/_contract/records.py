"""Records: from the members of a class to the spec that the compiled half runs.

Owns names in the data, defaults, order, what happens to unknown members, hooks. `outline` needs no
node and is quick; `fill` adds the nodes of the members when the compiler comes to it.
"""

from __future__ import annotations

import inspect
import weakref
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from octad._contract import scalars
from octad._contract.fields import Field, contract_of
from octad._contract.hints import (
    NO_BINDINGS,
    Bindings,
    Scope,
    a,
    base_bindings,
    bind,
    function_annotations,
    name_of,
    parameters_of,
)
from octad._contract.members import ABSENT, AFTERWARDS, FACTORY, REQUIRED, VALUE, Member
from octad._contract.refusal import refuse
from octad._contract.sources import (
    Source,
    hiding,
    is_abstract,
    is_protocol,
    is_root_model,
    source_of,
)
from octad._contract.style import PLAIN, Env
from octad._core import forget_classes
from octad._naming import policy
from octad._settings import Settings

if TYPE_CHECKING:
    from octad._contract.compile import Compiler

EXTRA = "__octad_extra__"


class Outline:
    """A class as the data sees it."""

    __slots__ = (
        "case",
        "cls",
        "members",
        "options",
        "shape",
        "source",
        "tag",
        "title",
        "unknown",
    )

    def __init__(
        self,
        cls: type,
        title: str,
        source: Source,
        options: Mapping[str, Any],
        settings: Settings,
    ) -> None:
        self.cls = cls
        self.title = title
        self.source = source
        self.options = options
        self.case: bool = options.get("case_sensitive", settings.case_sensitive)
        self.unknown: str = options.get("unknown") or source.unknown or settings.unknown
        self.shape = source.shape
        if "array" in options:
            self.shape = "array" if options["array"] else "object"
        self.tag = source.tag
        self.members = list(source.members)

    def required(self) -> set[str]:
        """Names that have to be there, where there is one name only."""
        found = set()
        for member in self.members:
            wires = member.wires()
            if member.readable and member.kind == REQUIRED and len(wires) == 1:
                field = member.field
                if field is None or not (field.flatten or field.extra):
                    found.add(wires[0])
        return found

    def known(self) -> set[str]:
        """Every name that means something."""
        found: set[str] = set()
        for member in self.members:
            field = member.field
            if field is None or not (field.flatten or field.extra):
                found.update(member.wires())
        if self.tag is not None:
            found.add(self.tag[0])
        return found

    @property
    def open(self) -> bool:
        """Whether names that no field has mean something too."""
        return self.unknown == "keep" or any(
            member.field is not None and (member.field.flatten or member.field.extra)
            for member in self.members
        )


def title_of(cls: type, closed: tuple[Any, ...]) -> str:
    """How a class with its type arguments is called."""
    name = name_of(cls)
    return f"{name}[{', '.join(name_of(arg) for arg in closed)}]" if closed else name


def outline(
    cls: type, closed: tuple[Any, ...], settings: Settings, path: str
) -> Outline | scalars.Called:
    """A class as the data sees it, or how it is called where it is a plain value of its own.

    Raises:
        ContractError: nothing can be read into the class, or its options contradict each other.
    """
    title = title_of(cls, closed)
    own: Bindings = NO_BINDINGS
    if closed:
        own = bind(parameters_of(cls), closed, title)
    source = source_of(cls, own, title)
    if source is not None and source.opaque and is_root_model(cls):
        return scalars.Called(Any, source.maker, a(title), scalars.RANK_ANY)
    if source is None:
        called = _plain_value(cls, own)
        if called is not None:
            return called
        if is_protocol(cls):
            refuse(
                f"{path}: expected a type that data can be read into, found the protocol {title}"
            )
        _concrete(cls, title, path)
        source = source_of(cls, own, title, plain=True)
        if source is None or (not source.members and not contract_of(cls)):
            refuse(
                f"{path}: expected a type that data can be read into, found {title}, "
                f"which has no annotated fields and no annotated `__init__`"
            )
    _concrete(cls, title, path)
    options = contract_of(cls)
    made = Outline(cls, title, source, options, settings)
    if source.opaque:
        return made
    _include(made, own)
    _names(made, settings)
    _order(made)
    from octad._contract import families

    made.tag = families.tag(cls, options) or source.tag
    _clashes(made)
    return made


def _concrete(cls: type, title: str, path: str) -> None:
    """Refuses a class of which there are no instances."""
    if is_abstract(cls):
        refuse(
            f"{path}: expected a class that has instances, found the abstract {title}; "
            f"`octad.contract(allow=...)` names the classes that may stand for it"
        )


def _plain_value(cls: type, own: Bindings) -> scalars.Called | None:
    """A user's subclass of a built-in value or container."""
    from octad._contract import containers

    called = scalars.subclass_of_plain(cls)
    if called is not None:
        return called
    base = containers.base_of(cls)
    if base is None:
        return None
    bound = base_bindings(cls, own) if hasattr(cls, "__orig_bases__") else {}
    child: Any = base
    for ancestor in cls.__mro__:
        for one in ancestor.__dict__.get("__orig_bases__", ()):
            if getattr(one, "__origin__", None) is base:
                where = Scope(ancestor, ancestor, ancestor.__module__)
                child = (one, where, bound.get(ancestor, NO_BINDINGS))
    return scalars.Called(child, containers.make_of(cls, base), a(cls.__name__), scalars.RANK_ANY)


def _include(made: Outline, own: Bindings) -> None:
    """Properties and further attributes that the contract names."""
    cls, options = made.cls, made.options
    scope = Scope(cls, cls, cls.__module__)
    known = {member.attribute for member in made.members}
    for name in options.get("properties", ()):
        found = inspect.getattr_static(cls, name, None)
        getter = getattr(found, "fget", None) or getattr(found, "func", None)
        if getter is None:
            refuse(f"{made.title}: expected a property, found no property `{name}`")
        hint = function_annotations(getter).get("return", Any)
        settable = getattr(found, "fset", None) is not None
        member = Member(
            name, hint, Scope(getter, cls, cls.__module__), own, kind=ABSENT, readable=settable
        )
        member.flags |= AFTERWARDS
        made.members.append(member)
    for name in options.get("include", ()):
        if name in known:
            continue
        from octad._contract.members import class_hints

        hint, where, bindings = class_hints(cls, own).get(name, (Any, scope, own))
        member = Member(name, hint, where, bindings, kind=ABSENT)
        member.flags |= AFTERWARDS
        made.members.append(member)


def _names(made: Outline, settings: Settings) -> None:
    """Gives every member its name in the data."""
    rename = policy(made.options.get("rename", settings.rename))
    if rename is None:
        return
    for member in made.members:
        if member.wire is None:
            try:
                member.wire = rename(member.attribute)
            except TypeError as error:
                refuse(f"{made.title}.{member.attribute}: {error}")


def _order(made: Outline) -> None:
    """Members in the order in which they are written."""
    first = made.options.get("order", ())
    if first:
        names = {member.attribute for member in made.members}
        for name in first:
            if name not in names:
                refuse(f"{made.title}: expected names of fields in `order=`, found {name!r}")
    if not first and not any(
        member.field is not None and member.field.order is not None for member in made.members
    ):
        return
    places = {name: at for at, name in enumerate(first)}

    def place(member: Member) -> tuple[int, int]:
        if member.attribute in places:
            return 0, places[member.attribute]
        field = member.field
        if field is not None and field.order is not None:
            return 1, field.order
        return 2, 0

    made.members.sort(key=place)


def _clashes(made: Outline) -> None:
    """Refuses two members of one name."""
    if made.case and made.tag is None:
        names = [name for member in made.members for name in member.wires()]
        if len(set(names)) == len(names):
            return
    seen: dict[str, str] = {}
    for member in made.members:
        field = member.field
        if field is not None and (field.flatten or field.extra):
            continue
        if not member.readable and not member.writable:
            continue
        for name in member.wires():
            same = name if made.case else name.casefold()
            other = seen.setdefault(same, member.attribute)
            if other != member.attribute:
                refuse(
                    f"{made.title}: expected one field for each name, found `{other}` and "
                    f"`{member.attribute}` both called {name!r}"
                )
    if made.tag is not None and made.tag[2] == "inside":
        same = made.tag[0] if made.case else made.tag[0].casefold()
        if same in seen:
            refuse(
                f"{made.title}: expected one meaning for each name, found the field "
                f"`{seen[same]}` and the tag both called {made.tag[0]!r}"
            )


# --- Filling --------------------------------------------------------------------------------------


def fill(compiler: Compiler, place: int, made: Outline) -> None:
    """Puts the spec of a record at its place, and its members into the compiler."""
    source = made.source
    spec: dict[str, Any] = {
        "cls": made.cls,
        "name": made.title,
        "make": source.make,
        "shape": made.shape,
        "fields": (),
    }
    if source.maker is not None:
        hides = source.make == "validator" and not compiler.settings.show_input
        spec["maker"] = hiding(source.maker) if hides else source.maker
    if source.opaque:
        compiler.nodes[place] = ("record", spec)
        return
    fields: list[tuple[Any, ...]] = []
    unread: list[tuple[Any, ...]] = []
    known: list[str] = []
    flatten: list[tuple[str, int]] = []
    extra: str | None = None
    for member in made.members:
        said = member.field
        if said is not None and (said.flatten or said.extra):
            index = _node(compiler, made, member)
            # Among the members of its owner there is no object of its own, and none around it.
            index = compiler.inside.get(index, index)
            if said.extra and _is_any_dict(compiler, index):
                if extra is not None:
                    refuse(f"{made.title}: expected one field with `extra=`, found two")
                extra = member.argument
            else:
                flatten.append((member.argument, index))
                _flat(compiler, made, member, index)
            continue
        if member.readable:
            fields.append(_row(compiler, made, member))
            continue
        if member.known:
            known.extend(member.wires())
        row = _unread(compiler, made, member)
        if row is not None:
            unread.append(row)
    if unread and source.make == "tuple":
        # A tuple is made of its fields in their order.
        spec.update(make="call", maker=made.cls)
    # Those without a name stand last: a name's number is that of its field.
    spec["fields"] = (*fields, *unread)
    if known:
        spec["known"] = tuple(known)
    if flatten:
        spec["flatten"] = tuple(flatten)
    _unknown(spec, made, extra)
    spec["case"] = made.case
    if made.tag is not None and made.tag[2] == "inside":
        spec["tag"] = made.tag[:2]
    before = getattr(made.cls, "__octad_before_load__", None)
    if before is not None:
        spec["before"] = before
    after = list(source.after)
    hook = getattr(made.cls, "__octad_after_load__", None)
    if hook is not None and source.make != "dict":
        after.append(hook)
    if after:
        spec["after"] = tuple(after)
    if source.frozen:
        spec["frozen"] = True
    compiler.nodes[place] = ("record", spec)


def _node(compiler: Compiler, made: Outline, member: Member) -> int:
    env = Env(member.scope, member.bindings, PLAIN, f"{made.title}.{member.attribute}")
    if member.field is None and not member.checks:
        return compiler.node(member.hint, env)
    return compiler.with_field(member.hint, member.field, member.checks, env)


def _row(compiler: Compiler, made: Outline, member: Member) -> tuple[Any, ...]:
    """One field of the spec."""
    return (
        member.argument,
        member.wires(),
        _node(compiler, made, member),
        member.kind,
        member.default if member.kind in (VALUE, FACTORY) else None,
        member.flags,
    )


def _unread(compiler: Compiler, made: Outline, member: Member) -> tuple[Any, ...] | None:
    """A field that is never in the data: its default is set, or the constructor's own."""
    if member.kind == REQUIRED:
        refuse(f"{made.title}.{member.attribute}: expected a default for a field that is not read")
    direct = made.source.make in ("direct", "tuple")
    if member.kind == ABSENT or not (direct or _own_default(member.field)):
        return None
    anything = compiler.store(("any",))
    return (member.argument, (), anything, member.kind, member.default, member.flags)


def _own_default(field: Field | None) -> bool:
    return field is not None and bool({"default", "default_factory"} & field._options().keys())


def _is_any_dict(compiler: Compiler, index: int) -> bool:
    node = compiler.nodes[compiler.real(index)]
    return (
        node is not None
        and node[0] == "dict"
        and compiler.nodes[node[1]][0] == "str"
        and compiler.nodes[node[2]][0] == "any"
    )


def _flat(compiler: Compiler, made: Outline, member: Member, index: int) -> None:
    """Refuses, at the end, to flatten what has no members, or members of the same name."""

    def check() -> None:
        from octad._contract.unions import title

        place = compiler.real(index)
        node = compiler.nodes[place]
        path = f"{made.title}.{member.attribute}"
        if node[0] == "dict":
            return
        if node[0] != "record" or node[1]["shape"] == "array":
            found = title(compiler, place)
            if member.field is not None and member.field.extra:
                refuse(f"{path}: expected a dict for `extra=`, found {found}")
            reason = ""
            if node[0] in ("union", "tagged", "shaped"):
                reason = ": among the members of its owner nothing tells which one it is, or none"
            refuse(
                f"{path}: expected a class with fields or a dict to flatten, found {found}{reason}"
            )
        inner = compiler.outlines.get(place)
        clash = inner.known() & made.known() if inner is not None else set()
        if clash:
            refuse(
                f"{path}: expected one field for each name, found {sorted(clash)[0]!r} in both "
                f"{made.title} and {node[1]['name']}"
            )

    compiler.last.append(check)


def _unknown(spec: dict[str, Any], made: Outline, extra: str | None) -> None:
    """What happens to members that no field has."""
    unknown = made.unknown
    if extra is not None:
        spec["extra"] = extra
        spec["unknown"] = "keep"
        return
    if unknown == "keep" and made.source.make != "dict" and not spec.get("flatten"):
        if made.cls.__dictoffset__ == 0:
            refuse(
                f"{made.title}: expected a place for unknown members: a field with "
                f'`octad.Field(extra=True)`, or instances with a `__dict__`, for unknown="keep"'
            )
        spec["extra"] = EXTRA
        keep(made.cls)
    spec["unknown"] = unknown


# Classes whose instances may have members that no field took, whoever writes them.
_keeping: weakref.WeakSet[type] = weakref.WeakSet()


def keep(cls: type) -> None:
    """Notes that instances of a class may hold unknown members, which come back on writing."""
    if cls not in _keeping:
        _keeping.add(cls)
        # What the writer knows of the class is of before.
        forget_classes()


def keeps(cls: type) -> bool:
    """Whether instances of a class may hold unknown members."""
    return cls in _keeping


def outline_to_write(cls: type, settings: Settings) -> Outline | None:
    """A class as it is written, or None where it is no record."""
    if is_abstract(cls):
        return None
    if source_of(cls, NO_BINDINGS, cls.__name__) is None and not (
        contract_of(cls) or _annotated(cls)
    ):
        return None
    found = outline(cls, (), settings, cls.__name__)
    return found if isinstance(found, Outline) else None


def _annotated(cls: type) -> bool:
    """Whether a plain class says what it consists of."""
    init = cls.__init__  # type: ignore[misc]
    return bool(function_annotations(init)) if init is not object.__init__ else False

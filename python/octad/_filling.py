"""`load_into`: data into objects that are there already.

Owns which objects are filled and how they come back to what they were. Nothing here reads data: the
plan of the object's type is copied with its records changed to collect what the data has for an
existing object, and is run like any other. Only when all is read are the objects changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from octad import _models
from octad._contract import plan_nodes
from octad._core import Document, Element, Plan
from octad._errors import ContractError, ValidationError
from octad._formats import formats
from octad._settings import Settings

T = TypeVar("T")

# Objects deeper than this cannot be met by data: reading is bounded there.
_DEEPEST = 2000
_CONTRACT = (
    "rename",
    "rename_keys",
    "unknown",
    "case_sensitive",
    "numbers_from_text",
    "dates",
    "zones",
    "references",
    "converters",
)
_KEPT = "__octad_extra__"


def load_into(existing: T, data: Any, *, format: str = "json", **options: Any) -> T:
    """Read data into an object that is there already.

    What the data has replaces what the object has, all else stays. Objects within it are filled in
    their turn where the data has an object for them, dicts within dicts too; lists are replaced. On
    any error everything is as it was. `__octad_after_load__` is called for each object that was
    filled; `__init__` and `__post_init__` are not, since the object is there already. A
    `ValueError` or `TypeError` of an attribute's setter or of the hook is an
    `octad.ValidationError` with the path.

    Args:
        existing: an instance of a dataclass or of another class whose attributes are declared, a
            pydantic model, any object with attributes, a dict or a list.
        data: bytes, str or a buffer; or a document, or a view of one.
        format: the name of the format.
        options: the reading options of the format.

    Returns:
        The object itself.

    Raises:
        octad.DecodeError: the data is not well formed, or does not fit the object's type.
        TypeError: the object cannot be filled.

    >>> import dataclasses, octad
    >>> @dataclasses.dataclass
    ... class Server:
    ...     host: str
    ...     port: int = 80
    >>> server = Server("localhost", 8080)
    >>> octad.load_into(server, b'{"host": "example.org"}')
    Server(host='example.org', port=8080)
    """
    settings = _settings(options)
    if isinstance(existing, list):
        hint: Any = list
    elif isinstance(existing, dict):
        hint = dict
    else:
        hint = type(existing)
    try:
        given = plan_nodes(hint, settings)
    except ContractError:
        attributes = _by_attributes(existing)
        if attributes is None:
            raise
        given = attributes
    nodes = _Partial(given).of(existing)
    if nodes is None:
        raise TypeError(f"expected an object that can be filled, found one of {hint.__qualname__}")
    plan = Plan(nodes, settings)
    if isinstance(data, Document | Element):
        made: Any = data.to(plan)
    else:
        made = formats.named(format).module.loads(data, plan, **options)
    if isinstance(existing, list):
        existing[:] = made
    else:
        _apply(made)
    return existing


def _settings(options: dict[str, Any]) -> Settings | None:
    """The settings that the contract is made with, as the reading calls have them."""
    from dataclasses import replace

    settings: Settings | None = options.get("settings")
    given = {name: options[name] for name in _CONTRACT if options.get(name) is not None}
    return replace(settings or Settings(), **given) if given else settings


def _by_attributes(existing: Any) -> tuple[Any, ...] | None:
    """The nodes of an object whose class declares nothing: its public attributes, of any type."""
    names = [name for name in getattr(existing, "__dict__", ()) if not name.startswith("_")]
    if not names or isinstance(existing, type):
        return None
    fields = tuple((name, (name,), 1, 3, None, 0) for name in names)
    spec = {"cls": type(existing), "make": "direct", "fields": fields, "case": True}
    return ("record", spec), ("any",)


class _Fill:
    """What the data has for an object: the values of attributes, or of keys."""

    def __init__(
        self,
        target: Any,
        values: dict[str, Any],
        rest: dict[Any, Any],
        wires: dict[str, str | None],
    ) -> None:
        self.target = target
        self.values = values
        self.rest = rest
        self.wires = wires
        self.path: tuple[str, ...] = ()

    def way(self, name: Any) -> tuple[str, ...]:
        """The keys to the value of an attribute or key in the data."""
        key = self.wires.get(name, str(name)) if name in self.values else str(name)
        return self.path if key is None else (*self.path, key)


def _collector(
    target: Any, rest: str | None = None, wires: dict[str, str | None] | None = None
) -> Any:
    """Makes the `_Fill` of an object; `rest`: the name under which all other keys come; `wires`:
    the names of attributes in the data, None for those whose members stand among the others."""

    def collect(**values: Any) -> _Fill:
        others = values.pop(rest, {}) if rest is not None else {}
        return _Fill(target, values, others, wires or {})

    return collect


class _Partial:
    """A copy of a plan, with nodes of their own for objects that are to be filled."""

    def __init__(self, nodes: tuple[Any, ...]) -> None:
        self.given = nodes
        self.nodes: list[Any] = list(nodes)
        self.known: dict[tuple[int, int], int] = {}
        self.queue: list[tuple[int, int, Any, int]] = []

    def of(self, root: Any) -> tuple[Any, ...] | None:
        """The nodes for an object, the first of which is its own; None where it is none to fill."""
        if isinstance(root, list):
            return self.given
        index = self.fill(0, root, 0)
        if index is None:
            return None
        while self.queue:
            room, node, target, depth = self.queue.pop()
            self.nodes[room] = self.node(node, target, depth)
        # The root is node 0: what it was stands at the end, for those who mean it.
        moved = len(self.nodes)
        changed = {0: moved, index: 0}
        self.nodes.append(self.nodes[0])
        self.nodes[0] = self.nodes[index]
        return tuple(_renumbered(node, changed) for node in self.nodes)

    def fill(self, index: int, value: Any, depth: int) -> int | None:
        """The node that fills a value, in the place of another node; None: it is replaced."""
        if value is None or depth > _DEEPEST:
            return None
        node = self.given[index]
        op = node[0]
        if op == "union":
            return self.choice(index, value, depth)
        if op in ("tagged", "shaped"):
            return self.branch(index, value, depth)
        if op == "record":
            if not _is_filled(node[1], value):
                return None
        elif not (type(value) is dict and op in ("dict", "any")):
            return None
        elif op == "any":
            # Only an object fills the dict; anything else stands in its place.
            table = dict.fromkeys(
                ("null", "bool", "int", "float", "text", "bytes", "list"), (index,)
            )
            return self.put(("union", {**table, "map": (self.room(index, value, depth),)}))
        return self.room(index, value, depth)

    def room(self, index: int, value: Any, depth: int) -> int:
        """Room for a node that is made later. One object gets one node: it may hold itself."""
        key = (index, id(value))
        room = self.known.get(key)
        if room is None:
            room = self.known[key] = len(self.nodes)
            self.nodes.append(None)
            self.queue.append((room, index, value, depth))
        return room

    def choice(self, index: int, value: Any, depth: int) -> int | None:
        table = dict(self.given[index][1])
        found = False
        for kind in ("map", "list"):
            members = [(self.fill(one, value, depth), one) for one in table.get(kind, ())]
            found = found or any(filled is not None for filled, _ in members)
            if members:
                table[kind] = tuple(one if new is None else new for new, one in members)
        return self.put(("union", table)) if found else None

    def branch(self, index: int, value: Any, depth: int) -> int | None:
        node = self.given[index]
        if node[0] == "shaped":
            rows = [(names, self.fill(one, value, depth), one) for names, one in node[1]]
            if all(new is None for _, new, _ in rows):
                return None
            table = tuple((names, one if new is None else new) for names, new, one in rows)
            return self.put(("shaped", table))
        _, field, given, place, default = node
        tags = {tag: (self.fill(one, value, depth), one) for tag, one in given.items()}
        filled = None if default is None else self.fill(default, value, depth)
        # Without a tag the object is what it is.
        known = [new for new, _ in tags.values() if new is not None]
        if filled is None and not known:
            return None
        if filled is None:
            filled = known[0]
        chosen = {tag: one if new is None else new for tag, (new, one) in tags.items()}
        return self.put(("tagged", field, chosen, place, filled))

    def put(self, node: Any) -> int:
        self.nodes.append(node)
        return len(self.nodes) - 1

    def node(self, index: int, target: Any, depth: int) -> Any:
        """The node that collects what the data has for an object, in the place of another one."""
        node = self.given[index]
        if node[0] != "record":
            return self.items(index, target, depth)
        spec = dict(node[1])
        if spec.get("make") == "validator":
            return ("record", spec | {"maker": _models.filler(target, _Fill), "after": ()})
        typed = spec.get("make") == "dict"
        fields = []
        wires: dict[str, str | None] = {}
        for field in spec.get("fields", ()):
            attribute, names, index = field[:3]
            wires[attribute] = names[0] if names else attribute
            value = target.get(attribute) if typed else _value(target, attribute)
            filled = self.fill(index, value, depth + 1)
            fields.append((attribute, names, index if filled is None else filled, 3, None, 0))
        flatten = []
        for attribute, index in spec.get("flatten", ()):
            filled = self.fill(index, _value(target, attribute), depth + 1)
            # Only records and plain dicts can be flattened.
            if filled is not None and self.given[index][0] == "record":
                index = filled
            flatten.append((attribute, index))
            wires[attribute] = None
        spec |= {
            "cls": None,
            "make": "call",
            "maker": _collector(target, wires=wires),
            "fields": tuple(row for row in fields if row[1]),
            "flatten": tuple(flatten),
            "after": (),
            "frozen": False,
        }
        return ("record", spec)

    def items(self, index: int, target: dict[Any, Any], depth: int) -> Any:
        """A dict: the objects in it are filled, all other keys are set."""
        node = self.given[index]
        # Anything may hold anything.
        key, value = (self.put(("str",)), index) if node[0] == "any" else node[1:3]
        fields = []
        if self.at(key)[0] == "str":
            for name, one in target.items():
                filled = self.fill(value, one, depth + 1) if type(name) is str else None
                if filled is not None:
                    fields.append((name, (name,), filled, 3, None, 0))
        whole = self.put(("dict", key, value))
        if not fields:
            collect = _collector(target, "rest")
            return ("call", whole, lambda rest: collect(rest=rest), "an object")
        taken = {field[0] for field in fields}
        rest = "rest"
        while rest in taken:
            rest += "_"
        spec = {
            "cls": None,
            "name": "dict",
            "make": "call",
            "maker": _collector(target, rest),
            "fields": tuple(fields),
            "flatten": ((rest, whole),),
            "case": True,
        }
        return ("record", spec)

    def at(self, index: int) -> Any:
        return self.nodes[index]


def _is_filled(spec: dict[str, Any], value: Any) -> bool:
    """Whether an object is filled by data for a record, and not replaced."""
    make = spec.get("make")
    if make == "dict":
        return type(value) is dict
    if make == "validator":
        return type(value) is spec.get("cls") and _models.can_be_filled(value)
    if make not in ("direct", "call") or type(value) is not spec.get("cls"):
        return False
    parameters = getattr(type(value), "__dataclass_params__", None)
    return not (spec.get("frozen") or getattr(parameters, "frozen", False))


def _attribute(target: Any, name: str) -> str:
    """The attribute of an argument: a private one of attrs has no underscore there."""
    for one in (name, f"_{name}"):
        if hasattr(target, one) or hasattr(type(target), one):
            return one
    return name


def _value(target: Any, name: str) -> Any:
    return getattr(target, _attribute(target, name), None)


def _renumbered(node: Any, changed: dict[int, int]) -> Any:
    """A node whose children have moved."""

    def new(index: Any) -> Any:
        return changed.get(index, index)

    op = node[0]
    if op in ("list", "set", "frozenset", "tuple"):
        return (op, new(node[1]))
    if op in ("dict", "pairs"):
        return (op, new(node[1]), new(node[2]))
    if op == "row":
        return (op, tuple(map(new, node[1])), new(node[2]), tuple(map(new, node[3])))
    if op == "union":
        return (op, {kind: tuple(map(new, members)) for kind, members in node[1].items()})
    if op == "tagged":
        tags = {tag: new(index) for tag, index in node[2].items()}
        return (op, node[1], tags, node[3], new(node[4]))
    if op == "shaped":
        return (op, tuple((names, new(index)) for names, index in node[1]))
    if op in ("call", "checked"):
        return (op, new(node[1]), *node[2:])
    if op == "record":
        spec = dict(node[1])
        spec["fields"] = tuple(
            (*field[:2], new(field[2]), *field[3:]) for field in spec.get("fields", ())
        )
        spec["flatten"] = tuple((name, new(index)) for name, index in spec.get("flatten", ()))
        return (op, spec)
    return node


# --- Changing objects -----------------------------------------------------------------------------


def _apply(root: _Fill) -> None:
    """Changes all objects, or none."""
    fills = [root]
    for fill in fills:
        for values in (fill.values, fill.rest):
            for name, value in values.items():
                if isinstance(value, _Fill):
                    value.path = fill.way(name)
                    fills.append(value)
    before = [(fill.target, _state(fill.target)) for fill in fills]
    try:
        for fill in fills:
            _change(fill)
        for fill in reversed(fills):
            hook = getattr(type(fill.target), "__octad_after_load__", None)
            if hook is not None:
                with _at(fill.path, fill.target):
                    hook(fill.target)
    except BaseException:
        for target, state in reversed(before):
            _restore(target, state)
        raise


@contextmanager
def _at(way: tuple[str, ...], target: Any) -> Iterator[None]:
    """What code of the class says about a value has the path of it."""
    try:
        yield
    except ValidationError:
        raise
    except (ValueError, TypeError) as error:
        name = type(target).__qualname__
        raise ValidationError(
            f"expected a value that `{name}` accepts, found one that it rejects: {error}",
            code="rejected",
            expected=f"a value that `{name}` accepts",
            found="a value",
            path=_shown(way),
            pointer="".join("/" + key.replace("~", "~0").replace("/", "~1") for key in way),
        ) from error
    except Exception as error:
        error.add_note(f"while octad read the value at {_shown(way)}")
        raise


def _shown(way: tuple[str, ...]) -> str:
    steps = (f".{key}" if key.isascii() and key.isidentifier() else f"[{key!r}]" for key in way)
    return "$" + "".join(steps)


def _change(fill: _Fill) -> None:
    target = fill.target
    if _models.is_model(target):
        own = {name: one for name, one in fill.values.items() if not isinstance(one, _Fill)}
        _models.change(target, own, fill.values, fill.rest)
        return
    if isinstance(target, dict):
        for values in (fill.values, fill.rest):
            target.update(
                (key, value) for key, value in values.items() if not isinstance(value, _Fill)
            )
        return
    kept = vars(fill).get(_KEPT)
    if kept:
        target.__dict__[_KEPT] = {**target.__dict__.get(_KEPT, {}), **kept}
    for name, value in fill.values.items():
        if isinstance(value, _Fill):
            continue
        attribute = _attribute(target, name)
        old = getattr(target, attribute, None)
        if type(old) is dict and type(value) is dict:
            value = {**old, **value}
        with _at(fill.way(name), target):
            setattr(target, attribute, value)


def _slots(target: Any) -> list[str]:
    names: list[str] = []
    for cls in type(target).__mro__:
        given = cls.__dict__.get("__slots__", ())
        names += [given] if isinstance(given, str) else given
    return [name for name in names if name not in ("__dict__", "__weakref__")]


def _state(target: Any) -> Any:
    if isinstance(target, dict):
        return dict(target)
    slots = {}
    for name in _slots(target):
        mangled = name
        if name.startswith("__") and not name.endswith("__"):
            mangled = f"_{type(target).__name__.lstrip('_')}{name}"
        if hasattr(target, mangled):
            slots[mangled] = getattr(target, mangled)
    attributes = getattr(target, "__dict__", None)
    return slots, None if attributes is None else dict(attributes)


def _restore(target: Any, state: Any) -> None:
    if isinstance(target, dict):
        target.clear()
        target.update(state)
        return
    slots, attributes = state
    if attributes is not None:
        target.__dict__.clear()
        target.__dict__.update(attributes)
    for name in _slots(target):
        if name in slots:
            try:
                object.__setattr__(target, name, slots[name])
            except (AttributeError, TypeError):
                setattr(target, name, slots[name])
        elif hasattr(target, name):
            delattr(target, name)


load_into.__module__ = "octad"

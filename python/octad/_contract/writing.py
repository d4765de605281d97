"""What the writer is told of a class: names, order, what is left out, tags, hooks.

The same outlines that reading uses, so that what is written can be read. `None` means that the
writer's own way, declared fields as they are, is right.
"""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Union, get_args

from octad._contract import families, records
from octad._contract.compile import DEFAULTS
from octad._contract.containers import has_items
from octad._contract.declared import Seen, Standing, rules_of
from octad._contract.fields import contract_of
from octad._contract.hints import UNIONS, close, origin_of, own_annotations, resolve
from octad._contract.members import FACTORY, REQUIRED, VALUE, Member
from octad._contract.refusal import refuse
from octad._converters import as_converter, goes, kinds_of
from octad._errors import ContractError
from octad._naming import policy
from octad._settings import Settings

OMIT_NONE, OMIT_DEFAULT, OMIT_EMPTY, OMIT_UNSET = 1, 2, 4, 8
_BYTES = (bytes, bytearray, memoryview)

# Attribute, name in the data, bits of what is left out, kind of default, default, `omit_if`, rule.
Row = tuple[str, str, int, int, Any, Any, dict[str, Any] | None]


def key_policy(settings: Settings | None) -> Callable[[str], str] | None:
    """What the keys of dictionaries become in a call, or None where they stay.

    >>> key_policy(Settings(rename_keys="camel"))("user_id")
    'userId'
    """
    return None if settings is None else policy(settings.rename_keys)


def has_contract(cls: type) -> bool:
    """Whether somebody has given the class or an ancestor a contract."""
    return bool(contract_of(cls)) or issubclass(cls, Standing)


def writing(
    cls: type, settings: Settings | None = None, seen: Seen = frozenset()
) -> dict[str, Any] | None:
    """How instances of a class are written, or None for the writer's own way.

    Args:
        cls: the class.
        settings: those of the call.
        seen: typed dicts that this is asked for, which say nothing again.

    Raises:
        ContractError: the options of the class contradict each other.
    """
    used = DEFAULTS if settings is None else settings
    if issubclass(cls, enum.Enum):
        word = contract_of(cls).get("enum")
        return {"enum": word} if word is not None else None
    shown = _shown_as(cls)
    options = contract_of(shown)
    try:
        outline = records.outline_to_write(shown, used)
    except ContractError:
        if options or _says_something(shown):
            raise
        # Names that mean nothing here keep nobody from writing the fields as they are.
        return _without_hints(shown, used)
    if outline is None or outline.source.opaque:
        return None
    found: dict[str, Any] = {"fields": _rows(outline, shown, options, used, seen)}
    natural = _declared(shown)
    if outline.source.make == "dict":
        natural = [member.attribute for member in outline.source.members]
    plain = natural is not None and _as_they_are(found["fields"], natural)
    by_place = _is_named_tuple(shown)
    array = outline.shape == "array" or (outline.shape == "either" and by_place)
    if array:
        found["array"] = True
    if array != by_place:
        plain = False
    if outline.tag is not None:
        found["tag"] = outline.tag
        plain = False
    if issubclass(cls, Standing):
        # What the dict does not have is unset, what it has beyond its type comes last.
        rows: tuple[Row, ...] = found["fields"]
        found["fields"] = tuple((*row[:2], row[2] | OMIT_UNSET, *row[3:]) for row in rows)
        found["extra"] = records.EXTRA
        plain = False
    extra = _extra(outline)
    if extra is not None:
        found["extra"] = extra
        plain = False
    for hook, name in (("before", "__octad_before_dump__"), ("after", "__octad_after_dump__")):
        function = getattr(cls, name, None)
        if function is not None:
            found[hook] = function
            plain = False
    return None if plain else found


def _shown_as(cls: type) -> type:
    if issubclass(cls, Standing):
        shown: type = cls.__octad_shown_as__
        return shown
    return families.written_as(cls)


def says_bytes(cls: type, attribute: str) -> bool:
    """Whether the type of a field has bytes in it."""
    try:
        outline = records.outline_to_write(_shown_as(cls), DEFAULTS)
    except ContractError:
        return False
    if outline is None:
        return False
    for member in outline.members:
        if member.attribute == attribute:
            return _has_bytes(member.hint, member)
    return False


def _has_bytes(hint: Any, member: Member) -> bool:
    if not isinstance(hint, type):
        try:
            hint = resolve(hint, member.scope)
        except ContractError:
            return False
    if isinstance(hint, type) and issubclass(hint, _BYTES):
        return True
    return any(_has_bytes(arg, member) for arg in get_args(hint))


def _declared(cls: Any) -> list[str] | None:
    """The fields that are written where nobody says anything; None for a class of another kind."""
    if "__dataclass_fields__" in dir(cls):
        fields = cls.__dataclass_fields__.values()
        return [one.name for one in fields if one._field_type.name == "_FIELD"]
    if "__attrs_attrs__" in dir(cls):
        return [one.name for one in cls.__attrs_attrs__]
    return list(cls._fields) if _is_named_tuple(cls) else None


def _is_named_tuple(cls: Any) -> bool:
    return issubclass(cls, tuple) and hasattr(cls, "_fields")


def _as_they_are(rows: Sequence[Row], natural: list[str]) -> bool:
    names = [row[0] for row in rows]
    return names == natural and not any(
        name != wire or bits or omit_if or rule for name, wire, bits, _, _, omit_if, rule in rows
    )


def _rows(
    outline: records.Outline,
    cls: Any,
    options: Mapping[str, Any],
    settings: Settings,
    seen: Seen,
) -> tuple[Row, ...]:
    members = [
        member
        for member in outline.members
        if member.writable and not (member.field is not None and member.field.extra)
    ]
    natural = _declared(cls)
    ordered = "order" in options or any(
        member.field is not None and member.field.order is not None for member in members
    )
    if natural is not None and not ordered:
        places = {name: at for at, name in enumerate(natural)}
        members.sort(key=lambda member: places.get(member.attribute, len(places)))
    bits = _bits(options, settings)
    defaults: Mapping[str, tuple[int, Any]] = {}
    if hasattr(cls, "__struct_config__"):
        bits |= OMIT_UNSET | (OMIT_DEFAULT if cls.__struct_config__.omit_defaults else 0)
        defaults = _struct_defaults(cls)
    keys = policy(options.get("rename_keys"))
    rows = tuple(
        _row(member, bits, defaults.get(member.attribute), keys, rules_of(member, settings, seen))
        for member in members
    )
    if outline.shape != "array":
        _distinct(cls, rows)
    return rows


def _distinct(cls: Any, rows: Sequence[Row]) -> None:
    """Refuses two fields of one name in the data.

    Raises:
        ContractError: there are such.
    """
    names: dict[str, str] = {}
    for attribute, wire, *_, rule in rows:
        if rule is not None and rule.get("flatten"):
            continue
        other = names.setdefault(wire, attribute)
        if other != attribute:
            refuse(
                f"{cls.__qualname__}: expected a name for each field, found `{wire}` for "
                f"`{other}` and `{attribute}`"
            )


def _bits(options: Mapping[str, Any], settings: Settings) -> int:
    bits = 0
    for name, bit in (
        ("omit_none", OMIT_NONE),
        ("omit_defaults", OMIT_DEFAULT),
        ("omit_empty", OMIT_EMPTY),
    ):
        if options.get(name, getattr(settings, name)):
            bits |= bit
    return bits


def _row(
    member: Member,
    bits: int,
    default: tuple[int, Any] | None,
    keys: Any,
    declared: dict[str, Any],
) -> Row:
    field = member.field
    if member.unset:
        bits |= OMIT_UNSET
    kind, value = default if default is not None else _default(member)
    rule = declared | _rule(member)
    if "converter" in rule or "item_converter" in rule:
        # They are owed the values themselves.
        rule.pop("shape", None)
    if keys is not None:
        rule["keys"] = keys
    omit_if = None if field is None else field.omit_if
    return member.attribute, member.wires()[0], bits, kind, value, omit_if, rule or None


def _default(member: Member) -> tuple[int, Any]:
    if member.kind in (VALUE, FACTORY):
        return member.kind, member.default
    return REQUIRED, None


def _struct_defaults(cls: Any) -> dict[str, tuple[int, Any]]:
    """The defaults of a msgspec Struct, which its outline leaves to the class."""
    names, defaults = cls.__struct_fields__, cls.__struct_defaults__
    found: dict[str, tuple[int, Any]] = {}
    for name, default in zip(names[len(names) - len(defaults) :], defaults, strict=True):
        word = type(default).__name__
        if word == "NoDefaultType":
            continue
        factory = default.factory if word == "Factory" else None
        found[name] = (VALUE, default) if factory is None else (FACTORY, factory)
    return found


def _rule(member: Member) -> dict[str, Any]:
    field = member.field
    if field is None:
        return {}
    rule = {
        "dates": field.dates,
        "zones": field.zones,
        "bytes": field.bytes,
        "converter": _converter(field.converter, member, items=False),
        "item_converter": _converter(field.item_converter, member, items=True),
        "as_text": field.numbers_as_text,
        "flatten": field.flatten or None,
    }
    return {name: value for name, value in rule.items() if value is not None}


def _converter(given: Any, member: Member, *, items: bool) -> tuple[Any, bool] | None:
    """The converter that a field names, and whether None is its matter too; None where it does not
    write.

    As on reading: None is null, unless the converter says that it has to do with null, or nobody
    says what the values are.
    """
    if given is None:
        return None
    try:
        hints = _members(close(member.hint, member.scope, member.bindings))
    except ContractError:
        # What it means does not matter to converters of one's own.
        hints = []
    if items:
        holder = next((one for one in hints if has_items(one)), None)
        args = get_args(holder)
        is_mapping = len(args) == 2 and origin_of(holder) is not tuple
        hints = _members(args[1] if is_mapping else args[0]) if args else [Any]
    others = tuple(one for one in hints if one is not type(None) and one is not None)
    try:
        converter = as_converter(given, Union[others] if others else None)  # noqa: UP007
        takes_none = Any in others or object in others or "null" in kinds_of(converter)
    except TypeError as error:
        refuse(f"{member.attribute}: {error}")
    return (converter, takes_none) if goes(converter, "write") else None


def _members(hint: Any) -> list[Any]:
    return list(get_args(hint)) if origin_of(hint) in UNIONS else [hint]


def _extra(outline: records.Outline) -> str | None:
    for member in outline.members:
        if member.field is not None and member.field.extra:
            return member.attribute
    kept = outline.unknown == "keep" or records.keeps(outline.cls)
    return records.EXTRA if kept and outline.source.make != "dict" else None


def _says_something(cls: type) -> bool:
    """Whether an annotation may hold something for the writer."""
    for base in cls.__mro__:
        for hint in own_annotations(base).values():
            text = hint if isinstance(hint, str) else repr(hint)
            if "Annotated" in text or "Field(" in text:
                return True
    return False


def _without_hints(cls: Any, settings: Settings) -> dict[str, Any] | None:
    """What settings say about a class whose annotations cannot be understood."""
    names = _declared(cls)
    if names is None:
        return None
    rename = policy(settings.rename)
    bits = _bits({}, settings)
    rows: list[Row] = []
    for name in names:
        wire = name if rename is None else rename(name)
        rows.append((name, wire, bits, *_field_default(cls, name), None, None))
    _distinct(cls, rows)
    return None if _as_they_are(rows, names) else {"fields": tuple(rows)}


def _field_default(cls: Any, name: str) -> tuple[int, Any]:
    """The default of a dataclass's field."""
    field = getattr(cls, "__dataclass_fields__", {}).get(name)
    if field is None:
        return REQUIRED, None
    if field.default is not dataclasses.MISSING:
        return VALUE, field.default
    if field.default_factory is not dataclasses.MISSING:
        return FACTORY, field.default_factory
    return REQUIRED, None

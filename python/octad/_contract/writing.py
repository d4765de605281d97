"""What the writer is told of a class: names, order, what is left out, tags, hooks.

The same outlines that reading uses, so that what is written can be read. `None` means that the
writer's own way, declared fields as they are, is right.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from typing import Any

from octad._contract import families, records
from octad._contract.compile import DEFAULTS
from octad._contract.fields import Field, contract_of
from octad._contract.members import FACTORY, REQUIRED, VALUE, Member
from octad._naming import policy
from octad._settings import Settings

OMIT_NONE, OMIT_DEFAULT, OMIT_EMPTY, OMIT_UNSET = 1, 2, 4, 8


def key_policy(settings: Settings | None) -> Callable[[str], str] | Mapping[str, str] | None:
    """What the keys of dictionaries become in a call, or None where they stay.

    >>> key_policy(Settings(rename_keys="camel"))("user_id")
    'userId'
    """
    return None if settings is None else policy(settings.rename_keys)


def writing(cls: type, settings: Settings | None = None) -> dict[str, Any] | None:
    """How instances of a class are written, or None for the writer's own way.

    Raises:
        ContractError: the options of the class contradict each other.
    """
    used = DEFAULTS if settings is None else settings
    options = contract_of(cls)
    if issubclass(cls, enum.Enum):
        word = options.get("enum")
        return {"enum": word} if word is not None else None
    cls = families.written_as(cls)
    options = contract_of(cls)
    outline = records.outline_to_write(cls, used)
    if outline is None or outline.source.opaque:
        return None
    rename_keys = options.get("rename_keys")
    rows = tuple(
        _row(outline, member, options, used, rename_keys)
        for member in outline.members
        if member.writable and not (member.field is not None and member.field.extra)
    )
    found: dict[str, Any] = {"fields": rows}
    plain = outline.source.native and _as_they_are(outline, rows)
    array = outline.shape == "array" or (
        outline.shape == "either" and outline.source.make in ("tuple", "call")
    )
    if array:
        found["array"] = True
        plain = plain and outline.source.shape != "object"
    if outline.tag is not None:
        found["tag"] = outline.tag
        plain = plain and outline.source.tag is not None
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


def _as_they_are(outline: records.Outline, rows: tuple[Any, ...]) -> bool:
    if any(
        name != wire or bits or omit_if or rule for name, wire, bits, _, _, omit_if, rule in rows
    ):
        return False
    declared = [member.attribute for member in outline.source.members]
    return [row[0] for row in rows] == declared and not outline.options.get("order")


def _row(
    outline: records.Outline,
    member: Member,
    options: Mapping[str, Any],
    settings: Settings,
    rename_keys: Any,
) -> tuple[Any, ...]:
    bits = 0
    if options.get("omit_none", settings.omit_none):
        bits |= OMIT_NONE
    if options.get("omit_defaults", settings.omit_defaults):
        bits |= OMIT_DEFAULT
    if options.get("omit_empty", settings.omit_empty):
        bits |= OMIT_EMPTY
    if member.unset:
        bits |= OMIT_UNSET
    kind, default = member.kind, member.default
    field = member.field
    rule = _rule(field)
    if rename_keys is not None:
        rule["keys"] = policy(rename_keys)
    return (
        member.attribute,
        member.wires()[0],
        bits,
        kind if kind in (VALUE, FACTORY) else REQUIRED,
        default if kind in (VALUE, FACTORY) else None,
        None if field is None else field.omit_if,
        rule or None,
    )


def _rule(field: Field | None) -> dict[str, Any]:
    if field is None:
        return {}
    rule = {
        "dates": field.dates,
        "zones": field.zones,
        "bytes": field.bytes,
        "converter": field.converter,
        "item_converter": field.item_converter,
        "as_text": field.numbers_as_text,
        "flatten": field.flatten or None,
    }
    return {name: value for name, value in rule.items() if value is not None}


def _extra(outline: records.Outline) -> str | None:
    for member in outline.members:
        if member.field is not None and member.field.extra:
            return member.attribute
    return records.EXTRA if outline.unknown == "keep" and outline.source.make != "dict" else None

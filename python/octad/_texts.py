"""What is written for values of the standard library that have a form, but none of JSON's.

Each function is the counterpart of one that reads (`_contract/scalars.py`), so that what is written
here is read again as an equal value. None from one of them: there is no such form for this value.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from datetime import timezone
    from types import SimpleNamespace
    from typing import Any
    from zoneinfo import ZoneInfo

# The flags that a pattern can say itself, by their bits in `re`.
_LETTERS = {"i": 2, "L": 4, "m": 8, "s": 16, "x": 64, "a": 256}


def of_complex(value: Any) -> str:
    """The shortest text that reads back.

    >>> of_complex(1 - 2.5j)
    '1-2.5j'
    """
    return str(complex(value)).strip("()")


def of_timezone(value: timezone) -> str:
    """The offset, whatever name it has.

    >>> from datetime import timedelta, timezone
    >>> of_timezone(timezone(timedelta(hours=-5, minutes=-30)))
    '-05:30'
    >>> of_timezone(timezone.utc)
    'UTC'
    """
    offset = value.utcoffset(None)
    if not offset:
        return "UTC"
    sign = "-" if offset.days < 0 else "+"
    text = str(abs(offset))
    return sign + ("0" + text if text[1] == ":" else text).removesuffix(":00")


def of_zone(value: ZoneInfo) -> str | None:
    """The name in the database of time zones; None for a zone without one."""
    name: str | None = value.key
    return name


def of_pattern(value: re.Pattern[Any]) -> Any:
    """The pattern; flags that it does not say itself stand in front of it. None for flags that
    cannot be said there.

    >>> import re
    >>> of_pattern(re.compile("a+", re.IGNORECASE | re.DOTALL))
    '(?is)a+'
    """
    import re

    text = value.pattern
    if re.compile(text).flags == value.flags:
        return text
    missing = value.flags & ~re.compile(text).flags
    flags = "".join(letter for letter, bit in _LETTERS.items() if missing & bit)
    made = f"(?{flags})".encode() + text if isinstance(text, bytes) else f"(?{flags}){text}"
    try:
        same = re.compile(made).flags == value.flags
    except re.error:
        same = False
    return made if same else None


def of_namespace(value: SimpleNamespace) -> dict[str, Any]:
    """Its members."""
    return vars(value)


# Keys that are texts, or have one; what other types are is for those to say who know types.
_KEYS = (
    *("str", "int", "float", "bool", "None", "Any", "object", "Literal", "UUID", "Decimal", "Path"),
    *("date", "datetime", "time", "timedelta"),
)


def declares_other_keys(cls: Any) -> bool:
    """Whether the fields of a class may have dicts whose keys have no text.

    Goes by how annotations are spelled: to understand them takes an import that most programs that
    only write can do without.
    """
    fields: Any = getattr(cls, "__dataclass_fields__", None)
    rows = fields.values() if fields is not None else getattr(cls, "__attrs_attrs__", None)
    if rows is None:
        try:
            hints = list(getattr(cls, "__annotations__", {}).values())
        except NameError:
            # Of Python 3.14 on: a name that means nothing yet.
            return True
    else:
        hints = [row.type for row in rows]
    return any(type(hint) is not type and _names_other_keys(cls, hint) for hint in hints)


def _names_other_keys(cls: Any, hint: Any) -> bool:
    if isinstance(hint, str) and hint.isidentifier():
        module = sys.modules.get(cls.__module__)
        hint = getattr(module, hint, None)
        if isinstance(hint, type):
            return False
    text = hint if isinstance(hint, str) else repr(hint)
    place = text.find("[")
    while place > 0:
        if text.endswith(("ict", "Mapping", "Map", "Counter", "MappingProxyType"), 0, place):
            key = text[place + 1 :].split(",")[0].split("[")[0].split("]")[0]
            if key.strip().rpartition(".")[2] not in _KEYS:
                return True
        place = text.find("[", place + 1)
    return False

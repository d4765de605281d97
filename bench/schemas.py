"""Classes for the records of a document, as text: one schema, written out as each kind of class.

`infer` finds the records in a document, `source` writes their classes down as a user would, and
`Model` runs that text and makes instances by hand, which is what reading is compared with. A dict
whose keys are no names, or of whose keys none is always there, is a map and stays a dict. Records
with nearly the same keys are one class, wherever they stand. Knows nothing of libraries or timing.
"""

from __future__ import annotations

import itertools
import keyword
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import CodeType, ModuleType
from typing import Any, Literal

Kind = Literal["dataclass", "slots", "struct"]

# Keys in common over all keys, from which on two places hold records of one class.
_ALIKE = 0.8
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?([+-]\d\d:\d\d|Z)")
_HEAD: Mapping[Kind, tuple[str, str, str]] = {
    "dataclass": ("from dataclasses import dataclass", "@dataclass\n", ""),
    "slots": ("from dataclasses import dataclass", "@dataclass(slots=True)\n", ""),
    "struct": ("from msgspec import Struct", "", "(Struct)"),
}
_numbers = itertools.count(1)


@dataclass
class Type:
    """What stands at a place: scalars by name, and what lists, maps and records are there."""

    scalars: set[str] = field(default_factory=set)
    items: Type | None = None
    values: Type | None = None
    record: str | None = None

    def annotation(self) -> str:
        """The type as Python writes it."""
        parts = sorted(self.scalars - {"None"})
        if self.items is not None:
            parts.append(f"list[{self.items.annotation()}]")
        if self.values is not None:
            parts.append(f"dict[str, {self.values.annotation()}]")
        if self.record is not None:
            parts.append(self.record)
        return " | ".join([*parts, *(self.scalars & {"None"})]) or "Any"


@dataclass
class Record:
    """One class: its fields in order, and which of them may be absent."""

    fields: dict[str, Type]
    optional: set[str]

    @property
    def ordered(self) -> list[str]:
        """The fields as a class has to list them: those with a default last."""
        return sorted(self.fields, key=lambda name: name in self.optional)


@dataclass
class Schema:
    """The type of a whole document, and the classes in it by name."""

    root: Type
    records: dict[str, Record]


def infer(document: Any) -> Schema:
    """The schema of `document`."""
    places = _Places(document)
    names: dict[str, str] = {}
    for place in places.records():
        word = re.sub(r"\W", "", place.rpartition(".")[2]).title().replace("_", "")
        taken = sum(name.rstrip("0123456789") == word for name in names.values())
        names[place] = f"{word}{taken + 1}" if taken else word
    records = {}
    for place, name in names.items():
        found = places.dicts[place]
        keys = dict.fromkeys(key for one in found for key in one)
        fields = {
            key: places.type_of([one[key] for one in found if key in one], f"{place}.{key}", names)
            for key in keys
        }
        optional = {key for key in keys if not all(key in one for one in found)}
        for key in optional:
            fields[key].scalars.add("None")
        records[name] = Record(fields, optional)
    return Schema(places.type_of([document], "Document", names), records)


class _Places:
    """Every dict of a document by its place; places of one class are one place."""

    def __init__(self, document: Any) -> None:
        self.document = document
        self.maps: set[str] = set()
        self.same_as: dict[str, str] = {}
        self.dicts: dict[str, list[dict[str, Any]]] = {}
        while self._changed():
            pass

    def records(self) -> list[str]:
        return [place for place in self.dicts if place not in self.maps]

    def _changed(self) -> bool:
        """Walk once with what is known; whether that showed another map or equal places."""
        self.dicts = {}
        self._walk(self.document, "Document")
        maps = {place for place, found in self.dicts.items() if _is_map(found)} - self.maps
        if maps:
            self.maps |= maps
            return True
        keys = {
            place: {key for one in self.dicts[place] for key in one} for place in self.records()
        }
        joined = {
            later: first
            for first, later in itertools.combinations(keys, 2)
            if len(keys[first] & keys[later]) >= _ALIKE * len(keys[first] | keys[later])
        }
        for later, first in joined.items():
            self.same_as.setdefault(later, joined.get(first, first))
        return bool(joined)

    def _walk(self, value: Any, place: str) -> None:
        place = self._one(place)
        if isinstance(value, list):
            for item in value:
                self._walk(item, f"{place}[]")
        elif isinstance(value, dict):
            self.dicts.setdefault(place, []).append(value)
            for key, item in value.items():
                self._walk(item, f"{place}{{}}" if place in self.maps else f"{place}.{key}")

    def _one(self, place: str) -> str:
        while place in self.same_as:
            place = self.same_as[place]
        return place

    def type_of(self, values: Iterable[Any], place: str, names: Mapping[str, str]) -> Type:
        """The type of the values that stand at `place`."""
        place = self._one(place)
        found, items, inner = Type(), [], []
        for value in values:
            if isinstance(value, dict):
                inner += value.values()
                if place in self.maps:
                    found.values = Type()
                else:
                    found.record = names[place]
            elif isinstance(value, list):
                found.items = Type()
                items += value
            else:
                found.scalars.add(_scalar(value))
        if found.items is not None:
            found.items = self.type_of(items, f"{place}[]", names)
        if found.values is not None:
            found.values = self.type_of(inner, f"{place}{{}}", names)
        if "float" in found.scalars:
            found.scalars.discard("int")
        if "str" in found.scalars:
            found.scalars.discard("datetime")
        return found


def _is_map(found: list[dict[str, Any]]) -> bool:
    keys = {key for one in found for key in one}
    if not all(key.isidentifier() and not keyword.iskeyword(key) for key in keys):
        return True
    return not any(all(key in one for one in found) for key in keys)


def _scalar(value: Any) -> str:
    if value is None:
        return "None"
    if isinstance(value, str):
        return "datetime" if _MOMENT.fullmatch(value) else "str"
    return type(value).__name__


def source(schema: Schema, kind: Kind) -> str:
    """The classes of `schema`, as a module of the given kind of class."""
    imports, decorator, base = _HEAD[kind]
    lines = [
        "from __future__ import annotations\n",
        "from datetime import datetime\nfrom typing import Any\n",
        f"{imports}\n\n",
    ]
    for name, record in schema.records.items():
        lines.append(f"{decorator}class {name}{base}:")
        for one in record.ordered:
            default = " = None" if one in record.optional else ""
            lines.append(f"    {one}: {record.fields[one].annotation()}{default}")
        lines.append("\n")
    lines.append(f"WHOLE = {schema.root.annotation()}")
    return "\n".join(lines) + "\n"


class Model:
    """The classes of one kind for a schema: `Model(infer(document), "slots").document`."""

    def __init__(self, schema: Schema, kind: Kind) -> None:
        self.schema = schema
        self._module = run(source(schema, kind))

    @property
    def document(self) -> Any:
        """The type of a whole document."""
        return self._module.WHOLE

    def make(self, value: Any) -> Any:
        """The instances for a document that the standard library read."""
        return self._make(value, self.schema.root)

    def _make(self, value: Any, of: Type) -> Any:
        if isinstance(value, list) and of.items is not None:
            return [self._make(item, of.items) for item in value]
        if isinstance(value, dict) and of.values is not None:
            return {key: self._make(item, of.values) for key, item in value.items()}
        if isinstance(value, dict) and of.record is not None:
            fields = self.schema.records[of.record].fields
            cls = getattr(self._module, of.record)
            return cls(**{key: self._make(item, fields[key]) for key, item in value.items()})
        if isinstance(value, str) and "datetime" in of.scalars:
            return datetime.fromisoformat(value)
        if isinstance(value, int) and "float" in of.scalars and not isinstance(value, bool):
            return float(value)
        return value

    def plain(self, value: Any) -> Any:
        """Instances as dicts, fields in order; the class stands in front under the key ""."""
        if isinstance(value, list):
            return [self.plain(item) for item in value]
        if isinstance(value, dict):
            return {key: self.plain(item) for key, item in value.items()}
        name = type(value).__name__
        if name in self.schema.records and type(value) is getattr(self._module, name):
            fields = self.schema.records[name].ordered
            return {"": name, **{one: self.plain(getattr(value, one)) for one in fields}}
        return value


def run(text: str | CodeType) -> ModuleType:
    """A new module made of `text`, found by its name, so that annotations can be looked up."""
    module = ModuleType(f"bench.classes_{next(_numbers)}")
    sys.modules[module.__name__] = module
    code = compile(text, module.__name__, "exec", dont_inherit=True) if type(text) is str else text
    exec(code, module.__dict__)
    return module


# --- a model of many classes ---

_FIELDS: Callable[[str], str] = """\
    number: int
    name: str
    price: float | None
    made: datetime
    tags: list[str]
    sizes: dict[str, int]
    state: Literal["new", "used", "gone"]
    place: tuple[float, float]
{}""".format


def parts_source(count: int, *, as_text: bool) -> str:
    """A tree of `count` classes, as the document `generated.part` has its objects.

    Their annotations are types, or text as under `from __future__ import annotations`.
    """
    lines = ["from __future__ import annotations"] * as_text
    lines += ["from dataclasses import dataclass", "from datetime import datetime"]
    lines += ["from typing import Literal"]
    for number in reversed(range(count)):
        left, right = (
            f"Part{child} | None" if child < count else "None"
            for child in (2 * number + 1, 2 * number + 2)
        )
        children = f"    left: {left}\n    right: {right}\n"
        lines.append(f"@dataclass\nclass Part{number}:\n{_FIELDS(children)}")
    return "\n".join(lines)

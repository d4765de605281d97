"""What people wrote about a class and its fields: docstrings, `Doc`, titles and examples.

Reads annotations only for their metadata, by attributes: `typing_extensions.Doc` has
`documentation`, `msgspec.Meta` and pydantic's `FieldInfo` have `title`, `description`, `examples`.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Mapping
from typing import Any

from octad._contract.hints import Scope, own_annotations, resolve

Texts = dict[str, Any]


def class_text(cls: Any) -> Texts:
    """The description of a class, where somebody wrote one."""
    text = cls.__dict__.get("__doc__") if isinstance(cls, type) else None
    # A dataclass without a docstring gets its signature, an enum on 3.11 a sentence about enums.
    if not isinstance(text, str) or not text.strip():
        return {}
    if text.startswith(f"{cls.__name__}(") or text in _GENERATED:
        return {}
    return {"description": inspect.cleandoc(text)}


_GENERATED = ("An enumeration.",)


def field_texts(cls: Any) -> dict[str, Texts]:
    """What is said about the fields of a class, by attribute; nearest class first."""
    found: dict[str, Texts] = {}
    for base in reversed(getattr(cls, "__mro__", (cls,))):
        if base is object:
            continue
        for name, hint in own_annotations(base).items():
            texts = _hint_texts(hint, base)
            if texts:
                found[name] = texts
    fields: Mapping[str, Any] = getattr(cls, "__dataclass_fields__", {})
    for name, field in fields.items():
        text = getattr(field, "doc", None)
        if isinstance(text, str):
            found.setdefault(name, {}).setdefault("description", text)
    return found


def _hint_texts(hint: Any, cls: type) -> Texts:
    if isinstance(hint, str) and "[" not in hint and not hint.isidentifier():
        return {}
    try:
        hint = resolve(hint, Scope(cls, cls, cls.__module__))
    except Exception:
        # A field that is not read may be annotated with anything.
        return {}
    found: Texts = {}
    while typing.get_origin(hint) is not None:
        if typing.get_origin(hint) is not typing.Annotated:
            args = typing.get_args(hint)
            name = getattr(typing.get_origin(hint), "_name", None)
            if name not in ("Required", "NotRequired", "ReadOnly", "Final") or not args:
                break
            hint = args[0]
            continue
        inner, *metadata = typing.get_args(hint)
        for one in metadata:
            found |= _texts_of(one)
        hint = inner
    return found


def _texts_of(one: Any) -> Texts:
    found: Texts = {}
    title, text = getattr(one, "title", None), getattr(one, "description", None)
    if type(one).__name__ == "Doc":
        text = getattr(one, "documentation", None)
    if isinstance(title, str) and not isinstance(one, str):
        found["title"] = title
    if isinstance(text, str):
        found["description"] = text
    examples = getattr(one, "examples", None)
    if isinstance(examples, list):
        found["examples"] = examples
    more = getattr(one, "extra_json_schema", None)
    if isinstance(more, dict):
        found |= more
    return found

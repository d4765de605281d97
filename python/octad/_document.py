"""What documents need from Python: `Kind`, the abstract base classes, and how pickles come back."""

from __future__ import annotations

import collections.abc
import enum

from octad._core import Array, Object, ObjectItems, ObjectKeys, ObjectValues

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Kind(enum.StrEnum):
    """What a value of a document is.

    >>> import octad
    >>> octad.json.parse(b"[1.5]").at("/0").kind is octad.Kind.FLOAT
    True
    """

    NULL = "null"
    UNDEFINED = "undefined"
    BOOL = "bool"
    INT = "int"
    FLOAT = "float"
    TEXT = "text"
    NAME = "name"
    BYTES = "bytes"
    TIME = "time"
    ARRAY = "array"
    OBJECT = "object"


Kind.__module__ = "octad"

# `isinstance` with the abstract classes, and the patterns of `match` statements.
collections.abc.Mapping.register(Object)
collections.abc.Sequence.register(Array)
collections.abc.KeysView.register(ObjectKeys)
collections.abc.ValuesView.register(ObjectValues)
collections.abc.ItemsView.register(ObjectItems)


def _rebuild(format: str, source: bytes, options: dict[str, Any], show_input: bool) -> Any:
    """Parses a pickled document again."""
    import octad
    from octad._settings import Settings

    settings = Settings(show_input=show_input)
    return getattr(octad, format).parse(source, settings=settings, **options)


def _rebuild_view(format: str, source: bytes, options: dict[str, Any], show_input: bool) -> Any:
    """Parses the text of a pickled view again: it is the root of a document of its own."""
    return _rebuild(format, source, options, show_input).root

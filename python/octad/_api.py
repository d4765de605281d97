"""The verbs of the top level: the format comes from a file's extension or from an argument."""

from __future__ import annotations

import os

from octad._core import Document
from octad._formats import formats

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar, overload

    from typing_extensions import TypeForm

    from octad._files import Path, PathOrFile
    from octad._formats import Format

    T = TypeVar("T")
else:
    from octad._reading import overload


def _format_of(target: Any, name: str | None) -> Format:
    if name is not None:
        return formats.named(name)
    if isinstance(target, str | bytes | os.PathLike):
        return formats.of_path(target)
    path = getattr(target, "name", None)
    if isinstance(path, str):
        return formats.of_path(path)
    raise ValueError("expected a path or a named file, or `format=`")


@overload
def load(
    path_or_file: PathOrFile, type: type[T], /, *, format: str | None = None, **options: Any
) -> T: ...
@overload
def load(
    path_or_file: PathOrFile, type: None = None, /, *, format: str | None = None, **options: Any
) -> Any: ...
@overload
def load(
    path_or_file: PathOrFile, type: TypeForm[T], /, *, format: str | None = None, **options: Any
) -> T: ...
@overload
def load(
    path_or_file: PathOrFile, type: Any, /, *, format: str | None = None, **options: Any
) -> Any: ...
def load(
    path_or_file: PathOrFile, type: Any = None, /, *, format: str | None = None, **options: Any
) -> Any:
    """Read a file into plain Python objects, or into objects of a type.

    Args:
        path_or_file: a path, or an open file that is read from its position on.
        type: what to make of it: a dataclass, `list[int]`, or any other type that describes data.
        format: the name of the format; by default the file's extension tells it.
        options: the reading options of the format.

    Returns:
        dict, list, str, int, float, bool or None; or an object of the type.

    Raises:
        octad.DecodeError: the content is not well formed, or does not fit the type; `filename` is
            set.
        OSError: the file cannot be read.
        ValueError: the format cannot be told.

    >>> import octad, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "a.json")
    >>> _ = path.write_text('{"a": 1}')
    >>> octad.load(path)
    {'a': 1}
    >>> octad.load(path, dict[str, float])
    {'a': 1.0}
    """
    return _format_of(path_or_file, format).module.load(path_or_file, type, **options)


def open(
    path: Path,
    *,
    format: str | None = None,
    mmap: bool = False,
    **options: Any,
) -> Document:
    """Open a file as a document whose values are read when they are asked for.

    Args:
        path: the file.
        format: the name of the format; by default the file's extension tells it.
        mmap: map the file instead of reading it. If it is changed or truncated while the document
            is in use, anything may happen: the risk is the caller's.
        options: the reading options of the format.

    Raises:
        octad.DecodeError: the content is not well formed; `filename` is set.
        OSError: the file cannot be read.
        ValueError: the format cannot be told.

    >>> import octad, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "a.json")
    >>> _ = path.write_text('{"a": [1, 2]}')
    >>> octad.open(path)["a"][1]
    2
    """
    document: Document = _format_of(path, format).module.open(path, mmap=mmap, **options)
    return document


def dump(
    value: Any, path_or_file: PathOrFile, *, format: str | None = None, **options: Any
) -> None:
    """Write a value to a file. A path is replaced atomically: whole or not at all.

    Args:
        value: any Python value, a document, or a view of one.
        path_or_file: a path, or an open file.
        format: the name of the format; by default the file's extension tells it.
        options: the writing options of the format.

    Raises:
        octad.EncodeError: the value cannot be written; the file is left as it was.
        OSError: the file cannot be written.
        ValueError: the format cannot be told.

    >>> import octad, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "a.json")
    >>> octad.dump({"a": 1}, path)
    >>> path.read_text()
    '{"a":1}'
    """
    _format_of(path_or_file, format).module.dump(value, path_or_file, **options)


def convert(
    data: Any,
    source: str,
    target: str,
    *,
    read: dict[str, Any] | None = None,
    **options: Any,
) -> bytes:
    """Convert data from one format to another, without making Python objects of it.

    Args:
        data: bytes, str or a buffer in the format `source`; or a document.
        source: the name of the format that `data` is in.
        target: the name of the format to write.
        read: reading options of `source`.
        options: writing options of `target`.

    Raises:
        octad.DecodeError: the data is not well formed.
        octad.EncodeError: the target cannot carry a value.
        ValueError: there is no such format.

    >>> import octad
    >>> octad.convert(b'{"b": 1.50, "a": [ ]}', "json", "json", sort_keys=True)
    b'{"a":[],"b":1.50}'
    """
    reader, writer = formats.named(source).module, formats.named(target).module
    document = data if isinstance(data, Document) else reader.parse(data, **(read or {}))
    written: bytes = writer.dumps(document, **options)
    return written

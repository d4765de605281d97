"""JSON, RFC 8259: strict and exact by default, each leniency an option with a name.

>>> from octad import json
>>> json.loads('{"n": 12345678901234567890123}')["n"] + 1
12345678901234567890124
>>> json.dumps({"when": None, "what": [1, 2.5]})
b'{"when":null,"what":[1,2.5]}'
"""

from __future__ import annotations

from octad._core import (
    Decoder,
    Document,
    Encoder,
    Raw,
    Writer,
    check,
    dump_into,
    dumps,
    dumps_str,
    loads,
    parse,
    parse_map,
)
from octad._errors import DecodeError
from octad._files import write
from octad._reading import map_file, named, read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar, Unpack, overload

    from typing_extensions import TypeForm

    from octad._files import Path, PathOrFile
    from octad._options import ParseOptions, ReadOptions, TypedOptions, WriteOptions

    T = TypeVar("T")
else:
    from octad._reading import overload

__all__ = [
    "Decoder",
    "Encoder",
    "Raw",
    "Writer",
    "check",
    "dump",
    "dump_into",
    "dumps",
    "dumps_str",
    "load",
    "loads",
    "open",
    "parse",
    "try_parse",
]


@overload
def load(path_or_file: PathOrFile, type: type[T], /, **options: Unpack[TypedOptions]) -> T: ...
@overload
def load(path_or_file: PathOrFile, type: None = None, /, **options: Unpack[ReadOptions]) -> Any: ...
@overload
def load(path_or_file: PathOrFile, type: TypeForm[T], /, **options: Unpack[TypedOptions]) -> T: ...
@overload
def load(path_or_file: PathOrFile, type: Any, /, **options: Unpack[TypedOptions]) -> Any: ...
def load(path_or_file: PathOrFile, type: Any = None, /, **options: Any) -> Any:
    """Read a JSON file into plain Python objects, or into objects of a type.

    Args:
        path_or_file: a path, or an open file (binary or text) that is read from its position on.
        type: what to make of it, as for `loads`.
        options: the options of `loads`.

    Raises:
        octad.DecodeError: the content is no JSON, or does not fit the type; `filename` is set.
        OSError: the file cannot be read.

    >>> import io
    >>> from octad import json
    >>> json.load(io.BytesIO(b"[1, 2]"))
    [1, 2]
    >>> json.load(io.BytesIO(b"[1, 2]"), tuple[int, float])
    (1, 2.0)
    """
    data, name = read(path_or_file, options)
    with named(name):
        return loads(data, type, **options)


def open(path: Path, *, mmap: bool = False, **options: Unpack[ParseOptions]) -> Document:
    """Open a JSON file as a document whose values are read when they are asked for.

    Args:
        path: the file.
        mmap: map the file instead of reading it. If it is changed or truncated while the document
            is in use, anything may happen: the risk is the caller's.
        options: the options of `parse`.

    Raises:
        octad.DecodeError: the content is no JSON; `filename` is set.
        OSError: the file cannot be read.

    >>> import pathlib, tempfile
    >>> from octad import json
    >>> path = pathlib.Path(tempfile.mkdtemp(), "a.json")
    >>> _ = path.write_text('{"a": {"b": true}}')
    >>> json.open(path, mmap=True)["a"]["b"]
    True
    """
    if mmap:
        mapped, name = map_file(path)
        with named(name):
            if isinstance(mapped, bytes):
                return parse(mapped, **options)
            return parse_map(mapped, **options)
    if hasattr(path, "read"):
        raise TypeError("expected a path, found a file (`parse(file.read())` reads an open one)")
    data, file_name = read(path, options)
    with named(file_name):
        return parse(data, **options)


def try_parse(data: Any, **options: Unpack[ParseOptions]) -> Document | None:
    """Read a JSON text into a document, or give None where it is no JSON.

    Args:
        data: the text, as for `parse`.
        options: the options of `parse`.

    Raises:
        TypeError: the data holds no bytes, or an option is unknown.

    >>> from octad import json
    >>> json.try_parse("{") is None
    True
    """
    try:
        return parse(data, **options)
    except DecodeError:
        return None


def dump(value: Any, path_or_file: PathOrFile, **options: Unpack[WriteOptions]) -> None:
    """Write a value as JSON to a file. A path is replaced atomically: whole or not at all.

    Args:
        value: any Python value, a document, or a view of one.
        path_or_file: a path, or an open file; text files get str, others bytes.
        options: the options of `dumps`.

    Raises:
        octad.EncodeError: the value cannot be written; the file is left as it was.
        OSError: the file cannot be written.

    >>> import io
    >>> from octad import json
    >>> file = io.BytesIO()
    >>> json.dump([1, 2], file)
    >>> file.getvalue()
    b'[1,2]'
    """
    write(dumps(value, **options), path_or_file)

"""Bytes from paths and files, and the file's name in errors that come of them."""

from __future__ import annotations

import os

from octad._errors import Error, LimitError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import mmap
    from types import TracebackType
    from typing import Any

    from octad._files import Path, PathOrFile


def read(source: PathOrFile, options: Any) -> tuple[bytes | str, str | None]:
    """What a path or an open file holds (from its position on), and its name for errors.

    Raises:
        LimitError: it is larger than `limits.size`; no more than that is read.
        OSError: the file cannot be opened or read.
        TypeError: the source is neither a path nor a file.
    """
    limit = _size_limit(options)
    name: str | None
    if isinstance(source, str | bytes | os.PathLike):
        name = os.fsdecode(source)
        with open(source, "rb") as file:
            data: bytes | str = file.read() if limit is None else file.read(limit + 1)
    elif hasattr(source, "read"):
        given = getattr(source, "name", None)
        name = given if isinstance(given, str) else None
        data = source.read() if limit is None else source.read(limit + 1)
    else:
        raise TypeError(f"expected a path or a file, found {type(source).__name__}")
    if limit is not None and len(data) > limit:
        raise LimitError(
            f"expected an input of at most {limit} bytes, found more "
            "(for larger data use streaming)",
            code="size-limit",
            offset=limit,
            filename=name,
        )
    return data, name


def map_file(path: Path) -> tuple[mmap.mmap | bytes, str]:
    """A read-only memory map of a file; what cannot be mapped (empty files, and those of the
    system that say they are) is read instead.
    """
    import mmap

    name = os.fsdecode(path)
    with open(path, "rb") as file:
        if os.fstat(file.fileno()).st_size == 0:
            return file.read(), name
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), name


class named:  # noqa: N801 (used as a statement: `with named(path):`)
    """Adds the file's name to errors raised inside."""

    __slots__ = ("_name",)

    def __init__(self, name: str | None) -> None:
        self._name = name

    def __enter__(self) -> None:
        pass

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if isinstance(error, Error) and error.filename is None:
            error.filename = self._name


def _size_limit(options: Any) -> int | None:
    limits = options.get("limits")
    if limits is None and options.get("settings") is not None:
        limits = options["settings"].limits
    size: int | None = getattr(limits, "size", None)
    return size


def overload(function: Any) -> Any:
    """Stands for `typing.overload` where only a type checker asks for it: `typing` takes as long to
    import as all of octad.
    """
    return function

"""Writing to paths and files: a path is replaced whole or not at all."""

from __future__ import annotations

import io
import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any

    PathOrFile = str | os.PathLike[str] | IO[bytes] | IO[str]

_FLAGS = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def write(data: bytes, target: PathOrFile) -> None:
    """Writes `data` to a path (atomically) or to an open file (text files get str).

    The new content of a path is written beside it, synced, given the old file's permissions and
    moved into its place; where anything fails, the old file is as it was. A symbolic link stays
    one: the file that it names is replaced. Devices and pipes are written to directly.

    Raises:
        OSError: the file cannot be written.
        TypeError: the target is neither a path nor a file.
    """
    if isinstance(target, str | os.PathLike):
        _replace(os.path.realpath(os.fspath(target)), data)
    elif isinstance(target, io.TextIOBase):
        target.write(data.decode("utf-8", "surrogatepass"))
    elif hasattr(target, "write"):
        _write_to(target, data)
    else:
        raise TypeError(f"expected a path or a file, found {type(target).__name__}")


def _write_to(file: Any, data: bytes) -> None:
    """A file whose kind only its `write` knows: bytes first, text where it refuses them."""
    mode = getattr(file, "mode", "")
    if isinstance(mode, str) and mode and "b" not in mode and hasattr(file, "encoding"):
        file.write(data.decode("utf-8", "surrogatepass"))
        return
    rest = memoryview(data)
    while rest:
        # A raw file may take less than it is given; others say nothing or everything.
        count = file.write(rest)
        if not isinstance(count, int):
            return
        rest = rest[count:]


def _replace(path: str, data: bytes) -> None:
    try:
        old: os.stat_result | None = os.stat(path)
    except FileNotFoundError:
        old = None
    if old is not None and not stat.S_ISREG(old.st_mode):
        with open(path, "wb") as file:
            file.write(data)
        return
    folder = os.path.dirname(path) or "."
    name = os.path.join(folder, f".{os.path.basename(path)[:200]}.{os.urandom(8).hex()}.tmp")
    # The mode of a new file is narrowed by the process's mask, as for any file.
    handle = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FLAGS, 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            _copy_rights(file.fileno(), old)
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        try:
            os.unlink(name)
        except OSError:
            pass
        raise
    _sync_folder(folder)


def _copy_rights(handle: int, old: os.stat_result | None) -> None:
    """The owner and permissions of the file that is replaced, as far as the system allows."""
    if old is None or not hasattr(os, "fchmod"):
        return
    if hasattr(os, "fchown"):
        try:
            os.fchown(handle, old.st_uid, old.st_gid)
        except PermissionError:
            pass
    os.fchmod(handle, stat.S_IMODE(old.st_mode))


def _sync_folder(folder: str) -> None:
    """Makes the move itself durable, where the system can."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)

"""Writing to paths and files: a path is replaced whole or not at all."""

from __future__ import annotations

import errno
import io
import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any

    Path = str | bytes | os.PathLike[str] | os.PathLike[bytes]
    PathOrFile = Path | IO[bytes] | IO[str]

_FLAGS = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def write(data: bytes, target: Any) -> None:
    """Writes `data` to a path (atomically) or to an open file (text files get str).

    The new content of a path is written beside it, synced, given the old file's permissions and
    moved into its place; where anything fails, the old file is as it was. A symbolic link stays
    one: the file that it names is replaced. Devices and pipes are written to directly.

    Raises:
        OSError: the file cannot be written.
        TypeError: the target is neither a path nor a file.
    """
    if isinstance(target, str | bytes | os.PathLike):
        _replace(os.path.realpath(os.fsdecode(target)), data, os.fsdecode(target))
    elif isinstance(target, io.RawIOBase):
        _write_raw(target, data)
    elif isinstance(target, io.TextIOBase) or (
        hasattr(target, "encoding") and not isinstance(target, io.IOBase)
    ):
        # Text files of `io` and of `codecs`; anything that says in which encoding it writes.
        target.write(data.decode("utf-8", "surrogatepass"))
    elif hasattr(target, "write"):
        target.write(data)
    else:
        raise TypeError(f"expected a path or a file, found {type(target).__name__}")


def _write_raw(file: io.RawIOBase, data: bytes) -> None:
    """A raw file may take less than it is given, and nothing when it would block."""
    rest = memoryview(data)
    while rest:
        count = file.write(rest)
        if not count:
            written = len(data) - len(rest)
            raise BlockingIOError(
                errno.EAGAIN, f"the file took {written} of {len(data)} bytes", written
            )
        rest = rest[count:]


def _replace(path: str, data: bytes, shown: str) -> None:
    if not os.path.basename(shown):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), shown)
    try:
        old: os.stat_result | None = os.stat(path)
    except FileNotFoundError:
        old = None
    if old is not None and not stat.S_ISREG(old.st_mode):
        with open(shown, "wb") as file:
            file.write(data)
        return
    folder = os.path.dirname(path) or "."
    # A name of its own: one made of the file's could be too long.
    name = os.path.join(folder, f".octad-{os.urandom(8).hex()}.tmp")
    try:
        # The mode of a new file is narrowed by the process's mask, as for any file.
        handle = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FLAGS, 0o666)
    except OSError as error:
        raise _about(error, shown) from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            _copy_rights(file.fileno(), old)
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException as error:
        try:
            os.unlink(name)
        except OSError:
            pass
        if isinstance(error, OSError):
            raise _about(error, shown) from None
        raise
    _sync_folder(folder)


def _about(error: OSError, shown: str) -> OSError:
    """The same error about the file that the user named."""
    return type(error)(error.errno, error.strerror, shown)


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

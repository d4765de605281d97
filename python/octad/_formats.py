"""`octad.formats`: which formats there are, and which one a file name or a media type means."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from octad._core import format_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from octad._files import Path


@dataclass(frozen=True, slots=True)
class Format:
    """One format that octad reads and writes.

    Attributes:
        name: its name, which is also its module (`octad.json`).
        extensions: of files, the usual one first, without the dot.
        media_types: the registered one first.
        binary: bytes rather than text.
        comments: its standard has comments.
        standard: the standard it follows.
    """

    name: str
    extensions: tuple[str, ...]
    media_types: tuple[str, ...]
    binary: bool
    comments: bool
    standard: str

    @property
    def module(self) -> Any:
        """The module with its verbs."""
        return importlib.import_module(f"octad.{self.name}")


class Formats(Mapping[str, Format]):
    """All formats by name.

    >>> import octad
    >>> octad.formats["json"].media_types[0]
    'application/json'
    >>> octad.formats.of_path("settings.json").name
    'json'
    """

    def __init__(self) -> None:
        self._rows = {
            row["name"]: Format(
                name=row["name"],
                extensions=tuple(row["extensions"]),
                media_types=tuple(row["media_types"]),
                binary=row["binary"],
                comments=row["comments"],
                standard=row["standard"],
            )
            for row in format_rows()
        }

    def __getitem__(self, name: str) -> Format:
        return self._rows[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __repr__(self) -> str:
        return f"<octad.formats: {', '.join(self._rows)}>"

    def named(self, name: str) -> Format:
        """The format of a name.

        Raises:
            ValueError: there is no such format; the message lists those there are.
        """
        try:
            return self._rows[name]
        except KeyError:
            known = ", ".join(self._rows)
            raise ValueError(f"expected a format among {known}, found {name!r}") from None

    def of_path(self, path: Path) -> Format:
        """The format of a file, by its extension.

        Raises:
            ValueError: no format has it; `format=` names one.
        """
        name = os.fsdecode(path)
        extension = os.path.splitext(name)[1].lower().lstrip(".")
        for row in self._rows.values():
            if extension in row.extensions:
                return row
        known = ", ".join(f".{name}" for row in self._rows.values() for name in row.extensions)
        raise ValueError(
            f"expected a file name whose extension tells the format ({known}), found {name!r} "
            f"(name it with `format=`: {', '.join(self._rows)})"
        )

    def of_media_type(self, media_type: str) -> Format:
        """The format of a media type; parameters such as `charset` are left aside.

        Raises:
            ValueError: no format has it.
        """
        wanted = media_type.partition(";")[0].strip().lower()
        for row in self._rows.values():
            if wanted in row.media_types or wanted.endswith(f"+{row.name}"):
                return row
        raise ValueError(f"expected the media type of a format, found {media_type!r}")


Format.__module__ = "octad"
formats = Formats()

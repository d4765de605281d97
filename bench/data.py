"""The benchmark's data sets by name: public documents read from disk, others made on the spot.

Owns the names, where the public files are looked for, and what stands in for a missing one
(nothing: it is reported absent). Knows nothing of libraries. The public files are only read:
from `$OCTAD_TEST_DATA` (its `datasets` folder, or the folder itself), else from
`../shared/datasets` beside the repository.
"""

from __future__ import annotations

import functools
import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bench import generated

ROOT = Path(__file__).resolve().parent.parent

PUBLIC = {
    "canada": "canada.json",
    "citm": "citm_catalog.json",
    "twitter": "twitter.json",
    "github": "github.json",
    "mesh": "mesh.json",
    "twitterescaped": "twitterescaped.json",
}
_GENERATED: dict[str, Callable[[], object]] = {
    "catalogue": generated.catalogue,
    "catalogue-decimal": functools.partial(generated.catalogue, decimal_prices=True),
    "users-200": functools.partial(generated.users, 200),
    "users-5000": functools.partial(generated.users, 5_000),
    "users-20000": functools.partial(generated.users, 20_000),
    "small-80": generated.small_80,
    "small-1k": generated.small_1k,
    "parts-200": generated.part,
}
_REPEATED = {"citm-10": ("citm", 10)}
NAMES = (*PUBLIC, *_GENERATED, *_REPEATED)


class MissingDataError(Exception):
    """A public data set is in none of the places it is looked for."""


@dataclass(frozen=True)
class Dataset:
    """One document: its text, and whether its numbers with a point are meant as `Decimal`."""

    name: str
    text: bytes
    decimal: bool = False

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.text).hexdigest()


def folders() -> list[Path]:
    """Where the public files are looked for, in order."""
    named = os.environ.get("OCTAD_TEST_DATA")
    if named:
        return [Path(named) / "datasets", Path(named)]
    return [ROOT.parent / "shared" / "datasets"]


def load(name: str) -> Dataset:
    """The data set called `name`; `MissingDataError` if its file is not on this machine."""
    if name in _GENERATED:
        return Dataset(name, _made(name), decimal=name == "catalogue-decimal")
    if name in _REPEATED:
        one, times = _REPEATED[name]
        return Dataset(name, b"[" + b",".join([load(one).text] * times) + b"]")
    if name not in PUBLIC:
        raise ValueError(f"no data set is called `{name}`; there are {', '.join(NAMES)}")
    for folder in folders():
        path = folder / PUBLIC[name]
        if path.is_file():
            return Dataset(name, path.read_bytes())
    raise MissingDataError(f"{PUBLIC[name]} not found; set OCTAD_TEST_DATA to the data's folder")


@functools.cache
def _made(name: str) -> bytes:
    return generated.compact(_GENERATED[name]())


def write_generated(folder: Path) -> list[Path]:
    """Write every generated document to `folder` and return the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name in _GENERATED:
        path = folder / f"{name}.json"
        path.write_bytes(_made(name))
        written.append(path)
    return written

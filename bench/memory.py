"""The memory of an open, unread octad document, relative to its text.

Reports two figures over the text itself: what the document says (`nbytes`) and how much the
process grew per document, many being open at once on one shared text. The second is the check of
the first; it exists where the kernel tells the resident size (`/proc/self/statm`).
"""

from __future__ import annotations

import gc
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.data import Dataset
from bench.libraries import AbsentError, open_library

OPERATION = "memory"
DATASETS = ("canada", "citm", "twitter", "github", "catalogue", "users-5000")
_TOTAL_TEXT = 32_000_000


def measure(dataset: Dataset, libraries: Sequence[str]) -> dict[str, Any]:
    """The cell of `dataset`; absent where octad is not asked for or has no `parse`."""
    cell: dict[str, Any] = {
        "operation": OPERATION,
        "dataset": dataset.name,
        "size": len(dataset.text),
        "absent": {},
        "rows": [],
    }
    if "octad" not in libraries:
        cell["absent"]["octad"] = "was not asked for"
        return cell
    try:
        parse = open_library("octad").lazy()[""]
    except AbsentError as error:
        cell["absent"]["octad"] = str(error)
        return cell
    text = dataset.text
    documents = [parse(text)]
    told = getattr(documents[0], "nbytes", None)
    count = min(2_000, max(8, _TOTAL_TEXT // len(text)))
    gc.collect()
    before = resident()
    documents += [parse(text) for _ in range(count)]
    after = resident()
    cell["rows"].append(
        {
            "label": "octad",
            "role": "octad",
            "ok": True,
            "problem": None,
            "nbytes": told,
            "nbytes_ratio": None if told is None else told / len(text),
            "resident_ratio": (
                None if before is None or after is None else (after - before) / count / len(text)
            ),
        }
    )
    return cell


def resident() -> int | None:
    """Resident bytes of this process, or None where the kernel does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except (OSError, IndexError, ValueError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")

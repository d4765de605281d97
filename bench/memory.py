"""Memory: of an open, unread octad document, and of what `loads` gives and takes on the way.

`memory` reports two figures over the text itself: what the document says (`nbytes`) and how much
the process grew per document, many being open at once on one shared text. The second is the check
of the first. `memory-loads` calls each library in a fresh process (`resident`): how much that grew
by it, by the result alone, and at most while it was made. Growth is known where the kernel tells
the resident size.
"""

from __future__ import annotations

import gc
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.data import ROOT, Dataset
from bench.libraries import ADAPTERS, AbsentError, open_library
from bench.resident import ABSENT, resident

OPERATION = "memory"
LOADS = "memory-loads"
PROCESSES = 3
_TOTAL_TEXT = 32_000_000


def measure(dataset: Dataset, libraries: Sequence[str]) -> dict[str, Any]:
    """The cell of `dataset`; absent where octad is not asked for or has no `parse`."""
    cell = _cell(OPERATION, dataset)
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


def measure_loads(dataset: Dataset, libraries: Sequence[str]) -> dict[str, Any]:
    """Growth and peak of one `loads` by each library, the median of some processes."""
    cell = _cell(LOADS, dataset)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "text")
        path.write_bytes(dataset.text)
        for name in libraries:
            role = "peer" if ADAPTERS[name].peer else "octad"
            row: dict[str, Any] = {"label": name, "role": role, "ok": True, "problem": None}
            try:
                found = [_apart(name, path, thorough=number == 0) for number in range(PROCESSES)]
            except AbsentError as error:
                cell["absent"][name] = str(error)
                continue
            except RuntimeError as error:
                cell["rows"].append({**row, "ok": False, "problem": str(error)})
                continue
            if not found[0]["right"]:
                row |= {"ok": False, "problem": "the result differs from the standard library's"}
            row |= {"graph": found[0]["graph"], "objects": found[0]["objects"]}
            for what in ("grown", "result", "peak"):
                sizes = [one[what] for one in found]
                row[what] = None if None in sizes else round(statistics.median(sizes))
                row[f"{what}_ratio"] = None if None in sizes else row[what] / len(dataset.text)
            cell["rows"].append(row)
    return cell


def _cell(operation: str, dataset: Dataset) -> dict[str, Any]:
    size = len(dataset.text)
    return {
        "operation": operation,
        "dataset": dataset.name,
        "size": size,
        "absent": {},
        "rows": [],
    }


def _apart(library: str, path: Path, *, thorough: bool) -> dict[str, Any]:
    script = "from bench.resident import main; main()"
    how = "thorough" if thorough else "plain"
    done = subprocess.run(
        [sys.executable, "-c", script, library, str(path), how],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines()[-1:] or ["no message"])[0]
        if done.returncode == ABSENT:
            raise AbsentError(last.removeprefix(f"{library} "))
        raise RuntimeError(f"status {done.returncode}: {last[:120]}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@dataclass(frozen=True)
class Measure:
    """An operation that measures memory, and the data sets it runs on."""

    datasets: tuple[str, ...]
    measure: Callable[[Dataset, Sequence[str]], dict[str, Any]]


MEASURES: Mapping[str, Measure] = {
    OPERATION: Measure(("canada", "citm", "twitter", "github", "catalogue", "users-5000"), measure),
    LOADS: Measure(
        ("canada", "citm", "twitter", "catalogue", "users-5000", "citm-10"), measure_loads
    ),
}

"""Instruction counts of a fixed set of calls, kept in `counts.json` and compared with new ones.

Seconds vary from run to run on a shared machine, instruction counts do not: they are the gate.
Each count comes from two runs under callgrind, of N and of 2N calls; their difference divided by N
is a call, with start-up, imports and the reading of the data subtracted. Hash seed and environment
are fixed. Counts depend on the Python version (they are kept by it), and also on the compiler, the
C library and the processor's vector units, which are kept beside them and named where they differ.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench import data
from bench.counted import ABSENT
from bench.libraries import AbsentError

KEPT = data.ROOT / "bench" / "counts.json"
TOLERANCE = 0.03

# (operation, data set) to N. Enough calls that the noise of start-up is small beside them.
COUNTED: Mapping[tuple[str, str], int] = {
    ("loads", "canada"): 1,
    ("loads", "citm"): 2,
    ("loads", "twitter"): 4,
    ("loads", "github"): 40,
    ("loads", "catalogue"): 4,
    ("loads", "users-200"): 16,
    ("small-loads", "small-80"): 8_000,
    ("small-loads", "small-1k"): 2_000,
    ("dumps", "canada"): 1,
    ("dumps", "citm"): 6,
    ("dumps", "twitter"): 12,
    ("dumps", "github"): 80,
    ("dumps", "catalogue"): 8,
    ("dumps", "users-200"): 32,
    ("dumps-own", "citm"): 6,
    ("dumps-own", "twitter"): 12,
    ("dumps-own", "users-200"): 32,
    ("small-dumps", "small-80"): 8_000,
    ("small-dumps", "small-1k"): 4_000,
    ("lazy", "twitter"): 8,
    ("lazy", "citm"): 4,
    ("typed-loads-dataclass", "users-200"): 16,
    ("typed-loads-slots", "users-200"): 16,
    ("typed-loads-slots", "twitter"): 4,
    ("typed-loads-slots", "citm"): 2,
    ("typed-dumps-dataclass", "users-200"): 32,
    ("typed-dumps-slots", "users-200"): 32,
    ("typed-dumps-slots", "twitter"): 12,
}


class CannotCountError(Exception):
    """There is no valgrind, no such library, or nothing to compare with."""


def python_key() -> str:
    """The key under which counts of this Python are kept."""
    name = platform.python_implementation().lower()
    threads = "" if getattr(sys, "_is_gil_enabled", lambda: True)() else "t"
    return f"{name}-{sys.version_info.major}.{sys.version_info.minor}{threads}"


def surroundings() -> dict[str, str]:
    """What else the counts depend on."""
    return {
        "python": platform.python_version(),
        "compiler": platform.python_compiler(),
        "libc": " ".join(platform.libc_ver()).strip(),
        "machine": platform.machine(),
        "vectors": _vectors(),
        "valgrind": _valgrind_version(),
    }


def _vectors() -> str:
    try:
        flags = set(re.findall(r"\w+", Path("/proc/cpuinfo").read_text()))
    except OSError:
        return "unknown"
    return " ".join(
        name for name in ("sse4_2", "avx2", "bmi2", "avx512f", "asimd") if name in flags
    )


def _valgrind_version() -> str:
    done = subprocess.run([_valgrind(), "--version"], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def _valgrind() -> str:
    found = shutil.which("valgrind")
    if found is None:
        raise CannotCountError("valgrind is not installed; counts need its tool callgrind")
    return found


# --- counting ---


def chosen(operations: Sequence[str] | None, datasets: Sequence[str] | None) -> list[str]:
    """The part of the counted set that is asked for, as `operation/data set`."""
    found = [
        f"{operation}/{dataset}"
        for operation, dataset in COUNTED
        if (operations is None or operation in operations)
        and (datasets is None or dataset in datasets)
    ]
    if not found:
        raise CannotCountError("none of these operations and data sets is in the counted set")
    return found


def count(calls_of: Sequence[str], library: str) -> dict[str, int]:
    """Instructions a call of `library`, for those of `calls_of` that it has."""
    _valgrind()
    counted = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for key in calls_of:
            operation, dataset = key.split("/")
            calls = COUNTED[operation, dataset]
            words = [operation, dataset, str(folder / "text"), library]
            try:
                (folder / "text").write_bytes(data.load(dataset).text)
                # Natively first: says what is absent, and leaves compiled modules for callgrind.
                _repeat([], [*words, "1"])
            except (data.MissingDataError, AbsentError) as error:
                print(f"left out {key}: {error}", file=sys.stderr)
                continue
            single = _instructions([*words, str(calls)], folder / "out")
            double = _instructions([*words, str(2 * calls)], folder / "out")
            counted[key] = round((double - single) / calls)
            print(f"{key}: {counted[key]:,}", file=sys.stderr, flush=True)
    return counted


def _repeat(prefix: Sequence[str], words: Sequence[str]) -> None:
    script = "from bench.counted import main; main()"
    done = subprocess.run(
        [*prefix, sys.executable, "-P", "-c", script, *words],
        cwd=data.ROOT,
        env={
            "PATH": os.defpath,
            "PYTHONHASHSEED": "0",
            "PYTHONPATH": str(data.ROOT),
            "LC_ALL": "C.UTF-8",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        last = done.stderr.strip().splitlines()[-1:] or ["no message"]
        if done.returncode == ABSENT:
            raise AbsentError(last[0])
        raise CannotCountError(f"{words[0]} {words[1]}, {words[3]}: {last[0]}")


def _instructions(words: Sequence[str], out: Path) -> int:
    _repeat([_valgrind(), "--tool=callgrind", f"--callgrind-out-file={out}"], words)
    return total(out.read_text(errors="replace"))


def total(text: str) -> int:
    """The number of instructions in callgrind's output."""
    found = re.search(r"^(?:summary|totals): (\d+)", text, re.MULTILINE)
    if found is None:
        raise CannotCountError("callgrind's output has no total")
    return int(found[1])


# --- keeping and comparing ---


def read(path: Path) -> dict[str, Any]:
    """The kept counts: Python key to `surroundings` and `counts`; empty if there is no file."""
    if not path.exists():
        return {}
    kept: dict[str, Any] = json.loads(path.read_text())
    return kept


def merged(kept: Mapping[str, Any], counted: Mapping[str, int]) -> dict[str, Any]:
    """`kept` with the new counts of this Python in it; counts not made anew stay."""
    before = kept.get(python_key(), {}).get("counts", {})
    mine = {"surroundings": surroundings(), "counts": dict(sorted({**before, **counted}.items()))}
    return dict(sorted({**kept, python_key(): mine}.items()))


def write(path: Path, kept: Mapping[str, Any]) -> None:
    """Keep `kept` in `path`."""
    path.write_text(json.dumps(kept, indent=2) + "\n")


def compare(
    kept: Mapping[str, Any], counted: Mapping[str, int], calls_of: Sequence[str]
) -> tuple[list[str], int]:
    """A Markdown table of kept and new counts of `calls_of`, and the exit status.

    The status is 1 if a count grew by over 3 %, or is kept and could not be made anew.
    """
    mine = kept.get(python_key())
    if mine is None:
        raise CannotCountError(
            f"no counts are kept for {python_key()}; `python -m bench counts --update` keeps them"
        )
    lines = [
        f"{what} was {old}, is {new}: the counts may differ for that alone"
        for what, new in surroundings().items()
        if (old := mine["surroundings"].get(what)) != new
    ]
    lines += ["", "| call | kept | now | change | |", "|---|--:|--:|--:|---|"]
    status = 0
    for name in calls_of:
        old, now = mine["counts"].get(name), counted.get(name)
        if now is None:
            if old is not None:
                lines.append(f"| {name} | {old:,} | – | – | **not counted** |")
                status = 1
            continue
        if old is None:
            lines.append(f"| {name} | – | {now:,} | – | not kept yet |")
            continue
        change = now / old - 1
        word = ""
        if now - old > TOLERANCE * old:
            word, status = "**over the limit**", 1
        elif change < -TOLERANCE:
            word = "better; keep it with --update"
        lines.append(f"| {name} | {old:,} | {now:,} | {change:+.1%} | {word} |")
    return lines, status

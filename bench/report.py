"""Renders measured cells as Markdown tables and as one JSON document.

Owns the wording and the layout; measures nothing. Input are the cells as `run` gives them (plain
dicts, as read back from JSON) and a description of the machine.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench import data, figures, libraries, memory, run
from bench.operations import OPERATIONS
from bench.targets import MEMORY_LIMIT, READ_LIMIT_NS, TARGETS

SCHEMA = 1
_MB = 1e6


# --- the machine ---


def describe(effort: run.Effort) -> dict[str, Any]:
    """What a reader needs to know to judge or repeat the figures."""
    return {
        "schema": SCHEMA,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": _commit(),
        "processor": _processor(),
        "processors": os.cpu_count(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "libc": " ".join(platform.libc_ver()).strip() or None,
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "compiler": platform.python_compiler(),
        "gil": getattr(sys, "_is_gil_enabled", lambda: True)(),
        "load": list(os.getloadavg()) if hasattr(os, "getloadavg") else None,
        "clock": run.clock()[0],
        "rounds": effort.rounds,
        "seconds": effort.seconds,
        "sample_ms": effort.sample_ms,
        "versions": libraries.versions(),
    }


def _commit() -> str:
    def git(*words: str) -> str:
        done = subprocess.run(
            ["git", *words], cwd=data.ROOT, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    try:
        changed = git("status", "--porcelain", "--untracked-files=no")
        return git("rev-parse", "--short=12", "HEAD") + (" with changes" if changed else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return platform.processor() or platform.machine()
    facts: dict[str, str] = {}
    for line in text.splitlines():
        key, _, value = line.partition(":")
        facts.setdefault(key.strip(), value.strip())
    name = facts.get("model name", platform.machine())
    if "cpu family" in facts:
        name += f" (family {facts['cpu family']}, model {facts.get('model', '?')})"
    return name


# --- figures as text ---


def duration(nanoseconds: float) -> str:
    """Three significant digits with a unit: `4.37 ms`, `88.1 µs`, `412 ns`."""
    value, unit = nanoseconds, "ns"
    for larger in ("µs", "ms", "s"):
        if value < 999.5:
            break
        value, unit = value / 1000, larger
    if value < 9.995:
        return f"{value:.2f} {unit}"
    if value < 99.95:
        return f"{value:.1f} {unit}"
    return f"{value:.0f} {unit}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> str:
    """A Markdown table; the first `left` columns are text, the others figures."""
    rule = ["---"] * left + ["--:"] * (len(head) - left)
    lines = [head, rule, *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def _figures(row: Mapping[str, Any], cell: Mapping[str, Any]) -> str:
    if not row["ok"]:
        return f"† {row['problem']}"
    text = f"{duration(row['median'])} / {duration(row['minimum'])}"
    if row["against_best"] is not None:
        pair = f"{row['against_best']['median']:.2f}"
        text += f", {pair}" if row["role"] == "floor" else f", **{pair}**"
    if row["label"] == cell["best_peer"] and cell["size"] is not None:
        text += f", {cell['size'] / _MB / (row['minimum'] / 1e9):,.0f} MB/s"
    return text


def _label(row: Mapping[str, Any]) -> str:
    if row["role"] == "floor":
        return f"*{row['label']}*"
    return f"**{row['label']}**" if row["role"] == "octad" else str(row["label"])


# --- tables ---


def _matrix(cells: Sequence[Mapping[str, Any]], show: Any, roles: Sequence[str]) -> str:
    """Rows are labels, columns data sets; labels in order of their mean place."""
    order: dict[str, list[float]] = {}
    shown: dict[str, str] = {}
    for cell in cells:
        for row in cell["rows"]:
            if row["role"] not in roles:
                continue
            place = row["against_best"]["median"] if row.get("against_best") else 1e9
            order.setdefault(row["label"], []).append(place)
            shown[row["label"]] = _label(row)
    last = {row["label"] for cell in cells for row in cell["rows"] if row["role"] == "floor"}
    labels = sorted(order, key=lambda name: (name in last, sum(order[name]) / len(order[name])))
    lines = []
    for label in labels:
        line = [shown[label]]
        for cell in cells:
            row = next((one for one in cell["rows"] if one["label"] == label), None)
            line.append("–" if row is None else show(row, cell))
        lines.append(line)
    return table(["", *(_column(cell) for cell in cells)], lines)


def _column(cell: Mapping[str, Any]) -> str:
    if cell.get("size") is None:
        return str(cell["dataset"])
    size = cell["size"]
    text = f"{size / 1000:,.0f} kB" if size >= 10_000 else f"{size:,} B"
    return f"{cell['dataset']} ({text})"


def _notes(cells: Sequence[Mapping[str, Any]], missing: Sequence[Mapping[str, Any]]) -> str:
    by_reason: dict[tuple[str, str], list[str]] = {}
    for cell in cells:
        for name, reason in cell["absent"].items():
            by_reason.setdefault((name, reason), []).append(cell["dataset"])
    lines = []
    for (name, reason), sets in by_reason.items():
        where = "" if len(sets) == len(cells) else f" ({', '.join(sets)})"
        lines.append(f"- absent: {name} {reason}{where}")
    lines += [f"- absent: {cell['dataset']}: {cell['missing']}" for cell in missing]
    return "\n".join(lines) + "\n" if lines else ""


def _against_octad(row: Mapping[str, Any], _: Mapping[str, Any]) -> str:
    found = row.get("against_octad")
    return "–" if found is None else f"{found['median']:.2f}"


def _operation(name: str, cells: Sequence[Mapping[str, Any]]) -> str:
    missing = [cell for cell in cells if "missing" in cell]
    there = [cell for cell in cells if "missing" not in cell]
    operation = OPERATIONS[name]
    parts = [f"## {name}: {operation.title}\n"]
    if any(cell["rows"] for cell in there):
        unit = f", per {operation.unit}" if operation.unit != "call" else ""
        parts.append(f"median / min, ×pair against the fastest peer{unit}\n")
        parts.append(_matrix(there, _figures, ("octad", "peer", "floor")))
        if any(row.get("against_octad") for cell in there for row in cell["rows"]):
            parts.append("Time of each peer / time of octad, of the same round:\n")
            parts.append(_matrix(there, _against_octad, ("peer",)))
    return _with_notes(parts, there, missing)


def _with_notes(
    parts: list[str], there: Sequence[Mapping[str, Any]], missing: Sequence[Mapping[str, Any]]
) -> str:
    """The parts of a section, with what there is to say to them at its end."""
    notes = _notes(there, missing)
    return "\n".join([*parts, notes] if notes else parts)


def _memory(cells: Sequence[Mapping[str, Any]]) -> str:
    missing = [cell for cell in cells if "missing" in cell]
    there = [cell for cell in cells if "missing" not in cell]
    lines = []
    for cell in there:
        for row in cell["rows"]:
            told, grown = row["nbytes_ratio"], row["resident_ratio"]
            lines.append(
                [
                    _column(cell),
                    "–" if told is None else f"{told:.3f}",
                    "–" if grown is None else f"{grown:.3f}",
                    f"{MEMORY_LIMIT}",
                    "–" if told is None else ("yes" if told <= MEMORY_LIMIT else "**no**"),
                ]
            )
    parts = ["## memory: an open, unread octad document, over its text\n"]
    if lines:
        head = ["", "`nbytes` / text", "growth of the process / text", "limit", "kept"]
        parts.append(table(head, lines))
    return _with_notes(parts, there, missing)


def _memory_loads(cells: Sequence[Mapping[str, Any]]) -> str:
    missing = [cell for cell in cells if "missing" in cell]
    there = [cell for cell in cells if "missing" not in cell]
    parts = ["## memory-loads: what a process takes for one loads\n"]
    if any(cell["rows"] for cell in there):
        parts.append(
            "growth by the first call / by the result alone / at most during the first call / "
            "the objects by their own word, all MiB\n"
        )
        parts.append(_matrix(there, _sizes, ("octad", "peer")))
        parts.append("The three growths / the text:\n")
        parts.append(_matrix(there, _shares, ("octad", "peer")))
    return _with_notes(parts, there, missing)


def _sizes(row: Mapping[str, Any], _: Mapping[str, Any]) -> str:
    if not row["ok"]:
        return f"† {row['problem']}"
    sizes = (row["grown"], row["result"], row["peak"], row["graph"])
    return " / ".join("–" if size is None else f"{size / 2**20:.2f}" for size in sizes)


def _shares(row: Mapping[str, Any], _: Mapping[str, Any]) -> str:
    if not row["ok"]:
        return "†"
    shares = (row["grown_ratio"], row["result_ratio"], row["peak_ratio"])
    return " / ".join("–" if share is None else f"{share:.2f}" for share in shares)


def summary(cells: Sequence[Mapping[str, Any]]) -> str:
    """Octad against the best peer of each cell; empty where octad was not measured."""
    lines = []
    for cell in cells:
        best = cell.get("best_peer")
        for row in cell.get("rows", ()):
            if row["role"] != "octad" or not row["ok"] or "median" not in row:
                continue
            where = [cell["operation"], cell["dataset"], row["label"]]
            if best is None or row["against_best"] is None:
                lines.append([*where, "–", duration(row["median"]), "–", "–", "–"])
                continue
            found = row["against_best"]
            ratio = 1 / found["median"]
            target = TARGETS.get((cell["operation"], row["label"], cell["dataset"]))
            if cell["operation"] == "reads":
                wanted = f"under {duration(READ_LIMIT_NS)}"
                reached = row["median"] < READ_LIMIT_NS
            else:
                wanted = "–" if target is None else f"{target}"
                reached = target is None or ratio >= target
            lines.append(
                [
                    *where,
                    best,
                    f"**{ratio:.2f}** ({1 / found['high']:.2f} to {1 / found['low']:.2f})",
                    figures.verdict(ratio),
                    wanted,
                    "–" if wanted == "–" else ("yes" if reached else "**no**"),
                ]
            )
    if not lines:
        return ""
    head = ["operation", "data", "row", "best peer", "its time / octad's (quartiles)"]
    head += ["octad is", "target", "reached"]
    return "## octad against the best peer\n\n" + table(head, lines, left=4)


def heading(title: str, machine: Mapping[str, Any]) -> str:
    """The title, and what the figures depend on."""
    versions = ", ".join(f"{name} {version}" for name, version in machine["versions"].items())
    load = machine["load"]
    lines = [
        f"# {title}\n",
        f"- {machine['date']}, commit {machine['commit']}\n"
        f"- {machine['processor']}, {machine['processors']} processors, {machine['system']}, "
        f"{machine['libc'] or 'libc unknown'}\n"
        f"- {machine['implementation']} {machine['python']} ({machine['compiler']}), "
        f"{'with' if machine['gil'] else 'without'} the GIL\n"
        f"- {versions}\n"
        f"- {machine['clock']}; at most {machine['rounds']} rounds and about "
        f"{machine['seconds']:g} s a cell, {machine['sample_ms']:g} ms a sample"
        + (f"; load {load[0]:.1f} at the start" if load else "")
        + "\n",
    ]
    return "\n".join(lines)


_MEMORY: Mapping[str, Callable[[Sequence[Mapping[str, Any]]], str]] = {
    memory.OPERATION: _memory,
    memory.LOADS: _memory_loads,
}


def markdown(machine: Mapping[str, Any], cells: Sequence[Mapping[str, Any]]) -> str:
    """The whole report."""
    parts = [
        heading("octad benchmark", machine),
        f"Compare rows of one table only, by ×pair; under {figures.TIE} is a tie. "
        "† marks a result that differs from the standard library's, or a failure: not timed. "
        "Rows in italics are floors, not peers.\n",
    ]
    if top := summary(cells):
        parts.append(top)
    by_operation: dict[str, list[Mapping[str, Any]]] = {}
    for cell in cells:
        by_operation.setdefault(cell["operation"], []).append(cell)
    for name, group in by_operation.items():
        render = _MEMORY.get(name)
        parts.append(_operation(name, group) if render is None else render(group))
    return "\n".join(parts)


def write(
    folder: Path,
    machine: Mapping[str, Any],
    cells: Sequence[Mapping[str, Any]],
    text: str,
    name: str | None = None,
) -> tuple[Path, Path]:
    """Write `text` and the cells to `folder`, as `report.md` and `results.json` or by `name`."""
    folder.mkdir(parents=True, exist_ok=True)
    report, numbers = folder / f"{name or 'report'}.md", folder / f"{name or 'results'}.json"
    report.write_text(text, encoding="utf-8")
    document = {**machine, "cells": list(cells)}
    numbers.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return report, numbers

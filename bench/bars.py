"""The table of bars: what octad is held to, what was measured, and whether it is reached.

Owns which libraries a bar needs, the judgement, and the table; the cells come from `run`, the bars
from `targets`. A bar whose row could not be measured says why; one that was measured without a
peer that is usually there says which, since the ratio may then be too good.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bench import figures
from bench.report import duration, table
from bench.run import Effort, Task
from bench.targets import BARS, NEAR, Bar

# Who may be the best peer. The others are slower on every row and would only take time.
PEERS = ("ssrjson", "orjson", "msgspec", "pysimdjson")


@dataclass(frozen=True)
class Judged:
    """One bar with its figure; the figure is None where it could not be measured."""

    bar: Bar
    other: str | None = None
    value: float | None = None
    spread: tuple[float, float] | None = None
    note: str = ""

    @property
    def reached(self) -> bool:
        return self._within(1.0)

    @property
    def near(self) -> bool:
        """Whether at least 85 % of the bar is reached."""
        return self._within(NEAR)

    def _within(self, share: float) -> bool:
        if self.value is None:
            return False
        if self.bar.at_most:
            return self.value * share <= self.bar.target
        return self.value >= self.bar.target * share


def chosen(operations: Sequence[str] | None, datasets: Sequence[str] | None) -> list[Bar]:
    """The bars of these operations and data sets."""
    return [
        bar
        for bar in BARS
        if (operations is None or bar.operation in operations)
        and (datasets is None or bar.dataset in datasets)
    ]


def tasks(bars: Iterable[Bar], libraries: Sequence[str] | None, effort: Effort) -> list[Task]:
    """One task for every cell that the bars need, with the libraries they compare."""
    needed: dict[tuple[str, str], dict[str, None]] = {}
    for bar in bars:
        names = needed.setdefault((bar.operation, bar.dataset), {"octad": None})
        if bar.kind == "best peer":
            names |= dict.fromkeys(PEERS)
        elif bar.other is not None:
            names[bar.other.split(" (")[0]] = None
    return [
        Task(operation, dataset, tuple(libraries or names), effort)
        for (operation, dataset), names in needed.items()
    ]


def judge(bar: Bar, cell: Mapping[str, Any]) -> Judged:
    """The figure of `bar` in its cell."""
    if "missing" in cell:
        return Judged(bar, note=str(cell["missing"]))
    rows = {row["label"]: row for row in cell["rows"] if row["ok"]}
    mine = rows.get(bar.row)
    if mine is None:
        return Judged(bar, note=_why(bar.row, cell))
    gone = [name for name in PEERS if _not_installed(cell["absent"].get(name))]
    if bar.kind == "figure":
        return _figure(bar, mine, None)
    other = cell.get("best_peer") if bar.kind == "best peer" else bar.other
    if other is None:
        return Judged(bar, note="no peer is there: " + ", ".join(gone))
    if other not in rows:
        return Judged(bar, other, note=f"{other} {_why(other, cell)}")
    if bar.kind == "figure of row":
        return _figure(bar, mine, rows[other])
    found = figures.quotient(rows[other]["times"], mine["times"])
    note = "without " + ", ".join(gone) if gone and bar.kind == "best peer" else ""
    return Judged(bar, other, found.median, (found.low, found.high), note)


def _figure(bar: Bar, mine: Mapping[str, Any], other: Mapping[str, Any] | None) -> Judged:
    label = None if other is None else str(other["label"])
    value = mine.get(bar.figure or "")
    base = 1 if other is None else other.get(bar.figure or "")
    if value is None or not base:
        return Judged(bar, label, note="is not known on this machine")
    return Judged(bar, label, value / base)


def _not_installed(reason: str | None) -> bool:
    return reason is not None and reason.startswith("cannot be imported")


def _why(label: str, cell: Mapping[str, Any]) -> str:
    for row in cell["rows"]:
        if row["label"] == label:
            return str(row["problem"])
    return str(cell["absent"].get(label, "was not measured"))


def judged(bars: Iterable[Bar], cells: Sequence[Mapping[str, Any]]) -> list[Judged]:
    """Every bar with its figure, in order."""
    by_place = {(cell["operation"], cell["dataset"]): cell for cell in cells}
    return [judge(bar, by_place[bar.operation, bar.dataset]) for bar in bars]


def markdown(found: Sequence[Judged]) -> str:
    """The table, and a line that counts."""
    lines = [
        [
            one.bar.dataset,
            _what(one.bar),
            one.other or "–",
            _value(one),
            _target(one.bar),
            "–" if one.value is None else ("yes" if one.reached else "no"),
            "–" if one.value is None else ("yes" if one.near else "**no**"),
            one.note,
        ]
        for one in found
    ]
    head = ["file", "operation", "against", "ratio (quartiles)", "target", "reached"]
    head += [f"{NEAR:.0%} of it", "note"]
    measured = [one for one in found if one.value is not None]
    count = (
        f"{len(measured)} of {len(found)} bars measured: "
        f"{sum(one.reached for one in measured)} reached, "
        f"{sum(one.near and not one.reached for one in measured)} at least {NEAR:.0%}, "
        f"{sum(not one.near for one in measured)} below"
    )
    return table(head, lines, left=3) + f"\n{count}\n"


def _what(bar: Bar) -> str:
    words = {
        "result": "result over that of",
        "peak_ratio": "peak / text",
        "nbytes_ratio": "`nbytes` / text",
        "median": "time of one",
    }
    note = "" if bar.row == "octad" else bar.row.removeprefix("octad")
    return bar.operation + note + (f": {words[bar.figure]}" if bar.figure else "")


def _value(one: Judged) -> str:
    if one.value is None:
        return "–"
    if one.bar.figure == "median":
        return f"**{duration(one.value)}**"
    text = f"**{one.value:.2f}**"
    return text if one.spread is None else f"{text} ({one.spread[0]:.2f} to {one.spread[1]:.2f})"


def _target(bar: Bar) -> str:
    if bar.figure == "median":
        return f"≤ {duration(bar.target)}"
    return f"≤ {bar.target:g}" if bar.at_most else f"{bar.target:g}"

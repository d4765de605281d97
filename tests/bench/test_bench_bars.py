"""The bars of the benchmark: which cells they need, how they are judged, what the table says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench import bars, run
from bench.__main__ import main
from bench.targets import BARS, TARGETS, Bar

pytestmark = pytest.mark.house

LOADS = Bar("loads", "twitter", 2.0)
DICTS = Bar("dict-copy", "github", 0.9, "row", other="json")
RECORDS = Bar("dumps-slots", "catalogue", 1.0, "row", other="octad (dicts)")
STRUCT = Bar("typed-loads-slots", "citm", 1.15, "row", other="msgspec (struct)")
RESULT = Bar("memory-loads", "citm", 0.75, "figure of row", other="orjson", figure="result")
PLANS = Bar("typed-plan", "parts-200", 5e7, "figure", row="octad (text)", figure="median")
PEAK = Bar("memory-loads", "citm", 1.5, "figure", figure="peak_ratio")


def row(label: str, *times: float, **more: Any) -> dict[str, Any]:
    return {"label": label, "ok": True, "problem": None, "times": list(times), **more}


def cell(bar: Bar, *rows: dict[str, Any], **more: Any) -> dict[str, Any]:
    place = {"operation": bar.operation, "dataset": bar.dataset, "best_peer": None, "absent": {}}
    return {**place, "rows": list(rows), **more}


def test_every_target_of_the_plain_row_is_a_bar_once() -> None:
    best = {(bar.operation, bar.row, bar.dataset): bar.target for bar in BARS if not bar.other}
    assert {key: one for key, one in TARGETS.items() if key[1] == "octad"}.items() <= best.items()
    assert len({(b.operation, b.dataset, b.row, b.other, b.figure) for b in BARS}) == len(BARS)


def test_every_bar_has_a_cell_of_its_own_operation_and_data() -> None:
    for bar in BARS:
        found = run.tasks([bar.operation], [bar.dataset], ["json"], run.QUICK)
        assert [(one.operation, one.dataset) for one in found] == [(bar.operation, bar.dataset)]


def test_bars_are_chosen_by_operation_and_data() -> None:
    chosen = bars.chosen(["loads", "dumps"], ["canada", "github"])
    assert [(bar.operation, bar.dataset) for bar in chosen] == [
        ("loads", "canada"),
        ("loads", "github"),
        ("dumps", "canada"),
        ("dumps", "github"),
    ]
    assert bars.chosen(["small-dumps"], ["canada"]) == []


def test_a_cell_is_measured_once_with_the_libraries_its_bars_compare() -> None:
    found = bars.tasks([LOADS, DICTS, RECORDS, STRUCT, RESULT, PEAK], None, run.QUICK)
    assert {(one.operation, one.libraries) for one in found} == {
        ("loads", ("octad", *bars.PEERS)),
        ("dict-copy", ("octad", "json")),
        ("dumps-slots", ("octad",)),
        ("typed-loads-slots", ("octad", "msgspec")),
        ("memory-loads", ("octad", "orjson")),
    }
    assert {one.libraries for one in bars.tasks([LOADS], ["json"], run.QUICK)} == {("json",)}


@pytest.mark.parametrize(
    ("times", "reached", "near"),
    [(20.0, True, True), (19.9, False, True), (17.0, False, True), (16.9, False, False)],
)
def test_a_ratio_is_reached_near_or_missed(times: float, reached: bool, near: bool) -> None:
    made = cell(LOADS, row("octad", 10.0), row("orjson", times), best_peer="orjson")
    found = bars.judge(LOADS, made)
    assert found.value == pytest.approx(times / 10)
    assert (found.other, found.reached, found.near) == ("orjson", reached, near)


@pytest.mark.parametrize(
    ("size", "reached", "near"), [(75, True, True), (80, False, True), (89, False, False)]
)
def test_a_size_may_be_at_most_so_large(size: int, reached: bool, near: bool) -> None:
    made = cell(RESULT, row("octad", result=size), row("orjson", result=100))
    found = bars.judge(RESULT, made)
    assert (found.value, found.reached, found.near) == (size / 100, reached, near)
    assert bars.judge(PEAK, cell(PEAK, row("octad", peak_ratio=1.4))).reached


def test_a_row_is_compared_with_the_named_one_round_by_round() -> None:
    made = cell(RECORDS, row("octad", 10.0, 30.0, 20.0), row("octad (dicts)", 20.0, 60.0, 40.0))
    found = bars.judge(RECORDS, made)
    assert (found.value, found.spread, found.other) == (2.0, (2.0, 2.0), "octad (dicts)")


def test_what_could_not_be_measured_says_why() -> None:
    gone = {"ssrjson": "cannot be imported (no wheel)", "pysimdjson": "has no dumps"}
    made = cell(LOADS, row("octad", 1.0), row("orjson", 2.0), best_peer="orjson", absent=gone)
    assert bars.judge(LOADS, made).note == "without ssrjson"
    alone = cell(LOADS, row("octad", 1.0), absent=gone)
    assert bars.judge(LOADS, alone).note == "no peer is there: ssrjson"
    assert bars.judge(DICTS, cell(DICTS, row("octad", 1.0))).note == "json was not measured"
    wrong = {"label": "octad", "ok": False, "problem": "differs"}
    assert bars.judge(LOADS, cell(LOADS, wrong)).note == "differs"
    assert bars.judge(LOADS, {"missing": "no such file"}).note == "no such file"
    blind = cell(RESULT, row("octad", result=None), row("orjson", result=None))
    assert "not known" in bars.judge(RESULT, blind).note
    assert not bars.judge(LOADS, wrong | cell(LOADS, wrong)).near


def test_table_has_a_line_for_each_bar_and_counts_them() -> None:
    cells = [
        cell(LOADS, row("octad", 10.0), row("orjson", 18.0), best_peer="orjson"),
        cell(PEAK, row("octad", peak_ratio=1.25)),
        cell(PLANS, row("octad (text)", 4e7, median=4e7)),
        {"operation": "dict-copy", "dataset": "github", "missing": "no such file"},
    ]
    text = bars.markdown(bars.judged([LOADS, PEAK, PLANS, DICTS], cells))
    assert "| twitter | loads | orjson | **1.80** (1.80 to 1.80) | 2 | no | yes |  |" in text
    assert "| citm | memory-loads: peak / text | – | **1.25** | ≤ 1.5 | yes | yes |  |" in text
    assert "| github | dict-copy | – | – | 0.9 | – | – | no such file |" in text
    line = (
        "| parts-200 | typed-plan (text): time of one | – | **40.0 ms** | ≤ 50.0 ms | yes | yes |"
    )
    assert line in text
    assert "3 of 4 bars measured: 2 reached, 1 at least 85%, 0 below" in text


def test_bars_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["bars", "--quick", "--op", "small-dumps", "--rounds", "2", "--seconds", "0.05"]
    assert main([*words, "--lib", "json", "--out", str(tmp_path)]) == 0
    shown = capsys.readouterr().out
    assert shown.strip() == (tmp_path / "bars.md").read_text(encoding="utf-8").strip()
    assert "| small-80 | small-dumps |" in shown
    assert "was not measured" in shown
    found = json.loads((tmp_path / "bars.json").read_text(encoding="utf-8"))
    assert [one["dataset"] for one in found["cells"]] == ["small-80", "small-1k"]
    assert main(["bars", "--op", "collect"]) == 2
    assert "no bar is set" in capsys.readouterr().err

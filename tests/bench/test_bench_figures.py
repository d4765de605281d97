"""The arithmetic of the benchmark, its notion of equality and what it renders: no timing here."""

from __future__ import annotations

import json
import math
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from bench import counts, figures, report, run
from bench.equality import reads_back, same

pytestmark = pytest.mark.house

STEADY = [10.0, 12.0, 11.0, 20.0, 10.0]


def test_quotient_is_taken_round_by_round() -> None:
    # Twice as slow in every round, though the rounds themselves vary by two.
    found = figures.quotient([2 * one for one in STEADY], STEADY)
    assert found == figures.Quotient(2.0, 2.0, 2.0)


def test_quotient_gives_median_and_quartiles() -> None:
    found = figures.quotient([1.0, 2.0, 3.0, 4.0, 5.0], [1.0] * 5)
    assert found == figures.Quotient(3.0, 2.0, 4.0)
    assert figures.quotient([3.0], [2.0]) == figures.Quotient(1.5, 1.5, 1.5)


def test_fastest_is_best_of_most_rounds_not_of_one() -> None:
    times = {"a": [10.0, 10.0, 10.0], "b": [11.0, 11.0, 1.0], "c": [30.0, 30.0, 30.0]}
    assert figures.fastest(times, ["a", "b", "c"]) == "a"
    assert figures.fastest(times, ["b", "c"]) == "b"
    assert figures.fastest(times, []) is None


@pytest.mark.parametrize(
    ("ratio", "word"),
    [(1.5, "faster"), (1.03, "faster"), (1.02, "tie"), (0.98, "tie"), (0.96, "slower")],
)
def test_verdict_calls_less_than_three_percent_a_tie(ratio: float, word: str) -> None:
    assert figures.verdict(ratio) == word


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (1, 1.0),
        (1, True),
        (0.0, -0.0),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ([1], [1, 2]),
        ([1], (1,)),
        ({"a": 1}, {"a": 1, "b": 2}),
        (Decimal("1.5"), Decimal("1.50")),
        (0.1 + 0.2, 0.3),
    ],
)
def test_same_tells_apart_what_looks_alike(left: Any, right: Any) -> None:
    assert not same(left, right)
    assert not same([{"x": left}], [{"x": right}])


def test_same_holds_for_equal_values_of_all_kinds() -> None:
    text = '[{"a":[1,-2.5e300,null,true,"\\u00e9"],"b":{}},[]]'
    assert same(json.loads(text), json.loads(text))
    assert same(math.nan, math.nan)
    assert reads_back(text, json.loads(text), decimal=False)
    assert reads_back("1.50", Decimal("1.50"), decimal=True)
    assert not reads_back("1.5", Decimal("1.50"), decimal=True)


@pytest.mark.parametrize(
    ("nanoseconds", "text"),
    [
        (5.0, "5.00 ns"),
        (88.06, "88.1 ns"),
        (412.4, "412 ns"),
        (999.6, "1.00 µs"),
        (12_345.0, "12.3 µs"),
        (4_371_000.0, "4.37 ms"),
        (2.5e9, "2.50 s"),
        (9_996.0, "10.0 µs"),
    ],
)
def test_duration_shows_three_digits(nanoseconds: float, text: str) -> None:
    assert report.duration(nanoseconds) == text


def row(label: str, role: str, median: float, best: float, octad: float) -> dict[str, Any]:
    def pair(ratio: float) -> dict[str, float]:
        return {"median": ratio, "low": ratio * 0.99, "high": ratio * 1.01}

    return {
        "label": label,
        "role": role,
        "ok": True,
        "problem": None,
        "median": median,
        "minimum": median * 0.9,
        "against_best": pair(best),
        "against_octad": pair(octad),
    }


def cells() -> list[dict[str, Any]]:
    wrong = {"label": "ujson", "role": "peer", "ok": False, "problem": "differs"}
    return [
        {
            "operation": "loads",
            "dataset": "twitter",
            "unit": "call",
            "size": 1_000_000,
            "best_peer": "orjson",
            "rows": [
                row("octad", "octad", 1e6, 0.5, 1.0),
                row("json", "peer", 6e6, 3.0, 6.0),
                row("orjson", "peer", 2e6, 1.0, 2.0),
                row("bytes.decode", "floor", 1e5, 0.05, 0.1),
                wrong,
            ],
            "absent": {"ssrjson": "cannot be imported (no wheel)"},
        },
        {"operation": "loads", "dataset": "canada", "missing": "canada.json not found"},
        {
            "operation": "memory",
            "dataset": "canada",
            "size": 2_251_060,
            "absent": {},
            "rows": [
                {
                    "label": "octad",
                    "role": "octad",
                    "ok": True,
                    "nbytes_ratio": 0.61,
                    "resident_ratio": None,
                }
            ],
        },
        {
            "operation": "memory-loads",
            "dataset": "citm",
            "size": 2**21,
            "absent": {},
            "rows": [
                {
                    "label": "octad",
                    "role": "octad",
                    "ok": True,
                    "problem": None,
                    "grown": 3 * 2**20,
                    "grown_ratio": 1.5,
                    "result": 2**21,
                    "result_ratio": 1.0,
                    "peak": None,
                    "peak_ratio": None,
                    "graph": 3 * 2**19,
                },
                {"label": "json", "role": "peer", "ok": False, "problem": "differs"},
            ],
        },
    ]


def test_report_shows_figures_ratios_targets_and_what_is_absent() -> None:
    machine = report.describe(run.QUICK)
    text = report.markdown(machine, cells())
    lines = text.splitlines()
    assert (
        "| loads | twitter | octad | orjson | **2.00** (1.98 to 2.02) | faster | 1.9 | yes |"
        in (lines)
    )
    assert "| orjson | 2.00 ms / 1.80 ms, **1.00**, 556 MB/s |" in lines
    assert "| **octad** | 1.00 ms / 900 µs, **0.50** |" in lines
    assert "| *bytes.decode* | 100 µs / 90.0 µs, 0.05 |" in lines
    assert "| ujson | † differs |" in lines
    assert "| json | 6.00 |" in lines
    assert "- absent: ssrjson cannot be imported (no wheel)" in lines
    assert "- absent: canada: canada.json not found" in lines
    assert "| canada (2,251 kB) | 0.610 | – | 0.85 | yes |" in lines
    assert "| **octad** | 3.00 / 2.00 / – / 1.50 |" in lines
    assert "| **octad** | 1.50 / 1.00 / – |" in lines
    assert "| json | † differs |" in lines


def test_report_without_octad_has_no_claim_about_it() -> None:
    alone = cells()[:1]
    alone[0]["rows"] = [row("json", "peer", 6e6, 1.0, 1.0)]
    alone[0]["rows"][0]["against_octad"] = None
    alone[0]["best_peer"] = "json"
    text = report.markdown(report.describe(run.QUICK), alone)
    assert "octad against the best peer" not in text
    assert "time of octad" not in text


def test_report_is_written_as_markdown_and_json(tmp_path: Path) -> None:
    machine = report.describe(run.QUICK)
    rendered = report.markdown(machine, cells())
    text, numbers = report.write(tmp_path / "out", machine, cells(), rendered)
    assert text.read_text(encoding="utf-8").startswith("# octad benchmark")
    read = json.loads(numbers.read_text(encoding="utf-8"))
    assert read["schema"] == report.SCHEMA
    assert read["cells"] == cells()
    assert {"date", "commit", "processor", "python", "versions", "clock"} <= set(read)


def test_mismatches_are_named() -> None:
    found = cells()
    found.append({"operation": "dumps", "dataset": "mesh", "missing": "ended", "failed": True})
    assert run.mismatches(found) == [
        "loads twitter, ujson: differs",
        "memory-loads citm, json: differs",
        "dumps mesh: ended",
    ]


def kept(**numbers: int) -> dict[str, Any]:
    here = {"python": "3", "compiler": "c", "libc": "l"}
    return {counts.python_key(): {"surroundings": here, "counts": numbers}}


@pytest.fixture
def fixed_surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {"python": "3", "compiler": "c", "libc": "l"}
    monkeypatch.setattr(counts, "surroundings", lambda: found)


@pytest.mark.usefixtures("fixed_surroundings")
def test_counts_pass_up_to_three_percent() -> None:
    lines, status = counts.compare(kept(a=1000, b=1000), {"a": 1030, "b": 900}, ["a", "b"])
    assert status == 0
    assert "| a | 1,000 | 1,030 | +3.0% |  |" in lines
    assert any("better" in line for line in lines)


@pytest.mark.usefixtures("fixed_surroundings")
def test_counts_fail_above_three_percent() -> None:
    lines, status = counts.compare(kept(a=1000), {"a": 1031, "new": 5}, ["a", "new"])
    assert status == 1
    assert "| a | 1,000 | 1,031 | +3.1% | **over the limit** |" in lines
    assert "| new | – | 5 | – | not kept yet |" in lines


@pytest.mark.usefixtures("fixed_surroundings")
def test_a_kept_count_that_was_asked_for_and_not_made_fails() -> None:
    lines, status = counts.compare(kept(a=1000, b=5), {}, ["a", "other"])
    assert status == 1
    assert lines[-1] == "| a | 1,000 | – | – | **not counted** |"


def test_counted_set_is_chosen_by_operation_and_data() -> None:
    assert counts.chosen(["lazy"], ["citm", "canada"]) == ["lazy/citm"]
    assert len(counts.chosen(None, None)) == len(counts.COUNTED)
    with pytest.raises(counts.CannotCountError, match="none of these"):
        counts.chosen(["lazy"], ["small-80"])


def test_counts_say_where_the_surroundings_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counts, "surroundings", lambda: {"libc": "new"})
    lines, _ = counts.compare(kept(a=1), {"a": 1}, ["a"])
    assert "libc was l, is new: the counts may differ for that alone" in lines


def test_counts_of_another_python_are_no_answer() -> None:
    with pytest.raises(counts.CannotCountError, match="no counts are kept for"):
        counts.compare({"cpython-2.7": {}}, {"a": 1}, ["a"])


@pytest.mark.usefixtures("fixed_surroundings")
def test_updating_keeps_counts_that_were_not_made_anew(tmp_path: Path) -> None:
    before = kept(a=1, b=2) | {"other-1.0": {"surroundings": {}, "counts": {"a": 9}}}
    path = tmp_path / "counts.json"
    assert counts.read(path) == {}
    counts.write(path, counts.merged(before, {"b": 3, "c": 4}))
    after = counts.read(path)
    assert after[counts.python_key()]["counts"] == {"a": 1, "b": 3, "c": 4}
    assert after["other-1.0"]["counts"] == {"a": 9}


@pytest.mark.parametrize("word", ["summary", "totals"])
def test_total_is_found_in_callgrinds_output(word: str) -> None:
    assert counts.total(f"events: Ir\n\n{word}: 123456\n") == 123456


def test_output_without_a_total_is_refused() -> None:
    with pytest.raises(counts.CannotCountError, match="no total"):
        counts.total("events: Ir\n")

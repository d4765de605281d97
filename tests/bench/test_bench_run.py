"""The benchmark from end to end, tiny: the standard library, and any peer that is installed.

Checks that every operation can be built, checked and timed, and that a wrong result is marked and
never timed. Asserts nothing about speed.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from bench import data, libraries, memory, resident, run
from bench.__main__ import main
from bench.counted import prepared
from bench.libraries import AbsentError, open_library
from bench.nested import THREE_FIELDS
from bench.operations import OPERATIONS, dicts_in
from bench.plans import plan
from bench.records import KINDS, plain, records

pytestmark = pytest.mark.house

TINY = run.Effort(rounds=2, seconds=0.05, sample_ms=0.02)
GENERATED = "users-200"


def present() -> list[str]:
    """The libraries that can be imported here; always json."""
    found = []
    for name in libraries.NAMES:
        try:
            open_library(name)
        except AbsentError:
            continue
        found.append(name)
    return found


PRESENT = present()


def stand_in(name: str) -> data.Dataset:
    """A small text with the fields that the lazy operations read."""
    if name == "twitter":
        status = {"user": {"screen_name": "ä"}, "id": 7}
        value: Any = {"statuses": [status] * 100, "search_metadata": {"count": 100}}
    else:
        value = {
            "areaNames": {"205705993": "x"},
            "performances": [{"prices": [{"amount": 3}]}] * 101,
            "events": {"138586795": {"name": "y"}},
        }
    return data.Dataset(name, json.dumps(value).encode())


@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.parametrize("library", [name for name in PRESENT if name != "octad"])
def test_every_operation_runs_or_is_absent_with_a_reason(name: str, library: str) -> None:
    operation = OPERATIONS[name]
    if operation.datasets == tuple(THREE_FIELDS):
        dataset = stand_in("twitter")
    elif len(operation.datasets) == 1:
        dataset = data.load(operation.datasets[0])
    else:
        dataset = data.load("small-1k" if name.startswith("small") else GENERATED)
    made = plan(operation, dataset, [library])
    cell = run.measure(made, TINY)
    own = [row for row in cell.rows if row.role != "floor"]
    assert bool(own) != bool(cell.absent)
    for row in cell.rows:
        assert row.ok, row.problem
        assert row.median is not None
        assert row.minimum is not None
        assert row.median >= row.minimum > 0
    if own:
        assert cell.best_peer in [row.label for row in own]


@pytest.mark.parametrize("library", [name for name in PRESENT if name != "octad"])
@pytest.mark.parametrize("name", ["loads", "dumps"])
def test_decimals_are_kept_or_refused(name: str, library: str) -> None:
    made = plan(OPERATIONS[name], data.load("catalogue-decimal"), [library])
    rows = [row for row in made.rows if row.role != "floor"]
    assert all(row.check() for row in rows)
    assert bool(rows) != bool(made.absent)


@pytest.mark.parametrize("name", THREE_FIELDS)
def test_three_fields_are_read_by_every_library(name: str) -> None:
    made = plan(OPERATIONS["lazy"], stand_in(name), [one for one in PRESENT if one != "octad"])
    assert {row.label for row in made.rows} >= {"json"}
    assert all(row.check() for row in made.rows)


class Wrong(libraries.Json):
    name = "wrong"

    def loads(self) -> libraries.Reader:
        return lambda data: {"sum": 1}


class Failing(libraries.Json):
    name = "failing"

    def loads(self) -> libraries.Reader:
        return lambda data: 1 // 0


class Missing(libraries.Json):
    name = "missing"
    module = "bench.no_such_module"


@pytest.fixture
def odd_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    odd = {one.name: one for one in (libraries.Json, Wrong, Failing, Missing)}
    monkeypatch.setattr(libraries, "ADAPTERS", odd)


@pytest.mark.usefixtures("odd_libraries")
def test_wrong_results_are_marked_and_not_timed() -> None:
    names = ["wrong", "failing", "json", "missing"]
    found = run.perform(run.Task("small-loads", "small-80", tuple(names), TINY))
    rows = {row["label"]: row for row in found["rows"]}
    assert rows["wrong"]["problem"] == "the result differs from the standard library's"
    assert rows["failing"]["problem"].startswith("ZeroDivisionError")
    assert rows["wrong"]["median"] is None
    assert rows["json"]["ok"]
    assert found["best_peer"] == "json"
    assert found["absent"]["missing"].startswith("cannot be imported")
    assert len(run.mismatches([found])) == 2


class Pretender(libraries.Json):
    """Takes octad's place, to see the figures and lines that only octad has."""

    name = "octad"
    peer = False

    def lazy(self) -> dict[str, libraries.Reader]:
        return {"": Document}


class Document:
    """Nothing but a claim about its size."""

    def __init__(self, text: bytes) -> None:
        self.nbytes = len(text) // 2


@pytest.fixture
def pretended_octad(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(libraries, "ADAPTERS", {"octad": Pretender, "json": libraries.Json})


@pytest.mark.usefixtures("pretended_octad")
def test_octad_is_compared_with_the_best_peer_and_the_peers_with_it() -> None:
    found = run.perform(run.Task("small-loads", "small-1k", ("octad", "json"), TINY, again="json"))
    rows = {row["label"]: row for row in found["rows"]}
    assert found["best_peer"] == "json"
    assert rows["octad"]["against_best"]["median"] > 0
    assert rows["json"]["against_octad"]["median"] > 0
    assert rows["json (again)"]["role"] == "floor"


@pytest.mark.usefixtures("pretended_octad")
def test_memory_is_given_relative_to_the_text() -> None:
    found = memory.measure(data.load("users-200"), ["octad"])
    assert found["rows"][0]["nbytes_ratio"] == pytest.approx(0.5, abs=0.01)
    assert memory.measure(data.load("users-200"), ["json"])["rows"] == []


@pytest.mark.usefixtures("odd_libraries")
def test_memory_is_absent_without_octad(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(libraries.ADAPTERS, "octad", Missing)  # type: ignore[arg-type]
    found = memory.measure(data.load("small-80"), ["octad"])
    assert found["rows"] == []
    assert "cannot be imported" in found["absent"]["octad"]


def test_memory_of_loads_is_measured_apart_and_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(libraries.ADAPTERS, "octad", Missing)
    monkeypatch.setattr(memory, "PROCESSES", 1)
    found = memory.measure_loads(data.load("users-200"), ["json"])
    row = found["rows"][0]
    assert row["ok"], row
    assert row["graph"] > len(data.load("users-200").text)
    assert row["objects"] > 1_000
    if resident.resident() is not None:
        # Objects of users take several times their text; pages are what the kernel counts in.
        assert row["grown"] > row["graph"] / 2
        assert 0 < row["result"] <= row["grown"]
        assert row["result_ratio"] == row["result"] / found["size"]
        assert row["peak"] is None or row["peak"] >= row["grown"] - 2**20


def test_memory_of_loads_tells_failures_and_absence(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(library: str, path: Path, *, thorough: bool) -> dict[str, Any]:
        if library == "ujson":
            raise AbsentError("cannot be imported")
        if library == "orjson":
            raise RuntimeError("status 1: MemoryError")
        return {"right": False, "graph": 1, "objects": 1, "grown": 4, "result": 3, "peak": None}

    monkeypatch.setattr(memory, "_apart", fail)
    found = memory.measure_loads(data.load("small-80"), ["json", "orjson", "ujson"])
    rows = {row["label"]: row for row in found["rows"]}
    assert found["absent"] == {"ujson": "cannot be imported"}
    assert rows["orjson"]["problem"] == "status 1: MemoryError"
    assert "differs" in rows["json"]["problem"]
    assert (rows["json"]["grown_ratio"], rows["json"]["peak_ratio"]) == (0.05, None)


def test_graph_counts_each_object_once() -> None:
    word = "x" * 1_000
    one, objects = resident.graph([word, {"k": word}])
    assert objects == 4
    assert one > sys.getsizeof(word)
    assert one < 2 * sys.getsizeof(word)


@pytest.mark.parametrize("kind", KINDS)
def test_records_stand_for_the_dicts_of_a_shape_that_is_frequent(kind: str) -> None:
    value = [{"a": 1, "b": [{"x y": 2}] * 30, "c": {"once": None}} for _ in range(20)]
    made = records(value, kind)
    assert not any(isinstance(one, dict) for one in made)
    assert made[0].a == 1
    assert made[0].b[0] == {"x y": 2}, "its key cannot be a field"
    assert made[0].c.once is None
    assert type(made[0]) is type(made[1])
    assert records(value[:19], kind) == value[:19]
    if kind == "namedtuple":
        assert plain(made)[0] == [1, [{"x y": 2}] * 30, [None]]
    else:
        assert plain(made) == value
        assert hasattr(made[0], "__dict__") == (kind == "dataclass")


def test_records_that_a_peer_cannot_write_are_absent() -> None:
    made = plan(OPERATIONS["dumps-dataclass"], data.load(GENERATED), ["json"])
    assert made.rows == []
    assert made.absent == {"json": "cannot write them (TypeError)"}


def test_octad_writes_dicts_beside_its_records(pretended_octad: None) -> None:
    found = run.perform(run.Task("dumps-namedtuple", GENERATED, ("octad",), TINY))
    assert [(row["label"], row["role"]) for row in found["rows"]] == [
        ("octad", "octad"),
        ("octad (dicts)", "floor"),
    ]
    assert all(row["ok"] for row in found["rows"])
    assert found["size"] < len(data.load(GENERATED).text)


def test_a_call_that_works_once_is_a_sample_of_its_own() -> None:
    made = plan(OPERATIONS["collect"], data.load(GENERATED), ["json"])
    cell = run.measure(made, run.Effort(rounds=2, seconds=0.05, sample_ms=50))
    assert [row.calls for row in cell.rows] == [1]
    assert cell.size is None


def test_a_repeated_text_is_a_list_of_the_document(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "citm_catalog.json").write_bytes(b'{"a": 1}')
    monkeypatch.setenv("OCTAD_TEST_DATA", str(tmp_path))
    assert json.loads(data.load("citm-10").text) == [{"a": 1}] * 10


def test_dicts_are_found_at_every_depth_outermost_first() -> None:
    value = [{"a": {"b": [{"c": 1}]}}, {"d": 2}]
    assert [list(one) for one in dicts_in(value)] == [["a"], ["b"], ["c"], ["d"]]


@pytest.mark.parametrize(
    ("operation", "dataset"),
    [
        ("loads", "users-200"),
        ("small-dumps", "small-80"),
        ("dumps-own", "users-200"),
        ("lazy", "twitter"),
    ],
)
def test_counted_calls_do_what_the_operation_does(operation: str, dataset: str) -> None:
    found = stand_in(dataset) if operation == "lazy" else data.load(dataset)
    call, argument = prepared(operation, dataset, found.text, open_library("json"))
    row = plan(OPERATIONS[operation], found, ["json"]).rows[0]
    assert call(argument) == row.call(row.argument)


def test_quick_run_from_the_command_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    peers = [name for name in PRESENT if name not in ("json", "octad")][:1]
    words = ["--quick", "--op", "small-dumps", "--file", "small-80,github", "--rounds", "2"]
    status = main([*words, "--lib", ",".join(["json", *peers]), "--out", str(tmp_path)])
    shown = capfd.readouterr().out
    assert status == 0
    assert "## small-dumps" in shown
    assert shown.strip() == (tmp_path / "report.md").read_text(encoding="utf-8").strip()
    found = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert [cell["dataset"] for cell in found["cells"]] == ["small-80"]
    cell = found["cells"][0]
    assert cell["rounds"] == 2
    assert all(row["ok"] and row["median"] > 0 for row in cell["rows"])


def test_wrong_result_sets_the_exit_status(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = {"label": "json", "role": "peer", "ok": False, "problem": "differs"}
    cell = {
        "operation": "loads",
        "dataset": "github",
        "size": 3,
        "best_peer": None,
        "rows": [bad],
        "absent": {},
    }
    monkeypatch.setattr(run, "perform_apart", lambda task: cell)
    status = main(["run", "--op", "loads", "--file", "github", "--out", str(tmp_path)])
    captured = capsys.readouterr()
    assert status == 1
    assert "† differs" in captured.out
    assert "wrong: loads github, json: differs" in captured.err


def test_unknown_names_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--op", "nosuch"])
    assert caught.value.code == 2
    assert "no operation is called `nosuch`" in capsys.readouterr().err
    assert main(["--op", "lazy", "--file", "small-80"]) == 2


def test_groups_stand_for_their_operations() -> None:
    wanted = run.tasks(["small-loads", "memory"], ["small-80", "canada"], ["json"], TINY)
    assert [(one.operation, one.dataset) for one in wanted] == [
        ("small-loads", "small-80"),
        ("memory", "canada"),
    ]


def test_data_command_lists_every_set(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(data, "NAMES", ("small-80", "canada"))
    monkeypatch.setenv("OCTAD_TEST_DATA", str(tmp_path))
    assert main(["data"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:3] == ["small-80", "80", "bytes"]
    assert lines[1].split()[:2] == ["canada", "absent:"]

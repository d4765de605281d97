"""The classes of the benchmark, and the operations on them, tiny: what is inferred, made, compared.

The operations run for octad, and for msgspec where it is installed. Asserts nothing about speed.
"""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import pytest

from bench import data, generated, libraries, run, schemas, typed
from bench.equality import same
from bench.libraries import Json, Reader, Writer
from bench.operations import OPERATIONS
from bench.plans import plan
from bench.schemas import Model, infer, source

pytestmark = pytest.mark.house

TINY = run.Effort(rounds=2, seconds=0.05, sample_ms=0.02)
SAMPLE: dict[str, Any] = {
    "people": [
        {"id": 1, "name": "a", "home": {"x": 1.5, "y": 2}, "seen": "2024-01-02T03:04:05+02:00"},
        {"id": 2, "name": None, "home": {"x": 2, "y": 3}, "seen": None, "extra": [True]},
    ],
    "work": {"x": 1.0, "y": 4},
    "names": {"17": "q", "18": "r"},
    "empty": {},
    "none": [],
}


def test_annotations_follow_from_the_values() -> None:
    text = source(infer(SAMPLE), "dataclass")
    for line in (
        "    people: list[People]",
        "    names: dict[str, str]",
        "    empty: dict[str, Any]",
        "    none: list[Any]",
        "    name: str | None",
        "    seen: datetime | None",
        "    x: float",
        "    y: int",
        "    extra: list[bool] | None = None",
    ):
        assert line in text.splitlines()


def test_records_with_the_same_keys_are_one_class_and_may_hold_themselves() -> None:
    schema = infer(SAMPLE)
    assert set(schema.records) == {"Document", "People", "Home"}
    assert schema.records["Document"].fields["work"].record == "Home"
    leaf = {"a": 1, "b": 2, "c": 3, "d": 4, "next": None}
    chain = infer({"first": {**leaf, "next": {**leaf, "next": leaf}}})
    assert set(chain.records) == {"Document", "First"}
    assert chain.records["First"].fields["next"].annotation() == "First | None"


def test_a_text_that_is_not_always_a_moment_is_a_str() -> None:
    (record,) = infer([{"at": "2024-01-02T03:04:05Z"}, {"at": "soon"}]).records.values()
    assert record.fields["at"].annotation() == "str"


@pytest.mark.parametrize("kind", ["dataclass", "slots"])
def test_instances_made_by_hand_have_every_value(kind: schemas.Kind) -> None:
    model = Model(infer(SAMPLE), kind)
    made = model.make(SAMPLE)
    assert made.people[0].seen == datetime.fromisoformat("2024-01-02T03:04:05+02:00")
    assert type(made.people[1].home.x) is float
    assert made.people[0].extra is None
    assert type(made.work) is type(made.people[0].home)
    assert hasattr(made.work, "__dict__") == (kind == "dataclass")
    plain = model.plain(made)
    assert plain["people"][1]["extra"] == [True]
    assert plain["work"] == {"": "Home", "x": 1.0, "y": 4}
    assert not same(plain, Model(infer(SAMPLE), kind).plain(made)), "classes of another model"


def test_moments_in_two_zones_differ() -> None:
    one = datetime.fromisoformat("2024-01-02T03:04:05+02:00")
    assert same(one, datetime.fromisoformat("2024-01-02T03:04:05+02:00"))
    assert not same(one, datetime.fromisoformat("2024-01-02T01:04:05+00:00"))


class Wrong(Json):
    """Reads and writes something else."""

    name = "wrong"

    def loads_into(self, cls: Any) -> Reader:
        return lambda text: json.loads(text)

    def dumps(self) -> Writer:
        return lambda value: b"[]"


@pytest.mark.parametrize("operation", [one.name for one in typed.OPERATIONS])
@pytest.mark.parametrize("library", ["octad", "msgspec"])
def test_typed_operations_are_checked_and_timed(operation: str, library: str) -> None:
    dataset = data.load("parts-200" if operation == "typed-plan" else "users-200")
    cell = run.measure(plan(OPERATIONS[operation], dataset, [library]), TINY)
    assert [row.problem for row in cell.rows if not row.ok] == []
    labels = {row.label: row.role for row in cell.rows}
    if operation == "typed-plan":
        assert list(labels) == [library, f"{library} (text)"]
    else:
        assert list(labels) == [library, "msgspec (struct)"][: 1 + (library == "msgspec")]
    assert labels[library] == ("octad" if library == "octad" else "peer")
    assert all(row.median and row.median > 0 for row in cell.rows)


@pytest.mark.parametrize("operation", [one.name for one in typed.OPERATIONS])
def test_typed_results_that_differ_are_not_timed(
    operation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(libraries, "ADAPTERS", {"wrong": Wrong})
    name = "parts-200" if operation == "typed-plan" else "users-200"
    found = run.perform(run.Task(operation, name, ("wrong",), TINY))
    assert found["rows"]
    assert not any(row["ok"] for row in found["rows"])
    assert all(row["median"] is None for row in found["rows"])


def test_a_library_without_classes_is_absent() -> None:
    for name in ("typed-loads-slots", "typed-plan"):
        dataset = data.load("parts-200" if name == "typed-plan" else "users-200")
        made = plan(OPERATIONS[name], dataset, ["json"])
        assert made.absent == {"json": "reads into no classes"}
        assert made.rows == []
    made = plan(OPERATIONS["typed-dumps-slots"], data.load("users-200"), ["json"])
    assert made.absent == {"json": "cannot write them (TypeError)"}
    assert made.size is None


def test_every_part_has_a_class_of_its_own() -> None:
    module = schemas.run(schemas.parts_source(generated.PARTS, as_text=False))
    tree = generated.part()
    left, numbers = [tree], []
    while left:
        one = left.pop()
        numbers.append(one["number"])
        left += [one[side] for side in ("left", "right") if one[side] is not None]
    assert sorted(numbers) == list(range(generated.PARTS))
    for number in numbers:
        fields = getattr(module, f"Part{number}").__annotations__
        assert list(fields) == list(tree)
    text = schemas.run(schemas.parts_source(3, as_text=True))
    assert text.Part0.__annotations__["left"] == "Part1 | None"

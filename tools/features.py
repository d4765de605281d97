"""The rows of the feature table that tests show, and the rows still without one.

A test says which rows it shows with `@pytest.mark.feature(81)`. Nothing is run here: the marks are
read from a collection of all tests. The table is `design/features.md` of the test data where it is
present, else the short list in `feature-rows.txt`; the rows of that list are told apart as
promised, the others come later.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SHOWN_TESTS = 3


class Marks:
    """A pytest plugin that notes which test shows which row."""

    def __init__(self) -> None:
        self.tests: defaultdict[int, list[str]] = defaultdict(list)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Notes each test once per row, whatever its parameters."""
        for item in items:
            name = item.nodeid.split("[")[0]
            for mark in item.iter_markers("feature"):
                for number in mark.args:
                    if name not in self.tests[number]:
                        self.tests[number].append(name)


def promised_rows() -> dict[int, str]:
    """The short list of this repository."""
    lines = (ROOT / "tools/feature-rows.txt").read_text(encoding="utf-8").splitlines()
    pairs = (line.split(" ", 1) for line in lines if line and not line.startswith("#"))
    return {int(number): title for number, title in pairs}


def table_rows() -> dict[int, str]:
    """The whole table of the test data; empty where it is absent."""
    named = os.environ.get("OCTAD_TEST_DATA")
    path = (Path(named) if named else ROOT.parent / "shared") / "design/features.md"
    if not path.is_file():
        return {}
    found = re.findall(r"^\| (\d+) \| (.+?) \|", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {int(number): title for number, title in found}


def ranges(numbers: list[int]) -> str:
    """`[1, 2, 3, 7]` as `1-3, 7`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def report(
    promised: Mapping[int, str], table: Mapping[int, str], tests: Mapping[int, list[str]]
) -> Iterator[str]:
    """The lines to print."""
    yield "Rows shown by tests"
    for number in sorted(tests):
        yield f"  {number:3d}  {promised.get(number) or table.get(number, 'not in the table')}"
        for name in tests[number][:SHOWN_TESTS]:
            yield f"         {name}"
        if len(tests[number]) > SHOWN_TESTS:
            yield f"         and {len(tests[number]) - SHOWN_TESTS} more"
    missing = [number for number in promised if number not in tests]
    if missing:
        yield "Promised rows still without a test"
        yield from (f"  {number:3d}  {promised[number]}" for number in missing)
    later = sorted({*table} - {*promised} - {*tests})
    if later:
        yield f"Rows of the table for later: {ranges(later)}"
    yield f"features: {len(promised) - len(missing)} of {len(promised)} promised rows have a test"


def main() -> int:
    """Collects the tests, prints the report; fails when the tests cannot be collected."""
    marks, output = Marks(), io.StringIO()
    with contextlib.redirect_stdout(output):
        code = pytest.main(["--collect-only", "-q", str(ROOT / "tests")], plugins=[marks])
    if code != pytest.ExitCode.OK:
        print(output.getvalue(), file=sys.stderr)
        return int(code)
    print("\n".join(report(promised_rows(), table_rows(), marks.tests)))
    return 0


if __name__ == "__main__":
    sys.exit(main())

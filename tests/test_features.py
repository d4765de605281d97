"""`make features` counts marks as they stand, and every mark names a row that exists."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.testdata import REPOSITORY, data_path
from tools import features

pytestmark = pytest.mark.house


def test_report_tells_shown_missing_and_later_rows() -> None:
    promised = {1: "tape", 2: "variants"}
    table = {1: "token", 2: "styles", 90: "big", 91: "lines", 92: "codes", 98: "nan"}
    tests = {1: ["a", "b", "c", "d"], 90: ["e"]}
    lines = list(features.report(promised, table, tests))
    assert lines == [
        "Rows shown by tests",
        "    1  tape",
        "         a",
        "         b",
        "         c",
        "         and 1 more",
        "   90  big",
        "         e",
        "Promised rows still without a test",
        "    2  variants",
        "Rows of the table for later: 91-92, 98",
        "features: 1 of 2 promised rows have a test",
    ]


def test_every_mark_names_a_row_of_the_table() -> None:
    data_path("design", "features.md")
    rows = features.table_rows()
    assert set(features.promised_rows()) <= set(rows)
    command = [sys.executable, "tools/features.py"]
    answer = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert "not in the table" not in answer.stdout

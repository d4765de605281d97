"""mypy and pyright agree with `drop_in.py`: the types come out, and mistakes are found."""

from __future__ import annotations

import json as stdlib_json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.testdata import REPOSITORY

pytestmark = pytest.mark.house

FILE = Path(__file__).with_name("drop_in.py")
LINES = FILE.read_text(encoding="utf-8").splitlines()
# The lines that have to be found: what mypy says of them, and what pyright says.
MISTAKES = {
    number: tuple(part.strip() for part in line.split("# E:")[1].split("/"))
    for number, line in enumerate(LINES, 1)
    if "# E:" in line and "`# E:" not in line
}


def compare(found: dict[int, str], words: int) -> None:
    unexpected = {number: text for number, text in found.items() if number not in MISTAKES}
    assert not unexpected, "\n".join(
        f"{LINES[one - 1]}\n  {text}" for one, text in unexpected.items()
    )
    missed = [LINES[number - 1] for number in MISTAKES if number not in found]
    assert not missed, "\n".join(missed)
    for number, text in found.items():
        assert MISTAKES[number][words] in text, text


def test_mypy_agrees(tmp_path: Path) -> None:
    pytest.importorskip("mypy", reason="mypy is not installed")
    command = [sys.executable, "-m", "mypy", "--strict", "--output=json", "--no-error-summary"]
    command += [f"--cache-dir={tmp_path}", "--config-file=", str(FILE)]
    environment = {**os.environ, "MYPYPATH": str(REPOSITORY / "python")}
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment)
    found: dict[int, str] = {}
    for line in done.stdout.splitlines():
        one = stdlib_json.loads(line)
        assert one["file"].endswith(FILE.name), line
        if one["severity"] == "error":
            text = f"{one['message']} [{one['code']}]"
            found[one["line"]] = f"{found.get(one['line'], '')}{text}\n"
    assert done.stderr == ""
    compare(found, 0)


def pyright() -> str | None:
    """The program, where it is complete: `pyright` of PyPI fetches the real one when it runs."""
    beside = Path(sys.executable).with_name("basedpyright")
    return str(beside) if beside.exists() else shutil.which("basedpyright")


def test_pyright_agrees(tmp_path: Path) -> None:
    program = pyright()
    if program is None:
        pytest.skip("basedpyright, which is pyright with all it needs, is not installed")
    settings = {
        "include": [str(FILE)],
        "extraPaths": [str(REPOSITORY / "python")],
        "typeCheckingMode": "standard",
        "pythonVersion": "3.11",
    }
    (tmp_path / "pyrightconfig.json").write_text(stdlib_json.dumps(settings))
    command = [program, "--outputjson", "--project", str(tmp_path), "--pythonpath", sys.executable]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    answer = stdlib_json.loads(done.stdout)
    found = {
        one["range"]["start"]["line"] + 1: one["message"]
        for one in answer["generalDiagnostics"]
        if one["severity"] == "error"
    }
    assert answer["summary"]["filesAnalyzed"] == 1
    compare(found, 1)

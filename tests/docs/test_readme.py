"""Every Python block of README.md and docs/*.md runs and gives what it says.

Blocks with `>>>` are compared as doctests, others are run as they are. The blocks of one page share
their names and run in a folder of their own, in the order of the page.
"""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from tests.testdata import REPOSITORY

BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGES = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").glob("**/*.md"))]


def blocks(page: str) -> list[tuple[int, str]]:
    """The Python blocks of a page, each with the line it starts at."""
    return [(page.count("\n", 0, m.start(1)), m.group(1)) for m in BLOCK.finditer(page)]


def run_page(name: str, page: str) -> list[str]:
    """Runs a page's blocks; the reports of those that did not give what they say."""
    names: dict[str, object] = {"__name__": "__main__"}
    reports: list[str] = []
    for line, code in blocks(page):
        if ">>>" not in code:
            exec(compile("\n" * line + code, name, "exec"), names)
            continue
        test = doctest.DocTestParser().get_doctest(code, {}, name, name, line)
        test.globs = names
        doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS).run(
            test, out=reports.append, clear_globs=False
        )
    return reports


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_give_what_they_say(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    reports = run_page(page.name, page.read_text(encoding="utf-8"))
    assert not reports, "\n".join(reports)


def test_readme_has_examples() -> None:
    assert blocks((REPOSITORY / "README.md").read_text(encoding="utf-8"))


def test_a_wrong_example_is_reported() -> None:
    page = "```python\nx = 1\n```\ntext\n```python\n>>> x\n1\n>>> x + 1\n3\n\n```\n"
    (report,) = run_page("page.md", page)
    assert "line 8" in report
    assert "Expected:\n    3\nGot:\n    2" in report


def test_a_broken_plain_example_is_an_error() -> None:
    with pytest.raises(ZeroDivisionError):
        run_page("page.md", "```python\n1 / 0\n```\n")

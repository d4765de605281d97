"""Every example in a docstring of the package gives what it says, compiled functions included."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import octad
import pytest

MODULES = [
    "octad",
    *(module.name for module in pkgutil.walk_packages(octad.__path__, prefix="octad.")),
]


def documented(name: str) -> Iterator[tuple[str, str]]:
    """Names and docstrings of a module (its name up to the colon) and of what is in it."""
    module = importlib.import_module(name)
    yield f"{name}:", module.__doc__ or ""
    for thing, value in vars(module).items():
        if not (inspect.isclass(value) or inspect.isroutine(value)):
            continue
        if getattr(value, "__module__", name) not in (name, None):
            continue
        yield f"{name}:{thing}", value.__doc__ or ""
        for part, member in vars(value).items() if inspect.isclass(value) else ():
            if not part.startswith("__"):
                yield f"{name}:{thing}.{part}", getattr(member, "__doc__", None) or ""


EXAMPLES = {name: text for module in MODULES for name, text in documented(module) if ">>>" in text}


def test_there_are_examples() -> None:
    assert EXAMPLES


@pytest.mark.parametrize("name", EXAMPLES)
def test_example_gives_what_it_says(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    globs = {**vars(importlib.import_module(name.split(":")[0])), "octad": octad}
    parser = doctest.DocTestParser()
    test = parser.get_doctest(inspect.cleandoc(EXAMPLES[name]), globs, name, None, None)
    reports: list[str] = []
    doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS).run(test, out=reports.append)
    assert not reports, "\n".join(reports)

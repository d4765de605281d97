"""Where the test data lies: conformance suites, bug reports as cases, data sets, samples.

The data has licences of its own and is not copied into the repository. It is looked for in the
folder that `OCTAD_TEST_DATA` names, else in `shared` beside the repository. Where it is absent the
tests that need it are skipped with a message; under `CI=true` they fail, so that nobody mistakes a
run without data for a full one.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]


def data_root() -> Path:
    """The folder of the test data, whether it exists or not."""
    named = os.environ.get("OCTAD_TEST_DATA")
    return Path(named) if named else REPOSITORY.parent / "shared"


def data_path(*parts: str) -> Path:
    """The path of a file or folder of the test data; skips (or, in CI, fails) without it.

    May be called in a test and at the top of a test module.
    """
    path = data_root().joinpath(*parts)
    if path.exists():
        return path
    message = f"no test data at {path}: set OCTAD_TEST_DATA to the folder that holds it"
    if os.environ.get("CI") == "true":
        pytest.fail(message, pytrace=False)
    pytest.skip(message, allow_module_level=True)

"""Fixtures and checks shared by all tests.

Knows pytest and the place of the test data; nothing of octad, so that a broken build is reported
by the tests and not by this file. `data_path` is a fixture here and a function in
`tests/testdata.py`, for use at the top of a module.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from tests.testdata import data_path

__all__ = ["data_path"]

# A busy machine is no failure. The parent is what hypothesis chose: repeatable runs under CI.
settings.register_profile("octad", settings.default, deadline=None)
settings.load_profile("octad")


@pytest.fixture(name="data_path")
def data_path_fixture() -> Callable[..., Path]:
    """`data_path("conformance", "jsontestsuite")`: a path of the test data, or a skip."""
    return data_path


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A `feature` mark names rows of the table by number; anything else is a mistake."""
    for item in items:
        for mark in item.iter_markers("feature"):
            if not mark.args or not all(type(number) is int for number in mark.args):
                raise pytest.UsageError(f"{item.nodeid}: feature() takes row numbers")

"""The formats that typed tests run over: each test that asks for `fmt` is run once per format."""

from __future__ import annotations

import pytest

from tests.typed.formats import FORMATS, Format


@pytest.fixture(params=FORMATS, ids=lambda one: one.name)
def fmt(request: pytest.FixtureRequest) -> Format:
    """A format, with its verbs; texts of tests are JSON and are converted."""
    found: Format = request.param
    return found

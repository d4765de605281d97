"""Typed reading, writing and converters in threads with small stacks.

They recurse, so the stack of the thread bounds them before the limits of depth do: with octad's
error, never with the end of the process. So each runs in a process of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.typed.small_stacks import CASES, DEPTHS, STACKS

SCRIPT = Path(__file__).with_name("small_stacks.py")
NO_ROOM = "(the stack of this thread has no room for more)"


@pytest.fixture(scope="module", params=CASES)
def outcomes(request: pytest.FixtureRequest) -> tuple[str, dict[tuple[int, int], str]]:
    if request.param == "hooks" and sys.version_info >= (3, 13):
        # The dicts that a hook is given are freed in the small stack.
        pytest.skip("from 3.13 on Python frees nested dicts by as many nested calls")
    command = [sys.executable, str(SCRIPT), request.param]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    answer = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert answer.returncode == 0, (answer.returncode, answer.stdout, answer.stderr[-2000:])
    found = {}
    for line in answer.stdout.splitlines():
        size, levels, told = line.split("\t")
        found[int(size), int(levels)] = told
    assert len(found) == len(STACKS) * len(DEPTHS)
    return request.param, found


ENDLESS = {"converters that hold nothing"}
RECURSES = {name for name in CASES if not name.startswith("written records")}
WRONG = "ValidationError no-union-member"


def test_what_is_too_deep_for_a_small_stack_is_octads_error(
    outcomes: tuple[str, dict[tuple[int, int], str]],
) -> None:
    name, found = outcomes
    error = "EncodeError" if name.startswith("written") else "LimitError"
    done = WRONG if name == "no member of unions" else "done"
    for (size, levels), told in found.items():
        counted = "at most 100 converters" in told and size >= 512
        fits = told.startswith(done) and name not in ENDLESS
        assert fits or counted or (told.startswith(f"{error} depth-limit") and NO_ROOM in told), (
            size,
            levels,
            told,
        )
    if name not in ENDLESS:
        assert all(found[size, 3].startswith(done) for size in STACKS)
    if name in RECURSES:
        assert NO_ROOM in found[256, 1_990]
    else:
        assert set(found.values()) == {"done"}


def test_a_larger_stack_reads_deeper(outcomes: tuple[str, dict[tuple[int, int], str]]) -> None:
    name, found = outcomes
    fits = {size: sum(NO_ROOM not in found[size, levels] for levels in DEPTHS) for size in STACKS}
    assert list(fits.values()) == sorted(fits.values()), fits
    if name in RECURSES - ENDLESS:
        assert fits[64] < fits[512], fits

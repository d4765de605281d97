"""What a build says of itself, and that `OCTAD_SIMD` lowers the level of the byte kernels."""

from __future__ import annotations

import os
import subprocess
import sys

import octad
import pytest


def test_build_info_is_plain_data() -> None:
    info = octad.build_info()
    assert info["version"] == octad.__version__
    assert info["python"] == ".".join(map(str, sys.version_info[:3]))
    assert info["simd"] in ("plain", "sse2", "avx2")


@pytest.mark.parametrize("level", ["plain", "sse2", "avx2"])
def test_instruction_level_is_lowered_by_a_variable(level: str) -> None:
    best = {**os.environ, "OCTAD_SIMD": "avx2"}
    code = "import octad; print(octad.build_info()['simd'])"

    def asked(environment: dict[str, str]) -> str:
        command = [sys.executable, "-c", code]
        return subprocess.run(
            command, env=environment, check=True, capture_output=True, text=True
        ).stdout.strip()

    levels = ["plain", "sse2", "avx2"]
    highest = levels.index(asked(best))
    assert asked({**best, "OCTAD_SIMD": level}) == levels[min(levels.index(level), highest)]

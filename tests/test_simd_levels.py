"""What is read and refused is the same on every level of the byte kernels."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.testdata import data_path

# Whatever a document makes of a file, as one digest: values and their types, or the whole error.
READ = """
import hashlib, pathlib, sys
import octad

digest = hashlib.sha256()
count = 0
for name in sys.stdin.read().splitlines():
    data = pathlib.Path(name).read_bytes()
    for read in (octad.json.loads, lambda data: octad.json.parse(data).to_python()):
        try:
            outcome = repr(read(data))
        except octad.Error as error:
            outcome = str(error)
        digest.update(outcome.encode("utf-8", "surrogatepass"))
    count += 1
print(octad.build_info()["simd"], count, digest.hexdigest())
"""


def files() -> list[Path]:
    """The JSON texts of the conformance suites."""
    return sorted(path for path in data_path("conformance").rglob("*.json") if path.is_file())


def outcome(level: str, texts: str) -> list[str]:
    run = subprocess.run(
        [sys.executable, "-c", READ],
        env=dict(os.environ, OCTAD_SIMD=level),
        input=texts,
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout.split()


@pytest.mark.parametrize("level", ["plain", "sse2"])
def test_every_file_reads_alike_at_a_lower_level(level):
    found = files()
    texts = "\n".join(map(str, found))
    best = outcome("avx2", texts)
    lower = outcome(level, texts)
    assert best[1] == lower[1] == str(len(found))
    assert len(found) > 300
    assert best[2] == lower[2]
    assert lower[0] in ("plain", level)

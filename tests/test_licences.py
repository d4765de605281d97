"""Every crate that octad is built from has a licence that a user of either licence can accept."""

from __future__ import annotations

import json
import re
import shutil
import subprocess

import pytest

from tests.testdata import REPOSITORY

pytestmark = pytest.mark.house

ALLOWED = {
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
    "0BSD",
}
# What the core brings into every wheel. Read the lock file before a name is added.
CORE_RUNS_ON = {"foldhash", "hashbrown", "itoa", "memchr", "octad-core", "simdutf8", "zmij"}


def acceptable(expression: str) -> bool:
    """Whether an SPDX expression can be met with the allowed licences alone."""
    expression = expression.replace("/", " OR ")
    tokens = re.findall(r"[()]|[^()\s]+(?: WITH [^()\s]+)?", expression)
    words = []
    for token in tokens:
        if token in ("(", ")"):
            words.append(token)
        elif token in ("AND", "OR"):
            words.append(token.lower())
        else:
            words.append(str(token in ALLOWED))
    return bool(eval(" ".join(words), {"__builtins__": {}}))


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("MIT", True),
        ("GPL-3.0", False),
        ("MIT OR GPL-3.0", True),
        ("MIT AND GPL-3.0", False),
        ("MIT/Apache-2.0", True),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", True),
        ("(MIT OR Apache-2.0) AND CDLA-1.0", False),
        ("Apache-2.0 WITH LLVM-exception", True),
        ("GPL-2.0 WITH Classpath-exception-2.0", False),
    ],
)
def test_expressions_are_understood(expression: str, expected: bool) -> None:
    assert acceptable(expression) is expected


def cargo(*arguments: str) -> str:
    """The output of a cargo command on the main workspace."""
    assert shutil.which("cargo"), "the build needed cargo, so must this test"
    command = ["cargo", *arguments]
    return subprocess.run(
        command, cwd=REPOSITORY, check=True, stdout=subprocess.PIPE, text=True
    ).stdout


def test_every_crate_has_an_allowed_licence() -> None:
    host = re.search(r"^host: (\S+)$", cargo("-vV"), re.MULTILINE)
    assert host
    only = f"--filter-platform={host[1]}"
    packages = json.loads(cargo("metadata", "--format-version=1", "--locked", only))["packages"]
    assert len(packages) > 5
    refused = {
        f"{package['name']} {package['version']}": package["license"]
        for package in packages
        if not acceptable(package["license"] or "none")
    }
    assert refused == {}


def test_core_runs_on_few_crates() -> None:
    lines = cargo(
        "tree", "--package=octad-core", "--edges=normal", "--prefix=none", "--locked", "--quiet"
    ).splitlines()
    assert {line.split()[0] for line in lines if line} == CORE_RUNS_ON

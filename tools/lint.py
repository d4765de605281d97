"""All lints of both languages, each run to its end, with one closing line.

Nothing is repaired here: `cargo fmt` and `.venv/bin/ruff check --fix` / `ruff format` do that.
"""

from __future__ import annotations

import os
import subprocess
import sys

from pythons import ROOT, main_python

PYTHON = main_python()
BIN = PYTHON.bin
FUZZ = ["--manifest-path", "fuzz/Cargo.toml"]
STRICT = ["--", "--deny", "warnings"]
STUBS = [
    "--mypy-config-file=pyproject.toml",
    "--allowlist=tools/stubtest-allowed.txt",
    "--ignore-disjoint-bases",
]
STEPS = [
    ["cargo", "fmt", "--all", "--check"],
    ["cargo", "fmt", *FUZZ, "--check"],
    ["cargo", "clippy", "--quiet", "--workspace", "--all-targets", *STRICT],
    ["cargo", "clippy", "--quiet", *FUZZ, "--all-targets", *STRICT],
    [str(BIN / "ruff"), "check", "--quiet"],
    [str(BIN / "ruff"), "format", "--quiet", "--check"],
    [str(BIN / "mypy")],
    # The stub is written by hand: hold it against the module.
    [str(BIN / "stubtest"), "octad._core", *STUBS],
]


def main() -> None:
    """Runs every step; the exit code tells whether all passed."""
    environment = {**os.environ, "PYO3_PYTHON": str(BIN / "python")}
    failed = 0
    for step in STEPS:
        print("+", " ".join(step).replace(str(ROOT) + os.sep, ""), flush=True)
        failed += subprocess.run(step, cwd=ROOT, env=environment).returncode != 0
    print(f"lint: {len(STEPS) - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()

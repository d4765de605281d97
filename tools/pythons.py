"""The Pythons of this machine: find them, build octad into an environment for each, run the tests.

`build` makes `.venv` for the main Python (the one that runs this script); `suite` does the same in
`.venv-3.12` and so on for every other CPython from 3.11 found, and runs the behaviour tests there;
`bench` runs one command of the benchmark on all of them.
Each environment has its own cargo target folder, since PyO3 is built for one Python at a time.
A build is skipped when no source of the extension changed since the last one; the package's Python
files are used in place and need no build.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PEERS = ROOT / "bench/requirements.txt"
OLDEST, NEWEST = (3, 11), (3, 15)
BEHAVIOUR = "not slow and not bench and not house"

PROBE = """
import importlib.util, json, sys, sysconfig
print(json.dumps({
    "implementation": sys.implementation.name,
    "version": list(sys.version_info[:3]),
    "final": sys.version_info.releaselevel == "final",
    "free_threaded": bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
    "venv": all(importlib.util.find_spec(name) for name in ("venv", "ensurepip")),
    "executable": getattr(sys, "_base_executable", "") or sys.executable,
}))
"""


@dataclass(frozen=True)
class Python:
    """One interpreter, and the folders that belong to it."""

    executable: str
    version: tuple[int, int, int]
    main: bool = False

    @property
    def name(self) -> str:
        """Its minor version: `3.12`."""
        return f"{self.version[0]}.{self.version[1]}"

    @property
    def venv(self) -> Path:
        """Its virtual environment."""
        return ROOT / (".venv" if self.main else f".venv-{self.name}")

    @property
    def bin(self) -> Path:
        """The programs of its environment."""
        return self.venv / "bin"

    @property
    def environment(self) -> dict[str, str]:
        """The variables under which maturin builds for it."""
        target = ROOT / "target" if self.main else ROOT / "target" / f"python-{self.name}"
        changed = {
            "VIRTUAL_ENV": str(self.venv),
            "CARGO_TARGET_DIR": str(target),
            "CARGO_BUILD_JOBS": os.environ.get("CARGO_BUILD_JOBS", "2"),
        }
        return {**os.environ, **changed}


@dataclass(frozen=True)
class Facts:
    """What an interpreter says of itself."""

    implementation: str
    version: list[int]
    final: bool
    free_threaded: bool
    venv: bool
    executable: str


def probe(executable: str) -> Facts | None:
    """What an interpreter says of itself; None when it does not run (a pyenv shim, say)."""
    try:
        answer = subprocess.run(
            [executable, "-I", "-c", PROBE], capture_output=True, text=True, timeout=30
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return Facts(**json.loads(answer.stdout)) if answer.returncode == 0 else None


def refusal(facts: Facts) -> str | None:
    """Why an interpreter is left out, or None when it is taken."""
    if facts.implementation != "cpython":
        return "not CPython"
    if not OLDEST <= tuple(facts.version[:2]) <= NEWEST:
        return "not one of the supported versions"
    if not facts.final:
        return "a pre-release"
    if facts.free_threaded:
        return "free-threaded, which octad does not claim"
    if not facts.venv:
        return "without venv and ensurepip"
    return None


def candidates() -> Iterator[str]:
    """Every path that may be an interpreter: pyenv's first, then those on PATH."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    yield from (str(path) for path in sorted(pyenv.glob("versions/3.*/bin/python3")))
    for minor in range(OLDEST[1], NEWEST[1] + 1):
        for folder in os.get_exec_path():
            path = Path(folder, f"python3.{minor}")
            if path.is_file():
                yield str(path)


def as_python(facts: Facts, main: bool = False) -> Python:
    """The interpreter that gave these facts."""
    major, minor, patch = facts.version
    return Python(facts.executable, (major, minor, patch), main)


def main_python() -> Python:
    """The Python that runs this script, or a fitting one where this one is too old."""
    facts = probe(sys.executable)
    if facts is not None and refusal(facts) is None:
        return as_python(facts, main=True)
    for path in candidates():
        facts = probe(path)
        if facts is not None and refusal(facts) is None:
            return as_python(facts, main=True)
    sys.exit("octad needs CPython 3.11 or newer with venv and ensurepip (python3-venv on Debian)")


def other_pythons(main: Python) -> list[Python]:
    """One Python for every supported minor version but the main one, the newest patch of each."""
    found: dict[str, Python] = {}
    for path in candidates():
        facts = probe(path)
        if facts is None or refusal(facts) is not None:
            continue
        python = as_python(facts)
        known = found.get(python.name)
        if python.name != main.name and (known is None or known.version < python.version):
            found[python.name] = python
    return sorted(found.values(), key=lambda python: python.version)


def run(command: list[str], environment: Mapping[str, str] | None = None) -> None:
    """Runs one step, with its output on ours; a failing step ends the script with its code."""
    print("+", " ".join(command).replace(str(ROOT) + os.sep, ""), flush=True)
    code = subprocess.run(command, cwd=ROOT, env=environment).returncode
    if code != 0:
        sys.exit(code)


def requirements(python: Python) -> list[Path]:
    """The requirement files of an environment; the linters are for the main one."""
    names = ["requirements-test.txt"] + (["requirements-dev.txt"] if python.main else [])
    return [ROOT / name for name in names]


def make_venv(python: Python) -> None:
    """Makes the environment and installs the pinned tools, unless that was done already."""
    wanted = "\n".join([python.executable, str(python.version)])
    wanted += "".join(path.read_text() for path in requirements(python))
    stamp = python.venv / "octad-environment.txt"
    if stamp.is_file() and stamp.read_text() == wanted:
        return
    run([python.executable, "-m", "venv", "--clear", str(python.venv)])
    pip = [str(python.bin / "python"), "-m", "pip", "install", "--quiet"]
    run([*pip, *(f"--requirement={path}" for path in requirements(python))])
    stamp.write_text(wanted)


def fingerprint() -> str:
    """A digest of everything that the extension is built from."""
    files = [ROOT / name for name in ("Cargo.toml", "Cargo.lock", "pyproject.toml")]
    files += sorted(path for path in (ROOT / "crates").rglob("*") if path.is_file())
    digest = hashlib.sha256()
    for path in files:
        digest.update(str(path.relative_to(ROOT)).encode() + b"\0")
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def build(python: Python) -> None:
    """Builds the extension in release mode into the environment, when its sources changed."""
    for program in ("cargo", "cc"):
        if shutil.which(program) is None:
            sys.exit(f"octad is built with a Rust toolchain and a C compiler: no `{program}` found")
    make_venv(python)
    stamp = python.venv / "octad-built.txt"
    wanted = fingerprint()
    tag = f"{python.version[0]}{python.version[1]}"
    built = list((ROOT / "python/octad").glob(f"_core.cpython-{tag}-*.so"))
    if built and stamp.is_file() and stamp.read_text() == wanted:
        return
    run([str(python.bin / "maturin"), "develop", "--release", "--quiet"], python.environment)
    stamp.write_text(wanted)


def suite(arguments: list[str]) -> None:
    """Runs the behaviour tests on every other Python; all of them, even after a failure."""
    failed = []
    others = other_pythons(main_python())
    for python in others:
        print(f"\n=== Python {'.'.join(map(str, python.version))} ===", flush=True)
        build(python)
        command = [str(python.bin / "python"), "-m", "pytest", "-m", BEHAVIOUR, *arguments]
        if subprocess.run(command, cwd=ROOT).returncode != 0:
            failed.append(python.name)
    if not others:
        print("no other supported Python found on this machine")
    if failed:
        sys.exit(f"the behaviour tests failed on Python {', '.join(failed)}")


def bench(arguments: list[str]) -> None:
    """Runs a command of the benchmark on every Python in turn; all of them, even after a failure.

    Each has its own folder for the results. Counting instructions needs no peers installed.
    """
    failed = []
    main = main_python()
    for python in (main, *other_pythons(main)):
        print(f"\n=== Python {'.'.join(map(str, python.version))} ===", flush=True)
        build(python)
        program = str(python.bin / "python")
        command = [program, "-m", "bench", *arguments]
        if arguments[:1] != ["counts"]:
            run([program, "-m", "pip", "install", "--quiet", f"--requirement={PEERS}"])
            command.append(f"--out={ROOT / 'bench' / 'results' / f'python-{python.name}'}")
        if subprocess.run(command, cwd=ROOT).returncode != 0:
            failed.append(python.name)
    if failed:
        sys.exit(f"the benchmark failed on Python {', '.join(failed)}")


def list_pythons() -> None:
    """Prints the interpreters found, and why some are left out."""
    main = main_python()
    print(f"{main.name}  {main.executable}  (main)")
    for python in other_pythons(main):
        print(f"{python.name}  {python.executable}")
    for path in candidates():
        facts = probe(path)
        reason = "does not run" if facts is None else refusal(facts)
        if reason is not None and re.search(r"3\.1[1-9]", path):
            print(f"left out: {path}: {reason}")


def main() -> None:
    """Reads the one-word command. (No `match`: an old Python shall get as far as our message.)"""
    command, arguments = sys.argv[1:2], sys.argv[2:]
    if command == ["build"]:
        build(main_python())
    elif command == ["suite"]:
        suite(arguments)
    elif command == ["bench"]:
        bench(arguments)
    elif command == ["list"]:
        list_pythons()
    else:
        sys.exit(
            "usage: pythons.py build | suite [pytest arguments] | bench COMMAND [arguments] | list"
        )


if __name__ == "__main__":
    main()

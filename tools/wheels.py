"""Wheels: one for each supported Python of this machine, in `dist/`.

`build` makes them; `check` installs each in an empty environment, without an index, and runs a
small round trip there, so that nothing of the repository can stand in for what the wheel lacks.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from pythons import ROOT, Python, build, main_python, other_pythons, run

DIST = ROOT / "dist"
NEEDED = ("octad/__init__.py", "octad/py.typed", "octad/_core.pyi", "LICENSE-MIT", "LICENSE-APACHE")
TRIAL = """
import sys, octad
assert octad.__file__.startswith(sys.prefix), octad.__file__
if hasattr(octad, "json"):
    text = b'{"a":[1,2.5,"x",null,true]}'
    assert octad.json.dumps(octad.json.loads(text)) == text
    assert octad.json.parse(text)["a"][1] == 2.5
print(f"octad {octad.__version__} on Python {sys.version.split()[0]}")
"""


def all_pythons() -> list[Python]:
    """The main Python and the others."""
    main = main_python()
    return [main, *other_pythons(main)]


def build_wheels() -> None:
    """Fills `dist/` anew; compiles nothing that a build of the environment compiled already."""
    for old in DIST.glob("octad-*.whl"):
        old.unlink()
    for python in all_pythons():
        build(python)
        command = [str(python.bin / "maturin"), "build", "--release", "--quiet"]
        command += ["--out", str(DIST), "--interpreter", str(python.bin / "python")]
        run(command, python.environment)
    for wheel in sorted(DIST.glob("octad-*.whl")):
        print(f"{wheel.stat().st_size / 1024:8.0f} KiB  dist/{wheel.name}")


def problems(python: Python) -> list[str]:
    """What is wrong with the wheel of one Python."""
    tag = f"cp{python.version[0]}{python.version[1]}"
    wheels = list(DIST.glob(f"octad-*-{tag}-{tag}-*.whl"))
    if len(wheels) != 1:
        return [f"{len(wheels)} wheels for {tag} in dist/, run `make wheel`"]
    names = zipfile.ZipFile(wheels[0]).namelist()
    missing = [need for need in NEEDED if not any(name.endswith(need) for name in names)]
    found = [f"{wheels[0].name} has no {need}" for need in missing]
    extensions = [name for name in names if name.endswith(".so")]
    if len(extensions) != 1:
        found.append(f"{wheels[0].name} holds {len(extensions)} compiled modules: {extensions}")
    with tempfile.TemporaryDirectory() as folder:
        venv = Path(folder, "empty")
        subprocess.run([python.executable, "-m", "venv", str(venv)], check=True)
        inside = str(venv / "bin/python")
        install = ["-m", "pip", "install", "--quiet", "--no-index", "--no-deps", str(wheels[0])]
        for step in (install, ["-I", "-c", TRIAL]):
            answer = subprocess.run([inside, *step], cwd=folder, capture_output=True, text=True)
            if answer.returncode != 0:
                return [*found, f"{wheels[0].name}: {answer.stderr.strip()}"]
            print(answer.stdout, end="", flush=True)
    return found


def check_wheels() -> None:
    """Tries every wheel; prints one closing line."""
    results = [problems(python) for python in all_pythons()]
    for result in results:
        print(*result, sep="\n", end="\n" if result else "")
    failed = sum(map(bool, results))
    print(f"wheels: {len(results) - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    commands = {"build": build_wheels, "check": check_wheels}
    if len(sys.argv) != 2 or sys.argv[1] not in commands:
        sys.exit("usage: wheels.py build | check")
    commands[sys.argv[1]]()

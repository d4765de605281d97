"""The rules of ARCHITECTURE.md that a machine can check, over any tree of this shape.

`check(root)` reads the text of the sources only: it compiles and imports nothing. It holds the
picture of who may use whom as a table, the two homes of unsafe code, the length of files and their
headers. `tests/test_layers.py` runs it on this repository and on made-up trees that break rules.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

LONGEST = 600
UNSAFE_HOMES = ("crates/octad-core/src/scan/", "crates/octad-py/src/cpython/")

# What each module of octad-core may use. A new module gets its row here and in ARCHITECTURE.md.
LEAVES = {"token", "scan", "error", "limits"}
READING = LEAVES | {"tape", "source", "text"}
CORE = {
    "token": set[str](),
    "scan": set[str](),
    "error": set[str](),
    "limits": set[str](),
    "tape": {"token", "error", "limits"},
    "text": {"scan"},
    "source": {"token", "text", "error"},
    "sink": {"token", "text", "error", "scan"},
    "split": {"scan"},
    "formats": READING | {"sink"},
    "doc": READING | {"formats"},
    "convert": READING | {"formats", "doc", "sink"},
    "pointer": READING | {"formats", "doc", "sink"},
}

# The same for octad-py; each of its modules may use octad-core.
MIDDLE = {"plan", "input", "options", "errors", "cpython"}
BRIDGE = {
    "cpython": set[str](),
    "errors": {"cpython"},
    "input": {"cpython", "errors"},
    "options": {"cpython", "errors"},
    "plan": {"cpython", "errors", "options"},
    "registry": {"cpython"},
    "converter": {"input", "options", "errors", "cpython"},
    "load": MIDDLE | {"converter"},
    "view": MIDDLE | {"load"},
    "dump": MIDDLE | {"view", "converter"},
    "reading": MIDDLE | {"load", "view"},
    "checking": MIDDLE | {"load", "view"},
    "decoder": MIDDLE | {"reading", "checking", "view"},
    "stream": MIDDLE | {"load", "dump", "view"},
}

# Folders of the Python package that build on its public names alone.
FACES = {"web", "cli", "compat"}

STRINGS_AND_COMMENTS = re.compile(
    r"""
    (?P<raw>b?r(?P<fence>\#*)".*?"(?P=fence))
  | (?P<text>b?"(?:[^"\\]|\\.)*")
  | (?P<char>b?'(?:[^'\\]|\\.[^']*)')
  | (?P<line>//[^\n]*)
  | (?P<block>/\*.*?\*/)
    """,
    re.VERBOSE | re.DOTALL,
)


def check(root: Path) -> list[str]:
    """Everything in the tree that breaks a rule, as `file: what` lines."""
    found: list[str] = []
    found += crate_arrows(root / "crates/octad-core/src", CORE)
    found += crate_arrows(root / "crates/octad-py/src", BRIDGE)
    found += strangers(root)
    found += package_arrows(root / "python/octad")
    found += unsafe_code(root)
    found += shapes(root)
    return [line.replace(f"{root}/", "") for line in found]


# --- Rust: who uses whom ---------------------------------------------------------------------


def code_of(path: Path) -> str:
    """The code of a Rust file: no comments, no text, no tests that stand in the file."""
    blanks = STRINGS_AND_COMMENTS.sub(lambda m: "\n" * m.group().count("\n"), path.read_text())
    start = re.search(r"#\[cfg\(test\)\]\s*(pub )?mod \w+ \{", blanks)
    if start is None:
        return blanks
    depth, end = 1, start.end()
    while depth and end < len(blanks):
        depth += {"{": 1, "}": -1}.get(blanks[end], 0)
        end += 1
    return blanks[: start.start()] + blanks[end:]


def sources(folder: Path) -> Iterator[Path]:
    """The Rust files of a crate that are not tests."""
    for path in sorted(folder.rglob("*.rs")):
        if path.name not in ("tests.rs", "test.rs") and "tests" not in path.parts:
            yield path


def module_path(source: Path, folder: Path) -> list[str]:
    """`formats/json/mod.rs` is `["formats", "json"]`; `lib.rs` is `[]`."""
    parts = list(source.relative_to(folder).with_suffix("").parts)
    return parts[:-1] if parts[-1] in ("mod", "lib") else parts


def leaves(tree: str) -> Iterator[str]:
    """`a::{b, c::{d, e}}` gives `a::b`, `a::c::d`, `a::c::e`."""
    tree = tree.strip()
    if not tree.endswith("}"):
        yield tree.split(" as ")[0].strip()
        return
    head, _, inner = tree[:-1].partition("{")
    depth, start = 0, 0
    for index, char in enumerate(inner + ","):
        depth += {"{": 1, "}": -1}.get(char, 0)
        if char == "," and depth == 0:
            if inner[start:index].strip():
                for leaf in leaves(inner[start:index]):
                    yield head.strip() + leaf
            start = index + 1


def references(code: str, module: list[str]) -> Iterator[list[str]]:
    """Every path into the crate that the code names, in `use` lines and in place."""
    paths = [leaf for use in re.findall(r"\buse\s+([^;]+);", code) for leaf in leaves(use)]
    rest = re.sub(r"\buse\s+[^;]+;", "", code)
    paths += re.findall(r"\b(?:crate|super)(?:::\w+)+", rest)
    for path in paths:
        parts = path.replace(" ", "").split("::")
        if parts[0] == "crate":
            yield parts[1:]
        elif parts[0] in ("super", "self"):
            base, parts = list(module), parts if parts[0] == "super" else parts[1:]
            while parts and parts[0] == "super":
                base, parts = base[:-1], parts[1:]
            yield base + parts


def crate_arrows(folder: Path, table: dict[str, set[str]]) -> list[str]:
    """Arrows of one crate that are not in its table."""
    formats = {path.name for path in folder.glob("formats/*/")}
    found = []
    for source in sources(folder):
        module = module_path(source, folder)
        if not module:
            continue
        home = module[0]
        if home not in table:
            found.append(f"{source}: `{home}` has no row in tools/layers.py")
            continue
        for path in references(code_of(source), module):
            target = path[0] if path else ""
            if target in table and target != home and target not in table[home]:
                found.append(f"{source}: {home} must not use {target} (`{'::'.join(path)}`)")
            named = path[1] if target == "formats" and len(path) > 1 else ""
            own = module[1] if home == "formats" and len(module) > 1 else None
            if named in formats and (home != "formats" or own not in (None, named)):
                found.append(f"{source}: {'::'.join(module)} must not use the format {named}")
    return found


def strangers(root: Path) -> list[str]:
    """The core knows nothing of Python."""
    files = [root / "crates/octad-core/Cargo.toml", *sources(root / "crates/octad-core/src")]
    return [
        f"{path}: octad-core must not know {word}"
        for path in files
        if path.is_file()
        for word in ("pyo3", "octad_py")
        if word in (code_of(path) if path.suffix == ".rs" else path.read_text())
    ]


# --- Python: who imports whom ----------------------------------------------------------------


def imported(source: Path, folder: Path) -> Iterator[str]:
    """The absolute names of the modules that a Python file imports."""
    package = ["octad", *source.relative_to(folder).parts[:-1]]
    tree = ast.parse(source.read_text())
    unseen = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for line in node.body
        for part in ast.walk(line)
    }
    for node in ast.walk(tree):
        # Type checkers bring this one along, and nobody runs it.
        if id(node) in unseen and getattr(node, "module", None) == "typing_extensions":
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield module
            if module == "octad" or node.module is None:
                yield from (f"{module}.{alias.name}" for alias in node.names)


def package_arrows(folder: Path) -> list[str]:
    """The faces use the public names; the rest uses only the standard library and itself."""
    found = []
    for source in sorted(folder.rglob("*.py")):
        inside = source.relative_to(folder).parts
        face = inside[0] if inside[0] in FACES else None
        for name in imported(source, folder):
            parts = name.split(".")
            if parts[0] != "octad":
                if face is None and parts[0] not in sys.stdlib_module_names:
                    found.append(f"{source}: the package must not import {name}")
            elif len(parts) > 1:
                if face is None and parts[1] in FACES:
                    found.append(f"{source}: the package must not import its face {name}")
                if face is not None and parts[1].startswith("_") and parts[1] != "__version__":
                    found.append(f"{source}: {face} must use public names, not {name}")
                if face is not None and parts[1] in FACES - {face}:
                    found.append(f"{source}: {face} must not import the face {name}")
    return found


# --- Unsafe code -----------------------------------------------------------------------------


def unsafe_code(root: Path) -> list[str]:
    """Unsafe code outside its homes, and blocks that do not say why they are sound."""
    found = []
    for source in sorted((root / "crates").rglob("*.rs")):
        at_home = source.relative_to(root).as_posix().startswith(UNSAFE_HOMES)
        lines = source.read_text().splitlines()
        for number, line in enumerate(lines):
            if not at_home and re.search(r"\bunsafe\b", line):
                found.append(f"{source}:{number + 1}: unsafe outside scan/ and cpython/")
            if re.search(r"\bunsafe *(\{|impl\b)", line.split("//")[0]):
                near = lines[max(0, number - 3) : number + 1]
                if not any("SAFETY" in text for text in near):
                    found.append(f"{source}:{number + 1}: unsafe without a SAFETY line above")
    return found


# --- Length and headers ----------------------------------------------------------------------


def shapes(root: Path) -> list[str]:
    """Files that are too long, or do not begin with what they own."""
    found = []
    folders = ("crates", "python", "tools", "bench", "fuzz")
    files = [path for folder in folders for path in (root / folder).rglob("*.*")]
    for path in sorted(files):
        inside = path.relative_to(root).parts
        if path.suffix not in (".rs", ".py", ".pyi") or "target" in inside:
            continue
        text = path.read_text()
        length = text.count("\n")
        tests = path.name == "tests.rs" or "tests" in inside
        if length > LONGEST and not tests and path.name != "_core.pyi":
            found.append(f"{path}: {length} lines, more than {LONGEST}")
        if text and not text.startswith(("//!", '"""', "#!")):
            found.append(f"{path}: does not begin with what it owns")
    return found


# --- The table of errors ---------------------------------------------------------------------


def codes_without_test(root: Path) -> list[str]:
    """The error codes that no test names: `"depth-limit"`, or `ErrorCode::DepthLimit` in Rust."""
    table = root / "crates/octad-core/src/error/table.rs"
    body = re.search(r"pub enum ErrorCode \{(.*?)\n\}", table.read_text(), re.DOTALL)
    variants = re.findall(r"^\s*([A-Z]\w*),", body[1] if body else "", re.MULTILINE)
    rust = (path for path in (root / "crates").rglob("*.rs") if path.stem.endswith("tests"))
    tests = [path.read_text() for path in [*rust, *(root / "tests").rglob("*.py")]]
    missing: list[str] = []
    for variant in variants:
        name = re.sub(r"(?<!^)(?=[A-Z])", "-", variant).lower()
        member = name.replace("-", "_").upper()
        spellings = (f'"{name}"', f"ErrorCode::{variant}", f"ErrorCode.{member}")
        if not any(spelling in text for text in tests for spelling in spellings):
            missing.append(name)
    return missing

"""The repository keeps to the rules of ARCHITECTURE.md, and the checker of the rules can fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.testdata import REPOSITORY
from tools import layers

pytestmark = pytest.mark.house

CORE = "crates/octad-core/src"
BRIDGE = "crates/octad-py/src"


def test_this_repository_keeps_to_the_rules() -> None:
    found = layers.check(REPOSITORY)
    assert not found, "\n".join(found)


def tree(root: Path, files: dict[str, str]) -> list[str]:
    """Lays out files and checks them; a header is put before those that have none."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        head = {".rs": "//! Owns this.\n", ".py": '"""Owns this."""\n'}.get(path.suffix, "")
        path.write_text(text if text.startswith(("//!", '"""', "plain")) else head + text)
    return layers.check(root)


ALLOWED = {
    f"{CORE}/token/mod.rs": "use self::kind::Kind;\nuse super::token::kind;\n",
    f"{CORE}/token/kind.rs": "use super::Token;\n",
    f"{CORE}/tape/mod.rs": "use crate::token::{Token, kind::{self, Kind}};\nuse std::fmt;\n",
    f"{CORE}/tape/tests.rs": "use crate::formats::json;\n",
    f"{CORE}/text/int.rs": 'use crate::scan;\nconst T: &str = "crate::doc::X"; // crate::doc\n',
    f"{CORE}/source.rs": "#[cfg(test)]\nmod tests {\n use crate::doc::Document;\n}\n",
    f"{CORE}/formats/mod.rs": "pub mod json;\nuse json::Json;\nuse self::json::Parser;\n",
    f"{CORE}/formats/json/mod.rs": "use crate::formats::Format;\nuse super::json::parse;\n",
    f"{CORE}/formats/json/parse.rs": "use crate::{error::Error, tape::Builder, sink};\n",
    f"{CORE}/formats/cbor/mod.rs": "use crate::source::Source;\n",
    f"{CORE}/doc/mod.rs": "use crate::formats::AnySource;\n",
    f"{CORE}/pointer.rs": "use crate::doc::ValueRef;\n",
    f"{BRIDGE}/lib.rs": "mod view;\nuse crate::view::Document;\n",
    f"{BRIDGE}/view/mod.rs": "use crate::errors::raise;\nuse octad_core::doc::Document;\n",
    "python/octad/__init__.py": "import json\nfrom octad._core import x\nfrom octad import _y\n",
    "python/octad/cli/main.py": "import click\nimport octad\nfrom octad import json\n",
}


def test_arrows_of_the_picture_are_allowed(tmp_path: Path) -> None:
    assert tree(tmp_path, ALLOWED) == []


FORBIDDEN = [
    (f"{CORE}/token/mod.rs", "use crate::tape::Tape;", "token must not use tape"),
    (f"{CORE}/scan/mod.rs", "use crate::error::Error;", "scan must not use error"),
    (f"{CORE}/tape/mod.rs", "use crate::{token::Token, source};", "tape must not use source"),
    (f"{CORE}/tape/builder.rs", "use super::super::doc;", "tape must not use doc"),
    (f"{CORE}/text/int.rs", "fn f() { crate::sink::put() }", "text must not use sink"),
    (f"{CORE}/text/int.rs", "pub(crate) use crate::tape::{self as t};", "text must not use tape"),
    (f"{CORE}/formats/json/mod.rs", "use crate::doc::Document;", "formats must not use doc"),
    (f"{CORE}/formats/json/mod.rs", "use crate::formats::cbor;", "not use the format cbor"),
    (f"{CORE}/formats/json/parse.rs", "use super::super::cbor::X;", "not use the format cbor"),
    (f"{CORE}/doc/mod.rs", "use crate::formats::json::Json;", "not use the format json"),
    (f"{CORE}/doc/mod.rs", "use crate::{\n  formats::{AnySource, json}\n};", "the format json"),
    (f"{CORE}/helpers.rs", "", "`helpers` has no row"),
    (f"{CORE}/text/int.rs", "use pyo3::prelude;", "octad-core must not know pyo3"),
    (f"{BRIDGE}/cpython/list.rs", "use crate::errors::X;", "cpython must not use errors"),
    (f"{BRIDGE}/input.rs", "use crate::view::X;", "input must not use view"),
    (f"{BRIDGE}/load/mod.rs", "use crate::dump::X;", "load must not use dump"),
    ("python/octad/a.py", "import orjson", "must not import orjson"),
    ("python/octad/a.py", "import typing_extensions", "must not import typing_extensions"),
    ("python/octad/a.py", "def f():\n    from .cli import main", "its face octad.cli"),
    ("python/octad/cli/a.py", "from octad._core import x", "cli must use public names"),
    ("python/octad/cli/a.py", "from .. import _core", "cli must use public names"),
    ("python/octad/web/a.py", "from octad.cli import x", "web must not import the face"),
    (f"{CORE}/tape/mod.rs", "fn f() { unsafe { g() } }", "unsafe outside scan/"),
    (f"{CORE}/tape/mod.rs", "// unsafe", "unsafe outside scan/"),
    (f"{CORE}/scan/mod.rs", "fn f() {\n    unsafe { g() }\n}", "unsafe without a SAFETY line"),
    (f"{BRIDGE}/cpython/mod.rs", "unsafe impl Send for X {}", "unsafe without a SAFETY line"),
    (f"{CORE}/tape/mod.rs", "\n" * 599, "601 lines, more than 600"),
    ("python/octad/a.py", "\n" * 599, "601 lines, more than 600"),
    (f"{CORE}/tape/mod.rs", "plain code", "does not begin with what it owns"),
]


@pytest.mark.parametrize(("file", "text", "message"), FORBIDDEN)
def test_each_rule_can_fail(tmp_path: Path, file: str, text: str, message: str) -> None:
    text = text if text.startswith("plain") else text + "\n"
    found = tree(tmp_path, ALLOWED | {file: text})
    assert any(message in line and line.startswith(file) for line in found), found


def test_a_soundness_note_satisfies(tmp_path: Path) -> None:
    text = "fn f() {\n    // SAFETY: g holds.\n    unsafe { g() }\n}\n"
    assert tree(tmp_path, {f"{CORE}/scan/mod.rs": text}) == []


def test_every_error_code_is_named_by_a_test() -> None:
    # The limit on expansion is for references, patches and compressed input; nothing here
    # multiplies its input yet. (Spelled in two parts, or this line would count as its test.)
    assert layers.codes_without_test(REPOSITORY) == ["expansion" + "-limit"]


def test_codes_without_a_test_are_found(tmp_path: Path) -> None:
    table = "pub enum ErrorCode {\n    DepthLimit,\n    KeyType,\n    Cycle,\n    Closed,\n}\n"
    files = {
        f"{CORE}/error/table.rs": table,
        f"{CORE}/tape/tests.rs": "use crate::error::ErrorCode;\nstatic A: _ = ErrorCode::Cycle;\n",
        f"{CORE}/tape/mod.rs": "use crate::error::ErrorCode;\nstatic A: _ = ErrorCode::Closed;\n",
        "tests/test_a.py": 'check("depth-limit", ErrorCode.KEY_TYPE)\n',
    }
    tree(tmp_path, files)
    assert layers.codes_without_test(tmp_path) == ["closed"]

"""check: every fault of a text at once, in order, with exact places, and none where loads accepts.

Owns recovery: what follows a fault is still looked at, and one fault does not make another up.
"""

from __future__ import annotations

import time

import octad
import pytest
from octad import json

from tests.support import BOM, accepts, error_of
from tests.testdata import data_path


def places(text: bytes, **options: object) -> list[tuple[str, int]]:
    """Code and offset of every problem, in the order given."""
    return [(str(problem.code), problem.offset) for problem in json.check(text, **options)]


def marked(text: str) -> tuple[bytes, list[int]]:
    """A text with `«` put before each faulty byte, as plain bytes and the offsets of the marks."""
    pieces = text.split("«")
    offsets: list[int] = []
    data = b""
    for piece in pieces[:-1]:
        data += piece.encode("utf-8", "surrogateescape")
        offsets.append(len(data))
    return data + pieces[-1].encode("utf-8", "surrogateescape"), offsets


EIGHT = """{
  "a": 0«1,
  "b": «tru,
  "c": "bad «\\q escape",
  "é": "alone «\\ud800",
  "e": [1, 2«,],
  "f": «NaN,
  "g": "short «\\u12G4",
  "h": [1.«]
}
"""
EIGHT_CODES = [
    *("leading-zero", "invalid-literal", "invalid-escape", "lone-surrogate"),
    *("trailing-comma", "nan-not-allowed", "invalid-unicode-escape", "missing-digits"),
]


@pytest.mark.feature(83)
def test_eight_faults_of_different_kinds_give_eight_problems() -> None:
    text, offsets = marked(EIGHT)
    assert places(text) == list(zip(EIGHT_CODES, offsets, strict=True))
    problems = json.check(text)
    assert [problem.line for problem in problems] == [2, 3, 4, 5, 6, 7, 8, 9]
    assert [problem.column for problem in problems] == [9, 8, 13, 15, 13, 8, 15, 11]
    assert [problem.path for problem in problems] == [
        *("$.a", "$.b", "$.c", "$.é", "$.e[2]", "$.f", "$.g", "$.h[0]"),
    ]
    assert [problem.pointer for problem in problems] == [
        *("/a", "/b", "/c", "/é", "/e/2", "/f", "/g", "/h/0"),
    ]
    assert all(isinstance(problem.code, octad.ErrorCode) for problem in problems)


# Faults of the structure, too: the reader goes on behind each of them.
STRUCTURE = """[
  {"a" «1},
  {"b": 1 «"c": 2},
  [1 «2],
  {«d: 1},
  [«, 1],
  "tab «\t here",
  "bytes «\udcff here",
  [1 «// no comment
  ],
  «1e999,
  {"e": «}
]"""
STRUCTURE_CODES = [
    *("expected-colon", "expected-comma", "expected-comma", "expected-key", "expected-value"),
    *("control-character", "invalid-utf8", "comment-not-allowed", "number-overflow"),
    "expected-value",
]


@pytest.mark.feature(83)
def test_faults_of_structure_do_not_hide_each_other() -> None:
    text, offsets = marked(STRUCTURE)
    assert places(text) == list(zip(STRUCTURE_CODES, offsets, strict=True))


@pytest.mark.feature(83)
@pytest.mark.parametrize(
    "text",
    [
        "[«x]",
        "[1«}",
        '{"a": "«\\q", "b": 1}',
        "[1«,]",
        "[] «x",
        "[1, 2, 3",
        '{"a": 1, "b": [2, {"c": «.5}]}',
        '["«\\q", "fine", 1, {"a": null}]',
        "[0«1, 1.5, true]",
    ],
)
def test_one_fault_gives_one_problem(text: str) -> None:
    data, offsets = marked(text)
    assert [offset for _, offset in places(data)] == (offsets or [len(data)])


@pytest.mark.feature(83)
def test_several_faults_in_one_string() -> None:
    text, offsets = marked('["«\\q and «\\ud800 and «\\u12 and «\x01 and «\udcff"]')
    got = places(text)
    assert got[0] == ("invalid-escape", offsets[0])
    assert [offset for _, offset in got] in (offsets, offsets[:1])


@pytest.mark.feature(83)
def test_problems_come_in_order_and_once() -> None:
    text = b"[" + b'"\\q", 01, "\xff", tru, ' * 20 + b"1]"
    found = places(text)
    assert len(found) == 80
    assert [offset for _, offset in found] == sorted({offset for _, offset in found})


@pytest.mark.feature(83)
def test_the_list_is_capped() -> None:
    text = b"[" + b"01," * 250 + b"1]"
    assert len(json.check(text)) == 100
    assert len(json.check(text, max_problems=1000)) == 250
    for cap in (1, 2, 99, 249, 250, 251):
        assert places(text, max_problems=cap) == places(text, max_problems=1000)[:cap]


@pytest.mark.feature(83, 223)
def test_hostile_texts_are_checked_in_good_time() -> None:
    """Each of these must not cost one pass per problem, nor an endless list."""
    for text in (
        b"[" * 100_000,
        b"]" * 100_000,
        b"[}" * 50_000,
        b'{"a":' * 100_000,
        b"," * 100_000,
        b'"' * 100_001,
        b"\\" * 100_000,
        b"\xff" * 100_000,
        b"\x00" * 100_000,
        b"[1 " * 50_000,
        b'{"a" ' * 50_000,
        b"[" + b'"\\q",' * 100_000 + b"1]",
    ):
        problems = json.check(text)
        assert 1 <= len(problems) <= 100
        error = error_of(json.loads, text)
        assert (problems[0].code, problems[0].offset) == (error.code, error.offset)


SUITE = sorted(data_path("conformance", "jsontestsuite", "test_parsing").glob("*.json"))


@pytest.mark.feature(83)
def test_check_agrees_with_loads_on_the_whole_suite() -> None:
    assert len(SUITE) > 200
    for path in SUITE:
        data = path.read_bytes()
        for options in ({}, {"comments": True, "trailing_commas": True, "nan": "literal"}):
            problems = json.check(data, **options)
            assert bool(problems) == (not accepts(data, **options)), path.name
            if problems:
                error = error_of(json.loads, data, **options)
                first = problems[0]
                for name in ("code", "offset", "line", "column", "path", "pointer", "message"):
                    assert getattr(first, name) == getattr(error, name), (path.name, name)
                for problem in problems:
                    assert 0 <= problem.offset <= len(data)
                    assert problem.line >= 1
                    assert problem.column >= 1


def test_places_after_a_byte_order_mark_and_line_ends() -> None:
    text, offsets = marked('[\r\n "é", «x,\r\n 0«1]')
    problems = json.check(BOM + text)
    assert [problem.offset for problem in problems] == [offset + 3 for offset in offsets]
    assert [(problem.line, problem.column) for problem in problems] == [(2, 7), (3, 3)]


def test_options_of_reading_hold_for_check() -> None:
    text = b'{"a": NaN, "a": "\\ud800", /* c */ "b": [1e999,]}'
    assert len(json.check(text, duplicates="error")) == 6
    assert len(json.check(text)) == 5
    lenient = {
        "nan": "literal",
        "surrogates": "keep",
        "comments": True,
        "trailing_commas": True,
        "overflow": "inf",
    }
    assert json.check(text, **lenient) == []
    assert places(text, **lenient, duplicates="error") == [("duplicate-key", 11)]
    assert places(b"[[[]]]", limits=octad.Limits(depth=2)) == [("depth-limit", 2)]


def test_problems_are_plain_records() -> None:
    import copy
    import pickle

    (problem,) = json.check(b'{"a": [x]}')
    assert type(problem).__name__ == "Problem"
    assert (problem.code, problem.offset, problem.line, problem.column) == (
        "invalid-literal",
        7,
        1,
        8,
    )
    assert problem.message.startswith("expected ")
    assert problem.message in str(problem)
    assert pickle.loads(pickle.dumps(problem)) == problem == copy.copy(problem)
    other = json.check(b'{"a":  [x]}')[0]
    assert problem != other
    assert "invalid-literal" in repr(problem)
    assert isinstance(json.check(b"[]"), list)
    with pytest.raises(TypeError):
        json.check(b"[]", max_problems="all")


def test_long_paths_are_bounded() -> None:
    keys = '{"%s":' % ("k" * 10_000) * 1000
    problems = json.check(keys + "[" + "01," * 200)
    assert len(problems) == 100
    assert sum(len(problem.path) + len(problem.pointer) for problem in problems) < 500_000
    assert problems[-1].path.endswith("…'][99]")
    assert "…['kk" in problems[-1].path
    deep = json.check('{"a":' * 999 + "[01, 02]")
    assert deep[1].pointer == "/a" * 100 + "/…" + "/a" * 99 + "/1"
    error = error_of(json.loads, '{"a":' * 999 + "[01, 02]")
    assert (error.path, error.pointer) == (deep[0].path, deep[0].pointer)
    escaped = json.check('{"%s": 01}' % ("\\u00e9\\ud83d\\ude00" * 5000))
    assert escaped[0].pointer == "/" + "é😀" * 100 + "…"


@pytest.mark.parametrize(
    "text",
    [
        "[" + "01," * 300_000,
        "{" * 1_000_000,
        '{"' + "k" * 1_000_000 + '":[' + "01," * 20_000,
    ],
    ids=["one line", "deep", "long key"],
)
def test_many_problems_cost_no_more_than_the_text_and_themselves(text: str) -> None:
    limits = octad.Limits(depth=100_000)
    started = time.process_time()
    problems = json.check(text, max_problems=20_000, comments=True, limits=limits)
    assert len(problems) == 20_000
    # Where each costs its whole line or path, this takes minutes.
    assert time.process_time() - started < 10


def test_the_number_of_problems_is_not_negative() -> None:
    for check in (json.check, json.Decoder().check):
        with pytest.raises(ValueError, match="max_problems: expected 0 or more, found -1"):
            check("1", max_problems=-1)
        with pytest.raises(TypeError, match="max_problems: expected an int, found str"):
            check("1", max_problems="1")  # type: ignore[arg-type]
        assert check("1", max_problems=10**30) == check("x", max_problems=0) == []


@pytest.mark.parametrize("number", ["1e99999999999999999999", "1e-9999999999999999999999"])
def test_check_knows_the_range_of_decimals(number: str) -> None:
    text = f"[1.5, {number}]"
    error = error_of(json.loads, text, floats="decimal")
    problem = json.check(text, floats="decimal")[0]
    assert (problem.code, problem.offset, problem.path) == ("number-overflow", 6, "$[1]")
    assert (error.message, error.path) == (problem.message, "$[1]")

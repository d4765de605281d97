"""Faulty texts and what the reader says of them: code, place, path, pointer, the caret line.

Owns the table of hand-written faults. The offset is that of the first byte that cannot belong to a
valid text; columns count characters, so some texts have other than ASCII before the fault.
"""

from __future__ import annotations

import copy
import pickle
from dataclasses import dataclass
from typing import Any

import octad
import pytest
from octad import json

from tests.support import BOM, error_of, read, refuse


@dataclass(frozen=True)
class Fault:
    """A text, the options it is read with, and the place where it goes wrong."""

    data: bytes
    code: str
    offset: int
    line: int
    column: int
    path: str
    pointer: str
    options: tuple[tuple[str, Any], ...] = ()

    @property
    def kwargs(self) -> dict[str, Any]:
        return dict(self.options)


def fault(
    data: bytes | str,
    code: str,
    offset: int,
    place: tuple[int, int] | None = None,
    path: str = "$",
    pointer: str = "",
    **options: Any,
) -> Fault:
    """One row; without a place the fault is in line 1, in the column after `offset` characters."""
    line, column = place or (1, offset + 1)
    data = data.encode() if isinstance(data, str) else data
    return Fault(data, code, offset, line, column, path, pointer, tuple(options.items()))


# Paths: a fault in a value, or where a value is due, is at that value's place. In an array that is
# the index after the values already complete, also where a comma or a bracket is due; in an object
# a fault where a key, a comma or a bracket is due is the object's own.
FAULTS = [
    # Nothing there
    fault("", "empty-input", 0),
    fault("   ", "empty-input", 3),
    fault("\n\t\r\n", "empty-input", 4, (3, 1)),
    fault(BOM, "empty-input", 3, (1, 1)),
    # Ends too early
    fault("[", "unexpected-end", 1, path="$[0]", pointer="/0"),
    fault("[1", "unexpected-end", 2, path="$[1]", pointer="/1"),
    fault("[1,", "unexpected-end", 3, path="$[1]", pointer="/1"),
    fault("[[1, 2], [3", "unexpected-end", 11, path="$[1][1]", pointer="/1/1"),
    fault("{", "unexpected-end", 1),
    fault('{"a', "unexpected-end", 3),
    fault('{"a"', "unexpected-end", 4, path="$.a", pointer="/a"),
    fault('{"a":', "unexpected-end", 5, path="$.a", pointer="/a"),
    fault('{"a": 1', "unexpected-end", 7),
    fault('{"a": 1,', "unexpected-end", 8),
    fault('{"a":\n  {"b": [1,\n', "unexpected-end", 18, (3, 1), "$.a.b[1]", "/a/b/1"),
    fault('"', "unexpected-end", 1),
    fault('"abc', "unexpected-end", 4),
    fault('"a\\', "unexpected-end", 3),
    fault('"\\u', "unexpected-end", 3),
    fault('"\\u12', "unexpected-end", 5),
    fault('"\\u1234', "unexpected-end", 7),
    fault("nul", "unexpected-end", 3),
    fault("[1, fals", "unexpected-end", 8, path="$[1]", pointer="/1"),
    fault('["é', "unexpected-end", 4, (1, 4), "$[0]", "/0"),
    # A value is due
    fault("x", "invalid-literal", 0),
    fault("'a'", "expected-value", 0),
    fault(".5", "expected-value", 0),
    fault("+1", "expected-value", 0),
    fault("  @", "expected-value", 2),
    fault("[,1]", "expected-value", 1, path="$[0]", pointer="/0"),
    fault("[1,,2]", "expected-value", 3, path="$[1]", pointer="/1"),
    fault("[1, :]", "expected-value", 4, path="$[1]", pointer="/1"),
    fault('{"a":}', "expected-value", 5, path="$.a", pointer="/a"),
    fault('{"a": ,"b":1}', "expected-value", 6, path="$.a", pointer="/a"),
    fault('{"a"::1}', "expected-value", 5, path="$.a", pointer="/a"),
    fault('{"a":[{"b":*}]}', "expected-value", 11, path="$.a[0].b", pointer="/a/0/b"),
    fault("[\n1,\n  2,\n  x]", "invalid-literal", 12, (4, 3), "$[2]", "/2"),
    # A key is due
    fault("{1:2}", "expected-key", 1),
    fault("{a:1}", "expected-key", 1),
    fault("{'a':1}", "expected-key", 1),
    fault("{,}", "expected-key", 1),
    fault("{[]:1}", "expected-key", 1),
    fault("{null:1}", "expected-key", 1),
    fault("{:1}", "expected-key", 1),
    fault('{"a":1, 2}', "expected-key", 8),
    fault('{"a":1,,"b":2}', "expected-key", 7),
    fault('[{"a":{b:1}}]', "expected-key", 7, path="$[0].a", pointer="/0/a"),
    # A colon is due
    fault('{"a" 1}', "expected-colon", 5, path="$.a", pointer="/a"),
    fault('{"a"}', "expected-colon", 4, path="$.a", pointer="/a"),
    fault('{"a",1}', "expected-colon", 4, path="$.a", pointer="/a"),
    fault('{"a"=1}', "expected-colon", 4, path="$.a", pointer="/a"),
    fault('{"a":{"b"\n1}}', "expected-colon", 10, (2, 1), "$.a.b", "/a/b"),
    # A comma is due
    fault("[1 2]", "expected-comma", 3, path="$[1]", pointer="/1"),
    fault('["a" "b"]', "expected-comma", 5, path="$[1]", pointer="/1"),
    fault("[1:2]", "expected-comma", 2, path="$[1]", pointer="/1"),
    fault("[1;2]", "expected-comma", 2, path="$[1]", pointer="/1"),
    fault("[[] []]", "expected-comma", 4, path="$[1]", pointer="/1"),
    fault("[1a]", "expected-comma", 2, path="$[1]", pointer="/1"),
    fault("[0x10]", "expected-comma", 2, path="$[1]", pointer="/1"),
    fault("[1_000]", "expected-comma", 2, path="$[1]", pointer="/1"),
    fault("[1.5.5]", "expected-comma", 4, path="$[1]", pointer="/1"),
    fault("[1e5e5]", "expected-comma", 4, path="$[1]", pointer="/1"),
    fault("[1-2]", "expected-comma", 2, path="$[1]", pointer="/1"),
    fault('{"a":1 "b":2}', "expected-comma", 7),
    fault('{"a":1:2}', "expected-comma", 6),
    fault('{"p":{"a":"x"\n "b":2}}', "expected-comma", 15, (2, 2), "$.p", "/p"),
    # A comma too many
    fault("[1,]", "trailing-comma", 2, path="$[1]", pointer="/1"),
    fault("[1, ]", "trailing-comma", 2, path="$[1]", pointer="/1"),
    fault("[1,\n]", "trailing-comma", 2, path="$[1]", pointer="/1"),
    fault('{"a":1,}', "trailing-comma", 6),
    fault('{"a":1 , }', "trailing-comma", 7),
    fault('[[],{"a":[2,]}]', "trailing-comma", 11, path="$[1].a[1]", pointer="/1/a/1"),
    # More after the value
    fault("1 2", "trailing-data", 2),
    fault("[] x", "trailing-data", 3),
    fault("{}}", "trailing-data", 2),
    fault("[]]", "trailing-data", 2),
    fault('"a""b"', "trailing-data", 3),
    fault("null,", "trailing-data", 4),
    fault("[]\n\n  x", "trailing-data", 6, (3, 3)),
    fault(b"123\x00x", "trailing-data", 3),
    fault("1.5.5", "trailing-data", 3),
    fault("0x10", "trailing-data", 1),
    # Words
    fault("nil", "invalid-literal", 0),
    fault("[tru]", "invalid-literal", 1, path="$[0]", pointer="/0"),
    fault("[nulL]", "invalid-literal", 1, path="$[0]", pointer="/0"),
    fault('{"a": fasle}', "invalid-literal", 6, path="$.a", pointer="/a"),
    fault("[1, t]", "invalid-literal", 4, path="$[1]", pointer="/1"),
    # Numbers
    fault("01", "leading-zero", 1),
    fault("-01", "leading-zero", 2),
    fault("[00]", "leading-zero", 2, path="$[0]", pointer="/0"),
    fault('{"a":-012}', "leading-zero", 7, path="$.a", pointer="/a"),
    fault("00.5", "leading-zero", 1),
    fault("[-]", "missing-digits", 2, path="$[0]", pointer="/0"),
    fault("-a", "missing-digits", 1),
    fault("--1", "missing-digits", 1),
    fault("[-.5]", "missing-digits", 2, path="$[0]", pointer="/0"),
    fault("[1.]", "missing-digits", 3, path="$[0]", pointer="/0"),
    fault("[1.e5]", "missing-digits", 3, path="$[0]", pointer="/0"),
    fault("[1e]", "missing-digits", 3, path="$[0]", pointer="/0"),
    fault("[1E+]", "missing-digits", 4, path="$[0]", pointer="/0"),
    fault("[1e-x]", "missing-digits", 4, path="$[0]", pointer="/0"),
    fault('{"a":\t1.\n}', "missing-digits", 8, (1, 9), "$.a", "/a"),
    fault("1e400", "number-overflow", 0),
    fault("[0, -1e400]", "number-overflow", 4, path="$[1]", pointer="/1"),
    fault('{"a":1.8e308}', "number-overflow", 5, path="$.a", pointer="/a"),
    fault("NaN", "nan-not-allowed", 0),
    fault("[1,NaN]", "nan-not-allowed", 3, path="$[1]", pointer="/1"),
    fault("Infinity", "nan-not-allowed", 0),
    fault("[-Infinity]", "nan-not-allowed", 1, path="$[0]", pointer="/0"),
    # Strings
    fault('"\\x41"', "invalid-escape", 1),
    fault('"a\\\'b"', "invalid-escape", 2),
    fault('"\\U0041"', "invalid-escape", 1),
    fault('"\\0"', "invalid-escape", 1),
    fault('"ab\\\ncd"', "invalid-escape", 3),
    fault('"\\é"', "invalid-escape", 1),
    fault('{"\\q":1}', "invalid-escape", 2),
    fault('["é\\q"]', "invalid-escape", 4, (1, 4), "$[0]", "/0"),
    fault('"\\u12G4"', "invalid-unicode-escape", 1),
    fault('"\\u"', "invalid-unicode-escape", 1),
    fault('"\\u00"', "invalid-unicode-escape", 1),
    fault('"x\\u 123"', "invalid-unicode-escape", 2),
    fault('"\\u+123"', "invalid-unicode-escape", 1),
    fault('{"a":"\\u12\\u1234"}', "invalid-unicode-escape", 6, path="$.a", pointer="/a"),
    fault('"\\ud800"', "lone-surrogate", 1),
    fault('"\\uDC00"', "lone-surrogate", 1),
    fault('"\\ud800\\ud800"', "lone-surrogate", 1),
    fault('"\\ud800x"', "lone-surrogate", 1),
    fault('"\\ud800\\n"', "lone-surrogate", 1),
    fault('"\\ud800\\u0041"', "lone-surrogate", 1),
    fault('"a\\udc00\\ud800"', "lone-surrogate", 2),
    fault('"\\ud83d\\ude00\\ud83d"', "lone-surrogate", 13),
    fault('{"\\ud800":1}', "lone-surrogate", 2),
    fault('"a\nb"', "control-character", 2),
    fault(b'"\x00"', "control-character", 1),
    fault('"\t"', "control-character", 1),
    fault('{"a\x1f":1}', "control-character", 3),
    fault('["é\x01"]', "control-character", 4, (1, 4), "$[0]", "/0"),
    # Invalid UTF-8: one of each class, in values and keys
    fault(b'"\x80"', "invalid-utf8", 1),
    fault(b'"a\xbf"', "invalid-utf8", 2),
    fault(b'"\xc3("', "invalid-utf8", 1),
    fault(b'"\xc0\xaf"', "invalid-utf8", 1),
    fault(b'"\xc1\xbf"', "invalid-utf8", 1),
    fault(b'"\xe0\x9f\xbf"', "invalid-utf8", 1),
    fault(b'"\xf0\x8f\xbf\xbf"', "invalid-utf8", 1),
    fault(b'"\xed\xa0\x80"', "invalid-utf8", 1),
    fault(b'"\xed\xbf\xbf"', "invalid-utf8", 1),
    fault(b'"\xf4\x90\x80\x80"', "invalid-utf8", 1),
    fault(b'"\xf5\x80\x80\x80"', "invalid-utf8", 1),
    fault(b'"\xff"', "invalid-utf8", 1),
    fault(b'"\xe2\x82"', "invalid-utf8", 1),
    fault(b'"\xf0\x9f\x98"', "invalid-utf8", 1),
    fault(b'"\xe2\x82\xac\xe2\x28\xa1"', "invalid-utf8", 4, (1, 3)),
    fault(b'["\xc3\xa9\xe9"]', "invalid-utf8", 4, (1, 4), "$[0]", "/0"),
    fault(b'{"k\xff":1}', "invalid-utf8", 3),
    fault(b'{"k\xed\xa0\x80":1}', "invalid-utf8", 3),
    fault(b'{"a":{"\xc0\x80":1}}', "invalid-utf8", 7, path="$.a", pointer="/a"),
    fault(b'{"a":{"b":"\xc0\x80"}}', "invalid-utf8", 11, path="$.a.b", pointer="/a/b"),
    # Comments
    fault("/* c */ 1", "comment-not-allowed", 0),
    fault("// c\n1", "comment-not-allowed", 0),
    fault("[1 // x\n]", "comment-not-allowed", 3, path="$[1]", pointer="/1"),
    fault("[/**/]", "comment-not-allowed", 1, path="$[0]", pointer="/0"),
    fault('{"a": /* c */ 1}', "comment-not-allowed", 6, path="$.a", pointer="/a"),
    fault("[] // end", "comment-not-allowed", 3),
    # Brackets
    fault("[1}", "mismatched-bracket", 2, path="$[1]", pointer="/1"),
    fault('{"a":1]', "mismatched-bracket", 6),
    fault('{"a":[1}', "mismatched-bracket", 7, path="$.a[1]", pointer="/a/1"),
    fault("[[1, 2}, 3]", "mismatched-bracket", 6, path="$[0][2]", pointer="/0/2"),
    # Duplicate keys, on demand
    fault('{"a":1,"a":2}', "duplicate-key", 7, path="$.a", pointer="/a", duplicates="error"),
    fault('{"a":1, "\\u0061":2}', "duplicate-key", 8, path="$.a", pointer="/a", duplicates="error"),
    fault(
        '[{"é":1,\n"x":0,"é":2}]',
        *("duplicate-key", 16, (2, 7), "$[0].é", "/0/é"),
        duplicates="error",
    ),
    # Columns are characters, whatever came before
    fault('["é", x]', "invalid-literal", 7, (1, 7), "$[1]", "/1"),
    fault('{"日本語": x}', "invalid-literal", 14, (1, 9), "$.日本語", "/日本語"),
    fault('["😀😀", x]', "invalid-literal", 13, (1, 8), "$[1]", "/1"),
    fault('["e\u0301", x]', "invalid-literal", 8, (1, 8), "$[1]", "/1"),
    fault('["é",\n "é", x]', "invalid-literal", 14, (2, 7), "$[2]", "/2"),
    # Line ends and the byte order mark
    fault("[1,\r\n2,\r\nx]", "invalid-literal", 9, (3, 1), "$[2]", "/2"),
    fault("[1,\r\n 2 3]", "expected-comma", 8, (2, 4), path="$[2]", pointer="/2"),
    fault(BOM + b"x", "invalid-literal", 3, (1, 1)),
    fault(BOM + b"[x]", "invalid-literal", 4, (1, 2), "$[0]", "/0"),
    fault(BOM + b"[1,\nx]", "invalid-literal", 7, (2, 1), "$[1]", "/1"),
    # Names in paths
    fault('{"a b": x}', "invalid-literal", 8, path="$['a b']", pointer="/a b"),
    fault('{"a/b~c": x}', "invalid-literal", 10, path="$['a/b~c']", pointer="/a~1b~0c"),
    fault('{"": x}', "invalid-literal", 5, path="$['']", pointer="/"),
    fault('{"0": x}', "invalid-literal", 6, path="$['0']", pointer="/0"),
]


def by_text(item: Fault) -> str:
    return f"{item.data[:24]!r}"


def late(item: Fault) -> bool:
    return item.code == "number-overflow"


def test_table_is_large_and_covers_the_codes_of_reading() -> None:
    assert len(FAULTS) >= 150
    assert len({(item.data, item.options) for item in FAULTS}) == len(FAULTS), "a row stands twice"
    codes = {item.code for item in FAULTS}
    known = {code.value for code in octad.ErrorCode}
    assert codes <= known
    assert len(codes) == 21  # the unterminated comment has a test of its own


@pytest.mark.feature(91, 92, 219, 220)
@pytest.mark.parametrize("item", FAULTS, ids=by_text)
def test_code_and_place(item: Fault) -> None:
    error = refuse(item.data, late=late(item), **item.kwargs)
    got = (error.code, error.offset, error.line, error.column)
    assert got == (item.code, item.offset, item.line, item.column)
    assert isinstance(error.code, octad.ErrorCode)


@pytest.mark.feature(219)
@pytest.mark.parametrize("item", FAULTS, ids=by_text)
def test_path_and_pointer(item: Fault) -> None:
    error = refuse(item.data, late=late(item), **item.kwargs)
    assert (error.path, error.pointer) == (item.path, item.pointer)


@pytest.mark.feature(91)
@pytest.mark.parametrize("item", FAULTS, ids=by_text)
def test_message_and_caret(item: Fault) -> None:
    error = refuse(item.data, late=late(item), **item.kwargs)
    message = error.message
    assert message.startswith("expected ")
    assert not message.endswith(".")
    assert "\n" not in message
    outside_quotes = "".join(message.split("`")[::2])
    assert not set("{}") & set(outside_quotes), message
    shown = str(error)
    assert shown.startswith(message)
    assert f"line {item.line}" in shown
    assert f"column {item.column}" in shown
    if item.path != "$":
        assert item.path in shown
    *_, above, caret = shown.rstrip("\n").split("\n")
    assert caret.strip() == "^", shown
    text = item.data.decode("utf-8", "replace").removeprefix("\ufeff")
    lines = text.split("\n")
    line = lines[item.line - 1] if item.line <= len(lines) else ""
    line = line.removesuffix("\r")
    assert error.source_line is not None
    at = item.column - 1
    if at < len(line) and line[at].isprintable() and "\ufffd" not in line and len(line) <= 40:
        assert above[caret.index("^")] == line[at], shown
    if at >= len(line):
        assert caret.index("^") == len(above), shown


def test_a_name_that_is_no_identifier_is_quoted_in_a_path() -> None:
    """As JSONPath has it (RFC 9535, 2.5.1.1), and as the public cases expect."""
    assert refuse('{"oh-no": x}').path == "$['oh-no']"


# Faults that may be named in more than one way, at one place


@pytest.mark.parametrize(
    ("data", "offset", "codes"),
    [
        (b"]", 0, {"expected-value", "mismatched-bracket"}),
        (b"}", 0, {"expected-value", "mismatched-bracket"}),
        (b"[}", 1, {"expected-value", "mismatched-bracket"}),
        (b"{]", 1, {"expected-key", "mismatched-bracket"}),
        (b'{"a":]', 5, {"expected-value", "mismatched-bracket"}),
        (b'{"a":1,]', 7, {"expected-key", "mismatched-bracket"}),
        (b"True", 0, {"expected-value", "invalid-literal"}),
        (b"[None]", 1, {"expected-value", "invalid-literal"}),
        (b"-", 1, {"missing-digits", "unexpected-end"}),
        (b"1.", 2, {"missing-digits", "unexpected-end"}),
        (b"1e", 2, {"missing-digits", "unexpected-end"}),
        (b"1e+", 3, {"missing-digits", "unexpected-end"}),
        (b"/", 0, {"expected-value", "comment-not-allowed"}),
        (b"{} /", 3, {"trailing-data", "comment-not-allowed"}),
        (b"\xff", 0, {"expected-value", "invalid-utf8"}),
        (b"\xef\xbb", 0, {"expected-value", "invalid-utf8"}),
        (b"[1]\xff", 3, {"trailing-data", "invalid-utf8"}),
        (b"[1\xc3\xa9]", 2, {"expected-comma"}),
        (b"{\xff", 1, {"expected-key", "invalid-utf8"}),
        (b"\xfe\xff\x00[\x00]", 0, {"expected-value", "invalid-utf8"}),
        (b"\xff\xfe[\x00]\x00", 0, {"expected-value", "invalid-utf8"}),
        (BOM + BOM + b"1", 3, {"expected-value"}),
        (b"[" + BOM + b"1]", 1, {"expected-value"}),
        (b"\x0b1", 0, {"expected-value"}),
        (b"\x0c1", 0, {"expected-value"}),
        (b"\xc2\xa01", 0, {"expected-value"}),
        (b"\xe2\x80\xa81", 0, {"expected-value"}),
        (b"\x7f", 0, {"expected-value"}),
    ],
)
def test_place_where_two_names_fit(data: bytes, offset: int, codes: set[str]) -> None:
    error = refuse(data)
    assert error.offset == offset
    assert error.code in codes


# NUL anywhere


@pytest.mark.feature(223)
@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\x00", "expected-value"),
        (b"\x00[1]", "expected-value"),
        (b"[\x00]", "expected-value"),
        (b"[1\x00]", "expected-comma"),
        (b"[1,\x00]", "expected-value"),
        (b"[-1234\x00]", "expected-comma"),
        (b"[1.5\x00]", "expected-comma"),
        (b"[true\x00]", "expected-comma"),
        (b"[1]\x00", "trailing-data"),
        (b"[1]\x00[2]", "trailing-data"),
        (b"123\x00", "trailing-data"),
        (b"true\x00", "trailing-data"),
        (b"{\x00}", "expected-key"),
        (b'{"a"\x00:1}', "expected-colon"),
        (b'{"a":\x00}', "expected-value"),
        (b'{"a":1\x00}', "expected-comma"),
        (b'{"a\x00":1}', "control-character"),
        (b'["a\x00b"]', "control-character"),
        (b'["\\\x00"]', "invalid-escape"),
    ],
)
def test_nul_is_never_white_space(data: bytes, code: str) -> None:
    error = refuse(data)
    want = data.index(b"\\") if code == "invalid-escape" else data.index(b"\x00")
    assert (error.code, error.offset) == (code, want)


@pytest.mark.feature(223)
def test_nul_put_at_every_place_of_a_text() -> None:
    text = b'{"key": ["a\\n", -12.5e3, true, null, {"x": ""}], "z": 0}'
    read(text)
    for at in range(len(text) + 1):
        broken = text[:at] + b"\x00" + text[at:]
        error = refuse(broken)
        # Words and escapes are pointed at from their start, everything else at the NUL itself.
        assert error.offset == at or (error.offset < at and error.code in STARTS), (broken, error)


STARTS = {"invalid-literal", "invalid-escape", "invalid-unicode-escape"}


# Truncation

SAMPLE = (
    '{\n  "naïve": "日本 \\"q\\" \\u00e9\\ud83d\\ude00 😀",\r\n'
    '  "list": [1, -2.5e+10, 0, true, false, null, [], {}],\n'
    '  "deep": {"a": [[{"b": "\\\\"}]]}\n}'
).encode()


def expectations_of_a_cut(whole: bytes, cut: int) -> set[tuple[str, int]]:
    """Every right (code, offset) for the first `cut` bytes of a sample without its end."""
    text = whole[:cut]
    allowed = {("unexpected-end", cut)}
    if text[-1:] in b"-.eE+" and whole[cut : cut + 1].isdigit():
        allowed.add(("missing-digits", cut))
    if not text.strip():
        allowed = {("empty-input", cut)}
    try:
        text.decode()
    except UnicodeDecodeError as broken:
        allowed.add(("invalid-utf8", broken.start))
    return allowed


@pytest.mark.feature(223, 224)
def test_a_text_cut_at_every_byte() -> None:
    read(SAMPLE)
    for cut in range(len(SAMPLE)):
        error = refuse(SAMPLE[:cut])
        allowed = expectations_of_a_cut(SAMPLE, cut)
        assert (error.code, error.offset) in allowed, (SAMPLE[:cut][-12:], error.code, error.offset)


@pytest.mark.feature(223)
def test_a_large_text_cut_anywhere_is_refused_at_its_end() -> None:
    """Cuts over the borders of vector blocks and of long values."""
    whole = b'["' + b"x" * 300 + b'", "' + "é".encode() * 150 + b'", [' + b"1, " * 100 + b"1]]"
    read(whole)
    for cut in range(len(whole) - 600, len(whole)):
        error = refuse(whole[:cut])
        assert error.offset == cut or error.code == "invalid-utf8"


# Depth


@pytest.mark.feature(86, 223)
@pytest.mark.parametrize(
    ("data", "offset"),
    [
        (b"[" * 100_000, 1024),
        (b'{"a":' * 100_000, 1024 * 5),
        (b"[" * 100_000 + b"]" * 100_000, 1024),
        (b'[{"a":' * 50_000 + b"1" + b"}]" * 50_000, 512 * 6),
        (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, 1024 * 5),
    ],
    ids=["arrays", "objects", "closed arrays", "mixed", "closed objects"],
)
def test_deep_nesting_is_an_error_and_no_overflow(data: bytes, offset: int) -> None:
    error = refuse(data)
    assert (error.code, error.offset) == ("depth-limit", offset)
    assert isinstance(error, octad.LimitError)
    assert len(str(error)) < 5000, "no more of the input than its path and forty characters"


@pytest.mark.feature(86)
def test_many_closed_brackets_are_fine_next_to_each_other() -> None:
    wide = b"[" + b",".join([b"[]"] * 100_000) + b"]"
    assert len(read(wide)) == 100_000


# Position in the text, not in the order of the passes


@pytest.mark.feature(91)
@pytest.mark.parametrize(
    ("data", "code", "offset"),
    [
        (b'[x, "\xff"]', "invalid-literal", 1),
        (b'["\xff", x]', "invalid-utf8", 2),
        (b'["\\q", "\xff"]', "invalid-escape", 2),
        (b'["\xff\\q"]', "invalid-utf8", 2),
        (b'["\\q\xff"]', "invalid-escape", 2),
        (b'["\x01\\q"]', "control-character", 2),
        (b'["\\ud800", 01]', "lone-surrogate", 2),
        (b'[01, "\\ud800"]', "leading-zero", 2),
        (b'["\\q", 1', "invalid-escape", 2),
        (b'["\xff', "invalid-utf8", 2),
        (b'{"\\q" 1}', "invalid-escape", 2),
        (b"[1e400, x]", "number-overflow", 1),
        (b"[" + b"1," * 100 + b'"\xff", x]', "invalid-utf8", 202),
    ],
)
def test_the_first_fault_of_a_text_is_the_one_reported(data: bytes, code: str, offset: int) -> None:
    error = error_of(json.loads, data)
    assert (error.code, error.offset) == (code, offset)
    assert next((p.code, p.offset) for p in json.check(data)) == (code, offset)


@pytest.mark.feature(91)
def test_faults_at_every_distance_from_the_start() -> None:
    """The same fault behind 0 to 200 bytes, in a string and between values."""
    for pad in range(200):
        text = b'["' + b"a" * pad + b"\\q" + b'"]'
        error = refuse(text)
        assert (error.code, error.offset, error.column) == ("invalid-escape", 2 + pad, 3 + pad)
        text = b'["' + b"a" * pad + b"\xff" + b'"]'
        assert refuse(text).offset == 2 + pad
        text = b'["' + b"a" * pad + b"\x1f" + b"b" * 70 + b'"]'
        assert refuse(text).offset == 2 + pad
        text = b"[" + b" " * pad + b"x]"
        assert refuse(text).offset == 1 + pad
        text = b"[" + b"1" * (pad + 1) + b"x]"
        assert refuse(text).offset == 2 + pad


@pytest.mark.feature(220)
def test_lines_and_columns_against_a_slow_count() -> None:
    for pieces in (["a\n", "é\r\n", "\n", "日本\n", "😀 "], ["\n"] * 50, ["\r\n"] * 33):
        for count in range(len(pieces) + 1):
            before = "".join(pieces[:count])
            text = "[" + "".join(c if c in "\r\n" else " " for c in before) + "?]"
            error = refuse(text)
            head = text[: text.index("?")]
            line = head.count("\n") + 1
            column = len(head) - (head.rfind("\n") + 1) + 1
            assert (error.line, error.column) == (line, column)


# Values too large for comfort

MEGA = 5 * 1024 * 1024


@pytest.mark.feature(6, 223)
def test_a_five_mebibyte_string_is_read() -> None:
    for letter in ("x", "é"):
        text = letter * MEGA
        data = f'["{text}", 1]'.encode()
        assert json.loads(data) == [text, 1]
        document = json.parse(data)
        assert document[0] == text
        assert document[1] == 1
        assert len(document) == 2
        assert document.at("/0").raw == data[1:-4]
        assert document.dumps() == data
        assert json.check(data) == []
    escaped = b'"' + b"\\n" * MEGA + b'"'
    assert json.loads(escaped) == "\n" * MEGA
    assert json.parse(escaped).root.value == "\n" * MEGA


@pytest.mark.feature(6)
def test_a_five_mebibyte_key_is_read() -> None:
    key = "k" * MEGA
    data = f'{{"{key}": 1, "b": 2}}'.encode()
    assert json.loads(data) == {key: 1, "b": 2}
    document = json.parse(data)
    assert document[key] == 1
    assert document["b"] == 2


@pytest.mark.feature(6, 9)
def test_a_five_mebibyte_float_is_read() -> None:
    third = b"0." + b"3" * MEGA
    one = b"1" + b"0" * MEGA + b"e-%d" % MEGA
    assert json.loads(b"[%s,%s]" % (third, one)) == [0.3333333333333333, 1.0]
    document = json.parse(b"[%s,%s]" % (third, one))
    assert document[0] == 0.3333333333333333
    assert document[1] == 1.0
    assert document.at("/0").raw == third
    tiny = b"0." + b"0" * MEGA + b"1"
    assert json.loads(tiny) == 0.0
    assert json.loads(b"-" + tiny).hex() == "-0x0.0p+0"


@pytest.mark.feature(9, 86, 223)
def test_a_long_integer_is_stopped_by_the_digits_limit() -> None:
    digits = b"7" * MEGA
    for data, offset in ((digits, 0), (b"[1, -%s]" % digits, 4), (b'{"a":%s}' % digits, 5)):
        error = refuse(data, late=True)
        assert (error.code, error.offset) == ("digits-limit", offset)
        assert isinstance(error, octad.LimitError)
        assert len(str(error)) < 1000


@pytest.mark.feature(6, 90)
def test_a_long_integer_is_kept_by_a_document() -> None:
    digits = b"7" * MEGA
    document = json.parse(b"[" + digits + b", 2]", limits=octad.Limits(digits=None))
    assert document[1] == 2
    assert document.at("/0").raw == digits
    assert document.dumps() == b"[" + digits + b", 2]"
    assert json.dumps(document) == b"[" + digits + b",2]"


@pytest.mark.feature(90)
def test_a_long_integer_is_read_when_the_limit_is_raised() -> None:
    digits = b"1" + b"0" * 20_000
    limits = octad.Limits(digits=20_001)
    assert json.loads(digits, limits=limits) == 10**20_000
    assert json.loads(b"-" + digits, limits=limits) == -(10**20_000)
    assert json.parse(digits, limits=limits).root.value == 10**20_000


@pytest.mark.feature(9)
def test_exponents_of_any_length() -> None:
    huge = b"9" * 100_000
    assert json.loads(b"1e-" + huge) == 0.0
    assert json.loads(b"0e" + huge) == 0.0
    assert json.loads(b"0.0e" + huge) == 0.0
    assert json.loads(b"1e+" + huge, overflow="inf") == float("inf")
    assert refuse(b"1e" + huge, late=True).code == "number-overflow"


@pytest.mark.feature(223)
def test_a_long_broken_number_is_pointed_at() -> None:
    for data in (b"1" * MEGA + b"x", b"0." + b"1" * MEGA + b"x", b'"' + b"a" * MEGA):
        error = error_of(json.parse, data, limits=octad.Limits(digits=None))
        assert error.offset == len(data) - (data[-1:] == b"x")
        assert len(str(error)) < 1000


# What an error carries


def sample_errors() -> list[octad.Error]:
    return [
        error_of(json.loads, b'{"a": [1,\n 2, x]}'),
        error_of(json.loads, '["é", \\]'),
        error_of(json.loads, b"[" * 2000),
        error_of(json.loads, b"1" * 5000),
        error_of(json.dumps, {"a": [1, object()]}),
        error_of(json.dumps, "\ud800"),
        error_of(json.parse(b'{"a": 1}').at, "/b"),
        error_of(json.parse(b'{"a": 1}').at, "b"),
        error_of(json.parse(b'{"a": "x"}').at("/a").as_int),
    ]


FIELDS = ("code", "message", "offset", "line", "column", "path", "pointer", "source_line", "args")


@pytest.mark.feature(219)
def test_errors_pickle_and_copy_with_all_fields() -> None:
    for error in sample_errors():
        twins = [
            *(pickle.loads(pickle.dumps(error, protocol)) for protocol in range(2, 6)),
            copy.copy(error),
            copy.deepcopy(error),
        ]
        for twin in twins:
            assert type(twin) is type(error)
            assert str(twin) == str(error)
            assert repr(twin) == repr(error)
            for name in FIELDS:
                assert getattr(twin, name) == getattr(error, name), name
            assert type(twin.code) is octad.ErrorCode


@pytest.mark.feature(219)
def test_family() -> None:
    assert issubclass(octad.Error, Exception)
    assert not issubclass(octad.Error, ValueError)
    assert issubclass(octad.DecodeError, octad.Error)
    assert issubclass(octad.DecodeError, ValueError)
    assert issubclass(octad.LimitError, octad.DecodeError)
    assert issubclass(octad.EncodeError, octad.Error)
    assert issubclass(octad.EncodeError, TypeError)
    assert issubclass(octad.KindError, octad.Error)
    assert issubclass(octad.KindError, TypeError)
    assert issubclass(octad.RangeError, octad.Error)
    assert issubclass(octad.RangeError, OverflowError)
    assert issubclass(octad.PointerError, octad.Error)
    assert issubclass(octad.PointerError, LookupError)
    assert issubclass(octad.ClosedError, octad.Error)
    assert issubclass(octad.ClosedError, ValueError)


@pytest.mark.feature(92)
def test_codes_are_an_enum_of_texts() -> None:
    codes = list(octad.ErrorCode)
    assert len(codes) >= 22
    assert octad.ErrorCode.TRAILING_COMMA == "trailing-comma"
    for code in codes:
        assert code.name == code.value.upper().replace("-", "_")
        assert isinstance(code, str)
    listed = octad.error_codes()
    assert list(listed) == codes
    assert all(template.startswith("expected ") for template in listed.values())


def test_error_can_be_caught_as_value_error() -> None:
    with pytest.raises(ValueError, match=r"expected a value, found .\?."):
        json.loads(b"[1, ?]")


@pytest.mark.feature(91)
def test_source_line_is_shortened_to_forty_characters() -> None:
    for pad in (0, 10, 39, 40, 41, 100, 5000):
        for tail in (0, 10, 40, 5000):
            text = "[" + " " * 5 + '"' + "é" * pad + '", ?, "' + "y" * tail + '"]'
            error = refuse(text)
            above, caret = str(error).split("\n")[-2:]
            assert above[caret.index("^")] == "?", str(error)
            assert len(above) <= 60
            assert len(error.source_line) <= 60
            longest = max((len(part) for part in error.message.split("`")[1::2]), default=0)
            assert longest <= 41


@pytest.mark.feature(91)
def test_tabs_of_an_indented_text_are_shown_as_blanks() -> None:
    error = refuse(b'{\n\t"a": 1,\n\t\t"b": x\n}')
    above, caret = str(error).split("\n")[-2:]
    assert above[caret.index("^")] == "x"
    assert above.strip() == '"b": x'
    assert "\ufffd" not in str(error)


@pytest.mark.feature(91)
def test_only_the_faulty_line_is_shown() -> None:
    error = refuse(b'{"secret": "before",\n "a": ?,\n "other": "after"}')
    assert "secret" not in str(error)
    assert "after" not in str(error)
    assert error.source_line.strip() == '"a": ?,'


@pytest.mark.feature(91)
def test_input_is_kept_out_of_errors_on_demand() -> None:
    settings = octad.Settings(show_input=False)
    text = b'{"secret": "before", "mine": hidden, "other": "after"}'
    error = error_of(json.loads, text, settings=settings)
    assert error.source_line is None
    assert "hidden" not in str(error)
    assert "before" not in str(error)
    assert "^" not in str(error)
    assert error.offset == text.index(b"hidden")
    assert error.column == error.offset + 1
    (problem, *_) = json.check(text, settings=settings)
    assert "hidden" not in str(problem)
    assert "hidden" not in problem.message


@pytest.mark.feature(222)
def test_nothing_of_an_earlier_document_shows_in_an_error() -> None:
    for size in (1, 16, 64, 1000):
        json.loads(b'["' + b"S" * size + b'", "SECRET"]')
        json.parse(b'["' + b"S" * size + b'", "SECRET"]')
        for broken in (b"[", b'["', b'["\\', b"[1", b'{"', b"", b"[t", b'["\\u', b"-"):
            error = refuse(broken)
            assert "S" not in str(error), str(error)

"""Writing JSON: the options, the targets, raw fragments, the push writer, and what is refused."""

from __future__ import annotations

import base64
import io
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import octad
import pytest
from octad import ErrorCode, json

NAN, INFINITY = float("nan"), float("inf")


def refused(code: str, call: Callable[[], object]) -> octad.EncodeError:
    """The error of a call that must be refused with this code."""
    with pytest.raises(octad.EncodeError) as caught:
        call()
    assert caught.value.code == code, caught.value
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.code, str(again)) == (code, str(caught.value))
    return caught.value


# Layout


@pytest.mark.feature(88)
@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({}, '{"a":[1,{}],"b":[]}'),
        ({"indent": 0}, '{\n"a": [\n1,\n{}\n],\n"b": []\n}'),
        ({"indent": 2}, '{\n  "a": [\n    1,\n    {}\n  ],\n  "b": []\n}'),
        ({"indent": "\t"}, '{\n\t"a": [\n\t\t1,\n\t\t{}\n\t],\n\t"b": []\n}'),
        (
            {"indent": 1, "newline": "\r\n", "final_newline": True},
            '{\r\n "a": [\r\n  1,\r\n  {}\r\n ],\r\n "b": []\r\n}\r\n',
        ),
        ({"final_newline": True}, '{"a":[1,{}],"b":[]}\n'),
    ],
)
def test_layout(options: dict[str, Any], text: str) -> None:
    value = {"a": [1, {}], "b": []}
    assert json.dumps(value, **options) == text.encode()
    assert json.dumps_str(value, **options) == text
    assert json.Encoder(**options).dumps(value) == text.encode()
    assert json.dumps(json.parse(b'{"a" :[1 , {}] ,"b":[ ]}'), **options) == text.encode()


@pytest.mark.feature(88)
def test_sorted_keys_at_every_level() -> None:
    value = {"b": {"d": 1, "c": 2}, "a": [{"z": 0, "é": 1, "Z": 2}]}
    text = '{"a":[{"Z":2,"z":0,"é":1}],"b":{"c":2,"d":1}}'
    assert json.dumps(value, sort_keys=True).decode() == text
    assert json.dumps(json.parse(json.dumps(value)), sort_keys=True).decode() == text


# Escapes


@pytest.mark.feature(94)
@pytest.mark.parametrize(
    ("escape", "text"),
    [
        ("minimal", '"\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\x7fé€😀<&>\'\u2028"'),
        (
            "ascii",
            '"\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\\u007f\\u00e9\\u20ac\\ud83d\\ude00<&>\'\\u2028"',
        ),
        (
            "html",
            '"\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\x7fé€😀\\u003c\\u0026\\u003e\\u0027\\u2028"',
        ),
    ],
)
def test_escapes(escape: Any, text: str) -> None:
    value = "\"\\/\b\f\n\r\t\0\x1f\x7fé€😀<&>'\u2028"
    written = json.dumps_str(value, escape=escape)
    assert written.lower() == text.lower()
    assert json.loads(written) == value
    assert json.dumps_str({value: 1}, escape=escape) == "{" + written + ":1}"


@pytest.mark.feature(95)
def test_lone_surrogates() -> None:
    for value in ("\ud800", ["a\udfffb"], {"\ud800": 1}):
        refused("lone-surrogate", lambda value=value: json.dumps(value))
        replaced = json.dumps(value, surrogates="replace")
        assert replaced.decode() == json.dumps_str(value, surrogates="replace")
        assert "\ufffd" in replaced.decode()
        kept = json.dumps(value, surrogates="keep")
        assert kept.isascii()
        assert json.loads(kept, surrogates="keep") == value


# Numbers


@pytest.mark.feature(98)
@pytest.mark.parametrize(
    ("nan", "text"),
    [
        ("literal", "[NaN,Infinity,-Infinity]"),
        ("null", "[null,null,null]"),
        ("string", '["NaN","Infinity","-Infinity"]'),
    ],
)
def test_not_a_number_by_policy(nan: Any, text: str) -> None:
    assert json.dumps_str([NAN, INFINITY, -INFINITY], nan=nan) == text
    assert json.dumps_str([NAN, INFINITY, -INFINITY], settings=octad.Settings(nan=nan)) == text


@pytest.mark.feature(98)
@pytest.mark.parametrize("value", [NAN, INFINITY, -INFINITY])
def test_not_a_number_is_refused_by_default(value: float) -> None:
    error = refused("not-finite", lambda: json.dumps({"a": [1, value]}))
    assert (error.path, error.pointer) == ("$.a[1]", "/a/1")


@pytest.mark.feature(99)
@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1.0"),
        (-0.0, "-0.0"),
        (1e16, "1e+16"),
        (1e15, "1000000000000000.0"),
        (1e-5, "1e-05"),
        (0.0001, "0.0001"),
        (5e-324, "5e-324"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
        (0.1 + 0.2, "0.30000000000000004"),
    ],
)
def test_floats_are_spelled_as_python_does(value: float, text: str) -> None:
    assert json.dumps_str(value) == text == repr(value)


# RFC 8785, section 3.2.2 and its appendix B


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (5e-324, "5e-324"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
        (1e21, "1e+21"),
        (1e20, "100000000000000000000"),
        (9.999999999999997e22, "9.999999999999997e+22"),
        (0.000001, "0.000001"),
        (1e-7, "1e-7"),
        (333333333.33333329, "333333333.3333333"),
        (4.50, "4.5"),
        (2e-3, "0.002"),
    ],
)
def test_canonical_numbers(value: float, text: str) -> None:
    assert json.dumps_str(value, canonical=True) == text


def test_canonical_objects() -> None:
    # Keys are sorted by UTF-16 units, so that U+1F600 stands before U+FB33.
    value = {"\ufb33": 1, "\U0001f600": 2, "\r": 3, "€": 4, "1": 5, "\u0080": 6, "ö": 7}
    text = '{"\\r":3,"1":5,"\u0080":6,"ö":7,"€":4,"\U0001f600":2,"\ufb33":1}'
    assert json.dumps_str(value, canonical=True) == text
    assert json.dumps(json.parse(json.dumps(value)), canonical=True) == text.encode()
    escapes = '\u20ac$\u000f\nA\'B"\\\\"/'
    assert json.dumps_str(escapes, canonical=True) == '"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'


def test_canonical_refuses_what_is_no_double() -> None:
    refused("not-finite", lambda: json.dumps(NAN, canonical=True))
    refused("unrepresentable", lambda: json.dumps(2**53 + 1, canonical=True))


# Bytes, keys


@pytest.mark.feature(13)
@pytest.mark.parametrize("make", [bytes, bytearray, memoryview])
def test_bytes_by_policy(make: Callable[[bytes], Any]) -> None:
    data = bytes(range(250, 256))
    error = refused("bytes-not-allowed", lambda: json.dumps([make(data)]))
    assert error.path == "$[0]"
    assert json.loads(json.dumps(make(data), bytes="base64")) == base64.b64encode(data).decode()
    urlsafe = base64.urlsafe_b64encode(data).decode().rstrip("=")
    assert json.loads(json.dumps(make(data), bytes="base64url")).rstrip("=") == urlsafe
    assert json.loads(json.dumps(make(data), bytes="hex")) == data.hex()
    assert json.loads(json.dumps(make(data), bytes="array")) == list(data)
    assert json.dumps(make(data), settings=octad.Settings(bytes="hex")) == b'"fafbfcfdfeff"'


@pytest.mark.feature(93)
def test_keys_that_are_no_text() -> None:
    value = {2: 0, None: 1, False: 2, 2.5: 3}
    assert json.dumps(value) == b'{"2":0,"null":1,"false":2,"2.5":3}'
    error = refused("key-type", lambda: json.dumps({"x": {1: 2}}, keys="error"))
    assert error.path.startswith("$.x")
    refused("key-type", lambda: json.dumps({(1, 2): 3}))
    refused("key-clash", lambda: json.dumps({1: 2, "1": 3}))


# What cannot be written


class Stranger:
    """A class that octad knows nothing of."""


def test_an_unknown_type_names_itself_and_its_place() -> None:
    error = refused("unsupported-type", lambda: json.dumps({"a": [None, Stranger()]}))
    assert (error.path, error.pointer) == ("$.a[1]", "/a/1")
    assert "Stranger" in error.message
    assert isinstance(error, TypeError)
    assert error.code is ErrorCode.UNSUPPORTED_TYPE


def test_default_is_asked_for_unknown_types() -> None:
    assert json.dumps([Stranger(), {"a": Stranger()}], default=lambda _: {"b": 1}) == (
        b'[{"b":1},{"a":{"b":1}}]'
    )
    assert json.dumps(Stranger(), settings=octad.Settings(default=lambda _: 5)) == b"5"

    def failing(value: object) -> object:
        raise KeyError(type(value).__name__)

    with pytest.raises(KeyError, match="Stranger"):
        json.dumps([Stranger()], default=failing)
    with pytest.raises(octad.EncodeError):
        json.dumps(Stranger(), default=lambda _: Stranger())


def test_cycles_are_refused() -> None:
    array: list[Any] = [1]
    array.append({"a": array})
    table: dict[str, Any] = {}
    table["me"] = table
    for value in (array, table):
        with pytest.raises(octad.EncodeError) as caught:
            json.dumps(value)
        assert caught.value.code in ("cycle", "depth-limit")
    shared = [1]
    assert json.dumps([shared, shared, {"a": shared}]) == b'[[1],[1],{"a":[1]}]'


@pytest.mark.feature(86)
def test_depth_is_limited_when_writing() -> None:
    def nested(levels: int) -> list[Any]:
        value: list[Any] = []
        for _ in range(levels - 1):
            value = [value]
        return value

    assert json.dumps(nested(1024)) == b"[" * 1024 + b"]" * 1024
    refused("depth-limit", lambda: json.dumps(nested(1025)))
    assert json.dumps(nested(3), limits=octad.Limits(depth=3)) == b"[[[]]]"
    refused("depth-limit", lambda: json.dumps(nested(4), limits=octad.Limits(depth=3)))


def test_output_is_limited() -> None:
    limits = octad.Limits(output=10)
    assert json.dumps("12345678", limits=limits) == b'"12345678"'
    refused("output-limit", lambda: json.dumps("123456789", limits=limits))
    refused("output-limit", lambda: json.dumps([1] * 1000, limits=limits))


@pytest.mark.parametrize("options", [{}, {"indent": 2}, {"final_newline": True}])
@pytest.mark.parametrize(
    "value",
    [[], {}, [1], {"a": 1}, [[]], [{"a": [{}]}, [1.5, "x"]], ["x" * 5000], json.parse("[1]")],
)
def test_a_text_of_just_as_many_bytes_as_the_limit_says_is_written(
    value: Any, options: dict[str, Any]
) -> None:
    text = json.dumps(value, **options)
    limits = octad.Limits(output=len(text))
    assert json.dumps(value, limits=limits, **options) == text
    assert json.dumps_str(value, limits=limits, **options).encode() == text
    less = octad.Limits(output=len(text) - 1)
    refused("output-limit", lambda: json.dumps(value, limits=less, **options))


@pytest.mark.parametrize("text", ["\ud800", "a\udfff\U0001f600é", "\ud800" * 40])
@pytest.mark.parametrize("surrogates", ["replace", "keep"])
def test_ascii_stays_ascii_whatever_becomes_of_lone_surrogates(text: str, surrogates: Any) -> None:
    values: list[Any] = [text, {text: text}, [{text: 1}] * 3]
    values.append(json.parse(json.dumps(text, surrogates="keep"), surrogates="keep"))
    for value in values:
        written = json.dumps(value, escape="ascii", surrogates=surrogates)
        assert written.isascii()
        plain = json.dumps(value, surrogates=surrogates)
        assert json.loads(written, surrogates="keep") == json.loads(plain, surrogates="keep")


def test_a_container_that_changes_its_size_is_refused() -> None:
    array: list[Any] = [Stranger(), 2]
    table: dict[str, Any] = {"a": Stranger(), "b": 2}
    refused("size-changed", lambda: json.dumps(array, default=lambda _: array.append(1)))
    refused(
        "size-changed",
        lambda: json.dumps(table, default=lambda _: table.setdefault(str(len(table)), 1)),
    )


@pytest.mark.parametrize(
    "options",
    [
        {"indent": "x"},
        {"indent": -1},
        {"newline": "x"},
        {"escape": "none"},
        {"nan": "maybe"},
        {"bytes": "base32"},
        {"keys": "any"},
        {"surrogates": "drop"},
        {"unknown": 1},
        {"default": 1},
        {"limits": 5},
        {"settings": 5},
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any]) -> None:
    for call in (json.dumps, json.dumps_str):
        with pytest.raises((TypeError, ValueError), match=next(iter(options))):
            call(1, **options)
    with pytest.raises((TypeError, ValueError)):
        json.Encoder(**options)
    with pytest.raises((TypeError, ValueError)):
        json.Writer(**options)


# Targets


@pytest.mark.feature(30)
def test_dump_into_a_buffer() -> None:
    buffer = bytearray(b"head....tail")
    assert json.dump_into([1, 2], buffer, 4) == 9
    assert buffer == b"head[1,2]ail"
    assert json.dump_into("more", buffer, 9) == 15
    assert bytes(buffer[:15]) == b'head[1,2]"more"'
    fresh = bytearray()
    assert json.dump_into({"a": "x" * 1000}, fresh) == 1008
    assert bytes(fresh[:1008]) == b'{"a":"' + b"x" * 1000 + b'"}'
    assert json.Encoder(indent=1).dump_into([1], fresh, 2) == 2 + len(b"[\n 1\n]")


@pytest.mark.feature(30)
def test_dump_into_leaves_a_buffer_alone_when_it_fails() -> None:
    buffer = bytearray(b"12345")
    with pytest.raises(octad.EncodeError):
        json.dump_into([1, Stranger()], buffer, 1)
    assert buffer == b"12345"
    for offset in (6, -1):
        with pytest.raises((ValueError, IndexError, OverflowError)):
            json.dump_into(1, buffer, offset)
    with pytest.raises(TypeError):
        json.dump_into(1, b"12345")  # type: ignore[arg-type]
    with memoryview(buffer), pytest.raises(BufferError):
        json.dump_into("longer than the buffer", buffer)


@pytest.mark.feature(29)
def test_dump_to_a_path_replaces_the_file_whole(tmp_path: Path) -> None:
    path = tmp_path / "value.json"
    json.dump({"a": 1}, path)
    assert path.read_bytes() == b'{"a":1}'
    path.chmod(0o640)
    json.dump([2], str(path), final_newline=True)
    assert path.read_bytes() == b"[2]\n"
    assert path.stat().st_mode & 0o777 == 0o640
    with pytest.raises(octad.EncodeError):
        json.dump([Stranger()], path)
    assert path.read_bytes() == b"[2]\n"
    octad.dump({"b": [1]}, path, indent=1)
    assert octad.load(path) == {"b": [1]}
    assert os.listdir(tmp_path) == ["value.json"]


@pytest.mark.feature(29)
def test_dump_to_a_file() -> None:
    binary, text = io.BytesIO(), io.StringIO()
    json.dump({"é": 1}, binary)
    json.dump({"é": 1}, text)
    json.Encoder(escape="ascii").dump("é", text)
    assert binary.getvalue() == '{"é":1}'.encode()
    assert text.getvalue() == '{"é":1}"\\u00e9"'
    with pytest.raises(TypeError):
        json.dump(1, 5)  # type: ignore[arg-type]


def test_convert_writes_any_document_anew() -> None:
    text = b'{ "a": [1.50, "\\u00e9"] }'
    assert octad.convert(text, "json", "json") == json.dumps(json.parse(text))


# Raw fragments


def test_raw_fragments_are_written_as_they_are() -> None:
    raw = octad.Raw(b'{"a": 1.50}')
    assert raw.data == b'{"a": 1.50}'
    assert json.dumps([raw, {"b": octad.Raw("-0")}]) == b'[{"a": 1.50},{"b":-0}]'
    assert json.dumps(octad.Raw('"é"')) == '"é"'.encode()


@pytest.mark.parametrize("text", [b"", b"{", b"1 2", b"01", b"nul", b'"\xff"', b"[1,]", b"NaN"])
def test_raw_fragments_are_checked_unless_trusted(text: bytes) -> None:
    error = refused("invalid-raw", lambda: json.dumps({"a": octad.Raw(text)}))
    assert error.pointer == "/a"


def test_trusted_fragments_are_not_checked() -> None:
    assert json.dumps([octad.Raw(b"1, 2", trusted=True)]) == b"[1, 2]"


# The push writer


@pytest.mark.feature(96, 97)
def test_writer_builds_a_document() -> None:
    writer = json.Writer()
    with writer.map():
        writer.key("a")
        writer.value({"x": [1, 2.5]})
        writer.entry("b", None)
        writer.key("c")
        with writer.list():
            writer.raw(b"1.50")
            writer.value(json.parse(b"[1e2]"))
            with writer.map():
                pass
        writer.entry("d", json.parse(b'{"k": "v"}').root)
    text = b'{"a":{"x":[1,2.5]},"b":null,"c":[1.50,[1e2],{}],"d":{"k":"v"}}'
    assert writer.finish() == text


@pytest.mark.feature(96)
def test_writer_without_blocks_and_with_layout() -> None:
    writer = json.Writer(indent=1, final_newline=True)
    writer.list()
    writer.value(1)
    writer.map()
    writer.entry("a", [])
    writer.end()
    writer.end()
    assert writer.finish() == json.dumps([1, {"a": []}], indent=1, final_newline=True)


def test_writer_of_one_scalar() -> None:
    writer = json.Writer()
    writer.value("only")
    assert writer.finish() == b'"only"'


MISUSES: list[Callable[[json.Writer], object]] = [
    lambda w: w.finish(),
    lambda w: w.key("a"),
    lambda w: w.entry("a", 1),
    lambda w: w.end(),
    lambda w: (w.value(1), w.value(2)),
    lambda w: (w.value(1), w.list()),
    lambda w: (w.map(), w.value(1)),
    lambda w: (w.map(), w.list()),
    lambda w: (w.map(), w.raw(b"1")),
    lambda w: (w.map(), w.key("a"), w.key("b")),
    lambda w: (w.map(), w.key("a"), w.end()),
    lambda w: (w.map(), w.key("a"), w.entry("b", 1)),
    lambda w: (w.list(), w.key("a")),
    lambda w: (w.list(), w.entry("a", 1)),
    lambda w: (w.list(), w.finish()),
    lambda w: (w.list(), w.end(), w.end()),
    lambda w: (w.value(1), w.finish(), w.value(2)),
    lambda w: (w.value(1), w.finish(), w.finish()),
]


@pytest.mark.parametrize("misuse", MISUSES)
def test_writer_refuses_misuse(misuse: Callable[[json.Writer], object]) -> None:
    refused("writer-state", lambda: misuse(json.Writer()))


def test_writer_checks_what_it_is_given() -> None:
    writer = json.Writer()
    writer.list()
    refused("unsupported-type", lambda: writer.value(Stranger()))
    refused("invalid-raw", lambda: writer.raw(b"{"))
    refused("not-finite", lambda: writer.value([1, NAN]))
    writer.value(2)
    writer.end()
    assert writer.finish() == b"[2]"


@pytest.mark.feature(86)
def test_writer_keeps_the_depth_limit() -> None:
    writer = json.Writer(limits=octad.Limits(depth=2))
    writer.list()
    writer.list()
    refused("depth-limit", lambda: writer.list())


def test_a_block_left_by_an_exception_passes_it_on() -> None:
    writer = json.Writer()
    with pytest.raises(ZeroDivisionError), writer.list():
        writer.value(1 / 0)

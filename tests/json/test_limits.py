"""Each limit of the reader at its value and one beyond, its place, and its class.

Owns the borders; what limits protect from (deep and huge texts) is in test_errors.py.
"""

from __future__ import annotations

from collections.abc import Callable

import octad
import pytest
from octad import json

from tests.support import assert_same, error_of, read, refuse


def limited(**limits: int) -> dict[str, octad.Limits]:
    return {"limits": octad.Limits(**limits)}


# depth


@pytest.mark.feature(86)
@pytest.mark.parametrize("depth", [1, 2, 3, 31, 32, 33, 64, 100, 1023, 1024])
def test_depth_at_the_limit_and_beyond(depth: int) -> None:
    for opening, closing in (("[", "]"), ('{"a":', "}")):
        core = "[]" if opening == "[" else "{}"
        fits = opening * (depth - 1) + core + closing * (depth - 1)
        beyond = opening * depth + core + closing * depth
        read(fits, **limited(depth=depth))
        error = refuse(beyond, **limited(depth=depth))
        assert (error.code, error.offset) == ("depth-limit", len(opening) * depth)
        assert isinstance(error, octad.LimitError)


@pytest.mark.feature(86)
def test_default_depth_is_1024() -> None:
    assert octad.Limits().depth == 1024
    read(b"[" * 1024 + b"]" * 1024)
    assert refuse(b"[" * 1025 + b"]" * 1025).offset == 1024
    read(b"[" * 1025 + b"]" * 1025, **limited(depth=1025))


@pytest.mark.feature(86)
def test_depth_counts_open_containers_only() -> None:
    read(b"[[],[],[[]],{}]", **limited(depth=3))
    read(b"1", **limited(depth=1))
    assert refuse(b"[[],[],[[]],{}]", **limited(depth=2)).offset == 8


@pytest.mark.feature(86, 223)
def test_a_raised_depth_is_bearable() -> None:
    """Reading, writing, comparing and dropping deep documents does not use the C stack."""
    depth = 50_000
    text = b"[" * depth + b"]" * depth
    limits = octad.Limits(depth=depth)
    document = json.parse(text, limits=limits)
    assert document.dumps() == text
    assert json.check(text, limits=limits) == []
    assert json.dumps(document, limits=limits) == text
    assert document == json.parse(text, limits=limits)
    inner = document.root
    for _ in range(100):
        inner = inner[0]
    assert inner.pointer == "/0" * 100
    value = json.loads(text, limits=limits)
    for _ in range(depth - 1):
        (value,) = value
    assert value == []


# size


@pytest.mark.feature(5, 223)
def test_size_at_the_limit_and_beyond() -> None:
    for text in (b"[1, 2]", '["é"]'.encode(), b"   7   "):
        read(text, **limited(size=len(text)))
        error = refuse(text, **limited(size=len(text) - 1))
        assert error.code == "size-limit"
        assert isinstance(error, octad.LimitError)
        assert "streaming" in error.message
    assert read('["é"]', **limited(size=6)) == ["é"]
    assert refuse('["é"]', **limited(size=5)).code == "size-limit"


@pytest.mark.feature(5)
def test_size_holds_for_files(tmp_path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"[1, 2]")
    assert json.load(path, **limited(size=6)) == [1, 2]
    assert json.open(path, **limited(size=6))[1] == 2
    for verb in (json.load, json.open):
        assert error_of(verb, path, **limited(size=5)).code == "size-limit"


# tokens


@pytest.mark.feature(1, 223)
@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        (b"1", 1),
        (b"[]", 1),
        (b"[1]", 2),
        (b'["a", [true, null], {}]', 6),
        (b'{"a": 1}', 3),
        (b'{"a": {"b": [1, 2]}, "c": 0}', 9),
    ],
)
def test_tokens_at_the_limit_and_beyond(text: bytes, tokens: int) -> None:
    """A value is a token, a key is a token, a container is one beside its contents."""
    read(text, **limited(tokens=tokens))
    error = refuse(text, **limited(tokens=tokens - 1))
    assert error.code == "token-limit"
    assert isinstance(error, octad.LimitError)
    assert "streaming" in error.message


@pytest.mark.feature(223)
def test_the_token_limit_stops_early() -> None:
    text = b"[" + b"0," * 100_000 + b"0]"
    error = refuse(text, **limited(tokens=10))
    assert error.offset < 100


# text


@pytest.mark.feature(223)
@pytest.mark.parametrize("size", [0, 1, 7, 8, 31, 32, 33, 1000])
def test_text_at_the_limit_and_beyond(size: int) -> None:
    fits, beyond = "x" * size, "x" * (size + 1)
    if size:
        assert_same(read(f'["{fits}"]', **limited(text=size)), [fits])
        assert_same(read(f'{{"{fits}": 1}}', **limited(text=size)), {fits: 1})
    for text in (
        f'["{beyond}"]',
        f'{{"{beyond}": 1}}',
        f'["ok", "{beyond}"]' if size > 1 else f'["", "{beyond}"]',
    ):
        error = refuse(text, **limited(text=size))
        assert error.code == "text-limit"
        assert isinstance(error, octad.LimitError)
        assert text[error.offset] == '"' or error.offset == text.index(beyond) + size


@pytest.mark.feature(223)
def test_text_counts_bytes() -> None:
    read('["éé"]', **limited(text=4))
    assert refuse('["éé"]', **limited(text=3)).code == "text-limit"


# digits


@pytest.mark.feature(90, 223)
@pytest.mark.parametrize("digits", [1, 2, 15, 16, 17, 18, 19, 20, 21, 40, 1000, 4300])
def test_digits_at_the_limit_and_beyond(digits: int) -> None:
    fits, beyond = "9" * digits, "9" * (digits + 1)
    for sign in ("", "-"):
        assert_same(read(sign + fits, **limited(digits=digits)), int(sign + fits))
        assert_same(read(f"[{sign}{fits}]", **limited(digits=digits)), [int(sign + fits)])
        for text, offset in ((sign + beyond, 0), (f"[1, {sign}{beyond}]", 4)):
            error = refuse(text, late=True, **limited(digits=digits))
            assert (error.code, error.offset) == ("digits-limit", offset)
            assert isinstance(error, octad.LimitError)


@pytest.mark.feature(90)
def test_default_digits_are_4300() -> None:
    assert octad.Limits().digits == 4300
    assert read("9" * 4300) == int("9" * 4300)
    assert refuse("9" * 4301, late=True).code == "digits-limit"


@pytest.mark.feature(90)
def test_digits_limit_is_octads_own() -> None:
    """A lower or a higher limit of the interpreter changes nothing."""
    import sys

    before = sys.get_int_max_str_digits()
    text, number = "7" * 5000, (10**5000 - 1) // 9 * 7
    try:
        sys.set_int_max_str_digits(640)
        assert json.loads(text[:4300]) == number // 10**700
        assert json.loads(text, limits=octad.Limits(digits=5000)) == number
        sys.set_int_max_str_digits(0)
        assert error_of(json.loads, text).code == "digits-limit"
    finally:
        sys.set_int_max_str_digits(before)


@pytest.mark.feature(9)
def test_digits_do_not_bound_floats_and_decimals() -> None:
    text = "0." + "1" * 5000
    assert_same(read(text), 0.1111111111111111)
    assert len(str(read(text, floats="decimal"))) == len(text)
    assert_same(read("1" * 5000 + "e-4999"), 1.1111111111111112)


@pytest.mark.feature(90)
def test_no_digits_limit() -> None:
    assert json.loads("8" * 6000, limits=octad.Limits(digits=None)) == (10**6000 - 1) // 9 * 8


# the object


def test_limits_are_values() -> None:
    limits = octad.Limits(depth=5, size=100)
    assert limits == octad.Limits(depth=5, size=100)
    assert hash(limits) == hash(octad.Limits(depth=5, size=100))
    assert limits != octad.Limits(depth=6, size=100)
    assert (limits.depth, limits.size, limits.tokens, limits.text) == (5, 100, None, None)
    assert (limits.digits, limits.expansion, limits.output) == (4300, 100, None)
    with pytest.raises(AttributeError):
        limits.depth = 9
    assert "depth=5" in repr(limits)


@pytest.mark.parametrize(
    "make",
    [
        lambda: octad.Limits(depth=-1),
        lambda: octad.Limits(size=-1),
        lambda: octad.Limits(depth="many"),
        lambda: octad.Limits(no_such_limit=1),
        lambda: octad.Limits(digits=1.5),
    ],
)
def test_wrong_limits_are_refused(make: Callable[[], octad.Limits]) -> None:
    with pytest.raises((ValueError, TypeError, OverflowError)):
        make()


@pytest.mark.feature(86)
@pytest.mark.parametrize("floats", ["float", "decimal"])
@pytest.mark.parametrize(
    ("text", "path"),
    [
        ('[/*a*/ 1, {/*b*/ "k": 5555}, 7]', "$[1].k"),
        ('// a\n{"x": /*b*/ {"y": [1, 2 /*c*/, 3, -12345678901234567890123]}}', "$.x.y[3]"),
        ('[[], /*a*/ [/*b*/], {/*c*/}, {"a": 1 /*d*/, /*e*/ "b": /*f*/ [1234]}]', "$[3].b[0]"),
        ("/*a*/ /*b*/ 1234", "$"),
        ("[1, 2, 1234] // z", "$[2]"),
    ],
)
def test_comments_do_not_shift_the_place_of_a_value_at_fault(
    text: str, path: str, floats: str
) -> None:
    """Such a value is found after the text has been read, by its number among the values."""
    options = {"comments": True, "floats": floats, **limited(digits=3)}
    digits = text.index(next(word for word in ("5555", "-123456", "1234") if word in text))
    for data in (text, text.encode(), " " * 4000 + text):
        at = digits + len(data) - len(text)
        for verb in (json.loads, json.Decoder(**options).loads):
            given = options if verb is json.loads else {}
            error = error_of(verb, data, **given)
            assert (error.code, error.path, error.offset) == ("digits-limit", path, at)
        (problem,) = json.check(data, **options)
        assert (problem.path, problem.offset) == (path, at)

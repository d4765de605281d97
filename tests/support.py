"""What the Python tests share: exact comparison, a strict stdlib reader, doors to octad.

Owns how a test asks a question of octad; the questions themselves stand in the test files.
A reader answers in several ways (loads, parse, check); the doors below put every text to all
of them and fail when they disagree, so each test checks the agreement as well.
"""

from __future__ import annotations

import gc
import json as stdlib_json
import math
import os
import struct
import subprocess
import sys
from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import octad
from octad import json

BOM = b"\xef\xbb\xbf"


# Exact comparison


def float_bits(value: float) -> bytes:
    """The eight bytes of a double; every NaN counts as the same one."""
    return b"nan" if math.isnan(value) else struct.pack(">d", value)


def difference(got: Any, want: Any, ordered: bool = True) -> str | None:
    """The first place where two plain values differ in type, order or value, or None."""
    open_pairs = [(got, want, "$")]
    while open_pairs:
        left, right, where = open_pairs.pop()
        if type(left) is not type(right):
            kinds = (
                f"{type(left).__name__} {left!r:.60} is not {type(right).__name__} {right!r:.60}"
            )
            return f"{where}: {kinds}"
        if isinstance(right, float):
            same = float_bits(left) == float_bits(right)
        elif isinstance(right, Decimal):
            same = left.as_tuple() == right.as_tuple()
        elif isinstance(right, list):
            same = len(left) == len(right)
            children = zip(left, right, range(len(right)), strict=False)
            open_pairs += [(one, two, f"{where}[{index}]") for one, two, index in children]
        elif isinstance(right, dict):
            same = (list(left) == list(right) if ordered else set(left) == set(right)) and all(
                type(key) is str for key in left
            )
            if same:
                open_pairs += [(left[key], right[key], f"{where}.{key:.40}") for key in right]
        else:
            same = left == right
        if not same:
            return f"{where}: {left!r:.60} is not {right!r:.60}"
    return None


def assert_same(got: Any, want: Any, *, ordered: bool = True) -> None:
    """Fail unless both agree in type, value, sign of zero, and (by default) order of keys."""
    found = difference(got, want, ordered)
    assert found is None, found


def assert_equal(left: Any, right: Any) -> None:
    """Both operators, from both sides, say that two values are equal."""
    answers = [left == right, right == left, left != right, right != left]
    assert answers == [True, True, False, False], (answers, left, right)


def assert_unequal(left: Any, right: Any) -> None:
    """Both operators, from both sides, say that two values differ."""
    answers = [left == right, right == left, left != right, right != left]
    assert answers == [False, False, True, True], (answers, left, right)


# The reader


def read(data: Any, **options: Any) -> Any:
    """Read a text that loads, parse, try_parse and check must all accept; return its value."""
    value = json.loads(data, **options)
    document = json.parse(data, **options)
    plain = document.to_python()
    found = difference(plain, value)
    assert found is None, f"parse and loads differ at {found}"
    assert json.try_parse(data, **options) is not None, "try_parse refuses what parse accepts"
    problems = json.check(data, **options)
    assert problems == [], f"check finds fault with an accepted text: {problems!r:.300}"
    return value


def accepts(data: Any, **options: Any) -> bool:
    """Whether loads takes the text; anything but a DecodeError on refusal is a failure."""
    try:
        json.loads(data, **options)
    except octad.DecodeError:
        return False
    return True


def error_of(action: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """The octad.Error that a call raises; anything else, or nothing, is a failure."""
    try:
        value = action(*args, **options)
    except octad.Error as error:
        return error
    raise AssertionError(f"{action.__name__} gives {value!r:.80} for {args!r:.80}")


def refuse(data: Any, *, late: bool = False, **options: Any) -> octad.DecodeError:
    """Read a text that loads, parse, try_parse and check must all refuse; return the error.

    `late`: a fault of a number's value alone, whose text a document may keep until it is read.
    """
    error = error_of(json.loads, data, **options)
    assert isinstance(error, octad.DecodeError)
    place = (error.code, error.offset)
    if late and accepts_document(data, **options):
        by_parse = error_of(json.parse(data, **options).to_python)
    else:
        by_parse = error_of(json.parse, data, **options)
        assert json.try_parse(data, **options) is None, "try_parse accepts what parse refuses"
    assert (by_parse.code, by_parse.offset) == place, (
        f"parse says {by_parse.code} at {by_parse.offset}, loads {place} for {data!r:.80}"
    )
    problems = json.check(data, **options)
    assert problems, f"check finds nothing in {data!r:.80}"
    first = problems[0]
    assert (first.code, first.offset) == place, (
        f"check says {first.code} at {first.offset} first, loads {place} for {data!r:.80}"
    )
    return error


def accepts_document(data: Any, **options: Any) -> bool:
    """Whether parse takes the text."""
    try:
        json.parse(data, **options)
    except octad.DecodeError:
        return False
    return True


def encoded_length(data: Any) -> int:
    """Length of an input as octad counts offsets: bytes of its UTF-8."""
    if isinstance(data, str):
        return len(data.encode("utf-8", "surrogatepass"))
    return memoryview(data).nbytes


# The standard library under octad's default policies


def _refuse_word(word: str) -> None:
    raise ValueError(f"{word} is not JSON")


def _finite(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ValueError("overflow")
    return value


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    for key, value in pairs:
        key.encode()
        if isinstance(value, str):
            value.encode()
    return dict(pairs)


def _no_surrogates(value: Any) -> None:
    if isinstance(value, str):
        value.encode()
    elif isinstance(value, list):
        for item in value:
            _no_surrogates(item)
    elif isinstance(value, dict):
        for item in value.values():
            _no_surrogates(item)


def strict_stdlib_loads(data: bytes) -> Any:
    """Read with the standard library, raising ValueError where RFC 8259 or octad's defaults refuse.

    Covers what the standard library lets pass: NaN and Infinity, overflow to infinity, lone
    surrogate escapes (in keys and in values that a later duplicate hides too), and encodings
    other than UTF-8.
    """
    text = data.removeprefix(BOM).decode("utf-8", "strict")
    if text.startswith("\ufeff"):
        raise ValueError("a second BOM")
    try:
        value = stdlib_json.loads(
            text, parse_constant=_refuse_word, parse_float=_finite, object_pairs_hook=_pairs
        )
    except RecursionError as error:
        raise ValueError("too deep") from error
    _no_surrogates(value)
    return value


# Memory


def block_growth(action: Callable[[], object], rounds: int = 2000, warm: int = 200) -> int:
    """Allocated blocks that `rounds` repetitions leave behind, once caches are filled."""
    for _ in range(warm):
        action()
    gc.collect()
    before = sys.getallocatedblocks()
    for _ in range(rounds):
        action()
    gc.collect()
    return sys.getallocatedblocks() - before


def resident_bytes() -> int:
    """Resident memory of this process (Linux)."""
    with open("/proc/self/statm") as stat:
        return int(stat.read().split()[1]) * 4096


def run_again(file: str, way: Mapping[str, str]) -> None:
    """Run the tests of a file in a process of their own, with other environment variables.

    `OCTAD_TEST_WAY` is set there, so that the test that asks for this does not start itself again.
    """
    environment = {**os.environ, **way, "OCTAD_TEST_WAY": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", file]
    root = Path(__file__).resolve().parents[1]
    answer = subprocess.run(command, env=environment, cwd=root, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stdout[-3000:] + answer.stderr[-1000:]

"""The output of `dumps` as it grows: short texts are copied, others grow in their bytes object."""

from __future__ import annotations

import gc
import json
import os
import random
import subprocess
import sys

import octad
import pytest

# Around the memory for short texts, and around the sizes to which an object grows from there.
LENGTHS = sorted(
    {size + off for size in (0, 64, 4096, 8192, 16384, 1 << 20) for off in range(-40, 41, 5)}
    - set(range(-40, 2))
)


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.feature(21)
def test_every_length_comes_out_whole(length: int) -> None:
    text = "x" * (length - 2)
    made = octad.json.dumps(text)
    assert made == b'"' + text.encode() + b'"'
    assert len(made) == length
    assert sys.getsizeof(made) == sys.getsizeof(bytes(length))


def test_lists_of_every_kind_grow_item_by_item() -> None:
    items = [1, -(2**40), 2**70, 0.5, 1e300, "é" * 9, "日本" * 5, "😀", "\x00\n", None, True, []]
    for count in (1, 10, 100, 1_000, 10_000):
        value = [{"key": item, "list": [item] * 3} for item in items] * count
        assert json.loads(octad.json.dumps(value)) == value
        assert json.loads(octad.json.dumps(value, indent=2)) == value


def test_sizes_may_change_from_call_to_call() -> None:
    rng = random.Random(5)
    for _ in range(300):
        value = ["a" * rng.choice([1, 10, 3_000, 5_000, 100_000, 700_000])] * rng.randint(0, 3)
        assert octad.json.dumps(value) == json.dumps(value, separators=(",", ":")).encode()


def test_a_call_within_a_call_has_an_output_of_its_own() -> None:
    def inner(_: object) -> object:
        return octad.json.dumps_str(["y" * 6_000]) + octad.json.dumps({"z": 1}).decode()

    value = ["x" * 6_000, object(), "x" * 6_000]
    expected = ["x" * 6_000, inner(None), "x" * 6_000]
    assert json.loads(octad.json.dumps(value, default=inner)) == expected


def test_an_error_leaves_nothing_behind() -> None:
    value = ["x" * 10_000, {"a": [object()]}]

    def grow() -> int:
        for _ in range(50):
            with pytest.raises(octad.EncodeError):
                octad.json.dumps(value)
        gc.collect()
        return sys.getallocatedblocks()

    grow()
    assert min(grow() - grow() for _ in range(3)) < 20


@pytest.mark.parametrize("limit", [0, 1, 63, 4_096, 5_000, 100_000])
def test_the_bound_holds_wherever_the_text_is(limit: int) -> None:
    fits = ["a"] * ((limit - 1) // 4)
    limits = octad.Limits(output=limit)
    if limit > 1:
        text = octad.json.dumps(fits, limits=limits)
        assert len(text) <= limit
    with pytest.raises(octad.EncodeError) as caught:
        octad.json.dumps(["a"] * (limit // 4 + 1), limits=limits)
    assert caught.value.code == octad.ErrorCode.OUTPUT_LIMIT
    with pytest.raises(octad.EncodeError):
        octad.json.dumps(list(range(limit, 2 * limit + 5)), limits=limits)


def test_keys_are_told_apart_though_their_addresses_come_again() -> None:
    """Keys that die while the text is written make room for others at the same address."""
    made: list[str] = []

    class Fleeting:
        def __init__(self, depth: int) -> None:
            self.depth = depth

    def default(value: object) -> object:
        assert isinstance(value, Fleeting)
        keys = [f"key {value.depth} {number}" for number in range(40)]
        made.extend(keys)
        inner = [Fleeting(value.depth + 1)] if value.depth < 30 else []
        # Only this dict holds its keys; it dies when it has been written.
        return {"rows": [dict.fromkeys(keys, value.depth)] * 2, "next": inner}

    text = octad.json.dumps([Fleeting(0), Fleeting(20)], default=default)
    read = json.loads(text)
    seen: list[str] = []
    for start in read:
        level = start
        while True:
            first, second = level["rows"]
            assert first == second
            seen.extend(first)
            if not level["next"]:
                break
            (level,) = level["next"]
    assert sorted(seen) == sorted(made)


@pytest.mark.parametrize("length", [0, 1, 15, 16, 43, 44, 45, 46, 47, 48, 60, 200])
@pytest.mark.parametrize("unit", ["k", "é", "日", "😀", "\n", '"'])
def test_repeated_keys_are_written_as_the_first_one(length: int, unit: str) -> None:
    key = unit * length
    value = [{key: number, "other": [{key: None}]} for number in range(100)]
    assert (
        octad.json.dumps(value)
        == json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()
    )
    assert json.loads(octad.json.dumps(value, indent=1)) == value
    assert (
        octad.json.dumps(value, escape="ascii") == json.dumps(value, separators=(",", ":")).encode()
    )


def test_keys_that_the_interpreter_owns_are_written_each_time() -> None:
    """Some strings stand in the interpreter's own memory, at addresses of another kind."""
    words = ["id", "name", "text", "key", "value", "self", "data", "index", "type", "user"]
    names = [*words, *dir(str), *dir(dict), *sys.stdlib_module_names]
    value = [{sys.intern(name): 1 for name in names} for _ in range(5)]
    expected = json.dumps(value, separators=(",", ":")).encode()
    for _ in range(5):
        assert octad.json.dumps(value) == expected


def test_a_manner_of_writing_keeps_its_own_keys() -> None:
    key = "<é>\x7f"
    value = [{key: 1}]
    for _ in range(4):
        assert octad.json.dumps(value) == f'[{{"{key}":1}}]'.encode()
        assert octad.json.dumps(value, indent=1) == f'[\n {{\n  "{key}": 1\n }}\n]'.encode()
        assert octad.json.dumps(value, escape="ascii") == b'[{"<\\u00e9>\\u007f":1}]'
        html = octad.json.dumps(value, escape="html")
        assert html == '[{"\\u003cé\\u003e\x7f":1}]'.encode()
        lone = [{"\ud800": 1}]
        assert octad.json.dumps(lone, surrogates="keep") == b'[{"\\ud800":1}]'
        assert octad.json.dumps(lone, surrogates="replace") == '[{"\ufffd":1}]'.encode()


def test_a_repeated_key_with_a_lone_surrogate_fails_each_time() -> None:
    value = [{"plain": 1} for _ in range(50)] + [{"\ud800": 2}]
    for _ in range(3):
        with pytest.raises(octad.EncodeError) as caught:
            octad.json.dumps(value)
        assert caught.value.code == octad.ErrorCode.LONE_SURROGATE
        assert caught.value.path.startswith("$[50]")


class Plain:
    """Its instances keep their attributes on a table that they share."""


def test_dicts_on_shared_tables_are_written_in_their_order() -> None:
    rng = random.Random(11)
    for _ in range(300):
        made = Plain()
        for number in rng.sample(range(40), rng.randint(0, 35)):
            setattr(made, f"name{number}", number)
        for value in (vars(made), dict(vars(made)), vars(made).copy()):
            for _ in range(rng.randint(0, 6)):
                key = f"name{rng.randint(0, 40)}"
                if key in value and rng.random() < 0.6:
                    del value[key]
                else:
                    value[key] = [rng.random()]
                expected = json.dumps(value, separators=(",", ":")).encode()
                assert octad.json.dumps(value) == expected
                rows = [value, {"again": value}, (value, value)]
                expected = json.dumps(rows, separators=(",", ":")).encode()
                assert octad.json.dumps(rows) == expected


GROW_DETACHED = """
from octad import json
numbers = "[" + "1234567," * 40_000 + "1]"
document = json.parse(numbers)
assert json.dumps(document).decode() == numbers
assert json.dumps([document] * 3).decode() == "[" + ",".join([numbers] * 3) + "]"
"""


def test_a_text_that_grows_while_the_interpreter_is_released_asks_for_it() -> None:
    # The debug allocator ends a process that takes memory without holding the interpreter.
    environment = {**os.environ, "PYTHONMALLOC": "debug"}
    run = subprocess.run(
        [sys.executable, "-c", GROW_DETACHED], env=environment, capture_output=True, text=True
    )
    assert (run.returncode, run.stderr) == (0, "")


AT_THE_END = """
import os, sys
from octad.json import dumps, loads, parse
say = lambda *values, write=os.write: write(1, f"{values}\\n".encode())
class Last:
    def __del__(self, dumps=dumps, loads=loads, parse=parse, say=say):
        text = "[" + "1234567," * 40_000 + "1]"
        say(len(dumps("x" * 100_000)), len(dumps(parse(text))))
        say(dumps([1], indent=1), loads(text, duplicates="first") == loads(text))
        for call, of in ((loads, "["), (loads, 1), (dumps, [object()])):
            try:
                call(of)
            except Exception:  # of a class that may be gone already
                say("refused")
sys.last_of_all = Last()
"""


def test_calls_work_while_the_interpreter_shuts_down() -> None:
    run = subprocess.run([sys.executable, "-c", AT_THE_END], capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.splitlines() == [
        "(100002, 320003)",
        "(b'[\\n 1\\n]', True)",
        "('refused',)",
        "('refused',)",
        "('refused',)",
    ]

"""Short values that come again in one document share an object, and nothing else changes."""

import itertools
import json
import os
import random
import subprocess
import sys

import octad
import pytest

SHARED = """
import octad
wanted = ["again", "and so is this one"] * 2000 + ["over"]
values = octad.json.loads(b"[" + b'"again","and so is this one",' * 2000 + b'"over"]')
print(len({id(value) for value in values}), values == wanted)
"""


@pytest.mark.parametrize("public", ["0", "1"])
def test_equal_values_are_one_object_but_not_by_public_calls(public):
    environment = dict(os.environ, OCTAD_PUBLIC_API=public)
    run = subprocess.run(
        [sys.executable, "-c", SHARED], env=environment, capture_output=True, text=True, check=True
    )
    objects, equal = run.stdout.split()
    assert equal == "True"
    if public == "0" and sys.version_info < (3, 14) and not hasattr(sys, "gettotalrefcount"):
        # The last ones, too near to the end for whole blocks, are made anew.
        assert 3 <= int(objects) < 10
    else:
        assert int(objects) == 4001


def record(number: int) -> dict[str, object]:
    return {"kind": f"kind {number % 3}", "name": f"unique {number}", "tags": ["red", "green"]}


def test_records_share_what_repeats():
    text = json.dumps([record(number) for number in range(900)])
    records = octad.json.loads(text)
    assert records == json.loads(text)
    assert len({id(one["name"]) for one in records}) == 900


def test_nothing_stays_behind_and_nothing_is_interned():
    text = json.dumps(["a value of this test"] * 4000)
    first = octad.json.loads(text)
    second = octad.json.loads(text)
    assert first[0] is not second[0]
    spelled = "".join(["a value of", " this test"])
    assert sys.intern(spelled) is spelled
    for values in (first, second):
        # Whether a place rests depends on what was read before; who holds the string does not.
        held = sum(value is values[0] for value in values)
        count = sys.getrefcount(values[0])
        assert count == held + 1
    with pytest.raises(octad.DecodeError):
        octad.json.loads(text[:-1])


def test_a_value_that_a_later_equal_key_replaces():
    pairs = ", ".join(['"key": "replaced value", "other": "replaced value"'] * 600)
    text = "[" + ", ".join([f"{{{pairs}}}", '"replaced value"'] * 3) + "]"
    assert octad.json.loads(text) == json.loads(text)


def test_beginnings_of_each_other_and_all_lengths_are_told_apart():
    texts = [("ab" * 20)[:length] for length in range(41)]
    texts += [text[:-1] + "b" for text in texts if text] + ["ab\x7f", "\x7f" * 9, "é", "aé", "ab€"]
    rng = random.Random(7)
    for _ in range(4):
        values = rng.choices(texts, k=3200)
        for blanks in ((",", ":"), (", ", ": ")):
            for made in (values, dict(enumerate(values)), [{"k": value} for value in values]):
                text = json.dumps(made, ensure_ascii=False, separators=blanks)
                assert octad.json.loads(text) == json.loads(text)


def test_places_that_rest_wake_up_again():
    for period in (1, 2, 3, 50, 400):
        values = [str(number // period % 700) + "th value" for number in range(3000)]
        mixed = list(itertools.chain(values, ["same one"] * 1000, values))
        assert octad.json.loads(json.dumps(mixed)) == mixed
        text = json.dumps([{"a": value, "b": ["x", value]} for value in mixed])
        assert octad.json.loads(text) == json.loads(text)

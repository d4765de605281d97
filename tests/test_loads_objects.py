"""Strings whose headers are written by hand are like those that CPython makes, and so is the way
without them."""

import json
import os
import subprocess
import sys

import octad
import pytest

CHECK = """
import json, pickle, sys
import octad
alphabet = "abcdefghijklmnopqrstuvwxyz 0123456789"
for length in [*range(0, 70), 127, 128, 129, *range(250, 262), 511, 512, 513, 5000]:
    plain = (alphabet * 200)[:length]
    for text in (plain, plain + "\\x7f", plain + "\\xe9", plain + "\\u20ac", plain + "\\U0001f600"):
        source = json.dumps(text, ensure_ascii=False)
        for data in (source, "[" + source + "]", "[" + source + "," + source * 1 + ", 1]      "):
            read = octad.json.loads(data.encode())
            wanted = json.loads(data)
            assert read == wanted, data
            one = read if isinstance(read, str) else read[0]
            assert type(one) is str and hash(one) == hash(text)
            assert one.isascii() == text.isascii()
            assert sys.getsizeof(one) == sys.getsizeof(text[:1] + text[1:])
            assert (one + "x")[:-1] == text and one.encode() == text.encode()
            assert sys.intern(one) == text and pickle.loads(pickle.dumps(one)) == text
            assert {one: 1}[text] == 1
print("same")
"""


@pytest.mark.parametrize("public", ["0", "1"])
def test_strings_of_every_length_are_like_those_of_the_interpreter(public):
    environment = dict(os.environ, OCTAD_PUBLIC_API=public, PYTHONMALLOC="debug")
    run = subprocess.run(
        [sys.executable, "-c", CHECK], env=environment, capture_output=True, text=True, check=False
    )
    assert run.stdout == "same\n", run.stderr


def test_keys_that_share_a_beginning_are_told_apart():
    names = ["", "a", "ab", "abc", "k" * 15, "k" * 16, "k" * 17, "k" * 48, "k" * 49, "k" * 300]
    names += [name[:-1] + "z" for name in names if name] + ["k" * 16 + "yk", "é", "k" * 15 + "é"]
    for rotation in range(len(names)):
        order = names[rotation:] + names[:rotation]
        records = [{name: place for place, name in enumerate(order)} for _ in range(3)]
        for blanks in ((",", ":"), (", ", ": ")):
            text = json.dumps(records, ensure_ascii=False, separators=blanks)
            assert octad.json.loads(text) == records


def test_whole_numbers_of_every_length_at_every_end():
    for digits in range(1, 22):
        number = int("9876543210123456789012"[:digits])
        for text in (str(number), f"-{number}"):
            assert octad.json.loads(text) == int(text)
            assert octad.json.loads(f"[{text}]") == [int(text)]
            assert octad.json.loads(f"[{text} , {text}.5]      ") == [int(text), float(f"{text}.5")]
            assert octad.json.loads(f'{{"a":{text}}}' + " " * 16) == {"a": int(text)}
    for text in ("-0", "[-0]", "[-0,         1]"):
        assert repr(octad.json.loads(text)) == repr(json.loads(text))

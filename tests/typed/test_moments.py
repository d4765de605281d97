"""Dates with times read into classes, where they are read fast, and alone, where they are not."""

from __future__ import annotations

import copy
import itertools
import os
import pickle
import subprocess
import sys
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone

import pytest
from octad import DecodeError, ValidationError, json


@dataclass
class Event:
    at: datetime
    then: datetime | None = None


DAYS = ("0001-01-01", "1900-02-28", "1999-12-31", "2000-02-29", "2024-10-09", "9999-12-31")
CLOCKS = ("00:00:00", "23:59:59", "08:30:07", "19:05:40")
FRACTIONS = ("", *(f".{'123456789'[:digits]}" for digits in range(1, 10)), ".500000000", ".25000")
OFFSETS = ("", "Z", "z", "+00:00", "-00:00", "+01:30", "-09:45", "+23:59", "-23:59")
TEXTS = [
    f"{day}{between}{clock}{fraction}{offset}"
    for day, clock, fraction, offset, between in itertools.product(
        DAYS, CLOCKS, FRACTIONS, OFFSETS, "Tt "
    )
]
USUAL = "2024-02-29T23:59:58.25+01:30"


def in_fields(text: str) -> object:
    """What two fields get, or the refusal; the second is told from null on the way."""
    try:
        read = json.loads(f'{{"at":"{text}","then":"{text}"}}', Event)
    except ValidationError as error:
        return error.code, error.message
    assert read.at == read.then
    return as_parts(read.at)


def alone(text: str) -> object:
    try:
        return as_parts(json.loads(f'"{text}"', datetime))
    except ValidationError as error:
        return error.code, error.message


def as_parts(moment: datetime) -> tuple[datetime, timedelta | None]:
    return moment.replace(tzinfo=None), moment.utcoffset()


def test_moments_are_those_of_the_standard_library() -> None:
    for text in TEXTS:
        digits = text.partition(".")[2].rstrip("Zz").partition("+")[0].partition("-")[0]
        if len(digits.rstrip("0")) > 6:  # no digit is cut
            assert in_fields(text) == alone(text)
            assert alone(text)[0] == "invalid-value", text
            continue
        want = as_parts(datetime.fromisoformat(text.upper()))
        assert in_fields(text) == want, text
        assert alone(text) == want, text


def test_any_character_in_any_place_is_the_same_everywhere() -> None:
    strange = [
        "",
        "/",
        ":",
        "0",
        "3",
        "6",
        "9",
        "-",
        "+",
        "T",
        "Z",
        " ",
        ".",
        "@",
        "\x7f",
        "é",
        "０",
    ]
    for place, other in itertools.product(range(len(USUAL) + 1), strange):
        for text in (USUAL[:place] + other + USUAL[place + len(other) :], USUAL[:place] + other):
            assert in_fields(text) == alone(text), text


@pytest.mark.parametrize(
    "text",
    [
        "2024-02-29T23:59:60Z",
        "0000-01-01T00:00:00Z",
        "2023-02-29T00:00:00Z",
        "2024-02-29T24:00:00Z",
    ],
)
def test_what_python_does_not_have_is_refused(text: str) -> None:
    assert in_fields(text) == alone(text)
    assert alone(text)[0] == "invalid-value"


@pytest.mark.parametrize("length", range(len(USUAL) + 1))
def test_a_moment_may_end_where_the_text_ends(length: int) -> None:
    text = USUAL[:length]
    assert alone(text) == in_fields(text)
    with pytest.raises(DecodeError):
        json.loads(f'{{"at":"{text}', Event)


@pytest.mark.parametrize("offset", ["", "Z", "+05:30"])
def test_what_is_made_is_a_moment_like_any_other(offset: str) -> None:
    text = f"2024-02-29T23:59:58.000001{offset}"
    made = json.loads(f'{{"at":"{text}"}}', Event).at
    want = datetime.fromisoformat(text)
    assert type(made) is datetime
    assert repr(made) == repr(want)
    assert made.fold == 0
    assert hash(made) == hash(want)
    assert pickle.dumps(made) == pickle.dumps(want)
    assert copy.deepcopy(made) == made
    assert made + timedelta(days=1) == want + timedelta(days=1)
    assert made.replace(hour=1) == want.replace(hour=1)
    assert made.isoformat() == want.isoformat()
    if offset:
        assert made.astimezone(UTC) == want.astimezone(UTC)
        assert type(made.tzinfo) is timezone
        assert (made.tzinfo is UTC) == (offset == "Z")


def test_zones_are_held_as_often_as_they_are_used() -> None:
    text = '{"at":"2024-02-29T23:59:58Z","then":"2024-02-29T23:59:58+01:00"}'
    made = [json.loads(text, Event) for _ in range(3)]
    before = sys.getrefcount(UTC)
    made += [json.loads(text, Event) for _ in range(100)]
    if sys.version_info < (3, 12):
        assert sys.getrefcount(UTC) == before + 100
    del made[3:]
    assert sys.getrefcount(UTC) == before


@pytest.mark.skipif(os.environ.get("OCTAD_PUBLIC_API") == "1", reason="is so already")
def test_the_public_calls_make_the_same() -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__]
    done = subprocess.run(
        command, env={**os.environ, "OCTAD_PUBLIC_API": "1"}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout

"""Single values through hand-made plans: what is accepted, what it becomes, what is refused."""

from __future__ import annotations

import enum
import math
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any
from uuid import UUID

import octad
import pytest
from octad import json

from tests.typed.plans import BOOL, FLOAT, INT, NONE, STR, plan, read, refused

ONE = timezone(timedelta(hours=1))
BIG = 123456789012345678901234567890


@pytest.mark.parametrize(
    ("node", "text", "value"),
    [
        (INT, "0", 0),
        (INT, "-7", -7),
        (INT, str(BIG), BIG),
        (INT, str(2**63), 2**63),
        (("int", True), '"12"', 12),
        (("int", True), f'"-{BIG}"', -BIG),
        (FLOAT, "1.5", 1.5),
        (FLOAT, "3", 3.0),
        (FLOAT, "1e300", 1e300),
        (FLOAT, str(BIG), float(BIG)),
        (FLOAT, "-0.0", -0.0),
        (("float", True), '"-1.5e3"', -1500.0),
        (STR, '"a"', "a"),
        (STR, '""', ""),
        (STR, '"\\u00e9\\n"', "é\n"),
        (STR, '"日本"', "日本"),
        (BOOL, "true", True),
        (BOOL, "false", False),
        (NONE, "null", None),
        (("decimal",), "1.50", Decimal("1.50")),
        (("decimal",), "12", Decimal(12)),
        (("decimal",), "1e-30", Decimal("1e-30")),
        (("decimal",), '"2.50"', Decimal("2.50")),
        (("decimal",), "0.10000000000000000000001", Decimal("0.10000000000000000000001")),
        (("bytes", "base64"), '"aGk="', b"hi"),
        (("bytes", "base64url"), '"_-8"', b"\xff\xef"),
        (("bytes", "hex"), '"00fF"', b"\x00\xff"),
        (("bytes", "array"), "[0, 255]", b"\x00\xff"),
        (("bytes", "any"), "[1]", b"\x01"),
        (("bytes", "any"), '"aGk="', b"hi"),
        (("bytearray", "base64"), '"aGk="', bytearray(b"hi")),
        (("memoryview", "base64"), '"aGk="', memoryview(b"hi")),
        (
            ("uuid",),
            '"12345678-1234-5678-1234-567812345678"',
            UUID(int=0x12345678123456781234567812345678),
        ),
        (
            ("uuid",),
            '"123456781234567812345678ABCDEF00"',
            UUID("12345678-1234-5678-1234-5678abcdef00"),
        ),
        (("date",), '"2024-02-29"', date(2024, 2, 29)),
        (("date", "%d.%m.%Y"), '"29.02.2024"', date(2024, 2, 29)),
        (("date", "epoch"), "86400", date(1970, 1, 2)),
        (("time",), '"10:11:12.5"', time(10, 11, 12, 500000)),
        (("time",), '"10:11:12+01:00"', time(10, 11, 12, tzinfo=ONE)),
        (("timedelta",), '"-P1DT2H"', -timedelta(days=1, hours=2)),
        (("timedelta", "seconds"), "-1.5", timedelta(seconds=-1.5)),
    ],
)
def test_values_are_read(node: Any, text: str, value: Any) -> None:
    made = read(text, node)
    assert type(made) is type(value)
    assert made == value
    if isinstance(value, Decimal):
        assert made.as_tuple() == value.as_tuple()


@pytest.mark.feature(196)
@pytest.mark.parametrize(
    ("args", "text", "value"),
    [
        ((), '"2024-02-29T01:02:03.25+01:00"', datetime(2024, 2, 29, 1, 2, 3, 250000, ONE)),
        ((), '"2024-02-29T01:02:03Z"', datetime(2024, 2, 29, 1, 2, 3, tzinfo=UTC)),
        ((), '"2024-02-29 01:02:03"', datetime(2024, 2, 29, 1, 2, 3)),
        (
            ("rfc3339", "utc"),
            '"2024-01-01T00:30:00+01:00"',
            datetime(2023, 12, 31, 23, 30, tzinfo=UTC),
        ),
        (("rfc3339", "utc"), '"2024-01-01T00:30:00"', datetime(2024, 1, 1, 0, 30, tzinfo=UTC)),
        (
            ("rfc3339", "naive-error"),
            '"2024-01-01T00:30:00Z"',
            datetime(2024, 1, 1, 0, 30, tzinfo=UTC),
        ),
        (("epoch",), "1700000000.123456", datetime(2023, 11, 14, 22, 13, 20, 123456, UTC)),
        (("epoch",), "-1", datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC)),
        (("epoch_ms",), "1700000000250", datetime(2023, 11, 14, 22, 13, 20, 250000, UTC)),
        (
            ("microsoft",),
            '"/Date(1700000000250)/"',
            datetime(2023, 11, 14, 22, 13, 20, 250000, UTC),
        ),
        (("microsoft",), '"/Date(0+0100)/"', datetime(1970, 1, 1, 1, 0, tzinfo=ONE)),
        (("%Y/%m/%d %H:%M",), '"2024/01/02 03:04"', datetime(2024, 1, 2, 3, 4)),
        (("%Y %z", "utc"), '"2024 +0100"', datetime(2023, 12, 31, 23, 0, tzinfo=UTC)),
    ],
)
def test_date_times_are_read(args: tuple[str, ...], text: str, value: datetime) -> None:
    made = read(text, ("datetime", *args))
    assert made == value
    assert made.utcoffset() == value.utcoffset()
    assert (made.tzinfo is UTC) == (value.tzinfo is UTC)


@pytest.mark.parametrize(
    ("node", "text", "code", "expected"),
    [
        (INT, "1.0", "wrong-type", "an integer"),
        (INT, '"1"', "wrong-type", "an integer"),
        (INT, "true", "wrong-type", "an integer"),
        (("int", True), '"1.0"', "invalid-value", "an integer"),
        (("int", True), '" 1"', "invalid-value", "an integer"),
        (FLOAT, '"1"', "wrong-type", "a number"),
        (("float", True), '"x"', "invalid-value", "a number"),
        (STR, "1", "wrong-type", "text"),
        (STR, "null", "wrong-type", "text"),
        (BOOL, "1", "wrong-type", "a boolean"),
        (NONE, "false", "wrong-type", "null"),
        (("decimal",), '"1_0"', "invalid-value", "a number"),
        (("decimal",), "[]", "wrong-type", "a number"),
        (("bytes", "base64"), '"aGk"', "invalid-value", "text in base64"),
        (("bytes", "hex"), '"0"', "invalid-value", "text in hexadecimal digits"),
        (("bytes", "base64"), "[1]", "wrong-type", "text in base64"),
        (("bytes", "array"), "[256]", "invalid-value", "a number from 0 to 255"),
        (("uuid",), '"12345678"', "invalid-value", "a UUID"),
        (("uuid",), "1", "wrong-type", "a UUID"),
        (
            ("datetime",),
            '"2024-02-30T00:00:00Z"',
            "invalid-value",
            "a date and time as RFC 3339 writes it",
        ),
        (
            ("datetime",),
            '"2024-02-29T00:00:60Z"',
            "invalid-value",
            "a date and time as RFC 3339 writes it",
        ),
        (
            ("datetime",),
            '"2024-02-29T00:00:00.0000001Z"',
            "invalid-value",
            "a date and time as RFC 3339 writes it",
        ),
        (
            ("datetime",),
            '"0000-01-01T00:00:00Z"',
            "invalid-value",
            "a date and time as RFC 3339 writes it",
        ),
        (("datetime",), "1", "wrong-type", "a date and time as RFC 3339 writes it"),
        (
            ("datetime", "rfc3339", "naive-error"),
            '"2024-02-29T00:00:00"',
            "invalid-value",
            "a date and time as RFC 3339 writes it",
        ),
        (
            ("datetime", "rfc3339", "utc"),
            '"9999-12-31T23:59:00-01:00"',
            "invalid-value",
            "a date and time as RFC 3339 writes it",
        ),
        (("datetime", "epoch"), "1e300", "invalid-value", "a date and time as seconds since 1970"),
        (("datetime", "epoch"), '"1"', "wrong-type", "a date and time as seconds since 1970"),
        (("datetime", "%Y"), '"x"', "invalid-value", "a date and time in the form of the field"),
        (
            ("datetime", "%Y", "naive-error"),
            '"2024"',
            "invalid-value",
            "a date and time in the form of the field",
        ),
        (("date",), '"2024-13-01"', "invalid-value", "a date as RFC 3339 writes it"),
        (("time",), '"24:00:00"', "invalid-value", "a time of day as RFC 3339 writes it"),
        (("timedelta",), '"P1Y"', "invalid-value", "a length of time as ISO 8601 writes it"),
        (
            ("timedelta",),
            '"P99999999999D"',
            "invalid-value",
            "a length of time as ISO 8601 writes it",
        ),
        (("timedelta", "seconds"), "1e30", "invalid-value", "a length of time in seconds"),
    ],
)
def test_what_does_not_fit_is_refused(node: Any, text: str, code: str, expected: str) -> None:
    error = refused(text, node)
    assert (error.code, error.expected) == (code, expected)
    assert error.message.startswith(f"expected {expected}, found ")


def test_numbers_keep_their_limits() -> None:
    with pytest.raises(octad.LimitError) as caught:
        json.loads("1" * 5000, plan(INT))
    assert caught.value.code == "digits-limit"
    with pytest.raises(octad.LimitError):
        json.loads('"' + "1" * 5000 + '"', plan(("int", True)))
    for text in ("1e400", "1" + "0" * 400):
        with pytest.raises(octad.DecodeError) as overflow:
            json.loads(text, plan(FLOAT))
        assert overflow.value.code == "number-overflow"
    assert json.loads("1e400", plan(FLOAT), overflow="inf") == math.inf
    assert math.isnan(json.loads("NaN", plan(FLOAT), nan="literal"))
    assert json.loads("1.5", plan(FLOAT), floats="decimal") == 1.5
    assert type(json.loads("1.5", plan(FLOAT), floats="decimal")) is float
    assert type(json.loads("1.5", plan(("any",)), floats="decimal")) is Decimal


class Mood(enum.Enum):
    GOOD = "good"
    ONE = 1
    HALF = 0.5
    NOTHING = None
    HUGE = BIG


MOODS = tuple((mood.value, mood) for mood in Mood)


@pytest.mark.feature(163)
def test_tables_match_kind_and_value() -> None:
    table = ("table", "a mood", (*MOODS, (True, "yes")), None)
    for text, value in [
        ('"good"', Mood.GOOD),
        ('"g\\u006fod"', Mood.GOOD),
        ("1", Mood.ONE),
        ("0.5", Mood.HALF),
        ("true", "yes"),
        ("null", Mood.NOTHING),
        (str(BIG), Mood.HUGE),
    ]:
        assert read(text, table) is value or read(text, table) == value
    for text in ('"1"', "1.5", "false", "2", '"GOOD"', str(BIG + 1)):
        error = refused(text, table)
        assert (error.code, error.expected) == ("invalid-value", "a mood")
    assert refused("[1]", table).code == "wrong-type"
    assert read("2", ("table", "a number", ((2.0, "two"),), None)) == "two"


def test_a_fallback_may_know_more() -> None:
    def more(raw: Any) -> str:
        if raw == {"a": [1]}:
            return "deep"
        raise ValueError("no")

    table = ("table", "one of two", (("x", 1),), more)
    assert read('"x"', table) == 1
    assert read('{"a": [1]}', table) == "deep"
    error = refused('"y"', table)
    assert error.code == "invalid-value"
    assert isinstance(error.__cause__, ValueError)


def test_functions_on_values() -> None:
    assert read('"a"', ("call", 1, str.upper, "a word"), STR) == "A"

    def half(value: int) -> int:
        return [0, 1][value] or 1 // (value % 2)

    node = ("list", 1), ("call", 2, half, "a small number"), INT
    assert read("[1]", *node) == [1]
    for text, cause in [("[1, 7]", IndexError), ("[0]", ZeroDivisionError)]:
        error = refused(text, *node)
        assert (error.code, error.expected) == ("invalid-value", "a small number")
        assert type(error.__cause__) is cause


def test_other_exceptions_pass_with_the_path_noted() -> None:
    def fail(value: Any) -> Any:
        raise RuntimeError("deep trouble")

    made = plan(("dict", 1, 2), STR, ("list", 3), ("call", 4, fail, "a thing"), INT)
    for call in (json.loads, json.check, lambda data, made: json.parse(data).to(made)):
        with pytest.raises(RuntimeError, match="deep trouble") as caught:
            call('{"a": [1]}', made)
        assert caught.value.__notes__ == ["at $.a[0]"]


def test_an_error_of_octad_inside_keeps_its_class_and_gets_the_path_in_front() -> None:
    inner = plan(("list", 1), INT)

    def embedded(text: str) -> Any:
        return json.loads(text, inner)

    made = plan(("dict", 1, 2), STR, ("call", 1, embedded, "JSON in text"))
    assert json.loads('{"a": "[1]"}', made) == {"a": [1]}
    with pytest.raises(octad.ValidationError) as caught:
        json.loads('{"a": "[1, true]"}', made)
    assert (caught.value.path, caught.value.pointer) == ("$.a[1]", "/a/1")
    assert caught.value.code == "wrong-type"
    (problem,) = json.check('{"a": "[1, true]"}', made)
    assert (problem.path, problem.code, problem.expected) == ("$.a[1]", "wrong-type", "an integer")


@pytest.mark.feature(171)
@pytest.mark.parametrize(
    ("checks", "child", "good", "bad", "code", "expected"),
    [
        ({"ge": 1}, INT, "1", "0", "out-of-bounds", "a value of at least 1"),
        ({"gt": 1}, INT, "2", "1", "out-of-bounds", "a value of more than 1"),
        ({"le": 1.5}, FLOAT, "1.5", "1.6", "out-of-bounds", "a value of at most 1.5"),
        ({"lt": 0}, INT, "-1", "0", "out-of-bounds", "a value of less than 0"),
        ({"multiple_of": 3}, INT, "9", "10", "out-of-bounds", "a multiple of 3"),
        ({"multiple_of": 0.1}, FLOAT, "0.3", "0.35", "out-of-bounds", "a multiple of 0.1"),
        ({"min_length": 2}, STR, '"éé"', '"é"', "wrong-length", "at least 2 characters"),
        ({"max_length": 1}, ("list", 1), "[]", "[[], []]", "wrong-length", "at most 1 item"),
        ({"pattern": "^a+$"}, STR, '"aa"', '"ab"', "no-match", "text that matches `^a+$`"),
        ({"pattern": "é"}, STR, '"caféé"', '"cafe"', "no-match", "text that matches `é`"),
        (
            {"tz": True},
            ("datetime",),
            '"2024-01-01T00:00:00Z"',
            '"2024-01-01T00:00:00"',
            "invalid-value",
            "a time with an offset from UTC",
        ),
        (
            {"tz": False},
            ("datetime",),
            '"2024-01-01T00:00:00"',
            '"2024-01-01T00:00:00Z"',
            "invalid-value",
            "a time without an offset from UTC",
        ),
        (
            {"tz": "UTC"},
            ("datetime",),
            '"2024-01-01T00:00:00Z"',
            '"2024-01-01T00:00:00+01:00"',
            "invalid-value",
            "a time in the zone UTC",
        ),
        (
            {"predicates": (str.isupper,)},
            STR,
            '"A"',
            '"a"',
            "invalid-value",
            "a value that `str.isupper` accepts",
        ),
    ],
)
def test_conditions(
    checks: dict[str, Any], child: Any, good: str, bad: str, code: str, expected: str
) -> None:
    nodes = ("checked", 1, checks), child
    read(good, *nodes)
    error = refused(bad, *nodes)
    assert (error.code, error.expected) == (code, expected)


def test_a_condition_that_cannot_be_asked() -> None:
    error = refused('"x"', ("checked", 1, {"ge": 1}), STR)
    assert error.code == "rejected"
    assert isinstance(error.__cause__, TypeError)


def test_a_pattern_is_matched_in_linear_time() -> None:
    made = plan(("checked", 1, {"pattern": "^(a+)+$"}), STR)
    with pytest.raises(octad.ValidationError):
        json.loads('"' + "a" * 5000 + '!"', made)


def test_fragments_and_views() -> None:
    raw = read('{"a": [1, 2.50 ]}', ("dict", 1, 2), STR, ("raw",))["a"]
    assert type(raw) is octad.Raw
    assert raw.data == b"[1, 2.50 ]"
    seen = json.loads('[{"a": 1}, 2]', plan(("list", 1), ("view",)))
    assert isinstance(seen[0], octad.Object)
    assert (seen[0], seen[1].value) == ({"a": 1}, 2)
    assert seen[0].document.dumps() == b'{"a": 1}'

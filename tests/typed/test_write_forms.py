"""The form of dates, bytes and numbers: of one field, and of every value in a call."""

from __future__ import annotations

import datetime as dt
import typing
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Annotated, Any

import octad
import pytest
from hypothesis import given
from hypothesis import strategies as st
from octad import Field, Settings, json

AWARE = datetime(2024, 2, 29, 8, 30, 0, 250_000, tzinfo=timezone(timedelta(hours=1)))
NAIVE = datetime(2024, 2, 29, 8, 30)


def text_of(value: Any, **settings: Any) -> str:
    """The text of a value by settings."""
    return json.dumps_str(value, settings=Settings(**settings))


@pytest.mark.feature(192)
@pytest.mark.parametrize(
    ("dates", "moment", "day"),
    [
        ("rfc3339", '"2024-02-29T08:30:00.250000+01:00"', '"2024-02-29"'),
        ("epoch", "1709191800.25", "1709164800"),
        ("epoch_ms", "1709191800250", "1709164800000"),
        ("microsoft", '"/Date(1709191800250+0100)/"', '"/Date(1709164800000)/"'),
        ("%d.%m.%Y", '"29.02.2024"', '"29.02.2024"'),
    ],
)
def test_dates_of_a_call(dates: str, moment: str, day: str) -> None:
    assert text_of([AWARE, {"d": AWARE}], dates=dates) == f'[{moment},{{"d":{moment}}}]'
    assert text_of((AWARE.date(),), dates=dates) == f"[{day}]"

    @dataclass
    class Event:
        when: datetime
        day: date

    event = Event(AWARE, AWARE.date())
    assert text_of([event], dates=dates) == f'[{{"when":{moment},"day":{day}}}]'
    # A time of day and a length of time are no dates.
    assert text_of([time(1, 2, 3), timedelta(1)], dates=dates) == '["01:02:03","P1D"]'


@pytest.mark.feature(192)
def test_dates_of_a_field_hold_for_all_in_it() -> None:
    @dataclass
    class Inner:
        when: datetime

    @dataclass
    class Event:
        plain: datetime
        when: Annotated[datetime, Field(dates="epoch")]
        many: Annotated[list[datetime], Field(dates="epoch_ms")]
        at: Annotated[time, Field(dates="%H.%M")]
        named: Annotated[dict[str, Any], Field(dates="%Y")]
        after: datetime

    moment = datetime(2000, 1, 1, tzinfo=UTC)
    rfc = '"2000-01-01T00:00:00Z"'
    if json.dumps_str(moment) != rfc:
        rfc = json.dumps_str(moment)
    event = Event(
        moment,
        moment,
        [moment, moment],
        time(12, 30),
        {"d": [moment, (moment,)], "inner": Inner(moment), "e": moment},
        moment,
    )
    want = (
        f'{{"plain":{rfc},"when":946684800,"many":[946684800000,946684800000],"at":"12.30",'
        f'"named":{{"d":["2000",["2000"]],"inner":{{"when":{rfc}}},"e":"2000"}},"after":{rfc}}}'
    )
    assert json.dumps_str(event) == want
    assert json.dumps_str([event, moment]) == f"[{want},{rfc}]"
    # The field wins over the settings, for itself.
    assert text_of(event, dates="%m").startswith('{"plain":"01","when":946684800,')


@pytest.mark.feature(193)
def test_zones() -> None:
    utc = AWARE.astimezone(UTC)
    assert text_of(AWARE, zones="utc") == json.dumps_str(utc)
    assert text_of(NAIVE, zones="utc") == json.dumps_str(NAIVE.replace(tzinfo=UTC))
    assert text_of(NAIVE) == '"2024-02-29T08:30:00"'
    with pytest.raises(octad.EncodeError, match="without a zone") as caught:
        text_of([NAIVE], zones="naive-error")
    assert (caught.value.code, caught.value.path) == ("invalid-datetime", "$[0]")
    assert text_of(AWARE, zones="naive-error") == json.dumps_str(AWARE)


@pytest.mark.feature(192, 193)
def test_counts_need_a_zone() -> None:
    for dates in ("epoch", "epoch_ms", "microsoft"):
        with pytest.raises(octad.EncodeError, match='zones="utc"'):
            text_of(NAIVE, dates=dates)
    assert text_of(NAIVE, dates="epoch", zones="utc") == "1709195400"
    assert text_of(AWARE, dates="microsoft", zones="utc") == '"/Date(1709191800250)/"'


@pytest.mark.feature(192)
def test_digits_are_not_cut() -> None:
    moment = datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC)
    assert text_of(moment, dates="epoch") == "-0.000001"
    assert text_of(moment, dates="epoch_ms") == "-0.001"
    with pytest.raises(octad.EncodeError) as caught:
        text_of(moment, dates="microsoft")
    assert caught.value.code == "unrepresentable"
    assert text_of(datetime(7, 1, 2), dates="%Y-%%Y %m") == '"0007-%Y 01"'


@pytest.mark.feature(192)
@given(
    st.datetimes(
        min_value=datetime(1, 1, 3), max_value=datetime(9999, 12, 29), timezones=st.just(UTC)
    ),
    st.integers(-23 * 60, 23 * 60),
)
def test_counts_are_exact(moment: datetime, minutes: int) -> None:
    moment = moment.astimezone(timezone(timedelta(minutes=minutes)))
    start = datetime(1970, 1, 1, tzinfo=UTC)
    micros = (moment - start) // timedelta(microseconds=1)
    assert Decimal(text_of(moment, dates="epoch")) * 1_000_000 == micros
    assert Decimal(text_of(moment, dates="epoch_ms")) * 1_000 == micros
    days = (moment.date() - start.date()).days
    assert text_of(moment.date(), dates="epoch") == str(days * 86_400)


def test_a_zone_that_raises_and_a_zone_of_odd_seconds() -> None:
    class Raises(dt.tzinfo):
        def utcoffset(self, when: datetime | None) -> timedelta:
            raise LookupError("no offset")

    moment = datetime(2000, 1, 1, tzinfo=Raises())
    for settings in ({}, {"dates": "epoch"}, {"zones": "utc"}, {"zones": "naive-error"}):
        with pytest.raises(LookupError) as caught:
            text_of({"a": moment}, **settings)
        assert "$.a" in caught.value.__notes__[0]
    odd = datetime(2000, 1, 1, tzinfo=timezone(timedelta(seconds=1)))
    assert text_of(odd, dates="epoch") == "946684799"


@pytest.mark.feature(186)
def test_bytes_of_a_field() -> None:
    @dataclass
    class Blob:
        a: Annotated[bytes, Field(bytes="hex")]
        b: Annotated[bytes, Field(bytes="array")]
        c: Annotated[list[bytes], Field(bytes="base64url")]
        d: bytes

    blob = Blob(b"\xff", b"\x01\x02", [b"\xff\xff"], b"abc")
    text = b'{"a":"ff","b":[1,2],"c":["__8"],"d":"YWJj"}'
    assert json.dumps(blob) == text
    assert json.dumps(blob, bytes="hex") == text.replace(b"YWJj", b"616263")
    assert json.dumps([blob], settings=Settings(bytes="hex")) == (
        b"[" + text.replace(b"YWJj", b"616263") + b"]"
    )


@pytest.mark.feature(186)
def test_bytes_where_the_type_says_so_and_nowhere_else() -> None:
    @dataclass
    class Typed:
        one: bytes
        some: list[bytes | None] = field(default_factory=list)
        view: bytearray | None = None
        other: Any = None

    assert json.dumps(Typed(b"abc", [b"x", None], bytearray(b"y"))) == (
        b'{"one":"YWJj","some":["eA==",null],"view":"eQ==","other":null}'
    )
    for value, path in ((Typed(b"", other=b"x"), "$.other"), ([b"x"], "$[0]"), (b"x", "$")):
        with pytest.raises(octad.EncodeError) as caught:
            json.dumps(value)
        assert (caught.value.code, caught.value.path) == ("bytes-not-allowed", path)


@pytest.mark.feature(189)
def test_numbers_as_text() -> None:
    @dataclass
    class Numbers:
        a: int
        b: float
        c: Decimal
        d: bool = True

    numbers = Numbers(2**70, 1.5, Decimal("1.10"))
    value = [numbers, {"x": 1, 2: [0.1]}, (3,), None]
    assert text_of(value, numbers_as_text=True) == (
        f'[{{"a":"{2**70}","b":"1.5","c":"1.10","d":true}},{{"x":"1","2":["0.1"]}},["3"],null]'
    )

    @dataclass
    class One:
        a: Annotated[list[int], Field(numbers_as_text=True)]
        b: int

    assert json.dumps([One([1, 2], 3), 4]) == b'[{"a":["1","2"],"b":3},4]'
    nan = float("nan")
    assert json.dumps([nan], nan="null", settings=Settings(numbers_as_text=True)) == b"[null]"


@pytest.mark.feature(194)
def test_a_format_that_fails_names_the_place() -> None:
    class Own(datetime):
        def strftime(self, format: str) -> typing.NoReturn:
            raise RuntimeError("no format")

    with pytest.raises(RuntimeError) as caught:
        text_of([[Own(2000, 1, 1)]], dates="%Y")
    assert "$[0][0]" in caught.value.__notes__[0]

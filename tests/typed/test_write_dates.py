"""Dates and times in the hot loops: as `isoformat` has them, and as options and classes will."""

from __future__ import annotations

import os
import subprocess
import sys
import zoneinfo
from dataclasses import dataclass, make_dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from typing import Annotated, Any

import octad
import pytest
from hypothesis import given
from hypothesis import strategies as st
from octad import Field, Settings, json

ZONES = st.one_of(
    st.none(),
    st.just(UTC),
    st.integers(-1439, 1439).map(lambda minutes: timezone(timedelta(minutes=minutes))),
    st.integers(-1439, 1439).map(lambda minutes: timezone(timedelta(minutes=minutes), "named")),
)


@dataclass
class Event:
    number: int
    when: Any
    name: str = "x"


@dataclass(slots=True)
class Slotted:
    number: int
    when: Any
    name: str = "x"


def written(value: Any) -> list[Any]:
    """The value as it is written in places that are written in different ways."""
    tree = [value, {"k": value}, (value, value), Event(1, value), Slotted(2, value), [[value]]]
    first, second, third, event, slotted, inner = json.loads(json.dumps(tree * 2))[6:]
    assert event == {"number": 1, "when": event["when"], "name": "x"}
    assert slotted == {"number": 2, "when": slotted["when"], "name": "x"}
    alone = json.loads(json.dumps(value))
    return [alone, first, second["k"], *third, event["when"], slotted["when"], inner[0][0]]


@pytest.mark.feature(192, 193)
@given(
    st.one_of(
        st.datetimes(timezones=ZONES),
        st.datetimes(timezones=ZONES).map(lambda moment: moment.replace(microsecond=0)),
        st.dates(),
        st.times(),
    )
)
def test_as_isoformat(value: datetime | date | time) -> None:
    assert set(written(value)) == {value.isoformat()}


@pytest.mark.feature(192)
def test_edges() -> None:
    for value in (
        datetime.min,
        datetime.max,
        date.min,
        date.max,
        time.min,
        time.max,
        datetime(2024, 10, 27, 2, 30, fold=1),
        datetime(2024, 10, 27, 2, 30, fold=1, tzinfo=UTC),
        datetime(2024, 1, 1, tzinfo=timezone(timedelta(days=-1, minutes=1))),
        datetime(2024, 1, 1, tzinfo=timezone(timedelta(hours=23, minutes=59))),
        datetime(2024, 1, 1, 0, 0, 0, 1, tzinfo=timezone(-timedelta(minutes=1))),
    ):
        assert set(written(value)) == {value.isoformat()}


@pytest.mark.feature(192, 193)
def test_many_zones_in_turn() -> None:
    moments = [
        datetime(2024, 1, 1, tzinfo=timezone(timedelta(minutes=minutes)))
        for minutes in range(-1439, 1440, 7)
    ]
    assert json.loads(json.dumps(moments)) == [moment.isoformat() for moment in moments]
    events = [Event(number, moment) for number, moment in enumerate(moments)]
    assert [event["when"] for event in json.loads(json.dumps(events))] == [
        moment.isoformat() for moment in moments
    ]


@pytest.mark.feature(193)
def test_offsets_with_seconds_are_refused() -> None:
    for offset in (
        timedelta(seconds=1),
        timedelta(hours=-1, seconds=30),
        timedelta(microseconds=9),
    ):
        odd = datetime(2024, 1, 1, tzinfo=timezone(offset))
        for value in (odd, [NOW, odd], Event(1, odd), Slotted(1, odd), (odd,), {"k": odd}):
            with pytest.raises(octad.EncodeError) as caught:
                json.dumps([NOW, value])
            assert caught.value.code == "invalid-datetime"


NOW = datetime(2024, 2, 29, 8, 30, tzinfo=UTC)


@pytest.mark.feature(193)
def test_zones_of_other_classes_are_asked() -> None:
    asked = []

    class Own(tzinfo):
        def utcoffset(self, when: datetime | None) -> timedelta:
            asked.append(when)
            return timedelta(hours=len(asked) % 3)

        def dst(self, when: datetime | None) -> timedelta:
            return timedelta(0)

    moment = datetime(2024, 1, 1, tzinfo=Own())
    text = json.dumps([NOW, moment, Event(1, moment), Event(2, moment)])
    assert [text.count(offset) for offset in (b"+00:00", b"+01:00", b"+02:00")] == [2, 1, 1]
    assert len(asked) == 3

    class Silent(tzinfo):
        def utcoffset(self, when: datetime | None) -> None:
            return None

    assert set(written(datetime(2024, 1, 1, tzinfo=Silent()))) == {"2024-01-01T00:00:00"}

    class Raises(tzinfo):
        def utcoffset(self, when: datetime | None) -> timedelta:
            raise LookupError("no offset")

    with pytest.raises(LookupError, match="no offset"):
        json.dumps([NOW, Event(1, datetime(2024, 1, 1, tzinfo=Raises()))])


@pytest.mark.feature(193)
def test_named_zones() -> None:
    try:
        zone = zoneinfo.ZoneInfo("Europe/Berlin")
    except zoneinfo.ZoneInfoNotFoundError:
        pytest.skip("this machine has no zones by name")
    for value in (
        datetime(2024, 1, 1, tzinfo=zone),
        datetime(2024, 7, 1, tzinfo=zone),
        datetime(2024, 10, 27, 2, 30, tzinfo=zone),
        datetime(2024, 10, 27, 2, 30, tzinfo=zone, fold=1),
    ):
        assert set(written(value)) == {value.isoformat()}


@pytest.mark.feature(192)
def test_subclasses_keep_their_own_ways() -> None:
    class Same(datetime):
        pass

    class Spelled(datetime):
        def isoformat(self, *args: Any, **more: Any) -> str:
            return "my " + super().isoformat(*args, **more)

    class Shifted(datetime):
        def utcoffset(self) -> timedelta:
            return timedelta(hours=5)

    class Day(date):
        pass

    json.dumps([NOW, NOW, NOW.date()])
    assert set(written(Same(2024, 1, 2, 3, tzinfo=UTC))) == {"2024-01-02T03:00:00+00:00"}
    assert set(written(Spelled(2024, 1, 2))) == {"my 2024-01-02T00:00:00"}
    zone = timezone(timedelta(hours=1))
    assert set(written(Shifted(2024, 1, 2, tzinfo=zone))) == {"2024-01-02T00:00:00+05:00"}
    assert set(written(Day(2024, 1, 2))) == {"2024-01-02"}


@pytest.mark.feature(192, 193)
def test_forms_are_for_their_call_and_field_only() -> None:
    rfc = '"2024-02-29T08:30:00+00:00"'

    @dataclass
    class Mixed:
        plain: datetime
        count: Annotated[datetime, Field(dates="epoch")]
        many: Annotated[list[Any], Field(dates="epoch")]
        after: datetime

    mixed = Mixed(NOW, NOW, [NOW, (NOW,), {"k": NOW}], NOW)
    number = "1709195400"
    want = (
        f'{{"plain":{rfc},"count":{number},"many":[{number},[{number}],{{"k":{number}}}],'
        f'"after":{rfc}}}'
    )
    for _ in range(2):
        assert json.dumps_str([NOW, mixed, NOW, Event(1, NOW)]) == (
            f'[{rfc},{want},{rfc},{{"number":1,"when":{rfc},"name":"x"}}]'
        )
        epoch = Settings(dates="epoch")
        assert json.dumps_str([NOW, Event(1, NOW)], settings=epoch) == (
            f'[{number},{{"number":1,"when":{number},"name":"x"}}]'
        )
        naive = Event(1, NOW.replace(tzinfo=None))
        utc = json.dumps_str(naive, settings=Settings(zones="utc"))
        assert utc == f'{{"number":1,"when":{rfc},"name":"x"}}'
        with pytest.raises(octad.EncodeError, match="without a zone"):
            json.dumps([NOW, naive], settings=Settings(zones="naive-error"))
    # Bytes have a form of their own, dates have not.
    forms = Settings(bytes="hex")
    assert json.dumps_str([NOW, b"\x01"], settings=forms) == f'[{rfc},"01"]'


@pytest.mark.feature(192)
def test_layout_and_bounds() -> None:
    event = [Event(1, NOW), NOW, NOW.date()]
    want = json.dumps_str(json.loads(json.dumps(event)), indent=2)
    assert json.dumps_str(event, indent=2) == want
    for escape in ("ascii", "html"):
        assert json.dumps(event, escape=escape) == json.dumps(event)
    with pytest.raises(octad.EncodeError) as caught:
        json.dumps([[NOW] * 100], limits=octad.Limits(output=500))
    assert caught.value.code == "output-limit"


@pytest.mark.feature(156)
def test_many_classes_in_turn() -> None:
    classes: list[Any] = [make_dataclass(f"C{n}", [("a", int), ("w", Any)]) for n in range(70)]
    many = [kind(number, NOW) for number, kind in enumerate(classes)] * 3
    want = [{"a": number, "w": NOW.isoformat()} for number in range(70)] * 3
    assert json.loads(json.dumps(many)) == want


@pytest.mark.feature(192)
def test_nothing_is_kept() -> None:
    zone = timezone(timedelta(minutes=77))
    moment = datetime(2024, 1, 1, tzinfo=zone)
    events = [Event(1, moment), moment]
    json.dumps(events)
    before = sys.getrefcount(zone), sys.getrefcount(moment)
    for _ in range(100):
        json.dumps(events)
    assert (sys.getrefcount(zone), sys.getrefcount(moment)) == before


SCRIPT = """
import sys
from datetime import *
from octad import json
zones = [None, timezone.utc, timezone(timedelta(hours=-3, minutes=-7)), timezone(timedelta(1) / 3)]
moments = [datetime(2024, 2, 3, 4, 5, 6, 7 * n, tzinfo=zone) for n, zone in enumerate(zones)]
assert json.loads(json.dumps(moments * 2)) == [moment.isoformat() for moment in moments * 2]
zone = timezone(timedelta(minutes=77))
before = sys.getrefcount(zone)
json.dumps([moments[0].replace(tzinfo=zone)] * 100)
assert sys.getrefcount(zone) == before
"""


@pytest.mark.parametrize(
    "more",
    [{"OCTAD_PUBLIC_API": "1"}, {"PYTHONMALLOC": "debug"}],
    ids=["public", "debug-allocator"],
)
def test_without_the_inner_layout(more: dict[str, str]) -> None:
    environment = dict(os.environ, **more)
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")

"""Dates where they stand in containers and records: read in place, and as `isoformat` has them."""

from __future__ import annotations

import dataclasses
import datetime as dt
import json as std
import sys
from typing import Any

import octad
import pytest
from hypothesis import given
from hypothesis import strategies as st
from octad import json

UTC = dt.UTC


class Half(dt.tzinfo):
    """A zone with a summer time."""

    def utcoffset(self, moment: dt.datetime | None) -> dt.timedelta:
        summer = moment is not None and 4 <= moment.month <= 9 and not moment.fold
        return dt.timedelta(minutes=90 if summer else 30)

    def dst(self, _moment: dt.datetime | None) -> dt.timedelta:
        return dt.timedelta(0)

    def tzname(self, _moment: dt.datetime | None) -> str:
        return "half"


AWAY = dt.timezone(dt.timedelta(hours=-3, minutes=-30))
ZONES = [None, UTC, AWAY, dt.timezone(dt.timedelta(hours=23, minutes=59)), Half()]
MOMENTS = st.one_of(
    st.dates(),
    st.builds(
        lambda moment, zone, fold: moment.replace(tzinfo=zone, fold=fold),
        st.datetimes(dt.datetime(1, 1, 2), dt.datetime(9999, 12, 30)),
        st.sampled_from(ZONES),
        st.sampled_from([0, 1]),
    ).filter(lambda moment: not (moment.utcoffset() or dt.timedelta()) % dt.timedelta(minutes=1)),
)


@given(st.lists(MOMENTS, min_size=1, max_size=12))
def test_dates_in_containers_are_what_isoformat_says(moments: list[dt.date]) -> None:
    @dataclasses.dataclass
    class Record:
        first: Any
        rest: Any

    @dataclasses.dataclass(slots=True)
    class Slots:
        first: Any
        rest: Any

    texts = [moment.isoformat() for moment in moments]
    value = [
        moments,
        tuple(moments),
        {str(at): moment for at, moment in enumerate(moments)},
        Record(moments[0], moments),
        Slots(moments[-1], [Slots(moment, 1) for moment in moments]),
    ]
    wanted = [
        texts,
        texts,
        {str(at): text for at, text in enumerate(texts)},
        {"first": texts[0], "rest": texts},
        {"first": texts[-1], "rest": [{"first": text, "rest": 1} for text in texts]},
    ]
    assert std.loads(json.dumps(value)) == wanted
    assert std.loads(json.dumps(value, indent=2, escape="ascii")) == wanted


def test_dates_of_other_classes_among_plain_ones_keep_their_say() -> None:
    class Shout(dt.datetime):
        def isoformat(self, *_: Any, **__: Any) -> str:
            return "AT NOON"

    class Moving(dt.tzinfo):
        asked = 0

        def utcoffset(self, _moment: Any) -> dt.timedelta:
            self.asked += 1
            return dt.timedelta(hours=self.asked)

    plain = dt.datetime(2024, 2, 29, 8, 30, tzinfo=UTC)
    moving = dt.datetime(2024, 2, 29, tzinfo=Moving())
    value = [plain, Shout(2024, 1, 1), plain, moving, moving, plain.date(), plain]
    assert json.loads(json.dumps(value)) == [
        "2024-02-29T08:30:00+00:00",
        "AT NOON",
        "2024-02-29T08:30:00+00:00",
        "2024-02-29T00:00:00+01:00",
        "2024-02-29T00:00:00+02:00",
        "2024-02-29",
        "2024-02-29T08:30:00+00:00",
    ]


def test_a_fixed_zone_with_seconds_is_refused_between_others() -> None:
    odd = dt.timezone(dt.timedelta(hours=1, seconds=30))
    moments = [dt.datetime(2024, 1, 1, tzinfo=zone) for zone in (UTC, AWAY, odd, UTC)]
    with pytest.raises(octad.EncodeError) as caught:
        json.dumps({"all": moments})
    assert (caught.value.code, caught.value.path) == ("invalid-datetime", "$.all[2]")


def test_a_zone_is_not_held_after_the_call() -> None:
    zone = dt.timezone(dt.timedelta(hours=5))
    before = sys.getrefcount(zone)
    moments = [dt.datetime(2024, 1, 1, tzinfo=zone) for _ in range(3)]
    json.dumps(moments)
    with pytest.raises(octad.EncodeError):
        json.dumps([*moments, object()])
    del moments
    assert sys.getrefcount(zone) == before


def test_dates_count_for_the_bound_of_the_output() -> None:
    value = [dt.datetime(2024, 1, 1, tzinfo=UTC)] * 3
    text = json.dumps(value)
    assert json.dumps(value, limits=octad.Limits(output=len(text))) == text
    with pytest.raises(octad.EncodeError) as caught:
        json.dumps(value, limits=octad.Limits(output=len(text) - 1))
    assert caught.value.code == "output-limit"

"""Forms of values: dates, zones, byte strings, numbers as texts; per call, class, field."""

from __future__ import annotations

import collections
import datetime as dt
import enum
import zoneinfo
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Annotated, Any

import octad
import pytest
from octad import Field, Settings, json

from tests.support import error_of
from tests.typed.formats import Format, assert_same

UTC = dt.UTC
PLUS_TWO = dt.timezone(dt.timedelta(hours=2))
MOMENT = dt.datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)

# --- dates and times ---

READ_MOMENTS = [
    ("2024-05-06T07:08:09Z", dt.datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)),
    ("2024-05-06t07:08:09z", dt.datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)),
    ("2024-05-06 07:08:09Z", dt.datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)),
    ("2024-05-06T07:08:09.1Z", dt.datetime(2024, 5, 6, 7, 8, 9, 100_000, UTC)),
    ("2024-05-06T07:08:09.123456+02:00", dt.datetime(2024, 5, 6, 7, 8, 9, 123_456, PLUS_TWO)),
    ("2024-05-06T07:08:09.123456000Z", dt.datetime(2024, 5, 6, 7, 8, 9, 123_456, UTC)),
    ("0001-01-01T00:00:00Z", dt.datetime(1, 1, 1, tzinfo=UTC)),
    ("9999-12-31T23:59:59.999999Z", dt.datetime(9999, 12, 31, 23, 59, 59, 999_999, UTC)),
    (
        "2024-05-06T07:08:09-00:30",
        dt.datetime(2024, 5, 6, 7, 8, 9, tzinfo=dt.timezone(-dt.timedelta(minutes=30))),
    ),
    ("2024-05-06T07:08:09", dt.datetime(2024, 5, 6, 7, 8, 9)),
]


@pytest.mark.feature(14, 192)
@pytest.mark.parametrize(("text", "value"), READ_MOMENTS)
def test_moments_are_read_exactly(text: str, value: dt.datetime, fmt: Format) -> None:
    assert_same(fmt.loads(f'"{text}"', dt.datetime), value)


@pytest.mark.parametrize(
    "text",
    [
        "2024-05-06", "2024-05-06T07:08", "2024-05-06T07:08:09+0200x", "2024-5-6T07:08:09Z",
        "24-05-06T07:08:09Z", "2024-05-06T24:00:00Z", "2024-05-06T07:60:00Z",
        "2024-02-30T00:00:00Z",
        "2024-05-06T07:08:61Z", "2024-05-06T07:08:09+24:00", "2024-05-06T07:08:09.Z",
        "2024-05-06T07:08:09.0000001Z", "2024-05-06T07:08:09ZZ", " 2024-05-06T07:08:09Z",
        "2024-05-06T07:08:09Z ", "２０24-05-06T07:08:09Z", "0000-01-01T00:00:00Z", "", "now",
        "20240506T070809Z", "2024-W19-1T07:08:09Z", "10000-01-01T00:00:00Z", "-001-01-01T00:00:00Z",
    ],
)  # fmt: skip
def test_what_is_no_moment_is_refused(text: str, fmt: Format) -> None:
    assert fmt.refuse(json.dumps_str(text), dt.datetime).code == "invalid-value"


@pytest.mark.parametrize(
    "value", [one for _, one in READ_MOMENTS] + [dt.date(2024, 2, 29), dt.date(1, 1, 1)]
)
def test_moments_make_the_round_trip(value: Any, fmt: Format) -> None:
    assert_same(fmt.trip(value, type(value)), value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("07:08:09", dt.time(7, 8, 9)),
        ("07:08:09.5", dt.time(7, 8, 9, 500_000)),
        ("23:59:59.999999", dt.time(23, 59, 59, 999_999)),
        ("07:08:09+02:00", dt.time(7, 8, 9, tzinfo=PLUS_TWO)),
        ("07:08:09Z", dt.time(7, 8, 9, tzinfo=UTC)),
    ],
)
def test_times_of_day(text: str, value: dt.time, fmt: Format) -> None:
    assert_same(fmt.loads(f'"{text}"', dt.time), value)
    assert_same(fmt.trip(value, dt.time), value)


@pytest.mark.feature(197)
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("P1D", dt.timedelta(days=1)),
        ("PT0S", dt.timedelta()),
        ("P2W", dt.timedelta(weeks=2)),
        ("P1DT2H3M4.000005S", dt.timedelta(1, 7384, 5)),
        ("-PT0.5S", dt.timedelta(seconds=-0.5)),
        ("PT90M", dt.timedelta(minutes=90)),
        ("P999999999D", dt.timedelta(days=999_999_999)),
    ],
)
def test_lengths_of_time(text: str, value: dt.timedelta, fmt: Format) -> None:
    assert_same(fmt.loads(f'"{text}"', dt.timedelta), value)
    assert_same(fmt.trip(value, dt.timedelta), value)


@pytest.mark.parametrize(
    "text",
    ["", "P", "PT", "1D", "P1M", "P1Y", "PT1.0000001S", "P1DT", "P1000000000D", "PT1H1", "p1d "],
)
def test_what_is_no_length_of_time_is_refused(text: str, fmt: Format) -> None:
    assert fmt.refuse(f'"{text}"', dt.timedelta).code == "invalid-value"


FORMS = [
    ("epoch", "1700000000", MOMENT),
    ("epoch", "1700000000.5", MOMENT.replace(microsecond=500_000)),
    ("epoch", "-1.5", dt.datetime(1969, 12, 31, 23, 59, 58, 500_000, UTC)),
    ("epoch_ms", "1700000000000", MOMENT),
    ("epoch_ms", "1700000000000.25", MOMENT.replace(microsecond=250)),
    ("microsoft", '"/Date(1700000000000)/"', MOMENT),
    ("microsoft", '"/Date(1700000000000+0200)/"', MOMENT.astimezone(PLUS_TWO)),
    ("%d.%m.%Y %H:%M", '"14.11.2023 22:13"', dt.datetime(2023, 11, 14, 22, 13)),
    ("%Y%m%dT%H%M%S%z", '"20231114T221320+0000"', MOMENT),
]


@pytest.mark.feature(192)
@pytest.mark.parametrize(("form", "text", "value"), FORMS)
def test_forms_of_dates_per_call_and_per_field(
    form: str, text: str, value: dt.datetime, fmt: Format
) -> None:
    settings = Settings(dates=form)
    assert_same(fmt.loads(text, dt.datetime, settings=settings), value)
    assert_same(fmt.loads(text, dt.datetime | None, settings=settings), value)
    of = Annotated[dt.datetime, Field(dates=form)]
    assert_same(fmt.loads(text, of), value)

    @dataclass
    class Event:
        at: Annotated[dt.datetime, Field(dates=form)]
        usual: dt.datetime

    event = Event(value, MOMENT)
    assert_same(fmt.trip(event, Event), event)
    assert_same(fmt.trip([value], list[dt.datetime], settings=settings), [value])


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("epoch", '"2024-01-01T00:00:00Z"'),
        ("epoch", "1e300"),
        ("epoch_ms", "null"),
        ("microsoft", '"2024-01-01T00:00:00Z"'),
        ("microsoft", '"/Date(x)/"'),
        ("microsoft", "1700000000000"),
        ("%d.%m.%Y", '"2024-01-01"'),
        ("rfc3339", "1700000000"),
    ],
)
def test_other_forms_than_the_chosen_one_are_refused(form: str, text: str, fmt: Format) -> None:
    error = fmt.refuse(text, dt.datetime, settings=Settings(dates=form))
    assert error.code in ("wrong-type", "invalid-value")


def test_dates_alone_have_forms_too(fmt: Format) -> None:
    day = dt.date(2023, 11, 14)
    assert fmt.loads('"14.11.2023"', Annotated[dt.date, Field(dates="%d.%m.%Y")]) == day

    @dataclass
    class Day:
        on: Annotated[dt.date, Field(dates="%d.%m.%Y")]
        length: dt.timedelta

    assert fmt.dumps(Day(day, dt.timedelta(hours=1))) == {"on": "14.11.2023", "length": "PT1H"}


@pytest.mark.feature(193)
def test_zones_are_kept_turned_or_asked_for(fmt: Format) -> None:
    text = '"2024-05-06T07:08:09+02:00"'
    kept = dt.datetime(2024, 5, 6, 7, 8, 9, tzinfo=PLUS_TWO)
    assert_same(fmt.loads(text, dt.datetime), kept)
    assert_same(fmt.loads(text, dt.datetime, settings=Settings(zones="utc")), kept.astimezone(UTC))
    naive = '"2024-05-06T07:08:09"'
    strict = Settings(zones="naive-error")
    assert_same(fmt.loads(text, dt.datetime, settings=strict), kept)
    error = fmt.refuse(naive, dt.datetime, settings=strict)
    assert error.code == "invalid-value"

    @dataclass
    class Event:
        at: Annotated[dt.datetime, Field(zones="utc")]

    assert_same(fmt.loads(f'{{"at": {text}}}', Event), Event(kept.astimezone(UTC)))
    assert fmt.dumps(Event(kept)) == {"at": "2024-05-06T05:08:09Z"} or fmt.dumps(Event(kept)) == {
        "at": "2024-05-06T05:08:09+00:00"
    }


def test_zones_by_name_are_written_as_offsets(fmt: Format) -> None:
    value = dt.datetime(2024, 7, 1, 12, tzinfo=zoneinfo.ZoneInfo("Europe/Lisbon"))
    assert fmt.dumps([value]) == ["2024-07-01T12:00:00+01:00"]
    twice = dt.datetime(2024, 10, 27, 1, 30, fold=1, tzinfo=zoneinfo.ZoneInfo("Europe/Lisbon"))
    assert fmt.dumps([twice]) == ["2024-10-27T01:30:00+00:00"] or fmt.dumps([twice]) == [
        "2024-10-27T01:30:00Z"
    ]


@pytest.mark.feature(194)
def test_forms_do_not_depend_on_the_locale(fmt: Format) -> None:
    import locale

    before = locale.setlocale(locale.LC_ALL)
    for name in ("de_DE.UTF-8", "C"):
        try:
            locale.setlocale(locale.LC_ALL, name)
        except locale.Error:
            continue
        try:
            assert fmt.loads("1.5", float) == 1.5
            assert fmt.dumps([1.5, Decimal("1.50")]) == [1.5, 1.5]
        finally:
            locale.setlocale(locale.LC_ALL, before)


# --- byte strings ---

RAW = bytes([0, 62, 63, 255, 128])


@pytest.mark.feature(13, 200)
@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("base64", '"AD4//4A="'),
        ("base64url", '"AD4__4A="'),
        ("hex", '"003e3fff80"'),
        ("array", "[0, 62, 63, 255, 128]"),
    ],
)
@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_forms_of_byte_strings(form: Any, text: str, kind: Any, fmt: Format) -> None:
    assert_same(fmt.loads(text, kind, settings=Settings(bytes=form)), kind(RAW))
    assert_same(fmt.loads(text, Annotated[kind, Field(bytes=form)]), kind(RAW))

    @dataclass
    class Blob:
        data: Annotated[bytes, Field(bytes=form)]
        usual: bytes = b"hi"

    blob = Blob(RAW)
    assert_same(fmt.trip(blob, Blob), blob)
    if fmt.is_json:
        # Read with and without what fills it up, base64url is written without.
        want = json.loads(text.rstrip('="') + '"' if form == "base64url" else text)
        assert json.loads(json.dumps(blob)) == {"data": want, "usual": "aGk="}


@pytest.mark.parametrize(
    ("form", "text", "code"),
    [
        ("base64", '"AD4__4A="', "invalid-value"),
        ("base64", '"AD4"', "invalid-value"),
        ("base64", '"AD4=/4A="', "invalid-value"),
        ("base64", '"AB=="', "invalid-value"),
        ("base64url", '"AD4//4A="', "invalid-value"),
        ("hex", '"0"', "invalid-value"),
        ("hex", '"zz"', "invalid-value"),
        ("hex", '"00 1"', "invalid-value"),
        ("array", "[256]", None),
        ("array", "[-1]", None),
        ("array", '["1"]', None),
        ("array", '"AA=="', "wrong-type"),
        ("hex", "[1]", "wrong-type"),
        (None, "[1]", "wrong-type"),
    ],
)
def test_what_is_not_in_the_form_is_refused(
    form: Any, text: str, code: str | None, fmt: Format
) -> None:
    error = fmt.refuse(text, bytes, settings=Settings(bytes=form))
    assert error.code == code or (code is None and error.code != "rejected")


def test_empty_byte_strings(fmt: Format) -> None:
    assert fmt.loads('""', bytes) == b""
    assert fmt.loads("[]", bytes, settings=Settings(bytes="array")) == b""


# --- numbers ---


@pytest.mark.feature(189)
def test_numbers_from_texts_by_setting_and_by_field(fmt: Format) -> None:
    settings = Settings(numbers_from_text=True)
    assert_same(fmt.loads('"12"', int, settings=settings), 12)
    assert_same(fmt.loads('"-1.5e3"', float, settings=settings), -1500.0)
    assert_same(fmt.loads('["1", 2]', list[int], settings=settings), [1, 2])
    many = "9" * 100
    assert_same(fmt.loads(f'"{many}"', int, settings=settings), int(many))
    for text in (
        '"x"',
        '""',
        '" 1"',
        '"1.5"',
        '"0x1"',
        '"1_0"',
        '"٣"',
        '"+1"',
        '"01"',
        "true",
        '"true"',
    ):
        assert fmt.refuse(text, int, settings=settings).code in ("wrong-type", "invalid-value")
    for text in ('"nan"', '"inf"', '"1,5"', '"1e"'):
        assert fmt.refuse(text, float, settings=settings).code in ("wrong-type", "invalid-value")

    @dataclass
    class Row:
        a: Annotated[int, Field(numbers_from_text=True)]
        b: int = 0

    assert_same(fmt.loads('{"a": "5"}', Row), Row(5))
    assert fmt.refuse('{"a": 1, "b": "5"}', Row).path == "$.b"


@pytest.mark.feature(189)
def test_numbers_as_texts_by_setting_and_by_field(fmt: Format) -> None:
    @dataclass
    class Row:
        a: Annotated[int, Field(numbers_as_text=True)]
        b: float = 1.5
        c: list[int] = field(default_factory=list)

    row = Row(12345678901234567890, c=[1])
    assert fmt.dumps(row) == {"a": "12345678901234567890", "b": 1.5, "c": [1]}
    settings = Settings(numbers_as_text=True, numbers_from_text=True)
    assert fmt.verbs.loads(fmt.verbs.dumps(row, settings=settings)) == {
        "a": "12345678901234567890", "b": "1.5", "c": ["1"],
    }  # fmt: skip
    assert_same(fmt.trip(row, Row, settings=settings), row)


@pytest.mark.feature(9, 191)
def test_numbers_keep_every_digit(fmt: Format) -> None:
    @dataclass
    class Money:
        amount: Decimal
        count: int
        share: float

    value = Money(Decimal("12345678901234567890.12345678901234567890"), 2**200, 0.1)
    assert_same(fmt.trip(value, Money), value)
    assert_same(fmt.loads("1.10", Decimal), Decimal("1.10"))
    assert_same(fmt.loads("-0.0", Decimal), Decimal("-0.0"))
    assert_same(fmt.loads("1E400", Decimal), Decimal("1E+400"))
    assert_same(fmt.loads("10", Decimal), Decimal(10))


@pytest.mark.feature(190)
def test_words_for_what_is_no_number_need_an_option() -> None:
    assert error_of(json.loads, '"NaN"', float).code == "wrong-type"
    assert json.loads("[Infinity]", list[float], nan="literal") == [float("inf")]
    settings = Settings(nan="string", numbers_from_text=True)
    assert json.dumps([float("inf")], settings=settings) == b'["Infinity"]'


# --- enums, dictionaries ---


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


@octad.contract(enum="name")
class Named(enum.Enum):
    ONE = 1
    TWO = object()


class Right(enum.Flag):
    READ = 1
    WRITE = 2


class Lenient(enum.Enum):
    A = "a"
    OTHER = "other"

    @classmethod
    def _missing_(cls, value: object) -> Lenient | None:
        return cls.OTHER if isinstance(value, str) else None


@pytest.mark.feature(196)
def test_enums_by_value_by_name_and_as_flags(fmt: Format) -> None:
    assert_same(fmt.loads("2", Level), Level.HIGH)
    assert_same(fmt.loads('"TWO"', Named), Named.TWO)
    assert fmt.refuse("1", Named).code == "invalid-value"
    assert fmt.dumps([Named.ONE]) == ["ONE"]
    assert_same(fmt.loads("3", Right), Right.READ | Right.WRITE)
    assert_same(fmt.loads("0", Right), Right(0))
    assert fmt.refuse("4", Right).code == "invalid-value"
    assert_same(fmt.loads('"zzz"', Lenient), Lenient.OTHER)
    assert fmt.refuse("5", Lenient).code == "invalid-value"
    for value in (Level.HIGH, Named.TWO, Right.READ, Right(3), Lenient.A):
        assert fmt.trip(value, type(value)) is value or fmt.trip(value, type(value)) == value


@pytest.mark.feature(195)
def test_dictionaries_as_objects_and_as_pairs(fmt: Format) -> None:
    pairs = {(1, "a"): 2.0, (2, "b"): 3.0}
    assert_same(fmt.loads('[[[1, "a"], 2], [[2, "b"], 3]]', dict[tuple[int, str], float]), pairs)
    assert fmt.refuse("[[1, 2]]", dict[tuple[int, str], float]).path == "$[0][0]"
    assert fmt.refuse('[[[1, "a"], 2], [[1, "a"], 3]]', dict[tuple[int, str], float]).code in (
        "repeated-field",
        "duplicate-key",
    )
    keys = {1: "a", -5: "b"}
    assert_same(fmt.trip(keys, dict[int, str]), keys)
    days = {dt.date(2024, 1, 2): 1}
    assert_same(fmt.trip(days, dict[dt.date, int]), days)


@pytest.mark.feature(198)
def test_collections_keep_their_kind(fmt: Format) -> None:
    @dataclass
    class Bag:
        queue: collections.deque[int]
        names: frozenset[str]
        counts: collections.Counter[str]
        groups: collections.defaultdict[str, set[int]]
        order: collections.OrderedDict[str, int]
        pair: tuple[int, str]

    bag = Bag(
        collections.deque([1, 2]), frozenset("ab"), collections.Counter("aab"),
        collections.defaultdict(set, {"x": {1, 2}}), collections.OrderedDict(b=1, a=2), (1, "x"),
    )  # fmt: skip
    again = fmt.trip(bag, Bag)
    assert_same(again, bag)
    again.groups["new"].add(5)
    assert again.groups["new"] == {5}


@pytest.mark.feature(199)
def test_arrays_of_numpy_as_targets(fmt: Format) -> None:
    np = pytest.importorskip("numpy", reason="numpy is not installed")
    import numpy.typing as npt

    for of in (npt.NDArray[np.float64], np.ndarray[Any, np.dtype[np.float64]]):
        made = fmt.loads("[[1, 2.5], [3, 4]]", of)
        assert type(made) is np.ndarray
        assert made.dtype == np.float64
        assert made.tolist() == [[1.0, 2.5], [3.0, 4.0]]
    assert fmt.loads("[1, 2]", npt.NDArray[np.int8]).dtype == np.int8
    assert type(fmt.loads("1.5", np.float32)) is np.float32
    assert fmt.loads("7", np.uint8) == 7

    @dataclass
    class Signal:
        samples: npt.NDArray[np.float64]
        rate: np.int64

    signal = fmt.loads('{"samples": [1, 2], "rate": 3}', Signal)
    again = fmt.trip(signal, Signal)
    assert again.samples.tolist() == [1.0, 2.0]
    assert again.rate == 3
    for text, of in (
        ("[[1], [1, 2]]", npt.NDArray[np.float64]),
        ('["a"]', npt.NDArray[np.float64]),
        ("[1.5]", npt.NDArray[np.int64]),
        ("[300]", npt.NDArray[np.uint8]),
        ("[true]", npt.NDArray[np.float64]),
        ("300", np.uint8),
        ("-1", np.uint8),
        ("{}", npt.NDArray[np.float64]),
    ):
        fmt.refuse(text, of)

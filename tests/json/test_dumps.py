"""dumps: every type, spelled as the standard library spells it where both know it."""

from __future__ import annotations

import array
import collections
import datetime as dt
import decimal
import enum
import ipaddress
import json as stdlib
import math
import os
import pathlib
import sys
import types
import uuid
from dataclasses import KW_ONLY, InitVar, dataclass, field
from typing import Any, ClassVar, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from octad import json
from octad._errors import EncodeError

UTC = dt.UTC


class Text(str):
    pass


class Whole(int):
    pass


class Real(float):
    pass


class Items(list):
    pass


class Pair(tuple):
    pass


class Table(dict):
    pass


class Octets(bytes):
    pass


class Level(enum.IntEnum):
    LOW = 1


class Colour(enum.StrEnum):
    RED = "red"


class Shade(str, enum.Enum):  # noqa: UP042 (the older spelling is what is tested)
    DARK = "dark"


class Size(enum.Enum):
    SMALL = (1, 2)


class Bits(enum.IntFlag):
    READ = 4
    WRITE = 2


class Point(NamedTuple):
    x: int
    y: int


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        (False, "false"),
        (0, "0"),
        (-1, "-1"),
        (2**62, "4611686018427387904"),
        (2**63 - 1, "9223372036854775807"),
        (-(2**63), "-9223372036854775808"),
        (-(2**63) - 1, "-9223372036854775809"),
        (2**63, "9223372036854775808"),
        (2**64 - 1, "18446744073709551615"),
        (2**64, "18446744073709551616"),
        (18528528433540659662, "18528528433540659662"),
        (10**40, "1" + "0" * 40),
        (-(10**40) + 1, "-" + "9" * 40),
        (1.0, "1.0"),
        (-0.0, "-0.0"),
        (0.1, "0.1"),
        (1e-06, "1e-06"),
        (1e16, "1e+16"),
        (1e22, "1e+22"),
        (5e-324, "5e-324"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
        (-8536070.0, "-8536070.0"),
        ("", '""'),
        ("plain", '"plain"'),
        ('a"b\\c/d', '"a\\"b\\\\c/d"'),
        ("\x00\x1f\x7f\b\f\n\r\t", '"\\u0000\\u001f\x7f\\b\\f\\n\\r\\t"'),
        ("é", '"é"'),
        ("ÿ" * 40 + '"', '"' + "ÿ" * 40 + '\\""'),
        ("漢字\n", '"漢字\\n"'),
        ("\U0001f680", '"\U0001f680"'),
        ("a" * 100 + "\n" + "b" * 100, '"' + "a" * 100 + "\\n" + "b" * 100 + '"'),
        ([], "[]"),
        ({}, "{}"),
        ((), "[]"),
        ([[], {}, ()], "[[],{},[]]"),
        ([1, [2, [3, "x"], 4], 5], '[1,[2,[3,"x"],4],5]'),
        ({"a": {"b": [1, {"c": None}], "d": 1}, "e": 2}, '{"a":{"b":[1,{"c":null}],"d":1},"e":2}'),
        (Text("s"), '"s"'),
        (Text("漢"), '"漢"'),
        (Whole(7), "7"),
        (Whole(2**70), "1180591620717411303424"),
        (Real(1.5), "1.5"),
        (Items([1, 2]), "[1,2]"),
        (Pair([1, 2]), "[1,2]"),
        (Table(a=1), '{"a":1}'),
        (Level.LOW, "1"),
        (Colour.RED, '"red"'),
        (Shade.DARK, '"dark"'),
        (Size.SMALL, "[1,2]"),
        (Bits.READ | Bits.WRITE, "6"),
        (Point(1, 2), "[1,2]"),
        (collections.OrderedDict(a=1), '{"a":1}'),
        (collections.Counter("aab"), '{"a":2,"b":1}'),
        (collections.defaultdict(list, a=[1]), '{"a":[1]}'),
        (collections.deque([1, "x"]), '[1,"x"]'),
        (collections.ChainMap({"a": 1}, {"a": 2, "b": 3}), '{"a":1,"b":3}'),
        (collections.UserDict(a=1), '{"a":1}'),
        (collections.UserList([1]), "[1]"),
        (collections.UserString("s"), '"s"'),
        (types.MappingProxyType({"a": 1}), '{"a":1}'),
        ({1}, "[1]"),
        (frozenset(["x"]), '["x"]'),
        (range(3), "[0,1,2]"),
        (array.array("d", [1.5, 2]), "[1.5,2.0]"),
        (array.array("i", [1, -2]), "[1,-2]"),
        ({"a": 1}.keys(), '["a"]'),
        ({"a": 1}.values(), "[1]"),
        (
            uuid.UUID("12345678-1234-5678-1234-567812345678"),
            '"12345678-1234-5678-1234-567812345678"',
        ),
        (uuid.UUID(int=1), '"00000000-0000-0000-0000-000000000001"'),
        (uuid.UUID(int=2**128 - 1), '"ffffffff-ffff-ffff-ffff-ffffffffffff"'),
        (pathlib.PurePosixPath("a/b"), '"a/b"'),
        (ipaddress.ip_address("127.0.0.1"), '"127.0.0.1"'),
        (ipaddress.ip_address("::1"), '"::1"'),
        (ipaddress.ip_network("10.0.0.0/8"), '"10.0.0.0/8"'),
        (ipaddress.ip_interface("10.0.0.1/8"), '"10.0.0.1/8"'),
        (decimal.Decimal("3.1234"), "3.1234"),
        (decimal.Decimal("1.10"), "1.10"),
        (decimal.Decimal("1E+5"), "1E+5"),
        (decimal.Decimal("-0"), "-0"),
        (decimal.Decimal("0E-10"), "0E-10"),
        (types.SimpleNamespace, None),
    ],
)
def test_writes_each_type(value: Any, text: str | None) -> None:
    if text is None:
        with pytest.raises(EncodeError) as caught:
            json.dumps(value)
        assert caught.value.code == "unsupported-type"
        return
    assert json.dumps(value) == text.encode()
    assert json.dumps_str(value) == text
    assert json.dumps([value, {"k": value}]) == f'[{text},{{"k":{text}}}]'.encode()
    assert json.dumps({"k": {"l": (value,)}}) == f'{{"k":{{"l":[{text}]}}}}'.encode()


@pytest.mark.feature(14)
@pytest.mark.parametrize(
    ("value", "text"),
    [
        (dt.datetime(999, 1, 1), "0999-01-01T00:00:00"),
        (dt.datetime(2024, 2, 29, 8, 30, 1, 250000), "2024-02-29T08:30:01.250000"),
        (dt.datetime(2024, 2, 29, tzinfo=UTC), "2024-02-29T00:00:00+00:00"),
        (
            dt.datetime(2024, 2, 29, tzinfo=dt.timezone(dt.timedelta(hours=-3, minutes=-30))),
            "2024-02-29T00:00:00-03:30",
        ),
        (dt.date(1, 2, 3), "0001-02-03"),
        (dt.time(12, 0, tzinfo=UTC), "12:00:00+00:00"),
        (dt.time(1, 2, 3, 4), "01:02:03.000004"),
        (dt.timedelta(0), "PT0S"),
        (dt.timedelta(seconds=90), "PT1M30S"),
        (dt.timedelta(days=1, hours=2, minutes=3, microseconds=4500000), "P1DT2H3M4.5S"),
        (dt.timedelta(days=3), "P3D"),
        (dt.timedelta(microseconds=-1), "-PT0.000001S"),
        (dt.timedelta(days=-1), "-P1D"),
    ],
)
def test_dates_and_times_take_the_rfc_3339_form(value: Any, text: str) -> None:
    assert json.dumps(value) == f'"{text}"'.encode()
    assert json.dumps({value: 1}) == f'{{"{text}":1}}'.encode()
    if isinstance(value, (dt.datetime, dt.date, dt.time)):
        assert value.isoformat() == text


def test_an_offset_with_seconds_is_refused() -> None:
    zone = dt.timezone(dt.timedelta(seconds=30))
    with pytest.raises(EncodeError) as caught:
        json.dumps({"d": dt.datetime(2020, 1, 1, tzinfo=zone)})
    assert (caught.value.code, caught.value.path) == ("invalid-datetime", "$.d")


def test_a_datetime_subclass_keeps_its_own_spelling() -> None:
    class Fine(dt.datetime):
        def isoformat(self, *args: Any, **options: Any) -> str:
            return super().isoformat(*args, **options) + ".333333333"

    class Plain(dt.datetime):
        pass

    assert json.dumps(Fine(2023, 1, 1)) == b'"2023-01-01T00:00:00.333333333"'
    assert json.dumps(Plain(2023, 1, 1)) == b'"2023-01-01T00:00:00"'


def test_zones_with_daylight_saving() -> None:
    zoneinfo = pytest.importorskip("zoneinfo")
    try:
        zone = zoneinfo.ZoneInfo("Europe/Berlin")
    except zoneinfo.ZoneInfoNotFoundError:
        pytest.skip("no time zone data on this machine")
    assert json.dumps(dt.datetime(2024, 7, 1, tzinfo=zone)) == b'"2024-07-01T00:00:00+02:00"'
    assert json.dumps(dt.time(1, tzinfo=zone)) == b'"01:00:00"'


class TestRecords:
    def test_declared_fields_in_order_and_nothing_else(self) -> None:
        @dataclass
        class Base:
            b: int
            kind: ClassVar[str] = "base"

        @dataclass
        class Derived(Base):
            a: str = "x"
            seed: InitVar[int] = 0
            _: KW_ONLY
            _private: int = 5
            hidden: int = field(default=6, repr=False, compare=False)

        value = Derived(1)
        value.extra = 9  # type: ignore[attr-defined]
        assert json.dumps(value) == b'{"b":1,"a":"x","_private":5,"hidden":6}'

    def test_slots_frozen_and_inheritance(self) -> None:
        @dataclass(slots=True, frozen=True)
        class Base:
            x: int

        @dataclass(slots=True, frozen=True)
        class Derived(Base):
            y: list[int]

        assert json.dumps([Derived(1, [2])]) == b'[{"x":1,"y":[2]}]'

    def test_a_property_stands_for_the_field_it_overrides(self) -> None:
        @dataclass
        class A:
            name: str = field(init=False)

        @dataclass
        class B(A):
            @property
            def name(self) -> str:  # type: ignore[override]
                return "asd"

        assert json.dumps(B()) == b'{"name":"asd"}'

    def test_a_missing_attribute_is_the_users_error_with_a_note(self) -> None:
        @dataclass
        class A:
            name: str = field(init=False)

        with pytest.raises(AttributeError) as caught:
            json.dumps([A()])
        assert any("$[0].name" in note for note in caught.value.__notes__)

    def test_an_empty_record(self) -> None:
        @dataclass
        class Nothing:
            pass

        assert json.dumps([Nothing()]) == b"[{}]"

    def test_a_class_changed_after_its_first_dump(self) -> None:
        class Late:
            x: int

            def __init__(self) -> None:
                self.x = 1

        with pytest.raises(EncodeError):
            json.dumps(Late())
        dataclass(Late)
        assert json.dumps(Late()) == b'{"x":1}'

    def test_attrs(self) -> None:
        attr = pytest.importorskip("attr")

        @attr.s(auto_attribs=True)
        class Data:
            x: int
            y: int

        @attr.define
        class Slotted:
            a: int
            b: Any

        assert json.dumps(Data(1, 2)) == b'{"x":1,"y":2}'
        assert json.dumps(Slotted(1, Data(3, 4))) == b'{"a":1,"b":{"x":3,"y":4}}'

    def test_sorted_fields(self) -> None:
        @dataclass
        class Data:
            b: int
            a: int

        assert json.dumps(Data(1, 2), sort_keys=True) == b'{"a":2,"b":1}'


def test_an_ordered_dict_keeps_the_order_it_was_given() -> None:
    value = collections.OrderedDict(a=1, b=2)
    value.move_to_end("a")
    assert json.dumps(value) == b'{"b":2,"a":1}'


def test_a_dict_subclass_with_its_own_items() -> None:
    class Doubled(dict):
        def items(self) -> Any:
            return [(key, value * 2) for key, value in super().items()]

    assert json.dumps(Doubled(a=1)) == b'{"a":2}'


def test_a_registered_mapping() -> None:
    class Own:
        def keys(self) -> Any:
            return ["a"]

        def items(self) -> Any:
            return [("a", 1)]

    with pytest.raises(EncodeError):
        json.dumps(Own())
    collections.abc.Mapping.register(Own)
    assert json.dumps(Own()) == b'{"a":1}'


def test_os_path_like() -> None:
    class Own:
        def __fspath__(self) -> str:
            return "/own"

    assert json.dumps(Own()) == b'"/own"'
    assert json.dumps(pathlib.Path("x")) == b'"x"'
    with os.scandir(os.path.dirname(__file__)) as entries:
        entry = next(entry for entry in entries if entry.name == "test_dumps.py")
    assert json.dumps(entry) == stdlib.dumps(os.fspath(entry)).encode()


class TestNumpy:
    @pytest.fixture(autouse=True)
    def numpy(self) -> Any:
        self.np = pytest.importorskip("numpy")

    def test_scalars(self) -> None:
        np = self.np
        assert json.dumps({"t": np.True_, "f": np.False_}) == b'{"t":true,"f":false}'
        for kind in (
            np.int8,
            np.uint8,
            np.int16,
            np.uint16,
            np.int32,
            np.uint32,
            np.int64,
            np.uint64,
        ):
            assert json.dumps(kind(7)) == b"7"
        assert json.dumps(np.uint64(2**64 - 1)) == b"18446744073709551615"
        assert json.dumps([np.float16(0.5), np.float32(0.5), np.float64(0.1)]) == b"[0.5,0.5,0.1]"
        assert json.dumps(np.longdouble(0.5)) == b"0.5"
        assert json.dumps(np.str_("s")) == b'"s"'

    def test_arrays_of_any_layout(self) -> None:
        np = self.np
        value = np.array([[1, 2, 3, 4, 5], [6, 7, 8, 9, 0]], order="F")
        assert json.dumps(value) == b"[[1,2,3,4,5],[6,7,8,9,0]]"
        assert json.dumps(value[:, ::2].T) == b"[[1,6],[3,8],[5,0]]"
        assert json.dumps(np.array([1, 2, 3], dtype=np.int8)) == b"[1,2,3]"
        assert json.dumps(np.array(5)) == b"5"
        assert json.dumps(np.zeros((0,))) == b"[]"
        assert json.dumps(np.array([1, "x", None], dtype=object)) == b'[1,"x",null]'

    def test_dates(self) -> None:
        np = self.np
        assert (
            json.dumps(np.array([np.datetime64("2021-01-01T00:00:00")]))
            == b'["2021-01-01T00:00:00"]'
        )
        fine = np.datetime64("2023-01-01T00:00:00.333333333", "ns")
        assert json.dumps(fine) == b'"2023-01-01T00:00:00.333333333"'
        assert json.dumps(np.timedelta64(90, "s")) == b'"PT1M30S"'
        with pytest.raises(EncodeError) as caught:
            json.dumps(np.timedelta64(1, "M"))
        assert caught.value.code == "unrepresentable"
        with pytest.raises(EncodeError) as caught:
            json.dumps([np.datetime64("NaT")])
        assert caught.value.code == "not-finite"
        assert json.dumps([np.datetime64("NaT")], nan="null") == b"[null]"

    def test_not_a_number(self) -> None:
        np = self.np
        with pytest.raises(EncodeError) as caught:
            json.dumps({"a": np.array([1.0, np.nan])})
        assert (caught.value.code, caught.value.path) == ("not-finite", "$.a[1]")
        assert json.dumps(np.array([np.inf]), nan="literal") == b"[Infinity]"

    def test_complex_numbers_are_their_texts(self) -> None:
        np = self.np
        assert json.dumps([np.array([1j, -2.5]), np.complex64(3)]) == b'[["1j","-2.5+0j"],"3+0j"]'


def test_big_integers_do_not_meet_the_interpreters_limit() -> None:
    value = 7**6000
    old = sys.get_int_max_str_digits()
    try:
        sys.set_int_max_str_digits(640)
        data = json.dumps([value, -value, {value: 1}])
    finally:
        sys.set_int_max_str_digits(0)
    try:
        text = str(value)
    finally:
        sys.set_int_max_str_digits(old)
    assert data == f'[{text},-{text},{{"{text}":1}}]'.encode()


@given(st.integers(min_value=-(2**300), max_value=2**300))
def test_any_integer(value: int) -> None:
    assert json.dumps(value) == str(value).encode()


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_any_float_as_repr(value: float) -> None:
    assert json.dumps(value) == repr(value).encode()


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text(value: str) -> None:
    assert stdlib.loads(json.dumps(value)) == value
    assert json.dumps(value) == stdlib.dumps(value, ensure_ascii=False).encode()
    assert json.dumps(value, escape="ascii") == stdlib.dumps(value).encode()


SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
)
KEYS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(KEYS, inner, max_size=5)
)


@settings(max_examples=300)
@given(VALUES, st.booleans(), st.booleans(), st.sampled_from([None, 0, 1, 4, "\t"]))
def test_agrees_with_the_standard_library(
    value: Any, ascii_only: bool, sort_keys: bool, indent: int | str | None
) -> None:
    expected = stdlib.dumps(
        value,
        ensure_ascii=ascii_only,
        sort_keys=sort_keys,
        indent=indent,
        separators=(",", ":") if indent is None else (",", ": "),
    )
    written = json.dumps_str(
        value,
        escape="ascii" if ascii_only else "minimal",
        sort_keys=sort_keys,
        indent=indent,
        nan="literal",
    )
    assert written == expected


@given(
    st.dictionaries(
        SCALARS.filter(lambda key: not isinstance(key, float) or math.isfinite(key)), SCALARS
    )
)
def test_keys_agree_with_the_standard_library(value: dict[Any, Any]) -> None:
    texts = [stdlib.loads(stdlib.dumps({key: 0})).popitem()[0] for key in value]
    if len(set(texts)) < len(texts):
        with pytest.raises(EncodeError) as caught:
            json.dumps(value, nan="literal")
        assert caught.value.code == "key-clash"
    else:
        expected = stdlib.dumps(value, ensure_ascii=False, separators=(",", ":"))
        assert json.dumps_str(value, nan="literal") == expected

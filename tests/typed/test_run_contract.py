"""What contracts, fields and settings change in what is read."""

from __future__ import annotations

import collections
import datetime as dt
import enum
import fractions
from abc import ABC, abstractmethod
from collections.abc import KeysView
from dataclasses import InitVar, dataclass, field
from typing import Annotated, Any, NamedTuple, TypedDict

import attrs
import msgspec
import octad
import pytest
from octad import Field, Settings, _core, contract, json
from octad._converters import Converter

from tests.typed.families import Bow, Katana, Sword, Weapon

FORBID = Settings(unknown="forbid")


def code(text: str, hint: Any, settings: Settings | None = None) -> tuple[str, str]:
    """The code and the path of the refusal."""
    with pytest.raises(octad.ValidationError) as caught:
        json.loads(text, hint, settings=settings)
    return str(caught.value.code), caught.value.path


@dataclass
class Partly:
    never: Annotated[int, Field(ignore=True)] = 1
    written: Annotated[int, Field(ignore="read")] = 2
    read: Annotated[list[int], Field(ignore="write")] = field(default_factory=list)


@pytest.mark.feature(167)
def test_fields_that_are_not_read_keep_their_default() -> None:
    assert json.loads('{"never": 5, "written": 6, "read": [7]}', Partly) == Partly(1, 2, [7])
    assert json.loads("{}", Partly) == Partly(1, 2, [])
    # What is written may come back; what is neither read nor written is unknown.
    assert json.loads('{"written": {"x": [1]}}', Partly, settings=FORBID) == Partly()
    assert code('{"never": 1}', Partly, FORBID) == ("unknown-field", "$.never")


def test_array_has_no_place_for_fields_that_are_not_read() -> None:
    @contract(array=True)
    @dataclass
    class A:
        a: Annotated[int, Field(ignore=True)] = 9
        b: int = 0
        c: str = ""

    assert json.loads('[1, "x"]', A) == A(9, 1, "x")
    assert code('[1, "x", 3]', A, FORBID) == ("wrong-length", "$")

    class T(NamedTuple):
        a: Annotated[int, Field(ignore=True)] = 9
        b: int = 0

    assert json.loads("[5]", T) == T(9, 5)
    assert json.loads('{"b": 5, "a": 1}', T) == T(9, 5)


@pytest.mark.feature(177, 178)
def test_properties_are_set_where_they_can_be() -> None:
    @contract(properties=("area", "size"), include=("_note",), unknown="forbid")
    @dataclass
    class Square:
        side: float
        _note = "n"

        @property
        def area(self) -> float:
            return self.side**2

        @property
        def size(self) -> float:
            return self.side

        @size.setter
        def size(self, value: float) -> None:
            self.side = value

    made = json.loads('{"area": 9, "side": 3, "_note": "x"}', Square)
    assert (made.side, made._note) == (3.0, "x")
    assert json.loads('{"side": 3, "size": 4, "area": null}', Square) == Square(4.0)


@dataclass
class Place:
    x: int
    y: int = 0


@pytest.mark.feature(175)
def test_flattened_and_extra_fields() -> None:
    @dataclass
    class A:
        name: str
        place: Annotated[Place, Field(flatten=True)]
        rest: Annotated[dict[str, Any], Field(extra=True)]

    text = '{"x": 1, "q": [1], "name": "n", "y": 2, "r": null}'
    assert json.loads(text, A) == A("n", Place(1, 2), {"q": [1], "r": None})
    assert code('{"name": "n"}', A) == ("missing-field", "$")

    @dataclass
    class B:
        name: str
        rest: Annotated[dict[str, int], Field(extra=True)]

    assert json.loads('{"x": 1, "name": "n"}', B) == B("n", {"x": 1})
    assert code('{"x": "1", "name": "n"}', B) == ("wrong-type", "$.x")


@pytest.mark.feature(173)
def test_unknown_members_are_kept_with_the_instance() -> None:
    made = json.loads('{"a": [1], "x": 1}', Place, settings=Settings(unknown="keep"))
    assert vars(made) == {"x": 1, "y": 0, "__octad_extra__": {"a": [1]}}

    class T(TypedDict):
        a: int

    assert json.loads('{"a": 1, "b": 2}', T, settings=Settings(unknown="keep")) == {"a": 1, "b": 2}
    assert json.loads('{"a": 1, "b": 2}', T) == {"a": 1}


# --- Families -------------------------------------------------------------------------------------


@pytest.mark.feature(184, 185)
def test_tag_leads_to_allowed_classes_only() -> None:
    text = (
        '[{"damage": 1, "kind": "Weapon"}, {"edge": 2, "damage": 1, "kind": "Sword"}, '
        '{"kind": "long-bow", "damage": 3}]'
    )
    assert json.loads(text, list[Weapon]) == [Weapon(1), Sword(1, 2), Bow(3)]
    for name in ("Katana", "Bow", "os.system", "builtins.int", ""):
        text = f'{{"damage": 1, "kind": "{name}"}}'
        assert code(text, Weapon) == ("unknown-tag", "$.kind")
    assert code('{"damage": 1}', Weapon) == ("missing-tag", "$")
    # On its own a class needs no tag, but not another one's.
    assert json.loads('{"damage": 1}', Sword) == Sword(1)
    assert json.loads('{"damage": 1, "kind": "Katana"}', Katana, settings=FORBID) == Katana(1)
    assert code('{"kind": "long-bow", "damage": 1}', Sword) == ("unknown-tag", "$.kind")


@contract(tag_place="around", allow={"circle": "Circle", 4: "Square"})
class Shape(ABC):
    @abstractmethod
    def area(self) -> float: ...


@dataclass
class Circle(Shape):
    r: float

    def area(self) -> float:
        return self.r


@dataclass
class Square(Shape):
    a: float

    def area(self) -> float:
        return self.a


@pytest.mark.feature(184)
def test_tag_around_the_object() -> None:
    text = '[{"circle": {"r": 1}}, {"4": {"a": 2}}]'
    assert json.loads(text, list[Shape]) == [Circle(1.0), Square(2.0)]
    assert json.loads('{"4": {"a": 2}}', Circle | Square | None) == Square(2.0)
    assert code('{"oval": {}}', Shape) == ("unknown-tag", "$.oval")
    assert code('{"circle": {"r": 1}, "4": {"a": 2}}', Shape) == ("wrong-length", "$")
    assert code('{"circle": {"r": "1"}}', Shape) == ("wrong-type", "$.circle.r")


@contract(tag="text", tag_field="body_kind", tag_place="beside")
@dataclass
class Text:
    words: str


@contract(tag=2, tag_field="body_kind", tag_place="beside")
@dataclass
class Picture:
    width: int
    inner: Mail | None = None


@dataclass
class Mail:
    id: int
    body: Text | Picture | None


@pytest.mark.feature(184)
def test_tag_beside_the_object() -> None:
    picture = Mail(1, Picture(5))
    for text in (
        '{"id": 1, "body_kind": 2, "body": {"width": 5}}',
        '{"body": {"width": 5}, "id": 1, "body_kind": 2}',
    ):
        assert json.loads(text, Mail) == picture
        assert json.loads(text, Mail, settings=FORBID) == picture
    inner = '{"id": 2, "body": {"words": "w"}, "body_kind": "text"}'
    text = f'{{"body": {{"inner": {inner}, "width": 5}}, "id": 1, "body_kind": 2}}'
    assert json.loads(text, Mail) == Mail(1, Picture(5, Mail(2, Text("w"))))
    assert json.loads('{"id": 1, "body": null}', Mail) == Mail(1, None)
    assert code('{"id": 1, "body": {"width": 5}}', Mail) == ("missing-tag", "$.body")
    assert code('{"id": 1, "body_kind": 3, "body": {}}', Mail) == ("unknown-tag", "$.body_kind")
    # The tag of the owner does not serve what is inside.
    text = '{"id": 1, "body_kind": 2, "body": {"width": 1, "inner": {"id": 2, "body": {}}}}'
    assert code(text, Mail) == ("missing-tag", "$.body.inner.body")


def test_tag_beside_needs_an_owner() -> None:
    @dataclass
    class Many:
        bodies: list[Text | Picture]

    @dataclass
    class Clash:
        body_kind: str
        body: Text | Picture

    for hint in (Text | Picture, Many, dict[str, Text | Picture | None]):
        with pytest.raises(octad.ContractError, match="expected a field of a class for a value"):
            json.loads("{}", hint)
    with pytest.raises(octad.ContractError, match="both called 'body_kind'"):
        json.loads("{}", Clash)


# --- Classes of every kind ------------------------------------------------------------------------


class Tagged(msgspec.Struct, tag=True, rename="camel", forbid_unknown_fields=True):
    user_id: int
    more: list[int] = []


class Row(msgspec.Struct, array_like=True, tag="row"):
    a: int
    b: str = "q"


@pytest.mark.feature(251)
def test_structs() -> None:
    made = json.loads('{"userId": 1, "type": "Tagged"}', Tagged)
    assert made == Tagged(1)
    assert made.more is not json.loads('{"userId": 1}', Tagged).more
    assert code('{"userId": 1, "other": 2}', Tagged) == ("unknown-field", "$.other")
    assert json.loads('["row", 1]', Row) == Row(1)
    assert code('["line", 1]', Row) == ("unknown-tag", "$[0]")


@attrs.define
class Checked:
    x: int = attrs.field(validator=attrs.validators.ge(0))
    y: tuple[int, ...] = attrs.field(converter=tuple, factory=list)
    _p: int = 3
    z: int = attrs.field(alias="depth", default=0)
    ready: bool = attrs.field(init=False, default=False)

    def __attrs_post_init__(self) -> None:
        self.ready = True


@attrs.frozen(slots=False)
class Frozen:
    a: int
    b: list[int] = attrs.field(factory=list)


@pytest.mark.feature(156, 160, 251)
def test_attrs_classes() -> None:
    made = json.loads('{"depth": 4, "y": [1], "p": 4, "x": 1}', Checked)
    assert (made.x, made.y, made._p, made.z, made.ready) == (1, (1,), 4, 4, True)
    assert json.loads('{"x": 1, "_p": 9, "z": 2}', Checked)._p == 9
    with pytest.raises(octad.ValidationError, match="'x' must be >= 0") as caught:
        json.loads('[{"x": -1}]', list[Checked])
    assert isinstance(caught.value.__cause__, ValueError)
    assert json.loads('{"a": 1}', Frozen) == Frozen(1)


@pytest.mark.feature(160, 161)
def test_constructors() -> None:
    class Point:
        def __init__(self, pair: tuple[int, int]) -> None:
            self.pair = pair

        @octad.constructor
        @classmethod
        def of(cls, x: int, /, y: int = 2, *, z: list[int] | None = None) -> Point:
            return cls((x, y if z is None else z[0]))

    @dataclass
    class Sum:
        total: int = field(init=False)
        parts: InitVar[list[int]]
        note: str = "n"

        def __post_init__(self, parts: list[int]) -> None:
            self.total = sum(parts)

    assert json.loads('{"z": [7], "x": 1}', Point).pair == (1, 7)
    assert json.loads('{"y": 3, "x": 1}', Point).pair == (1, 3)
    made = json.loads('{"parts": [1, 2]}', Sum)
    assert (made.total, made.note) == (3, "n")

    class Attributes:
        a: int
        b: list[str] = []  # noqa: RUF012

    bare = json.loads('{"a": 1}', Attributes)
    assert (vars(bare), bare.b) == ({"a": 1}, [])
    assert code("{}", Attributes) == ("missing-field", "$")


def test_unset_stays_where_nothing_is() -> None:
    @dataclass
    class A:
        a: int | octad.UnsetType
        b: int | octad.UnsetType | None = octad.UNSET

    assert json.loads('{"b": null}', A) == A(octad.UNSET, None)


@pytest.mark.feature(196)
def test_enum_by_name() -> None:
    @contract(enum="name")
    class Level(enum.Enum):
        LOW = 1
        HIGH = 2

    @contract(enum="name")
    class Perm(enum.Flag):
        R = 1
        W = 2

    assert json.loads('["LOW", "HIGH"]', list[Level]) == [Level.LOW, Level.HIGH]
    assert code("1", Level) == ("invalid-value", "$")
    assert json.loads('["R", "R|W", ""]', list[Perm]) == [Perm.R, Perm.R | Perm.W, Perm(0)]
    assert code('"R|X"', Perm) == ("invalid-value", "$")


# --- Values ---------------------------------------------------------------------------------------


class Words(collections.UserList[str]):
    pass


class Moment(dt.datetime):
    pass


@pytest.mark.parametrize(
    ("hint", "text", "value"),
    [
        (complex, "[1, 2]", 1 + 2j),
        (complex, "3", 3 + 0j),
        (dt.tzinfo, '"+02:00"', dt.timezone(dt.timedelta(hours=2))),
        (dict[str | None, int], '{"null": 1, "a": 2}', {None: 1, "a": 2}),
        (dict[int | str, int], '{"1": 1, "a": 2}', {1: 1, "a": 2}),
        (dict[fractions.Fraction, int], '{"1/3": 1}', {fractions.Fraction(1, 3): 1}),
        (set[tuple[int, ...]], "[[1], [2]]", {(1,), (2,)}),
        (collections.UserList[int], "[1]", collections.UserList([1])),
        (fractions.Fraction | int, '[1, "1/3"]', None),
        (int | complex, "1", 1),
        (float | complex, '"1+2j"', 1 + 2j),
    ],
)
@pytest.mark.feature(188, 197, 198)
def test_value(hint: Any, text: str, value: Any) -> None:
    if value is None:
        found = json.loads(text, list[hint])
        assert [(type(one), one) for one in found] == [
            (int, 1),
            (fractions.Fraction, fractions.Fraction(1, 3)),
        ]
        return
    found = json.loads(text, hint)
    assert found == value
    assert type(found) is type(value)


def test_subclasses_of_plain_values() -> None:
    moment = json.loads('"2024-01-01T00:00:00Z"', Moment)
    assert type(moment) is Moment
    assert moment.tzinfo is dt.UTC
    assert list(json.loads('["a", "b"]', KeysView[str])) == ["a", "b"]
    words = json.loads('["a"]', Words)
    assert (type(words), words) == (Words, ["a"])


@pytest.mark.feature(189, 192, 193)
def test_numbers_and_dates_of_the_settings() -> None:
    texts = Settings(numbers_from_text=True)
    assert json.loads('["4", 5, "-6"]', list[int], settings=texts) == [4, 5, -6]
    assert json.loads('"4"', int | str, settings=texts) == "4"
    assert json.loads('["4", "4.5"]', list[int | float], settings=texts) == [4, 4.5]
    moment = json.loads("1700000000", dt.datetime, settings=Settings(dates="epoch"))
    assert moment == dt.datetime(2023, 11, 14, 22, 13, 20, tzinfo=dt.UTC)
    day = json.loads('"02.03.2024"', dt.date, settings=Settings(dates="%d.%m.%Y"))
    assert day == dt.date(2024, 3, 2)


# --- Converters -----------------------------------------------------------------------------------


class Vector(NamedTuple):
    x: float
    y: float


class VectorConverter(Converter[Vector]):
    def read(self, r: Any) -> Vector:
        x, _, y = r.read(str).partition(",")
        return Vector(float(x), float(y))

    def write(self, w: Any, value: Vector) -> None:
        w.value(f"{value.x:g},{value.y:g}")


class NullConverter(VectorConverter):
    kinds = ("null", "text")

    def read(self, r: Any) -> Vector:
        return Vector(0, 0) if r.kind == "null" else super().read(r)


@pytest.mark.feature(186, 187)
def test_converters_of_fields_leave_null_to_optional() -> None:
    @dataclass
    class A:
        a: Annotated[Vector | None, Field(converter=VectorConverter)]
        b: Annotated[list[Vector] | None, Field(item_converter=VectorConverter())] = None
        c: Annotated[Vector | None, Field(converter=NullConverter())] = None

    text = '{"a": "1,2", "b": ["3,4"], "c": null}'
    assert json.loads(text, A) == A(Vector(1, 2), [Vector(3, 4)], Vector(0, 0))
    assert json.loads('{"a": null}', A) == A(None)


@pytest.mark.feature(186)
def test_converter_of_a_class_one_does_not_own() -> None:
    class Theirs:
        def __init__(self, word: str) -> None:
            self.word = word

    class Words(Converter[Theirs]):
        def read(self, r: Any) -> Theirs:
            return Theirs(r.read(str))

        def write(self, w: Any, value: Theirs) -> None:
            w.value(value.word)

    octad.contract_for(Theirs, converter=Words())
    (made,) = json.loads('["w"]', list[Theirs])
    assert made.word == "w"
    assert json.dumps([made]) == b'["w"]'


# --- Plans made by hand ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec",
    [
        {"fields": (("a", (), 0, 0, None, 0),)},
        {"fields": (("a", (), 0, 1, 1, 0), ("b", ("b",), 0, 1, 1, 0))},
        {"known": ("a", 1)},
        {"known": 3},
        {"beside": "yes"},
    ],
)
def test_plan_checks_fields_without_names(spec: dict[str, Any]) -> None:
    with pytest.raises((TypeError, ValueError)):
        _core.Plan((("any",), ("record", {"make": "dict", **spec})))

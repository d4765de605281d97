"""Unions: told apart by kind, text, tag, `Literal` field or required names; refused when not clear.

Who may stand for whom is the class's own word: a tag never leads outside the classes it names.
"""

from __future__ import annotations

import datetime as dt
import enum
import ipaddress
import uuid
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Annotated, Any, Literal, NamedTuple, TypedDict

import octad
import pytest

from tests.typed.formats import Format, assert_same

pytestmark = [pytest.mark.feature(184), pytest.mark.feature(251)]

UTC = dt.UTC
ID = uuid.UUID("7b4e5c1e-8f3a-4d15-9d2a-4a1f0e2c3b5d")


class Colour(enum.Enum):
    RED = "red"


@dataclass
class Point:
    x: int
    y: int = 0


@dataclass
class Cat:
    kind: Literal["cat"]
    lives: int = 9


@dataclass
class Dog:
    kind: Literal["dog", "wolf"]
    loud: bool = False


@dataclass
class On:
    state: Literal[True]
    level: int = 1


@dataclass
class Off:
    state: Literal[False]


class First(TypedDict):
    a: int
    shared: int


class Second(TypedDict):
    b: int
    shared: int


class Pair(NamedTuple):
    a: int
    b: int


# The type, then texts with what becomes of them.
READ: list[tuple[Any, list[tuple[str, Any]]]] = [
    (int | str | None, [("1", 1), ('"1"', "1"), ("null", None)]),
    (bool | int, [("true", True), ("1", 1)]),
    (int | bool, [("true", True), ("0", 0)]),
    (int | float, [("1", 1), ("1.0", 1.0), ("1e2", 100.0)]),
    (float | None, [("1", 1.0), ("null", None)]),
    (float | str, [("1", 1.0), ('"1"', "1")]),
    (Decimal | None, [("1.10", Decimal("1.10")), ('"1.10"', Decimal("1.10"))]),
    (int | Decimal, [("1", 1), ("1.10", Decimal("1.10")), ('"1.10"', Decimal("1.10"))]),
    (list[int] | int, [("[1]", [1]), ("1", 1)]),
    (list[int] | dict[str, int], [("[1]", [1]), ('{"a": 1}', {"a": 1})]),
    (dict[str, int] | str, [('{"a": 1}', {"a": 1}), ('"a"', "a")]),
    (Point | None, [('{"x": 1}', Point(1)), ("null", None)]),
    (Point | list[Point], [('{"x": 1}', Point(1)), ('[{"x": 1}]', [Point(1)])]),
    (Point | str | int, [('{"x": 1}', Point(1)), ('"x"', "x"), ("1", 1)]),
    (tuple[int] | tuple[int, int], [("[1]", (1,)), ("[1, 2]", (1, 2))]),
    (
        Cat | Dog,
        [('{"lives": 1, "kind": "cat"}', Cat("cat", 1)), ('{"kind": "wolf"}', Dog("wolf"))],
    ),
    (On | Off, [('{"level": 3, "state": true}', On(True, 3)), ('{"state": false}', Off(False))]),
    (
        First | Second,
        [
            ('{"shared": 1, "a": 2}', {"a": 2, "shared": 1}),
            ('{"b": 1, "shared": 2}', {"b": 1, "shared": 2}),
        ],
    ),
    (Literal["a"] | int, [('"a"', "a"), ("1", 1)]),
    (Literal["a"] | str, [('"a"', "a"), ('"b"', "b")]),
    (Literal[1] | Literal["1"], [("1", 1), ('"1"', "1")]),
    (Colour | int, [('"red"', Colour.RED), ("1", 1)]),
    (Colour | str, [('"red"', Colour.RED), ('"blue"', "blue")]),
    (
        dt.date | dt.datetime,
        [
            ('"2024-01-02"', dt.date(2024, 1, 2)),
            ('"2024-01-02T03:04:05Z"', dt.datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)),
        ],
    ),
    (dt.date | str, [('"2024-01-02"', dt.date(2024, 1, 2)), ('"2024-13-02"', "2024-13-02")]),
    (
        str | dt.datetime,
        [('"2024-01-02T03:04:05Z"', dt.datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)), ('"x"', "x")],
    ),
    (uuid.UUID | str, [(f'"{ID}"', ID), ('"7b"', "7b")]),
    (
        uuid.UUID | dt.date | int | str,
        [(f'"{ID}"', ID), ('"2024-01-02"', dt.date(2024, 1, 2)), ("5", 5), ('"z"', "z")],
    ),
    (
        ipaddress.IPv4Address | ipaddress.IPv6Address,
        [('"1.2.3.4"', ipaddress.IPv4Address("1.2.3.4")), ('"::1"', ipaddress.IPv6Address("::1"))],
    ),
    (Annotated[int, octad.Field(ge=0)] | str, [("1", 1), ('"a"', "a")]),
    ((int | str) | (None | list[int]), [("1", 1), ("[1]", [1]), ("null", None)]),
]
CASES = [(of, text, value) for of, rows in READ for text, value in rows]


@pytest.mark.parametrize(
    ("of", "text", "value"),
    CASES,
    ids=[f"{one[0]}-{one[1]}".replace(__name__, "") for one in CASES],
)
def test_the_member_is_told_by_the_data(of: Any, text: str, value: Any, fmt: Format) -> None:
    assert_same(fmt.loads(text, of), value)
    assert_same(fmt.loads(f'{{"k": [{text}]}}', dict[str, list[of]]), {"k": [value]})


@dataclass
class Left:
    a: int
    b: str = ""


@dataclass
class Right:
    a: int
    c: str = ""


AMBIGUOUS = [
    (Left | Right, "Left", "Right"),
    (Left | dict[str, int], "Left", "dict"),
    (list[int] | list[str], "list", "list"),
    (list[int] | set[int], "list", "set"),
    (dict[str, int] | dict[str, str], "dict", "dict"),
    (tuple[int, int] | list[int], "tuple", "list"),
    (Pair | list[int], "Pair", "list"),
    (str | bytes, "str", "bytes"),
]


@pytest.mark.parametrize(
    ("of", "one", "two"), AMBIGUOUS, ids=[f"{row[1]}-{row[2]}" for row in AMBIGUOUS]
)
def test_members_that_cannot_be_told_apart_are_refused_before_any_data(
    of: Any, one: str, two: str, fmt: Format
) -> None:
    with pytest.raises(octad.ContractError) as caught:
        fmt.verbs.Decoder(of).loads(b"")
    assert caught.value.code == "invalid-contract"
    assert one in str(caught.value)
    assert two in str(caught.value)
    assert not isinstance(caught.value, ValueError)

    @dataclass
    class Holder:
        field: of | None

    with pytest.raises(octad.ContractError) as inner:
        octad.describe(Holder)
    assert "Holder" in str(inner.value)
    assert "field" in str(inner.value)


REFUSED = [
    (int | str, "true", "wrong-type"),
    (int | str, "[1]", "wrong-type"),
    (int | None, '"1"', "wrong-type"),
    (Point | None, "1", "wrong-type"),
    (Point | list[Point], '[{"x": "1"}]', "wrong-type"),
    (Cat | Dog, '{"lives": 1}', "missing-tag"),
    (Cat | Dog, '{"kind": "cow"}', "unknown-tag"),
    (Cat | Dog, '{"kind": 1}', "unknown-tag"),
    (On | Off, '{"state": 1}', "unknown-tag"),
    (Cat | Dog, "[]", "wrong-type"),
    (Cat | Dog, '{"kind": "cat", "lives": "x"}', "wrong-type"),
    (dt.date | uuid.UUID, '"x"', "no-union-member"),
    (Literal["a"] | dt.date, '"x"', "no-union-member"),
]


@pytest.mark.parametrize(
    ("of", "text", "code"),
    REFUSED,
    ids=[f"{row[1]}-{row[2]}-{at}" for at, row in enumerate(REFUSED)],
)
def test_what_no_member_takes_is_refused(of: Any, text: str, code: str, fmt: Format) -> None:
    assert fmt.refuse(text, of).code == code


def test_a_failed_union_explains_each_branch(fmt: Format) -> None:
    error = fmt.refuse('{"when": "soon"}', dict[str, dt.date | uuid.UUID | ipaddress.IPv4Address])
    assert (error.code, error.path) == ("no-union-member", "$.when")
    for word in ("date", "UUID", "IPv4"):
        assert word in str(error)
    assert "soon" in str(error)


def test_a_fault_inside_the_chosen_member_is_told_where_it_is(fmt: Format) -> None:
    error = fmt.refuse('[{"kind": "dog", "loud": 1}]', list[Cat | Dog])
    assert (error.code, error.path) == ("wrong-type", "$[0].loud")
    error = fmt.refuse('{"p": [{"x": null}]}', dict[str, Point | list[Point]])
    assert (error.code, error.path) == ("wrong-type", "$.p[0].x")


def test_fields_are_not_dropped_by_taking_the_wrong_member(fmt: Format) -> None:
    """The first member that happens to fit is not enough where another one was meant."""

    @dataclass
    class Short:
        a: int

    @dataclass
    class Long:
        a: int
        b: int

    with pytest.raises(octad.ContractError):
        fmt.loads('{"a": 1, "b": 2}', Short | Long)


# --- tags ---


@octad.contract(tag=True)
@dataclass
class Car:
    wheels: int = 4


@octad.contract(tag="bicycle")
@dataclass
class Bike:
    bell: bool = False


@octad.contract(tag=7)
@dataclass
class Boat:
    name: str = ""


@octad.contract(tag=str.upper)
@dataclass
class Plane:
    seats: int = 1


Vehicle = Car | Bike | Boat | Plane
TAGGED = [
    ('{"$type": "Car", "wheels": 3}', Car(3)),
    ('{"wheels": 3, "$type": "Car"}', Car(3)),
    ('{"bell": true, "$type": "bicycle"}', Bike(True)),
    ('{"name": "x", "$type": 7, "more": {}}', Boat("x")),
    ('{"$type": "PLANE"}', Plane()),
]


@pytest.mark.parametrize(("text", "value"), TAGGED)
def test_the_tag_may_stand_anywhere_in_the_object(text: str, value: Any, fmt: Format) -> None:
    assert_same(fmt.loads(text, Vehicle), value)
    assert_same(fmt.loads(f"[{text}]", list[Vehicle]), [value])
    # A class alone knows its tag, and does not insist on it.
    assert_same(fmt.loads(text, type(value)), value)
    assert_same(fmt.loads("{}", type(value)), type(value)())


@pytest.mark.parametrize("value", [Car(3), Bike(True), Boat("x"), Plane(2)], ids=repr)
def test_tags_are_written_first_and_read_again(value: Any, fmt: Format) -> None:
    written = fmt.dumps(value)
    assert next(iter(written)) == "$type"
    assert_same(fmt.trip(value, Vehicle), value)
    assert_same(fmt.trip([value], list[Vehicle]), [value])


def test_a_wrong_tag_of_a_class_alone_is_refused(fmt: Format) -> None:
    assert fmt.refuse('{"$type": "Bike", "wheels": 1}', Car).code == "unknown-tag"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"wheels": 3}', "missing-tag"),
        ('{"$type": "Tank"}', "unknown-tag"),
        ('{"$type": "7"}', "unknown-tag"),
        ('{"$type": 7.0}', "unknown-tag"),
        ('{"$type": null}', "unknown-tag"),
        ('{"$type": {"a": 1}}', "unknown-tag"),
    ],
)
def test_tags_match_exactly(text: str, code: str, fmt: Format) -> None:
    error = fmt.refuse(text, Vehicle)
    assert error.code == code
    if code == "unknown-tag":
        assert "Car" in error.expected
        assert "bicycle" in error.expected


def test_two_tags_in_one_object_are_a_repetition() -> None:
    with pytest.raises(octad.DecodeError) as caught:
        octad.json.loads('{"$type": "Car", "$type": "bicycle"}', Vehicle)
    assert caught.value.code in ("repeated-field", "duplicate-key")


@octad.contract(tag=True, tag_field="kind", tag_place="around")
@dataclass
class Circle:
    r: float


@octad.contract(tag="sq", tag_field="kind", tag_place="around")
@dataclass
class Square:
    side: float


def test_tags_around(fmt: Format) -> None:
    assert_same(fmt.loads('{"Circle": {"r": 1}}', Circle | Square), Circle(1.0))
    assert fmt.dumps([Circle(1.5), Square(2.5)]) == [{"Circle": {"r": 1.5}}, {"sq": {"side": 2.5}}]
    assert_same(
        fmt.trip([Circle(1.5), Square(2.5)], list[Circle | Square]), [Circle(1.5), Square(2.5)]
    )
    assert fmt.refuse('{"Triangle": {}}', Circle | Square).code == "unknown-tag"
    assert fmt.refuse("{}", Circle | Square).code in ("missing-tag", "wrong-length")
    assert fmt.refuse('{"Circle": {"r": 1}, "sq": {"side": 1}}', Circle | Square).code in (
        "unknown-tag",
        "unknown-field",
        "wrong-length",
    )
    assert fmt.refuse('{"Circle": {"r": "x"}}', Circle | Square).path == "$.Circle.r"


@octad.contract(tag=True, tag_place="around")
@dataclass
class Link:
    x: int = 0
    next: Link | None = None


@dataclass
class Chain:
    first: Link
    all: list[Link] = field(default_factory=list)
    last: Link | None = None


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        (Link(3, Link(4)), Link),
        ([Link(3)], list[Link]),
        ({"a": Link(3)}, dict[str, Link]),
        (Link(3), Link | None),
        (Link(3), Link | int),
        (Chain(Link(1), [Link(2), Link(3)], Link(4)), Chain),
    ],
)
def test_tags_around_a_class_alone(fmt: Format, value: object, hint: object) -> None:
    assert_same(fmt.trip(value, hint), value)


def test_a_tag_around_a_class_alone_is_needed() -> None:
    assert octad.json.dumps(Link(3)) == b'{"Link":{"x":3,"next":null}}'
    for text in ("{}", '{"x": 3}', '{"Chain": {"x": 3}}', '{"x": 3, "next": null}'):
        with pytest.raises(octad.ValidationError):
            octad.json.loads(text, Link)
        with pytest.raises(octad.ValidationError):
            octad.json.loads(f'{{"first": {text}}}', Chain)
    with pytest.raises(octad.ValidationError) as caught:
        octad.json.loads('{"Link": {"x": "y"}}', Link)
    assert caught.value.path == "$.Link.x"


def test_a_tag_around_is_in_the_schema_and_the_description() -> None:
    for mode in ("validation", "serialization"):
        found = octad.schema(Link, mode=mode)
        assert found["oneOf"][0]["required"] == ["Link"]
    assert "around" in octad.describe(Link)


def test_a_flattened_class_has_nothing_around_it(fmt: Format) -> None:
    @dataclass
    class Flat:
        y: int
        link: Annotated[Link, octad.Field(flatten=True)]

    assert fmt.dumps(Flat(1, Link(2))) == {"y": 1, "x": 2, "next": None}
    assert_same(fmt.trip(Flat(1, Link(2)), Flat), Flat(1, Link(2)))


def test_an_existing_object_is_filled_from_within_its_tag() -> None:
    link = Link(1)
    octad.load_into(link, '{"Link": {"x": 5}}')
    assert link == Link(5)


def test_converters_read_what_stands_within_the_tag() -> None:
    class Twice(octad.Converter[Link]):
        def read(self, r: octad.Reader) -> Link:
            link = r.read(Link)
            return Link(link.x * 2, link.next)

        def write(self, w: octad.Writer, v: Link) -> None:
            w.value(v)

    settings = octad.Settings(converters=[Twice()])
    text = octad.json.dumps(Link(3), settings=settings)
    assert text == b'{"Link":{"x":3,"next":null}}'
    assert octad.json.loads(text, Link, settings=settings) == Link(6)


def test_a_tag_beside_a_class_alone_is_known(fmt: Format) -> None:
    @octad.contract(unknown="forbid")
    @dataclass
    class Wall:
        hole: Disc
        other: int | None = None

    assert fmt.dumps(Wall(Disc(1.0))) == {"shape": "Disc", "hole": {"r": 1.0}, "other": None}
    assert_same(fmt.trip(Wall(Disc(1.0)), Wall), Wall(Disc(1.0)))
    assert_same(fmt.loads('{"hole": {"r": 1}}', Wall), Wall(Disc(1.0)))
    with pytest.raises(octad.ValidationError):
        octad.json.loads('{"hole": {"r": 1}, "form": "Disc"}', Wall)


@octad.contract(tag=True, tag_field="shape", tag_place="beside")
@dataclass
class Disc:
    r: float


@octad.contract(tag=True, tag_field="shape", tag_place="beside")
@dataclass
class Box:
    side: float


@dataclass
class Drawing:
    name: str
    body: Disc | Box


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "n", "shape": "Disc", "body": {"r": 1}}',
        '{"body": {"r": 1}, "name": "n", "shape": "Disc"}',
    ],
)
def test_tags_beside(text: str, fmt: Format) -> None:
    assert_same(fmt.loads(text, Drawing), Drawing("n", Disc(1.0)))


def test_tags_beside_are_written_before_their_field(fmt: Format) -> None:
    value = Drawing("n", Box(2.0))
    assert fmt.dumps(value) == {"name": "n", "shape": "Box", "body": {"side": 2.0}}
    assert_same(fmt.trip(value, Drawing), value)
    assert fmt.refuse('{"name": "n", "body": {"r": 1}}', Drawing).code == "missing-tag"
    assert fmt.refuse('{"name": "n", "shape": "x", "body": {}}', Drawing).code == "unknown-tag"


# --- allow-lists ---


class Base:
    pass


@octad.contract(tag=True, allow=lambda: (Small, Large))
@dataclass
class Animal:
    name: str


@octad.contract(tag=True)
@dataclass
class Small(Animal):
    grams: int = 1


@octad.contract(tag=True)
@dataclass
class Large(Animal):
    tons: int = 1


@dataclass
class Tiny(Small):
    """Not in the list: an instance is written as what it is a kind of."""

    colour: str = "grey"


@dataclass
class Stranger(Animal):
    secret: str = "s"


@pytest.mark.feature(185)
def test_a_base_reads_the_classes_it_allows_and_no_others(fmt: Format) -> None:
    assert_same(fmt.loads('{"$type": "Small", "name": "a", "grams": 2}', Animal), Small("a", 2))
    assert_same(fmt.loads('{"name": "b", "tons": 2, "$type": "Large"}', Animal), Large("b", 2))
    for name in ("Tiny", "Stranger", "os.system", "tests.typed.test_typed_unions.Stranger", "Base"):
        assert fmt.refuse(f'{{"$type": "{name}", "name": "x"}}', Animal).code == "unknown-tag"


@pytest.mark.feature(179)
def test_members_are_written_by_their_own_class_as_far_as_it_is_allowed(fmt: Format) -> None:
    @dataclass
    class Zoo:
        animals: list[Animal] = field(default_factory=list)

    zoo = Zoo([Small("a", 2), Large("b", 3), Tiny("c", 4, "red")])
    written = fmt.dumps(zoo)["animals"]
    assert [one["$type"] for one in written] == ["Small", "Large", "Small"]
    assert "colour" not in written[2]
    assert_same(fmt.trip(zoo, Zoo), Zoo([Small("a", 2), Large("b", 3), Small("c", 4)]))


@pytest.mark.feature(185)
def test_no_module_is_imported_for_a_name_in_the_data(
    fmt: Format, monkeypatch: pytest.MonkeyPatch
) -> None:
    import builtins

    def fail(name: str, *args: Any, **kwargs: Any) -> Any:
        raise AssertionError(f"imported {name}")

    fmt.loads('{"$type": "Small", "name": "a"}', Animal)
    data = fmt.data('{"$type": "wave.open", "name": "a"}')
    loads = fmt.verbs.loads
    monkeypatch.setattr(builtins, "__import__", fail)
    try:
        loads(data, Animal)
        refused = False
    except octad.ValidationError:
        refused = True
    finally:
        monkeypatch.undo()
    assert refused


def test_tags_that_clash_are_refused() -> None:
    @octad.contract(tag="same")
    @dataclass
    class One:
        a: int = 0

    @octad.contract(tag="same")
    @dataclass
    class Two:
        b: int = 0

    @octad.contract(tag="x", tag_field="other")
    @dataclass
    class Three:
        c: int = 0

    with pytest.raises(octad.ContractError, match="same"):
        octad.describe(One | Two)
    with pytest.raises(octad.ContractError):
        octad.describe(One | Three)

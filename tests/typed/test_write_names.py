"""Names, order and absence of fields in what is written: by field, class and settings."""

from __future__ import annotations

import dataclasses
import enum
import typing
from collections.abc import Callable
from dataclasses import dataclass, field, make_dataclass
from decimal import Decimal
from typing import Annotated, Any

import attrs
import octad
import pytest
from hypothesis import given
from hypothesis import strategies as st
from octad import Field, Settings, json

if typing.TYPE_CHECKING:
    Nowhere = int


@dataclass
class User:
    user_id: int
    full_name: str = "?"
    e_mail: str | None = None
    tags: list[str] = field(default_factory=list)


def written(value: Any, **settings: Any) -> Any:
    """What stands in the text of a value, read by octad."""
    text = json.dumps(value, settings=Settings(**settings)) if settings else json.dumps(value)
    return json.loads(text)


@pytest.mark.feature(163, 187)
def test_the_name_of_a_field_is_the_first_of_its_names() -> None:
    @dataclass
    class Player:
        name: str
        level: Annotated[int, Field(name="lvl", aliases=("level", "stage"))] = 1
        old: int = field(default=3, metadata={"octad": Field(name="neu")})

    assert json.dumps(Player("x")) == b'{"name":"x","lvl":1,"neu":3}'
    assert json.dumps([Player("x", 2)] * 2) == b'[{"name":"x","lvl":2,"neu":3},' * 1 + (
        b'{"name":"x","lvl":2,"neu":3}]'
    )


@pytest.mark.feature(164)
@pytest.mark.parametrize(
    ("policy", "names"),
    [
        ("camel", ["userId", "fullName", "eMail", "tags"]),
        ("pascal", ["UserId", "FullName", "EMail", "Tags"]),
        ("kebab", ["user-id", "full-name", "e-mail", "tags"]),
        ("upper_snake", ["USER_ID", "FULL_NAME", "E_MAIL", "TAGS"]),
        ("none", ["user_id", "full_name", "e_mail", "tags"]),
        ({"user_id": "_id"}, ["_id", "full_name", "e_mail", "tags"]),
        (str.upper, ["USER_ID", "FULL_NAME", "E_MAIL", "TAGS"]),
    ],
)
def test_a_policy_names_the_fields(policy: Any, names: list[str]) -> None:
    assert list(written(User(1), rename=policy)) == names

    @octad.contract(rename=policy)
    @dataclass
    class Named(User):
        pass

    assert list(written(Named(1))) == names
    assert list(written(Named(1), rename="lower")) == names, "the class wins"


@pytest.mark.feature(164)
def test_a_policy_is_for_every_kind_of_record_and_for_no_dict() -> None:
    @attrs.define
    class Attrs:
        user_id: int

    @dataclass(slots=True)
    class Slots:
        user_id: int

    value = [User(1), Attrs(2), Slots(3), {"user_id": 4}]
    assert [next(iter(one)) for one in written(value, rename="camel")] == [
        "userId",
        "userId",
        "userId",
        "user_id",
    ]


@pytest.mark.feature(164)
def test_settings_do_not_mix() -> None:
    camel, pascal = Settings(rename="camel"), Settings(rename="pascal")
    for _ in range(3):
        for settings, name in ((camel, b"userId"), (pascal, b"UserId"), (None, b"user_id")):
            text = json.dumps([User(1), User(2)], settings=settings)
            assert text.count(b'"' + name + b'"') == 2
    # Equal settings are the same settings, also after many others.
    for number in range(300):
        name = f"user_{number}"
        assert next(iter(written(User(1), rename={"user_id": name}))) == name
    assert next(iter(written(User(1), rename="camel"))) == "userId"


@pytest.mark.feature(163)
def test_a_contract_that_comes_later_counts() -> None:
    @dataclass
    class Theirs:
        user_id: int

    assert json.dumps([Theirs(1)]) == b'[{"user_id":1}]'
    octad.contract_for(Theirs, rename="camel")
    assert json.dumps([Theirs(1)]) == b'[{"userId":1}]'
    octad.contract_for(Theirs, rename="kebab")
    assert json.dumps([Theirs(1), Theirs(2)]) == b'[{"user-id":1},{"user-id":2}]'
    Theirs.extra = None  # the class changes, its contract does not
    assert json.dumps([Theirs(1)]) == b'[{"user-id":1}]'


@pytest.mark.feature(166)
def test_the_order_of_fields() -> None:
    @octad.contract(order=("c", "a"))
    @dataclass
    class Ordered:
        a: int = 1
        b: int = 2
        c: int = 3

    @dataclass
    class Placed:
        a: int = 1
        b: Annotated[int, Field(order=2)] = 2
        c: Annotated[int, Field(order=1)] = 3

    assert json.dumps(Ordered()) == b'{"c":3,"a":1,"b":2}'
    assert json.dumps(Placed()) == b'{"c":3,"b":2,"a":1}'
    assert json.dumps(Ordered(), sort_keys=True) == b'{"a":1,"b":2,"c":3}'


@pytest.mark.feature(166)
def test_a_renamed_record_is_sorted_by_the_names_in_the_text() -> None:
    @dataclass
    class Turned:
        a: Annotated[int, Field(name="z")] = 1
        b: Annotated[int, Field(name="y")] = 2

    for options in ({"sort_keys": True}, {"canonical": True}):
        assert json.dumps(Turned(), **options) == b'{"y":2,"z":1}'


@pytest.mark.feature(167)
def test_ignored_fields() -> None:
    @dataclass
    class Secret:
        name: str
        password: Annotated[str, Field(ignore=True)] = "pw"
        seen: Annotated[int, Field(ignore="write")] = 1
        note: Annotated[str, Field(ignore="read")] = "n"

    assert json.dumps(Secret("x")) == b'{"name":"x","note":"n"}'


@pytest.mark.feature(168)
def test_a_condition_leaves_a_field_out() -> None:
    asked: list[Any] = []

    def small(value: int) -> bool:
        asked.append(value)
        return value < 10

    @dataclass
    class Conditional:
        a: Annotated[int, Field(omit_if=small)]
        b: Annotated[list[int], Field(omit_if=lambda items: not items)] = field(
            default_factory=list
        )

    values = [Conditional(9, [1]), Conditional(10)]
    assert json.dumps(values) == b'[{"b":[1]},{"a":10}]'
    assert asked == [9, 10]


@pytest.mark.feature(170)
def test_none_is_left_out_of_records_and_of_nothing_else() -> None:
    value = {"user": User(1), "none": None, "list": [None]}
    assert written(value, omit_none=True) == {
        "user": {"user_id": 1, "full_name": "?", "tags": []},
        "none": None,
        "list": [None],
    }


@pytest.mark.feature(171)
def test_defaults_are_left_out() -> None:
    @dataclass
    class Defaults:
        a: int = 1
        b: Any = 1.0
        c: list[int] = field(default_factory=lambda: [1, 2])
        d: dict[str, int] = field(default_factory=dict)
        e: str | None = None

    assert written(Defaults(), omit_defaults=True) == {}
    # What is equal, but of another type, would not be read as the default.
    changed = Defaults(True, 1, [1], {"x": 1}, "")  # type: ignore[arg-type]
    assert written(changed, omit_defaults=True) == {
        "a": True,
        "b": 1,
        "c": [1],
        "d": {"x": 1},
        "e": "",
    }


@pytest.mark.feature(172)
def test_what_is_empty_is_left_out() -> None:
    class Sized:
        """Has a length, and is no container that octad knows."""

        def __len__(self) -> int:
            return 0

    @dataclass
    class Holds:
        text: str = ""
        items: Any = ()
        number: int = 0
        none: Any = None

    assert written(Holds(), omit_empty=True) == {"number": 0, "none": None}
    for full in ("x", [0], (None,), {"": 0}, {1}):
        assert "items" in written(Holds(items=full), omit_empty=True)
    for empty in ([], {}, set(), frozenset(), b"", Sized()):
        assert "items" not in written(Holds(items=empty), omit_empty=True)


@pytest.mark.feature(170, 171, 172)
def test_a_class_says_for_itself_what_is_left_out() -> None:
    @octad.contract(omit_none=False, omit_empty=True)
    @dataclass
    class Own:
        a: Any = None
        b: str = ""

    assert json.dumps(Own()) == b'{"a":null}'
    assert json.dumps(Own(), settings=Settings(omit_none=True)) == b'{"a":null}'


@pytest.mark.feature(170)
def test_unset_is_left_out() -> None:
    @dataclass
    class Partial:
        a: int | octad.UnsetType = octad.UNSET
        b: str | octad.UnsetType | None = octad.UNSET

    assert json.dumps([Partial(), Partial(1), Partial(b=None)]) == b'[{},{"a":1},{"b":null}]'


@pytest.mark.feature(177, 178)
def test_properties_and_private_members_that_the_contract_names() -> None:
    @octad.contract(properties=("area",), include=("_secret",))
    @dataclass
    class Square:
        side: float
        _hidden: int = 1

        def __post_init__(self) -> None:
            self._secret = 7

        @property
        def area(self) -> float:
            return self.side * self.side

    assert json.loads(json.dumps(Square(3.0))) == {
        "side": 3.0,
        "_hidden": 1,
        "area": 9.0,
        "_secret": 7,
    }


@pytest.mark.feature(160)
def test_a_class_that_only_has_an_annotated_constructor() -> None:
    class Plain:
        def __init__(self, a: int, b: str = "x") -> None:
            self.a, self.b, self.c = a, b, 0

    assert json.dumps([Plain(1), Plain(2, "y")]) == b'[{"a":1,"b":"x"},{"a":2,"b":"y"}]'
    assert json.dumps(Plain(1), default=lambda value: "by default") == b'"by default"'


def test_names_that_mean_nothing_do_not_keep_a_class_from_being_written() -> None:
    @dataclass
    class Forward:
        user_id: Nowhere
        more: typing.Any = None

    del globals()["Nowhere"]
    assert json.dumps(Forward(1)) == b'{"user_id":1,"more":null}'
    assert written(Forward(1), rename="camel", omit_defaults=True) == {"userId": 1}

    @dataclass
    class Marked:
        user_id: Annotated[Nowhere, Field(name="id")]

    with pytest.raises(octad.ContractError, match="`Nowhere`, which means nothing"):
        json.dumps(Marked(1))


Nowhere = int


@pytest.mark.feature(196)
def test_enums_by_value_or_name() -> None:
    class Colour(enum.Enum):
        RED = 1
        BLUE = "b"

    @octad.contract(enum="name")
    class Named(enum.Enum):
        RED = 1

    class Access(enum.Flag):
        READ = 1
        WRITE = 2

    @octad.contract(enum="name")
    class Rights(enum.IntFlag):
        READ = 1
        WRITE = 2

    assert json.dumps([Colour.RED, Colour.BLUE, Named.RED]) == b'[1,"b","RED"]'
    assert json.dumps({Colour.BLUE: 1, Named.RED: 2}) == b'{"b":1,"RED":2}'
    assert json.dumps([Access.READ, Access.READ | Access.WRITE]) == b"[1,3]"
    assert json.dumps([Rights.READ, Rights.READ | Rights.WRITE]) == b'["READ","READ|WRITE"]'
    assert json.dumps(Rights(0)) == b'""', "none of all names"


@pytest.mark.feature(165)
def test_a_policy_for_the_keys_of_dicts() -> None:
    value = {"user_name": {"first_name": 1}, 7: 2, "list_of": [{"a_b": 3}]}
    assert written(value, rename_keys="camel") == {
        "userName": {"firstName": 1},
        "7": 2,
        "listOf": [{"aB": 3}],
    }
    with pytest.raises(octad.EncodeError) as caught:
        json.dumps({"x": {"a_b": 1, "aB": 2}}, settings=Settings(rename_keys="camel"))
    assert caught.value.code == "key-clash"
    assert caught.value.path == "$.x"

    @octad.contract(rename_keys="upper")
    @dataclass
    class Holder:
        some_field: dict[str, Any]
        inner: Any = None

    holder = Holder({"a": {"b": 1}}, inner=[{"c": User(1)}])
    assert written([holder, {"d": 2}]) == [
        {"some_field": {"A": {"B": 1}}, "inner": [{"C": written(User(1))}]},
        {"d": 2},
    ]


@pytest.mark.feature(165)
def test_a_policy_that_fails() -> None:
    def refuse(name: str) -> str:
        raise LookupError(name)

    with pytest.raises(LookupError) as caught:
        json.dumps([{"a": 1}], settings=Settings(rename_keys=refuse))
    assert "$[0]" in caught.value.__notes__[0]


# --- A renamed record is a dict of the same names ---

_NAMES = st.from_regex(r"[a-z]{1,6}(_[a-z]{1,4}){0,2}", fullmatch=True)
_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@pytest.mark.feature(163, 164, 170)
@given(
    names=st.lists(_NAMES, min_size=1, max_size=7, unique_by=lambda name: name.replace("_", "")),
    data=st.data(),
    slots=st.booleans(),
    omit_none=st.booleans(),
    options=st.sampled_from([{}, {"indent": 2}, {"sort_keys": True}, {"escape": "ascii"}]),
)
def test_a_renamed_record_is_written_like_the_dict(
    names: list[str], data: st.DataObject, slots: bool, omit_none: bool, options: dict[str, Any]
) -> None:
    import keyword

    names = [name + "_" if keyword.iskeyword(name) else name for name in names]
    cls = make_dataclass("Made", names, slots=slots)
    rows = data.draw(st.lists(st.tuples(*[_VALUES] * len(names)), max_size=4))
    rename: Callable[[str], str] = lambda name: f"<{name}é>"  # noqa: E731
    settings = Settings(rename=rename, omit_none=omit_none)
    dicts = [
        {
            rename(name): value
            for name, value in zip(names, row, strict=True)
            if not (omit_none and value is None)
        }
        for row in rows
    ]
    records = [cls(*row) for row in rows]
    assert json.dumps(records, settings=settings, **options) == json.dumps(dicts, **options)
    assert dataclasses.is_dataclass(cls)


def test_numbers_keep_their_digits_in_renamed_records() -> None:
    @dataclass
    class Price:
        unit_price: Decimal

    assert json.dumps(Price(Decimal("1.10")), settings=Settings(rename="camel")) == (
        b'{"unitPrice":1.10}'
    )

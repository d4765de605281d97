"""`octad.contract`, `contract_for`, `Field` and the settings: what they change in a plan.

And in what the writer is told of a class.
"""

from __future__ import annotations

import copy
import datetime as dt
import enum
import gc
import pickle
import weakref
from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal, NamedTuple, TypedDict

import attrs
import msgspec
import octad
import pytest
from octad import ContractError, Field, Settings, contract, contract_for, describe
from octad._contract import compile_type, key_policy, plan_nodes, writing
from octad._contract.cache import SIZE

from tests.typed.families import Bow, Katana, Sword, Weapon


def lines(hint: Any, settings: Settings | None = None) -> list[str]:
    """The first block of a description, line by line."""
    block = describe(hint, settings).split("\n\n")[0]
    return [line.strip() for line in block.splitlines()]


def written(cls: type, settings: Settings | None = None) -> dict[str, tuple[Any, ...]]:
    """What the writer is told of each field, by attribute."""
    found = writing(cls, settings)
    assert found is not None
    return {row[0]: row[1:] for row in found["fields"]}


@dataclass
class User:
    user_id: int
    first_name: str = ""
    home_url: str | None = None


# --- Names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("policy", "names"),
    [
        ("none", ["user_id", "first_name", "home_url"]),
        ("camel", ["userId", "firstName", "homeUrl"]),
        ("pascal", ["UserId", "FirstName", "HomeUrl"]),
        ("kebab", ["user-id", "first-name", "home-url"]),
        ("snake", ["user_id", "first_name", "home_url"]),
        ("upper_snake", ["USER_ID", "FIRST_NAME", "HOME_URL"]),
        ("upper", ["USER_ID", "FIRST_NAME", "HOME_URL"]),
        ({"user_id": "id"}, ["id", "first_name", "home_url"]),
        (lambda name: name[0] if name != "user_id" else None, ["user_id", "f", "h"]),
    ],
)
@pytest.mark.feature(164)
def test_naming_policy_of_the_settings(policy: Any, names: list[str]) -> None:
    settings = Settings(rename=policy)
    (_, spec), *_ = compile_type(User, settings)
    assert [row[1][0] for row in spec["fields"]] == names
    if names != ["user_id", "first_name", "home_url"]:
        assert [row[0] for row in written(User, settings).values()] == names
    else:
        assert writing(User, settings) is None


@pytest.mark.parametrize(
    ("name", "camel", "snake", "kebab"),
    [
        ("parseHTTPResponse", "parseHttpResponse", "parse_http_response", "parse-http-response"),
        ("_private_name", "_privateName", "_private_name", "_private-name"),
        ("class_", "class_", "class_", "class_"),
        ("a", "a", "a", "a"),
        ("__", "__", "__", "__"),
        ("x2_y3", "x2Y3", "x2_y3", "x2-y3"),
        ("größe_öl", "größeÖl", "größe_öl", "größe-öl"),
    ],
)
def test_words_of_a_name(name: str, camel: str, snake: str, kebab: str) -> None:
    from octad._naming import policy

    found = [policy(word) for word in ("camel", "snake", "kebab")]
    assert [one(name) for one in found if one is not None] == [camel, snake, kebab]


def test_rename_that_is_no_policy_is_refused() -> None:
    for given, error in (("Camel", ValueError), (3, TypeError), ({"a": 1}, TypeError)):
        with pytest.raises(error, match="rename: expected"):
            Settings(rename=given)  # type: ignore[arg-type]
        with pytest.raises(error, match="rename: expected"):
            contract(rename=given)
    with pytest.raises(ContractError, match="expected a str for 'user_id', found int"):
        describe(User, Settings(rename=lambda name: 3))  # type: ignore[arg-type,return-value]


@pytest.mark.feature(165)
def test_policy_of_keys() -> None:
    assert key_policy(None) is None
    assert key_policy(Settings()) is None
    names = key_policy(Settings(rename_keys="camel"))
    assert callable(names)
    assert names("a_b") == "aB"

    @contract(rename_keys="kebab")
    @dataclass
    class A:
        table: dict[str, int]

    *_, rule = written(A)["table"]
    assert rule["keys"]("a_b") == "a-b"


@pytest.mark.feature(163, 180)
def test_names_aliases_and_case() -> None:
    @contract(case_sensitive=False)
    @dataclass
    class A:
        one: Annotated[int, Field(name="1", aliases=["uno", "1"])]
        two: int = field(metadata={"octad": Field(name="2")})

    assert lines(A) == [
        "A: object, filled directly, names in any case",
        "1 or uno: int, for one",
        "2: int, for two",
    ]
    (_, spec), *_ = compile_type(A)
    assert spec["case"] is False
    (_, spec), *_ = compile_type(User, Settings(case_sensitive=False))
    assert spec["case"] is False


def test_two_fields_of_one_name_are_refused() -> None:
    @dataclass
    class A:
        one: int
        two: Annotated[int, Field(name="one")]

    @dataclass
    class B:
        one: int
        ONE: int

    @dataclass
    class C:
        one: int
        two: Annotated[int, Field(aliases=("one",))]

    for cls in (A, C):
        with pytest.raises(ContractError, match="found `one` and `two` both called 'one'"):
            describe(cls)
    with pytest.raises(ContractError):
        writing(A)
    assert len(lines(B)) == 3
    with pytest.raises(ContractError, match="both called"):
        describe(B, Settings(case_sensitive=False))


# --- What is left out, in which order -------------------------------------------------------------


@pytest.mark.feature(168, 170, 171, 172)
def test_what_is_left_out_when_written() -> None:
    assert writing(User) is None
    assert {row[1] for row in written(User, Settings(omit_none=True)).values()} == {1}
    everything = Settings(omit_none=True, omit_defaults=True, omit_empty=True)
    assert {row[1] for row in written(User, everything).values()} == {7}
    assert written(User, everything)["first_name"][2:4] == (1, "")

    @contract(omit_none=False, omit_empty=True)
    @dataclass
    class A:
        a: int | octad.UnsetType
        b: Annotated[int, Field(omit_if=lambda value: value > 3)] = 1
        c: list[int] = field(default_factory=list)

    rows = written(A, Settings(omit_none=True))
    assert [row[1] for row in rows.values()] == [4 | 8, 4, 4]
    assert rows["b"][4](4) is True
    assert rows["c"][2:4] == (2, list)


@pytest.mark.feature(166)
def test_order_of_fields() -> None:
    @contract(order=("c", "a"))
    @dataclass
    class A:
        a: int
        b: int
        c: int
        d: Annotated[int, Field(order=0)]

    assert list(written(A)) == ["c", "a", "d", "b"]

    @dataclass
    class B:
        a: Annotated[int, Field(order=2)]
        b: Annotated[int, Field(order=1)]
        c: int

    assert list(written(B)) == ["b", "a", "c"]
    (_, spec), *_ = compile_type(B)
    assert [row[0] for row in spec["fields"]] == ["b", "a", "c"]

    @contract(order=("x",))
    @dataclass
    class C:
        a: int

    with pytest.raises(ContractError, match="names of fields in `order=`, found 'x'"):
        describe(C)


@pytest.mark.feature(167)
def test_ignored_fields() -> None:
    @dataclass
    class A:
        never: Annotated[int, Field(ignore=True)] = 1
        written: Annotated[int, Field(ignore="read")] = 2
        read: Annotated[list[int], Field(ignore="write")] = field(default_factory=list)

    assert lines(A)[1:] == [
        "read: list[int] = list()",
        "(never) never = 1",
        "(never) written = 2",
        "written: left unread",
    ]
    assert list(written(A)) == ["written"]

    @dataclass
    class B:
        a: Annotated[int, Field(ignore=True)]

    with pytest.raises(
        ContractError, match=r"B\.a: expected a default for a field that is not read"
    ):
        describe(B)


@pytest.mark.feature(174)
def test_defaults_of_a_field() -> None:
    class Movie(TypedDict):
        name: str
        year: Annotated[int, Field(default=1900)]
        cast: Annotated[list[str], Field(default_factory=list)]

    assert lines(Movie)[1:] == ["name: str", "year: int = 1900", "cast: list[str] = list()"]

    @attrs.define
    class A:
        a: int = attrs.field(converter=int, default=3)
        b: Annotated[int, Field(default=5)] = 4

    assert lines(A)[1:] == ["a: any, optional", "b: int = 5"]


# --- Unknown members ------------------------------------------------------------------------------


class Slots:
    __slots__ = ("a",)

    def __init__(self, a: int) -> None:
        self.a = a


@pytest.mark.feature(173, 175)
def test_unknown_members() -> None:
    for word in ("ignore", "forbid", "keep"):
        (_, spec), *_ = compile_type(User, Settings(unknown=word))  # type: ignore[arg-type]
        assert spec["unknown"] == word
        assert spec.get("extra") == ("__octad_extra__" if word == "keep" else None)
    found = writing(User, Settings(unknown="keep"))
    assert found is not None
    assert found["extra"] == "__octad_extra__"
    with pytest.raises(ContractError, match="a place for unknown members"):
        compile_type(Slots, Settings(unknown="keep"))

    @contract(unknown="forbid")
    @dataclass(slots=True)
    class A:
        a: int
        rest: Annotated[dict[str, Any], Field(extra=True)] = field(default_factory=dict)

    (_, spec), *_ = compile_type(A)
    assert (spec["extra"], spec["unknown"]) == ("rest", "keep")
    found = writing(A)
    assert found is not None
    assert found["extra"] == "rest"
    assert [row[0] for row in found["fields"]] == ["a"]

    @dataclass
    class B:
        a: int
        rest: Annotated[dict[str, int], Field(extra=True)]

    assert lines(B)[-1] == "(members of) dict[str, int], for rest"

    class C(TypedDict):
        a: int

    (_, spec), *_ = compile_type(C, Settings(unknown="keep"))
    assert (spec.get("extra"), spec["unknown"]) == (None, "keep")


def test_flattened_fields() -> None:
    @dataclass
    class Place:
        x: int
        y: int

    @dataclass
    class A:
        name: str
        place: Annotated[Place, Field(flatten=True)]

    assert lines(A) == [
        "A: object, filled directly",
        "name: str",
        "(members of) Place, for place",
    ]
    assert written(A)["place"][-1] == {"flatten": True}

    @dataclass
    class Clash:
        x: int
        place: Annotated[Place, Field(flatten=True)]

    with pytest.raises(ContractError, match="found 'x' in both Clash and Place"):
        describe(Clash)

    @dataclass
    class Number:
        x: Annotated[int, Field(flatten=True)]

    with pytest.raises(ContractError, match="a class with fields or a dict to flatten"):
        describe(Number)


# --- Shape, properties, constructors --------------------------------------------------------------


@pytest.mark.feature(160, 161, 162, 176, 177, 178)
def test_array_properties_and_private_attributes() -> None:
    @contract(array=True)
    @dataclass
    class A:
        a: int
        b: str = ""

    assert lines(A)[0] == "A: array, filled directly"
    found = writing(A)
    assert found is not None
    assert found["array"] is True

    @contract(properties=("full", "settable"), include=("_secret",))
    @dataclass
    class B:
        name: str
        _secret = 3

        @property
        def full(self) -> str:
            return self.name

        @property
        def settable(self) -> int:
            return 1

        @settable.setter
        def settable(self, value: int) -> None:
            pass

    assert lines(B)[1:] == [
        "name: str",
        "settable: int, optional, set afterwards",
        "_secret: any, optional, set afterwards",
        "full: left unread",
    ]
    assert list(written(B)) == ["name", "full", "settable", "_secret"]

    @contract(properties=("name",))
    @dataclass
    class C:
        name: str

    with pytest.raises(ContractError, match="found no property `name`"):
        describe(C)


@pytest.mark.feature(161)
def test_marked_constructors() -> None:
    class Static:
        @octad.constructor
        @staticmethod
        def make(a: int, *, b: str = "") -> Static:
            return Static()

    class Under:
        @classmethod
        @octad.constructor
        def make(cls, a: int) -> Under:
            return cls()

    @dataclass
    class Data:
        total: int

        @octad.constructor
        @classmethod
        def of(cls, parts: list[int]) -> Data:
            return cls(sum(parts))

    class Child(Under):
        pass

    assert lines(Static) == ["Static: object, made by a call", "a: int", "b: str, optional"]
    assert lines(Under) == ["Under: object, made by a call", "a: int"]
    assert lines(Data) == ["Data: object, made by a call", "parts: list[int]"]
    assert lines(Child)[1:] == ["a: int"]
    (_, spec), *_ = compile_type(Child)
    assert isinstance(spec["maker"](1), Child)
    with pytest.raises(TypeError, match="constructor: expected a function"):
        octad.constructor(3)


def test_direct_only_where_it_is_exact() -> None:
    @dataclass
    class OwnInit:
        a: int

        def __init__(self, b: str) -> None:
            self.a = len(b)

    @dataclass
    class OwnNew:
        a: int

        def __new__(cls, *args: Any, **kw: Any) -> OwnNew:
            return super().__new__(cls)

    @dataclass
    class OwnSet:
        a: int

        def __setattr__(self, name: str, value: object) -> None:
            super().__setattr__(name, value)

    class Watched:
        def __set__(self, instance: object, value: object) -> None:
            pass

        def __get__(self, instance: object, owner: object = None) -> int:
            return 1

    @dataclass
    class Descriptor:
        a: int = Watched()  # type: ignore[assignment]

    class Meta(type):
        def __call__(cls, *args: Any, **kw: Any) -> Any:
            return super().__call__(*args, **kw)

    @dataclass
    class OwnCall(metaclass=Meta):
        a: int

    @dataclass
    class Raises(Exception):
        a: int

    @dataclass
    class InList(list[int]):
        a: int

    made = [OwnNew, OwnSet, Descriptor, OwnCall, Raises, InList]
    assert [compile_type(cls)[0][1]["make"] for cls in made] == ["call"] * len(made)
    assert lines(OwnInit) == ["OwnInit: object, made by a call", "b: str", "a: left unread"]


@pytest.mark.feature(169)
def test_hooks_are_in_the_plan() -> None:
    @dataclass
    class A:
        a: int

        def __post_init__(self) -> None: ...

        @classmethod
        def __octad_before_load__(cls, data: dict[str, Any]) -> dict[str, Any]:
            return data

        def __octad_after_load__(self) -> None: ...

        def __octad_before_dump__(self) -> None: ...

        def __octad_after_dump__(self) -> None: ...

    (_, spec), *_ = compile_type(A)
    assert spec["after"] == (A.__post_init__, A.__octad_after_load__)
    assert spec["before"] == A.__octad_before_load__
    found = writing(A)
    assert found is not None
    assert (found["before"], found["after"]) == (A.__octad_before_dump__, A.__octad_after_dump__)


# --- Styles ---------------------------------------------------------------------------------------


@pytest.mark.feature(189, 192, 193, 200)
def test_forms_of_dates_bytes_and_numbers() -> None:
    @dataclass
    class A:
        when: Annotated[list[dt.datetime], Field(dates="epoch_ms", zones="utc")]
        day: Annotated[dt.date | None, Field(dates="%d.%m.%Y")]
        key: Annotated[bytes, Field(bytes="hex")]
        size: Annotated[int, Field(numbers_from_text=True)]
        plain: dt.datetime

    assert lines(A)[1:] == [
        "when: list[datetime as epoch_ms, utc]",
        "day: null | date as %d.%m.%Y",
        "key: bytes as hex",
        "size: int or its text",
        "plain: datetime",
    ]
    rules = {name: row[-1] for name, row in written(A).items()}
    assert rules["when"] == {"dates": "epoch_ms", "zones": "utc"}
    assert rules["key"] == {"bytes": "hex"}
    assert rules["plain"] is None
    settings = Settings(dates="microsoft", bytes="array", numbers_from_text=True)
    assert describe(list[dt.date], settings) == "list[date as microsoft]"
    assert describe(list[bytes], settings) == "list[bytes as array]"
    assert describe(int | float, settings) == "int or its text | float or its text"
    assert describe(int | str, settings) == "int or its text | str"

    @dataclass
    class B:
        when: Annotated[dt.datetime, Field(dates="yesterday")]

    with pytest.raises(ContractError, match=r"B\.when: dates: expected a form among"):
        describe(B)


def test_bytes_and_text_are_told_apart_where_bytes_are_no_text() -> None:
    assert describe(bytes | str, Settings(bytes="array")) == "str | bytes as array"
    with pytest.raises(ContractError, match="which both take a text"):
        describe(bytes | str)


# --- Families -------------------------------------------------------------------------------------


@pytest.mark.feature(184, 185)
def test_family_takes_its_members_only() -> None:
    assert describe(list[Weapon]).split("\n\n")[0] == (
        "list[tagged inside by 'kind' ('Weapon': Weapon, 'Sword': Sword, 'long-bow': Bow)]"
    )
    assert lines(Sword)[0] == "Sword: object, filled directly, tagged 'Sword' in kind"
    assert lines(Katana)[0] == "Katana: object, filled directly, tagged 'Katana' in kind"


@pytest.mark.feature(179, 185)
def test_member_that_is_not_allowed_is_written_as_its_nearest_ancestor() -> None:
    found = writing(Katana)
    assert found is not None
    assert found["tag"] == ("kind", "Sword", "inside")
    assert [row[0] for row in found["fields"]] == ["damage", "edge"]
    found = writing(Bow)
    assert found is not None
    assert found["tag"] == ("kind", "long-bow", "inside")


@contract(tag_field="t", tag_place="around", allow={"circle": "Circle", 4: "Square"})
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
        return self.a**2


@pytest.mark.feature(184)
def test_abstract_base_with_tags_of_its_own_choice() -> None:
    assert describe(Shape).startswith("tagged around by 't' ('circle': Circle, '4': Square)")
    found = writing(Square)
    assert found is not None
    assert found["tag"] == ("t", "4", "around")
    assert describe(Circle | Square | None).startswith("null | tagged around by 't' ('circle'")


def test_families_that_contradict_themselves_are_refused() -> None:
    @contract(tag=True, allow=(int,))
    @dataclass
    class A:
        a: int

    with pytest.raises(ContractError, match="expected subclasses of A in `allow=`, found int"):
        describe(A)

    @dataclass
    class B:
        a: int

    @dataclass
    class B1(B): ...

    contract_for(B, allow=(B1,))
    with pytest.raises(ContractError, match="expected a tag on B1, found none"):
        describe(B)
    contract_for(B, allow=(B1,), tag="b")
    with pytest.raises(ContractError, match="found B and B1 both tagged 'b'"):
        describe(B)
    contract_for(B, allow={"b1": B1})
    assert describe(B).startswith("tagged inside by '$type' ('b1': B1, else B)")

    class Abstract(ABC):
        @abstractmethod
        def f(self) -> None: ...

    with pytest.raises(ContractError, match="found the abstract Abstract"):
        describe(Abstract)

    @contract(tag=True, tag_field="a")
    @dataclass
    class Named:
        a: int

    with pytest.raises(ContractError, match="the field `a` and the tag both called 'a'"):
        describe(Named)


@pytest.mark.feature(184)
def test_tags_of_structs_and_literals_in_unions() -> None:
    class S1(msgspec.Struct, tag=True):
        a: int

    class S2(msgspec.Struct, tag=2):
        a: int

    with pytest.raises(ContractError):
        describe(S1 | User | Weapon)
    assert describe(S1 | User).startswith("tagged inside by 'type' ('S1': S1, else User)")

    @dataclass
    class On:
        on: Literal[True]
        volts: int

    @dataclass
    class Off:
        on: Literal[False]

    assert describe(On | Off).startswith("tagged inside by 'on' (True: On, False: Off)")

    class Kind(enum.Enum):
        A = "a"
        B = "b"

    @dataclass
    class KA:
        kind: Literal[Kind.A] = Kind.A

    @dataclass
    class KB:
        kind: Literal[Kind.B] = Kind.B

    assert describe(KA | KB).startswith("tagged inside by 'kind' ('a': KA, 'b': KB)")

    class TA(TypedDict):
        kind: Literal["a", "c"]

    class TB(TypedDict):
        kind: Literal["b"]

    assert describe(TA | TB).startswith("tagged inside by 'kind' ('a': TA, 'c': TA, 'b': TB)")


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

    assert describe(Level) == "one of ('LOW', 'HIGH')"
    assert writing(Level) == {"enum": "name"}
    _, _, rows, fallback = compile_type(Perm)[0]
    assert rows == (("R", Perm.R), ("W", Perm.W))
    assert fallback("R|W") is Perm.R | Perm.W
    with pytest.raises(ValueError, match="found `X`"):
        fallback("R|X")


@pytest.mark.feature(196)
def test_enums_of_other_values() -> None:
    class Day(enum.Enum):
        FIRST = dt.date(2024, 1, 1)

    class Point(enum.Enum):
        ORIGIN = (0, 0)
        UNIT = (1, (2, 3))

    class Odd(enum.Enum):
        A = "a"
        B = "b"

        @classmethod
        def _missing_(cls, value: object) -> Odd | None:
            return cls.A if value == "A" else None

    assert describe(Day) == "a value of Day from date"
    op, _, make, _ = compile_type(Point)[0]
    assert (op, make([1, [2, 3]])) == ("call", Point.UNIT)
    *_, fallback = compile_type(Odd)[0]
    assert fallback("A") is Odd.A


# --- Where contracts are kept ---------------------------------------------------------------------


def test_contract_for_a_class_one_does_not_own() -> None:
    @dataclass
    class Theirs:
        user_id: int

    @dataclass
    class Child(Theirs):
        more_ids: int

    assert plan_nodes(Theirs)[0][1]["fields"][0][1] == ("user_id",)
    contract_for(Theirs, rename="camel")
    assert plan_nodes(Theirs)[0][1]["fields"][0][1] == ("userId",)
    assert [row[1] for row in plan_nodes(Child)[0][1]["fields"]] == [("userId",), ("moreIds",)]
    assert "__octad_contract__" not in vars(Theirs)
    contract_for(Theirs)
    assert plan_nodes(Theirs)[0][1]["fields"][0][1] == ("user_id",)
    with pytest.raises(TypeError, match="no option 'renamed'"):
        contract_for(Theirs, renamed="camel")
    with pytest.raises(TypeError, match="expected a class"):
        contract_for(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected a class"):
        contract(3)


def test_contracts_are_inherited_option_by_option() -> None:
    @contract(rename="camel", omit_none=True)
    @dataclass
    class A:
        a_b: int

    @contract(omit_none=False)
    @dataclass
    class B(A):
        c_d: int

    assert [row[0] for row in written(B).values()] == ["aB", "cD"]
    assert {row[1] for row in written(B).values()} == {0}


@pytest.mark.parametrize(
    "options",
    [
        {"tag": 1.5},
        {"tag_field": 1},
        {"tag_place": "under"},
        {"unknown": "drop"},
        {"omit_none": 1},
        {"order": "abc"},
        {"include": (1,)},
        {"enum": "upper"},
        {"array": "yes"},
    ],
)
def test_options_of_a_contract_are_checked(options: dict[str, Any]) -> None:
    with pytest.raises((TypeError, ValueError), match=f"{next(iter(options))}: expected"):
        contract(**options)


@pytest.mark.parametrize(
    "options",
    [
        {"name": 1},
        {"aliases": "ab"},
        {"aliases": [1]},
        {"order": "1"},
        {"order": True},
        {"ignore": "both"},
        {"omit_if": 3},
        {"default_factory": 3},
        {"default": 1, "default_factory": int},
        {"min_length": -1},
        {"min_length": 1.0},
        {"max_length": True},
        {"pattern": b"a"},
        {"zones": "local"},
        {"bytes": "utf8"},
        {"dates": 3},
        {"flatten": 1},
        {"extra": None},
    ],
)
def test_options_of_a_field_are_checked(options: dict[str, Any]) -> None:
    with pytest.raises((TypeError, ValueError), match=": expected"):
        Field(**options)


def test_fields_are_values() -> None:
    one = Field(name="a", ge=1, default=1)
    assert one == Field(name="a", ge=1, default=1)
    assert hash(one) == hash(Field(name="a", ge=1, default=1))
    assert one != Field(name="a", ge=1, default=True)
    assert one != Field(name="a", ge=1.0, default=1)
    assert one != "a"
    assert Field(default=[]) == Field(default=[])
    assert hash(Field(default=[])) == hash(Field(default=[]))
    assert repr(one) == "octad.Field(name='a', default=1, ge=1)"
    for same in (copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        assert same == one
    with pytest.raises(AttributeError):
        one.name = "b"
    with pytest.raises(AttributeError):
        del one.name


def test_settings_are_values() -> None:
    one = Settings(rename={"a": "b"}, dates="epoch", unknown="keep")
    same = Settings(rename={"a": "b"}, dates="epoch", unknown="keep")
    assert one == same
    assert hash(one) == hash(same)
    assert one != Settings(rename={"a": "c"}, dates="epoch", unknown="keep")
    assert replace(one, dates="rfc3339") == Settings(rename={"a": "b"}, unknown="keep")
    assert pickle.loads(pickle.dumps(one)) == one
    assert hash(pickle.loads(pickle.dumps(one))) == hash(one)
    with pytest.raises(AttributeError):
        one.dates = "epoch"  # type: ignore[misc]


@pytest.mark.parametrize(
    "options",
    [
        {"unknown": "drop"},
        {"dates": "iso"},
        {"dates": 3},
        {"zones": "local"},
        {"cycles": "keep"},
        {"parallel": True},
        {"lossy": "no"},
        {"omit_none": 1},
        {"case_sensitive": None},
        {"references": 3},
        {"converters": 3},
        {"converters": [3]},
    ],
)
def test_settings_are_checked(options: dict[str, Any]) -> None:
    with pytest.raises((TypeError, ValueError)):
        Settings(**options)


def test_unset_is_a_value_of_its_own() -> None:
    assert not octad.UNSET
    assert repr(octad.UNSET) == "octad.UNSET"
    for same in (copy.deepcopy(octad.UNSET), pickle.loads(pickle.dumps(octad.UNSET))):
        assert same is octad.UNSET

    @dataclass
    class A:
        a: int | octad.UnsetType = octad.UNSET
        b: int | msgspec.UnsetType = msgspec.UNSET
        c: int | octad.UnsetType | None = None

    assert lines(A)[1:] == ["a: int = octad.UNSET", "b: int = UNSET", "c: null | int = None"]


def test_cache_is_bounded_and_lets_classes_go() -> None:
    def short() -> weakref.ref[type]:
        class Short(NamedTuple):
            a: int

        plan_nodes(Short)
        return weakref.ref(Short)

    gone = short()
    for number in range(SIZE + 1):
        plan_nodes(Literal[f"cache {number}"])  # type: ignore[valid-type]
    gc.collect()
    assert gone() is None


def test_types_that_are_equal_but_not_the_same_are_kept_apart() -> None:
    assert plan_nodes(Literal[1])[0][2] == ((1, 1),)
    assert plan_nodes(Literal[True])[0][2] == ((True, True),)
    assert type(plan_nodes(list[Literal[True]])[1][2][0][0]) is bool
    assert type(plan_nodes(list[Literal[1]])[1][2][0][0]) is int
    unhashable = Annotated[int, []]
    assert plan_nodes(unhashable) == (("int", False),)


@dataclass
class Spot:
    x: int


@pytest.mark.feature(176)
@pytest.mark.parametrize(
    ("hint", "found"),
    [
        (Spot | None, "Spot | None: among the members of its owner nothing tells which one"),
        (dict[str, int] | None, "None: among the members of its owner nothing tells which one"),
        (int, "found int"),
        (list[Spot], "found list"),
    ],
)
def test_what_cannot_be_flattened_is_named(hint: Any, found: str) -> None:
    class Owner:
        __annotations__ = {"x": Annotated[hint, Field(flatten=True)]}

    with pytest.raises(ContractError, match="a class with fields or a dict to flatten") as caught:
        describe(dataclass(Owner))
    assert found in str(caught.value)

    class Extra:
        __annotations__ = {"x": Annotated[hint, Field(extra=True)]}

    with pytest.raises(ContractError, match="expected a dict for `extra=`, found "):
        describe(dataclass(Extra))

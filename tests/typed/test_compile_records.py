"""Classes with fields: what the plan has of them.

Snapshots of `octad.describe`.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, InitVar, dataclass, field
from typing import Annotated, Any, ClassVar, Generic, Literal, TypeVar

import attrs
import msgspec
import octad
import pytest
from octad import Field, Settings, describe

T = TypeVar("T")


@dataclass
class Item:
    name: str
    count: int = 1
    tags: list[str] = field(default_factory=list)
    KIND: ClassVar[str] = "item"


@dataclass(slots=True, frozen=True)
class Node:
    value: int
    _: KW_ONLY
    next: Node | None = None


@dataclass
class Box(Generic[T]):
    item: T
    more: list[T] = field(default_factory=list)


@dataclass
class IntBox(Box[int]):
    label: str = ""


@dataclass
class WithInitVar:
    total: int = field(init=False)
    parts: InitVar[list[int]]

    def __post_init__(self, parts: list[int]) -> None:
        self.total = sum(parts)


@attrs.define
class Point:
    x: int
    _y: int = attrs.field(default=0)
    z: int = attrs.field(default=0, alias="depth")


@attrs.define
class Checked:
    x: int = attrs.field(validator=attrs.validators.ge(0))
    y: str = attrs.field(converter=str, default="")


class User(msgspec.Struct, rename="camel", forbid_unknown_fields=True):
    user_id: int
    name: str = "x"


class Plain:
    def __init__(self, a: int, /, b: str = "b", *, c: list[int]) -> None:
        self.a, self.b, self.c = a, b, c


class Marked:
    def __init__(self, pair: Any) -> None:
        self.pair = pair

    @octad.constructor
    @classmethod
    def from_parts(cls, x: int, y: int = 0) -> Marked:
        return cls((x, y))


@pytest.mark.parametrize(
    ("hint", "text"),
    [
        (
            Item,
            "Item: object, filled directly\n  name: str\n  count: int = 1\n"
            "  tags: list[str] = list()",
        ),
        (Node, "Node: object, filled directly\n  value: int\n  next: null | Node = None"),
        (Box[str], "Box[str]: object, filled directly\n  item: str\n  more: list[str] = list()"),
        (Box, "Box: object, filled directly\n  item: any\n  more: list[any] = list()"),
        (
            IntBox,
            "IntBox: object, filled directly\n  item: int\n  more: list[int] = list()\n"
            "  label: str = ''",
        ),
        (
            WithInitVar,
            "WithInitVar: object, made by a call\n  parts: list[int]\n  total: left unread",
        ),
        (
            Point,
            "Point: object, filled directly\n  x: int\n  _y or y: int = 0\n"
            "  depth or z: int = 0, for z",
        ),
        (Checked, "Checked: object, made by a call\n  x: int\n  y: any, optional"),
        (
            User,
            "User: object, made by a call, unknown members: forbid\n"
            "  userId: int, for user_id\n  name: str, optional",
        ),
        (
            Plain,
            "Plain: object, made by a call\n  a: int, by position\n  b: str, optional\n"
            "  c: list[int]",
        ),
        (Marked, "Marked: object, made by a call\n  x: int\n  y: int, optional"),
    ],
)
@pytest.mark.feature(156, 160, 251)
def test_class(hint: Any, text: str) -> None:
    assert describe(hint) == text


@pytest.mark.feature(163, 164)
def test_names_follow_the_field_then_the_class_then_the_settings() -> None:
    @octad.contract(rename="kebab")
    @dataclass
    class Own:
        first_name: str
        last_name: Annotated[str, Field(name="surname", aliases=["family"])]

    assert "first-name: str, for first_name" in describe(Own)
    assert "surname or family: str, for last_name" in describe(Own, Settings(rename="camel"))
    assert "first-name" in describe(Own, Settings(rename="camel"))
    assert "userId: int" not in describe(Item, Settings(rename="upper"))
    assert "COUNT: int = 1, for count" in describe(Item, Settings(rename="upper"))


@pytest.mark.feature(184)
def test_classes_are_told_apart_by_tag_literal_or_names() -> None:
    @dataclass
    class Cat:
        kind: Literal["cat"]
        lives: int

    @dataclass
    class Dog:
        kind: Literal["dog"]
        barks: bool

    assert describe(Cat | Dog).startswith("tagged inside by 'kind' ('cat': Cat, 'dog': Dog)")

    @octad.contract(tag=True)
    @dataclass
    class Sword:
        edge: int

    @octad.contract(tag="bow")
    @dataclass
    class Bow:
        range: int

    text = describe(Sword | Bow | None)
    assert text.startswith("null | tagged inside by '$type' ('Sword': Sword, 'bow': Bow)")
    assert "Bow: object, filled directly, tagged 'bow' in $type" in text
    assert describe(Item | Node).startswith("by names (with name: Item, with value: Node)")

    @dataclass
    class Other:
        name: str

    with pytest.raises(octad.ContractError, match="have neither tags, nor a `Literal` field"):
        describe(Item | Other)

"""Classes: how instances are made, by which constructor, and what user code may do to it.

The rules of the class hold: `__init__`, `__post_init__`, converters and validators of attrs,
pydantic's own validation. Nothing half-made is handed out, whatever that code does.
"""

from __future__ import annotations

import dataclasses
import gc
import typing
import weakref
from collections import deque
from dataclasses import InitVar, dataclass, field
from typing import Annotated, Any, NamedTuple, Self, TypedDict

import attrs
import octad
import pytest
from octad import Field, json

from tests.typed.formats import Format, assert_same, refusal

pytestmark = [pytest.mark.feature(156)]


# --- constructors ---


class Vector:
    def __init__(self, x: float, y: float = 0.0, *, label: str = "") -> None:
        self.x, self.y, self.label, self.made = x, y, label, "init"

    @octad.constructor
    @classmethod
    def polar(cls, r: float, phi: float = 0.0) -> Self:
        made = cls.__new__(cls)
        made.x, made.y, made.label, made.made = r, phi, "", "polar"
        return made


class Cartesian:
    def __init__(self, x: float, y: float = 0.0, *, label: str = "") -> None:
        self.x, self.y, self.label = x, y, label


@pytest.mark.feature(160)
def test_arguments_are_bound_by_name_in_any_order(fmt: Format) -> None:
    made = fmt.verbs.loads(fmt.data('{"label": "p", "y": 2, "x": 1}'), Cartesian)
    assert (made.x, made.y, made.label) == (1.0, 2.0, "p")
    assert fmt.verbs.loads(fmt.data('{"x": 1}'), Cartesian).y == 0.0
    assert refusal(fmt.verbs.loads, fmt.data('{"y": 1}'), Cartesian).code == "missing-field"


@pytest.mark.feature(161)
def test_a_marked_constructor_is_taken_instead(fmt: Format) -> None:
    made = fmt.verbs.loads(fmt.data('{"phi": 2, "r": 1}'), Vector)
    assert (made.made, made.x, made.y) == ("polar", 1.0, 2.0)
    assert refusal(fmt.verbs.loads, fmt.data('{"x": 1}'), Vector).code == "missing-field"


@pytest.mark.feature(162)
def test_plain_dataclasses_are_filled_without_running_init(fmt: Format) -> None:
    @dataclass
    class Counted:
        a: int

    calls: list[int] = []
    init = Counted.__init__

    @dataclass
    class Own:
        a: int

        def __init__(self, a: int) -> None:
            calls.append(a)
            self.a = a + 1

    assert fmt.loads('{"a": 1}', Counted).a == 1
    assert fmt.loads('{"a": 1}', Own).a == 2
    assert calls
    assert Counted.__init__ is init


@dataclass
class Order:
    log: typing.ClassVar[list[str]] = []
    a: int
    scale: InitVar[int] = 2
    b: int = field(init=False, default=5)
    c: list[int] = field(default_factory=list)

    def __post_init__(self, scale: int) -> None:
        self.b = self.a * scale
        Order.log.append("post")


def test_init_vars_post_init_and_fields_outside_of_init(fmt: Format) -> None:
    made = fmt.verbs.loads(fmt.data('{"c": [1], "scale": 3, "a": 4, "b": 100}'), Order)
    assert (made.a, made.b, made.c) == (4, 12, [1])
    assert fmt.verbs.loads(fmt.data('{"a": 4}'), Order).b == 8
    assert fmt.dumps(made) == {"a": 4, "b": 12, "c": [1]}


def test_factories_run_once_per_instance(fmt: Format) -> None:
    made: list[object] = []

    def fresh() -> list[int]:
        made.append(new := [len(made)])
        return new

    @dataclass
    class Holder:
        items: list[int] = field(default_factory=fresh)

    values = fmt.verbs.loads(fmt.data("[{}, {}, {}]"), list[Holder])
    assert [one.items for one in values] == [[0], [1], [2]]
    assert all(one.items is other for one, other in zip(values, made, strict=True))


def test_a_default_that_holds_itself_is_shared_as_the_class_says(fmt: Format) -> None:
    default: list[Any] = []
    default.append(default)

    class Loop:
        def __init__(self, a: Any = default, b: Any = None) -> None:
            self.a, self.b = a, b

    made = fmt.verbs.loads(fmt.data('{"b": 1}'), Loop)
    assert made.a is default
    octad.schema(Loop)
    octad.describe(Loop)


@dataclass(frozen=True)
class Frozen:
    a: int
    b: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, order=True)
class FrozenSlots:
    a: int
    cache: dict[str, int] = field(default_factory=dict, compare=False, hash=False)


def test_frozen_classes_stay_frozen(fmt: Format) -> None:
    for cls in (Frozen, FrozenSlots):
        made = fmt.loads('{"a": 1}', cls)
        assert made == cls(1)
        assert hash(made) == hash(cls(1))
        with pytest.raises(dataclasses.FrozenInstanceError):
            made.a = 2
    assert fmt.loads('[{"a": 1}, {"a": 1}]', set[Frozen]) == {Frozen(1)}
    assert fmt.loads('[[{"a": 1}, 5]]', dict[Frozen, int]) == {Frozen(1): 5}


@dataclass
class Weak:
    a: int


@dataclass(slots=True, weakref_slot=True)
class WeakSlots:
    a: int


def test_instances_are_ordinary_objects(fmt: Format) -> None:
    for cls in (Weak, WeakSlots):
        made = fmt.loads('{"a": 1}', cls)
        assert weakref.ref(made)() is made
        assert made == cls(1)
        assert repr(made) == repr(cls(1))
        made.a = 5
        assert dataclasses.asdict(made) == {"a": 5}
        assert dataclasses.replace(made, a=6) == cls(6)
    made = fmt.loads('{"a": 1}', Weak)
    assert vars(made) == {"a": 1}
    made.new = 2
    assert vars(made) == {"a": 1, "new": 2}
    assert gc.is_tracked(fmt.loads('{"left": {"left": null}}', Tree))


@dataclass
class Tree:
    left: Tree | None = None


class WithProperty:
    a: int

    def __init__(self, a: int) -> None:
        self._a = a

    @property
    def double(self) -> int:
        return 2 * self._a


@dataclass
class Descriptors:
    a: int

    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value * 10)


@dataclass
class WithNew:
    a: int

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        made = super().__new__(cls)
        object.__setattr__(made, "by_new", True)
        return made


def test_own_setattr_and_new_are_run(fmt: Format) -> None:
    assert fmt.verbs.loads(fmt.data('{"a": 1}'), Descriptors).a == 10
    assert fmt.verbs.loads(fmt.data('{"a": 1}'), WithNew).by_new is True


# --- classes that misbehave ---


class Liar(int):
    """Says that it is something else than it is."""

    @property
    def __class__(self) -> type:
        return str


class NewLiar:
    def __new__(cls, a: int) -> Any:
        return "no instance at all"

    def __init__(self, a: int) -> None:
        raise AssertionError("not reached")


class Broken:
    def __init__(self, a: int) -> None:
        self.half = a
        raise ValueError("cannot be made")


class BrokenEq:
    def __init__(self, a: int) -> None:
        self.a = a

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no comparing")

    def __hash__(self) -> int:
        return 1


class BrokenHash:
    def __init__(self, a: int) -> None:
        self.a = a

    def __hash__(self) -> int:
        raise RuntimeError("no hash")


def test_a_class_that_raises_in_init_leaves_nothing_behind(fmt: Format) -> None:
    alive: list[weakref.ref[Any]] = []

    class Raises:
        def __init__(self, a: int) -> None:
            alive.append(weakref.ref(self))
            raise ValueError("no")

    error = refusal(fmt.verbs.loads, fmt.data('{"k": [{"a": 1}]}'), dict[str, list[Raises]])
    assert (error.code, error.path) == ("rejected", "$.k[0]")
    del error
    gc.collect()
    assert [one() for one in alive] == [None]
    assert refusal(fmt.verbs.loads, fmt.data('{"a": 1}'), Broken).code == "rejected"


def test_what_new_returns_is_what_comes_out(fmt: Format) -> None:
    assert fmt.verbs.loads(fmt.data('{"a": 1}'), NewLiar) == "no instance at all"


def test_hashes_and_comparisons_that_raise_pass_on(fmt: Format) -> None:
    with pytest.raises(RuntimeError, match="no hash") as caught:
        fmt.verbs.loads(fmt.data('[{"a": 1}]'), set[BrokenHash])
    assert any("$" in note for note in caught.value.__notes__)
    with pytest.raises(RuntimeError, match="no comparing"):
        fmt.verbs.loads(fmt.data('[{"a": 1}, {"a": 2}]'), set[BrokenEq])


class WordList(list[str]):
    pass


class Registry(dict[str, int]):
    pass


class Word(str):
    pass


class Number(int):
    pass


def test_subclasses_of_built_in_types_are_made(fmt: Format) -> None:
    for text, of in (('["a"]', WordList), ('{"a": 1}', Registry), ('"a"', Word), ("5", Number)):
        made = fmt.verbs.loads(fmt.data(text), of)
        assert type(made) is of
        assert made == json.loads(text)
    assert refusal(fmt.verbs.loads, fmt.data("[1]"), WordList).path == "$[0]"


def test_classes_that_lie_about_their_class_are_written_by_what_they_are(fmt: Format) -> None:
    assert fmt.dumps([Liar(5)]) == [5]


def test_a_post_init_that_changes_its_class_does_no_harm(fmt: Format) -> None:
    @dataclass
    class Other:
        a: int

    @dataclass
    class Changing:
        a: int

        def __post_init__(self) -> None:
            self.__class__ = Other  # type: ignore[assignment]

    values = fmt.verbs.loads(fmt.data('[{"a": 1}, {"a": 2}]'), list[Changing])
    assert [type(one) for one in values] == [Other, Other]


def test_a_post_init_that_deletes_its_fields_does_no_harm(fmt: Format) -> None:
    @dataclass
    class Emptied:
        a: int
        b: str = "b"

        def __post_init__(self) -> None:
            vars(self).clear()

    values = fmt.verbs.loads(fmt.data('[{"a": 1}, {"a": 2}]'), list[Emptied])
    assert [vars(one) for one in values] == [{}, {}]


def test_a_class_changed_between_calls_is_read_as_it_is_then(fmt: Format) -> None:
    @dataclass
    class Changing:
        a: int

    data = fmt.data('{"a": 1}')
    assert fmt.verbs.loads(data, Changing).a == 1
    Changing.__post_init__ = lambda self: setattr(self, "a", 9)
    made = fmt.verbs.loads(data, Changing)
    assert made.a in (1, 9)
    del Changing.__post_init__
    assert fmt.verbs.loads(data, Changing).a == 1


def test_user_code_may_call_octad_again(fmt: Format) -> None:
    @dataclass
    class Nested:
        text: str
        inner: Any = None

        def __post_init__(self) -> None:
            if self.text:
                self.inner = json.loads(self.text, Nested)
                assert json.loads(json.dumps(self)) is not None

    text = ""
    for _ in range(5):
        text = json.dumps_str({"text": text})
    made = fmt.verbs.loads(fmt.data(text), Nested)
    for _ in range(4):
        made = made.inner
    assert made.inner is None


def test_the_input_may_go_away_while_it_is_read() -> None:
    buffer = bytearray(b'[{"a": 1}, {"a": 2}, {"a": 3}]')

    @dataclass
    class Nosy:
        a: int

        def __post_init__(self) -> None:
            try:
                buffer[:] = b"x" * 1000
                buffer.clear()
            except BufferError:
                pass

    assert [one.a for one in json.loads(buffer, list[Nosy])] == [1, 2, 3]


# --- attrs ---


@attrs.define
class Attr:
    name: str = attrs.field(converter=str.lower)
    level: int = attrs.field(default=1, validator=attrs.validators.ge(0))
    _private: int = 0
    items: list[int] = attrs.Factory(list)
    hidden: int = attrs.field(init=False, default=7)


@attrs.frozen
class AttrFrozen:
    a: int
    whole: int = attrs.field()

    @whole.default
    def _whole(self) -> int:
        return self.a + 1

    def __attrs_post_init__(self) -> None:
        assert self.a


@attrs.define
class AttrAlias:
    value: int = attrs.field(alias="other")


def test_attrs_classes_with_converters_validators_and_factories(fmt: Format) -> None:
    assert fmt.verbs.loads(fmt.data('{"name": "ABC"}'), Attr) == Attr("ABC")
    assert fmt.verbs.loads(fmt.data('{"name": "ABC"}'), Attr).name == "abc"
    error = refusal(fmt.verbs.loads, fmt.data('{"name": "x", "level": -1}'), Attr)
    assert error.code == "rejected"
    assert isinstance(error.__cause__, ValueError)
    assert fmt.verbs.loads(fmt.data('{"a": 1}'), AttrFrozen) == AttrFrozen(1, 2)
    made = fmt.verbs.loads(fmt.data('{"a": 1, "whole": 5}'), AttrFrozen)
    assert_same(fmt.trip(made, AttrFrozen), made)


def test_names_of_attrs_fields_are_the_same_both_ways(fmt: Format) -> None:
    value = AttrAlias(other=5)
    assert_same(fmt.trip(value, AttrAlias), value)
    private = Attr("x", private=3)
    assert_same(fmt.trip(private, Attr), private)


# --- other classes with fields ---


def test_structs_of_msgspec(fmt: Format) -> None:
    msgspec = pytest.importorskip("msgspec", reason="msgspec is not installed")

    class Inner(msgspec.Struct, frozen=True):
        a: int
        b: str = "b"

    class Outer(msgspec.Struct, rename="camel", omit_defaults=True, forbid_unknown_fields=True):
        inner_value: Inner
        items: list[Inner] = []  # noqa: RUF012
        count: int | msgspec.UnsetType = msgspec.UNSET

    class Tagged(msgspec.Struct, tag="t", tag_field="kind"):
        x: int

    class Row(msgspec.Struct, array_like=True):
        a: int
        b: int = 2

    namespace = {"Inner": Inner, "msgspec": msgspec}
    globals().update(namespace)
    try:
        value = Outer(Inner(1), [Inner(2, "c")])
        for text in ('{"innerValue": {"a": 1}, "items": [{"a": 2, "b": "c"}]}',):
            assert_same(fmt.loads(text, Outer), value)
        assert fmt.loads('{"innerValue": {"a": 1}}', Outer).count is msgspec.UNSET
        assert fmt.refuse('{"innerValue": {"a": 1}, "x": 1}', Outer).code == "unknown-field"
        assert_same(fmt.trip(value, Outer), value)
        assert fmt.dumps(Tagged(1)) == {"kind": "t", "x": 1}
        assert_same(fmt.loads('{"x": 1, "kind": "t"}', Tagged), Tagged(1))
        assert fmt.refuse('{"x": 1, "kind": "u"}', Tagged).code == "unknown-tag"
        assert_same(fmt.loads("[1]", Row), Row(1))
        assert fmt.dumps(Row(1)) == [1, 2]
    finally:
        for name in namespace:
            globals().pop(name)


def test_models_of_pydantic_validate_themselves(fmt: Format) -> None:
    pydantic = pytest.importorskip("pydantic", reason="pydantic is not installed")

    class Model(pydantic.BaseModel):
        model_config = pydantic.ConfigDict(populate_by_name=True)
        name: str
        age: int = pydantic.Field(alias="years", ge=0)
        seen: list[int] = []  # noqa: RUF012

        @pydantic.field_validator("name")
        @classmethod
        def not_empty(cls, value: str) -> str:
            if not value:
                raise ValueError("empty name")
            return value.title()

    made = fmt.verbs.loads(fmt.data('[{"name": "ann", "years": 5}]'), list[Model])
    assert made == [Model(name="Ann", age=5)]
    error = refusal(fmt.verbs.loads, fmt.data('[{"name": "", "years": 5}]'), list[Model])
    assert error.path.startswith("$[0]")
    assert "empty name" in str(error)
    error = refusal(fmt.verbs.loads, fmt.data('[{"name": "x", "years": -1}]'), list[Model])
    assert error.path.startswith("$[0]")
    assert octad.schema(Model)["properties"]["years"]["minimum"] == 0
    assert fmt.dumps(made) in (
        [{"name": "Ann", "age": 5, "seen": []}],
        [{"name": "Ann", "years": 5, "seen": []}],
    )


class Base(TypedDict):
    a: int


class Derived(Base, total=False):
    b: Annotated[str, Field(name="bee")]


def test_typed_dicts_inherit_and_rename(fmt: Format) -> None:
    assert_same(fmt.loads('{"bee": "x", "a": 1, "more": 2}', Derived), {"a": 1, "b": "x"})
    assert type(fmt.loads('{"a": 1}', Derived)) is dict


class Defaulted(NamedTuple):
    a: int
    b: list[int] = []  # noqa: RUF012


def test_named_tuples_are_tuples(fmt: Format) -> None:
    made = fmt.loads("[1]", Defaulted)
    assert made == (1, [])
    assert_same(fmt.trip(made, Defaulted), made)
    assert_same(fmt.loads('{"a": 1, "b": [2]}', Defaulted), Defaulted(1, [2]))


@pytest.mark.feature(176)
def test_private_members_by_name(fmt: Format) -> None:
    @octad.contract(include=("_secret",))
    class Keeper:
        name: str

        def __init__(self, name: str) -> None:
            self.name = name
            self._secret = 5

    keeper = Keeper("k")
    keeper._secret = 6
    written = fmt.dumps(keeper)
    assert written == {"name": "k", "_secret": 6}


@pytest.mark.feature(177, 178)
def test_properties_are_written_and_not_read(fmt: Format) -> None:
    @octad.contract(properties=("area",))
    @dataclass
    class Square:
        side: float

        @property
        def area(self) -> float:
            return self.side**2

    assert fmt.dumps(Square(2.0)) == {"side": 2.0, "area": 4.0}
    assert_same(fmt.trip(Square(2.0), Square), Square(2.0))


@pytest.mark.feature(201, 202)
def test_untyped_members_are_plain_and_independent(fmt: Format) -> None:
    @dataclass
    class Loose:
        a: Any
        b: object
        c: list
        d: dict

    data = fmt.data('{"a": {"x": [1]}, "b": {"x": [1]}, "c": [{"x": 1}], "d": {"k": [1]}}')
    one, two = fmt.verbs.loads(data, Loose), fmt.verbs.loads(data, Loose)
    assert type(one.a) is dict
    one.a["x"].append(2)
    one.d["k"].append(2)
    assert one.b == {"x": [1]}
    assert two == Loose({"x": [1]}, {"x": [1]}, [{"x": 1}], {"k": [1]})


def test_views_and_raw_pieces_as_members() -> None:
    @dataclass
    class Message:
        kind: str
        body: octad.Raw
        rest: octad.Element | None = None

    made = json.loads('{"kind": "k", "body": {"n": 1.10 }, "rest": [1]}', Message)
    assert bytes(made.body.data) == b'{"n": 1.10 }'
    assert made.rest == [1]
    assert b'{"n": 1.10 }' in json.dumps(made)


def test_a_deque_of_records_keeps_order(fmt: Format) -> None:
    assert_same(fmt.loads('[{"a": 1}, {"a": 2}]', deque[Frozen]), deque([Frozen(1), Frozen(2)]))

"""Names and which fields: policies, aliases, order, ignore, omit, unknown, extra, flatten, hooks.

The same rules on reading and on writing; by call, by class, by field, and for classes that one
does not own. The nearer word wins: call, field, class, settings.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple, TypedDict

import octad
import pytest
from octad import Field, Settings

from tests.typed.formats import Format, assert_same, refusal

pytestmark = [pytest.mark.feature(157)]


@dataclass
class Names:
    user_id: int
    parse_http_url: str = ""
    a: int = 0
    _private: int = 0
    trailing_: int = 0
    item2_count: int = 0


POLICIES = [
    ("camel", ["userId", "parseHttpUrl", "a", "_private", "trailing_", "item2Count"]),
    ("pascal", ["UserId", "ParseHttpUrl", "A", "_Private", "Trailing_", "Item2Count"]),
    ("snake", ["user_id", "parse_http_url", "a", "_private", "trailing_", "item2_count"]),
    ("kebab", ["user-id", "parse-http-url", "a", "_private", "trailing_", "item2-count"]),
    ("upper_snake", ["USER_ID", "PARSE_HTTP_URL", "A", "_PRIVATE", "TRAILING_", "ITEM2_COUNT"]),
    ("none", ["user_id", "parse_http_url", "a", "_private", "trailing_", "item2_count"]),
    ({"user_id": "uid"}, ["uid", "parse_http_url", "a", "_private", "trailing_", "item2_count"]),
    (str.upper, ["USER_ID", "PARSE_HTTP_URL", "A", "_PRIVATE", "TRAILING_", "ITEM2_COUNT"]),
]


@pytest.mark.feature(164)
@pytest.mark.parametrize(("policy", "names"), POLICIES, ids=[str(one[0])[:20] for one in POLICIES])
def test_naming_policies_hold_both_ways(policy: Any, names: list[str], fmt: Format) -> None:
    settings = Settings(rename=policy)
    value = Names(1, "u", 2, 3, 4, 5)
    written = fmt.verbs.loads(fmt.verbs.dumps(value, settings=settings))
    assert list(written) == names
    assert_same(fmt.trip(value, Names, settings=settings), value)


@octad.contract(rename="camel")
@dataclass
class Camel:
    user_id: int
    own_name: Annotated[int, Field(name="OWN")] = 0


def test_the_nearer_word_wins(fmt: Format) -> None:
    value = Camel(1, 2)
    assert fmt.dumps(value) == {"userId": 1, "OWN": 2}
    kebab = Settings(rename="kebab")
    assert fmt.verbs.loads(fmt.verbs.dumps(value, settings=kebab)) == {"userId": 1, "OWN": 2}
    assert_same(fmt.trip(value, Camel), value)
    assert fmt.refuse('{"user_id": 1}', Camel).code == "missing-field"
    assert "userId" in fmt.refuse("{}", Camel).message


def test_options_of_a_reading_call_win(fmt: Format) -> None:
    value = Names(1, "u", 2, 3, 4, 5)
    data = fmt.verbs.dumps(value, settings=Settings(rename="kebab"))
    camel = Settings(rename="camel", unknown="forbid")
    assert_same(fmt.verbs.loads(data, Names, rename="kebab"), value)
    assert_same(fmt.verbs.loads(data, Names, rename="kebab", settings=camel), value)
    # Without the option, the names on the wire are none that the contract knows.
    assert refusal(fmt.verbs.loads, data, Names, settings=camel).code == "unknown-field"


@pytest.mark.feature(163)
def test_names_and_aliases_of_fields(fmt: Format) -> None:
    @dataclass
    class Item:
        number: Annotated[int, Field(name="a-b c.d", aliases=("nr", "no"))]
        plain: str = dataclasses.field(default="", metadata={"octad": Field(name="Plain")})

    for name in ("a-b c.d", "nr", "no"):
        assert_same(fmt.loads(f'{{"{name}": 1, "Plain": "p"}}', Item), Item(1, "p"))
    assert fmt.refuse('{"number": 1}', Item).code == "missing-field"
    assert fmt.dumps(Item(1, "p")) == {"a-b c.d": 1, "Plain": "p"}
    assert fmt.refuse('{"nr": 1, "no": 2}', Item).code in ("repeated-field", "duplicate-key")


def test_names_that_clash_are_refused_before_any_data() -> None:
    @dataclass
    class Clash:
        a: Annotated[int, Field(name="x")]
        b: Annotated[int, Field(aliases=("x",))]

    with pytest.raises(octad.ContractError, match="x"):
        octad.describe(Clash)
    with pytest.raises(octad.ContractError):
        octad.json.dumps(Clash(1, 2), settings=Settings(rename=lambda name: "same"))


@pytest.mark.feature(165)
def test_keys_of_dictionaries_follow_their_own_policy(fmt: Format) -> None:
    settings = Settings(rename_keys="camel")
    written = fmt.verbs.loads(fmt.verbs.dumps({"user_id": {"first_name": 1}}, settings=settings))
    assert written == {"userId": {"firstName": 1}}
    value = Names(1)
    assert "user_id" in fmt.verbs.loads(fmt.verbs.dumps(value, settings=settings))


@pytest.mark.feature(166)
def test_order_of_what_is_written(fmt: Format) -> None:
    @octad.contract(order=("c", "a"))
    @dataclass
    class Ordered:
        a: int = 1
        b: int = 2
        c: int = 3

    @dataclass
    class ByField:
        a: Annotated[int, Field(order=2)] = 1
        b: int = 2
        c: Annotated[int, Field(order=1)] = 3

    assert list(fmt.dumps(Ordered())) == ["c", "a", "b"]
    assert list(fmt.dumps(ByField())) == ["c", "a", "b"]
    assert_same(fmt.trip(ByField(4, 5, 6), ByField), ByField(4, 5, 6))


@pytest.mark.feature(167)
def test_ignored_fields(fmt: Format) -> None:
    @dataclass
    class Partly:
        seen: int
        never: Annotated[int, Field(ignore=True)] = 7
        only_read: Annotated[int, Field(ignore="write")] = 8
        only_written: Annotated[int, Field(ignore="read")] = 9

    assert fmt.dumps(Partly(1)) == {"seen": 1, "only_written": 9}
    text = '{"seen": 1, "never": 2, "only_read": 3, "only_written": "not an int"}'
    assert_same(fmt.loads(text, Partly), Partly(1, 7, 3, 9))

    @dataclass
    class Needed:
        never: Annotated[int, Field(ignore=True)]

    with pytest.raises(octad.ContractError):
        octad.describe(Needed)


@pytest.mark.feature(168)
def test_conditional_fields(fmt: Format) -> None:
    @dataclass
    class Item:
        name: str
        note: Annotated[str, Field(omit_if=lambda text: text.startswith("_"))] = ""

    assert fmt.dumps(Item("a", "_x")) == {"name": "a"}
    assert fmt.dumps(Item("a", "x")) == {"name": "a", "note": "x"}


@pytest.mark.feature(170, 171, 172)
def test_nulls_defaults_and_empty_values_are_left_out_on_request(fmt: Format) -> None:
    @dataclass
    class Item:
        a: int | None = None
        b: int = 5
        c: list[int] = field(default_factory=list)
        d: str = ""
        e: dict[str, int] | None = None
        f: bool = False

    item = Item()
    write = fmt.verbs.dumps
    read = fmt.verbs.loads
    assert set(read(write(item))) == set("abcdef")
    assert set(read(write(item, settings=Settings(omit_none=True)))) == set("bcdf")
    assert read(write(item, settings=Settings(omit_defaults=True))) == {}
    assert set(read(write(item, settings=Settings(omit_empty=True)))) == set("abef")
    other = Item(0, 6, [1], "x", {}, True)
    assert set(read(write(other, settings=Settings(omit_defaults=True, omit_none=True)))) == set(
        "abcdef"
    )
    assert_same(fmt.trip(item, Item, settings=Settings(omit_defaults=True)), item)
    # 0 and False are no empty values; 0, 0.0 and False are different defaults.

    @dataclass
    class Zero:
        n: float = 0
        flag: int = 0

    assert read(write(Zero(0.0, False), settings=Settings(omit_defaults=True))) != {}
    assert read(write(Zero(), settings=Settings(omit_defaults=True))) == {}
    assert read(write(Zero(), settings=Settings(omit_empty=True))) == {"n": 0, "flag": 0}

    @octad.contract(omit_none=True)
    @dataclass
    class Own:
        a: int | None = None

    assert read(write([Own(), Item()])) == [{}, read(write(Item()))]


def test_unset_is_absent_and_not_null(fmt: Format) -> None:
    @dataclass
    class Patch:
        name: str | octad.UnsetType | None = octad.UNSET

    assert fmt.loads("{}", Patch).name is octad.UNSET
    assert fmt.loads('{"name": null}', Patch).name is None
    assert fmt.dumps([Patch(), Patch(None), Patch("x")]) == [{}, {"name": None}, {"name": "x"}]


# --- unknown members ---


@dataclass
class Open:
    a: int = 0


@octad.contract(unknown="forbid")
@dataclass
class Strict:
    a: int = 0


@octad.contract(unknown="keep")
@dataclass
class Keeping:
    a: int = 0


@dataclass(slots=True)
class Collecting:
    a: int = 0
    rest: Annotated[dict[str, Any], Field(extra=True)] = field(default_factory=dict)


@pytest.mark.feature(173, 175)
def test_unknown_members_are_skipped_refused_or_kept(fmt: Format) -> None:
    text = '{"x": [1, {"y": null}], "a": 1, "z": "t"}'
    assert_same(fmt.loads(text, Open), Open(1))
    error = fmt.refuse(text, Strict)
    assert error.code == "unknown-field"
    assert "x" in error.message
    assert fmt.refuse(text, Open, settings=Settings(unknown="forbid")).code == "unknown-field"
    kept = fmt.verbs.loads(fmt.data(text), Keeping)
    assert kept.a == 1
    assert fmt.dumps(kept) == {"a": 1, "x": [1, {"y": None}], "z": "t"}
    collected = fmt.loads(text, Collecting)
    assert collected.rest == {"x": [1, {"y": None}], "z": "t"}
    assert fmt.dumps(collected) == {"a": 1, "x": [1, {"y": None}], "z": "t"}
    assert fmt.loads("{}", Collecting).rest == {}


def test_kept_members_do_not_show_in_the_class(fmt: Format) -> None:
    kept = fmt.verbs.loads(fmt.data('{"a": 1, "b": 2}'), Keeping)
    assert kept == Keeping(1)
    assert dataclasses.asdict(kept) == {"a": 1}
    assert not hasattr(kept, "b")
    again = fmt.verbs.loads(fmt.verbs.dumps(kept), Keeping)
    assert fmt.dumps(again) == {"a": 1, "b": 2}


def test_keeping_needs_a_place(fmt: Format) -> None:
    @octad.contract(unknown="keep")
    @dataclass(slots=True)
    class Nowhere:
        a: int = 0

    with pytest.raises(octad.ContractError):
        fmt.verbs.loads(fmt.data("{}"), Nowhere)


def test_kept_members_never_hide_fields(fmt: Format) -> None:
    value = Collecting(1, {"a": 5, "b": 6})
    with pytest.raises(octad.EncodeError) as caught:
        fmt.verbs.dumps(value)
    assert caught.value.code == "key-clash"


@pytest.mark.feature(180)
def test_names_match_in_any_case_on_request(fmt: Format) -> None:
    text = '{"USER_ID": 1, "Parse_Http_Url": "u"}'
    settings = Settings(case_sensitive=False)
    assert_same(fmt.loads(text, Names, settings=settings), Names(1, "u"))
    assert fmt.refuse(text, Names).code == "missing-field"
    assert fmt.refuse('{"a": 1, "A": 2, "user_id": 1}', Names, settings=settings).code in (
        "repeated-field",
        "duplicate-key",
    )

    @octad.contract(case_sensitive=False)
    @dataclass
    class Loose:
        straße: int = 0

    assert_same(fmt.loads('{"STRAßE": 1}', Loose), Loose(1))

    @octad.contract(case_sensitive=False)
    @dataclass
    class Clash:
        a: int = 0
        A: int = 0

    with pytest.raises(octad.ContractError):
        octad.describe(Clash)


@pytest.mark.feature(174)
def test_required_and_default_rules(fmt: Format) -> None:
    @dataclass
    class Item:
        a: Annotated[int, Field(default=7)]
        b: Annotated[list[int], Field(default_factory=lambda: [1])]
        c: int | None

    assert_same(fmt.loads('{"c": null}', Item), Item(7, [1], None))
    assert fmt.refuse("{}", Item).message.count("c") >= 1
    assert "`c`" in fmt.refuse("{}", Item).message


# --- members of a field among those of its owner ---


@dataclass
class Address:
    city: str
    street: str = ""


@dataclass
class Person:
    name: str
    home: Annotated[Address, Field(flatten=True)]
    age: int = 0


def test_flattened_fields(fmt: Format) -> None:
    text = '{"city": "Porto", "age": 7, "name": "a"}'
    value = Person("a", Address("Porto"), 7)
    assert_same(fmt.loads(text, Person), value)
    assert fmt.dumps(value) == {"name": "a", "city": "Porto", "street": "", "age": 7}
    assert_same(fmt.trip(value, Person), value)
    error = fmt.refuse('{"name": "a"}', Person)
    assert (error.code, error.path) == ("missing-field", "$")
    assert fmt.refuse('{"name": "a", "city": 1}', Person).path == "$.city"

    @dataclass
    class Clash:
        city: str
        home: Annotated[Address, Field(flatten=True)]

    with pytest.raises(octad.ContractError, match="city"):
        octad.describe(Clash)


def test_records_as_arrays(fmt: Format) -> None:
    @octad.contract(array=True)
    @dataclass
    class Row:
        a: int
        b: str = "b"

    assert_same(fmt.loads('[1, "x"]', Row), Row(1, "x"))
    assert_same(fmt.loads("[1]", Row), Row(1))
    assert fmt.dumps([Row(1)]) == [[1, "b"]]
    assert fmt.refuse('{"a": 1}', Row).code == "wrong-type"
    assert fmt.refuse("[]", Row).code in ("missing-field", "wrong-length")
    assert_same(fmt.loads('[1, "x", 2]', Row), Row(1, "x"))
    strict = Settings(unknown="forbid")
    assert fmt.refuse('[1, "x", 2]', Row, settings=strict).code == "wrong-length"
    assert fmt.refuse('["1"]', Row).path == "$[0]"


# --- classes that one does not own ---


def test_contracts_for_classes_of_others(fmt: Format) -> None:
    class Foreign:
        def __init__(self, first_name: str, secret: str = "s") -> None:
            self.first_name, self.secret = first_name, secret

    octad.contract_for(Foreign, rename="camel", unknown="forbid")
    made = fmt.verbs.loads(fmt.data('{"firstName": "a"}'), Foreign)
    assert made.first_name == "a"
    assert refusal(fmt.verbs.loads, fmt.data('{"first_name": "a"}'), Foreign)
    assert "__octad_contract__" not in vars(Foreign)

    @dataclass
    class Plain:
        a_b: int = 0

    assert fmt.dumps(Plain()) == {"a_b": 0}
    octad.contract_for(Plain, rename="camel")
    assert fmt.dumps(Plain()) == {"aB": 0}
    assert_same(fmt.loads('{"aB": 1}', Plain), Plain(1))


def test_a_contract_is_inherited(fmt: Format) -> None:
    @dataclass
    class Child(Camel):
        more_names: int = 0

    assert fmt.dumps(Child(1)) == {"userId": 1, "OWN": 0, "moreNames": 0}

    @octad.contract(rename="none")
    @dataclass
    class Back(Camel):
        more_names: int = 0

    assert list(fmt.dumps(Back(1))) == ["user_id", "OWN", "more_names"]


def test_typed_dicts_and_named_tuples_follow_the_settings(fmt: Format) -> None:
    class Options(TypedDict, total=False):
        max_size: int

    class Pair(NamedTuple):
        first_one: int
        second_one: int = 0

    assert_same(
        fmt.loads('{"maxSize": 1}', Options, settings=Settings(rename="camel")), {"max_size": 1}
    )
    assert_same(fmt.loads('{"firstOne": 1}', Pair, settings=Settings(rename="camel")), Pair(1))
    assert (
        fmt.refuse('{"x": 1}', Options, settings=Settings(unknown="forbid")).code == "unknown-field"
    )


# --- hooks ---


@dataclass
class Hooked:
    a: int
    log: Annotated[list[str], Field(ignore=True)] = field(default_factory=list)

    @classmethod
    def __octad_before_load__(cls, data: dict[str, Any]) -> dict[str, Any]:
        return {"a": data["old"]} if "old" in data else data

    def __octad_after_load__(self) -> None:
        self.log.append("loaded")

    def __octad_before_dump__(self) -> None:
        self.log.append("before")

    def __octad_after_dump__(self) -> None:
        self.log.append("after")


@pytest.mark.feature(169)
def test_hooks_run_around_reading_and_writing(fmt: Format) -> None:
    made = fmt.verbs.loads(fmt.data('{"old": 5}'), Hooked)
    assert (made.a, made.log) == (5, ["loaded"])
    assert fmt.verbs.loads(fmt.data('{"a": 6}'), Hooked).a == 6
    assert fmt.dumps([made]) == [{"a": 5}]
    assert made.log == ["loaded", "before", "after"]
    assert refusal(fmt.verbs.loads, fmt.data('[{"old": "x"}]'), list[Hooked]).path == "$[0].a"


def test_a_hook_may_write_something_else_instead(fmt: Format) -> None:
    @dataclass
    class Stand:
        a: int

        def __octad_before_dump__(self) -> Any:
            return {"instead": [self.a]} if self.a else None

    assert fmt.dumps([Stand(1), Stand(0)]) == [{"instead": [1]}, {"a": 0}]


@pytest.mark.parametrize("kind", [ValueError, KeyError, RuntimeError])
def test_hooks_that_raise(kind: type[Exception], fmt: Format) -> None:
    @dataclass
    class Raising:
        a: int = 0

        @classmethod
        def __octad_before_load__(cls, data: dict[str, Any]) -> dict[str, Any]:
            if data.get("a") == 1:
                raise kind("before")
            return data

        def __octad_after_load__(self) -> None:
            if self.a == 2:
                raise kind("after")

        def __octad_before_dump__(self) -> None:
            if self.a == 3:
                raise kind("dump")

    for text, word in (('{"k": [{"a": 1}]}', "before"), ('{"k": [{"a": 2}]}', "after")):
        with pytest.raises((kind, octad.ValidationError)) as caught:
            fmt.verbs.loads(fmt.data(text), dict[str, list[Raising]])
        error: Any = caught.value
        assert word in str(error)
        if kind is ValueError:
            assert (error.code, error.path) == ("rejected", "$.k[0]")
        else:
            assert type(error) is kind
            assert any("$.k[0]" in note for note in error.__notes__)
    with pytest.raises(kind) as written:
        fmt.verbs.dumps({"k": [Raising(0), Raising(3)]})
    assert any("$.k[1]" in note for note in written.value.__notes__)


def test_hooks_that_give_nonsense_are_told(fmt: Format) -> None:
    @dataclass
    class Nonsense:
        a: int = 0

        @classmethod
        def __octad_before_load__(cls, data: Any) -> Any:
            return 5

    with pytest.raises((octad.Error, TypeError)):
        fmt.verbs.loads(fmt.data("{}"), Nonsense)


def test_hooks_that_change_what_is_being_written_do_no_harm(fmt: Format) -> None:
    items: list[Any] = []

    @dataclass
    class Growing:
        n: int

        def __octad_before_dump__(self) -> None:
            if len(items) < 50:
                items.append(Growing(len(items)))

        def __octad_after_dump__(self) -> None:
            if self.n == 10:
                items.clear()

    items += [Growing(0), Growing(1)]
    try:
        written = fmt.dumps(items)
    except (octad.EncodeError, RuntimeError):
        return
    assert all(set(one) == {"n"} for one in written)


# --- the two ways of asking, and the plan in words ---


@pytest.mark.feature(205, 209)
def test_decoders_encoders_and_codecs_are_made_once(fmt: Format) -> None:
    settings = Settings(rename="camel")
    decoder = fmt.verbs.Decoder(Names, settings=settings)
    data = fmt.data('{"userId": 1}')
    assert [decoder.loads(data).user_id for _ in range(3)] == [1, 1, 1]
    codec = octad.Codec(settings)
    verbs = getattr(codec, fmt.name)
    assert verbs.loads(data, Names) == Names(1)
    assert "userId" in fmt.verbs.loads(verbs.dumps(Names(1)))


@pytest.mark.feature(159, 203)
def test_an_existing_instance_is_filled(fmt: Format) -> None:
    inner = Address("old", "street")
    person = Person("a", inner, 5)
    again = octad.load_into(person, fmt.data('{"name": "b", "city": "new"}'), format=fmt.name)
    assert again is person
    assert (person.name, person.age) == ("b", 5)
    assert person.home.city == "new"


def test_describe_tells_names_forms_and_bounds() -> None:
    text = octad.describe(Person)
    for word in ("Person", "name", "city", "age", "int"):
        assert word in text
    assert "userId" in octad.describe(Names, Settings(rename="camel"))


@pytest.mark.feature(167)
def test_kept_members_come_back_without_settings(fmt: Format) -> None:
    @dataclass
    class Owner:
        x: int = 0
        inner: Owner | None = None

    Owner.__annotations__["inner"] = Owner | None
    # Written before anybody keeps anything: what is remembered of the class is of then.
    assert fmt.dumps(Owner(1)) == {"x": 1, "inner": None}
    data = {"q": [1, {"r": None}], "x": 1, "inner": {"x": 2, "s": "t", "inner": None}}
    owner = octad.json.loads(octad.json.dumps(data), Owner, unknown="keep")
    written = {"x": 1, "inner": {"x": 2, "inner": None, "s": "t"}, "q": [1, {"r": None}]}
    assert fmt.dumps(owner) == written
    assert fmt.dumps([owner, Owner(3)]) == [written, {"x": 3, "inner": None}]
    assert list(fmt.dumps(owner)) == ["x", "inner", "q"]
    assert octad.json.loads(octad.json.dumps(owner), Owner, unknown="keep") == owner
    # Read without them, there is nothing to write.
    assert fmt.dumps(octad.json.loads('{"q": 1, "x": 1}', Owner)) == {"x": 1, "inner": None}
    owner = octad.json.loads('{"$id": 1}', Owner, settings=octad.Settings(unknown="keep"))
    assert fmt.dumps(owner) == {"x": 0, "inner": None, "$id": 1}

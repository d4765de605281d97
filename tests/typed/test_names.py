"""Names and which fields: policies, aliases, order, ignore, omit, unknown, extra, flatten, hooks.

The same rules on reading and on writing; by call, by class, by field, and for classes that one
does not own. The nearer word wins: call, field, class, settings.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple, TypedDict

import octad
import pytest
from octad import Field, Settings

from tests.typed.formats import Format, assert_same

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


@octad.contract(rename="camel")
@dataclass
class Camel:
    user_id: int
    own_name: Annotated[int, Field(name="OWN")] = 0


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


def test_keeping_needs_a_place(fmt: Format) -> None:
    @octad.contract(unknown="keep")
    @dataclass(slots=True)
    class Nowhere:
        a: int = 0

    with pytest.raises(octad.ContractError):
        fmt.verbs.loads(fmt.data("{}"), Nowhere)


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


# --- classes that one does not own ---


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

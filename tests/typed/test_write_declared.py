"""What only the declared type of a field tells: dicts as pairs, typed dicts by their contract."""

from __future__ import annotations

import datetime as dt
import re
import subprocess
import sys
import types
import zoneinfo
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, Required, TypedDict

import octad
import pytest
from octad import Field, json

Grid = dict[tuple[int, int], str]


class Cell(NamedTuple):
    x: int
    y: int


@dataclass
class Board:
    cells: Grid
    more: dict[Cell, int] = field(default_factory=dict)
    layers: list[Mapping[tuple[int, ...], dict[str, int]]] = field(default_factory=list)
    mixed: dict[tuple[int, int] | str, int] | None = None
    plain: dict[str, int] = field(default_factory=dict)


@pytest.mark.feature(195)
def test_dicts_of_other_keys_are_pairs_where_the_field_says_so() -> None:
    board = Board({(1, 2): "x"}, {Cell(3, 4): 5}, [{(6,): {"a": 7}}, {}], {(8, 9): 0}, {"p": 1})
    text = (
        b'{"cells":[[[1,2],"x"]],"more":[[[3,4],5]],"layers":[[[[6],{"a":7}]],[]],'
        b'"mixed":[[[8,9],0]],"plain":{"p":1}}'
    )
    assert json.dumps(board) == text
    assert json.loads(json.dumps(board, sort_keys=True), Board) == board
    assert json.loads(text, Board) == board
    for empty in (Board({}), Board({}, mixed={})):
        assert json.loads(json.dumps(empty), Board) == empty
    # Also where the keys that are there have a text.
    texts = Board({}, mixed={"a": 1})
    assert b'"mixed":[["a",1]]' in json.dumps(texts)
    assert json.loads(json.dumps(texts), Board) == texts


@pytest.mark.feature(195)
def test_each_dict_is_what_its_place_says() -> None:
    @dataclass
    class Places:
        within: dict[str, dict[tuple[int, int], dict[str, int]]]
        either: list[dict[tuple[int, int], int] | dict[str, int] | None]
        both: tuple[dict[tuple[int, ...] | str, int], dict[str, int]]

    places = Places(
        {"a": {}, "b": {(1, 2): {}, (3, 4): {"c": 5}}},
        [{(1, 2): 3}, {"d": 4}, None],
        ({"e": 6}, {"f": 7}),
    )
    text = (
        b'{"within":{"a":[],"b":[[[1,2],{}],[[3,4],{"c":5}]]},'
        b'"either":[[[[1,2],3]],{"d":4},null],"both":[[["e",6]],{"f":7}]}'
    )
    assert json.dumps(places) == text
    assert json.loads(text, Places) == places


@pytest.mark.feature(195)
def test_no_import_is_needed_before() -> None:
    code = (
        "from __future__ import annotations\n"
        "import sys, typing\n"
        "from dataclasses import dataclass\n"
        "from octad import json\n"
        "Grid = typing.Dict[typing.Tuple[int, int], str]\n"
        "@dataclass\nclass A:\n    a: dict[tuple[int, int], str]\n"
        "@dataclass\nclass B:\n    a: Grid\n"
        "@dataclass\nclass C:\n    a: dict[str, list[int]]\n    b: int\n"
        "json.dumps(C({}, 1))\n"
        "assert 'octad._contract' not in sys.modules\n"
        "print(json.dumps_str(CLS({(1, 2): 'x'})))\n"
    )
    for cls in "AB":
        run = [sys.executable, "-c", code.replace("CLS", cls)]
        done = subprocess.run(run, capture_output=True, text=True, check=True)
        assert done.stdout == '{"a":[[[1,2],"x"]]}\n'


def test_metadata_that_cannot_be_hashed() -> None:
    @dataclass
    class Odd:
        a: dict[Annotated[str, {"x": 1}], list[Annotated[int, []]]]
        b: Annotated[dict[tuple[Annotated[int, {}], int], int], []]

    odd = Odd({"k": [1]}, {(1, 2): 3})
    text = b'{"a":{"k":[1]},"b":[[[1,2],3]]}'
    assert json.dumps(odd) == text
    assert json.loads(text, Odd) == odd


@pytest.mark.feature(195)
def test_pairs_by_option() -> None:
    value = {"a": {(1, 2): {None: 1}, "b": 2}, "c": {b"k": []}, "d": {frozenset([1]): 1}, "e": {}}
    text = b'{"a":[[[1,2],{"null":1}],["b",2]],"c":[["6b",[]]],"d":[[[1],1]],"e":{}}'
    assert json.dumps(value, keys="pairs", bytes="hex") == text
    assert json.Encoder(keys="pairs", bytes="hex").dumps([value]) == b"[" + text + b"]"
    assert json.dumps(types.MappingProxyType({(1,): 2}), keys="pairs") == b"[[[1],2]]"
    with pytest.raises(octad.EncodeError, match='keys="pairs"') as caught:
        json.dumps(value)
    assert (caught.value.code, caught.value.path) == ("key-type", "$.a['(1, 2)']")
    with pytest.raises(octad.EncodeError) as caught:
        json.dumps({(1,): [object()]}, keys="pairs")
    assert caught.value.path == "$[0][1][0]"


@pytest.mark.feature(181, 182)
def test_pairs_in_cycles() -> None:
    round_: dict[Any, Any] = {}
    round_[1, 2] = round_
    with pytest.raises(octad.EncodeError) as caught:
        json.dumps(round_, keys="pairs")
    assert caught.value.code == "cycle"
    assert json.dumps(round_, keys="pairs", cycles="null") == b"[[[1,2],null]]"
    shared = {(1,): [1]}
    text = json.dumps([shared, shared], keys="pairs", references=True)
    again = json.loads(text, list[dict[tuple[int], list[int]]], references=True)
    assert again == [shared, shared]
    assert again[0] is again[1]


class Inner(TypedDict):
    some_name: Annotated[int, Field(name="N")]


class Node(TypedDict, total=False):
    user_id: Required[int]
    sub: Annotated[Inner, Field(name="SUB")]
    kids: list[Node]
    note: Annotated[str, Field(omit_if=lambda text: not text)]
    when: Annotated[dt.datetime, Field(dates="epoch")]
    grid: dict[tuple[int, int], bytes]


@dataclass
class Holder:
    node: Node
    named: dict[str, list[Node]] = field(default_factory=dict)
    maybe: Node | int | None = None
    pair: tuple[int, Node] | None = None


WHEN = dt.datetime(1970, 1, 2, tzinfo=dt.UTC)


@pytest.mark.feature(163, 168, 192, 251)
def test_a_typed_dict_in_a_field_is_written_by_its_own_contract() -> None:
    node: Node = {
        "user_id": 1,
        "sub": {"some_name": 2},
        "kids": [{"user_id": 3, "note": ""}, {"user_id": 4, "note": "n"}],
        "when": WHEN,
        "grid": {(1, 2): b"hi"},
    }
    holder = Holder(node, {"k": [{"user_id": 5, "when": WHEN}]}, {"user_id": 6}, (7, node))
    inner = (
        b'{"user_id":1,"SUB":{"N":2},"kids":[{"user_id":3},{"user_id":4,"note":"n"}],'
        b'"when":86400,"grid":[[[1,2],"aGk="]]}'
    )
    text = (
        b'{"node":' + inner + b',"named":{"k":[{"user_id":5,"when":86400}]},'
        b'"maybe":{"user_id":6},"pair":[7,' + inner + b"]}"
    )
    assert json.dumps(holder) == text
    again = json.loads(text, Holder)
    # The note that was left out is gone.
    del node["kids"][0]["note"]  # type: ignore[misc]
    assert again == holder
    assert type(again.node) is dict
    # The values themselves are as they were.
    assert holder.node is node


@pytest.mark.feature(164, 170)
def test_settings_hold_for_typed_dicts_in_fields() -> None:
    holder = Holder({"user_id": 1, "kids": [{"user_id": 2}]}, {"a_b": []}, 5)
    text = b'{"node":{"userId":1,"kids":[{"userId":2}]},"named":{"a_b":[]},"maybe":5}'
    assert json.dumps(holder, rename="camel", omit_none=True) == text
    assert json.loads(text, Holder, rename="camel") == holder
    # A dict of no declared type stays what it is.
    assert json.dumps(holder.node, rename="camel") == b'{"user_id":1,"kids":[{"user_id":2}]}'


class Old(TypedDict):
    a_key: int
    nested: NotRequired[Plain]


class Plain(TypedDict):
    a_b: int


octad.contract_for(Old, rename="upper")


@pytest.mark.feature(163, 164)
def test_a_contract_for_a_typed_dict() -> None:
    @dataclass
    class Own:
        old: Old
        plain: Plain

    own = Own({"a_key": 1, "nested": {"a_b": 2}}, {"a_b": 3})
    text = b'{"old":{"A_KEY":1,"NESTED":{"a_b":2}},"plain":{"a_b":3}}'
    assert json.dumps(own) == text
    assert json.loads(text, Own) == own


def test_values_that_are_not_of_the_declared_type_are_written_as_they_are() -> None:
    for value in ("no dict", 5, None, [1], {"other": 1}, {1: 2}):
        assert json.dumps(Holder(value)) == json.dumps(  # type: ignore[arg-type]
            {"node": value, "named": {}, "maybe": None, "pair": None}
        )
    more: Any = {"user_id": 1, "beyond": [{"x": 1}], "sub": {"some_name": 1, "other": 2}}
    assert json.dumps(Holder(more)).startswith(
        b'{"node":{"user_id":1,"SUB":{"N":1,"other":2},"beyond":[{"x":1}]}'
    )
    with pytest.raises(octad.EncodeError) as caught:
        json.dumps(Holder({"user_id": 1, "sub": {"some_name": object()}}))  # type: ignore[typeddict-item]
    assert caught.value.path == "$.node.SUB.N"


def test_a_typed_dict_inside_itself_is_an_error_and_no_crash() -> None:
    node: Node = {"user_id": 1}
    node["kids"] = [node]
    with pytest.raises(octad.EncodeError) as caught:
        json.dumps(Holder(node))
    assert caught.value.code in ("cycle", "depth-limit")


@pytest.mark.feature(187)
def test_converters_of_a_field_get_the_dicts_themselves() -> None:
    seen: list[type] = []

    class Names(octad.Converter[Inner]):
        def write(self, w: octad.Writer, v: Inner) -> None:
            seen.append(type(v))
            w.value(v["some_name"])

    @dataclass
    class Converted:
        one: Annotated[Inner, Field(converter=Names())]
        many: Annotated[list[Inner], Field(item_converter=Names())]

    value = Converted({"some_name": 1}, [{"some_name": 2}])
    assert json.dumps(value) == b'{"one":1,"many":[2]}'
    assert seen == [dict, dict]


class Left(TypedDict):
    kind: Literal["left"]
    a: Annotated[int, Field(name="L")]


class Right(TypedDict):
    kind: Literal["right"]
    a: Annotated[int, Field(name="R")]


@pytest.mark.feature(184)
def test_unions_of_typed_dicts() -> None:
    @dataclass
    class Either:
        sides: list[Left | Right]

    either = Either([{"kind": "right", "a": 1}, {"kind": "left", "a": 2}])
    text = b'{"sides":[{"kind":"right","R":1},{"kind":"left","L":2}]}'
    assert json.dumps(either) == text
    assert json.loads(text, Either) == either


@pytest.mark.feature(197)
def test_values_with_a_text_of_their_own() -> None:
    values = [
        1j,
        complex(-0.0, 2.5),
        Fraction(1, 3),
        Fraction(4),
        dt.UTC,
        dt.timezone(dt.timedelta(hours=-5, minutes=-30)),
        dt.timezone(dt.timedelta(hours=10, seconds=7), "NAME"),
        zoneinfo.ZoneInfo("Europe/Lisbon"),
        re.compile("a+"),
        re.compile("a+", re.IGNORECASE | re.DOTALL),
        re.compile("(?i)a"),
        types.SimpleNamespace(a=[1]),
    ]
    assert json.loads(json.dumps(values)) == [
        "1j",
        "-0+2.5j",
        "1/3",
        "4",
        "UTC",
        "-05:30",
        "+10:00:07",
        "Europe/Lisbon",
        "a+",
        "(?is)a+",
        "(?i)a",
        {"a": [1]},
    ]
    for value in values[:8]:
        assert json.loads(json.dumps(value), type(value)) == value
        assert json.loads(json.dumps({value: 1}), dict[type(value), int]) == {value: 1}  # type: ignore[misc]
    again = json.loads(json.dumps(values[9]), re.Pattern)
    assert again.flags == values[9].flags  # type: ignore[attr-defined]
    assert json.loads(json.dumps(values[11]), types.SimpleNamespace) == values[11]


@pytest.mark.feature(197)
def test_what_a_text_cannot_say_is_refused() -> None:
    with pytest.raises(octad.EncodeError) as caught:
        json.dumps([re.compile("a", re.DEBUG)])
    assert (caught.value.code, caught.value.path) == ("unrepresentable", "$[0]")

    @dataclass
    class Patterns:
        text: re.Pattern[str]
        raw: re.Pattern[bytes]

    patterns = Patterns(re.compile("a"), re.compile(b"\xff+", re.IGNORECASE))
    again = json.loads(json.dumps(patterns), Patterns)
    assert again.raw.search(b"\xff\xff")
    assert again.raw.flags & re.IGNORECASE
    with pytest.raises(octad.EncodeError, match="bytes"):
        json.dumps(patterns.raw)


@pytest.mark.feature(186)
def test_a_converter_may_give_them_another_form() -> None:
    class Halves(octad.Converter[Fraction]):
        def write(self, w: octad.Writer, v: Fraction) -> None:
            w.value(float(v))

    assert json.dumps([Fraction(1, 2)], converters=[Halves()]) == b"[0.5]"


Json = dict[str, "Json"] | list["Json"] | tuple["Json", "Json"] | str | int | None


@dataclass
class Endless:
    first: Json
    rest: list[Json] = field(default_factory=list)


def test_an_alias_that_contains_itself_is_written_as_it_is() -> None:
    value = Endless({"a": [1, {"b": None}]}, [["x"], {"y": 2}])
    text = b'{"first":{"a":[1,{"b":null}]},"rest":[["x"],{"y":2}]}'
    assert json.dumps(value) == text
    assert json.dumps(value, sort_keys=True, omit_none=True) == text

"""Arrays, objects, rows, sets, keys and unions through hand-made plans."""

from __future__ import annotations

import enum
from typing import Any
from uuid import UUID

import octad
import pytest
from octad import json

from tests.typed.plans import ANY, BOOL, FLOAT, INT, NONE, STR, plan, read, record, refused


def test_arrays() -> None:
    assert read("[1, 2]", ("list", 1), INT) == [1, 2]
    assert read("[]", ("tuple", 1), INT) == ()
    assert read("[1, 2]", ("tuple", 1), INT) == (1, 2)
    assert read('["a", "a"]', ("set", 1), STR) == {"a"}
    assert read('["a", "b"]', ("frozenset", 1), STR) == frozenset("ab")
    assert read("[[], [[]]]", ("list", 0)) == [[], [[]]]
    for kind in ("list", "tuple", "set", "frozenset"):
        error = refused("{}", (kind, 1), INT)
        assert (error.code, error.expected, error.found) == ("wrong-type", "an array", "an object")
        assert refused("[1, true]", (kind, 1), INT).path == "$[1]"


def test_items_that_cannot_be_in_a_set() -> None:
    error = refused("[[]]", ("set", 1), ("list", 1))
    assert error.code == "rejected"
    assert isinstance(error.__cause__, TypeError)


@pytest.mark.feature(161)
def test_rows_have_their_length() -> None:
    pair = ("row", (1, 2), None, ()), INT, STR
    assert read('[1, "a"]', *pair) == (1, "a")
    for text, count in [("[1]", "1"), ('[1, "a", 2]', "3"), ("[]", "0")]:
        error = refused(text, *pair)
        assert (error.code, error.found) == ("wrong-length", count)
        assert error.expected == "an array of 2 values"
    unpacked = ("row", (1,), 2, (1, 1)), STR, INT
    unpacked = unpacked[0], STR, INT
    assert read('["a", "y", "z"]', *unpacked) == ("a", "y", "z")
    assert read('["a", 1, 2, "y", "z"]', *unpacked) == ("a", 1, 2, "y", "z")
    assert refused('["a", 1, 2, "z"]', *unpacked).path == "$[2]"
    assert refused('["a", "z"]', *unpacked).expected == "an array of at least 3 values"
    assert read("[]", ("row", (), None, ())) == ()


class Colour(enum.Enum):
    RED = "red"
    TWO = 2


COLOURS = ("table", "a colour", (("red", Colour.RED), (2, Colour.TWO)), None)


@pytest.mark.feature(162)
@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        (STR, '{"a": 1, "\\u00e9": 2}', {"a": 1, "é": 2}),
        (ANY, '{"a": 1}', {"a": 1}),
        (INT, '{"1": 1, "-2": 2}', {1: 1, -2: 2}),
        (FLOAT, '{"1.5": 1}', {1.5: 1}),
        (BOOL, '{"true": 1, "false": 2}', {True: 1, False: 2}),
        (NONE, '{"null": 1}', {None: 1}),
        (
            ("uuid",),
            '{"12345678123456781234567812345678": 1}',
            {UUID(int=0x12345678123456781234567812345678): 1},
        ),
        (COLOURS, '{"red": 1, "2": 2}', {Colour.RED: 1, Colour.TWO: 2}),
        (("call", 1, str.upper, "a word"), '{"a": 1}', {"A": 1}),
    ],
)
def test_keys_are_read_from_their_text(key: Any, text: str, value: Any) -> None:
    if key[0] == "call":
        assert read(text, ("dict", 2, 3), STR, ("call", 1, str.upper, "a word"), INT) == value
        return
    made = read(text, ("dict", 1, 2), key, INT)
    assert made == value
    assert [type(key) for key in made] == [type(key) for key in value]


def test_keys_of_several_types() -> None:
    nodes = ("dict", 1, 2), ("union", {"int": (2,), "text": (3,)}), INT, STR
    assert read('{"1": 1, "a": 2}', *nodes) == {1: 1, "a": 2} or read(
        '{"1": 1, "a": 2}', *nodes
    ) == {"1": 1, "a": 2}
    nodes = ("dict", 1, 2), ("union", {"int": (2,), "text": (3,)}), INT, ("uuid",)
    assert read('{"1": 1}', *nodes) == {1: 1}
    assert refused('{"x": 1}', *nodes).code == "no-union-member"
    checked = ("dict", 1, 3), ("checked", 2, {"min_length": 2}), STR, INT
    assert refused('{"a": 1}', *checked).path == "$.a"
    error = refused('{"a": 1}', ("dict", 1, 2), INT, INT)
    assert (error.code, error.path, error.column) == ("invalid-value", "$.a", 2)
    assert refused('{"a": 1}', ("dict", 1, 2), ("list", 2), INT).code == "wrong-type"


@pytest.mark.feature(62)
def test_equal_keys_are_an_error_unless_a_policy_is_asked_for() -> None:
    text = '{"a": 1, "b": 2, "a": 3}'
    nodes = ("dict", 1, 2), STR, INT
    error = refused(text, *nodes)
    assert (error.code, error.path, error.column) == ("repeated-field", "$.a", 18)
    assert json.loads(text, plan(*nodes), duplicates="last") == {"a": 3, "b": 2}
    assert json.loads(text, plan(*nodes), duplicates="first") == {"a": 1, "b": 2}
    assert refused(text, *nodes, duplicates="error").code == "repeated-field"
    assert refused('{"1": 1, "1": 2}', ("dict", 1, 1), INT).code == "repeated-field"
    assert json.loads('{"1": 1, "1": 2}', plan(("dict", 1, 1), INT), duplicates="first") == {1: 1}
    # So does a value of no type, inside of one.
    for inner in ('{"a": {"b": 1, "b": 1}}', '{"a": [[{"b": 1, "c": 2, "b": {"x": 1}}]]}'):
        error = refused(inner, ("dict", 1, 2), STR, ANY)
        assert error.code == "repeated-field"
        assert error.path.endswith(".b")
        assert error.column == inner.rindex('"b"') + 1


def test_pairs_are_a_dict_of_any_keys() -> None:
    nodes = ("pairs", 1, 2), ("row", (2, 2), None, ()), INT
    assert read("[[[1, 2], 3]]", *nodes) == {(1, 2): 3}
    assert refused("[[[1, 2]]]", *nodes).expected == "an array of 2 values"
    assert refused("{}", *nodes).expected == "an array of pairs"
    assert refused("[1]", *nodes).path == "$[0]"
    assert refused("[[[1, 2], 3], [[1, 2], 4]]", *nodes).code == "repeated-field"


@pytest.mark.feature(159)
def test_unions_by_kind() -> None:
    nodes = (
        (
            "union",
            {"null": (1,), "bool": (2,), "int": (3,), "text": (4,), "list": (5,), "map": (6,)},
        ),
        NONE,
        BOOL,
        INT,
        STR,
        ("list", 3),
        ("dict", 4, 3),
    )
    for text, value in [
        ("null", None),
        ("true", True),
        ("1", 1),
        ('"a"', "a"),
        ("[1]", [1]),
        ('{"a": 1}', {"a": 1}),
    ]:
        assert read(text, *nodes) == value
    error = refused("1.5", *nodes)
    assert error.code == "wrong-type"
    assert error.message == (
        "expected null, a boolean, an integer, text, an array or an object, found a number `1.5`"
    )
    assert refused("[true]", *nodes).path == "$[0]"
    assert read("1", ("union", {"float": (1,)}), FLOAT) == 1.0
    mixed = ("union", {"int": (1,), "float": (2,)}), INT, FLOAT
    assert [type(read(text, *mixed)) for text in ("1", "1.5")] == [int, float]


@pytest.mark.feature(160)
def test_the_first_branch_that_fits_is_taken_and_all_are_explained() -> None:
    nodes = (
        ("union", {"text": (1, 2, 3)}),
        ("uuid",),
        ("datetime",),
        ("checked", 4, {"max_length": 3}),
        STR,
    )
    assert type(read('"12345678123456781234567812345678"', *nodes)) is UUID
    assert read('"abc"', *nodes) == "abc"
    error = refused('["abcd"]', ("list", 5), *nodes[1:], ("union", {"text": (1, 2, 3)}))
    assert (error.code, error.path) == ("no-union-member", "$[0]")
    assert error.message == (
        'expected a UUID, a date and time as RFC 3339 writes it or text, found text `"abcd"` '
        '(as UUID: expected a UUID, found text `"abcd"`; as datetime: expected a date and time '
        'as RFC 3339 writes it, found text `"abcd"`; as str: expected at most 3 characters, '
        "found 4)"
    )


def test_a_branch_is_explained_with_its_path() -> None:
    nodes = (
        ("union", {"list": (1, 2)}),
        ("list", 3),
        ("list", 4),
        record(None, ("a", 5), name="One"),
        record(None, ("b", 5), name="Two"),
        INT,
    )
    assert read('[{"a": 1}]', *nodes) == [{"a": 1}]
    assert read('[{"b": 1}]', *nodes) == [{"b": 1}]
    message = refused('[{"a": "x"}]', *nodes).message
    assert '(as list[One] at [0].a: expected an integer, found text `"x"`' in message
    assert "as list[Two] at [0]: expected the field `b`, found none)" in message


@pytest.mark.feature(203)
def test_tags_inside_and_around() -> None:
    cat = record(None, ("lives", 3), name="Cat", tag=("kind", "cat"))
    dog = record(None, ("name", 4), name="Dog", tag=("kind", "dog"))
    inside = ("tagged", "kind", {"cat": 1, "dog": 2}, "inside", None), cat, dog, INT, STR
    assert read('{"lives": 9, "kind": "cat"}', *inside) == {"lives": 9}
    assert read('{"kind": "d\\u006fg", "name": "Rex"}', *inside) == {"name": "Rex"}
    error = refused('{"lives": 9}', *inside)
    assert (error.code, error.expected) == ("missing-tag", "the tag `kind`")
    for text in ('{"kind": "cow"}', '{"kind": 1}'):
        error = refused(text, *inside)
        assert (error.code, error.path) == ("unknown-tag", "$.kind")
        assert error.expected == "one of the tags `cat`, `dog`"
    assert refused("[]", *inside).code == "wrong-type"
    numbers = ("tagged", "kind", {1: 1, 2: 2}, "inside", 2), cat, dog, INT, STR
    assert read('{"lives": 9, "kind": 1}', *numbers) == {"lives": 9}
    assert read('{"name": "Rex"}', *numbers) == {"name": "Rex"}
    around = ("tagged", "kind", {"cat": 1, "dog": 2}, "around", None), cat, dog, INT, STR
    assert read('{"cat": {"lives": 9}}', *around) == {"lives": 9}
    assert refused('{"cat": {"lives": 9}, "dog": {}}', *around).code == "wrong-length"
    error = refused('{"cow": {}}', *around)
    assert (error.code, error.path) == ("unknown-tag", "$.cow")
    assert refused('{"cat": {"lives": "x"}}', *around).path == "$.cat.lives"


def test_a_record_knows_its_own_tag() -> None:
    cat = record(None, ("lives", 1), name="Cat", tag=("kind", "cat"), unknown="forbid"), INT
    assert read('{"lives": 9, "kind": "cat"}', *cat) == {"lives": 9}
    assert read('{"lives": 9}', *cat) == {"lives": 9}
    error = refused('{"kind": "dog", "lives": 9}', *cat)
    assert (error.code, error.path, error.expected) == ("unknown-tag", "$.kind", "the tag `cat`")


def test_branches_told_by_their_keys() -> None:
    one = record(None, ("a", 3), ("b", 3, 3), name="One")
    two = record(None, ("b", 3), ("c", 3), name="Two")
    nodes = ("shaped", ((frozenset("a"), 1), (frozenset("bc"), 2))), one, two, INT
    assert read('{"b": 1, "a": 2}', *nodes) == {"a": 2, "b": 1}
    assert read('{"b": 1, "c": 2}', *nodes) == {"b": 1, "c": 2}
    assert refused('{"b": 1}', *nodes).code == "no-union-member"
    assert refused('{"b": 1, "b": 2}', *nodes).code == "no-union-member"
    assert refused("3", *nodes).expected == "an object"


def test_check_collects_everything() -> None:
    made = plan(("dict", 1, 2), STR, ("list", 3), INT)
    text = '{"a": [1, "x", true],\n "b": 3,\n "c": [null]}'
    problems = json.check(text, made)
    assert [(one.path, one.line, one.column) for one in problems] == [
        ("$.a[1]", 1, 11),
        ("$.a[2]", 1, 16),
        ("$.b", 2, 7),
        ("$.c[0]", 3, 8),
    ]
    first = problems[0]
    assert (first.expected, first.found, first.value) == ("an integer", "text", '"x"')
    assert json.check(text, made, max_problems=2) == problems[:2]
    assert json.check(text, made, max_problems=0) == []
    hidden = json.check(text, made, settings=octad.Settings(show_input=False))
    assert [(one.message, one.value) for one in hidden[:1]] == [
        ("expected an integer, found text", None)
    ]
    assert json.check("{,", made)[0].code == "expected-key"


@pytest.mark.parametrize("text", ["[" * 3000 + "]" * 3000, '{"a":' * 3000 + "1" + "}" * 3000])
def test_nesting_is_bounded(text: str) -> None:
    limits = octad.Limits(depth=10_000)
    nodes = (
        ("union", {"list": (1,), "map": (2,), "int": (3,)}),
        ("list", 0),
        ("dict", 4, 0),
        INT,
        STR,
    )
    with pytest.raises(octad.LimitError) as caught:
        json.loads(text, plan(*nodes), limits=limits)
    assert caught.value.code == "depth-limit"
    assert [one.code for one in json.check(text, plan(*nodes), limits=limits)] == ["depth-limit"]
    json.loads("[" * 1000 + "]" * 1000, plan(*nodes))


def test_comments_may_stand_anywhere() -> None:
    made = plan(record(None, ("a", 1), ("b", 2)), ("list", 2), INT)
    text = '/*0*/{/*1*/"a"/*2*/:/*3*/[/*4*/1/*5*/,2/*6*/]/*7*/,"b":/*8*/3/*9*/}'
    assert json.loads(text, made, comments=True) == {"a": [1, 2], "b": 3}
    bad = text.replace("3/*9*/", "true")
    with pytest.raises(octad.ValidationError) as caught:
        json.loads(bad, made, comments=True)
    assert (caught.value.path, caught.value.column) == ("$.b", bad.index("true") + 1)

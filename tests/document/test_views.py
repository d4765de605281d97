"""Documents and their views for reading: Document, Object, Array, Element.

Owns the behaviour a user meets when walking a parsed text; nothing here changes a document.
"""

from __future__ import annotations

import collections.abc
import copy
import json as stdlib_json
import pickle
from decimal import Decimal
from pathlib import Path
from typing import Any

import octad
import pytest
from octad import json

from bench import data as texts
from tests.support import assert_equal, assert_same, assert_unequal, error_of
from tests.testdata import data_path

TEXT = """{
  "name": "naïve",
  "count": 42,
  "ratio": -2.50e1,
  "big": 123456789012345678901234567890,
  "yes": true, "no": false, "nothing": null,
  "list": [1, "two", [3.0, {"four": 4}], {}, []],
  "inner": {"a/b": 1, "m~n": 2, "": 3, "k\\u00e9y": "\\ud83d\\ude00", "deep": {"x": [null]}}
}
"""
VALUE: dict[str, Any] = stdlib_json.loads(TEXT)


@pytest.fixture
def doc() -> octad.Document:
    return json.parse(TEXT)


# Kinds of views

KINDS = [
    ("/nothing", "null", None),
    ("/yes", "bool", True),
    ("/no", "bool", False),
    ("/count", "int", 42),
    ("/big", "int", 123456789012345678901234567890),
    ("/ratio", "float", -25.0),
    ("/name", "text", "naïve"),
]


@pytest.mark.feature(2, 42)
@pytest.mark.parametrize(("pointer", "kind", "value"), KINDS)
def test_kinds_of_scalars(doc: octad.Document, pointer: str, kind: str, value: Any) -> None:
    element = doc.at(pointer)
    assert type(element) is octad.Element
    assert element.kind == octad.Kind[kind.upper()]
    assert isinstance(element.kind, octad.Kind)
    assert_same(element.value, value)


@pytest.mark.feature(42)
def test_kinds_of_containers(doc: octad.Document) -> None:
    assert type(doc.root) is octad.Object
    assert doc.root.kind == octad.Kind.OBJECT
    assert type(doc["list"]) is octad.Array
    assert doc["list"].kind == octad.Kind.ARRAY
    assert type(doc.at("/list")) is octad.Array
    assert type(doc.at("/inner")) is octad.Object
    assert type(doc.at("")) is octad.Object
    assert type(json.parse(b"[]").root) is octad.Array
    assert type(json.parse(b"1").root) is octad.Element
    assert isinstance(octad.Kind.NULL, str)
    assert len(set(octad.Kind)) >= 7


@pytest.mark.feature(2)
def test_style_is_a_word(doc: octad.Document) -> None:
    for pointer in ("", "/name", "/count", "/ratio", "/big", "/yes", "/nothing", "/list"):
        assert isinstance(doc.at(pointer).style, str)
    special = json.parse(b"[NaN, 1.5]", nan="literal")
    assert special.at("/0").style != special.at("/1").style
    assert special.at("/0").kind == special.at("/1").kind


# Plain values out


@pytest.mark.feature(34, 40)
def test_indexing_gives_plain_values(doc: octad.Document) -> None:
    for key, value in VALUE.items():
        if not isinstance(value, (dict, list)):
            assert_same(doc[key], value)
            assert_same(doc.root[key], value)
    assert_same(doc["list"][0], 1)
    assert_same(doc["list"][1], "two")
    assert_same(doc["list"][2][0], 3.0)
    assert_same(doc["list"][2][1]["four"], 4)
    assert_same(doc["inner"]["kéy"], "😀")
    assert doc["nothing"] is None
    assert doc["yes"] is True


@pytest.mark.feature(1)
def test_to_python_is_what_loads_gives(doc: octad.Document) -> None:
    assert_same(doc.to_python(), VALUE)
    assert_same(doc.root.to_python(), VALUE)
    assert_same(doc["list"].to_python(), VALUE["list"])
    assert_same(doc["inner"].to_python(), VALUE["inner"])
    assert_same(doc.at("/name").to_python(), "naïve")
    first, second = doc.to_python(), doc.to_python()
    first["list"].append(1)
    assert second == VALUE
    assert doc == second


# Objects


@pytest.mark.feature(34, 35)
def test_object_lookups(doc: octad.Document) -> None:
    root = doc.root
    assert root.get("count") == 42
    assert root.get("absent") is None
    assert root.get("absent", 7) == 7
    assert root.get("nothing", 7) is None
    assert "count" in root
    assert "absent" not in root
    assert "count" in doc
    assert "absent" not in doc
    assert "" in root["inner"]
    assert root["inner"][""] == 3
    for wrong in (1, None, b"count", 1.5, ("count",)):
        assert wrong not in root
        assert root.get(wrong) is None
        with pytest.raises((KeyError, TypeError)):
            root[wrong]


@pytest.mark.feature(34)
def test_a_missing_key_is_a_key_error(doc: octad.Document) -> None:
    for view in (doc, doc.root, doc["inner"]):
        with pytest.raises(KeyError) as caught:
            view["absent"]
        assert caught.value.args[0] == "absent"
        assert type(caught.value) is KeyError


@pytest.mark.feature(40, 41)
def test_object_iteration(doc: octad.Document) -> None:
    root = doc.root
    assert list(root) == list(doc) == list(VALUE) == list(root.keys())
    assert len(root) == len(doc) == len(VALUE) == len(root.keys())
    assert list(root.items())[:3] == [("name", "naïve"), ("count", 42), ("ratio", -25.0)]
    assert list(root.values())[1] == 42
    assert [type(value) for value in root.values()][-2:] == [octad.Array, octad.Object]
    assert dict(root.items()) == VALUE
    assert "name" in root
    assert ("count", 42) in root.items()
    assert 42 in root.values()
    assert dict(root["list"][2][1]) == {"four": 4}
    assert {**root["list"][2][1]} == {"four": 4}
    assert next(reversed(list(root))) == "inner"
    assert bool(root)
    assert not json.parse(b"{}").root
    assert not json.parse(b"[]").root


@pytest.mark.feature(40)
def test_iterators_are_independent(doc: octad.Document) -> None:
    one, two = iter(doc.root), iter(doc.root)
    assert [next(one), next(one), next(two)] == ["name", "count", "name"]
    rest = list(one)
    assert rest == list(VALUE)[2:]
    assert next(one, "end") == "end"
    iterator = iter(doc["list"])
    document = doc.copy()
    del doc
    assert next(iterator) == 1
    assert document["count"] == 42
    assert len(list(iterator)) == 4


@pytest.mark.feature(36)
def test_keys_by_their_meaning_not_their_spelling() -> None:
    document = json.parse(
        rb'{"\u0061b": 1, "c\u00e9": 2, "\ud83d\ude00": 3, "x\/y": 4, "\u0000": 5}'
    )
    assert document["ab"] == 1
    assert document["cé"] == 2
    assert document["😀"] == 3
    assert document["x/y"] == 4
    assert document["\0"] == 5
    assert list(document) == ["ab", "cé", "😀", "x/y", "\0"]
    assert document.at("/x~1y").value == 4
    assert document.at("/\0").value == 5
    assert "abc" not in document
    assert "a" not in document
    assert "\\u0061b" not in document


class Key(str):
    __slots__ = ()


def test_keys_may_be_subclasses_of_str(doc: octad.Document) -> None:
    assert doc[Key("count")] == 42
    assert Key("count") in doc.root
    assert doc.root.get(Key("count")) == 42
    assert "\ud800" not in doc.root
    assert doc.root.get("\ud800") is None


@pytest.mark.feature(41)
def test_duplicates_and_pairs() -> None:
    document = json.parse(b'{"a": 1, "b": [2], "a": {"x": 3}, "\\u0062": 4}')
    root = document.root
    assert len(root) == 2
    assert list(root) == ["a", "b"]
    assert root["b"] == 4
    assert root["a"] == {"x": 3}
    assert root.get("b") == 4
    pairs = list(root.pairs())
    assert [key for key, _ in pairs] == ["a", "b", "a", "b"]
    assert pairs[0][1] == 1
    assert pairs[1][1] == [2]
    assert pairs[2][1] == {"x": 3}
    assert pairs[3][1] == 4
    assert document.at("/b").value == 4
    assert root == {"a": {"x": 3}, "b": 4}
    assert list(root.values())[1] == 4
    assert len(list(root.items())) == 2
    assert_same(document.to_python(), {"a": {"x": 3}, "b": 4})
    assert document.dumps() == b'{"a": 1, "b": [2], "a": {"x": 3}, "\\u0062": 4}'


# Arrays


@pytest.mark.feature(38)
def test_array_indexes(doc: octad.Document) -> None:
    array = doc["list"]
    assert array[0] == 1
    assert array[-5] == 1
    assert array[4] == []
    assert array[-1] == []
    assert array[True] == "two"
    for wrong in (5, -6, 10**30, -(10**30)):
        with pytest.raises(IndexError) as caught:
            array[wrong]
        assert type(caught.value) is IndexError
    for wrong in ("0", None, 1.0):
        with pytest.raises(TypeError):
            array[wrong]
    assert json.parse(b"[7]")[0] == 7
    assert json.parse(b"[7]")[-1] == 7


class Index:
    def __index__(self) -> int:
        return 1


def test_array_index_protocol(doc: octad.Document) -> None:
    assert doc["list"][Index()] == "two"


@pytest.mark.feature(38)
def test_slices_are_lists() -> None:
    numbers = list(range(50))
    array = json.parse(json.dumps(numbers)).root
    ends = (None, 0, 1, 2, 25, 49, 50, 51, 1000, -1, -2, -50, -51, -1000)
    for start in ends:
        for stop in ends:
            for step in (None, 1, 2, 7, -1, -3, 100):
                got = array[start:stop:step]
                assert type(got) is list
                assert_same(got, numbers[start:stop:step])
    with pytest.raises(ValueError, match="zero"):
        array[::0]
    mixed = json.parse(b'[1, [2], {"a": 3}]').root[0:3]
    assert mixed[0] == 1
    assert type(mixed[1]) is octad.Array
    assert type(mixed[2]) is octad.Object


@pytest.mark.feature(40, 41)
def test_array_iteration(doc: octad.Document) -> None:
    array = doc["list"]
    assert len(array) == 5
    assert list(array) == VALUE["list"]
    assert list(reversed(array)) == VALUE["list"][::-1]
    assert [type(item) for item in array] == [int, str, octad.Array, octad.Object, octad.Array]
    numbers = json.parse(b'[3, 1, 2, 3, 3.0, true, "3"]').root
    assert sum(item for item in numbers if type(item) is int) == 9
    assert numbers.count(3) == 3
    assert numbers.count("3") == 1
    assert numbers.count(9) == 0
    assert numbers.index(3) == 0
    assert numbers.index(2) == 2
    assert numbers.index("3") == 6
    assert numbers.index(3, 1) == 3
    assert numbers.index(3, -4) == 3
    for absent in ((9,), (2, 3), (2, 0, 2), (None,)):
        with pytest.raises(ValueError, match="not in"):
            numbers.index(*absent)
    assert 2 in numbers
    assert "3" in numbers
    assert 9 not in numbers
    assert None not in numbers
    assert [2] in json.parse(b"[1, [2]]").root
    assert {"a": 1} in json.parse(b'[{"a": 1}]').root
    assert sorted(item for item in numbers[:4]) == [1, 2, 3, 3]


@pytest.mark.feature(39)
@pytest.mark.parametrize("size", [0, 1, 2, 63, 64, 65, 1000, 20_000])
def test_long_arrays(size: int) -> None:
    value = [index if index % 3 else [index] for index in range(size)]
    array = json.parse(json.dumps(value)).root
    assert len(array) == size
    for index in {0, 1, size // 2, size - 1} & set(range(size)):
        assert array[index] == value[index]
        assert array[index - size] == value[index]
        assert array.at(f"/{index}") == value[index]
    assert array == value
    assert list(array) == value


@pytest.mark.feature(36)
@pytest.mark.parametrize("width", [0, 1, 2, 16, 39, 40, 41, 42, 64, 100, 1000, 20_000])
def test_wide_objects(width: int) -> None:
    value = {f"key {index} é": index if index % 3 else {"n": index} for index in range(width)}
    document = json.parse(json.dumps(value))
    root = document.root
    assert len(root) == width
    assert list(root) == list(value)
    for key in list(value)[:: max(1, width // 97)]:
        assert root[key] == value[key]
        assert key in root
        assert root.get(key) == value[key]
        assert key + " " not in root
        assert key[:-1] not in root
    assert root.get("absent") is None
    assert "" not in root
    assert root == value
    assert dict(root.items()) == value
    if width:
        last = f"key {width - 1} é"
        again = json.dumps(value)[:-1] + f', "{last}": "again", "key 0 é": null}}'.encode()
        document = json.parse(again)
        assert document["key 0 é"] is None
        assert document[last] == ("again" if width > 1 else None)
        assert len(document) == width
        assert list(document) == list(value)
        assert len(list(document.root.pairs())) == width + 2


# Equality


@pytest.mark.feature(37)
def test_equality_with_plain_values_both_ways(doc: octad.Document) -> None:
    root, array = doc.root, doc["list"]
    assert_equal(root, VALUE)
    assert_equal(array, VALUE["list"])
    for change in ({"count": 43}, {"extra": 1}, {"list": [1]}, {"count": "42"}, {"nothing": False}):
        assert_unequal(root, {**VALUE, **change})
    assert_unequal(root, dict(list(VALUE.items())[:-1]))
    # The order of keys does not matter to equality, that of elements does.
    assert_equal(root, dict(reversed(VALUE.items())))
    assert_unequal(array, VALUE["list"][::-1])
    assert_unequal(array, VALUE["list"][:-1])
    for other in ({}, None, 1, "list", object()):
        assert_unequal(array, other)
    for other in ([], None, 1, list(VALUE), object()):
        assert_unequal(root, other)


@pytest.mark.feature(37)
def test_equality_of_elements(doc: octad.Document) -> None:
    for pointer, _, value in KINDS:
        element = doc.at(pointer)
        assert_equal(element, value)
        for other in ("other", [value], {"a": value}, object(), b"na"):
            assert_unequal(element, other)
    for other in ("naïv", "naïve ", "", "NAÏVE", b"na\xc3\xafve"):
        assert_unequal(doc.at("/name"), other)
    assert_equal(doc.at("/ratio"), -25)
    assert_equal(doc.at("/count"), 42.0)
    assert_equal(doc.at("/ratio"), Decimal("-25"))
    assert_unequal(doc.at("/big"), 1.5)
    assert_unequal(doc.at("/nothing"), False)
    assert_unequal(doc.at("/nothing"), 0)
    assert_equal(json.parse(b'["\\u0061\\n"]').at("/0"), "a\n")


@pytest.mark.feature(37)
def test_equality_of_views_and_documents(doc: octad.Document) -> None:
    other = json.parse(json.dumps(VALUE, indent=4, escape="ascii"))
    assert_equal(doc, other)
    assert_equal(doc.root, other.root)
    for pointer in ("/list", "/name", "/ratio", "/big", "/nothing", "/inner"):
        assert_equal(doc.at(pointer), other.at(pointer))
    assert_unequal(doc.at("/name"), other.at("/count"))
    changed = json.parse(json.dumps({**VALUE, "count": 41}))
    assert_unequal(doc, changed)
    assert_unequal(doc.root, changed.root)
    assert_equal(doc["list"], changed["list"])
    assert_unequal(doc, 1)
    assert_unequal(doc, None)


@pytest.mark.feature(37)
@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        (b"[1, 2]", b"[1.0, 2e0]", True),
        (b'{"a": 1, "b": 2}', b'{"b": 2, "a": 1}', True),
        (b'{"a": 1, "a": 2}', b'{"a": 2}', True),
        (b'{"a": 1, "a": 2}', b'{"a": 1}', False),
        (b'["\\u00e9"]', '["é"]'.encode(), True),
        (b'{"\\u0061": []}', b'{"a": []}', True),
        (b"[0.0]", b"[-0.0]", True),
        (b"[1]", b'["1"]', False),
        (b"[1]", b"[true]", None),
        (b"[null]", b"[0]", False),
        (b"[[]]", b"[{}]", False),
        (b"[1, 2]", b"[2, 1]", False),
        (b"[9007199254740993]", b"[9007199254740992.0]", False),
        (b"[0.1]", b"[0.1000000000000000055511151231257827]", True),
        (b"[123456789012345678901234567890]", b"[123456789012345678901234567891]", False),
    ],
)
def test_documents_compare_as_their_values_do(
    left: bytes, right: bytes, equal: bool | None
) -> None:
    one, two = json.parse(left), json.parse(right)
    if equal is None:
        # Python calls 1 and True equal; plain values and views agree about that.
        equal = json.loads(left) == json.loads(right)
    assert (json.loads(left) == json.loads(right)) is equal
    (assert_equal if equal else assert_unequal)(one, two)
    (assert_equal if equal else assert_unequal)(one.root, two.root)
    (assert_equal if equal else assert_unequal)(one.root, json.loads(right))


@pytest.mark.feature(43)
def test_views_are_unhashable_but_have_an_identity(doc: octad.Document) -> None:
    for view in (doc.root, doc["list"], doc.at("/name")):
        with pytest.raises(TypeError, match="unhashable"):
            hash(view)
        with pytest.raises(TypeError):
            set().add(view)
    seen = {doc.at("/name").identity: 1, doc["list"].identity: 2}
    assert seen[doc.at("/name").identity] == 1
    assert seen[doc.at("/list").identity] == 2
    assert doc.at("/count").identity not in seen
    assert json.parse(TEXT).at("/name").identity not in seen
    assert doc.copy().at("/name").identity != doc.at("/name").identity


@pytest.mark.feature(43)
def test_is_same(doc: octad.Document) -> None:
    assert doc["list"].is_same(doc.at("/list"))
    assert doc.root.is_same(doc.at(""))
    assert doc.at("/name").is_same(doc.at("/name"))
    assert not doc.at("/name").is_same(doc.at("/count"))
    twins = json.parse(b"[[1], [1]]")
    assert twins[0] == twins[1]
    assert not twins[0].is_same(twins[1])
    assert not json.parse(TEXT)["list"].is_same(doc["list"])
    assert not doc["list"].is_same(doc["list"][2])
    assert doc["list"][2].parent.is_same(doc["list"])


# JSON Pointer


RFC6901 = stdlib_json.loads(data_path("conformance", "json-pointer", "rfc6901.json").read_bytes())


@pytest.mark.feature(34)
@pytest.mark.parametrize("case", RFC6901["cases"], ids=lambda case: case["pointer"] or "root")
def test_pointers_of_the_standard(case: dict[str, Any]) -> None:
    document = json.parse(json.dumps(RFC6901["doc"]))
    view = document.at(case["pointer"])
    assert view == case["expected"]
    assert view.pointer == case["pointer"]
    assert document.root.at(case["pointer"]).is_same(view)


@pytest.mark.feature(34)
def test_pointers_below_a_view(doc: octad.Document) -> None:
    inner = doc["inner"]
    assert inner.at("/a~1b").value == 1
    assert inner.at("/m~0n").value == 2
    assert inner.at("/").value == 3
    assert inner.at("").is_same(inner)
    assert inner.at("/deep/x/0").pointer == "/inner/deep/x/0"
    assert doc["list"].at("/2/1/four").value == 4
    assert doc.at("/name").at("").value == "naïve"


@pytest.mark.parametrize(
    "pointer",
    [
        *("/absent", "/list/5", "/list/-", "/list/-1", "/list/x", "/name/0", "/name/x", "/count/0"),
        *("/list/2/1/five", "//", "/inner//x", "/nothing/a", "/list/", "/inner/deep/x/1"),
        *("/list/99999999999999999999", "/yes/", "/name ", "/Name"),
    ],
)
def test_pointers_to_nothing(doc: octad.Document, pointer: str) -> None:
    error = error_of(doc.at, pointer)
    assert isinstance(error, octad.PointerError)
    assert isinstance(error, LookupError)
    assert error.code == "not-found"
    assert pointer in str(error)


@pytest.mark.parametrize(
    "pointer", ["name", "#/name", "/m~n", "/~", "/~2", "/a~", " /name", "inner/a"]
)
def test_pointers_that_are_none(doc: octad.Document, pointer: str) -> None:
    error = error_of(doc.at, pointer)
    assert isinstance(error, octad.PointerError)
    assert error.code == "invalid-pointer"


@pytest.mark.parametrize(
    "pointer", ["/list/00", "/list/01", "/list/+1", "/list/1.0", "/list/1e0", "/list/ 1", "/list/٣"]
)
def test_array_indexes_in_pointers_are_plain_digits(doc: octad.Document, pointer: str) -> None:
    error = error_of(doc.at, pointer)
    assert error.code in ("not-found", "invalid-pointer")


def test_pointers_are_texts(doc: octad.Document) -> None:
    for wrong in (None, 1, b"/name", ["name"]):
        with pytest.raises(TypeError):
            doc.at(wrong)


# Paths, parents, positions


def every_view(view: Any) -> list[Any]:
    """A view and everything below it, scalars as elements."""
    found = [view]
    if isinstance(view, octad.Object):
        for key in view:
            found += every_view(view.at("/" + key.replace("~", "~0").replace("/", "~1")))
    elif isinstance(view, octad.Array):
        for index in range(len(view)):
            found += every_view(view.at(f"/{index}"))
    return found


@pytest.mark.feature(18)
def test_pointer_leads_back(doc: octad.Document) -> None:
    views = every_view(doc.root)
    assert len(views) == 25
    for view in views:
        assert doc.at(view.pointer).is_same(view)
        assert view.document is doc or view.document == doc
        parent = view.parent
        if view.pointer == "":
            assert parent is None
        else:
            assert parent.pointer == view.pointer.rpartition("/")[0]
            assert isinstance(parent, (octad.Object, octad.Array))


@pytest.mark.feature(18)
@pytest.mark.parametrize(
    ("pointer", "path"),
    [
        ("", "$"),
        ("/name", "$.name"),
        ("/list", "$.list"),
        ("/list/0", "$.list[0]"),
        ("/list/2/1/four", "$.list[2][1].four"),
        ("/inner/a~1b", "$.inner['a/b']"),
        ("/inner/", "$.inner['']"),
        ("/inner/kéy", "$.inner.kéy"),
        ("/inner/deep/x/0", "$.inner.deep.x[0]"),
    ],
)
def test_path(doc: octad.Document, pointer: str, path: str) -> None:
    assert doc.at(pointer).path == path
    assert doc.at(pointer).pointer == pointer


@pytest.mark.feature(18)
def test_paths_of_odd_names() -> None:
    names = ["a b", "a-b", "a.b", "a'b", 'a"b', "0", "a\\b", "a\nb", "$", "[0]", "日本"]
    document = json.parse(json.dumps({name: [0] for name in names}))
    paths = [document[name].path for name in names]
    assert len(set(paths)) == len(names)
    assert paths[0] == "$['a b']"
    assert paths[5] == "$['0']"
    assert paths[10] == "$.日本"
    assert all("\n" not in path for path in paths)
    for name in names:
        pointer = document[name].pointer
        assert document.at(pointer).is_same(document[name])


@pytest.mark.feature(3, 91)
def test_position_spans_the_raw_text(doc: octad.Document) -> None:
    source = doc.source
    assert source == TEXT.encode()
    for view in every_view(doc.root):
        position = view.position
        assert isinstance(position, octad.Position)
        raw = source[position.offset : position.end]
        assert view.raw == raw
        assert type(view.raw) is bytes
        assert_same(stdlib_json.loads(raw), view.to_python())
        before = source[: position.offset].decode()
        assert position.line == before.count("\n") + 1
        assert position.column == len(before) - before.rfind("\n")


def test_position_of_duplicates_and_odd_layouts() -> None:
    text = b'\xef\xbb\xbf \r\n{ "a" : [ ] , "a"\n:\t{ "b":-0 } }\n'
    document = json.parse(text)
    assert document["a"].raw == b'{ "b":-0 }'
    assert document.root.raw == text[6:-1]
    assert document.at("/a/b").raw == b"-0"
    position = document.at("/a/b").position
    assert (position.line, position.column) == (3, 9)
    (_, first), _ = document.root.pairs()
    assert first.raw == b"[ ]"
    assert first.position.line == 2


def test_position_is_a_record(doc: octad.Document) -> None:
    position = doc.at("/count").position
    assert position == json.parse(TEXT).at("/count").position
    assert position != doc.at("/name").position
    for part in ("offset", "end", "line", "column"):
        assert f"{part}={getattr(position, part)}" in repr(position)


@pytest.mark.feature(89)
def test_raw_keeps_spellings() -> None:
    spellings = [
        b"1.0e5",
        b"-0",
        b"1E+2",
        b"0.10",
        b'"\\u0041\\/"',
        b'"\xc3\xa9"',
        b"-0.0",
        b"1e400",
    ]
    text = b"[" + b" , ".join(spellings) + b"]"
    document = json.parse(text, overflow="inf")
    assert [document.at(f"/{index}").raw for index in range(len(spellings))] == spellings
    assert json.dumps(document) == b"[" + b",".join(spellings) + b"]"
    assert str(document.at("/0")) == "1.0e5"


# Typed getters


@pytest.mark.feature(32, 221)
def test_typed_getters(doc: octad.Document) -> None:
    assert_same(doc.at("/count").as_int(), 42)
    assert_same(doc.at("/big").as_int(), VALUE["big"])
    assert_same(doc.at("/ratio").as_float(), -25.0)
    assert_same(doc.at("/count").as_float(), 42.0)
    assert_same(doc.at("/name").as_str(), "naïve")
    assert doc.at("/yes").as_bool() is True
    assert doc.at("/no").as_bool() is False
    assert_same(doc.at("/ratio").as_decimal(), Decimal("-25.0"))
    assert_same(doc.at("/big").as_decimal(), Decimal(VALUE["big"]))


@pytest.mark.feature(32, 221)
@pytest.mark.parametrize(
    ("getter", "pointers"),
    [
        ("as_int", ["/name", "/ratio", "/yes", "/nothing", "", "/list"]),
        ("as_float", ["/name", "/yes", "/nothing", "", "/list"]),
        ("as_str", ["/count", "/ratio", "/yes", "/nothing", "", "/list"]),
        ("as_bool", ["/count", "/name", "/nothing", "", "/list"]),
        ("as_decimal", ["/name", "/yes", "/nothing", "", "/list"]),
        ("as_bytes", ["/count", "/yes", "/nothing", "", "/list"]),
    ],
)
def test_typed_getters_refuse_other_kinds(
    doc: octad.Document, getter: str, pointers: list[str]
) -> None:
    for pointer in pointers:
        view = doc.at(pointer)
        error = error_of(getattr(view, getter))
        assert type(error) is octad.KindError
        assert isinstance(error, TypeError)
        assert error.code == "wrong-kind"
        assert error.pointer == pointer
        assert error.path == view.path
        assert "expected" in error.message
        assert "found" in error.message


@pytest.mark.feature(33)
def test_typed_getters_with_a_default(doc: octad.Document) -> None:
    marker = object()
    for getter in ("as_int", "as_float", "as_str", "as_bool", "as_decimal"):
        assert getattr(doc.at("/nothing"), getter)(marker) is marker
        assert getattr(doc.root, getter)(None) is None
        assert getattr(doc["list"], getter)(3) == 3
    assert doc.at("/count").as_int(7) == 42
    assert doc.at("/name").as_int(7) == 7


@pytest.mark.feature(221)
def test_a_number_out_of_range_is_another_error() -> None:
    document = json.parse(b"[%s, 1]" % (b"9" * 400))
    error = error_of(document.at("/0").as_float)
    assert type(error) is octad.RangeError
    assert isinstance(error, OverflowError)
    assert error.code == "out-of-range"
    assert error.pointer == "/0"
    assert document.at("/0").as_int() == int("9" * 400)
    assert document.at("/0").as_float(1.5) == 1.5


@pytest.mark.feature(32)
def test_whole_floats_as_integers() -> None:
    document = json.parse(b"[1.0, 1e3, 1.5]")
    for index in range(3):
        assert error_of(document.at(f"/{index}").as_int).code == "wrong-kind"


@pytest.mark.feature(90)
def test_as_decimal_reads_the_literal() -> None:
    document = json.parse(b"[0.10, 1E+400, 123.4500, 7]", overflow="inf")
    assert [str(document.at(f"/{index}").as_decimal()) for index in range(4)] == [
        *("0.10", "1E+400", "123.4500", "7"),
    ]


@pytest.mark.feature(13)
def test_as_bytes_reads_what_bytes_are_written_as() -> None:
    for data in (b"", b"\x00", b"hello", bytes(range(256)), b"\xfb\xff\xbf"):
        for form in ("base64", "base64url"):
            element = json.parse(json.dumps([data], bytes=form)).at("/0")
            assert_same(element.as_bytes(), data)
    document = json.parse(b'["a*b", "aGVsbG9", "aGVs\\u0062G8="]')
    for pointer in ("/0", "/1"):
        assert error_of(document.at(pointer).as_bytes).code == "wrong-kind"
        assert document.at(pointer).as_bytes(b"other") == b"other"
    assert_same(document.at("/2").as_bytes(), b"hello")


# Text forms


@pytest.mark.feature(44)
def test_str_is_json(doc: octad.Document) -> None:
    for view in every_view(doc.root):
        assert_same(stdlib_json.loads(str(view)), view.to_python())
    assert str(doc["list"][3]) == "{}"
    assert str(doc.at("/count")) == "42"
    assert str(doc.at("/ratio")) == "-2.50e1"
    assert f"{doc.at('/yes')}" == "true"
    assert stdlib_json.loads(str(doc)) == VALUE


@pytest.mark.feature(44)
def test_repr_is_short_and_names_the_class(doc: octad.Document) -> None:
    huge = json.parse(json.dumps({"k" * 1000: ["v" * 1000] * 1000}))
    for document in (doc, huge):
        assert "Document" in repr(document)
        assert "Object" in repr(document.root)
        for view in (document, document.root, *list(document.root.values())[-1:]):
            assert len(repr(view)) < 200
            assert "\n" not in repr(view)
    assert "Element" in repr(doc.at("/name"))
    assert "42" in repr(doc.at("/count"))
    assert "Array" in repr(doc["list"])


@pytest.mark.feature(19)
def test_tape_is_shown_line_by_line() -> None:
    document = json.parse(b'{"a": [1, 2.5, "x"], "b": null}')
    lines = document.tape()
    assert isinstance(lines, list)
    assert all(isinstance(line, str) for line in lines)
    assert len(lines) in (8, 9), "one line a token; a guard may stand before them"
    assert not any("\n" in line for line in lines)
    assert len(json.parse(b"[" + b"1," * 99 + b"1]").tape()) - len(json.parse(b"[]").tape()) == 100


@pytest.mark.feature(1, 20)
def test_memory_over_the_source() -> None:
    small = json.parse(b"[1]").nbytes
    assert isinstance(small, int)
    for name in ("canada.json", "citm_catalog.json", "github.json", "twitter.json"):
        data = data_path("datasets", name).read_bytes()
        document = json.parse(data)
        assert small < document.nbytes <= 0.85 * len(data), name
        assert document.nbytes >= 8 * (len(document.tape()) - 1), name


@pytest.mark.feature(1, 20)
@pytest.mark.parametrize("name", ["catalogue", "users-200", "users-5000"])
def test_memory_over_the_source_of_records(name: str) -> None:
    data = texts.load(name).text
    assert json.parse(data).nbytes <= 0.85 * len(data)


# Documents


@pytest.mark.feature(25)
def test_document_attributes(doc: octad.Document) -> None:
    assert doc.format == "json"
    assert isinstance(doc.settings, octad.Settings)
    assert doc.source == TEXT.encode()
    assert doc.closed is False
    assert doc.root.document.root.is_same(doc.root)
    assert list(doc) == list(VALUE)
    assert len(doc) == len(VALUE)


def test_document_of_a_scalar() -> None:
    document = json.parse(b" 42 ")
    assert document.root.value == 42
    assert document.to_python() == 42
    assert document.at("").value == 42
    assert document.root.pointer == ""
    assert document.root.path == "$"
    for attempt in (
        lambda: document["a"],
        lambda: document[0],
        lambda: len(document),
        lambda: list(document),
    ):
        with pytest.raises(TypeError):
            attempt()
    text = json.parse(b'"text"')
    assert text.root == "text"
    assert text.root.as_str() == "text"


def test_wrong_kinds_of_index(doc: octad.Document) -> None:
    for attempt in (
        lambda: doc[0],
        lambda: doc["list"]["name"],
        lambda: json.parse(b"[]")["a"],
        lambda: doc.at("/name")[0],
        lambda: len(doc.at("/count")),
        lambda: list(doc.at("/count")),
    ):
        with pytest.raises((TypeError, KeyError)):
            attempt()


@pytest.mark.feature(29, 89)
def test_dumps_of_a_document(doc: octad.Document) -> None:
    assert doc.dumps() == TEXT.encode()
    assert type(doc.dumps()) is bytes
    compact = json.dumps(doc)
    assert b"\n" not in compact
    assert b" " not in compact
    assert b"-2.50e1" in compact
    assert b"k\\u00e9y" in compact
    assert b'"\\ud83d\\ude00"' in compact
    assert_same(stdlib_json.loads(compact), VALUE)
    assert json.dumps(doc["list"]) == b'[1,"two",[3.0,{"four":4}],{},[]]'
    assert json.dumps(doc.at("/ratio")) == b"-2.50e1"
    assert json.dumps_str(doc["list"]) == '[1,"two",[3.0,{"four":4}],{},[]]'
    assert json.dumps({"part": doc["list"], "el": doc.at("/count")}) == (
        b'{"part":[1,"two",[3.0,{"four":4}],{},[]],"el":42}'
    )


@pytest.mark.feature(88)
def test_dumps_of_a_document_with_options(doc: octad.Document) -> None:
    value = {"b": [1, {}], "a": {"x": []}}
    document = json.parse(json.dumps(value))
    for indent in (2, 4, "\t"):
        assert (
            json.dumps(document, indent=indent) == stdlib_json.dumps(value, indent=indent).encode()
        )
        assert json.dumps(value, indent=indent) == stdlib_json.dumps(value, indent=indent).encode()
    assert json.dumps(document, sort_keys=True) == b'{"a":{"x":[]},"b":[1,{}]}'
    assert json.dumps(document, indent=1, newline="\r\n").count(b"\r\n") == 8
    assert_same(json.loads(json.dumps(doc, escape="ascii")), VALUE)
    assert json.dumps(doc, escape="ascii").isascii()


@pytest.mark.feature(30)
def test_dump_into_a_buffer(doc: octad.Document) -> None:
    buffer = bytearray(b"head")
    end = json.dump_into(doc["list"], buffer, 4)
    assert end == len(buffer)
    assert bytes(buffer) == b"head" + json.dumps(doc["list"])


@pytest.mark.feature(27)
def test_copies_are_equal_and_apart(doc: octad.Document) -> None:
    for twin in (doc.copy(), copy.copy(doc), copy.deepcopy(doc)):
        assert type(twin) is octad.Document
        assert twin is not doc
        assert twin == doc
        assert twin.dumps() == doc.dumps()
        assert not twin.root.is_same(doc.root)
        twin.close()
        assert doc["count"] == 42
    twin = doc.copy()
    doc.close()
    assert twin["inner"]["a/b"] == 1
    assert twin.dumps() == TEXT.encode()


@pytest.mark.feature(28)
def test_clone_outlives_its_document(doc: octad.Document) -> None:
    clones = [view.clone() for view in every_view(doc.root)]
    values = [view.to_python() for view in every_view(doc.root)]
    raws = [view.raw for view in every_view(doc.root)]
    doc.close()
    for clone, value, raw in zip(clones, values, raws, strict=True):
        assert type(clone) is octad.Document
        assert_same(clone.to_python(), value)
        assert clone.dumps() == raw or json.dumps(clone) == json.dumps(json.parse(raw))
        assert clone.root.pointer == ""
        assert clone.root.parent is None
    branch = json.parse(b'{"a": {"b": [1.50, "\\u0041"]}}')["a"].clone()
    assert branch["b"][0] == 1.5
    assert json.dumps(branch) == b'{"b":[1.50,"\\u0041"]}'
    assert branch.at("/b/1").path == "$.b[1]"
    at = branch.at("/b/0").position
    assert branch.source[at.offset : at.end] == b"1.50"


@pytest.mark.feature(27)
def test_documents_pickle(doc: octad.Document) -> None:
    for protocol in range(2, 6):
        twin = pickle.loads(pickle.dumps(doc, protocol))
        assert twin == doc
        assert twin.dumps() == TEXT.encode()
        assert twin.format == "json"
        assert twin["list"].path == "$.list"
        assert twin.at("/count").position == doc.at("/count").position
    options = {"nan": "literal", "comments": True, "trailing_commas": True, "duplicates": "first"}
    lenient = json.parse(b'{"a": NaN, /* c */ "a": 2,}', **options)
    twin = pickle.loads(pickle.dumps(lenient))
    assert twin.dumps() == lenient.dumps()
    assert str(twin["a"]) == "nan"
    limits = octad.Limits(depth=3000)
    deep = json.parse(b"[" * 2000 + b"]" * 2000, limits=limits)
    assert pickle.loads(pickle.dumps(deep)).dumps() == deep.dumps()


@pytest.mark.feature(26)
def test_close(doc: octad.Document) -> None:
    root, array, element = doc.root, doc["list"], doc.at("/name")
    keys = iter(root)
    next(keys)
    doc.close()
    doc.close()
    assert doc.closed is True
    attempts = [
        lambda: doc["name"],
        lambda: doc.root,
        lambda: doc.at(""),
        lambda: len(doc),
        lambda: "name" in doc,
        lambda: list(doc),
        lambda: doc.dumps(),
        lambda: doc.to_python(),
        lambda: doc.source,
        lambda: doc.copy(),
        lambda: json.dumps(doc),
        lambda: root["name"],
        lambda: list(root),
        lambda: next(keys),
        lambda: array[0],
        lambda: len(array),
        lambda: array[0:2],
        lambda: element.value,
        lambda: element.raw,
        lambda: element.path,
        lambda: element.position,
        lambda: element.as_str(),
        lambda: json.dumps(element),
        lambda: root.clone(),
    ]
    for number, attempt in enumerate(attempts):
        error = error_of(attempt)
        assert type(error) is octad.ClosedError, number
        assert error.code == "closed"
        assert isinstance(error, ValueError)
    for view in (doc, root, array, element):
        assert "closed" in repr(view)


@pytest.mark.feature(16, 26)
def test_with_block() -> None:
    with json.parse(TEXT) as document:
        assert document["count"] == 42
        assert not document.closed
    assert document.closed
    with pytest.raises(KeyError), json.parse(TEXT) as document:
        document["absent"]
    assert document.closed
    assert error_of(document.__enter__).code == "closed"


# Protocols


def test_abstract_base_classes(doc: octad.Document) -> None:
    assert isinstance(doc.root, collections.abc.Mapping)
    assert isinstance(doc["list"], collections.abc.Sequence)
    assert not isinstance(doc["list"], collections.abc.Mapping)
    assert not isinstance(doc.at("/name"), (collections.abc.Mapping, collections.abc.Sequence))
    assert not isinstance(doc.root, dict)
    assert not isinstance(doc["list"], list)


@pytest.mark.feature(40)
def test_match_statements(doc: octad.Document) -> None:
    match doc.root:
        case {
            "count": int(count),
            "list": [first, *rest],
            "inner": {"deep": {"x": [None]}},
            **others,
        }:
            assert count == 42
            assert first == 1
            assert len(rest) == 4
            assert set(others) == set(VALUE) - {"count", "list", "inner"}
        case _:
            raise AssertionError("no match")
    match doc["list"]:
        case [1, "two", [float(), {"four": 4}], _, []]:
            pass
        case _:
            raise AssertionError("no match")
    match doc["list"]:
        case [_, _]:
            raise AssertionError("matched a list of another length")
        case {"four": _}:
            raise AssertionError("matched a mapping")
    match doc.root:
        case {"absent": _}:
            raise AssertionError("matched an absent key")


def test_views_cannot_be_made_by_hand() -> None:
    for cls in (octad.Document, octad.Object, octad.Array, octad.Element):
        with pytest.raises(TypeError):
            cls()


def test_class_names_are_public() -> None:
    for cls in (octad.Document, octad.Object, octad.Array, octad.Element, octad.Position):
        assert cls.__module__ == "octad"
        assert getattr(octad, cls.__name__) is cls


# Top level


@pytest.mark.feature(21, 29)
def test_load_open_dump_by_extension(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    octad.dump(VALUE, path)
    assert_same(octad.load(path), VALUE)
    assert octad.open(path) == octad.open(path)
    assert octad.open(path)["count"] == 42
    assert path.read_bytes() == json.dumps(VALUE)
    document = octad.open(path)
    octad.dump(document, path)
    assert_same(octad.load(str(path)), VALUE)
    assert document["count"] == 42
    other = tmp_path / "noext"
    octad.dump([1], other, format="json", indent=2)
    assert other.read_bytes() == b"[\n  1\n]"
    assert octad.load(other, format="json") == [1]
    for verb in (octad.load, octad.open):
        with pytest.raises((ValueError, LookupError)):
            verb(other)
        with pytest.raises((ValueError, LookupError)):
            verb(path, format="no-such-format")
    upper = tmp_path / "B.JSON"
    octad.dump([2], upper)
    assert octad.load(upper) == [2]


@pytest.mark.feature(31)
def test_convert() -> None:
    assert octad.convert(b'{ "a" : [ 1.0e5 ] }', "json", "json") == b'{"a":[1.0e5]}'
    assert octad.convert('["é"]', "json", "json") == '["é"]'.encode()
    assert octad.convert(b"[1]", "json", "json", indent=1) == b"[\n 1\n]"
    assert error_of(octad.convert, b"[1", "json", "json").code == "unexpected-end"
    for wrong in ("xyz", ""):
        with pytest.raises((ValueError, LookupError)):
            octad.convert(b"[]", wrong, "json")
        with pytest.raises((ValueError, LookupError)):
            octad.convert(b"[]", "json", wrong)


def test_formats() -> None:
    assert isinstance(octad.formats, collections.abc.Mapping)
    entry = octad.formats["json"]
    assert entry.name == "json"
    assert ".json" in {"." + ext.lstrip(".") for ext in entry.extensions}
    assert "application/json" in entry.media_types
    assert entry.binary is False
    assert list(octad.formats)
    assert "no-such-format" not in octad.formats
    with pytest.raises(TypeError):
        octad.formats["json"] = None


def test_build_info() -> None:
    info = octad.build_info()
    assert isinstance(info, collections.abc.Mapping)
    assert info["version"] == octad.__version__
    assert all(isinstance(key, str) for key in info)


def test_every_public_name_is_there() -> None:
    for name in octad.__all__:
        assert hasattr(octad, name), name
    for name in json.__all__:
        assert hasattr(json, name), name
    assert octad.json is json
    for name in VERBS:
        assert name in json.__all__, name
        assert getattr(json, name).__doc__, name


VERBS = [
    *("loads", "load", "dumps", "dumps_str", "dump", "dump_into", "parse", "try_parse", "open"),
    *("check", "Decoder", "Encoder", "Writer"),
]

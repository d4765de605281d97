"""Views at their edges: set-like keys, deep nesting, threads, errors while a tape is written.

Owns what `test_views.py` leaves open; both ask documents only, nothing here changes one.
"""

from __future__ import annotations

import collections
import collections.abc
import copy
import inspect
import pickle
import threading
import types
from decimal import Decimal
from functools import partial
from typing import Any

import octad
import pytest
from octad import json


@pytest.fixture
def root() -> octad.Object:
    root = json.parse(b'{"a": 1, "b": [2], "c": "x", "a": 3}').root
    assert isinstance(root, octad.Object)
    return root


# Keys, values, items


def test_keys_are_like_a_set(root: octad.Object) -> None:
    keys = root.keys()
    assert isinstance(keys, collections.abc.KeysView)
    assert keys == {"a", "b", "c"}
    assert keys == dict.fromkeys("cba").keys()
    assert keys != {"a"}
    assert keys >= {"a"}
    assert not keys < {"a", "b"}
    assert keys & ["a", "z"] == {"a"}
    assert keys | {"z"} == {"a", "b", "c", "z"}
    assert keys - {"a"} == {"b", "c"}
    assert keys ^ {"a", "z"} == {"b", "c", "z"}
    assert keys.isdisjoint(["z"])
    assert not keys.isdisjoint(["a"])
    assert list(reversed(keys)) == ["c", "b", "a"] == list(reversed(root))
    assert (keys == ["a", "b", "c"]) is False
    assert "ObjectKeys" in repr(keys)


def test_items_are_like_a_set_of_pairs(root: octad.Object) -> None:
    items = root.items()
    assert isinstance(items, collections.abc.ItemsView)
    assert ("a", 3) in items
    assert ("a", 1) not in items
    assert ("b", [2]) in items
    for wrong in (("z", 3), ("a",), "a3", None, (1, 3)):
        assert wrong not in items
    assert items == {"a": 3, "b": [2], "c": "x"}.items() or len(items) == 3
    plain = json.parse(b'{"a": 1, "b": 2}').root.items()
    assert plain == {"b": 2, "a": 1}.items()
    assert plain == {("a", 1), ("b", 2)}
    assert plain != {("a", 1)}
    assert plain & {("a", 1), ("z", 1)} == {("a", 1)}
    assert plain.isdisjoint([("a", 2)])
    assert len(plain) == 2


def test_values_are_a_collection(root: octad.Object) -> None:
    values = root.values()
    assert isinstance(values, collections.abc.ValuesView)
    assert [2] in values
    assert 1 not in values
    assert len(values) == 3


def test_length_hints_go_down(root: octad.Object) -> None:
    iterator = iter(json.parse(b"[1, [2], 3]").root)
    assert iterator.__length_hint__() == 3
    next(iterator)
    assert iterator.__length_hint__() == 2
    assert list(iterator) == [[2], 3]
    assert iterator.__length_hint__() == 0
    assert next(iterator, "end") == "end"
    assert len(list(root.pairs())) == 4


# Equality


def test_equality_with_other_mappings_and_lists(root: octad.Object) -> None:
    value = {"a": 3, "b": [2], "c": "x"}
    assert root == collections.OrderedDict(value)
    assert root == types.MappingProxyType(value)
    assert root == collections.UserDict(value)
    assert root["b"] == collections.UserList([2])
    assert root["b"] != (2,)
    assert root["b"] != {2}
    with pytest.raises(TypeError):
        root < {}  # noqa: B015


def test_equality_asks_unknown_objects() -> None:
    class Everything:
        def __eq__(self, other: object) -> bool:
            return True

        __hash__ = None  # type: ignore[assignment]

    document = json.parse(b'[1, {"a": [2]}]')
    assert document == [Everything(), {"a": Everything()}]
    assert document == Everything()
    assert document.root == [1, Everything()]
    assert Everything() in document.root


def test_equality_survives_what_user_code_does() -> None:
    values: list[Any] = []

    class Emptying:
        def __eq__(self, other: object) -> bool:
            values.clear()
            return True

        __hash__ = None  # type: ignore[assignment]

    values += [Emptying(), 2, 3]
    assert json.parse(b"[1, 2, 3]") != values

    class Raising:
        def __eq__(self, other: object) -> bool:
            raise ZeroDivisionError

        __hash__ = None  # type: ignore[assignment]

    with pytest.raises(ZeroDivisionError):
        assert json.parse(b'{"a": [1]}') == {"a": [Raising()]}


@pytest.mark.slow
def test_deep_nesting_needs_no_stack() -> None:
    depth = 100_000
    limits = octad.Limits(depth=depth)
    text = b"[" * depth + b"]" * depth
    document, other = json.parse(text, limits=limits), json.parse(text, limits=limits)
    assert document == other
    assert document.root != []
    assert str(document) == text.decode()
    assert json.dumps(document, limits=limits) == text
    assert document.root.clone() == document
    assert document.at("/0" * 1000).pointer == "/0" * 1000
    deepest = document.at("/0" * (depth - 1))
    assert deepest.raw == b"[]"
    assert len(deepest.path) == 1 + 3 * (depth - 1)
    assert len(repr(document)) < 80


def test_elements_are_as_true_as_their_values() -> None:
    document = json.parse(b'[0, 1, "", "a", null, false, 0.0, [], [0], {}, {"a": 0}]')
    for place, value in enumerate(document.to_python()):
        assert bool(document.at(f"/{place}")) is bool(value)
    assert not json.parse(b"0")
    assert json.parse(b"[1]")


# Numbers and texts that are not checked, or not plain


def test_values_are_checked_when_they_are_read() -> None:
    document = json.parse(b'{"good": [1.5], "bad": [01], "worse": "\\q"}', lazy_values=True)
    assert document["good"] == [1.5]
    for read in (
        lambda: document["bad"][0],
        lambda: document["bad"].to_python(),
        lambda: document["bad"] == [1.5],
        lambda: document.at("/bad/0").as_int(),
        lambda: str(document["bad"]),
        lambda: json.dumps(document),
    ):
        with pytest.raises(octad.DecodeError) as caught:
            read()
        assert caught.value.code == "leading-zero"
        assert caught.value.offset == 25
        assert caught.value.line == 1
    with pytest.raises(octad.DecodeError) as caught:
        document["worse"]
    assert (caught.value.code, caught.value.path) == ("invalid-escape", "$.worse")
    with pytest.raises(octad.DecodeError):
        document.at("/worse").as_str("default")


def test_an_overflow_is_met_when_the_value_is_read() -> None:
    document = json.parse(b'{"big": 1e999}')
    assert json.dumps(document) == b'{"big":1e999}'
    with pytest.raises(octad.DecodeError) as caught:
        document["big"]
    assert (caught.value.code, caught.value.path) == ("number-overflow", "$.big")
    assert document.at("/big").as_decimal() == Decimal("1e999")


def test_limits_on_digits_hold_for_single_values() -> None:
    document = json.parse(
        b'{"a": [123, 1234, 12345678901234567890]}', limits=octad.Limits(digits=3)
    )
    assert document["a"][0] == 123
    for place in (1, 2):
        element = document.at(f"/a/{place}")
        for read in (partial(document["a"].__getitem__, place), element.as_int):
            with pytest.raises(octad.LimitError) as caught:
                read()
            assert (caught.value.code, caught.value.pointer) == ("digits-limit", f"/a/{place}")
    assert document.at("/a/1").as_decimal() == 1234


def test_floats_as_decimals() -> None:
    document = json.parse(b"[0.10, 1]", floats="decimal")
    assert repr(document[0]) == "Decimal('0.10')"
    assert document.root[0:2] == [Decimal("0.10"), 1]
    assert pickle.loads(pickle.dumps(document))[0] == Decimal("0.10")


@pytest.mark.parametrize("pointer", ["/0", "/1", "/2", "/3"])
def test_bytes_from_base64(pointer: str) -> None:
    document = json.parse(b'["b2N0YWQ=", "b2N0YWQ", "-_-_", "+/+/"]')
    wanted = b"octad" if pointer in ("/0", "/1") else b"\xfb\xff\xbf"
    assert document.at(pointer).as_bytes() == wanted
    other = json.parse(b'["no base64!"]')
    with pytest.raises(octad.KindError, match="base64"):
        other.at("/0").as_bytes()
    assert other.at("/0").as_bytes(None) is None


def test_the_first_of_equal_keys_where_asked() -> None:
    document = json.parse(b'{"a": 1, "b": 0, "a": 2}', duplicates="first")
    assert document["a"] == 1
    assert list(document.root.items()) == [("a", 1), ("b", 0)]
    assert document == {"a": 1, "b": 0}
    assert document.at("/a").value == 1


# A tape among the values that are written


def test_errors_of_a_view_carry_the_whole_path() -> None:
    document = json.parse(b'{"big": [9007199254740993]}')
    with pytest.raises(octad.EncodeError) as caught:
        json.dumps({"outer": [document.root]}, canonical=True)
    assert caught.value.code == "unrepresentable"
    assert caught.value.pointer == "/outer/0/big/0"
    with pytest.raises(octad.EncodeError) as caught:
        json.dumps([document], limits=octad.Limits(depth=2))
    assert (caught.value.code, caught.value.pointer) == ("depth-limit", "/0/big")


def test_nan_goes_by_the_policy_of_the_writer() -> None:
    document = json.parse(b"[NaN, -Infinity]", nan="literal")
    assert json.dumps(document, nan="null") == b"[null,null]"
    assert json.dumps(document, nan="literal") == b"[NaN,-Infinity]"
    with pytest.raises(octad.EncodeError) as caught:
        json.dumps(document)
    assert (caught.value.code, caught.value.pointer) == ("not-finite", "/0")
    assert str(document) == "[NaN,-Infinity]"


def test_canonical_output_is_that_of_the_plain_values() -> None:
    document = json.parse('{"é": [1.0, 1e2, -0.0, 0.10], "\\u0062": "\\u0041\\/", "😀": null}')
    value = document.to_python()
    assert json.dumps(document, canonical=True) == json.dumps(value, canonical=True)
    for options in ({"sort_keys": True}, {"escape": "ascii"}, {"escape": "html"}, {"indent": 3}):
        assert json.loads(json.dumps(document, **options)) == value
    twice = json.parse(b'{"a": 1, "\\u0061": 2}')
    assert json.dumps(twice, sort_keys=True) == b'{"a":1,"\\u0061":2}'
    with pytest.raises(octad.EncodeError, match="twice"):
        json.dumps(twice, canonical=True)


# Life of a document


def test_source_is_the_bytes_that_were_given() -> None:
    data = b"[1, 2]"
    assert json.parse(data).source is data
    assert json.parse(data).dumps() is data
    assert json.parse(bytearray(data)).source == data


def test_settings_are_those_of_the_reading() -> None:
    settings = octad.Settings(nan="string", show_input=False)
    document = json.parse(b"[1]", settings=settings, limits=octad.Limits(depth=7))
    assert document.settings == octad.Settings(
        nan="string", show_input=False, limits=octad.Limits(depth=7)
    )
    assert "1" not in repr(document).replace("array of 1", "")
    assert pickle.loads(pickle.dumps(document)).settings.limits.depth == 7
    assert copy.deepcopy(document).settings == document.settings


def test_positions_are_records() -> None:
    position = json.parse(b"[1]").at("/0").position
    assert pickle.loads(pickle.dumps(position)) == position
    assert len({position, octad.Position(1, 2, 1, 2)}) == 1
    match position:
        case octad.Position(offset, end, line, column):
            assert (offset, end, line, column) == (1, 2, 1, 2)


def test_a_document_in_a_cycle_is_collected() -> None:
    import gc
    import weakref

    class Default:
        def __call__(self, value: object) -> object:
            return value

    default = Default()
    document = json.parse(b"[1]", settings=octad.Settings(default=default))
    default.document = document  # type: ignore[attr-defined]
    alive = weakref.ref(default)
    del default, document
    gc.collect()
    assert alive() is None


def test_many_threads_read_one_document() -> None:
    value = {f"key {place}": [place, {"n": [place]}, f"text {place}"] for place in range(300)}
    document = json.parse(json.dumps(value))
    failures: list[BaseException] = []
    start = threading.Barrier(4)

    def read(offset: int) -> None:
        try:
            start.wait()
            for place in list(range(300))[offset:] + list(range(offset)):
                entry = document[f"key {place}"]
                assert entry == value[f"key {place}"]
                assert entry.pointer == f"/key {place}"
                assert json.loads(entry.raw) == value[f"key {place}"]
            assert list(document) == list(value)
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=read, args=(70 * number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_every_public_name_has_help() -> None:
    for cls in (octad.Document, octad.Object, octad.Array, octad.Element, octad.Position):
        assert inspect.getdoc(cls)
        for name, member in vars(cls).items():
            if not name.startswith("_"):
                assert inspect.getdoc(member), f"{cls.__name__}.{name}"
    assert str(inspect.signature(octad.Element.as_int)) == "(self, /, default=Ellipsis)"


def test_numbers_are_equal_as_they_are_read() -> None:
    def read(text: str, **options: Any) -> octad.Document:
        return json.parse(text, **options)

    exact = read("[0.1]", floats="decimal")
    assert exact != read("[0.1000000000000000055]", floats="decimal")
    assert exact == read("[0.10]", floats="decimal")
    assert exact != read("[0.1]")  # as Decimal("0.1") != 0.1
    assert read("[0.5, 2.0]", floats="decimal") == read("[0.5, 2]")
    assert read("[0.1]") == read("[0.1000000000000000055]")
    assert read("1e400") != read("1e999")
    assert read("1e400") == read("1e400")
    assert read("1e400", overflow="inf") == read("1e999", overflow="inf")


def test_numbers_that_cannot_be_read_equal_nothing() -> None:
    document = json.parse("[1e400, %s, 1]" % ("9" * 5000))
    array = document.root
    assert isinstance(array, octad.Array)
    assert 1 in array
    assert 1 in document
    assert 2 not in array
    assert array.index(1) == 2
    assert array.count(1) == 1
    assert document != [1e400, 10**5000 - 1, 1]
    assert array != [1, 2, 1]
    assert document == document.copy()


def test_a_number_beyond_floats_is_no_infinity_in_silence() -> None:
    for text in ("1e400", "-1e400", "9" * 400):
        element = json.parse(text).root
        with pytest.raises(octad.RangeError):
            element.as_float()
        assert element.as_float(None) is None
    assert json.parse("1e400", overflow="inf").root.as_float() == float("inf")
    assert json.parse("Infinity", nan="literal").root.as_float() == float("inf")


def test_a_pointer_is_a_str() -> None:
    document = json.parse("[1]")
    for at in (document.at, document.root.at):
        with pytest.raises(TypeError, match=r"expected a JSON Pointer as a str, .* found int"):
            at(5)  # type: ignore[arg-type]


def test_views_are_copied_and_pickled_with_their_text() -> None:
    document = json.parse('{"a": [1, 2.50, NaN], "b": {"c": 1}}', nan="literal", floats="decimal")
    for view in (document["a"], document["b"], document.at("/a/1"), document.root):
        for made in (copy.copy(view), copy.deepcopy(view), pickle.loads(pickle.dumps(view))):
            assert type(made) is type(view)
            assert made.raw == view.raw
            assert not made.is_same(view)
            assert made.pointer == ""
            assert made.document is not document
    assert pickle.loads(pickle.dumps(document.at("/a/1"))).value == Decimal("2.50")


def test_a_document_reads_like_its_root_object() -> None:
    document = json.parse('{"a": 1, "b": [2], "a": 3}')
    assert dict(document) == {"a": 3, "b": [2]}
    assert document.get("a") == 3
    assert document.get("x") is None
    assert document.get("x", 0) == 0
    assert list(document.keys()) == ["a", "b"]
    assert list(document.items()) == [("a", 3), ("b", [2])]
    assert list(document.values()) == [3, [2]]
    for text in ("[1]", "1"):
        other = json.parse(text)
        for call in (other.keys, other.values, other.items, partial(other.get, "a")):
            with pytest.raises(octad.KindError, match="expected an object"):
                call()

"""What a converter writes: one value, anywhere in any text, through the `Writer` lent to it."""

from __future__ import annotations

import gc
import sys
import threading
import weakref
from collections.abc import Callable
from typing import Any

import octad
import pytest
from octad import json

pytestmark = pytest.mark.feature(186)


def converted(write: Callable[[octad.Writer, Any], Any]) -> type:
    """A class whose own converter writes as told."""

    class Thing:
        def __init__(self, *parts: Any) -> None:
            self.parts = parts

    class ThingConverter(octad.Converter[Thing]):
        def write(self, w: octad.Writer, value: Thing) -> None:
            return write(w, value)

    return octad.contract(converter=ThingConverter)(Thing)


def refused(value: Any, **options: Any) -> octad.EncodeError:
    """The error of a converter that is at fault."""
    with pytest.raises(octad.EncodeError) as caught:
        json.dumps(value, **options)
    return caught.value


def test_a_value_stands_for_the_object_anywhere() -> None:
    thing = converted(lambda w, v: w.value({"parts": v.parts}))
    one = thing(1, "a")
    text = '{"parts":[1,"a"]}'
    assert json.dumps_str(one) == text
    assert json.dumps_str([0, one, [one]]) == f"[0,{text},[{text}]]"
    assert json.dumps_str({"a": one, "b": (one,)}) == f'{{"a":{text},"b":[{text}]}}'
    assert json.dumps_str(thing(one)) == f'{{"parts":[{text}]}}'
    assert json.dumps_str([{one: 1}][0].values()) == "[1]"


SCALARS = [None, True, 7, 2**70, 2.5, "é\n", b"b", [], {}, [1, [2]], {"a": {"b": []}}, (1, 2), {3}]


@pytest.mark.parametrize("scalar", SCALARS, ids=repr)
@pytest.mark.parametrize("indent", [None, 2])
def test_any_value_is_written_as_dumps_writes_it(scalar: Any, indent: int | None) -> None:
    thing = converted(lambda w, v: w.value(v.parts[0]))
    options: dict[str, Any] = {"indent": indent, "bytes": "hex"}
    want = json.dumps([[scalar], {"k": scalar}], **options)
    assert json.dumps([[thing(scalar)], {"k": thing(scalar)}], **options) == want


def write_tree(w: octad.Writer, value: Any) -> None:
    with w.map(3):
        w.entry("name", value.parts[0])
        w.key("list")
        with w.list(2):
            w.value(1)
            with w.map():
                w.entry("deep", [True])
        w.key("empty")
        w.list()
        w.end()


@pytest.mark.parametrize("indent", [None, 1, "\t"])
def test_containers_of_the_converter_are_those_of_the_text(indent: Any) -> None:
    thing = converted(write_tree)
    plain = {"name": "n", "list": [1, {"deep": [True]}], "empty": []}
    got = json.dumps(["before", thing("n"), {"k": thing("n")}], indent=indent)
    assert got == json.dumps(["before", plain, {"k": plain}], indent=indent)


@pytest.mark.parametrize("options", [{"sort_keys": True}, {"canonical": True}], ids=str)
def test_keys_are_put_in_order_where_the_call_asks_for_it(options: dict[str, Any]) -> None:
    def write(w: octad.Writer, value: Any) -> None:
        with w.map():
            for key in value.parts:
                w.key(key)
                with w.map():
                    w.entry("z", {"y": 1, "x": [key]})
                    w.entry("a", key * 2)

    keys = ["b", "\ue000", "a", "\U0001f600", "", "é"]
    plain = {key: {"z": {"y": 1, "x": [key]}, "a": key * 2} for key in keys}
    assert json.dumps([converted(write)(*keys)], **options) == json.dumps([plain], **options)


def test_keys_follow_the_rules_of_the_call() -> None:
    def write(w: octad.Writer, value: Any) -> None:
        with w.map():
            for key in value.parts:
                w.entry(key, 0)

    thing = converted(write)
    assert json.dumps_str(thing(1, None, 2.5)) == '{"1":0,"null":0,"2.5":0}'
    assert refused([thing(1, "1")]).code == "key-clash"
    assert refused([thing("a", "a")]).code == "key-clash"
    assert refused(thing(1), keys="error").code == "key-type"
    assert refused(thing([])).code == "key-type"


MISTAKES: list[tuple[Callable[[octad.Writer, Any], Any], str, str]] = [
    (lambda w, v: None, "$[1].k", "found none"),
    (lambda w, v: {"a": 1}, "$[1].k", "returned `dict`"),
    (lambda w, v: (w.value(1), w.value(2)), "$[1].k", "one value"),
    (lambda w, v: (w.value(1), w.list()), "$[1].k", "one value"),
    (lambda w, v: w.list(), "$[1].k[0]", "an open list or map"),
    (lambda w, v: (w.map(), w.entry("a", [1])), "$[1].k", "an open list or map"),
    (lambda w, v: w.end(), "$[1].k", "`end()` inside a container"),
    (lambda w, v: w.key("a"), "$[1].k", "a key only in a map"),
    (lambda w, v: w.entry("a", 1), "$[1].k", "a key only in a map"),
    (lambda w, v: (w.list(), w.key("a")), "$[1].k[0]", "a key only in a map"),
    (lambda w, v: (w.map(), w.value(1)), "$[1].k", "in a map"),
    (lambda w, v: (w.map(), w.key("a"), w.key("b")), "$[1].k.a", "after the last key's value"),
    (lambda w, v: (w.map(), w.key("a"), w.end()), "$[1].k.a", "a value for the last key"),
    (lambda w, v: (w.list(2), w.value(1), w.end()), "$[1].k[1]", "2 items, as `list(2)` said"),
    (lambda w, v: (w.map(0), w.entry("a", 1), w.end()), "$[1].k", "0 entries, as `map(0)` said"),
    (lambda w, v: w.list().__exit__(None, None, None) or w.value(1), "$[1].k", "one value"),
]


@pytest.mark.parametrize(("write", "path", "words"), MISTAKES)
def test_exactly_one_value_is_due(
    write: Callable[[octad.Writer, Any], Any], path: str, words: str
) -> None:
    error = refused([0, {"k": converted(write)()}])
    assert error.code == "writer-state"
    assert error.path == path
    assert words in str(error)


def test_a_with_block_closes_what_it_opened_and_nothing_else() -> None:
    def write(w: octad.Writer, value: Any) -> None:
        with w.list():
            w.map()

    error = refused(converted(write)())
    assert error.code == "writer-state"
    assert "to be innermost" in str(error)


def test_a_call_that_fails_leaves_the_text_as_it_was() -> None:
    def write(w: octad.Writer, value: Any) -> None:
        with w.map():
            w.entry("first", 1)
            for attempt in ([1, {"deep": object()}], {"k": [float("nan")]}, "\ud800", {(): 1}):
                with pytest.raises(octad.EncodeError):
                    w.entry("tried", attempt)
            w.key("list")
            with w.list():
                with pytest.raises(octad.EncodeError):
                    w.value([[[object()]]])
                w.value(2)
            with pytest.raises(octad.EncodeError):
                w.key([])
            w.entry("tried", 3)

    thing = converted(write)
    want = {"first": 1, "list": [2], "tried": 3}
    for options in ({}, {"indent": 1}, {"sort_keys": True}):
        assert json.dumps([thing(), 4], **options) == json.dumps([want, 4], **options)


def test_an_error_within_knows_the_whole_path() -> None:
    thing = converted(lambda w, v: w.entry("in", v.parts[0]) if w.map() else None)
    error = refused([{"k": thing([0, {"x": object()}])}])
    assert (error.code, error.path, error.pointer) == (
        "unsupported-type",
        "$[0].k.in[1].x",
        "/0/k/in/1/x",
    )
    error = refused([{"k": thing([0, thing(thing(float("inf")))])}])
    assert (error.code, error.path) == ("not-finite", "$[0].k.in[1].in.in")


def test_the_users_exception_is_told_its_place_once() -> None:
    def write(w: octad.Writer, value: Any) -> None:
        if not value.parts:
            raise KeyError("mine")
        with w.list():
            w.value({"x": value.parts[0]})

    thing = converted(write)
    with pytest.raises(KeyError) as caught:
        json.dumps({"top": thing(thing(thing()))})
    assert caught.value.__notes__ == ["while octad wrote the value at $.top[0].x[0].x"]


def test_an_exception_that_replaces_another_is_told_its_own_place() -> None:
    def write(w: octad.Writer, value: Any) -> None:
        with w.list():
            try:
                w.value({"x": value.parts[0]})
            except octad.EncodeError as error:
                raise LookupError("other") from error

    with pytest.raises(LookupError) as caught:
        json.dumps({"top": converted(write)(object())})
    assert caught.value.__notes__ == ["while octad wrote the value at $.top[0]"]
    assert caught.value.__cause__.path == "$.top[0].x"


def test_the_value_itself_is_written_in_octads_own_way() -> None:
    class Names(list):
        pass

    class NamesConverter(octad.Converter[Names]):
        def write(self, w: octad.Writer, value: Names) -> None:
            w.value(value if value else "none")

    octad.contract_for(Names, converter=NamesConverter())
    assert json.dumps([Names(), Names(["a", Names()])]) == b'["none",["a","none"]]'


def test_cycles_are_found_through_converters() -> None:
    thing = converted(lambda w, v: w.value(v.parts[0]))
    nodes: list[Any] = []
    nodes.append(thing(nodes))
    error = refused({"a": nodes})
    assert (error.code, error.path) == ("cycle", "$.a[0]")

    one, other = thing(), thing()
    one.parts, other.parts = (other,), (one,)
    error = refused({"a": one})
    assert (error.code, error.path) == ("cycle", "$.a")


def test_converters_within_each_other_are_bounded() -> None:
    thing = converted(lambda w, v: w.value([type(v)(*v.parts)]))
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(50_000)
    try:
        error = refused(thing(1))
    finally:
        sys.setrecursionlimit(before)
    assert error.code == "writer-state"
    assert "100 converters within each other" in str(error)
    assert error.path == "$" + "[0]" * 100


def test_depth_counts_the_containers_of_converters() -> None:
    thing = converted(lambda w, v: w.value(v.parts[0]))

    def write(w: octad.Writer, value: Any) -> None:
        with w.list():
            w.value([])

    listed = converted(write)
    limits = octad.Limits(depth=3)
    assert json.dumps([thing([[]])], limits=limits) == b"[[[]]]"
    assert refused([thing([[[]]])], limits=limits).code == "depth-limit"
    assert json.dumps([listed()], limits=limits) == b"[[[]]]"
    error = refused([[listed()]], limits=limits)
    assert (error.code, error.path) == ("depth-limit", "$[0][0][0]")
    assert refused([[[listed()]]], limits=limits).code == "depth-limit"


def test_the_output_limit_holds() -> None:
    thing = converted(lambda w, v: w.value("x" * 50))
    assert refused([thing()], limits=octad.Limits(output=40)).code == "output-limit"


def test_a_writer_is_of_no_use_after_its_converter() -> None:
    kept: list[Any] = []

    def write(w: octad.Writer, value: Any) -> None:
        with w.list() as opened:
            kept.extend([w, opened])

    json.dumps([converted(write)()])
    writer, opened = kept
    uses: list[Callable[[], Any]] = [
        lambda: writer.value(1),
        writer.list,
        writer.map,
        lambda: writer.key("a"),
        lambda: writer.entry("a", 1),
        writer.end,
        lambda: writer.path,
        lambda: writer.error("no"),
        lambda: opened.__exit__(None, None, None),
    ]
    for use in uses:
        with pytest.raises(octad.EncodeError, match="after its converter has returned"):
            use()


def test_an_outer_writer_waits_while_an_inner_one_is_lent() -> None:
    outer: list[Any] = []

    def write(w: octad.Writer, value: Any) -> None:
        if value.parts:
            outer.append(w)
            w.value(value.parts[0])
        else:
            with pytest.raises(octad.EncodeError, match="one call of a Writer at a time"):
                outer[0].value(1)
            w.value("inner")

    thing = converted(write)
    assert json.dumps(thing([thing()])) == b'["inner"]'


def test_a_writer_belongs_to_its_thread() -> None:
    def write(w: octad.Writer, value: Any) -> None:
        caught: list[BaseException] = []

        def use() -> None:
            try:
                w.value(1)
            except octad.EncodeError as error:
                caught.append(error)

        thread = threading.Thread(target=use)
        thread.start()
        thread.join()
        assert "by the thread that it writes for" in str(caught[0])
        w.value("done")

    assert json.dumps([converted(write)()]) == b'["done"]'


def test_a_dumps_of_its_own_does_not_disturb_the_outer_one() -> None:
    thing = converted(lambda w, v: w.value(json.dumps_str([v.parts[0], {"a": 1}])))
    assert json.loads(json.dumps([thing(2), [thing(3)]])) == [
        '[2,{"a":1}]',
        ['[3,{"a":1}]'],
    ]


def test_every_way_of_writing_knows_converters() -> None:
    thing = converted(lambda w, v: w.value("w"))
    buffer = bytearray()
    assert json.dump_into([thing()], buffer) == 5
    assert json.dumps_str([thing()]) == '["w"]' == buffer.decode()
    assert json.Encoder().dumps([thing()]) == b'["w"]'
    writer = json.Writer()
    with writer.map():
        writer.entry("k", thing())
    assert writer.finish() == b'{"k":"w"}'


def test_errors_in_a_push_writer_have_the_whole_path() -> None:
    writer = json.Writer()
    thing = converted(lambda w, v: w.value([object()]))
    with writer.map():
        with pytest.raises(octad.EncodeError) as caught:
            writer.entry("k", thing())
        assert caught.value.path == "$.k[0]"
        writer.entry("k", 1)
    assert writer.finish() == b'{"k":1}'


def test_changing_a_container_beneath_a_converter_is_an_error() -> None:
    items: list[Any] = []

    def write(w: octad.Writer, value: Any) -> None:
        items.clear()
        w.value(1)

    items += [converted(write)(), 1, 2]
    assert refused(items).code == "size-changed"


def test_nothing_is_left_over() -> None:
    class Mark:
        pass

    marks: list[weakref.ref[Mark]] = []

    def write(w: octad.Writer, value: Any) -> None:
        mark = Mark()
        marks.append(weakref.ref(mark))
        with w.list():
            w.value({"in": value.parts})
            if value.parts:
                raise ValueError(mark)

    thing = converted(write)
    for parts in ((), (1,), (thing(),), (thing(2),)):
        try:
            json.dumps([thing(*parts)])
        except ValueError:
            pass
    gc.collect()
    assert [mark for mark in marks if mark() is not None] == []


def test_writers_are_not_made_by_users() -> None:
    with pytest.raises(TypeError):
        octad.Writer()  # type: ignore[call-arg]

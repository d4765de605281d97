"""What a converter reads: one value of any text, through the `Reader` lent to it."""

from __future__ import annotations

import gc
import sys
import threading
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, Generic, NamedTuple, TypeVar

import octad
import pytest
from octad import json

pytestmark = pytest.mark.feature(186)

T = TypeVar("T")


class Thing:
    """What the converters here make: it keeps what it was given."""

    def __init__(self, *parts: Any) -> None:
        self.parts = parts

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Thing) and self.parts == other.parts

    def __hash__(self) -> int:
        return hash(self.parts)

    def __repr__(self) -> str:
        return f"Thing{self.parts}"


def reading(read: Callable[[octad.Reader], Any]) -> octad.Settings:
    """Settings with a converter of `Thing` that reads as told."""

    class ThingConverter(octad.Converter[Thing]):
        def read(self, r: octad.Reader) -> Thing:
            return read(r)

    return octad.Settings(converters=[ThingConverter()])


def load(text: str, kind: Any, read: Callable[[octad.Reader], Any], **options: Any) -> Any:
    """The value by every way of reading, which have to agree."""
    settings = reading(read)
    made = json.loads(text, kind, settings=settings, **options)
    assert json.loads(text.encode(), kind, settings=settings, **options) == made
    assert json.Decoder(kind, settings=settings, **options).loads(text) == made
    assert json.parse(text, settings=settings, **options).to(kind) == made
    assert json.check(text, kind, settings=settings, **options) == []
    return made


def refused(
    text: str, kind: Any, read: Callable[[octad.Reader], Any], **options: Any
) -> octad.ValidationError:
    """The error of reading, which `check` tells as well."""
    settings = reading(read)
    with pytest.raises(octad.ValidationError) as caught:
        json.loads(text, kind, settings=settings, **options)
    error = caught.value
    problems = json.check(text, kind, settings=settings, **options)
    # A missing field of the object around stands before it, and is told by `check` alone.
    problem = next(one for one in problems if one.offset == error.offset or one is problems[-1])
    for name in ("code", "message", "path", "pointer", "offset", "line", "column"):
        assert getattr(problem, name) == getattr(error, name), name
    with pytest.raises(octad.ValidationError) as caught:
        json.parse(text, settings=settings, **options).to(kind)
    assert caught.value.path == error.path
    return error


@dataclass
class Holder:
    one: Thing
    many: list[Thing]
    by_name: dict[str, Thing | None]
    plain: int = 0


class Row(NamedTuple):
    first: Thing
    second: Thing


def test_the_value_is_made_wherever_its_type_stands() -> None:
    text = '{"plain": 1, "many": [1, "a"], "one": {"k": [true]}, "by_name": {"x": null, "y": 2}}'
    made = load(text, Holder, lambda r: Thing(r.read()))
    assert made == Holder(
        Thing({"k": [True]}), [Thing(1), Thing("a")], {"x": None, "y": Thing(2)}, 1
    )
    assert load("[[1], 2]", Row, lambda r: Thing(r.read())) == Row(Thing([1]), Thing(2))
    assert load("[1, [2]]", tuple[Thing, list[Thing]], lambda r: Thing(r.read(int))) == (
        Thing(1),
        [Thing(2)],
    )
    assert load(" 5 ", Thing, lambda r: Thing(r.read())) == Thing(5)


VALUES = [
    "null",
    "true",
    "0",
    "-12345678901234567890",
    "1.5",
    '"é\\n"',
    "[]",
    "[1,[2]]",
    '{"a":{}}',
]


@pytest.mark.parametrize("text", VALUES)
def test_without_a_type_it_reads_what_loads_reads(text: str) -> None:
    assert load(f"[{text}]", list[Thing], lambda r: Thing(r.read()))[0].parts[0] == json.loads(text)


KINDS = {
    "null": octad.Kind.NULL,
    "false": octad.Kind.BOOL,
    "7": octad.Kind.INT,
    "7.0": octad.Kind.FLOAT,
    '"7"': octad.Kind.TEXT,
    "[7]": octad.Kind.ARRAY,
    '{"7":7}': octad.Kind.OBJECT,
}


def test_kind_raw_and_place_of_a_value() -> None:
    seen: dict[str, Any] = {}

    def read(r: octad.Reader) -> Thing:
        seen[r.raw.decode()] = r
        position = r.position
        places.append((r.kind, r.raw, r.path, r.pointer, position.offset, position.end))
        return Thing()

    text = "[" + ", ".join(KINDS) + "]"
    places: list[Any] = []
    json.loads(text, list[Thing], settings=reading(read))
    for index, (value, kind) in enumerate(KINDS.items()):
        start = text.index(value)
        assert places[index] == (
            kind,
            value.encode(),
            f"$[{index}]",
            f"/{index}",
            start,
            start + len(value),
        )


def test_the_type_that_is_asked_for_is_told() -> None:
    @dataclass
    class Box(Generic[T]):
        content: T

    class Boxes(octad.ConverterFactory):
        def make(self, kind: Any) -> octad.Converter[Any] | None:
            return BoxConverter() if getattr(kind, "__origin__", None) is Box else None

    class BoxConverter(octad.Converter[Any]):
        def read(self, r: octad.Reader) -> Any:
            return r.type, [part.type for part in r.items(octad.Reader)]

    settings = octad.Settings(converters=[Boxes])
    assert json.loads("[[1]]", list[Box[int]], settings=settings) == [(Box[int], [None])]


TYPED: list[tuple[str, Any, Any]] = [
    ("3", int, 3),
    ('"2024-02-29T10:00:00Z"', datetime, datetime.fromisoformat("2024-02-29T10:00:00+00:00")),
    ("1.10", Decimal, Decimal("1.10")),
    ("[1, 2]", tuple[int, ...], (1, 2)),
    ('{"a": [null]}', dict[str, list[int | None]], {"a": [None]}),
    ("3", Annotated[int, octad.Field(ge=3)], 3),
]


@pytest.mark.parametrize(("text", "kind", "value"), TYPED, ids=[text for text, _, _ in TYPED])
def test_it_reads_any_type(text: str, kind: Any, value: Any) -> None:
    assert load(f"[{text}]", list[Thing], lambda r: Thing(r.read(kind))) == [Thing(value)]


def test_it_reads_as_often_as_it_likes_or_not_at_all() -> None:
    def read(r: octad.Reader) -> Thing:
        as_float = r.read(float)
        return Thing(as_float, r.read(Decimal), r.read(), list(map(type, (as_float, r.read()))))

    assert load("[1.50]", list[Thing], read) == [Thing(1.5, Decimal("1.50"), 1.5, [float, float])]
    assert load('[{"deep": [1, 2]}, 3]', list[Thing], lambda r: Thing()) == [Thing(), Thing()]


def test_items_and_entries_come_one_by_one() -> None:
    def read(r: octad.Reader) -> Thing:
        if r.kind == "array":
            return Thing(*r.items(int))
        return Thing(*r.entries(list[int]))

    made = load('[[1, 2, 3], {"a": [1], "b\\u00e9": [], "": [2]}, [], {}]', list[Thing], read)
    assert made == [Thing(1, 2, 3), Thing(("a", [1]), ("bé", []), ("", [2])), Thing(), Thing()]
    made = load('[[1, "a", [null]]]', list[Thing], lambda r: Thing(*r.items()))
    assert made == [Thing(1, "a", [None])]


def test_items_can_be_given_up_and_begun_again() -> None:
    def read(r: octad.Reader) -> Thing:
        first = next(r.items(int))
        items = r.items()
        next(items)
        return Thing(first, *items, *r.items(str if first > 5 else int))

    assert load("[[1, 2, 3]]", list[Thing], read) == [Thing(1, 2, 3, 1, 2, 3)]


def test_readers_of_parts() -> None:
    def read(r: octad.Reader) -> Thing:
        match r.kind:
            case "array":
                return Thing(*(read(part) for part in r.items(octad.Reader)))
            case "object":
                return Thing(*((key, read(part)) for key, part in r.entries(octad.Reader)))
            case _:
                return Thing(r.path, r.read())

    made = load('{"one": [1, {"a": "b"}], "many": [], "by_name": {}}', Holder, read)
    assert made.one == Thing(Thing("$.one[0]", 1), Thing(("a", Thing("$.one[1].a", "b"))))


def test_members_by_name() -> None:
    def read(r: octad.Reader) -> Thing:
        return Thing(
            r.get("b", int),
            r.get("a"),
            r.get("c", int, None),
            r.get("c", int, 7),
            r.get("é", octad.Reader).raw,
        )

    text = '[{"a": [1], "b": 2, "\\u00e9": 1e2}]'
    assert load(text, list[Thing], read) == [Thing(2, [1], None, 7, b"1e2")]


MISTAKES: list[tuple[Callable[[octad.Reader], Any], str, str, str, str]] = [
    (lambda r: r.read(int), '"x"', "wrong-type", "$[1]", "expected an integer, found text"),
    (lambda r: r.read(list[int]), "[1,[2]]", "wrong-type", "$[1][1]", "found an array"),
    (lambda r: list(r.items()), '{"a":1}', "wrong-type", "$[1]", "expected an array"),
    (lambda r: list(r.entries()), "[]", "wrong-type", "$[1]", "expected an object"),
    (lambda r: r.get("a"), "3", "wrong-type", "$[1]", "expected an object"),
    (lambda r: r.get("a"), "{}", "missing-field", "$[1]", "expected a member `a`"),
    (lambda r: r.get("a", int), '{"a":""}', "wrong-type", "$[1].a", "expected an integer"),
    (lambda r: list(r.items(int)), '[0,""]', "wrong-type", "$[1][1]", "expected an integer"),
    (lambda r: dict(r.entries(int)), '{"k":""}', "wrong-type", "$[1].k", "expected an integer"),
    (lambda r: dict(r.entries()), '{"k":1,"k":2}', "repeated-field", "$[1].k", "found it again"),
    (lambda r: r.get("k"), '{"k":1,"j":0,"k":2}', "repeated-field", "$[1].k", "found it again"),
    (
        lambda r: r.get("a", octad.Reader).read(Annotated[int, octad.Field(ge=3)]),
        '{"a":2}',
        "out-of-bounds",
        "$[1].a",
        "3",
    ),
]


@pytest.mark.parametrize(("read", "value", "code", "path", "words"), MISTAKES)
def test_what_does_not_fit_has_code_and_path(
    read: Callable[[octad.Reader], Any], value: str, code: str, path: str, words: str
) -> None:
    def either(r: octad.Reader) -> Any:
        return Thing() if r.raw == b"0" else read(r)

    error = refused(f"[0, {value}]", list[Thing], either)
    assert (error.code, error.path) == (code, path)
    assert words in error.message
    assert getattr(error, "__notes__", []) == []


@pytest.mark.parametrize(("policy", "value"), [("first", 1), ("last", 2)])
def test_repeated_keys_follow_the_policy(policy: str, value: int) -> None:
    def read(r: octad.Reader) -> Thing:
        return Thing(r.get("k"), dict(r.entries()))

    text = '[{"k": 1, "k": 2}]'
    assert load(text, list[Thing], read, duplicates=policy) == [Thing(value, {"k": value})]


def refuse(r: octad.Reader) -> Any:
    if r.kind == "object":
        raise r.get("in", octad.Reader).error("expected something else")
    raise r.error("expected something else")


def test_the_converters_own_error_knows_its_place() -> None:
    error = refused('{"one":\n  "x"}', Holder, refuse)
    assert (error.code, error.message) == ("rejected", "expected something else")
    assert (error.path, error.pointer, error.line, error.column) == ("$.one", "/one", 2, 3)
    assert error.expected == "a value that `ThingConverter` accepts"
    assert (error.found, error.value) == ("text", '"x"')
    assert error.source_line is not None
    assert str(error).endswith("^")
    assert refused('[{"in":1}]', list[Thing], refuse).path == "$[0].in"


def test_value_errors_and_type_errors_are_refusals() -> None:
    def read(r: octad.Reader) -> Thing:
        return Thing(int(r.read(str)))

    error = refused('["1", "x"]', list[Thing], read)
    assert (error.code, error.path) == ("rejected", "$[1]")
    assert "`ThingConverter` accepts" in error.message
    assert "invalid literal for int()" in error.message
    with pytest.raises(octad.ValidationError) as caught:
        json.loads('["x"]', list[Thing], settings=reading(read))
    assert type(caught.value.__cause__) is ValueError


def test_other_exceptions_are_told_their_place_once() -> None:
    def read(r: octad.Reader) -> Thing:
        if r.kind == "array":
            return Thing(*r.items(Thing))
        raise KeyError("mine")

    with pytest.raises(KeyError) as caught:
        json.loads('{"one": [[[1]]]}', Holder, settings=reading(read))
    assert caught.value.__notes__ == ["at $.one[0][0][0]"]


def test_an_exception_that_replaces_another_is_told_its_own_place() -> None:
    def read(r: octad.Reader) -> Thing:
        try:
            return Thing(r.read(list[int]))
        except octad.ValidationError as error:
            raise LookupError("other") from error

    with pytest.raises(LookupError) as caught:
        json.loads('{"one": [""]}', Holder, settings=reading(read))
    assert caught.value.__notes__ == ["at $.one"]
    cause = caught.value.__cause__
    assert isinstance(cause, octad.ValidationError)
    assert cause.path == "$.one[0]"


def test_an_error_may_be_caught_and_another_way_tried() -> None:
    def read(r: octad.Reader) -> Thing:
        for kind in (int, list[int], dict[str, int]):
            try:
                return Thing(r.read(kind))
            except octad.ValidationError:
                continue
        raise r.error("none of them")

    assert load('[1, [2], {"a": 3}]', list[Thing], read) == [Thing(1), Thing([2]), Thing({"a": 3})]
    assert refused('[""]', list[Thing], read).message == "none of them"


def test_a_union_with_a_converter_is_told_by_its_kinds() -> None:
    class ThingConverter(octad.Converter[Thing]):
        kinds = ("array", octad.Kind.INT)

        def read(self, r: octad.Reader) -> Thing:
            return Thing(r.read())

    settings = octad.Settings(converters=[ThingConverter])
    union = list[Thing | str | dict[str, int] | None]
    made = json.loads('[[1], "text", {"a": 1}, null, 2]', union, settings=settings)
    assert made == [Thing([1]), "text", {"a": 1}, None, Thing(2)]
    with pytest.raises(octad.ValidationError) as caught:
        json.loads("[true]", union, settings=settings)
    assert (caught.value.code, caught.value.path) == ("wrong-type", "$[0]")

    ThingConverter.kinds = ("list",)
    with pytest.raises(TypeError, match="expected names among null, bool"):
        json.loads("[]", list[Thing | int], settings=settings)


def test_a_converter_that_may_read_anything_stands_alone_in_a_union() -> None:
    settings = reading(lambda r: Thing(r.read()))
    assert json.loads("[1, null]", list[Thing | None], settings=settings) == [Thing(1), None]
    with pytest.raises(octad.ContractError, match="told apart"):
        json.loads("[1]", list[Thing | str], settings=settings)


def test_a_refusal_in_a_union_is_explained_with_the_others() -> None:
    class ThingConverter(octad.Converter[Thing]):
        kinds = ("text",)

        def read(self, r: octad.Reader) -> Thing:
            if r.read(str) == "at once":
                raise r.error("expected something else")
            return Thing(int(r.read(str)))

    settings = octad.Settings(converters=[ThingConverter])
    union = list[Thing | datetime]
    assert json.loads('["5"]', union, settings=settings) == [Thing(5)]
    when = datetime.fromisoformat("2024-02-29T10:00:00")
    assert json.loads('["2024-02-29T10:00:00"]', union, settings=settings) == [when]
    for text, reason in (("x", "invalid literal"), ("at once", "expected something else")):
        with pytest.raises(octad.ValidationError) as caught:
            json.loads(f'["{text}"]', union, settings=settings)
        assert (caught.value.code, caught.value.path) == ("no-union-member", "$[0]")
        assert reason in caught.value.message


def test_check_tells_every_problem_that_stands_alone() -> None:
    def read(r: octad.Reader) -> Thing:
        return Thing(r.read(int))

    text = '{"one": "a", "many": [1, "b", 2, "c"], "by_name": {"k": 2.5}, "plain": null}'
    problems = json.check(text, Holder, settings=reading(read))
    assert [problem.path for problem in problems] == [
        "$.one",
        "$.many[1]",
        "$.many[3]",
        "$.by_name.k",
        "$.plain",
    ]


def test_the_type_itself_is_read_in_octads_own_way() -> None:
    @dataclass
    class Node:
        name: str
        below: list[Node]

    calls: list[str] = []

    class NodeConverter(octad.Converter[Node]):
        def read(self, r: octad.Reader) -> Node:
            calls.append(r.path)
            if r.kind == "text":
                return Node(r.read(str), [])
            return r.read(Node)

    settings = octad.Settings(converters=[NodeConverter()])
    text = '{"name": "a", "below": ["b", {"name": "c", "below": ["d"]}]}'
    made = json.loads(text, Node, settings=settings)
    assert made == Node("a", [Node("b", []), Node("c", [Node("d", [])])])
    assert calls == ["$", "$.below[0]", "$.below[1]", "$.below[1].below[0]"]


def test_converters_within_each_other_are_bounded() -> None:
    def read(r: octad.Reader) -> Thing:
        return Thing(*r.items(Thing))

    assert load("[" * 80 + "]" * 80, Thing, read).parts[0].parts[0].parts
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(50_000)
    try:
        with pytest.raises(octad.LimitError) as caught:
            json.loads("[" * 1000 + "]" * 1000, Thing, settings=reading(read))
        with pytest.raises(octad.LimitError, match="converters or hooks within each other"):
            json.loads("1", Thing, settings=reading(lambda r: r.read(Thing | None)))
    finally:
        sys.setrecursionlimit(before)
    assert caught.value.code == "depth-limit"
    assert caught.value.path == "$" + "[0]" * 100
    assert "100 converters or hooks within each other" in caught.value.message


@dataclass
class Deep:
    a: Deep | None = None
    t: Thing | None = None


def test_depth_goes_on_counting_within_a_converter() -> None:
    def read(r: octad.Reader) -> Thing:
        if r.kind == "array":
            return Thing(*r.items(Deep))
        raise r.error("expected an array")

    def text(outside: int, inside: int) -> str:
        within = '{"t":[' + '{"a":' * inside + "null" + "}" * inside + "]}"
        return '{"a":' * outside + within + "}" * outside

    settings = reading(read)
    limits = octad.Limits(depth=5000)
    assert json.loads(text(900, 900), Deep, settings=settings, limits=limits)
    for outside, inside in ((1100, 1000), (100, 2000)):
        with pytest.raises(octad.LimitError) as caught:
            json.loads(text(outside, inside), Deep, settings=settings, limits=limits)
        assert caught.value.code == "depth-limit"


def test_a_type_that_cannot_be_read_is_no_matter_of_the_data() -> None:
    with pytest.raises(octad.ContractError):
        json.loads("[1]", list[Thing], settings=reading(lambda r: r.read(Callable[[], None])))


def test_a_reader_is_of_no_use_after_its_converter() -> None:
    kept: list[Any] = []

    def read(r: octad.Reader) -> Thing:
        if not kept:
            parts = list(r.items(octad.Reader))
            kept.extend([r, r.items(), r.items(octad.Reader), *parts])
        return Thing()

    json.loads("[[1, 2], 3]", list[Thing], settings=reading(read))
    reader, items, readers, part, _ = kept
    uses: list[Callable[[], Any]] = [
        reader.read,
        lambda: reader.read(int),
        lambda: reader.read(octad.Reader),
        reader.items,
        reader.entries,
        lambda: reader.get("a"),
        lambda: reader.kind,
        lambda: reader.raw,
        lambda: reader.path,
        lambda: reader.pointer,
        lambda: reader.position,
        lambda: reader.error("no"),
        lambda: next(items),
        lambda: next(readers),
        part.read,
    ]
    for use in uses:
        with pytest.raises(octad.ClosedError, match="whose converter has returned"):
            use()


def test_a_reader_belongs_to_its_thread() -> None:
    def read(r: octad.Reader) -> Thing:
        caught: list[BaseException] = []

        def use() -> None:
            try:
                r.read()
            except octad.ClosedError as error:
                caught.append(error)

        thread = threading.Thread(target=use)
        thread.start()
        thread.join()
        assert "by the thread that it reads for" in str(caught[0])
        return Thing(r.read())

    assert load("[1]", list[Thing], read) == [Thing(1)]


def test_an_outer_reader_waits_while_an_inner_one_is_lent() -> None:
    outer: list[octad.Reader] = []

    def read(r: octad.Reader) -> Thing:
        if r.kind == "array":
            outer.append(r)
            return Thing(*r.read(list[Thing]))
        with pytest.raises(octad.ClosedError, match="one call of a Reader at a time"):
            outer[-1].read()
        return Thing(r.read())

    assert load("[[1]]", list[Thing], read) == [Thing(Thing(1))]


def test_a_loads_of_its_own_does_not_disturb_the_outer_one() -> None:
    def read(r: octad.Reader) -> Thing:
        inner = json.loads(r.read(str), list[int])
        with pytest.raises(octad.DecodeError):
            json.loads("[1, 2")
        with pytest.raises(octad.ValidationError):
            json.loads('{"a": []}', dict[str, int])
        return Thing(inner, r.read())

    text = '{"one": "[1, 2]", "many": ["[]", "[3]"], "by_name": {"k": "[4]"}}'
    made = load(text, Holder, read)
    assert made.one == Thing([1, 2], "[1, 2]")
    assert made.many == [Thing([], "[]"), Thing([3], "[3]")]


def test_a_bad_text_within_a_text_is_a_refusal_with_the_reason() -> None:
    error = refused('["[1"]', list[Thing], lambda r: Thing(json.loads(r.read(str))))
    assert (error.code, error.path) == ("rejected", "$[0]")
    assert "found the end of the text" in error.message


def test_many_threads_share_a_converter() -> None:
    settings = reading(lambda r: Thing(*r.items(int)))
    text = json.dumps([[n, n + 1] for n in range(200)])
    want = [Thing(n, n + 1) for n in range(200)]
    wrong: list[Any] = []

    def work() -> None:
        for _ in range(10):
            made = json.loads(text, list[Thing], settings=settings)
            wrong.extend(one for one, other in zip(made, want, strict=True) if one != other)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_comments_between_values_do_not_matter() -> None:
    def read(r: octad.Reader) -> Thing:
        if r.kind == "array":
            return Thing(*r.items(int))
        return Thing(*r.entries(int), r.get("b"))

    text = '[/*a*/ [/*b*/ 1, /*c*/ 2 /*d*/], {/*e*/ "a" /*f*/ : /*g*/ 1, /*h*/ "b": /*i*/ 2}]'
    made = load(text, list[Thing], read, comments=True)
    assert made == [Thing(1, 2), Thing(("a", 1), ("b", 2), 2)]


def test_nothing_is_left_over() -> None:
    class Mark(Thing):
        pass

    marks: list[weakref.ref[Mark]] = []

    def read(r: octad.Reader) -> Thing:
        mark = Mark()
        marks.append(weakref.ref(mark))
        items = r.items(octad.Reader) if r.kind == "array" else None
        if r.raw == b"1":
            raise ValueError(mark)
        if r.raw == b"2":
            raise r.error("no")
        return Thing(mark, r, items, r.read())

    for text in ("[0]", "[1]", "[2]", "[[1]]", "[0, [2], 1]"):
        for kind in (list[Thing], list[Thing | None]):
            try:
                json.loads(text, kind, settings=reading(read))
            except octad.ValidationError:
                pass
    gc.collect()
    assert [mark for mark in marks if mark() is not None] == []


def test_readers_are_not_made_by_users() -> None:
    with pytest.raises(TypeError):
        octad.Reader()  # type: ignore[call-arg]

"""Members that stand twice, where one of them is asked for: tags, fields and keys alike."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, TypedDict

import octad
import pytest
from octad import json

pytestmark = pytest.mark.feature(184)


@octad.contract(tag=True)
@dataclass
class A:
    x: int = 0


@octad.contract(tag=True)
@dataclass
class B:
    x: int = 0


@dataclass
class X:
    k: Literal["x"]


@dataclass
class Y:
    k: Literal["y"]


@dataclass
class Plain:
    x: int = 0
    y: list[int] = field(default_factory=list)
    inner: Plain | None = None


class Typed(TypedDict, total=False):
    x: int


@dataclass
class Flat:
    a: Annotated[A, octad.Field(flatten=True)]
    more: Annotated[dict[str, int], octad.Field(flatten=True)]


@dataclass
class Named:
    x: Annotated[int, octad.Field(aliases=("z",))] = 0


def read(text: str, kind: Any, duplicates: str) -> Any:
    """The value; every other way to it says the same."""
    made = json.loads(text, kind, duplicates=duplicates)
    assert json.check(text, kind, duplicates=duplicates) == []
    assert json.Decoder(kind, duplicates=duplicates).loads(text) == made
    assert json.loads(f"[{text}]", list[kind], duplicates=duplicates) == [made]
    return made


TWO = '{"$type": "B", "x": 1, "$type": "A", "x": 2}'


def test_the_tag_that_counts_tells_the_type() -> None:
    assert read(TWO, A | B, "first") == B(1)
    assert read(TWO, A | B, "last") == A(2)
    assert read('{"k": "x", "k": "y"}', X | Y, "first") == X("x")
    assert read('{"k": "x", "k": "y"}', X | Y, "last") == Y("y")
    with pytest.raises(octad.DecodeError):
        json.loads(TWO, A | B)


def test_the_tag_that_counts_is_checked_where_the_type_is_known() -> None:
    assert read(TWO, B, "first") == B(1)
    assert read(TWO, A, "last") == A(2)
    for kind, duplicates in ((A, "first"), (B, "last")):
        with pytest.raises(octad.ValidationError) as caught:
            json.loads(TWO, kind, duplicates=duplicates)
        assert caught.value.code == "unknown-tag"
        found = json.check(TWO, kind, duplicates=duplicates)
        assert [problem.code for problem in found] == ["unknown-tag"]


LAST = [
    (Plain, '{"x": "bad", "x": 2}', Plain(2)),
    (Plain, '{"x": 1, "y": ["a", "b", {}], "x": 2, "y": [3]}', Plain(2, [3])),
    (Plain, '{"inner": {"x": {"x": []}, "x": 1}}', Plain(inner=Plain(1))),
    (Plain, '{"inner": {"inner": {"x": null}}, "inner": {"x": 1}}', Plain(inner=Plain(1))),
    (A, '{"$type": "A", "x": "bad", "x": 2}', A(2)),
    (Named, '{"x": "bad", "z": 2}', Named(2)),
    (Named, '{"z": "bad", "x": 2}', Named(2)),
    (Typed, '{"x": "bad", "x": 2}', {"x": 2}),
    (dict[str, int], '{"x": "bad", "y": 1, "x": 2}', {"x": 2, "y": 1}),
    (dict[int, int], '{"1": "bad", "2": 1, "1": 2}', {1: 2, 2: 1}),
    (dict[str, Plain], '{"a": {"x": "bad"}, "a": {"x": 1}}', {"a": Plain(1)}),
    (Flat, '{"x": "bad", "q": "bad", "x": 1, "q": 2}', Flat(A(1), {"q": 2})),
]


@pytest.mark.parametrize(("kind", "text", "made"), LAST)
def test_a_value_that_does_not_count_need_not_fit(kind: Any, text: str, made: Any) -> None:
    assert read(text, kind, "last") == made
    settings = octad.Settings(references=True)
    assert json.loads(text, kind, duplicates="last", settings=settings) == made
    with pytest.raises(octad.ValidationError):
        json.loads(text, kind, duplicates="first")


FIRST = [
    (Plain, '{"x": 2, "x": "bad"}', Plain(2)),
    (A, '{"$type": "A", "x": 2, "x": "bad"}', A(2)),
    (dict[str, int], '{"x": 2, "y": 1, "x": "bad"}', {"x": 2, "y": 1}),
    (dict[int, int], '{"1": 2, "2": 1, "1": "bad"}', {1: 2, 2: 1}),
    (Flat, '{"x": 1, "q": 2, "x": "bad", "q": "bad"}', Flat(A(1), {"q": 2})),
]


@pytest.mark.parametrize(("kind", "text", "made"), FIRST)
def test_a_value_behind_the_first_need_not_fit(kind: Any, text: str, made: Any) -> None:
    assert read(text, kind, "first") == made
    with pytest.raises(octad.ValidationError):
        json.loads(text, kind, duplicates="last")


def test_a_value_that_counts_is_told() -> None:
    text = '{"x": "bad", "x": "worse", "y": [1, "a"]}'
    found = json.check(text, Plain, duplicates="last")
    assert [(problem.path, problem.value) for problem in found] == [
        ("$.x", '"worse"'),
        ("$.y[1]", '"a"'),
    ]
    with pytest.raises(octad.ValidationError) as caught:
        json.loads(text, Plain, duplicates="last")
    assert caught.value.offset == text.index('"worse"')


def test_only_the_faults_of_what_does_not_count_are_dropped() -> None:
    text = '{"q": "bad", "x": [1], "q": 2, "r": {}, "x": "worse", "r": 1}'
    found = json.check(text, Flat, duplicates="last")
    assert [(problem.path, problem.value) for problem in found] == [("$.x", '"worse"')]
    text = '{"y": [1, "a"], "inner": {"y": ["b", 2, "c"], "x": {}}, "inner": {"y": ["d"]}}'
    found = json.check(text, Plain, duplicates="last")
    assert [problem.value for problem in found] == ['"a"', '"d"']
    text = '{"a": {"x": "b"}, "b": {"x": "c"}, "a": {"y": ["d", "e"]}}'
    found = json.check(text, dict[str, Plain], duplicates="last")
    assert [problem.value for problem in found] == ['"c"', '"d"', '"e"']
    found = json.check(text, dict[str, Plain], duplicates="first")
    assert [problem.value for problem in found] == ['"b"', '"c"']


def test_what_code_of_the_class_raises_is_no_misfit() -> None:
    class Loud:
        def __init__(self, x: int) -> None:
            raise RuntimeError("loud")

    with pytest.raises(RuntimeError, match="loud"):
        json.loads('{"a": {"x": 1}, "a": 2}', dict[str, Loud | int], duplicates="last")


def test_a_repeated_tag_is_told_once() -> None:
    for kind in (A, A | B, Flat):
        text = '{"$type": "A", "$type": "A"}'
        with pytest.raises(octad.ValidationError) as caught:
            json.loads(text, kind)
        assert caught.value.message == "expected the tag `$type` once, found it again"

"""What an error of typed reading tells: code, place, what was expected and found, and why."""

from __future__ import annotations

import copy
import datetime as dt
import pickle
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import octad
import pytest
from octad import json

from tests.support import error_of
from tests.typed.formats import Format, facts, refusal

pytestmark = [pytest.mark.feature(219), pytest.mark.feature(220)]


@dataclass
class Address:
    city: str
    postcode: Annotated[str, octad.Field(min_length=4, max_length=5, pattern="^[0-9]+$")]


@dataclass
class Person:
    name: str
    age: Annotated[int, octad.Field(ge=0, le=150)]
    address: Address
    roles: list[Literal["reader", "writer"]] = field(default_factory=list)
    born: dt.date | None = None


GOOD = """{
  "name": "Inês",
  "age": 7,
  "address": {"city": "Évora", "postcode": "7000"},
  "roles": ["reader"],
  "born": "2017-01-02"
}"""


def test_the_text_without_faults_is_read(fmt: Format) -> None:
    person = fmt.loads(GOOD, Person)
    assert person.address == Address("Évora", "7000")


# For each: what is replaced, by what, then code, path, expected, found (as parts of the words).
FAULTS = [
    ('"age": 7', '"age": "7"', "wrong-type", "$.age", "integer", "text"),
    ('"age": 7', '"age": 7.5', "wrong-type", "$.age", "integer", "number"),
    ('"age": 7', '"age": null', "wrong-type", "$.age", "integer", "null"),
    ('"age": 7', '"age": [7]', "wrong-type", "$.age", "integer", "array"),
    ('"age": 7', '"age": {}', "wrong-type", "$.age", "integer", "object"),
    ('"age": 7', '"age": true', "wrong-type", "$.age", "integer", "boolean"),
    ('"age": 7', '"age": -1', "out-of-bounds", "$.age", "0", "-1"),
    ('"age": 7', '"age": 151', "out-of-bounds", "$.age", "150", "151"),
    ('"Évora"', "5", "wrong-type", "$.address.city", "text", "integer"),
    ('"7000"', '"700"', "wrong-length", "$.address.postcode", "4", "3"),
    ('"7000"', '"700000"', "wrong-length", "$.address.postcode", "5", "6"),
    ('"7000"', '"70a0"', "no-match", "$.address.postcode", "^[0-9]+$", "70a0"),
    ('"reader"]', '"reader", "boss"]', "invalid-value", "$.roles[1]", "writer", "boss"),
    ('"2017-01-02"', '"2017-13-02"', "invalid-value", "$.born", "date", "2017-13-02"),
    ('"name": "Inês",', "", "missing-field", "$", "name", "object"),
    (', "postcode": "7000"', "", "missing-field", "$.address", "postcode", "object"),
]


@pytest.mark.parametrize(
    ("old", "new", "code", "path", "expected", "found"),
    FAULTS,
    ids=[f"{one[3]}-{one[1]}" for one in FAULTS],
)
def test_each_fault_has_its_code_place_and_words(
    old: str, new: str, code: str, path: str, expected: str, found: str, fmt: Format
) -> None:
    assert GOOD.count(old) == 1
    text = GOOD.replace(old, new)
    error = fmt.refuse(text, Person)
    assert (error.code, error.path) == (code, path)
    assert expected in error.expected, error.expected
    if code != "missing-field":
        assert found in error.message, error.message
    assert error.message.startswith("expected ")
    assert ", found " in error.message or code == "missing-field"
    assert error.pointer == path.removeprefix("$").replace(".", "/").replace("[", "/").replace(
        "]", ""
    )
    assert isinstance(error, octad.DecodeError)
    assert isinstance(error, ValueError)


def test_the_place_is_that_of_the_value_in_characters() -> None:
    text = '{"name": "Inês é", "age": 1,\n "address": {"city": "Évora", "postcode": 7000}}'
    error = refusal(json.loads, text, Person)
    start = text.index("7000")
    assert error.offset == len(text[:start].encode())
    assert (error.line, error.column) == (2, start - text.index("\n"))
    shown = str(error).splitlines()
    caret = next(line for line in shown if line.strip() == "^")
    line = shown[shown.index(caret) - 1]
    assert line[caret.index("^") :].startswith("7000")
    assert "$.address.postcode" in str(error)


def test_a_missing_field_stands_at_its_object() -> None:
    text = '[{"name": "a"}, {"name": "b", "age": 1}]'
    error = refusal(json.loads, text, list[Person])
    assert (error.code, error.path, error.offset) == ("missing-field", "$[0]", 1)
    assert "age" in error.message


def test_an_unknown_field_stands_at_its_key() -> None:
    @octad.contract(unknown="forbid")
    @dataclass
    class Strict:
        a: int = 1

    text = '{"a": 1, "bb": 2}'
    error = refusal(json.loads, text, Strict)
    assert (error.code, error.offset) == ("unknown-field", text.index('"bb"'))
    assert "bb" in error.message
    assert error.path in ("$", "$.bb")


@pytest.mark.feature(83)
def test_check_tells_all_faults_in_order(fmt: Format) -> None:
    text = """{
      "name": 5,
      "age": 151,
      "address": {"city": null, "postcode": "x"},
      "roles": ["reader", "boss", 1],
      "born": "x"
    }"""
    problems = fmt.verbs.check(fmt.data(text), Person)
    assert [(one.code, one.path) for one in problems] == [
        ("wrong-type", "$.name"),
        ("out-of-bounds", "$.age"),
        ("wrong-type", "$.address.city"),
        ("wrong-length", "$.address.postcode"),
        ("invalid-value", "$.roles[1]"),
        ("invalid-value", "$.roles[2]"),
        ("invalid-value", "$.born"),
    ]
    for one in problems:
        assert one.expected
        assert one.found
        assert one.message
    if fmt.is_json:
        assert [one.line for one in problems] == [2, 3, 4, 4, 5, 5, 6]
        assert problems[0].value == "5"
    error = refusal(fmt.verbs.loads, fmt.data(text), Person)
    assert facts(error) == facts(problems[0])


def test_check_goes_on_behind_missing_fields() -> None:
    problems = json.check('[{"name": "a"}, {"age": -1}, 5]', list[Person])
    assert [(one.code, one.path) for one in problems] == [
        ("missing-field", "$[0]"),
        ("missing-field", "$[0]"),
        ("missing-field", "$[1]"),
        ("missing-field", "$[1]"),
        ("out-of-bounds", "$[1].age"),
        ("wrong-type", "$[2]"),
    ]


def test_check_stops_at_its_bound() -> None:
    text = json.dumps(["x"] * 1_000)
    assert len(json.check(text, list[int])) == 100
    assert len(json.check(text, list[int], max_problems=7)) == 7
    assert json.check(text, list[str]) == []


def test_check_of_a_broken_text_tells_where_it_breaks() -> None:
    problems = json.check('{"name": 5, "age": }', Person)
    assert "expected-value" in [one.code for one in problems]


def test_long_values_are_shortened() -> None:
    text = json.dumps({"name": ["x" * 1_000], "age": 1, "address": {}})
    error = refusal(json.loads, text, Person)
    assert len(str(error)) < 400
    (problem, *_) = json.check(text, Person)
    assert problem.value is not None
    assert len(problem.value) <= 50


def test_input_is_not_shown_where_that_is_switched_off() -> None:
    settings = octad.Settings(show_input=False)
    for text in (GOOD.replace("7,", '"top secret",'), GOOD.replace('"reader"', '"top secret"')):
        error = refusal(json.loads, text, Person, settings=settings)
        assert "secret" not in str(error) + repr(error) + error.message + error.found
        for problem in json.check(text, Person, settings=settings):
            assert "secret" not in f"{problem!r}{problem}"
        assert "secret" in str(refusal(json.loads, text, Person))


def test_errors_can_be_pickled_and_copied() -> None:
    error = refusal(json.loads, GOOD.replace("7,", '"x",'), Person)
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(again) is octad.ValidationError
        assert facts(again) == facts(error)
        assert (again.expected, again.found) == (error.expected, error.found)
        assert str(again) == str(error)


def test_keys_in_paths_are_quoted_where_they_need_it() -> None:
    error = refusal(json.loads, '{"a b": {"c.d": {"": "x"}}}', dict[str, dict[str, dict[str, int]]])
    assert error.pointer == "/a b/c.d/"
    assert json.parse('{"a b": {"c.d": {"": "x"}}}').at(error.pointer) == "x"


# --- exceptions of the user's code ---


@dataclass
class Rejecting:
    a: int

    def __post_init__(self) -> None:
        if self.a < 0:
            raise ValueError(f"no debts, but {self.a}")
        if self.a > 100:
            raise TypeError("too rich")
        if self.a == 13:
            raise KeyError("unlucky")
        if self.a == 14:
            raise octad.ValidationError("not fourteen", code="out-of-bounds")


@pytest.mark.parametrize(
    ("value", "kind", "words"), [(-1, ValueError, "no debts, but -1"), (101, TypeError, "too rich")]
)
def test_value_errors_of_a_class_are_refusals_with_a_path(
    value: int, kind: type[Exception], words: str, fmt: Format
) -> None:
    error = fmt.refuse(f'[{{"a": 1}}, {{"a": {value}}}]', list[Rejecting])
    assert (error.code, error.path) == ("rejected", "$[1]")
    assert words in error.message
    assert type(error.__cause__) is kind
    (problem,) = fmt.verbs.check(fmt.data(f'[{{"a": {value}}}]'), list[Rejecting])
    assert problem.code == "rejected"
    assert words in problem.message


def test_other_exceptions_pass_with_the_path_as_a_note(fmt: Format) -> None:
    data = fmt.data('{"k": [{"a": 13}]}')
    for call in (fmt.verbs.loads, fmt.verbs.check):
        with pytest.raises(KeyError) as caught:
            call(data, dict[str, list[Rejecting]])
        assert any("$.k[0]" in note for note in caught.value.__notes__)


def test_an_error_of_octad_keeps_its_class_and_gets_its_path(fmt: Format) -> None:
    error = refusal(fmt.verbs.loads, fmt.data('{"k": {"a": 14}}'), dict[str, Rejecting])
    assert error.code == "out-of-bounds"
    assert error.path == "$.k"
    assert "not fourteen" in error.message


class Stop(BaseException):
    pass


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit, MemoryError, Stop, GeneratorExit])
def test_nothing_swallows_what_is_no_fault_of_the_data(kind: type[BaseException]) -> None:
    @dataclass
    class Raising:
        a: int

        def __post_init__(self) -> None:
            raise kind("from user code")

    for call in (json.loads, json.check):
        with pytest.raises(kind, match="from user code"):
            call('[{"a": 1}]', list[Raising])
    # Nor does a union try the next branch.
    with pytest.raises(kind):
        json.loads('{"a": 1}', Raising | int)


def test_the_type_is_checked_before_the_data() -> None:
    with pytest.raises(octad.ContractError):
        json.loads(b"{", type)
    for wrong in (7, "no such name", object()):
        with pytest.raises((octad.ContractError, TypeError)):
            json.loads("1", wrong)


def test_errors_of_decoders_and_documents_are_those_of_loads() -> None:
    text = GOOD.replace("7,", '"x",')
    error = refusal(json.loads, text, Person)
    assert facts(refusal(json.Decoder(Person).loads, text)) == facts(error)
    document = json.parse(text)
    assert facts(refusal(document.to, Person)) == facts(error)
    inner = refusal(document["address"].to, Person)
    assert inner.path == "$.address"
    assert error_of(document.to, Person).expected == error.expected


def test_file_names_are_in_errors(tmp_path: Any) -> None:
    path = tmp_path / "a.json"
    path.write_text(GOOD.replace("7,", '"x",'))
    for load in (json.load, octad.load):
        error = refusal(load, path, Person)
        assert str(path) in str(error)
        assert error.path == "$.age"

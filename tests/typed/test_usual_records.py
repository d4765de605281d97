"""Plain records and dicts: names told by their first bytes, values in their turn."""

from __future__ import annotations

import dataclasses
import itertools
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import octad
import pytest
from octad import ValidationError, json

STEM = "abcdefghijklmnopqrstuvwxyz_abcdefghijklmnopqrstu"


def wide(names: list[str], slots: bool) -> Any:
    return dataclasses.make_dataclass(
        "Wide", [(name, int | None, None) for name in names], slots=slots
    )


@pytest.mark.parametrize("slots", [False, True])
@pytest.mark.parametrize("length", [*range(1, 20), 31, 32, 33, 48])
def test_names_of_every_length_are_told_from_those_near(length: int, slots: bool) -> None:
    name = STEM[:length]
    cls = wide([name], slots)
    assert json.loads(f'{{"{name}":7}}', cls) == cls(7)
    assert json.loads(f'{{"{name}" : 7, "{name}x":8}}', cls) == cls(7)
    near = [name + "a", name + "\\u0000", name.upper(), name[:-1], "x" + name]
    near += [name[:place] + "_" + name[place + 1 :] for place in range(length)]
    for other in near:
        if other != name:
            assert json.loads(f'{{"{other}":7}}', cls) == cls(None), other
    # A key spelled with escapes is the same key.
    escaped = "".join(f"\\u{ord(letter):04x}" for letter in name)
    assert json.loads(f'{{"{escaped}":7}}', cls) == cls(7)


@pytest.mark.parametrize("slots", [False, True])
def test_fields_are_found_wherever_they_stand(slots: bool) -> None:
    names = ["a", "ab", STEM[:15], STEM[:16], STEM[:17]]
    cls = wide(names, slots)
    for order in itertools.permutations(range(len(names))):
        for left_out in range(len(names) + 1):
            members = [f'"{names[n]}":{n}' for n in order if n != left_out]
            want = [None if n == left_out else n for n in range(len(names))]
            assert json.loads("{" + ",".join(members) + "}", cls) == cls(*want)
            text = '{"new":[1,{}],' + ',"other":{"a":1},'.join(members) + "}"
            assert json.loads(text, cls) == cls(*want)


@pytest.mark.parametrize("slots", [False, True])
def test_a_member_that_comes_again_follows_the_policy(slots: bool) -> None:
    cls = wide(["a", "b"], slots)
    for text, offset in (
        ('{"a":1,"a":2,"b":3}', 7),
        ('{"a":1,"b":3,"a":2}', 13),
        ('{"b":3,"\\u0061":1,"a":2}', 18),
        ('{"b":3,"a":1,"\\u0061":2}', 13),
    ):
        assert json.loads(text, cls, duplicates="last") == cls(2, 3)
        assert json.loads(text, cls, duplicates="first") == cls(1, 3)
        with pytest.raises(ValidationError) as caught:
            json.loads(text, cls)
        assert (caught.value.code, caught.value.path) == ("repeated-field", "$.a")
        assert caught.value.offset == offset
    # The second may be null, or no value of the field.
    assert json.loads('{"a":1,"a":null}', cls, duplicates="last") == cls(None, None)
    with pytest.raises(ValidationError):
        json.loads('{"a":1,"a":"x"}', cls, duplicates="last")
    assert json.loads('{"a":1,"a":"x"}', cls, duplicates="first") == cls(1, None)


@pytest.mark.parametrize("slots", [False, True])
def test_comments_may_stand_anywhere(slots: bool) -> None:
    cls = wide(["a", "b"], slots)
    text = '/*1*/{/*2*/"a"/*3*/:/*4*/1/*5*/,/*6*/"b":/*7*//*8*/null/*9*/,/*10*/"c":/*11*/{}/*12*/}'
    assert json.loads(text, cls, comments=True) == cls(1, None)
    assert json.loads(f"[/**/{text},//\n{text}/**/]", list[cls], comments=True) == [cls(1)] * 2
    text = '{/*1*/"a"/*2*/:/*3*/1/*4*/,"b":/*5*/2/*6*/}'
    assert json.loads(text, dict[str, int], comments=True) == {"a": 1, "b": 2}
    again = '{"a":/*1*/1,/*2*/"a":/*3*/2,"b":3}'
    assert json.loads(again, cls, comments=True, duplicates="last") == cls(2, 3)
    assert json.loads(again, cls, comments=True, duplicates="first") == cls(1, 3)


def test_names_in_any_case_and_other_names() -> None:
    @octad.contract(case_sensitive=False)
    @dataclass
    class Loose:
        name: int
        level: int = 0

    assert json.loads('{"NAME":1,"Level":2}', Loose) == Loose(1, 2)
    assert json.loads('{"name":1,"level":2}', Loose) == Loose(1, 2)

    @octad.contract(properties=("double",))
    @dataclass
    class Known:
        name: int
        level: int = 0

        @property
        def double(self) -> int:
            return 2 * self.level

    assert json.loads('{"name":1,"double":9,"level":2}', Known) == Known(1, 2)


@dataclass
class Inner:
    n: int


MOMENT = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
VALUES: list[tuple[Any, str, Any, str]] = [
    (str, '"x"', "x", "1"),
    (str, '"\\u0078"', "x", "null"),
    (str, '""', "", "[]"),
    (int, "12", 12, '"x"'),
    (int, "123456789012345678901234567890", 123456789012345678901234567890, "1.5"),
    (float, "1.5", 1.5, '"x"'),
    (float, "1", 1.0, "true"),
    (float, "0.1234567890123456789", 0.12345678901234568, "null"),
    (bool, "true", True, "1"),
    (datetime, '"2024-05-06T07:08:09Z"', MOMENT, '"2024-05-06"'),
    (list[int], "[1,2]", [1, 2], '["x"]'),
    (Inner, '{"n":1}', Inner(1), '{"n":"x"}'),
    (dict[str, int], '{"n":1}', {"n": 1}, '{"n":"x"}'),
    (int | None, "null", None, '"x"'),
    (int | str, '"x"', "x", "[]"),
]


@pytest.mark.parametrize(("of", "good", "value", "bad"), VALUES)
def test_dicts_of_usual_values(of: Any, good: str, value: Any, bad: str) -> None:
    read: Any = dict[str, of]
    assert json.loads("{}", read) == {}
    assert json.loads(f'{{"a":{good},"b":{good}}}', read) == {"a": value, "b": value}
    for text in (f'{{"a":{bad}}}', f'{{"a":{good},"b":{bad},"c":{good}}}'):
        with pytest.raises(ValidationError):
            json.loads(text, read)
    text = f'{{"a":{good},"b":{good},"a":{good}}}'
    assert json.loads(text, read, duplicates="last") == {"a": value, "b": value}
    assert json.loads(text, read, duplicates="first") == {"a": value, "b": value}
    with pytest.raises(ValidationError) as caught:
        json.loads(text, read)
    assert (caught.value.code, caught.value.offset) == ("repeated-field", text.rindex('"a"'))


@pytest.mark.parametrize(("of", "good", "value", "bad"), VALUES)
def test_check_tells_the_wrong_pairs_of_a_dict_and_no_others(
    of: Any, good: str, value: Any, bad: str
) -> None:
    read: Any = dict[str, of]
    text = f'{{"a":{bad},"b":{good},"c":{good},"b":{good},"d":{bad},"e":{good}}}'
    found = [(one.code == "repeated-field", one.path[:3]) for one in json.check(text, read)]
    assert found == [(False, "$.a"), (True, "$.b"), (False, "$.d")]
    assert json.check(f'{{"a":{good},"b":{good}}}', read) == []

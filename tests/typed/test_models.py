"""Models of pydantic beyond reading: filled in place, and quiet where input is not to be shown."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

import octad
import pytest
from octad import json

pydantic = pytest.importorskip("pydantic", reason="pydantic is not installed")


class Address(pydantic.BaseModel):
    street: str
    town: str = "T"


class Person(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="allow")
    name: str
    age: int = pydantic.Field(0, alias="years", ge=0)
    home: Address | None = None
    tags: dict[str, int] = {}  # noqa: RUF012
    secret: pydantic.SecretStr | None = None

    @pydantic.field_validator("name")
    @classmethod
    def not_empty(cls, value: str) -> str:
        if not value:
            raise ValueError("empty name")
        return value


class Strict(pydantic.BaseModel, strict=True):
    day: dt.date
    other: dt.date
    count: int = 1


@pytest.mark.feature(159, 203)
def test_a_model_is_filled_in_place() -> None:
    home = Address(street="s")
    person = Person(name="Ann", years=5, home=home, tags={"a": 1}, secret="hush")  # type: ignore[arg-type]
    secret = person.secret
    data = '{"years": 6, "home": {"town": "U"}, "tags": {"b": 2}, "more": [1]}'
    assert octad.load_into(person, data) is person
    assert person.age == 6
    assert person.home is home
    assert (home.street, home.town) == ("s", "U")
    assert person.tags == {"a": 1, "b": 2}
    assert person.secret is secret
    assert person.model_extra == {"more": [1]}
    assert person.model_fields_set == {"name", "age", "home", "tags", "secret", "more"}
    octad.load_into(person, b'{"home": null}')
    assert person.home is None
    octad.load_into(person, json.parse('{"home": {"street": "new"}}'))
    assert person.home == Address(street="new")


@pytest.mark.feature(159)
def test_a_model_that_is_refused_stays_as_it_was() -> None:
    person = Person(name="Ann", home=Address(street="s"))
    before = person.model_copy(deep=True)
    for data in ('{"name": ""}', '{"years": -1}', '{"home": {"street": "x", "town": 1}}', "[1]"):
        with pytest.raises(octad.ValidationError):
            octad.load_into(person, data)
        assert person == before
        assert person.model_fields_set == before.model_fields_set

    class Frozen(pydantic.BaseModel, frozen=True):
        a: int

    for fixed in (Frozen(a=1), pydantic.RootModel[list[int]]([1])):
        with pytest.raises(TypeError, match="an object that can be filled"):
            octad.load_into(fixed, '{"a": 2}')


@pytest.mark.feature(159)
def test_a_strict_model_and_one_inside_a_dataclass() -> None:
    strict = Strict(day=dt.date(2024, 1, 1), other=dt.date(2024, 1, 2))
    octad.load_into(strict, '{"day": "2025-01-01"}')
    assert strict == Strict(day=dt.date(2025, 1, 1), other=dt.date(2024, 1, 2))
    with pytest.raises(octad.ValidationError):
        octad.load_into(strict, '{"count": "2"}')

    @dataclass
    class Holder:
        person: Person
        number: int = 0

        def __octad_after_load__(self) -> None:
            if self.number < 0:
                raise ValueError("a number below 0")

    home = Address(street="s")
    person = Person(name="Ann", home=home)
    holder = Holder(person)
    octad.load_into(holder, '{"person": {"years": 7, "home": {"town": "V"}}, "number": 1}')
    assert holder.person is person
    assert (person.name, person.age, person.home) == ("Ann", 7, home)
    assert home.town == "V"
    with pytest.raises(ValueError, match="below 0"):
        octad.load_into(holder, '{"person": {"years": 8, "home": {"town": "W"}}, "number": -1}')
    assert (person.age, home.town, holder.number) == (7, "V", 1)


@pytest.mark.parametrize("model", [Person, Strict])
def test_errors_of_a_model_hide_the_input_where_it_is_not_to_be_shown(model: Any) -> None:
    hidden = octad.Settings(show_input=False)
    text = '{"years": "TOPSECRET", "day": "TOPSECRET", "other": "TOPSECRET", "name": "TOPSECRET"}'
    with pytest.raises(octad.ValidationError) as shown:
        json.loads(text, model)
    assert "TOPSECRET" in str(shown.value)
    for call in (
        lambda: json.loads(text, model, settings=hidden),
        lambda: json.loads(f"[{text}]", list[model], settings=hidden),  # type: ignore[valid-type]
        lambda: json.Decoder(model, settings=hidden).loads(text),
    ):
        with pytest.raises(octad.ValidationError) as caught:
            call()
        error: BaseException | None = caught.value
        # What is wrong with which field is told by the cause.
        assert "Input should be" in str(error.__cause__)
        while error is not None:
            assert "TOPSECRET" not in str(error)
            error = error.__cause__ or error.__context__
    problems = json.check(text, model, settings=hidden)
    assert problems
    assert "TOPSECRET" not in str(problems)

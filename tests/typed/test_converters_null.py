"""None where a field names a converter: null, unless null is the converter's matter.

The same on reading and writing; on items, values of dicts and keys, too.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any

import octad
import pytest
from octad import Field, json

pytestmark = pytest.mark.feature(186, 187)


class Box:
    def __init__(self, inner: Any) -> None:
        self.inner = inner

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Box) and self.inner == other.inner

    def __hash__(self) -> int:
        return hash(self.inner)

    def __repr__(self) -> str:
        return f"Box({self.inner!r})"


class Strict(octad.Converter[Box]):
    """Knows nothing of None."""

    def read(self, r: octad.Reader) -> Box:
        assert r.kind != "null"
        return Box(r.read(int))

    def write(self, w: octad.Writer, value: Box) -> None:
        w.value(value.inner)


class Some(Strict):
    kinds = ("int",)


class Nullable(octad.Converter[Any]):
    """Null is what it writes for an empty box, and None has a word."""

    kinds = ("null", "int", "text")

    def read(self, r: octad.Reader) -> Any:
        if r.kind == "null":
            return Box(None)
        return Box(r.read(int)) if r.kind == "int" else None

    def write(self, w: octad.Writer, value: Any) -> None:
        w.value("none" if value is None else value.inner)


class Anything(octad.Converter[Any]):
    """Says nothing of kinds."""

    def read(self, r: octad.Reader) -> Any:
        return ["read", r.read()]

    def write(self, w: octad.Writer, value: Any) -> None:
        w.value(value[1] if value is not None else "none")


def both(of: type, value: Any, text: str) -> None:
    """A value and its text are each other's, whatever way is taken."""
    assert json.dumps(value) == text.encode()
    for options in ({"sort_keys": True}, {"indent": 1}):
        assert json.loads(json.dumps(value, **options)) == json.loads(text)
    assert json.loads(text, of) == value
    assert json.parse(text).to(of) == value
    assert json.check(text, of) == []


@pytest.mark.parametrize("converter", [Strict, Strict(), Some()])
def test_none_of_an_optional_field_is_null(converter: Any) -> None:
    @dataclass
    class Holder:
        one: Annotated[Box | None, Field(converter=converter)] = None

    both(Holder, Holder(Box(1)), '{"one":1}')
    both(Holder, Holder(None), '{"one":null}')
    assert json.dumps([Holder(), Holder(Box(2))]) == b'[{"one":null},{"one":2}]'


def test_none_is_null_where_the_field_does_not_say_so() -> None:
    @dataclass
    class Holder:
        one: Annotated[Box, Field(converter=Strict())]
        many: Annotated[list[Box], Field(item_converter=Strict())]

    nothing: Any = None
    assert json.dumps(Holder(nothing, [nothing, Box(1)])) == b'{"one":null,"many":[null,1]}'


def test_a_converter_that_names_null_is_asked() -> None:
    @dataclass
    class Holder:
        one: Annotated[Box | None, Field(converter=Nullable())]
        many: Annotated[list[Box | None], Field(item_converter=Nullable())]

    both(Holder, Holder(None, [None, Box(1)]), '{"one":"none","many":["none",1]}')
    both(Holder, Holder(Box(None), [Box(None)]), '{"one":null,"many":[null]}')


def test_items_and_values_of_dicts() -> None:
    @dataclass
    class Holder:
        many: Annotated[list[Box | None], Field(item_converter=Strict())]
        named: Annotated[dict[str, Box | None], Field(item_converter=Strict)]
        pair: Annotated[tuple[Box | None, ...] | None, Field(item_converter=Some())] = None
        rest: Annotated[list[Box | None] | None, Field(item_converter=Strict())] = None

    both(
        Holder,
        Holder([Box(1), None], {"a": None, "b": Box(2)}, (None, Box(3))),
        '{"many":[1,null],"named":{"a":null,"b":2},"pair":[null,3],"rest":null}',
    )


def test_where_the_type_says_nothing_the_converter_is_asked() -> None:
    @dataclass
    class Holder:
        one: Annotated[Any, Field(converter=Anything())]
        many: Annotated[list, Field(item_converter=Anything())]  # type: ignore[type-arg]

    both(Holder, Holder(["read", None], [["read", 1]]), '{"one":null,"many":[1]}')
    assert json.dumps(Holder(None, [None])) == b'{"one":"none","many":["none"]}'


def test_none_among_what_the_settings_convert() -> None:
    settings = octad.Settings(converters=[Strict()])
    text = b'[null,1,{"a":null}]'
    value = [None, Box(1), {"a": None}]
    assert json.dumps(value, settings=settings) == text
    assert json.loads("[null,1]", list[Box | None], settings=settings) == [None, Box(1)]


def test_none_among_keys() -> None:
    class Keys(octad.Converter[Box]):
        def read_key(self, text: str) -> Box:
            assert text != "null"
            return Box(int(text))

        def write_key(self, value: Box) -> str:
            return str(value.inner)

    class Both(Keys, Strict):
        pass

    for converter in (Keys(), Both()):
        settings = octad.Settings(converters=[converter])
        value = {None: 1, Box(2): 3}
        assert json.dumps(value, settings=settings) == b'{"null":1,"2":3}'
        of = dict[Box | None, int]
        assert json.loads('{"null":1,"2":3}', of, settings=settings) == value
        assert json.loads('{"2":3}', dict[Box, int], settings=settings) == {Box(2): 3}


def test_a_converter_that_only_reads_leaves_writing_to_octad() -> None:
    class Doubled(octad.Converter[int]):
        def read(self, r: octad.Reader) -> int:
            return 2 * r.read(int)

    @dataclass
    class Holder:
        one: Annotated[int | None, Field(converter=Doubled())] = None
        many: Annotated[list[int | None], Field(item_converter=Doubled())] = field(
            default_factory=list
        )

    assert json.dumps(Holder(3, [4, None])) == b'{"one":3,"many":[4,null]}'
    assert json.loads('{"one":3,"many":[4,null]}', Holder) == Holder(6, [8, None])


def test_factories_make_the_converter_of_what_is_not_none() -> None:
    asked = []

    class Boxes(octad.ConverterFactory):
        def make(self, kind: Any) -> octad.Converter[Any] | None:
            asked.append(kind)
            return Strict() if kind is Box else None

    @dataclass
    class Holder:
        one: Annotated[Box | None, Field(converter=Boxes())] = None
        named: Annotated[dict[str, Box | None] | None, Field(item_converter=Boxes)] = None

    both(Holder, Holder(Box(1), {"a": None}), '{"one":1,"named":{"a":null}}')
    assert set(asked) == {Box}

    @dataclass
    class Wrong:
        one: Annotated[int, Field(converter=Boxes())] = 1

    with pytest.raises(octad.ContractError, match=r"one: .*Boxes makes no converter"):
        json.dumps(Wrong())

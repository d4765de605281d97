"""`octad.schema`: what it says for each shape, and that it agrees with what is read and written."""

from __future__ import annotations

import datetime as dt
import enum
import json as stdlib_json
import typing
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Annotated, Any, Literal, NamedTuple, TypedDict

import octad
import pytest
import typing_extensions
from octad import json

from tests.typed.schema_check import accepts
from tests.typed.shapes import SHAPES, Json, Point, Shape, Tree

pytestmark = pytest.mark.feature(252)

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def of(hint: Any, **options: Any) -> Any:
    """A schema without the line that names the dialect."""
    found = octad.schema(hint, **options)
    assert found.pop("$schema") == DIALECT
    assert stdlib_json.loads(stdlib_json.dumps(found)) == found, "not plain JSON"
    return found


# What a schema says of refused texts: these say only in words what JSON Schema has no words for.
_UNSAID = {
    "invalid-value",  # the text of a date, a UUID, an address
    "missing-field",  # of `collections.namedtuple`, checked below
}


@pytest.mark.parametrize("shape", SHAPES, ids=lambda one: one.name)
def test_schema_accepts_what_is_read(shape: Shape) -> None:
    schema = octad.schema(shape.of)
    assert accepts(schema, stdlib_json.loads(shape.text)), schema
    for text, code, _ in shape.refused:
        # JSON Schema takes 1.0 and 1e2 for integers.
        if code not in _UNSAID and text not in ("1.0", "1e2"):
            assert not accepts(schema, stdlib_json.loads(text)), (text, schema)


# What `dumps` refuses unless `keys=` says how: no text can be its key.
_READ_ONLY = {"dict[tuple, int]"}


@pytest.mark.parametrize(
    "shape", [one for one in SHAPES if one.name not in _READ_ONLY], ids=lambda one: one.name
)
def test_schema_of_writing_accepts_what_is_written(shape: Shape) -> None:
    written = json.dumps(shape.value, bytes="base64")
    schema = octad.schema(shape.of, mode="serialization")
    assert accepts(schema, stdlib_json.loads(written)), (written, schema)


@pytest.mark.parametrize(
    "shape", [one for one in SHAPES if one.name in _READ_ONLY], ids=lambda one: one.name
)
def test_what_is_read_only_says_so_on_writing(shape: Shape) -> None:
    with pytest.raises(octad.EncodeError, match="expected a key"):
        json.dumps(shape.value, bytes="base64")


def test_schema_agrees_with_another_judge() -> None:
    judge = pytest.importorskip("jsonschema", reason="no validator of JSON Schema is installed")
    for shape in SHAPES:
        schema = octad.schema(shape.of)
        judge.Draft202012Validator.check_schema(schema)
        judge.Draft202012Validator(schema).validate(stdlib_json.loads(shape.text))


@dataclass
class Leaf:
    """One leaf.

    Of a plant.
    """

    size: Annotated[float, octad.Field(gt=0, le=10)]
    name: Annotated[str, octad.Field(min_length=1, max_length=8, pattern="^[a-z]+$")] = "leaf"
    tags: Annotated[list[str], octad.Field(min_length=1)] = field(default_factory=list)
    counts: Annotated[dict[str, int], octad.Field(max_length=3)] = field(default_factory=dict)
    step: Annotated[int, octad.Field(multiple_of=5)] = 5


def test_constraints_descriptions_and_defaults() -> None:
    assert of(Leaf) == {
        "title": "Leaf",
        "description": "One leaf.\n\nOf a plant.",
        "type": "object",
        "properties": {
            "size": {"type": "number", "exclusiveMinimum": 0, "maximum": 10},
            "name": {
                "type": "string",
                "minLength": 1,
                "maxLength": 8,
                "pattern": "^[a-z]+$",
                "default": "leaf",
            },
            "tags": {"type": "array", "items": {"type": "string"}, "minItems": 1, "default": []},
            "counts": {
                "type": "object",
                "additionalProperties": {"type": "integer"},
                "maxProperties": 3,
                "default": {},
            },
            "step": {"type": "integer", "multipleOf": 5, "default": 5},
        },
        "required": ["size"],
    }


def test_generated_docstrings_are_no_descriptions() -> None:
    assert "description" not in of(Point)


def test_recursion_goes_through_definitions() -> None:
    found = of(Tree)
    assert found["$ref"] == "#/$defs/Tree"
    assert found["$defs"]["Tree"]["properties"]["left"] == {
        "anyOf": [{"$ref": "#/$defs/Tree"}, {"type": "null"}],
        "default": None,
    }
    assert of(list[Point]) == {
        "type": "array",
        "items": {"$ref": "#/$defs/Point"},
        "$defs": {"Point": of(Point)},
    }


def test_an_alias_that_holds_itself_is_a_definition() -> None:
    found = of(Json)
    assert list(found["$defs"]) == ["Json"]
    assert {"type": "array", "items": {"$ref": "#/$defs/Json"}} in found["$defs"]["Json"]["anyOf"]


def test_references_follow_the_template() -> None:
    found = of(list[Point], ref_template="#/components/schemas/{name}")
    assert found["items"] == {"$ref": "#/components/schemas/Point"}
    assert list(found["$defs"]) == ["Point"]
    with pytest.raises(ValueError, match="name"):
        octad.schema(Point, ref_template="#/x")
    with pytest.raises(ValueError, match="mode"):
        octad.schema(Point, mode="reading")


@dataclass
class Circle:
    kind: Literal["circle"]
    r: float


@dataclass
class Square:
    kind: Literal["square"]
    side: float


def test_a_union_by_tag_is_one_of() -> None:
    found = of(Circle | Square)
    assert [one["$ref"] for one in found["oneOf"]] == ["#/$defs/Circle", "#/$defs/Square"]
    assert found["oneOf"][0]["properties"] == {"kind": {"const": "circle"}}
    assert found["oneOf"][0]["required"] == ["kind"]
    assert found["discriminator"] == {
        "propertyName": "kind",
        "mapping": {"circle": "#/$defs/Circle", "square": "#/$defs/Square"},
    }
    assert accepts(found, {"kind": "circle", "r": 1})
    assert not accepts(found, {"kind": "circle", "side": 1})
    assert not accepts(found, {"r": 1})


@octad.contract(tag=True, tag_field="$type", unknown="forbid")
@dataclass
class Truck:
    load: int


@octad.contract(tag="bike", tag_field="$type")
@dataclass
class Bike:
    bell: bool = False


def test_tags_of_classes_are_constants() -> None:
    found = of(Truck | Bike)
    assert accepts(found, {"$type": "Truck", "load": 1})
    assert not accepts(found, {"$type": "Truck", "load": 1, "more": 2}), "forbidden"
    assert accepts(found, {"$type": "bike", "more": 2})
    assert not accepts(found, {"$type": "car"})
    written = octad.schema(Truck | Bike, mode="serialization")
    assert accepts(written, {"$type": "Truck", "load": 1})
    assert not accepts(written, {"load": 1})


@octad.contract(tag=True, tag_place="around")
@dataclass
class Around:
    a: int


@octad.contract(tag=True, tag_place="around")
@dataclass
class Other:
    b: int


def test_tags_around_are_objects_of_one_member() -> None:
    found = of(Around | Other)
    assert accepts(found, {"Around": {"a": 1}})
    assert not accepts(found, {"Around": {"b": 1}})
    assert not accepts(found, {"a": 1})


@octad.contract(rename="camel", unknown="forbid")
@dataclass
class Renamed:
    first_name: str
    last_name: Annotated[str, octad.Field(aliases=("surname",))]
    secret: Annotated[str, octad.Field(ignore=True)] = ""
    only_read: Annotated[int, octad.Field(ignore="write")] = 0


def test_names_aliases_and_ignored_fields() -> None:
    found = of(Renamed)
    assert list(found["properties"]) == ["firstName", "lastName", "surname", "onlyRead"]
    assert found["additionalProperties"] is False
    assert accepts(found, {"firstName": "a", "surname": "b"})
    assert not accepts(found, {"firstName": "a"})
    assert not accepts(found, {"firstName": "a", "lastName": "b", "secret": "c"})
    written = of(Renamed, mode="serialization")
    assert list(written["properties"]) == ["firstName", "lastName"]
    assert written["required"] == ["firstName", "lastName"]


def test_settings_change_what_is_read_and_written() -> None:
    settings = octad.Settings(rename="kebab", omit_none=True, unknown="forbid")

    @dataclass
    class Some:
        one_two: int | None = None
        three: int = 3

    found = of(Some, settings=settings)
    assert list(found["properties"]) == ["one-two", "three"]
    assert found["additionalProperties"] is False
    assert "required" not in found
    written = of(Some, settings=settings, mode="serialization")
    assert list(written["properties"]) == ["one-two", "three"]
    assert of(Some, mode="serialization")["required"] == ["one_two", "three"]


def test_numbers_and_dates_in_other_forms() -> None:
    settings = octad.Settings(numbers_from_text=True, numbers_as_text=True, dates="epoch")
    found = of(tuple[int, dt.datetime, Decimal], settings=settings)
    assert accepts(found, ["12", 1.5, "1.50"])
    assert not accepts(found, ["x", 1.5, "1.50"])
    written = of(tuple[int, dt.datetime], settings=settings, mode="serialization")
    assert written["prefixItems"][0]["type"] == "string"
    assert written["prefixItems"][1]["type"] == "number"
    microsoft = of(dt.datetime, settings=octad.Settings(dates="microsoft"))
    assert accepts(microsoft, "/Date(1700000000000+0100)/")
    assert not accepts(microsoft, "2024-01-01T00:00:00Z")


def test_forms_of_bytes() -> None:
    assert of(bytes)["contentEncoding"] == "base64"
    forms = {form: of(bytes, settings=octad.Settings(bytes=form)) for form in ("hex", "array")}
    assert forms["hex"] == {"type": "string", "contentEncoding": "base16"}
    assert accepts(forms["array"], [0, 255])
    assert not accepts(forms["array"], [256])


class Kinds(enum.Enum):
    """Some kinds."""

    A = 1
    B = "b"


def test_enums_are_definitions_with_their_text() -> None:
    assert of(Kinds) == {"title": "Kinds", "description": "Some kinds.", "enum": [1, "b"]}
    assert of(list[Kinds])["$defs"]["Kinds"]["enum"] == [1, "b"]
    assert of(Literal["a", "b"]) == {"type": "string", "enum": ["a", "b"]}
    assert of(Literal["a"]) == {"const": "a"}
    assert not accepts(octad.schema(Literal[1]), True)


def test_named_tuples_may_come_as_arrays_and_objects() -> None:
    class Place(NamedTuple):
        x: int
        y: int = 0

    read, written = octad.schema(Place), octad.schema(Place, mode="serialization")
    for value in ([1], [1, 2], {"x": 1}):
        assert accepts(read, value)
    for value in ([], [1, 2, 3], ["1"], {"y": 1}):
        assert not accepts(read, value)
    assert accepts(written, stdlib_json.loads(json.dumps(Place(1))))
    assert not accepts(written, {"x": 1, "y": 2})


def test_records_as_arrays() -> None:
    @octad.contract(array=True)
    @dataclass
    class Place:
        x: int
        y: int = 0

    for mode in ("validation", "serialization"):
        found = of(Place, mode=mode)
        assert found["type"] == "array"
        assert len(found["prefixItems"]) == 2
    assert accepts(octad.schema(Place), [1])


def test_flattened_and_extra_fields() -> None:
    @dataclass
    class Inner:
        a: int

    @octad.contract(unknown="forbid")
    @dataclass
    class Outer:
        own: int
        inner: Annotated[Inner, octad.Field(flatten=True)]
        rest: Annotated[dict[str, Any], octad.Field(extra=True)] = field(default_factory=dict)

    found = octad.schema(Outer)
    assert accepts(found, {"own": 1, "a": 2, "more": 3})
    assert not accepts(found, {"own": 1})


class Described(TypedDict):
    a: Annotated[int, typing_extensions.Doc("the first")]
    b: typing.NotRequired[Annotated[str, typing_extensions.Doc("the second")]]


def test_texts_of_fields_are_descriptions() -> None:
    found = of(Described)["properties"]
    assert found["a"] == {"type": "integer", "description": "the first"}
    assert found["b"]["description"] == "the second"


def test_texts_of_foreign_metadata_are_descriptions() -> None:
    import msgspec

    meta = msgspec.Meta(
        ge=1,
        title="Age",
        description="in years",
        examples=[7],
        extra_json_schema={"readOnly": True},
    )

    @dataclass
    class Person:
        age: Annotated[int, meta]

    Person.__annotations__["age"] = Annotated[int, meta]
    assert of(Person)["properties"]["age"] == {
        "type": "integer",
        "minimum": 1,
        "title": "Age",
        "description": "in years",
        "examples": [7],
        "readOnly": True,
    }


def test_classes_of_one_name_are_kept_apart() -> None:
    def make(fields: Any) -> Any:
        return typing.NamedTuple("Same", fields)

    found = of(tuple[make([("a", int)]), make([("a", str)])])
    assert len(found["$defs"]) == 2
    references = [one["$ref"] for one in found["prefixItems"]]
    assert len(set(references)) == 2
    assert accepts(found, [[1], ["x"]])
    assert not accepts(found, [["x"], [1]])


def test_case_insensitive_names_are_patterns() -> None:
    found = octad.schema(Point, settings=octad.Settings(case_sensitive=False))
    assert accepts(found, {"X": 1})
    assert not accepts(found, {"X": "1"})


def test_types_without_a_plan_are_refused() -> None:
    with pytest.raises(octad.ContractError):
        octad.schema(typing.Callable[[], int])


def test_the_judge_of_this_file_can_refuse() -> None:
    assert not accepts({"type": "integer"}, 1.5)
    assert not accepts({"enum": [1]}, True)
    assert not accepts({"oneOf": [{}, {"type": "null"}]}, None)
    with pytest.raises(AssertionError, match="unknown"):
        accepts({"minimun": 1}, 1)

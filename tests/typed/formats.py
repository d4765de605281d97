"""What typed tests share: one door per format, exact comparison, a refusal with all its facts.

A test writes its data as JSON text; `Format.data` gives the same data in the format under test.
Reading goes through every way there is (loads, Decoder, a document's `to`, check), so each test
holds them together.
"""

from __future__ import annotations

import collections
import dataclasses
import functools
import importlib
import struct
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

import octad

# Formats whose texts can hold whatever JSON can.
_GENERAL = ("json", "json5", "cbor", "msgpack", "toon", "oct")


@dataclass(frozen=True)
class Format:
    """One format and its verbs."""

    name: str

    @property
    def verbs(self) -> Any:
        return importlib.import_module(f"octad.{self.name}")

    @property
    def is_json(self) -> bool:
        """Whether places in the text (offset, line, column) are those of the JSON text."""
        return self.name == "json"

    def data(self, text: str | bytes) -> bytes:
        """The data of a JSON text."""
        raw = text.encode() if isinstance(text, str) else text
        return raw if self.is_json else octad.convert(raw, "json", self.name)

    def loads(self, text: str | bytes, of: Any, **options: Any) -> Any:
        """Read a JSON text's data into a type, in every way, which must agree."""
        data = self.data(text)
        value = self.verbs.loads(data, of, **options)
        assert self.verbs.check(data, of, **options) == []
        for again in (
            self.verbs.Decoder(of, **options).loads(data),
            self.verbs.parse(data, **options).to(of),
        ):
            found = difference(again, value)
            assert found is None, found
        return value

    def refuse(self, text: str | bytes, of: Any, **options: Any) -> octad.ValidationError:
        """The error with which every way of reading refuses a text."""
        data = self.data(text)
        error = refusal(self.verbs.loads, data, of, **options)
        for again in (
            refusal(self.verbs.Decoder(of, **options).loads, data),
            refusal(self.verbs.parse(data, **options).to, of),
        ):
            assert facts(again) == facts(error)
        problems = self.verbs.check(data, of, **options)
        assert problems, "check finds nothing in what loads refuses"
        assert facts(error) in [facts(one) for one in problems], problems
        return error

    def dumps(self, value: Any, **options: Any) -> Any:
        """What is written, as plain values; JSON is read by octad's untyped reader."""
        return self.verbs.loads(self.verbs.dumps(value, **options))

    def trip(self, value: Any, of: Any, **options: Any) -> Any:
        """Write and read again."""
        return self.verbs.loads(self.verbs.dumps(value, **options), of, **options)


FORMATS = [Format(name) for name in octad.formats if name in _GENERAL]
JSON = Format("json")


def refusal(call: Any, *args: Any, **options: Any) -> octad.ValidationError:
    """The validation error of a call; anything else is a failure."""
    try:
        value = call(*args, **options)
    except octad.ValidationError as error:
        return error
    raise AssertionError(f"{value!r:.200} was read from {args!r:.200}")


def facts(error: Any) -> tuple[Any, ...]:
    """What an error and a problem have in common."""
    return (error.code, error.path, error.offset, error.line, error.column)


def difference(got: Any, want: Any, where: str = "value", *, ordered: bool = True) -> str | None:
    """The first place where two values differ in type or value, or None."""
    inside = functools.partial(difference, ordered=ordered)
    if type(got) is not type(want):
        return (
            f"{where}: {type(got).__name__} {got!r:.80} is not {type(want).__name__} {want!r:.80}"
        )
    if isinstance(want, float):
        same = struct.pack(">d", got) == struct.pack(">d", want)
    elif isinstance(want, Decimal):
        same = got.as_tuple() == want.as_tuple()
    elif isinstance(want, datetime | time):
        same = got == want and got.utcoffset() == want.utcoffset() and got.fold == want.fold
    elif isinstance(want, date):
        same = got == want
    elif isinstance(want, collections.ChainMap):
        return inside(got.maps, want.maps, where)
    elif isinstance(want, dict):
        if (
            isinstance(want, collections.defaultdict)
            and got.default_factory != want.default_factory
        ):
            return f"{where}: another default factory"
        pairs, others = list(got.items()), list(want.items())
        if not ordered:
            pairs.sort(key=repr)
            others.sort(key=repr)
        return inside(pairs, others, where)
    elif isinstance(want, collections.deque) and got.maxlen != want.maxlen:
        return f"{where}: maxlen {got.maxlen} is not {want.maxlen}"
    elif isinstance(want, list | tuple | collections.deque):
        if len(got) != len(want):
            return f"{where}: {len(got)} items are not {len(want)}"
        found = (
            inside(left, right, f"{where}[{index}]")
            for index, (left, right) in enumerate(zip(got, want, strict=True))
        )
        return next((one for one in found if one is not None), None)
    elif isinstance(want, set | frozenset):
        same = got == want and {type(one) for one in got} == {type(one) for one in want}
    elif type(want).__name__ == "ndarray":
        same = got.dtype == want.dtype and got.tolist() == want.tolist()
    elif names := fields_of(want):
        found = (
            inside(getattr(got, name, _GONE), getattr(want, name, _GONE), f"{where}.{name}")
            for name in names
        )
        return next((one for one in found if one is not None), None)
    else:
        same = bool(got == want)
    return None if same else f"{where}: {got!r:.80} is not {want!r:.80}"


_GONE = object()


def fields_of(value: Any) -> list[str]:
    """The fields of an instance of a class with fields; empty for other values."""
    if dataclasses.is_dataclass(value):
        return [one.name for one in dataclasses.fields(value)]
    attributes = getattr(type(value), "__attrs_attrs__", None)
    if attributes is not None:
        return [one.name for one in attributes]
    return list(getattr(type(value), "__struct_fields__", ()))


def assert_same(got: Any, want: Any) -> None:
    """Fail unless both agree in type and value all the way down."""
    found = difference(got, want)
    assert found is None, found

"""dumps at its edges: raw fragments, canonical numbers, keys as written, huge ints, odd objects."""

from __future__ import annotations

import collections
import subprocess
import sys
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import octad
import pytest
from octad import json
from octad._errors import EncodeError


def refused(code: str, call: Callable[[], object]) -> EncodeError:
    with pytest.raises(EncodeError) as caught:
        call()
    assert caught.value.code == code
    return caught.value


@pytest.mark.parametrize("data", ["\ufeff1", b"\xef\xbb\xbf{}"])
def test_no_byte_order_mark_within_a_text(data: Any) -> None:
    assert refused("invalid-raw", lambda: json.dumps([octad.Raw(data)])).path == "$[0]"
    refused("invalid-raw", lambda: json.dumps(octad.Raw(data)))
    writer = json.Writer()
    refused("invalid-raw", lambda: writer.raw(data))
    assert json.loads(json.dumps(octad.Raw('"\ufeff"'))) == "\ufeff"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1e17, b"100000000000000000"),
        (2**53, b"9007199254740992"),
        (2**54, b"18014398509481984"),
        (-(2**62), b"-4611686018427388000"),
        (2**63, b"9223372036854776000"),
        (2**68, b"295147905179352830000"),
        (10**21, b"1e+21"),
        (2**1023, b"8.98846567431158e+307"),
    ],
)
def test_canonical_text_is_a_fixed_point(value: Any, text: bytes) -> None:
    assert json.dumps(value, canonical=True) == text
    assert json.dumps(json.loads(text), canonical=True) == text
    assert json.dumps(json.parse(text), canonical=True) == text


@pytest.mark.parametrize("value", [2**53 + 1, 2**64 - 1, 10**309, 10**22 + 1])
def test_canonical_refuses_an_int_that_would_change(value: int) -> None:
    failure = refused("unrepresentable", lambda: json.dumps([value], canonical=True))
    assert "numbers are doubles" in failure.message
    refused("unrepresentable", lambda: json.dumps(json.parse(b"[%d]" % value), canonical=True))


def test_canonical_covers_fragments() -> None:
    for trusted in (False, True):
        raw = octad.Raw('{ "b": 1.50, "a": "\\u0041" }', trusted)
        assert json.dumps({"z": raw}, canonical=True) == b'{"z":{"a":"A","b":1.5}}'
    twice = octad.Raw('{"b": 1, "b": 2}')
    assert refused("key-clash", lambda: json.dumps([twice], canonical=True)).path == "$[0].b"
    broken = octad.Raw("{", trusted=True)
    refused("invalid-raw", lambda: json.dumps([broken], canonical=True))


@pytest.mark.parametrize("sort_keys", [False, True])
def test_keys_are_compared_as_written(sort_keys: bool) -> None:
    value = {chr(0xD800): 1, chr(0xDC00): 2}
    refused("key-clash", lambda: json.dumps([value], surrogates="replace", sort_keys=sort_keys))
    kept = json.dumps(value, surrogates="keep", sort_keys=sort_keys)
    assert json.loads(kept, surrogates="keep") == value
    kept = json.dumps(OrderedDict(value), surrogates="keep", sort_keys=sort_keys)
    assert json.loads(kept, surrogates="keep") == value
    mark = {"\ud800": 1} | {chr(0xFFFD): 2}
    refused("key-clash", lambda: json.dumps(mark, surrogates="replace"))
    assert json.dumps({"\ud800": {"b": 1, "a": 2}}, surrogates="replace") == (
        '{"\ufffd":{"b":1,"a":2}}'.encode()
    )


def test_huge_ints_are_exact_and_quick() -> None:
    started = time.perf_counter()
    written = json.dumps(1 << 1_332_000)
    assert time.perf_counter() - started < 5  # quadratic arithmetic takes 13 s on the same machine
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        for value in (1 << 1_332, 7**40_000, 10**50_000, 10**50_000 - 1, (1 << 200_000) + 1):
            assert json.dumps([value, -value]) == f"[{value},{-value}]".encode()
            assert json.dumps({value: 0}) == f'{{"{value}":0}}'.encode()
    finally:
        sys.set_int_max_str_digits(limit)
    assert len(written) == 400_972
    assert int(written[-15:]) == pow(2, 1_332_000, 10**15)


def test_limits_of_digits_do_not_bound_writing() -> None:
    assert json.dumps(10**40, limits=octad.Limits(digits=1)) == b"1" + b"0" * 40


@pytest.mark.parametrize("name", ["sort_keys", "final_newline", "canonical"])
@pytest.mark.parametrize("value", ["no", 1, 0, []])
def test_flags_are_bools(name: str, value: Any) -> None:
    for call in (lambda **given: json.dumps([1], **given), json.Encoder, json.Writer):
        with pytest.raises(TypeError, match=f"`{name}`: expected True or False"):
            call(**{name: value})


@pytest.mark.parametrize("name", ["limits", "settings", "default"])
def test_objects_of_options_are_checked(name: str) -> None:
    with pytest.raises(TypeError, match=f"`{name}`: expected"):
        json.dumps([1], **{name: 5})


def test_none_is_not_given() -> None:
    nothing: Any = dict.fromkeys(
        ("newline", "escape", "keys", "nan", "surrogates", "sort_keys", "limits", "settings")
    )
    assert json.dumps({1: "é"}, **nothing) == '{"1":"é"}'.encode()


@pytest.mark.parametrize("offset", [-1, 3, 2**70, -(2**70)])
def test_an_offset_lies_within_the_buffer(offset: int) -> None:
    for call in (json.dump_into, json.Encoder().dump_into):
        buffer = bytearray(b"ab")
        with pytest.raises(ValueError, match=r"`offset`: .*the 2 bytes"):
            call([1], buffer, offset)
        assert buffer == b"ab"
        with pytest.raises(TypeError, match="`offset`"):
            call([1], buffer, "1")  # type: ignore[arg-type]


def test_newlines_are_named_in_one_line() -> None:
    with pytest.raises(ValueError, match=r'one of "\\n", "\\r\\n", "\\r" for newline, found'):
        json.dumps([1], newline="x")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("separators", "indent="),
        ("ensure_ascii", 'escape="ascii"'),
        ("cls", "default="),
        ("option", "sort_keys=True"),
        ("parse_float", "for reading"),
        ("colour", "settings"),
    ],
)
def test_unknown_options_name_those_there_are(name: str, hint: str) -> None:
    calls: list[Callable[..., object]] = [
        lambda **given: json.dumps(1, **given),
        lambda **given: json.dumps_str(1, **given),
        lambda **given: json.dump_into(1, bytearray(), **given),
        json.Encoder,
        json.Writer,
    ]
    for call in calls:
        with pytest.raises(
            TypeError, match=f"unknown option `{name}`: expected one of indent"
        ) as e:
            call(**{name: 1})
        assert hint in str(e.value)


def test_a_refused_key_names_the_policy() -> None:
    failure = refused("key-type", lambda: json.dumps({1: 2}, keys="error"))
    assert failure.message == 'expected a str key (`keys="error"`), found `int`'


@pytest.mark.parametrize("call", ["value", "key", "entry", "raw", "list", "map", "end", "finish"])
def test_a_writer_within_its_own_call(call: str) -> None:
    arguments: dict[str, tuple[Any, ...]] = {
        "value": (1,),
        "key": ("a",),
        "entry": ("a", 1),
        "raw": (b"1",),
    }

    def again(_: object) -> None:
        getattr(writer, call)(*arguments.get(call, ()))

    writer = json.Writer(default=again)
    failure = refused("writer-state", lambda: writer.value(object()))
    assert "one call of a writer at a time" in failure.message
    writer.value(1)
    assert writer.finish() == b"1"


def test_a_container_that_ends_within_a_call() -> None:
    writer = json.Writer(default=lambda _: opened.__exit__(None, None, None))
    opened = writer.list()
    refused("writer-state", lambda: writer.value(object()))


@dataclass
class Tagged(dict):  # type: ignore[type-arg]
    tag: str


@dataclass
class Titled(list):  # type: ignore[type-arg]
    title: str


class Doubled(list):  # type: ignore[type-arg]
    def __iter__(self) -> Iterator[Any]:
        for item in super().__iter__():
            yield item * 2


class Reversed(tuple):  # type: ignore[type-arg]
    def __iter__(self) -> Iterator[Any]:
        return iter(self[::-1])


def test_subclasses_by_their_fields_or_their_own_iteration() -> None:
    ordered = OrderedDict(a=1, b=2)
    ordered.move_to_end("a")
    tagged = Tagged("x")
    tagged["lost"] = 1
    assert json.dumps([tagged, Titled("y")]) == b'[{"tag":"x"},{"title":"y"}]'
    assert json.dumps([Doubled([1, 2]), Reversed((1, 2)), ordered]) == (
        b'[[2,4],[2,1],{"b":2,"a":1}]'
    )


class Lying(Mapping):  # type: ignore[type-arg]
    def __init__(self, given: Any) -> None:
        self.given = given

    def __len__(self) -> int:
        return 1

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __getitem__(self, key: Any) -> Any:
        raise KeyError(key)

    def items(self) -> Any:
        return self.given


@pytest.mark.parametrize("given", [[1], [()], [(1,)], [(1, 2, 3)], 5, None, "ab"])
def test_mappings_whose_items_are_no_pairs(given: Any) -> None:
    failure = refused("unsupported-type", lambda: json.dumps({"a": [Lying(given)]}))
    assert failure.path == "$.a[0]"
    assert "`items()` gave" in failure.message


class Failing:
    def __iter__(self) -> Iterator[Any]:
        yield 1
        raise LookupError("gone")


@dataclass
class Half:
    whole: int

    def __getattribute__(self, name: str) -> Any:
        if name == "whole":
            raise LookupError("gone")
        return object.__getattribute__(self, name)


class Sequel(list):  # type: ignore[type-arg]
    __iter__ = Failing.__iter__


@pytest.mark.parametrize(
    ("value", "path"), [(Half(1), "$.a.b.whole"), (Sequel(), "$.a.b[1]"), (object(), "$.a.b")]
)
def test_exceptions_of_others_tell_their_place(value: Any, path: str) -> None:
    def default(_: object) -> Any:
        raise LookupError("gone")

    with pytest.raises(LookupError, match="gone") as caught:
        json.dumps({"a": {"b": value}}, default=default)
    assert path in "".join(caught.value.__notes__)


class Unknown:
    pass


def test_long_chains_of_default_are_quick() -> None:
    left = 90_000

    def default(_: object) -> Any:
        nonlocal left
        left -= 1
        return [Unknown()] if left else 1

    started = time.perf_counter()
    json.dumps([Unknown()], default=default, limits=octad.Limits(depth=100_000))
    assert time.perf_counter() - started < 5


def test_a_class_registered_after_it_was_refused() -> None:
    class Late:
        def __len__(self) -> int:
            return 1

        def items(self) -> Any:
            return [("a", 1)]

    for _ in range(3):
        refused("unsupported-type", lambda: json.dumps(Late()))
    Mapping.register(Late)
    assert json.dumps(Late()) == b'{"a":1}'


class Endless(Mapping):  # type: ignore[type-arg]
    """A mapping whose items do not end."""

    def __init__(self) -> None:
        self.given = 0

    def __getitem__(self, key: Any) -> Any:
        return 1

    def __len__(self) -> int:
        return 3

    def __iter__(self) -> Iterator[Any]:
        while True:
            self.given += 1
            yield self.given


@dataclass
class Extra:
    more: Annotated[Any, octad.Field(extra=True)]


@dataclass
class FlatField:
    more: Annotated[Any, octad.Field(flatten=True)]


@pytest.mark.parametrize("wrap", [lambda m: m, lambda m: ["x" * 50, m], Extra, FlatField])
@pytest.mark.parametrize("options", [{}, {"sort_keys": True}, {"indent": 1}])
def test_the_limit_of_the_output_ends_an_endless_mapping(
    wrap: Callable[[Any], Any], options: dict[str, Any]
) -> None:
    endless = Endless()
    with pytest.raises(octad.EncodeError) as caught:
        json.dumps(wrap(endless), limits=octad.Limits(output=1000), **options)
    assert caught.value.code == "output-limit"
    assert endless.given <= 1001


def test_a_mapping_within_the_limit_is_written() -> None:
    few = collections.ChainMap({str(at): at for at in range(9)})
    text = json.dumps(few)
    assert json.dumps(few, limits=octad.Limits(output=len(text))) == text
    with pytest.raises(octad.EncodeError):
        json.dumps(few, limits=octad.Limits(output=len(text) - 1))


@pytest.mark.skipif(sys.platform != "linux", reason="the bound of memory is that of Linux")
def test_an_endless_mapping_without_a_limit_is_a_memory_error() -> None:
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (1 << 29, 1 << 29))\n"
        "from octad import json\n"
        "from tests.json.test_dumps_edges import Endless\n"
        "try: json.dumps(Endless())\n"
        "except MemoryError: print('MemoryError')\n"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "MemoryError\n"), done.stderr


@pytest.mark.parametrize("given", [[1], 5, "text", object()])
def test_what_an_extra_field_holds_is_a_mapping(given: Any) -> None:
    with pytest.raises(octad.EncodeError, match="extra=True") as caught:
        json.dumps([Extra(given)])
    assert (caught.value.code, caught.value.path) == ("unsupported-type", "$[0]")
    assert json.dumps([Extra(None), Extra({"a": 1})]) == b'[{},{"a":1}]'

"""Nothing is left behind: memory over many successes and failures, references of inputs.

Owns growth over repetition. Each action runs first to fill caches; then it may not grow.
"""

from __future__ import annotations

import gc
import json as stdlib_json
import sys
import weakref
from collections.abc import Callable
from typing import Any

import octad
import pytest
from octad import json

from tests.support import block_growth, resident_bytes

TEXT = (
    '{"id": 17, "name": "naïve", "tags": ["a", "日本", ""], "big": 123456789012345678901234567890,'
    ' "f": -2.5e10, "n": null, "t": true, "esc": "\\u00e9\\n", "deep": [[[{"x": [1, 2, 3]}]]]}'
).encode()
BROKEN = [
    *(b"", b"[", b'{"a": [1, 2, "x', b'["\\q"]', b'["a", "\xff"]', b"[" * 2000, b"1" * 5000),
    *(b"[1e999]", b'{"a": 1, "b": {"c": [1, 2, 3, x]}}', TEXT[:-1], TEXT + b"x", b'["\\ud800"]'),
]


def use_loads() -> None:
    json.loads(TEXT)
    json.loads(TEXT.decode())
    json.loads(bytearray(TEXT))
    json.loads(TEXT, floats="decimal")


def use_errors() -> None:
    for text in BROKEN:
        for verb in (json.loads, json.parse):
            try:
                verb(text)
            except octad.DecodeError as error:
                str(error), error.code, error.path, error.source_line
        json.try_parse(text)


def use_check() -> None:
    for text in (*BROKEN, TEXT):
        for problem in json.check(text):
            str(problem), problem.path, problem.message


def use_document() -> None:
    document = json.parse(TEXT)
    document["name"], document["deep"][0][0], document.at("/deep/0/0/0/x/2").value
    list(document), list(document.root.items()), list(document["tags"])
    document.to_python(), document.dumps(), json.dumps(document), document.copy()
    document.at("/tags/1").position, document["deep"].path, document["deep"].parent
    (
        repr(document),
        str(document.root),
        document == document.copy(),
        document.root == json.loads(TEXT),
    )
    document.root.get("absent"), "absent" in document, document["deep"][0].clone()
    hash(document.at("/id").identity), document.at("/f").kind, document.at("/f").style


def use_failing_access() -> None:
    document = json.parse(TEXT)
    attempts: list[Callable[[], Any]] = [
        lambda: document["absent"],
        lambda: document["tags"][99],
        lambda: document.at("/absent"),
        lambda: document.at("nonsense"),
        lambda: document.at("/name").as_int(),
        lambda: hash(document.root),
        lambda: document["tags"]["x"],
        lambda: document["tags"].index("zz"),
    ]
    for attempt in attempts:
        try:
            attempt()
        except (octad.Error, LookupError, TypeError, ValueError):
            continue
        raise AssertionError("an attempt succeeded")
    document.close()
    try:
        document["id"]
    except octad.ClosedError:
        pass


def use_objects() -> None:
    decoder = json.Decoder(comments=True)
    decoder.loads(b"[1 /* c */]")
    octad.Settings(nan="null", limits=octad.Limits(depth=3))
    try:
        json.loads(b"[1]", duplicates="both")
    except (ValueError, TypeError):
        pass


ACTIONS = [use_loads, use_errors, use_check, use_document, use_failing_access, use_objects]


@pytest.mark.feature(16, 222)
@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.__name__)
def test_blocks_do_not_grow(action: Callable[[], None]) -> None:
    # A leak grows each time; a cache that fills late grows once.
    grown = min(block_growth(action, rounds=300, warm=50) for _ in range(3))
    assert grown < 60, f"{grown} blocks in 300 rounds"


def test_the_measure_sees_a_leak() -> None:
    kept: list[object] = []
    assert block_growth(lambda: kept.append([object()]), rounds=300, warm=10) > 300


@pytest.mark.feature(16)
def test_resident_memory_does_not_grow() -> None:
    data = b"[" + TEXT + b"," + b",".join([TEXT] * 2000) + b"]"
    broken = data[:-1] + b"x"

    def once() -> None:
        document = json.parse(data)
        document[1000]["deep"].path, document.at("/500/tags/1").position
        document.to_python()
        json.try_parse(broken)
        json.check(broken)

    for _ in range(5):
        once()
    gc.collect()
    before = resident_bytes()
    for _ in range(20):
        once()
    gc.collect()
    assert resident_bytes() - before < 6 * len(data)


@pytest.mark.feature(222)
def test_references_to_plain_results() -> None:
    """What loads gives is held by the caller alone, and goes when the caller lets go."""

    def counts(value: Any) -> list[int]:
        return [sys.getrefcount(value), *(sys.getrefcount(value[key]) for key in ("deep", "tags"))]

    value = json.loads(TEXT)
    assert counts(value) == counts(stdlib_json.loads(TEXT))
    value["self"] = value

    class Witness:
        pass

    witness = Witness()
    gone = weakref.ref(witness)
    value["tags"].append(witness)
    del witness, value
    gc.collect()
    assert gone() is None


@pytest.mark.feature(16, 26)
def test_views_and_documents_let_go() -> None:
    data = bytes(TEXT)[:-1] + b"}"
    before = sys.getrefcount(data)
    for _ in range(100):
        document = json.parse(data)
        views = [document.root, document["tags"], document.at("/id"), document["deep"][0]]
        iterators = [iter(document.root), iter(document["tags"]), document.root.items()]
        next(iterators[0]), next(iterators[1])
        del document, views, iterators
    gc.collect()
    assert sys.getrefcount(data) == before
    with json.parse(data) as document:
        held = document["tags"]
        assert len(held) == 3
    assert sys.getrefcount(data) == before, "a closed document gives its source back"


@pytest.mark.feature(219)
def test_errors_do_not_hold_large_inputs() -> None:
    data = b"[" + b"1," * 100_000 + b"x]"
    before = sys.getrefcount(data)
    errors = []
    for _ in range(5):
        try:
            json.loads(data)
        except octad.DecodeError as error:
            errors.append(error.with_traceback(None))
    assert len(errors) == 5
    assert sys.getrefcount(data) == before


def test_the_collector_is_left_as_it_was() -> None:
    """Whatever happens to collection while objects are made, it is on again afterwards."""
    assert gc.isenabled()
    for text in (TEXT, *BROKEN):
        try:
            json.loads(text)
        except octad.DecodeError:
            pass
        assert gc.isenabled()
    gc.disable()
    try:
        json.loads(TEXT)
        assert not gc.isenabled()
    finally:
        gc.enable()
    assert gc.get_threshold()[0] > 0


class Holder:
    """Something that its own settings can reach."""

    held: Any = None


@pytest.mark.parametrize(
    "make",
    [
        lambda settings: json.Decoder(settings=settings),
        lambda settings: json.parse("{}", settings=settings),
        lambda settings: json.parse("{}", settings=settings).root,
        lambda settings: json.parse("[]", settings=settings).root,
        lambda settings: json.parse("1", settings=settings).root,
        lambda settings: json.parse("{}", settings=settings).keys(),
        lambda settings: json.parse("{}", settings=settings).values(),
        lambda settings: json.parse("{}", settings=settings).items(),
        lambda settings: iter(json.parse("{}", settings=settings)),
    ],
)
def test_cycles_by_way_of_settings_are_collected(make: Callable[[octad.Settings], Any]) -> None:
    holder = Holder()
    gone = weakref.ref(holder)
    holder.held = make(octad.Settings(default=lambda value, holder=holder: 1))
    del holder
    gc.collect()
    assert gone() is None

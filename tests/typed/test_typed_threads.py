"""Many threads read and write one type: plans made at the same time, decoders shared, no mixing."""

from __future__ import annotations

import dataclasses
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any

import octad
import pytest
from octad import json

pytestmark = pytest.mark.feature(47)

THREADS = 8


@dataclass
class Item:
    n: int
    word: str
    more: list[Item] = field(default_factory=list)


def together(work: Callable[[int], Any]) -> list[Any]:
    """Runs work in many threads that start at once; their results, or the first exception."""
    barrier, results, errors = threading.Barrier(THREADS), [None] * THREADS, []

    def run(number: int) -> None:
        try:
            barrier.wait()
            results[number] = work(number)
        except BaseException as error:
            errors.append(error)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
        for one in threads:
            one.start()
        for one in threads:
            one.join(60)
            assert not one.is_alive(), "it hangs"
    finally:
        sys.setswitchinterval(before)
    if errors:
        raise errors[0]
    return results


def text_of(number: int, width: int = 50) -> bytes:
    items = [
        {"n": number, "word": f"w{number}", "more": [{"n": n, "word": "x"}]} for n in range(width)
    ]
    return json.dumps(items)


def test_one_decoder_serves_many_threads() -> None:
    decoder = json.Decoder(list[Item])
    for _ in range(5):
        for number, found in enumerate(together(lambda number: decoder.loads(text_of(number)))):
            assert {one.n for one in found} == {number}
            assert {one.word for one in found} == {f"w{number}"}


def test_a_plan_asked_for_by_many_at_once() -> None:
    for round_ in range(20):
        cls = dataclasses.make_dataclass(f"Fresh{round_}", [("a", int), ("b", list[int])])
        found = together(lambda number, cls=cls: json.loads(f'{{"a": {number}, "b": [1]}}', cls))
        assert [one.a for one in found] == list(range(THREADS))
        assert {type(one) for one in found} == {cls}


def test_reading_and_writing_at_once() -> None:
    shared = json.loads(text_of(1), list[Item])

    def work(number: int) -> bytes:
        if number % 2:
            return json.dumps(json.loads(text_of(1), list[Item]))
        return json.dumps(shared)

    assert set(together(work)) == {json.dumps(shared)}


def test_contracts_changed_while_others_read() -> None:
    @dataclass
    class Changing:
        some_name: int = 0

    texts = (b'{"some_name": 1}', b'{"someName": 1}', b"{}")

    def work(number: int) -> None:
        for turn in range(50):
            if number == 0:
                octad.contract_for(Changing, rename="camel" if turn % 2 else "none")
            else:
                made = json.loads(texts[turn % 3], Changing)
                assert made.some_name in (0, 1)
                assert json.dumps(made) in (
                    b'{"some_name":%d}' % made.some_name,
                    b'{"someName":%d}' % made.some_name,
                )

    together(work)


def test_errors_in_one_thread_do_not_show_in_another() -> None:
    of = list[Annotated[int, octad.Field(ge=0)]]

    def work(number: int) -> Any:
        for _ in range(50):
            if number % 2:
                with pytest.raises(octad.ValidationError) as caught:
                    json.loads(f"[{number}, -{number}]", of)
                assert f"-{number}" in str(caught.value)
            else:
                assert json.loads(f"[{number}]", of) == [number]
        return None

    together(work)


def test_user_code_that_lets_others_run() -> None:
    """A class whose code gives up the lock in the middle of a reading."""
    lock = threading.Lock()

    @dataclass
    class Slow:
        a: int

        def __post_init__(self) -> None:
            with lock:
                self.a += 0

    text = json.dumps([{"a": n} for n in range(200)])
    for found in together(lambda _: json.loads(text, list[Slow])):
        assert [one.a for one in found] == list(range(200))


def test_one_document_is_read_into_types_by_many() -> None:
    document = json.parse(text_of(3))
    for found in together(lambda _: document.to(list[Item])):
        assert {one.n for one in found} == {3}

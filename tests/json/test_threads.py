"""Threads: many read one document while its inner tables are built, many parse side by side.

Owns concurrency as Python sees it; the answers themselves are tested elsewhere.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import octad
import pytest
from octad import json

from tests.support import difference, error_of


@pytest.fixture(autouse=True)
def _quick_switches() -> Iterator[None]:
    """Let the interpreter change threads as often as it can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def run_together(count: int, work: Callable[[int], None]) -> None:
    """Start `count` threads at one moment; fail with the first error of any of them."""
    barrier = threading.Barrier(count)
    errors: list[BaseException] = []

    def body(number: int) -> None:
        try:
            barrier.wait(timeout=30)
            work(number)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=body, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert not any(thread.is_alive() for thread in threads), "a thread hangs"
    if errors:
        raise errors[0]


ROWS = 300
VALUE = {
    "rows": [
        {"id": index, "name": f"näme {index}", "tags": [index, str(index)], "score": index / 7}
        for index in range(ROWS)
    ],
    "wide": {f"key{index}": index for index in range(3000)},
    "long": list(range(5000)),
}


@pytest.fixture(scope="module")
def data() -> bytes:
    return json.dumps(VALUE, indent=1)


@pytest.mark.feature(47)
def test_many_threads_read_one_document(data: bytes) -> None:
    for _ in range(5):
        document = json.parse(data)

        def read(number: int, document: octad.Document = document) -> None:
            for step in range(200):
                index = (step * 37 + number * 11) % ROWS
                row = document["rows"][index]
                assert row["id"] == index
                assert row["name"] == f"näme {index}"
                assert row["tags"] == [index, str(index)]
                assert row.path == f"$.rows[{index}]"
                assert row["tags"].parent.is_same(row)
                wide = document["wide"]
                assert wide[f"key{index * 10}"] == index * 10
                assert f"no{index}" not in wide
                assert document["long"][index * 16] == index * 16
                assert document["long"][-1 - index] == 4999 - index
                assert document.at(f"/rows/{index}/score").value == index / 7
                at = document.at(f"/rows/{index}/id").position
                assert document.source[at.offset : at.end] == str(index).encode()

        run_together(8, read)


@pytest.mark.feature(47)
def test_first_looks_race(data: bytes) -> None:
    """Each inner table is built by whoever comes first, with every thread asking at one moment."""
    looks: list[Callable[[octad.Document], Any]] = [
        lambda document: document["wide"]["key2999"],
        lambda document: document["long"][4999],
        lambda document: document.at("/rows/299/tags").path,
        lambda document: document.at("/rows/299/tags/1").position.line,
        lambda document: document.at("/rows/10").raw,
        lambda document: document.to_python()["long"][7],
        lambda document: json.dumps(document)[:40],
        lambda document: document.at("/rows/299").parent.path,
        lambda document: document == document.copy(),
        lambda document: document["rows"][7].clone().dumps(),
    ]
    for look in looks:
        want = look(json.parse(data))
        for _ in range(3):
            document = json.parse(data)
            answers: list[Any] = []
            run_together(6, lambda _, d=document, k=look, a=answers: a.append(k(d)))
            assert len(answers) == 6
            assert all(difference(answer, want) is None for answer in answers)


@pytest.mark.feature(47)
def test_parsing_side_by_side(data: bytes) -> None:
    broken = data[:-2] + b"x"
    want = error_of(json.loads, broken)

    def work(number: int) -> None:
        for step in range(6):
            text = b'{"n": %d, "v": %s}' % (number * 100 + step, data)
            value = json.loads(text)
            assert value["n"] == number * 100 + step
            assert value["v"] == VALUE
            assert json.parse(text)["n"] == number * 100 + step
            error = error_of(json.loads, broken)
            assert (error.code, error.offset) == (want.code, want.offset)
            assert json.check(broken)[0].offset == want.offset

    run_together(6, work)


@pytest.mark.feature(47)
def test_one_decoder_for_all_threads() -> None:
    decoder = json.Decoder(comments=True)

    def work(number: int) -> None:
        for step in range(500):
            assert decoder.loads(f'{{"k{number}": [{step}, /* c */ "é{number}"]}}') == {
                f"k{number}": [step, f"é{number}"]
            }

    run_together(8, work)


@pytest.mark.feature(26, 47)
def test_closing_while_others_read(data: bytes) -> None:
    """A reader gets an answer or a ClosedError, never garbage."""
    for _ in range(10):
        document = json.parse(data)

        def work(number: int, document: octad.Document = document) -> None:
            if number == 0:
                document["rows"][5]["name"]
                document.close()
                return
            try:
                for index in range(ROWS):
                    assert document["rows"][index]["name"] == f"näme {index}"
            except octad.ClosedError:
                pass

        run_together(5, work)
        assert document.closed


@pytest.mark.feature(47)
def test_a_shared_buffer_that_changes() -> None:
    """A bytearray that another thread rewrites is read as some copy, or refused."""
    one, two = b'["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]', b"[11111111111111111111111111111111]"
    assert len(one) == len(two)
    shared = bytearray(one)
    stop = threading.Event()

    def work(number: int) -> None:
        if number == 0:
            for step in range(3000):
                shared[:] = (one, two)[step % 2]
            stop.set()
            return
        while not stop.is_set():
            try:
                document = json.parse(shared)
                assert document.dumps() in (one, two)
                assert len(document) == 1
                assert json.loads(shared)
            except octad.DecodeError:
                pass

    run_together(3, work)


IMPORT = """
try:
    import octad
except ImportError as error:
    assert "interpreter" in str(error)
else:
    raise AssertionError("was imported")
"""


@pytest.mark.parametrize("isolated", [True, False])
def test_a_second_interpreter_is_refused(isolated: bool) -> None:
    interpreters = pytest.importorskip("_xxsubinterpreters", reason="CPython 3.11 and 3.12 only")
    other = interpreters.create(isolated=isolated)
    try:
        interpreters.run_string(other, IMPORT)
    finally:
        interpreters.destroy(other)

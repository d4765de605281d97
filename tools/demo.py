"""`make demo`: what octad does, in one screen.

Generates a catalogue (always the same), opens it as a lazy document, reads three values, turns it
into objects and back beside the standard library's json, and shows an error. Times are taken while
you watch: medians of several runs, the two libraries in turn; equality is checked first.
"""

from __future__ import annotations

import gc
import json
import platform
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import octad

PRODUCTS = 9_000
ROUNDS = 7
COLOURS = ("amber", "blue", "coral", "jade", "noir", "olive", "weiß", "藍")
THINGS = ("lamp", "chair", "kettle", "radio", "shelf", "clock", "table", "mirror")
Result = TypeVar("Result")


def catalogue() -> bytes:
    """The document: products with nested records, lists, texts beyond ASCII, big numbers."""
    pick = random.Random(88)
    products = [
        {
            "id": 10**17 + number * 7919,
            "name": f"{pick.choice(COLOURS)} {pick.choice(THINGS)} no. {number}",
            "price": round(pick.uniform(1, 2000), 2),
            "stock": {"count": pick.randrange(500), "shelf": [pick.randrange(9) for _ in range(3)]},
            "tags": pick.sample(COLOURS, 3),
            "size": [pick.uniform(0, 1) for _ in range(3)],
            "discontinued": pick.random() < 0.1,
            "successor": None,
        }
        for number in range(PRODUCTS)
    ]
    text = json.dumps({"version": 3, "products": products}, indent=1, ensure_ascii=False)
    return text.encode()


def timed(call: Callable[[], Result]) -> tuple[Result, float]:
    """The result of a call, and how many seconds it took."""
    start = time.perf_counter()
    result = call()
    return result, time.perf_counter() - start


def shown(seconds: float) -> str:
    """A time with a fitting unit."""
    return f"{seconds * 1e3:8.2f} ms" if seconds >= 1e-4 else f"{seconds * 1e6:8.2f} µs"


def compare(name: str, ours: Callable[[], object], theirs: Callable[[], object]) -> None:
    """Prints one line: medians of both, in turn, and how many times faster."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS):
        for call, taken in zip((ours, theirs), times, strict=True):
            gc.collect()
            taken.append(timed(call)[1])
    mine, other = map(statistics.median, times)
    print(f"  {name:<34}{shown(mine)}{shown(other)}{other / mine:8.1f}x")


def read_lazily(path: Path) -> None:
    """Opens the document and reads three values out of the middle and the end."""
    print("\nOpened as a document: tokens, no Python objects yet")
    doc, seconds = timed(lambda: octad.open(path))
    tokens = len(doc.tape())
    print(f"  octad.open(path)                  {shown(seconds)}   {tokens:,} tokens of 8 bytes")
    reads: list[tuple[str, Callable[[], object]]] = [
        ('doc["products"][-1]["price"]', lambda: doc["products"][-1]["price"]),
        ('doc["products"][4500]["tags"][2]', lambda: doc["products"][4500]["tags"][2]),
        ('doc.at("/products/88/id").value', lambda: doc.at("/products/88/id").value),
    ]
    for text, read in reads:
        value, seconds = timed(read)
        print(f"  {text:<34}{shown(seconds)}   {value!r}")
    place = doc.at("/products/88/stock/shelf/1")
    print(
        f"  {place.path} stands at line {place.position.line:,}, offset {place.position.offset:,}"
    )


def objects_and_back(data: bytes) -> None:
    """loads, dumps and a rewrite, beside the standard library."""
    value = octad.json.loads(data)
    if value != json.loads(data) or json.loads(octad.json.dumps(value)) != value:
        raise SystemExit("octad and json disagree: that is a bug, please report it")
    doc = octad.json.parse(data)
    print(f"\n  {'(the same values, checked first)':<37}octad       json   faster")
    compare("loads", lambda: octad.json.loads(data), lambda: json.loads(data))
    compare(
        "dumps",
        lambda: octad.json.dumps(value),
        lambda: json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(),
    )
    compare(
        "to compact text, no objects made",
        lambda: octad.json.dumps(doc),
        lambda: json.dumps(json.loads(data), ensure_ascii=False, separators=(",", ":")).encode(),
    )


def fail(data: bytes) -> None:
    """Breaks the document deep inside and shows what octad says."""
    print("\nA comma is lost somewhere in it. What octad says:")
    place = data.index(b'"tags"', len(data) * 2 // 3)
    comma = data.rindex(b",", 0, place)
    try:
        octad.json.loads(data[:comma] + data[comma + 1 :])
    except octad.DecodeError as error:
        print(f"  [{error.code}]")
        print("\n".join(f"  {line}" for line in str(error).splitlines()))
    else:
        raise SystemExit("a broken document was accepted: that is a bug, please report it")


def main() -> None:
    """The whole screen."""
    data = catalogue()
    print(f"octad {octad.__version__} on Python {platform.python_version()}, {platform.machine()}")
    print(f"A catalogue of {PRODUCTS:,} products, generated: {len(data):,} bytes of JSON")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "catalogue.json")
        path.write_bytes(data)
        read_lazily(path)
    objects_and_back(data)
    fail(data)


if __name__ == "__main__":
    main()

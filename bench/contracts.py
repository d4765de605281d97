"""The time that a model of many classes takes to become a plan: `python -m bench.contracts`.

Knows octad's compiler only; no peer compiles ordinary classes in one go. The classes hold each
other and have ten fields of usual kinds each, with annotations as text.
"""

from __future__ import annotations

import sys
import time
import types

CLASSES = 200
LIMIT = 0.05


def model(classes: int = CLASSES) -> type:
    """The last of so many dataclasses, each of which holds the one before."""
    lines = [
        "from __future__ import annotations",
        "import datetime, uuid, octad",
        "from dataclasses import dataclass, field",
        "from typing import Annotated, Literal",
    ]
    for number in range(classes):
        before = f"C{number - 1}" if number else "int"
        lines += [
            "@dataclass",
            f"class C{number}:",
            "    name: str",
            "    count: int",
            "    ratio: float = 0.5",
            "    tags: list[str] = field(default_factory=list)",
            f"    child: {before} | None = None",
            f"    others: dict[str, {before}] = field(default_factory=dict)",
            "    when: datetime.datetime | None = None",
            "    level: Annotated[int, octad.Field(name='lvl', ge=1)] = 1",
            "    kind: Literal['a', 'b'] = 'a'",
            "    id: uuid.UUID | None = None",
        ]
    module = types.ModuleType("bench_model")
    sys.modules[module.__name__] = module
    exec(compile("\n".join(lines), "bench_model.py", "exec"), vars(module))
    made: type = vars(module)[f"C{classes - 1}"]
    return made


def measure(classes: int = CLASSES, rounds: int = 15) -> tuple[float, int]:
    """Seconds of processor time for the nodes of the model, at best, and how many nodes."""
    from octad._contract import compile_type

    hint = model(classes)
    best, nodes = float("inf"), 0
    for _ in range(rounds):
        start = time.process_time()
        nodes = len(compile_type(hint))
        best = min(best, time.process_time() - start)
    return best, nodes


def main() -> None:
    """Prints the time, and that of half and of twice the model: it should be linear."""
    for classes in (CLASSES // 2, CLASSES, 2 * CLASSES):
        seconds, nodes = measure(classes)
        print(f"{classes} classes, {nodes} nodes: {seconds * 1e3:.1f} ms")
    print(f"to be under {LIMIT * 1e3:.0f} ms for {CLASSES}")


if __name__ == "__main__":
    main()

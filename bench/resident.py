"""What runs alone in a process to see how much memory one `loads` takes: one library, one text.

Imports as little as it can and makes nothing before the measurement but the library's reader, since
memory that was used and freed before would hide growth. `memory` starts it and renders its answer.
Where the kernel does not tell resident sizes (`/proc/self`), it gives None for them.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from typing import Any

from bench.libraries import AbsentError, open_library

FURTHER = 3
ABSENT = 3  # the exit status for a library that is not there


def resident() -> int | None:
    """Resident bytes of this process."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError, ValueError):
        return None


def forget_peak() -> bool:
    """Makes the present size the highest one so far, as the kernel counts."""
    try:
        with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
            file.write("5")
    except OSError:
        return False
    return True


def peak() -> int | None:
    """The highest resident size, in bytes, since `forget_peak`."""
    try:
        with open("/proc/self/status", encoding="ascii") as file:
            for line in file:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) * 1024
    except (OSError, IndexError, ValueError):
        pass
    return None


def graph(value: Any) -> tuple[int, int]:
    """The bytes and the number of the objects that `value` consists of, each counted once."""
    seen, size, left = set(), 0, [value]
    while left:
        item = left.pop()
        if id(item) in seen:
            continue
        seen.add(id(item))
        size += sys.getsizeof(item)
        if isinstance(item, dict):
            left += item
            left += item.values()
        elif isinstance(item, list):
            left += item
    return size, len(seen)


def filled() -> list[bytes]:
    """Objects of every small size and some large ones, to be kept while something is measured.

    They use up what the start of the process has freed, which would hide growth otherwise.
    """
    small = [bytes(size) for size in range(1, 480, 16) for _ in range(2_000)]
    return small + [bytes(500 << shift) for shift in range(8) for _ in range(40)]


def measure(library: str, path: str, thorough: bool) -> dict[str, Any]:
    """Growth of this process by one `loads` and by further ones whose results are kept as well.

    The first growth may contain what the library keeps for itself (buffers, caches), the further
    ones what the allocator keeps for the library: the smaller one is the closer to the result
    alone. When thorough, the size of the graph and whether it is right, too.
    """
    read = open_library(library).loads()
    read(b'{"warm":[1,2.5,"up",true,null]}')
    with open(path, "rb") as file:
        text = file.read()
    gc.collect()
    held = filled()
    before, can_forget = resident(), forget_peak()
    value = read(text)
    after, highest = resident(), peak() if can_forget else None
    more = [read(text) for _ in range(FURTHER)]
    end = resident()
    found: dict[str, Any] = {"grown": None, "result": None, "peak": None}
    if before is not None and after is not None and end is not None:
        found["grown"] = after - before
        found["result"] = min(after - before, (end - after) // FURTHER)
    if before is not None and highest is not None:
        found["peak"] = highest - before
    del held, more
    if thorough:
        from bench.equality import same  # after the measurement: see the module's header

        found["graph"], found["objects"] = graph(value)
        found["right"] = same(value, json.loads(text))
    return found


def main() -> None:
    """Arguments: library, file with the text, `thorough` or `plain`."""
    library, path, how = sys.argv[1:]
    try:
        print(json.dumps(measure(library, path, how == "thorough")))
    except AbsentError as error:
        print(f"{library} {error}", file=sys.stderr)
        sys.exit(ABSENT)

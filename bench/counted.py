"""What runs under callgrind: one call to warm up, then so many more of the same.

Imports as little as it can, since every import costs valgrind seconds: the text comes as a file
and nothing here generates, checks or times. `counts` starts it and knows what the numbers mean.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

from bench.libraries import AbsentError, Library, open_library
from bench.nested import THREE_FIELDS

ABSENT = 3  # the exit status for a library or an operation that is not there


def prepared(
    operation: str, dataset: str, text: bytes, library: Library
) -> tuple[Callable[[Any], object], Any]:
    """The call of `operation` and its argument."""
    if operation in ("loads", "small-loads"):
        return library.loads(), text
    if operation in ("dumps", "small-dumps"):
        return library.dumps(), json.loads(text)
    if operation == "dumps-own":
        return library.dumps(), library.loads()(text)
    if operation == "lazy":
        return library.open_and_read(dataset, THREE_FIELDS[dataset])[""], text
    if operation.startswith("typed-"):
        from bench.schemas import Kind, Model, infer  # not for those who need no classes

        kind: Kind = "slots" if operation.endswith("slots") else "dataclass"
        value = json.loads(text)
        model = Model(infer(value), kind)
        if operation.startswith("typed-loads"):
            return library.loads_into(model.document), text
        return library.dumps(), model.make(value)
    raise ValueError(f"`{operation}` is not counted")


def main() -> None:
    """Arguments: operation, data set, file with its text, library, number of calls."""
    operation, dataset, path, library, calls = sys.argv[1:]
    with open(path, "rb") as file:
        text = file.read()
    try:
        call, argument = prepared(operation, dataset, text, open_library(library))
    except AbsentError as error:
        print(f"{library} {error}", file=sys.stderr)
        sys.exit(ABSENT)
    for _ in range(1 + int(calls)):
        call(argument)

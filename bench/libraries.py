"""One adapter per library: how a user of it who cares for speed reads and writes JSON.

Owns the choice of entry point and options. Knows nothing of data sets or timing. A library is
imported only when it is opened; one that cannot be imported, or has no such operation, gives a
reason instead of a callable, and the tables show the reason. Writers all produce compact UTF-8
bytes, so that all do the same work.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Mapping
from decimal import Decimal
from types import GenericAlias
from typing import Any, ClassVar, cast

Reader = Callable[[bytes], Any]
Writer = Callable[[Any], bytes]


class AbsentError(Exception):
    """The library, or an operation of it, is not there; the text says why."""


class Library:
    """Base of the adapters. A method raises `AbsentError` for what the library cannot do."""

    name: ClassVar[str]
    module: ClassVar[str]
    distribution: ClassVar[str | None] = None
    peer: ClassVar[bool] = True

    def __init__(self) -> None:
        try:
            self.api: Any = importlib.import_module(self.module)
        except ImportError as error:
            raise AbsentError(f"cannot be imported ({error})") from error

    @property
    def version(self) -> str:
        if self.distribution is None:
            return "with Python"
        from importlib import metadata  # slow to import, and not needed to call a library

        try:
            return metadata.version(self.distribution)
        except metadata.PackageNotFoundError:
            return "unknown"

    def loads(self) -> Reader:
        raise AbsentError("has no loads")

    def dumps(self) -> Writer:
        raise AbsentError("has no dumps")

    def loads_decimal(self) -> Reader:
        raise AbsentError("cannot read numbers as Decimal")

    def dumps_decimal(self) -> Writer:
        raise AbsentError("cannot write a Decimal as a number")

    def loads_into(self, cls: Any) -> Reader:
        """A reader of texts into instances of `cls`."""
        raise AbsentError("reads into no classes")

    def lazy(self) -> dict[str, Reader]:
        """Openers whose result is indexed by keys and positions, by a note for the row's name.

        The empty note is the plain way. Whoever has no lazy reading opens by reading everything.
        """
        return {"": self.loads()}

    def is_lazy(self) -> bool:
        """Whether an open document is something else than plain Python objects."""
        return False

    def open_and_read(
        self, dataset: str, read: Callable[[Any], tuple[Any, ...]]
    ) -> dict[str, Reader]:
        """Openers followed by `read`, in one call each, by a note for the row's name."""
        return {note: _then(opener, read) for note, opener in self.lazy().items()}


def _then(opener: Reader, read: Callable[[Any], tuple[Any, ...]]) -> Reader:
    return lambda data: read(opener(data))


class Json(Library):
    name = "json"
    module = "json"

    def loads(self) -> Reader:
        return cast(Reader, self.api.loads)

    def loads_decimal(self) -> Reader:
        return functools.partial(self.api.loads, parse_float=Decimal)

    def dumps(self) -> Writer:
        encode = self.api.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
        return lambda value: encode(value).encode()


class Orjson(Library):
    name = "orjson"
    module = "orjson"
    distribution = "orjson"

    def loads(self) -> Reader:
        return cast(Reader, self.api.loads)

    def dumps(self) -> Writer:
        return cast(Writer, self.api.dumps)


class Ssrjson(Library):
    name = "ssrjson"
    module = "ssrjson"
    distribution = "ssrjson"

    def loads(self) -> Reader:
        return cast(Reader, self.api.loads)

    def dumps(self) -> Writer:
        return cast(Writer, self.api.dumps_to_bytes)


class Msgspec(Library):
    name = "msgspec"
    module = "msgspec.json"
    distribution = "msgspec"

    def loads(self) -> Reader:
        return cast(Reader, self.api.Decoder().decode)

    def loads_decimal(self) -> Reader:
        return cast(Reader, self.api.Decoder(float_hook=Decimal).decode)

    def loads_into(self, cls: Any) -> Reader:
        return cast(Reader, self.api.Decoder(cls).decode)

    def dumps(self) -> Writer:
        return cast(Writer, self.api.Encoder().encode)

    def dumps_decimal(self) -> Writer:
        return cast(Writer, self.api.Encoder(decimal_format="number").encode)

    def open_and_read(
        self, dataset: str, read: Callable[[Any], tuple[Any, ...]]
    ) -> dict[str, Reader]:
        rows = super().open_and_read(dataset, read)
        decode = self.api.Decoder
        struct = importlib.import_module("msgspec").defstruct
        if dataset == "twitter":
            user = struct("User", [("screen_name", str)])
            status = struct("Status", [("id", int), ("user", user)])
            meta = struct("Meta", [("count", int)])
            fields = [("statuses", GenericAlias(list, (status,))), ("search_metadata", meta)]
            rows["typed"] = _then(
                decode(struct("Twitter", fields)).decode,
                lambda doc: (
                    doc.statuses[50].user.screen_name,
                    doc.statuses[99].id,
                    doc.search_metadata.count,
                ),
            )
        elif dataset == "citm":
            price = struct("Price", [("amount", int)])
            performance = struct("Performance", [("prices", GenericAlias(list, (price,)))])
            event = struct("Event", [("name", str)])
            fields = [
                ("areaNames", dict[str, str]),
                ("performances", GenericAlias(list, (performance,))),
                ("events", GenericAlias(dict, (str, event))),
            ]
            rows["typed"] = _then(
                decode(struct("Citm", fields)).decode,
                lambda doc: (
                    doc.areaNames["205705993"],
                    doc.performances[100].prices[0].amount,
                    doc.events["138586795"].name,
                ),
            )
        return rows


class Pysimdjson(Library):
    name = "pysimdjson"
    module = "simdjson"
    distribution = "pysimdjson"

    def loads(self) -> Reader:
        parse = self.api.Parser().parse
        return lambda data: parse(data, True)

    def lazy(self) -> dict[str, Reader]:
        return {"": self.api.Parser().parse}

    def is_lazy(self) -> bool:
        return True


class Jiter(Library):
    name = "jiter"
    module = "jiter"
    distribution = "jiter"

    def loads(self) -> Reader:
        return cast(Reader, self.api.from_json)

    def loads_decimal(self) -> Reader:
        return functools.partial(self.api.from_json, float_mode="decimal")


class Ujson(Library):
    name = "ujson"
    module = "ujson"
    distribution = "ujson"

    def loads(self) -> Reader:
        return cast(Reader, self.api.loads)

    def dumps(self) -> Writer:
        write = functools.partial(self.api.dumps, ensure_ascii=False, escape_forward_slashes=False)
        return lambda value: write(value).encode()


class Octad(Library):
    name = "octad"
    module = "octad.json"
    distribution = "octad"
    peer = False

    @property
    def version(self) -> str:
        return str(importlib.import_module("octad").__version__)

    def _get(self, name: str) -> Any:
        try:
            return getattr(self.api, name)
        except AttributeError:
            raise AbsentError(f"octad.json has no {name}") from None

    def loads(self) -> Reader:
        return cast(Reader, self._get("loads"))

    def loads_decimal(self) -> Reader:
        return cast(Reader, self._get("Decoder")(floats="decimal").loads)

    def loads_into(self, cls: Any) -> Reader:
        return cast(Reader, self._get("Decoder")(cls).loads)

    def dumps(self) -> Writer:
        return cast(Writer, self._get("dumps"))

    def dumps_decimal(self) -> Writer:
        return self.dumps()

    def lazy(self) -> dict[str, Reader]:
        parse = self._get("parse")
        return {"": parse, "lazy_values": functools.partial(parse, lazy_values=True)}

    def is_lazy(self) -> bool:
        return True


ADAPTERS: Mapping[str, type[Library]] = {
    adapter.name: adapter
    for adapter in (Octad, Ssrjson, Orjson, Msgspec, Pysimdjson, Jiter, Ujson, Json)
}
NAMES = tuple(ADAPTERS)


def open_library(name: str) -> Library:
    """The adapter called `name`, its library imported; `AbsentError` if that fails."""
    return ADAPTERS[name]()


def versions() -> dict[str, str]:
    """What is installed: name to version, or to the reason why it is absent."""
    found = {}
    for name in NAMES:
        try:
            found[name] = open_library(name).version
        except AbsentError as error:
            found[name] = f"absent: {error}"
    return found

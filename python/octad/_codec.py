"""`Codec`: the verbs of every format, bound to one `Settings`.

Owns nothing but the binding; the verbs are those of the format's module, and a `settings=` of a
call wins as it does there.
"""

from __future__ import annotations

import functools
from importlib import import_module
from typing import Any

from octad._formats import formats
from octad._settings import Settings

# What takes no settings and is handed on as it is.
_PLAIN = ("Raw",)


class Codec:
    """The format modules with settings that are always meant.

    Args:
        settings: the `Settings`.

    >>> import octad
    >>> api = octad.Codec(octad.Settings(rename_keys="camel"))
    >>> api.json.loads(b"[1]"), api.json.Decoder(list[float]).loads(b"[1]")
    ([1], [1.0])

    Raises:
        TypeError: these are no settings.
    """

    __slots__ = ("settings",)

    def __init__(self, settings: Settings) -> None:
        if not isinstance(settings, Settings):
            raise TypeError(f"settings: expected Settings, found {type(settings).__name__}")
        self.settings = settings

    def __getattr__(self, name: str) -> Any:
        if name not in formats:
            raise AttributeError(f"octad.Codec has no format {name!r}")
        return Verbs(name, self.settings)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *formats]

    def __repr__(self) -> str:
        return f"octad.Codec({self.settings!r})"


Codec.__module__ = "octad"


class Verbs:
    """The verbs of one format, bound to settings."""

    __slots__ = ("_module", "_settings")

    def __init__(self, name: str, settings: Settings) -> None:
        self._module = import_module(f"octad.{name}")
        self._settings = settings

    def __getattr__(self, name: str) -> Any:
        if name not in self._module.__all__:
            raise AttributeError(f"{self._module.__name__} has no {name!r}")
        verb = getattr(self._module, name)
        return verb if name in _PLAIN else functools.partial(verb, settings=self._settings)

    def __dir__(self) -> list[str]:
        return sorted(self._module.__all__)

    def __repr__(self) -> str:
        return f"<the verbs of {self._module.__name__} with {self._settings!r}>"

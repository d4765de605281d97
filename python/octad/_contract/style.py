"""Where a hint stands while it is compiled, and how values are written there."""

from __future__ import annotations

from typing import Any, NamedTuple

from octad._contract.hints import Bindings, Scope


class Style(NamedTuple):
    """How values inside one field are written: what it says itself, None where it says nothing."""

    dates: str | None = None
    zones: str | None = None
    bytes: str | None = None
    numbers_from_text: bool | None = None
    item: Any = None

    def without_item(self) -> Style:
        """The style inside a container: its converter of items is used up."""
        if self.item is None:
            return self
        style = self._replace(item=None)
        return PLAIN if style == PLAIN else style


PLAIN = Style()


class Env(NamedTuple):
    """Where a hint stands: its scope, its type variables, the style of its field."""

    scope: Scope
    bindings: Bindings
    style: Style = PLAIN
    path: str = ""

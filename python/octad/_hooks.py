"""What a class does to an object of the data before it is read, and the text of the result.

Owns the way back from Python values to a text that the plan of the class can read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from octad._core import Raw, dumps
from octad._settings import Limits

# The plan that reads the text has bounds of its own.
_LIMITS = Limits(depth=100_000)


def text_of(hook: Callable[[dict[str, Any]], Any], data: Any, spelled: dict[str, bytes]) -> bytes:
    """The text of what a hook returns for an object of the data.

    A hook that returns None has changed the dict itself. Numbers that it left alone keep their
    spelling, where that is given.
    """
    given = dict(data) if spelled else {}
    made = hook(data)
    if made is None:
        made = data
    if not isinstance(made, Mapping):
        raise TypeError(
            f"expected a dict from `__octad_before_load__`, found {type(made).__qualname__}"
        )
    if spelled:
        made = {
            key: Raw(spelled[key], trusted=True)
            if key in spelled and value is given.get(key)
            else value
            for key, value in made.items()
        }
    return dumps(made, nan="literal", bytes="base64", surrogates="keep", limits=_LIMITS)

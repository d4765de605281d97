"""Contracts: what an annotation means for data, compiled into plans that the compiled half runs.

Owns the types of Python and what users say about them (`octad.Field`, `octad.contract`). Knows no
format and reads no data. A plan is a flat tuple of nodes, cached by equality of type and settings.
"""

from __future__ import annotations

from typing import Any

from octad._contract.cache import forget, kept
from octad._contract.compile import DEFAULTS, compile_type
from octad._contract.refusal import refuse
from octad._contract.writing import key_policy, writing
from octad._settings import Settings

__all__ = ["compile_type", "forget", "key_policy", "plan", "writing"]


def plan(hint: Any, settings: Settings | None = None) -> Any:
    """The plan of a type, made once for each pair of type and settings.

    Raises:
        ContractError: nothing can be read into the type, or it contradicts itself.
    """
    used = DEFAULTS if settings is None else settings
    try:
        return kept((hint, used), lambda: _made(hint, used))
    except TypeError as error:
        if not _unhashable(hint):
            raise
        del error
    return _made(hint, used)


def _unhashable(hint: Any) -> bool:
    try:
        hash(hint)
    except TypeError:
        return True
    return False


def _made(hint: Any, settings: Settings) -> Any:
    from octad import _core

    nodes = compile_type(hint, settings)
    maker = getattr(_core, "Plan", None)
    if maker is None:
        refuse("expected a build that runs plans")
    return maker(nodes)

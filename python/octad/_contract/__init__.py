"""Contracts: what an annotation means for data, compiled into plans that the compiled half runs.

Owns the types of Python and what users say about them (`octad.Field`, `octad.contract`). Knows no
format and reads no data. A plan is a flat tuple of nodes, cached by equality of type and settings.
"""

from __future__ import annotations

from typing import Any

from octad._contract.cache import forget, kept, watchers
from octad._contract.compile import DEFAULTS, compile_type
from octad._contract.hints import name_of
from octad._contract.refusal import refuse
from octad._contract.writing import has_contract, key_policy, says_bytes, writing
from octad._core import Plan, forget_classes, forget_plans
from octad._settings import Settings

__all__ = [
    "compile_type",
    "forget",
    "has_contract",
    "key_policy",
    "plan",
    "plan_nodes",
    "says_bytes",
    "writing",
]

# The writer remembers classes. What it knows of them was found without contracts, up to here.
watchers.append(forget_classes)
forget_classes()


def plan(hint: Any, settings: Settings | None = None, unconverted: bool = False) -> Any:
    """The plan of a type, made once for each pair of type and settings.

    `unconverted`: the type itself is read in octad's own way, whatever converter is for it.

    Raises:
        ContractError: nothing can be read into the type, or it contradicts itself.
    """
    if unconverted:
        return _cached("unconverted", hint, settings, _unconverted)
    return _cached("plan", hint, settings, _made)


def plan_nodes(hint: Any, settings: Settings | None = None) -> tuple[tuple[Any, ...], ...]:
    """The nodes of a plan, from the same cache.

    >>> plan_nodes(list[int])
    (('list', 1), ('int', False))

    Raises:
        ContractError: nothing can be read into the type, or it contradicts itself.
    """
    nodes: tuple[tuple[Any, ...], ...] = _cached("nodes", hint, settings, compile_type)
    return nodes


def _cached(what: str, hint: Any, settings: Settings | None, make: Any) -> Any:
    used = DEFAULTS if settings is None else settings
    try:
        hash(hint)
    except TypeError:
        # Metadata of `Annotated` may be anything.
        return make(hint, used)
    return kept((what, hint, used), lambda: make(hint, used))


def _made(hint: Any, settings: Settings) -> Any:
    return _plan_of(hint, compile_type(hint, settings), settings)


def _unconverted(hint: Any, settings: Settings) -> Any:
    return _plan_of(hint, compile_type(hint, settings, True), settings)


def _plan_of(hint: Any, nodes: tuple[tuple[Any, ...], ...], settings: Settings) -> Any:
    try:
        return Plan(nodes, settings)
    except (TypeError, ValueError) as error:
        # What only the compiled half can judge, such as a pattern.
        _, is_pattern, problem = str(error).partition("pattern: ")
        if is_pattern:
            reason = problem.splitlines()[-1].removeprefix("error: ")
            refuse(
                f"{name_of(hint)}: expected a pattern that needs no more time than the text is "
                f"long, found one that is refused ({reason})"
            )
        refuse(f"{name_of(hint)}: expected a plan that can be run, found one where {error}")


watchers.append(forget_plans)

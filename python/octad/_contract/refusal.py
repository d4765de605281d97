"""How the compiler says no: one exception, with the place in the type in front."""

from __future__ import annotations

from typing import NoReturn

from octad._errors import ContractError


def refuse(message: str) -> NoReturn:
    """Raises `ContractError`."""
    raise ContractError(message, code="invalid-contract")

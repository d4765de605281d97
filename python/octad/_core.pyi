"""The compiled half of octad, as type checkers see it."""

__version__: str

"""Read, change, convert and write structured data on one flat tape of 64-bit tokens."""

from octad import json
from octad._core import __version__

__all__ = ["__version__", "json"]

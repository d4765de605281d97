"""JSON, RFC 8259."""

from octad._core import loads

__all__ = ["loads"]

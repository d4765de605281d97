"""JSON, RFC 8259."""

from octad._core import Encoder, Writer, dump_into, dumps, dumps_str, loads, parse

__all__ = ["Encoder", "Writer", "dump_into", "dumps", "dumps_str", "loads", "parse"]

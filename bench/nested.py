"""The three nested fields that the lazy operations read, by data set.

Plain indexing, the same code for every library: it fits dicts and lists, the proxies of pysimdjson
and the views of octad. They lie apart, so
that a reader which stops early or skips has to show it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any


def _read_twitter(doc: Any) -> tuple[Any, ...]:
    statuses = doc["statuses"]
    return (
        statuses[50]["user"]["screen_name"],
        statuses[99]["id"],
        doc["search_metadata"]["count"],
    )


def _read_citm(doc: Any) -> tuple[Any, ...]:
    return (
        doc["areaNames"]["205705993"],
        doc["performances"][100]["prices"][0]["amount"],
        doc["events"]["138586795"]["name"],
    )


THREE_FIELDS: Mapping[str, Callable[[Any], tuple[Any, ...]]] = {
    "twitter": _read_twitter,
    "citm": _read_citm,
}

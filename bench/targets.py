"""What octad is held to: the numbers, by operation and data set.

Knows nothing of measuring or rendering. `TARGETS` are times of the best peer over octad's. `BARS`
are the rows that `python -m bench bars` judges: those targets, and the comparisons with something
else than the best peer. A bar is missed where octad reaches less than `NEAR` of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

RECORD_SETS = ("citm", "twitter", "github", "catalogue", "users-5000")
# Names beyond ASCII: fresh strings of these have no UTF-8 that could be copied.
_NON_ASCII = ("twitter", "users-5000")
_SMALL = ("small-80", "small-1k")
TYPED_SETS = ("twitter", "citm", "catalogue", "users-5000")
STRUCT = "msgspec (struct)"

# How many times octad has to be faster than the best peer, by (operation, row, data set).
TARGETS: Mapping[tuple[str, str, str], float] = {
    ("loads", "octad", "canada"): 1.4,
    ("loads", "octad", "citm"): 1.6,
    ("loads", "octad", "twitter"): 1.9,
    ("loads", "octad", "github"): 1.5,
    ("loads", "octad", "catalogue"): 1.8,
    ("loads", "octad", "users-5000"): 1.9,
    ("dumps", "octad", "canada"): 1.2,
    **{("dumps", "octad", name): 1.2 for name in RECORD_SETS},
    **{("dumps-own", "octad", name): 1.4 for name in RECORD_SETS},
    **{("dumps-fresh", "octad", name): 1.3 if name in _NON_ASCII else 1.2 for name in RECORD_SETS},
    **{("small-loads", "octad", name): 1.1 for name in _SMALL},
    **{("small-dumps", "octad", name): 1.1 for name in _SMALL},
    **{("typed-loads-dataclass", "octad", name): 2.0 for name in TYPED_SETS},
    **{("typed-loads-slots", "octad", name): 1.9 for name in TYPED_SETS},
    **{("lazy", "octad", name): 1.5 for name in ("twitter", "citm")},
    **{("lazy", "octad (lazy_values)", name): 4.0 for name in ("twitter", "citm")},
}
READ_LIMIT_NS = 1_000
MEMORY_LIMIT = 0.85
PEAK_LIMIT = 1.5
RESULT_LIMIT = 0.75
DICT_RATIO = 0.9
PLAN_LIMIT_NS = 50_000_000
NEAR = 0.85

# How a bar is judged: the time of the best peer, or of one named row, over octad's; or a figure of
# a cell that may be at most so large: itself, or over that of a named row.
Kind = Literal["best peer", "row", "figure", "figure of row"]


@dataclass(frozen=True)
class Bar:
    """One row of the table of bars."""

    operation: str
    dataset: str
    target: float
    kind: Kind = "best peer"
    row: str = "octad"
    other: str | None = None
    figure: str | None = None

    @property
    def at_most(self) -> bool:
        """Whether less is better."""
        return self.kind in ("figure", "figure of row")


_DICT_WORK = ("add", "set", "pop", "get", "iter", "unpack", "of", "copy", "call", "or", "update")

BARS: tuple[Bar, ...] = (
    # `lazy_values` has a target in the report, but no bar yet.
    *(
        Bar(operation, dataset, target, row=row)
        for (operation, row, dataset), target in TARGETS.items()
        if row == "octad"
    ),
    *(
        Bar(f"dumps-{kind}", dataset, 1.0, "row", other="octad (dicts)")
        for kind in ("dataclass", "slots", "namedtuple")
        for dataset in ("catalogue", "users-200", "users-5000")
    ),
    *(
        Bar(f"dict-{work}", dataset, DICT_RATIO, "row", other="json")
        for work in _DICT_WORK
        for dataset in ("github", "catalogue", "users-200")
    ),
    *(
        Bar("memory-loads", dataset, RESULT_LIMIT, "figure of row", other="orjson", figure="result")
        for dataset in ("citm", "twitter", "catalogue", "users-5000")
    ),
    Bar("memory-loads", "citm-10", PEAK_LIMIT, "figure", figure="peak_ratio"),
    *(Bar("typed-loads-slots", dataset, 1.15, "row", other=STRUCT) for dataset in TYPED_SETS),
    # Users of twitter have 40 fields: a `__dict__` so wide is no match for a Struct.
    *(
        Bar("typed-loads-dataclass", dataset, 1.0, "row", other=STRUCT)
        for dataset in TYPED_SETS
        if dataset != "twitter"
    ),
    *(Bar("typed-dumps-dataclass", dataset, 2.5, "row", other="msgspec") for dataset in TYPED_SETS),
    *(
        Bar(f"typed-dumps-{kind}", dataset, 1.0, "row", other=STRUCT)
        for kind in ("dataclass", "slots")
        for dataset in TYPED_SETS
    ),
    *(
        Bar("typed-plan", "parts-200", PLAN_LIMIT_NS, "figure", row=row, figure="median")
        for row in ("octad", "octad (text)")
    ),
    *(
        Bar("memory", dataset, MEMORY_LIMIT, "figure", figure="nbytes_ratio")
        for dataset in ("canada", *RECORD_SETS)
    ),
    *(
        Bar("reads", dataset, READ_LIMIT_NS, "figure", figure="median")
        for dataset in ("twitter", "citm")
    ),
)

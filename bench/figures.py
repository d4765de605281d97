"""From samples to the figures of a cell: median, minimum, paired quotients, the verdict.

Pure arithmetic on lists of times in nanoseconds, one per round, the same rounds for every row.
Two rows are compared round by round: neighbours on the machine slow both times of a round alike,
so their quotient is far steadier than a quotient of medians or minima.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

TIE = 1.03

Verdict = Literal["faster", "tie", "slower"]


@dataclass(frozen=True)
class Quotient:
    """Median and quartiles, over the rounds, of one row's time divided by another's."""

    median: float
    low: float
    high: float


def quotient(times: Sequence[float], others: Sequence[float]) -> Quotient:
    """How many times as long `times` took as `others`, round by round."""
    each = sorted(mine / other for mine, other in zip(times, others, strict=True))
    if len(each) < 2:
        return Quotient(each[0], each[0], each[0])
    low, middle, high = statistics.quantiles(each, n=4, method="inclusive")
    return Quotient(middle, low, high)


def fastest(times: Mapping[str, Sequence[float]], among: Sequence[str]) -> str | None:
    """The row of `among` closest to the best of its round, in the median over the rounds."""
    if not among:
        return None
    best = [min(column) for column in zip(*(times[name] for name in among), strict=True)]
    return min(among, key=lambda name: (quotient(times[name], best).median, name))


def verdict(ratio: float) -> Verdict:
    """What `other's time / own time` says: anything under 3 % is a tie."""
    if ratio >= TIE:
        return "faster"
    if ratio <= 1 / TIE:
        return "slower"
    return "tie"

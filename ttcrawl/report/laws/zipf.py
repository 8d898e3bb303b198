"""Zipf's law: the frequency of the r-th most frequent word (or most linked page) is proportional to r^-s.

G. K. Zipf, Human Behavior and the Principle of Least Effort, 1949. The exponent is a maximum-likelihood estimate. A
straight line through logarithms would give nearly all the weight to the many rare words, whose ranks mean nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ttcrawl.report.laws.curves import Array

#: Chance determines the order of rarer things (sorting the counts bends the curve down by about 1 / count), so the fit
#: uses the head above this count. It uses at least HEAD things, if each occurs LEAST times.
CERTAIN = 300
HEAD = 50
LEAST = 10
S_MAX = 10.0
POINTS = 200
HALVINGS = 50  # of the interval from 0 to S_MAX in which s lies: s has 14 digits


@dataclass(frozen=True, slots=True, kw_only=True)
class Zipf:
    """Frequency ~ rank ** -s over ranks 1 to `head`, each with at least `least` occurrences.

    `error` is the standard error of s. `points` are (rank, count) of all `things`, thinned evenly along log rank.
    """

    s: float
    error: float
    head: int
    least: int
    things: int
    total: int
    points: tuple[tuple[int, int], ...]
    how: str


def zipf(counts: Iterable[int]) -> Zipf | None:
    """The law of the counts of things, in any order, without counts below 1. None if fewer than three things occur
    LEAST times, or if all of these are equally frequent.
    """
    import numpy as np

    ranked = np.sort(np.fromiter(counts, dtype=np.int64))[::-1]
    ranked = ranked[ranked > 0]
    head = min(max(int((ranked >= CERTAIN).sum()), HEAD), int((ranked >= LEAST).sum()))
    if head < 3 or ranked[0] == ranked[head - 1]:
        return None
    frequencies = ranked[:head].astype(float)
    s, error, misfit = _likeliest(frequencies)
    wider = f", widened {misfit:.1f} times because the counts scatter more about the law than chance does"
    return Zipf(
        s=s,
        error=error * misfit,
        head=head,
        least=int(ranked[head - 1]),
        things=len(ranked),
        total=int(ranked.sum()),
        points=_thin(ranked.astype(float)),
        how=(
            f"Maximum likelihood over the {head:,} most frequent of {len(ranked):,} (each found {ranked[head - 1]:,} "
            "times or more), given that they are the most frequent; standard error from the Fisher information"
            f"{wider if misfit > 1 else ''}."
        ),
    )


def _likeliest(frequencies: Array) -> tuple[float, float, float]:
    """s, its standard error, and the root of chi-squared per degree of freedom (at least 1)."""
    import numpy as np

    logs = np.log(np.arange(1, len(frequencies) + 1))
    mean, total = frequencies @ logs / frequencies.sum(), frequencies.sum()

    def shares(s: float) -> Array:
        powers = np.exp(-s * logs)
        law: Array = powers / powers.sum()
        return law

    # The likelihood is highest where the law's mean log rank, which falls with s, is the observed one. Descending
    # counts have s >= 0.
    s, high = 0.0, S_MAX
    for _ in range(HALVINGS):
        middle = (s + high) / 2
        s, high = (middle, high) if shares(middle) @ logs > mean else (s, middle)
    law = shares(s)
    information = total * (law @ logs**2 - (law @ logs) ** 2)
    misfit = ((frequencies - total * law) ** 2 / (total * law)).sum() / (len(frequencies) - 2)
    return s, float(information**-0.5), max(1.0, float(misfit) ** 0.5)


def _thin(ranked: Array) -> tuple[tuple[int, int], ...]:
    import numpy as np

    ranks = np.unique(np.geomspace(1, len(ranked), POINTS).round().astype(int))
    return tuple(zip(ranks.tolist(), ranked[ranks - 1].astype(int).tolist(), strict=True))

"""Zipf's law: the frequency of the r-th most frequent word (or most linked page) is proportional to r^-s.

G. K. Zipf, Human Behavior and the Principle of Least Effort, 1949. The exponent is a maximum-likelihood estimate. A
straight line through logarithms would give nearly all the weight to the many rare words, whose ranks mean nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ttcrawl.report.laws.heaps import longest
from ttcrawl.report.laws.longest_line import Line
from ttcrawl.report.laws.statement import zipf_statement

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
    """Frequency ~ rank ** -s over ranks `first` to `head`, each with at least `least` occurrences.

    It is the longest range in log rank in which every frequency lies within 5 % of a power law; if it `holds` in none,
    all ranks that are certain. `error` is the standard error of s. `points` are (rank, count) of all `things`, thinned
    evenly along log rank. `sentence` says all this.
    """

    s: float
    error: float
    first: int
    head: int
    holds: bool
    least: int
    things: int
    total: int
    points: tuple[tuple[int, int], ...]
    sentence: str
    how: str


def zipf(counts: Iterable[int], things: str = "terms") -> Zipf | None:
    """The law of the counts of things, in any order, without counts below 1. None if fewer than three things occur
    LEAST times, or if all of these are equally frequent. `things` names them in the sentence.
    """
    import numpy as np

    ranked = np.sort(np.fromiter(counts, dtype=np.int64))[::-1]
    ranked = ranked[ranked > 0]
    certain = min(max(int((ranked >= CERTAIN).sum()), HEAD), int((ranked >= LEAST).sum()))
    if certain < 3 or ranked[0] == ranked[certain - 1]:
        return None
    series = np.array([np.arange(1.0, certain + 1), ranked[:certain]])
    line = longest(*np.log(series), falling=True)
    first, head = round(math.exp(line.first)), round(math.exp(line.last))
    if not line.holds or head - first < 2:
        first, head = 1, certain
    ranks, frequencies = series[:, first - 1 : head]
    s, error, misfit = _likeliest(ranks, frequencies)
    height = float(np.mean(np.log(frequencies) + s * np.log(ranks)))
    fitted = Line(log_k=height, beta=-s, first=line.first, last=line.last, holds=line.holds)
    wider = f", widened {misfit:.1f} times because the counts scatter more about the law than chance does"
    return Zipf(
        s=s,
        error=error * misfit,
        first=first,
        head=head,
        holds=line.holds,
        least=int(ranked[head - 1]),
        things=len(ranked),
        total=int(ranked.sum()),
        points=_thin(ranked.astype(float)),
        sentence=zipf_statement(fitted, series, error * misfit, things),
        how=(
            f"Maximum likelihood of the counts of ranks {first:,} to {head:,}: of the ranks with at least"
            f" {int(ranked[certain - 1]):,} occurrences, the longest range in log rank within 5 % of a power law (all"
            f" if there is none); standard error{wider if misfit > 1 else ''}."
        ),
    )


def _likeliest(ranks: Array, frequencies: Array) -> tuple[float, float, float]:
    """s, its standard error, and the root of chi-squared per degree of freedom (at least 1)."""
    import numpy as np

    logs = np.log(ranks)
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
    misfit = ((frequencies - total * law) ** 2 / (total * law)).sum() / max(1, len(frequencies) - 2)
    return s, float(information**-0.5), max(1.0, float(misfit) ** 0.5)


def _thin(ranked: Array) -> tuple[tuple[int, int], ...]:
    import numpy as np

    ranks = np.unique(np.geomspace(1, len(ranked), POINTS).round().astype(int))
    return tuple(zip(ranks.tolist(), ranked[ranks - 1].astype(int).tolist(), strict=True))

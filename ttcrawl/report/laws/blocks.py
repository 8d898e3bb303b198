"""How far the K and beta of a growth series may be from the truth, by a block bootstrap over pages.

Pages bring new things in bursts: a section full of new URLs, then one without. So errors of neighbouring pages are
alike, and errors drawn page by page would give intervals several times too narrow. Blocks of pages are drawn instead
(Kuensch, The jackknife and the bootstrap for general stationary observations, Annals of Statistics 17, 1989), in units
of their scatter (`ttcrawl.report.laws.scatter`), because a page brings fewer new things later on.

The range of a law was chosen by the same numbers as its K and beta. So it is chosen anew in every drawn series, which
goes on after the end of the law as the measured one does.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ttcrawl.report.laws.heaps import certain, even, longest_of_each
from ttcrawl.report.laws.readings import Readings, readings
from ttcrawl.report.laws.scatter import FEWEST, Scatter, scatter

if TYPE_CHECKING:
    from numpy.random import Generator

    from ttcrawl.report.laws.curves import Array
    from ttcrawl.report.laws.longest_line import Line

LEVEL = 0.95
#: Empirical, without a theory: where pages bring new things in sections, the first few of these decide K, and the
#: others tell too little of how far they may be off. Found on the sections of 20 and 50 pages of `benchmarks.laws` with
#: seeds from 50,000 on, and judged with other seeds (10,000 and 20,000). Without autocorrelation it is 1.
SECTIONS = 1.25
POINTS, GRID = 400, 40  # of a drawn series: with which a line is compared, and through which it is fitted
#: Of the drawn series: whose laws hold over nearly the same range; the others' are of another part of the series. The
#: number is empirical, too, found and judged on the same series as SECTIONS.
ALIKE = 0.85
SOON = 0.25  # of the series: a law that ends before tells too little of bursts
BEFORE = 0.9  # of the end of a law: where a series leaves it is known only to some pages
TRIED, UNLIKELY = 100, 1.0  # drawn series and their standard deviations, of which a distance is chance
LEAST = 0.05  # of the law: a drawn series may fall below 0, which has no logarithm


def margins(series: Array, line: Line, count: int, rng: Generator) -> tuple[float, float]:
    """How far log K and beta of `line` may be from the truth, with a probability of LEVEL.

    `series` is the complete series (n, v). `count` series are drawn from the law and the scatter of the blocks, and the
    longest range in which a line holds is found in each.
    """
    import numpy as np

    alive = _alive(series, line)
    of = scatter(alive) if (np.diff(series[1]) >= 0).all() else readings(alive, line)
    course = _course(series, line, of, rng)
    errors = of.draw(series[0], course, count, rng)
    used = np.isin(series[0], certain(series)[0])
    x, expected, errors = np.log(series[0, used]), course[used], errors[:, used]
    points = even(x, POINTS)
    heights = np.log(np.maximum(1 + errors[:, points] / expected[points], LEAST)) + np.log(expected[points])
    lines = longest_of_each(x[points], heights, GRID)
    unlike = [abs(each.first - line.first) + abs(each.last - line.last) for each in lines]
    alike = [lines[index] for index in np.argsort(unlike, kind="stable")[: round(ALIKE * count)]]
    off = np.abs([(each.log_k - line.log_k, each.beta - line.beta) for each in alike])
    log_k, beta = np.quantile(off, LEVEL, axis=0).tolist()
    wider = SECTIONS if of.has_sections else 1.0
    return wider * log_k, wider * beta


def _course(series: Array, line: Line, of: Scatter | Readings, rng: Generator) -> Array:
    """What is expected of a drawn series: the law, and beyond its range what of the distance to it is not chance."""
    import numpy as np

    n, v = series
    law = np.exp(line.log_k + line.beta * np.log(n))
    inside = np.flatnonzero((np.log(n) >= line.first - 1e-9) & (np.log(n) <= line.last + 1e-9))
    heights = np.log(np.maximum(1 + of.draw(n, law, TRIED, rng) / law, LEAST))
    edge = np.arange(len(n)).clip(inside[0], inside[-1])
    chance = UNLIKELY * (heights - heights[:, edge]).std(axis=0)
    distance = np.log(v / law)
    beyond = np.where(edge == np.arange(len(n)), 0.0, np.sign(distance) * np.maximum(np.abs(distance) - chance, 0.0))
    course: Array = np.maximum.accumulate(law * np.exp(beyond))
    return course


def _alive(series: Array, line: Line) -> Array:
    """The part of the series that tells of scatter: to the end of the law, or, if that is soon, of all new things.

    Where a site ends, the series bends away from every law, which is not chance.
    """
    import numpy as np

    n, v = series
    last_new = float(n[int((v >= v[-1]).argmax())])
    law_ends = math.exp(line.last) * (1 + 1e-9)
    end = law_ends if law_ends >= n[-1] else BEFORE * law_ends
    part: Array = series[:, n <= min(last_new, end if law_ends >= SOON * last_new else last_new)]
    return part if part.shape[1] >= FEWEST else np.array(series)

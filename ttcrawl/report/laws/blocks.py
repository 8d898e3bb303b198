"""How far the K and beta of a growth series may be from the truth, by a block bootstrap over pages.

Pages bring new things in bursts: a section full of new URLs, then one without. So errors of neighbouring pages are
alike, and errors drawn page by page would give intervals several times too narrow. Blocks of pages are drawn instead
(Kuensch, The jackknife and the bootstrap for general stationary observations, Annals of Statistics 17, 1989), as long
as the autocorrelation of the errors asks for (Politis and White, Automatic block-length selection for the dependent
bootstrap, Econometric Reviews 23, 2004).

Blocks are exchangeable only in units of their own scatter, because a page brings fewer new things later on. The
variance of a block is a part that grows with the expected number of new things (chance: Poisson's) and one that grows
with its square (bursts), of which the shares are those of highest likelihood.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy.random import Generator

    from ttcrawl.report.laws.curves import Array
    from ttcrawl.report.laws.heaps import Line

LEVEL = 0.95
SHARES = (0.0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0)  # of bursts in the variance
FEWEST = 8  # blocks to draw from
LONGEST = 0.1  # of the series: a block
STRETCH, WIDER = 12, 1.3  # samples of a stretch at least, and how far the next one ends
CELLS, FINER = 240, 4.0  # cells whose autocorrelation is computed, and how much finer the next scale is
GRID = 60  # points of the fit of a drawn series, even in log n
SOON = 0.25  # of the series: a law that ends before tells too little of bursts
LEAST = 0.05  # of the law: a drawn series may fall below 0, which has no logarithm
#: A fit over a fixed range is too sure, because the range was chosen by the same numbers. The factor was found on
#: seeded series of bursts; `python -m benchmarks.laws` measures, with other seeds, how many intervals hold the truth.
WIDENED = 1.8


@dataclass(frozen=True, slots=True, kw_only=True)
class Scatter:
    """How a series scatters about its course, in blocks of at least `length` pages.

    `errors` are the blocks' in units of their standard deviation. The variance of a block of w pages in which m new
    things are expected is `chance` m + `bursts` m^2 / w.
    """

    length: float
    chance: float
    bursts: float
    errors: Array

    def of(self, expected: Array, width: Array) -> Array:
        """The standard deviation of blocks."""
        import numpy as np

        deviation: Array = np.sqrt(self.chance * expected + self.bursts * expected**2 / width)
        return deviation


def scatter(series: Array) -> Scatter:
    """The scatter of the complete series (n, v), shape (2, points), about a power law through every STRETCH of it.

    So it depends on no law, and the pages after the end of a law tell as much about bursts as the others.
    """
    import numpy as np

    knots = _knots(series[0])
    logs = np.log(series)
    course = np.append(0.0, np.exp(np.interp(logs[0], logs[0, knots], logs[1, knots])))
    n, v = np.pad(series, ((0, 0), (1, 0)))
    length = _block_length(n, v - course, course)
    ends = _ends(n, length)
    errors, expected, width = np.diff((v - course)[ends]), np.diff(course[ends]), np.diff(n[ends])
    alive = expected > 1e-9 * v[-1]  # nothing is known of chance where nothing new comes
    chance, bursts = _variance(errors[alive], expected[alive], width[alive]) if alive.any() else (0.0, 0.0)
    coarse = Scatter(length=length, chance=chance, bursts=bursts, errors=np.array([-1.0, 1.0]))
    deviation = coarse.of(expected[alive], width[alive])
    if alive.sum() < FEWEST or not deviation.all():
        return coarse
    scaled = errors[alive] / deviation
    freedom = max(1, len(scaled) - len(knots) - 1)
    return Scatter(length=length, chance=chance, bursts=bursts, errors=scaled * math.sqrt(len(scaled) / freedom))


def margins(series: Array, line: Line, count: int, rng: Generator) -> tuple[float, float]:
    """How far log K and beta of `line` may be from the truth, with a probability of LEVEL.

    `series` is the complete series (n, v). `count` series are drawn from the law and the scatter of the blocks, and
    fitted over the range of `line`. WIDENED, because the range was chosen by the same numbers.
    """
    import numpy as np

    grid = np.linspace(line.first, line.last, GRID)
    expected = np.exp(line.log_k + line.beta * grid)
    errors = _errors(
        series[0, np.log(series[0]) <= line.last + 1e-9], line, scatter(_alive(series, line)), (expected, count), rng
    )
    heights = np.log(np.maximum(1 + errors / expected, LEAST))
    centred = grid - grid.mean()
    beta = heights @ centred / (centred @ centred)
    log_k = heights.mean(axis=1) - beta * grid.mean()
    ends = np.quantile(np.abs([log_k, beta]), LEVEL, axis=1) * WIDENED
    return float(ends[0]), float(ends[1])


def _alive(series: Array, line: Line) -> Array:
    """The part of the series that tells of scatter: up to the end of the law, or, if that is soon, of all new things.

    Where a site ends, the series bends away from every law, which is not chance.
    """
    import numpy as np

    n, v = series
    last_new = float(n[int((v >= v[-1]).argmax())])
    law_ends = math.exp(line.last) * (1 + 1e-9)
    part: Array = series[:, n <= (law_ends if law_ends >= SOON * last_new else last_new)]
    return part if part.shape[1] >= FEWEST else np.array(series)


def _errors(n: Array, line: Line, of: Scatter, at: tuple[Array, int], rng: Generator) -> Array:
    """The errors of drawn series where the law expects at[0] things, for at[1] series: shape (at[1], len(at[0]))."""
    import numpy as np

    n = np.append(0.0, n)
    law = np.append(0.0, np.exp(line.log_k + line.beta * np.log(n[1:])))
    ends = _ends(n, min(of.length, n[-1] * LONGEST))  # within a block nothing is drawn, so a few do not do
    deviation = of.of(np.maximum(np.diff(law[ends]), 0.0), np.diff(n[ends]))
    errors = of.errors[rng.integers(0, len(of.errors), (at[1], len(deviation)))] * deviation
    paths = np.pad(np.cumsum(errors, axis=1), ((0, 0), (1, 0)))
    positions = np.interp(at[0], law[ends], np.arange(len(ends)))
    before = np.minimum(positions.astype(int), len(ends) - 2)
    share = positions - before
    between: Array = paths[:, before] * (1 - share) + paths[:, before + 1] * share
    return between


def _knots(n: Array) -> list[int]:
    """The indexes of the ends of stretches: each has STRETCH samples at least, and grows by WIDER."""
    return _cuts(n, lambda samples, first, last: samples >= STRETCH and last >= WIDER * first)


def _variance(errors: Array, expected: Array, width: Array) -> tuple[float, float]:
    """The likeliest shares of chance and of bursts, if errors were normal."""
    import numpy as np

    bursts = expected**2 / width
    unit = expected.mean() / bursts.mean()
    shares = np.array(SHARES)[:, None]
    shapes = (1 - shares) * expected + shares * unit * bursts
    scale = np.mean(errors**2 / shapes, axis=1)
    likelihood = -np.log(np.maximum(scale, 1e-300)) - np.mean(np.log(shapes), axis=1)
    best = int(likelihood.argmax())
    return float(scale[best] * (1 - SHARES[best])), float(scale[best] * SHARES[best] * unit)


def _ends(n: Array, length: float) -> list[int]:
    """The indexes of the samples at which a block of at least `length` pages ends, from the first to the last."""
    return _cuts(n, lambda _, first, last: last - first >= length * (1 - 1e-9))


def _cuts(n: Array, is_complete: Callable[[int, float, float], bool]) -> list[int]:
    """The indexes between the parts of a series, each as short as is complete by its number of samples and its ends.

    The first and the last sample are among them; the rest after the last complete part belongs to that one.
    """
    positions = n.tolist()
    cuts = [0]
    for index, position in enumerate(positions):
        if is_complete(index - cuts[-1], positions[cuts[-1]], position):
            cuts.append(index)
    if cuts[-1] != len(positions) - 1:
        cuts[-1 if len(cuts) > 1 else len(cuts) :] = [len(positions) - 1]
    return cuts


def _block_length(n: Array, errors: Array, course: Array) -> float:
    """Pages in a block: by the autocorrelation at the coarsest of some scales at which neighbouring cells are alike."""
    import numpy as np

    cell = n[-1] / CELLS
    finest = float(np.diff(n).min())
    while cell >= finest:
        positions = np.arange(0.0, cell * (CELLS + 0.5), cell)
        expected = np.diff(np.interp(positions, n, course))
        alive = expected > 0
        if alive.sum() >= CELLS / 4:
            new = np.diff(np.interp(positions, n, errors))[alive] / np.sqrt(expected[alive])
            blocks = _politis_white(new - new.mean())
            if blocks > 1:
                return float(min(blocks * cell, LONGEST * n[-1]))
        cell /= FINER
    return finest


def _politis_white(errors: Array) -> float:
    """The best length of moving blocks for the mean of `errors`, with the flat-top window and their choice of M."""
    import numpy as np

    count = len(errors)
    quiet = max(5, math.ceil(math.sqrt(math.log10(count))))
    most = min(math.ceil(math.sqrt(count)) + quiet, count // 2)
    power = np.correlate(errors, errors, "full")[count - 1 : count + most]
    if power[0] <= 0:
        return 1.0
    small = np.abs(power[1:] / power[0]) < 2 * math.sqrt(math.log10(count) / count)
    after = next((lag for lag in range(len(small) - quiet + 1) if small[lag : lag + quiet].all()), None)
    last = after if after is not None else int(np.flatnonzero(~small).max()) + 1
    if last == 0:
        return 1.0
    lags = np.arange(1, min(2 * last, most) + 1)
    window = np.clip(2 * (1 - lags / (2 * last)), 0.0, 1.0)
    covariance = power[lags] / count
    g = 2 * float(window @ (lags * covariance))
    spectrum = float(power[0] / count + 2 * window @ covariance)
    if spectrum <= 0:
        return 1.0
    return float((2 * g**2 / (4 / 3 * spectrum**2)) ** (1 / 3) * count ** (1 / 3))

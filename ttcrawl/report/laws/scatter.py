"""How a series of counts scatters about its course: chance and bursts.

A block of w pages in which m new things are expected brings more or fewer. The variance has a part that grows with m
(chance: Poisson's) and one that grows with m^2 / w (bursts: pages bring new things in sections, some rich and some
poor). What data do not tell of the two is part of the scatter, too: each division has a weight, its likelihood.

Blocks are as long as the autocorrelation of the errors asks for (Politis and White, Automatic block-length selection
for the dependent bootstrap, Econometric Reviews 23, 2004).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy.random import Generator

    from ttcrawl.report.laws.curves import Array

FEWEST = 8  # blocks of which anything is said
LONGEST = 0.1  # of the series: a block
STRETCH, WIDER, BLOCKS = 12, 1.3, 5  # samples and blocks of a stretch at least, and how far the next one ends
CELLS, FINER = 240, 4.0  # cells whose autocorrelation is computed, and how much finer the next scale is
COMPLETE = 3.0  # blocks of which the variance is that of complete sections
DENSE = 0.25  # of a section: the distance of samples within it
ENOUGH = 25.0  # expected things: fewer scatter by chance more than by bursts
ODDS = (0.0, *(10 ** (power / 8) for power in range(-24, 25)))  # of bursts to chance in the mean variance
HEAVY = 1.5  # least kurtosis: errors tell no more of their variance than this permits


@dataclass(frozen=True, slots=True, kw_only=True)
class Scatter:
    """How a series scatters about its course, in blocks of at least `length` pages.

    `has_sections`: the errors of neighbouring samples are alike.

    `chance` and `bursts` are divisions of the variance, which is `chance` m + `bursts` m^2 / w, with `weights` that sum
    to 1; their common factor is known as from `freedom` normal errors. `errors` are the blocks' in units of their
    standard deviation.
    """

    length: float
    has_sections: bool
    chance: Array
    bursts: Array
    weights: Array
    freedom: float
    errors: Array

    def draw(self, n: Array, course: Array, count: int, rng: Generator) -> Array:
        """Errors of `count` series at the samples `n`, of which `course` is expected: shape (count, len(n))."""
        import numpy as np

        n, course = np.append(0.0, n), np.append(0.0, np.maximum.accumulate(course))
        new = np.diff(course)
        ends = np.array(block_ends(n, min(self.length, n[-1] * LONGEST)))
        division = rng.choice(len(self.weights), count, p=self.weights)
        factor = self.freedom / rng.chisquare(self.freedom, count)
        chance, bursts = ((each[division] * factor)[:, None] for each in (self.chance, self.bursts))
        rich = rng.choice(self.errors, (count, len(ends) - 1)) * np.sqrt(bursts / np.diff(n[ends]))
        block = np.searchsorted(ends, np.arange(1, len(n))) - 1
        steps = new * rich[:, block] + np.sqrt(chance * new) * rng.standard_normal((count, len(new)))
        errors: Array = np.cumsum(steps, axis=1)
        return errors


def scatter(series: Array) -> Scatter:
    """The scatter of the series (n, v), shape (2, points), about a power law through the ends of every stretch of it.

    So it depends on no law, and the pages after the end of a law tell as much about bursts as the others.
    """
    import numpy as np

    n, v = np.pad(series, ((0, 0), (1, 0)))
    length, knots = 0.0, [0]
    course = v
    for _ in range(2):  # stretches have blocks of a length that needs stretches
        knots = _knots(series[0], length)
        logs = np.log(series)
        course = np.append(0.0, np.exp(np.interp(logs[0], logs[0, knots], logs[1, knots])))
        length = min(_block_length(n, v - course, course), LONGEST * n[-1] / COMPLETE)
    measured = _Measured(n=n, v=v, course=course, knots=series[0, knots])
    finest = float(np.diff(n).min())
    sections = measured.blocks(length)
    if length <= finest:
        return _divided(sections, sections, length)
    # neighbouring sections share pages, so their variance is too small; that of several together is not
    blocks = measured.blocks(COMPLETE * length)
    return replace(_divided(blocks, sections, length, measured.within(length)), has_sections=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Blocks:
    """Errors of blocks, the expected new things, and the same in units of bursts."""

    errors: Array
    expected: Array
    bursts: Array

    def variance(self, chance: Array | float, bursts: Array | float) -> Array:
        """For each pair of variances of chance and of bursts."""
        variance: Array = chance * self.expected + bursts * self.bursts
        return variance


@dataclass(frozen=True, slots=True, kw_only=True)
class _Measured:
    """A series from n = 0 on, its course, and where the course is tied to the series."""

    n: Array
    v: Array
    course: Array
    knots: Array

    def blocks(self, length: float) -> _Blocks:
        """Blocks of at least `length` pages, and as wide as is usual, or narrower if they expect ENOUGH."""
        import numpy as np

        finest = float(np.diff(self.n).min())
        wide = max(length, 2 * finest * (self.n[-1] / finest) ** (1 / 3))  # the power is usual where nothing is known
        course = dict(zip(self.n.tolist(), self.course.tolist(), strict=True))

        def is_complete(_: int, first: float, last: float) -> bool:
            width = last - first
            return width >= length * (1 - 1e-9) and (width >= wide or course[last] - course[first] >= ENOUGH)

        return self._between(_cuts(self.n, is_complete))

    def within(self, length: float) -> float | None:
        """The variance of chance, by samples that are far closer than `length`; None: too few are.

        Neighbours are in the same section, so their difference tells of chance alone.
        """
        import numpy as np

        dense = np.flatnonzero(np.diff(self.n) <= DENSE * length)
        if len(dense) < CELLS:
            return None
        last = int(dense[-1]) + 2
        steps, expected = np.diff((self.v - self.course)[:last]), np.diff(self.course[:last])
        pairs = expected[1:] + expected[:-1]
        alive = pairs > 1e-9 * self.v[-1]
        return float(np.mean(np.diff(steps)[alive] ** 2 / pairs[alive])) if alive.any() else None

    def _between(self, ends: list[int]) -> _Blocks:
        import numpy as np

        n, errors = self.n[ends], np.diff((self.v - self.course)[ends])
        expected, width = np.diff(self.course[ends]), np.diff(n)
        alive = expected > 1e-9 * self.v[-1]  # nothing is known of chance where nothing new comes
        return _Blocks(
            errors=(errors * _tied(n, self.knots))[alive],
            expected=expected[alive],
            bursts=(expected**2 / width)[alive],
        )


def _divided(blocks: _Blocks, sections: _Blocks, length: float, of_pages: float | None = None) -> Scatter:
    """The likeliest variances of `blocks` for each of ODDS, if errors were normal, and the errors of `sections`.

    `of_pages` is the variance of chance, if pages within sections tell.
    """
    import numpy as np

    if len(blocks.errors) < FEWEST or not blocks.errors.any():
        still, one = np.zeros(1), np.ones(1)
        return Scatter(
            length=length,
            has_sections=False,
            chance=still,
            bursts=still,
            weights=one,
            freedom=1.0,
            errors=one,
        )
    odds = np.array(ODDS)[:, None]
    of_chance, of_bursts = 1 / (1 + odds), odds / (1 + odds) * blocks.expected.mean() / blocks.bursts.mean()
    scales = np.mean(blocks.errors**2 / (of_chance * blocks.expected + of_bursts * blocks.bursts), axis=1)
    if of_pages:
        scales = of_pages / of_chance[:, 0]
    chance, bursts = scales * of_chance[:, 0], scales * of_bursts[:, 0]
    variances = blocks.variance(chance[:, None], bursts[:, None])
    likelihood = -np.mean(np.log(variances) + blocks.errors**2 / variances, axis=1) / 2
    likeliest = int(likelihood.argmax())
    errors = blocks.errors / np.sqrt(blocks.variance(chance[likeliest], bursts[likeliest]))
    kurtosis = max(HEAVY, float(np.mean(errors**4) / np.mean(errors**2) ** 2))
    freedom = max(2.0, 2 * len(errors) / (kurtosis - 1))
    weights = np.exp((likelihood - likelihood.max()) * min(freedom, len(errors)))
    residuals = sections.errors / np.sqrt(sections.variance(chance[likeliest], bursts[likeliest]))
    return Scatter(
        length=length,
        has_sections=False,
        chance=chance,
        bursts=bursts,
        weights=weights / weights.sum(),
        freedom=freedom,
        errors=residuals / np.sqrt(np.mean(residuals**2)),
    )


def _knots(n: Array, length: float) -> list[int]:
    """The indexes of the ends of stretches: each has STRETCH samples and BLOCKS blocks at least, and grows by WIDER."""
    return _cuts(
        n,
        lambda samples, first, last: samples >= STRETCH and last >= WIDER * first and last - first >= BLOCKS * length,
    )


def _tied(ends: Array, knots: Array) -> Array:
    """By what the errors of blocks are too small, because the course is tied to the series at knots.

    Of k independent errors that are tied to the sum 0, the variance is too small by 1 - 1 / k.
    """
    import numpy as np

    segment = np.searchsorted(knots, (ends[1:] + ends[:-1]) / 2)
    blocks = np.bincount(segment)[segment]
    factor: Array = np.sqrt(blocks / np.maximum(blocks - 1, 1.0))
    return factor


def block_ends(n: Array, length: float) -> list[int]:
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

"""The growth law of one series: K and beta with intervals, the range in which it holds, and what is said of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ttcrawl.report.laws.blocks import LEVEL, margins
from ttcrawl.report.laws.heaps import Interval, certain, longest, positive, spread, thinned
from ttcrawl.report.laws.longest_line import FEWEST_POINTS, Line
from ttcrawl.report.laws.pool import Pool, pool
from ttcrawl.report.laws.shape import Leaving
from ttcrawl.report.laws.statement import BY_PAGES, Subject, pool_statement, statement

if TYPE_CHECKING:
    from numpy.random import Generator

    from ttcrawl.report.laws.curves import Array

REPLICAS = 200
RESIDUALS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Law:
    """V(n) = k * n ** beta within 5 % from n = `holds_from` to `holds_to`: the longest such range in log n.

    Both ends are None if it holds nowhere; then k and beta are of the line through the complete series. With beta above
    1 it is a power law, but not Heaps' law. `leaves` says what comes after the range: nothing (""), fewer new things
    ("dry"; "pool" if the second model `pool` follows the series to its end), or more ("faster"). `rmse` (in units of V)
    and `r2` refer to the `points` (samples) of the range; `residuals` are (n, V minus fitted) at some of them. `size`
    is the pool's, if it follows the series to its end. The sentences say all this.
    """

    k: float
    beta: float
    k_interval: Interval
    beta_interval: Interval
    size: float | None
    size_interval: Interval | None
    holds_from: float | None
    holds_to: float | None
    leaves: Leaving
    rmse: float
    r2: float
    points: int
    residuals: tuple[tuple[float, float], ...]
    pool: Pool | None
    sentence: str
    pool_sentence: str  # "": there is no second model
    how: str

    def at(self, n: float) -> float:
        """V(n) by the law alone, also where the series has left it."""
        return float(self.k * n**self.beta)


def examine(n: Sequence[float], v: Sequence[float], rng: Generator, subject: Subject = BY_PAGES) -> Law | None:
    """The law of the points (n[i], v[i]) with 95 % intervals. None for fewer than five different n > 0 or no v > 0.

    `subject` names what is counted in the sentence. Raises ValueError if the lengths differ or a number is not finite.
    """
    import numpy as np

    complete = positive(n, v)
    if complete.shape[1] < FEWEST_POINTS:
        return None
    series = thinned(complete)
    x, y = np.log(certain(series))
    line = longest(x, y)
    log_k, beta = margins(series, line, REPLICAS, rng)
    second = pool(series, rng)
    leaves = _leaving(line, series, second)
    ends = second if second is not None and second.ends else None
    inside = (np.log(series[0]) >= line.first - 1e-9) & (np.log(series[0]) <= line.last + 1e-9)
    points = series[:, inside]
    errors = points[1] - np.exp(line.log_k + line.beta * np.log(points[0]))
    variation = float(((points[1] - points[1].mean()) ** 2).sum())
    k_interval = Interval(low=math.exp(line.log_k - log_k), high=math.exp(min(line.log_k + log_k, 700.0)))
    beta_interval = Interval(low=max(0.0, line.beta - beta), high=max(0.0, line.beta + beta))
    return Law(
        k=math.exp(line.log_k),
        beta=line.beta,
        k_interval=k_interval,
        beta_interval=beta_interval,
        size=ends.size if ends else None,
        size_interval=ends.size_interval if ends else None,
        holds_from=float(points[0, 0]) if line.holds else None,
        holds_to=float(points[0, -1]) if line.holds else None,
        leaves=leaves,
        rmse=float(np.sqrt(np.mean(errors**2))),
        r2=1 - float((errors**2).sum()) / variation if variation else 1.0,
        points=points.shape[1],
        residuals=tuple(spread(list(zip(points[0].tolist(), errors.tolist(), strict=True)), RESIDUALS)),
        pool=second,
        sentence=statement(line, series, (k_interval, beta_interval), subject),
        pool_sentence=pool_statement(second, subject) if second else "",
        how=_how(points.shape[1]),
    )


def _leaving(line: Line, series: Array, second: Pool | None) -> Leaving:
    """What the series does after the range of the line."""
    n, v = series[:, -1]
    if not line.holds or math.log(n) <= line.last + 1e-9:
        return ""
    if math.log(v) > line.log_k + line.beta * math.log(n):
        return "faster"
    return "pool" if second is not None and second.ends else "dry"


def _how(points: int) -> str:
    return (
        f"Least squares on logarithms (Manning, Raghavan and Schütze 2008, 5.1.1), at points even in log n, over the"
        f" longest range in log n in which every sample lies within 5 % of K n^beta ({points:,} samples);"
        f" {100 * LEVEL:.0f} % intervals from {REPLICAS} series drawn by a block bootstrap over pages."
    )

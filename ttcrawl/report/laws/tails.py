"""Tests whether the tail of a degree distribution is a power law, P(x) ~ x^-alpha for x >= xmin.

The method is from A. Clauset, C. R. Shalizi and M. E. J. Newman, Power-law distributions in empirical data, SIAM Review
51, 2009, as in the package powerlaw: alpha by maximum likelihood, xmin at the smallest Kolmogorov-Smirnov distance.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ttcrawl.output.number import counted

if TYPE_CHECKING:
    from numpy.random import Generator

    from ttcrawl.report.laws.curves import Array

MOST = 20_000  # values for the fit; the search for xmin grows with the values and the different values
TESTED = 2_000  # values for the goodness of fit, which repeats the complete search for each draw
DRAWS = 50
TAIL = 50  # smallest number of values above xmin
FEWEST = 100
MANY = 1_000  # values in a tail; fewer can rarely tell a power law from a lognormal (section 5 of the paper)
ALPHA = (1.01, 8.0)  # the package stops at 3
PLAUSIBLE = 0.1
GRIDS, POINTS = 6, 17  # rounds of the search for alpha, and points per round
CURVED = 1e-3  # step for the curvature of the likelihood
TABLE = 10_000  # values above xmin that are drawn exactly; further out the power law is nearly continuous


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """`ratio` > 0 favours the power law; `p` is the probability that chance alone gives a ratio as far from 0."""

    ratio: float
    p: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Tail:
    """P(x) ~ x ** -alpha for x >= xmin. `error` is the standard error of alpha for this xmin.

    `distance` is the Kolmogorov-Smirnov distance; `tail` is the number of values >= xmin among the `fitted` ones, out
    of `values` in all. `p` is the goodness of fit: below 0.1 the tail is hardly a power law; None if too few values
    differ. `sentence` says what the tests amount to.
    """

    alpha: float
    error: float
    xmin: int
    distance: float
    tail: int
    fitted: int
    values: int
    p: float | None
    lognormal: Comparison
    exponential: Comparison
    sentence: str
    how: str


def tail(values: Iterable[int], rng: Generator, things: str = "degrees") -> Tail | None:
    """The power law of the upper end of `values`, without values below 1. None if fewer than 100, or nearly all equal.

    The work is limited: the fit and the comparisons use at most 20,000 values, drawn without replacement. The goodness
    of fit uses at most 2,000: the semiparametric bootstrap of the paper's section 4.1 with 50 draws (so p is accurate
    to about 0.07). A test on fewer values rejects less easily; a million values of anything real reject every law.
    """
    import numpy as np

    every = np.fromiter(values, dtype=float)
    every = every[every >= 1]
    used = _sample(every, MOST, rng)
    law = _fit(used) if len(used) >= FEWEST else None
    if law is None:
        return None
    lognormal, exponential = _compared(used, law.xmin)
    p = _goodness(_sample(used, TESTED, rng), rng)
    above = int((used >= law.xmin).sum())
    return Tail(
        alpha=law.alpha,
        error=law.error,
        xmin=law.xmin,
        distance=law.distance,
        tail=above,
        fitted=len(used),
        values=len(every),
        p=p,
        lognormal=lognormal,
        exponential=exponential,
        sentence=_statement(law, above, p, {"a lognormal": lognormal, "an exponential": exponential}, things),
        how=_how(len(every), len(used)),
    )


def _sample(values: Array, most: int, rng: Generator) -> Array:
    return values if len(values) <= most else rng.choice(values, most, replace=False)


@contextmanager
def _quiet() -> Iterator[None]:
    """Silences the package, which warns of every start outside its bounds and of every tail that no lognormal fits."""
    import numpy as np

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


@dataclass(frozen=True, slots=True, kw_only=True)
class _Law:
    """Fields as in Tail."""

    alpha: float
    error: float
    xmin: int
    distance: float


def _fit(values: Array) -> _Law | None:
    """The maximum-likelihood power law for each xmin that leaves TAIL values above it; of these, the nearest.

    None for fewer than three different values. Vectorised over all xmin: the package takes a hundred times as long for
    the same figures.
    """
    import numpy as np
    from scipy.special import zeta

    different, counts = np.unique(values, return_counts=True)
    if len(different) < 3:
        return None
    above = counts[::-1].cumsum()[::-1]
    logs = (counts * np.log(different))[::-1].cumsum()[::-1]
    starts = np.flatnonzero((above >= min(TAIL, len(values))) & (np.arange(len(different)) < len(different) - 1))
    if len(starts) < 3:  # nearly all values are equal, so there is only one choice
        starts = starts[:1]
    alphas = _likeliest(different[starts], above[starts], logs[starts])
    best = None
    for start, alpha in zip(starts.tolist(), alphas.tolist(), strict=True):
        tail, count = different[start:], above[start]
        # P(X < x) of the law at each value and just above the one before: between two values only the law grows
        law = 1 - zeta(alpha, np.append(tail, tail + 1).reshape(2, -1)) / zeta(alpha, tail[0])
        empirical = np.append(0, counts[start:].cumsum()) / count
        distance = float(max(np.abs(law[0] - empirical[:-1]).max(), np.abs(law[1] - empirical[1:]).max()))
        if best is None or distance < best.distance:
            error = _error(alpha, tail[0], int(count))
            best = _Law(alpha=alpha, error=error, xmin=int(tail[0]), distance=distance)
    return best


def _likeliest(xmins: Array, counts: Array, logs: Array) -> Array:
    """The alpha of maximum likelihood for each xmin: `counts` values lie above it; their logarithms sum to `logs`.

    The likelihood has one maximum. A grid, narrowed in rounds, encloses it to 1e-5.
    """
    import numpy as np
    from scipy.special import zeta

    low, high = (np.full(len(xmins), end) for end in ALPHA)
    for _ in range(GRIDS):
        grid = low + (high - low) * np.linspace(0, 1, POINTS)[:, None]
        costs = logs * grid + counts * np.log(zeta(grid, xmins))
        index, each = costs.argmin(axis=0), np.arange(len(xmins))
        low, high = grid[np.maximum(index - 1, 0), each], grid[np.minimum(index + 1, POINTS - 1), each]
    middle: Array = (low + high) / 2
    return middle


def _error(alpha: float, xmin: float, count: int) -> float:
    """The standard error of alpha, from the curvature of the likelihood (section 3.1 of the paper, equation 3.6)."""
    import numpy as np
    from scipy.special import zeta

    before, centre, after = np.log(zeta(alpha + CURVED * np.array([-1.0, 0.0, 1.0]), xmin))
    return float(CURVED / np.sqrt(count * (before - 2 * centre + after)))


def _goodness(values: Array, rng: Generator) -> float | None:
    """The share of drawn series that lie farther from their own fit than `values` from theirs.

    Series are drawn from the fit, and below xmin from the values themselves.
    """
    import numpy as np

    law = _fit(values)
    if law is None:
        return None
    below = values[values < law.xmin]
    farther = draws = 0
    for _ in range(DRAWS):
        above = rng.binomial(len(values), 1 - len(below) / len(values))
        lower = rng.choice(below, len(values) - above) if len(below) else below
        other = _fit(np.concatenate([lower, _draw(above, law.alpha, law.xmin, rng)]))
        if other is not None:
            draws += 1
            farther += other.distance >= law.distance
    return farther / draws if draws else None


def _draw(count: int, alpha: float, xmin: int, rng: Generator) -> Array:
    """`count` values of the discrete power law."""
    import numpy as np
    from scipy.special import zeta

    above = zeta(alpha, np.arange(xmin + 1, xmin + 1 + TABLE)) / zeta(alpha, xmin)  # P(X > x) for x = xmin, ...
    chance = rng.random(count)
    indexes = np.searchsorted(-above, -chance)
    last = xmin + TABLE
    far = (last - 0.5) * (chance / above[-1]) ** (-1 / (alpha - 1)) + 0.5
    values: Array = np.where(indexes < TABLE, xmin + indexes, np.floor(np.minimum(far, 1e15))).astype(float)
    return values


def _compared(values: Array, xmin: int) -> tuple[Comparison, Comparison]:
    """The comparison of the law with a lognormal and an exponential tail, for the same xmin."""
    with _quiet():
        import powerlaw

        limits = {"alpha": list(ALPHA)}
        fit = powerlaw.Fit(values, discrete=True, xmin=xmin, parameter_ranges=limits, verbose=0)
        lognormal, exponential = (
            fit.distribution_compare("power_law", other) for other in ("lognormal", "exponential")
        )
    return _comparison(lognormal), _comparison(exponential)


def _comparison(result: tuple[float, float]) -> Comparison:
    ratio, p = result
    return Comparison(ratio=float(ratio), p=float(p))


def _statement(law: _Law, above: int, p: float | None, others: Mapping[str, Comparison], things: str) -> str:
    """What the tests amount to: a power law is plausible if it is not rejected and no other curve fits better."""
    rejected = p is not None and p < PLAUSIBLE
    better = [name for name, other in others.items() if other.ratio < 0 and other.p < PLAUSIBLE]
    open_ = [name for name, other in others.items() if not other.p < PLAUSIBLE]
    start = f"From {law.xmin:,} on ({counted(above, 'page')}), the {things}"
    if rejected or better:
        reason = [f"the test rejects it, {p_text(p)}"] if rejected and p is not None else []
        reason += [f"{' and '.join(better)} curve fits better"] if better else []
        return f"{start} do not follow a power law: {'; '.join(reason)}."
    passed = f"the test does not reject it, {p_text(p)}" if p is not None else "they are too alike for a test"
    if open_:
        few = f"{counted(above, 'value')} cannot tell which" if above < MANY else "the values cannot tell which"
        return f"{start} may follow a power law ({passed}), or {' or '.join(open_)} curve: {few}."
    enough = "" if above >= FEWEST else f", as far as {above} values can tell"
    return f"{start} follow a power law of exponent {law.alpha:.1f} ({passed}, and other curves fit worse){enough}."


def p_text(p: float) -> str:
    """The goodness of fit; 0 means that no draw was as extreme."""
    return f"p < {1 / DRAWS:g}" if p == 0 else f"p = {p:.2f}"


def _how(values: int, used: int) -> str:
    sample = f"{used:,} drawn at random of {values:,} values" if used < values else f"{values:,} values"
    return (
        f"Maximum likelihood over {sample}, xmin where the Kolmogorov-Smirnov distance is least (Clauset, Shalizi and "
        f"Newman 2009); p by {DRAWS} draws of a semiparametric bootstrap over at most {TESTED:,} of them, below "
        f"{PLAUSIBLE} the tail is hardly a power law; likelihood ratios against lognormal and exponential tails from "
        "the same xmin on."
    )

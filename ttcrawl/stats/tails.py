"""Is the tail of a degree distribution a power law, P(x) ~ x^-alpha for x >= xmin?

The method is that of A. Clauset, C. R. Shalizi and M. E. J. Newman, Power-law distributions in empirical data, SIAM
Review 51, 2009, as in the package powerlaw: alpha by maximum likelihood, xmin where the Kolmogorov-Smirnov distance
is least.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.random import Generator

    from ttcrawl.stats.curves import Array

MOST = 20_000  # values fitted; the search for xmin grows with values and with different values
TESTED = 2_000  # values of the goodness of fit, which repeats the whole search for each draw
DRAWS = 50
TAIL = 50  # values that xmin leaves above it at the least
FEWEST = 100
ALPHA = (1.01, 8.0)  # the package itself stops at 3
PLAUSIBLE = 0.1
TABLE = 10_000  # values above xmin drawn exactly; further out the power law is as good as continuous


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """`ratio` > 0 speaks for the power law; `p` is how often chance alone gives a ratio as far from 0."""

    ratio: float
    p: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Tail:
    """P(x) ~ x ** -alpha for x >= xmin. `error` is the standard error of alpha given xmin, `distance` Kolmogorov's and
    Smirnov's, `tail` the number of values >= xmin among the `fitted` ones of `values` in all.

    `p` is the goodness of fit: below 0.1 the tail is hardly a power law. None where too few values differ to tell.
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
    how: str


def tail(values: Iterable[int], rng: Generator) -> Tail | None:
    """The power law of the upper end of `values`; those below 1 are left out. None with fewer than 100 left, or where
    nearly all are the same.

    Bounded: of more than 20,000 values that many are drawn without replacement for the fit and the comparisons, of more
    than 2,000 that many for the goodness of fit, the semiparametric bootstrap of the paper's section 4.1 with 50 draws
    (so p is good to about 0.07). A test on fewer values rejects less easily; a million values of anything real reject
    every law.
    """
    import numpy as np

    every = np.fromiter(values, dtype=float)
    every = every[every >= 1]
    used = _sample(every, MOST, rng)
    if len(used) < FEWEST:
        return None
    with _quiet():
        fit = _fit(used)
        if fit is None:
            return None
        law = fit.power_law
        return Tail(
            alpha=float(law.alpha),
            error=float(law.sigma),
            xmin=int(law.xmin),
            distance=float(law.D),
            tail=int((used >= law.xmin).sum()),
            fitted=len(used),
            values=len(every),
            p=_goodness(_sample(used, TESTED, rng), rng),
            lognormal=_compared(fit, "lognormal"),
            exponential=_compared(fit, "exponential"),
            how=_how(len(every), len(used)),
        )


def _sample(values: Array, most: int, rng: Generator) -> Array:
    return values if len(values) <= most else rng.choice(values, most, replace=False)


@contextmanager
def _quiet() -> Iterator[None]:
    """The package warns of every start outside of its bounds, and of every tail that a lognormal does not fit."""
    import numpy as np

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def _fit(values: Array) -> Any:
    """A powerlaw.Fit, or None where there are not three different values to fit."""
    import numpy as np
    import powerlaw

    highest = np.partition(values, -TAIL)[-TAIL]
    if len(np.unique(values)) < 3:
        return None
    search = len(np.unique(values[values <= highest])) > 2
    fit = powerlaw.Fit(
        values,
        discrete=True,
        xmin=(1, highest + 1) if search else values.min(),  # its range leaves out the upper end
        parameter_ranges={"alpha": list(ALPHA)},
        verbose=0,
    )
    return fit if np.isfinite(fit.power_law.alpha) else None


def _goodness(values: Array, rng: Generator) -> float | None:
    """The share of series drawn from the fit (below xmin from the values themselves) that lie farther from their
    own fit than `values` do from theirs."""
    import numpy as np

    fit = _fit(values)
    if fit is None:
        return None
    law = fit.power_law
    below = values[values < law.xmin]
    farther = drawn = 0
    for _ in range(DRAWS):
        above = rng.binomial(len(values), 1 - len(below) / len(values))
        lower = rng.choice(below, len(values) - above) if len(below) else below
        other = _fit(np.concatenate([lower, _draw(above, float(law.alpha), int(law.xmin), rng)]))
        if other is not None:
            drawn += 1
            farther += bool(other.power_law.D >= law.D)
    return farther / drawn if drawn else None


def _draw(count: int, alpha: float, xmin: int, rng: Generator) -> Array:
    """`count` values of the discrete power law."""
    import numpy as np
    from scipy.special import zeta

    above = zeta(alpha, np.arange(xmin + 1, xmin + 1 + TABLE)) / zeta(alpha, xmin)  # P(X > x) for x = xmin, ...
    chance = rng.random(count)
    places = np.searchsorted(-above, -chance)
    last = xmin + TABLE
    far = (last - 0.5) * (chance / above[-1]) ** (-1 / (alpha - 1)) + 0.5
    drawn: Array = np.where(places < TABLE, xmin + places, np.floor(np.minimum(far, 1e15))).astype(float)
    return drawn


def _compared(fit: Any, other: str) -> Comparison:
    ratio, p = fit.distribution_compare("power_law", other)
    return Comparison(ratio=float(ratio), p=float(p))


def _how(values: int, used: int) -> str:
    drawn = f"{used:,} drawn at random of {values:,} values" if used < values else f"{values:,} values"
    return (
        f"Maximum likelihood over {drawn}, xmin where the Kolmogorov-Smirnov distance is least (Clauset, Shalizi and "
        f"Newman 2009); p by {DRAWS} draws of a semiparametric bootstrap over at most {TESTED:,} of them, below "
        f"{PLAUSIBLE} the tail is hardly a power law; likelihood ratios against lognormal and exponential tails from "
        "the same xmin on."
    )

"""What to expect of a page before it was visited often: how the other pages of its site change (empirical Bayes).

The rates of a site are drawn from a gamma distribution. The evidence of a page is a number of changes in a number of
seconds (`rate.counted`), so the likelihood of the distribution is a product of negative binomial ones. Its mean and its
shape are themselves expected near the ones of a broader distribution: a site with few visits has the one of all sites.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ttcrawl.recrawl.rate import Evidence, Gamma, counted, estimate

#: Seconds of a day.
DAY = 86400.0

#: Before anything is known: half of all pages change less than once in 100 days, one in twelve once a day or more
#: often (Fetterly and others, A large-scale study of the evolution of Web pages, 2004, have found such proportions).
BROAD = Gamma(0.25, 1.5 * DAY)

#: Pages that decide about a site: more make it slower, not better.
MOST = 500

#: Standard deviations of logarithms around the broader distribution: sites differ by a factor of 5 in their mean rate
#: and of 2 in the shape.
MEAN_SPREAD, SHAPE_SPREAD = math.log(5), math.log(2)

#: Shapes that are considered; steps of the search for it, and for the seconds; and rounds of all.
SMALLEST, LARGEST, STEPS, NEWTON, ROUNDS = 0.05, 20.0, 14, 30, 2

_GOLDEN = (math.sqrt(5) - 1) / 2


def fit(pages: Sequence[Evidence], broader: Gamma = BROAD) -> Gamma:
    """Return the distribution of the rates of a site from the evidence of at most MOST of its pages.

    >>> fit([]) == BROAD
    True
    """
    pages = [page for page in pages[:MOST] if page.quiet or page.dated or page.spans]
    prior = broader
    for _ in range(ROUNDS if pages else 0):  # a span counts by the rate, which is estimated with the prior
        prior = _most_likely([counted(page, estimate(page, prior)) for page in pages], broader)
    return prior


def _most_likely(counts: Sequence[Gamma], broader: Gamma) -> Gamma:
    """Return the best distribution: for each shape the best seconds, by golden section over the logarithm of the
    shape."""
    low, high = math.log(SMALLEST), math.log(LARGEST)
    one, two = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_one, at_two = (_likelihood(_at(math.exp(each), counts, broader), counts, broader) for each in (one, two))
    for _ in range(STEPS):
        if at_one > at_two:
            high, two, at_two = two, one, at_one
            one = high - _GOLDEN * (high - low)
            at_one = _likelihood(_at(math.exp(one), counts, broader), counts, broader)
        else:
            low, one, at_one = one, two, at_two
            two = low + _GOLDEN * (high - low)
            at_two = _likelihood(_at(math.exp(two), counts, broader), counts, broader)
    return _at(math.exp((low + high) / 2), counts, broader)


def _at(shape: float, counts: Sequence[Gamma], broader: Gamma) -> Gamma:
    """Return the best distribution of this shape. The likelihood is concave in the logarithm of the seconds."""
    middle = math.log(shape / broader.mean)
    log = middle
    for _ in range(NEWTON):
        seconds = math.exp(log)
        slope, bend = (middle - log) / MEAN_SPREAD**2, -1 / MEAN_SPREAD**2
        for page in counts:
            share = seconds / (seconds + page.seconds)
            slope += shape - (shape + page.shape) * share
            bend -= (shape + page.shape) * share * (1 - share)
        step = max(-2.0, min(2.0, -slope / bend))
        log += step
        if abs(step) < 1e-4:
            break
    return Gamma(shape, math.exp(log))


def _likelihood(prior: Gamma, counts: Sequence[Gamma], broader: Gamma) -> float:
    """Return the logarithm of the likelihood of a distribution, and of its distance from the broader one."""
    shape, seconds = prior.shape, prior.seconds
    mean, other = math.log(prior.mean / broader.mean), math.log(shape / broader.shape)
    result = -((mean / MEAN_SPREAD) ** 2 + (other / SHAPE_SPREAD) ** 2) / 2
    each = shape * math.log(seconds) - math.lgamma(shape)
    for page in counts:
        total = shape + page.shape
        result += each + math.lgamma(total) - total * math.log(seconds + page.seconds)
    return result

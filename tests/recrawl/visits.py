"""Visits to a page that changes at a known rate."""

import math

from ttcrawl.recrawl.rate import NOTHING, changed, unchanged
from ttcrawl.store.rows import RecrawlRow

#: The row of a URL that was never visited again.
NEVER = RecrawlRow(
    url=0,
    next=0,
    visited=0,
    visits=0,
    not_modified=0,
    changes=0,
    missing=0,
    failures=0,
    trust="",
    evidence="",
    announced=None,
    refused="",
)


def evidence(chance, rate, intervals, dated=False):
    """What visits after these intervals show of a Poisson process. `dated`: the server tells the last change."""
    result = NOTHING
    for seconds in intervals:
        ago = chance.expovariate(rate)
        other = ago <= seconds
        result = changed(result, seconds, ago if dated else None) if other else unchanged(result, seconds)
    return result


def score(rate, observed, prior):
    """The derivative of the logarithm of the likelihood by that of the rate, visit by visit."""
    result = prior.shape - prior.seconds * rate
    for seconds, other in observed:
        changes = rate * seconds
        if not other:
            result -= changes
        elif changes < 700:
            result += changes / math.expm1(changes)
    return result


def most_likely(observed, prior):
    low, high = 1e-15, 1e3
    for _ in range(200):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if score(middle, observed, prior) > 0 else (low, middle)
    return low

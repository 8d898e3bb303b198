"""How often a page changes, from visits at any intervals.

Changes are a Poisson process. A visit says whether the page has changed since the one before it, not how often; a
Last-Modified says when it did so last. The likelihood of a rate r (Cho and Garcia-Molina, Estimating Frequency of
Change, ACM Transactions on Internet Technology 3, 2003):

    unchanged for t seconds               exp(-r t)
    changed within t seconds              1 - exp(-r t)
    changed last s seconds before         r exp(-r s)

The first and the last belong to a gamma distribution, so such visits are two sums. Visits of the second kind are
sums by length of the interval. The prior is a gamma distribution too (see `prior`). It makes every estimate finite and
positive, whatever was observed.
"""

from __future__ import annotations

import math

from msgspec import Struct

#: Servers and clocks count seconds: nothing happens within a shorter interval.
LEAST = 1.0

#: Steps of Newton's method, and the relative step after which it ends: the error is then about its square.
STEPS, PRECISION = 60, 1e-3


class Gamma(Struct, frozen=True):
    """A gamma distribution of rates: as if `shape` changes had been counted in `seconds`.

    >>> Gamma(2, 100).mean
    0.02
    """

    shape: float
    seconds: float

    @property
    def mean(self) -> float:
        return self.shape / self.seconds if self.seconds else math.inf


#: Without any prior: the estimate has maximum likelihood.
FLAT = Gamma(0.0, 0.0)


class Span(Struct, frozen=True):
    """Visits that found a change of unknown time, after intervals of the same length within a factor of 2."""

    visits: int
    seconds: float  # their sum


class Evidence(Struct, frozen=True):
    """What all visits to a page have shown. `dated`: changes whose time is known; `quiet`: seconds without any
    change."""

    dated: int = 0
    quiet: float = 0.0
    spans: tuple[Span, ...] = ()


#: Of a page that was visited once, or never.
NOTHING = Evidence()


def unchanged(evidence: Evidence, seconds: float) -> Evidence:
    """Return the evidence after a visit that found the page as it was `seconds` before."""
    return Evidence(evidence.dated, evidence.quiet + max(seconds, 0.0), evidence.spans)


def changed(evidence: Evidence, seconds: float, ago: float | None = None) -> Evidence:
    """Return the evidence after a visit that found another page than `seconds` before.

    `ago`: seconds since its last change; None, and any time before the interval: unknown.
    """
    seconds = max(seconds, LEAST)
    if ago is not None and 0 <= ago <= seconds:
        return Evidence(evidence.dated + 1, evidence.quiet + max(ago, LEAST), evidence.spans)
    return _with_span(evidence, Span(1, seconds))


def joined(one: Evidence, other: Evidence) -> Evidence:
    """Return the evidence of one page at two URLs, one after the other.

    >>> joined(unchanged(NOTHING, 60), changed(NOTHING, 70))
    Evidence(dated=0, quiet=60.0, spans=(Span(visits=1, seconds=70),))
    """
    result = Evidence(one.dated + other.dated, one.quiet + other.quiet, one.spans)
    for span in other.spans:
        result = _with_span(result, span)
    return result


def _with_span(evidence: Evidence, more: Span) -> Evidence:
    here, spans = _class(more.seconds / more.visits), evidence.spans
    for index, span in enumerate(spans):
        if _class(span.seconds / span.visits) == here:
            both = Span(span.visits + more.visits, span.seconds + more.seconds)
            return Evidence(evidence.dated, evidence.quiet, (*spans[:index], both, *spans[index + 1 :]))
    return Evidence(evidence.dated, evidence.quiet, (*spans, more))


def _class(seconds: float) -> int:
    """Return the class of an interval: the binary exponent, so the classes of a page are few."""
    return math.frexp(seconds)[1]


def watched(evidence: Evidence) -> float:
    """Return the seconds that the evidence is about: of an interval with a dated change, only those after it.

    >>> watched(changed(unchanged(NOTHING, 100), 50))
    150.0
    """
    return evidence.quiet + sum(span.seconds for span in evidence.spans)


def estimate(evidence: Evidence, prior: Gamma) -> float:
    """Return the rate: the most likely one on a logarithmic scale. It is infinite only with the prior FLAT, for a page
    that has changed at each visit.

    The mode on this scale is the posterior mean where all changes are dated. The score is convex and falls, so Newton's
    method from the left of its root (first: from 0) can neither overshoot nor fail.

    >>> evidence = unchanged(changed(NOTHING, 100), 100)
    >>> round(estimate(evidence, FLAT) * 100, 6)  # 1 - exp(-r t) = 1/2
    0.693147
    """
    shape, seconds = prior.shape + evidence.dated, prior.seconds + evidence.quiet
    visits = sum(span.visits for span in evidence.spans)
    if not seconds:
        return math.inf if shape or visits else 0.0
    rate = (shape + visits) / (seconds + sum(span.seconds for span in evidence.spans) / 2)
    spans = [(span.visits, span.seconds / span.visits) for span in evidence.spans]
    for _ in range(STEPS if spans else 0):
        score, slope = shape - seconds * rate, seconds
        for count, length in spans:
            ahead, behind = _parts(rate * length)
            score += count * ahead
            slope += count * ahead * (behind - 1) / rate
        step = score / slope
        rate += step
        if step <= PRECISION * rate:
            break
    return rate


def _parts(changes: float) -> tuple[float, float]:
    """Return u / (exp(u) - 1) and u / (1 - exp(-u)) for u expected changes.

    >>> _parts(0.0), _parts(1000.0)
    ((1.0, 1.0), (0.0, 1000.0))
    """
    if changes < 1e-5:
        return 1.0 - changes / 2, 1.0 + changes / 2
    if changes > 700:
        return 0.0, changes
    behind = changes / -math.expm1(-changes)
    return behind - changes, behind


def counted(evidence: Evidence, rate: float) -> Gamma:
    """Return the evidence as changes in seconds, near a rate: the gamma distribution with the same first two
    derivatives.

    A change after an interval in which many were expected counts nearly nothing, one after a short interval as one in
    half of its seconds.
    """
    shape, seconds = float(evidence.dated), evidence.quiet
    for span in evidence.spans:
        ahead, behind = _parts(rate * span.seconds / span.visits)
        shape += span.visits * ahead * behind
        seconds += span.visits * ahead * (behind - 1) / rate
    return Gamma(shape, seconds)

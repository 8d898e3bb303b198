"""What a report says of a growth law: one sentence, with as many digits as the numbers bear.

Two orders of crawling one site give series that differ a little, and must not give two statements. So K and beta have
the fewest digits with which they lie in their intervals and the stated law itself holds within 5 % over nearly the
range of the fitted one; and the ends of the range are rounded to two digits, inwards, so that the sentence stays true.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ttcrawl.report.laws.heaps import Interval
from ttcrawl.report.laws.longest_line import TOLERANCE, WIDE, Line

if TYPE_CHECKING:
    from ttcrawl.report.laws.curves import Array
    from ttcrawl.report.laws.pool import Pool

MOST_DIGITS = 4
DECADE = 10.0  # in a shorter range of ranks a power law cannot be told from other curves
ROUND = (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)  # times a power of ten: a coarse round number
NEARLY = 0.95  # of the range in log n
SPELL = 7.0  # expected things since the last one: Poisson's probability of none, exp(-7), is one in a thousand


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What grows with what: "the distinct URLs" by "page", "pages"."""

    things: str
    unit: str
    units: str


BY_PAGES = Subject(things="distinct URLs", unit="page", units="pages")
IN_SCOPE = Subject(things="distinct URLs in scope", unit="page", units="pages")
BY_FOUND = Subject(things="distinct URLs", unit="link", units="links")
BY_MAIN = Subject(things="distinct URLs of main texts", unit="link", units="links")
TERMS = Subject(things="distinct terms", unit="token", units="tokens")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stated:
    """A law with rounded numbers, and the ends of the range in which it holds."""

    k: str
    beta: str
    first: float
    last: float


def statement(line: Line, series: Array, intervals: tuple[Interval, Interval], subject: Subject) -> str:
    """The sentence about `line` for the series (n, v); `intervals` are those of K and beta."""
    if not line.holds:
        return (
            f"Nowhere do the {subject.things} follow a power law of the {subject.units} within 5 % over a doubling of"
            f" the {subject.units}."
        )
    stated = _stated(line, series, intervals)
    formula, of_beta = f"{stated.k} n^{stated.beta}", intervals[1]
    if not of_beta.tells_exponent:
        how = (
            f"lie within 5 % of {formula}, but they come so unevenly that this is not a law: by the same unevenness the"
            f" exponent may be anything from {of_beta.low:.1f} to {of_beta.high:.1f}"
        )
    elif line.beta > 1 and float(stated.beta) > 1:
        how = (
            f"grow faster than the {subject.units}, as {formula} within 5 %, so this is not Heaps' law: each"
            f" {subject.unit} brings more new ones than the one before"
        )
    elif float(stated.beta) == 1:
        how = f"grow in proportion to the {subject.units}, as {formula} within 5 %"
    else:
        how = f"follow Heaps' law, {formula}, within 5 %"
    return f"{_where(stated, series, subject)} the {subject.things} {how}{_afterwards(line, stated, series, subject)}."


def pool_statement(pool: Pool, subject: Subject) -> str:
    """The sentence about the second model. Its numbers depend on each other, so each has the digits that it bears."""
    first, last = coarse(pool.holds_from, pool.holds_to)
    digits = len(str(round(pool.size)))  # N has no decimals
    size = _bearable(pool.size, pool.size_interval, min(digits, MOST_DIGITS))
    many, n = (f"about {size}", "") if pool.ends else ("a finite number", f", N about {size}")
    return (
        f"From {subject.unit} {first:,} to {last:,} they lie within 5 % of {named(pool.beta)} with {many} of them in"
        f" all: N (1 - exp(-K n^beta / N)), K about {_bearable(pool.k, pool.k_interval)}, beta about"
        f" {_bearable(pool.beta, pool.beta_interval)}{n}."
    )


def _bearable(value: float, interval: Interval, most: int = MOST_DIGITS) -> str:
    """The value with the fewest digits that round it by less than a third of its interval, or with `most`.

    >>> _bearable(64.2, Interval(low=44, high=95)), _bearable(0.6015, Interval(low=0.52, high=0.70))
    ('60', '0.6')
    """
    wide = (interval.high - interval.low) / 3
    digits = next((each for each in range(1, most) if abs(_step(value, each)) / 2 <= wide), most)
    return rounded(value, digits)


def _step(value: float, digits: int) -> float:
    """The unit of the last of so many digits."""
    return float(10.0 ** (math.floor(math.log10(value)) - digits + 1)) if value else 0.0


def named(beta: float) -> str:
    """What K n^beta is called: with an exponent above 1, which no vocabulary has, it is not Heaps' law."""
    return "Heaps' law" if beta <= 1 else "a power law"


def zipf_statement(line: Line, series: Array, error: float, things: str) -> str:
    """The sentence about Zipf's law for the series (rank, count); `error` is the standard error of the exponent."""
    if not line.holds:
        return (
            f"Nowhere do the counts of the {things} follow a power law of the rank within 5 % over a doubling of the"
            " rank, so they do not follow Zipf's law."
        )
    s = Interval(low=line.beta - 2 * error, high=line.beta + 2 * error)
    stated = _stated(line, series, (Interval(low=0.0, high=math.inf), s))
    first, last = inwards(stated.first, stated.last)
    text = (
        f"From rank {first:,} to {last:,} the counts of the {things} follow a power law of the rank,"
        f" {stated.k} r^{stated.beta}, within 5 % (Zipf's law: r^-1)"
    )
    if stated.last < DECADE * stated.first:
        text += "; that is less than a factor of ten, over which other curves look the same"
    return f"{text}."


def _where(stated: _Stated, series: Array, subject: Subject) -> str:
    first, last = inwards(stated.first, stated.last)
    start, end = float(series[0, 0]), float(series[0, -1])
    if stated.first <= start and stated.last >= end:
        return f"For all {end:,.0f} {subject.units}"
    if stated.last >= end:
        return f"From {subject.unit} {first:,} to the end ({end:,.0f} {subject.units})"
    if stated.first <= start:
        return f"For the first {last:,} {subject.units}"
    return f"From {subject.unit} {first:,} to {last:,}"


def _afterwards(line: Line, stated: _Stated, series: Array, subject: Subject) -> str:
    """What comes after the range: fewer new things, or more, or at last none."""
    n, v = series
    end = float(n[-1])
    if stated.last >= end:
        return ""
    law = math.exp(line.log_k + line.beta * math.log(end))
    text = "; then more are new" if v[-1] > law else "; then fewer are new"
    last_new = float(n[int((v >= v[-1]).argmax())])
    missing = law - math.exp(line.log_k + line.beta * math.log(last_new))
    if missing > SPELL and last_new < end:
        if last_new <= stated.last:  # the level end begins within the tolerance
            return f"; after {subject.unit} {outwards(last_new, end):,} none is new"
        text += f", and after {subject.unit} {outwards(last_new, end):,} none"
    return text


def _stated(line: Line, series: Array, intervals: tuple[Interval, Interval]) -> _Stated:
    """The law with the fewest digits that says the same."""
    import numpy as np

    logs = np.log(series)
    inside = (logs[0] >= line.first - 1e-9) & (logs[0] <= line.last + 1e-9)
    n, x, y = series[0, inside], logs[0, inside], logs[1, inside]
    middle = (line.first + line.last) / 2
    for digits_k, digits_beta in _digits():
        beta = round(line.beta, digits_beta)
        # K of this beta: the lines cross in the middle of the range
        k = _significant(math.exp(line.log_k + (line.beta - beta) * middle), digits_k)
        likely = all(each.low <= value <= each.high for each, value in zip(intervals, (k, beta), strict=True))
        exact = (digits_k, digits_beta) == (MOST_DIGITS, MOST_DIGITS)
        first, last = _run(x, y - math.log(k) - beta * x)
        if exact or (likely and x[last] - x[first] >= NEARLY * (line.last - line.first)):
            return _Stated(
                k=f"{k:,.{max(0, digits_k - 1 - math.floor(math.log10(k)))}f}",
                beta=f"{beta:.{digits_beta}f}",
                first=float(n[first]),
                last=float(n[last]),
            )
    raise AssertionError("the last digits are exact")


def _digits() -> Iterator[tuple[int, int]]:
    """Digits of K and decimals of beta, the fewest first."""
    each = range(1, MOST_DIGITS + 1)
    yield from sorted(((k, beta) for k in each for beta in each), key=lambda both: (sum(both), both[1]))


def _run(x: Array, errors: Array) -> tuple[int, int]:
    """The indexes of the ends of the longest run of points within 5 %; twice 0 without one."""
    import numpy as np

    far = np.flatnonzero((errors > math.log1p(TOLERANCE)) | (errors < math.log1p(-TOLERANCE)))
    starts, ends = np.append(0, far + 1), np.append(far, len(x))
    runs = [(x[end - 1] - x[start], start, end - 1) for start, end in zip(starts, ends, strict=True) if start < end]
    _, first, last = max(runs, default=(0.0, 0, 0))
    return int(first), int(last)


def _significant(value: float, digits: int) -> float:
    return float(f"{value:.{digits - 1}e}")


def rounded(value: float, digits: int) -> str:
    """A number with this many digits that count.

    >>> rounded(10159.7, 2), rounded(0.6606, 2)
    ('10,000', '0.66')
    """
    number = _significant(value, digits)
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(number)))) if number else 0
    return f"{number:,.{min(decimals, 12)}f}"


def inwards(first: float, last: float) -> tuple[int, int]:
    """The ends of a range with two digits, inside it.

    >>> inwards(1528, 21747)
    (1600, 21000)
    """
    low, high = _unit(first) * math.ceil(first / _unit(first)), _unit(last) * math.floor(last / _unit(last))
    return (low, high) if low < high else (math.ceil(first), math.floor(last))


def coarse(first: float, last: float) -> tuple[int, int]:
    """The ends of a range as round numbers inside it, as far as these leave one.

    >>> coarse(16, 374), coarse(1, 20_000), coarse(110, 140)
    ((20, 300), (1, 20000), (110, 140))
    """
    low, high = _power(first), _power(last)
    later = next(math.ceil(step * low) for step in ROUND if step * low >= first)
    earlier = max(math.floor(step * high) for step in ROUND if step * high <= last)
    return (later, earlier) if WIDE * later <= earlier else inwards(first, last)


def _power(number: float) -> int:
    return int(10 ** max(0, math.floor(math.log10(number))))


def outwards(position: float, end: float) -> int:
    """A position as a round number, not before it, if the series goes on that far.

    Which page is the last with something new depends on the order of the pages, more than where the law ends.

    >>> outwards(327, 811), outwards(1100, 20000), outwards(809, 811)
    (400, 1500, 809)
    """
    power = _power(position)
    later = next(math.ceil(step * power) for step in ROUND if step * power >= position)
    return later if later < end else math.floor(position)


def _unit(number: float) -> int:
    return int(10 ** max(0, math.floor(math.log10(number)) - 1)) if number >= 1 else 1

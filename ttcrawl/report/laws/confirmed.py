"""Estimates of what a crawl has not seen, only where its first half predicts its second half.

Every such estimate assumes that pages to come are like pages so far. No formula can know that, but half of the crawl
can be asked what the other half brought. Forecasts reach no further than the crawl has come, because a half confirms
no more than its double.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ttcrawl.report.laws.discovery import Forecast, forecast
from ttcrawl.report.laws.recapture import Size
from ttcrawl.report.laws.unseen import Prediction, Sample, lower_bound, more_seen

if TYPE_CHECKING:
    from numpy.random import Generator

MORE_PAGES = 10_000
#: URLs to which two pages link: a bound from fewer is off by a third and more, and from none it has no upper end.
FEWEST_TWICE = 10
#: Pages that are fetched without an end of the site, for each page within which it ends with a probability of 2.5 %:
#: P(end within m pages | none within n) = m / (n + m) (J. R. Gott, Nature 363, 1993).
PAGES_TO_AN_END = 39

TOO_LITTLE = "Not shown: too few values for an estimate."


def confirmed_forecast(pages: Sequence[int], distinct: Sequence[int], rng: Generator) -> tuple[Forecast | None, str]:
    """(The new URLs on as many further pages as are fetched, at most MORE_PAGES; if None, why).

    pages[i] pages had shown distinct[i] URLs. The lower end of the interval allows for the end of the site. An interval
    that is wider than the number of URLs known predicts nothing, so it confirms nothing.
    """
    last = pages[-1] if pages else 0
    first = [(n, v) for n, v in zip(pages, distinct, strict=True) if 2 * n <= last]
    now = forecast(pages, distinct, min(MORE_PAGES, last), rng)
    if now is None or not first:
        return None, TOO_LITTLE
    early_pages, early_distinct = zip(*first, strict=True)
    before = forecast(early_pages, early_distinct, last - early_pages[-1], rng)
    if before is None:
        return None, TOO_LITTLE
    split = Prediction(expected=before.expected, low=before.low, high=before.high)
    new = distinct[-1] - early_distinct[-1]
    if split.high - split.low > early_distinct[-1]:
        return None, f"Not shown: {_predicts(split)}, which is too wide an interval to be confirmed."
    if not _holds(split, new):
        return None, f"Not shown: {_predicts(split)}, but {new:,} came."
    end = max(1, round(last / PAGES_TO_AN_END))
    allows = (
        f" The lower end allows for the end of the site: after {last:,} pages, it comes within another {end:,} with a"
        f" probability of 2.5 % (Gott). The forecast is confirmed: {_predicts(split)}, and {new:,} came."
    )
    return replace(now, low=now.low * min(1.0, end / now.pages), how=now.how + allows), ""


def confirmed_bound(now: Sample, half: Sample) -> tuple[Size | None, str]:
    """(A lower bound of the number of URLs; if None, why). `half`: the same of the first half of the pages."""
    if not half.seen:
        return None, TOO_LITTLE
    fewest = min(now.twice, half.twice)
    if fewest < FEWEST_TWICE:
        when = "" if now.twice < FEWEST_TWICE else " after half of the pages"
        return None, (
            f"Not shown: two pages link to {fewest:,} of the {(half if when else now).seen:,} URLs{when}, and a bound"
            f" needs {FEWEST_TWICE} of them."
        )
    split, new = more_seen(half, now.pages - half.pages), now.seen - half.seen
    if not _holds(split, new):
        return None, f"Not shown: {_predicts(split)}, but {new:,} came."
    size = lower_bound(now)
    return replace(size, how=f"{size.how} It is confirmed: {_predicts(split)}, and {new:,} came."), ""


def _holds(split: Prediction, new: int) -> bool:
    return round(split.low) <= new <= round(split.high)


def _predicts(split: Prediction) -> str:
    return (
        f"the first half of the crawl predicts {split.expected:,.0f} new URLs for the second half"
        f" (95 %: {split.low:,.0f} to {split.high:,.0f})"
    )

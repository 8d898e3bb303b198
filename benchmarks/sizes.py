"""How often the report shows estimates of size and forecasts, and how often the truth lies in their intervals.

python -m benchmarks.sizes [--series N] [--save]

Each series is a generated web of one of five kinds, whose size is known, crawled in breadth-first order up to a random
moment. The report's estimates are made there, and beside them the same figures without the test by halves of the crawl.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.link_webs import KINDS, Crawl, LinkWeb, Rng, crawl, growth, linking
from benchmarks.manual import write
from ttcrawl.report.laws.confirmed import MORE_PAGES, confirmed_bound, confirmed_forecast
from ttcrawl.report.laws.discovery import forecast
from ttcrawl.report.laws.unseen import Sample, lower_bound, sample_of

SEED = 39
SERIES = 200
#: Shares of the pages after which a crawl is looked at.
FROM, TO = 0.05, 0.98
FEWEST_PAGES = 50

PAGE = Path(__file__).parent.parent / "docs" / "quality.md"
BEGIN, END = "<!-- benchmarks.sizes -->\n", "<!-- end of benchmarks.sizes -->"


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """An estimate: whether the report shows it, and whether it is right; `ratio` to the truth, if that is finite."""

    shown: bool
    right: bool
    ratio: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """What became of one crawl; None: no such figure can be computed at all."""

    bound: Judged
    ahead: Judged | None


def series(make: Callable[[Rng], LinkWeb], rng: Rng) -> Series:
    """One web, crawled up to a random moment before its end."""
    made = crawl(make(rng))
    most = len(made.links)
    pages = min(most - 1, max(FEWEST_PAGES, round(most * rng.uniform(FROM, TO))))
    counts, early = linking(made, pages)
    return Series(bound=_bound(made, sample_of(pages, counts), sample_of(pages // 2, early)), ahead=_ahead(made, pages))


def _bound(made: Crawl, now: Sample, half: Sample) -> Judged:
    size, _ = confirmed_bound(now, half)
    shown = size is not None
    size = size or lower_bound(now)
    truth = made.web.pages
    return Judged(shown=shown, right=size.low <= truth, ratio=size.size / truth if math.isfinite(truth) else None)


def _ahead(made: Crawl, pages: int) -> Judged | None:
    places, distinct = growth(made, pages)
    found, _ = confirmed_forecast(places, distinct, np.random.default_rng(SEED))
    shown = found is not None
    more = min(MORE_PAGES, pages)
    found = found or forecast(places, distinct, more, np.random.default_rng(SEED))
    if found is None:
        return None
    # a crawl that ends before brings no more
    came = made.distinct[min(pages + more, len(made.distinct)) - 1] - distinct[-1]
    right = math.floor(found.low) <= came <= math.ceil(found.high)
    return Judged(shown=shown, right=right, ratio=found.expected / came if came else None)


def measured(count: int, kinds: Sequence[str] = tuple(KINDS)) -> dict[str, list[Series]]:
    """So many series of each kind."""
    return {
        kind: [series(KINDS[kind], np.random.default_rng((SEED, number, seed))) for seed in range(count)]
        for number, kind in enumerate(KINDS)
        if kind in kinds
    }


def table(results: dict[str, list[Series]]) -> str:
    """Markdown: what is shown and right, beside all that could be computed."""
    lines = [
        "| web | lower bound shown | of these right | without the test: right | largest, times the size |"
        " forecast shown | of these right | without the test: right |",
        "|:--|--:|--:|--:|--:|--:|--:|--:|",
    ]
    rows = [*results.items(), ("all", [each for kind in results.values() for each in kind])]
    for kind, made in rows:
        bounds, ahead = [each.bound for each in made], [each.ahead for each in made if each.ahead]
        worst = max((each.ratio for each in bounds if each.ratio), default=math.nan)
        shown = max((each.ratio for each in bounds if each.ratio and each.shown), default=math.nan)
        largest = f"{_number(shown)} (without the test {_number(worst)})"
        lines.append(f"| {kind} | {_shares(bounds)} | {largest} | {_shares(ahead)} |")
    return "\n".join(lines)


def _shares(judged: Sequence[Judged]) -> str:
    shown = [each for each in judged if each.shown]
    cells = [f"{len(shown)} of {len(judged)}", _right(shown), _right(judged)]
    return " | ".join(cells)


def _right(judged: Sequence[Judged]) -> str:
    return f"{sum(each.right for each in judged) / len(judged):.3f}" if judged else "-"


def _number(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:,.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--series", type=int, default=SERIES, help="of each kind (200)")
    parser.add_argument("--save", action="store_true", help="write the result into docs/quality.md")
    options = parser.parse_args()
    text = table(measured(options.series))
    print(text)
    if options.save:
        write(PAGE, BEGIN, END, text)


if __name__ == "__main__":
    main()

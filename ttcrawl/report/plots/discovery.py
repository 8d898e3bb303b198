"""New URLs per page over the crawl, and the forecast for further pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ttcrawl.report.laws.discovery import windows
from ttcrawl.report.plots.style import DARK, PAGES, empty, legend_below, looks, size, thousands
from ttcrawl.report.study import Study

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HEIGHT = 4.4
LINEAR = 0.1  # below, the axis of the rate is linear, because a logarithmic one has no 0


def discovery(figure: Figure, crawls: Sequence[Study], names: Sequence[str]) -> None:
    rate, sums = figure.subplots(1, 2)
    rate.set(title="Discovery rate", xlabel=PAGES, ylabel="New URLs per page")
    sums.set(title="Distinct URLs, and the forecast", xlabel=PAGES, ylabel="Distinct URLs")
    has_data = False
    for index, (crawl, name, (colour, marker, _)) in enumerate(zip(crawls, names, looks(len(crawls)), strict=True)):
        growth = crawl.summary.growth
        spans = windows(growth.pages, growth.distinct_urls)
        if len(spans) < 2:
            continue
        has_data = True
        across = [(each.first + each.last) / 2 for each in spans]
        rate.plot(
            across,
            [each.rate for each in spans],
            color=colour,
            marker=marker,
            ms=size(index, len(crawls)),
            lw=1,
            label=name,
        )
        sums.plot(growth.pages, growth.distinct_urls, color=colour, lw=2.4)
        ahead = crawl.estimates.forecast
        if ahead is None:
            continue
        end, sofar = growth.pages[-1] + ahead.pages, growth.distinct_urls[-1]
        bars = ([ahead.expected - ahead.low], [ahead.high - ahead.expected])
        between = f"[{ahead.low:,.0f}, {ahead.high:,.0f}]"
        text = f"{name}: another {ahead.pages:,} pages bring {ahead.expected:,.0f} new URLs {between}"
        sums.plot((growth.pages[-1], end), (sofar, sofar + ahead.expected), color=colour, lw=1.2, linestyle="--")
        sums.errorbar([end], [sofar + ahead.expected], yerr=bars, color=colour, marker=marker, capsize=5, label=text)
    if not has_data:
        empty(rate, "too few pages to tell")
        empty(sums, "too few pages to tell")
        return
    rate.set_yscale("symlog", linthresh=LINEAR)
    rate.set(xlim=(0, None), ylim=(-LINEAR / 4, max(1.0, rate.get_ylim()[1])))
    rate.axhline(0, color=DARK, lw=0.8)
    rate.axhspan(-LINEAR / 4, LINEAR, color="#eeeeee", lw=0, zorder=0)
    about = f"linear below {LINEAR:g}"
    rate.annotate(about, (0.99, LINEAR / 2), xycoords=("axes fraction", "data"), ha="right", va="center")
    sums.set(xlim=(0, None), ylim=(0, None))
    thousands(rate.xaxis, sums.xaxis, sums.yaxis)
    legend_below(figure, (rate, sums))

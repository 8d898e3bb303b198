"""New URLs per page over the crawl, and the forecast for further pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ttcrawl.report.laws.discovery import windows
from ttcrawl.report.plots.style import DARK, PAGES, SHADE, empty, legend_below, looks, power_text, size, thousands
from ttcrawl.report.study import Study

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

HEIGHT = 4.4
LINEAR = 0.1  # below, the axis of the rate is linear, because a logarithmic one has no 0


def discovery(figure: Figure, crawls: Sequence[Study], names: Sequence[str]) -> None:
    """The forecast has a panel if a crawl has one."""
    shown = any(crawl.estimates.forecast is not None for crawl in crawls)
    panels = figure.subplots(1, 2 if shown else 1, squeeze=False)[0]
    _rate(panels[0], crawls, names)
    if shown:
        _sums(panels[1], crawls, names)
    legend_below(figure, panels)


def _rate(axes: Axes, crawls: Sequence[Study], names: Sequence[str]) -> None:
    axes.set(title="Discovery rate", xlabel=PAGES, ylabel="New URLs per page")
    has_data = False
    for index, (crawl, name, (colour, marker, _)) in enumerate(zip(crawls, names, looks(len(crawls)), strict=True)):
        spans = windows(crawl.summary.growth.pages, crawl.summary.growth.distinct_urls)
        if len(spans) < 2:
            continue
        has_data = True
        across, up = [(each.first + each.last) / 2 for each in spans], [each.rate for each in spans]
        axes.plot(across, up, color=colour, marker=marker, ms=size(index, len(crawls)), lw=1, label=name)
    if not has_data:
        empty(axes, "too few pages to tell")
        return
    axes.set_yscale("symlog", linthresh=LINEAR)
    axes.yaxis.set_major_formatter(lambda rate, _: power_text(rate) if rate > 0 else "0")
    axes.set(xlim=(0, None), ylim=(-LINEAR / 4, max(1.0, axes.get_ylim()[1])))
    axes.axhline(0, color=DARK, lw=0.8)
    axes.axhspan(-LINEAR / 4, LINEAR, color=SHADE, lw=0, zorder=0)
    about = f"linear below {LINEAR:g}"
    axes.annotate(about, (0.99, LINEAR / 2), xycoords=("axes fraction", "data"), ha="right", va="center")
    thousands(axes.xaxis)


def _sums(axes: Axes, crawls: Sequence[Study], names: Sequence[str]) -> None:
    axes.set(title="Distinct URLs, and the forecast", xlabel=PAGES, ylabel="Distinct URLs")
    for crawl, name, (colour, marker, _) in zip(crawls, names, looks(len(crawls)), strict=True):
        growth, ahead = crawl.summary.growth, crawl.estimates.forecast
        axes.plot(growth.pages, growth.distinct_urls, color=colour, lw=2.4)
        if ahead is None:
            continue
        end, last = growth.pages[-1] + ahead.pages, growth.distinct_urls[-1]
        bars = ([ahead.expected - ahead.low], [ahead.high - ahead.expected])
        between = f"[{ahead.low:,.0f}, {ahead.high:,.0f}]"
        text = f"{name}: another {ahead.pages:,} pages bring {ahead.expected:,.0f} new URLs {between}"
        axes.plot((growth.pages[-1], end), (last, last + ahead.expected), color=colour, lw=1.2, linestyle="--")
        axes.errorbar([end], [last + ahead.expected], yerr=bars, color=colour, marker=marker, capsize=5, label=text)
    axes.set(xlim=(0, None), ylim=(0, None))
    thousands(axes.xaxis, axes.yaxis)

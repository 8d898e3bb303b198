"""Heaps' law of URLs and of words on logarithmic axes, where it is a line, with the residuals below."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from typing import TYPE_CHECKING, TypeAlias

from ttcrawl.report.laws.law import Law
from ttcrawl.report.plots.style import DARK, PAGES, REFERENCE, Look, empty, legend_below, looks
from ttcrawl.report.study import Study

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Curve: TypeAlias = tuple[str, str, Look]  # the name of a crawl, the x quantity of the law, and the look

HEIGHT = 6.2
MARKS = 24  # markers along a series


def laws(
    figure: Figure, crawls: Sequence[Study], names: Sequence[str], references: Sequence[tuple[float, float]]
) -> None:
    """`references` are (K, beta) of laws that are drawn beside the URLs in scope by pages.

    Each fitted law is drawn where it holds; a law that holds nowhere is a thin line along the complete series.
    """
    panels = figure.subplots(2, 3, sharex="col", height_ratios=(3, 1.3))
    columns = (
        ("Distinct URLs by URLs found", "URLs found (link occurrences)", "Distinct URLs", "by_found", "by URLs found"),
        ("Distinct URLs in scope by pages", PAGES, "Distinct URLs in scope", "in_scope", "in scope"),
        ("Vocabulary by words read", "Words read", "Distinct words", "by_tokens", "by words"),
    )
    for (title, across, up, field, by), (above, below) in zip(columns, panels.T, strict=True):
        above.set(title=title, ylabel=up)
        below.set(xlabel=across, ylabel="Residual (%)")
        has_data = [
            _panel((above, below), _series(crawl, field), getattr(crawl.laws, field), (name, by, look))
            for crawl, name, look in zip(crawls, names, looks(len(crawls)), strict=True)
        ]
        if not any(has_data):
            empty(above, "too little to fit")
            empty(below, "")
            continue
        above.set(xscale="log", yscale="log")
        below.axhline(0, color=DARK, lw=0.8)
        if field == "in_scope":
            _references(above, max((_series(crawl, field) for crawl in crawls), key=len), references)
    legend_below(figure, panels[0], columns=1)


def _series(crawl: Study, field: str) -> list[tuple[float, float]]:
    growth, words = crawl.summary.growth, crawl.laws.words
    columns = {
        "by_found": (growth.found, growth.distinct_urls),
        "in_scope": growth.series_in_scope,
        "by_tokens": (words.tokens, words.words),
    }
    return [(n, v) for n, v in zip(*columns[field], strict=True) if n > 0 and v > 0]


def _panel(panels: Sequence[Axes], series: Sequence[tuple[float, float]], law: Law | None, curve: Curve) -> bool:
    (above, below), (name, by, look) = panels, curve
    if not series or law is None:
        return False
    colour, marker, dashes = look
    across, up = zip(*series, strict=True)
    above.plot(across, up, color=colour, marker=marker, markevery=(0.03, 0.09), ms=5, lw=2.4, label=f"{name}: measured")
    holds = None if law.holds_from is None or law.holds_to is None else (law.holds_from, law.holds_to)
    ends, width = (holds, 1.5) if holds else ((series[0][0], series[-1][0]), 0.8)
    above.plot(
        ends,
        [law.at(n) for n in ends],
        color=DARK,
        linestyle=(0, dashes),
        lw=width,
        zorder=3,
        label=_text(name, by, law, holds),
    )
    for end in holds or ():
        if series[0][0] < end < series[-1][0]:
            for axes in (above, below):
                axes.axvline(end, color=colour, linestyle=":", lw=1.3)
    positions, errors = zip(*law.residuals, strict=True)
    shares = [100 * error / law.at(n) for n, error in zip(positions, errors, strict=True)]
    below.plot(positions, shares, color=colour, marker=marker, markevery=max(1, len(positions) // MARKS), ms=3, lw=1)
    return True


def _text(name: str, by: str, law: Law, holds: tuple[float, float] | None) -> str:
    k, beta = law.k_interval, law.beta_interval
    where = f"holds from {holds[0]:,.0f} to {holds[1]:,.0f}" if holds else "holds nowhere"
    parameters = f"K = {law.k:.3g} [{k.low:.3g}, {k.high:.3g}], β = {law.beta:.3f} [{beta.low:.3f}, {beta.high:.3f}]"
    return f"{name}, {by}: {parameters}, {where}"


def _references(axes: Axes, series: Sequence[tuple[float, float]], references: Sequence[tuple[float, float]]) -> None:
    for (k, beta), gap in zip(references, cycle((1.5, 3.0, 5.0)), strict=False):
        ends = (series[0][0], series[-1][0])
        text = f"given: K = {k:g}, β = {beta:g}"
        axes.plot(ends, [k * n**beta for n in ends], color=REFERENCE, linestyle=(0, (1, gap)), lw=1.6, label=text)

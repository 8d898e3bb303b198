"""The growth of a crawl beside Heaps' law, as PNG and SVG."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from ttcrawl.report.laws.heaps import Heaps
from ttcrawl.report.plots.style import (
    DARK,
    FORMATS,
    LOOKS,
    PAGES,
    REFERENCE,
    Look,
    draw,
    empty,
    label,
    legend_below,
    linear_scale,
    powers_of_ten,
)
from ttcrawl.report.summary import Summary

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Points: TypeAlias = Sequence[tuple[float, float]]

HEIGHT = 7.4  # inches of the panels
CURVE = 100  # segments of a drawn law


def growth(
    summaries: Sequence[Summary],
    names: Sequence[str],
    out: Path,
    references: Sequence[tuple[float, float]] = (),
    formats: Sequence[str] = FORMATS,
) -> list[Path]:
    """Write growth.png and growth.svg into the directory `out`, which is created if necessary. Returns their paths.

    The upper panels show distinct URLs against URLs found (both counts), on linear and on logarithmic axes, where the
    law is a straight line. The lower panels are against pages crawled. One shows all distinct URLs, and marks the last
    page with a new URL. The other shows distinct URLs in scope, the growth that crawl reports show beside a law,
    with the `references` (K, beta) dotted. Fitted laws are dashed over the range in which they hold.
    The same crawls give the same bytes. Raises ValueError if `names` does not have one name per crawl.
    """
    if len(summaries) != len(names):
        raise ValueError(f"{len(summaries)} crawls but {len(names)} names")
    labels = [label(name) for name in names]
    return draw(
        out / "growth",
        HEIGHT,
        lambda figure: growth_panels(figure, summaries, labels, references),
        formats,
    )


def growth_panels(
    figure: Figure, summaries: Sequence[Summary], names: Sequence[str], references: Sequence[tuple[float, float]]
) -> None:
    (linear, logarithmic), (pages, in_scope) = figure.subplots(2, 2)
    linear.set(
        title="Growth of distinct URLs (all links)", xlabel="URLs found (link occurrences)", ylabel="Distinct URLs"
    )
    logarithmic.set(
        title="Growth of distinct URLs, logarithmic axes (all links)",
        xlabel=linear.get_xlabel(),
        ylabel="Distinct URLs",
    )
    pages.set(title="Distinct URLs by pages", xlabel=PAGES, ylabel="Distinct URLs")
    in_scope.set(title="Distinct URLs in scope by pages", xlabel=PAGES, ylabel="Distinct URLs in scope")
    series = [_positive(zip(each.growth.found, each.growth.distinct_urls, strict=True)) for each in summaries]
    fits = [each.heaps_found for each in summaries]
    _draw_fits(linear, fits, names, series)
    _draw_fits(logarithmic, fits, names, series)
    by_pages = [_positive(zip(each.growth.pages, each.growth.distinct_urls, strict=True)) for each in summaries]
    _draw_fits(pages, [each.heaps_pages for each in summaries], names, by_pages, " by pages")
    _last_new(pages, summaries, names)
    if not any(series):
        for axes in (linear, logarithmic):
            empty(axes, "no URL found yet")
    else:
        linear_scale(linear, _top(series))
        logarithmic.set(xscale="log", yscale="log")
        powers_of_ten(logarithmic.xaxis, logarithmic.yaxis)
    if any(each.growth.pages for each in summaries):
        linear_scale(pages, max(max(each.growth.distinct_urls, default=0) for each in summaries))
    else:
        empty(pages, "no page crawled yet")
    scoped = [_positive(zip(*each.growth.series_in_scope, strict=True)) for each in summaries]
    if any(scoped):
        _draw_fits(in_scope, [each.heaps_in_scope for each in summaries], names, scoped, " in scope")
        _references(in_scope, scoped, references)
        linear_scale(in_scope, _top(scoped))
    else:
        empty(in_scope, "not counted")
    legend_below(figure, (linear, pages, in_scope))


def _top(series: Sequence[Points]) -> float:
    return max(distinct for points in series for _, distinct in points)


def _draw_fits(
    axes: Axes, fits: Sequence[Heaps | None], names: Sequence[str], series: Sequence[Points], suffix: str = ""
) -> None:
    """The series of each crawl, and its fitted law."""
    for name, fit, points, look in zip(names, fits, series, cycle(LOOKS), strict=False):
        if points:
            _draw_series(axes, points, look, f"{name}: measured")
            if fit is not None and fit.holds_from is not None and fit.holds_to is not None:
                ends = (fit.holds_from, fit.holds_to)
                _law(axes, fit, ends, (DARK, look[2]), f"{name}{suffix}: {_fit_text(fit)}")
            elif fit is not None:
                axes.plot([], [], color=DARK, lw=0, label=f"{name}{suffix}: no power law within 5 % anywhere")


def _last_new(axes: Axes, summaries: Sequence[Summary], names: Sequence[str]) -> None:
    """Mark the page after which no new URL came, where a series does not rise to its end."""
    for name, summary, look in zip(names, summaries, cycle(LOOKS), strict=False):
        last, saturation = max(summary.growth.pages, default=0), summary.saturation
        if saturation is not None and saturation < last:
            text = f"{name}: last new URL at page {saturation:,} of {last:,}"
            top = summary.growth.distinct_urls[-1]
            axes.vlines(saturation, 0, top, colors=look[0], linestyles="dashdot", lw=1.6, label=text)


def _references(axes: Axes, series: Sequence[Points], references: Sequence[tuple[float, float]]) -> None:
    """Each given law over the range of the widest series."""
    widest = max(series, key=lambda points: points[-1][0] if points else 0.0)
    for (k, beta), gap in zip(references, cycle((1.5, 3.0, 5.0)), strict=False):
        law = Heaps(k=k, beta=beta, rmse=0.0, points=0)
        _law(axes, law, (widest[0][0], widest[-1][0]), (REFERENCE, (1, gap)), f"given: K = {k:g}, β = {beta:g}")


def _draw_series(axes: Axes, points: Points, look: Look, text: str) -> None:
    across, up = zip(*points, strict=True)
    colour, marker, _ = look
    # markers are even along the line, because samples are denser at its start
    axes.plot(across, up, color=colour, marker=marker, markevery=(0.06, 0.13), ms=5.5, lw=2.6, label=text)


def _law(axes: Axes, law: Heaps, ends: tuple[float, float], look: tuple[str, tuple[float, ...]], text: str) -> None:
    """From one end to the other, at positions that look even on linear and on logarithmic axes."""
    (first, last), (colour, dashes) = ends, look
    even = [first + (last - first) * i / CURVE for i in range(CURVE + 1)]
    positions = sorted({*even, *(first * (last / first) ** (i / CURVE) for i in range(CURVE + 1))})
    axes.plot(
        positions, [law.at(n) for n in positions], color=colour, linestyle=(0, dashes), lw=1.4, label=text, zorder=3
    )


def _positive(points: Iterable[tuple[int, int]]) -> Points:
    """Logarithmic axes cannot show 0, so pages before the first link are left out."""
    return [(n, v) for n, v in points if n > 0 and v > 0]


def _fit_text(law: Heaps) -> str:
    ends = f"from {law.holds_from:,.0f} to {law.holds_to:,.0f}"
    return f"fit K = {law.k:.4g}, β = {law.beta:.3f}, within 5 % {ends}"

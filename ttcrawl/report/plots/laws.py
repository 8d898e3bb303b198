"""Growth laws of URLs and of terms on logarithmic axes, where they are lines, with the residuals below.

A model is drawn only over the range in which it holds, and so are its residuals: they are within 5 %.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import TYPE_CHECKING, TypeAlias

from ttcrawl.report.laws.law import Law
from ttcrawl.report.laws.pool import Pool
from ttcrawl.report.plots.style import DARK, PAGES, POOL, REFERENCE, Look, empty, legend_below, looks, powers_of_ten
from ttcrawl.report.study import Study

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Curve: TypeAlias = tuple[str, str, Look]  # the name of a crawl, the x quantity of the law, and the look

HEIGHT = 6.2
MARKS = 24  # markers along a series
CURVE = 100  # segments of a drawn curve
POOL_DASHES = (4, 1.2, 1, 1.2)  # a given law is dotted
RESIDUAL = 6.0  # percent on the axis: a model is drawn where it is within 5 %


def laws(
    figure: Figure, crawls: Sequence[Study], names: Sequence[str], references: Sequence[tuple[float, float]]
) -> None:
    """`references` are (K, beta) of laws that are drawn beside the URLs in scope by pages."""
    panels = figure.subplots(2, 3, sharex="col", height_ratios=(3, 1.3))
    columns = (
        (
            "Distinct URLs by URLs found (all links)",
            "URLs found (link occurrences)",
            "Distinct URLs",
            "by_found",
            "by URLs found",
        ),
        ("Distinct URLs in scope by pages", PAGES, "Distinct URLs in scope", "in_scope", "in scope"),
        ("Terms by tokens of the main text", "Tokens", "Terms (distinct)", "by_tokens", "terms"),
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
        powers_of_ten(above.xaxis, above.yaxis, below.xaxis)
        below.axhline(0, color=DARK, lw=0.8)
        below.set_ylim(-RESIDUAL, RESIDUAL)
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
    above, (name, by, look) = panels[0], curve
    if not series or law is None:
        return False
    colour, marker, dashes = look
    across, up = zip(*series, strict=True)
    above.plot(across, up, color=colour, marker=marker, markevery=(0.03, 0.09), ms=5, lw=2.4, label=f"{name}: measured")
    if law.holds_from is None or law.holds_to is None:
        above.plot([], [], color=DARK, lw=0, label=f"{name}, {by}: no power law within 5 % anywhere")
    else:
        line = _Drawn(
            law=law, ends=(law.holds_from, law.holds_to), look=(DARK, marker, dashes), text=_text(name, by, law)
        )
        _model(panels, series, line)
    if law.pool is not None:
        pool = law.pool
        ends = (pool.holds_from, pool.holds_to)
        pool_of = f"in a finite pool of N = {pool.size:,.0f}, K = {_figure(pool.k)}, β = {pool.beta:.3f}"
        text = f"{name}, {by}: {pool_of}, {_from(pool.holds_from, pool.holds_to)}"
        _model(panels, series, _Drawn(law=pool, ends=ends, look=(POOL, "", POOL_DASHES), text=text))
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class _Drawn:
    """A model, the range in which it holds, its colour, marker and dashes, and its entry in the legend."""

    law: Law | Pool
    ends: tuple[float, float]
    look: Look
    text: str


def _model(panels: Sequence[Axes], series: Sequence[tuple[float, float]], model: _Drawn) -> None:
    (above, below), (colour, marker, dashes) = panels, model.look
    first, last = model.ends
    positions = [first * (last / first) ** (i / CURVE) for i in range(CURVE + 1)]
    heights = [model.law.at(n) for n in positions]
    above.plot(positions, heights, color=colour, linestyle=(0, dashes), zorder=3, lw=1.5, label=model.text)
    inside = [(n, 100 * (v / model.law.at(n) - 1)) for n, v in series if first <= n <= last]
    across, errors = zip(*inside, strict=True)
    every = max(1, len(across) // MARKS)
    below.plot(across, errors, color=colour, linestyle=(0, dashes), marker=marker, markevery=every, ms=3, lw=1)


def _text(name: str, by: str, law: Law) -> str:
    k, beta = law.k_interval, law.beta_interval
    exponent = f"β = {law.beta:.3f} [{beta.low:.3f}, {beta.high:.3f}]"
    parameters = f"K = {_figure(law.k)} [{_figure(k.low)}, {_figure(k.high)}], {exponent}"
    if not beta.tells_exponent:
        doubt = f"by chance: β may be anything from {beta.low:.1f} to {beta.high:.1f}"
        parameters = f"K = {_figure(law.k)}, β = {law.beta:.3f}, {doubt}"
    return f"{name}, {by}: {parameters}, {_from(law.holds_from or 0, law.holds_to or 0)}"


def _figure(value: float) -> str:
    """Three digits, without a power of ten where there is room for the number."""
    return f"{value:,.0f}" if 100 <= value < 1e6 else f"{value:.3g}"


def _from(first: float, last: float) -> str:
    return f"within 5 % from {first:,.0f} to {last:,.0f}"


def _references(axes: Axes, series: Sequence[tuple[float, float]], references: Sequence[tuple[float, float]]) -> None:
    for (k, beta), gap in zip(references, cycle((1.5, 3.0, 5.0)), strict=False):
        ends = (series[0][0], series[-1][0])
        text = f"given: K = {k:g}, β = {beta:g}"
        axes.plot(ends, [k * n**beta for n in ends], color=REFERENCE, linestyle=(0, (1, gap)), lw=1.6, label=text)

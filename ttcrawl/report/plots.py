"""The growth of a crawl beside Heaps' law, as PNG and SVG."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from ttcrawl.report.summary import Summary
from ttcrawl.report.tables import clean
from ttcrawl.stats.heaps import Heaps

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Points: TypeAlias = Sequence[tuple[float, float]]
Look: TypeAlias = tuple[str, str, tuple[float, ...]]

WIDTH, HEIGHT, ROW = 13.0, 4.1, 0.21  # inches: of the figure, of its panels, of a row of the legend
DPI = 160
#: Of each crawl: a colour of Okabe and Ito's, which differ in lightness too, a marker, and the dashes of its fit, so
#: that a grey copy can still be read.
LOOKS: tuple[Look, ...] = (
    ("#0072B2", "o", (5, 2)),
    ("#E69F00", "s", (2, 1.2)),
    ("#999999", "^", (9, 2)),
    ("#CC79A7", "D", (6, 1.5, 1.5, 1.5)),
    ("#56B4E9", "v", (9, 2, 2, 2)),
)
DARK, GIVEN = "#222222", "#D55E00"
CURVE = 100  # pieces of a drawn law
LONGEST_NAME = 24

#: Over the style that matplotlib has by itself, so that a user's matplotlibrc changes no figure.
STYLE = {
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "legend.fontsize": 9,
    "svg.hashsalt": "ttcrawl",  # names inside the SVG are the same every time
}


def growth(
    summaries: Sequence[Summary], names: Sequence[str], out: Path, given: Sequence[tuple[float, float]] = ()
) -> list[Path]:
    """Write growth.png and growth.svg into the directory `out`, which is made; returns their paths.

    Left, distinct URLs against URLs found (both counts), with the fitted law dashed and the `given` (K, beta) dotted;
    in the middle the same on logarithmic axes, where the law is a straight line; right, distinct URLs against pages
    crawled, with the page marked after which no new URL came. The same crawls give the same bytes.
    ValueError when `names` has not one name for each crawl.
    """
    if len(summaries) != len(names):
        raise ValueError(f"{len(summaries)} crawls but {len(names)} names")
    from matplotlib import style
    from matplotlib.figure import Figure  # not pyplot, which would choose a backend and keep every figure

    out.mkdir(parents=True, exist_ok=True)
    paths = [out / "growth.png", out / "growth.svg"]
    with style.context(["default", STYLE]):
        figure = Figure(figsize=(WIDTH, HEIGHT), layout="constrained")
        _draw(figure, summaries, [_label(name) for name in names], given)
        figure.savefig(paths[0], dpi=DPI, metadata={"Software": "ttcrawl"})
        figure.savefig(paths[1], metadata={"Date": None, "Creator": "ttcrawl"})
    return paths


def _draw(
    figure: Figure, summaries: Sequence[Summary], names: Sequence[str], given: Sequence[tuple[float, float]]
) -> None:
    linear, logarithmic, pages = figure.subplots(1, 3)
    linear.set(title="Growth of distinct URLs", xlabel="URLs found (link occurrences)", ylabel="Distinct URLs")
    logarithmic.set(title="The same, logarithmic axes", xlabel=linear.get_xlabel(), ylabel="Distinct URLs")
    pages.set(title="Distinct URLs by pages", xlabel="Pages crawled", ylabel="Distinct URLs")
    series = [_positive(zip(each.growth.found, each.growth.distinct_urls, strict=True)) for each in summaries]
    _by_found(linear, summaries, names, series)
    _by_found(logarithmic, summaries, names, series)
    _by_pages(pages, summaries, names)
    if not any(series):
        for axes in (linear, logarithmic):
            _empty(axes, "no URL found yet")
    else:
        _given(linear, series, given)
        _given(logarithmic, series, given)
        _linear_scale(linear, max(distinct for points in series for _, distinct in points))
        logarithmic.set(xscale="log", yscale="log")
    if any(each.growth.pages for each in summaries):
        _linear_scale(pages, max(max(each.growth.distinct_urls, default=0) for each in summaries))
    else:
        _empty(pages, "no page crawled yet")
    _legend(figure, linear, pages)


def _legend(figure: Figure, first: Axes, other: Axes) -> None:
    """One for all panels, below them, where no curve can run through it; the figure grows by its rows."""
    handles, labels = first.get_legend_handles_labels()
    for handle, label in zip(*other.get_legend_handles_labels(), strict=True):
        if label not in labels:
            handles.append(handle)
            labels.append(label)
    if labels:
        figure.legend(handles, labels, loc="outside lower center", ncols=2, handlelength=4, columnspacing=4)
        figure.set_figheight(HEIGHT + ROW * -(-len(labels) // 2))


def _by_found(axes: Axes, summaries: Sequence[Summary], names: Sequence[str], series: Sequence[Points]) -> None:
    for name, summary, points, look in zip(names, summaries, series, cycle(LOOKS), strict=False):
        if points:
            _measured(axes, points, look, f"{name}: measured")
            if summary.heaps_found is not None:
                _law(axes, summary.heaps_found, points, DARK, look[2], f"{name}: {_told(summary.heaps_found)}")


def _by_pages(axes: Axes, summaries: Sequence[Summary], names: Sequence[str]) -> None:
    for name, summary, look in zip(names, summaries, cycle(LOOKS), strict=False):
        points = list(zip(summary.growth.pages, summary.growth.distinct_urls, strict=True))
        if not points:
            continue
        _measured(axes, points, look, f"{name}: measured")
        last, distinct = points[-1]
        if summary.saturation is None or summary.saturation >= last:
            continue  # URLs were still being found when the series ends: there is nothing to mark
        told = f"{name}: last new URL at page {summary.saturation:,} of {last:,}"
        axes.vlines(summary.saturation, 0, distinct, colors=look[0], linestyles="dashdot", lw=1.6, label=told)


def _given(axes: Axes, series: Sequence[Points], given: Sequence[tuple[float, float]]) -> None:
    """Each law over the widest of the series."""
    widest = max(series, key=lambda points: points[-1][0] if points else 0.0)
    for (k, beta), gap in zip(given, cycle((1.5, 3.0, 5.0)), strict=False):
        law = Heaps(k=k, beta=beta, rmse=0.0, points=0)
        _law(axes, law, widest, GIVEN, (1, gap), f"given: K = {k:g}, β = {beta:g}")


def _measured(axes: Axes, points: Points, look: Look, label: str) -> None:
    across, up = zip(*points, strict=True)
    colour, marker, _ = look
    # markers evenly along the drawn line, not along the samples, which lie closer together at its start
    axes.plot(across, up, color=colour, marker=marker, markevery=(0.06, 0.13), ms=5.5, lw=2.6, label=label)


def _law(axes: Axes, law: Heaps, points: Points, colour: str, dashes: tuple[float, ...], label: str) -> None:
    """From the first to the last of `points`, at places that look even on linear and on logarithmic axes."""
    first, last = points[0][0], points[-1][0]
    even = [first + (last - first) * i / CURVE for i in range(CURVE + 1)]
    places = sorted({*even, *(first * (last / first) ** (i / CURVE) for i in range(CURVE + 1))})
    axes.plot(places, [law.at(n) for n in places], color=colour, linestyle=(0, dashes), lw=1.4, label=label, zorder=3)


def _linear_scale(axes: Axes, top: float) -> None:
    """From 0, thousands separated. A law far above all that was measured leaves the panel instead of flattening it."""
    from matplotlib.ticker import MaxNLocator, StrMethodFormatter

    axes.set_ylim(0, 1.06 * max(1.0, min(float(axes.dataLim.y1), 2 * top)))
    axes.set_xlim(left=0)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(5, integer=True, steps=[1, 2, 5, 10]))
        axis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))


def _empty(axes: Axes, why: str) -> None:
    axes.text(0.5, 0.5, why, ha="center", va="center", transform=axes.transAxes)
    axes.set(xticks=[], yticks=[])


def _positive(points: Iterable[tuple[int, int]]) -> Points:
    """Logarithmic axes have no place for 0: pages before the first link are left out."""
    return [(n, v) for n, v in points if n > 0 and v > 0]


def _told(law: Heaps) -> str:
    return f"fit K = {law.k:.4g}, β = {law.beta:.3f} (RMSE {law.rmse:,.3g})"


def _label(name: str) -> str:
    """The end of a directory's name, of which matplotlib reads nothing as mathematics or as "do not show"."""
    text = clean(name, 200).replace("$", r"\$")
    text = text if len(text) <= LONGEST_NAME else "…" + text[1 - LONGEST_NAME :]
    return f" {text}" if text.startswith("_") else text

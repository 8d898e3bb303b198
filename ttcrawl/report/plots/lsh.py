"""The pages that are compared: the S-curve of the bands, and the similarities of the marked pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ttcrawl.report.laws.lsh import Bands
from ttcrawl.report.plots.content import HATCHES
from ttcrawl.report.plots.style import DARK, empty, legend_below, looks, size, thousands
from ttcrawl.report.study import Study

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

HEIGHT = 4.6
POINTS = 200  # of a curve
LIGHT = "#999999"


def lsh(figure: Figure, crawls: Sequence[Study], names: Sequence[str]) -> None:
    curve, marked = figure.subplots(1, 2)
    _curves(curve, crawls, names)
    _similarities(marked, crawls, names)
    legend_below(figure, (curve,), columns=1)


def _curves(axes: Axes, crawls: Sequence[Study], names: Sequence[str]) -> None:
    axes.set(
        title="Which pages are compared",
        xlabel="Jaccard similarity of two pages",
        ylabel="Probability that they share a band",
    )
    settings = [crawl.duplicates.settings for crawl in crawls if crawl.duplicates.settings]
    if not settings:
        empty(axes, "near duplicates are not looked for, or config.ini is missing")
        return
    if len(crawls) == 1:
        _neighbours(axes, settings[0])
    for index, (crawl, name, look) in enumerate(zip(crawls, names, looks(len(crawls)), strict=True)):
        bands = crawl.duplicates.settings
        if bands is None:
            continue
        colour, marker, dashes = look
        style = "-" if index == 0 else (0, dashes)
        across, up = _points(bands)
        axes.plot(
            across,
            up,
            color=colour,
            marker=marker,
            ms=size(index, len(crawls)),
            linestyle=style,
            markevery=(0.02 + 0.02 * index, 0.09),
            lw=2.2,
            label=f"{name}: {bands_text(bands)}",
        )
        axes.axvline(bands.verify, color=colour, linestyle=":", lw=1.5)
        if len(crawls) == 1:
            _areas(axes, bands)
    axes.set(xlim=(0, 1.005), ylim=(0, 1.03))


def _points(bands: Bands) -> tuple[list[float], list[float]]:
    across = [step / POINTS for step in range(POINTS + 1)]
    return across, [bands.compared(similarity) for similarity in across]


def _neighbours(axes: Axes, bands: Bands) -> None:
    for other, dashes in zip(bands.neighbours(), ((6, 2), (2, 2)), strict=False):
        label = f"{other.bands} bands of {other.rows} of the same permutations"
        axes.plot(*_points(other), color=LIGHT, linestyle=(0, dashes), lw=1.1, label=label)


def _areas(axes: Axes, bands: Bands) -> None:
    """The cost of the curve: compared pages that are not similar enough, and above the curve the missed pages."""
    across, up = _points(bands)
    below = [similarity <= bands.verify for similarity in across]
    above = [similarity >= bands.verify for similarity in across]
    axes.fill_between(across, 0, up, where=below, color=LIGHT, alpha=0.25, lw=0)
    axes.fill_between(across, up, 1, where=above, color=DARK, alpha=0.8, lw=0)
    axes.annotate(
        f"marked from {bands.verify:g} on",
        (bands.verify, 0.03),
        xytext=(-5, 0),
        textcoords="offset points",
        rotation=90,
        ha="right",
        color=DARK,
    )


def bands_text(bands: Bands) -> str:
    missed = "< 0.01" if bands.missed < 1e-4 else f"{100 * bands.missed:.2f}"
    return (
        f"{bands.bands} bands of {bands.rows}, marked from {bands.verify:g} on: of pairs above {missed} % are missed,"
        f" of pairs below {100 * bands.in_vain:.1f} % compared in vain"
    )


def _similarities(axes: Axes, crawls: Sequence[Study], names: Sequence[str]) -> None:
    axes.set(title="Near duplicates that were found", xlabel="Jaccard similarity to the original", ylabel="Pages")
    percents = [index for crawl in crawls for index, count in enumerate(crawl.duplicates.similarities) if count]
    if not percents:
        empty(axes, "none")
        return
    width = 0.9 / len(crawls)
    for index, (crawl, name, (colour, _, _)) in enumerate(zip(crawls, names, looks(len(crawls)), strict=True)):
        # one bar per hundredth and crawl, side by side, so that none hides another
        own_percents = [each for each, count in enumerate(crawl.duplicates.similarities) if count]
        edges = [(each + 0.05 + (index + 0.5) * width) / 100 for each in own_percents]
        counts = [crawl.duplicates.similarities[each] for each in own_percents]
        hatch = HATCHES[index % len(HATCHES)]
        axes.bar(edges, counts, width / 100, color=colour, hatch=hatch, edgecolor="white", lw=0.3, label=name)
    axes.set_xlim(min(percents) / 100 - 0.01, 1.015)
    thousands(axes.yaxis)

"""Figures of an experiment: what policies have collected over requests, time and bytes, with bands over the trials."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING

from ttcrawl.lab.curves import AXES, band
from ttcrawl.lab.experiment import Experiment
from ttcrawl.lab.recrawling import Recrawled
from ttcrawl.recrawl.prior import DAY
from ttcrawl.report.plots.style import LOOKS, draw, empty, thousands

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Figure of a point -> its label.
LABELS = {
    "pages": "Pages",
    "distinct": "Pages with distinct content",
    "in_links": "Share of in-links collected",
    "relevant": "Relevant pages",
    "discovered": "URLs discovered",
    "errors": "Errors",
}
UNITS = {"requests": "Requests", "seconds": "Seconds on the virtual clock", "bytes": "Bytes received"}
HEIGHT = 8.0

#: Of copies over time: field of a point, label, and its unit.
COPIES = (
    ("fresh", "Share of fresh copies", 1.0),
    ("weighted_fresh", "The same, weighted by importance", 1.0),
    ("age", "Mean age of copies, days", DAY),
)


def figures(experiment: Experiment, directory: Path) -> list[Path]:
    """Draw a figure for each axis: over-requests, over-seconds, over-bytes. Returns the paths of the files."""

    def drawing(axis: str, figure: Figure) -> None:
        panels = figure.subplots(2, 3).flat
        for axes, name in zip(panels, LABELS, strict=True):
            panel(axes, experiment, name, axis)
        _legend(figure)

    paths = []
    for axis in AXES:
        paths += draw(directory / f"over-{axis}", HEIGHT, lambda figure, axis=axis: drawing(axis, figure))  # type: ignore[misc]
    return paths


def recrawl_figure(done: Sequence[Recrawled], directory: Path) -> list[Path]:
    """Draw the freshness and the age of copies over the time of the record: freshness. Returns the paths."""
    names = list(dict.fromkeys(each.policy for each in done))

    def drawing(figure: Figure) -> None:
        for axes, (name, label, unit) in zip(figure.subplots(1, 3).flat, COPIES, strict=True):
            for policy, look in zip(names, _looks(), strict=False):
                trials = [each.points for each in done if each.policy == policy]
                of_moments = ([getattr(point, name) / unit for point in points] for points in zip(*trials, strict=True))
                values = [(min(each), sorted(each)[len(each) // 2], max(each)) for each in of_moments]
                _curve(axes, [point.seconds / DAY for point in trials[0]], values, policy, look)
            axes.set(xlabel="Days of the record", ylabel=label)
            axes.set_xlim(left=0)
        _legend(figure)

    return draw(directory / "freshness", HEIGHT / 2, drawing)


def panel(axes: Axes, experiment: Experiment, figure: str, axis: str = "requests") -> None:
    """Draw one figure of all policies; the band is the range over its trials."""
    from matplotlib.ticker import EngFormatter

    for name, look in zip(experiment.names, _looks(), strict=False):
        bands = band(experiment.of(name), figure, axis)
        _curve(axes, [each.x for each in bands], [(each.low, each.middle, each.high) for each in bands], name, look)
    axes.set_xlabel(UNITS[axis])
    axes.set_ylabel(LABELS[figure])
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    thousands(axes.xaxis)
    if axis == "bytes":
        axes.xaxis.set_major_formatter(EngFormatter("B"))
    if figure != "in_links":
        thousands(axes.yaxis)
    if figure == "relevant" and not experiment.relevant:
        empty(axes, "no page is scored as relevant")


def _looks() -> Iterator[tuple[str, str]]:
    """Yield colours and dashes of lines."""
    return ((colour, dashes) for dashes in cycle(("-", "--", ":")) for colour, *_ in LOOKS)


def _curve(
    axes: Axes, x: Sequence[float], ranges: Sequence[tuple[float, float, float]], name: str, look: tuple[str, str]
) -> None:
    """Draw a line through the middles of ranges, and a band over each."""
    low, middle, high = zip(*ranges, strict=True)
    axes.plot(x, middle, color=look[0], linestyle=look[1], label=name)
    axes.fill_between(x, low, high, color=look[0], alpha=0.2, lw=0)


def _legend(figure: Figure) -> None:
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=4)

"""Figures of an experiment: what policies have collected over requests, time and bytes, with bands over the seeds."""

from __future__ import annotations

from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING

from ttcrawl.lab.curves import AXES, band
from ttcrawl.lab.experiment import Experiment
from ttcrawl.report.plots.style import LOOKS, draw

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


def figures(experiment: Experiment, directory: Path) -> list[Path]:
    """Draw a figure for each axis: over-requests, over-seconds, over-bytes. Returns the paths of the files."""

    def drawing(axis: str, figure: Figure) -> None:
        panels = figure.subplots(2, 3).flat
        for axes, name in zip(panels, LABELS, strict=True):
            panel(axes, experiment, name, axis)
        handles, labels = figure.axes[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper center", ncols=4)

    paths = []
    for axis in AXES:
        paths += draw(directory / f"over-{axis}", HEIGHT, lambda figure, axis=axis: drawing(axis, figure))  # type: ignore[misc]
    return paths


def panel(axes: Axes, experiment: Experiment, figure: str, axis: str = "requests") -> None:
    """Draw one figure of all policies; the band is the range over the seeds."""
    dashes = cycle(("-", "--", ":"))
    style = next(dashes)
    for number, name in enumerate(experiment.names):
        if number and number % len(LOOKS) == 0:
            style = next(dashes)
        colour, bands = LOOKS[number % len(LOOKS)][0], band(experiment.of(name), figure, axis)
        x = [each.x for each in bands]
        axes.plot(x, [each.middle for each in bands], color=colour, linestyle=style, label=name)
        axes.fill_between(x, [each.low for each in bands], [each.high for each in bands], color=colour, alpha=0.2, lw=0)
    axes.set_xlabel(UNITS[axis])
    axes.set_ylabel(LABELS[figure])
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)

"""The panels of a figure one by one, each with its own legend, as wide as a column of the HTML report."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    Entries: TypeAlias = tuple[list[Any], list[str]]  # handles of a legend, and their labels

#: Inches: of a panel, of what stands below it on the same x axis, and of a line of its legend.
WIDTH, HEIGHT, BELOW, LINE = 5.6, 3.5, 1.4, 0.2
LETTERS = 64  # in a line of the legend


def panels(figure: Figure) -> Iterator[str]:
    """The title of each panel that has data, while the figure shows it alone. Axes with a common x axis are one panel.

    A panel without a legend of its own has the legend of the first panel, whose looks of crawls are the same.
    """
    legends = [axes.get_legend_handles_labels() for axes in figure.axes]
    first = next((entries for entries in legends if entries[0]), ([], []))
    for legend in figure.legends:
        legend.remove()
    for group in _groups(figure.axes):
        if any(axes.has_data() for axes in group):
            own = group[0].get_legend_handles_labels()
            title = group[0].get_title()
            group[0].set_title("")  # the caption says it
            _show(figure, group)
            _legend(figure, *(own if own[0] else first))
            yield title
            for legend in figure.legends:
                legend.remove()


def _groups(every: Sequence[Axes]) -> Iterator[list[Axes]]:
    """Axes by the first axes with which they share the x axis."""
    grouped: dict[int, list[Axes]] = {}
    for index, axes in enumerate(every):
        shared = axes.get_shared_x_axes()
        first = next((number for number, other in enumerate(every[:index]) if shared.joined(axes, other)), index)
        grouped.setdefault(first, []).append(axes)
    yield from grouped.values()


def _show(figure: Figure, group: Sequence[Axes]) -> None:
    from matplotlib.gridspec import GridSpec

    heights = [HEIGHT, *[BELOW] * (len(group) - 1)]
    grid = GridSpec(len(group), 1, figure=figure, height_ratios=heights)
    for axes in figure.axes:
        axes.set_visible(axes in group)
        axes.set_in_layout(axes in group)
    for number, axes in enumerate(group):
        axes.set_subplotspec(grid[number])
    figure.set_size_inches(WIDTH, sum(heights))


def _legend(figure: Figure, handles: Sequence[Any], labels: Sequence[str]) -> None:
    """Below the panel, in one column. None for the measured values of a single crawl, which are all that is drawn."""
    if not handles or (len(labels) == 1 and not re.search(r": (?!measured$)", labels[0])):
        return
    folded = [textwrap.fill(label, LETTERS) for label in labels]
    figure.legend(handles, folded, loc="outside lower center", ncols=1, handlelength=3)
    lines = sum(label.count("\n") + 1 for label in folded)
    figure.set_figheight(figure.get_figheight() + LINE * lines)

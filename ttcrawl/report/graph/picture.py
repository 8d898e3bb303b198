"""A part of a graph as PNG and SVG: colours by group, sizes by in-degree."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ttcrawl.output.readable import readable
from ttcrawl.output.tables import clean
from ttcrawl.output.terminal import columns
from ttcrawl.report.graph.backbone import backbone
from ttcrawl.report.graph.measures import top
from ttcrawl.store.replaced import replaced

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ttcrawl.report.graph.matrix import Floats, Ints
    from ttcrawl.report.graph.selection import Selection

#: The looks of the largest groups: Okabe and Ito's colours, which colour-blind readers can distinguish, and markers,
#: which remain in a grey copy. The last one is for all other groups.
LOOKS = (
    ("#0072B2", "o"),
    ("#E69F00", "s"),
    ("#009E73", "^"),
    ("#CC79A7", "D"),
    ("#56B4E9", "v"),
    ("#D55E00", "P"),
    ("#F0E442", "p"),
    ("#222222", "X"),
    ("#999999", "o"),
)
#: Inches: the width, and the heights of the title, of a line of explanation, and of a row of the legend.
WIDTH, TITLE, LINE, ROW = 10.0, 0.6, 0.19, 0.25
LEGEND_COLUMNS = 3
LOWEST = 0.45  # smallest ratio of height to width
USUAL = 0.98  # share of the nodes that keep the position from the layout
EDGE = 0.03  # margin at each side, as a share of the width
DPI = 160
LONGEST_HOST, LONGEST_LABEL = 34, 100
MOST_LINKS = 10_000  # drawn; of more links, the backbone is drawn
RASTER = 5_000  # number of nodes or links from which an SVG holds them as an image
INK = 1_500.0  # number of links drawn in full strength; more links are fainter, so that nodes stay visible
STYLE = {"font.size": 10, "legend.frameon": False, "svg.hashsalt": "ttcrawl", "path.simplify": False}


def draw(selection: Selection, positions: Floats, out: Path, *, title: str, labels: int) -> list[Path]:
    """Write `out`.png and `out`.svg; `positions` has the coordinates of each node, shape (nodes, 2).

    The `labels` nodes with the highest in-degree are numbered, and the numbers are explained below. The same graph
    gives the same bytes.
    """
    from matplotlib import style
    from matplotlib.figure import Figure  # not pyplot, which would choose a backend and keep every figure

    numbered = top(selection.into, labels)
    positions, height = turned_across(positions)
    paths = [out.with_name(f"{out.name}.png"), out.with_name(f"{out.name}.svg")]
    drawing = WIDTH * (height + 2 * EDGE) / (1 + 2 * EDGE)
    with style.context(["default", STYLE]):
        figure = Figure(figsize=(WIDTH, drawing))
        axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        axes.set(xlim=(-EDGE, 1 + EDGE), ylim=(-EDGE, height + EDGE))
        axes.set_axis_off()
        rows = 0
        if selection.network.nodes:
            _links(axes, selection, positions)
            rows = _legend(figure, *_nodes(axes, selection, positions))
            _numbers(axes, positions, numbered)
        else:
            axes.text(0.5, height / 2, "no links to draw", ha="center")
        below = LINE * len(numbered) + ROW * (1 + rows)
        total = TITLE + drawing + below
        figure.set_size_inches(WIDTH, total)
        axes.set_position((0.0, below / total, 1.0, drawing / total))
        figure.text(0.5, 1 - 0.5 * TITLE / total, title, ha="center", va="center", fontsize=12, parse_math=False)
        caption = figure.text(EDGE, below / total, _explanation(selection, numbered), va="top", parse_math=False)
        caption.set(fontsize=8.5, family="monospace", linespacing=1.35)
        for path, metadata in zip(paths, ({"Software": "ttcrawl"}, {"Date": None, "Creator": "ttcrawl"}), strict=True):
            with replaced(path) as fresh:
                figure.savefig(fresh, dpi=DPI, metadata=metadata)
    return paths


def _legend(figure: Figure, handles: Sequence[Any], texts: Sequence[str]) -> int:
    """Write the legend in as many columns as the figure is wide enough for; return the number of its rows."""
    for across in range(min(LEGEND_COLUMNS, len(texts)), 0, -1):
        legend = figure.legend(handles, texts, loc="lower center", ncols=across)
        for text in legend.get_texts():
            text.set_parse_math(False)
        if across == 1 or legend.get_window_extent().width <= figure.bbox.width:
            break
        legend.remove()
    return -(-len(texts) // across)


def turned_across(positions: Floats) -> tuple[Floats, float]:
    """The layout with its longest axis across, from 0 to 1, and its height. Outliers are moved inwards."""
    if len(positions) < 2:
        return np.full((len(positions), 2), [0.5, LOWEST / 2]), LOWEST
    centred = positions - np.median(positions, axis=0)
    radius = np.linalg.norm(centred, axis=1)
    usual = float(np.quantile(radius, USUAL)) or 1.0
    beyond = np.maximum(radius - usual, 0.0) / usual
    # outliers would leave no room for the other nodes; they keep their order
    centred *= ((np.minimum(radius, usual) + 0.4 * usual * (1 - np.exp(-beyond))) / np.maximum(radius, 1e-12))[:, None]
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    turned = centred @ axes.T
    extent = np.ptp(turned, axis=0)
    if extent[0] < extent[1]:
        turned, extent = turned[:, ::-1], extent[::-1]
    turned = (turned - turned.min(axis=0)) / (extent[0] or 1.0)
    height = float(extent[1] / (extent[0] or 1.0))
    turned[:, 1] += max(0.0, LOWEST - height) / 2
    return turned, max(height, LOWEST)


def _links(axes: Axes, selection: Selection, positions: Floats) -> None:
    from matplotlib.collections import LineCollection

    network = selection.network
    strongest = backbone(network.source, network.target, network.nodes, MOST_LINKS)
    source, target = network.source[strongest], network.target[strongest]
    segments: Any = np.stack([positions[source], positions[target]], axis=1)
    strength = float(np.clip((INK / max(len(source), 1)) ** 0.6, 0.03, 1.0))
    colours = np.array([colour for colour, _ in LOOKS])[selection.look[source]].tolist()
    lines = LineCollection(segments, colors=colours, alpha=0.5 * strength, linewidths=0.2 + 0.5 * strength, zorder=1)
    lines.set_rasterized(len(source) > RASTER)
    axes.add_collection(lines)


def _nodes(axes: Axes, selection: Selection, positions: Floats) -> tuple[list[Any], list[str]]:
    """Handles and texts of the legend by group; the others are last in the legend and drawn first."""
    handles, texts = [], []
    sizes, last_look, raster = _sizes(selection), len(LOOKS) - 1, selection.network.nodes > RASTER
    for look, (colour, marker) in enumerate(LOOKS):
        members = np.flatnonzero(selection.look == look)
        if not len(members):
            continue
        axes.scatter(
            positions[members, 0],
            positions[members, 1],
            s=sizes[members],
            c=colour,
            marker=marker,
            linewidths=0.0 if raster else 0.25,
            edgecolors="white",
            rasterized=raster,
            zorder=2 if look == last_look else 3,
        )
        handles.append(axes.scatter([], [], s=50, c=colour, marker=marker))
        name = _end(selection.names[look])
        texts.append(name if len(members) == 1 else f"{name} ({len(members):,})")
    return handles, texts


def _sizes(selection: Selection) -> Floats:
    """Areas in square points: they grow with the root of the in-degree and shrink with the number of nodes."""
    nodes = max(selection.network.nodes, 1)
    largest = float(np.clip(100_000 / nodes, 30.0, 400.0))
    smallest = float(np.clip(10_000 / nodes, 0.6, 30.0))
    return smallest + (largest - smallest) * np.sqrt(selection.into / max(int(selection.into.max()), 1))


def _numbers(axes: Axes, positions: Floats, numbered: Ints) -> None:
    from matplotlib.patheffects import withStroke

    look = {"ha": "center", "va": "center", "fontsize": 12, "fontweight": "bold", "zorder": 5}
    for number, index in enumerate(numbered.tolist(), 1):
        label = axes.text(positions[index, 0], positions[index, 1], str(number))
        label.set(**look, path_effects=[withStroke(linewidth=3, foreground="white")])


def _explanation(selection: Selection, numbered: Ints) -> str:
    labels = [clean(readable(selection.network.labels[index]), LONGEST_LABEL) for index in numbered.tolist()]
    counts = selection.into[numbered].tolist()
    return "\n".join(
        f"{number:>2}  {count:>7,} in  {label}"
        for number, (count, label) in enumerate(zip(counts, labels, strict=True), 1)
    )


def _end(host: str) -> str:
    """The end of a host's name, which is more specific. Without a leading "_", which matplotlib hides in legends."""
    text = clean(readable(host), 200)
    if columns(text) > LONGEST_HOST:
        while columns(text) >= LONGEST_HOST:
            text = text[1:]
        text = f"…{text}"
    return f" {text}" if text.startswith("_") else text

"""The figure of the chapters of a site: a disc for each, its pages as dots, and the links between the chapters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ttcrawl.output.number import counted
from ttcrawl.output.readable import readable
from ttcrawl.output.tables import clean
from ttcrawl.report.of_links import MAIN
from ttcrawl.report.plots.style import DARK, empty

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.patches import PathPatch

    from ttcrawl.report.graph.chapters import Chapter, Chapters
    from ttcrawl.report.graph.matrix import Floats
    from ttcrawl.report.study import Study

HEIGHT, MOST_CRAWLS = 6.4, 4  # inches; crawls that are drawn
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#661144", "#e69f00", "#cc6677")
OTHERS = "#999999"
ASPECT = 2.0  # width to height of a drawing
AREAS = (0.4, 0.34, 0.29, 0.24, 0.2, 0.16, 0.12)  # of the drawing in discs; the first that leaves room is taken
GAP, LETTER = 0.012, 0.0085  # between discs, and the width of a letter, as shares of the width
STEPS, PULL, GRAVITY = 200, 0.05, 0.08
SIZES = (2.2, 3.6, 5.2, 7.5)  # points: diameters of dots
GOLDEN = math.pi * (3 - math.sqrt(5))  # the angle of Vogel, A better way to construct the sunflower head, 1979
SMALLEST, TEXT = 0.008, 0.045  # radius of a disc, and height of the text below it
MOST_ROUNDS = 400
UPRIGHT = np.array([1.0, 1.2])  # gravity along each axis
POINT = np.array([1e-4, 0.0])  # the length of the line that a dot is
LINES_OF_EACH = 2  # strongest links between chapters that are drawn of each chapter
LONGEST_NAME = 30


def graph(figure: Figure, crawls: Sequence[Study], names: Sequence[str]) -> None:
    """A panel for each of the first crawls."""
    shown = [(each.graph.chapters, name) for each, name in zip(crawls, names, strict=True)][:MOST_CRAWLS]
    across = min(len(shown), 2)
    for number, (chapters, name) in enumerate(shown, 1):
        axes = figure.add_subplot(-(-len(shown) // across), across, number)
        axes.set_axis_off()
        if len(shown) > 1:
            axes.set_title(name)
        if chapters.chapters:
            _draw(axes, chapters, small=len(shown) > 1)
        else:
            empty(axes, "no links")


def _draw(axes: Axes, chapters: Chapters, *, small: bool) -> None:
    every = chapters.chapters
    centres, radii = _discs(chapters)
    colours = [OTHERS if each.name.startswith("other ") else COLOURS[n % len(COLOURS)] for n, each in enumerate(every)]
    dots = [centre + _dots(len(each.drawn), radius) for each, centre, radius in zip(every, centres, radii, strict=True)]
    _links_between(axes, chapters, centres)
    _links_of_pages(axes, chapters, np.concatenate(dots), colours)
    most = max((into for each in every for into in each.drawn), default=1) or 1
    for each, centre, radius, points, colour in zip(every, centres, radii, dots, colours, strict=True):
        axes.add_patch(_disc(centre, radius, colour))
        share = np.sqrt(np.array(each.drawn) / most)
        for rank, size in enumerate(SIZES):
            of_size = points[np.minimum(share * len(SIZES), len(SIZES) - 1).astype(int) == rank]
            if len(of_size):
                axes.add_patch(_lines(of_size, of_size + POINT, colour, size / (2 if small else 1), zorder=3))
        below = centre[1] - radius - 0.004
        text = axes.text(
            centre[0], below, _caption(each), ha="center", va="top", color=DARK, zorder=5, parse_math=False
        )
        text.set_fontsize(6 if small else 10)
    if chapters.alone:
        axes.text(0, 0, _alone(chapters), color=DARK, fontsize=6 if small else 10, va="bottom")
    axes.set_aspect("equal")
    axes.set(xlim=(-0.01, 1.01), ylim=(-0.01, max(1 / ASPECT, float((centres[:, 1] + radii).max())) + 0.01))


def _alone(chapters: Chapters) -> str:
    where = " in the main text" if chapters.of_links == MAIN else ""
    pages = chapters.alone
    return f"{counted(pages, 'page')} without links{where} {'is' if pages == 1 else 'are'} not drawn"


def _caption(chapter: Chapter) -> str:
    return f"{_name(chapter)}\n{chapter.pages:,}"


def _name(chapter: Chapter) -> str:
    """A directory by its end, a title by its beginning."""
    text = clean(readable(chapter.name), 200)
    if len(text) <= LONGEST_NAME:
        return text
    return f"…{text[1 - LONGEST_NAME :]}" if text.startswith("/") else f"{text[: LONGEST_NAME - 1].rstrip()}…"


def _disc(centre: Floats, radius: float, colour: str) -> Any:
    from matplotlib.patches import Circle

    return Circle((centre[0], centre[1]), radius, facecolor=colour, edgecolor=colour, alpha=0.13, zorder=1)


def _dots(count: int, radius: float) -> Floats:
    """Positions inside a disc, shape (count, 2), from the centre outwards."""
    index = np.arange(count)
    far, angle = 0.9 * radius * np.sqrt(index / max(count - 1, 1)), index * GOLDEN
    return np.stack([far * np.cos(angle), far * np.sin(angle)], axis=1)


def _discs(chapters: Chapters) -> tuple[Floats, Floats]:
    """Centres and radii of the discs in a box of 1 by 1 / ASPECT: as large as there is room for."""
    pages = np.array([each.pages for each in chapters.chapters], dtype=np.float64)
    names = np.array([LETTER * max(len(_name(each)), 4) / 2 for each in chapters.chapters])
    pull = _pull(chapters)
    for area in AREAS:
        radii = np.maximum(np.sqrt(pages * area / ASPECT / math.pi / pages.sum()), SMALLEST)
        half, tall = np.maximum(radii, names), radii + TEXT / 2  # with the two lines of text below
        points = _apart_for_good(_centres(pull, half, tall), half + GAP, tall + GAP)
        low, high = points - np.stack([half, tall], axis=1), points + np.stack([half, tall], axis=1)
        size = high.max(axis=0) - low.min(axis=0)
        if size[0] <= 1 and size[1] <= 1 / ASPECT:
            break
    middle = np.array([0.5, 0.5 / ASPECT])
    points += middle - (high.max(axis=0) + low.min(axis=0)) / 2
    scale = np.minimum(np.array([1, 1 / ASPECT]) / size, 1.4)
    return (points - middle) * scale + middle + [0, TEXT / 2], radii


def _pull(chapters: Chapters) -> Floats:
    """How strongly each chapter attracts each other: links for each page of the smaller one, at most 1."""
    count = len(chapters.chapters)
    pull = np.zeros((count, count))
    for each in chapters.between:
        smaller = min(chapters.chapters[each.first].pages, chapters.chapters[each.second].pages)
        pull[each.first, each.second] = pull[each.second, each.first] = each.links / smaller
    return pull / max(float(pull.max(initial=0.0)), 1e-12)


def _centres(pull: Floats, half: Floats, tall: Floats) -> Floats:
    """Linked chapters near each other, and all of them near the middle, in a wide box."""
    count = len(pull)
    index = np.arange(count)
    points = np.stack([np.cos(index * GOLDEN), np.sin(index * GOLDEN) / ASPECT], axis=1) * 0.1 * np.sqrt(index)[:, None]
    for step in range(STEPS):
        strength = 1 - step / STEPS
        between = points[None, :, :] - points[:, None, :]
        points = points + strength * PULL * (pull[:, :, None] * between).sum(axis=1) / count
        points = points * (1 - strength * GRAVITY * UPRIGHT)
        points = _apart(points, half + GAP, tall + GAP)
    return points


def _apart_for_good(points: Floats, half: Floats, tall: Floats) -> Floats:
    for _ in range(MOST_ROUNDS):
        after = _apart(points, half, tall)
        if np.abs(after - points).max() < 1e-5:
            break
        points = after
    return points


def _apart(points: Floats, half: Floats, tall: Floats) -> Floats:
    """Boxes of these half widths and half heights, moved apart by half of their overlaps, along the shorter one."""
    between = points[None, :, :] - points[:, None, :]
    over_x = half[:, None] + half[None, :] - np.abs(between[:, :, 0])
    over_y = tall[:, None] + tall[None, :] - np.abs(between[:, :, 1])
    overlap = (over_x > 0) & (over_y > 0) & ~np.eye(len(points), dtype=bool)
    rising = np.sign(np.arange(len(points))[None, :] - np.arange(len(points))[:, None])
    sideways = overlap & (over_x < over_y)
    direction = np.where(between == 0, rising[:, :, None], np.sign(between))
    move = np.zeros_like(points)
    move[:, 0] = -(np.where(sideways, over_x, 0) * direction[:, :, 0]).sum(axis=1) / 4
    move[:, 1] = -(np.where(overlap & ~sideways, over_y, 0) * direction[:, :, 1]).sum(axis=1) / 4
    return points + move


def _links_between(axes: Axes, chapters: Chapters, centres: Floats) -> None:
    """The strongest links of each chapter to others: bows that are the wider the more links there are."""
    from matplotlib.patches import FancyArrowPatch

    lines = [0] * len(chapters.chapters)
    most = chapters.between[0].links if chapters.between else 1
    for each in chapters.between:
        if min(lines[each.first], lines[each.second]) >= LINES_OF_EACH:
            continue
        lines[each.first] += 1
        lines[each.second] += 1
        width = 0.6 + 7 * math.sqrt(each.links / most)
        first, second = centres[each.first], centres[each.second]
        bow = FancyArrowPatch(first, second, arrowstyle="-", connectionstyle="arc3,rad=0.12", linewidth=width)
        bow.set(color=OTHERS, alpha=0.35, zorder=0)
        axes.add_patch(bow)


def _links_of_pages(axes: Axes, chapters: Chapters, dots: Floats, colours: Sequence[str]) -> None:
    """Lines between pages of one chapter."""
    chapter = np.repeat(np.arange(len(colours)), [len(each.drawn) for each in chapters.chapters])
    pairs = np.array(chapters.links, dtype=np.int64).reshape(-1, 2)
    for index, colour in enumerate(colours):
        inside = pairs[(chapter[pairs] == index).all(axis=1)]
        if len(inside):
            lines = _lines(dots[inside[:, 0]], dots[inside[:, 1]], colour, 0.5, zorder=2)
            lines.set_alpha(0.5)
            axes.add_patch(lines)


def _lines(first: Floats, second: Floats, colour: str, width: float, *, zorder: int) -> PathPatch:
    """Lines with round ends, shape (count, 2) each, in one path, which takes few bytes; short ones are dots."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    path = Path(np.stack([first, second], axis=1).reshape(-1, 2), np.tile([Path.MOVETO, Path.LINETO], len(first)))
    path.should_simplify = False
    look = {"facecolor": "none", "edgecolor": colour, "linewidth": width, "capstyle": "round"}
    return PathPatch(path, zorder=zorder, snap=False, **look)

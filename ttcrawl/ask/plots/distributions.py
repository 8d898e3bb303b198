"""Zipf's law of words and of in-links, and the degrees of pages with their power laws; both axes logarithmic."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ttcrawl.ask.laws.tails import DRAWS, Tail
from ttcrawl.ask.laws.zipf import Zipf
from ttcrawl.ask.plots.style import DARK, Look, empty, legend_below, looks, size, told_p
from ttcrawl.ask.study.laws import Degrees
from ttcrawl.ask.study.study import Parts

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

HEIGHT = 4.6


def zipf(figure: Figure, crawls: Sequence[Parts], names: Sequence[str]) -> None:
    panels = figure.subplots(1, 2)
    for axes, of, up, field in (
        (panels[0], "words", "Occurrences of the word", "zipf_words"),
        (panels[1], "in-links", "Pages that link to the URL", "zipf_links"),
    ):
        axes.set(title=f"Zipf's law of {of}", xlabel="Rank", ylabel=up)
        laws = [getattr(crawl.laws, field) for crawl in crawls]
        for place, (law, name, look) in enumerate(zip(laws, names, looks(len(crawls)), strict=True)):
            if law is not None:
                _ranked(axes, law, (name, of), look, size(place, len(crawls)))
        _logarithmic(axes, any(law is not None for law in laws), "too little to fit")
    legend_below(figure, panels, columns=1 if len(crawls) > 1 else 2)


def _ranked(axes: Axes, law: Zipf, told_of: tuple[str, str], look: Look, marker_size: float) -> None:
    (name, of), (colour, marker, dashes) = told_of, look
    ranks, counts = zip(*law.points, strict=True)
    axes.plot(ranks, counts, color=colour, marker=marker, ms=marker_size, lw=0, label=f"{name}: measured")
    # the line has the mean log height of the fitted ranks
    heights = [math.log(count) + law.s * math.log(rank) for rank, count in law.points if rank <= law.head]
    top = math.exp(sum(heights) / len(heights))
    ends = (1.0, float(law.head))
    told = f"{name}, {of}: s = {law.s:.3f} ± {law.error:.3f}, ranks 1 to {law.head:,}"
    axes.plot(ends, [top * end**-law.s for end in ends], color=DARK, linestyle=(0, dashes), lw=1.5, label=told)


def degrees(figure: Figure, crawls: Sequence[Parts], names: Sequence[str]) -> None:
    """The share of pages with at least this degree: a power law of exponent alpha is a line of slope 1 - alpha."""
    panels = figure.subplots(1, 2)
    for axes, title, way in ((panels[0], "In-degrees", "in"), (panels[1], "Out-degrees", "out")):
        axes.set(
            title=f"{title} of pages", xlabel="Degree d (links, distinct)", ylabel="Share of pages with degree ≥ d"
        )
        drawn = False
        for place, (crawl, name, look) in enumerate(zip(crawls, names, looks(len(crawls)), strict=True)):
            found: Degrees = getattr(crawl.laws, f"{way}_distribution")
            law: Tail | None = getattr(crawl.laws, f"{way}_degrees")
            drawn = _cumulative(axes, found, law, (name, way), look, size(place, len(crawls))) or drawn
        _logarithmic(axes, drawn, "no links")
    legend_below(figure, panels, columns=1 if len(crawls) > 1 else 2)


def _cumulative(
    axes: Axes, found: Degrees, tail: Tail | None, told_of: tuple[str, str], look: Look, marker_size: float
) -> bool:
    pages = sum(found.pages)
    if not pages:
        return False
    (name, way), (colour, marker, dashes) = told_of, look
    shares, left = [], pages
    for count in found.pages:
        shares.append(left / pages)
        left -= count
    axes.plot(found.degrees, shares, color=colour, marker=marker, ms=marker_size, lw=0, label=f"{name}: measured")
    if tail is not None:
        start = next(share for degree, share in zip(found.degrees, shares, strict=True) if degree >= tail.xmin)
        ends = (tail.xmin, found.degrees[-1])
        line = [start * (end / tail.xmin) ** (1 - tail.alpha) for end in ends]
        doubt = "" if tail.p is None else f", {told_p(tail.p, DRAWS)}"
        told = f"{name}, {way}: α = {tail.alpha:.2f} ± {tail.error:.2f} from {tail.xmin} on{doubt}"
        axes.plot(ends, line, color=DARK, linestyle=(0, dashes), lw=1.5, label=told)
    return True


def _logarithmic(axes: Axes, drawn: bool, why: str) -> None:
    if drawn:
        axes.set(xscale="log", yscale="log")
    else:
        empty(axes, why)

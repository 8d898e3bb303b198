"""Zipf's law of terms and of in-links, and the degrees of pages with their power laws; both axes logarithmic."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ttcrawl.report.laws.tails import Tail, p_text
from ttcrawl.report.laws.zipf import Zipf
from ttcrawl.report.parts.laws import Degrees
from ttcrawl.report.plots.style import DARK, Look, empty, legend_below, looks, powers_of_ten, size
from ttcrawl.report.study import Study

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

HEIGHT = 4.6


def zipf(figure: Figure, crawls: Sequence[Study], names: Sequence[str]) -> None:
    panels = figure.subplots(1, 2)
    for axes, of, up, field in (
        (panels[0], "terms", "Occurrences of the term in main texts", "zipf_words"),
        (panels[1], "in-links", "Pages that link to the URL", "zipf_links"),
    ):
        which = "main text" if of == "terms" else "all links"
        axes.set(title=f"Zipf's law of {of} ({which})", xlabel="Rank", ylabel=up)
        laws = [getattr(crawl.laws, field) for crawl in crawls]
        for index, (law, name, look) in enumerate(zip(laws, names, looks(len(crawls)), strict=True)):
            if law is not None:
                _draw_ranks(axes, law, (name, of), look, size(index, len(crawls)))
        _logarithmic(axes, any(law is not None for law in laws), "too little to fit")
    legend_below(figure, panels, columns=1 if len(crawls) > 1 else 2)


def _draw_ranks(axes: Axes, law: Zipf, series: tuple[str, str], look: Look, marker_size: float) -> None:
    (name, of), (colour, marker, dashes) = series, look
    ranks, counts = zip(*law.points, strict=True)
    axes.plot(ranks, counts, color=colour, marker=marker, ms=marker_size, lw=0, label=f"{name}: measured")
    if not law.holds:
        axes.plot([], [], color=DARK, lw=0, label=f"{name}, {of}: no power law within 5 % anywhere")
        return
    # the line has the mean log height of the fitted ranks
    inside = [(rank, count) for rank, count in law.points if law.first <= rank <= law.head]
    heights = [math.log(count) + law.s * math.log(rank) for rank, count in inside]
    top = math.exp(sum(heights) / len(heights))
    ends = (float(law.first), float(law.head))
    text = f"{name}, {of}: s = {law.s:.3f} ± {law.error:.3f}, within 5 % from rank {law.first:,} to {law.head:,}"
    axes.plot(ends, [top * end**-law.s for end in ends], color=DARK, linestyle=(0, dashes), lw=1.5, label=text)


def degrees(figure: Figure, crawls: Sequence[Study], names: Sequence[str]) -> None:
    """The share of pages with at least this degree: a power law of exponent alpha is a line of slope 1 - alpha."""
    panels = figure.subplots(1, 2)
    of_links = " or ".join(dict.fromkeys(crawl.laws.degrees_of for crawl in crawls))
    for axes, title, direction in ((panels[0], "In-degrees", "in"), (panels[1], "Out-degrees", "out")):
        axes.set(
            title=f"{title} of pages ({of_links})",
            xlabel="Degree d (links, distinct)",
            ylabel="Share of pages with degree ≥ d",
        )
        has_data = False
        for index, (crawl, name, look) in enumerate(zip(crawls, names, looks(len(crawls)), strict=True)):
            distribution: Degrees = getattr(crawl.laws, f"{direction}_distribution")
            law: Tail | None = getattr(crawl.laws, f"{direction}_degrees")
            has_data = (
                _cumulative(axes, distribution, law, (name, direction), look, size(index, len(crawls))) or has_data
            )
        _logarithmic(axes, has_data, "no links")
    legend_below(figure, panels, columns=1 if len(crawls) > 1 else 2)


def _cumulative(
    axes: Axes, distribution: Degrees, tail: Tail | None, series: tuple[str, str], look: Look, marker_size: float
) -> bool:
    pages = sum(distribution.pages)
    if not pages:
        return False
    (name, direction), (colour, marker, dashes) = series, look
    shares, remaining = [], pages
    for count in distribution.pages:
        shares.append(remaining / pages)
        remaining -= count
    axes.plot(
        distribution.degrees, shares, color=colour, marker=marker, ms=marker_size, lw=0, label=f"{name}: measured"
    )
    if tail is not None:
        start = next(share for degree, share in zip(distribution.degrees, shares, strict=True) if degree >= tail.xmin)
        ends = (tail.xmin, distribution.degrees[-1])
        line = [start * (end / tail.xmin) ** (1 - tail.alpha) for end in ends]
        doubt = "" if tail.p is None else f", {p_text(tail.p)}"
        text = f"{name}, {direction}: α = {tail.alpha:.2f} ± {tail.error:.2f} from {tail.xmin} on{doubt}"
        axes.plot(ends, line, color=DARK, linestyle=(0, dashes), lw=1.5, label=text)
    return True


def _logarithmic(axes: Axes, has_data: bool, reason: str) -> None:
    if has_data:
        axes.set(xscale="log", yscale="log")
        powers_of_ten(axes.xaxis, axes.yaxis)
    else:
        empty(axes, reason)

"""The content: pages by depth, bytes by type, sizes of hosts, errors and duplicates over the crawl."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ttcrawl.output.tables import clean
from ttcrawl.report.plots.style import PAGES, empty, legend_below, linear_scale, looks, powers_of_ten, size, thousands
from ttcrawl.report.study import Study

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

HEIGHT = 7.4
MOST_TYPES = 8
LONGEST_TYPE = 32  # columns of a type
FEW_HOSTS = 10  # with fewer hosts, logarithmic axes show no law
HATCHES = ("", "//", "..", "xx", "\\\\")


def content(figure: Figure, crawls: Sequence[Study], names: Sequence[str]) -> None:
    ((depth, types), (hosts, course)) = figure.subplots(2, 2)
    _depth(depth, crawls, names)
    _types(types, crawls)
    _hosts(hosts, crawls)
    _course(course, crawls, names)
    legend_below(figure, (depth, course))


def _depth(axes: Axes, crawls: Sequence[Study], names: Sequence[str]) -> None:
    axes.set(title="Pages by depth", xlabel="Links from the seeds", ylabel="Pages")
    deepest = max((max(crawl.content.depths, default=-1) for crawl in crawls), default=-1)
    if deepest < 0:
        empty(axes, "no page crawled yet")
        return
    width = 0.8 / len(crawls)
    for index, (crawl, name, (colour, _, _)) in enumerate(zip(crawls, names, looks(len(crawls)), strict=True)):
        depths = sorted(crawl.content.depths)
        edges = [depth - 0.4 + (index + 0.5) * width for depth in depths]
        hatch = HATCHES[index % len(HATCHES)]
        pages = [crawl.content.depths[depth] for depth in depths]
        axes.bar(edges, pages, width, color=colour, hatch=hatch, edgecolor="white", label=name)
    axes.set_xlim(-0.6, max(deepest, 3) + 0.6)
    thousands(axes.xaxis, axes.yaxis)


def _types(axes: Axes, crawls: Sequence[Study]) -> None:
    axes.set(title="Bytes by type", xlabel="Bytes (as received)")
    totals: dict[str, int] = {}
    for crawl in crawls:
        for name, sizes in crawl.content.types.items():
            totals[name] = totals.get(name, 0) + sizes.total
    most = sorted(totals, key=lambda name: (-totals[name], name))[:MOST_TYPES]
    if len(most) < 2:
        empty(axes, "one type" if most else "nothing came yet")
        return
    for index, (crawl, (colour, marker, _)) in enumerate(zip(crawls, looks(len(crawls)), strict=True)):
        # points, because bars have no start on a logarithmic axis
        sums = [(crawl.content.types[name].total, row) for row, name in enumerate(most) if name in crawl.content.types]
        points = [(total, row) for total, row in sums if total]
        if points:
            across, rows = zip(*points, strict=True)
            axes.plot(across, rows, color=colour, marker=marker, ms=3 + size(index, len(crawls)), lw=0)
    axes.set_yticks(range(len(most)), [clean(name, LONGEST_TYPE).replace("$", r"\$") for name in most])
    axes.set_ylim(len(most) - 0.5, -0.5)
    axes.set_xscale("log")
    powers_of_ten(axes.xaxis)


def _hosts(axes: Axes, crawls: Sequence[Study]) -> None:
    axes.set(title="Sizes of hosts", xlabel="Rank of the host", ylabel="Pages")
    sizes = [[host.pages for host in crawl.course.hosts if host.pages] for crawl in crawls]
    most = max(map(len, sizes), default=0)
    if most < 2:
        empty(axes, "one host" if most else "no page crawled yet")
        return
    for index, (pages, (colour, marker, _)) in enumerate(zip(sizes, looks(len(crawls)), strict=True)):
        axes.plot(range(1, len(pages) + 1), pages, color=colour, marker=marker, ms=size(index, len(crawls)), lw=1)
    if most >= FEW_HOSTS:
        axes.set(xscale="log", yscale="log")
        powers_of_ten(axes.xaxis, axes.yaxis)
    else:
        linear_scale(axes, max(map(max, filter(None, sizes))))


def _course(axes: Axes, crawls: Sequence[Study], names: Sequence[str]) -> None:
    axes.set(title="Errors and duplicates during the crawl", xlabel=PAGES, ylabel="Share of the pages (%)")
    if not any(crawl.course.tenths for crawl in crawls):
        empty(axes, "no page crawled yet")
        return
    for index, (crawl, name, (colour, marker, _)) in enumerate(zip(crawls, names, looks(len(crawls)), strict=True)):
        ends = [0, *(each.last for each in crawl.course.tenths)]
        for measure, style in (("errors", "-"), ("duplicates", ":")):
            counts = [getattr(each, measure) for each in crawl.course.tenths]
            shares = [100 * count / (ends[i + 1] - ends[i]) for i, count in enumerate(counts)]
            look: dict[str, Any] = {
                "color": colour,
                "marker": marker,
                "ms": size(index, len(crawls)),
                "linestyle": style,
            }
            axes.plot(ends[1:], shares, lw=1.6, label=f"{name}: {measure}", **look)
    axes.set(xlim=(0, None), ylim=(0, max(1.0, axes.get_ylim()[1])))
    thousands(axes.xaxis)

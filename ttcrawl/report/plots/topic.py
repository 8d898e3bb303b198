"""Relevant pages by pages fetched, the harvest rate, and the recall of held-back pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ttcrawl.report.plots.style import DARK, PAGES, empty, legend_below, looks, size, thousands
from ttcrawl.report.study import Study

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HEIGHT = 4.4

#: Parts of the crawl in which the harvest rate is drawn.
WINDOWS = 25


def topic(figure: Figure, crawls: Sequence[Study], names: Sequence[str]) -> None:
    sums, rate, recall = figure.subplots(1, 3)
    sums.set(title="Relevant pages", xlabel=PAGES, ylabel="Relevant pages")
    rate.set(title="Harvest rate", xlabel=PAGES, ylabel="Relevant pages per page")
    recall.set(title="Recall, by held-back pages (95 %)", xlabel=PAGES, ylabel="Share found")
    topics = [crawl.topic for crawl in crawls]
    for index, (each, name, (colour, marker, _)) in enumerate(zip(topics, names, looks(len(crawls)), strict=True)):
        if each.scored:
            text = f"{name}: {each.relevant:,} relevant of {each.fetched:,} pages"
            sums.plot((0, *each.pages), (0, *each.found), color=colour, lw=2.4, label=text)
            windows = each.windows(WINDOWS)
            rates = [relevant / (end - before) for before, end, relevant in windows]
            across = [(before + end) / 2 for before, end, _ in windows]
            rate.plot(across, rates, color=colour, marker=marker, ms=size(index, len(crawls)), lw=1)
        if each.held_back is not None and each.held_back.recall is not None:
            pages, shares, low, high = each.recall()
            sample = each.held_back
            text = f"{name}: {sample.found:,} of {sample.sample:,} held-back pages found, {sample.recall:.0%}"
            recall.fill_between(pages, low, high, step="post", color=colour, alpha=0.2, lw=0)
            recall.step(pages, shares, where="post", color=colour, lw=2.4, label=text)
            if each.target:
                recall.axhline(each.target, color=DARK, lw=1, ls="--", label=f"target recall {each.target:g}")
    for axes, reason in ((sums, "no page was scored"), (rate, "no page was scored"), (recall, "no page was held back")):
        if not axes.lines:
            empty(axes, reason)
            continue
        axes.set(xlim=(0, None), ylim=(0, None if axes is sums else 1.02))
        thousands(axes.xaxis, *([axes.yaxis] if axes is sums else []))
    if rate.lines:
        rate.set_ylim(0, max(0.01, 1.08 * max(max(line.get_ydata(), default=0) for line in rate.lines)))
    legend_below(figure, (sums, recall))

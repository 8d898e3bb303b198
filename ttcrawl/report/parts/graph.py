"""The link graph of the pages in figures, crawls side by side. `ttcrawl graph` has lists, exports and pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ttcrawl.output.layout import Row, Section, Value
from ttcrawl.report.graph.figures import Figures, Ranked, figures, ranks
from ttcrawl.report.graph.sections import HOW_PAGERANK
from ttcrawl.report.rows import percent, row
from ttcrawl.report.sources import Sources

HOW = (
    "Fetched pages that can link (HTML and documents), and links that lead a reader on (no canonical, next, feed,"
    " sitemap). Several links from one page to another count once; a link to a redirect counts as a link to its final"
    " page."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Graph:
    figures: Figures
    how: str = HOW


def read(sources: Sources) -> Graph:
    return Graph(figures=figures(sources.network, ranks(sources.network)))


def sections(crawls: Sequence[Graph]) -> list[Section]:
    graphs = [each.figures for each in crawls]
    rows = (
        row("Pages", graphs, lambda each: each.nodes),
        row("Links (distinct)", graphs, lambda each: each.links),
        row("  occurrences", graphs, lambda each: each.occurrences),
        row("Out-degree, mean", graphs, lambda each: each.out_degree.mean),
        row("  median", graphs, lambda each: each.out_degree.median),
        row("  most", graphs, lambda each: each.out_degree.max),
        row("In-degree, median", graphs, lambda each: each.in_degree.median),
        row("  most", graphs, lambda each: each.in_degree.max),
        row("Reciprocity (%)", graphs, lambda each: percent(each.reciprocity)),
        row("Weakly connected components", graphs, lambda each: each.weak.number),
        row("  pages in the largest", graphs, lambda each: each.weak.largest),
        row("Strongly connected components", graphs, lambda each: each.strong.number),
        row("  pages in the largest", graphs, lambda each: each.strong.largest),
        row("Links of the biggest hub", graphs, lambda each: each.hub.links if each.hub else None),
        row("  share of all links (%)", graphs, lambda each: percent(each.hub.share) if each.hub else None),
        row("  that hub", graphs, lambda each: each.hub.label if each.hub else None),
    )
    lists = []
    if len(graphs) == 1:
        lists = [
            _list("Pages most linked to", graphs[0].most_linked, "linked from"),
            _list("Pages by PageRank", graphs[0].pagerank, "PageRank", HOW_PAGERANK),
        ]
    return [Section(title="Graph of the pages", rows=rows, how=HOW), *lists]


def _list(title: str, ranked: Sequence[Ranked], column: str, how: str = "") -> Section:
    rows = tuple(Row(label=each.label, values=(_integral(each.value),)) for each in ranked)
    return Section(title=title, rows=rows, columns=(column,), subject="page", how=how)


def _integral(value: float) -> Value:
    return int(value) if float(value).is_integer() else value

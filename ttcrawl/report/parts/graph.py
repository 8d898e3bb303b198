"""The link graph of the pages in figures, crawls side by side. `ttcrawl graph` has lists, exports and pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ttcrawl.output.layout import Row, Section, Value
from ttcrawl.report.graph.chapters import Chapters, chapters
from ttcrawl.report.graph.figures import MOST, Figures, figures, ranks
from ttcrawl.report.graph.figures import Ranked as RankedByOne
from ttcrawl.report.graph.matrix import Floats, Ints
from ttcrawl.report.graph.measures import top
from ttcrawl.report.graph.network import Network
from ttcrawl.report.graph.sections import HOW_PAGERANK, how_main
from ttcrawl.report.of_links import ALL, BOTH, MAIN
from ttcrawl.report.rows import percent, row_of
from ttcrawl.report.sources import Sources

HOW = (
    "Fetched pages that can link (HTML and documents), and links that lead a reader on (no canonical, next, feed,"
    " sitemap). Several links from one page to another count once; a link to a redirect counts as a link to its final"
    " page. Communities have more links inside than chance would give; their modularity is 0 if the links are as by"
    " chance, and above 0.3 if the division is clear."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A page and its value by the links of the main text, and by all links."""

    label: str
    title: str
    main: int | float
    all: int | float


@dataclass(frozen=True, slots=True, kw_only=True)
class Graph:
    """`figures` are by the links of the main text. `all_links`, by all links, is None if these are the same."""

    figures: Figures
    all_links: Figures | None
    in_menus: float  # share of the occurrences of links
    landmarks: int  # pages with links in landmarks
    most_linked: tuple[Ranked, ...]  # by in-degree, and by PageRank: highest by the main text first
    pagerank: tuple[Ranked, ...]
    chapters: Chapters  # by the links of the main text, or by all if no main text has any
    how: str = HOW


def read(sources: Sources) -> Graph:
    networks = sources.networks
    main = networks.main
    rank = rank_by_all = ranks(main)
    of_main = figures(main, rank)
    of_all = None
    if networks.differ:
        rank_by_all = ranks(networks.all)
        of_all = figures(networks.all, rank_by_all)
    return Graph(
        figures=of_main,
        all_links=of_all,
        in_menus=networks.in_menus,
        landmarks=networks.landmarks,
        most_linked=_highest(main, main.in_degree(), networks.all.in_degree()),
        pagerank=_highest(main, rank, rank_by_all),
        chapters=chapters(main, MAIN) if networks.differ and main.links else chapters(networks.all, ALL),
    )


def _highest(network: Network, main: Ints | Floats, everywhere: Ints | Floats) -> tuple[Ranked, ...]:
    return tuple(
        Ranked(
            label=network.labels[index],
            title=network.titles[index],
            main=np.asarray(main)[index].item(),
            all=np.asarray(everywhere)[index].item(),
        )
        for index in top(main, MOST).tolist()
    )


def sections(crawls: Sequence[Graph]) -> list[Section]:
    both = any(each.all_links for each in crawls)

    def row(label: str, value: Callable[[Figures], Value]) -> Row:
        of_crawls = [[value(each.figures), value(each.all_links or each.figures)] for each in crawls]
        return row_of(label, of_crawls if both else [[first] for first, _ in of_crawls])

    rows = (
        row("Pages", lambda each: each.nodes),
        row("Links (distinct)", lambda each: each.links),
        row("  occurrences", lambda each: each.occurrences),
        row("Pages to which no other page links", lambda each: each.unlinked),
        row("Out-degree, mean", lambda each: each.out_degree.mean),
        row("  median", lambda each: each.out_degree.median),
        row("  most", lambda each: each.out_degree.max),
        row("In-degree, median", lambda each: each.in_degree.median),
        row("  most", lambda each: each.in_degree.max),
        row("Reciprocity (%)", lambda each: percent(each.reciprocity)),
        row("Weakly connected components", lambda each: each.weak.number),
        row("  pages in the largest", lambda each: each.weak.largest),
        row("Strongly connected components", lambda each: each.strong.number),
        row("  pages in the largest", lambda each: each.strong.largest),
        row("Communities", lambda each: each.communities.number),
        row("  pages in the largest", lambda each: each.communities.largest),
        row("  modularity", lambda each: each.modularity),
        row("Links of the biggest hub", lambda each: each.hub.links if each.hub else None),
        row("  share of all links (%)", lambda each: percent(each.hub.share) if each.hub else None),
        row("  that hub", lambda each: each.hub.label if each.hub else None),
    )
    columns = BOTH if both else ("",)
    hows = tuple(how_main(each.in_menus, each.landmarks) for each in crawls)
    graph = Section(title="Graph of the pages", rows=rows, columns=columns, how=HOW, hows=hows)
    if len(crawls) > 1:
        return [graph]
    (crawl,) = crawls
    by_all = crawl.all_links or crawl.figures
    return [
        graph,
        *_lists("Pages most linked to", "linked from", crawl.most_linked, by_all.most_linked if both else ()),
        *_lists("Pages by PageRank", "PageRank", crawl.pagerank, by_all.pagerank if both else (), HOW_PAGERANK),
    ]


def _lists(
    title: str, column: str, ranked: Sequence[Ranked], by_all: Sequence[RankedByOne], how: str = ""
) -> list[Section]:
    """The highest by the main text, with both figures, and those by all links, which stand alone."""
    if not by_all:
        rows = tuple(Row(label=each.label, values=(_integral(each.main),)) for each in ranked)
        return [Section(title=title, rows=rows, columns=(column,), subject="page", how=how)]
    rows = tuple(Row(label=each.label, values=(_integral(each.main), _integral(each.all))) for each in ranked)
    highest = tuple(Row(label=each.label, values=(_integral(each.value),)) for each in by_all)
    of_main = Section(title=title, rows=rows, columns=BOTH, subject="page", how=how, links="main")
    return [of_main, replace(of_main, rows=highest, columns=BOTH[1:], links="all", alone=True)]


def _integral(value: float) -> Value:
    return int(value) if float(value).is_integer() else value

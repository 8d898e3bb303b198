"""The figures of a graph as sections of rows, for ttcrawl.output.tables."""

from __future__ import annotations

from collections.abc import Sequence

from ttcrawl.output.layout import Row, Section, Value
from ttcrawl.report.graph.figures import MOST, Degrees, Figures, Ranked
from ttcrawl.report.graph.measures import DAMPING, Components, top
from ttcrawl.report.graph.network import Network

HOW_PAGERANK = (
    f"Brin and Page's random surfer, damping {DAMPING}: a link counts as often as it occurs; the rank of a node"
    " without links is spread over all nodes; the sum over all nodes is 1."
)
HOW_HITS = "Kleinberg's first singular vectors; a link counts as often as it occurs; the sum over all nodes is 1."

NAMES = {"pages": "pages", "urls": "URLs", "sites": "sites"}


def sections(figures: Figures, network: Network, sites: Network, *, everything: bool) -> list[Section]:
    """All of one graph; `sites` is its graph of sites, which may be the same; `everything`: of all discovered URLs."""
    name = "URLs" if network.name == "urls" else network.name.capitalize()
    return [
        _size(figures, name),
        _degrees(figures),
        _components(figures),
        _list(f"{name} by in-degree", figures.most_linked, "linked from"),
        _list(f"{name} by PageRank", figures.pagerank, "PageRank", HOW_PAGERANK),
        _list("Hubs (HITS)", figures.hubs, "share", HOW_HITS),
        _list("Authorities (HITS)", figures.authorities, "share", HOW_HITS),
        _sites(sites, "URLs" if everything else "pages"),
    ]


def _size(figures: Figures, name: str) -> Section:
    own = "inside a site" if name == "Sites" else "of a page to itself"
    rows = [
        _row(name, figures.nodes),
        _row("Links (distinct)", figures.links),
        _row("  occurrences", figures.occurrences),
        _row(f"  {own}, excluded", figures.own),
        _row("  to URLs outside the graph, excluded", figures.elsewhere),
        _row("Density (%)", _percent(figures.density)),
        _row("Reciprocity (%)", _percent(figures.reciprocity)),
        _row("Nodes without links", figures.isolated),
    ]
    if figures.hub:
        rows += [
            _row("Links of the biggest hub", figures.hub.links),
            _row("  share of all links (%)", 100 * figures.hub.share),
            _row(f"  {figures.hub.label}", ""),
        ]
    return Section(title="Graph", rows=tuple(rows))


def _degrees(figures: Figures) -> Section:
    def row(label: str, degrees: Degrees) -> Row:
        return _row(label, degrees.mean, degrees.median, degrees.max)

    rows = (row("In", figures.in_degree), row("Out", figures.out_degree), row("Both", figures.degree))
    return Section(title="Degrees", rows=rows, columns=("mean", "median", "max"))


def _components(figures: Figures) -> Section:
    def row(label: str, components: Components) -> Row:
        return _row(label, components.number, components.largest, 100 * components.share)

    rows = (row("Weakly connected", figures.weak), row("Strongly connected", figures.strong))
    return Section(title="Components", rows=rows, columns=("number", "largest", "its share (%)"))


def _list(title: str, ranked: Sequence[Ranked], column: str, how: str = "") -> Section:
    rows = tuple(_row(each.label, each.value) for each in ranked)
    return Section(title=title, rows=rows or (_row("none", None),), columns=(column,), how=how)


def _sites(sites: Network, inside: str) -> Section:
    into, out = sites.in_degree().tolist(), sites.out_degree().tolist()
    rows = [
        _row(sites.labels[index], int(sites.pages[index]), int(sites.own[index]), into[index], out[index])
        for index in top(sites.pages, MOST).tolist()
    ]
    title = f"Sites: {sites.nodes:,}, links between them: {sites.links:,}"
    columns = (inside, "links inside", "linked from sites", "links to sites")
    return Section(title=title, rows=tuple(rows) or (_row("none", *[None] * len(columns)),), columns=columns)


def _row(label: str, *values: Value) -> Row:
    return Row(label=label, values=values)


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share

"""The figures of a graph as sections of rows, for ttcrawl.output.tables."""

from __future__ import annotations

from collections.abc import Sequence

from ttcrawl.output.layout import Row, Section, Value
from ttcrawl.report.graph.figures import MOST, Degrees, Figures, Ranked
from ttcrawl.report.graph.measures import DAMPING, Components, top
from ttcrawl.report.graph.network import Network
from ttcrawl.report.rows import percent

HOW_PAGERANK = (
    f"Brin and Page's random surfer, damping {DAMPING}: a link counts as often as it occurs; the rank of a node"
    " without links is spread over all nodes; the sum over all nodes is 1."
)
HOW_HITS = "Kleinberg's first singular vectors; a link counts as often as it occurs; the sum over all nodes is 1."

HOW_COMMUNITIES = (
    "Communities have more links inside than chance would give (Louvain's method); their modularity is {:.2f}: 0 is"
    " chance, above 0.3 is a clear division."
)

HOW_MAIN = (
    "{:.1f} % of the links stand in menus. Main text: inside main or article; on a page without these, outside nav,"
    " header, footer and aside; on a page without landmarks, everything."
)
NO_LANDMARKS = (
    "No link has a recorded landmark (nav, main, header, footer, aside), so all links count as links of the main text."
)
NO_MENUS = "No link stands in a menu (nav, header, footer, aside), so all links are links of the main text."
ALL_LINKS = "All links, of menus too."

NAMES = {"pages": "pages", "urls": "URLs", "sites": "sites", "directories": "directories"}


def how_main(in_menus: float, landmarks: int) -> str:
    """What the links of the main text are: by the share of links in menus, and the pages with links in landmarks."""
    if in_menus:
        return HOW_MAIN.format(100 * in_menus)
    return NO_MENUS if landmarks else NO_LANDMARKS


def sections(figures: Figures, network: Network, sites: Network, *, everything: bool, how: str) -> list[Section]:
    """All of one graph; `sites` is its graph of sites, which may be the same; `everything`: of all discovered URLs;
    `how`: which links count."""
    name = "URLs" if network.name == "urls" else network.name.capitalize()
    return [
        _size(figures, name, how),
        _degrees(figures),
        _components(figures),
        _list(f"{name} by in-degree", figures.most_linked, "linked from"),
        _list(f"{name} by PageRank", figures.pagerank, "PageRank", HOW_PAGERANK),
        _list("Hubs (HITS)", figures.hubs, "share", HOW_HITS),
        _list("Authorities (HITS)", figures.authorities, "share", HOW_HITS),
        _sites(sites, "URLs" if everything else "pages"),
    ]


def _size(figures: Figures, name: str, how: str) -> Section:
    own = "inside a site" if name == "Sites" else "of a page to itself"
    rows = [
        _row(name, figures.nodes),
        _row("Links (distinct)", figures.links),
        _row("  occurrences", figures.occurrences),
        _row(f"  {own}, excluded", figures.own),
        _row("  to URLs outside the graph, excluded", figures.elsewhere),
        _row("Density (%)", percent(figures.density)),
        _row("Reciprocity (%)", percent(figures.reciprocity)),
        _row("Nodes without links", figures.isolated),
        _row("Nodes without a link from another", figures.unlinked),
    ]
    if figures.hub:
        rows += [
            _row("Links of the biggest hub", figures.hub.links),
            _row("  share of all links (%)", 100 * figures.hub.share),
            _row(f"  {figures.hub.label}", ""),
        ]
    return Section(title="Graph", rows=tuple(rows), how=how)


def _degrees(figures: Figures) -> Section:
    def row(label: str, degrees: Degrees) -> Row:
        return _row(label, degrees.mean, degrees.median, degrees.max)

    rows = (row("In", figures.in_degree), row("Out", figures.out_degree), row("Both", figures.degree))
    return Section(title="Degrees", rows=rows, columns=("mean", "median", "max"))


def _components(figures: Figures) -> Section:
    def row(label: str, components: Components) -> Row:
        return _row(label, components.number, components.largest, 100 * components.share)

    rows = (
        row("Weakly connected", figures.weak),
        row("Strongly connected", figures.strong),
        row("Communities", figures.communities),
    )
    how = "" if figures.modularity is None else HOW_COMMUNITIES.format(figures.modularity)
    return Section(title="Components", rows=rows, columns=("number", "largest", "its share (%)"), how=how)


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

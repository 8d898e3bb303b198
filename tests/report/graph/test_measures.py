"""Against networkx, over small graphs of every kind, random ones and a real crawl."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.support.cases import one_in
from tests.support.crawls.crawl_db import crawl_of, generated
from tests.support.crawls.crawling import crawl
from tests.support.web.mesh import mesh
from tests.support.web.site import Web
from ttcrawl.report.graph.figures import figures, ranks
from ttcrawl.report.graph.matrix import LinkMatrix
from ttcrawl.report.graph.measures import adjacency, components, hits, pagerank, reciprocity, top
from ttcrawl.report.graph.network import Network, collapse, sites, subgraph
from ttcrawl.report.graph.read import read

if TYPE_CHECKING:
    import networkx as nx


def network_of(pairs, nodes: int) -> Network:
    """A graph of (source, target) pairs, each as often as it occurs."""
    array = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    source, target, weight = collapse(array[:, 0], array[:, 1], nodes)
    zeros = np.zeros(nodes, dtype=np.int64)
    names = [str(place) for place in range(nodes)]
    return Network(
        ids=np.arange(nodes), labels=names, titles=names, host=zeros, depth=zeros, pages=zeros + 1, hosts=["h"],
        source=source, target=target, weight=weight, own=zeros, elsewhere=0, name="pages",
    )  # fmt: skip


def foreign(network: Network) -> nx.DiGraph:
    import networkx as nx

    graph = nx.DiGraph()
    graph.add_nodes_from(range(network.nodes))
    links = zip(network.source.tolist(), network.target.tolist(), network.weight.tolist(), strict=True)
    graph.add_weighted_edges_from(links)
    return graph


def plain(network: Network) -> LinkMatrix:
    """The matrix of an installation without scipy."""
    data = network.weight.astype(float)
    return LinkMatrix(rows=network.source, columns=network.target, data=data, nodes=network.nodes)


def agrees(network: Network) -> None:
    """Every measure is networkx's, with scipy and without."""
    import networkx as nx

    graph, matrix = foreign(network), adjacency(network)
    assert (matrix != nx.to_scipy_sparse_array(graph, nodelist=range(network.nodes))).nnz == 0
    assert (plain(network).toarray() == matrix.toarray()).all()
    measures_agree(network, graph, matrix)
    measures_agree(network, graph, plain(network))


def measures_agree(network: Network, graph: nx.DiGraph, matrix) -> None:
    import networkx as nx

    theirs = nx.pagerank(graph, alpha=0.85, tol=1e-15, max_iter=2000)
    assert np.abs(pagerank(matrix) - [theirs[node] for node in graph]).max() < 1e-9
    if network.links:
        for ours, found in zip(hits(matrix), nx.hits(graph, max_iter=10_000, tol=1e-13), strict=True):
            found = np.abs([found[node] for node in graph])
            assert ours == pytest.approx(found / found.sum(), abs=1e-9)
        assert reciprocity(network) == pytest.approx(nx.overall_reciprocity(graph))
    for name, find in (("weak", nx.weakly_connected_components), ("strong", nx.strongly_connected_components)):
        parts, ours = [len(part) for part in find(graph)], components(matrix, name)
        assert (ours.number, ours.largest) == (len(parts), max(parts))
    assert network.in_degree().tolist() == [degree for _, degree in graph.in_degree()]
    assert network.out_degree().tolist() == [degree for _, degree in graph.out_degree()]
    if network.nodes > 1:
        assert figures(network, pagerank(matrix)).density == pytest.approx(nx.density(graph))


SMALL = {
    "a link": ([(0, 1)], 2),
    "both ways": ([(0, 1), (1, 0), (1, 2)], 3),
    "several times": ([(0, 1), (0, 1), (0, 2), (2, 0)], 3),
    "no links": ([], 4),
    "one node": ([], 1),
    "a ring with a way out": ([(0, 1), (1, 2), (2, 0), (0, 3)], 4),
    "a star": ([(0, place) for place in range(1, 30)], 30),
    "a big star": ([(place, 0) for place in range(1, 300)], 300),
    "two parts": ([(0, 1), (0, 2), (1, 2), (3, 4)], 6),
    "a navigation": ([(i, j) for i in range(30) for j in range(5) if i != j], 30),
}


@pytest.mark.parametrize("case", SMALL)
def test_small_graphs(case):
    agrees(network_of(*SMALL[case]))


@pytest.mark.parametrize("seed", one_in(3, range(12)))
def test_random_graphs(seed):
    rng = np.random.default_rng(seed)
    nodes = int(rng.integers(2, 400))
    pairs = (rng.random((int(rng.integers(1, 8 * nodes)), 2)) ** (1, 3) * nodes).astype(int)
    agrees(network_of(pairs[pairs[:, 0] != pairs[:, 1]], nodes))


@pytest.mark.parametrize(
    "pairs, nodes, hubs, authorities",
    [
        # alike: every page of a ring; the middle of a chain; the two centres of two stars of one size
        ([(i, (i + 1) % 200) for i in range(200)], 200, [1 / 200] * 200, [1 / 200] * 200),
        ([(i, i + 1) for i in range(149)], 150, [1 / 149] * 149 + [0], [0] + [1 / 149] * 149),
        ([(0, i) for i in (2, 3)] + [(1, i) for i in (4, 5)], 6, [0.5, 0.5, 0, 0, 0, 0], [0, 0] + [0.25] * 4),
        ([], 3, [0, 0, 0], [0, 0, 0]),
    ],
)
def test_hits_where_it_is_not_unique(pairs, nodes, hubs, authorities):
    network = network_of(pairs, nodes)
    for matrix in (adjacency(network), plain(network)):
        ours = hits(matrix)
        assert ours[0] == pytest.approx(np.array(hubs), abs=1e-12)
        assert ours[1] == pytest.approx(np.array(authorities), abs=1e-12)


@pytest.mark.slow
def test_a_real_crawl(tmp_path):
    with Web(mesh(["a.test", "b.test", "c.test"], 60, seed=5)) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--scope", "any")
        assert done.status == 0, done.err
    pages, everything = read(done.directory), read(done.directory, everything=True)
    agrees(pages)
    agrees(everything)
    agrees(sites(pages))
    # the view that unfolds the links says the same, slowly
    rows = done.query(
        "SELECT count(*), count(DISTINCT link.source || ' ' || link.target) FROM link CROSS JOIN url"
        " WHERE url.key = link.target AND url.id != link.source"
    )
    assert rows == [(everything.weight.sum(), everything.links)]
    # a link to a redirect has become one to its end: nothing leads out but to what was refused
    (lost,) = done.query(
        "WITH RECURSIVE led (key, far) AS (SELECT link.target, 0 FROM link CROSS JOIN url ON url.id = link.source"
        "  WHERE url.state = 'fetched' UNION ALL SELECT link.target, far + 1 FROM led CROSS JOIN url USING (key)"
        "  CROSS JOIN link ON link.source = url.id WHERE url.state = 'moved' AND far < 20)"
        " SELECT count(*) FROM led CROSS JOIN url USING (key) WHERE url.state NOT IN ('fetched', 'moved')"
    )
    assert lost == (pages.elsewhere,) and pages.elsewhere


@pytest.mark.slow
def test_a_generated_web(tmp_path):
    generated(tmp_path, urls=2000, links=12_000, pages=900, hosts=12)
    agrees(read(tmp_path))
    agrees(read(tmp_path, everything=True))


def test_top():
    assert top(np.array([0, 3, 5, 3, 0, 9]), 4).tolist() == [5, 2, 1, 3]
    assert top(np.array([0.0, 0.0]), 4).tolist() == []


def test_a_part():
    network = network_of([(0, 1), (1, 2), (1, 2), (2, 3), (3, 1)], 4)
    part = subgraph(network, np.array([1, 2, 3]))
    assert part.labels == ["1", "2", "3"] and part.elsewhere == 1
    assert (part.source.tolist(), part.target.tolist(), part.weight.tolist()) == ([0, 1, 2], [1, 2, 0], [2, 1, 1])


def test_figures(tmp_path):
    start, one, two = "http://a.test/", "http://a.test/1", "http://b.test/2"
    alone = "http://c.test/"
    crawl_of(tmp_path, {start: [one, one, two, start], one: [start], two: ["http://x.test/"], alone: []})
    network = read(tmp_path)
    found = figures(network, ranks(network))
    assert (found.nodes, found.links, found.occurrences, found.own, found.elsewhere) == (4, 3, 4, 1, 1)
    assert found.density == pytest.approx(3 / 12)
    assert found.reciprocity == pytest.approx(2 / 3)
    assert found.isolated == 1
    assert (found.degree.mean, found.degree.median, found.degree.max) == (1.5, 1.5, 3)
    assert (found.weak.number, found.weak.largest, found.weak.share) == (2, 3, 0.75)
    assert (found.strong.number, found.strong.largest) == (3, 2)
    assert found.hub is not None and (found.hub.label, found.hub.links, found.hub.share) == (start, 3, 1.0)
    assert [(each.label, each.value) for each in found.most_linked] == [(start, 1), (one, 1), (two, 1)]
    assert found.hubs[0].label == start and found.authorities[0].label == one

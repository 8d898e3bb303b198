"""Communities, against those of networkx."""

import numpy as np
import pytest

from tests.support.crawls.crawl_db import crawl_of, generated
from ttcrawl.report.graph.communities import communities, modularity
from ttcrawl.report.graph.read import read

URL = "http://a.test/{}".format


def chapters(sizes, bridges):
    """Pages that link to all others of their chapter, and links between chapters."""
    starts = np.cumsum([0, *sizes])
    members = [range(starts[n], starts[n + 1]) for n in range(len(sizes))]
    links = {URL(page): [URL(other) for other in each if other != page] for each in members for page in each}
    for first, second in bridges:
        links[URL(first)].append(URL(second))
    return links, members


@pytest.mark.parametrize(
    "sizes, bridges",
    [
        ([5, 7], [(0, 11)]),
        ([4, 4, 4], [(0, 4), (4, 8), (8, 0)]),
        ([3, 20], [(0, page) for page in range(3, 8)]),
        ([6], []),
        ([1, 1], []),
    ],
)
def test_a_bridge_joins_no_communities(tmp_path, sizes, bridges):
    links, members = chapters(sizes, bridges)
    found = communities(read(crawl_of(tmp_path, links)))
    assert [len(set(found[list(each)])) for each in members] == [1] * len(sizes)
    assert len(set(found)) == len(sizes) and set(found) == set(range(len(sizes)))


def test_a_menu_joins_no_communities(tmp_path):
    """Every page links to the first page of each chapter."""
    links, members = chapters([12, 12, 12], [])
    menu = [URL(each[0]) for each in members]
    found = communities(read(crawl_of(tmp_path, {page: [*others, *menu] for page, others in links.items()})))
    assert [len(set(found[list(each)])) for each in members] == [1, 1, 1] and len(set(found)) == 3


@pytest.mark.parametrize("seed", [1, 2])
def test_modularity_as_networkx(tmp_path, seed):
    import networkx as nx

    network = read(generated(tmp_path, urls=300, links=1500, pages=300, hosts=8, seed=seed))
    found = communities(network)
    graph = nx.MultiGraph(list(zip(network.source.tolist(), network.target.tolist(), strict=True)))
    graph.add_nodes_from(range(network.nodes))
    groups = [np.flatnonzero(found == each).tolist() for each in range(found.max() + 1)]
    assert modularity(network, found) == pytest.approx(nx.community.modularity(graph, groups))
    theirs = nx.community.modularity(graph, nx.community.louvain_communities(graph, seed=1))
    assert modularity(network, found) > theirs - 0.05
    assert (communities(network) == found).all()  # the same every time


def test_no_nodes(tmp_path):
    network = read(crawl_of(tmp_path, {}))
    assert len(communities(network)) == 0 and modularity(network, communities(network)) is None


@pytest.mark.parametrize("block", [1, 7, 400])
def test_links_looked_at_in_parts(tmp_path, monkeypatch, block):
    network = read(generated(tmp_path, urls=300, links=1500, pages=300, hosts=8))
    expected = communities(network)
    monkeypatch.setattr(f"{communities.__module__}.BLOCK", block)
    assert (communities(network) == expected).all()

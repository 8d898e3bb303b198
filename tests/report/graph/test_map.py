"""The map that the window draws: its nodes, communities that open, what is left out."""

import itertools
import json
import tracemalloc

import numpy as np
import pytest

from tests.support.crawls.crawl_db import crawl_of, generated
from ttcrawl.cli import main
from ttcrawl.errors import UsageError
from ttcrawl.report.graph.groups import ERROR, by_directory, network_by, states_of_groups
from ttcrawl.report.graph.map import MOST_LINKS, as_graphology, graph_map
from ttcrawl.report.graph.read import read

URL = "http://a.test/{}".format


def cliques(*sizes):
    """Groups of pages that all link to each other; each group links to the next one."""
    pages = {}
    for first, size in enumerate(sizes):
        group = [URL(f"{first}/{n}") for n in range(size)]
        pages |= {each: [other for other in group if other != each] for each in group}
    starts = [URL(f"{n}/0") for n in range(len(sizes))]
    for one, other in itertools.pairwise(starts):
        pages[one].append(other)
    return pages


def drawn(directory, links, *path, most=5000, titles=None):
    network = read(crawl_of(directory, links, titles=titles))
    return graph_map(network, ["fetched"] * network.nodes, path, most)


def test_each_node_has_a_position_and_its_community(tmp_path):
    found = drawn(tmp_path, cliques(4, 3) | {URL("alone"): []}, titles={URL("0/0"): "First"})
    assert found.network.nodes == 7 and (found.alone, found.smaller, found.weaker) == (1, 0, 0)
    assert found.positions.shape == (7, 2) and np.isfinite(found.positions).all()
    assert found.community.tolist() == [0, 0, 0, 0, 1, 1, 1] and found.names == ["First", URL("1/0")]
    assert found.links.shape == (2, 6 + 3 + 1) and (found.links[0] < found.links[1]).all()
    assert found.into[4] == 3  # two of its group, and the first group


def test_of_too_many_nodes_the_communities_are_drawn_and_open(tmp_path):
    links = cliques(6, 5, 4)
    top = drawn(tmp_path / "top", links, most=7)
    assert (top.network.name, top.network.pages.tolist()) == ("communities", [6, 5, 4])
    assert top.community.tolist() == [0, 1, 2]
    assert top.names == [URL("0/0"), URL("1/0"), URL("2/0")] == list(top.network.labels)
    inside = drawn(tmp_path / "inside", links, 1, most=7)
    assert inside.network.labels == [URL(f"1/{n}") for n in range(5)] and inside.path == (1,)


def test_a_community_that_is_not_divided_shows_its_most_linked_nodes(tmp_path):
    found = drawn(tmp_path, cliques(6, 5), 0, most=4)
    assert found.network.labels[0] == URL("0/0") and (found.network.nodes, found.smaller) == (4, 2)


@pytest.mark.parametrize("path", [(3,), (0, 0)])
def test_a_community_that_is_not_there(tmp_path, path):
    with pytest.raises(UsageError, match="no community opens at"):
        drawn(tmp_path, cliques(6, 5, 4), *path, most=7)


@pytest.mark.parametrize("links", [{}, {URL(""): []}])
def test_without_links_nothing_is_drawn(tmp_path, links):
    found = drawn(tmp_path, links)
    assert (found.network.nodes, found.alone, found.names) == (0, len(links), [])
    assert as_graphology(found)["nodes"] == []


@pytest.mark.slow
def test_a_large_graph_is_small_on_the_map(tmp_path):
    network = read(generated(tmp_path, urls=3000, links=40_000, pages=2500, hosts=20))
    found = graph_map(network, ["fetched"] * network.nodes)
    assert found.links.shape[1] <= MOST_LINKS and found.weaker + found.links.shape[1] <= network.links


def test_nodes_by_directory_and_site(tmp_path):
    links = {
        "http://a.test/x/1": ["http://a.test/y/1", "http://b.test/"],
        "http://a.test/y/1": ["http://a.test/x/1"],
        "http://b.test/": [],
    }
    crawl = crawl_of(tmp_path, links)
    quiet = {"progress": lambda step, done, of: None, "everything": False}
    network, states = network_by(crawl, "directories", "main", **quiet)
    assert network.labels == ["a.test/x/", "a.test/y/", "b.test/"] and states == ["fetched"] * 3
    assert list(zip(network.source.tolist(), network.target.tolist(), strict=True)) == [(0, 1), (0, 2), (1, 0)]
    network, states = network_by(crawl, "sites", "main", **quiet)
    assert (network.labels, network.pages.tolist(), states) == (["a.test", "b.test"], [2, 1], ["fetched"] * 2)


@pytest.mark.parametrize(
    "states, group, expected",
    [
        (["fetched", "queued", "queued"], [0, 0, 0], ["queued"]),
        (["fetched", ERROR, "fetched"], [0, 0, 1], [ERROR, "fetched"]),
        ([], [], []),
    ],
)
def test_the_state_of_a_group(states, group, expected):
    assert states_of_groups(states, np.array(group, dtype=int), len(expected)) == expected


def test_the_command_prints_what_graphology_reads(tmp_path, capsys):
    crawl = crawl_of(tmp_path, cliques(3, 3), titles={URL("0/0"): "<b>\x1b"})
    assert main(["graph", str(crawl), "--map", "--all"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["attributes"]["sentence"] == "6 URLs, 7 links between them"
    keys = {each["key"] for each in found["nodes"]}
    assert len(keys) == 6 and all({each["source"], each["target"]} <= keys for each in found["edges"])
    first = found["nodes"][0]["attributes"]
    assert first.keys() == {"label", "title", "state", "in", "depth", "pages", "x", "y", "community"}
    assert (first["label"], first["title"], first["state"], first["depth"]) == (URL("0/0"), "<b>\x1b", "fetched", 0)


@pytest.mark.parametrize(
    "options, message",
    [
        (["--open", "1"], "add --map"),
        (["--map", "--export", "gexf"], "leave --export"),
        (["--sites", "--directories"], "leave the other out"),
        (["--map", "--open", "9"], "no community opens at 9"),
    ],
)
def test_what_cannot_be(tmp_path, capsys, options, message):
    crawl = crawl_of(tmp_path, cliques(3))
    assert main(["graph", str(crawl), *options]) == 2
    assert message in capsys.readouterr().err


def test_one_long_directory_takes_its_memory_once(tmp_path):
    urls = [URL(f"{number}/x") for number in range(300)] + [URL("d" * 100_000 + "/x")]
    network = read(crawl_of(tmp_path, {url: [] for url in urls}))
    tracemalloc.start()
    directories = by_directory(network)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert directories.nodes == 301 and peak < 10_000_000

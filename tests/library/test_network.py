"""The link graph as the library gives it."""

import numpy as np
import pytest

import ttcrawl
from tests.support.crawls.crawl_db import crawl_of
from ttcrawl.report.graph.read import read


@pytest.fixture
def directory(tmp_path):
    url = "http://a.test/{}".format
    return crawl_of(tmp_path / "c", {url(1): [url(2), url(3)], url(2): [url(1)], url(3): []})


def test_the_graph_has_the_arrays_of_the_crawl(directory):
    graph, arrays = ttcrawl.open(directory).graph(), read(directory)
    assert isinstance(graph, ttcrawl.Network) and graph.labels == arrays.labels
    assert np.array_equal(graph.source, arrays.source) and np.array_equal(graph.target, arrays.target)
    assert (graph.nodes, graph.links) == (3, 3)


def test_links_of_the_main_text_or_all(tmp_path):
    home, page = "http://a.test/", "http://a.test/p"
    opened = ttcrawl.open(crawl_of(tmp_path, {home: [page], page: [home]}, landmarks={home: "n", page: "m"}))
    assert [opened.graph().links, opened.graph(links="main").links, opened.graph(links="all").links] == [1, 1, 2]
    with pytest.raises(ttcrawl.UsageError, match="links are main or all, not x"):
        opened.graph(links="x")


@pytest.mark.slow
def test_the_graph_is_drawn_as_png_and_svg(directory, tmp_path):
    png, svg = ttcrawl.open(directory).graph().draw(tmp_path / "picture", nodes=2, title="two pages")
    assert png.read_bytes().startswith(b"\x89PNG") and "two pages" in svg.read_text()

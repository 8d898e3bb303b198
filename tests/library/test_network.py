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


@pytest.mark.slow
def test_the_graph_is_drawn_as_png_and_svg(directory, tmp_path):
    png, svg = ttcrawl.open(directory).graph().draw(tmp_path / "picture", nodes=2, title="two pages")
    assert png.read_bytes().startswith(b"\x89PNG") and "two pages" in svg.read_text()

"""Colours by site, directory or community, and the links that are drawn."""

from dataclasses import replace

import numpy as np
import pytest

from tests.support.crawls.crawl_db import crawl_of
from ttcrawl.report.graph.backbone import backbone
from ttcrawl.report.graph.read import read
from ttcrawl.report.graph.selection import grouping


def network_of(directory, links):
    crawl_of(directory, links)
    return read(directory)


def ring(urls):
    return {url: [other for other in urls if other != url] for url in urls}


TWO_HOSTS = ring(["http://a.test/", "http://a.test/1", "http://b.test/"])
DIRECTORIES = ring([f"http://a.test/{folder}/{n}" for folder in ("x", "y", "z") for n in "12"])
DEEP = ring([f"http://a.test/docs/en/{folder}/{n}" for folder in ("x", "y", "z") for n in "12"])
FLAT = ring([f"http://a.test/{n}" for n in range(5)]) | ring([f"http://a.test/{n}" for n in range(5, 12)])


@pytest.mark.parametrize(
    "links, names, sizes",
    [
        (TWO_HOSTS, ["a.test", "b.test", "", "other sites"], [2, 1]),
        (DIRECTORIES, ["/x/", "/y/", "/z/", "other directories"], [2, 2, 2]),
        (DEEP, ["/docs/en/x/", "/docs/en/y/", "/docs/en/z/", "other directories"], [2, 2, 2]),
        (FLAT, ["around /11", "around /4", "", "other communities"], [7, 5]),
        ({}, ["", "", "", "other communities"], []),
    ],
)
def test_groups_are_sites_or_directories_or_communities(tmp_path, links, names, sizes):
    groups = grouping(network_of(tmp_path, links), 4)
    assert list(groups.names) == names
    assert np.bincount(groups.look, minlength=0).tolist() == sizes


def test_small_groups_have_one_colour(tmp_path):
    groups = grouping(network_of(tmp_path, ring([f"http://a.test/{n}/" for n in range(9)])), 4)
    assert np.bincount(groups.look).tolist() == [1, 1, 1, 6] and groups.names[-1] == "other directories"


def test_every_node_keeps_its_strongest_link():
    """A menu: every page links to the pages 0 to 4, and to the next page."""
    nodes = 100
    source = np.concatenate([np.repeat(np.arange(5, nodes), 5), np.arange(5, nodes - 1)])
    target = np.concatenate([np.tile(np.arange(5), nodes - 5), np.arange(6, nodes)])
    strong = backbone(source, target, nodes, 150)
    assert strong[-94:].all() and np.count_nonzero(strong) <= 150
    assert set(source[strong]) | set(target[strong]) == set(range(nodes))
    assert backbone(source, target, nodes, len(source)).all()


def test_a_damaged_url_has_a_group_too(tmp_path):
    network = network_of(tmp_path, DIRECTORIES)
    damaged = replace(network, labels=["http://[x/1", *network.labels[1:]])
    assert np.bincount(grouping(damaged, 5).look).tolist() == [2, 2, 1, 1]

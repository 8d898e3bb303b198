"""Communities are computed once for a graph, as long as its crawl is the same."""

import sqlite3
from contextlib import closing

import pytest

from tests.support.crawls.crawl_db import crawl_of
from ttcrawl.report.graph.divisions import divided, kept_divisions
from ttcrawl.report.graph.read import networks
from ttcrawl.snapshot.snapshot import view

A, B, C, D = (f"http://a.test/{name}" for name in "abcd")
LINKS = {A: [B], B: [A, C], C: [D], D: [C]}


def read(directory):
    with view(directory) as db:
        return networks(db, everything=False).of("all")


def kept(directory, network, path=(), graph="pages all"):
    with kept_divisions(directory, graph) as divide:
        return divide(network, path).tolist()


def test_a_division_is_kept_as_long_as_the_crawl_is_the_same(tmp_path):
    directory = crawl_of(tmp_path / "crawl", LINKS)
    network = read(directory)
    communities = divided(network, ()).tolist()
    assert kept(directory, network) == communities == kept(directory, None)  # without a graph nothing can be computed
    for other in ({"path": (1,)}, {"graph": "urls all"}):
        with pytest.raises(AttributeError):
            kept(directory, None, **other)
    with closing(sqlite3.connect(directory / "crawl.db")) as db, db:
        db.execute("INSERT OR REPLACE INTO crawl VALUES ('changed', 1)")
    with pytest.raises(AttributeError):
        kept(directory, None)

"""Benchmarks of crawls that are made without crawling: their rows fit into the tables."""

from __future__ import annotations

import random
from contextlib import closing
from pathlib import Path

from benchmarks import aliases, soft404
from tests.support.crawls.crawling import query
from ttcrawl import config
from ttcrawl.engine.settle import Soft404Marker
from ttcrawl.inspect.aliases.find import find
from ttcrawl.store.sqlite import Store


def test_mirrors_are_found_in_the_web_of_aliases(tmp_path: Path) -> None:
    aliases.make(tmp_path, 4_000, 20)
    found = find(tmp_path)
    assert found.origins == 20
    assert found.twice > 100 and len(found.groups) == 2  # sites 8 and 9, 18 and 19


def test_error_pages_are_found_among_those_of_soft_404s(tmp_path: Path) -> None:
    with closing(Store(tmp_path / "crawl.db", create=True)) as store:
        soft404.fill(store, 300, random.Random(1))
        Soft404Marker(config.Duplicates(), store, lambda done, of: None).run()
        store.commit()
    assert query(tmp_path, "SELECT url FROM soft_404 ORDER BY url") == [(100,), (200,), (300,)]

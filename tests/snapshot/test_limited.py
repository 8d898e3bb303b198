"""A view whose queries may take some seconds."""

import pytest

from tests.support.crawls.crawl_db import crawl_of
from ttcrawl.snapshot.errors import NotACrawl
from ttcrawl.snapshot.limited import TooSlow, limited_view

LONG = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000000000) SELECT max(i) FROM n"


def test_a_query_that_takes_longer_is_ended(tmp_path):
    crawl = crawl_of(tmp_path / "crawl", {"http://a.test/": []})
    with pytest.raises(TooSlow, match="took more than -1 s"), limited_view(crawl, -1) as db:
        db.execute(LONG).fetchone()


def test_damage_is_named(tmp_path):
    """An error of Python has no code of SQLite."""
    crawl = crawl_of(tmp_path / "crawl", {"http://a.test/": []})
    with pytest.raises(NotACrawl, match="Could not decode"), limited_view(crawl, 60) as db:
        db.execute("SELECT CAST(x'ff' AS TEXT)").fetchone()

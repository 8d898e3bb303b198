"""The copy of a best-first crawl whose subject has changed: links and pages have their new scores."""

import pytest

from tests.export.postgresql.copies import differences
from tests.support.crawls.crawling import crawl, query
from tests.support.crawls.preforked import run
from tests.support.web.garden_web import HOSTS, TERMS, gardens
from tests.support.web.site import Web
from ttcrawl.cli import main

OPTIONS = ("--no-obey-delay", "--scope", "any", "--inline", "--set", "frontier.priority=topic")
SCORES = "SELECT url, scores FROM link_score ORDER BY url"


@pytest.mark.slow
def test_links_are_scored_again(server, tmp_path):
    (tmp_path / "town").write_text("50: budget=T\n10: council=T\n-20: sundew=T\n")
    (tmp_path / "garden").write_text(TERMS)
    with Web(gardens(60, seed=6).pages) as web:
        terms = ("--set", f"topic.terms={tmp_path / 'town'}", "--set", "topic.tunnel=-1")
        done = crawl(web, web.url(HOSTS[0], "/"), tmp_path / "c", *OPTIONS, *terms, "--max-pages", 12)
        assert done.status == 3, done.err
        before = query(tmp_path / "c", SCORES)
        assert main(["mirror", str(tmp_path / "c"), server.url]) == 0
        assert differences(server, tmp_path / "c") == []
        terms = ("--set", f"topic.terms={tmp_path / 'garden'}")
        resumed = run("resume", tmp_path / "c", "--max-pages", 13, "--inline", "--progress", "none", *terms)
        assert resumed.returncode in (0, 3), resumed.stderr
    assert query(tmp_path / "c", SCORES)[: len(before)] != before
    assert main(["mirror", str(tmp_path / "c"), server.url]) == 0
    assert differences(server, tmp_path / "c") == []

"""What became of each seed of a crawl over loopback."""

from __future__ import annotations

import json
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.crawls.crawl_db import generated
from tests.support.crawls.crawling import Crawled, crawl
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web, page
from ttcrawl.report.seeds import seeds

#: Seeds -> state, reason, pages of the host, queued, failed, errors.
SEEDS = {
    ("a.test", "/"): ("fetched", "http 200", 2, 0, 1, 1),
    ("a.test", "/gone"): ("fetched", "http 404", 2, 0, 1, 1),
    ("b.test", "/"): ("failed", "disconnected", 0, 0, 1, 0),
    ("c.test", "/x.pdf"): ("refused", "scope: extension", 0, 0, 0, 0),
}


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    pages = {("a.test", "/"): Answer(body=page("/1", "/2")), ("a.test", "/1"): Answer(body=page())}
    pages |= {("a.test", "/2"): Answer(fate="close"), ("b.test", "/"): Answer(fate="close")}
    with Web(pages | {("c.test", "/"): Answer()}) as web:
        seeds = [web.url(*each) for each in SEEDS]
        options = ("--no-obey-delay", "--set", "fetch.retries=0", "--set", "scope.extensions=pdf")
        return crawl(web, seeds, tmp_path_factory.mktemp("seeds") / "c", *options)


@pytest.mark.slow
def test_each_seed_has_a_row(done: Crawled) -> None:
    told = json.loads(run("report", done.directory, "--seeds", "--format", "json").stdout)
    rows = {each.pop("url").partition("://")[2]: tuple(each.values()) for each in told["seeds"]}
    assert list(rows.values()) == list(SEEDS.values())


@pytest.mark.slow
def test_many_seeds_take_one_look_at_the_table(tmp_path: Path) -> None:
    """5,000 seeds with as many hosts: a look for each took 25 s on a tenth of a million URLs."""
    directory = generated(tmp_path / "c", urls=100_000, links=100, pages=50, hosts=5000)
    with closing(sqlite3.connect(directory / "crawl.db")) as db, db:
        urls = [url for (url,) in db.execute("SELECT min(url) FROM url GROUP BY site")]
        db.execute("INSERT OR REPLACE INTO crawl VALUES ('seeds', ?)", ("\n".join([*urls, "http://new.test/"]),))
    begun = time.process_time()
    found = seeds(directory)
    assert time.process_time() - begun < 5
    assert [each.url for each in found.seeds] == [*urls, "http://new.test/"]
    assert sum(each.queued + each.pages for each in found.seeds) == 100_000 and found.seeds[-1].state == "not there"


@pytest.mark.parametrize("form", ["text", "markdown", "html", "csv", "latex"])
def test_for_people(done: Crawled, form: str) -> None:
    told = run("report", done.directory, "--seeds", "--format", form)
    assert told.returncode == 0 and told.stderr == ""
    text = told.stdout.replace(r"\allowbreak{}", "")
    assert "of hosts without a page" in text and "scope: extension" in text
    assert text.count("a.test") >= 2

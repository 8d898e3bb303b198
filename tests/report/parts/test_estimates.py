"""Sizes by links and sitemaps, over crawls small enough to count."""

import sqlite3
from contextlib import closing
from itertools import pairwise

from tests.support.crawls.crawl_db import crawl_of
from ttcrawl.report.laws.recapture import chapman
from ttcrawl.report.parts.estimates import sections
from ttcrawl.report.study import study

A, B = "http://a.test", "http://b.test"


def with_sitemap(directory, states=()):
    """Pages 0 to 5 of a.test are linked, 3 to 8 are in its sitemap, 1 is linked twice; b.test has no sitemap."""
    pages = [f"{A}/{number}" for number in range(12)]
    links = {
        f"{A}/": [*pages[:6], f"{B}/"],
        pages[0]: [pages[1], f"{A}/gone", f"{A}/old", f"{A}/private"],
        f"{A}/sitemap.xml": [(each, "M") for each in [*pages[3:9], f"{A}/private", f"{A}/more.xml"]],
        f"{A}/gone": [],
        f"{A}/more.xml": [],
    } | {page: [] for page in pages[1:7]}
    crawl_of(directory, links, states={f"{A}/old": "moved", f"{A}/private": "refused"})
    with closing(sqlite3.connect(directory / "crawl.db")) as db, db:
        db.execute("UPDATE url SET sitemap = 1 WHERE url LIKE '%.xml'")
        db.execute("UPDATE page SET status = 404 WHERE url = (SELECT id FROM url WHERE url LIKE '%/gone')")
    return directory


def grown(directory):
    """With a sample of the growth at each page, which found one URL."""
    with closing(sqlite3.connect(directory / "crawl.db")) as db, db:
        columns = [row[1] for row in db.execute("PRAGMA table_info(growth)")]
        for number in range(1, 41):
            db.execute(f"INSERT INTO growth VALUES ({','.join('?' * len(columns))})", [number] * len(columns))
    return directory


def test_the_samples_are_pages_alone(tmp_path):
    """Not the sitemaps, nor what is refused, gone or moved, which links name and sitemaps do not."""
    found = study(with_sitemap(tmp_path)).estimates
    assert found.sites == {"a.test": chapman(6, 6, 3)}
    assert found.sites["a.test"].seen == 9


def test_the_lower_bound_is_of_what_is_in_scope(tmp_path):
    """0 to 5, gone and old are linked to, all once but 1; and b.test/. One is too few for a bound, and it says so."""
    found = study(with_sitemap(tmp_path)).estimates
    assert found.at_least is None and "two pages link to 1 of the 9 URLs" in found.no_bound
    assert found.queued == 3  # 7, 8 and b.test/


def test_of_a_crawl_that_has_ended_nothing_is_estimated(tmp_path):
    """A chain of pages finds one URL a page for ever, says the curve; and each is linked to once, which says chao1."""
    pages = [f"{A}/{number}" for number in range(40)]
    chain = {page: [following] for page, following in pairwise([*pages, pages[0]])}
    ended = study(grown(crawl_of(tmp_path / "ended", chain))).estimates
    assert (ended.queued, ended.forecast, ended.at_least) == (0, None, None)
    chain[pages[-1]] = [f"{A}/more"]
    chained = study(grown(crawl_of(tmp_path / "queued", chain))).estimates
    assert chained.forecast.pages == 40 and round(chained.forecast.expected) == 40
    assert chained.at_least is None and "two pages link to 0 of" in chained.no_bound
    going = study(with_sitemap(tmp_path / "going")).estimates
    for each in sections([ended, going])[:2]:
        assert ["Nothing is queued" in how for how in each.hows] == [True, False]
    assert all(row.values == (None,) for section in sections([ended]) for row in section.rows[1:])
    assert not any("Nothing is queued" in how for each in sections([going]) for how in each.hows)


def test_how_is_said_of_all_hosts_not_of_the_first(tmp_path):
    (section,) = sections([study(with_sitemap(tmp_path)).estimates])[2:]
    assert "Chapman" in section.how and "sitemaps list" in section.how
    assert not any(letter.isdigit() for letter in section.how.replace("95 %", "").replace("2xx", ""))


def test_links_and_a_sitemap_without_a_common_url_have_no_estimate(tmp_path):
    links = {f"{A}/": [f"{A}/1", f"{A}/2"], f"{A}/sitemap.xml": [(f"{A}/3", "M"), (f"{A}/4", "M")]}
    with closing(sqlite3.connect(crawl_of(tmp_path, links) / "crawl.db")) as db, db:
        db.execute("UPDATE url SET sitemap = 1 WHERE url LIKE '%.xml'")
    found = study(tmp_path).estimates
    assert found.sites == {} and found.without_overlap == ("a.test",)
    (section,) = sections([found])[2:]
    assert [row.values for row in section.rows] == [(None, None, None)]
    assert "without a URL in both has no estimate" in section.how


def test_no_sitemap(tmp_path):
    assert study(crawl_of(tmp_path, {f"{A}/": [f"{A}/1"]})).estimates.sites == {}

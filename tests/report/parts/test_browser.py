"""The report of the browser: what it cost, and what it brought."""

from contextlib import closing

from tests.support.crawls.crawl_db import crawl_of
from ttcrawl.report.parts.browser import Browser, read, sections
from ttcrawl.report.sources import Sources
from ttcrawl.snapshot.snapshot import view
from ttcrawl.store.browser_uses import BrowserUse
from ttcrawl.store.sqlite import Store

USES = [
    (1, "static", "no scripts", None, 0.0, 0, 0, None, None),
    (2, "static", "template", 1, 0.0, 0, 0, None, None),
    (3, "browser", "sample", 1, 1.5, 2, 300, 0, 0),
    (4, "browser", "sample", 1, 0.5, 3, 500, 2, 0),
    (5, "browser", "empty shell", None, 1.0, 1, 100, 1, 7),
    (6, "browser", "config.ini", None, 1.0, 1, 100, None, None),
]


def browser(directory, uses):
    crawl_of(directory, {f"http://a.test/{n}": [] for n in range(1, 7)})
    with closing(Store(directory / "crawl.db")) as store:
        for each in uses:
            store.browser_uses.add(each)
    with view(directory) as db:
        return read(Sources(db))


def test_cost_and_gain_are_sums_over_the_pages(tmp_path):
    found = browser(tmp_path / "c", [BrowserUse(*each) for each in USES])
    assert found.static == {"no scripts": 1, "template": 1}
    assert found.rendered == {"sample": 2, "empty shell": 1, "config.ini": 1}
    assert (found.seconds, found.requests, found.bytes) == (4.0, 7, 1000)
    assert (found.links, found.words, found.gained) == (3, 7, 2)
    (section,) = sections([found])
    values = {row.label.strip(): row.values[0] for row in section.rows}
    assert values["Pages in the browser"] == 4 and values["Share of the browser (%)"] == 100 * 4 / 6


def test_what_was_not_compared_is_not_a_zero(tmp_path):
    """With [browser] use = always no page is read both ways; one that is read both ways may show no more."""
    always, auto = (BrowserUse(*USES[row]) for row in (5, 2))
    found = [browser(tmp_path / "always", [always]), browser(tmp_path / "auto", [always, auto])]
    (section,) = sections(found)
    values = {row.label.strip(): row.values for row in section.rows}
    shown = ["where it showed more", "Links that only the browser showed", "Words that only the browser showed"]
    assert [values[each] for each in shown] == [(None, 0)] * 3


def test_a_crawl_without_a_browser_has_no_table(tmp_path):
    nothing = browser(tmp_path / "c", [])
    assert (
        nothing
        == Browser(static={}, rendered={}, seconds=0.0, requests=0, bytes=0, links=None, words=None, gained=None)
        and sections([nothing]) == []
    )

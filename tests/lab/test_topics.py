"""Policies for a subject: the laboratory beside real crawls, best first and breadth first."""

import pytest

from tests.lab.recorded import tried
from tests.support.crawls.crawling import crawl
from tests.support.web.garden_web import HOSTS, TERMS, gardens
from tests.support.web.site import Web

#: Real crawls with delays of milliseconds: on a busy machine their order is by chance.
pytestmark = pytest.mark.alone

ORDERS = {"topic": "topic", "breadth": "depth"}


@pytest.fixture(scope="module")
def crawls(tmp_path_factory):
    """Policy -> the real crawl by it; each has scored its pages."""
    directory, done = tmp_path_factory.mktemp("topics"), {}
    (directory / "terms").write_text(TERMS)
    keys = ("--set", f"topic.terms={directory / 'terms'}", "--set", "politeness.delay=0.005", "--scope", "any")
    with Web(gardens(30, seed=3).pages) as web:
        for policy, priority in ORDERS.items():
            order = ("--set", f"frontier.priority={priority}", "--set", "topic.tunnel=-1", "--inline")
            address = ("--set", "politeness.address_delay=0.005")
            done[policy] = crawl(web, web.url(HOSTS[0], "/"), directory / policy, *keys, *order, *address)
            assert done[policy].status == 0, done[policy].err
    return done


def relevant_after(crawled, share):
    """The relevant pages among the first pages of a real crawl."""
    query = """
        SELECT relevant FROM visit JOIN url USING (url) LEFT JOIN topic ON topic.url = url.id
        WHERE kind = 'page' ORDER BY visit.id"""
    found = [bool(relevant) for (relevant,) in crawled.query(query)]
    return sum(found[: round(len(found) * share)]), len(found)


@pytest.mark.slow
@pytest.mark.parametrize("record", ORDERS)
def test_best_first_finds_relevant_pages_before_breadth_first_does(crawls, record):
    early = {}
    for policy in ("topic", "relevant", "breadth"):
        done, _ = tried(crawls[record].directory, policy)
        pages = [each.url for each in done.visits]
        scores = dict(crawls[record].query("SELECT url.url, relevant FROM topic JOIN url ON url.id = topic.url"))
        early[policy] = sum(bool(scores.get(each)) for each in pages[: len(pages) // 4])
    assert early["topic"] > early["breadth"] and early["relevant"] > early["breadth"]


@pytest.mark.slow
@pytest.mark.parametrize("policy", ORDERS)
@pytest.mark.parametrize("share", [0.25, 0.5])
def test_the_curve_of_relevant_pages_is_the_one_of_the_real_crawl(crawls, policy, share):
    real, pages = relevant_after(crawls[policy], share)
    done, curves = tried(crawls[policy].directory, policy)
    assert len(done.visits) == pages
    visited = done.visits[round(pages * share) - 1]
    assert curves.at(visited.requests).relevant == pytest.approx(real, abs=max(3, 0.1 * real))

"""Rings of a cluster that keep to a subject find what the definition says, as one crawl does."""

import random

import pytest

from tests.cluster.clusters import crawl_options, finished
from tests.support.cases import some_fast
from tests.support.crawls.crawling import crawl, query, verified
from tests.support.crawls.preforked import run
from tests.support.web import garden_web as gardens
from tests.support.web.site import Web
from tests.support.web.topic_web import TERMS, some_web, truth_of

HOSTS = [f"www.site{number}.test" for number in range(6)]


@pytest.mark.parametrize("tunnel", some_fast([1, 2], 2))
def test_two_rings_find_what_the_definition_says(tmp_path, tunnel):
    pages = some_web(random.Random(35), HOSTS, 10)
    expected = truth_of(pages, tunnel)
    (tmp_path / "terms.txt").write_text(TERMS)
    settings = (f"topic.terms={tmp_path / 'terms.txt'}", f"topic.tunnel={tunnel}", "duplicates.near=no")
    options = [part for each in settings for part in ("--set", each)]
    with Web(pages) as web:
        seed = web.url(HOSTS[0], "/")
        paths = {web.url(*name): name for name in pages}
        done = finished(
            tmp_path / "c", *crawl_options(web, seed, tmp_path / "c", 2, "--no-obey-delay", "--scope", "any", *options)
        )
    assert done.status == 0, done.err
    gathered = run("cluster", "gather", tmp_path / "c", "-o", tmp_path / "all")
    assert gathered.returncode == 0, gathered.stderr
    rows = query(tmp_path / "all", "SELECT url, state, reason, depth, off_topic FROM url")
    found = {
        paths[url]: (state, reason, depth, off_topic) if state != "refused" else (state, reason, None, None)
        for url, state, reason, depth, off_topic in rows
    }
    assert found == expected
    states = [state for state, *_ in expected.values()]
    assert states.count("fetched") > 10 and "refused" in states
    rings = [query(tmp_path / "c" / f"ring-{ring}", "SELECT count(*) FROM topic") for ring in done.rings()]
    assert len(rings) == 2 and all(count > 0 for ((count,),) in rings)
    assert verified(tmp_path / "all") == ""


@pytest.mark.slow
def test_scores_of_urls_are_those_of_one_crawl(tmp_path):
    """Also of URLs that another ring has found, which no page of their own ring leads to. All links are scored when the
    crawl is over, by the same words in each."""
    (tmp_path / "terms.txt").write_text(gardens.TERMS)
    settings = (f"topic.terms={tmp_path / 'terms.txt'}", "topic.tunnel=2")
    options = ["--no-obey-delay", "--scope", "any", *(part for each in settings for part in ("--set", each))]
    best_first = ("--set", "frontier.priority=topic")
    with Web(gardens.gardens(60, seed=2).pages) as web:
        seed = web.url(gardens.HOSTS[0], "/")
        one = crawl(web, seed, tmp_path / "one", *options)
        again = run("resume", tmp_path / "one", *best_first, "--progress", "none")
        assert (one.status, again.returncode) == (0, 0), again.stderr
        assert finished(tmp_path / "c", *crawl_options(web, seed, tmp_path / "c", 2, *options)).status == 0
        done = finished(tmp_path / "c", "cluster", "resume", tmp_path / "c", *best_first)
    assert done.status == 0, done.err
    assert run("cluster", "gather", tmp_path / "c", "-o", tmp_path / "all").returncode == 0
    rows = "SELECT url, score, off_topic FROM url ORDER BY url"
    whole = query(tmp_path / "all", rows)
    assert whole == query(tmp_path / "one", rows) and len({score for _, score, _ in whole}) > 3
    assert verified(tmp_path / "all") == ""

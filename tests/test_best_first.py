"""Best first: most relevant pages are found early, and neither kills nor processes change what a crawl finds."""

import json
import random
import re
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.crawls.crawling import Crawled, crawl, verified
from tests.support.faults.killing import killed_crawl
from tests.support.web.garden_web import HOSTS, TERMS, gardens
from tests.support.web.site import Web
from ttcrawl.topic.best_first import FULL, handed_down, off_topic, offered
from ttcrawl.topic.links import STEP

ROOT = Path(__file__).parent.parent
BEST_FIRST = ("--set", "frontier.priority=topic")
SMALL = ("--set", "frontier.urls_per_host=4", "--set", "frontier.hosts=2")
MODES = {"inline": ("--inline",), "pools": ("--fetchers", "2", "--parsers", "2"), "small memory": SMALL}


@pytest.fixture
def options(tmp_path):
    (tmp_path / "terms").write_text(TERMS)
    return (*("--no-obey-delay", "--scope", "any"), "--set", f"topic.terms={tmp_path / 'terms'}")


def fetched(web, done, of):
    """How many pages were fetched when the first relevant page was found, the second ..."""
    relevant = {web.url(*place) for place in of.relevant}
    order = [url for (url,) in done.query("SELECT url FROM visit WHERE kind = 'page' ORDER BY id")]
    return [number for number, url in enumerate(order, 1) if url in relevant]


PAGES = """
    SELECT off_topic, topic.relevant, probability, targets, regions, scores FROM topic
    JOIN url ON url.id = topic.url JOIN outlinks ON source = url.id JOIN link_score ON link_score.url = url.id"""


def promised(done, tunnel):
    """The score of every URL by the tables alone: that of the best link, of those that are permitted if there are any.

    A page is relevant or `tunnel` limits the irrelevant pages in a row up to its links; -1: it does not.
    """
    urls = dict(done.query("SELECT key, id FROM url"))
    best = defaultdict(lambda: (False, 0))
    for before, relevant, probability, targets, regions, scores in done.query(PAGES):
        steps = off_topic(before, bool(relevant))
        from_page = handed_down(bool(relevant), probability, steps)
        for key, letter, score in zip(json.loads(targets), regions, scores, strict=True):
            if letter == ord("c"):
                offer = (tunnel < 0 or steps <= tunnel, offered(score * STEP, from_page))
                best[urls[key]] = max(best[urls[key]], offer)
    return {url: score for url, (_, score) in best.items()}


def query_of_the_manual():
    manual = (ROOT / "docs" / "topic.md").read_text(encoding="utf-8")
    return re.search(r"```sql\n(SELECT page.*?)```", manual, re.DOTALL)[1]


def test_the_query_of_the_manual_has_the_scores_of_links(tmp_path, options):
    with Web(gardens(30, seed=3).pages) as web:
        done = crawl(web, web.url(HOSTS[0], "/"), tmp_path / "c", *options, *BEST_FIRST, "--inline")
    urls = dict(done.query("SELECT key, url FROM url"))
    packed = "SELECT key, targets, scores FROM outlinks JOIN link_score AS s ON s.url = source JOIN url ON id = source"
    stored = [
        (urls[source], urls[target], score * STEP)
        for source, targets, scores in done.query(packed)
        for target, score in zip(json.loads(targets), scores, strict=True)
    ]
    rows = done.query(query_of_the_manual())
    assert sorted((page, url, score) for page, _, url, score in rows) == sorted(stored)
    assert len({score for *_, score in rows}) > 3 and rows[0][1]


def scores(done):
    return dict(done.query("SELECT url, score FROM url"))


@pytest.mark.slow
def test_relevant_pages_are_found_early(tmp_path, options):
    web_of = gardens(400, seed=1)
    found = {}
    with Web(web_of.pages) as web:
        for name in ("depth", "topic"):
            setting = ("--inline", "--set", f"frontier.priority={name}", "--set", "topic.tunnel=-1")
            done = crawl(web, web.url(HOSTS[0], "/"), tmp_path / name, *options, *setting)
            assert done.status == 0, done.err
            found[name] = fetched(web, done, web_of)
    count = len(web_of.relevant)
    assert len(found["depth"]) == len(found["topic"]) == count
    most = count * 8 // 10
    assert 3 * found["topic"][most] < found["depth"][most]


@pytest.mark.slow
@pytest.mark.parametrize("tunnel", [2, -1])
def test_scores_are_those_of_the_tables_however_it_is_crawled(tmp_path, options, tunnel):
    web_of, runs = gardens(150, seed=2), {}
    with Web(web_of.pages) as web:
        for name, mode in MODES.items():
            more = (*mode, *BEST_FIRST, "--set", f"topic.tunnel={tunnel}")
            runs[name] = done = crawl(web, web.url(HOSTS[0], "/"), tmp_path / name, *options, *more)
            assert done.status == 0, done.err
    for done in runs.values():
        ours, expected = dict(done.query("SELECT id, score FROM url")), promised(done, tunnel)
        assert ours.pop(1) == FULL
        assert ours == {url: expected[url] for url in ours}
        assert scores(done) == scores(runs["inline"])
        assert done.states() == runs["inline"].states()
    found = {
        url for (url,) in runs["pools"].query("SELECT url.url FROM topic JOIN url ON id = topic.url WHERE relevant")
    }
    relevant = {web.url(*place) for place in web_of.relevant}
    assert found == relevant if tunnel < 0 else found <= relevant and found


@pytest.mark.slow
def test_the_order_is_the_same_every_time(tmp_path, options):
    web_of, orders = gardens(120, seed=3), []
    for name in "ab":
        with Web(web_of.pages, port=orders[0][1] if orders else 0) as web:
            done = crawl(web, web.url(HOSTS[0], "/"), tmp_path / name, *options, *BEST_FIRST, "--inline")
            orders.append((done.query("SELECT url FROM visit ORDER BY id"), web.port))
    assert orders[0] == orders[1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pages", "kills"),
    [(40, 1), *(pytest.param(*each, marks=pytest.mark.slow) for each in ((100, 3), (400, 20)))],
    ids=["one", "few", "many"],
)
def test_kills_change_neither_what_is_found_nor_scores(tmp_path, options, pages, kills):
    web_of, tunnel = gardens(pages, seed=4), 2
    mode = ("--parsers", "2", *BEST_FIRST, "--set", f"topic.tunnel={tunnel}")
    with Web(web_of.pages) as web:
        seeds, port = [web.url(HOSTS[0], "/")], web.port
        reference = crawl(web, seeds, tmp_path / "reference", *options, *mode)
        assert reference.status == 0, reference.err
    slow = {place: replace(answer, delay=0.25) for place, answer in web_of.pages.items()}
    with Web(slow, port=port) as web:
        ((requests,),) = reference.query("SELECT count(*) FROM visit")
        killed = killed_crawl(web, seeds, tmp_path, kills, random.Random(5), *options, *mode, requests=requests // 2)
    done = Crawled(status=0, out="", err="", directory=tmp_path / "c")
    assert killed.total() == kills
    assert scores(done) == scores(reference) and done.states() == reference.states()
    topics = "SELECT url.url, relevant FROM topic JOIN url ON id = topic.url ORDER BY 1"
    assert done.query(topics) == reference.query(topics)
    assert verified(done.directory) == ""

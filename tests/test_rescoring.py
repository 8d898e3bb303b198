"""A best-first crawl with another subject: links and queued URLs get the scores that they have by the new list."""

import json
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from tests.support.crawls.crawling import crawl, query, verified
from tests.support.crawls.preforked import run
from tests.support.web.garden_web import HOSTS, TERMS, gardens
from tests.support.web.site import Web
from ttcrawl.config import Topic
from ttcrawl.topic.best_first import FULL, handed_down, off_topic, offered
from ttcrawl.topic.files import assessor_of
from ttcrawl.topic.links import STEP, LinkScorer, by_terms

ROOT = Path(__file__).parent.parent

#: Another subject of the same pages, with which the crawls begin.
TOWN = "50: budget=T\n10: council=T\n-20: sundew=T\n"
BEST_FIRST = ("--no-obey-delay", "--scope", "any", "--inline")
FIRST = 12


@pytest.fixture(scope="module")
def web():
    with Web(gardens(120, seed=6).pages) as web:
        yield web


@pytest.fixture
def begin(web, tmp_path):
    """Begins a crawl by TOWN, which stops after FIRST pages."""
    (tmp_path / "town").write_text(TOWN)
    (tmp_path / "terms").write_text(TERMS)

    def begin(*more, order="topic"):
        settings = (f"frontier.priority={order}", f"topic.terms={tmp_path / 'town'}", "topic.tunnel=-1")
        options = [part for each in settings for part in ("--set", each)]
        seed = web.url(HOSTS[0], "/")
        done = crawl(web, seed, tmp_path / "c", *BEST_FIRST, *options, *more, "--max-pages", FIRST)
        assert done.status == 3, done.err
        return tmp_path / "c"

    return begin


def resumed(directory, pages, *more):
    done = run("resume", directory, "--max-pages", pages, "--progress", "none", "--inline", *more)
    assert done.returncode in (0, 3), done.stderr


def links(directory):
    """(Source, target, stored score, anchor text) of the links of pages, in order."""
    packed = "SELECT source, targets, scores, anchors FROM outlinks JOIN link_score ON url = source ORDER BY source"
    for source, targets, scores, anchors in query(directory, packed):
        for key, score, anchor in zip(json.loads(targets), scores, json.loads(anchors), strict=True):
            yield source, key, score * STEP, anchor


def scores_of_urls(directory):
    """URL -> the score that the best link gives it, by the tables."""
    ids = dict(query(directory, "SELECT key, id FROM url"))
    columns = "SELECT url.id, off_topic, relevant, probability FROM topic JOIN url ON url.id = topic.url"
    pages = {id: rest for id, *rest in query(directory, columns)}
    best = defaultdict(int, {1: FULL})
    for source, key, score, _ in links(directory):
        before, relevant, probability = pages[source]
        from_page = handed_down(bool(relevant), probability, off_topic(before, bool(relevant)))
        best[ids[key]] = max(best[ids[key]], offered(score, from_page))
    return {id: best[id] for (id,) in query(directory, "SELECT id FROM url")}


def by_anchors(directory, terms, sources):
    """The stored scores of the links of these pages, and those by their anchor texts and URLs alone."""
    assessor, _ = assessor_of(Topic(terms=str(terms)))
    scorer, urls = LinkScorer(by_terms(assessor.scorer)), dict(query(directory, "SELECT key, url FROM url"))
    each = [
        (score, scorer.score(anchor, "", key, urls[key]))
        for id, key, score, anchor in links(directory)
        if id in sources
    ]
    return [stored for stored, _ in each], [computed for _, computed in each]


def fetched(directory):
    return [url for (url,) in query(directory, "SELECT url FROM visit WHERE kind = 'page' ORDER BY id")]


def sources(directory):
    return {id for (id,) in query(directory, "SELECT source FROM outlinks")}


def check(directory, terms, early):
    """All scores are those by the new list, and the queue is in their order."""
    stored, computed = by_anchors(directory, terms, early)
    assert stored == computed and len(set(stored)) > 1
    assert dict(query(directory, "SELECT id, score FROM url")) == scores_of_urls(directory)
    assert query(directory, "SELECT 1 FROM url WHERE priority != -score") == []
    assert verified(directory) == ""


def changed(directory, tmp_path, how, pages):
    other = tmp_path / "terms"
    if how == "save":
        saved = run("topic", "score", directory, "--terms", other, "--save")
        assert saved.returncode == 0, saved.stderr
        resumed(directory, pages)
    else:
        resumed(directory, pages, "--set", f"topic.terms={other}")


@pytest.mark.slow
@pytest.mark.parametrize("how", ["save", "resume"])
def test_another_list_puts_the_queue_into_another_order(begin, tmp_path, how):
    directory = begin()
    early, before = sources(directory), dict(query(directory, "SELECT url, score FROM url WHERE state = 'queued'"))
    changed(directory, tmp_path, how, FIRST + 1)
    check(directory, tmp_path / "terms", early)
    now = dict(query(directory, "SELECT url, score FROM url"))
    assert any(now[url] < score for url, score in before.items())
    (_, *_, last) = fetched(directory)
    assert now[last] == max(now[url] for url in before) and before[last] < max(before.values())
    resumed(directory, 0)
    assert dict(query(directory, "SELECT id, score FROM url")) == scores_of_urls(directory)
    assert query(directory, "SELECT count(*) FROM url WHERE state = 'fetched'") == [(120,)]


def test_the_same_list_leaves_the_scores_of_links(begin, tmp_path):
    """They know the words near the links, which are not stored."""
    directory = begin()
    before = list(links(directory))
    saved = run("topic", "score", directory, "--save")
    assert saved.returncode == 0, saved.stderr
    resumed(directory, FIRST)
    assert list(links(directory)) == before
    assert dict(query(directory, "SELECT id, score FROM url")) == scores_of_urls(directory)


@pytest.mark.slow
def test_a_crawl_that_becomes_best_first_scores_the_links_that_it_has(begin, tmp_path):
    directory = begin(*("--set", "links.anchors=yes"), order="depth")
    assert query(directory, "SELECT count(*) FROM link_score") == [(0,)]
    early = sources(directory)
    resumed(directory, FIRST + 1, "--set", "frontier.priority=topic")
    check(directory, tmp_path / "town", early)
    resumed(directory, FIRST + 3, "--set", "frontier.priority=depth")
    early = sources(directory)
    resumed(directory, FIRST + 4, "--set", "frontier.priority=topic")
    check(directory, tmp_path / "town", early)


def killed_at(directory, step, *resume):
    command = [
        sys.executable,
        "-m",
        "tests.support.faults.killed_at",
        "SIGKILL",
        f"sql:{step}",
        directory,
        "resume",
        directory,
    ]
    options = ("--progress", "none", "--inline", *resume)
    return subprocess.run(
        [*map(str, command), *map(str, options)], cwd=ROOT, capture_output=True, timeout=60
    ).returncode


@pytest.mark.slow
def test_a_kill_while_links_are_scored_again(begin, tmp_path):
    """Killed at every so many statements of a resume that sends no request; the next one completes it."""
    directory = begin("--set", "store.commit_pages=3")
    shutil.copytree(directory, tmp_path / "begun")
    settings = ("--set", f"topic.terms={tmp_path / 'terms'}", "--max-pages", FIRST)
    resumed(directory, FIRST, *settings[:2])
    rows = "SELECT id, state, score, priority, depth, off_topic FROM url ORDER BY id"
    expected, scores = query(directory, rows), list(links(directory))
    kills = 0
    for step in range(80, 4000, 130):
        shutil.rmtree(directory)
        shutil.copytree(tmp_path / "begun", directory)
        if killed_at(directory, step, *settings) >= 0:
            break
        kills += 1
        assert verified(directory) == "", step
        resumed(directory, FIRST, *settings[:2])
        assert (query(directory, rows), list(links(directory))) == (expected, scores), step
    assert kills >= 3, kills

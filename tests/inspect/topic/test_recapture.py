"""Recall by two crawls: the command, and the estimate over simulated crawls of webs whose truth is known."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest
import scipy

from tests.support.crawls.crawl_db import crawl_of
from ttcrawl.cli import main
from ttcrawl.config import Config, Topic, example
from ttcrawl.inspect.topic.recall import size_of

PAGES, RELEVANT = 3000, 300


def url(n):
    return f"http://a.test/{n}"


def crawl(directory, relevant, seed=0, terms=b"1: x=Y\n"):
    """A crawl whose relevant pages have these numbers, and one irrelevant page."""
    crawl_of(directory, {url(n): [] for n in (seed, *relevant)})
    with closing(sqlite3.connect(directory / "crawl.db")) as db, db:
        db.execute("UPDATE url SET reason = 'http 200'")
        db.execute("INSERT INTO crawl VALUES ('seeds', ?)", (url(seed),))
        db.execute("INSERT INTO topic SELECT id, url != ?, 1, NULL, 'terms', '{}', '[]' FROM url", (url(seed),))
    (directory / "config.ini").write_text(example(replace(Config(), topic=Topic(terms="plants.txt"))))
    (directory / "topic").mkdir()
    (directory / "topic" / "terms.txt").write_bytes(terms)
    return directory


def recall(capsys, *words):
    status = main(["topic", "recall", *map(str, words)])
    return status, *capsys.readouterr()


def test_two_crawls(capsys, tmp_path):
    one = crawl(tmp_path / "one", range(1, 61))
    other = crawl(tmp_path / "other", range(31, 101), seed=1000)
    size = size_of(60, 70, 30)
    status, out, _ = recall(capsys, one, other)
    assert status == 0
    assert f"relevant pages, by capture-recapture: {size.size:,.0f} (95 %: {size.low:,.0f} to {size.high:,.0f})" in out
    assert "30 were found by both crawls, 100 by at least one" in out and "seeds are those" not in out
    assert f"{one}: recall {60 / size.size:.1%} (95 %: {60 / size.high:.1%} to " in out
    assert "different lists" not in out
    status, out, _ = recall(capsys, one, other, "--format", "json")
    shown = json.loads(out)["recapture"]
    assert (shown["first"], shown["second"], shown["both"]) == (60, 70, 30)
    assert shown["recall"]["together"][0] == pytest.approx(100 / size.size)


def test_what_spoils_the_estimate_is_named(capsys, tmp_path):
    one, other = crawl(tmp_path / "one", range(1, 61)), crawl(tmp_path / "other", range(31, 101), terms=b"2: x=Y\n")
    _, out, _ = recall(capsys, one, other)
    assert "1 seed is one of both crawls, so the samples are not independent" in out
    assert "the crawls judge by different lists or models" in out


def test_held_back_pages_of_two_crawls(capsys, tmp_path):
    one, other = crawl(tmp_path / "one", range(1, 61)), crawl(tmp_path / "other", range(31, 101), seed=1000)
    known = tmp_path / "known.txt"
    known.write_text("\n".join(map(url, (0, 5, 15, 45, 55, 95, 2000))))
    status, out, _ = recall(capsys, one, other, "--held-back", known)
    assert status == 0
    assert f"{one}: recall 66.7% (95 %: 22.3% to 95.7%), 4 of 6 held-back pages" in out
    assert f"{other}: recall 42.9% (95 %: 9.9% to 81.6%), 3 of 7 held-back pages" in out
    assert "2 never discovered" in out and "1 left out: seed" in out
    status, out, _ = recall(capsys, one, "--held-back", known, "--format", "json")
    (shown,) = json.loads(out)["held_back"]
    assert (shown["found"], shown["judged_relevant"], shown["seeds"], shown["undiscovered"]) == (4, 4, 1, 2)


def test_nothing_to_estimate(capsys, tmp_path):
    one, other = crawl(tmp_path / "one", range(1, 61)), crawl(tmp_path / "other", ())
    status, out, _ = recall(capsys, one, other)
    assert status == 1 and "60 and 0 relevant pages: nothing can be estimated" in out
    (tmp_path / "none.txt").write_text("# nothing\n")
    status, out, _ = recall(capsys, one, "--held-back", tmp_path / "none.txt")
    assert status == 1 and "recall unknown: no held-back page is left" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("", "name two crawls with different seeds, or one crawl and --held-back FILE"),
        ("one", "name two crawls with different seeds, or one crawl and --held-back FILE"),
        ("one one", "one is named twice"),
        ("one one one --held-back x", "name two crawls with different seeds"),
        ("one --held-back nowhere", "nowhere: No such file or directory"),
        ("one plain", "plain has no scores: crawl with [topic] terms or model"),
        ("one nothing", "nothing"),
    ],
)
def test_wrong_use(capsys, tmp_path, monkeypatch, words, message):
    monkeypatch.chdir(tmp_path)
    crawl(tmp_path / "one", (1, 2))
    crawl_of(tmp_path / "plain", {url(1): []})
    status, _, err = recall(capsys, *words.split())
    assert status in (1, 2) and message in err and err.count("\n") == 1


# -- simulated webs ---------------------------------------------------------------------------------------------------


def popular(rng):
    """Each page links to ten, popular ones more often."""
    weights = rng.pareto(1.2, PAGES) + 0.05
    return np.searchsorted(np.cumsum(weights) / weights.sum(), rng.random((PAGES, 10)))


def clustered(rng):
    """Each page links to ten, nearly all of them near by."""
    near = (np.arange(PAGES)[:, None] + rng.integers(-50, 51, (PAGES, 10))) % PAGES
    return np.where(rng.random((PAGES, 10)) < 0.997, near, rng.integers(0, PAGES, (PAGES, 10)))


def breadth_first(links, seeds, budget):
    seen = np.zeros(PAGES, bool)
    level, order = seeds, []
    seen[level] = True
    while len(level):
        order.append(level)
        targets = links[level].ravel()
        targets = targets[~seen[targets]]
        _, at = np.unique(targets, return_index=True)
        level = targets[np.sort(at)]
        seen[level] = True
    return np.concatenate(order)[:budget]


def estimates(draw, rng, times=150):
    """Of pairs of simulated crawls, as shares of the truth: (estimate, low, high); `draw` returns the pages of both."""
    sizes = []
    for _ in range(times):
        relevant = rng.permutation(PAGES) < RELEVANT
        one, other = (set(pages[relevant[pages]].tolist()) for pages in draw(rng, np.flatnonzero(relevant)))
        size = size_of(len(one), len(other), len(one & other))
        sizes.append((size.size / RELEVANT, size.low / RELEVANT, size.high / RELEVANT))
    return np.array(sizes).T


def of_web(links, share):
    def draw(rng, relevant):
        seeds = rng.choice(relevant, 6, replace=False)
        return [breadth_first(links, each, int(share * PAGES)) for each in (seeds[:3], seeds[3:])]

    return draw


def by_chance(share):
    return lambda rng, relevant: [rng.choice(PAGES, int(share * PAGES), replace=False) for _ in range(2)]


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
def test_independent_crawls_are_covered(share):
    size, low, high = estimates(by_chance(share), np.random.default_rng(1))
    assert ((low <= 1) & (high >= 1)).sum() >= scipy.stats.binom.ppf(0.001, len(size), 0.95)
    assert np.median(size) == pytest.approx(1, rel=0.1)


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
def test_common_popular_pages_make_it_too_low_as_the_manual_says(share):
    rng = np.random.default_rng(1)
    size, _, high = estimates(of_web(popular(rng), share), rng)
    assert np.median(size) < 0.8 and np.mean(high < 1) > 0.8


def test_neighbourhoods_make_it_uncertain_as_the_manual_says():
    rng = np.random.default_rng(1)
    size, low, high = estimates(of_web(clustered(rng), 0.2), rng)
    assert np.mean((low <= 1) & (high >= 1)) < 0.6
    assert (size < 0.7).any() and (size > 2).any()

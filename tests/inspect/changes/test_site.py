"""A site whose pages change, crawled twice, and crawled again in the same directory: judged by what the site knows."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

import ttcrawl
from tests.support.crawls.crawling import crawl, verified
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web, moved, page
from ttcrawl.maintain.requeue import count_again, queue_again
from ttcrawl.store.mending import mending

HOST = "a.test"
FAST = ("--no-obey-delay", "--inline", "--set", "duplicates.near=no")
RNG = random.Random(20)


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """What was done to a page."""

    change: str
    to: str = ""
    added: int = 0  # words
    removed: int = 0


def article(words: list[str], title: str = "", *links: str) -> Answer:
    """A page with these words as its main text, and its links in a menu."""
    menu = "".join(f'<a href="{link}">{link}</a> ' for link in links)
    content = f"<nav>{menu}</nav><main><article><p>{' '.join(words)}</p></article></main>"
    return Answer(body=page(title=title, content=content))


def fresh(number: int) -> list[str]:
    """Words that no other page has."""
    return [f"w{RNG.getrandbits(40):x}" for _ in range(number)]


def two_versions() -> tuple[dict[str, Answer], dict[str, Answer], dict[str, Truth]]:
    texts = {f"/{number}": fresh(120) for number in range(40)}
    first = {path: article(words, path) for path, words in texts.items()}
    second, truth = dict(first), dict[str, Truth]()
    for number, path in enumerate(texts):
        words, position = list(texts[path]), RNG.randrange(100)
        match number % 8:
            case 0:
                del second[path]
                truth[path] = Truth(change="gone")
            case 1:
                del second[path]
                second[f"/moved{path}"] = first[path]
                truth[path] = Truth(change="moved", to=f"/moved{path}")
            case 2:
                added = RNG.randrange(1, 9)
                second[path] = moved(f"/new{path}")
                second[f"/new{path}"] = article([*words, *fresh(added)], path)
                truth[path] = Truth(change="moved", to=f"/new{path}", added=added)
            case 3:
                removed, added = RNG.randrange(1, 9), RNG.randrange(1, 9)
                words[position : position + removed] = fresh(added)
                second[path] = article(words, path)
                truth[path] = Truth(change="changed", added=added, removed=removed)
            case 4:
                second[path] = article(words, f"about {path}")
                truth[path] = Truth(change="changed")
            case 5:
                second[f"/added{path}"] = article(fresh(60))
                truth[f"/added{path}"] = Truth(change="new")
    truth["/"] = Truth(change="changed")
    return _with_home(first), _with_home(second), truth


def _with_home(pages: dict[str, Answer]) -> dict[str, Answer]:
    return {"/": article(HOME, "Home", *pages), **pages}


HOME = fresh(50)
FIRST, SECOND, TRUTH = two_versions()


def web_of(pages: Mapping[str, Answer], port: int = 0) -> Web:
    return Web({(HOST, path): answer for path, answer in pages.items()}, port=port)


def changes_of(first: Path, second: Path | None, port: int, before: float | None = None) -> dict[str, ttcrawl.Change]:
    with ttcrawl.open(first) as crawl, ttcrawl.open(second or first) as other:
        rows = list(crawl.diff(None if second is None else other, before=before))
    base = f"http://{HOST}:{port}"
    assert all(row.url.startswith(base) for row in rows)
    return {row.url.removeprefix(base): row for row in rows}


def judge(changes: Mapping[str, ttcrawl.Change], port: int) -> None:
    said = {path: (row.change, row.to.removeprefix(f"http://{HOST}:{port}")) for path, row in changes.items()}
    assert said == {path: (truth.change, truth.to) for path, truth in TRUTH.items()}
    for path, truth in TRUTH.items():
        if truth.change in ("changed", "moved"):
            row = changes[path]
            assert (row.words_added, row.words_removed) == (truth.added, truth.removed), path
            assert row.same is not None
            assert (row.same == 1.0) == (not truth.added and not truth.removed), path
    home = changes["/"]
    links = {f"http://{HOST}:{port}{path}" for path in SECOND.keys() - FIRST.keys()}
    assert home.what == "links, bytes" and set(home.appeared) == links
    assert home.links_vanished == len(FIRST.keys() - SECOND.keys()) == len(home.vanished)


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    with web_of(FIRST) as web:
        done = crawl(web, web.url(HOST, "/"), tmp_path_factory.mktemp("site") / "first", *FAST)
    assert done.status == 0, done.err
    return done.directory, web.port


@pytest.mark.slow
def test_two_crawls(crawled: tuple[Path, int], tmp_path: Path) -> None:
    first, port = crawled
    with web_of(SECOND, port) as web:
        done = crawl(web, web.url(HOST, "/"), tmp_path / "second", *FAST)
    assert done.status == 0, done.err
    judge(changes_of(first, done.directory, port), port)
    assert changes_of(done.directory, first, port)["/"].change == "changed"


def test_a_crawl_that_requests_its_pages_again(crawled: tuple[Path, int], tmp_path: Path) -> None:
    first, port = crawled
    last = max(row.time for row in ttcrawl.open(first).iter_pages())
    with mending(first / "crawl.db") as db:
        db.execute(
            "CREATE TEMP TABLE again AS SELECT id, site, state, reason, 1 AS reached, '' AS rule FROM url"
            " WHERE state IN ('fetched', 'moved')"
        )
        queue_again(db)
        count_again(db)
    waiting = changes_of(first, None, port)
    assert waiting == {}  # the earlier answers are in force until the next ones
    with web_of(SECOND, port):
        done = run("resume", first, "--inline", "--progress", "none")
    assert done.returncode == 0, done.stderr
    assert verified(first) == ""
    judge(changes_of(first, None, port, before=last), port)
    gone = next(path for path, truth in TRUTH.items() if truth.change == "gone")
    with ttcrawl.open(first) as again:
        url = f"http://{HOST}:{port}{gone}"
        assert [answer.status for answer in again.history(url)] == [200, 404]
        assert again.body(url, at=last) == FIRST[gone].body

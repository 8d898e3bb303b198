"""Tunnelling: a URL is followed exactly if some path to it has few enough irrelevant pages in a row, in any order."""

import random
from dataclasses import dataclass

import pytest

from tests.frontier.book import Book, link
from tests.support.web.topic_web import truth
from ttcrawl.vocabulary.reason import TOPIC
from ttcrawl.web.storable import replace


@dataclass
class Web:
    """Page -> whether it is relevant (None: it has no score), and its links."""

    relevant: dict[str, bool | None]
    links: dict[str, list[str]]


def some_web(rng, size=14):
    names = [f"/{n}" for n in range(size)]
    relevant = {name: rng.choice([True, False, False, False, None]) for name in names}
    links = {name: rng.sample(names, rng.randrange(4)) for name in names}
    links["/0"] = rng.sample(names, 3)
    return Web(relevant, links)


def crawled(book, web, rng):
    """Process the queued URLs in any order, some of them with answers that come late."""
    book.ledger.discover([link("/0", 0)], None, 0.0)
    book.open()
    flying = []
    while True:
        while len(flying) < 4 and (queued := book.take()) is not None:
            flying.append((queued, queued.depth))
        if not flying:
            return
        queued, depth = flying.pop(rng.randrange(len(flying)))
        page = queued.url.removeprefix("http://a.test")
        links = [link(target, depth + 1) for target in web.links[page]]
        links = [replace(each, distance=each.distance - (depth - queued.depth)) for each in links]
        book.fetched(queued, *links, relevant=web.relevant[page])
        if depth != queued.depth:
            book.ledger.spread(queued.id)


@pytest.mark.slow
@pytest.mark.parametrize("tunnel", [-1, 0, 1, 2])
@pytest.mark.parametrize("max_depth", [-1, 3])
def test_the_order_of_answers_decides_nothing(tmp_path, tunnel, max_depth):
    rng = random.Random(100 * tunnel + max_depth)
    refused = 0
    for number in range(30):
        web = some_web(rng)
        expected = truth("/0", web.links, web.relevant, {}, tunnel, max_depth)
        refused += any(each[1] == TOPIC for each in expected.values())
        limits = {"max_depth": max_depth, "tunnel": tunnel}
        book = Book(tmp_path / f"{number}.db", hosts=1, urls_per_host=rng.choice([2, 1000]), **limits)
        crawled(book, web, rng)
        book.store.commit()
        found = {}
        for row in book.store.urls.rows_of([1], "fetched", 0, 100):
            found[row.url[13:]] = (row.state, row.reason, row.depth, row.off_topic)
        for row in book.store.urls.rows_of([1], "refused", 0, 100):
            found[row.url[13:]] = (row.state, row.reason, None, None)
        assert found == expected, web
        book.store.abandon()
    assert (refused > 0) == (tunnel >= 0)


def test_a_relevant_page_that_comes_late_reopens_what_was_refused(tmp_path):
    book = Book(tmp_path / "c.db", tunnel=0)
    book.ledger.discover([link("/seed", 0)], None, 0.0)
    book.open()
    book.fetched(book.take(), link("/dull", 1), link("/good", 1), relevant=True)
    dull, good = book.take(), book.take()
    book.fetched(dull, link("/behind", 2), relevant=False)
    assert book.rows()["/behind"] == ["refused", TOPIC, 2]
    book.fetched(good, link("/behind", 2), relevant=True)
    assert book.rows()["/behind"] == ["queued", "", 2]
    assert book.frontier.queued == 1 and book.take().off_topic == 0
    book.store.abandon()


def test_redirects_and_pages_without_a_score_hand_the_count_on(tmp_path):
    book = Book(tmp_path / "c.db", tunnel=1)
    book.ledger.discover([link("/seed", 0)], None, 0.0)
    book.open()
    book.fetched(book.take(), link("/file", 1), relevant=False)
    book.fetched(book.take(), link("/dull", 2), relevant=None)
    dull = book.take()
    assert dull.off_topic == 1
    book.fetched(dull, link("/behind", 3), relevant=False)
    assert book.rows()["/behind"] == ["refused", TOPIC, 3]
    book.store.abandon()

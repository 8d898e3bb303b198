"""Which visits are handed to the frontier, of more than are looked at together."""

import pytest
from msgspec.structs import replace

from tests.frontier.book import Book
from tests.recrawl.visits import NEVER
from ttcrawl.config import Config
from ttcrawl.engine.recrawl.recrawls import LOOK, MOST_OF_HOST, Recrawl, Recrawls
from ttcrawl.engine.shared import Shared
from ttcrawl.store.rows import NewUrl
from ttcrawl.vocabulary.state import FAILED

#: One host has twice as many visits as may be in memory; those of the others fill two looks and a part of a third.
HOSTS = ["many.test"] * (2 * MOST_OF_HOST) + [f"h{n // MOST_OF_HOST}.test" for n in range(2 * LOOK)]


@pytest.fixture
def book(tmp_path):
    book = Book(tmp_path / "crawl.db", hosts=len(HOSTS))
    for n, host in enumerate(HOSTS, 1):
        book.store.urls.add([NewUrl(n, n, f"http://{host}/{n}", book.ledger.site_of(host), FAILED, 0.0)])
        book.store.recrawls.save(replace(NEVER, url=n, next=n / len(HOSTS)))
    yield book
    book.store.abandon()


def test_what_had_no_room_is_taken_although_later_looks_had_room_for_all(book):
    now = [100.0]
    config = Config().changed({"revisit.policy": "fixed"})
    parts = {"store": book.store, "ledger": book.ledger, "frontier": book.frontier, "seen": None, "counters": None}
    shared = Shared(config=config, clock=lambda: now[0], **parts)
    recrawls = Recrawls(shared, None, None, Recrawl(wall=lambda: now[0], once=True))
    for _ in range(3):
        recrawls.look()
        now[0] = recrawls.next_look
    assert now[0] < 110  # more are due: it is not the moment of the next visit
    active = [recrawls.visits(n) for n in range(1, len(HOSTS) + 1)]
    assert active == [not MOST_OF_HOST < n <= 2 * MOST_OF_HOST for n in range(1, len(HOSTS) + 1)]
    book.frontier.hosts["many.test"].queue.visits.clear()  # they are in flight
    recrawls.look()
    assert all(recrawls.visits(n) for n in range(1, len(HOSTS) + 1)) and not recrawls.over

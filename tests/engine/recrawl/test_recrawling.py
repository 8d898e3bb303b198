"""Visits of a crawl with browsers: they wait for pages that are read again."""

from types import SimpleNamespace

from tests.frontier.book import Book
from ttcrawl.config import Config
from ttcrawl.engine.recrawl.recrawling import Recrawling
from ttcrawl.engine.recrawl.recrawls import Recrawl
from ttcrawl.engine.shared import Shared


def test_the_main_loop_does_not_wake_up_for_visits_that_wait(tmp_path):
    """It would find nothing to do, and wake up again at once."""
    book, config = Book(tmp_path / "crawl.db"), Config().changed({"browser.use": "auto", "revisit.policy": "fixed"})
    parts = {"store": book.store, "ledger": book.ledger, "frontier": book.frontier, "seen": None, "counters": None}
    shared = Shared(config=config, clock=lambda: 100.0, **parts)
    recrawling = Recrawling(shared, None, None, Recrawl(wall=lambda: 100.0), None)
    assert recrawling.pending() and recrawling.wakes() == float("inf")
    recrawling.turn(SimpleNamespace(stopped_by=""))  # no page has to be read again
    assert 100 < recrawling.wakes() < float("inf")
    book.store.abandon()

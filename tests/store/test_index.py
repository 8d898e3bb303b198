"""Whatever is met, settled, nearer, queued again, committed, rolled back or killed: both orders are those of `url`."""

import random
import sqlite3

import pytest

from ttcrawl.inspect.verify.tables import INDEXES
from ttcrawl.store import index
from ttcrawl.store.buckets import USUAL, Sizes
from ttcrawl.store.database import connect
from ttcrawl.store.rows import NewUrl
from ttcrawl.store.sqlite import Store

SITES, FIRST = 7, 9


class Book:
    """A store and what is done to it, at random."""

    def __init__(self, path, rng, sizes=USUAL):
        self.path, self.rng, self.sizes = path, rng, sizes
        self.open(create=True)
        for number in range(SITES):
            self.store.sites.add(f"h{number}.test", "test")
        self.store.commit()

    def open(self, create=False):
        self.db = connect(self.path)  # what is not committed is looked at too
        self.store = Store(self.path, create=create, sizes=self.sizes, db=self.db)

    def some(self, state):
        rows = self.all("SELECT id FROM url WHERE state = ? ORDER BY random() LIMIT 1", state)
        return self.store.urls.row(rows[0][0]) if rows else None

    def all(self, query, *values):
        self.store.flush()
        return self.db.execute(query, values).fetchall()

    def meet(self):
        last, rows = self.store.urls.last_id(), []
        for number in range(last + 1, last + 1 + self.rng.randrange(1, 12)):
            state, site = self.rng.choice(("queued", "queued", "refused")), self.rng.randrange(1, SITES + 1)
            key, priority = self.rng.getrandbits(64) - (1 << 63), self.rng.randrange(3)
            url = f"http://h{site}.test/{number}"
            rows.append(NewUrl(number, key, url, site, state, 0.0, priority=priority))
        self.store.urls.add(rows)

    def settle(self):
        if row := self.some("queued"):
            self.store.urls.settle(row.id, "fetched", "http 200", None, 1.0, 1)

    def shorten(self):
        if row := self.some(self.rng.choice(("queued", "refused", "fetched"))):
            self.store.urls.shorten(row, row.path, self.rng.randrange(3))

    def requeue(self):
        if row := self.some("refused"):
            self.store.urls.requeue(row.id, row.path, self.rng.randrange(3))

    def commit(self):
        self.store.commit()

    def rollback(self):
        self.store.rollback()

    def kill(self):
        self.store.abandon()
        self.open()

    def stop(self):
        self.store.close()
        with sqlite3.connect(self.path) as db:
            assert (
                db.execute("SELECT key, id FROM by_key").fetchall()
                == db.execute("SELECT key, id FROM url ORDER BY key").fetchall()
            )
            assert (
                db.execute("SELECT count(*) FROM queue").fetchone()
                == db.execute("SELECT count(*) FROM url WHERE state = 'queued'").fetchone()
            )
        db.close()
        self.open()

    def check(self):
        for site in range(1, SITES + 1):
            wanted = "SELECT id FROM url WHERE site = ? AND state = 'queued' ORDER BY priority, id LIMIT ?"
            assert [(row.id,) for row in self.store.urls.queued(site, FIRST)] == self.all(wanted, site, FIRST)
        for key, number in self.all("SELECT key, id FROM url ORDER BY random() LIMIT 20"):
            found = self.store.urls.find(key)
            assert found is not None and found.id == number
        assert self.store.urls.find(12345) is None
        wanted = self.all("SELECT DISTINCT site FROM url WHERE state = 'queued' AND site > 2 ORDER BY 1 LIMIT 3")
        assert [(site,) for site, _ in self.store.sites.with_queue(2, 3)] == wanted


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_the_orders_are_those_of_the_ledger(tmp_path, seed):
    rng = random.Random(seed)
    book = Book(tmp_path / "crawl.db", rng, Sizes(new_urls=60))
    steps = (book.meet, book.settle, book.shorten, book.requeue, book.commit, book.rollback, book.kill, book.stop)
    for step in rng.choices(steps, weights=(30, 30, 8, 5, 20, 2, 3, 1), k=400):
        step()
        book.check()
        if step in (book.commit, book.kill):
            assert [kind for kind, query in INDEXES.items() if book.all(query)] == []
    ((indexed,),) = book.all("SELECT CAST(value AS INTEGER) FROM crawl WHERE name = 'indexed'")
    assert indexed > 100


def test_what_is_settled_soon_never_reaches_the_disk(tmp_path):
    """A breadth-first crawl of a small site writes no queue at all."""
    book = Book(tmp_path / "crawl.db", random.Random(1))
    book.meet()
    while book.some("queued"):
        book.settle()
    book.commit()
    assert book.all("SELECT count(*) FROM queue") == [(0,)]


def test_it_can_be_made_anew(tmp_path):
    book = Book(tmp_path / "crawl.db", random.Random(2))
    for _ in range(20):
        book.meet()
    book.stop()
    for table in ("by_key", "queue"):
        book.db.execute(f"DELETE FROM {table} WHERE id % 2")
    assert len([kind for kind, query in INDEXES.items() if book.all(query)]) == 2
    index.rebuild(book.db)
    assert [kind for kind, query in INDEXES.items() if book.all(query)] == []
    book.check()

"""Whatever is added, replaced, swept, committed, rolled back or killed: each bucket has its first page."""

import random
import sqlite3

import pytest

from ttcrawl.store import filters
from ttcrawl.store.bits import new_bits
from ttcrawl.store.buckets import Sizes
from ttcrawl.store.sqlite import Store

pytestmark = pytest.mark.usefixtures("reader")

#: At which all happens in a few hundred steps.
SMALL = Sizes(new_pages=20, copied=9, filters=(1 << 7, 1 << 9, 1 << 11))

KEYS = [random.Random(1).getrandbits(64) - (1 << 63) for _ in range(300)]


class Book:
    """Pages by number, each in some buckets; the first of a bucket is the one with the smallest name."""

    def __init__(self, path, rng):
        self.path, self.rng = path, rng
        self.store = Store(path, create=True, sizes=SMALL)
        self.store.commit()
        self.pages: list[tuple[float, list[int]]] = []
        self.committed = 0
        self.store.buckets.open()

    def add(self):
        self.pages.append((self.rng.random(), self.rng.sample(KEYS, 4)))
        self.enter(len(self.pages))

    def enter(self, page):
        name, keys = self.pages[page - 1]
        found = self.store.buckets.first(keys)
        self.store.buckets.add([key for key in keys if key not in found], page)
        self.store.buckets.replace([key for key, n in found.items() if self.pages[n - 1][0] > name], page)

    def commit(self):
        self.store.commit()
        self.committed = len(self.pages)

    def rollback(self):
        self.store.rollback()
        self.again()

    def kill(self):
        self.store.abandon()
        self.store = Store(self.path, sizes=SMALL)
        self.again()

    def stop(self):
        self.store.close()
        with sqlite3.connect(self.path) as db:
            assert dict(db.execute("SELECT key, n FROM bucket")) == self.firsts()
        db.close()
        self.committed = len(self.pages)
        self.store = Store(self.path, sizes=SMALL)
        self.again()

    def again(self):
        del self.pages[self.committed :]
        complete = self.store.buckets.open()
        for page in range(complete + 1, len(self.pages) + 1):
            self.enter(page)

    def firsts(self):
        return {
            key: min((name, n) for n, (name, keys) in enumerate(self.pages, 1) if key in keys)[1]
            for key in {key for _, keys in self.pages for key in keys}
        }


@pytest.mark.parametrize(
    ("seed", "steps"), [(0, 80), *(pytest.param(seed, 300, marks=pytest.mark.slow) for seed in range(6))]
)
def test_each_bucket_has_its_first_page(tmp_path, seed, steps):
    book = Book(tmp_path / "crawl.db", random.Random(seed))
    kinds = (book.add, book.commit, book.rollback, book.kill, book.stop)
    for step in book.rng.choices(kinds, weights=(60, 20, 2, 2, 1), k=steps):
        step()
        assert book.store.buckets.first(KEYS) == book.firsts()


def test_bits_know_what_they_have_and_seldom_more():
    rng = random.Random(2)
    there, elsewhere = ([rng.getrandbits(64) - (1 << 63) for _ in range(1000)] for _ in range(2))
    bits = new_bits(1 << 14)
    bits.add(there)
    assert bits.perhaps(there) == there
    assert len(bits.perhaps(elsewhere)) < 100


@pytest.mark.slow
def test_a_filter_that_grows_reads_a_few_keys_with_each_commit(tmp_path, monkeypatch):
    """Until it has all of them the small one serves; what is not crowded is not so afterwards."""
    rng, read, crowded, page = random.Random(3), [], [], 0
    sizes = Sizes(new_pages=40, copied=50, filters=(1 << 13, 1 << 20))
    store = Store(tmp_path / "crawl.db", create=True, sizes=sizes)
    copy, grown, ended = filters.Filters.copy, filters.Filters.grown, []

    def copied(self, keys):
        read.append(len(keys))
        copy(self, keys)

    monkeypatch.setattr(filters.Filters, "copy", copied)
    monkeypatch.setattr(filters.Filters, "grown", lambda self: (grown(self), ended.append(True)))
    store.buckets.open()
    known, steps = [], []
    while not ended:
        for _ in range(3):
            page += 1
            keys = [rng.getrandbits(64) - (1 << 63) for _ in range(5)]
            store.buckets.add(keys, page)
            known += keys
        store.buckets.crowd(known[-2:])
        crowded += known[-2:]
        before = len(read)
        store.commit()
        steps.append(sum(read[before:]))
        assert store.buckets.first(known).keys() == set(known)
    # besides those that it copies a step moves some of the keys of a round
    assert sum(map(bool, steps)) > 15 and max(steps) <= 2 * 50 + 40 * 5 and sum(steps) >= 1000
    assert store.buckets.crowded(crowded) == crowded
    assert len(store.buckets.crowded(known)) < len(known) / 3
    store.close()

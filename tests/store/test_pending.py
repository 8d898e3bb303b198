"""Rows that wait in memory: every look-up answers as if each had been written at once."""

import random
from contextlib import closing

import pytest

from ttcrawl.store.batches import UnstorableError
from ttcrawl.store.database import connect
from ttcrawl.store.rows import NewUrl, UrlPath
from ttcrawl.store.sqlite import Store

SITES = 3


class Twin:
    """A store that writes at the end of a batch, and one that writes after each step."""

    def __init__(self, directory, rng):
        self.rng, self.last, self.stores = rng, 0, []
        for name in ("waiting", "written"):
            (directory / name).mkdir()
            self.stores.append(Store(directory / name / "crawl.db", create=True))
        for number in range(SITES):
            self.both(lambda store, number=number: store.sites.add(f"h{number}.test", "test"))
        self.discover()

    def both(self, step):
        for store in self.stores:
            step(store)
        self.stores[1].flush()

    def some(self):
        return self.rng.randrange(1, self.last + 1)

    def discover(self):
        source = self.some() if self.last else None
        rows = []
        for number in range(self.last + 1, self.last + 1 + self.rng.randrange(1, 6)):
            state, site = self.rng.choice(("queued", "queued", "refused")), self.rng.randrange(1, SITES + 1)
            url, depth = f"http://h{site}.test/{number}", self.rng.choice((None, 1, 2))
            place = {"depth": depth, "rank": self.rng.randrange(3), "priority": self.rng.randrange(3)}
            rows.append(NewUrl(number, -number, url, site, state, 0.0, found_on=source, **place))
            self.last = number
        self.both(lambda store: store.urls.add(rows))

    def settle(self):
        url, state = self.some(), self.rng.choice(("fetched", "moved", "failed", "refused"))
        if self.stores[1].urls.row(url).state == "queued":
            attempts = self.rng.randrange(5)
            self.both(lambda store: store.urls.settle(url, state, "because", None, 1.0, attempts))

    def put_off(self):
        url, attempts = self.some(), self.rng.randrange(5)
        self.both(lambda store: store.urls.put_off(url, attempts, 7.0))

    def shorten(self):
        url, priority, path = self.some(), self.rng.randrange(3), UrlPath(self.rng.randrange(3), 1, 0, 0, 0)
        self.both(lambda store: store.urls.shorten(store.urls.row(url), path, priority))

    def requeue(self):
        url, priority = self.some(), self.rng.randrange(3)
        if self.stores[1].urls.row(url).state == "refused":
            self.both(lambda store: store.urls.requeue(url, UrlPath(1, 0, 0, 0, 0), priority))

    def demote(self):
        row = self.stores[1].urls.row(self.some())
        if row.state == "queued" and not row.demoted:
            self.both(lambda store: store.urls.demote(row.id, row.priority + 9))

    def commit(self):
        self.both(lambda store: store.commit())

    def same(self, question):
        one, other = map(question, self.stores)
        assert one == other
        return one


@pytest.mark.parametrize("seed", range(6))
def test_every_answer_is_the_same(tmp_path, seed):
    rng = random.Random(seed)
    twin = Twin(tmp_path, rng)
    steps = (twin.discover, twin.settle, twin.put_off, twin.shorten, twin.requeue, twin.demote, twin.commit)
    for step in rng.choices(steps, weights=(30, 30, 3, 20, 3, 3, 2), k=400):
        step()
        number = twin.some()
        assert twin.same(lambda store, number=number: store.urls.row(number)).id == number
        assert twin.same(lambda store, number=number: store.urls.find(-number)).id == number
        assert twin.same(lambda store: store.urls.find(12345)) is None
        if rng.random() < 0.05:  # these write what waits
            site, after = rng.randrange(1, SITES + 1), rng.randrange(SITES)
            twin.same(lambda store, site=site: store.urls.queued(site, 9))
            twin.same(lambda store, after=after: store.sites.with_queue(after, 2))
            twin.same(lambda store, site=site: store.urls.rows_of([site], "fetched", 0, 9))
            assert twin.same(lambda store: store.urls.last_id()) == twin.last
    for store in twin.stores:
        store.close()
    dumps = []
    for name in ("waiting", "written"):
        with closing(connect(tmp_path / name / "crawl.db")) as db:
            dumps.append([db.execute(f"SELECT * FROM {table}").fetchall() for table in ("url", "by_key", "queue")])
    assert dumps[0] == dumps[1] and dumps[0][0]


def test_a_rollback_forgets_what_waits(tmp_path):
    twin = Twin(tmp_path, random.Random(1))
    twin.commit()
    last = twin.last
    twin.discover()
    for store in twin.stores:
        store.rollback()
    assert twin.same(lambda store: store.urls.last_id()) == last
    assert twin.same(lambda store: store.urls.find(-last - 1)) is None


def test_the_page_with_a_url_that_is_refused_is_named(tmp_path):
    path = tmp_path / "crawl.db"
    with closing(connect(path)) as db, closing(Store(path, create=True, db=db)) as store:
        site = store.sites.add("a.test", "test")
        store.urls.add([NewUrl(1, 1, "http://a.test/page", site, "queued", 0.0)])
        store.urls.add([NewUrl(2, 2, "http://a.test/link", site, "no state", 0.0, found_on=1)])
        with pytest.raises(UnstorableError) as raised:
            store.flush()
        assert raised.value.urls == {"http://a.test/page": "IntegrityError"}
        store.rollback()

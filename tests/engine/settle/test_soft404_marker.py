"""Soft 404s are judged in stretches: a kill loses one of them, and changes no mark."""

import contextlib
import random
import sqlite3
from collections import Counter
from itertools import pairwise

import pytest
from isal import isal_zlib

from ttcrawl import config
from ttcrawl.engine.settle import Soft404Marker
from ttcrawl.read.fingerprints import soft404
from ttcrawl.store.sqlite import Store
from ttcrawl.web.url import key

GONE = "Oh dear we looked everywhere and found nothing at {} in this house please try the search or go home now"
WORDS = "amber bridge candle daisy ember forest garden harbour island jungle kettle lantern meadow needle orchid"
PAGES, STRETCH, COMMIT = 700, 10, 50

#: Host -> share of its texts that say what it says where nothing is; share of its answers that are redirects, and of
#: these those that lead where it leads then; what it is.
HOSTS = {
    "texts.test": (0.2, 0.1, 0.0, "soft"),
    "home.test": (0.0, 0.3, 0.5, "soft"),
    "both.test": (0.2, 0.3, 0.5, "soft"),
    "app.test": (0.9, 0.1, 0.0, "all alike"),
    "door.test": (0.0, 0.9, 0.9, "all alike"),
    "half.test": (0.9, 0.2, 0.9, "soft"),  # its texts tell nothing
    "honest.test": (0.0, 0.2, 0.0, "honest"),
}
URL = "INSERT INTO url (id, key, url, site, state, reason, priority, discovered) VALUES (?, ?, ?, ?, ?, '', 0, 0)"
PAGE = (
    "INSERT INTO page VALUES (?, 0, ?, 'text/html', '', '', '', '', 1, '', ?, '', '', '', '', '', '', '',"
    " 0, 0, 0, 0, 0, '', '', 0, 0, NULL, NULL, NULL)"
)


class KilledError(Exception):
    pass


def fill(path):
    rng, hosts = random.Random(1), [*HOSTS]
    with contextlib.closing(Store(path, create=True)) as store:
        probe(store)
    with contextlib.closing(sqlite3.connect(path)) as db, db:
        fetch(db, rng, hosts)


def probe(store):
    for site, host in enumerate(HOSTS, 1):
        store.sites.add(host, host)
        texts, _, home, _ = HOSTS[host]
        answers = [answer(host, texts=n < 2 and texts > 0, moved=n >= 2 and home > 0, probe=n) for n in range(4)]
        for url, said in answers:
            store.soft_404s.update(store.soft_404s.plan(site, url), time=0, **said)


def fetch(db, rng, hosts):
    for number in range(1, PAGES + 1):
        host = rng.choice(hosts)
        texts, redirects, home, _ = HOSTS[host]
        url, moved = f"http://{host}/d/{number}.html", rng.random() < redirects
        lost = rng.random() < (home if moved else texts)
        db.execute(URL, (number, key(url), url, hosts.index(host) + 1, "moved" if moved else "fetched"))
        db.execute(PAGE, (number, 302 if moved else 200, number.to_bytes(16, "big")))
        if moved:
            target = key(f"http://{host}/" if lost else f"http://{host}/{number}")
            db.execute("INSERT INTO outlinks VALUES (?, ?, x'52', x'63', x'', '')", (number, f"[{target}]"))
        else:
            text = (GONE.format(url) if lost else " ".join(rng.choices(WORDS.split(), k=20))).encode()
            packed = isal_zlib.compress(text)
            db.execute("INSERT INTO text VALUES (?, ?, ?, ?, NULL)", (number, len(text), packed, len(text)))


def answer(host, *, texts, moved, probe):
    url = f"http://{host}/{soft404.NAME}{probe:016x}"
    if moved:
        return url, {"status": 302, "location": f"http://{host}/"}
    if not texts:
        return url, {"status": 404}
    said = soft404.content_hashes(GONE.format(url), url, 3)
    size = len(GONE.format(url))
    return url, {"status": 200, "text": said.digest, "shingles": said.shingles, "size": size}


class Book:
    """A crawl whose run has ended, and what is looked at when it is judged."""

    def __init__(self, path):
        self.path, self.looked, self.commits, self.told = path, [], [], []
        fill(path)

    def judge(self, kill_after=None, stretch=STRETCH, commit_after=COMMIT, **settings):
        """All of it, or killed at a commit: whether it came to its end."""
        store = Store(self.path)
        settled, commit, left = store.soft_404s.settled, store.commit, kill_after

        def look(after, count):
            rows = settled(after, count)
            self.looked += [row.id for row in rows]
            return rows

        def committed():
            nonlocal left
            if left == 0:
                raise KilledError
            left = left and left - 1
            self.commits.append(len(self.looked))
            commit()

        store.soft_404s.settled, store.commit = look, committed
        try:
            sizes = {"segment": stretch, "commit": commit_after}
            Soft404Marker(config.Duplicates(**settings), store, lambda *how: self.told.append(how), **sizes).run()
            store.commit()
        except KilledError:
            return False
        finally:
            store.abandon()
        return True

    def query(self, sql):
        with contextlib.closing(sqlite3.connect(self.path)) as db, db:
            return db.execute(sql).fetchall()

    def marks(self):
        return self.query("SELECT * FROM soft_404 ORDER BY url")

    def kinds(self):
        return dict(self.query("SELECT host, soft_404 FROM site"))


@pytest.fixture
def book(tmp_path):
    return Book(tmp_path / "crawl.db")


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    """In one piece."""
    book = Book(tmp_path_factory.mktemp("whole") / "crawl.db")
    assert book.judge(stretch=2 * PAGES, commit_after=2 * PAGES)
    return book


def test_hosts_and_pages_are_judged(reference):
    assert reference.kinds() == {host: kind for host, (*_, kind) in HOSTS.items()}
    of = Counter(
        reference.query(
            "SELECT host, state FROM soft_404 JOIN url ON url.id = soft_404.url JOIN site ON site.id = site"
        )
    )
    texts, moved = ({host for host, state in of if state == each} for each in ("fetched", "moved"))
    assert texts == {"texts.test", "both.test"} and moved == {"home.test", "both.test", "half.test"}
    assert min(of.values()) >= 5


def test_it_is_committed_after_so_many_pages_and_told(book):
    assert book.judge()
    pieces = [later - before for before, later in pairwise([0, *book.commits])]
    assert max(pieces) <= COMMIT + STRETCH and len(pieces) > 8
    assert [done for done, _ in book.told] == sorted({done for done, _ in book.told})
    assert {of for _, of in book.told} == {PAGES}


@pytest.mark.parametrize("lives", [[0], [1], [3], [1, 1, 1, 1], [2, 0, 5], [11], [12]], ids=str)
def test_a_kill_changes_no_mark_and_loses_a_stretch(book, reference, lives):
    for kill_after in lives:
        assert not book.judge(kill_after)
        assert book.kinds()["app.test"] == ""  # of it nothing is known yet
    assert book.judge()
    assert book.marks() == reference.marks() and book.kinds() == reference.kinds()
    assert len(book.looked) <= len(reference.looked) + len(lives) * (COMMIT + STRETCH)


def test_nothing_is_looked_at_when_nothing_came_since(book, reference):
    assert book.judge()
    book.looked.clear()
    assert book.judge()
    assert book.looked == [] and book.marks() == reference.marks() and book.kinds() == reference.kinds()


CHANGES = {
    "a page": "INSERT INTO visit VALUES (NULL, 1, 'x', 'page', 0, 0, 200, '', 0, '', 0, '', 0, 1, NULL, '')",
    "another answer": "UPDATE probe SET digest = x'01' WHERE id = 1",
}


@pytest.mark.parametrize("killed", [False, True])
@pytest.mark.parametrize("change", CHANGES)
def test_all_is_judged_anew_when_something_came(book, reference, change, killed):
    assert book.judge(2 if killed else None) is not killed
    book.query(CHANGES[change])
    book.looked.clear()
    assert book.judge()
    assert book.looked == reference.looked and book.marks() == reference.marks()


def test_all_is_judged_anew_by_other_settings(book, reference):
    assert book.judge(2, verify=0.99) is False
    book.looked.clear()
    assert book.judge()
    assert book.looked == reference.looked and book.marks() == reference.marks()

"""A link to a known URL that changes nothing needs no look-up, and the memory for it changes no row."""

import random
import sqlite3
from contextlib import closing

import pytest

from tests.frontier.book import Book, link
from ttcrawl.frontier.known_paths import KnownPaths
from ttcrawl.ring.messages import NOT_FOLLOWED
from ttcrawl.vocabulary.reason import DUPLICATE, KIND
from ttcrawl.web.storable import replace

REFUSALS = ["", "", "", "scope: host", "nofollow", KIND, DUPLICATE, "trap: urls"]
ENDS = [("fetched", "http 200"), ("moved", "http 301"), ("failed", "timeout: total")]
REFUSED = [("refused", reason) for reason in ("robots.txt", "trap: host", "page requisite: off", "scope: host")]


@pytest.fixture
def looked_up(tmp_path, monkeypatch):
    """Play moves against a new ledger; return its rows, and the keys that were looked up in the tables."""
    made = []

    def play(moves, **options):
        book, keys = Book(tmp_path / f"{len(made)}.db", max_depth=5, **options), []
        made.append(book)
        find = book.store.urls.find
        monkeypatch.setattr(book.store.urls, "find", lambda key: keys.append(key) or find(key))
        book.ledger.discover([link("/", 0)], None, 0.0)
        book.open()
        page = book.take()
        keys.clear()
        for move in moves:
            if isinstance(move, tuple):
                if (queued := book.take()) is not None:
                    book.ledger.settle(book.open(), queued, *move, 1.0)
            else:
                book.ledger.discover(move, page, 1.0)
        book.store.commit()
        columns = "url, state, reason, depth, redirects, rank, sitemap, requisite, priority"
        with closing(sqlite3.connect(book.path)) as db:
            rows = db.execute(f"SELECT {columns} FROM url ORDER BY id").fetchall()
        return (rows, book.frontier.queued, book.ledger.aside, book.ledger.in_scope), keys

    yield play
    for each in made:
        each.store.abandon()


def test_only_what_may_change_a_row_is_looked_up(looked_up):
    out = link("/out", 3, "scope: host")
    quiet = [[link("/x", 3), out], [link("/x", 3)], [link("/x", 4)], [out], [link("/x", 3)]]
    assert looked_up(quiet)[1] == []
    for changed in (link("/x", 2), link("/x", 3, "nofollow"), replace(link("/x", NOT_FOLLOWED), requisite=1)):
        assert looked_up([*quiet, [changed]])[1] == [changed.key]
    refused = ("refused", "page requisite: off")
    assert looked_up([*quiet, refused, [link("/x", 3)]])[1] == [link("/x", 3).key]


def test_urls_with_the_same_key_are_told_apart(looked_up):
    one, other = (link(path, 3, key_of=lambda url: 7) for path in ("/one", "/other"))
    (rows, *_), _ = looked_up([[one], [other], [one, other], [replace(other, distance=2)]])
    assert [(url, depth) for url, _, _, depth, *_ in rows[1:]] == [("http://a.test/one", 3), ("http://a.test/other", 2)]


def test_rows_are_those_of_a_ledger_that_looks_up_all(looked_up, monkeypatch):
    chance = random.Random(7)

    def any_link():
        distance = chance.choice([1, 2, 3, 4, 5, 6, 7, NOT_FOLLOWED])
        each = link(f"/{chance.randrange(8)}", distance, chance.choice(REFUSALS))
        if not chance.randrange(6):
            return replace(each, distance=NOT_FOLLOWED, requisite=chance.choice([1, 2, 11]))
        return replace(each, rank=chance.choice([0, 0, -3]), sitemap=not chance.randrange(12))

    spared = 0
    for _ in range(15):
        moves = [
            chance.choice([*ENDS, *REFUSED]) if not chance.randrange(5) else [any_link() for _ in range(3)]
            for _ in range(40)
        ]
        found, looked = looked_up(moves)
        with monkeypatch.context() as without:
            without.setattr(KnownPaths, "unchanged", lambda *_: False)
            expected, all_keys = looked_up(moves)
        assert found == expected
        spared += len(all_keys) - len(looked)
    assert spared > 0

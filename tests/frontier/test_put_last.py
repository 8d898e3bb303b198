"""A URL that is put last comes when nothing else of its host is queued, however often it is met and after a resume."""

import pytest

from tests.frontier.book import Book, link
from ttcrawl.frontier.priority import DEMOTED


class Demoting(Book):
    """Puts the URLs with the paths `last` last, when they are due for the first time."""

    def __init__(self, path, bound=1000):
        super().__init__(path, hosts=1, urls_per_host=bound)
        self.last = set()
        self.open()

    def take(self):
        while (turn := self.frontier.take(0.0)) is not None:
            queued = turn.queued
            if queued.url.removeprefix("http://a.test") not in self.last or queued.demoted:
                self.frontier.release(turn, 0.0)
                return queued
            queued.priority += DEMOTED
            queued.demoted = True
            self.store.urls.demote(queued.id, queued.priority)
            self.frontier.put_back(turn)
        return None


@pytest.fixture
def book(tmp_path):
    made = Demoting(tmp_path / "crawl.db")
    yield made
    made.store.abandon()


def taken(book):
    """Paths in the order in which their turns come."""
    paths = []
    while (queued := book.take()) is not None:
        paths.append(queued.url.removeprefix("http://a.test"))
        book.fetched(queued)
    return paths


def test_the_last_come_last_and_in_order(book):
    book.last = {"/a", "/c", "/deep"}
    book.ledger.discover([link("/deep", 9), *(link(f"/{each}", 1) for each in "abcd")], None, 0.0)
    assert taken(book) == ["/b", "/d", "/a", "/c", "/deep"]
    assert book.frontier.queued == 0


@pytest.mark.slow
def test_many_more_than_are_in_memory(tmp_path):
    book = Demoting(tmp_path / "crawl.db", bound=8)
    book.last = {f"/{n}" for n in range(0, 60, 2)}
    book.ledger.discover([link(f"/{n}", 1) for n in range(60)], None, 0.0)
    assert taken(book) == [f"/{n}" for n in (*range(1, 60, 2), *range(0, 60, 2))]


def test_what_is_met_meanwhile_comes_before_it(book):
    book.last = {"/a"}
    book.ledger.discover([link("/a", 1), link("/b", 1)], None, 0.0)
    assert book.take().url == "http://a.test/b"
    book.ledger.discover([link("/far", 50)], None, 0.0)
    assert [queued.url[13:] for queued in (book.take(), book.take())] == ["/far", "/a"]


def test_a_shorter_way_changes_its_depth_alone(book):
    book.last = {"/a"}
    book.ledger.discover([link("/a", 5), link("/b", 5), link("/c", 6)], None, 0.0)
    assert book.take().url == "http://a.test/b"
    book.ledger.discover([link("/a", 1)], None, 0.0)
    assert book.rows()["/a"] == ["queued", "", 1]
    assert [queued.url[13:] for queued in (book.take(), book.take())] == ["/c", "/a"]
    (row,) = (row for row in book.store.urls.queued(1, 10) if row.url.endswith("/a"))
    assert row.demoted and row.priority == DEMOTED + 1024

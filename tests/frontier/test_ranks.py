"""What sitemaps say of a URL, met in any order among its links."""

from itertools import permutations

import pytest

from tests.frontier.book import Book
from tests.support.crawls.any_messages import sample
from ttcrawl.frontier.priority import RANKS, WORST
from ttcrawl.ring.messages import NOT_FOLLOWED, Link, Moved
from ttcrawl.vocabulary.reason import KIND, SCOPE_EXTENSION
from ttcrawl.web.storable import replace
from ttcrawl.web.url import key

X = "http://a.test/x"


def way(distance, rank=0, *, refused="", sitemap=False):
    return Link(url=X, key=key(X), host="a.test", distance=distance, refused=refused, rank=rank, sitemap=sitemap)


#: Ways to one URL, and its row in the end: state, reason, depth, rank.
WAYS = [
    ([way(1, -300), way(1)], ("queued", "", 1, -300)),
    ([way(1, 300), way(1)], ("queued", "", 1, 0)),
    ([way(1, 300), way(3)], ("queued", "", 1, 0)),
    ([way(1, 300), way(NOT_FOLLOWED, refused=KIND)], ("queued", "", 1, 300)),
    ([way(1, 300), way(NOT_FOLLOWED, refused="nofollow"), way(2, -5)], ("queued", "", 1, -5)),
    ([way(1, 300), way(1, 200), way(NOT_FOLLOWED)], ("queued", "", 1, 200)),
    ([way(9, -100), way(1, 50)], ("queued", "", 1, -100)),
    ([way(9, -100), way(8)], ("refused", "depth", 8, -100)),
    ([way(0, sitemap=True), way(3, refused=SCOPE_EXTENSION)], ("queued", "", 0, 0)),
    ([way(0, sitemap=True), way(NOT_FOLLOWED, refused=KIND), way(3, refused=SCOPE_EXTENSION)], ("queued", "", 0, 0)),
    ([way(0, sitemap=True), way(1, -400, refused=SCOPE_EXTENSION)], ("queued", "", 0, -400)),
]


@pytest.mark.parametrize(("ways", "expected"), WAYS)
def test_the_best_way_counts_whatever_the_order(tmp_path, ways, expected):
    state, reason, depth, rank = expected
    for number, order in enumerate(permutations(ways)):
        book = Book(tmp_path / f"{number}.db", max_depth=5)
        book.open()
        for each in order:
            book.ledger.discover([each], None, 1.0)
        row = book.store.urls.find(key(X))
        assert (row.state, row.reason, row.depth, row.priority) == (state, reason, depth, depth * RANKS + rank), order
        assert row.sitemap == any(each.sitemap for each in ways)
        taken = book.take()
        assert (taken is None) == (state == "refused")
        assert taken is None or (taken.depth, taken.priority, taken.sitemap) == (depth, row.priority, row.sitemap > 0)
        book.store.abandon()


def plain(number, distance=1, rank=0):
    url = f"http://a.test/{number}"
    return Link(url=url, key=key(url), host="a.test", distance=distance, refused="", rank=rank)


@pytest.mark.parametrize("bound", [4, 100])
def test_what_waits_is_moved_forward_in_memory_and_behind_the_horizon(tmp_path, bound):
    """Three hundred URLs wait; a sitemap prefers every tenth, one of them is under way and one was put off."""
    book = Book(tmp_path / "crawl.db", hosts=1, urls_per_host=bound)
    host = book.open()
    book.ledger.discover([plain(number) for number in range(300)], None, 1.0)
    flying, later = book.take(), book.take()
    book.store.urls.put_off(later.id, 1, 5.0)
    book.frontier.put_off(host, later, 5.0)
    book.ledger.discover([plain(number, rank=-10 - number) for number in range(0, 300, 10)], None, 1.0)
    book.ledger.discover([plain(1, rank=-400)], None, 1.0)
    order = []
    while (queued := book.take()) is not None:
        order.append(int(queued.url.rpartition("/")[2]))
        book.ledger.settle(host, queued, "fetched", "http 200", 2.0)
    preferred = list(range(290, 0, -10))
    assert flying.url.endswith("/0") and later.url.endswith("/1") and later.priority == RANKS - 400
    assert order == preferred + [number for number in range(2, 300) if number % 10]


def test_links_that_are_not_followed_have_the_worst_rank(tmp_path):
    book = Book(tmp_path / "crawl.db")
    book.ledger.discover([way(NOT_FOLLOWED)], None, 1.0)
    assert book.store.urls.find(key(X)).priority == WORST


def test_what_a_settled_sitemap_redirects_to_becomes_one_too(tmp_path):
    """Met as a link and read, then named by a robots.txt: its target, refused for its extension, is asked for."""
    book = Book(tmp_path / "crawl.db")
    host = book.open()
    book.ledger.discover([way(2)], None, 1.0)
    queued = book.take()
    target = replace(way(2, refused=SCOPE_EXTENSION), url=f"{X}.gz", key=key(f"{X}.gz"))
    book.ledger.settle(host, queued, "moved", "http 301", 1.0)
    book.store.answers.add(queued.id, 1.0, 301, sample(Moved, target=target))
    book.ledger.discover([target], queued, 1.0, redirects=1)
    assert book.rows()["/x.gz"] == ["refused", SCOPE_EXTENSION, 2]
    book.ledger.discover([way(0, sitemap=True)], None, 1.0)
    row = book.store.urls.find(target.key)
    assert (row.state, row.depth, row.redirects, row.sitemap) == ("queued", 0, 1, 2)


def test_a_sitemap_in_an_index_costs_a_hop(tmp_path):
    book = Book(tmp_path / "crawl.db", max_redirects=2)
    host = book.open()
    book.ledger.discover([way(0, sitemap=True)], None, 1.0)
    for number in range(3):
        queued = book.take()
        book.ledger.settle(host, queued, "fetched", "http 200", 1.0)
        url = f"{X}/{number}"
        book.ledger.discover([replace(way(0, sitemap=True), url=url, key=key(url))], queued, 1.0)
    assert list(book.rows().values()) == [*[["fetched", "http 200", 0]] * 3, ["refused", "redirects", 0]]

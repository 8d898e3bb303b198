"""One row, one state, one reason; and the shortest way wins however the answers are timed."""

import random
from itertools import permutations

import pytest

from tests.frontier.book import Book, link
from ttcrawl.config import Seen as SeenSettings
from ttcrawl.ring.messages import NOT_FOLLOWED, Link
from ttcrawl.store.rows import UrlPath
from ttcrawl.vocabulary.reason import DUPLICATE, KIND
from ttcrawl.web.storable import replace
from ttcrawl.web.url import key


@pytest.fixture
def book(tmp_path):
    made = []

    def make(**options):
        made.append(Book(tmp_path / f"{len(made)}.db", **options))
        return made[-1]

    yield make
    for each in made:
        each.store.abandon()


def assert_row_in_any_order(book, links, row, **options):
    """In whichever order links to one URL are discovered, it has this state, reason, depth and number of requisites."""
    for order in permutations(links):
        one = book(max_depth=5, **options)
        for each in order:
            one.ledger.discover([each], None, 0.0)
        one.store.commit()
        found = one.store.urls.find(links[0].key)
        assert [found.state, found.reason, found.depth, found.requisite] == row, order
        assert one.frontier.queued == (row[0] == "queued")


def test_a_url_is_met_once(book):
    book = book()
    book.ledger.discover([link("/", 0)], None, 0.0)
    book.ledger.discover([link("/", 0), link("/b", 1)], None, 0.0)
    assert book.rows() == {"/": ["queued", "", 0], "/b": ["queued", "", 1]}
    assert book.frontier.queued == 2


def test_urls_that_were_found_on_no_page_are_written_at_once_but_not_those_of_other_rings(book, monkeypatch):
    """An error must be one of the message that named them, while it is processed. Of other rings thousands come."""
    book, written = book(), []
    monkeypatch.setattr(book.store.urls, "flush", lambda: written.append(book.ledger.last_id))
    for n in range(3):
        book.ledger.receive(link(f"/{n}", 1), UrlPath(1, 0, 0, 0, 0), 0.0)
    assert written == []
    book.ledger.discover([], None, 0.0)
    book.ledger.discover([link("/sitemap.xml", 0)], None, 0.0)
    assert written == [4] and len(book.rows()) == 4


@pytest.mark.parametrize(
    ("first", "then", "row"),
    [
        (link("/x", 3, "scope: host"), link("/x", 1, "scope: host"), ["refused", "scope: host", 1]),
        (link("/x", NOT_FOLLOWED), link("/x", NOT_FOLLOWED), ["refused", "outside content", None]),
        (link("/x", NOT_FOLLOWED), link("/x", 2), ["queued", "", 2]),
        (link("/x", NOT_FOLLOWED), link("/x", 7), ["refused", "outside content", 7]),
        (link("/x", NOT_FOLLOWED, "nofollow"), link("/x", NOT_FOLLOWED), ["refused", "nofollow", None]),
        (link("/x", NOT_FOLLOWED), link("/x", NOT_FOLLOWED, "nofollow"), ["refused", "outside content", None]),
        (link("/x", NOT_FOLLOWED, "nofollow"), link("/x", 2), ["queued", "", 2]),
        (link("/x", NOT_FOLLOWED, DUPLICATE), link("/x", 2), ["queued", "", 2]),
        (link("/x", 2), link("/x", NOT_FOLLOWED, DUPLICATE), ["queued", "", 2]),
        (link("/x", NOT_FOLLOWED, KIND), link("/x", NOT_FOLLOWED, DUPLICATE), ["refused", DUPLICATE, None]),
        (link("/x", NOT_FOLLOWED, "nofollow"), link("/x", 7), ["refused", "nofollow", 7]),
        (link("/x", 2), link("/x", NOT_FOLLOWED, "nofollow"), ["queued", "", 2]),
        (link("/x", 7), link("/x", 2), ["queued", "", 2]),
        (link("/x", 7), link("/x", 6), ["refused", "depth", 6]),
        (link("/x", 2), link("/x", NOT_FOLLOWED), ["queued", "", 2]),
        (link("/x", 2), link("/x", 1), ["queued", "", 1]),
        (link("/x", 1), link("/x", 2), ["queued", "", 1]),
    ],
)
@pytest.mark.parametrize("same_page", [True, False])
def test_met_again_on_another_way(book, first, then, row, same_page):
    book = book(max_depth=5)
    if same_page:
        book.ledger.discover([first, then], None, 0.0)
    else:
        book.ledger.discover([first], None, 0.0)
        book.ledger.discover([then], None, 0.0)
    assert book.rows() == {"/x": row}
    assert book.frontier.queued == (row[0] == "queued")


def required(steps, refused=""):
    return replace(link("/x", NOT_FOLLOWED, refused), requisite=steps)


@pytest.mark.parametrize(
    ("links", "row"),
    [
        ([required(3), required(2)], ["queued", "", None, 2]),
        ([required(1), link("/x", 3, "scope: host")], ["queued", "", None, 1]),
        ([required(1), link("/x", 3, "scope: host"), link("/x", NOT_FOLLOWED, KIND)], ["queued", "", None, 1]),
        ([required(2), link("/x", 7), link("/x", NOT_FOLLOWED)], ["queued", "", None, 2]),
        ([required(2), link("/x", 7), link("/x", 4), link("/x", 3)], ["queued", "", 3, 2]),
        ([required(11), link("/x", NOT_FOLLOWED, KIND)], ["refused", "page requisite: steps", None, 11]),
        ([required(11), link("/x", 7)], ["refused", "depth", 7, 11]),
        ([required(11), required(10), link("/x", 7)], ["queued", "", None, 10]),
        ([required(1, "scope: rule"), link("/x", 2, "scope: rule")], ["refused", "scope: rule", 2, 1]),
        (
            [link("/x", NOT_FOLLOWED, "page requisite"), link("/x", NOT_FOLLOWED, KIND)],
            ["refused", "page requisite", None, 0],
        ),
    ],
)
def test_pages_and_requisites_in_any_order(book, links, row):
    assert_row_in_any_order(book, links, row)


@pytest.mark.parametrize("refused", ["robots.txt", "blocked address"])
def test_a_requisite_that_is_refused_later(book, refused):
    """Only a link that is permitted gives it a depth, as if it had come first."""
    for order in permutations([link("/x", 3, "scope: host"), link("/x", 7)]):
        one = book(max_depth=5)
        one.ledger.discover([required(1)], None, 0.0)
        one.open()
        one.ledger.settle(one.open(), one.take(), "refused", refused, 1.0)
        for each in order:
            one.ledger.discover([each], None, 0.0)
        assert one.rows() == {"/x": ["refused", refused, None]}
        one.ledger.discover([link("/x", 2)], None, 0.0)
        assert one.rows() == {"/x": ["refused", refused, 2]}


def test_too_many_redirects_are_refused_and_a_plain_link_is_not(book):
    book = book(max_redirects=2)
    book.ledger.discover([link("/x", 0)], None, 0.0, redirects=3)
    assert book.rows() == {"/x": ["refused", "redirects", 0]}
    book.ledger.discover([link("/x", 4)], None, 0.0)
    assert book.rows() == {"/x": ["queued", "", 4]}


def test_a_shorter_way_is_passed_on(book):
    """/ -> /1 -> /2 -> /3 -> /4 is met the long way first, then / -> /3 directly: /4 is not too deep any more."""
    book = book(max_depth=3)
    book.open()
    book.ledger.discover([link("/", 0)], None, 0.0)
    start = book.take()
    for depth in range(1, 4):
        book.ledger.discover([link(f"/{depth}", depth)], None, 0.0)
        book.fetched(book.take(), link(f"/{depth + 1}", depth + 1))
    assert book.rows()["/4"] == ["refused", "depth", 4]
    book.fetched(start, link("/1", 1), link("/3", 1))
    rows = book.rows()
    assert rows["/3"] == ["fetched", "http 200", 1] and rows["/4"] == ["queued", "", 2]


def test_a_shorter_way_is_not_passed_on_by_links_that_are_not_followed(book):
    """/ -> /1 -> /2, and /2 links to /a by nofollow and to /b outside the content; then / links to /2 itself."""
    book = book()
    book.open()
    book.ledger.discover([link("/", 0)], None, 0.0)
    start = book.take()
    book.ledger.discover([link("/1", 1)], None, 0.0)
    book.fetched(book.take(), link("/2", 2))
    book.fetched(book.take(), link("/a", NOT_FOLLOWED, "nofollow"), link("/b", NOT_FOLLOWED))
    book.fetched(start, link("/1", 1), link("/2", 1))
    rows = book.rows()
    assert rows["/2"] == ["fetched", "http 200", 1]
    assert (rows["/a"], rows["/b"]) == (["refused", "nofollow", None], ["refused", "outside content", None])


@pytest.mark.slow
def test_one_late_shortcut_into_a_long_chain_is_passed_on_once(book):
    book = book()
    book.open()
    length = 1500
    book.ledger.discover([link("/0", 0)], None, 0.0)
    start = book.take()
    book.ledger.discover([link("/1", 1)], None, 0.0)
    for depth in range(1, length):
        # each page links forward to the next two, so that there are many ways to the last
        book.fetched(book.take(), link(f"/{depth + 1}", depth + 1), link(f"/{depth + 2}", depth + 1))
    told = []
    book.store.urls.shorten, shorten = lambda *row: (told.append(row), shorten(*row)), book.store.urls.shorten
    book.fetched(start, link("/1", 1), link("/3", 1), link("/4", 1))
    assert len(told) <= 2 * length
    assert book.rows()[f"/{length}"][2] == (length - 4 + 1) // 2 + 1


@pytest.mark.parametrize("seed", range(10))
def test_depths_do_not_depend_on_the_order_of_answers(book, seed):
    """Pages of a random graph are settled in random order; depth and state end as breadth first would have them."""
    rng = random.Random(seed)
    graph = {n: rng.sample(range(60), 2) for n in range(60)}
    book = book(max_depth=4)
    book.open()
    book.ledger.discover([link("/0", 0)], None, 0.0)
    flying = []
    while True:
        while (queued := book.take()) and len(flying) < 6:
            flying.append((queued, queued.depth))
        if queued:
            flying.append((queued, queued.depth))
        if not flying:
            break
        queued, depth = flying.pop(rng.randrange(len(flying)))
        number = int(queued.url.rpartition("/")[2])
        book.fetched(queued, *(link(f"/{n}", queued.depth + 1) for n in graph[number]))
    depths = {0: 0}
    ring = [0]
    for depth in range(1, 60):
        ring = sorted({n for m in ring for n in graph[m]} - depths.keys())
        depths |= dict.fromkeys(ring, depth)
    for_depth = {True: ["fetched", "http 200"], False: ["refused", "depth"]}
    assert book.rows() == {f"/{n}": [*for_depth[d <= 4], d] for n, d in depths.items() if d <= 5}


def test_urls_that_share_a_hash_are_both_kept(book):
    book = book()
    paths = [f"/{n}" for n in range(20)]
    links = [link(path, 1, key_of=lambda url: 7) for path in paths]
    book.ledger.discover([*links, *links], None, 0.0)
    assert list(book.rows()) == paths and book.frontier.queued == 20


def test_a_url_takes_the_key_of_the_next_link_of_its_page(book):
    book = book()
    links = [
        link("/a", 1, key_of=lambda url: 7),
        link("/b", 1, key_of=lambda url: 7),
        link("/c", 1, key_of=lambda url: 8),
    ]
    book.ledger.discover([*links, *links], None, 0.0)
    assert list(book.rows()) == ["/a", "/b", "/c"] and book.frontier.queued == 3


def test_a_useless_filter_loses_nothing(book):
    book = book(seen=SeenSettings(capacity=1, error_rate=0.5))
    for part in range(0, 1000, 10):
        book.ledger.discover([link(f"/{n}", 1) for n in range(max(0, part - 5), part + 10)], None, 0.0)
    assert len(book.rows()) == 1000 and book.frontier.queued == 1000


def test_a_host_that_comes_into_memory_brings_its_urls(book):
    """As when a robots.txt redirects to a host that waits in the database."""
    book = book(hosts=1)
    book.open()
    other = Link(url="http://b.test/", key=key("http://b.test/"), host="b.test", distance=0, refused="")
    book.ledger.discover([link("/", 0), other], None, 0.0)
    assert list(book.frontier.hosts) == ["a.test"] and book.frontier.queued == 2
    book.open("b.test")
    assert {book.take().url, book.take().url} == {"http://a.test/", "http://b.test/"}


#: Links to one URL in order of meeting, (distance, why it is not followed), and what is said of it in the end.
ASIDE = [
    ([(NOT_FOLLOWED, KIND)], ["refused", "kind", None], 1),
    ([(NOT_FOLLOWED, KIND), (1, "")], ["queued", "", 1], 0),
    ([(1, ""), (NOT_FOLLOWED, KIND)], ["queued", "", 1], 0),
    ([(NOT_FOLLOWED, KIND), (1, "scope: host")], ["refused", "scope: host", 1], 0),
    ([(1, "scope: host"), (NOT_FOLLOWED, KIND)], ["refused", "scope: host", 1], 0),
    ([(NOT_FOLLOWED, KIND), (NOT_FOLLOWED, "nofollow"), (2, "")], ["queued", "", 2], 0),
    ([(NOT_FOLLOWED, "nofollow"), (NOT_FOLLOWED, KIND)], ["refused", "nofollow", None], 0),
    ([(NOT_FOLLOWED, KIND), (9, "")], ["refused", "depth", 9], 0),
    ([(NOT_FOLLOWED, KIND), (9, ""), (3, ""), (NOT_FOLLOWED, KIND)], ["queued", "", 3], 0),
]


@pytest.mark.parametrize(("ways", "expected", "aside"), ASIDE)
def test_what_was_only_recorded_is_decided_by_the_first_link_that_is_followed(tmp_path, ways, expected, aside):
    book = Book(tmp_path / "crawl.db", max_depth=5)
    book.open()
    book.ledger.discover([link("/", 0)], None, 1.0)
    for distance, refused in ways:
        book.ledger.discover([link("/x", distance, refused)], book.take(), 1.0)
    assert book.rows()["/x"] == expected
    assert (book.ledger.aside, book.ledger.distinct) == (aside, 2 - aside)


def test_a_fetched_url_that_comes_earlier_is_told(book):
    book, told = book(), []
    book.ledger.on_nearer = told.append
    book.ledger.discover([link("/a", 3), link("/queued", 3)], None, 0.0)
    book.open()
    a = book.take()
    book.fetched(a, link("/b", 4))
    book.fetched(book.take())
    book.fetched(book.take())
    assert told == []
    book.ledger.discover([link("/a", 3)], None, 0.0)
    assert told == []
    book.ledger.discover([link("/a", 1), link("/queued", NOT_FOLLOWED)], None, 0.0)
    assert told == [1, 3]  # its link is nearer too


WAITING = ["refused", "until recycle"]


@pytest.mark.parametrize(
    ("links", "row"),
    [
        ([link("/x", 5), link("/x", 2)], [*WAITING, 2, 0]),
        ([link("/x", NOT_FOLLOWED, "nofollow"), link("/x", 2)], [*WAITING, 2, 0]),
        ([link("/x", NOT_FOLLOWED, "kind"), link("/x", 2)], [*WAITING, 2, 0]),
        ([link("/x", 9), link("/x", 4)], [*WAITING, 4, 0]),
        ([link("/x", 9)], ["refused", "depth", 9, 0]),
        ([link("/x", 2, "scope: rule")], ["refused", "scope: rule", 2, 0]),
        ([link("/x", 2), link("/x", 0)], ["queued", "", 0, 0]),
        ([required(1), link("/x", 2)], ["queued", "", 2, 1]),
        ([required(1), link("/x", 9)], ["queued", "", None, 1]),
    ],
)
def test_links_that_are_only_recorded_in_any_order(book, links, row):
    assert_row_in_any_order(book, links, row, record=True)


def test_a_shorter_path_brings_recorded_urls_nearer_and_does_not_queue_them(book):
    """/2 is the target of a redirect, far from the seeds, with a new link; then a nearer link to /2 is found."""
    book = book(record=True)
    book.open()
    book.ledger.discover([link("/2", 3)], None, 0.0, redirects=1)
    book.fetched(book.take(), link("/new", 4))
    assert book.rows()["/new"] == [*WAITING, 4]
    book.ledger.discover([link("/2", 1)], None, 0.0)
    assert book.rows() == {"/2": ["fetched", "http 200", 1], "/new": [*WAITING, 2]}
    assert book.frontier.queued == 0


@pytest.mark.parametrize("ranks", [(0, -400), (-400, 0), (0, -400, -400, -800)])
def test_a_sitemap_that_lists_a_url_twice(book, ranks):
    """With another priority each time; before it the host had other URLs, so it is in memory."""
    crawl = book()
    crawl.ledger.discover([link("/", 0)], None, 1.0)
    crawl.open()
    seed = crawl.take()
    crawl.fetched(seed, *(replace(link("/a", 1), rank=rank) for rank in ranks), link("/b", 1))
    taken = [crawl.take(), crawl.take()]
    assert sorted(each.url for each in taken) == ["http://a.test/a", "http://a.test/b"]
    assert crawl.take() is None and crawl.frontier.queued == 2
    for each in taken:
        crawl.ledger.settle(crawl.open(), each, "fetched", "http 200", 1.0)
    assert crawl.take() is None and crawl.frontier.queued == 0

"""What repeats, from what came in which order; without a crawl."""

import random

import pytest

from ttcrawl.config import Duplicates
from ttcrawl.engine.duplicates.repeats import Repeats
from ttcrawl.frontier.host_queue import Queued
from ttcrawl.frontier.recent import Recent
from ttcrawl.store.rows import NewUrl
from ttcrawl.store.sqlite import Store
from ttcrawl.vocabulary.state import QUEUED
from ttcrawl.web.url import key

HOST = "http://a.test"
FEW = Duplicates(repeated="refuse", repeated_pages=4, audit=0)


class Book:
    """Pages that come one after the other; the first to say something is the original of the others."""

    def __init__(self, path, settings=FEW, create=True, **bounds):
        self.store = Store(path, create=create)
        if create:
            self.store.sites.add("a.test", "a.test")
            self.store.sites.add("b.test", "b.test")
        self.repeats = Repeats(self.store, settings, "http://a.test/", **bounds)
        self.first, self.ids = {}, {}

    def came(self, says, *paths):
        for path in paths:
            page = self.ids[path] = len(self.ids) + 1
            self.repeats.saw(page, url(path), self.first.get(says), [])
            self.first.setdefault(says, page)

    def likely(self, path, **values):
        return self.repeats.likely(queued(path, **values))

    def figures(self, host="a.test"):
        self.repeats.before_commit()
        return {text: (each.fetched, each.duplicates) for text, each in self.store.patterns.of(host, 100).items()}


def url(path):
    return path if path.startswith("http") else HOST + path


def queued(path, **values):
    return Queued(**{"id": 99, "url": url(path), "depth": 1, "priority": 1024} | values)


@pytest.fixture
def book(tmp_path):
    made = []

    def make(settings=FEW, name="crawl.db", create=True, **bounds):
        made.append(Book(tmp_path / name, settings, create, **bounds))
        return made[-1]

    yield make
    for each in made:
        each.store.abandon()


def pages(form, numbers):
    return [form.format(n) for n in numbers]


def pairs(book, plain, other, numbers):
    """Each page in both versions."""
    for n in numbers:
        book.came(f"page {n}", plain.format(n), other.format(n))


def sessions(book, places=5, times=5):
    """Each link has a new session; nothing is ever met without one."""
    for n in range(places * times):
        book.came(f"page {n % places}", f"/p{n % places}?sid={n}")


CASES = {
    "print key": (lambda book: pairs(book, "/p{}", "/p{}?print=1", range(5)), "?print", ["/p1?print=2"]),
    "print directory": (lambda book: pairs(book, "/p{}", "/print/p{}", range(5)), "*/print/*", ["/print/p1"]),
    "print at the end": (lambda book: pairs(book, "/p{}", "/p{}/print", range(5)), "*/print", ["/p1/print"]),
    "versions": (lambda book: pairs(book, "/v1/{}", "/v2/{}", range(5)), "*/v#/*", ["/v3/1"]),
    "sessions": (sessions, "?sid", ["/p1?sid=99"]),
    "sessions in the path": (lambda book: pairs(book, "/p{};s=1", "/p{};s=2", range(5)), ";s", ["/p1;s=3"]),
    "calendar": (
        lambda book: book.came("no events", *pages("/cal/2031/{}", range(12))),
        "/cal/#/#",
        ["/cal/2032/1", "/cal/1/1"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_likely(book, name):
    book = book()
    came, text, paths = CASES[name]
    came(book)
    assert [book.likely(path) for path in paths] == [text] * len(paths)
    fetched, duplicates = book.figures()[text]
    assert fetched - (text[0] == "/") == duplicates >= 4  # of a shape the original counts too


@pytest.mark.parametrize(
    "path",
    ["/p9?print=1", "/other?print=1", "/p9", "/print/p9", "/p1?id=1", "http://b.test/p1?print=1"],
)
def test_a_page_of_whose_class_nothing_was_fetched_is_not(book, path):
    book = book()
    pairs(book, "/p{}", "/p{}?print=1", range(9))
    pairs(book, "/p{}", "/print/p{}", range(0))
    assert book.likely("/p1?print=1") == "?print" and book.likely(path) == ""


@pytest.mark.parametrize("values", [{"depth": 0}, {"sitemap": True}, {"attempts": 1}, {"demoted": True}])
def test_what_never_is(book, values):
    book = book()
    pairs(book, "/p{}", "/p{}?print=1", range(9))
    assert book.likely("/p1?print=7") == "?print" and book.likely("/p1?print=7", **values) == ""


def test_a_page_number_is_not_blamed_for_a_sort_order(book):
    """Nearly all pages that have `page` are duplicates, by `sort`; and pages 2, 3, 4 are not the same."""
    book = book()
    for n in range(8):
        book.came(f"list {n}", f"/l?page={n}", *pages(f"/l?page={n}&sort={{}}", range(15)))
    assert book.likely("/l?page=3&sort=99") == "?sort"
    assert book.likely("/l?page=9") == book.likely("/l?page=9&sort=1") == ""
    assert book.figures()["?sort"] == (8 * 15, 8 * 15) and "/l?page&sort" not in book.figures()


def test_two_keys_at_once(book):
    """With another order and another session nothing was fetched before; without both it was."""
    book = book()
    pairs(book, "/p{}", "/p{}?sid=1", range(5))
    pairs(book, "/q{}", "/q{}?sort=1", range(5))
    assert book.likely("/p1?sid=7&sort=7") == "?sid" and book.likely("/p9?sid=7&sort=7") == ""


def test_one_page_in_ten_that_is_no_duplicate_is_too_many(book):
    book = book()
    pairs(book, "/p{}", "/p{}?lang=de", range(18))
    assert book.likely("/p1?lang=fr") == "?lang"
    for n in range(18, 20):
        book.came(f"page {n}", f"/p{n}")
        book.came(f"Seite {n}", f"/p{n}?lang=de")
    assert book.figures()["?lang"] == (20, 18) and book.likely("/p1?lang=fr") == ""


def test_too_few_pages(book):
    book = book()
    pairs(book, "/p{}", "/p{}?print=1", range(3))
    assert book.likely("/p1?print=2") == ""
    pairs(book, "/p{}", "/p{}?print=1", range(3, 4))
    assert book.likely("/p1?print=2") == "?print"


@pytest.mark.parametrize("seed", range(5))
def test_in_any_order_the_same_is_counted(book, seed):
    """Print versions that are the same and translations that are not, however they come."""
    book = book()
    said = {f"/p{n}{end}": f"page {n}" for n in range(12) for end in ("", "?print=1")}
    said |= {f"/p{n}?lang=de": f"Seite {n}" if n % 2 else f"page {n}" for n in range(12)}
    paths = sorted(said)
    random.Random(seed).shuffle(paths)
    for path in paths:
        book.came(said[path], path)
    assert book.figures()["?print"] == (12, 12) and book.figures()["?lang"] == (12, 6)


def test_what_becomes_a_duplicate_later(book):
    """Lists that came before their original: nearer to the seeds, and of another order of words."""
    book = book()
    for n in range(5):
        book.repeats.saw(2 * n + 1, url(f"/l{n}?sort=up"), None, [])
        book.repeats.saw(2 * n + 2, url(f"/l{n}"), None, [url(f"/l{n}?sort=up")])
    assert book.figures() == {"?sort": (5, 5)} and book.likely("/l1?sort=down") == "?sort"


def test_each_page_is_the_original_of_the_one_before(book, monkeypatch):
    """A site that lists its copies in falling order: what the first one has become is asked for every page."""
    get, looks = Recent.get, []
    monkeypatch.setattr(Recent, "get", lambda recent, which: looks.append(which) or get(recent, which))
    counts = []
    for last in (300, 600):
        looks.clear()
        site = book(name=f"{last}.db")
        for n in range(1, last + 1):
            site.repeats.saw(n, url(f"/p?sid={n}"), None, [url(f"/p?sid={n - 1}")] if n > 1 else [])
        assert site.figures() == {"?sid": (last - 1, last - 1)}
        counts.append(len(looks))
    assert counts[1] < 3 * counts[0]


@pytest.mark.parametrize("later", [("/p", "/p?x=1"), ("/p?x=1", "/p"), ("/p?x=1",), ("/p?x=1", "/p?x=1")])
def test_judged_as_another_page_and_a_duplicate_later(book, later):
    """Two pages that are nearly the same as a third, nearest one become duplicates of it, and so one of the other."""
    book = book()
    book.repeats.saw(1, url("/p"), None, [])
    book.repeats.saw(2, url("/p?x=1"), None, [])
    assert book.figures() == {}
    book.repeats.saw(3, url("http://b.test/"), None, [url(each) for each in later])
    both = "/p" in later
    assert book.figures().get("?x") == ((1, 1) if both else None)


def test_a_calendar_whose_first_month_came_last(book):
    book = book()
    for n in range(4):
        book.repeats.saw(n + 1, url(f"/cal/{n}"), None if n == 0 else 1, [])
    book.repeats.saw(9, url("/empty"), None, pages(HOST + "/cal/{}", range(4)))
    assert book.figures()["/cal/#"] == (4, 4)


def test_it_is_known_when_the_crawl_goes_on(book):
    first = book()
    pairs(first, "/p{}", "/p{}?print=1", range(5))
    first.repeats.rule_against(url("/p1?print=2"), "?print")
    first.repeats.before_commit()
    first.store.urls.add([NewUrl(n, n, url(f"/p{n}"), 1, QUEUED, 0.0, depth=1) for n in range(1, 5)])
    first.store.commit()
    first.store.abandon()
    again = book(create=False)
    pairs(again, "/p{}", "/p{}?print=2", range(4, 5))
    assert again.figures()["?print"] == (6, 6)
    assert again.store.patterns.one("a.test", "?print").refused == 1
    assert again.likely("/p4?print=7") == "?print"


@pytest.mark.parametrize(
    ("state", "reason", "text"),
    [
        ("fetched", "http 200", "?print"),
        ("fetched", "http 404", ""),
        ("moved", "http 301", ""),
        ("queued", "", ""),
        ("refused", "http 200", ""),
    ],
)
def test_a_plain_page_that_is_remembered_in_the_ledger_alone(book, state, reason, text):
    """One that was an error says nothing of what there is with a session."""
    book = book()
    pairs(book, "/p{}", "/p{}?print=1", range(5))
    row = NewUrl(1, key(url("/old")), url("/old"), 1, state, 0.0, reason=reason, depth=1)
    book.store.urls.add([row])
    assert book.likely("/old?print=1") == text


def test_rules_name_the_pattern_and_its_figures(book):
    book = book()
    pairs(book, "/p{}", "/p{}?print=1", range(5))
    assert book.repeats.rule_against(url("/p1?print=2"), "?print") == "pattern ?print: 5 of 5 pages are duplicates"


@pytest.mark.parametrize("settings", [Duplicates(repeated="no", repeated_pages=4), Duplicates(exact=False, near=False)])
def test_nothing_is_remembered_when_nothing_is_done(book, settings):
    book = book(settings)
    pairs(book, "/p{}", "/p{}?print=1", range(50))
    assert book.likely("/p1?print=2") == "" and book.figures() == {}


def test_the_audit_is_a_share_and_the_same_again(book):
    settings = Duplicates(audit=0.1)
    first, other = Repeats(book().store, settings, "http://a.test/"), Repeats(book(name="2.db").store, settings, "b")
    again = Repeats(book(name="3.db").store, settings, "http://a.test/")
    urls = pages(HOST + "/{}", range(20_000))
    chosen = [each for each in urls if first.audited(each)]
    assert 1800 < len(chosen) < 2200  # 2000 and five standard deviations
    assert chosen == [each for each in urls if again.audited(each)]
    assert chosen != [each for each in urls if other.audited(each)]
    for share, number in ((0, 0), (1, len(urls))):
        all_or_none = Repeats(book(name=f"s{share}.db").store, Duplicates(audit=share), "")
        assert sum(map(all_or_none.audited, urls)) == number


def reads(book, name):
    """What is read from the table because it is not in memory."""
    read, of = [], getattr(book.store.patterns, name)
    setattr(book.store.patterns, name, lambda *what: (read.append(what[:-1] if name == "of" else what), of(*what))[1])
    return read


def test_memory_has_a_bound(book):
    """Many patterns, many hosts: what repeats stays known, and figures come back from the table."""
    book = book(per_host=20, most=50)
    pairs(book, "/p{}", "/p{}?print=1", range(5))
    for n in range(200):
        book.came(f"page {n}", f"/q{n}", f"/q{n}?key-{chr(97 + n % 26)}{chr(97 + n // 26)}=1")
    patterns, hosts = reads(book, "one"), reads(book, "of")
    for n in reversed(range(200)):  # the last first: what is in memory is not read
        book.repeats.rule_against(url("/x"), f"?key-{chr(97 + n % 26)}{chr(97 + n // 26)}")
    assert 200 - 20 <= len(patterns) < 200 and hosts == []
    assert book.likely("/p1?print=7") == "?print"
    assert len(book.figures()) > 20
    hosts.clear()
    for n in range(100):
        book.likely(f"http://h{n}.test/x?print=1")
    assert hosts == [(f"h{n}.test",) for n in range(100)]
    for n in reversed(range(100)):
        book.likely(f"http://h{n}.test/x?print=1")
    assert 100 + 50 <= len(hosts) < 200
    hosts.clear()
    assert book.likely("/p1?print=7") == "?print" and hosts == [("a.test",)]
    before = book.figures()["?key-aa"]
    book.came("page 0", "/q0?key-aa=2")
    assert book.figures()["?key-aa"] == (before[0] + 1, before[1] + 1)


def test_a_page_whose_figures_are_forgotten_was_fetched_all_the_same(book):
    """Of patterns under which nothing was the same figures are not kept: neither over a kill nor when they are many."""
    book = book(most=1)
    book.came("an article", "/article/1")
    book.came("something else", "http://b.test/2")  # for which the other host is forgotten
    book.repeats.saw(3, url("/plain"), None, [url("/article/1")])
    assert book.figures()["/article/#"] == (1, 1)

"""Pages that vanish, come back, move, or have copies, by servers with a script: tables, `why`, `diff`, `page --at`."""

import pytest

from tests.recrawl.moving import GONE, OLD, TEXT, home, page, path, reasons, scripted, unlinked, vanished, words
from tests.recrawl.recrawled import Clock, recrawl, served
from tests.recrawl.servers import DAY, Scripted
from tests.support.crawls.crawling import query, verified
from ttcrawl.recrawl.json_text import evidence_of


@pytest.fixture
def web(tmp_path):
    """A function that crawls pages (path -> its script) for some days. Gives the port."""
    clock, directory = Clock(), tmp_path / "c"

    def run(days, pages, once=False, **settings):
        hosts = {f"a.test{path}".removesuffix("/"): script for path, script in pages.items()}
        with served(hosts, clock) as port:
            more = {key.replace("__", "."): value for key, value in settings.items()}
            recrawl(directory, ["a.test"], port, clock, days * DAY, more, once=once)
        assert verified(directory) == ""
        return directory, port

    return run


FEED = f"<rss version='2.0'><channel><title>old</title><description>{TEXT}</description></channel></rss>"

#: name -> (pages, successor of /old and by what)
CASES = {
    "same bytes, new before it is gone": (
        {"/": home((0, ["/old"]), (3.4, ["/new"])), "/old": scripted(OLD, GONE), "/new": scripted(OLD)},
        ("/new", "bytes"),
    ),
    "same bytes, new when it is gone": (
        {"/": home((0, ["/old"]), (7.5, ["/new"])), "/old": scripted(OLD, GONE), "/new": scripted(OLD)},
        ("/new", "bytes"),
    ),
    "the same text with another markup": (
        {
            "/": home((0, ["/old"]), (7.5, ["/new"])),
            "/old": scripted(OLD, GONE),
            "/new": scripted((0, 200, OLD[2].replace("<p>", "<p class=x>"))),
        },
        ("/new", "text"),
    ),
    "a word of the text is another": (
        {
            "/": home((0, ["/old"]), (7.5, ["/new"])),
            "/old": scripted((0, 200, page("old", words("a", 600))), GONE),
            "/new": scripted((0, 200, page("old", words("a", 600).replace("wax300 ", "other ")))),
        },
        ("/new", "near"),
    ),
    "and the title too: a template": (
        {
            "/": home((0, ["/old"]), (7.5, ["/new"])),
            "/old": scripted((0, 200, page("old", words("a", 600))), GONE),
            "/new": scripted((0, 200, page("new", words("a", 600).replace("wax300 ", "other ")))),
        },
        (None, ""),
    ),
    "it redirects for ever": (
        {"/": home((0, ["/old"])), "/old": scripted(OLD, (3.5, 301, "/new")), "/new": scripted(OLD)},
        ("/new", "redirect"),
    ),
    "and so to a page that was there": (
        {"/": home((0, ["/old", "/new"])), "/old": scripted(OLD, (3.5, 308, "/new")), "/new": scripted((0, 200, "x"))},
        ("/new", "redirect"),
    ),
    "to the start page: it is gone": (
        {"/": home((0, ["/old"])), "/old": scripted(OLD, (3.5, 301, "/"))},
        None,
    ),
    "it redirects for now": (
        {"/": home((0, ["/old"])), "/old": scripted(OLD, (3.5, 302, "/new")), "/new": scripted(OLD)},
        None,
    ),
    "a copy was there": (
        {"/": home((0, ["/old", "/copy"])), "/old": scripted(OLD, GONE), "/copy": scripted(OLD)},
        (None, ""),
    ),
    "a copy was there, and another is new": (
        {
            "/": home((0, ["/old", "/copy"]), (7.5, ["/copy", "/new"])),
            **{"/old": scripted(OLD, GONE), "/copy": scripted(OLD), "/new": scripted(OLD)},
        },
        (None, ""),
    ),
    "a feed, which has no text": (
        {
            "/": home((0, ["/old"]), (7.5, ["/new"])),
            "/old": Scripted(script=((0, 200, FEED), GONE), type="application/rss+xml"),
            "/new": Scripted(script=((0, 200, FEED),), type="application/rss+xml"),
        },
        ("/new", "bytes"),
    ),
    "too little text": (
        {
            "/": home((0, ["/old"]), (7.5, ["/new"])),
            "/old": scripted((0, 200, page("old", "coming soon")), GONE),
            "/new": scripted((0, 200, page("old", "coming soon"))),
        },
        (None, ""),
    ),
    "what many pages said that are gone": (
        {
            "/": home((0, ["/old", "/2", "/3"]), (7.5, ["/new"])),
            **{name: scripted(OLD, GONE) for name in ("/old", "/2", "/3")},
            "/new": scripted(OLD),
        },
        (None, ""),
    ),
    "many new pages say it": (
        {
            "/": home((0, ["/old"]), (3.4, ["/1", "/2", "/3"])),
            "/old": scripted(OLD, GONE),
            **{name: scripted(OLD) for name in ("/1", "/2", "/3")},
        },
        (None, ""),
    ),
    "it comes back": (
        {
            "/": home((0, ["/old"]), (7.5, ["/new"])),
            "/old": scripted(OLD, GONE, (9.5, 200, OLD[2])),
            "/new": scripted(OLD),
        },
        None,
    ),
    "it comes back before it is gone": (
        {"/": home((0, ["/old"])), "/old": scripted(OLD, GONE, (4.1, 200, OLD[2]))},
        None,
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_a_page_is_known_again(web, name):
    pages, expected = CASES[name]
    settings = {"revisit__longest": 2 * DAY, "duplicates__near": "yes"}
    directory, _ = web(14, pages, **settings)
    found = vanished(directory).get("/old")
    assert found == (expected and (*expected, 1))
    state, reason = reasons(directory)["/old"]
    gone = expected is not None and expected[1] != "redirect"
    assert (reason == "gone: http 404") == gone and state == ("fetched" if gone else state)


@pytest.mark.parametrize("name", ["same bytes, new before it is gone", "same bytes, new when it is gone"])
def test_the_new_url_knows_how_often_the_page_has_changed(web, name):
    """The visits of the old one, six changes in twelve days, and its own."""
    other = [page("old", words(f"version {day}")) for day in range(7)]
    old = scripted(*((max(0, 2 * day - 0.5), 200, text) for day, text in enumerate(other)), (12.5, 404, ""))
    when = 12.4 if "before" in name else 16.5
    pages = {"/": home((0, ["/old"]), (when, ["/new"])), "/old": old, "/new": scripted((0, 200, other[-1]))}
    directory, _ = web(20, pages, revisit__longest=60 * DAY)
    assert vanished(directory)["/old"][0] == "/new"
    rows = query(directory, "SELECT url.url, evidence FROM revisit JOIN url ON url.id = revisit.url")
    evidence = {path(url): evidence_of(text) for url, text in rows}
    inherited, before = evidence["/new"], evidence["/old"]
    assert inherited.spans == before.spans and sum(span.visits for span in before.spans) == 6
    assert inherited.quiet >= before.quiet + 2 * DAY


def visits(directory, of):
    rows = query(directory, "SELECT url.url, visits FROM url JOIN revisit ON revisit.url = url.id")
    return {path(url): count for url, count in rows}[of]


A, B, C = (scripted((0, 200, page(name, words(name)))) for name in "abc")

#: name -> (pages, paths without links at the end)
LINKS = {
    "the only link vanishes": ({"/": home((0, ["/a", "/b"]), (2.5, ["/b"])), "/a": A, "/b": B}, {"/a"}),
    "another page has one": (
        {"/": home((0, ["/a", "/b"]), (2.5, ["/b"])), "/a": A, "/b": scripted((0, 200, page("b", words("b"), "/a")))},
        set(),
    ),
    "a redirect leads to it": (
        {"/": home((0, ["/a", "/b"]), (2.5, ["/b"])), "/a": A, "/b": scripted((0, 302, "/a"))},
        set(),
    ),
    "its own link does not count": (
        {"/": home((0, ["/a", "/b"]), (2.5, ["/b"])), "/a": scripted((0, 200, page("a", words("a"), "/a"))), "/b": B},
        {"/a"},
    ),
    "the page with the link is gone": (
        {
            "/": home((0, ["/b"])),
            "/b": scripted((0, 200, page("b", words("b"), "/a", "/")), (2.5, 404, "")),
            "/a": A,
        },
        {"/a"},  # not the start page, a seed
    ),
    "a link appears again": (
        {"/": home((0, ["/a"]), (2.5, []), (9.5, ["/a"])), "/a": A},
        set(),
    ),
    "a link appears on a new page": (
        {"/": home((0, ["/a"]), (2.5, []), (9.5, ["/c"])), "/a": A, "/c": scripted((0, 200, page("c", "x", "/a")))},
        set(),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", LINKS)
def test_a_url_without_links_loses_its_claim(web, name):
    pages, expected = LINKS[name]
    asked = pages["/a"].asked
    directory, _ = web(20, pages, revisit__longest=60 * DAY)
    assert unlinked(directory) == dict.fromkeys(expected, 1)
    assert reasons(directory)["/a"] == ("fetched", "http 200")
    count = visits(directory, "/a")
    if name.startswith("a link appears"):
        assert 10 < count < 17  # not between the loss and the return
    else:
        assert count == (pages["/a"].asked - asked - 1) and (count < 8 if expected else count > 17)

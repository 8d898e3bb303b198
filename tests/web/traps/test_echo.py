"""Equal bytes under ever longer URLs."""

import itertools

import pytest

from tests.support.crawls.memory import kept
from ttcrawl.vocabulary.reason import SAME_BYTES
from ttcrawl.web.traps import Echoes

HOST = "http://a.test"


def fetched(echoes, body, links, most=3000):
    """The paths of a breadth-first crawl from "/": `body` and `links` (absolute paths) of each path."""
    found_on, queue, asked = {"/": None}, ["/"], []
    for path in queue:
        if len(asked) == most:
            break

        def source(path=path):
            on = found_on[path]
            return None if on is None else (HOST + on, body(on))

        if path != "/" and echoes.refusal(HOST + path, source):
            continue
        asked.append(path)
        echoes.note(HOST + path, body(path), source)
        for link in links(path):
            if link not in found_on and not echoes.refusal(HOST + link, lambda on=path: (HOST + on, body(on))):
                found_on[link] = path
                queue.append(link)
    return asked


def relative(*hrefs):
    return lambda path: [path.rpartition("/")[0] + "/" + href for href in hrefs]


def two_bodies(path):
    return b"front" if path == "/" else b"other"


def by_the_end(path):
    return path.rstrip("/").rpartition("/")[2].encode() or b"front"


def query(path):
    return b"list"


@pytest.mark.parametrize(
    ("body", "links", "most"),
    [
        (two_bodies, relative("x/", "y/", "z/"), 20),
        (two_bodies, relative(*(f"p{n}/" for n in range(50))), 70),
        (two_bodies, relative("a/b/c/"), 15),
        (two_bodies, relative("x/page", "y/page"), 20),
        (two_bodies, relative("../up/down/"), 15),
        (by_the_end, relative("x/", "y/", "z/"), 45),
        (by_the_end, relative("x/1.html", "y/2.html", "z/3.html"), 45),
        (by_the_end, relative(*(f"p{n}/" for n in range(10))), 130),
        (query, lambda path: [path + ("&" if "?" in path else "?") + each for each in ("x=1", "y=2", "z=3")], 20),
    ],
    ids=["two bodies", "many links", "one link", "no slash", "up and down", "by the end", "files", "ten", "query"],
)
def test_an_endless_relative_link_ends(body, links, most):
    assert len(fetched(Echoes(10), body, links)) <= most
    assert len(fetched(Echoes(0), body, links)) > 10 * most or len(links("/")) == 1


def site(pages):
    """body and links of a site that is a dict of path -> links; what it has not is the same page everywhere."""
    return (lambda path: path.encode() if path in pages else b"gone"), (lambda path: pages.get(path, []))


def mirrored():
    """The same pages below /, /old/ and /old/en/ with relative links, and more below the mirrors alone."""
    body, pages = {}, {}
    for top in ("/", "/old/", "/old/en/", "/en/"):
        names = [f"d{n // 10}/p{n}.html" for n in range(100)]
        pages[top] = [top + name for name in names] + ["/old/", "/en/", "/old/en/"]
        body[top] = b"index"
        for name in names:
            pages[top + name], body[top + name] = [], name.encode()
    for top in ("/old/", "/old/en/"):
        for n in range(100):
            pages[top].append(f"{top}more/{n}.html")
            pages[f"{top}more/{n}.html"], body[f"{top}more/{n}.html"] = [], f"{top}{n}".encode()
    return lambda path: body[path], lambda path: pages[path]


def frames():
    """Every part has the same frameset, whose frames have what is its own."""
    pages, body = {"/": ["/menu.html", "/text.html"]}, {}
    parts = ["/", *(f"/part{n}/" for n in range(100))]
    for part in parts:
        pages[part] = [part + "menu.html", part + "text.html"]
        body[part] = b"frameset"
        pages[part + "menu.html"] = [part + f"{n}.html" for n in range(5)] + (parts[1:] if part == "/" else [])
        body[part + "menu.html"] = b"menu" if part != "/" else b"first menu"
        for each in ["text.html", *(f"{n}.html" for n in range(5))]:
            pages[part + each], body[part + each] = [], (part + each).encode()
    return lambda path: body[path], lambda path: pages[path]


def gone():
    """Dead links at every depth, all of which are answered with the same bytes."""
    pages = {"/": [f"/a{n}/" for n in range(50)]}
    for n in range(50):
        pages[f"/a{n}/"] = [f"/a{n}/b/", f"/a{n}/gone/", f"/a{n}/b/c/gone/", f"/gone{n}/"]
        pages[f"/a{n}/b/"] = [f"/a{n}/b/gone/d/", f"/a{n}/b/c/"]
        pages[f"/a{n}/b/c/"] = []
    return site(pages)


def pager():
    """The first page of each list has two URLs, and a longer one leads on."""
    pages = {"/": [f"/list{n}" for n in range(50)]}
    body = {"/": b"front"}
    for n in range(50):
        for page, path in enumerate([f"/list{n}", *(f"/list{n}?page={page}" for page in range(1, 5))]):
            pages[path] = [f"/list{n}?page={each}" for each in range(1, 5)]
            body[path] = f"{n} {max(page, 1)}".encode()
    return lambda path: body[path], lambda path: pages[path]


@pytest.mark.parametrize("made", [mirrored, frames, gone, pager])
def test_honest_sites_are_fetched_whole(made):
    body, links = made()
    assert fetched(Echoes(10), body, links) == fetched(Echoes(0), body, links)


def test_a_page_of_its_own_takes_the_evidence_back():
    echoes = Echoes(2)
    for path in ("/x/", "/x/x/", "/x/x/x/"):
        echoes.note(HOST + path, b"same", lambda path=path: (HOST + path[:-2], b"same"))
    on = (HOST + "/x/x/", b"same")
    assert echoes.refusal(HOST + "/x/x/y/", lambda: on) == SAME_BYTES
    assert echoes.refusal(HOST + "/x/z", lambda: on) == echoes.refusal(HOST + "/x/x/y/", lambda: None) == ""
    assert echoes.refusal("http://b.test/x/x/y/", lambda: on) == ""
    echoes.note(HOST + "/x/x/z/", b"another", lambda: on)
    assert echoes.refusal(HOST + "/x/x/y/", lambda: on) == ""


@pytest.mark.slow
def test_what_is_remembered_is_bounded():
    echoes = Echoes(1, per_host=10, capacity=30)

    def come(hosts, pages):
        for host, n in itertools.product(hosts, range(pages)):
            echoes.note(f"http://h{host}.test/{n}", b"%d" % n, lambda: None)

    come(range(20), 30)
    assert kept(lambda: come(range(20, 220), 30)) < 20_000  # bytes: of 200 hosts and 6,000 pages
    assert kept(lambda: come([0], 6000)) < 20_000
    deep = HOST + "/x" * 1000 + "?" + "a&" * 1000
    echoes.note(deep, b"1", lambda: None)
    echoes.note(deep + "b", b"1", lambda: (deep, b"1"))
    assert echoes.refusal(deep + "bc", lambda: None) == ""


@pytest.mark.slow
def test_many_pairs_of_equal_pages_are_forgotten_and_hide_no_trap():
    echoes = Echoes(2, per_host=10)

    def pairs(numbers):
        for number in numbers:
            first = (f"{HOST}/{number}/", b"%d" % number)
            echoes.note(*first, lambda: None)
            echoes.note(f"{first[0]}x/", first[1], lambda on=first: on)

    pairs(range(1_000))
    assert kept(lambda: pairs(range(1_000, 6_000))) < 20_000  # bytes
    for path in ("/x/", "/x/x/", "/x/x/x/"):
        echoes.note(HOST + path, b"same", lambda path=path: (HOST + path[:-2], b"same"))
    assert echoes.refusal(HOST + "/x/x/y/", lambda: (HOST + "/x/x/", b"same")) == SAME_BYTES


def test_hosts_are_forgotten_when_known_hosts_have_many_pages():
    echoes = Echoes(2, capacity=100)
    echoes.note("http://b.test/", b"", lambda: None)
    for path in ("/x/", "/x/x/", "/x/x/x/"):
        echoes.note(HOST + path, b"same", lambda path=path: (HOST + path[:-2], b"same"))
    on = (HOST + "/x/x/", b"same")
    assert echoes.refusal(HOST + "/x/x/y/", lambda: on) == SAME_BYTES
    for number in range(100):
        echoes.note(f"http://b.test/{number}", b"%d" % number, lambda: None)
    assert echoes.refusal(HOST + "/x/x/y/", lambda: on) == ""

"""One page under ever longer URLs, whose bytes change; and honest sites that look like it."""

import itertools
import string

import pytest

from ttcrawl.parse.repeated_content import content_hashes
from ttcrawl.vocabulary.reason import SAME_BYTES
from ttcrawl.web.storable import LARGEST
from ttcrawl.web.traps import Shells
from ttcrawl.web.traps.shells import LONGEST, Look, look, references, text_hash

HOST = "http://a.test"


def references_hash(hrefs):
    return look(references(hrefs), b"")[0]


def test_a_message_keeps_the_hashes():
    """Its integers have 63 bits and a sign: one bit more, and half of all pages were the same."""
    hashes = {references_hash([text]) for text in string.ascii_letters}
    hashes |= {text_hash(text) for text in string.ascii_letters}
    hashes |= {content_hashes(f"{HOST}/", text.encode())[0] for text in string.ascii_letters}
    assert len(hashes) == 2 * 26 and max(hashes) <= LARGEST


def fetched(shells, text, links, most=3000, original=lambda path: 0):
    """The paths of a breadth-first crawl from "/": `text` and `links` (relative) of each path; `original`: the id of
    the URL of which its page is nearly a duplicate."""
    found_on, queue, asked, ids = {"/": None}, ["/"], [], {"/": 1}
    for path in queue:
        if len(asked) == most:
            break
        source = ids.get(found_on[path])
        if path != "/" and shells.refusal(HOST + path, lambda source=source: source):
            continue
        asked.append(path)
        hrefs, new = links(path), []
        for href in hrefs:
            link = href if href[0] == "/" else path.partition("?")[0].rpartition("/")[0] + "/" + href
            if link not in found_on:
                found_on[link] = path
                ids[link] = len(ids) + 1
                new.append(link)
        look = Look(references_hash(hrefs) if new else 0, text_hash(text(path)), original(path) or ids[path])
        shells.note(ids[path], HOST + path, look, lambda source=source: source)
        queue += [link for link in new if not shells.refusal(HOST + link, lambda path=path: ids[path])]
    return asked


COUNT = itertools.count()
SHELL = "Please wait while the application is loading"


@pytest.mark.parametrize(
    "text",
    [
        lambda path: SHELL,
        lambda path: f"{SHELL}. Served at {next(COUNT)} ms",
        lambda path: f"{SHELL} (request {next(COUNT) * 2654435761 % 2**32:08x}-{next(COUNT)})",
        lambda path: f"There is no page {path} here",
        lambda path: "",
    ],
    ids=["same", "time", "token", "address", "empty"],
)
@pytest.mark.parametrize(
    ("hrefs", "most"),
    [
        (["products/", "api/jobs", "img/logo"], 60),
        (["x/"], 20),
        (["x/page", "y/page"], 40),
        (["../up/down/"], 20),
        ([f"p{n}/" for n in range(5)], 250),
        (["?x=1", "a/?x=1", "/about"], 25),
    ],
    ids=["three", "one", "no slash", "up and down", "five", "queries"],
)
def test_a_shell_ends(text, hrefs, most):
    assert len(fetched(Shells(10), text, lambda path: hrefs)) <= most
    assert len(fetched(Shells(0), text, lambda path: hrefs, most=400)) == 400


@pytest.mark.parametrize(
    "text", ["", "a short text 17", "\u00e9" * LONGEST, "\U0001f600" * LONGEST, "\u00e9 " * LONGEST]
)
def test_the_look_of_a_page_has_both_hashes(text):
    assert look(references(["/a?b", "/c"]), text.encode()) == (references_hash(["/a", "/c"]), text_hash(text))


def test_tokens_in_queries_of_references_do_not_matter():
    def links(path):
        return [f"a/?token={next(COUNT)}", f"b/?token={next(COUNT)}"]

    assert len(fetched(Shells(10), lambda path: SHELL, links)) <= 60


def test_pages_that_are_nearly_duplicates_look_the_same():
    def text(path):
        return f"{SHELL} {chr(97 + next(COUNT) % 26)} {chr(97 + next(COUNT) // 26 % 26)}"

    links = ["products/", "api/jobs", "img/logo"]
    assert len(fetched(Shells(10), text, lambda path: links, original=lambda path: 1)) <= 60
    assert len(fetched(Shells(10), text, lambda path: links, most=500)) == 500


def tree(names, depth):
    """Directories with the same references at each level; the last level has pages of its own."""

    def links(path):
        level = path.count("/") - 1
        if path.endswith(".html"):
            return []
        return [f"{name}/" for name in names] if level < depth else ["page.html"]

    return links


def years(path):
    parts = path.split("/")[1:-1]
    sizes = {0: range(2000, 2012), 1: range(1, 13), 2: range(1, 29)}
    return [f"{n}/" for n in sizes.get(len(parts), ())]


def taxonomy(path):
    name = path.rstrip("/").rpartition("/")[2]
    return [f"{name}{letter}/" for letter in string.ascii_lowercase[:4]] if path.count("/") < 6 else []


def menu(path):
    return [f"/{'/'.join(part)}/" for size in (1, 2, 3, 4) for part in itertools.product("abc", repeat=size)]


def gallery(path):
    number = int(path.rpartition("/")[2] or 0)
    return [f"/gallery/photo/of/{number + 1}", "/"] if number < 400 else []


def stubs(path):
    return [f"/shop/category/product/{n}" for n in range(400)] if path == "/" else ["/", "/help/contact"]


@pytest.mark.parametrize(
    ("links", "number"),
    [
        (tree("0123456789abcdef", 2), 16 * 16 * 2 + 16 + 1),
        (tree("abcdef", 3), 6**3 * 2 + 6**2 + 6 + 1),
        (years, 1 + 12 + 12 * 12 + 12 * 12 * 28),
        (taxonomy, 1 + 4 + 4**2 + 4**3 + 4**4 + 4**5),
        (menu, 1 + 3 + 9 + 27 + 81),
        (gallery, 401),
        (stubs, 402),
    ],
    ids=["hashes", "three levels", "archive", "taxonomy", "menu", "gallery", "stubs"],
)
def test_honest_sites_stay_complete(links, number):
    asked = fetched(Shells(10), lambda path: f"Page {path} of 17", links, most=10_000)
    assert len(asked) == len(set(asked)) == number


def test_pages_of_their_own_among_them_prove_that_it_is_none():
    def text(path):
        return path.replace("/", "x") if path.endswith("real/") else SHELL

    assert len(fetched(Shells(10), text, lambda path: ["real/", "b/"], most=600)) == 600


def test_hosts_are_forgotten_when_there_are_many():
    shells = Shells(10, capacity=100)
    for number in range(1000):
        shells.note(number + 1, f"http://h{number}.test/", Look(7, 7, number + 1), lambda: None)
    assert shells.refusal("http://h1.test/x", lambda: 2) == ""


def test_hosts_are_forgotten_when_known_hosts_have_many_pages():
    shells, ids = Shells(1, capacity=100), itertools.count(1)

    def come(host, path, found_on=None):
        id = next(ids)
        shells.note(id, f"http://{host}.test{path}", Look(7, 7, 1), lambda: found_on)
        return id

    come("b", "/")
    last = None
    for level in range(1, 6):
        last = come("a", "/x" * level, last)
    assert shells.refusal("http://a.test/x/x/x/x/x/x", lambda: last) == SAME_BYTES
    for number in range(100):
        come("b", f"/{number}")
    assert shells.refusal("http://a.test/x/x/x/x/x/x", lambda: last) == ""
